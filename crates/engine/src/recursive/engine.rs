//! `recursive` behind the interface of all engines.

use super::outcome::{Answer, Found, Limit, SafetyAnswer};
use super::{LeftSide, Options, Refused, Report, search};
use crate::common::watch::{Stop, Watch};
use crate::interface::{
    self, Claim, Engine, Evidence, Obstacle, Open, Outcome, PropertyClaim, Reason, Statistics, Subject,
    Unfit, Violation,
};
use tenet_system::recursive::tree::Fate;
use tenet_system::recursive::{Program, indexed};

/// Completes the message about a cancelled search.
const BEFORE_DERIVATION: &str = "before a derivation was found";

#[derive(Clone, Debug, Default)]
pub struct Recursive {
    pub options: Options,
}

/// Statistics of a run.
#[derive(Clone, Debug, Default)]
pub struct Details {
    pub report: Report,
    /// For each entailment of the program, whether its left-hand side is known to have members.
    pub left_sides: Vec<LeftSide>,
    /// For each entailment, what the published rules would have derived.
    pub refused: Vec<Option<Refused>>,
}

impl Engine for Recursive {
    fn name(&self) -> &'static str {
        "recursive"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        match subject {
            Subject::Program(_) => Ok(()),
            Subject::System(_) => Err(for_programs()),
        }
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        let Subject::Program(program) = subject else {
            return Outcome::unfit(properties, for_programs());
        };
        let found = self.search(program, properties, watch);
        claimed(program, found, properties)
    }
}

fn for_programs() -> Unfit {
    Unfit {
        why: "the engine `recursive` is for constraint logic programs (`.clp`)".to_string(),
        hint: "leave `--engine` out".to_string(),
    }
}

impl Recursive {
    /// Tries what was asked for and what may help with it: the entailments before, and for properties all of them.
    fn search(&self, program: &mut Program, properties: &[usize], watch: &mut dyn Watch) -> Found {
        let entailments = program.obligations.len();
        if properties.iter().any(|&position| position >= entailments) {
            return search(program, &self.options, watch);
        }
        let needed = properties.iter().max().map_or(0, |last| last + 1);
        let process = program.process.take();
        let others = program.obligations.split_off(needed);
        let mut found = search(program, &self.options, watch);
        found.answers.extend(others.iter().map(|_| Answer::Open));
        found.left_sides.extend(others.iter().map(|_| LeftSide::Open));
        found.refused.extend(others.iter().map(|_| None));
        found.proof.obligations.extend(others.iter().map(|_| None));
        program.obligations.extend(others);
        program.process = process;
        found
    }
}

fn claimed(program: &Program, found: Found, properties: &[usize]) -> Outcome {
    let claim = |position: usize| match position.checked_sub(program.obligations.len()) {
        None => of_entailment(&found, position),
        Some(property) => of_property(program, &found, property),
    };
    let claims =
        properties.iter().map(|&property| PropertyClaim { property, claim: claim(property) }).collect();
    let statistics = Statistics {
        solver_calls: found.report.solver_calls,
        solver_seconds: 0.0,
        details: interface::Details::Recursive(Details {
            report: found.report,
            left_sides: found.left_sides,
            refused: found.refused,
        }),
    };
    Outcome {
        claims,
        evidence: Evidence::Derivations(found.proof),
        warnings: Vec::new(),
        statistics,
        stop: found.stopped,
        so_far: BEFORE_DERIVATION.to_string(),
        ..Outcome::default()
    }
}

fn of_entailment(found: &Found, position: usize) -> Claim {
    match &found.answers[position] {
        Answer::Proved => Claim::Proof,
        Answer::Refuted(values) => Claim::Violation(Violation::Entailment(values.clone())),
        Answer::Open => Claim::Open(stopped(found.stopped).unwrap_or_else(|| {
            Open::new(
                Reason::NotDerived,
                "no derivation and no counterexample was found",
                "state what is missing as another `prove` in front of it, or search further with --max-unfoldings",
            )
        })),
    }
}

fn of_property(program: &Program, found: &Found, property: usize) -> Claim {
    match found.properties.get(property) {
        Some(SafetyAnswer::Proved) if found.is_vacuous => {
            let why = "no start is possible, so a proof would be vacuous";
            Claim::Open(Open::new(Reason::Vacuous, why, "mend what `start` demands"))
        }
        Some(SafetyAnswer::Proved) => Claim::Proof,
        Some(SafetyAnswer::Violated(run)) => Claim::Violation(Violation::Process(run.clone())),
        Some(SafetyAnswer::Open) | None => {
            Claim::Open(stopped(found.stopped).unwrap_or_else(|| not_shown(program, found, property)))
        }
    }
}

fn stopped(stop: Option<Stop>) -> Option<Open> {
    stop.map(|stop| Open::stopped(stop, BEFORE_DERIVATION))
}

/// Which node of the computation tree stands in the way of a property.
fn not_shown(program: &Program, found: &Found, property: usize) -> Open {
    let nodes = found.proof.tree.as_ref().map_or(&[][..], |tree| &tree.nodes);
    if let Some(place) = nodes.iter().position(|node| matches!(node.fate, Fate::Open)) {
        let (why, more) = match found.limit {
            None => (String::new(), String::new()),
            Some(Limit::Nodes(limit)) => (
                format!("it has reached the limit of {limit} nodes, and "),
                format!("; or try --max-nodes {}", 2 * limit),
            ),
            Some(Limit::Work(seconds)) => (
                format!("it has reached the limit of its work, {seconds} s of an ordinary machine, and "),
                format!("; or try --tree-work {}", 2 * seconds),
            ),
        };
        let why = format!("the computation tree is not closed: {why}node {} stayed open", place + 1);
        let hint = match indexed::system(program) {
            Ok(_) => without_recursion(program, property),
            Err(_) => {
                "give an abstraction for it with `abstract … by …`, and look at the tree with --report OUT.html"
                    .to_string()
            }
        };
        return Open::new(Reason::TreeOpen, why, hint + &more).because_of(Obstacle::Node(place));
    }
    let missing = nodes.iter().position(|node| match &node.fate {
        Fate::Expanded { properties, .. } => !matches!(properties.get(property), Some(Some(_))),
        _ => false,
    });
    let hint = "keep more in an abstraction, or state what is missing as a `prove`";
    match missing {
        Some(place) => {
            let why = format!("no derivation shows it of node {} of the computation tree", place + 1);
            Open::new(Reason::NotShown, why, hint).because_of(Obstacle::Node(place))
        }
        None => Open::new(Reason::NotShown, "there is no computation tree", hint),
    }
}

/// What to try where all definitions say something of each place, so that other engines can read them.
fn without_recursion(program: &Program, property: usize) -> String {
    let name = program.process.as_ref().map_or("", |process| &process.properties[property].name);
    format!(
        "give an abstraction for it with `abstract … by …`, or try --engine direct --property \"{name}\", which reads these \
         definitions as quantifiers"
    )
}
