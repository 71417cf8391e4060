//! Runs over data without bound: those that happen, and those that do not for one reason each.
//!
//! The system counts: `x` starts with a number from 0 to 3, and a rule adds 1 to 4 while `x` is below the constant `limit`, which
//! is at most 10.

use tenet_system::run::{RunError, State, Taken, Violation, replay, replay_violation};
use tenet_system::{Axiom, Property, PropertyKind, Rule, Run, Start, StateVar, System};
use tenet_term::{Role, SortId, SymbolId, TermId, Value};

const BELOW: usize = 0;
const SMALL: usize = 1;
const NO_SQUARE: usize = 2;
const NOT_ZERO: usize = 3;

struct Counter {
    system: System,
    limit: SymbolId,
    any: SymbolId,
    step: SymbolId,
}

impl Counter {
    fn new() -> Counter {
        let mut system = System::default();
        let store = &mut system.store;
        let (tens, threes, steps) = (store.range_sort(0, 10), store.range_sort(0, 3), store.range_sort(1, 4));
        let x = store.declare("x", SortId::INT, Role::State);
        let (limit, any) =
            (store.declare("limit", tens, Role::Const), store.declare("any", threes, Role::Initial));
        let step = store.declare("step", steps, Role::Input);
        let [x_term, limit_term, any_term, step_term] =
            [x, limit, any, step].map(|symbol| store.mk_symbol(symbol));
        let guard = store.mk_lt(x_term, limit_term);
        let sum = store.mk_add([x_term, step_term]);
        system.state = vec![StateVar { symbol: x, args: Vec::new(), value: Default::default() }];
        system.consts = vec![limit];
        system.starts = vec![Start {
            name: "start".into(),
            source: Default::default(),
            params: vec![any],
            constraint: TermId::TRUE,
            values: vec![any_term],
        }];
        system.rules = vec![Rule {
            name: "add".into(),
            source: Default::default(),
            params: vec![step],
            shown_params: 1,
            guard,
            updates: vec![(x, sum)],
        }];
        let mut counter = Counter { system, limit, any, step };
        counter.add_properties(x_term, limit_term, any_term);
        counter
    }

    fn add_properties(&mut self, x: TermId, limit: TermId, any: TermId) {
        let store = &mut self.system.store;
        let below = store.mk_le(x, limit);
        let hundred = store.mk_int(100);
        let small = store.mk_le(x, hundred);
        let threes = store.range_sort(0, 3);
        let root = store.declare("root", threes, Role::Bound);
        let root_term = store.mk_symbol(root);
        let square = store.mk_mul(root_term, root_term);
        let is_root = store.mk_eq(square, x);
        let is_none = store.mk_not(is_root);
        let no_square = store.mk_forall(&[root], is_none);
        let zero = store.mk_int(0);
        let not_zero = store.mk_lt(zero, any);
        let properties = [
            ("below", PropertyKind::Invariant, below),
            ("small", PropertyKind::Invariant, small),
            ("no square", PropertyKind::Invariant, no_square),
            ("not zero", PropertyKind::Start { start: 0 }, not_zero),
        ];
        self.system.properties = properties
            .map(|(name, kind, formula)| Property {
                name: name.into(),
                source: Default::default(),
                kind,
                formula,
            })
            .into();
    }

    /// The run with this limit, from this number, with these steps.
    fn run(&self, limit: i64, any: i64, steps: &[i64]) -> Run {
        let taken = |symbol, value: i64| Taken { rule: 0, params: vec![(symbol, number(value))] };
        Run {
            consts: vec![(self.limit, number(limit))],
            start: taken(self.any, any),
            rules: steps.iter().map(|&step| taken(self.step, step)).collect(),
        }
    }

    fn replay(&mut self, limit: i64, any: i64, steps: &[i64]) -> Result<Vec<State>, RunError> {
        let run = self.run(limit, any, steps);
        replay(&mut self.system, &run)
    }

    fn violation(&mut self, property: usize, run: Run, witness: &[i64]) -> Result<Vec<State>, RunError> {
        let witness = witness.iter().map(|&value| number(value)).collect();
        replay_violation(&mut self.system, &Violation { property, run, witness })
    }
}

fn number(value: i64) -> Value {
    Value::Int(value.into())
}

fn states(values: &[i64]) -> Vec<State> {
    values.iter().map(|&value| vec![number(value)]).collect()
}

