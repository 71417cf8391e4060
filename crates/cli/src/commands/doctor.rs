//! `tenet doctor`: versions of everything that this program uses, and what is missing.

use crate::args::DoctorArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::verilog_args::{choose_yosys, provided_yosys};
use serde_json::json;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tenet_lang::verilog::yosys;
use tenet_report::style::Paint;

/// A program that can be used if it is there.
struct Helper {
    name: &'static str,
    version_option: &'static str,
    purpose: &'static str,
}

const HELPERS: &[Helper] = &[
    Helper {
        name: "z3",
        version_option: "--version",
        purpose: "as a program: another opinion on certificates",
    },
    Helper { name: "cvc5", version_option: "--version", purpose: "a second opinion on certificates" },
    Helper { name: "yices-smt2", version_option: "--version", purpose: "a second opinion on certificates" },
    Helper { name: "yosys", version_option: "-V", purpose: "reads Verilog" },
    Helper { name: "rumur", version_option: "--version", purpose: "comparing speed in benchmarks" },
];

/// A program that does not say its version by then is reported without one.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether a helper was found.
enum Found {
    Version(String),
    NoVersion,
    Missing,
}

/// Runs the command.
pub fn run(args: &DoctorArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let z3 = tenet_solve::z3_version();
    choose_yosys(None);
    let helpers: Vec<(&Helper, Found)> = HELPERS.iter().map(|helper| (helper, look(helper))).collect();
    if args.json {
        console.answer_json(&object(&z3, &helpers))?;
    } else {
        let table = table(&z3, &helpers, console);
        console.answer(&table)?;
    }
    Ok(if z3.is_empty() { Exit::Environment } else { Exit::Safe })
}

fn table(z3: &str, helpers: &[(&Helper, Found)], console: &Console) -> String {
    let shown_z3 = if z3.is_empty() { console.style.paint(Paint::Bad, "not found") } else { z3.to_string() };
    let mut text = format!("{:<12}{}\n", "tenet", env!("CARGO_PKG_VERSION"));
    text.push_str(&format!("{:<12}{shown_z3}  (in process; needed for proofs)\n", "z3"));
    for (helper, found) in helpers {
        let state = match found {
            Found::Version(version) => version.clone(),
            Found::NoVersion => "found, version unknown".to_string(),
            Found::Missing => console.style.paint(Paint::Caution, "not found"),
        };
        let origin = origin(helper);
        text.push_str(&format!("{:<12}{state}{origin}  (optional: {})\n", helper.name, helper.purpose));
    }
    text
}

fn object(z3: &str, helpers: &[(&Helper, Found)]) -> serde_json::Value {
    let entry = |name: &str, is_found: bool, version: Option<&str>, is_needed: bool, purpose: &str| json!({ "name": name, "found": is_found, "version": version, "needed": is_needed, "purpose": purpose });
    let mut programs = vec![entry("z3", !z3.is_empty(), Some(z3), true, "proofs")];
    programs.extend(helpers.iter().map(|(helper, found)| match found {
        Found::Version(version) => entry(helper.name, true, Some(version), false, helper.purpose),
        Found::NoVersion => entry(helper.name, true, None, false, helper.purpose),
        Found::Missing => entry(helper.name, false, None, false, helper.purpose),
    }));
    json!({ "schema": 1, "tool": "tenet", "version": env!("CARGO_PKG_VERSION"), "programs": programs })
}

/// Where a helper is and who says so, if it is not simply on the PATH.
fn origin(helper: &Helper) -> String {
    let program = yosys::program();
    if helper.name != "yosys" || program.components().count() <= 1 {
        return String::new();
    }
    let reason = if provided_yosys().is_some_and(|provided| provided == program) {
        "from make setup; there is none on the PATH"
    } else {
        yosys::VARIABLE
    };
    format!("  {} ({reason})", program.display())
}

fn look(helper: &Helper) -> Found {
    // Verilog is read by the Yosys that was chosen.
    let program = if helper.name == "yosys" { yosys::program() } else { PathBuf::from(helper.name) };
    let mut command = Command::new(program);
    command.arg(helper.version_option).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let Ok(mut child) = command.spawn() else { return Found::Missing };
    if !wait(&mut child) {
        return Found::NoVersion;
    }
    let mut output = String::new();
    let read = child.stdout.take().and_then(|out| out.take(1 << 16).read_to_string(&mut output).ok());
    match (read, output.lines().find_map(version)) {
        (Some(_), Some(version)) => Found::Version(version),
        _ => Found::NoVersion,
    }
}

/// Waits for a process to end; kills it if it does not.
fn wait(child: &mut Child) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        match child.try_wait() {
            Ok(Some(_)) => return true,
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(_) => break,
        }
    }
    // It may have ended just now; there is nothing else to do about an error here.
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// The first word of a line that starts with a digit, after an optional `v`.
fn version(line: &str) -> Option<String> {
    let words = line.split_whitespace().map(|word| word.trim_start_matches('v').trim_end_matches([',', ';']));
    let mut numbers =
        words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'));
    numbers.next().map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_version_in_a_line() {
        assert_eq!(version("This is cvc5 version 1.2.0 [git tag]").as_deref(), Some("1.2.0"));
        assert_eq!(version("Yosys 0.23 (git sha1 7ce5011c24b)").as_deref(), Some("0.23"));
        assert_eq!(version("Rumur version v2022.08.20").as_deref(), Some("2022.08.20"));
        assert_eq!(version("no numbers here"), None);
    }
}
