//! Why a property is not proved: the offending abstract state, and the step that introduced it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Clauses, Observation, Query, Solution};
use tenet_system::System;
use tenet_term::{Op, Role, Sort, Substitution, TermId, TermStore, Value};

use super::details::{Cause, Failure, Introduced, Snapshot};
use super::fixpoint::{Added, Fixpoint};
use super::property::Question;
use crate::common::query::query;

/// Explains a violation of a property by the limit.
pub fn explain(
    system: &mut System,
    observation: &Observation,
    fixpoint: &Fixpoint,
    question: &mut Question,
    solution: &Solution,
    interrupt: &Arc<AtomicBool>,
) -> Failure {
    let witness = snapshot(system, &mut question.query, &question.formulas, None, &Substitution::new());
    // Of the valuations in the state, the one that came in last is the offending one.
    let offending = solution
        .before
        .iter()
        .filter_map(|values| origin(fixpoint, values).map(|(when, added)| (when, values, added)))
        .max_by_key(|(when, ..)| *when);
    let Some((_, values, added)) = offending else {
        return Failure { cause: Cause::Unclear, state: Vec::new(), introduced: None, witness };
    };
    let introduced = introduced(system, observation, fixpoint, added, values, interrupt);
    Failure { cause: Cause::Unclear, state: values.clone(), introduced: Some(introduced), witness }
}

/// The step that added a valuation.
fn origin<'a>(fixpoint: &'a Fixpoint, values: &[bool]) -> Option<(usize, &'a Added)> {
    fixpoint.history.iter().enumerate().find(|(_, added)| fixpoint.layout.contains(&added.set, values))
}

fn introduced(
    system: &mut System,
    observation: &Observation,
    fixpoint: &Fixpoint,
    added: &Added,
    values: &[bool],
    interrupt: &Arc<AtomicBool>,
) -> Introduced {
    let mut introduced = Introduced {
        iteration: added.iteration,
        rule: added.rule,
        before: Snapshot::default(),
        after: Snapshot::default(),
    };
    let Some(rule) = added.rule else { return introduced };
    let parts = observation.rule(system, rule, &fixpoint.substitutions[rule]);
    let mut query = query(system, &fixpoint.layout, &parts, Some(rule), fixpoint.depth, interrupt);
    let mut clauses = Clauses::default();
    clauses.update(&fixpoint.layout, &added.from);
    let after: Vec<(usize, bool)> = values.iter().copied().enumerate().collect();
    let solution = query.solve(&mut system.store, &added.from, clauses.list(), &after);
    if let Ok(Some(_)) = solution {
        let names = display_names(system, rule);
        let rule = &system.rules[rule];
        let update = Substitution::from_pairs(&system.store, rule.updates.iter().copied());
        let mut formulas = observation.predicates.clone();
        formulas.push(rule.guard);
        introduced.before = snapshot(system, &mut query, &formulas, None, &names);
        introduced.after = snapshot(system, &mut query, &formulas, Some(&update), &names);
    }
    introduced
}

/// Other names for parameters of a rule that are called like an index variable.
fn display_names(system: &mut System, rule: usize) -> Substitution {
    let mut names = Substitution::new();
    for param in system.rules[rule].params.clone() {
        let (name, sort) = (system.store.symbol(param).name.clone(), system.store.symbol(param).sort);
        if system.indices.iter().any(|var| system.store.symbol(var.symbol).name == name) {
            let other = system.store.declare(&format!("{name} of the rule"), sort, Role::Input);
            let other = system.store.mk_symbol(other);
            names.insert(&system.store, param, other);
        }
    }
    names
}

/// What the query's model says of the parts of the state that formulas look at, after an update if there is one.
fn snapshot(
    system: &mut System,
    query: &mut Query,
    formulas: &[TermId],
    update: Option<&Substitution>,
    names: &Substitution,
) -> Snapshot {
    let store = &mut system.store;
    let mut shown: Vec<(TermId, TermId)> = store
        .subterms_of_all(formulas.iter().copied())
        .into_iter()
        .filter(|&term| is_shown(store, term) && (update.is_none() || speaks_of_state(store, term)))
        .map(|term| (term, term))
        .collect();
    if let Some(update) = update {
        shown.iter_mut().for_each(|(_, value)| *value = store.substitute(*value, update));
    }
    shown.retain(|&(_, value)| !has_array_argument(store, value));
    let terms: Vec<TermId> = shown.iter().map(|&(_, value)| value).collect();
    let values = query.values(store, &terms);
    let texts = shown.iter().zip(values).filter_map(|(&(term, _), value)| {
        let text = value_text(store, store.sort_of(term), &value?)?;
        let term = store.substitute(term, names);
        Some((store.print(term), text))
    });
    Snapshot { values: texts.collect() }
}

/// Is the term a symbol, or an entry of an array, that means something to a reader?
fn is_shown(store: &TermStore, term: TermId) -> bool {
    let is_function = matches!(store.sort(store.sort_of(term)), Sort::Function { .. });
    let is_leaf = matches!(store.op(term), Op::Symbol(_) | Op::Apply);
    is_leaf && !is_function && store.is_closed(term) && !store.has_lambda(term) && {
        let internal = |symbol| store.symbol(symbol).role == Role::AbstractBool;
        !store.free_symbols(term).into_iter().any(internal)
    }
}

/// Is a defined function of arrays applied somewhere? Solvers know only its versions.
fn has_array_argument(store: &TermStore, term: TermId) -> bool {
    let is_array = |&arg: &TermId| matches!(store.sort(store.sort_of(arg)), Sort::Function { .. });
    let mut subterms = store.subterms(term).into_iter();
    subterms.any(|sub| *store.op(sub) == Op::Apply && store.args(sub)[1..].iter().any(is_array))
}

fn speaks_of_state(store: &TermStore, term: TermId) -> bool {
    store.free_symbols(term).into_iter().any(|symbol| store.symbol(symbol).role == Role::State)
}

/// A value as text; elements of index sorts are numbered.
fn value_text(store: &TermStore, sort: tenet_term::SortId, value: &Value) -> Option<String> {
    Some(match (value, store.sort(sort)) {
        (Value::Bool(value), _) => value.to_string(),
        (Value::Int(number), _) => number.to_string(),
        (Value::Real(number), _) => number.to_string(),
        (Value::Enum(position), Sort::Enum { variants, .. }) => variants.get(*position as usize)?.clone(),
        (Value::Index(number), _) => format!("{}#{number}", store.sort_name(sort)),
        (Value::Union(member, position), _) => match store.sort(*member) {
            Sort::Enum { variants, .. } => variants.get(*position as usize)?.clone(),
            _ => format!("{}#{position}", store.sort_name(*member)),
        },
        (Value::BitVec(bits), _) => bits.unsigned().to_string(),
        _ => return None,
    })
}
