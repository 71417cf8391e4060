//! `tenet explain`: what a code means.

use crate::args::ExplainArgs;
use crate::console::Console;
use crate::exit::Exit;
use tenet_lang::diagnostic::Explanation;
use tenet_lang::suggest::closest;
use tenet_report::style::{Paint, Style};

/// Explanations are broken at this width.
const WIDTH: usize = 100;

/// Runs the command.
pub fn run(args: &ExplainArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let Some(code) = &args.code else {
        console.answer(&list(&all(), console.style))?;
        return Ok(Exit::Safe);
    };
    let code = code.trim().trim_start_matches('[').trim_end_matches(']');
    if let Some(found) = all().into_iter().find(|known| known.code.eq_ignore_ascii_case(code)) {
        let code = console.style.paint(Paint::Strong, found.code);
        console.answer(&format!("{code}: {}\n\n{}\n", found.title, wrapped(found.text)))?;
        return Ok(Exit::Safe);
    }
    let near = near(code);
    let hint = if near.is_empty() {
        "`tenet explain` lists all codes\n".to_string()
    } else {
        list(&near, console.log_style)
    };
    console.log(&format!("error: there is no code {code}\n{hint}"));
    Ok(Exit::Usage)
}

/// Every code of the program, ordered.
fn all() -> Vec<&'static Explanation> {
    let mut all: Vec<_> = tenet_lang::codes::all().chain(tenet_report::codes::all()).collect();
    all.sort_by_key(|explanation| explanation.code);
    all
}

/// Codes that may have been meant: the nearest one, and those of the same family.
fn near(code: &str) -> Vec<&'static Explanation> {
    let all = all();
    let closest = closest(code, all.iter().map(|explanation| explanation.code));
    let family: String = code.chars().take(3).collect::<String>().to_uppercase();
    let is_near = |known: &&&'static Explanation| {
        Some(known.code) == closest || (family.len() == 3 && known.code.starts_with(&family))
    };
    all.iter().filter(is_near).copied().collect()
}

/// Text with long lines broken between words. Indented lines are examples and stay as they are.
fn wrapped(text: &str) -> String {
    text.lines()
        .map(|line| if line.starts_with(' ') { line.to_string() } else { broken(line) })
        .collect::<Vec<_>>()
        .join("\n")
}

fn broken(line: &str) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for word in line.split(' ') {
        let width = word.chars().count();
        if length > 0 && length + 1 + width > WIDTH {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += width;
    }
    text
}

fn list(explanations: &[&'static Explanation], style: Style) -> String {
    let line = |e: &&'static Explanation| format!("{}  {}\n", style.paint(Paint::Strong, e.code), e.title);
    explanations.iter().map(line).collect()
}
