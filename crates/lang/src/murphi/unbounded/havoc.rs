//! Undefined values: arbitrary, chosen when the rule is taken.
//!
//! A choice is a parameter of the rule. Inside a loop or quantifier each iteration chooses for itself, so the parameter
//! is a function of the variables that are open. Parameters that nothing depends on in the end are dropped.

use super::Reader;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::TypeId;
use tenet_system::Bounds;
use tenet_term::{Sort, SymbolId, TermId};

/// A parameter that stands for an undefined value.
#[derive(Clone, Debug)]
pub(super) struct Havoc {
    pub(super) symbol: SymbolId,
    /// That it is within the bounds of its type, where its sort does not imply them.
    pub(super) constraint: TermId,
    /// A diagnostic for the case that something depends on the parameter in the end.
    pub(super) remark: Option<Diagnostic>,
}

impl Reader<'_> {
    /// An arbitrary value of a slot: a function of its arguments.
    pub(super) fn any_content(&mut self, slot: usize) -> TermId {
        if self.is_presence(slot) {
            return self.nothing_present(slot, 0);
        }
        let place = &self.memory.slots[slot];
        let (name, args, ty) = (place.name.clone(), place.args.clone(), place.ty);
        self.any_value(&name, &args, ty)
    }

    /// Any value of a type, as a function of arguments of these types.
    pub(super) fn any_value(&mut self, name: &str, args: &[TypeId], ty: TypeId) -> TermId {
        let result = self.sort(ty);
        if self.is_about_reads()
            && !args.is_empty()
            && !matches!(self.store.sort(result), Sort::Bool | Sort::Enum { .. })
        {
            return self.some_content(args, ty);
        }
        let mut sorts: Vec<_> = self.open.iter().map(|open| self.store.symbol(open.symbol).sort).collect();
        sorts.extend(args.iter().map(|&arg| self.simple(arg).sort));
        let sort = if sorts.is_empty() { result } else { self.store.function_sort(&sorts, result) };
        let symbol = self.parameter(&format!("any_{name}"), sort);
        let whole = self.store.mk_symbol(symbol);
        let open: Vec<SymbolId> = self.open.iter().map(|open| open.symbol).collect();
        let bound = self.argument_symbols(args, &open);
        let places: Vec<TermId> =
            open.iter().chain(&bound).map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let value = if places.is_empty() { whole } else { self.store.mk_apply(whole, &places) };
        let constraint = self.keeps_bounds(value, ty, args, &bound);
        self.scope.havocs.push(Havoc { symbol, constraint, remark: None });
        if bound.is_empty() { value } else { self.store.mk_lambda(&bound, value) }
    }

    fn argument_symbols(&mut self, args: &[TypeId], open: &[SymbolId]) -> Vec<SymbolId> {
        let mut avoid = open.to_vec();
        let mut bound = Vec::new();
        for (position, &arg) in args.iter().enumerate() {
            let base = ["u", "v", "w"].get(position).copied().unwrap_or("u");
            let sort = self.sort(arg);
            let symbol = self.store.bound_avoiding(base, sort, &avoid);
            avoid.push(symbol);
            bound.push(symbol);
        }
        bound
    }

    /// `value` is within the bounds of its type for all arguments that are within theirs.
    fn keeps_bounds(&mut self, value: TermId, ty: TypeId, args: &[TypeId], bound: &[SymbolId]) -> TermId {
        let own = self.symbolic_bounds(ty);
        let kept = self.between(value, own);
        if kept == TermId::TRUE {
            return kept;
        }
        let mut guards = Vec::new();
        for (&symbol, &arg) in bound.iter().zip(args) {
            let (term, bounds) = (self.store.mk_symbol(symbol), self.symbolic_bounds(arg));
            guards.push(self.between(term, bounds));
        }
        guards.extend(self.open.iter().map(|open| open.guard));
        let guard = self.store.mk_and(guards);
        let guarded = self.store.mk_implies(guard, kept);
        let all: Vec<SymbolId> =
            self.open.iter().map(|open| open.symbol).chain(bound.iter().copied()).collect();
        self.store.mk_forall(&all, guarded)
    }

    /// `lo <= term & term <= hi`
    pub(super) fn between(&mut self, term: TermId, bounds: Bounds) -> TermId {
        let lo = bounds.lo.map(|lo| self.store.mk_le(lo, term));
        let hi = bounds.hi.map(|hi| self.store.mk_le(term, hi));
        self.store.mk_and([lo, hi].into_iter().flatten())
    }
}
