//! The image of a query by way of the relation between the predicates before a step and after it, for queries in which a state has one
//! valuation: that of closed predicates, or of indexed ones at a single substitution.
//!
//! Such a relation does not depend on the set that one starts from, so what is learned of it serves all iterations. It is learned as far
//! as images need it, from both sides. From above it is a conjunction of clauses: a pair of valuations that the solver refutes is
//! excluded with all other pairs that are refuted for the same reason, which is a minimal core. From below it consists of the pairs
//! that the solver has found. An image is complete when every pair that is not refuted leads to a valuation that is known. So the solver is
//! asked about a valuation at most once with success, and that there are no more needs no question at all.
//!
//! Predicates that have nothing to do with each other are related apart: what was found of one group goes with all that was found of
//! the others.

use super::{Interrupted, Query, literal, name};
use crate::independence::groups;
use crate::set::{Cube, Set};
use tenet_solve::Answer;
use tenet_term::{Op, TermId, TermStore};

/// What is known of the relation.
pub(super) struct Relation {
    /// For each variable of the diagrams that a predicate has, before the step and after it, the Boolean that stands for the
    /// predicate in the solver.
    names: Vec<(usize, TermId)>,
    /// The variables of the predicates after the step, and those before it, if there is anything before it.
    vars: Vec<(usize, usize)>,
    before: Vec<usize>,
    /// What predicates that are constant are.
    fixed: Set,
    /// Contains all pairs.
    upper: Set,
    groups: Vec<Group>,
}

/// Predicates that are independent of all others.
struct Group {
    /// The variables of those before the step and after it, with their place among the names.
    places: Vec<usize>,
    /// Pairs that there are.
    found: Set,
}

/// The value of each name.
type Pair = Vec<bool>;

impl Query {
    /// Is there at most one valuation before the step, and are there quantifiers? Without them solutions say what is free in them,
    /// and enumerating them takes fewer questions.
    pub(super) fn is_related(&self) -> bool {
        let has_one = match &self.instances[..] {
            [] => true,
            [(guard, _)] => *guard == TermId::TRUE,
            _ => false,
        };
        has_one && self.facts.formulas().next().is_some()
    }

    /// What is known with everything that the step adds to it, as [`image`](Query::image) finds it; for a single substitution
    /// whose terms are in range.
    pub fn image_by_relation(
        &mut self,
        store: &mut TermStore,
        from: &Set,
        known: &Set,
    ) -> Result<Set, Interrupted> {
        let mut relation = match self.relation.take() {
            Some(relation) => relation,
            None => Relation::new(self, store),
        };
        let image = relation.image(self, store, from, known);
        self.relation = Some(relation);
        image
    }
}

impl Relation {
    fn new(query: &mut Query, store: &mut TermStore) -> Relation {
        query.facts.give_all(store, &mut *query.solver);
        let values = query.instances.first().map(|(_, values)| values.clone()).unwrap_or_default();
        let space = query.layout.space.clone();
        let after = query.bits.iter().enumerate().map(|(predicate, &bit)| (query.layout.var(predicate), bit));
        let mut names: Vec<(usize, TermId)> = after.collect();
        let mut formulas = query.posts.clone();
        let (mut vars, mut upper) = (Vec::new(), space.full());
        for (predicate, &value) in values.iter().enumerate() {
            let var = query.layout.slots(predicate).next().expect("invariant: a predicate has slots");
            let is_kept = value == query.posts[predicate];
            let bit = if is_kept { query.bits[predicate] } else { name(store, &mut *query.solver, value) };
            if is_kept {
                let (one, other) =
                    (space.literal(var, true), space.literal(query.layout.var(predicate), true));
                upper = upper.intersect(&one.ite(&other, &other.complement()));
            }
            names.push((var, bit));
            vars.push((query.layout.var(predicate), var));
            formulas.push(value);
        }
        let fixed = names.iter().zip(&formulas).filter_map(|(&(var, _), &formula)| match formula {
            TermId::TRUE => Some((var, true)),
            TermId::FALSE => Some((var, false)),
            _ => None,
        });
        let fixed = space.cube(&fixed.collect::<Cube>());
        Relation {
            upper: upper.intersect(&fixed),
            groups: grouped(query, store, &formulas),
            before: vars.iter().map(|&(_, before)| before).collect(),
            vars,
            names,
            fixed,
        }
    }

