//! Cubes: sets of states given by literals about a few distinct elements, the negation of a lemma.
//!
//! An element is named by a constant of the model if there is one for it, otherwise by a variable. Where an array is
//! read at an element that the state points at (`cache[owner]`), the cube says so in two literals
//! (`owner = i`, `cache[i] = …`), so that either can be dropped.

use rustc_hash::FxHashMap;
use tenet_system::{Bounds, IndexVar, Lemma, System};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

use super::code::domain_sort;
use super::structure::{Env, Structure};
use std::cmp::Ordering;

/// Places are compared with at most so many numbers.
const MOST_NUMBERS: usize = 10;

/// Literals over constants, state and variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cube {
    /// The variables that occur; those of one sort are distinct.
    pub vars: Vec<SymbolId>,
    /// The literals, in order of their ids.
    pub literals: Vec<TermId>,
}

/// The variables of lemmas, and the named elements of each index sort.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// The sort whose variables have the shortest names.
    first: Option<SortId>,
    vars: FxHashMap<SortId, Vec<SymbolId>>,
    consts: FxHashMap<SortId, Vec<TermId>>,
    /// The names of its variables: the first letters that the model has no use for.
    letters: Vec<char>,
    /// Sorts that arrays are indexed by; the elements of others are mere data.
    indexed: Vec<SortId>,
}

impl Vocabulary {
    /// That of a system.
    pub fn new(system: &mut System) -> Vocabulary {
        let is_taken = |letter: &char| {
            let mut used = system.state.iter().map(|var| var.symbol).chain(system.consts.iter().copied());
            used.any(|symbol| system.store.symbol(symbol).name == letter.to_string())
        };
        let letters = ('i'..='z').filter(|letter| !is_taken(letter)).chain('I'..='N');
        let mut vocabulary = Vocabulary { letters: letters.collect(), ..Vocabulary::default() };
        for symbol in system.consts.clone() {
            let sort = system.store.symbol(symbol).sort;
            if matches!(system.store.sort(sort), Sort::Index { .. }) {
                let term = system.store.mk_symbol(symbol);
                vocabulary.consts.entry(sort).or_default().push(term);
            }
        }
        // What is chosen at the start and never changes names an element as well.
        for var in &system.state {
            let sort = system.store.symbol(var.symbol).sort;
            let changes =
                |rule: &tenet_system::Rule| rule.updates.iter().any(|(symbol, _)| *symbol == var.symbol);
            if matches!(system.store.sort(sort), Sort::Index { .. }) && !system.rules.iter().any(changes) {
                let term = system.store.mk_symbol(var.symbol);
                vocabulary.consts.entry(sort).or_default().push(term);
            }
        }
        let terms: Vec<TermId> = system.terms().collect();
        for term in system.store.subterms_of_all(terms) {
            if let Op::Index(sort, _) = system.store.op(term) {
                let known = vocabulary.consts.entry(*sort).or_default();
                if !known.contains(&term) {
                    known.push(term);
                }
            }
        }
        for var in &system.state {
            if let Sort::Function { args, .. } = system.store.sort(system.store.symbol(var.symbol).sort) {
                vocabulary.indexed.extend(args.iter().map(|&sort| domain_sort(&system.store, sort)));
            }
        }
        vocabulary
    }

    /// Variable number `place` of a sort.
    pub fn var(&mut self, store: &mut TermStore, sort: SortId, place: usize) -> SymbolId {
        let is_first = *self.first.get_or_insert(sort) == sort;
        let vars = self.vars.entry(sort).or_default();
        while vars.len() <= place {
            let number = vars.len();
            let name = match (is_first, number) {
                (true, 0..6) => self.letters[number].to_string(),
                _ => {
                    let letter = store.sort_name(sort).to_lowercase().chars().next().unwrap_or('x');
                    format!("{letter}{}", number + 1)
                }
            };
            vars.push(store.declare(&name, sort, Role::Index));
        }
        vars[place]
    }

    /// The constants that name elements of a sort.
    pub fn consts(&self, sort: SortId) -> &[TermId] {
        self.consts.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// Are arrays indexed by this sort?
    pub fn is_indexed(&self, store: &TermStore, sort: SortId) -> bool {
        self.indexed.contains(&domain_sort(store, sort))
    }
}

impl Cube {
    /// The cube of a model's literals.
    pub fn new(vocabulary: &mut Vocabulary, structure: &mut Structure<'_>, literals: &[TermId]) -> Cube {
        let mut naming = Naming {
            vocabulary,
            structure,
            vars: FxHashMap::default(),
            counts: FxHashMap::default(),
            literals: Vec::new(),
        };
        for &literal in literals {
            let literal = naming.convert(literal);
            naming.add(literal);
        }
        naming.compare_places();
        let literals = naming.literals;
        let mut literals = without_data_variables(vocabulary, structure.store, literals);
        // What cannot be would exclude nothing.
        literals.retain(|&literal| literal != TermId::FALSE);
        Cube::of(structure.store, literals)
    }

