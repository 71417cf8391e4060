//! From commands that lead to an unsafe state to a run with values, executed again before anybody believes it.
//!
//! The rules are executed symbolically one after the other; a solver finds values for what they choose. Then the system
//! itself is evaluated with these values, guard by guard and right-hand side by right-hand side: neither the solver nor
//! the operators have a say in that.

use super::prover::Prover;
use tenet_solve::Answer;
use tenet_system::{System, domain};
use tenet_term::{Model, Role, Substitution, SymbolId, TermId, Value};

/// A run that violates a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The values of the system's constants.
    pub consts: Vec<(SymbolId, Value)>,
    /// The startstate first, then each rule that was taken.
    pub steps: Vec<Step>,
    /// The property that is false at its end, by position.
    pub property: usize,
}

impl Run {
    /// How many rules are taken.
    pub fn length(&self) -> usize {
        self.steps.len() - 1
    }
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The startstate for the first step, otherwise the rule; by position.
    pub rule: usize,
    /// The values of its parameters.
    pub params: Vec<(SymbolId, Value)>,
    /// The state after it, in the order of the system's state.
    pub state: Vec<Value>,
}

/// A run by these rules, in order, that violates one of the properties; executed again.
pub fn concrete(
    system: &mut System,
    prover: &mut Prover,
    rules: &[usize],
    properties: &[usize],
) -> Option<Run> {
    (0..system.starts.len()).find_map(|start| {
        let path = Path::new(system, start, rules);
        let choices = path.solve(system, prover, properties)?;
        replay(system, start, rules, choices, properties)
    })
}

/// Rules, executed symbolically.
struct Path {
    facts: Vec<TermId>,
    state: Vec<(SymbolId, TermId)>,
    /// For each step, its parameters and the terms that stand for their values.
    choices: Vec<Vec<(SymbolId, TermId)>>,
}

/// The values of constants, and of the parameters of each step.
type Choices = (Vec<(SymbolId, Value)>, Vec<Vec<(SymbolId, Value)>>);

impl Path {
    fn new(system: &mut System, start: usize, rules: &[usize]) -> Path {
        let start = system.starts[start].clone();
        let mut path = Path { facts: vec![start.constraint], state: Vec::new(), choices: Vec::new() };
        for &symbol in start.params.iter().chain(&system.consts) {
            path.facts.push(domain(&mut system.store, symbol));
        }
        let symbols = start.params.iter().map(|&symbol| (symbol, system.store.mk_symbol(symbol))).collect();
        path.choices.push(symbols);
        path.state = system.state.iter().map(|var| var.symbol).zip(start.values).collect();
        rules.iter().for_each(|&rule| path.step(system, rule));
        path
    }

    fn step(&mut self, system: &mut System, rule: usize) {
        let rule = system.rules[rule].clone();
        let mut choices = Vec::new();
        for &param in &rule.params {
            let info = system.store.symbol(param).clone();
            let fresh = system.store.fresh(&info.name, info.sort, Role::Input);
            self.facts.push(domain(&mut system.store, fresh));
            choices.push((param, system.store.mk_symbol(fresh)));
        }
        let known = self.state.iter().chain(&choices).copied();
        let now = Substitution::from_pairs(&system.store, known);
        self.facts.push(system.store.substitute(rule.guard, &now));
        for (symbol, value) in rule.updates {
            let value = system.store.substitute(value, &now);
            self.state.iter_mut().filter(|(known, _)| *known == symbol).for_each(|entry| entry.1 = value);
        }
        self.choices.push(choices);
    }

    fn solve(&self, system: &mut System, prover: &mut Prover, properties: &[usize]) -> Option<Choices> {
        let now = Substitution::from_pairs(&system.store, self.state.iter().copied());
        let mut violated = Vec::new();
        for &property in properties {
            let formula = system.store.substitute(system.properties[property].formula, &now);
            violated.push(system.store.mk_not(formula));
        }
        let violated = system.store.mk_or(violated);
        let consts: Vec<(SymbolId, TermId)> =
            system.consts.iter().map(|&symbol| (symbol, system.store.mk_symbol(symbol))).collect();
        let (solver, store) = (prover.solver(), &system.store);
        solver.push();
        self.facts.iter().chain([&violated]).for_each(|&fact| solver.assert(store, fact));
        let is_found = solver.check(store, &[]) == Answer::Sat;
        let mut values = |symbols: &[(SymbolId, TermId)]| -> Option<Vec<(SymbolId, Value)>> {
            let terms: Vec<TermId> = symbols.iter().map(|&(_, term)| term).collect();
            let values = solver.values(store, &terms);
            symbols.iter().zip(values).map(|(&(symbol, _), value)| Some((symbol, value?))).collect()
        };
        let choices = match is_found {
            true => values(&consts).zip(self.choices.iter().map(|step| values(step)).collect()),
            false => None,
        };
        solver.pop();
        choices
    }
}

/// The run with these choices, if it is one.
fn replay(
    system: &System,
    start: usize,
    rules: &[usize],
    (consts, choices): Choices,
    properties: &[usize],
) -> Option<Run> {
    let mut model = Model::new();
    consts.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
    let mut steps: Vec<Step> = Vec::new();
    for (number, params) in choices.into_iter().enumerate() {
        params.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
        let (rule, guard) = match number {
            0 => (start, system.starts[start].constraint),
            _ => (rules[number - 1], system.rules[rules[number - 1]].guard),
        };
        let is_within = params.iter().chain(&consts).all(|(symbol, value)| fits(system, *symbol, value));
        if !is_within || model.holds(&system.store, guard) != Ok(true) {
            return None;
        }
        let state = match steps.last() {
            None => values(system, &model, &system.starts[start].values)?,
            Some(last) => after(system, &model, rule, &last.state)?,
        };
        let symbols = system.state.iter().map(|var| var.symbol);
        symbols.zip(&state).for_each(|(symbol, value)| model.set(symbol, value.clone()));
        steps.push(Step { rule, params, state });
    }
    let is_violated =
        |&&property: &&usize| model.holds(&system.store, system.properties[property].formula) == Ok(false);
    let property = *properties.iter().find(is_violated)?;
    Some(Run { consts, steps, property })
}

/// The state after a rule.
fn after(system: &System, model: &Model, rule: usize, before: &[Value]) -> Option<Vec<Value>> {
    let updates = &system.rules[rule].updates;
    let new = values(system, model, &updates.iter().map(|&(_, value)| value).collect::<Vec<_>>())?;
    let mut state = before.to_vec();
    for ((symbol, _), value) in updates.iter().zip(new) {
        let place = system.state.iter().position(|var| var.symbol == *symbol)?;
        state[place] = value;
    }
    Some(state)
}

fn values(system: &System, model: &Model, terms: &[TermId]) -> Option<Vec<Value>> {
    terms.iter().map(|&term| model.evaluate(&system.store, term).ok()).collect()
}

/// Is the value one of the symbol's sort?
fn fits(system: &System, symbol: SymbolId, value: &Value) -> bool {
    let sort = system.store.symbol(symbol).sort;
    match (system.store.sort(sort), value) {
        (tenet_term::Sort::Range { lo, hi, .. }, Value::Int(value)) => {
            lo.as_ref().is_none_or(|lo| lo <= value) && hi.as_ref().is_none_or(|hi| value <= hi)
        }
        _ => true,
    }
}
