//! Expressions: as values, and as conditional jumps.

use super::emit::{Emitter, Flow, Label, Val};
use crate::finite::machine::{Op, Reg, arithmetic, compare};
use crate::finite::program::{Comparison, Expr, Place, Range, SiteId, VarId};

/// Where a place is: known now, or in a register when the code runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Addr {
    Slot(u32),
    Register(Reg),
}

impl Emitter {
    /// Code that leaves the value of an expression.
    pub(super) fn value(&mut self, expr: &Expr) -> Val {
        match expr {
            Expr::Const(value) => Val::Known(*value),
            Expr::Var(var) => self.binding(*var),
            Expr::Load(place, site) => self.load(place, Some(*site)),
            Expr::LoadDefined(place) => self.load(place, None),
            Expr::IsUndefined(place) => self.is_undefined(place),
            Expr::SameContent(a, b, len) => self.same_content(a, b, *len),
            Expr::Arith(op, a, b, site) => {
                let (a, b) = (self.value(a), self.value(b));
                self.arithmetic(*op, a, b, *site)
            }
            Expr::Ite(condition, then, otherwise) => self.ite(condition, then, otherwise),
            Expr::Count { var, range, body } => self.count(*var, range, body),
            Expr::InRange(value, lo, hi, site) => self.in_range(value, *lo, *hi, *site),
            Expr::Block(body, result) => {
                self.statements(body);
                self.value(result)
            }
            Expr::Not(_) | Expr::And(..) | Expr::Or(..) | Expr::Compare(..) | Expr::Quantifier { .. } => {
                self.truth(expr)
            }
        }
    }

    /// Code that jumps to `target` if the truth of `expr` is `when`.
    pub(super) fn branch(&mut self, expr: &Expr, when: bool, target: Label) -> Flow {
        match expr {
            Expr::Not(inner) => self.branch(inner, !when, target),
            Expr::And(a, b) => self.connective(a, b, false, when, target),
            Expr::Or(a, b) => self.connective(a, b, true, when, target),
            Expr::Compare(op, a, b) => self.branch_compare(*op, a, b, when, target),
            Expr::Quantifier { universal, var, range, body } => {
                self.quantifier(*universal, *var, range, body, when, target)
            }
            Expr::Load(place, site) => self.branch_load(place, *site, when, target),
            Expr::Block(body, result) => {
                self.statements(body);
                self.branch(result, when, target)
            }
            _ => {
                let value = self.value(expr);
                self.branch_value(value, when, target)
            }
        }
    }

    pub(super) fn in_register(&mut self, value: Val) -> Reg {
        match value {
            Val::Register(reg) => reg,
            Val::Known(value) => {
                let dst = self.register();
                self.emit(Op::Const { dst, value });
                dst
            }
        }
    }

    pub(super) fn address(&mut self, place: &Place) -> Addr {
        let mut slot = i64::from(place.base);
        let mut addr: Option<Reg> = None;
        for dim in &place.dims {
            match self.value(&dim.index) {
                Val::Known(index) => {
                    let position = index.wrapping_sub(dim.lo);
                    if (position as u64) < u64::from(dim.count) {
                        slot += position * i64::from(dim.stride);
                    } else {
                        // Certain to fail when reached; what follows is dead code.
                        let src = self.in_register(Val::Known(index));
                        let range = self.range(dim.lo, dim.lo + i64::from(dim.count) - 1, dim.site);
                        self.emit(Op::Check { src, range });
                    }
                }
                Val::Register(index) => {
                    let dim = self.dim(dim);
                    let addr = *addr.get_or_insert_with(|| {
                        let reg = self.register();
                        self.emit(Op::Const { dst: reg, value: 0 });
                        reg
                    });
                    self.emit(Op::Offset { addr, index, dim });
                }
            }
        }
        self.add_base(addr, slot)
    }

