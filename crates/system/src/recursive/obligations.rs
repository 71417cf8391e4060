//! The entailments that make a computation tree a true picture of all runs (Jaffar and Santosa, section 3.1): this is what a
//! tree means.

use super::{Entailment, Goal, Process, State};
use tenet_term::{Role, Substitution, SymbolId, TermId, TermStore};

/// The states that a transition leads to from a state, with its variables called `fresh`.
pub fn successor(
    store: &mut TermStore,
    process: &Process,
    state: &State,
    transition: usize,
    fresh: &[SymbolId],
) -> State {
    let transition = &process.transitions[transition];
    let renaming = renaming(store, &transition.variables, fresh);
    let goal = transition.goal.substitute(store, &renaming);
    let from = substituted(store, &transition.from, &renaming);
    let mut parts = vec![state.goal.constraint];
    parts.extend(equations(store, &state.args, &from));
    parts.push(goal.constraint);
    let atoms = state.goal.atoms.iter().cloned().chain(goal.atoms).collect();
    let args = substituted(store, &transition.to, &renaming);
    let variables = state.variables.iter().chain(fresh).copied().collect();
    let goal = Goal { atoms, constraint: store.mk_and(parts) };
    State { source: transition.source, variables, args, goal }
}

/// That all states of one set are in another.
pub fn inclusion(store: &mut TermStore, left: &State, right: &State) -> Entailment {
    let existentials: Vec<SymbolId> =
        right.variables.iter().map(|&symbol| existential(store, symbol)).collect();
    let renaming = renaming(store, &right.variables, &existentials);
    let goal = right.goal.substitute(store, &renaming);
    let args = substituted(store, &right.args, &renaming);
    let mut parts = vec![goal.constraint];
    parts.extend(equations(store, &left.args, &args));
    let right = Goal { atoms: goal.atoms, constraint: store.mk_and(parts) };
    entailment("inclusion", left, left.goal.clone(), existentials, right)
}

/// The states of a set that satisfy a formula over its variables.
pub fn restricted(store: &mut TermStore, state: &State, when: TermId) -> State {
    let constraint = store.mk_and([state.goal.constraint, when]);
    State { goal: Goal { constraint, ..state.goal.clone() }, ..state.clone() }
}

/// That each state of a set satisfies one of several formulas over its variables.
pub fn cases(store: &mut TermStore, state: &State, formulas: &[TermId]) -> Entailment {
    let right = Goal { atoms: Vec::new(), constraint: store.mk_or(formulas.iter().copied()) };
    entailment("cases", state, state.goal.clone(), Vec::new(), right)
}

/// That there is no state in a set.
pub fn emptiness(store: &mut TermStore, state: &State) -> Entailment {
    let right = Goal { atoms: Vec::new(), constraint: store.mk_bool(false) };
    entailment("emptiness", state, state.goal.clone(), Vec::new(), right)
}

/// That all states of a set satisfy a property, whose variables are called `fresh`.
pub fn safety(
    store: &mut TermStore,
    process: &Process,
    state: &State,
    property: usize,
    fresh: &[SymbolId],
) -> Entailment {
    let property = &process.properties[property];
    let renaming = renaming(store, &property.state.variables, fresh);
    let goal = property.state.goal.substitute(store, &renaming);
    let args = substituted(store, &property.state.args, &renaming);
    let mut parts = vec![state.goal.constraint];
    parts.extend(equations(store, &state.args, &args));
    parts.push(goal.constraint);
    let atoms = state.goal.atoms.iter().cloned().chain(goal.atoms).collect();
    let left = Goal { atoms, constraint: store.mk_and(parts) };
    let right = property.right.substitute(store, &renaming);
    let mut entailment = entailment(&property.name, state, left, property.existentials.clone(), right);
    entailment.variables.extend(fresh);
    entailment
}

/// That a transition, with its variables called `fresh`, makes a tuple of integers smaller: one of them, which is not negative before,
/// decreases, and those in front of it stay.
pub fn decrease(
    store: &mut TermStore,
    process: &Process,
    state: &State,
    transition: usize,
    fresh: &[SymbolId],
    ranking: &[TermId],
) -> Entailment {
    let after = successor(store, process, state, transition, fresh);
    let here =
        Substitution::from_pairs(store, process.parameters.iter().copied().zip(state.args.iter().copied()));
    let there =
        Substitution::from_pairs(store, process.parameters.iter().copied().zip(after.args.iter().copied()));
    let mut decrease = store.mk_bool(false);
    for &rank in ranking.iter().rev() {
        let (old, new) = (store.substitute(rank, &here), store.substitute(rank, &there));
        let (zero, same, smaller) = (store.mk_int(0), store.mk_eq(old, new), store.mk_lt(new, old));
        let bounded = store.mk_ge(old, zero);
        let (now, later) = (store.mk_and([bounded, smaller]), store.mk_and([same, decrease]));
        decrease = store.mk_or([now, later]);
    }
    let right = Goal { atoms: Vec::new(), constraint: decrease };
    entailment("decrease", &after, after.goal.clone(), Vec::new(), right)
}

fn entailment(name: &str, state: &State, left: Goal, existentials: Vec<SymbolId>, right: Goal) -> Entailment {
    let variables = state.variables.clone();
    Entailment { name: name.to_owned(), source: state.source, variables, left, existentials, right }
}

fn equations(store: &mut TermStore, left: &[TermId], right: &[TermId]) -> Vec<TermId> {
    left.iter().zip(right).map(|(&here, &there)| store.mk_eq(here, there)).collect()
}

fn substituted(store: &mut TermStore, terms: &[TermId], substitution: &Substitution) -> Vec<TermId> {
    terms.iter().map(|&term| store.substitute(term, substitution)).collect()
}

fn renaming(store: &mut TermStore, from: &[SymbolId], to: &[SymbolId]) -> Substitution {
    let to: Vec<TermId> = to.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
    Substitution::from_pairs(store, from.iter().copied().zip(to))
}

/// The existential variable for a variable of another set of states.
fn existential(store: &mut TermStore, symbol: SymbolId) -> SymbolId {
    let declared = store.symbol(symbol).clone();
    store.declare(&declared.name, declared.sort, Role::Bound)
}
