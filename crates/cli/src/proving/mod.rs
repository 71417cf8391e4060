//! Proofs with the engine `reach`, for `tenet abstract` and, when there are predicates, for `tenet prove`.
//!
//! In this order: the engine computes the invariant, what it claims is confirmed by a certificate (`confirm`), a property
//! that is not proved sends us looking for a run that breaks it (`small`), and only then is anything printed (`view`).

pub mod axioms;
mod confirm;
mod contradiction;
mod hybrid;
pub mod methods;
mod program;
pub mod reads;
pub mod recursive;
pub mod small;
#[cfg(test)]
mod tests;
mod trust;
mod vacuous;
mod view;
mod violation;
mod warnings;
mod watcher;

use crate::args::{ModelArgs, OutputArgs, ProofArgs};
use crate::chc;
use crate::clock::{self, Clock};
use crate::commands::explore::{memory_limit, print, unknown_property, write_trace};
use crate::console::Console;
use crate::exit::Exit;
use crate::files::{self, require_folder};
use crate::input::Input;
use crate::machine;
use crate::model::Model;
use crate::no_verdict::no_verdict;
use crate::progress::Line;
use crate::trace;
use crate::watchdog;
use anyhow::Context;
use axioms::Axioms;
pub use confirm::solver_name;
use confirm::{Confirmation, confirm};
use contradiction::{Opinion, opinion};
use reads::{Answer, Definedness};
use small::{Reach, Small, search_small};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use tenet_engine::circuit::circuit;
use tenet_engine::direct::{self, direct};
use tenet_engine::reach::{self, Options, Outcome, reach};
use tenet_engine::refine::refine;
use tenet_engine::{Stop, Watch};
use tenet_lang::diagnostic::Diagnostic;
use tenet_proof::{Advice, Certificate, Origin, Rejection};
use tenet_report::codes;
use tenet_report::hybrid::Hybrid;
use tenet_report::view::{Instance, Report, Verdict};
use tenet_system::{Lemma, PropertyKind, System};
use view::Facts;
use watcher::Watcher;

/// States in which an axiom is false that is only believed are looked for in instances up to this size.
const FAULT_SIZE: u64 = 3;
/// Small instances are searched beside a proof that takes longer than this.
const HEAD_START: Duration = Duration::from_secs(5);

/// What is to be proved, and how to go about it.
pub struct Job<'a> {
    /// The model.
    pub model: &'a ModelArgs,
    /// What to prove, and from what.
    pub proof: &'a ProofArgs,
    /// How to print.
    pub output: OutputArgs,
    /// Whether the answer is printed as solvers for Horn clauses do it.
    pub is_chc: bool,
    /// The time limit of the whole command.
    pub clock: Clock,
    /// Whether ranges without an end are read as sets of any size although nobody asked for it: then a run has to be one of
    /// the model as it is written, too.
    pub is_larger: bool,
    /// Whether the proof is about reads of undefined values.
    pub is_about_reads: bool,
}

/// Why a run of the system is not shown.
const LOOSE_RUN: &str =
    "there is a run if a constant need not be the size of its type, but none was found in which it is";

/// What stands for a run of a system that need not be one of the model.
enum Instead {
    /// The run is one of the model, or one that reads an undefined value is.
    NotNeeded,
    /// A run of an instance.
    Found(Box<small::Found>),
    /// Nothing was found.
    Nothing,
}

/// A system may have runs that the model has not, because a constant is not tied to the size of its type, or because an undefined
/// value has any value. What is a run of the model is found in an instance.
fn run_of_an_instance(job: &Job<'_>, model: &Model, system: &System) -> Instead {
    let is_loose = system.parameters.iter().any(|parameter| parameter.is_number);
    if !is_loose && !system.may_read_undefined() {
        return Instead::NotNeeded;
    }
    match search_small(job, model, &job.clock, 1, small::LARGEST, Reach::Long) {
        Small::Found(found) => Instead::Found(found),
        Small::Open { .. } if is_loose => Instead::Nothing,
        Small::Open { .. } => Instead::NotNeeded,
    }
}

/// How to go about a proof.
pub enum Method {
    /// The strongest invariant over the predicates of the system.
    Reach(Options),
    /// Lemmas are searched for, with this seed; small instances meanwhile for runs, if it takes long.
    Direct(u64),
    /// The same for programs: lemmas for each location, or a run.
    Refine,
    /// The same for hardware.
    Circuit,
    /// For circuits, by predicates and kept registers.
    Hybrid(tenet_engine::hybrid::Options),
}

