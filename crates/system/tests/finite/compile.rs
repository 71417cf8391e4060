//! Both ways of compiling against the interpreter.

use crate::generate::{Generator, STATE_SLOTS};
use crate::reference::{Interpreter, instances};
use crate::tape::{Tape, tape};
use proptest::prelude::*;
use tenet_system::finite::compile::{Compiled, Mode, RuleCode, compile, parameters};
use tenet_system::finite::layout::{Layout, UNDEFINED};
use tenet_system::finite::machine::{Fault, LOOP_LIMIT, Pc};
use tenet_system::finite::program::*;

/// How a guard or body ended, what it left in memory if it did not fail, and the `cover` statements it met.
type Ending = (Result<(bool, Vec<i64>), Fault>, Vec<bool>);

fn reference(program: &Program, rule: usize, instance: u64, memory: &[i64], guard: bool) -> Ending {
    let rule = &program.rules[rule];
    let mut run = Interpreter::new(program);
    run.memory.copy_from_slice(memory);
    run.bind(rule, instance);
    let result = if guard { run.condition(&rule.guard) } else { run.body(&rule.body) };
    (result.map(|yes| (yes, run.memory)), run.covered)
}

fn machine(compiled: &Compiled, entry: Pc, values: &[i64], memory: &[i64]) -> Ending {
    let mut context = compiled.machine.context();
    // Code must not rely on what registers hold.
    context.regs.fill(-77);
    context.regs[..values.len()].copy_from_slice(values);
    let mut memory = memory.to_vec();
    let result = compiled.machine.run(entry, &mut memory, &mut context);
    (result.map(|yes| (yes, memory)), context.covered)
}

/// The entry points of an instance; `None` if it was dropped. Parameters go into registers in generic code.
fn entries(compiled: &Compiled, program: &Program, rule: usize, instance: u64) -> Option<(Pc, Pc, Vec<i64>)> {
    match &compiled.rules[rule].code {
        &RuleCode::Generic(guard, body) => {
            Some((guard, body, parameters(&program.rules[rule].params, instance)))
        }
        RuleCode::Specialised(entries) => {
            let entry = entries.iter().find(|entry| entry.instance == instance)?;
            Some((entry.guard, entry.body, Vec::new()))
        }
    }
}

fn agree(program: &Program, memory: &[i64]) -> Result<(), TestCaseError> {
    for mode in [Mode::Specialised, Mode::Generic] {
        let compiled = compile(program, mode);
        prop_assert_eq!(compiled.memory, memory.len());
        for rule in 0..program.rules.len() {
            prop_assert_eq!(compiled.rules[rule].instances, instances(&program.rules[rule]));
            for instance in 0..instances(&program.rules[rule]) {
                let expected = reference(program, rule, instance, memory, true);
                let Some((guard, body, values)) = entries(&compiled, program, rule, instance) else {
                    let nothing = (Ok((false, memory.to_vec())), vec![false; program.cover_statements.len()]);
                    prop_assert_eq!(expected, nothing, "{:?}: a dropped instance", mode);
                    continue;
                };
                let found = machine(&compiled, guard, &values, memory);
                prop_assert_eq!(found, expected, "{:?}: guard of rule {} instance {}", mode, rule, instance);
                let expected = reference(program, rule, instance, memory, false);
                let found = machine(&compiled, body, &values, memory);
                prop_assert_eq!(found, expected, "{:?}: body of rule {} instance {}", mode, rule, instance);
            }
        }
    }
    Ok(())
}

fn memory(tape: &mut Tape, slots: usize) -> Vec<i64> {
    (0..slots).map(|_| if tape.chance(8) { UNDEFINED } else { tape.between(0, 3) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 20_000, ..tenet_chance::cases(20_000) })]

    #[test]
    fn machine_code_means_what_the_program_means(tape in tape(400)) {
        a_program_agrees(tape)?;
    }
}

fn a_program_agrees(tape: Tape) -> Result<(), TestCaseError> {
    let mut content = tape.clone();
    let program = Generator::new(tape).rules(1);
    let slots = (STATE_SLOTS + program.scratch) as usize;
    (0..2).try_for_each(|_| agree(&program, &memory(&mut content, slots)))
}

#[test]
fn what_was_found_before() {
    a_program_agrees(Tape::of(&[135, 19, 57, 151, 65, 216, 151, 21, 3, 0, 0, 148])).unwrap();
}

/// A program with one rule, two state slots and one scratch slot.
fn one_rule(vars: u32, guard: Expr, body: Vec<Stmt>) -> Program {
    let site = |kind| Site { kind, detail: String::new(), source: Source::default() };
    let rule = Rule { name: String::new(), source: Source::default(), params: Vec::new(), guard, body };
    Program {
        layout: Layout::default(),
        scratch: 3,
        vars,
        labels: 2,
        rules: vec![rule],
        sites: [FaultKind::Overflow, FaultKind::Endless, FaultKind::Index, FaultKind::Error]
            .map(site)
            .to_vec(),
        ..Program::default()
    }
}

fn check(vars: u32, guard: Expr, body: Vec<Stmt>) {
    agree(&one_rule(vars, guard, body), &[1, 2, 3]).unwrap();
}

fn load(slot: u32) -> Expr {
    Expr::LoadDefined(Place::slot(slot))
}

