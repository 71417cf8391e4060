//! Yosys as a process: finding it, and running a script with it.
//!
//! No shell is involved. Every file has a generated name in a temporary folder, which is the process's current one, so no name of
//! the user's has to be quoted. Output goes to files, because the process would block on a pipe that is not read.

use super::folder::Folder;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The environment variable that names the program.
pub const VARIABLE: &str = "TENET_YOSYS";

/// The time limit: a design that takes longer to read is too large to prove anything about.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The polling interval.
const INTERVAL: Duration = Duration::from_millis(3);

/// The length in bytes of an unknown message of Yosys that is shown.
const SHOWN: usize = 600;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The program was not found.
    Missing(String),
    /// It exceeded the time limit.
    Slow(Duration),
    /// It was cancelled.
    Stopped,
    /// It rejected its input; this is what it printed.
    Refused(String),
    /// It crashed, or could not be started.
    Broken(String),
}

/// The program from the command line. Like the `PATH`, it belongs to the whole process: a certificate is checked with the same
/// Yosys that read the design.
static CHOSEN: OnceLock<PathBuf> = OnceLock::new();

/// Chooses the program. The first choice wins.
pub fn choose(program: &Path) {
    CHOSEN.get_or_init(|| program.to_path_buf());
}

/// The program: the chosen one, that of the environment, or `yosys` on the `PATH`.
pub fn program() -> PathBuf {
    let from_environment = || std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let chosen = CHOSEN.get().cloned().or_else(from_environment).unwrap_or_else(|| PathBuf::from("yosys"));
    // The process runs in another folder.
    match chosen.components().count() {
        0 | 1 => chosen,
        _ => std::path::absolute(&chosen).unwrap_or(chosen),
    }
}

/// Runs a script in a folder; returns its output if it succeeds.
pub fn run(
    program: &Path,
    folder: &Folder,
    script: &str,
    stop: &mut dyn FnMut() -> bool,
) -> Result<String, Failure> {
    let broken = |error: io::Error| Failure::Broken(error.to_string());
    folder.write("script.ys", script).map_err(broken)?;
    let output = File::create(folder.path().join("output")).map_err(broken)?;
    let errors = output.try_clone().map_err(broken)?;
    let mut command = Command::new(program);
    // Neither a banner nor a footer.
    command.args(["-Q", "-T", "-s", "script.ys"]).current_dir(folder.path());
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut child = command.spawn().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::Missing(program.display().to_string()),
        _ => Failure::Broken(format!("{}: {error}", program.display())),
    })?;
    let ended = wait(&mut child, stop);
    if ended.is_err() {
        // It may have ended just now; an error here does not matter.
        let _ = child.kill();
        let _ = child.wait();
    }
    let is_success = ended?;
    let printed = folder.read("output").map_err(broken)?;
    match is_success {
        Some(true) => Ok(printed),
        Some(false) if printed.contains("ERROR: ") => Err(Failure::Refused(printed)),
        Some(false) if printed.trim().is_empty() => {
            Err(Failure::Broken("it failed without a word".to_owned()))
        }
        Some(false) => Err(Failure::Broken(format!("it failed and printed\n{}", tail(&printed)))),
        None if printed.trim().is_empty() => Err(Failure::Broken("it was killed".to_owned())),
        None => {
            Err(Failure::Broken(format!("it was killed; the last that it printed is\n{}", tail(&printed))))
        }
    }
}

/// Waits for the end of a process: did it succeed? `None` if a signal ended it.
fn wait(child: &mut Child, stop: &mut dyn FnMut() -> bool) -> Result<Option<bool>, Failure> {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code().map(|code| code == 0)),
            Ok(None) if stop() => return Err(Failure::Stopped),
            Ok(None) if start.elapsed() > TIMEOUT => return Err(Failure::Slow(TIMEOUT)),
            Ok(None) => std::thread::sleep(INTERVAL),
            Err(error) => return Err(Failure::Broken(error.to_string())),
        }
    }
}

/// The end of a text, from the beginning of a line.
fn tail(text: &str) -> &str {
    let text = text.trim_end();
    let mut from = text.len().saturating_sub(SHOWN);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    match (from, text[from..].find('\n')) {
        (1.., Some(newline)) => &text[from + newline + 1..],
        _ => &text[from..],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_with(program: &str, stop: &mut dyn FnMut() -> bool) -> Result<String, Failure> {
        let folder = Folder::new().expect("a folder can be made");
        run(Path::new(program), &folder, "", stop)
    }

    #[test]
    fn what_goes_wrong_is_told_apart() {
        let never: &mut dyn FnMut() -> bool = &mut || false;
        assert!(matches!(run_with("/there/is/no/yosys", never), Err(Failure::Missing(_))));
        assert!(matches!(run_with("false", never), Err(Failure::Broken(_))));
        assert!(matches!(run_with("/", never), Err(Failure::Broken(_))));
    }

    #[test]
    fn a_process_is_stopped_when_asked() {
        // A program that checks its arguments might fail before it is cancelled.
        let folder = Folder::new().expect("a folder can be made");
        folder.write("endless", "#!/bin/sh\nwhile true; do :; done\n").expect("the script can be written");
        let program = folder.path().join("endless");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o700);
        std::fs::set_permissions(&program, mode).expect("it can be made executable");
        assert_eq!(run(&program, &folder, "", &mut || true), Err(Failure::Stopped));
    }

    #[test]
    fn the_end_of_a_text_starts_with_a_line() {
        let text = format!("{}\nlast é line\n", "x".repeat(SHOWN));
        assert_eq!(tail(&text), "last é line");
        assert_eq!(tail("short"), "short");
    }
}
