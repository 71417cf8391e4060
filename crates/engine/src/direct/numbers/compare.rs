//! The cube of a counterexample to induction: what suffices for its step, and how all numbers that may have to do
//! with it compare.
//!
//! Numbers that a step chooses or that a lemma is about become variables, as does a place that is computed (`a[j + 1]`):
//! a lemma about the place behind `j` would need another one about the place behind that. A place that a variable of the
//! program holds (`a[least]`) stays as it is.

use rustc_hash::FxHashMap;
use tenet_system::Bounds;
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId};

use super::hitting::MAX_ITEMS;
use super::{Array, Numbers};
use crate::direct::code::domain_sort;
use crate::direct::cube::{Cube, Vocabulary};
use crate::direct::kind::{Kind, Scope};
use crate::direct::structure::{Env, Structure};

/// Numbers of a kind that are compared with each other; the comparisons grow quadratically, and a cube has at most
/// [`MAX_ITEMS`].
const MAX_COMPARED_NUMBERS: usize = 9;

impl Numbers {
    /// The cube of a model's literals.
    pub fn cube(
        &mut self,
        vocabulary: &mut Vocabulary,
        structure: &mut Structure<'_>,
        literals: &[TermId],
    ) -> Cube {
        let scope = self.kinds.scope(structure.store, literals);
        let (vars, literals_made) = (FxHashMap::default(), Vec::new());
        let mut naming = Naming {
            numbers: self,
            vocabulary,
            structure,
            scope,
            vars,
            env: Env::new(),
            literals: literals_made,
        };
        for &literal in literals {
            let literal = naming.convert(literal);
            naming.add(literal);
        }
        let (env, needed) = (naming.env, naming.literals);
        let is_free = |term: &TermId| {
            let store = &*structure.store;
            let symbols = store.free_symbols(*term);
            let is_known = |symbol: &SymbolId| {
                let role = store.symbol(*symbol).role;
                matches!(role, Role::State | Role::Const) || env.iter().any(|(var, _)| var == symbol)
            };
            symbols.iter().all(is_known) && !store.has_quantifier(*term)
        };
        let needed: Vec<TermId> = needed.into_iter().filter(is_free).collect();
        let mut comparing = Comparing { numbers: self, structure, env, needed: &needed, found: Vec::new() };
        comparing.places();
        comparing.values();
        comparing.scalars();
        let found = comparing.found;
        let mut all: Vec<TermId> = needed.clone();
        all.extend(self.places.iter().map(|&(_, literal)| literal));
        all.extend(found);
        let mut literals: Vec<TermId> = Vec::new();
        for literal in all {
            let is_plain = literal != TermId::TRUE && literal != TermId::FALSE;
            if is_plain && !literals.contains(&literal) && literals.len() < MAX_ITEMS {
                literals.push(literal);
            }
        }
        self.mentioned = structure.store.subterms_of_all(needed.iter().copied()).into_iter().collect();
        self.needed = needed;
        Cube::of(structure.store, literals)
    }
}

/// Turns the elements of a model into variables.
struct Naming<'n, 'v, 's, 'a> {
    numbers: &'n mut Numbers,
    vocabulary: &'v mut Vocabulary,
    structure: &'s mut Structure<'a>,
    scope: Scope,
    vars: FxHashMap<(Option<Kind>, i64), TermId>,
    env: Env,
    literals: Vec<TermId>,
}

impl Naming<'_, '_, '_, '_> {
    fn add(&mut self, literal: TermId) {
        let store = &mut *self.structure.store;
        let halves = match (store.op(literal), store.args(literal)) {
            (Op::Eq, &[a, b]) if store.sort(store.sort_of(a)).is_numeric() => {
                [store.mk_le(a, b), store.mk_le(b, a)]
            }
            _ => [literal, literal],
        };
        for literal in [literal, halves[0], halves[1]] {
            if !self.literals.contains(&literal) {
                self.literals.push(literal);
            }
        }
    }

