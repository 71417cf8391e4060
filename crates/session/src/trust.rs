//! How much a proof says, from the engine's findings to the report's.

use crate::answer::NoAnswer;
use crate::attempt::Attempt;
use crate::job::Job;
use crate::judge;
use crate::observer::Unobserved;
use crate::watcher::Watcher;
use tenet_engine::trust::{self, Item, Status, Subject, trust, trust_of_relations};
use tenet_lang::horn::Horn;
use tenet_lang::horn::vacuity::{Expected, expected};
use tenet_report::trust::{Finding, Kind, Trust};
use tenet_system::{Lemma, System};

/// What can be said about a proof that was confirmed.
pub(crate) fn of_proof(
    job: &Job<'_>,
    system: &mut System,
    attempt: &Attempt,
    chosen: &[usize],
) -> Result<Option<Trust>, NoAnswer> {
    // Solvers for Horn clauses say nothing about their answers.
    if job.question.wants_chc || attempt.confirmation.certificate().is_none() {
        return Ok(None);
    }
    let watcher = Watcher::start(job.budget, &Unobserved::shared())?;
    let outcome = &attempt.outcome;
    if let Some(horn) = job.model().clauses() {
        return Ok(Some(of_clauses(horn, system, outcome.lemmas(), &watcher)));
    }
    let proved = judge::claimed(outcome, chosen);
    let found = trust(system, &proved, outcome.lemmas(), &watcher);
    Ok(Some(shown(system, &found)))
}

/// Of Horn clauses: which relations hold of nothing.
fn of_clauses(horn: &Horn, system: &mut System, invariant: &[Lemma], watcher: &Watcher) -> Trust {
    let Expected { underivable, locations } = expected(&mut system.store, horn);
    let found = trust_of_relations(system, locations, invariant, watcher);
    let mut trust = shown(system, &found);
    // Numbers of programs are large, and instances small: that a place was not seen there says nothing.
    trust.findings.retain(|finding| finding.is_proved);
    trust.explored = trust.explored.filter(|_| found.items.iter().all(|item| item.status == Status::Seen));
    trust.relations += underivable.len();
    trust.findings.extend(underivable.into_iter().map(|name| Finding {
        kind: Kind::Relation,
        name,
        property: None,
        is_proved: true,
    }));
    trust
}

/// Adds that no instance that was looked at has a startstate, up to this one.
pub(crate) fn with_start(mut trust: Trust, nothing_starts: Option<String>) -> Trust {
    let finding =
        nothing_starts.map(|name| Finding { kind: Kind::Start, name, property: None, is_proved: false });
    trust.findings.splice(0..0, finding);
    trust
}

fn shown(system: &System, found: &trust::Trust) -> Trust {
    let count =
        |is_wanted: fn(&Subject) -> bool| found.items.iter().filter(|item| is_wanted(&item.subject)).count();
    // Where no instance was looked at, not to be seen says nothing.
    let is_finding = |item: &&Item| match item.status {
        Status::Seen => false,
        Status::NotSeen => found.explored.is_some(),
        Status::Never => true,
    };
    Trust {
        rules: count(|subject| matches!(subject, Subject::Rule(_))),
        antecedents: count(|subject| matches!(subject, Subject::Antecedent(..))),
        assertions: count(|subject| matches!(subject, Subject::Assertion(_))),
        relations: count(|subject| matches!(subject, Subject::Relation(_))),
        explored: found.explored.clone(),
        questions: found.questions,
        findings: found.items.iter().filter(is_finding).map(|item| finding(system, item)).collect(),
    }
}

fn finding(system: &System, item: &Item) -> Finding {
    let is_proved = item.status == Status::Never;
    let property = |position: usize| system.properties[position].name.clone();
    let (kind, name, property) = match &item.subject {
        Subject::Rule(rule) => (Kind::Rule, system.rules[*rule].name.clone(), None),
        Subject::Antecedent(position, text) => (Kind::Antecedent, text.clone(), Some(property(*position))),
        Subject::Assertion(position) => (Kind::Assertion, property(*position), None),
        Subject::Change => (Kind::Change, String::new(), None),
        Subject::Relation(name) => (Kind::Relation, name.clone(), None),
    };
    Finding { kind, name, property, is_proved }
}
