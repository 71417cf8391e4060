//! Cubes: sets of states described by literals about a few distinct elements. The negation of a cube is a lemma.
//!
//! An element is named by a constant of the model if there is one for it, otherwise by a variable. Where an array is
//! read at an element that the state points at (`cache[owner]`), the cube says so in two literals
//! (`owner = i`, `cache[i] = …`), so that either can be dropped.

use rustc_hash::FxHashMap;
use tenet_system::{Bounds, IndexVar, Lemma, System};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

use super::ask::{Atom, atoms};
use super::code::domain_sort;
use super::compare::at_most;
use super::existential::ExistentialLemmas;
use super::kind::{Kind, Kinds, Scope};
use super::question::Cti;
use super::structure::Structure;

/// Literals over constants, state and variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cube {
    /// The variables that occur; those of one sort are distinct.
    pub vars: Vec<SymbolId>,
    /// The literals, in order of their ids.
    pub literals: Vec<TermId>,
    /// Auxiliary literals: they hold in the counterexample to induction, but its step does not depend on them.
    pub auxiliary: Vec<TermId>,
    /// Auxiliary literals that restate others with equal data in place of equal data (`equate`).
    pub restated: Vec<TermId>,
}

/// A set of states from which a step breaks a lemma: a counterexample to induction, lifted to the literals that
/// suffice for the step.
pub struct Predecessor {
    /// The literals about a few elements.
    pub cube: Cube,
    /// The names of these elements in the solver's question.
    pub names: Vec<(SymbolId, TermId)>,
    /// The literals about all elements: formulas `forall x. …` over constants, state and variables.
    pub universal_literals: Vec<TermId>,
    /// Further facts about these elements that hold in the model.
    pub known: Vec<TermId>,
}

/// The variables of lemmas, and the named elements of each index sort.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// The sort whose variables have the shortest names.
    first: Option<SortId>,
    vars: FxHashMap<SortId, Vec<SymbolId>>,
    consts: FxHashMap<SortId, Vec<TermId>>,
    /// The names of its variables: the first letters that the model does not use.
    letters: Vec<char>,
    /// Sorts that index arrays; elements of the others are plain data.
    indexed: Vec<SortId>,
    pub(super) kinds: Kinds,
    state: Vec<SymbolId>,
    /// What the model asks of the numbers of one element.
    atoms: Vec<Atom>,
}

impl Vocabulary {
    pub fn new(system: &mut System) -> Vocabulary {
        let is_taken = |letter: &char| {
            let mut used = system.state.iter().map(|var| var.symbol).chain(system.consts.iter().copied());
            used.any(|symbol| system.store.symbol(symbol).name == letter.to_string())
        };
        let letters = ('i'..='z').filter(|letter| !is_taken(letter)).chain('I'..='N');
        let mut vocabulary = Vocabulary {
            letters: letters.collect(),
            kinds: Kinds::new(system),
            state: system.state.iter().map(|var| var.symbol).collect(),
            ..Vocabulary::default()
        };
        for symbol in system.consts.clone() {
            let sort = system.store.symbol(symbol).sort;
            if matches!(system.store.sort(sort), Sort::Index { .. }) {
                let term = system.store.mk_symbol(symbol);
                vocabulary.consts.entry(sort).or_default().push(term);
            }
        }
        // A part of the state that is chosen at the start and never changes names an element as well.
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
        if vocabulary.has_places() {
            vocabulary.atoms = atoms(system);
        }
        vocabulary
    }

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

    pub(super) fn state(&self) -> &[SymbolId] {
        &self.state
    }

    /// What the model asks of the numbers of one element.
    pub(super) fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The constants that name elements of a sort.
    pub fn consts(&self, sort: SortId) -> &[TermId] {
        self.consts.get(&sort).map_or(&[], Vec::as_slice)
    }

    pub fn has_places(&self) -> bool {
        self.indexed.contains(&SortId::INT)
    }

    pub fn is_indexed(&self, store: &TermStore, sort: SortId) -> bool {
        self.indexed.contains(&domain_sort(store, sort))
    }
}

impl From<Cube> for Predecessor {
    fn from(cube: Cube) -> Predecessor {
        Predecessor { cube, names: Vec::new(), universal_literals: Vec::new(), known: Vec::new() }
    }
}

