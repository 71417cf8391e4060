//! The register machine that runs compiled programs.
//!
//! Instructions are flat and fixed-size; the commonest test in protocol models, "slot equals constant, else jump", is
//! one instruction. Closures or native code would be faster still, but an interpreter of this shape already spends
//! less time here than in hashing, starts at once and needs no compiler at run time.

use super::layout::UNDEFINED;
use super::program::{Arithmetic, Comparison, SiteId};

pub type Reg = u32;
pub type SlotNo = u32;
/// A program counter.
pub type Pc = u32;

/// How many rounds a `while` loop may make before it counts as endless.
pub const LOOP_LIMIT: i64 = 1_000_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Jump {
        to: Pc,
    },
    /// Jumps if the slot equals the value; a fault if it is undefined.
    JumpSlotEq {
        slot: SlotNo,
        value: i32,
        to: Pc,
        site: SiteId,
    },
    /// Jumps if the slot differs from the value; a fault if it is undefined.
    JumpSlotNe {
        slot: SlotNo,
        value: i32,
        to: Pc,
        site: SiteId,
    },
    JumpIfZero {
        reg: Reg,
        to: Pc,
    },
    JumpIfNonZero {
        reg: Reg,
        to: Pc,
    },
    JumpCompare {
        op: Comparison,
        a: Reg,
        b: Reg,
        to: Pc,
    },
    Const {
        dst: Reg,
        value: i64,
    },
    Move {
        dst: Reg,
        src: Reg,
    },
    Load {
        dst: Reg,
        slot: SlotNo,
        site: SiteId,
    },
    LoadDefined {
        dst: Reg,
        slot: SlotNo,
    },
    LoadAt {
        dst: Reg,
        addr: Reg,
        site: SiteId,
    },
    LoadDefinedAt {
        dst: Reg,
        addr: Reg,
    },
    IsUndefined {
        dst: Reg,
        slot: SlotNo,
    },
    IsUndefinedAt {
        dst: Reg,
        addr: Reg,
    },
    /// Adds the offset of an index to an address; `dim` points into [`Machine::dims`].
    Offset {
        addr: Reg,
        index: Reg,
        dim: u32,
    },
    Arith {
        op: Arithmetic,
        dst: Reg,
        a: Reg,
        b: Reg,
        site: SiteId,
    },
    Increment {
        dst: Reg,
    },
    /// Adds the step to a loop's counter; jumps if that leaves the 64-bit range, where no loop goes on.
    Advance {
        counter: Reg,
        step: Reg,
        to: Pc,
    },
    Store {
        slot: SlotNo,
        src: Reg,
    },
    StoreConst {
        slot: SlotNo,
        value: i64,
    },
    StoreAt {
        addr: Reg,
        src: Reg,
    },
    /// A fault if the register is outside [`Machine::ranges`]`[range]`.
    Check {
        src: Reg,
        range: u32,
    },
    Copy {
        from: SlotNo,
        to: SlotNo,
        len: u32,
    },
    CopyAt {
        from: Reg,
        to: Reg,
        len: u32,
    },
    Same {
        dst: Reg,
        a: Reg,
        b: Reg,
        len: u32,
    },
    Undefine {
        slot: SlotNo,
        len: u32,
    },
    UndefineAt {
        addr: Reg,
        len: u32,
    },
    /// Counts a round of a loop; a fault at [`LOOP_LIMIT`].
    Round {
        counter: Reg,
        site: SiteId,
    },
    Fault {
        site: SiteId,
    },
    Cover {
        number: u32,
    },
    /// Ends with yes: the guard holds, the step is taken, the property is true.
    Yes,
    No,
}

/// An indexed dimension.
#[derive(Clone, Copy, Debug)]
pub struct DimInfo {
    pub lo: i64,
    pub count: u32,
    /// Slots per element.
    pub stride: u32,
    pub site: SiteId,
}

/// Bounds of a value.
#[derive(Clone, Copy, Debug)]
pub struct RangeInfo {
    pub lo: i64,
    pub hi: i64,
    pub site: SiteId,
}

/// A run that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub site: SiteId,
    /// The value at fault, if there is one (index, value out of range).
    pub value: Option<i64>,
}

/// Compiled code: shared by all threads.
#[derive(Debug, Default)]
pub struct Machine {
    pub ops: Vec<Op>,
    /// Dimensions that `Offset` refers to.
    pub dims: Vec<DimInfo>,
    /// Ranges that `Check` refers to.
    pub ranges: Vec<RangeInfo>,
    /// Registers that a [`Context`] needs.
    pub registers: usize,
    pub covers: usize,
}

/// What one thread needs to run code: registers and the `cover` statements seen.
#[derive(Clone, Debug)]
pub struct Context {
    pub regs: Vec<i64>,
    /// Which `cover` statements were true.
    pub covered: Vec<bool>,
}

impl Machine {
    pub fn context(&self) -> Context {
        Context { regs: vec![0; self.registers], covered: vec![false; self.covers] }
    }

