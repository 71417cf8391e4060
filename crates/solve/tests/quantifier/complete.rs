//! Where instantiation is complete: sentences `exists … forall …` over an index sort, with predicates and constants but
//! no functions (the Bernays–Schönfinkel class), are satisfiable exactly if their ground versions are.
//!
//! Such sentences have a model with at most as many elements as they have constants and existential variables, so all
//! interpretations up to that size are tried. Ground versions are put to Z3.

use proptest::prelude::*;
use tenet_solve::quantifier::{Policy, ground, ground_signed};
use tenet_solve::{Answer, Solver, Z3Solver};
use tenet_term::{FunctionTable, Model, Op, Polarity, SortId, SymbolId, TermId, Value};

use crate::sound::Choices;
use crate::world::World;

/// A signature and the greatest size that matters.
struct Case {
    w: World,
    constants: Vec<TermId>,
    predicates: Vec<(TermId, usize)>,
    size: u32,
}

impl Case {
    fn new(constants: &[&str], predicates: &[(&str, usize)], size: u32) -> Case {
        let mut w = World::new();
        let constants = constants.iter().map(|name| w.constant(name, w.node)).collect();
        let predicates = predicates
            .iter()
            .map(|&(name, arity)| (w.function(name, &vec![w.node; arity], SortId::BOOL), arity))
            .collect();
        Case { w, constants, predicates, size }
    }

    fn sentence(&mut self, existential: bool, choices: &mut Choices) -> TermId {
        let (u, _) = self.w.bound("u", self.w.node);
        let [x, y] = ["x", "y"].map(|name| self.w.bound(name, self.w.node).0);
        let universal = if choices.below(2) == 0 { vec![x] } else { vec![x, y] };
        let mut scope = universal.clone();
        scope.extend(existential.then_some(u));
        let body = self.matrix(3, &scope, choices);
        let inner = self.w.forall(&universal, body);
        if existential { self.w.exists(&[u], inner) } else { inner }
    }

    fn matrix(&mut self, depth: usize, scope: &[SymbolId], choices: &mut Choices) -> TermId {
        if depth == 0 || choices.below(5) == 0 {
            return self.atom(scope, choices);
        }
        let (a, b) = (self.matrix(depth - 1, scope, choices), self.matrix(depth - 1, scope, choices));
        match choices.below(4) {
            0 => self.w.not(a),
            kind => self.w.store.mk([Op::And, Op::Or, Op::Implies][kind - 1].clone(), &[a, b]),
        }
    }

    fn atom(&mut self, scope: &[SymbolId], choices: &mut Choices) -> TermId {
        let kind = choices.below(self.predicates.len() + 1);
        if kind == self.predicates.len() {
            let (a, b) = (self.term(scope, choices), self.term(scope, choices));
            return self.w.eq(a, b);
        }
        let (predicate, arity) = self.predicates[kind];
        let args: Vec<TermId> = (0..arity).map(|_| self.term(scope, choices)).collect();
        self.w.apply(predicate, &args)
    }

    fn term(&mut self, scope: &[SymbolId], choices: &mut Choices) -> TermId {
        let number = choices.below(scope.len() + self.constants.len());
        match scope.get(number) {
            Some(&symbol) => self.w.store.mk_symbol(symbol),
            None => self.constants[number - scope.len()],
        }
    }

    /// Is there an interpretation, among all of the sizes that matter, in which the formula holds?
    fn has_model(&self, formula: TermId) -> bool {
        (1..=self.size).any(|size| {
            let places = |arity: usize| (size as usize).pow(arity as u32);
            let bits: usize = self.predicates.iter().map(|&(_, arity)| places(arity)).sum();
            let valuations = (size as usize).pow(self.constants.len() as u32);
            (0..valuations << bits).any(|number| {
                let mut model = Model::new();
                model.set_size(self.w.node, size);
                let (mut values, mut truths) = (number % valuations, number / valuations);
                for &constant in &self.constants {
                    model.set(self.w.store.as_symbol(constant).unwrap(), Value::Index(values as u32 % size));
                    values /= size as usize;
                }
                for &(predicate, arity) in &self.predicates {
                    let mut table = FunctionTable::new(Value::Bool(false));
                    for place in 0..places(arity) {
                        let digit = |index| place / (size as usize).pow(index) % size as usize;
                        let args = (0..arity as u32).map(|index| Value::Index(digit(index) as u32)).collect();
                        table.set(args, Value::Bool(truths & 1 == 1));
                        truths >>= 1;
                    }
                    model.set(self.w.store.as_symbol(predicate).unwrap(), table);
                }
                model.holds(&self.w.store, formula).unwrap()
            })
        })
    }

