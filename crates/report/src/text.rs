//! Reports as text: the verdict first, then the run of a violation, then numbers and notes.
//!
//! Everything that varies from run to run (time, speed, memory) is on one line that starts with `time`, so that two
//! outputs can be compared without it.

mod abstraction;
mod hybrid;
mod induction;
mod reached;
mod refinement;

pub(crate) use abstraction::{certificate, trust};

use crate::number::{counted, grouped, seconds};
use crate::run::ShownStep;
use crate::source::shorten;
use crate::style::{Paint, Style};
use crate::view::{Note, Property, Reason, Report, Search, Statistics, Verdict, Written};

/// How much to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// The verdict line only.
    Quiet,
    /// The verdict, runs, and a few more lines.
    #[default]
    Normal,
    /// Everything.
    Verbose,
}

/// The number of properties that have a line of their own without `-v`.
const MAX_PROPERTIES_SHOWN: usize = 20;
/// The width to which lines of a startstate are filled.
const WIDTH: usize = 100;
/// The number of items of a note that are shown without `-v`.
const ITEMS: usize = 5;
/// The number of steps up to which a run is shown as a whole.
const MAX_STEPS_SHOWN: usize = 100;
/// The number of steps that are shown of the beginning and of the end of a longer run.
const STEPS_AT_EACH_END: usize = 8;

pub fn report(report: &Report, detail: Detail, style: Style) -> String {
    if detail == Detail::Quiet {
        return verdict_line(report, style);
    }
    let mut text = report.abstraction.as_ref().map_or(String::new(), abstraction::suggestions);
    text.push_str(&verdict_line(report, style));
    text.push_str(&verdicts(report, detail, style));
    let loud = report.notes.iter().filter(|note| note.is_warning);
    text.extend(loud.map(|warning| note(warning, detail, style)));
    text.push_str(&refinement::iterations(&report.refinement, detail));
    text.push_str(&hybrid::properties(&report.hybrid, detail));
    text.push_str(&match (&report.abstraction, &report.recursive) {
        (_, Some(recursive)) => crate::recursive::text::body(report, recursive, detail, style),
        (Some(abstraction), None) if report.verdict != Verdict::Unsafe => {
            abstraction::body(report, abstraction, detail, style)
        }
        (_, None) => search_body(report, detail, style),
    });
    let quiet = report.notes.iter().filter(|note| !note.is_warning);
    text.extend(quiet.map(|remark| note(remark, detail, style)));
    text
}

/// The results of a search.
fn search_body(report: &Report, detail: Detail, style: Style) -> String {
    let mut text = String::new();
    let shown = report.properties.iter().filter(|property| property.trace.is_some());
    let is_single = shown.clone().count() == 1;
    for property in shown {
        text.push_str(&violated(property, is_single, detail, style));
    }
    text.push_str(&open(report));
    if report.verdict == Verdict::Safe && !report.checked.is_empty() {
        text.push_str(&format!("  checked: {}\n", report.checked));
    }
    // The properties that were proved, next to a violation.
    if report.verdict == Verdict::Unsafe && report.abstraction.is_some() {
        if !report.checked.is_empty() {
            let word = style.paint(verdict_paint(Verdict::Safe), Verdict::Safe.word());
            text.push_str(&format!("  {word}: {}\n", report.checked));
        }
        text.push_str(&certificate(report));
    }
    // The notes of the search contain the findings.
    if report.trust.as_ref().is_some_and(|trust| trust.findings.is_empty()) {
        text.push_str(&trust(report, detail));
    }
    text.push_str(&statistics(&report.statistics, detail, style));
    text.push_str(&assumptions(&report.assumptions));
    text
}

/// One line for each property, where some are violated and others are not.
fn verdicts(report: &Report, detail: Detail, style: Style) -> String {
    let has_safe = report.properties.iter().any(|property| property.verdict == Verdict::Safe);
    if report.verdict != Verdict::Unsafe || !has_safe {
        return String::new();
    }
    let shown = if detail == Detail::Verbose { usize::MAX } else { MAX_PROPERTIES_SHOWN };
    let mut text = String::new();
    for property in report.properties.iter().take(shown) {
        let word = style.paint(verdict_paint(property.verdict), &format!("{:8}", property.verdict.word()));
        let steps =
            property.trace.as_ref().map(|run| counted(run.steps.len().saturating_sub(1) as u64, "step"));
        let steps = steps.map_or(String::new(), |steps| format!(" (a run of {steps})"));
        text.push_str(&format!("  {word} {}{steps}\n", property.name));
    }
    let more = report.properties.len().saturating_sub(shown);
    if more > 0 {
        text.push_str(&format!("  and {more} more (-v shows all)\n"));
    }
    text
}

