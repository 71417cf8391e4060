//! The independent checker.
//!
//! A certificate is compared, line by line, with what it has to be: the model is read again, the lemmas are read from
//! the file, and these two determine the whole text, except for the instances. Those are read from the file as well,
//! and may only be instances of facts, at terms in scope. Then a solver decides the checks. So there is no list of
//! tricks that have to be recognised; whatever is not as it should be is rejected.

use std::path::PathBuf;

use rustc_hash::FxHashSet;
use tenet_lang::frontend::{Frontend, LANGUAGES};
use tenet_solve::Answer;
use tenet_system::{READS_ARE_DEFINED, System};
use tenet_term::{Sort, SortId, SymbolId, TermStore};
use thiserror::Error;

use crate::header::{Content, Header, Invariant};
use crate::model::{Files, is_about_reads};
use crate::names::{Entity, Names};
use crate::obligations::{Statement, generate, shown};
use crate::parse::parse_term;
use crate::recursive;
use crate::run::{in_a_process, in_process};
use crate::script::{Instance, Item, Script};
use crate::sexpr::Sexpr;
use crate::text::{self, Part};

/// The solver that decides the checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Backend {
    /// Z3 in this process, given the text of the file.
    Z3,
    /// A solver as a process: it is given the file.
    Process(PathBuf),
}

/// An accepted certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub model: String,
    /// The reading of the model: options of the command line, with their values. What is proved is proved of that
    /// reading.
    pub options: Vec<(String, String)>,
    pub kind: Kind,
    /// The properties that are proved.
    pub properties: Vec<String>,
    /// The entailments between recursive definitions that are proved.
    pub entailments: Vec<String>,
    /// The lemmas as text.
    pub lemmas: Vec<String>,
    /// The axioms that it uses and that have been proved.
    pub axioms: Vec<String>,
    /// The assumptions of the proof.
    pub assumptions: Vec<String>,
    /// The number of checks.
    pub checks: usize,
}

impl Verified {
    /// Removes proved axioms from the assumptions.
    pub fn discharge(&mut self, axioms: &[String]) {
        let is_proved = |assumption: &String| axioms.contains(assumption);
        let (proved, open) = std::mem::take(&mut self.assumptions).into_iter().partition(is_proved);
        (self.axioms, self.assumptions) = (proved, open);
    }

    /// Removes the assumption that no undefined value is read, which has been proved.
    pub fn discharge_reads(&mut self) {
        // Conditions come after the axioms, one of which may have the same text.
        if let Some(position) = self.assumptions.iter().rposition(|known| known == READS_ARE_DEFINED) {
            self.assumptions.remove(position);
        }
    }
}

/// The kind of proof in a certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// An inductive invariant: the conjunction of the lemmas.
    #[default]
    Invariant,
    /// Derivations from recursive definitions; the lemmas are entailments.
    Recursive {
        /// Is it proved that every run ends?
        terminates: bool,
    },
}

/// Why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Rejection {
    /// The reason, for people.
    pub reason: String,
    /// The line of the file, counted from one, if there is one.
    pub line: Option<usize>,
}

impl Rejection {
    /// The rejection for an error at a position among the lines.
    pub(crate) fn at_line((position, reason): (usize, String)) -> Rejection {
        Rejection { reason, line: Some(position + 1) }
    }
}

impl From<String> for Rejection {
    fn from(reason: String) -> Rejection {
        Rejection { reason, line: None }
    }
}

/// The checker: its solver, and the languages it reads.
#[derive(Clone)]
pub struct Checker {
    /// The languages; by default all of [`LANGUAGES`].
    pub languages: &'static [&'static dyn Frontend],
    /// By default Z3 in this process.
    pub backend: Backend,
}

impl Default for Checker {
    fn default() -> Checker {
        Checker { languages: LANGUAGES, backend: Backend::Z3 }
    }
}

impl Checker {
    /// Checks a certificate against the model it names. `files` gives the content of files that the header names.
    pub fn verify(&self, text: &str, files: &mut Files<'_>) -> Result<Verified, Rejection> {
        let header = header(text)?;
        let model = header.reread(self.languages, files)?;
        match header.content {
            Content::Invariant(_) => verify_against(text, &mut model.system()?, &self.backend),
            Content::Recursive(_) => recursive::verify_against(text, &model.program()?, &self.backend),
        }
    }

