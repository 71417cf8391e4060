//! Functions as arguments of functions: `acc(left, right, n)`, the nodes reachable along two arrays.
//!
//! Solvers do not take functions as arguments. But a question has finitely many *versions* of such a function, one
//! for each tuple of functions that it is applied to: `acc(left, right, ·)` before a step and `acc(left[n := t],
//! right, ·)` after it. Each version becomes an ordinary function of the remaining arguments. That forgets that equal
//! functions give equal versions, which only makes the formulas weaker.
//!
//! For a version of a defined function its equation is assumed. The least function satisfies it, but so may others:
//! nothing here says "least" (EX-T5).

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use tenet_system::Definition;
use tenet_term::{Op, Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

use super::normal::{as_application, is_function};
use super::pool::Functional;

/// A function that has been applied to functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// The ordinary symbol (role `Skolem`) that stands for it.
    pub symbol: SymbolId,
    /// What it stands for: a lambda over the arguments that are left, or an application if none is.
    pub meaning: TermId,
}

#[derive(Debug, Default)]
pub(super) struct Versions {
    known: IndexMap<Functional, Version, FxBuildHasher>,
}

impl Versions {
    /// The term with every application to functions replaced by the version's symbol. There must be no quantifiers.
    pub(super) fn replace(&mut self, store: &mut TermStore, term: TermId) -> TermId {
        store.rewrite_bottom_up(term, |store, part, args| {
            // What stands inside a function argument is part of the version's meaning, hence the original operands.
            if let Some((symbol, operands)) = as_application(store, part)
                && let Some(functions) = closed_functions(store, operands)
            {
                let is_left: Vec<bool> = operands.iter().map(|&arg| !is_function(store, arg)).collect();
                let version = self.version(store, (symbol, functions));
                let left = args[1..].iter().zip(is_left).filter(|(_, is_left)| *is_left);
                let left: Vec<TermId> = left.map(|(&arg, _)| arg).collect();
                let function = store.mk_symbol(version.symbol);
                return if left.is_empty() { function } else { store.mk_apply(function, &left) };
            }
            if args == store.args(part) {
                return part;
            }
            let op = store.op(part).clone();
            store.mk(op, args)
        })
    }

    /// The versions, in order of first use.
    pub(super) fn into_list(self) -> Vec<Version> {
        self.known.into_values().collect()
    }

    fn version(&mut self, store: &mut TermStore, functional: Functional) -> Version {
        if let Some(version) = self.known.get(&functional) {
            return *version;
        }
        let (symbol, functions) = &functional;
        let (sorts, result) = signature(store, *symbol);
        let mut functions = functions.iter();
        let mut bound = Vec::new();
        let mut args = Vec::new();
        for &sort in &sorts {
            if matches!(store.sort(sort), Sort::Function { .. }) {
                args.push(*functions.next().expect("invariant: one function for each functional argument"));
            } else {
                let argument = store.bound_avoiding("a", sort, &bound);
                bound.push(argument);
                args.push(store.mk_symbol(argument));
            }
        }
        let function = store.mk_symbol(*symbol);
        let applied = store.raw_apply(function, &args);
        let meaning = if bound.is_empty() { applied } else { store.raw_lambda(&bound, applied) };
        let left: Vec<SortId> = bound.iter().map(|&argument| store.symbol(argument).sort).collect();
        let sort = if left.is_empty() { result } else { store.function_sort(&left, result) };
        // Named after the term, as proxies are: the same one whenever this version is met again.
        let name = format!("{}#{}", store.symbol(*symbol).name, meaning.index());
        let version = Version { symbol: store.declare(&name, sort, Role::Skolem), meaning };
        self.known.insert(functional, version);
        version
    }
}

fn signature(store: &TermStore, symbol: SymbolId) -> (Vec<SortId>, SortId) {
    match store.sort(store.symbol(symbol).sort) {
        Sort::Function { args, result } => (args.clone(), *result),
        _ => unreachable!("only functions are applied"),
    }
}

/// The arguments that are functions, if there are some and all of them are closed.
fn closed_functions(store: &TermStore, args: &[TermId]) -> Option<Vec<TermId>> {
    let functions: Vec<TermId> = args.iter().copied().filter(|&arg| is_function(store, arg)).collect();
    let closed = functions.iter().all(|&function| store.is_closed(function));
    (closed && !functions.is_empty()).then_some(functions)
}

/// The equation of a definition for given functions: true of the least function, though not of that alone.
pub(super) fn equation(store: &mut TermStore, definition: &Definition, functions: &[TermId]) -> TermId {
    let mut functions = functions.iter();
    let mut substitution = Substitution::new();
    let mut left = Vec::new();
    let mut args = Vec::new();
    for &param in &definition.params {
        if matches!(store.sort(store.symbol(param).sort), Sort::Function { .. }) {
            let function = *functions.next().expect("invariant: one function for each functional parameter");
            substitution.insert(store, param, function);
            args.push(function);
        } else {
            left.push(param);
            args.push(store.mk_symbol(param));
        }
    }
    let body = store.substitute(definition.body, &substitution);
    let function = store.mk_symbol(definition.symbol);
    let applied = store.mk(Op::Apply, &[&[function], &args[..]].concat());
    let equation = store.mk_eq(applied, body);
    store.mk_forall(&left, equation)
}
