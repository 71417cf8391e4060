//! A BTOR2 file as a typed list of lines.
//!
//! Lines refer to lines above them by position, so one pass in order has seen all operands, and nothing needs
//! recursion. Numbers, names, notations and comments are kept: printing gives the same file again.

use super::op::Op;
use crate::span::Span;
use num_bigint::BigUint;

/// A whole file without errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// In the order of the file.
    pub lines: Vec<Line>,
}

/// The position of a line in [`Document::lines`].
pub type Position = usize;

/// A line that is not blank or a mere comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The number it is referred to by.
    pub id: u64,
    pub item: Item,
    pub symbol: Option<String>,
    /// The text after `;`.
    pub comment: Option<String>,
    pub place: Place,
}

/// Where a line stands. Two places always compare equal, so that a document that was printed and parsed again is equal
/// to the original.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// Counted from one.
    pub number: usize,
    /// Without the white space around it.
    pub span: Span,
}

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Eq for Place {}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// `sort bitvec` or `sort array`; for the latter with the lines of its parts.
    Sort(Sort, Option<(Position, Position)>),
    Node(Node),
    /// `init`: the first value of a state.
    Init(Assignment),
    /// `next`: the value of a state in the next cycle.
    Next(Assignment),
    /// `bad`: must never be one.
    Bad(Operand),
    /// `constraint`: is always one.
    Constraint(Operand),
    /// `output`: an observed value.
    Output(Operand),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub sort: Sort,
    /// The line that gives the sort.
    pub sort_line: Position,
    /// How it is computed.
    pub op: Op,
    pub args: Vec<Operand>,
}

/// `init` or `next`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    pub sort_line: Position,
    pub state: Position,
    pub value: Operand,
}

/// A reference to a line above, possibly negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    pub line: Position,
    /// Are its bits negated?
    pub negated: bool,
}

/// What kind of value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// A bit-vector of this width.
    Bits(u32),
    /// An array with indices and elements of these widths.
    Array { index: u32, element: u32 },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notation {
    Binary,
    /// `constd`, with a minus sign or without.
    Decimal {
        negative: bool,
    },
    Hexadecimal,
    Zero,
    One,
    Ones,
}

/// A constant: its bits, and how they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Less than two to the power of the width.
    pub value: BigUint,
    pub notation: Notation,
}

impl Document {
    /// The node at a position, which must be one.
    pub fn node(&self, position: Position) -> &Node {
        match &self.lines[position].item {
            Item::Node(node) => node,
            _ => panic!("invariant: operands are values"),
        }
    }

    pub fn sort(&self, operand: Operand) -> Sort {
        self.node(operand.line).sort
    }

    /// The positions of the states, in order: how witnesses count them.
    pub fn states(&self) -> impl Iterator<Item = Position> + '_ {
        self.nodes_with(|op| *op == Op::State)
    }

    /// The positions of the inputs, in order: how witnesses count them.
    pub fn inputs(&self) -> impl Iterator<Item = Position> + '_ {
        self.nodes_with(|op| *op == Op::Input)
    }

    fn nodes_with(&self, is_wanted: fn(&Op) -> bool) -> impl Iterator<Item = Position> + '_ {
        let lines = self.lines.iter().enumerate();
        lines.filter_map(move |(position, line)| match &line.item {
            Item::Node(node) if is_wanted(&node.op) => Some(position),
            _ => None,
        })
    }

    /// The `bad` lines, in order: position and operand.
    pub fn bads(&self) -> impl Iterator<Item = (Position, Operand)> + '_ {
        self.lines.iter().enumerate().filter_map(|(position, line)| match line.item {
            Item::Bad(operand) => Some((position, operand)),
            _ => None,
        })
    }

    /// The operands of the `constraint` lines, in order.
    pub fn constraints(&self) -> impl Iterator<Item = (Position, Operand)> + '_ {
        self.lines.iter().enumerate().filter_map(|(position, line)| match line.item {
            Item::Constraint(operand) => Some((position, operand)),
            _ => None,
        })
    }

    /// For each line, the value that `init` gives it if it is a state.
    pub fn initial_values(&self) -> Vec<Option<Operand>> {
        self.assigned(|item| match item {
            Item::Init(assignment) => Some(*assignment),
            _ => None,
        })
    }

    /// For each line, the value that `next` gives it if it is a state.
    pub fn next_values(&self) -> Vec<Option<Operand>> {
        self.assigned(|item| match item {
            Item::Next(assignment) => Some(*assignment),
            _ => None,
        })
    }

    fn assigned(&self, assignment: fn(&Item) -> Option<Assignment>) -> Vec<Option<Operand>> {
        let mut values = vec![None; self.lines.len()];
        for assignment in self.lines.iter().filter_map(|line| assignment(&line.item)) {
            values[assignment.state] = Some(assignment.value);
        }
        values
    }

    /// The name of a state or input, or else its line number.
    pub fn name(&self, position: Position) -> String {
        let line = &self.lines[position];
        let kind = match &line.item {
            Item::Node(Node { op: Op::State, .. }) => "state",
            Item::Node(Node { op: Op::Input, .. }) => "input",
            _ => "line",
        };
        line.symbol.clone().unwrap_or_else(|| format!("{kind}{}", line.id))
    }

    /// The properties' names, or `bad0`, `bad1`, … for those without one; duplicates are distinguished by the numbers of their
    /// lines.
    pub fn property_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (number, (position, _)) in self.bads().enumerate() {
            let line = &self.lines[position];
            let mut name = line.symbol.clone().unwrap_or_else(|| format!("bad{number}"));
            while names.contains(&name) {
                name = format!("{name}#{}", line.id);
            }
            names.push(name);
        }
        names
    }
}
