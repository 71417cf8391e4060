//! Runs a solver on the text of a certificate.
//!
//! By then the text is known to be exactly what it should be, so all that is left is that each check is `unsat`.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use tempfile::NamedTempFile;
use tenet_solve::{Answer, Asked, Effort, z3_check_texts};

use crate::parallel::{WORKERS, in_parallel};

/// The effort for a single check in process; beyond, it is undecided. Not a time limit: acceptance of a certificate
/// must not depend on how busy the machine is.
const MAX_EFFORT_PER_CHECK: Effort = Effort::secs(120);
/// The size in bytes up to which a text is checked on one thread.
const MAX_BYTES_ON_ONE_THREAD: usize = 200_000;

/// Checks the text with Z3 in this process. The checks of one scope go to the solver together, each under a constant of
/// its own that enables it, so that their common part is read once.
pub(crate) fn in_process(text: &str) -> Vec<Answer> {
    let (common, scopes) = scopes(text);
    ask_all(&common, &scopes, text.len() > MAX_BYTES_ON_ONE_THREAD)
}

fn ask_all(common: &str, scopes: &[Asked], is_long: bool) -> Vec<Answer> {
    let chunks: Vec<&[Asked]> = scopes.chunks(scopes.len().div_ceil(WORKERS * 4).max(1)).collect();
    let chunks = if is_long { chunks } else { vec![scopes] };
    let ask = |(): &mut (), chunk: usize| z3_check_texts(common, chunks[chunk], Some(MAX_EFFORT_PER_CHECK));
    in_parallel(chunks.len(), is_long, || (), ask).into_iter().flatten().collect()
}

/// Checks a script whose declarations all come first, with Z3 in this process. Each check has a scope of its own.
pub(crate) fn questions_in_process(script: &str) -> Vec<Answer> {
    let mut common = String::new();
    let mut texts: Vec<Asked> = Vec::new();
    for line in script.lines().filter(|line| !line.starts_with(';')) {
        match (line, texts.last_mut()) {
            ("(push 1)", _) => {
                texts.push(("(declare-const check! Bool)\n".to_owned(), vec!["check!".to_owned()]));
            }
            ("(pop 1)" | "(check-sat)", _) => {}
            (line, None) => add(&mut common, line),
            (line, Some((text, _))) => add(text, line),
        }
    }
    ask_all(&common, &texts, script.len() > MAX_BYTES_ON_ONE_THREAD)
}

/// The common part of all scopes, and the text of each, with the constants that enable its checks.
fn scopes(text: &str) -> (String, Vec<Asked>) {
    let mut common = String::new();
    let mut scope = String::new();
    let mut questions: Vec<String> = Vec::new();
    let mut declared: Vec<&str> = Vec::new();
    let mut scopes = Vec::new();
    let mut depth = 0;
    for line in text.lines().filter(|line| !line.starts_with(';')) {
        match (line, depth) {
            ("(push 1)", _) => {
                depth += 1;
                if depth == 2 {
                    let question = format!("check!{}", questions.len() + 1);
                    scope.push_str(&format!("(declare-const {question} Bool)\n"));
                    questions.push(question);
                }
            }
            ("(pop 1)", 1) => {
                depth = 0;
                scopes.push((std::mem::take(&mut scope), std::mem::take(&mut questions)));
                declared.clear();
            }
            ("(pop 1)", _) => depth -= 1,
            (_, 0) => add(&mut common, line),
            (_, 1) => add(&mut scope, line),
            _ if line.starts_with("(declare-const ") && !declared.contains(&line) => {
                declared.push(line);
                add(&mut scope, line);
            }
            _ => {
                let asserted = line.strip_prefix("(assert ").and_then(|rest| rest.strip_suffix(')'));
                if let (Some(formula), Some(question)) = (asserted, questions.last()) {
                    add(&mut scope, &format!("(assert (=> {question} {formula}))"));
                }
            }
        }
    }
    (common, scopes)
}

fn add(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Gives the file to a solver, which prints one answer for each check. Any other output is an answer that is not
/// `unsat`.
pub(crate) fn in_a_process(text: &str, program: &Path) -> Result<Vec<Answer>, String> {
    let file = temporary_file(text).map_err(|error| format!("cannot write a temporary file: {error}"))?;
    let mut command = Command::new(program);
    let name = program.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if name.starts_with("cvc5") || name.starts_with("yices") {
        command.arg("--incremental");
    }
    // Some solvers read a file, others their input; both get the same.
    let input = file.reopen().map_err(|error| format!("cannot read a temporary file: {error}"))?;
    let output = command.arg(file.path()).stdin(input).output();
    let output = output.map_err(|error| format!("cannot run `{}`: {error}", program.display()))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let answers: Vec<Answer> =
        printed.lines().map(str::trim).filter(|line| !line.is_empty()).map(answer).collect();
    if answers.is_empty() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let first = complaint.lines().next().unwrap_or("it prints nothing");
        return Err(format!("`{}` does not answer: {first}", program.display()));
    }
    Ok(answers)
}

/// A temporary file with this text, removed when it is dropped.
fn temporary_file(text: &str) -> std::io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("tenet-").suffix(".smt2").tempfile()?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

fn answer(line: &str) -> Answer {
    match line {
        "unsat" => Answer::Unsat,
        "sat" => Answer::Sat,
        other => Answer::Unknown(other.to_owned()),
    }
}
