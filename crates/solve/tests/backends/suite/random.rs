//! Random terms of all sorts and operators: what a solver says of them against what the evaluator says.
//!
//! The generator of the layer below is used, whose terms have capture and shadowing. A model has one to three nodes; to
//! the solver that is said by an axiom.

use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tenet_solve::{Answer, Limits, Solver};
use tenet_term::{FunctionTable, Model, Op, Role, Sort, SortId, Substitution, TermId, TermStore, Value};

use crate::common::{Choices, How, World, choices};

const DEPTH: usize = 4;

type New<'a> = &'a mut dyn FnMut() -> Box<dyn Solver>;

/// A formula in which every symbol is replaced by its value in a random model is decided as the evaluator decides it.
/// Every other formula says that a term has its value, which tests operators deeper down than connectives would let it.
pub fn ground(cases: u32, new: New) {
    let mut decided = 0;
    run(cases, |bytes| {
        let (mut world, choices) = (World::new(), &mut Choices::new(bytes));
        let model = world.model(choices);
        let sort = if choices.below(2) == 0 { SortId::BOOL } else { world.sorts()[6 + choices.below(6)] };
        let mut formula = world.term(How::Raw, sort, DEPTH, choices);
        let Ok(value) = model.evaluate(&world.store, formula) else { return Ok(()) };
        let expected = value.as_bool().unwrap_or(true);
        if sort != SortId::BOOL {
            let literal = world.store.mk_value(sort, &value).expect("a literal for every value");
            formula = world.store.raw(Op::Eq, &[formula, literal]);
        }
        let ground = insert_values(&mut world, &model, formula);
        let solver = &mut *limited(new());
        if world.store.has_quantifier(ground) {
            let size = model.size(world.node).expect("a size");
            let closed = domain_is(&mut world, size);
            solver.assert(&world.store, closed);
        }
        let negated = world.store.raw(Op::Not, &[ground]);
        for (question, possible) in [(ground, expected), (negated, !expected)] {
            if let Some(answer) = solver.check(&world.store, &[question]).is_real() {
                prop_assert_eq!(answer, possible, "{}", world.store.print(question));
                decided += 1;
            }
        }
        Ok(())
    });
    assert!(decided > cases / 2, "only {decided} of {} questions were answered", 2 * cases);
}

/// A model that the solver reports is one, and what it reports about terms is their value in it.
pub fn models(cases: u32, new: New) {
    let mut satisfied = 0;
    run(cases, |bytes| {
        let (mut world, choices) = (World::new(), &mut Choices::new(bytes));
        let formula = world.term(How::Raw, SortId::BOOL, DEPTH, choices);
        let sorts = world.sorts();
        let sort = sorts[choices.below(12)];
        let asked = world.term(How::Raw, sort, 2, choices);
        let solver = &mut *limited(new());
        for fact in facts(&mut world, formula) {
            solver.assert(&world.store, fact);
        }
        solver.assert(&world.store, formula);
        if solver.check(&world.store, &[]) != Answer::Sat {
            return Ok(());
        }
        let Some((model, value)) = reported_model(&mut world, solver, asked) else { return Ok(()) };
        if let Ok(holds) = model.holds(&world.store, formula) {
            prop_assert!(holds, "{}", world.store.print(formula));
            satisfied += 1;
        }
        if let (Some(value), Ok(expected)) = (value, model.evaluate(&world.store, asked)) {
            prop_assert_eq!(value, expected, "{}", world.store.print(asked));
        }
        Ok(())
    });
    assert!(satisfied > cases / 8, "only {satisfied} of {cases} formulas had a model");
}

fn run(cases: u32, mut test: impl FnMut(&[u8]) -> Result<(), TestCaseError>) {
    let test = std::cell::RefCell::new(&mut test);
    let mut runner = TestRunner::new(tenet_chance::cases(cases));
    if let Err(failure) = runner.run(&choices(), |bytes| (test.borrow_mut())(&bytes)) {
        panic!("{failure}");
    }
}

fn limited(mut solver: Box<dyn Solver>) -> Box<dyn Solver> {
    solver.set_limits(Limits { timeout: Some(Duration::from_secs(1)), ..Limits::default() });
    solver
}