    fn add_base(&mut self, addr: Option<Reg>, slot: i64) -> Addr {
        let Some(addr) = addr else { return Addr::Slot(slot as u32) };
        let (base, dst) = (self.in_register(Val::Known(slot)), self.register());
        // Slot numbers are small: the site is never used.
        let op = crate::finite::program::Arithmetic::Add;
        self.emit(Op::Arith { op, dst, a: addr, b: base, site: SiteId(0) });
        Addr::Register(dst)
    }

    pub(super) fn address_register(&mut self, place: &Place) -> Reg {
        match self.address(place) {
            Addr::Slot(slot) => self.in_register(Val::Known(i64::from(slot))),
            Addr::Register(reg) => reg,
        }
    }

    fn load(&mut self, place: &Place, site: Option<SiteId>) -> Val {
        let addr = self.address(place);
        let dst = self.register();
        self.emit(match (addr, site) {
            (Addr::Slot(slot), Some(site)) => Op::Load { dst, slot, site },
            (Addr::Slot(slot), None) => Op::LoadDefined { dst, slot },
            (Addr::Register(addr), Some(site)) => Op::LoadAt { dst, addr, site },
            (Addr::Register(addr), None) => Op::LoadDefinedAt { dst, addr },
        });
        Val::Register(dst)
    }

    fn is_undefined(&mut self, place: &Place) -> Val {
        let addr = self.address(place);
        let dst = self.register();
        self.emit(match addr {
            Addr::Slot(slot) => Op::IsUndefined { dst, slot },
            Addr::Register(addr) => Op::IsUndefinedAt { dst, addr },
        });
        Val::Register(dst)
    }

    fn same_content(&mut self, a: &Place, b: &Place, len: u32) -> Val {
        let (a, b) = (self.address_register(a), self.address_register(b));
        let dst = self.register();
        self.emit(Op::Same { dst, a, b, len });
        Val::Register(dst)
    }

    fn arithmetic(&mut self, op: crate::finite::program::Arithmetic, a: Val, b: Val, site: SiteId) -> Val {
        if let (Val::Known(a), Val::Known(b)) = (a, b) {
            return Val::Known(arithmetic(op, a, b).unwrap_or_else(|| {
                self.emit(Op::Fault { site });
                0
            }));
        }
        let (a, b) = (self.in_register(a), self.in_register(b));
        let dst = self.register();
        self.emit(Op::Arith { op, dst, a, b, site });
        Val::Register(dst)
    }

    fn in_range(&mut self, value: &Expr, lo: i64, hi: i64, site: SiteId) -> Val {
        let value = self.value(value);
        if matches!(value, Val::Known(value) if lo <= value && value <= hi) {
            return value;
        }
        let src = self.in_register(value);
        let range = self.range(lo, hi, site);
        self.emit(Op::Check { src, range });
        value
    }

