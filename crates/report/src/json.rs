//! Reports as JSON, schema 1. `docs/json.md` describes every field; a change of meaning there is a new schema number.

use crate::hybrid::Hybrid;
use crate::lemma::Group;
use crate::run::{Run, ShownStep};
use crate::shape::Value;
use crate::source::Text;
use crate::view::{Abstraction, Failure, Instance, Note, Property, Refinement, Report, Statistics, Verdict};
use serde_json::{Map, Value as Json, json};
use tenet_lang::diagnostic::{Diagnostic, Severity};

/// The version of the schema.
pub const SCHEMA: u32 = 1;

/// Every object starts with the same four fields.
pub fn header(version: &str, file: &str) -> Map<String, Json> {
    let mut object = Map::new();
    object.insert("schema".into(), json!(SCHEMA));
    object.insert("tool".into(), json!("tenet"));
    object.insert("version".into(), json!(version));
    object.insert("file".into(), json!(file));
    object
}

/// A whole report, with the warnings of the front end.
pub fn report(report: &Report, version: &str, warnings: &[Diagnostic], text: &Text<'_>) -> Json {
    let mut object = header(version, &report.file);
    object.insert("verdict".into(), json!(report.verdict.word()));
    object.insert("instance".into(), instance(&report.instance));
    let abstraction = report.abstraction.as_ref();
    let properties = report.properties.iter().map(|one| property(one, abstraction));
    let mut properties: Vec<Json> = properties.collect();
    if let Some(recursive) = &report.recursive {
        for (shown, item) in properties.iter_mut().zip(&recursive.items) {
            item.fields().into_iter().for_each(|(field, value)| shown[field] = value);
        }
        object.insert("recursive".into(), recursive.json());
    }
    object.insert("properties".into(), Json::Array(properties));
    if !report.refinement.is_empty() {
        object.insert("iterations".into(), report.refinement.iter().map(refinement).collect());
    }
    if !report.hybrid.is_empty() {
        object.insert("hybrid".into(), report.hybrid.iter().map(Hybrid::json).collect());
    }
    if let Some(trust) = &report.trust {
        object.insert("trust".into(), trust.json());
    }
    if let Some(reason) = &report.reason {
        object.insert("reason".into(), json!(reason.text));
        object.insert("code".into(), json!(reason.explanation.code));
    }
    object.insert("statistics".into(), statistics(&report.statistics));
    if !report.proved_axioms.is_empty() {
        object.insert("proved_axioms".into(), json!(report.proved_axioms));
    }
    object.insert("assumptions".into(), json!(report.assumptions));
    object.insert("certificate".into(), certificate(report));
    object.insert("notes".into(), report.notes.iter().map(note).collect());
    object.insert("diagnostics".into(), diagnostics(warnings, text));
    Json::Object(object)
}

/// What is printed when there is no verdict: rejected input, or a command that only looks at the input.
pub fn without_verdict(version: &str, list: &[Diagnostic], text: &Text<'_>) -> Map<String, Json> {
    let mut object = header(version, text.file);
    object.insert("verdict".into(), Json::Null);
    object.insert("diagnostics".into(), diagnostics(list, text));
    object
}

/// Which instance it is about.
pub fn instance(instance: &Instance) -> Json {
    json!({ "size": sizes(&instance.sizes), "const": texts(&instance.consts) })
}

/// A run.
pub fn run(run: &Run) -> Json {
    json!({
        "size": sizes(&run.sizes),
        "steps": run.steps.iter().map(step).collect::<Vec<_>>(),
        "end": run.end,
        "replayed": run.is_replayed,
    })
}

fn step(step: &ShownStep) -> Json {
    let state: Map<String, Json> = step.state.iter().map(|(name, v)| (name.clone(), value(v))).collect();
    json!({ "rule": step.rule, "params": texts(&step.params), "state": state })
}

/// A value: arrays become objects keyed by the index's text, multisets lists, and what is undefined `null`.
pub fn value(shown: &Value) -> Json {
    match shown {
        Value::Undefined => Json::Null,
        Value::Bool(value) => json!(value),
        Value::Number(value) => json!(value),
        Value::Name(name) => json!(name),
        Value::Record(fields) => fields.iter().map(|(name, v)| (name.clone(), value(v))).collect(),
        Value::Array(elements) => elements.iter().map(|(index, v)| (key(index), value(v))).collect(),
        Value::Multiset(elements) => elements.iter().map(value).collect(),
    }
}

fn key(index: &Value) -> String {
    match index {
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::Name(name) => name.clone(),
        _ => String::new(),
    }
}

/// Where the certificate is; `null` also for one that was checked but not written.
fn certificate(report: &Report) -> Json {
    json!(report.certificate.as_ref().and_then(|certificate| certificate.file.as_ref()))
}

