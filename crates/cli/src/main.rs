//! The `tenet` command: arguments, files, clocks, signals and colours. Everything else is in the layers below.
//!
//! A command is one file in `commands/`; it gets its arguments and a [`console::Console`] and returns an [`exit::Exit`].
//! An `Err` from a command means that the environment failed it (exit 4): rejected input and "unknown" are answers.
#![forbid(unsafe_code)]

mod args;
mod clock;
mod commands;
mod console;
mod deliver;
mod exit;
mod face;
mod files;
mod hybrid_args;
mod input;
mod log;
mod log_args;
mod no_verdict;
mod panics;
mod progress;
mod recursive_args;
mod refine_args;
mod supervise;
mod trace;
mod verilog_args;
mod watchdog;

use args::{Cli, Command};
use clap::error::ErrorKind;
use console::Console;
use exit::Exit;
use std::path::PathBuf;
use std::process::ExitCode;
use tracing::info_span;

/// The stack size: reading and lowering recurse to a limited depth, for which this is enough.
const STACK: usize = 256 << 20;

fn main() -> ExitCode {
    panics::install();
    let cli = Cli::read().unwrap_or_else(|error| wrong_usage(&error));
    if let Some(code) = supervise::run(&cli) {
        return code;
    }
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&cli));
    let exit = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        Ok(Err(_)) => {
            panics::answer();
            Exit::Bug
        }
        Err(error) => {
            eprintln!("error: cannot start a thread: {error}");
            Exit::Environment
        }
    };
    ExitCode::from(exit.code())
}

/// Ends as `clap` would, with a hint for a model without a command.
fn wrong_usage(error: &clap::Error) -> ! {
    // An error on a closed terminal cannot be reported.
    let _ = error.print();
    let first = std::env::args_os().nth(1).map(PathBuf::from);
    let model = first.filter(|file| error.kind() == ErrorKind::InvalidSubcommand && file.is_file());
    if let Some(model) = model {
        eprintln!("\nTo search the reachable states of a model: tenet explore {}", model.display());
    }
    std::process::exit(error.exit_code())
}

fn run(cli: &Cli) -> Exit {
    let mut console = Console::new(cli.color);
    if let Some(collision) = files::collision(cli) {
        console.log(&format!("error: {collision}\n"));
        return Exit::Usage;
    }
    let started = log::start(cli).and_then(|()| watchdog::start(cli));
    let exit = started.and_then(|()| dispatch(cli, &mut console)).unwrap_or_else(|error| {
        console.fail(&format!("{error:#}"));
        Exit::Environment
    });
    tracing::info!(exit = exit.code(), "end");
    // Whatever was printed is the answer, even if the time is over now.
    drop(watchdog::answer());
    exit
}

fn dispatch(cli: &Cli, console: &mut Console) -> anyhow::Result<Exit> {
    match &cli.command {
        Command::Prove(args) => info_span!("prove").in_scope(|| commands::prove::run(args, console)),
        Command::Induct(_) => unreachable!("invariant: it was read as a question for `prove`"),
        Command::Abstract(args) => {
            info_span!("abstract").in_scope(|| commands::abstraction::run(args, console))
        }
        Command::Verify(args) => info_span!("verify").in_scope(|| commands::verify::run(args, console)),
        Command::Explore(args) => info_span!("explore").in_scope(|| commands::explore::run(args, console)),
        Command::Simulate(args) => commands::simulate::run(args, console),
        Command::Check(args) => commands::check::run(args, console),
        Command::Branches(args) => commands::branches::run(args, console),
        Command::Explain(args) => commands::explain::run(args, console),
        Command::Doctor(args) => commands::doctor::run(args, console),
        Command::Completions(args) => commands::completions::run(args, console),
        Command::Man(args) => commands::man::run(args, console),
    }
}
