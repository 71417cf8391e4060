//! The queries of the search for lemmas, each to an incremental solver.

use super::Halt;
use super::frames::Work;
use super::netlist::Netlist;
use super::vocabulary::{Cube, Vocabulary, bits};
use rustc_hash::FxHashSet;
use tenet_solve::{Answer, Limits, Solver, Statistics};
use tenet_term::{Role, SortId, Substituter, SymbolId, TermId, TermStore, Value};

/// Questions after which the solver for steps is replaced: clauses of past questions only slow it down.
const QUESTIONS_PER_SOLVER: u64 = 20_000;

pub struct Questions {
    /// One step from a frame.
    steps: Box<dyn Solver>,
    /// One step from the initial states.
    first: Box<dyn Solver>,
    /// The initial states.
    initial_states: Box<dyn Solver>,
    /// Lifting: which literals of a state suffice for a step.
    lifter: Box<dyn Solver>,
    /// The switch of each frame's clauses.
    levels: Vec<TermId>,
    /// Substitutes the initial values for the state.
    to_initial: Substituter,
    /// The bits of inputs, and of each register.
    input_bits: Vec<TermId>,
    register_bits: Vec<Vec<TermId>>,
    /// The registers that assumptions speak of.
    constrained: Vec<u32>,
    /// Is lifting switched off? Where predicates hide a part of the state, a lifted cube may have spurious
    /// predecessors.
    is_lifting_off: bool,
    limits: Limits,
    /// The statistics of solvers that were replaced, and the number of questions at the last replacement.
    past: Statistics,
}

impl Questions {
    pub fn new(store: &mut TermStore, netlist: &Netlist) -> Questions {
        let limits = Limits::default();
        let mut to_initial =
            Substituter::new(store, &netlist.initial_values(store), tenet_term::Building::Smart);
        let constraint = to_initial.apply(store, netlist.constraint);
        let mut solvers = [(); 4].map(|()| netlist.solver(&limits));
        solvers[0].assert(store, netlist.constraint);
        solvers[1].assert(store, netlist.start);
        solvers[1].assert(store, constraint);
        solvers[2].assert(store, netlist.start);
        let [steps, first, initial_states, lifter] = solvers;
        let bits_of = |store: &mut TermStore, symbol: SymbolId| bits(store, symbol).unwrap_or_default();
        let input_bits = netlist.inputs.iter().flat_map(|&symbol| bits_of(store, symbol)).collect();
        let register_bits = netlist.state.iter().map(|&symbol| bits_of(store, symbol)).collect();
        Questions {
            steps,
            first,
            initial_states,
            lifter,
            levels: Vec::new(),
            to_initial,
            input_bits,
            register_bits,
            constrained: super::vocabulary::registers(store, netlist, netlist.constraint),
            is_lifting_off: false,
            limits,
            past: Statistics::default(),
        }
    }

    /// Stops lifting. Says whether it was still on.
    pub fn stop_lifting(&mut self) -> bool {
        !std::mem::replace(&mut self.is_lifting_off, true)
    }

    pub fn add_level(&mut self, store: &mut TermStore) {
        let symbol = store.fresh("level", SortId::BOOL, Role::Skolem);
        self.levels.push(store.mk_symbol(symbol));
    }

    pub fn set_limits(&mut self, limits: Limits) {
        for solver in [&mut self.steps, &mut self.first, &mut self.initial_states, &mut self.lifter] {
            solver.set_limits(limits.clone());
        }
        self.limits = limits;
    }

    pub fn statistics(&self) -> Statistics {
        let mut all = self.past;
        for solver in [&self.steps, &self.first, &self.initial_states, &self.lifter] {
            all.calls += solver.statistics().calls;
            all.seconds += solver.statistics().seconds;
        }
        all
    }

    /// Adds the clause that blocks a cube to this frame.
    pub fn learn(&mut self, store: &mut TermStore, vocabulary: &Vocabulary, cube: &Cube, level: usize) {
        let clause = vocabulary.clause(store, cube);
        let outside = store.mk_not(self.levels[level]);
        let clause = store.mk_or([outside, clause]);
        self.steps.assert(store, clause);
    }

    /// Adds the clause that blocks a cube to all frames.
    pub fn add_fact(&mut self, store: &mut TermStore, vocabulary: &Vocabulary, cube: &Cube) {
        let clause = vocabulary.clause(store, cube);
        self.steps.assert(store, clause);
    }

    /// Replaces the solver for steps if it was asked many questions.
    pub fn renew(&mut self, work: &mut Work<'_, '_>, levels: &[Vec<Cube>], facts: &[Cube]) {
        if self.steps.statistics().calls < QUESTIONS_PER_SOLVER {
            return;
        }
        self.past.calls += self.steps.statistics().calls;
        self.past.seconds += self.steps.statistics().seconds;
        self.steps = work.netlist.solver(&self.limits);
        self.steps.assert(work.store, work.netlist.constraint);
        facts.iter().for_each(|cube| self.add_fact(work.store, work.vocabulary, cube));
        for (level, cubes) in levels.iter().enumerate() {
            cubes.iter().for_each(|cube| self.learn(work.store, work.vocabulary, cube, level));
        }
    }

