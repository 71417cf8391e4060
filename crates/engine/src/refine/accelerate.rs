//! Acceleration: a loop taken any number of times as one step.
//!
//! A transition from a location to itself that adds constants to some variables and sets others to values that do not
//! change can be taken `n` times at once: what it adds is multiplied. Its guard is linear in `n`, so a comparison
//! that holds the first and the last time holds in between. Where a loop has several cases, each of them is
//! accelerated by itself. This finds some long runs, not all; loops that are not of this form are left out. Soundness
//! does not depend on it, because a run is expanded into single steps again, and replayed.

use super::program::{Program, Transition, TransitionId};
use crate::common::linear::Linear;
use num_rational::BigRational;
use num_traits::{One, Zero};
use tenet_term::{Op, Role, SortId, Substitution, SymbolId, TermId, TermStore};

/// Cases of a loop that are accelerated.
const MAX_CASES: usize = 12;

/// A loop taken any number of times.
#[derive(Debug)]
pub struct Accelerated {
    pub base: TransitionId,
    /// The number of times, at least one.
    pub count: SymbolId,
    /// Parameters that have another value every time, in terms of the state before each step and other parameters.
    pub defined: Vec<(SymbolId, TermId)>,
    /// All of it as one step.
    pub transition: Transition,
}

/// One way to take a loop: a conjunction, and updates without `?:`.
#[derive(Clone, Debug)]
struct Case {
    guard: Vec<TermId>,
    updates: Vec<(SymbolId, TermId)>,
    defined: Vec<(SymbolId, TermId)>,
}

/// The loops of a program that can be taken many times at once.
pub fn accelerate(store: &mut TermStore, program: &Program) -> Vec<Accelerated> {
    let mut found = Vec::new();
    for (base, step) in program.transitions.iter().enumerate() {
        if step.source != Some(step.target) {
            continue;
        }
        for case in cases(store, step) {
            let number = found.len();
            found.extend(accelerated(store, step, base, case, number));
        }
    }
    found
}

/// The cases of a loop, as far as there are not too many.
fn cases(store: &mut TermStore, step: &Transition) -> Vec<Case> {
    let first =
        Case { guard: store.conjuncts(step.guard), updates: step.updates.clone(), defined: Vec::new() };
    let (mut open, mut done) = (vec![first], Vec::new());
    while let Some(case) = open.pop() {
        if open.len() + done.len() >= MAX_CASES {
            break;
        }
        match split(store, &case) {
            Some(parts) => open.extend(parts.into_iter().filter(|part| !part.guard.contains(&TermId::FALSE))),
            None => done.push(without_defined(store, step, case)),
        }
    }
    done
}

/// The parts of a case that has a choice inside.
fn split(store: &mut TermStore, case: &Case) -> Option<Vec<Case>> {
    for (position, &literal) in case.guard.iter().enumerate() {
        let parts = choices(store, literal);
        if parts.len() > 1 {
            let part = |part: TermId| {
                let mut part_case = case.clone();
                part_case.guard.remove(position);
                part_case.guard.extend(store.conjuncts(part));
                part_case
            };
            return Some(parts.into_iter().map(part).collect());
        }
    }
    let terms = case.guard.iter().copied().chain(case.updates.iter().map(|&(_, value)| value));
    let inside = store.subterms_of_all(terms);
    let choice =
        inside.into_iter().find(|&term| matches!(store.op(term), Op::Ite) && !store.is_bool(term))?;
    let [condition, yes, no] = store.args(choice)[..] else { return None };
    let denied = store.mk_not(condition);
    let parts = [(condition, yes), (denied, no)].map(|(condition, branch)| {
        let mut replace = |term: TermId| store.replace(term, |part| (part == choice).then_some(branch));
        let mut guard: Vec<TermId> = case.guard.iter().map(|&literal| replace(literal)).collect();
        let updates = case.updates.iter().map(|&(symbol, value)| (symbol, replace(value))).collect();
        guard.extend(store.conjuncts(condition));
        Case { guard, updates, defined: Vec::new() }
    });
    Some(parts.to_vec())
}

/// The cases of a formula: its disjuncts, or one side of a disequality.
fn choices(store: &mut TermStore, formula: TermId) -> Vec<TermId> {
    let args = store.args(formula).to_vec();
    match store.op(formula) {
        Op::Or => args,
        Op::Implies => vec![store.mk_not(args[0]), args[1]],
        Op::Ite => {
            let denied = store.mk_not(args[0]);
            vec![store.mk_and([args[0], args[1]]), store.mk_and([denied, args[2]])]
        }
        Op::Not => {
            let inner = store.args(args[0]).to_vec();
            match store.op(args[0]) {
                Op::And => inner.into_iter().map(|part| store.mk_not(part)).collect(),
                Op::Eq if store.sort(store.sort_of(inner[0])).is_numeric() => {
                    vec![store.mk_lt(inner[0], inner[1]), store.mk_lt(inner[1], inner[0])]
                }
                _ => vec![formula],
            }
        }
        _ => vec![formula],
    }
}

