//! `tenet simulate --interactive`: the user chooses each step.

use crate::console::Console;
use crate::exit::Exit;
use std::io::BufRead;
use tenet_report::run::{Presenter, show_action};
use tenet_report::source::Text;
use tenet_report::style::Paint;
use tenet_report::text;
use tenet_system::finite::program::Program;
use tenet_system::finite::simulate::{Choice, Simulator};

const HELP: &str = concat!(
    "  NUMBER  take that step      b  go back one step\n",
    "  s       show the state      q  quit\n",
);

/// What the user asked for.
enum Request {
    Take(usize),
    Back,
    State,
    Help,
    /// Something that cannot be done, with the reason.
    Wrong(String),
    Quit,
}

/// Runs the dialogue until the user quits or the input ends.
pub fn run(
    program: &Program,
    presenter: &Presenter<'_>,
    text: &Text<'_>,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let mut simulator = Simulator::new(program);
    let mut lines = std::io::stdin().lock().lines();
    console.answer(HELP)?;
    loop {
        let mut choices = simulator.choices();
        console.answer(&menu(program, &simulator, &choices))?;
        console.answer("> ")?;
        let Some(line) = lines.next() else { break };
        match parse(&line?, choices.len()) {
            Request::Quit => break,
            Request::Help => console.answer(HELP)?,
            Request::Wrong(reason) => console.answer(&format!("{reason}\n"))?,
            Request::Back => simulator.back(),
            Request::State => console.answer(&state(presenter, &simulator))?,
            Request::Take(choice) => {
                take(&mut simulator, choices.swap_remove(choice), presenter, text, console)?;
            }
        }
    }
    console.answer("\n")?;
    Ok(Exit::Safe)
}

fn parse(line: &str, choices: usize) -> Request {
    match line.trim() {
        "q" | "quit" => Request::Quit,
        "b" | "back" => Request::Back,
        "s" | "state" => Request::State,
        text => match text.parse::<usize>() {
            Ok(number) if (1..=choices).contains(&number) => Request::Take(number - 1),
            Ok(number) => Request::Wrong(format!("there is no step {number}")),
            Err(_) => Request::Help,
        },
    }
}

fn menu(program: &Program, simulator: &Simulator<'_>, choices: &[Choice]) -> String {
    let is_start = simulator.steps().is_empty();
    if choices.is_empty() {
        return if is_start { "there is no startstate\n" } else { "no rule is enabled\n" }.to_string();
    }
    let mut text = String::new();
    for (number, (action, next)) in choices.iter().enumerate() {
        let is_idle =
            next.as_ref().is_ok_and(|next| simulator.steps().last().is_some_and(|s| s.state == *next));
        let remark = match next {
            Err(_) => "  (fails)",
            Ok(_) if is_idle => "  (changes nothing)",
            Ok(_) => "",
        };
        text.push_str(&format!("{:>4}  {}{remark}\n", number + 1, show_action(program, is_start, *action)));
    }
    text
}

fn state(presenter: &Presenter<'_>, simulator: &Simulator<'_>) -> String {
    match simulator.steps().last() {
        Some(step) => text::contents(&presenter.contents(&step.state)),
        None => "       nothing has a value yet\n".to_string(),
    }
}

fn take(
    simulator: &mut Simulator<'_>,
    choice: Choice,
    presenter: &Presenter<'_>,
    text: &Text<'_>,
    console: &mut Console,
) -> anyhow::Result<()> {
    let before = simulator.steps().len();
    let finding = simulator.take(choice);
    if simulator.steps().len() > before {
        let step = presenter.step(simulator.steps(), before);
        console.answer(&text::step(before, &step, console.style))?;
    }
    if let Some(finding) = finding {
        let end = console.style.paint(Paint::Bad, &presenter.last_line(text, &finding));
        console.answer(&format!("  => {end}\n"))?;
    }
    Ok(())
}
