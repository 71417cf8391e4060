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

/// Paragraphs filled anew. Indented lines are examples and stay as they are.
fn wrapped(text: &str) -> String {
    let (mut done, mut length) = (String::new(), 0);
    for line in text.lines() {
        if line.is_empty() || line.starts_with(' ') {
            done.push_str(if length > 0 { "\n" } else { "" });
            done.push_str(line);
            done.push('\n');
            length = 0;
            continue;
        }
        for word in line.split_whitespace() {
            let width = word.chars().count();
            let gap = match length {
                0 => "",
                _ if length + 1 + width > WIDTH => "\n",
                _ => " ",
            };
            length = if gap == " " { length + 1 + width } else { width };
            done.push_str(gap);
            done.push_str(word);
        }
    }
    done
}

fn list(explanations: &[&'static Explanation], style: Style) -> String {
    let line = |e: &&'static Explanation| format!("{}  {}\n", style.paint(Paint::Strong, e.code), e.title);
    explanations.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_filled_and_examples_kept() {
        let text = format!("a\nb {}\n\n    x  y\n    z\nc\nd", "w".repeat(WIDTH));
        let expected = format!("a b\n{}\n\n    x  y\n    z\nc d", "w".repeat(WIDTH));
        assert_eq!(wrapped(&text), expected);
    }
}