    /// The cube of these literals.
    pub fn of(store: &TermStore, mut literals: Vec<TermId>) -> Cube {
        literals.sort_unstable();
        literals.dedup();
        let mut vars: Vec<SymbolId> = literals
            .iter()
            .flat_map(|&literal| store.free_symbols(literal))
            .filter(|&symbol| store.symbol(symbol).role == Role::Index)
            .collect();
        vars.sort_unstable();
        vars.dedup();
        Cube { vars, literals }
    }

    /// The literals that speak of no variables but these.
    pub fn about(&self, store: &TermStore, vars: &[SymbolId]) -> Vec<TermId> {
        let speaks_of = |literal: TermId| {
            let symbols = store.free_symbols(literal);
            symbols
                .into_iter()
                .all(|symbol| store.symbol(symbol).role != Role::Index || vars.contains(&symbol))
        };
        self.literals.iter().copied().filter(|&literal| speaks_of(literal)).collect()
    }

    /// That no state is in the cube.
    pub fn lemma(&self, store: &mut TermStore) -> Lemma {
        let mut clause: Vec<TermId> = self.literals.iter().map(|&literal| store.mk_not(literal)).collect();
        for (place, &var) in self.vars.iter().enumerate() {
            let sort = store.symbol(var).sort;
            if store.sort(sort).is_numeric() {
                continue;
            }
            let term = store.mk_symbol(var);
            for &other in &self.vars[..place] {
                if store.symbol(other).sort == sort {
                    let other = store.mk_symbol(other);
                    clause.push(store.mk_eq(term, other));
                }
            }
        }
        let vars = self.vars.iter().map(|&symbol| IndexVar { symbol, bounds: Bounds::default() }).collect();
        Lemma { vars, body: store.mk_or(clause) }
    }
}

/// Turns literals about a model's elements into literals about variables.
struct Naming<'v, 's, 'a> {
    vocabulary: &'v mut Vocabulary,
    structure: &'s mut Structure<'a>,
    vars: FxHashMap<(SortId, i64), TermId>,
    counts: FxHashMap<SortId, usize>,
    literals: Vec<TermId>,
}

impl Naming<'_, '_, '_> {
    fn add(&mut self, literal: TermId) {
        // Different names are different elements.
        if let (Op::Not, &[equation]) = (self.structure.store.op(literal), self.structure.store.args(literal))
        {
            let store = &*self.structure.store;
            let is_name = |term: &TermId| self.vars.values().any(|var| var == term);
            if *store.op(equation) == Op::Eq && store.args(equation).iter().all(is_name) {
                return;
            }
        }
        self.add_apart(literal);
        // An equation of numbers is two literals, of which one may suffice.
        let store = &mut *self.structure.store;
        let both = match (store.op(literal), store.args(literal)) {
            (Op::Eq, &[a, b]) if store.sort(store.sort_of(a)).is_numeric() => {
                [store.mk_le(a, b), store.mk_le(b, a)]
            }
            _ => [literal, literal],
        };
        for literal in both {
            if literal != TermId::TRUE && !self.literals.contains(&literal) {
                self.literals.push(literal);
            }
        }
    }

    /// Often it matters only that a pointer is none of the named elements: that can be said without a name for what it
    /// points at.
    fn add_apart(&mut self, literal: TermId) {
        let store = &*self.structure.store;
        let (Op::Eq, &[a, b]) = (store.op(literal), store.args(literal)) else { return };
        let is_var = |term: TermId| self.vars.values().any(|&var| var == term);
        let pointer = match (is_var(a), is_var(b)) {
            (true, false) => b,
            (false, true) => a,
            _ => return,
        };
        for named in self.vocabulary.consts(store.sort_of(pointer)).to_vec() {
            let literal = self.structure.store.mk_ne(pointer, named);
            if named != pointer && !self.literals.contains(&literal) {
                self.literals.push(literal);
            }
        }
    }

    fn convert(&mut self, term: TermId) -> TermId {
        let args = self.structure.store.args(term).to_vec();
        match self.structure.store.op(term).clone() {
            Op::Symbol(symbol) => self.symbol(term, symbol),
            Op::Apply => {
                let mut converted = vec![args[0]];
                converted.extend(args[1..].iter().map(|&arg| self.argument(arg)));
                self.structure.store.mk_apply(converted[0], &converted[1..])
            }
            op if args.is_empty() || op.is_binder() => term,
            op => {
                let converted: Vec<TermId> = args.iter().map(|&arg| self.convert(arg)).collect();
                if converted == args { term } else { self.structure.store.mk(op, &converted) }
            }
        }
    }

    /// A symbol that is chosen freely is an element, or its value if there are few.
    fn symbol(&mut self, term: TermId, symbol: SymbolId) -> TermId {
        let info = self.structure.store.symbol(symbol).clone();
        if matches!(info.role, Role::State | Role::Const) {
            return term;
        }
        match self.structure.store.sort(info.sort) {
            Sort::Bool | Sort::Enum { .. } => {
                let value = self.structure.value(term);
                value.and_then(|value| self.structure.name_value(info.sort, value)).unwrap_or(term)
            }
            Sort::Function { .. } => term,
            _ => self.element(term).unwrap_or(term),
        }
    }

    /// The argument of an array: what the state points at gets a name.
    fn argument(&mut self, term: TermId) -> TermId {
        let store = &*self.structure.store;
        let sort = store.sort_of(term);
        let is_index = matches!(store.sort(sort), Sort::Index { .. }) || store.sort(sort).is_integer();
        let is_state =
            store.free_symbols(term).iter().any(|&symbol| store.symbol(symbol).role == Role::State);
        if !is_index || !is_state {
            return self.convert(term);
        }
        let Some(element) = self.element(term) else { return self.convert(term) };
        let pointer = self.convert(term);
        let literal = self.structure.store.mk_eq(pointer, element);
        self.add(literal);
        element
    }

    /// The name of the element that a term denotes.
    fn element(&mut self, term: TermId) -> Option<TermId> {
        let sort = domain_sort(self.structure.store, self.structure.store.sort_of(term));
        let value = self.structure.value(term)?;
        for named in self.vocabulary.consts(sort).to_vec() {
            if self.structure.value(named) == Some(value) {
                return Some(named);
            }
        }
        if let Some(&known) = self.vars.get(&(sort, value)) {
            return Some(known);
        }
        let count = self.counts.entry(sort).or_default();
        let symbol = self.vocabulary.var(self.structure.store, sort, *count);
        *count += 1;
        let var = self.structure.store.mk_symbol(symbol);
        self.vars.insert((sort, value), var);
        for named in self.vocabulary.consts(sort).to_vec() {
            let literal = self.structure.store.mk_ne(var, named);
            self.add(literal);
        }
        Some(var)
    }
}

