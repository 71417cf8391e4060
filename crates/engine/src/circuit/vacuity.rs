//! Vacuity of proofs about circuits: assumptions that no run satisfies (X-T2).

use super::bounded::Bounded;
use super::netlist::Netlist;
use crate::common::Warning;
use crate::common::watch::Watch;
use tenet_solve::{Answer, Effort, Limits};
use tenet_system::{Circuit, System};

const REQUIRED_CYCLES: usize = 10;
const EFFORT_PER_CYCLE: Effort = Effort::secs(1);

/// Whether the assumptions end all runs, and after how many cycles. What a solver does not know is no reason to warn.
pub fn vacuity(system: &mut System, circuit: &Circuit, watch: &dyn Watch) -> Vec<Warning> {
    let netlist = Netlist::of(system, circuit, &[]);
    let limits = Limits::until(watch.interrupt()).within(EFFORT_PER_CYCLE);
    let mut unrolled = Bounded::new(&system.store, &netlist, &limits);
    for cycles in 0..REQUIRED_CYCLES {
        match unrolled.is_possible(&mut system.store, &netlist) {
            Answer::Sat => {}
            Answer::Unsat if cycles == 0 => return vec![Warning::NoStart],
            Answer::Unsat => return vec![Warning::AssumptionsEnd(cycles)],
            Answer::Unknown(_) => break,
        }
    }
    Vec::new()
}
