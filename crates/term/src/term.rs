//! The shape of a term: an operator and its operands.
//!
//! One uniform shape, instead of one variant with named fields per operator, so that every traversal is "visit the
//! operands, then rebuild with the same operator". What an operator needs besides operands (a numeral, a symbol, the
//! bound symbols) sits in the [`Op`]. Records and arrays need no operators of their own: an array is a function, a
//! write is a lambda.

use num_bigint::BigInt;
use num_rational::BigRational;
use smallvec::SmallVec;

use crate::bitvec::BitVec;
use crate::id::{SortId, SymbolId, TermId};

/// The operands of a term; up to four are stored in place.
pub type Args = SmallVec<[TermId; 4]>;

/// An operator. Operands are integers wherever `Int` is said below also when their sort is a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Bool(bool),
    /// An integer of any size.
    Int(BigInt),
    /// A rational number, of sort `Real`.
    Rational(Box<BigRational>),
    BitVec(BitVec),
    /// The value of an enumeration at a position.
    Enum(SortId, u32),
    /// Element `k` of an index sort, counted from zero; meaningful in finite instances.
    Index(SortId, u32),
    Symbol(SymbolId),
    /// The first operand, a function, applied to the others. At an argument outside a range sort the value is
    /// that of the total function, about which nothing else is said.
    Apply,
    Not,
    /// Conjunction of any number of operands.
    And,
    /// Disjunction of any number of operands.
    Or,
    Implies,
    /// Equivalence of two truth values (equality on `Bool`).
    Iff,
    /// If the first operand then the second else the third, at any sort.
    Ite,
    /// Equality at any sort but `Bool`; on functions it is extensional.
    Eq,
    /// Pairwise disequality of two or more operands.
    Distinct,
    /// Strictly less, on `Int` or `Real`.
    Lt,
    /// Less or equal, on `Int` or `Real`.
    Le,
    /// Sum of one or more numbers.
    Add,
    Neg,
    /// Product of two numbers.
    Mul,
    /// Division of reals; a division by zero gives zero.
    DivReal,
    /// Integer quotient as SMT-LIB has it: the remainder is never negative. A division by zero gives zero.
    DivEuclid,
    /// Integer remainder as SMT-LIB has it: `0 <= r < |divisor|`. Modulo zero gives the dividend.
    ModEuclid,
    /// Integer quotient as Murphi has it: rounded toward zero. A division by zero gives zero.
    DivTrunc,
    /// Integer remainder as Murphi has it: the sign of the dividend. Modulo zero gives the dividend.
    RemTrunc,
    ToReal,
    /// The greatest integer that is at most the real.
    ToInt,
    /// A bit-vector operator.
    Bv(BvOp),
    /// Universal quantification of the operand over the bound symbols.
    Forall(Box<[SymbolId]>),
    /// Existential quantification of the operand over the bound symbols.
    Exists(Box<[SymbolId]>),
    /// The function that maps the bound symbols to the operand.
    Lambda(Box<[SymbolId]>),
    /// The operand, of the member sort (second), as a value of the union (first).
    In(SortId, SortId),
    /// Is the operand, a union, a value of this member?
    Is(SortId),
    /// The operand, a union, as a value of this member; the member's first value if it is of another one.
    Out(SortId),
}

/// A bit-vector operator, named and defined as in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BvOp {
    Not,
    /// Two's complement negation.
    Neg,
    And,
    Or,
    Xor,
    /// Sum modulo `2^width`.
    Add,
    /// Difference modulo `2^width`.
    Sub,
    /// Product modulo `2^width`.
    Mul,
    /// Unsigned quotient; all ones for divisor zero.
    Udiv,
    /// Unsigned remainder; the dividend for divisor zero.
    Urem,
    /// Signed quotient, rounded toward zero.
    Sdiv,
    /// Signed remainder with the sign of the dividend.
    Srem,
    /// Signed remainder with the sign of the divisor.
    Smod,
    Shl,
    /// Shift right, filling with zeros.
    Lshr,
    /// Shift right, filling with the sign.
    Ashr,
    Ult,
    Ule,
    Slt,
    Sle,
    /// The bits of the first operand above those of the second.
    Concat,
    /// The bits `hi` down to `lo`.
    Extract {
        hi: u32,
        lo: u32,
    },
    /// This many zero bits on top.
    ZeroExtend(u32),
    /// This many copies of the sign bit on top.
    SignExtend(u32),
    /// The unsigned value as an integer.
    ToInt,
    /// The integer modulo `2^width`, as a vector of this width.
    FromInt(u32),
}

