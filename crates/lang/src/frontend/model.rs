//! What a model offers, whatever its language.

use super::{Reading, Reads};
use crate::btor2::Btor2;
use crate::diagnostic::Diagnostic;
use crate::horn::Horn;
use crate::verilog::Verilog;
use tenet_system::finite::explore::Deadlock;
use tenet_system::finite::program::Program;
use tenet_system::run::Violation;
use tenet_system::{Lemma, Run, System, recursive};

/// Something that was made of a text or a model, with warnings; or why it cannot be made.
pub type Made<T> = Result<(T, Vec<Diagnostic>), Vec<Diagnostic>>;

/// A run that shows nothing, because it rests on a value that the language leaves open.
#[derive(Clone, Debug)]
pub struct OpenRun {
    /// Why, in a sentence without its end.
    pub why: &'static str,
    /// The system without the steps that rest on such values. Everything has the position that it had.
    pub closed: System,
}

/// A checked model. Everything that it is asked for is made from the text that was read; what its language does not have is refused,
/// or absent.
pub trait Model: Send + Sync {
    /// The finite reading: the program of the instance that was read.
    fn finite(&self) -> Made<Program>;

    /// A program that has some of the runs of the instance, for models of which the whole would be infinite.
    fn finite_sample(&self) -> Option<Program> {
        None
    }

    /// Has it finite instances, which can be explored?
    fn has_instances(&self) -> bool {
        false
    }

    /// Which states count as deadlocks if nobody says it.
    fn deadlock(&self) -> Deadlock {
        Deadlock::Off
    }

    /// The types of any size with the sizes that are written, for a description of the instance.
    fn written_sizes(&self) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// The reading with a size for everything that is unbounded.
    fn sized(&self, reading: &Reading, _size: u64) -> Reading {
        reading.clone()
    }

    /// The reading for every size but those that were fixed; `unbounded` is what else is of any size.
    fn system(&self, unbounded: &[String]) -> Made<System>;

    /// The ranges that are mere index sets, bounded by a constant or without an end, and can be of any size all together.
    fn index_ranges(&self) -> Vec<String> {
        Vec::new()
    }

    /// Has one of these ranges no end, as it is written?
    fn is_endless(&self, _ranges: &[String]) -> bool {
        false
    }

    /// What has to be shown for no undefined value to be read.
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

    /// The design that the circuit was made of.
    fn design(&self) -> Option<&Verilog> {
        None
    }

    /// The Horn clauses, if it consists of these.
    fn clauses(&self) -> Option<&Horn> {
        None
    }

    /// The files that it includes: name and text.
    fn included(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Repeats a run of the system in the language's own semantics, if that is another one; or says where it does something else.
    fn replay(&self, _system: &System, _violation: &Violation) -> Result<(), String> {
        Ok(())
    }

    /// A run in the format for witnesses that tools for the language read; or why it cannot be written so.
    fn witness(&self, _system: &System, _violation: &Violation) -> Option<Result<String, String>> {
        None
    }

    /// A proof in the words of solvers for the language.
    fn interpretation(&self, _system: &mut System, _lemmas: &[Lemma]) -> Option<String> {
        None
    }

    /// A run that was replayed, in the words of solvers for the language; `text` is that of the model.
    fn derivation(&self, _system: &System, _run: &Run, _text: &str) -> Option<String> {
        None
    }

    /// That the run shows nothing, if it does.
    fn open_run(&self, _system: &System, _run: &Run) -> Option<OpenRun> {
        None
    }

    /// What is in it: the names of everything, by kind.
    fn contents(&self) -> Vec<(&'static str, Vec<String>)>;
}

/// A list of names.
pub(crate) fn names<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    names.cloned().collect()
}