    /// Runs from an entry point until `Yes` or `No`.
    pub fn run(&self, entry: Pc, memory: &mut [i64], ctx: &mut Context) -> Result<bool, Fault> {
        let regs = ctx.regs.as_mut_slice();
        let mut pc = entry as usize;
        loop {
            let op = self.ops[pc];
            pc += 1;
            match op {
                Op::Jump { to } => pc = to as usize,
                Op::JumpSlotEq { slot, value, to, site } => {
                    if defined(memory[slot as usize], site)? == i64::from(value) {
                        pc = to as usize;
                    }
                }
                Op::JumpSlotNe { slot, value, to, site } => {
                    if defined(memory[slot as usize], site)? != i64::from(value) {
                        pc = to as usize;
                    }
                }
                Op::JumpIfZero { reg, to } => {
                    if regs[reg as usize] == 0 {
                        pc = to as usize;
                    }
                }
                Op::JumpIfNonZero { reg, to } => {
                    if regs[reg as usize] != 0 {
                        pc = to as usize;
                    }
                }
                Op::JumpCompare { op, a, b, to } => {
                    if compare(op, regs[a as usize], regs[b as usize]) {
                        pc = to as usize;
                    }
                }
                Op::Const { dst, value } => regs[dst as usize] = value,
                Op::Move { dst, src } => regs[dst as usize] = regs[src as usize],
                Op::Load { dst, slot, site } => regs[dst as usize] = defined(memory[slot as usize], site)?,
                Op::LoadDefined { dst, slot } => regs[dst as usize] = memory[slot as usize],
                Op::LoadAt { dst, addr, site } => {
                    regs[dst as usize] = defined(memory[regs[addr as usize] as usize], site)?;
                }
                Op::LoadDefinedAt { dst, addr } => {
                    regs[dst as usize] = memory[regs[addr as usize] as usize];
                }
                Op::IsUndefined { dst, slot } => {
                    regs[dst as usize] = i64::from(memory[slot as usize] == UNDEFINED);
                }
                Op::IsUndefinedAt { dst, addr } => {
                    regs[dst as usize] = i64::from(memory[regs[addr as usize] as usize] == UNDEFINED);
                }
                Op::Offset { addr, index, dim } => {
                    let offset = self.offset(regs[index as usize], dim)?;
                    regs[addr as usize] += offset;
                }
                Op::Arith { op, dst, a, b, site } => {
                    regs[dst as usize] = arithmetic(op, regs[a as usize], regs[b as usize])
                        .ok_or(Fault { site, value: None })?;
                }
                Op::Increment { dst } => regs[dst as usize] += 1,
                Op::Advance { counter, step, to } => {
                    match regs[counter as usize].checked_add(regs[step as usize]) {
                        Some(next) => regs[counter as usize] = next,
                        None => pc = to as usize,
                    }
                }
                Op::Store { slot, src } => memory[slot as usize] = regs[src as usize],
                Op::StoreConst { slot, value } => memory[slot as usize] = value,
                Op::StoreAt { addr, src } => memory[regs[addr as usize] as usize] = regs[src as usize],
                Op::Check { src, range } => self.check(regs[src as usize], range)?,
                Op::Copy { from, to, len } => copy(memory, from as usize, to as usize, len as usize),
                Op::CopyAt { from, to, len } => {
                    copy(memory, regs[from as usize] as usize, regs[to as usize] as usize, len as usize);
                }
                Op::Same { dst, a, b, len } => {
                    let (a, b, len) = (regs[a as usize] as usize, regs[b as usize] as usize, len as usize);
                    regs[dst as usize] = i64::from(memory[a..a + len] == memory[b..b + len]);
                }
                Op::Undefine { slot, len } => undefine(memory, slot as usize, len as usize),
                Op::UndefineAt { addr, len } => undefine(memory, regs[addr as usize] as usize, len as usize),
                Op::Round { counter, site } => {
                    regs[counter as usize] += 1;
                    if regs[counter as usize] > LOOP_LIMIT {
                        return Err(Fault { site, value: None });
                    }
                }
                Op::Fault { site } => return Err(Fault { site, value: None }),
                Op::Cover { number } => ctx.covered[number as usize] = true,
                Op::Yes => return Ok(true),
                Op::No => return Ok(false),
            }
        }
    }

    fn offset(&self, index: i64, dim: u32) -> Result<i64, Fault> {
        let dim = &self.dims[dim as usize];
        let position = index.wrapping_sub(dim.lo);
        if (position as u64) < u64::from(dim.count) {
            Ok(position * i64::from(dim.stride))
        } else {
            Err(Fault { site: dim.site, value: Some(index) })
        }
    }

    fn check(&self, value: i64, range: u32) -> Result<(), Fault> {
        let range = &self.ranges[range as usize];
        if range.lo <= value && value <= range.hi {
            Ok(())
        } else {
            Err(Fault { site: range.site, value: Some(value) })
        }
    }
}

#[inline(always)]
fn defined(value: i64, site: SiteId) -> Result<i64, Fault> {
    if value == UNDEFINED { Err(Fault { site, value: None }) } else { Ok(value) }
}

#[inline]
pub fn compare(op: Comparison, a: i64, b: i64) -> bool {
    match op {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
        Comparison::Gt => a > b,
        Comparison::Ge => a >= b,
    }
}

/// The result of an operation; `None` on overflow or division by zero. [`UNDEFINED`] counts as overflow.
pub fn arithmetic(op: Arithmetic, a: i64, b: i64) -> Option<i64> {
    let result = match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Sub => a.checked_sub(b),
        Arithmetic::Mul => a.checked_mul(b),
        Arithmetic::Div => a.checked_div(b),
        Arithmetic::Mod => a.checked_rem(b),
    };
    result.filter(|&value| value != UNDEFINED)
}

fn copy(memory: &mut [i64], from: usize, to: usize, len: usize) {
    memory.copy_within(from..from + len, to);
}

fn undefine(memory: &mut [i64], slot: usize, len: usize) {
    memory[slot..slot + len].fill(UNDEFINED);
}
