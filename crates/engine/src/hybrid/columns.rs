//! The values of a term in many states at once.
//!
//! A column has one word for each sample. Terms are evaluated operator by operator, each over the whole column, which is
//! a hundred times faster than one sample after the other. Words of more than 64 bits, memories and signed division
//! have no columns; what depends on them is not known, and nothing is refuted by it.

use rustc_hash::FxHashMap;
use tenet_abstraction::bits::width;
use tenet_term::{BvOp, Op, SymbolId, TermId, TermStore};

/// A value for each sample.
pub type Column = Vec<u64>;

/// A value that is computed from those of operands, by their position.
type Each<'a> = &'a dyn Fn(&dyn Fn(usize) -> u64) -> u64;

#[derive(Clone, Debug, Default)]
pub struct Columns {
    pub samples: usize,
    pub symbols: FxHashMap<SymbolId, Column>,
}

impl Columns {
    /// The columns of terms; `None` for those that have none.
    pub fn evaluate(&self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Column>> {
        let mut known: FxHashMap<TermId, Option<Column>> = FxHashMap::default();
        for term in store.subterms_of_all(terms.iter().copied()) {
            let column = self.column(store, term, &known);
            known.insert(term, column);
        }
        terms.iter().map(|term| known[term].clone()).collect()
    }

    fn column(
        &self,
        store: &TermStore,
        term: TermId,
        known: &FxHashMap<TermId, Option<Column>>,
    ) -> Option<Column> {
        let bits = width(store, store.sort_of(term)).filter(|&bits| bits <= 64)?;
        match store.op(term) {
            Op::Symbol(symbol) => return self.symbols.get(symbol).cloned(),
            Op::Bool(value) => return Some(vec![u64::from(*value); self.samples]),
            Op::Enum(_, position) => return Some(vec![u64::from(*position); self.samples]),
            Op::BitVec(value) => {
                let value = value.unsigned().iter_u64_digits().next().unwrap_or(0);
                return Some(vec![value; self.samples]);
            }
            _ => {}
        }
        let args: Option<Vec<&Column>> = store.args(term).iter().map(|arg| known[arg].as_ref()).collect();
        let args = args?;
        let widths: Vec<u32> = store.args(term).iter().map(|&arg| bits_of(store, arg)).collect();
        let each = |value: Each<'_>| -> Column {
            (0..self.samples).map(|sample| value(&|arg| args[arg][sample]) & mask(bits as u32)).collect()
        };
        Some(match store.op(term) {
            Op::Not => each(&|arg| 1 - arg(0)),
            Op::And => fold(self.samples, &args, 1, |all, arg| all & arg),
            Op::Or => fold(self.samples, &args, 0, |all, arg| all | arg),
            Op::Implies => each(&|arg| (1 - arg(0)) | arg(1)),
            Op::Iff | Op::Eq => each(&|arg| u64::from(arg(0) == arg(1))),
            Op::Ite => each(&|arg| if arg(0) == 1 { arg(1) } else { arg(2) }),
            Op::Bv(op) => {
                let function = vector(*op, &widths)?;
                each(&|arg| function(arg(0), if args.len() > 1 { arg(1) } else { 0 }))
            }
            _ => return None,
        })
    }
}

fn fold(samples: usize, args: &[&Column], unit: u64, join: fn(u64, u64) -> u64) -> Column {
    let mut all = vec![unit; samples];
    for column in args {
        all.iter_mut().zip(*column).for_each(|(all, &value)| *all = join(*all, value));
    }
    all
}

fn bits_of(store: &TermStore, term: TermId) -> u32 {
    width(store, store.sort_of(term)).map_or(0, |bits| bits as u32)
}

pub fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The operator on words, before its result is cut to its width.
fn vector(op: BvOp, widths: &[u32]) -> Option<Box<dyn Fn(u64, u64) -> u64>> {
    let (bits, second) = (widths[0], widths.get(1).copied().unwrap_or(0));
    let sign = move |word: u64| ((word << (64 - bits)) as i64) >> (64 - bits);
    let truth = u64::from;
    Some(match op {
        BvOp::Not => Box::new(|a, _| !a),
        BvOp::Neg => Box::new(|a, _| a.wrapping_neg()),
        BvOp::And => Box::new(|a, b| a & b),
        BvOp::Or => Box::new(|a, b| a | b),
        BvOp::Xor => Box::new(|a, b| a ^ b),
        BvOp::Add => Box::new(u64::wrapping_add),
        BvOp::Sub => Box::new(u64::wrapping_sub),
        BvOp::Mul => Box::new(u64::wrapping_mul),
        BvOp::Udiv => Box::new(|a, b| a.checked_div(b).unwrap_or(u64::MAX)),
        BvOp::Urem => Box::new(|a, b| a.checked_rem(b).unwrap_or(a)),
        BvOp::Shl => Box::new(move |a, b| if b < u64::from(bits) { a << b } else { 0 }),
        BvOp::Lshr => Box::new(move |a, b| if b < u64::from(bits) { a >> b } else { 0 }),
        BvOp::Ashr => Box::new(move |a, b| (sign(a) >> b.min(u64::from(bits) - 1)) as u64),
        BvOp::Ult => Box::new(move |a, b| truth(a < b)),
        BvOp::Ule => Box::new(move |a, b| truth(a <= b)),
        BvOp::Slt => Box::new(move |a, b| truth(sign(a) < sign(b))),
        BvOp::Sle => Box::new(move |a, b| truth(sign(a) <= sign(b))),
        BvOp::Concat => Box::new(move |a, b| (a << second) | b),
        BvOp::Extract { lo, .. } => Box::new(move |a, _| a >> lo),
        BvOp::ZeroExtend(_) => Box::new(|a, _| a),
        BvOp::SignExtend(_) => Box::new(move |a, _| sign(a) as u64),
        _ => return None,
    })
}
