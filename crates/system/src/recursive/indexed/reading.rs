//! What a predicate says, without recursion.
//!
//! The shape of a “for all” definition, with `n` the argument that counts and `args` the others:
//!
//! ```text
//! p(args, n) :- n = b, first(args).                   (one or more rules, all with the same number b)
//! p(args, n) :- each(args, n), p(args, n-1).          (one or more rules)
//! ```
//!
//! A derivation of `p(args, n)` is finite and counts down by one to the only number where it can end. So there is none below
//! `b`; at `b` it is the first kind of rule, since the second one would need a derivation below; and above `b` it is the
//! second kind, for each number down to `b + 1`. Therefore
//!
//! ```text
//! p(args, n)  =  n >= b  and  first(args)  and  for all i with b < i <= n: each(args, i)
//! ```
//!
//! whatever `each` says. That it says `n > b` is usual, and not needed. A predicate whose rules have no atoms says what they say.

use super::super::{Atom, Program};
use super::body::Body;
use super::{Refusal, is_about_whole_arrays};
use num_bigint::BigInt;
use tenet_term::{Op, Role, SortId, Substitution, SymbolId, TermId, TermStore};

/// A predicate as a formula.
#[derive(Clone, Debug)]
pub struct Reading {
    /// A symbol for each argument (role `Bound`).
    pub params: Vec<SymbolId>,
    /// What it says of them. Quantifiers are universal ones over integers, and not nested.
    pub formula: TermId,
}

impl Reading {
    /// What the predicate says of these arguments.
    pub fn at(&self, store: &mut TermStore, args: &[TermId]) -> TermId {
        let pairs = self.params.iter().copied().zip(args.iter().copied());
        let substitution = Substitution::from_pairs(store, pairs);
        store.substitute(self.formula, &substitution)
    }
}

/// The formula that says what a predicate says, if it is one of those above.
///
/// The program is changed only by symbols and terms added to its store.
pub fn reading(program: &mut Program, predicate: usize) -> Result<Reading, Refusal> {
    let Program { store, predicates, .. } = program;
    let known = &predicates[predicate];
    let sorts = known.sorts.iter().enumerate();
    let params: Vec<SymbolId> = sorts
        .map(|(position, &sort)| store.fresh(&format!("argument {}", position + 1), sort, Role::Bound))
        .collect();
    let bodies: Vec<Body> = known.rules.iter().map(|rule| Body::new(store, rule, &params)).collect();
    let formula = formula(store, predicate, &params, &bodies);
    formula.map(|formula| Reading { params, formula }).map_err(|reason| Refusal {
        what: format!("`{}`", known.name),
        place: Some(known.source),
        reason,
    })
}

fn formula(
    store: &mut TermStore,
    predicate: usize,
    params: &[SymbolId],
    bodies: &[Body],
) -> Result<TermId, String> {
    for body in bodies {
        check(store, body)?;
    }
    let (ends, steps): (Vec<&Body>, Vec<&Body>) = bodies.iter().partition(|body| body.atoms.is_empty());
    if steps.is_empty() {
        return Ok(any(store, ends.into_iter().map(|body| body.constraint.as_slice())));
    }
    let counter = counter(store, predicate, params, &steps)?;
    let number = store.mk_symbol(counter);
    let base = base(store, number, &ends)?;
    let first = any(store, ends.into_iter().map(|body| body.constraint.as_slice()));
    let first = at(store, first, counter, base);
    let steps: Vec<Vec<TermId>> =
        steps.into_iter().map(|step| without_guards(store, step, number, base)).collect();
    let each = any(store, steps.iter().map(Vec::as_slice));
    // Mostly the end says the same as the steps do.
    let (first, from) = match at(store, each, counter, base) == first {
        true => (TermId::TRUE, base),
        false => (first, next(store, base)),
    };
    let place = store.declare("i", SortId::INT, Role::Bound);
    let index = store.mk_symbol(place);
    let range = [store.mk_le(from, index), store.mk_le(index, number)];
    let range = store.mk_and(range);
    let each = at(store, each, counter, index);
    let each = store.mk_implies(range, each);
    let all = store.mk_forall(&[place], each);
    let is_reached = store.mk_le(base, number);
    Ok(store.mk_and([is_reached, first, all]))
}

