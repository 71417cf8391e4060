//! A system as a program: control locations, and transitions between them.
//!
//! Variables of an enumeration whose values only ever are written as constants are the control; each combination of
//! their values that can be reached is a location, and what a rule says about the control is gone from its transitions.
//! To start is a transition from nowhere, to violate a property is one to the location `error`, so searching has one
//! kind of step. A location keeps the variables on which something that follows depends, and no others.

use std::collections::BTreeSet;
use tenet_system::{PropertyKind, System, domain};
use tenet_term::{Op, Role, Sort, Substituter, Substitution, SymbolId, TermId, TermStore};

/// With more locations than this there is only one, and all control is data.
const MAX_LOCATIONS: usize = 4_000;

pub type LocationId = usize;

pub type TransitionId = usize;

#[derive(Debug)]
pub struct Program {
    /// The locations; the last one is `error`.
    pub locations: Vec<Location>,
    pub transitions: Vec<Transition>,
    /// What holds in every state: axioms, and domains of constants.
    pub facts: Vec<TermId>,
}

#[derive(Debug, Default)]
pub struct Location {
    pub control: Vec<(SymbolId, TermId)>,
    /// The variables that matter here, in the order of the state.
    pub data: Vec<SymbolId>,
    pub domains: Vec<TermId>,
    pub incoming: Vec<TransitionId>,
    pub outgoing: Vec<TransitionId>,
}

#[derive(Debug)]
pub struct Transition {
    pub origin: Origin,
    /// Where it begins; nowhere for a startstate.
    pub source: Option<LocationId>,
    pub target: LocationId,
    /// What is chosen when it is taken.
    pub params: Vec<SymbolId>,
    /// When it can be taken; over the variables of the source, constants and parameters.
    pub guard: TermId,
    /// The new values of the target's variables, except those that keep their value.
    pub updates: Vec<(SymbolId, TermId)>,
}

/// What a transition comes from, by position in the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Start(usize),
    Rule(usize),
    Property(usize),
}

/// Why a system is not a program.
pub type Refusal = &'static str;

impl Program {
    pub fn new(system: &mut System, properties: &[usize]) -> Result<Program, Refusal> {
        require_scalars(system)?;
        let control = control(system);
        Builder::new(system, control, properties).build().or_else(|crowd| match crowd {
            Failure::TooManyLocations => {
                Builder::new(system, Vec::new(), properties).build().map_err(|_| "it has too many places")
            }
            Failure::Refusal(refusal) => Err(refusal),
        })
    }

    /// The location that must not be reached.
    pub fn error(&self) -> LocationId {
        self.locations.len() - 1
    }
}

/// Only numbers, truth values, bit-vectors and enumerations, and nothing recursive.
pub fn require_scalars(system: &System) -> Result<(), Refusal> {
    let store = &system.store;
    let is_scalar = |symbol: SymbolId| {
        let sort = store.symbol(symbol).sort;
        !matches!(store.sort(sort), Sort::Function { .. } | Sort::Index { .. } | Sort::Union { .. })
    };
    let params = system.rules.iter().flat_map(|rule| &rule.params);
    let initial = system.starts.iter().flat_map(|start| &start.params);
    let state = system.state.iter().map(|var| &var.symbol);
    let all = state.chain(&system.consts).chain(params).chain(initial);
    if !all.copied().all(is_scalar) {
        return Err("it has arrays or types of any size");
    }
    let starts = system.starts.iter().flat_map(|start| start.values.iter().chain([&start.constraint]));
    let rules =
        system.rules.iter().flat_map(|rule| rule.updates.iter().map(|(_, value)| value).chain([&rule.guard]));
    let axioms = system.axioms.iter().map(|axiom| &axiom.formula);
    if !system.definitions.is_empty()
        || starts.chain(rules).chain(axioms).any(|&term| store.has_quantifier(term))
    {
        return Err("it has quantifiers or recursive definitions");
    }
    Ok(())
}

/// The state variables of an enumeration that are only ever set to constants.
fn control(system: &System) -> Vec<SymbolId> {
    let store = &system.store;
    let is_constant = |term: TermId| matches!(store.op(term), Op::Enum(..));
    let mut control = Vec::new();
    for (position, var) in system.state.iter().enumerate() {
        let is_enum = matches!(store.sort(store.symbol(var.symbol).sort), Sort::Enum { .. });
        let is_started = system.starts.iter().all(|start| is_constant(start.values[position]));
        let updates = system.rules.iter().flat_map(|rule| &rule.updates);
        if is_enum
            && is_started
            && updates.filter(|(symbol, _)| *symbol == var.symbol).all(|&(_, value)| is_constant(value))
        {
            control.push(var.symbol);
        }
    }
    control
}

