//! Finite programs: what a front end or a transition-system instance is lowered to before it is compiled.
//!
//! A program is imperative, with places and loops, because Murphi is: `while`, multisets and reads of undefined
//! values have a meaning here even where the unbounded reading has none. Everything is an `i64`; the front end has
//! checked types, and what can go wrong at run time is a *fault* with a [`Site`].

use super::layout::{DomainId, Layout};

/// A scalar that is bound once and never changes: parameter, loop variable, `let`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// Target of [`Stmt::Leave`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// Index into [`Program::sites`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// A byte range of the source, for messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    pub start: u32,
    pub end: u32,
}

/// A finite instance, ready to be compiled.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub layout: Layout,
    /// Scratch slots behind the state, for local variables. They start undefined only if the code says so.
    pub scratch: u32,
    /// How many [`VarId`]s there are.
    pub vars: u32,
    /// How many [`LabelId`]s there are.
    pub labels: u32,
    /// Rules in source order.
    pub rules: Vec<Rule>,
    /// Startstates in source order. Their bodies run on a state in which everything is undefined.
    pub starts: Vec<Rule>,
    /// Properties in source order.
    pub properties: Vec<Property>,
    /// What each fault means.
    pub sites: Vec<Site>,
    /// Conditions that should be true in some reachable state, or the model checks less than it seems to.
    pub probes: Vec<Probe>,
    /// Names of `cover` statements, by the number in [`Stmt::Cover`].
    pub cover_statements: Vec<String>,
}

impl Program {
    /// Whether there is a property with this index, and it is to hold in every reachable state.
    pub fn is_invariant(&self, property: usize) -> bool {
        self.properties.get(property).is_some_and(|property| property.kind == PropertyKind::Invariant)
    }
}

/// A rule or startstate.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    pub source: Source,
    pub params: Vec<Param>,
    /// Whether it may be taken; faults in it are errors of the model.
    pub guard: Expr,
    /// What it does. `Stmt::Reject` in it means that the step is not taken.
    pub body: Vec<Stmt>,
}

/// A rule parameter: `lo, lo+step, … <= hi`.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    /// What holds its value.
    pub var: VarId,
    pub domain: DomainId,
    pub lo: i64,
    pub hi: i64,
    /// Positive step.
    pub step: i64,
}

impl Param {
    pub fn count(&self) -> u64 {
        if self.hi < self.lo { 0 } else { (self.hi.abs_diff(self.lo)) / self.step.unsigned_abs().max(1) + 1 }
    }
}

#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub kind: PropertyKind,
    pub source: Source,
    /// The formula; parameters of rulesets around it have become universal quantifiers (existential for `Cover`).
    pub formula: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// Holds in every reachable state.
    Invariant,
    /// States that violate it are dropped.
    Assume,
    /// Holds in some reachable state.
    Cover,
}

/// A condition whose never being true is worth a remark: the antecedent of an implication in a property.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Index into [`Program::properties`].
    pub property: usize,
    /// Where the antecedent stands.
    pub source: Source,
    /// Existentially closed, so it has no free variables.
    pub formula: Expr,
}

/// A place in the source where execution can fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub kind: FaultKind,
    /// More about it: the place's text, the user's message.
    pub detail: String,
    pub source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// `assert` was false.
    Assertion,
    Error,
    /// An undefined value was read.
    Undefined,
    /// A value does not fit where it is stored, passed or converted to.
    Range,
    /// An array index is outside the array.
    Index,
    /// A number left the 64-bit range.
    Overflow,
    DivisionByZero,
    MultisetFull,
    /// A loop or recursion went on for too long.
    Endless,
    /// A function ended without `return`.
    MissingReturn,
}

