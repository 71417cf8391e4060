//! Random walks, for errors that are many steps away but need no foresight.
//!
//! Steps without parameters are computed; for others the solver chooses, within what is random about the walk.

use super::bounded::{Leg, Route};
use super::program::{LocationId, Program, TransitionId};
use super::steps::Values;
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_system::random::XorShift;
use tenet_term::{Model, SymbolId, TermId, TermStore, Value};

/// Longer walks would only repeat themselves.
const MAX_WALK_LENGTH: usize = 1_000_000;

pub struct Walks<'a> {
    program: &'a Program,
    consts: &'a [SymbolId],
    limits: Limits,
    random: XorShift,
    /// For transitions with parameters.
    solvers: Vec<Option<Z3Solver>>,
}

impl<'a> Walks<'a> {
    pub fn new(program: &'a Program, consts: &'a [SymbolId], limits: Limits) -> Walks<'a> {
        let solvers = (0..program.transitions.len()).map(|_| None).collect();
        Walks { program, consts, limits, random: XorShift::new(0x9e37_79b9_7f4a_7c15), solvers }
    }

    fn choose(&mut self, count: usize) -> usize {
        (self.random.number() % count.max(1) as u64) as usize
    }

    /// Repeats walks until one reaches the error or `goes_on` says no.
    pub fn walk(&mut self, store: &mut TermStore, mut goes_on: impl FnMut() -> bool) -> Option<Route> {
        let starts: Vec<TransitionId> = (0..self.program.transitions.len())
            .filter(|&step| self.program.transitions[step].source.is_none())
            .collect();
        let mut length = 200;
        while goes_on() && !starts.is_empty() {
            let first = starts[self.choose(starts.len())];
            let weights: Vec<u32> =
                (0..self.program.transitions.len()).map(|_| 1 << self.choose(11)).collect();
            let Some((mut state, values)) = self.step(store, first, &Model::new()) else { continue };
            let consts =
                self.consts.iter().filter_map(|&symbol| Some((symbol, state.get(symbol)?.clone()))).collect();
            let mut route = Route { legs: vec![Leg::once(first, values)], consts };
            let mut location = self.program.transitions[first].target;
            while location != self.program.error() && route.legs.len() < length && goes_on() {
                let Some((step, next, values)) = self.next(store, location, &state, &weights) else { break };
                route.legs.push(Leg::once(step, values));
                state = next;
                location = self.program.transitions[step].target;
            }
            if location == self.program.error() {
                return Some(route);
            }
            length = (length * 2).min(MAX_WALK_LENGTH);
        }
        None
    }

    /// A step from here: to the error if that is possible, otherwise one of those that are, by weight.
    fn next(
        &mut self,
        store: &mut TermStore,
        location: LocationId,
        state: &Model,
        weights: &[u32],
    ) -> Option<(TransitionId, Model, Values)> {
        let error = self.program.error();
        let mut steps: Vec<(u64, TransitionId)> = Vec::new();
        for &step in &self.program.locations[location].outgoing {
            let is_last = self.program.transitions[step].target == error;
            let order = if is_last { 0 } else { 1 + self.choose(1 << 20) as u64 / u64::from(weights[step]) };
            steps.push((order, step));
        }
        steps.sort_unstable();
        steps.into_iter().find_map(|(_, step)| {
            let (state, values) = self.step(store, step, state)?;
            Some((step, state, values))
        })
    }

    /// The state behind a step and the values of its parameters, if it is possible.
    fn step(&mut self, store: &mut TermStore, step: TransitionId, state: &Model) -> Option<(Model, Values)> {
        let transition = &self.program.transitions[step];
        let mut before = state.clone();
        let is_free =
            !transition.params.is_empty() || (transition.source.is_none() && !self.consts.is_empty());
        let mut values = Vec::new();
        if is_free {
            values = self.solve(store, step, state)?;
            values.iter().for_each(|(symbol, value)| before.set(*symbol, value.clone()));
        } else if !before.holds(store, transition.guard).ok()? {
            return None;
        }
        let mut after = before.clone();
        for &(symbol, value) in &transition.updates {
            after.set(symbol, before.evaluate(store, value).ok()?);
        }
        Some((after, values))
    }

    /// Values of parameters with which a step is possible from a state; of constants as well at the start.
    fn solve(&mut self, store: &mut TermStore, step: TransitionId, state: &Model) -> Option<Values> {
        let transition = &self.program.transitions[step];
        let mut free: Vec<SymbolId> = transition.params.clone();
        let mut known: Vec<SymbolId> =
            transition.source.map_or(Vec::new(), |source| self.program.locations[source].data.clone());
        if transition.source.is_none() {
            free.extend(self.consts)
        } else {
            known.extend(self.consts)
        }
        let mut assumptions = Vec::new();
        for symbol in known {
            assumptions.push(equation(store, symbol, state.get(symbol)?)?);
        }
        // A small random number for one of the parameters makes walks differ.
        let chosen = free[self.choose(free.len())];
        let number = Value::int(self.choose(9) as i64 - 4);
        let preference = equation(store, chosen, &number);
        let solver = self.solvers[step].get_or_insert_with(|| asker(store, self.program, step, &self.limits));
        let wished: Vec<TermId> = assumptions.iter().copied().chain(preference).collect();
        if solver.check(store, &wished) != Answer::Sat && solver.check(store, &assumptions) != Answer::Sat {
            return None;
        }
        let terms: Vec<TermId> = free.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let values = solver.values(store, &terms);
        free.into_iter().zip(values).map(|(symbol, value)| value.map(|value| (symbol, value))).collect()
    }
}

/// That a symbol has a value; `None` if it cannot.
fn equation(store: &mut TermStore, symbol: SymbolId, value: &Value) -> Option<TermId> {
    let sort = store.symbol(symbol).sort;
    let is_fitting = store.sort(sort).is_integer() || !matches!(value, Value::Int(_));
    let value = is_fitting.then(|| store.mk_value(sort, value)).flatten()?;
    let symbol = store.mk_symbol(symbol);
    Some(if store.is_bool(symbol) { store.mk_iff(symbol, value) } else { store.mk_eq(symbol, value) })
}

fn asker(store: &TermStore, program: &Program, step: usize, limits: &Limits) -> Z3Solver {
    let mut solver = Z3Solver::new();
    solver.set_limits(limits.clone());
    program
        .facts
        .iter()
        .chain([&program.transitions[step].guard])
        .for_each(|&fact| solver.assert(store, fact));
    solver
}
