//! Reports as JSON, schema 1. `docs/json.md` describes every field; a change of meaning there is a new schema number.
//!
//! The types here are the schema: each is one of the tables of that page, with its fields in the order in which they are printed.

use crate::hybrid::Hybrid;
use crate::induction::{self, Proposal, ShownNearby};
use crate::lemma::Group;
use crate::reached::Reached;
use crate::recursive;
use crate::run;
use crate::shape;
use crate::source;
use crate::source::Text;
use crate::trust;
use crate::view;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use tenet_lang::diagnostic::{self, Severity};

/// The version of the schema.
pub const SCHEMA: u32 = 1;

/// The common fields of all objects.
#[derive(Clone, Debug, Serialize)]
pub struct Header<'a> {
    schema: u32,
    tool: &'static str,
    version: &'a str,
    file: &'a str,
}

/// The common fields of all objects.
pub fn header<'a>(version: &'a str, file: &'a str) -> Header<'a> {
    Header { schema: SCHEMA, tool: "tenet", version, file }
}

/// Printed when there is no verdict.
#[derive(Clone, Debug, Serialize)]
pub struct WithoutVerdict<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    verdict: (),
    diagnostics: Vec<Diagnostic<'a>>,
}

impl From<WithoutVerdict<'_>> for Json {
    fn from(object: WithoutVerdict<'_>) -> Json {
        json(&object)
    }
}

/// Printed when there is no verdict: rejected input, or a command that only inspects the input.
pub fn without_verdict<'a>(
    version: &'a str,
    list: &'a [diagnostic::Diagnostic],
    text: &Text<'a>,
) -> WithoutVerdict<'a> {
    WithoutVerdict { header: header(version, text.file), verdict: (), diagnostics: diagnostics(list, text) }
}

/// An object as a tree, in which keys are unique.
pub fn json(object: &impl Serialize) -> Json {
    serde_json::to_value(object).expect("invariant: objects have texts as names")
}

/// A whole report, with the diagnostics of the front end.
pub fn report(
    report: &view::Report,
    version: &str,
    warnings: &[diagnostic::Diagnostic],
    text: &Text<'_>,
) -> Json {
    let abstraction = report.abstraction.as_ref();
    let recursive = report.recursive.as_ref();
    let properties = report.properties.iter().enumerate().map(|(position, shown)| Property {
        asked: recursive.and_then(|recursive| recursive.items.get(position)).map(recursive::Item::asked),
        ..property(shown, abstraction)
    });
    json(&Report {
        header: header(version, &report.file),
        verdict: report.verdict.word(),
        instance: instance(&report.instance),
        recursive: recursive.map(recursive::Recursive::shown),
        properties: properties.collect(),
        iterations: &report.refinement,
        suggestions: abstraction.map_or(&[], |abstraction| &abstraction.suggestions),
        hybrid: &report.hybrid,
        reached: abstraction
            .map(|abstraction| &abstraction.reached)
            .filter(|reached| !reached.sets.is_empty()),
        trust: report.trust.as_ref().map(trust::Trust::shown),
        reason: report.reason.as_ref().map(|reason| reason.text.as_str()),
        code: report.reason.as_ref().map(|reason| reason.explanation.code),
        statistics: statistics(&report.statistics),
        proved_axioms: &report.proved_axioms,
        assumptions: &report.assumptions,
        certificate: report.certificate.as_ref().and_then(|certificate| certificate.file.as_deref()),
        notes: report.notes.iter().map(note).collect(),
        diagnostics: diagnostics(warnings, text),
    })
}

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    verdict: &'static str,
    instance: Instance<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recursive: Option<recursive::json::Recursive<'a>>,
    properties: Vec<Property<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    iterations: &'a [view::Refinement],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    suggestions: &'a [view::Suggestion],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    hybrid: &'a [Hybrid],
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<&'a Reached>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trust: Option<trust::Shown<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    statistics: Statistics,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    proved_axioms: &'a [String],
    assumptions: &'a [String],
    /// Where it is; `null` also for one that was checked but not written.
    certificate: Option<&'a str>,
    notes: Vec<Note<'a>>,
    diagnostics: Vec<Diagnostic<'a>>,
}

