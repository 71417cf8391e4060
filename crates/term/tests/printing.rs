//! The printed form of terms: the source language, minimal parentheses.

use num_bigint::BigInt;
use num_rational::BigRational;
use tenet_term::{BvOp, Op, Role, SortId, Spelling, TermId, TermStore};

fn state(store: &mut TermStore, name: &str, sort: SortId) -> TermId {
    let symbol = store.declare(name, sort, Role::State);
    store.mk_symbol(symbol)
}

#[test]
fn parentheses_follow_precedence() {
    let mut store = TermStore::new();
    let [p, q, r] = ["p", "q", "r"].map(|name| state(&mut store, name, SortId::BOOL));
    let [x, y] = ["x", "y"].map(|name| state(&mut store, name, SortId::INT));
    let or = store.raw_or(&[p, q]);
    let and = store.raw_and(&[or, r]);
    let less = store.raw_lt(x, y);
    let implies = store.raw_implies(and, less);
    let chain = store.raw_implies(p, implies);
    let left = store.raw_implies(chain, p);
    let iff = store.raw(Op::Iff, &[left, q]);
    let not = store.raw_not(iff);
    let nested_and = store.raw_and(&[and, p]);
    let sum = store.raw_sub(x, y);
    let sum = store.raw_sub(x, sum);
    let product = store.raw(Op::Mul, &[sum, x]);
    let quotient = store.raw(Op::DivTrunc, &[x, product]);
    let negated = store.raw(Op::Neg, &[x]);
    let negated = store.raw(Op::Neg, &[negated]);
    let ite = store.raw_ite(p, x, y);
    let chained = store.raw_ite(or, ite, ite);
    let compared = store.raw_eq(chained, x);
    let different = store.raw_not(compared);
    for (term, expected) in [
        (and, "(p | q) & r"),
        (chain, "p -> (p | q) & r -> x < y"),
        (left, "(p -> (p | q) & r -> x < y) -> p"),
        (not, "!((p -> (p | q) & r -> x < y) -> p <-> q)"),
        (nested_and, "((p | q) & r) & p"),
        (sum, "x - (x - y)"),
        (quotient, "x / ((x - (x - y)) * x)"),
        (negated, "-(-x)"),
        (chained, "p | q ? (p ? x : y) : p ? x : y"),
        (different, "(p | q ? (p ? x : y) : p ? x : y) != x"),
    ] {
        assert_eq!(store.print(term), expected);
    }
}

#[test]
fn binders_applications_and_literals() {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let small = store.range_sort(0, 3);
    let sort = store.function_sort(&[node, small], SortId::INT);
    let array = state(&mut store, "Chan.Cmd", sort);
    let function = store.declare("alu", sort, Role::Const);
    let function = store.mk_symbol(function);
    let bound =
        [("i", node), ("j", node), ("k", small)].map(|(name, sort)| store.declare(name, sort, Role::Bound));
    let [i, j, k] = bound.map(|symbol| store.mk_symbol(symbol));
    let read = store.mk_apply(array, &[i, k]);
    let call = store.mk_apply(function, &[j, k]);
    let test = store.mk_le(read, call);
    let all = store.mk_forall(&bound, test);
    let element = store.mk_index(node, 0);
    let is_first = store.mk_eq(i, element);
    let some = store.mk_exists(&bound[..1], is_first);
    let both = store.mk_and([all, some]);
    let rational = store.mk_rational(BigRational::new(BigInt::from(-1), BigInt::from(3)));
    let bits = store.mk_bitvec(10, 31u32);
    let extracted = store.raw(Op::Bv(BvOp::Extract { hi: 4, lo: 1 }), &[bits]);
    let empty = store.raw_and(&[]);
    for (term, expected) in [
        (all, "forall i, j : NODE; k : 0..3. Chan.Cmd[i][k] <= alu(j, k)"),
        (both, "(forall i, j : NODE; k : 0..3. Chan.Cmd[i][k] <= alu(j, k)) & (exists i : NODE. i = NODE_1)"),
        (rational, "-(1/3)"),
        (extracted, "10'h01f[4:1]"),
        (empty, "and()"),
    ] {
        assert_eq!(store.print(term), expected);
        assert_eq!(store.display(term).to_string(), expected);
    }
}

#[test]
fn namesakes_are_told_apart() {
    let mut store = TermStore::new();
    let x = state(&mut store, "x", SortId::INT);
    let input = store.declare("x", SortId::INT, Role::Input);
    let input = store.mk_symbol(input);
    let equal = store.mk_eq(x, input);
    assert_eq!(store.print(equal), "x = x#2");
}

#[test]
fn several_values_of_one_term_stand_together() {
    let mut store = TermStore::new();
    let kind = store.enum_sort("KIND", &["A", "B", "C"]);
    let (x, y) = (state(&mut store, "x", kind), state(&mut store, "y", kind));
    let flag = state(&mut store, "flag", SortId::BOOL);
    let is = |store: &mut TermStore, term: TermId, name: &str| {
        let value = store.mk_variant(kind, name).expect("it is one of them");
        store.raw_eq(term, value)
    };
    let cases = [is(&mut store, x, "A"), flag, is(&mut store, y, "C"), is(&mut store, x, "B")];
    let either = store.raw_or(&cases);
    assert_eq!(store.print(either), "x in {A, B} | flag | y = C");
    let alone = store.raw_or(&[cases[0], cases[3]]);
    let negated = store.raw_not(alone);
    assert_eq!(store.print(negated), "!(x in {A, B})");
    let both = store.raw_and(&[alone, flag]);
    assert_eq!(store.print(both), "x in {A, B} & flag");
}

#[test]
fn symbols_are_written_as_they_are_spelled() {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let (net, rank) =
        (store.function_sort(&[node, node], SortId::BOOL), store.function_sort(&[node], SortId::INT));
    let (net, rank) = (state(&mut store, "net.busy", net), state(&mut store, "rank", rank));
    let (i, j) = (state(&mut store, "i", node), state(&mut store, "j", node));
    let symbol = |store: &TermStore, term| store.as_symbol(term).expect("it is a symbol");
    let parts = ["net", ".busy", ""].map(str::to_string).to_vec();
    let (of_net, of_rank) = (symbol(&store, net), symbol(&store, rank));
    store.spell(of_net, Spelling::Parts(parts));
    store.spell(of_rank, Spelling::Order);
    let busy = store.mk_apply(net, &[i, j]);
    assert_eq!(store.print(busy), "net[i].busy[j]");
    let places = [store.mk_apply(rank, &[i]), store.mk_apply(rank, &[j])];
    let (less, same) = (store.raw_lt(places[0], places[1]), store.raw_eq(places[0], places[1]));
    assert_eq!(store.print(less), "i < j");
    assert_eq!(store.print(same), "rank[i] = rank[j]");
}
