//! The solver: scopes, assumptions, cores.

use std::time::Instant;

use ::z3::ast::{Bool, Dynamic};
use tenet_term::{TermId, TermStore, Value};

use super::builder::{Z3Builder, bool_of};
use super::run::{Purpose, Runner};
use super::values::Values;
use crate::encode::Encoder;
use crate::questions::{self, Asserted};
use crate::stack::Stack;
use crate::{Answer, Limits, Solver, Statistics};

/// Z3, linked into this process. Every call must pass the same store, which may have grown. Assuming
/// facts is several times cheaper than asserting them in a scope: a scope's facts are digested anew each time.
///
/// ```
/// use tenet_solve::{Answer, Solver, Z3Solver};
/// use tenet_term::{Role, SortId, TermStore, Value};
///
/// let mut store = TermStore::new();
/// let x = store.declare("x", SortId::INT, Role::State);
/// let (x, two, four) = (store.mk_symbol(x), store.mk_int(2), store.mk_int(4));
/// let (above, below) = (store.mk_lt(two, x), store.mk_lt(x, four));
///
/// let mut solver = Z3Solver::new();
/// solver.assert(&store, above);
/// assert_eq!(solver.check(&store, &[below]), Answer::Sat);
/// assert_eq!(solver.values(&store, &[x]), [Some(Value::int(3))]);
/// ```
pub struct Z3Solver {
    encoder: Encoder<Z3Builder>,
    runner: Runner,
    stack: Stack<Dynamic>,
    asserted: Asserted,
    /// The model after `Sat`, fetched on demand.
    values: Option<Values>,
    statistics: Statistics,
}

impl Default for Z3Solver {
    fn default() -> Z3Solver {
        Z3Solver::new()
    }
}

impl Z3Solver {
    #[must_use]
    pub fn new() -> Z3Solver {
        Z3Solver::with(Purpose::General)
    }

    /// A solver for questions without quantifiers, at which it is faster. Quantifiers are still understood.
    #[must_use]
    pub fn ground() -> Z3Solver {
        Z3Solver::with(Purpose::Ground)
    }

    /// A solver for questions without quantifiers whose formulas are mostly instances of quantified ones.
    #[must_use]
    pub fn instances() -> Z3Solver {
        Z3Solver::with(Purpose::Instances)
    }

    /// The same solver with a limit for each check that does not depend on the clock: units of Z3's own resource
    /// counter.
    #[must_use]
    pub fn within(mut self, units: u32) -> Z3Solver {
        self.runner.ceiling = units;
        self
    }

    fn with(purpose: Purpose) -> Z3Solver {
        Z3Solver {
            encoder: Encoder::new(Z3Builder),
            runner: Runner::new(purpose),
            stack: Stack::new(),
            asserted: Asserted::new(),
            values: None,
            statistics: Statistics::default(),
        }
    }
}

impl Solver for Z3Solver {
    fn name(&self) -> String {
        format!("Z3 {} (in process)", crate::z3_version())
    }

    fn push(&mut self) {
        self.stack.push();
        self.asserted.push();
        self.runner.solver.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.asserted.pop();
        self.runner.solver.pop(1);
    }

    fn assert(&mut self, store: &TermStore, formula: TermId) {
        let ast = bool_of(&self.encoder.encode(store, formula));
        self.runner.solver.assert(ast);
        self.asserted.assert(formula);
    }

    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Answer {
        let start = Instant::now();
        self.values = None;
        for fact in self.stack.assume(&mut self.encoder, store, assumptions) {
            self.runner.solver.assert(bool_of(&fact));
        }
        let literals: Vec<Bool> = self.stack.assumed().iter().map(|(literal, _)| bool_of(literal)).collect();
        let result = self.runner.run(start, &literals);
        let answer = self.runner.answer(&result);
        self.statistics.calls += 1;
        self.statistics.seconds += start.elapsed().as_secs_f64();
        let text = || self.asserted.question(store, assumptions);
        questions::log("z3", &answer, self.runner.spent, start, text);
        answer
    }

    fn core(&mut self) -> Vec<TermId> {
        let core: Vec<Dynamic> = self.runner.solver.get_unsat_core().into_iter().map(Dynamic::from).collect();
        let used = |literal: &Dynamic| core.iter().any(|other| other.ast_eq(literal));
        let assumed = self.stack.assumed().iter();
        assumed.filter(|(literal, _)| used(literal)).map(|&(_, formula)| formula).collect()
    }

    fn values(&mut self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Value>> {
        if self.values.is_none() {
            self.values = self.runner.solver.get_model().map(Values::new);
        }
        let Some(values) = &mut self.values else { return vec![None; terms.len()] };
        let axioms = self.stack.axioms();
        terms.iter().map(|&term| values.get(&mut self.encoder, store, term, axioms)).collect()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.runner.limits = limits;
    }

    fn limits(&self) -> Limits {
        self.runner.limits.clone()
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
