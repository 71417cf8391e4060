//! From linear clauses to a transition system.
//!
//! A remaining relation is a control location, a clause a rule from the location in its body to that of its head, a fact a start,
//! and a clause with head `false` a rule into the location `error`. The one property is that this is never reached. Each location
//! has variables of its own, one for each argument, which matter only while control is there; variables that cannot be
//! substituted away are chosen anew by each step.

use super::clauses::{Atom, Clause};
use super::equations;
use super::inline::{Inlined, Place};
use super::resolve::{Resolvent, base_name};
use super::sexpr::Tree;
use super::slice;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::collections::{BTreeMap, BTreeSet};
use tenet_system::finite::program::Source;
use tenet_system::{Bounds, Property, PropertyKind, Rule, Start, StateVar, System};
use tenet_term::{Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

pub const PROPERTY: &str = "query";

/// The condition of verdicts about clauses with divisions.
const DIVISION: &str = "a division by zero may have any value";

/// A relation as a control location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Index into the places: the relations of the file and products.
    pub place: usize,
    /// The value of the location variable.
    pub value: TermId,
    /// The variable of each argument; `None` for irrelevant ones.
    pub vars: Vec<Option<SymbolId>>,
}

/// The system and how it corresponds to the clauses.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub system: System,
    /// The variable of the control location.
    pub location: SymbolId,
    /// The remaining relations.
    pub locations: Vec<Location>,
    /// The location that must not be reached.
    pub error: TermId,
    /// The clause of each start. Its variables are the start's parameters.
    pub starts: Vec<Resolvent>,
    /// The clause of each rule, over the variables of its source location and the rule's parameters. An argument of the
    /// body that has no variable is still a variable of the clause; and some variables occur only in the derivation
    /// steps.
    pub rules: Vec<Resolvent>,
}

/// Makes a system of linear clauses.
pub fn lower(store: TermStore, original: &[Clause], inlined: &Inlined, tree: &Tree) -> Lowered {
    let mut lowering = Lowering::new(store, original, inlined, tree);
    for resolvent in inlined.clauses.iter().cloned() {
        match resolvent.clause.body.is_empty() {
            true => lowering.start(resolvent),
            false => lowering.rule(resolvent),
        }
    }
    lowering.finish()
}

struct Lowering<'a> {
    lowered: Lowered,
    places: &'a [Place],
    original: &'a [Clause],
    tree: &'a Tree<'a>,
    names: BTreeSet<String>,
}

