//! What an engine answers.

use super::Unfit;
use crate::common::Warning;
use crate::common::watch::Stop;
use crate::induct::{Induction, Progressed};
use crate::{hybrid, reach, recursive, refine};
use tenet_system::recursive::Proof;
use tenet_system::{Advice, Lemma, run};

/// What an engine has to say about the properties that it was asked about.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// One for each property, in the order in which they were given.
    pub claims: Vec<PropertyClaim>,
    /// What the proofs among them rest on. There may be some where nothing is proved: an invariant that implies no property is one.
    pub evidence: Evidence,
    /// Reasons why the claims say less than they seem to.
    pub warnings: Vec<Warning>,
    pub statistics: Statistics,
    /// What a search for lemmas had found when it ended without a proof.
    pub progressed: Progressed,
    /// Why it was told to stop, if it was.
    pub stop: Option<Stop>,
    /// How far the engine has got, to follow “the time limit was reached”: `after 3 iterations`.
    pub so_far: String,
}

#[derive(Clone, Debug)]
pub struct PropertyClaim {
    /// The property, by position in the subject.
    pub property: usize,
    pub claim: Claim,
}

/// A claim, to be checked by others.
#[derive(Clone, Debug)]
pub enum Claim {
    Proof,
    Violation(Violation),
    Open(Open),
}

/// What contradicts a property.
#[derive(Clone, Debug)]
pub enum Violation {
    System(run::Violation),
    /// Values for the variables of an entailment.
    Entailment(recursive::Counterexample),
    Process(recursive::Run),
}

/// Why nothing is known of a property.
#[derive(Clone, Debug)]
pub struct Open {
    pub reason: Reason,
    pub why: String,
    /// What stood in the way, for faces that show more than words.
    pub obstacle: Option<Obstacle>,
    pub hint: Option<String>,
}

/// The kinds of reasons why a property stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Unfit,
    Stopped(Stop),
    /// The search ended with the violation of another property.
    AnotherViolated,
    /// The search for lemmas has given up.
    NoLemmas,
    /// A startstate or a state of a sample violates it, which is no run: nothing was replayed.
    SeemsViolated,
    /// A published refinement method ended with neither a proof nor a run.
    NotRefined,
    /// A step breaks it although all invariants hold before, or it is not shown that none does.
    NotInductive,
    /// The predicates do not suffice, whatever the substitutions.
    Predicates,
    /// The predicates suffice for small instances, but the substitutions do not.
    Substitutions,
    /// Predicates or substitutions do not suffice, or it is false.
    Unclear,
    /// The iteration has not come to its end.
    Unfinished,
    /// No derivation of an entailment was found.
    NotDerived,
    /// The computation tree has open nodes.
    TreeOpen,
    /// The computation tree does not show the property.
    NotShown,
    /// What was found would say nothing.
    Vacuous,
    /// A run failed to replay: an internal error, and no verdict.
    NotReplayed,
}

/// What stood in the way of a proof.
#[derive(Clone, Debug)]
pub enum Obstacle {
    /// In words: what a solver has to say, or what a search stumbled over.
    Words(String),
    /// A rule for which no lemma was found, by position.
    Rule(usize),
    /// An abstract state that violates the property, with how it came in.
    State(Box<reach::Failure>),
    /// A step that breaks what is asked about, with what is known of it.
    Induction(Box<Induction>),
    /// A node of the computation tree, by position.
    Node(usize),
}

/// What proofs rest on.
#[derive(Clone, Debug, Default)]
pub enum Evidence {
    #[default]
    Nothing,
    /// An inductive invariant that implies what is proved.
    Invariant { lemmas: Vec<Lemma>, advice: Advice },
    /// Derivations and a computation tree, which proves nothing unless it is closed.
    Derivations(Proof),
}

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    pub solver_calls: u64,
    /// Seconds in the solver; zero if the engine does not count them.
    pub solver_seconds: f64,
    /// What else there is to tell.
    pub details: Details,
}