    fn ite(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Val {
        let (other, end) = (self.label(), self.label());
        let dst = self.register();
        let flow = self.branch(condition, false, other);
        if flow == Flow::Never {
            self.place(other);
            self.place(end);
            return self.value(then);
        }
        if flow != Flow::Always {
            let value = self.value(then);
            self.assign(dst, value);
            self.jump(end);
        }
        self.place(other);
        let value = self.value(otherwise);
        self.assign(dst, value);
        self.place(end);
        if flow == Flow::Always { value } else { Val::Register(dst) }
    }

    fn assign(&mut self, dst: Reg, value: Val) {
        self.emit(match value {
            Val::Known(value) => Op::Const { dst, value },
            Val::Register(src) => Op::Move { dst, src },
        });
    }

    /// A Boolean as 0 or 1.
    fn truth(&mut self, expr: &Expr) -> Val {
        let end = self.label();
        let dst = self.register();
        self.emit(Op::Const { dst, value: 0 });
        let flow = self.branch(expr, false, end);
        if flow == Flow::Maybe {
            self.emit(Op::Const { dst, value: 1 });
        }
        self.place(end);
        match flow {
            Flow::Always => Val::Known(0),
            Flow::Never => Val::Known(1),
            Flow::Maybe => Val::Register(dst),
        }
    }

    fn count(&mut self, var: VarId, range: &Range, body: &Expr) -> Val {
        let total = self.register();
        self.emit(Op::Const { dst: total, value: 0 });
        self.repeat(var, range, &mut |emitter| {
            let skip = emitter.label();
            emitter.branch(body, false, skip);
            emitter.emit(Op::Increment { dst: total });
            emitter.place(skip);
        });
        Val::Register(total)
    }

    fn branch_value(&mut self, value: Val, when: bool, target: Label) -> Flow {
        match value {
            Val::Known(value) => self.decided((value != 0) == when, target),
            Val::Register(reg) => {
                let to = target.0;
                self.emit(if when { Op::JumpIfNonZero { reg, to } } else { Op::JumpIfZero { reg, to } });
                Flow::Maybe
            }
        }
    }

    fn decided(&mut self, jumps: bool, target: Label) -> Flow {
        if !jumps {
            return Flow::Never;
        }
        self.jump(target);
        Flow::Always
    }

    /// `a or b` if `absorbing`, else `a and b`: the absorbing truth value of either side decides.
    fn connective(&mut self, a: &Expr, b: &Expr, absorbing: bool, when: bool, target: Label) -> Flow {
        if when == absorbing {
            let first = self.branch(a, when, target);
            if first == Flow::Always {
                return Flow::Always;
            }
            let second = self.branch(b, when, target);
            return if first == Flow::Never { second } else { Flow::Maybe };
        }
        let skip = self.label();
        let first = self.branch(a, absorbing, skip);
        let second = if first == Flow::Always { Flow::Never } else { self.branch(b, when, target) };
        self.place(skip);
        match first {
            Flow::Always => Flow::Never,
            Flow::Never => second,
            Flow::Maybe => Flow::Maybe,
        }
    }

    fn branch_compare(&mut self, op: Comparison, a: &Expr, b: &Expr, when: bool, target: Label) -> Flow {
        let op = if when { op } else { negated(op) };
        if let Some(flow) = self.branch_slot(op, a, b, target) {
            return flow;
        }
        let mark = self.register_mark();
        let (a, b) = (self.value(a), self.value(b));
        if let (Val::Known(a), Val::Known(b)) = (a, b) {
            return self.decided(compare(op, a, b), target);
        }
        let (a, b) = (self.in_register(a), self.in_register(b));
        self.emit(Op::JumpCompare { op, a, b, to: target.0 });
        self.release_registers(mark);
        Flow::Maybe
    }

    /// The short form for "slot (un)equal to a constant".
    fn branch_slot(&mut self, op: Comparison, a: &Expr, b: &Expr, target: Label) -> Option<Flow> {
        if !matches!(op, Comparison::Eq | Comparison::Ne) {
            return None;
        }
        let (place, site, value) = match (a, b) {
            (Expr::Load(place, site), other) | (other, Expr::Load(place, site)) => {
                (place, *site, self.small_constant(other)?)
            }
            _ => return None,
        };
        let slot = self.fixed_slot(place)?;
        self.jump_slot(op == Comparison::Eq, slot, value, site, target);
        Some(Flow::Maybe)
    }

    fn jump_slot(&mut self, equal: bool, slot: u32, value: i32, site: SiteId, target: Label) {
        let to = target.0;
        self.emit(if equal {
            Op::JumpSlotEq { slot, value, to, site }
        } else {
            Op::JumpSlotNe { slot, value, to, site }
        });
    }

    fn branch_load(&mut self, place: &Place, site: SiteId, when: bool, target: Label) -> Flow {
        if let Some(slot) = self.fixed_slot(place) {
            self.jump_slot(!when, slot, 0, site, target);
            return Flow::Maybe;
        }
        let value = self.load(place, Some(site));
        self.branch_value(value, when, target)
    }

    /// The value of a constant or bound variable, if it is small.
    fn small_constant(&self, expr: &Expr) -> Option<i32> {
        match expr {
            Expr::Const(value) => i32::try_from(*value).ok(),
            Expr::Var(var) => match self.binding(*var) {
                Val::Known(value) => i32::try_from(value).ok(),
                Val::Register(_) => None,
            },
            _ => None,
        }
    }

    /// The slot of a place whose indices are all constants or known variables in bounds.
    fn fixed_slot(&self, place: &Place) -> Option<u32> {
        let mut slot = place.base;
        for dim in &place.dims {
            let position = i64::from(self.small_constant(&dim.index)?) - dim.lo;
            let position = u32::try_from(position).ok().filter(|&position| position < dim.count)?;
            slot += position * dim.stride;
        }
        Some(slot)
    }

    fn quantifier(
        &mut self,
        universal: bool,
        var: VarId,
        range: &Range,
        body: &Expr,
        when: bool,
        target: Label,
    ) -> Flow {
        if range.unordered && may_fault(body) {
            return self.whole_quantifier(universal, var, range, body, when, target);
        }
        // For all: one false instance decides; exists: one true instance does.
        let deciding = !universal;
        if when == deciding {
            return self.any_instance(var, range, body, when, target);
        }
        let skip = self.label();
        let flow = self.any_instance(var, range, body, deciding, skip);
        if flow != Flow::Always {
            self.jump(target);
        }
        self.place(skip);
        match flow {
            Flow::Always => Flow::Never,
            Flow::Never => Flow::Always,
            Flow::Maybe => Flow::Maybe,
        }
    }

    /// A quantifier that evaluates every instance, decided or not.
    fn whole_quantifier(
        &mut self,
        universal: bool,
        var: VarId,
        range: &Range,
        body: &Expr,
        when: bool,
        target: Label,
    ) -> Flow {
        let result = self.register();
        self.emit(Op::Const { dst: result, value: i64::from(universal) });
        self.repeat(var, range, &mut |emitter| {
            let skip = emitter.label();
            emitter.branch(body, universal, skip);
            emitter.emit(Op::Const { dst: result, value: i64::from(!universal) });
            emitter.place(skip);
        });
        self.branch_value(Val::Register(result), when, target)
    }

    /// Jumps if the truth of some instance is `when`.
    fn any_instance(&mut self, var: VarId, range: &Range, body: &Expr, when: bool, target: Label) -> Flow {
        let mut result = Flow::Never;
        let unrolled = self.repeat(var, range, &mut |emitter| {
            if result == Flow::Always {
                return;
            }
            let flow = emitter.branch(body, when, target);
            result = match (result, flow) {
                (Flow::Never, flow) => flow,
                _ => Flow::Maybe,
            };
        });
        // A loop that is kept may make no round at all.
        if result == Flow::Always && !unrolled { Flow::Maybe } else { result }
    }
}

/// Whether evaluating an expression might fail.
fn may_fault(expr: &Expr) -> bool {
    let safe_place = |place: &Place| place.dims.is_empty();
    match expr {
        Expr::Const(_) | Expr::Var(_) => false,
        Expr::Load(..) | Expr::Arith(..) | Expr::InRange(..) | Expr::Block(..) => true,
        Expr::LoadDefined(place) | Expr::IsUndefined(place) => !safe_place(place),
        Expr::SameContent(a, b, _) => !safe_place(a) || !safe_place(b),
        Expr::Not(inner) => may_fault(inner),
        Expr::And(a, b) | Expr::Or(a, b) | Expr::Compare(_, a, b) => may_fault(a) || may_fault(b),
        Expr::Ite(a, b, c) => may_fault(a) || may_fault(b) || may_fault(c),
        Expr::Quantifier { range, body, .. } | Expr::Count { range, body, .. } => {
            [&range.from, &range.to, &range.step, body].into_iter().any(may_fault)
        }
    }
}

fn negated(op: Comparison) -> Comparison {
    match op {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Lt => Comparison::Ge,
        Comparison::Ge => Comparison::Lt,
        Comparison::Gt => Comparison::Le,
        Comparison::Le => Comparison::Gt,
    }
}