    fn convert(&mut self, term: TermId) -> TermId {
        let args = self.structure.store.args(term).to_vec();
        match self.structure.store.op(term).clone() {
            Op::Symbol(symbol) => self.symbol(term, symbol),
            Op::Apply => {
                let places: Vec<TermId> = args[1..].iter().map(|&arg| self.place(arg)).collect();
                self.structure.store.mk_apply(args[0], &places)
            }
            op if args.is_empty() || op.is_binder() => term,
            op => {
                let converted: Vec<TermId> = args.iter().map(|&arg| self.convert(arg)).collect();
                if converted == args { term } else { self.structure.store.mk(op, &converted) }
            }
        }
    }

    fn symbol(&mut self, term: TermId, symbol: SymbolId) -> TermId {
        let info = self.structure.store.symbol(symbol).clone();
        if matches!(info.role, Role::State | Role::Const) {
            return term;
        }
        let sort = self.structure.store.sort(info.sort).clone();
        match sort {
            Sort::Bool | Sort::Enum { .. } => {
                let value = self.structure.value(term);
                value.and_then(|value| self.structure.name_value(info.sort, value)).unwrap_or(term)
            }
            _ if sort.is_integer() => self.element(term).unwrap_or(term),
            _ => term,
        }
    }

    /// A place of an array: a variable if it is neither one nor a variable of the program.
    fn place(&mut self, term: TermId) -> TermId {
        let store = &*self.structure.store;
        if store.as_symbol(term).is_some() || store.as_int(term).is_some() {
            return self.convert(term);
        }
        if !store.sort(store.sort_of(term)).is_integer() {
            return self.convert(term);
        }
        let Some(element) = self.element(term) else { return self.convert(term) };
        let converted = self.convert(term);
        let literal = self.structure.store.mk_eq(converted, element);
        self.add(literal);
        element
    }

    fn element(&mut self, term: TermId) -> Option<TermId> {
        let value = self.structure.value(term)?;
        let kind = self.numbers.kinds.of(self.structure.store, term, &mut self.scope);
        if let Some(&known) = self.vars.get(&(kind, value)) {
            return Some(known);
        }
        let symbol = self.vocabulary.var(self.structure.store, SortId::INT, self.vars.len());
        let var = self.structure.store.mk_symbol(symbol);
        self.vars.insert((kind, value), var);
        self.env.push((symbol, value));
        Some(var)
    }
}

struct Comparing<'n, 'l, 's, 'a> {
    numbers: &'n mut Numbers,
    structure: &'s mut Structure<'a>,
    env: Env,
    /// The literals that the step needs.
    needed: &'l [TermId],
    found: Vec<TermId>,
}

