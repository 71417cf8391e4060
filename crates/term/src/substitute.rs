//! Simultaneous, capture-avoiding substitution of terms for symbols, with beta reduction.
//!
//! The pre-image of a rule is a substitution, so this is the workhorse of every engine. Replacing a function symbol by
//! a lambda reduces every application of it at once; the result is lambda-free where every function symbol is fully
//! applied (SPEC 1.1.3). All replacements happen in parallel and reach nested applications (SPEC QI-T6).
//!
//! Work is shared: the memo is keyed by term and *environment*. A binder opens a new environment only if it shadows a
//! replaced symbol or must be renamed, which is rare, so that a formula is visited once however often it is shared.
//! The alternative, de Bruijn indices, makes substitution trivial and everything else (printing, instantiation,
//! engines that hold bodies apart from binders) harder.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::build::apply;
use crate::id::{SymbolId, TermId};
use crate::store::TermStore;
use crate::symbol::Role;
use crate::term::{Args, Op};

/// How terms are put together again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Building {
    /// With the smart constructors.
    Smart,
    /// As written (SPEC RC-T1); only applied lambdas are reduced.
    Raw,
}

impl Building {
    /// The operator on the operands, built this way.
    pub fn build(self, store: &mut TermStore, op: Op, args: &[TermId]) -> TermId {
        match (self, op) {
            (Building::Smart, op) => store.mk(op, args),
            (Building::Raw, Op::Apply) => apply(store, self, args[0], &args[1..]),
            (Building::Raw, op) => store.raw(op, args),
        }
    }
}

/// A finite map from symbols to terms of compatible sorts.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    map: IndexMap<SymbolId, TermId, FxBuildHasher>,
}

impl Substitution {
    /// The empty substitution.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// The substitution with these pairs. Panics if the sorts of a pair do not fit.
    pub fn from_pairs(
        store: &TermStore,
        pairs: impl IntoIterator<Item = (SymbolId, TermId)>,
    ) -> Substitution {
        let mut substitution = Substitution::new();
        for (symbol, term) in pairs {
            substitution.insert(store, symbol, term);
        }
        substitution
    }

    /// Adds or replaces a pair. Panics if the sorts do not fit; an integer fits a range.
    pub fn insert(&mut self, store: &TermStore, symbol: SymbolId, term: TermId) {
        let fits = store.sorts.compatible(store.symbol(symbol).sort, store.sort_of(term));
        assert!(fits, "invariant: `{}` is replaced by a term of its sort", store.symbol(symbol).name);
        if store.as_symbol(term) == Some(symbol) {
            self.map.swap_remove(&symbol);
        } else {
            self.map.insert(symbol, term);
        }
    }

    /// What a symbol is replaced by, if it is.
    pub fn get(&self, symbol: SymbolId) -> Option<TermId> {
        self.map.get(&symbol).copied()
    }

    /// Is nothing replaced?
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The pairs, in no particular (but a deterministic) order.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, TermId)> {
        self.map.iter().map(|(&symbol, &term)| (symbol, term))
    }
}

impl TermStore {
    /// The term with every free occurrence of a symbol replaced, in normal form where something changed.
    pub fn substitute(&mut self, term: TermId, substitution: &Substitution) -> TermId {
        substitute(self, Building::Smart, term, substitution)
    }

    /// The same, keeping everything as written except for applied lambdas.
    pub fn substitute_raw(&mut self, term: TermId, substitution: &Substitution) -> TermId {
        substitute(self, Building::Raw, term, substitution)
    }
}

pub(crate) fn substitute(
    store: &mut TermStore,
    building: Building,
    term: TermId,
    substitution: &Substitution,
) -> TermId {
    Substituter::new(store, substitution, building).apply(store, term)
}

/// A substitution with its memo, for use on several terms.
#[derive(Debug)]
pub struct Substituter {
    building: Building,
    environments: Vec<Environment>,
    memo: FxHashMap<(TermId, usize), TermId>,
    opened: FxHashMap<(TermId, usize), Opened>,
}

/// A binder met in an environment that could not simply be kept for its body.
#[derive(Debug)]
struct Opened {
    /// The environment of the body.
    below: usize,
    /// What is bound there.
    bound: Box<[SymbolId]>,
}

#[derive(Debug)]
struct Environment {
    map: IndexMap<SymbolId, TermId, FxBuildHasher>,
    /// Are only bound symbols replaced, as in beta reduction? Then most subterms are not concerned.
    only_bound: bool,
}

impl Substituter {
    /// Prepares a substitution.
    pub fn new(store: &TermStore, substitution: &Substitution, building: Building) -> Substituter {
        let root = Environment::new(store, substitution.map.clone());
        Substituter {
            building,
            environments: vec![root],
            memo: FxHashMap::default(),
            opened: FxHashMap::default(),
        }
    }