    /// Checks the proof that no undefined value is read, which the certificate of an invariant assumes.
    pub fn verify_reads(&self, text: &str, invariant: &str, files: &mut Files<'_>) -> Result<(), Rejection> {
        let (mut own, other) = (header(text)?, header(invariant)?);
        let mut system = own.reread(self.languages, files)?.system()?;
        if own.options.pop().is_none_or(|option| !is_about_reads(&option))
            || !own.is_about_the_same_as(&other)
        {
            return Err("the proof about undefined values is about another model".to_owned().into());
        }
        let verified = verify_against(text, &mut system, &self.backend)?;
        if verified.properties.len() != system.properties.len() {
            return Err("the proof about undefined values leaves some reads out".to_owned().into());
        }
        Ok(())
    }

    /// Checks a certificate about the axioms of a system beside the one of an invariant, which has to be about the same model in
    /// the same reading; returns the names of the proved axioms. Their statements are read from the model again.
    pub fn verify_axioms(
        &self,
        text: &str,
        invariant: &str,
        files: &mut Files<'_>,
    ) -> Result<Vec<String>, Rejection> {
        recursive::verify_axioms(text, invariant, self, files)
    }
}

/// Checks a certificate with the languages of the table; see [`Checker::verify`].
pub fn verify(text: &str, backend: &Backend, files: &mut Files<'_>) -> Result<Verified, Rejection> {
    Checker { backend: backend.clone(), ..Checker::default() }.verify(text, files)
}

/// Checks a proof about reads with the languages of the table; see [`Checker::verify_reads`].
pub fn verify_reads(
    text: &str,
    invariant: &str,
    backend: &Backend,
    files: &mut Files<'_>,
) -> Result<(), Rejection> {
    Checker { backend: backend.clone(), ..Checker::default() }.verify_reads(text, invariant, files)
}

/// Checks a certificate against a system, whatever the header says about its origin.
pub fn verify_against(text: &str, system: &mut System, backend: &Backend) -> Result<Verified, Rejection> {
    let mut store = std::mem::take(&mut system.store);
    let verified = check(text, system, &mut store, backend);
    system.store = store;
    verified
}

pub(crate) fn header(text: &str) -> Result<Header, Rejection> {
    let lines: Vec<&str> = text.split('\n').collect();
    Header::read(&lines).map_err(Rejection::at_line)
}

fn check(
    text: &str,
    system: &System,
    store: &mut TermStore,
    backend: &Backend,
) -> Result<Verified, Rejection> {
    let Some(content) = text.strip_suffix('\n') else {
        return Err("the file does not end with the end of a line".to_owned().into());
    };
    let lines: Vec<&str> = content.split('\n').collect();
    let header = header(text)?;
    let claimed = header.invariant()?;
    check_properties(claimed, system)?;
    let names = Names::of_model(system, store);
    let lemmas = read_lemmas(&lines, &names, store)?;
    if lemmas.len() != claimed.lemmas {
        let reason = format!("the header promises {} lemmas, but there are {}", claimed.lemmas, lemmas.len());
        return Err(reason.into());
    }
    let positions: Vec<usize> = claimed.properties.iter().map(|&(position, _)| position).collect();
    let script = generate(system, store, names, &lemmas, &positions, claimed.steps)?;
    let mut matcher = Matcher::new(&script, store, &lines);
    let assumptions = script.assumptions(&matcher.body()?);
    let properties = claimed.properties.iter().map(|(_, name)| name.clone()).collect();
    let invariant = Invariant { assumptions, checks: script.checks(), ..claimed.clone() };
    let assumptions = shown(&invariant.assumptions);
    let header = Header { content: Content::Invariant(invariant), ..header };
    compare_header(&header, &lines)?;
    run(text, &script, backend)?;
    Ok(Verified {
        model: header.model,
        options: header.options,
        kind: Kind::Invariant,
        entailments: Vec::new(),
        properties,
        lemmas: lemmas.iter().map(|lemma| store.print(lemma.formula)).collect(),
        axioms: Vec::new(),
        assumptions,
        checks: script.checks(),
    })
}

fn check_properties(claimed: &Invariant, system: &System) -> Result<(), Rejection> {
    if claimed.properties.is_empty() {
        return Err("the header names no property: nothing is proved".to_owned().into());
    }
    for (number, (position, name)) in claimed.properties.iter().enumerate() {
        match system.properties.get(*position) {
            Some(property) if property.name == *name => {}
            _ => return Err(format!("the model has no property {} `{name}`", position + 1).into()),
        }
        if claimed.properties[..number].iter().any(|(earlier, _)| earlier >= position) {
            return Err("the properties in the header are not in the order of the model".to_owned().into());
        }
    }
    Ok(())
}

