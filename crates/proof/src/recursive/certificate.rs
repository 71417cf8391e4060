//! Certificates of recursive proofs: made, and checked again.
//!
//! A certificate is one SMT-LIB 2 file. After the header, in comments, comes the proof; then, for any solver to run, the
//! remaining questions, each of which has to be `unsat`. The checker reads the proof, generates the whole file again from it and
//! the program, and compares; so an edited file is one that differs.

use tenet_lang::clp::print::Printer;
use tenet_solve::{Answer, Script};
use tenet_system::System;
use tenet_system::recursive::{Program, Proof, definitions};
use tenet_term::SortId;

use super::check::{Proved, confirm, proved, questions};
use super::copy::{Copy, copy};
use super::question::{Question, Rejection};
use super::read::read;
use super::write::write;
use crate::certify::{Certificate, Origin};
use crate::header::{Content, Header, Recursive};
use crate::model::Files;
use crate::obligations::quoted;
use crate::run::{in_a_process, questions_in_process};
use crate::verify::{Backend, Checker, Kind, Verified, header, short};

/// The prefix of the first line of a proof, and of each of its lines.
const PROOF: &str = "; (proof";
const COMMENT: &str = "; ";

/// Writes a proof. The side conditions are checked on the way, but no solver is called.
pub fn certify(program: &mut Program, proof: &Proof, origin: &Origin) -> Result<Certificate, Rejection> {
    let whole = Rejection::at("the proof");
    let Copy { program: mut copied, sorts } = copy(program);
    let (old, new): (Vec<SortId>, Vec<SortId>) = sorts.into_iter().unzip();
    let lines = write(program, &old, proof).map_err(&whole)?;
    // The text is generated from the proof as a reader of the certificate will parse it.
    let proof = read(&mut copied, &new, &lines.join("\n")).map_err(&whole)?;
    let lines = write(&mut copied, &new, &proof).map_err(&whole)?;
    let body = Body::new(program, lines)?;
    let header = origin.header(Content::Recursive(body.content()));
    Ok(Certificate { text: body.text(&header), checks: body.questions.len() })
}

/// Checks a certificate about axioms beside the one of an invariant; see [`Checker::verify_axioms`].
pub(crate) fn verify_axioms(
    text: &str,
    invariant: &str,
    checker: &Checker,
    files: &mut Files<'_>,
) -> Result<Vec<String>, crate::Rejection> {
    let own = header(text)?;
    // The name determines the language.
    if !own.is_about_the_same_as(&header(invariant)?) {
        return Err("the proof of the axioms is about another model".to_owned().into());
    }
    let system = own.reread(checker.languages, files)?.system()?;
    let claims = definitions::claims(&system);
    let (_, body) = accept(text, &claims.program, &checker.backend)?;
    Ok(names(&system, &claims.discharged(&body.proved.obligations)))
}

/// Names of axioms of which all of that name are proved.
fn names(system: &System, proved: &[usize]) -> Vec<String> {
    let open: Vec<&str> = (0..system.axioms.len())
        .filter(|position| !proved.contains(position))
        .map(|position| system.axioms[position].name.as_str())
        .collect();
    let names = proved.iter().map(|&position| &system.axioms[position].name);
    names.filter(|name| !open.contains(&name.as_str())).cloned().collect()
}

/// Checks a certificate against a program, whatever the header says about its origin.
pub fn verify_against(
    text: &str,
    program: &Program,
    backend: &Backend,
) -> Result<Verified, crate::Rejection> {
    let (header, body) = accept(text, program, backend)?;
    Ok(body.verified(header))
}

fn accept(text: &str, program: &Program, backend: &Backend) -> Result<(Header, Body), crate::Rejection> {
    let lines: Vec<&str> = text.split('\n').collect();
    let header = header(text)?;
    let first =
        lines.iter().position(|line| line.starts_with(PROOF)).ok_or("there is no proof".to_owned())?;
    let written = lines[first..].iter().map_while(|line| line.strip_prefix(COMMENT));
    let body = Body::new(program, written.map(str::to_owned).collect())
        .map_err(|rejection| crate::Rejection { reason: rejection.to_string(), line: Some(first + 1) })?;
    let header = Header { content: Content::Recursive(body.content()), ..header };
    compare(&body.text(&header), &lines)?;
    if body.claims.is_empty() {
        return Err("nothing is proved".to_owned().into());
    }
    body.run(text, backend)?;
    Ok((header, body))
}

/// Reads a proof from text, in the program's own store.
pub fn read_proof(program: &mut Program, text: &str) -> Result<Proof, String> {
    let sorts: Vec<SortId> = copy(program).sorts.into_iter().map(|(sort, _)| sort).collect();
    read(program, &sorts, text)
}

/// A proof as text that can be parsed again.
pub fn write_proof(program: &mut Program, proof: &Proof) -> Result<String, String> {
    let sorts: Vec<SortId> = copy(program).sorts.into_iter().map(|(sort, _)| sort).collect();
    Ok(write(program, &sorts, proof)?.join("\n"))
}

