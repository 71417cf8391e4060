//! Memory layout: the domain and size of each type, and the state's slots with their names.
//!
//! Sizes are computed on demand rather than for all types up front, because a model may declare a type without a finite
//! size (`.tenet`) and never store a value of it; only stored types are reported.

use super::super::hir::{BOOLEAN, Bound, Model, Type, TypeId, TypeKind};
use crate::codes::instance::{SCALARSET_WITHOUT_SIZE, STATE_TOO_LARGE, UNBOUNDED_ARRAY};
use crate::diagnostic::Diagnostic;
use tenet_system::finite::layout::{
    Axis, Domain, DomainId, Layout, Multiset, Part, PartKind, Scalarset, ScalarsetId, Slot,
};

/// The greatest number of slots of a state, and of any value in scratch memory.
const SLOT_LIMIT: u64 = 1 << 20;

/// A simple type: an interval of integers, and how they are printed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simple {
    pub domain: DomainId,
    pub lo: i64,
    pub hi: i64,
    /// False for `integer` and ranges with an open end.
    pub finite: bool,
    /// Whether the values include elements of a scalarset.
    pub unordered: bool,
}

impl Simple {
    fn count(self) -> u64 {
        if self.hi < self.lo { 0 } else { self.hi.abs_diff(self.lo).saturating_add(1) }
    }
}

/// A member of a union: its values, and the number of its first value in the union.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub ty: TypeId,
    pub lo: i64,
    pub count: i64,
    pub offset: i64,
}

/// The role of a slot of an aggregate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A scalar outside every multiset.
    Scalar,
    /// Whether a multiset element is present.
    Presence,
    /// Anything inside a multiset element.
    Element,
}

/// A slot of an aggregate, relative to the aggregate's first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub offset: u32,
    pub ty: TypeId,
    pub role: Role,
}

/// Domains, sizes and slots of one instance.
pub(super) struct Memory<'m> {
    model: &'m Model,
    pub layout: Layout,
    pub errors: Vec<Diagnostic>,
    simples: Vec<Option<Simple>>,
    sizes: Vec<Option<u32>>,
    scalarsets: Vec<Option<ScalarsetId>>,
}

