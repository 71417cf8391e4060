//! What the smart constructors make of their operands, and what the raw ones leave alone.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use num_bigint::BigInt;
use num_rational::BigRational;
use tenet_term::{Building, Op, Role, Sort, SortId, Substituter, Substitution, SymbolId, TermId, TermStore};

struct Fixture {
    store: TermStore,
    node: SortId,
    color: SortId,
    p: TermId,
    q: TermId,
    x: TermId,
    y: TermId,
    c: TermId,
    n: TermId,
    m: TermId,
}

impl Fixture {
    fn new() -> Fixture {
        let mut store = TermStore::new();
        let node = store.index_sort("NODE");
        let color = store.enum_sort("COLOR", &["Red", "Green", "Blue"]);
        let mut state = |name: &str, sort| {
            let symbol = store.declare(name, sort, Role::State);
            store.mk_symbol(symbol)
        };
        let (p, q) = (state("p", SortId::BOOL), state("q", SortId::BOOL));
        let (x, y) = (state("x", SortId::INT), state("y", SortId::INT));
        let (c, n, m) = (state("c", color), state("n", node), state("m", node));
        Fixture { store, node, color, p, q, x, y, c, n, m }
    }

    fn array(&mut self, name: &str, domain: &[SortId], result: SortId) -> (SymbolId, TermId) {
        let sort = self.store.function_sort(domain, result);
        let symbol = self.store.declare(name, sort, Role::State);
        (symbol, self.store.mk_symbol(symbol))
    }

    #[track_caller]
    fn check(&self, term: TermId, expected: &str) {
        assert_eq!(self.store.print(term), expected);
    }
}

#[test]
fn connectives_fold_flatten_and_cancel() {
    let mut f = Fixture::new();
    let (p, q) = (f.p, f.q);
    let not_p = f.store.mk_not(p);
    assert_eq!(f.store.mk_not(not_p), p);
    assert_eq!(f.store.mk_and([]), TermId::TRUE);
    assert_eq!(f.store.mk_or([]), TermId::FALSE);
    assert_eq!(f.store.mk_and([p, TermId::TRUE, p]), p);
    assert_eq!(f.store.mk_and([q, p, not_p]), TermId::FALSE);
    assert_eq!(f.store.mk_or([not_p, q, p]), TermId::TRUE);
    assert_eq!(f.store.mk_and([p, q]), f.store.mk_and([q, p]));
    let (inner, x_less) = (f.store.mk_and([p, q]), f.store.mk_lt(f.x, f.y));
    let nested = f.store.mk_and([x_less, inner]);
    f.check(nested, "p & q & x < y");
    assert_eq!(f.store.mk_implies(p, p), TermId::TRUE);
    assert_eq!(f.store.mk_implies(p, TermId::FALSE), not_p);
    assert_eq!(f.store.mk_implies(not_p, p), p);
    assert_eq!(f.store.mk_iff(p, not_p), TermId::FALSE);
    assert_eq!(f.store.mk_eq(p, TermId::TRUE), p);
    let (left, right) = (f.store.mk_iff(not_p, q), f.store.mk_iff(p, q));
    assert_eq!(left, f.store.mk_not(right));
    assert_eq!(f.store.mk_xor(p, q), left);
}

#[test]
fn comparisons_turn_around_instead_of_being_negated() {
    let mut f = Fixture::new();
    let less = f.store.mk_lt(f.x, f.y);
    let not_less = f.store.mk_not(less);
    f.check(not_less, "y <= x");
    assert_eq!(f.store.mk_not(not_less), less);
    assert!(f.store.are_complements(less, not_less));
    assert_eq!(f.store.mk_and([less, not_less]), TermId::FALSE);
    assert_eq!(f.store.mk_ge(f.x, f.y), not_less);
    let literal = f.store.literal(not_less);
    assert_eq!((literal.atom, literal.positive), (less, false));
    assert_eq!(f.store.mk_literal(literal), not_less);
}

#[test]
fn conditionals() {
    let mut f = Fixture::new();
    let (p, q, x, y) = (f.p, f.q, f.x, f.y);
    let not_p = f.store.mk_not(p);
    let ite = f.store.mk_ite(p, x, y);
    assert_eq!(f.store.mk_ite(not_p, y, x), ite);
    assert_eq!(f.store.mk_ite(p, x, x), x);
    assert_eq!(f.store.mk_ite(p, ite, y), ite);
    assert_eq!(f.store.mk_ite(p, x, ite), f.store.mk_ite(p, x, y));
    assert_eq!(f.store.mk_ite(p, TermId::TRUE, TermId::FALSE), p);
    assert_eq!(f.store.mk_ite(p, TermId::FALSE, TermId::TRUE), not_p);
    assert_eq!(f.store.mk_ite(p, q, TermId::FALSE), f.store.mk_and([p, q]));
    assert_eq!(f.store.mk_ite(p, p, q), f.store.mk_or([p, q]));
}

