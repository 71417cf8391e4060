//! The easy and common case: every slot belongs to at most one element, and elements do not name each other.
//!
//! Then the slots of an element and the plain variables that name it determine it up to renaming, so sorting the
//! elements by them gives the representative.

use super::{Set, element_base};
use crate::finite::layout::{Layout, UNDEFINED};

/// How to sort the elements of one scalarset.
#[derive(Debug)]
pub(super) struct Flat {
    size: usize,
    columns: Vec<Column>,
    references: Vec<Reference>,
}

/// The slots `base + i * stride` for the elements `i`.
#[derive(Clone, Copy, Debug)]
struct Column {
    base: u32,
    stride: u32,
    lo: i64,
    width: u32,
}

/// A slot outside all columns that may name an element, as `lo + i`.
#[derive(Clone, Copy, Debug)]
struct Reference {
    slot: u32,
    lo: i64,
}

/// Sets of at most this many elements are sorted without allocating anything.
const MAX_SMALL_SET: usize = 32;

impl Flat {
    /// The sorters for all sets, or `None` if some slot does not fit the pattern.
    pub(super) fn all(layout: &Layout, sets: &[Set]) -> Option<Vec<Flat>> {
        if !(0..layout.slots.len()).all(|slot| is_flat_slot(layout, slot, sets)) {
            return None;
        }
        sets.iter().map(|set| Flat::new(layout, set)).collect()
    }

    fn new(layout: &Layout, set: &Set) -> Option<Flat> {
        let columns = columns(layout, set);
        let references = references(layout, set);
        let bits: u32 = columns.iter().map(|column| column.width).sum::<u32>() + references.len() as u32;
        let size = set.size as usize;
        (bits <= u128::BITS).then_some(Flat { size, columns, references })
    }

    pub(super) fn sort(&self, state: &mut [i64]) {
        if self.size > MAX_SMALL_SET {
            return self.sort_many(state);
        }
        let mut keyed = [(0u128, 0u32); MAX_SMALL_SET];
        let keyed = &mut keyed[..self.size];
        for (index, entry) in keyed.iter_mut().enumerate() {
            *entry = (self.key(state, index), index as u32);
        }
        if keyed.is_sorted() {
            return;
        }
        insertion_sort(keyed);
        self.apply(state, keyed, &mut [0; MAX_SMALL_SET][..self.size]);
    }

    fn sort_many(&self, state: &mut [i64]) {
        let mut keyed: Vec<(u128, u32)> =
            (0..self.size).map(|index| (self.key(state, index), index as u32)).collect();
        if !keyed.is_sorted() {
            keyed.sort_by_key(|&(key, _)| key);
            self.apply(state, &keyed, &mut vec![0; self.size]);
        }
    }

    /// The slots of an element and the references to it, as one number.
    fn key(&self, state: &[i64], index: usize) -> u128 {
        let mut key = 0;
        for column in &self.columns {
            let value = state[column.base as usize + index * column.stride as usize];
            let code = if value == UNDEFINED { 0 } else { value.wrapping_sub(column.lo) as u64 + 1 };
            key = key << column.width | u128::from(code);
        }
        for reference in &self.references {
            let named = state[reference.slot as usize] == reference.lo + index as i64;
            key = key << 1 | u128::from(named);
        }
        key
    }

    /// Puts the elements into this order; `moved` is room for a column.
    fn apply(&self, state: &mut [i64], order: &[(u128, u32)], moved: &mut [i64]) {
        for column in &self.columns {
            let slot = |index: usize| column.base as usize + index * column.stride as usize;
            for (to, &(_, from)) in order.iter().enumerate() {
                moved[to] = state[slot(from as usize)];
            }
            for (to, &value) in moved.iter().enumerate() {
                state[slot(to)] = value;
            }
        }
        for reference in &self.references {
            let value = state[reference.slot as usize].wrapping_sub(reference.lo);
            if let Some(to) = order.iter().position(|&(_, from)| i64::from(from) == value) {
                state[reference.slot as usize] = reference.lo + to as i64;
            }
        }
    }
}

/// Stable, and fast on the few elements there are.
fn insertion_sort(entries: &mut [(u128, u32)]) {
    for end in 1..entries.len() {
        let mut place = end;
        while place > 0 && entries[place - 1].0 > entries[place].0 {
            entries.swap(place - 1, place);
            place -= 1;
        }
    }
}

fn is_flat_slot(layout: &Layout, slot: usize, sets: &[Set]) -> bool {
    let axes = &layout.slots[slot].axes;
    let axes = axes.iter().filter(|axis| sets.iter().any(|set| set.id == axis.scalarset.0)).count();
    let names = sets.iter().filter(|set| element_base(layout, slot, set.id).is_some()).count();
    let in_multiset = layout.multisets.iter().any(|multiset| {
        let (slot, base) = (slot as u32, multiset.base);
        base <= slot && slot < base + multiset.stride * multiset.count
    });
    match (axes, names) {
        (0, 0) => true,
        (1, 0) => !in_multiset,
        (0, 1) => !in_multiset,
        _ => false,
    }
}

/// The columns of a set, by their first slots.
fn columns(layout: &Layout, set: &Set) -> Vec<Column> {
    let slots = layout.slots.iter().enumerate();
    slots
        .filter_map(|(number, slot)| {
            let axis = slot.axes.iter().find(|axis| axis.scalarset.0 == set.id)?;
            let domain = layout.slot_domain(number);
            let count = (i128::from(domain.hi()) - i128::from(domain.lo()) + 1) as u128;
            // Codes up to `count`, 64 bits at most.
            let width = (u128::BITS - count.leading_zeros()).min(64);
            let column = Column { base: number as u32, stride: axis.stride, lo: domain.lo(), width };
            (axis.index == 0).then_some(column)
        })
        .collect()
}

fn references(layout: &Layout, set: &Set) -> Vec<Reference> {
    let slots = 0..layout.slots.len();
    slots
        .filter_map(|slot| {
            let lo = element_base(layout, slot, set.id)?;
            Some(Reference { slot: slot as u32, lo })
        })
        .collect()
}
