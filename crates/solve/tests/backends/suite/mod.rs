//! What every back end has to pass. Each function takes a fresh solver.

pub mod limits;
pub mod random;

use tenet_solve::{Answer, Solver};
use tenet_term::{Op, Role, SortId, TermId, TermStore, Value};

/// Everything, with a new solver for each check.
pub fn all(new: &mut dyn FnMut() -> Box<dyn Solver>) {
    for check in [
        scopes,
        cores,
        assumptions_of_any_shape,
        symbols_of_one_name,
        enumerations_have_exactly_their_values,
        index_literals_are_distinct,
        unions,
        divisions,
        applied_functions,
        equal_functions,
        quantifiers_over_ranges,
        values_of_every_sort,
        large_numbers,
    ] {
        check(&mut *new());
    }
}

fn symbol(store: &mut TermStore, name: &str, sort: SortId) -> TermId {
    let symbol = store.declare(name, sort, Role::State);
    store.mk_symbol(symbol)
}

fn refuted(solver: &mut dyn Solver, store: &TermStore, formula: TermId) {
    assert_eq!(solver.check(store, &[formula]), Answer::Unsat, "{}: {}", solver.name(), store.print(formula));
}

fn possible(solver: &mut dyn Solver, store: &TermStore, formula: TermId) {
    assert_eq!(solver.check(store, &[formula]), Answer::Sat, "{}: {}", solver.name(), store.print(formula));
}

fn scopes(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let x = symbol(&mut store, "x", SortId::INT);
    let (one, two) = (store.mk_int(1), store.mk_int(2));
    let (low, high) = (store.mk_lt(x, one), store.mk_lt(two, x));
    solver.assert(&store, low);
    solver.push();
    solver.assert(&store, high);
    assert_eq!(solver.check(&store, &[]), Answer::Unsat);
    solver.pop();
    assert_eq!(solver.check(&store, &[]), Answer::Sat);
    solver.push();
    solver.push();
    refuted(solver, &store, high);
    solver.pop();
    // The same assumption again, after the scope in which it was first made.
    refuted(solver, &store, high);
    solver.pop();
    possible(solver, &store, low);
    assert_eq!(solver.statistics().calls, 5);
}

fn cores(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let x = symbol(&mut store, "x", SortId::INT);
    let (p, q) = (symbol(&mut store, "p", SortId::BOOL), symbol(&mut store, "q", SortId::BOOL));
    let not_p = store.mk_not(p);
    let zero = store.mk_int(0);
    let (negative, positive) = (store.mk_lt(x, zero), store.mk_lt(zero, x));
    let bound = store.mk_implies(p, negative);
    solver.assert(&store, bound);
    assert_eq!(solver.check(&store, &[q, p, positive]), Answer::Unsat);
    let core = solver.core();
    assert!(core.contains(&p) && core.contains(&positive), "{core:?}");
    assert!(core.iter().all(|part| [p, q, positive].contains(part)));
    assert_eq!(solver.check(&store, &core), Answer::Unsat);
    assert_eq!(solver.check(&store, &[q, not_p, positive]), Answer::Sat);
    assert_eq!(solver.values(&store, &[p, q]), [Some(Value::Bool(false)), Some(Value::Bool(true))]);
}

fn assumptions_of_any_shape(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let p = symbol(&mut store, "p", SortId::BOOL);
    let not_p = store.mk_not(p);
    let either = store.raw(Op::Or, &[p, not_p]);
    assert_eq!(solver.check(&store, &[TermId::TRUE, either, either, p]), Answer::Sat);
    assert_eq!(solver.check(&store, &[p, TermId::FALSE]), Answer::Unsat);
    assert_eq!(solver.core(), [TermId::FALSE]);
    assert_eq!(solver.check(&store, &[p, not_p]), Answer::Unsat);
    assert_eq!(solver.core(), [p, not_p]);
}

fn symbols_of_one_name(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let state = store.declare("x", SortId::INT, Role::State);
    let input = store.declare("x", SortId::INT, Role::Input);
    let (state, input) = (store.mk_symbol(state), store.mk_symbol(input));
    let different = store.mk_lt(state, input);
    possible(solver, &store, different);
}

