//! From words to a document: numbers, references and sorts are checked.
//!
//! A line with an error is remembered as broken, and lines that refer to it are skipped silently. So one pass finds all errors
//! and reports no consequences of others.

use super::document::{
    Assignment, Constant, Document, Item, Line, Node, Notation, Operand, Place, Position, Sort,
};
use super::initial;
use super::line::{Word, Words, lines};
use super::op::{MAX_WIDTH, Op, Plain};
use crate::codes::btor2 as codes;
use crate::diagnostic::{Diagnostic, Explanation};
use crate::span::Span;
use crate::suggest::closest;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::collections::HashMap;

/// More errors than this are not reported: the file is rejected anyway.
const MAX_PROBLEMS: usize = 20;

/// Keywords that are not operators.
const OTHER_WORDS: &[&str] = &[
    "sort",
    "input",
    "state",
    "init",
    "next",
    "bad",
    "constraint",
    "output",
    "fair",
    "justice",
    "const",
    "constd",
    "consth",
    "zero",
    "one",
    "ones",
    "slice",
    "uext",
    "sext",
];

/// Parses a file; gives warnings or errors with it.
pub fn parse(text: &str) -> Result<(Document, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut parser = Parser::default();
    for words in lines(text) {
        let number = words.words[0].text.parse().unwrap_or(0);
        parser.places.entry(number).or_insert_with(|| words.span());
    }
    for words in lines(text) {
        if parser.problems.len() >= MAX_PROBLEMS {
            break;
        }
        parser.line(&words);
    }
    if parser.problems.is_empty() {
        parser.problems = initial::check(&parser.document);
    }
    if !parser.problems.is_empty() {
        return Err(parser.problems);
    }
    let has_bad = parser.document.bads().next().is_some();
    let nothing = || Diagnostic {
        severity: crate::diagnostic::Severity::Warning,
        ..Diagnostic::global(&codes::NO_BAD, "there is no `bad` line, so there is nothing to show")
    };
    let warnings = if has_bad { Vec::new() } else { vec![nothing()] };
    Ok((parser.document, warnings))
}

/// Why a line is rejected; `None` if that has been reported.
type Refused = Option<Diagnostic>;

fn refuse<T>(code: &'static Explanation, message: impl Into<String>, span: Span) -> Result<T, Refused> {
    Err(Some(Diagnostic::error(code, message, span)))
}

/// The meaning of a line number.
#[derive(Clone, Copy)]
enum Entry {
    Line(Position),
    Broken,
}

#[derive(Default)]
struct Parser {
    document: Document,
    entries: HashMap<u64, Entry>,
    /// Where each number of the file is first defined, to tell a forward reference from an undefined one.
    places: HashMap<u64, Span>,
    /// Which states have an `init`, which a `next`, and where.
    given: HashMap<(Position, bool), Span>,
    problems: Vec<Diagnostic>,
}

/// The words of a line that are not parsed yet.
struct Rest<'w, 's> {
    line: &'w Words<'s>,
    read: usize,
}

impl<'s> Rest<'_, 's> {
    fn peek(&self) -> Option<Word<'s>> {
        self.line.words.get(self.read).copied()
    }

    fn take(&mut self, what: &str) -> Result<Word<'s>, Refused> {
        let Some(word) = self.peek() else {
            let message = format!("line {} ends where {what} is expected", self.line.number);
            return refuse(&codes::SYNTAX, message, self.line.span());
        };
        self.read += 1;
        Ok(word)
    }

    fn number(&mut self, what: &str) -> Result<u32, Refused> {
        let word = self.take(what)?;
        match word.text.parse() {
            Ok(number) => Ok(number),
            Err(_) if is_digits(word.text) => {
                refuse(&codes::OUT_OF_RANGE, format!("{what} is too large"), word.span)
            }
            Err(_) => {
                refuse(&codes::SYNTAX, format!("{what} is expected here, found `{}`", word.text), word.span)
            }
        }
    }
}

impl Parser {
    fn line(&mut self, words: &Words<'_>) {
        let first = words.words[0];
        let id: Option<u64> = first.text.parse().ok().filter(|&id| id > 0);
        let Some(id) = id else {
            let message = format!("line {} does not begin with a number above zero", words.number);
            self.problems.push(Diagnostic::error(&codes::SYNTAX, message, first.span));
            return;
        };
        if let Some(&entry) = self.entries.get(&id) {
            let problem =
                Diagnostic::error(&codes::TWICE, format!("the number {id} is given twice"), first.span);
            self.problems.push(match entry {
                Entry::Line(known) => {
                    problem.also(self.document.lines[known].place.span, "it is that of this line")
                }
                Entry::Broken => problem,
            });
            return;
        }
        let entry = match self.item(&mut Rest { line: words, read: 1 }) {
            Ok((item, symbol)) => {
                let place = Place { number: words.number, span: words.span() };
                let comment = words.comment.map(str::to_string);
                self.document.lines.push(Line { id, item, symbol, comment, place });
                Entry::Line(self.document.lines.len() - 1)
            }
            Err(problem) => {
                self.problems.extend(problem);
                Entry::Broken
            }
        };
        self.entries.insert(id, entry);
    }

