//! The fields of an event or a span as text.

use std::fmt::Debug;
use tracing::field::{Field, Visit};

/// The message, and the other fields in their order.
#[derive(Default)]
pub struct Fields {
    message: String,
    values: Vec<(&'static str, Value)>,
}

/// A text is quoted when it is printed, so that it stays on one line.
enum Value {
    Text(String),
    Other(String),
}

impl Fields {
    /// Adds a field that the event itself does not have.
    pub fn add(&mut self, name: &'static str, value: String) {
        self.values.push((name, Value::Other(value)));
    }

    /// Removes a field.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let position = self.values.iter().position(|(known, _)| *known == name)?;
        let (Value::Text(value) | Value::Other(value)) = self.values.remove(position).1;
        Some(value)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let (_, value) = self.values.iter().find(|(known, _)| *known == name)?;
        let (Value::Text(value) | Value::Other(value)) = value;
        Some(value)
    }

    /// `message name=value name=value`
    pub fn of_event(&self) -> String {
        let mut text = self.message.clone();
        for (name, value) in &self.values {
            text.push_str(&format!(" {name}={}", shown(value)));
        }
        text
    }

    /// `name{field=value}`
    pub fn of_span(&self, name: &str) -> String {
        let fields: Vec<String> =
            self.values.iter().map(|(name, value)| format!("{name}={}", shown(value))).collect();
        if fields.is_empty() { name.to_owned() } else { format!("{name}{{{}}}", fields.join(" ")) }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => format!("{text:?}"),
        Value::Other(text) => text.clone(),
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.values.push((field.name(), Value::Text(value.to_owned())));
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.values.push((field.name(), Value::Other(format!("{value:.6}"))));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let text = format!("{value:?}");
        match field.name() {
            "message" => self.message = text,
            name => self.values.push((name, Value::Other(text))),
        }
    }
}
