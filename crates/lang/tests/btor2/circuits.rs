//! Random circuits as text, with all operators; values for their inputs; and values of both worlds compared.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;
use tenet_chance::Random;
use tenet_lang::btor2::document::Sort;
use tenet_lang::btor2::op::{Plain, Rule};
use tenet_lang::btor2::value::{Memory, Value};
use tenet_term::{BitVec, FunctionTable, Value as TermValue};

/// The recipe of one line: the operator, and the choice of operands.
pub type Recipe = (u16, [u16; 4]);

/// Recipes for a circuit.
pub fn recipes() -> impl Strategy<Value = Vec<Recipe>> {
    prop::collection::vec((any::<u16>(), any::<[u16; 4]>()), 3..40)
}

/// Random numbers that are the same on every machine.
pub struct Dice(Random);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Random::new(seed))
    }

    /// A number of 31 bits.
    pub fn roll(&mut self) -> u64 {
        self.0.number() >> 33
    }

    /// A number of this many bits; often one at a boundary.
    pub fn word(&mut self, width: u32) -> BigUint {
        let all = (BigUint::one() << width) - 1u32;
        match self.roll() % 6 {
            0 => BigUint::zero(),
            1 => all,
            2 => BigUint::one() << (width - 1),
            3 => (BigUint::from(self.roll()) % 9u32) & all,
            _ => {
                let mut digits = BigUint::zero();
                for _ in 0..width.div_ceil(31) {
                    digits = (digits << 31) | BigUint::from(self.roll());
                }
                digits & all
            }
        }
    }

    pub fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bits(width) => Value::Word(self.word(width)),
            Sort::Array { index, element } => {
                let mut memory = Memory::new(self.word(element));
                for _ in 0..self.roll() % 4 {
                    memory = memory.write(&self.word(index), &self.word(element));
                }
                Value::Memory(memory)
            }
        }
    }
}

/// A circuit under construction.
#[derive(Default)]
pub struct Builder {
    pub text: String,
    last: u64,
    sorts: BTreeMap<(u32, u32), u64>,
    nodes: Vec<(u64, Sort)>,
    states: Vec<(u64, Sort)>,
}

impl Builder {
    fn line(&mut self, text: &str) -> u64 {
        self.last += 1;
        writeln!(self.text, "{} {text}", self.last).expect("writing to a string does not fail");
        self.last
    }

    pub fn sort(&mut self, sort: Sort) -> u64 {
        let key = match sort {
            Sort::Bits(width) => (width, 0),
            Sort::Array { index, element } => (index, element),
        };
        if let Some(&known) = self.sorts.get(&key) {
            return known;
        }
        let id = match sort {
            Sort::Bits(width) => self.line(&format!("sort bitvec {width}")),
            Sort::Array { index, element } => {
                let (index, element) = (self.sort(Sort::Bits(index)), self.sort(Sort::Bits(element)));
                self.line(&format!("sort array {index} {element}"))
            }
        };
        self.sorts.insert(key, id);
        id
    }

    pub fn node(&mut self, sort: Sort, word: &str, rest: &str) -> u64 {
        let sort_id = self.sort(sort);
        let id = self.line(format!("{word} {sort_id} {rest}").trim_end());
        self.nodes.push((id, sort));
        if word == "state" {
            self.states.push((id, sort));
        }
        id
    }

    /// An operand of this sort: an existing one, or a new input or state. Bits are sometimes negated.
    fn operand(&mut self, sort: Sort, choice: u16) -> String {
        let fitting: Vec<u64> = self.nodes.iter().filter(|node| node.1 == sort).map(|node| node.0).collect();
        let choice = usize::from(choice);
        let id = match fitting.is_empty() || choice % 5 == 0 {
            true => self.node(sort, if choice % 2 == 0 { "input" } else { "state" }, ""),
            false => fitting[choice / 5 % fitting.len()],
        };
        let sign = if choice % 7 == 3 && matches!(sort, Sort::Bits(_)) { "-" } else { "" };
        format!("{sign}{id}")
    }

    /// The line of a recipe, and what it needs.
    pub fn add_line(&mut self, (choice, choices): Recipe) {
        let widths = [1, 1, 1, 2, 3, 4, 8, 31, 32, 33, 64, 70];
        let width = match choices[3] % 3 {
            0 => widths[usize::from(choices[3] / 3) % widths.len()],
            1 => self.some_width(choices[3]),
            _ => 1 + u32::from(choices[3] / 3) % 70,
        };
        let bits = Sort::Bits(width);
        let choice = usize::from(choice) % (Plain::ALL.len() + 8);
        let Some(&plain) = Plain::ALL.get(choice) else { return self.add_other_line(choice, width, choices) };
        let small =
            Sort::Array { index: 1 + u32::from(choices[0]) % 5, element: 1 + u32::from(choices[1]) % 9 };
        let large = Sort::Array { index: 40 + width, element: width };
        let array = if choices[2] % 3 == 0 { large } else { small };
        let Sort::Array { index, element } = array else { unreachable!() };
        let (index, element) = (Sort::Bits(index), Sort::Bits(element));
        let any = if choices[2] % 4 == 0 { array } else { bits };
        let one = Sort::Bits(1);
        let (args, sort) = match plain.rule() {
            Rule::Map1 => (vec![bits], bits),
            Rule::Reduce => (vec![bits], one),
            Rule::Logic => (vec![one, one], one),
            Rule::Equality => (vec![any, any], one),
            Rule::Compare => (vec![bits, bits], one),
            Rule::Map2 => (vec![bits, bits], bits),
            Rule::Concat => {
                let other = self.some_width(choices[2]);
                (vec![bits, Sort::Bits(other)], Sort::Bits(width + other))
            }
            Rule::Read => (vec![array, index], element),
            Rule::Write => (vec![array, index, element], array),
            Rule::Ite => (vec![one, any, any], any),
        };
        let args: Vec<String> =
            args.iter().zip(choices).map(|(&sort, place)| self.operand(sort, place)).collect();
        self.node(sort, plain.word(), &args.join(" "));
    }