/// Substitutes parameters that an equation defines.
fn without_defined(store: &mut TermStore, step: &Transition, mut case: Case) -> Case {
    for &param in &step.params {
        let term = store.mk_symbol(param);
        let definition = case.guard.iter().enumerate().find_map(|(position, &literal)| {
            let args = store.args(literal);
            if !matches!(store.op(literal), Op::Eq | Op::Iff) {
                return None;
            }
            let other = if args[0] == term {
                args[1]
            } else if args[1] == term {
                args[0]
            } else {
                return None;
            };
            (!store.symbols_in(other).contains(&param)).then_some((position, other))
        });
        let Some((position, value)) = definition else { continue };
        case.guard.remove(position);
        let known = Substitution::from_pairs(store, [(param, value)]);
        case.guard.iter_mut().for_each(|literal| *literal = store.substitute(*literal, &known));
        case.updates.iter_mut().for_each(|(_, update)| *update = store.substitute(*update, &known));
        case.defined.iter_mut().for_each(|(_, other)| *other = store.substitute(*other, &known));
        case.defined.push((param, value));
    }
    case
}

fn accelerated(
    store: &mut TermStore,
    step: &Transition,
    base: TransitionId,
    case: Case,
    number: usize,
) -> Option<Accelerated> {
    let count = store.declare(&format!("times {number}"), SortId::INT, Role::Input);
    let times = store.mk_symbol(count);
    let one = store.mk_int(1);
    let before_last = store.mk_sub(times, one);
    let mut after = Vec::new();
    let mut at_last = Substitution::new();
    for &(symbol, value) in &case.updates {
        let variable = store.mk_symbol(symbol);
        if value == variable {
            continue;
        }
        let is_number = store.sort(store.sort_of(variable)).is_numeric();
        let mut change = if is_number { Linear::of(store, value) } else { Linear::default() };
        if is_number {
            change.add_term(variable, -BigRational::one());
        }
        let (many, last) = if is_number && change.factors.is_empty() {
            if change.constant.is_zero() {
                continue;
            }
            (moved(store, variable, &change, times)?, moved(store, variable, &change, before_last)?)
        } else if is_steady(store, &case, value) {
            // Assigned the same value every time: before the last time it has that value, unless that is the first
            // time.
            let is_first = store.mk_eq(times, one);
            (value, store.mk_ite(is_first, variable, value))
        } else {
            return None;
        };
        after.push((symbol, many));
        at_last.insert(store, symbol, last);
    }
    let mut guards = vec![store.mk_le(one, times)];
    for &literal in &case.guard {
        guards.push(literal);
        if is_steady(store, &case, literal) {
            continue;
        }
        // Linear: what holds at both ends holds in between. A truth value that changes can be taken twice at most.
        Linear::comparison(store, literal)?;
        guards.push(store.substitute(literal, &at_last));
    }
    let guard = store.mk_and(guards);
    let mut params: Vec<SymbolId> = step.params.clone();
    params.retain(|param| !case.defined.iter().any(|(defined, _)| defined == param));
    params.push(count);
    let (origin, source, target) = (step.origin, step.source, step.target);
    let transition = Transition { origin, source, target, params, guard, updates: after };
    Some(Accelerated { base, count, defined: case.defined, transition })
}

/// Does the loop change nothing that the term depends on?
fn is_steady(store: &TermStore, case: &Case, term: TermId) -> bool {
    let is_same = |symbol: SymbolId| {
        let update = case.updates.iter().find(|(updated, _)| *updated == symbol);
        update.is_none_or(|&(_, value)| store.as_symbol(value) == Some(symbol))
    };
    store.symbols_in(term).into_iter().all(is_same)
}

/// A variable after `times` changes by a constant.
fn moved(store: &mut TermStore, variable: TermId, change: &Linear<TermId>, times: TermId) -> Option<TermId> {
    if !change.constant.is_integer() || !store.sort(store.sort_of(variable)).is_integer() {
        return None;
    }
    let size = store.mk_int(change.constant.to_integer());
    let all = store.mk(Op::Mul, &[size, times]);
    Some(store.mk_add([variable, all]))
}
