//! Finite instances: sizes for unbounded types, and diagnostics where that does not suffice.

use crate::codes::cubicle as codes;
use crate::diagnostic::Diagnostic;
use tenet_system::System;
use tenet_system::finite::program::Program;
use tenet_system::instance::{self, InstanceError, Sizes, instance};

/// The number of combinations of arbitrary values that a sample tries.
const MAX_CHOICES: u64 = 64;

/// The program of an instance of a system that was lowered for every size.
pub fn program(system: &System, sizes: &[(String, u64)]) -> Result<Program, Diagnostic> {
    instance(system, &narrowed(sizes)).map_err(|error| refusal(&error))
}

/// A program with some of the runs of an instance: infinite types are sampled.
pub fn sample(system: &System, sizes: &[(String, u64)]) -> Option<Program> {
    instance::sample(system, &narrowed(sizes), MAX_CHOICES).ok().map(|sample| sample.program)
}

fn narrowed(sizes: &[(String, u64)]) -> Sizes {
    let narrow = |size: u64| u32::try_from(size).unwrap_or(u32::MAX);
    let sorts = sizes.iter().map(|(name, size)| (name.clone(), narrow(*size))).collect();
    Sizes { sorts, consts: Vec::new() }
}

fn refusal(error: &InstanceError) -> Diagnostic {
    match error {
        InstanceError::NoSize(sort) => {
            let message = format!("the number of values of `{sort}` is not known");
            Diagnostic::global(&codes::NO_SIZE, message).help(format!("give it with `--size {sort}=3`"))
        }
        InstanceError::NoValue(name) => {
            let message = format!("the value of the constant `{name}` is not known");
            Diagnostic::global(&codes::NO_VALUE, message).help(format!("give it with `--const {name}=1`"))
        }
        InstanceError::Infinite(what) => {
            // The name of a choice ends with the name of its type.
            let name = what.rsplit(' ').next().unwrap_or_default().trim_start_matches("any_");
            let message = format!("`{name}` can get infinitely many values at once");
            Diagnostic::global(&codes::INFINITE, message).help("give it a value, or use `tenet prove`")
        }
        other => Diagnostic::global(&codes::NO_INSTANCE, other.to_string()),
    }
}
