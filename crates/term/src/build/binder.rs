//! Smart quantifiers, lambdas and applications.
//!
//! An array write is a lambda, `f[i := v]` = `lambda u. u = i ? v : f[u]`, which is more general than a store operator:
//! one lambda may change unboundedly many places (Lahiri and Bryant, section 2.2). Reads over writes then need no rule of
//! their own, beta reduction is enough.

use crate::id::{SortId, SymbolId, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::substitute::{Building, Substitution};
use crate::substituter::Substituter;
use crate::term::{Args, Op};

impl TermStore {
    /// `forall bound. body`, over the bound symbols that occur in the body. Panics unless their role is `Bound`.
    pub fn mk_forall(&mut self, bound: &[SymbolId], body: TermId) -> TermId {
        self.mk_quantifier(bound, body, Op::Forall)
    }

    /// `exists bound. body`, over the bound symbols that occur in the body. Panics unless their role is `Bound`.
    pub fn mk_exists(&mut self, bound: &[SymbolId], body: TermId) -> TermId {
        self.mk_quantifier(bound, body, Op::Exists)
    }

    fn mk_quantifier(&mut self, bound: &[SymbolId], body: TermId, op: fn(Box<[SymbolId]>) -> Op) -> TermId {
        // Every sort is inhabited, so a bound symbol that does not occur may be dropped.
        let free = self.free_bound(body);
        let mut kept: Vec<SymbolId> = bound.iter().copied().filter(|symbol| free.contains(symbol)).collect();
        if kept.is_empty() {
            return body;
        }
        let mut body = body;
        let inner = self.op(body);
        if std::mem::discriminant(inner) == std::mem::discriminant(&op(Box::default())) {
            // Symbols bound again just below do not occur free, so the two lists are disjoint.
            kept.extend_from_slice(inner.bound());
            body = self.args(body)[0];
        }
        self.raw(op(kept.into()), &[body])
    }

    /// `lambda bound. body`; `lambda u. f[u]` is `f`. Panics unless the role of the bound symbols is `Bound`.
    pub fn mk_lambda(&mut self, bound: &[SymbolId], body: TermId) -> TermId {
        match self.eta_reduct(bound, body) {
            Some(function) => function,
            None => self.raw_lambda(bound, body),
        }
    }

    fn eta_reduct(&self, bound: &[SymbolId], body: TermId) -> Option<TermId> {
        let (Op::Apply, [function, args @ ..]) = (self.op(body), self.args(body)) else { return None };
        let same_args = args.len() == bound.len()
            && args.iter().zip(bound).all(|(&arg, &symbol)| self.as_symbol(arg) == Some(symbol));
        if !same_args || !self.same_domain(*function, bound) {
            return None;
        }
        let captured = self.free_bound(*function).iter().any(|symbol| bound.contains(symbol));
        (!captured).then_some(*function)
    }

    /// Is the function's domain exactly the sorts of the bound symbols (and not merely compatible)?
    fn same_domain(&self, function: TermId, bound: &[SymbolId]) -> bool {
        let Sort::Function { args, .. } = self.sort(self.sort_of(function)) else { return false };
        args.iter().zip(bound).all(|(&sort, &symbol)| self.symbol(symbol).sort == sort)
    }

    /// `function[args]`. A lambda is beta-reduced; an `?:` between functions becomes an `?:` between their values.
    pub fn mk_apply(&mut self, function: TermId, args: &[TermId]) -> TermId {
        Substituter::reduce(self, Building::Smart, function, args)
    }

    /// `function[args := value]`: the function changed at one place.
    ///
    /// Panics if it is none or has another number of arguments. Writes to writes share their bound symbols, so a long history of writes takes constant time for each.
    pub fn mk_store(&mut self, function: TermId, args: &[TermId], value: TermId) -> TermId {
        let Sort::Function { args: domain, .. } = self.sort(self.sort_of(function)) else {
            panic!("invariant: only functions are updated");
        };
        let domain = domain.clone();
        assert_eq!(domain.len(), args.len(), "invariant: one argument for each place of the domain");
        let operands = args.iter().copied().chain([function, value]);
        let avoid: Vec<SymbolId> = operands.flat_map(|term| self.free_bound(term)).copied().collect();
        let bound: Vec<SymbolId> =
            domain.iter().enumerate().map(|(place, &sort)| self.write_symbol(place, sort, &avoid)).collect();
        let places: Args = bound.iter().map(|&symbol| self.mk_symbol(symbol)).collect();
        let here: Vec<TermId> =
            places.iter().zip(args).map(|(&place, &arg)| self.mk_eq(place, arg)).collect();
        let here = self.mk_and(here);
        let elsewhere = self.mk_apply(function, &places);
        let body = self.mk_ite(here, value, elsewhere);
        self.mk_lambda(&bound, body)
    }

    /// The symbol bound at a place of a write: the same for every write, unless it would capture.
    fn write_symbol(&mut self, place: usize, sort: SortId, avoid: &[SymbolId]) -> SymbolId {
        let base = ["u", "v", "w"].get(place).map_or_else(|| format!("u{place}"), ToString::to_string);
        self.bound_avoiding(&base, sort, avoid)
    }

    /// The body of a quantifier or lambda with the bound symbols replaced, one term for each. The caller guards
    /// instances of ranges: the term may be any integer (QI-T5). Panics if `binder` is something else.
    pub fn instantiate(&mut self, binder: TermId, args: &[TermId]) -> TermId {
        let op = self.op(binder);
        assert!(
            op.is_binder() && op.bound().len() == args.len(),
            "invariant: one term for each bound symbol"
        );
        let pairs: Vec<_> = op.bound().iter().copied().zip(args.iter().copied()).collect();
        let substitution = Substitution::from_pairs(self, pairs);
        self.substitute(self.args(binder)[0], &substitution)
    }
}