impl Predecessor {
    /// The predecessor cube of a counterexample to induction, over variables.
    pub fn new(
        vocabulary: &mut Vocabulary,
        cti: &mut Cti<'_, '_>,
        existential: Option<&ExistentialLemmas>,
    ) -> Predecessor {
        let structure = &mut *cti.structure;
        let scope = vocabulary.kinds.scope(structure.store, &cti.literals);
        let mut naming = Naming {
            vocabulary,
            structure,
            scope,
            vars: FxHashMap::default(),
            counts: FxHashMap::default(),
            literals: Vec::new(),
            auxiliary: Vec::new(),
            restated: Vec::new(),
            sums: Vec::new(),
        };
        for &literal in &cti.literals {
            let literal = naming.convert(literal);
            naming.add(literal);
        }
        naming.equate_data();
        naming.restated.clone_from(&naming.auxiliary);
        naming.ask_of_elements();
        naming.compare_places();
        let names = naming.names();
        let universal_literals: Vec<TermId> =
            cti.universal_literals.iter().map(|&formula| naming.convert(formula)).collect();
        let mut named: Vec<(TermId, i64)> =
            naming.vars.iter().map(|(&(.., value), &var)| (var, value)).collect();
        named.sort_unstable();
        let (literals, auxiliary, restated) = (naming.literals, naming.auxiliary, naming.restated);
        let mut literals = without_data_variables(vocabulary, structure.store, literals);
        // A cube with `false` in it would exclude nothing.
        literals.retain(|&literal| literal != TermId::FALSE);
        let universal_literals = universal_literals.into_iter().filter(|&formula| {
            let vars = Cube::of(structure.store, vec![formula]).vars;
            let sort = |var: &SymbolId| structure.store.symbol(*var).sort;
            vars.iter().all(|var| vocabulary.is_indexed(structure.store, sort(var)))
        });
        let universal_literals = universal_literals.collect();
        let cube = Cube { auxiliary, restated, ..Cube::of(structure.store, literals) };
        named.retain(|&(var, _)| structure.store.as_symbol(var).is_some_and(|var| cube.vars.contains(&var)));
        let known = existential.map_or(Vec::new(), |existential| existential.known(structure, &named));
        Predecessor { cube, names, universal_literals, known }
    }

    pub fn whole(&self, store: &TermStore) -> Cube {
        Cube::of(store, self.cube.literals.iter().chain(&self.universal_literals).copied().collect())
    }
}

impl Cube {
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
        Cube { vars, literals, ..Cube::default() }
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

    /// Does it speak of several numbers of which it says nothing but how they compare? Such a cube is unreachable
    /// only where an instance is too small to have that many different numbers.
    pub fn is_counting(&self, store: &TermStore) -> bool {
        let terms = store.subterms_of_all(self.literals.iter().copied());
        let is_mere_number = |&&var: &&SymbolId| {
            let is_read = |&term: &TermId| {
                let args = store.args(term).iter().skip(1);
                *store.op(term) == Op::Apply && args.copied().any(|arg| store.as_symbol(arg) == Some(var))
            };
            store.sort(store.symbol(var).sort).is_integer() && !terms.iter().any(is_read)
        };
        self.vars.iter().filter(is_mere_number).count() > 1
    }

    /// That no state is in the cube.
    pub fn lemma(&self, store: &mut TermStore) -> Lemma {
        let mut clause: Vec<TermId> = Vec::new();
        for &literal in &self.literals {
            let negation = store.mk_not(literal);
            clause.push(if store.has_quantifier(literal) { store.nnf(negation) } else { negation });
        }
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

/// Turns literals about the elements of a model into literals about variables.
pub(super) struct Naming<'v, 's, 'a> {
    pub(super) vocabulary: &'v mut Vocabulary,
    pub(super) structure: &'s mut Structure<'a>,
    /// The kinds of the literals' numbers.
    pub(super) scope: Scope,
    /// The names of elements, and of numbers of a kind.
    pub(super) vars: FxHashMap<(SortId, Option<Kind>, i64), TermId>,
    counts: FxHashMap<SortId, usize>,
    pub(super) literals: Vec<TermId>,
    pub(super) auxiliary: Vec<TermId>,
    pub(super) restated: Vec<TermId>,
    /// Places and the sums that they are.
    pub(super) sums: Vec<(TermId, TermId)>,
}

impl Naming<'_, '_, '_> {
    /// The terms that denote what the variables stand for.
    fn names(&mut self) -> Vec<(SymbolId, TermId)> {
        let names = self.vars.iter().filter_map(|(&(sort, _, value), &var)| {
            Some((self.structure.store.as_symbol(var)?, self.structure.name(sort, value)?))
        });
        names.collect()
    }

    pub(super) fn add(&mut self, literal: TermId) {
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
        self.add_arguments(literal);
        // An equation of numbers is two literals, of which one may suffice.
        let store = &mut *self.structure.store;
        let both = match (store.op(literal), store.args(literal)) {
            (Op::Eq, &[a, b]) if store.sort(store.sort_of(a)).is_numeric() => {
                [at_most(store, a, b), at_most(store, b, a)]
            }
            _ => [literal, literal],
        };
        for literal in both {
            if literal != TermId::TRUE && !self.literals.contains(&literal) {
                self.literals.push(literal);
            }
        }
    }

    /// Often it matters only that a pointer is none of the named elements; that can be said without a name for what
    /// it points at.
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

