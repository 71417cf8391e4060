//! Small questions whose result is written out.

use tenet_solve::quantifier::{Policy, ground, ground_signed};
use tenet_term::{Polarity, Role, SortId};

use crate::show::show;
use crate::world::World;

const ASSERTED: Polarity = Polarity { positive: true, negative: false };
const DENIED: Polarity = Polarity { positive: false, negative: true };

fn rounds(rounds: usize) -> Policy<'static> {
    Policy { rounds, ..Policy::default() }
}

#[test]
fn ex_t1_an_existential_that_must_hold_is_never_instantiated() {
    let mut w = World::new();
    let p = w.function("p", &[w.node], SortId::BOOL);
    let c = w.constant("c", w.node);
    let (x, xt) = w.bound("x", w.node);
    let body = w.apply(p, &[xt]);
    let some = w.exists(&[x], body);
    let of_c = w.apply(p, &[c]);
    let grounded = ground_signed(&mut w.store, &[(some, ASSERTED), (of_c, ASSERTED)], &[], &rounds(3));
    assert_eq!(show(&w.store, &grounded), "exists#1\np[c]\nwitness: exists#1 -> p[x#1]");
}

#[test]
fn ex_t2_one_witness_for_each_outer_instance() {
    let mut w = World::new();
    let r = w.function("r", &[w.node, w.node], SortId::BOOL);
    let [a, b] = ["a", "b"].map(|name| w.constant(name, w.node));
    let ((x, xt), (y, yt)) = (w.bound("x", w.node), w.bound("y", w.node));
    let body = w.apply(r, &[xt, yt]);
    let some = w.exists(&[y], body);
    let all = w.forall(&[x], some);
    let [aa, bb] = [a, b].map(|term| w.apply(r, &[term, term]));
    let no = w.or(&[aa, bb]);
    let no = w.not(no);
    let grounded = ground_signed(&mut w.store, &[(all, ASSERTED), (no, ASSERTED)], &[], &rounds(1));
    assert_eq!(
        show(&w.store, &grounded),
        "forall#1\n\
         !(r[a][a] | r[b][b])\n\
         witness: exists#2 -> r[a][y#2]\n\
         at a: forall#1 -> exists#2\n\
         witness: exists#3 -> r[b][y#3]\n\
         at b: forall#1 -> exists#3"
    );
    // The witnesses of one round are candidates in the next.
    let grounded = ground_signed(&mut w.store, &[(all, ASSERTED), (no, ASSERTED)], &[], &rounds(2));
    assert_eq!(grounded.skolems.len(), 4);
}

#[test]
fn ex_t3_both_polarities_have_their_facts() {
    let mut w = World::new();
    let p = w.function("p", &[w.node], SortId::BOOL);
    let c = w.constant("c", w.node);
    let (x, xt) = w.bound("x", w.node);
    let body = w.apply(p, &[xt]);
    let all = w.forall(&[x], body);
    let of_c = w.apply(p, &[c]);
    let grounded = ground(&mut w.store, &[all], &[of_c], &rounds(3));
    assert_eq!(
        show(&w.store, &grounded),
        "forall#1\n\
         witness: !forall#1 -> !p[x#1]\n\
         at c: forall#1 -> p[c]\n\
         at x#1: forall#1 -> p[x#1]"
    );
    let denied = ground_signed(&mut w.store, &[(all, DENIED)], &[of_c], &rounds(3));
    assert_eq!(show(&w.store, &denied), "forall#1\nwitness: !forall#1 -> !p[x#1]");
}

