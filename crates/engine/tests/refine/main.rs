//! Abstraction refinement for programs: the published methods of Ball, Podelski and Rajamani, each test named after the
//! acceptance check that it makes, and the practical engine.

mod build;
mod example;
#[path = "../forgetful/mod.rs"]
mod forgetful;
mod forms;
mod practical;
mod random;
mod support;