impl Method {
    /// The seed of whatever is chosen at random.
    fn seed(&self) -> u64 {
        match self {
            Method::Direct(seed) => *seed,
            Method::Reach(_) | Method::Refine | Method::Circuit | Method::Hybrid(_) => 0,
        }
    }

    /// The name of the engine.
    fn engine(&self) -> &'static str {
        match self {
            Method::Reach(_) => "reach",
            Method::Direct(_) => "direct",
            Method::Refine => "refine",
            Method::Circuit => "circuit",
            Method::Hybrid(_) => "hybrid",
        }
    }
}

/// What an attempt gave.
struct Attempt {
    engine: &'static str,
    /// Why the search for lemmas ended without a proof.
    reason: Option<String>,
    outcome: Outcome,
    confirmation: Confirmation,
    /// Why the work was stopped, if it was.
    stop: Option<Stop>,
    /// A run that violates a property, not replayed yet.
    violation: Option<violation::Found>,
    /// What the engine `hybrid` did, if it was asked.
    hybrid: Vec<Hybrid>,
}

impl Attempt {
    /// Forgets a run that shows nothing, because it rests on the value of a division by zero; gives the system without
    /// such steps then.
    fn drop_open_run(&mut self, model: &Model, system: &System) -> Option<System> {
        let run = &self.violation.as_ref()?.violation.run;
        let Model::Horn(horn) = model else { return None };
        if !horn.is_open_run(run) {
            return None;
        }
        self.violation = None;
        self.reason = Some(chc::OPEN_RUN.to_string());
        Some(horn.without_open(system))
    }
}

impl Job<'_> {
    /// Reads the model for every size, with its predicates.
    pub fn read(&self) -> (Input, Option<(Model, System)>) {
        let (mut input, model) = self.load(self.model);
        let read = model.and_then(|model| self.read_system(&mut input, model));
        (input, read)
    }

    /// Reads a model that was checked for every size.
    pub fn read_system(&self, input: &mut Input, model: Model) -> Option<(Model, System)> {
        let system = input.read_unbounded(&model, self.model, &self.proof.unbounded)?;
        if let Some(refusal) = trace::refusal(&model, self.proof.trace.as_deref()) {
            return input.refuse(refusal);
        }
        Some((model, system))
    }

    /// The model or an instance of it, with the predicates file if there is one.
    pub fn load(&self, model: &ModelArgs) -> (Input, Option<Model>) {
        Input::load_with(model, self.proof.predicates.as_deref())
    }

    /// What has to be right before long work starts; and what is to be said about the model.
    pub fn prepare(&self, input: &Input, console: &mut Console) -> anyhow::Result<()> {
        for file in [&self.proof.trace, &self.proof.certificate].into_iter().flatten() {
            require_folder(file)?;
        }
        if self.is_talkative() {
            input.show_diagnostics(console);
        }
        Ok(())
    }

    fn is_talkative(&self) -> bool {
        !self.output.json && !self.output.quiet && !self.is_chc
    }

    /// Where the model comes from and how it was read, for the certificate.
    fn origin(&self, input: &Input, engine: &str) -> Origin {
        let sizes = self.model.sizes.iter().map(|(name, size)| ("size", format!("{name}={size}")));
        let consts = self.model.consts.iter().map(|(name, value)| ("const", format!("{name}={value}")));
        let unbounded = self.proof.unbounded.iter().map(|name| ("unbounded", name.clone()));
        let predicates = self.proof.predicates.iter().map(|file| ("predicates", file.display().to_string()));
        let others = input.others().map(|(file, _)| ("file", file.to_string()));
        let verilog = self.model.verilog.recorded().chain(others);
        let reads = self.is_about_reads.then(|| ("reads", "defined".to_string()));
        let options = sizes.chain(consts).chain(unbounded).chain(predicates).chain(verilog).chain(reads);
        let others: String = input.others().map(|(_, text)| text).collect();
        Origin {
            file: input.file.clone(),
            text: format!("{}{others}", input.content).into_bytes(),
            options: options.map(|(name, value)| (name.to_string(), value)).collect(),
            engine: engine.to_string(),
        }
    }

    /// What the command line fixes: everything else is of any size.
    fn instance(&self) -> Instance {
        let consts = self.model.consts.iter().map(|(name, value)| (name.clone(), value.to_string()));
        Instance { sizes: self.model.sizes.clone(), consts: consts.collect() }
    }
}