    fn image(
        &mut self,
        query: &mut Query,
        store: &mut TermStore,
        from: &Set,
        known: &Set,
    ) -> Result<Set, Interrupted> {
        let start = match self.vars.is_empty() {
            true => from.space().full(),
            false => self.renamed(from),
        };
        let found = self.groups.iter().fold(self.fixed.clone(), |all, group| all.intersect(&group.found));
        let mut known = known.union(&self.reached(&found, &start));
        let mut open = self.upper.intersect(&start).minus(&known);
        while let Some(pair) = self.pick(&open) {
            let literals = self.literals(store, &pair);
            match query.solver.check(store, &literals) {
                Answer::Unsat => {
                    let refuted = self.refuted(query, store);
                    self.upper = self.upper.minus(&refuted);
                    open = open.minus(&refuted);
                }
                Answer::Unknown(_) if query.is_interrupted() => return Err(Interrupted),
                answer => {
                    let after = pair[..query.posts.len()].to_vec();
                    let mut reached = query.layout.valuation(&after);
                    match answer {
                        Answer::Sat => {
                            let new = self.add(&pair);
                            reached = reached.union(&self.reached(&new, &start));
                        }
                        // What the solver cannot exclude counts as reachable (X-T1).
                        _ => query.unknowns += 1,
                    }
                    known = known.union(&reached);
                    open = open.minus(&reached);
                }
            }
        }
        Ok(known)
    }

    /// A set of valuations before the step.
    fn renamed(&self, set: &Set) -> Set {
        let space = set.space();
        let pairs: Vec<(usize, Set)> =
            self.vars.iter().map(|&(after, before)| (after, space.literal(before, true))).collect();
        set.substitute(&pairs)
    }

    /// Where pairs lead to from these valuations.
    fn reached(&self, pairs: &Set, start: &Set) -> Set {
        pairs.intersect_exists(start, &self.before)
    }

    fn pick(&self, open: &Set) -> Option<Pair> {
        let cube = open.pick()?;
        let value = |&(var, _): &(usize, TermId)| cube.iter().any(|&(known, value)| known == var && value);
        Some(self.names.iter().map(value).collect())
    }

    /// What the solver is asked about a pair: the predicates before the step first, so that cores are without these if possible.
    fn literals(&self, store: &mut TermStore, pair: &Pair) -> Vec<TermId> {
        let mut literals: Vec<TermId> = Vec::new();
        for (&(_, bit), &value) in self.names.iter().zip(pair).rev() {
            let literal = literal(store, bit, value);
            if !literals.contains(&literal) {
                literals.push(literal);
            }
        }
        literals
    }

    /// All pairs that the solver refutes for the reason for which it has just refuted one.
    fn refuted(&self, query: &mut Query, store: &mut TermStore) -> Set {
        let mut core = query.solver.core();
        let mut needed = 0;
        while needed < core.len() {
            let mut fewer = core.clone();
            fewer.remove(needed);
            match query.solver.check(store, &fewer) {
                // What is needed for more is needed for less, and stays in front.
                Answer::Unsat => core = query.solver.core(),
                _ => needed += 1,
            }
        }
        let mut cube = Cube::new();
        for &(var, bit) in &self.names {
            let value = [true, false].into_iter().find(|&value| core.contains(&literal(store, bit, value)));
            cube.extend(value.map(|value| (var, value)));
        }
        query.layout.space.cube(&cube)
    }

    /// Adds what was found to each group, and gives the pairs that are new by that.
    fn add(&mut self, pair: &Pair) -> Set {
        let mut new = Vec::new();
        for (place, group) in self.groups.iter_mut().enumerate() {
            let cube: Cube = group.places.iter().map(|&name| (self.names[name].0, pair[name])).collect();
            let part = self.fixed.space().cube(&cube);
            if !part.implies(&group.found) {
                group.found = group.found.union(&part);
                new.push((place, part));
            }
        }
        let with = |(place, part): &(usize, Set)| {
            let others = self.groups.iter().enumerate().filter(|(other, _)| other != place);
            others.fold(self.fixed.intersect(part), |all, (_, group)| all.intersect(&group.found))
        };
        new.iter().map(with).fold(self.fixed.space().empty(), |all, pairs| all.union(&pairs))
    }
}

/// Groups of the predicates, which are formulas, that have nothing to do with each other.
fn grouped(query: &Query, store: &TermStore, formulas: &[TermId]) -> Vec<Group> {
    let always = query.always.iter().flat_map(|&formula| conjuncts(store, formula));
    let context: Vec<TermId> = always.chain(query.facts.formulas()).collect();
    let numbers = groups(store, formulas, &context);
    let mut known: Vec<usize> = Vec::new();
    let mut found: Vec<Group> = Vec::new();
    for (place, (&number, &formula)) in numbers.iter().zip(formulas).enumerate() {
        if formula == TermId::TRUE || formula == TermId::FALSE {
            continue;
        }
        match known.iter().position(|&other| other == number) {
            Some(group) => found[group].places.push(place),
            None => {
                known.push(number);
                found.push(Group { places: vec![place], found: query.layout.space.empty() });
            }
        }
    }
    found
}

fn conjuncts(store: &TermStore, formula: TermId) -> Vec<TermId> {
    match store.op(formula) {
        Op::And => store.args(formula).iter().flat_map(|&part| conjuncts(store, part)).collect(),
        _ => vec![formula],
    }
}
