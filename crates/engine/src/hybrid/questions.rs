//! Queries about single steps, with unsatisfiable cores: which of the assumed literals does the answer depend on?
//!
//! A proof is an unsatisfiable core over one assumption for each literal, made as small as it gets by leaving out one literal
//! after the other. It is a proof of the very question that was asked (HL-T6).

use super::Maker;
use super::concrete::Concrete;
use super::fact::When;
use super::observe::{formulas, negated};
use tenet_abstraction::correlation::truths;
use tenet_solve::{Answer, Effort, Limits, Solver, Statistics};
use tenet_term::{Literal, Model, SymbolId, TermId, TermStore, Value};

/// Work for one of the many questions whose answer may be left open: is a candidate bound, can a proof be smaller? A few of
/// them are harder than all others together.
const SMALL_QUESTION: Effort = Effort::millis(100);

/// Solvers for the three kinds of questions.
pub struct Questions {
    limits: Limits,
    first: Box<dyn Solver>,
    step: Box<dyn Solver>,
    bad: Box<dyn Solver>,
}

/// Literals of this state and of the next one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assumed {
    pub now: Vec<Literal>,
    pub next: Vec<Literal>,
}

/// What a solver has found.
pub struct Example {
    pub truths: Vec<bool>,
    pub values: Vec<(SymbolId, Value)>,
}

/// A literal with its frame.
type Placed = (Literal, bool);

impl Questions {
    /// Solvers for initial states, steps, and violations.
    pub fn new(store: &TermStore, concrete: &Concrete, solvers: Maker<'_>, limits: &Limits) -> Questions {
        let solver = |formula: TermId| {
            let mut solver = solvers();
            solver.set_limits(limits.clone());
            solver.assert(store, formula);
            solver
        };
        Questions {
            limits: limits.clone(),
            first: solver(concrete.circuit.start),
            step: solver(concrete.circuit.constraint),
            bad: solver(concrete.bad),
        }
    }

    pub fn statistics(&self) -> [Statistics; 3] {
        [self.first.statistics(), self.step.statistics(), self.bad.statistics()]
    }

    /// Which of these literals cannot hold together, then? The first ones are given up last. `None` if they can, or if the
    /// solver does not know.
    pub fn refute(
        &mut self,
        store: &mut TermStore,
        concrete: &mut Concrete,
        when: When,
        assumed: &Assumed,
    ) -> Option<Assumed> {
        let now = assumed.now.iter().map(|&literal| (literal, false));
        let next = assumed.next.iter().map(|&literal| (literal, true));
        let placed: Vec<Placed> = next.chain(now).collect();
        let terms: Vec<TermId> = placed.iter().map(|&placed| term(store, concrete, when, placed)).collect();
        let small = self.limits.clone().within(SMALL_QUESTION);
        let limits = self.limits.clone();
        let solver = self.solver(when);
        let mut core = check(store, solver, &terms)?;
        solver.set_limits(small);
        for &dropped in terms.iter().rev() {
            if !core.contains(&dropped) {
                continue;
            }
            let rest: Vec<TermId> = core.iter().copied().filter(|&term| term != dropped).collect();
            if let Some(smaller) = check(store, solver, &rest) {
                core = smaller;
            }
        }
        solver.set_limits(limits);
        let mut result = Assumed::default();
        for ((literal, is_next), term) in placed.into_iter().zip(terms) {
            // Different literals may be the same formula: one of them is enough.
            if let Some(position) = core.iter().position(|&known| known == term) {
                core.remove(position);
                let list = if is_next { &mut result.next } else { &mut result.now };
                list.push(literal);
            }
        }
        Some(result)
    }

