//! Searches small instances of a model that is read for every size, smallest first. A violation in an instance is a
//! violation; finding none proves nothing.

use crate::Question;
use crate::answer::NoAnswer;
use crate::explore::{chosen_properties, replay, search};
use crate::job::Job;
use crate::machine;
use crate::observer::Unobserved;
use crate::problem::instance;
use std::sync::Arc;
use tenet_engine::run::{Taken, happens};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::Reading;
use tenet_report::codes;
use tenet_report::exploration::{Exploration, Stop};
use tenet_report::view::Report;
use tenet_system::System;
use tenet_system::finite::explore::{Deadlock, End, Options, Outcome};
use tenet_system::finite::program::{Program, PropertyKind};
use tenet_system::finite::trace::{Finding, ReplayError, Trace, shown_parameters};
use tracing::{info, info_span};

/// The largest instances that are searched: the number of elements of every unbounded type.
pub(crate) const LARGEST: u64 = 5;

/// How far instances are searched. A search is not limited by time, or it would depend on the machine what is found.
#[derive(Clone, Copy)]
pub(crate) enum Extent {
    /// What takes some milliseconds.
    Minimal,
    /// What takes a part of a second.
    Brief,
    /// What takes some seconds.
    Short,
    /// As far as is sensible.
    Long,
}

/// The limits of the search of one instance.
#[derive(Clone, Copy)]
pub(crate) struct Allowance {
    /// Bytes that its states may take.
    memory: usize,
    /// Rules that may be tried, see [`Options::max_work`].
    work: Option<u64>,
}

impl Allowance {
    pub(crate) const MINIMAL: Allowance = Allowance { memory: 1 << 18, work: Some(100_000) };
    const BRIEF: Allowance = Allowance { memory: 2 << 20, work: Some(1_000_000) };
    const SMALL: Allowance = Allowance { memory: 2 << 20, work: None };
    const MEDIUM: Allowance = Allowance { memory: 40 << 20, work: None };
    /// The model as it is written.
    pub(crate) const WRITTEN: Allowance = Allowance::MEDIUM.within(4_000_000);
    pub(crate) const LARGE: Allowance = Allowance { memory: 300 << 20, work: None };

    const fn within(self, work: u64) -> Allowance {
        Allowance { work: Some(work), ..self }
    }
}

impl Extent {
    /// One round after the other.
    fn allowances(self) -> &'static [Allowance] {
        match self {
            Extent::Minimal => &[Allowance::MINIMAL],
            Extent::Brief => &[Allowance::BRIEF],
            Extent::Short => {
                const { &[Allowance::SMALL.within(2_000_000), Allowance::MEDIUM.within(8_000_000)] }
            }
            Extent::Long => &[Allowance::SMALL, Allowance::MEDIUM, Allowance::LARGE],
        }
    }
}

/// What the search of all of them gave.
#[allow(clippy::large_enum_variant, reason = "there is one of it at a time")]
pub(crate) enum Instances {
    /// Something is wrong.
    Found(Box<Found>),
    /// Nothing is wrong in the instances that were searched completely.
    Open {
        /// The largest of those.
        clean: Option<Reading>,
        /// The largest of those that have no startstate, if no instance was seen to have one.
        empty: Option<Reading>,
        /// Whether the user stopped it.
        is_interrupted: bool,
    },
}

/// Something wrong.
pub(crate) enum Found {
    /// Something is asked for that is not there.
    Refused(Vec<Diagnostic>),
    /// A run that could not be replayed.
    NotReplayed(ReplayError),
    /// A run.
    Run {
        /// What it shows.
        report: Box<Report>,
        /// The property that is false, if it is one; a fault violates none.
        property: Option<String>,
    },
}

/// What became of the search of one instance.
enum Searched {
    Clean,
    /// There is no startstate.
    Empty,
    Found(Box<Found>),
    Interrupted,
    /// A limit was reached.
    Open,
    /// There is no such instance, or there is nothing more to be found in it.
    None,
}

impl Found {
    /// Is it a run that was replayed?
    pub fn is_run(&self) -> bool {
        matches!(self, Found::Run { .. })
    }

    /// The property that a run violates.
    pub fn property(&self) -> Option<&str> {
        match self {
            Found::Run { property, .. } => property.as_deref(),
            Found::Refused(_) | Found::NotReplayed(_) => None,
        }
    }

    /// The sentence about it, for people.
    pub fn headline(&self) -> String {
        match self {
            Found::Run { report, .. } => format!("{} ({})", report.headline, report.instance.describe()),
            Found::Refused(_) | Found::NotReplayed(_) => "no run".to_string(),
        }
    }

