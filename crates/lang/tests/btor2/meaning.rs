//! The transition system is equivalent to the file: term evaluation against the simulator, on random circuits and for each
//! operator on all small operands.

use crate::circuits::{Builder, Dice, as_term_value, circuit, recipes};
use proptest::prelude::*;
use tenet_lang::btor2::document::Sort;
use tenet_lang::btor2::op::{Plain, Rule};
use tenet_lang::btor2::simulate::{Simulator, Values};
use tenet_lang::btor2::{self, Btor2};
use tenet_system::Circuit;
use tenet_term::{Model, TermStore, Value as TermValue};

fn read(text: &str) -> Btor2 {
    match btor2::read(text) {
        Ok((model, _)) => model,
        Err(errors) => panic!("{text}\n{:?}", errors.iter().map(|error| &error.message).collect::<Vec<_>>()),
    }
}

/// Runs both for some cycles with random choices and compares everything.
fn compare(text: &str, seed: u64, cycles: usize) {
    let mut model = read(text);
    let circuit = Circuit::of(&mut model.lowered.system).expect("a BTOR2 file is a circuit");
    let document = &model.document;
    let simulator = Simulator::new(document);
    let mut dice = Dice::new(seed);
    let first: Values = document.states().map(|line| (line, dice.value(document.node(line).sort))).collect();
    let mut states = simulator.start(&first);
    let mut terms = Model::new();
    for register in &model.lowered.registers {
        let sort = document.node(register.line).sort;
        if let Some(initial) = register.initial {
            terms.set(initial, as_term_value(sort, &first[&register.line]));
        }
    }
    let store = &model.lowered.system.store;
    for (register, &value) in model.lowered.registers.iter().zip(&circuit.initial) {
        let sort = document.node(register.line).sort;
        let found = terms.evaluate(store, value).expect("an initial value");
        same(store, &terms, register.symbol, &found, &as_term_value(sort, &states[&register.line]), text);
    }
    for _ in 0..cycles {
        let mut inputs = Values::new();
        for &(line, symbol) in &model.lowered.inputs {
            let value = dice.value(document.node(line).sort);
            terms.set(symbol, as_term_value(document.node(line).sort, &value));
            inputs.insert(line, value);
        }
        for register in &model.lowered.registers {
            let sort = document.node(register.line).sort;
            terms.set(register.symbol, as_term_value(sort, &states[&register.line]));
            if let Some(next) = register.next {
                let value = dice.value(sort);
                terms.set(next, as_term_value(sort, &value));
                inputs.insert(register.line, value);
            }
        }
        let cycle = simulator.cycle(&states, &inputs);
        let is_allowed = terms.holds(store, circuit.constraint).expect("a constraint");
        assert_eq!(is_allowed, simulator.violated(&cycle).is_none(), "constraints of\n{text}");
        let bads = simulator.bads(&cycle);
        for (number, &bad) in circuit.bad.iter().enumerate() {
            let is_bad = terms.holds(store, bad).expect("a property");
            assert_eq!(is_bad, is_allowed && bads.contains(&number), "bad {number} of\n{text}");
        }
        states = simulator.step(&cycle, &inputs);
        for (register, &next) in model.lowered.registers.iter().zip(&circuit.next) {
            let sort = document.node(register.line).sort;
            let found = terms.evaluate(store, next).expect("a next value");
            same(store, &terms, register.symbol, &found, &as_term_value(sort, &states[&register.line]), text);
        }
    }
}

fn same(
    store: &TermStore,
    model: &Model,
    symbol: tenet_term::SymbolId,
    found: &TermValue,
    expected: &TermValue,
    text: &str,
) {
    let symbol = store.symbol(symbol);
    let equal = model.equal(store, symbol.sort, found, expected).expect("values can be compared");
    assert!(equal, "{}: {found:?} instead of {expected:?} in\n{text}", symbol.name);
}

proptest! {
    #![proptest_config(tenet_chance::cases(300))]

    #[test]
    fn terms_and_simulator_agree(recipes in recipes(), seed in any::<u64>()) {
        compare(&circuit(&recipes, seed), seed, 3);
    }
}

/// A circuit that shows the result of one operator on three inputs.
fn single(op: Plain, width: u32) -> String {
    let bits = Sort::Bits(width);
    let array = Sort::Array { index: 2, element: width };
    let (one, index) = (Sort::Bits(1), Sort::Bits(2));
    let (args, sort) = match op.rule() {
        Rule::Map1 => (vec![bits], bits),
        Rule::Reduce => (vec![bits], one),
        Rule::Logic => (vec![one, one], one),
        Rule::Equality | Rule::Compare => (vec![bits, bits], one),
        Rule::Map2 => (vec![bits, bits], bits),
        Rule::Concat => (vec![bits, bits], Sort::Bits(2 * width)),
        Rule::Read => (vec![array, index], bits),
        Rule::Write => (vec![array, index, bits], array),
        Rule::Ite => (vec![one, bits, bits], bits),
    };
    let mut builder = Builder::default();
    let args: Vec<String> = args.iter().map(|&sort| builder.node(sort, "input", "").to_string()).collect();
    builder.node(sort, op.word(), &args.join(" "));
    builder.finish(0)
}

#[test]
fn every_operator_agrees_on_many_operands() {
    for &op in Plain::ALL {
        for width in [1, 2, 3, 5] {
            let text = single(op, width);
            // All operands of one and two bits are among these with near certainty, and most of three.
            compare(&text, u64::from(width), if width < 3 { 40 } else { 120 });
        }
    }
}
