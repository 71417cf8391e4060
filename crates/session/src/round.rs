//! One round: what can be proved of some properties, until one is seen to be violated.
//!
//! In this order: an engine is run (`attempt`), what it claims is confirmed by a certificate (`confirm`), a property that is not
//! proved sends us looking for a run that breaks it (`instances`), and only then is anything called safe (`judge`).

use crate::answer::{Certificates, NoAnswer};
use crate::apart;
use crate::attempt::{Attempt, attempt, attempt_beside_search};
use crate::axioms::{self, Axioms};
use crate::confirm::Confirmation;
use crate::contradiction::{Opinion, opinion};
use crate::instances::{self, Extent, Instances, search_instances};
use crate::job::Job;
use crate::judge::{self, Facts};
use crate::reads::{self, Definedness};
use crate::rounds::{Judged, Round};
use crate::{Question, first_look, machine, obstacle, trust, vacuous, violation, warnings};
use std::sync::Arc;
use tenet_engine::{Engine, InstanceSearch, Stop, Warning};
use tenet_lang::codes::{types, verilog};
use tenet_lang::diagnostic::Explanation;
use tenet_system::System;

/// States in which an axiom is false that is only believed are looked for in instances up to this size.
const FAULT_SIZE: u64 = 3;

/// What front ends say of a model that asks for nothing; it need not be said again.
const SAID: [&Explanation; 2] = [&types::NOTHING_TO_CHECK, &verilog::NO_ASSERTION];

/// Why a run of the system is not shown.
const LOOSE_RUN: &str = "there is a run if a constant need not be the size of its type and counting is not exact, but none was found in an instance";

/// What stands for a run of a system that need not be one of the model.
enum Instead {
    /// The run is one of the model, or one that reads an undefined value is.
    NotNeeded,
    /// A run of an instance.
    Found(Box<instances::Found>),
    /// Nothing was found.
    Nothing,
}

/// A system may have runs that the model has not, because a constant is not tied to the size of its type, or because an undefined
/// value has any value. What is a run of the model is found in an instance.
fn run_of_an_instance(job: &Job<'_>, system: &System) -> Instead {
    let is_loose = system.is_loose || system.parameters.iter().any(|parameter| parameter.is_number);
    if !is_loose && !system.may_read_undefined() {
        return Instead::NotNeeded;
    }
    match search_instances(job, 1, instances::LARGEST, Extent::Long) {
        Instances::Found(found) => Instead::Found(found),
        Instances::Open { .. } if is_loose => Instead::Nothing,
        Instances::Open { .. } => Instead::NotNeeded,
    }
}

