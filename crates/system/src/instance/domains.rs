//! The finite domains that sorts get in an instance, and the values of constants.

use super::{InstanceError, Sizes};
use crate::finite::layout::{Domain, DomainId, Layout, Part, PartKind, Scalarset, ScalarsetId};
use crate::system::{Bounds, System};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

/// What is known of sorts and constants in one instance.
#[derive(Debug, Default)]
pub(super) struct Domains {
    index_sizes: BTreeMap<SortId, u32>,
    scalarsets: BTreeMap<SortId, ScalarsetId>,
    consts: BTreeMap<SymbolId, i64>,
    /// The functions that number the elements of an ordered index sort.
    ranks: BTreeSet<SymbolId>,
    known: BTreeMap<SortId, DomainId>,
}

/// The values from `lo` to `hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub lo: i64,
    pub hi: i64,
}

impl Extent {
    pub fn count(self) -> u64 {
        self.hi.abs_diff(self.lo).saturating_add(1)
    }

    pub(super) fn contains(self, other: Extent) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }
}

impl Domains {
    pub(super) fn new(system: &System, sizes: &Sizes, layout: &mut Layout) -> Result<Domains, InstanceError> {
        let mut domains = Domains::default();
        let store = &system.store;
        for (id, sort) in store.sorts() {
            if let Sort::Index { name } = sort {
                domains.add_index_sort(system, id, name, sizes, layout)?;
            }
        }
        domains.add_consts(system, sizes)?;
        Ok(domains)
    }

    fn add_index_sort(
        &mut self,
        system: &System,
        id: SortId,
        name: &str,
        sizes: &Sizes,
        layout: &mut Layout,
    ) -> Result<(), InstanceError> {
        let size = sizes.sorts.iter().find(|(known, _)| known == name).map(|&(_, size)| size);
        let size = size.filter(|&size| size > 0).ok_or_else(|| InstanceError::NoSize(name.to_string()))?;
        // Elements that a constant or a literal names, or that are in an order, are not interchangeable.
        let ordered = system.orders.iter().any(|order| order.sort == id);
        let named = system.consts.iter().any(|&symbol| system.store.symbol(symbol).sort == id)
            || system.terms().any(|term| names_element(&system.store, term, id));
        layout.scalarsets.push(Scalarset { name: name.to_string(), size, symmetric: !named && !ordered });
        self.scalarsets.insert(id, ScalarsetId(layout.scalarsets.len() as u32 - 1));
        self.index_sizes.insert(id, size);
        Ok(())
    }

    /// Distinguished elements are taken in order; numbers come from `sizes`; ranks are the numbers of elements.
    fn add_consts(&mut self, system: &System, sizes: &Sizes) -> Result<(), InstanceError> {
        let mut next: BTreeMap<SortId, u32> = BTreeMap::new();
        self.ranks = system.orders.iter().map(|order| order.rank).collect();
        let chosen = super::functions::chosen(system);
        let has_value = |symbol: &&SymbolId| !self.ranks.contains(symbol) && !chosen.contains(symbol);
        for &symbol in system.consts.iter().filter(has_value) {
            let info = system.store.symbol(symbol);
            let value = if let Some(&size) = self.index_sizes.get(&info.sort) {
                let element = next.entry(info.sort).or_default();
                *element += 1;
                if *element > size {
                    return Err(InstanceError::TooSmall(system.store.sort_name(info.sort)));
                }
                i64::from(*element - 1)
            } else {
                let given = sizes.consts.iter().find(|(name, _)| *name == info.name);
                given.map(|&(_, value)| value).ok_or_else(|| InstanceError::NoValue(info.name.clone()))?
            };
            self.consts.insert(symbol, value);
        }
        Ok(())
    }

    /// The values of all constant symbols.
    pub(super) fn into_consts(self) -> BTreeMap<SymbolId, i64> {
        self.consts
    }

    pub(super) fn constant(&self, symbol: SymbolId) -> Option<i64> {
        self.consts.get(&symbol).copied()
    }

    /// Whether a function gives the number of an element.
    pub(super) fn is_rank(&self, symbol: SymbolId) -> bool {
        self.ranks.contains(&symbol)
    }

    pub(super) fn scalarset(&self, sort: SortId) -> Option<ScalarsetId> {
        self.scalarsets.get(&sort).copied()
    }

    /// The layout domain of a scalar sort.
    pub(super) fn domain(
        &mut self,
        store: &TermStore,
        layout: &mut Layout,
        sort: SortId,
    ) -> Result<DomainId, InstanceError> {
        if let Some(&known) = self.known.get(&sort) {
            return Ok(known);
        }
        let domain = self.build(store, sort)?;
        let id = layout.add_domain(domain);
        self.known.insert(sort, id);
        Ok(id)
    }

