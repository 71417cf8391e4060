//! Independent checks of the bakery: an explicit search with few processes, the paper's entailments by enumeration (RA-A3), and
//! the engines for models with indices (X-A5).

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::process::Command;

/// The largest ticket that is searched.
const TICKETS: i64 = 5;

/// The location and the ticket of each process. Processes are counted from zero here.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    steps: Vec<i64>,
    tickets: Vec<i64>,
}

impl State {
    fn with(&self, process: usize, step: i64, ticket: i64) -> State {
        let mut next = self.clone();
        next.steps[process] = step;
        next.tickets[process] = ticket;
        next
    }

    /// `abs`: every process is outside without a ticket, or waits with one.
    fn is_abstract(&self) -> bool {
        let pairs = self.steps.iter().zip(&self.tickets);
        pairs.into_iter().all(|(&step, &ticket)| (step, ticket) == (0, 0) || (step == 1 && ticket > 0))
    }

    /// `crit`: no other process has a ticket that is not later.
    fn may_enter(&self, process: usize) -> bool {
        let others = self.tickets.iter().enumerate().filter(|(other, _)| *other != process);
        others.into_iter().all(|(_, &ticket)| ticket == 0 || ticket > self.tickets[process])
    }

    /// `max`: a number that no ticket exceeds.
    fn is_bound(&self, number: i64) -> bool {
        self.tickets.iter().all(|&ticket| number >= ticket)
    }

    fn successors(&self) -> Vec<State> {
        let mut next = Vec::new();
        for process in 0..self.steps.len() {
            match self.steps[process] {
                0 => {
                    let bounds = (0..TICKETS).filter(|&number| self.is_bound(number));
                    next.extend(bounds.map(|number| self.with(process, 1, number + 1)));
                }
                1 if self.may_enter(process) => next.push(self.with(process, 2, self.tickets[process])),
                2 => next.push(self.with(process, 0, 0)),
                _ => {}
            }
        }
        next
    }

    /// Is it in a node of the tree: the start, the abstraction, or the abstraction after one process has entered?
    fn is_in_the_tree(&self) -> bool {
        let critical: Vec<usize> =
            (0..self.steps.len()).filter(|&process| self.steps[process] == 2).collect();
        match critical[..] {
            [] => self.is_abstract(),
            [one] => self.with(one, 1, self.tickets[one]).is_abstract() && self.may_enter(one),
            _ => false,
        }
    }
}

/// All states with this number of processes and tickets up to a number.
fn states(processes: u32, steps: i64, tickets: i64) -> impl Iterator<Item = State> {
    let each = steps * (tickets + 1);
    (0..each.pow(processes)).map(move |number| {
        let digits: Vec<i64> = (0..processes).map(|place| number / each.pow(place) % each).collect();
        State {
            steps: digits.iter().map(|digit| digit % steps).collect(),
            tickets: digits.iter().map(|digit| digit / steps).collect(),
        }
    })
}

#[test]
fn ra_a3_search() {
    for (processes, expected) in [(1, 11), (2, 61), (3, 271)] {
        let start = State { steps: vec![0; processes], tickets: vec![0; processes] };
        let mut seen: BTreeSet<State> = [start.clone()].into();
        let mut queue: VecDeque<State> = [start].into();
        while let Some(state) = queue.pop_front() {
            assert!(state.is_in_the_tree(), "{state:?}");
            assert!(state.steps.iter().filter(|&&step| step == 2).count() <= 1, "{state:?}");
            for next in state.successors() {
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        // Outside; waiting or inside with each of the tickets.
        assert_eq!(seen.len(), expected, "{processes} processes");
    }
}

#[test]
fn ra_a3_entailments_by_enumeration() {
    let mut instances = [0; 6];
    for state in (1..=3).flat_map(|processes| states(processes, 3, 3)) {
        let all = 0..state.steps.len();
        for one in all.clone() {
            let waits = state.steps[one] == 1;
            for other in all.clone().filter(|&other| other != one) {
                let (ticket, mine) = (state.tickets[other], state.tickets[one]);
                if state.may_enter(one) {
                    instances[0] += 1;
                    assert!(ticket == 0 || ticket > mine);
                }
                // INF
                let both = state.is_abstract() && waits && state.steps[other] == 1;
                assert!(!(both && state.may_enter(one) && state.may_enter(other)), "{state:?}");
                // D.1: the witness is the state before, in which the other one has drawn.
                for number in (0..=4).filter(|&number| state.is_bound(number)) {
                    if state.is_abstract() && waits && state.may_enter(one) && state.steps[other] == 0 {
                        instances[1] += 1;
                        let after = state.with(other, 1, number + 1);
                        assert!(after.is_abstract() && after.may_enter(one) && after.steps[one] == 1);
                    }
                }
            }
            if state.is_abstract() && waits {
                instances[2] += 1;
                assert!(state.tickets[one] > 0);
            }
            for number in (0..=4).filter(|&number| state.is_bound(number)) {
                if state.is_abstract() && state.steps[one] == 0 {
                    instances[3] += 1;
                    assert!(state.with(one, 1, number + 1).is_abstract());
                }
            }
            if state.is_abstract() && waits && state.may_enter(one) {
                instances[4] += 1;
                assert!(state.with(one, 0, 0).is_abstract());
            }
        }
        instances[5] += usize::from(state.is_abstract());
    }
    assert!(instances.iter().all(|&count| count > 3), "{instances:?}");
}

#[test]
fn x_a5_other_engines() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for (command, model) in [("prove", "bakery_atomic.tenet"), ("abstract", "papers/bakery.tenet")] {
        let output = Command::new(env!("CARGO_BIN_EXE_tenet")).arg(command).arg(models.join(model)).output();
        let output = output.expect("tenet starts");
        assert_eq!(output.status.code(), Some(0), "{model}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// `tenet` on a model of recursive definitions, by the engine for systems of any size.
fn direct(model: &str, more: &[&str]) -> (Option<i32>, String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/recursive").join(model);
    let asked = ["--engine", "direct", "--property", "mutual exclusion"];
    let command =
        Command::new(env!("CARGO_BIN_EXE_tenet")).arg("prove").arg(file).args(asked).args(more).output();
    let output = command.expect("tenet starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn x_a5_recursive_definitions_as_quantifiers() {
    let certificate = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bakery_atomic.cert");
    let name = certificate.display().to_string();
    let (code, text) = direct("bakery_atomic.clp", &["--certificate", &name]);
    assert_eq!(code, Some(0), "{text}");
    let verify = || Command::new(env!("CARGO_BIN_EXE_tenet")).arg("verify").arg(&certificate).output();
    assert_eq!(verify().expect("tenet starts").status.code(), Some(0));
    // A lemma that is changed is not the one that was proved.
    let text = std::fs::read_to_string(&certificate).expect("it was written");
    std::fs::write(&certificate, text.replace("; lemma 4 ", "; lemma 4 (not ")).expect("it can be written");
    assert_eq!(verify().expect("tenet starts").status.code(), Some(6));
    let (code, text) = direct("false_bakery_guard.clp", &["--timeout", "60"]);
    assert_eq!(code, Some(5), "{text}");
}
