//! Weakens a cube, and so strengthens its lemma: an equation such as `cache[i] = Shared` becomes a set of values,
//! such as `cache[i] != Invalid`, as large as explored states allow. One lemma then says what would take several, and
//! is easier to read.

use tenet_term::{Op, Sort, TermId, TermStore};

use super::cube::Cube;
use super::explored::Explored;

/// The cube with each equation weakened to as many values as no explored state has and `accept` accepts.
pub fn weaken(
    store: &mut TermStore,
    cube: Cube,
    explored: &mut [Explored],
    accept: &mut dyn FnMut(&mut TermStore, &Cube) -> bool,
    go_on: &dyn Fn() -> bool,
) -> Cube {
    let mut weakest = cube.clone();
    for &literal in &cube.literals {
        let Some((term, values)) = equation(store, literal) else { continue };
        let others: Vec<TermId> =
            weakest.literals.iter().copied().filter(|&other| other != literal).collect();
        let with = |store: &TermStore, literals: &[TermId]| {
            Cube::of(store, others.iter().chain(literals).copied().collect())
        };
        // The literals that exclude the other values; at least one value has to stay possible.
        let mut excluded = Vec::new();
        for value in values {
            let same = store.mk_eq(term, value);
            let is_free = same == literal || is_unknown(store, &with(store, &[same]), explored, go_on);
            if !is_free {
                excluded.push(store.mk_ne(term, value));
            }
        }
        let weaker = with(store, &excluded);
        let is_weaker = !excluded.is_empty() && !excluded.contains(&literal);
        if is_weaker && weaker != weakest && weaker.vars == weakest.vars && accept(store, &weaker) {
            weakest = weaker;
        }
    }
    weakest
}

/// A term and the values it could have, if the literal says that it has one of several.
fn equation(store: &mut TermStore, literal: TermId) -> Option<(TermId, Vec<TermId>)> {
    let (Op::Eq, &[left, right]) = (store.op(literal), store.args(literal)) else { return None };
    let is_value = |side: TermId| matches!(store.op(side), Op::Enum(..));
    let term = if is_value(left) { right } else { left };
    let sort = store.sort_of(term);
    let Sort::Enum { variants, .. } = store.sort(sort) else { return None };
    let count = u32::try_from(variants.len()).ok()?;
    if is_value(left) == is_value(right) || count < 3 {
        return None;
    }
    Some((term, (0..count).map(|value| store.mk_enum(sort, value)).collect()))
}

/// Does every explored instance tell that it has no state in the cube?
fn is_unknown(store: &TermStore, cube: &Cube, explored: &mut [Explored], go_on: &dyn Fn() -> bool) -> bool {
    let all: Vec<usize> = (0..cube.literals.len()).collect();
    explored.iter_mut().all(|one| match one.table(store, cube, &mut || go_on()) {
        Some(table) => !table.is_reachable(&all),
        None => cube.vars.len() > one.size as usize,
    })
}
