//! The front end of Horn clauses.
//!
//! Answers can be written in the format of the solver competition (CHC-COMP). *Safe* is `sat`, with a definition of every
//! relation of the file: the lemmas for those that are control locations, and consequences of these for the others. *Unsafe* is
//! `unsat`, with a derivation of `false` from the clauses of the file.

use super::{Horn, derivation, interpretation, read};
use crate::codes::horn::{NO_INSTANCE, NOT_FOR_CLAUSES};
use crate::diagnostic::Diagnostic;
use crate::frontend::{Frontend, Made, Model, OpenRun, Reading, Scope, Source, Surroundings, names};
use tenet_system::finite::program::Program;
use tenet_system::{Lemma, Run, System};

/// `.smt2`.
#[derive(Clone, Copy, Debug)]
pub struct HornFrontend;

const SCOPE: Scope = Scope::plain("Horn clauses", &NOT_FOR_CLAUSES);

impl Frontend for HornFrontend {
    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[("smt2", "Horn clauses")]
    }

    fn scope(&self) -> Scope {
        SCOPE
    }

    fn read(&self, source: &Source, reading: &Reading, _: &mut Surroundings<'_>) -> Made<Box<dyn Model>> {
        SCOPE.refuse_sizes(reading)?;
        let (horn, warnings) = read(source.model())?;
        Ok((Box::new(horn), warnings))
    }
}

impl Model for Horn {
    fn finite(&self) -> Made<Program> {
        Err(vec![
            Diagnostic::global(&NO_INSTANCE, "Horn clauses have no finite instances")
                .help("`tenet prove` reads them as they are"),
        ])
    }

    fn system(&self, unbounded: &[String]) -> Made<System> {
        SCOPE.refuse_unbounded(unbounded)?;
        Ok((self.lowered.system.clone(), Vec::new()))
    }

    fn clauses(&self) -> Option<&Horn> {
        Some(self)
    }

    /// Relations have no indices, so lemmas about all of them would have no meaning here; no engine that takes Horn clauses makes
    /// any.
    fn interpretation(&self, system: &mut System, lemmas: &[Lemma]) -> Option<String> {
        if lemmas.iter().any(|lemma| !lemma.vars.is_empty()) {
            return None;
        }
        let invariant = system.store.mk_and(lemmas.iter().map(|lemma| lemma.body));
        let definitions = interpretation::interpretation(&mut system.store, self, invariant);
        Some(interpretation::text(&system.store, &definitions))
    }

    fn derivation(&self, system: &System, run: &Run, text: &str) -> Option<String> {
        Some(match derivation::derivation(&system.store, self, run) {
            Ok(facts) => derivation::text(self, &facts, text),
            // The run is valid even if it cannot be written as a derivation.
            Err(why) => format!("unsat\n; there is no derivation to be shown: {why:?}\n"),
        })
    }

    fn open_run(&self, system: &System, run: &Run) -> Option<OpenRun> {
        let why =
            "the run that was found rests on the value of a division by zero, which SMT-LIB leaves open";
        self.is_open_run(run).then(|| OpenRun { why, closed: self.without_open(system) })
    }

    fn contents(&self) -> Vec<(&'static str, Vec<String>)> {
        let system = &self.lowered.system;
        vec![
            ("relations", names(self.relations.iter().map(|relation| &relation.name))),
            ("variables", names(system.state.iter().map(|var| &system.store.symbol(var.symbol).name))),
            ("startstates", names(system.starts.iter().map(|start| &start.name))),
            ("rules", names(system.rules.iter().map(|rule| &rule.name))),
            ("invariants", names(system.properties.iter().map(|property| &property.name))),
        ]
    }
}