/// The instance that something is about.
#[derive(Clone, Debug, Serialize)]
pub struct Instance<'a> {
    size: Pairs<'a, u64>,
    #[serde(rename = "const")]
    consts: Pairs<'a, String>,
}

/// The instance that something is about.
pub fn instance(instance: &view::Instance) -> Instance<'_> {
    Instance { size: Pairs(&instance.sizes), consts: Pairs(&instance.consts) }
}

#[derive(Clone, Debug, Serialize)]
pub struct Run<'a> {
    size: Pairs<'a, u64>,
    steps: Vec<Step<'a>>,
    end: &'a str,
    replayed: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Step<'a> {
    rule: &'a str,
    params: Pairs<'a, String>,
    state: Pairs<'a, shape::Value>,
}

pub fn run(run: &run::Run) -> Run<'_> {
    let steps = run.steps.iter().map(|step| Step {
        rule: &step.rule,
        params: Pairs(&step.params),
        state: Pairs(&step.state),
    });
    Run { size: Pairs(&run.sizes), steps: steps.collect(), end: &run.end, replayed: run.is_replayed }
}

/// Arrays become objects keyed by the index's text, multisets lists, and undefined values `null`.
impl Serialize for shape::Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            shape::Value::Undefined => serializer.serialize_unit(),
            shape::Value::Bool(value) => serializer.serialize_bool(*value),
            shape::Value::Number(value) => serializer.serialize_i64(*value),
            shape::Value::Name(name) => serializer.serialize_str(name),
            shape::Value::Record(fields) => Pairs(fields).serialize(serializer),
            shape::Value::Array(elements) => {
                serializer.collect_map(elements.iter().map(|(index, value)| (key(index), value)))
            }
            shape::Value::Multiset(elements) => serializer.collect_seq(elements),
        }
    }
}

fn key(index: &shape::Value) -> String {
    match index {
        shape::Value::Bool(value) => value.to_string(),
        shape::Value::Number(value) => value.to_string(),
        shape::Value::Name(name) => name.clone(),
        _ => String::new(),
    }
}

#[derive(Serialize)]
struct Property<'a> {
    name: &'a str,
    verdict: &'static str,
    engine: &'static str,
    seconds: f64,
    invariant: Option<Vec<String>>,
    predicates: Option<usize>,
    substitutions: Option<usize>,
    iterations: Option<usize>,
    abstract_states: Option<u64>,
    abstract_states_per_iteration: Option<Vec<Option<u64>>>,
    reason: Option<&'a str>,
    code: Option<&'static str>,
    location: Option<Location>,
    failure: Option<Failure<'a>>,
    trace: Option<Run<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    as_written: Option<Written<'a>>,
    /// The question of a constraint logic program.
    #[serde(flatten)]
    asked: Option<recursive::json::Asked<'a>>,
}

fn property<'a>(property: &'a view::Property, abstraction: Option<&view::Abstraction>) -> Property<'a> {
    let reason = property.reason.as_ref();
    let proof = abstraction.filter(|_| property.verdict == view::Verdict::Safe);
    // A search for lemmas has no predicates and no abstract states to count.
    let counted = abstraction.filter(|abstraction| !abstraction.is_searched());
    Property {
        name: &property.name,
        verdict: property.verdict.word(),
        engine: property.engine,
        seconds: rounded(property.seconds),
        invariant: proof.map(|proof| proof.invariant.iter().flat_map(Group::formulas).collect()),
        predicates: counted.map(|abstraction| abstraction.predicates),
        substitutions: counted.map(view::Abstraction::substitution_count),
        iterations: counted.map(|abstraction| abstraction.iterations),
        abstract_states: counted.and_then(|abstraction| number(*abstraction.states.last()?)),
        abstract_states_per_iteration: counted
            .map(|abstraction| abstraction.states.iter().map(|&states| number(states)).collect()),
        reason: reason.map(|reason| reason.text.as_str()),
        code: reason.map(|reason| reason.explanation.code),
        location: property.location.as_ref().map(Location::of),
        failure: property.failure.as_ref().map(failure),
        trace: property.trace.as_ref().map(run),
        as_written: property.written.as_ref().map(written),
        asked: None,
    }
}

