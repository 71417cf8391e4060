//! Counterexamples to entailments: "not proved" is never "refuted".
//!
//! The left is unfolded in all ways, a little deeper each time, until no atoms are left; a model of what remains is an instance of the
//! left. It contradicts the entailment if the right has no derivation there: either every way to unfold it comes to an
//! end, or the prover shows that it is impossible. So what is shown to a user is a member of the least model, not a model of the
//! equations (RA-T9).

use std::collections::VecDeque;
use tenet_system::recursive::{Atom, Entailment, Goal, Program};
use tenet_term::{Op, Role, Sort, Substitution, SymbolId, TermId, TermStore, Value};

use super::equations::{is_about_arrays, is_array, solve, solve_writes};
use super::prover::{ProofContext, Prover};
use super::sequent::{Fact, Sequent, fresh_like, renaming};

/// Goals unfolded in the search for an instance of the left-hand side.
const MAX_LEFT_GOALS: usize = 120;
const MAX_INSTANCES: usize = 24;
/// Goals unfolded to see whether the right-hand side has a derivation.
const MAX_RIGHT_GOALS: usize = 60;
/// Bounds of the numbers in instances, tried in this order: small counterexamples are easier to read.
const SMALL_NUMBERS: [i64; 2] = [2, 8];

/// An instance of the left-hand side that is none of the right-hand side.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// A value for each variable of the entailment: an integer, or an array with one value everywhere but at some places.
    pub values: Vec<(SymbolId, TermId)>,
    /// How many rules derive the left-hand side.
    pub rules: usize,
}

/// A goal while it is unfolded. Equations are used at once: as formulas, those of arrays have quantifiers.
#[derive(Clone, Debug, Default)]
pub(super) struct Partial {
    pub atoms: Vec<Atom>,
    pub constraint: Vec<TermId>,
    /// The current values of the variables of the entailment.
    pub values: Vec<TermId>,
    pub rules: usize,
}

