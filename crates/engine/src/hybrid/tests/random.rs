//! Random circuits: the abstraction against brute force.

use super::super::exact::pairs;
use super::super::model::Model;
use super::super::rings::{is_possible, path, reach};
use super::super::search::Search;
use super::super::{Images, Means, Options};
use super::{Design, World, solvers};
use super::{hybrid, work};
use std::collections::BTreeSet;
use tenet_abstraction::correlation::{Method, by_clauses, by_diagrams, by_models};
use tenet_abstraction::exact::Exact;
use tenet_abstraction::{Clause, set::Space};
use tenet_solve::Z3Solver;
use tenet_system::run::replay_violation;
use tenet_system::{Circuit, Predicate};
use tenet_term::{BvOp, TermId};

pub(crate) struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// What random formulas are made of.
pub(crate) struct Leaves {
    truths: Vec<TermId>,
    words: Vec<TermId>,
}

fn word(design: &mut Design, chance: &mut Chance, leaves: &Leaves, depth: usize) -> TermId {
    if depth == 0 || chance.below(3) == 0 {
        let leaf = chance.below(leaves.words.len() + 1);
        let constant = chance.below(4) as u32;
        return leaves.words.get(leaf).copied().unwrap_or_else(|| design.system.store.mk_bitvec(2, constant));
    }
    let a = word(design, chance, leaves, depth - 1);
    let b = word(design, chance, leaves, depth - 1);
    match chance.below(4) {
        0 => design.system.store.mk_bv(BvOp::Add, &[a, b]),
        1 => design.system.store.mk_bv(BvOp::Sub, &[a, b]),
        2 => design.system.store.mk_bv(BvOp::Xor, &[a, b]),
        _ => {
            let condition = truth(design, chance, leaves, depth - 1);
            design.ite(condition, a, b)
        }
    }
}

fn truth(design: &mut Design, chance: &mut Chance, leaves: &Leaves, depth: usize) -> TermId {
    if depth == 0 || chance.below(5) == 0 {
        return leaves.truths[chance.below(leaves.truths.len())];
    }
    match chance.below(7) {
        0 => {
            let a = truth(design, chance, leaves, depth - 1);
            design.not(a)
        }
        1 | 2 => {
            let args = [truth(design, chance, leaves, depth - 1), truth(design, chance, leaves, depth - 1)];
            design.and(&args)
        }
        3 => {
            let args = [truth(design, chance, leaves, depth - 1), truth(design, chance, leaves, depth - 1)];
            design.or(&args)
        }
        4 => {
            let word = word(design, chance, leaves, depth - 1);
            let value = chance.below(4) as u32;
            design.eq(word, value)
        }
        5 => {
            let args = [word(design, chance, leaves, depth - 1), word(design, chance, leaves, depth - 1)];
            design.system.store.mk_bv(BvOp::Ult, &args)
        }
        _ => {
            let c = truth(design, chance, leaves, depth - 1);
            let (a, b) = (truth(design, chance, leaves, depth - 1), truth(design, chance, leaves, depth - 1));
            design.ite(c, a, b)
        }
    }
}

/// A random circuit with three truth values, a word of two bits, two inputs and one property; and what its formulas may
/// speak of without inputs.
pub(crate) fn random(seed: u64) -> (Design, Leaves, Chance) {
    let mut chance = Chance(seed);
    let mut design = Design::new();
    let first = |chance: &mut Chance, values: usize| match chance.below(4) {
        0 => None,
        _ => Some(chance.below(values) as u32),
    };
    let truths: Vec<TermId> = ["a", "b", "c"]
        .into_iter()
        .map(|name| {
            let value = first(&mut chance, 2);
            design.register(name, 1, value)
        })
        .collect();
    let value = first(&mut chance, 4);
    let words = vec![design.register("w", 2, value)];
    let (i, j) = (design.input("i", 1), design.input("j", 2));
    let state = Leaves { truths: truths.clone(), words: words.clone() };
    let mut all = Leaves { truths: truths.clone(), words: words.clone() };
    all.truths.push(i);
    all.words.push(j);
    for register in truths {
        let next = truth(&mut design, &mut chance, &all, 3);
        design.next(register, next);
    }
    let next = word(&mut design, &mut chance, &all, 3);
    design.next(words[0], next);
    if chance.below(3) == 0 {
        let assumption = truth(&mut design, &mut chance, &all, 2);
        design.assume(assumption);
    }
    for _ in 0..3 {
        let condition = truth(&mut design, &mut chance, &all, 2);
        design.branch(condition);
    }
    // A conjunction of two things is rare enough for some properties to hold.
    let parts = [truth(&mut design, &mut chance, &all, 2), truth(&mut design, &mut chance, &state, 1)];
    let word = words[0];
    let rare = design.eq(word, 3);
    let bad = design.and(&[parts[0], parts[1], rare]);
    let property = design.not(bad);
    design.property(property);
    (design, state, chance)
}

