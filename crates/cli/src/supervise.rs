//! Out of memory, where the system refuses it: an error of the environment, and no crash.
//!
//! Nobody can go on who is refused memory in the middle of a solver, and neither the allocator nor the solver's library gives the
//! chance to say so: they end the process. That happens only where the address space is limited (`ulimit -v`); elsewhere the
//! limits of the command come first. So where it is limited, the work is done by a second process, and the first one tells how
//! that has ended.

use crate::args::{Cli, Command as Asked};
use crate::exit::Exit;
use crate::watchdog;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use tenet_report::number::megabytes;

/// Set for the process that does the work.
const WORKER: &str = "TENET_SUPERVISED";

/// Has the work done by another process, if that is of use, and gives the exit code.
pub fn run(cli: &Cli) -> Option<ExitCode> {
    // Who is asked for each step needs the terminal.
    let is_interactive = matches!(&cli.command, Asked::Simulate(args) if args.interactive);
    if std::env::var_os(WORKER).is_some() || is_interactive {
        return None;
    }
    let limit = address_space()?;
    let mut child = start().ok()?;
    let pid = child.id().to_string();
    // The signal is passed on; what is known then is printed by the process that knows it.
    let pass_on = move || {
        let _ = Command::new("kill").args(["-TERM", &pid]).stderr(Stdio::null()).status();
    };
    // If signals cannot be caught, they end this process alone.
    let _ = ctrlc::set_handler(pass_on);
    let has_printed = copy_output(&mut child);
    let status = child.wait().ok()?;
    if let Some(code) = status.code() {
        return Some(ExitCode::from(u8::try_from(code).unwrap_or(Exit::Bug.code())));
    }
    let error = describe(status, limit);
    eprintln!("error: {error}");
    watchdog::announce(cli);
    if let (false, Some((_answering, object))) = (has_printed, watchdog::failure(&error)) {
        let _ = std::io::stdout().write_all(object.as_bytes());
    }
    Some(ExitCode::from(Exit::Environment.code()))
}

fn start() -> std::io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(std::env::args_os().skip(1)).env(WORKER, "1").stdout(Stdio::piped());
    // Otherwise Ctrl-C would reach it twice, and the second time ends it at once.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// Prints what the process prints; was there anything?
fn copy_output(child: &mut Child) -> bool {
    let Some(mut output) = child.stdout.take() else { return false };
    let mut stdout = std::io::stdout().lock();
    let mut buffer = [0; 1 << 16];
    let mut has_printed = false;
    while let Ok(length @ 1..) = output.read(&mut buffer) {
        has_printed = true;
        // A reader that has gone away misses nothing.
        let _ = stdout.write_all(&buffer[..length]).and_then(|()| stdout.flush());
    }
    has_printed
}

fn describe(status: ExitStatus, limit: usize) -> String {
    format!(
        "out of memory, as it seems: {status}, where the address space is limited to {}",
        megabytes(limit)
    )
}

/// The limit of the address space in bytes, if there is one that the system tells.
fn address_space() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}
