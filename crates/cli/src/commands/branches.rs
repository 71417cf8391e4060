//! `tenet branches`: the conditions on which a Verilog design branches, and the design with a name for each of them.

use crate::args::BranchesArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::input::Input;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use tenet_lang::codes::verilog as codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::verilog::rewrite::{Rewritten, rewrite};
use tenet_lang::verilog::{Branch, Verilog};
use tenet_report::json;
use tenet_report::number::counted;
use tenet_report::source::shorten;
use tenet_report::style::Paint;
use tenet_term::{Role, TermStore};

/// Formulas are shortened to this many characters, unless everything is asked for.
const SHOWN: usize = 100;

/// Runs the command.
pub fn run(args: &BranchesArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let (mut input, problem) = Input::load(&args.model);
    let Some(design) = problem.as_ref().and_then(|problem| problem.model().design()) else {
        if input.diagnostics.iter().all(|diagnostic| !diagnostic.is_error()) {
            let message = "branch conditions are those of a Verilog design";
            input.diagnostics.push(Diagnostic::global(&codes::ONLY_FOR_VERILOG, message));
        }
        return input.reject(console, args.json);
    };
    let rewritten = args.write.as_ref().map(|_| rewrite(input.source.model()));
    if let (Some(out), Some(rewritten)) = (&args.write, &rewritten) {
        files::write(out, &rewritten.text)?;
    }
    if args.json {
        console.answer_json(&object(design, &input, rewritten.as_ref()))?;
        return Ok(Exit::Safe);
    }
    input.show_diagnostics(console);
    let answer = match (&args.write, &rewritten) {
        (Some(out), Some(rewritten)) => report(out, rewritten, &input),
        _ => list(design, args.verbose, console),
    };
    console.answer(&answer)?;
    Ok(Exit::Safe)
}

fn address(design: &Verilog, branch: &Branch) -> String {
    let condition = &branch.condition;
    let instance = if condition.instance.is_empty() { "" } else { "@" };
    format!("{}:{}{instance}{}", design.files[condition.file].name, condition.line, condition.instance)
}

/// The registers that a condition depends on, by name.
fn registers(store: &TermStore, branch: &Branch) -> Vec<String> {
    let symbols = store.free_symbols(branch.formula).into_iter().map(|symbol| store.symbol(symbol));
    let mut names: Vec<String> =
        symbols.filter(|symbol| symbol.role == Role::State).map(|symbol| symbol.name.clone()).collect();
    names.sort_unstable();
    names
}

fn list(design: &Verilog, everything: bool, console: &Console) -> String {
    let store = &design.circuit.lowered.system.store;
    let mut text = String::new();
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for branch in &design.branches {
        let condition = &branch.condition;
        *kinds.entry(condition.kind.text()).or_default() += 1;
        let address = console.style.paint(Paint::Strong, &address(design, branch));
        text.push_str(&format!("{address}: {}: {}\n", condition.kind.text(), condition.text));
        let formula = store.print_limited(branch.formula, if everything { usize::MAX } else { 10 * SHOWN });
        let formula = if everything { formula } else { shorten(&formula, SHOWN) };
        let registers = registers(store, branch);
        let depends =
            if registers.is_empty() { String::new() } else { format!("  [{}]", registers.join(", ")) };
        text.push_str(&format!("    {formula}{depends}\n"));
    }
    let kinds: Vec<String> = kinds.into_iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let total = counted(design.branches.len() as u64, "condition");
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!("{text}{total}{kinds}\n")
}

/// What was written, and what stays as it was.
fn report(out: &Path, rewritten: &Rewritten, input: &Input) -> String {
    let mut text = format!(
        "wrote {}: {} with a name, {} as before\n",
        out.display(),
        counted(rewritten.lifted.len() as u64, "condition"),
        rewritten.kept.len()
    );
    for kept in &rewritten.kept {
        let location = input.text().locate_span(kept.span);
        let words = &input.source.content[kept.span.range()];
        let condition = words.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&format!(
            "  {}:{}: {}: {}\n",
            location.file,
            location.line,
            shorten(&condition, 60),
            kept.reason.text()
        ));
    }
    text
}

/// The answer as JSON.
#[derive(Serialize)]
struct Listed<'a> {
    #[serde(flatten)]
    object: json::WithoutVerdict<'a>,
    branches: Vec<ListedBranch<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lifted: Option<Vec<LiftedCondition<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<Vec<KeptCondition>>,
}

#[derive(Serialize)]
struct ListedBranch<'a> {
    file: &'a str,
    line: usize,
    instance: &'a str,
    kind: &'static str,
    condition: &'a str,
    formula: String,
    registers: Vec<String>,
    stays: Option<&'static str>,
}

#[derive(Serialize)]
struct LiftedCondition<'a> {
    name: &'a str,
    line: usize,
}

#[derive(Serialize)]
struct KeptCondition {
    line: usize,
    reason: &'static str,
}

fn object(design: &Verilog, input: &Input, rewritten: Option<&Rewritten>) -> Value {
    let store = &design.circuit.lowered.system.store;
    let text = input.text();
    let branches = design.branches.iter().map(|branch| ListedBranch {
        file: &design.files[branch.condition.file].name,
        line: branch.condition.line,
        instance: &branch.condition.instance,
        kind: branch.condition.kind.text(),
        condition: &branch.condition.text,
        formula: store.print(branch.formula),
        registers: registers(store, branch),
        stays: branch.condition.stays.map(|reason| reason.text()),
    });
    let line = |span| text.locate_span(span).line;
    let lifted = rewritten.map(|rewritten| {
        let lifted = rewritten.lifted.iter();
        lifted.map(|lifted| LiftedCondition { name: &lifted.name, line: line(lifted.span) }).collect()
    });
    let kept = rewritten.map(|rewritten| {
        let kept = rewritten.kept.iter();
        kept.map(|kept| KeptCondition { line: line(kept.span), reason: kept.reason.text() }).collect()
    });
    json::json(&Listed {
        object: json::without_verdict(env!("CARGO_PKG_VERSION"), &input.diagnostics, &text),
        branches: branches.collect(),
        lifted,
        kept,
    })
}