#[test]
fn equality_of_values_is_decided_and_reads_over_writes_split() {
    let mut f = Fixture::new();
    let (red, green) = (f.store.mk_enum(f.color, 0), f.store.mk_enum(f.color, 1));
    assert_eq!(f.store.mk_eq(red, green), TermId::FALSE);
    assert_eq!(f.store.mk_eq(f.c, f.c), TermId::TRUE);
    let test = f.store.mk_eq(red, f.c);
    f.check(test, "c = Red");
    let blue = f.store.mk_variant(f.color, "Blue").unwrap();
    assert_eq!(f.store.mk_distinct(&[red, green, blue]), TermId::TRUE);
    assert_eq!(f.store.mk_distinct(&[red, f.c, red]), TermId::FALSE);
    let chain = f.store.mk_ite(f.p, red, f.c);
    let hit = f.store.mk_eq(chain, red);
    f.check(hit, "p | c = Red");
    let miss = f.store.mk_eq(green, chain);
    f.check(miss, "c = Green & !p");
}

#[test]
fn sums_are_linear_combinations() {
    let mut f = Fixture::new();
    let (x, y) = (f.x, f.y);
    let (one, three) = (f.store.mk_int(1), f.store.mk_int(3));
    let successor = f.store.mk_add([x, one]);
    assert_eq!(f.store.mk_sub(successor, one), x);
    assert_eq!(f.store.mk_sub(successor, x), one);
    let test = f.store.mk_eq(successor, three);
    f.check(test, "x = 2");
    let less = f.store.mk_lt(successor, three);
    f.check(less, "x < 2");
    let difference = f.store.mk_sub(y, x);
    f.check(difference, "-x + y");
    let double = f.store.mk_add([difference, difference, one]);
    f.check(double, "-2 * x + 2 * y + 1");
    let negated = f.store.mk_neg(double);
    f.check(negated, "2 * x + -2 * y - 1");
    let tripled = f.store.mk_mul(three, successor);
    f.check(tripled, "3 * x + 3");
    let half = f.store.mk_rational(BigRational::new(BigInt::from(1), BigInt::from(2)));
    let whole = f.store.mk_add([half, half]);
    f.check(whole, "1.0");
}

#[test]
fn the_two_integer_divisions_differ_on_negative_numbers() {
    let mut f = Fixture::new();
    let number = |store: &TermStore, term| store.as_int(term).cloned().unwrap();
    for (a, b, quotient, remainder, truncated, rest) in
        [(7, 2, 3, 1, 3, 1), (-7, 2, -4, 1, -3, -1), (7, -2, -3, 1, -3, 1), (-7, -2, 4, 1, 3, -1)]
    {
        let (left, right) = (f.store.mk_int(a), f.store.mk_int(b));
        let results = [
            f.store.mk_div_euclid(left, right),
            f.store.mk_mod_euclid(left, right),
            f.store.mk_div_trunc(left, right),
            f.store.mk_rem_trunc(left, right),
        ];
        let expected = [quotient, remainder, truncated, rest].map(BigInt::from);
        assert_eq!(results.map(|term| number(&f.store, term)), expected, "{a} {b}");
    }
    let zero = f.store.mk_int(0);
    let undefined = f.store.mk_div_trunc(f.x, zero);
    f.check(undefined, "x / 0");
}

#[test]
fn quantifiers_bind_what_occurs_and_merge() {
    let mut f = Fixture::new();
    let (i, j) = (f.store.declare("i", f.node, Role::Bound), f.store.declare("j", f.node, Role::Bound));
    let (i_term, j_term) = (f.store.mk_symbol(i), f.store.mk_symbol(j));
    assert_eq!(f.store.mk_forall(&[i], f.p), f.p);
    let same = f.store.mk_eq(i_term, j_term);
    let inner = f.store.mk_forall(&[j, i], same);
    f.check(inner, "forall j, i : NODE. i = j");
    let inner = f.store.mk_forall(&[j], same);
    let outer = f.store.mk_forall(&[i], inner);
    f.check(outer, "forall i, j : NODE. i = j");
    assert!(f.store.is_closed(outer) && f.store.free_bound(inner) == [i]);
    let other = f.store.mk_exists(&[i], inner);
    f.check(other, "exists i : NODE. forall j : NODE. i = j");
    let at_n = f.store.instantiate(outer, &[f.n, f.m]);
    f.check(at_n, "n = m");
}

