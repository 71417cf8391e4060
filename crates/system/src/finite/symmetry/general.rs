//! The general case: arrays over two scalarsets, elements that name elements, multisets of them.
//!
//! Colours are hashes of how an element stands in the state; they are refined until they tell no more elements apart.
//! Elements that still share a colour are either interchangeable (swapping neighbours leaves the state as it is), or
//! each is tried as the first of its class and refinement goes on; the least state found is the representative. A hash
//! collision only merges classes and costs time, never exactness.

use super::{Set, element_base};
use crate::finite::layout::Layout;
use smallvec::SmallVec;

/// Prepared data for one layout.
#[derive(Debug)]
pub(super) struct General {
    /// First element number and size of each set; elements of all sets are numbered together.
    sets: Vec<(usize, usize)>,
    elements: usize,
    slots: Vec<SlotInfo>,
    /// Slots of one element that name none: they tell elements apart once and for all.
    local: Vec<u32>,
    /// Slots that may involve several elements: what they tell depends on the colours.
    relational: Vec<u32>,
}

#[derive(Debug)]
struct SlotInfo {
    /// The same for all slots that a renaming can turn into each other.
    class: u64,
    axes: Vec<SlotAxis>,
    /// `(lo, first element, size)` of each range of values that are elements.
    values: Vec<(i64, usize, usize)>,
}

#[derive(Clone, Copy, Debug)]
struct SlotAxis {
    element: usize,
    stride: usize,
}

/// A renaming: where each element goes.
type Renaming = Vec<usize>;

impl General {
    pub(super) fn new(layout: &Layout, sets: &[Set]) -> General {
        let mut first = 0;
        let mut numbered = Vec::new();
        for set in sets {
            numbered.push((first, set.size as usize));
            first += set.size as usize;
        }
        let slots: Vec<SlotInfo> =
            (0..layout.slots.len()).map(|slot| slot_info(layout, slot, sets, &numbered)).collect();
        let numbers = |wanted: fn(&SlotInfo) -> bool| {
            (0..slots.len() as u32).filter(|&slot| wanted(&slots[slot as usize])).collect()
        };
        let local = numbers(|slot| slot.axes.len() == 1 && slot.values.is_empty());
        let relational = numbers(|slot| slot.axes.len() > 1 || !slot.values.is_empty());
        General { sets: numbered, elements: first, slots, local, relational }
    }

    /// Replaces a normalised state by its representative.
    pub(super) fn canonicalise(&self, state: &mut [i64], normalise: &dyn Fn(&mut [i64])) {
        let search = Search { general: self, state, normalise };
        let colours = self.refined(state, self.first_colours(state));
        let mut best = None;
        search.descend(colours, &mut best);
        if let Some(best) = best {
            state.copy_from_slice(&best);
        }
    }

    /// Elements differ by their set and by the slots that are theirs alone.
    fn first_colours(&self, state: &[i64]) -> Vec<u64> {
        let sets = self.sets.iter().enumerate();
        let mut colours: Vec<u64> =
            sets.flat_map(|(number, &(_, size))| std::iter::repeat_n(mix(1, number as u64), size)).collect();
        for &number in &self.local {
            let slot = &self.slots[number as usize];
            let colour = &mut colours[slot.axes[0].element];
            *colour = colour.wrapping_add(mix(slot.class, state[number as usize] as u64));
        }
        colours
    }

    /// Refines colours until no more elements are told apart.
    fn refined(&self, state: &[i64], mut colours: Vec<u64>) -> Vec<u64> {
        let mut classes = distinct(&colours);
        while classes < self.elements {
            let next = self.round(state, &colours);
            let found = distinct(&next);
            colours = next;
            if found == classes {
                break;
            }
            classes = found;
        }
        colours
    }

    /// One round: each slot tells each element it involves about the others.
    fn round(&self, state: &[i64], colours: &[u64]) -> Vec<u64> {
        let mut sums = vec![0u64; self.elements];
        let mut involved: SmallVec<[usize; 8]> = SmallVec::new();
        for &number in &self.relational {
            let (slot, value) = (&self.slots[number as usize], state[number as usize]);
            let named = slot.named(value);
            involved.clear();
            involved.extend(slot.axes.iter().map(|axis| axis.element));
            involved.extend(named);
            // A named element speaks through its colour; anything else through its value.
            let content = if named.is_some() { slot.class } else { mix(slot.class, value as u64) };
            for (role, &element) in involved.iter().enumerate() {
                let mut signature = mix(content, role as u64);
                for &other in &involved {
                    signature = mix(signature, colours[other] ^ u64::from(other == element));
                }
                sums[element] = sums[element].wrapping_add(signature);
            }
        }
        sums.iter().zip(colours).map(|(&sum, &colour)| mix(colour, sum)).collect()
    }

    fn renamed(&self, state: &[i64], renaming: &[usize], normalise: &dyn Fn(&mut [i64])) -> Vec<i64> {
        let mut result = vec![0; state.len()];
        for (number, (slot, &value)) in self.slots.iter().zip(state).enumerate() {
            result[slot.destination(number, renaming)] = slot.renamed_value(value, renaming);
        }
        normalise(&mut result);
        result
    }

