//! Which formulas are independent of each other, so that each can be satisfied whatever the others are.

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

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_term::Role;

    #[test]
    fn formulas_are_connected_through_symbols_of_the_context() {
        let mut store = TermStore::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| store.declare(name, SortId::BOOL, Role::State));
        let terms = [a, b, c, d].map(|symbol| store.mk_symbol(symbol));
        let link = store.mk_or([terms[1], terms[3]]);
        assert_eq!(groups(&store, &terms, &[]), [0, 1, 2, 3]);
        assert_eq!(groups(&store, &terms, &[link]), [0, 1, 2, 1]);
    }

    #[test]
    fn quantified_formulas_are_connected_with_everything_about_their_sort() {
        let mut store = TermStore::new();
        let node = store.index_sort("NODE");
        let [a, b, c] = ["a", "b", "c"].map(|name| {
            let symbol = store.declare(name, node, Role::State);
            store.mk_symbol(symbol)
        });
        let flag = store.declare("flag", SortId::BOOL, Role::State);
        let flag = store.mk_symbol(flag);
        let differ = store.mk_ne(b, c);
        let (x, y) = (store.declare("x", node, Role::Bound), store.declare("y", node, Role::Bound));
        let (x_term, y_term) = (store.mk_symbol(x), store.mk_symbol(y));
        let itself = store.mk_eq(a, a);
        assert_eq!(groups(&store, &[itself, differ, flag], &[]), [0, 1, 2]);
        // There is only one element: no symbol in common with `b != c`, and yet they contradict each other.
        let same = store.mk_eq(x_term, y_term);
        let single = store.mk_forall(&[x, y], same);
        assert_eq!(groups(&store, &[single, differ, flag], &[]), [0, 0, 2]);
    }
}
