//! Every engine through the interface: what it claims of a small program, what it says where it does not fit, and what it advises.

mod small;

use small::Builder;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tenet_engine::interface::Entry;
use tenet_engine::refine::methods;
use tenet_engine::{
    Alone, Choices, Claim, Details, ENGINES, Evidence, Outcome, Progress, Reason, Stop, Subject, Violation,
    Watch, engine,
};
use tenet_system::System;
use tenet_system::recursive::Program;
use tenet_system::run::replay_violation;
use tenet_term::{BvOp, SortId, TermId};

/// `x` begins with 0 and goes up by one below 3; it is to stay below a limit. The predicate of the property is given.
fn counter(limit: i64) -> System {
    let mut b = Builder::new();
    let x = b.state("x", SortId::INT);
    let now = b.store().mk_symbol(x);
    let [zero, one, three, limit] = [0, 1, 3, limit].map(|number| b.store().mk_int(number));
    b.start(Vec::new(), TermId::TRUE, vec![zero]);
    let (guard, more) = (b.store().mk_lt(now, three), b.store().mk_add([now, one]));
    b.rule("count", Vec::new(), guard, vec![(x, more)]);
    let below = b.store().mk_lt(now, limit);
    b.predicate(below);
    b.property(below);
    b.system
}

/// The same over bits: a register that goes up until it is 3, and never is `limit`.
fn register(limit: u32) -> System {
    let mut b = Builder::new();
    let sort = b.store().bitvec_sort(4);
    let x = b.state("x", sort);
    let now = b.store().mk_symbol(x);
    let mut number = |value: u32| b.store().mk_bitvec(4, value);
    let [zero, one, three, limit] = [0, 1, 3, limit].map(&mut number);
    b.start(Vec::new(), TermId::TRUE, vec![zero]);
    let (is_end, more) = (b.store().mk_eq(now, three), b.store().mk_bv(BvOp::Add, &[now, one]));
    let next = b.store().mk_ite(is_end, now, more);
    b.rule("cycle", Vec::new(), TermId::TRUE, vec![(x, next)]);
    let property = b.store().mk_ne(now, limit);
    b.property(property);
    b.system
}

/// Elements of a set of any size, marked one after the other; none is, it is said.
fn protocol() -> System {
    let mut b = Builder::new();
    let node = b.store().index_sort("NODE");
    let sort = b.store().function_sort(&[node], SortId::BOOL);
    let mark = b.state("mark", sort);
    let marks = b.store().mk_symbol(mark);
    let (u, u_term) = b.bound("u", node);
    let none = b.store().mk_lambda(&[u], TermId::FALSE);
    b.start(Vec::new(), TermId::TRUE, vec![none]);
    let (i, i_term) = b.input("i", node);
    let marked = b.store().mk_store(marks, &[i_term], TermId::TRUE);
    b.rule("mark", vec![i], TermId::TRUE, vec![(mark, marked)]);
    let at_u = b.store().mk_apply(marks, &[u_term]);
    let unmarked = b.store().mk_not(at_u);
    let property = b.store().mk_forall(&[u], unmarked);
    b.property(property);
    b.system
}

fn run(name: &str, choices: &Choices, system: &mut System) -> Outcome {
    engine(name, choices).expect("it is in the table").run(Subject::System(system), &[0], &mut Alone)
}

fn published() -> Choices {
    Choices { methods: Some(methods::Options::default()), ..Choices::default() }
}

#[test]
fn what_holds_is_proved_by_lemmas() {
    for (name, choices) in [
        ("direct", Choices::default()),
        ("reach", Choices::default()),
        ("refine", Choices::default()),
        ("refine", published()),
    ] {
        let outcome = run(name, &choices, &mut counter(10));
        assert_eq!(outcome.proved(), [0], "{name}: {outcome:?}");
        assert!(matches!(outcome.evidence, Evidence::Invariant { .. }), "{name}");
    }
    for name in ["circuit", "hybrid"] {
        let outcome = run(name, &Choices::default(), &mut register(7));
        assert_eq!(outcome.proved(), [0], "{name}: {outcome:?}");
    }
}

