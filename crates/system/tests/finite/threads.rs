//! The number of threads changes nothing, in state spaces large enough for batches.

use crate::explore::run;
use tenet_system::finite::explore::{Deadlock, End, Options, Outcome};
use tenet_system::finite::layout::{Domain, DomainId, Layout, Slot};
use tenet_system::finite::program::*;
use tenet_system::finite::trace::replay;

fn load(slot: u32) -> Box<Expr> {
    Box::new(Expr::LoadDefined(Place::slot(slot)))
}

fn compare(op: Comparison, a: Box<Expr>, value: i64) -> Expr {
    Expr::Compare(op, a, Box::new(Expr::Const(value)))
}

fn plus(a: Box<Expr>, b: Expr) -> Expr {
    Expr::Arith(Arithmetic::Add, a, Box::new(b), SiteId(0))
}

fn rule(params: Vec<Param>, guard: Expr, body: Vec<Stmt>) -> Rule {
    Rule { name: String::new(), source: Source::default(), params, guard, body }
}

fn property(kind: PropertyKind, formula: Expr) -> Property {
    Property { name: String::new(), kind, source: Source::default(), formula }
}

/// Counters that go from zero to `hi` each on its own; all of them start at zero.
fn counters(count: u32, hi: i64) -> Program {
    let mut layout = Layout::default();
    let domain = layout.add_domain(Domain::numbers(0, hi));
    let slot = |number| Slot { name: format!("c{number}"), domain, axes: Vec::new() };
    layout.slots = (0..count).map(slot).collect();
    let step = |slot| {
        let next = vec![Stmt::Store(Place::slot(slot), plus(load(slot), Expr::Const(1)))];
        rule(Vec::new(), compare(Comparison::Lt, load(slot), hi), next)
    };
    let zero = (0..count).map(|slot| Stmt::Store(Place::slot(slot), Expr::Const(0))).collect();
    let site = |kind| Site { kind, detail: String::new(), source: Source::default() };
    Program {
        layout,
        rules: (0..count).map(step).collect(),
        starts: vec![rule(Vec::new(), Expr::Const(1), zero)],
        sites: vec![site(FaultKind::Overflow), site(FaultKind::Assertion)],
        cover_statements: vec!["here".to_string(), "there".to_string()],
        ..Program::default()
    }
}

fn sum(count: u32) -> Box<Expr> {
    Box::new((1..count).fold(*load(0), |total, slot| plus(load(slot), total)))
}

fn shown(outcome: &Outcome) -> String {
    format!("{outcome:#?}")
}

fn same_for_all_threads(program: &Program, options: &Options) -> Outcome {
    let one = run(program, &Options { threads: 1, ..options.clone() });
    for threads in [2, 3] {
        let more = run(program, &Options { threads, ..options.clone() });
        assert_eq!(shown(&more), shown(&one), "{threads} threads");
    }
    for trace in &one.traces {
        assert_eq!(replay(program, trace), Ok(()));
    }
    one
}

/// Everything that may be found in the middle of a batch.
fn with_findings() -> Program {
    let mut program = counters(6, 4);
    let far = |slot, total| {
        let here = compare(Comparison::Eq, load(slot), 3);
        Expr::And(Box::new(here), Box::new(compare(Comparison::Eq, sum(6), total)))
    };
    program.properties = vec![
        property(PropertyKind::Invariant, Expr::Not(Box::new(far(2, 14)))),
        property(PropertyKind::Invariant, Expr::Not(Box::new(far(3, 14)))),
        property(PropertyKind::Cover, far(5, 14)),
        property(PropertyKind::Cover, far(0, 15)),
        property(PropertyKind::Invariant, compare(Comparison::Ne, sum(6), 17)),
    ];
    let probe = |formula| Probe { property: 0, source: Source::default(), formula };
    program.probes = vec![probe(far(4, 14)), probe(far(5, 13)), probe(far(1, 16))];
    let fails = Stmt::If(far(1, 13), vec![Stmt::Fault(SiteId(1))], Vec::new());
    let covers = [(0, 13), (5, 13)].map(|(slot, total)| far(slot, total));
    for (number, condition) in covers.into_iter().enumerate() {
        program.rules[4].body.push(Stmt::If(condition, vec![Stmt::Cover(number as u32)], Vec::new()));
    }
    program.rules[5].body.push(fails);
    program
}

#[test]
fn a_complete_search() {
    let outcome =
        same_for_all_threads(&counters(6, 4), &Options { deadlock: Deadlock::Off, ..Options::default() });
    assert_eq!(
        (outcome.end, outcome.statistics.states, outcome.statistics.depth),
        (End::Complete, 15_625, 24)
    );
    // Each counter steps in every state in which it is below four.
    assert_eq!(outcome.fired, [12_500; 6]);
}

#[test]
fn findings_in_the_middle_of_a_batch() {
    for deadlock in [Deadlock::Off, Deadlock::Stuttering] {
        let mut program = with_findings();
        let all = Options { keep_going: true, deadlock, ..Options::default() };
        let outcome = same_for_all_threads(&program, &all);
        assert_eq!(outcome.traces.len(), if deadlock == Deadlock::Off { 4 } else { 5 });
        same_for_all_threads(&program, &Options { deadlock, ..Options::default() });
        program.rules[5].body.pop();
        same_for_all_threads(&program, &Options { deadlock, ..Options::default() });
        same_for_all_threads(&program, &Options { properties: Some(vec![4]), ..Options::default() });
    }
}

