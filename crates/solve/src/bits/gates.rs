//! Logic gates, hash-consed: what terms over bits become before they are clauses.
//!
//! Besides `and` there are `xor` and multiplexers of their own, because these have shorter clauses than what they would be
//! made of. Operands of a gate are always older than the gate, so a walk over a netlist needs no recursion.

use rustc_hash::FxHashMap;

/// A gate or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bit(u32);

impl Bit {
    pub const FALSE: Bit = Bit(0);
    pub const TRUE: Bit = Bit(1);

    pub fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn constant(value: bool) -> Bit {
        Bit(u32::from(value))
    }

    pub fn as_constant(self) -> Option<bool> {
        (self.gate() == 0).then_some(self.is_negated())
    }

    fn unless(self, flipped: bool) -> Bit {
        Bit(self.0 ^ u32::from(flipped))
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        self.unless(true)
    }
}

/// How a gate computes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    False,
    Input,
    And(Bit, Bit),
    /// Exclusive or; its operands are not negated.
    Xor(Bit, Bit),
    /// The second if the first, else the third; the first is not negated.
    Mux(Bit, Bit, Bit),
}

#[derive(Debug)]
pub struct Gates {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
}

impl Gates {
    /// Only the constant.
    pub fn new() -> Gates {
        Gates { gates: vec![Gate::False], known: FxHashMap::default() }
    }

    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn gate(&self, number: usize) -> Gate {
        self.gates[number]
    }

    pub fn input(&mut self) -> Bit {
        self.gates.push(Gate::Input);
        self.last()
    }

    fn last(&self) -> Bit {
        let number =
            u32::try_from(self.gates.len() - 1).expect("invariant: fewer than two thousand million gates");
        Bit(number << 1)
    }

    fn add(&mut self, gate: Gate) -> Bit {
        if let Some(&number) = self.known.get(&gate) {
            return Bit(number << 1);
        }
        self.gates.push(gate);
        let bit = self.last();
        self.known.insert(gate, bit.0 >> 1);
        bit
    }

    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            (Bit::FALSE, _) => Bit::FALSE,
            (Bit::TRUE, _) => b,
            _ if a == b => a,
            _ if a == !b => Bit::FALSE,
            _ => self.add(Gate::And(a, b)),
        }
    }

    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let flipped = a.is_negated() ^ b.is_negated();
        let (a, b) = (a.unless(a.is_negated()), b.unless(b.is_negated()));
        let (a, b) = (a.min(b), a.max(b));
        let plain = match a {
            Bit::FALSE => b,
            _ if a == b => Bit::FALSE,
            _ => self.add(Gate::Xor(a, b)),
        };
        plain.unless(flipped)
    }

    /// The second if the first, else the third.
    pub fn mux(&mut self, condition: Bit, yes: Bit, no: Bit) -> Bit {
        let (condition, yes, no) =
            if condition.is_negated() { (!condition, no, yes) } else { (condition, yes, no) };
        if condition == Bit::FALSE || yes == no {
            return no;
        }
        if yes == !no {
            return self.xor(condition, no);
        }
        // A branch that is a constant, or the condition itself, makes it a conjunction or a disjunction.
        match (yes, no) {
            (Bit::TRUE, _) => self.or(condition, no),
            (Bit::FALSE, _) => self.and(!condition, no),
            (_, Bit::TRUE) => self.or(!condition, yes),
            (_, Bit::FALSE) => self.and(condition, yes),
            _ if yes == condition => self.or(condition, no),
            _ if yes == !condition => self.and(!condition, no),
            _ if no == condition => self.and(condition, yes),
            _ if no == !condition => self.or(!condition, yes),
            // One form for a multiplexer and its negation.
            _ if yes.is_negated() => !self.add(Gate::Mux(condition, !yes, !no)),
            _ => self.add(Gate::Mux(condition, yes, no)),
        }
    }
}

impl Gate {
    pub fn operands(self) -> impl Iterator<Item = Bit> {
        let (operands, count) = match self {
            Gate::False | Gate::Input => ([Bit::FALSE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, Bit::FALSE], 2),
            Gate::Mux(a, b, c) => ([a, b, c], 3),
        };
        operands.into_iter().take(count)
    }
}
