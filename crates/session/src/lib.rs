//! The verifier as a library: read a model, ask about its properties, and get an answer that was confirmed.
//!
//! ```
//! use std::sync::Arc;
//! use tenet_session::{Budget, Problem, Question, Reading, Source, Surroundings, Unobserved, Verdict};
//!
//! let text = "
//!     type NODE : scalarset(2);
//!     var owner : array [NODE] of boolean; free : boolean;
//!     startstate free := true; for n : NODE do owner[n] := false end end;
//!     ruleset n : NODE do
//!       rule \"take\" free ==> begin free := false; owner[n] := true end;
//!       rule \"leave\" owner[n] ==> begin owner[n] := false; free := true end
//!     end;
//!     invariant \"one owner\" forall i : NODE do forall j : NODE do owner[i] & owner[j] -> i = j end end;";
//! let source = Source::new("lock.m", text);
//! let problem = Surroundings::none(|around| Problem::load(source, Reading::default(), around)).unwrap();
//! let budget = Budget::new(Some(60.0), None, Arc::default());
//! let answer = problem.prove(&Question::default(), &budget, &Unobserved::shared()).unwrap();
//! assert_eq!(answer.report.properties[0].name, "one owner");
//! assert_eq!(answer.report.verdict, Verdict::Safe); // for every number of nodes
//! assert!(answer.certificates.proof.is_some());
//! ```
//!
//! A [`Problem`] is a model with the texts that it was read from, so that everything that is found and checked is about the same
//! texts. [`Problem::prove`] chooses an engine, runs it, confirms what it claims (a proof by a certificate that the independent
//! checker accepts, a violation by replaying its run), and judges each property. What limits the work is a [`Budget`], and who is told
//! of it an [`Observer`].
//!
//! Nothing here knows a console, a command line, files other than those it is given, or the end of the process.
//!
//! The way of a question: `choose` finds the engine and the reading, `rounds` puts violated properties aside and goes on with the
//! others, `round` is one of these, `attempt` runs the engine, `apart` asks it of one property after the other, `confirm` makes and checks the certificate, and `judge` is the one place
//! where a verdict about a system is decided; `recursive` does the same for recursive programs, whose proofs are derivations. Beside
//! a proof, `first_look` and `instances` search small instances, `written` adds what the model says with its own numbers, `unread` answers for models
//! that have only instances, `contradiction` has the finite reading object, `reads` and `axioms` prove what a proof
//! assumes, and `vacuous`, `trust` and `warnings` say how much it says.
#![forbid(unsafe_code)]

mod answer;
mod apart;
mod attempt;
mod axioms;
mod budget;
mod choose;
mod confirm;
mod contradiction;
mod details;
pub mod explore;
mod first_look;
mod instances;
mod job;
mod judge;
pub mod machine;
mod observer;
mod obstacle;
mod problem;
mod question;
mod reads;
mod recursive;
mod round;
mod rounds;
#[cfg(test)]
mod tests;
pub mod threads;
mod trust;
mod unread;
mod vacuous;
mod violation;
mod warnings;
mod watcher;
mod written;

pub use answer::{Answer, Certificates, NO_CHC_ANSWER, NoAnswer};
pub use budget::Budget;
pub use confirm::solver_name;
pub use observer::{Observer, Unobserved};
pub use problem::Problem;
pub use question::{Question, WitnessFormat};
pub use tenet_engine::{Choices, ENGINES};
pub use tenet_lang::frontend::{Frontend, LANGUAGES, Model, Reading, Source, Surroundings};
pub use tenet_report::view::{Report, Verdict};
