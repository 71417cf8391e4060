//! What holds for reasons of form alone: named quantified formulas whose body is true whatever the witness, and defined
//! functions of arrays that are the same because the arrays are.
//!
//! `acc` of `old_left.next` is `acc` of `left` if a rule copies `left` there. The fact that says so has premises, that the
//! arrays are equal everywhere, and each of them needs a fact about its witness. One at a time, none of these instances
//! is false in a model, so the search would not come to them. Here they come together: a premise that is shown by its
//! witness for reasons of form is taken out of every instance, and the fact that shows it goes with the instance.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use tenet_term::{Op, Substitution, SymbolId, TermId};

use super::Search;
use super::candidates::{Candidates, head, product, same_sort};
use crate::script::Instance;

/// Terms for some of the variables of a fact.
pub(super) type Assignment = Vec<(SymbolId, TermId)>;

/// With more variables than this two arrays are not compared.
const MAX_VARIABLES: usize = 2;

impl Search<'_> {
    /// The formula without what holds for reasons of form, and the instances that show it.
    pub(super) fn without_formalities(&mut self, formula: TermId) -> (TermId, Vec<Instance>) {
        let shown: Vec<(TermId, Instance)> = self
            .store
            .subterms(formula)
            .into_iter()
            .filter_map(|term| self.shown_by(term).map(|instance| (term, instance)))
            .collect();
        if shown.is_empty() {
            return (formula, Vec::new());
        }
        let formula = self.store.rewrite_bottom_up(formula, |store, term, args| {
            if shown.iter().any(|(known, _)| *known == term) {
                return TermId::TRUE;
            }
            if args == store.args(term) {
                return term;
            }
            let op = store.op(term).clone();
            store.mk(op, args)
        });
        (formula, shown.into_iter().map(|(_, instance)| instance).collect())
    }

    /// The instance that is nothing but this application of a new name.
    fn shown_by(&mut self, application: TermId) -> Option<Instance> {
        let fact = *self.showing.get(&head(self.store, application)?)?;
        if !self.store.is_closed(application) || !self.facts.contains_key(&fact) {
            return None;
        }
        if let Some(known) = self.shown.get(&application) {
            return known.clone();
        }
        let terms = self.store.args(application).iter().skip(1).copied().collect();
        let instance = Instance { fact, terms };
        let found = (self.plain_formula(&instance) == application).then_some(instance);
        self.shown.insert(application, found.clone());
        found
    }

    /// The instances that show what holds for reasons of form in formulas that are asserted as they are.
    pub(super) fn formalities(&mut self, formulas: &[TermId]) -> Vec<(TermId, Instance)> {
        let terms = self.store.subterms_of_all(formulas.iter().copied());
        terms.into_iter().filter_map(|term| self.shown_by(term).map(|instance| (term, instance))).collect()
    }

    /// Adds to instances those that their premises rest on.
    pub(super) fn with_premises(&self, instances: Vec<Instance>) -> Vec<Instance> {
        let mut all: IndexSet<Instance, FxBuildHasher> = IndexSet::default();
        for instance in instances {
            all.extend(self.premises.get(&instance).into_iter().flatten().cloned());
            all.insert(instance);
        }
        all.into_iter().collect()
    }

    /// If a fact says that two functions are the same provided that arrays are: the instances about applications that
    /// occur, for arrays that are the same for reasons of form. `None` if the fact is another one, or if what is to be
    /// shown of its arrays is not a matter of form but simple.
    pub(super) fn same_functions(
        &mut self,
        fact: SymbolId,
        candidates: &Candidates,
        basic: &[TermId],
    ) -> Option<Vec<Vec<TermId>>> {
        let subjects = self.facts[&fact].subjects.clone();
        let [one, other] = subjects[..] else { return None };
        if !self.is_equation(self.facts[&fact].body, one, other) {
            return None;
        }
        let assignments = self.same_arrays(fact, one, other, basic);
        let params = self.facts[&fact].params.clone();
        if assignments.is_empty() && self.array_variables(&params, one, other).is_empty() {
            return None;
        }
        let mut tuples: IndexSet<Vec<TermId>, FxBuildHasher> = IndexSet::default();
        for assignment in &assignments {
            for subject in [one, other] {
                for &term in candidates.applications(self.store, subject) {
                    let found = self.matched(subject, term, assignment);
                    let value = |param: &SymbolId| {
                        found.as_ref()?.iter().find(|(known, _)| known == param).map(|(_, term)| *term)
                    };
                    tuples.extend(params.iter().map(value).collect::<Option<Vec<TermId>>>());
                }
            }
        }
        Some(tuples.into_iter().collect())
    }

    fn is_equation(&mut self, body: TermId, one: TermId, other: TermId) -> bool {
        let equation = self.store.mk_eq(one, other);
        body == equation
            || matches!((self.store.op(body), self.store.args(body)), (Op::Implies, [_, last]) if *last == equation)
    }

    /// The parameters that only one of the two sides has: those in its arrays.
    fn array_variables(&self, params: &[SymbolId], one: TermId, other: TermId) -> Vec<SymbolId> {
        let has = |subject: TermId, param: SymbolId| {
            self.store.args(subject).iter().skip(1).any(|&arg| self.store.as_symbol(arg) == Some(param))
        };
        params.iter().copied().filter(|&param| !(has(one, param) && has(other, param))).collect()
    }

    /// For which values of the variables in them the arrays are the same for reasons of form.
    fn same_arrays(
        &mut self,
        fact: SymbolId,
        one: TermId,
        other: TermId,
        basic: &[TermId],
    ) -> Vec<Assignment> {
        if let Some(known) = self.same.get(&fact) {
            return known.clone();
        }
        let (params, body) = (self.facts[&fact].params.clone(), self.facts[&fact].body);
        let variables = self.array_variables(&params, one, other);
        let mut found = Vec::new();
        if variables.len() <= MAX_VARIABLES {
            let choices: Vec<Vec<TermId>> = variables
                .iter()
                .map(|&variable| {
                    let sort = self.store.symbol(variable).sort;
                    let fits = |term: &TermId| same_sort(self.store, sort, self.store.sort_of(*term));
                    basic.iter().copied().filter(fits).collect()
                })
                .collect();
            for terms in product(&choices) {
                let assignment: Assignment = variables.iter().copied().zip(terms).collect();
                let substitution = Substitution::from_pairs(self.store, assignment.iter().copied());
                let formula = self.store.substitute(body, &substitution);
                let (formula, _) = self.without_formalities(formula);
                // What is left is the equation, without premises.
                if matches!(self.store.op(formula), Op::Eq | Op::Iff) {
                    found.push(assignment);
                }
            }
        }
        self.same.insert(fact, found.clone());
        found
    }

    /// The assignment extended so that the subject becomes the term.
    fn matched(&self, subject: TermId, term: TermId, assignment: &Assignment) -> Option<Assignment> {
        let mut extended = assignment.clone();
        for (&param, &value) in self.store.args(subject).iter().zip(self.store.args(term)).skip(1) {
            let param = self.store.as_symbol(param)?;
            match extended.iter().find(|(known, _)| *known == param) {
                Some(&(_, known)) if known != value => return None,
                Some(_) => {}
                None => extended.push((param, value)),
            }
        }
        Some(extended)
    }
}
