//! Scalars: a term, and known bounds if it is an integer.
//!
//! The bounds come from declarations: a variable of type `1..N` holds a value in `1..N` because every assignment to it
//! has the obligation to keep that. So an obligation is made only where a value *might* leave its bounds, and the first
//! step that breaks a bound is always caught by an obligation. Bounds are terms, since `N` may be symbolic.

use super::Reader;
use num_bigint::Sign;
use tenet_system::Bounds;
use tenet_term::TermId;

#[derive(Clone, Copy, Debug)]
pub(super) struct Scalar {
    pub(super) term: TermId,
    /// For integers: bounds that the value is known to be within.
    pub(super) known: Bounds,
}

impl Scalar {
    /// A value without known bounds, or of another sort than integer.
    pub(super) fn plain(term: TermId) -> Scalar {
        Scalar { term, known: Bounds::default() }
    }

    /// An integer that is its own bound.
    pub(super) fn exact(term: TermId) -> Scalar {
        Scalar { term, known: Bounds { lo: Some(term), hi: Some(term) } }
    }
}

impl Reader<'_> {
    /// Is `a <= b` certain, from the terms alone and from the axioms about the constants?
    pub(super) fn certainly_le(&mut self, a: TermId, b: TermId) -> bool {
        let distance = self.store.mk_sub(b, a);
        if self.is_natural(distance) {
            return true;
        }
        // `b - a` is at least some `hi - lo`, which is nonnegative by an axiom.
        let sizes = self.range_sizes.clone();
        sizes.into_iter().any(|size| {
            let rest = self.store.mk_sub(distance, size);
            self.is_natural(rest)
        })
    }

    fn is_natural(&self, term: TermId) -> bool {
        self.store.as_int(term).is_some_and(|value| value.sign() != Sign::Minus)
    }

    /// `lo <= value & value <= hi`, without the parts that are known already.
    pub(super) fn within(&mut self, value: Scalar, bounds: Bounds) -> TermId {
        let mut conditions = Vec::new();
        if let Some(lo) = bounds.lo
            && !value.known.lo.is_some_and(|known| self.certainly_le(lo, known))
        {
            conditions.push((lo, value.term));
        }
        if let Some(hi) = bounds.hi
            && !value.known.hi.is_some_and(|known| self.certainly_le(known, hi))
        {
            conditions.push((value.term, hi));
        }
        conditions.retain(|&(least, greatest)| !self.certainly_le(least, greatest));
        let conditions: Vec<TermId> =
            conditions.into_iter().map(|(least, greatest)| self.store.mk_le(least, greatest)).collect();
        self.store.mk_and(conditions)
    }

    /// The bounds of a value that is one or the other.
    pub(super) fn join_known(&mut self, a: Bounds, b: Bounds) -> Bounds {
        Bounds {
            lo: self.outermost(a.lo, b.lo, |reader, x, y| reader.certainly_le(x, y)),
            hi: self.outermost(a.hi, b.hi, |reader, x, y| reader.certainly_le(y, x)),
        }
    }

    fn outermost(
        &mut self,
        a: Option<TermId>,
        b: Option<TermId>,
        beyond: impl Fn(&mut Self, TermId, TermId) -> bool,
    ) -> Option<TermId> {
        let (a, b) = (a?, b?);
        if beyond(self, a, b) {
            Some(a)
        } else if beyond(self, b, a) {
            Some(b)
        } else {
            None
        }
    }

    /// The sum, with the sum of the bounds.
    pub(super) fn add(&mut self, a: Scalar, b: Scalar) -> Scalar {
        let term = self.store.mk_add([a.term, b.term]);
        let lo = self.both(a.known.lo, b.known.lo, |reader, x, y| reader.store.mk_add([x, y]));
        let hi = self.both(a.known.hi, b.known.hi, |reader, x, y| reader.store.mk_add([x, y]));
        Scalar { term, known: Bounds { lo, hi } }
    }

    /// The difference, with the bounds crosswise.
    pub(super) fn subtract(&mut self, a: Scalar, b: Scalar) -> Scalar {
        let negated = self.negate(b);
        let sum = self.add(a, negated);
        Scalar { term: self.store.mk_sub(a.term, b.term), known: sum.known }
    }

    /// `-a`, with the bounds swapped.
    pub(super) fn negate(&mut self, a: Scalar) -> Scalar {
        let term = self.store.mk_neg(a.term);
        let lo = a.known.hi.map(|hi| self.store.mk_neg(hi));
        let hi = a.known.lo.map(|lo| self.store.mk_neg(lo));
        Scalar { term, known: Bounds { lo, hi } }
    }

    /// The product; bounds are kept for a factor that is a literal.
    pub(super) fn multiply(&mut self, a: Scalar, b: Scalar) -> Scalar {
        let term = self.store.mk_mul(a.term, b.term);
        let (factor, other) = if self.store.as_int(a.term).is_some() { (a.term, b) } else { (b.term, a) };
        let Some(sign) = self.store.as_int(factor).map(|value| value.sign()) else {
            return Scalar::plain(term);
        };
        let lo = other.known.lo.map(|lo| self.store.mk_mul(factor, lo));
        let hi = other.known.hi.map(|hi| self.store.mk_mul(factor, hi));
        let known = if sign == Sign::Minus { Bounds { lo: hi, hi: lo } } else { Bounds { lo, hi } };
        Scalar { term, known }
    }

    /// The quotient: between zero and the dividend, for a nonnegative dividend and a positive divisor.
    pub(super) fn divide(&mut self, a: Scalar, b: Scalar) -> Scalar {
        let term = self.store.mk_div_trunc(a.term, b.term);
        if self.store.as_int(term).is_some() {
            return Scalar::exact(term);
        }
        let known =
            self.if_natural(a, b, |reader| Bounds { lo: Some(reader.store.mk_int(0)), hi: a.known.hi });
        Scalar { term, known }
    }

    /// The remainder: less than the divisor, for a nonnegative dividend and a positive divisor.
    pub(super) fn remainder(&mut self, a: Scalar, b: Scalar) -> Scalar {
        let term = self.store.mk_rem_trunc(a.term, b.term);
        if self.store.as_int(term).is_some() {
            return Scalar::exact(term);
        }
        let known = self.if_natural(a, b, |reader| {
            let one = reader.store.mk_int(1);
            let hi = b.known.hi.map(|hi| reader.store.mk_sub(hi, one));
            Bounds { lo: Some(reader.store.mk_int(0)), hi }
        });
        Scalar { term, known }
    }

    fn if_natural(&mut self, a: Scalar, b: Scalar, bounds: impl Fn(&mut Self) -> Bounds) -> Bounds {
        let (zero, one) = (self.store.mk_int(0), self.store.mk_int(1));
        let natural = a.known.lo.is_some_and(|lo| self.certainly_le(zero, lo));
        let positive = b.known.lo.is_some_and(|lo| self.certainly_le(one, lo));
        if natural && positive { bounds(self) } else { Bounds::default() }
    }

    fn both(
        &mut self,
        a: Option<TermId>,
        b: Option<TermId>,
        combine: impl Fn(&mut Self, TermId, TermId) -> TermId,
    ) -> Option<TermId> {
        Some(combine(self, a?, b?))
    }
}
