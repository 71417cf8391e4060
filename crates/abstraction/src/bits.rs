//! Terms over truth values and bit-vectors as decision diagrams, one for each bit.
//!
//! What a diagram is over is not decided here: [`Leaves`] says which terms are not looked into (the symbols, at
//! least, and whatever else has a variable of its own), and what stands for a term that has no small diagram (a read
//! of a memory, a product of wide words, a quotient). Treating such a term as a free input gives an
//! over-approximation; refusing it gives an exact answer or none.

use rustc_hash::FxHashMap;
use tenet_term::{BitVec, BvOp, Op, Sort, SortId, TermId, TermStore};

use crate::set::{Set, Space};

/// Width of words whose product is computed: its diagram grows exponentially.
const MAX_PRODUCT_BITS: usize = 6;

/// The bits of a term, the lowest first. A truth value is one bit.
pub type Bits = Vec<Set>;

/// A term that has no diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opaque(pub TermId);

/// Where bits come from that are not computed.
pub trait Leaves {
    /// The bits of a term that is not to be looked into. Asked of every term before its operands are.
    fn leaf(&mut self, store: &TermStore, term: TermId) -> Option<Bits>;

    /// What stands for a term that cannot be computed.
    fn opaque(&mut self, store: &TermStore, term: TermId) -> Result<Bits, Opaque>;
}

/// Computes the bits of terms, each once.
#[derive(Debug)]
pub struct Blaster {
    space: Space,
    known: FxHashMap<TermId, Bits>,
}

impl Blaster {
    pub fn new(space: &Space) -> Blaster {
        Blaster { space: space.clone(), known: FxHashMap::default() }
    }

    /// The set of valuations for which a formula holds.
    pub fn formula(
        &mut self,
        store: &TermStore,
        formula: TermId,
        leaves: &mut dyn Leaves,
    ) -> Result<Set, Opaque> {
        Ok(self.bits(store, formula, leaves)?[0].clone())
    }

    pub fn bits(&mut self, store: &TermStore, term: TermId, leaves: &mut dyn Leaves) -> Result<Bits, Opaque> {
        let mut stack = vec![term];
        while let Some(&current) = stack.last() {
            if self.known.contains_key(&current) {
                stack.pop();
                continue;
            }
            if let Some(bits) = leaves.leaf(store, current) {
                self.known.insert(current, bits);
                continue;
            }
            if !is_computable(store, current) {
                let bits = leaves.opaque(store, current)?;
                self.known.insert(current, bits);
                continue;
            }
            let open: Vec<TermId> =
                store.args(current).iter().copied().filter(|arg| !self.known.contains_key(arg)).collect();
            if open.is_empty() {
                let bits = self.compute(store, current);
                self.known.insert(current, bits);
            } else {
                stack.extend(open);
            }
        }
        Ok(self.known[&term].clone())
    }

    fn compute(&self, store: &TermStore, term: TermId) -> Bits {
        let args: Vec<&Bits> = store.args(term).iter().map(|arg| &self.known[arg]).collect();
        let first = |position: usize| &args[position][0];
        match store.op(term) {
            Op::Bool(value) => vec![self.constant(*value)],
            Op::BitVec(value) => self.word(value),
            Op::Enum(_, position) => self.number(*position, width(store, store.sort_of(term))),
            Op::Not => vec![first(0).complement()],
            Op::And => vec![args.iter().fold(self.space.full(), |all, arg| all.intersect(&arg[0]))],
            Op::Or => vec![args.iter().fold(self.space.empty(), |all, arg| all.union(&arg[0]))],
            Op::Implies => vec![first(0).complement().union(first(1))],
            Op::Iff | Op::Eq => vec![self.equal(args[0], args[1])],
            Op::Distinct => vec![self.distinct(&args)],
            Op::Ite => choose(first(0), args[1], args[2]),
            Op::Bv(op) => self.vector(*op, &args),
            _ => unreachable!("other terms are not computable"),
        }
    }

    fn constant(&self, value: bool) -> Set {
        if value { self.space.full() } else { self.space.empty() }
    }

    fn word(&self, value: &BitVec) -> Bits {
        (0..value.width()).map(|bit| self.constant(value.unsigned().bit(bit.into()))).collect()
    }

    /// A number as a word of so many bits.
    fn number(&self, number: u32, width: Option<usize>) -> Bits {
        (0..width.unwrap_or(0)).map(|bit| self.constant(number >> bit & 1 == 1)).collect()
    }

    fn equal(&self, a: &Bits, b: &Bits) -> Set {
        let pairs = a.iter().zip(b);
        pairs.fold(self.space.full(), |all, (a, b)| a.ite(b, &b.complement()).intersect(&all))
    }

    fn distinct(&self, args: &[&Bits]) -> Set {
        let mut all = self.space.full();
        for (position, a) in args.iter().enumerate() {
            for b in &args[position + 1..] {
                all = all.minus(&self.equal(a, b));
            }
        }
        all
    }

