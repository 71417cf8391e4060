//! Messages of Yosys as diagnostics.

use super::lexer::tokens;
use super::sources::{Place, Sources};
use crate::codes::verilog as codes;
use crate::diagnostic::{Diagnostic, Explanation, Severity};
use crate::span::Span;
use crate::suggest::closest;

/// An error at a place.
pub fn at(sources: &Sources, code: &'static Explanation, message: &str, place: Option<&Place>) -> Diagnostic {
    let Some(place) = place else { return Diagnostic::global(code, message) };
    let start = sources.offset(place.file, place.line, place.column);
    let end = match place.end_line == place.line {
        true => sources.offset(place.file, place.line, place.end_column),
        false => sources.offset(place.file, place.line, usize::MAX),
    };
    Diagnostic::error(code, message, sources.span(place.file, Span::new(start, end.max(start))))
}

/// The same as a warning.
pub fn warning_at(
    sources: &Sources,
    code: &'static Explanation,
    message: &str,
    place: Option<&Place>,
) -> Diagnostic {
    Diagnostic { severity: Severity::Warning, ..at(sources, code, message, place) }
}

/// The errors in Yosys's output; `top` is the module that was asked for.
pub fn errors(sources: &Sources, top: Option<&str>, printed: &str) -> Vec<Diagnostic> {
    let lines = printed.lines().filter_map(|line| line.split_once("ERROR: "));
    let found = lines.map(|(before, message)| {
        let message = sources.translated(&cleaned(message));
        match message.strip_prefix("Can't open include file `").and_then(|rest| rest.split_once('\'')) {
            Some((name, _)) => {
                let message = format!("there is no file `{name}` to include");
                at(sources, &codes::INCLUDE, &message, include_place(sources, name).as_ref())
            }
            None if message.starts_with("Re-definition of module") => defined_twice(sources, &message),
            None if top.is_some_and(|top| message == format!("Module `{top}' not found!")) => {
                no_top(sources, top.unwrap_or_default())
            }
            None if message.starts_with("Found topological loop") => no_order(&message),
            None => {
                let place = line_place(sources, before);
                let ours = place.as_ref().and_then(|place| sources.refused_at(place.file, place.line));
                ours.unwrap_or_else(|| at(sources, &codes::REFUSED, &message, place.as_ref()))
            }
        }
    });
    found.collect()
}

/// All definitions of modules: name and place.
fn modules(sources: &Sources) -> Vec<(&str, usize, Span)> {
    let mut found = Vec::new();
    for (file, source) in sources.files.iter().enumerate().filter(|(_, source)| source.is_verilog) {
        let tokens = tokens(&source.text);
        let pairs =
            tokens.windows(2).filter(|pair| matches!(pair[0].text(&source.text), "module" | "macromodule"));
        found.extend(pairs.map(|pair| (pair[1].text(&source.text), file, pair[1].span)));
    }
    found
}

/// A module with two definitions: both places.
fn defined_twice(sources: &Sources, message: &str) -> Diagnostic {
    let name = message.split(['`', '\'']).nth(1).unwrap_or_default();
    let modules = modules(sources);
    let places: Vec<Span> = modules
        .iter()
        .filter(|(known, ..)| *known == name)
        .map(|(_, file, span)| sources.span(*file, *span))
        .collect();
    match places.as_slice() {
        [first, second, ..] => {
            let message = format!("the module `{name}` is defined twice");
            Diagnostic::error(&codes::REFUSED, message, *second).also(*first, "its first definition")
        }
        _ => Diagnostic::global(&codes::REFUSED, message),
    }
}