#[test]
fn a_run_has_the_states_that_its_choices_lead_to() {
    assert_eq!(Counter::new().replay(5, 2, &[1, 4]), Ok(states(&[2, 3, 7])));
    assert_eq!(Counter::new().replay(0, 0, &[]), Ok(states(&[0])));
}

#[test]
fn a_guard_that_is_false_ends_it() {
    assert_eq!(Counter::new().replay(5, 2, &[3, 1]), Err(RunError::NotEnabled(2)));
}

#[test]
fn a_constraint_or_an_axiom_that_is_false_ends_it() {
    let mut counter = Counter::new();
    counter.system.starts[0].constraint = TermId::FALSE;
    assert_eq!(counter.replay(5, 2, &[]), Err(RunError::NotEnabled(0)));
    let mut counter = Counter::new();
    let formula = counter.system.properties[BELOW].formula;
    counter.system.axioms.push(Axiom { name: "below".into(), source: Default::default(), formula });
    assert_eq!(counter.replay(5, 2, &[2, 4]), Err(RunError::NotEnabled(2)));
}

#[test]
fn values_have_to_be_within_their_ranges() {
    assert_eq!(Counter::new().replay(5, 2, &[1, 5]), Err(RunError::NotEnabled(2)));
    assert_eq!(Counter::new().replay(5, 4, &[]), Err(RunError::NotEnabled(0)));
    assert_eq!(Counter::new().replay(11, 2, &[]), Err(RunError::NotEnabled(0)));
}

#[test]
fn everything_that_is_chosen_needs_a_value() {
    let mut counter = Counter::new();
    let mut without_step = counter.run(5, 2, &[1]);
    without_step.rules[0].params.clear();
    let missing = |step, name: &str| Err(RunError::NoValue(step, name.to_string()));
    assert_eq!(replay(&mut counter.system, &without_step), missing(1, "step"));
    let mut without_limit = counter.run(5, 2, &[1]);
    without_limit.consts.clear();
    assert_eq!(replay(&mut counter.system, &without_limit), missing(0, "limit"));
    let mut without_start = counter.run(5, 2, &[1]);
    without_start.start.params.clear();
    assert_eq!(replay(&mut counter.system, &without_start), missing(0, "any"));
}

#[test]
fn a_violation_is_one_only_if_the_property_is_false_at_its_end() {
    let mut counter = Counter::new();
    let run = counter.run(5, 2, &[2, 4]);
    assert_eq!(counter.violation(BELOW, run.clone(), &[]), Ok(states(&[2, 4, 8])));
    assert_eq!(counter.violation(SMALL, run, &[]), Err(RunError::NotViolated));
    let shorter = counter.run(5, 2, &[2]);
    assert_eq!(counter.violation(BELOW, shorter, &[]), Err(RunError::NotViolated));
    let impossible = counter.run(5, 2, &[4, 4]);
    assert_eq!(counter.violation(BELOW, impossible, &[]), Err(RunError::NotEnabled(2)));
}

#[test]
fn what_a_property_says_of_everything_is_false_of_the_witness() {
    let mut counter = Counter::new();
    let run = counter.run(10, 0, &[4]);
    assert_eq!(counter.violation(NO_SQUARE, run.clone(), &[2]), Ok(states(&[0, 4])));
    assert_eq!(counter.violation(NO_SQUARE, run.clone(), &[1]), Err(RunError::NotViolated));
    let unclear = Err(RunError::NoValue(1, "the property".to_string()));
    assert_eq!(counter.violation(NO_SQUARE, run.clone(), &[]), unclear);
    // The square of -2 is 4, but it is not one of the numbers that the property speaks of.
    assert_eq!(counter.violation(NO_SQUARE, run, &[-2]), unclear);
}

#[test]
fn a_demand_on_a_startstate_is_violated_before_any_step() {
    let mut counter = Counter::new();
    let run = counter.run(5, 0, &[]);
    assert_eq!(counter.violation(NOT_ZERO, run, &[]), Ok(states(&[0])));
    let run = counter.run(5, 1, &[]);
    assert_eq!(counter.violation(NOT_ZERO, run, &[]), Err(RunError::NotViolated));
    let run = counter.run(5, 0, &[1]);
    assert_eq!(counter.violation(NOT_ZERO, run, &[]), Err(RunError::NotViolated));
}
