//! Method I: abstract fixpoints, and refinement by the exact operator in the same direction (Ball, Podelski and Rajamani,
//! section 3). The loop is also that of Method III, which differs from the forward version in where predicates come from only.

use super::Attempt;
use super::exact::Exact;
use super::fixpoint::{Fixpoint, abstraction, element, fixpoint};
use super::method_three::dual;
use super::operator::{Operator, Predicates};
use super::outcome::{Conclusion, Direction, Early, Iteration, Reason};
use tenet_abstraction::monotone::Monotone;

/// Where the predicates of an abstract fixpoint come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refinement {
    /// The atoms of the exact iteration of the same operator.
    Same,
    /// The negated atoms of the exact backward iteration.
    Dual,
}

impl Attempt<'_> {
    /// Method I in a direction, or Method III: forward with dual refinement.
    pub(super) fn refine(
        &mut self,
        direction: Direction,
        refinement: Refinement,
    ) -> Result<Conclusion, Early> {
        let program = self.program.clone();
        let operator = Operator::new(&program, direction, self.options);
        let source = match refinement {
            Refinement::Same => Operator::new(&program, direction, self.options),
            Refinement::Dual => Operator::new(&program, Direction::Backward, self.options),
        };
        let mut exact = Exact::new(source.start());
        for number in 0.. {
            if let Some(conclusion) = self.incorrect(&mut exact, &source) {
                return Ok(conclusion);
            }
            let atoms = match refinement {
                Refinement::Same => exact.formula.atoms(),
                Refinement::Dual => dual(&mut self.system.store, exact.formula.atoms(), program.is_split),
            };
            self.report(number, atoms.len());
            let predicates = Predicates::new(&mut self.system.store, &operator, atoms);
            let start = self.start(&operator, refinement, &predicates);
            let store = &mut self.system.store;
            let Fixpoint { element, rounds } =
                fixpoint(store, &operator, &mut self.prover, &predicates, start, self.watch)?;
            let psi = predicates.formula(&element);
            self.iterations.push(Iteration {
                predicates: predicates.atoms.clone(),
                invariant: psi.disjuncts().map(|disjunct| disjunct.atoms().to_vec()).collect(),
                rounds,
            });
            let end = operator.end();
            if psi.disjuncts().all(|disjunct| self.prover.excludes(store, disjunct, end)) {
                return Ok(self.proved(&psi, direction));
            }
            if number == self.options.iterations {
                return Ok(Conclusion::Open(Reason::Iterations(number)));
            }
            if !exact.advance(store, &source, &mut self.prover, self.watch)? {
                return Ok(Conclusion::Open(Reason::TooLarge));
            }
        }
        unreachable!("the last iteration returns")
    }

    /// Where the abstract fixpoint starts. The start of Method I is in the lattice as it is; the initial states of Method
    /// III need not be, so they are abstracted (RC-T10).
    fn start(
        &mut self,
        operator: &Operator<'_>,
        refinement: Refinement,
        predicates: &Predicates,
    ) -> Monotone {
        match refinement {
            Refinement::Same => element(predicates, operator.start()),
            Refinement::Dual => {
                abstraction(&mut self.system.store, &mut self.prover, predicates, operator.start())
            }
        }
    }
}
