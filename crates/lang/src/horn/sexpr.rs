//! S-expressions with spans: the syntax of SMT-LIB, without semantics.
//!
//! The tree lies in one arena, so neither reading nor dropping a deeply nested file needs the call stack. A file is
//! always read to its end; unbalanced parentheses and invalid tokens are errors with their places.

use crate::codes::horn as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// More errors than this are not reported: the file is rejected anyway.
const MAX_PROBLEMS: usize = 20;

/// The index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A symbol; a quoted one without its bars.
    Symbol,
    /// `:name`.
    Keyword,
    /// Digits.
    Numeral,
    /// Digits with a point.
    Decimal,
    /// `#x…`.
    Hexadecimal,
    /// `#b…`.
    Binary,
    /// `"…"`.
    String,
    /// `( … )`, with a range of the children.
    List { first: u32, count: u32 },
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: Kind,
    span: Span,
}

/// A file as trees.
#[derive(Debug, Default)]
pub struct Tree<'s> {
    text: &'s str,
    nodes: Vec<Node>,
    children: Vec<NodeId>,
    roots: Vec<NodeId>,
}

impl<'s> Tree<'s> {
    /// The top-level nodes.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    pub fn kind(&self, node: NodeId) -> Kind {
        self.nodes[node.0 as usize].kind
    }

    pub fn span(&self, node: NodeId) -> Span {
        self.nodes[node.0 as usize].span
    }

    /// The elements of a list; `None` for other nodes.
    pub fn list(&self, node: NodeId) -> Option<&[NodeId]> {
        match self.kind(node) {
            Kind::List { first, count } => Some(&self.children[first as usize..(first + count) as usize]),
            _ => None,
        }
    }

    /// The source text, with bars and quotes.
    pub fn text(&self, node: NodeId) -> &'s str {
        &self.text[self.span(node).range()]
    }

    /// The name, if the node is a symbol: `|x|` and `x` are the same one.
    pub fn symbol(&self, node: NodeId) -> Option<&'s str> {
        let text = self.text(node);
        let quoted = text.strip_prefix('|').and_then(|rest| rest.strip_suffix('|'));
        (self.kind(node) == Kind::Symbol).then(|| quoted.unwrap_or(text))
    }

    /// The line of a span, counted from one.
    pub fn line(&self, span: Span) -> usize {
        let before = &self.text.as_bytes()[..(span.start as usize).min(self.text.len())];
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    fn add(&mut self, kind: Kind, span: Span) -> NodeId {
        let node = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node { kind, span });
        node
    }
}

/// Reads a file.
pub fn parse(text: &str) -> (Tree<'_>, Vec<Diagnostic>) {
    let mut reader = Reader {
        bytes: text.as_bytes(),
        position: 0,
        tree: Tree { text, ..Tree::default() },
        problems: Vec::new(),
    };
    reader.read();
    (reader.tree, reader.problems)
}

struct Reader<'s> {
    bytes: &'s [u8],
    position: usize,
    tree: Tree<'s>,
    problems: Vec<Diagnostic>,
}

/// A list that has not been closed yet.
struct Open {
    start: usize,
    elements: Vec<NodeId>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut open: Vec<Open> = Vec::new();
        while let Some(byte) = self.next_byte() {
            let start = self.position;
            let node = match byte {
                b'(' => {
                    self.position += 1;
                    open.push(Open { start, elements: Vec::new() });
                    continue;
                }
                b')' => {
                    self.position += 1;
                    match open.pop() {
                        Some(list) => self.close(list),
                        None => {
                            self.problem("there is no `(` for this `)`", start, start + 1);
                            continue;
                        }
                    }
                }
                _ => match self.atom(byte) {
                    Some(kind) => self.tree.add(kind, Span::new(start, self.position)),
                    None => continue,
                },
            };
            match open.last_mut() {
                Some(list) => list.elements.push(node),
                None => self.tree.roots.push(node),
            }
        }
        // The outermost one: if its `)` is missing, those inside are mostly fine.
        if let Some(list) = open.first() {
            let message = "this `(` is never closed";
            self.problem(message, list.start, list.start + 1);
        }
    }

    /// The next byte that is neither space nor comment.
    fn next_byte(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.position)? {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0c => self.position += 1,
                b';' => self.skip(|byte| byte != b'\n'),
                0xef if self.bytes[self.position..].starts_with("\u{feff}".as_bytes()) => self.position += 3,
                byte => return Some(byte),
            }
        }
    }

    fn skip(&mut self, more: impl Fn(u8) -> bool) {
        while self.bytes.get(self.position).is_some_and(|byte| more(*byte)) {
            self.position += 1;
        }
    }

    fn close(&mut self, list: Open) -> NodeId {
        let first = self.tree.children.len() as u32;
        let count = list.elements.len() as u32;
        self.tree.children.extend(list.elements);
        self.tree.add(Kind::List { first, count }, Span::new(list.start, self.position))
    }

    /// Reads an atom that begins here; `None` if it is invalid.
    fn atom(&mut self, first: u8) -> Option<Kind> {
        let start = self.position;
        match first {
            b'|' => return self.delimited(b'|', Kind::Symbol, "this quoted symbol"),
            b'"' => return self.string(),
            _ => {}
        }
        self.skip(is_word);
        let word = &self.bytes[start..self.position];
        let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
        let kind = match word {
            [] => None,
            [b':', rest @ ..] if !rest.is_empty() => Some(Kind::Keyword),
            [b'#', b'x', rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_hexdigit) => {
                Some(Kind::Hexadecimal)
            }
            [b'#', b'b', rest @ ..] if !rest.is_empty() && rest.iter().all(|b| matches!(b, b'0' | b'1')) => {
                Some(Kind::Binary)
            }
            [first, ..] if first.is_ascii_digit() => {
                let mut parts = word.splitn(2, |byte| *byte == b'.');
                match (parts.next(), parts.next()) {
                    (Some(all), None) if digits(all) => Some(Kind::Numeral),
                    (Some(whole), Some(fraction)) if digits(whole) && digits(fraction) => Some(Kind::Decimal),
                    _ => None,
                }
            }
            [b':' | b'#', ..] => None,
            _ => Some(Kind::Symbol),
        };
        if kind.is_none() {
            if word.is_empty() {
                self.skip_character();
            }
            let shown = String::from_utf8_lossy(&self.bytes[start..self.position]).into_owned();
            self.problem(&format!("`{shown}` is no token of SMT-LIB"), start, self.position);
        }
        kind
    }

    /// Skips one character, which may be of several bytes.
    fn skip_character(&mut self) {
        self.position += 1;
        self.skip(|byte| byte & 0xc0 == 0x80);
    }

    fn delimited(&mut self, end: u8, kind: Kind, what: &str) -> Option<Kind> {
        let start = self.position;
        self.position += 1;
        self.skip(|byte| byte != end);
        if self.position < self.bytes.len() {
            self.position += 1;
            return Some(kind);
        }
        self.problem(&format!("{what} is never closed"), start, start + 1);
        None
    }

    /// A string; `""` in it is a quote.
    fn string(&mut self) -> Option<Kind> {
        loop {
            self.delimited(b'"', Kind::String, "this string")?;
            if self.bytes.get(self.position) != Some(&b'"') {
                return Some(Kind::String);
            }
        }
    }

    fn problem(&mut self, message: &str, start: usize, end: usize) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Diagnostic::error(&codes::SYNTAX, message, Span::new(start, end)));
        }
    }
}

/// May the byte be in a symbol, a keyword or a number? Letters beyond ASCII may, as in most solvers.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/:#".contains(&byte) || byte >= 0x80
}
