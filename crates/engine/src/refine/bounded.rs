//! Bounded model checking: all paths of a number of steps in one formula.
//!
//! Each location at each step has a Boolean marker, and so has each transition: a location's marker implies one of
//! the transitions into it, which implies its source one step earlier, its guard and its updates. Accelerated loops
//! count as one step, so that errors far away are near.

use super::accelerate::{Accelerated, accelerate};
use super::program::{LocationId, Program, Transition, TransitionId};
use super::steps::Values;
use rustc_hash::FxHashMap;
use tenet_solve::{Answer, Effort, Limits, Solver, Statistics, Z3Solver};
use tenet_term::{Role, SortId, Substitution, SymbolId, TermId, TermStore, Value};

/// Iterations of an accelerated loop in a run; replaying more would take too long.
const MAX_LOOP_TIMES: u64 = 100_000;

/// Steps with the values of their parameters, and the values of the constants.
#[derive(Clone, Debug, Default)]
pub struct Route {
    /// The steps, from the start to the error.
    pub legs: Vec<Leg>,
    pub consts: Values,
}

/// A transition that is taken some times in a row.
#[derive(Clone, Debug)]
pub struct Leg {
    pub transition: TransitionId,
    pub values: Values,
    /// Parameters whose values follow from the state before each step.
    pub defined: Vec<(SymbolId, TermId)>,
    pub times: u64,
}

impl Leg {
    pub fn once(transition: TransitionId, values: Values) -> Leg {
        Leg { transition, values, defined: Vec::new(), times: 1 }
    }
}

/// What the search has found so far.
pub struct Bounded {
    solver: Z3Solver,
    limits: Limits,
    loops: Vec<Accelerated>,
    consts: Vec<SymbolId>,
    /// The locations that lead to the error.
    useful: Vec<bool>,
    known: Vec<Vec<TermId>>,
    /// The marks of the locations at each step, from the first one on.
    layers: Vec<FxHashMap<LocationId, TermId>>,
    /// The marks of transitions that lead to a location at a step.
    taken: FxHashMap<(usize, LocationId), Vec<(usize, TermId)>>,
    /// Steps up to this one have been asked about.
    asked: usize,
}

impl Bounded {
    /// An unrolling with single steps only, which some questions are easier with, or with accelerated loops.
    pub fn new(
        store: &mut TermStore,
        program: &Program,
        consts: &[SymbolId],
        limits: &Limits,
        has_loops: bool,
    ) -> Bounded {
        let mut solver = Z3Solver::new();
        solver.set_limits(limits.clone());
        program.facts.iter().for_each(|&fact| solver.assert(store, fact));
        Bounded {
            solver,
            limits: limits.clone(),
            loops: if has_loops { accelerate(store, program) } else { Vec::new() },
            consts: consts.to_vec(),
            useful: useful(program),
            known: vec![Vec::new(); program.locations.len()],
            layers: vec![FxHashMap::default()],
            taken: FxHashMap::default(),
            asked: 0,
        }
    }

    /// Is there an accelerated loop?
    pub fn has_loops(&self) -> bool {
        !self.loops.is_empty()
    }

