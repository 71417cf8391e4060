//! Verdicts and invariants against brute force, and what is observed of designs with data.

use super::data::comparisons;
use super::fields::{Field, Fields};
use super::lemmas::{self, Lemmas};
use super::narrow::Narrow;
use super::netlist::Netlist;
use super::{Bounded, Slice};
use super::{circuit, vacuity};
use crate::Alone;
use crate::common::Warning;
use crate::hybrid::tests::{Design, World, random};
use tenet_solve::Limits;
use tenet_solve::{Effort, EffortBudget, Meter};
use tenet_system::Circuit;
use tenet_system::run::replay_violation;
use tenet_term::{BvOp, Role, TermId};

/// The formulas hold initially, are inductive, and exclude violations.
fn is_invariant(design: &Design, world: &World, formulas: &[TermId]) -> bool {
    let store = &design.system.store;
    let holds = |state: usize| {
        formulas.iter().all(|&formula| world.states[state].holds(store, formula).expect("it has a value"))
    };
    world.first.iter().all(|&state| holds(state))
        && world.steps.iter().all(|&(from, to)| !holds(from) || holds(to))
        && world.bad.iter().all(|&state| !holds(state))
}

#[test]
fn verdicts_are_those_of_brute_force() {
    let mut verdicts = [0; 2];
    for seed in tenet_chance::seeds(0..250) {
        let (mut design, ..) = random(seed);
        let world = World::new(&mut design.system);
        let outcome = circuit(&mut design.system, &[0], &mut Alone);
        assert!(outcome.first_open().is_none(), "seed {seed}: {outcome:?}");
        match outcome.run() {
            None => {
                let formulas: Vec<TermId> = outcome.lemmas().iter().map(|lemma| lemma.body).collect();
                assert_eq!(world.distance(), None, "seed {seed}");
                assert!(is_invariant(&design, &world, &formulas), "seed {seed}");
                verdicts[0] += 1;
            }
            Some(violation) => {
                let states = replay_violation(&mut design.system, violation).expect("a run");
                assert_eq!(world.distance(), Some(states.len() - 1), "seed {seed}: not the shortest run");
                verdicts[1] += 1;
            }
        }
    }
    assert!(verdicts.iter().all(|&count| count > 30), "{verdicts:?}");
}

/// Each of the searches for lemmas alone, without runs that would settle a question before.
#[test]
fn every_search_for_lemmas_agrees_with_brute_force() {
    for seed in tenet_chance::seeds(0..120) {
        let (mut design, ..) = random(seed);
        let world = World::new(&mut design.system);
        let view = Circuit::of(&mut design.system).expect("a circuit");
        let netlist = Netlist::of(&mut design.system, &view, &[0]);
        let slice = Slice { budget: EffortBudget::of(&Meter::default(), Effort::secs(60)), watch: &Alone };
        let store = &mut design.system.store;
        let bounded = Bounded::new(store, &netlist, &Limits::default());
        let searches =
            [Some(Lemmas::of_words(store, &netlist, &[view.bad[0]])), Lemmas::of_bits(store, &netlist)];
        for mut search in searches.into_iter().flatten() {
            match search.search(&mut design.system.store, &bounded, &slice) {
                Ok(lemmas::Found::Invariant(formulas)) => {
                    assert!(is_invariant(&design, &world, &formulas), "seed {seed}");
                }
                Ok(lemmas::Found::AbstractCounterexample(_)) => {
                    assert!(world.distance().is_some(), "seed {seed}")
                }
                Err(halt) => panic!("seed {seed}: {halt:?}"),
            }
        }
    }
}

/// Two words of this width that are loaded from an input at the same time, one of them by way of a third; and a counter.
fn copies(width: u32) -> Design {
    let mut design = Design::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| design.register(name, width, Some(0)));
    let (load, data) = (design.input("load", 1), design.input("data", width));
    let count = design.register("count", 3, Some(0));
    let one = design.system.store.mk_bitvec(3, 1u8);
    let next = design.system.store.mk_bv(BvOp::Add, &[count, one]);
    design.next(count, next);
    for (register, from) in [(a, data), (b, data), (c, a)] {
        let next = design.ite(load, from, register);
        design.next(register, next);
    }
    let same = design.system.store.mk_eq(a, b);
    design.property(same);
    design
}

