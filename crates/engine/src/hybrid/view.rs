//! What an abstract model sees of a term: predicates and kept registers are its variables, the rest is free.
//!
//! Putting `B_j` for `P_j` in the next value of a register (Clarke et al., section 3.2) is done while the term is walked, by
//! asking of each part whether it is a predicate; terms are hash-consed, so that is matching up to the normal form of the
//! store. A part that is not seen is an input. Its bits are (HL-T9), unless it is a comparison of much that is not seen: then the
//! outcome of the comparison is one free bit, because diagrams of comparisons of wide words that mean nothing to the model
//! would be the largest thing in it. The same part is the same input wherever it occurs in a cycle (HL-T5).

use rustc_hash::FxHashMap;
use tenet_abstraction::bits::{has_diagram, width};
use tenet_term::{BvOp, Op, Sort, SymbolId, TermId, TermMap, TermStore};

/// A comparison of more unseen bits than this becomes one free bit: its diagram would be large and say nothing.
const MAX_COMPARED_BITS: usize = 8;

#[derive(Clone, Debug, Default)]
pub struct View {
    /// The atom that each variable of an abstract state stands for: a predicate or a bit of a kept register.
    pub atoms: Vec<TermId>,
    variables: FxHashMap<TermId, usize>,
    /// Predicates, and formulas that mean their negation, with their variable.
    predicates: FxHashMap<TermId, (usize, bool)>,
    /// The variables of each kept register, the lowest bit first.
    registers: FxHashMap<SymbolId, Vec<usize>>,
    /// Are wide comparisons of what is no register computed, too?
    pub sees_inputs: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// A predicate, or the negation of one.
    Predicate(usize, bool),
    Register(&'a [usize]),
    /// Something that is not seen.
    Input,
    /// Something that its operands decide.
    Inner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// With predicates.
    Abstract,
    /// Through them: for their definitions.
    Concrete,
}

impl View {
    /// These registers, and these predicates (atoms of literals) as far as the registers do not decide them.
    pub fn new(store: &mut TermStore, kept: &[SymbolId], predicates: &[TermId]) -> View {
        let mut view = View::default();
        // Bits of the same weight are neighbours, so that registers can be compared and added (X-T9).
        let widths: Vec<usize> = kept.iter().map(|&register| width_of(store, register)).collect();
        for bit in 0..widths.iter().copied().max().unwrap_or(0) {
            for (&register, _) in kept.iter().zip(&widths).filter(|&(_, &width)| bit < width) {
                let atom = bit_of(store, register, bit);
                view.registers.entry(register).or_default().push(view.atoms.len());
                view.atoms.push(atom);
            }
        }
        view.variables = view.atoms.iter().enumerate().map(|(variable, &atom)| (atom, variable)).collect();
        for &atom in predicates {
            if !view.decides(store, atom) {
                let negation = store.mk_not(atom);
                view.predicates.insert(atom, (view.atoms.len(), true));
                view.predicates.insert(negation, (view.atoms.len(), false));
                view.variables.insert(atom, view.atoms.len());
                view.atoms.push(atom);
            }
        }
        view
    }

    /// Do the kept registers decide the term, so that it needs no variable of its own?
    fn decides(&self, store: &TermStore, term: TermId) -> bool {
        let are_kept = store.free_symbols(term).iter().all(|symbol| self.registers.contains_key(symbol));
        are_kept && has_diagram(store, term)
    }

    /// The variables of a kept register, the lowest bit first.
    pub fn variables_of(&self, register: SymbolId) -> &[usize] {
        self.registers.get(&register).map_or(&[], Vec::as_slice)
    }

    pub fn keeps(&self, register: SymbolId) -> bool {
        self.registers.contains_key(&register)
    }

    pub fn variable(&self, atom: TermId) -> Option<usize> {
        self.variables.get(&atom).copied()
    }

