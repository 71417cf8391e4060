//! QI-T10: solutions that differ only in what does not matter are not enumerated one by one.

mod small;

use std::sync::Arc;

use small::Builder;
use tenet_abstraction::{Layout, Observation, Parts, Query};
use tenet_solve::Z3Solver;
use tenet_solve::quantifier::Policy;
use tenet_system::System;
use tenet_term::{Role, SortId, SymbolId, TermId};

/// A retirement buffer as in the out-of-order unit: entries between `head` and `tail` are in use, each depends on an
/// earlier one, and predicates speak of an entry and of the one it depends on. At first everything is arbitrary.
fn buffer() -> Builder {
    let mut b = Builder::new();
    let flags = b.store().function_sort(&[SortId::INT], SortId::BOOL);
    let numbers = b.store().function_sort(&[SortId::INT], SortId::INT);
    let sorts = [
        ("head", SortId::INT),
        ("tail", SortId::INT),
        ("valid", flags),
        ("ready", flags),
        ("done", flags),
        ("source", numbers),
        ("value", numbers),
    ];
    let state: Vec<SymbolId> = sorts.iter().map(|&(name, sort)| b.state(name, sort)).collect();
    let terms: Vec<TermId> = state.iter().map(|&symbol| b.store().mk_symbol(symbol)).collect();
    let [head, tail, valid, ready, done, source, value] = terms[..] else { unreachable!() };
    let params: Vec<SymbolId> = sorts
        .iter()
        .map(|&(name, sort)| b.store().declare(&format!("{name}0"), sort, Role::Initial))
        .collect();
    let values = params.iter().map(|&symbol| b.store().mk_symbol(symbol)).collect();
    b.start(params, TermId::TRUE, values);

    // An entry is added that depends on any earlier one.
    let ((s, s_term), (v, v_term)) = (b.input("s", SortId::INT), b.input("v", SortId::INT));
    let one = b.store().mk_int(1);
    let guard = b.store().mk_lt(s_term, tail);
    let next = b.store().mk_add([tail, one]);
    let set = |b: &mut Builder, array: TermId, value: TermId| b.store().mk_store(array, &[tail], value);
    let updates = vec![
        (state[1], next),
        (state[2], set(&mut b, valid, TermId::TRUE)),
        (state[4], set(&mut b, done, TermId::FALSE)),
        (state[5], set(&mut b, source, s_term)),
        (state[6], set(&mut b, value, v_term)),
    ];
    b.rule("add", vec![s, v], guard, updates);

    let x = b.index("x", SortId::INT);
    let before = b.store().mk_apply(source, &[x]);
    let zero = b.store().mk_int(0);
    let bounds = [(head, x), (head, before)].map(|(low, high)| b.store().mk_le(low, high));
    let order = [(x, tail), (before, x)].map(|(low, high)| b.store().mk_lt(low, high));
    bounds.into_iter().chain(order).for_each(|formula| b.predicate(formula));
    for entry in [x, before] {
        for array in [valid, ready, done] {
            let read = b.store().mk_apply(array, &[entry]);
            b.predicate(read);
        }
        let read = b.store().mk_apply(value, &[entry]);
        let is_zero = b.store().mk_eq(read, zero);
        b.predicate(is_zero);
    }
    b
}

/// How many valuations there are, and how many questions it took to find them.
fn count(system: &mut System, parts: impl Fn(&mut System, &Observation) -> Parts) -> (u128, u64) {
    let observation = Observation::of(system);
    let layout = Layout::new(observation.predicates.len());
    let parts = parts(system, &observation);
    let solver = Box::new(Z3Solver::ground());
    let mut query =
        Query::new(&mut system.store, &layout, &parts, &Policy::default(), solver, Arc::default());
    let (from, known) = (layout.space.full(), layout.space.empty());
    let set = query.image(&mut system.store, &from, &[], &known).expect("never interrupted");
    (layout.count(&set), query.statistics().calls)
}

#[test]
fn qi_t10_a_question_for_each_valuation_is_not_needed() {
    // One by one, it would take a question for each valuation and one more.
    let (states, calls) = count(&mut buffer().system, |system, observation| observation.start(system, 0));
    // Of the eight ways in which `head`, `x` and its source are ordered six are possible; the rest is independent.
    assert_eq!(states, 6 * (1 << 9));
    assert!(calls <= 64, "{calls} questions for {states} valuations");
    let (states, calls) = count(&mut buffer().system, |system, observation| {
        observation.rule(system, 0, &[tenet_term::Substitution::new()])
    });
    assert!(states > 1000);
    assert!(u128::from(calls) * 16 <= states, "{calls} questions for {states} valuations");
}