impl Naming<'_, '_, '_> {
    /// Says how the numbers that are places of arrays compare with the other numbers that the cube speaks of: a lemma
    /// about a queue speaks of the places between its ends.
    fn compare_places(&mut self) {
        let env: Env = self
            .vars
            .iter()
            .filter_map(|(&(_, value), &var)| Some((self.structure.store.as_symbol(var)?, value)))
            .collect();
        let mut places: Vec<(i64, TermId)> = self
            .vars
            .iter()
            .filter(|((sort, _), _)| *sort == SortId::INT)
            .map(|(&(_, value), &var)| (value, var))
            .collect();
        places.sort_unstable();
        let store = &*self.structure.store;
        let mut numbers: Vec<TermId> = Vec::new();
        for term in store.subterms_of_all(self.literals.iter().copied()) {
            let is_number = store.sort(store.sort_of(term)).is_integer();
            let is_read = matches!(store.op(term), Op::Symbol(_) | Op::Apply);
            if is_number && is_read && !places.iter().any(|&(_, var)| var == term) {
                numbers.push(term);
            }
        }
        numbers.truncate(MOST_NUMBERS);
        for &(value, var) in &places {
            if !self.vocabulary.is_indexed(self.structure.store, SortId::INT) {
                return;
            }
            for &number in &numbers {
                let Some(other) = self.structure.evaluate(number, &env) else { continue };
                let literal = match value.cmp(&other) {
                    Ordering::Less => self.structure.store.mk_lt(var, number),
                    Ordering::Equal => self.structure.store.mk_eq(var, number),
                    Ordering::Greater => self.structure.store.mk_lt(number, var),
                };
                self.add(literal);
            }
        }
    }
}

/// Replaces variables that stand for mere data by what they equal, or forgets what is said about them.
fn without_data_variables(
    vocabulary: &Vocabulary,
    store: &mut TermStore,
    mut literals: Vec<TermId>,
) -> Vec<TermId> {
    loop {
        let data = literals.iter().flat_map(|&literal| store.free_symbols(literal)).find(|&symbol| {
            let info = store.symbol(symbol);
            info.role != Role::State && info.role != Role::Const && !vocabulary.is_indexed(store, info.sort)
        });
        let Some(symbol) = data else { return literals };
        let term = store.mk_symbol(symbol);
        let equal = literals.iter().find_map(|&literal| match (store.op(literal), store.args(literal)) {
            (Op::Eq, &[a, b]) if a == term && !store.free_symbols(b).contains(&symbol) => Some(b),
            (Op::Eq, &[a, b]) if b == term && !store.free_symbols(a).contains(&symbol) => Some(a),
            (Op::Le, &[a, b]) if a == term && !store.free_symbols(b).contains(&symbol) => {
                let is_converse = |&other: &TermId| *store.op(other) == Op::Le && store.args(other) == [b, a];
                literals.iter().any(is_converse).then_some(b)
            }
            _ => None,
        });
        match equal {
            Some(value) => {
                let substitution = tenet_term::Substitution::from_pairs(store, [(symbol, value)]);
                literals = literals.iter().map(|&literal| store.substitute(literal, &substitution)).collect();
                literals.retain(|&literal| literal != TermId::TRUE);
            }
            None => literals.retain(|&literal| !store.free_symbols(literal).contains(&symbol)),
        }
    }
}
