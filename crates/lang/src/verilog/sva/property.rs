//! Concurrent properties as trees: the part of SystemVerilog's property language that is lowered (IEEE 1800, clause 16).
//!
//! A sequence consists of expressions, constant delays, repetitions and alternatives; a property of sequences, implications and
//! `not`. Everything else is refused, liveness with its own code: a property that only an infinite run can break.

use super::words::{Word, closing, joined};

/// Delays and repetitions are unrolled, so they are bounded.
pub const MAX_DELAY: u32 = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// An expression.
    Now(String),
    /// `first ##[low:high] then`; without an upper bound for `$`.
    Delay { first: Option<Box<Sequence>>, low: u32, high: Option<u32>, then: Box<Sequence> },
    /// `sequence[*low:high]`, at least once.
    Repeat { part: Box<Sequence>, low: u32, high: u32 },
    /// `one or other`
    Or(Box<Sequence>, Box<Sequence>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Property {
    /// It has to match.
    Match(Sequence),
    /// `if_matched |-> then`, or `|=>`, which starts one cycle later.
    Implies { if_matched: Sequence, is_next: bool, then: Box<Property> },
    /// It must not match.
    Not(Sequence),
}

/// A property with its clock and what disables it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The event, without `@`.
    pub clock: Option<String>,
    pub disable: Option<String>,
    pub property: Property,
}

/// Why a property is not lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is liveness.
    Liveness(String),
    /// It is not supported, or no property.
    Unsupported(String),
}

type Parsed<T> = Result<T, Refusal>;

fn unsupported<T>(why: impl Into<String>) -> Parsed<T> {
    Err(Refusal::Unsupported(why.into()))
}

/// Operators that only properties and sequences have.
const OPERATORS: &[&str] = &[
    "|->",
    "|=>",
    "##",
    "and",
    "or",
    "not",
    "throughout",
    "within",
    "intersect",
    "implies",
    "iff",
    "until",
    "until_with",
    "#-#",
    "#=#",
    "@",
];

/// Words that begin what is refused.
const REFUSED: &[&str] = &[
    "first_match",
    "nexttime",
    "always",
    "accept_on",
    "reject_on",
    "sync_accept_on",
    "sync_reject_on",
    "if",
    "case",
    "weak",
];

/// Words of liveness.
const LIVENESS: &[&str] =
    &["s_eventually", "eventually", "s_until", "s_until_with", "s_always", "s_nexttime", "strong"];

/// Does a text need the language of properties?
pub fn is_temporal(words: &[Word]) -> bool {
    let is_known = |word: &str| [OPERATORS, REFUSED, LIVENESS].iter().any(|known| known.contains(&word));
    let is_repeated = words.windows(2).any(|pair| {
        pair[0].text == "[" && matches!(pair[1].text.as_str(), "*" | "+" | "->" | "=" | "*]" | "**")
    });
    is_repeated || words.iter().any(|word| is_known(&word.text) || word.text == "disable")
}

/// The length of a property in words: parsing is recursive.
const MAX_WORDS: usize = 2000;

/// Parses what is between the brackets of `assert property (…)`.
pub fn parse(words: &[Word]) -> Parsed<Spec> {
    if words.len() > MAX_WORDS {
        return unsupported(format!("it has more than {MAX_WORDS} words"));
    }
    let (clock, rest) = clock(words)?;
    let (disable, rest) = disable(rest)?;
    // They may come with a named property, inside.
    let begins = |inside: &&[Word]| {
        let first = inside.iter().find(|word| word.text != "(");
        first.is_some_and(|word| matches!(word.text.as_str(), "@" | "disable"))
    };
    if let Some(inside) = inside(rest).filter(begins) {
        let inner = parse(inside)?;
        return match (clock, disable, inner) {
            (Some(_), _, Spec { clock: Some(_), .. }) => unsupported("a clock within a clocked property"),
            (_, Some(_), Spec { disable: Some(_), .. }) => unsupported("`disable iff` within `disable iff`"),
            (clock, disable, inner) => Ok(Spec {
                clock: clock.or(inner.clock),
                disable: disable.or(inner.disable),
                property: inner.property,
            }),
        };
    }
    Ok(Spec { clock, disable, property: property(rest)? })
}

