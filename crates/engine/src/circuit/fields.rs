//! Which parts of registers hold data.
//!
//! Data are bits that are only moved and compared for equality, together with their neighbours: nothing is computed
//! from them, and no single bit is tested. A field is a part of a register whose bits always stay together. How a
//! circuit treats a field of data does not depend on its width, so predicates observe what it is equal to, not its
//! bits (compare data independence; Wolper, 1986).

use super::netlist::Netlist;
use rustc_hash::FxHashMap;
use tenet_term::{BvOp, Op, Sort, SortId, TermId, TermStore};

/// A part of a word: bits `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub hi: u32,
    pub lo: u32,
    pub is_data: bool,
}

/// The bits of all words, in groups of those that are moved into one another or compared.
pub struct Fields {
    /// The index of a word's lowest bit. Memories have the bits of one entry, which stands for all.
    first: FxHashMap<TermId, u32>,
    parent: Vec<u32>,
    /// Of each group: is one of its bits tested or computed with?
    is_looked_at: Vec<bool>,
    /// Of each group: does a field begin with its bits?
    is_cut: Vec<bool>,
}

impl Fields {
    pub fn of(store: &mut TermStore, netlist: &Netlist) -> Fields {
        let registers: Vec<TermId> = netlist.state.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let terms = store.subterms_of_all(roots(netlist).chain(registers.iter().copied()));
        let mut fields = Fields {
            first: FxHashMap::default(),
            parent: Vec::new(),
            is_looked_at: Vec::new(),
            is_cut: Vec::new(),
        };
        for &term in &terms {
            let begin = fields.parent.len() as u32;
            let width = width(store, store.sort_of(term));
            fields.parent.extend(begin..begin + width);
            fields.first.insert(term, begin);
        }
        fields.is_looked_at = vec![false; fields.parent.len()];
        fields.is_cut = vec![false; fields.parent.len()];
        for (position, &register) in registers.iter().enumerate() {
            fields.move_word(store, netlist.next[position], register);
            fields.move_word(store, netlist.initial[position], register);
        }
        terms.iter().for_each(|&term| fields.read(store, term));
        // Groups may have been merged after they were marked.
        for bit in 0..fields.parent.len() {
            let group = fields.group(bit as u32) as usize;
            fields.is_looked_at[group] |= fields.is_looked_at[bit];
            fields.is_cut[group] |= fields.is_cut[bit];
        }
        fields
    }

    pub fn knows(&self, word: TermId) -> bool {
        self.first.contains_key(&word)
    }

    /// The fields of a word, the lowest first. A field of one bit is no data: it is simpler to observe the bit.
    pub fn of_word(&mut self, store: &TermStore, word: TermId) -> Vec<Field> {
        let (begin, width) = (self.first[&word], width(store, store.sort_of(word)));
        let mut fields: Vec<Field> = Vec::new();
        for bit in 0..width {
            let group = self.group(begin + bit) as usize;
            let is_data = !self.is_looked_at[group];
            match fields.last_mut() {
                Some(field) if !self.is_cut[group] && field.is_data == is_data => field.hi = bit,
                _ => fields.push(Field { hi: bit, lo: bit, is_data }),
            }
        }
        fields.iter_mut().for_each(|field| field.is_data &= field.hi > field.lo);
        fields
    }

    fn group(&mut self, bit: u32) -> u32 {
        let mut group = bit;
        while self.parent[group as usize] != group {
            let above = self.parent[group as usize];
            self.parent[group as usize] = self.parent[above as usize];
            group = above;
        }
        group
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.group(a), self.group(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn read(&mut self, store: &TermStore, term: TermId) {
        let args = store.args(term);
        match store.op(term) {
            Op::Ite if !store.is_bool(term) => {
                self.move_word(store, args[1], term);
                self.move_word(store, args[2], term);
            }
            Op::Eq => self.move_word(store, args[0], args[1]),
            Op::Apply => {
                self.move_word(store, args[0], term);
                self.look_at(store, args[1]);
            }
            Op::Lambda(_) => self.move_word(store, args[0], term),
            Op::Bv(op) => self.read_operator(store, *op, term, args),
            _ => {}
        }
    }

    fn read_operator(&mut self, store: &TermStore, op: BvOp, term: TermId, args: &[TermId]) {
        match op {
            BvOp::Extract { hi, lo } => {
                let (from, to) = (self.first[&args[0]], self.first[&term]);
                self.move_bits(from + lo, to, hi - lo + 1);
                self.cut(args[0], lo, store);
                self.cut(args[0], hi + 1, store);
            }
            BvOp::Concat => {
                let (high, low, to) = (self.first[&args[0]], self.first[&args[1]], self.first[&term]);
                let (high_bits, low_bits) = (bits(store, args[0]), bits(store, args[1]));
                self.move_part(store, args[1], low, to, low_bits);
                self.move_part(store, args[0], high, to + low_bits, high_bits);
                self.cut(term, low_bits, store);
            }
            BvOp::ZeroExtend(_) => {
                let count = bits(store, args[0]);
                self.move_part(store, args[0], self.first[&args[0]], self.first[&term], count);
                self.cut(term, count, store);
            }
            _ => {
                args.iter().for_each(|&arg| self.look_at(store, arg));
                self.look_at(store, term);
            }
        }
    }

    /// A field begins at this bit.
    fn cut(&mut self, word: TermId, bit: u32, store: &TermStore) {
        if bit < bits(store, word) {
            self.is_cut[(self.first[&word] + bit) as usize] = true;
        }
    }

    fn look_at(&mut self, store: &TermStore, word: TermId) {
        let begin = self.first[&word] as usize;
        self.is_looked_at[begin..begin + bits(store, word) as usize].fill(true);
    }

    fn move_word(&mut self, store: &TermStore, from: TermId, to: TermId) {
        if let (Some(&first), Some(&second)) = (self.first.get(&from), self.first.get(&to)) {
            self.move_part(store, from, first, second, bits(store, from).min(bits(store, to)));
        }
    }

    /// Constants belong to no group: the same number occurs everywhere.
    fn move_part(&mut self, store: &TermStore, word: TermId, from: u32, to: u32, count: u32) {
        if !store.is_value(word) {
            self.move_bits(from, to, count);
        }
    }

    fn move_bits(&mut self, from: u32, to: u32, count: u32) {
        (0..count).for_each(|bit| self.join(from + bit, to + bit));
    }
}

pub fn roots(netlist: &Netlist) -> impl Iterator<Item = TermId> {
    let more = [netlist.bad, netlist.constraint];
    netlist.next.iter().chain(&netlist.initial).copied().chain(more)
}

fn bits(store: &TermStore, term: TermId) -> u32 {
    width(store, store.sort_of(term))
}

/// The bits of a word, or of an entry; none for a truth value.
fn width(store: &TermStore, sort: SortId) -> u32 {
    match store.sort(sort) {
        Sort::BitVec(width) => *width,
        Sort::Function { result, .. } => width(store, *result),
        _ => 0,
    }
}
