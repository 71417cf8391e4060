//! `tenet prove`: every property, every size.
//!
//! With predicates, the engine behind `tenet abstract` tries first. Without them there is no engine for proofs yet. What
//! is here is honest all the same: the model is read for every size, which refuses what has no such reading, and small
//! instances are searched for violations. A violation in an instance is a violation; finding none proves nothing, so the
//! answer is then `unknown`.

use super::explore::print;
use crate::args::{ModelArgs, ProveArgs};
use crate::clock::Clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use crate::machine;
use crate::model::Model;
use crate::proving::small::{self, Small, search_small};
use crate::proving::{self, Job};
use tenet_engine::reach::Options;
use tenet_report::codes;
use tenet_report::view::{Instance, Property, Reason, Report, Statistics, Verdict};

/// Runs the command.
pub fn run(args: &ProveArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let clock = Clock::start(Some(args.timeout))?;
    let job = Job { model: &args.model, proof: &args.proof, output: args.output, clock };
    let (mut input, read) = job.read();
    let Some((model, mut system)) = read else { return input.reject(console, args.output.json) };
    job.prepare(&input, console)?;
    if !system.predicates.is_empty() {
        return proving::run(&job, &mut input, &model, &mut system, &Options::default(), console);
    }
    let (clean, exit) = match search_small(&job, &model, &clock, console)? {
        Small::Over(exit) => return Ok(exit),
        Small::Open { clean, is_interrupted } => {
            (clean, if is_interrupted { Exit::Interrupted } else { Exit::Unknown })
        }
    };
    let report = unknown(&model, &input, args, clean.as_ref(), &clock);
    print(&report, &input, args.output, console)?;
    Ok(exit)
}

/// That nothing is known, and how far the search got.
fn unknown(
    model: &Model,
    input: &Input,
    args: &ProveArgs,
    clean: Option<&ModelArgs>,
    clock: &Clock,
) -> Report {
    let seconds = clock.elapsed().as_secs_f64();
    let instance = clean.map(|args| model.instance(args)).unwrap_or_default();
    let hint = match clean {
        Some(args) if args.sizes.is_empty() && args.consts.is_empty() => {
            "say with --unbounded which ranges or constants stand for any size"
        }
        Some(_) => "search larger instances with `tenet explore --size`",
        None => "raise --timeout, or take smaller instances with --const or --size",
    };
    let reason = Reason {
        explanation: &codes::NO_ENGINE,
        text: format!("{}; without predicates this version cannot prove every size", small::describe(clean)),
        hint: Some(hint.to_string()),
    };
    let names = &args.proof.properties;
    let chosen = model.invariants().into_iter().filter(|name| names.is_empty() || names.contains(name));
    let properties = chosen.map(|name| open(&name, &reason, seconds)).collect();
    Report {
        file: input.file.clone(),
        verdict: Verdict::Unknown,
        headline: reason.text.clone(),
        instance: Instance { consts: Vec::new(), ..instance },
        properties,
        checked: String::new(),
        abstraction: None,
        statistics: Statistics {
            seconds,
            peak_memory_mb: machine::peak_memory_mb(),
            ..Statistics::default()
        },
        assumptions: Vec::new(),
        certificate: None,
        notes: Vec::new(),
    }
}

fn open(name: &str, reason: &Reason, seconds: f64) -> Property {
    Property {
        name: name.to_string(),
        verdict: Verdict::Unknown,
        engine: "explore",
        seconds,
        reason: Some(reason.clone()),
        failure: None,
        location: None,
        trace: None,
    }
}
