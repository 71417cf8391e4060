//! From a model of `models/papers/`, perhaps edited and with hints, to an outcome and a verified certificate.
//!
//! A test names a model and its expected results. The engine is never trusted: [`Run::certificate`] demands a
//! certificate that the checker accepts against the model's text.

use std::fs;
use std::path::{Path, PathBuf};
use tenet_engine::reach::{Details, Failure, Instances, Options, reach};
use tenet_engine::{Alone, Claim, Evidence, Obstacle, Outcome};
use tenet_lang::murphi::check::{Settings, check_with};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, parse, parse_predicates};
use tenet_lang::render::{Style, render};
use tenet_proof::{Backend, Origin, certify, verify};
use tenet_solve::Z3Solver;
use tenet_system::System;

/// The name of the hints in a certificate.
const HINTS: &str = "hints.tenet";

/// The top of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A model with hints, which may be empty.
#[derive(Clone)]
pub struct Paper {
    /// The model's file without folder and ending.
    pub name: String,
    text: String,
    hints: String,
}

/// A model as it is, without hints.
pub fn paper(name: &str) -> Paper {
    let file = root().join(format!("models/papers/{name}.tenet"));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    Paper { name: name.to_owned(), text, hints: String::new() }
}

/// The sets of the papers: all rules of an iteration start from the same one, and hints give all substitutions.
pub fn strict() -> Options {
    Options { strict: true, instances: Instances::Forced, ..Options::default() }
}

impl Paper {
    /// The model with the substitutions that stand beside it.
    pub fn with_instances(self) -> Paper {
        // A broken model has those of the right one.
        let name = self.name.trim_end_matches("_broken");
        let file = root().join(format!("models/papers/{name}.instances"));
        let hints = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.with(&hints)
    }

    /// The model with more predicates or hints.
    pub fn with(mut self, hints: &str) -> Paper {
        self.hints.push_str(hints);
        self
    }

    /// The model with one place changed.
    pub fn edited(mut self, old: &str, new: &str) -> Paper {
        assert_eq!(self.text.matches(old).count(), 1, "{}: {old}", self.name);
        self.text = self.text.replace(old, new);
        self
    }

    /// The model without one of its axioms.
    pub fn without_axiom(mut self, name: &str) -> Paper {
        let start = self.text.find(&format!("axiom \"{name}\"")).unwrap_or_else(|| panic!("{name}?"));
        let length = self.text[start..].find(";\n").expect("an axiom ends with a semicolon") + 2;
        self.text.replace_range(start..start + length, "");
        self
    }

    /// The model without its index variables and predicates, which are the last things in it.
    pub fn without_predicates(mut self) -> Paper {
        let start = self.text.find("\nindex ").expect("index variables are declared before predicates");
        self.text.truncate(start + 1);
        self
    }

    /// The system for every size; any diagnostic, even a warning, is a failure.
    pub fn system(&self) -> System {
        let text = format!("{}{}", self.text, self.hints);
        let (ast, mut diagnostics) = parse(&self.text, Dialect::Tenet);
        let (more, found) = parse_predicates(&text, self.text.len());
        diagnostics.extend(found);
        let (model, found) = check_with(&ast, Some(&more), &Settings::new(Dialect::Tenet));
        diagnostics.extend(found);
        assert!(diagnostics.is_empty(), "{}", render(&diagnostics, &self.name, &text, Style::Plain));
        let (system, warnings) = read(&model, &Unbounded::default())
            .unwrap_or_else(|errors| panic!("{}", render(&errors, &self.name, &text, Style::Plain)));
        assert!(warnings.is_empty(), "{}", render(&warnings, &self.name, &text, Style::Plain));
        system
    }

    /// Runs the engine.
    pub fn run(&self, options: &Options) -> Run {
        self.run_system(self.system(), options)
    }

    /// Runs the engine on a system that was made from this model.
    pub fn run_system(&self, system: System, options: &Options) -> Run {
        let all: Vec<usize> = (0..system.properties.len()).collect();
        self.run_about(system, &all, options)
    }

    fn run_about(&self, mut system: System, properties: &[usize], options: &Options) -> Run {
        let outcome = reach(&mut system, properties, options, &mut Alone);
        let run = Run { paper: self.clone(), system, outcome };
        assert!(run.details().is_complete || options.until_violated, "{}: nobody stopped it", self.name);
        run
    }

    /// Runs the engine until a property, by its name, is not implied, whatever the instances.
    pub fn fail(&self, property: &str) -> Run {
        self.fail_with(property, Options::default().instances)
    }

