//! The ranges of bound variables: single values to enumerate, or an arbitrary value of a sort.
//!
//! Where the sort does not determine the values (symbolic ranges, steps) a guard does, and it accompanies the variable
//! everywhere: in quantifiers, in the guards of rules, in lambdas (QI-T5).

use super::values::Scalar;
use super::{Reader, codes};
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Binder, Domain, Expr, TypeId, TypeKind};
use crate::span::Span;
use num_bigint::{BigInt, Sign};
use tenet_system::Bounds;
use tenet_term::{Sort, SortId, Substitution, SymbolId, TermId};

/// A loop with at most this many iterations is unrolled.
const MAX_UNROLLED: u32 = 256;

/// An arbitrary value.
#[derive(Clone, Debug)]
pub(super) struct Any {
    pub(super) sort: SortId,
    /// The union that the value is converted to, for a loop over a union, member by member.
    pub(super) union: Option<SortId>,
    pub(super) bounds: Bounds,
    /// First value and step, if not every number within the bounds is included.
    stride: Option<(TermId, BigInt)>,
    /// Whether a loop runs from the greatest number to the least.
    pub(super) descending: bool,
}

/// A part of a loop's range.
pub(super) enum Part {
    /// These values, in order.
    Each(Vec<Scalar>),
    /// Any value, in no order.
    Any(Any),
}

/// A loop or quantifier being executed for an arbitrary value.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) symbol: SymbolId,
    /// Which values are included, besides those that the sort excludes.
    pub(super) guard: TermId,
    /// Whether there is any value.
    pub(super) inhabited: TermId,
}

impl Any {
    fn of_sort(sort: SortId, bounds: Bounds) -> Any {
        Any { sort, union: None, bounds, stride: None, descending: false }
    }

    /// Whether every value within the bounds is included.
    pub(super) fn is_contiguous(&self) -> bool {
        self.stride.is_none()
    }
}

