//! Disjunctive normal form of formulas with atoms under disjunctions (RA-T8).
//!
//! A disjunction of constraints alone stays as it is: solvers take it as a whole.

use super::hir::{Atom, Formula, FormulaKind};

/// A disjunct: the conjunction of these.
#[derive(Clone, Debug, Default)]
pub struct Alternative<'a> {
    pub atoms: Vec<&'a Atom>,
    pub constraints: Vec<&'a Formula>,
}

/// The number of alternatives of a formula.
pub fn count(formula: &Formula) -> usize {
    match &formula.kind {
        _ if !formula.has_atom => 1,
        FormulaKind::All(operands) => operands.iter().map(count).fold(1, usize::saturating_mul),
        FormulaKind::Any(operands) => operands.iter().map(count).fold(0, usize::saturating_add),
        _ => 1,
    }
}

/// All alternatives of a formula. [`count`] gives their number in advance.
pub fn alternatives(formula: &Formula) -> Vec<Alternative<'_>> {
    match &formula.kind {
        FormulaKind::Atom(atom) => vec![Alternative { atoms: vec![atom], constraints: Vec::new() }],
        FormulaKind::All(operands) if formula.has_atom => {
            let start = vec![Alternative::default()];
            operands.iter().fold(start, |before, operand| product(&before, &alternatives(operand)))
        }
        FormulaKind::Any(operands) if formula.has_atom => operands.iter().flat_map(alternatives).collect(),
        _ => vec![Alternative { atoms: Vec::new(), constraints: vec![formula] }],
    }
}

fn product<'a>(left: &[Alternative<'a>], right: &[Alternative<'a>]) -> Vec<Alternative<'a>> {
    left.iter().flat_map(|left| right.iter().map(|right| together(left, right))).collect()
}

fn together<'a>(left: &Alternative<'a>, right: &Alternative<'a>) -> Alternative<'a> {
    let atoms = left.atoms.iter().chain(&right.atoms).copied().collect();
    let constraints = left.constraints.iter().chain(&right.constraints).copied().collect();
    Alternative { atoms, constraints }
}

/// The first disjunction with an atom in it.
pub fn disjunction(formula: &Formula) -> Option<&Formula> {
    match &formula.kind {
        _ if !formula.has_atom => None,
        FormulaKind::Any(_) => Some(formula),
        FormulaKind::All(operands) => operands.iter().find_map(disjunction),
        _ => None,
    }
}

/// All atoms of a formula, in order.
pub fn atoms(formula: &Formula) -> Vec<&Atom> {
    match &formula.kind {
        FormulaKind::Atom(atom) => vec![atom],
        FormulaKind::All(operands) | FormulaKind::Any(operands) => operands.iter().flat_map(atoms).collect(),
        _ => Vec::new(),
    }
}

/// The least and the greatest number of atoms of a predicate in any alternative.
pub fn occurrences(formula: &Formula, predicate: usize) -> (usize, usize) {
    match &formula.kind {
        FormulaKind::Atom(atom) if atom.predicate == predicate => (1, 1),
        FormulaKind::All(operands) => {
            let each = operands.iter().map(|operand| occurrences(operand, predicate));
            each.fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1))
        }
        FormulaKind::Any(operands) => {
            let each = operands.iter().map(|operand| occurrences(operand, predicate));
            each.reduce(|all, each| (all.0.min(each.0), all.1.max(each.1))).unwrap_or((0, 0))
        }
        _ => (0, 0),
    }
}
