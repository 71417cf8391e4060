//! Constraint logic programs as transition systems without recursion are equivalent: compared with the interpreter, which is
//! independent of that.

mod definitions;
mod processes;

use crate::interpreter::{Answer, Dice, Interpreter, State, Value};
use tenet_lang::clp::read;
use tenet_system::recursive::Program;
use tenet_term::{FunctionTable, Model, Op, SymbolId, TermId, TermStore};

/// The range in which quantifiers are evaluated: beyond, they hold trivially for the numbers that are tried.
const PLACES: std::ops::RangeInclusive<i64> = -8..=10;

fn program(text: &str) -> Program {
    read(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}")).0.program
}

/// An array with small entries.
fn array(dice: &mut Dice) -> Value {
    let entries = (-3..=6).map(|place| (place, dice.below(3) as i64));
    Value::Array(entries.filter(|entry| entry.1 != 0).collect())
}

/// Is it satisfiable? `None` if there is too much to try.
fn is_solvable(program: &Program, state: State) -> Option<bool> {
    match Interpreter::new(program, 1).solve(state, true) {
        Answer::Solved(_) => Some(true),
        Answer::None => Some(false),
        Answer::GivenUp => None,
    }
}

fn model(symbols: &[SymbolId], values: &[Value]) -> Model {
    let mut model = Model::new();
    for (&symbol, value) in symbols.iter().zip(values) {
        model.set(symbol, term_value(value));
    }
    model
}

fn term_value(value: &Value) -> tenet_term::Value {
    match value {
        Value::Int(number) => tenet_term::Value::int(*number),
        Value::Array(entries) => {
            let mut table = FunctionTable::new(tenet_term::Value::int(0));
            for (&place, &entry) in entries {
                table.set(vec![tenet_term::Value::int(place)], tenet_term::Value::int(entry));
            }
            table.into()
        }
    }
}

/// Does a formula hold, with quantifiers evaluated in their range?
fn truth(store: &mut TermStore, model: &Model, formula: TermId) -> bool {
    if !store.has_quantifier(formula) {
        return model.holds(store, formula).unwrap();
    }
    let args = store.args(formula).to_vec();
    match store.op(formula).clone() {
        Op::And => args.into_iter().all(|arg| truth(store, model, arg)),
        Op::Or => args.into_iter().any(|arg| truth(store, model, arg)),
        Op::Not => !truth(store, model, args[0]),
        Op::Implies => !truth(store, model, args[0]) || truth(store, model, args[1]),
        Op::Forall(bound) => tuples(bound.len()).into_iter().all(|tuple| at(store, model, formula, &tuple)),
        Op::Exists(bound) => tuples(bound.len()).into_iter().any(|tuple| at(store, model, formula, &tuple)),
        other => panic!("{other:?}"),
    }
}

fn at(store: &mut TermStore, model: &Model, binder: TermId, tuple: &[i64]) -> bool {
    let places: Vec<TermId> = tuple.iter().map(|&place| store.mk_int(place)).collect();
    let instance = store.instantiate(binder, &places);
    truth(store, model, instance)
}

/// All tuples of places.
fn tuples(length: usize) -> Vec<Vec<i64>> {
    let mut tuples = vec![Vec::new()];
    for _ in 0..length {
        let longer =
            |tuple: &Vec<i64>| PLACES.map(|place| [tuple.as_slice(), &[place]].concat()).collect::<Vec<_>>();
        tuples = tuples.iter().flat_map(longer).collect();
    }
    tuples
}
