//! The solver: scopes, assumptions, cores.

use std::time::Instant;

use ::z3::SatResult;
use ::z3::ast::Bool;
use rustc_hash::FxHashMap;
use tenet_term::{Op, TermId, TermStore, Value};

use super::builder::{Z3Builder, bool_of};
use super::run::Runner;
use super::values::Values;
use crate::encode::Encoder;
use crate::{Answer, Limits, Solver, Statistics};

/// Z3, linked into this process. Every call must pass the same store, which may have grown.
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
    scopes: Vec<Scope>,
    /// How many of the encoder's axioms are asserted.
    axioms: usize,
    /// Literals that stand for assumptions, by what they imply.
    proxies: FxHashMap<TermId, Proxy>,
    /// The proxies whose implication is asserted, in that order.
    active: Vec<TermId>,
    /// What was assumed in the last check.
    assumed: Vec<(Bool, TermId)>,
    /// The model after `Sat`, once somebody has asked for it.
    values: Option<Values>,
    statistics: Statistics,
}

/// What was asserted outside a scope.
struct Scope {
    axioms: usize,
    active: usize,
}

struct Proxy {
    literal: Bool,
    /// Is the implication from the literal asserted at the moment?
    active: bool,
}

impl Default for Z3Solver {
    fn default() -> Z3Solver {
        Z3Solver::new()
    }
}

impl Z3Solver {
    /// A solver without assertions.
    #[must_use]
    pub fn new() -> Z3Solver {
        Z3Solver {
            encoder: Encoder::new(Z3Builder),
            runner: Runner::new(),
            scopes: Vec::new(),
            axioms: 0,
            proxies: FxHashMap::default(),
            active: Vec::new(),
            assumed: Vec::new(),
            values: None,
            statistics: Statistics::default(),
        }
    }

    fn assert_axioms(&mut self) {
        for axiom in &self.encoder.axioms()[self.axioms..] {
            self.runner.solver.assert(bool_of(axiom));
        }
        self.axioms = self.encoder.axioms().len();
    }

    /// The literal to assume for a formula: itself, if it is one, else one that implies it.
    fn literal(&mut self, store: &TermStore, formula: TermId) -> Bool {
        let ast = bool_of(&self.encoder.encode(store, formula));
        if is_literal(store, formula) {
            return ast;
        }
        if !self.proxies.contains_key(&formula) {
            let literal = bool_of(&self.encoder.fresh_literal());
            self.proxies.insert(formula, Proxy { literal, active: false });
        }
        let proxy = self.proxies.get_mut(&formula).expect("invariant: inserted above");
        if !proxy.active {
            proxy.active = true;
            self.active.push(formula);
            self.runner.solver.assert(proxy.literal.implies(&ast));
        }
        proxy.literal.clone()
    }
}

/// A truth-valued symbol, or the negation of one.
fn is_literal(store: &TermStore, formula: TermId) -> bool {
    let atom = if *store.op(formula) == Op::Not { store.args(formula)[0] } else { formula };
    store.as_symbol(atom).is_some()
}

impl Solver for Z3Solver {
    fn name(&self) -> String {
        format!("Z3 {} (in process)", crate::z3_version())
    }

    fn push(&mut self) {
        self.scopes.push(Scope { axioms: self.axioms, active: self.active.len() });
        self.runner.solver.push();
    }

    fn pop(&mut self) {
        let scope = self.scopes.pop().expect("invariant: there is a scope to close");
        self.axioms = scope.axioms;
        for formula in self.active.drain(scope.active..) {
            self.proxies.get_mut(&formula).expect("invariant: active proxies exist").active = false;
        }
        self.runner.solver.pop(1);
    }

    fn assert(&mut self, store: &TermStore, formula: TermId) {
        let ast = bool_of(&self.encoder.encode(store, formula));
        self.runner.solver.assert(ast);
    }

    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Answer {
        let start = Instant::now();
        self.values = None;
        self.assumed.clear();
        for &assumption in assumptions {
            let literal = self.literal(store, assumption);
            self.assumed.push((literal, assumption));
        }
        self.assert_axioms();
        let literals: Vec<Bool> = self.assumed.iter().map(|(literal, _)| literal.clone()).collect();
        let answer = match self.runner.run(start, &literals) {
            Ok(SatResult::Sat) => Answer::Sat,
            Ok(SatResult::Unsat) => Answer::Unsat,
            Ok(SatResult::Unknown) => Answer::Unknown(self.runner.reason()),
            Err(reason) => Answer::Unknown(reason),
        };
        self.statistics.calls += 1;
        self.statistics.seconds += start.elapsed().as_secs_f64();
        answer
    }

    fn core(&mut self) -> Vec<TermId> {
        let core = self.runner.solver.get_unsat_core();
        let used = |literal: &Bool| core.iter().any(|other| other.ast_eq(literal));
        self.assumed.iter().filter(|(literal, _)| used(literal)).map(|&(_, formula)| formula).collect()
    }

    fn values(&mut self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Value>> {
        if self.values.is_none() {
            self.values = self.runner.solver.get_model().map(Values::new);
        }
        let Some(values) = &mut self.values else { return vec![None; terms.len()] };
        terms.iter().map(|&term| values.get(&mut self.encoder, store, term, self.axioms)).collect()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.runner.limits = limits;
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
