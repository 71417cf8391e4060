//! Random well-sorted terms and random models, driven by a list of choices so that failures shrink well.
//!
//! There are few symbols of each sort, and bound ones may occur free, to make capture and shadowing likely.
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test binary uses a part; a failed unwrap is a failed test"
)]

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;
use tenet_term::{BitVec, BvOp, FunctionTable, Model, Op, Role, SortId, SymbolId, TermId, TermStore, Value};

/// The choices a generator is driven by; zero, the simplest, when they run out.
pub struct Choices<'a> {
    rest: &'a [u8],
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { rest: bytes }
    }

    pub fn below(&mut self, limit: usize) -> usize {
        let Some((&first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        first as usize % limit
    }
}

pub fn choices() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..400)
}

/// Which constructors a generated term is built with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum How {
    Smart,
    Raw,
}

pub struct World {
    pub store: TermStore,
    pub color: SortId,
    pub node: SortId,
    pub small: SortId,
    pub either: SortId,
    pub bits: SortId,
    pub symbols: Vec<SymbolId>,
}

impl World {
    pub fn new() -> World {
        let mut store = TermStore::new();
        let color = store.enum_sort("Color", &["Red", "Green", "Blue"]);
        let node = store.index_sort("Node");
        let small = store.range_sort(0, 2);
        let either = store.union_sort("Either", &[color, node]);
        let bits = store.bitvec_sort(3);
        let mut world = World { store, color, node, small, either, bits, symbols: Vec::new() };
        world.declare_symbols();
        world
    }

    fn declare_symbols(&mut self) {
        let (color, node, small) = (self.color, self.node, self.small);
        let functions = [
            ("f", vec![node], color),
            ("g", vec![node, color], SortId::INT),
            ("t", vec![node], SortId::BOOL),
            ("next", vec![node], node),
            ("k", vec![small], SortId::INT),
        ];
        for (name, args, result) in functions {
            let sort = self.store.function_sort(&args, result);
            self.add(name, sort, Role::State);
            self.add(&format!("{name}0"), sort, Role::Initial);
        }
        for sort in [SortId::BOOL, SortId::INT, SortId::REAL, color, node, small, self.either, self.bits] {
            for (place, role) in [Role::State, Role::Input, Role::Bound, Role::Bound].into_iter().enumerate()
            {
                let name = format!("{}{place}", self.store.sort_name(sort).chars().next().unwrap_or('x'));
                self.add(&name, sort, role);
            }
        }
    }

    fn add(&mut self, name: &str, sort: SortId, role: Role) {
        let symbol = self.store.declare(name, sort, role);
        self.symbols.push(symbol);
    }

    pub fn symbols_of(&self, sort: SortId) -> Vec<SymbolId> {
        self.symbols.iter().copied().filter(|&symbol| self.store.symbol(symbol).sort == sort).collect()
    }

    fn build(&mut self, how: How, op: Op, args: &[TermId]) -> TermId {
        match how {
            How::Smart => self.store.mk(op, args),
            How::Raw => self.store.raw(op, args),
        }
    }

    fn bound_of(&self, sort: SortId, choices: &mut Choices) -> SymbolId {
        let all = self.symbols_of(sort);
        let bound: Vec<_> =
            all.into_iter().filter(|&symbol| self.store.symbol(symbol).role == Role::Bound).collect();
        bound[choices.below(bound.len())]
    }

    fn pick_symbol(&mut self, sort: SortId, choices: &mut Choices) -> TermId {
        let all = self.symbols_of(sort);
        self.store.mk_symbol(all[choices.below(all.len())])
    }

