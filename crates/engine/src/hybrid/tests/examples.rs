//! The examples of HL-A3 and HL-A5.

use super::super::Options;
use super::super::lazy::Lazy;
use super::super::model::{Model, Parts};
use super::super::rings::is_possible;
use super::super::search::Search;
use super::super::shape::Shape;
use super::super::view::View;
use super::Design;
use super::{hybrid, work};
use tenet_abstraction::correlation::{by_clauses, by_diagrams, by_models};
use tenet_abstraction::set::{Set, Space};
use tenet_solve::Z3Solver;
use tenet_system::run::replay_violation;
use tenet_term::{Literal, TermId};

/// Example (a): four predicates over x, y, z, w, and the next value of x is the negation of z.
struct Clusters {
    design: Design,
    x: TermId,
    y: TermId,
    predicates: Vec<TermId>,
}

fn clusters() -> Clusters {
    let mut design = Design::new();
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|name| design.register(name, 1, None));
    let not_z = design.not(z);
    design.next(x, not_z);
    for (register, name) in [(y, "in_y"), (z, "in_z"), (w, "in_w")] {
        let input = design.input(name, 1);
        design.next(register, input);
    }
    let predicates =
        vec![design.or(&[x, y]), design.and(&[x, y]), design.or(&[x, y, z]), design.and(&[x, y, w])];
    design.property(TermId::TRUE);
    Clusters { design, x, y, predicates }
}

fn model(search: &mut Search<'_>, predicates: &[TermId], with_invariants: bool) -> (Model, Shape) {
    let store = &mut search.system.store;
    let shape = Shape::new(store, &search.concrete, predicates, &[], &Options::default());
    let view = View::new(store, &shape.kept, predicates);
    let definitions: &[TermId] = if with_invariants { &shape.definitions } else { &[] };
    let parts =
        Parts { concrete: &search.concrete, view, facts: &[], definitions, pairs: None, few_inputs: 24 };
    (Model::new(store, parts), shape)
}

fn literal(atom: TermId, positive: bool) -> Literal {
    Literal { atom, positive }
}

/// Does every state in the set satisfy the literal?
fn forces(model: &Model, set: &Set, then: Literal) -> bool {
    set.intersect(model.consistent()).implies(&model.cube(&[then]))
}

#[test]
fn hl_a3_example_a_ties_predicates_to_kept_variables() {
    let Clusters { mut design, x, y, predicates } = clusters();
    let (b3, b4) = (predicates[2], predicates[3]);
    design.search(&Options::default(), |search| {
        let (with, shape) = model(search, &predicates, true);
        let names: Vec<&str> =
            shape.kept.iter().map(|&register| search.system.store.symbol(register).name.as_str()).collect();
        assert_eq!(names, ["x", "y"]);
        let members: Vec<&[usize]> = shape.clusters.iter().map(|cluster| &cluster.members[..]).collect();
        assert_eq!(members, [&[0, 1][..], &[2], &[3]]);
        assert_eq!(with.view.atoms, [x, y, b3, b4]);
        assert_eq!(shape.definitions, [b3, b4]);
        let (without, _) = model(search, &predicates, false);
        for (model, is_forced) in [(with, true), (without, false)] {
            let not_b3 = model.cube(&[literal(b3, false)]).intersect(model.consistent());
            let not_x = model.cube(&[literal(x, false)]).intersect(model.consistent());
            assert_eq!(forces(&model, &not_b3, literal(x, false)), is_forced);
            assert_eq!(forces(&model, &not_b3, literal(y, false)), is_forced);
            assert_eq!(forces(&model, &not_x, literal(b4, false)), is_forced);
            assert_eq!(forces(&model, &model.image(&not_b3), literal(x, true)), is_forced);
        }
    });
}

#[test]
fn hl_a3_the_consistent_valuations_of_two_predicates() {
    let Clusters { mut design, predicates, .. } = clusters();
    let store = &mut design.system.store;
    let pair = &predicates[2..];
    let diagrams = by_diagrams(store, pair).expect("everything is finite");
    let clauses = by_clauses(store, &mut Z3Solver::new(), pair).expect("two predicates are few");
    let models = by_models(store, &mut Z3Solver::new(), pair).expect("there are four valuations at most");
    for found in [diagrams, clauses, models] {
        // Of (B3, B4), only 01 is missing.
        let space = Space::new(2);
        let excluded = found
            .iter()
            .map(|clause| space.cube(&clause.iter().map(|&(p, value)| (p, !value)).collect::<Vec<_>>()));
        let excluded = excluded.fold(space.empty(), |all, cube| all.union(&cube));
        assert_eq!(excluded, space.cube(&[(0, false), (1, true)]));
    }
}

