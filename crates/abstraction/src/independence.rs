//! Which formulas have nothing to do with each other, so that each can be satisfied whatever the others are.

use rustc_hash::FxHashMap;
use tenet_term::{Sort, SortId, SymbolId, TermId, TermStore};

/// What can connect formulas: a symbol they share, or an index sort, because a quantified formula may bound its size,
/// which every other formula about that sort then feels.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Link {
    Symbol(SymbolId),
    Sort(SortId),
}

/// Groups of formulas: those that are connected, directly or through formulas of the context or each other, have the
/// same number. Numbers are in the order of first members.
pub(crate) fn groups(store: &TermStore, formulas: &[TermId], context: &[TermId]) -> Vec<usize> {
    let all: Vec<TermId> = formulas.iter().chain(context).copied().collect();
    let quantified = all.iter().any(|&formula| store.has_quantifier(formula));
    let mut parents: Vec<usize> = (0..all.len()).collect();
    let mut owners: FxHashMap<Link, usize> = FxHashMap::default();
    for (place, &formula) in all.iter().enumerate() {
        for link in links(store, formula, quantified) {
            let owner = *owners.entry(link).or_insert(place);
            let (one, other) = (root(&parents, owner), root(&parents, place));
            parents[one.max(other)] = one.min(other);
        }
    }
    (0..formulas.len()).map(|place| root(&parents, place)).collect()
}

fn root(parents: &[usize], mut place: usize) -> usize {
    while parents[place] != place {
        place = parents[place];
    }
    place
}

/// Everything that a formula is connected through. Bound symbols connect nothing but their sorts.
fn links(store: &TermStore, formula: TermId, with_sorts: bool) -> Vec<Link> {
    let mut links: Vec<Link> = store.free_symbols(formula).into_iter().map(Link::Symbol).collect();
    if with_sorts {
        let mut sorts: Vec<SortId> =
            store.subterms(formula).into_iter().map(|term| store.sort_of(term)).collect();
        sorts.extend(store.symbols_in(formula).into_iter().map(|symbol| store.symbol(symbol).sort));
        while let Some(sort) = sorts.pop() {
            match store.sort(sort) {
                Sort::Index { .. } => links.push(Link::Sort(sort)),
                Sort::Union { members, .. } => sorts.extend(members),
                Sort::Function { args, result } => sorts.extend(args.iter().chain([result])),
                _ => {}
            }
        }
    }
    links
}