    /// A random term of a sort, or of `Int` for the range's neighbours.
    pub fn term(&mut self, how: How, sort: SortId, depth: usize, choices: &mut Choices) -> TermId {
        if depth == 0 || choices.below(6) == 0 {
            return self.leaf(sort, choices);
        }
        if choices.below(6) == 0 {
            let condition = self.term(how, SortId::BOOL, depth - 1, choices);
            let yes = self.term(how, sort, depth - 1, choices);
            let no = self.term(how, sort, depth - 1, choices);
            return self.build(how, Op::Ite, &[condition, yes, no]);
        }
        match self.store.sort(sort).clone() {
            tenet_term::Sort::Function { args, result } => {
                self.function(how, sort, &args, result, depth, choices)
            }
            _ if sort == SortId::BOOL => self.formula(how, depth - 1, choices),
            _ if sort == SortId::INT => self.integer(how, depth - 1, choices),
            _ if sort == SortId::REAL => self.real(how, depth - 1, choices),
            _ if sort == self.bits => self.bitvec(how, depth - 1, choices),
            _ if sort == self.color || sort == self.node => self.member(how, sort, depth - 1, choices),
            _ if sort == self.either => {
                let member = if choices.below(2) == 0 { self.color } else { self.node };
                let inner = self.term(how, member, depth - 1, choices);
                self.build(how, Op::In(sort, member), &[inner])
            }
            _ => self.leaf(sort, choices),
        }
    }

    fn leaf(&mut self, sort: SortId, choices: &mut Choices) -> TermId {
        let literal = choices.below(3) == 1;
        if !literal || matches!(self.store.sort(sort), tenet_term::Sort::Function { .. }) {
            return self.pick_symbol(sort, choices);
        }
        let number = choices.below(6) as i64;
        match sort {
            SortId::BOOL => TermId::bool(number % 2 == 0),
            SortId::INT => self.store.mk_int(number - 2),
            SortId::REAL => {
                self.store.mk_rational(BigRational::new(BigInt::from(number - 2), BigInt::from(2)))
            }
            _ if sort == self.small => self.store.mk_int(number % 3),
            _ if sort == self.color => self.store.mk_enum(sort, number as u32 % 3),
            // Every model has at least one node.
            _ if sort == self.node => self.store.mk_index(sort, 0),
            _ if sort == self.bits => self.store.mk_bitvec(3, number as u32),
            _ => {
                let (color, either) = (self.color, self.either);
                let inner = self.store.mk_enum(color, number as u32 % 3);
                self.store.mk_in(either, color, inner)
            }
        }
    }

    fn function(
        &mut self,
        how: How,
        sort: SortId,
        args: &[SortId],
        result: SortId,
        depth: usize,
        choices: &mut Choices,
    ) -> TermId {
        if choices.below(2) == 0 {
            let bound: Vec<SymbolId> = args.iter().map(|&arg| self.bound_of(arg, choices)).collect();
            let body = self.term(how, result, depth - 1, choices);
            return self.build(how, Op::Lambda(bound.into()), &[body]);
        }
        let function = self.term(how, sort, depth - 1, choices);
        let places: Vec<TermId> = args.iter().map(|&arg| self.term(how, arg, depth - 1, choices)).collect();
        let value = self.term(how, result, depth - 1, choices);
        self.store.mk_store(function, &places, value)
    }

    fn apply(&mut self, how: How, name: usize, depth: usize, choices: &mut Choices) -> TermId {
        // Functions come in pairs, in the order of their declaration.
        let sort = self.store.symbol(self.symbols[2 * name]).sort;
        let tenet_term::Sort::Function { args, .. } = self.store.sort(sort).clone() else { unreachable!() };
        let mut operands = vec![self.term(how, sort, depth, choices)];
        for arg in args {
            operands.push(self.term(how, arg, depth, choices));
        }
        self.build(how, Op::Apply, &operands)
    }

    fn pair(&mut self, how: How, sort: SortId, depth: usize, choices: &mut Choices) -> [TermId; 2] {
        [self.term(how, sort, depth, choices), self.term(how, sort, depth, choices)]
    }

