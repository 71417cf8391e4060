//! Goals, rules and entailments, piece by piece.

use super::names::{self, Names};
use super::term::{Level, Writer};
use std::collections::BTreeSet;
use tenet_system::recursive::{Atom, Goal, Predicate, Process, State};
use tenet_term::{SymbolId, TermId, TermStore};

/// Variables that get trivial equations.
#[derive(Default)]
pub struct Mentioned {
    /// Those that have to occur: `X = X`.
    pub values: Vec<SymbolId>,
    /// Those whose sort has to be implied: `K[0] = K[0]`.
    pub arrays: Vec<SymbolId>,
}

impl Mentioned {
    pub fn arrays(arrays: &[SymbolId]) -> Mentioned {
        Mentioned { values: Vec::new(), arrays: arrays.to_vec() }
    }

    /// Splits by whether they are among these symbols.
    pub fn split(self, symbols: &[SymbolId]) -> (Mentioned, Mentioned) {
        let part = |all: Vec<SymbolId>| all.into_iter().partition(|symbol| symbols.contains(symbol));
        let (values, other_values) = part(self.values);
        let (arrays, other_arrays) = part(self.arrays);
        (Mentioned { values, arrays }, Mentioned { values: other_values, arrays: other_arrays })
    }

    fn is_empty(&self) -> bool {
        self.values.is_empty() && self.arrays.is_empty()
    }
}

/// The text of a program under construction.
pub struct Layout<'a> {
    writer: Writer<'a>,
    predicates: &'a [Predicate],
    process: Option<&'a Process>,
}

impl<'a> Layout<'a> {
    /// An empty text.
    pub fn new(
        store: &'a TermStore,
        predicates: &'a [Predicate],
        process: Option<&'a Process>,
        names: Names,
    ) -> Layout<'a> {
        Layout { writer: Writer::new(store, names), predicates, process }
    }

    pub fn finish(self) -> String {
        self.writer.text
    }

    /// The name of the transition system.
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

    pub fn atom(&mut self, atom: &Atom) {
        let predicates = self.predicates;
        let name = predicates.get(atom.predicate).map_or("unknown", |predicate| predicate.name.as_str());
        self.call(name, &atom.args);
    }

    /// Atoms first, then the constraint.
    pub fn goal(&mut self, atoms: &[Atom], constraint: TermId, mentioned: &Mentioned) {
        for (place, atom) in atoms.iter().enumerate() {
            self.writer.push(if place > 0 { ", " } else { "" });
            self.atom(atom);
        }
        let is_said = constraint != TermId::TRUE || mentioned.is_empty();
        match atoms.is_empty() {
            false => self.further_constraint(constraint),
            true if is_said => {
                let level = if mentioned.is_empty() { Level::Or } else { Level::And };
                self.writer.term(constraint, level);
            }
            true => {}
        }
        self.mention(mentioned, atoms.is_empty() && !is_said);
    }

    /// Trivial equations.
    fn mention(&mut self, mentioned: &Mentioned, mut is_first: bool) {
        let values = mentioned.values.iter().map(|&symbol| (symbol, ""));
        for (symbol, place) in values.chain(mentioned.arrays.iter().map(|&symbol| (symbol, "[0]"))) {
            let mark = if self.writer.existentials.contains(&symbol) { "?" } else { "" };
            let term = format!("{mark}{}{place}", self.writer.name(symbol));
            self.writer.push(if is_first { "" } else { ", " });
            self.writer.push(&format!("{term} = {term}"));
            is_first = false;
        }
    }

    /// A constraint after something else; a trivial one is left out.
    fn further_constraint(&mut self, constraint: TermId) {
        if constraint != TermId::TRUE {
            self.writer.push(", ");
            self.writer.term(constraint, Level::And);
        }
    }

    /// The state, then the rest.
    pub fn state(&mut self, state: &State, mentioned: &Mentioned) {
        self.call(self.process_name(), &state.args);
        for atom in &state.goal.atoms {
            self.writer.push(", ");
            self.atom(atom);
        }
        self.further_constraint(state.goal.constraint);
        self.mention(mentioned, false);
    }

    /// `|= right`
    pub fn entails(&mut self, existentials: &[SymbolId], right: &Goal, mentioned: &Mentioned) {
        self.writer.push(" |= ");
        self.writer.existentials = existentials.iter().copied().collect();
        self.goal(&right.atoms, right.constraint, mentioned);
        self.writer.existentials = BTreeSet::new();
    }

    /// `:- constraint, atoms, sys(to)`, or nothing for a fact.
    pub fn body(&mut self, constraint: TermId, mentioned: &Mentioned, atoms: &[Atom], to: Option<&[TermId]>) {
        let is_constrained = constraint != TermId::TRUE || !mentioned.is_empty();
        if !is_constrained && atoms.is_empty() && to.is_none() {
            return;
        }
        self.writer.push(" :- ");
        if is_constrained {
            let is_alone = atoms.is_empty() && to.is_none() && mentioned.is_empty();
            if constraint != TermId::TRUE {
                self.writer.term(constraint, if is_alone { Level::Or } else { Level::And });
            }
            self.mention(mentioned, constraint == TermId::TRUE);
        }
        for (place, atom) in atoms.iter().enumerate() {
            self.writer.push(if place > 0 || is_constrained { ", " } else { "" });
            self.atom(atom);
        }
        if let Some(to) = to {
            self.writer.push(if is_constrained || !atoms.is_empty() { ", " } else { "" });
            self.call(self.process_name(), to);
        }
    }
}
