//! Statements and loops.

use super::emit::{Emitter, Flow, Val};
use super::expr::Addr;
use crate::finite::machine::Op;
use crate::finite::program::{Comparison, Expr, Place, Range, SiteId, Stmt, VarId};

impl Emitter {
    pub(super) fn statements(&mut self, body: &[Stmt]) {
        for stmt in body {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        if let Stmt::Let(var, value) = stmt {
            let value = self.value(value);
            return self.bind(*var, value);
        }
        let mark = self.register_mark();
        match stmt {
            Stmt::Let(..) => {}
            Stmt::Store(place, value) => self.store(place, value),
            Stmt::Copy { from, to, len } => self.copy(from, to, *len),
            Stmt::Undefine(place, len) => self.undefine(place, *len),
            Stmt::If(condition, then, otherwise) => self.branch_statement(condition, then, otherwise),
            Stmt::For(var, range, body) => {
                self.repeat(*var, range, &mut |emitter| emitter.statements(body));
            }
            Stmt::While(condition, body, site) => self.while_loop(condition, body, *site),
            Stmt::Block(label, body) => {
                let end = self.open_block(*label);
                self.statements(body);
                self.place(end);
            }
            Stmt::Leave(label) => {
                let end = self.block(*label);
                self.jump(end);
            }
            Stmt::Evaluate(expr) => {
                self.value(expr);
            }
            Stmt::Fault(site) => self.emit(Op::Fault { site: *site }),
            Stmt::Reject => self.emit(Op::No),
            Stmt::Cover(number) => self.emit(Op::Cover { number: *number }),
        }
        self.release_registers(mark);
    }

    fn store(&mut self, place: &Place, value: &Expr) {
        // The right side first: it may contain a call that changes what the indices read. Murphi leaves the order
        // open; Rumur evaluates the left side first only for its address.
        let value = self.value(value);
        match (self.address(place), value) {
            (Addr::Slot(slot), Val::Known(value)) => self.emit(Op::StoreConst { slot, value }),
            (Addr::Slot(slot), Val::Register(src)) => self.emit(Op::Store { slot, src }),
            (Addr::Register(addr), value) => {
                let src = self.in_register(value);
                self.emit(Op::StoreAt { addr, src });
            }
        }
    }

    fn copy(&mut self, from: &Place, to: &Place, len: u32) {
        match (self.address(from), self.address(to)) {
            (Addr::Slot(from), Addr::Slot(to)) => self.emit(Op::Copy { from, to, len }),
            (from, to) => {
                let [from, to] = [from, to].map(|addr| match addr {
                    Addr::Slot(slot) => self.in_register(Val::Known(i64::from(slot))),
                    Addr::Register(reg) => reg,
                });
                self.emit(Op::CopyAt { from, to, len });
            }
        }
    }

    fn undefine(&mut self, place: &Place, len: u32) {
        match self.address(place) {
            Addr::Slot(slot) => self.emit(Op::Undefine { slot, len }),
            Addr::Register(addr) => self.emit(Op::UndefineAt { addr, len }),
        }
    }

    fn branch_statement(&mut self, condition: &Expr, then: &[Stmt], otherwise: &[Stmt]) {
        let (other, end) = (self.label(), self.label());
        let flow = self.branch(condition, false, other);
        if flow != Flow::Always {
            self.statements(then);
            if flow == Flow::Maybe && !otherwise.is_empty() {
                self.jump(end);
            }
        }
        self.place(other);
        if flow != Flow::Never {
            self.statements(otherwise);
        }
        self.place(end);
    }

    fn while_loop(&mut self, condition: &Expr, body: &[Stmt], site: SiteId) {
        let (top, end) = (self.label(), self.label());
        let counter = self.register();
        self.emit(Op::Const { dst: counter, value: 0 });
        self.place(top);
        self.branch(condition, false, end);
        self.emit(Op::Round { counter, site });
        self.statements(body);
        self.jump(top);
        self.place(end);
    }

    /// Code for each round of a counted loop: unrolled (and then true), or once with the variable in a register.
    pub(super) fn repeat(&mut self, var: VarId, range: &Range, round: &mut dyn FnMut(&mut Emitter)) -> bool {
        if let Some((from, step, rounds)) = self.unrolled(range) {
            for position in 0..rounds {
                self.bind_known(var, from + position * step);
                round(self);
            }
            return true;
        }
        self.counted_loop(var, range, round);
        false
    }

    fn unrolled(&self, range: &Range) -> Option<(i64, i64, i64)> {
        let (from, to, step) = (self.known(&range.from)?, self.known(&range.to)?, self.known(&range.step)?);
        let rounds = rounds(from, to, step);
        self.may_unroll(rounds).then_some((from, step, rounds as i64))
    }

    fn known(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Var(var) => match self.binding(*var) {
                Val::Known(value) => Some(value),
                Val::Register(_) => None,
            },
            _ => None,
        }
    }

    fn counted_loop(&mut self, var: VarId, range: &Range, round: &mut dyn FnMut(&mut Emitter)) {
        let [from, to, step] = [&range.from, &range.to, &range.step].map(|expr| self.value(expr));
        let counter = self.bind_register(var);
        let from = self.in_register(from);
        self.emit(Op::Move { dst: counter, src: from });
        let (to, step_reg) = (self.in_register(to), self.in_register(step));
        let (top, end) = (self.label(), self.label());
        self.place(top);
        self.leave_when_past(counter, to, step, step_reg, end.0);
        round(self);
        self.emit(Op::Advance { counter, step: step_reg, to: end.0 });
        self.jump(top);
        self.place(end);
    }

    fn leave_when_past(&mut self, counter: u32, to: u32, step: Val, step_reg: u32, end: u32) {
        if let Val::Known(step) = step {
            let op = if step < 0 { Comparison::Lt } else { Comparison::Gt };
            return self.emit(Op::JumpCompare { op, a: counter, b: to, to: end });
        }
        let zero = self.in_register(Val::Known(0));
        let (down, body) = (self.label(), self.label());
        self.emit(Op::JumpCompare { op: Comparison::Lt, a: step_reg, b: zero, to: down.0 });
        self.emit(Op::JumpCompare { op: Comparison::Gt, a: counter, b: to, to: end });
        self.jump(body);
        self.place(down);
        self.emit(Op::JumpCompare { op: Comparison::Lt, a: counter, b: to, to: end });
        self.place(body);
    }
}

fn rounds(from: i64, to: i64, step: i64) -> i128 {
    let distance = i128::from(to) - i128::from(from);
    let step = i128::from(step);
    if step == 0 || distance.signum() * step.signum() < 0 { 0 } else { distance / step + 1 }
}
