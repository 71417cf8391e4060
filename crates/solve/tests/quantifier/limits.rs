//! Forced and forbidden terms, limits, rounds.

use tenet_solve::quantifier::{FactKind, Grounded, Policy, ground_signed};
use tenet_term::{Polarity, SortId, TermId};

use crate::world::World;

const ASSERTED: Polarity = Polarity { positive: true, negative: false };

/// The terms of all instances, as text.
fn instances(w: &World, grounded: &Grounded) -> Vec<String> {
    let facts = grounded.facts.iter();
    facts
        .filter_map(|fact| match &fact.kind {
            FactKind::Instance { terms } => {
                Some(terms.iter().map(|&term| w.store.print(term)).collect::<Vec<_>>().join(","))
            }
            _ => None,
        })
        .collect()
}

fn asserted(w: &mut World, formulas: &[TermId], terms: &[TermId], policy: &Policy) -> Grounded {
    let signed: Vec<_> = formulas.iter().map(|&formula| (formula, ASSERTED)).collect();
    ground_signed(&mut w.store, &signed, terms, policy)
}

#[test]
fn forced_terms_are_used_and_forbidden_ones_are_not() {
    let mut w = World::new();
    let other = w.store.index_sort("OTHER");
    let p = w.function("p", &[w.node], SortId::BOOL);
    let [a, b, c] = ["a", "b", "c"].map(|name| w.constant(name, w.node));
    let (x, xt) = w.bound("x", w.node);
    let body = w.apply(p, &[xt]);
    let all = w.forall(&[x], body);
    let terms = [a, b].map(|term| w.apply(p, &[term]));
    let plain = asserted(&mut w, &[all], &terms, &Policy::default());
    assert_eq!(instances(&w, &plain), ["a", "b"]);
    let mut policy = Policy { forced: vec![(w.node, c)], forbidden: vec![(w.node, a)], ..Policy::default() };
    let steered = asserted(&mut w, &[all], &terms, &policy);
    assert_eq!(instances(&w, &steered), ["b", "c"]);
    // Hints about another sort are about something else.
    policy.forced[0].0 = other;
    policy.forbidden[0].0 = other;
    let steered = asserted(&mut w, &[all], &terms, &policy);
    assert_eq!(instances(&w, &steered), ["a", "b"]);
}

#[test]
fn the_limit_cuts_all_quantifiers_alike() {
    let mut w = World::new();
    let [p, q] = ["p", "q"].map(|name| w.function(name, &[w.node, w.node], SortId::BOOL));
    let s = w.function("s", &[w.node], SortId::BOOL);
    let ((x, xt), (y, yt)) = (w.bound("x", w.node), w.bound("y", w.node));
    let bodies = [w.apply(p, &[xt, yt]), w.apply(q, &[xt, yt])];
    let mut formulas = bodies.map(|body| w.forall(&[x, y], body)).to_vec();
    let single = w.apply(s, &[xt]);
    formulas.push(w.forall(&[x], single));
    let mut terms = Vec::new();
    for number in 0..10 {
        let c = w.constant(&format!("c{number}"), w.node);
        terms.extend([w.apply(p, &[c, c]), w.apply(q, &[c, c]), w.apply(s, &[c])]);
    }
    let all = asserted(&mut w, &formulas, &terms, &Policy::default());
    assert!(!all.cut);
    assert_eq!(instances(&w, &all).len(), 210);
    let policy = Policy { limit: 30, ..Policy::default() };
    let some = asserted(&mut w, &formulas, &terms, &policy);
    assert!(some.cut);
    let shares =
        formulas.iter().map(|&formula| some.facts.iter().filter(|fact| fact.quantifier == formula).count());
    assert_eq!(shares.collect::<Vec<_>>(), [10, 10, 10]);
    // Neither variable is stuck at its first candidate.
    let used = instances(&w, &some);
    assert!(used.contains(&"c0,c1".to_string()) && used.contains(&"c1,c0".to_string()), "{used:?}");
    // A limit that is just enough cuts nothing.
    let exact = asserted(&mut w, &formulas, &terms, &Policy { limit: 210, ..Policy::default() });
    assert!(!exact.cut);
}

#[test]
fn terms_grow_with_the_rounds_only() {
    let mut w = World::new();
    let p = w.function("p", &[w.node], SortId::BOOL);
    let f = w.function("f", &[w.node], w.node);
    let c = w.constant("c", w.node);
    let (x, xt) = w.bound("x", w.node);
    let next = w.apply(f, &[xt]);
    let (here, there) = (w.apply(p, &[xt]), w.apply(p, &[next]));
    let body = w.implies(here, there);
    let all = w.forall(&[x], body);
    let start = w.apply(p, &[c]);
    for (rounds, expected) in
        [(0, vec![]), (1, vec!["c"]), (2, vec!["c", "f[c]"]), (3, vec!["c", "f[c]", "f[f[c]]"])]
    {
        let policy = Policy { rounds, ..Policy::default() };
        let grounded = asserted(&mut w, &[all], &[start], &policy);
        assert_eq!(instances(&w, &grounded), expected);
    }
    // Two functions: what doubles with each round stops with the rounds, and terms get deeper by a step at a time.
    let g = w.function("g", &[w.node], w.node);
    let further = w.apply(g, &[next]);
    let further = w.apply(g, &[further]);
    let further = w.apply(p, &[further]);
    let body = w.implies(here, further);
    let more = w.forall(&[x], body);
    let policy = Policy { rounds: 4, ..Policy::default() };
    let grounded = asserted(&mut w, &[all, more], &[start], &policy);
    assert!(instances(&w, &grounded).len() < 40, "{:?}", instances(&w, &grounded));
}
