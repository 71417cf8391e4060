//! Where the variables of a quantifier occur in its body: that says which terms are worth trying (compare the
//! relevant domains of model-based instantiation; Ge and de Moura, 2009).
//!
//! An instance helps if its atoms meet atoms that are there already. So the places of a variable are the arguments of
//! functions where it stands, alone or with an offset; what it is compared with; and functions of which it is a value.

use rustc_hash::FxHashSet;
use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

use super::normal::{as_application, is_function};
use super::pool::leaves;

/// The places of all variables of a quantifier.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) variables: Vec<VariablePlaces>,
    /// Functions applied to functions that mention variables.
    pub(super) patterns: Vec<Pattern>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct VariablePlaces {
    /// Arguments of functions: the function, the argument, and how the variable stands there.
    pub(super) slots: Vec<(SymbolId, usize, Shape)>,
    /// Ground terms that the variable is compared with, solved for it.
    pub(super) compared: Vec<TermId>,
    /// Functions with whose values the variable is compared.
    pub(super) results: Vec<SymbolId>,
    /// Variables of the same quantifier, by number, that it is compared with.
    pub(super) linked: Vec<usize>,
    /// Is every ground term of its sort a candidate?
    pub(super) wide: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Alone,
    /// With this summand, a ground term.
    Plus(TermId),
    /// Injected from a member of a union.
    In(SortId),
}

/// A function applied to functions of which some mention variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) symbol: SymbolId,
    /// All its arguments that are functions.
    pub(super) functions: Vec<TermId>,
    pub(super) variables: Vec<usize>,
}

impl Shape {
    /// The term that makes the variable, standing like this, equal to a ground term.
    pub(super) fn solve(self, store: &mut TermStore, term: TermId) -> TermId {
        match self {
            Shape::Alone => term,
            Shape::Plus(summand) => store.mk_sub(term, summand),
            Shape::In(member) => store.mk_out(member, term),
        }
    }
}

/// The places of the variables of a quantified formula.
pub(super) fn places(store: &mut TermStore, quantifier: TermId) -> Places {
    let variables = store.op(quantifier).bound().to_vec();
    let places = Places { variables: vec![VariablePlaces::default(); variables.len()], patterns: Vec::new() };
    let mut finder = Finder { store, variables, places };
    finder.walk(finder.store.args(quantifier)[0]);
    finder.places
}

struct Finder<'a> {
    store: &'a mut TermStore,
    variables: Vec<SymbolId>,
    places: Places,
}

