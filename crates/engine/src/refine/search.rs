//! The search: property-directed reachability with implicit predicate abstraction, location by location.
//!
//! Frame `k` of a location has lemmas that hold in every state which is there after at most `k` steps. A state that
//! leads to the error is abstracted to the predicates of its location that hold in it, a cube. Either it has a
//! predecessor, whose cube is the next proof obligation, or some of its literals can be blocked, which is a lemma.
//! When obligations lead back to the start, the path is checked without abstraction: it is a run, or infeasible, and
//! then new predicates exclude it (IC3 with implicit predicate abstraction; Cimatti, Griggio, Mover and Tonetta,
//! 2014).

mod portfolio;

use super::minimise::minimise;
use super::path::{Feasibility, PathStep, feasible, reasons, run, values, weakest};
use super::predicates::Predicates;
use super::program::{LocationId, Program, TransitionId};
use super::steps::{Step, Steps, Values};
use crate::common::log;
use crate::common::search::Found;
use crate::common::watch::{Progress, Stop, Watch};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tenet_solve::{Answer, Effort, EffortBudget, Limits, Meter, Solver, Statistics, Z3Solver};
use tenet_system::{Lemma, System};
use tenet_term::{Model, Substitution, SymbolId, TermId};
use tracing::{debug, debug_span};

pub struct Search<'a> {
    system: &'a mut System,
    watch: &'a mut dyn Watch,
    program: Program,
    consts: Vec<SymbolId>,
    steps: Steps,
    predicates: Predicates,
    /// The blocked cubes of each location.
    blocked: Vec<Vec<BlockedCube>>,
    /// The invariants of each location.
    invariants: Vec<Vec<TermId>>,
    lifter: Z3Solver,
    /// The number of the last frame.
    depth: usize,
    refinements: usize,
    /// Counts the work of all solvers.
    meter: Meter,
    /// The budget of the current slice of the portfolio.
    slice_budget: EffortBudget,
    /// Statistics of the solvers that do not ask about steps.
    others: Statistics,
    /// The last obstacle of the search for lemmas.
    obstacle: String,
}

/// A lemma: no state within this many steps has all of these literals.
#[derive(Clone, Debug)]
struct BlockedCube {
    cube: Vec<TermId>,
    level: usize,
}

/// A proof obligation: a cube that has to be blocked in a frame.
#[derive(Clone, Debug)]
struct Obligation {
    location: LocationId,
    cube: Vec<TermId>,
    /// Its successor on the way to the error: the transition, its values, and the obligation it leads to.
    next: Option<(TransitionId, Values, usize)>,
}

/// Why the search for lemmas stopped.
enum Halt {
    /// The budget of the slice is used up.
    SliceSpent,
    /// The search cannot go on, for this reason; other parts of the portfolio may.
    Stuck(String),
    Stopped(Stop),
}

/// The outcome of an obligation.
enum Blocked {
    /// It is blocked by these literals.
    By(Vec<TermId>),
    /// It has a predecessor by this transition.
    Not(TransitionId, Values),
}

