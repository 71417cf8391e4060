//! The obligation at a step: an entailment, with lineages and hypotheses.

use std::rc::Rc;

use tenet_system::recursive::{Atom, Entailment, Goal};
use tenet_term::{Substitution, SymbolId, TermId, TermStore};

use super::lineage::Lineage;
use super::scope::Scope;

/// `left |= right`, in the middle of a derivation.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    /// The variables: those of the entailment, and those introduced by steps.
    pub(super) scope: Scope,
    /// The atoms on the left-hand side.
    pub(super) left: Vec<Assumed>,
    /// The constraint on the left-hand side.
    pub(super) constraint: TermId,
    /// The existential variables of the right-hand side.
    pub(super) existentials: Vec<SymbolId>,
    pub(super) right: Goal,
    /// The obligations of the enclosing `Unfold`s, the outermost first.
    pub(super) hypotheses: Vec<Rc<Statement>>,
}

/// An atom on the left-hand side.
#[derive(Clone, Debug)]
pub(super) struct Assumed {
    pub(super) atom: Atom,
    pub(super) lineage: Lineage,
}

/// A hypothesis or lemma: its two sides, for all values of the variables.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) variables: Scope,
    /// Those that must be instantiated.
    pub(super) required: Scope,
    pub(super) left: Goal,
    pub(super) existentials: Vec<SymbolId>,
    pub(super) right: Goal,
}

impl Obligation {
    /// The initial obligation of a derivation.
    pub(super) fn new(entailment: &Entailment) -> Obligation {
        let assumed = |atom: &Atom| Assumed { atom: atom.clone(), lineage: Lineage::default() };
        Obligation {
            scope: entailment.variables.iter().copied().collect(),
            left: entailment.left.atoms.iter().map(assumed).collect(),
            constraint: entailment.left.constraint,
            existentials: entailment.existentials.clone(),
            right: entailment.right.clone(),
            hypotheses: Vec::new(),
        }
    }

    /// The obligation as a hypothesis.
    pub(super) fn statement(&self, store: &TermStore) -> Statement {
        let left = Goal {
            atoms: self.left.iter().map(|assumed| assumed.atom.clone()).collect(),
            constraint: self.constraint,
        };
        let mut required = Scope::new();
        for goal in [&left, &self.right] {
            let args = goal.atoms.iter().flat_map(|atom| atom.args.iter().copied());
            required.extend(args.chain([goal.constraint]).flat_map(|term| store.free_symbols(term)));
        }
        required.retain(|symbol| self.scope.contains(symbol));
        let (variables, existentials) = (self.scope.clone(), self.existentials.clone());
        Statement { variables, required, left, existentials, right: self.right.clone() }
    }

    /// Checks that there are no existential variables left.
    pub(super) fn without_existentials(&self) -> Result<(), String> {
        match self.existentials.is_empty() {
            true => Ok(()),
            false => Err("the right still has existential variables".to_owned()),
        }
    }
}

impl Statement {
    /// The statement of a lemma.
    pub(super) fn of(entailment: &Entailment) -> Statement {
        let variables: Scope = entailment.variables.iter().copied().collect();
        Statement {
            required: variables.clone(),
            variables,
            left: entailment.left.clone(),
            existentials: entailment.existentials.clone(),
            right: entailment.right.clone(),
        }
    }
}

/// That terms are equal pairwise.
pub(super) fn equal(store: &mut TermStore, left: &[TermId], right: &[TermId]) -> TermId {
    let equations: Vec<TermId> =
        left.iter().zip(right).map(|(&left, &right)| store.mk_eq(left, right)).collect();
    store.mk_and(equations)
}

/// The terms with symbols replaced.
pub(super) fn substituted(store: &mut TermStore, terms: &[TermId], by: &Substitution) -> Vec<TermId> {
    terms.iter().map(|&term| store.substitute(term, by)).collect()
}

/// The substitution of symbols for symbols of the same sorts.
pub(super) fn renaming(store: &mut TermStore, from: &[SymbolId], to: &[SymbolId]) -> Substitution {
    let to: Vec<TermId> = to.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
    Substitution::from_pairs(store, from.iter().copied().zip(to))
}
