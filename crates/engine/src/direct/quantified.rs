//! Quantifiers in assertions: an existential is Skolemised, a universal becomes a Boolean proxy and a fact that is
//! instantiated when a model violates it. Everything is in negation normal form, so each quantifier is used with one
//! polarity only.

use tenet_system::within_sort;
use tenet_term::{Op, Role, Substitution, SymbolId, TermId, TermStore};

/// A universal formula and its proxy, which implies it.
#[derive(Clone, Debug)]
pub struct Universal {
    /// What makes it hold; `TRUE` if it always does.
    pub proxy: TermId,
    pub vars: Vec<SymbolId>,
    /// What holds of them, in negation normal form; guarded by the ranges of the variables.
    pub body: TermId,
}

impl Universal {
    /// The fact for these terms, with the proxy as premise.
    pub fn instance(&self, store: &mut TermStore, terms: &[TermId]) -> TermId {
        let pairs: Vec<_> = self.vars.iter().copied().zip(terms.iter().copied()).collect();
        let substitution = Substitution::from_pairs(store, pairs);
        let body = store.substitute(self.body, &substitution);
        store.mk_implies(self.proxy, body)
    }
}

/// A formula without quantifiers that says the same, given the universals, as `formula` does where it is asserted.
pub fn ground(store: &mut TermStore, formula: TermId, universals: &mut Vec<Universal>) -> TermId {
    if !store.has_quantifier(formula) {
        return formula;
    }
    let lifted = store.lift_ites(formula);
    let normal = store.nnf(lifted);
    strip(store, normal, universals)
}

fn strip(store: &mut TermStore, formula: TermId, universals: &mut Vec<Universal>) -> TermId {
    if !store.has_quantifier(formula) {
        return formula;
    }
    let args = store.args(formula).to_vec();
    match store.op(formula).clone() {
        op @ (Op::And | Op::Or) => {
            let parts: Vec<TermId> = args.iter().map(|&arg| strip(store, arg, universals)).collect();
            if op == Op::And { store.mk_and(parts) } else { store.mk_or(parts) }
        }
        Op::Exists(bound) => {
            let body = guarded(store, &bound, args[0], false);
            let pairs: Vec<(SymbolId, TermId)> = bound
                .iter()
                .map(|&symbol| {
                    let sort = store.symbol(symbol).sort;
                    let fresh = store.fresh("some", sort, Role::Skolem);
                    (symbol, store.mk_symbol(fresh))
                })
                .collect();
            let substitution = Substitution::from_pairs(store, pairs);
            let body = store.substitute(body, &substitution);
            strip(store, body, universals)
        }
        Op::Forall(bound) => {
            if let Some(known) = universals.iter().find(|known| known.is(&bound, args[0])) {
                return known.proxy;
            }
            let symbol = store.fresh("all", tenet_term::SortId::BOOL, Role::Skolem);
            let proxy = store.mk_symbol(symbol);
            let body = guarded(store, &bound, args[0], true);
            universals.push(Universal { proxy, vars: bound.to_vec(), body });
            proxy
        }
        _ => formula,
    }
}

impl Universal {
    fn is(&self, vars: &[SymbolId], body: TermId) -> bool {
        self.vars == vars && self.body == body
    }
}

/// The body of a quantifier guarded by the ranges of its variables.
fn guarded(store: &mut TermStore, bound: &[SymbolId], body: TermId, universal: bool) -> TermId {
    let mut parts = vec![body];
    for &symbol in bound {
        let (sort, term) = (store.symbol(symbol).sort, store.mk_symbol(symbol));
        let within = within_sort(store, sort, term);
        parts.push(if universal { store.mk_not(within) } else { within });
    }
    let whole = if universal { store.mk_or(parts) } else { store.mk_and(parts) };
    store.nnf(whole)
}