/// What is between brackets that enclose everything.
fn inside(words: &[Word]) -> Option<&[Word]> {
    let is_whole = words.first()?.text == "(" && closing(words, 0) == Some(words.len() - 1);
    is_whole.then(|| &words[1..words.len() - 1])
}

/// `@(event)` or `@name` at the beginning.
pub fn clock(words: &[Word]) -> Parsed<(Option<String>, &[Word])> {
    if words.first().is_none_or(|word| word.text != "@") {
        return Ok((None, words));
    }
    let Some(second) = words.get(1) else { return unsupported("`@` without an event") };
    if second.text != "(" {
        return Ok((Some(second.text.clone()), &words[2..]));
    }
    let Some(end) = closing(words, 1) else { return unsupported("brackets that do not close") };
    let event = &words[2..end];
    if event.iter().any(|word| matches!(word.text.as_str(), "iff" | "or" | ",")) {
        return unsupported("an event with `iff` or of several signals");
    }
    Ok((Some(joined(event)), &words[end + 1..]))
}

/// `disable iff (condition)` at the beginning.
pub fn disable(words: &[Word]) -> Parsed<(Option<String>, &[Word])> {
    match words {
        [one, two, open, ..] if one.text == "disable" && two.text == "iff" && open.text == "(" => {
            let Some(end) = closing(words, 2) else { return unsupported("brackets that do not close") };
            Ok((Some(joined(&words[3..end])), &words[end + 1..]))
        }
        [one, ..] if one.text == "disable" => unsupported("`disable` without `iff (…)`"),
        _ => Ok((None, words)),
    }
}

/// Positions outside all brackets at which there is one of these words.
fn split_at(words: &[Word], wanted: &[&str]) -> Option<usize> {
    let mut depth = 0_usize;
    for (position, word) in words.iter().enumerate() {
        match word.text.as_str() {
            "(" | "[" | "{" | "'{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            text if depth == 0 && wanted.contains(&text) => return Some(position),
            _ => {}
        }
    }
    None
}

fn property(words: &[Word]) -> Parsed<Property> {
    for word in words {
        let text = word.text.as_str();
        if LIVENESS.contains(&text) {
            return Err(Refusal::Liveness(text.to_owned()));
        }
        if REFUSED.contains(&text) || matches!(text, "@" | "disable") {
            return unsupported(format!("`{text}` within a property"));
        }
    }
    // The implication binds least, and to the right.
    if let Some(at) = split_at(words, &["|->", "|=>"]) {
        let if_matched = sequence(&words[..at])?;
        let then = Box::new(property(&words[at + 1..])?);
        return Ok(Property::Implies { if_matched, is_next: words[at].text == "|=>", then });
    }
    if let Some(at) = split_at(words, &["implies", "iff", "until", "until_with", "#-#", "#=#"]) {
        return unsupported(format!("`{}`", words[at].text));
    }
    if words.first().is_some_and(|word| word.text == "not") {
        return Ok(Property::Not(sequence(&words[1..])?));
    }
    match inside(words).filter(|inside| is_temporal(inside)) {
        Some(inside) => property(inside),
        None => Ok(Property::Match(sequence(words)?)),
    }
}

fn sequence(words: &[Word]) -> Parsed<Sequence> {
    if words.is_empty() {
        return unsupported("an empty sequence");
    }
    if let Some(at) = split_at(words, &["and", "intersect", "within", "throughout", "not", "implies", "iff"])
    {
        return unsupported(format!("`{}` between sequences", words[at].text));
    }
    if let Some(at) = split_at(words, &["or"]) {
        let (one, other) = (sequence(&words[..at])?, sequence(&words[at + 1..])?);
        return Ok(Sequence::Or(Box::new(one), Box::new(other)));
    }
    // Delays bind to the left; the last one is the outermost.
    let mut last = None;
    let mut from = 0;
    while let Some(at) = split_at(&words[from..], &["##"]) {
        last = Some(from + at);
        from += at + 1;
    }
    let Some(at) = last else { return repeated(words) };
    let first = if at == 0 { None } else { Some(Box::new(sequence(&words[..at])?)) };
    let (low, high, rest) = delay(&words[at + 1..])?;
    Ok(Sequence::Delay { first, low, high, then: Box::new(repeated(rest)?) })
}