impl Prover<'_> {
    /// A counterexample to an entailment, if a small one is found.
    pub(super) fn refute(&mut self, entailment: &Entailment) -> Option<Counterexample> {
        self.report_progress("looking for a counterexample");
        self.refute_with(entailment, &[]).map(|(found, _)| found)
    }

    /// The same, with the values of further terms over its variables.
    pub(super) fn refute_with(
        &mut self,
        entailment: &Entailment,
        further: &[TermId],
    ) -> Option<(Counterexample, Vec<TermId>)> {
        let store = &mut self.program.store;
        let variables = entailment.variables.iter().map(|&symbol| store.mk_symbol(symbol));
        let values: Vec<TermId> =
            variables.collect::<Vec<_>>().into_iter().chain(further.iter().copied()).collect();
        let mut queue: VecDeque<Partial> = [self.partial(&entailment.left, values)].into();
        let mut instances = 0;
        for _ in 0..MAX_LEFT_GOALS {
            let partial = queue.pop_front()?;
            if self.stop().is_some() || instances > MAX_INSTANCES {
                return None;
            }
            if partial.atoms.is_empty() {
                instances += 1;
                if let Some(found) = self.instance_against(entailment, &partial) {
                    return Some(found);
                }
                continue;
            }
            queue.extend(self.unfolded(&partial));
        }
        None
    }

    pub(super) fn partial(&mut self, goal: &Goal, values: Vec<TermId>) -> Partial {
        let constraint = self.program.store.conjuncts(goal.constraint);
        let partial = Partial { atoms: goal.atoms.clone(), constraint, values, rules: 0 };
        partial.solved(&mut self.program.store)
    }

    /// What is left of a goal when its first atom is replaced by the body of each rule.
    pub(super) fn unfolded(&mut self, partial: &Partial) -> Vec<Partial> {
        self.unfolded_where(partial, &[], &[])
    }

    /// The same where something else is true, and some variables have to stay.
    fn unfolded_where(&mut self, partial: &Partial, known: &[TermId], kept: &[SymbolId]) -> Vec<Partial> {
        let mut result = Vec::new();
        let first = partial.atoms[0].clone();
        for rule in 0..self.program.predicates[first.predicate].rules.len() {
            let Program { store, predicates, .. } = &mut *self.program;
            let clause = &predicates[first.predicate].rules[rule];
            let names = fresh_like(store, &clause.variables, Role::Index);
            let renaming = renaming(store, &clause.variables, &names);
            let mut parts = partial.constraint.clone();
            for (&arg, &head) in first.args.iter().zip(&clause.head) {
                let head = store.substitute(head, &renaming);
                parts.push(store.mk_eq(arg, head));
            }
            let body = store.substitute(clause.constraint, &renaming);
            parts.extend(store.conjuncts(body));
            // The atoms of the body come last, so that all atoms are unfolded in turn.
            let body: Vec<Atom> = clause.atoms.iter().map(|atom| atom.substitute(store, &renaming)).collect();
            let atoms = partial.atoms[1..].iter().cloned().chain(body).collect();
            let values = partial.values.clone();
            let next = Partial { atoms, constraint: parts, values, rules: partial.rules + 1 };
            let next = next.solved_except(store, kept);
            let all: Vec<TermId> = known.iter().chain(&next.constraint).copied().collect();
            if !self.solver.refutes_quickly(&self.program.store, &all) {
                result.push(next);
            }
        }
        result
    }

    /// An instance of a constraint, if the right has no derivation there.
    fn instance_against(
        &mut self,
        entailment: &Entailment,
        partial: &Partial,
    ) -> Option<(Counterexample, Vec<TermId>)> {
        if entailment.right.atoms.is_empty() && entailment.existentials.is_empty() {
            return self.instance_denying(entailment, partial);
        }
        if let Some(denied) = self.denial(entailment, partial) {
            return self.instance_with(entailment, partial, denied);
        }
        let mut avoided = Vec::new();
        for _ in 0..3 {
            let ground = self.ground(partial, &avoided)?;
            let further = ground[entailment.variables.len()..].to_vec();
            let store = &mut self.program.store;
            let values: Vec<(SymbolId, TermId)> = entailment.variables.iter().copied().zip(ground).collect();
            let here = Substitution::from_pairs(store, values.iter().copied());
            let right = entailment.right.substitute(store, &here);
            if self.is_impossible(&right, &entailment.existentials) {
                return Some((Counterexample { values, rules: partial.rules }, further));
            }
            let store = &mut self.program.store;
            let mut same = Vec::new();
            for (&term, (_, value)) in partial.values.iter().zip(&values) {
                if store.is_value(*value) {
                    same.push(store.mk_eq(term, *value));
                }
            }
            let same = store.mk_and(same);
            avoided.push(store.mk_not(same));
        }
        None
    }

    /// An instance of a constraint where the right, which has no atoms, is false.
    fn instance_denying(
        &mut self,
        entailment: &Entailment,
        partial: &Partial,
    ) -> Option<(Counterexample, Vec<TermId>)> {
        let store = &mut self.program.store;
        let pairs: Vec<_> =
            entailment.variables.iter().copied().zip(partial.values.iter().copied()).collect();
        let here = Substitution::from_pairs(store, pairs);
        let right = store.substitute(entailment.right.constraint, &here);
        let denied = denied(store, right);
        self.instance_with(entailment, partial, denied)
    }

    /// An instance of a constraint where something else is true, which says that the right is false.
    fn instance_with(
        &mut self,
        entailment: &Entailment,
        partial: &Partial,
        denied: TermId,
    ) -> Option<(Counterexample, Vec<TermId>)> {
        let ground = self.ground(partial, &[denied])?;
        let further = ground[entailment.variables.len()..].to_vec();
        let values = entailment.variables.iter().copied().zip(ground).collect();
        Some((Counterexample { values, rules: partial.rules }, further))
    }

    /// That the right has no derivation, if that can be said: where the left is true it can be unfolded in few ways only, to the end.
    fn denial(&mut self, entailment: &Entailment, partial: &Partial) -> Option<TermId> {
        let store = &mut self.program.store;
        let terms = partial.constraint.iter().chain(&partial.values);
        let mut kept: Vec<SymbolId> = terms.flat_map(|&term| store.free_symbols(term)).collect();
        kept.sort_unstable();
        kept.dedup();
        let pairs: Vec<_> =
            entailment.variables.iter().copied().zip(partial.values.iter().copied()).collect();
        let here = Substitution::from_pairs(store, pairs);
        let names = fresh_like(store, &entailment.existentials, Role::Index);
        let opened = renaming(store, &entailment.existentials, &names);
        let goal = entailment.right.substitute(store, &here).substitute(store, &opened);
        let constraint = store.conjuncts(goal.constraint);
        let right =
            Partial { atoms: goal.atoms, constraint, ..Partial::default() }.solved_except(store, &kept);
        let (mut queue, mut ways) = (VecDeque::from([right]), Vec::new());
        for _ in 0..MAX_RIGHT_GOALS {
            let Some(right) = queue.pop_front() else {
                let store = &mut self.program.store;
                let possible = store.mk_or(ways);
                return Some(store.mk_not(possible));
            };
            if self.stop().is_some() {
                return None;
            }
            if !right.atoms.is_empty() {
                queue.extend(self.unfolded_where(&right, &partial.constraint, &kept));
                continue;
            }
            let store = &mut self.program.store;
            let way = store.mk_and(right.constraint);
            // What is left to choose would be under a quantifier.
            if store.free_symbols(way).iter().any(|symbol| !kept.contains(symbol))
                || is_about_arrays(store, way)
            {
                return None;
            }
            ways.push(way);
        }
        None
    }

    /// Values for the variables of the entailment that satisfy a constraint, small ones first.
    pub(super) fn ground(&mut self, partial: &Partial, avoided: &[TermId]) -> Option<Vec<TermId>> {
        let store = &mut self.program.store;
        let wanted: Vec<TermId> = partial.constraint.iter().chain(avoided).copied().collect();
        let terms: Vec<TermId> = wanted.iter().chain(&partial.values).copied().collect();
        let mut symbols: Vec<SymbolId> = terms.iter().flat_map(|&term| store.free_symbols(term)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let places = places(store, &terms);
        let is_number = |&term: &TermId| store.sort(store.sort_of(term)).is_integer();
        let numbers: Vec<TermId> = partial.values.iter().copied().filter(is_number).collect();
        let small = SMALL_NUMBERS.into_iter().find_map(|bound| {
            let store = &mut self.program.store;
            let (low, high) = (store.mk_int(-bound), store.mk_int(bound));
            let bounds = numbers.iter().flat_map(|&term| [store.mk_le(low, term), store.mk_le(term, high)]);
            let narrow: Vec<TermId> = bounds.collect::<Vec<_>>().into_iter().chain(wanted.clone()).collect();
            self.model(&symbols, &narrow, &places)
        });
        let found = small.or_else(|| self.model(&symbols, &wanted, &places))?;
        // The solver's values are substituted and checked again.
        let store = &mut self.program.store;
        let here = Substitution::from_pairs(store, found);
        let check: Vec<TermId> = wanted.iter().map(|&part| store.substitute(part, &here)).collect();
        let values = partial.values.iter().map(|&term| store.substitute(term, &here)).collect();
        self.solver.is_satisfiable(&self.program.store, &check).then_some(values)
    }

    fn model(
        &mut self,
        variables: &[SymbolId],
        formulas: &[TermId],
        places: &[TermId],
    ) -> Option<Vec<(SymbolId, TermId)>> {
        let store = &mut self.program.store;
        let mut asked: Vec<TermId> = places.to_vec();
        let mut shape: Vec<(SymbolId, bool)> = Vec::new();
        for &symbol in variables {
            let variable = store.mk_symbol(symbol);
            let is_array = is_array(store, variable);
            shape.push((symbol, is_array));
            match is_array {
                true => asked.extend(
                    places.iter().map(|&place| store.mk_apply(variable, &[place])).collect::<Vec<_>>(),
                ),
                false => asked.push(variable),
            }
        }
        let values = self.solver.model(&self.program.store, formulas, &asked)?;
        let store = &mut self.program.store;
        let (at, mut rest) = values.split_at(places.len());
        let mut result = Vec::new();
        for (symbol, is_array) in shape {
            let sort = store.symbol(symbol).sort;
            let value = if is_array {
                let (entries, later) = rest.split_at(places.len());
                rest = later;
                array(store, sort, at, entries)?
            } else {
                let (value, later) = rest.split_first()?;
                rest = later;
                store.mk_value(sort, value.as_ref()?)?
            };
            result.push((symbol, value));
        }
        Some(result)
    }

    /// Has a goal without free variables no derivation, whatever the existential variables are?
    fn is_impossible(&mut self, goal: &Goal, existentials: &[SymbolId]) -> bool {
        let store = &mut self.program.store;
        let names = fresh_like(store, existentials, Role::Index);
        let opened = renaming(store, existentials, &names);
        let goal = goal.substitute(store, &opened);
        let mut queue: VecDeque<Partial> = [self.partial(&goal, Vec::new())].into();
        for _ in 0..MAX_RIGHT_GOALS {
            let Some(partial) = queue.pop_front() else { return true };
            if self.solver.refutes(&self.program.store, &partial.constraint) {
                continue;
            }
            if partial.atoms.is_empty() || self.stop().is_some() {
                return false;
            }
            if partial.rules > 0 && partial.rules % 4 == 0 && self.is_proved_impossible(&partial) {
                continue;
            }
            queue.extend(self.unfolded(&partial));
        }
        queue.into_iter().all(|partial| self.is_proved_impossible(&partial))
    }

    /// Do lemmas say that there is no derivation?
    fn is_proved_impossible(&mut self, partial: &Partial) -> bool {
        let fact = |atom: &Atom| Fact { atom: atom.clone(), lineage: Vec::new() };
        let sequent = Sequent {
            left: partial.atoms.iter().map(fact).collect(),
            constraint: partial.constraint.clone(),
            existentials: Vec::new(),
            right: Goal { atoms: Vec::new(), constraint: TermId::FALSE },
            hypotheses: Vec::new(),
        };
        self.direct(&sequent, &ProofContext::plain()).is_some()
    }
}

