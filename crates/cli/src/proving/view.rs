//! The report on an attempt at a proof.
//!
//! The verdict is decided here, and only here: a property is safe if the engine's iteration was complete, the engine says
//! that the invariant implies it, the certificate was accepted, and the proof is not vacuous. Everything else, also
//! what cannot happen, is unknown.

use super::attempt::Attempt;
use super::axioms::Axioms;
use super::confirm::{Confirmation, solver_name};
use super::reads::Definedness;
use tenet_engine::reach::{self, Cause, Outcome, Warning};
use tenet_engine::{Stop, direct};
use tenet_lang::diagnostic::Explanation;
use tenet_report::number::{counted, megabytes, seconds};
use tenet_report::source::Text;
use tenet_report::trust::Trust;
use tenet_report::view::{
    Abstraction, Certificate, Failure, Instance, Introduced, Property, Reason, Report, Statistics, Verdict,
};
use tenet_report::{codes, lemma};
use tenet_system::{Parameter, PropertyKind, System};
use tenet_term::{Sort, Substitution, SymbolId};

/// What the report is made of.
pub struct Facts<'a> {
    /// The model's text.
    pub text: Text<'a>,
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

/// The properties that the engine has proved, as far as it can be believed: never before the limit is reached.
pub fn claimed(outcome: &Outcome, chosen: &[usize]) -> Vec<usize> {
    let is_claimed = |position: &&usize| {
        outcome.complete
            && vacuity(outcome, chosen).is_none()
            && matches!(verdict_of(outcome, **position), Some(reach::Verdict::Proved))
    };
    chosen.iter().filter(is_claimed).copied().collect()
}