    pub fn mentioned(&self, store: &TermStore, term: TermId) -> Vec<usize> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match (self.variable(term), self.part(store, term, Sight::Abstract)) {
                (Some(variable), _) | (None, Part::Predicate(variable, _)) => found.push(variable),
                (None, Part::Register(bits)) => found.extend(bits),
                (None, Part::Inner) => stack.extend(store.args(term)),
                (None, Part::Input) => {}
            }
        }
        found
    }

    /// The same with variables in another order: for each of them its old number.
    pub fn permuted(&self, order: &[usize]) -> View {
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
        let predicates = self.predicates.iter().map(|(&term, &(old, value))| (term, (place[old], value)));
        let registers = self.registers.iter();
        View {
            atoms: order.iter().map(|&old| self.atoms[old]).collect(),
            variables: self.variables.iter().map(|(&term, &old)| (term, place[old])).collect(),
            predicates: predicates.collect(),
            registers: registers
                .map(|(&r, bits)| (r, bits.iter().map(|&old| place[old]).collect()))
                .collect(),
            sees_inputs: self.sees_inputs,
        }
    }

    pub fn part(&self, store: &TermStore, term: TermId, sight: Sight) -> Part<'_> {
        if sight == Sight::Abstract
            && let Some(&(variable, value)) = self.predicates.get(&term)
        {
            return Part::Predicate(variable, value);
        }
        if let Some(symbol) = store.as_symbol(term) {
            return self.registers.get(&symbol).map_or(Part::Input, |bits| Part::Register(bits));
        }
        let is_input = sight == Sight::Abstract
            && !self.sees_inputs
            && is_atom(store, term)
            && self.unseen_bits(store, term) > MAX_COMPARED_BITS;
        if is_input { Part::Input } else { Part::Inner }
    }

    /// The unseen parts of a term, each with its number of bits. A function is as wide as anything.
    pub fn inputs(&self, store: &TermStore, term: TermId, sight: Sight) -> TermMap<usize> {
        let mut found = TermMap::default();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.part(store, term, sight) {
                Part::Input => {
                    found.insert(term, width(store, store.sort_of(term)).unwrap_or(usize::from(u16::MAX)));
                }
                Part::Inner => stack.extend(store.args(term)),
                Part::Predicate(..) | Part::Register(_) => {}
            }
        }
        found
    }

    fn unseen_bits(&self, store: &TermStore, term: TermId) -> usize {
        let symbols = store.free_symbols(term).into_iter().filter(|&symbol| !self.keeps(symbol));
        let bits = |symbol| width(store, store.symbol(symbol).sort).unwrap_or(usize::from(u16::MAX));
        symbols.map(bits).sum()
    }
}

/// Is it a truth value that no connective makes?
fn is_atom(store: &TermStore, term: TermId) -> bool {
    let op = store.op(term);
    store.is_bool(term) && !op.is_connective() && !matches!(op, Op::Ite | Op::Bool(_))
}

/// How many bits a register has; none for a memory.
pub fn width_of(store: &TermStore, register: SymbolId) -> usize {
    width(store, store.symbol(register).sort).unwrap_or(0)
}

pub fn bit_of(store: &mut TermStore, register: SymbolId, bit: usize) -> TermId {
    let word = store.mk_symbol(register);
    let sort = store.symbol(register).sort;
    match store.sort(sort) {
        Sort::Bool => return word,
        Sort::Enum { variants, .. } => {
            let with = (0..variants.len()).filter(|value| value >> bit & 1 == 1);
            let mut is_one = Vec::new();
            for value in with.collect::<Vec<_>>() {
                let value = store.mk_enum(sort, value as u32);
                is_one.push(store.mk_eq(word, value));
            }
            return store.mk_or(is_one);
        }
        _ => {}
    }
    bit_of_word(store, word, bit)
}

/// A bit of a word, or a truth value as it is.
fn bit_of_word(store: &mut TermStore, word: TermId, bit: usize) -> TermId {
    if store.is_bool(word) {
        return word;
    }
    let bit = u32::try_from(bit).expect("invariant: widths have 32 bits");
    let bit = store.mk_bv(BvOp::Extract { hi: bit, lo: bit }, &[word]);
    store.mk_bit_to_bool(bit)
}

/// The number of places of a memory, and the bits of each.
pub fn places(store: &TermStore, memory: SymbolId) -> Option<(usize, usize)> {
    let Sort::Function { args, result } = store.sort(store.symbol(memory).sort) else { return None };
    let &[index] = &args[..] else { return None };
    let places = u32::try_from(width(store, index)?).ok().and_then(|bits| 1_usize.checked_shl(bits))?;
    Some((places, width(store, *result)?))
}

/// The bits of all places of a memory.
pub fn bits_of_memory(store: &mut TermStore, memory: SymbolId) -> Vec<TermId> {
    let Some((places, width)) = places(store, memory) else { return Vec::new() };
    let head = store.mk_symbol(memory);
    let bits = places.trailing_zeros();
    let mut found = Vec::new();
    for place in 0..places {
        let place = store.mk_bitvec(bits, place);
        let word = store.mk_apply(head, &[place]);
        found.extend((0..width).map(|bit| bit_of_word(store, word, bit)));
    }
    found
}
