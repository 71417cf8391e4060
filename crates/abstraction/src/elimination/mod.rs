//! Images as Lahiri and Bryant first computed them (section 7): the question of an image becomes one Boolean problem, from which
//! everything but the predicates after the step is quantified away with diagrams.
//!
//! Function applications become variables that agree where their arguments do, and what remains of comparisons are
//! Booleans with constraints that make them transitive ([`theory`]); the problem is then equisatisfiable for every
//! valuation of the predicates. Variables are eliminated one at a time, the one with the fewest neighbours first, and only what
//! mentions it is combined for that. No solver is asked, and nothing is generalised: the whole image is computed in every
//! iteration, which is why the other ways are the default. It is here for comparison.

mod difference;
mod equality;
mod project;
mod theory;

use std::sync::atomic::AtomicBool;

use tenet_term::{TermId, TermStore};

use crate::layout::Clause;
use crate::set::{Cube, Set, Space, cover};
use crate::skeleton::{Formula, Skeleton, Truth};
use theory::Theory;

/// The Boolean problem of one rule or startstate.
pub struct Elimination {
    space: Space,
    /// The variable of each predicate after the step.
    predicates: Vec<usize>,
    /// What does not depend on the set before the step.
    fixed: Vec<Set>,
    /// For each substitution that its terms are in range (QI-T5), and the predicates before the step.
    instances: Vec<(Set, Vec<Set>)>,
}

/// The formulas of a question, without quantifiers and with conditions only between formulas.
#[derive(Clone, Debug, Default)]
pub struct Question {
    pub always: Vec<TermId>,
    pub instances: Vec<(TermId, Vec<TermId>)>,
    pub posts: Vec<TermId>,
}

impl Elimination {
    /// Encodes a question, or says what in it has no encoding.
    pub fn new(store: &TermStore, question: &Question) -> Result<Elimination, String> {
        let mut skeleton = Skeleton::default();
        let mut add = |formulas: &[TermId]| -> Vec<Formula> {
            formulas.iter().map(|&formula| skeleton.add(store, formula)).collect()
        };
        let (posts, always) = (add(&question.posts), add(&question.always));
        let instances: Vec<(Vec<Formula>, Vec<Formula>)> =
            question.instances.iter().map(|(guard, values)| (add(&[*guard]), add(values))).collect();
        let mut theory = Theory::new(store, skeleton.atoms())?;
        // A predicate stands behind what decides it (X-T9).
        let mut predicates = Vec::new();
        for &post in &question.posts {
            store.atoms(post).into_iter().for_each(|atom| drop(theory.atom(atom)));
            predicates.push(theory.fresh());
        }
        let atoms: Vec<Truth> =
            skeleton.atoms().iter().map(|&atom| Truth::from_set(theory.atom(atom))).collect();
        let fixed = theory.constraints();
        let mut fixed = fixed.ok_or("a rule compares too many integers with each other")?;
        let space = theory.space;
        let truths = skeleton.evaluate_sets(&space, &atoms);
        let truths = truths.ok_or("a formula of a rule is too large for a diagram")?;
        let set = |formula: &Formula| formula.of(&truths).to_set(&space);
        fixed.extend(always.iter().map(set));
        for (&predicate, post) in predicates.iter().zip(&posts) {
            let post = set(post);
            fixed.push(space.literal(predicate, true).ite(&post, &post.complement()));
        }
        let instances = instances
            .iter()
            .map(|(guard, values)| (set(&guard[0]), values.iter().map(set).collect()))
            .collect();
        fixed.retain(|conjunct| !conjunct.is_full());
        Ok(Elimination { space, predicates, fixed, instances })
    }

    /// The valuations after the step from a state that satisfies these clauses at every substitution, as cubes by predicate;
    /// `None` if a diagram gets too large, or if it is to stop.
    pub fn image(&self, clauses: &[Clause], stop: &AtomicBool) -> Option<Vec<Cube>> {
        let mut conjuncts = self.fixed.clone();
        for (guard, values) in &self.instances {
            let mut instance = self.space.full();
            for clause in clauses {
                let literals = clause.iter().map(|&(predicate, value)| match value {
                    true => values[predicate].clone(),
                    false => values[predicate].complement(),
                });
                instance = instance.intersect(&literals.fold(self.space.empty(), |any, one| any.union(&one)));
            }
            let conjunct = guard.complement().union(&instance);
            project::is_small(&conjunct).then(|| conjuncts.push(conjunct))?;
        }
        let image = project::project(&self.space, conjuncts, &self.predicates, stop)?;
        let predicate = |var: usize| {
            self.predicates
                .iter()
                .position(|&known| known == var)
                .expect("invariant: only predicates are left")
        };
        let by_predicate =
            |cube: Cube| cube.into_iter().map(|(var, value)| (predicate(var), value)).collect();
        Some(cover(&image, &image).into_iter().map(by_predicate).collect())
    }
}
