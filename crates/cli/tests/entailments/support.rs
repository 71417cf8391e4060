//! From the text of a constraint logic program to the engine's results. The engine is never trusted: [`Run::checked`] has the
//! checker verify every proof.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tenet_engine::published::Recursive;
use tenet_engine::{Claim, Engine, Outcome, Progress, Stop, Subject, Watch};
use tenet_lang::clp;
use tenet_lang::render::{Style, render};
use tenet_proof::recursive::{Rejection, check};
use tenet_solve::Limits;
use tenet_system::recursive::tree::{self, Fate, Tree};
use tenet_system::recursive::{Entailment, Known, Program, Proof, Recall, Step};
use tenet_term::TermId;

/// How often the engine may ask whether to stop, several times what any of these programs takes.
const MANY: usize = 50_000;
/// The same for programs of which not everything holds, so that the search for a proof of the rest need not end.
const FEW: usize = 1_200;

/// Cancels an engine after a fixed number of polls, which is the same on every machine.
struct Questions {
    asked: Cell<usize>,
    limit: usize,
}

impl Watch for Questions {
    fn progress(&mut self, _: &Progress) {}

    fn stop(&self) -> Option<Stop> {
        self.asked.set(self.asked.get() + 1);
        (self.asked.get() > self.limit).then_some(Stop::Timeout)
    }

    fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::default()
    }
}

/// A program and the engine's results.
pub struct Run {
    /// The program, with the terms of the proof in its store.
    pub program: Program,
    pub outcome: Outcome,
    /// The number of polls for cancellation, a measure of work that does not depend on the machine.
    pub asked: usize,
}

/// Reads a program; an error is a failure.
pub fn read(text: &str) -> Program {
    let read = clp::read(text);
    let (clp, _) =
        read.unwrap_or_else(|errors| panic!("{}", render(&errors, "test.clp", text, Style::Plain)));
    clp.program
}

/// Runs the engine on a program of which everything holds.
pub fn run(text: &str) -> Run {
    run_for(text, MANY)
}

/// Runs the engine on a program of which not everything holds.
pub fn run_briefly(text: &str) -> Run {
    run_for(text, FEW)
}

/// Runs the engine for this number of polls.
pub fn run_for(text: &str, limit: usize) -> Run {
    let mut program = read(text);
    let mut watch = Questions { asked: Cell::new(0), limit };
    let properties = program.process.as_ref().map_or(0, |process| process.properties.len());
    let all: Vec<usize> = (0..program.obligations.len() + properties).collect();
    let outcome = Recursive::default().run(Subject::Program(&mut program), &all, &mut watch);
    Run { program, outcome, asked: watch.asked.get() }
}

impl Run {
    /// The same, if the checker accepts all proofs, and they prove what the engine claims.
    pub fn checked(mut self) -> Run {
        let proof = self.proof().clone();
        let result = self.check(&proof);
        assert!(result.is_ok(), "{}", result.expect_err("it is an error"));
        for (position, proof) in proof.obligations.iter().enumerate() {
            assert_eq!(matches!(self.claim(position), Claim::Proof), proof.is_some());
        }
        let proved = tenet_proof::recursive::proved(&self.program, &proof);
        for (property, &is_proved) in proved.properties.iter().enumerate() {
            assert!(is_proved || !self.is_safe(property));
        }
        self
    }

    /// The checker's result for a proof.
    pub fn check(&mut self, proof: &Proof) -> Result<(), Rejection> {
        let limits = Limits { timeout: Some(Duration::from_secs(20)), ..Limits::default() };
        // A tree that is not closed proves nothing, but does not invalidate the other proofs.
        let mut proof = proof.clone();
        proof.tree = proof.tree.filter(is_closed);
        check(&mut self.program, &proof, limits)
    }

    /// Where an obligation is.
    pub fn position(&self, name: &str) -> usize {
        let position = self.program.obligations.iter().position(|known| known.name == name);
        position.unwrap_or_else(|| panic!("there is no obligation {name}"))
    }

    /// All derivations, and the computation tree.
    pub fn proof(&self) -> &Proof {
        self.outcome.derivations().expect("the engine gives derivations")
    }

    /// The engine's claim about an obligation, or behind these about a property of the process.
    pub fn claim(&self, position: usize) -> &Claim {
        self.outcome.claim(position).expect("it was asked about")
    }

    /// The engine's claim about a property of the process.
    pub fn claim_of_property(&self, property: usize) -> &Claim {
        self.claim(self.program.obligations.len() + property)
    }

    /// Is an obligation proved?
    pub fn is_proved(&self, name: &str) -> bool {
        matches!(self.claim(self.position(name)), Claim::Proof)
    }

    /// The obligations that are not proved.
    pub fn open(&self) -> Vec<&str> {
        let names = self.program.obligations.iter().map(|known| known.name.as_str());
        names.filter(|name| !self.is_proved(name)).collect()
    }
}

/// Is every node covered?
pub fn is_closed(tree: &Tree) -> bool {
    tree.nodes.iter().all(|node| !matches!(node.fate, Fate::Open))
}

impl Run {
    /// Demands that the proof of an obligation is rejected for another conclusion.
    pub fn refuses(&mut self, name: &str, change: impl Fn(&mut Entailment)) {
        let position = self.position(name);
        let mut proof = self.proof().clone();
        // What was proved becomes a lemma at once, and the proof is a use of it: both are changed.
        if let Some(Step::Recall(Recall { known: Known::Lemma(lemma), .. }, _)) = &proof.obligations[position]
        {
            let lemma = &mut proof.lemmas[*lemma].entailment;
            if lemma.name == name {
                change(lemma);
            }
        }
        let right = self.program.clone();
        change(&mut self.program.obligations[position]);
        let result = self.check(&proof);
        self.program = right;
        assert!(result.is_err(), "the proof of `{name}` shows too much");
    }

    /// Demands that all proofs are rejected if the conclusion is `false`.
    pub fn refuses_contradictions(&mut self, except: &[&str]) {
        let names: Vec<String> = self.program.obligations.iter().map(|known| known.name.clone()).collect();
        for name in names.iter().filter(|name| !except.contains(&name.as_str())) {
            if self.is_proved(name) {
                self.refuses(name, |entailment| entailment.right.constraint = TermId::FALSE);
            }
        }
    }

    /// The tree in short: `0>1` is expanded to a node, `1~2` abstracted to it, `3<2` subsumed by it, `-` an impossible
    /// transition.
    pub fn tree(&self) -> String {
        let tree = self.proof().tree.as_ref().expect("there is a tree");
        let nodes = tree.nodes.iter().enumerate().map(|(number, node)| match &node.fate {
            Fate::Expanded { children, .. } => {
                let children = children.iter().map(|child| match &child.outcome {
                    tree::Outcome::Node(child, _) => child.to_string(),
                    tree::Outcome::Impossible(_) => "-".to_owned(),
                });
                format!("{number}>{}", children.collect::<Vec<_>>().join(","))
            }
            Fate::Abstracted { to, .. } => format!("{number}~{to}"),
            Fate::Subsumed { by, .. } => format!("{number}<{by}"),
            Fate::Split { cases, .. } => {
                let cases: Vec<String> = cases.iter().map(|case| case.to.to_string()).collect();
                format!("{number}|{}", cases.join("|"))
            }
            Fate::Open => format!("{number}?"),
        });
        nodes.collect::<Vec<_>>().join(" ")
    }

    /// Is a property of the process proved?
    pub fn is_safe(&self, property: usize) -> bool {
        matches!(self.claim_of_property(property), Claim::Proof)
    }
}
