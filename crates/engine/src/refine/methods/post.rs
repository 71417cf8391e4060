//! The operator `post`, and the normal form of its result (RC-T5).
//!
//! `exists old. phi[old] & g[old] & x = e[old]` is written without the old values of the variables that the command changes;
//! all others keep their names. Which atoms come out decides what forward refinement finds (RC-A6), so there are
//! two documented forms:
//! * *solved*: old values are eliminated with what is known of them, then equations are solved in order, each for its last
//!   variable with factor 1 (any factor over the reals), and the solution is put into all other atoms. After `x = 0`, the
//!   step `x >= 0 -> x := x + 1` gives `x = 1` and nothing else;
//! * *inverse*: old values are eliminated with the assignments where these can be inverted, and nothing else is done.
//!   The same step gives `x = 1 & x >= 1`: the shifted guard stays.
//!
//! In both, a disjunct is dropped if an atom of it is false without variables, or if it contradicts itself about locations:
//! nothing can be learned there in the forward direction. Split equalities are split at the end.

use super::atom::{Comparison, Relation, comparison, normal};
use super::eliminate::eliminate_all;
use super::formula::{Disjunct, substituted};
use super::outcome::{PostForm, Unsupported};
use super::pre::clashes;
use super::program::{Command, equation, old};
use num_traits::{One, Signed};
use tenet_term::{Op, SortId, Substitution, SymbolId, TermId, TermStore};

/// The states to which the command leads from the disjunct.
pub fn post(
    store: &mut TermStore,
    command: &Command,
    disjunct: &Disjunct,
    form: PostForm,
    is_split: bool,
) -> Result<Vec<Disjunct>, Unsupported> {
    let changed: Vec<SymbolId> = command.updates.iter().map(|&(symbol, _)| symbol).collect();
    let olds: Vec<SymbolId> = changed.iter().map(|&symbol| old(store, symbol)).collect();
    let pairs: Vec<(SymbolId, TermId)> =
        changed.iter().zip(&olds).map(|(&symbol, &old)| (symbol, store.mk_symbol(old))).collect();
    let to_old = Substitution::from_pairs(store, pairs);
    let known: Vec<TermId> = disjunct.atoms().iter().chain(&command.guard).copied().collect();
    let known = substituted(store, &known, &to_old);
    let mut assignments = Vec::new();
    for &(symbol, value) in &command.updates {
        let value = store.substitute_raw(value, &to_old);
        assignments.push(equation(store, symbol, value));
    }
    // The first equation that can be solved for a variable is the one that eliminates it.
    let literals = match form {
        PostForm::Solved => [known, assignments].concat(),
        PostForm::Inverse => [assignments, known].concat(),
    };
    let atoms: Vec<TermId> = literals.into_iter().flat_map(|literal| normal(store, literal, false)).collect();
    let before = Disjunct::of_atoms(atoms.clone());
    if before.is_false(store) || clashes(store, &before) {
        return Ok(Vec::new());
    }
    let vars = [olds, command.inputs.clone()].concat();
    let mut result = Vec::new();
    for mut atoms in eliminate_all(store, atoms, &vars)? {
        if form == PostForm::Solved {
            atoms = solved(store, atoms);
        }
        let disjunct = Disjunct::new(store, atoms, is_split);
        if !disjunct.is_false(store) && !clashes(store, &disjunct) {
            result.push(disjunct);
        }
    }
    Ok(result)
}

/// The atoms with the solutions of the equations in place of variables.
fn solved(store: &mut TermStore, atoms: Vec<TermId>) -> Vec<TermId> {
    let mut open = atoms;
    let mut equations: Vec<TermId> = Vec::new();
    let first = |store: &mut TermStore, atoms: &[TermId]| {
        atoms.iter().enumerate().find_map(|(place, &atom)| Some((place, solution(store, atom)?)))
    };
    while let Some((place, (var, value))) = first(store, &open) {
        let equation = open.remove(place);
        let substitution = Substitution::from_pairs(store, [(var, value)]);
        for atoms in [&mut open, &mut equations] {
            let literals = substituted(store, atoms, &substitution);
            *atoms = literals.into_iter().flat_map(|literal| normal(store, literal, false)).collect();
        }
        equations.push(equation);
    }
    [equations, open].concat()
}

/// The last variable of an equation that it can be solved for, with what it is equal to.
fn solution(store: &mut TermStore, atom: TermId) -> Option<(SymbolId, TermId)> {
    let Some(Comparison { sum, relation, sort }) = comparison(store, atom) else {
        // `pc = l2`: the variable stands first.
        let (Op::Eq, &[left, right]) = (store.op(atom), store.args(atom)) else { return None };
        return Some((store.as_symbol(left)?, right)).filter(|_| store.is_value(right));
    };
    if relation != Relation::Eq {
        return None;
    }
    let (var, value) = sum.factors.iter().rev().find_map(|(&base, factor)| {
        let var = store.as_symbol(base)?;
        let is_exact = sort == SortId::REAL || factor.abs().is_one();
        let is_solved = is_exact && !sum.hides(store, var);
        is_solved.then(|| (var, sum.clone().without(&base).scaled(&-factor.recip())))
    })?;
    Some((var, value.term(store, sort)))
}
