//! Goals, rules and entailments, piece by piece.

use super::names::{self, Names};
use super::term::{Level, Writer};
use std::collections::BTreeSet;
use tenet_system::recursive::{Atom, Goal, Predicate, Process, State};
use tenet_term::{SymbolId, TermId, TermStore};

/// Text that is being put together.
pub struct Layout<'a> {
    writer: Writer<'a>,
    predicates: &'a [Predicate],
    process: Option<&'a Process>,
}

impl<'a> Layout<'a> {
    /// Nothing so far.
    pub fn new(
        store: &'a TermStore,
        predicates: &'a [Predicate],
        process: Option<&'a Process>,
        names: Names,
    ) -> Layout<'a> {
        Layout { writer: Writer::new(store, names), predicates, process }
    }

    /// The text.
    pub fn finish(self) -> String {
        self.writer.text
    }

    /// What the transition system is called.
    pub fn process_name(&self) -> &'a str {
        self.process.map_or("sys", |process| process.name.as_str())
    }

    /// `p(X, Y)`, or `p` alone.
    pub fn call(&mut self, name: &str, args: &[TermId]) {
        self.writer.push(&names::predicate(name));
        if !args.is_empty() {
            self.writer.push("(");
            for (place, &arg) in args.iter().enumerate() {
                self.writer.push(if place > 0 { ", " } else { "" });
                self.writer.term(arg, Level::Add);
            }
            self.writer.push(")");
        }
    }

    /// An atom.
    pub fn atom(&mut self, atom: &Atom) {
        let predicates = self.predicates;
        let name = predicates.get(atom.predicate).map_or("unknown", |predicate| predicate.name.as_str());
        self.call(name, &atom.args);
    }

    /// Atoms first, then the constraint.
    pub fn goal(&mut self, atoms: &[Atom], constraint: TermId) {
        self.goal_with(atoms, constraint, &[]);
    }

    /// The same with equations that say nothing but mention variables.
    pub fn goal_with(&mut self, atoms: &[Atom], constraint: TermId, mentioned: &[SymbolId]) {
        for (place, atom) in atoms.iter().enumerate() {
            self.writer.push(if place > 0 { ", " } else { "" });
            self.atom(atom);
        }
        self.mention(mentioned, atoms.is_empty());
        match atoms.is_empty() && mentioned.is_empty() {
            true => self.writer.term(constraint, Level::Or),
            false => self.further_constraint(constraint),
        }
    }

    fn mention(&mut self, symbols: &[SymbolId], is_first: bool) {
        for (place, &symbol) in symbols.iter().enumerate() {
            self.writer.push(if place > 0 || !is_first { ", " } else { "" });
            let name = self.writer.name(symbol).to_string();
            self.writer.push(&format!("{name} = {name}"));
        }
    }

    /// A constraint behind something else; one that says nothing is left out.
    fn further_constraint(&mut self, constraint: TermId) {
        if constraint != TermId::TRUE {
            self.writer.push(", ");
            self.writer.term(constraint, Level::And);
        }
    }

    /// The state, then the rest.
    pub fn state(&mut self, state: &State, mentioned: &[SymbolId]) {
        self.call(self.process_name(), &state.args);
        for atom in &state.goal.atoms {
            self.writer.push(", ");
            self.atom(atom);
        }
        self.mention(mentioned, false);
        self.further_constraint(state.goal.constraint);
    }

    /// `|= right`
    pub fn entails(&mut self, existentials: &[SymbolId], right: &Goal) {
        self.writer.push(" |= ");
        self.writer.existentials = existentials.iter().copied().collect();
        self.goal(&right.atoms, right.constraint);
        self.writer.existentials = BTreeSet::new();
    }

    /// `:- constraint, atoms, sys(to)`, or nothing for a fact.
    pub fn body(&mut self, constraint: TermId, atoms: &[Atom], to: Option<&[TermId]>) {
        if constraint == TermId::TRUE && atoms.is_empty() && to.is_none() {
            return;
        }
        self.writer.push(" :- ");
        let has_constraint = constraint != TermId::TRUE;
        let is_alone = atoms.is_empty() && to.is_none();
        if has_constraint {
            self.writer.term(constraint, if is_alone { Level::Or } else { Level::And });
        }
        for (place, atom) in atoms.iter().enumerate() {
            self.writer.push(if place > 0 || has_constraint { ", " } else { "" });
            self.atom(atom);
        }
        if let Some(to) = to {
            self.writer.push(if has_constraint || !atoms.is_empty() { ", " } else { "" });
            self.call(self.process_name(), to);
        }
    }
}
