//! `tenet check`: reads and type-checks a model, and says what is in it.

use crate::args::CheckArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use serde_json::{Value, json};
use tenet_lang::murphi::hir::{Model, PropertyKind};
use tenet_lang::murphi::unbounded::describe;
use tenet_report::json;
use tenet_report::number::counted;
use tenet_report::style::Paint;

/// Runs the command.
pub fn run(args: &CheckArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let (mut input, model) = Input::load_with(&args.model, args.predicates.as_deref());
    let Some(model) = model else { return input.reject(console, args.output.json) };
    let system = match args.system || !args.unbounded.is_empty() {
        false => None,
        true => match input.read_unbounded(&model, &args.model, &args.unbounded) {
            Some(system) => Some(system),
            None => return input.reject(console, args.output.json),
        },
    };
    if args.output.json {
        let mut object = json::without_verdict(env!("CARGO_PKG_VERSION"), &input.diagnostics, &input.text());
        object.insert("model".into(), contents(&model));
        console.answer_json(&object.into())?;
        return Ok(Exit::Safe);
    }
    if !args.output.quiet {
        input.show_diagnostics(console);
    }
    let ok = console.style.paint(Paint::Good, "ok");
    console.answer(&format!("{ok}: {}: {}\n", input.file, summary(&model)))?;
    if args.output.verbose {
        console.answer(&details(&model))?;
    }
    if let Some(system) = system.filter(|_| args.system) {
        console.answer(&describe(&system))?;
    }
    Ok(Exit::Safe)
}

fn summary(model: &Model) -> String {
    let invariants = of_kind(model, PropertyKind::Invariant).len();
    let counts = [
        (model.vars.iter().filter(|var| !var.is_constant).count(), "variable"),
        (model.starts.len(), "startstate"),
        (model.rules.len(), "rule"),
        (invariants, "invariant"),
        (model.predicates.len(), "predicate"),
    ];
    let counts = counts.iter().filter(|(count, noun)| *count > 0 || *noun != "predicate");
    let parts: Vec<String> = counts.map(|(count, noun)| counted(*count as u64, noun)).collect();
    parts.join(", ")
}

fn of_kind(model: &Model, kind: PropertyKind) -> Vec<&str> {
    let properties = model.properties.iter().filter(|property| property.kind == kind);
    properties.map(|property| property.name.as_str()).collect()
}

fn lists(model: &Model) -> Vec<(&'static str, Vec<String>)> {
    let named = |names: Vec<&str>| names.into_iter().map(str::to_string).collect::<Vec<_>>();
    let consts = model.consts.iter().map(|constant| match constant.unknown {
        true => constant.name.clone(),
        false => format!("{} = {}", constant.name, constant.value),
    });
    let fixed = model.vars.iter().filter(|var| var.is_constant).map(|var| var.name.clone());
    let vars = model.vars.iter().filter(|var| !var.is_constant);
    vec![
        ("constants", consts.chain(fixed).collect()),
        ("variables", named(vars.map(|var| var.name.as_str()).collect())),
        ("startstates", named(model.starts.iter().map(|rule| rule.name.as_str()).collect())),
        ("rules", named(model.rules.iter().map(|rule| rule.name.as_str()).collect())),
        ("invariants", named(of_kind(model, PropertyKind::Invariant))),
        ("assumptions", named(of_kind(model, PropertyKind::Assume))),
        ("axioms", named(of_kind(model, PropertyKind::Axiom))),
        ("covers", named(of_kind(model, PropertyKind::Cover))),
        ("definitions", named(model.definitions.iter().map(|known| known.name.as_str()).collect())),
        ("indices", named(model.indices.iter().map(|index| index.name.as_str()).collect())),
        ("predicates", named(model.predicates.iter().map(|known| known.name.as_str()).collect())),
    ]
}

fn details(model: &Model) -> String {
    let lists = lists(model).into_iter().filter(|(_, names)| !names.is_empty());
    lists.map(|(what, names)| format!("  {what}: {}\n", names.join(", "))).collect()
}

fn contents(model: &Model) -> Value {
    lists(model).into_iter().map(|(what, names)| (what.to_string(), json!(names))).collect()
}
