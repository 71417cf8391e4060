//! The use of a hypothesis or a lemma.

use std::rc::Rc;

use tenet_system::recursive::{Known, Recall, Step};
use tenet_term::{Substitution, TermId};

use super::check::{Checker, Task};
use super::lineage::Lineage;
use super::obligation::{Assumed, Obligation, Statement, equal};
use super::scope::Scope;
use super::steps::Left;

impl Checker<'_> {
    /// Adds the conclusion of a statement to the left-hand side.
    pub(super) fn recall<'p>(
        &mut self,
        path: String,
        mut obligation: Obligation,
        recall: &Recall,
        next: &'p Step,
    ) -> Left<'p> {
        let statement = self.recalled(&obligation, recall.known)?;
        let bindings = self.substitution(&recall.bindings, &obligation.scope)?;
        let bound: Scope = recall.bindings.iter().map(|&(symbol, _)| symbol).collect();
        if !bound.is_subset(&statement.variables) || !statement.required.is_subset(&bound) {
            return Err("the terms are not for the variables of what is recalled, each of them".to_owned());
        }
        self.match_atoms(&path, &obligation, &statement, recall, &bindings)?;
        match recall.known {
            Known::Hypothesis(number) => check_descent(&obligation, number, &recall.atoms)?,
            Known::Itself => self.ask_decrease(&path, &obligation, &bindings),
            Known::Lemma(_) => {}
        }
        self.add(&mut obligation, &statement, recall, bindings)?;
        Ok(vec![Task { path, obligation, step: next }])
    }

    fn recalled(&self, obligation: &Obligation, known: Known) -> Result<Rc<Statement>, String> {
        match known {
            Known::Hypothesis(_) if self.itself.is_some() => {
                Err("there are no hypotheses in a proof by a measure".to_owned())
            }
            Known::Hypothesis(number) => obligation
                .hypotheses
                .get(number)
                .cloned()
                .ok_or_else(|| format!("there is no hypothesis {}", number + 1)),
            Known::Lemma(number) => match self.lemmas.get(number) {
                Some(lemma) => Ok(Rc::new(Statement::of(&lemma.entailment))),
                None => Err(format!("there is no lemma {} before", number + 1)),
            },
            Known::Itself => match self.itself {
                Some(lemma) => Ok(Rc::new(Statement::of(&lemma.entailment))),
                None => Err("what is being proved is no lemma with a measure".to_owned()),
            },
        }
    }

    /// Checks that the left-hand side contains an instance of the statement's.
    fn match_atoms(
        &mut self,
        path: &str,
        obligation: &Obligation,
        statement: &Statement,
        recall: &Recall,
        bindings: &Substitution,
    ) -> Result<(), String> {
        let wanted = statement.left.substitute(self.store, bindings);
        if recall.atoms.len() != wanted.atoms.len() {
            return Err(format!("{} atoms are given for {}", recall.atoms.len(), wanted.atoms.len()));
        }
        for (number, (atom, &position)) in wanted.atoms.iter().zip(&recall.atoms).enumerate() {
            let Some(known) = obligation.left.get(position) else {
                return Err(format!("the left has no atom {}", position + 1));
            };
            if recall.atoms[..number].contains(&position) {
                return Err(format!("atom {} of the left is used twice", position + 1));
            }
            if known.atom.predicate != atom.predicate {
                return Err(format!("atom {} of the left is of another predicate", position + 1));
            }
            let is_same = equal(self.store, &known.atom.args, &atom.args);
            let shows = format!("atom {} of the left is the one that what is recalled needs", position + 1);
            self.ask_implied(path, &shows, obligation.constraint, is_same);
        }
        let shows = "the constraint of what is recalled holds";
        self.ask_implied(path, shows, obligation.constraint, wanted.constraint);
        Ok(())
    }

    /// The measure of the lemma that is being proved decreases, and is bounded by zero.
    fn ask_decrease(&mut self, path: &str, obligation: &Obligation, bindings: &Substitution) {
        let measure = self.itself.and_then(|lemma| lemma.measure).expect("invariant: it was recalled");
        let (zero, now) = (self.store.mk_int(0), self.store.substitute(measure, bindings));
        let (is_natural, is_less) = (self.store.mk_le(zero, now), self.store.mk_lt(now, measure));
        let decreases = self.store.mk_and([is_natural, is_less]);
        self.ask_implied(path, "the measure decreases", obligation.constraint, decreases);
    }

    fn add(
        &mut self,
        obligation: &mut Obligation,
        statement: &Statement,
        recall: &Recall,
        mut replaced: Substitution,
    ) -> Result<(), String> {
        self.introduce(obligation, &statement.existentials, &recall.fresh)?;
        for (&existential, &fresh) in statement.existentials.iter().zip(&recall.fresh) {
            let fresh: TermId = self.store.mk_symbol(fresh);
            replaced.insert(self.store, existential, fresh);
        }
        let right = statement.right.substitute(self.store, &replaced);
        obligation.constraint = self.store.mk_and([obligation.constraint, right.constraint]);
        let lineage = Lineage::unknown(obligation.hypotheses.len());
        let added = right.atoms.into_iter().map(|atom| Assumed { atom, lineage: lineage.clone() });
        obligation.left.extend(added);
        Ok(())
    }
}

/// A hypothesis may be used only for smaller derivations (RA-T1). That one of them is strictly smaller follows from `Unfold`,
/// since the descendants of the unfolded atom are; but the proof rests on it, so it is checked.
fn check_descent(obligation: &Obligation, hypothesis: usize, positions: &[usize]) -> Result<(), String> {
    let mut is_smaller = false;
    for (place, &position) in positions.iter().enumerate() {
        let lineage = &obligation.left[position].lineage;
        let Some(is_strict) = lineage.descent(hypothesis, place) else {
            return Err(format!("atom {} does not descend from the hypothesis", position + 1));
        };
        is_smaller |= is_strict;
    }
    match is_smaller {
        true => Ok(()),
        false => Err("none of the atoms was unfolded since the hypothesis was made".to_owned()),
    }
}
