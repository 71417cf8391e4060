//! Delivery of an answer to the user: warnings, files, the report in the chosen format, and the exit code.

use crate::args::{OutputArgs, ProofArgs};
use crate::commands::explore::{print, write_trace};
use crate::console::Console;
use crate::exit::Exit;
use crate::files;
use crate::input::Input;
use crate::no_verdict::no_verdict;
use crate::trace;
use anyhow::Context;
use std::path::Path;
use tenet_proof::Certificate;
use tenet_report::view::{Report, Verdict};
use tenet_session::{Answer, Certificates, NoAnswer, WitnessFormat};

/// The chosen format and files.
#[derive(Clone, Copy)]
pub struct Delivery<'a> {
    pub output: OutputArgs,
    /// Whether the answer is printed in the format of solvers for Horn clauses.
    pub is_chc: bool,
    /// The files to be written.
    pub proof: &'a ProofArgs,
}

impl Delivery<'_> {
    /// Checks what must be right before long work starts, and prints the diagnostics of the model.
    pub fn prepare(&self, input: &mut Input, console: &mut Console) -> anyhow::Result<()> {
        for file in [&self.proof.trace, &self.proof.certificate].into_iter().flatten() {
            files::require_folder(file)?;
        }
        if self.is_talkative() {
            input.show_diagnostics(console);
        }
        Ok(())
    }

    fn is_talkative(&self) -> bool {
        !self.output.json && !self.output.quiet && !self.is_chc
    }

    /// Writes the files, prints the report, and returns the exit code. The report is returned, too, for callers that print more
    /// of it.
    pub fn deliver(
        &self,
        answer: Result<Answer, NoAnswer>,
        input: &mut Input,
        console: &mut Console,
        more: impl FnOnce(&Report) -> anyhow::Result<()>,
    ) -> anyhow::Result<Exit> {
        let answer = match answer {
            Ok(answer) => answer,
            Err(NoAnswer::Refused(diagnostics)) => {
                input.diagnostics.extend(diagnostics);
                return input.reject(console, self.output.json);
            }
            Err(NoAnswer::CheckFailed(what)) => return no_verdict(&what, input, self.output, console),
            Err(NoAnswer::Environment(error)) => return Err(error).context("cannot start a thread"),
        };
        let Answer { mut report, warnings, certificates, chc, witness, is_interrupted } = answer;
        input.diagnostics.extend(warnings);
        if self.is_talkative() {
            input.show_diagnostics(console);
        }
        let written = self.write_certificates(&certificates, console)?;
        if let Some(certificate) = &mut report.certificate {
            certificate.file = written;
        }
        match chc {
            Some(text) => console.answer(&text)?,
            None => print(&report, input, self.output, console)?,
        }
        match (&self.proof.trace, witness) {
            (Some(file), Some(Ok(text))) => files::write(file, &text)?,
            (Some(file), Some(Err(why))) => {
                console.log(&format!("{} is not written: {why}\n", file.display()));
            }
            (file, _) => write_trace(file.as_deref(), &report, console)?,
        }
        more(&report)?;
        Ok(match report.verdict {
            Verdict::Unknown if is_interrupted => Exit::Interrupted,
            verdict => verdict.into(),
        })
    }

    /// The format of a run for circuits, if one is wanted.
    pub fn witness(&self) -> Option<WitnessFormat> {
        trace::witness(self.proof.trace.as_deref())
    }

    /// Writes the certificate, with those of its assumptions beside it, and reports where; or reports that there is
    /// none.
    fn write_certificates(
        &self,
        certificates: &Certificates,
        console: &mut Console,
    ) -> anyhow::Result<Option<String>> {
        let Some(file) = &self.proof.certificate else { return Ok(None) };
        let Some(proof) = &certificates.proof else {
            console.log(&format!("{} is not written: nothing is proved\n", file.display()));
            return Ok(None);
        };
        files::write(file, &proof.text)?;
        write_beside(&files::axioms_beside(file), certificates.axioms.as_ref())?;
        write_beside(&files::reads_beside(file), certificates.reads.as_ref())?;
        Ok(Some(file.display().to_string()))
    }
}

/// Writes a proof that belongs to a certificate; without one, an existing file is removed, because one of another proof would be
/// taken for a part of this one.
fn write_beside(file: &Path, certificate: Option<&Certificate>) -> anyhow::Result<()> {
    match certificate {
        Some(certificate) => files::write(file, &certificate.text),
        None if file.is_file() => {
            std::fs::remove_file(file).with_context(|| format!("cannot remove {}", file.display()))
        }
        None => Ok(()),
    }
}
