//! The same circuit with narrower data.
//!
//! Where whole words are data, nothing depends on their width, as long as enough of them can be different. So lemmas
//! are searched for in a circuit whose words have just enough bits to tell its words and constants apart, and are
//! then translated to the original circuit. That this is sound is not relied on: the certificate is about the
//! original circuit.

use super::fields::Fields;
use super::netlist::Netlist;
use rustc_hash::{FxHashMap, FxHashSet};
use tenet_term::{BitVec, Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

/// How words become narrower.
pub struct Narrow {
    symbols: FxHashMap<SymbolId, TermId>,
    /// A number for each constant, by its width.
    constants: FxHashMap<TermId, u64>,
    width: u32,
    done: FxHashMap<TermId, TermId>,
}

impl Narrow {
    /// The narrower circuit, if there are words that can be narrower.
    pub fn of(store: &mut TermStore, netlist: &Netlist, fields: &mut Fields) -> Option<(Narrow, Netlist)> {
        let words = data_words(store, netlist, fields);
        let constants = data_constants(store, netlist, fields);
        let count: u64 =
            words.iter().map(|&symbol| entries(store, symbol)).sum::<u64>() + constants.len() as u64 + 1;
        let width = count.next_power_of_two().trailing_zeros().max(2);
        let is_wider = |&symbol: &SymbolId| word_width(store, symbol).is_some_and(|bits| bits > width);
        let wide: Vec<SymbolId> = words.into_iter().filter(is_wider).collect();
        let is_register = |symbol: &SymbolId| netlist.register(*symbol).is_some();
        if !netlist.is_of_bits || !wide.iter().any(is_register) {
            return None;
        }
        let symbols = wide.into_iter().map(|symbol| (symbol, narrower(store, symbol, width))).collect();
        let constants =
            constants.into_iter().enumerate().map(|(number, term)| (term, number as u64)).collect();
        let mut narrow = Narrow { symbols, constants, width, done: FxHashMap::default() };
        let netlist = narrow.netlist(store, netlist)?;
        Some((narrow, netlist))
    }

    /// A formula about the narrower circuit. `None` if it tests bits of words that are narrower there, which a
    /// condition outside the cone of the properties may do.
    pub fn formula(&mut self, store: &mut TermStore, formula: TermId) -> Option<TermId> {
        for term in store.subterms(formula) {
            if !self.done.contains_key(&term) {
                let narrower = self.term(store, term)?;
                self.done.insert(term, narrower);
            }
        }
        self.done.get(&formula).copied()
    }

    fn netlist(&mut self, store: &mut TermStore, wide: &Netlist) -> Option<Netlist> {
        let mut netlist = wide.clone();
        for (place, &symbol) in wide.state.iter().enumerate() {
            let register = self.symbol(store, symbol);
            netlist.state[place] = store.as_symbol(register).expect("invariant: a symbol becomes a symbol");
            for (to, &from) in
                [(&mut netlist.next, &wide.next[place]), (&mut netlist.initial, &wide.initial[place])]
            {
                let value = self.formula(store, from)?;
                to[place] = self.fit(store, value, store.sort_of(register))?;
            }
        }
        for list in [&mut netlist.inputs, &mut netlist.arbitrary] {
            for symbol in list.iter_mut() {
                let narrower = self.symbol(store, *symbol);
                *symbol = store.as_symbol(narrower).expect("invariant: a symbol becomes a symbol");
            }
        }
        let formulas = [&mut netlist.start, &mut netlist.constraint, &mut netlist.bad];
        for formula in formulas.into_iter().chain(&mut netlist.dead) {
            *formula = self.formula(store, *formula)?;
        }
        Some(netlist)
    }

    fn symbol(&self, store: &mut TermStore, symbol: SymbolId) -> TermId {
        self.symbols.get(&symbol).copied().unwrap_or_else(|| store.mk_symbol(symbol))
    }

    /// A term whose operands are narrower already, if they still go together.
    fn term(&self, store: &mut TermStore, term: TermId) -> Option<TermId> {
        let op = store.op(term).clone();
        let mut args: Vec<TermId> = store.args(term).iter().map(|arg| self.done[arg]).collect();
        let places = match op {
            Op::Symbol(symbol) => return Some(self.symbol(store, symbol)),
            Op::Ite => 1..3,
            Op::Eq => 0..2,
            _ => 0..0,
        };
        // Constants are as wide as what stands beside them.
        let sorts: Vec<SortId> = args[places.clone()].iter().map(|&arg| store.sort_of(arg)).collect();
        if let [a, b] = sorts[..]
            && a != b
        {
            let sort = if bits(store, a) < bits(store, b) { a } else { b };
            for place in places {
                args[place] = self.fit(store, args[place], sort)?;
            }
        }
        store.checked(op, &args).ok()
    }

    /// A choice between constants, of a narrower sort. `None` if it is something else.
    fn fit(&self, store: &mut TermStore, term: TermId, sort: SortId) -> Option<TermId> {
        if store.sort_of(term) == sort {
            return Some(term);
        }
        let width = self.width;
        let mut fitted: FxHashMap<TermId, TermId> = FxHashMap::default();
        let entry_sort = match store.sort(sort) {
            Sort::Function { result, .. } => *result,
            _ => sort,
        };
        for part in store.subterms(term) {
            let is_word = bits(store, store.sort_of(part)) > 0;
            if !is_word || store.sort_of(part) == entry_sort || store.sort_of(part) == sort {
                fitted.insert(part, part);
                continue;
            }
            let op = store.op(part).clone();
            let args: Vec<TermId> = store.args(part).iter().map(|arg| fitted[arg]).collect();
            let result = match op {
                Op::BitVec(_) => {
                    let number = self.constants.get(&part).copied().unwrap_or(0);
                    store.mk_bitvec_value(BitVec::new(width, number.into()))
                }
                Op::Ite | Op::Lambda(_) => store.checked(op, &args).ok()?,
                _ => part,
            };
            fitted.insert(part, result);
        }
        fitted.get(&term).copied().filter(|&fitted| store.sort_of(fitted) == sort)
    }
}

/// The symbols whose whole words are data.
fn data_words(store: &mut TermStore, netlist: &Netlist, fields: &mut Fields) -> Vec<SymbolId> {
    let symbols = netlist.state.iter().chain(&netlist.inputs).chain(&netlist.arbitrary).copied();
    let symbols: Vec<SymbolId> = symbols.collect();
    let is_data = |&symbol: &SymbolId| {
        let word = store.mk_symbol(symbol);
        fields.knows(word) && matches!(fields.of_word(store, word)[..], [field] if field.is_data)
    };
    symbols.into_iter().filter(is_data).collect()
}

/// The constants that data are compared with, or that they are chosen from.
fn data_constants(store: &mut TermStore, netlist: &Netlist, fields: &mut Fields) -> Vec<TermId> {
    let terms = store.subterms_of_all(super::fields::roots(netlist));
    let mut constants = Vec::new();
    let mut seen = FxHashSet::default();
    let registers: Vec<(TermId, TermId)> = netlist
        .state
        .iter()
        .enumerate()
        .flat_map(|(place, &symbol)| {
            [netlist.next[place], netlist.initial[place]].map(|value| (symbol, value))
        })
        .map(|(symbol, value)| (store.mk_symbol(symbol), value))
        .collect();
    let chosen = terms.iter().flat_map(|&term| match (store.op(term), store.args(term)) {
        (Op::Eq, &[a, b]) => vec![(a, b), (b, a)],
        (Op::Ite, &[_, a, b]) => vec![(term, a), (term, b)],
        (Op::Lambda(_), &[body]) => vec![(term, body)],
        _ => Vec::new(),
    });
    for (word, value) in chosen.chain(registers) {
        let is_constant = matches!(store.op(value), Op::BitVec(_));
        if is_constant
            && fields.knows(word)
            && matches!(fields.of_word(store, word)[..], [field] if field.is_data)
            && seen.insert(value)
        {
            constants.push(value);
        }
    }
    constants
}

/// A symbol for the same with narrower words.
fn narrower(store: &mut TermStore, symbol: SymbolId, width: u32) -> TermId {
    let (name, sort, role) = {
        let known = store.symbol(symbol);
        (known.name.clone(), known.sort, known.role)
    };
    let word = store.bitvec_sort(width);
    let sort = match store.sort(sort).clone() {
        Sort::Function { args, .. } => store.function_sort(&args, word),
        _ => word,
    };
    let role = if role == Role::Bound { Role::Skolem } else { role };
    let symbol = store.fresh(&name, sort, role);
    store.mk_symbol(symbol)
}

fn word_width(store: &TermStore, symbol: SymbolId) -> Option<u32> {
    Some(bits(store, store.symbol(symbol).sort)).filter(|&bits| bits > 0)
}

/// The bits of a word or an entry of a memory; none for anything else.
fn bits(store: &TermStore, sort: SortId) -> u32 {
    match store.sort(sort) {
        Sort::BitVec(width) => *width,
        Sort::Function { result, .. } => bits(store, *result),
        _ => 0,
    }
}

fn entries(store: &TermStore, symbol: SymbolId) -> u64 {
    match store.sort(store.symbol(symbol).sort) {
        Sort::Function { args, .. } => 1u64.checked_shl(bits(store, args[0])).unwrap_or(u64::MAX >> 8),
        _ => 1,
    }
}