#[test]
fn what_does_not_hold_has_a_run() {
    let cases = [
        ("refine", Choices::default(), counter(2)),
        ("refine", published(), counter(2)),
        ("circuit", Choices::default(), register(2)),
        ("hybrid", Choices::default(), register(2)),
    ];
    for (name, choices, mut system) in cases {
        let outcome = run(name, &choices, &mut system);
        let Some((0, Violation::System(violation))) = outcome.violated() else {
            panic!("{name}: {outcome:?}")
        };
        replay_violation(&mut system, violation).expect("it happens");
        assert!(matches!(outcome.evidence, Evidence::Nothing));
    }
}

/// Engines without runs leave it open, and say what to try.
#[test]
fn what_is_open_has_a_reason_and_a_hint() {
    let outcome = run("reach", &Choices::default(), &mut counter(2));
    let Some(Claim::Open(open)) = outcome.claim(0) else { panic!("{outcome:?}") };
    assert!(matches!(open.reason, Reason::Predicates | Reason::Unclear), "{open:?}");
    assert!(open.hint.as_deref().is_some_and(|hint| hint.contains("predicate")));
    assert!(matches!(outcome.statistics.details, Details::Reach(_)));
    let hint = |system: &mut System| {
        let outcome = run("direct", &Choices::default(), system);
        outcome.first_open().and_then(|open| open.hint.clone()).expect("there is a hint")
    };
    assert!(hint(&mut protocol()).contains("tenet explore --size"));
    for mut other in [counter(2), register(2)] {
        assert_eq!(
            hint(&mut other),
            "leave `--engine` out: the one that is made for such files is chosen then"
        );
    }
}

#[test]
fn what_cannot_be_read_is_said_by_fits_and_by_run() {
    let unfit = [
        ("refine", "`refine`"),
        ("circuit", "`circuit`"),
        ("hybrid", "`hybrid`"),
        ("recursive", "`.clp`"),
        ("reach", "no predicates"),
    ];
    for (name, words) in unfit {
        let engine = engine(name, &Choices::default()).expect("it is in the table");
        let refusal = engine.fits(&Subject::System(&mut protocol())).expect_err(name);
        assert!(refusal.why.contains(words), "{name}: {refusal}");
        let outcome = engine.run(Subject::System(&mut protocol()), &[0], &mut Alone);
        let open = outcome.first_open().expect("it is open");
        assert_eq!(
            (open.reason, &open.why, &open.hint),
            (Reason::Unfit, &refusal.why, &Some(refusal.hint.clone()))
        );
        assert!(!refusal.hint.contains("--iterations") && !refusal.hint.contains("--method"), "{name}");
    }
    let refusal =
        engine("refine", &published()).expect("it is there").fits(&Subject::System(&mut protocol()));
    assert!(refusal.is_err_and(|refusal| refusal.why.contains("refinement methods")));
}

#[test]
fn systems_and_recursive_programs_are_told_apart() {
    for Entry { name, make, .. } in ENGINES {
        let engine = make(&Choices::default());
        let fits = engine.fits(&Subject::Program(&mut Program::default()));
        assert_eq!(fits.is_ok(), *name == "recursive", "{name}");
        let outcome = engine.run(Subject::Program(&mut Program::default()), &[], &mut Alone);
        assert!(outcome.claims.is_empty());
    }
}

/// Time is over before anything has begun.
struct Over;

impl Watch for Over {
    fn progress(&mut self, _: &Progress) {}

    fn stop(&self) -> Option<Stop> {
        Some(Stop::Timeout)
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::new(AtomicBool::new(true))
    }
}

#[test]
fn who_is_stopped_says_so() {
    let cases = [
        ("direct", protocol()),
        ("reach", counter(10)),
        ("refine", counter(10)),
        ("circuit", register(7)),
        ("hybrid", register(7)),
    ];
    for (name, mut system) in cases {
        let engine = engine(name, &Choices::default()).expect("it is in the table");
        let outcome = engine.run(Subject::System(&mut system), &[0], &mut Over);
        assert_eq!(outcome.stop, Some(Stop::Timeout), "{name}");
        let open = outcome.first_open().expect("it is open");
        assert_eq!(open.reason, Reason::Stopped(Stop::Timeout), "{name}");
        assert_eq!(open.hint.as_deref(), Some("raise --timeout"));
        assert!(!outcome.so_far.is_empty());
    }
}