impl Comparing<'_, '_, '_, '_> {
    /// The numbers of the program and the variables, those of one kind with each other.
    fn places(&mut self) {
        let vars: Vec<TermId> =
            self.env.clone().iter().map(|&(var, _)| self.structure.store.mk_symbol(var)).collect();
        self.bound(&vars);
        let mut scope = self.numbers.kinds.scope(self.structure.store, self.needed);
        let is_number = |&&term: &&TermId| {
            let store = &*self.structure.store;
            store.sort(store.sort_of(term)).is_integer()
        };
        let scalars: Vec<TermId> = self.numbers.scalars.iter().filter(is_number).copied().collect();
        let mut of_kind: Vec<(Option<Kind>, Vec<TermId>)> = Vec::new();
        for term in vars.into_iter().chain(scalars) {
            let kind = self.numbers.kinds.of(self.structure.store, term, &mut scope);
            match of_kind.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, terms)) => terms.push(term),
                None => of_kind.push((kind, vec![term])),
            }
        }
        for (kind, mut terms) in of_kind {
            terms.truncate(MAX_COMPARED_NUMBERS);
            self.each_pair(&terms);
            self.with_fixed(kind, &terms);
        }
    }

    /// Says of each variable that it is a place of the arrays that are read there.
    fn bound(&mut self, vars: &[TermId]) {
        self.numbers.places.clear();
        let store = &*self.structure.store;
        let cells: Vec<TermId> = store.subterms_of_all(self.needed.iter().copied());
        let cells: Vec<Vec<TermId>> = cells
            .into_iter()
            .filter(|&term| *store.op(term) == Op::Apply)
            .map(|term| store.args(term).to_vec())
            .collect();
        for args in cells {
            let symbol = self.structure.store.as_symbol(args[0]);
            let Some(array) = self.numbers.arrays.iter().find(|array| Some(array.symbol) == symbol) else {
                continue;
            };
            for (&place, bounds) in args[1..].iter().zip(&array.bounds) {
                if !vars.contains(&place) {
                    continue;
                }
                let store = &mut *self.structure.store;
                let within =
                    [bounds.lo.map(|lo| store.mk_le(lo, place)), bounds.hi.map(|hi| store.mk_le(place, hi))];
                let var = store.as_symbol(place).expect("invariant: it is a variable");
                for literal in within.into_iter().flatten() {
                    if self.structure.evaluate(literal, &self.env) == Some(1) {
                        self.numbers.places.push((var, literal));
                    }
                }
            }
        }
    }

    /// What arrays hold at the places that there are, and the values of the program, as far as they are alike.
    fn values(&mut self) {
        let mut scope = self.numbers.kinds.scope(self.structure.store, self.needed);
        let mut values = self.cells(&mut scope);
        values.extend(self.numbers.scalars.iter().copied().filter(|&term| {
            let store = &*self.structure.store;
            matches!(store.sort(store.sort_of(term)), Sort::Index { .. })
        }));
        let mut alike: Vec<(SortId, Option<Kind>, Vec<TermId>)> = Vec::new();
        for value in values {
            let sort = domain_sort(self.structure.store, self.structure.store.sort_of(value));
            let kind = self.numbers.kinds.of(self.structure.store, value, &mut scope);
            match alike.iter_mut().find(|(known, of, _)| (*known, *of) == (sort, kind)) {
                Some((.., terms)) => terms.push(value),
                None => alike.push((sort, kind, vec![value])),
            }
        }
        for (sort, kind, mut terms) in alike {
            terms.truncate(MAX_COMPARED_NUMBERS);
            if sort == SortId::INT {
                let scalars = self.numbers.scalars.clone().into_iter().filter(|&scalar| {
                    let of = self.numbers.kinds.of(self.structure.store, scalar, &mut scope);
                    of.is_some() && of == kind
                });
                terms.extend(scalars);
            }
            self.each_alike(sort, &terms);
            self.with_fixed(kind, &terms);
        }
    }

    fn each_alike(&mut self, sort: SortId, terms: &[TermId]) {
        let rank = self.numbers.ranks.iter().find(|(ordered, _)| *ordered == sort).map(|&(_, rank)| rank);
        match (self.structure.store.sort(sort), rank) {
            (Sort::Bool | Sort::Enum { .. }, _) => terms.iter().for_each(|&term| self.is_value(term)),
            (Sort::Int, _) => self.each_pair(terms),
            (_, Some(rank)) => {
                let store = &mut *self.structure.store;
                let ranked: Vec<TermId> = terms.iter().map(|&term| store.mk_apply(rank, &[term])).collect();
                self.each_pair(&ranked);
            }
            _ => self.each_equal(terms),
        }
    }

    /// The arrays that the step looks at, at the variables and the numbers of the program that are places of them.
    fn cells(&mut self, scope: &mut Scope) -> Vec<TermId> {
        let mentioned: Vec<TermId> = self.structure.store.subterms_of_all(self.needed.iter().copied());
        let mut places: Vec<TermId> =
            self.env.clone().iter().map(|&(var, _)| self.structure.store.mk_symbol(var)).collect();
        places.extend(self.numbers.scalars.iter().copied());
        let mut cells: Vec<TermId> = Vec::new();
        for array in 0..self.numbers.arrays.len() {
            let Array { symbol, bounds } = &self.numbers.arrays[array];
            let function = self.structure.store.mk_symbol(*symbol);
            let &[bounds] = &bounds[..] else { continue };
            if !mentioned.contains(&function) {
                continue;
            }
            let kind = self.kind_of_places(function);
            for &place in &places {
                let of = self.numbers.kinds.of(self.structure.store, place, scope);
                if of.is_some() && of == kind && self.is_within(place, bounds) {
                    cells.push(self.structure.store.mk_apply(function, &[place]));
                }
            }
        }
        cells
    }

    fn kind_of_places(&mut self, function: TermId) -> Option<Kind> {
        let store = &mut *self.structure.store;
        let place = store.declare("place", SortId::INT, Role::Index);
        let place = store.mk_symbol(place);
        let cell = store.mk_apply(function, &[place]);
        let mut scope = self.numbers.kinds.scope(store, &[cell]);
        self.numbers.kinds.of(store, place, &mut scope)
    }

    fn is_within(&mut self, place: TermId, bounds: Bounds) -> bool {
        let store = &mut *self.structure.store;
        let parts = [bounds.lo.map(|lo| store.mk_le(lo, place)), bounds.hi.map(|hi| store.mk_le(place, hi))];
        parts.into_iter().flatten().all(|part| self.structure.evaluate(part, &self.env) == Some(1))
    }

    /// The truth values and members of enumerations that the program holds.
    fn scalars(&mut self) {
        for term in self.numbers.scalars.clone() {
            let store = &*self.structure.store;
            if matches!(store.sort(store.sort_of(term)), Sort::Bool | Sort::Enum { .. }) {
                self.is_value(term);
            }
        }
    }

    fn is_value(&mut self, term: TermId) {
        let sort = self.structure.store.sort_of(term);
        let Some(value) = self.structure.evaluate(term, &self.env) else { return };
        let Some(name) = self.structure.name_value(sort, value) else { return };
        let store = &mut *self.structure.store;
        let literal = if store.is_bool(term) { store.mk_iff(term, name) } else { store.mk_eq(term, name) };
        self.found.push(literal);
    }

    /// Adds the numbers that never change and belong to this kind.
    fn with_fixed(&mut self, kind: Option<Kind>, terms: &[TermId]) {
        let is_of_kind = |kinds: &[Kind]| kind.is_some_and(|kind| kinds.contains(&kind));
        let fixed = self.numbers.fixed.iter().filter(|(_, kinds)| is_of_kind(kinds));
        let fixed: Vec<TermId> = fixed.map(|&(number, _)| number).collect();
        for &term in terms {
            fixed.iter().for_each(|&number| self.compare(term, number));
        }
    }

    fn each_equal(&mut self, terms: &[TermId]) {
        for (place, &a) in terms.iter().enumerate() {
            for &b in &terms[place + 1..] {
                let equation = self.structure.store.mk_eq(a, b);
                match self.structure.evaluate(equation, &self.env) {
                    Some(0) => self.found.push(self.structure.store.mk_not(equation)),
                    Some(_) => self.found.push(equation),
                    None => {}
                }
            }
        }
    }

    fn each_pair(&mut self, terms: &[TermId]) {
        for (place, &a) in terms.iter().enumerate() {
            terms[place + 1..].iter().for_each(|&b| self.compare(a, b));
        }
    }

    /// Which of two numbers is less, or that they are equal: the strict comparison and the one that it implies.
    fn compare(&mut self, a: TermId, b: TermId) {
        let values = (self.structure.evaluate(a, &self.env), self.structure.evaluate(b, &self.env));
        let (Some(left), Some(right)) = values else { return };
        let store = &mut *self.structure.store;
        let literals = match left.cmp(&right) {
            std::cmp::Ordering::Less => [store.mk_le(a, b), store.mk_lt(a, b)],
            std::cmp::Ordering::Equal => [store.mk_le(a, b), store.mk_le(b, a)],
            std::cmp::Ordering::Greater => [store.mk_le(b, a), store.mk_lt(b, a)],
        };
        self.found.extend(literals);
    }
}
