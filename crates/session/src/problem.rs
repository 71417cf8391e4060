//! A model with the texts that it was read from.

use crate::answer::{Answer, NoAnswer};
use crate::choose::{self, Plan, Target};
use crate::job::Job;
use crate::{Budget, Observer, Question, first_look, recursive, rounds, unread};
use std::sync::Arc;
use tenet_engine::Engine;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::{self, Frontend, LANGUAGES, Model, Reading, Source, Surroundings};
use tenet_proof::Checker;
use tenet_report::source::Text;
use tenet_report::view::Instance;
use tenet_system::{PropertyKind, System};
use tenet_term::TermId;

/// A checked model, its texts, and how it was read.
pub struct Problem {
    languages: &'static [&'static dyn Frontend],
    source: Arc<Source>,
    reading: Reading,
    model: Box<dyn Model>,
    warnings: Vec<Diagnostic>,
}

impl Problem {
    /// Reads a model in the language that its name tells; or says what is wrong with it.
    pub fn load(
        source: impl Into<Arc<Source>>,
        reading: Reading,
        around: &mut Surroundings<'_>,
    ) -> Result<Problem, Vec<Diagnostic>> {
        Problem::load_with(LANGUAGES, source, reading, around)
    }

    /// The same with other languages than those of the table.
    pub fn load_with(
        languages: &'static [&'static dyn Frontend],
        source: impl Into<Arc<Source>>,
        reading: Reading,
        around: &mut Surroundings<'_>,
    ) -> Result<Problem, Vec<Diagnostic>> {
        let mut source = source.into();
        let (model, warnings) = frontend::load(languages, &source, &reading, around)?;
        if !around.included.is_empty() {
            Arc::make_mut(&mut source).included = std::mem::take(&mut around.included);
        }
        Ok(Problem { languages, source, reading, model, warnings })
    }

    /// The texts, with those of the files that the model includes.
    pub fn source(&self) -> &Arc<Source> {
        &self.source
    }

    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    pub fn model(&self) -> &dyn Model {
        &*self.model
    }

    /// What was said about the model when it was read.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The text, for finding places in it.
    pub fn text(&self) -> Text<'_> {
        Text::of(&self.source)
    }

    /// What makes an instance finite: every type of any size, and what the reading sets.
    pub fn instance(&self, reading: &Reading) -> Instance {
        instance(self.model(), reading)
    }

    /// The same texts with other sizes and constants, if they can be read so.
    pub(crate) fn resized(&self, reading: &Reading) -> Option<Box<dyn Model>> {
        let read =
            |around: &mut Surroundings<'_>| frontend::load(self.languages, &self.source, reading, around);
        Surroundings::none(read).ok().map(|(model, _)| model)
    }

    /// The independent checker, for the languages of this problem.
    pub(crate) fn checker(&self) -> Checker {
        Checker { languages: self.languages, ..Checker::default() }
    }

    /// What the checker reads: the texts as they were read, by the names of their files.
    pub(crate) fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        let text = self.source.file(name).ok_or_else(|| format!("{name} was not read"))?;
        Ok(text.as_bytes().to_vec())
    }

    /// Proves or refutes every property that is asked about. What is called safe was confirmed by the independent checker, and what is
    /// called unsafe was replayed.
    pub fn prove(
        &self,
        question: &Question,
        budget: &Budget,
        observer: &Arc<dyn Observer>,
    ) -> Result<Answer, NoAnswer> {
        let job = self.job(question, budget, observer);
        if let Some(answer) = first_look::as_written(&job) {
            return answer;
        }
        match choose::plan(self, question) {
            Ok(plan) => self.carry_out(plan, question, budget, observer),
            Err(refused) => unread::run(&job, &refused).unwrap_or(Err(NoAnswer::Refused(refused))),
        }
    }

    /// The same by an engine that need not be in the table.
    pub fn prove_with(
        &self,
        engine: Box<dyn Engine>,
        question: &Question,
        budget: &Budget,
        observer: &Arc<dyn Observer>,
    ) -> Result<Answer, NoAnswer> {
        let plan = choose::plan_with(self, engine).map_err(NoAnswer::Refused)?;
        self.carry_out(plan, question, budget, observer)
    }

    /// A question about the problem as it was loaded.
    fn job<'a>(
        &'a self,
        question: &'a Question,
        budget: &'a Budget,
        observer: &'a Arc<dyn Observer>,
    ) -> Job<'a> {
        let (reading, is_larger, is_about_reads, violated) = (&self.reading, false, false, &[][..]);
        Job { problem: self, question, reading, budget, observer, is_larger, is_about_reads, violated }
    }

    fn carry_out(
        &self,
        Plan { subject, engine, reading, is_larger }: Plan,
        question: &Question,
        budget: &Budget,
        observer: &Arc<dyn Observer>,
    ) -> Result<Answer, NoAnswer> {
        let job = Job { reading: &reading, is_larger, ..self.job(question, budget, observer) };
        let mut answer = match subject {
            Target::Program(program) => recursive::run(&job, program, &*engine),
            Target::System(mut system) => {
                if question.begins_with_invariants {
                    begin_with_invariants(&mut system);
                }
                rounds::run(&job, &mut system, &*engine)
            }
        }?;
        // A guess belongs to the verdict.
        if let Some(reset) = self.model.design().and_then(|design| design.guessed_reset.as_ref()) {
            answer.report.headline.push_str(&format!(" (guessed: --reset '{reset}')"));
        }
        Ok(answer)
    }
}

/// Makes the invariants candidates for lemmas, also those that nothing is asked about.
fn begin_with_invariants(system: &mut System) {
    let invariants = system.properties.iter().filter(|property| property.kind == PropertyKind::Invariant);
    let formulas: Vec<TermId> = invariants.map(|property| property.formula).collect();
    system.candidates.extend(formulas);
}

/// What makes an instance of a model finite.
pub(crate) fn instance(model: &dyn Model, reading: &Reading) -> Instance {
    let mut sizes = model.written_sizes();
    let given = reading.sizes.iter().filter(|(name, _)| !sizes.iter().any(|(known, _)| known == name));
    let given: Vec<_> = given.cloned().collect();
    sizes.extend(given);
    Instance { sizes, ..fixed(reading) }
}

/// What a reading fixes: everything else is of any size.
pub(crate) fn fixed(reading: &Reading) -> Instance {
    let consts = reading.consts.iter().map(|(name, value)| (name.clone(), value.to_string()));
    Instance { sizes: reading.sizes.clone(), consts: consts.collect() }
}