    fn check(&mut self, sentences: &[TermId]) -> Result<bool, TestCaseError> {
        let all = self.w.and(sentences);
        let expected = self.has_model(all);
        let policy = Policy { rounds: 6, ..Policy::default() };
        let asserted = Polarity { positive: true, negative: false };
        let signed: Vec<_> = sentences.iter().map(|&sentence| (sentence, asserted)).collect();
        // Facts for the denial of a sentence must not disturb; they go on for ever, so only few rounds of them.
        let one_way = ground_signed(&mut self.w.store, &signed, &[], &policy);
        let both_ways = ground(&mut self.w.store, sentences, &[], &Policy { rounds: 3, ..policy });
        for (grounded, complete) in [(one_way, true), (both_ways, false)] {
            // With instances left out nothing is promised; that is rare, and such sentences are drawn again.
            prop_assume!(!grounded.cut);
            let mut solver = Z3Solver::new();
            for formula in
                grounded.roots.iter().copied().chain(grounded.facts.iter().map(|fact| fact.formula))
            {
                solver.assert(&self.w.store, formula);
            }
            let answer = solver.check(&self.w.store, &[]);
            let right = match expected {
                true => answer == Answer::Sat,
                false => answer == Answer::Unsat || !complete,
            };
            prop_assert!(right, "{answer:?} for {}", self.w.store.print(all));
        }
        Ok(expected)
    }
}

proptest! {
    #![proptest_config(tenet_chance::cases(150))]

    #[test]
    fn unary_predicates(bytes in proptest::collection::vec(any::<u8>(), 0..150)) {
        let mut case = Case::new(&["a"], &[("p", 1), ("q", 1)], 3);
        let mut choices = Choices(&bytes);
        let sentences: Vec<TermId> =
            [true, true, false, false].into_iter().map(|existential| case.sentence(existential, &mut choices)).collect();
        case.check(&sentences)?;
    }

    #[test]
    fn a_binary_predicate(bytes in proptest::collection::vec(any::<u8>(), 0..150)) {
        let mut case = Case::new(&["a"], &[("r", 2), ("p", 1)], 2);
        let mut choices = Choices(&bytes);
        let sentences: Vec<TermId> =
            [true, false, false].into_iter().map(|existential| case.sentence(existential, &mut choices)).collect();
        case.check(&sentences)?;
    }
}

/// The random sentences must be of both kinds, or the tests above say little.
#[test]
fn both_answers_are_common() {
    let mut counts = [0, 0];
    for seed in 0..200u32 {
        let bytes: Vec<u8> = (0..150u32)
            .map(|place| ((seed * 7919 + place).wrapping_mul(2_654_435_769) >> 13) as u8)
            .collect();
        let mut case = Case::new(&["a"], &[("p", 1), ("q", 1)], 3);
        let mut choices = Choices(&bytes);
        let sentences: Vec<TermId> = [true, true, false, false]
            .into_iter()
            .map(|existential| case.sentence(existential, &mut choices))
            .collect();
        let all = case.w.and(&sentences);
        counts[usize::from(case.has_model(all))] += 1;
    }
    assert!(counts.iter().all(|&count| count >= 20), "{counts:?}");
}

/// An equation may matter for elements at no place of the variable: the sort has two elements beside `c`.
#[test]
fn equations_reach_elements_without_a_place() {
    let mut case = Case::new(&["a", "b", "c"], &[("p", 1)], 3);
    let [a, b, c] = [0, 1, 2].map(|number| case.constants[number]);
    let p = case.predicates[0].0;
    let (x, xt) = case.w.bound("x", case.w.node);
    let (is_c, px) = (case.w.eq(xt, c), case.w.apply(p, &[xt]));
    let (either, none) = (case.w.or(&[is_c, px]), case.w.not(px));
    let (either, none) = (case.w.forall(&[x], either), case.w.forall(&[x], none));
    let distinct = case.w.store.mk_ne(a, b);
    assert!(!case.check(&[either, none, distinct]).unwrap());
}
