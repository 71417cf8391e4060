//! Resolution of clauses, with their history.
//!
//! Two clauses are resolved if the head of the first is in the body of the second. The relation between them disappears from the
//! clause but not from its steps: these say, in terms of the remaining variables, which clauses of the file are used one after
//! the other and what their heads are. So a run of the small system can be translated to the relations of the file.

use super::clauses::{Atom, Clause, variables};
use super::condense::condense;
use super::equations;
use crate::span::Span;
use std::collections::BTreeSet;
use tenet_term::{Op, Role, Substitution, SymbolId, TermId, TermStore};

/// A clause with its history.
#[derive(Clone, Debug)]
pub struct Resolvent {
    /// The clause; its span is that of its last step.
    pub clause: Clause,
    /// The clauses of the file that it is made of, each after its premises.
    pub steps: Vec<Step>,
    /// Where each part of the head comes from: a relation of the file is one part, a product of relations has several.
    pub results: Vec<Premise>,
}

/// A use of a clause of the file.
#[derive(Clone, Debug)]
pub struct Step {
    /// Index into the clauses of the file.
    pub clause: usize,
    /// The derived fact; `None` for false.
    pub head: Option<Atom>,
    /// The premises, in the order of the body.
    pub premises: Vec<Premise>,
}

/// Where a premise of a step comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premise {
    /// The part at this position of the resolvent's body, counted over all its relations.
    Body(usize),
    /// The head of an earlier step.
    Step(usize),
}

impl Resolvent {
    pub fn new(store: &mut TermStore, clause: Clause, position: usize) -> Resolvent {
        let premises = (0..clause.body.len()).map(Premise::Body).collect();
        let step = Step { clause: position, head: clause.head.clone(), premises };
        let mut resolvent = Resolvent { clause, steps: vec![step], results: vec![Premise::Step(0)] };
        resolvent.tidy(store, |_| 1);
        resolvent
    }

    /// Where the clauses that it is made of stand, in order.
    pub fn spans<'c>(&self, clauses: &'c [Clause]) -> impl Iterator<Item = Span> + use<'_, 'c> {
        self.steps.iter().map(|step| clauses[step.clause].span)
    }

    /// Resolves a clause with the relation at a position of the body, which is its head. `parts` tells how many parts a
    /// relation has.
    pub fn resolve(
        &self,
        store: &mut TermStore,
        position: usize,
        other: &Resolvent,
        parts: impl Fn(usize) -> usize,
    ) -> Resolvent {
        let other = other.renamed(store, &self.symbols(store));
        let mut body = self.clause.body.clone();
        let first: usize = body[..position].iter().map(|atom| parts(atom.relation)).sum();
        let needed = body.remove(position);
        let after = first + parts(needed.relation);
        let kept: usize = body.iter().map(|atom| parts(atom.relation)).sum();
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
        let of_other = |premise: &Premise| match *premise {
            Premise::Body(at) => Premise::Body(kept + at),
            step => step,
        };
        let own = |premise: &Premise| match *premise {
            Premise::Body(at) if at < first => Premise::Body(at),
            Premise::Body(at) if at < after => of_other(&other.results[at - first]),
            Premise::Body(at) => Premise::Body(at - (after - first)),
            Premise::Step(at) => Premise::Step(before + at),
        };
        let mut steps: Vec<Step> = other.steps.iter().map(|step| step.with(of_other)).collect();
        steps.extend(self.steps.iter().map(|step| step.with(own)));
        let results = self.results.iter().map(own).collect();
        let mut resolvent = Resolvent { clause, steps, results };
        resolvent.tidy(store, parts);
        resolvent
    }

    /// Substitutes the variables that the constraint defines, except for arguments in the body: a step of the system
    /// computes from these. Then drops duplicates.
    fn tidy(&mut self, store: &mut TermStore, parts: impl Fn(usize) -> usize) {
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
        self.unify(store);
        self.merge_equal_premises(&parts);
        while let Some(renaming) = condense(store, &self.clause) {
            self.substitute(store, &renaming);
            let premises = self.clause.body.len();
            self.merge_equal_premises(&parts);
            if self.clause.body.len() == premises {
                break;
            }
        }
    }

    /// Where a body has several relations, equal variables of them are unified.
    fn unify(&mut self, store: &mut TermStore) {
        if self.clause.body.len() < 2 {
            return;
        }
        let mut renaming = Substitution::new();
        for conjunct in store.conjuncts(self.clause.constraint) {
            let (Op::Eq | Op::Iff, &[a, b]) = (store.op(conjunct), store.args(conjunct)) else { continue };
            let (Some(left), Some(right)) = (store.as_symbol(a), store.as_symbol(b)) else { continue };
            // One after the other: previously substituted variables may be on either side.
            let [left, right] =
                [left, right].map(|symbol| renaming.get(symbol).unwrap_or_else(|| store.mk_symbol(symbol)));
            if let (Some(old), true) = (store.as_symbol(left), left != right) {
                let step = Substitution::from_pairs(store, [(old, right)]);
                let pairs: Vec<_> = renaming.iter().collect();
                for (symbol, value) in pairs {
                    let value = store.substitute(value, &step);
                    renaming.insert(store, symbol, value);
                }
                renaming.insert(store, old, right);
            }
        }
        if !renaming.is_empty() {
            self.substitute(store, &renaming);
        }
    }

    /// `P(x) and P(x)` becomes `P(x)`.
    fn merge_equal_premises(&mut self, parts: impl Fn(usize) -> usize) {
        let mut body: Vec<Atom> = Vec::new();
        let (mut starts, mut places, mut next) = (Vec::new(), Vec::new(), 0);
        for atom in &self.clause.body {
            let place = body.iter().position(|known| known == atom).unwrap_or(body.len());
            let count = parts(atom.relation);
            if place == body.len() {
                body.push(atom.clone());
                starts.push(next);
                next += count;
            }
            places.extend((0..count).map(|part| starts[place] + part));
        }
        if body.len() < self.clause.body.len() {
            self.clause.body = body;
            self.change_premises(|premise| match *premise {
                Premise::Body(at) => Premise::Body(places[at]),
                step => step,
            });
        }
    }

    /// Changes where steps and results come from.
    pub fn change_premises(&mut self, change: impl Fn(&Premise) -> Premise) {
        self.steps = self.steps.iter().map(|step| step.with(&change)).collect();
        self.results = self.results.iter().map(change).collect();
    }

    /// Substitutes terms for variables, also in the steps.
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

    /// The same with these variables renamed.
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

    /// The size of its terms, without those of the steps.
    pub fn size(&self, store: &TermStore) -> usize {
        store.subterms_of_all(self.clause.terms()).len()
    }

    /// Is it trivially true?
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

/// A variable of the same sort that is not among these; deterministic.
pub fn another(store: &mut TermStore, symbol: SymbolId, used: &BTreeSet<SymbolId>) -> SymbolId {
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

/// The name without a numeric suffix that was added.
pub fn base_name(name: &str) -> &str {
    let base = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    base.strip_suffix('_').filter(|base| !base.is_empty()).unwrap_or(name)
}
