//! The abstraction without substitutions, from below: are the predicates to blame for a failed proof, or the substitutions?
//!
//! With substitutions a set of valuations means more states than it should. Here a set has its exact meaning, a formula that is
//! universally quantified over the index variables, and a valuation is added only if a solver finds a step to it from a
//! state that satisfies this formula. So everything that is found is in the exact abstraction (Lahiri and Bryant, section 4), and if
//! it violates the property no substitutions help (theorem 3). If nothing is left to be found and the property is implied,
//! substitutions are all that is missing. Whenever the solver does not know, which with quantifiers is not seldom, nothing is said.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::set::{Set, cover};
use tenet_abstraction::{Clauses, Layout, Observation};
use tenet_solve::{Answer, Effort, Limits, Solver, Z3Solver};
use tenet_system::System;
use tenet_term::{Role, Substitution, TermId, TermStore, Value};

use super::fixpoint::Fixpoint;

/// Questions about one property.
const MAX_QUESTIONS: usize = 150;

/// What each may cost.
const EFFORT: Effort = Effort::millis(200);

/// Does the exact abstraction imply a property? `None` if that cannot be told.
pub fn is_implied(
    system: &mut System,
    observation: &Observation,
    fixpoint: &Fixpoint,
    property: usize,
    interrupt: &Arc<AtomicBool>,
) -> Option<bool> {
    let initial = initial(system, observation, fixpoint)?;
    let denied = system.store.mk_not(system.properties[property].formula);
    let mut exactly =
        Exactly { system, observation, layout: &fixpoint.layout, questions: 0, interrupt, is_complete: true };
    exactly.search(initial, denied)
}

/// The initial set, where the queries about it are exact: there is no quantifier in them.
fn initial(system: &mut System, observation: &Observation, fixpoint: &Fixpoint) -> Option<Set> {
    for start in 0..system.starts.len() {
        let parts = observation.start(system, start);
        if parts.formulas().any(|formula| system.store.has_quantifier(formula)) {
            return None;
        }
    }
    let starts = fixpoint.history.iter().filter(|added| added.rule.is_none());
    let all = starts.fold(fixpoint.layout.space.empty(), |all, added| all.union(&added.set));
    (fixpoint.unknowns() == 0).then_some(all)
}

struct Exactly<'a> {
    system: &'a mut System,
    observation: &'a Observation,
    layout: &'a Layout,
    questions: usize,
    interrupt: &'a Arc<AtomicBool>,
    /// Has the solver always known?
    is_complete: bool,
}

