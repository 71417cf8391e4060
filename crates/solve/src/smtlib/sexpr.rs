//! S-expressions, as solvers print them.
//!
//! The reader takes text from a process that may print anything, so it has no recursion and every failure is `None`.

/// Expressions are dropped recursively, so deeper ones are not read.
const MAX_NESTING: usize = 2000;

/// A symbol, numeral, string or keyword, or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sexpr {
    /// As it is printed, without the bars of a quoted symbol.
    Atom(String),
    Text(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    /// Reads the one expression that the text holds.
    pub(crate) fn read(text: &str) -> Option<Sexpr> {
        let mut reader = Reader::default();
        let mut found = None;
        for character in text.chars().chain(['\n']) {
            if let Some(expression) = reader.feed(character).ok()? {
                if found.is_some() {
                    return None;
                }
                found = Some(expression);
            }
        }
        found.filter(|_| reader.is_idle())
    }

    /// The text again, in one way for equal expressions.
    pub(crate) fn text(&self) -> String {
        enum Task<'a> {
            Print(&'a Sexpr),
            Text(&'static str),
        }
        let mut text = String::new();
        let mut tasks = vec![Task::Print(self)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(piece) => text.push_str(piece),
                Task::Print(Sexpr::Atom(atom)) => text.push_str(atom),
                Task::Print(Sexpr::Text(literal)) => text.push_str(&format!("{literal:?}")),
                Task::Print(Sexpr::List(items)) => {
                    text.push('(');
                    tasks.push(Task::Text(")"));
                    for (place, item) in items.iter().enumerate().rev() {
                        tasks.push(Task::Print(item));
                        tasks.push(Task::Text(if place == 0 { "" } else { " " }));
                    }
                }
            }
        }
        text
    }

    pub(crate) fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(items) => Some(items),
            _ => None,
        }
    }

    /// The atom's text, if it is one.
    pub(crate) fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(text) => Some(text),
            _ => None,
        }
    }
}

/// What the reader is in the middle of.
#[derive(Default)]
enum Token {
    #[default]
    None,
    Atom(String),
    Quoted(String),
    Text(String),
    /// A quote in a string: its end, or the first half of an escaped one.
    TextQuote(String),
    Comment,
}

/// The text is no S-expression.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// Reads expressions from characters as they come.
#[derive(Default)]
pub(crate) struct Reader {
    open: Vec<Vec<Sexpr>>,
    token: Token,
}

impl Reader {
    /// Takes one more character; gives the expression that it completes at top level. An atom is complete with the
    /// character behind it.
    pub(crate) fn feed(&mut self, character: char) -> Result<Option<Sexpr>, Malformed> {
        match (std::mem::take(&mut self.token), character) {
            (Token::Comment, '\n') => Ok(None),
            (Token::Comment, _) => self.go_on(Token::Comment),
            (Token::Quoted(text), '|') => Ok(self.complete(Sexpr::Atom(text))),
            (Token::Quoted(text), _) => self.go_on(Token::Quoted(text + character.encode_utf8(&mut [0; 4]))),
            (Token::Text(text), '"') => self.go_on(Token::TextQuote(text)),
            (Token::Text(text), _) => self.go_on(Token::Text(text + character.encode_utf8(&mut [0; 4]))),
            (Token::TextQuote(text), '"') => self.go_on(Token::Text(text + "\"")),
            (Token::TextQuote(text), _) => self.then(Sexpr::Text(text), character),
            (Token::Atom(text), _) if is_symbol(character) => {
                self.go_on(Token::Atom(text + character.encode_utf8(&mut [0; 4])))
            }
            (Token::Atom(text), _) => self.then(Sexpr::Atom(text), character),
            (Token::None, _) => self.start(character),
        }
    }

    /// Is no expression begun and unfinished?
    pub(crate) fn is_idle(&self) -> bool {
        self.open.is_empty() && matches!(self.token, Token::None | Token::Comment)
    }

    fn go_on(&mut self, token: Token) -> Result<Option<Sexpr>, Malformed> {
        self.token = token;
        Ok(None)
    }

    /// An expression ends before this character.
    fn then(&mut self, expression: Sexpr, character: char) -> Result<Option<Sexpr>, Malformed> {
        match self.complete(expression) {
            None => self.start(character),
            // Two expressions could be complete at once only if the next one is a list that closes nothing.
            Some(_) if character == ')' => Err(Malformed),
            Some(whole) => self.start(character).map(|_| Some(whole)),
        }
    }

    fn start(&mut self, character: char) -> Result<Option<Sexpr>, Malformed> {
        match character {
            '(' if self.open.len() >= MAX_NESTING => return Err(Malformed),
            '(' => self.open.push(Vec::new()),
            ')' => {
                let items = self.open.pop().ok_or(Malformed)?;
                return Ok(self.complete(Sexpr::List(items)));
            }
            '"' => self.token = Token::Text(String::new()),
            '|' => self.token = Token::Quoted(String::new()),
            ';' => self.token = Token::Comment,
            _ if character.is_whitespace() => {}
            _ => self.token = Token::Atom(character.to_string()),
        }
        Ok(None)
    }

    fn complete(&mut self, expression: Sexpr) -> Option<Sexpr> {
        match self.open.last_mut() {
            Some(list) => {
                list.push(expression);
                None
            }
            None => Some(expression),
        }
    }
}

fn is_symbol(character: char) -> bool {
    !character.is_whitespace() && !matches!(character, '(' | ')' | '"' | '|' | ';')
}
