//! The last resort against work that does not poll for cancellation: a thread that ends the process.
//!
//! Every phase is expected to stop by itself at the time limit, the memory limit or on request, because it can report best what
//! it has found. But a step of a solver, an unexpectedly large term or an endless loop may go on for hours. So after a grace
//! period of [`GRACE`] the thread claims the answer: what is known then is printed as `unknown`, in the chosen format.
//!
//! A panic in any thread is a bug, and no verdict follows it: a thread that claims the answer afterwards ends the process
//! instead, and otherwise this thread does. That does not depend on whether the panicked thread is joined.
//!
//! There is one answer: only the holder of [`answer`]'s guard prints it, and nothing is printed after it. So a verdict that was
//! reached is never replaced, nor is one printed in two parts.

use crate::args::{Cli, Command, FormatChoice, OutputArgs};
use crate::clock;
use crate::exit::Exit;
use crate::panics;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tenet_lang::diagnostic::Explanation;
use tenet_report::number::megabytes;
use tenet_report::source::Text;
use tenet_report::style::Style;
use tenet_report::text::{self, Detail};
use tenet_report::view::{Instance, Property, Reason, Report, Statistics, Verdict};
use tenet_report::{codes, json};
use tenet_session::{NO_CHC_ANSWER, machine};

/// The time for noticing cancellation. Limits are to hold within a second.
const GRACE: Duration = Duration::from_millis(500);

/// The polling interval of the thread.
const INTERVAL: Duration = Duration::from_millis(20);

/// The format of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Text; quiet is the verdict line only.
    Text { is_quiet: bool },
    /// One JSON object.
    Json,
    /// In the format of solvers for Horn clauses.
    Chc,
}

/// The question, for an answer by this thread.
#[derive(Clone, Debug)]
pub struct Asked {
    file: String,
    form: Form,
    gives_verdict: bool,
    limit: &'static Explanation,
    engine: &'static str,
    instance: Instance,
    properties: Vec<String>,
}

/// Why the command is cancelled.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Over {
    Timeout(Duration),
    Memory(usize),
    Interrupt,
}

struct State {
    asked: Option<Asked>,
    is_answered: bool,
    memory_limit: Option<usize>,
    /// The answer if nothing more is found: a violation.
    found: Option<String>,
}

/// Process-wide, as the output and the exit code are.
static STATE: Mutex<State> =
    Mutex::new(State { asked: None, is_answered: false, memory_limit: None, found: None });

fn state() -> MutexGuard<'static, State> {
    // A thread that panicked while printing has reported the bug; the state is a flag and a few texts.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to print the answer, while it is held. No other thread prints one afterwards.
pub struct Answering {
    _state: MutexGuard<'static, State>,
}

/// Claims the answer. If the watchdog has answered, or if there was a panic, this never returns.
pub fn answer() -> Answering {
    if panics::since().is_some() {
        end_after_panic();
    }
    let mut state = state();
    state.is_answered = true;
    Answering { _state: state }
}

/// Ends the process after a panic in any thread.
fn end_after_panic() -> ! {
    panics::answer();
    std::process::exit(Exit::Bug.code().into())
}

/// Claims the answer for a failure without a verdict: returns the object for it, if an object is expected and nothing has been
/// answered yet.
pub fn failure(error: &str) -> Option<(Answering, String)> {
    let mut state = state();
    let was_answered = std::mem::replace(&mut state.is_answered, true);
    let asked = state.asked.as_ref().filter(|asked| asked.form == Form::Json && !was_answered)?;
    let object = object(&asked.file, error);
    Some((Answering { _state: state }, object))
}

/// From now on the work is about these properties, by this engine.
pub fn expect(engine: &'static str, properties: &[String]) {
    if let Some(asked) = &mut state().asked {
        asked.engine = engine;
        asked.properties = properties.to_vec();
    }
}

/// From now on this is the answer if nothing more is found, because a violation was found.
pub fn found(answer: String) {
    state().found = Some(answer);
}

/// Sets the memory limit of the process in bytes.
pub fn limit_memory(bytes: usize) {
    state().memory_limit = Some(bytes);
}

/// Sets the question.
pub fn announce(cli: &Cli) {
    state().asked = Asked::by(&cli.command);
}

/// Starts to watch the command, if it is one that may take long: it handles signals and enforces limits.
pub fn start(cli: &Cli) -> anyhow::Result<()> {
    announce(cli);
    if state().asked.is_none() {
        return Ok(());
    }
    clock::catch_interrupts()?;
    std::thread::Builder::new().name("watchdog".to_string()).spawn(watch)?;
    Ok(())
}

