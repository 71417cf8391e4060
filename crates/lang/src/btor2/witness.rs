//! The witness format of BTOR2: which `bad` lines are reached, and by which choices.
//!
//! A witness numbers states and inputs in the order of the file that it belongs to, so it means nothing alone. This file is about
//! its text; [`replay`](super::replay) relates the two.

use super::line::{Word, Words, lines};
use crate::codes::btor2 as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use std::fmt::Write;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// The `bad` lines that are one in the last cycle, counted from zero.
    pub bads: Vec<usize>,
    /// The values given for each cycle.
    pub frames: Vec<Frame>,
}

/// The values given for one cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub states: Vec<Given>,
    pub inputs: Vec<Given>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Which state or input, counted from zero.
    pub number: usize,
    /// The index, if it is an array: binary digits, or `*` for all indices that are not named.
    pub place: Option<String>,
    /// Binary digits; `x` is either.
    pub digits: String,
    /// The name; ignored.
    pub name: Option<String>,
}

/// Where the values of a witness stand, in textual order.
pub type Spans = Vec<Span>;

/// Reads the witnesses of a file, each with the spans of its values.
pub fn read(text: &str) -> Result<Vec<(Witness, Spans)>, Diagnostic> {
    let all: Vec<Words<'_>> = lines(text).collect();
    let mut rest = all.iter().peekable();
    let mut witnesses = Vec::new();
    while let Some(line) = rest.next() {
        match line.words[0].text {
            "sat" => {}
            "unsat" => {
                return refuse(
                    "this says that nothing bad is reached: there is nothing to replay",
                    line.span(),
                );
            }
            _ => return refuse("a witness begins with `sat`", line.span()),
        }
        let mut reading = Reading::default();
        let mut is_complete = false;
        for line in rest.by_ref() {
            if line.words[0].text == "." {
                is_complete = true;
                break;
            }
            reading.line(line)?;
        }
        if !is_complete {
            return refuse("the witness has no end: a line with nothing but `.`", line.span());
        }
        if reading.witness.bads.is_empty() {
            return refuse("the witness does not say what it reaches, such as `b0`", line.span());
        }
        witnesses.push((reading.witness, reading.spans));
    }
    if witnesses.is_empty() { refuse("the file is empty", Span::default()) } else { Ok(witnesses) }
}

fn refuse<T>(message: impl Into<String>, span: Span) -> Result<T, Diagnostic> {
    Err(Diagnostic::error(&codes::WITNESS, message, span))
}

#[derive(Default)]
struct Reading {
    witness: Witness,
    spans: Spans,
    /// Are values those of inputs?
    are_inputs: bool,
}

impl Reading {
    fn line(&mut self, line: &Words<'_>) -> Result<(), Diagnostic> {
        let first = line.words[0];
        match first.text.chars().next() {
            Some('b' | 'j') if self.witness.frames.is_empty() => {
                line.words.iter().try_for_each(|word| self.property(*word))
            }
            Some('#' | '@') => self.frame(first),
            _ => self.given(line),
        }
    }

    fn property(&mut self, word: Word<'_>) -> Result<(), Diagnostic> {
        match word.text.strip_prefix('b').and_then(|digits| digits.parse().ok()) {
            Some(bad) => {
                self.witness.bads.push(bad);
                Ok(())
            }
            None => refuse(format!("`{}` is no `bad` line, such as `b0`", word.text), word.span),
        }
    }

    /// `#0`, `@0`, `@1`, …: one cycle after the other, states in front of inputs.
    fn frame(&mut self, word: Word<'_>) -> Result<(), Diagnostic> {
        let is_input = word.text.starts_with('@');
        let expected = self.witness.frames.len();
        let number: Option<usize> = word.text[1..].parse().ok();
        let is_same = is_input && !self.are_inputs && expected > 0 && number == Some(expected - 1);
        if !is_same && number != Some(expected) {
            return refuse(format!("cycle {expected} is expected here, found `{}`", word.text), word.span);
        }
        if !is_same {
            self.witness.frames.push(Frame::default());
        }
        self.are_inputs = is_input;
        Ok(())
    }

    fn given(&mut self, line: &Words<'_>) -> Result<(), Diagnostic> {
        let mut words = line.words.iter();
        let number = words.next().and_then(|word| word.text.parse().ok());
        let (place, digits) = match words.next().map(|word| word.text) {
            Some(place) if place.starts_with('[') => {
                let inside = place.strip_prefix('[').and_then(|place| place.strip_suffix(']'));
                (inside, words.next().map(|word| word.text))
            }
            digits => (None, digits),
        };
        let is_binary =
            |digits: &&str| !digits.is_empty() && digits.chars().all(|digit| "01xX".contains(digit));
        let name = words.next().map(|word| word.text.to_string());
        let (Some(number), Some(digits), None) = (number, digits.filter(is_binary), words.next()) else {
            return refuse(format!("line {} is no value, such as `0 0101 name`", line.number), line.span());
        };
        let Some(frame) = self.witness.frames.last_mut() else {
            return refuse("a cycle has to begin first, with `#0` or `@0`", line.span());
        };
        let list = if self.are_inputs { &mut frame.inputs } else { &mut frame.states };
        list.push(Given { number, place: place.map(str::to_string), digits: digits.to_string(), name });
        self.spans.push(line.span());
        Ok(())
    }
}

pub fn print(witness: &Witness) -> String {
    let bads: Vec<String> = witness.bads.iter().map(|bad| format!("b{bad}")).collect();
    let mut text = format!("sat\n{}\n", bads.join(" "));
    // Writing to a string does not fail.
    for (number, frame) in witness.frames.iter().enumerate() {
        if number == 0 || !frame.states.is_empty() {
            let _ = writeln!(text, "#{number}");
            frame.states.iter().for_each(|given| text.push_str(&line(given)));
        }
        let _ = writeln!(text, "@{number}");
        frame.inputs.iter().for_each(|given| text.push_str(&line(given)));
    }
    text + ".\n"
}

fn line(given: &Given) -> String {
    let place = given.place.as_ref().map_or_else(String::new, |place| format!(" [{place}]"));
    let name = given.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    format!("{}{place} {}{name}\n", given.number, given.digits)
}
