//! The transition system of a process.
//!
//! The state is what `sys` is applied to, except for arguments that no transition changes: these are constants. The variables of
//! a transition that its state does not determine are chosen when it is taken, those of `start` when the system starts, and those
//! of a property are meant universally, or on its right-hand side existentially. Arrays have an entry for each integer, as
//! they do in the process.

use super::super::{Goal, Process, Program, Safety, Transition};
use super::body::Matching;
use super::reading::{Reading, reading};
use super::{Refusal, is_about_whole_arrays};
use crate::finite::program::Source;
use crate::system::{Bounds, Property, PropertyKind, Rule, Start, StateVar, System};
use tenet_term::{Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

/// The transition system of a program's process, or why there is none.
pub fn system(program: &Program) -> Result<System, Refusal> {
    let Some(process) = &program.process else {
        let reason = "it has no `start`, so there is no transition system".to_string();
        return Err(Refusal { what: "the file".to_string(), place: None, reason });
    };
    let mut program = program.clone();
    let state = state(&mut program.store, process);
    let readings = vec![None; program.predicates.len()];
    let mut translator = Translator { program, readings, state };
    let starts = vec![translator.start(process)?];
    let rules = process.transitions.iter().map(|transition| translator.rule(transition));
    let rules = rules.collect::<Result<_, _>>()?;
    let properties = process.properties.iter().map(|property| translator.property(property));
    let properties = properties.collect::<Result<_, _>>()?;
    let Translator { program: Program { store, .. }, state, .. } = translator;
    let (consts, variables): (Vec<SymbolId>, Vec<SymbolId>) =
        state.into_iter().partition(|&symbol| store.symbol(symbol).role == Role::Const);
    let state = variables.into_iter().map(|symbol| state_var(&store, symbol)).collect();
    Ok(System { store, consts, state, starts, rules, properties, ..System::default() })
}

/// A symbol for each argument: a constant if it is a variable of its own in `start` and no transition changes it.
fn state(store: &mut TermStore, process: &Process) -> Vec<SymbolId> {
    let mut symbols = Vec::new();
    for (position, &parameter) in process.parameters.iter().enumerate() {
        let start = process.start.args[position];
        let is_own = store.as_symbol(start).is_some() && !process.start.args[..position].contains(&start);
        let is_kept = |transition: &Transition| {
            let from = transition.from[position];
            from == transition.to[position] && store.as_symbol(from).is_some()
        };
        let is_constant = is_own && process.transitions.iter().all(is_kept);
        let role = if is_constant { Role::Const } else { Role::State };
        let known = store.symbol(parameter).clone();
        symbols.push(store.declare(&known.name, known.sort, role));
    }
    symbols
}

/// An integer, or an array with an entry for each integer.
fn state_var(store: &TermStore, symbol: SymbolId) -> StateVar {
    let args = match store.sort(store.symbol(symbol).sort) {
        Sort::Function { args, .. } => args.len(),
        _ => 0,
    };
    StateVar { symbol, args: vec![Bounds::default(); args], value: Bounds::default() }
}

struct Translator {
    program: Program,
    /// The readings of predicates, made on demand.
    readings: Vec<Option<Reading>>,
    state: Vec<SymbolId>,
}

impl Translator {
    fn start(&mut self, process: &Process) -> Result<Start, Refusal> {
        let (start, what) = (&process.start, "`start`");
        let store = &mut self.program.store;
        let mut substitution = Substitution::new();
        let mut open = start.variables.clone();
        for (&symbol, &arg) in self.state.iter().zip(&start.args) {
            if store.symbol(symbol).role == Role::Const
                && let Some(variable) = store.as_symbol(arg)
            {
                let value = store.mk_symbol(symbol);
                substitution.insert(store, variable, value);
                open.retain(|&other| other != variable);
            }
        }
        let params = renamed(store, &open, Role::Initial, &mut substitution);
        let mut values = Vec::new();
        for (position, &arg) in start.args.iter().enumerate() {
            let value = self.program.store.substitute(arg, &substitution);
            self.check(value, what, start.source)?;
            if self.program.store.symbol(self.state[position]).role == Role::State {
                values.push(value);
            }
        }
        let constraint = self.goal(&start.goal, &substitution, what, start.source)?;
        Ok(Start { name: "start".to_string(), source: start.source, params, constraint, values })
    }

    fn rule(&mut self, transition: &Transition) -> Result<Rule, Refusal> {
        let what = format!("\"{}\"", transition.name);
        let store = &mut self.program.store;
        let Matching { mut substitution, equations, unmatched } =
            Matching::new(store, &transition.from, &self.state, &transition.variables);
        let params = renamed(store, &unmatched, Role::Input, &mut substitution);
        let guard = self.goal(&transition.goal, &substitution, &what, transition.source)?;
        let guard = self.with_equations(guard, &equations, &substitution, &what, transition.source)?;
        let mut updates = Vec::new();
        for (&symbol, &to) in self.state.iter().zip(&transition.to) {
            let value = self.program.store.substitute(to, &substitution);
            self.check(value, &what, transition.source)?;
            let is_kept = self.program.store.as_symbol(value) == Some(symbol);
            if !is_kept && self.program.store.symbol(symbol).role == Role::State {
                updates.push((symbol, value));
            }
        }
        let (name, source, shown_params) = (transition.name.clone(), transition.source, params.len());
        Ok(Rule { name, source, params, shown_params, guard, updates })
    }

    fn property(&mut self, property: &Safety) -> Result<Property, Refusal> {
        let what = format!("\"{}\"", property.name);
        let (store, known) = (&mut self.program.store, &property.state);
        let Matching { mut substitution, equations, unmatched } =
            Matching::new(store, &known.args, &self.state, &known.variables);
        let universal = renamed(store, &unmatched, Role::Bound, &mut substitution);
        let mut quantified = universal.iter().chain(&property.existentials);
        if quantified.any(|&symbol| store.symbol(symbol).sort != SortId::INT) {
            let reason = "it speaks of an array that is no part of the state".to_string();
            return Err(Refusal { what, place: Some(property.source), reason });
        }
        let left = self.goal(&known.goal, &substitution, &what, property.source)?;
        let left = self.with_equations(left, &equations, &substitution, &what, property.source)?;
        let right = self.goal(&property.right, &substitution, &what, property.source)?;
        let store = &mut self.program.store;
        let right = store.mk_exists(&property.existentials, right);
        let formula = store.mk_implies(left, right);
        let formula = store.mk_forall(&universal, formula);
        let (name, source) = (property.name.clone(), property.source);
        Ok(Property { name, source, kind: PropertyKind::Invariant, formula })
    }

    /// A goal as a formula, with symbols replaced.
    fn goal(
        &mut self,
        goal: &Goal,
        substitution: &Substitution,
        what: &str,
        source: Source,
    ) -> Result<TermId, Refusal> {
        let goal = goal.substitute(&mut self.program.store, substitution);
        self.check(goal.constraint, what, source)?;
        let mut parts = vec![goal.constraint];
        for atom in &goal.atoms {
            for &arg in &atom.args {
                self.check(arg, what, source)?;
            }
            let reading = self.reading(atom.predicate)?;
            parts.push(reading.at(&mut self.program.store, &atom.args));
        }
        Ok(self.program.store.mk_and(parts))
    }

    /// A formula and equations of the state with terms.
    fn with_equations(
        &mut self,
        formula: TermId,
        equations: &[TermId],
        substitution: &Substitution,
        what: &str,
        source: Source,
    ) -> Result<TermId, Refusal> {
        let mut parts = vec![formula];
        for &equation in equations {
            let equation = self.program.store.substitute(equation, substitution);
            self.check(equation, what, source)?;
            parts.push(equation);
        }
        Ok(self.program.store.mk_and(parts))
    }

    fn reading(&mut self, predicate: usize) -> Result<Reading, Refusal> {
        if let Some(known) = &self.readings[predicate] {
            return Ok(known.clone());
        }
        let found = reading(&mut self.program, predicate)?;
        Ok(self.readings[predicate].insert(found).clone())
    }

    fn check(&self, term: TermId, what: &str, source: Source) -> Result<(), Refusal> {
        if !is_about_whole_arrays(&self.program.store, term) {
            return Ok(());
        }
        let reason = "it compares whole arrays, or chooses between them".to_string();
        Err(Refusal { what: what.to_string(), place: Some(source), reason })
    }
}

/// Symbols of the same names with another role; the substitution puts them in place.
fn renamed(
    store: &mut TermStore,
    symbols: &[SymbolId],
    role: Role,
    substitution: &mut Substitution,
) -> Vec<SymbolId> {
    let mut renamed = Vec::new();
    for &symbol in symbols {
        let known = store.symbol(symbol).clone();
        let new = store.declare(&known.name, known.sort, role);
        let value = store.mk_symbol(new);
        substitution.insert(store, symbol, value);
        renamed.push(new);
    }
    renamed
}
