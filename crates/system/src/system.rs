//! Transition systems over terms: what every front end produces and every prover reads.
//!
//! A rule is deterministic once its parameters are chosen, and all right-hand sides read the old state, so a pre-image
//! is one simultaneous substitution. Whatever a step may choose freely (a ruleset parameter, a havoc, the new value of
//! an undefined variable) is a parameter. Records are flattened into one symbol per leaf; an array is a
//! function-valued symbol and an update of it a lambda, which may change unboundedly many places at once.

use crate::finite::program::Source;
use num_bigint::BigInt;
use tenet_term::{Role, SortId, SymbolId, TermId, TermStore};

/// A transition system. Its terms live in its own store. The default has no state and can do nothing.
#[derive(Clone, Debug, Default)]
pub struct System {
    pub store: TermStore,
    /// Symbols that never change (role `Const`): symbolic sizes, distinguished elements.
    pub consts: Vec<SymbolId>,
    pub state: Vec<StateVar>,
    pub starts: Vec<Start>,
    pub rules: Vec<Rule>,
    /// Assumed of every state and of the constants (QI-T4); listed with every verdict that rests on them.
    pub axioms: Vec<Axiom>,
    pub properties: Vec<Property>,
    /// Least recursive definitions.
    pub definitions: Vec<Definition>,
    /// The variables that predicates may leave free (role `Index`).
    pub indices: Vec<IndexVar>,
    /// What an abstraction may observe.
    pub predicates: Vec<Predicate>,
    /// Which terms quantifiers are, or are not, to be instantiated with.
    pub hints: Vec<Hint>,
    /// The index sorts whose elements are in a total order.
    pub orders: Vec<Order>,
    /// The constants of the model that stand for all their values, from a least one on.
    pub parameters: Vec<Parameter>,
    /// The constants that bound a type of finite size, as `N = 3 as written`: nothing is said of other values. Conditions as well.
    pub written: Vec<String>,
    /// The conditions on which the author branches, over state and inputs: candidates for predicates (Clarke et al., section
    /// 4.1). The name tells the place in the source.
    pub branches: Vec<Predicate>,
    /// Candidate invariants from the author (closed formulas): worth trying as lemmas, never assumed.
    pub candidates: Vec<TermId>,
    /// Decisions of the front end that are no axioms, such as which reset is applied: in words, and listed with every
    /// verdict like the axioms.
    pub conditions: Vec<String>,
    /// Whether it has runs that the model has not, besides those in which a constant is not the size of its type: a proof holds, but a
    /// run has to be found in an instance.
    pub is_loose: bool,
    /// Conditions under which properties are not vacuous, where their formulas do not tell: an assertion in a branch
    /// of a circuit. Derived ones (the left sides of implications) are not listed.
    pub activations: Vec<Activation>,
    /// State variables that the model does not have: the front end needs them. Runs do not show them.
    pub auxiliary: Vec<SymbolId>,
}

/// A condition under which a property is not vacuous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    pub property: usize,
    /// Over constants, state and the parameters of the only rule.
    pub formula: TermId,
}

impl System {
    /// Notes that an undefined value may be read, which has any value here and is a fault in the model.
    pub fn suppose_defined_reads(&mut self) {
        self.conditions.push(READS_ARE_DEFINED.to_owned());
    }

    /// Whether it is only supposed that no undefined value is read.
    pub fn may_read_undefined(&self) -> bool {
        self.conditions.iter().any(|condition| condition == READS_ARE_DEFINED)
    }

    /// Everything that is assumed of it, in words: its axioms by their names, and what was decided when it was read.
    pub fn assumptions(&self) -> Vec<String> {
        self.axioms.iter().map(|axiom| axiom.name.clone()).chain(self.conditions.iter().cloned()).collect()
    }

    /// Every term that the system is made of.
    pub fn terms(&self) -> impl Iterator<Item = TermId> {
        let starts =
            self.starts.iter().flat_map(|start| start.values.iter().copied().chain([start.constraint]));
        let rules = self
            .rules
            .iter()
            .flat_map(|rule| rule.updates.iter().map(|&(_, value)| value).chain([rule.guard]));
        let axioms = self.axioms.iter().map(|axiom| axiom.formula);
        let definitions = self.definitions.iter().map(|definition| definition.body);
        let predicates = self.predicates.iter().map(|predicate| predicate.formula);
        let properties = self.properties.iter().map(|property| property.formula);
        let candidates = self.candidates.iter().copied();
        let branches = self.branches.iter().map(|branch| branch.formula);
        let activations = self.activations.iter().map(|activation| activation.formula);
        starts
            .chain(rules)
            .chain(axioms)
            .chain(definitions)
            .chain(predicates)
            .chain(properties)
            .chain(candidates)
            .chain(branches)
            .chain(activations)
    }
}

/// The assumption of a proof in which undefined values have any value.
pub const READS_ARE_DEFINED: &str = "no undefined value is read";

/// A constant of the model that stands for all its values, because it determines the size of something that has any size.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    /// The least value that is meant, if there is one.
    pub least: Option<BigInt>,
    /// Whether that leaves out values for which all types have elements, because some number is used as an element.
    pub is_restricted: bool,
    /// Whether the system mentions it as a number.
    pub is_number: bool,
    /// The types whose sizes it determines.
    pub sizes: Vec<String>,
}