    /// The switches of a frame: its own and those of all later ones.
    fn assumed(&self, level: usize) -> Vec<TermId> {
        self.levels[level..].to_vec()
    }

    /// A cube of states of this frame in which a property is violated, if there is one.
    pub fn bad(&mut self, work: &mut Work<'_, '_>, level: usize) -> Result<Option<Cube>, Halt> {
        let mut assumptions = self.assumed(level);
        assumptions.push(work.netlist.bad);
        match self.steps.check(work.store, &assumptions) {
            Answer::Sat => {
                let registers = super::vocabulary::registers(work.store, work.netlist, work.netlist.bad);
                let seen = self.see(work, &registers);
                self.lift(work, seen, &[work.netlist.bad]).map(Some)
            }
            Answer::Unsat => Ok(None),
            Answer::Unknown(_) => Err(work.slice.halt()),
        }
    }

    /// Is the cube disjoint from the initial states? If so, literals that suffice for it.
    pub fn is_initial(&mut self, work: &mut Work<'_, '_>, cube: &Cube) -> Result<Option<Cube>, Halt> {
        let assumptions = work.initial(cube);
        match self.initial_states.check(work.store, &assumptions) {
            Answer::Sat => Ok(None),
            Answer::Unsat => Ok(Some(used(&self.initial_states.core(), cube, &assumptions))),
            Answer::Unknown(_) => Err(work.slice.halt()),
        }
    }

    /// Does no step from the initial states lead to the cube? If so, a part of its literals that this is true of and
    /// that is disjoint from the initial states.
    pub fn step_from_initial(&mut self, work: &mut Work<'_, '_>, cube: &Cube) -> Result<Option<Cube>, Halt> {
        let next = work.next(cube);
        let assumptions: Vec<TermId> =
            next.iter().map(|&term| self.to_initial.apply(work.store, term)).collect();
        match self.first.check(work.store, &assumptions) {
            Answer::Sat => Ok(None),
            Answer::Unsat => {
                let core = used(&self.first.core(), cube, &assumptions);
                self.outside_initial(work, core, cube).map(Some)
            }
            Answer::Unknown(_) => Err(work.slice.halt()),
        }
    }

    /// Is the negation of the cube inductive relative to this frame? If so, a part of its literals that this is true
    /// of and that is disjoint from the initial states.
    pub fn step(&mut self, work: &mut Work<'_, '_>, cube: &Cube, level: usize) -> Result<Option<Cube>, Halt> {
        Ok(self.ask_step(work, cube, level, false)?.ok())
    }

    /// The same, or a cube of states from which a step leads into the given one.
    pub fn step_from(
        &mut self,
        work: &mut Work<'_, '_>,
        cube: &Cube,
        level: usize,
    ) -> Result<Result<Cube, Cube>, Halt> {
        self.ask_step(work, cube, level, true)
    }

    fn ask_step(
        &mut self,
        work: &mut Work<'_, '_>,
        cube: &Cube,
        level: usize,
        needs_predecessor: bool,
    ) -> Result<Result<Cube, Cube>, Halt> {
        let next = work.next(cube);
        let outside = work.vocabulary.clause(work.store, cube);
        let assumptions: Vec<TermId> = next.iter().copied().chain(self.assumed(level)).collect();
        self.steps.push();
        self.steps.assert(work.store, outside);
        let answer = self.steps.check(work.store, &assumptions);
        // Models and cores are gone when the scope is closed.
        let core = if answer == Answer::Unsat { self.steps.core() } else { Vec::new() };
        let seen = (answer == Answer::Sat && needs_predecessor).then(|| {
            let depends = cube.iter().flat_map(|&literal| &work.vocabulary.atom(literal).depends_on);
            let depends: Vec<u32> = depends.copied().chain(self.constrained.iter().copied()).collect();
            self.see(work, &depends)
        });
        self.steps.pop();
        match (answer, seen) {
            (Answer::Sat, Some(seen)) => {
                let target: Vec<TermId> = next.into_iter().chain([work.netlist.constraint]).collect();
                self.lift(work, seen, &target).map(Err)
            }
            (Answer::Sat, None) => Ok(Err(Vec::new())),
            (Answer::Unsat, _) => {
                let core = used(&core, cube, &next);
                self.outside_initial(work, core, cube).map(Ok)
            }
            (Answer::Unknown(_), _) => Err(work.slice.halt()),
        }
    }

