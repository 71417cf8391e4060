//! The interface of models, whatever their language.

use super::{Reading, Reads};
use crate::btor2::Btor2;
use crate::diagnostic::Diagnostic;
use crate::horn::Horn;
use crate::verilog::Verilog;
use tenet_system::finite::explore::Deadlock;
use tenet_system::finite::program::Program;
use tenet_system::run::Violation;
use tenet_system::{Lemma, Run, System, recursive};

/// Something made of a text or a model, with warnings; or the errors.
pub type Made<T> = Result<(T, Vec<Diagnostic>), Vec<Diagnostic>>;

/// A run that is no counterexample, because it rests on a value that the language leaves open.
#[derive(Clone, Debug)]
pub struct OpenRun {
    /// Why, in a sentence without its end.
    pub why: &'static str,
    /// The system without the steps that rest on such values. Indices stay the same.
    pub closed: System,
}

/// A checked model. Everything is made from the text that was read; what the language does not have is refused, or absent.
pub trait Model: Send + Sync {
    /// The finite reading: the program of the instance that was read.
    fn finite(&self) -> Made<Program>;

    /// A program with some of the runs of the instance, for models whose instances are infinite.
    fn finite_sample(&self) -> Option<Program> {
        None
    }

    /// Are there finite instances, which can be explored?
    fn has_instances(&self) -> bool {
        false
    }

    /// Which states count as deadlocks by default.
    fn deadlock(&self) -> Deadlock {
        Deadlock::Off
    }

    /// The types of any size with the sizes in the text, for a description of the instance.
    fn written_sizes(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// The constants with the values in the text.
    fn written_consts(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The reading with a size for everything that is unbounded.
    fn sized(&self, reading: &Reading, _size: u64) -> Reading {
        reading.clone()
    }

    /// The reading for every size except those that were fixed; `unbounded` names further unbounded types.
    fn system(&self, unbounded: &[String]) -> Made<System>;

    /// The ranges that are mere index sets, bounded by a constant or not at all, and can all be unbounded together.
    fn index_ranges(&self) -> Vec<String> {
        Vec::new()
    }

    /// Is one of these ranges unbounded in the text?
    fn is_endless(&self, _ranges: &[String]) -> bool {
        false
    }

    /// The obligations for no undefined value to be read.
    fn reads(&self, _unbounded: &[String]) -> Reads {
        Reads::Defined
    }

    /// The recursive program, if it is one.
    fn recursive(&self) -> Option<&recursive::Program> {
        None
    }

    /// The circuit, if it is one.
    fn circuit(&self) -> Option<&Btor2> {
        None
    }

    /// The design that the circuit comes from.
    fn design(&self) -> Option<&Verilog> {
        None
    }

    /// The Horn clauses, if it consists of these.
    fn clauses(&self) -> Option<&Horn> {
        None
    }

    /// Replays a run of the system in the language's own semantics, if that is different; an error says where they differ.
    fn replay(&self, _system: &System, _violation: &Violation) -> Result<(), String> {
        Ok(())
    }

    /// A run in the witness format of tools for the language; an error says why it cannot be written so.
    fn witness(&self, _system: &System, _violation: &Violation) -> Option<Result<String, String>> {
        None
    }

    /// A proof in the format of solvers for the language.
    fn interpretation(&self, _system: &mut System, _lemmas: &[Lemma]) -> Option<String> {
        None
    }

    /// A replayed run in the format of solvers for the language; `text` is that of the model.
    fn derivation(&self, _system: &System, _run: &Run, _text: &str) -> Option<String> {
        None
    }

    /// Why the run is no counterexample, if it is none.
    fn open_run(&self, _system: &System, _run: &Run) -> Option<OpenRun> {
        None
    }

    /// A lemma as an invariant of the language, ready to be put into the text; `formula` is the lemma in words.
    fn invariant(&self, _system: &System, _name: &str, _lemma: &Lemma, _formula: &str) -> Option<String> {
        None
    }

    /// The names of everything declared, by kind.
    fn contents(&self) -> Vec<(&'static str, Vec<String>)>;
}

/// A list of names.
pub(crate) fn names<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    names.cloned().collect()
}
