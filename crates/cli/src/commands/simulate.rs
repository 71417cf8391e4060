//! `tenet simulate`: one walk through a finite instance.
//!
//! Each step is printed as it is taken. A walk gives no verdict unless something goes wrong on it.

use super::{interactive, simulate_circuit};
use crate::args::SimulateArgs;
use crate::clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::input::Input;
use serde::Serialize;
use tenet_lang::codes::btor2 as btor2_codes;
use tenet_lang::diagnostic::Diagnostic;
use tenet_report::number::counted;
use tenet_report::run::{Presenter, Run};
use tenet_report::style::Paint;
use tenet_report::view::Instance;
use tenet_report::{json, text};
use tenet_system::finite::explore::Deadlock;
use tenet_system::finite::program::Program;
use tenet_system::finite::simulate::{Choice, Simulator};
use tenet_system::finite::trace::Finding;
use tenet_system::random::Random;

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
    let (mut input, problem) = Input::load(&args.model);
    if let Some(circuit) = problem.as_ref().and_then(|problem| problem.model().circuit()) {
        return simulate_circuit::run(args, &mut input, circuit, console);
    }
    if problem.is_some() && args.witness.is_some() {
        let message = "`--witness` is for BTOR2 files";
        input.diagnostics.push(Diagnostic::global(&btor2_codes::TRACE_FORMAT, message));
        return input.reject(console, args.output.json);
    }
    let ready = problem.as_ref().and_then(|problem| Some((problem, input.made(problem.model().finite())?)));
    let Some((problem, program)) = ready else { return input.reject(console, args.output.json) };
    if !args.output.json && !args.output.quiet {
        input.show_diagnostics(console);
    }
    let instance = problem.instance(problem.reading());
    let presenter = Presenter::new(&program, instance.sizes.clone());
    if args.interactive {
        return interactive::run(&program, &presenter, &input.text(), console);
    }
    let deadlock = args.deadlock.map_or_else(|| problem.model().deadlock(), Into::into);
    let mut walk = Walk { args, program: &program, presenter, simulator: Simulator::new(&program), deadlock };
    let end = walk.run(console)?;
    walk.finish(&end, &input, &instance, console)
}

/// A walk under way.
struct Walk<'a> {
    args: &'a SimulateArgs,
    program: &'a Program,
    presenter: Presenter<'a>,
    simulator: Simulator<'a>,
    deadlock: Deadlock,
}

impl Walk<'_> {
    /// Walks at random until something ends it.
    fn run(&mut self, console: &mut Console) -> anyhow::Result<End> {
        let budget = clock::start(None, None)?;
        let mut random = Random::new(self.args.seed);
        while self.simulator.steps().len() <= self.args.steps {
            if budget.stop().is_some() {
                return Ok(End::Interrupted);
            }
            let mut choices = self.simulator.choices();
            if let Some(end) = stuck(&self.simulator, &choices, self.deadlock) {
                return Ok(end);
            }
            let finding = self.simulator.take(choices.swap_remove(random.below(choices.len())));
            // A step that fails leads nowhere, so there is nothing to show for it.
            let is_taken = !matches!(finding, Some(Finding::StepFault(..) | Finding::StartFault(..)));
            if is_taken && !self.is_silent() {
                self.show_last(console)?;
            }
            if let Some(finding) = finding {
                return Ok(End::Found(finding));
            }
        }
        Ok(End::Steps)
    }

    fn is_silent(&self) -> bool {
        self.args.output.json || self.args.output.quiet
    }

    fn show_last(&self, console: &mut Console) -> anyhow::Result<()> {
        let number = self.simulator.steps().len() - 1;
        let step = self.presenter.step(self.simulator.steps(), number);
        console.show(&text::step(number, &step, console.style))
    }

    /// Prints how it ended.
    fn finish(
        &self,
        end: &End,
        input: &Input,
        instance: &Instance,
        console: &mut Console,
    ) -> anyhow::Result<Exit> {
        let (text, exit) = self.judge(end, input);
        let last_line = match end {
            End::Found(finding) => self.presenter.last_line(&input.text(), finding),
            _ => text.clone(),
        };
        if self.args.output.json {
            let run = self.presenter.walk(self.simulator.steps(), last_line);
            console.answer_json(&object(self.args, input, instance, &run, exit))?;
            return Ok(exit);
        }
        if !self.is_silent() && matches!(end, End::Found(_)) {
            console.show(&format!("  => {}\n", console.style.paint(Paint::Bad, &last_line)))?;
        }
        let steps = counted(self.simulator.steps().len().saturating_sub(1) as u64, "step");
        let paint = if exit == Exit::Unsafe { Paint::Bad } else { Paint::Strong };
        let text = console.style.paint(paint, &text);
        console.answer(&format!("{text} ({steps}, {}, seed {})\n", instance.describe(), self.args.seed))?;
        Ok(exit)
    }

    fn judge(&self, end: &End, input: &Input) -> (String, Exit) {
        let (finding, word, exit) = match end {
            End::Steps => return ("no violation on this walk".to_string(), Exit::Safe),
            End::NoStart => return ("no startstate is possible".to_string(), Exit::Unknown),
            End::NoRule => return ("the walk ends: no rule is enabled".to_string(), Exit::Safe),
            End::Interrupted => return ("interrupted".to_string(), Exit::Interrupted),
            End::Found(finding) if finding.is_limit(self.program) => (finding, "unknown", Exit::Unknown),
            End::Found(finding) => (finding, "unsafe", Exit::Unsafe),
        };
        (format!("{word}: {}", self.presenter.what(&input.text(), finding)), exit)
    }
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

/// The answer as JSON.
#[derive(Serialize)]
struct Walked<'a> {
    #[serde(flatten)]
    header: json::Header<'a>,
    verdict: Option<&'static str>,
    instance: json::Instance<'a>,
    seed: u64,
    trace: json::Run<'a>,
    diagnostics: Vec<json::Diagnostic<'a>>,
}

fn object<'a>(
    args: &SimulateArgs,
    input: &'a Input,
    instance: &'a Instance,
    run: &'a Run,
    exit: Exit,
) -> Walked<'a> {
    let verdict = match exit {
        Exit::Unsafe => Some("unsafe"),
        Exit::Unknown => Some("unknown"),
        _ => None,
    };
    Walked {
        header: json::header(env!("CARGO_PKG_VERSION"), &input.source.name),
        verdict,
        instance: json::instance(instance),
        seed: args.seed,
        trace: json::run(run),
        diagnostics: json::diagnostics(&input.diagnostics, &input.text()),
    }
}