/// Example (b), a design that has the counterexample of the published figure.
struct Figure {
    design: Design,
    registers: Vec<TermId>,
}

fn figure() -> Figure {
    let mut design = Design::new();
    let first = [1, 0, 1, 0, 0];
    let registers: Vec<TermId> =
        (0..5).map(|n| design.register(&format!("b{}", n + 1), 1, Some(first[n]))).collect();
    let [in1, in2, in4] = ["in1", "in2", "in4"].map(|name| design.input(name, 1));
    let [b1, b2, b3, b4, b5] = registers[..] else { unreachable!("five registers") };
    let not_b3 = design.not(b3);
    let set = design.and(&[not_b3, in1]);
    let next = design.ite(b1, TermId::FALSE, set);
    design.next(b1, next);
    design.next(b2, in2);
    let next = design.not(b4);
    design.next(b3, next);
    design.next(b4, in4);
    design.next(b5, TermId::TRUE);
    let both = design.and(&[b1, b2]);
    let property = design.not(both);
    design.property(property);
    [b3, b4, b5].into_iter().for_each(|condition| design.branch(condition));
    Figure { design, registers }
}

/// Clusters off: the figure is about predicates.
fn predicates_alone() -> Options {
    Options { clusters: false, ..Options::default() }
}

#[test]
fn hl_a5_figure_two() {
    let Figure { mut design, registers } = figure();
    let [b1, b2, b3, b4, b5] = registers[..] else { unreachable!("five registers") };
    design.search(&predicates_alone(), |search| {
        assert_eq!(search.predicates, [b1, b2]);
        let cube = |one, two| vec![literal(b1, one), literal(b2, two)];
        let counterexample = vec![cube(true, false), cube(false, true), cube(true, true)];
        let before = search.build().expect("never cancelled");
        assert!(is_possible(&search.system.store, &before, &counterexample));
        assert!(!search.is_real(&counterexample).expect("the solver knows"));
        // The property does not depend on b5, so the engine would not even try it.
        assert_eq!(search.open_candidates(), [b3, b4]);
        search.candidates.insert(b5, "by hand".to_string());
        let candidates = search.open_candidates();
        let mut lazy = Lazy {
            store: &mut search.system.store,
            concrete: &mut search.concrete,
            questions: &mut search.questions,
            candidates: &candidates,
            extended: Vec::new(),
        };
        let found = lazy.invalidate(&counterexample).expect("the candidates suffice");
        let extended = [
            vec![literal(b3, true), literal(b4, false), literal(b5, false)],
            vec![literal(b3, true), literal(b5, true)],
        ];
        assert_eq!(lazy.extended, extended);
        assert_eq!(found.chosen, [b3, b4]);
        search.refine(&counterexample).expect("it is refined");
        assert_eq!(search.predicates, [b1, b2, b3, b4]);
        let after = search.build().expect("never cancelled");
        assert!(!is_possible(&search.system.store, &after, &counterexample));
    });
}

#[test]
fn the_figure_is_refined_and_then_violated_one_step_later() {
    for options in [predicates_alone(), Options::default()] {
        let Figure { mut design, .. } = figure();
        let outcome = hybrid(&mut design.system, &options);
        let violation = outcome.run().expect("there is a run");
        let states = replay_violation(&mut design.system, violation).expect("it happens");
        assert_eq!(states.len(), 4);
        let work = &work(&outcome)[0];
        assert_eq!(work.rebuilds, work.iterations);
        let first = work.refinements.first().map(|refinement| refinement.length);
        // The trace of the figure goes first; with kept registers there is no such trace to begin with.
        assert!(options.clusters || first == Some(3), "{work:?}");
    }
}

#[test]
fn hl_a11_the_figure_needs_no_model_while_it_is_refined() {
    let Figure { mut design, .. } = figure();
    let outcome = hybrid(&mut design.system, &predicates_alone());
    assert_eq!(work(&outcome)[0].rebuilds_in_refinement, 0);
    let Figure { mut design, .. } = figure();
    let options = Options { compare: true, ..predicates_alone() };
    let outcome = hybrid(&mut design.system, &options);
    let first = &work(&outcome)[0].refinements[0];
    assert_eq!((first.added, first.one_by_one), (2, Some(2)));
    assert!(work(&outcome)[0].rebuilds_in_refinement >= 2);
}
