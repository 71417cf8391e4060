//! From an invariant to a certificate.

use tenet_system::{Advice, Lemma, System};
use tenet_term::TermStore;

use crate::header::{Content, Header, Invariant};
use crate::model::hash;
use crate::names::Names;
use crate::obligations::{Statement, Steps, generate};
use crate::parse::parse_term;
use crate::print::Printer;
use crate::search::{Solvers, search};
use crate::sexpr::Sexpr;
use crate::text::{self, Part};

/// The origin of a model: what the checker needs to read it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The model's file, as given; the checker looks beside the certificate and in the current folder.
    pub file: String,
    /// The model's text (and that of a predicate file, if there was one): its hash goes into the header.
    pub text: Vec<u8>,
    /// How the model was read, as name and value: sizes, constants, unbounded names, predicate file.
    pub options: Vec<(String, String)>,
    /// The name of the engine that found the invariant.
    pub engine: String,
}

impl Origin {
    /// The header of a certificate about this model.
    pub(crate) fn header(&self, content: Content) -> Header {
        Header {
            model: self.file.clone(),
            hash: hash(&self.text),
            options: self.options.clone(),
            tool: concat!("tenet ", env!("CARGO_PKG_VERSION")).to_owned(),
            engine: self.engine.clone(),
            content,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Certificate {
    pub text: String,
    /// The number of checks in it.
    pub checks: usize,
}

/// A proof obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obligation {
    /// A lemma holds at a startstate.
    Start { start: usize, lemma: usize },
    /// A rule keeps a lemma.
    Step { rule: usize, lemma: usize },
    /// The lemmas imply a property.
    Property { property: usize },
}

/// An obligation without a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    pub obligation: Obligation,
    /// A counterexample, as far as instances go, or the solver gave up.
    pub reason: String,
}

/// Proves that the invariant is inductive and implies the properties (by position), and writes a certificate.
///
/// Changes the system only by adding terms and symbols to its store.
pub fn certify(
    system: &mut System,
    invariant: &[Lemma],
    properties: &[usize],
    advice: &Advice,
    origin: &Origin,
    solvers: Solvers,
) -> Result<Certificate, Gap> {
    let mut store = std::mem::take(&mut system.store);
    let certificate = write(system, &mut store, invariant, properties, advice, origin, solvers);
    system.store = store;
    certificate
}

fn write(
    system: &System,
    store: &mut TermStore,
    invariant: &[Lemma],
    properties: &[usize],
    advice: &Advice,
    origin: &Origin,
    solvers: Solvers,
) -> Result<Certificate, Gap> {
    let mut properties = properties.to_vec();
    properties.sort_unstable();
    properties.dedup();
    let names = Names::of_model(system, store);
    let mut lemmas = Vec::new();
    for (position, lemma) in invariant.iter().enumerate() {
        lemmas.push(
            as_read(store, &names, lemma)
                .map_err(|reason| Gap { obligation: first(system, position), reason })?,
        );
    }
    let whole = |reason: String| Gap { obligation: first(system, 0), reason };
    let steps = if advice.uses.is_some() { Steps::Together } else { Steps::Apart };
    let script = generate(system, store, names, &lemmas, &properties, steps).map_err(whole)?;
    let found = search(&script, store, advice, solvers)?;
    let invariant = Invariant {
        properties: properties
            .iter()
            .map(|&position| (position, system.properties[position].name.clone()))
            .collect(),
        assumptions: script.assumptions(&found.iter().flatten().map(|found| found.fact).collect()),
        lemmas: lemmas.len(),
        steps,
        checks: script.checks(),
    };
    let mut lines = origin.header(Content::Invariant(invariant)).lines();
    let mut of_checks = found.into_iter();
    for part in text::body(&script, store).map_err(whole)? {
        match part {
            Part::Line { text, .. } => lines.push(text),
            Part::Instances(..) => {
                let found = of_checks.next().expect("invariant: every check has its instances");
                lines.extend(found.into_iter().map(|found| found.line));
            }
        }
    }
    let text = lines.join("\n") + "\n";
    Ok(Certificate { text, checks: script.checks() })
}

/// The lemma as a reader of the certificate will parse it: the text is generated from that, so that both sides generate
/// the same.
fn as_read(store: &mut TermStore, names: &Names, lemma: &Lemma) -> Result<Statement, String> {
    let formula = lemma.formula(store);
    let text = Printer::new(store, names).term(formula)?;
    let tree = Sexpr::read(&text)?;
    let formula = parse_term(store, names, &tree, tree.root())?;
    Ok(Statement::new(store, formula))
}

/// The first obligation about a lemma.
fn first(system: &System, lemma: usize) -> Obligation {
    match system.starts.is_empty() {
        true => Obligation::Step { rule: 0, lemma },
        false => Obligation::Start { start: 0, lemma },
    }
}