/// What an engine tells about its way to the answer.
#[derive(Clone, Debug)]
pub enum Details {
    /// Numbers with their names, from engines without a form of their own.
    Counts(Vec<(&'static str, u64)>),
    /// The iterations of `reach` and the substitutions that it used.
    Reach(reach::Details),
    /// What `hybrid` did for each property that it tried.
    Hybrid(Vec<hybrid::Work>),
    /// The iterations of a published refinement method.
    Methods(refine::methods::Details),
    /// What `recursive` looked at, and whether left-hand sides have members.
    Recursive(recursive::Details),
}

impl Default for Details {
    fn default() -> Details {
        Details::Counts(Vec::new())
    }
}

impl Outcome {
    pub fn of_all(properties: &[usize], claim: &Claim) -> Outcome {
        let claims =
            properties.iter().map(|&property| PropertyClaim { property, claim: claim.clone() }).collect();
        Outcome { claims, ..Outcome::default() }
    }

    /// All properties are proved by an invariant.
    pub fn proof(properties: &[usize], lemmas: Vec<Lemma>, advice: Advice) -> Outcome {
        let evidence = Evidence::Invariant { lemmas, advice };
        Outcome { evidence, ..Outcome::of_all(properties, &Claim::Proof) }
    }

    /// A run violates one of the properties, and the search ends there.
    pub fn violation(properties: &[usize], violation: run::Violation) -> Outcome {
        let property = violation.property;
        let mut outcome = Outcome::of_all(properties, &Claim::Open(Open::behind_violation()));
        for claimed in outcome.claims.iter_mut().filter(|claimed| claimed.property == property) {
            claimed.claim = Claim::Violation(Violation::System(violation.clone()));
        }
        outcome
    }

    /// All properties stay open, for the same reason.
    pub fn open(properties: &[usize], open: Open) -> Outcome {
        let stop = match open.reason {
            Reason::Stopped(stop) => Some(stop),
            _ => None,
        };
        Outcome { stop, ..Outcome::of_all(properties, &Claim::Open(open)) }
    }

    /// The engine cannot read the problem.
    pub fn unfit(properties: &[usize], unfit: Unfit) -> Outcome {
        Outcome::open(properties, Open::unfit(unfit))
    }

    pub fn claim(&self, property: usize) -> Option<&Claim> {
        self.claims.iter().find(|claimed| claimed.property == property).map(|claimed| &claimed.claim)
    }

    /// The properties that are claimed to be proved, unless the proof says nothing.
    pub fn proved(&self) -> Vec<usize> {
        let is_vacuous = self.warnings.iter().any(Warning::is_vacuous);
        let proved = self.claims.iter().filter(|claimed| matches!(claimed.claim, Claim::Proof));
        proved.map(|claimed| claimed.property).filter(|_| !is_vacuous).collect()
    }

    /// The first violation, with its property.
    pub fn violated(&self) -> Option<(usize, &Violation)> {
        self.claims.iter().find_map(|claimed| match &claimed.claim {
            Claim::Violation(violation) => Some((claimed.property, violation)),
            Claim::Proof | Claim::Open(_) => None,
        })
    }

    /// Is every property claimed to be proved?
    pub fn is_proof(&self) -> bool {
        self.claims.iter().all(|claimed| matches!(claimed.claim, Claim::Proof))
    }

    /// The run of the first violation of a transition system.
    pub fn run(&self) -> Option<&run::Violation> {
        match self.violated()? {
            (_, Violation::System(violation)) => Some(violation),
            (_, Violation::Entailment(_) | Violation::Process(_)) => None,
        }
    }

    /// Why the first open property is open.
    pub fn first_open(&self) -> Option<&Open> {
        self.claims.iter().find_map(|claimed| match &claimed.claim {
            Claim::Open(open) => Some(open),
            Claim::Proof | Claim::Violation(_) => None,
        })
    }

    /// The derivations and the computation tree of a recursive program.
    pub fn derivations(&self) -> Option<&Proof> {
        match &self.evidence {
            Evidence::Derivations(proof) => Some(proof),
            Evidence::Nothing | Evidence::Invariant { .. } => None,
        }
    }

    /// The invariant; empty if there is none.
    pub fn lemmas(&self) -> &[Lemma] {
        match &self.evidence {
            Evidence::Invariant { lemmas, .. } => lemmas,
            Evidence::Nothing | Evidence::Derivations(_) => &[],
        }
    }
}

impl Open {
    /// A reason in words, with what to try.
    pub fn new(reason: Reason, why: impl Into<String>, hint: impl Into<String>) -> Open {
        Open { reason, why: why.into(), obstacle: None, hint: Some(hint.into()) }
    }

    /// The same with what stood in the way.
    pub fn because_of(self, obstacle: Obstacle) -> Open {
        Open { obstacle: Some(obstacle), ..self }
    }

    /// It was told to stop when it had got so far.
    pub fn stopped(stop: Stop, so_far: &str) -> Open {
        let hint = match stop {
            Stop::Timeout => "raise --timeout",
            Stop::Memory => "raise --memory",
            Stop::Interrupt | Stop::Settled => "let it run longer",
        };
        Open::new(Reason::Stopped(stop), format!("it was stopped {so_far}"), hint)
    }

    /// The engine cannot read the problem.
    pub fn unfit(unfit: Unfit) -> Open {
        Open::new(Reason::Unfit, unfit.why, unfit.hint)
    }

    /// Another property is violated, which is where the search has ended. What helps depends on what the face offers.
    fn behind_violation() -> Open {
        let why = "the search stopped at the first violation".to_string();
        Open { reason: Reason::AnotherViolated, why, obstacle: None, hint: None }
    }
}
