//! The transition system of a file whose definitions can be expressed with quantifiers, for engines without recursion.

use crate::codes::clp::NOT_INDEXED;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use tenet_system::System;
use tenet_system::recursive::{Program, indexed};

/// The transition system; an error says what cannot be expressed.
pub fn indexed(program: &Program) -> Result<System, Diagnostic> {
    indexed::system(program).map_err(|refusal| {
        let message = refusal.to_string();
        let found = match refusal.place {
            Some(place) => {
                let span = Span { start: place.start, end: place.end };
                Diagnostic::error(&NOT_INDEXED, message, span)
            }
            None => Diagnostic::global(&NOT_INDEXED, message),
        };
        found.help("`--engine recursive` proves it with the definitions as they are")
    })
}
