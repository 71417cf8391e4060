//! Images by elimination are exact: a valuation is in the image if and only if a solver finds a step to it. Random questions mix what the
//! encoding has to get right: functions in arguments of functions, offsets, strict and other comparisons with constants of both signs,
//! enumerations, elements, and truth values as entries. What has no encoding is named.

mod common;

use std::sync::Arc;

use common::formulas::Choices;
use tenet_abstraction::{Clause, Layout, Parts, Query};
use tenet_solve::quantifier::Policy;
use tenet_solve::{Answer, Solver, Z3Solver};
use tenet_term::{Role, SortId, SymbolId, TermId, TermStore};

/// The predicates after the step, and those before it.
const PREDICATES: usize = 3;

struct World {
    store: TermStore,
    choices: Choices,
    color: SortId,
    integers: Vec<SymbolId>,
    nodes: Vec<SymbolId>,
    colors: Vec<SymbolId>,
    flags: Vec<SymbolId>,
    /// From integers to integers.
    successor: SymbolId,
    /// From two integers to an integer.
    table: SymbolId,
    /// From integers to truth values.
    mark: SymbolId,
    next: SymbolId,
    paint: SymbolId,
    /// From colours to integers.
    count: SymbolId,
    /// From truth values to elements.
    side: SymbolId,
}

impl World {
    fn new(bytes: Vec<u8>) -> World {
        let mut store = TermStore::new();
        let node = store.index_sort("NODE");
        let color = store.enum_sort("COLOR", &["Red", "Green", "Blue"]);
        let declare = |store: &mut TermStore, names: &[&str], sort| -> Vec<SymbolId> {
            names.iter().map(|name| store.declare(name, sort, Role::State)).collect()
        };
        let integers = declare(&mut store, &["a", "b", "c"], SortId::INT);
        let nodes = declare(&mut store, &["m", "n"], node);
        let colors = declare(&mut store, &["first", "second"], color);
        let flags = declare(&mut store, &["on", "busy"], SortId::BOOL);
        let mut function = |name: &str, args: &[SortId], result| {
            let sort = store.function_sort(args, result);
            store.declare(name, sort, Role::State)
        };
        let (int, bool) = (SortId::INT, SortId::BOOL);
        let successor = function("successor", &[int], int);
        let table = function("table", &[int, int], int);
        let mark = function("mark", &[int], bool);
        let next = function("next", &[node], node);
        let paint = function("paint", &[node], color);
        let count = function("count", &[color], int);
        let side = function("side", &[bool], node);
        let choices = Choices::new(bytes);
        World {
            store,
            choices,
            color,
            integers,
            nodes,
            colors,
            flags,
            successor,
            table,
            mark,
            next,
            paint,
            count,
            side,
        }
    }

    fn symbol(&mut self, of: fn(&World) -> &Vec<SymbolId>) -> TermId {
        let list = of(self).clone();
        let symbol = self.choices.of(&list);
        self.store.mk_symbol(symbol)
    }

    fn apply(&mut self, function: SymbolId, args: &[TermId]) -> TermId {
        let head = self.store.mk_symbol(function);
        self.store.mk_apply(head, args)
    }

    fn integer(&mut self, depth: usize) -> TermId {
        let place = match self.choices.below(if depth == 0 { 3 } else { 7 }) {
            0..3 => self.symbol(|world| &world.integers),
            3 | 4 => {
                let arg = self.integer(depth - 1);
                self.apply(self.successor, &[arg])
            }
            5 => {
                let args = [self.integer(depth - 1), self.integer(depth - 1)];
                self.apply(self.table, &args)
            }
            _ => {
                let arg = self.color(depth - 1);
                self.apply(self.count, &[arg])
            }
        };
        let offset = [0, 0, 0, 1, -1, 2, -3][self.choices.below(7)];
        let offset = self.store.mk_int(offset);
        self.store.mk_add([place, offset])
    }

    fn element(&mut self, depth: usize) -> TermId {
        match self.choices.below(if depth == 0 { 2 } else { 4 }) {
            0 | 1 => self.symbol(|world| &world.nodes),
            2 => {
                let arg = self.element(depth - 1);
                self.apply(self.next, &[arg])
            }
            _ => {
                let arg = self.truth(depth - 1);
                self.apply(self.side, &[arg])
            }
        }
    }