#[test]
fn a_search_that_runs_out_of_memory_or_depth() {
    let program = with_findings();
    for memory_limit in [40_000, 70_000, 100_000, 120_000] {
        let limited = Options { memory_limit, keep_going: true, ..Options::default() };
        let outcome = same_for_all_threads(&program, &limited);
        assert_eq!(outcome.end, End::Memory);
        assert!(outcome.statistics.memory <= memory_limit);
    }
    let limited = Options { max_depth: Some(12), keep_going: true, ..Options::default() };
    assert_eq!(same_for_all_threads(&program, &limited).end, End::Depth);
}

/// One level of 22,500 states: several batches.
#[test]
fn a_level_of_several_batches() {
    let mut program = counters(3, 0);
    let domain = program.layout.add_domain(Domain::numbers(0, 150));
    let names = ["x", "y", "z"].map(|name| Slot { name: name.to_string(), domain, axes: Vec::new() });
    program.layout.slots = names.to_vec();
    program.vars = 1;
    let pick = |slot: u32| {
        let param =
            Param { name: "v".to_string(), var: VarId(0), domain: DomainId(1), lo: 1, hi: 150, step: 1 };
        let stage = compare(Comparison::Eq, load(2), i64::from(slot));
        let next = Stmt::Store(Place::slot(2), Expr::Const(i64::from(slot) + 1));
        rule(vec![param], stage, vec![Stmt::Store(Place::slot(slot), Expr::Var(VarId(0))), next])
    };
    // In the last stage the larger number shrinks to the smaller.
    let shrinks = Expr::Compare(Comparison::Gt, load(0), load(1));
    let shrink = rule(Vec::new(), shrinks, vec![Stmt::Store(Place::slot(0), *load(1))]);
    program.rules = vec![pick(0), pick(1), shrink];
    let outcome = same_for_all_threads(&program, &Options { deadlock: Deadlock::Off, ..Options::default() });
    assert_eq!(outcome.statistics.states, 1 + 151 + 151 * 150);
    let nearly = Expr::And(
        Box::new(compare(Comparison::Eq, load(0), 143)),
        Box::new(compare(Comparison::Eq, load(1), 77)),
    );
    program.properties = vec![property(PropertyKind::Invariant, Expr::Not(Box::new(nearly)))];
    let outcome = same_for_all_threads(&program, &Options { deadlock: Deadlock::Off, ..Options::default() });
    assert_eq!((outcome.end, outcome.traces[0].steps.len()), (End::Found, 3));
}

/// What threads see beyond the end of the search must not show. The finding is near the end of one chunk of 256 states,
/// the things to observe are all over the next.
#[test]
fn nothing_is_noted_beyond_the_end() {
    let mut program = counters(2, 2048);
    program.vars = 1;
    let param = Param { name: "v".to_string(), var: VarId(0), domain: DomainId(0), lo: 1, hi: 2048, step: 1 };
    let later = || compare(Comparison::Gt, load(0), 256 * 6 + 2);
    let second = |formula| Expr::And(Box::new(compare(Comparison::Eq, load(1), 1)), Box::new(formula));
    let covers = Stmt::If(later(), vec![Stmt::Cover(0)], Vec::new());
    program.rules = vec![
        rule(
            vec![param],
            compare(Comparison::Eq, load(0), 0),
            vec![Stmt::Store(Place::slot(0), Expr::Var(VarId(0)))],
        ),
        rule(
            Vec::new(),
            compare(Comparison::Gt, load(0), 0),
            vec![Stmt::Store(Place::slot(1), Expr::Const(1)), covers],
        ),
    ];
    let violated = second(compare(Comparison::Eq, load(0), 256 * 6 - 10));
    program.properties = vec![
        property(PropertyKind::Invariant, Expr::Not(Box::new(violated))),
        property(PropertyKind::Cover, second(later())),
    ];
    program.probes = vec![Probe { property: 0, source: Source::default(), formula: second(later()) }];
    let outcome = same_for_all_threads(&program, &Options { deadlock: Deadlock::Off, ..Options::default() });
    assert_eq!(
        (outcome.end, &outcome.probes[..], &outcome.covered[..]),
        (End::Found, &[false][..], &[false, false][..])
    );
    assert_eq!(outcome.cover_statements, [false, false]);
}

/// More instances than get code of their own.
#[test]
fn rules_with_very_many_instances() {
    let mut program = counters(2, 9);
    program.vars = 2;
    let param = |var| Param { name: "v".to_string(), var, domain: DomainId(0), lo: 0, hi: 69, step: 1 };
    let store = |slot: u32| {
        let value = Expr::Arith(
            Arithmetic::Mod,
            Box::new(Expr::Var(VarId(slot))),
            Box::new(Expr::Const(10)),
            SiteId(0),
        );
        Stmt::Store(Place::slot(slot), value)
    };
    let params = vec![param(VarId(0)), param(VarId(1))];
    program.rules = vec![rule(params, compare(Comparison::Eq, load(0), 0), vec![store(0), store(1)])];
    program.properties = vec![property(PropertyKind::Invariant, compare(Comparison::Ne, load(1), 8))];
    let options = Options { deadlock: Deadlock::Stuck, keep_going: true, ..Options::default() };
    let outcome = same_for_all_threads(&program, &options);
    assert_eq!(outcome.statistics.states, 100);
    assert_eq!(outcome.fired, [10 * 4900]);
    let instances: Vec<u64> = outcome.traces.iter().map(|trace| trace.steps[1].action.instance).collect();
    assert_eq!(instances, [8, 70]);
}