/// Proves what can be proved with the system's predicates, prints the report, and gives the exit code.
pub fn run(
    job: &Job<'_>,
    input: &mut Input,
    model: &Model,
    system: &mut System,
    method: &Method,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let Some(chosen) = chosen(&job.proof.properties, system, input) else {
        return input.reject(console, job.output.json);
    };
    let memory = memory_limit(job.proof.memory);
    watchdog::limit_memory(memory);
    watchdog::expect(
        method.engine(),
        chosen.iter().map(|&property| view::name(&system.properties[property])),
    );
    let (mut attempt, hunted) = match method {
        Method::Reach(_) | Method::Refine | Method::Circuit | Method::Hybrid(_) => {
            (attempt(job, input, model, system, &chosen, method, no_flag())?, None)
        }
        Method::Direct(_) => beside_a_hunt(job, input, model, system, &chosen, method)?,
    };
    if let Some(mut closed) = attempt.drop_open_run(model, system) {
        // There may be another run, which shows something. That there is none without the open steps says nothing.
        attempt.violation =
            self::attempt(job, input, model, &mut closed, &chosen, method, no_flag())?.violation;
    }
    if attempt.violation.is_some() {
        match run_of_an_instance(job, model, system) {
            Instead::Found(found) => return found.show(job, console),
            Instead::Nothing => {
                attempt.violation = None;
                attempt.reason = Some(LOOSE_RUN.to_string());
            }
            Instead::NotNeeded => {}
        }
    }
    if let Some(found) = attempt.violation {
        return found.show(job, input, model, system, &chosen, console);
    }
    // A run is one, even beside a proof: it may read an undefined value, which a proof takes for any value.
    if let Some(Small::Found(found)) = &hunted
        && (found.is_run() || !is_proved(&attempt, &chosen))
    {
        return found.show(job, console);
    }
    let known = input.diagnostics.len();
    let has_property = !vacuous::is_without_property(system, &chosen);
    let warnings = warnings::diagnostics(system, &attempt.outcome.warnings, has_property);
    input.diagnostics.extend(warnings);
    if job.is_talkative() {
        input.show_diagnostics_from(known, console);
    }
    if let Confirmation::Rejected(rejection) = &attempt.confirmation {
        return not_verified(rejection, input, job.output, console);
    }
    let definedness = match known_reads(job, input, model, method.seed(), &attempt.confirmation)? {
        Answer::Known(definedness) => definedness,
        Answer::Run(found) => return found.show(job, console),
        Answer::Rejected(rejection) => return not_verified(&rejection, input, job.output, console),
    };
    let axioms = match &attempt.confirmation {
        Confirmation::Verified(certificate) => axioms::prove(job, input, system, certificate, memory)?,
        _ => Ok(Axioms::default()),
    };
    let axioms = match axioms {
        Ok(axioms) => axioms,
        Err(rejection) => return not_verified(&rejection, input, job.output, console),
    };
    if matches!(attempt.confirmation, Confirmation::Verified(_))
        && let Some(found) = breaks_an_axiom(job, model, &axioms.believed(system))
    {
        return found.show(job, console);
    }
    let mut nothing_starts = None;
    if is_proved(&attempt, &chosen) {
        match second_opinion(job, model, system, &chosen) {
            Opinion::Agrees => {}
            // Nothing is unbounded, so this is the whole model. A certificate would claim what is vacuous.
            Opinion::Empty(instance) if instance.is_empty() => {
                attempt.outcome.warnings.push(reach::Warning::NoStart);
                attempt.confirmation = Confirmation::NotTried;
            }
            Opinion::Empty(instance) => nothing_starts = Some(instance),
            Opinion::Run(found) => return found.show(job, console),
            Opinion::Contradicts(what) => return no_verdict(&what, input, job.output, console),
        }
    }
    let (searched, is_interrupted) = match search_if_open(job, model, &attempt, &chosen) {
        Some(Small::Found(found)) => return found.show(job, console),
        Some(Small::Open { clean, is_interrupted, .. }) => {
            (Some(small::describe(clean.as_ref())), is_interrupted)
        }
        None => (None, false),
    };
    let facts = Facts {
        text: input.text(),
        chosen: &chosen,
        instance: job.instance(),
        confirmation: &attempt.confirmation,
        stop: attempt.stop,
        engine: attempt.engine,
        reason: attempt.reason.clone(),
        searched,
        timeout: job.clock.limit(),
        memory,
        certificate: write_confirmed(job, &attempt.confirmation, &axioms, &definedness, console)?,
        trust: trust::of_proof(job, model, system, &attempt.confirmation, &attempt.outcome, &chosen, memory)?
            .map(|trust| trust::with_start(trust, nothing_starts)),
        axioms: &axioms,
        definedness: &definedness,
        seconds: job.clock.elapsed().as_secs_f64(),
        peak_memory_mb: machine::peak_memory_mb(),
    };
    let mut report = view::report(system, &attempt.outcome, &facts);
    report.hybrid = std::mem::take(&mut attempt.hybrid);
    answer(job, input, model, system, &report, &attempt.outcome.invariant, console)?;
    write_trace(job.proof.trace.as_deref(), &report, console)?;
    Ok(exit(&report, attempt.stop, is_interrupted || clock::is_interrupted()))
}