    fn add_other_line(&mut self, choice: usize, width: u32, choices: [u16; 4]) {
        let mut dice = Dice::new(u64::from(choices[0]));
        let value = dice.word(width);
        let sort = Sort::Bits(width);
        let number = u32::from(choices[2]);
        match choice % 8 {
            0 => self.node(sort, "const", &format!("{:0>1$}", value.to_str_radix(2), width as usize)),
            1 => self.node(sort, "consth", &value.to_str_radix(16)),
            2 => self.node(sort, "constd", &value.to_string()),
            3 => self.node(sort, ["zero", "one", "ones"][usize::from(choices[0]) % 3], ""),
            4 if width > 1 => self.node(sort, "constd", &format!("-{}", dice.word(width - 1))),
            4 | 5 => {
                let operand = self.operand(sort, choices[1]);
                let (hi, lo) = (number % width, u32::from(choices[0]) % width);
                let (hi, lo) = (hi.max(lo), hi.min(lo));
                self.node(Sort::Bits(hi - lo + 1), "slice", &format!("{operand} {hi} {lo}"))
            }
            last => {
                let operand = self.operand(sort, choices[1]);
                let (word, by) = (if last == 6 { "uext" } else { "sext" }, number % 9);
                self.node(Sort::Bits(width + by), word, &format!("{operand} {by}"))
            }
        };
    }

    /// The width of something that is there.
    fn some_width(&self, choice: u16) -> u32 {
        let widths = self.nodes.iter().filter_map(|(_, sort)| match sort {
            Sort::Bits(width) if *width <= 70 => Some(*width),
            _ => None,
        });
        let widths: Vec<u32> = widths.collect();
        if widths.is_empty() { 1 } else { widths[usize::from(choice) % widths.len()] }
    }

    /// Ends the circuit: initial and next values, constraints, bad states, and a state that shows each value one cycle later.
    pub fn finish(mut self, seed: u64) -> String {
        let mut dice = Dice::new(seed);
        let (nodes, states) = (self.nodes.clone(), self.states.clone());
        for (place, &(state, sort)) in states.iter().enumerate() {
            let sort_id = self.sort(sort);
            // Initial values come from constants and from states above.
            let earlier = states[..place]
                .iter()
                .filter(|earlier| earlier.1 == sort)
                .map(|earlier| earlier.0)
                .next_back();
            match (dice.roll() % 4, sort, earlier) {
                (0, Sort::Bits(_), _) => {
                    let zero = self.node(sort, "ones", "");
                    self.line(&format!("init {sort_id} {state} {zero}"));
                }
                (0, Sort::Array { element, .. }, _) => {
                    let one = self.node(Sort::Bits(element), "one", "");
                    self.line(&format!("init {sort_id} {state} {one}"));
                }
                (1, Sort::Bits(_), Some(earlier)) => {
                    let value = self.node(sort, "not", &earlier.to_string());
                    self.line(&format!("init {sort_id} {state} {value}"));
                }
                (1, Sort::Array { .. }, Some(earlier)) => {
                    self.line(&format!("init {sort_id} {state} {earlier}"));
                }
                _ => {}
            }
            let values: Vec<u64> = nodes.iter().filter(|node| node.1 == sort).map(|node| node.0).collect();
            if !dice.roll().is_multiple_of(4) {
                let value = values[dice.roll() as usize % values.len()];
                self.line(&format!("next {sort_id} {state} {value}"));
            }
        }
        for &(node, sort) in &nodes {
            let shown = self.node(sort, "state", &format!("shows_{node}"));
            let sort_id = self.sort(sort);
            self.line(&format!("next {sort_id} {shown} {node}"));
            if sort == Sort::Bits(1) {
                match dice.roll() % 4 {
                    0 => self.line(&format!("bad {node}")),
                    1 => self.line(&format!("bad -{node} named_{node}")),
                    2 => self.line(&format!("constraint {node}")),
                    _ => self.line(&format!("output {node}")),
                };
            }
        }
        self.text
    }
}

pub fn circuit(recipes: &[Recipe], seed: u64) -> String {
    let mut builder = Builder::default();
    recipes.iter().for_each(|&recipe| builder.add_line(recipe));
    builder.finish(seed)
}

/// A value of the simulator as one of terms.
pub fn as_term_value(sort: Sort, value: &Value) -> TermValue {
    match (sort, value) {
        (Sort::Bits(width), Value::Word(bits)) => word(width, bits),
        (Sort::Array { index, element }, Value::Memory(memory)) => {
            let mut table = FunctionTable::new(word(element, &memory.default));
            memory.cells.iter().for_each(|(at, cell)| table.set(vec![word(index, at)], word(element, cell)));
            table.into()
        }
        _ => panic!("a value of another sort"),
    }
}

fn word(width: u32, bits: &BigUint) -> TermValue {
    if width == 1 {
        TermValue::Bool(bits.is_one())
    } else {
        TermValue::BitVec(BitVec::new(width, bits.clone()))
    }
}
