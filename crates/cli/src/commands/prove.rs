//! `tenet prove`: every property, every size.
//!
//! With predicates in the model, the engine behind `tenet abstract` is used. Without them lemmas are searched for, and
//! small instances are searched for runs that break a property. Ranges that are mere index sets, bounded by a constant or
//! without an end, are read as sets of any size unless the command line says what is unbounded: a proof for every size,
//! which says nothing about the size being finite, is one for the size as written.

use crate::args::{EngineChoice, FormatChoice, OutputArgs, ProofArgs, ProveArgs};
use crate::chc;
use crate::clock;
use crate::commands::abstraction::no_predicates;
use crate::console::Console;
use crate::deliver::Delivery;
use crate::exit::Exit;
use crate::face::Face;
use crate::files;
use crate::input::Input;
use crate::model::{Model, no_options};
use crate::observer::Observer;
use crate::proving::{self, Job, Method};
use crate::{trace, watchdog};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tenet_engine::reach::Options;
use tenet_engine::refine::is_program;
use tenet_lang::clp;
use tenet_lang::codes::clp as clp_codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::codes;
use tenet_report::number::counted;
use tenet_report::recursive::dot::dot;
use tenet_report::recursive::html::html;
use tenet_report::view::Report;
use tenet_system::System;
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
    let budget = clock::start(Some(args.timeout), args.proof.memory)?;
    watchdog::limit_memory(budget.memory());
    let json = args.output.json || args.format == FormatChoice::Json;
    let output = OutputArgs { json, ..args.output };
    let is_chc = args.format == FormatChoice::Chc;
    let (mut input, model) = Input::load_with(&args.model, args.proof.predicates.as_deref());
    let Some(model) = model else { return input.reject(console, json) };
    let outputs: Vec<PathBuf> = files::proof_outputs(&args.proof).chain(args.report.clone()).collect();
    if let Some(refusal) = files::overwritten(&outputs, input.others().map(|(name, _)| Path::new(name))) {
        console.log(&format!("error: {refusal}\n"));
        return Ok(Exit::Usage);
    }
    let usage = chosen_method(args).err();
    let subject = input.asked(subject(args, &model));
    let Some(subject) = subject else { return input.reject(console, json) };
    if let Some(usage) = usage {
        console.log(&format!("error: {usage}\n"));
        return Ok(Exit::Usage);
    }
    let delivery = Delivery { output, is_chc, proof: &args.proof };
    delivery.prepare(&mut input, console)?;
    args.report.as_deref().map_or(Ok(()), files::require_folder)?;
    let observer: Arc<dyn Observer> = Face::new(&input, output, console.style);
    let job = Job {
        input: &input,
        model: &model,
        reading: &args.model,
        proof: &args.proof,
        budget: &budget,
        observer: &observer,
        is_chc,
        witness: delivery.witness(),
        is_larger: false,
        is_about_reads: false,
        stops_at_first: args.first,
        violated: &[],
    };
    let answer = match subject {
        Subject::Program(program) => proving::recursive::run(&job, program),
        Subject::System { mut system, method, proof, is_larger } => {
            proving::run(&Job { proof: &proof, is_larger, ..job }, &mut system, &method)
        }
    };
    let write = |report: &Report| args.report.as_deref().map_or(Ok(()), |file| write_report(file, report));
    delivery.deliver(answer, &mut input, console, write)
}

/// What an engine is given.
#[allow(clippy::large_enum_variant, reason = "there is one of it")]
enum Subject<'a> {
    /// A constraint logic program.
    Program(&'a Program),
    /// A transition system.
    System {
        system: System,
        method: Method,
        /// With what is read as a set of any size.
        proof: ProofArgs,
        /// Whether ranges without an end are among that although nobody asked for it.
        is_larger: bool,
    },
}

