//! How types are read: the sort of each simple type, the bounds of integers, the literals of index sorts.
//!
//! A finite range keeps its bounds in its sort. A range with a symbolic bound has sort `Int`, because a sort cannot
//! mention a constant; its bounds are separate terms and guard every variable that ranges over it (QI-T5).

use super::Reader;
use super::names::Choice;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::finite::text::Names;
use crate::murphi::hir::{BinaryOp, Bound, Code, ConstId, Expr, ExprKind, Model, TypeId, TypeKind, UnaryOp};
use crate::murphi::linear::Linear;
use crate::span::Span;
use num_bigint::BigInt;
use std::collections::BTreeMap;
use tenet_system::Bounds;
use tenet_term::{Role, Sort, SortId, Spelling, SymbolId, TermId};

/// The number of values of an enumeration made from a sized scalarset.
const MAX_VARIANTS: i64 = 65_536;

/// How a simple type is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simple {
    pub(super) sort: SortId,
    /// For numbers: the declared bounds.
    pub(super) bounds: Bounds,
}

/// The readings of types and constants.
#[derive(Default)]
pub(super) struct Sorts {
    simple: BTreeMap<TypeId, Simple>,
    /// The distinguished elements of ranges that are read as index sorts, by type and value.
    pub(super) literals: BTreeMap<(TypeId, Linear), SymbolId>,
    /// The elements that `clear` assigns.
    pub(super) first: BTreeMap<SortId, TermId>,
    /// The terms of symbolic constants, and of constants defined with them.
    pub(super) constants: BTreeMap<ConstId, TermId>,
}

/// The name of a type, for messages: as declared, or what kind of type it is.
pub(super) fn type_name(model: &Model, id: TypeId) -> String {
    let ty = model.ty(id);
    if let Some(name) = &ty.name {
        return name.clone();
    }
    let end = |end: &Option<Bound>| end.as_ref().map_or(String::new(), |end| end_text(model, end));
    match &ty.kind {
        TypeKind::Range { lo, hi } => format!("{}..{}", end(lo), end(hi)),
        TypeKind::Enum { variants } => format!("enum {{{}}}", variants.join(", ")),
        TypeKind::Scalarset { .. } => format!("scalarset_{}", id.0),
        TypeKind::Union { members } => {
            let members: Vec<String> = members.iter().map(|&member| type_name(model, member)).collect();
            format!("union {{{}}}", members.join(", "))
        }
        TypeKind::Array { .. } => "array".to_owned(),
        TypeKind::Multiset { .. } => "multiset".to_owned(),
        TypeKind::Record { .. } => "record".to_owned(),
        TypeKind::Bool => "boolean".to_owned(),
        TypeKind::Integer => "integer".to_owned(),
    }
}

/// An end of a range: its value, or its expression if the value is unknown.
fn end_text(model: &Model, end: &Bound) -> String {
    match Linear::of(model, &end.expr, &|_| false) {
        Some(_) => end.value.to_string(),
        None => Names { model, code: &Code::default() }.expr(&end.expr),
    }
}

/// Whether values of the type are numbers in the source.
pub(super) fn is_numeric(model: &Model, id: TypeId) -> bool {
    matches!(model.ty(id).kind, TypeKind::Integer | TypeKind::Range { .. })
}

/// Whether the type is an array, record or multiset.
pub(super) fn is_aggregate(model: &Model, id: TypeId) -> bool {
    let kind = &model.ty(id).kind;
    matches!(kind, TypeKind::Array { .. } | TypeKind::Multiset { .. } | TypeKind::Record { .. })
}

