//! The published refinement methods (SPEC 5): each test is named after the acceptance check that it makes.

mod build;
mod example;
mod forms;
mod random;
mod support;