    fn color(&mut self, depth: usize) -> TermId {
        match self.choices.below(if depth == 0 { 3 } else { 4 }) {
            0 | 1 => self.symbol(|world| &world.colors),
            2 => {
                let position = self.choices.below(3) as u32;
                self.store.mk_enum(self.color, position)
            }
            _ => {
                let arg = self.element(depth - 1);
                self.apply(self.paint, &[arg])
            }
        }
    }

    /// A truth value that is no connective.
    fn truth(&mut self, depth: usize) -> TermId {
        match self.choices.below(if depth == 0 { 3 } else { 4 }) {
            0 | 1 => self.symbol(|world| &world.flags),
            2 => self.store.mk_bool(self.choices.below(2) == 1),
            _ => {
                let arg = self.integer(depth - 1);
                self.apply(self.mark, &[arg])
            }
        }
    }

    fn atom(&mut self) -> TermId {
        let depth = [0, 1, 1, 2][self.choices.below(4)];
        match self.choices.below(10) {
            0..3 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                if self.choices.below(2) == 0 { self.store.mk_le(a, b) } else { self.store.mk_lt(a, b) }
            }
            3 => {
                let number = [-4, -1, 0, 1, 3][self.choices.below(5)];
                let (a, b) = (self.integer(depth), self.store.mk_int(number));
                match self.choices.below(3) {
                    0 => self.store.mk_le(a, b),
                    1 => self.store.mk_lt(b, a),
                    _ => self.store.mk_eq(a, b),
                }
            }
            4 | 5 => {
                let (a, b) = (self.integer(depth), self.integer(depth));
                self.store.mk_eq(a, b)
            }
            6 => {
                let (a, b) = (self.element(depth), self.element(depth));
                self.store.mk_eq(a, b)
            }
            7 => {
                let (a, b) = (self.color(depth), self.color(depth));
                self.store.mk_eq(a, b)
            }
            _ => self.truth(depth),
        }
    }

    fn formula(&mut self, depth: usize) -> TermId {
        if depth == 0 {
            return self.atom();
        }
        match self.choices.below(6) {
            0 | 1 => self.atom(),
            2 => {
                let part = self.formula(depth - 1);
                self.store.mk_not(part)
            }
            3 => {
                let parts = [self.formula(depth - 1), self.formula(depth - 1)];
                self.store.mk_and(parts)
            }
            4 => {
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                self.store.mk_iff(a, b)
            }
            _ => {
                let [c, a, b] = [0; 3].map(|_| self.formula(depth - 1));
                self.store.mk_ite(c, a, b)
            }
        }
    }

    fn parts(&mut self) -> (Parts, Vec<Clause>) {
        let always = vec![self.formula(1)];
        let instances = (0..self.choices.below(2))
            .map(|_| (self.formula(1), (0..PREDICATES).map(|_| self.formula(1)).collect()))
            .collect();
        let posts = (0..PREDICATES).map(|_| self.formula(1)).collect();
        let mut clause = || {
            let first = self.choices.below(PREDICATES);
            let second = (first + 1 + self.choices.below(PREDICATES - 1)) % PREDICATES;
            [first, second].map(|predicate| (predicate, self.choices.below(2) == 1)).to_vec()
        };
        let clauses = vec![clause(), clause()];
        (Parts { always, instances, posts }, clauses)
    }
}

/// Everything that a step is, as formulas.
fn step(store: &mut TermStore, parts: &Parts, clauses: &[Clause]) -> Vec<TermId> {
    let mut formulas = parts.always.clone();
    for (guard, values) in &parts.instances {
        for clause in clauses {
            let literals: Vec<TermId> = clause
                .iter()
                .map(
                    |&(predicate, value)| {
                        if value { values[predicate] } else { store.mk_not(values[predicate]) }
                    },
                )
                .collect();
            let clause = store.mk_or(literals);
            formulas.push(store.mk_implies(*guard, clause));
        }
    }
    formulas
}

/// The valuations to which there is a step.
fn expected(store: &mut TermStore, parts: &Parts, clauses: &[Clause]) -> Vec<Vec<bool>> {
    let formulas = step(store, parts, clauses);
    let all =
        (0..1 << PREDICATES).map(|bits: u32| (0..PREDICATES).map(move |p| bits >> p & 1 == 1).collect());
    let is_possible = |valuation: &Vec<bool>| {
        let mut solver = Z3Solver::new();
        for &formula in &formulas {
            solver.assert(store, formula);
        }
        for (&post, &value) in parts.posts.iter().zip(valuation) {
            let literal = if value { post } else { store.mk_not(post) };
            solver.assert(store, literal);
        }
        let answer = solver.check(store, &[]);
        assert!(!matches!(answer, Answer::Unknown(_)), "the theory is decided");
        answer == Answer::Sat
    };
    all.filter(is_possible).collect()
}

