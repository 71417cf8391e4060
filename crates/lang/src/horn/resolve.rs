//! Clauses that are made of clauses, and how they came about.
//!
//! Two clauses become one if the head of the first is in the body of the second. What was between them disappears from
//! the clause but not from its steps: these say, in terms of the variables that are left, which clauses of the file are
//! used one after the other and what their heads are. So a run of the small system can be told in the relations of the file.

use super::clauses::{Atom, Clause, variables};
use super::condense::condense;
use super::equations;
use crate::span::Span;
use std::collections::BTreeSet;
use tenet_term::{Role, Substitution, SymbolId, TermId, TermStore};

/// A clause with its history.
#[derive(Clone, Debug)]
pub struct Resolvent {
    /// What it says; its span is that of its last step.
    pub clause: Clause,
    /// The clauses of the file that it is made of, each after what it needs; the last one gives the head.
    pub steps: Vec<Step>,
}

/// A clause of the file that is used.
#[derive(Clone, Debug)]
pub struct Step {
    /// Position among the clauses of the file.
    pub clause: usize,
    /// What it derives; `None` for false.
    pub head: Option<Atom>,
    /// What it derives that from, in the order of its body.
    pub premises: Vec<Premise>,
}

/// What a step needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premise {
    /// The relation at this position of the resolvent's body.
    Body(usize),
    /// The head of an earlier step.
    Step(usize),
}

impl Resolvent {
    /// A clause of the file.
    pub fn new(store: &mut TermStore, clause: Clause, position: usize) -> Resolvent {
        let premises = (0..clause.body.len()).map(Premise::Body).collect();
        let step = Step { clause: position, head: clause.head.clone(), premises };
        let mut resolvent = Resolvent { clause, steps: vec![step] };
        resolvent.tidy(store);
        resolvent
    }

