//! The exact abstraction of a finite instance, by going through all of its states: the oracle for tests of everything
//! that computes with solvers, and a way to tell whether the predicates or the instantiations are to blame when a
//! proof fails.
//!
//! The instance fixes a size for each index sort; every sort must be finite then. A state is a value for each constant
//! and each state variable. Axioms hold of every state, so what violates one is no state at all; a step into such a
//! state does not exist.

use std::collections::{BTreeMap, BTreeSet};

use tenet_system::{Bounds, IndexVar, Rule, System};
use tenet_term::{Model, Role, SortId, SymbolId, TermId, TermStore, Value};

use crate::finite::{Domain, FiniteError};
use crate::set::{Set, Space};

/// A valuation of the predicates: bit number `m` is the value of predicate number `m`.
pub type Valuation = u64;

pub type Valuations = BTreeSet<Valuation>;

/// A set of concrete states, by number.
pub type States = BTreeSet<usize>;

/// A finite instance of a system, with all of its states, steps and valuations.
#[derive(Clone, Debug)]
pub struct Exact<'a> {
    system: &'a System,
    sizes: Model,
    states: Domain,
    tuples: Domain,
    params: Vec<Domain>,
    initial: States,
    /// By state; `None` for assignments that violate an axiom.
    entries: Vec<Option<Entry>>,
}

/// What is known of a state.
#[derive(Clone, Debug)]
struct Entry {
    steps: Vec<Step>,
    /// By tuple of index values; `None` if it is out of bounds.
    valuations: Vec<Option<Valuation>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub rule: usize,
    /// The number of the choice of its parameters.
    pub choice: usize,
    pub to: usize,
}

impl<'a> Exact<'a> {
    /// The instance with these sizes of index sorts. Neither its states, nor the choices of a rule's parameters, nor the
    /// tuples of index values may be more than `limit`.
    pub fn new(system: &'a System, sizes: &[(SortId, u32)], limit: usize) -> Result<Exact<'a>, FiniteError> {
        Exact::within(system, sizes, limit, usize::MAX)
    }

    /// The same if there are at most `work` pairs of a state with a choice of parameters or with a tuple of index values
    /// to look at. What is refused does not depend on a clock.
    pub fn within(
        system: &'a System,
        sizes: &[(SortId, u32)],
        limit: usize,
        work: usize,
    ) -> Result<Exact<'a>, FiniteError> {
        if !system.definitions.is_empty() {
            return Err(FiniteError::Unsupported("recursive definitions have no table here"));
        }
        if system.predicates.len() > Valuation::BITS as usize {
            return Err(FiniteError::TooMany { what: "predicates", limit: Valuation::BITS as usize });
        }
        let mut model = Model::new();
        for &(sort, size) in sizes {
            model.set_size(sort, size);
        }
        let domain = |symbols: &[SymbolId], what| Domain::new(&system.store, &model, symbols, what, limit);
        let state = system.state.iter().map(|var| var.symbol);
        let symbols: Vec<SymbolId> = system.consts.iter().copied().chain(state).collect();
        let indices: Vec<SymbolId> = system.indices.iter().map(|index| index.symbol).collect();
        let params: Result<Vec<Domain>, FiniteError> =
            system.rules.iter().map(|rule| domain(&rule.params, "choices of parameters")).collect();
        let (states, tuples) = (domain(&symbols, "states")?, domain(&indices, "tuples of index values")?);
        let (params, initial, entries) = (params?, States::new(), Vec::new());
        let each = params.iter().map(Domain::count).sum::<usize>() + tuples.count();
        if states.count().checked_mul(each).is_none_or(|needed| needed > work) {
            return Err(FiniteError::TooMany { what: "steps and valuations", limit: work });
        }
        let mut exact = Exact { system, sizes: model, states, tuples, params, initial, entries };
        exact.explore()?;
        exact.start(limit)?;
        Ok(exact)
    }

    pub fn states(&self) -> impl Iterator<Item = usize> {
        (0..self.entries.len()).filter(|&state| self.entries[state].is_some())
    }

