//! From a file name to a model: reads, parses, checks and, for finite instances, lowers.
//!
//! Every step gives diagnostics; the first step with an error is the last. A file is refused by its size before it is
//! read, so that a wrong name on the command line costs nothing.

use crate::args::ModelArgs;
use crate::clock;
use crate::console::Console;
use crate::exit::Exit;
use crate::model::{Cubicle, Made, Model, no_options};
use crate::verilog_args::choose_yosys;
use crate::watchdog;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use tenet_lang::codes::{
    btor2 as btor2_codes, clp as clp_codes, cubicle as cubicle_codes, horn as horn_codes, syntax,
    verilog as verilog_codes,
};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::murphi::check::{Settings, check_with};
use tenet_lang::murphi::{Dialect, parse, parse_predicates};
use tenet_lang::verilog::{self, Verilog};
use tenet_lang::{btor2, clp, cubicle, horn, render};
use tenet_report::source::Text;
use tenet_report::style::Style;
use tenet_report::{codes, json};
use tenet_system::System;
use tenet_system::finite::program::Program;

/// Larger models are not read.
const MAX_BYTES: u64 = 16 << 20;

/// The languages that files are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    Murphi(Dialect),
    Cubicle,
    Horn,
    Btor2,
    Verilog,
    Clp,
}

/// The file endings that are known.
const KNOWN: &[(&str, Language, &str)] = &[
    ("m", Language::Murphi(Dialect::Murphi), "Murphi"),
    ("tenet", Language::Murphi(Dialect::Tenet), "Tenet's own language"),
    ("cub", Language::Cubicle, "Cubicle"),
    ("smt2", Language::Horn, "Horn clauses"),
    ("btor2", Language::Btor2, "BTOR2"),
    ("btor", Language::Btor2, "BTOR2"),
    ("v", Language::Verilog, "Verilog"),
    ("sv", Language::Verilog, "SystemVerilog"),
    ("clp", Language::Clp, "constraint logic programs"),
];

/// A file that was read and everything that was said about it.
pub struct Input {
    /// The file as the user named it.
    pub file: String,
    /// Its content, and behind it that of the predicates file; empty if it could not be read.
    pub content: String,
    /// The predicates file as the user named it, and where its content starts.
    pub predicates: Option<(String, usize)>,
    /// What was said about it.
    pub diagnostics: Vec<Diagnostic>,
    /// How much of that was printed.
    pub shown: usize,
    /// The design, if it is one in Verilog: the circuit is in the model, its branches and other files are here.
    pub verilog: Option<Box<Verilog>>,
}

/// A part, or nothing if the input has errors.
type Accepted<T> = Option<T>;

impl Input {
    /// A file that is not read as a model.
    pub fn unread(path: &Path) -> Input {
        let file = path.to_string_lossy().into_owned();
        Input {
            file,
            content: String::new(),
            predicates: None,
            diagnostics: Vec::new(),
            shown: 0,
            verilog: None,
        }
    }

    /// Reads and checks a model.
    pub fn load(args: &ModelArgs) -> (Input, Accepted<Model>) {
        Input::load_with(args, None)
    }

    /// Reads and checks a model together with a predicates file.
    pub fn load_with(args: &ModelArgs, predicates: Option<&Path>) -> (Input, Accepted<Model>) {
        let mut input = Input::unread(&args.file);
        let language = input.read(&args.file);
        let model = language.and_then(|language| {
            if let (false, Some(_)) = (matches!(language, Language::Murphi(_)), predicates) {
                return input.refuse(no_predicates(language));
            }
            if let (false, Some(refusal)) = (language == Language::Verilog, args.verilog.refusal()) {
                return input.refuse(refusal);
            }
            predicates.map_or(Some(()), |file| input.read_predicates(file))?;
            match language {
                Language::Murphi(dialect) => input.check_murphi(args, dialect),
                Language::Cubicle => input.check_cubicle(args),
                Language::Horn => input.check_horn(),
                Language::Btor2 => input.check_btor2(),
                Language::Verilog => input.check_verilog(args),
                Language::Clp => input.check_clp(args),
            }
        });
        (input, model)
    }

    /// The finite program of a checked model.
    pub fn lower(&mut self, model: &Model) -> Accepted<Program> {
        self.made(model.program())
    }

    /// The reading of a checked model for every size.
    pub fn read_unbounded(&mut self, model: &Model, args: &ModelArgs, names: &[String]) -> Accepted<System> {
        self.made(model.system(args, names))
    }

