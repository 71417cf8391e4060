//! Lazy refinement (Clarke et al., section 4.2): which candidates, if they were predicates, would exclude a spurious
//! counterexample?
//!
//! The counterexample is extended, state by state, by the values that the candidates are bound to have in it; nothing
//! is said of those that may have either value. If it cannot be extended to the next state, the proof of that names
//! candidates, the proofs of their values name candidates one state earlier, and so on back to the initial state. No
//! abstract model is built for that. Each proof also is a fact about the circuit, and with these facts the
//! counterexample is gone: those about values, that of the last step, and those about the first state (HL-T3). A fact
//! mentions the literals of its own proof alone, so never a candidate that was not chosen (HL-T2).
//!
//! The published procedure to extend the first state has the wrong sign for candidates that are bound to be false
//! (HL-T1); here both cases are one.

use super::concrete::Concrete;
use super::fact::{Fact, When};
use super::questions::{Assumed, Questions};
use super::rings::Counterexample;
use indexmap::IndexSet;
use tenet_term::{Literal, TermId, TermStore};

/// What excludes a counterexample.
#[derive(Clone, Debug, Default)]
pub struct Invalidated {
    /// The candidates that have to be predicates.
    pub chosen: Vec<TermId>,
    pub facts: Vec<Fact>,
}

/// Extends counterexamples.
pub struct Lazy<'a> {
    pub store: &'a mut TermStore,
    pub concrete: &'a mut Concrete,
    pub questions: &'a mut Questions,
    pub candidates: &'a [TermId],
    /// The values of candidates in each state of the counterexample up to which it could be extended.
    pub extended: Vec<Vec<Literal>>,
}

impl Lazy<'_> {
    /// What excludes the counterexample; `None` if the candidates do not.
    pub fn invalidate(&mut self, cubes: &Counterexample) -> Option<Invalidated> {
        self.extended.clear();
        let begin = Assumed { now: cubes[0].clone(), next: Vec::new() };
        if let Some(core) = self.refute(When::First, &begin) {
            let fact = Fact::implication(When::First, &core.now, &[], &[]);
            return Some(Invalidated { facts: vec![fact], ..Invalidated::default() });
        }
        let values = self.bound(When::First, &begin);
        self.extended.push(values);
        for (position, pair) in cubes.windows(2).enumerate() {
            let step = self.step(cubes, position, &pair[1]);
            if let Some(core) = self.refute(When::Step, &step) {
                return self.determine(cubes, When::Step, &core);
            }
            let values = self.bound(When::Step, &step);
            self.extended.push(values);
        }
        let last = cubes.len() - 1;
        let end = self.step(cubes, last, &[]);
        let core = self.refute(When::Bad, &end)?;
        self.determine(cubes, When::Bad, &core)
    }

    /// Facts that exclude the beginning, single steps or the end of the counterexample as they stand, which no predicate is needed
    /// for: the abstraction was too coarse there. All of them at once, as each would be the next counterexample.
    pub fn impossible_parts(&mut self, cubes: &Counterexample) -> Vec<Fact> {
        let steps = cubes.windows(2).map(|pair| (When::Step, pair[0].clone(), pair[1].clone()));
        let first = std::iter::once((When::First, cubes[0].clone(), Vec::new()));
        let last = std::iter::once((When::Bad, cubes[cubes.len() - 1].clone(), Vec::new()));
        let mut facts = Vec::new();
        for (when, now, next) in first.chain(steps).chain(last) {
            let core = self.refute(when, &Assumed { now, next });
            facts.extend(core.map(|core| Fact::implication(when, &core.now, &core.next, &[])));
        }
        facts.dedup();
        facts
    }

    /// The extended state at this position, and literals of the next one.
    fn step(&self, cubes: &Counterexample, position: usize, next: &[Literal]) -> Assumed {
        let now = cubes[position].iter().chain(&self.extended[position]).copied().collect();
        Assumed { now, next: next.to_vec() }
    }

    fn refute(&mut self, when: When, assumed: &Assumed) -> Option<Assumed> {
        self.questions.refute(self.store, self.concrete, when, assumed)
    }

    fn bound(&mut self, when: When, assumed: &Assumed) -> Vec<Literal> {
        let values = self.questions.bound(self.store, self.concrete, when, assumed, self.candidates);
        let literal = |(&atom, value): (&TermId, Option<bool>)| Some(Literal { atom, positive: value? });
        self.candidates.iter().zip(values).filter_map(literal).collect()
    }

    /// The candidates that the failure of the last extended state rests on, directly or by way of others before it.
    fn determine(&mut self, cubes: &Counterexample, when: When, core: &Assumed) -> Option<Invalidated> {
        let failed = self.extended.len() - 1;
        let mut facts = vec![Fact::implication(when, &core.now, &core.next, &[])];
        let mut chosen: IndexSet<TermId> = IndexSet::new();
        let mut needed: IndexSet<Literal> = self.candidates_in(&core.now, failed);
        for position in (0..=failed).rev() {
            chosen.extend(needed.iter().map(|literal| literal.atom));
            let mut before: IndexSet<Literal> = IndexSet::new();
            for &literal in &needed {
                let (when, assumed) = match position {
                    0 => (When::First, Assumed { now: cubes[0].clone(), next: Vec::new() }),
                    _ => (When::Step, self.step(cubes, position - 1, &cubes[position])),
                };
                let proof = self.questions.proof(self.store, self.concrete, when, &assumed, literal)?;
                if position == 0 {
                    let mut fact = Fact::implication(When::First, &proof.now, &[], &[]);
                    fact.now.push(literal);
                    facts.push(fact);
                } else {
                    facts.push(Fact::implication(When::Step, &proof.now, &proof.next, &[literal]));
                    before.extend(self.candidates_in(&proof.now, position - 1));
                }
            }
            needed = before;
        }
        Some(Invalidated { chosen: chosen.into_iter().collect(), facts })
    }

    /// The literals of candidates in a state among those of a proof.
    fn candidates_in(&self, proof: &[Literal], position: usize) -> IndexSet<Literal> {
        proof.iter().copied().filter(|literal| self.extended[position].contains(literal)).collect()
    }
}
