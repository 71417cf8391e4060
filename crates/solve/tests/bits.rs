//! The solver for bits against the evaluator of terms: every operator, at every value of small operands.

use proptest::prelude::*;
use tenet_solve::{Answer, BitSolver, Solver};
use tenet_term::{BvOp, Model, Role, SymbolId, TermId, TermStore, Value};

const BINARY: &[BvOp] = &[
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Add,
    BvOp::Sub,
    BvOp::Mul,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::Smod,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
    BvOp::Ult,
    BvOp::Ule,
    BvOp::Slt,
    BvOp::Sle,
    BvOp::Concat,
];
const UNARY: &[BvOp] = &[BvOp::Not, BvOp::Neg, BvOp::ZeroExtend(3), BvOp::SignExtend(2)];

fn operands(store: &mut TermStore, width: u32) -> [SymbolId; 2] {
    let sort = store.bitvec_sort(width);
    ["x", "y"].map(|name| store.declare(name, sort, Role::State))
}

/// What the solver says of a term where the symbols have these values.
fn solved(store: &mut TermStore, term: TermId, values: &[(SymbolId, u64)]) -> Value {
    let mut solver = BitSolver::new();
    for &(symbol, value) in values {
        let it = store.mk_symbol(symbol);
        let width = store.width(it).expect("a vector");
        let number = store.mk_bitvec(width, value);
        let fixed = store.mk_eq(it, number);
        solver.assert(store, fixed);
    }
    assert_eq!(solver.check(store, &[]), Answer::Sat);
    solver.values(store, &[term])[0].clone().expect("bits have values")
}

#[test]
fn every_operator_at_every_value() {
    for width in 1..=3u32 {
        let mut store = TermStore::new();
        let symbols = operands(&mut store, width);
        let [x, y] = symbols.map(|symbol| store.mk_symbol(symbol));
        let binary = BINARY.iter().map(|&op| store.mk_bv(op, &[x, y])).collect::<Vec<_>>();
        let unary = UNARY.iter().map(|&op| store.mk_bv(op, &[x])).collect::<Vec<_>>();
        let terms: Vec<TermId> = binary.into_iter().chain(unary).collect();
        for (a, b) in (0..1u64 << width).flat_map(|a| (0..1u64 << width).map(move |b| (a, b))) {
            let mut model = Model::new();
            for (symbol, value) in symbols.into_iter().zip([a, b]) {
                let number = store.mk_bitvec(width, value);
                model.set(symbol, store.value_of(number).expect("a value"));
            }
            for &term in &terms {
                let expected = model.evaluate(&store, term).expect("it has a value");
                let found = solved(&mut store, term, &[(symbols[0], a), (symbols[1], b)]);
                assert_eq!(found, expected, "{} at {a}, {b} of {width} bits", store.op(term).name());
            }
        }
    }
}

proptest! {
    #![proptest_config(tenet_chance::cases(60))]

    /// Wide words: an operation on constants is what the solver says it is, and nothing else.
    #[test]
    fn wide_words(op in 0..BINARY.len(), width in 4..67u32, a: u64, b: u64, small: bool) {
        let mut store = TermStore::new();
        let symbols = operands(&mut store, width);
        let [x, y] = symbols.map(|symbol| store.mk_symbol(symbol));
        let b = if small { b % 70 } else { b };
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let values = [(symbols[0], a & mask), (symbols[1], b & mask)];
        let term = store.mk_bv(BINARY[op], &[x, y]);
        let mut model = Model::new();
        for (symbol, value) in values {
            let number = store.mk_bitvec(width, value);
            model.set(symbol, store.value_of(number).expect("a value"));
        }
        let expected = model.evaluate(&store, term).expect("it has a value");
        prop_assert_eq!(solved(&mut store, term, &values), expected);
    }
}

#[test]
fn memories_are_read_and_written() {
    let mut store = TermStore::new();
    let (place, entry) = (store.bitvec_sort(3), store.bitvec_sort(5));
    let memory = store.function_sort(&[place], entry);
    let names = ["m", "n"].map(|name| store.declare(name, memory, Role::State));
    let places = ["i", "j"].map(|name| store.declare(name, place, Role::State));
    let [m, n] = names.map(|symbol| store.mk_symbol(symbol));
    let [i, j] = places.map(|symbol| store.mk_symbol(symbol));
    let value = store.mk_bitvec(5, 21u8);
    let written = store.mk_store(m, &[i], value);
    let (read, before, other) =
        (store.mk_apply(written, &[j]), store.mk_apply(m, &[j]), store.mk_apply(n, &[j]));
    let (same_place, is_value) = (store.mk_eq(i, j), store.mk_eq(read, value));
    let (is_old, not_same) = (store.mk_eq(read, before), store.mk_not(same_place));
    let (not_value, not_old) = (store.mk_not(is_value), store.mk_not(is_old));
    let mut solver = BitSolver::new();
    assert_eq!(solver.check(&store, &[same_place, not_value]), Answer::Unsat);
    assert_eq!(solver.check(&store, &[not_same, not_old]), Answer::Unsat);
    assert_eq!(solver.check(&store, &[not_same, is_old]), Answer::Sat);
    // Memories are the same if all their entries are.
    let (same, differ) = (store.mk_eq(m, n), store.mk_ne(before, other));
    assert_eq!(solver.check(&store, &[same, differ]), Answer::Unsat);
    // A whole memory has a value, as a table.
    let is_written = store.mk_eq(n, written);
    assert_eq!(solver.check(&store, &[is_written, same_place]), Answer::Sat);
    let values = solver.values(&store, &[n, i]);
    let (Some(Value::Function(table)), Some(at)) = (&values[0], &values[1]) else { panic!("{values:?}") };
    assert_eq!(Some(table.get(std::slice::from_ref(at)).clone()), store.value_of(value));
}

#[test]
fn cores_scopes_and_contradictions() {
    let mut store = TermStore::new();
    let names = ["a", "b", "c"].map(|name| store.declare(name, tenet_term::SortId::BOOL, Role::State));
    let [a, b, c] = names.map(|symbol| store.mk_symbol(symbol));
    let either = store.mk_or([a, b]);
    let (not_a, not_b) = (store.mk_not(a), store.mk_not(b));
    let mut solver = BitSolver::new();
    solver.assert(&store, either);
    assert_eq!(solver.check(&store, &[c, not_a, not_b]), Answer::Unsat);
    assert_eq!(solver.core(), [not_a, not_b]);
    solver.push();
    solver.assert(&store, not_a);
    assert_eq!(solver.check(&store, &[c, not_b]), Answer::Unsat);
    assert_eq!(solver.core(), [not_b]);
    solver.assert(&store, TermId::FALSE);
    assert_eq!(solver.check(&store, &[c]), Answer::Unsat);
    assert!(solver.core().is_empty());
    solver.pop();
    assert_eq!(solver.check(&store, &[c, not_b]), Answer::Sat);
    assert_eq!(solver.check(&store, &[c, TermId::FALSE]), Answer::Unsat);
    assert_eq!(solver.core(), [TermId::FALSE]);
}
