//! Why a property is not proved: each cause has a system that shows it.

mod small;

use small::{Builder, f_shift, frontier, is_proved, run_with};
use tenet_engine::reach::{Cause, Instances, Options};
use tenet_engine::{Obstacle, Outcome};
use tenet_system::System;
use tenet_term::{Role, SortId, TermId};

/// Two marks on every element, all set at first; `mark[q] := busy[p]`, and all of `mark` stay set.
struct Copying {
    builder: Builder,
    i: TermId,
    mark: TermId,
    busy: TermId,
}

fn copying() -> Copying {
    let mut b = Builder::new();
    let node = b.store().index_sort("NODE");
    let sort = b.store().function_sort(&[node], SortId::BOOL);
    let (mark_symbol, busy_symbol) = (b.state("mark", sort), b.state("busy", sort));
    let (mark, busy) = (b.store().mk_symbol(mark_symbol), b.store().mk_symbol(busy_symbol));
    let (u, u_term) = b.bound("u", node);
    let set = b.store().mk_lambda(&[u], TermId::TRUE);
    b.start(Vec::new(), TermId::TRUE, vec![set, set]);
    let ((p, p_term), (q, q_term)) = (b.input("p", node), b.input("q", node));
    let read = b.store().mk_apply(busy, &[p_term]);
    let written = b.store().mk_store(mark, &[q_term], read);
    b.rule("copy", vec![p, q], TermId::TRUE, vec![(mark_symbol, written)]);
    let i = b.index("i", node);
    let everywhere = b.store().mk_apply(mark, &[u_term]);
    let property = b.store().mk_forall(&[u], everywhere);
    b.property(property);
    Copying { builder: b, i, mark, busy }
}

fn observe(copying: &mut Copying, arrays: &[TermId]) {
    for &array in arrays {
        let here = copying.builder.store().mk_apply(array, &[copying.i]);
        copying.builder.predicate(here);
    }
}

fn run(system: &mut System, instances: Instances) -> Outcome {
    run_with(system, &Options { instances, ..Options::default() })
}

fn cause(outcome: &Outcome) -> Cause {
    match outcome.first_open().and_then(|open| open.obstacle.as_ref()) {
        Some(Obstacle::State(failure)) => failure.cause,
        _ => panic!("{outcome:?}"),
    }
}

#[test]
fn qi_1_5_predicates_that_cannot_say_it() {
    let mut copying = copying();
    let mark = copying.mark;
    observe(&mut copying, &[mark]);
    let outcome = run(&mut copying.builder.system, Instances::Generated { deepenings: 2 });
    assert_eq!(cause(&outcome), Cause::Predicates);
}

#[test]
fn qi_1_5_instances_that_are_missing() {
    let mut copying = copying();
    let arrays = [copying.mark, copying.busy];
    observe(&mut copying, &arrays);
    // Only the identity, so that nothing is known of `busy[p]`.
    let outcome = run(&mut copying.builder.system.clone(), Instances::Forced);
    assert_eq!(cause(&outcome), Cause::Instances);
    assert!(is_proved(&run(&mut copying.builder.system, Instances::Generated { deepenings: 0 })));
}

#[test]
fn qi_1_5_a_property_that_is_false() {
    let mut copying = copying();
    let arrays = [copying.mark, copying.busy];
    observe(&mut copying, &arrays);
    let store = &mut copying.builder.system.store;
    let (symbol, node) = (copying.builder.system.state[1].symbol, store.index_sort("NODE"));
    let u = store.declare("u", node, Role::Bound);
    let unset = store.mk_lambda(&[u], TermId::FALSE);
    copying.builder.rule("clear", Vec::new(), TermId::TRUE, vec![(symbol, unset)]);
    let outcome = run(&mut copying.builder.system, Instances::Generated { deepenings: 1 });
    assert_eq!(cause(&outcome), Cause::False);
}

#[test]
fn qi_1_5_instances_that_are_missing_where_nothing_is_finite() {
    let mut shift = f_shift();
    shift.builder.force(shift.x, shift.x);
    let outcome = run(&mut shift.builder.system, Instances::Forced);
    assert_eq!(cause(&outcome), Cause::Instances);
}

#[test]
fn qi_1_5_predicates_that_are_missing_where_nothing_is_finite() {
    let (mut counting, ..) = frontier();
    let outcome = run(&mut counting.system, Instances::Generated { deepenings: 2 });
    assert_eq!(cause(&outcome), Cause::PredicatesOrFalse);
}

/// The start is known up to a quantifier only, so the exact abstraction has no beginning.
#[test]
fn qi_1_5_it_cannot_be_told_where_quantifiers_are_left() {
    let mut b = Builder::new();
    let sort = b.store().function_sort(&[SortId::INT], SortId::INT);
    let f = b.state("f", sort);
    let any = b.store().declare("f0", sort, Role::Initial);
    let value = b.store().mk_symbol(any);
    b.start(vec![any], TermId::TRUE, vec![value]);
    let (u, place) = b.bound("u", SortId::INT);
    let array = b.store().mk_symbol(f);
    let entry = b.store().mk_apply(array, &[place]);
    for (number, is_predicate) in [(0, true), (1, false)] {
        let number = b.store().mk_int(number);
        let body = b.store().mk_ge(entry, number);
        let everywhere = b.store().mk_forall(&[u], body);
        if is_predicate { b.predicate(everywhere) } else { b.property(everywhere) }
    }
    let outcome = run(&mut b.system, Instances::Generated { deepenings: 1 });
    assert_eq!(cause(&outcome), Cause::Unclear);
}

#[test]
fn qi_1_5_the_whole_system_tells_where_instances_are_too_large() {
    // Some more marks, and an instance of three elements has too many states; smaller ones do not suffice.
    let mut copying = copying();
    let arrays = [copying.mark, copying.busy];
    observe(&mut copying, &arrays);
    let store = &mut copying.builder.system.store;
    let node = store.index_sort("NODE");
    let sort = store.function_sort(&[node], SortId::BOOL);
    let u = store.declare("u", node, Role::Bound);
    let set = store.mk_lambda(&[u], TermId::TRUE);
    for name in ["c", "d", "e"] {
        copying.builder.state(name, sort);
        copying.builder.system.starts[0].values.push(set);
    }
    let outcome = run(&mut copying.builder.system, Instances::Forced);
    assert_eq!(cause(&outcome), Cause::Instances);
}
