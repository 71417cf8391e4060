//! The equations between fields of data that predicates have to observe.
//!
//! Which ones matter follows from how words move: if `out = wanted` matters and `out` is loaded from `queue[2]`, then
//! `queue[2] = wanted` matters.

use super::fields::{Fields, roots};
use super::netlist::Netlist;
use rustc_hash::{FxHashMap, FxHashSet};
use tenet_term::{BitVec, BvOp, Op, Substituter, TermId, TermStore};

const MAX_COMPARISONS: usize = 400;
/// Memories with longer addresses than this are not split into their entries.
const MAX_ADDRESS_BITS: u32 = 6;

pub fn comparisons(store: &mut TermStore, netlist: &Netlist, fields: &mut Fields) -> Vec<TermId> {
    let terms = store.subterms_of_all(roots(netlist));
    let step = netlist.step(store);
    let step = Substituter::new(store, &step, tenet_term::Building::Smart);
    let compared = compared_inputs(store, netlist, &terms);
    let mut pairs = Pairs { store, netlist, step, compared, found: Vec::new(), known: FxHashSet::default() };
    for term in terms {
        let (Op::Eq, &[a, b]) = (pairs.store.op(term), pairs.store.args(term)) else { continue };
        let word = if pairs.store.is_value(a) { b } else { a };
        if pairs.store.width(word).is_none() {
            continue;
        }
        for field in fields.of_word(pairs.store, word).into_iter().filter(|field| field.is_data) {
            pairs.compare((a, field.hi, field.lo), (b, field.hi, field.lo));
        }
    }
    let mut position = 0;
    while position < pairs.found.len() && pairs.found.len() < MAX_COMPARISONS {
        let (a, b) = pairs.found[position];
        let (a, b) = (pairs.loaded(a), pairs.loaded(b));
        pairs.compare(a, b);
        position += 1;
    }
    let found = pairs.found;
    found.into_iter().map(|(a, b)| store.mk_eq(a, b)).collect()
}

/// What each input is compared with: if the input satisfies that, so does what it is loaded into.
fn compared_inputs(store: &TermStore, netlist: &Netlist, terms: &[TermId]) -> FxHashMap<TermId, Vec<TermId>> {
    let mut compared: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
    let is_input = |term| store.as_symbol(term).is_some_and(|symbol| netlist.inputs.contains(&symbol));
    for &term in terms.iter().filter(|&&term| *store.op(term) == Op::Eq) {
        let (a, b) = (store.args(term)[0], store.args(term)[1]);
        for (input, other) in [(a, b), (b, a)] {
            if is_input(input) && !is_input(other) {
                compared.entry(input).or_default().push(other);
            }
        }
    }
    compared
}

/// Bits `hi` down to `lo` of a word.
type Part = (TermId, u32, u32);

/// Fields that are compared, and where they come from.
struct Pairs<'a> {
    store: &'a mut TermStore,
    netlist: &'a Netlist,
    step: Substituter,
    compared: FxHashMap<TermId, Vec<TermId>>,
    found: Vec<(TermId, TermId)>,
    known: FxHashSet<(TermId, TermId)>,
}

impl Pairs<'_> {
    /// Notes the comparisons of what two parts are chosen from.
    fn compare(&mut self, a: Part, b: Part) {
        let (a, b) = (self.sources(a), self.sources(b));
        for &a in &a {
            for &b in &b {
                let pair = (a.min(b), a.max(b));
                let both_values = self.store.is_value(a) && self.store.is_value(b);
                if a != b && !both_values && self.found.len() < MAX_COMPARISONS && self.known.insert(pair) {
                    self.found.push(pair);
                }
            }
        }
    }

    /// The parts of the state, and the constants, that a part of a word is chosen from.
    fn sources(&mut self, part: Part) -> Vec<TermId> {
        let mut sources = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            if !seen.insert(part) {
                continue;
            }
            let (word, hi, lo) = part;
            let args = self.store.args(word);
            match self.store.op(word) {
                Op::Ite => open.extend(args[1..].iter().map(|&word| (word, hi, lo))),
                Op::Bv(BvOp::Extract { lo: by, .. }) => open.push((args[0], hi + by, lo + by)),
                Op::Bv(BvOp::Concat) => {
                    let low = self.store.width(args[1]).expect("invariant: a vector");
                    if lo >= low {
                        open.push((args[0], hi - low, lo - low));
                    } else if hi < low {
                        open.push((args[1], hi, lo));
                    }
                }
                Op::Bv(BvOp::ZeroExtend(_)) => {
                    let below = self.store.width(args[0]).expect("invariant: a vector");
                    if lo >= below {
                        sources.push(self.store.mk_bitvec(hi - lo + 1, 0u32));
                    } else if hi < below {
                        open.push((args[0], hi, lo));
                    }
                }
                Op::BitVec(_) => sources.push(self.part(part)),
                Op::Symbol(symbol) if self.netlist.register(*symbol).is_some() => {
                    sources.push(self.part(part))
                }
                Op::Apply => {
                    let entries = self.entries(word);
                    sources.extend(entries.into_iter().map(|entry| self.part((entry, hi, lo))));
                }
                _ => {
                    let others = self.compared.get(&word).into_iter().flatten();
                    open.extend(others.map(|&other| (other, hi, lo)));
                }
            }
        }
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    fn part(&mut self, (word, hi, lo): Part) -> TermId {
        self.store.mk_bv(BvOp::Extract { hi, lo }, &[word])
    }

    /// The entries of a memory that may be read.
    fn entries(&mut self, read: TermId) -> Vec<TermId> {
        let (memory, place) = (self.store.args(read)[0], self.store.args(read)[1]);
        let is_memory = self.store.as_symbol(memory).is_some_and(|it| self.netlist.register(it).is_some());
        match self.store.width(place) {
            _ if !is_memory => Vec::new(),
            _ if self.store.is_value(place) => vec![read],
            Some(width) if width <= MAX_ADDRESS_BITS => {
                let places = (0..1u64 << width).map(|place| BitVec::new(width, place.into()));
                let places: Vec<TermId> = places.map(|place| self.store.mk_bitvec_value(place)).collect();
                places.into_iter().map(|place| self.store.mk_apply(memory, &[place])).collect()
            }
            Some(_) if self.is_of_state(place) => vec![read],
            _ => Vec::new(),
        }
    }

    fn is_of_state(&self, term: TermId) -> bool {
        self.store.symbols_in(term).into_iter().all(|symbol| self.netlist.register(symbol).is_some())
    }

    /// What a part of the state is in the next cycle.
    fn loaded(&mut self, part: TermId) -> Part {
        let (word, hi, lo) = match *self.store.op(part) {
            Op::Bv(BvOp::Extract { hi, lo }) => (self.store.args(part)[0], hi, lo),
            _ => (part, self.store.width(part).expect("invariant: a vector") - 1, 0),
        };
        (self.step.apply(self.store, word), hi, lo)
    }
}