impl<'a> Lowering<'a> {
    fn new(
        mut store: TermStore,
        original: &'a [Clause],
        inlined: &'a Inlined,
        tree: &'a Tree<'a>,
    ) -> Lowering<'a> {
        let (kept, places) = (kept(&inlined.clauses), &inlined.places);
        let mut values: Vec<String> = kept.iter().map(|&place| places[place].name.clone()).collect();
        let error = values.len();
        values.push(fresh_name("error", &values));
        // A system needs a start; without facts it is one in a location without rules.
        values.push(fresh_name("nothing", &values));
        if inlined.clauses.iter().any(|resolvent| resolvent.clause.body.is_empty()) {
            values.pop();
        }
        let texts: Vec<&str> = values.iter().map(String::as_str).collect();
        let sort = store.enum_sort("location", &texts);
        let location = store.fresh("location", sort, Role::State);
        let mut state = vec![scalar(location)];
        let mut locations = Vec::new();
        let needed = slice::needed(&store, places, &inlined.clauses);
        for (position, &place) in kept.iter().enumerate() {
            let names = argument_names(&store, places, place, original);
            let sorts = places[place].sorts.iter();
            let args = names.iter().zip(sorts).zip(&needed[place]);
            let vars: Vec<Option<SymbolId>> = args
                .map(|((name, &sort), needed)| needed.then(|| store.fresh(name, sort, Role::State)))
                .collect();
            state.extend(vars.iter().flatten().map(|&symbol| scalar(symbol)));
            locations.push(Location { place, value: store.mk_enum(sort, position as u32), vars });
        }
        let error = store.mk_enum(sort, error as u32);
        let system = System { store, state, ..System::default() };
        let lowered = Lowered { system, location, locations, error, starts: Vec::new(), rules: Vec::new() };
        Lowering { lowered, places, original, tree, names: BTreeSet::new() }
    }

    fn store(&mut self) -> &mut TermStore {
        &mut self.lowered.system.store
    }

    fn location(&self, place: usize) -> &Location {
        let found = self.lowered.locations.iter().find(|location| location.place == place);
        found.expect("invariant: every relation that is left has a location")
    }

    /// The target location, and the values of its variables.
    fn target(&self, head: Option<&Atom>) -> (TermId, Vec<(SymbolId, TermId)>) {
        let Some(head) = head else { return (self.lowered.error, Vec::new()) };
        let location = self.location(head.relation);
        let args = location.vars.iter().zip(&head.args);
        (location.value, args.filter_map(|(var, &arg)| Some(((*var)?, arg))).collect())
    }

    fn start(&mut self, mut resolvent: Resolvent) {
        let mut renaming = Substitution::new();
        for symbol in resolvent.symbols(self.store()) {
            let (name, sort) = (self.store().symbol(symbol).name.clone(), self.store().symbol(symbol).sort);
            let initial = self.store().declare(&name, sort, Role::Initial);
            let term = self.store().mk_symbol(initial);
            renaming.insert(self.store(), symbol, term);
        }
        resolvent.substitute(self.store(), &renaming);
        let (place, given) = self.target(resolvent.clause.head.as_ref());
        let given: BTreeMap<SymbolId, TermId> =
            given.into_iter().chain([(self.lowered.location, place)]).collect();
        let symbols: Vec<SymbolId> = self.lowered.system.state.iter().map(|var| var.symbol).collect();
        let mut values = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let sort = self.store().symbol(symbol).sort;
            values.push(given.get(&symbol).copied().unwrap_or_else(|| default_value(self.store(), sort)));
        }
        let constraint = resolvent.clause.constraint;
        let params = self.occurring(values.iter().copied().chain([constraint]), Role::Initial);
        let (name, source) = (self.name(&resolvent), source(&resolvent));
        self.lowered.system.starts.push(Start { name, source, params, constraint, values });
        self.lowered.starts.push(resolvent);
    }

    fn rule(&mut self, mut resolvent: Resolvent) {
        let from = self.location(resolvent.clause.body[0].relation).clone();
        self.put_state(&mut resolvent, &from);
        let here = self.lowered.location;
        let (place, mut updates) = self.target(resolvent.clause.head.as_ref());
        updates.insert(0, (here, place));
        let store = self.store();
        updates.retain(|&(symbol, value)| store.as_symbol(value) != Some(symbol));
        let at = store.mk_symbol(here);
        let at = store.mk_eq(at, from.value);
        let guard = store.mk_and([at, resolvent.clause.constraint]);
        if place == from.value {
            updates.remove(0);
        }
        let values: Vec<TermId> = updates.iter().map(|&(_, value)| value).collect();
        let params = self.occurring(values.into_iter().chain([guard]), Role::Input);
        let (name, source) = (self.name(&resolvent), source(&resolvent));
        self.lowered.system.rules.push(Rule { name, source, params, shown_params: 0, guard, updates });
        self.lowered.rules.push(resolvent);
    }

    /// Substitutes the variables of the location for the arguments of the relation in the body.
    fn put_state(&mut self, resolvent: &mut Resolvent, from: &Location) {
        let store = self.store();
        let args = resolvent.clause.body[0].args.clone();
        let mut direct = Substitution::new();
        let mut equations = Vec::new();
        for (&arg, var) in args.iter().zip(&from.vars) {
            let Some(var) = *var else { continue };
            let value = store.mk_symbol(var);
            match store.as_symbol(arg).filter(|&symbol| direct.get(symbol).is_none()) {
                Some(symbol) => direct.insert(store, symbol, value),
                None => equations.push((value, arg)),
            }
        }
        resolvent.substitute(store, &direct);
        let mut constraint = vec![resolvent.clause.constraint];
        for (value, arg) in equations {
            let arg = store.substitute(arg, &direct);
            constraint.push(store.mk_eq(value, arg));
        }
        let constraint = store.mk_and(constraint);
        resolvent.clause.constraint = TermId::TRUE;
        let symbols: BTreeSet<SymbolId> = resolvent.symbols(store).into_iter().collect();
        let is_variable = |symbol: SymbolId| symbols.contains(&symbol);
        let rest = equations::solve(store, constraint, is_variable, |store, found| {
            resolvent.substitute(store, found);
        });
        resolvent.clause.constraint = rest;
        for (arg, var) in resolvent.clause.body[0].args.iter_mut().zip(&from.vars) {
            if let Some(var) = *var {
                *arg = store.mk_symbol(var);
            }
        }
    }

    /// The symbols of a role that occur, in ascending order.
    fn occurring(&self, terms: impl Iterator<Item = TermId>, role: Role) -> Vec<SymbolId> {
        let store = &self.lowered.system.store;
        let parts = store.subterms_of_all(terms);
        let symbols = parts.into_iter().filter_map(|part| store.as_symbol(part));
        let mut symbols: Vec<SymbolId> =
            symbols.filter(|&symbol| store.symbol(symbol).role == role).collect();
        symbols.sort_unstable();
        symbols
    }

    /// The source and target locations, and the lines of the file that it comes from.
    fn name(&mut self, resolvent: &Resolvent) -> String {
        let place = |atom: &Atom| self.places[atom.relation].name.clone();
        let from =
            resolvent.clause.body.first().map(|atom| format!("{} -> ", place(atom))).unwrap_or_default();
        let to = resolvent.clause.head.as_ref().map_or_else(|| "error".to_string(), place);
        let mut lines: Vec<usize> = resolvent.spans(self.original).map(|span| self.tree.line(span)).collect();
        lines.dedup();
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let lines: Vec<String> = lines.iter().map(usize::to_string).collect();
        let by_zero = if resolvent.clause.open { ", by zero" } else { "" };
        let base = format!("{from}{to}, {word} {}{by_zero}", lines.join(", "));
        let mut name = base.clone();
        let mut number = 1;
        while !self.names.insert(name.clone()) {
            number += 1;
            name = format!("{base} ({number})");
        }
        name
    }

    fn finish(mut self) -> Lowered {
        if self.lowered.system.starts.is_empty() {
            self.idle();
        }
        let (here, error) = (self.lowered.location, self.lowered.error);
        if self.original.iter().any(|clause| clause.open) {
            self.lowered.system.conditions.push(DIVISION.to_string());
        }
        // Without a query there is no property.
        let Some(query) = self.original.iter().find(|clause| clause.head.is_none()) else {
            return self.lowered;
        };
        let span = query.span;
        let source = Source { start: span.start, end: span.end };
        let here = self.store().mk_symbol(here);
        let formula = self.store().mk_ne(here, error);
        let property =
            Property { name: PROPERTY.to_string(), source, kind: PropertyKind::Invariant, formula };
        self.lowered.system.properties.push(property);
        self.lowered
    }

    /// A start from which nothing happens, for clauses without facts.
    fn idle(&mut self) {
        let symbols: Vec<SymbolId> = self.lowered.system.state.iter().map(|var| var.symbol).collect();
        let mut values = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            let sort = self.store().symbol(symbol).sort;
            values.push(default_value(self.store(), sort));
        }
        let here = self.lowered.location;
        let sort = self.store().symbol(here).sort;
        let Sort::Enum { variants, .. } = self.store().sort(sort) else { return };
        let last = variants.len() as u32 - 1;
        values[0] = self.store().mk_enum(sort, last);
        let (name, source) = ("nothing".to_string(), Source::default());
        self.lowered.system.starts.push(Start {
            name,
            source,
            params: Vec::new(),
            constraint: TermId::TRUE,
            values,
        });
    }
}

