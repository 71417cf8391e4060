//! Flags that are never reset and after which no property can be violated any more.
//!
//! Translated models often go on after a step that was not possible, with a flag that says so. No counterexample ever
//! raises such a flag, so its being down can be assumed of every cycle; lemmas learned that way hold in all states
//! where it is down.

use super::netlist::Netlist;
use tenet_solve::{Answer, Limits};
use tenet_term::{TermId, TermStore};

/// Adds to the assumptions that no run raises such a flag.
pub fn cut_dead_ends(store: &mut TermStore, netlist: &mut Netlist, limits: &Limits) {
    let mut solver = netlist.solver(limits);
    let step = netlist.step(store);
    let mut dead = Vec::new();
    for &symbol in &netlist.state {
        let up = store.mk_symbol(symbol);
        if !store.is_bool(up) {
            continue;
        }
        let down = store.mk_not(up);
        for (flag, other) in [(up, down), (down, up)] {
            let after = store.substitute(other, &step);
            let harms = solver.check(store, &[netlist.bad, flag]);
            if harms == Answer::Unsat
                && solver.check(store, &[netlist.constraint, flag, after]) == Answer::Unsat
            {
                dead.push(flag);
            }
        }
    }
    let alive: Vec<TermId> = dead.iter().map(|&flag| store.mk_not(flag)).collect();
    netlist.constraint = store.mk_and([netlist.constraint].into_iter().chain(alive));
    netlist.dead = dead;
}