fn watch() {
    let mut memory_since = None;
    loop {
        std::thread::park_timeout(INTERVAL);
        let (is_answered, memory_limit) = {
            let state = state();
            (state.is_answered, state.memory_limit)
        };
        if is_answered {
            return;
        }
        // The thread that joins the one that panicked may still be waiting for something else.
        if panics::since().is_some_and(|since| since.elapsed() >= GRACE) {
            end_after_panic();
        }
        if let Some((over, since)) = over(memory_limit, &mut memory_since)
            && since.elapsed() >= GRACE
        {
            give_up(over);
        }
    }
}

/// Is the command cancelled, and since when?
fn over(memory_limit: Option<usize>, memory_since: &mut Option<Instant>) -> Option<(Over, Instant)> {
    if let Some(since) = clock::interrupted_at() {
        return Some((Over::Interrupt, since));
    }
    if let Some((deadline, limit)) = clock::deadline()
        && Instant::now() >= deadline
    {
        return Some((Over::Timeout(limit), deadline));
    }
    let limit = memory_limit?;
    let is_used_up = machine::used_memory().is_some_and(|used| used > limit);
    *memory_since = is_used_up.then(|| memory_since.unwrap_or_else(Instant::now));
    memory_since.map(|since| (Over::Memory(limit), since))
}

/// Prints what is known and ends the process, unless there was an answer.
fn give_up(over: Over) {
    if panics::since().is_some() {
        end_after_panic();
    }
    let mut state = state();
    if state.is_answered {
        return;
    }
    state.is_answered = true;
    let Some(asked) = state.asked.clone() else { return };
    // An error while printing cannot be reported.
    let mut stdout = std::io::stdout().lock();
    let (answer, exit) = match state.found.take() {
        Some(answer) => (answer, Exit::Unsafe),
        None if over == Over::Interrupt => (asked.answer(over), Exit::Interrupted),
        None => (asked.answer(over), Exit::Unknown),
    };
    let _ = stdout.write_all(answer.as_bytes()).and_then(|()| stdout.flush());
    // The guard is still held: no other thread prints anything.
    std::process::exit(exit.code().into())
}

impl Asked {
    fn by(command: &Command) -> Option<Asked> {
        let form = |output: OutputArgs| match output.json {
            true => Form::Json,
            false => Form::Text { is_quiet: output.quiet },
        };
        let instance = |model: &crate::args::ModelArgs| Instance {
            sizes: model.sizes.clone(),
            consts: model.consts.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
        };
        let asked = |file: &Path, form: Form, instance: Instance| Asked {
            file: file.to_string_lossy().into_owned(),
            form,
            gives_verdict: false,
            limit: &codes::LIMIT,
            engine: "",
            instance,
            properties: Vec::new(),
        };
        let verdict = |asked: Asked| Asked { gives_verdict: true, ..asked };
        Some(match command {
            Command::Prove(args) => {
                let form = match args.format {
                    FormatChoice::Chc => Form::Chc,
                    FormatChoice::Json => Form::Json,
                    FormatChoice::Text => form(args.output),
                };
                verdict(asked(args.model.main(), form, instance(&args.model)))
            }
            Command::Abstract(args) => {
                verdict(asked(args.model.main(), form(args.output), instance(&args.model)))
            }
            Command::Explore(args) => {
                let asked = asked(args.model.main(), form(args.output), instance(&args.model));
                verdict(Asked { limit: &codes::TIME, engine: "explore", ..asked })
            }
            // An interactive user can press Ctrl-C, which ends the command at once.
            Command::Simulate(args) if args.interactive => return None,
            Command::Simulate(args) => asked(args.model.main(), form(args.output), instance(&args.model)),
            Command::Check(args) => asked(args.model.main(), form(args.output), instance(&args.model)),
            Command::Verify(args) => {
                let form = if args.json { Form::Json } else { Form::Text { is_quiet: args.quiet } };
                asked(&args.certificate, form, Instance::default())
            }
            Command::Branches(args) => {
                let form = if args.json { Form::Json } else { Form::Text { is_quiet: false } };
                asked(args.model.main(), form, instance(&args.model))
            }
            Command::Induct(_)
            | Command::Explain(_)
            | Command::Doctor(_)
            | Command::Completions(_)
            | Command::Man(_) => {
                return None;
            }
        })
    }

    /// The text of the answer.
    fn answer(&self, over: Over) -> String {
        let reason = self.reason(over);
        if !self.gives_verdict {
            return match self.form {
                Form::Json => object(&self.file, &reason.text),
                _ => format!("{}\n", reason.text),
            };
        }
        let report = self.report(reason);
        match self.form {
            Form::Chc => NO_CHC_ANSWER.to_string(),
            Form::Json => {
                let text = Text::new(&self.file, "");
                pretty(&json::report(&report, env!("CARGO_PKG_VERSION"), &[], &text))
            }
            Form::Text { is_quiet } => {
                let detail = if is_quiet { Detail::Quiet } else { Detail::Normal };
                text::report(&report, detail, Style::Plain)
            }
        }
    }

