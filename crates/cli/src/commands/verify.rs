//! `tenet verify`: checks a certificate against its model.

use crate::args::VerifyArgs;
use crate::console::Console;
use crate::exit::Exit;
use crate::files::{axioms_beside, reads_beside};
use crate::input::{Input, read_bytes};
use crate::verilog_args::choose_yosys;
use anyhow::bail;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tenet_lang::diagnostic::Diagnostic;
use tenet_proof::{Backend, Checker, Kind, Rejection, Verified};
use tenet_report::codes;
use tenet_report::verification::Verification;
use tenet_session::solver_name;

/// Larger certificates, and models, are not read.
const MAX_BYTES: u64 = 1 << 30;

/// Runs the command.
pub fn run(args: &VerifyArgs, console: &mut Console) -> anyhow::Result<Exit> {
    let start = Instant::now();
    let (backend, solver) = backend(&args.solver)?;
    choose_yosys(args.yosys.as_deref());
    let mut input = Input::unread(&args.certificate);
    let Some(text) = read_certificate(args, &mut input) else { return input.reject(console, args.json) };
    let mut files = Files::new(args);
    let checker = Checker { backend, ..Checker::default() };
    let result = verify_all(&text, &args.certificate, &checker, &mut files);
    if let Some(error) = files.unreadable {
        input.diagnostics.push(error);
        return input.reject(console, args.json);
    }
    let seconds = start.elapsed().as_secs_f64();
    let verification = Verification { file: &input.source.name, solver: &solver, result: &result, seconds };
    if args.json {
        console.answer_json(&verification.json(env!("CARGO_PKG_VERSION")))?;
    } else {
        console.answer(&verification.text(args.quiet, console.style))?;
    }
    Ok(if result.is_ok() { Exit::Safe } else { Exit::CheckFailed })
}

/// Checks a certificate, and the proofs beside it of what it assumes: axioms, and that no undefined value is read.
fn verify_all(
    text: &str,
    file: &Path,
    checker: &Checker,
    files: &mut Files<'_>,
) -> Result<Verified, Rejection> {
    let mut verified = checker.verify(text, &mut |name| files.read(name))?;
    if verified.kind != Kind::Invariant {
        return Ok(verified);
    }
    let axioms = axioms_beside(file);
    if let Some(proof) = proof_in(&axioms)? {
        let proved = checker.verify_axioms(&proof, text, &mut |name| files.read(name));
        verified.discharge(&proved.map_err(|rejection| at(&axioms, &rejection.reason))?);
    }
    let reads = reads_beside(file);
    if let Some(proof) = proof_in(&reads)? {
        let accepted = checker.verify_reads(&proof, text, &mut |name| files.read(name));
        accepted.map_err(|rejection| at(&reads, &rejection.reason))?;
        verified.discharge_reads();
    }
    Ok(verified)
}

/// The text of a proof beside a certificate, if there is one.
fn proof_in(file: &Path) -> Result<Option<String>, Rejection> {
    if !file.is_file() {
        return Ok(None);
    }
    let bytes = read_bytes(file, MAX_BYTES).map_err(|error| at(file, &error.message))?;
    Ok(Some(String::from_utf8(bytes).map_err(|_| at(file, "it is not UTF-8 text"))?))
}

fn at(file: &Path, reason: &str) -> String {
    format!("{}: {reason}", file.display())
}

/// Who makes the checks, with a name for people. A program that is not there is an error of the environment, not of the
/// certificate.
fn backend(solver: &Path) -> anyhow::Result<(Backend, String)> {
    if solver == Path::new("z3") {
        return Ok((Backend::Z3, solver_name()));
    }
    let is_there = match solver.components().count() {
        1 => std::env::var_os("PATH")
            .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(solver).is_file())),
        _ => solver.is_file(),
    };
    if !is_there {
        bail!("there is no solver {}; `tenet doctor` shows what there is", solver.display());
    }
    Ok((Backend::Process(solver.to_path_buf()), solver.display().to_string()))
}

fn read_certificate(args: &VerifyArgs, input: &mut Input) -> Option<String> {
    let bytes = match read_bytes(&args.certificate, MAX_BYTES) {
        Ok(bytes) => bytes,
        Err(error) => return input.refuse(error),
    };
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(_) => input.refuse(
            Diagnostic::global(&codes::UNREADABLE, "this is no certificate: it is not UTF-8 text")
                .help("a certificate is written by `tenet abstract FILE --certificate OUT`"),
        ),
    }
}

/// Finds the files that a certificate names.
struct Files<'a> {
    /// The folder of the certificate.
    folder: &'a Path,
    /// The model, if the command line names one: it stands for the first file that is asked for.
    model: Option<&'a Path>,
    /// The name of that file.
    first: Option<String>,
    /// The first file that could not be read.
    unreadable: Option<Diagnostic>,
}

impl<'a> Files<'a> {
    fn new(args: &'a VerifyArgs) -> Files<'a> {
        let folder = args.certificate.parent().unwrap_or(Path::new(""));
        Files { folder, model: args.model.as_deref(), first: None, unreadable: None }
    }

    /// Beside the certificate, or in the current folder.
    fn find(&mut self, name: &str) -> PathBuf {
        let first = self.first.get_or_insert_with(|| name.to_owned());
        if let Some(model) = self.model
            && first == name
        {
            return model.to_path_buf();
        }
        let beside = self.folder.join(name);
        if beside.is_file() { beside } else { PathBuf::from(name) }
    }

    fn read(&mut self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.find(name);
        read_bytes(&path, MAX_BYTES).map_err(|error| {
            let why = error.message.clone();
            let text = format!("{}: {why}", path.display());
            let help = "it is looked for beside the certificate and in the current folder; --model names another place";
            self.unreadable = Some(Diagnostic::global(&codes::UNREADABLE, text).help(help));
            why
        })
    }
}
