//! Representatives: the same for a whole orbit, in the orbit, and different for different orbits.

use crate::orbits::{self, orbit, rename, renamings};
use crate::tape::{Tape, tape};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tenet_system::finite::layout::*;
use tenet_system::finite::symmetry::Symmetry;

/// The type of a state variable.
enum Type {
    Scalar(DomainId),
    Array(Option<ScalarsetId>, u32, Box<Type>),
    Multiset(u32, Vec<Type>),
}

fn size(kind: &Type) -> u32 {
    match kind {
        Type::Scalar(_) => 1,
        Type::Array(_, count, element) => count * size(element),
        Type::Multiset(count, fields) => count * (1 + fields.iter().map(size).sum::<u32>()),
    }
}

struct Builder<'t> {
    tape: &'t mut Tape,
    layout: Layout,
    boolean: DomainId,
    /// The elements that a presence slot governs, by slot: everything in them is undefined if it is 0.
    elements: Vec<(usize, usize)>,
}

impl Builder<'_> {
    /// A layout whose scalarsets have few renamings.
    fn new(tape: &mut Tape, max_size: u32) -> Builder<'_> {
        let mut layout = Layout::default();
        let count = 1 + tape.below(3);
        for number in 0..count {
            let most = if number < 2 { max_size } else { 2 };
            let size = most - tape.below(most as usize) as u32;
            let symmetric = !tape.chance(8);
            layout.scalarsets.push(Scalarset { name: format!("S{number}"), size, symmetric });
        }
        let boolean = layout.add_domain(Domain::boolean());
        Builder { tape, layout, boolean, elements: Vec::new() }
    }

    fn set(&mut self) -> ScalarsetId {
        ScalarsetId(self.tape.below(self.layout.scalarsets.len()) as u32)
    }

    fn elements_of(&self, lo: i64, set: ScalarsetId) -> Part {
        let size = i64::from(self.layout.scalarsets[set.0 as usize].size);
        Part { lo, hi: lo + size - 1, kind: PartKind::Element(set) }
    }

    fn domain(&mut self) -> DomainId {
        let domain = match self.tape.below(4) {
            0 => Domain::boolean(),
            1 => Domain::numbers(-1, 1),
            2 => {
                let lo = self.tape.between(0, 3);
                let set = self.set();
                Domain { parts: vec![self.elements_of(lo, set)] }
            }
            _ => self.union(),
        };
        self.layout.add_domain(domain)
    }

    /// Some names, then the elements of one or several sets.
    fn union(&mut self) -> Domain {
        let mut parts = vec![Part { lo: 2, hi: 2, kind: PartKind::Names(vec!["none".to_string()]) }];
        for set in 0..self.layout.scalarsets.len() as u32 {
            if self.tape.chance(2) {
                let lo = parts.last().unwrap().hi + 1;
                parts.push(self.elements_of(lo, ScalarsetId(set)));
            }
        }
        Domain { parts }
    }

    fn kind(&mut self, depth: u32, multisets: bool) -> Type {
        match self.tape.below(if depth == 0 { 2 } else { 6 }) {
            0 | 1 => Type::Scalar(self.domain()),
            2 | 3 => {
                let set = self.set();
                let count = self.layout.scalarsets[set.0 as usize].size;
                Type::Array(Some(set), count, Box::new(self.kind(depth - 1, multisets)))
            }
            4 => Type::Array(None, 2, Box::new(self.kind(depth - 1, multisets))),
            _ if !multisets => Type::Scalar(self.domain()),
            _ => {
                let count = 1 + self.tape.below(3) as u32;
                Type::Multiset(count, (0..1 + self.tape.below(2)).map(|_| self.kind(1, false)).collect())
            }
        }
    }

    fn add(&mut self, kind: &Type, axes: &[Axis]) {
        match kind {
            Type::Scalar(domain) => self.slot(*domain, axes),
            Type::Array(set, count, element) => {
                for index in 0..*count {
                    let axis = set.map(|scalarset| Axis { scalarset, index, stride: size(element) });
                    self.add(element, &[axes, axis.as_slice()].concat());
                }
            }
            Type::Multiset(count, fields) => {
                let (base, stride) = (self.layout.slots.len() as u32, size(kind) / count);
                self.layout.multisets.push(Multiset { base, stride, count: *count });
                for _ in 0..*count {
                    let first = self.layout.slots.len();
                    self.elements.push((first, stride as usize));
                    self.slot(self.boolean, axes);
                    fields.iter().for_each(|field| self.add(field, axes));
                }
            }
        }
    }

    fn slot(&mut self, domain: DomainId, axes: &[Axis]) {
        self.layout.slots.push(Slot { name: String::new(), domain, axes: axes.to_vec() });
    }

    /// Values of few kinds, so that elements often look alike.
    fn state(&mut self) -> Vec<i64> {
        let mut state: Vec<i64> = (0..self.layout.slots.len())
            .map(|slot| {
                let domain = self.layout.slot_domain(slot);
                let (lo, hi) = (domain.lo(), domain.hi());
                if self.tape.chance(6) { UNDEFINED } else { self.tape.between(lo, hi) }
            })
            .collect();
        for &(first, stride) in &self.elements {
            if state[first] != 1 {
                state[first..first + stride].fill(UNDEFINED);
                state[first] = 0;
            }
        }
        state
    }
}

