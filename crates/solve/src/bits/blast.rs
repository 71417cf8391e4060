//! Terms as gates. A truth value is a word of one bit, and a memory the word of all its entries, the first one lowest.
//!
//! What stands below a lambda is translated once for each place of the memory, with the place as a constant; everything
//! else once for all.

use rustc_hash::FxHashMap;
use tenet_term::{BvOp, Op, Sort, SortId, SymbolId, TermId, TermStore};

use super::gates::{Bit, Gate, Gates};
use super::words::{Word, sign};

/// Bits of a memory that is translated; the gates of an access are proportional to them.
const MAX_MEMORY_BITS: u64 = 1 << 15;

/// The gates of terms.
pub struct Blaster {
    pub gates: Gates,
    words: FxHashMap<TermId, Word>,
    symbols: FxHashMap<SymbolId, Word>,
}

/// What bound symbols stand for at the moment, and what was translated with them.
#[derive(Default)]
struct Scope {
    bound: Vec<(SymbolId, Word)>,
    words: FxHashMap<TermId, Word>,
}

/// How many bits values of a sort have, if they can be translated.
pub fn bits_of(store: &TermStore, sort: SortId) -> Option<usize> {
    match store.sort(sort) {
        Sort::Bool => Some(1),
        Sort::BitVec(width) => Some(*width as usize),
        Sort::Function { args, result } if args.len() == 1 => {
            let address = u32::try_from(bits_of(store, args[0])?).ok()?;
            let entry = bits_of(store, *result)? as u64;
            let bits = 1u64.checked_shl(address).filter(|_| address < 32)?.checked_mul(entry)?;
            (bits <= MAX_MEMORY_BITS).then_some(bits as usize)
        }
        _ => None,
    }
}

pub fn is_of_bits(store: &TermStore, term: TermId) -> bool {
    let is_known = |op: &Op| match op {
        Op::Bv(op) => !matches!(op, BvOp::ToInt | BvOp::FromInt(_)),
        Op::Lambda(bound) => bound.len() == 1,
        _ => !matches!(op, Op::Forall(_) | Op::Exists(_)),
    };
    store
        .subterms(term)
        .into_iter()
        .all(|sub| is_known(store.op(sub)) && bits_of(store, store.sort_of(sub)).is_some())
}

/// How many gates of two or three operands compute these terms; `None` if they are not about bits alone.
pub fn gate_count(store: &TermStore, terms: &[TermId]) -> Option<usize> {
    if !terms.iter().all(|&term| is_of_bits(store, term)) {
        return None;
    }
    let mut blaster = Blaster::new();
    let mut open: Vec<usize> = Vec::new();
    for &term in terms {
        open.extend(blaster.word(store, term).iter().map(|bit| bit.gate()));
    }
    let mut needed = vec![false; blaster.gates.len()];
    let mut count = 0;
    while let Some(number) = open.pop() {
        if std::mem::replace(&mut needed[number], true) {
            continue;
        }
        let gate = blaster.gates.gate(number);
        count += usize::from(!matches!(gate, Gate::False | Gate::Input));
        open.extend(gate.operands().map(Bit::gate));
    }
    Some(count)
}

impl Blaster {
    /// Nothing translated yet.
    pub fn new() -> Blaster {
        Blaster { gates: Gates::new(), words: FxHashMap::default(), symbols: FxHashMap::default() }
    }