    fn reason(&self, over: Over) -> Reason {
        let (explanation, text, hint) = match over {
            Over::Timeout(limit) => (
                self.limit,
                format!("the time limit of {} s was reached", limit.as_secs_f64()),
                "raise --timeout",
            ),
            Over::Memory(limit) => (
                &codes::LIMIT,
                format!("the memory limit of {} was reached", megabytes(limit)),
                "raise --memory",
            ),
            Over::Interrupt => (&codes::INTERRUPTED, "interrupted".to_string(), "let it run longer"),
        };
        Reason { explanation, text, hint: Some(hint.to_string()) }
    }

    fn report(&self, reason: Reason) -> Report {
        let seconds = clock::elapsed().as_secs_f64();
        let property = |name: &String| Property {
            name: name.clone(),
            verdict: Verdict::Unknown,
            engine: self.engine,
            seconds,
            reason: Some(reason.clone()),
            failure: None,
            location: None,
            trace: None,
            written: None,
        };
        Report {
            file: self.file.clone(),
            verdict: Verdict::Unknown,
            headline: reason.text.clone(),
            instance: self.instance.clone(),
            properties: self.properties.iter().map(property).collect(),
            checked: String::new(),
            abstraction: None,
            refinement: Vec::new(),
            hybrid: Vec::new(),
            recursive: None,
            trust: None,
            reason: None,
            statistics: Statistics {
                seconds,
                peak_memory_mb: machine::peak_memory_mb(),
                ..Statistics::default()
            },
            proved_axioms: Vec::new(),
            assumptions: Vec::new(),
            certificate: None,
            notes: Vec::new(),
        }
    }
}

/// The object for the absence of a verdict for a reason outside the input.
fn object(file: &str, error: &str) -> String {
    let text = Text::new(file, "");
    let object = json::without_verdict(env!("CARGO_PKG_VERSION"), &[], &text);
    pretty(&json::json(&Failed { object, error }))
}

#[derive(Serialize)]
struct Failed<'a> {
    #[serde(flatten)]
    object: json::WithoutVerdict<'a>,
    error: &'a str,
}

fn pretty(object: &serde_json::Value) -> String {
    format!("{object:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn asked(line: &[&str]) -> Asked {
        let cli = Cli::try_parse_from(line).expect("a command line");
        let asked = Asked::by(&cli.command).expect("a command that may take long");
        Asked { properties: vec!["coherence".to_string()], ..asked }
    }

    const LIMIT: Over = Over::Timeout(Duration::from_millis(1500));

    #[test]
    fn an_answer_has_the_form_that_was_asked_for() {
        let text = asked(&["tenet", "prove", "x.m"]).answer(LIMIT);
        assert!(text.starts_with("unknown: the time limit of 1.5 s was reached\n"), "{text}");
        assert!(text.contains("U0113"), "{text}");
        let quiet = asked(&["tenet", "prove", "x.m", "-q"]).answer(LIMIT);
        assert_eq!(quiet, "unknown: the time limit of 1.5 s was reached\n");
        assert_eq!(asked(&["tenet", "prove", "x.smt2", "--format", "chc"]).answer(LIMIT), "unknown\n");
        let text = asked(&["tenet", "explore", "x.m"]).answer(LIMIT);
        assert!(text.contains("U0102"), "{text}");
    }

    #[test]
    fn an_object_names_what_is_unknown() {
        for line in [["tenet", "explore", "x.m", "--json"], ["tenet", "abstract", "x.m", "--json"]] {
            let object: serde_json::Value =
                serde_json::from_str(&asked(&line).answer(Over::Memory(1 << 20))).expect("JSON");
            assert_eq!(object["verdict"], "unknown");
            assert_eq!(object["properties"][0]["name"], "coherence");
            assert_eq!(object["properties"][0]["verdict"], "unknown");
        }
    }

    #[test]
    fn commands_without_a_verdict_give_none() {
        let object = asked(&["tenet", "check", "x.m", "--json"]).answer(Over::Interrupt);
        let object: serde_json::Value = serde_json::from_str(&object).expect("JSON");
        assert_eq!(object["verdict"], serde_json::Value::Null);
        assert_eq!(object["error"], "interrupted");
        assert_eq!(asked(&["tenet", "verify", "x.cert"]).answer(Over::Interrupt), "interrupted\n");
    }
}
