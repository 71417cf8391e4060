//! What a back end has to be able to build: the vocabulary of SMT-LIB, nothing specific to our terms.

use num_bigint::BigInt;
use num_rational::BigRational;
use tenet_term::{BitVec, BvOp};

/// An operator of SMT-LIB. Where ours differ (division by zero, rounding toward zero), the encoder says so with these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Prim {
    Not,
    And,
    Or,
    Implies,
    Eq,
    Distinct,
    Ite,
    Lt,
    Le,
    Add,
    Neg,
    Mul,
    /// Division of reals, only used for divisors that are not zero.
    RealDiv,
    /// Euclidean division, only used for divisors that are not zero.
    IntDiv,
    /// Its remainder.
    IntMod,
    ToReal,
    ToInt,
    Bv(BvOp),
}

/// A constructor to be declared: its name and the name and sort of its field, if it has one.
pub(crate) struct ConstructorSpec<S> {
    pub(crate) name: String,
    pub(crate) field: Option<(String, S)>,
}

pub(crate) struct Constructor<F> {
    pub(crate) name: String,
    pub(crate) construct: F,
    pub(crate) test: F,
    pub(crate) select: Option<F>,
}

/// Builds sorts, declarations and expressions of one solver. Names that are passed in are unique.
pub(crate) trait Builder {
    type Ast: Clone;
    type Sort: Clone;
    type Function;

    fn bool_sort(&mut self) -> Self::Sort;
    fn int_sort(&mut self) -> Self::Sort;
    fn real_sort(&mut self) -> Self::Sort;
    fn bitvec_sort(&mut self, width: u32) -> Self::Sort;
    fn uninterpreted_sort(&mut self, name: &str) -> Self::Sort;
    fn datatype(
        &mut self,
        name: &str,
        constructors: Vec<ConstructorSpec<Self::Sort>>,
    ) -> (Self::Sort, Vec<Constructor<Self::Function>>);

    fn function(&mut self, name: &str, args: &[Self::Sort], result: &Self::Sort) -> Self::Function;
    fn call(&mut self, function: &Self::Function, args: &[Self::Ast]) -> Self::Ast;

    fn bool(&mut self, value: bool) -> Self::Ast;
    fn int(&mut self, value: &BigInt) -> Self::Ast;
    fn rational(&mut self, value: &BigRational) -> Self::Ast;
    fn bitvec(&mut self, value: &BitVec) -> Self::Ast;
    fn apply(&mut self, prim: Prim, args: &[Self::Ast]) -> Self::Ast;

    /// Quantifies constants, of which there is at least one.
    fn quantify(&mut self, universal: bool, bound: &[Self::Ast], body: &Self::Ast) -> Self::Ast;

    /// Replaces constants, all at once. Quantified ones are not touched, and replacements are not captured.
    fn replace(&mut self, ast: &Self::Ast, pairs: &[(Self::Ast, Self::Ast)]) -> Self::Ast;
}