    /// The values that candidates are bound to have where the literals hold, in the first state or in the next one, as far as that is
    /// easy to see. The literals can hold together. Each solution shows that some values are not bound, so that few have to be
    /// asked.
    pub fn bound(
        &mut self,
        store: &mut TermStore,
        concrete: &mut Concrete,
        when: When,
        assumed: &Assumed,
        candidates: &[TermId],
    ) -> Vec<Option<bool>> {
        let positive = |&atom: &TermId| (Literal { atom, positive: true }, when == When::Step);
        let terms: Vec<TermId> =
            candidates.iter().map(|atom| term(store, concrete, when, positive(atom))).collect();
        let now = assumed.now.iter().map(|&literal| (literal, false));
        let next = assumed.next.iter().map(|&literal| (literal, true));
        let assumptions: Vec<TermId> =
            now.chain(next).map(|placed| term(store, concrete, when, placed)).collect();
        let small = self.limits.clone().within(SMALL_QUESTION);
        let limits = self.limits.clone();
        let solver = self.solver(when);
        let mut values = match solver.check(store, &assumptions) {
            Answer::Sat => truths(store, solver, &terms),
            _ => None,
        };
        let Some(values) = &mut values else { return vec![None; candidates.len()] };
        solver.set_limits(small);
        let mut possible: Vec<Option<bool>> = values.iter().copied().map(Some).collect();
        for (position, &formula) in terms.iter().enumerate() {
            let Some(value) = possible[position] else { continue };
            let other = if value { store.mk_not(formula) } else { formula };
            let question: Vec<TermId> = assumptions.iter().copied().chain([other]).collect();
            match solver.check(store, &question) {
                Answer::Unsat => {}
                Answer::Unknown(_) => possible[position] = None,
                Answer::Sat => {
                    possible[position] = None;
                    let Some(values) = truths(store, solver, &terms) else { continue };
                    for (known, value) in possible.iter_mut().zip(values) {
                        *known = known.filter(|&known| known == value);
                    }
                }
            }
        }
        solver.set_limits(limits);
        possible
    }

    /// What a literal of the next state, or of the first one, rests on: the literals that imply it, which include none of
    /// those that are assumed and not needed.
    pub fn proof(
        &mut self,
        store: &mut TermStore,
        concrete: &mut Concrete,
        when: When,
        assumed: &Assumed,
        literal: Literal,
    ) -> Option<Assumed> {
        let mut all = assumed.clone();
        let frame = if when == When::Step { &mut all.next } else { &mut all.now };
        frame.insert(0, negated(literal));
        let mut core = self.refute(store, concrete, when, &all)?;
        let frame = if when == When::Step { &mut core.next } else { &mut core.now };
        frame.retain(|&known| known != negated(literal));
        Some(core)
    }

    /// Where the literals hold: the truth values of formulas over state and inputs, and the values of symbols. Otherwise literals of the
    /// next state that the others forbid, or nothing if the solver does not know.
    pub fn example(
        &mut self,
        store: &mut TermStore,
        concrete: &mut Concrete,
        when: When,
        assumed: &Assumed,
        formulas: &[TermId],
        symbols: &[SymbolId],
    ) -> Result<Example, Vec<Literal>> {
        let now = assumed.now.iter().map(|&literal| (literal, false));
        let next = assumed.next.iter().map(|&literal| (literal, true));
        let placed: Vec<Placed> = now.chain(next).collect();
        let terms: Vec<TermId> = placed.iter().map(|&placed| term(store, concrete, when, placed)).collect();
        let solver = self.solver(when);
        match solver.check(store, &terms) {
            Answer::Sat => {}
            Answer::Unknown(_) => return Err(Vec::new()),
            Answer::Unsat => {
                let core = solver.core();
                let is_needed = |&(&(_, is_next), term): &(&Placed, &TermId)| is_next && core.contains(term);
                return Err(placed
                    .iter()
                    .zip(&terms)
                    .filter(is_needed)
                    .map(|(&(literal, _), _)| literal)
                    .collect());
            }
        }
        let truths = truths(store, solver, formulas).ok_or_else(Vec::new)?;
        let inputs: Vec<TermId> = symbols.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let values = solver.values(store, &inputs);
        let value = |(&symbol, value): (&SymbolId, Option<Value>)| {
            let sort = store.symbol(symbol).sort;
            (symbol, value.unwrap_or_else(|| Model::new().default_value(store, sort)))
        };
        Ok(Example { truths, values: symbols.iter().zip(values).map(value).collect() })
    }

    fn solver(&mut self, when: When) -> &mut dyn Solver {
        match when {
            When::First => self.first.as_mut(),
            When::Bad => self.bad.as_mut(),
            When::Step | When::Always => self.step.as_mut(),
        }
    }
}

/// The assumptions that a refutation rests on; `None` if there is none.
fn check(store: &TermStore, solver: &mut dyn Solver, terms: &[TermId]) -> Option<Vec<TermId>> {
    solver.check(store, terms).is_proved().then(|| solver.core())
}

/// What a literal says in a question of this kind.
fn term(store: &mut TermStore, concrete: &mut Concrete, when: When, (literal, is_next): Placed) -> TermId {
    let formula = formulas(store, &[literal])[0];
    match (when, is_next) {
        (When::First, _) => concrete.first(store, formula),
        (_, true) => concrete.next(store, formula),
        (_, false) => formula,
    }
}