/// Why a proof would say nothing (X-T2).
#[derive(Clone, Copy)]
pub enum Vacuity {
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
pub fn vacuity(outcome: &Outcome, chosen: &[usize]) -> Option<Vacuity> {
    let has = |warning: &Warning| outcome.warnings.contains(warning);
    if chosen.is_empty() || has(&Warning::NoProperty) {
        return Some(Vacuity::Property);
    }
    if has(&Warning::AxiomsUnsatisfiable) {
        return Some(Vacuity::Axioms);
    }
    has(&Warning::NoStart).then_some(Vacuity::Start)
}

fn verdict_of(outcome: &Outcome, position: usize) -> Option<&reach::Verdict> {
    outcome.properties.iter().find(|property| property.property == position).map(|property| &property.verdict)
}

/// The whole report. The system is changed only by terms added to its store.
pub fn report(system: &mut System, facts: &Facts<'_>) -> Report {
    let attempt = facts.attempt;
    let outcome = &attempt.claimed.outcome;
    let invariant = lemma::groups(&mut system.store, &outcome.invariant);
    let view = View { system, outcome, facts };
    let properties = view.properties();
    let vacuous = vacuity(outcome, facts.chosen);
    let verdict = match vacuous {
        Some(_) => Verdict::Unknown,
        None => Verdict::of_all(properties.iter().map(|property| property.verdict)),
    };
    let verified = match &attempt.confirmation {
        Confirmation::Verified(certificate) => Some(certificate),
        _ => None,
    };
    Report {
        file: facts.text.file.to_string(),
        verdict,
        headline: view.headline(verdict, vacuous, &properties),
        instance: facts.instance.clone(),
        checked: view.checked(&properties),
        properties,
        abstraction: Some(Abstraction { invariant, is_checked: verified.is_some(), ..view.abstraction() }),
        refinement: attempt.claimed.refinement.clone(),
        hybrid: attempt.claimed.hybrid.clone(),
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
        })
    }

    fn property(&self, position: usize) -> Property {
        let property = &self.system.properties[position];
        let (reason, failure) = match self.why_open(position) {
            None => (None, None),
            Some((reason, failure)) => (Some(reason), failure),
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
        }
    }

    /// Why a property is not safe; `None` if it is.
    fn why_open(&self, position: usize) -> Option<(Reason, Option<Failure>)> {
        if let Some(why) = vacuity(self.outcome, self.facts.chosen) {
            return Some((why.reason(), None));
        }
        match verdict_of(self.outcome, position) {
            Some(reach::Verdict::NotProved(failure)) if self.outcome.complete => {
                Some((self.cause(failure.cause), Some(self.failure(failure))))
            }
            Some(reach::Verdict::Proved) if self.outcome.complete => Some((self.unconfirmed()?, None)),
            _ => Some((self.stopped(), None)),
        }
    }

    /// Why a proof that the engine claims does not count; `None` if it does.
    fn unconfirmed(&self) -> Option<Reason> {
        let why = match &self.facts.attempt.confirmation {
            Confirmation::Verified(_) => return None,
            Confirmation::Gap(_) if self.facts.attempt.stop.is_some() => return Some(self.stopped()),
            Confirmation::Gap(gap) => format!("the proof could not be confirmed: {}", gap.reason),
            Confirmation::Rejected(rejection) => format!("the proof is wrong: {}", rejection.reason),
            Confirmation::NotTried => "the proof was not confirmed".to_string(),
        };
        let hint = match self.facts.attempt.engine {
            "direct" => "choose another --seed",
            "refine" if self.facts.attempt.is_published => "choose another --method or --direction",
            "refine" | "circuit" | "hybrid" => "leave `--engine` out, or choose another one",
            _ => "force the missing instances with `instantiate`",
        };
        Some(reason(&codes::NO_CERTIFICATE, &why, hint))
    }

    fn stopped(&self) -> Reason {
        let done = self.outcome.iterations.len().saturating_sub(1) as u64;
        let so_far = match self.facts.attempt.engine {
            "direct" | "refine" | "hybrid" | "circuit" => "before enough lemmas were found".to_string(),
            _ => format!("after {}", counted(done, "iteration")),
        };
        match self.facts.attempt.stop.or(self.outcome.stop) {
            Some(Stop::Interrupt | Stop::Settled) => {
                reason(&codes::INTERRUPTED, &format!("interrupted {so_far}"), "let it run longer")
            }
            Some(Stop::Timeout) => {
                let limit =
                    self.facts.timeout.map_or(String::new(), |limit| format!(" of {}", seconds(limit)));
                let text = format!("the time limit{limit} was reached {so_far}");
                reason(&codes::LIMIT, &text, "raise --timeout")
            }
            Some(Stop::Memory) => {
                let limit = megabytes(self.facts.memory);
                let text = format!("the memory limit of {limit} was reached {so_far}");
                reason(&codes::LIMIT, &text, "raise --memory, or use fewer predicates")
            }
            None if self.facts.attempt.is_published => {
                let why = self.facts.attempt.claimed.reason.as_deref().unwrap_or("the method gave up");
                let hint = "raise --iterations, or choose another --method or --direction";
                reason(&codes::NOT_REFINED, why, hint)
            }
            None if self.facts.attempt.claimed.reason.is_some() => {
                let why = self.facts.attempt.claimed.reason.clone().unwrap_or_default();
                let searched = self.facts.searched.as_ref();
                let searched = searched.map_or(String::new(), |searched| format!("; {searched}"));
                let hint = match self.facts.attempt.engine {
                    _ if self.facts.attempt.claimed.is_unfit => {
                        "leave `--engine` out: the one that is made for such files is chosen then"
                    }
                    "refine" | "hybrid" | "circuit" => {
                        "raise --timeout, or add an invariant that says why it holds"
                    }
                    // Only constraint logic programs have no instances that could have been searched.
                    "direct" if self.facts.searched.is_none() => {
                        "leave `--engine` out: `recursive` also looks for runs that break a property"
                    }
                    _ => {
                        "add an invariant that says why it holds, give predicates, or search larger instances with \
                         `tenet explore --size`"
                    }
                };
                reason(&codes::NO_LEMMAS, &format!("{why}{searched}"), hint)
            }
            None => {
                reason(&codes::LIMIT, &format!("the iteration did not end {so_far}"), "use fewer predicates")
            }
        }
    }

    /// One of the four causes. That the engine calls the property false counts for nothing without a run
    /// that was replayed; if there were one, this report would not be made.
    fn cause(&self, cause: Cause) -> Reason {
        let (explanation, text, hint): (&'static Explanation, _, _) = match cause {
            Cause::Predicates => (
                &codes::PREDICATES,
                "the predicates do not suffice, whatever the substitutions",
                "if the step shown is impossible, add a predicate that says why",
            ),
            Cause::Instances => (
                &codes::INSTANCES,
                "the predicates suffice for small instances, but the substitutions do not",
                "raise --deepen, or force the missing terms with `instantiate`",
            ),
            Cause::False | Cause::Unclear => (
                &codes::UNCLEAR,
                "the predicates or the substitutions do not suffice, or it is false",
                "if the step shown is impossible, add a predicate that says why; else raise --deepen",
            ),
        };
        let searched = self.facts.searched.as_ref().map_or(String::new(), |searched| format!("; {searched}"));
        reason(explanation, &format!("{text}{searched}"), hint)
    }

    fn failure(&self, failure: &reach::Failure) -> Failure {
        let names = self.system.predicates.iter().map(|predicate| predicate.name.clone());
        Failure {
            state: names.zip(failure.state.iter().copied()).collect(),
            introduced: failure.introduced.as_ref().map(|introduced| Introduced {
                iteration: introduced.iteration,
                rule: introduced.rule.map(|rule| self.system.rules[rule].name.clone()),
                before: introduced.before.values.clone(),
                after: introduced.after.values.clone(),
            }),
            witness: failure.witness.values.clone(),
        }
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

    fn abstraction(&self) -> Abstraction {
        let indices: Vec<SymbolId> = self.system.indices.iter().map(|index| index.symbol).collect();
        let names: Vec<String> =
            indices.iter().map(|&symbol| self.system.store.symbol(symbol).name.clone()).collect();
        let rules = self.system.rules.iter().zip(&self.outcome.substitutions);
        let substitutions = rules.map(|(rule, substitutions)| {
            let tuples = substitutions.iter().map(|substitution| self.tuple(&indices, substitution));
            (rule.name.clone(), tuples.collect())
        });
        let iterations = self.outcome.iterations.iter().enumerate();
        let grown = iterations.filter(|(number, iteration)| *number == 0 || iteration.is_productive);
        Abstraction {
            // A search for lemmas does not look at predicates.
            predicates: if self.facts.attempt.engine == "reach" { self.system.predicates.len() } else { 0 },
            indices: tuple(names),
            // Without index variables there is nothing to substitute for.
            substitutions: if indices.is_empty() { Vec::new() } else { substitutions.collect() },
            deepenings: self.outcome.deepenings,
            iterations: self.outcome.productive(),
            states: grown.map(|(_, iteration)| iteration.states).collect(),
            nodes: self.outcome.statistics.nodes,
            clauses: self.outcome.statistics.clauses,
            ..Abstraction::default()
        }
    }

    fn tuple(&self, indices: &[SymbolId], substitution: &Substitution) -> String {
        let store = &self.system.store;
        let shown = indices.iter().map(|&symbol| match substitution.get(symbol) {
            Some(term) => store.print(term),
            None => store.symbol(symbol).name.clone(),
        });
        tuple(shown.collect())
    }
}

