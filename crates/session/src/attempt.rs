//! One attempt at a proof: an engine makes claims, and a certificate confirms them.

use crate::answer::NoAnswer;
use crate::confirm::{Confirmation, confirm};
use crate::instances::{self, Extent, Instances, search_instances};
use crate::job::Job;
use crate::threads;
use crate::watcher::Watcher;
use crate::{judge, vacuous};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tenet_engine::induct::Induction;
use tenet_engine::{
    Claim, Engine, Evidence, InstanceSearch, Obstacle, Open, Outcome, Reason, Stop, Subject, Warning, Watch,
};
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::codes;
use tenet_system::{Cone, System, run};

/// Small instances are searched beside a proof that takes longer than this.
const HEAD_START: Duration = Duration::from_secs(5);

/// What an attempt gave.
pub(crate) struct Attempt {
    pub engine: &'static str,
    /// What the engine says to try if its proof is not confirmed.
    pub if_unconfirmed: Option<&'static str>,
    /// What the engine claims.
    pub outcome: Outcome,
    /// What became of its proof.
    pub confirmation: Confirmation,
    /// Why the work was stopped, if it was.
    pub stop: Option<Stop>,
    /// What stands in the way of what is not proved, if that was asked.
    pub induction: Option<Box<Induction>>,
}

impl Attempt {
    /// Is every property proved and confirmed?
    pub fn is_proved(&self, chosen: &[usize]) -> bool {
        self.confirmation.certificate().is_some() && judge::claimed(&self.outcome, chosen) == chosen
    }

    /// The run that the engine has found, not replayed yet.
    pub fn violation(&self) -> Option<&run::Violation> {
        self.outcome.run()
    }

    /// Forgets the run, for this reason. What was left open because of it stays so for the same reason; a proof stays one.
    pub fn drop_run(&mut self, why: &str) {
        let hint = "raise --timeout, or add an invariant that says why it holds";
        let open = Open::new(Reason::NoLemmas, why, hint);
        let is_because_of_it = |claim: &Claim| match claim {
            Claim::Violation(_) => true,
            Claim::Open(open) => open.reason == Reason::AnotherViolated,
            Claim::Proof => false,
        };
        for claimed in self.outcome.claims.iter_mut().filter(|claimed| is_because_of_it(&claimed.claim)) {
            claimed.claim = Claim::Open(open.clone());
        }
    }

    /// Forgets a run that shows nothing, because it rests on a value that the language leaves open; gives the system without
    /// such steps then.
    pub fn drop_open_run(&mut self, job: &Job<'_>, system: &System) -> Option<System> {
        let open = job.model().open_run(system, &self.violation()?.run)?;
        self.drop_run(open.why);
        Some(open.closed)
    }
}

/// Runs the engine and confirms what it claims; stops when the flag is set.
pub(crate) fn attempt(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    engine: &dyn Engine,
    is_settled: &Arc<AtomicBool>,
) -> Result<Attempt, NoAnswer> {
    let mut watcher = Watcher::start(&job.budget.until(is_settled), job.observer)?;
    let mut outcome = claim(job, system, chosen, engine, &mut watcher)?;
    vacuous::add_warnings(job, system, chosen, &mut outcome, &watcher);
    Ok(confirmed(job, system, chosen, engine, outcome, &watcher))
}

/// Runs the engine.
pub(crate) fn claim(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    engine: &dyn Engine,
    watcher: &mut Watcher,
) -> Result<Outcome, NoAnswer> {
    let mut outcome = run_on_cone(system, chosen, engine, watcher)
        .unwrap_or_else(|| engine.run(Subject::System(system), chosen, watcher));
    match outcome.first_open() {
        Some(open) if open.reason == Reason::NotReplayed => return Err(NoAnswer::not_replayed("")),
        // The question makes no sense then, such as an oracle that speaks of a variable that is not there.
        Some(open) if open.reason == Reason::Unfit && job.is_published_method() => {
            return Err(NoAnswer::refused(Diagnostic::global(&codes::NOT_A_PROGRAM, &*open.why)));
        }
        _ => {}
    }
    if job.is_published_method() && job.model().clauses().is_some() {
        // Which clauses of the file are facts is not to be seen in the program that was made of them.
        outcome.warnings.retain(|warning| *warning != Warning::NoStart);
    }
    Ok(outcome)
}

