//! Invariants over one or two atoms: guessed from random simulation, and kept as far as they are inductive (Houdini).
//!
//! One-hot state machines, flags that exclude each other, registers that never change: most lemmas about control are
//! of this form. All of them together are found by a few dozen questions, where property-directed search would find
//! one after the other.

use super::netlist::Netlist;
use super::vocabulary::{Cube, Vocabulary, bits};
use super::{Halt, Slice};
use tenet_solve::{Answer, BitSimulator, Lanes, Solver};
use tenet_system::random::XorShift;
use tenet_term::{Role, SortId, SymbolId, TermId, TermStore, Value};

/// Cycles of simulation, of sixty-four runs at once.
const SIMULATED_CYCLES: usize = 150;
/// With more atoms than this, pairs of them are left out: they grow quadratically.
const MAX_ATOMS_FOR_PAIRS: usize = 700;
/// Candidates beyond this would take more questions than a slice allows.
const MAX_CANDIDATE_FACTS: usize = 3000;

/// Cubes that no reachable state is in, with an inductive proof of all of them together. It takes at most half of the
/// slice.
pub fn facts(
    store: &mut TermStore,
    netlist: &Netlist,
    vocabulary: &Vocabulary,
    slice: &Slice<'_>,
) -> Result<Vec<Cube>, Halt> {
    if !netlist.is_of_bits || vocabulary.atoms.len() > MAX_ATOMS_FOR_PAIRS {
        return Ok(Vec::new());
    }
    let mut facts = Vec::new();
    match collect(store, netlist, vocabulary, &mut facts, &slice.half()) {
        // What was found so far is enough to go on with.
        Ok(()) | Err(Halt::SliceSpent) => Ok(facts),
        Err(halt) => Err(halt),
    }
}

/// First invariants over one atom, which are few and often suffice; then over two.
fn collect(
    store: &mut TermStore,
    netlist: &Netlist,
    vocabulary: &Vocabulary,
    facts: &mut Vec<Cube>,
    slice: &Slice<'_>,
) -> Result<(), Halt> {
    let samples = simulate(store, netlist, vocabulary, slice)?;
    for candidates in [candidates_over_one(&samples), candidates_over_two(&samples)] {
        let initial = initially_true(store, netlist, vocabulary, candidates, slice)?;
        let found = inductive(store, netlist, vocabulary, initial, facts, slice)?;
        facts.extend(found);
    }
    Ok(())
}

/// For each atom its values in the states of random runs.
fn simulate(
    store: &mut TermStore,
    netlist: &Netlist,
    vocabulary: &Vocabulary,
    slice: &Slice<'_>,
) -> Result<Vec<Vec<u64>>, Halt> {
    let atoms = vocabulary.atoms.iter().map(|atom| atom.now[0]);
    let step: Vec<TermId> = netlist.next.iter().copied().chain([netlist.constraint]).chain(atoms).collect();
    let mut steps = BitSimulator::new(store, &step);
    let mut start = BitSimulator::new(store, &[&netlist.initial[..], &[netlist.start]].concat());
    let mut chance = Chance(XorShift::new(0x9e37_79b9_7f4a_7c15));
    let mut samples = vec![Vec::new(); vocabulary.atoms.len()];
    let mut begin = |store: &mut TermStore, chance: &mut Chance| {
        let arbitrary = chance.words(store, &netlist.arbitrary);
        let mut state = start.compute(&arbitrary);
        let possible = state.pop().expect("invariant: the condition comes last")[0];
        (state, possible)
    };
    let (mut state, mut alive) = begin(store, &mut chance);
    for _ in 0..SIMULATED_CYCLES {
        slice.check()?;
        let mut given: Vec<(SymbolId, Lanes)> = netlist.state.iter().copied().zip(state).collect();
        given.extend(chance.words(store, &netlist.inputs));
        let mut computed = steps.compute(&given);
        let seen = computed.split_off(netlist.state.len() + 1);
        let allowed = computed.pop().expect("invariant: the condition comes last")[0];
        // A lane whose run is impossible says nothing: its sample is that of a lane whose run is possible.
        let Some(lane) = (0..64).find(|lane| alive >> lane & 1 == 1) else { break };
        for (sample, lanes) in samples.iter_mut().zip(&seen) {
            let filler = if lanes[0] >> lane & 1 == 1 { u64::MAX } else { 0 };
            sample.push(lanes[0] & alive | filler & !alive);
        }
        // A run that violates an assumption starts again.
        let (again, possible) = begin(store, &mut chance);
        let goes_on = alive & allowed;
        state = computed
            .iter()
            .zip(&again)
            .map(|(next, first)| next.iter().zip(first).map(|(n, f)| n & goes_on | f & !goes_on).collect())
            .collect();
        alive = goes_on | possible & !goes_on;
    }
    Ok(samples)
}

/// Values for simulated runs, drawn from a fixed seed.
struct Chance(XorShift);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0.number()
    }

    /// Values for symbols. Some runs get mostly zeros, some mostly ones.
    fn words(&mut self, store: &mut TermStore, symbols: &[SymbolId]) -> Vec<(SymbolId, Lanes)> {
        let word = |&symbol: &SymbolId| {
            let width = bits(store, symbol).map_or(0, |bits| bits.len());
            let lane = |_| {
                let (a, b, c) = (self.next(), self.next(), self.next());
                a & 0xffff_ffff | a & b & c & 0xffff << 32 | (a | b | c) & 0xffff << 48
            };
            (symbol, (0..width).map(lane).collect())
        };
        symbols.iter().map(word).collect()
    }
}