fn enumerations_have_exactly_their_values(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let state = store.enum_sort("STATE", &["Invalid", "Shared", "Exclusive"]);
    // A value of the same name in another enumeration, and a name that needs quoting.
    let other = store.enum_sort("OTHER one", &["Shared", "let"]);
    let four: Vec<TermId> = (0..4).map(|k| symbol(&mut store, &format!("s{k}"), state)).collect();
    let all_different = store.mk_distinct(&four);
    refuted(solver, &store, all_different);
    let three = store.mk_distinct(&four[..3]);
    possible(solver, &store, three);
    let values = solver.values(&store, &four[..3]);
    let mut positions: Vec<_> = values.into_iter().map(|value| value.expect("a value")).collect();
    positions.sort();
    assert_eq!(positions, [Value::Enum(0), Value::Enum(1), Value::Enum(2)]);
    let (a, b) = (store.mk_enum(state, 0), store.mk_enum(state, 1));
    let equal = store.raw(Op::Eq, &[a, b]);
    refuted(solver, &store, equal);
    let (c, shared) = (symbol(&mut store, "c", other), store.mk_enum(other, 0));
    let is_let = store.mk_ne(c, shared);
    possible(solver, &store, is_let);
    assert_eq!(solver.values(&store, &[c]), [Some(Value::Enum(1))]);
}

fn index_literals_are_distinct(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let x = symbol(&mut store, "x", node);
    let literals: Vec<TermId> = (0..3).map(|k| store.mk_index(node, k)).collect();
    let at = |store: &mut TermStore, k: usize| store.raw(Op::Eq, &[x, literals[k]]);
    let (at0, at1, at2) = (at(&mut store, 0), at(&mut store, 1), at(&mut store, 2));
    solver.push();
    solver.assert(&store, at2);
    refuted(solver, &store, at0);
    solver.pop();
    // The literals are known from a scope that is gone; that they differ must not be.
    solver.assert(&store, at0);
    refuted(solver, &store, at2);
    refuted(solver, &store, at1);
    let y = symbol(&mut store, "y", node);
    let others: Vec<TermId> = literals.iter().map(|&literal| store.mk_ne(y, literal)).collect();
    assert_eq!(solver.check(&store, &others), Answer::Sat, "an index sort has any size");
    let mut asked = literals.clone();
    asked.extend([x, y]);
    let expected = [0, 1, 2, 0, 3].map(|number| Some(Value::Index(number)));
    assert_eq!(solver.values(&store, &asked), expected);
}

fn unions(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let home = store.enum_sort("HOME", &["Home", "Away"]);
    let node = store.index_sort("NODE");
    let any = store.union_sort("ANY", &[home, node]);
    let (u, v) = (symbol(&mut store, "u", any), symbol(&mut store, "v", any));
    let (in_home, in_node) = (store.raw(Op::Is(home), &[u]), store.raw(Op::Is(node), &[u]));
    let both = store.raw(Op::And, &[in_home, in_node]);
    refuted(solver, &store, both);
    let neither = store.raw(Op::Or, &[in_home, in_node]);
    let neither = store.raw(Op::Not, &[neither]);
    refuted(solver, &store, neither);
    // Of another member, the first value is taken.
    let (out_home, out_node) = (store.raw(Op::Out(home), &[u]), store.raw(Op::Out(node), &[u]));
    let (first_home, first_node) = (store.mk_enum(home, 0), store.mk_index(node, 0));
    let not_first_home = store.mk_ne(out_home, first_home);
    let not_first_node = store.mk_ne(out_node, first_node);
    assert_eq!(solver.check(&store, &[in_node, not_first_home]), Answer::Unsat);
    assert_eq!(solver.check(&store, &[in_home, not_first_node]), Answer::Unsat);
    // Injections are injective and give back what went in.
    let n = symbol(&mut store, "n", node);
    let injected = store.raw(Op::In(any, node), &[n]);
    let back = store.raw(Op::Out(node), &[injected]);
    let lost = store.raw(Op::Eq, &[back, n]);
    let lost = store.raw(Op::Not, &[lost]);
    refuted(solver, &store, lost);
    let away = store.mk_enum(home, 1);
    let away = store.mk_in(any, home, away);
    let (u_away, v_node) = (store.mk_eq(u, away), store.raw(Op::Is(node), &[v]));
    assert_eq!(solver.check(&store, &[u_away, v_node]), Answer::Sat);
    let values = solver.values(&store, &[u, v]);
    assert_eq!(values[0], Some(Value::Union(home, 1)));
    assert!(matches!(values[1], Some(Value::Union(member, _)) if member == node), "{values:?}");
}