/// Is a rule about entries of arrays and numbers, all of which are known?
fn check(store: &TermStore, body: &Body) -> Result<(), String> {
    let terms = body.atoms.iter().flat_map(|atom| &atom.args).chain(&body.constraint);
    if terms.into_iter().any(|&term| is_about_whole_arrays(store, term)) {
        return Err("a rule compares, changes or chooses whole arrays".to_string());
    }
    match body.variables.first() {
        None => Ok(()),
        Some(&variable) => {
            Err(format!("its arguments do not determine `{}` in a rule", store.symbol(variable).name))
        }
    }
}

/// The argument that all steps make smaller by one, if they leave the others as they are.
fn counter(
    store: &mut TermStore,
    predicate: usize,
    params: &[SymbolId],
    steps: &[&Body],
) -> Result<SymbolId, String> {
    let mut known = None;
    for step in steps {
        let [Atom { predicate: used, args }] = step.atoms.as_slice() else {
            return Err("a rule has several atoms".to_string());
        };
        if *used != predicate {
            return Err("a rule uses another predicate".to_string());
        }
        let changed = params.iter().zip(args).filter(|(param, arg)| store.as_symbol(**arg) != Some(**param));
        let changed: Vec<(SymbolId, TermId)> = changed.map(|(&param, &arg)| (param, arg)).collect();
        let &[(param, arg)] = changed.as_slice() else {
            return Err("a rule changes several arguments, or none".to_string());
        };
        if arg != predecessor(store, param) || known.is_some_and(|known| known != param) {
            return Err("its rules do not make one and the same argument smaller by one".to_string());
        }
        known = Some(param);
    }
    known.ok_or_else(|| "no rule counts".to_string())
}

fn predecessor(store: &mut TermStore, param: SymbolId) -> TermId {
    let (value, one) = (store.mk_symbol(param), store.mk_int(1));
    // An array has no predecessor, and is never equal to a number.
    if store.symbol(param).sort == SortId::INT { store.mk_sub(value, one) } else { TermId::FALSE }
}

fn next(store: &mut TermStore, number: TermId) -> TermId {
    let one = store.mk_int(1);
    store.mk_add([number, one])
}

/// The number that all rules without atoms ask for.
fn base(store: &mut TermStore, number: TermId, ends: &[&Body]) -> Result<TermId, String> {
    let mut known = None;
    for end in ends {
        let found = end.constraint.iter().find_map(|&part| value_of(store, part, number));
        let found = found.ok_or("a rule without recursion does not say for which number it is")?;
        if known.is_some_and(|known| known != found) {
            return Err("its recursion ends at several numbers".to_string());
        }
        known = Some(found);
    }
    known.ok_or_else(|| "its recursion never ends".to_string())
}

/// The number that an equation `number = 1` gives.
fn value_of(store: &TermStore, equation: TermId, number: TermId) -> Option<TermId> {
    let (Op::Eq, &[left, right]) = (store.op(equation), store.args(equation)) else { return None };
    [(left, right), (right, left)]
        .into_iter()
        .find_map(|(subject, value)| (subject == number && store.as_int(value).is_some()).then_some(value))
}

/// A step without `n > b` and the like, which is true wherever a step is looked at.
fn without_guards(store: &TermStore, step: &Body, number: TermId, base: TermId) -> Vec<TermId> {
    let least = store.as_int(base).map(|base| base + BigInt::from(1));
    let is_guard = |&part: &TermId| {
        let bound = store.args(part).first().and_then(|&bound| store.as_int(bound));
        let (Some(bound), Some(least)) = (bound, &least) else { return false };
        store.args(part).get(1) == Some(&number)
            && match store.op(part) {
                Op::Lt => bound < least,
                Op::Le => bound <= least,
                _ => false,
            }
    };
    step.constraint.iter().copied().filter(|part| !is_guard(part)).collect()
}

fn any<'a>(store: &mut TermStore, conjunctions: impl IntoIterator<Item = &'a [TermId]>) -> TermId {
    let parts: Vec<TermId> =
        conjunctions.into_iter().map(|parts| store.mk_and(parts.iter().copied())).collect();
    store.mk_or(parts)
}

fn at(store: &mut TermStore, formula: TermId, symbol: SymbolId, value: TermId) -> TermId {
    let substitution = Substitution::from_pairs(store, [(symbol, value)]);
    store.substitute(formula, &substitution)
}
