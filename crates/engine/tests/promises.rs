//! What declarations promise of values is used before a step and never after it, where it is to be shown (X-T4).

mod small;

use small::{Builder, generated, is_proved};
use tenet_system::{Axiom, Bounds};
use tenet_term::{SortId, TermId};

/// A counter declared as `0..3` that a rule increments as long as it is below a limit.
fn counter(limit: i64) -> Builder {
    let mut b = Builder::new();
    let small = b.store().range_sort(0, 3);
    let n = b.state("n", small);
    let [zero, one, three, limit] = [0, 1, 3, limit].map(|number| b.store().mk_int(number));
    b.start(Vec::new(), TermId::TRUE, vec![zero]);
    let old = b.store().mk_symbol(n);
    let new = b.store().mk_add([old, one]);
    let guard = b.store().mk_lt(old, limit);
    b.rule("increment", Vec::new(), guard, vec![(n, new)]);
    let inside = b.store().mk_le(old, three);
    b.predicate(inside);
    b.property(inside);
    b
}

#[test]
fn x_t4_a_step_out_of_range_is_seen() {
    assert!(!is_proved(&generated(&mut counter(4).system)));
    assert!(is_proved(&generated(&mut counter(3).system)));
}

#[test]
fn x_t4_a_start_out_of_range_is_seen() {
    let mut b = counter(3);
    let four = b.store().mk_int(4);
    b.system.starts[0].values = vec![four];
    assert!(!is_proved(&generated(&mut b.system)));
}

/// An array whose elements from `low` on are true, and a rule that clears the one before.
fn guarded() -> Builder {
    let mut b = Builder::new();
    let sort = b.store().function_sort(&[SortId::INT], SortId::BOOL);
    let (f, low) = (b.state("f", sort), b.constant("low", SortId::INT));
    let f_term = b.store().mk_symbol(f);
    let (u, u_term) = b.bound("u", SortId::INT);
    let start = {
        let body = b.store().mk_le(low, u_term);
        b.store().mk_lambda(&[u], body)
    };
    b.start(Vec::new(), TermId::TRUE, vec![start]);
    let ((p, p_term), (q, q_term)) = (b.input("p", SortId::INT), b.input("q", SortId::INT));
    let read = b.store().mk_apply(f_term, &[p_term]);
    let written = b.store().mk_store(f_term, &[q_term], read);
    b.rule("copy", vec![p, q], TermId::TRUE, vec![(f, written)]);
    let x = b.index("x", SortId::INT);
    b.system.indices[0].bounds = Bounds { lo: Some(low), hi: None };
    let here = b.store().mk_apply(f_term, &[x]);
    b.predicate(here);
    for term in [x, p_term] {
        b.force(x, term);
    }
    let there = b.store().mk_apply(f_term, &[u_term]);
    let above = b.store().mk_le(low, u_term);
    let body = b.store().mk_implies(above, there);
    let property = b.store().mk_forall(&[u], body);
    b.property(property);
    b
}

#[test]
fn qi_t5_an_instance_out_of_bounds_says_nothing() {
    // `f[q] := f[p]` with `p` below the bound, where nothing is known of `f`: an instance at `p` without its guard would
    // prove what is false.
    let mut b = guarded();
    let outcome = small::forced(&mut b.system);
    assert!(small::details(&outcome).is_complete && !is_proved(&outcome));
    // Where the bound is known to hold for `p` it is proved.
    let store = &mut b.system.store;
    let low = b.system.indices[0].bounds.lo.expect("it has one");
    let p = b.system.rules[0].params[0];
    let p = store.mk_symbol(p);
    b.system.rules[0].guard = store.mk_le(low, p);
    assert!(is_proved(&small::forced(&mut b.system)));
}

#[test]
fn qi_t4_an_axiom_about_constants_holds_before_and_after() {
    let mut b = guarded();
    let store = &mut b.system.store;
    let low = b.system.indices[0].bounds.lo.expect("it has one");
    let zero = store.mk_int(0);
    let formula = store.mk_le(low, zero);
    b.system.axioms.push(Axiom { name: "low".into(), source: Default::default(), formula });
    let p = b.system.rules[0].params[0];
    let p = store.mk_symbol(p);
    b.system.rules[0].guard = store.mk_le(zero, p);
    assert!(is_proved(&small::forced(&mut b.system)));
    b.system.axioms.clear();
    assert!(!is_proved(&small::forced(&mut b.system)));
}