/// The lemmas are those in the comments before their definitions; the definitions have to follow from these.
fn read_lemmas(lines: &[&str], names: &Names, store: &mut TermStore) -> Result<Vec<Statement>, Rejection> {
    let mut lemmas = Vec::new();
    for (position, line) in lines.iter().enumerate() {
        let Some(formula) = line.strip_prefix(&format!("; lemma {} ", lemmas.len() + 1)) else { continue };
        let reject = |reason: String| Rejection {
            reason: format!("lemma {} is no formula over the model: {reason}", lemmas.len() + 1),
            line: Some(position + 1),
        };
        let tree = Sexpr::read(formula).map_err(reject)?;
        let formula = parse_term(store, names, &tree, tree.root()).map_err(reject)?;
        if !store.is_bool(formula) {
            return Err(reject("it is not true or false".to_owned()));
        }
        lemmas.push(Statement::new(store, formula));
    }
    Ok(lemmas)
}

fn compare_header(expected: &Header, lines: &[&str]) -> Result<(), Rejection> {
    for (position, line) in expected.lines().iter().enumerate() {
        if lines.get(position) != Some(&line.as_str()) {
            let found = lines.get(position).unwrap_or(&"");
            let reason = format!("the header should say `{line}` and says `{found}`");
            return Err(Rejection { reason, line: Some(position + 1) });
        }
    }
    Ok(())
}

/// Compares the lines after the header and collects the facts that are instantiated.
struct Matcher<'a> {
    script: &'a Script,
    store: &'a mut TermStore,
    lines: &'a [&'a str],
    position: usize,
}

impl<'a> Matcher<'a> {
    fn new(script: &'a Script, store: &'a mut TermStore, lines: &'a [&'a str]) -> Matcher<'a> {
        let position = lines.iter().position(|line| !line.starts_with(';')).unwrap_or(lines.len());
        Matcher { script, store, lines, position }
    }

    fn body(&mut self) -> Result<FxHashSet<SymbolId>, Rejection> {
        let mut used = FxHashSet::default();
        for part in text::body(self.script, self.store)? {
            match part {
                Part::Line { text, about } => self.expect(&text, &about)?,
                Part::Instances(scope, check) => used.extend(self.instances(scope, check)?),
            }
        }
        match self.lines.get(self.position) {
            None => Ok(used),
            Some(line) => {
                Err(self.reject(format!("the certificate should end here, but there is `{}`", short(line))))
            }
        }
    }

    fn reject(&self, reason: String) -> Rejection {
        Rejection { reason, line: Some(self.position + 1) }
    }

    fn expect(&mut self, expected: &str, about: &str) -> Result<(), Rejection> {
        match self.lines.get(self.position) {
            Some(line) if *line == expected => {
                self.position += 1;
                Ok(())
            }
            None => Err(self
                .reject(format!("the file ends before {about} is done: `{}` is missing", short(expected)))),
            Some(line) => Err(self.reject(difference(expected, line, about))),
        }
    }

    fn instances(&mut self, scope: usize, check: usize) -> Result<Vec<SymbolId>, Rejection> {
        let goal = text::negation(self.script, self.store, &self.script.scopes[scope].checks[check])?;
        let visible = self.visible(scope, check);
        let mut used = Vec::new();
        while let Some(line) = self.lines.get(self.position).filter(|line| **line != goal) {
            if !line.starts_with("(assert ") || line.starts_with("(assert (not ") {
                break; // The comparison with the goal gives the error.
            }
            let about = &self.script.scopes[scope].checks[check].title;
            let instance = self.instance(line, scope, &visible);
            let instance = instance.map_err(|reason| {
                self.reject(format!("in {about}: `{}` is no instance of a fact: {reason}", short(line)))
            })?;
            let written = text::instance(self.script, self.store, &instance)?;
            if written != **line {
                return Err(
                    self.reject(format!("in {about}: this instance is written `{}`", short(&written)))
                );
            }
            used.push(instance.fact);
            self.position += 1;
        }
        Ok(used)
    }

    fn visible(&self, scope: usize, check: usize) -> FxHashSet<SymbolId> {
        let scope = &self.script.scopes[scope];
        let items = self.script.items.iter().chain(&scope.items);
        let declared = items.filter_map(|item| match item {
            Item::Declare(symbol) => Some(*symbol),
            Item::Define(definition) => Some(definition.symbol),
            _ => None,
        });
        declared.chain(scope.checks[check].constants.iter().copied()).collect()
    }

    fn instance(
        &mut self,
        line: &str,
        scope: usize,
        visible: &FxHashSet<SymbolId>,
    ) -> Result<Instance, String> {
        let tree = Sexpr::read(line)?;
        let Some(&[_, formula]) = tree.list(tree.root()) else {
            return Err("it has the wrong form".to_owned());
        };
        let (head, operands) = match tree.list(formula) {
            None => (formula, &[][..]),
            Some([head, operands @ ..]) if !operands.is_empty() => (*head, operands),
            Some(_) => return Err("it has the wrong form".to_owned()),
        };
        let name = tree.atom(head).ok_or("it has the wrong form")?;
        let fact = match self.script.names.meaning(name) {
            Some(&Entity::Symbol(symbol)) if self.script.scopes[scope].facts.contains(&symbol) => symbol,
            _ => return Err(format!("`{name}` may not be assumed here")),
        };
        let mut terms = Vec::new();
        for &operand in operands {
            let term = parse_term(self.store, &self.script.names, &tree, operand)?;
            if self.store.has_quantifier(term) || self.store.has_lambda(term) {
                return Err("its terms may not have bound variables".to_owned());
            }
            if let Some(hidden) =
                self.store.symbols_in(term).into_iter().find(|symbol| !visible.contains(symbol))
            {
                return Err(format!("`{}` is not declared here", self.store.symbol(hidden).name));
            }
            terms.push(term);
        }
        let sorts: Vec<SortId> = match self.store.sort(self.store.symbol(fact).sort) {
            Sort::Function { args, .. } => args.clone(),
            _ => Vec::new(),
        };
        let fits = |(&sort, &term): (&SortId, &tenet_term::TermId)| {
            let found = self.store.sort_of(term);
            sort == found || (self.store.sort(sort).is_integer() && self.store.sort(found).is_integer())
        };
        if sorts.len() != terms.len() || !sorts.iter().zip(&terms).all(fits) {
            return Err(format!("its terms are not of the sorts of `{name}`"));
        }
        Ok(Instance { fact, terms })
    }
}

