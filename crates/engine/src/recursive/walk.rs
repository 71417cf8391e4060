//! Explicit-state search for runs of a process: states with concrete values, breadth first.
//!
//! This sees less than paths with variables do (`run`), since of many values for what a transition may choose only a few are
//! tried. But each state is looked at once, so runs can be longer.

use rustc_hash::FxHashSet;
use tenet_system::recursive::Process;
use tenet_term::{Op, Sort, TermId, TermStore};

use super::outcome::Run;
use super::prover::Prover;
use super::refute::Partial;
use super::run::Path;

/// Values tried for what a transition may choose.
const MAX_VALUES: usize = 4;

impl Prover<'_> {
    /// A run that violates a property, if one is found among this many states.
    pub(super) fn violating_walk(
        &mut self,
        process: &Process,
        property: usize,
        states: usize,
    ) -> Option<Run> {
        let mut seen: FxHashSet<Vec<TermId>> = FxHashSet::default();
        let mut starts = Vec::new();
        for path in self.starts(process) {
            starts.extend(self.concrete(process, &path, process.start.variables.len(), &mut seen));
        }
        self.first_violation(process, property, states, starts, |prover, path| {
            let mut result = Vec::new();
            for (transition, taken) in process.transitions.iter().enumerate() {
                for longer in prover.longer(process, path, transition) {
                    result.extend(prover.concrete(process, &longer, taken.variables.len(), &mut seen));
                }
            }
            result
        })
    }

    /// The path with concrete values, in several ways, unless its last state was seen.
    fn concrete(
        &mut self,
        process: &Process,
        path: &Path,
        chosen: usize,
        seen: &mut FxHashSet<Vec<TermId>>,
    ) -> Vec<Path> {
        let last = path.states.values.len() - process.parameters.len();
        let (mut avoided, mut result) = (Vec::new(), Vec::new());
        for _ in 0..MAX_VALUES {
            let Some(mut values) = self.ground(&path.states, &avoided) else { break };
            let store = &mut self.program.store;
            let others = &path.states.values[last - chosen..last];
            avoided.extend(different(store, others, &values[last - chosen..last]));
            for value in &mut values[last..] {
                *value = canonical(store, *value);
            }
            if seen.insert(values[last..].to_vec()) {
                let states = Partial { values, ..Partial::default() };
                result.push(Path { states, transitions: path.transitions.clone() });
            }
            if avoided.is_empty() {
                break;
            }
        }
        result
    }
}

/// That some number among the terms has another value.
fn different(store: &mut TermStore, terms: &[TermId], values: &[TermId]) -> Option<TermId> {
    let mut same = Vec::new();
    for (&term, &value) in terms.iter().zip(values) {
        if store.sort(store.sort_of(term)).is_integer() && term != value {
            same.push(store.mk_eq(term, value));
        }
    }
    let same = (!same.is_empty()).then(|| store.mk_and(same))?;
    Some(store.mk_not(same))
}

/// An array with all its entries written once, in order, so that equal ones are the same term.
fn canonical(store: &mut TermStore, term: TermId) -> TermId {
    entries(store, term).unwrap_or(term)
}

fn entries(store: &mut TermStore, term: TermId) -> Option<TermId> {
    let Sort::Function { args, .. } = store.sort(store.sort_of(term)).clone() else { return None };
    let [domain] = args[..] else { return None };
    let mut places: Vec<i64> = Vec::new();
    for part in store.subterms(term) {
        if let Op::Eq = store.op(part) {
            let numbers = store.args(part).iter().filter_map(|&arg| store.as_int(arg));
            places.extend(numbers.filter_map(|number| i64::try_from(number).ok()));
        }
    }
    places.sort_unstable();
    places.dedup();
    let elsewhere = places.last().map_or(0, |last| last + 1);
    let at = |store: &mut TermStore, place: i64| {
        let place = store.mk_int(place);
        let entry = store.mk_apply(term, &[place]);
        store.is_value(entry).then_some(entry)
    };
    let usual = at(store, elsewhere)?;
    let bound = store.bound_avoiding("u", domain, &[]);
    let mut result = store.mk_lambda(&[bound], usual);
    for place in places {
        let entry = at(store, place)?;
        if entry != usual {
            let place = store.mk_int(place);
            result = store.mk_store(result, &[place], entry);
        }
    }
    Some(result)
}
