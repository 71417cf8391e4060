//! `tenet check`: reads and type-checks a model, and says what is in it.

use crate::args::CheckArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use serde::Serialize;
use serde_json::{Map, Value};
use tenet_lang::btor2::print::print;
use tenet_lang::codes::btor2 as codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::Model;
use tenet_lang::murphi::unbounded::describe;
use tenet_report::json;
use tenet_report::number::counted;
use tenet_report::style::Paint;

/// Runs the command.
pub fn run(args: &CheckArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let (mut input, problem) = Input::load_with(&args.model, args.predicates.as_deref(), &args.unbounded);
    let Some(problem) = problem else { return input.reject(console, args.output.json) };
    let model = problem.model();
    let system = match args.system || !args.unbounded.is_empty() {
        false => None,
        true => match input.made(model.system(&args.unbounded)) {
            Some(system) => Some(system),
            None => return input.reject(console, args.output.json),
        },
    };
    if args.output.json {
        let text = input.text();
        let object = json::without_verdict(env!("CARGO_PKG_VERSION"), &input.diagnostics, &text);
        console.answer_json(&Checked { object, model: names(model) })?;
        return Ok(Exit::Safe);
    }
    if !args.output.quiet {
        input.show_diagnostics(console);
    }
    if args.btor2 {
        let Some(circuit) = model.circuit() else {
            input.diagnostics.push(Diagnostic::global(&codes::TRACE_FORMAT, "`--btor2` is for circuits"));
            return input.reject(console, args.output.json);
        };
        console.answer(&print(&circuit.document))?;
        return Ok(Exit::Safe);
    }
    let ok = console.style.paint(Paint::Good, "ok");
    console.answer(&format!("{ok}: {}: {}\n", input.source.name, summary(model)))?;
    if args.output.verbose {
        console.answer(&details(model))?;
    }
    if let Some(system) = system.filter(|_| args.system) {
        console.answer(&describe(&system))?;
    }
    Ok(Exit::Safe)
}

fn details(model: &dyn Model) -> String {
    let lists = model.contents().into_iter().filter(|(_, names)| !names.is_empty());
    lists.map(|(what, names)| format!("  {what}: {}\n", names.join(", "))).collect()
}

/// The answer as JSON.
#[derive(Serialize)]
struct Checked<'a> {
    #[serde(flatten)]
    object: json::WithoutVerdict<'a>,
    /// The names of everything, by kind.
    model: Map<String, Value>,
}

fn names(model: &dyn Model) -> Map<String, Value> {
    model.contents().into_iter().map(|(what, names)| (what.to_string(), names.into())).collect()
}

/// How much there is of everything, in one line.
fn summary(model: &dyn Model) -> String {
    let lists = model.contents();
    let count = |list: &str| lists.iter().find(|(name, _)| *name == list).map(|(_, all)| all.len());
    let nouns = [
        ("variables", "variable"),
        ("startstates", "startstate"),
        ("rules", "rule"),
        ("invariants", "invariant"),
        ("predicates", "predicate"),
        ("registers", "register"),
        ("inputs", "input"),
        ("constraints", "constraint"),
        ("entailments", "entailment"),
        ("transitions", "transition"),
        ("abstractions", "abstraction"),
        ("properties", "property"),
    ];
    let counts = nouns.iter().filter_map(|(list, noun)| Some((count(list)?, *noun)));
    let is_optional = |noun: &str| matches!(noun, "predicate" | "constraint" | "entailment" | "abstraction");
    let counts = counts.filter(|(count, noun)| *count > 0 || !is_optional(noun));
    let parts: Vec<String> = counts.map(|(count, noun)| counted(count as u64, noun)).collect();
    parts.join(", ")
}
