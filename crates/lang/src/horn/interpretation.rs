//! From an invariant of the system to an interpretation of all the relations of the file.
//!
//! A relation that is a control location holds where the invariant allows control to be there. One that was resolved away is
//! defined by its clauses, and so holds where it has to. One that went into products holds where, in addition, its product does,
//! for every value of the other part (see `calls`). So the changes to the clauses are undone from the last to the first: an
//! interpretation of the clauses after a change gives one of those before it. Definitions use earlier ones, so a chain of
//! relations gives a chain of definitions and not one exponential formula.

use super::Horn;
use super::clauses::{Atom, Clause};
use super::equations;
use super::inline::{Change, Fate};
use super::{print, sorts};
use std::collections::{BTreeMap, BTreeSet};
use tenet_term::{Role, SortId, Substitution, SymbolId, TermId, TermStore};

/// The definition of a relation, or of an auxiliary symbol.
#[derive(Clone, Debug)]
pub struct Definition {
    /// A function, or a truth value if there are no parameters.
    pub symbol: SymbolId,
    /// Its parameters.
    pub params: Vec<SymbolId>,
    /// Over the parameters and earlier definitions.
    pub body: TermId,
}

impl Definition {
    /// The definition as a `define-fun`.
    pub fn text(&self, store: &TermStore) -> String {
        let name = print::name(&store.symbol(self.symbol).name);
        let params = print::variables(store, &self.params);
        format!("(define-fun {name} {params} Bool\n  {})", print::term(store, self.body))
    }
}

/// The definitions of all the relations of the file, each after those that it uses. The invariant is a formula over the state of
/// the system, in its store, perhaps extended.
pub fn interpretation(store: &mut TermStore, horn: &Horn, invariant: TermId) -> Vec<Definition> {
    let names = [prefix(horn, "x"), prefix(horn, "y")];
    let mut maker =
        Maker { store, horn, names, current: BTreeMap::new(), left: Vec::new(), done: Vec::new() };
    maker.left = (0..horn.places.len()).map(|place| maker.count(place)).collect();
    for (position, location) in horn.lowered.locations.iter().enumerate() {
        maker.location(location.place, position, invariant);
    }
    for change in horn.history.iter().rev() {
        match change {
            Change::Gone(place, fate) => maker.gone(*place, fate),
            Change::Called { context, products } => maker.called(*context, products),
        }
    }
    maker.done
}

struct Maker<'a> {
    store: &'a mut TermStore,
    horn: &'a Horn,
    /// The prefixes of the names of parameters and bound variables.
    names: [String; 2],
    /// The current symbol of each place.
    current: BTreeMap<usize, SymbolId>,
    /// The number of definitions of each place still to come.
    left: Vec<usize>,
    done: Vec<Definition>,
}

