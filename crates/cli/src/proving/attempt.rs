//! One attempt at a proof: an engine makes claims, and a certificate confirms them.

use super::answer::NoAnswer;
use super::confirm::{Confirmation, confirm};
use super::job::Job;
use super::small::{self, Reach, Small, search_small};
use super::watcher::Watcher;
use super::{hybrid, methods, program, vacuous, view, violation};
use crate::chc;
use crate::model::Model;
use crate::panics;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tenet_engine::circuit::circuit;
use tenet_engine::direct::{self, direct};
use tenet_engine::reach::{self, Outcome, reach};
use tenet_engine::refine::{self, refine};
use tenet_engine::{Stop, Watch};
use tenet_proof::Advice;
use tenet_report::hybrid::Hybrid;
use tenet_report::view::Refinement;
use tenet_system::System;

/// Small instances are searched beside a proof that takes longer than this.
const HEAD_START: Duration = Duration::from_secs(5);

/// How to go about a proof.
pub enum Method {
    /// The strongest invariant over the predicates of the system.
    Reach(reach::Options),
    /// Lemmas are searched for, with this seed; small instances meanwhile for runs, if it takes long.
    Direct(u64),
    /// The same for programs: lemmas for each location, or a run.
    Refine,
    /// The same for hardware.
    Circuit,
    /// For circuits, by predicates and kept registers.
    Hybrid(tenet_engine::hybrid::Options),
    /// The published refinement methods for programs.
    Published(tenet_engine::refine::methods::Options),
}

impl Method {
    /// The seed of whatever is chosen at random.
    pub fn seed(&self) -> u64 {
        if let Method::Direct(seed) = self { *seed } else { 0 }
    }

    /// The name of the engine.
    pub fn engine(&self) -> &'static str {
        match self {
            Method::Reach(_) => "reach",
            Method::Direct(_) => "direct",
            Method::Refine | Method::Published(_) => "refine",
            Method::Circuit => "circuit",
            Method::Hybrid(_) => "hybrid",
        }
    }
}

/// What an engine claims.
pub struct Claimed {
    /// Lemmas, and what they are said to prove.
    pub outcome: Outcome,
    /// How to show it.
    pub advice: Advice,
    /// Why the search ended without a proof.
    pub reason: Option<String>,
    /// Whether the engine is not made for such a model.
    pub is_unfit: bool,
    /// A run that violates a property, not replayed yet.
    pub violation: Option<violation::Found>,
    /// What the engine `hybrid` did, if it was asked.
    pub hybrid: Vec<Hybrid>,
    /// The iterations of a published method.
    pub refinement: Vec<Refinement>,
}

/// What an attempt gave.
pub struct Attempt {
    /// The name of the engine.
    pub engine: &'static str,
    /// Whether it is one of the published methods, with its own options.
    pub is_published: bool,
    /// What the engine claims.
    pub claimed: Claimed,
    /// What became of that.
    pub confirmation: Confirmation,
    /// Why the work was stopped, if it was.
    pub stop: Option<Stop>,
}

impl Attempt {
    /// Is every property proved and confirmed?
    pub fn is_proved(&self, chosen: &[usize]) -> bool {
        let is_confirmed = matches!(self.confirmation, Confirmation::Verified(_));
        is_confirmed && view::claimed(&self.claimed.outcome, chosen) == chosen
    }

    /// Forgets a run that shows nothing, because it rests on the value of a division by zero; gives the system without
    /// such steps then.
    pub fn drop_open_run(&mut self, model: &Model, system: &System) -> Option<System> {
        let run = &self.claimed.violation.as_ref()?.violation.run;
        let Model::Horn(horn) = model else { return None };
        if !horn.is_open_run(run) {
            return None;
        }
        self.claimed.violation = None;
        self.claimed.reason = Some(chc::OPEN_RUN.to_string());
        Some(horn.without_open(system))
    }
}

/// Runs the engine and confirms what it claims; stops when the flag is set.
pub fn attempt(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    method: &Method,
    is_settled: &Arc<AtomicBool>,
) -> Result<Attempt, NoAnswer> {
    let mut watcher = Watcher::start(&job.budget.until(is_settled), job.observer)?;
    let mut claimed = claim(job, system, chosen, method, &mut watcher)?;
    // What the language demands is all that is asked about reads, and may be all that is left to be asked.
    if !job.is_about_reads && job.violated.is_empty() {
        vacuous::add_warnings(job.model, system, chosen, &mut claimed.outcome, &watcher);
    }
    let proved = view::claimed(&claimed.outcome, chosen);
    // A certificate is one of properties; an invariant alone is printed without.
    let confirmation = match proved.is_empty() {
        false => confirm(job, system, &claimed, &proved, method.engine(), &watcher),
        true => Confirmation::NotTried,
    };
    // A proof that was confirmed in time is one, even if the time is over now.
    let was_stopped = matches!(confirmation, Confirmation::Gap(_)).then(|| watcher.stop()).flatten();
    let stop = claimed.outcome.stop.or(was_stopped);
    let is_published = matches!(method, Method::Published(_));
    Ok(Attempt { engine: method.engine(), is_published, claimed, confirmation, stop })
}

