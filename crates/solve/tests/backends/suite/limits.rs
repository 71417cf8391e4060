//! Time limits and interrupts end a check with `Unknown`, soon, and leave a usable solver.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tenet_solve::{Answer, Limits, Solver};
use tenet_term::{Op, Role, SortId, TermId, TermStore};

/// Far longer than ending a check should take, far shorter than the problem would.
const MAX_RESPONSE_TIME: Duration = Duration::from_secs(20);

/// Pigeons that do not fit their holes: nothing is known to refute it quickly by resolution.
fn pigeons(store: &mut TermStore, count: usize) -> TermId {
    let mut sits = Vec::new();
    for pigeon in 0..count {
        let row = (0..count - 1).map(|hole| {
            let symbol = store.declare(&format!("p{pigeon}h{hole}"), SortId::BOOL, Role::State);
            store.mk_symbol(symbol)
        });
        sits.push(row.collect::<Vec<TermId>>());
    }
    let mut facts: Vec<TermId> = sits.iter().map(|row| store.mk_or(row.iter().copied())).collect();
    for (second, row) in sits.iter().enumerate() {
        for other in &sits[..second] {
            for (&here, &there) in row.iter().zip(other) {
                let both = store.mk_and([here, there]);
                facts.push(store.mk_not(both));
            }
        }
    }
    store.mk_and(facts)
}

/// A hard problem with a limit of 50 ms is unknown; an easy one afterwards is answered.
pub fn timeout(solver: &mut dyn Solver) -> TermStore {
    let mut store = TermStore::new();
    let hard = pigeons(&mut store, 13);
    solver.set_limits(Limits { timeout: Some(Duration::from_millis(50)), ..Limits::default() });
    solver.push();
    solver.assert(&store, hard);
    let start = Instant::now();
    let answer = solver.check(&store, &[]);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert!(start.elapsed() < MAX_RESPONSE_TIME);
    assert!(!answer.is_proved() && answer.is_reachable() && answer.is_real().is_none());
    store
}

/// The same solver goes on after a time-out (a process does not: it is gone).
pub fn goes_on_after_timeout(solver: &mut dyn Solver) {
    let mut store = timeout(solver);
    solver.pop();
    solver.set_limits(Limits::default());
    let easy = pigeons(&mut store, 4);
    assert_eq!(solver.check(&store, &[easy]), Answer::Unsat);
}

/// A flag that another thread sets ends the check, and every later one.
pub fn interrupt(solver: &mut dyn Solver) {
    let mut store = TermStore::new();
    let hard = pigeons(&mut store, 13);
    let flag = Arc::new(AtomicBool::new(false));
    solver.set_limits(Limits {
        timeout: Some(MAX_RESPONSE_TIME),
        interrupt: Some(flag.clone()),
        ..Limits::default()
    });
    let start = Instant::now();
    let setter = std::thread::spawn({
        let flag = flag.clone();
        // Some time into the check; a flag that is set before it begins is tested below.
        move || {
            std::thread::park_timeout(Duration::from_millis(100));
            flag.store(true, Ordering::Relaxed);
        }
    });
    let answer = solver.check(&store, &[hard]);
    setter.join().expect("the flag was set");
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert!(start.elapsed() < MAX_RESPONSE_TIME);
    let trivial = store.raw(Op::And, &[]);
    assert!(matches!(solver.check(&store, &[trivial]), Answer::Unknown(_)));
}