fn verdict_line(report: &Report, style: Style) -> String {
    format!("{}: {}\n", style.paint(verdict_paint(report.verdict), report.verdict.word()), report.headline)
}

pub(crate) fn verdict_paint(verdict: Verdict) -> Paint {
    match verdict {
        Verdict::Safe => Paint::Good,
        Verdict::Unsafe => Paint::Bad,
        Verdict::Unknown => Paint::Caution,
    }
}

/// A violated property with its run. If there is only one property, the verdict line has described the violation.
fn violated(property: &Property, is_single: bool, detail: Detail, style: Style) -> String {
    let mut text = String::new();
    if let (false, Some(reason)) = (is_single, &property.reason) {
        let word = style.paint(verdict_paint(property.verdict), property.verdict.word());
        text.push_str(&format!("\n{word}: {}\n", reason.text));
    }
    text.push_str(&property.written.as_ref().map_or(String::new(), as_written));
    if let Some(location) = &property.location {
        text.push_str(&location.snippet(style));
    }
    if let Some(trace) = &property.trace {
        text.push_str(&steps(&trace.steps, detail, style));
        text.push_str(&last_line(&trace.end, property.reason.as_ref(), style));
    }
    text
}

/// What the model says with its own numbers, where the run has others.
fn as_written(written: &Written) -> String {
    let instance = match written.instance.describe().as_str() {
        "as written" => String::new(),
        sizes => format!(" ({sizes})"),
    };
    let states = counted(written.states, "reachable state");
    let says = match written.verdict {
        Verdict::Safe => format!("safe, in all {states}"),
        Verdict::Unsafe => "unsafe, too".to_string(),
        Verdict::Unknown => format!("unknown, no violation in {}", counted(written.states, "state")),
    };
    let hint = written.hint.as_ref().map_or(String::new(), |hint| format!("  try: {hint}\n"));
    format!("  as written{instance}: {says}\n{hint}")
}

/// The steps of a run; of a long one its beginning and its end.
fn steps(steps: &[ShownStep], detail: Detail, style: Style) -> String {
    let left_out = match steps.len() {
        count if count > MAX_STEPS_SHOWN && detail != Detail::Verbose => {
            STEPS_AT_EACH_END..count - STEPS_AT_EACH_END
        }
        _ => 0..0,
    };
    let mut text = String::new();
    for (number, step) in steps.iter().enumerate() {
        if !left_out.contains(&number) {
            text.push_str(&self::step(number, step, style));
        } else if number == left_out.start {
            let count = grouped(left_out.len() as u64);
            text.push_str(
                &style.paint(Paint::Faint, &format!("  ... {count} steps left out (-v shows all)")),
            );
            text.push('\n');
        }
    }
    text
}

/// The violation at the end of a run, with its code and a hint.
fn last_line(end: &str, reason: Option<&Reason>, style: Style) -> String {
    let end = style.paint(Paint::Bad, end);
    let Some(reason) = reason else { return format!("  => {end}\n") };
    let hint = reason.hint.as_ref().map_or(String::new(), |hint| format!("     {hint}\n"));
    format!("  => {end} ({})\n{hint}", reason.explanation.code)
}

/// One step of a run. Step 0 is the startstate.
pub fn step(number: usize, step: &ShownStep, style: Style) -> String {
    let title = style.paint(Paint::Strong, &step.title());
    let mut text = format!("{number:>3}. {title}\n");
    if number == 0 {
        text.push_str(&contents(&step.changes));
        return text;
    }
    if step.changes.is_empty() {
        text.push_str("       (nothing changes)\n");
    }
    for (place, change) in &step.changes {
        text.push_str(&format!("       {place}: {change}\n"));
    }
    text
}

