//! The ground terms of a question, by where they stand.
//!
//! Terms below quantifiers count if they are closed: an instance would bring them up anyway. An `?:` between terms is
//! taken apart, because it always equals one of its branches, and candidates without conditions are simpler.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

use super::normal::{as_application, is_function};

/// Terms, each once, in order of insertion.
pub(super) type TermSet = IndexSet<TermId, FxBuildHasher>;

/// A function applied to functions: the symbol, and those of its arguments that are functions.
pub(super) type Functional = (SymbolId, Vec<TermId>);

/// The ground terms seen so far.
#[derive(Debug, Default)]
pub(super) struct Pool {
    seen: FxHashSet<TermId>,
    slots: IndexMap<(SymbolId, usize), TermSet, FxBuildHasher>,
    results: IndexMap<SymbolId, TermSet, FxBuildHasher>,
    kinds: IndexMap<SortId, TermSet, FxBuildHasher>,
    skolems: TermSet,
    functionals: IndexSet<Functional, FxBuildHasher>,
    depths: FxHashMap<TermId, usize>,
    /// Has everything been seen that was given, so that what comes now comes from instances?
    is_given: bool,
}

/// What two sorts have in common if their terms may replace each other: ranges are integers.
pub(super) fn kind(store: &TermStore, sort: SortId) -> SortId {
    if store.sort(sort).is_integer() { SortId::INT } else { sort }
}

/// The terms that a term is one of: the branches of an `?:`, or itself.
pub(super) fn leaves(store: &TermStore, term: TermId) -> Vec<TermId> {
    let mut found = TermSet::default();
    let mut seen = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(current) = stack.pop() {
        if !seen.insert(current) {
            continue;
        }
        match (store.op(current), store.args(current)) {
            (Op::Ite, &[_, yes, no]) => stack.extend([no, yes]),
            _ => {
                found.insert(current);
            }
        }
    }
    found.into_iter().collect()
}

impl Pool {
    /// Looks for ground terms in a term.
    pub(super) fn add(&mut self, store: &TermStore, term: TermId) {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if self.seen.insert(term) {
                self.look_at(store, term);
                stack.extend(store.args(term).iter().rev());
            }
        }
    }

    /// Everything that was given has been added.
    pub(super) fn all_given(&mut self) {
        self.is_given = true;
    }

    fn look_at(&mut self, store: &TermStore, term: TermId) {
        if let Some((symbol, args)) = as_application(store, term) {
            let functions: Vec<TermId> =
                args.iter().copied().filter(|&arg| is_function(store, arg)).collect();
            if !functions.is_empty() && functions.iter().all(|&function| store.is_closed(function)) {
                self.functionals.insert((symbol, functions));
            }
            for (place, &arg) in args.iter().enumerate().filter(|&(_, &arg)| store.is_closed(arg)) {
                self.slots.entry((symbol, place)).or_default().extend(leaves(store, arg));
            }
            if store.is_closed(term) && !self.is_given {
                self.results.entry(symbol).or_default().insert(term);
            }
        }
        if store.as_symbol(term).is_some_and(|symbol| store.symbol(symbol).role == Role::Skolem) {
            self.skolems.insert(term);
        }
        let sort = store.sort_of(term);
        let of_interest = !matches!(store.sort(sort), Sort::Bool) && *store.op(term) != Op::Ite;
        if of_interest && store.is_closed(term) {
            self.depth(store, term);
            self.kinds.entry(kind(store, sort)).or_default().insert(term);
        }
    }

    /// The ground terms at an argument of a function.
    pub(super) fn at(&self, symbol: SymbolId, place: usize) -> impl Iterator<Item = TermId> {
        self.slots.get(&(symbol, place)).into_iter().flatten().copied()
    }

    /// The ground applications of a function in what was given. Those in instances would be too many: each candidate for
    /// one variable makes another one for the next.
    pub(super) fn results(&self, symbol: SymbolId) -> impl Iterator<Item = TermId> {
        self.results.get(&symbol).into_iter().flatten().copied()
    }

    /// The ground terms that may replace a symbol of this sort.
    pub(super) fn of_kind(&self, store: &TermStore, sort: SortId) -> impl Iterator<Item = TermId> {
        self.kinds.get(&kind(store, sort)).into_iter().flatten().copied()
    }

    /// The constants that stand for witnesses, also those that the caller made, which may replace a symbol of this sort.
    pub(super) fn skolems(&self, store: &TermStore, sort: SortId) -> impl Iterator<Item = TermId> {
        let of_kind = move |&&term: &&TermId| kind(store, store.sort_of(term)) == kind(store, sort);
        self.skolems.iter().filter(of_kind).copied()
    }

    /// Functions applied to ground functions, from number `first` on.
    pub(super) fn functionals(&self, first: usize) -> impl Iterator<Item = &Functional> {
        self.functionals.iter().skip(first)
    }

    /// How deep a term is; a symbol has depth one.
    pub(super) fn depth(&mut self, store: &TermStore, term: TermId) -> usize {
        if !self.depths.contains_key(&term) {
            for part in store.subterms(term) {
                let below = store.args(part).iter().map(|arg| self.depths[arg]).max();
                self.depths.insert(part, 1 + below.unwrap_or(0));
            }
        }
        self.depths[&term]
    }

    /// The depth of the deepest ground term that is the argument of a function.
    pub(super) fn greatest_depth(&self) -> usize {
        let terms = self.slots.values().flatten();
        terms.filter_map(|term| self.depths.get(term).copied()).max().unwrap_or(0)
    }
}