/// A message about a wrong line, as specific as possible.
fn difference(expected: &str, found: &str, about: &str) -> String {
    const COMMANDS: [&str; 10] = [
        "(assert ",
        "(check-sat)",
        "(push 1)",
        "(pop 1)",
        "(declare-const ",
        "(declare-fun ",
        "(define-fun ",
        "(declare-sort ",
        "(declare-datatypes ",
        "(set-",
    ];
    let is_command = found.starts_with(';') || COMMANDS.iter().any(|command| found.starts_with(command));
    if !is_command {
        return format!(
            "`{}` has no place in a certificate; it should be `{}`",
            short(found),
            short(expected)
        );
    }
    if expected == format!("; {about}") {
        return match found.starts_with(';') {
            true => {
                format!("the part about {about} is missing or not in its place: there is `{}`", short(found))
            }
            false => format!("before the part about {about}, there is `{}`", short(found)),
        };
    }
    if expected == "(check-sat)" {
        return format!("the check of {about} is never asked: there is `{}`", short(found));
    }
    format!("in {about}: it should be `{}`, but is `{}`", short(expected), short(found))
}

/// The start of a long line.
pub(crate) fn short(line: &str) -> String {
    const ENOUGH: usize = 160;
    match line.char_indices().nth(ENOUGH) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

fn run(text: &str, script: &Script, backend: &Backend) -> Result<(), Rejection> {
    let answers = match backend {
        Backend::Z3 => in_process(text),
        Backend::Process(program) => in_a_process(text, program)?,
    };
    let checks = script.scopes.iter().flat_map(|scope| &scope.checks);
    for (number, check) in checks.enumerate() {
        let problem = match answers.get(number) {
            Some(Answer::Unsat) => continue,
            Some(Answer::Sat) => "it does not follow (`sat`)".to_owned(),
            Some(Answer::Unknown(reason)) => format!("the solver does not know: {reason}"),
            None => "the solver does not answer".to_owned(),
        };
        return Err(format!("the check of {} fails: {problem}", check.title).into());
    }
    match answers.len() > script.checks() {
        true => Err("the solver says more than it was asked".to_owned().into()),
        false => Ok(()),
    }
}
