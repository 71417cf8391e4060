//! `tenet man`: manual pages.

use crate::args::{Cli, ManArgs};
use crate::console::Console;
use crate::exit::Exit;
use anyhow::Context;
use clap::CommandFactory;

/// Runs the command.
pub fn run(args: &ManArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let mut root = Cli::command();
    root.build();
    let page = match &args.command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let names: Vec<&str> = root.get_subcommands().map(clap::Command::get_name).collect();
                console.log(&format!("error: there is no command {name}; there are {}\n", names.join(", ")));
                return Ok(Exit::Usage);
            }
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).context("cannot write the page")?;
    console.answer(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Safe)
}
