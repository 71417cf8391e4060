//! The report on an attempt at a proof.
//!
//! The verdict about a property of a system is decided here, and only here: it is safe if the engine claims a proof and has an
//! invariant for it, the certificate was accepted, and the proof is not vacuous. Everything else, also what cannot happen, is
//! unknown.

use crate::attempt::Attempt;
use crate::axioms::Axioms;
use crate::confirm::{Confirmation, solver_name};
use crate::details;
use crate::reads::Definedness;
use tenet_engine::reach;
use tenet_engine::{Claim, Evidence, Obstacle, Open, Outcome, Reason as Kind, Stop, Warning};
use tenet_lang::diagnostic::Explanation;
use tenet_lang::frontend::Model;
use tenet_report::induction::Induction;
use tenet_report::number::{counted, megabytes, seconds};
use tenet_report::source::Text;
use tenet_report::trust::Trust;
use tenet_report::view::{
    AbstractStep, Abstraction, Candidate, Certificate, Failure, Imprecision, Instance, Property, Reason,
    Report, Statistics, Verdict,
};
use tenet_report::{codes, lemma};
use tenet_system::{Parameter, PropertyKind, System};
use tenet_term::Sort;

/// What the report is made of.
pub(crate) struct Facts<'a> {
    /// The model's text.
    pub text: Text<'a>,
    /// The model, in whose language lemmas are proposed.
    pub model: Option<&'a dyn Model>,
    /// The properties that were to be proved, by position.
    pub chosen: &'a [usize],
    /// What makes the model smaller than "every size".
    pub instance: Instance,
    /// What the engine claims, and what became of it.
    pub attempt: &'a Attempt,
    /// How far the search for violations got, as text.
    pub searched: Option<String>,
    /// The time limit in seconds.
    pub timeout: Option<f64>,
    /// The memory limit in bytes.
    pub memory: usize,
    /// How much the proof says, if there is one.
    pub trust: Option<Trust>,
    /// What was proved about the axioms.
    pub axioms: &'a Axioms,
    /// What is known about reads of undefined values.
    pub definedness: &'a Definedness,
    /// Time so far.
    pub seconds: f64,
    /// The most memory the process had.
    pub peak_memory_mb: Option<u64>,
}

impl Facts<'_> {
    /// What stands in the way, with lemmas in the words of the model.
    fn induction(&self, system: &System, found: &tenet_engine::induct::Induction) -> Induction {
        crate::obstacle::shown(self.model, system, found)
    }
}

/// The properties that the engine has proved, as far as it can be believed: never without an invariant.
pub(crate) fn claimed(outcome: &Outcome, chosen: &[usize]) -> Vec<usize> {
    let is_claimed = |position: &&usize| {
        matches!(outcome.evidence, Evidence::Invariant { .. })
            && vacuity(outcome, chosen).is_none()
            && matches!(outcome.claim(**position), Some(Claim::Proof))
    };
    chosen.iter().filter(is_claimed).copied().collect()
}

/// Why a proof would say nothing (X-T2).
#[derive(Clone, Copy)]
pub(crate) enum Vacuity {
    /// No state satisfies the axioms.
    Axioms,
    /// No startstate is possible.
    Start,
    /// There is no property; what the language demands is none.
    Property,
}

impl Vacuity {
    fn text(self) -> &'static str {
        match self {
            Vacuity::Axioms => "the axioms contradict each other, so a proof would be vacuous",
            Vacuity::Start => "no startstate is possible, so a proof would be vacuous",
            Vacuity::Property => "there is no property to prove",
        }
    }

    fn reason(self) -> Reason {
        match self {
            Vacuity::Axioms | Vacuity::Start => {
                reason(&codes::VACUOUS, self.text(), "mend what the warning names")
            }
            Vacuity::Property => reason(&codes::NO_PROPERTY, self.text(), "say what should hold"),
        }
    }
}

