//! How a finite state lies in memory: one slot per scalar, with its name, domain and symmetry axes.
//!
//! Aggregates are flattened here once and for all, so that nothing behind this point knows arrays or records. A slot
//! holds a plain integer: a number as itself, Booleans as 0 and 1, enumeration values and scalarset elements by
//! position, unions by one numbering over all members. [`UNDEFINED`] is outside every domain.

/// The content of a slot that has no value.
pub const UNDEFINED: i64 = i64::MIN;

/// Index into [`Layout::domains`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DomainId(pub u32);

/// Index into [`Layout::scalarsets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScalarsetId(pub u32);

/// The memory of a finite instance.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The state's scalars.
    pub slots: Vec<Slot>,
    /// The domains that slots, parameters and printed values refer to.
    pub domains: Vec<Domain>,
    /// Sets whose elements are interchangeable.
    pub scalarsets: Vec<Scalarset>,
    /// Regions whose elements have no order.
    pub multisets: Vec<Multiset>,
}

/// One scalar of the state.
#[derive(Clone, Debug)]
pub struct Slot {
    /// As a person would write it: `Cache[NODE_1].State`.
    pub name: String,
    pub domain: DomainId,
    /// The scalarset-indexed dimensions it lies in, outermost first.
    pub axes: Vec<Axis>,
}

/// That a slot is element `index` along a dimension indexed by a scalarset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The index type.
    pub scalarset: ScalarsetId,
    pub index: u32,
    /// Distance to the slot of the next element.
    pub stride: u32,
}

/// A set of interchangeable elements.
#[derive(Clone, Debug)]
pub struct Scalarset {
    pub name: String,
    pub size: u32,
    /// False if the model treats its elements by order somewhere, so that states may not be permuted.
    pub symmetric: bool,
}

/// A multiset: `count` elements of `stride` slots; the first slot of each says whether it is present (0 or 1).
#[derive(Clone, Copy, Debug)]
pub struct Multiset {
    /// First slot.
    pub base: u32,
    /// Slots per element.
    pub stride: u32,
    /// Capacity.
    pub count: u32,
}

/// The values of a slot: one part, or several for a union.
#[derive(Clone, Debug)]
pub struct Domain {
    /// Consecutive parts, lowest first.
    pub parts: Vec<Part>,
}

/// A run of values of one kind.
#[derive(Clone, Debug)]
pub struct Part {
    pub lo: i64,
    pub hi: i64,
    pub kind: PartKind,
}

#[derive(Clone, Debug)]
pub enum PartKind {
    /// `false`, `true`.
    Bool,
    Number,
    Names(Vec<String>),
    /// Elements of a scalarset: `NODE_1`, `NODE_2`, …
    Element(ScalarsetId),
}

impl Domain {
    pub fn single(lo: i64, hi: i64, kind: PartKind) -> Domain {
        Domain { parts: vec![Part { lo, hi, kind }] }
    }

    pub fn boolean() -> Domain {
        Domain::single(0, 1, PartKind::Bool)
    }

    /// Numbers `lo..=hi`.
    pub fn numbers(lo: i64, hi: i64) -> Domain {
        Domain::single(lo, hi, PartKind::Number)
    }

    /// All integers that a slot can hold; leaving them is a fault, never a wrong value (X-T3).
    pub fn integers() -> Domain {
        Domain::numbers(i64::MIN + 1, i64::MAX)
    }

    pub fn lo(&self) -> i64 {
        self.parts.first().map_or(0, |part| part.lo)
    }

    pub fn hi(&self) -> i64 {
        self.parts.last().map_or(0, |part| part.hi)
    }

    pub fn part(&self, value: i64) -> Option<&Part> {
        self.parts.iter().find(|part| part.lo <= value && value <= part.hi)
    }
}

impl Layout {
    pub fn add_domain(&mut self, domain: Domain) -> DomainId {
        self.domains.push(domain);
        DomainId(self.domains.len() as u32 - 1)
    }

    pub fn domain(&self, id: DomainId) -> &Domain {
        &self.domains[id.0 as usize]
    }

    pub fn slot_domain(&self, slot: usize) -> &Domain {
        self.domain(self.slots[slot].domain)
    }

    /// A value as a person would write it.
    pub fn show(&self, domain: DomainId, value: i64) -> String {
        if value == UNDEFINED {
            return "undefined".to_string();
        }
        let Some(part) = self.domain(domain).part(value) else { return format!("{value}?") };
        let position = value.wrapping_sub(part.lo);
        match &part.kind {
            PartKind::Bool => (position == 1).to_string(),
            PartKind::Number => value.to_string(),
            PartKind::Names(names) => names[position as usize].clone(),
            PartKind::Element(set) => self.show_element(*set, position as u32),
        }
    }

    /// An element of a scalarset, counted from 1 as Murphi does.
    pub fn show_element(&self, set: ScalarsetId, position: u32) -> String {
        format!("{}_{}", self.scalarsets[set.0 as usize].name, position + 1)
    }
}
