//! Replaces quantified formulas by proxies, and says how each of them is used.
//!
//! A quantifier may also stand inside a term, as the condition of an `?:` or as an argument: the proxy takes its place
//! there like anywhere else. Functions as arguments are left as they are written: their quantifiers speak of the
//! lambda's variables and come to light when a definition is unfolded.

use rustc_hash::{FxHashMap, FxHashSet};
use tenet_term::{Op, Polarity, Role, SortId, TermId, TermMap, TermStore};

pub(super) fn is_quantifier(store: &TermStore, term: TermId) -> bool {
    matches!(store.op(term), Op::Forall(_) | Op::Exists(_))
}

pub(super) fn proxy(store: &mut TermStore, quantifier: TermId) -> TermId {
    let kind = store.op(quantifier).name();
    let symbol = store.declare(&format!("{kind}#{}", quantifier.index()), SortId::BOOL, Role::AbstractBool);
    store.mk_symbol(symbol)
}

/// The closed formula, quantified formulas replaced by their proxies.
pub(super) fn abstracted(store: &mut TermStore, formula: TermId) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut stack = vec![formula];
    while let Some(&term) = stack.last() {
        if done.contains_key(&term) {
            stack.pop();
            continue;
        }
        let result = if is_quantifier(store, term) {
            proxy(store, term)
        } else if !shows_quantifier(store, term) {
            term
        } else {
            let args = store.args(term).to_vec();
            let missing: Vec<TermId> = args.iter().copied().filter(|arg| !done.contains_key(arg)).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let args: Vec<TermId> = args.iter().map(|arg| done[arg]).collect();
            let op = store.op(term).clone();
            store.mk(op, &args)
        };
        done.insert(term, result);
        stack.pop();
    }
    done[&formula]
}

/// May there be a quantifier in the term outside functions?
fn shows_quantifier(store: &TermStore, term: TermId) -> bool {
    store.has_quantifier(term) && !matches!(store.op(term), Op::Lambda(_))
}

/// The quantified formulas that [`abstracted`] replaces, with their polarity in a formula that is used with the given
/// polarity; in order of first occurrence.
pub(super) fn occurrences(store: &TermStore, formula: TermId, polarity: Polarity) -> Vec<(TermId, Polarity)> {
    let mut found: TermMap<Polarity> = TermMap::default();
    let mut seen = FxHashSet::default();
    let mut stack = Vec::new();
    let both = |term| [(term, false), (term, true)];
    stack.extend(polarity.negative.then_some((formula, false)));
    stack.extend(polarity.positive.then_some((formula, true)));
    while let Some((term, positive)) = stack.pop() {
        if !shows_quantifier(store, term) || !seen.insert((term, positive)) {
            continue;
        }
        let args = store.args(term);
        match store.op(term) {
            Op::Forall(_) | Op::Exists(_) => {
                let polarity = found.entry(term).or_default();
                polarity.positive |= positive;
                polarity.negative |= !positive;
            }
            Op::Not => stack.push((args[0], !positive)),
            Op::And | Op::Or => stack.extend(args.iter().rev().map(|&arg| (arg, positive))),
            Op::Implies => stack.extend([(args[1], positive), (args[0], !positive)]),
            Op::Ite if store.is_bool(term) => {
                stack.extend([(args[2], positive), (args[1], positive)]);
                stack.extend(both(args[0]));
            }
            _ => stack.extend(args.iter().rev().flat_map(|&arg| both(arg))),
        }
    }
    found.into_iter().collect()
}
