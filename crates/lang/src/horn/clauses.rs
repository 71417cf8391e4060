//! From formulas to Horn clauses: `relations and constraint imply relation`.
//!
//! An assertion may be written in many ways (curried implications, disjunctions with negated atoms, negated conjunctions,
//! conjunctions in heads, disjunctions in bodies); all are split here by the same few laws. Only formulas with relations are
//! split, so a large constraint stays one formula. What cannot be a clause (two relations that would both have to be heads, a
//! quantifier over a relation in the wrong place) is an error with its place.

use super::division::Divisions;
use super::quantifiers;
use crate::codes::horn as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use tenet_term::{Op, Role, Substitution, SymbolId, TermId, TermStore};

/// The number of clauses that one assertion may be split into.
const MAX_CLAUSES: usize = 5_000;

/// The number of steps that splitting an assertion may take.
const MAX_STEPS: usize = 1_000_000;

/// A relation applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// Index into the relations.
    pub relation: usize,
    pub args: Vec<TermId>,
}

/// A clause: the body and the constraint imply the head. Its variables are the symbols of role `Input`.
#[derive(Clone, Debug)]
pub struct Clause {
    /// The relations that are premises.
    pub body: Vec<Atom>,
    /// The constraint on the variables.
    pub constraint: TermId,
    /// The conclusion; `None` for false.
    pub head: Option<Atom>,
    /// Does it depend on a value of a division by zero (see [`super::division`])?
    pub open: bool,
    pub span: Span,
}

/// Finds the terms that contain relations.
#[derive(Debug, Default)]
pub struct Relational {
    relations: BTreeMap<SymbolId, usize>,
    known: HashMap<TermId, bool>,
}

impl Relational {
    /// Adds a relation.
    pub fn add(&mut self, symbol: SymbolId, position: usize) {
        self.relations.insert(symbol, position);
    }

    /// Does the term contain a relation?
    pub fn contains(&mut self, store: &TermStore, term: TermId) -> bool {
        let (mut unknown, mut stack) = (Vec::new(), vec![term]);
        while let Some(next) = stack.pop() {
            if let Entry::Vacant(entry) = self.known.entry(next) {
                entry.insert(false);
                unknown.push(next);
                stack.extend_from_slice(store.args(next));
            }
        }
        // Operands have smaller numbers, so in ascending order they are known before they are asked for.
        unknown.sort_unstable();
        for next in unknown {
            let own = store.as_symbol(next).is_some_and(|symbol| self.relations.contains_key(&symbol));
            let below = store.args(next).iter().any(|arg| self.known[arg]);
            self.known.insert(next, own || below);
        }
        self.known[&term]
    }

    /// The relation and its arguments, if the term is an atom.
    pub fn atom(&self, store: &TermStore, term: TermId) -> Option<Atom> {
        let (function, args) = match (store.op(term), store.args(term)) {
            (Op::Apply, [function, args @ ..]) => (*function, args.to_vec()),
            _ => (term, Vec::new()),
        };
        let relation = *self.relations.get(&store.as_symbol(function)?)?;
        Some(Atom { relation, args })
    }
}

/// A clause that is being split: the disjunction of its parts.
#[derive(Clone, Default)]
struct Partial {
    heads: Vec<TermId>,
    body: Vec<TermId>,
    /// Conjuncts of the constraint.
    constraint: Vec<TermId>,
    /// Formulas, each with its polarity (true for positive).
    pending: Vec<(TermId, bool)>,
}

/// Splits formulas into clauses.
pub struct Splitter<'a> {
    pub store: &'a mut TermStore,
    /// The terms that contain relations.
    pub relational: &'a mut Relational,
    /// Where atoms stand.
    pub places: BTreeMap<TermId, Span>,
    /// Where the formula stands.
    pub span: Span,
}

type Split<T> = Result<T, Diagnostic>;