impl Parameter {
    /// `N >= 2`
    pub fn condition(&self) -> String {
        match &self.least {
            Some(least) => format!("{} >= {least}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A part of the state: a scalar, or a function for an array.
#[derive(Clone, Debug)]
pub struct StateVar {
    pub symbol: SymbolId,
    /// The bounds of each argument, for arrays. Outside them the function means nothing.
    pub args: Vec<Bounds>,
    /// The bounds of its value within those of its arguments. Kept by every step as an obligation, not assumed.
    pub value: Bounds,
}

/// Bounds of an integer, as terms over constants; `None` for an open end, and both `None` for every other sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    pub lo: Option<TermId>,
    pub hi: Option<TermId>,
}

/// The order of an index sort: `x < y` is `rank(x) < rank(y)`. That the rank is injective is an axiom of the system; a
/// finite instance ranks elements by their number.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    pub sort: SortId,
    /// A function from the sort to the integers (role `Const`), also among the constants of the system.
    pub rank: SymbolId,
}

impl Order {
    /// That different elements have different ranks: all that is known of the order.
    pub fn axiom(&self, store: &mut TermStore) -> TermId {
        let symbols = ["x", "y"].map(|name| store.declare(name, self.sort, Role::Bound));
        let [x, y] = symbols.map(|symbol| store.mk_symbol(symbol));
        let rank = store.mk_symbol(self.rank);
        let [rank_x, rank_y] = [x, y].map(|element| store.mk_apply(rank, &[element]));
        let (same_rank, same) = (store.mk_eq(rank_x, rank_y), store.mk_eq(x, y));
        let injective = store.mk_implies(same_rank, same);
        store.mk_forall(&symbols, injective)
    }
}

/// A startstate: an arbitrary choice of its parameters that satisfies the constraint, then these values.
#[derive(Clone, Debug)]
pub struct Start {
    pub name: String,
    pub source: Source,
    /// What is arbitrary (role `Initial`): ruleset parameters, and what the startstate leaves undefined.
    pub params: Vec<SymbolId>,
    /// Over constants and parameters.
    pub constraint: TermId,
    /// A value for each state symbol, in the order of [`System::state`], over constants and parameters.
    pub values: Vec<TermId>,
}

/// A guarded simultaneous update.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    pub source: Source,
    /// What is chosen when it is taken (role `Input`): ruleset parameters first, then havocs.
    pub params: Vec<SymbolId>,
    /// How many of the parameters are ruleset parameters, shown to people.
    pub shown_params: usize,
    /// Over constants, state and parameters.
    pub guard: TermId,
    /// New values of the state symbols that change; every right-hand side reads the old state.
    pub updates: Vec<(SymbolId, TermId)>,
}

#[derive(Clone, Debug)]
pub struct Axiom {
    pub name: String,
    pub source: Source,
    /// Closed, over constants and state.
    pub formula: TermId,
}

#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub source: Source,
    pub kind: PropertyKind,
    /// Closed, over constants and state: it must hold in every reachable state.
    pub formula: TermId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// The user's invariant.
    Invariant,
    /// An `assert` or `error` in this rule: if the rule is taken, the assertion holds.
    Assertion { rule: usize },
    /// The language demands it of this rule: an index is in bounds, a value fits, a divisor is not zero.
    Implicit { rule: usize },
    /// An assertion or demand about a startstate; its formula speaks of constants and parameters only.
    Start { start: usize },
}

/// The least function that satisfies `symbol(params) = body`. Parameters of function sort are arrays that the
/// definition speaks of: `acc(left, right, n)` is one set of nodes for each pair of arrays. A solver sees the
/// definition as an uninterpreted function with the equation as an axiom, which does not say "least" (EX-T5).
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub source: Source,
    /// The function (role `Const`), with a Boolean result.
    pub symbol: SymbolId,
    /// Its parameters (role `Bound`).
    pub params: Vec<SymbolId>,
    /// Over the parameters and constants, with `symbol` applied in positive positions only.
    pub body: TermId,
}

/// A variable that predicates leave free and the invariant quantifies universally (the set X of Lahiri and Bryant).
#[derive(Clone, Copy, Debug)]
pub struct IndexVar {
    /// The symbol (role `Index`). If its sort is a range, only values of that range are meant.
    pub symbol: SymbolId,
    /// Symbolic bounds, if it has some; they guard every instance (QI-T5).
    pub bounds: Bounds,
}

/// What an abstraction may observe: a formula over constants, state and index variables, perhaps with quantifiers.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// As it is written, or the name it was given.
    pub name: String,
    pub source: Source,
    pub formula: TermId,
}

/// Forces or forbids terms for instantiation.
#[derive(Clone, Debug)]
pub struct Hint {
    pub source: Source,
    /// Use the terms, or never use them?
    pub force: bool,
    /// The only rule it is about; `None` for every rule, the startstates and the properties.
    pub rule: Option<usize>,
    pub target: HintTarget,
    /// One term for each target; over constants, state, index variables and, with a rule, its parameters.
    pub terms: Vec<TermId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintTarget {
    /// These index variables together. One alone makes its term a candidate for that variable; several make a whole
    /// substitution (the others stay as they are).
    Indices(Vec<SymbolId>),
    /// Every quantifier over this sort.
    Sort(SortId),
}
