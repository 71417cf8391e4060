//! What statements about a module depend on: named properties and sequences, clocking blocks, defaults; and where statements are.
//!
//! Conditional compilation is not evaluated. A declaration counts for a statement if it is compiled wherever the statement is: if the
//! conditions around it are around the statement, too. If that is open, the statement is refused.

use super::super::lexer::{Kind, Token};
use super::super::scan::end_of_definition;
use super::property::{Refusal, clock, disable};
use super::words::{Word, closing};
use super::words_of;
use crate::span::Span;

/// How deeply named properties may use each other.
const MAX_DEPTH: usize = 20;

/// The module and the conditional branches around a token: each the number of the directive, and that of its branch. What is in no
/// module of its file has the number 0: it may be included in one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    module: usize,
    branches: Vec<(usize, usize)>,
}

/// Whether something is compiled where something else is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Presence {
    Always,
    Never,
    Perhaps,
}

impl Path {
    /// Is it in a module of this file?
    pub fn is_in_module(&self) -> bool {
        self.module > 0
    }

    /// Is something at this path compiled where the other is?
    fn presence(&self, other: &Path) -> Presence {
        if self.module != other.module {
            return Presence::Never;
        }
        for (position, (directive, branch)) in self.branches.iter().enumerate() {
            match other.branches.get(position) {
                Some(same) if same == &(*directive, *branch) => {}
                Some((known, _)) if known == directive => return Presence::Never,
                _ => return Presence::Perhaps,
            }
        }
        Presence::Always
    }
}

/// A named property or sequence.
struct Named {
    name: String,
    /// Its arguments, with defaults.
    arguments: Vec<(String, Option<Vec<Word>>)>,
    body: Vec<Word>,
    path: Path,
}

#[derive(Default)]
pub struct Declarations {
    named: Vec<Named>,
    /// Clocking blocks: name, event, place.
    clockings: Vec<(String, String, Path)>,
    /// Default clocks: events or names of clocking blocks.
    clocks: Vec<(String, Path)>,
    disables: Vec<(String, Path)>,
    /// Parts that Yosys does not read and are not needed any more.
    pub removed: Vec<Span>,
    /// Defaults outside of modules: those of an included file would belong to the module that includes it.
    pub stray: Vec<Span>,
    /// The positions of `assert`, `assume`, `cover` and `restrict`.
    pub statements: Vec<usize>,
    /// The path of each token.
    pub paths: Vec<Path>,
    /// The ranges of tokens of procedural blocks, functions and tasks.
    procedural: Vec<(usize, usize)>,
    /// The tokens within generate blocks.
    generated: Vec<bool>,
}

