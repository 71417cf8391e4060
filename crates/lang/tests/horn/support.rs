//! Shared by the tests: clauses over finite data by brute force, and the runs of a system.

use std::collections::{BTreeMap, BTreeSet};
use tenet_lang::horn::Horn;
use tenet_lang::horn::clauses::{Atom, Clause};
use tenet_lang::horn::interpretation::Definition;
use tenet_system::run::Taken;
use tenet_system::{Run, System};
use tenet_term::{FunctionTable, Model, SymbolId, TermId, TermStore, Value};

/// For each relation the tuples that it holds of.
pub type Tables = Vec<BTreeSet<Vec<Value>>>;

/// All combinations of values of the symbols.
pub fn assignments(store: &TermStore, symbols: &[SymbolId]) -> Vec<Model> {
    let mut all = vec![Model::new()];
    for &symbol in symbols {
        let values = Model::new().elements(store, store.symbol(symbol).sort).unwrap();
        let extend = |model: &Model, value: &Value| {
            let mut model = model.clone();
            model.set(symbol, value.clone());
            model
        };
        all = all.iter().flat_map(|model| values.iter().map(move |value| extend(model, value))).collect();
    }
    all
}

fn tuple(store: &TermStore, model: &Model, atom: &Atom) -> Vec<Value> {
    atom.args.iter().map(|&arg| model.evaluate(store, arg).unwrap()).collect()
}

/// What the clause derives from the tables: for each instance of its body, the tuple of the head, or `None` for false.
pub fn derived(store: &TermStore, clause: &Clause, tables: &Tables) -> Vec<Option<(usize, Vec<Value>)>> {
    let mut found = Vec::new();
    for model in assignments(store, &clause.variables(store)) {
        let holds = |atom: &Atom| tables[atom.relation].contains(&tuple(store, &model, atom));
        if model.holds(store, clause.constraint).unwrap() && clause.body.iter().all(holds) {
            found.push(clause.head.as_ref().map(|head| (head.relation, tuple(store, &model, head))));
        }
    }
    found
}

/// The least model of the clauses, and whether it violates one of them.
pub fn least(store: &TermStore, clauses: &[Clause], relations: usize) -> (Tables, bool) {
    let mut tables: Tables = vec![BTreeSet::new(); relations];
    loop {
        let mut changed = false;
        let mut violated = false;
        for clause in clauses {
            for fact in derived(store, clause, &tables) {
                match fact {
                    None => violated = true,
                    Some((relation, args)) => changed |= tables[relation].insert(args),
                }
            }
        }
        if !changed {
            return (tables, violated);
        }
    }
}

/// A state of a system with the step that led to it.
#[derive(Clone)]
pub struct Reached {
    /// Values of the state symbols.
    pub state: Vec<Value>,
    /// The state before and the rule; or the start.
    pub from: Option<usize>,
    /// What was taken.
    pub taken: Taken,
}

fn choices(store: &TermStore, params: &[SymbolId]) -> Vec<Vec<(SymbolId, Value)>> {
    let values =
        |model: &Model| params.iter().map(|&param| (param, model.get(param).unwrap().clone())).collect();
    assignments(store, params).iter().map(values).collect()
}

/// All states that can be reached, breadth first.
pub fn reach(system: &System) -> Vec<Reached> {
    let store = &system.store;
    let (mut seen, mut found): (BTreeSet<Vec<Value>>, Vec<Reached>) = (BTreeSet::new(), Vec::new());
    for (index, start) in system.starts.iter().enumerate() {
        for values in choices(store, &start.params) {
            let mut model = Model::new();
            values.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
            if !model.holds(store, start.constraint).unwrap() {
                continue;
            }
            let state: Vec<Value> =
                start.values.iter().map(|&value| model.evaluate(store, value).unwrap()).collect();
            if seen.insert(state.clone()) {
                found.push(Reached { state, from: None, taken: Taken { rule: index, params: values } });
            }
        }
    }
    let mut next = 0;
    while next < found.len() {
        let state = found[next].state.clone();
        for (index, rule) in system.rules.iter().enumerate() {
            for values in choices(store, &rule.params) {
                let mut model = Model::new();
                system.state.iter().zip(&state).for_each(|(var, value)| model.set(var.symbol, value.clone()));
                values.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
                if !model.holds(store, rule.guard).unwrap() {
                    continue;
                }
                let mut after = state.clone();
                for &(symbol, value) in &rule.updates {
                    let at = system.state.iter().position(|var| var.symbol == symbol).unwrap();
                    after[at] = model.evaluate(store, value).unwrap();
                }
                if seen.insert(after.clone()) {
                    found.push(Reached {
                        state: after,
                        from: Some(next),
                        taken: Taken { rule: index, params: values },
                    });
                }
            }
        }
        next += 1;
    }
    found
}

/// The first reached state with control at `error`, if there is one.
pub fn error(horn: &Horn, reached: &[Reached]) -> Option<usize> {
    let error = horn.system().store.value_of(horn.lowered.error).unwrap();
    reached.iter().position(|reached| reached.state[0] == error)
}

/// The run that leads to a state.
pub fn run(reached: &[Reached], last: usize) -> Run {
    let mut rules = Vec::new();
    let mut at = last;
    while let Some(before) = reached[at].from {
        rules.push(reached[at].taken.clone());
        at = before;
    }
    rules.reverse();
    Run { consts: Vec::new(), start: reached[at].taken.clone(), rules }
}

/// That the state is one of these, as a formula about where control is and the variables there.
pub fn exactly(store: &mut TermStore, horn: &Horn, reached: &[Reached]) -> TermId {
    let mut states = Vec::new();
    for reached in reached {
        let mut parts = Vec::new();
        for (at, var) in horn.system().state.iter().enumerate() {
            let (symbol, sort) = (store.mk_symbol(var.symbol), store.symbol(var.symbol).sort);
            let value = store.mk_value(sort, &reached.state[at]).unwrap();
            let here = horn
                .lowered
                .locations
                .iter()
                .filter(|location| store.value_of(location.value).unwrap() == reached.state[0]);
            if at == 0 || here.into_iter().any(|location| location.vars.contains(&Some(var.symbol))) {
                parts.push(store.mk_eq(symbol, value));
            }
        }
        states.push(store.mk_and(parts));
    }
    store.mk_or(states)
}

/// The tuples that definitions describe, for each relation.
pub fn tables(store: &TermStore, horn: &Horn, definitions: &[Definition]) -> Tables {
    let mut known: BTreeMap<SymbolId, Value> = BTreeMap::new();
    let mut found: Tables = vec![BTreeSet::new(); horn.relations.len()];
    for definition in definitions {
        let mut table = FunctionTable::new(Value::Bool(false));
        let relation = horn.relations.iter().position(|relation| relation.symbol == definition.symbol);
        let mut alone = false;
        for mut model in assignments(store, &definition.params) {
            known.iter().for_each(|(symbol, value)| model.set(*symbol, value.clone()));
            if !model.holds(store, definition.body).unwrap() {
                continue;
            }
            let args: Vec<Value> =
                definition.params.iter().map(|&param| model.get(param).unwrap().clone()).collect();
            if let Some(relation) = relation {
                found[relation].insert(args.clone());
            }
            alone = args.is_empty();
            table.set(args, Value::Bool(true));
        }
        let value = if definition.params.is_empty() { Value::Bool(alone) } else { table.into() };
        known.insert(definition.symbol, value);
    }
    found
}