    /// The report on the run, if it is one.
    pub fn report(self, job: &Job<'_>) -> Result<Report, NoAnswer> {
        match self {
            Found::Refused(diagnostics) => Err(NoAnswer::Refused(diagnostics)),
            Found::NotReplayed(error) => Err(NoAnswer::not_replayed(&format!(": {error}"))),
            Found::Run { mut report, .. } => {
                report.statistics.seconds = job.seconds();
                Ok(*report)
            }
        }
    }
}

/// The question whether the invariants hold, and no axioms: whether these do matters to a proof that rests on them, and in a large
/// instance they can be what takes the time.
pub(crate) fn about_invariants(question: &Question, system: &System, chosen: &[usize]) -> Question {
    let mut question = question.clone();
    if question.properties.is_empty() {
        let asked = chosen.iter().map(|&position| &system.properties[position]);
        let invariants = asked.filter(|property| property.kind == tenet_system::PropertyKind::Invariant);
        question.properties = invariants.map(|property| property.name.clone()).collect();
    }
    question
}

/// Searches until the budget ends or something is found: all sizes a little, then all of them further.
pub(crate) fn search_instances(job: &Job<'_>, threads: usize, largest: u64, extent: Extent) -> Instances {
    let _span = info_span!("instances").entered();
    let mut clean: Option<Reading> = None;
    let (mut empty, mut has_start): (Option<Reading>, bool) = (None, false);
    let open = |clean, empty: Option<Reading>, has_start: bool, is_interrupted| Instances::Open {
        clean,
        empty: empty.filter(|_| !has_start),
        is_interrupted,
    };
    let mut done: Vec<u64> = Vec::new();
    for &allowance in extent.allowances() {
        for size in 1..=largest {
            if done.contains(&size) {
                continue;
            }
            let instance = job.model().sized(job.reading, size);
            let is_same = |last: &Reading| last.sizes == instance.sizes && last.consts == instance.consts;
            if clean.as_ref().is_some_and(is_same) || empty.as_ref().is_some_and(is_same) {
                return open(clean, empty, has_start, false); // Nothing is unbounded: this is all.
            }
            match search_instance(job, &instance, threads, allowance) {
                Searched::Found(found) => return Instances::Found(found),
                Searched::Open if job.budget.stop().is_some() => {
                    return open(clean, empty, has_start, false);
                }
                Searched::Open => has_start = true,
                Searched::None => done.push(size),
                Searched::Empty => {
                    done.push(size);
                    clean = Some(instance.clone());
                    empty = Some(instance);
                }
                Searched::Clean => {
                    done.push(size);
                    has_start = true;
                    clean = Some(instance);
                }
                Searched::Interrupted => return open(clean, empty, has_start, true),
            }
        }
    }
    open(clean, empty, has_start, false)
}

/// What is wrong in one instance, if anything is.
pub(crate) fn of_instance(job: &Job<'_>, reading: &Reading, allowance: Allowance) -> Option<Box<Found>> {
    match search_instance(job, reading, 1, allowance) {
        Searched::Found(found) => Some(found),
        _ => None,
    }
}

/// The search of one instance.
pub(crate) struct Looked {
    options: Options,
    pub outcome: Outcome,
    stop: Option<Stop>,
}

/// Searches one instance with one thread.
pub(crate) fn look(
    job: &Job<'_>,
    program: &Program,
    properties: Option<Vec<usize>>,
    allowance: Allowance,
) -> Looked {
    look_with(job, program, properties, 1, allowance)
}

/// How much more a rule of an instance with large states costs than one of a usual instance.
fn weight(program: &Program) -> u64 {
    (program.layout.slots.len() as u64 / 64).max(1)
}

fn look_with(
    job: &Job<'_>,
    program: &Program,
    properties: Option<Vec<usize>>,
    threads: usize,
    allowance: Allowance,
) -> Looked {
    let options = Options {
        threads,
        memory_limit: job.budget.memory().min(allowance.memory),
        max_work: allowance.work.map(|work| work / weight(program)),
        // A state in which nothing happens violates no property.
        deadlock: Deadlock::Off,
        properties,
        ..Options::default()
    };
    let (outcome, stop) = search(program, &options, job.budget, &Unobserved);
    Looked { options, outcome, stop }
}

