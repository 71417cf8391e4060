//! All renamings of a state, one by one.

use std::collections::BTreeSet;
use tenet_system::finite::layout::{Layout, PartKind, UNDEFINED};

/// Where each element of each scalarset goes.
pub type Renaming = Vec<Vec<usize>>;

/// Every renaming of a layout's symmetric scalarsets.
pub fn renamings(layout: &Layout) -> Vec<Renaming> {
    let mut all: Vec<Renaming> = vec![Vec::new()];
    for set in &layout.scalarsets {
        let identity = vec![(0..set.size as usize).collect()];
        let choices = if set.symmetric { permutations(set.size as usize) } else { identity };
        let extend = |renaming: &Renaming| {
            let extended =
                choices.iter().map(|choice| [&renaming[..], std::slice::from_ref(choice)].concat());
            extended.collect::<Vec<_>>()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}

fn permutations(size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(size - 1);
    let inserted = |place: usize| {
        shorter.iter().map(move |rest| {
            let mut longer = rest.clone();
            longer.insert(place, size - 1);
            longer
        })
    };
    (0..size).flat_map(inserted).collect()
}

/// A state with its elements renamed and its multisets in order.
pub fn rename(layout: &Layout, renaming: &Renaming, state: &[i64]) -> Vec<i64> {
    let mut result = vec![UNDEFINED; state.len()];
    for (number, slot) in layout.slots.iter().enumerate() {
        let mut to = number;
        for axis in &slot.axes {
            let index = renaming[axis.scalarset.0 as usize][axis.index as usize];
            to = to + index * axis.stride as usize - axis.index as usize * axis.stride as usize;
        }
        result[to] = rename_value(layout, renaming, number, state[number]);
    }
    sort_multisets(layout, &mut result);
    result
}

fn rename_value(layout: &Layout, renaming: &Renaming, slot: usize, value: i64) -> i64 {
    match layout.slot_domain(slot).part(value) {
        Some(part) if value != UNDEFINED => match part.kind {
            PartKind::Element(set) => part.lo + renaming[set.0 as usize][(value - part.lo) as usize] as i64,
            _ => value,
        },
        _ => value,
    }
}

/// Puts the elements of each multiset in order, present ones first.
pub fn sort_multisets(layout: &Layout, state: &mut [i64]) {
    for multiset in &layout.multisets {
        let (base, stride) = (multiset.base as usize, multiset.stride as usize);
        let region = &mut state[base..base + stride * multiset.count as usize];
        let mut elements: Vec<Vec<i64>> = region.chunks(stride).map(<[i64]>::to_vec).collect();
        elements.sort_by_key(|element| (-element[0], element.clone()));
        region.copy_from_slice(&elements.concat());
    }
}

/// All states that differ from this one by a renaming.
pub fn orbit(layout: &Layout, renamings: &[Renaming], state: &[i64]) -> BTreeSet<Vec<i64>> {
    renamings.iter().map(|renaming| rename(layout, renaming, state)).collect()
}

/// How many orbits some states form.
pub fn count<'s>(layout: &Layout, states: impl IntoIterator<Item = &'s Vec<i64>>) -> usize {
    let renamings = renamings(layout);
    let least = states.into_iter().map(|state| orbit(layout, &renamings, state).pop_first());
    least.collect::<BTreeSet<_>>().len()
}
