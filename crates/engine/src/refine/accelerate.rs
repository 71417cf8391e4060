//! Loops taken many times at once.
//!
//! A transition from a location to itself that adds constants to some variables and sets others to what does not change
//! can be taken `n` times in one go: what it adds is multiplied. Its guard is a line in `n`, so a comparison that holds
//! the first and the last time holds in between. This finds some of the long runs, not all: what is not so simple is left
//! out. Nothing rests on it, because a run is taken apart into single steps again, and replayed.

use super::linear::Linear;
use super::program::{Program, Transition, TransitionId};
use num_rational::BigRational;
use num_traits::{One, Zero};
use tenet_term::{Op, Role, SortId, Substitution, SymbolId, TermId, TermStore};

/// A loop taken any number of times.
#[derive(Debug)]
pub struct Accelerated {
    /// The loop.
    pub base: TransitionId,
    /// How often, at least once.
    pub count: SymbolId,
    /// All of it as one step.
    pub transition: Transition,
}

/// The loops of a program that can be taken many times at once.
pub fn accelerate(store: &mut TermStore, program: &Program) -> Vec<Accelerated> {
    let loops = (0..program.transitions.len()).filter(|&step| {
        let transition = &program.transitions[step];
        transition.source == Some(transition.target)
    });
    loops.collect::<Vec<_>>().into_iter().filter_map(|step| accelerated(store, program, step)).collect()
}

fn accelerated(store: &mut TermStore, program: &Program, base: TransitionId) -> Option<Accelerated> {
    let step = &program.transitions[base];
    let count = store.declare(&format!("times {base}"), SortId::INT, Role::Input);
    let times = store.mk_symbol(count);
    let one = store.mk_int(1);
    let before_last = store.mk_sub(times, one);
    let mut after = Vec::new();
    let mut at_last = Substitution::new();
    for &(symbol, value) in &step.updates {
        let variable = store.mk_symbol(symbol);
        let mut change = Linear::of(store, value);
        change.add_term(variable, -BigRational::one());
        let (many, last) = if change.factors.is_empty() {
            if change.constant.is_zero() {
                continue;
            }
            (moved(store, variable, &change, times)?, moved(store, variable, &change, before_last)?)
        } else if is_steady(store, step, value) {
            // Set to the same every time: before the last time it is that, unless that is the first time.
            let is_first = store.mk_eq(times, one);
            (value, store.mk_ite(is_first, variable, value))
        } else {
            return None;
        };
        after.push((symbol, many));
        at_last.insert(store, symbol, last);
    }
    let mut guards = vec![store.mk_le(one, times)];
    for literal in store.conjuncts(step.guard) {
        guards.push(literal);
        if is_steady(store, step, literal) {
            continue;
        }
        Linear::comparison(store, literal)?;
        guards.push(store.substitute(literal, &at_last));
    }
    let guard = store.mk_and(guards);
    let mut params = step.params.clone();
    params.push(count);
    let transition = Transition {
        origin: step.origin,
        source: step.source,
        target: step.target,
        params,
        guard,
        updates: after,
    };
    Some(Accelerated { base, count, transition })
}

/// Does the loop change nothing that the term depends on?
fn is_steady(store: &TermStore, step: &Transition, term: TermId) -> bool {
    let is_same = |symbol: SymbolId| {
        let update = step.updates.iter().find(|(updated, _)| *updated == symbol);
        update.is_none_or(|&(_, value)| store.as_symbol(value) == Some(symbol))
    };
    store.symbols_in(term).into_iter().all(is_same)
}

/// A variable after so many changes by a constant.
fn moved(store: &mut TermStore, variable: TermId, change: &Linear<TermId>, times: TermId) -> Option<TermId> {
    if !change.constant.is_integer() || !store.sort(store.sort_of(variable)).is_integer() {
        return None;
    }
    let size = store.mk_int(change.constant.to_integer());
    let all = store.mk(Op::Mul, &[size, times]);
    Some(store.mk_add([variable, all]))
}
