//! A solver that enumerates every model of some finite symbols, and so is complete for them; it can be made to answer
//! `Unknown` at random, as real ones do.

use tenet_abstraction::finite::{Domain, FiniteError};
use tenet_chance::Random;
use tenet_solve::{Answer, Limits, Solver, Statistics};
use tenet_term::{Model, SortId, SymbolId, TermId, TermStore, Value};

pub struct Brute {
    models: Vec<Model>,
    /// The models that satisfy what is asserted, one list for each open scope.
    live: Vec<Vec<usize>>,
    found: Option<usize>,
    assumptions: Vec<TermId>,
    statistics: Statistics,
    /// One answer in this many is `Unknown`; none if zero.
    unknown_one_in: u64,
    seed: u64,
}

impl Brute {
    /// A solver for formulas over these symbols in an instance with these sizes.
    pub fn new(
        store: &TermStore,
        sizes: &[(SortId, u32)],
        symbols: &[SymbolId],
        limit: usize,
    ) -> Result<Brute, FiniteError> {
        let mut base = Model::new();
        for &(sort, size) in sizes {
            base.set_size(sort, size);
        }
        let domain = Domain::new(store, &base, symbols, "models", limit)?;
        let models: Vec<Model> = (0..domain.count())
            .map(|number| {
                let mut model = base.clone();
                domain.assign(number, &mut model);
                model
            })
            .collect();
        let live = vec![(0..models.len()).collect()];
        let (found, assumptions, statistics) = (None, Vec::new(), Statistics::default());
        Ok(Brute { models, live, found, assumptions, statistics, unknown_one_in: 0, seed: 0 })
    }

    /// From now on one answer in `one_in` is `Unknown`, at random.
    pub fn forget(&mut self, one_in: u64, seed: u64) {
        (self.unknown_one_in, self.seed) = (one_in, seed);
    }

    fn forgets(&mut self) -> bool {
        self.seed = Random::new(self.seed).number();
        self.unknown_one_in > 0 && self.seed.is_multiple_of(self.unknown_one_in)
    }

    fn satisfies(&self, store: &TermStore, model: usize, formula: TermId) -> bool {
        self.models[model].holds(store, formula).expect("the formula speaks of known symbols")
    }
}

impl Solver for Brute {
    fn name(&self) -> String {
        "all models".to_string()
    }

    fn push(&mut self) {
        self.live.push(self.live.last().expect("a scope is open").clone());
    }

    fn pop(&mut self) {
        assert!(self.live.len() > 1, "nothing was pushed");
        self.live.pop();
    }

    fn assert(&mut self, store: &TermStore, formula: TermId) {
        let mut live = self.live.pop().expect("a scope is open");
        live.retain(|&model| self.satisfies(store, model, formula));
        self.live.push(live);
    }

    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Answer {
        self.statistics.calls += 1;
        (self.found, self.assumptions) = (None, assumptions.to_vec());
        if self.forgets() {
            return Answer::Unknown("forgotten".to_string());
        }
        let live = self.live.last().expect("a scope is open");
        let holds =
            |&&model: &&usize| assumptions.iter().all(|&formula| self.satisfies(store, model, formula));
        self.found = live.iter().find(holds).copied();
        if self.found.is_some() { Answer::Sat } else { Answer::Unsat }
    }

    fn core(&mut self) -> Vec<TermId> {
        self.assumptions.clone()
    }

    fn values(&mut self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Value>> {
        let model = &self.models[self.found.expect("the last answer was that there is a model")];
        terms.iter().map(|&term| model.evaluate(store, term).ok()).collect()
    }

    fn set_limits(&mut self, _: Limits) {}

    fn limits(&self) -> Limits {
        Limits::default()
    }

    fn statistics(&self) -> Statistics {
        self.statistics
    }
}
