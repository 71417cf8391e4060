//! Recursive definitions: entailments between goals by coinduction, and computation trees of processes (SPEC 3).
//!
//! J. Jaffar, A. E. Santosa, "Recursive Abstractions for Parameterized Systems", 2009. The printed rules are unsound without a condition
//! on what a hypothesis may be used for (SPEC RA-T1). Whatever is found here is a derivation that is checked by others.

mod attempt;
mod equations;
mod mining;
mod oracle;
mod outcome;
mod prover;
mod publish;
mod refute;
mod sequent;
mod shape;
mod tactics;
mod tree;

pub use outcome::{Answer, Options, Outcome, Report, Run, Verdict};
pub use refute::Counterexample;

use crate::Watch;
use prover::Prover;
use std::time::Duration;
use tenet_system::recursive::{Program, Proof};
use tree::{Builder, Choice, MAX_NODES};

/// How long a counterexample to one obligation is looked for.
const REFUTATION: Duration = Duration::from_secs(4);

/// Proves what the program asks for, as far as that is found. Adds terms to its store and changes nothing else.
pub fn recursive(program: &mut Program, options: &Options, watch: &mut dyn Watch) -> Outcome {
    let _ = options;
    let mut prover = Prover::new(program, watch);
    prover.mine();
    let mut answers = Vec::new();
    let mut obligations = Vec::new();
    for entailment in prover.program.obligations.clone() {
        prover.tell("proving an obligation");
        let proof = prover.prove(&entailment);
        answers.push(if proof.is_some() { Answer::Proved } else { Answer::Open });
        obligations.push(proof.map(|proof| prover.publish(&entailment, proof)));
    }
    let tree = prover.program.process.clone().map(|process| {
        let user = process.abstractions.iter().enumerate().map(|(number, abstraction)| Choice {
            number: Some(number),
            at: Some(abstraction.at.clone()),
            by: abstraction.by.clone(),
        });
        let user = user.collect();
        Builder::new(&mut prover, &process, user, MAX_NODES).build()
    });
    for (entailment, answer) in prover.program.obligations.clone().iter().zip(&mut answers) {
        if let Answer::Open = answer
            && let Some(found) = prover.within(REFUTATION, |prover| prover.refute(entailment))
        {
            *answer = Answer::Refuted(found);
        }
    }
    let report = Report { solver_calls: prover.oracle.calls(), visited: prover.visited };
    let stopped = prover.stop();
    let lemmas = prover.lemmas;
    let properties = match (&program.process, &tree) {
        (Some(process), Some(tree)) if tree::is_closed(tree) => tree::proved(tree, process.properties.len()),
        (Some(process), _) => vec![false; process.properties.len()],
        _ => Vec::new(),
    };
    let properties =
        properties.into_iter().map(|proved| if proved { Verdict::Proved } else { Verdict::Open });
    let properties = properties.collect();
    Outcome { proof: Proof { lemmas, obligations, tree }, answers, properties, report, stopped }
}
