//! The files that commands write: complete or not at all, and never over an input.
//!
//! A file is written to a temporary name beside its place and then renamed, so that readers find a complete file under its name,
//! whatever happens in between. Anything but a regular file (a pipe, `/dev/stdout`) is written directly.

use crate::args::{Cli, Command, ModelArgs, ProofArgs};
use crate::log;
use anyhow::{Context, bail};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Writes a whole file.
pub fn write(file: &Path, content: &str) -> anyhow::Result<()> {
    write_whole(file, content.as_bytes()).with_context(|| format!("cannot write {}", file.display()))
}

fn write_whole(file: &Path, content: &[u8]) -> anyhow::Result<()> {
    // A link stays one: its target is replaced.
    let place = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let known = fs::metadata(&place).ok();
    if known.as_ref().is_some_and(|known| !known.is_file()) {
        return Ok(File::options().write(true).open(&place)?.write_all(content)?);
    }
    // Beyond this limit the system ends the process in the middle of writing.
    if let Some(limit) = largest_file().filter(|limit| content.len() as u64 > *limit) {
        bail!("it would have {} bytes, and files may have {limit} at most (ulimit -f)", content.len());
    }
    let mut part = create_beside(&place)?;
    part.write_all(content)?;
    if let Some(known) = known {
        part.as_file().set_permissions(known.permissions())?;
    }
    part.persist(&place).map_err(|failed| failed.error)?;
    Ok(())
}

/// A temporary file in the folder of another one; removed unless it is renamed to that one.
fn create_beside(place: &Path) -> std::io::Result<NamedTempFile> {
    let name = place.file_name().ok_or(ErrorKind::InvalidInput)?.to_string_lossy();
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    // The permissions of any new file, not only for its owner.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// The size limit of files in bytes, if the system has one.
fn largest_file() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max file size"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Reports a mistyped folder before the work, not after it.
pub fn require_folder(file: &Path) -> anyhow::Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            bail!("cannot write {}: there is no folder {}", file.display(), folder.display())
        }
        _ => Ok(()),
    }
}

/// Why the output files cannot be written: one of them is an input, or another output.
pub fn collision(cli: &Cli) -> Option<String> {
    let (inputs, mut outputs): (Vec<&Path>, Vec<PathBuf>) = match &cli.command {
        Command::Prove(args) => {
            let inputs = inputs(&args.model, args.proof.predicates.as_ref());
            let report = args.report.iter().cloned();
            (inputs, proof_outputs(&args.proof).chain(report).collect())
        }
        Command::Abstract(args) => {
            let inputs = inputs(&args.model, args.proof.predicates.as_ref());
            let report = args.report.iter().cloned();
            (inputs, proof_outputs(&args.proof).chain(report).collect())
        }
        Command::Explore(args) => (inputs(&args.model, None), args.trace.iter().cloned().collect()),
        Command::Branches(args) => (inputs(&args.model, None), args.write.iter().cloned().collect()),
        Command::Verify(args) => (paths([Some(&args.certificate), args.model.as_ref()]), Vec::new()),
        _ => return None,
    };
    outputs.extend(log::options(cli).0.and_then(|log| log.log.clone()));
    overwritten(&outputs, inputs.iter().copied()).or_else(|| {
        let twice =
            (1..outputs.len()).find(|&at| outputs[..at].iter().any(|other| is_same(other, &outputs[at])));
        twice.map(|at| format!("{} would be written twice", outputs[at].display()))
    })
}

/// The first of the outputs that is also an input.
pub fn overwritten<'a>(outputs: &[PathBuf], mut inputs: impl Iterator<Item = &'a Path>) -> Option<String> {
    inputs.find_map(|input| {
        let output = outputs.iter().find(|output| is_same(output, input))?;
        Some(format!("{} would be overwritten: it is what the command reads", output.display()))
    })
}

/// The output files of a proof.
pub fn proof_outputs(proof: &ProofArgs) -> impl Iterator<Item = PathBuf> {
    let certificate = proof.certificate.iter().flat_map(|file| [file.clone(), axioms_beside(file)]);
    certificate.chain(proof.trace.iter().cloned())
}

/// The file for the proof of the axioms that a certificate assumes.
pub fn axioms_beside(certificate: &Path) -> PathBuf {
    beside(certificate, "axioms")
}

/// The file for the proof that no undefined value is read, which a certificate assumes.
pub fn reads_beside(certificate: &Path) -> PathBuf {
    beside(certificate, "reads")
}

/// The path of a certificate with another ending.
fn beside(certificate: &Path, ending: &str) -> PathBuf {
    let mut name = certificate.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

/// The files that a command reads: the model's, and one more.
fn inputs<'a>(model: &'a ModelArgs, other: Option<&'a PathBuf>) -> Vec<&'a Path> {
    let files = model.files.iter().chain(&model.verilog.lists).chain(other);
    files.map(PathBuf::as_path).collect()
}

fn paths<const N: usize>(files: [Option<&PathBuf>; N]) -> Vec<&Path> {
    files.into_iter().flatten().map(PathBuf::as_path).collect()
}

/// Are these paths of one regular file, perhaps through links? A file that does not exist yet is identified by its folder and
/// name.
fn is_same(one: &Path, other: &Path) -> bool {
    if let (Ok(one), Ok(other)) = (fs::metadata(one), fs::metadata(other)) {
        return one.is_file() && is_same_file(&one, &other);
    }
    match (place(one), place(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

#[cfg(unix)]
fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Without inode numbers, two files of the same length and age are taken for one: not to write is the smaller mistake.
#[cfg(not(unix))]
fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    one.len() == other.len() && one.modified().ok() == other.modified().ok()
}

fn place(file: &Path) -> Option<PathBuf> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    Some(fs::canonicalize(folder).ok()?.join(file.file_name()?))
}