fn property(property: &Property, abstraction: Option<&Abstraction>) -> Json {
    let reason = property.reason.as_ref();
    let proof = abstraction.filter(|_| property.verdict == Verdict::Safe);
    let invariant: Option<Vec<String>> =
        proof.map(|proof| proof.invariant.iter().flat_map(Group::formulas).collect());
    // A search for lemmas has no predicates and no abstract states to count.
    let counted = abstraction.filter(|abstraction| !abstraction.is_searched());
    let states: Option<Vec<Json>> = counted.map(|a| a.states.iter().map(|&n| number(n)).collect());
    json!({
        "name": property.name,
        "verdict": property.verdict.word(),
        "engine": property.engine,
        "seconds": rounded(property.seconds),
        "invariant": invariant,
        "predicates": counted.map(|a| a.predicates),
        "substitutions": counted.map(Abstraction::substitution_count),
        "iterations": counted.map(|a| a.iterations),
        "abstract_states": counted.and_then(|a| a.states.last()).map(|&n| number(n)),
        "abstract_states_per_iteration": states,
        "reason": reason.map(|reason| &reason.text),
        "code": reason.map(|reason| reason.explanation.code),
        "location": property.location.as_ref().map(|place| json!({ "line": place.line, "column": place.column })),
        "failure": property.failure.as_ref().map(failure),
        "trace": property.trace.as_ref().map(run),
    })
}

fn refinement(iteration: &Refinement) -> Json {
    json!({
        "predicates": iteration.predicates,
        "invariant": iteration.invariant,
        "rounds": iteration.rounds,
    })
}

/// Beyond 64 bits most readers of JSON would round without saying so.
fn number(number: u128) -> Json {
    u64::try_from(number).map_or(Json::Null, |number| json!(number))
}

fn failure(failure: &Failure) -> Json {
    let predicate = |(text, value): &(String, bool)| json!({ "predicate": text, "value": value });
    let introduced = failure.introduced.as_ref().map(|introduced| {
        json!({
            "iteration": introduced.iteration,
            "rule": introduced.rule,
            "before": texts(&introduced.before),
            "after": texts(&introduced.after),
        })
    });
    json!({
        "abstract_state": failure.state.iter().map(predicate).collect::<Vec<_>>(),
        "introduced": introduced,
        "witness": texts(&failure.witness),
    })
}

/// The numbers of a command.
pub fn statistics(statistics: &Statistics) -> Json {
    let mut object = Map::new();
    object.insert("smt_calls".into(), json!(statistics.smt_calls));
    object.insert("smt_seconds".into(), json!(rounded(statistics.smt_seconds)));
    object.insert("seconds".into(), json!(rounded(statistics.seconds)));
    object.insert("peak_memory_mb".into(), json!(statistics.peak_memory_mb));
    if let Some(search) = &statistics.search {
        object.insert("states".into(), json!(search.states));
        object.insert("rules_fired".into(), json!(search.rules_fired));
        object.insert("depth".into(), json!(search.depth));
        object.insert("states_per_second".into(), json!(statistics.states_per_second()));
        object.insert("state_bytes".into(), json!(search.state_bytes));
        object.insert("bytes_per_state".into(), json!((search.bytes_per_state * 10.0).round() / 10.0));
    }
    Json::Object(object)
}

fn note(note: &Note) -> Json {
    let severity = if note.is_warning { "warning" } else { "note" };
    json!({ "code": note.explanation.code, "severity": severity, "text": note.text, "items": note.items })
}

/// Diagnostics with their places.
pub fn diagnostics(list: &[Diagnostic], text: &Text<'_>) -> Json {
    list.iter().map(|one| diagnostic(one, text)).collect()
}

fn diagnostic(diagnostic: &Diagnostic, text: &Text<'_>) -> Json {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let labels = diagnostic.labels.iter().map(|label| {
        let place = text.locate_span(label.span);
        let (start, end) = (label.span.start, label.span.end);
        json!({ "line": place.line, "column": place.column, "start": start, "end": end, "text": label.text })
    });
    json!({
        "code": diagnostic.explanation.code,
        "severity": severity,
        "message": diagnostic.message,
        "labels": labels.collect::<Vec<_>>(),
        "help": diagnostic.help,
    })
}

fn sizes(sizes: &[(String, u64)]) -> Json {
    sizes.iter().map(|(name, size)| (name.clone(), json!(size))).collect::<Map<_, _>>().into()
}

fn texts(texts: &[(String, String)]) -> Json {
    texts.iter().map(|(name, text)| (name.clone(), json!(text))).collect::<Map<_, _>>().into()
}

/// Microseconds are as exact as any of this is.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}
