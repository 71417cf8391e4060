//! Queries about steps: can a transition lead from a frame into a cube?
//!
//! One incremental solver for each transition holds its guard, the invariants of its source, and the lemmas of the
//! source, each under the switch of its frame. The new values are substituted into the cube, so there are no primed
//! variables. The literals of a cube are assumptions: an unsatisfiable core says which of them were needed.

use super::program::{LocationId, Program, TransitionId};
use rustc_hash::FxHashMap;
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_term::{Building, Role, SortId, Substituter, Substitution, SymbolId, TermId, TermStore, Value};

/// What a question about a step gave.
#[derive(Debug)]
pub enum Step {
    /// There is no such step; these literals of the cube suffice for that.
    Impossible(Vec<TermId>),
    /// There is one: values of what the transition reads.
    Possible(Values),
    Unknown(String),
}

/// Values of the source's variables, the parameters and the constants.
pub type Values = Vec<(SymbolId, Value)>;

/// The solvers, and the lemmas they know.
pub struct Steps {
    solvers: Vec<Asker>,
    switches: Vec<TermId>,
    limits: Limits,
}

struct Asker {
    solver: Z3Solver,
    after: Substituter,
    /// What a model is asked for.
    symbols: Vec<SymbolId>,
    terms: Vec<TermId>,
    /// Caches literals of cubes after the step.
    known: FxHashMap<TermId, TermId>,
}

impl Asker {
    /// Translates an answer back from literals after the step to those of the cube.
    fn read(&mut self, store: &TermStore, answer: Answer, back: &[(TermId, TermId)]) -> Step {
        match answer {
            Answer::Unsat if back.is_empty() => Step::Impossible(Vec::new()),
            Answer::Unsat => {
                let core = self.solver.core();
                let used = back.iter().filter(|(after, _)| core.contains(after));
                Step::Impossible(used.map(|&(_, literal)| literal).collect())
            }
            Answer::Sat => {
                let values = self.solver.values(store, &self.terms);
                let pairs = self.symbols.iter().copied().zip(values);
                let values: Option<Values> =
                    pairs.map(|(symbol, value)| value.map(|value| (symbol, value))).collect();
                values.map_or(Step::Unknown("a number that is not rational".to_owned()), Step::Possible)
            }
            Answer::Unknown(reason) => Step::Unknown(reason),
        }
    }
}

impl Steps {
    /// Solvers for all transitions of a program.
    pub fn new(store: &mut TermStore, program: &Program, consts: &[SymbolId], limits: &Limits) -> Steps {
        let mut solvers = Vec::new();
        for step in &program.transitions {
            let mut solver = Z3Solver::new();
            solver.set_limits(limits.clone());
            program.facts.iter().for_each(|&fact| solver.assert(store, fact));
            let mut symbols = Vec::new();
            if let Some(source) = step.source {
                let source = &program.locations[source];
                source.domains.iter().for_each(|&domain| solver.assert(store, domain));
                symbols.extend_from_slice(&source.data);
            }
            solver.assert(store, step.guard);
            symbols.extend(step.params.iter().chain(consts));
            let terms = symbols.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
            let substitution = Substitution::from_pairs(store, step.updates.iter().copied());
            let after = Substituter::new(store, &substitution, Building::Smart);
            solvers.push(Asker { solver, after, symbols, terms, known: FxHashMap::default() });
        }
        Steps { solvers, switches: Vec::new(), limits: limits.clone() }
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The weakest precondition of a formula under a transition.
    pub fn after(&mut self, store: &mut TermStore, step: TransitionId, formula: TermId) -> TermId {
        self.solvers[step].after.apply(store, formula)
    }

    fn switch(&mut self, store: &mut TermStore, level: usize) -> TermId {
        while self.switches.len() <= level {
            let name = format!("level {}", self.switches.len());
            let symbol = store.declare(&name, SortId::BOOL, Role::Skolem);
            self.switches.push(store.mk_symbol(symbol));
        }
        self.switches[level]
    }

    /// Adds a lemma about a location to this frame; without one, to all of them.
    pub fn learn(
        &mut self,
        store: &mut TermStore,
        program: &Program,
        location: LocationId,
        lemma: TermId,
        level: Option<usize>,
    ) {
        let fact = match level {
            Some(level) => {
                let switch = self.switch(store, level);
                store.mk_implies(switch, lemma)
            }
            None => lemma,
        };
        for &step in &program.locations[location].outgoing {
            self.solvers[step].solver.assert(store, fact);
        }
    }

    /// Can the transition lead from the frames of these levels, and this formula, into the cube?
    pub fn ask(
        &mut self,
        store: &mut TermStore,
        step: TransitionId,
        levels: std::ops::Range<usize>,
        also: Option<TermId>,
        cube: &[TermId],
    ) -> Step {
        let mut assumptions: Vec<TermId> =
            levels.map(|level| self.switch(store, level)).chain(also).collect();
        let asker = &mut self.solvers[step];
        let mut back: Vec<(TermId, TermId)> = Vec::new();
        for &literal in cube {
            let after = match asker.known.get(&literal) {
                Some(&after) => after,
                None => {
                    let after = asker.after.apply(store, literal);
                    asker.known.insert(literal, after);
                    after
                }
            };
            match after {
                TermId::TRUE => {}
                TermId::FALSE => return Step::Impossible(vec![literal]),
                _ => back.push((after, literal)),
            }
        }
        assumptions.extend(back.iter().map(|&(after, _)| after));
        let answer = asker.solver.check(store, &assumptions);
        asker.read(store, answer, &back)
    }

    /// Can the transition be taken from a state that satisfies these formulas to one that violates this one? For
    /// formulas that are asked about once: nothing of them stays in the solver.
    pub fn escape(
        &mut self,
        store: &mut TermStore,
        step: TransitionId,
        before: &[TermId],
        claim: TermId,
    ) -> Step {
        let claim = self.after(store, step, claim);
        let outside = store.mk_not(claim);
        let asker = &mut self.solvers[step];
        asker.solver.push();
        before.iter().chain([&outside]).for_each(|&formula| asker.solver.assert(store, formula));
        let answer = asker.solver.check(store, &[]);
        let step = asker.read(store, answer, &[]);
        asker.solver.pop();
        step
    }

    pub fn statistics(&self) -> (u64, f64) {
        let all = self.solvers.iter().map(|asker| asker.solver.statistics());
        all.fold((0, 0.0), |(calls, seconds), more| (calls + more.calls, seconds + more.seconds))
    }
}
