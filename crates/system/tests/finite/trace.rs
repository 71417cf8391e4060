//! Replaying accepts what happened and nothing else.

use crate::explore::{options, run};
use crate::generate::Generator;
use crate::reference;
use crate::symmetric::Symmetric;
use crate::tape::tape;
use proptest::prelude::*;
use tenet_system::finite::explore::Deadlock;
use tenet_system::finite::layout::*;
use tenet_system::finite::machine::Fault;
use tenet_system::finite::program::*;
use tenet_system::finite::trace::{Action, Finding, Replayer, Trace, replay};

/// A run with one thing changed.
fn corruptions(program: &Program, trace: &Trace) -> Vec<Trace> {
    let mut all = Vec::new();
    for number in 0..trace.steps.len() {
        let mut add = |change: &dyn Fn(&mut Trace)| {
            let mut corrupted = trace.clone();
            change(&mut corrupted);
            all.push(corrupted);
        };
        add(&|trace| trace.steps[number].state[0] += 1);
        add(&|trace| trace.steps[number].state[1] = UNDEFINED + 1);
        add(&|trace| drop(trace.steps.remove(number)));
        add(&|trace| trace.steps[number].action.instance += 1);
        let instances = instances(program, number, trace.steps[number].action);
        add(&|trace| trace.steps[number].action.instance += instances);
        add(&|trace| trace.steps[number].action.rule += 1);
        add(&|trace| trace.steps.insert(number, trace.steps[number].clone()));
    }
    all
}

fn instances(program: &Program, step: usize, action: Action) -> u64 {
    let rules = if step == 0 { &program.starts } else { &program.rules };
    reference::instances(&rules[action.rule])
}

/// Whether a run is one, by the reference alone.
fn is_run(program: &Program, trace: &Trace) -> bool {
    let mut before = vec![UNDEFINED; program.layout.slots.len()];
    for (number, step) in trace.steps.iter().enumerate() {
        let rules = if number == 0 { &program.starts } else { &program.rules };
        let Some(rule) = rules.get(step.action.rule) else { return false };
        let known = step.action.instance < reference::instances(rule);
        if !known
            || reference::step(program, rule, step.action.instance, &before) != Ok(Some(step.state.clone()))
        {
            return false;
        }
        before = step.state.clone();
    }
    !trace.steps.is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 2000, ..tenet_chance::cases(400) })]

    #[test]
    fn corrupted_runs_are_rejected(tape in tape(400), symmetric in any::<bool>()) {
        let program =
            if symmetric { Symmetric::new(tape).build() } else { Generator::new(tape).system() };
        if reference::search(&program, 400).is_none() {
            return Ok(());
        }
        let outcome = run(&program, &options(symmetric, Deadlock::Stuttering, true));
        for trace in outcome.traces.iter().filter(|trace| !trace.steps.is_empty()) {
            for corrupted in corruptions(&program, trace).iter().filter(|corrupted| !is_run(&program, corrupted)) {
                prop_assert!(replay(&program, corrupted).is_err(), "{:?}", corrupted);
            }
            for finding in other_findings(&program, trace) {
                let corrupted = Trace { steps: trace.steps.clone(), finding };
                prop_assert!(replay(&program, &corrupted).is_err(), "{:?}", corrupted);
            }
        }
    }
}

/// Claims about the last state that are not true of it.
fn other_findings(program: &Program, trace: &Trace) -> Vec<Finding> {
    let last = &trace.steps.last().unwrap().state;
    let mut replayer = Replayer::new(program);
    let mut wrong = Vec::new();
    for (index, property) in program.properties.iter().enumerate() {
        let result = reference::property(program, &property.formula, last);
        if result != Ok(false) || property.kind != PropertyKind::Invariant {
            wrong.push(Finding::Property(index));
        }
        let fault = Fault { site: SiteId(0), value: Some(77) };
        wrong.push(Finding::PropertyFault(
            index,
            result.err().map_or(fault, |fault| Fault { value: Some(77), ..fault }),
        ));
    }
    let moves = replayer.enabled(last).iter().any(|(_, next)| next.as_ref() != Ok(last));
    if moves {
        wrong.push(Finding::Deadlock);
    }
    let action = Action { rule: 0, instance: 0 };
    let fault = Fault { site: SiteId(0), value: Some(77) };
    wrong.extend([Finding::StepFault(action, fault), Finding::StartFault(action, fault)]);
    wrong.push(Finding::Property(program.properties.len()));
    wrong.push(Finding::StepFault(Action { rule: program.rules.len(), instance: 0 }, fault));
    wrong
}

fn statement(slot: u32, value: i64) -> Stmt {
    Stmt::Store(Place::slot(slot), Expr::Const(value))
}

fn rule(guard: Expr, body: Vec<Stmt>) -> Rule {
    Rule { name: String::new(), source: Source::default(), params: Vec::new(), guard, body }
}

/// Elements of a multiset that change places have not gone anywhere.
#[test]
fn reordering_a_multiset_is_no_step() {
    let mut layout = Layout::default();
    let (boolean, number) = (layout.add_domain(Domain::boolean()), layout.add_domain(Domain::numbers(0, 3)));
    for domain in [boolean, number, boolean, number] {
        layout.slots.push(Slot { name: String::new(), domain, axes: Vec::new() });
    }
    layout.multisets.push(Multiset { base: 0, stride: 2, count: 2 });
    let content = |a, b| vec![statement(0, 1), statement(1, a), statement(2, 1), statement(3, b)];
    let program = Program {
        layout,
        starts: vec![rule(Expr::Const(1), content(1, 2))],
        rules: vec![rule(Expr::Const(1), content(2, 1))],
        ..Program::default()
    };
    let outcome = run(&program, &options(true, Deadlock::Stuttering, false));
    assert_eq!(outcome.statistics.states, 1);
    assert_eq!(outcome.traces.len(), 1);
    assert_eq!(replay(&program, &outcome.traces[0]), Ok(()));
}

/// A run may not pass through a state that an assumption excludes.
#[test]
fn assumptions_hold_along_runs() {
    let mut layout = Layout::default();
    let domain = layout.add_domain(Domain::numbers(0, 3));
    layout.slots.push(Slot { name: "x".to_string(), domain, axes: Vec::new() });
    let is = |op, value| {
        Expr::Compare(op, Box::new(Expr::LoadDefined(Place::slot(0))), Box::new(Expr::Const(value)))
    };
    let property = |kind, formula| Property { name: String::new(), kind, source: Source::default(), formula };
    let step = |value| rule(is(Comparison::Eq, value), vec![statement(0, value + 1)]);
    let mut program = Program {
        layout,
        starts: vec![rule(Expr::Const(1), vec![statement(0, 0)])],
        rules: vec![step(0), step(1)],
        properties: vec![property(PropertyKind::Invariant, is(Comparison::Ne, 2))],
        ..Program::default()
    };
    let trace = run(&program, &options(true, Deadlock::Off, false)).traces.remove(0);
    assert_eq!((trace.steps.len(), replay(&program, &trace)), (3, Ok(())));
    program.properties.push(property(PropertyKind::Assume, is(Comparison::Ne, 1)));
    assert!(replay(&program, &trace).is_err());
    assert!(run(&program, &options(true, Deadlock::Stuttering, false)).traces.is_empty());
}
