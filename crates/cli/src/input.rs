//! From a file name to a problem: reads the files, checks them, and prints their diagnostics.
//!
//! A file is refused by its size before it is read, so that a wrong name on the command line costs nothing. Each file is read once.

use crate::args::ModelArgs;
use crate::clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::verilog_args::choose_yosys;
use crate::watchdog;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use tenet_lang::codes::{syntax, verilog as verilog_codes};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::{LANGUAGES, Made, Source, Surroundings, by_ending, decode};
use tenet_lang::render;
use tenet_lang::verilog::sources::Others;
use tenet_report::source::Text;
use tenet_report::style::Style;
use tenet_report::{codes, json};
use tenet_session::Problem;

/// The size in bytes up to which models are read.
pub const MAX_BYTES: u64 = 16 << 20;

/// A file and all its diagnostics.
pub struct Input {
    /// The texts; empty if they could not be read.
    pub source: Arc<Source>,
    pub diagnostics: Vec<Diagnostic>,
    /// The number of these that were printed.
    pub shown: usize,
}

/// A part; `None` if the input has errors.
type Accepted<T> = Option<T>;

impl Input {
    /// A file that is not read as a model.
    pub fn unread(path: &Path) -> Input {
        Input::of(Source::new(path.to_string_lossy(), ""))
    }

    /// A text that is not a model.
    pub fn of(source: Source) -> Input {
        Input { source: Arc::new(source), diagnostics: Vec::new(), shown: 0 }
    }

    /// Reads and checks a model.
    pub fn load(args: &ModelArgs) -> (Input, Accepted<Problem>) {
        Input::load_with(args, None, &[])
    }

    /// Reads and checks a model together with a predicates file; `unbounded` names further unbounded types.
    pub fn load_with(
        args: &ModelArgs,
        predicates: Option<&Path>,
        unbounded: &[String],
    ) -> (Input, Accepted<Problem>) {
        let mut input = Input::unread(args.main());
        let problem = input.read(args, predicates).and_then(|(source, others)| {
            input.source = Arc::new(source);
            choose_yosys(args.verilog.yosys.as_deref());
            // If the command is cancelled while Yosys runs, its temporary files are removed. Without a handler, nothing else is
            // lost.
            let _ = clock::catch_interrupts();
            let mut files = |name: &str| read_bytes(Path::new(name), MAX_BYTES).ok();
            let mut is_over = clock::is_over;
            let mut around = Surroundings::new(&mut files, &mut is_over);
            let reading = args.reading(unbounded, others);
            let problem = Problem::load(Arc::clone(&input.source), reading, &mut around);
            // Errors may be in any of the files.
            Arc::make_mut(&mut input.source).included = std::mem::take(&mut around.included);
            let problem = input.asked(problem)?;
            input.source = Arc::clone(problem.source());
            input.diagnostics.extend_from_slice(problem.warnings());
            Some(problem)
        });
        (input, problem)
    }

    /// Adds the diagnostics; returns the result if there is no error.
    pub fn made<T>(&mut self, made: Made<T>) -> Accepted<T> {
        match made {
            Ok((made, warnings)) => {
                self.diagnostics.extend(warnings);
                Some(made)
            }
            Err(errors) => {
                self.diagnostics.extend(errors);
                None
            }
        }
    }

    /// Adds the error of a question.
    pub fn asked<T>(&mut self, asked: Result<T, Vec<Diagnostic>>) -> Accepted<T> {
        self.made(asked.map(|asked| (asked, Vec::new())))
    }