/// `2`, `(2)` or `[1:3]` after `##`, and what follows.
fn delay(words: &[Word]) -> Parsed<(u32, Option<u32>, &[Word])> {
    match words {
        [number, rest @ ..] if number.kind == super::super::lexer::Kind::Number => {
            let number = constant(std::slice::from_ref(number))?;
            Ok((number, Some(number), rest))
        }
        [open, ..] if matches!(open.text.as_str(), "(" | "[") => {
            let Some(end) = closing(words, 0) else { return unsupported("brackets that do not close") };
            let (inside, rest) = (&words[1..end], &words[end + 1..]);
            match (open.text.as_str(), inside) {
                ("(", inside) => {
                    let number = constant(inside)?;
                    Ok((number, Some(number), rest))
                }
                (_, [star]) if star.text == "*" => Ok((0, None, rest)),
                (_, [plus]) if plus.text == "+" => Ok((1, None, rest)),
                _ => {
                    let (low, high) = range(inside)?;
                    Ok((low, high, rest))
                }
            }
        }
        [name, ..] => unsupported(format!("the delay `{}`: it has to be a number", name.text)),
        [] => unsupported("`##` without a delay"),
    }
}

/// `low:high`, `low:$` or one number.
fn range(words: &[Word]) -> Parsed<(u32, Option<u32>)> {
    let Some(colon) = words.iter().position(|word| word.text == ":") else {
        let number = constant(words)?;
        return Ok((number, Some(number)));
    };
    let low = constant(&words[..colon])?;
    let high = match &words[colon + 1..] {
        [word] if word.text == "$" => None,
        words => Some(constant(words)?),
    };
    if high.is_some_and(|high| high < low) { unsupported("an empty range") } else { Ok((low, high)) }
}

fn constant(words: &[Word]) -> Parsed<u32> {
    let words = inside(words).unwrap_or(words);
    let [word] = words else {
        return unsupported(format!("the delay or count `{}`: it has to be a number", joined(words)));
    };
    match word.text.replace('_', "").parse::<u32>() {
        Ok(number) if number <= MAX_DELAY => Ok(number),
        Ok(number) => unsupported(format!("a delay or count of {number}: at most {MAX_DELAY}")),
        Err(_) => unsupported(format!("the delay or count `{}`: it has to be a number", word.text)),
    }
}

/// An expression or a sequence in brackets, perhaps with `[*n]`.
fn repeated(words: &[Word]) -> Parsed<Sequence> {
    let is_count = |position: &usize| {
        words[*position].text == "["
            && words
                .get(position + 1)
                .is_some_and(|next| matches!(next.text.as_str(), "*" | "+" | "->" | "=" | "*]"))
    };
    let Some(open) =
        (0..words.len()).filter(is_count).find(|&open| closing(words, open) == Some(words.len() - 1))
    else {
        return simple(words);
    };
    let count = &words[open + 1..words.len() - 1];
    if count[0].text != "*" || count.len() == 1 {
        return unsupported(format!("the repetition `[{}]`", joined(count)));
    }
    let (low, Some(high)) = range(&count[1..])? else { return unsupported("a repetition without an end") };
    if low == 0 {
        return unsupported("a repetition that may be empty");
    }
    Ok(Sequence::Repeat { part: Box::new(simple(&words[..open])?), low, high })
}

fn simple(words: &[Word]) -> Parsed<Sequence> {
    if let Some(inside) = inside(words).filter(|inside| is_temporal(inside)) {
        return sequence(inside);
    }
    if words.is_empty() {
        return unsupported("an empty sequence");
    }
    if is_temporal(words) {
        return unsupported(format!("`{}`", joined(words)));
    }
    if split_at(words, &[","]).is_some() {
        return unsupported("assignments in a sequence");
    }
    if inside(words).is_some_and(|inside| split_at(inside, &[","]).is_some()) {
        return unsupported("assignments in a sequence");
    }
    Ok(Sequence::Now(joined(words)))
}