#[test]
fn words_that_are_only_moved_are_data() {
    let mut design = copies(16);
    let view = Circuit::of(&mut design.system).expect("a circuit");
    let mut netlist = Netlist::of(&mut design.system, &view, &[0]);
    // Nothing depends on the counter and on the third word.
    assert_eq!(netlist.state.len(), 2);
    netlist.state = view.state.clone();
    (netlist.next, netlist.initial) = (view.next.clone(), view.initial.clone());
    let store = &mut design.system.store;
    let mut fields = Fields::of(store, &netlist);
    let of = |fields: &mut Fields, store: &mut tenet_term::TermStore, place: usize| {
        let word = store.mk_symbol(netlist.state[place]);
        fields.of_word(store, word)
    };
    assert_eq!(of(&mut fields, store, 0), [Field { hi: 15, lo: 0, is_data: true }]);
    assert!(of(&mut fields, store, 3).iter().all(|field| !field.is_data), "a counter is computed with");
    let found = comparisons(store, &netlist, &mut fields);
    let [a, b] = [0, 1].map(|place| store.mk_symbol(netlist.state[place]));
    assert!(found.contains(&store.mk_eq(a, b)));
    let (_, narrower) = Narrow::of(store, &netlist, &mut fields).expect("there are data");
    let word = store.mk_symbol(narrower.state[0]);
    assert!(store.width(word).expect("a vector") < 16);
}

/// The width of data changes nothing, not even how many questions are asked.
#[test]
fn proofs_about_data_do_not_depend_on_their_width() {
    let calls = [8, 64].map(|width| {
        let mut design = copies(width);
        let outcome = circuit(&mut design.system, &[0], &mut Alone);
        assert!(outcome.is_proof(), "{outcome:?}");
        outcome.lemmas().len()
    });
    assert_eq!(calls[0], calls[1]);
}

/// A condition that the properties do not depend on may look into data, or compare them with something wider.
#[test]
fn conditions_elsewhere_may_look_into_data() {
    let mut design = copies(16);
    let [a, b] = [0, 1].map(|place| {
        let symbol = design.system.state[place].symbol;
        design.system.store.mk_symbol(symbol)
    });
    let store = &mut design.system.store;
    let part = store.mk_bv(BvOp::Extract { hi: 9, lo: 5 }, &[a]);
    let five = store.mk_bitvec(5, 5u8);
    let sum = store.mk_bv(BvOp::Add, &[a, b]);
    let constant = store.mk_bitvec(16, 999u32);
    let conditions =
        [store.mk_eq(part, five), store.mk_eq(sum, constant), store.mk_bv(BvOp::Ult, &[a, constant])];
    conditions.into_iter().for_each(|condition| design.branch(condition));
    let outcome = circuit(&mut design.system, &[0], &mut Alone);
    assert!(outcome.is_proof(), "{outcome:?}");
}

/// Parts of a word that go different ways are fields of their own.
#[test]
fn fields_are_cut_where_words_are() {
    let mut design = Design::new();
    let address = design.register("address", 8, None);
    let tag = design.register("tag", 5, None);
    let input = design.input("in", 8);
    design.next(address, input);
    let store = &mut design.system.store;
    let [high, low] = [(7, 3), (2, 0)].map(|(hi, lo)| store.mk_bv(BvOp::Extract { hi, lo }, &[address]));
    let one = store.mk_bitvec(3, 1u8);
    let odd = store.mk_bv(BvOp::And, &[low, one]);
    let (is_hit, is_odd) = (store.mk_eq(high, tag), store.mk_eq(odd, one));
    let property = store.mk_or([is_hit, is_odd]);
    design.property(property);
    let view = Circuit::of(&mut design.system).expect("a circuit");
    let mut netlist = Netlist::of(&mut design.system, &view, &[0]);
    // As a register, not as something that has any value.
    netlist.state = view.state.clone();
    (netlist.next, netlist.initial) = (view.next.clone(), view.initial.clone());
    let store = &mut design.system.store;
    let fields = Fields::of(store, &netlist).of_word(store, address);
    assert!(fields.contains(&Field { hi: 7, lo: 3, is_data: true }), "{fields:?}");
    assert!(fields.iter().filter(|field| field.lo < 3).all(|field| !field.is_data), "{fields:?}");
    assert_eq!(store.symbol(netlist.state[0]).role, Role::State);
}

/// Assumptions that contradict each other make everything true, and that has to be said (X-T2).
#[test]
fn x_t2_assumptions_that_end_all_runs_are_told() {
    let counter = |assumes: fn(&mut Design, TermId) -> TermId| {
        let mut design = Design::new();
        let count = design.register("count", 3, Some(0));
        let one = design.system.store.mk_bitvec(3, 1u8);
        let next = design.system.store.mk_bv(BvOp::Add, &[count, one]);
        design.next(count, next);
        let assumption = assumes(&mut design, count);
        design.assume(assumption);
        let full = design.eq(count, 7);
        let property = design.not(full);
        design.property(property);
        let view = Circuit::of(&mut design.system).expect("a circuit");
        vacuity(&mut design.system, &view, &Alone)
    };
    assert_eq!(counter(|design, count| design.eq(count, 5)), [Warning::NoStart]);
    let below_two = |design: &mut Design, count| {
        let two = design.system.store.mk_bitvec(3, 2u8);
        design.system.store.mk_bv(BvOp::Ult, &[count, two])
    };
    assert_eq!(counter(below_two), [Warning::AssumptionsEnd(2)]);
}