/// The four modes, with some of the other choices.
fn modes() -> Vec<Options> {
    let mut modes = Vec::new();
    for clusters in [true, false] {
        for branches in [true, false] {
            modes.push(Options { clusters, branches, ..Options::default() });
        }
    }
    modes.push(Options { few_inputs: 0, correlations: Method::Diagrams, ..Options::default() });
    modes.push(Options { threshold: 0.1, correlations: Method::Clauses, ..Options::default() });
    modes.push(Options { images: Images::Exact, ..Options::default() });
    modes
}

/// Every first state, step and bad state of the circuit has its image.
fn simulates(search: &mut Search<'_>, model: &Model, world: &World, seed: u64) {
    let atoms = model.view.atoms.clone();
    let cubes: Vec<_> = (0..world.states.len())
        .map(|state| model.cube(&world.valuation(search.system, state, &atoms)))
        .collect();
    for &state in &world.first {
        assert!(cubes[state].implies(model.first()), "seed {seed}: a first state is missing");
    }
    for &state in &world.bad {
        assert!(cubes[state].implies(model.bad()), "seed {seed}: a bad state is missing");
    }
    for &(from, to) in &world.steps {
        assert!(cubes[to].implies(&model.image(&cubes[from])), "seed {seed}: a step is missing");
        let before = model.before(&cubes[from], &cubes[to]);
        assert!(!before.is_empty(), "seed {seed}: a step is missing backwards");
    }
}

#[test]
fn hl_a1_hl_a6_hl_a7_hl_a8_the_model_simulates_the_circuit_and_refinement_makes_progress() {
    let mut means = BTreeSet::new();
    for seed in tenet_chance::seeds(0..40) {
        for options in modes() {
            let (mut design, _, _) = random(seed);
            let world = World::new(&mut design.system);
            let distance = world.distance();
            let concrete_bits = 5;
            design.search(&options, |search| {
                loop {
                    let model = search.build().expect("never cancelled");
                    simulates(search, &model, &world, seed);
                    if model.view.atoms.iter().all(|&atom| is_bit(search, atom)) {
                        assert!(model.bits() <= concrete_bits, "HL-A8, seed {seed}");
                    }
                    let reached = reach(&model, search.watch).expect("never cancelled");
                    if !reached.is_bad {
                        assert_eq!(distance, None, "seed {seed} {options:?}");
                        break;
                    }
                    let counterexample = path(&model, &reached.rings).expect("there is room");
                    assert!(is_possible(&search.system.store, &model, &counterexample));
                    // HL-A7: not longer than the shortest run, and real only if that is as long.
                    assert!(distance.is_none_or(|distance| counterexample.len() <= distance + 1));
                    if search.is_real(&counterexample).expect("the solver knows") {
                        assert_eq!(distance, Some(counterexample.len() - 1), "seed {seed}");
                        break;
                    }
                    search.refine(&counterexample).expect("it is refined");
                    let refinement = search.work.refinements.last().expect("one was added").clone();
                    let after = search.build().expect("never cancelled");
                    means.insert(format!("{:?}", refinement.means));
                    match refinement.means {
                        Means::Split => {
                            // The state that was taken apart does not go on any more.
                            let fact = search.facts.last().expect("one was added").clone();
                            let denied = |literals: &[tenet_term::Literal]| {
                                literals
                                    .iter()
                                    .copied()
                                    .map(super::super::observe::negated)
                                    .collect::<Vec<_>>()
                            };
                            let from = after.meaning(&search.system.store, &denied(&fact.now));
                            let to = after.meaning(&search.system.store, &denied(&fact.next));
                            let from = from.intersect(after.consistent());
                            let goes_on = match fact.next.is_empty() {
                                true => from.intersect(after.bad()),
                                false => after.image(&from).intersect(&to),
                            };
                            assert!(goes_on.is_empty(), "seed {seed}: the split excludes nothing");
                        }
                        _ => assert!(
                            !is_possible(&search.system.store, &after, &counterexample),
                            "seed {seed}: the counterexample is still there"
                        ),
                    }
                }
            });
        }
    }
    assert!(means.len() >= 2, "the circuits are too simple: {means:?}");
}

/// Is the atom a bit of a kept register?
fn is_bit(search: &Search<'_>, atom: TermId) -> bool {
    let kept = &search.shape.kept;
    search.system.store.free_symbols(atom).iter().all(|symbol| kept.contains(symbol))
}

