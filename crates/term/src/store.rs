//! The store that owns sorts, symbols and terms.
//!
//! Terms are hash-consed: the same operator on the same operands is the same [`TermId`]. Operands exist before the
//! term that uses them, so an operand's id is always smaller than its user's; ascending id order is a topological
//! order, and no term can be cyclic. There is no global store: two verification runs in one process share nothing.
//!
//! This file only stores. Smart constructors are in `build`, raw ones in `raw`, the sort rules in `typing`.

use indexmap::IndexSet;
use num_bigint::BigInt;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::error::SortError;
use crate::id::{SortId, SymbolId, TermId};
use crate::sort::{Sort, SortTable};
use crate::symbol::{Role, Spelling, Symbol};
use crate::term::{Args, Op, Term};

/// Owns sorts, symbols and terms. Ids of one store mean nothing in another, except the named constants.
#[derive(Clone, Debug)]
pub struct TermStore {
    terms: IndexSet<Term, FxBuildHasher>,
    info: Vec<Info>,
    pub(crate) sorts: SortTable,
    symbols: IndexSet<Symbol, FxBuildHasher>,
    /// Every name in use, with the number last put behind it to make a fresh one.
    names: FxHashMap<String, u32>,
    /// How symbols are written that are not written by their names.
    spellings: FxHashMap<SymbolId, Spelling>,
    /// The distinct sets of bound symbols that occur free in some term; the empty one first.
    bound_sets: IndexSet<Box<[SymbolId]>, FxBuildHasher>,
}

/// What is known of a term without looking below it.
#[derive(Clone, Copy, Debug)]
struct Info {
    sort: SortId,
    /// Position in `bound_sets`.
    free_bound: u32,
    features: Features,
}

/// Which kinds of operators occur in a term, its operands included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Features(u8);

impl Features {
    const QUANTIFIER: Features = Features(1);
    const LAMBDA: Features = Features(2);

    fn union(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    fn has(self, other: Features) -> bool {
        self.0 & other.0 != 0
    }
}

impl Default for TermStore {
    fn default() -> TermStore {
        TermStore::new()
    }
}

impl TermStore {
    pub fn new() -> TermStore {
        let mut store = TermStore {
            terms: IndexSet::default(),
            info: Vec::new(),
            sorts: SortTable::new(),
            symbols: IndexSet::default(),
            names: FxHashMap::default(),
            spellings: FxHashMap::default(),
            bound_sets: [Box::default()].into_iter().collect(),
        };
        // The order is fixed by the constants `TermId::FALSE` and `TermId::TRUE`.
        for value in [false, true] {
            store.intern(Op::Bool(value), Args::new()).expect("invariant: truth literals are well-sorted");
        }
        store
    }

    /// How many terms there are; every [`TermId::index`] is below it.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Is the store empty? Never: the truth literals are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    // Sorts.

    pub fn sort(&self, id: SortId) -> &Sort {
        self.sorts.get(id)
    }

    /// All sorts, in order of creation.
    pub fn sorts(&self) -> impl Iterator<Item = (SortId, &Sort)> {
        self.sorts.iter()
    }

    /// The name of a sort as the printer shows it.
    pub fn sort_name(&self, id: SortId) -> String {
        self.sorts.name(id)
    }

    /// Interns a sort that comes from user input.
    pub fn declare_sort(&mut self, sort: Sort) -> Result<SortId, SortError> {
        self.sorts.intern(sort)
    }

    /// Interns a sort that is known to be well-formed; panics if it is not.
    pub fn mk_sort(&mut self, sort: Sort) -> SortId {
        self.sorts.intern(sort).unwrap_or_else(|error| panic!("invariant: sorts are checked before: {error}"))
    }

    /// The bit-vector sort of this width.
    pub fn bitvec_sort(&mut self, width: u32) -> SortId {
        self.mk_sort(Sort::BitVec(width))
    }

    /// The enumeration with these values.
    pub fn enum_sort(&mut self, name: &str, variants: &[&str]) -> SortId {
        let variants = variants.iter().map(|variant| variant.to_string()).collect();
        self.mk_sort(Sort::Enum { name: name.to_string(), variants })
    }

    /// The anonymous range `lo..hi`.
    pub fn range_sort(&mut self, lo: impl Into<BigInt>, hi: impl Into<BigInt>) -> SortId {
        let (lo, hi) = (lo.into(), hi.into());
        self.mk_sort(Sort::Range { name: format!("{lo}..{hi}"), lo: Some(lo), hi: Some(hi) })
    }

    pub fn index_sort(&mut self, name: &str) -> SortId {
        self.mk_sort(Sort::Index { name: name.to_string() })
    }

    /// The sum of enumerations and index sorts.
    pub fn union_sort(&mut self, name: &str, members: &[SortId]) -> SortId {
        self.mk_sort(Sort::Union { name: name.to_string(), members: members.to_vec() })
    }

    pub fn function_sort(&mut self, args: &[SortId], result: SortId) -> SortId {
        self.mk_sort(Sort::Function { args: args.to_vec(), result })
    }

