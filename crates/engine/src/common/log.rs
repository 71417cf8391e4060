//! Formulas, cubes and lemmas as text for logs. Printing adds no term to the store: results must not depend on
//! whether a log is written.

use tenet_system::Lemma;
use tenet_system::recursive::{Atom, Entailment, Goal, Program};
use tenet_term::{TermId, TermStore};

/// Longer formulas are cut off.
const MAX_FORMULA_BYTES: usize = 2000;

pub(crate) fn formula(store: &TermStore, formula: TermId) -> String {
    store.print_limited(formula, MAX_FORMULA_BYTES)
}

pub(crate) fn cube(store: &TermStore, literals: &[TermId]) -> String {
    let literals: Vec<String> = literals.iter().map(|&literal| formula(store, literal)).collect();
    literals.join(" & ")
}

pub(crate) fn lemma(store: &TermStore, lemma: &Lemma) -> String {
    let vars: Vec<&str> = lemma.vars.iter().map(|var| store.symbol(var.symbol).name.as_str()).collect();
    let quantifier = if vars.is_empty() { String::new() } else { format!("forall {}. ", vars.join(", ")) };
    quantifier + &formula(store, lemma.body)
}

/// `p(x, y), x < y |= q(x)`
pub(crate) fn entailment(program: &Program, entailment: &Entailment) -> String {
    format!("{} |= {}", goal(program, &entailment.left), goal(program, &entailment.right))
}

fn goal(program: &Program, goal: &Goal) -> String {
    let atoms = goal.atoms.iter().map(|known| atom(program, known));
    atoms.chain([formula(&program.store, goal.constraint)]).collect::<Vec<String>>().join(", ")
}

/// `p(x, y)`
pub(crate) fn atom(program: &Program, atom: &Atom) -> String {
    let args: Vec<String> = atom.args.iter().map(|&arg| formula(&program.store, arg)).collect();
    format!("{}({})", program.predicates[atom.predicate].name, args.join(", "))
}