#[test]
fn hl_a10_verdicts_are_those_of_brute_force() {
    let mut verdicts = [0, 0];
    let unabstracted = Options { images: Images::None, ..Options::default() };
    for seed in tenet_chance::seeds(100..160) {
        for options in modes().into_iter().chain([unabstracted.clone()]) {
            let (mut design, _, _) = random(seed);
            let distance = World::new(&mut design.system).distance();
            let outcome = hybrid(&mut design.system, &options);
            assert!(outcome.first_open().is_none(), "it ends");
            match outcome.run() {
                None => {
                    verdicts[0] += 1;
                    assert_eq!(distance, None, "seed {seed} {options:?}");
                    inductive(&mut design, outcome.lemmas(), seed);
                }
                Some(violation) => {
                    verdicts[1] += 1;
                    let states = replay_violation(&mut design.system, violation).expect("it happens");
                    assert_eq!(distance, Some(states.len() - 1), "seed {seed} {options:?}");
                }
            }
            let work = &work(&outcome)[0];
            assert_eq!(work.rebuilds, work.iterations);
            assert_eq!(work.rebuilds_in_refinement, 0);
        }
    }
    assert!(verdicts.iter().all(|&count| count > 50), "too few of one kind: {verdicts:?}");
}

/// The lemmas hold initially, are kept by every step, and exclude violations.
fn inductive(design: &mut Design, lemmas: &[tenet_system::Lemma], seed: u64) {
    let world = World::new(&mut design.system);
    let store = &design.system.store;
    let holds = |state: usize| {
        lemmas.iter().all(|lemma| world.states[state].holds(store, lemma.body).expect("it has a value"))
    };
    assert!(world.first.iter().all(|&state| holds(state)), "seed {seed}");
    assert!(world.steps.iter().all(|&(from, to)| !holds(from) || holds(to)), "seed {seed}");
    assert!(!world.bad.iter().any(|&state| holds(state)), "seed {seed}");
}

fn predicates(design: &mut Design, leaves: &Leaves, chance: &mut Chance, count: usize) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    while found.len() < count {
        let formula = truth(design, chance, leaves, 2);
        let atom = design.system.store.literal(formula).atom;
        if !atom.is_bool_literal() && !found.contains(&atom) {
            found.push(atom);
        }
    }
    found
}

#[test]
fn hl_a2_unlimited_implications_are_the_existential_abstraction() {
    for seed in tenet_chance::seeds(200..212) {
        let (mut design, leaves, mut chance) = random(seed);
        let count = 1 + chance.below(3);
        let atoms = predicates(&mut design, &leaves, &mut chance, count);
        let world = World::new(&mut design.system);
        let circuit = Circuit::of(&mut design.system).expect("a circuit");
        let mut concrete = super::super::concrete::Concrete::new(&mut design.system.store, &circuit, 0);
        let found = pairs(&mut design.system.store, &mut concrete, &atoms, solvers()).expect("it ends");
        let values = |state: usize| -> Vec<bool> {
            world
                .valuation(&design.system, state, &atoms)
                .into_iter()
                .map(|literal| literal.positive)
                .collect()
        };
        let all: Vec<Vec<bool>> = (0..world.states.len()).map(values).collect();
        let existential: BTreeSet<Vec<bool>> =
            world.steps.iter().map(|&(from, to)| [all[from].clone(), all[to].clone()].concat()).collect();
        let first: BTreeSet<Vec<bool>> = world.first.iter().map(|&state| all[state].clone()).collect();
        assert_eq!(found.steps.iter().cloned().collect::<BTreeSet<_>>(), existential, "seed {seed}");
        assert_eq!(found.first.iter().cloned().collect::<BTreeSet<_>>(), first, "seed {seed}");
        assert_eq!(implicit(&world, &all, count), existential, "seed {seed}");
    }
}

/// The conjunction of all implications from a cube to a clause that hold of every step, as a set of pairs.
fn implicit(world: &World, all: &[Vec<bool>], count: usize) -> BTreeSet<Vec<bool>> {
    // A number with three values for each predicate: absent, false, true.
    let literals = |mut number: usize| -> Vec<(usize, bool)> {
        let mut found = Vec::new();
        for predicate in 0..count {
            if !number.is_multiple_of(3) {
                found.push((predicate, number % 3 == 2));
            }
            number /= 3;
        }
        found
    };
    let cubes = 3usize.pow(count as u32);
    let in_cube = |values: &[bool], cube: &[(usize, bool)]| cube.iter().all(|&(p, value)| values[p] == value);
    let in_clause =
        |values: &[bool], clause: &[(usize, bool)]| clause.iter().any(|&(p, value)| values[p] == value);
    let mut pairs: BTreeSet<Vec<bool>> = BTreeSet::new();
    for number in 0..1usize << (2 * count) {
        pairs.insert((0..2 * count).map(|bit| number >> bit & 1 == 1).collect());
    }
    for cube in (0..cubes).map(literals) {
        for clause in (0..cubes).map(literals) {
            let holds =
                |&&(from, to): &&(usize, usize)| !in_cube(&all[from], &cube) || in_clause(&all[to], &clause);
            if world.steps.iter().all(|step| holds(&step)) {
                pairs.retain(|pair| !in_cube(&pair[..count], &cube) || in_clause(&pair[count..], &clause));
            }
        }
    }
    pairs
}

