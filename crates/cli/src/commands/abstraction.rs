//! `tenet abstract`: the strongest invariant over given predicates, and what it proves.

use crate::args::AbstractArgs;
use crate::clock;
use crate::console::Console;
use crate::deliver::Delivery;
use crate::exit::Exit;
use crate::face::Face;
use crate::input::Input;
use crate::{files, trace, watchdog};
use std::sync::Arc;
use tenet_lang::codes::clp::NOT_FOR_PROGRAMS;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::reached::html::html;
use tenet_report::view::Report;
use tenet_session::{Choices, Observer, Question};

/// Runs the command.
pub fn run(args: &AbstractArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let budget = clock::start(args.timeout, args.proof.memory)?;
    watchdog::limit_memory(budget.memory());
    let json = args.output.json;
    let predicates = args.proof.predicates.as_deref();
    let (mut input, problem) = Input::load_with(&args.model, predicates, &args.proof.unbounded);
    let Some(problem) = problem else { return input.reject(console, json) };
    let no_system = problem.model().recursive().map(|_| {
        let message = "a constraint logic program is no transition system over predicates";
        Diagnostic::global(&NOT_FOR_PROGRAMS, message)
    });
    let refusal = no_system.or_else(|| trace::refusal(problem.model(), args.proof.trace.as_deref()));
    if let Some(refusal) = refusal {
        input.diagnostics.push(refusal);
        return input.reject(console, json);
    }
    // What there is to say about the reading is said by this command, which is about the reading.
    let Some(_) = input.made(problem.model().system(&args.proof.unbounded)) else {
        return input.reject(console, json);
    };
    let delivery = Delivery { output: args.output, is_chc: false, proof: &args.proof };
    delivery.prepare(&mut input, console)?;
    args.report.as_deref().map_or(Ok(()), files::require_folder)?;
    let observer: Arc<dyn Observer> = Face::new(&input, args.output, console.style);
    let question = Question {
        properties: args.proof.properties.clone(),
        engine: Some("reach".to_string()),
        choices: Choices { reach: args.options(), ..Choices::default() },
        threads: args.proof.threads.map(usize::from),
        witness: delivery.witness(),
        ..Question::default()
    };
    let answer = problem.prove(&question, &budget, &observer);
    let write = |report: &Report| match (&args.report, &report.abstraction) {
        (Some(file), Some(abstraction)) => files::write(file, &html(report, abstraction)),
        _ => Ok(()),
    };
    delivery.deliver(answer, &mut input, console, write)
}