    fn build(&self, store: &TermStore, sort: SortId) -> Result<Domain, InstanceError> {
        Ok(match store.sort(sort) {
            Sort::Bool => Domain::boolean(),
            // Without fractions and division, real numbers are integers; `expr` refuses both.
            Sort::Int | Sort::Real => Domain::integers(),
            Sort::Enum { variants, .. } => {
                Domain::single(0, variants.len() as i64 - 1, PartKind::Names(variants.clone()))
            }
            Sort::Range { lo, hi, .. } => {
                let all = Domain::integers();
                let lo = lo.as_ref().map_or(Ok(all.lo()), narrow)?;
                Domain::numbers(lo, hi.as_ref().map_or(Ok(all.hi()), narrow)?)
            }
            Sort::Index { .. } => {
                let (size, set) = (self.index_sizes[&sort], self.scalarsets[&sort]);
                Domain::single(0, i64::from(size) - 1, PartKind::Element(set))
            }
            Sort::Union { members, .. } => self.union(store, members)?,
            Sort::BitVec(_) | Sort::Function { .. } => {
                return Err(InstanceError::Unsupported(format!("the sort {}", store.sort_name(sort))));
            }
        })
    }

    /// One numbering over all members, in order.
    fn union(&self, store: &TermStore, members: &[SortId]) -> Result<Domain, InstanceError> {
        let mut parts: Vec<Part> = Vec::new();
        for &member in members {
            let base = parts.last().map_or(0, |part| part.hi + 1);
            let member = self.build(store, member)?;
            let part = member.parts.into_iter().next().expect("invariant: members have one part");
            parts.push(Part { lo: base, hi: base + part.hi - part.lo, kind: part.kind });
        }
        Ok(Domain { parts })
    }

    /// The least value of a member within its union.
    pub(super) fn member_base(
        &self,
        store: &TermStore,
        union: SortId,
        member: SortId,
    ) -> Result<i64, InstanceError> {
        let Sort::Union { members, .. } = store.sort(union) else {
            return Err(InstanceError::Unsupported(store.sort_name(union)));
        };
        let position = members.iter().position(|&known| known == member);
        let position = position.expect("invariant: terms are well-sorted");
        Ok(self.union(store, members)?.parts[position].lo)
    }

    /// The least and greatest value of a sort.
    pub(super) fn extent(&self, store: &TermStore, sort: SortId) -> Result<Extent, InstanceError> {
        let domain = self.build(store, sort)?;
        Ok(Extent { lo: domain.lo(), hi: domain.hi() })
    }

    /// The extent of a sort narrowed by symbolic bounds.
    pub(super) fn bounded(
        &self,
        store: &TermStore,
        sort: SortId,
        bounds: &Bounds,
    ) -> Result<Extent, InstanceError> {
        let extent = self.extent(store, sort)?;
        let lo = bounds.lo.map(|term| self.evaluate(store, term)).transpose()?;
        let hi = bounds.hi.map(|term| self.evaluate(store, term)).transpose()?;
        Ok(Extent { lo: lo.unwrap_or(extent.lo), hi: hi.unwrap_or(extent.hi) })
    }

    /// A bound: an integer term over constants.
    pub(super) fn evaluate(&self, store: &TermStore, term: TermId) -> Result<i64, InstanceError> {
        let mut values: BTreeMap<TermId, BigInt> = BTreeMap::new();
        for subterm in store.subterms(term) {
            let args: Vec<&BigInt> = store.args(subterm).iter().map(|arg| &values[arg]).collect();
            let value = match store.op(subterm) {
                Op::Int(value) => value.clone(),
                Op::ToReal => args[0].clone(),
                Op::Symbol(symbol) if store.symbol(*symbol).role == Role::Const => {
                    self.constant(*symbol).map(BigInt::from).ok_or_else(|| unsupported(store, term))?
                }
                Op::Add => args.into_iter().sum(),
                Op::Neg => -args[0],
                Op::Mul => args[0] * args[1],
                _ => return Err(unsupported(store, term)),
            };
            values.insert(subterm, value);
        }
        narrow(&values[&term])
    }
}

fn names_element(store: &TermStore, term: TermId, sort: SortId) -> bool {
    store.subterms(term).into_iter().any(|part| matches!(store.op(part), Op::Index(of, _) if *of == sort))
}

fn unsupported(store: &TermStore, term: TermId) -> InstanceError {
    InstanceError::Unsupported(format!("a bound of sort {}", store.sort_name(store.sort_of(term))))
}

pub(super) fn narrow(value: &BigInt) -> Result<i64, InstanceError> {
    let fits = value.to_i64().filter(|&value| value != i64::MIN);
    fits.ok_or_else(|| InstanceError::TooLarge(value.to_string()))
}