fn divisions(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let (a, b) = (symbol(&mut store, "a", SortId::INT), symbol(&mut store, "b", SortId::INT));
    let cases: [(i64, i64, [i64; 4]); 6] = [
        (7, 2, [3, 1, 3, 1]),
        (-7, 2, [-4, 1, -3, -1]),
        (7, -2, [-3, 1, -3, 1]),
        (-7, -2, [4, 1, 3, -1]),
        (5, 0, [0, 5, 0, 5]),
        (-5, 0, [0, -5, 0, -5]),
    ];
    let ops = [Op::DivEuclid, Op::ModEuclid, Op::DivTrunc, Op::RemTrunc];
    for (dividend, divisor, results) in cases {
        let (x, y) = (store.mk_int(dividend), store.mk_int(divisor));
        let (is_x, is_y) = (store.mk_eq(a, x), store.mk_eq(b, y));
        for (op, result) in ops.iter().zip(results) {
            let result = store.mk_int(result);
            for right in [b, y] {
                let quotient = store.raw(op.clone(), &[a, right]);
                let wrong = store.mk_ne(quotient, result);
                let answer = solver.check(&store, &[is_x, is_y, wrong]);
                assert_eq!(answer, Answer::Unsat, "{dividend} {op:?} {divisor}");
            }
        }
    }
    let r = symbol(&mut store, "r", SortId::REAL);
    let zero = store.mk_rational(num_rational::BigRational::from_integer(0.into()));
    let (is_zero, quotient) = (store.mk_eq(r, zero), store.raw(Op::DivReal, &[r, r]));
    let not_zero = store.mk_ne(quotient, zero);
    assert_eq!(solver.check(&store, &[is_zero, not_zero]), Answer::Unsat);
}

fn applied_functions(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let array = store.function_sort(&[node], SortId::INT);
    let (f, g) = (symbol(&mut store, "f", array), symbol(&mut store, "g", array));
    let (p, a, b) =
        (symbol(&mut store, "p", SortId::BOOL), symbol(&mut store, "a", node), symbol(&mut store, "b", node));
    // Congruence.
    let (fa, fb) = (store.mk_apply(f, &[a]), store.mk_apply(f, &[b]));
    let (same, different) = (store.mk_eq(a, b), store.mk_ne(fa, fb));
    assert_eq!(solver.check(&store, &[same, different]), Answer::Unsat);
    // A conditional between functions.
    let either = store.raw(Op::Ite, &[p, f, g]);
    let read = store.raw(Op::Apply, &[either, a]);
    let wrong = store.raw(Op::Eq, &[read, fa]);
    let wrong = store.raw(Op::Not, &[wrong]);
    assert_eq!(solver.check(&store, &[p, wrong]), Answer::Unsat);
    possible(solver, &store, wrong);
    // A lambda whose body is read at a place that bears the name of its bound symbol: nothing is captured.
    let i = store.declare("i", node, Role::Bound);
    let i_term = store.mk_symbol(i);
    let (fi, gi) = (store.mk_apply(f, &[i_term]), store.mk_apply(g, &[i_term]));
    let sum = store.raw(Op::Add, &[fi, gi]);
    let lambda = store.raw(Op::Lambda([i].into()), &[sum]);
    let at_i = store.raw(Op::Apply, &[lambda, i_term]);
    let expected = store.raw(Op::Eq, &[at_i, sum]);
    let always = store.raw(Op::Forall([i].into()), &[expected]);
    let never = store.raw(Op::Not, &[always]);
    refuted(solver, &store, never);
    curried(solver, &mut store, node, a, b);
}

fn curried(solver: &mut dyn Solver, store: &mut TermStore, node: SortId, a: TermId, b: TermId) {
    let row = store.function_sort(&[node], SortId::INT);
    let matrix = store.function_sort(&[SortId::BOOL], row);
    let m = symbol(store, "m", matrix);
    let row_of_m = store.raw(Op::Apply, &[m, TermId::TRUE]);
    let (entry, other) = (store.raw(Op::Apply, &[row_of_m, a]), store.raw(Op::Apply, &[row_of_m, b]));
    let (same, different) = (store.mk_eq(a, b), store.mk_ne(entry, other));
    assert_eq!(solver.check(store, &[same, different]), Answer::Unsat);
    possible(solver, store, different);
    // A lambda that returns a function: the second argument goes where it belongs.
    let c = store.declare("c", SortId::BOOL, Role::Bound);
    let (c_term, f) = (store.mk_symbol(c), symbol(store, "f", row));
    let chosen = store.raw(Op::Ite, &[c_term, row_of_m, f]);
    let lambda = store.raw(Op::Lambda([c].into()), &[chosen]);
    let half = store.raw(Op::Apply, &[lambda, TermId::TRUE]);
    let whole = store.raw(Op::Apply, &[half, a]);
    let wrong = store.raw(Op::Eq, &[whole, entry]);
    let wrong = store.raw(Op::Not, &[wrong]);
    refuted(solver, store, wrong);
}