fn no_top(sources: &Sources, top: &str) -> Diagnostic {
    let mut names: Vec<&str> = modules(sources).into_iter().map(|(name, ..)| name).collect();
    names.sort_unstable();
    names.dedup();
    let close = closest(top, names.iter().copied());
    let help = match close {
        Some(close) => format!("did you mean `{close}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    Diagnostic::global(&codes::OPTION, format!("`--top {top}`: there is no such module")).help(help)
}

/// Yosys found no topological order of the gates, although there is no loop through single bits.
fn no_order(message: &str) -> Diagnostic {
    let cell = message.split("cell ").nth(1).and_then(|rest| rest.split(". ").next()).unwrap_or("a gate");
    let what = "a memory is read at an address that depends on what is read from it in the same cycle, \
                or bits of a word depend on other bits of it";
    Diagnostic::global(&codes::UNSUPPORTED, format!("{what} (at `{cell}`)"))
        .help("give these reads or these bits names of their own, or a register in between")
}

/// The first line that includes a file, which Yosys does not report.
fn include_place(sources: &Sources, name: &str) -> Option<Place> {
    let wanted = format!("\"{name}\"");
    sources.files.iter().enumerate().filter(|(_, source)| source.is_verilog).find_map(|(file, source)| {
        let tokens = tokens(&source.text);
        let mut pairs = tokens.windows(2);
        let including = pairs
            .find(|pair| pair[0].text(&source.text) == "`include" && pair[1].text(&source.text) == wanted)?;
        Some(whole_line(sources, file, sources.line_of(file, including[0].span.start as usize)))
    })
}

/// Implicitly declared wires: mostly misspelt names, whose values are arbitrary.
pub fn implicit_wires(sources: &Sources, printed: &str) -> Vec<Diagnostic> {
    let lines = printed.lines().filter_map(|line| line.split_once("Warning: Identifier `"));
    let found = lines.filter_map(|(before, rest)| {
        let name = rest.split_once('\'')?.0.trim_start_matches('\\').to_owned();
        let place = line_place(sources, before);
        let message = format!("`{name}` is not declared; it is a wire of one bit then");
        Some(warning_at(sources, &codes::IMPLICIT, &message, place.as_ref()))
    });
    let mut unique: Vec<Diagnostic> = Vec::new();
    found.for_each(|diagnostic| {
        if !unique.contains(&diagnostic) {
            unique.push(diagnostic)
        }
    });
    unique
}

/// The wires that Yosys reports with several drivers: `Warning: multiple conflicting drivers for top.\i [31]:`.
pub fn driven_twice(printed: &str) -> Vec<&str> {
    let lines = printed.lines().filter_map(|line| line.split_once("multiple conflicting drivers for "));
    lines.map(|(_, wire)| wire.split(['\\', ' ']).nth(1).unwrap_or(wire)).collect()
}

/// Combinational loops, of which `check` lists the cells.
pub fn loops(sources: &Sources, printed: &str) -> Vec<Diagnostic> {
    let mut lines = printed.lines().peekable();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if !line.contains("Warning: found logic loop in module") {
            continue;
        }
        let (mut wires, mut place) = (Vec::new(), None);
        while let Some(part) = lines.next_if(|part| part.starts_with("    ")) {
            match part.trim().split_once(' ') {
                Some(("wire", name)) if name.starts_with('\\') => {
                    wires.push(name.trim_start_matches('\\').to_owned());
                }
                Some((_, name)) => place = place.or_else(|| place_in_name(sources, name)),
                None => {}
            }
        }
        let through = match wires.as_slice() {
            [] => String::new(),
            some => format!(" (through `{}`)", some.join("`, `")),
        };
        let message = format!("a signal depends on itself within one cycle{through}");
        found.push(at(sources, &codes::LOOP, &message, place.as_ref()));
    }
    found
}

/// The place in the name of a cell, such as `$xor$source0.v:2$5 ($xor)`.
fn place_in_name(sources: &Sources, name: &str) -> Option<Place> {
    name.split('$').filter(|part| part.contains(".v:")).find_map(|part| line_of(sources, part.trim()))
}

/// `source0.v:12: ` as a prefix of a message.
fn line_place(sources: &Sources, before: &str) -> Option<Place> {
    line_of(sources, before.trim().trim_end_matches(':'))
}

fn line_of(sources: &Sources, text: &str) -> Option<Place> {
    let (name, line) = text.rsplit_once(':')?;
    Some(whole_line(sources, sources.file_of(name)?, line.parse().ok()?))
}

/// A line without indentation.
fn whole_line(sources: &Sources, file: usize, line: usize) -> Place {
    let start = sources.offset(file, line, 1);
    let content = sources.files[file].text[start..].lines().next().unwrap_or("");
    let column = 1 + content.chars().take_while(|character| character.is_whitespace()).count();
    Place { file, line, column, end_line: line, end_column: usize::MAX }
}

/// Names without Yosys's backslashes.
fn cleaned(message: &str) -> String {
    message.replace("`\\", "`").trim().to_owned()
}
