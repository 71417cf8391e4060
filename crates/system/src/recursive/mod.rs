//! Constraint logic programs: recursive definitions, the obligations between goals, and a transition system whose states
//! are described with them (Jaffar and Santosa, section 2).
//!
//! A predicate holds where its rules derive it and nowhere else: the least model. An array is a function from integers to
//! integers, `<a,i,e>` is the function `a` changed at one place, and equality of arrays is equality everywhere. A disjunction
//! that has atoms in it is several rules (RA-T8); one of constraints alone is a constraint, which a solver takes as it is.
//!
//! Symbols: the variables of goals that are meant universally have the role `Index`; the variables of rules and the
//! existential ones of right-hand sides have the role `Bound` (they are replaced when they are used). Atoms are not terms:
//! no solver sees them.

pub mod definitions;
mod derivation;
pub mod indexed;
pub mod obligations;
pub mod tree;

pub use derivation::{Known, Lemma, Proof, Recall, Restated, Step};

use crate::finite::program::Source;
use tenet_term::{SortId, Substitution, SymbolId, TermId, TermStore};

/// A constraint logic program and what is to be shown about it. Its terms live in its own store.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub store: TermStore,
    /// The predicates, apart from the one of the transition system.
    pub predicates: Vec<Predicate>,
    /// Entailments to be proved, in the order in which they are written. One that was proved may be used for the next ones.
    pub obligations: Vec<Entailment>,
    /// The transition system, if there is one.
    pub process: Option<Process>,
}

/// A recursively defined predicate: the least relation that its rules derive.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub name: String,
    /// Where its first rule is written.
    pub source: Source,
    pub sorts: Vec<SortId>,
    /// All its rules; with none it is never true.
    pub rules: Vec<Clause>,
}

/// A rule `p(head) :- constraint, atoms`.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Where it is written. The rules that a disjunction was expanded to have the same place.
    pub source: Source,
    /// All its variables (role `Bound`), in the order of their first occurrence.
    pub variables: Vec<SymbolId>,
    pub head: Vec<TermId>,
    /// The constraint of the body, without atoms.
    pub constraint: TermId,
    pub atoms: Vec<Atom>,
}

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// Position among the predicates of the program.
    pub predicate: usize,
    pub args: Vec<TermId>,
}

/// A conjunction of atoms and a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub atoms: Vec<Atom>,
    /// The constraint, without atoms.
    pub constraint: TermId,
}

/// `left |= right`: every instance of the left-hand side is one of the right-hand side, for some values of the
/// existential variables.
#[derive(Clone, Debug)]
pub struct Entailment {
    /// Its name: as given, or `entailment 1` and so on.
    pub name: String,
    pub source: Source,
    /// The variables of the left-hand side, and those of the right-hand side that are not existential (role `Index`).
    pub variables: Vec<SymbolId>,
    pub left: Goal,
    /// The variables of the right-hand side that the left-hand side does not have (role `Bound`).
    pub existentials: Vec<SymbolId>,
    pub right: Goal,
}

/// A transition system, given by the rules of a distinguished atom (`sys`).
#[derive(Clone, Debug)]
pub struct Process {
    pub name: String,
    /// The sorts of its arguments, which are the state.
    pub sorts: Vec<SortId>,
    /// A symbol for each argument (role `Bound`), in terms that speak of any state. Its name is for people: that of the first rule
    /// where the argument is a variable.
    pub parameters: Vec<SymbolId>,
    pub transitions: Vec<Transition>,
    pub start: State,
    /// What the author proposes as abstractions.
    pub abstractions: Vec<Abstraction>,
    /// What every reachable state has to satisfy.
    pub properties: Vec<Safety>,
}

/// A rule `sys(from) :- constraint, atoms, sys(to)`.
#[derive(Clone, Debug)]
pub struct Transition {
    pub source: Source,
    /// Its name: as given, or `rule 1` and so on.
    pub name: String,
    /// All its variables (role `Bound`).
    pub variables: Vec<SymbolId>,
    pub from: Vec<TermId>,
    pub goal: Goal,
    pub to: Vec<TermId>,
}

/// A set of states: `sys(args)` together with a goal.
#[derive(Clone, Debug)]
pub struct State {
    pub source: Source,
    /// Its variables (role `Index`).
    pub variables: Vec<SymbolId>,
    /// The arguments of `sys`.
    pub args: Vec<TermId>,
    pub goal: Goal,
}

/// `abstract at by instead`: a node of the computation tree that entails `at` may be replaced by `instead`, provided that it
/// entails that, too.
#[derive(Clone, Debug)]
pub struct Abstraction {
    pub source: Source,
    /// Its name: as given, or `abstraction 1` and so on.
    pub name: String,
    /// Where to abstract; any node if it says nothing but `sys` of variables.
    pub at: State,
    /// What the node becomes.
    pub by: State,
}

/// `property sys(args), goal |= right`: of every reachable state that satisfies the goal.
#[derive(Clone, Debug)]
pub struct Safety {
    pub source: Source,
    pub name: String,
    pub state: State,
    /// The existential variables of the right-hand side (role `Bound`).
    pub existentials: Vec<SymbolId>,
    /// What follows, over the variables of the state and the existential ones.
    pub right: Goal,
}

impl Atom {
    /// The atom with symbols replaced in its arguments.
    pub fn substitute(&self, store: &mut TermStore, substitution: &Substitution) -> Atom {
        let args = self.args.iter().map(|&arg| store.substitute(arg, substitution)).collect();
        Atom { predicate: self.predicate, args }
    }
}

impl Goal {
    /// The goal with symbols replaced.
    pub fn substitute(&self, store: &mut TermStore, substitution: &Substitution) -> Goal {
        let atoms = self.atoms.iter().map(|atom| atom.substitute(store, substitution)).collect();
        Goal { atoms, constraint: store.substitute(self.constraint, substitution) }
    }
}