/// The literals that are true in no sample.
fn candidates_over_one(samples: &[Vec<u64>]) -> Vec<Cube> {
    let literals = 0..2 * samples.len() as u32;
    literals.filter(|&literal| is_never(samples, &[literal])).map(|literal| vec![literal]).collect()
}

/// The pairs of literals that are true together in no sample. Atoms that are constant in the samples are left out:
/// their own candidates imply those of their pairs.
fn candidates_over_two(samples: &[Vec<u64>]) -> Vec<Cube> {
    let mut candidates = Vec::new();
    let changes = |literal: &u32| !is_never(samples, &[*literal]) && !is_never(samples, &[*literal ^ 1]);
    let changing: Vec<u32> = (0..2 * samples.len() as u32).filter(changes).collect();
    for (position, &a) in changing.iter().enumerate() {
        for &b in changing[position + 1..].iter().filter(|&&b| b >> 1 != a >> 1) {
            if is_never(samples, &[a, b]) {
                candidates.push(vec![a, b]);
            }
            if candidates.len() >= MAX_CANDIDATE_FACTS {
                return candidates;
            }
        }
    }
    candidates
}

/// Are these literals true together in no sample?
fn is_never(samples: &[Vec<u64>], literals: &[u32]) -> bool {
    let value = |literal: u32, word: usize| {
        let value = samples[(literal >> 1) as usize][word];
        if literal & 1 == 1 { !value } else { value }
    };
    let words = samples.first().map_or(0, Vec::len);
    words > 0 && (0..words).all(|word| literals.iter().fold(u64::MAX, |all, &it| all & value(it, word)) == 0)
}

/// The candidates that hold in the initial states.
fn initially_true(
    store: &mut TermStore,
    netlist: &Netlist,
    vocabulary: &Vocabulary,
    candidates: Vec<Cube>,
    slice: &Slice<'_>,
) -> Result<Vec<Cube>, Halt> {
    let mut solver = netlist.solver(&slice.limits());
    solver.assert(store, netlist.start);
    let violated = |store: &mut TermStore, cube: &Cube| {
        let literals: Vec<TermId> = cube.iter().map(|&literal| vocabulary.initial(literal)).collect();
        store.mk_and(literals)
    };
    houdini(store, solver.as_mut(), candidates, violated, |_, _| None, slice)
}

/// The candidates that are inductive together, relative to the known facts.
fn inductive(
    store: &mut TermStore,
    netlist: &Netlist,
    vocabulary: &Vocabulary,
    candidates: Vec<Cube>,
    known: &[Cube],
    slice: &Slice<'_>,
) -> Result<Vec<Cube>, Halt> {
    let mut solver = netlist.solver(&slice.limits());
    solver.assert(store, netlist.constraint);
    for cube in known {
        let clause = vocabulary.clause(store, cube);
        solver.assert(store, clause);
    }
    let violated = |store: &mut TermStore, cube: &Cube| {
        let literals: Vec<TermId> = cube.iter().map(|&literal| vocabulary.next(literal)).collect();
        store.mk_and(literals)
    };
    let assumed = |store: &mut TermStore, cube: &Cube| Some(vocabulary.clause(store, cube));
    houdini(store, solver.as_mut(), candidates, violated, assumed, slice)
}

/// Drops candidates as long as one of them can be violated where all of them are assumed. Each model drops all that
/// it violates.
fn houdini(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    mut candidates: Vec<Cube>,
    violated: impl Fn(&mut TermStore, &Cube) -> TermId,
    assumed: impl Fn(&mut TermStore, &Cube) -> Option<TermId>,
    slice: &Slice<'_>,
) -> Result<Vec<Cube>, Halt> {
    let mut kept: Vec<(TermId, TermId)> = Vec::new();
    let mut some = Vec::new();
    for cube in &candidates {
        let symbol = store.fresh("guess", SortId::BOOL, Role::Skolem);
        let guess = store.mk_symbol(symbol);
        let not_guess = store.mk_not(guess);
        if let Some(formula) = assumed(store, cube) {
            let clause = store.mk_or([not_guess, formula]);
            solver.assert(store, clause);
        }
        let violation = violated(store, cube);
        some.push(store.mk_and([guess, violation]));
        kept.push((guess, violation));
    }
    let some = store.mk_or(some);
    solver.assert(store, some);
    let mut dropped: Vec<TermId> = Vec::new();
    loop {
        slice.check()?;
        let assumptions: Vec<TermId> =
            kept.iter().map(|&(guess, _)| guess).chain(dropped.iter().copied()).collect();
        match solver.check(store, &assumptions) {
            Answer::Unsat => return Ok(candidates),
            Answer::Unknown(_) => return Err(slice.halt()),
            Answer::Sat => {}
        }
        let violations: Vec<TermId> = kept.iter().map(|&(_, violation)| violation).collect();
        let values = solver.values(store, &violations);
        let is_violated: Vec<bool> = values.iter().map(|value| *value == Some(Value::Bool(true))).collect();
        if !is_violated.contains(&true) {
            return Ok(Vec::new());
        }
        for (&(guess, _), _) in kept.iter().zip(&is_violated).filter(|(_, violated)| **violated) {
            dropped.push(store.mk_not(guess));
        }
        let mut flags = is_violated.iter();
        kept.retain(|_| !flags.next().expect("invariant: one flag for each guess"));
        let mut flags = is_violated.iter();
        candidates.retain(|_| !flags.next().expect("invariant: one flag for each guess"));
    }
}
