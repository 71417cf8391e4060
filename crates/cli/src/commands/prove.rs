//! `tenet prove`: every property, every size.
//!
//! With predicates in the model, the engine behind `tenet abstract` is used. Without them lemmas are searched for, and
//! small instances are searched for runs that break a property. Ranges that are mere index sets, bounded by a constant or
//! without an end, are read as sets of any size unless the command line says what is unbounded: a proof for every size,
//! which says nothing about the size being finite, is one for the size as written.

use crate::args::{EngineChoice, FormatChoice, OutputArgs, ProveArgs};
use crate::chc;
use crate::clock::Clock;
use crate::commands::abstraction::no_predicates;
use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::input::Input;
use crate::model::{Model, no_options};
use crate::proving::{self, Job, Method};
use std::path::{Path, PathBuf};
use tenet_engine::reach::Options;
use tenet_engine::refine::is_program;
use tenet_lang::clp;
use tenet_lang::codes::clp as clp_codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::codes;
use tenet_report::number::counted;
use tenet_system::recursive::Program;

/// Runs the command. Who reads `--format chc` waits for one of three words, whatever else there is to say.
pub fn run(args: &ProveArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let exit = prove(args, console)?;
    let has_no_answer = matches!(exit, Exit::Usage | Exit::Rejected | Exit::Environment | Exit::CheckFailed);
    if args.format == FormatChoice::Chc && has_no_answer {
        console.answer(chc::UNKNOWN)?;
    }
    Ok(exit)
}

fn prove(args: &ProveArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let clock = Clock::start(Some(args.timeout))?;
    let mut proof = args.proof.clone();
    let json = args.output.json || args.format == FormatChoice::Json;
    let output = OutputArgs { json, ..args.output };
    let is_chc = args.format == FormatChoice::Chc;
    let is_about_reads = false;
    let job =
        Job { model: &args.model, proof: &proof, output, is_chc, clock, is_larger: false, is_about_reads };
    let (mut input, model) = job.load(&args.model);
    let Some(model) = model else { return input.reject(console, json) };
    let outputs: Vec<PathBuf> = files::proof_outputs(&args.proof).chain(args.report.clone()).collect();
    if let Some(refusal) = files::overwritten(&outputs, input.others().map(|(name, _)| Path::new(name))) {
        console.log(&format!("error: {refusal}\n"));
        return Ok(Exit::Usage);
    }
    if let Model::Clp(program) = &model {
        return prove_program(args, &job, &mut input, &model, &program.program, console);
    }
    if args.report.is_some() {
        let message = "`--report` is for constraint logic programs";
        input.diagnostics.push(Diagnostic::global(&codes::NO_REPORT, message));
        return input.reject(console, json);
    }
    let read = job.read_system(&mut input, model);
    let Some((model, mut system)) = read else { return input.reject(console, json) };
    if is_chc && !model.is_horn() {
        input.diagnostics.push(chc::refusal());
        return input.reject(console, json);
    }
    if let Some(method) = args.refine.method {
        job.prepare(&input, console)?;
        let options = match args.refine.options(method, args.seed) {
            Ok(_) if !matches!(args.engine, EngineChoice::Auto | EngineChoice::Refine) => {
                console.log("error: --method is for --engine refine\n");
                return Ok(Exit::Usage);
            }
            Ok(options) => options,
            Err(error) => {
                console.log(&format!("error: {error:#}\n"));
                return Ok(Exit::Usage);
            }
        };
        return proving::methods::run(&job, &mut input, &model, &mut system, &options, console);
    }
    let method = match args.engine {
        EngineChoice::Auto if model.is_circuit() => Method::Circuit,
        EngineChoice::Auto if model.is_horn() => Method::Refine,
        EngineChoice::Auto if system.predicates.is_empty() && is_program(&system) => Method::Refine,
        EngineChoice::Refine => Method::Refine,
        EngineChoice::Recursive => {
            input.diagnostics.push(not_recursive());
            return input.reject(console, json);
        }
        EngineChoice::Circuit => Method::Circuit,
        EngineChoice::Hybrid => Method::Hybrid(args.hybrid.options()),
        EngineChoice::Auto if system.predicates.is_empty() => Method::Direct(args.seed),
        EngineChoice::Direct => Method::Direct(args.seed),
        EngineChoice::Auto | EngineChoice::Reach => Method::Reach(Options::default()),
    };
    if system.predicates.is_empty() && matches!(method, Method::Reach(_)) {
        input.diagnostics.push(no_predicates());
        return input.reject(console, json);
    }
    let mut is_larger = false;
    // The predicates of a user may compute with the numbers of a range.
    let is_open = match method {
        Method::Direct(_) => true,
        Method::Reach(_) => false,
        Method::Refine | Method::Circuit | Method::Hybrid(_) => args.engine != EngineChoice::Auto,
    };
    if proof.unbounded.is_empty() && is_open {
        proof.unbounded = model.index_ranges(&args.model);
        if let Some(larger) = input.read_unbounded(&model, &args.model, &proof.unbounded) {
            system = larger;
            is_larger = model.is_endless(&proof.unbounded);
        }
    }
    let job = Job { model: &args.model, proof: &proof, output, is_chc, clock, is_larger, is_about_reads };
    job.prepare(&input, console)?;
    proving::run(&job, &mut input, &model, &mut system, &method, console)
}