    fn item(&mut self, rest: &mut Rest<'_, '_>) -> Result<(Item, Option<String>), Refused> {
        let word = rest.take("its word")?;
        let item = match word.text {
            "sort" => self.sort(rest)?,
            "init" | "next" => self.assignment(rest, word)?,
            "bad" => Item::Bad(self.bit(rest)?),
            "constraint" => Item::Constraint(self.bit(rest)?),
            "output" => Item::Output(self.operand(rest)?),
            "fair" | "justice" => {
                let message =
                    format!("`{}` is not supported: Tenet answers what can never happen", word.text);
                return refuse(&codes::UNSUPPORTED, message, word.span);
            }
            _ => Item::Node(self.node(rest, word)?),
        };
        let symbol = rest.peek().map(|word| word.text.to_string());
        rest.read += usize::from(symbol.is_some());
        match rest.peek() {
            None => Ok((item, symbol)),
            Some(surplus) => {
                let message = format!("line {} goes on after all operands and a name", rest.line.number);
                refuse(&codes::SYNTAX, message, surplus.span)
            }
        }
    }

    fn sort(&mut self, rest: &mut Rest<'_, '_>) -> Result<Item, Refused> {
        let kind = rest.take("`bitvec` or `array`")?;
        match kind.text {
            "bitvec" => {
                let word = rest.peek();
                let width = rest.number("a number of bits")?;
                if !(1..=MAX_WIDTH).contains(&width) {
                    let message = format!("a bit-vector has between 1 and {MAX_WIDTH} bits");
                    return refuse(&codes::OUT_OF_RANGE, message, word.map_or(kind.span, |word| word.span));
                }
                Ok(Item::Sort(Sort::Bits(width), None))
            }
            "array" => {
                let (index_line, index) = self.width(rest)?;
                let (element_line, element) = self.width(rest)?;
                Ok(Item::Sort(Sort::Array { index, element }, Some((index_line, element_line))))
            }
            other => {
                refuse(&codes::SYNTAX, format!("a sort is `bitvec` or `array`, found `{other}`"), kind.span)
            }
        }
    }

    /// The sort of indices or elements.
    fn width(&mut self, rest: &mut Rest<'_, '_>) -> Result<(Position, u32), Refused> {
        let word = rest.peek();
        match self.sort_operand(rest)? {
            (position, Sort::Bits(width)) => Ok((position, width)),
            _ => refuse(
                &codes::UNSUPPORTED,
                "indices and elements of arrays have to be bit-vectors",
                word.map_or_else(|| rest.line.span(), |word| word.span),
            ),
        }
    }

    fn sort_operand(&mut self, rest: &mut Rest<'_, '_>) -> Result<(Position, Sort), Refused> {
        let word = rest.take("the number of a sort")?;
        let position = self.resolve(word, word.text)?;
        match self.document.lines[position].item {
            Item::Sort(sort, _) => Ok((position, sort)),
            _ => refuse(&codes::REFERENCE, format!("number {} is not a sort", word.text), word.span),
        }
    }

    fn resolve(&self, word: Word<'_>, digits: &str) -> Result<Position, Refused> {
        let id: Option<u64> = digits.parse().ok().filter(|&id| id > 0);
        match id.map(|id| (id, self.entries.get(&id))) {
            Some((_, Some(Entry::Line(position)))) => Ok(*position),
            Some((_, Some(Entry::Broken))) => Err(None),
            Some((id, None)) => {
                let problem = Diagnostic::error(
                    &codes::REFERENCE,
                    format!("no line above has the number {id}"),
                    word.span,
                );
                Err(Some(match self.places.get(&id) {
                    Some(&below) => problem.also(below, "this one has it"),
                    None => problem,
                }))
            }
            None => refuse(
                &codes::SYNTAX,
                format!("the number of a line is expected here, found `{}`", word.text),
                word.span,
            ),
        }
    }