/// Places and values, several on a line.
pub fn contents(values: &[(String, String)]) -> String {
    let (mut text, mut line) = (String::new(), String::new());
    for (position, (place, value)) in values.iter().enumerate() {
        let comma = if position + 1 < values.len() { "," } else { "" };
        let item = format!("{place} = {value}{comma}");
        if !line.is_empty() && 7 + line.chars().count() + 1 + item.chars().count() > WIDTH {
            text.push_str(&format!("       {line}\n"));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&item);
    }
    if !line.is_empty() {
        text.push_str(&format!("       {line}\n"));
    }
    text
}

/// The open properties, grouped by reason.
fn open(report: &Report) -> String {
    let open = report.properties.iter().filter(|p| p.verdict == Verdict::Unknown && p.trace.is_none());
    let open: Vec<&Property> = open.collect();
    let reason = open.iter().find_map(|property| property.reason.as_ref()).or(report.reason.as_ref());
    let Some(reason) = reason else { return String::new() };
    let code = reason.explanation.code;
    let hint = reason.hint.as_ref().map_or(String::new(), |hint| format!("{hint}; "));
    if report.verdict == Verdict::Unknown {
        return format!("  try: {hint}tenet explain {code}\n");
    }
    let names: Vec<&str> = open.iter().map(|property| property.name.as_str()).collect();
    format!("  unknown: {} ({}; {hint}{code})\n", listed(&names, ITEMS), reason.text)
}

fn statistics(statistics: &Statistics, detail: Detail, style: Style) -> String {
    let mut text = String::new();
    if let Some(search) = &statistics.search {
        text.push_str(&search_line(search));
    }
    text.push_str(&format!("  {}\n", style.paint(Paint::Faint, &time_line(statistics))));
    if let (Detail::Verbose, Some(search)) = (detail, &statistics.search) {
        text.push_str(&verbose(search));
    }
    text
}

fn search_line(search: &Search) -> String {
    let reduced = if search.is_reduced { " up to symmetry" } else { "" };
    format!(
        "  {}{reduced}, {} each, depth {}, {} fired\n",
        counted(search.states, "state"),
        counted(search.state_bytes, "byte"),
        grouped(search.depth.into()),
        counted(search.rules_fired, "rule"),
    )
}

pub(crate) fn time_line(statistics: &Statistics) -> String {
    let mut parts = vec![format!("time {}", seconds(statistics.seconds))];
    // Not every engine measures it.
    if statistics.smt_calls > 0 && statistics.smt_seconds > 0.0 {
        parts.push(format!("{} of it in the solver", seconds(statistics.smt_seconds)));
    }
    if let Some(speed) = statistics.states_per_second() {
        parts.push(format!("{} states/s", grouped(speed)));
    }
    if let Some(memory) = statistics.peak_memory_mb {
        parts.push(format!("memory {} MB", grouped(memory)));
    }
    parts.join(", ")
}

fn verbose(search: &Search) -> String {
    let mut text = format!(
        "  {:.1} bytes of memory per state, {}\n",
        search.bytes_per_state,
        counted(search.threads as u64, "thread")
    );
    let width = search.fired.iter().map(|(_, count)| grouped(*count).len()).max().unwrap_or(0);
    text.push_str("  how often each rule fired:\n");
    for (name, count) in &search.fired {
        text.push_str(&format!("    {:>width$}  {name}\n", grouped(*count)));
    }
    text
}

fn assumptions(assumptions: &[String]) -> String {
    if assumptions.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = assumptions.iter().map(String::as_str).collect();
    format!("  assuming: {}\n", listed(&names, ITEMS))
}

fn note(note: &Note, detail: Detail, style: Style) -> String {
    let word = if note.is_warning { style.paint(Paint::Caution, "warning") } else { "note".to_string() };
    let code = note.explanation.code;
    if note.items.is_empty() {
        return format!("{word}[{code}]: {}\n", note.text);
    }
    let shown = if detail == Detail::Verbose { usize::MAX } else { ITEMS };
    let items: Vec<String> = note.items.iter().map(|item| shorten(item, 100)).collect();
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    format!("{word}[{code}]: {}: {}\n", note.text, listed(&items, shown))
}

/// Names with commas, at most `shown` of them.
pub(crate) fn listed(names: &[&str], shown: usize) -> String {
    if names.len() <= shown {
        return names.join(", ");
    }
    format!("{} and {} more", names[..shown].join(", "), names.len() - shown)
}
