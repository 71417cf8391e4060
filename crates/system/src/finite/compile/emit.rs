//! The code buffer: instructions, labels, registers and what is known of each variable.

use crate::finite::machine::{DimInfo, Machine, Op, Pc, RangeInfo, Reg};
use crate::finite::program::{Dim, Expr, LabelId, Program, SiteId, Stmt, VarId};

/// Instructions of one piece of code after which its loops are no longer unrolled.
const UNROLL_CODE: usize = 20_000;
const UNROLL_ROUNDS: i128 = 64;

/// A jump target that may not be placed yet. Until the end, jumps hold label numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label(pub(super) u32);

/// What is known of a variable.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    Unbound,
    Known(i64),
    Register(Reg),
}

/// The value of an expression: known now, or in a register when the code runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Val {
    Known(i64),
    Register(Reg),
}

/// Whether a conditional jump was decided at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Never,
    Always,
    Maybe,
}

pub(super) struct Emitter {
    machine: Machine,
    /// Where each label is, once placed.
    labels: Vec<Option<Pc>>,
    /// The machine label of each block label that is open.
    blocks: Vec<Option<Label>>,
    bindings: Vec<Binding>,
    next_register: Reg,
    unroll: bool,
    entry: Pc,
}

impl Emitter {
    pub(super) fn new(program: &Program, unroll: bool) -> Emitter {
        Emitter {
            machine: Machine { covers: program.cover_statements.len(), registers: 1, ..Machine::default() },
            labels: Vec::new(),
            blocks: vec![None; program.labels as usize],
            bindings: vec![Binding::Unbound; program.vars as usize],
            next_register: 0,
            unroll,
            entry: 0,
        }
    }

    /// Replaces label numbers by positions.
    pub(super) fn finish(mut self) -> Machine {
        let place =
            |to: &mut Pc| *to = self.labels[*to as usize].expect("invariant: every label is placed once");
        for op in &mut self.machine.ops {
            match op {
                Op::Jump { to }
                | Op::JumpSlotEq { to, .. }
                | Op::JumpSlotNe { to, .. }
                | Op::JumpIfZero { to, .. }
                | Op::JumpIfNonZero { to, .. }
                | Op::JumpCompare { to, .. }
                | Op::Advance { to, .. } => place(to),
                _ => {}
            }
        }
        self.machine
    }

    pub(super) fn code_size(&self) -> usize {
        self.machine.ops.len()
    }

    /// Forgets registers before a new piece of code.
    pub(super) fn reset(&mut self) {
        self.next_register = 0;
    }

    pub(super) fn bind_known(&mut self, var: VarId, value: i64) {
        self.bindings[var.0 as usize] = Binding::Known(value);
    }

    pub(super) fn bind_register(&mut self, var: VarId) -> Reg {
        let reg = self.register();
        self.bindings[var.0 as usize] = Binding::Register(reg);
        reg
    }

    pub(super) fn bind(&mut self, var: VarId, value: Val) {
        self.bindings[var.0 as usize] = match value {
            Val::Known(value) => Binding::Known(value),
            Val::Register(reg) => Binding::Register(reg),
        };
    }

    pub(super) fn binding(&self, var: VarId) -> Val {
        match self.bindings[var.0 as usize] {
            Binding::Known(value) => Val::Known(value),
            Binding::Register(reg) => Val::Register(reg),
            Binding::Unbound => unreachable!("invariant: variables are bound before use"),
        }
    }

    pub(super) fn register(&mut self) -> Reg {
        self.next_register += 1;
        self.machine.registers = self.machine.registers.max(self.next_register as usize);
        self.next_register - 1
    }

    pub(super) fn register_mark(&self) -> Reg {
        self.next_register
    }

    pub(super) fn release_registers(&mut self, mark: Reg) {
        self.next_register = mark;
    }

    pub(super) fn emit(&mut self, op: Op) {
        self.machine.ops.push(op);
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    pub(super) fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.machine.ops.len() as Pc);
    }

    pub(super) fn jump(&mut self, label: Label) {
        self.emit(Op::Jump { to: label.0 });
    }

    pub(super) fn open_block(&mut self, block: LabelId) -> Label {
        let label = self.label();
        self.blocks[block.0 as usize] = Some(label);
        label
    }

    pub(super) fn block(&self, block: LabelId) -> Label {
        self.blocks[block.0 as usize].expect("invariant: Leave stands inside its block")
    }

    pub(super) fn dim(&mut self, dim: &Dim) -> u32 {
        let info = DimInfo { lo: dim.lo, count: dim.count, stride: dim.stride, site: dim.site };
        self.machine.dims.push(info);
        self.machine.dims.len() as u32 - 1
    }

    pub(super) fn range(&mut self, lo: i64, hi: i64, site: SiteId) -> u32 {
        self.machine.ranges.push(RangeInfo { lo, hi, site });
        self.machine.ranges.len() as u32 - 1
    }

    /// Whether a loop with constant bounds is to be unrolled.
    pub(super) fn may_unroll(&self, rounds: i128) -> bool {
        let size = self.code_size() - self.entry as usize;
        self.unroll && rounds <= UNROLL_ROUNDS && size < UNROLL_CODE
    }

    /// Starts a piece of code.
    fn start(&mut self) -> Pc {
        self.entry = self.machine.ops.len() as Pc;
        self.entry
    }

    /// Code for a formula without parameters.
    pub(super) fn predicate(&mut self, formula: &Expr) -> Pc {
        self.reset();
        self.predicate_here(formula)
    }

    /// Code for a formula whose parameters are bound.
    pub(super) fn predicate_here(&mut self, formula: &Expr) -> Pc {
        let entry = self.start();
        let no = self.label();
        self.branch(formula, false, no);
        self.emit(Op::Yes);
        self.place(no);
        self.emit(Op::No);
        entry
    }

    /// Code for a guard; `None` if it is false whatever the state.
    pub(super) fn guard(&mut self, guard: &Expr) -> Option<Pc> {
        let entry = self.start();
        let no = self.label();
        let flow = self.branch(guard, false, no);
        // Code that can fault must stay even if the guard is certainly false.
        let pure = self.machine.ops[entry as usize..].iter().all(|op| matches!(op, Op::Jump { .. }));
        self.emit(Op::Yes);
        self.place(no);
        self.emit(Op::No);
        (flow != Flow::Always || !pure).then_some(entry)
    }

    /// The slot and value without which a guard is certainly false.
    pub(super) fn first_test(&self, guard: Pc) -> Option<(u32, i64)> {
        let Op::JumpSlotNe { slot, value, to, .. } = self.machine.ops[guard as usize] else { return None };
        let target = self.labels[to as usize]?;
        let fails = self.machine.ops.get(target as usize) == Some(&Op::No);
        fails.then_some((slot, i64::from(value)))
    }

    pub(super) fn body(&mut self, body: &[Stmt]) -> Pc {
        let entry = self.start();
        self.statements(body);
        self.emit(Op::Yes);
        entry
    }
}