/// Finds the first line that differs from what it should be.
fn compare(expected: &str, lines: &[&str]) -> Result<(), crate::Rejection> {
    let mut expected = expected.split('\n');
    for (position, &line) in lines.iter().enumerate() {
        let reason = match expected.next() {
            Some(wanted) if wanted == line => continue,
            Some(wanted) => format!("it should be `{}`, but is `{}`", short(wanted), short(line)),
            None => format!("the certificate should end here, but there is `{}`", short(line)),
        };
        return Err(crate::Rejection { reason, line: Some(position + 1) });
    }
    match expected.next() {
        None => Ok(()),
        Some(wanted) => Err(format!("the file ends before `{}`", short(wanted)).into()),
    }
}

/// What a program and the text of a proof about it determine.
struct Body {
    /// The program, in the store that the questions are in.
    program: Program,
    proof: Proof,
    lines: Vec<String>,
    questions: Vec<Question>,
    /// Declarations and checks.
    script: String,
    proved: Proved,
    claims: Vec<String>,
}

impl Body {
    fn new(program: &Program, lines: Vec<String>) -> Result<Body, Rejection> {
        let whole = Rejection::at("the proof");
        let Copy { program: mut copied, sorts } = copy(program);
        let sorts: Vec<SortId> = sorts.into_iter().map(|(_, sort)| sort).collect();
        let proof = read(&mut copied, &sorts, &lines.join("\n")).map_err(&whole)?;
        let questions = questions(&mut copied, &proof)?;
        let script = script(&copied, &questions);
        let proved = proved(&copied, &proof);
        let lines = write(&mut copied, &sorts, &proof).map_err(&whole)?;
        let claims = claims(&copied, &proved);
        Ok(Body { program: copied, proof, lines, questions, script, proved, claims })
    }

    /// The part of the header about it.
    fn content(&self) -> Recursive {
        Recursive {
            claims: self.claims.clone(),
            lemmas: self.proof.lemmas.len(),
            checks: self.questions.len(),
        }
    }

    /// The whole certificate.
    fn text(&self, header: &Header) -> String {
        let mut lines = header.lines();
        lines.extend(self.lines.iter().map(|line| format!("{COMMENT}{line}")));
        lines.join("\n") + "\n" + &self.script
    }

    /// Checks the questions with a solver.
    fn run(&self, text: &str, backend: &Backend) -> Result<(), crate::Rejection> {
        let answers: Vec<Answer> = match backend {
            Backend::Z3 => questions_in_process(&self.script),
            Backend::Process(_) if self.questions.is_empty() => Vec::new(),
            Backend::Process(solver) => in_a_process(text, solver)?,
        };
        if answers.len() != self.questions.len() {
            let reason =
                format!("the solver gives {} answers to {} questions", answers.len(), self.questions.len());
            return Err(reason.into());
        }
        for (question, answer) in self.questions.iter().zip(&answers) {
            confirm(question, answer).map_err(|rejection| rejection.to_string())?;
        }
        Ok(())
    }

    fn verified(&self, header: Header) -> Verified {
        let obligations = self.program.obligations.iter().map(|obligation| &obligation.name);
        let properties = self.program.process.iter().flat_map(|process| &process.properties);
        let properties = properties.map(|property| &property.name);
        let (lemmas, printer) = (self.proof.lemmas.iter(), Printer::new(&self.program));
        Verified {
            model: header.model,
            options: header.options,
            kind: Kind::Recursive { terminates: self.proved.terminates },
            properties: proved_ones(properties, &self.proved.properties),
            entailments: proved_ones(obligations, &self.proved.obligations),
            lemmas: lemmas.map(|lemma| printer.entailment(&lemma.entailment)).collect(),
            axioms: Vec::new(),
            assumptions: Vec::new(),
            checks: self.questions.len(),
        }
    }
}

/// The claims in words.
fn claims(program: &Program, proved: &Proved) -> Vec<String> {
    let mut claims = Vec::new();
    for (number, (obligation, _)) in
        program.obligations.iter().zip(&proved.obligations).enumerate().filter(|(_, (_, proved))| **proved)
    {
        claims.push(format!("obligation {} {}", number + 1, quoted(&obligation.name)));
    }
    let properties = program.process.iter().flat_map(|process| &process.properties);
    for (number, (property, _)) in
        properties.zip(&proved.properties).enumerate().filter(|(_, (_, proved))| **proved)
    {
        claims.push(format!("property {} {}", number + 1, quoted(&property.name)));
    }
    if proved.terminates {
        claims.push("termination".to_owned());
    }
    claims
}

fn script(program: &Program, questions: &[Question]) -> String {
    let mut script = Script::new();
    for question in questions {
        script.declare(&program.store, question.formula);
    }
    for question in questions {
        script.comment(&format!("{}: {}", question.path, question.shows));
        script.push();
        script.assert(&program.store, question.formula);
        script.check();
        script.pop();
    }
    script.text().to_owned()
}

fn proved_ones<'a>(names: impl Iterator<Item = &'a String>, proved: &[bool]) -> Vec<String> {
    names.zip(proved).filter(|(_, proved)| **proved).map(|(name, _)| name.clone()).collect()
}