    /// The same with some instances.
    pub fn fail_with(&self, property: &str, instances: Instances) -> Run {
        let system = self.system();
        let position = system.properties.iter().position(|known| known.name == property);
        let properties = [position.expect("there is such a property")];
        let options = Options { until_violated: true, instances, ..Options::default() };
        let run = self.run_about(system, &properties, &options);
        assert!(!run.failure().witness.values.is_empty(), "{}", self.name);
        run
    }

    /// The comment at the top of the model.
    pub fn header(&self) -> String {
        self.text.lines().take_while(|line| line.starts_with("--")).collect::<Vec<_>>().join("\n")
    }

    fn file(&self) -> String {
        format!("{}.tenet", self.name)
    }
}

/// The engine's results for a model.
pub struct Run {
    paper: Paper,
    pub system: System,
    pub outcome: Outcome,
}

impl Run {
    pub fn details(&self) -> &Details {
        Details::of(&self.outcome).expect("they are those of `reach`")
    }

    /// The numbers of abstract states: at first and after each productive iteration.
    pub fn sizes(&self) -> Vec<u128> {
        let mut iterations = self.details().iterations.iter();
        let first = iterations.next().map(|first| first.states);
        let productive = iterations.filter(|iteration| iteration.is_productive).map(|i| i.states);
        first.into_iter().chain(productive).collect()
    }

    /// The number of productive iterations and that of abstract states in the end.
    pub fn limit(&self) -> (usize, u128) {
        (self.details().productive(), *self.sizes().last().expect("there is an initial set"))
    }

    /// Does the engine claim that all properties hold? There must be no sign of vacuity.
    pub fn is_proved(&self) -> bool {
        assert_eq!(self.outcome.warnings, [], "{}", self.paper.name);
        self.outcome.is_proof()
    }

    /// Why the first property that is not proved is not.
    pub fn failure(&self) -> &Failure {
        let failure = self.outcome.claims.iter().find_map(|claimed| match &claimed.claim {
            Claim::Open(open) => match &open.obstacle {
                Some(Obstacle::State(failure)) => Some(failure.as_ref()),
                _ => None,
            },
            Claim::Proof | Claim::Violation(_) => None,
        });
        failure.unwrap_or_else(|| panic!("{}: everything is proved", self.paper.name))
    }

    /// The invariant as text.
    pub fn invariant(&mut self) -> Vec<String> {
        let store = &mut self.system.store;
        let formulas = self.outcome.lemmas().iter().map(|lemma| lemma.formula(store));
        let formulas: Vec<_> = formulas.collect();
        formulas.into_iter().map(|formula| store.print(formula)).collect()
    }

    /// A certificate that the invariant is inductive and implies every property; Z3 agrees.
    pub fn certificate(&mut self) -> String {
        let name = self.paper.name.clone();
        assert!(self.is_proved(), "{name}: {:#?}", self.failure());
        let Evidence::Invariant { lemmas, advice } = &self.outcome.evidence else {
            panic!("{name}: there is no invariant");
        };
        let proved: Vec<usize> = (0..self.system.properties.len()).collect();
        let origin = self.origin();
        let system = &mut self.system;
        let certificate = certify(system, lemmas, &proved, advice, &origin, &|| Box::new(Z3Solver::ground()));
        let certificate = certificate.unwrap_or_else(|gap| panic!("{name}: {gap:?}"));
        self.verify(&certificate.text, &Backend::Z3);
        certificate.text
    }

    /// Demands that a solver accepts a certificate.
    pub fn verify(&self, certificate: &str, backend: &Backend) {
        let paper = &self.paper;
        let verified = verify(certificate, backend, &mut |name| match name {
            HINTS => Ok(paper.hints.clone().into_bytes()),
            _ if name == paper.file() => Ok(paper.text.clone().into_bytes()),
            _ => Err(format!("{name} is not part of the proof")),
        });
        let verified = verified.unwrap_or_else(|rejection| panic!("{}: {rejection:?}", paper.name));
        assert_eq!(verified.properties.len(), self.system.properties.len(), "{}", paper.name);
    }

    fn origin(&self) -> Origin {
        let paper = &self.paper;
        let predicates = (!paper.hints.is_empty()).then(|| ("predicates".to_owned(), HINTS.to_owned()));
        Origin {
            file: paper.file(),
            text: format!("{}{}", paper.text, paper.hints).into_bytes(),
            options: predicates.into_iter().collect(),
            engine: "reach".to_owned(),
        }
    }
}