    /// The symbols that were met, with their bits.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Word)> {
        self.symbols.iter().map(|(&symbol, word)| (symbol, word))
    }

    pub fn word(&mut self, store: &TermStore, term: TermId) -> Word {
        match self.words.get(&term) {
            Some(word) => word.clone(),
            None => self.translate(store, term, &mut Scope::default()),
        }
    }

    /// The bits of a term, where the terms below a lambda are those of a scope.
    fn translate(&mut self, store: &TermStore, term: TermId, scope: &mut Scope) -> Word {
        let mut todo = vec![(term, false)];
        while let Some((term, is_ready)) = todo.pop() {
            if self.known(store, term, scope).is_some() {
                continue;
            }
            if !is_ready && !matches!(store.op(term), Op::Lambda(_)) {
                todo.push((term, true));
                todo.extend(store.args(term).iter().map(|&arg| (arg, false)));
                continue;
            }
            let word = self.operator(store, term, scope);
            let is_local = !store.free_bound(term).is_empty();
            let words = if is_local { &mut scope.words } else { &mut self.words };
            words.insert(term, word);
        }
        self.known(store, term, scope).expect("invariant: it has just been translated").clone()
    }

    fn known<'a>(&'a self, store: &TermStore, term: TermId, scope: &'a Scope) -> Option<&'a Word> {
        if store.free_bound(term).is_empty() { self.words.get(&term) } else { scope.words.get(&term) }
    }

    /// The bits of a term whose operands are translated.
    fn operator(&mut self, store: &TermStore, term: TermId, scope: &mut Scope) -> Word {
        let op = store.op(term).clone();
        if let Op::Lambda(bound) = &op {
            return self.memory(store, bound[0], store.args(term)[0], scope);
        }
        if let Op::Symbol(symbol) = op {
            return self.symbol(store, symbol, scope);
        }
        let args: Vec<Word> = store
            .args(term)
            .iter()
            .map(|&arg| self.known(store, arg, scope).expect("invariant: operands come first").clone())
            .collect();
        let gates = &mut self.gates;
        let truth = |args: &[Word]| -> Vec<Bit> { args.iter().map(|word| word[0]).collect() };
        let bit = match op {
            Op::Bool(value) => Bit::constant(value),
            Op::BitVec(value) => {
                let bit = |position: u32| Bit::constant(value.unsigned().bit(u64::from(position)));
                return (0..value.width()).map(bit).collect();
            }
            Op::Not => !args[0][0],
            Op::And => gates.all(truth(&args)),
            Op::Or => gates.any(truth(&args)),
            Op::Implies => gates.or(!args[0][0], args[1][0]),
            Op::Iff | Op::Eq => gates.equal(&args[0], &args[1]),
            Op::Distinct => distinct(gates, &args),
            Op::Ite => return gates.choose(args[0][0], &args[1], &args[2]),
            Op::Apply => return read(gates, &args[0], &args[1]),
            Op::Bv(op) => return vector(gates, op, &args),
            other => panic!("invariant: `{}` is not an operator on bits", other.name()),
        };
        vec![bit]
    }

    fn symbol(&mut self, store: &TermStore, symbol: SymbolId, scope: &Scope) -> Word {
        if let Some((_, word)) = scope.bound.iter().rev().find(|(bound, _)| *bound == symbol) {
            return word.clone();
        }
        if let Some(word) = self.symbols.get(&symbol) {
            return word.clone();
        }
        let bits = bits_of(store, store.symbol(symbol).sort).expect("invariant: symbols are of bits");
        let word: Word = (0..bits).map(|_| self.gates.input()).collect();
        self.symbols.insert(symbol, word.clone());
        word
    }

    /// All entries of the memory that maps a place to a term.
    fn memory(&mut self, store: &TermStore, place: SymbolId, body: TermId, scope: &mut Scope) -> Word {
        let address = bits_of(store, store.symbol(place).sort).expect("invariant: places are words");
        let mut entries = Vec::new();
        for position in 0..1usize << address {
            let constant = (0..address).map(|bit| Bit::constant(position >> bit & 1 == 1)).collect();
            let mut inner = Scope { bound: scope.bound.clone(), words: FxHashMap::default() };
            inner.bound.push((place, constant));
            entries.extend(self.translate(store, body, &mut inner));
        }
        entries
    }
}

/// Pairwise different.
fn distinct(gates: &mut Gates, words: &[Word]) -> Bit {
    let mut all = Bit::TRUE;
    for (position, word) in words.iter().enumerate() {
        for other in &words[position + 1..] {
            let same = gates.equal(word, other);
            all = gates.and(all, !same);
        }
    }
    all
}

/// The entry of a memory at a place: halves are chosen by the highest bit first.
fn read(gates: &mut Gates, memory: &[Bit], place: &[Bit]) -> Word {
    let mut entries = memory.to_vec();
    for &bit in place.iter().rev() {
        let (low, high) = entries.split_at(entries.len() / 2);
        entries = gates.choose(bit, high, low);
    }
    entries
}

fn vector(gates: &mut Gates, op: BvOp, args: &[Word]) -> Word {
    let a = &args[0];
    let b = args.get(1).unwrap_or(a);
    match op {
        BvOp::Not => a.iter().map(|&bit| !bit).collect(),
        BvOp::Neg => gates.negate(a),
        BvOp::And => gates.each(a, b, Gates::and),
        BvOp::Or => gates.each(a, b, Gates::or),
        BvOp::Xor => gates.each(a, b, Gates::xor),
        BvOp::Add => gates.add_carry(a, b, Bit::FALSE),
        BvOp::Sub => gates.subtract(a, b),
        BvOp::Mul => gates.multiply(a, b),
        BvOp::Udiv => gates.divide(a, b).0,
        BvOp::Urem => gates.divide(a, b).1,
        BvOp::Sdiv => gates.signed_quotient(a, b),
        BvOp::Srem => gates.signed_remainder(a, b),
        BvOp::Smod => gates.signed_modulo(a, b),
        BvOp::Shl => gates.shift(a, b, true, Bit::FALSE),
        BvOp::Lshr => gates.shift(a, b, false, Bit::FALSE),
        BvOp::Ashr => gates.shift(a, b, false, sign(a)),
        BvOp::Ult => vec![gates.less(a, b, false)],
        BvOp::Ule => vec![gates.less(a, b, true)],
        BvOp::Slt => vec![gates.signed_less(a, b, false)],
        BvOp::Sle => vec![gates.signed_less(a, b, true)],
        BvOp::Concat => b.iter().chain(a).copied().collect(),
        BvOp::Extract { hi, lo } => a[lo as usize..=hi as usize].to_vec(),
        BvOp::ZeroExtend(by) => a.iter().copied().chain(vec![Bit::FALSE; by as usize]).collect(),
        BvOp::SignExtend(by) => a.iter().copied().chain(vec![sign(a); by as usize]).collect(),
        BvOp::ToInt | BvOp::FromInt(_) => panic!("invariant: integers are not bits"),
    }
}