    /// The text, for locating places.
    pub fn text(&self) -> Text<'_> {
        Text::of(&self.source)
    }

    /// Prints the errors and returns the exit code for them.
    pub fn reject(&mut self, console: &mut Console, as_json: bool) -> anyhow::Result<Exit> {
        drop(watchdog::answer());
        if as_json {
            let object = json::without_verdict(env!("CARGO_PKG_VERSION"), &self.diagnostics, &self.text());
            console.answer_json(&object)?;
        } else {
            self.show_diagnostics(console);
        }
        let is_environment = |found: &Diagnostic| verilog_codes::ENVIRONMENT.contains(&found.explanation);
        Ok(match self.diagnostics.iter().any(is_environment) {
            true if clock::is_interrupted() => Exit::Interrupted,
            true => Exit::Environment,
            false => Exit::Rejected,
        })
    }

    /// Prints the diagnostics that were not printed yet to stderr.
    pub fn show_diagnostics(&mut self, console: &mut Console) {
        let style = match console.log_style {
            Style::Plain => render::Style::Plain,
            Style::Colour => render::Style::Colour,
        };
        let parts = self.source.parts().into_iter();
        let files: Vec<render::File> =
            parts.map(|(name, content, start)| render::File { name, content, start }).collect();
        console.log(&render::render_files(&self.diagnostics[self.shown..], &files, style));
        self.shown = self.diagnostics.len();
    }

    /// The texts of the model and the predicates file, and what else a design consists of.
    fn read(&mut self, args: &ModelArgs, predicates: Option<&Path>) -> Accepted<(Source, Others)> {
        let mut others = self.asked(args.verilog.others().map_err(|refusal| vec![refusal]))?;
        let further = args.files.iter().map(|file| file.to_string_lossy().into_owned());
        others.files.splice(0..0, further);
        if others.files.is_empty() {
            return self.refuse(Diagnostic::global(&verilog_codes::FILE_LIST, "the list names no file"));
        }
        let name = others.files.remove(0);
        self.source = Arc::new(Source::new(name.clone(), ""));
        let bytes = match read_bytes(Path::new(&name), MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(refusal) => return self.refuse(refusal),
        };
        let scope = match by_ending(LANGUAGES, &name) {
            Ok(language) => language.scope(),
            Err(refusal) => return self.refuse(refusal),
        };
        let source = match decode(bytes) {
            Ok(text) => Source::new(name, text),
            Err(refusal) => return self.refuse(refusal),
        };
        if let (false, Some(_)) = (scope.takes_predicates, predicates) {
            return self.refuse(scope.refuse("--predicates"));
        }
        if let (false, Some(refusal)) = (scope.is_design, args.verilog.refusal()) {
            return self.refuse(refusal);
        }
        if let (false, Some(file)) = (scope.is_design, others.files.first()) {
            let message = format!("only a Verilog design has several files, but there is also `{file}`");
            return self.refuse(Diagnostic::global(&verilog_codes::ONLY_FOR_VERILOG, message));
        }
        let Some(file) = predicates else { return Some((source, others)) };
        let name = file.to_string_lossy().into_owned();
        match read_bytes(file, MAX_BYTES).and_then(decode) {
            Ok(text) => Some((source.with_predicates(name, &text), others)),
            // The error has no place: name the file. The model's text is kept for other diagnostics.
            Err(refusal) => {
                self.source = Arc::new(source.with_predicates(name.clone(), ""));
                let message = format!("{name}: {}", refusal.message);
                self.refuse(Diagnostic { message, ..refusal })
            }
        }
    }

    pub fn refuse<T>(&mut self, error: Diagnostic) -> Accepted<T> {
        self.diagnostics.push(error);
        None
    }
}

/// The content of a file that is not too large. Its length is unreliable (pipes, devices), so reading is bounded as
/// well.
pub fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, Diagnostic> {
    let unreadable = |why: String| Diagnostic::global(&codes::UNREADABLE, why);
    let file = File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => unreadable("there is no such file".to_string()),
        _ => unreadable(format!("cannot open the file: {error}")),
    })?;
    let data = file.metadata().map_err(|error| unreadable(format!("cannot open the file: {error}")))?;
    if data.is_dir() {
        return Err(unreadable("this is a folder, not a file".to_string()));
    }
    if data.len() > most {
        return Err(too_large(&format!("{} bytes", data.len()), most));
    }
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(format!("cannot read the file: {error}")))?;
    if bytes.len() as u64 > most { Err(too_large("more", most)) } else { Ok(bytes) }
}

fn too_large(size: &str, most: u64) -> Diagnostic {
    let message = format!("the file has {size}; at most {most} bytes are read");
    Diagnostic::global(&syntax::TOO_LARGE, message).help("is this the right file?")
}