impl Partial {
    /// The same with equations used.
    pub(super) fn solved(self, store: &mut TermStore) -> Partial {
        self.solved_except(store, &[])
    }

    /// The same where some variables have to stay.
    fn solved_except(mut self, store: &mut TermStore, kept: &[SymbolId]) -> Partial {
        let is_variable = |store: &TermStore, symbol: SymbolId| {
            store.symbol(symbol).role == Role::Index && !kept.contains(&symbol)
        };
        let mut position = 0;
        while position < self.constraint.len() {
            let part = self.constraint[position];
            let plain = solve(store, part, is_variable).map(|(symbol, value)| (symbol, value, TermId::TRUE));
            let Some((symbol, value, condition)) = plain.or_else(|| solve_writes(store, part, is_variable))
            else {
                position += 1;
                continue;
            };
            self.constraint[position] = condition;
            self.replace(store, symbol, value);
            position = 0;
        }
        self
    }

    fn replace(&mut self, store: &mut TermStore, symbol: SymbolId, value: TermId) {
        let replaced = Substitution::from_pairs(store, [(symbol, value)]);
        let mut parts = Vec::new();
        for &part in &self.constraint {
            let part = store.substitute(part, &replaced);
            parts.extend(store.conjuncts(part));
        }
        parts.retain(|&part| part != TermId::TRUE);
        self.constraint = parts;
        self.atoms = self.atoms.iter().map(|atom| atom.substitute(store, &replaced)).collect();
        self.values = self.values.iter().map(|&term| store.substitute(term, &replaced)).collect();
    }
}

