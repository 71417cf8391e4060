//! Types: lowered to entries of the model's type table.
//!
//! Whether two types match is decided by their *class*, computed when a type is made: types of the same structure get
//! the same class. Comparing definitions on demand instead would take exponential time on records that contain the same
//! record twice, level after level.

use super::scope::Entry;
use super::{Checker, hir};
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::Dialect;
use crate::murphi::ast::{self, Ident, TypeExpr, TypeExprKind};
use crate::murphi::hir::{BOOLEAN, Bound, Expr, ExprKind, Field, INTEGER, TypeId, TypeKind};
use crate::span::Span;
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// The nesting depth of types, so that traversals may recurse.
const MAX_DEPTH: u32 = 64;

/// Types match if their classes are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Class(u32);

/// What makes two types match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    /// Matches only itself: boolean, integer, enumerations, scalarsets.
    Itself(TypeId),
    Range(Option<i64>, Option<i64>),
    Union(Vec<Class>),
    Array(Class, Class),
    Multiset(i64, Class),
    Record(Vec<(String, Class)>),
}

/// Properties of a type besides its definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) class: Class,
    /// The number of scalars in a variable of it; an index type without a size counts once.
    pub(super) scalars: u64,
    /// The number of values of a simple type, if it is finite.
    values: Option<u64>,
    depth: u32,
    /// Whether there is a multiset in it (multisets cannot be compared).
    pub(super) has_multiset: bool,
}