    fn vector(&self, op: BvOp, args: &[&Bits]) -> Bits {
        let a = args[0];
        match op {
            BvOp::Not => inverted(a),
            BvOp::Neg => self.sum(&self.zeros(a.len()), &inverted(a), true),
            BvOp::And => a.iter().zip(args[1]).map(|(a, b)| a.intersect(b)).collect(),
            BvOp::Or => a.iter().zip(args[1]).map(|(a, b)| a.union(b)).collect(),
            BvOp::Xor => a.iter().zip(args[1]).map(|(a, b)| a.ite(&b.complement(), b)).collect(),
            BvOp::Add => self.sum(a, args[1], false),
            BvOp::Sub => self.sum(a, &inverted(args[1]), true),
            BvOp::Mul => self.product(a, args[1]),
            BvOp::Ult => vec![self.less(a, args[1], false)],
            BvOp::Ule => vec![self.less(args[1], a, false).complement()],
            BvOp::Slt => vec![self.less(a, args[1], true)],
            BvOp::Sle => vec![self.less(args[1], a, true).complement()],
            BvOp::Concat => args[1].iter().chain(a).cloned().collect(),
            BvOp::Extract { hi, lo } => a[lo as usize..=hi as usize].to_vec(),
            BvOp::ZeroExtend(by) => a.iter().cloned().chain(self.zeros(by as usize)).collect(),
            BvOp::SignExtend(by) => {
                let sign = a[a.len() - 1].clone();
                a.iter().cloned().chain(std::iter::repeat_n(sign, by as usize)).collect()
            }
            BvOp::Shl => self.shifted(a, args[1], &self.space.empty(), true),
            BvOp::Lshr => self.shifted(a, args[1], &self.space.empty(), false),
            BvOp::Ashr => self.shifted(a, args[1], &a[a.len() - 1], false),
            _ => unreachable!("quotients and integers are not computable"),
        }
    }

    fn zeros(&self, count: usize) -> Bits {
        vec![self.space.empty(); count]
    }

    fn sum(&self, a: &Bits, b: &Bits, carry: bool) -> Bits {
        let mut carry = self.constant(carry);
        let mut bits = Bits::new();
        for (a, b) in a.iter().zip(b) {
            let either = a.ite(&b.complement(), b);
            bits.push(either.ite(&carry.complement(), &carry));
            carry = either.ite(&carry, a);
        }
        bits
    }

    fn product(&self, a: &Bits, b: &Bits) -> Bits {
        let mut total = self.zeros(a.len());
        for (position, bit) in b.iter().enumerate() {
            let shifted = self.zeros(position).into_iter().chain(a.iter().map(|a| a.intersect(bit)));
            total = self.sum(&total, &shifted.take(a.len()).collect(), false);
        }
        total
    }

    fn less(&self, a: &Bits, b: &Bits, is_signed: bool) -> Set {
        let sign = if is_signed { a.len() - 1 } else { a.len() };
        let mut less = self.space.empty();
        for (position, pair) in a.iter().zip(b).enumerate() {
            // A sign bit that is set means less, so the two change places there.
            let (a, b) = if position == sign { (pair.1, pair.0) } else { pair };
            less = a.ite(&b.intersect(&less), &b.union(&less));
        }
        less
    }

    /// The word moved by a number of places, in stages of powers of two; what comes in is `fill`.
    fn shifted(&self, a: &Bits, by: &Bits, fill: &Set, is_left: bool) -> Bits {
        let width = a.len();
        let mut word = a.clone();
        for (stage, bit) in by.iter().enumerate() {
            let places = if stage < usize::BITS as usize - 1 { 1usize << stage } else { width };
            let moved = (0..width).map(|position| {
                let from = if is_left { position.checked_sub(places) } else { position.checked_add(places) };
                from.and_then(|from| word.get(from)).unwrap_or(fill).clone()
            });
            let moved: Bits = moved.collect();
            word = choose(bit, &moved, &word);
        }
        word
    }
}

fn inverted(word: &Bits) -> Bits {
    word.iter().map(Set::complement).collect()
}

fn choose(condition: &Set, yes: &Bits, no: &Bits) -> Bits {
    yes.iter().zip(no).map(|(yes, no)| condition.ite(yes, no)).collect()
}

/// How many bits a sort has; `None` if it is neither a truth value, nor a bit-vector, nor an enumeration. A value of an
/// enumeration is its position, so there may be words that are no values.
pub fn width(store: &TermStore, sort: SortId) -> Option<usize> {
    match store.sort(sort) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(*width as usize),
        Sort::Enum { variants, .. } => Some(bits_of_number(variants.len() - 1)),
        _ => None,
    }
}

/// How many bits a number up to this one takes, at least one.
fn bits_of_number(largest: usize) -> usize {
    (usize::BITS - largest.leading_zeros()).max(1) as usize
}

/// Is the term computed from its symbols alone, without anything opaque?
pub fn has_diagram(store: &TermStore, term: TermId) -> bool {
    let is_word = |term| width(store, store.sort_of(term)).is_some();
    let fits =
        |term| if store.as_symbol(term).is_some() { is_word(term) } else { is_computable(store, term) };
    store.subterms(term).into_iter().all(fits)
}

/// Is it an operator of bits, on bits, with a diagram that is worth building?
fn is_computable(store: &TermStore, term: TermId) -> bool {
    let is_word = |term: TermId| width(store, store.sort_of(term));
    let are_words = is_word(term).is_some() && store.args(term).iter().all(|&arg| is_word(arg).is_some());
    are_words
        && match store.op(term) {
            Op::Bool(_)
            | Op::BitVec(_)
            | Op::Enum(..)
            | Op::Not
            | Op::And
            | Op::Or
            | Op::Implies
            | Op::Iff => true,
            Op::Eq | Op::Distinct | Op::Ite => true,
            Op::Bv(BvOp::Mul) => is_word(term).is_some_and(|width| width <= MAX_PRODUCT_BITS),
            Op::Bv(op) => !matches!(
                op,
                BvOp::Udiv
                    | BvOp::Urem
                    | BvOp::Sdiv
                    | BvOp::Srem
                    | BvOp::Smod
                    | BvOp::ToInt
                    | BvOp::FromInt(_)
            ),
            _ => false,
        }
}
