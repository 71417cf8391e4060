//! Expressions.
//!
//! The right side of `&`, `|`, `->` and the branches of `?:` are evaluated under the condition that they are needed, so
//! that obligations for their indices arise only then.

use super::Reader;
use super::calls::Binding;
use super::sorts::{is_numeric, type_name};
use super::values::Scalar;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Expr, ExprKind, Place, TypeId, UnaryOp};
use crate::span::Span;
use tenet_term::{SortId, TermId};

impl<'m> Reader<'m> {
    /// The value of an expression of simple type.
    pub(super) fn scalar(&mut self, expr: &Expr) -> Scalar {
        if let Some(value) = self.deeper(expr.span, |reader| reader.evaluate(expr)) {
            return value;
        }
        let sort = self.sort(expr.ty);
        Scalar::plain(self.dummy(sort))
    }

    fn evaluate(&mut self, expr: &Expr) -> Scalar {
        match &expr.kind {
            ExprKind::Int(value) => Scalar::exact(self.store.mk_int(value.clone())),
            ExprKind::Bool(value) => Scalar::plain(TermId::bool(*value)),
            ExprKind::Enum(position) => {
                let sort = self.sort(expr.ty);
                Scalar::plain(self.store.mk_enum(sort, *position))
            }
            ExprKind::ConstRef(id) => {
                self.note_constant(*id, expr.span);
                let term = self.constant(*id);
                let constant = &self.model.consts[id.0 as usize];
                match constant.ty.filter(|_| constant.unknown) {
                    // An axiom says that it is within the bounds of its type.
                    Some(ty) => Scalar { term, known: self.bounds(ty) },
                    None => Scalar::exact(term),
                }
            }
            ExprKind::Index(id) => self.index_variable(*id),
            ExprKind::Local(local) => match self.binding(*local) {
                Binding::Scalar(value) => value,
                _ => {
                    let spot = self.local_spot(*local);
                    self.demand_defined(&spot);
                    Scalar { term: self.read_leaves(&spot)[0], known: self.bounds(expr.ty) }
                }
            },
            ExprKind::Read(place) => self.read_scalar(place),
            ExprKind::Unary(UnaryOp::Not, operand) => {
                let operand = self.scalar(operand).term;
                Scalar::plain(self.store.mk_not(operand))
            }
            ExprKind::Unary(UnaryOp::Neg, operand) => {
                let operand = self.number(operand);
                self.negate(operand)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Ite(condition, yes, no) => self.choice_between(condition, yes, no, expr.ty),
            ExprKind::Quantifier { universal, binder, body } => self.quantifier(*universal, binder, body),
            ExprKind::Call { function, arguments } => {
                let value = self.call(*function, arguments, expr.span);
                value.expect("invariant: only functions are called in expressions")
            }
            ExprKind::Apply { definition, arguments } => self.apply(*definition, arguments, expr.span),
            ExprKind::Update { .. } => unreachable!("arrays are no scalars"),
            ExprKind::Undefined => unreachable!("it is only an argument"),
            ExprKind::IsMember(value, member) => self.is_member(value, *member),
            ExprKind::Convert(value) => self.convert(value, expr.ty, expr.span),
            ExprKind::IsUndefined(place) => self.is_undefined(place),
            ExprKind::MultisetCount { local, multiset, predicate } => {
                self.count(*local, multiset, predicate, expr.span)
            }
        }
    }

    fn read_scalar(&mut self, place: &Place) -> Scalar {
        let spot = self.spot(place);
        self.demand_defined(&spot);
        let known = self.bounds(place.ty);
        let term = self.read_leaves(&spot)[0];
        Scalar { term, known }
    }

    /// Whether a variable is undefined: what is known of it is a part of the model's own system then.
    fn is_undefined(&mut self, place: &Place) -> Scalar {
        let spot = self.spot(place);
        let defined = self.read_companions(&spot).first().copied().unwrap_or(TermId::TRUE);
        self.note_comparison(defined);
        Scalar::plain(self.store.mk_not(defined))
    }

    /// Evaluates something under a further condition; its side effects happen only then.
    pub(super) fn under<T>(&mut self, condition: TermId, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.memory.env.clone();
        self.memory.env.live = self.store.mk_and([before.live, condition]);
        let value = evaluate(self);
        let after = std::mem::replace(&mut self.memory.env, before);
        let env = &self.memory.env;
        if after.values != env.values || after.leftover != env.leftover {
            let before = std::mem::take(&mut self.memory.env);
            let live = before.live;
            self.memory.env = self.blend(condition, after, before, live);
        }
        value
    }

    fn choice_between(&mut self, condition: &Expr, yes: &Expr, no: &Expr, ty: TypeId) -> Scalar {
        let condition = self.scalar(condition).term;
        let otherwise = self.store.mk_not(condition);
        match condition {
            TermId::TRUE => return self.scalar_as(yes, ty),
            TermId::FALSE => return self.scalar_as(no, ty),
            _ => {}
        }
        let yes = self.under(condition, |reader| reader.scalar_as(yes, ty));
        let no = self.under(otherwise, |reader| reader.scalar_as(no, ty));
        let known = self.join_known(yes.known, no.known);
        Scalar { term: self.store.mk_ite(condition, yes.term, no.term), known }
    }

    /// The value of an expression where a value of this type is expected.
    pub(super) fn scalar_as(&mut self, expr: &Expr, ty: TypeId) -> Scalar {
        if self.choice.indices.contains(&ty) {
            return self.element(expr, ty);
        }
        if is_numeric(self.model, ty) { self.number(expr) } else { self.scalar(expr) }
    }

    /// A number; a value of a range that is read as an index sort is refused.
    pub(super) fn number(&mut self, expr: &Expr) -> Scalar {
        self.number_for(expr, "a value of it is used as a number here")
    }

    /// A number; `use_of_index` is the message if it is a value of a range that is read as an index sort.
    pub(super) fn number_for(&mut self, expr: &Expr, use_of_index: &str) -> Scalar {
        if let Some(ty) = self.index_type(expr) {
            let name = type_name(self.model, ty);
            let message = format!("`{name}` is read as a set of indices, but {use_of_index}");
            return self.refuse_index(ty, message, expr.span, SortId::INT);
        }
        self.scalar(expr)
    }

    /// A value of a range that is read as an index sort. Number literals are distinguished elements of it.
    fn element(&mut self, expr: &Expr, ty: TypeId) -> Scalar {
        if expr.ty == ty {
            return self.scalar(expr);
        }
        if let ExprKind::Ite(condition, yes, no) = &expr.kind {
            return self.choice_between(condition, yes, no, ty);
        }
        let sort = self.sort(ty);
        let name = type_name(self.model, ty);
        if let Some(other) = self.index_type(expr) {
            let other_name = type_name(self.model, other);
            let message =
                format!("`{name}` and `{other_name}` are read as sets of indices, but are mixed here");
            return self.refuse_index(ty, message, expr.span, sort);
        }
        let Some(value) = self.linear(expr) else {
            let message = format!("`{name}` is read as a set of indices, but a number is used as one here");
            return self.refuse_index(ty, message, expr.span, sort);
        };
        match self.note_element(ty, &value) {
            Ok(()) => Scalar::plain(self.distinguished(ty, &value)),
            Err(message) => self.refuse_index(ty, message, expr.span, sort),
        }
    }

    pub(super) fn refuse_index(&mut self, ty: TypeId, message: String, span: Span, sort: SortId) -> Scalar {
        let declared = self.model.ty(ty).span;
        let name = type_name(self.model, ty);
        let diagnostic = Diagnostic::error(&codes::NOT_AN_INDEX, message, span)
            .label("this use forbids it")
            .also(declared, format!("`{name}` is declared here"));
        let help = self.constant_instead(ty);
        self.report(match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        });
        Scalar::plain(self.dummy(sort))
    }
}
