//! The image by recursion over the predicates (`H`; Das, Dill and Park, section 2): split on what a step makes of one
//! predicate after the other, and follow a branch only while the solver does not refute it. An alternative to enumerating
//! solutions, with another cost: it asks more questions, each of them smaller.
//!
//! Three things keep the number of questions low. The model of a satisfiable branch says which way the following
//! predicates go in it, so that way is known to be satisfiable without asking. A predicate that is implied by the branch
//! is not asserted. And predicates that have nothing to do with each other are not multiplied: what is below a branch
//! is remembered under the decisions that can still matter for it.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tenet_solve::{Answer, Solver};
use tenet_term::{TermId, TermStore, Value};

use crate::independence::groups;
use crate::set::{Set, Space};

#[derive(Clone, Debug)]
pub struct Image {
    /// The valuations of the predicates after the step; predicate number `m` is variable number `m`.
    pub set: Set,
    /// How many questions the solver was asked.
    pub calls: u64,
    /// How many of them it could not answer; if none, the set is exact.
    pub unknown: u64,
}

/// The valuations that the formulas `posts` can have where everything holds that is asserted in the solver. That is
/// what the state before the step satisfies, including the rule's guard; `posts` are the predicates after the step.
/// An answer `Unknown` counts as satisfiable, so the set can only be too large.
///
/// The predicates are split on in the given order, a permutation, or else in one that keeps those together that have
/// symbols in common. `asserted` is everything that is asserted, or more; without it nothing is known about which
/// predicates are independent, and nothing is remembered.
pub fn image(
    space: &Space,
    store: &mut TermStore,
    solver: &mut dyn Solver,
    posts: &[TermId],
    order: Option<&[usize]>,
    asserted: Option<&[TermId]>,
) -> Image {
    let mut walk = Walk::new(space, store, solver, posts, order, asserted);
    let set = walk.whole();
    Image { set, calls: walk.calls, unknown: walk.unknown }
}

/// The same in the order of the predicates, without anything remembered, for a caller to whom a set that may be too large
/// is of no use: `None` as soon as the solver does not know, which may be because it was interrupted. Going on would
/// ask about every branch that there can be.
pub fn exact_image(
    space: &Space,
    store: &mut TermStore,
    solver: &mut dyn Solver,
    posts: &[TermId],
) -> Option<Set> {
    let mut walk = Walk::new(space, store, solver, posts, None, None);
    walk.stops_at_unknown = true;
    let set = walk.whole();
    (walk.unknown == 0).then_some(set)
}

/// For each predicate, the last level at which one of its group is split on.
fn last_levels(group: &[usize], order: &[usize]) -> Vec<usize> {
    let mut last = FxHashMap::default();
    for (level, &place) in order.iter().enumerate() {
        last.insert(group[place], level);
    }
    group.iter().map(|group| last[group]).collect()
}

/// What is known of a branch that has not been refuted.
#[derive(Clone)]
struct Branch {
    /// Is it satisfiable for sure?
    sure: bool,
    /// The values of the predicates in a model of it, by number, as far as the solver gave them.
    witness: Rc<Vec<Option<bool>>>,
}

struct Walk<'a> {
    space: &'a Space,
    store: &'a TermStore,
    solver: &'a mut dyn Solver,
    posts: &'a [TermId],
    negations: Vec<TermId>,
    order: Vec<usize>,
    /// For each predicate, the last level at which it, or what depends on it, is split on.
    last: Option<Vec<usize>>,
    /// The predicates and values asserted on the way from the root; those that were implied are not among them.
    decisions: Vec<(usize, bool)>,
    /// What is below a level, given the decisions that matter there. The table belongs to one rule and one state
    /// formula, so neither has to be part of the key (EX-T4).
    known: FxHashMap<(usize, Vec<(usize, bool)>), Set>,
    calls: u64,
    unknown: u64,
    /// Does it give up at the first unknown answer?
    stops_at_unknown: bool,
}