/// Prints a report that shows no run, in the form that is wanted.
fn answer(
    job: &Job<'_>,
    input: &Input,
    model: &Model,
    system: &mut System,
    report: &Report,
    invariant: &[Lemma],
    console: &mut Console,
) -> anyhow::Result<()> {
    match model {
        Model::Horn(horn) if job.is_chc && report.verdict == Verdict::Safe => {
            console.answer(&chc::sat(system, horn, invariant))
        }
        _ if job.is_chc => console.answer(chc::UNKNOWN),
        _ => print(report, input, job.output, console),
    }
}

fn exit(report: &Report, stop: Option<Stop>, is_interrupted: bool) -> Exit {
    let is_cut_short = stop == Some(Stop::Interrupt) || is_interrupted;
    if is_cut_short && report.verdict != Verdict::Safe { Exit::Interrupted } else { report.verdict.into() }
}

/// What is known about reads of undefined values, if there is a proof of anything else.
fn known_reads(
    job: &Job<'_>,
    input: &Input,
    model: &Model,
    seed: u64,
    confirmation: &Confirmation,
) -> anyhow::Result<Answer> {
    match confirmation {
        Confirmation::Verified(certificate) => reads::prove(job, input, model, seed, certificate),
        _ => Ok(Answer::Known(Definedness::Visible)),
    }
}

/// A proof from an axiom that is false in a reachable state is worth nothing. So such states are looked for if there are axioms about
/// definitions that could not be proved.
fn breaks_an_axiom(job: &Job<'_>, model: &Model, believed: &[String]) -> Option<Box<small::Found>> {
    if believed.is_empty() {
        return None;
    }
    let properties = believed.iter().map(|name| format!("axiom `{name}`")).collect();
    let proof = ProofArgs { properties, ..job.proof.clone() };
    let job = Job { proof: &proof, ..*job };
    match search_small(&job, model, &job.clock, 1, FAULT_SIZE, Reach::Glance) {
        Small::Found(found) if found.is_run() => Some(found),
        _ => None,
    }
}

/// A flag that is never set.
fn no_flag() -> &'static AtomicBool {
    static NEVER: AtomicBool = AtomicBool::new(false);
    &NEVER
}

/// Runs the engine `direct` and, if it takes long, a search of small instances on another core. Whoever has the answer
/// first stops the other.
fn beside_a_hunt(
    job: &Job<'_>,
    input: &Input,
    model: &Model,
    system: &mut System,
    chosen: &[usize],
    method: &Method,
) -> anyhow::Result<(Attempt, Option<Small>)> {
    // Flags of this proof alone: those of another one in the same process say nothing about it.
    let is_over: &'static AtomicBool = Box::leak(Box::default());
    let is_broken: &'static AtomicBool = Box::leak(Box::default());
    std::thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        let hunt = scope.spawn(move || {
            if ended.recv_timeout(HEAD_START) != Err(RecvTimeoutError::Timeout) {
                return None;
            }
            let small = search_small(job, model, &job.clock.until(is_over), 1, small::LARGEST, Reach::Long);
            is_broken.fetch_or(matches!(small, Small::Found(_)), Ordering::Relaxed);
            Some(small)
        });
        let attempt = attempt(job, input, model, system, chosen, method, is_broken);
        is_over.store(true, Ordering::Relaxed);
        drop(end);
        let hunted = hunt.join().unwrap_or(None);
        Ok((attempt?, hunted))
    })
}

