//! Queries about constraints. Atoms never occur in them: what they have to say is said as equations of arguments.

use tenet_solve::{Answer, Effort, Limits, Meter, Solver, Z3Solver};
use tenet_term::{TermId, TermStore, Value};

use crate::Watch;

/// Effort for one question: the search asks many, and a slow one is mostly one that cannot be answered.
const EFFORT_PER_QUESTION: Effort = Effort::millis(1500);
/// Effort for a question whose answer only saves work.
const EFFORT_PER_SHORTCUT: Effort = Effort::millis(200);

/// A solver for constraints, with its limits.
pub(super) struct ConstraintSolver {
    solver: Z3Solver,
    limits: Limits,
    pub(super) meter: Meter,
}

impl ConstraintSolver {
    pub(super) fn new(watch: &dyn Watch) -> ConstraintSolver {
        let meter = Meter::default();
        ConstraintSolver {
            solver: Z3Solver::new(),
            limits: Limits::until(watch.interrupt()).counted(&meter),
            meter,
        }
    }

    pub(super) fn calls(&self) -> u64 {
        self.solver.statistics().calls
    }

    /// Is it proved that these contradict each other?
    pub(super) fn refutes(&mut self, store: &TermStore, formulas: &[TermId]) -> bool {
        self.ask(store, formulas, &[], EFFORT_PER_QUESTION).is_proved()
    }

    /// The same, where the answer only saves work.
    pub(super) fn refutes_quickly(&mut self, store: &TermStore, formulas: &[TermId]) -> bool {
        self.ask(store, formulas, &[], EFFORT_PER_SHORTCUT).is_proved()
    }

    /// Do these together contradict the others? If so, some that suffice.
    pub(super) fn core(
        &mut self,
        store: &TermStore,
        formulas: &[TermId],
        optional: &[TermId],
    ) -> Option<Vec<TermId>> {
        self.solver.push();
        let answer = self.ask_here(store, formulas, optional, EFFORT_PER_QUESTION);
        let core = answer.is_proved().then(|| self.solver.core());
        self.solver.pop();
        core
    }

    /// Is it known that these can be true together?
    pub(super) fn is_satisfiable(&mut self, store: &TermStore, formulas: &[TermId]) -> bool {
        self.ask(store, formulas, &[], EFFORT_PER_QUESTION).is_real() == Some(true)
    }

    /// The values of terms in a model of these.
    pub(super) fn model(
        &mut self,
        store: &TermStore,
        formulas: &[TermId],
        terms: &[TermId],
    ) -> Option<Vec<Option<Value>>> {
        self.solver.push();
        let answer = self.ask_here(store, formulas, &[], EFFORT_PER_QUESTION);
        let values = (answer.is_real() == Some(true)).then(|| self.solver.values(store, terms));
        self.solver.pop();
        values
    }

    fn ask(&mut self, store: &TermStore, formulas: &[TermId], optional: &[TermId], effort: Effort) -> Answer {
        if formulas.contains(&TermId::FALSE) {
            return Answer::Unsat;
        }
        self.solver.push();
        let answer = self.ask_here(store, formulas, optional, effort);
        self.solver.pop();
        answer
    }

    fn ask_here(
        &mut self,
        store: &TermStore,
        formulas: &[TermId],
        optional: &[TermId],
        effort: Effort,
    ) -> Answer {
        self.solver.set_limits(self.limits.clone().within(effort));
        for &formula in formulas {
            self.solver.assert(store, formula);
        }
        self.solver.check(store, optional)
    }
}
