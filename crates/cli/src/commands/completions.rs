//! `tenet completions`: a completion script for a shell.

use crate::args::{Cli, CompletionsArgs};
use crate::console::Console;
use crate::exit::Exit;
use clap::CommandFactory;

/// Runs the command.
pub fn run(args: &CompletionsArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tenet", &mut script);
    console.answer(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Safe)
}
