//! Brings formulas into a form in which every quantifier is visible as one.
//!
//! Equality of functions says something of all arguments, so it is a universal quantifier in disguise. Applied
//! lambdas, which raw terms may hold, are reduced. The scope of each quantifier is minimised, see `scope`.

use tenet_term::{Op, Sort, SymbolId, TermId, TermStore};

use super::scope;

/// An equivalent formula without equations between functions, applied lambdas, or quantifiers of needless scope.
pub(super) fn normalise(store: &mut TermStore, formula: TermId) -> TermId {
    store.rewrite_bottom_up(formula, |store, term, args| {
        let op = store.op(term).clone();
        match op {
            Op::Eq if is_function(store, args[0]) => same_function(store, args[0], args[1]),
            Op::Distinct if is_function(store, args[0]) => distinct_functions(store, args),
            Op::Forall(bound) => scope::narrow(store, true, &bound, args[0]),
            Op::Exists(bound) => scope::narrow(store, false, &bound, args[0]),
            Op::Apply => store.mk(Op::Apply, args),
            _ if args == store.args(term) => term,
            op => store.mk(op, args),
        }
    })
}

pub(super) fn is_function(store: &TermStore, term: TermId) -> bool {
    matches!(store.sort(store.sort_of(term)), Sort::Function { .. })
}

/// The symbol and the arguments, if the term is a symbol applied to arguments.
pub(super) fn as_application(store: &TermStore, term: TermId) -> Option<(SymbolId, &[TermId])> {
    match (store.op(term), store.args(term)) {
        (Op::Apply, [function, args @ ..]) => Some((store.as_symbol(*function)?, args)),
        _ => None,
    }
}

/// Two functions have the same value at all arguments, those of the first one's domain.
fn same_function(store: &mut TermStore, left: TermId, right: TermId) -> TermId {
    let mut avoid: Vec<SymbolId> =
        [left, right].iter().flat_map(|&term| store.free_bound(term)).copied().collect();
    let mut bound = Vec::new();
    let (mut left, mut right) = (left, right);
    // A function may have functions as values.
    while let Sort::Function { args, .. } = store.sort(store.sort_of(left)).clone() {
        let mut places = Vec::new();
        for sort in args {
            let symbol = store.bound_avoiding("k", sort, &avoid);
            avoid.push(symbol);
            bound.push(symbol);
            places.push(store.mk_symbol(symbol));
        }
        left = store.mk_apply(left, &places);
        right = store.mk_apply(right, &places);
    }
    let equal = store.mk_eq(left, right);
    store.mk_forall(&bound, equal)
}

fn distinct_functions(store: &mut TermStore, functions: &[TermId]) -> TermId {
    let mut parts = Vec::new();
    for (position, &right) in functions.iter().enumerate() {
        for &left in &functions[..position] {
            let same = same_function(store, left, right);
            parts.push(store.mk_not(same));
        }
    }
    store.mk_and(parts)
}