fn canonical(symmetry: &Symmetry, state: &[i64]) -> Vec<i64> {
    let mut state = state.to_vec();
    symmetry.canonicalise(&mut state);
    state
}

/// Every state of a layout, if there are at most `limit`.
fn all_states(layout: &Layout, limit: usize) -> Option<Vec<Vec<i64>>> {
    let mut states = vec![Vec::new()];
    for slot in 0..layout.slots.len() {
        let domain = layout.slot_domain(slot);
        let values: Vec<i64> = (domain.lo()..=domain.hi()).chain([UNDEFINED]).collect();
        if states.len() * values.len() > limit {
            return None;
        }
        let extend = |state: Vec<i64>| values.iter().map(move |&value| [&state[..], &[value]].concat());
        states = states.into_iter().flat_map(extend).collect();
    }
    Some(states)
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 5000, ..tenet_chance::cases(4000) })]

    #[test]
    fn representatives_are_exact(mut tape in tape(200)) {
        let mut builder = Builder::new(&mut tape, 4);
        for _ in 0..1 + builder.tape.below(4) {
            let kind = builder.kind(2, true);
            if builder.layout.slots.len() as u32 + size(&kind) <= 60 {
                builder.add(&kind, &[]);
            }
        }
        let state = builder.state();
        let layout = &builder.layout;
        let (symmetry, renamings) = (Symmetry::new(layout, true), renamings(layout));
        let found = canonical(&symmetry, &state);
        let orbit = orbit(layout, &renamings, &state);
        prop_assert!(orbit.contains(&found), "not in the orbit: {:?} of {:?}", found, state);
        prop_assert_eq!(canonical(&symmetry, &found), found.clone(), "not idempotent");
        for _ in 0..12 {
            let renaming = builder.tape.pick(&renamings);
            let other = rename(layout, renaming, &state);
            prop_assert_eq!(canonical(&symmetry, &other), found.clone(), "{:?} and {:?}", state, other);
        }
        // Without reduction only multisets are put in order.
        let mut sorted = state.clone();
        orbits::sort_multisets(layout, &mut sorted);
        prop_assert_eq!(canonical(&Symmetry::new(layout, false), &state), sorted);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 1000, ..tenet_chance::cases(150) })]

    /// As many representatives as orbits, also when a slot that never changes forces the general method.
    #[test]
    fn one_representative_for_each_orbit(mut tape in tape(60)) {
        let mut builder = Builder::new(&mut tape, 3);
        for _ in 0..1 + builder.tape.below(3) {
            let kind = builder.kind(1, false);
            builder.add(&kind, &[]);
        }
        let Some(states) = all_states(&builder.layout, 1500) else { return Ok(()) };
        let expected = orbits::count(&builder.layout, &states);
        let symmetry = Symmetry::new(&builder.layout, true);
        let found: BTreeSet<_> = states.iter().map(|state| canonical(&symmetry, state)).collect();
        prop_assert_eq!(found.len(), expected);

        let set = builder.set();
        let domain = Domain { parts: vec![builder.elements_of(0, set)] };
        let domain = builder.layout.add_domain(domain);
        let count = builder.layout.scalarsets[set.0 as usize].size;
        builder.add(&Type::Array(Some(set), count, Box::new(Type::Scalar(domain))), &[]);
        let symmetry = Symmetry::new(&builder.layout, true);
        let more = vec![UNDEFINED; count as usize];
        let found: BTreeSet<_> =
            states.iter().map(|state| canonical(&symmetry, &[&state[..], &more[..]].concat())).collect();
        prop_assert_eq!(found.len(), expected, "general method");
    }
}

/// Wide columns and many of them: too many bits for one sorting key.
#[test]
fn wide_elements_are_sorted_too() {
    let mut layout = Layout::default();
    layout.scalarsets.push(Scalarset { name: "S".to_string(), size: 3, symmetric: true });
    let domain = layout.add_domain(Domain::integers());
    for slot in 0..9 {
        let axis = Axis { scalarset: ScalarsetId(0), index: slot / 3, stride: 3 };
        layout.slots.push(Slot { name: String::new(), domain, axes: vec![axis] });
    }
    let symmetry = Symmetry::new(&layout, true);
    let state = [i64::MAX, i64::MIN + 1, UNDEFINED, 5, 5, 5, i64::MAX, i64::MIN + 1, 0];
    let orbit = orbit(&layout, &renamings(&layout), &state);
    let found: BTreeSet<_> = orbit.iter().map(|state| canonical(&symmetry, state)).collect();
    assert_eq!((orbit.len(), found.len()), (6, 1));
    assert!(orbit.contains(found.first().unwrap()));
}