    /// The values of all constants and state variables in a state.
    pub fn model(&self, state: usize) -> Model {
        let mut model = self.sizes.clone();
        self.states.assign(state, &mut model);
        model
    }

    /// Does a closed formula hold in a state?
    pub fn holds(&self, state: usize, formula: TermId) -> Result<bool, FiniteError> {
        Ok(self.model(state).holds(&self.system.store, formula)?)
    }

    pub fn initial(&self) -> &States {
        &self.initial
    }

    pub fn steps(&self, state: usize) -> &[Step] {
        self.entries[state].as_ref().map_or(&[], |entry| &entry.steps)
    }

    /// The states that one step leads to (`N_C`).
    pub fn image(&self, states: &States) -> States {
        states.iter().flat_map(|&state| self.steps(state)).map(|step| step.to).collect()
    }

    /// The states that at most 0, 1, 2, ... steps lead to, up to all that are reachable.
    pub fn reachability(&self) -> Vec<States> {
        iterate(self.initial.clone(), |states| self.image(states))
    }

    /// The valuations of one state, one for each tuple of index values (Lahiri and Bryant, alpha).
    pub fn valuations(&self, state: usize) -> impl Iterator<Item = Valuation> {
        self.entries[state].iter().flat_map(|entry| entry.valuations.iter().flatten().copied())
    }

    pub fn alpha(&self, states: &States) -> Valuations {
        states.iter().flat_map(|&state| self.valuations(state)).collect()
    }

    /// The states all of whose valuations are in the set. This does not distribute over union (QI-A3).
    pub fn gamma(&self, set: &Valuations) -> States {
        self.states()
            .filter(|&state| self.valuations(state).all(|valuation| set.contains(&valuation)))
            .collect()
    }

    /// The exact abstract successors (`N_A`).
    pub fn next(&self, set: &Valuations) -> Valuations {
        self.alpha(&self.image(&self.gamma(set)))
    }

    /// The exact abstract reachability `R^0`, `R^1`, ... up to the first set that is a fixpoint. Every iteration starts
    /// from the whole set (QI-T1).
    pub fn abstract_reachability(&self) -> Vec<Valuations> {
        iterate(self.alpha(&self.initial), |set| self.next(set))
    }

    /// The abstract successors with instances at these substitutions only (`N_Pi`; Lahiri and Bryant). For each rule, a
    /// substitution has one term for each index variable, over constants, state, index variables and parameters.
    pub fn next_instantiated(
        &self,
        set: &Valuations,
        substitutions: &[Vec<Vec<TermId>>],
    ) -> Result<Valuations, FiniteError> {
        if substitutions.iter().any(Vec::is_empty) {
            // Without any, the image of the empty set would not be empty (QI-T2).
            return Err(FiniteError::Unsupported("there is no substitution to instantiate with"));
        }
        let mut next = Valuations::new();
        for (state, entry) in self.entries.iter().enumerate() {
            for step in entry.iter().flat_map(|entry| &entry.steps) {
                let mut model = self.model(state);
                self.params[step.rule].assign(step.choice, &mut model);
                for tuple in 0..self.tuples.count() {
                    // The same index values before and after the step (QI-T3).
                    let Some(after) = self.valuation(step.to, tuple) else { continue };
                    self.tuples.assign(tuple, &mut model);
                    if self.instances_hold(state, &model, &substitutions[step.rule], set)? {
                        next.insert(after);
                    }
                }
            }
        }
        Ok(next)
    }

