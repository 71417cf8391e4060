//! The declared predicates: those with a rule. The first rule determines the arity.

use super::ast::{ExprKind, File, ItemKind, Name};
use crate::codes::clp as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::suggest::closest;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    pub arity: usize,
    /// The head of its first rule.
    pub span: Span,
}

/// All predicates, in the order of their first rules.
#[derive(Clone, Debug, Default)]
pub struct Signatures {
    pub all: Vec<Signature>,
    positions: BTreeMap<String, usize>,
}

impl Signatures {
    pub fn of(file: &File) -> Signatures {
        let mut signatures = Signatures::default();
        for item in &file.items {
            let ItemKind::Rule(head, _) = &item.kind else { continue };
            let ExprKind::Atom(name, args) = &head.kind else { continue };
            if !signatures.positions.contains_key(&name.text) {
                signatures.positions.insert(name.text.clone(), signatures.all.len());
                let name = name.text.clone();
                signatures.all.push(Signature { name, arity: args.len(), span: head.span });
            }
        }
        signatures
    }

    /// The predicate of an atom with this number of arguments.
    pub fn find(&self, name: &Name, count: usize, span: Span) -> Result<usize, Diagnostic> {
        let Some(&position) = self.positions.get(&name.text) else { return Err(self.unknown(name)) };
        let known = &self.all[position];
        if known.arity == count {
            return Ok(position);
        }
        let message = format!("`{}` has {}, not {count}", known.name, arguments(known.arity));
        let error = Diagnostic::error(&codes::WRONG_COUNT, message, span).label(arguments(count));
        Err(error.also(known.span, format!("the first rule has {}", arguments(known.arity))))
    }

    fn unknown(&self, name: &Name) -> Diagnostic {
        let message = format!("there is no rule for `{}`", name.text);
        let error =
            Diagnostic::error(&codes::UNKNOWN_PREDICATE, message, name.span).label("unknown predicate");
        match closest(&name.text, self.all.iter().map(|known| known.name.as_str())) {
            Some(known) => error.help(format!("did you mean `{known}`?")),
            None => error,
        }
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_string(),
        1 => "1 argument".to_string(),
        _ => format!("{count} arguments"),
    }
}
