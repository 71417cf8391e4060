//! The view as JSON: statements and the shape of the tree. Derivations are in the certificate, where they can be checked.

use super::{Fate, Item, Node, Recursive, Theorem, Tree};
use serde_json::{Map, Value as Json, json};

impl Recursive {
    /// The lemmas and the tree.
    pub fn json(&self) -> Json {
        json!({
            "lemmas": self.lemmas.iter().map(Theorem::json).collect::<Vec<_>>(),
            "tree": self.tree.as_ref().map(Tree::json),
        })
    }
}

impl Item {
    /// What it adds to the object of its property.
    pub fn fields(&self) -> [(&'static str, Json); 3] {
        let values: Map<String, Json> =
            self.counterexample.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let counterexample = (!values.is_empty()).then_some(values);
        [
            ("kind", json!(self.kind.word())),
            ("statement", json!(self.statement)),
            ("counterexample", json!(counterexample)),
        ]
    }
}

impl Theorem {
    fn json(&self) -> Json {
        json!({ "statement": self.statement, "measure": self.measure })
    }
}

impl Tree {
    fn json(&self) -> Json {
        json!({
            "closed": self.is_closed(),
            "ranking": self.ranking,
            "nodes": self.nodes.iter().map(Node::json).collect::<Vec<_>>(),
        })
    }
}

impl Node {
    /// Nodes are counted from one, as in texts.
    fn json(&self) -> Json {
        let mut object = Map::new();
        object.insert("state".into(), json!(self.state));
        object.insert("fate".into(), json!(self.fate.word()));
        match &self.fate {
            Fate::Open => {}
            Fate::Subsumed { by, .. } => {
                object.insert("node".into(), json!(by + 1));
            }
            Fate::Abstracted { by, to, .. } => {
                object.insert("node".into(), json!(to + 1));
                object.insert("abstraction".into(), json!(by));
            }
            Fate::Expanded { edges, properties } => {
                let transitions = edges
                    .iter()
                    .map(|edge| json!({ "transition": edge.transition, "node": edge.to.map(|to| to + 1) }));
                object.insert("transitions".into(), transitions.collect());
                let shown = properties.iter().filter(|(_, proof)| proof.is_some());
                object.insert("properties".into(), shown.map(|(name, _)| json!(name)).collect());
            }
        }
        Json::Object(object)
    }
}