    fn operand(&mut self, rest: &mut Rest<'_, '_>) -> Result<Operand, Refused> {
        let word = rest.take("the number of an operand")?;
        let (digits, negated) =
            word.text.strip_prefix('-').map_or((word.text, false), |digits| (digits, true));
        let line = self.resolve(word, digits)?;
        let Item::Node(node) = &self.document.lines[line].item else {
            return refuse(&codes::REFERENCE, format!("number {digits} has no value"), word.span);
        };
        if negated && !matches!(node.sort, Sort::Bits(_)) {
            return refuse(&codes::WRONG_SORT, "an array has no complement", word.span);
        }
        Ok(Operand { line, negated })
    }

    fn bit(&mut self, rest: &mut Rest<'_, '_>) -> Result<Operand, Refused> {
        let word = rest.peek();
        let operand = self.operand(rest)?;
        match self.document.sort(operand) {
            Sort::Bits(1) => Ok(operand),
            other => {
                let span = word.map_or_else(|| rest.line.span(), |word| word.span);
                let message = format!("this has to be one bit wide, not {}", other.describe());
                refuse(&codes::WRONG_SORT, message, span)
            }
        }
    }

    fn assignment(&mut self, rest: &mut Rest<'_, '_>, word: Word<'_>) -> Result<Item, Refused> {
        let is_init = word.text == "init";
        let (sort_line, sort) = self.sort_operand(rest)?;
        let state_word = rest.take("the number of a state")?;
        let state = self.resolve(state_word, state_word.text)?;
        let known = match &self.document.lines[state].item {
            Item::Node(Node { op: Op::State, sort, .. }) => *sort,
            _ => {
                return refuse(
                    &codes::REFERENCE,
                    format!("number {} is not a state", state_word.text),
                    state_word.span,
                );
            }
        };
        let value = self.operand(rest)?;
        if known != sort {
            let message = format!("the state is {}, not {}", known.describe(), sort.describe());
            return refuse(&codes::WRONG_SORT, message, state_word.span);
        }
        let found = self.document.sort(value);
        // A single element may initialise a whole array.
        let fits = found == known
            || (is_init && matches!(known, Sort::Array { element, .. } if found == Sort::Bits(element)));
        if !fits {
            let message = format!("the value is {}, but the state {}", found.describe(), known.describe());
            return refuse(&codes::WRONG_SORT, message, rest.line.span());
        }
        if let Some(&other) = self.given.get(&(state, is_init)) {
            let message = format!("`{}` is given twice for the state {}", word.text, state_word.text);
            let problem = Diagnostic::error(&codes::TWICE, message, rest.line.span());
            return Err(Some(problem.also(other, "here")));
        }
        self.given.insert((state, is_init), rest.line.span());
        let assignment = Assignment { sort_line, state, value };
        Ok(if is_init { Item::Init(assignment) } else { Item::Next(assignment) })
    }

    fn node(&mut self, rest: &mut Rest<'_, '_>, word: Word<'_>) -> Result<Node, Refused> {
        let plain = Plain::ALL.iter().copied().find(|plain| plain.word() == word.text);
        if plain.is_none() && !OTHER_WORDS.contains(&word.text) {
            return Err(Some(unknown(word)));
        }
        let (sort_line, sort) = self.sort_operand(rest)?;
        let (op, args, found) = match plain {
            Some(plain) => {
                let args: Result<Vec<Operand>, Refused> =
                    (0..plain.rule().arity()).map(|_| self.operand(rest)).collect();
                let args = args?;
                let sorts: Vec<Sort> = args.iter().map(|&arg| self.document.sort(arg)).collect();
                match plain.rule().result(&sorts) {
                    Ok(found) => (Op::Plain(plain), args, found),
                    Err(why) => {
                        return refuse(
                            &codes::WRONG_SORT,
                            format!("`{}`: {why}", word.text),
                            rest.line.span(),
                        );
                    }
                }
            }
            None => self.indexed_or_leaf(rest, word, sort)?,
        };
        if found != sort {
            let message = format!("`{}` gives {}, not {}", word.text, found.describe(), sort.describe());
            return refuse(&codes::WRONG_SORT, message, rest.line.span());
        }
        Ok(Node { sort, sort_line, op, args })
    }

    /// An operator with parameters, a constant, an input or a state: with its operands and its sort.
    fn indexed_or_leaf(
        &mut self,
        rest: &mut Rest<'_, '_>,
        word: Word<'_>,
        sort: Sort,
    ) -> Result<(Op, Vec<Operand>, Sort), Refused> {
        match word.text {
            "input" => Ok((Op::Input, Vec::new(), sort)),
            "state" => Ok((Op::State, Vec::new(), sort)),
            "slice" | "uext" | "sext" => self.indexed(rest, word),
            _ => Ok((Op::Constant(constant(rest, word, sort)?), Vec::new(), sort)),
        }
    }

