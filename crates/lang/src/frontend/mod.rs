//! The interface of all languages: how a text becomes a model, and what a model offers.
//!
//! A [`Frontend`] reads a [`Source`] as a [`Reading`] says and gives a [`Model`]: its finite reading, its reading for every size,
//! and whatever else the language offers. [`LANGUAGES`] is the one table of languages and file endings; the verifier and the
//! checker of certificates both use it. A new language is a folder with these two traits and a line there.

mod findings;
mod model;
mod reading;
mod source;
mod table;

pub use crate::murphi::unbounded::Reads;
pub(crate) use findings::Findings;
pub(crate) use model::names;
pub use model::{Made, Model, OpenRun};
pub use reading::{Reading, Record};
pub use source::{Source, decode};
pub use table::{LANGUAGES, by_ending, load};

use crate::diagnostic::{Diagnostic, Explanation};

pub trait Frontend: Sync {
    /// The file endings, each with a name for such files.
    fn endings(&self) -> &'static [(&'static str, &'static str)];

    /// Which options apply, and how the others are refused.
    fn scope(&self) -> Scope;

    /// Reads a model. The source is complete except for included files, which are requested through the surroundings.
    fn read(&self, source: &Source, reading: &Reading, around: &mut Surroundings<'_>)
    -> Made<Box<dyn Model>>;
}

/// Which options apply to files of a language.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// The name of such files in sentences: `Horn clauses`.
    pub noun: &'static str,
    /// The code of the error for an option that does not apply.
    pub refusal: &'static Explanation,
    /// Whether a second file may add predicates.
    pub takes_predicates: bool,
    /// Whether it is a design in a hardware description language, with a top module, a clock and included files.
    pub is_design: bool,
}

impl Scope {
    /// For a language whose files are read without options: the name of such files, and the code for options.
    pub(crate) const fn plain(noun: &'static str, refusal: &'static Explanation) -> Scope {
        Scope { noun, refusal, takes_predicates: false, is_design: false }
    }

    /// The error for an option that does not apply.
    pub fn refuse(&self, option: &str) -> Diagnostic {
        Diagnostic::global(self.refusal, format!("`{option}` does not apply to {}", self.noun))
    }

    /// Refuses sizes, constants and names of unbounded types where there are none.
    pub fn refuse_sizes(&self, reading: &Reading) -> Result<(), Vec<Diagnostic>> {
        let options = [
            ("--size", reading.sizes.first().map(|(name, _)| name)),
            ("--const", reading.consts.first().map(|(name, _)| name)),
            ("--unbounded", reading.unbounded.first()),
        ];
        match options.into_iter().find_map(|(option, name)| Some((option, name?))) {
            None => Ok(()),
            Some((option, name)) => Err(vec![self.refuse(&format!("{option} {name}"))]),
        }
    }

    /// Refuses names of unbounded types alone.
    pub(crate) fn refuse_unbounded(&self, unbounded: &[String]) -> Result<(), Vec<Diagnostic>> {
        self.refuse_sizes(&Reading { unbounded: unbounded.to_vec(), ..Reading::default() })
    }
}

/// What a front end may request while it reads.
pub struct Surroundings<'a> {
    /// The content of another file, by name.
    pub files: &'a mut dyn FnMut(&str) -> Option<Vec<u8>>,
    /// Whether it is cancelled, for front ends that run other programs.
    pub is_over: &'a mut dyn FnMut() -> bool,
    /// The files that the model turned out to consist of, beside the first: name and text. They are there after an error, too,
    /// because places are those of all texts together ([`Source::parts`]).
    pub included: Vec<(String, String)>,
}

impl<'a> Surroundings<'a> {
    pub fn new(
        files: &'a mut dyn FnMut(&str) -> Option<Vec<u8>>,
        is_over: &'a mut dyn FnMut() -> bool,
    ) -> Surroundings<'a> {
        Surroundings { files, is_over, included: Vec::new() }
    }
}

impl Surroundings<'_> {
    /// Gives a reader surroundings without other files and without cancellation.
    pub fn none<T>(read: impl FnOnce(&mut Surroundings<'_>) -> T) -> T {
        read(&mut Surroundings::new(&mut |_| None, &mut || false))
    }
}