/// Proves what can be proved of these properties, until one is seen to be violated.
pub(crate) fn round(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    engine: &dyn Engine,
) -> Result<Round, NoAnswer> {
    let first = first_look::of_round(job, engine);
    if let Some(Instances::Found(found)) = first {
        return Round::of_instance(*found, job, system, chosen);
    }
    let reserved =
        if obstacle::is_explained(engine.name()) { job.budget.reserved() } else { job.budget.clone() };
    let (whole, job) = (job, &Job { budget: &reserved, ..*job });
    let mut budget = None;
    let together = match apart::is_possible(system, chosen, engine) {
        true => apart::together(job, &mut budget),
        false => *job,
    };
    let (mut tried, searched) = match engine.instance_search() {
        InstanceSearch::Beside | InstanceSearch::Meanwhile => {
            attempt_beside_search(&together, system, chosen, engine)?
        }
        InstanceSearch::After | InstanceSearch::None => {
            (attempt(&together, system, chosen, engine, &Arc::default())?, None)
        }
    };
    if let Some(round) = violated(job, system, chosen, engine, &mut tried)? {
        return Ok(round);
    }
    // A run is one, even beside a proof: it may read an undefined value, which a proof takes for any value.
    if let Some(Instances::Found(found)) = searched
        && (found.is_run() || !tried.is_proved(chosen))
    {
        let mut round = Round::of_instance(*found, job, system, chosen)?;
        if let Round::Violation { is_beside, .. } = &mut round {
            *is_beside = engine.instance_search() == InstanceSearch::Meanwhile;
        }
        return Ok(round);
    }
    let mut searched = None;
    if apart::is_needed(job, system, chosen, engine, &tried) {
        // A run is found soon if there is one in a small instance, and then nothing has to be proved twice.
        let budget = job.budget.slice(apart::SEARCH);
        searched = search_if_open(&Job { budget: &budget, ..*job }, system, &tried, chosen, engine);
        if let Some(Instances::Found(found)) = searched {
            return Round::of_instance(*found, job, system, chosen);
        }
        if budget.stop().is_some() {
            // It goes on with the time that is left after the proofs.
            searched = None;
        }
        if let Some(separate) = apart::attempt_apart(job, system, chosen, engine, &tried)? {
            tried = separate;
        }
        if let Some(round) = violated(job, system, chosen, engine, &mut tried)? {
            return Ok(round);
        }
    }
    let is_said = job
        .problem
        .warnings()
        .iter()
        .any(|said| SAID.iter().any(|known| said.explanation.code == known.code));
    let has_property = is_said || !job.violated.is_empty() || !vacuous::is_without_property(system, chosen);
    let warnings = warnings::diagnostics(system, &tried.outcome.warnings, has_property);
    let (mut definedness, mut axioms) = (Definedness::Visible, Axioms::default());
    if let Confirmation::Rejected(rejection) = tried.confirmation {
        return Err(rejection.into());
    }
    if let Some(certificate) = tried.confirmation.certificate() {
        match reads::prove(job, certificate)? {
            reads::Answer::Known(known) => definedness = known,
            reads::Answer::Run(found) => return Round::of_instance(*found, job, system, chosen),
        }
        axioms = axioms::prove(job, system, certificate)?;
        if let Some(found) = breaks_an_axiom(job, &axioms.believed(system)) {
            return Round::of_instance(*found, job, system, chosen);
        }
    }
    let mut nothing_starts = None;
    if tried.confirmation.certificate().is_some() {
        match second_opinion(job, system, &judge::claimed(&tried.outcome, chosen), first) {
            Opinion::Agrees => {}
            // Nothing is unbounded, so this is the whole model. A certificate would claim what is vacuous.
            Opinion::Empty(instance) if instance.is_empty() => {
                tried.outcome.warnings.push(Warning::NoStart);
                tried.confirmation = Confirmation::NotTried;
            }
            Opinion::Empty(instance) => nothing_starts = Some(instance),
            Opinion::Run(found) => return Round::of_instance(*found, job, system, chosen),
            Opinion::Contradicts(what) => return Err(NoAnswer::CheckFailed(what)),
        }
    }
    let searched = searched.or_else(|| search_if_open(job, system, &tried, chosen, engine));
    let (searched, is_interrupted) = match searched {
        Some(Instances::Found(found)) => return Round::of_instance(*found, job, system, chosen),
        Some(Instances::Open { clean, is_interrupted, .. }) => {
            (Some(instances::describe(clean.as_ref())), is_interrupted)
        }
        None => (None, false),
    };
    let trust = trust::of_proof(job, system, &tried, chosen)?;
    obstacle::add(whole, system, &mut tried, chosen)?;
    let facts = Facts {
        text: job.problem.text(),
        model: Some(job.model()),
        chosen,
        instance: job.instance(),
        attempt: &tried,
        searched,
        timeout: whole.budget.limit(),
        memory: job.budget.memory(),
        trust: trust.map(|trust| trust::with_start(trust, nothing_starts)),
        axioms: &axioms,
        definedness: &definedness,
        seconds: job.seconds(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let report = judge::report(system, &facts);
    let is_interrupted = is_interrupted || tried.stop == Some(Stop::Interrupt) || job.budget.is_cancelled();
    let lemmas = tried.outcome.lemmas().to_vec();
    let certificates = match tried.confirmation.into_certificate() {
        Some(certificate) => Certificates {
            proof: Some(certificate),
            axioms: axioms.certificate,
            reads: definedness.into_certificate(),
        },
        None => Certificates::default(),
    };
    Ok(Round::Judged(Box::new(Judged { report, lemmas, certificates, warnings, is_interrupted })))
}

/// The run that an engine has found, replayed; or nothing if there is none that shows something.
fn violated(
    job: &Job<'_>,
    system: &mut System,
    chosen: &[usize],
    engine: &dyn Engine,
    tried: &mut Attempt,
) -> Result<Option<Round>, NoAnswer> {
    if let Some(mut closed) = tried.drop_open_run(job, system) {
        // There may be another run, which shows something. That there is none without the open steps says nothing.
        let again = attempt(job, &mut closed, chosen, engine, &Arc::default())?;
        if again.violation().is_some() {
            tried.outcome.claims = again.outcome.claims;
        }
    }
    if tried.violation().is_some() {
        match run_of_an_instance(job, system) {
            Instead::Found(found) => return Round::of_instance(*found, job, system, chosen).map(Some),
            Instead::Nothing => tried.drop_run(LOOSE_RUN),
            Instead::NotNeeded => {}
        }
    }
    let Some(violation) = tried.violation() else { return Ok(None) };
    let statistics = &tried.outcome.statistics;
    let found = violation::Found { violation, statistics, engine: tried.engine };
    Round::of_system(&found, job, system, chosen).map(Some)
}

/// A proof from an axiom that is false in a reachable state is worth nothing. So such states are looked for if there are axioms about
/// definitions that could not be proved.
fn breaks_an_axiom(job: &Job<'_>, believed: &[String]) -> Option<Box<instances::Found>> {
    if believed.is_empty() {
        return None;
    }
    let properties = believed.iter().map(|name| format!("axiom `{name}`")).collect();
    let question = Question { properties, ..job.question.clone() };
    let job = Job { question: &question, ..*job };
    match search_instances(&job, 1, FAULT_SIZE, Extent::Brief) {
        Instances::Found(found) if found.is_run() => Some(found),
        _ => None,
    }
}

/// What the finite reading says about what was proved.
fn second_opinion(job: &Job<'_>, system: &System, chosen: &[usize], first: Option<Instances>) -> Opinion {
    let proved: Vec<String> = chosen.iter().map(|&p| system.properties[p].name.clone()).collect();
    opinion(job, &proved, proved.len() == system.properties.len(), first)
}

/// Looks for a run if something is not proved although the proof was not cancelled: then the property may be false.
fn search_if_open(
    job: &Job<'_>,
    system: &System,
    attempt: &Attempt,
    chosen: &[usize],
    engine: &dyn Engine,
) -> Option<Instances> {
    let extent = match engine.instance_search() {
        InstanceSearch::None => return None,
        InstanceSearch::After | InstanceSearch::Meanwhile => Extent::Short,
        // No other way to answer is left.
        InstanceSearch::Beside => Extent::Long,
    };
    let is_vacuous = judge::vacuity(&attempt.outcome, chosen).is_some();
    let is_open = !is_vacuous && !attempt.is_proved(chosen) && attempt.stop.is_none();
    if !is_open || !job.model().has_instances() {
        return None;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = match extent {
        Extent::Long => job.question.threads.unwrap_or(cores),
        // Work is counted with one thread only.
        Extent::Minimal | Extent::Brief | Extent::Short => 1,
    };
    let question = match engine.instance_search() {
        InstanceSearch::Meanwhile => instances::about_invariants(job.question, system, chosen),
        _ => job.question.clone(),
    };
    let job = Job { question: &question, ..*job };
    Some(search_instances(&job, threads, instances::LARGEST, extent))
}