fn query(store: &mut TermStore, layout: &Layout, parts: &Parts) -> Query {
    Query::new(store, layout, parts, &Policy::default(), Box::new(Z3Solver::ground()), Arc::default())
}

/// The image by elimination; `None` if it is given up because of its size.
fn found(store: &mut TermStore, parts: &Parts, clauses: &[Clause]) -> Option<Vec<Vec<bool>>> {
    let layout = Layout::new(parts.posts.len());
    let mut query = query(store, &layout, parts);
    if let Err(why) = query.encode(store) {
        assert!(why.contains("too many integers") || why.contains("too large"), "{why}");
        return None;
    }
    let image = query.image_by_elimination(clauses, &layout.space.empty()).expect("nobody interrupts");
    if query.is_given_up() {
        return None;
    }
    let all = (0..1 << PREDICATES).map(|bits: u32| (0..PREDICATES).map(|p| bits >> p & 1 == 1).collect());
    Some(all.filter(|valuation: &Vec<bool>| layout.contains(&image, valuation)).collect())
}

#[test]
fn images_by_elimination_are_exact() {
    let (mut compared, mut given_up) = (0, 0);
    for seed in tenet_chance::seeds(0..80) {
        let mut random = tenet_chance::Random::new(seed);
        let mut world = World::new((0..400).map(|_| random.below(256) as u8).collect());
        let (parts, clauses) = world.parts();
        let Some(found) = found(&mut world.store, &parts, &clauses) else {
            given_up += 1;
            continue;
        };
        compared += 1;
        let expected = expected(&mut world.store, &parts, &clauses);
        let texts: Vec<String> = parts.formulas().map(|formula| world.store.print(formula)).collect();
        assert_eq!(expected, found, "seed {seed}: {texts:#?}, {clauses:?}");
    }
    assert!(compared > 3 * given_up, "{compared} compared, {given_up} given up");
}

/// What the encoding refuses, as it says it.
fn refusal(build: impl Fn(&mut World) -> TermId) -> String {
    let mut world = World::new(Vec::new());
    let post = build(&mut world);
    let parts = Parts { always: Vec::new(), instances: Vec::new(), posts: vec![post] };
    let layout = Layout::new(1);
    query(&mut world.store, &layout, &parts).encode(&mut world.store).expect_err("there is no encoding")
}

#[test]
fn terms_without_an_encoding_are_named() {
    let sum = refusal(|world| {
        let [a, b, c] = [0, 1, 2].map(|place| world.store.mk_symbol(world.integers[place]));
        let sum = world.store.mk_add([a, b]);
        world.store.mk_le(sum, c)
    });
    assert!(sum.contains("a + b"), "{sum}");
    let remainder = refusal(|world| {
        let (a, two) = (world.store.mk_symbol(world.integers[0]), world.store.mk_int(2));
        let (rest, zero) = (world.store.mk_mod_euclid(a, two), world.store.mk_int(0));
        world.store.mk_eq(rest, zero)
    });
    assert!(remainder.contains('a') && remainder.contains('2'), "{remainder}");
    let argument = refusal(|world| {
        let (a, b) = (world.store.mk_symbol(world.integers[0]), world.store.mk_symbol(world.integers[1]));
        let double = world.store.mk_add([a, a]);
        let (one, other) = (world.apply(world.successor, &[double]), world.apply(world.successor, &[b]));
        world.store.mk_eq(one, other)
    });
    assert!(argument.contains('a'), "{argument}");
}

/// `a < b & b < c & c < a` with any number of steps of one in between, and what remains possible without one of them.
#[test]
fn cycles_of_comparisons_are_impossible() {
    let mut world = World::new(Vec::new());
    let [a, b, c] = [0, 1, 2].map(|place| world.store.mk_symbol(world.integers[place]));
    let minus_two = world.store.mk_int(-2);
    let shifted = world.store.mk_add([a, minus_two]);
    let posts = vec![world.store.mk_lt(a, b), world.store.mk_lt(b, c), world.store.mk_lt(c, shifted)];
    let parts = Parts { always: Vec::new(), instances: Vec::new(), posts };
    let found = found(&mut world.store, &parts, &[]).expect("it is small");
    assert_eq!(found.len(), 7);
    assert!(!found.contains(&vec![true; 3]));
}