    /// Keeps what was said, and what was made if there is no error.
    fn made<T>(&mut self, made: Made<T>) -> Accepted<T> {
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

    /// Keeps what is wrong with a question.
    pub fn asked<T>(&mut self, asked: Result<T, Vec<Diagnostic>>) -> Accepted<T> {
        self.made(asked.map(|asked| (asked, Vec::new())))
    }

    /// The content of a file that was read for this model, by the name it was read under.
    pub fn loaded(&self, name: &str) -> Result<Vec<u8>, String> {
        let (model, predicates) = self.contents();
        match &self.predicates {
            _ if name == self.file => Ok(model.as_bytes().to_vec()),
            Some((file, _)) if name == file => Ok(predicates.as_bytes().to_vec()),
            _ => match self.others().find(|(file, _)| *file == name) {
                Some((_, text)) => Ok(text.as_bytes().to_vec()),
                None => Err(format!("{name} was not read")),
            },
        }
    }

    /// The files that the model includes: name and content.
    pub fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.verilog.iter().flat_map(|design| design.files.iter().skip(1));
        files.map(|file| (file.name.as_str(), file.text.as_str()))
    }

    /// The text, for finding places in it.
    pub fn text(&self) -> Text<'_> {
        let second = self.predicates.as_ref().map(|(file, start)| (file.as_str(), *start));
        Text { file: &self.file, content: &self.content, second }
    }

    /// Prints what is wrong and gives the exit code for it.
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

    /// Prints the diagnostics on stderr that were not printed yet.
    pub fn show_diagnostics(&mut self, console: &mut Console) {
        let style = match console.log_style {
            Style::Plain => render::Style::Plain,
            Style::Colour => render::Style::Colour,
        };
        let (model, predicates) = self.contents();
        let mut files = vec![render::File { name: &self.file, content: model, start: 0 }];
        if let Some((name, start)) = &self.predicates {
            files.push(render::File { name, content: predicates, start: *start });
        }
        console.log(&render::render_files(&self.diagnostics[self.shown..], &files, style));
        self.shown = self.diagnostics.len();
    }

    /// The file's content and language.
    fn read(&mut self, path: &Path) -> Accepted<Language> {
        let bytes = match read_bytes(path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(refusal) => return self.refuse(refusal),
        };
        let language = match language(path) {
            Ok(language) => language,
            Err(refusal) => return self.refuse(refusal),
        };
        self.content = self.decode(bytes)?;
        Some(language)
    }

    fn decode(&mut self, bytes: Vec<u8>) -> Accepted<String> {
        match String::from_utf8(bytes) {
            Ok(content) => Some(content),
            Err(error) => self.refuse(not_text(error.as_bytes(), error.utf8_error().valid_up_to())),
        }
    }

    /// Puts the content of a predicates file behind the model.
    fn read_predicates(&mut self, path: &Path) -> Accepted<()> {
        let name = path.to_string_lossy().into_owned();
        let before = self.diagnostics.len();
        let content = match read_bytes(path, MAX_BYTES) {
            Ok(bytes) => self.decode(bytes),
            Err(refusal) => self.refuse(refusal),
        };
        // These say nothing about where: name the file that is meant.
        for refusal in &mut self.diagnostics[before..] {
            refusal.message = format!("{name}: {}", refusal.message);
        }
        self.predicates = Some((name, self.content.len()));
        self.content.push_str(&content?);
        Some(())
    }

    /// The model and the predicates file.
    fn contents(&self) -> (&str, &str) {
        let start = self.predicates.as_ref().map_or(self.content.len(), |(_, start)| *start);
        self.content.split_at(start)
    }

    fn check_murphi(&mut self, args: &ModelArgs, dialect: Dialect) -> Accepted<Model> {
        let (tree, found) = parse(self.contents().0, dialect);
        self.accept(found)?;
        let predicates = match self.predicates {
            None => None,
            Some((_, start)) => {
                let (predicates, found) = parse_predicates(&self.content, start);
                self.accept(found)?;
                Some(predicates)
            }
        };
        let settings = Settings { consts: args.consts.clone(), sizes: args.sizes.clone(), dialect };
        let (model, found) = check_with(&tree, predicates.as_ref(), &settings);
        self.accept(found)?;
        Some(Model::Murphi(Box::new(model)))
    }

    fn check_cubicle(&mut self, args: &ModelArgs) -> Accepted<Model> {
        let (tree, found) = cubicle::parse(&self.content);
        self.accept(found)?;
        let (consts, sizes) = (args.consts.clone(), args.sizes.clone());
        let settings = cubicle::check::Settings { consts, sizes, fix_sizes: false };
        let (model, found) = cubicle::check::check(&tree, &settings);
        self.accept(found)?;
        let system = cubicle::lower::lower(model);
        Some(Model::Cubicle(Box::new(Cubicle { tree, settings, system })))
    }

    fn check_horn(&mut self) -> Accepted<Model> {
        let read = self.made(horn::read(&self.content))?;
        Some(Model::Horn(Box::new(read)))
    }

    fn check_btor2(&mut self) -> Accepted<Model> {
        let read = self.made(btor2::read(&self.content))?;
        Some(Model::Btor2(Box::new(read)))
    }

    fn check_clp(&mut self, args: &ModelArgs) -> Accepted<Model> {
        if let Err(refusals) =
            no_options(args, &[], &clp_codes::NOT_FOR_PROGRAMS, "constraint logic programs")
        {
            self.diagnostics.extend(refusals);
            return None;
        }
        let read = self.made(clp::read(&self.content))?;
        Some(Model::Clp(Box::new(read)))
    }

    fn check_verilog(&mut self, args: &ModelArgs) -> Accepted<Model> {
        choose_yosys(args.verilog.yosys.as_deref());
        // Who stops the command while Yosys runs leaves no files behind. If signals cannot be caught, nothing else is lost.
        let _ = clock::catch_interrupts();
        let consts = args.consts.iter().map(|(name, value)| (name.clone(), value.to_string()));
        let options = args.verilog.options(consts);
        let mut files = |name: &str| read_bytes(Path::new(name), MAX_BYTES).ok();
        let read = verilog::read(&self.file, &self.content, &options, &mut files, &mut clock::is_over);
        let design = self.made(read)?;
        let circuit = design.circuit.clone();
        self.verilog = Some(Box::new(design));
        Some(Model::Btor2(Box::new(circuit)))
    }

    fn accept(&mut self, found: Vec<Diagnostic>) -> Accepted<()> {
        let has_errors = found.iter().any(Diagnostic::is_error);
        self.diagnostics.extend(found);
        (!has_errors).then_some(())
    }

    /// Adds an error.
    pub fn refuse<T>(&mut self, error: Diagnostic) -> Accepted<T> {
        self.diagnostics.push(error);
        None
    }
}

