//! Terms of a system in the store of a program.
//!
//! Variables and constants of the system become universal variables (role `Index`), definitions stay functions (role `Const`) until they
//! are taken out as atoms. A range becomes all integers, as it is to a solver, and a quantifier over it says which of
//! them are meant (QI-T5). That is the same formula where the values are in range; nothing is said of an equation between
//! arrays over a range then, because it would become one between more places.

use crate::system::System;
use std::collections::{BTreeMap, BTreeSet};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

/// Copies what it is asked for, once.
pub(super) struct Import<'a> {
    from: &'a TermStore,
    to: TermStore,
    definitions: BTreeSet<SymbolId>,
    symbols: BTreeMap<SymbolId, SymbolId>,
    terms: BTreeMap<TermId, TermId>,
}

impl<'a> Import<'a> {
    /// Begins with an empty store.
    pub(super) fn new(system: &'a System) -> Import<'a> {
        Import {
            from: &system.store,
            to: TermStore::new(),
            definitions: system.definitions.iter().map(|definition| definition.symbol).collect(),
            symbols: BTreeMap::new(),
            terms: BTreeMap::new(),
        }
    }

    pub(super) fn store(&mut self) -> &mut TermStore {
        &mut self.to
    }

    /// The same, when all is done.
    pub(super) fn into_store(self) -> TermStore {
        self.to
    }

    /// The function that a definition is.
    pub(super) fn define(&mut self, symbol: SymbolId) -> Option<SymbolId> {
        self.symbol(symbol)
    }

    /// Symbols; `None` if one has a sort that has no place here.
    pub(super) fn symbols(&mut self, symbols: &[SymbolId]) -> Option<Vec<SymbolId>> {
        symbols.iter().map(|&symbol| self.symbol(symbol)).collect()
    }

    fn symbol(&mut self, symbol: SymbolId) -> Option<SymbolId> {
        if let Some(&known) = self.symbols.get(&symbol) {
            return Some(known);
        }
        let from = self.from;
        let declared = from.symbol(symbol);
        let role = match declared.role {
            Role::Const if self.definitions.contains(&symbol) => Role::Const,
            Role::Const | Role::State => Role::Index,
            Role::Bound => Role::Bound,
            _ => return None,
        };
        let sort = self.sort(declared.sort)?;
        // Never the same for two: symbols of the same name differ in role or sort, which may be the same here.
        let copied = self.to.fresh(&declared.name, sort, role);
        self.symbols.insert(symbol, copied);
        Some(copied)
    }

    /// A term; `None` if it has no place here. Operands before their users, from left to right: what comes out must not depend on
    /// what else is in the store.
    pub(super) fn term(&mut self, term: TermId) -> Option<TermId> {
        let from = self.from;
        let mut stack = vec![(term, false)];
        while let Some((part, is_ready)) = stack.pop() {
            if self.terms.contains_key(&part) {
                continue;
            }
            if is_ready {
                let copied = self.part(part)?;
                self.terms.insert(part, copied);
            } else {
                stack.push((part, true));
                stack.extend(from.args(part).iter().rev().map(|&arg| (arg, false)));
            }
        }
        Some(self.terms[&term])
    }

    /// A term whose operands are there.
    fn part(&mut self, part: TermId) -> Option<TermId> {
        let from = self.from;
        let args: Vec<TermId> = from.args(part).iter().map(|arg| self.terms[arg]).collect();
        let op = match from.op(part) {
            Op::Index(..) => return None,
            Op::Eq | Op::Distinct if from.args(part).iter().any(|&arg| self.is_over_range(arg)) => {
                return None;
            }
            Op::Symbol(symbol) => Op::Symbol(self.symbol(*symbol)?),
            Op::Forall(bound) => return self.quantifier(bound, args[0], true),
            Op::Exists(bound) => return self.quantifier(bound, args[0], false),
            Op::Lambda(bound) => Op::Lambda(self.symbols(bound)?.into()),
            Op::Enum(sort, position) => Op::Enum(self.sort(*sort)?, *position),
            Op::In(union, member) => Op::In(self.sort(*union)?, self.sort(*member)?),
            Op::Is(member) => Op::Is(self.sort(*member)?),
            Op::Out(member) => Op::Out(self.sort(*member)?),
            op => op.clone(),
        };
        Some(self.to.raw(op, &args))
    }

    fn quantifier(&mut self, bound: &[SymbolId], body: TermId, is_universal: bool) -> Option<TermId> {
        let copied = self.symbols(bound)?;
        let mut guards = Vec::new();
        for (&symbol, &copy) in bound.iter().zip(&copied) {
            guards.extend(self.within(self.from.symbol(symbol).sort, copy));
        }
        let guard = self.to.mk_and(guards);
        Some(match is_universal {
            true => {
                let body = self.to.mk_implies(guard, body);
                self.to.mk_forall(&copied, body)
            }
            false => {
                let body = self.to.mk_and([guard, body]);
                self.to.mk_exists(&copied, body)
            }
        })
    }

    /// That a symbol is in the range that its sort was.
    fn within(&mut self, sort: SortId, symbol: SymbolId) -> Vec<TermId> {
        let Sort::Range { lo, hi, .. } = self.from.sort(sort) else { return Vec::new() };
        let value = self.to.mk_symbol(symbol);
        let lo = lo.clone().map(|lo| self.to.mk_int(lo)).map(|lo| self.to.mk_le(lo, value));
        let hi = hi.clone().map(|hi| self.to.mk_int(hi)).map(|hi| self.to.mk_le(value, hi));
        lo.into_iter().chain(hi).collect()
    }

    /// Is it an array whose places are those of a range?
    fn is_over_range(&self, term: TermId) -> bool {
        let Sort::Function { args, .. } = self.from.sort(self.from.sort_of(term)) else { return false };
        args.iter().any(|&arg| matches!(self.from.sort(arg), Sort::Range { .. }))
    }

    /// A sort. Sorts are not deep: functions and unions have plain parts.
    fn sort(&mut self, sort: SortId) -> Option<SortId> {
        let from = self.from;
        let copied = match from.sort(sort) {
            Sort::Range { .. } => return Some(SortId::INT),
            Sort::Union { members, .. } if members.iter().any(|&member| from.sort(member).is_integer()) => {
                return None;
            }
            Sort::Union { name, members } => {
                Sort::Union { name: name.clone(), members: self.sorts(members)? }
            }
            Sort::Function { args, result } => {
                Sort::Function { args: self.sorts(args)?, result: self.sort(*result)? }
            }
            plain => plain.clone(),
        };
        Some(self.to.mk_sort(copied))
    }

    fn sorts<T: FromIterator<SortId>>(&mut self, sorts: &[SortId]) -> Option<T> {
        sorts.iter().map(|&sort| self.sort(sort)).collect()
    }
}