/// Why a proof would say nothing, if it would.
pub(crate) fn vacuity(outcome: &Outcome, chosen: &[usize]) -> Option<Vacuity> {
    let has = |warning: &Warning| outcome.warnings.contains(warning);
    if chosen.is_empty() || has(&Warning::NoProperty) {
        return Some(Vacuity::Property);
    }
    if has(&Warning::AxiomsUnsatisfiable) {
        return Some(Vacuity::Axioms);
    }
    has(&Warning::NoStart).then_some(Vacuity::Start)
}

/// The whole report. The system is changed only by terms added to its store.
pub(crate) fn report(system: &mut System, facts: &Facts<'_>) -> Report {
    let attempt = facts.attempt;
    let outcome = &attempt.outcome;
    let invariant = lemma::groups(&mut system.store, outcome.lemmas());
    let view = View { system, outcome, facts };
    let properties = view.properties();
    let vacuous = vacuity(outcome, facts.chosen);
    let verdict = match vacuous {
        Some(_) => Verdict::Unknown,
        None => Verdict::of_all(properties.iter().map(|property| property.verdict)),
    };
    let verified = attempt.confirmation.certificate();
    let told = &outcome.statistics.details;
    let abstraction = details::abstraction(system, told);
    Report {
        file: facts.text.file.to_string(),
        verdict,
        headline: view.headline(verdict, vacuous, &properties),
        instance: facts.instance.clone(),
        checked: view.checked(&properties),
        properties,
        abstraction: Some(Abstraction { invariant, is_checked: verified.is_some(), ..abstraction }),
        refinement: details::refinement(system, told),
        hybrid: details::hybrid(system, told),
        recursive: None,
        statistics: Statistics {
            smt_calls: outcome.statistics.solver_calls,
            smt_seconds: outcome.statistics.solver_seconds,
            seconds: facts.seconds,
            peak_memory_mb: facts.peak_memory_mb,
            search: None,
        },
        proved_axioms: facts.axioms.proved.clone(),
        trust: facts.trust.clone().filter(|_| verdict == Verdict::Safe),
        reason: vacuous.map(|why| why.reason()),
        assumptions: facts.axioms.left(facts.definedness.left(system.assumptions())),
        certificate: verified.map(|certificate| Certificate {
            file: None,
            checks: certificate.checks,
            solver: solver_name(),
        }),
        notes: Vec::new(),
    }
}

/// What the language demands, together.
const FAULTS: &str = "faults";
/// That no undefined value is read.
const READS: &str = "reads of undefined values";

/// Was it asked whether it is inductive, and is it not?
fn is_about_induction(property: &Property) -> bool {
    property.reason.as_ref().is_some_and(|reason| reason.explanation.code == codes::NOT_INDUCTIVE.code)
}

/// Is it a property that the model names?
fn is_named(property: &Property) -> bool {
    property.name != FAULTS && property.name != READS
}

struct View<'a> {
    system: &'a System,
    outcome: &'a Outcome,
    facts: &'a Facts<'a>,
}