/// Chooses what is proved, and by which engine.
fn subject<'a>(args: &ProveArgs, model: &'a Model) -> Result<Subject<'a>, Vec<Diagnostic>> {
    let refuse = |refusal: Option<Diagnostic>| refusal.map_or(Ok(()), |refusal| Err(vec![refusal]));
    let proof = args.proof.clone();
    if let Model::Clp(program) = model {
        let program = &program.program;
        let refusals = refusals(args, program);
        if !refusals.is_empty() {
            return Err(refusals);
        }
        if !matches!(args.engine, EngineChoice::Direct) {
            return Ok(Subject::Program(program));
        }
        let system = clp::indexed(program).map_err(|refusal| vec![refusal])?;
        return Ok(Subject::System { system, method: Method::Direct(args.seed), proof, is_larger: false });
    }
    refuse(
        args.report
            .is_some()
            .then(|| Diagnostic::global(&codes::NO_REPORT, "`--report` is for constraint logic programs")),
    )?;
    let system = model.system(&args.model, &args.proof.unbounded).map(|(system, _)| system)?;
    refuse(trace::refusal(model, args.proof.trace.as_deref()))?;
    refuse((args.format == FormatChoice::Chc && !model.is_horn()).then(chc::refusal))?;
    let method = match chosen_method(args) {
        Ok(Some(method)) => method,
        _ => match args.engine {
            EngineChoice::Recursive => return Err(vec![not_recursive()]),
            EngineChoice::Auto if model.is_circuit() => Method::Circuit,
            EngineChoice::Auto if model.is_horn() => Method::Refine,
            EngineChoice::Auto if system.predicates.is_empty() && is_program(&system) => Method::Refine,
            EngineChoice::Auto if system.predicates.is_empty() => Method::Direct(args.seed),
            EngineChoice::Auto | EngineChoice::Reach => Method::Reach(Options::default()),
            EngineChoice::Refine => Method::Refine,
            EngineChoice::Circuit => Method::Circuit,
            EngineChoice::Hybrid => Method::Hybrid(args.hybrid.options()),
            EngineChoice::Direct => Method::Direct(args.seed),
        },
    };
    refuse((system.predicates.is_empty() && matches!(method, Method::Reach(_))).then(no_predicates))?;
    Ok(widened(args, model, system, method))
}

/// The published method that the command line names, if it names one; or what is wrong with its options.
fn chosen_method(args: &ProveArgs) -> Result<Option<Method>, String> {
    let Some(method) = args.refine.method else { return Ok(None) };
    match args.refine.options(method, args.seed) {
        Ok(_) if !matches!(args.engine, EngineChoice::Auto | EngineChoice::Refine) => {
            Err("--method is for --engine refine".to_string())
        }
        Ok(options) => Ok(Some(Method::Published(options))),
        Err(error) => Err(format!("{error:#}")),
    }
}

/// Index ranges are read as sets of any size, unless the command line says what is unbounded or a user's predicates may compute with their
/// numbers.
fn widened<'a>(args: &ProveArgs, model: &Model, system: System, method: Method) -> Subject<'a> {
    let is_open = match method {
        Method::Direct(_) => true,
        Method::Reach(_) | Method::Published(_) => false,
        Method::Refine | Method::Circuit | Method::Hybrid(_) => args.engine != EngineChoice::Auto,
    };
    let mut proof = args.proof.clone();
    if is_open && proof.unbounded.is_empty() {
        proof.unbounded = model.index_ranges(&args.model);
        if let Ok((system, _)) = model.system(&args.model, &proof.unbounded) {
            let is_larger = model.is_endless(&proof.unbounded);
            return Subject::System { system, method, proof, is_larger };
        }
    }
    Subject::System { system, method, proof, is_larger: false }
}

/// A picture of the computation tree, or a page with everything that was derived.
fn write_report(file: &Path, report: &Report) -> anyhow::Result<()> {
    let Some(recursive) = &report.recursive else { return Ok(()) };
    let text = match &recursive.tree {
        Some(tree) if is_dot(file) => dot(&format!("{}: {}", report.file, report.headline), tree),
        _ => html(report, recursive),
    };
    files::write(file, &text)
}

fn is_dot(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("dot"))
}

/// Why there will be no picture of a tree, if there will be none.
fn no_tree(args: &ProveArgs, program: &Program) -> Option<Diagnostic> {
    let file = args.report.as_deref().filter(|file| is_dot(file))?;
    let names = &args.proof.properties;
    let mut properties = program.process.iter().flat_map(|process| &process.properties);
    let has_tree = properties.any(|property| names.is_empty() || names.contains(&property.name));
    (!has_tree).then(|| {
        let message = format!("there is no computation tree to write to {}", file.display());
        Diagnostic::global(&codes::NO_REPORT, message)
            .help("a tree needs a transition system and a property; `--report OUT.html` shows derivations")
    })
}

/// What was asked for that does not apply to constraint logic programs.
fn refusals(args: &ProveArgs, program: &Program) -> Vec<Diagnostic> {
    let what = "constraint logic programs";
    let code = &clp_codes::NOT_FOR_PROGRAMS;
    let mut refusals = no_options(&args.model, &args.proof.unbounded, code, what).err().unwrap_or_default();
    if args.format == FormatChoice::Chc {
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
    let options = [
        ("--method", args.refine.method.is_some()),
        ("--trace", args.proof.trace.is_some()),
        ("--first", args.first),
    ];
    refusals.extend(no_tree(args, program));
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