fn insert_values(world: &mut World, model: &Model, formula: TermId) -> TermId {
    let store = &mut world.store;
    let mut pairs = Vec::new();
    for symbol in store.free_symbols(formula) {
        let value = model.get(symbol).expect("a value for every symbol");
        let value = store.mk_value(store.symbol(symbol).sort, value).expect("a literal for every value");
        pairs.push((symbol, value));
    }
    let values = Substitution::from_pairs(store, pairs);
    store.substitute_raw(formula, &values)
}

/// There are exactly this many nodes.
fn domain_is(world: &mut World, size: u32) -> TermId {
    let (store, node) = (&mut world.store, world.node);
    let any = store.declare("any", node, Role::Bound);
    let any_term = store.mk_symbol(any);
    let equal: Vec<TermId> = (0..size)
        .map(|number| {
            let literal = store.mk_index(node, number);
            store.mk_eq(any_term, literal)
        })
        .collect();
    let one_of = store.mk_or(equal);
    store.mk_forall(&[any], one_of)
}

/// There are three nodes, and symbols of ranges are in them, as a model of the evaluator has it.
fn facts(world: &mut World, formula: TermId) -> Vec<TermId> {
    let mut facts = Vec::new();
    for symbol in world.symbols_of(world.small) {
        let store = &mut world.store;
        let (symbol, zero, two) = (store.mk_symbol(symbol), store.mk_int(0), store.mk_int(2));
        facts.extend([store.mk_le(zero, symbol), store.mk_le(symbol, two)]);
    }
    if world.store.has_quantifier(formula) {
        facts.push(domain_is(world, 3));
        return facts;
    }
    // Not every solver finds models of quantified facts, so where it suffices this is said of each symbol.
    for term in described(world) {
        let (store, node) = (&mut world.store, world.node);
        let element = if store.sort_of(term) == world.either { store.mk_out(node, term) } else { term };
        if store.sort_of(element) == node {
            let equal: Vec<TermId> = (0..3)
                .map(|number| {
                    let literal = store.mk_index(node, number);
                    store.mk_eq(element, literal)
                })
                .collect();
            facts.push(store.mk_or(equal));
        }
    }
    facts
}

/// Terms whose values make up a model with three nodes: symbols, and functions at every place of their domain.
fn described(world: &mut World) -> Vec<TermId> {
    let model = three_nodes(world);
    let mut terms = Vec::new();
    for symbol in world.symbols.clone() {
        let term = world.store.mk_symbol(symbol);
        match world.store.sort(world.store.symbol(symbol).sort).clone() {
            Sort::Function { args, .. } => {
                for place in places(&world.store, &model, &args) {
                    let literals: Vec<TermId> = place
                        .iter()
                        .zip(&args)
                        .map(|(value, &sort)| world.store.mk_value(sort, value).expect("a literal"))
                        .collect();
                    terms.push(world.store.mk_apply(term, &literals));
                }
            }
            _ => terms.push(term),
        }
    }
    terms
}

fn three_nodes(world: &World) -> Model {
    let mut model = Model::new();
    model.set_size(world.node, 3);
    model
}

/// Everything the solver says about the symbols, and about one more term; nothing if one value has no counterpart in
/// [`Value`](tenet_term::Value).
fn reported_model(
    world: &mut World,
    solver: &mut dyn Solver,
    asked: TermId,
) -> Option<(Model, Option<Value>)> {
    let mut terms = described(world);
    terms.push(asked);
    let mut values = solver.values(&world.store, &terms);
    let asked = values.pop().expect("a value for each term");
    let mut values = values.into_iter();
    let mut model = three_nodes(world);
    for &symbol in &world.symbols {
        let store = &world.store;
        let value = match store.sort(store.symbol(symbol).sort) {
            Sort::Function { args, result } => {
                let mut table = FunctionTable::new(model.default_value(store, *result));
                for place in places(store, &model, args) {
                    table.set(place, values.next()??);
                }
                table.into()
            }
            _ => values.next()??,
        };
        model.set(symbol, value);
    }
    Some((model, asked))
}

fn places(store: &TermStore, model: &Model, sorts: &[SortId]) -> Vec<Vec<Value>> {
    let mut places = vec![Vec::new()];
    for &sort in sorts {
        let values = model.elements(store, sort).expect("a finite domain");
        places = places
            .iter()
            .flat_map(|place| {
                values.iter().map(move |value| [place.as_slice(), std::slice::from_ref(value)].concat())
            })
            .collect();
    }
    places
}
