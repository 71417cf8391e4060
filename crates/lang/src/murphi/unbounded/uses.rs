//! Constants that verdicts quantify over, and uses of them that contradict an index sort.
//!
//! A constant that determines the size of an unbounded type is *free*: it stands for every value, wherever it occurs. As a number
//! it is a symbolic integer, of which only is known that the types are not empty; that it is the size of a set is not expressed,
//! so there are more states than in any instance. As an element of a range that is read as an index sort it is a distinguished
//! element, and verdicts are then about values of the constant for which there is such an element.

use super::Reader;
use super::sorts::type_name;
use crate::murphi::hir::{self, Bound, ConstId, Expr, Model, TypeId, TypeKind};
use crate::murphi::linear::{Linear, Natural};
use crate::span::Span;
use num_bigint::BigInt;
use std::collections::{BTreeMap, BTreeSet};
use tenet_system::{Axiom, Parameter};
use tenet_term::{Role, SortId, TermId};

/// For each constant: itself and the constants that its definition mentions, directly or indirectly.
#[derive(Default)]
pub(super) struct Uses {
    behind: Vec<BTreeSet<ConstId>>,
    /// The free constants that determine the size of each unbounded type.
    sizes: BTreeMap<TypeId, BTreeSet<ConstId>>,
    /// The least values of free constants for which no type is empty.
    inhabited: BTreeMap<ConstId, BigInt>,
    /// The least values for which everything that is used as an element is one.
    least: BTreeMap<ConstId, BigInt>,
}

impl Uses {
    pub(super) fn new(model: &Model) -> Uses {
        let mut uses = Uses::default();
        for (position, constant) in model.consts.iter().enumerate() {
            let mut behind =
                constant.definition.as_ref().map_or_else(BTreeSet::new, |expr| uses.behind(expr));
            behind.insert(ConstId(position as u32));
            uses.behind.push(behind);
        }
        uses
    }

    /// The constants that a constant expression depends on.
    fn behind(&self, expr: &Expr) -> BTreeSet<ConstId> {
        let found = hir::constants_in(expr).into_iter();
        found.flat_map(|id| self.behind.get(id.0 as usize).into_iter().flatten().copied()).collect()
    }

    /// The same, without constants that are defined by others: those defined by a number literal.
    fn roots(&self, model: &Model, expr: &Expr) -> BTreeSet<ConstId> {
        let mut found = self.behind(expr);
        found.retain(|id| {
            let constant = &model.consts[id.0 as usize];
            let is_root = |definition: &Expr| hir::constants_in(definition).is_empty();
            !constant.unknown && constant.definition.as_ref().is_some_and(is_root)
        });
        found
    }
}

/// Whether the command line has set the constants that a bound mentions, so that its value is final.
pub(super) fn is_set(model: &Model, bound: &Bound) -> bool {
    let uses = Uses::new(model);
    let behind = uses.behind(&bound.expr);
    let is_set = |id: &ConstId| model.consts[id.0 as usize].definition.is_none();
    behind.iter().any(is_set)
        && uses.roots(model, &bound.expr).is_empty()
        && !behind.iter().any(|id| model.consts[id.0 as usize].unknown)
}