#[test]
fn writes_are_lambdas_and_reads_reduce_them() {
    let mut f = Fixture::new();
    let (_, a) = f.array("a", &[f.node], f.color);
    let (red, green) = (f.store.mk_enum(f.color, 0), f.store.mk_enum(f.color, 1));
    let written = f.store.mk_store(a, &[f.n], red);
    f.check(written, "lambda u : NODE. u = n ? Red : a[u]");
    let again = f.store.mk_store(written, &[f.m], green);
    f.check(again, "lambda u : NODE. u = m ? Green : u = n ? Red : a[u]");
    assert_eq!(f.store.mk_apply(again, &[f.m]), green);
    let read = f.store.mk_apply(again, &[f.n]);
    f.check(read, "n = m ? Green : Red");
    let back = f.store.mk_apply(a, &[f.n]);
    let u = f.store.declare("u", f.node, Role::Bound);
    let u_term = f.store.mk_symbol(u);
    let plain = f.store.mk_apply(a, &[u_term]);
    assert_eq!(f.store.mk_lambda(&[u], plain), a);
    // A write below a lambda that binds the usual symbol takes another one.
    let inside = f.store.mk_store(a, &[u_term], back);
    f.check(inside, "lambda u_2 : NODE. u = u_2 ? a[n] : a[u_2]");
}

#[test]
fn substitution_reaches_nested_applications_in_parallel() {
    // QI-T6: in `i = q[hd]` both `q` and `hd` change.
    let mut f = Fixture::new();
    let (q, q_term) = f.array("queue", &[SortId::INT], f.node);
    let hd = f.store.as_symbol(f.x).unwrap();
    let front = f.store.mk_apply(q_term, &[f.x]);
    let formula = f.store.mk_eq(f.n, front);
    let one = f.store.mk_int(1);
    let next = f.store.mk_add([f.x, one]);
    let written = f.store.mk_store(q_term, &[f.x], f.m);
    let substitution = Substitution::from_pairs(&f.store, [(hd, next), (q, written)]);
    let result = f.store.substitute(formula, &substitution);
    f.check(result, "n = (x = x + 1 ? m : queue[x + 1])");
}

#[test]
fn substitution_avoids_capture_the_same_way_every_time() {
    let mut f = Fixture::new();
    let i = f.store.declare("i", f.node, Role::Bound);
    let i_term = f.store.mk_symbol(i);
    let same = f.store.mk_eq(i_term, f.n);
    let exists = f.store.mk_exists(&[i], same);
    let substitution = Substitution::from_pairs(&f.store, [(f.store.as_symbol(f.n).unwrap(), i_term)]);
    let first = f.store.substitute(exists, &substitution);
    f.check(first, "exists i_2 : NODE. i = i_2");
    assert_eq!(f.store.substitute(exists, &substitution), first);
    // What is bound is not replaced.
    let bound = Substitution::from_pairs(&f.store, [(i, f.m)]);
    assert_eq!(f.store.substitute(exists, &bound), exists);
}

#[test]
fn raw_substitution_keeps_constant_atoms() {
    // RC-T1: the atom `-1 = 0` must not vanish from a syntactic pre-image.
    let mut f = Fixture::new();
    let zero = f.store.mk_int(0);
    let minus_one = f.store.mk_int(-1);
    let test = f.store.raw_eq(f.x, zero);
    let formula = f.store.raw_or(&[test, f.p]);
    let substitution = Substitution::from_pairs(&f.store, [(f.store.as_symbol(f.x).unwrap(), minus_one)]);
    let raw = f.store.substitute_raw(formula, &substitution);
    f.check(raw, "-1 = 0 | p");
    assert_eq!(f.store.substitute(formula, &substitution), f.p);
    let twice = f.store.raw_and(&[f.p, f.p]);
    f.check(twice, "p & p");
    let mut substituter = Substituter::new(&f.store, &substitution, Building::Raw);
    assert_eq!(substituter.apply(&mut f.store, twice), twice);
}

#[test]
fn raw_substitution_reduces_applied_lambdas() {
    let mut f = Fixture::new();
    let (a, a_term) = f.array("a", &[f.node], SortId::INT);
    let read = f.store.raw_apply(a_term, &[f.n]);
    let zero = f.store.mk_int(0);
    let test = f.store.raw_eq(read, zero);
    let u = f.store.declare("u", f.node, Role::Bound);
    let u_term = f.store.mk_symbol(u);
    let here = f.store.raw_eq(u_term, f.n);
    let elsewhere = f.store.raw_apply(a_term, &[u_term]);
    let body = f.store.raw_ite(here, zero, elsewhere);
    let written = f.store.raw_lambda(&[u], body);
    let substitution = Substitution::from_pairs(&f.store, [(a, written)]);
    let result = f.store.substitute_raw(test, &substitution);
    f.check(result, "(n = n ? 0 : a[n]) = 0");
    assert!(!f.store.has_lambda(result));
}