impl Splitter<'_> {
    /// The clauses whose conjunction is the formula.
    pub fn split(&mut self, formula: TermId) -> Split<Vec<Clause>> {
        let mut done = Vec::new();
        let mut waiting = vec![Partial { pending: vec![(formula, true)], ..Partial::default() }];
        let mut steps = 0;
        while let Some(mut partial) = waiting.pop() {
            let Some((term, positive)) = partial.pending.pop() else {
                done.extend(self.finish(partial)?);
                continue;
            };
            steps += 1;
            if steps > MAX_STEPS || done.len() + waiting.len() > MAX_CLAUSES {
                let message = "this assertion stands for too many clauses";
                return Err(Diagnostic::error(&codes::TOO_LARGE, message, self.span));
            }
            if self.relational.contains(self.store, term) {
                self.step(term, positive, partial, &mut waiting)?;
            } else {
                let holds = if positive { self.store.mk_not(term) } else { term };
                partial.constraint.push(holds);
                waiting.push(partial);
            }
        }
        Ok(done)
    }

    /// Splits one formula with relations.
    fn step(
        &mut self,
        term: TermId,
        positive: bool,
        mut partial: Partial,
        waiting: &mut Vec<Partial>,
    ) -> Split<()> {
        let args = self.store.args(term).to_vec();
        match (self.store.op(term).clone(), positive) {
            (Op::Symbol(_) | Op::Apply, _) => {
                if args.iter().skip(1).any(|&arg| self.relational.contains(self.store, arg)) {
                    return Err(self.misplaced(term, "a relation cannot be an argument of a relation"));
                }
                if positive {
                    partial.heads.push(term)
                } else {
                    partial.body.push(term)
                }
                waiting.push(partial);
            }
            (Op::Not, _) => {
                partial.pending.push((args[0], !positive));
                waiting.push(partial);
            }
            (Op::Implies, _) => {
                let premise = self.store.mk_not(args[0]);
                let either = [premise, args[1]];
                self.junction(&either, positive, positive, partial, waiting);
            }
            (Op::Or, _) => self.junction(&args, positive, positive, partial, waiting),
            (Op::And, _) => self.junction(&args, positive, !positive, partial, waiting),
            (Op::Forall(bound), true) | (Op::Exists(bound), false) => {
                let body = quantifiers::open(self.store, term, &bound);
                partial.pending.push((body, positive));
                waiting.push(partial);
            }
            (Op::Forall(_) | Op::Exists(_), _) => {
                return Err(quantifiers::alternation(self.place(term)));
            }
            (Op::Iff, _) => {
                let [a, b] = [args[0], args[1]];
                let (there, back) = (self.implication(a, b), self.implication(b, a));
                self.junction(&[there, back], positive, !positive, partial, waiting);
            }
            (Op::Ite, _) if !self.relational.contains(self.store, args[0]) => {
                let otherwise = self.store.mk_not(args[0]);
                let (yes, no) = (self.implication(args[0], args[1]), self.implication(otherwise, args[2]));
                self.junction(&[yes, no], positive, !positive, partial, waiting);
            }
            _ => return Err(self.misplaced(term, "a relation cannot stand here")),
        }
        Ok(())
    }

    /// `a -> b`, without any simplification that would bring back an equivalence.
    fn implication(&mut self, a: TermId, b: TermId) -> TermId {
        let not = self.store.mk_not(a);
        self.store.mk_or([not, b])
    }

    /// A conjunction or disjunction of formulas, each with its polarity. Alternatives stay in one clause; parts that
    /// all have to hold become one clause each, except for those without relations, which become one together.
    fn junction(
        &mut self,
        parts: &[TermId],
        positive: bool,
        alternatives: bool,
        mut partial: Partial,
        waiting: &mut Vec<Partial>,
    ) {
        if alternatives {
            partial.pending.extend(parts.iter().rev().map(|&part| (part, positive)));
            waiting.push(partial);
            return;
        }
        let (with, without): (Vec<TermId>, Vec<TermId>) =
            parts.iter().partition(|&&part| self.relational.contains(self.store, part));
        let mut all: Vec<(TermId, bool)> = with.into_iter().map(|part| (part, positive)).collect();
        if !without.is_empty() {
            let together = match positive {
                true => self.store.mk_and(without),
                false => self.store.mk_or(without),
            };
            all.push((together, positive));
        }
        for part in all.into_iter().rev() {
            let mut clause = partial.clone();
            clause.pending.push(part);
            waiting.push(clause);
        }
    }

    /// The clause; `None` if it is trivially true.
    fn finish(&mut self, partial: Partial) -> Split<Option<Clause>> {
        let mut heads = partial.heads;
        heads.dedup();
        if let [first, second, ..] = heads[..] {
            let places = [self.place(first), self.place(second)];
            let message = "this is not a Horn clause: two relations would have to be its head";
            return Err(Diagnostic::error(&codes::NOT_HORN, message, places[0].max(places[1]))
                .also(places[0].min(places[1]), "the other one")
                .help("a relation must not be negated in a body, nor stand in a disjunction of heads"));
        }
        let constraint = self.store.mk_and(partial.constraint);
        let constraint = match quantifiers::existentials(self.store, constraint) {
            Some(constraint) => constraint,
            None => return Err(quantifiers::alternation(self.quantifier(constraint))),
        };
        if constraint == TermId::FALSE || heads.first().is_some_and(|head| partial.body.contains(head)) {
            return Ok(None);
        }
        let mut body = Vec::new();
        for term in partial.body {
            let atom = self.atom(term)?;
            if !body.contains(&atom) {
                body.push(atom);
            }
        }
        let head = heads.first().map(|&head| self.atom(head)).transpose()?;
        Ok(Some(Clause { body, constraint, head, open: false, span: self.span }))
    }

    fn atom(&mut self, term: TermId) -> Split<Atom> {
        if self.store.args(term).iter().any(|&arg| self.store.has_quantifier(arg)) {
            return Err(quantifiers::alternation(self.place(term)));
        }
        Ok(self.relational.atom(self.store, term).expect("invariant: heads and bodies hold relations"))
    }

    /// Where a relation in the term stands; the whole assertion if it is not known.
    fn place(&self, term: TermId) -> Span {
        let written =
            self.store.subterms(term).into_iter().filter_map(|part| self.places.get(&part).copied());
        written.min().unwrap_or(self.span)
    }

    /// Where the first inner quantifier stands.
    fn quantifier(&self, term: TermId) -> Span {
        let is_quantifier = |part: &TermId| matches!(self.store.op(*part), Op::Forall(_) | Op::Exists(_));
        let parts = self.store.subterms(term).into_iter().filter(is_quantifier);
        let first = parts.filter_map(|part| self.places.get(&part).copied()).min();
        first.unwrap_or(self.span)
    }

    fn misplaced(&self, term: TermId, message: &str) -> Diagnostic {
        Diagnostic::error(&codes::NOT_HORN, message, self.place(term)).help(
            "relations may stand under `and`, `or`, `not`, `=>` and quantifiers, as long as clauses come out",
        )
    }
}