impl Declarations {
    pub fn of(text: &str, tokens: &[Token]) -> Declarations {
        let mut found = Declarations::default();
        let word = |at: usize| tokens.get(at).map_or("", |token| token.text(text));
        let mut path = Path::default();
        let (mut directives, mut modules, mut skip) = (0, 0, 0);
        let mut procedural_end = 0;
        let (mut depth, mut brackets, mut is_conditional) = (0_usize, 0_usize, false);
        for at in 0..tokens.len() {
            let current = word(at);
            match current {
                "`ifdef" | "`ifndef" => {
                    directives += 1;
                    path.branches.push((directives, 0));
                }
                "`else" | "`elsif" => {
                    if let Some((_, branch)) = path.branches.last_mut() {
                        *branch += 1;
                    }
                }
                "`endif" => drop(path.branches.pop()),
                "module" | "macromodule" => {
                    modules += 1;
                    path.module = modules;
                }
                "endmodule" => path.module = 0,
                _ => {}
            }
            if at >= procedural_end {
                match current {
                    "module" | "endmodule" => (depth, is_conditional) = (0, false),
                    "begin" => depth += 1,
                    "end" => (depth, is_conditional) = (depth.saturating_sub(1), false),
                    "for" | "if" | "else" | "case" => is_conditional = true,
                    // The semicolons of a loop's head are in brackets.
                    ";" if brackets == 0 => is_conditional = false,
                    "(" => brackets += 1,
                    ")" => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
            }
            found.generated.push(depth > 0 || is_conditional);
            found.paths.push(path.clone());
            // A macro is a text of its own.
            if current == "`define" {
                let line = end_of_definition(text, tokens[at].span.end as usize);
                skip = tokens.partition_point(|token| (token.span.start as usize) < line);
            }
            if at < skip {
                continue;
            }
            let is_procedural = at < procedural_end;
            match current {
                "assert" | "assume" | "cover" | "restrict" => found.statements.push(at),
                "always" | "always_ff" | "always_comb" | "always_latch" | "initial" | "final"
                    if !is_procedural =>
                {
                    procedural_end = statement_end(text, tokens, at + 1);
                    found.procedural.push((at, procedural_end));
                }
                "function" | "task" if !is_procedural => {
                    let closer = format!("end{current}");
                    procedural_end = (at..tokens.len()).find(|&at| word(at) == closer).unwrap_or(at) + 1;
                    found.procedural.push((at, procedural_end));
                }
                "property" | "sequence"
                    if !is_procedural
                        && !matches!(
                            word(at.wrapping_sub(1)),
                            "assert" | "assume" | "cover" | "restrict"
                        ) =>
                {
                    skip = found.named(text, tokens, at, &path).unwrap_or(at);
                }
                "clocking" if !is_procedural && word(at.wrapping_sub(1)) != "default" => {
                    skip = found.clocking_block(text, tokens, at, at, &path).unwrap_or(at);
                }
                "default" if path.module == 0 && matches!(word(at + 1), "clocking" | "disable") => {
                    found.stray.push(tokens[at].span);
                }
                "default" if !is_procedural && word(at + 1) == "clocking" => {
                    skip = found.clocking_block(text, tokens, at, at + 1, &path).unwrap_or(at);
                }
                "default" if !is_procedural && word(at + 1) == "disable" => {
                    let end = (at..tokens.len()).find(|&at| word(at) == ";").unwrap_or(at);
                    if let Ok((Some(condition), [])) = disable(&words_of(text, tokens, at + 1, end)) {
                        found.disables.push((condition, path.clone()));
                        found.remove(tokens, at, end + 1);
                        skip = end + 1;
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn remove(&mut self, tokens: &[Token], from: usize, to: usize) {
        if let (Some(first), Some(last)) = (tokens.get(from), tokens.get(to - 1)) {
            self.removed.push(first.span.to(last.span));
        }
    }

    /// `property name(arguments); body endproperty : name`; the position behind it.
    fn named(&mut self, text: &str, tokens: &[Token], at: usize, path: &Path) -> Option<usize> {
        let word = |at: usize| tokens.get(at).map_or("", |token| token.text(text));
        let closer = format!("end{}", word(at));
        let last = (at..tokens.len()).find(|&at| word(at) == closer)?;
        let semicolon = (at..last).find(|&at| word(at) == ";")?;
        let header = words_of(text, tokens, at + 2, semicolon);
        let arguments = match header.first() {
            None => Vec::new(),
            Some(open) if open.text == "(" => parameters(&header[1..closing(&header, 0)?]),
            Some(_) => return None,
        };
        let mut body = words_of(text, tokens, semicolon + 1, last);
        if body.last().is_some_and(|word| word.text == ";") {
            body.pop();
        }
        self.named.push(Named { name: word(at + 1).to_owned(), arguments, body, path: path.clone() });
        let end = if word(last + 1) == ":" { last + 3 } else { last + 1 };
        self.remove(tokens, at, end);
        Some(end)
    }

    /// `clocking name @(event); … endclocking`, perhaps with `default`, or `default clocking name;`.
    fn clocking_block(
        &mut self,
        text: &str,
        tokens: &[Token],
        from: usize,
        at: usize,
        path: &Path,
    ) -> Option<usize> {
        let word = |at: usize| tokens.get(at).map_or("", |token| token.text(text));
        let semicolon = (at..tokens.len()).find(|&at| word(at) == ";")?;
        let header = words_of(text, tokens, at + 1, semicolon);
        let is_default = from < at;
        let (name, rest) = match header.as_slice() {
            [name, rest @ ..] if name.kind == Kind::Word => (Some(name.text.clone()), rest),
            rest => (None, rest),
        };
        if rest.is_empty() {
            self.clocks.push((name?, path.clone()));
            self.remove(tokens, from, semicolon + 1);
            return Some(semicolon + 1);
        }
        let event = clock(rest).ok()?.0?;
        let last = (at..tokens.len()).find(|&at| word(at) == "endclocking")?;
        if is_default {
            self.clocks.push((event.clone(), path.clone()));
        }
        if let Some(name) = name {
            self.clockings.push((name, event, path.clone()));
        }
        let end = if word(last + 1) == ":" { last + 3 } else { last + 1 };
        self.remove(tokens, from, end);
        Some(end)
    }

    pub fn is_procedural(&self, at: usize) -> bool {
        self.procedural.iter().any(|(from, to)| (*from..*to).contains(&at))
    }

    /// Where the block around a position begins; 0 outside of blocks.
    pub fn procedural_start(&self, at: usize) -> usize {
        let around = self.procedural.iter().find(|(from, to)| (*from..*to).contains(&at));
        around.map_or(0, |(from, _)| *from)
    }

    /// Is it in a generate block?
    pub fn is_generated(&self, at: usize) -> bool {
        self.generated.get(at).copied().unwrap_or(false)
    }

    /// Are there defaults at all?
    pub fn has_defaults(&self) -> bool {
        !self.clocks.is_empty() || !self.disables.is_empty()
    }

    /// May there be a default for statements here?
    pub fn has_default(&self, path: &Path) -> bool {
        let defaults = self.clocks.iter().chain(&self.disables);
        defaults.into_iter().any(|(_, other)| other.presence(path) != Presence::Never)
    }

    /// The event of a clocking block.
    pub fn clocking(&self, name: &str, path: &Path) -> Result<Option<String>, Refusal> {
        let blocks = self.clockings.iter().filter(|(known, ..)| known == name);
        only(blocks.map(|(_, event, place)| (event.clone(), place)), path, "clocking block")
    }

    pub fn default_clock(&self, path: &Path) -> Result<Option<String>, Refusal> {
        let clock =
            only(self.clocks.iter().map(|(clock, place)| (clock.clone(), place)), path, "default clock")?;
        let Some(clock) = clock else { return Ok(None) };
        Ok(Some(self.clocking(&clock, path)?.unwrap_or(clock)))
    }

    pub fn default_disable(&self, path: &Path) -> Result<Option<String>, Refusal> {
        let all = self.disables.iter().map(|(condition, place)| (condition.clone(), place));
        only(all, path, "`default disable iff`")
    }

    /// Replaces named properties and sequences by what they are.
    pub fn expanded(&self, words: &[Word], path: &Path) -> Result<Vec<Word>, Refusal> {
        self.expanded_at(words, path, 0)
    }

    fn expanded_at(&self, words: &[Word], path: &Path, depth: usize) -> Result<Vec<Word>, Refusal> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let word = &words[at];
            let is_member = at > 0 && words[at - 1].text == ".";
            let is_it = |named: &Named| named.name == word.text && word.kind == Kind::Word && !is_member;
            let all = self.named.iter().enumerate().filter(|(_, named)| is_it(named));
            let all = all.map(|(position, named)| (position, &named.path));
            let Some(named) = only(all, path, "property of this name")? else {
                found.push(word.clone());
                at += 1;
                continue;
            };
            let named = &self.named[named];
            if depth >= MAX_DEPTH {
                return Err(Refusal::Unsupported("named properties that use each other".to_owned()));
            }
            if words.get(at + 1).is_some_and(|next| next.text == ".") {
                return Err(Refusal::Unsupported(format!("`{}.`", named.name)));
            }
            if named.body.iter().any(|word| word.text == ";") {
                return Err(Refusal::Unsupported(format!("variables in `{}`", named.name)));
            }
            let mut given = Vec::new();
            at += 1;
            if words.get(at).is_some_and(|next| next.text == "(") {
                let end = closing(words, at)
                    .ok_or_else(|| Refusal::Unsupported("brackets that do not close".to_owned()))?;
                given = parts(&words[at + 1..end]);
                at = end + 1;
            }
            let body = instance(named, &given)?;
            let bracket = |text: &str, is_apart| Word { text: text.to_owned(), kind: Kind::Symbol, is_apart };
            found.push(bracket("(", true));
            found.extend(self.expanded_at(&body, path, depth + 1)?);
            found.push(bracket(")", false));
        }
        Ok(found)
    }
}

/// The one that is compiled where something is; an error if that is open.
fn only<'p, T: PartialEq>(
    all: impl Iterator<Item = (T, &'p Path)>,
    path: &Path,
    what: &str,
) -> Result<Option<T>, Refusal> {
    let mut found: Option<T> = None;
    for (one, place) in all {
        match place.presence(path) {
            Presence::Never => {}
            Presence::Always if found.as_ref().is_none_or(|known| *known == one) => found = Some(one),
            Presence::Always => return Err(Refusal::Unsupported(format!("there is more than one {what}"))),
            Presence::Perhaps => {
                let why = format!("the {what} is compiled conditionally, and not where it is used");
                return Err(Refusal::Unsupported(why));
            }
        }
    }
    Ok(found)
}

/// The body of a named property with its arguments.
fn instance(named: &Named, given: &[Vec<Word>]) -> Result<Vec<Word>, Refusal> {
    let wrong = || Refusal::Unsupported(format!("the arguments of `{}`", named.name));
    if given.len() > named.arguments.len() {
        return Err(wrong());
    }
    let mut values: Vec<(&str, Vec<Word>)> = Vec::new();
    for (position, (name, default)) in named.arguments.iter().enumerate() {
        // `.name(value)`
        let by_name = given.iter().find_map(|words| match words.as_slice() {
            [dot, known, open, value @ .., close]
                if (dot.text.as_str(), open.text.as_str(), close.text.as_str()) == (".", "(", ")")
                    && known.text == *name =>
            {
                Some(value.to_vec())
            }
            _ => None,
        });
        let by_position =
            given.get(position).filter(|words| words.first().is_some_and(|word| word.text != "."));
        let value = by_name.or_else(|| by_position.cloned()).or_else(|| default.clone()).ok_or_else(wrong)?;
        values.push((name, value));
    }
    let mut body = Vec::new();
    for (position, word) in named.body.iter().enumerate() {
        let is_member = position > 0 && named.body[position - 1].text == ".";
        match values.iter().find(|(name, _)| *name == word.text && !is_member) {
            // A single word needs no brackets, and a delay may not have any.
            Some((_, value)) if value.len() == 1 => {
                body.push(Word { is_apart: word.is_apart, ..value[0].clone() })
            }
            Some((_, value)) => {
                let bracket =
                    |text: &str, is_apart| Word { text: text.to_owned(), kind: Kind::Symbol, is_apart };
                body.push(bracket("(", word.is_apart));
                body.extend(value.iter().cloned());
                body.push(bracket(")", false));
            }
            None => body.push(word.clone()),
        }
    }
    Ok(body)
}

/// Parts between commas outside of brackets.
fn parts(words: &[Word]) -> Vec<Vec<Word>> {
    if words.is_empty() {
        return Vec::new();
    }
    let (mut found, mut depth) = (vec![Vec::new()], 0_usize);
    for word in words {
        match word.text.as_str() {
            "(" | "[" | "{" | "'{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => {
                found.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = found.last_mut() {
            last.push(word.clone());
        }
    }
    found
}

/// The names of formal arguments, whatever their types, with defaults.
fn parameters(words: &[Word]) -> Vec<(String, Option<Vec<Word>>)> {
    let named = parts(words).into_iter().filter_map(|part| {
        let equals = part.iter().position(|word| word.text == "=");
        let (name, default) = part.split_at(equals.unwrap_or(part.len()));
        let default = default.get(1..).filter(|value| !value.is_empty()).map(<[Word]>::to_vec);
        Some((name.last()?.text.clone(), default))
    });
    named.collect()
}

/// The position behind a statement that begins here.
pub fn statement_end(text: &str, tokens: &[Token], at: usize) -> usize {
    Statements { text, tokens }.end(at, 0)
}

/// How deeply statements without `begin` may be nested.
const MAX_STATEMENTS: usize = 500;

struct Statements<'t> {
    text: &'t str,
    tokens: &'t [Token],
}

impl Statements<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text(self.text))
    }

    fn end(&self, mut at: usize, depth: usize) -> usize {
        if depth > MAX_STATEMENTS {
            return self.tokens.len();
        }
        loop {
            at = self.before_statement(at);
            match self.word(at) {
                "begin" | "case" | "casez" | "casex" | "fork" => return self.block_end(at),
                "if" => {
                    at = self.end(self.bracket_end(at + 1), depth + 1);
                    if self.word(at) != "else" {
                        return at;
                    }
                    at += 1;
                }
                "for" | "while" | "repeat" | "foreach" => at = self.bracket_end(at + 1),
                "forever" => at += 1,
                "assert" | "assume" | "cover" | "restrict" => {
                    while at < self.tokens.len() && self.word(at) != "(" {
                        at += 1;
                    }
                    at = self.bracket_end(at);
                    at = match self.word(at) {
                        "else" => at,
                        ";" => at + 1,
                        _ => self.end(at, depth + 1),
                    };
                    if self.word(at) != "else" {
                        return at;
                    }
                    at += 1;
                }
                _ => {
                    let semicolon = (at..self.tokens.len()).find(|&at| self.word(at) == ";");
                    return semicolon.map_or(self.tokens.len(), |end| end + 1);
                }
            }
        }
    }

    /// Behind delays, events, attributes and a label.
    fn before_statement(&self, mut at: usize) -> usize {
        while at < self.tokens.len() {
            at = match self.word(at) {
                "@" | "#" if self.word(at + 1) == "(" => self.bracket_end(at + 1),
                "@" | "#" => at + 2,
                "(*" => (at..self.tokens.len())
                    .find(|&at| self.word(at) == "*)")
                    .map_or(self.tokens.len(), |end| end + 1),
                "unique" | "unique0" | "priority" => at + 1,
                "begin" => return at,
                _ if self.word(at + 1) == ":" && self.tokens[at].kind == Kind::Word => at + 2,
                _ => return at,
            };
        }
        at
    }

    fn block_end(&self, mut at: usize) -> usize {
        let mut depth = 0_usize;
        while at < self.tokens.len() {
            match self.word(at) {
                "begin" | "case" | "casez" | "casex" | "fork" => depth += 1,
                "end" | "endcase" | "join" | "join_any" | "join_none" => depth = depth.saturating_sub(1),
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        if self.word(at) == ":" { at + 2 } else { at }
    }

    /// The position behind the brackets that open here.
    fn bracket_end(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.tokens.len()
    }
}
