//! Operators: most are those of SMT-LIB; divisions are total here and are spelt out.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use tenet_term::{BvOp, Op, TermId, TermStore};

use super::{Builder, Encoder, Prim};

impl<B: Builder> Encoder<B> {
    /// Encodes a term whose operator neither binds nor applies.
    pub(super) fn operator(&mut self, store: &TermStore, term: TermId) -> B::Ast {
        let args = self.operands(store, term);
        let prim = match store.op(term) {
            Op::Bool(value) => return self.builder.bool(*value),
            Op::Int(value) => return self.builder.int(value),
            Op::Rational(value) => return self.builder.rational(value),
            Op::BitVec(value) => return self.builder.bitvec(value),
            Op::Enum(sort, position) => return self.enum_value(store, *sort, *position),
            Op::Index(sort, position) => return self.index_value(store, *sort, *position),
            Op::In(union, member) => return self.union_value(store, *union, *member, args[0].clone()),
            Op::Is(member) => {
                let union = store.sort_of(store.args(term)[0]);
                return self.is_member(store, union, *member, args[0].clone());
            }
            Op::Out(member) => {
                let union = store.sort_of(store.args(term)[0]);
                return self.out_of_union(store, union, *member, args[0].clone());
            }
            Op::And | Op::Or if args.len() < 2 => return self.short_connective(store.op(term), args),
            Op::Add if args.len() == 1 => return args[0].clone(),
            op @ (Op::DivReal | Op::DivEuclid | Op::ModEuclid | Op::DivTrunc | Op::RemTrunc) => {
                return self.division(store, op, &args, store.args(term)[1]);
            }
            Op::Not => Prim::Not,
            Op::And => Prim::And,
            Op::Or => Prim::Or,
            Op::Implies => Prim::Implies,
            Op::Iff | Op::Eq => Prim::Eq,
            Op::Ite => Prim::Ite,
            Op::Distinct => Prim::Distinct,
            Op::Lt => Prim::Lt,
            Op::Le => Prim::Le,
            Op::Add => Prim::Add,
            Op::Neg => Prim::Neg,
            Op::Mul => Prim::Mul,
            Op::ToReal => Prim::ToReal,
            Op::ToInt => Prim::ToInt,
            Op::Bv(op) => return self.bitvec(*op, &args),
            Op::Symbol(_) | Op::Apply | Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) => {
                unreachable!("binders and applications are encoded by the caller")
            }
        };
        self.builder.apply(prim, &args)
    }

    fn short_connective(&mut self, op: &Op, args: Vec<B::Ast>) -> B::Ast {
        args.into_iter().next().unwrap_or_else(|| self.builder.bool(*op == Op::And))
    }

    fn bitvec(&mut self, op: BvOp, args: &[B::Ast]) -> B::Ast {
        match op {
            // SMT-LIB has no operators that extend by nothing in every solver.
            BvOp::ZeroExtend(0) | BvOp::SignExtend(0) => args[0].clone(),
            _ => self.builder.apply(Prim::Bv(op), args),
        }
    }

    /// A quotient by zero is zero, a remainder by zero the dividend; solvers leave both open.
    fn division(&mut self, store: &TermStore, op: &Op, args: &[B::Ast], divisor: TermId) -> B::Ast {
        let zero = match op {
            Op::DivReal => self.builder.rational(&BigRational::zero()),
            _ => self.builder.int(&BigInt::zero()),
        };
        let by_zero = match op {
            Op::ModEuclid | Op::RemTrunc => args[0].clone(),
            _ => zero.clone(),
        };
        match store.op(divisor) {
            Op::Int(value) if value.is_zero() => return by_zero,
            Op::Rational(value) if value.is_zero() => return by_zero,
            Op::Int(_) | Op::Rational(_) => return self.proper_division(op, &args[0], &args[1], &zero),
            _ => {}
        }
        let is_zero = self.builder.apply(Prim::Eq, &[args[1].clone(), zero.clone()]);
        let proper = self.proper_division(op, &args[0], &args[1], &zero);
        self.builder.apply(Prim::Ite, &[is_zero, by_zero, proper])
    }

    /// The divisor is not zero.
    fn proper_division(&mut self, op: &Op, a: &B::Ast, b: &B::Ast, zero: &B::Ast) -> B::Ast {
        let (prim, truncating) = match op {
            Op::DivReal => (Prim::RealDiv, false),
            Op::DivEuclid => (Prim::IntDiv, false),
            Op::ModEuclid => (Prim::IntMod, false),
            Op::DivTrunc => (Prim::IntDiv, true),
            _ => (Prim::IntMod, true),
        };
        let quotient = self.builder.apply(prim, &[a.clone(), b.clone()]);
        if !truncating {
            return quotient;
        }
        // Euclidean division rounds toward zero for a dividend that is not negative, whatever the divisor's sign;
        // rounding toward zero commutes with negating the dividend.
        let minus_a = self.builder.apply(Prim::Neg, std::slice::from_ref(a));
        let mirrored = self.builder.apply(prim, &[minus_a, b.clone()]);
        let mirrored = self.builder.apply(Prim::Neg, &[mirrored]);
        let negative = self.builder.apply(Prim::Lt, &[a.clone(), zero.clone()]);
        self.builder.apply(Prim::Ite, &[negative, mirrored, quotient])
    }
}
