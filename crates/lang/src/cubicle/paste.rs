//! Lemmas as Cubicle writes them: what a lemma excludes is declared `unsafe`, and different names are different processes.

use tenet_system::{Lemma, System};
use tenet_term::{Op, Role, Sort, TermId};

/// The declaration that excludes what a clause excludes. Nothing if it is no clause, or speaks of processes that may be the same.
pub(super) fn forbidden(system: &System, lemma: &Lemma) -> Option<String> {
    let store = &system.store;
    let literals = match store.op(lemma.body) {
        Op::Or => store.args(lemma.body).to_vec(),
        _ => vec![lemma.body],
    };
    let vars: Vec<TermId> = lemma
        .vars
        .iter()
        .map(|var| store.symbols().find(|(id, _)| *id == var.symbol).map(|_| var.symbol))
        .map(|symbol| {
            literals
                .iter()
                .flat_map(|&literal| store.subterms(literal))
                .find(|&term| store.as_symbol(term) == symbol)
        })
        .collect::<Option<Vec<TermId>>>()?;
    let is_pair = |literal: TermId| {
        *store.op(literal) == Op::Eq && store.args(literal).iter().all(|arg| vars.contains(arg))
    };
    let pairs = literals.iter().filter(|&&literal| is_pair(literal)).count();
    if pairs != vars.len() * vars.len().saturating_sub(1) / 2 {
        return None;
    }
    let parts: Option<Vec<String>> = literals
        .iter()
        .filter(|&&literal| !is_pair(literal))
        .map(|&literal| negated(system, literal))
        .collect();
    let names: Vec<&str> = lemma.vars.iter().map(|var| store.symbol(var.symbol).name.as_str()).collect();
    Some(format!("unsafe ({}) {{ {} }}", names.join(" "), parts?.join(" && ")))
}

/// The negation of a literal.
fn negated(system: &System, literal: TermId) -> Option<String> {
    let store = &system.store;
    let args = store.args(literal);
    match store.op(literal) {
        Op::Not => positive(system, args[0]),
        Op::Eq => Some(format!("{} <> {}", term(system, args[0])?, term(system, args[1])?)),
        Op::Lt => Some(format!("{} <= {}", term(system, args[1])?, term(system, args[0])?)),
        Op::Le => Some(format!("{} < {}", term(system, args[1])?, term(system, args[0])?)),
        Op::Symbol(_) | Op::Apply => Some(format!("{} = False", term(system, literal)?)),
        _ => None,
    }
}

fn positive(system: &System, literal: TermId) -> Option<String> {
    let store = &system.store;
    let args = store.args(literal);
    match store.op(literal) {
        Op::Eq => Some(format!("{} = {}", term(system, args[0])?, term(system, args[1])?)),
        Op::Lt => Some(format!("{} < {}", term(system, args[0])?, term(system, args[1])?)),
        Op::Le => Some(format!("{} <= {}", term(system, args[0])?, term(system, args[1])?)),
        Op::Symbol(_) | Op::Apply => Some(format!("{} = True", term(system, literal)?)),
        _ => None,
    }
}

/// A name, a literal, an entry of an array, or a place in the order of processes.
fn term(system: &System, id: TermId) -> Option<String> {
    let store = &system.store;
    let args = store.args(id);
    match store.op(id) {
        Op::Symbol(symbol) => Some(store.symbol(*symbol).name.clone()),
        Op::Int(value) => Some(value.to_string()),
        Op::Enum(sort, position) => match store.sort(*sort) {
            Sort::Enum { variants, .. } => variants.get(*position as usize).cloned(),
            _ => None,
        },
        Op::Apply => {
            let symbol = store.as_symbol(args[0])?;
            let places: Option<Vec<String>> = args[1..].iter().map(|&arg| term(system, arg)).collect();
            let places = places?;
            if system.orders.iter().any(|order| order.rank == symbol) {
                return places.into_iter().next();
            }
            let is_array = store.symbol(symbol).role == Role::State;
            is_array.then(|| format!("{}[{}]", store.symbol(symbol).name, places.join(",")))
        }
        _ => None,
    }
}