    /// The values of these registers and of the inputs in the model.
    fn see(&mut self, work: &mut Work<'_, '_>, registers: &[u32]) -> Seen {
        let mut is_relevant = vec![false; self.register_bits.len()];
        registers.iter().for_each(|&register| is_relevant[register as usize] = true);
        let relevant = |places: &[u32]| places.iter().any(|&place| is_relevant[place as usize]);
        let atoms: Vec<usize> = (0..work.vocabulary.atoms.len())
            .filter(|&atom| relevant(&work.vocabulary.atoms[atom].speaks_of))
            .collect();
        let hidden: Vec<(u32, TermId)> = (0..is_relevant.len())
            .filter(|&register| is_relevant[register] && !work.vocabulary.whole[register])
            .flat_map(|register| self.register_bits[register].iter().map(move |&bit| (register as u32, bit)))
            .collect();
        let rest: Vec<TermId> =
            self.input_bits.iter().copied().chain(hidden.iter().map(|&(_, bit)| bit)).collect();
        let terms: Vec<TermId> = atoms
            .iter()
            .map(|&atom| work.vocabulary.atoms[atom].now[0])
            .chain(rest.iter().copied())
            .collect();
        let values = self.steps.values(work.store, &terms);
        let is_true = |value: &Option<Value>| *value == Some(Value::Bool(true));
        let (seen, others) = values.split_at(atoms.len());
        let literal = |(&atom, value): (&usize, &Option<Value>)| 2 * atom as u32 + u32::from(!is_true(value));
        let cube = atoms.iter().zip(seen).map(literal).collect();
        let rest = rest.into_iter().zip(others);
        let mut inputs: Vec<TermId> =
            rest.map(|(term, value)| if is_true(value) { term } else { work.store.mk_not(term) }).collect();
        let hidden_values = inputs.split_off(self.input_bits.len());
        let hidden = hidden.into_iter().map(|(register, _)| register).zip(hidden_values).collect();
        Seen { cube, inputs, hidden }
    }

    /// Lifting: the literals of a state that suffice for the target in the next cycle, given the inputs and the
    /// hidden values.
    fn lift(&mut self, work: &mut Work<'_, '_>, seen: Seen, target: &[TermId]) -> Result<Cube, Halt> {
        if self.is_lifting_off {
            return Ok(seen.cube);
        }
        let now = work.now(&seen.cube);
        // Hidden values come last, so that the core uses them only where observations do not suffice.
        let hidden = seen.hidden.iter().map(|&(_, value)| value);
        let assumptions: Vec<TermId> =
            seen.inputs.iter().copied().chain(now.iter().copied()).chain(hidden).collect();
        let misses: Vec<TermId> = target.iter().map(|&term| work.store.mk_not(term)).collect();
        let misses = work.store.mk_or(misses);
        self.lifter.push();
        self.lifter.assert(work.store, misses);
        let answer = self.lifter.check(work.store, &assumptions);
        let core = if answer == Answer::Unsat { self.lifter.core() } else { Vec::new() };
        self.lifter.pop();
        match answer {
            Answer::Unsat => Ok(seen.explained(work.vocabulary, &core, &now)),
            // A memory is too large to be fixed to its values: all literals stay.
            Answer::Sat => Ok(seen.cube),
            Answer::Unknown(_) => Err(work.slice.halt()),
        }
    }

    /// The core of a cube, extended by literals of the cube so that it is disjoint from the initial states.
    fn outside_initial(
        &mut self,
        work: &mut Work<'_, '_>,
        mut part: Cube,
        whole: &Cube,
    ) -> Result<Cube, Halt> {
        if self.is_initial(work, &part)?.is_none()
            && let Some(outside) = self.is_initial(work, whole)?
        {
            part.extend(outside);
            part.sort_unstable();
            part.dedup();
        }
        Ok(part)
    }
}

/// A state of a model: the observed literals, and formulas for the rest.
struct Seen {
    cube: Cube,
    inputs: Vec<TermId>,
    /// Bits that are not observed, with their registers.
    hidden: Vec<(u32, TermId)>,
}

impl Seen {
    /// The literals in a core. Where the core has hidden bits, all observations of their registers are kept as well,
    /// so that the cube stays close to the state that was seen.
    fn explained(&self, vocabulary: &Vocabulary, core: &[TermId], now: &[TermId]) -> Cube {
        let core: FxHashSet<TermId> = core.iter().copied().collect();
        let hidden: FxHashSet<u32> =
            self.hidden.iter().filter(|(_, bit)| core.contains(bit)).map(|&(register, _)| register).collect();
        let speaks_of =
            |literal| vocabulary.atom(literal).speaks_of.iter().any(|place| hidden.contains(place));
        let literals = self.cube.iter().copied().zip(now);
        literals
            .filter(|&(literal, term)| core.contains(term) || speaks_of(literal))
            .map(|(l, _)| l)
            .collect()
    }
}

fn used(core: &[TermId], cube: &Cube, terms: &[TermId]) -> Cube {
    let core: FxHashSet<TermId> = core.iter().copied().collect();
    cube.iter().zip(terms).filter(|(_, term)| core.contains(term)).map(|(&literal, _)| literal).collect()
}
