//! Side effects of functions: guards and properties may only call functions without any.
//!
//! Calls may be recursive and may precede the declaration, so each body records its own effects and callees, and the
//! rest is a least fixpoint at the end, by a worklist over the reversed call graph.

use super::Checker;
use super::places::Origin;
use crate::codes::types as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Argument, FunctionId, Root, VarId};
use crate::span::Span;
use std::collections::BTreeSet;

/// The direct effects of one body.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// State variables it writes.
    writes: BTreeSet<VarId>,
    /// State variables it passes by reference.
    passes: BTreeSet<VarId>,
    writes_parameter: bool,
    calls: Vec<CallSite>,
}

/// A call and what it passes by reference.
#[derive(Clone, Copy, Debug)]
struct CallSite {
    function: FunctionId,
    passes_state: bool,
    passes_parameter: bool,
}

/// A call where side effects are not allowed.
pub(super) struct PureCall {
    function: FunctionId,
    span: Span,
    place: &'static str,
}

/// The effects of a function, direct or indirect.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Summary {
    writes_state: bool,
    writes_parameter: bool,
}

impl Effects {
    /// The number of calls so far.
    pub(super) fn call_count(&self) -> usize {
        self.calls.len()
    }

    /// Adds the effects of another body.
    pub(super) fn absorb(&mut self, other: Effects) {
        self.writes.extend(other.writes);
        self.passes.extend(other.passes);
        self.writes_parameter |= other.writes_parameter;
        self.calls.extend(other.calls);
    }
}

impl Checker<'_> {
    /// Records that a place with this root is written.
    pub(super) fn record_write(&mut self, root: Root) {
        match self.note(root).origin {
            Origin::Own => {}
            Origin::State(id) => drop(self.body.effects.writes.insert(id)),
            Origin::Parameter => self.body.effects.writes_parameter = true,
        }
    }

    pub(super) fn record_call(&mut self, function: FunctionId, arguments: &[Argument], span: Span) {
        let mut site = CallSite { function, passes_state: false, passes_parameter: false };
        for argument in arguments {
            let Argument::Place(place) = argument else { continue };
            match self.note(place.root).origin {
                Origin::Own => {}
                Origin::State(id) => {
                    self.body.effects.passes.insert(id);
                    site.passes_state = true;
                }
                Origin::Parameter => site.passes_parameter = true,
            }
        }
        self.body.effects.calls.push(site);
        if let Some(place) = self.body.pure
            && self.model.functions[function.0 as usize].result.is_some()
        {
            self.pure_calls.push(PureCall { function, span, place });
        }
    }

    /// Sets `has_side_effects` and reports calls with side effects where they are not allowed.
    pub(super) fn judge_effects(&mut self) {
        let summaries = summarize(&self.effects);
        for (function, summary) in self.model.functions.iter_mut().zip(&summaries) {
            function.has_side_effects = *summary != Summary::default();
        }
        for call in std::mem::take(&mut self.pure_calls) {
            let function = &self.model.functions[call.function.0 as usize];
            if !function.has_side_effects {
                continue;
            }
            let message =
                format!("`{}` changes the state and cannot be called in {}", function.name, call.place);
            let diagnostic = Diagnostic::error(&codes::SIDE_EFFECT, message, call.span);
            let diagnostic = diagnostic.also(self.signatures[call.function.0 as usize].span, "declared here");
            self.report(diagnostic);
        }
    }

    /// The state variables that some startstate may write, directly or through a function.
    pub(super) fn written_at_start(&self) -> BTreeSet<VarId> {
        let mut written = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![&self.start_effects];
        while let Some(effects) = open.pop() {
            written.extend(effects.writes.iter().chain(&effects.passes).copied());
            let fresh = effects.calls.iter().filter(|call| seen.insert(call.function));
            open.extend(fresh.map(|call| &self.effects[call.function.0 as usize]));
        }
        written
    }
}

fn summarize(effects: &[Effects]) -> Vec<Summary> {
    let mut callers: Vec<Vec<(usize, CallSite)>> = vec![Vec::new(); effects.len()];
    for (caller, effects) in effects.iter().enumerate() {
        for call in &effects.calls {
            callers[call.function.0 as usize].push((caller, *call));
        }
    }
    let own = |effects: &Effects| Summary {
        writes_state: !effects.writes.is_empty(),
        writes_parameter: effects.writes_parameter,
    };
    let mut summaries: Vec<Summary> = effects.iter().map(own).collect();
    let mut changed: Vec<usize> = (0..effects.len()).collect();
    while let Some(callee) = changed.pop() {
        let summary = summaries[callee];
        for (caller, call) in &callers[callee] {
            let before = summaries[*caller];
            let after = Summary {
                writes_state: before.writes_state
                    | summary.writes_state
                    | (summary.writes_parameter & call.passes_state),
                writes_parameter: before.writes_parameter
                    | (summary.writes_parameter & call.passes_parameter),
            };
            if after != before {
                summaries[*caller] = after;
                changed.push(*caller);
            }
        }
    }
    summaries
}