/// The content of a file that is not too large. Its length may lie (pipes, devices), so reading is bounded as well.
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

/// Says where the text stops being text. Old models may be in Latin-1; what contains zeros is no text at all.
fn not_text(bytes: &[u8], offset: usize) -> Diagnostic {
    let line = bytes[..offset].iter().filter(|byte| **byte == b'\n').count() + 1;
    let byte = bytes.get(offset).copied().unwrap_or_default();
    let message =
        format!("this is not UTF-8 text: the byte {byte:#04x} in line {line} does not belong there");
    Diagnostic::global(&syntax::NOT_TEXT, message).help(match bytes.contains(&0) {
        true => "is this the right file?",
        false => "if it is Latin-1, convert it: iconv -f latin1 -t utf-8 OLD.m > NEW.m",
    })
}

fn too_large(size: &str, most: u64) -> Diagnostic {
    let message = format!("the file has {size}; at most {most} bytes are read");
    Diagnostic::global(&syntax::TOO_LARGE, message).help("is this the right file?")
}

fn language(path: &Path) -> Result<Language, Diagnostic> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
    let known =
        KNOWN.iter().find(|(known, ..)| ending.as_deref().is_some_and(|e| e.eq_ignore_ascii_case(known)));
    if let Some((_, language, _)) = known {
        return Ok(*language);
    }
    let message = match ending {
        Some(ending) => format!("files that end in `.{ending}` are not known"),
        None => "the file's name has no ending that tells its language".to_string(),
    };
    let list: Vec<String> = KNOWN.iter().map(|(ending, _, name)| format!("`.{ending}` ({name})")).collect();
    Err(Diagnostic::global(&codes::UNKNOWN_EXTENSION, message).help(format!("known are {}", list.join(", "))))
}

fn no_predicates(language: Language) -> Diagnostic {
    match language {
        Language::Horn => {
            let message = "`--predicates` does not apply to Horn clauses";
            Diagnostic::global(&horn_codes::NOT_FOR_CLAUSES, message)
        }
        Language::Clp => {
            let message = "`--predicates` does not apply to constraint logic programs";
            Diagnostic::global(&clp_codes::NOT_FOR_PROGRAMS, message)
        }
        Language::Btor2 | Language::Verilog => {
            let message = "`--predicates` does not apply to circuits";
            Diagnostic::global(&btor2_codes::NOT_FOR_CIRCUITS, message)
        }
        _ => {
            let message = "`--predicates` does not apply to Cubicle files";
            Diagnostic::global(&cubicle_codes::NO_OTHER_FILES, message)
        }
    }
}
