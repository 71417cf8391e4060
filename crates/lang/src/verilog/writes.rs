//! Simplification of writes to memories.
//!
//! Yosys writes each bit of a word under its own enable: the new word consists of bits of the old one and of the data. Mostly all
//! bits have the same enable, and then the word is the data wherever something is written at all. The needless read of the old
//! word would make every proof about the memory harder.

use crate::btor2::Document;
use crate::btor2::document::{Item, Node, Operand, Position};
use crate::btor2::op::{Op, Plain};

/// Makes writes whose bits have the same enable write the data. The meaning stays the same.
pub fn simplify(document: &mut Document) {
    let uniform = uniform_lines(document);
    let mut uses = vec![0_usize; document.lines.len()];
    for line in &document.lines {
        operands(&line.item).for_each(|operand| uses[operand.line] += 1);
    }
    let changes: Vec<(Position, Operand)> =
        (0..document.lines.len()).filter_map(|line| change(document, line, &uniform, &uses)).collect();
    for (line, data) in changes {
        if let Item::Node(node) = &mut document.lines[line].item {
            node.args[2] = data;
        }
    }
}

/// Names the initial contents of a memory where the source does not define them: `name_initial`. Yosys writes the words that are
/// known into a state that is otherwise unconstrained.
pub fn name_contents(document: &mut Document) {
    let mut names = Vec::new();
    for line in &document.lines {
        let Item::Init(assignment) = line.item else { continue };
        let mut base = assignment.value.line;
        while let Some(write) = args(document, base, Plain::Write) {
            base = write[0].line;
        }
        let is_unnamed =
            document.lines[base].symbol.is_none() && document.states().any(|state| state == base);
        if let (true, Some(memory)) = (is_unnamed, &document.lines[assignment.state].symbol) {
            names.push((base, format!("{memory}_initial")));
        }
    }
    for (line, name) in names {
        document.lines[line].symbol = Some(name);
    }
}

/// The `write` in `if enable is not zero then write(memory, place, new word) else memory`, and the data that it may write.
fn change(
    document: &Document,
    line: Position,
    uniform: &[bool],
    uses: &[usize],
) -> Option<(Position, Operand)> {
    let [condition, written, _] = args(document, line, Plain::Ite)?.try_into().ok()?;
    let [enable] = args(document, plain(condition)?, Plain::Redor)?.try_into().ok()?;
    let write = plain(written)?;
    let [_, _, word] = args(document, write, Plain::Write)?.try_into().ok()?;
    if uses[write] != 1 || enable.negated || !uniform[enable.line] {
        return None;
    }
    let parts: [Operand; 2] = args(document, plain(word)?, Plain::Or)?.try_into().ok()?;
    // `data & enable`, and beside it `old word & !enable`.
    let data_of = |part: Operand| {
        let [left, right]: [Operand; 2] = args(document, plain(part)?, Plain::And)?.try_into().ok()?;
        (right == enable).then_some(left)
    };
    let is_rest = |part: Operand| {
        let masked = plain(part).and_then(|line| args(document, line, Plain::And));
        let mask = masked.and_then(|masked| masked.last().copied());
        mask.and_then(plain).and_then(|mask| args(document, mask, Plain::Not)) == Some(vec![enable])
    };
    let data = data_of(parts[0]).filter(|_| is_rest(parts[1]));
    let data = data.or_else(|| data_of(parts[1]).filter(|_| is_rest(parts[0])))?;
    Some((write, data))
}

/// The lines whose bits are all equal.
fn uniform_lines(document: &Document) -> Vec<bool> {
    let mut uniform = vec![false; document.lines.len()];
    for line in 0..document.lines.len() {
        let Item::Node(node) = &document.lines[line].item else { continue };
        uniform[line] = match (&node.op, node.args.as_slice()) {
            (Op::Constant(constant), _) => match node.sort {
                crate::btor2::document::Sort::Bits(width) => {
                    let ones = constant.value.count_ones();
                    ones == 0 || ones == u64::from(width)
                }
                crate::btor2::document::Sort::Array { .. } => false,
            },
            (Op::Plain(Plain::Ite), [_, yes, no]) => uniform[yes.line] && uniform[no.line],
            (Op::Plain(Plain::And | Plain::Or), [left, right]) => uniform[left.line] && uniform[right.line],
            (Op::Plain(Plain::Not), [value]) => uniform[value.line],
            _ => false,
        };
    }
    uniform
}

fn args(document: &Document, line: Position, op: Plain) -> Option<Vec<Operand>> {
    match &document.lines[line].item {
        Item::Node(Node { op: Op::Plain(found), args, .. }) if *found == op => Some(args.clone()),
        _ => None,
    }
}

/// The line of an operand that is not negated.
fn plain(operand: Operand) -> Option<Position> {
    (!operand.negated).then_some(operand.line)
}

fn operands(item: &Item) -> impl Iterator<Item = Operand> {
    let (many, one) = match item {
        Item::Node(node) => (node.args.as_slice(), None),
        Item::Init(assignment) | Item::Next(assignment) => (&[][..], Some(assignment.value)),
        Item::Bad(operand) | Item::Constraint(operand) | Item::Output(operand) => (&[][..], Some(*operand)),
        Item::Sort(..) => (&[][..], None),
    };
    many.iter().copied().chain(one)
}