#[test]
fn polarity_is_followed_through_connectives() {
    let mut w = World::new();
    let p = w.function("p", &[w.node], SortId::BOOL);
    let (b, c) = (w.constant("b", SortId::BOOL), w.constant("c", w.node));
    let (x, xt) = w.bound("x", w.node);
    let body = w.apply(p, &[xt]);
    let all = w.forall(&[x], body);
    let of_c = w.apply(p, &[c]);
    for (formula, witness, instance) in [
        (w.implies(all, b), true, false),
        (w.implies(b, all), false, true),
        (w.not(all), true, false),
        (w.eq(b, all), true, true),
        (w.store.mk_ite(all, of_c, b), true, true),
        (w.store.mk_ite(b, of_c, all), false, true),
    ] {
        let grounded = ground_signed(&mut w.store, &[(formula, ASSERTED)], &[of_c], &rounds(1));
        let text = show(&w.store, &grounded);
        assert_eq!((text.contains("witness:"), text.contains("at c:")), (witness, instance), "{text}");
    }
}

#[test]
fn qi_t5_instances_and_witnesses_are_within_range() {
    let mut w = World::new();
    let range = w.store.range_sort(1, 9);
    let p = w.function("p", &[SortId::INT], SortId::BOOL);
    let c = w.constant("c", SortId::INT);
    let twelve = w.store.mk_int(12);
    let (x, xt) = w.bound("x", range);
    let body = w.apply(p, &[xt]);
    let all = w.forall(&[x], body);
    let [of_c, of_twelve] = [c, twelve].map(|term| w.apply(p, &[term]));
    let grounded = ground(&mut w.store, &[all], &[of_c, of_twelve], &rounds(1));
    // No instance at 12, which is out of range.
    assert_eq!(
        show(&w.store, &grounded),
        "forall#1\n\
         witness: !forall#1 -> 1 <= x#1 & x#1 <= 9 & !p[x#1]\n\
         at c: forall#1 -> 1 <= c & c <= 9 -> p[c]\n\
         at x#1: forall#1 -> 1 <= x#1 & x#1 <= 9 -> p[x#1]"
    );
}

#[test]
fn equal_functions_agree_everywhere() {
    let mut w = World::new();
    let (f, g) = (w.function("f", &[w.node], w.node), w.function("g", &[w.node], w.node));
    let c = w.constant("c", w.node);
    let same = w.eq(f, g);
    let of_c = w.apply(f, &[c]);
    let grounded = ground(&mut w.store, &[same], &[of_c], &rounds(1));
    assert_eq!(
        show(&w.store, &grounded),
        "forall#1\n\
         witness: !forall#1 -> f[k#1] != g[k#1]\n\
         at c: forall#1 -> f[c] = g[c]\n\
         at k#1: forall#1 -> f[k#1] = g[k#1]"
    );
    // A write, compared with the array that it was made from: the lambda is applied.
    let d = w.constant("d", w.node);
    let written = w.store.mk_store(f, &[c], d);
    let same = w.eq(written, f);
    let grounded = ground_signed(&mut w.store, &[(same, ASSERTED)], &[], &rounds(1));
    assert!(
        show(&w.store, &grounded).contains("at c: forall#1 -> f[c] = d"),
        "{}",
        show(&w.store, &grounded)
    );
    let distinct = w.store.raw(tenet_term::Op::Distinct, &[f, g, written]);
    let grounded = ground_signed(&mut w.store, &[(distinct, ASSERTED)], &[], &rounds(0));
    assert_eq!(grounded.skolems.len(), 3);
}

#[test]
fn offsets_are_solved() {
    let mut w = World::new();
    let f = w.function("f", &[SortId::INT], SortId::INT);
    let (n, m) = (w.constant("n", SortId::INT), w.constant("m", SortId::INT));
    let (x, xt) = w.bound("x", SortId::INT);
    let one = w.store.mk_int(1);
    let next = w.store.mk_add([xt, one]);
    let (here, there) = (w.apply(f, &[xt]), w.apply(f, &[next]));
    let less = w.store.mk_lt(here, there);
    let limit = w.store.mk_le(xt, m);
    let body = w.implies(limit, less);
    let all = w.forall(&[x], body);
    let of_n = w.apply(f, &[n]);
    let grounded = ground_signed(&mut w.store, &[(all, ASSERTED)], &[of_n], &rounds(1));
    // `n` from f[x], `n - 1` from f[x + 1], `m` from the comparison.
    assert_eq!(
        show(&w.store, &grounded),
        "forall#1\n\
         at n: forall#1 -> n <= m -> f[n] < f[n + 1]\n\
         at m: forall#1 -> f[m] < f[m + 1]\n\
         at n - 1: forall#1 -> n - 1 <= m -> f[n - 1] < f[n]"
    );
}

