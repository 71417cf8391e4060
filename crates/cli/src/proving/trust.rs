//! How much a proof says, from the engine's findings to the report's.

use super::confirm::Confirmation;
use super::watcher::Watcher;
use super::{Job, no_flag, view};
use crate::model::Model;
use crate::progress::Line;
use anyhow::Context;
use tenet_engine::reach::Outcome;
use tenet_engine::trust::{self, Fate, Item, Subject, trust};
use tenet_report::trust::{Finding, Kind, Trust};
use tenet_system::System;

/// What can be said about a proof that was confirmed. The relations of Horn clauses are no rules of anybody's, and a clause that never
/// derives anything is what a proof of safety is made of, so nothing is said about these.
pub fn of_proof(
    job: &Job<'_>,
    model: &Model,
    system: &mut System,
    confirmation: &Confirmation,
    outcome: &Outcome,
    chosen: &[usize],
    memory: usize,
) -> anyhow::Result<Option<Trust>> {
    if model.is_horn() || !matches!(confirmation, Confirmation::Verified(_)) {
        return Ok(None);
    }
    let proved = view::claimed(outcome, chosen);
    let line = Line::new(false);
    let watcher = Watcher::start(job.clock, memory, line, no_flag()).context("cannot start a thread")?;
    let found = trust(system, &proved, &outcome.invariant, &watcher);
    Ok(Some(shown(system, &found)))
}

fn shown(system: &System, found: &trust::Trust) -> Trust {
    let count =
        |is_wanted: fn(&Subject) -> bool| found.items.iter().filter(|item| is_wanted(&item.subject)).count();
    // Where no instance was looked at, not to be seen says nothing.
    let is_finding = |item: &&Item| match item.fate {
        Fate::Seen => false,
        Fate::NotSeen => found.explored.is_some(),
        Fate::Never => true,
    };
    Trust {
        rules: count(|subject| matches!(subject, Subject::Rule(_))),
        antecedents: count(|subject| matches!(subject, Subject::Antecedent(..))),
        assertions: count(|subject| matches!(subject, Subject::Assertion(_))),
        explored: found.explored.clone(),
        questions: found.questions,
        findings: found.items.iter().filter(is_finding).map(|item| finding(system, item)).collect(),
    }
}

fn finding(system: &System, item: &Item) -> Finding {
    let is_proved = item.fate == Fate::Never;
    let property = |position: usize| system.properties[position].name.clone();
    let (kind, name, property) = match &item.subject {
        Subject::Rule(rule) => (Kind::Rule, system.rules[*rule].name.clone(), None),
        Subject::Antecedent(position, text) => (Kind::Antecedent, text.clone(), Some(property(*position))),
        Subject::Assertion(position) => (Kind::Assertion, property(*position), None),
        Subject::Change => (Kind::Change, String::new(), None),
    };
    Finding { kind, name, property, is_proved }
}