impl View<'_> {
    /// Invariants and assertions one by one; what the language demands together, as far as it is proved.
    fn properties(&self) -> Vec<Property> {
        let mut all = Vec::new();
        let mut proved_demands = Vec::new();
        for &position in self.facts.chosen {
            let property = self.property(position);
            let kind = self.system.properties[position].kind;
            let is_demand = matches!(kind, PropertyKind::Implicit { .. } | PropertyKind::Start { .. });
            if is_demand && property.verdict == Verdict::Safe {
                proved_demands.push(property);
            } else {
                all.push(property);
            }
        }
        if let Some(first) = proved_demands.into_iter().next() {
            all.push(Property { name: FAULTS.to_string(), location: None, ..first });
        }
        all.extend(self.reads());
        all
    }

    /// That no undefined value is read, if that is a question.
    fn reads(&self) -> Option<Property> {
        let reason = match self.facts.definedness {
            Definedness::Visible => return None,
            Definedness::Proved(_) => None,
            Definedness::Open(why) => {
                let hint = "give every variable a value before it is read, or add an invariant that says why it has one";
                Some(reason(&codes::READS_OPEN, why, hint))
            }
        };
        Some(Property {
            name: READS.to_string(),
            verdict: if reason.is_none() { Verdict::Safe } else { Verdict::Unknown },
            engine: "direct",
            seconds: self.facts.seconds,
            reason,
            failure: None,
            location: None,
            trace: None,
            written: None,
        })
    }

    fn property(&self, position: usize) -> Property {
        let property = &self.system.properties[position];
        let (reason, failure) = match self.why_open(position) {
            None => (None, None),
            Some((reason, failure)) => (Some(reason), failure.or_else(|| self.obstacle())),
        };
        Property {
            name: name(property),
            verdict: if reason.is_none() { Verdict::Safe } else { Verdict::Unknown },
            engine: self.facts.attempt.engine,
            seconds: self.facts.seconds,
            reason,
            failure,
            location: Some(self.facts.text.locate(property.source)),
            trace: None,
            written: None,
        }
    }

    /// Why a property is not safe; `None` if it is.
    fn why_open(&self, position: usize) -> Option<(Reason, Option<Failure>)> {
        if let Some(why) = vacuity(self.outcome, self.facts.chosen) {
            return Some((why.reason(), None));
        }
        let is_claimed = matches!(self.outcome.evidence, Evidence::Invariant { .. });
        match self.outcome.claim(position) {
            Some(Claim::Proof) if is_claimed => Some((self.unconfirmed(position)?, None)),
            Some(Claim::Open(open)) => Some((self.open(open), self.failure(open))),
            // A violation is reported as one before it comes to this.
            Some(Claim::Proof | Claim::Violation(_)) | None => Some((self.stopped(), None)),
        }
    }

    /// Why a proof that the engine claims does not count; `None` if it does.
    fn unconfirmed(&self, position: usize) -> Option<Reason> {
        let why = match &self.facts.attempt.confirmation {
            Confirmation::Verified { properties, .. } if properties.contains(&position) => return None,
            Confirmation::Verified { .. } => "the certificate is about other properties".to_string(),
            Confirmation::Gap(_) if self.facts.attempt.stop.is_some() => return Some(self.stopped()),
            Confirmation::Gap(gap) => format!("the proof could not be confirmed: {}", gap.reason),
            Confirmation::Rejected(rejection) => format!("the proof is wrong: {}", rejection.reason),
            Confirmation::NotTried => "the proof was not confirmed".to_string(),
        };
        Some(reason(&codes::NO_CERTIFICATE, &why, self.facts.attempt.if_unconfirmed))
    }

    /// Why the engine has left a property open.
    fn open(&self, open: &Open) -> Reason {
        if let Kind::Stopped(stop) = open.reason {
            return limit(stop, &self.outcome.so_far, self.facts.timeout, self.facts.memory, &open.hint);
        }
        let is_of_search = matches!(
            open.reason,
            Kind::NoLemmas
                | Kind::NotInductive
                | Kind::Unfit
                | Kind::Predicates
                | Kind::Substitutions
                | Kind::Unclear
        );
        let searched = self.facts.searched.as_ref().filter(|_| is_of_search);
        let searched = searched.map_or(String::new(), |searched| format!("; {searched}"));
        Reason {
            explanation: explanation(open.reason),
            text: format!("{}{searched}", open.why),
            hint: open.hint.clone(),
        }
    }

    /// Why there is no claim.
    fn stopped(&self) -> Reason {
        let so_far = &self.outcome.so_far;
        match self.facts.attempt.stop.or(self.outcome.stop) {
            Some(stop) => {
                let hint = Open::stopped(stop, so_far).hint;
                limit(stop, so_far, self.facts.timeout, self.facts.memory, &hint)
            }
            None => reason(&codes::LIMIT, &format!("the search did not end {so_far}"), None),
        }
    }

    /// What stood in the way of all that is not proved.
    fn obstacle(&self) -> Option<Failure> {
        let induction = self.facts.attempt.induction.as_ref()?;
        Some(Failure { induction: Some(self.facts.induction(self.system, induction)), ..Failure::default() })
    }

    /// The abstract state that stood in the way. That an engine calls a property false counts for nothing without a run that was
    /// replayed; if there were one, this report would not be made.
    fn failure(&self, open: &Open) -> Option<Failure> {
        let failure = match &open.obstacle {
            Some(Obstacle::State(failure)) => failure,
            Some(Obstacle::Induction(induction)) => {
                let induction = Some(self.facts.induction(self.system, induction));
                return Some(Failure { induction, ..Failure::default() });
            }
            _ => return None,
        };
        let candidate = |candidate: &reach::Candidate| Candidate {
            predicate: candidate.text.clone(),
            step: candidate.step,
            material: details::material(candidate.material),
            excludes: candidate.excludes,
        };
        let step = |step: &reach::Step| AbstractStep {
            iteration: step.iteration,
            name: details::rule_name(self.system, step.rule),
            state: step.state.clone(),
        };
        let imprecision = |imprecision: &reach::Imprecision| Imprecision {
            step: imprecision.step,
            undetermined: imprecision.undetermined.clone(),
            may_be_disabled: imprecision.may_be_disabled,
            before: imprecision.before.values.clone(),
            after: imprecision.after.values.clone(),
        };
        Some(Failure {
            induction: None,
            predicates: self.system.predicates.iter().map(|predicate| predicate.name.clone()).collect(),
            path: failure.path.iter().map(step).collect(),
            imprecision: failure.imprecision.as_ref().map(imprecision),
            candidates: failure.candidates.iter().map(candidate).collect(),
            witness: failure.witness.values.clone(),
        })
    }

    fn headline(&self, verdict: Verdict, vacuous: Option<Vacuity>, properties: &[Property]) -> String {
        if let Some(why) = vacuous {
            return why.text().to_string();
        }
        if verdict == Verdict::Safe {
            let named: Vec<&Property> = properties.iter().filter(|p| is_named(p)).collect();
            let what = match named[..] {
                [only] => format!("\"{}\" holds", only.name),
                _ => format!("{} hold", self.kinds(properties)),
            };
            return format!("{what} in every reachable state{}", self.scope());
        }
        let open: Vec<&Property> = properties.iter().filter(|p| p.verdict != Verdict::Safe).collect();
        let why = open.iter().find_map(|property| property.reason.as_ref()).map_or("", |reason| &reason.text);
        match open.as_slice() {
            [only] if only.name == READS => format!("{READS}: {why}"),
            [only] => format!("\"{}\" is not proved: {why}", only.name),
            several if several.iter().all(|property| is_about_induction(property)) => {
                format!(
                    "{} of {} properties are not inductive as they stand",
                    several.len(),
                    properties.len()
                )
            }
            several => format!("{} of {} properties are not proved: {why}", several.len(), properties.len()),
        }
    }

    /// `, for every size of NODE and every value of PLACES (DATA = 2)`; the constant that determines a size stands for it where
    /// it matters: `, for every N >= 2`.
    fn scope(&self) -> String {
        let store = &self.system.store;
        let is_shown = |parameter: &&Parameter| parameter.is_restricted || parameter.is_number;
        let parameters: Vec<&Parameter> = self.system.parameters.iter().filter(is_shown).collect();
        let sorts = store.sorts().filter_map(|(_, sort)| match sort {
            Sort::Index { name } => Some(name.as_str()),
            _ => None,
        });
        let is_determined = |name: &&str| {
            parameters.iter().any(|parameter| parameter.sizes.iter().any(|known| known == name))
        };
        let is_parameter = |name: &&str| parameters.iter().any(|parameter| parameter.name == *name);
        let consts = self.system.consts.iter().map(|&symbol| store.symbol(symbol));
        let consts = consts.filter(|symbol| store.sort(symbol.sort).is_numeric());
        let consts = consts.map(|symbol| symbol.name.as_str()).filter(|name| !is_parameter(name));
        let conditions: Vec<String> = parameters.iter().map(|parameter| parameter.condition()).collect();
        let every = [
            ("every", conditions.iter().map(String::as_str).collect::<Vec<&str>>()),
            ("every size of", sorts.filter(|name| !is_determined(name)).collect()),
            ("every value of", consts.collect()),
        ];
        let every: Vec<String> = every
            .iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(what, names)| format!("{what} {}", names.join(" and ")))
            .collect();
        let every = if every.is_empty() { String::new() } else { format!(", for {}", every.join(" and ")) };
        let written = self.system.written.iter().cloned();
        let Instance { sizes, consts } = &self.facts.instance;
        let given = !(sizes.is_empty() && consts.is_empty());
        let parts: Vec<String> =
            given.then(|| self.facts.instance.describe()).into_iter().chain(written).collect();
        if parts.is_empty() { every } else { format!("{every} ({})", parts.join(", ")) }
    }

    /// `2 invariants, 1 assertion`
    fn kinds(&self, properties: &[Property]) -> String {
        let of = |wanted: fn(&PropertyKind) -> bool| {
            self.facts.chosen.iter().filter(|&&p| wanted(&self.system.properties[p].kind)).count() as u64
        };
        let counts = [
            (of(|kind| matches!(kind, PropertyKind::Invariant)), "invariant"),
            (of(|kind| matches!(kind, PropertyKind::Assertion { .. })), "assertion"),
        ];
        let parts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, noun)| counted(*count, noun))
            .collect();
        match parts.is_empty() {
            true => counted(properties.len() as u64, "demand"),
            false => parts.join(" and "),
        }
    }

    fn checked(&self, properties: &[Property]) -> String {
        let names: Vec<&str> = properties.iter().filter(|p| is_named(p)).map(|p| p.name.as_str()).collect();
        let mut parts = Vec::new();
        if names.len() > 1 {
            parts.push(names.join(", "));
        }
        if properties.iter().any(|p| p.name == FAULTS) {
            parts.push("faults such as indices out of bounds".to_string());
        }
        if properties.iter().any(|p| p.name == READS) {
            parts.push(READS.to_string());
        }
        parts.join("; ")
    }
}