enum Failure {
    TooManyLocations,
    Refusal(Refusal),
}

struct Builder<'a> {
    system: &'a mut System,
    control: Vec<SymbolId>,
    properties: Vec<usize>,
    locations: Vec<Location>,
    transitions: Vec<Transition>,
}

impl<'a> Builder<'a> {
    fn new(system: &'a mut System, control: Vec<SymbolId>, properties: &[usize]) -> Builder<'a> {
        Builder {
            system,
            control,
            properties: properties.to_vec(),
            locations: Vec::new(),
            transitions: Vec::new(),
        }
    }

    fn build(mut self) -> Result<Program, Failure> {
        self.starts();
        let mut done = 0;
        while done < self.locations.len() {
            self.rules_from(done);
            self.properties_at(done)?;
            done += 1;
            if self.locations.len() > MAX_LOCATIONS {
                return Err(Failure::TooManyLocations);
            }
        }
        self.starts_violating()?;
        self.finish()
    }

    fn location(&mut self, values: Vec<TermId>) -> LocationId {
        let control: Vec<(SymbolId, TermId)> = self.control.iter().copied().zip(values).collect();
        self.locations.iter().position(|known| known.control == control).unwrap_or_else(|| {
            self.locations.push(Location { control, ..Location::default() });
            self.locations.len() - 1
        })
    }

    fn starts(&mut self) {
        for (position, start) in self.system.starts.clone().into_iter().enumerate() {
            let symbols = self.system.state.iter().map(|var| var.symbol);
            let updates: Vec<(SymbolId, TermId)> = symbols.zip(start.values).collect();
            let value = |control: &SymbolId| {
                updates.iter().find(|(symbol, _)| symbol == control).map(|&(_, value)| value)
            };
            let values = self.control.iter().filter_map(value).collect();
            let target = self.location(values);
            let guard = self.with_domains(start.constraint, &start.params);
            let transition = Transition {
                origin: Origin::Start(position),
                source: None,
                target,
                params: start.params,
                guard,
                updates,
            };
            self.add(transition);
        }
    }

    fn with_domains(&mut self, guard: TermId, params: &[SymbolId]) -> TermId {
        let store = &mut self.system.store;
        let mut parts: Vec<TermId> = params.iter().map(|&param| domain(store, param)).collect();
        parts.push(guard);
        store.mk_and(parts)
    }

    fn add(&mut self, transition: Transition) {
        if transition.guard != TermId::FALSE {
            self.transitions.push(transition);
        }
    }

    /// What is known at a location: its control.
    fn here(&self, location: LocationId) -> Substituter {
        let known = self.locations[location].control.iter().copied();
        let substitution = Substitution::from_pairs(&self.system.store, known);
        Substituter::new(&self.system.store, &substitution, tenet_term::Building::Smart)
    }

    fn rules_from(&mut self, source: LocationId) {
        let mut here = self.here(source);
        for (position, rule) in self.system.rules.clone().into_iter().enumerate() {
            let guard = here.apply(&mut self.system.store, rule.guard);
            if guard == TermId::FALSE {
                continue;
            }
            let mut updates = Vec::new();
            for (symbol, value) in rule.updates {
                updates.push((symbol, here.apply(&mut self.system.store, value)));
            }
            let known = self.locations[source].control.clone();
            let after = |&(symbol, old): &(SymbolId, TermId)| {
                updates.iter().find(|(updated, _)| *updated == symbol).map_or(old, |&(_, new)| new)
            };
            let target = self.location(known.iter().map(after).collect());
            let guard = self.with_domains(guard, &rule.params);
            let (origin, source) = (Origin::Rule(position), Some(source));
            self.add(Transition { origin, source, target, params: rule.params, guard, updates });
        }
    }

    fn properties_at(&mut self, source: LocationId) -> Result<(), Failure> {
        let mut here = self.here(source);
        for position in self.properties.clone() {
            let property = self.system.properties[position].clone();
            if matches!(property.kind, PropertyKind::Start { .. }) {
                continue;
            }
            let (violated, params) = violation(&mut self.system.store, property.formula, Some(&mut here))?;
            let guard = self.with_domains(violated, &params);
            let (origin, source) = (Origin::Property(position), Some(source));
            self.add(Transition { origin, source, target: usize::MAX, params, guard, updates: Vec::new() });
        }
        Ok(())
    }

    /// What is demanded of startstates is violated before there is a state.
    fn starts_violating(&mut self) -> Result<(), Failure> {
        for position in self.properties.clone() {
            let property = self.system.properties[position].clone();
            let PropertyKind::Start { start } = property.kind else { continue };
            let start = self.system.starts[start].clone();
            let (violated, params) = violation(&mut self.system.store, property.formula, None)?;
            let params = [start.params, params].concat();
            let guard = self.system.store.mk_and([start.constraint, violated]);
            let guard = self.with_domains(guard, &params);
            let origin = Origin::Property(position);
            self.add(Transition {
                origin,
                source: None,
                target: usize::MAX,
                params,
                guard,
                updates: Vec::new(),
            });
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Program, Failure> {
        self.locations.push(Location::default());
        let error = self.locations.len() - 1;
        self.transitions
            .iter_mut()
            .filter(|step| step.target == usize::MAX)
            .for_each(|step| step.target = error);
        let live = self.live(error);
        for step in &mut self.transitions {
            step.updates.retain(|(symbol, _)| live[step.target].contains(symbol));
        }
        for (position, step) in self.transitions.iter().enumerate() {
            self.locations[step.target].incoming.push(position);
            if let Some(source) = step.source {
                self.locations[source].outgoing.push(position);
            }
        }
        for (location, live) in self.locations.iter_mut().zip(live) {
            for var in self.system.state.iter().filter(|var| live.contains(&var.symbol)) {
                let store = &mut self.system.store;
                location.data.push(var.symbol);
                let term = store.mk_symbol(var.symbol);
                location.domains.extend([domain(store, var.symbol), var.value.contain(store, term)]);
            }
            location.domains.retain(|&domain| domain != TermId::TRUE);
        }
        let mut facts: Vec<TermId> = self.system.axioms.iter().map(|axiom| axiom.formula).collect();
        let consts = self.system.consts.clone();
        facts.extend(consts.into_iter().map(|symbol| domain(&mut self.system.store, symbol)));
        facts.retain(|&fact| fact != TermId::TRUE);
        if facts.iter().any(|&fact| self.mentions_state(fact)) {
            return Err(Failure::Refusal("it has axioms about its state"));
        }
        Ok(Program { locations: self.locations, transitions: self.transitions, facts })
    }

    fn mentions_state(&self, term: TermId) -> bool {
        let store = &self.system.store;
        store.symbols_in(term).iter().any(|&symbol| store.symbol(symbol).role == Role::State)
    }

    /// The variables on which something depends that can follow, for each location.
    fn live(&self, error: LocationId) -> Vec<BTreeSet<SymbolId>> {
        let mut live = vec![BTreeSet::new(); error + 1];
        let reads = |term: TermId| -> Vec<SymbolId> {
            let store = &self.system.store;
            let symbols = store.symbols_in(term).into_iter();
            symbols.filter(|&symbol| store.symbol(symbol).role == Role::State).collect()
        };
        let mut is_open = true;
        while is_open {
            is_open = false;
            for step in &self.transitions {
                let Some(source) = step.source else { continue };
                let mut needed = reads(step.guard);
                for &symbol in &live[step.target] {
                    match step.updates.iter().find(|(updated, _)| *updated == symbol) {
                        Some(&(_, value)) => needed.extend(reads(value)),
                        None => needed.push(symbol),
                    }
                }
                let before = live[source].len();
                live[source].extend(needed);
                is_open |= live[source].len() > before;
            }
        }
        live
    }
}

/// When a property is false here: what it says of everything becomes a choice. The first choices are those of the property as
/// it is written, also if they do not matter here, because a run has to tell all of them.
fn violation(
    store: &mut TermStore,
    formula: TermId,
    here: Option<&mut Substituter>,
) -> Result<(TermId, Vec<SymbolId>), Failure> {
    let mut params = Vec::new();
    let mut body = chosen(store, formula, &mut params);
    if let Some(here) = here {
        body = here.apply(store, body);
        body = chosen(store, body, &mut params);
    }
    if store.has_quantifier(body) {
        return Err(Failure::Refusal("a property has quantifiers inside"));
    }
    let negated = store.mk_not(body);
    Ok((store.nnf(negated), params))
}

/// What a formula says of everything, said of new parameters.
fn chosen(store: &mut TermStore, formula: TermId, params: &mut Vec<SymbolId>) -> TermId {
    let mut body = formula;
    while let Op::Forall(bound) = store.op(body).clone() {
        let mut terms = Vec::with_capacity(bound.len());
        for symbol in bound.iter().map(|&symbol| store.symbol(symbol).clone()).collect::<Vec<_>>() {
            let fresh = store.fresh(&symbol.name, symbol.sort, Role::Input);
            params.push(fresh);
            terms.push(store.mk_symbol(fresh));
        }
        body = store.instantiate(body, &terms);
    }
    body
}
