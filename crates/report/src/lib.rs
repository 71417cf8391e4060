//! Reports: one view model of the findings, printed as text for people and as JSON for programs.
//!
//! Every command that answers a question builds a [`view::Report`] and hands it to a printer; the printers decide
//! nothing. So text and JSON cannot disagree, and a new output format cannot change a verdict. This crate never reads a
//! clock or a file and never writes one: it turns values into strings.
//!
//! [`exploration`] builds the view of a finished search, [`run`] the view of one run; [`text`], [`json`], [`itf`] and [`vcd`] are
//! the printers; [`codes`] explains every code that is not a diagnostic of a front end.
#![forbid(unsafe_code)]

pub mod codes;
pub mod exploration;
mod finding;
pub mod hybrid;
pub mod induction;
pub mod itf;
pub mod json;
mod layout;
pub mod lemma;
pub mod number;
mod page;
pub mod reached;
pub mod recursive;
pub mod run;
pub mod run_of_document;
pub mod run_of_system;
pub mod shape;
pub mod source;
pub mod style;
pub mod text;
pub mod trust;
pub mod vcd;
pub mod verification;
pub mod view;
pub mod waves;
