//! Whole reports of a small program, compared word for word.
//!
//! The program is built by hand, so that these tests depend on no front end: two processes that count to `limit`, one of
//! which can be told to stop.

use serde_json::json;
use tenet_report::exploration::{Exploration, Stop};
use tenet_report::source::Text;
use tenet_report::style::Style;
use tenet_report::text::Detail;
use tenet_report::view::{Instance, Report, Verdict};
use tenet_report::{itf, json, text};
use tenet_system::finite::explore::{Deadlock, Options, Outcome, explore};
use tenet_system::finite::layout::{Domain, Layout, Slot};
use tenet_system::finite::program::{Arithmetic, FaultKind};
use tenet_system::finite::program::{
    Comparison, Dim, Expr, Param, Place, Probe, Program, Property, PropertyKind, Range, Rule, Site, SiteId,
    Source, Stmt, VarId,
};

const MODEL: &str = "rule \"count\"\n  x[i] := x[i] + 1\ninvariant \"low\" x[i] < 2\n";

fn source(part: &str) -> Source {
    let start = MODEL.find(part).expect("the test is right");
    Source { start: start as u32, end: (start + part.len()) as u32 }
}

fn element(index: Expr) -> Place {
    Place { base: 0, dims: vec![Dim { index, lo: 1, count: 2, stride: 1, site: SiteId(0) }] }
}

fn load(index: Expr) -> Box<Expr> {
    Box::new(Expr::Load(element(index), SiteId(0)))
}

/// `x[i] < limit` counts up; the invariant says that no x[i] reaches 2.
fn program(limit: i64, top: i64) -> Program {
    let mut layout = Layout::default();
    let (number, index) =
        (layout.add_domain(Domain::numbers(0, 9)), layout.add_domain(Domain::numbers(1, 2)));
    layout.slots =
        (1..=2).map(|i| Slot { name: format!("x[{i}]"), domain: number, axes: Vec::new() }).collect();
    let var = Expr::Var(VarId(0));
    let below = |bound| Expr::Compare(Comparison::Lt, load(var.clone()), Box::new(Expr::Const(bound)));
    let sum = Expr::Arith(Arithmetic::Add, load(var.clone()), Box::new(Expr::Const(1)), SiteId(0));
    let param = Param { name: "i".into(), var: VarId(0), domain: index, lo: 1, hi: 2, step: 1 };
    let rule = |name: &str, guard: Expr, body: Vec<Stmt>| Rule {
        name: name.into(),
        source: source("rule"),
        params: vec![param.clone()],
        guard,
        body,
    };
    let count = Stmt::Store(element(var.clone()), Expr::InRange(Box::new(sum), 0, top, SiteId(1)));
    let reset = Stmt::Store(element(var.clone()), Expr::Const(0));
    let zero = |i| Stmt::Store(element(Expr::Const(i)), Expr::Const(0));
    let start = Rule { params: Vec::new(), ..rule("zero", Expr::Const(1), vec![zero(1), zero(2)]) };
    let all = |body: Expr, universal| Expr::Quantifier {
        universal,
        var: VarId(0),
        range: Box::new(Range::constant(1, 2)),
        body: Box::new(body),
    };
    let site = |kind, detail: &str| Site { kind, detail: detail.into(), source: source("x[i] + 1") };
    Program {
        layout,
        vars: 1,
        rules: vec![
            rule("count", below(limit), vec![count]),
            rule("reset", Expr::Not(Box::new(below(9))), vec![reset]),
        ],
        starts: vec![start],
        properties: vec![Property {
            name: "low".into(),
            kind: PropertyKind::Invariant,
            source: source("invariant \"low\""),
            formula: all(below(2), true),
        }],
        sites: vec![site(FaultKind::Undefined, "x[i]"), site(FaultKind::Range, "x[i] + 1")],
        probes: vec![Probe { property: 0, source: source("x[i] < 2"), formula: all(Expr::Const(0), false) }],
        ..Program::default()
    }
}

fn report(program: &Program, options: &Options, outcome: &Outcome, stop: Option<Stop>) -> Report {
    let exploration = Exploration {
        text: Text::new("count.m", MODEL),
        program,
        options,
        outcome,
        stop,
        instance: Instance { sizes: vec![("PROC".into(), 2)], consts: Vec::new() },
        has_default_memory: true,
        is_deadlock_asked: false,
        seconds: 0.5,
        peak_memory_mb: Some(12),
    };
    exploration.report()
}

