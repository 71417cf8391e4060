//! Processes as transition systems: in random states, rules can be taken for the same choices and lead to the same states, and
//! starts and properties are the same.

use super::{PLACES, array, is_solvable, model, program, term_value, truth};
use crate::interpreter::{Answer, Dice, Interpreter, State, Value};
use crate::models::models;
use std::collections::BTreeMap;
use tenet_lang::clp::indexed;
use tenet_system::System;
use tenet_system::recursive::{Process, Program, Transition};
use tenet_term::{Model, SortId, SymbolId, TermId, TermStore};

/// The models whose definitions say “for all”.
const SYSTEMS: &[&str] =
    &["bakery_atomic", "bakery_original", "bakery_original_printed", "false_bakery_guard"];
/// The number of random states.
const STATES: usize = 60;
/// What is chosen in a step is at most this many numbers from zero on, and one below.
const CHOICES: usize = 5;

/// Heads that are no variables, the same variable twice, constants, several cases, existential variables.
const ODD: &str = "
\"twice\": sys(X, X, K, N) :- X < N, sys(X+1, X, K, N).
\"numbers\": sys(1, Y+1, K, N) :- K[Y] = Z, sys(Y, Z, <<K,Y,Z+1>,N,Y>, N).
\"cases\": sys(X, Y, K, N) :- ((K[X] = 0, low(K, N, Y)) \\/ (bit(Z), X > Y)), sys(Y, X+W, K, N).
\"again\": sys(X, Y, K, N) :- N = M + 1, K[M] <= X, sys(X, Y-M, <K,X,W>, N).

low(K, 0, Y) :- K[0] <= Y.
low(K, N, Y) :- K[N] <= Y + N, low(K, N-1, Y).
bit(0).
bit(Z) :- Z = W + 1, W = 0.

start sys(X, X+1, <K,X,7>, N), low(K, N, 2), N <= W.
property \"some\": sys(X, Y, K, N), 0 <= I, I <= N, low(K, N, Y) |= K[I] <= ?W, ?W <= X + 3.
property \"odd\": sys(X, X, K, N), (N = 2 \\/ N = 3) |= low(<K,N,0>, N, X).
";

#[test]
fn random_states_agree() {
    // In other models hardly any random state has a step.
    let bakery = models().into_iter().find(|(name, _)| name == "bakery_atomic").unwrap().1;
    for text in [bakery.as_str(), ODD] {
        let program = program(text);
        let system = indexed(&program).unwrap_or_else(|error| panic!("{}", error.message));
        let process = program.process.clone().unwrap();
        let mut comparison = Comparison { program, process, system, steps: [0; 2], properties: [0; 2] };
        let mut dice = Dice(7);
        for _ in 0..STATES {
            comparison.look_at_random_state(&mut dice);
        }
        let counts = comparison.steps.into_iter().chain(comparison.properties);
        assert!(counts.clone().all(|count| count > 0), "{:?}\n{text}", counts.collect::<Vec<_>>());
    }
}

struct Comparison {
    program: Program,
    process: Process,
    system: System,
    /// How many were impossible and possible.
    steps: [usize; 2],
    /// How often properties were false and true.
    properties: [usize; 2],
}

impl Comparison {
    fn look_at_random_state(&mut self, dice: &mut Dice) {
        let state = values(&self.process.sorts, dice);
        for number in 0..self.process.transitions.len() {
            for _ in 0..CHOICES {
                self.step(number, &state, dice);
            }
        }
        self.starts(dice);
        self.hold(&state);
    }

    /// The symbol for each argument, a constant or a part of the state.
    fn symbols(&self) -> Vec<SymbolId> {
        let all = || self.system.consts.iter().copied().chain(self.system.state.iter().map(|var| var.symbol));
        let name = |symbol: SymbolId| &self.system.store.symbol(symbol).name;
        let of = |parameter: &SymbolId| {
            let wanted = &self.program.store.symbol(*parameter).name;
            all().find(|&symbol| name(symbol) == wanted).unwrap()
        };
        self.process.parameters.iter().map(of).collect()
    }

