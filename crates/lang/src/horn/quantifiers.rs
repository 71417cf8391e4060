//! Quantifiers in constraints.
//!
//! In a body, an existential variable becomes a variable of the clause. A universal one cannot: the system would have to check
//! infinitely many values. So a universal quantifier in a body (or an existential one in a head) that [`super::eliminate`] cannot
//! remove is an error, called a quantifier alternation, because clauses are universally quantified outside.

use super::eliminate::eliminate;
use super::resolve::base_name;
use crate::codes::horn as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use tenet_term::{Op, Role, SymbolId, TermId, TermStore};

/// The body of a quantifier, with fresh variables of the clause in place of the bound ones.
pub fn open(store: &mut TermStore, quantifier: TermId, bound: &[SymbolId]) -> TermId {
    let mut args = Vec::with_capacity(bound.len());
    for &symbol in bound {
        let (name, sort) = (base_name(&store.symbol(symbol).name).to_string(), store.symbol(symbol).sort);
        let variable = store.fresh(&name, sort, Role::Input);
        args.push(store.mk_symbol(variable));
    }
    store.instantiate(quantifier, &args)
}

/// The error for a quantifier that cannot become a variable of the clause.
pub fn alternation(span: Span) -> Diagnostic {
    Diagnostic::error(&codes::ALTERNATION, "quantifier alternation is not supported", span)
        .help("in a body only `exists` can stand inside, in a head only `forall`")
}

/// The constraint of a body with existential quantifiers replaced by variables; `None` if there is a universal one.
pub fn existentials(store: &mut TermStore, constraint: TermId) -> Option<TermId> {
    if !store.has_quantifier(constraint) {
        return Some(constraint);
    }
    let mut tasks = vec![Task::Visit(store.nnf(constraint))];
    let mut done: Vec<TermId> = Vec::new();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Visit(term) if !store.has_quantifier(term) => done.push(term),
            Task::Visit(term) => match store.op(term).clone() {
                Op::And | Op::Or => {
                    tasks.push(Task::Build(term));
                    tasks.extend(store.args(term).iter().rev().map(|&arg| Task::Visit(arg)));
                }
                Op::Exists(bound) => {
                    let body = open(store, term, &bound);
                    tasks.push(Task::Visit(body));
                }
                _ => tasks.push(Task::Visit(eliminate(store, term)?)),
            },
            Task::Build(term) => {
                let (op, count) = (store.op(term).clone(), store.args(term).len());
                let parts = done.split_off(done.len() - count);
                done.push(store.mk(op, &parts));
            }
        }
    }
    done.pop()
}

enum Task {
    Visit(TermId),
    Build(TermId),
}