/// The formula is false; where it says that arrays are equal, there is a place where they are not.
fn denied(store: &mut TermStore, formula: TermId) -> TermId {
    let mut cases = Vec::new();
    for part in store.conjuncts(formula) {
        let sides = (matches!(store.op(part), Op::Eq)).then(|| [store.args(part)[0], store.args(part)[1]]);
        match sides {
            Some([one, other]) if is_array(store, one) => {
                let Sort::Function { args, .. } = store.sort(store.sort_of(one)).clone() else { continue };
                let places: Vec<TermId> = args
                    .iter()
                    .map(|&sort| {
                        let place = store.fresh("place", sort, Role::Index);
                        store.mk_symbol(place)
                    })
                    .collect();
                let (here, there) = (store.mk_apply(one, &places), store.mk_apply(other, &places));
                cases.push(store.mk_ne(here, there));
            }
            _ => cases.push(store.mk_not(part)),
        }
    }
    store.mk_or(cases)
}

/// The terms at which formulas look at arrays.
fn places(store: &TermStore, formulas: &[TermId]) -> Vec<TermId> {
    let mut result: Vec<TermId> = Vec::new();
    for term in store.subterms_of_all(formulas.iter().copied()) {
        match store.op(term) {
            Op::Apply => result.extend(store.args(term).iter().skip(1)),
            // The places of writes are what the argument of the lambda is compared with.
            Op::Eq => result.extend(store.args(term)),
            _ => {}
        }
    }
    result.retain(|&term| store.is_closed(term) && store.sort(store.sort_of(term)).is_integer());
    result.sort_unstable();
    result.dedup();
    result
}

/// The array that has these entries, and somewhere else the one it has most often.
fn array(
    store: &mut TermStore,
    sort: tenet_term::SortId,
    at: &[Option<Value>],
    entries: &[Option<Value>],
) -> Option<TermId> {
    let Sort::Function { args, result } = store.sort(sort).clone() else { return None };
    let [domain] = args[..] else { return None };
    let usual = match store.sort(result).is_integer() {
        true => store.mk_int(0),
        false => store.mk_value(result, entries.iter().flatten().next()?)?,
    };
    let bound = store.bound_avoiding("u", domain, &[]);
    let mut term = store.mk_lambda(&[bound], usual);
    let mut known: Vec<(TermId, TermId)> = Vec::new();
    for (place, entry) in at.iter().zip(entries) {
        let (Some(place), Some(entry)) = (place, entry) else { continue };
        let pair = (store.mk_value(domain, place)?, store.mk_value(result, entry)?);
        if !known.contains(&pair) && pair.1 != usual {
            known.push(pair);
        }
    }
    for (place, entry) in known.into_iter().rev() {
        term = store.mk_store(term, &[place], entry);
    }
    Some(term)
}
