//! Which parts of a formula can be predicates: Boolean ones over the state alone.
//!
//! Branch conditions and properties of a circuit may mention inputs. An input has no past, so a predicate about one is worth
//! nothing for the next cycle, and makes images larger. Of a formula with inputs the largest parts without them are
//! observed instead: of `start & mode = RUN` the part `mode = RUN`. What a state with these parts can do for some input
//! is left to the solver in each question about a step.

use rustc_hash::FxHashMap;
use tenet_term::{Literal, Op, Role, TermId, TermMap, TermStore};

/// Distinct subterms up to which a term is split into its parts.
const MAX_LIFTED_SIZE: usize = 300;

/// Terms that may be built for that; lifting conditions may grow exponentially.
const MAX_LIFTED_TERMS: usize = 3000;

/// The largest parts of a formula that speak of the state alone, as atoms of literals, in order of occurrence.
pub fn conditions(store: &mut TermStore, formula: TermId) -> Vec<TermId> {
    parts(store, formula, |_, _| true)
}

/// The same for parts that are not made by a connective.
pub fn atoms(store: &mut TermStore, formula: TermId) -> Vec<TermId> {
    let small = store.size(formula) <= MAX_LIFTED_SIZE;
    let lifted = if small { store.lift_ites_within(formula, MAX_LIFTED_TERMS) } else { None };
    let formula = lifted.unwrap_or(formula);
    parts(store, formula, |store, term| {
        !store.op(term).is_connective() && !matches!(store.op(term), Op::Ite | Op::Forall(_) | Op::Exists(_))
    })
}

fn parts(
    store: &mut TermStore,
    formula: TermId,
    is_whole: impl Fn(&TermStore, TermId) -> bool,
) -> Vec<TermId> {
    let about_state = about_state(store, formula);
    let mut found: TermMap<()> = TermMap::default();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if store.is_bool(term) && about_state[&term] && is_whole(store, term) {
            found.insert(literal(store, term).atom, ());
        } else {
            stack.extend(store.args(term).iter().rev());
        }
    }
    found.into_keys().collect()
}

/// For each subterm: does it speak of the state or of constants, and of nothing else?
fn about_state(store: &TermStore, formula: TermId) -> FxHashMap<TermId, bool> {
    let mut speaks: FxHashMap<TermId, (bool, bool)> = FxHashMap::default();
    for term in store.subterms(formula) {
        let own = match store.as_symbol(term) {
            Some(symbol) => {
                let is_state = matches!(store.symbol(symbol).role, Role::State | Role::Const);
                (is_state, !is_state)
            }
            None => (false, false),
        };
        let all = store.args(term).iter().fold(own, |all, arg| {
            let arg = speaks[arg];
            (all.0 || arg.0, all.1 || arg.1)
        });
        speaks.insert(term, all);
    }
    speaks.into_iter().map(|(term, (of_state, of_others))| (term, of_state && !of_others)).collect()
}

/// A formula as a literal, the same one for a comparison of bit-vectors whichever way it is written.
pub fn literal(store: &mut TermStore, formula: TermId) -> Literal {
    store.literal(formula)
}

pub fn formulas(store: &mut TermStore, literals: &[Literal]) -> Vec<TermId> {
    literals.iter().map(|&literal| store.mk_literal(literal)).collect()
}

/// The literal with the opposite meaning.
pub fn negated(literal: Literal) -> Literal {
    Literal { positive: !literal.positive, ..literal }
}
