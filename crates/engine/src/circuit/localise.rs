//! Refinement by localisation: which registers refute a spurious counterexample.
//!
//! The circuit is unrolled with each register that is not observed cut between cycles: that it has in the next cycle
//! what was computed in this one is an assumption. The registers in the unsatisfiable core are observed from then on
//! (proof-based abstraction; McMillan and Amla, 2003); all others stay abstract.

use super::netlist::Netlist;
use super::{Halt, Slice};
use tenet_solve::{Answer, Solver};
use tenet_term::{Role, Sort, Substitution, SymbolId, TermId, TermStore};

/// The registers, among those that may be cut, that are needed to refute all runs of this many cycles.
pub fn localise(
    store: &mut TermStore,
    netlist: &Netlist,
    may_cut: &[bool],
    length: usize,
    slice: &Slice<'_>,
) -> Result<Vec<usize>, Halt> {
    let mut solver = netlist.solver(&slice.limits());
    solver.assert(store, netlist.start);
    let mut links: Vec<(usize, TermId)> = Vec::new();
    let mut state = netlist.initial.clone();
    for _ in 0..length {
        let here = cycle(store, netlist, &state, solver.as_mut());
        let mut after = Vec::with_capacity(state.len());
        for (register, &next) in netlist.next.iter().enumerate() {
            let next = store.substitute(next, &here);
            if !may_cut[register] || !is_cuttable(store, netlist, register) {
                after.push(next);
                continue;
            }
            let symbol = copy(store, netlist.state[register], Role::Skolem);
            let symbol = store.mk_symbol(symbol);
            let link = same(store, symbol, next);
            links.push((register, link));
            after.push(symbol);
        }
        state = after;
    }
    let here = cycle(store, netlist, &state, solver.as_mut());
    let bad = store.substitute(netlist.bad, &here);
    solver.assert(store, bad);
    shrink(store, solver.as_mut(), links, slice)
}

/// Drops registers while the rest of them still refutes the run.
fn shrink(
    store: &TermStore,
    solver: &mut dyn Solver,
    links: Vec<(usize, TermId)>,
    slice: &Slice<'_>,
) -> Result<Vec<usize>, Halt> {
    let mut needed = links;
    let mut open: Option<Vec<usize>> = None;
    loop {
        let candidate = match &mut open {
            None => None,
            Some(rest) => match rest.pop() {
                Some(register) => Some(register),
                None => break,
            },
        };
        let kept = needed.iter().filter(|(register, _)| Some(*register) != candidate);
        let assumptions: Vec<TermId> = kept.map(|&(_, link)| link).collect();
        match solver.check(store, &assumptions) {
            Answer::Unsat => {
                let core = solver.core();
                needed.retain(|(_, link)| core.contains(link));
                let left = registers(&needed);
                match &mut open {
                    None => open = Some(left),
                    Some(rest) => rest.retain(|register| left.contains(register)),
                }
            }
            Answer::Sat if open.is_some() => {}
            Answer::Sat => return Err(Halt::Stuck("a suspected run is real, and was not found".to_owned())),
            // The budget may not suffice to drop any, but then the set is large, not wrong.
            Answer::Unknown(_) if open.is_some() && slice.is_left() => break,
            Answer::Unknown(_) => return Err(slice.halt()),
        }
    }
    Ok(registers(&needed))
}

fn registers(links: &[(usize, TermId)]) -> Vec<usize> {
    let mut registers: Vec<usize> = links.iter().map(|&(register, _)| register).collect();
    registers.sort_unstable();
    registers.dedup();
    registers
}

/// New inputs for a cycle in this state, about which the assumptions are asserted.
fn cycle(
    store: &mut TermStore,
    netlist: &Netlist,
    state: &[TermId],
    solver: &mut dyn Solver,
) -> Substitution {
    let inputs: Vec<TermId> = netlist
        .inputs
        .iter()
        .map(|&input| {
            let input = copy(store, input, Role::Input);
            store.mk_symbol(input)
        })
        .collect();
    let pairs = netlist.state.iter().copied().zip(state.iter().copied());
    let here = Substitution::from_pairs(store, pairs.chain(netlist.inputs.iter().copied().zip(inputs)));
    let constraint = store.substitute(netlist.constraint, &here);
    solver.assert(store, constraint);
    here
}

fn copy(store: &mut TermStore, symbol: SymbolId, role: Role) -> SymbolId {
    let (name, sort) = (store.symbol(symbol).name.clone(), store.symbol(symbol).sort);
    store.fresh(&name, sort, role)
}

/// That a register is the same as a term. Only a solver for bits compares memories.
fn is_cuttable(store: &TermStore, netlist: &Netlist, register: usize) -> bool {
    let sort = store.symbol(netlist.state[register]).sort;
    netlist.is_of_bits || !matches!(store.sort(sort), Sort::Function { .. })
}

fn same(store: &mut TermStore, a: TermId, b: TermId) -> TermId {
    if store.is_bool(a) { store.mk_iff(a, b) } else { store.mk_eq(a, b) }
}
