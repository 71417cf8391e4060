//! Smart constructors: they fold, flatten and normalise while they build.
//!
//! The normal form, which every `mk_*` keeps if its operands have it:
//! * literals are folded (a division by a literal zero is left standing);
//! * `&`, `|`, `+` are flattened, sorted by id, without duplicates; units are dropped, complements cancel; sums
//!   collect equal summands into `k * x` with the constant last;
//! * `!` stands only before atoms that have no complement of their own: `!(a < b)` is `b <= a`;
//! * `=` has a literal on the right if there is one, otherwise a side that mentions a bound symbol on the left, otherwise
//!   the smaller id; it is pushed into an `?:` that has a literal branch when the other side is a literal, so that a read after a write of constants becomes a
//!   case split; `x + 1 = 3` is `x = 2`;
//! * `?:` never has a negated or constant condition, nor equal branches; at sort `Bool` no constant branch;
//! * an applied lambda is beta-reduced, an applied `?:` distributes, `lambda u. f[u]` is `f`;
//! * quantifiers bind only what occurs and are merged with a quantifier of the same kind just below.
//!
//! Flattening stops at operands with more than [`FLATTEN_LIMIT`] operands of their own: a conjunction that is built one
//! conjunct at a time would otherwise need quadratic space, since every prefix stays in the store.
//!
//! An ill-sorted call is a bug of the caller and panics; [`TermStore::checked`] is for user input.

mod arithmetic;
mod binder;
mod bitvector;
mod boolean;
mod choice;
mod derived;
mod equality;
mod union;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use smallvec::SmallVec;

use crate::bitvec::BitVec;
use crate::id::{SortId, SymbolId, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::term::{Args, Op};

/// A nested `&`, `|` or `+` with more operands than this is not flattened into its parent.
pub const FLATTEN_LIMIT: usize = 32;

/// Operands while they are being collected.
type Operands = SmallVec<[TermId; 16]>;

impl TermStore {
    /// The operator on the operands, in normal form. Panics if ill-sorted.
    pub fn mk(&mut self, op: Op, args: &[TermId]) -> TermId {
        match op {
            Op::Apply => self.mk_apply(args[0], &args[1..]),
            Op::Not => self.mk_not(args[0]),
            Op::And => self.mk_and(args.iter().copied()),
            Op::Or => self.mk_or(args.iter().copied()),
            Op::Implies => self.mk_implies(args[0], args[1]),
            Op::Iff => self.mk_iff(args[0], args[1]),
            Op::Ite => self.mk_ite(args[0], args[1], args[2]),
            Op::Eq => self.mk_eq(args[0], args[1]),
            Op::Distinct => self.mk_distinct(args),
            Op::Lt => self.mk_lt(args[0], args[1]),
            Op::Le => self.mk_le(args[0], args[1]),
            Op::Add => self.mk_add(args.iter().copied()),
            Op::Neg => self.mk_neg(args[0]),
            Op::Mul => self.mk_mul(args[0], args[1]),
            Op::DivReal | Op::DivEuclid | Op::ModEuclid | Op::DivTrunc | Op::RemTrunc => {
                self.mk_division(op, args[0], args[1])
            }
            Op::ToReal => self.mk_to_real(args[0]),
            Op::ToInt => self.mk_to_int(args[0]),
            Op::Bv(bv) => self.mk_bv(bv, args),
            Op::Forall(bound) => self.mk_forall(&bound, args[0]),
            Op::Exists(bound) => self.mk_exists(&bound, args[0]),
            Op::Lambda(bound) => self.mk_lambda(&bound, args[0]),
            Op::In(union, member) => self.mk_in(union, member, args[0]),
            Op::Is(member) => self.mk_is(member, args[0]),
            Op::Out(member) => self.mk_out(member, args[0]),
            op => self.raw(op, args),
        }
    }

    /// `true` or `false`.
    pub fn mk_bool(&self, value: bool) -> TermId {
        TermId::bool(value)
    }

    pub fn mk_int(&mut self, value: impl Into<BigInt>) -> TermId {
        self.raw_args(Op::Int(value.into()), Args::new())
    }

    /// A literal of sort `Real`.
    pub fn mk_rational(&mut self, value: BigRational) -> TermId {
        self.raw_args(Op::Rational(Box::new(value)), Args::new())
    }

    /// A bit-vector literal: the low `width` bits of `value`.
    pub fn mk_bitvec(&mut self, width: u32, value: impl Into<BigUint>) -> TermId {
        self.mk_bitvec_value(BitVec::new(width, value.into()))
    }

    pub fn mk_bitvec_value(&mut self, value: BitVec) -> TermId {
        self.raw_args(Op::BitVec(value), Args::new())
    }

    /// The value of an enumeration at a position. Panics if there is none.
    pub fn mk_enum(&mut self, sort: SortId, position: u32) -> TermId {
        self.raw_args(Op::Enum(sort, position), Args::new())
    }

    /// The value of an enumeration by name, if it has one of that name.
    pub fn mk_variant(&mut self, sort: SortId, name: &str) -> Option<TermId> {
        let Sort::Enum { variants, .. } = self.sort(sort) else { return None };
        let position = variants.iter().position(|variant| variant == name)?;
        Some(self.mk_enum(sort, position as u32))
    }

    /// Element `position`, counted from zero, of an index sort: for finite instances.
    pub fn mk_index(&mut self, sort: SortId, position: u32) -> TermId {
        self.raw_args(Op::Index(sort, position), Args::new())
    }

    pub fn mk_symbol(&mut self, symbol: SymbolId) -> TermId {
        self.raw_args(Op::Symbol(symbol), Args::new())
    }

    /// Flattens one level and keeps the operands in id order: the common part of the n-ary constructors.
    fn flatten(&self, op: &Op, args: impl IntoIterator<Item = TermId>) -> Operands {
        let mut flat = Operands::new();
        for arg in args {
            let nested = self.args(arg);
            if self.op(arg) == op && nested.len() <= FLATTEN_LIMIT {
                flat.extend_from_slice(nested);
            } else {
                flat.push(arg);
            }
        }
        flat.sort_unstable();
        flat
    }
}
