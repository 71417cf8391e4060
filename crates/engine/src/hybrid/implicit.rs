//! The restricted implicit abstraction (Clarke et al., section 2.2): implications from at most two literals to one literal
//! of the next state.
//!
//! That is an over-approximation, and refinement makes up for what it misses. When a predicate is added, only what mentions
//! it is computed. Of all implications that are possible in form, three kinds are never asked: those that a tried step
//! refutes (`pool`), those that a shorter one makes superfluous, and those whose literals have no variables in common with
//! each other and with the next value, which cannot hold unless a shorter one does.

use super::Maker;
use super::concrete::Concrete;
use super::fact::{Fact, When};
use super::pool::{Pool, Truth};
use crate::common::watch::{Stop, Watch};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tenet_abstraction::correlation::truths;
use tenet_solve::{Answer, Effort, EffortBudget, Limits, Meter, Solver, Statistics};
use tenet_term::{Literal, SymbolId, TermId, TermStore};

/// Work for a question about an implication; one that is hard to show is left to the refinement.
const QUESTION: Effort = Effort::millis(50);

/// Work for the implications from two literals that mention a new predicate. Where it is not enough, the others are left to the
/// refinement, too, which finds those that matter.
const PAIRS: Effort = Effort::millis(500);

/// A predicate by position, and the value it is to have.
type Choice = (usize, bool);

/// What is known of predicates so far.
pub struct Implicit {
    predicates: Vec<Predicate>,
    /// What is assumed of inputs and state together ties everything that it mentions.
    assumed: BTreeSet<SymbolId>,
    pool: Pool,
    meter: Meter,
    steps: Box<dyn Solver>,
    starts: Box<dyn Solver>,
    /// Pairs of literals that no state with a next one satisfies.
    exclusive: FxHashSet<[Choice; 2]>,
    /// What implies a literal of the next state.
    known: FxHashMap<Choice, Vec<Vec<Choice>>>,
}

struct Predicate {
    atom: TermId,
    /// As formulas, true and false, of this state and of the next one.
    now: [TermId; 2],
    next: [TermId; 2],
    tried_now: Truth,
    tried_next: Truth,
    support_now: BTreeSet<SymbolId>,
    support_next: BTreeSet<SymbolId>,
}

impl Implicit {
    /// Without predicates.
    pub fn new(store: &TermStore, concrete: &Concrete, solvers: Maker<'_>, limits: &Limits) -> Implicit {
        let (mut steps, mut starts) = (solvers(), solvers());
        let meter = Meter::default();
        steps.set_limits(limits.clone().within(QUESTION).counted(&meter));
        starts.set_limits(limits.clone().within(QUESTION));
        steps.assert(store, concrete.circuit.constraint);
        starts.assert(store, concrete.circuit.start);
        Implicit {
            predicates: Vec::new(),
            assumed: store.free_symbols(concrete.circuit.constraint).into_iter().collect(),
            pool: Pool::new(store, concrete),
            meter,
            steps,
            starts,
            exclusive: FxHashSet::default(),
            known: FxHashMap::default(),
        }
    }

    pub fn statistics(&self) -> [Statistics; 2] {
        [self.steps.statistics(), self.starts.statistics()]
    }

    /// Adds a predicate, and all facts that mention it.
    pub fn add(
        &mut self,
        store: &mut TermStore,
        concrete: &mut Concrete,
        atom: TermId,
        watch: &dyn Watch,
        facts: &mut Vec<Fact>,
    ) -> Result<(), Stop> {
        let next = concrete.next(store, atom);
        let first = concrete.first(store, atom);
        let tried = self.pool.truths(store, &[atom, next]);
        let [tried_now, tried_next] =
            <[Truth; 2]>::try_from(tried).expect("invariant: two formulas, two columns");
        self.predicates.push(Predicate {
            atom,
            now: [store.mk_not(atom), atom],
            next: [store.mk_not(next), next],
            tried_now,
            tried_next,
            support_now: store.free_symbols(atom).into_iter().collect(),
            support_next: store.free_symbols(next).into_iter().collect(),
        });
        self.first(store, atom, first, facts);
        let new = self.predicates.len() - 1;
        let budget = EffortBudget::of(&self.meter, PAIRS);
        for target in 0..self.predicates.len() {
            for value in [false, true] {
                if let Some(stop) = watch.stop() {
                    return Err(stop);
                }
                self.implications(store, (target, value), new, &budget, facts);
            }
        }
        Ok(())
    }

    /// Is the predicate the same in every first state?
    fn first(&mut self, store: &mut TermStore, atom: TermId, first: TermId, facts: &mut Vec<Fact>) {
        for positive in [true, false] {
            let denied = if positive { store.mk_not(first) } else { first };
            if self.starts.check(store, &[denied]).is_proved() {
                let now = vec![Literal { atom, positive }];
                facts.push(Fact { when: When::First, now, next: Vec::new() });
            }
        }
    }