fn explored(program: &Program, options: &Options) -> Report {
    let outcome = explore(program, options, &mut |_| true);
    report(program, options, &outcome, None)
}

fn plain(report: &Report) -> String {
    text::report(report, Detail::Normal, Style::Plain)
}

fn without_deadlock() -> Options {
    Options { deadlock: Deadlock::Off, ..Options::default() }
}

#[test]
fn safe() {
    let report = explored(&program(1, 9), &without_deadlock());
    assert_eq!(
        plain(&report),
        "\
safe: no violation in any of the 4 reachable states of this instance (PROC = 2)
  checked: invariant low; faults such as undefined reads
  4 states, 1 byte each, depth 2, 4 rules fired
  time 0.50 s, 8 states/s, memory 12 MB
note[W0103]: rules that never fired: reset
note[W0104]: antecedents that are never true: x[i] < 2 (line 3)
"
    );
    let quiet = text::report(&report, Detail::Quiet, Style::Plain);
    assert_eq!(quiet.lines().count(), 1);
}

#[test]
fn violated() {
    let report = explored(&program(3, 9), &without_deadlock());
    assert_eq!(
        plain(&report),
        "\
unsafe: invariant \"low\" is false, after 2 steps (PROC = 2)
 --> count.m:3:1
  |
3 | invariant \"low\" x[i] < 2
  | ^^^^^^^^^^^^^^^
  0. zero
       x[*] = 0
  1. count(i = 1)
       x[1]: 0 -> 1
  2. count(i = 1)
       x[1]: 1 -> 2
  => here invariant \"low\" is false (V0101)
  unknown: faults (the search stopped at the first violation; use --keep-going; U0108)
  4 states, 1 byte each, depth 1, 3 rules fired
  time 0.50 s, 8 states/s, memory 12 MB
"
    );
}

#[test]
fn a_fault_of_the_model() {
    let report = explored(&program(3, 0), &without_deadlock());
    assert_eq!(report.verdict, Verdict::Unsafe);
    let printed = plain(&report);
    let first = "unsafe: a value does not fit its type (value 1): `x[i] + 1`, at the start (PROC = 2)\n --> count.m:2:11\n";
    assert!(printed.starts_with(first), "{printed}");
    let names: Vec<&str> = report.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(names, ["low", "a value does not fit its type at 2:11"]);
}

/// Assumptions have no verdict of their own, so a failing one must be reported here.
#[test]
fn an_assumption_that_fails() {
    let mut program = program(1, 9);
    let sum = Expr::Arith(Arithmetic::Div, Box::new(Expr::Const(1)), load(Expr::Const(1)), SiteId(1));
    program.sites[1].kind = FaultKind::DivisionByZero;
    program.properties.push(Property {
        name: "assumed".into(),
        kind: PropertyKind::Assume,
        formula: Expr::Compare(Comparison::Lt, Box::new(sum), Box::new(Expr::Const(9))),
        ..program.properties[0].clone()
    });
    let report = explored(&program, &Options { keep_going: true, ..without_deadlock() });
    assert_eq!(report.verdict, Verdict::Unsafe);
    let verdicts: Vec<_> = report.properties.iter().map(|p| (p.name.as_str(), p.verdict)).collect();
    assert_eq!(verdicts, [("low", Verdict::Safe), ("assumed", Verdict::Unsafe)]);
}

#[test]
fn deadlock() {
    let report = explored(&program(1, 9), &Options::default());
    let printed = plain(&report);
    assert!(printed.starts_with("unsafe: deadlock, after 2 steps (PROC = 2)\n  0. zero\n"), "{printed}");
    assert!(printed.contains("\n  => deadlock: here no rule leads to another state (V0104)\n"), "{printed}");
    assert!(printed.contains("\n     if runs may end there: --deadlock off\n"), "{printed}");
}

#[test]
fn an_invariant_may_be_called_deadlock() {
    let mut program = program(1, 9);
    program.properties[0].name = "deadlock".into();
    let report = explored(&program, &Options { keep_going: true, ..Options::default() });
    let verdicts: Vec<_> = report.properties.iter().map(|p| (p.name.as_str(), p.verdict)).collect();
    assert_eq!(
        verdicts,
        [("deadlock", Verdict::Safe), ("deadlock", Verdict::Unsafe), ("faults", Verdict::Safe)]
    );
}