impl Reader<'_> {
    /// Finds the free constants; each becomes a symbolic integer, which is part of the system if something depends on it.
    pub(super) fn free_constants(&mut self) {
        let model = self.model;
        self.choice.uses = Uses::new(model);
        for position in 0..model.types.len() {
            let id = TypeId(position as u32);
            if let Some(roots) = self.size_constants(id) {
                self.choice.uses.sizes.insert(id, roots);
            }
        }
        let free: BTreeSet<ConstId> = self.choice.uses.sizes.values().flatten().copied().collect();
        for id in free.into_iter().filter(|id| !self.choice.symbolic.contains(id)).collect::<Vec<_>>() {
            let name = &model.consts[id.0 as usize].name;
            let symbol = self.store.declare(name, SortId::INT, Role::Const);
            let term = self.store.mk_symbol(symbol);
            self.sorts.constants.insert(id, term);
            self.choice.free.insert(id, symbol);
            self.choice.roots.insert(id);
            self.choice.symbolic.insert(id);
        }
        let sizes: Vec<TypeId> = self.choice.uses.sizes.keys().copied().collect();
        for id in sizes {
            if let Some(Natural::From(constant, least)) = self.one_less(id).map(|form| form.natural())
                && self.choice.free.contains_key(&constant)
            {
                let (inhabited, sum) = (&mut self.choice.uses.inhabited, self.sorts.constants[&constant]);
                let known = inhabited.entry(constant).or_insert_with(|| least.clone());
                *known = least.clone().max(known.clone());
                let least = self.store.mk_int(least);
                let beyond = self.store.mk_sub(sum, least);
                self.range_sizes.push(beyond);
            }
        }
        self.choice.uses.least = self.choice.uses.inhabited.clone();
    }

    /// Refuses index sorts whose size bounds another range, too.
    pub(super) fn check_bounds(&mut self) {
        for position in 0..self.model.types.len() {
            let id = TypeId(position as u32);
            if let TypeKind::Range { lo, hi } = &self.model.ty(id).kind
                && !self.choice.indices.contains(&id)
            {
                let ends: Vec<&Bound> = [lo, hi].into_iter().flatten().collect();
                let behind = ends.iter().flat_map(|end| self.choice.uses.behind(&end.expr)).collect();
                self.note_use(&behind, self.model.ty(id).span);
            }
        }
    }

    /// The constants that determine the size of a type that is unbounded: those of the upper end of a range, or else of the
    /// lower one.
    fn size_constants(&self, id: TypeId) -> Option<BTreeSet<ConstId>> {
        let (model, uses) = (self.model, &self.choice.uses);
        match &model.ty(id).kind {
            TypeKind::Scalarset { size: Some(size) } if !self.is_sized(id, size) => {
                Some(uses.roots(model, &size.expr))
            }
            TypeKind::Range { lo, hi } if self.choice.indices.contains(&id) => {
                let of = |end: &Option<Bound>| end.as_ref().map(|end| uses.roots(model, &end.expr));
                let upper = of(hi).filter(|roots| !roots.is_empty());
                Some(upper.or_else(|| of(lo)).unwrap_or_default())
            }
            _ => None,
        }
    }

    /// Whether the command line fixes the size of a scalarset.
    pub(super) fn is_sized(&self, id: TypeId, size: &Bound) -> bool {
        self.choice.sizes.contains(&type_name(self.model, id)) || is_set(self.model, size)
    }

    /// One less than the size of a type.
    fn one_less(&self, id: TypeId) -> Option<Linear> {
        match &self.model.ty(id).kind {
            TypeKind::Scalarset { size: Some(size) } => {
                Some(&self.linear(&size.expr)? - &Linear::number(BigInt::from(1)))
            }
            TypeKind::Range { lo: Some(lo), hi: Some(hi) } => {
                Some(&self.linear(&hi.expr)? - &self.linear(&lo.expr)?)
            }
            _ => None,
        }
    }

    /// A constant expression as a sum of symbolic constants.
    pub(super) fn linear(&self, expr: &Expr) -> Option<Linear> {
        Linear::of(self.model, expr, &|id| self.choice.roots.contains(&id))
    }

    /// Records that this number is used as an element of a range that is read as an index sort; or why it is none.
    pub(super) fn note_element(&mut self, ty: TypeId, value: &Linear) -> Result<(), String> {
        let model = self.model;
        let name = type_name(model, ty);
        let TypeKind::Range { lo, hi } = &model.ty(ty).kind else {
            return Err(format!("`{name}` is no range"));
        };
        let shown = || value.value(model);
        let above = lo.as_ref().map(|lo| Some(value - &self.linear(&lo.expr)?));
        let below = hi.as_ref().map(|hi| Some(&self.linear(&hi.expr)? - value));
        for distance in [above, below].into_iter().flatten() {
            let Some(distance) = distance else {
                return Err(format!("whether this is a value of `{name}` depends on how it is computed"));
            };
            if distance.value(model).sign() == num_bigint::Sign::Minus {
                return Err(format!("{} is no value of `{name}`", shown()));
            }
            match distance.natural() {
                Natural::Always => {}
                Natural::From(constant, least) if self.choice.free.contains_key(&constant) => {
                    let known = self.choice.uses.least.entry(constant).or_insert_with(|| least.clone());
                    *known = least.max(known.clone());
                }
                _ => return Err(format!("{} is not a value of `{name}` in every instance", shown())),
            }
        }
        Ok(())
    }

    /// What is known about two elements with this difference: `Some(true)` if the second is greater, `Some(false)` if it is not
    /// smaller.
    pub(super) fn is_greater(&self, difference: &Linear) -> Option<bool> {
        let least = difference.least(&self.choice.uses.least)?;
        (least.sign() != num_bigint::Sign::Minus).then(|| least.sign() == num_bigint::Sign::Plus)
    }

    /// Declares the constants that bound ranges and keep their values in the text, because something in the model needs numbers.
    pub(super) fn declare_written(&mut self) {
        let model = self.model;
        let mut found: BTreeSet<ConstId> = BTreeSet::new();
        for (position, ty) in model.types.iter().enumerate() {
            if let TypeKind::Range { lo, hi } = &ty.kind
                && !self.choice.indices.contains(&TypeId(position as u32))
            {
                let ends = [lo, hi].into_iter().flatten();
                found.extend(ends.flat_map(|end| self.choice.uses.roots(model, &end.expr)));
            }
        }
        found.retain(|id| !self.choice.symbolic.contains(id));
        let constants = found.into_iter().map(|id| &model.consts[id.0 as usize]);
        self.system.written =
            constants.map(|known| format!("{} = {} as written", known.name, known.value)).collect();
        self.system.conditions.extend(self.system.written.iter().cloned());
    }

    /// The free constants, those that terms mention as constants of the system.
    pub(super) fn declare_parameters(&mut self) {
        let model = self.model;
        let used = self.used_symbols();
        for (id, symbol) in self.choice.free.clone() {
            let constant = &model.consts[id.0 as usize];
            let least = self.choice.uses.least.get(&id).cloned();
            let inhabited = self.choice.uses.inhabited.get(&id).cloned();
            let is_number = used.contains(&symbol);
            let sizes = self.choice.uses.sizes.iter().filter(|(_, roots)| roots.contains(&id));
            let sizes = sizes.map(|(&ty, _)| type_name(model, ty)).collect();
            let is_restricted = least > inhabited;
            if is_number {
                self.system.consts.push(symbol);
                if let Some(least) = &least {
                    let (least_term, term) = (self.store.mk_int(least.clone()), self.store.mk_symbol(symbol));
                    let formula = self.store.mk_le(least_term, term);
                    if formula != TermId::TRUE {
                        let name = format!("`{}` is at least {least}", constant.name);
                        let source = super::source(constant.span);
                        self.system.axioms.push(Axiom { name, source, formula });
                    }
                }
            }
            let name = constant.name.clone();
            let parameter = Parameter { name, least, is_restricted, is_number, sizes };
            if is_restricted {
                self.system.conditions.push(parameter.condition());
            }
            self.system.parameters.push(parameter);
        }
    }

    /// Records that a constant is used as a number.
    pub(super) fn note_constant(&mut self, id: ConstId, span: Span) {
        let behind = self.choice.uses.behind[id.0 as usize].clone();
        self.note_use(&behind, span);
    }

    fn note_use(&mut self, behind: &BTreeSet<ConstId>, span: Span) {
        let model = self.model;
        let shared: Vec<(TypeId, ConstId)> = self
            .choice
            .uses
            .sizes
            .iter()
            .filter(|(ty, _)| self.choice.indices.contains(ty))
            .filter_map(|(&ty, size)| Some((ty, *size.intersection(behind).next()?)))
            .filter(|(_, constant)| !self.choice.named.contains(constant))
            .collect();
        for (ty, constant) in shared {
            let (name, constant) = (type_name(model, ty), &model.consts[constant.0 as usize]);
            let message = format!("`{}` bounds `{name}`, but is used as a number here", constant.name);
            self.refuse_index(ty, message, span, SortId::INT);
        }
    }

    /// What to do instead of reading the range as an index sort.
    pub(super) fn constant_instead(&self, ty: TypeId) -> Option<String> {
        let TypeKind::Range { lo, hi } = &self.model.ty(ty).kind else { return None };
        let mut behind = [hi, lo].into_iter().flatten().flat_map(|end| self.choice.uses.behind(&end.expr));
        let name = &self.model.consts[behind.next()?.0 as usize].name;
        Some(format!("`--unbounded {name}` reads `{name}` as any integer and keeps the order of the values"))
    }
}
