//! The front end of constraint logic programs. They are recursive programs; where all definitions can be expressed with
//! quantifiers, they are transition systems as well.

use super::print::Printer;
use super::{Clp, indexed, read};
use crate::codes::clp::NOT_FOR_PROGRAMS;
use crate::diagnostic::Diagnostic;
use crate::frontend::{Frontend, Made, Model, Reading, Scope, Source, Surroundings, names};
use tenet_system::System;
use tenet_system::finite::program;
use tenet_system::recursive::Program;

/// `.clp`.
#[derive(Clone, Copy, Debug)]
pub struct ClpFrontend;

const SCOPE: Scope = Scope::plain("constraint logic programs", &NOT_FOR_PROGRAMS);

impl Frontend for ClpFrontend {
    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[("clp", "constraint logic programs")]
    }

    fn scope(&self) -> Scope {
        SCOPE
    }

    fn read(&self, source: &Source, reading: &Reading, _: &mut Surroundings<'_>) -> Made<Box<dyn Model>> {
        SCOPE.refuse_sizes(reading)?;
        let (clp, warnings) = read(source.model())?;
        Ok((Box::new(clp), warnings))
    }
}

impl Model for Clp {
    fn finite(&self) -> Made<program::Program> {
        let message = "constraint logic programs have no finite instances";
        Err(vec![Diagnostic::global(&NOT_FOR_PROGRAMS, message).help("`tenet prove` proves what they say")])
    }

    fn system(&self, unbounded: &[String]) -> Made<System> {
        SCOPE.refuse_unbounded(unbounded)?;
        match indexed(&self.program) {
            Ok(system) => Ok((system, Vec::new())),
            Err(refusal) => Err(vec![refusal]),
        }
    }

    fn recursive(&self) -> Option<&Program> {
        Some(&self.program)
    }

    fn contents(&self) -> Vec<(&'static str, Vec<String>)> {
        let program = &self.program;
        let printer = Printer::new(program);
        let heads = program.predicates.iter().flat_map(|predicate| {
            predicate.rules.iter().map(|rule| printer.head(&predicate.name, &rule.head)).collect::<Vec<_>>()
        });
        let mut contents = vec![
            ("predicates", names(program.predicates.iter().map(|predicate| &predicate.name))),
            ("rules", heads.collect()),
            ("entailments", names(program.obligations.iter().map(|entailment| &entailment.name))),
        ];
        if let Some(process) = &program.process {
            contents.extend([
                ("transitions", names(process.transitions.iter().map(|transition| &transition.name))),
                ("abstractions", names(process.abstractions.iter().map(|abstraction| &abstraction.name))),
                ("properties", names(process.properties.iter().map(|property| &property.name))),
            ]);
        }
        contents
    }
}