#[test]
fn limits_leave_everything_unknown() {
    let program = program(1, 9);
    let depth = explored(&program, &Options { max_depth: Some(1), ..without_deadlock() });
    let printed = plain(&depth);
    let first =
        "unknown: the depth limit of 1 step was reached; no violation in the 3 states searched (PROC = 2)\n";
    assert!(printed.starts_with(first), "{printed}");
    assert!(!printed.contains("never fired"), "what was not searched cannot be called dead: {printed}");

    let options = without_deadlock();
    let outcome = explore(&program, &options, &mut |_| false);
    for (stop, code) in [(Stop::Timeout(3.0), "U0102"), (Stop::Interrupt, "U0105")] {
        let stopped = report(&program, &options, &outcome, Some(stop));
        assert!(stopped.properties.iter().all(|property| property.verdict == Verdict::Unknown));
        assert!(plain(&stopped).contains(code), "{}", plain(&stopped));
    }
}

#[test]
fn nothing_reachable_is_loud() {
    let mut program = program(1, 9);
    program.starts.clear();
    let printed = plain(&explored(&program, &without_deadlock()));
    assert!(
        printed.contains("\nwarning[W0101]: no startstate is possible, so NOTHING was checked\n"),
        "{printed}"
    );
    assert!(!printed.contains("checked: "), "{printed}");
}

#[test]
fn no_invariants_is_said() {
    let mut program = program(1, 9);
    program.properties.clear();
    program.probes.clear();
    let printed = plain(&explored(&program, &without_deadlock()));
    assert!(printed.contains("\nwarning[W0102]: the model has no invariants"), "{printed}");
}

#[test]
fn json_of_a_violation() {
    let report = explored(&program(3, 9), &without_deadlock());
    let text = Text::new("count.m", MODEL);
    let object = json::report(&report, "1.2.3", &[], &text);
    let keys: Vec<&String> = object.as_object().expect("the test is right").keys().collect();
    let expected = [
        "schema",
        "tool",
        "version",
        "file",
        "verdict",
        "instance",
        "properties",
        "statistics",
        "assumptions",
        "certificate",
        "notes",
        "diagnostics",
    ];
    assert_eq!(keys, expected);
    assert_eq!((&object["schema"], &object["verdict"]), (&json!(1), &json!("unsafe")));
    let low = &object["properties"][0];
    assert_eq!((&low["code"], &low["location"]), (&json!("V0101"), &json!({ "line": 3, "column": 1 })));
    assert_eq!(
        low["trace"],
        json!({
            "size": { "PROC": 2 },
            "steps": [
                { "rule": "zero", "params": {}, "state": { "x": { "1": 0, "2": 0 } } },
                { "rule": "count", "params": { "i": "1" }, "state": { "x": { "1": 1, "2": 0 } } },
                { "rule": "count", "params": { "i": "1" }, "state": { "x": { "1": 2, "2": 0 } } },
            ],
            "end": "here invariant \"low\" is false",
            "replayed": true,
        })
    );
    assert_eq!(object["properties"][1]["verdict"], "unknown");
    assert_eq!(
        (&object["statistics"]["states"], &object["statistics"]["states_per_second"]),
        (&json!(4), &json!(8))
    );
}

#[test]
fn itf_of_a_violation() {
    let report = explored(&program(3, 9), &without_deadlock());
    let trace = itf::trace(report.properties[0].trace.as_ref().expect("the test is right"), "count.m", "low");
    assert_eq!(trace["vars"], json!(["x"]));
    let number = |text: &str| json!({ "#bigint": text });
    let expected = json!({
        "#meta": { "index": 1, "action": "count(i = 1)" },
        "x": { "#map": [[number("1"), number("1")], [number("2"), number("0")]] },
    });
    assert_eq!(trace["states"][1], expected);
}

#[test]
fn colours_change_nothing_else() {
    let report = explored(&program(3, 9), &without_deadlock());
    let coloured = text::report(&report, Detail::Normal, Style::Colour);
    let mut stripped = String::new();
    let mut parts = coloured.split('\u{1b}');
    stripped.push_str(parts.next().expect("the test is right"));
    parts.for_each(|part| stripped.push_str(part.split_once('m').expect("the test is right").1));
    assert!(coloured.len() > stripped.len());
    assert_eq!(stripped, plain(&report));
}