/// The code of a reason.
pub(crate) fn explanation(kind: Kind) -> &'static Explanation {
    match kind {
        Kind::Unfit | Kind::NoLemmas | Kind::SeemsViolated => &codes::NO_LEMMAS,
        Kind::Stopped(Stop::Interrupt | Stop::Settled) => &codes::INTERRUPTED,
        Kind::Stopped(Stop::Timeout | Stop::Memory) | Kind::Unfinished => &codes::LIMIT,
        Kind::AnotherViolated => &codes::STOPPED_AT_FIRST,
        Kind::NotInductive => &codes::NOT_INDUCTIVE,
        Kind::NotRefined => &codes::NOT_REFINED,
        Kind::Predicates => &codes::PREDICATES,
        Kind::Substitutions => &codes::INSTANCES,
        Kind::Unclear => &codes::UNCLEAR,
        Kind::NotDerived => &codes::NOT_DERIVED,
        Kind::TreeOpen => &codes::TREE_OPEN,
        Kind::NotShown => &codes::NOT_SHOWN,
        Kind::Vacuous => &codes::VACUOUS,
        Kind::NotReplayed => &codes::NO_CERTIFICATE,
    }
}

/// That an engine was told to stop when it had got so far.
pub(crate) fn limit(
    stop: Stop,
    so_far: &str,
    timeout: Option<f64>,
    memory: usize,
    hint: &Option<String>,
) -> Reason {
    let text = match stop {
        Stop::Interrupt | Stop::Settled => format!("interrupted {so_far}"),
        Stop::Timeout => {
            let limit = timeout.map_or(String::new(), |limit| format!(" of {}", seconds(limit)));
            format!("the time limit{limit} was reached {so_far}")
        }
        Stop::Memory => format!("the memory limit of {} was reached {so_far}", megabytes(memory)),
    };
    Reason { explanation: explanation(Kind::Stopped(stop)), text, hint: hint.clone() }
}

/// The name under which a property is listed.
pub(crate) fn name(property: &tenet_system::Property) -> String {
    match property.kind {
        PropertyKind::Assertion { .. } => format!("assertion \"{}\"", property.name),
        _ => property.name.clone(),
    }
}

pub(crate) fn reason(
    explanation: &'static Explanation,
    text: &str,
    hint: impl Into<Option<&'static str>>,
) -> Reason {
    Reason { explanation, text: text.to_string(), hint: hint.into().map(str::to_string) }
}