impl Exactly<'_> {
    /// Adds what steps lead to until the property is violated, or nothing is left.
    fn search(&mut self, initial: Set, denied: TermId) -> Option<bool> {
        let mut set = initial;
        loop {
            let mut violated = self.solver(&set);
            violated.assert(&self.system.store, denied);
            match self.ask(&mut violated) {
                Some(Answer::Sat) => return Some(false),
                Some(Answer::Unsat) => {}
                Some(Answer::Unknown(_)) => self.is_complete = false,
                None => return None,
            }
            let before = set.clone();
            for rule in 0..self.system.rules.len() {
                set = self.extend(rule, &before, set)?;
            }
            if set == before {
                return self.is_complete.then_some(true);
            }
        }
    }

    /// Adds the valuations that a rule leads to from states that the set before describes; `None` if there are too many.
    fn extend(&mut self, rule: usize, before: &Set, mut set: Set) -> Option<Set> {
        let parts = self.observation.rule(self.system, rule, &[]);
        let mut solver = self.solver(before);
        for &formula in &parts.always {
            let formula = self.system.store.lift_ites(formula);
            solver.assert(&self.system.store, formula);
        }
        let bits: Vec<TermId> =
            parts.posts.iter().map(|&post| named(&mut self.system.store, &mut solver, post)).collect();
        let mut known = self.layout.space.empty();
        loop {
            self.exclude(&mut solver, &bits, &set.minus(&known), &set);
            known = set.clone();
            match self.ask(&mut solver)? {
                Answer::Unsat => return Some(set),
                Answer::Unknown(_) => {
                    self.is_complete = false;
                    return Some(set);
                }
                Answer::Sat => {}
            }
            let values = solver.values(&self.system.store, &bits);
            let values: Option<Vec<bool>> =
                values.iter().map(|value| value.as_ref().and_then(Value::as_bool)).collect();
            let valuation = self.layout.valuation(&values?);
            // A solver that finds the same again has not understood the question.
            (!valuation.implies(&set)).then_some(())?;
            set = set.union(&valuation);
        }
    }

    /// Makes the solver look for valuations outside of a set, of which it knows all but a part.
    fn exclude(&mut self, solver: &mut Z3Solver, bits: &[TermId], part: &Set, set: &Set) {
        let store = &mut self.system.store;
        for cube in cover(part, set) {
            let literals: Vec<TermId> = self
                .layout
                .literals(&cube)
                .into_iter()
                .map(|(predicate, value)| match value {
                    true => store.mk_not(bits[predicate]),
                    false => bits[predicate],
                })
                .collect();
            let clause = store.mk_or(literals);
            solver.assert(store, clause);
        }
    }

    fn ask(&mut self, solver: &mut Z3Solver) -> Option<Answer> {
        self.questions += 1;
        (self.questions <= MAX_QUESTIONS).then(|| solver.check(&self.system.store, &[]))
    }

    /// A solver that knows the exact meaning of a set, and what is taken for granted of every state.
    fn solver(&mut self, set: &Set) -> Z3Solver {
        let meaning = self.meaning(set);
        let mut solver = Z3Solver::new();
        solver.set_limits(Limits::until(self.interrupt.clone()).within(EFFORT));
        solver.assert(&self.system.store, meaning);
        for &formula in self.observation.axioms.iter().chain(&self.observation.promises) {
            solver.assert(&self.system.store, formula);
        }
        solver
    }

    /// The set as a formula, for all values of the index variables within their bounds.
    fn meaning(&mut self, set: &Set) -> TermId {
        let mut clauses = Clauses::default();
        clauses.update(self.layout, set);
        let indices = self.system.indices.clone();
        let store = &mut self.system.store;
        let bound: Vec<_> = indices
            .iter()
            .map(|index| {
                let (name, sort) = (store.symbol(index.symbol).name.clone(), store.symbol(index.symbol).sort);
                store.fresh(&name, sort, Role::Bound)
            })
            .collect();
        let terms: Vec<TermId> = bound.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let guards: Vec<TermId> =
            indices.iter().zip(&terms).map(|(index, &term)| index.guard(store, term)).collect();
        let pairs = indices.iter().map(|index| index.symbol).zip(terms);
        let renaming = Substitution::from_pairs(store, pairs);
        let values: Vec<TermId> = self
            .observation
            .predicates
            .iter()
            .map(|&predicate| store.substitute(predicate, &renaming))
            .collect();
        let mut parts = Vec::new();
        for clause in clauses.list() {
            let literals: Vec<TermId> = clause
                .iter()
                .map(
                    |&(predicate, value)| {
                        if value { values[predicate] } else { store.mk_not(values[predicate]) }
                    },
                )
                .collect();
            parts.push(store.mk_or(literals));
        }
        let (guard, body) = (store.mk_and(guards), store.mk_and(parts));
        let body = store.mk_implies(guard, body);
        if bound.is_empty() { body } else { store.mk_forall(&bound, body) }
    }
}

/// A Boolean that the solver knows to be equivalent to a formula.
fn named(store: &mut TermStore, solver: &mut Z3Solver, formula: TermId) -> TermId {
    let symbol = store.fresh("after", tenet_term::SortId::BOOL, Role::AbstractBool);
    let bit = store.mk_symbol(symbol);
    let definition = store.mk_iff(bit, formula);
    let definition = store.lift_ites(definition);
    solver.assert(store, definition);
    bit
}