impl Reader<'_> {
    pub(super) fn sort(&mut self, id: TypeId) -> SortId {
        self.simple(id).sort
    }

    /// The declared bounds of a number; none for other types.
    pub(super) fn bounds(&mut self, id: TypeId) -> Bounds {
        self.simple(id).bounds
    }

    /// The bounds where the sort does not imply them.
    pub(super) fn symbolic_bounds(&mut self, id: TypeId) -> Bounds {
        let simple = self.simple(id);
        if simple.sort == SortId::INT { simple.bounds } else { Bounds::default() }
    }

    /// How a simple type is read.
    pub(super) fn simple(&mut self, id: TypeId) -> Simple {
        if let Some(simple) = self.sorts.simple.get(&id) {
            return *simple;
        }
        let simple = self.read_simple(id);
        self.sorts.simple.insert(id, simple);
        simple
    }

    fn read_simple(&mut self, id: TypeId) -> Simple {
        let model = self.model;
        let name = type_name(model, id);
        let sort = match &model.ty(id).kind {
            TypeKind::Bool => SortId::BOOL,
            TypeKind::Integer => SortId::INT,
            TypeKind::Range { lo, hi } => return self.read_range(id, name, lo.as_ref(), hi.as_ref()),
            TypeKind::Enum { variants } => {
                self.store.mk_sort(Sort::Enum { name, variants: variants.clone() })
            }
            TypeKind::Scalarset { size } => {
                let size = size.as_ref().filter(|size| self.is_sized(id, size));
                self.read_scalarset(name, size, model.ty(id).span)
            }
            TypeKind::Union { members } => self.read_union(name, members, model.ty(id).span),
            // As an index: the sort of its places.
            TypeKind::Multiset { .. } => self.place_sort(),
            TypeKind::Array { .. } | TypeKind::Record { .. } => {
                unreachable!("aggregates are split into leaves first")
            }
        };
        Simple { sort, bounds: Bounds::default() }
    }

    fn read_scalarset(&mut self, name: String, size: Option<&Bound>, span: Span) -> SortId {
        let Some(size) = size else {
            return self.store.mk_sort(Sort::Index { name });
        };
        if size.value > MAX_VARIANTS {
            let message = format!("`{name}` has {} values, which are too many to go through", size.value);
            self.report(Diagnostic::error(&codes::TOO_LARGE, message, span));
            return self.store.mk_sort(Sort::Index { name });
        }
        let variants = (1..=size.value).map(|number| format!("{name}_{number}")).collect();
        self.store.mk_sort(Sort::Enum { name, variants })
    }

    fn read_union(&mut self, name: String, members: &[TypeId], span: Span) -> SortId {
        let mut sorts = Vec::new();
        for &member in members {
            let sort = self.sort(member);
            if matches!(self.store.sort(sort), Sort::Enum { .. } | Sort::Index { .. }) {
                sorts.push(sort);
            } else {
                self.report_range_in_union(&name, member, span);
            }
        }
        sorts.dedup();
        match self.store.declare_sort(Sort::Union { name: name.clone(), members: sorts }) {
            Ok(sort) => sort,
            // Only if a member was refused, which is reported.
            Err(_) => self.store.mk_sort(Sort::Index { name }),
        }
    }

    fn report_range_in_union(&mut self, name: &str, member: TypeId, span: Span) {
        let member_name = type_name(self.model, member);
        let message = format!("the union `{name}` has the range `{member_name}` as a member");
        let diagnostic = Diagnostic::error(&codes::UNION_WITH_RANGE, message, span)
            .also(self.model.ty(member).span, "this range");
        let help = match self.model.ty(member).name {
            Some(_) => format!("`--unbounded {member_name}` reads the range as a set of indices"),
            None => "declare the range as a type, or use a scalarset".to_owned(),
        };
        self.report(diagnostic.help(help));
    }

    fn read_range(&mut self, id: TypeId, name: String, lo: Option<&Bound>, hi: Option<&Bound>) -> Simple {
        if self.choice.indices.contains(&id) {
            let sort = self.store.mk_sort(Sort::Index { name });
            return Simple { sort, bounds: Bounds::default() };
        }
        let symbolic = [lo, hi].into_iter().flatten().any(|end| self.choice.is_symbolic(&end.expr));
        let bounds = Bounds { lo: lo.map(|end| self.end(end)), hi: hi.map(|end| self.end(end)) };
        if symbolic {
            return Simple { sort: SortId::INT, bounds };
        }
        let value = |end: Option<&Bound>| end.map(|end| BigInt::from(end.value));
        let sort = self.store.mk_sort(Sort::Range { name, lo: value(lo), hi: value(hi) });
        Simple { sort, bounds }
    }

    fn end(&mut self, end: &Bound) -> TermId {
        if self.choice.is_symbolic(&end.expr) {
            return self.constant_expr(&end.expr);
        }
        self.store.mk_int(end.value)
    }

    /// The axioms that symbolic ranges are not empty, each with the type it comes from.
    pub(super) fn assume_ranges_inhabited(&mut self) -> Vec<(TypeId, TermId)> {
        let mut found: Vec<(TypeId, TermId)> = Vec::new();
        for position in 0..self.model.types.len() {
            let id = TypeId(position as u32);
            if !matches!(self.model.ty(id).kind, TypeKind::Range { .. }) {
                continue;
            }
            let Bounds { lo: Some(lo), hi: Some(hi) } = self.symbolic_bounds(id) else { continue };
            let formula = self.store.mk_le(lo, hi);
            if formula != TermId::TRUE && !found.iter().any(|(_, known)| *known == formula) {
                found.push((id, formula));
                let size = self.store.mk_sub(hi, lo);
                self.range_sizes.push(size);
            }
        }
        found
    }

    /// The value of a constant of the model.
    pub(super) fn constant(&mut self, id: ConstId) -> TermId {
        if let Some(&term) = self.sorts.constants.get(&id) {
            return term;
        }
        let constant = &self.model.consts[id.0 as usize];
        let term = match &constant.definition {
            Some(definition) if self.choice.is_symbolic(definition) => self.constant_expr(definition),
            _ => self.store.mk_int(constant.value.clone()),
        };
        self.sorts.constants.insert(id, term);
        term
    }

    /// A constant expression that mentions a symbolic constant.
    fn constant_expr(&mut self, expr: &Expr) -> TermId {
        match &expr.kind {
            ExprKind::Int(value) => self.store.mk_int(value.clone()),
            ExprKind::ConstRef(id) => self.constant(*id),
            ExprKind::Unary(UnaryOp::Neg, operand) => {
                let operand = self.constant_expr(operand);
                self.store.mk_neg(operand)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.constant_expr(left), self.constant_expr(right));
                match op {
                    BinaryOp::Add => self.store.mk_add([left, right]),
                    BinaryOp::Sub => self.store.mk_sub(left, right),
                    BinaryOp::Mul => self.store.mk_mul(left, right),
                    BinaryOp::Div => self.store.mk_div_trunc(left, right),
                    BinaryOp::Mod => self.store.mk_rem_trunc(left, right),
                    _ => self.refuse_bound(expr.span),
                }
            }
            _ => self.refuse_bound(expr.span),
        }
    }

    fn refuse_bound(&mut self, span: Span) -> TermId {
        let message = "this expression mentions a symbolic constant and is no sum, product or quotient";
        self.report(Diagnostic::error(&codes::NOT_SYMBOLIC, message, span));
        self.store.mk_int(0)
    }

    /// The element of an index sort that a number, or a sum of constants, stands for.
    pub(super) fn distinguished(&mut self, ty: TypeId, value: &Linear) -> TermId {
        if let Some(&symbol) = self.sorts.literals.get(&(ty, value.clone())) {
            return self.store.mk_symbol(symbol);
        }
        let (name, sort) = (type_name(self.model, ty), self.sort(ty));
        let value_name = value.name(self.model);
        let symbol = self.store.declare(&format!("{name}_{value_name}"), sort, Role::Const);
        let is_constant = self.model.consts.iter().any(|constant| constant.name == value_name);
        if is_constant || value_name.parse::<u64>().is_ok() {
            self.store.spell(symbol, Spelling::Parts(vec![value_name]));
        }
        self.sorts.literals.insert((ty, value.clone()), symbol);
        self.store.mk_symbol(symbol)
    }

    /// Some symbol of the sort, to continue after an error.
    pub(super) fn dummy(&mut self, sort: SortId) -> TermId {
        let symbol = self.store.declare("error", sort, Role::Skolem);
        self.store.mk_symbol(symbol)
    }
}

impl Choice {
    /// Whether a constant expression depends on a symbolic constant.
    pub(super) fn is_symbolic(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::ConstRef(id) => self.symbolic.contains(id),
            ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => self.is_symbolic(operand),
            ExprKind::Binary(_, left, right) => self.is_symbolic(left) || self.is_symbolic(right),
            ExprKind::Ite(condition, yes, no) => {
                [condition, yes, no].into_iter().any(|part| self.is_symbolic(part))
            }
            _ => false,
        }
    }
}
