//! `tenet abstract`: the strongest invariant over given predicates, and what it proves.

use crate::args::AbstractArgs;
use crate::clock::Clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::proving::{self, Job, Method};
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::codes;

/// Runs the command.
pub fn run(args: &AbstractArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let clock = Clock::start(args.timeout)?;
    let job = Job {
        model: &args.model,
        proof: &args.proof,
        output: args.output,
        is_chc: false,
        clock,
        is_larger: false,
        is_about_reads: false,
    };
    let (mut input, read) = job.read();
    let Some((model, mut system)) = read else { return input.reject(console, args.output.json) };
    if system.predicates.is_empty() {
        input.diagnostics.push(no_predicates());
        return input.reject(console, args.output.json);
    }
    job.prepare(&input, console)?;
    proving::run(&job, &mut input, &model, &mut system, &Method::Reach(args.options()), console)
}

/// That the engine `reach` has nothing to work with.
pub fn no_predicates() -> Diagnostic {
    Diagnostic::global(&codes::NO_PREDICATES, "there are no predicates to abstract with").help(
        "declare index variables and predicates, `index i : NODE; predicate cache[i] = Exclusive;`, in a `.tenet` file \
         or in a file of their own that --predicates names",
    )
}