/// Runs the engine.
fn claim(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    method: &Method,
    watcher: &mut Watcher,
) -> Result<Claimed, NoAnswer> {
    let claimed = |outcome| Claimed {
        outcome,
        advice: Advice::default(),
        reason: None,
        is_unfit: false,
        violation: None,
        hybrid: Vec::new(),
        refinement: Vec::new(),
    };
    Ok(match method {
        Method::Reach(options) => {
            let options = reach::Options { properties: Some(chosen.to_vec()), ..options.clone() };
            let outcome = reach(system, &options, watcher);
            let advice = Advice { rules: outcome.substitutions.clone(), ..Advice::default() };
            Claimed { advice, ..claimed(outcome) }
        }
        Method::Direct(seed) => {
            let options = match job.is_about_reads {
                true => direct::Options::with_short_walks(*seed),
                false => direct::Options::with_seed(*seed),
            };
            let outcome = direct(system, chosen, options, watcher);
            let reason = outcome.result.as_ref().err().map(|reason| view::why_no_lemmas(system, reason));
            let is_unfit = job.model.is_circuit() || job.model.is_horn();
            let advice = Advice { uses: Some(outcome.uses.clone()), ..Advice::default() };
            Claimed { advice, reason, is_unfit, ..claimed(as_reached(outcome, chosen)) }
        }
        Method::Refine | Method::Circuit => {
            let engine = if matches!(method, Method::Refine) { refine } else { circuit };
            let outcome = engine(system, chosen, watcher);
            let reason = outcome.result.as_ref().err();
            let is_unfit = matches!(reason, Some(refine::Reason::NotAProgram(_)));
            let reason = reason.map(|reason| program::why_no_answer(reason, method.engine()));
            let (outcome, found) = program::as_reached(outcome, chosen);
            let violation = found.map(|found| violation::Found { engine: method.engine(), ..found });
            Claimed { reason, is_unfit, violation, ..claimed(outcome) }
        }
        Method::Hybrid(options) => {
            let outcome = tenet_engine::hybrid::hybrid(system, chosen, options, watcher);
            let work = hybrid::work(system, &outcome);
            let reason = outcome.result.as_ref().err();
            let is_unfit = matches!(reason, Some(tenet_engine::hybrid::Reason::NotACircuit));
            let reason = reason.map(hybrid::why_no_answer);
            let (outcome, found) = program::as_reached(hybrid::as_refined(outcome), chosen);
            let violation = found.map(|found| violation::Found {
                engine: method.engine(),
                hybrid: work.clone(),
                ..found
            });
            Claimed { reason, is_unfit, violation, hybrid: work, ..claimed(outcome) }
        }
        Method::Published(options) => methods::claim(job.model, system, chosen, options, watcher)?,
    })
}

/// The outcome of `direct` in the form that everything behind the engines reads.
fn as_reached(outcome: direct::Outcome, chosen: &[usize]) -> Outcome {
    let is_proved = outcome.result.is_ok();
    let verdict = || if is_proved { reach::Verdict::Proved } else { reach::Verdict::Open };
    let properties =
        chosen.iter().map(|&property| reach::PropertyOutcome { property, verdict: verdict() }).collect();
    let stop = match &outcome.result {
        Err(direct::Reason::Stopped(stop)) => Some(*stop),
        _ => None,
    };
    Outcome {
        iterations: Vec::new(),
        complete: is_proved,
        stop,
        invariant: outcome.result.unwrap_or_default(),
        properties,
        substitutions: Vec::new(),
        deepenings: 0,
        warnings: outcome.warnings,
        statistics: reach::Statistics {
            solver_calls: outcome.solver_calls,
            solver_seconds: outcome.solver_seconds,
            ..reach::Statistics::default()
        },
    }
}

/// Runs the engine and, if it takes long, a search of small instances on another core. Whoever has the answer first stops
/// the other.
pub fn attempt_beside_search(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    method: &Method,
) -> Result<(Attempt, Option<Small>), NoAnswer> {
    let (is_over, is_broken): (Arc<AtomicBool>, Arc<AtomicBool>) = Default::default();
    std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        // What is told of the search belongs to this proof.
        let span = tracing::Span::current();
        let (budget, found) = (job.budget.until(&is_over), Arc::clone(&is_broken));
        let search = scope.spawn(move || {
            let _span = span.entered();
            if ended.recv_timeout(HEAD_START) != Err(RecvTimeoutError::Timeout) {
                return None;
            }
            let job = Job { budget: &budget, ..*job };
            let small = search_small(&job, 1, small::LARGEST, Reach::Long);
            found.fetch_or(matches!(small, Small::Found(_)), Ordering::Relaxed);
            Some(small)
        });
        let attempt = attempt(job, system, chosen, method, &is_broken);
        is_over.store(true, Ordering::Relaxed);
        drop(end);
        let searched = panics::join(search);
        Ok((attempt?, searched))
    })
}
