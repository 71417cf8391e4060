//! Random systems for the engine: the sets that the queries lead to, and the ways to force substitutions.

#![allow(dead_code)] // Each test file uses its own part.

use std::sync::Arc;

use tenet_abstraction::exact::{Valuation, Valuations};
use tenet_abstraction::set::Set;
use tenet_abstraction::{Clause, Clauses, Layout, Observation, Parts, Query};
use tenet_engine::reach::Image;
use tenet_solve::quantifier::Policy;
use tenet_solve::{Solver, Z3Solver};
use tenet_system::finite::program::Source;
use tenet_system::{Hint, HintTarget, System};
use tenet_term::{Role, Sort, Substitution, SymbolId, TermId, TermStore};

use crate::common::formulas::Choices;

/// For each rule some substitutions; each has one term for each index variable.
pub type Pi = Vec<Vec<Vec<TermId>>>;

/// Makes the solver of a query.
pub type Maker<'a> = &'a dyn Fn() -> Box<dyn Solver>;

fn query(system: &mut System, layout: &Layout, parts: &Parts, solver: Maker) -> Query {
    let policy = Policy { rounds: 2, ..Policy::default() };
    Query::new(&mut system.store, layout, parts, &policy, solver(), Arc::default())
}

/// The sets of the iteration, one after the other up to the limit, each image being that of the whole set before.
pub fn sets(system: &mut System, pi: &Pi, kind: Image) -> Vec<Valuations> {
    sets_with(system, pi, kind, &|| Box::new(Z3Solver::ground()))
}

pub fn sets_with(system: &mut System, pi: &Pi, kind: Image, solver: Maker) -> Vec<Valuations> {
    sets_if_small(system, pi, kind, solver).expect("only elimination is given up")
}

/// The same; `None` if an elimination is too large.
pub fn sets_if_small(system: &mut System, pi: &Pi, kind: Image, solver: Maker) -> Option<Vec<Valuations>> {
    let observation = Observation::of(system);
    let layout = Layout::new(observation.predicates.len());
    let empty = layout.space.empty();
    let mut set = empty.clone();
    for start in 0..system.starts.len() {
        let parts = observation.start(system, start);
        let mut query = query(system, &layout, &parts, solver);
        encode(&mut query, kind, system)?;
        set = image(&mut query, kind, system, (&empty, &[]), &set)?;
    }
    let mut queries: Vec<Query> = Vec::new();
    for (rule, tuples) in pi.iter().enumerate() {
        let substitutions: Vec<Substitution> =
            tuples.iter().map(|tuple| substitution(system, tuple)).collect();
        let parts = observation.rule(system, rule, &substitutions);
        let mut query = query(system, &layout, &parts, solver);
        encode(&mut query, kind, system)?;
        queries.push(query);
    }
    let mut sets = vec![valuations(&layout, &set)];
    let mut clauses = Clauses::default();
    loop {
        clauses.update(&layout, &set);
        let from = set.clone();
        for query in &mut queries {
            set = image(query, kind, system, (&from, clauses.list()), &set)?;
        }
        if set == from {
            return Some(sets);
        }
        sets.push(valuations(&layout, &set));
    }
}

/// `None` if the encoding is too large.
fn encode(query: &mut Query, kind: Image, system: &mut System) -> Option<()> {
    if kind != Image::Elimination {
        return Some(());
    }
    let why = query.encode(&mut system.store).err();
    let is_large = |why: &String| why.contains("too many integers") || why.contains("too large");
    assert!(why.iter().all(is_large), "random systems have nothing but equality and order: {why:?}");
    why.is_none().then_some(())
}

fn image(
    query: &mut Query,
    kind: Image,
    system: &mut System,
    (from, clauses): (&Set, &[Clause]),
    known: &Set,
) -> Option<Set> {
    let image = match kind {
        Image::Cubes => query.image(&mut system.store, from, clauses, known),
        Image::Recursion => query.image_by_recursion(&mut system.store, clauses, known),
        Image::Elimination => query.image_by_elimination(clauses, known),
    };
    let image = image.expect("never interrupted");
    (!query.is_given_up()).then_some(image)
}