    /// Is the valuation of the state at every substitution in the set? A substitution out of bounds says nothing
    /// (QI-T5).
    fn instances_hold(
        &self,
        state: usize,
        model: &Model,
        substitutions: &[Vec<TermId>],
        set: &Valuations,
    ) -> Result<bool, FiniteError> {
        for terms in substitutions {
            let mut values: BTreeMap<SymbolId, Value> = BTreeMap::new();
            for (index, &term) in self.system.indices.iter().zip(terms) {
                values.insert(index.symbol, model.evaluate(&self.system.store, term)?);
            }
            let tuple = self.tuples.number(|symbol| values[&symbol].clone());
            if let Some(valuation) = tuple.and_then(|tuple| self.valuation(state, tuple))
                && !set.contains(&valuation)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The abstract reachability with instances at these substitutions only.
    pub fn instantiated_reachability(
        &self,
        substitutions: &[Vec<Vec<TermId>>],
    ) -> Result<Vec<Valuations>, FiniteError> {
        let mut sets = vec![self.alpha(&self.initial)];
        loop {
            let last = &sets[sets.len() - 1];
            let next = self.next_instantiated(last, substitutions)?;
            if next.is_subset(last) {
                return Ok(sets);
            }
            sets.push(last | &next);
        }
    }

    fn valuation(&self, state: usize, tuple: usize) -> Option<Valuation> {
        self.entries[state].as_ref().and_then(|entry| entry.valuations[tuple])
    }

    /// Fills in what is known of every state.
    fn explore(&mut self) -> Result<(), FiniteError> {
        self.entries = vec![None; self.states.count()];
        for state in 0..self.states.count() {
            let mut model = self.model(state);
            let axioms =
                self.system.axioms.iter().map(|axiom| model.holds(&self.system.store, axiom.formula));
            if axioms.collect::<Result<Vec<bool>, _>>()?.contains(&false) {
                continue;
            }
            let valuations = self.all_valuations(&mut model)?;
            let mut steps = Vec::new();
            for (number, rule) in self.system.rules.iter().enumerate() {
                self.add_steps(&mut model, number, rule, &mut steps)?;
            }
            self.entries[state] = Some(Entry { steps, valuations });
        }
        let is_state: Vec<bool> = self.entries.iter().map(Option::is_some).collect();
        for entry in self.entries.iter_mut().flatten() {
            entry.steps.retain(|step| is_state[step.to]);
        }
        Ok(())
    }

    fn all_valuations(&self, model: &mut Model) -> Result<Vec<Option<Valuation>>, FiniteError> {
        let mut valuations = Vec::with_capacity(self.tuples.count());
        for tuple in 0..self.tuples.count() {
            self.tuples.assign(tuple, model);
            let mut inside = true;
            for index in &self.system.indices {
                inside &= is_within(&self.system.store, model, index)?;
            }
            valuations.push(if inside { Some(self.evaluate_predicates(model)?) } else { None });
        }
        Ok(valuations)
    }

    fn evaluate_predicates(&self, model: &Model) -> Result<Valuation, FiniteError> {
        let mut valuation = 0;
        for (place, predicate) in self.system.predicates.iter().enumerate() {
            valuation |= Valuation::from(model.holds(&self.system.store, predicate.formula)?) << place;
        }
        Ok(valuation)
    }

    fn add_steps(
        &self,
        model: &mut Model,
        number: usize,
        rule: &Rule,
        steps: &mut Vec<Step>,
    ) -> Result<(), FiniteError> {
        let store = &self.system.store;
        for choice in 0..self.params[number].count() {
            self.params[number].assign(choice, model);
            if !model.holds(store, rule.guard)? {
                continue;
            }
            let mut changed: BTreeMap<SymbolId, Value> = BTreeMap::new();
            for &(symbol, value) in &rule.updates {
                changed.insert(symbol, model.evaluate(store, value)?);
            }
            let to = self.number(model, &changed, &rule.name)?;
            steps.push(Step { rule: number, choice, to });
        }
        Ok(())
    }

    /// The number of the state in which some symbols have new values, and the others those of the model.
    fn number(
        &self,
        model: &Model,
        changed: &BTreeMap<SymbolId, Value>,
        name: &str,
    ) -> Result<usize, FiniteError> {
        let value = |symbol: SymbolId| {
            let value = changed.get(&symbol).or_else(|| model.get(symbol));
            value.cloned().expect("invariant: every symbol of a state has a value")
        };
        self.states.number(value).ok_or_else(|| FiniteError::OutsideSort { name: name.to_string() })
    }

    /// Finds the initial states: for every value of the constants, every choice that satisfies the constraint.
    fn start(&mut self, limit: usize) -> Result<(), FiniteError> {
        let store = &self.system.store;
        let mut initial = States::new();
        for start in &self.system.starts {
            let symbols: Vec<SymbolId> = self.system.consts.iter().chain(&start.params).copied().collect();
            let choices = Domain::new(store, &self.sizes, &symbols, "choices of a startstate", limit)?;
            for choice in 0..choices.count() {
                let mut model = self.sizes.clone();
                choices.assign(choice, &mut model);
                if !model.holds(store, start.constraint)? {
                    continue;
                }
                let mut values: BTreeMap<SymbolId, Value> = BTreeMap::new();
                for (var, &value) in self.system.state.iter().zip(&start.values) {
                    values.insert(var.symbol, model.evaluate(store, value)?);
                }
                initial.insert(self.number(&model, &values, &start.name)?);
            }
        }
        initial.retain(|&state| self.entries[state].is_some());
        self.initial = initial;
        Ok(())
    }
}

/// Closed predicates: a state has one valuation (EX-A1), so there is an abstract transition relation.
impl Exact<'_> {
    /// The abstract reachability over that relation, `R^0`, `R^1`, ... up to the fixpoint; with a frontier, each
    /// iteration looks at the valuations that the one before it added, only.
    pub fn closed_reachability(&self, frontier: bool) -> Result<Vec<Valuations>, FiniteError> {
        let of_state = self.closed_valuations()?;
        let mut relation: BTreeMap<Valuation, Valuations> = BTreeMap::new();
        for state in self.states() {
            let after = self.steps(state).iter().map(|step| of_state[&step.to]);
            relation.entry(of_state[&state]).or_default().extend(after);
        }
        let start: Valuations = self.initial.iter().map(|state| of_state[state]).collect();
        let (mut open, mut sets) = (start.clone(), vec![start]);
        loop {
            let last = &sets[sets.len() - 1];
            let next: Valuations = open.iter().flat_map(|valuation| &relation[valuation]).copied().collect();
            let added = &next - last;
            if added.is_empty() {
                return Ok(sets);
            }
            let all = last | &added;
            open = if frontier { added } else { all.clone() };
            sets.push(all);
        }
    }

    /// The valuation of each state; an error if a predicate has an index variable.
    pub fn closed_valuations(&self) -> Result<BTreeMap<usize, Valuation>, FiniteError> {
        let store = &self.system.store;
        let is_index = |symbol: SymbolId| store.symbol(symbol).role == Role::Index;
        let mut formulas = self.system.predicates.iter().map(|predicate| predicate.formula);
        if formulas.any(|formula| store.free_symbols(formula).into_iter().any(is_index)) {
            return Err(FiniteError::Unsupported("a predicate has an index variable"));
        }
        self.states().map(|state| Ok((state, self.evaluate_predicates(&self.model(state))?))).collect()
    }
}

/// Is the value of an index variable within its bounds? That of its sort it always is.
fn is_within(store: &TermStore, model: &Model, index: &IndexVar) -> Result<bool, FiniteError> {
    let Bounds { lo, hi } = index.bounds;
    let value = model.get(index.symbol).expect("invariant: index variables have values").clone();
    let above = lo.map(|lo| model.evaluate(store, lo)).transpose()?.is_none_or(|lo| lo <= value);
    let below = hi.map(|hi| model.evaluate(store, hi)).transpose()?.is_none_or(|hi| value <= hi);
    Ok(above && below)
}

/// `start`, and unions with what comes next, up to the first that is a fixpoint.
fn iterate<T: Ord + Clone>(
    start: BTreeSet<T>,
    next: impl Fn(&BTreeSet<T>) -> BTreeSet<T>,
) -> Vec<BTreeSet<T>> {
    let mut sets = vec![start];
    loop {
        let last = &sets[sets.len() - 1];
        let more = next(last);
        if more.is_subset(last) {
            return sets;
        }
        sets.push(last | &more);
    }
}

/// The same set as a diagram, with predicate number `m` as variable number `m`.
pub fn to_set(space: &Space, valuations: &Valuations, predicates: usize) -> Set {
    valuations.iter().fold(space.empty(), |set, valuation| {
        let values: Vec<bool> = (0..predicates).map(|place| valuation >> place & 1 == 1).collect();
        set.union(&space.valuation(&values))
    })
}