    /// The implications to a literal of the next state that mention the new predicate.
    fn implications(
        &mut self,
        store: &mut TermStore,
        target: Choice,
        new: usize,
        budget: &EffortBudget,
        facts: &mut Vec<Fact>,
    ) {
        if target.0 == new && self.try_one(store, &[], target, facts) {
            return;
        }
        let all = self.predicates.len();
        let news: Vec<Choice> = if target.0 == new {
            (0..all).flat_map(|p| [(p, false), (p, true)]).collect()
        } else {
            vec![(new, false), (new, true)]
        };
        for &one in &news {
            if self.is_tied(&[one], target) {
                self.try_one(store, &[one], target, facts);
            }
        }
        for &one in &news {
            if budget.is_spent() {
                return;
            }
            for other in (0..all).flat_map(|p| [(p, false), (p, true)]) {
                // Each pair once: the new predicate's literal first, or by position if both are.
                let is_first = if target.0 == new { one.0 < other.0 } else { one.0 != other.0 };
                if is_first && self.is_tied(&[one, other], target) && !self.excludes(store, one, other, facts)
                {
                    self.try_one(store, &[one, other], target, facts);
                }
            }
        }
    }

    /// Do the literals and the next value hang together, by common variables?
    fn is_tied(&self, literals: &[Choice], target: Choice) -> bool {
        let mut parts: Vec<&BTreeSet<SymbolId>> =
            literals.iter().map(|&(p, _)| &self.predicates[p].support_now).collect();
        let mut reached: Vec<&BTreeSet<SymbolId>> = vec![&self.predicates[target.0].support_next];
        if !self.assumed.is_empty() {
            reached.push(&self.assumed);
        }
        while let Some(position) =
            parts.iter().position(|part| reached.iter().any(|known| !known.is_disjoint(part)))
        {
            reached.push(parts.swap_remove(position));
        }
        parts.is_empty()
    }

    /// Can no state with a next one satisfy both? That is a fact of its own, and makes all others about the pair idle.
    fn excludes(&mut self, store: &mut TermStore, a: Choice, b: Choice, facts: &mut Vec<Fact>) -> bool {
        let pair = if a < b { [a, b] } else { [b, a] };
        if self.exclusive.contains(&pair) {
            return true;
        }
        let columns = pair.map(|(p, value)| self.predicates[p].tried_now.is(value));
        if have_common(&columns) {
            return false;
        }
        let assumptions = pair.map(|(p, value)| self.predicates[p].now[usize::from(value)]);
        match self.ask(store, &assumptions) {
            true => {
                facts.push(self.fact(&pair, None));
                self.exclusive.insert(pair);
                true
            }
            false => false,
        }
    }

    /// Is the implication valid? Then it is a fact.
    fn try_one(
        &mut self,
        store: &mut TermStore,
        literals: &[Choice],
        target: Choice,
        facts: &mut Vec<Fact>,
    ) -> bool {
        let is_implied = |known: &Vec<Choice>| known.iter().all(|literal| literals.contains(literal));
        if self.known.get(&target).is_some_and(|known| known.iter().any(is_implied)) {
            return true;
        }
        let mut columns: Vec<&[u64]> =
            literals.iter().map(|&(p, value)| self.predicates[p].tried_now.is(value)).collect();
        columns.push(self.predicates[target.0].tried_next.is(!target.1));
        if have_common(&columns) {
            return false;
        }
        let mut assumptions: Vec<TermId> =
            literals.iter().map(|&(p, value)| self.predicates[p].now[usize::from(value)]).collect();
        assumptions.push(self.predicates[target.0].next[usize::from(!target.1)]);
        let is_valid = self.ask(store, &assumptions);
        if is_valid {
            self.known.entry(target).or_default().push(literals.to_vec());
            facts.push(self.fact(literals, Some(target)));
        }
        is_valid
    }

    /// Is there no such step? If there is one, it is remembered.
    fn ask(&mut self, store: &mut TermStore, assumptions: &[TermId]) -> bool {
        match self.steps.check(store, assumptions) {
            Answer::Unsat => true,
            Answer::Unknown(_) => false,
            Answer::Sat => {
                self.learn(store);
                false
            }
        }
    }

    fn learn(&mut self, store: &mut TermStore) {
        let sample = self.pool.len();
        let formulas: Vec<TermId> =
            self.predicates.iter().flat_map(|predicate| [predicate.now[1], predicate.next[1]]).collect();
        let Some(values) = truths(store, self.steps.as_mut(), &formulas) else { return };
        if !self.pool.learn(store, self.steps.as_mut()) {
            return;
        }
        for (predicate, values) in self.predicates.iter_mut().zip(values.chunks(2)) {
            predicate.tried_now.put(sample, values[0]);
            predicate.tried_next.put(sample, values[1]);
        }
    }

    fn fact(&self, literals: &[Choice], target: Option<Choice>) -> Fact {
        let literal = |&(p, positive): &Choice| Literal { atom: self.predicates[p].atom, positive };
        let now: Vec<Literal> = literals.iter().map(literal).collect();
        let next: Vec<Literal> = target.iter().map(literal).collect();
        Fact::implication(When::Step, &now, &[], &next)
    }
}

fn have_common(columns: &[&[u64]]) -> bool {
    let words = columns.iter().map(|column| column.len()).min().unwrap_or(0);
    (0..words).any(|word| columns.iter().fold(u64::MAX, |all, column| all & column[word]) != 0)
}