    /// Elements in the order of their colours within each set: the renaming that sorts them.
    fn by_colour(&self, colours: &[u64]) -> Renaming {
        let mut renaming = vec![0; self.elements];
        for &(first, size) in &self.sets {
            let mut order: Vec<usize> = (first..first + size).collect();
            order.sort_by_key(|&element| colours[element]);
            for (place, element) in order.into_iter().enumerate() {
                renaming[element] = first + place;
            }
        }
        renaming
    }

    /// The first class of more than one element, least colour first.
    fn tied_class(&self, colours: &[u64]) -> Option<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.elements).collect();
        order.sort_by_key(|&element| (colours[element], element));
        let mut classes = order.chunk_by(|&a, &b| colours[a] == colours[b]);
        classes.find(|class| class.len() > 1).map(<[usize]>::to_vec)
    }
}

/// The search for the least renamed state.
struct Search<'a> {
    general: &'a General,
    state: &'a [i64],
    normalise: &'a dyn Fn(&mut [i64]),
}

impl Search<'_> {
    /// Tries the members of the first tied class. Returns the first leaf below this node.
    ///
    /// Two members whose first leaves are the same state are exchanged by a renaming that leaves the state as it is, so
    /// everything below one is found below the other as well, and one of them is enough.
    fn descend(&self, colours: Vec<u64>, best: &mut Option<Vec<i64>>) -> Vec<i64> {
        let Some(class) = self.general.tied_class(&colours) else {
            return self.leaf(&colours, best);
        };
        let candidates = if self.interchangeable(&class) { &class[..1] } else { &class[..] };
        let mut leaves: Vec<Vec<i64>> = Vec::new();
        for &element in candidates {
            let mut chosen = colours.clone();
            chosen[element] = mix(chosen[element], 5);
            let chosen = self.general.refined(self.state, chosen);
            if leaves.is_empty() || !leaves.contains(&self.first_leaf(chosen.clone())) {
                leaves.push(self.descend(chosen, best));
            }
        }
        leaves.swap_remove(0)
    }

    /// The leaf that is reached by always taking the first member.
    fn first_leaf(&self, mut colours: Vec<u64>) -> Vec<i64> {
        while let Some(class) = self.general.tied_class(&colours) {
            colours[class[0]] = mix(colours[class[0]], 5);
            colours = self.general.refined(self.state, colours);
        }
        self.renamed(&colours)
    }

    fn renamed(&self, colours: &[u64]) -> Vec<i64> {
        self.general.renamed(self.state, &self.general.by_colour(colours), self.normalise)
    }

    fn leaf(&self, colours: &[u64], best: &mut Option<Vec<i64>>) -> Vec<i64> {
        let found = self.renamed(colours);
        if best.as_ref().is_none_or(|best| found < *best) {
            *best = Some(found.clone());
        }
        found
    }

    /// Whether swapping any two neighbours of the class leaves the state as it is.
    fn interchangeable(&self, class: &[usize]) -> bool {
        let mut renaming: Renaming = (0..self.general.elements).collect();
        class.windows(2).all(|pair| {
            renaming.swap(pair[0], pair[1]);
            let same = self.general.renamed(self.state, &renaming, self.normalise) == self.state;
            renaming.swap(pair[0], pair[1]);
            same
        })
    }
}

impl SlotInfo {
    fn named(&self, value: i64) -> Option<usize> {
        self.values.iter().find_map(|&(lo, first, size)| {
            let position = value.checked_sub(lo)?;
            let position = usize::try_from(position).ok().filter(|&position| position < size)?;
            Some(first + position)
        })
    }

    fn destination(&self, number: usize, renaming: &[usize]) -> usize {
        let shift = |axis: &SlotAxis| {
            (renaming[axis.element] as isize - axis.element as isize) * axis.stride as isize
        };
        (number as isize + self.axes.iter().map(shift).sum::<isize>()) as usize
    }

    fn renamed_value(&self, value: i64, renaming: &[usize]) -> i64 {
        match self.named(value) {
            Some(element) => value + renaming[element] as i64 - element as i64,
            None => value,
        }
    }
}

fn slot_info(layout: &Layout, number: usize, sets: &[Set], numbered: &[(usize, usize)]) -> SlotInfo {
    let mut class = number;
    let mut axes = Vec::new();
    for axis in &layout.slots[number].axes {
        let Some(set) = sets.iter().position(|set| set.id == axis.scalarset.0) else { continue };
        let stride = axis.stride as usize;
        class -= axis.index as usize * stride;
        axes.push(SlotAxis { element: numbered[set].0 + axis.index as usize, stride });
    }
    // Elements of a multiset have no place of their own.
    for multiset in &layout.multisets {
        let (base, stride) = (multiset.base as usize, multiset.stride as usize);
        if (base..base + stride * multiset.count as usize).contains(&class) {
            class = base + (class - base) % stride;
        }
    }
    let values = sets.iter().zip(numbered);
    let values = values
        .filter_map(|(set, &(first, size))| Some((element_base(layout, number, set.id)?, first, size)))
        .collect();
    SlotInfo { class: mix(7, class as u64), axes, values }
}

fn distinct(colours: &[u64]) -> usize {
    let mut sorted: SmallVec<[u64; 16]> = SmallVec::from_slice(colours);
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b ^ 0xC2B2_AE3D_27D4_EB4F);
    let folded = (product >> 64) as u64 ^ product as u64;
    folded.rotate_left(23).wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ a.rotate_left(41)
}
