//! `tenet simulate`: one walk through a finite instance.
//!
//! Each step is printed as it is taken. A walk gives no verdict unless something goes wrong on it.

use super::interactive;
use crate::args::SimulateArgs;
use crate::clock::Clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::{self, Input};
use tenet_lang::murphi::hir::Model;
use tenet_report::number::counted;
use tenet_report::run::{Presenter, Run};
use tenet_report::style::Paint;
use tenet_report::{json, text};
use tenet_system::finite::explore::Deadlock;
use tenet_system::finite::program::Program;
use tenet_system::finite::simulate::{Choice, Random, Simulator};
use tenet_system::finite::trace::Finding;

/// How a walk ended.
enum End {
    Steps,
    NoStart,
    NoRule,
    Interrupted,
    Found(Finding),
}

/// Runs the command.
pub fn run(args: &SimulateArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let (mut input, model) = Input::load(&args.model);
    let ready = model.as_ref().and_then(|model| Some((model, input.lower(model)?)));
    let Some((model, program)) = ready else { return input.reject(console, args.output.json) };
    if !args.output.json && !args.output.quiet {
        input.show_diagnostics(console);
    }
    if args.interactive {
        let presenter = Presenter::new(&program, input::instance(model, &args.model).sizes);
        return interactive::run(&program, &presenter, &input.text(), console);
    }
    walk(args, &input, model, &program, console)
}

fn walk(
    args: &SimulateArgs,
    input: &Input,
    model: &Model,
    program: &Program,
    console: &mut Console,
) -> anyhow::Result<Exit> {
    let clock = Clock::start(None)?;
    let instance = input::instance(model, &args.model);
    let presenter = Presenter::new(program, instance.sizes.clone());
    let mut simulator = Simulator::new(program);
    let mut random = Random::new(args.seed);
    let is_silent = args.output.json || args.output.quiet;
    let end = loop {
        if clock.stop().is_some() {
            break End::Interrupted;
        }
        if simulator.steps().len() > args.steps {
            break End::Steps;
        }
        let mut choices = simulator.choices();
        if let Some(end) = stuck(&simulator, &choices, args.deadlock.into()) {
            break end;
        }
        let finding = simulator.take(choices.swap_remove(random.below(choices.len())));
        let taken = simulator.steps().len();
        // A step that fails leads nowhere, so there is nothing to show for it.
        let is_taken = !matches!(finding, Some(Finding::StepFault(..) | Finding::StartFault(..)));
        if is_taken && !is_silent {
            let step = presenter.step(simulator.steps(), taken - 1);
            console.answer(&text::step(taken - 1, &step, console.style))?;
        }
        if let Some(finding) = finding {
            break End::Found(finding);
        }
    };
    let (text, exit) = judge(&end, &presenter, input, program, &simulator);
    if args.output.json {
        let run = presenter.walk(simulator.steps(), text);
        console.answer_json(&object(args, input, &instance, &run, exit))?;
    } else {
        let steps = counted(simulator.steps().len().saturating_sub(1) as u64, "step");
        let paint = if exit == Exit::Unsafe { Paint::Bad } else { Paint::Strong };
        let text = console.style.paint(paint, &text);
        console.answer(&format!("{text} ({steps}, {}, seed {})\n", instance.describe(), args.seed))?;
    }
    Ok(exit)
}

/// Whether nothing can be done, or nothing that matters.
fn stuck(simulator: &Simulator<'_>, choices: &[Choice], deadlock: Deadlock) -> Option<End> {
    let Some(last) = simulator.steps().last() else { return choices.is_empty().then_some(End::NoStart) };
    let is_idle = choices.iter().all(|(_, next)| next.as_ref().is_ok_and(|next| *next == last.state));
    match deadlock {
        Deadlock::Stuck if choices.is_empty() => Some(End::Found(Finding::Deadlock)),
        Deadlock::Stuttering if is_idle => Some(End::Found(Finding::Deadlock)),
        _ => choices.is_empty().then_some(End::NoRule),
    }
}

fn judge(
    end: &End,
    presenter: &Presenter<'_>,
    input: &Input,
    program: &Program,
    simulator: &Simulator<'_>,
) -> (String, Exit) {
    match end {
        End::Steps => ("no violation on this walk".to_string(), Exit::Safe),
        End::NoStart => ("there is no startstate".to_string(), Exit::Safe),
        End::NoRule => ("the walk ends: no rule is enabled".to_string(), Exit::Safe),
        End::Interrupted => {
            let what = if simulator.steps().is_empty() { "before it began" } else { "on the way" };
            (format!("interrupted {what}"), Exit::Interrupted)
        }
        End::Found(finding) if finding.is_limit(program) => {
            (format!("unknown: {}", presenter.finding(&input.text(), finding)), Exit::Unknown)
        }
        End::Found(finding) => {
            (format!("unsafe: {}", presenter.finding(&input.text(), finding)), Exit::Unsafe)
        }
    }
}

fn object(
    args: &SimulateArgs,
    input: &Input,
    instance: &tenet_report::view::Instance,
    run: &Run,
    exit: Exit,
) -> serde_json::Value {
    let mut object = json::header(env!("CARGO_PKG_VERSION"), &input.file);
    let verdict = match exit {
        Exit::Unsafe => Some("unsafe"),
        Exit::Unknown => Some("unknown"),
        _ => None,
    };
    object.insert("verdict".into(), serde_json::json!(verdict));
    object.insert("instance".into(), json::instance(instance));
    object.insert("seed".into(), serde_json::json!(args.seed));
    object.insert("trace".into(), json::run(run));
    object.insert("diagnostics".into(), json::diagnostics(&input.diagnostics, &input.text()));
    object.into()
}