    fn step(&mut self, number: usize, state: &[Value], dice: &mut Dice) {
        let transition = self.process.transitions[number].clone();
        let rule = self.system.rules[number].clone();
        let chosen = values(&self.sorts(&rule.params), dice);
        let mut after = model(&self.symbols(), state);
        for (&param, value) in rule.params.iter().zip(&chosen) {
            after.set(param, term_value(value));
        }
        let is_possible = truth(&mut self.system.store, &after, rule.guard);
        let goal = State::new(self.variables(&transition, &rule.params, &chosen));
        let goal = goal.with_equations(&transition.from, state).with_goal(&transition.goal);
        if is_solvable(&self.program, goal).is_none_or(|expected| {
            assert_eq!(is_possible, expected, "\"{}\" in {state:?} with {chosen:?}", rule.name);
            !expected
        }) {
            self.steps[0] += 1;
            return;
        }
        self.steps[1] += 1;
        self.same_target(&transition, state, &chosen, &rule.params, &rule.updates, &after);
    }

    /// The variables of a transition that are chosen, with values.
    fn variables(
        &self,
        transition: &Transition,
        params: &[SymbolId],
        chosen: &[Value],
    ) -> Vec<(SymbolId, Value)> {
        let name = |symbol: SymbolId| &self.system.store.symbol(symbol).name;
        let of = |&param: &SymbolId| {
            let is_same = |&&variable: &&SymbolId| self.program.store.symbol(variable).name == *name(param);
            *transition.variables.iter().find(is_same).unwrap()
        };
        params.iter().map(of).zip(chosen.iter().cloned()).collect()
    }

    fn same_target(
        &mut self,
        transition: &Transition,
        state: &[Value],
        chosen: &[Value],
        params: &[SymbolId],
        updates: &[(SymbolId, TermId)],
        before: &Model,
    ) {
        let goal = State::new(self.variables(transition, params, chosen));
        let goal = goal.with_equations(&transition.from, state);
        let Answer::Solved(solved) = Interpreter::new(&self.program, 1).solve(goal, true) else {
            panic!("the state before has values")
        };
        for ((&symbol, &to), old) in self.symbols().iter().zip(&transition.to).zip(state) {
            let expected = solved.value(&self.program.store, to).unwrap();
            let update = updates.iter().find(|(updated, _)| *updated == symbol);
            let found =
                update.map_or(old.clone(), |&(_, value)| value_of(&mut self.system.store, before, value));
            assert_eq!(found, expected, "\"{}\" in {state:?} with {chosen:?}", transition.name);
        }
    }

    fn starts(&mut self, dice: &mut Dice) {
        let start = self.system.starts[0].clone();
        let consts = self.system.consts.clone();
        let symbols: Vec<SymbolId> = start.params.iter().chain(&consts).copied().collect();
        let chosen = values(&self.sorts(&symbols), dice);
        let is_start = truth(&mut self.system.store, &model(&symbols, &chosen), start.constraint);
        // A constant has the name of an argument; the variable is what stands there.
        let name = |symbol: SymbolId| self.system.store.symbol(symbol).name.clone();
        let known = &self.process.start;
        let variable = |&symbol: &SymbolId| match consts.contains(&symbol) {
            true => {
                let place = self.symbols().iter().position(|&argument| argument == symbol).unwrap();
                self.program.store.as_symbol(known.args[place]).unwrap()
            }
            false => {
                let is_same =
                    |&&variable: &&SymbolId| self.program.store.symbol(variable).name == name(symbol);
                *known.variables.iter().find(is_same).unwrap()
            }
        };
        let chosen = symbols.iter().map(variable).zip(chosen);
        if let Some(expected) = is_solvable(&self.program, State::new(chosen).with_goal(&known.goal)) {
            assert_eq!(is_start, expected);
        }
    }

