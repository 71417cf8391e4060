//! What is proved, and by which engine.
//!
//! Without a name the engine that suits the problem is chosen: `circuit` for hardware, `recursive` for recursive programs, `reach` if
//! there are predicates, `refine` for programs over numbers, `direct` for everything else. Ranges that are mere index sets, bounded by a
//! constant or without an end, are read as sets of any size unless the question says what is unbounded: a proof for every size, which
//! says nothing about the size being finite, is one for the size as written.

use crate::{Problem, Question};
use tenet_engine::refine::is_program;
use tenet_engine::{Choices, ENGINES, Engine, Subject, Unfit, engine};
use tenet_lang::codes::clp::{ENTAILMENTS_LEFT, NOT_FOR_PROGRAMS};
use tenet_lang::codes::horn::ONLY_FOR_CLAUSES;
use tenet_lang::diagnostic::{Diagnostic, Explanation};
use tenet_lang::frontend::{Model, Reading};
use tenet_report::codes;
use tenet_report::number::counted;
use tenet_system::System;
use tenet_system::recursive::Program;

/// How a question is gone about.
pub(crate) struct Plan {
    pub subject: Target,
    pub engine: Box<dyn Engine>,
    /// With what is read as a set of any size.
    pub reading: Reading,
    /// Whether ranges without an end are among that although it was not asked for.
    pub is_larger: bool,
}

/// What the engine is given.
#[allow(clippy::large_enum_variant, reason = "there is one of it")]
pub(crate) enum Target {
    System(System),
    Program(Program),
}

/// Chooses what is proved, and by which engine; or says what does not go together.
pub(crate) fn plan(problem: &Problem, question: &Question) -> Result<Plan, Vec<Diagnostic>> {
    if question.wants_chc && problem.model().clauses().is_none() {
        let message = "`--format chc` is for Horn clauses (`.smt2`)";
        return Err(vec![Diagnostic::global(&ONLY_FOR_CLAUSES, message)]);
    }
    match problem.model().recursive() {
        Some(program) => of_program(problem, question, program),
        None => of_system(problem, question),
    }
}

/// The problem as it was loaded, for an engine that is given.
pub(crate) fn plan_with(problem: &Problem, engine: Box<dyn Engine>) -> Result<Plan, Vec<Diagnostic>> {
    let reading = problem.reading().clone();
    let subject = match problem.model().recursive() {
        Some(program) => Target::Program(program.clone()),
        None => Target::System(problem.model().system(&reading.unbounded)?.0),
    };
    Ok(Plan { subject, engine, reading, is_larger: false })
}

fn of_program(problem: &Problem, question: &Question, program: &Program) -> Result<Plan, Vec<Diagnostic>> {
    let what = "constraint logic programs";
    let name = question.engine.as_deref().unwrap_or("recursive");
    let mut refusals = Vec::new();
    if name == "direct" && question.properties.is_empty() && !program.obligations.is_empty() {
        refusals.push(entailments_left(program));
    }
    let choices = Choices { is_reading_of_program: true, ..question.choices.clone() };
    let made = made(name, &choices)?;
    let mut asked = program.clone();
    let is_direct = name == "direct";
    if !is_direct && made.fits(&Subject::Program(&mut asked)).is_err() {
        let message = format!("`--engine {name}` does not apply to {what}");
        let help = "leave it out, or use `--engine recursive` or `--engine direct`";
        refusals.push(Diagnostic::global(&NOT_FOR_PROGRAMS, message).help(help));
    }
    if question.choices.methods.is_some() {
        let message = format!("`--method` does not apply to {what}");
        refusals.push(Diagnostic::global(&NOT_FOR_PROGRAMS, message));
    }
    if !refusals.is_empty() {
        return Err(refusals);
    }
    let subject = match is_direct {
        true => Target::System(problem.model().system(&[])?.0),
        false => Target::Program(asked),
    };
    Ok(Plan { subject, engine: made, reading: problem.reading().clone(), is_larger: false })
}

fn of_system(problem: &Problem, question: &Question) -> Result<Plan, Vec<Diagnostic>> {
    let (model, reading) = (problem.model(), problem.reading().clone());
    let (mut system, _) = model.system(&reading.unbounded)?;
    let is_chosen = question.engine.is_some();
    let name = question.engine.as_deref().unwrap_or_else(|| suitable(model, &system, &question.choices));
    let made = made(name, &question.choices)?;
    // What an engine cannot read is its answer, unless the question itself makes no sense.
    if let Err(unfit) = made.fits(&Subject::System(&mut system))
        && let Some(code) = refusal(name, &question.choices)
    {
        return Err(vec![refused(code, unfit)]);
    }
    let is_open = match name {
        "direct" => true,
        // A user's predicates may compute with the numbers of a range, and a published method is shown as it is.
        "reach" => false,
        _ => is_chosen && question.choices.methods.is_none(),
    };
    let plan = |system, reading, is_larger| {
        Ok(Plan { subject: Target::System(system), engine: made, reading, is_larger })
    };
    if is_open && reading.unbounded.is_empty() {
        let unbounded = model.index_ranges();
        if let Ok((larger, _)) = model.system(&unbounded) {
            let is_larger = model.is_endless(&unbounded);
            return plan(larger, Reading { unbounded, ..reading }, is_larger);
        }
    }
    plan(system, reading, false)
}

/// The engine that suits a system.
fn suitable(model: &dyn Model, system: &System, choices: &Choices) -> &'static str {
    match system.predicates.is_empty() {
        _ if choices.methods.is_some() || model.clauses().is_some() => "refine",
        _ if model.circuit().is_some() => "circuit",
        true if is_program(system) => "refine",
        true => "direct",
        false => "reach",
    }
}

fn made(name: &str, choices: &Choices) -> Result<Box<dyn Engine>, Vec<Diagnostic>> {
    engine(name, choices).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|entry| entry.name).collect();
        let found = Diagnostic::global(&codes::NO_SUCH_ENGINE, format!("there is no engine `{name}`"));
        vec![found.help(format!("the engines are {}", names.join(", ")))]
    })
}

/// The code with which a question is refused whose engine has nothing to work with.
fn refusal(name: &str, choices: &Choices) -> Option<&'static Explanation> {
    match name {
        "reach" => Some(&codes::NO_PREDICATES),
        "recursive" => Some(&codes::NOT_RECURSIVE),
        "refine" if choices.methods.is_some() => Some(&codes::NOT_A_PROGRAM),
        _ => None,
    }
}

fn refused(code: &'static Explanation, Unfit { why, hint }: Unfit) -> Diagnostic {
    Diagnostic::global(code, why).help(hint)
}

/// That `direct` would leave the entailments of the file open.
fn entailments_left(program: &Program) -> Diagnostic {
    let count = counted(program.obligations.len() as u64, "entailment");
    let message = format!("`--engine direct` proves properties only, and the file also asks for {count}");
    let properties = program.process.iter().flat_map(|process| &process.properties);
    let names: Vec<String> = properties.map(|property| format!("--property \"{}\"", property.name)).collect();
    let found = Diagnostic::global(&ENTAILMENTS_LEFT, message);
    if names.is_empty() { found } else { found.help(format!("say which are meant: {}", names.join(" "))) }
}