impl Op {
    /// The symbols that this operator binds in its operand; empty unless it is a quantifier or a lambda.
    pub fn bound(&self) -> &[SymbolId] {
        match self {
            Op::Forall(bound) | Op::Exists(bound) | Op::Lambda(bound) => bound,
            _ => &[],
        }
    }

    pub fn is_binder(&self) -> bool {
        matches!(self, Op::Forall(_) | Op::Exists(_) | Op::Lambda(_))
    }

    /// Is it a propositional connective, whose operands are all truth values? (`Ite` is one only at sort `Bool`.)
    pub fn is_connective(&self) -> bool {
        matches!(self, Op::Not | Op::And | Op::Or | Op::Implies | Op::Iff)
    }

    /// Is it a literal without operands?
    pub fn is_literal(&self) -> bool {
        matches!(
            self,
            Op::Bool(_) | Op::Int(_) | Op::Rational(_) | Op::BitVec(_) | Op::Enum(..) | Op::Index(..)
        )
    }
}

/// An operator with its operands, as stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Term {
    pub(crate) op: Op,
    pub(crate) args: Args,
}

impl BvOp {
    /// Does it take one operand (the others take two)?
    pub fn is_unary(self) -> bool {
        matches!(
            self,
            BvOp::Not
                | BvOp::Neg
                | BvOp::Extract { .. }
                | BvOp::ZeroExtend(_)
                | BvOp::SignExtend(_)
                | BvOp::ToInt
                | BvOp::FromInt(_)
        )
    }

    /// May the operands be swapped?
    pub fn is_commutative(self) -> bool {
        matches!(self, BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Add | BvOp::Mul)
    }

    /// The operator's name, as printed.
    pub fn name(self) -> &'static str {
        match self {
            BvOp::Not => "bvnot",
            BvOp::Neg => "bvneg",
            BvOp::And => "bvand",
            BvOp::Or => "bvor",
            BvOp::Xor => "bvxor",
            BvOp::Add => "bvadd",
            BvOp::Sub => "bvsub",
            BvOp::Mul => "bvmul",
            BvOp::Udiv => "bvudiv",
            BvOp::Urem => "bvurem",
            BvOp::Sdiv => "bvsdiv",
            BvOp::Srem => "bvsrem",
            BvOp::Smod => "bvsmod",
            BvOp::Shl => "bvshl",
            BvOp::Lshr => "bvlshr",
            BvOp::Ashr => "bvashr",
            BvOp::Ult => "bvult",
            BvOp::Ule => "bvule",
            BvOp::Slt => "bvslt",
            BvOp::Sle => "bvsle",
            BvOp::Concat => "concat",
            BvOp::Extract { .. } => "extract",
            BvOp::ZeroExtend(_) => "zero_extend",
            BvOp::SignExtend(_) => "sign_extend",
            BvOp::ToInt => "bv_to_int",
            BvOp::FromInt(_) => "int_to_bv",
        }
    }
}

impl Op {
    /// The operator's name, as printed in diagnostics; literals and symbols say only what kind they are.
    pub fn name(&self) -> &'static str {
        match self {
            Op::Bool(_) => "boolean literal",
            Op::Int(_) => "integer literal",
            Op::Rational(_) => "real literal",
            Op::BitVec(_) => "bit-vector literal",
            Op::Enum(..) => "enumeration literal",
            Op::Index(..) => "index literal",
            Op::Symbol(_) => "symbol",
            Op::Apply => "[]",
            Op::Not => "!",
            Op::And => "&",
            Op::Or => "|",
            Op::Implies => "->",
            Op::Iff => "<->",
            Op::Ite => "?:",
            Op::Eq => "=",
            Op::Distinct => "distinct",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Add => "+",
            Op::Neg => "-",
            Op::Mul => "*",
            Op::DivReal | Op::DivTrunc => "/",
            Op::RemTrunc => "%",
            Op::DivEuclid => "div",
            Op::ModEuclid => "mod",
            Op::ToReal => "to_real",
            Op::ToInt => "to_int",
            Op::Bv(op) => op.name(),
            Op::Forall(_) => "forall",
            Op::Exists(_) => "exists",
            Op::Lambda(_) => "lambda",
            Op::In(..) => "in",
            Op::Is(_) => "ismember",
            Op::Out(_) => "as",
        }
    }
}
