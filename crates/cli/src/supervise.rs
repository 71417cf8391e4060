//! Out of memory, where the system refuses it: an error of the environment instead of a crash.
//!
//! Neither the allocator nor the solver's library lets a caller recover when memory is refused in the middle of a solver: they
//! end the process. That happens only where the address space is limited (`ulimit -v`); elsewhere the limits of the command come
//! first. So where it is limited, the work is done by a second process, and the first one reports how that ended.

use crate::args::{Cli, Command as Asked};
use crate::exit::Exit;
use crate::watchdog;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use tenet_report::number::megabytes;

/// Set for the process that does the work.
const WORKER: &str = "TENET_SUPERVISED";

/// Runs the command in another process, if that is of use, and returns the exit code.
pub fn run(cli: &Cli) -> Option<ExitCode> {
    // An interactive command needs the terminal.
    let is_interactive = matches!(&cli.command, Asked::Simulate(args) if args.interactive);
    if std::env::var_os(WORKER).is_some() || is_interactive {
        return None;
    }
    let limit = address_space()?;
    let mut child = start().ok()?;
    let pid = child.id().to_string();
    // The signal is passed on; the process that does the work prints the partial result.
    let pass_on = move || {
        let _ = Command::new("kill").args(["-TERM", &pid]).stderr(Stdio::null()).status();
    };
    // Without a handler, the signal ends this process alone.
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

/// Copies the output of the process; was there any?
fn copy_output(child: &mut Child) -> bool {
    let Some(mut output) = child.stdout.take() else { return false };
    let mut stdout = std::io::stdout().lock();
    let mut buffer = [0; 1 << 16];
    let mut has_printed = false;
    while let Ok(length @ 1..) = output.read(&mut buffer) {
        has_printed = true;
        // A closed stdout is ignored.
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

/// The limit of the address space in bytes, if the system has one.
fn address_space() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}