#[test]
fn hl_a4_correlations_agree() {
    for seed in tenet_chance::seeds(300..330) {
        let (mut design, leaves, mut chance) = random(seed);
        let count = 2 + chance.below(3);
        let atoms = predicates(&mut design, &leaves, &mut chance, count);
        let world = World::new(&mut design.system);
        let space = Space::new(count);
        let mut expected = space.empty();
        for state in 0..world.states.len() {
            let values = world.valuation(&design.system, state, &atoms);
            let values: Vec<bool> = values.into_iter().map(|literal| literal.positive).collect();
            expected = expected.union(&space.valuation(&values));
        }
        let set = |clauses: Vec<Clause>| {
            clauses.iter().fold(space.full(), |all, clause| {
                all.minus(&space.cube(&clause.iter().map(|&(p, value)| (p, !value)).collect::<Vec<_>>()))
            })
        };
        let store = &mut design.system.store;
        assert_eq!(set(by_diagrams(store, &atoms).expect("finite")), expected, "seed {seed}");
        assert_eq!(
            set(by_clauses(store, &mut Z3Solver::new(), &atoms).expect("few")),
            expected,
            "seed {seed}"
        );
        assert_eq!(
            set(by_models(store, &mut Z3Solver::new(), &atoms).expect("few")),
            expected,
            "seed {seed}"
        );
    }
}

#[test]
fn hl_a11_lazy_sets_and_sets_made_one_by_one() {
    let mut compared = 0;
    for seed in tenet_chance::seeds(400..430) {
        for clusters in [true, false] {
            let (mut design, _, _) = random(seed);
            let options = Options { clusters, compare: true, ..Options::default() };
            let outcome = hybrid(&mut design.system, &options);
            assert!(outcome.first_open().is_none(), "seed {seed}");
            let work = &work(&outcome)[0];
            // Only the comparison builds models in between.
            let naive: usize = work.refinements.iter().filter_map(|refinement| refinement.one_by_one).sum();
            assert!(work.rebuilds_in_refinement >= naive);
            assert_eq!(work.rebuilds - work.rebuilds_in_refinement, work.iterations);
            compared += work.refinements.iter().filter(|r| r.one_by_one.is_some() && r.added > 0).count();
        }
    }
    assert!(compared > 0, "the circuits are too simple");
}

#[test]
fn x_a2_exact_images_are_those_of_the_exact_abstraction() {
    for seed in tenet_chance::seeds(500..512) {
        let (mut design, leaves, mut chance) = random(seed);
        let count = 2 + chance.below(3);
        let atoms = predicates(&mut design, &leaves, &mut chance, count);
        let named =
            |&formula: &TermId| Predicate { name: String::new(), source: Default::default(), formula };
        design.system.predicates = atoms.iter().map(named).collect();
        let system = design.system.clone();
        let exact = Exact::new(&system, &[], 1 << 12).expect("it is finite");
        let expected =
            exact.closed_reachability(true).expect("it is finite").pop().expect("there is a limit");
        let reached = [Images::Exact, Images::Restricted].map(|images| {
            let mut design = Design { system: system.clone() };
            let options = Options { clusters: false, branches: false, images, ..Options::default() };
            design.search(&options, |search| {
                search.predicates.clear();
                search.observe(&atoms).expect("never cancelled");
                let model = search.build().expect("never cancelled");
                let mut reached = model.first().clone();
                loop {
                    let more = reached.union(&model.image(&reached));
                    if more == reached {
                        break;
                    }
                    reached = more;
                }
                let vars: Vec<usize> =
                    atoms.iter().map(|&atom| 2 * model.view.variable(atom).expect("a variable")).collect();
                let all =
                    reached.valuations(&(0..model.bits()).map(|variable| 2 * variable).collect::<Vec<_>>());
                let order: Vec<usize> = vars.iter().map(|var| var / 2).collect();
                let number = |values: Vec<bool>| {
                    order.iter().enumerate().fold(0u64, |all, (bit, &v)| all | u64::from(values[v]) << bit)
                };
                all.map(number).collect::<BTreeSet<u64>>()
            })
        });
        assert_eq!(reached[0], expected, "seed {seed}");
        assert!(reached[1].is_superset(&expected), "seed {seed}");
    }
}