#[test]
fn quantifiers_inside_terms_get_proxies_in_place() {
    let mut w = World::new();
    let p = w.function("p", &[w.node], SortId::BOOL);
    let g = w.function("g", &[SortId::BOOL], w.node);
    let [a, b, c] = ["a", "b", "c"].map(|name| w.constant(name, w.node));
    let (x, xt) = w.bound("x", w.node);
    let body = w.apply(p, &[xt]);
    let some = w.exists(&[x], body);
    let chosen = w.store.mk_ite(some, a, b);
    let conditional = w.eq(chosen, c);
    let of_truth = w.apply(g, &[some]);
    let argument = w.eq(of_truth, c);
    let grounded =
        ground_signed(&mut w.store, &[(conditional, ASSERTED), (argument, ASSERTED)], &[], &rounds(1));
    let text = show(&w.store, &grounded);
    assert!(
        text.starts_with("c = (exists#1 ? a : b)\nc = g[exists#1]\nwitness: exists#1 -> p[x#1]\n"),
        "{text}"
    );
    assert!(text.contains(": p[x#1] -> exists#1"), "{text}");
}

#[test]
fn scopes_are_made_small() {
    let mut w = World::new();
    let [p, q] = ["p", "q"].map(|name| w.function(name, &[w.node], SortId::BOOL));
    let (c, b) = (w.constant("c", w.node), w.constant("b", SortId::BOOL));
    let ((x, xt), (y, yt)) = (w.bound("x", w.node), w.bound("y", w.node));
    let (px, qy) = (w.apply(p, &[xt]), w.apply(q, &[yt]));
    let parts = w.or(&[px, qy, b]);
    let is_c = w.eq(xt, c);
    let at_c = w.and(&[is_c, px]);
    for (formula, expected) in
        [(w.forall(&[x, y], parts), "b | forall#1 | forall#2"), (w.exists(&[x], at_c), "p[c]")]
    {
        let grounded = ground_signed(&mut w.store, &[(formula, ASSERTED)], &[], &rounds(0));
        assert_eq!(show(&w.store, &grounded), expected);
    }
    // The term that a variable is fixed to must be in the variable's range.
    let range = w.store.range_sort(0, 7);
    let (z, zt) = w.bound("z", range);
    let n = w.constant("n", SortId::INT);
    let is_n = w.eq(zt, n);
    let other = w.store.mk_ne(zt, n);
    for (formula, expected) in
        [(w.exists(&[z], is_n), "0 <= n & n <= 7"), (w.forall(&[z], other), "n < 0 | 7 < n")]
    {
        let grounded = ground(&mut w.store, &[formula], &[], &rounds(3));
        assert_eq!(show(&w.store, &grounded), expected);
    }
}

#[test]
fn constants_that_the_caller_made_are_candidates() {
    let mut w = World::new();
    let [p, q] = ["p", "q"].map(|name| w.function(name, &[w.node], SortId::BOOL));
    let sk = w.symbol("sk", w.node, Role::Skolem);
    let (x, xt) = w.bound("x", w.node);
    let body = w.apply(p, &[xt]);
    let all = w.forall(&[x], body);
    let of_sk = w.apply(q, &[sk]);
    let grounded = ground_signed(&mut w.store, &[(all, ASSERTED)], &[of_sk], &rounds(1));
    assert_eq!(show(&w.store, &grounded), "forall#1\nat sk: forall#1 -> p[sk]");
}