    pub fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }

    /// What holds at each location, for steps that are added from now on.
    pub fn know(&mut self, known: &[Vec<TermId>]) {
        self.known = known.to_vec();
    }

    /// Extends the unrolling and looks for runs within this effort. False if all paths have ended.
    pub fn search(
        &mut self,
        store: &mut TermStore,
        program: &Program,
        effort: Effort,
    ) -> Result<Option<Route>, String> {
        let goal = self.asked + 1 + self.asked / 4;
        while self.layers.len() <= goal {
            self.extend(store, program);
        }
        let errors: Vec<TermId> = (self.asked + 1..=goal)
            .filter_map(|step| self.layers[step].get(&program.error()).copied())
            .collect();
        if errors.is_empty() {
            self.asked = goal;
            return Ok(None);
        }
        let question = store.mk_or(errors);
        self.solver.set_limits(self.limits.clone().within(effort));
        match self.solver.check(store, &[question]) {
            Answer::Unsat => {
                self.asked = goal;
                Ok(None)
            }
            Answer::Sat => Ok(self.route(store, program, goal)),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    fn transition<'a>(&'a self, program: &'a Program, step: usize) -> &'a Transition {
        let count = program.transitions.len();
        if step < count { &program.transitions[step] } else { &self.loops[step - count].transition }
    }

    fn extend(&mut self, store: &mut TermStore, program: &Program) {
        let number = self.layers.len() - 1;
        let mut marks: FxHashMap<LocationId, TermId> = FxHashMap::default();
        for step in 0..program.transitions.len() + self.loops.len() {
            let transition = self.transition(program, step);
            let target = transition.target;
            let source = match transition.source {
                None if number == 0 => TermId::TRUE,
                Some(source) if number > 0 => match self.layers[number].get(&source) {
                    Some(&mark) => mark,
                    None => continue,
                },
                _ => continue,
            };
            if !self.useful[target] {
                continue;
            }
            let conditions = self.conditions(store, program, number, step, source);
            let taken = mark(store, &format!("taken {number} {step}"));
            let fact = store.mk_implies(taken, conditions);
            self.solver.assert(store, fact);
            self.taken.entry((number + 1, target)).or_default().push((step, taken));
            marks.entry(target).or_insert_with(|| mark(store, &format!("at {} {target}", number + 1)));
        }
        let mut places: Vec<(LocationId, TermId)> =
            marks.iter().map(|(&location, &mark)| (location, mark)).collect();
        places.sort_unstable();
        for (location, mark) in places {
            let ways =
                self.taken[&(number + 1, location)].iter().map(|&(_, taken)| taken).collect::<Vec<_>>();
            let some = store.mk_or(ways);
            let mut facts = vec![some];
            if !self.known[location].is_empty() {
                let now = self.now(store, program, location, number + 1);
                facts.extend(self.known[location].iter().map(|&known| store.substitute(known, &now)));
            }
            let facts = store.mk_and(facts);
            let fact = store.mk_implies(mark, facts);
            self.solver.assert(store, fact);
        }
        self.layers.push(marks);
    }

    /// The variables of a location at a step.
    fn now(
        &self,
        store: &mut TermStore,
        program: &Program,
        location: LocationId,
        number: usize,
    ) -> Substitution {
        let mut now = Substitution::new();
        for &symbol in &program.locations[location].data {
            let copy = copy(store, symbol, &number.to_string());
            now.insert(store, symbol, copy);
        }
        now
    }

    /// What has to hold for a transition to be taken at a step.
    fn conditions(
        &self,
        store: &mut TermStore,
        program: &Program,
        number: usize,
        step: usize,
        source: TermId,
    ) -> TermId {
        let transition = self.transition(program, step);
        let mut now = match transition.source {
            Some(source) => self.now(store, program, source, number),
            None => Substitution::new(),
        };
        for &symbol in &transition.params {
            let copy = copy(store, symbol, &format!("{number}.{step}"));
            now.insert(store, symbol, copy);
        }
        let mut conditions = vec![source, store.substitute(transition.guard, &now)];
        for &symbol in &program.locations[transition.target].data {
            let update = transition.updates.iter().find(|(updated, _)| *updated == symbol);
            let value = update.map_or_else(|| store.mk_symbol(symbol), |&(_, value)| value);
            let value = store.substitute(value, &now);
            let next = copy(store, symbol, &(number + 1).to_string());
            conditions.push(if store.is_bool(next) {
                store.mk_iff(next, value)
            } else {
                store.mk_eq(next, value)
            });
        }
        store.mk_and(conditions)
    }

    fn route(&mut self, store: &mut TermStore, program: &Program, last: usize) -> Option<Route> {
        let mut route = Route::default();
        let error = program.error();
        let mut number = (self.asked + 1..=last).find(|&step| {
            self.layers[step].get(&error).is_some_and(|&mark| holds(store, &mut self.solver, mark))
        })?;
        let mut location = error;
        loop {
            let ways = self.taken.get(&(number, location))?;
            let &(step, _) = ways.iter().find(|&&(_, taken)| holds(store, &mut self.solver, taken))?;
            number -= 1;
            let transition = self.transition(program, step);
            let (params, source) = (transition.params.clone(), transition.source);
            let copies: Vec<TermId> =
                params.iter().map(|&param| copy(store, param, &format!("{number}.{step}"))).collect();
            let values = self.solver.values(store, &copies);
            let values: Option<Values> = params
                .into_iter()
                .zip(values)
                .map(|(param, value)| value.map(|value| (param, value)))
                .collect();
            self.add(&mut route, program, step, values?)?;
            match source {
                Some(source) => location = source,
                None => break,
            }
        }
        route.legs.reverse();
        let terms: Vec<TermId> = self.consts.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let values = self.solver.values(store, &terms);
        let consts: Option<Values> = self
            .consts
            .iter()
            .zip(values)
            .map(|(&symbol, value)| value.map(|value| (symbol, value)))
            .collect();
        route.consts = consts?;
        Some(route)
    }

    /// Adds a step, or a loop as often as it is taken.
    fn add(&self, route: &mut Route, program: &Program, step: usize, mut values: Values) -> Option<()> {
        let Some(number) = step.checked_sub(program.transitions.len()) else {
            route.legs.push(Leg::once(step, values));
            return Some(());
        };
        let accelerated = &self.loops[number];
        let position = values.iter().position(|(symbol, _)| *symbol == accelerated.count)?;
        let (_, Value::Int(times)) = values.remove(position) else { return None };
        let times = u64::try_from(&times).ok().filter(|&times| times <= MAX_LOOP_TIMES)?;
        let (transition, defined) = (accelerated.base, accelerated.defined.clone());
        route.legs.push(Leg { transition, values, defined, times });
        Some(())
    }
}

fn holds(store: &TermStore, solver: &mut Z3Solver, mark: TermId) -> bool {
    solver.values(store, &[mark])[0] == Some(Value::Bool(true))
}

fn mark(store: &mut TermStore, name: &str) -> TermId {
    let symbol = store.declare(name, SortId::BOOL, Role::Skolem);
    store.mk_symbol(symbol)
}

fn copy(store: &mut TermStore, symbol: SymbolId, step: &str) -> TermId {
    let (name, sort) = (format!("{}@{step}", store.symbol(symbol).name), store.symbol(symbol).sort);
    let copy = store.declare(&name, sort, Role::Skolem);
    store.mk_symbol(copy)
}

/// The locations from which the error may be reached.
fn useful(program: &Program) -> Vec<bool> {
    let mut useful = vec![false; program.locations.len()];
    let mut open = vec![program.error()];
    while let Some(location) = open.pop() {
        if std::mem::replace(&mut useful[location], true) {
            continue;
        }
        let incoming = program.locations[location].incoming.iter();
        open.extend(incoming.filter_map(|&step| program.transitions[step].source));
    }
    useful
}