#[test]
fn functions_chosen_by_a_condition_are_applied_in_both_branches() {
    let mut f = Fixture::new();
    let (_, a) = f.array("a", &[f.node], f.color);
    let (_, b) = f.array("b", &[f.node], f.color);
    let chosen = f.store.mk_ite(f.p, a, b);
    let read = f.store.mk_apply(chosen, &[f.n]);
    f.check(read, "p ? a[n] : b[n]");
}

#[test]
fn unions() {
    let mut f = Fixture::new();
    let union = f.store.union_sort("EITHER", &[f.color, f.node]);
    let (red, n) = (f.store.mk_enum(f.color, 0), f.n);
    let (left, right) = (f.store.mk_in(union, f.color, red), f.store.mk_in(union, f.node, n));
    assert_eq!(f.store.mk_eq(left, right), TermId::FALSE);
    let other = f.store.mk_in(union, f.node, f.m);
    let equal = f.store.mk_eq(right, other);
    f.check(equal, "n = m");
    assert_eq!(f.store.mk_is(f.node, right), TermId::TRUE);
    assert_eq!(f.store.mk_is(f.node, left), TermId::FALSE);
    assert_eq!(f.store.mk_out(f.node, right), n);
    let symbol = f.store.declare("w", union, Role::State);
    let w = f.store.mk_symbol(symbol);
    let is_node = f.store.mk_is(f.node, w);
    f.check(is_node, "ismember(w, NODE)");
    let as_node = f.store.mk_out(f.node, w);
    f.check(as_node, "as(w, NODE)");
}

#[test]
fn simplification_uses_what_neighbours_know() {
    let mut f = Fixture::new();
    let tests: Vec<TermId> = (0..3)
        .map(|place| {
            let value = f.store.mk_enum(f.color, place);
            f.store.mk_eq(f.c, value)
        })
        .collect();
    let contradiction = f.store.mk_and([tests[0], tests[1]]);
    assert_eq!(f.store.simplify(contradiction), TermId::FALSE);
    let exhaustive = f.store.mk_or(tests.clone());
    assert_eq!(f.store.simplify(exhaustive), TermId::TRUE);
    let not_green = f.store.mk_not(tests[1]);
    let redundant = f.store.mk_and([tests[0], not_green]);
    assert_eq!(f.store.simplify(redundant), tests[0]);
    let clause = f.store.mk_or([f.q, tests[1]]);
    let propagated = f.store.mk_and([tests[0], clause]);
    assert_eq!(f.store.simplify(propagated), f.store.mk_and([tests[0], f.q]));
    let absorbed = f.store.mk_or([f.q, tests[0]]);
    let absorbed = f.store.mk_and([tests[0], absorbed]);
    assert_eq!(f.store.simplify(absorbed), tests[0]);
    let both = f.store.mk_and([f.p, tests[0]]);
    let implied = f.store.mk_implies(both, tests[0]);
    assert_eq!(f.store.simplify(implied), TermId::TRUE);
}

#[test]
fn a_rewrite_keeps_shared_subterms_shared() {
    // A tower of doublings has 2^60 paths and 60 nodes.
    let mut f = Fixture::new();
    let mut tower = f.p;
    for _ in 0..60 {
        tower = f.store.raw(Op::Iff, &[tower, tower]);
    }
    assert_eq!(f.store.size(tower), 61);
    assert_eq!(f.store.simplify(tower), TermId::TRUE);
    let substitution = Substitution::from_pairs(&f.store, [(f.store.as_symbol(f.p).unwrap(), f.q)]);
    let renamed = f.store.substitute_raw(tower, &substitution);
    assert_eq!(f.store.size(renamed), 61);
    assert_eq!(f.store.polarities(tower).len(), 1);
    assert!(f.store.print_limited(tower, 80).ends_with('…'));
    assert_eq!(f.store.nnf(tower), TermId::TRUE);
}

#[test]
fn sorts_are_shared_and_ranges_are_integers() {
    let mut f = Fixture::new();
    assert_eq!(f.store.index_sort("NODE"), f.node);
    let small = f.store.range_sort(0, 3);
    let r = f.store.declare("r", small, Role::State);
    let r = f.store.mk_symbol(r);
    let sum = f.store.mk_add([r, r]);
    assert_eq!(f.store.sort_of(sum), SortId::INT);
    let mixed = f.store.mk_ite(f.p, r, f.x);
    assert_eq!(f.store.sort_of(mixed), SortId::INT);
    let open = f.store.mk_sort(Sort::Range { name: "1..".into(), lo: Some(1.into()), hi: None });
    let (_, a) = f.array("a", &[open], SortId::BOOL);
    let read = f.store.mk_apply(a, &[sum]);
    f.check(read, "a[2 * r]");
}