    fn formula(&mut self, how: How, depth: usize, choices: &mut Choices) -> TermId {
        let any = [SortId::INT, SortId::REAL, self.color, self.node, self.small, self.either, self.bits];
        match choices.below(14) {
            0 => {
                let arg = self.term(how, SortId::BOOL, depth, choices);
                self.build(how, Op::Not, &[arg])
            }
            kind @ 1..=2 => {
                let count = choices.below(4);
                let args: Vec<_> = (0..count).map(|_| self.term(how, SortId::BOOL, depth, choices)).collect();
                self.build(how, if kind == 1 { Op::And } else { Op::Or }, &args)
            }
            3 => {
                let args = self.pair(how, SortId::BOOL, depth, choices);
                self.build(how, Op::Implies, &args)
            }
            4 => {
                let args = self.pair(how, SortId::BOOL, depth, choices);
                self.build(how, Op::Iff, &args)
            }
            5 | 6 => {
                let args = self.pair(how, any[choices.below(any.len())], depth, choices);
                self.build(how, Op::Eq, &args)
            }
            7 => {
                let sort = any[choices.below(any.len())];
                let args: Vec<_> = (0..3).map(|_| self.term(how, sort, depth, choices)).collect();
                self.build(how, Op::Distinct, &args)
            }
            kind @ 8..=9 => {
                let sort = [SortId::INT, SortId::REAL][choices.below(2)];
                let args = self.pair(how, sort, depth, choices);
                self.build(how, if kind == 8 { Op::Lt } else { Op::Le }, &args)
            }
            10 => {
                let op = [BvOp::Ult, BvOp::Ule, BvOp::Slt, BvOp::Sle][choices.below(4)];
                let args = self.pair(how, self.bits, depth, choices);
                self.build(how, Op::Bv(op), &args)
            }
            11 => {
                let finite = [SortId::BOOL, self.color, self.node, self.small, self.either];
                let bound = vec![self.bound_of(finite[choices.below(5)], choices)];
                let universal = choices.below(2) == 0;
                let body = self.term(how, SortId::BOOL, depth, choices);
                let op = if universal { Op::Forall(bound.into()) } else { Op::Exists(bound.into()) };
                self.build(how, op, &[body])
            }
            12 => self.apply(how, 2, depth, choices),
            _ => {
                let member = if choices.below(2) == 0 { self.color } else { self.node };
                let arg = self.term(how, self.either, depth, choices);
                self.build(how, Op::Is(member), &[arg])
            }
        }
    }

    fn integer(&mut self, how: How, depth: usize, choices: &mut Choices) -> TermId {
        match choices.below(10) {
            0 | 1 => {
                let count = 1 + choices.below(3);
                let args: Vec<_> = (0..count).map(|_| self.term(how, SortId::INT, depth, choices)).collect();
                self.build(how, Op::Add, &args)
            }
            2 => {
                let arg = self.term(how, SortId::INT, depth, choices);
                self.build(how, Op::Neg, &[arg])
            }
            kind @ 3..=4 => {
                let ops = [Op::DivEuclid, Op::ModEuclid, Op::DivTrunc, Op::RemTrunc];
                let op = if kind == 3 { Op::Mul } else { ops[choices.below(4)].clone() };
                let args = self.pair(how, SortId::INT, depth, choices);
                self.build(how, op, &args)
            }
            5 => self.apply(how, 1, depth, choices),
            6 => self.apply(how, 4, depth, choices),
            7 => self.term(how, self.small, depth, choices),
            8 => {
                let arg = self.term(how, SortId::REAL, depth, choices);
                self.build(how, Op::ToInt, &[arg])
            }
            _ => {
                let arg = self.term(how, self.bits, depth, choices);
                self.build(how, Op::Bv(BvOp::ToInt), &[arg])
            }
        }
    }

    fn real(&mut self, how: How, depth: usize, choices: &mut Choices) -> TermId {
        let op = [Op::Add, Op::Mul, Op::DivReal, Op::Neg, Op::ToReal][choices.below(5)].clone();
        match op {
            Op::Neg => {
                let arg = self.term(how, SortId::REAL, depth, choices);
                self.build(how, op, &[arg])
            }
            Op::ToReal => {
                let arg = self.term(how, SortId::INT, depth, choices);
                self.build(how, op, &[arg])
            }
            _ => {
                let args = self.pair(how, SortId::REAL, depth, choices);
                self.build(how, op, &args)
            }
        }
    }

