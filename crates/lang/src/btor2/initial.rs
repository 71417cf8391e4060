//! The order in which initial values are computed.
//!
//! An initial value may be computed from other states, which then stand for their own initial values. So the order of lines is no
//! guide, and with a cyclic dependency there is no order at all.

use super::document::{Document, Item, Operand, Position};
use super::op::Op;
use crate::codes::btor2 as codes;
use crate::diagnostic::Diagnostic;

/// The state of a line in the depth-first search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    New,
    Open,
    Done,
}

enum Obstacle {
    Input(Position),
    Itself(Position),
}

/// The lines that initial values need, in topological order: operands and initial values of states come first. The
/// document has passed [`check`].
pub fn order(document: &Document) -> Vec<Position> {
    let mut walk = Walk::new(document);
    for state in document.states() {
        if walk.values[state].is_some() && walk.visit(state).is_err() {
            unreachable!("`check` refuses such documents");
        }
    }
    walk.order
}

/// Diagnostics for the initial values.
pub fn check(document: &Document) -> Vec<Diagnostic> {
    let mut walk = Walk::new(document);
    let mut problems = Vec::new();
    for line in &document.lines {
        let Item::Init(assignment) = &line.item else { continue };
        let state = document.name(assignment.state);
        let (why, place) = match walk.visit(assignment.state) {
            Ok(()) => continue,
            Err(Obstacle::Input(input)) => (format!("the input {}", document.name(input)), input),
            Err(Obstacle::Itself(other)) if other == assignment.state => ("itself".to_string(), other),
            Err(Obstacle::Itself(other)) => ("something that depends on itself".to_string(), other),
        };
        let message = format!("the initial value of {state} depends on {why}");
        let problem = Diagnostic::error(&codes::INITIAL_VALUE, message, line.place.span);
        problems.push(problem.also(document.lines[place].place.span, "this"));
        // The colours are not reliable after the first cycle.
        break;
    }
    problems
}

struct Walk<'d> {
    document: &'d Document,
    values: Vec<Option<Operand>>,
    colours: Vec<Colour>,
    order: Vec<Position>,
}

impl<'d> Walk<'d> {
    fn new(document: &'d Document) -> Walk<'d> {
        let colours = vec![Colour::New; document.lines.len()];
        Walk { document, values: document.initial_values(), colours, order: Vec::new() }
    }

    fn visit(&mut self, root: Position) -> Result<(), Obstacle> {
        let mut stack = vec![(root, false)];
        while let Some((line, is_left)) = stack.pop() {
            if is_left {
                self.colours[line] = Colour::Done;
                self.order.push(line);
                continue;
            }
            match self.colours[line] {
                Colour::Done => continue,
                Colour::Open => return Err(Obstacle::Itself(line)),
                Colour::New => self.colours[line] = Colour::Open,
            }
            let node = self.document.node(line);
            if node.op == Op::Input {
                return Err(Obstacle::Input(line));
            }
            stack.push((line, true));
            let needed = node.args.iter().chain(&self.values[line]);
            stack.extend(needed.map(|operand| (operand.line, false)));
        }
        Ok(())
    }
}