impl<'a> Walk<'a> {
    fn new(
        space: &'a Space,
        store: &'a mut TermStore,
        solver: &'a mut dyn Solver,
        posts: &'a [TermId],
        order: Option<&[usize]>,
        asserted: Option<&[TermId]>,
    ) -> Walk<'a> {
        let group = asserted.map(|asserted| groups(store, posts, asserted));
        let order: Vec<usize> = match (order, &group) {
            (Some(order), _) => order.to_vec(),
            (None, Some(group)) => {
                let mut order: Vec<usize> = (0..posts.len()).collect();
                order.sort_by_key(|&place| group[place]);
                order
            }
            (None, None) => (0..posts.len()).collect(),
        };
        let negations = posts.iter().map(|&post| store.mk_not(post)).collect();
        Walk {
            space,
            store,
            solver,
            posts,
            negations,
            last: group.map(|group| last_levels(&group, &order)),
            order,
            decisions: Vec::new(),
            known: FxHashMap::default(),
            calls: 0,
            unknown: 0,
            stops_at_unknown: false,
        }
    }

    fn whole(&mut self) -> Set {
        match self.ask(0) {
            Some(branch) => self.split(0, &branch),
            None => self.space.empty(),
        }
    }

    /// The valuations, of the predicates from this level on, in a branch; as deep as there are predicates.
    fn split(&mut self, level: usize, branch: &Branch) -> Set {
        if level == self.order.len() {
            return self.space.full();
        }
        let key = self.key(level, branch);
        if let Some(set) = key.as_ref().and_then(|key| self.known.get(key)) {
            return set.clone();
        }
        let set = self.split_afresh(level, branch);
        if let Some(key) = key {
            self.known.insert(key, set.clone());
        }
        set
    }

    fn split_afresh(&mut self, level: usize, branch: &Branch) -> Set {
        let place = self.order[level];
        let witnessed = branch.witness[place];
        // What the witness does not show is asked first: if it is refuted, the other value is implied.
        let first = !witnessed.unwrap_or(false);
        // A model may leave open what a quantified formula is in it, so that its value is but a guess.
        let sure = witnessed.is_some() && !self.store.has_quantifier(self.posts[place]);
        let one = self.decide(level, first, None);
        let other = match one {
            None if branch.sure => Some(self.split(level + 1, branch)),
            _ => self.decide(level, !first, sure.then_some(branch)),
        };
        let with = |value: bool, set: Option<Set>| match set {
            Some(set) => self.space.literal(place, value).intersect(&set),
            None => self.space.empty(),
        };
        with(first, one).union(&with(!first, other))
    }

    /// What is below this level once its predicate has this value; `None` if that is refuted. Nothing is asked if it
    /// is known already.
    fn decide(&mut self, level: usize, value: bool, known: Option<&Branch>) -> Option<Set> {
        let place = self.order[level];
        let literal = if value { self.posts[place] } else { self.negations[place] };
        if literal == TermId::FALSE {
            return None;
        }
        self.solver.push();
        self.solver.assert(self.store, literal);
        let branch = known.cloned().or_else(|| self.ask(level + 1));
        let set = branch.map(|branch| {
            self.decisions.push((place, value));
            let set = self.split(level + 1, &branch);
            self.decisions.pop();
            set
        });
        self.solver.pop();
        set
    }

    /// Asks whether what is asserted is satisfiable, and if so, for values of the predicates from this level on.
    fn ask(&mut self, level: usize) -> Option<Branch> {
        if self.stops_at_unknown && self.unknown > 0 {
            return None;
        }
        self.calls += 1;
        let answer = self.solver.check(self.store, &[]);
        if !answer.is_reachable() {
            return None;
        }
        let sure = answer == Answer::Sat;
        self.unknown += u64::from(!sure);
        let mut witness = vec![None; self.posts.len()];
        if sure {
            let rest = &self.order[level..];
            let terms: Vec<TermId> = rest.iter().map(|&place| self.posts[place]).collect();
            let values = self.solver.values(self.store, &terms);
            for (&place, value) in rest.iter().zip(&values) {
                witness[place] = value.as_ref().and_then(Value::as_bool);
            }
        }
        Some(Branch { sure, witness: Rc::new(witness) })
    }

    /// Under what to remember the valuations of the predicates from this level on. A decision about a group none of
    /// which is left says nothing about the others, because the groups have nothing in common and the branch is
    /// satisfiable; a branch of which that is not sure must not be remembered: were it empty, so would be what others
    /// then find in the table.
    fn key(&self, level: usize, branch: &Branch) -> Option<(usize, Vec<(usize, bool)>)> {
        let last = self.last.as_ref().filter(|_| branch.sure)?;
        let matters = |&&(place, _): &&(usize, bool)| last[place] >= level;
        Some((level, self.decisions.iter().filter(matters).copied().collect()))
    }
}