/// The same for a constraint logic program: the engine `recursive` reads it, `direct` what can be said of it without recursion, and
/// nothing in it has a size.
fn prove_program(
    args: &ProveArgs,
    job: &Job<'_>,
    input: &mut Input,
    model: &Model,
    program: &Program,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let refusals = refusals(args, job, program);
    if !refusals.is_empty() {
        input.diagnostics.extend(refusals);
        return input.reject(console, job.output.json);
    }
    if !matches!(args.engine, EngineChoice::Direct) {
        return proving::recursive::run(job, input, program, args.report.as_deref(), console);
    }
    match clp::indexed(program) {
        Ok(mut system) => {
            job.prepare(input, console)?;
            proving::run(job, input, model, &mut system, &Method::Direct(args.seed), console)
        }
        Err(refusal) => {
            input.diagnostics.push(refusal);
            input.reject(console, job.output.json)
        }
    }
}

/// What was asked for that does not apply to constraint logic programs.
fn refusals(args: &ProveArgs, job: &Job<'_>, program: &Program) -> Vec<Diagnostic> {
    let what = "constraint logic programs";
    let code = &clp_codes::NOT_FOR_PROGRAMS;
    let mut refusals = no_options(&args.model, &args.proof.unbounded, code, what).err().unwrap_or_default();
    if job.is_chc {
        refusals.push(chc::refusal());
    }
    let is_direct = matches!(args.engine, EngineChoice::Direct);
    if is_direct && args.proof.properties.is_empty() && !program.obligations.is_empty() {
        refusals.push(entailments_left(program));
    }
    if is_direct && args.report.is_some() {
        let message = "`--report` shows what `--engine recursive` does";
        refusals.push(Diagnostic::global(&codes::NO_REPORT, message));
    }
    if !is_direct && !matches!(args.engine, EngineChoice::Auto | EngineChoice::Recursive) {
        let message = format!("`--engine {}` does not apply to {what}", args.engine.name());
        let help = "leave it out, or use `--engine recursive` or `--engine direct`";
        refusals.push(Diagnostic::global(code, message).help(help));
    }
    let options = [("--method", args.refine.method.is_some()), ("--trace", args.proof.trace.is_some())];
    for (option, _) in options.into_iter().filter(|(_, is_given)| *is_given) {
        refusals.push(Diagnostic::global(code, format!("`{option}` does not apply to {what}")));
    }
    refusals
}

/// That `direct` would leave the entailments of the file open.
fn entailments_left(program: &Program) -> Diagnostic {
    let count = counted(program.obligations.len() as u64, "entailment");
    let message = format!("`--engine direct` proves properties only, and the file also asks for {count}");
    let properties = program.process.iter().flat_map(|process| &process.properties);
    let names: Vec<String> = properties.map(|property| format!("--property \"{}\"", property.name)).collect();
    let found = Diagnostic::global(&clp_codes::ENTAILMENTS_LEFT, message);
    if names.is_empty() { found } else { found.help(format!("say which are meant: {}", names.join(" "))) }
}

fn not_recursive() -> Diagnostic {
    let message = "`--engine recursive` is for constraint logic programs (`.clp`)";
    Diagnostic::global(&codes::NOT_RECURSIVE, message).help("leave `--engine` out")
}