impl<'a> Search<'a> {
    pub fn new(system: &'a mut System, program: Program, watch: &'a mut dyn Watch) -> Search<'a> {
        let meter = Meter::default();
        let limits = Limits::until(watch.interrupt()).counted(&meter);
        let consts = system.consts.clone();
        let steps = Steps::new(&mut system.store, &program, &consts, &limits);
        let predicates = Predicates::new(&mut system.store, &program);
        let count = program.locations.len();
        let mut lifter = Z3Solver::new();
        lifter.set_limits(limits);
        Search {
            system,
            watch,
            program,
            consts,
            steps,
            predicates,
            blocked: vec![Vec::new(); count],
            invariants: vec![Vec::new(); count],
            lifter,
            depth: 0,
            refinements: 0,
            slice_budget: EffortBudget::of(&meter, Effort::default()),
            meter,
            others: Statistics::default(),
            obstacle: String::new(),
        }
    }

    pub fn statistics(&self) -> Statistics {
        let (calls, seconds) = self.steps.statistics();
        Statistics { calls: calls + self.others.calls, seconds: seconds + self.others.seconds }
    }

    /// How many predicates there are, and how often some were added.
    pub fn effort(&self) -> (usize, usize) {
        (self.predicates.len(), self.refinements)
    }

    /// Runs until there is an answer or the slice is used up.
    fn look_for_lemmas(&mut self) -> Result<Found, Halt> {
        loop {
            self.depth = self.depth.max(1);
            let _span = debug_span!("frame", level = self.depth).entered();
            debug!(predicates = self.predicates.len(), "frame begins");
            while let Some(path) = self.strengthen()? {
                if let Some(found) = self.follow(&path)? {
                    return Ok(found);
                }
            }
            if let Some(level) = self.propagate()? {
                return Ok(Found::Proof(self.lemmas(level)));
            }
            self.depth += 1;
        }
    }

    fn go_on(&mut self) -> Result<(), Halt> {
        self.watch.progress(&Progress {
            phase: "searching for lemmas",
            iteration: self.depth,
            abstract_states: 0,
            predicates: self.predicates.len(),
            solver_calls: self.steps.statistics().0,
        });
        if self.slice_budget.is_spent() {
            return Err(Halt::SliceSpent);
        }
        self.watch.stop().map_or(Ok(()), |stop| Err(Halt::Stopped(stop)))
    }

    /// Blocks the error in the last frame; or finds an abstract path to it.
    fn strengthen(&mut self) -> Result<Option<Vec<PathStep>>, Halt> {
        let mut obligations =
            vec![Obligation { location: self.program.error(), cube: Vec::new(), next: None }];
        let mut queue = BinaryHeap::from([Reverse((self.depth, 0_usize))]);
        while let Some(Reverse((level, position))) = queue.pop() {
            self.go_on()?;
            let Obligation { location, cube, .. } = obligations[position].clone();
            if self.is_excluded(location, &cube, level) {
                continue;
            }
            match self.block(location, &cube, level)? {
                Blocked::By(core) => {
                    let literals_before = cube.len();
                    let (cube, level) = self.generalise(location, core, level)?;
                    debug!(location, level, literals_before, literals = cube.len(), "cube generalised");
                    self.exclude(location, cube, level);
                    if level < self.depth && position != 0 {
                        queue.push(Reverse((level + 1, position)));
                    }
                }
                Blocked::Not(step, values) => {
                    let Some(source) = self.program.transitions[step].source else {
                        return Ok(Some(path(&obligations, position, step, values)));
                    };
                    let before = self.cube_before(step, source, &values, &cube)?;
                    debug!(
                        location = source,
                        level = level - 1,
                        literals = before.len(),
                        cube = log::cube(&self.system.store, &before),
                        "counterexample to induction"
                    );
                    obligations.push(Obligation {
                        location: source,
                        cube: before,
                        next: Some((step, values, position)),
                    });
                    queue.push(Reverse((level, position)));
                    queue.push(Reverse((level - 1, obligations.len() - 1)));
                }
            }
        }
        Ok(None)
    }

    fn is_excluded(&self, location: LocationId, cube: &[TermId], level: usize) -> bool {
        let is_part = |blocked: &BlockedCube| blocked.cube.iter().all(|literal| cube.contains(literal));
        self.blocked[location].iter().any(|known| known.level >= level && is_part(known))
    }

    /// Can the cube be blocked in this frame?
    fn block(&mut self, location: LocationId, cube: &[TermId], level: usize) -> Result<Blocked, Halt> {
        let mut core: Vec<TermId> = Vec::new();
        for position in 0..self.program.locations[location].incoming.len() {
            let step = self.program.locations[location].incoming[position];
            match self.ask(step, location, cube, level)? {
                Step::Impossible(used) => core.extend(used),
                Step::Possible(values) => return Ok(Blocked::Not(step, values)),
                Step::Unknown(reason) => return Err(self.inconclusive(reason)),
            }
        }
        core.sort_unstable();
        core.dedup();
        Ok(Blocked::By(core))
    }

    fn ask(
        &mut self,
        step: TransitionId,
        location: LocationId,
        cube: &[TermId],
        level: usize,
    ) -> Result<Step, Halt> {
        let source = self.program.transitions[step].source;
        if source.is_some() && level == 1 {
            return Ok(Step::Impossible(Vec::new())); // No state is reachable before the start.
        }
        let also = (source == Some(location) && !cube.is_empty()).then(|| self.denial(cube));
        let levels = if source.is_some() { level - 1..self.depth + 1 } else { 0..0 };
        Ok(self.steps.ask(&mut self.system.store, step, levels, also, cube))
    }

    /// The clause that blocks a cube.
    fn denial(&mut self, cube: &[TermId]) -> TermId {
        let store = &mut self.system.store;
        let all = store.mk_and(cube.iter().copied());
        store.mk_not(all)
    }

    fn inconclusive(&self, reason: String) -> Halt {
        let unknown = || Halt::Stuck(format!("the solver does not know: {reason}"));
        self.watch.stop().map_or_else(unknown, Halt::Stopped)
    }

    /// The cube of the state before a step; lifted to the literals that suffice for the step, if some do.
    fn cube_before(
        &mut self,
        step: TransitionId,
        source: LocationId,
        values: &Values,
        cube: &[TermId],
    ) -> Result<Vec<TermId>, Halt> {
        let mut model = Model::new();
        values.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
        let store = &mut self.system.store;
        let literals = self.predicates.literals(store, source, &model);
        let literals = literals.ok_or_else(|| Halt::Stuck("a value is missing".to_owned()))?;
        let transition = &self.program.transitions[step];
        let mut chosen = Substitution::new();
        for (symbol, value) in values.iter().filter(|(symbol, _)| transition.params.contains(symbol)) {
            let sort = store.symbol(*symbol).sort;
            if let Some(value) = store.mk_value(sort, value) {
                chosen.insert(store, *symbol, value);
            }
        }
        let mut parts = vec![transition.guard];
        for &literal in cube {
            parts.push(self.steps.after(store, step, literal));
        }
        let taken = store.mk_and(parts);
        let taken = store.substitute(taken, &chosen);
        let not_taken = store.mk_not(taken);
        self.lifter.push();
        self.lifter.assert(store, not_taken);
        let answer = self.lifter.check(store, &literals);
        let lifted = if answer == Answer::Unsat { self.lifter.core() } else { literals };
        self.lifter.pop();
        Ok(lifted)
    }

    /// A generalisation of the cube that can be blocked as well, and up to which frame.
    fn generalise(
        &mut self,
        location: LocationId,
        mut cube: Vec<TermId>,
        level: usize,
    ) -> Result<(Vec<TermId>, usize), Halt> {
        let mut position = 0;
        while position < cube.len() {
            let mut fewer = cube.clone();
            fewer.remove(position);
            match self.block(location, &fewer, level)? {
                Blocked::By(core) => cube = core,
                Blocked::Not(..) => position += 1,
            }
        }
        let mut level = level;
        while level < self.depth {
            let Blocked::By(_) = self.block(location, &cube, level + 1)? else { break };
            level += 1;
        }
        Ok((cube, level))
    }

    fn exclude(&mut self, location: LocationId, cube: Vec<TermId>, level: usize) {
        if location == self.program.error() {
            return;
        }
        let lemma = self.denial(&cube);
        debug!(location, level, lemma = log::formula(&self.system.store, lemma), "lemma learned");
        self.steps.learn(&mut self.system.store, &self.program, location, lemma, Some(level));
        let is_weaker = |known: &BlockedCube| {
            known.level <= level && cube.iter().all(|literal| known.cube.contains(literal))
        };
        self.blocked[location].retain(|known| !is_weaker(known));
        self.blocked[location].push(BlockedCube { cube, level });
    }

    /// Pushes lemmas to later frames. If a frame has none of its own then, the ones after it are inductive.
    fn propagate(&mut self) -> Result<Option<usize>, Halt> {
        for level in 1..self.depth {
            for location in 0..self.program.error() {
                let known: Vec<BlockedCube> =
                    self.blocked[location].iter().filter(|known| known.level == level).cloned().collect();
                for blocked in known {
                    self.go_on()?;
                    if let Blocked::By(core) = self.block(location, &blocked.cube, level + 1)? {
                        let cube = if core.is_empty() { blocked.cube } else { core };
                        self.exclude(location, cube, level + 1);
                    }
                }
            }
            if !self.blocked.iter().flatten().any(|known| known.level == level) {
                debug!(level, "lemmas are inductive");
                return Ok(Some(level));
            }
        }
        Ok(None)
    }

    /// The invariant: what a proof needs of the lemmas after a frame and of the invariants of locations.
    fn lemmas(&mut self, level: usize) -> Vec<Lemma> {
        let mut formulas = self.invariants.clone();
        for (location, formulas) in formulas.iter_mut().enumerate().take(self.program.error()) {
            let known = self.blocked[location].iter().filter(|known| known.level > level);
            let cubes: Vec<Vec<TermId>> = known.map(|known| known.cube.clone()).collect();
            formulas.extend(cubes.iter().map(|cube| self.denial(cube)));
        }
        self.as_lemmas(formulas)
    }

    /// The formulas about locations that a proof needs, as lemmas.
    fn as_lemmas(&mut self, formulas: Vec<Vec<TermId>>) -> Vec<Lemma> {
        let limits = self.steps.limits().clone();
        let needed = minimise(&mut self.system.store, &self.program, &formulas, &limits).unwrap_or(formulas);
        let mut lemmas = vec![self.somewhere()];
        for (location, formulas) in needed.into_iter().enumerate().take(self.program.error()) {
            lemmas
                .extend(formulas.into_iter().map(|formula| self.here(location, formula)).collect::<Vec<_>>());
        }
        // The declared ranges were assumed before every step, and that they are kept was among the properties.
        lemmas.extend(self.system.value_lemmas().into_iter().map(|lemma| lemma.body));
        lemmas.retain(|&body| body != TermId::TRUE);
        lemmas.into_iter().map(|body| Lemma { vars: Vec::new(), body }).collect()
    }

    fn here(&mut self, location: LocationId, formula: TermId) -> TermId {
        let here = self.is_at(location);
        self.system.store.mk_implies(here, formula)
    }

    fn is_at(&mut self, location: LocationId) -> TermId {
        let store = &mut self.system.store;
        let mut control = Vec::new();
        for &(symbol, value) in &self.program.locations[location].control {
            let symbol = store.mk_symbol(symbol);
            control.push(store.mk_eq(symbol, value));
        }
        store.mk_and(control)
    }

    /// That the control is at one of the locations.
    fn somewhere(&mut self) -> TermId {
        let places: Vec<TermId> = (0..self.program.error()).map(|location| self.is_at(location)).collect();
        self.system.store.mk_or(places)
    }

    /// Concretises an abstract path: a run, or new predicates.
    fn follow(&mut self, path: &[PathStep]) -> Result<Option<Found>, Halt> {
        let transitions: Vec<TransitionId> = path.iter().map(|step| step.transition).collect();
        let limits = self.steps.limits().clone();
        let store = &mut self.system.store;
        match feasible(store, &self.program, &self.consts, &transitions, &limits) {
            Feasibility::Possible(route) => match run(self.system, &self.program, &route) {
                Some(found) => Ok(Some(found)),
                None => Err(Halt::Stuck("a run cannot be replayed".to_owned())),
            },
            Feasibility::Unknown(reason) => Err(self.inconclusive(reason)),
            Feasibility::Impossible => self.refine(path, &limits).map(|()| None),
        }
    }

    /// Adds predicates that exclude the path.
    fn refine(&mut self, path: &[PathStep], limits: &Limits) -> Result<(), Halt> {
        self.refinements += 1;
        debug!(number = self.refinements, steps = path.len(), "refinement: an abstract path is not possible");
        let store = &mut self.system.store;
        let found = reasons(store, &self.program, path, limits).unwrap_or_default();
        let mut is_new = false;
        for (location, formula) in found {
            is_new |= self.predicates.add(store, location, formula);
        }
        if is_new {
            return Ok(());
        }
        for (location, formula) in weakest(store, &self.program, path) {
            is_new |= self.predicates.add(store, location, formula);
        }
        if is_new {
            return Ok(());
        }
        for (location, formula) in values(store, &self.program, path) {
            is_new |= self.predicates.add(store, location, formula);
        }
        match is_new {
            true => Ok(()),
            false => {
                let steps = path.len();
                Err(Halt::Stuck(format!(
                    "no predicates exclude a path of {steps} steps that is not possible"
                )))
            }
        }
    }
}

fn path(obligations: &[Obligation], first: usize, step: TransitionId, values: Values) -> Vec<PathStep> {
    let mut path = Vec::new();
    let mut here = Some((step, values, first));
    while let Some((transition, values, position)) = here {
        let obligation = &obligations[position];
        path.push(PathStep { transition, values, cube: obligation.cube.clone() });
        here = obligation.next.clone();
    }
    path
}
