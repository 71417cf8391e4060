//! Which registers hold data, and how data compare.
//!
//! Data are words that are only moved and compared for equality: no bit of them is looked at. How a circuit treats them has
//! nothing to do with their width, so they are observed by which of them are equal, not by their bits. Which comparisons
//! matter follows from how words move: if `out = wanted` matters and `out` is loaded from `queue[2]`, then
//! `queue[2] = wanted` matters.

use super::netlist::Netlist;
use rustc_hash::{FxHashMap, FxHashSet};
use tenet_term::{BitVec, Op, Sort, SymbolId, TermId, TermStore};

/// No more comparisons than this.
const MOST: usize = 400;
/// Memories of more entries than this are not taken apart.
const MAX_ENTRIES: u32 = 6;

/// Words that are moved into one another or compared, each group under one of its members.
struct Groups {
    parent: FxHashMap<TermId, TermId>,
}

impl Groups {
    fn root(&mut self, term: TermId) -> TermId {
        let mut root = term;
        while let Some(&above) = self.parent.get(&root) {
            root = above;
        }
        if root != term {
            self.parent.insert(term, root);
        }
        root
    }

    /// Puts two words into one group. Constants belong to none: the same number occurs everywhere.
    fn join(&mut self, store: &TermStore, a: TermId, b: TermId) {
        if store.is_value(a) || store.is_value(b) {
            return;
        }
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(a.max(b), a.min(b));
        }
    }
}

/// For each register, whether it holds data.
pub fn data_registers(store: &mut TermStore, netlist: &Netlist) -> Vec<bool> {
    let mut groups = Groups { parent: FxHashMap::default() };
    let mut looked_at: Vec<TermId> = Vec::new();
    let terms = store.subterms_of_all(roots(netlist));
    for term in terms {
        let args = store.args(term);
        match store.op(term) {
            Op::Ite if !store.is_bool(term) => {
                groups.join(store, term, args[1]);
                groups.join(store, term, args[2]);
            }
            Op::Eq => groups.join(store, args[0], args[1]),
            Op::Apply => {
                if !store.is_bool(term) {
                    groups.join(store, term, args[0]);
                }
                looked_at.push(args[1]);
            }
            Op::Lambda(_) => groups.join(store, term, args[0]),
            Op::Bv(_) => looked_at.extend(args.iter().copied().chain([term])),
            _ => {}
        }
    }
    for (position, &symbol) in netlist.state.iter().enumerate() {
        let register = store.mk_symbol(symbol);
        for value in [netlist.next[position], netlist.initial[position]] {
            groups.join(store, register, value);
        }
    }
    let looked_at: FxHashSet<TermId> = looked_at.into_iter().map(|term| groups.root(term)).collect();
    let is_data = |&symbol: &SymbolId| {
        let register = store.mk_symbol(symbol);
        is_word(store, symbol) && !looked_at.contains(&groups.root(register))
    };
    netlist.state.iter().map(is_data).collect()
}

fn roots(netlist: &Netlist) -> impl Iterator<Item = TermId> {
    let more = [netlist.bad, netlist.constraint];
    netlist.next.iter().chain(&netlist.initial).copied().chain(more)
}

/// A vector or a memory of vectors?
fn is_word(store: &TermStore, symbol: SymbolId) -> bool {
    match store.sort(store.symbol(symbol).sort) {
        Sort::Function { result, .. } => matches!(store.sort(*result), Sort::BitVec(_)),
        sort => matches!(sort, Sort::BitVec(_)),
    }
}

/// The equations between words that matter.
pub fn comparisons(store: &mut TermStore, netlist: &Netlist, is_data: &[bool]) -> Vec<TermId> {
    let mut pairs = Pairs { store, netlist, is_data, found: Vec::new(), known: FxHashSet::default() };
    for term in pairs.store.subterms_of_all(roots(netlist)) {
        if let (Op::Eq, &[a, b]) = (pairs.store.op(term), pairs.store.args(term)) {
            pairs.compare(a, b);
        }
    }
    let mut position = 0;
    while position < pairs.found.len() && pairs.found.len() < MOST {
        let (a, b) = pairs.found[position];
        let (a, b) = (pairs.loaded(a), pairs.loaded(b));
        pairs.compare(a, b);
        position += 1;
    }
    let found = pairs.found;
    found.into_iter().map(|(a, b)| store.mk_eq(a, b)).collect()
}

/// Words that are compared, and where they come from.
struct Pairs<'a> {
    store: &'a mut TermStore,
    netlist: &'a Netlist,
    is_data: &'a [bool],
    found: Vec<(TermId, TermId)>,
    known: FxHashSet<(TermId, TermId)>,
}

impl Pairs<'_> {
    /// Notes the comparisons of what two words are chosen from.
    fn compare(&mut self, a: TermId, b: TermId) {
        let (a, b) = (self.sources(a), self.sources(b));
        for &a in &a {
            for &b in &b {
                let pair = (a.min(b), a.max(b));
                let both_values = self.store.is_value(a) && self.store.is_value(b);
                if a != b && !both_values && self.found.len() < MOST && self.known.insert(pair) {
                    self.found.push(pair);
                }
            }
        }
    }

    /// The data of the state, and the constants, that a word is chosen from.
    fn sources(&mut self, word: TermId) -> Vec<TermId> {
        let mut sources = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![word];
        while let Some(word) = open.pop() {
            if !seen.insert(word) {
                continue;
            }
            match self.store.op(word) {
                Op::Ite => open.extend_from_slice(&self.store.args(word)[1..]),
                Op::BitVec(_) => sources.push(word),
                Op::Symbol(symbol) if self.holds_data(*symbol) => sources.push(word),
                Op::Apply => sources.extend(self.entries(word)),
                _ => {}
            }
        }
        sources.sort_unstable();
        sources
    }

    fn holds_data(&self, symbol: SymbolId) -> bool {
        self.netlist.register(symbol).is_some_and(|position| self.is_data[position])
    }

    /// The entries of a memory that may be read.
    fn entries(&mut self, read: TermId) -> Vec<TermId> {
        let (memory, place) = (self.store.args(read)[0], self.store.args(read)[1]);
        let is_data = self.store.as_symbol(memory).is_some_and(|symbol| self.holds_data(symbol));
        if !is_data {
            return Vec::new();
        }
        if self.store.is_value(place) {
            return vec![read];
        }
        match self.store.width(place) {
            Some(width) if width <= MAX_ENTRIES => {
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

    /// What a word is in the next cycle.
    fn loaded(&mut self, word: TermId) -> TermId {
        let step = self.netlist.step(self.store);
        self.store.substitute(word, &step)
    }
}