/// What the model says with its own numbers.
#[derive(Serialize)]
struct Written<'a> {
    instance: Instance<'a>,
    verdict: &'static str,
    states: u64,
    hint: Option<&'a str>,
}

fn written(written: &view::Written) -> Written<'_> {
    Written {
        instance: instance(&written.instance),
        verdict: written.verdict.word(),
        states: written.states,
        hint: written.hint.as_deref(),
    }
}

#[derive(Serialize)]
struct Location {
    line: usize,
    column: usize,
}

impl Location {
    fn of(place: &source::Location) -> Location {
        Location { line: place.line, column: place.column }
    }
}

/// Beyond 64 bits most readers of JSON would round silently.
fn number(number: u128) -> Option<u64> {
    u64::try_from(number).ok()
}

#[derive(Serialize)]
struct Failure<'a> {
    abstract_state: Vec<PredicateValue<'a>>,
    path: Vec<AbstractStep<'a>>,
    imprecision: Option<Imprecision<'a>>,
    candidates: Vec<Candidate<'a>>,
    witness: Pairs<'a, String>,
    induction: Option<Induction<'a>>,
}

#[derive(Serialize)]
struct Induction<'a> {
    step: Option<Counterexample<'a>>,
    none: Option<&'a str>,
    kept: Vec<String>,
    candidates: &'a [Proposal],
}

#[derive(Serialize)]
struct Counterexample<'a> {
    size: Pairs<'a, u64>,
    breaks: &'a str,
    witness: Pairs<'a, String>,
    before: Option<Before<'a>>,
    rule: &'a str,
    params: Pairs<'a, String>,
    changes: Pairs<'a, String>,
    after: Pairs<'a, shape::Value>,
    nearby: Option<&'a ShownNearby>,
}

#[derive(Serialize)]
struct Before<'a> {
    matters: Pairs<'a, String>,
    state: Pairs<'a, shape::Value>,
}

fn induction(induction: &induction::Induction) -> Induction<'_> {
    let step = induction.step.as_ref().map(|found| Counterexample {
        size: Pairs(&found.sizes),
        breaks: &found.breaks,
        witness: Pairs(&found.witness),
        before: found
            .before
            .as_ref()
            .map(|before| Before { matters: Pairs(&before.changes), state: Pairs(&before.state) }),
        rule: &found.step.rule,
        params: Pairs(&found.step.params),
        changes: Pairs(&found.step.changes),
        after: Pairs(&found.step.state),
        nearby: found.nearby.as_ref(),
    });
    Induction {
        step,
        none: induction.none.as_deref(),
        kept: induction.kept.iter().flat_map(Group::formulas).collect(),
        candidates: &induction.candidates,
    }
}

#[derive(Serialize)]
struct PredicateValue<'a> {
    predicate: &'a str,
    value: bool,
}

#[derive(Serialize)]
struct AbstractStep<'a> {
    iteration: usize,
    name: &'a str,
    state: &'a [bool],
}

#[derive(Serialize)]
struct Candidate<'a> {
    predicate: &'a str,
    step: usize,
    material: &'static str,
    excludes: bool,
}

#[derive(Serialize)]
struct Imprecision<'a> {
    step: usize,
    undetermined: Vec<&'a str>,
    may_be_disabled: bool,
    before: Pairs<'a, String>,
    after: Pairs<'a, String>,
}

