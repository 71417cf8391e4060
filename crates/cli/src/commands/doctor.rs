//! `tenet doctor`: versions of everything that this program uses, and what is missing.

use crate::args::DoctorArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::verilog_args::{YosysOrigin, choose_yosys, on_path};
use serde::Serialize;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tenet_lang::verilog::yosys;
use tenet_report::json::SCHEMA;
use tenet_report::style::Paint;

/// A program that can be used if it is there.
struct Helper {
    name: &'static str,
    version_option: &'static str,
    purpose: &'static str,
}

/// The helper of which there may be several.
const YOSYS: &str = "yosys";

const HELPERS: &[Helper] = &[
    Helper {
        name: "z3",
        version_option: "--version",
        purpose: "as a program: another opinion on certificates",
    },
    Helper { name: "cvc5", version_option: "--version", purpose: "a second opinion on certificates" },
    Helper { name: "yices-smt2", version_option: "--version", purpose: "a second opinion on certificates" },
    Helper { name: YOSYS, version_option: "-V", purpose: "reads Verilog" },
    Helper { name: "rumur", version_option: "--version", purpose: "comparing speed in benchmarks" },
];

/// A program that does not say its version by then is reported without one.
const VERSION_TIMEOUT: Duration = Duration::from_secs(5);

/// Whether a helper was found.
enum Found {
    Version(String),
    NoVersion,
    Missing,
}

/// Runs the command.
pub fn run(args: &DoctorArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let z3 = tenet_solve::z3_version();
    let yosys = Yosys::chosen(args.yosys.as_deref());
    let helpers: Vec<(&Helper, Found)> = HELPERS.iter().map(|helper| (helper, look(helper))).collect();
    if args.json {
        console.answer_json(&object(&z3, &helpers, &yosys))?;
    } else {
        let table = table(&z3, &helpers, &yosys, console);
        console.answer(&table)?;
    }
    Ok(if z3.is_empty() { Exit::Environment } else { Exit::Safe })
}

/// The Yosys that reads Verilog.
struct Yosys {
    path: PathBuf,
    origin: YosysOrigin,
}

impl Yosys {
    /// Which it is, unless there is none.
    fn chosen(named: Option<&Path>) -> Option<Yosys> {
        let origin = choose_yosys(named);
        let program = yosys::program();
        // A name without a folder is looked for on the PATH when the program is started.
        let path =
            if program.components().count() > 1 { program } else { on_path(&program).unwrap_or(program) };
        (origin != YosysOrigin::Nowhere).then_some(Yosys { path, origin })
    }
}

fn table(z3: &str, helpers: &[(&Helper, Found)], yosys: &Option<Yosys>, console: &Console) -> String {
    let shown_z3 = if z3.is_empty() { console.style.paint(Paint::Bad, "not found") } else { z3.to_string() };
    let mut text = format!("{:<12}{}\n", "tenet", env!("CARGO_PKG_VERSION"));
    text.push_str(&format!("{:<12}{shown_z3}  (in process; needed for proofs)\n", "z3"));
    for (helper, found) in helpers {
        let state = match found {
            Found::Version(version) => version.clone(),
            Found::NoVersion => "found, version unknown".to_string(),
            Found::Missing => console.style.paint(Paint::Caution, "not found"),
        };
        let origin = match yosys.as_ref().filter(|_| helper.name == YOSYS) {
            Some(yosys) => format!("  {} ({})", yosys.path.display(), yosys.origin.text()),
            None => String::new(),
        };
        text.push_str(&format!("{:<12}{state}{origin}  (optional: {})\n", helper.name, helper.purpose));
    }
    text
}

/// The answer as JSON.
#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    tool: &'static str,
    version: &'static str,
    programs: Vec<Program<'a>>,
}

#[derive(Serialize)]
struct Program<'a> {
    name: &'a str,
    found: bool,
    version: Option<&'a str>,
    needed: bool,
    purpose: &'a str,
    #[serde(flatten)]
    yosys: Option<ChosenYosys>,
}

/// Which Yosys is used, and why.
#[derive(Serialize)]
struct ChosenYosys {
    path: String,
    origin: YosysOrigin,
}

fn object<'a>(z3: &'a str, helpers: &'a [(&Helper, Found)], yosys: &Option<Yosys>) -> Answer<'a> {
    let z3 = Program {
        name: "z3",
        found: !z3.is_empty(),
        version: Some(z3),
        needed: true,
        purpose: "proofs",
        yosys: None,
    };
    let helpers = helpers.iter().map(|(helper, found)| {
        let chosen = yosys.as_ref().filter(|_| helper.name == YOSYS);
        Program {
            name: helper.name,
            found: !matches!(found, Found::Missing),
            version: match found {
                Found::Version(version) => Some(version),
                Found::NoVersion | Found::Missing => None,
            },
            needed: false,
            purpose: helper.purpose,
            yosys: chosen
                .map(|yosys| ChosenYosys { path: yosys.path.display().to_string(), origin: yosys.origin }),
        }
    });
    Answer {
        schema: SCHEMA,
        tool: "tenet",
        version: env!("CARGO_PKG_VERSION"),
        programs: std::iter::once(z3).chain(helpers).collect(),
    }
}

fn look(helper: &Helper) -> Found {
    // Verilog is read by the Yosys that was chosen.
    let program = if helper.name == YOSYS { yosys::program() } else { PathBuf::from(helper.name) };
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
    while start.elapsed() < VERSION_TIMEOUT {
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