    /// If a function that never changes has different values, its arguments differ, whatever the function is.
    fn add_arguments(&mut self, literal: TermId) {
        let store = &*self.structure.store;
        let (Op::Not, &[equation]) = (store.op(literal), store.args(literal)) else { return };
        let (Op::Eq, &[a, b]) = (store.op(equation), store.args(equation)) else { return };
        let (Op::Apply, Op::Apply) = (store.op(a), store.op(b)) else { return };
        let is_const =
            store.as_symbol(store.args(a)[0]).is_some_and(|symbol| store.symbol(symbol).role == Role::Const);
        let pairs = store.args(a).iter().zip(store.args(b)).map(|(&a, &b)| (a, b));
        let different: Vec<(TermId, TermId)> = pairs.filter(|(a, b)| a != b).collect();
        if let (true, &[(a, b)]) = (is_const, &different[..]) {
            let literal = self.structure.store.mk_ne(a, b);
            self.add(literal);
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
            op if args.is_empty() || matches!(op, Op::Lambda(_)) => term,
            Op::Add if self.is_place(term) => self.place(term),
            op => {
                let converted: Vec<TermId> = args.iter().map(|&arg| self.convert(arg)).collect();
                if converted == args { term } else { self.structure.store.mk(op, &converted) }
            }
        }
    }

    /// A freely chosen symbol becomes an element, or its value if there are few.
    fn symbol(&mut self, term: TermId, symbol: SymbolId) -> TermId {
        let info = self.structure.store.symbol(symbol).clone();
        if matches!(info.role, Role::State | Role::Const | Role::Bound) {
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

    /// The argument of an array read: an element that the state points at gets a name.
    fn argument(&mut self, term: TermId) -> TermId {
        let store = &*self.structure.store;
        let sort = store.sort_of(term);
        let is_index = matches!(store.sort(sort), Sort::Index { .. }) || store.sort(sort).is_integer();
        let is_state =
            store.free_symbols(term).iter().any(|&symbol| store.symbol(symbol).role == Role::State);
        if !is_index || !is_state || !store.is_closed(term) {
            return self.convert(term);
        }
        if *store.op(term) == Op::Add {
            return self.place(term);
        }
        let Some(element) = self.element(term) else { return self.convert(term) };
        let pointer = self.convert(term);
        let literal = self.structure.store.mk_eq(pointer, element);
        self.add(literal);
        element
    }

    /// Is it a place at a constant distance from one in the state, where places matter?
    fn is_place(&self, term: TermId) -> bool {
        let store = &*self.structure.store;
        let is_state = |&symbol: &SymbolId| store.symbol(symbol).role == Role::State;
        store.sort(store.sort_of(term)).is_integer()
            && self.vocabulary.has_places()
            && store.free_symbols(term).iter().any(is_state)
    }

    /// A sum gets a name: that there is a place in between can then be said without arithmetic.
    fn place(&mut self, term: TermId) -> TermId {
        let args = self.structure.store.args(term).to_vec();
        let converted: Vec<TermId> = args.iter().map(|&arg| self.convert(arg)).collect();
        let sum = self.structure.store.mk(Op::Add, &converted);
        let Some(element) = self.element(term) else { return sum };
        self.sums.push((element, sum));
        let literal = self.structure.store.mk_eq(sum, element);
        self.add(literal);
        element
    }

    pub(super) fn kind(&mut self, term: TermId) -> Option<Kind> {
        self.vocabulary.kinds.of(self.structure.store, term, &mut self.scope)
    }

    fn element(&mut self, term: TermId) -> Option<TermId> {
        let sort = domain_sort(self.structure.store, self.structure.store.sort_of(term));
        let value = self.structure.value(term)?;
        for named in self.vocabulary.consts(sort).to_vec() {
            if self.structure.value(named) == Some(value) {
                return Some(named);
            }
        }
        let kind = self.kind(term);
        if let Some(&known) = self.vars.get(&(sort, kind, value)) {
            return Some(known);
        }
        let count = self.counts.entry(sort).or_default();
        let symbol = self.vocabulary.var(self.structure.store, sort, *count);
        *count += 1;
        let var = self.structure.store.mk_symbol(symbol);
        self.vars.insert((sort, kind, value), var);
        for named in self.vocabulary.consts(sort).to_vec() {
            let literal = self.structure.store.mk_ne(var, named);
            self.add(literal);
        }
        Some(var)
    }
}

/// Replaces variables that stand for plain data by what they equal, or drops the literals about them.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_numbers_without_anything_at_them_are_counting() {
        let mut store = TermStore::new();
        let [first, last] = ["first", "last"].map(|name| {
            let symbol = store.declare(name, SortId::INT, Role::State);
            store.mk_symbol(symbol)
        });
        let [p, q] = ["p", "q"].map(|name| {
            let symbol = store.declare(name, SortId::INT, Role::Index);
            store.mk_symbol(symbol)
        });
        let array = store.function_sort(&[SortId::INT], SortId::BOOL);
        let array = store.declare("is_full", array, Role::State);
        let array = store.mk_symbol(array);
        let [from, between, to] = [(first, p), (p, q), (q, last)].map(|(a, b)| store.mk_lt(a, b));
        let (full, short) = (store.mk_apply(array, &[q]), store.mk_lt(p, last));
        for (literals, expected) in [
            (vec![from, between, to], true),
            (vec![from, between, to, full], false),
            (vec![from, short], false),
        ] {
            assert_eq!(Cube::of(&store, literals).is_counting(&store), expected);
        }
    }
}