/// Runs the engine and confirms what it claims.
fn attempt(
    job: &Job<'_>,
    input: &Input,
    model: &Model,
    system: &mut System,
    chosen: &[usize],
    method: &Method,
    is_settled: &'static AtomicBool,
) -> anyhow::Result<Attempt> {
    let (memory, line) = (memory_limit(job.proof.memory), Line::new(!job.output.quiet));
    let mut watcher = Watcher::start(job.clock, memory, line, is_settled).context("cannot start a thread")?;
    let mut violation = None;
    let mut work = Vec::new();
    let (outcome, advice, reason) = match method {
        Method::Reach(options) => {
            let options = Options { properties: Some(chosen.to_vec()), ..options.clone() };
            let outcome = reach(system, &options, &mut watcher);
            let advice = Advice { rules: outcome.substitutions.clone(), ..Advice::default() };
            (outcome, advice, None)
        }
        Method::Direct(seed) => {
            let options = match job.is_about_reads {
                true => direct::Options::with_short_walks(*seed),
                false => direct::Options::with_seed(*seed),
            };
            let outcome = direct(system, chosen, options, &mut watcher);
            let reason = outcome.result.as_ref().err().map(|reason| view::why_no_lemmas(system, reason));
            let advice = Advice { uses: Some(outcome.uses.clone()), ..Advice::default() };
            (as_reached(outcome, chosen), advice, reason)
        }
        Method::Refine | Method::Circuit => {
            let engine = if matches!(method, Method::Refine) { refine } else { circuit };
            let outcome = engine(system, chosen, &mut watcher);
            let reason = outcome.result.as_ref().err().map(program::why_no_answer);
            let (outcome, found) = program::as_reached(outcome, chosen);
            violation = found.map(|found| violation::Found { engine: method.engine(), ..found });
            (outcome, Advice::default(), reason)
        }
        Method::Hybrid(options) => {
            let outcome = tenet_engine::hybrid::hybrid(system, chosen, options, &mut watcher);
            work = hybrid::work(system, &outcome);
            let reason = outcome.result.as_ref().err().map(hybrid::why_no_answer);
            let (outcome, found) = program::as_reached(hybrid::as_refined(outcome), chosen);
            violation = found.map(|found| violation::Found {
                engine: method.engine(),
                hybrid: work.clone(),
                ..found
            });
            (outcome, Advice::default(), reason)
        }
    };
    let mut outcome = outcome;
    // What the language demands is all that is asked about reads.
    if !job.is_about_reads {
        vacuous::add_warnings(model, system, chosen, &mut outcome, &watcher);
    }
    let proved = view::claimed(&outcome, chosen);
    // A certificate is one of properties; an invariant alone is printed without.
    let confirmation = match proved.is_empty() {
        false => {
            let origin = job.origin(input, method.engine());
            confirm(system, &outcome.invariant, &proved, &advice, &origin, input, &watcher)
        }
        true => Confirmation::NotTried,
    };
    // A proof that was confirmed in time is one, even if the time is over now.
    let was_stopped = matches!(confirmation, Confirmation::Gap(_)).then(|| watcher.stop()).flatten();
    let stop = outcome.stop.or(was_stopped);
    Ok(Attempt { engine: method.engine(), reason, stop, outcome, confirmation, violation, hybrid: work })
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

/// What the finite reading says about what was proved.
fn second_opinion(job: &Job<'_>, model: &Model, system: &System, chosen: &[usize]) -> Opinion {
    let proved: Vec<String> = chosen.iter().map(|&p| system.properties[p].name.clone()).collect();
    opinion(job, model, &proved, proved.len() == system.properties.len())
}

/// Is every property proved and confirmed?
fn is_proved(attempt: &Attempt, chosen: &[usize]) -> bool {
    let is_confirmed = matches!(attempt.confirmation, Confirmation::Verified(_));
    is_confirmed && view::claimed(&attempt.outcome, chosen) == chosen
}

/// The properties to prove, by position: all, or those that `--property` names.
fn chosen(names: &[String], system: &System, input: &mut Input) -> Option<Vec<usize>> {
    if names.is_empty() {
        return Some((0..system.properties.len()).collect());
    }
    let invariants = system.properties.iter().enumerate().filter(|(_, p)| p.kind == PropertyKind::Invariant);
    let invariants: Vec<(usize, &str)> =
        invariants.map(|(position, property)| (position, property.name.as_str())).collect();
    let mut chosen = Vec::new();
    for name in names {
        if !invariants.iter().any(|(_, known)| known == name) {
            input.diagnostics.push(unknown_property(name, &invariants));
        }
        // What the language demands of an invariant's own formula is called `name: …`, and another one of the same name `name#7`.
        let prefixes = [format!("{name}: "), format!("{name}#")];
        let is_part =
            |known: &str| known == name || prefixes.iter().any(|prefix| known.starts_with(prefix.as_str()));
        chosen.extend(invariants.iter().filter(|(_, known)| is_part(known)).map(|(position, _)| *position));
    }
    chosen.sort_unstable();
    chosen.dedup();
    (!input.diagnostics.iter().any(Diagnostic::is_error)).then_some(chosen)
}

/// Looks for a run if something is not proved although nobody stopped the proof: then the property may be false.
fn search_if_open(job: &Job<'_>, model: &Model, attempt: &Attempt, chosen: &[usize]) -> Option<Small> {
    let is_vacuous = view::vacuity(&attempt.outcome, chosen).is_some();
    let has_instances = !matches!(model, Model::Clp(_));
    if is_vacuous || is_proved(attempt, chosen) || attempt.stop.is_some() || !has_instances {
        return None;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = job.proof.threads.map_or(cores, usize::from);
    // Without predicates no other way to answer is left.
    let reach = if attempt.engine == "direct" { Reach::Long } else { Reach::Short };
    Some(search_small(job, model, &job.clock, threads, small::LARGEST, reach))
}

/// Writes the certificate, with the one of the axioms beside it, and says where; or says that there is none.
fn write_confirmed(
    job: &Job<'_>,
    confirmation: &Confirmation,
    axioms: &Axioms,
    definedness: &Definedness,
    console: &mut Console,
) -> anyhow::Result<Option<String>> {
    let certificate = match confirmation {
        Confirmation::Verified(certificate) => Some(certificate),
        _ => None,
    };
    let written = write_certificate(job, certificate, console)?;
    if let (Some(file), Some(_)) = (&job.proof.certificate, &written) {
        axioms.write(file)?;
        write_beside(&reads::beside(file), definedness.certificate())?;
    }
    Ok(written)
}

/// The file for a proof that belongs to a certificate: the name of that with another ending.
fn beside(certificate: &Path, ending: &str) -> PathBuf {
    let mut name = certificate.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// Writes a proof that belongs to a certificate; without one, nothing is left there, because what is left of another proof would be
/// taken for a part of this one.
fn write_beside(file: &Path, certificate: Option<&Certificate>) -> anyhow::Result<()> {
    match certificate {
        Some(certificate) => files::write(file, &certificate.text),
        None if file.is_file() => {
            std::fs::remove_file(file).with_context(|| format!("cannot remove {}", file.display()))
        }
        None => Ok(()),
    }
}

/// The same for a certificate that was accepted, if there is one.
fn write_certificate(
    job: &Job<'_>,
    certificate: Option<&Certificate>,
    console: &mut Console,
) -> anyhow::Result<Option<String>> {
    let Some(file) = &job.proof.certificate else { return Ok(None) };
    let Some(certificate) = certificate else {
        console.log(&format!("{} is not written: nothing is proved\n", file.display()));
        return Ok(None);
    };
    files::write(file, &certificate.text)?;
    Ok(Some(file.display().to_string()))
}

/// That a certificate of our own did not pass: nothing is known then.
fn not_verified(
    rejection: &Rejection,
    input: &Input,
    output: OutputArgs,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let line = rejection.line.map_or(String::new(), |line| format!(" (line {line} of the certificate)"));
    let code = codes::REJECTED.code;
    let what =
        format!("error[{code}]: a proof was found, but its certificate is rejected: {rejection}{line}");
    no_verdict(&what, input, output, console)
}