fn valuations(layout: &Layout, set: &Set) -> Valuations {
    let bits = |valuation: Valuation| -> Vec<bool> {
        (0..layout.predicates()).map(|place| valuation >> place & 1 == 1).collect()
    };
    (0..1 << layout.predicates()).filter(|&valuation| layout.contains(set, &bits(valuation))).collect()
}

fn substitution(system: &System, tuple: &[TermId]) -> Substitution {
    let pairs = system.indices.iter().map(|index| index.symbol).zip(tuple.iter().copied());
    Substitution::from_pairs(&system.store, pairs)
}

/// Makes these the only substitutions that are used when only forced ones are.
pub fn force(system: &mut System, pi: &Pi) {
    let indices: Vec<SymbolId> = system.indices.iter().map(|index| index.symbol).collect();
    for (rule, tuples) in pi.iter().enumerate().filter(|_| !indices.is_empty()) {
        for tuple in tuples {
            let (target, terms) = (HintTarget::Indices(indices.clone()), tuple.clone());
            system.hints.push(Hint {
                source: Source::default(),
                force: true,
                rule: Some(rule),
                target,
                terms,
            });
        }
    }
}

/// Some substitutions for each rule, never none: of names of elements, and of all elements if they have names.
pub fn some_substitutions(system: &mut System, choices: &mut Choices) -> Pi {
    let indices: Vec<SymbolId> = system.indices.iter().map(|index| index.symbol).collect();
    let Some(&first) = indices.first() else { return vec![vec![Vec::new()]; system.rules.len()] };
    let node = system.store.symbol(first).sort;
    let fixed = system.consts.iter().copied().chain(system.state.iter().map(|var| var.symbol));
    let mut symbols: Vec<SymbolId> =
        fixed.filter(|&symbol| system.store.symbol(symbol).sort == node).collect();
    symbols.extend(&indices);
    let next =
        system.state.iter().map(|var| var.symbol).find(|&symbol| system.store.symbol(symbol).name == "next");
    let params: Vec<Vec<SymbolId>> = system.rules.iter().map(|rule| rule.params.clone()).collect();
    let elements = elements(&mut system.store, node);
    let mut all = Vec::new();
    for params in params {
        let mut names: Vec<TermId> =
            symbols.iter().chain(&params).map(|&symbol| system.store.mk_symbol(symbol)).collect();
        if let Some(next) = next {
            let next = system.store.mk_symbol(next);
            names.extend(names.clone().into_iter().map(|name| system.store.mk_apply(next, &[name])));
        }
        names.extend(&elements);
        let mut tuple = || -> Vec<TermId> { indices.iter().map(|_| choices.of(&names)).collect() };
        let mut tuples: Vec<Vec<TermId>> = (0..3).map(|_| tuple()).collect();
        tuples.dedup();
        all.push(tuples);
    }
    all
}

/// Every tuple of elements, for every rule.
pub fn all_elements(system: &mut System) -> Pi {
    let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
    for index in system.indices.clone() {
        let sort = system.store.symbol(index.symbol).sort;
        let elements = elements(&mut system.store, sort);
        let longer =
            |tuple: &Vec<TermId>| elements.iter().map(|&e| [&tuple[..], &[e]].concat()).collect::<Vec<_>>();
        tuples = tuples.iter().flat_map(longer).collect();
    }
    vec![tuples; system.rules.len()]
}

/// The values of a finite sort, none for an index sort.
fn elements(store: &mut TermStore, sort: tenet_term::SortId) -> Vec<TermId> {
    match store.sort(sort).clone() {
        Sort::Enum { variants, .. } => {
            (0..variants.len() as u32).map(|position| store.mk_enum(sort, position)).collect()
        }
        Sort::Range { .. } => [0, 1].map(|number| store.mk_int(number)).to_vec(),
        _ => Vec::new(),
    }
}

/// Does a formula speak of nothing but the state and constants?
pub fn is_about_state(system: &System, formula: TermId) -> bool {
    system
        .store
        .free_symbols(formula)
        .iter()
        .all(|&symbol| matches!(system.store.symbol(symbol).role, Role::State | Role::Const))
}
