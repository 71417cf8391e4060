//! Cubicle's front end.

use super::{ast, check, finite, lower, parse, paste};
use crate::codes::cubicle::NO_OTHER_FILES;
use crate::diagnostic::Diagnostic;
use crate::frontend::{Findings, Frontend, Made, Model, Reading, Scope, Source, Surroundings, names};
use tenet_system::finite::program::Program;
use tenet_system::{Lemma, System};
use tenet_term::{Sort, SymbolId};

/// `.cub`.
#[derive(Clone, Copy, Debug)]
pub struct CubicleFrontend;

struct Cubicle {
    tree: ast::Model,
    settings: check::Settings,
    /// The system for every size.
    system: System,
}

impl Frontend for CubicleFrontend {
    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[("cub", "Cubicle")]
    }

    fn scope(&self) -> Scope {
        Scope::plain("Cubicle files", &NO_OTHER_FILES)
    }

    fn read(&self, source: &Source, reading: &Reading, _: &mut Surroundings<'_>) -> Made<Box<dyn Model>> {
        let mut found = Findings::default();
        let (tree, more) = parse(source.model());
        found.add(more)?;
        let (consts, sizes) = (reading.consts.clone(), reading.sizes.clone());
        let settings = check::Settings { consts, sizes, fix_sizes: false };
        let (model, more) = check::check(&tree, &settings);
        found.add(more)?;
        let system = lower::lower(model);
        Ok((Box::new(Cubicle { tree, settings, system }), found.warnings()))
    }
}

impl Model for Cubicle {
    fn finite(&self) -> Made<Program> {
        match finite::program(&self.system, &self.settings.sizes) {
            Ok(program) => Ok((program, Vec::new())),
            Err(refusal) => Err(vec![refusal]),
        }
    }

    fn finite_sample(&self) -> Option<Program> {
        finite::sample(&self.system, &self.settings.sizes)
    }

    fn has_instances(&self) -> bool {
        true
    }

    fn sized(&self, reading: &Reading, size: u64) -> Reading {
        let mut sized = reading.clone();
        let sorts = self.system.store.sorts().filter_map(|(_, sort)| match sort {
            Sort::Index { name } => Some(name.clone()),
            _ => None,
        });
        sized.complete(sorts.collect(), self.consts(), size);
        sized
    }

    /// Types with a given size are finite here.
    fn system(&self, unbounded: &[String]) -> Made<System> {
        if let Some(name) = unbounded.first() {
            let message = format!("`--unbounded {name}` does not apply to Cubicle files");
            let help =
                "everything is unbounded already; fix sizes with `--size` and constants with `--const`";
            return Err(vec![Diagnostic::global(&NO_OTHER_FILES, message).help(help)]);
        }
        if self.settings.sizes.is_empty() {
            return Ok((self.system.clone(), Vec::new()));
        }
        let settings = check::Settings { fix_sizes: true, ..self.settings.clone() };
        // Diagnostics have been reported when the file was checked without sizes.
        let (model, found) = check::check(&self.tree, &settings);
        let errors: Vec<Diagnostic> = found.into_iter().filter(Diagnostic::is_error).collect();
        if errors.is_empty() { Ok((lower::lower(model), Vec::new())) } else { Err(errors) }
    }

    fn invariant(&self, system: &System, _: &str, lemma: &Lemma, _: &str) -> Option<String> {
        paste::forbidden(system, lemma)
    }

    fn contents(&self) -> Vec<(&'static str, Vec<String>)> {
        let system = &self.system;
        vec![
            ("constants", self.consts()),
            ("variables", names(system.state.iter().map(|var| &system.store.symbol(var.symbol).name))),
            ("startstates", names(system.starts.iter().map(|start| &start.name))),
            ("rules", names(system.rules.iter().map(|rule| &rule.name))),
            ("invariants", names(system.properties.iter().map(|property| &property.name))),
            ("axioms", names(system.axioms.iter().map(|axiom| &axiom.name))),
        ]
    }
}

impl Cubicle {
    /// The numeric constants.
    fn consts(&self) -> Vec<String> {
        let store = &self.system.store;
        let is_number = |symbol: &&SymbolId| store.sort(store.symbol(**symbol).sort).is_numeric();
        self.system.consts.iter().filter(is_number).map(|&symbol| store.symbol(symbol).name.clone()).collect()
    }
}
