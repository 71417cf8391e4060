//! Method II: the exact operator with widening that an oracle guides (Ball, Podelski and Rajamani, section 4).
//!
//! The printed figure applies the operator to the wrong formula; here it is `phi'_{n+1} := widen(i, phi'_n | F(phi'_n))`.
//! Since widened formulas say nothing about real runs, the iteration without widening goes on beside it, so that an
//! incorrect program is found out.

use super::Attempt;
use super::exact::Exact;
use super::formula::{Disjunct, Formula};
use super::operator::Operator;
use super::oracle::{self, Oracle, conjuncts, widen};
use super::outcome::{Conclusion, Direction, Early, Iteration, OracleChoice, Reason, Unsupported};
use num_bigint::BigUint;
use std::collections::{BTreeSet, VecDeque};

/// With more conjuncts than this, only widenings that drop the same atoms in all disjuncts are tried: all of them
/// would be exponentially many.
const MAX_CONJUNCTS: u64 = 10;
/// Formulas after which the search for a widening ends.
const MAX_FORMULAS: usize = 2000;

impl Attempt<'_> {
    /// Method II in a direction.
    pub(super) fn widened(
        &mut self,
        direction: Direction,
        choice: &OracleChoice,
    ) -> Result<Conclusion, Early> {
        match choice {
            OracleChoice::List(answers) => {
                self.guided(direction, &mut oracle::List(answers.clone().into_iter()))
            }
            OracleChoice::Random(seed) => self.guided(direction, &mut oracle::Random::new(*seed)),
            OracleChoice::Drop(name) => {
                let is_it =
                    |var: &&tenet_system::StateVar| self.system.store.symbol(var.symbol).name == *name;
                let Some(var) = self.system.state.iter().find(is_it) else {
                    return Err(Unsupported::NoVariable(name.clone()).into());
                };
                let symbol = var.symbol;
                self.guided(direction, &mut oracle::Drop(symbol))
            }
            OracleChoice::Exhaustive => self.exhaustive(direction),
        }
    }

    pub(super) fn guided(
        &mut self,
        direction: Direction,
        oracle: &mut dyn Oracle,
    ) -> Result<Conclusion, Early> {
        let program = self.program.clone();
        let operator = Operator::new(&program, direction, self.options);
        let mut exact = Exact::new(operator.start());
        let (mut formula, mut old) = (operator.start().clone(), Formula::default());
        for number in 0.. {
            if let Some(conclusion) = self.incorrect(&mut exact, &operator) {
                return Ok(conclusion);
            }
            self.report(number, formula.atoms().len());
            self.note(&formula);
            match self.ended(&operator, &formula, &old) {
                Some(Conclusion::Open(reason)) => {
                    return self.undecided(&mut exact, &operator, number, reason);
                }
                Some(conclusion) => return Ok(conclusion),
                None => {}
            }
            if number == self.options.iterations {
                return Ok(Conclusion::Open(Reason::Iterations(number)));
            }
            if let Some(stop) = self.watch.stop() {
                return Err(Early::Stopped(stop));
            }
            let larger = self.larger(&operator, &formula)?;
            let guess = oracle.guess(&self.system.store, &larger);
            old = std::mem::replace(&mut formula, widen(&larger, &guess));
            self.schedule.push(guess);
            if !exact.advance(&mut self.system.store, &operator, &mut self.prover, self.watch)? {
                return Ok(Conclusion::Open(Reason::TooLarge));
            }
        }
        unreachable!("the last iteration returns")
    }

    /// A widening that was too coarse says nothing about an error further away: the exact iteration goes on (RC-A13).
    fn undecided(
        &mut self,
        exact: &mut Exact,
        operator: &Operator<'_>,
        number: usize,
        reason: Reason,
    ) -> Result<Conclusion, Early> {
        for _ in number..self.options.iterations {
            if !exact.advance(&mut self.system.store, operator, &mut self.prover, self.watch)? {
                break;
            }
            if let Some(conclusion) = self.incorrect(exact, operator) {
                return Ok(conclusion);
            }
        }
        Ok(Conclusion::Open(reason))
    }

    /// With every schedule of widenings, shorter ones first. Formulas only grow, so one that meets the other end is given up.
    fn exhaustive(&mut self, direction: Direction) -> Result<Conclusion, Early> {
        let program = self.program.clone();
        let operator = Operator::new(&program, direction, self.options);
        let mut exact = Exact::new(operator.start());
        let mut seen: BTreeSet<Vec<Disjunct>> = BTreeSet::new();
        let mut open = VecDeque::from([(operator.start().clone(), Vec::new())]);
        let mut depth = 0;
        while let Some((formula, schedule)) = open.pop_front() {
            if depth <= schedule.len() {
                if let Some(conclusion) = self.incorrect(&mut exact, &operator) {
                    return Ok(conclusion);
                }
                if !exact.advance(&mut self.system.store, &operator, &mut self.prover, self.watch)? {
                    return Ok(Conclusion::Open(Reason::TooLarge));
                }
                depth = schedule.len() + 1;
                self.report(schedule.len(), formula.atoms().len());
                self.note(&formula);
            }
            if let Some(stop) = self.watch.stop() {
                return Err(Early::Stopped(stop));
            }
            let larger = self.larger(&operator, &formula)?;
            match self.ended(&operator, &larger, &formula) {
                Some(Conclusion::Proved(lemmas)) => {
                    self.note(&formula);
                    self.schedule = [&schedule[..], &[BigUint::default()]].concat();
                    return Ok(Conclusion::Proved(lemmas));
                }
                Some(_) => continue,
                None if schedule.len() >= self.options.iterations => continue,
                None => {}
            }
            for guess in guesses(&larger) {
                let widened = widen(&larger, &guess);
                let mut key: Vec<Disjunct> = widened.disjuncts().cloned().collect();
                key.sort();
                if seen.len() < MAX_FORMULAS && seen.insert(key) && self.excludes(&operator, &widened) {
                    open.push_back((widened, [&schedule[..], &[guess]].concat()));
                }
            }
        }
        Ok(Conclusion::Open(Reason::Exhausted))
    }

    /// Is it proved that the formula does not meet the other end?
    fn excludes(&mut self, operator: &Operator<'_>, formula: &Formula) -> bool {
        let (store, end) = (&mut self.system.store, operator.end());
        formula.disjuncts().all(|disjunct| self.prover.excludes(store, disjunct, end))
    }

    /// `phi | F(phi)`.
    fn larger(&mut self, operator: &Operator<'_>, formula: &Formula) -> Result<Formula, Early> {
        let image = operator.image(&mut self.system.store, &mut self.prover, formula, self.watch)?;
        Ok(formula.disjuncts().chain(image.disjuncts()).cloned().collect())
    }

    /// What follows if nothing was added, as far as the prover can tell.
    fn ended(&mut self, operator: &Operator<'_>, formula: &Formula, old: &Formula) -> Option<Conclusion> {
        if !self.prover.implies(&mut self.system.store, formula, old) {
            return None;
        }
        Some(match self.excludes(operator, formula) {
            true => self.proved(formula, operator.direction),
            false => Conclusion::Open(Reason::DoNotKnow),
        })
    }

    fn note(&mut self, formula: &Formula) {
        self.iterations.push(Iteration {
            predicates: formula.atoms(),
            invariant: formula.disjuncts().map(|disjunct| disjunct.atoms().to_vec()).collect(),
            rounds: 0,
        });
    }
}

/// The widenings that are tried: all of them, or those that treat equal atoms alike if there are too many.
fn guesses(formula: &Formula) -> Vec<BigUint> {
    let count = conjuncts(formula);
    if count <= MAX_CONJUNCTS {
        return (0..1_u64 << count).map(BigUint::from).collect();
    }
    let atoms = formula.atoms();
    let all: Vec<_> = formula.disjuncts().flat_map(Disjunct::atoms).collect();
    let kinds = atoms.len().min(MAX_CONJUNCTS as usize);
    (0..1_u64 << kinds)
        .map(|choice| {
            let mut guess = BigUint::default();
            for (number, atom) in all.iter().enumerate() {
                let kind = atoms.binary_search(atom).expect("invariant: it is one of the atoms");
                guess.set_bit(number as u64, kind < kinds && choice >> kind & 1 == 1);
            }
            guess
        })
        .collect()
}