impl Reader<'_> {
    /// The range of a loop, in order.
    pub(super) fn parts(&mut self, binder: &Binder) -> Vec<Part> {
        match &binder.domain {
            Domain::Type(ty) => self.type_parts(*ty),
            Domain::Steps { from, to, step } => {
                let Some(steps) = self.steps(from, to, step) else { return Vec::new() };
                match self.literal_steps(&steps) {
                    Some(values) => vec![Part::Each(values)],
                    None => self.any_step(steps).map(Part::Any).into_iter().collect(),
                }
            }
        }
    }

    fn type_parts(&mut self, ty: TypeId) -> Vec<Part> {
        let model = self.model;
        let simple = self.simple(ty);
        if let TypeKind::Union { members } = &model.ty(ty).kind {
            let members: Vec<TypeId> = members.clone();
            return members.into_iter().flat_map(|member| self.member_parts(simple.sort, member)).collect();
        }
        match self.values_of(simple.sort) {
            Some(values) => vec![Part::Each(values)],
            None => vec![Part::Any(Any::of_sort(simple.sort, simple.bounds))],
        }
    }

    fn member_parts(&mut self, union: SortId, member: TypeId) -> Vec<Part> {
        let sort = self.sort(member);
        let mut parts = self.type_parts(member);
        if !matches!(self.store.sort(union), Sort::Union { .. }) {
            return Vec::new();
        }
        for part in &mut parts {
            match part {
                Part::Each(values) => values
                    .iter_mut()
                    .for_each(|value| *value = Scalar::plain(self.store.mk_in(union, sort, value.term))),
                Part::Any(any) => any.union = Some(union),
            }
        }
        parts
    }

    /// The values of a small finite sort.
    fn values_of(&mut self, sort: SortId) -> Option<Vec<Scalar>> {
        match self.store.sort(sort).clone() {
            Sort::Bool => Some([TermId::FALSE, TermId::TRUE].map(Scalar::plain).to_vec()),
            Sort::Enum { variants, .. } if variants.len() <= MAX_UNROLLED as usize => {
                let terms = (0..variants.len() as u32).map(|position| self.store.mk_enum(sort, position));
                Some(terms.map(Scalar::plain).collect())
            }
            Sort::Range { lo: Some(lo), hi: Some(hi), .. } => self.progression(&lo, &hi, &BigInt::from(1)),
            _ => None,
        }
    }

    /// `from, from + step, …` up to `to`, unless there are too many.
    fn progression(&mut self, from: &BigInt, to: &BigInt, step: &BigInt) -> Option<Vec<Scalar>> {
        let distance = if step.sign() == Sign::Minus { from - to } else { to - from };
        if distance.sign() == Sign::Minus {
            return Some(Vec::new());
        }
        let size = BigInt::from(step.magnitude().clone());
        let count = u32::try_from(distance / size + 1u32).ok().filter(|&count| count <= MAX_UNROLLED)?;
        let values = (0..count).map(|round| Scalar::exact(self.store.mk_int(from + step * round)));
        Some(values.collect())
    }

    fn steps(&mut self, from: &Expr, to: &Expr, step: &Expr) -> Option<Steps> {
        let (from, to) = (self.number(from), self.number(to));
        let value = self.number(step);
        match self.store.as_int(value.term) {
            Some(value) if value.sign() != Sign::NoSign => Some(Steps { from, to, step: value.clone() }),
            _ => self.refuse_step(step.span),
        }
    }

    fn refuse_step<T>(&mut self, span: Span) -> Option<T> {
        let message = "the step of a loop must be a constant other than zero";
        self.report(Diagnostic::error(&codes::STEP, message, span));
        None
    }

    fn literal_steps(&mut self, steps: &Steps) -> Option<Vec<Scalar>> {
        let from = self.store.as_int(steps.from.term)?.clone();
        let to = self.store.as_int(steps.to.term)?.clone();
        self.progression(&from, &to, &steps.step)
    }

    /// Any of the steps; `None` if there is certainly none.
    fn any_step(&mut self, steps: Steps) -> Option<Any> {
        let (first, last) = match steps.step.sign() {
            Sign::Minus => (steps.to, steps.from),
            _ => (steps.from, steps.to),
        };
        let bounds = Bounds { lo: Some(first.term), hi: Some(last.term) };
        let by_one = *steps.step.magnitude() == 1u32.into();
        let stride = (!by_one).then(|| (steps.from.term, BigInt::from(steps.step.magnitude().clone())));
        let ends = (self.store.as_int(first.term).cloned(), self.store.as_int(last.term).cloned());
        let sort = match ends {
            (Some(lo), Some(hi)) if lo > hi => return None,
            (Some(lo), Some(hi)) => self.store.range_sort(lo, hi),
            _ => SortId::INT,
        };
        let descending = steps.step.sign() == Sign::Minus;
        Some(Any { sort, union: None, bounds, stride, descending })
    }

    /// Any value that a quantified variable or a parameter may have; `None` if there is certainly none.
    pub(super) fn any_of(&mut self, binder: &Binder) -> Option<Any> {
        match &binder.domain {
            Domain::Type(ty) => {
                let simple = self.simple(*ty);
                Some(Any::of_sort(simple.sort, simple.bounds))
            }
            Domain::Steps { from, to, step } => {
                let steps = self.steps(from, to, step)?;
                self.any_step(steps)
            }
        }
    }

    /// Whether a number of another sort is among the values.
    pub(super) fn is_meant(&mut self, any: &Any, term: TermId) -> TermId {
        let stated = self.store.sort_of(term) == any.sort && any.sort != SortId::INT;
        let bounds = if stated { Bounds::default() } else { any.bounds };
        let lo = bounds.lo.map(|lo| self.store.mk_le(lo, term));
        let hi = bounds.hi.map(|hi| self.store.mk_le(term, hi));
        let stride = any.stride.as_ref().map(|(from, step)| {
            let distance = self.store.mk_sub(term, *from);
            let step = self.store.mk_int(step.clone());
            let rest = self.store.mk_rem_trunc(distance, step);
            let zero = self.store.mk_int(0);
            self.store.mk_eq(rest, zero)
        });
        self.store.mk_and([lo, hi, stride].into_iter().flatten())
    }

    /// Opens a bound variable; the caller closes it by popping `open`.
    pub(super) fn open_any(&mut self, any: &Any, name: &str) -> Scalar {
        let avoid: Vec<SymbolId> = self.open.iter().map(|open| open.symbol).collect();
        let symbol = self.store.bound_avoiding(name, any.sort, &avoid);
        let term = self.store.mk_symbol(symbol);
        let guard = self.is_meant(any, term);
        let inhabited = match any.bounds {
            Bounds { lo: Some(lo), hi: Some(hi) } if !self.certainly_le(lo, hi) => self.store.mk_le(lo, hi),
            _ => TermId::TRUE,
        };
        self.open.push(Open { symbol, guard, inhabited });
        match any.union {
            Some(union) => Scalar::plain(self.store.mk_in(union, any.sort, term)),
            None => Scalar { term, known: any.bounds },
        }
    }

    /// `forall`, with the guard of the variable.
    pub(super) fn close_forall(&mut self, open: &Open, body: TermId) -> TermId {
        if !self.store.free_bound(body).contains(&open.symbol) {
            return self.store.mk_implies(open.inhabited, body);
        }
        let guarded = self.store.mk_implies(open.guard, body);
        let (symbol, guarded) = self.without_shadowing(open.symbol, guarded);
        self.store.mk_forall(&[symbol], guarded)
    }

    /// `exists`, with the guard of the variable.
    pub(super) fn close_exists(&mut self, open: &Open, body: TermId) -> TermId {
        if !self.store.free_bound(body).contains(&open.symbol) {
            return self.store.mk_and([open.inhabited, body]);
        }
        let guarded = self.store.mk_and([open.guard, body]);
        let (symbol, guarded) = self.without_shadowing(open.symbol, guarded);
        self.store.mk_exists(&[symbol], guarded)
    }

    /// Renames a variable that is bound again inside: correct either way, but hard to read.
    fn without_shadowing(&mut self, symbol: SymbolId, body: TermId) -> (SymbolId, TermId) {
        let inner: Vec<SymbolId> = self
            .store
            .subterms(body)
            .into_iter()
            .flat_map(|subterm| self.store.op(subterm).bound())
            .copied()
            .collect();
        if !inner.contains(&symbol) {
            return (symbol, body);
        }
        let info = self.store.symbol(symbol).clone();
        let mut avoid = inner;
        avoid.extend(self.open.iter().map(|open| open.symbol));
        avoid.extend_from_slice(self.store.free_bound(body));
        let other = self.store.bound_avoiding(&info.name, info.sort, &avoid);
        let term = self.store.mk_symbol(other);
        let renaming = Substitution::from_pairs(&self.store, [(symbol, term)]);
        (other, self.store.substitute(body, &renaming))
    }
}

struct Steps {
    from: Scalar,
    to: Scalar,
    step: BigInt,
}