impl<'m> Memory<'m> {
    /// Computes all simple types with a finite instance; the state is still empty.
    pub fn new(model: &'m Model) -> Memory<'m> {
        let count = model.types.len();
        let mut memory = Memory {
            model,
            layout: Layout::default(),
            errors: Vec::new(),
            simples: vec![None; count],
            sizes: vec![None; count],
            scalarsets: vec![None; count],
        };
        let ids = || (0..count as u32).map(TypeId);
        let is_union = |ty: &TypeId| matches!(model.ty(*ty).kind, TypeKind::Union { .. });
        // Unions last, because they consist of the others.
        for ty in ids().filter(|ty| !is_union(ty)).chain(ids().filter(is_union)) {
            memory.simples[ty.0 as usize] = memory.make_simple(ty);
        }
        memory
    }

    /// Reports an error, once.
    pub fn report(&mut self, error: Diagnostic) {
        if !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// The scalarset of a type, if it is one and has a size.
    pub fn scalarset(&self, ty: TypeId) -> Option<ScalarsetId> {
        self.scalarsets[ty.0 as usize]
    }

    /// The values of a simple type; reports a scalarset without a size.
    pub fn simple(&mut self, ty: TypeId) -> Simple {
        if let Some(simple) = self.simples[ty.0 as usize] {
            return simple;
        }
        self.report_unsized(ty);
        Simple { domain: DomainId(0), lo: 0, hi: 0, finite: true, unordered: false }
    }

    /// The number of slots of a value of the type; reports types without a finite size.
    pub fn size(&mut self, ty: TypeId) -> u32 {
        if let Some(size) = self.sizes[ty.0 as usize] {
            return size;
        }
        let size = self.compute_size(ty);
        if size > SLOT_LIMIT {
            self.report_too_large(ty);
        }
        let size = if size > SLOT_LIMIT { 0 } else { size as u32 };
        self.sizes[ty.0 as usize] = Some(size);
        size
    }

    /// The members of a union with their numbering.
    pub fn members(&mut self, union: TypeId) -> Vec<Member> {
        let TypeKind::Union { members } = &self.model.ty(union).kind else { return Vec::new() };
        let mut offset = 0i64;
        let mut result = Vec::new();
        for &ty in members {
            let simple = self.simple(ty);
            let count = i64::try_from(simple.count()).unwrap_or(i64::MAX);
            result.push(Member { ty, lo: simple.lo, count, offset });
            offset = offset.saturating_add(count);
        }
        result
    }

    /// Lays out a state variable after the existing ones.
    pub fn add_variable(&mut self, name: &str, ty: TypeId) {
        let size = u64::from(self.size(ty));
        if self.layout.slots.len() as u64 + size > SLOT_LIMIT {
            self.report_too_large(ty);
        }
        if !self.errors.is_empty() {
            return;
        }
        self.add_slots(name, ty, &mut Vec::new());
    }

    /// All slots of a value of the type.
    pub fn leaves(&mut self, ty: TypeId) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        if self.size(ty) == 0 {
            return leaves;
        }
        self.collect_leaves(ty, Role::Scalar, 0, &mut leaves);
        leaves
    }

    /// The fields' types and offsets of a record.
    pub fn field(&mut self, record: TypeId, position: usize) -> (TypeId, u32) {
        let TypeKind::Record { fields } = &self.model.ty(record).kind else { return (record, 0) };
        let offset = fields[..position].iter().map(|field| self.size(field.ty)).sum();
        (fields[position].ty, offset)
    }

    fn make_simple(&mut self, ty: TypeId) -> Option<Simple> {
        let model = self.model;
        let domain = match &model.ty(ty).kind {
            TypeKind::Bool => Domain::boolean(),
            TypeKind::Integer => Domain::integers(),
            TypeKind::Range { lo, hi } => range_domain(lo.as_ref(), hi.as_ref()),
            TypeKind::Enum { variants } => {
                Domain::single(0, variants.len() as i64 - 1, PartKind::Names(variants.clone()))
            }
            TypeKind::Scalarset { size } => self.scalarset_domain(ty, size.as_ref()?),
            TypeKind::Union { members } => self.union_domain(members)?,
            TypeKind::Array { .. } | TypeKind::Multiset { .. } | TypeKind::Record { .. } => return None,
        };
        let finite = match &model.ty(ty).kind {
            TypeKind::Integer => false,
            TypeKind::Range { lo, hi } => lo.is_some() && hi.is_some(),
            _ => true,
        };
        let (lo, hi) = (domain.lo(), domain.hi());
        let unordered = domain.parts.iter().any(|part| matches!(part.kind, PartKind::Element(_)));
        Some(Simple { domain: self.layout.add_domain(domain), lo, hi, finite, unordered })
    }

    fn scalarset_domain(&mut self, ty: TypeId, size: &Bound) -> Domain {
        let size = size.value.clamp(0, i64::from(u32::MAX));
        let name = self.model.ty(ty).name.clone().unwrap_or_else(|| "element".to_string());
        let id = ScalarsetId(self.layout.scalarsets.len() as u32);
        self.layout.scalarsets.push(Scalarset { name, size: size as u32, symmetric: true });
        self.scalarsets[ty.0 as usize] = Some(id);
        Domain::single(0, size - 1, PartKind::Element(id))
    }

    fn union_domain(&self, members: &[TypeId]) -> Option<Domain> {
        let mut parts = Vec::new();
        let mut offset = 0i64;
        for &member in members {
            let simple = self.simples[member.0 as usize]?;
            let count = simple.count();
            if !simple.finite || count > SLOT_LIMIT {
                return None;
            }
            let kind = match &self.layout.domain(simple.domain).parts[0].kind {
                // Numbers keep their names: 5 stays 5 wherever the union puts it.
                PartKind::Number => PartKind::Names((simple.lo..=simple.hi).map(|n| n.to_string()).collect()),
                PartKind::Bool => PartKind::Names(vec!["false".to_string(), "true".to_string()]),
                kind => kind.clone(),
            };
            if count > 0 {
                parts.push(Part { lo: offset, hi: offset + count as i64 - 1, kind });
            }
            offset += count as i64;
        }
        if parts.is_empty() {
            return Some(Domain::numbers(0, -1));
        }
        Some(Domain { parts })
    }

    fn compute_size(&mut self, ty: TypeId) -> u64 {
        match &self.model.ty(ty).kind {
            TypeKind::Array { index, element } => {
                let index = self.index_count(ty, *index);
                index.saturating_mul(u64::from(self.size(*element)))
            }
            TypeKind::Multiset { capacity, element } => {
                let capacity = capacity.value.max(0) as u64;
                capacity.saturating_mul(u64::from(self.size(*element)) + 1)
            }
            TypeKind::Record { fields } => fields.iter().map(|field| u64::from(self.size(field.ty))).sum(),
            _ => {
                self.simple(ty);
                1
            }
        }
    }

    fn index_count(&mut self, array: TypeId, index: TypeId) -> u64 {
        let simple = self.simple(index);
        if simple.finite {
            return simple.count();
        }
        let span = self.model.ty(array).span;
        let error = Diagnostic::error(&UNBOUNDED_ARRAY, "this array has infinitely many elements", span)
            .label(format!("indexed by {}", describe(self.model.ty(index))))
            .help("give the index range two ends, or use `tenet prove`");
        self.report(error);
        0
    }

    fn add_slots(&mut self, name: &str, ty: TypeId, axes: &mut Vec<Axis>) {
        match &self.model.ty(ty).kind {
            TypeKind::Array { index, element } => self.add_array(name, *index, *element, axes),
            TypeKind::Multiset { capacity, element } => {
                self.add_multiset(name, capacity.value.max(0) as u32, *element, axes);
            }
            TypeKind::Record { fields } => {
                for field in fields {
                    self.add_slots(&format!("{name}.{}", field.name), field.ty, axes);
                }
            }
            _ => {
                let domain = self.simple(ty).domain;
                self.layout.slots.push(Slot { name: name.to_string(), domain, axes: axes.clone() });
            }
        }
    }

    fn add_array(&mut self, name: &str, index: TypeId, element: TypeId, axes: &mut Vec<Axis>) {
        let simple = self.simple(index);
        let stride = self.size(element);
        if !simple.finite || stride == 0 {
            return;
        }
        for value in simple.lo..=simple.hi {
            let axis = self.axis(simple.domain, value, stride);
            let name = format!("{name}[{}]", self.layout.show(simple.domain, value));
            axes.extend(axis);
            self.add_slots(&name, element, axes);
            if axis.is_some() {
                axes.pop();
            }
        }
    }

    fn axis(&self, domain: DomainId, value: i64, stride: u32) -> Option<Axis> {
        let part = self.layout.domain(domain).part(value)?;
        let PartKind::Element(scalarset) = part.kind else { return None };
        Some(Axis { scalarset, index: (value - part.lo) as u32, stride })
    }

    fn add_multiset(&mut self, name: &str, count: u32, element: TypeId, axes: &mut Vec<Axis>) {
        let presence = self.simple(BOOLEAN).domain;
        let stride = self.size(element) + 1;
        let base = self.layout.slots.len() as u32;
        self.layout.multisets.push(Multiset { base, stride, count });
        for position in 1..=count {
            let name = format!("{name}{{{position}}}");
            let inner = if self.is_simple(element) { format!("{name}.value") } else { name.clone() };
            self.layout.slots.push(Slot { name, domain: presence, axes: axes.clone() });
            self.add_slots(&inner, element, axes);
        }
    }

    /// Whether values of the type are scalars.
    pub fn is_simple(&self, ty: TypeId) -> bool {
        let kind = &self.model.ty(ty).kind;
        !matches!(kind, TypeKind::Array { .. } | TypeKind::Multiset { .. } | TypeKind::Record { .. })
    }

    fn collect_leaves(&mut self, ty: TypeId, role: Role, base: u32, leaves: &mut Vec<Leaf>) {
        match &self.model.ty(ty).kind {
            TypeKind::Array { index, element } => {
                let (size, count) = (self.size(*element), self.simple(*index).count());
                for position in 0..count.min(SLOT_LIMIT) as u32 {
                    self.collect_leaves(*element, role, base + position * size, leaves);
                }
            }
            TypeKind::Multiset { capacity, element } => {
                let stride = self.size(*element) + 1;
                for position in 0..capacity.value.max(0) as u32 {
                    let offset = base + position * stride;
                    let presence = if role == Role::Element { Role::Element } else { Role::Presence };
                    leaves.push(Leaf { offset, ty: BOOLEAN, role: presence });
                    self.collect_leaves(*element, Role::Element, offset + 1, leaves);
                }
            }
            TypeKind::Record { fields } => {
                let mut offset = base;
                for field in fields {
                    self.collect_leaves(field.ty, role, offset, leaves);
                    offset += self.size(field.ty);
                }
            }
            _ => leaves.push(Leaf { offset: base, ty, role }),
        }
    }

    fn report_unsized(&mut self, ty: TypeId) {
        let scalarset = match &self.model.ty(ty).kind {
            TypeKind::Union { members } => {
                let missing = members.iter().find(|member| self.simples[member.0 as usize].is_none());
                missing.copied().unwrap_or(ty)
            }
            _ => ty,
        };
        let declared = self.model.ty(scalarset);
        let error = match (&declared.kind, &declared.name) {
            (TypeKind::Union { .. }, _) => {
                Diagnostic::error(&UNBOUNDED_ARRAY, "this union has infinitely many values", declared.span)
                    .help("give every range in it two ends")
            }
            (_, Some(name)) => {
                Diagnostic::error(&SCALARSET_WITHOUT_SIZE, format!("`{name}` has no size"), declared.span)
                    .help(format!("give it one with `--size {name}=3`"))
            }
            (_, None) => {
                Diagnostic::error(&SCALARSET_WITHOUT_SIZE, "this scalarset has no size", declared.span)
                    .help("write `scalarset(3)`, or name the type and use `--size NAME=3`")
            }
        };
        self.report(error);
    }

    fn report_too_large(&mut self, ty: TypeId) {
        let span = self.model.ty(ty).span;
        let error = Diagnostic::error(&STATE_TOO_LARGE, "the state has too many scalars", span)
            .help("take smaller sizes (`--size`) or constants (`--const`)");
        self.report(error);
    }
}

fn range_domain(lo: Option<&Bound>, hi: Option<&Bound>) -> Domain {
    let all = Domain::integers();
    Domain::numbers(lo.map_or(all.lo(), |bound| bound.value), hi.map_or(all.hi(), |bound| bound.value))
}

fn describe(ty: &Type) -> String {
    match (&ty.name, &ty.kind) {
        (Some(name), _) => format!("`{name}`"),
        (None, TypeKind::Integer) => "`integer`".to_string(),
        (None, _) => "an open range".to_string(),
    }
}