impl Finder<'_> {
    /// Looks at the body and all its subterms that mention a variable. A binder below may hide some by binding them
    /// again. A set of hidden ones is a mask of bits; of more than 64 variables the others are never hidden, which at
    /// worst makes for useless candidates.
    fn walk(&mut self, body: TermId) {
        let mut seen = FxHashSet::default();
        let mut stack = vec![(body, 0u64)];
        while let Some((term, hidden)) = stack.pop() {
            let free = self.store.free_bound(term);
            let concerned = (0..self.variables.len())
                .any(|number| !is_hidden(hidden, number) && free.contains(&self.variables[number]));
            if !concerned || !seen.insert((term, hidden)) {
                continue;
            }
            let below = self.hidden_below(term, hidden);
            stack.extend(self.store.args(term).iter().rev().map(|&arg| (arg, below)));
            self.look_at(term, hidden);
        }
        for number in 0..self.variables.len() {
            self.widen(number);
        }
    }

    fn hidden_below(&self, term: TermId, hidden: u64) -> u64 {
        let bound = self.store.op(term).bound();
        let again = |&number: &usize| number < 64 && bound.contains(&self.variables[number]);
        (0..self.variables.len()).filter(again).fold(hidden, |hidden, number| hidden | 1 << number)
    }

    fn look_at(&mut self, term: TermId, hidden: u64) {
        let args = self.store.args(term).to_vec();
        match self.store.op(term) {
            Op::Apply => self.look_at_application(term, hidden),
            Op::Eq | Op::Lt | Op::Le => {
                for (side, other) in [(args[0], args[1]), (args[1], args[0])] {
                    self.look_at_comparison(side, other, hidden);
                }
            }
            Op::Distinct => {
                for number in args.iter().filter_map(|&arg| self.variable(arg, hidden)).collect::<Vec<_>>() {
                    self.places.variables[number].wide = true;
                }
            }
            _ => {}
        }
    }

    fn variable(&self, term: TermId, hidden: u64) -> Option<usize> {
        let symbol = self.store.as_symbol(term)?;
        let number = self.variables.iter().position(|&variable| variable == symbol)?;
        (!is_hidden(hidden, number)).then_some(number)
    }

    /// The variable in a term, if it stands there in a shape that can be solved for it.
    fn shape(&mut self, term: TermId, hidden: u64) -> Option<(usize, Shape)> {
        if let Some(number) = self.variable(term, hidden) {
            return Some((number, Shape::Alone));
        }
        let args = self.store.args(term).to_vec();
        match *self.store.op(term) {
            Op::In(_, member) => Some((self.variable(args[0], hidden)?, Shape::In(member))),
            Op::Add => {
                let place = args.iter().position(|&arg| self.variable(arg, hidden).is_some())?;
                let number = self.variable(args[place], hidden)?;
                let others: Vec<TermId> = args
                    .iter()
                    .enumerate()
                    .filter(|&(other, _)| other != place)
                    .map(|(_, &arg)| arg)
                    .collect();
                let closed = others.iter().all(|&other| self.store.is_closed(other));
                closed.then(|| (number, Shape::Plus(self.store.mk_add(others))))
            }
            _ => None,
        }
    }

    fn look_at_application(&mut self, term: TermId, hidden: u64) {
        let Some((symbol, args)) = as_application(self.store, term) else { return };
        let args = args.to_vec();
        for (place, &arg) in args.iter().enumerate() {
            if let Some((number, shape)) = self.shape(arg, hidden) {
                push_new(&mut self.places.variables[number].slots, (symbol, place, shape));
            }
        }
        let functions: Vec<TermId> = args.into_iter().filter(|&arg| is_function(self.store, arg)).collect();
        let variables: Vec<usize> = (0..self.variables.len())
            .filter(|&number| !is_hidden(hidden, number))
            .filter(|&number| {
                functions.iter().any(|&arg| self.store.free_bound(arg).contains(&self.variables[number]))
            })
            .collect();
        if !variables.is_empty() {
            push_new(&mut self.places.patterns, Pattern { symbol, functions, variables });
        }
    }

    fn look_at_comparison(&mut self, side: TermId, other: TermId, hidden: u64) {
        let Some((number, shape)) = self.shape(side, hidden) else { return };
        // An index sort has no order: an equation may matter for every element, not only for those at its places.
        let sort = self.store.sort(self.store.symbol(self.variables[number]).sort);
        if matches!(sort, Sort::Index { .. } | Sort::Union { .. }) {
            self.places.variables[number].wide = true;
        }
        for leaf in leaves(self.store, other) {
            if self.store.is_closed(leaf) {
                let term = shape.solve(self.store, leaf);
                push_new(&mut self.places.variables[number].compared, term);
            } else if shape != Shape::Alone {
                continue;
            } else if let Some(partner) = self.variable(leaf, hidden) {
                push_new(&mut self.places.variables[number].linked, partner);
            } else if let Some((symbol, _)) = as_application(self.store, leaf) {
                push_new(&mut self.places.variables[number].results, symbol);
            }
        }
    }

    /// A variable without any place may be replaced by everything.
    fn widen(&mut self, number: usize) {
        let places = &self.places.variables[number];
        let in_pattern = self.places.patterns.iter().any(|pattern| pattern.variables.contains(&number));
        let nowhere = places.slots.is_empty()
            && places.compared.is_empty()
            && places.results.is_empty()
            && places.linked.is_empty();
        self.places.variables[number].wide |= nowhere && !in_pattern;
    }
}

fn is_hidden(hidden: u64, number: usize) -> bool {
    number < 64 && hidden & (1 << number) != 0
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