    /// The term with the substitution applied.
    pub fn apply(&mut self, store: &mut TermStore, term: TermId) -> TermId {
        if self.environments[0].map.is_empty() {
            return term;
        }
        let mut stack = vec![(term, 0, false)];
        while let Some((term, environment, ready)) = stack.pop() {
            if self.memo.contains_key(&(term, environment)) {
                continue;
            }
            if ready {
                let result = self.rebuild(store, term, environment);
                self.memo.insert((term, environment), result);
                continue;
            }
            if let Some(result) = self.leaf(store, term, environment) {
                self.memo.insert((term, environment), result);
                continue;
            }
            stack.push((term, environment, true));
            let below = self.environment_below(store, term, environment);
            stack.extend(store.args(term).iter().rev().map(|&arg| (arg, below, false)));
        }
        self.memo[&(term, 0)]
    }

    /// The result, if it takes no look at operands.
    fn leaf(&self, store: &TermStore, term: TermId, environment: usize) -> Option<TermId> {
        let Environment { map, only_bound } = &self.environments[environment];
        if *only_bound && !store.free_bound(term).iter().any(|symbol| map.contains_key(symbol)) {
            return Some(term);
        }
        match store.op(term) {
            Op::Symbol(symbol) => Some(map.get(symbol).copied().unwrap_or(term)),
            op if op.is_literal() => Some(term),
            _ => None,
        }
    }

    fn rebuild(&mut self, store: &mut TermStore, term: TermId, environment: usize) -> TermId {
        let opened = self.opened.get(&(term, environment));
        let below = opened.map_or(environment, |opened| opened.below);
        let args: Args = store.args(term).iter().map(|&arg| self.memo[&(arg, below)]).collect();
        let renamed = opened.is_some_and(|opened| *opened.bound != *store.op(term).bound());
        if !renamed && args[..] == *store.args(term) {
            return term;
        }
        let op = match (store.op(term), opened) {
            (Op::Forall(_), Some(opened)) => Op::Forall(opened.bound.clone()),
            (Op::Exists(_), Some(opened)) => Op::Exists(opened.bound.clone()),
            (Op::Lambda(_), Some(opened)) => Op::Lambda(opened.bound.clone()),
            (op, _) => op.clone(),
        };
        self.building.build(store, op, &args)
    }

    /// The environment in which the operands are visited: a new one if the term binds a symbol that is replaced or
    /// that a replacement mentions.
    fn environment_below(&mut self, store: &mut TermStore, term: TermId, environment: usize) -> usize {
        if !store.op(term).is_binder() {
            return environment;
        }
        let bound: Box<[SymbolId]> = store.op(term).bound().into();
        let current = &self.environments[environment];
        let shadows = bound.iter().any(|symbol| current.map.contains_key(symbol));
        let clashing = current.captured_by(store, term, &bound);
        if !shadows && clashing.is_empty() {
            return environment;
        }
        let mut map = current.map.clone();
        map.retain(|symbol, _| !bound.contains(symbol));
        let mut avoid: Vec<SymbolId> = bound.to_vec();
        avoid.extend(map.values().flat_map(|&replacement| store.free_bound(replacement)));
        avoid.extend_from_slice(store.free_bound(store.args(term)[0]));
        let mut renamed = bound;
        for symbol in renamed.iter_mut().filter(|symbol| clashing.contains(symbol)) {
            let (name, sort) = (store.symbol(*symbol).name.clone(), store.symbol(*symbol).sort);
            let other = store.bound_avoiding(&name, sort, &avoid);
            avoid.push(other);
            let replacement = store.mk_symbol(other);
            map.insert(*symbol, replacement);
            *symbol = other;
        }
        let below = self.environments.len();
        self.environments.push(Environment::new(store, map));
        self.opened.insert((term, environment), Opened { below, bound: renamed });
        below
    }
}

impl Environment {
    fn new(store: &TermStore, map: IndexMap<SymbolId, TermId, FxBuildHasher>) -> Environment {
        let only_bound = map.keys().all(|&symbol| store.symbol(symbol).role == Role::Bound);
        Environment { map, only_bound }
    }

    /// Which of the symbols bound by `binder` would capture one that is free in a replacement made below it?
    fn captured_by(&self, store: &TermStore, binder: TermId, bound: &[SymbolId]) -> Vec<SymbolId> {
        let captures = |term| store.free_bound(term).iter().any(|symbol| bound.contains(symbol));
        let risky: Vec<_> = self.map.iter().filter(|&(_, &term)| captures(term)).collect();
        if risky.is_empty() {
            return Vec::new();
        }
        let occurring = store.free_symbols(binder);
        let made = risky.into_iter().filter(|(symbol, _)| occurring.binary_search(symbol).is_ok());
        let exposed = made.flat_map(|(_, &term)| store.free_bound(term).iter().copied());
        exposed.filter(|symbol| bound.contains(symbol)).collect()
    }
}