impl Checker<'_> {
    /// `TypeId(0)` and `TypeId(1)`.
    pub(super) fn predeclare_types(&mut self) {
        self.new_type(Some("boolean".to_owned()), TypeKind::Bool, Span::default());
        self.new_type(Some("integer".to_owned()), TypeKind::Integer, Span::default());
    }

    pub(super) fn facts(&self, id: TypeId) -> Facts {
        self.facts[id.0 as usize]
    }

    pub(super) fn kind(&self, id: TypeId) -> &TypeKind {
        &self.model.ty(id).kind
    }

    /// Whether two types match without conversion; integers and ranges are not considered here.
    pub(super) fn same_type(&self, left: TypeId, right: TypeId) -> bool {
        self.facts(left).class == self.facts(right).class
    }

    pub(super) fn is_numeric(&self, id: TypeId) -> bool {
        matches!(self.kind(id), TypeKind::Integer | TypeKind::Range { .. })
    }

    pub(super) fn is_simple(&self, id: TypeId) -> bool {
        !matches!(self.kind(id), TypeKind::Array { .. } | TypeKind::Multiset { .. } | TypeKind::Record { .. })
    }

    /// A type as written; `name` is given in `type name : …`.
    pub(super) fn type_expr(&mut self, written: &TypeExpr, name: Option<&Ident>) -> Option<TypeId> {
        let given = name.is_none() && matches!(written.kind, TypeExprKind::Scalarset(_));
        let given = given.then(|| self.name_for_scalarset(written.span));
        let name = name.or(given.as_ref());
        let span = name.map_or(written.span, |name| name.span);
        let kind = match &written.kind {
            TypeExprKind::Name(other) => return self.type_name(other, written.span),
            TypeExprKind::Range { lo, hi } => self.range(lo.as_deref(), hi.as_deref(), written.span, name)?,
            TypeExprKind::Enum(values) => return self.enumeration(values, span, name),
            TypeExprKind::Scalarset(size) => self.scalarset(size.as_deref(), written.span, name)?,
            TypeExprKind::Union(members) => self.union(members)?,
            TypeExprKind::Array { index, element } => self.array(index, element)?,
            TypeExprKind::Multiset { capacity, element } => self.multiset(capacity, element)?,
            TypeExprKind::Record(fields) => self.record(fields)?,
        };
        let id = self.new_type(name.map(|name| name.name.clone()), kind, span);
        if self.facts(id).depth == MAX_DEPTH + 1 {
            return self.error(&codes::NESTED_TOO_DEEPLY, "this type is nested too deeply", written.span);
        }
        Some(id)
    }

    /// A simple type in the source; `what` names its purpose.
    pub(super) fn simple_type(&mut self, written: &TypeExpr, what: &str) -> Option<TypeId> {
        let id = self.type_expr(written, None)?;
        self.require_simple(id, written.span, what)?;
        Some(id)
    }

    /// Reports an aggregate type where a simple type is required.
    pub(super) fn require_simple(&mut self, id: TypeId, span: Span, what: &str) -> Option<()> {
        if self.is_simple(id) {
            return Some(());
        }
        let message = format!("{what} must be of a simple type, not {}", self.describe(id));
        let diagnostic = Diagnostic::error(&codes::NOT_SIMPLE, message, span).label("not a simple type");
        let diagnostic = self.with_declaration(diagnostic, id);
        self.report(diagnostic);
        None
    }

    fn type_name(&mut self, name: &str, span: Span) -> Option<TypeId> {
        match self.lookup(name).cloned() {
            Some(named) => match named.entry {
                Entry::Type(id) => Some(id),
                _ => self.wrong_kind(name, span, &named, "a type"),
            },
            None if name.eq_ignore_ascii_case("boolean") => Some(BOOLEAN),
            None if name.eq_ignore_ascii_case("integer") => {
                self.integer_allowed(span)?;
                Some(INTEGER)
            }
            None => self.unknown_type(name, span),
        }
    }

    /// Open ranges and scalarsets without a size are handled by the parser, which recognises them by their form.
    fn integer_allowed(&mut self, span: Span) -> Option<()> {
        if self.dialect == Dialect::Tenet {
            return Some(());
        }
        let message = "the type `integer` is only in `.tenet` files";
        let diagnostic = Diagnostic::error(&codes::INTEGER_TYPE, message, span);
        self.report(diagnostic.help("use a range such as `0..100`, or rename the file to `.tenet`"));
        None
    }

    fn range(
        &mut self,
        lo: Option<&ast::Expr>,
        hi: Option<&ast::Expr>,
        span: Span,
        name: Option<&Ident>,
    ) -> Option<TypeKind> {
        let (lower, upper) = (self.range_end(lo, "the lower end"), self.range_end(hi, "the upper end"));
        let (lo, hi) = (lower?, upper?);
        let hi = match self.size_of(name) {
            Some(size) => Some(self.sized_end(lo.as_ref(), size, name)?),
            None => hi,
        };
        if let (Some(lo), Some(hi)) = (&lo, &hi)
            && lo.value > hi.value
            && !self.is_unknown(&lo.expr)
            && !self.is_unknown(&hi.expr)
        {
            let diagnostic = Diagnostic::error(
                &codes::EMPTY_RANGE,
                format!("the range {}..{} is empty", lo.value, hi.value),
                span,
            );
            self.report(diagnostic.label("its lower end is above its upper end"));
            return None;
        }
        Some(TypeKind::Range { lo, hi })
    }

    /// The outer `None` is an error, the inner one an open end.
    fn range_end(&mut self, end: Option<&ast::Expr>, which: &str) -> Option<Option<Bound>> {
        match end {
            Some(end) => Some(Some(self.bound(end, &format!("{which} of a range"))?)),
            None => Some(None),
        }
    }

    /// The size the command line gives to the type being declared.
    fn size_of(&mut self, name: Option<&Ident>) -> Option<i64> {
        if !self.at_top_level() {
            return None;
        }
        name.and_then(|name| self.size_option(&name.name))
    }

    fn sized_end(&mut self, lo: Option<&Bound>, size: i64, name: Option<&Ident>) -> Option<Bound> {
        let shown = name.map_or("", |name| name.name.as_str());
        let Some(lo) = lo else {
            self.size_option_does_not_fit(shown, "the range has no lower end to count from");
            return None;
        };
        match lo.value.checked_add(size - 1) {
            Some(value) => Some(given_bound(value, lo.expr.span)),
            None => {
                self.size_option_does_not_fit(shown, "the upper end of the range would not fit 64 bits");
                None
            }
        }
    }

    fn enumeration(&mut self, values: &[Ident], span: Span, name: Option<&Ident>) -> Option<TypeId> {
        if values.is_empty() {
            return self.error(&codes::NO_SIZE, "an enumeration needs at least one value", span);
        }
        let variants = values.iter().map(|value| value.name.clone()).collect();
        let id = self.new_type(name.map(|name| name.name.clone()), TypeKind::Enum { variants }, span);
        for (position, value) in values.iter().enumerate() {
            self.declare(value, Entry::EnumValue(id, position as u32));
        }
        Some(id)
    }

    fn scalarset(&mut self, size: Option<&ast::Expr>, span: Span, name: Option<&Ident>) -> Option<TypeKind> {
        let written = match size {
            Some(size) => Some(self.positive(size, "the size of a scalarset")?),
            None => None,
        };
        let size = self.size_of(name).map(|size| given_bound(size, span)).or(written);
        Some(TypeKind::Scalarset { size })
    }

    /// A scalarset that is written inside another declaration is a type of its own, with a name that no other has.
    fn name_for_scalarset(&self, span: Span) -> Ident {
        let is_free = |name: &String| {
            self.lookup(name).is_none() && !self.model.types.iter().any(|ty| ty.name.as_ref() == Some(name))
        };
        let mut names = (1..).map(|number| format!("Scalarset_{number}"));
        let name = names.find(is_free).expect("invariant: there are always more numbers than names");
        Ident { name, span }
    }

    fn positive(&mut self, expr: &ast::Expr, what: &str) -> Option<Bound> {
        let bound = self.bound(expr, what)?;
        if bound.value >= 1 {
            return Some(bound);
        }
        self.error(
            &codes::NO_SIZE,
            format!("{what} must be at least 1, but it is {}", bound.value),
            expr.span,
        )
    }

    fn union(&mut self, written: &[TypeExpr]) -> Option<TypeKind> {
        let checked: Vec<Option<TypeId>> =
            written.iter().map(|member| self.type_expr(member, None)).collect();
        let mut members: Vec<TypeId> = Vec::new();
        let mut seen = BTreeMap::new();
        for (written, id) in written.iter().zip(checked) {
            for id in self.flat_members(id?) {
                // All ranges count as one member: the member that a number belongs to must be determined.
                let key = (!self.is_numeric(id)).then(|| self.facts(id).class);
                if let Some(reason) = self.not_a_union_member(id) {
                    return self.bad_union(written.span, id, reason);
                }
                if seen.insert(key, id).is_some() {
                    return self.bad_union(written.span, id, "cannot be in a union twice");
                }
                members.push(id);
            }
        }
        Some(TypeKind::Union { members })
    }

    fn flat_members(&self, id: TypeId) -> Vec<TypeId> {
        match self.kind(id) {
            TypeKind::Union { members } => members.clone(),
            _ => vec![id],
        }
    }

    fn not_a_union_member(&self, id: TypeId) -> Option<&'static str> {
        match self.kind(id) {
            TypeKind::Enum { .. } | TypeKind::Scalarset { .. } => None,
            TypeKind::Range { lo: Some(_), hi: Some(_) } => None,
            _ => Some("cannot be in a union"),
        }
    }

    fn bad_union<T>(&mut self, span: Span, id: TypeId, reason: &str) -> Option<T> {
        let subject = if self.is_numeric(id) && reason.ends_with("twice") {
            "a range".to_owned()
        } else {
            self.describe(id)
        };
        let diagnostic = Diagnostic::error(&codes::BAD_UNION, format!("{subject} {reason}"), span);
        let diagnostic = self.with_declaration(diagnostic, id);
        self.report(diagnostic.help("a union joins scalarsets, enumerations and at most one range"));
        None
    }

    fn array(&mut self, index: &TypeExpr, element: &TypeExpr) -> Option<TypeKind> {
        let index = self.simple_type(index, "the index of an array");
        let element = self.type_expr(element, None);
        Some(TypeKind::Array { index: index?, element: element? })
    }

    fn multiset(&mut self, capacity: &ast::Expr, element: &TypeExpr) -> Option<TypeKind> {
        let capacity = self.positive(capacity, "the size of a multiset");
        let element = self.type_expr(element, None);
        Some(TypeKind::Multiset { capacity: capacity?, element: element? })
    }

    fn record(&mut self, written: &[ast::Field]) -> Option<TypeKind> {
        let mut fields = Vec::new();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let mut sound = true;
        for line in written {
            let ty = self.type_expr(&line.definition, None);
            for name in &line.names {
                if let Some(earlier) = seen.insert(&name.name, name.span) {
                    let message = format!("the field `{}` is declared twice", name.name);
                    let diagnostic = Diagnostic::error(&codes::DECLARED_TWICE, message, name.span);
                    self.report(diagnostic.label("declared again").also(earlier, "first declared here"));
                }
                match ty {
                    Some(ty) => fields.push(Field { name: name.name.clone(), ty }),
                    None => sound = false,
                }
            }
        }
        sound.then_some(TypeKind::Record { fields })
    }

    fn new_type(&mut self, name: Option<String>, kind: TypeKind, span: Span) -> TypeId {
        let id = TypeId(self.model.types.len() as u32);
        let shape = self.shape(id, &kind);
        let next = Class(self.classes.len() as u32);
        let class = *self.classes.entry(shape).or_insert(next);
        let facts = self.make_facts(class, &kind);
        self.facts.push(facts);
        self.model.types.push(hir::Type { name, kind, span });
        id
    }

    fn shape(&self, id: TypeId, kind: &TypeKind) -> Shape {
        let class = |id: &TypeId| self.facts(*id).class;
        let value = |bound: &Option<Bound>| bound.as_ref().map(|bound| bound.value);
        match kind {
            TypeKind::Bool | TypeKind::Integer | TypeKind::Enum { .. } | TypeKind::Scalarset { .. } => {
                Shape::Itself(id)
            }
            TypeKind::Range { lo, hi } => Shape::Range(value(lo), value(hi)),
            TypeKind::Union { members } => Shape::Union(members.iter().map(class).collect()),
            TypeKind::Array { index, element } => Shape::Array(class(index), class(element)),
            TypeKind::Multiset { capacity, element } => Shape::Multiset(capacity.value, class(element)),
            TypeKind::Record { fields } => {
                Shape::Record(fields.iter().map(|field| (field.name.clone(), class(&field.ty))).collect())
            }
        }
    }

    fn make_facts(&self, class: Class, kind: &TypeKind) -> Facts {
        let simple = |values| Facts { class, scalars: 1, values, depth: 0, has_multiset: false };
        let count = |value: i64| u64::try_from(value).unwrap_or(0);
        match kind {
            TypeKind::Bool => simple(Some(2)),
            TypeKind::Integer => simple(None),
            // The number of values is not known yet.
            TypeKind::Range { lo, hi }
                if [lo, hi].into_iter().flatten().any(|end| self.is_unknown(&end.expr)) =>
            {
                simple(None)
            }
            TypeKind::Range { lo: Some(lo), hi: Some(hi) } => {
                simple(Some(hi.value.abs_diff(lo.value).saturating_add(1)))
            }
            TypeKind::Range { .. } => simple(None),
            TypeKind::Enum { variants } => simple(Some(variants.len() as u64)),
            TypeKind::Scalarset { size } => {
                let known = size.as_ref().filter(|size| !self.is_unknown(&size.expr));
                simple(known.map(|size| count(size.value)))
            }
            TypeKind::Union { members } => simple(
                members
                    .iter()
                    .try_fold(0_u64, |sum, member| Some(sum.saturating_add(self.facts(*member).values?))),
            ),
            TypeKind::Array { index, element } => {
                self.facts(*element).repeated(class, self.facts(*index).values.unwrap_or(1))
            }
            TypeKind::Multiset { capacity, element } => {
                let facts = self.facts(*element).repeated(class, count(capacity.value));
                Facts { has_multiset: true, ..facts }
            }
            TypeKind::Record { fields } => fields.iter().map(|field| self.facts(field.ty)).fold(
                Facts { class, scalars: 0, values: None, depth: 1, has_multiset: false },
                |sum, field| Facts {
                    scalars: sum.scalars.saturating_add(field.scalars),
                    depth: sum.depth.max(field.depth + 1),
                    has_multiset: sum.has_multiset | field.has_multiset,
                    ..sum
                },
            ),
        }
    }
}

impl Facts {
    fn repeated(self, class: Class, times: u64) -> Facts {
        Facts {
            class,
            scalars: self.scalars.saturating_mul(times),
            values: None,
            depth: self.depth + 1,
            ..self
        }
    }
}

/// A bound from the command line; the source has no expression for it.
fn given_bound(value: i64, span: Span) -> Bound {
    Bound { value, expr: Expr { kind: ExprKind::Int(BigInt::from(value)), ty: INTEGER, span } }
}
