//! What a small check costs: `cargo bench -p tenet-solve`.
//!
//! The questions are like those of an abstraction: a few facts about arrays over an index sort with values of an
//! enumeration, and integers, asserted in a scope or assumed as literals.

use std::time::{Duration, Instant};

use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_term::{Role, SortId, TermId, TermStore};

const CHECKS: u32 = 20_000;

struct Questions {
    store: TermStore,
    axioms: Vec<TermId>,
    predicates: Vec<TermId>,
}

fn questions() -> Questions {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let state = store.enum_sort("STATE", &["Invalid", "Shared", "Exclusive"]);
    let cache = store.function_sort(&[node], state);
    let cache = store.declare("cache", cache, Role::State);
    let position = store.function_sort(&[node], SortId::INT);
    let position = store.declare("position", position, Role::State);
    let (cache, position) = (store.mk_symbol(cache), store.mk_symbol(position));
    let (head, tail) =
        (store.declare("head", SortId::INT, Role::State), store.declare("tail", SortId::INT, Role::State));
    let (head, tail) = (store.mk_symbol(head), store.mk_symbol(tail));
    let nodes: Vec<TermId> = ["i", "j", "client"]
        .iter()
        .map(|name| {
            let symbol = store.declare(name, node, Role::Input);
            store.mk_symbol(symbol)
        })
        .collect();
    let mut predicates = vec![store.mk_eq(nodes[0], nodes[1]), store.mk_le(head, tail)];
    let mut axioms = Vec::new();
    for &place in &nodes {
        let (value, at) = (store.mk_apply(cache, &[place]), store.mk_apply(position, &[place]));
        for position in 0..3 {
            let literal = store.mk_enum(state, position);
            predicates.push(store.mk_eq(value, literal));
        }
        predicates.extend([store.mk_le(head, at), store.mk_lt(at, tail)]);
        let invalid = store.mk_enum(state, 0);
        let (is_invalid, queued) = (store.mk_eq(value, invalid), store.mk_le(head, at));
        axioms.push(store.mk_implies(queued, is_invalid));
    }
    Questions { store, axioms, predicates }
}

/// Some of the predicates, each with a sign.
fn choice(questions: &mut Questions, seed: u32) -> Vec<TermId> {
    let mut state = seed.wrapping_mul(2_654_435_761);
    let mut chosen = Vec::new();
    for index in 0..questions.predicates.len() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let predicate = questions.predicates[index];
        match state >> 29 {
            0 | 1 => chosen.push(predicate),
            2 | 3 => chosen.push(questions.store.mk_not(predicate)),
            _ => {}
        }
    }
    chosen
}

fn measure(name: &str, limits: Limits, ask: fn(&mut Z3Solver, &TermStore, &[TermId]) -> Answer) {
    let mut questions = questions();
    let choices: Vec<Vec<TermId>> = (0..CHECKS).map(|seed| choice(&mut questions, seed)).collect();
    let mut solver = Z3Solver::new();
    solver.set_limits(limits);
    for &axiom in &questions.axioms {
        solver.assert(&questions.store, axiom);
    }
    let start = Instant::now();
    let mut possible = 0;
    for choice in &choices {
        possible += u32::from(ask(&mut solver, &questions.store, choice) == Answer::Sat);
    }
    let each = start.elapsed() / CHECKS;
    println!("{name}: {} µs per check ({possible} of {CHECKS} satisfiable)", each.as_nanos() as f64 / 1000.0);
}

fn in_scope(solver: &mut Z3Solver, store: &TermStore, facts: &[TermId]) -> Answer {
    solver.push();
    for &fact in facts {
        solver.assert(store, fact);
    }
    let answer = solver.check(store, &[]);
    solver.pop();
    answer
}

fn assumed(solver: &mut Z3Solver, store: &TermStore, facts: &[TermId]) -> Answer {
    solver.check(store, facts)
}

fn main() {
    let timeout = Limits { timeout: Some(Duration::from_secs(10)), ..Limits::default() };
    measure("asserted in a scope", Limits::default(), in_scope);
    measure("asserted in a scope, with a time limit", timeout.clone(), in_scope);
    measure("assumed", Limits::default(), assumed);
    measure("assumed, with a time limit", timeout, assumed);
}
