//! An obligation while it is being proved: what is known, what is to be shown, and what may be recalled.

use std::rc::Rc;
use tenet_system::recursive::{Atom, Clause, Entailment, Goal, Restated, Step};
use tenet_term::{Role, Substitution, SymbolId, TermId, TermStore};

/// An obligation `left |= right`.
#[derive(Clone, Debug)]
pub(super) struct Sequent {
    pub left: Vec<Fact>,
    /// The constraint of the left, as conjuncts.
    pub constraint: Vec<TermId>,
    /// The variables of the right that are to be chosen.
    pub existentials: Vec<SymbolId>,
    pub right: Goal,
    /// The obligations that were unfolded on the way here, outermost first.
    pub hypotheses: Vec<Rc<Hypothesis>>,
}

/// An atom that is known.
#[derive(Clone, Debug)]
pub(super) struct Fact {
    pub atom: Atom,
    /// For each hypothesis the atom of it that this one descends from, and whether strictly (RA-T1).
    pub lineage: Vec<Option<Ancestor>>,
}

/// The atom of a hypothesis that an atom descends from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ancestor {
    pub position: usize,
    pub is_strict: bool,
}

/// An obligation that was unfolded, or a lemma: something to recall.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    pub variables: Vec<SymbolId>,
    pub left: Goal,
    pub existentials: Vec<SymbolId>,
    pub right: Goal,
}

impl Hypothesis {
    pub(super) fn of(entailment: &Entailment) -> Hypothesis {
        Hypothesis {
            variables: entailment.variables.clone(),
            left: entailment.left.clone(),
            existentials: entailment.existentials.clone(),
            right: entailment.right.clone(),
        }
    }

    pub(super) fn has_atoms(&self) -> bool {
        !self.right.atoms.is_empty()
    }
}

impl Sequent {
    pub(super) fn of(store: &TermStore, entailment: &Entailment) -> Sequent {
        let fact = |atom: &Atom| Fact { atom: atom.clone(), lineage: Vec::new() };
        Sequent {
            left: entailment.left.atoms.iter().map(fact).collect(),
            constraint: store.conjuncts(entailment.left.constraint),
            existentials: entailment.existentials.clone(),
            right: entailment.right.clone(),
            hypotheses: Vec::new(),
        }
    }

    /// The obligation as something to recall below it.
    pub(super) fn as_hypothesis(&self, store: &mut TermStore) -> Hypothesis {
        let left = Goal {
            atoms: self.left.iter().map(|fact| fact.atom.clone()).collect(),
            constraint: store.mk_and(self.constraint.iter().copied()),
        };
        let mut variables = variables_of(store, &left);
        variables.extend(variables_of(store, &self.right));
        variables.sort_unstable();
        variables.dedup();
        Hypothesis { variables, left, existentials: self.existentials.clone(), right: self.right.clone() }
    }

    /// The variables of the left and the right that are not existential.
    pub(super) fn variables(&self, store: &mut TermStore) -> Vec<SymbolId> {
        self.as_hypothesis(store).variables
    }

    /// What is left of the obligation when a known atom is replaced by the body of a rule, with the obligation as a hypothesis.
    pub(super) fn unfold(
        &self,
        store: &mut TermStore,
        hypothesis: Option<&Rc<Hypothesis>>,
        position: usize,
        clause: &Clause,
        names: &[SymbolId],
    ) -> Sequent {
        let renaming = renaming(store, &clause.variables, names);
        let mut case = self.clone();
        if let Some(hypothesis) = hypothesis {
            case.hypotheses.push(hypothesis.clone());
            for (position, fact) in case.left.iter_mut().enumerate() {
                fact.lineage.push(Some(Ancestor { position, is_strict: false }));
            }
        }
        let replaced = case.left.remove(position);
        let strictly =
            |ancestor: &Option<Ancestor>| ancestor.map(|known| Ancestor { is_strict: true, ..known });
        let lineage: Vec<Option<Ancestor>> = replaced.lineage.iter().map(strictly).collect();
        for (offset, atom) in clause.atoms.iter().enumerate() {
            let atom = atom.substitute(store, &renaming);
            case.left.insert(position + offset, Fact { atom, lineage: lineage.clone() });
        }
        for (&here, &head) in replaced.atom.args.iter().zip(&clause.head) {
            let head = store.substitute(head, &renaming);
            let equation = store.mk_eq(here, head);
            case.constraint.extend(store.conjuncts(equation));
        }
        let body = store.substitute(clause.constraint, &renaming);
        case.constraint.extend(store.conjuncts(body));
        case
    }

    /// The obligation with other words, and the step that says so.
    pub(super) fn restate(&self, store: &mut TermStore, rest: Step) -> Step {
        let left = self.left.iter().map(|fact| fact.atom.args.clone()).enumerate().collect();
        self.restated(store, left, rest)
    }

    /// The same, where only these atoms of the former left are kept: their former positions, and their arguments now.
    pub(super) fn restated(
        &self,
        store: &mut TermStore,
        left: Vec<(usize, Vec<TermId>)>,
        rest: Step,
    ) -> Step {
        let constraint = store.mk_and(self.constraint.iter().copied());
        let right = self.right.atoms.clone();
        let restated = Restated { left, constraint, right, right_constraint: self.right.constraint };
        Step::Restate(restated, Box::new(rest))
    }

    /// The obligation with symbols replaced.
    pub(super) fn substitute(&self, store: &mut TermStore, substitution: &Substitution) -> Sequent {
        let mut result = self.clone();
        for fact in &mut result.left {
            fact.atom = fact.atom.substitute(store, substitution);
        }
        let mut constraint = Vec::new();
        for &part in &self.constraint {
            let part = store.substitute(part, substitution);
            constraint.extend(store.conjuncts(part));
        }
        constraint.retain(|&part| part != TermId::TRUE);
        constraint.dedup();
        result.constraint = constraint;
        result.right = self.right.substitute(store, substitution);
        result
    }
}

/// The variables (role `Index`) of a goal, in the order of their declaration.
pub(super) fn variables_of(store: &TermStore, goal: &Goal) -> Vec<SymbolId> {
    let terms = goal.atoms.iter().flat_map(|atom| atom.args.iter().copied()).chain([goal.constraint]);
    let mut variables: Vec<SymbolId> = terms.flat_map(|term| store.free_symbols(term)).collect();
    variables.retain(|&symbol| store.symbol(symbol).role == Role::Index);
    variables.sort_unstable();
    variables.dedup();
    variables
}

/// New variables with the names of others.
pub(super) fn fresh_like(store: &mut TermStore, symbols: &[SymbolId], role: Role) -> Vec<SymbolId> {
    let fresh = |&symbol: &SymbolId| {
        let known = store.symbol(symbol).clone();
        store.fresh(&known.name, known.sort, role)
    };
    symbols.iter().map(fresh).collect()
}

/// The substitution that gives symbols other names.
pub(super) fn renaming(store: &mut TermStore, from: &[SymbolId], to: &[SymbolId]) -> Substitution {
    let to: Vec<TermId> = to.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
    Substitution::from_pairs(store, from.iter().copied().zip(to))
}