fn failure(failure: &view::Failure) -> Failure<'_> {
    let state = failure.state().map(|(predicate, value)| PredicateValue { predicate, value });
    let path = failure.path.iter().map(|step| AbstractStep {
        iteration: step.iteration,
        name: &step.name,
        state: &step.state,
    });
    let name = |&predicate: &usize| failure.predicates[predicate].as_str();
    let imprecision = failure.imprecision.as_ref().map(|imprecision| Imprecision {
        step: imprecision.step,
        undetermined: imprecision.undetermined.iter().map(name).collect(),
        may_be_disabled: imprecision.may_be_disabled,
        before: Pairs(&imprecision.before),
        after: Pairs(&imprecision.after),
    });
    let candidates = failure.candidates.iter().map(|candidate| Candidate {
        predicate: &candidate.predicate,
        step: candidate.step,
        material: candidate.material,
        excludes: candidate.excludes,
    });
    Failure {
        abstract_state: state.collect(),
        path: path.collect(),
        imprecision,
        candidates: candidates.collect(),
        witness: Pairs(&failure.witness),
        induction: failure.induction.as_ref().map(induction),
    }
}

#[derive(Serialize)]
struct Statistics {
    smt_calls: u64,
    smt_seconds: f64,
    seconds: f64,
    peak_memory_mb: Option<u64>,
    #[serde(flatten)]
    search: Option<Search>,
}

/// The numbers of a state-space search.
#[derive(Serialize)]
struct Search {
    states: u64,
    rules_fired: u64,
    depth: u32,
    states_per_second: Option<u64>,
    state_bytes: u64,
    bytes_per_state: f64,
}

fn statistics(statistics: &view::Statistics) -> Statistics {
    let search = statistics.search.as_ref().map(|search| Search {
        states: search.states,
        rules_fired: search.rules_fired,
        depth: search.depth,
        states_per_second: statistics.states_per_second(),
        state_bytes: search.state_bytes,
        bytes_per_state: (search.bytes_per_state * 10.0).round() / 10.0,
    });
    Statistics {
        smt_calls: statistics.smt_calls,
        smt_seconds: rounded(statistics.smt_seconds),
        seconds: rounded(statistics.seconds),
        peak_memory_mb: statistics.peak_memory_mb,
        search,
    }
}

#[derive(Serialize)]
struct Note<'a> {
    code: &'static str,
    severity: &'static str,
    text: &'a str,
    items: &'a [String],
}

fn note(note: &view::Note) -> Note<'_> {
    let severity = if note.is_warning { "warning" } else { "note" };
    Note { code: note.explanation.code, severity, text: &note.text, items: &note.items }
}

/// A diagnostic with its places.
#[derive(Clone, Debug, Serialize)]
pub struct Diagnostic<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    labels: Vec<Label<'a>>,
    help: Option<&'a str>,
}

#[derive(Clone, Debug, Serialize)]
struct Label<'a> {
    line: usize,
    column: usize,
    start: u32,
    end: u32,
    text: &'a str,
}

/// Diagnostics with their places.
pub fn diagnostics<'a>(list: &'a [diagnostic::Diagnostic], text: &Text<'_>) -> Vec<Diagnostic<'a>> {
    list.iter().map(|one| diagnostic(one, text)).collect()
}

fn diagnostic<'a>(diagnostic: &'a diagnostic::Diagnostic, text: &Text<'_>) -> Diagnostic<'a> {
    let labels = diagnostic.labels.iter().map(|label| {
        let place = text.locate_span(label.span);
        let (start, end) = (label.span.start, label.span.end);
        Label { line: place.line, column: place.column, start, end, text: &label.text }
    });
    Diagnostic {
        code: diagnostic.explanation.code,
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: &diagnostic.message,
        labels: labels.collect(),
        help: diagnostic.help.as_deref(),
    }
}

/// Names and values, as an object.
#[derive(Clone, Debug)]
pub(crate) struct Pairs<'a, T>(pub(crate) &'a [(String, T)]);

impl<T: Serialize> Serialize for Pairs<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Rounded to microseconds.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
