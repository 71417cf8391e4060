//! Columns of many samples against the evaluator of terms.

use super::super::columns::{Columns, mask};
use tenet_term::{BitVec, BvOp, Model, Op, Role, TermId, TermStore, Value};

const WIDTH: u32 = 3;

#[test]
fn columns_are_made_of_values() {
    use BvOp::*;
    let mut store = TermStore::new();
    let sort = store.bitvec_sort(WIDTH);
    let symbols = ["a", "b"].map(|name| store.declare(name, sort, Role::State));
    let [a, b] = symbols.map(|symbol| store.mk_symbol(symbol));
    let ops = [And, Or, Xor, Add, Sub, Mul, Udiv, Urem, Shl, Lshr, Ashr, Ult, Ule, Slt, Sle, Concat];
    let mut terms: Vec<TermId> = ops.map(|op| store.raw(Op::Bv(op), &[a, b])).to_vec();
    terms.extend(
        [Not, Neg, ZeroExtend(2), SignExtend(2), Extract { hi: 1, lo: 1 }].map(|op| store.mk_bv(op, &[a])),
    );
    let (less, same) = (store.mk_bv(Slt, &[a, b]), store.mk_eq(a, b));
    let neither = store.mk_or([less, same]);
    terms.push(store.mk_not(neither));
    terms.push(store.raw(Op::Implies, &[neither, same]));
    terms.push(store.raw(Op::Iff, &[less, same]));
    terms.push(store.mk_ite(less, a, b));
    let samples = 1 << (2 * WIDTH);
    let word = |number: usize, position: usize| (number as u64 >> (position as u32 * WIDTH)) & mask(WIDTH);
    let mut columns = Columns { samples, ..Columns::default() };
    for (position, &symbol) in symbols.iter().enumerate() {
        columns.symbols.insert(symbol, (0..samples).map(|number| word(number, position)).collect());
    }
    for (term, column) in terms.iter().zip(columns.evaluate(&store, &terms)) {
        let column = column.expect("it has a column");
        for (number, found) in column.into_iter().enumerate() {
            let mut model = Model::new();
            for (position, &symbol) in symbols.iter().enumerate() {
                model.set(symbol, Value::BitVec(BitVec::new(WIDTH, word(number, position).into())));
            }
            let value = model.evaluate(&store, *term).expect("it has a value");
            let expected = super::super::pool::word(Some(&value));
            assert_eq!(found, expected, "{} for {number:b}", store.print(*term));
        }
    }
    let quotient = store.mk_bv(Sdiv, &[a, b]);
    assert_eq!(columns.evaluate(&store, &[quotient]), [None]);
}