    fn bitvec(&mut self, how: How, depth: usize, choices: &mut Choices) -> TermId {
        let binary = [
            BvOp::And,
            BvOp::Or,
            BvOp::Xor,
            BvOp::Add,
            BvOp::Sub,
            BvOp::Mul,
            BvOp::Udiv,
            BvOp::Urem,
            BvOp::Sdiv,
            BvOp::Srem,
            BvOp::Smod,
            BvOp::Shl,
            BvOp::Lshr,
            BvOp::Ashr,
        ];
        let kind = choices.below(binary.len() + 5);
        if kind < binary.len() {
            let args = self.pair(how, self.bits, depth, choices);
            return self.build(how, Op::Bv(binary[kind]), &args);
        }
        if kind == binary.len() {
            let arg = self.term(how, SortId::INT, depth, choices);
            return self.build(how, Op::Bv(BvOp::FromInt(3)), &[arg]);
        }
        let arg = self.term(how, self.bits, depth, choices);
        match kind - binary.len() {
            1 => self.build(how, Op::Bv(BvOp::Not), &[arg]),
            2 => self.build(how, Op::Bv(BvOp::Neg), &[arg]),
            3 => {
                let wide = [BvOp::ZeroExtend(2), BvOp::SignExtend(1)][choices.below(2)];
                let wide = self.build(how, Op::Bv(wide), &[arg]);
                let lo = choices.below(2) as u32;
                self.build(how, Op::Bv(BvOp::Extract { hi: lo + 2, lo }), &[wide])
            }
            _ => {
                let high = self.build(how, Op::Bv(BvOp::Extract { hi: 1, lo: 0 }), &[arg]);
                let low = self.build(how, Op::Bv(BvOp::Extract { hi: 2, lo: 2 }), &[arg]);
                self.build(how, Op::Bv(BvOp::Concat), &[high, low])
            }
        }
    }

    fn member(&mut self, how: How, sort: SortId, depth: usize, choices: &mut Choices) -> TermId {
        if choices.below(2) == 0 {
            let arg = self.term(how, self.either, depth, choices);
            return self.build(how, Op::Out(sort), &[arg]);
        }
        self.apply(how, if sort == self.color { 0 } else { 3 }, depth, choices)
    }

    /// A model with one to three nodes and a value for every symbol.
    pub fn model(&self, choices: &mut Choices) -> Model {
        let mut model = Model::new();
        model.set_size(self.node, 1 + choices.below(3) as u32);
        for &symbol in &self.symbols {
            let value = self.value(&model, self.store.symbol(symbol).sort, choices);
            model.set(symbol, value);
        }
        model
    }

    pub fn value(&self, model: &Model, sort: SortId, choices: &mut Choices) -> Value {
        if let tenet_term::Sort::Function { args, result } = self.store.sort(sort) {
            let mut table = FunctionTable::new(self.value(model, *result, choices));
            for _ in 0..choices.below(5) {
                let place = args.iter().map(|&arg| self.value(model, arg, choices)).collect();
                table.set(place, self.value(model, *result, choices));
            }
            return table.into();
        }
        match sort {
            SortId::INT => Value::int(choices.below(8) as i64 - 3),
            SortId::REAL => {
                Value::Real(BigRational::new(BigInt::from(choices.below(8) as i64 - 3), BigInt::from(2)))
            }
            _ if sort == self.bits => Value::BitVec(BitVec::new(3, choices.below(8).into())),
            _ => {
                let size = model.cardinality(&self.store, sort).unwrap();
                model.element(&self.store, sort, choices.below(size as usize) as u64).unwrap()
            }
        }
    }

    /// The sorts that terms are generated for.
    pub fn sorts(&self) -> Vec<SortId> {
        let functions = (0..5).map(|name| self.store.symbol(self.symbols[2 * name]).sort);
        let plain = [SortId::INT, SortId::REAL, self.color, self.node, self.either, self.bits];
        std::iter::repeat_n(SortId::BOOL, 6).chain(plain).chain(functions).collect()
    }
}