    fn indexed(
        &mut self,
        rest: &mut Rest<'_, '_>,
        word: Word<'_>,
    ) -> Result<(Op, Vec<Operand>, Sort), Refused> {
        let arg = self.operand(rest)?;
        let Sort::Bits(width) = self.document.sort(arg) else {
            let message = format!("`{}`: the operand has to be a bit-vector", word.text);
            return refuse(&codes::WRONG_SORT, message, rest.line.span());
        };
        if word.text == "slice" {
            let (hi, lo) = (rest.number("the upper bit")?, rest.number("the lower bit")?);
            if hi >= width || lo > hi {
                let message =
                    format!("of {}, there are no bits from {hi} down to {lo}", Sort::Bits(width).describe());
                return refuse(&codes::OUT_OF_RANGE, message, rest.line.span());
            }
            return Ok((Op::Slice(hi, lo), vec![arg], Sort::Bits(hi - lo + 1)));
        }
        let by = rest.number("a number of bits")?;
        let wide = width.checked_add(by).filter(|&wide| wide <= MAX_WIDTH);
        let Some(wide) = wide else {
            let message = format!("the result has more than {MAX_WIDTH} bits");
            return refuse(&codes::OUT_OF_RANGE, message, rest.line.span());
        };
        let op = if word.text == "uext" { Op::Uext(by) } else { Op::Sext(by) };
        Ok((op, vec![arg], Sort::Bits(wide)))
    }
}

fn constant(rest: &mut Rest<'_, '_>, word: Word<'_>, sort: Sort) -> Result<Constant, Refused> {
    let Sort::Bits(width) = sort else {
        return refuse(&codes::WRONG_SORT, "a constant has to be a bit-vector", rest.line.span());
    };
    let all = (BigUint::one() << width) - 1u32;
    match word.text {
        "zero" => return Ok(Constant { value: BigUint::zero(), notation: Notation::Zero }),
        "one" => return Ok(Constant { value: BigUint::one(), notation: Notation::One }),
        "ones" => return Ok(Constant { value: all, notation: Notation::Ones }),
        _ => {}
    }
    let written = rest.take("a constant")?;
    let read = match word.text {
        "const" => binary(written.text, width),
        "constd" => decimal(written.text, width),
        _ => hexadecimal(written.text, width),
    };
    match read {
        Some((value, notation)) => Ok(Constant { value, notation }),
        None => {
            let what = match word.text {
                "const" => "binary digits, one for each bit",
                "constd" => "a decimal number that fits",
                _ => "a hexadecimal number that fits",
            };
            let message = format!("for {}, `{}` is to be {what}", sort.describe(), word.text);
            refuse(&codes::CONSTANT, message, written.span)
        }
    }
}

fn binary(text: &str, width: u32) -> Option<(BigUint, Notation)> {
    let is_binary = text.len() == width as usize && text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
    let value = BigUint::parse_bytes(text.as_bytes(), 2).filter(|_| is_binary)?;
    Some((value, Notation::Binary))
}

fn decimal(text: &str, width: u32) -> Option<(BigUint, Notation)> {
    let (digits, negative) = text.strip_prefix('-').map_or((text, false), |digits| (digits, true));
    // A number of that width has no more decimal digits than bits.
    if !is_digits(digits) || digits.trim_start_matches('0').len() > width as usize {
        return None;
    }
    let size = BigUint::parse_bytes(digits.as_bytes(), 10)?;
    let modulus = BigUint::one() << width;
    let notation = Notation::Decimal { negative };
    match negative {
        false => (size < modulus).then_some((size, notation)),
        true if size > BigUint::one() << (width - 1) => None,
        true => Some(((&modulus - size) % modulus, notation)),
    }
}

fn hexadecimal(text: &str, width: u32) -> Option<(BigUint, Notation)> {
    let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex || text.trim_start_matches('0').len() > width as usize {
        return None;
    }
    let value = BigUint::parse_bytes(text.as_bytes(), 16)?;
    (value.bits() <= u64::from(width)).then_some((value, Notation::Hexadecimal))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn unknown(word: Word<'_>) -> Diagnostic {
    let problem =
        Diagnostic::error(&codes::UNKNOWN_OPERATOR, format!("BTOR2 has no word `{}`", word.text), word.span);
    let words = Plain::ALL.iter().map(|plain| plain.word()).chain(OTHER_WORDS.iter().copied());
    match closest(word.text, words) {
        Some(close) => problem.help(format!("did you mean `{close}`?")),
        None => problem,
    }
}
