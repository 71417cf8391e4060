//! Whether a model treats the elements of a scalarset alike.
//!
//! Symmetry reduction is sound only if every rule commutes with permutations of the elements of a scalarset. The type
//! system ensures that everywhere but in two places: a `for` over a scalarset runs in some order, and `clear` stores
//! the first element. Murphi tools silently assume that the order does not matter. Here each such loop is analysed: its
//! iterations must be independent, up to folds that commute (sums, `|`, `&`, additions to a multiset). Failing counts
//! as a dependency: if one iteration can leave the loop and another can fail, the order decides whether anything is
//! reported. Quantifiers are loops too, but always visit all elements, so only the functions called in them need a
//! check; so do predicates over multisets, which are sorted by what permutations change. If the analysis fails, the
//! scalarset loses its symmetry, which costs states but never a wrong answer.
//!
//! Startstates are unrestricted: the states reachable from one representative of an orbit are, up to a permutation,
//! those reachable from any other.
//!
//! `accesses` follows the code, through calls and aliases, and records reads and writes; `failures` says what can fail;
//! this file decides whether iterations are independent.

mod accesses;
mod failures;
mod locations;

use super::hir::{Model, TypeId, TypeKind, VarId};
use crate::span::Span;
use locations::{Event, Kind, Location, LoopRun, Write};

/// A reason why the elements of a scalarset are not interchangeable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub scalarset: TypeId,
    /// Where the order matters.
    pub span: Span,
    /// A short explanation.
    pub reason: String,
}

/// All places where the order of a scalarset's elements may matter. `undefined` says whether a component of a state
/// variable, given by the fields of its path (`None` for an index), may be undefined in a reachable state.
pub fn find(model: &Model, undefined: &mut dyn FnMut(VarId, &[Option<usize>]) -> bool) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for (types, span, reason) in accesses::walk(model, undefined) {
        for scalarset in types {
            // A function is analysed at each of its calls.
            if !findings.iter().any(|known| known.scalarset == scalarset && known.span == span) {
                findings.push(Finding { scalarset, span, reason: reason.clone() });
            }
        }
    }
    findings
}

/// The scalarsets among the values of a simple type.
pub(super) fn scalarsets_in(model: &Model, ty: TypeId) -> Vec<TypeId> {
    match &model.ty(ty).kind {
        TypeKind::Scalarset { .. } => vec![ty],
        TypeKind::Union { members } => {
            members.iter().flat_map(|member| scalarsets_in(model, *member)).collect()
        }
        _ => Vec::new(),
    }
}

/// The scalarsets anywhere in the values of a type.
fn scalarsets_within(model: &Model, ty: TypeId) -> Vec<TypeId> {
    match &model.ty(ty).kind {
        TypeKind::Array { index, element } => {
            let mut found = scalarsets_in(model, *index);
            found.extend(scalarsets_within(model, *element));
            found
        }
        TypeKind::Multiset { element, .. } => scalarsets_within(model, *element),
        TypeKind::Record { fields } => {
            fields.iter().flat_map(|field| scalarsets_within(model, field.ty)).collect()
        }
        _ => scalarsets_in(model, ty),
    }
}

/// The scalarsets of which `clear` would choose an element.
fn picked_by_clear(model: &Model, ty: TypeId) -> Vec<TypeId> {
    match &model.ty(ty).kind {
        TypeKind::Scalarset { .. } => vec![ty],
        TypeKind::Union { members } => {
            members.first().map_or_else(Vec::new, |member| picked_by_clear(model, *member))
        }
        TypeKind::Array { element, .. } => picked_by_clear(model, *element),
        TypeKind::Record { fields } => {
            fields.iter().flat_map(|field| picked_by_clear(model, field.ty)).collect()
        }
        _ => Vec::new(),
    }
}

/// Why the iterations of a loop may depend on each other; `None` if they do not.
fn judge(run: &LoopRun, events: &[Event]) -> Option<String> {
    let writes: Vec<&Write> = events.iter().filter_map(|event| visible_write(run, event)).collect();
    judge_reads(run, events, &writes)
        .or_else(|| judge_writes(run, &writes))
        .or_else(|| judge_exits(run, events, &writes))
}

/// A write that is visible after the iteration.
fn visible_write<'e>(run: &LoopRun, event: &'e Event) -> Option<&'e Write> {
    match event {
        Event::Write(write) if !run.is_private(&write.location) => Some(write),
        _ => None,
    }
}

/// No iteration may read what another one writes.
fn judge_reads(run: &LoopRun, events: &[Event], writes: &[&Write]) -> Option<String> {
    for event in events {
        let Event::Read(read) = event else { continue };
        if let Some(write) = writes.iter().find(|write| run.clash(&write.location, read)) {
            return Some(match write.location.text == read.text {
                true => format!("`{}` is written in one iteration and read in another", read.text),
                false => {
                    format!("one iteration writes `{}`, another reads `{}`", write.location.text, read.text)
                }
            });
        }
    }
    None
}

/// Two iterations that write the same place must leave the same value in either order.
fn judge_writes(run: &LoopRun, writes: &[&Write]) -> Option<String> {
    for (position, first) in writes.iter().enumerate() {
        for second in &writes[position..] {
            if !run.clash(&first.location, &second.location) {
                continue;
            }
            let same = std::ptr::eq(*first, *second);
            if !commute(run, first, second, same, writes) {
                return Some(format!(
                    "which iteration writes `{}` last depends on the order",
                    first.location.text
                ));
            }
        }
    }
    None
}

fn commute(run: &LoopRun, first: &Write, second: &Write, same: bool, writes: &[&Write]) -> bool {
    match (&first.kind, &second.kind) {
        (Kind::Fold(first), Kind::Fold(second)) => first == second,
        (Kind::Value { depends, .. }, _) if same => run.is_invariant(depends, &first.location, writes),
        (Kind::Value { literal: Some(first), .. }, Kind::Value { literal: Some(second), .. }) => {
            first == second
        }
        _ => false,
    }
}

/// Leaving the loop early must not decide which iterations happen, nor the return value.
fn judge_exits(run: &LoopRun, events: &[Event], writes: &[&Write]) -> Option<String> {
    let mut literals = Vec::new();
    let may_fail = events.iter().any(|event| matches!(event, Event::MayFail));
    let assumes = events.iter().any(|event| matches!(event, Event::Assume));
    for event in events {
        match event {
            Event::Assume if may_fail || !writes.is_empty() => {
                return Some("`assume` ends the rule, perhaps before another iteration fails".to_string());
            }
            Event::Unknown(name) if !writes.is_empty() => {
                return Some(format!("`{name}` calls itself, so what it reads is not known"));
            }
            Event::Return { frame, .. } if *frame != run.frame => {}
            Event::Return { .. } if !writes.is_empty() => {
                return Some("`return` decides which iterations happen".to_string());
            }
            Event::Return { .. } if may_fail => {
                return Some("`return` ends the loop, perhaps before another iteration fails".to_string());
            }
            Event::Return { .. } if assumes => {
                return Some("`return` ends the loop, perhaps before `assume` ends the rule".to_string());
            }
            Event::Return { depends, literal, .. } => {
                if !run.is_invariant(depends, &Location::nowhere(), writes) {
                    return Some("the value that is returned depends on the order".to_string());
                }
                literals.push(literal);
            }
            _ => {}
        }
    }
    let alike =
        literals.len() < 2 || literals.iter().all(|literal| literal.is_some() && *literal == literals[0]);
    (!alike).then(|| "the value that is returned depends on the order".to_string())
}
