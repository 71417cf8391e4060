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
mod theory;

use std::collections::BTreeSet;

use tenet_term::{TermId, TermStore};

use crate::layout::Clause;
use crate::set::{Cube, Set, Space, cover};
use crate::skeleton::{Formula, Skeleton, Truth};
use theory::Theory;

/// Nodes of one diagram beyond which an image is given up.
const MAX_NODES: usize = 1 << 20;

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
        let mut fixed = theory.constraints();
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
    /// `None` if a diagram gets too large.
    pub fn image(&self, clauses: &[Clause]) -> Option<Vec<Cube>> {
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
            is_small(&conjunct).then(|| conjuncts.push(conjunct))?;
        }
        let image = project(&self.space, conjuncts, &self.predicates)?;
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

fn is_small(set: &Set) -> bool {
    set.nodes() <= MAX_NODES
}

/// What a conjunction says of some variables; `None` if a diagram gets too large.
fn project(space: &Space, conjuncts: Vec<Set>, keep: &[usize]) -> Option<Set> {
    let mut open: Vec<(Set, BTreeSet<usize>)> =
        conjuncts.into_iter().map(|set| (set.clone(), set.support().into_iter().collect())).collect();
    while let Some(var) = cheapest(&open, keep) {
        let (with, without): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|(_, support)| support.contains(&var));
        let mut sets: Vec<Set> = with.into_iter().map(|(set, _)| set).collect();
        sets.sort_by_key(Set::nodes);
        let last = sets.pop().unwrap_or_else(|| space.full());
        let mut all = space.full();
        for set in sets {
            all = all.intersect(&set);
            is_small(&all).then_some(())?;
        }
        let result = last.intersect_exists(&all, &[var]);
        is_small(&result).then_some(())?;
        open = without;
        let support = result.support().into_iter().collect();
        open.push((result, support));
    }
    let mut image = space.full();
    for (set, _) in open {
        image = image.intersect(&set);
        is_small(&image).then_some(())?;
    }
    Some(image)
}

/// The variable whose elimination connects the fewest others.
fn cheapest(open: &[(Set, BTreeSet<usize>)], keep: &[usize]) -> Option<usize> {
    let vars: BTreeSet<usize> = open.iter().flat_map(|(_, support)| support.iter().copied()).collect();
    let neighbours = |var: &usize| -> usize {
        let with = open.iter().filter(|(_, support)| support.contains(var));
        with.flat_map(|(_, support)| support.iter()).collect::<BTreeSet<&usize>>().len()
    };
    vars.into_iter().filter(|var| !keep.contains(var)).min_by_key(neighbours)
}