impl Maker<'_> {
    /// Fresh parameters for the arguments of a place.
    fn params(&mut self, place: usize) -> Vec<SymbolId> {
        let sorts = self.horn.places[place].sorts.clone();
        let mut params = Vec::with_capacity(sorts.len());
        for (at, &sort) in sorts.iter().enumerate() {
            params.push(self.store.declare(&format!("{}{at}", self.names[0]), sort, Role::Skolem));
        }
        params
    }

    /// A bound variable, whose name is no relation's.
    fn bound(&mut self, position: usize, sort: SortId) -> SymbolId {
        self.store.declare(&format!("{}{position}", self.names[1]), sort, Role::Bound)
    }

    fn terms(&mut self, symbols: &[SymbolId]) -> Vec<TermId> {
        symbols.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect()
    }

    /// The number of definitions of a place: one, and one more for each time that products were made with it.
    fn count(&self, place: usize) -> usize {
        let is_callee = |change: &&Change| match change {
            Change::Called { products, .. } => products.iter().any(|(callee, _)| *callee == place),
            Change::Gone(..) => false,
        };
        1 + self.horn.history.iter().filter(is_callee).count()
    }

    /// Adds a definition of a place. The last one of a relation has the relation's name.
    fn define(&mut self, place: usize, params: Vec<SymbolId>, body: TermId) -> SymbolId {
        self.left[place] -= 1;
        let symbol = match self.horn.relations.get(place) {
            Some(relation) if self.left[place] == 0 => relation.symbol,
            _ => {
                let sort = self.relation_sort(place);
                let name = format!("{}!{}", self.horn.places[place].name, self.left[place]);
                self.store.fresh(&name, sort, Role::Const)
            }
        };
        self.done.push(Definition { symbol, params, body });
        symbol
    }

    fn relation_sort(&mut self, place: usize) -> SortId {
        let sorts = &self.horn.places[place].sorts;
        if sorts.is_empty() { SortId::BOOL } else { self.store.function_sort(sorts, SortId::BOOL) }
    }

    fn apply(&mut self, symbol: SymbolId, args: &[TermId]) -> TermId {
        let function = self.store.mk_symbol(symbol);
        if args.is_empty() { function } else { self.store.mk_apply(function, args) }
    }

    /// The invariant at this location; the variables of other locations are projected out.
    fn location(&mut self, place: usize, position: usize, invariant: TermId) {
        let params = self.params(place);
        let location = &self.horn.lowered.locations[position];
        let mut here = Substitution::from_pairs(self.store, [(self.horn.lowered.location, location.value)]);
        for (&param, var) in params.iter().zip(&location.vars) {
            if let Some(var) = *var {
                let term = self.store.mk_symbol(param);
                here.insert(self.store, var, term);
            }
        }
        let body = self.store.substitute(invariant, &here);
        let body = self.project(body, |role| role == Role::State);
        let symbol = self.define(place, params, body);
        self.current.insert(place, symbol);
    }

    /// Existentially quantifies the symbols of a role.
    fn project(&mut self, formula: TermId, of: impl Fn(Role) -> bool) -> TermId {
        let free = self.store.free_symbols(formula);
        let free = free.into_iter().filter(|&symbol| of(self.store.symbol(symbol).role));
        let free: Vec<SymbolId> = free.collect();
        let (mut bound, mut renaming) = (Vec::new(), Substitution::new());
        for symbol in free {
            let sort = self.store.symbol(symbol).sort;
            let variable = self.bound(bound.len(), sort);
            bound.push(variable);
            let term = self.store.mk_symbol(variable);
            renaming.insert(self.store, symbol, term);
        }
        let body = self.store.substitute(formula, &renaming);
        if bound.is_empty() { body } else { self.store.mk_exists(&bound, body) }
    }

    fn gone(&mut self, place: usize, fate: &Fate) {
        let params = self.params(place);
        let body = match fate {
            Fate::Underivable => TermId::FALSE,
            Fate::Irrelevant => TermId::TRUE,
            Fate::Defined(clauses) => {
                let cases: Vec<TermId> = clauses.iter().map(|clause| self.case(clause, &params)).collect();
                self.store.mk_or(cases)
            }
        };
        let symbol = self.define(place, params, body);
        self.current.insert(place, symbol);
    }

    /// That a clause derives the head with these arguments.
    fn case(&mut self, clause: &Clause, params: &[SymbolId]) -> TermId {
        let mut parts = vec![clause.constraint];
        for atom in &clause.body {
            parts.push(self.atom(atom));
        }
        let values = self.terms(params);
        let head = clause.head.as_ref().expect("invariant: a clause that defines something has a head");
        for (&arg, value) in head.args.iter().zip(values) {
            parts.push(self.store.mk_eq(value, arg));
        }
        let whole = self.store.mk_and(parts);
        let variables: BTreeSet<SymbolId> = clause.variables(self.store).into_iter().collect();
        let is_variable = |symbol: SymbolId| variables.contains(&symbol);
        let solved = equations::solve(self.store, whole, is_variable, |_, _| {});
        self.project(solved, |role| role == Role::Input)
    }

    fn atom(&mut self, atom: &Atom) -> TermId {
        let symbol = self.current.get(&atom.relation).copied();
        let symbol = symbol.expect("invariant: what went later is defined earlier");
        self.apply(symbol, &atom.args)
    }

    /// A callee holds if its product does, for every value of the context.
    fn called(&mut self, context: usize, products: &[(usize, usize)]) {
        let mut new = Vec::new();
        for &(callee, place) in products {
            let params = self.params(callee);
            let args = self.terms(&params);
            let mut bound = Vec::new();
            for &sort in &self.horn.places[context].sorts {
                bound.push(self.bound(bound.len(), sort));
            }
            let outer = self.terms(&bound);
            let both: Vec<TermId> = outer.iter().chain(&args).copied().collect();
            let before = self.atom(&Atom { relation: callee, args });
            let premise = self.atom(&Atom { relation: context, args: outer });
            let together = self.atom(&Atom { relation: place, args: both });
            let implied = self.store.mk_implies(premise, together);
            let always = if bound.is_empty() { implied } else { self.store.mk_forall(&bound, implied) };
            let body = self.store.mk_and([before, always]);
            new.push((callee, self.define(callee, params, body)));
        }
        // All at once: they refer to the previous meanings.
        self.current.extend(new);
    }
}

/// The letter followed by as many `!` as it takes for no relation, nor an auxiliary name (`p!1` for `p`), to have this
/// prefix: a parameter of such a name would hide it.
fn prefix(horn: &Horn, letter: &str) -> String {
    let mut prefix = format!("{letter}!");
    while horn.places.iter().any(|place| format!("{}!", place.name).starts_with(&prefix)) {
        prefix.push('!');
    }
    prefix
}

/// The answer `sat` with its definitions, as CHC-COMP wants it.
pub fn text(store: &TermStore, definitions: &[Definition]) -> String {
    let all: Vec<String> = definitions.iter().map(|definition| definition.text(store)).collect();
    format!("sat\n(\n{}\n)\n", all.join("\n"))
}

/// The declaration of a relation, for use before clauses.
pub fn declaration(horn: &Horn, relation: usize) -> String {
    let relation = &horn.relations[relation];
    let sorts = relation.sorts.iter().map(|&sort| sorts::name(&horn.lowered.system.store, sort));
    format!("(declare-fun {} ({}) Bool)", print::name(&relation.name), sorts.collect::<Vec<_>>().join(" "))
}
