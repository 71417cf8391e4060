//! Symmetry reduction: one representative for all states that differ only by renaming scalarset elements.
//!
//! The representative is exact: two states get the same one if and only if some renaming turns one into the other. In
//! most protocol models every slot belongs to at most one element and no element's slots name another (*flat*), and
//! then sorting the elements by their slots is exact and takes a few dozen instructions. Otherwise elements are
//! distinguished by refinement of colours, and where ties remain, the search in `search` decides, as in graph
//! canonisation; trying all renamings would be exact too, but factorial.
//!
//! Multisets have no order of their elements, so they are sorted here as well, with or without scalarsets.

mod flat;
mod general;

use super::layout::{Layout, Multiset, PartKind};
use flat::Flat;
use general::General;

/// How to find representatives for one layout.
#[derive(Debug)]
pub struct Symmetry {
    method: Method,
    multisets: Vec<Multiset>,
    state_len: usize,
}

#[derive(Debug)]
enum Method {
    None,
    Flat(Vec<Flat>),
    General(General),
}

/// A scalarset that is reduced.
#[derive(Clone, Copy, Debug)]
struct Set {
    id: u32,
    size: u32,
}

impl Symmetry {
    /// Prepares a layout. Without `reduce` only multisets are normalised.
    pub fn new(layout: &Layout, reduce: bool) -> Symmetry {
        let sets = if reduce { reducible(layout) } else { Vec::new() };
        let method = if sets.is_empty() {
            Method::None
        } else if let Some(flat) = Flat::all(layout, &sets) {
            Method::Flat(flat)
        } else {
            Method::General(General::new(layout, &sets))
        };
        // Inner multisets are shorter than the elements that hold them: innermost first.
        let mut multisets = layout.multisets.clone();
        multisets.sort_by_key(|multiset| (multiset.stride, multiset.base));
        Symmetry { method, multisets, state_len: layout.slots.len() }
    }

    /// Whether anything is reduced at all.
    pub fn is_trivial(&self) -> bool {
        matches!(self.method, Method::None) && self.multisets.is_empty()
    }

    /// Replaces a state by its representative.
    pub fn canonicalise(&self, memory: &mut [i64]) {
        let state = &mut memory[..self.state_len];
        self.normalise(state);
        match &self.method {
            Method::None => {}
            Method::Flat(sets) => sets.iter().for_each(|set| set.sort(state)),
            Method::General(general) => general.canonicalise(state, &|state| self.normalise(state)),
        }
    }

    /// Sorts every multiset.
    pub fn normalise(&self, state: &mut [i64]) {
        for multiset in &self.multisets {
            normalise(multiset, state);
        }
    }
}

/// The scalarsets whose elements may be renamed.
fn reducible(layout: &Layout) -> Vec<Set> {
    let sets = layout.scalarsets.iter().enumerate();
    sets.filter(|(_, set)| set.symmetric && set.size > 1)
        .map(|(id, set)| Set { id: id as u32, size: set.size })
        .collect()
}

/// The values of a slot that are elements of `set` start here, if it has such values.
fn element_base(layout: &Layout, slot: usize, set: u32) -> Option<i64> {
    let parts = &layout.slot_domain(slot).parts;
    parts.iter().find(|part| matches!(part.kind, PartKind::Element(id) if id.0 == set)).map(|part| part.lo)
}

/// Sorts the elements of a multiset, present ones first.
fn normalise(multiset: &Multiset, state: &mut [i64]) {
    let stride = multiset.stride as usize;
    let base = multiset.base as usize;
    let region = &mut state[base..base + stride * multiset.count as usize];
    let mut elements: Vec<Vec<i64>> = region.chunks(stride).map(<[i64]>::to_vec).collect();
    // The presence slot comes first, so its negation orders present before absent.
    elements.sort_by(|a, b| b[0].cmp(&a[0]).then_with(|| a[1..].cmp(&b[1..])));
    for (place, element) in region.chunks_mut(stride).zip(elements) {
        place.copy_from_slice(&element);
    }
}
