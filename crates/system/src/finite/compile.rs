//! From program trees to machine code, by partial evaluation.
//!
//! Each rule is compiled once per combination of its parameters (within a budget), so parameters, loop variables and
//! the indices made of them are constants: `Cache[i].State = E` becomes "slot 7 equals 2", and tests that a parameter
//! decides disappear, often with the whole instance. Where the budget does not allow it, the same code keeps
//! parameters and loop variables in registers.

mod emit;
mod expr;
mod stmt;

use super::machine::{Machine, Pc};
use super::program::{Param, Program, Rule};
use emit::Emitter;

/// Parameter combinations per rule that get code of their own.
const SPECIALISE_LIMIT: u64 = 4096;
/// Instructions after which rules are no longer specialised.
const CODE_LIMIT: usize = 2_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Constants propagated, loops unrolled.
    Specialised,
    /// One piece of code per rule, loops kept: slower, and an independent path for replaying runs.
    Generic,
}

#[derive(Debug)]
pub struct Compiled {
    pub machine: Machine,
    /// Per rule, in order.
    pub rules: Vec<CompiledRule>,
    /// Per startstate, in order.
    pub starts: Vec<CompiledRule>,
    pub properties: Vec<Pc>,
    pub probes: Vec<Pc>,
    /// Slots of memory: state and scratch.
    pub memory: usize,
}

#[derive(Debug)]
pub struct CompiledRule {
    /// Guard and body per instance, or one for all of them.
    pub code: RuleCode,
    pub instances: u64,
}

#[derive(Debug)]
pub enum RuleCode {
    /// Each instance that can fire, in order.
    Specialised(Vec<InstanceCode>),
    /// Parameters are in registers `0..`.
    Generic(Pc, Pc),
}

#[derive(Clone, Copy, Debug)]
pub struct InstanceCode {
    pub instance: u64,
    pub guard: Pc,
    pub body: Pc,
    /// The guard's first test, if it is "slot equals value": most instances are dismissed by it alone, without
    /// running the guard. A slot beyond the memory stands for no such test.
    pub slot: u32,
    /// The value that the slot must have.
    pub value: i64,
}

pub fn compile(program: &Program, mode: Mode) -> Compiled {
    let mut emitter = Emitter::new(program, mode == Mode::Specialised);
    let rules = program.rules.iter().map(|rule| compile_rule(&mut emitter, rule, mode)).collect();
    let starts = program.starts.iter().map(|rule| compile_rule(&mut emitter, rule, mode)).collect();
    let properties = program.properties.iter().map(|p| emitter.predicate(&p.formula)).collect();
    let probes = program.probes.iter().map(|p| emitter.predicate(&p.formula)).collect();
    let memory = program.layout.slots.len() + program.scratch as usize;
    Compiled { machine: emitter.finish(), rules, starts, properties, probes, memory }
}

/// The values of a rule's parameters in its `instance`-th combination; the last parameter changes fastest.
pub fn parameters(params: &[Param], instance: u64) -> Vec<i64> {
    let mut rest = instance;
    let mut values = vec![0; params.len()];
    for (value, param) in values.iter_mut().zip(params).rev() {
        let count = param.count().max(1);
        *value = param.lo + (rest % count) as i64 * param.step;
        rest /= count;
    }
    values
}

fn compile_rule(emitter: &mut Emitter, rule: &Rule, mode: Mode) -> CompiledRule {
    let instances = rule.params.iter().map(Param::count).fold(1, u64::saturating_mul);
    let specialise =
        mode == Mode::Specialised && instances <= SPECIALISE_LIMIT && emitter.code_size() < CODE_LIMIT;
    let code = if specialise { specialised(emitter, rule, instances) } else { generic(emitter, rule) };
    CompiledRule { code, instances }
}

fn specialised(emitter: &mut Emitter, rule: &Rule, instances: u64) -> RuleCode {
    let mut entries = Vec::new();
    for instance in 0..instances {
        emitter.reset();
        for (param, value) in rule.params.iter().zip(parameters(&rule.params, instance)) {
            emitter.bind_known(param.var, value);
        }
        if let Some(guard) = emitter.guard(&rule.guard) {
            let (slot, value) = emitter.first_test(guard).unwrap_or((u32::MAX, 0));
            let body = emitter.body(&rule.body);
            entries.push(InstanceCode { instance, guard, body, slot, value });
        }
    }
    RuleCode::Specialised(entries)
}

fn generic(emitter: &mut Emitter, rule: &Rule) -> RuleCode {
    emitter.reset();
    for param in &rule.params {
        emitter.bind_register(param.var);
    }
    let guard = emitter.predicate_here(&rule.guard);
    let body = emitter.body(&rule.body);
    RuleCode::Generic(guard, body)
}