    // Symbols.

    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.index()]
    }

    /// The symbol of this name, sort and role; asking again gives the same one.
    pub fn declare(&mut self, name: &str, sort: SortId, role: Role) -> SymbolId {
        let (index, new) = self.symbols.insert_full(Symbol { name: name.to_string(), sort, role });
        if new {
            self.names.entry(name.to_string()).or_insert(1);
        }
        SymbolId::from_index(index)
    }

    /// A symbol whose name, made from `base`, no other symbol has.
    pub fn fresh(&mut self, base: &str, sort: SortId, role: Role) -> SymbolId {
        let Some(&used) = self.names.get(base) else { return self.declare(base, sort, role) };
        let mut number = used;
        let mut name = base.to_string();
        while self.names.contains_key(&name) {
            number += 1;
            name = format!("{base}_{number}");
        }
        self.names.insert(base.to_string(), number);
        self.declare(&name, sort, role)
    }

    /// A bound symbol of this sort, named `base` if that one is not to be avoided, otherwise `base_2` and so on. Unlike
    /// [`fresh`](TermStore::fresh) it gives the same symbol again in the same situation, and so equal terms.
    pub fn bound_avoiding(&mut self, base: &str, sort: SortId, avoid: &[SymbolId]) -> SymbolId {
        let mut symbol = self.declare(base, sort, Role::Bound);
        let mut number = 1;
        while avoid.contains(&symbol) {
            number += 1;
            symbol = self.declare(&format!("{base}_{number}"), sort, Role::Bound);
        }
        symbol
    }

    /// All symbols, in order of declaration.
    pub fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.symbols.iter().enumerate().map(|(index, symbol)| (SymbolId::from_index(index), symbol))
    }

    /// How a symbol is written where it is applied; without one, by its name.
    pub fn spelling(&self, symbol: SymbolId) -> Option<&Spelling> {
        self.spellings.get(&symbol)
    }

    /// Says how a symbol is written. That changes nothing but what is printed.
    pub fn spell(&mut self, symbol: SymbolId, spelling: Spelling) {
        self.spellings.insert(symbol, spelling);
    }

    // Terms.

    pub fn op(&self, term: TermId) -> &Op {
        &self.terms[term.index()].op
    }

    /// The operands of a term. Their ids are smaller than the term's.
    pub fn args(&self, term: TermId) -> &[TermId] {
        &self.terms[term.index()].args
    }

    pub fn sort_of(&self, term: TermId) -> SortId {
        self.info[term.index()].sort
    }

    pub fn is_bool(&self, term: TermId) -> bool {
        self.sort_of(term) == SortId::BOOL
    }

    pub fn as_symbol(&self, term: TermId) -> Option<SymbolId> {
        match self.op(term) {
            Op::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

    /// The integer, if the term is an integer literal.
    pub fn as_int(&self, term: TermId) -> Option<&BigInt> {
        match self.op(term) {
            Op::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Does the term denote one known value: a literal, or a literal as a value of a union? Two such terms of one
    /// sort have equal values exactly when they are the same term.
    pub fn is_value(&self, term: TermId) -> bool {
        match self.op(term) {
            Op::In(..) => self.op(self.args(term)[0]).is_literal(),
            op => op.is_literal(),
        }
    }

    /// The symbols of role `Bound` that occur free, in ascending id order. Known at once: these sets are few and
    /// small, so they are kept for every term.
    pub fn free_bound(&self, term: TermId) -> &[SymbolId] {
        &self.bound_sets[self.info[term.index()].free_bound as usize]
    }

    /// Is every bound symbol that occurs under its binder?
    pub fn is_closed(&self, term: TermId) -> bool {
        self.info[term.index()].free_bound == 0
    }

    pub fn has_quantifier(&self, term: TermId) -> bool {
        self.info[term.index()].features.has(Features::QUANTIFIER)
    }

    pub fn has_lambda(&self, term: TermId) -> bool {
        self.info[term.index()].features.has(Features::LAMBDA)
    }

    /// The term with this operator and these operands, if it was built before.
    pub(crate) fn find(&self, op: Op, args: &[TermId]) -> Option<TermId> {
        self.terms.get_index_of(&Term { op, args: Args::from_slice(args) }).map(TermId::from_index)
    }

    /// The one door through which every term enters the store.
    pub(crate) fn intern(&mut self, op: Op, args: Args) -> Result<TermId, SortError> {
        let term = Term { op, args };
        if let Some(index) = self.terms.get_index_of(&term) {
            return Ok(TermId::from_index(index));
        }
        let sort = self.infer(&term.op, &term.args)?;
        let info = Info { sort, free_bound: self.free_bound_set(&term), features: self.features(&term) };
        self.info.push(info);
        Ok(TermId::from_index(self.terms.insert_full(term).0))
    }

    fn features(&self, term: &Term) -> Features {
        let own = match &term.op {
            Op::Forall(_) | Op::Exists(_) => Features::QUANTIFIER,
            Op::Lambda(_) => Features::LAMBDA,
            _ => Features::default(),
        };
        term.args.iter().fold(own, |all, arg| all.union(self.info[arg.index()].features))
    }

    fn free_bound_set(&mut self, term: &Term) -> u32 {
        if let Op::Symbol(symbol) = term.op {
            let bound = self.symbol(symbol).role == Role::Bound;
            return if bound { self.intern_bound_set([symbol].into()) } else { 0 };
        }
        let sets = || term.args.iter().map(|arg| self.info[arg.index()].free_bound).filter(|&set| set != 0);
        let Some(first) = sets().next() else { return 0 };
        if !term.op.is_binder() && sets().all(|set| set == first) {
            return first;
        }
        let all = sets().flat_map(|set| self.bound_sets[set as usize].iter().copied());
        let mut union: Vec<SymbolId> = all.filter(|symbol| !term.op.bound().contains(symbol)).collect();
        union.sort_unstable();
        union.dedup();
        self.intern_bound_set(union.into())
    }

    fn intern_bound_set(&mut self, set: Box<[SymbolId]>) -> u32 {
        self.bound_sets.insert_full(set).0 as u32
    }
}
