//! A document as text.
//!
//! Printing a parsed document gives the same file, except for white space, leading zeros of numbers and lines that hold
//! only a comment.

use super::document::{Assignment, Constant, Document, Item, Line, Node, Notation, Operand, Sort};
use super::op::Op;
use num_bigint::BigUint;
use num_traits::One;
use std::fmt::Write;

pub fn print(document: &Document) -> String {
    let mut text = String::new();
    for line in &document.lines {
        let body = item(document, &line.item);
        // Writing to a string does not fail.
        let _ = write!(text, "{} {body}", line.id);
        text.push_str(&ending(line));
    }
    text
}

fn ending(line: &Line) -> String {
    let name = line.symbol.as_ref().map_or_else(String::new, |name| format!(" {name}"));
    let comment = line.comment.as_ref().map_or_else(String::new, |comment| format!(" ; {comment}"));
    format!("{name}{}\n", comment.trim_end())
}

fn item(document: &Document, item: &Item) -> String {
    let id = |position: usize| document.lines[position].id;
    let assigned = |word: &str, of: &Assignment| {
        format!("{word} {} {} {}", id(of.sort_line), id(of.state), operand(document, of.value))
    };
    match item {
        Item::Sort(Sort::Bits(width), _) => format!("sort bitvec {width}"),
        Item::Sort(Sort::Array { .. }, parts) => {
            let (index, element) = parts.expect("invariant: an array has the sorts of its parts");
            format!("sort array {} {}", id(index), id(element))
        }
        Item::Node(of) => node(document, of),
        Item::Init(of) => assigned("init", of),
        Item::Next(of) => assigned("next", of),
        Item::Bad(of) => format!("bad {}", operand(document, *of)),
        Item::Constraint(of) => format!("constraint {}", operand(document, *of)),
        Item::Output(of) => format!("output {}", operand(document, *of)),
    }
}

fn operand(document: &Document, operand: Operand) -> String {
    let sign = if operand.negated { "-" } else { "" };
    format!("{sign}{}", document.lines[operand.line].id)
}

fn node(document: &Document, node: &Node) -> String {
    let (word, numbers) = match &node.op {
        Op::Input => ("input", String::new()),
        Op::State => ("state", String::new()),
        Op::Constant(constant) => written(constant, node.sort),
        Op::Slice(hi, lo) => ("slice", format!(" {hi} {lo}")),
        Op::Uext(by) => ("uext", format!(" {by}")),
        Op::Sext(by) => ("sext", format!(" {by}")),
        Op::Plain(plain) => (plain.word(), String::new()),
    };
    let args: String = node.args.iter().map(|&arg| format!(" {}", operand(document, arg))).collect();
    format!("{word} {}{args}{numbers}", document.lines[node.sort_line].id)
}

fn written(constant: &Constant, sort: Sort) -> (&'static str, String) {
    let Sort::Bits(width) = sort else { panic!("invariant: constants are bit-vectors") };
    let value = &constant.value;
    match constant.notation {
        Notation::Zero => ("zero", String::new()),
        Notation::One => ("one", String::new()),
        Notation::Ones => ("ones", String::new()),
        Notation::Binary => ("const", format!(" {}", binary(value, width))),
        Notation::Hexadecimal => ("consth", format!(" {value:x}")),
        Notation::Decimal { negative: false } => ("constd", format!(" {value}")),
        Notation::Decimal { negative: true } => {
            let modulus = BigUint::one() << width;
            ("constd", format!(" -{}", (&modulus - value) % &modulus))
        }
    }
}

/// Binary digits, one for each bit.
pub(super) fn binary(value: &BigUint, width: u32) -> String {
    format!("{:0>1$}", value.to_str_radix(2), width as usize)
}
