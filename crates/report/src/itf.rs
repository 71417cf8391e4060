//! Runs in the Informal Trace Format, the JSON that TLA+ and Quint tools exchange (Apalache's ADR 15).
//!
//! Numbers are written as `#bigint`, because JSON readers may round large ones; arrays as `#map`, because their indices
//! need not be texts; an undefined value as `#unserializable`, the format's way to say that there is none.

use crate::run::Run;
use crate::shape::Value;
use serde_json::{Map, Value as Json, json};

/// A run as an ITF object.
pub fn trace(run: &Run, file: &str, property: &str) -> Json {
    let variables =
        run.steps.first().map_or(Vec::new(), |step| step.state.iter().map(|(name, _)| name).collect());
    json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": file,
            "status": "violation",
            "description": format!("{property}: {}", run.end),
        },
        "vars": variables,
        "states": run.steps.iter().enumerate().map(|(index, step)| {
            let mut state = Map::new();
            state.insert("#meta".into(), json!({ "index": index, "action": step.title() }));
            state.extend(step.state.iter().map(|(name, shown)| (name.clone(), value(shown))));
            Json::Object(state)
        }).collect::<Vec<_>>(),
    })
}

fn value(shown: &Value) -> Json {
    match shown {
        Value::Undefined => json!({ "#unserializable": "undefined" }),
        Value::Bool(value) => json!(value),
        Value::Number(value) => json!({ "#bigint": value.to_string() }),
        Value::Name(name) => json!(name),
        Value::Record(fields) => fields.iter().map(|(name, v)| (name.clone(), value(v))).collect(),
        Value::Array(elements) => {
            let pairs: Vec<Json> =
                elements.iter().map(|(index, v)| json!([value(index), value(v)])).collect();
            json!({ "#map": pairs })
        }
        // A list, not a set: elements may repeat.
        Value::Multiset(elements) => elements.iter().map(value).collect(),
    }
}
