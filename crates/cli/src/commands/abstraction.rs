//! `tenet abstract`: the strongest invariant over given predicates, and what it proves.

use crate::args::AbstractArgs;
use crate::clock;
use crate::console::Console;
use crate::deliver::Delivery;
use crate::exit::Exit;
use crate::face::Face;
use crate::input::Input;
use crate::observer::Observer;
use crate::proving::{self, Job, Method};
use crate::{trace, watchdog};
use std::sync::Arc;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::codes;

/// Runs the command.
pub fn run(args: &AbstractArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let budget = clock::start(args.timeout, args.proof.memory)?;
    watchdog::limit_memory(budget.memory());
    let json = args.output.json;
    let (mut input, model) = Input::load_with(&args.model, args.proof.predicates.as_deref());
    let Some(model) = model else { return input.reject(console, json) };
    let system = input.read_unbounded(&model, &args.model, &args.proof.unbounded);
    let Some(mut system) = system else { return input.reject(console, json) };
    let refusal = trace::refusal(&model, args.proof.trace.as_deref());
    if let Some(refusal) = refusal.or_else(|| system.predicates.is_empty().then(no_predicates)) {
        input.diagnostics.push(refusal);
        return input.reject(console, json);
    }
    let delivery = Delivery { output: args.output, is_chc: false, proof: &args.proof };
    delivery.prepare(&mut input, console)?;
    let observer: Arc<dyn Observer> = Face::new(&input, args.output, console.style);
    let job = Job {
        input: &input,
        model: &model,
        reading: &args.model,
        proof: &args.proof,
        budget: &budget,
        observer: &observer,
        is_chc: false,
        witness: delivery.witness(),
        is_larger: false,
        is_about_reads: false,
        stops_at_first: false,
        violated: &[],
    };
    let answer = proving::run(&job, &mut system, &Method::Reach(args.options()));
    delivery.deliver(answer, &mut input, console, |_| Ok(()))
}

/// That the engine `reach` has nothing to work with.
pub fn no_predicates() -> Diagnostic {
    Diagnostic::global(&codes::NO_PREDICATES, "there are no predicates to abstract with").help(
        "declare index variables and predicates, `index i : NODE; predicate cache[i] = Exclusive;`, in a `.tenet` file \
         or in a file of their own that --predicates names",
    )
}
