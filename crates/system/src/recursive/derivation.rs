//! Derivations: proofs of entailments, as trees of rule applications that can be checked step by step (Jaffar and Santosa,
//! section 4.2).
//!
//! A derivation is read against an obligation `left |= right`, which each step changes. While it is read, every atom on the
//! left has a *lineage*: for each enclosing [`Step::Unfold`], the atom of the obligation unfolded there that it descends
//! from, and whether strictly. The atoms that replace an unfolded atom inherit its lineage, strictly; all others
//! keep theirs; atoms that a hypothesis or a lemma adds descend from nothing. A hypothesis may be recalled only for
//! atoms that descend from its own, at least one of them strictly: an instance with lower derivations (RA-T1).
//!
//! A lemma may have a *measure* instead, an integer that must not be negative and becomes smaller whenever the lemma is used in its own
//! proof. Then unfolding makes no hypotheses: an instance that is smaller in one way may be larger in the other.
//!
//! Nothing in a derivation is trusted. Each step says what a checker has to ask a solver. In these questions an atom is
//! true because an atom of the same predicate with equal arguments is known, and for no other reason.

use super::{Atom, Entailment};
use tenet_term::{SymbolId, TermId};

/// What was proved about a program.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// What was proved first. Each may use those before it, and everything below may use all of them.
    pub lemmas: Vec<Lemma>,
    /// For each obligation of the program its proof, if there is one.
    pub obligations: Vec<Option<Step>>,
    /// The closed computation tree of the process, if there is one.
    pub tree: Option<super::tree::Tree>,
}

/// An auxiliary entailment and its proof.
#[derive(Clone, Debug)]
pub struct Lemma {
    pub entailment: Entailment,
    /// An integer term over its variables, if the lemma is used in its own proof. To be checked: its left-hand side (the
    /// constraint) implies that it is not negative.
    pub measure: Option<TermId>,
    /// Why it holds.
    pub proof: Step,
}

/// A step of a proof of `left |= right`.
#[derive(Clone, Debug)]
pub enum Step {
    /// To be checked: the left's constraint implies the right's, and for each atom of the right that some atom of the left of the same
    /// predicate has equal arguments. The right has no existential variables left. (CP)
    Close,
    /// One proof for each atom of the right, and one for its constraint, which comes last. The right has no existential
    /// variables left.
    Each(Vec<Step>),
    /// Terms, over the variables of the left, for all existential variables of the right. (EXR)
    Choose(Vec<(SymbolId, TermId)>, Box<Step>),
    /// Replaces an atom of the left by the body of each rule in turn, and makes the obligation a hypothesis. (LU+I)
    Unfold {
        /// Position among the atoms of the left. The body's atoms take its place.
        atom: usize,
        /// For each rule of the predicate: what its variables are called (role `Index`, new to the proof, one for each
        /// variable in order), and the proof. To be checked if there is no proof: the constraint of the left and
        /// that of the body with the equations of the arguments are unsatisfiable (RA-T2). Otherwise these equations and then
        /// the constraint of the body are added to the left's constraint.
        cases: Vec<(Vec<SymbolId>, Option<Step>)>,
    },
    /// Replaces an atom of the right by the body of one rule. (RU) Then the equations of its arguments with those of the head,
    /// and the constraint of the body, are part of the right's constraint.
    Right {
        /// Position among the atoms of the right, which has no existential variables left. The body's atoms take its place.
        atom: usize,
        /// Position among the rules of its predicate.
        rule: usize,
        /// A term over the variables of the left for each variable of the rule, in order.
        terms: Vec<TermId>,
        next: Box<Step>,
    },
    /// Adds to the left what a hypothesis or a lemma says: its atoms behind those that are there, its constraint. (CO)
    Recall(Recall, Box<Step>),
    /// One proof for each formula, which is added to the left's constraint. To be checked: the left's constraint implies that
    /// one of them is true. With no formula at all: that the left is impossible. (SPL)
    Split(Vec<(TermId, Step)>),
    /// Says the obligation in other words, or less of it on the left.
    Restate(Restated, Box<Step>),
}

/// The use of an entailment: of a hypothesis or a lemma.
#[derive(Clone, Debug)]
pub struct Recall {
    pub known: Known,
    /// A term over the variables of the current left for each variable of the entailment, each once: of a lemma the ones it lists,
    /// of a hypothesis every free one (role `Index`) of its obligation, left and right.
    pub bindings: Vec<(SymbolId, TermId)>,
    /// For each atom of the entailment's left the position of an atom of the current left, no position twice. To be checked:
    /// their arguments are equal, and the entailment's constraint holds, in the current left.
    pub atoms: Vec<usize>,
    /// What the existential variables of its right are called here (role `Index`, new): not to be chosen (RA-T3).
    pub fresh: Vec<SymbolId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// The obligation of an enclosing [`Step::Unfold`]: their number from the root of the proof, the outermost being 0. To be checked:
    /// the atom at each position descends from the atom of that obligation at the same position, and at least
    /// one of them strictly.
    Hypothesis(usize),
    /// A lemma that was proved before, by its position. Nothing is demanded of lineages.
    Lemma(usize),
    /// The lemma that is being proved, which has a measure. To be checked: it is not negative for these bindings, and smaller than
    /// for the variables themselves.
    Itself,
}

/// An obligation in other words.
#[derive(Clone, Debug)]
pub struct Restated {
    /// The atoms of the left that are kept, each at most once: its position, and its arguments in other words. To be checked: the
    /// arguments are equal. Lineages stay.
    pub left: Vec<(usize, Vec<TermId>)>,
    /// The new constraint of the left. To be checked: the old one implies it.
    pub constraint: TermId,
    /// The atoms of the right, in order, with their arguments in other words. To be checked: these are equal, if the old constraint of the
    /// left holds (for all values of the existential variables).
    pub right: Vec<Atom>,
    /// The new constraint of the right. To be checked: the old constraint of the left and this imply the old one.
    pub right_constraint: TermId,
}
