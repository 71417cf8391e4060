//! Vacuity: relations that should hold of something.
//!
//! Clauses are safe when `false` cannot be derived, which is also the case when a mistake keeps a loop from ever being entered. A
//! relation that holds of nothing is a sign of that, unless it represents an error: then nothing else was asked.

use super::Horn;
use super::clauses::{Atom, Clause};
use super::inline::{Change, Fate};
use std::collections::BTreeSet;
use tenet_term::{Op, TermId, TermStore};

/// The relations of a file that should hold of something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// No facts lead to these.
    pub underivable: Vec<String>,
    /// For relations that are control locations: that control is there.
    pub locations: Vec<(String, TermId)>,
}

/// The relations that should hold of something, if they are control locations or have no facts at all. The store is that of the
/// system, perhaps extended.
pub fn expected(store: &mut TermStore, horn: &Horn) -> Expected {
    let errors = errors(store, &horn.clauses);
    let name =
        |place: usize| Some(horn.relations.get(place)?.name.clone()).filter(|_| !errors.contains(&place));
    let gone = horn.history.iter().filter_map(|change| match change {
        Change::Gone(place, Fate::Underivable) => name(*place),
        _ => None,
    });
    let underivable = gone.collect();
    let here = store.mk_symbol(horn.lowered.location);
    let locations = horn.lowered.locations.iter();
    let locations = locations.filter_map(|location| {
        let is_here = store.mk_eq(here, location.value);
        Some((name(location.place)?, is_here))
    });
    Expected { locations: locations.collect(), underivable }
}

/// The relations that imply `false`, whatever their arguments are.
fn errors(store: &TermStore, clauses: &[Clause]) -> BTreeSet<usize> {
    let mut errors = BTreeSet::new();
    loop {
        let leads =
            |clause: &&Clause| clause.head.as_ref().is_none_or(|head| errors.contains(&head.relation));
        let at_once = clauses.iter().filter(leads).filter_map(|clause| unconditional_premise(store, clause));
        let more: Vec<usize> = at_once.filter(|relation| !errors.contains(relation)).collect();
        if more.is_empty() {
            return errors;
        }
        errors.extend(more);
    }
}

/// The relation in a clause's body, if there is nothing else in it and its arguments are distinct variables.
fn unconditional_premise(store: &TermStore, clause: &Clause) -> Option<usize> {
    let [Atom { relation, args }] = clause.body.as_slice() else { return None };
    let are_variables = args.iter().all(|&arg| matches!(store.op(arg), Op::Symbol(_)));
    let are_different = args.iter().collect::<BTreeSet<_>>().len() == args.len();
    (clause.constraint == TermId::TRUE && are_variables && are_different).then_some(*relation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected_in(text: &str) -> Expected {
        let (horn, _) = super::super::read(text).expect("the file is right");
        let mut store = horn.system().store.clone();
        expected(&mut store, &horn)
    }

    #[test]
    fn errors_are_not_expected() {
        let found = expected_in(
            "(set-logic HORN)(declare-fun loop (Int) Bool)(declare-fun dead (Int) Bool)(declare-fun error () Bool)
             (assert (forall ((x Int)) (=> (= x 0) (loop x))))
             (assert (forall ((x Int)) (=> (loop x) (loop (+ x 1)))))
             (assert (forall ((x Int)) (=> (and (loop x) (< x 0)) error)))
             (assert (forall ((x Int)) (=> (dead x) (dead (+ x 1)))))
             (assert (forall ((x Int)) (=> (and (dead x) (< x 0)) error)))
             (assert (=> error false))(check-sat)",
        );
        assert_eq!(found.underivable, ["dead"]);
        let names: Vec<&str> = found.locations.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["loop"]);
    }
}