fn equal_functions(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let array = store.function_sort(&[node], SortId::BOOL);
    let (f, g, a) =
        (symbol(&mut store, "f", array), symbol(&mut store, "g", array), symbol(&mut store, "a", node));
    let equal = store.raw(Op::Eq, &[f, g]);
    let (fa, ga) = (store.mk_apply(f, &[a]), store.mk_apply(g, &[a]));
    let not_ga = store.mk_not(ga);
    assert_eq!(solver.check(&store, &[equal, fa, not_ga]), Answer::Unsat);
    let different = store.raw(Op::Distinct, &[f, g]);
    assert_eq!(solver.check(&store, &[equal, different]), Answer::Unsat);
    // Only the range counts.
    let small = store.range_sort(0, 2);
    let vector = store.function_sort(&[small], SortId::INT);
    let (v, w) = (symbol(&mut store, "v", vector), symbol(&mut store, "w", vector));
    let agree = store.raw(Op::Eq, &[v, w]);
    let differ_at = |store: &mut TermStore, place: i64| {
        let place = store.mk_int(place);
        let (left, right) = (store.mk_apply(v, &[place]), store.mk_apply(w, &[place]));
        store.mk_ne(left, right)
    };
    let (inside, outside) = (differ_at(&mut store, 2), differ_at(&mut store, 3));
    assert_eq!(solver.check(&store, &[agree, inside]), Answer::Unsat);
    assert!(solver.check(&store, &[agree, outside]).is_reachable());
}

fn quantifiers_over_ranges(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let small = store.range_sort(1, 3);
    let k = store.declare("k", small, Role::Bound);
    let k_term = store.mk_symbol(k);
    let (one, three) = (store.mk_int(1), store.mk_int(3));
    let (low, high) = (store.raw(Op::Le, &[one, k_term]), store.raw(Op::Le, &[k_term, three]));
    let inside = store.raw(Op::And, &[low, high]);
    let outside = store.raw(Op::Not, &[inside]);
    let all_inside = store.raw(Op::Forall([k].into()), &[inside]);
    let not_all = store.raw(Op::Not, &[all_inside]);
    refuted(solver, &store, not_all);
    let some_outside = store.raw(Op::Exists([k].into()), &[outside]);
    refuted(solver, &store, some_outside);
    possible(solver, &store, all_inside);
    // A free symbol of a range is any integer: staying inside is proved, not assumed.
    let x = symbol(&mut store, "x", small);
    let four = store.mk_int(4);
    let escaped = store.raw(Op::Eq, &[x, four]);
    possible(solver, &store, escaped);
}

fn values_of_every_sort(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let bits = store.bitvec_sort(5);
    let (i, r, b) = (
        symbol(&mut store, "i", SortId::INT),
        symbol(&mut store, "r", SortId::REAL),
        symbol(&mut store, "b", bits),
    );
    let minus = store.mk_int(-12);
    let third = store.mk_rational(num_rational::BigRational::new((-1).into(), 3.into()));
    let five = store.mk_bitvec(5, 5u32);
    let equal = [store.mk_eq(i, minus), store.mk_eq(r, third), store.mk_eq(b, five)];
    assert_eq!(solver.check(&store, &equal), Answer::Sat);
    let expected: Vec<_> = [minus, third, five].iter().map(|&value| store.value_of(value)).collect();
    assert_eq!(solver.values(&store, &[i, r, b]), expected);
    // A term that the check did not mention has a value, too, and a function has none that we know.
    let unknown = symbol(&mut store, "unknown", SortId::INT);
    assert!(solver.values(&store, &[unknown])[0].is_some());
}

fn large_numbers(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let x = symbol(&mut store, "x", SortId::INT);
    let huge = -num_bigint::BigInt::from(10).pow(40);
    let literal = store.mk_int(huge.clone());
    let equal = store.mk_eq(x, literal);
    possible(solver, &store, equal);
    assert_eq!(solver.values(&store, &[x]), [Some(Value::Int(huge))]);
}