/// The relations that occur in clauses, in the order of their declarations.
fn kept(clauses: &[Resolvent]) -> Vec<usize> {
    let atoms =
        clauses.iter().flat_map(|resolvent| resolvent.clause.body.iter().chain(&resolvent.clause.head));
    let kept: BTreeSet<usize> = atoms.map(|atom| atom.relation).collect();
    kept.into_iter().collect()
}

/// A name that is not among these.
pub(super) fn fresh_name(base: &str, names: &[String]) -> String {
    let mut name = base.to_string();
    let mut number = 1;
    while names.contains(&name) {
        number += 1;
        name = format!("{base}_{number}");
    }
    name
}

/// `inv.x`, if all clauses of the file with the relation in their body call the argument `x`, otherwise `inv.0`.
fn argument_names(store: &TermStore, places: &[Place], place: usize, original: &[Clause]) -> Vec<String> {
    let Place { name, parts, .. } = &places[place];
    if let [relation] = parts[..] {
        return part_names(store, name, relation, places[relation].sorts.len(), original);
    }
    // The parts of a product may be the same relation twice, so they are numbered.
    let mut all = Vec::new();
    for (position, &relation) in parts.iter().enumerate() {
        let prefix = format!("{name}.{position}");
        all.extend(part_names(store, &prefix, relation, places[relation].sorts.len(), original));
    }
    all
}

fn part_names(
    store: &TermStore,
    prefix: &str,
    relation: usize,
    count: usize,
    original: &[Clause],
) -> Vec<String> {
    let used = original.iter().flat_map(|clause| &clause.body).filter(|atom| atom.relation == relation);
    let used: Vec<&Atom> = used.collect();
    let mut names: Vec<Option<&str>> = Vec::new();
    for place in 0..count {
        let symbols: Option<Vec<SymbolId>> =
            used.iter().map(|atom| store.as_symbol(atom.args[place])).collect();
        let symbols = symbols.unwrap_or_default();
        let all: BTreeSet<&str> =
            symbols.into_iter().map(|symbol| base_name(&store.symbol(symbol).name)).collect();
        names.push(if all.len() == 1 { all.into_iter().next() } else { None });
    }
    let repeated = |name: &str| names.iter().filter(|other| **other == Some(name)).count() > 1;
    let shown = names.iter().enumerate().map(|(place, name)| match name {
        Some(name) if !repeated(name) => format!("{prefix}.{name}"),
        _ => format!("{prefix}.{place}"),
    });
    shown.collect()
}

fn scalar(symbol: SymbolId) -> StateVar {
    StateVar { symbol, args: Vec::new(), value: Bounds::default() }
}

fn source(resolvent: &Resolvent) -> Source {
    Source { start: resolvent.clause.span.start, end: resolvent.clause.span.end }
}

/// Some value of a sort, for variables that do not matter at the moment.
pub fn default_value(store: &mut TermStore, sort: SortId) -> TermId {
    match store.sort(sort) {
        Sort::Int => store.mk_int(0),
        Sort::Real => store.mk_rational(BigRational::from_integer(BigInt::from(0))),
        Sort::BitVec(width) => {
            let width = *width;
            store.mk_bitvec(width, 0u32)
        }
        Sort::Enum { .. } => store.mk_enum(sort, 0),
        _ => TermId::FALSE,
    }
}
