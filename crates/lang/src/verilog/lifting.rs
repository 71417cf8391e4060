//! Whether a condition can be moved out of its block, judging by its text and the declarations.
//!
//! A condition is lifted as text (see [`super::rewrite`](mod@super::rewrite)), so it must mean the same elsewhere: it must not
//! mention what its block assigns, nor have side effects, nor be compared differently there (HL-T8).

use super::lexer::{Kind, Token, tokens};
use super::scan::{Branching, Reason};
use crate::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Properties of a whole text.
pub struct Lifting<'t> {
    text: &'t str,
    /// Macros that are defined as a number.
    numbers: BTreeSet<String>,
    /// Names that are certainly unsigned.
    unsigned: BTreeSet<String>,
}

impl<'t> Lifting<'t> {
    /// Analyses the declarations of a text.
    pub fn of(text: &'t str, tokens: &[Token]) -> Lifting<'t> {
        Lifting { text, numbers: number_macros(text), unsigned: unsigned_names(text, tokens) }
    }

    /// Why a condition cannot be lifted, judging by its text.
    pub fn reason(&self, branching: &Branching, temporaries: &BTreeSet<String>) -> Option<Reason> {
        let labels = branching.arms.iter().filter(|arm| !arm.is_default).flat_map(|arm| &arm.labels);
        let spans = labels.copied().chain([branching.condition]);
        let reason = spans.into_iter().find_map(|span| self.expression_stays(span, temporaries));
        reason.or_else(|| (!branching.is_if()).then(|| self.case_stays(branching)).flatten())
    }

    fn expression_stays(&self, span: Span, temporaries: &BTreeSet<String>) -> Option<Reason> {
        let text = &self.text[span.range()];
        let parts = tokens(text);
        for (position, token) in parts.iter().enumerate() {
            let word = token.text(text);
            let next = parts.get(position + 1).map_or("", |next| next.text(text));
            match token.kind {
                Kind::System if !matches!(word, "$signed" | "$unsigned" | "$clog2") => {
                    return Some(Reason::Call);
                }
                Kind::Directive if !self.numbers.contains(word) => return Some(Reason::Macro),
                Kind::Word if temporaries.contains(word) => return Some(Reason::Temporary),
                Kind::Word if next == "(" || word == "inside" => return Some(Reason::Call),
                Kind::Symbol if matches!(word, "=" | "++" | "--" | "'{") || is_assignment(word) => {
                    return Some(Reason::Opaque);
                }
                _ => {}
            }
        }
        None
    }

    /// A `case` compares everything at the largest width, signed if all operands are, and with wildcards in some forms:
    /// `==` does the same for plain names and unsigned numbers (HL-T8).
    fn case_stays(&self, branching: &Branching) -> Option<Reason> {
        let compared = tokens(&self.text[branching.condition.range()]);
        let compared =
            compared.first().map(|first| (first.kind, first.text(&self.text[branching.condition.range()])));
        // If the compared expression is unsigned, so is every comparison.
        let is_unsigned = match compared {
            Some((Kind::Word, name)) => self.unsigned.contains(name),
            _ => true,
        };
        let is_plain_case = self.text[branching.keyword.range()] == *"case";
        let labels = branching.arms.iter().filter(|arm| !arm.is_default).flat_map(|arm| &arm.labels);
        let are_plain = labels.copied().chain([branching.condition]).all(|span| self.is_plain(span));
        (!is_unsigned || !is_plain_case || !are_plain).then_some(Reason::Comparison)
    }

    /// A name, perhaps with a constant select, or a number without wildcards and sign.
    fn is_plain(&self, span: Span) -> bool {
        let text = &self.text[span.range()];
        let parts = tokens(text);
        let is_number = |token: &Token| {
            token.kind == Kind::Number && !token.text(text).contains(['?', 'x', 'X', 'z', 'Z', 's'])
        };
        match parts.as_slice() {
            [only] => matches!(only.kind, Kind::Word | Kind::Directive) || is_number(only),
            [name, open, index, close] => {
                let brackets = (open.text(text), close.text(text)) == ("[", "]");
                name.kind == Kind::Word && brackets && (index.kind == Kind::Word || is_number(index))
            }
            // A concatenation has a width of its own and no sign.
            [open, .., close] if (open.text(text), close.text(text)) == ("{", "}") => {
                let depth = |token: &Token| match token.text(text) {
                    "{" => 1,
                    "}" => -1,
                    _ => 0,
                };
                let mut depths = parts.iter().scan(0, |sum, token| {
                    *sum += depth(token);
                    Some(*sum)
                });
                depths.position(|depth| depth == 0) == Some(parts.len() - 1)
            }
            _ => false,
        }
    }
}

/// Is it an assignment operator, or an increment or decrement?
pub fn is_assignment(word: &str) -> bool {
    matches!(
        word,
        "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | "<<<=" | ">>>=" | "++" | "--"
    )
}

/// The macros that are defined as a number and nothing else.
fn number_macros(text: &str) -> BTreeSet<String> {
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let Some(definition) = line.trim_start().strip_prefix("`define") else { continue };
        let parts = tokens(definition);
        let Some(name) = parts.first() else { continue };
        let is_number = matches!(parts.as_slice(), [_, number] if number.kind == Kind::Number);
        // With two definitions it may be anything.
        found.entry(name.text(definition).to_owned()).and_modify(|known| *known = false).or_insert(is_number);
    }
    found.into_iter().filter(|(_, is_number)| *is_number).map(|(name, _)| format!("`{name}")).collect()
}

/// The names that are declared as vectors of bits, and never as signed.
fn unsigned_names(text: &str, tokens: &[Token]) -> BTreeSet<String> {
    let mut names: BTreeMap<String, bool> = BTreeMap::new();
    let (mut is_declaring, mut is_signed, mut depth) = (false, false, 0_usize);
    for token in tokens {
        match token.text(text) {
            "(" | "[" | "{" if is_declaring => depth += 1,
            ")" | "]" | "}" if depth > 0 => depth -= 1,
            "reg" | "wire" | "logic" | "bit" | "input" | "output" => {
                (is_declaring, is_signed, depth) = (true, false, 0);
            }
            "integer" | "int" | "byte" | "shortint" | "longint" | "time" | "genvar" => {
                (is_declaring, is_signed, depth) = (true, true, 0);
            }
            "signed" => is_signed = true,
            ")" | ";" => is_declaring = false,
            name if is_declaring && depth == 0 && token.kind == Kind::Word => {
                names.entry(name.to_owned()).and_modify(|known| *known &= !is_signed).or_insert(!is_signed);
            }
            _ => {}
        }
    }
    names.into_iter().filter(|(_, is_unsigned)| *is_unsigned).map(|(name, _)| name).collect()
}
