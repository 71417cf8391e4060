//! The practical engine against plain execution and against a solver that is asked the three questions about an
//! invariant: on random programs, and on loops that each of its parts is for.

use crate::build::Build;
use crate::random::program;
use crate::support::{is_bad, is_invariant, layers};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tenet_engine::refine::refine;
use tenet_engine::{Outcome, Progress, Stop, Watch};
use tenet_system::System;
use tenet_system::run::replay_violation;
use tenet_term::Value;

/// How often the engine may ask whether to stop where there is an answer; the hardest of these takes 60,000 questions.
const MANY: usize = 1_000_000;
/// The same where there may be none.
const FEW: usize = 20_000;
/// So often it may ask again after it was told to stop, which it does three times.
const SOON: usize = 100;

/// Stops the engine when it has asked this often whether to stop, which is the same on every machine.
struct Questions {
    asked: Cell<usize>,
    limit: usize,
    interrupt: Arc<AtomicBool>,
}

impl Questions {
    fn new(limit: usize) -> Questions {
        Questions { asked: Cell::new(0), limit, interrupt: Arc::default() }
    }
}

impl Watch for Questions {
    fn progress(&mut self, _: &Progress) {}

    fn stop(&self) -> Option<Stop> {
        self.asked.set(self.asked.get() + 1);
        let is_over = self.asked.get() > self.limit;
        self.interrupt.fetch_or(is_over, Ordering::Relaxed);
        is_over.then_some(Stop::Timeout)
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }
}

fn answer(system: &mut System, questions: &mut Questions) -> Outcome {
    let all: Vec<usize> = (0..system.properties.len()).collect();
    refine(system, &all, questions)
}

fn is_safe(system: &mut System) -> bool {
    let outcome = answer(system, &mut Questions::new(MANY));
    match outcome.run() {
        Some(violation) => {
            replay_violation(system, violation).expect("it happens");
            false
        }
        None => {
            assert!(outcome.is_proof(), "{outcome:?}");
            assert!(is_invariant(system, outcome.lemmas()));
            true
        }
    }
}

#[test]
fn random_programs_are_decided_as_plain_execution_says() {
    let (mut safe, mut broken) = (0, 0);
    for seed in tenet_chance::seeds(0..60) {
        let mut system = program(seed, seed % 3 == 0);
        let start = vec![Value::Enum(0), Value::int(0), Value::int(1)];
        let reached = layers(&system, start, 6, -1..=4);
        let is_broken = reached.iter().flatten().any(|state| is_bad(&system, state));
        let mut outcome = answer(&mut system, &mut Questions::new(FEW));
        if is_broken && outcome.first_open().is_some() {
            outcome = answer(&mut system, &mut Questions::new(MANY));
        }
        if let Some(violation) = outcome.run() {
            replay_violation(&mut system, violation).expect("a run happens");
            broken += 1;
            continue;
        }
        assert!(!is_broken, "{seed}: a run was missed");
        if outcome.is_proof() {
            assert!(is_invariant(&mut system, outcome.lemmas()), "{seed}: this is no invariant");
            safe += 1;
        }
    }
    assert!(safe > 10 && broken > 10, "{safe} are safe and {broken} are not: that says little");
}

/// `x` and `y` count together, then down together.
fn up_and_down(last: &str) -> System {
    Build::new(&["up", "down", "end"], &["x", "y"])
        .start("x = 0 & y = 0")
        .command("pc = up -> x := x + 1, y := y + 1")
        .command("pc = up -> pc := down")
        .command("pc = down & x != 0 -> x := x - 1, y := y - 1")
        .command(&format!("pc = down & x = 0 & {last} -> pc := end"))
        .never("pc = end")
        .system
}

#[test]
fn equations_are_found_without_search() {
    assert!(is_safe(&mut up_and_down("y != 0")));
    assert!(!is_safe(&mut up_and_down("y >= 0")));
}

/// Two phases: `y` follows `x` from 50 on.
fn phases(end: &str) -> System {
    Build::new(&["loop", "end"], &["x", "y"])
        .start("x = 0 & y = 50")
        .command("pc = loop & x < 50 -> x := x + 1")
        .command("pc = loop & x >= 50 & x < 100 -> x := x + 1, y := y + 1")
        .command(&format!("pc = loop & x >= 100 & {end} -> pc := end"))
        .never("pc = end")
        .system
}

#[test]
fn facts_are_found_for_each_phase() {
    assert!(is_safe(&mut phases("y != 100")));
    assert!(!is_safe(&mut phases("y = 100")));
}

#[test]
fn a_loop_is_taken_thousands_of_times_at_once() {
    let system = |end: i64| {
        Build::new(&["loop", "end"], &["x", "y"])
            .start("x = 0 & y = 0")
            .command("pc = loop -> x := x + 2, y := y + 3")
            .command(&format!("pc = loop & x = {end} & y = 30000 -> pc := end"))
            .never("pc = end")
            .system
    };
    assert!(!is_safe(&mut system(20_000)));
    assert!(is_safe(&mut system(20_001)));
}

#[test]
fn relations_come_from_paths_that_are_not_possible() {
    let mut system = Build::new(&["loop", "end"], &["x", "y", "n"])
        .start("x = 0 & y = 0")
        .command("pc = loop & x < n -> x := x + 1, y := y + 2")
        .command("pc = loop & x >= n & n >= 0 & y > 2*n -> pc := end")
        .never("pc = end")
        .system;
    assert!(is_safe(&mut system));
}

#[test]
fn it_stops_when_it_is_told_to() {
    // Whether some y is twice some square is nothing that any of its parts can tell.
    let mut system = Build::new(&["loop", "end"], &["x", "y", "z"])
        .start("x = 0 & y = 1 & z = 0")
        .command("pc = loop -> x := x + y, y := y + 2")
        .command("pc = loop -> z := z + 1")
        .command("pc = loop & x = 2*z & z = 1000003 -> pc := end")
        .never("pc = end")
        .system;
    let mut questions = Questions::new(FEW);
    let outcome = answer(&mut system, &mut questions);
    assert_eq!(outcome.stop, Some(Stop::Timeout), "{outcome:?}");
    // What was going on is given up at once.
    assert!(questions.asked.get() < FEW + SOON, "{}", questions.asked.get());
}
