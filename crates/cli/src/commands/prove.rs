//! `tenet prove`: every property, every size.
//!
//! What is proved how is chosen in `tenet_session`; here are the options, the files and the way the answer is given.

use crate::args::{FormatChoice, OutputArgs, ProveArgs};
use crate::clock;
use crate::console::Console;
use crate::deliver::Delivery;
use crate::exit::Exit;
use crate::face::Face;
use crate::files;
use crate::input::Input;
use crate::{trace, watchdog};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tenet_lang::codes::clp::NOT_FOR_PROGRAMS;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::codes;
use tenet_report::hybrid;
use tenet_report::recursive::dot::dot;
use tenet_report::recursive::html::html;
use tenet_report::view::Report;
use tenet_session::{NO_CHC_ANSWER, Observer, Problem, Question};
use tenet_system::recursive::Program;

/// Runs the command. Who reads `--format chc` waits for one of three words, whatever else there is to say.
pub fn run(args: &ProveArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let exit = prove(args, console)?;
    let has_no_answer = matches!(exit, Exit::Usage | Exit::Rejected | Exit::Environment | Exit::CheckFailed);
    if args.format == FormatChoice::Chc && has_no_answer {
        console.answer(NO_CHC_ANSWER)?;
    }
    Ok(exit)
}

fn prove(args: &ProveArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let budget = clock::start(Some(args.timeout), args.proof.memory)?;
    watchdog::limit_memory(budget.memory());
    let json = args.output.json || args.format == FormatChoice::Json;
    let output = OutputArgs { json, ..args.output };
    let is_chc = args.format == FormatChoice::Chc;
    let predicates = args.proof.predicates.as_deref();
    let (mut input, problem) = Input::load_with(&args.model, predicates, &args.proof.unbounded);
    let Some(problem) = problem else { return input.reject(console, json) };
    let outputs: Vec<PathBuf> = files::proof_outputs(&args.proof).chain(args.report.clone()).collect();
    let included = input.source.included.iter().map(|(name, _)| Path::new(name));
    let overwritten = files::overwritten(&outputs, included);
    let choices = match (overwritten, args.choices()) {
        (Some(refusal), _) => Err(refusal),
        (None, choices) => choices,
    };
    let choices = match choices {
        Ok(choices) => choices,
        Err(usage) => {
            console.log(&format!("error: {usage}\n"));
            return Ok(Exit::Usage);
        }
    };
    if input.asked(refuse(args, &problem)).is_none() {
        return input.reject(console, json);
    }
    let delivery = Delivery { output, is_chc, proof: &args.proof };
    delivery.prepare(&mut input, console)?;
    args.report.as_deref().map_or(Ok(()), files::require_folder)?;
    let observer: Arc<dyn Observer> = Face::new(&input, output, console.style);
    let question = Question {
        properties: args.proof.properties.clone(),
        engine: args.engine(),
        choices,
        threads: args.proof.threads.map(usize::from),
        stops_at_first: args.first,
        begins_with_invariants: args.assume_invariants,
        wants_chc: is_chc,
        witness: delivery.witness(),
    };
    let answer = problem.prove(&question, &budget, &observer);
    let write = |report: &Report| args.report.as_deref().map_or(Ok(()), |file| write_report(file, report));
    delivery.deliver(answer, &mut input, console, write)
}

/// Files that are asked for and cannot be made of an answer about this model.
fn refuse(args: &ProveArgs, problem: &Problem) -> Result<(), Vec<Diagnostic>> {
    let model = problem.model();
    let refusals = match model.recursive() {
        Some(program) => refusals(args, program),
        None => {
            let is_shown = args.engine().as_deref() == Some("hybrid");
            let message = "`--report` is for constraint logic programs and for `--engine hybrid`";
            let no_report =
                (args.report.is_some() && !is_shown).then(|| Diagnostic::global(&codes::NO_REPORT, message));
            let derivations = args.recursive.given().into_iter().map(|option| {
                let message = format!("`{option}` is for constraint logic programs (`.clp`)");
                Diagnostic::global(&codes::NOT_RECURSIVE, message)
            });
            no_report
                .into_iter()
                .chain(derivations)
                .chain(trace::refusal(model, args.proof.trace.as_deref()))
                .collect()
        }
    };
    if refusals.is_empty() { Ok(()) } else { Err(refusals) }
}

/// A picture of the computation tree or of the clusters of predicates, or a page with everything that was derived.
fn write_report(file: &Path, report: &Report) -> anyhow::Result<()> {
    let title = format!("{}: {}", report.file, report.headline);
    let text = match report.recursive.as_ref().map(|recursive| (recursive, &recursive.tree)) {
        Some((_, Some(tree))) if is_dot(file) => dot(&title, tree),
        Some((recursive, _)) => html(report, recursive),
        None if is_dot(file) => hybrid::dot::dot(&title, &report.hybrid),
        None => hybrid::html::html(report),
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

/// What was asked for that does not apply to recursive programs.
fn refusals(args: &ProveArgs, program: &Program) -> Vec<Diagnostic> {
    let mut refusals = Vec::new();
    if args.engine().as_deref() == Some("direct") && args.report.is_some() {
        let message = "`--report` shows what `--engine recursive` does";
        refusals.push(Diagnostic::global(&codes::NO_REPORT, message));
    }
    refusals.extend(no_tree(args, program));
    for (option, is_given) in [("--trace", args.proof.trace.is_some()), ("--first", args.first)] {
        if is_given {
            let message = format!("`{option}` does not apply to constraint logic programs");
            refusals.push(Diagnostic::global(&NOT_FOR_PROGRAMS, message));
        }
    }
    refusals
}