/// The name under which a property is listed.
pub(super) fn name(property: &tenet_system::Property) -> String {
    match property.kind {
        PropertyKind::Assertion { .. } => format!("assertion \"{}\"", property.name),
        _ => property.name.clone(),
    }
}

/// `(i, j)`, or just `i`.
fn tuple(parts: Vec<String>) -> String {
    match parts.as_slice() {
        [only] => only.clone(),
        _ => format!("({})", parts.join(", ")),
    }
}

/// Why `direct` found no proof, for people.
pub fn why_no_lemmas(system: &System, reason: &direct::Reason) -> String {
    match reason {
        direct::Reason::Stopped(_) => "it was stopped".to_string(),
        direct::Reason::Inconclusive(why) => format!("the solver does not know: {why}"),
        direct::Reason::NoInstance(why) => format!("there is no small instance to learn from: {why}"),
        direct::Reason::Violated => "a startstate violates it, as far as the solver can tell".to_string(),
        direct::Reason::Reached => "a state that violates it is reached in a small instance".to_string(),
        direct::Reason::Stuck { rule } => {
            let rule = &system.rules[*rule].name;
            format!("no lemma was found that keeps rule \"{rule}\" from breaking it")
        }
        direct::Reason::TooHard => {
            "every attempt needed too many lemmas, or lemmas about too many elements".to_string()
        }
        direct::Reason::Functional => {
            "a definition has arrays as arguments, of which the engine `direct` knows nothing".to_string()
        }
    }
}

pub(super) fn reason(
    explanation: &'static Explanation,
    text: &str,
    hint: impl Into<Option<&'static str>>,
) -> Reason {
    Reason { explanation, text: text.to_string(), hint: hint.into().map(str::to_string) }
}