/// An expression. Evaluation order is left to right; `And`, `Or`, `Ite` and quantifiers evaluate only what they need,
/// except for quantifiers over sets without order (see [`Range::unordered`]).
#[derive(Clone, Debug)]
pub enum Expr {
    Const(i64),
    /// A bound scalar.
    Var(VarId),
    /// The content of a place of one slot; a fault if it is undefined.
    Load(Place, SiteId),
    /// The content of a place that the front end knows to be defined.
    LoadDefined(Place),
    /// 1 if the place of one slot is undefined.
    IsUndefined(Place),
    Not(Box<Expr>),
    /// Both; the right side only if the left is true.
    And(Box<Expr>, Box<Expr>),
    /// Either; the right side only if the left is false.
    Or(Box<Expr>, Box<Expr>),
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Whether two places of `len` slots are equal, slot by slot, undefined being equal to itself.
    SameContent(Place, Place, u32),
    /// Arithmetic; a fault on overflow or division by zero.
    Arith(Arithmetic, Box<Expr>, Box<Expr>, SiteId),
    /// `if c then a else b`
    Ite(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether the body is true for all (or some) values of the variable.
    Quantifier {
        universal: bool,
        var: VarId,
        /// What it runs over.
        range: Box<Range>,
        body: Box<Expr>,
    },
    /// For how many values of the variable the body is true.
    Count {
        var: VarId,
        /// What it runs over.
        range: Box<Range>,
        body: Box<Expr>,
    },
    /// The value if it is in `lo..=hi`, a fault otherwise.
    InRange(Box<Expr>, i64, i64, SiteId),
    /// Runs statements, then evaluates: an inlined function call.
    Block(Vec<Stmt>, Box<Expr>),
}

/// What a loop or quantifier runs over.
#[derive(Clone, Debug)]
pub struct Range {
    pub from: Expr,
    /// Last value, included.
    pub to: Expr,
    /// Step, not zero (a constant in practice; negative counts down).
    pub step: Expr,
    /// The values have no order of their own (elements of a scalarset). A quantifier over them evaluates every
    /// instance, so that whether it fails does not depend on names: states that differ by renaming behave alike.
    pub unordered: bool,
}

impl Range {
    /// `lo..=hi` by one.
    pub fn constant(lo: i64, hi: i64) -> Range {
        Range { from: Expr::Const(lo), to: Expr::Const(hi), step: Expr::Const(1), unordered: false }
    }

    /// The elements `lo..=hi` of a set without order.
    pub fn elements(lo: i64, hi: i64) -> Range {
        Range { unordered: true, ..Range::constant(lo, hi) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Arithmetic. Division rounds toward zero and the remainder has the dividend's sign, as in Murphi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
}

/// One or more slots: a base and an offset per indexed dimension.
#[derive(Clone, Debug)]
pub struct Place {
    /// The first slot if every index is at its lowest. State slots come first, then scratch slots.
    pub base: u32,
    /// The indexed dimensions.
    pub dims: Vec<Dim>,
}

impl Place {
    pub fn slot(base: u32) -> Place {
        Place { base, dims: Vec::new() }
    }
}

/// An indexed dimension of a place.
#[derive(Clone, Debug)]
pub struct Dim {
    pub index: Expr,
    pub lo: i64,
    pub count: u32,
    /// Slots per element.
    pub stride: u32,
    /// Where an index out of bounds is reported.
    pub site: SiteId,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Let(VarId, Expr),
    /// Stores a value; the front end has wrapped it in [`Expr::InRange`] where it might not fit.
    Store(Place, Expr),
    /// Copies `len` slots, undefined ones included.
    Copy {
        from: Place,
        to: Place,
        len: u32,
    },
    /// Makes `len` slots undefined.
    Undefine(Place, u32),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    For(VarId, Range, Vec<Stmt>),
    /// Loop; a fault after too many rounds.
    While(Expr, Vec<Stmt>, SiteId),
    /// A block that [`Stmt::Leave`] can leave.
    Block(LabelId, Vec<Stmt>),
    /// Continues after the block with this label.
    Leave(LabelId),
    /// Evaluates for its side effects.
    Evaluate(Expr),
    Fault(SiteId),
    /// The step is not taken.
    Reject,
    /// Notes that a `cover` statement was true.
    Cover(u32),
}