    /// Where the clauses that it is made of are written, in order.
    pub fn spans<'c>(&self, clauses: &'c [Clause]) -> impl Iterator<Item = Span> + use<'_, 'c> {
        self.steps.iter().map(|step| clauses[step.clause].span)
    }

    /// Puts a clause in place of the relation at a position of the body, which is its head.
    pub fn resolve(&self, store: &mut TermStore, position: usize, other: &Resolvent) -> Resolvent {
        let other = other.renamed(store, &self.symbols(store));
        let mut body = self.clause.body.clone();
        let needed = body.remove(position);
        let kept = body.len();
        let head = other.clause.head.as_ref().expect("invariant: what is resolved with has a head");
        let mut constraint = vec![self.clause.constraint, other.clause.constraint];
        for (&wanted, &given) in needed.args.iter().zip(&head.args) {
            constraint.push(store.mk_eq(wanted, given));
        }
        body.extend(other.clause.body.iter().cloned());
        let constraint = store.mk_and(constraint);
        let open = self.clause.open || other.clause.open;
        let clause =
            Clause { body, constraint, head: self.clause.head.clone(), open, span: self.clause.span };
        let before = other.steps.len();
        let from_other = |premise: &Premise| match *premise {
            Premise::Body(at) => Premise::Body(kept + at),
            step => step,
        };
        let own = |premise: &Premise| match *premise {
            Premise::Body(at) if at == position => Premise::Step(before - 1),
            Premise::Body(at) => Premise::Body(at - usize::from(at > position)),
            Premise::Step(at) => Premise::Step(before + at),
        };
        let mut steps: Vec<Step> = other.steps.iter().map(|step| step.with(from_other)).collect();
        steps.extend(self.steps.iter().map(|step| step.with(own)));
        let mut resolvent = Resolvent { clause, steps };
        resolvent.tidy(store);
        resolvent
    }

    /// Replaces the variables that the constraint defines, but for those that are arguments in the body: a step of the
    /// system computes from these. Then drops what is said twice.
    fn tidy(&mut self, store: &mut TermStore) {
        let args = self.clause.body.iter().flat_map(|atom| &atom.args);
        let kept: BTreeSet<SymbolId> = args.filter_map(|&arg| store.as_symbol(arg)).collect();
        let may_replace: BTreeSet<SymbolId> =
            self.clause.variables(store).into_iter().filter(|symbol| !kept.contains(symbol)).collect();
        let constraint = std::mem::replace(&mut self.clause.constraint, TermId::TRUE);
        let rest = equations::solve(
            store,
            constraint,
            |symbol| may_replace.contains(&symbol),
            |store, found| self.substitute(store, found),
        );
        self.clause.constraint = rest;
        self.merge_equal_premises();
        while let Some(renaming) = condense(store, &self.clause) {
            self.substitute(store, &renaming);
            let premises = self.clause.body.len();
            self.merge_equal_premises();
            if self.clause.body.len() == premises {
                break;
            }
        }
    }

    /// `P(x) and P(x)` is `P(x)`.
    fn merge_equal_premises(&mut self) {
        let mut body: Vec<Atom> = Vec::new();
        let mut places = Vec::new();
        for atom in &self.clause.body {
            let place = body.iter().position(|known| known == atom).unwrap_or(body.len());
            if place == body.len() {
                body.push(atom.clone());
            }
            places.push(place);
        }
        if body.len() < self.clause.body.len() {
            self.clause.body = body;
            let merged = |premise: &Premise| match *premise {
                Premise::Body(at) => Premise::Body(places[at]),
                step => step,
            };
            self.steps = self.steps.iter().map(|step| step.with(merged)).collect();
        }
    }

    /// Puts terms in place of variables, also in the steps.
    pub fn substitute(&mut self, store: &mut TermStore, substitution: &Substitution) {
        self.clause = self.clause.substitute(store, substitution);
        for step in &mut self.steps {
            step.head = step.head.as_ref().map(|head| head.substitute(store, substitution));
        }
    }

    /// All variables, also of the steps.
    pub fn symbols(&self, store: &TermStore) -> Vec<SymbolId> {
        let heads = self.steps.iter().filter_map(|step| step.head.as_ref());
        let args = heads.flat_map(|head| head.args.iter().copied());
        variables(store, self.clause.terms().chain(args))
    }

    /// The same with other variables where it has some of these.
    fn renamed(&self, store: &mut TermStore, taken: &[SymbolId]) -> Resolvent {
        let own = self.symbols(store);
        let mut used: BTreeSet<SymbolId> = own.iter().chain(taken).copied().collect();
        let mut renaming = Substitution::new();
        for symbol in own.into_iter().filter(|symbol| taken.binary_search(symbol).is_ok()) {
            let fresh = another(store, symbol, &used);
            used.insert(fresh);
            let term = store.mk_symbol(fresh);
            renaming.insert(store, symbol, term);
        }
        let mut renamed = self.clone();
        renamed.substitute(store, &renaming);
        renamed
    }

    /// How large its terms are, without those of the steps.
    pub fn size(&self, store: &TermStore) -> usize {
        store.subterms_of_all(self.clause.terms()).len()
    }

    /// Does it say nothing?
    pub fn is_vacuous(&self) -> bool {
        let repeats = self.clause.head.as_ref().is_some_and(|head| self.clause.body.contains(head));
        self.clause.constraint == TermId::FALSE || repeats
    }
}

impl Step {
    fn with(&self, change: impl Fn(&Premise) -> Premise) -> Step {
        let premises = self.premises.iter().map(change).collect();
        Step { clause: self.clause, head: self.head.clone(), premises }
    }
}

/// A variable of the same sort that is none of these; the same one again in the same situation.
fn another(store: &mut TermStore, symbol: SymbolId, used: &BTreeSet<SymbolId>) -> SymbolId {
    let (base, sort) = (base_name(&store.symbol(symbol).name).to_string(), store.symbol(symbol).sort);
    let mut number = 1;
    loop {
        number += 1;
        let candidate = store.declare(&format!("{base}_{number}"), sort, Role::Input);
        if !used.contains(&candidate) {
            return candidate;
        }
    }
}

/// The name without a number that was put behind it.
pub fn base_name(name: &str) -> &str {
    let base = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    base.strip_suffix('_').filter(|base| !base.is_empty()).unwrap_or(name)
}