#[test]
fn a_sort_without_terms_still_has_a_value() {
    let mut w = World::new();
    let p = w.function("p", &[w.node], SortId::BOOL);
    let (x, xt) = w.bound("x", w.node);
    let yes = w.apply(p, &[xt]);
    let no = w.not(yes);
    let (all, none) = (w.forall(&[x], yes), w.forall(&[x], no));
    let grounded = ground_signed(&mut w.store, &[(all, ASSERTED), (none, ASSERTED)], &[], &rounds(3));
    assert_eq!(
        show(&w.store, &grounded),
        "forall#1\n\
         forall#2\n\
         at NODE#any: forall#1 -> p[NODE#any]\n\
         at NODE#any: forall#2 -> !p[NODE#any]"
    );
    assert_eq!(grounded.skolems.len(), 1);
}

#[test]
fn small_sorts_are_gone_through() {
    let mut w = World::new();
    let color = w.store.enum_sort("COLOR", &["Red", "Green"]);
    let either = w.store.union_sort("EITHER", &[color, w.node]);
    let p = w.function("p", &[color], SortId::BOOL);
    let u = w.function("u", &[either], SortId::BOOL);
    let c = w.constant("c", w.node);
    let ((x, xt), (y, yt)) = (w.bound("x", color), w.bound("y", w.node));
    let body = w.apply(p, &[xt]);
    let all = w.forall(&[x], body);
    let grounded = ground_signed(&mut w.store, &[(all, ASSERTED)], &[], &rounds(1));
    assert_eq!(
        show(&w.store, &grounded),
        "forall#1\nat Red: forall#1 -> p[Red]\nat Green: forall#1 -> p[Green]"
    );
    // An index as a value of a union: found behind the injection.
    let inside = w.store.mk_in(either, w.node, yt);
    let body = w.apply(u, &[inside]);
    let all = w.forall(&[y], body);
    let injected = w.store.mk_in(either, w.node, c);
    let at_c = w.apply(u, &[injected]);
    let grounded = ground_signed(&mut w.store, &[(all, ASSERTED)], &[at_c], &rounds(1));
    let at_c = w.store.print(at_c);
    assert_eq!(show(&w.store, &grounded), format!("forall#1\nat c: forall#1 -> {at_c}"));
}

#[test]
fn results_of_several_calls_belong_together() {
    let mut w = World::new();
    let p = w.function("p", &[w.node], SortId::BOOL);
    let (x, xt) = w.bound("x", w.node);
    let body = w.apply(p, &[xt]);
    let all = w.forall(&[x], body);
    let denied = w.not(all);
    let first = ground(&mut w.store, &[all], &[], &rounds(1));
    let second = ground(&mut w.store, &[denied], &[], &rounds(1));
    assert_eq!(w.not(first.roots[0]), second.roots[0]);
    assert_eq!((first.skolems, first.facts), (second.skolems, second.facts));
}

#[test]
fn variables_that_are_each_other_leave_no_trace() {
    let mut w = World::new();
    let range = w.store.range_sort(0, 1);
    let p = w.function("p", &[range], SortId::BOOL);
    let c = w.constant("c", SortId::INT);
    let ((x, xt), (y, yt)) = (w.bound("x", range), w.bound("y", range));
    // exists x, y. x = y & y = c & p[x]: `x` is `y`, which is `c`, and the range of each is that of `c`.
    let same = w.store.mk_eq(xt, yt);
    let fixed = w.store.mk_eq(yt, c);
    let of_x = w.apply(p, &[xt]);
    let body = w.store.mk_and([same, fixed, of_x]);
    let some = w.exists(&[x, y], body);
    let grounded = ground_signed(&mut w.store, &[(some, ASSERTED)], &[], &rounds(1));
    assert_eq!(show(&w.store, &grounded), "0 <= c & c <= 1 & p[c]");
}