fn add(a: Expr, b: Expr) -> Expr {
    Expr::Arith(Arithmetic::Add, Box::new(a), Box::new(b), SiteId(0))
}

fn store(slot: u32, value: Expr) -> Stmt {
    Stmt::Store(Place::slot(slot), value)
}

#[test]
fn an_endless_loop_is_a_fault() {
    check(0, Expr::Const(1), vec![Stmt::While(Expr::Const(1), Vec::new(), SiteId(1))]);
}

#[test]
fn a_loop_may_make_as_many_rounds_as_the_limit() {
    for (limit, fails) in [(LOOP_LIMIT, false), (LOOP_LIMIT + 1, true)] {
        let more = Expr::Compare(Comparison::Lt, Box::new(load(0)), Box::new(Expr::Const(limit)));
        let looping = Stmt::While(more, vec![store(0, add(load(0), Expr::Const(1)))], SiteId(1));
        let program = one_rule(0, Expr::Const(1), vec![store(0, Expr::Const(0)), looping]);
        agree(&program, &[0, 0, 0]).unwrap();
        let ended = reference(&program, 0, 0, &[0, 0, 0], false).0;
        assert_eq!(ended.is_err(), fails);
    }
}

#[test]
fn inner_loops_count_their_own_rounds() {
    let below =
        |slot, limit| Expr::Compare(Comparison::Lt, Box::new(load(slot)), Box::new(Expr::Const(limit)));
    let inner = Stmt::While(below(1, 1_500), vec![store(1, add(load(1), Expr::Const(1)))], SiteId(1));
    let body = vec![store(0, add(load(0), Expr::Const(1))), store(1, Expr::Const(0)), inner];
    let outer = Stmt::While(below(0, 1_500), body, SiteId(1));
    check(0, Expr::Const(1), vec![store(0, Expr::Const(0)), outer]);
}

#[test]
fn loops_end_at_the_ends_of_the_integers() {
    for (from, to, step) in
        [(i64::MAX - 1, i64::MAX, 1), (i64::MAX - 3, i64::MAX, 3), (i64::MIN + 2, i64::MIN + 1, -1)]
    {
        let range =
            Range { from: Expr::Const(from), to: Expr::Const(to), step: Expr::Const(step), unordered: false };
        let count = Stmt::For(
            VarId(0),
            range,
            vec![store(0, add(load(0), Expr::Const(1))), store(1, Expr::Var(VarId(0)))],
        );
        check(1, Expr::Const(1), vec![count]);
    }
}

#[test]
fn values_in_registers_outlive_what_is_evaluated_after_them() {
    // 1 + (a block that binds, compares and loops) + a variable bound before.
    let (a, b, i) = (VarId(0), VarId(1), VarId(2));
    let compare =
        Expr::Compare(Comparison::Lt, Box::new(add(load(0), load(1))), Box::new(add(load(1), load(2))));
    let sum = Stmt::For(
        i,
        Range { from: load(0), to: load(2), step: Expr::Const(1), unordered: false },
        vec![store(2, add(load(2), Expr::Var(i)))],
    );
    let block =
        Expr::Block(vec![Stmt::Let(b, add(load(0), load(0))), sum], Box::new(add(Expr::Var(b), compare)));
    let total = add(add(load(0), block), Expr::Var(a));
    check(
        3,
        Expr::Const(1),
        vec![Stmt::Let(a, add(load(1), load(1))), store(0, total), store(1, Expr::Var(a))],
    );
}

#[test]
fn a_certain_fault_keeps_an_instance_alive() {
    let bad = add(Expr::Const(i64::MAX), Expr::Const(1));
    let never = Expr::Compare(Comparison::Eq, Box::new(bad), Box::new(Expr::Const(5)));
    check(0, Expr::And(Box::new(never.clone()), Box::new(Expr::Const(0))), Vec::new());
    check(0, Expr::And(Box::new(Expr::Const(0)), Box::new(never)), Vec::new());
}

#[test]
fn constant_and_computed_indices_fail_alike() {
    for index in [-1, 3, i64::MAX, i64::MIN + 1] {
        let at =
            |index| Place { base: 0, dims: vec![Dim { index, lo: 0, count: 3, stride: 1, site: SiteId(2) }] };
        let (known, computed) = (at(Expr::Const(index)), at(add(Expr::Const(index), load(0))));
        for place in [known, computed] {
            let program =
                one_rule(0, Expr::IsUndefined(place.clone()), vec![Stmt::Store(place, Expr::Const(0))]);
            agree(&program, &[0, 1, 2]).unwrap();
            let fault = Fault { site: SiteId(2), value: Some(index) };
            assert_eq!(reference(&program, 0, 0, &[0, 1, 2], true).0, Err(fault));
        }
    }
}

#[test]
fn the_right_side_is_evaluated_before_the_address() {
    // memory[memory[0]] := (memory[0] := 2; 7)
    let place =
        Place { base: 0, dims: vec![Dim { index: load(0), lo: 0, count: 3, stride: 1, site: SiteId(2) }] };
    let value = Expr::Block(vec![store(0, Expr::Const(2))], Box::new(Expr::Const(7)));
    let program = one_rule(0, Expr::Const(1), vec![Stmt::Store(place, value)]);
    agree(&program, &[1, 1, 1]).unwrap();
    assert_eq!(reference(&program, 0, 0, &[1, 1, 1], false).0, Ok((true, vec![2, 1, 7])));
}