    /// A property is false if its left-hand side has a solution for which the right-hand side has none. The interpreter finds one
    /// solution at a time, so each number is tried.
    fn hold(&mut self, state: &[Value]) {
        let now = model(&self.symbols(), state);
        for number in 0..self.process.properties.len() {
            let property = self.process.properties[number].clone();
            let formula = self.system.properties[number].formula;
            let says = truth(&mut self.system.store, &now, formula);
            self.properties[usize::from(says)] += 1;
            let mut numbers: Vec<SymbolId> = property.state.variables.clone();
            numbers.retain(|&symbol| {
                !property.state.args.iter().any(|&arg| self.program.store.as_symbol(arg) == Some(symbol))
            });
            let all = numbers.iter().fold(vec![Vec::new()], |known, &symbol| {
                let longer = |values: &Vec<(SymbolId, Value)>| {
                    let with = |number| [values.as_slice(), &[(symbol, Value::Int(number))]].concat();
                    (-3..=6).map(with).collect::<Vec<_>>()
                };
                known.iter().flat_map(longer).collect()
            });
            let is_false = all.into_iter().any(|values| {
                let start = || State::new(values.clone()).with_equations(&property.state.args, state);
                let left = is_solvable(&self.program, start().with_goal(&property.state.goal));
                let both = start().with_goal(&property.state.goal).with_goal(&property.right);
                left == Some(true) && is_solvable(&self.program, both) == Some(false)
            });
            assert_eq!(says, !is_false, "\"{}\" in {state:?}", property.name);
        }
    }

    fn sorts(&self, symbols: &[SymbolId]) -> Vec<SortId> {
        symbols.iter().map(|&symbol| self.system.store.symbol(symbol).sort).collect()
    }
}

/// The value of a term: of an array, entry by entry.
fn value_of(store: &mut TermStore, model: &Model, term: TermId) -> Value {
    let number = |store: &TermStore, term| match model.evaluate(store, term).unwrap() {
        tenet_term::Value::Int(number) => i64::try_from(number).unwrap(),
        other => panic!("{other:?}"),
    };
    if store.sort_of(term) == SortId::INT {
        return Value::Int(number(store, term));
    }
    let mut entries = BTreeMap::new();
    for place in PLACES {
        let index = store.mk_int(place);
        let entry = store.mk_apply(term, &[index]);
        entries.insert(place, number(store, entry));
    }
    entries.retain(|_, entry| *entry != 0);
    Value::Array(entries)
}

/// Random values of these sorts.
fn values(sorts: &[SortId], dice: &mut Dice) -> Vec<Value> {
    let value = |&sort: &SortId| match sort == SortId::INT {
        true => Value::Int(dice.below(CHOICES) as i64 - 1),
        false => array(dice),
    };
    sorts.iter().map(value).collect()
}

#[test]
fn the_bakery_is_a_system_over_arrays() {
    let text = &models().into_iter().find(|(name, _)| name == "bakery_atomic").unwrap().1;
    let system = indexed(&program(text)).unwrap();
    let name = |symbol: SymbolId| system.store.symbol(symbol).name.as_str();
    assert_eq!(system.consts.iter().map(|&symbol| name(symbol)).collect::<Vec<_>>(), ["N"]);
    assert_eq!(system.state.iter().map(|var| name(var.symbol)).collect::<Vec<_>>(), ["K", "T"]);
    assert!(system.state.iter().all(|var| system.store.symbol(var.symbol).sort != SortId::INT));
    let params = |rule: usize| system.rules[rule].params.iter().map(|&symbol| name(symbol));
    assert_eq!(params(0).collect::<Vec<_>>(), ["Id", "X"]);
    assert_eq!(system.rules[1].updates.len(), 1);
}

#[test]
fn models_are_systems_or_tell_what_is_in_the_way() {
    for (name, text) in models() {
        let expected = SYSTEMS.contains(&name.as_str());
        let found = indexed(&program(&text));
        assert_eq!(found.is_ok(), expected, "{name}: {:?}", found.map(|_| ()).map_err(|error| error.message));
    }
}