/// What reading a formula gives besides the term.
#[derive(Debug)]
pub struct Reading {
    pub divisions: Divisions,
    /// Where atoms and inner quantifiers stand.
    pub places: BTreeMap<TermId, Span>,
    /// Where the command stands.
    pub span: Span,
}

/// The clauses of a formula, with the case splits of its divisions.
pub fn clauses(
    store: &mut TermStore,
    relational: &mut Relational,
    formula: TermId,
    reading: Reading,
) -> Split<Vec<Clause>> {
    let Reading { divisions, places, span } = reading;
    let mut splitter = Splitter { store, relational, places, span };
    let clauses = splitter.split(formula)?;
    let cases = clauses.into_iter().flat_map(|clause| divisions.cases(splitter.store, clause));
    Ok(cases.filter(|clause| clause.constraint != TermId::FALSE).collect())
}

impl Atom {
    /// The same relation applied to substituted terms.
    pub fn substitute(&self, store: &mut TermStore, substitution: &Substitution) -> Atom {
        let args = self.args.iter().map(|&arg| store.substitute(arg, substitution)).collect();
        Atom { relation: self.relation, args }
    }
}

impl Clause {
    /// All terms of the clause.
    pub fn terms(&self) -> impl Iterator<Item = TermId> {
        let atoms = self.body.iter().chain(&self.head);
        atoms.flat_map(|atom| atom.args.iter().copied()).chain([self.constraint])
    }

    /// The variables, in ascending order.
    pub fn variables(&self, store: &TermStore) -> Vec<SymbolId> {
        variables(store, self.terms())
    }

    /// The clause with terms substituted for variables.
    pub fn substitute(&self, store: &mut TermStore, substitution: &Substitution) -> Clause {
        Clause {
            body: self.body.iter().map(|atom| atom.substitute(store, substitution)).collect(),
            constraint: store.substitute(self.constraint, substitution),
            head: self.head.as_ref().map(|head| head.substitute(store, substitution)),
            open: self.open,
            span: self.span,
        }
    }
}

/// The variables of clauses (symbols of role `Input`) that occur in the terms, in ascending order.
pub fn variables(store: &TermStore, terms: impl IntoIterator<Item = TermId>) -> Vec<SymbolId> {
    let parts = store.subterms_of_all(terms);
    let symbols = parts.into_iter().filter_map(|part| store.as_symbol(part));
    let mut symbols: Vec<SymbolId> =
        symbols.filter(|&symbol| store.symbol(symbol).role == Role::Input).collect();
    symbols.sort_unstable();
    symbols
}
