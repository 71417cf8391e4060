//! The explorer against a search over a hash set of plain vectors.

use crate::generate::Generator;
use crate::orbits::{self, orbit, renamings};
use crate::reference::{self, Search, Wrong, kind};
use crate::symmetric::Symmetric;
use crate::tape::{Tape, tape};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use tenet_system::finite::explore::{Deadlock, End, Options, Outcome, explore};
use tenet_system::finite::program::Program;
use tenet_system::finite::trace::replay;

pub fn options(symmetry: bool, deadlock: Deadlock, keep_going: bool) -> Options {
    Options { symmetry, deadlock, keep_going, ..Options::default() }
}

pub fn run(program: &Program, options: &Options) -> Outcome {
    explore(program, options, &mut |_| true)
}

const DEADLOCKS: [(Deadlock, Wrong); 3] = [
    (Deadlock::Off, Wrong::Stuck),
    (Deadlock::Stuck, Wrong::Stuck),
    (Deadlock::Stuttering, Wrong::Stuttering),
];

/// What should be found with a way of looking for deadlocks.
fn expected(search: &Search, deadlock: Deadlock) -> BTreeMap<Wrong, Option<usize>> {
    let mut wrong = search.wrong.clone();
    wrong.retain(|kind, _| match kind {
        Wrong::Stuck => deadlock == Deadlock::Stuck,
        Wrong::Stuttering => deadlock == Deadlock::Stuttering,
        _ => true,
    });
    wrong
}

fn found(outcome: &Outcome, deadlock: Wrong) -> BTreeMap<Wrong, Option<usize>> {
    let length = |trace: &tenet_system::finite::trace::Trace| trace.steps.len().checked_sub(1);
    outcome.traces.iter().map(|trace| (kind(&trace.finding, deadlock), length(trace))).collect()
}

/// Everything is found, by shortest runs that replay.
fn same_verdicts(program: &Program, search: &Search, symmetry: bool) -> Result<(), TestCaseError> {
    for (deadlock, kind_of_deadlock) in DEADLOCKS {
        let wanted = expected(search, deadlock);
        let all = run(program, &options(symmetry, deadlock, true));
        prop_assert_eq!(
            found(&all, kind_of_deadlock),
            wanted.clone(),
            "{:?} symmetry {}",
            deadlock,
            symmetry
        );
        prop_assert_eq!(all.traces.len(), wanted.len());
        prop_assert_eq!(all.end, if wanted.is_empty() { End::Complete } else { End::Found });
        for trace in &all.traces {
            prop_assert_eq!(replay(program, trace), Ok(()), "{:?}", trace);
        }
        let first = run(program, &options(symmetry, deadlock, false));
        prop_assert_eq!(first.end, all.end);
        prop_assert_eq!(first.traces.first(), all.traces.first());
        prop_assert_eq!(first.traces.len(), wanted.len().min(1));
        prop_assert_eq!(&all.probes, &search.probes);
        prop_assert_eq!(&all.covered, &search.covered);
        prop_assert_eq!(&all.cover_statements, &search.cover_statements);
        prop_assert_eq!(all.statistics.depth as usize, search.depths.last().copied().unwrap_or(0));
        prop_assert_eq!(all.statistics.expanded, all.statistics.states);
        prop_assert_eq!(all.statistics.rules_fired, all.fired.iter().sum::<u64>());
    }
    Ok(())
}

fn sum<'f>(rules: usize, fired: impl IntoIterator<Item = &'f Vec<u64>>) -> Vec<u64> {
    fired.into_iter().fold(vec![0; rules], |mut all, one| {
        all.iter_mut().zip(one).for_each(|(all, one)| *all += one);
        all
    })
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, ..tenet_chance::cases(3000) })]

    #[test]
    fn every_state_is_found(tape in tape(500)) {
        all_states_are_found(tape)?;
    }
}

fn all_states_are_found(tape: Tape) -> Result<(), TestCaseError> {
    let program = Generator::new(tape).system();
    let Some(search) = reference::search(&program, 400) else { return Ok(()) };
    same_verdicts(&program, &search, false)?;
    let outcome = run(&program, &options(false, Deadlock::Off, true));
    prop_assert_eq!(outcome.statistics.states, search.states.len() as u64);
    prop_assert_eq!(outcome.fired, sum(program.rules.len(), &search.fired));
    Ok(())
}

fn symmetry_agrees(tape: Tape) -> Result<(), TestCaseError> {
    let program = Symmetric::new(tape).build();
    let Some(search) = reference::search(&program, 1200) else { return Ok(()) };
    same_verdicts(&program, &search, false)?;
    same_verdicts(&program, &search, true)?;
    let full = run(&program, &options(false, Deadlock::Off, true));
    prop_assert_eq!(full.statistics.states, search.states.len() as u64);
    prop_assert_eq!(full.fired, sum(program.rules.len(), &search.fired));
    let reduced = run(&program, &options(true, Deadlock::Off, true));
    prop_assert_eq!(reduced.statistics.states as usize, orbits::count(&program.layout, &search.states));
    prop_assert_eq!(reduced.fired, fired_by_orbit(&program, &search));
    Ok(())
}

#[test]
fn what_was_found_before() {
    let mut bytes = [0; 64];
    let found = [
        (0, 44),
        (17, 11),
        (18, 50),
        (19, 96),
        (20, 54),
        (26, 29),
        (29, 44),
        (30, 84),
        (35, 48),
        (38, 12),
        (43, 2),
        (44, 88),
        (47, 31),
        (49, 7),
        (53, 49),
        (56, 57),
        (57, 20),
        (58, 104),
        (59, 97),
        (61, 120),
        (62, 2),
        (63, 231),
    ];
    for (place, byte) in found {
        bytes[place] = byte;
    }
    all_states_are_found(Tape::of(&bytes)).unwrap();
    symmetry_agrees(Tape::of(&bytes)).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 4000, ..tenet_chance::cases(600) })]

    #[test]
    fn symmetry_changes_no_verdict(tape in tape(200)) {
        symmetry_agrees(tape)?;
    }

    #[test]
    fn a_depth_limit_cuts_the_search_there(tape in tape(300), limit in 0..4u32) {
        let program = Generator::new(tape).system();
        let Some(search) = reference::search(&program, 400) else { return Ok(()) };
        let limited = Options { max_depth: Some(limit), ..options(false, Deadlock::Off, true) };
        let outcome = run(&program, &limited);
        let within = search.depths.iter().filter(|&&depth| depth <= limit as usize).count();
        prop_assert_eq!(outcome.statistics.states, within as u64);
        let deeper = search.depths.last().is_some_and(|&depth| depth >= limit as usize);
        prop_assert_eq!(outcome.end == End::Depth, deeper);
    }
}

/// Rules taken in one state of each orbit; in which one does not matter.
fn fired_by_orbit(program: &Program, search: &Search) -> Vec<u64> {
    let renamings = renamings(&program.layout);
    let mut seen = BTreeSet::new();
    let representatives = search
        .states
        .iter()
        .zip(&search.fired)
        .filter(|(state, _)| seen.insert(orbit(&program.layout, &renamings, state).pop_first()));
    sum(program.rules.len(), representatives.map(|(_, fired)| fired))
}