fn search_instance(job: &Job<'_>, reading: &Reading, threads: usize, allowance: Allowance) -> Searched {
    let Some(model) = job.problem.resized(reading) else { return Searched::None };
    // Where too much is chosen freely, a part of the choices has to do. Then nothing is ever searched completely.
    let (program, is_sample) = match (model.finite(), model.finite_sample()) {
        (Ok((program, _)), _) => (program, false),
        (Err(_), Some(program)) => (program, true),
        (Err(_), None) => return Searched::None,
    };
    let found = |found| Searched::Found(Box::new(found));
    let properties = match chosen_properties(&job.question.properties, &program) {
        Ok(properties) => properties,
        Err(unknown) => return found(Found::Refused(unknown)),
    };
    let properties = without_violated(properties, &program, job.violated);
    let Looked { options, outcome, stop } = look_with(job, &program, properties, threads, allowance);
    let (states, runs) = (outcome.statistics.states, outcome.traces.len());
    info!(sizes = sizes(reading), states, end = ?outcome.end, violations = runs, "instance searched");
    if let Err(error) = replay(&program, &outcome) {
        return found(Found::NotReplayed(error));
    }
    if outcome.end == End::Stopped && stop == Some(Stop::Interrupt) {
        return Searched::Interrupted;
    }
    if job.is_larger && !outcome.traces.iter().all(|trace| happens_as_written(job, trace, &program)) {
        return Searched::Open;
    }
    if !outcome.traces.iter().any(|trace| !trace.finding.is_limit(&program)) {
        return match outcome.end {
            End::Complete if is_sample => Searched::None,
            End::Complete if outcome.statistics.states == 0 => Searched::Empty,
            End::Complete => Searched::Clean,
            _ => Searched::Open,
        };
    }
    let exploration = Exploration {
        text: job.problem.text(),
        program: &program,
        options: &options,
        outcome: &outcome,
        stop,
        instance: instance(&*model, reading),
        has_default_memory: job.budget.has_default_memory(),
        is_deadlock_asked: false,
        seconds: job.seconds(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let report = Box::new(with_our_hints(job, exploration.report()));
    let property = outcome.traces.iter().find_map(|trace| match trace.finding {
        Finding::Property(position) => Some(program.properties[position].name.clone()),
        _ => None,
    });
    found(Found::Run { report, property })
}

/// Is a run of an instance one of the model as it is written, where ranges have no end? Of faults that is not known.
fn happens_as_written(job: &Job<'_>, trace: &Trace, program: &Program) -> bool {
    let Finding::Property(property) = trace.finding else { return false };
    let property = &program.properties[property].name;
    let Ok((mut system, _)) = job.model().system(&[]) else { return false };
    let taken = trace.steps.iter().enumerate().map(|(place, step)| {
        let rules = if place == 0 { &program.starts } else { &program.rules };
        let shown = shown_parameters(&program.layout, &rules[step.action.rule], step.action.instance);
        let numbers = shown.into_iter().filter_map(|(name, value)| Some((name, value.parse().ok()?)));
        Taken { rule: step.action.rule, numbers: numbers.collect() }
    });
    let taken: Vec<Taken> = taken.collect();
    job.budget.stop().is_none() && happens(&mut system, &taken, property, &Arc::default())
}

/// The properties to check when some are known to be violated; all if `None`.
fn without_violated(
    chosen: Option<Vec<usize>>,
    program: &Program,
    violated: &[String],
) -> Option<Vec<usize>> {
    if violated.is_empty() {
        return chosen;
    }
    let properties = program.properties.iter().enumerate();
    let left = properties.filter(|(_, property)| {
        property.kind == PropertyKind::Invariant && !violated.contains(&property.name)
    });
    let left = left.map(|(position, _)| position);
    Some(left.filter(|position| chosen.as_ref().is_none_or(|chosen| chosen.contains(position))).collect())
}

/// What was not looked at can be chosen; `--keep-going` is an option of `tenet explore` only.
fn with_our_hints(job: &Job<'_>, mut report: Report) -> Report {
    let hint =
        if job.question.stops_at_first { "leave out --first" } else { "choose others with --property" };
    let reasons = report.properties.iter_mut().filter_map(|property| property.reason.as_mut());
    for reason in reasons.filter(|reason| reason.explanation.code == codes::STOPPED_AT_FIRST.code) {
        reason.hint = Some(hint.to_string());
    }
    report
}

/// `no violation up to NODE = 3`
pub(crate) fn describe(clean: Option<&Reading>) -> String {
    let Some(args) = clean else { return "no instance was searched completely".to_string() };
    match sizes(args).as_str() {
        "" => "no violation in the model as written, where nothing is unbounded".to_string(),
        sizes => format!("no violation up to {sizes}"),
    }
}

/// `NODE = 3, N = 3`; nothing for the model as written.
pub(crate) fn sizes(args: &Reading) -> String {
    let sizes = args.sizes.iter().map(|(name, size)| format!("{name} = {size}"));
    let consts = args.consts.iter().map(|(name, value)| format!("{name} = {value}"));
    sizes.chain(consts).collect::<Vec<String>>().join(", ")
}