/// Runs the engine on what the properties depend on. Nothing if that is everything, or if a run was found there, which would lack the rest of
/// the state: it is found again.
fn run_on_cone(
    system: &mut System,
    chosen: &[usize],
    engine: &dyn Engine,
    watcher: &mut Watcher,
) -> Option<Outcome> {
    if engine.instance_search() != InstanceSearch::Beside {
        return None;
    }
    let Cone { system: mut part, rules } = Cone::of(system, chosen)?;
    let mut outcome = engine.run(Subject::System(&mut part), chosen, watcher);
    // The lemmas are terms of the part's store, to which terms were only added.
    system.store = part.store;
    if outcome.run().is_some() {
        return None;
    }
    let count = system.rules.len();
    if let Evidence::Invariant { advice, .. } = &mut outcome.evidence {
        advice.rules = spread(std::mem::take(&mut advice.rules), &rules, count);
        advice.uses = advice.uses.take().map(|uses| spread(uses, &rules, count));
    }
    for claimed in &mut outcome.claims {
        if let Claim::Open(Open { obstacle: Some(Obstacle::Rule(rule)), .. }) = &mut claimed.claim {
            *rule = rules[*rule];
        }
    }
    for warning in &mut outcome.warnings {
        if let Warning::RuleNeverTaken(rule)
        | Warning::NoSubstitution(rule)
        | Warning::SubstitutionsCut(rule) = warning
        {
            *rule = rules[*rule];
        }
    }
    Some(outcome)
}

/// What there is for each rule of a part, for each rule of the whole.
fn spread<T>(of_part: Vec<Vec<T>>, rules: &[usize], count: usize) -> Vec<Vec<T>> {
    let mut of_all: Vec<Vec<T>> = Vec::new();
    of_all.resize_with(count, Vec::new);
    for (own, &rule) in of_part.into_iter().zip(rules) {
        of_all[rule] = own;
    }
    of_all
}

/// Confirms what was claimed.
pub(crate) fn confirmed(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    engine: &dyn Engine,
    outcome: Outcome,
    watch: &dyn Watch,
) -> Attempt {
    let proved = judge::claimed(&outcome, chosen);
    // A certificate is one of properties; an invariant alone is printed without.
    let confirmation = match proved.is_empty() {
        false => confirm(job, system, &outcome, &proved, engine.name(), watch),
        true => Confirmation::NotTried,
    };
    // A proof that was confirmed in time is one, even if the time is over now.
    let was_stopped = matches!(confirmation, Confirmation::Gap(_)).then(|| watch.stop()).flatten();
    let stop = outcome.stop.or(was_stopped);
    let (engine, if_unconfirmed) = (engine.name(), engine.if_unconfirmed());
    Attempt { engine, if_unconfirmed, outcome, confirmation, stop, induction: None }
}

/// Runs the engine and, if it takes long, a search of small instances on another core. The first answer cancels
/// the other.
pub(crate) fn attempt_beside_search(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    engine: &dyn Engine,
) -> Result<(Attempt, Option<Instances>), NoAnswer> {
    let (is_over, is_broken): (Arc<AtomicBool>, Arc<AtomicBool>) = Default::default();
    let question = match engine.instance_search() {
        InstanceSearch::Meanwhile => instances::about_invariants(job.question, system, chosen),
        _ => job.question.clone(),
    };
    std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        // What is told of the search belongs to this proof.
        let span = tracing::Span::current();
        let (budget, found) = (job.budget.until(&is_over), Arc::clone(&is_broken));
        let search = move || {
            let _span = span.entered();
            if ended.recv_timeout(HEAD_START) != Err(RecvTimeoutError::Timeout) {
                return None;
            }
            let job = Job { budget: &budget, question: &question, ..*job };
            let searched = search_instances(&job, 1, instances::LARGEST, Extent::Long);
            found.fetch_or(matches!(searched, Instances::Found(_)), Ordering::Relaxed);
            Some(searched)
        };
        // Without another thread there is no search beside the proof, only after it.
        let search = std::thread::Builder::new().spawn_scoped(scope, search).ok();
        let attempt = attempt(job, system, chosen, engine, &is_broken);
        is_over.store(true, Ordering::Relaxed);
        drop(end);
        let searched = search.and_then(threads::join);
        Ok((attempt?, searched))
    })
}
