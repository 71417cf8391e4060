//! Does a run of an instance happen in the system itself?
//!
//! A range without an end has infinitely many values, an instance few of them. A rule that waits for all of them may never
//! be taken in the system, and what exists may be missing in the instance. So the rules of the run are executed
//! symbolically, one after the other, and a solver says whether the guards hold and the property is false at the end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tenet_solve::{Answer, Effort, Limits, Solver, Z3Solver};
use tenet_system::{Property, PropertyKind, System, domain};
use tenet_term::{Role, Substitution, SymbolId, TermId};

/// Effort for one run. What is not decided within it counts as a run that does not happen.
const EFFORT_PER_RUN: Effort = Effort::secs(1);

/// A rule or startstate that was taken, by position, and the numbers among its parameters.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    /// Position among the rules, or among the startstates for the first one.
    pub rule: usize,
    /// What is known of its parameters, by name.
    pub numbers: Vec<(String, i64)>,
}

/// Can these be taken one after the other, and is the property of this name false then? False also if the solver does not
/// know.
pub fn happens(system: &mut System, run: &[Taken], property: &str, interrupt: &Arc<AtomicBool>) -> bool {
    let Some((first, rest)) = run.split_first() else { return false };
    let Some(mut path) = Path::start(system, first) else { return false };
    if !rest.iter().all(|taken| path.step(system, taken)) {
        return false;
    }
    let end = path.state.clone();
    let is_it = |known: &&Property| known.name == property && matches!(known.kind, PropertyKind::Invariant);
    let formulas: Vec<TermId> = system.properties.iter().filter(is_it).map(|known| known.formula).collect();
    let [formula] = formulas[..] else { return false };
    let at_end = at(system, &end, formula);
    path.facts.push(system.store.mk_not(at_end));
    let mut solver = Z3Solver::new();
    solver.set_limits(Limits::until(interrupt.clone()).within(EFFORT_PER_RUN));
    path.facts.iter().for_each(|&fact| solver.assert(&system.store, fact));
    solver.check(&system.store, &[]) == Answer::Sat
}

/// What a path has led to, and what has to hold for it to be possible.
struct Path {
    state: Vec<(SymbolId, TermId)>,
    facts: Vec<TermId>,
}

impl Path {
    fn start(system: &mut System, taken: &Taken) -> Option<Path> {
        let start = system.starts.get(taken.rule)?.clone();
        let mut facts: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
        facts.extend(system.consts.clone().into_iter().map(|symbol| domain(&mut system.store, symbol)));
        let symbols = system.state.iter().map(|var| var.symbol);
        let mut path = Path { state: symbols.zip(start.values).collect(), facts };
        path.facts.push(start.constraint);
        path.facts.extend(start.params.into_iter().map(|symbol| domain(&mut system.store, symbol)));
        Some(path)
    }

    /// Takes a rule; false if there is none.
    fn step(&mut self, system: &mut System, taken: &Taken) -> bool {
        let Some(rule) = system.rules.get(taken.rule).cloned() else { return false };
        let mut known = self.state.clone();
        for &param in &rule.params {
            let info = system.store.symbol(param).clone();
            let fresh = system.store.fresh(&info.name, info.sort, Role::Input);
            self.facts.push(domain(&mut system.store, fresh));
            let term = system.store.mk_symbol(fresh);
            let number = taken.numbers.iter().find(|(name, _)| *name == info.name);
            if let (Some(&(_, number)), true) = (number, system.store.sort(info.sort).is_integer()) {
                let number = system.store.mk_int(number);
                self.facts.push(system.store.mk_eq(term, number));
            }
            known.push((param, term));
        }
        self.facts.push(at(system, &known, rule.guard));
        for (symbol, value) in rule.updates {
            let value = at(system, &known, value);
            self.state.iter_mut().filter(|(known, _)| *known == symbol).for_each(|entry| entry.1 = value);
        }
        for axiom in system.axioms.clone() {
            self.facts.push(at(system, &self.state, axiom.formula));
        }
        true
    }
}

fn at(system: &mut System, state: &[(SymbolId, TermId)], term: TermId) -> TermId {
    let substitution = Substitution::from_pairs(&system.store, state.iter().copied());
    system.store.substitute(term, &substitution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_system::{Rule, Start, StateVar};
    use tenet_term::SortId;

    /// `x` counts up, `x < limit` is to be shown; `next` may only be taken once every number is below `all`.
    fn counter(all: i64) -> System {
        let mut system = System::default();
        let store = &mut system.store;
        let x = store.declare("x", SortId::INT, Role::State);
        let step = store.declare("step", SortId::INT, Role::Input);
        let (zero, three) = (store.mk_int(0), store.mk_int(3));
        let (now, by) = (store.mk_symbol(x), store.mk_symbol(step));
        let more = store.mk_add([now, by]);
        let formula = store.mk_lt(now, three);
        let range = store.range_sort(0, 5);
        let number = store.declare("n", range, Role::Bound);
        let (term, all) = (store.mk_symbol(number), store.mk_int(all));
        let below = store.mk_lt(term, all);
        let guard = store.mk_forall(&[number], below);
        let source = Default::default();
        let name = String::from("counter");
        system.state.push(StateVar { symbol: x, args: Vec::new(), value: Default::default() });
        let (constraint, values) = (TermId::TRUE, vec![zero]);
        system.starts.push(Start { name: name.clone(), source, params: Vec::new(), constraint, values });
        let (params, updates) = (vec![step], vec![(x, more)]);
        system.rules.push(Rule { name: name.clone(), source, params, shown_params: 1, guard, updates });
        let kind = PropertyKind::Invariant;
        system.properties.push(Property { name, source, kind, formula });
        system
    }

    fn takes(steps: &[i64]) -> Vec<Taken> {
        let step = |&by: &i64| Taken { rule: 0, numbers: vec![("step".to_string(), by)] };
        std::iter::once(Taken::default()).chain(steps.iter().map(step)).collect()
    }

    #[test]
    fn a_run_happens_if_its_guards_hold_and_a_property_is_false_at_its_end() {
        let interrupt = Arc::default();
        assert!(happens(&mut counter(6), &takes(&[1, 2]), "counter", &interrupt));
        assert!(
            !happens(&mut counter(6), &takes(&[1, 1]), "counter", &interrupt),
            "nothing is wrong at the end"
        );
        assert!(
            !happens(&mut counter(5), &takes(&[1, 2]), "counter", &interrupt),
            "the rule cannot be taken"
        );
        assert!(!happens(&mut counter(6), &takes(&[1, 2]), "another", &interrupt), "it is about another");
        assert!(!happens(&mut counter(6), &[], "counter", &interrupt));
    }
}
