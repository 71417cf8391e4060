//! Runs in the Informal Trace Format, the JSON that TLA+ and Quint tools exchange (Apalache's ADR 15).
//!
//! Numbers are written as `#bigint`, because JSON readers may round large ones; arrays as `#map`, because their indices
//! need not be strings; an undefined value as `#unserializable`, the format's notation for a value without
//! representation.

use crate::json::json;
use crate::run::{Run, ShownStep};
use crate::shape::Value;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

/// A run as an ITF object.
pub fn trace(run: &Run, file: &str, property: &str) -> Json {
    let first = run.steps.first();
    json(&Trace {
        meta: Meta {
            format: "ITF",
            description_of_format: "https://apalache-mc.org/docs/adr/015adr-trace.html",
            source: file,
            status: "violation",
            description: format!("{property}: {}", run.end),
        },
        vars: first.map_or(Vec::new(), |step| step.state.iter().map(|(name, _)| name.as_str()).collect()),
        states: run.steps.iter().enumerate().map(|(index, step)| State { index, step }).collect(),
    })
}

#[derive(Serialize)]
struct Trace<'a> {
    #[serde(rename = "#meta")]
    meta: Meta<'a>,
    vars: Vec<&'a str>,
    states: Vec<State<'a>>,
}

#[derive(Serialize)]
struct Meta<'a> {
    format: &'static str,
    #[serde(rename = "format-description")]
    description_of_format: &'static str,
    source: &'a str,
    status: &'static str,
    description: String,
}

/// The state after a step, with the step's name.
struct State<'a> {
    index: usize,
    step: &'a ShownStep,
}

#[derive(Serialize)]
struct StateMeta {
    index: usize,
    action: String,
}

impl Serialize for State<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut state = serializer.serialize_map(None)?;
        state.serialize_entry("#meta", &StateMeta { index: self.index, action: self.step.title() })?;
        for (name, value) in &self.step.state {
            state.serialize_entry(name, &Shown(value))?;
        }
        state.end()
    }
}

/// A value in the format.
struct Shown<'a>(&'a Value);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Undefined => serializer.collect_map([("#unserializable", "undefined")]),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Number(value) => serializer.collect_map([("#bigint", value.to_string())]),
            Value::Name(name) => serializer.serialize_str(name),
            Value::Record(fields) => {
                serializer.collect_map(fields.iter().map(|(name, value)| (name, Shown(value))))
            }
            Value::Array(elements) => {
                let pairs = elements.iter().map(|(index, value)| [Shown(index), Shown(value)]);
                serializer.collect_map([("#map", pairs.collect::<Vec<_>>())])
            }
            // A list, not a set: elements may repeat.
            Value::Multiset(elements) => serializer.collect_seq(elements.iter().map(Shown)),
        }
    }
}
