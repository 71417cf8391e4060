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
use crate::input::{Input, is_clp};
use crate::proving::{self, Job, Method};
use tenet_engine::reach::Options;
use tenet_engine::refine::is_program;
use tenet_lang::codes::clp as clp_codes;
use tenet_lang::diagnostic::Diagnostic;

/// Runs the command.
pub fn run(args: &ProveArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let clock = Clock::start(Some(args.timeout))?;
    let mut proof = args.proof.clone();
    let json = args.output.json || args.format == FormatChoice::Json;
    let output = OutputArgs { json, ..args.output };
    if is_clp(&args.model.file) {
        return prove_definitions(args, output, console);
    }
    let is_chc = args.format == FormatChoice::Chc;
    let job = Job { model: &args.model, proof: &proof, output, is_chc, clock, is_larger: false };
    let (mut input, read) = job.read();
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
    if proof.unbounded.is_empty() && matches!(method, Method::Direct(_)) {
        proof.unbounded = model.index_ranges(&args.model);
        if let Some(larger) = input.read_unbounded(&model, &args.model, &proof.unbounded) {
            system = larger;
            is_larger = model.is_endless(&proof.unbounded);
        }
    }
    let job = Job { model: &args.model, proof: &proof, output, is_chc, clock, is_larger };
    job.prepare(&input, console)?;
    proving::run(&job, &mut input, &model, &mut system, &method, console)
}

/// Constraint logic programs are read, but nothing proves them yet.
fn prove_definitions(args: &ProveArgs, output: OutputArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let (mut input, model) = Input::load_with(&args.model, args.proof.predicates.as_deref());
    if model.is_some() {
        let message = "constraint logic programs are not proved yet";
        input.diagnostics.push(Diagnostic::global(&clp_codes::NOT_PROVED_YET, message));
    }
    input.reject(console, output.json)
}
