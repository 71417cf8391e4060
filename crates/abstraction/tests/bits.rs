//! Diagrams of terms over bits against the evaluator of terms.

use tenet_abstraction::bits::{Bits, Blaster, Leaves, Opaque};
use tenet_abstraction::set::Space;
use tenet_term::{BitVec, BvOp, Model, Role, SymbolId, TermId, TermStore, Value};

const WIDTH: u32 = 3;

/// Two words, whose bits are the variables of the space.
struct Words {
    space: Space,
    symbols: [SymbolId; 2],
}

impl Leaves for Words {
    fn leaf(&mut self, store: &TermStore, term: TermId) -> Option<Bits> {
        let position = self.symbols.iter().position(|&known| Some(known) == store.as_symbol(term))?;
        let first = position * WIDTH as usize;
        Some((first..first + WIDTH as usize).map(|var| self.space.literal(var, true)).collect())
    }

    fn opaque(&mut self, _: &TermStore, term: TermId) -> Result<Bits, Opaque> {
        Err(Opaque(term))
    }
}

#[test]
fn bits_of_terms_are_those_of_their_values() {
    use BvOp::*;
    let mut store = TermStore::new();
    let sort = store.bitvec_sort(WIDTH);
    let symbols = ["a", "b"].map(|name| store.declare(name, sort, Role::State));
    let [a, b] = symbols.map(|symbol| store.mk_symbol(symbol));
    let mut terms: Vec<TermId> = [And, Or, Xor, Add, Sub, Mul, Shl, Lshr, Ashr]
        .map(|op| store.raw(tenet_term::Op::Bv(op), &[a, b]))
        .to_vec();
    terms.extend([Not, Neg].map(|op| store.mk_bv(op, &[a])));
    let wide =
        [store.mk_bv(Concat, &[a, b]), store.mk_bv(ZeroExtend(2), &[a]), store.mk_bv(SignExtend(2), &[b])];
    let bits = store.mk_bv(Extract { hi: 3, lo: 1 }, &[wide[0]]);
    terms.extend(wide);
    terms.push(bits);
    let pairs: Vec<TermId> = terms.iter().copied().filter(|&term| store.width(term) == Some(WIDTH)).collect();
    for &one in &pairs {
        for op in [Ult, Ule, Slt, Sle] {
            terms.push(store.mk_bv(op, &[one, b]));
        }
        let same = store.mk_eq(one, a);
        terms.push(same);
        terms.push(store.mk_ite(same, one, b));
        let all = store.raw(tenet_term::Op::Distinct, &[one, a, b]);
        let less = store.mk_bv(Ult, &[a, b]);
        terms.push(store.mk_iff(all, less));
        terms.push(store.mk_implies(all, same));
    }
    let space = Space::new(2 * WIDTH as usize);
    let mut words = Words { space: space.clone(), symbols };
    let mut blaster = Blaster::new(&space);
    for &term in &terms {
        let bits = blaster.bits(&store, term, &mut words).expect("everything is computed");
        for number in 0..1u32 << (2 * WIDTH) {
            let mut model = Model::new();
            for (position, &symbol) in symbols.iter().enumerate() {
                let word = number >> (position as u32 * WIDTH) & ((1 << WIDTH) - 1);
                model.set(symbol, Value::BitVec(BitVec::new(WIDTH, word.into())));
            }
            let expected: Vec<bool> = match model.evaluate(&store, term).expect("it has a value") {
                Value::Bool(value) => vec![value],
                Value::BitVec(value) => {
                    (0..value.width()).map(|bit| value.unsigned().bit(bit.into())).collect()
                }
                other => panic!("no bits: {other:?}"),
            };
            let found: Vec<bool> =
                bits.iter().map(|bit| bit.contains(|var| number >> var & 1 == 1)).collect();
            assert_eq!(found, expected, "{} for {number:b}", store.print(term));
        }
    }
}

#[test]
fn a_quotient_is_opaque() {
    let mut store = TermStore::new();
    let sort = store.bitvec_sort(WIDTH);
    let symbols = ["a", "b"].map(|name| store.declare(name, sort, Role::State));
    let [a, b] = symbols.map(|symbol| store.mk_symbol(symbol));
    let quotient = store.mk_bv(BvOp::Udiv, &[a, b]);
    let sum = store.mk_bv(BvOp::Add, &[quotient, a]);
    let space = Space::new(2 * WIDTH as usize);
    let mut words = Words { space: space.clone(), symbols };
    assert_eq!(Blaster::new(&space).bits(&store, sum, &mut words).err(), Some(Opaque(quotient)));
    assert!(!tenet_abstraction::bits::has_diagram(&store, sum));
}
