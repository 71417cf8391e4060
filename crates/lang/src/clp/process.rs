//! Which predicate is the transition system, and restrictions on where items may use it.
//!
//! The transition system is named by `start`. Its rules lead from state to state, so each has one atom of it in its body, and its
//! atoms mean states, not facts: they occur only in its rules, in `start`, `abstract` and on the left of `property`.

use super::alternatives::{atoms, count, disjunction, occurrences};
use super::ast::{File, ItemKind as WrittenKind};
use super::hir::{Atom, Formula, Item, ItemKind};
use crate::codes::clp as codes;
use crate::diagnostic::{Diagnostic, Severity};
use crate::span::Span;
use std::collections::BTreeMap;

/// The number of rules and entailments that the disjunctions of a file may expand to, in all.
const MAX_EXPANSION: usize = 1000;

/// The predicate of the transition system, if there is one. Reports misuse of items.
pub fn check(file: &File, items: &[Item], found: &mut Vec<Diagnostic>) -> Option<usize> {
    check_presence(file, found);
    check_names(items, found);
    check_expansion(items, found);
    let process = process(items, found);
    for item in items {
        if let Some(process) = process {
            check_process(item, process, found);
        }
        check_disjunctions(item, found);
    }
    process
}

/// Checks that there is something to prove, and a transition system if one is needed.
fn check_presence(file: &File, found: &mut Vec<Diagnostic>) {
    let is_goal = |kind: &WrittenKind| matches!(kind, WrittenKind::Prove(..) | WrittenKind::Property(..));
    if !file.items.iter().any(|item| is_goal(&item.kind)) {
        let message = "there is nothing to prove in this file";
        let help = "add an entailment, `prove p(X) |= q(X).`, or a `property` of a transition system";
        let warning = Diagnostic::global(&codes::NOTHING_TO_PROVE, message).help(help);
        found.push(Diagnostic { severity: Severity::Warning, ..warning });
    }
    let starts = file.items.iter().filter(|item| matches!(item.kind, WrittenKind::Start(_)));
    let starts: Vec<Span> = starts.map(|item| item.span).collect();
    if let [first, second, ..] = starts[..] {
        let error = Diagnostic::error(&codes::SECOND_START, "there is a `start` already", second)
            .label("a second one")
            .also(first, "the first one")
            .help("describe all states to start from by one predicate or a disjunction of constraints");
        found.push(error);
    }
    let needs_start =
        |kind: &WrittenKind| matches!(kind, WrittenKind::Property(..) | WrittenKind::Abstract(..));
    let needing = file.items.iter().find(|item| needs_start(&item.kind));
    if let (true, Some(item)) = (starts.is_empty(), needing) {
        let error = Diagnostic::error(&codes::NO_START, "there is no transition system", item.span)
            .label("speaks of the states of one")
            .help("say where it starts, which also names it: `start sys(N, K), N > 0.`; entailments without states are written `prove`");
        found.push(error);
    }
}

/// Duplicate names. Entailments and properties share a namespace, because both are selected by name.
fn check_names(items: &[Item], found: &mut Vec<Diagnostic>) {
    let mut known: BTreeMap<(usize, &str), Span> = BTreeMap::new();
    for item in items {
        let kind = match &item.kind {
            // Names of rules are only for people, but two rules of one predicate must have different ones.
            ItemKind::Rule { head, .. } => 3 + head.predicate,
            ItemKind::Entailment { .. } => 0,
            ItemKind::Abstract(..) => 1,
            ItemKind::Start(_) => 2,
        };
        let Some(name) = &item.name else { continue };
        match known.get(&(kind, name.text.as_str())) {
            None => drop(known.insert((kind, &name.text), name.span)),
            Some(&first) => {
                let message = format!("the name \"{}\" is given twice", name.text);
                let error = Diagnostic::error(&codes::NAMED_TWICE, message, name.span).label("again");
                found.push(error.also(first, "first here"));
            }
        }
    }
}

/// Disjunctions that would expand to too many rules.
fn check_expansion(items: &[Item], found: &mut Vec<Diagnostic>) {
    let mut total = 0usize;
    for item in items {
        let formula = match &item.kind {
            ItemKind::Rule { body, .. } => body,
            ItemKind::Entailment { left, .. } => left,
            ItemKind::Start(_) | ItemKind::Abstract(..) => continue,
        };
        total = total.saturating_add(count(formula) - 1);
        if total > MAX_EXPANSION {
            let message = "the disjunctions with atoms become too many rules";
            let error = Diagnostic::error(&codes::EXPANSION, message, formula.span)
                .label(format!("more than {MAX_EXPANSION} with this one"))
                .help("give a disjunction a name: a predicate with one rule for each case");
            found.push(error);
            return;
        }
    }
}

/// The predicate of the first atom of `start`.
fn process(items: &[Item], found: &mut Vec<Diagnostic>) -> Option<usize> {
    let start = items.iter().find_map(|item| match &item.kind {
        ItemKind::Start(state) => Some(&state.formula),
        _ => None,
    })?;
    match atoms(start).first() {
        Some(atom) => Some(atom.predicate),
        None => {
            let error = Diagnostic::error(&codes::NO_STATE, "there is no state in this", start.span)
                .label("an atom names the transition system")
                .help("write `start sys(N, K), …`, where `sys` is the predicate with the transitions");
            found.push(error);
            None
        }
    }
}

fn check_process(item: &Item, process: usize, found: &mut Vec<Diagnostic>) {
    match &item.kind {
        ItemKind::Rule { head, body, .. } if head.predicate == process => {
            if occurrences(body, process) != (1, 1) {
                found.push(no_transition(item.span, body, process));
            }
        }
        ItemKind::Rule { body, .. } => nowhere(body, process, "in the body of another predicate", found),
        ItemKind::Entailment { is_property: false, left, right, .. } => {
            nowhere(left, process, "in `prove`", found);
            nowhere(right, process, "in `prove`", found);
        }
        ItemKind::Entailment { left, right, .. } => {
            one_state(left, process, found);
            nowhere(right, process, "on the right of `|=`", found);
        }
        ItemKind::Start(state) => one_state(&state.formula, process, found),
        ItemKind::Abstract(at, by) => {
            one_state(&at.formula, process, found);
            one_state(&by.formula, process, found);
        }
    }
}

fn no_transition(span: Span, body: &Formula, process: usize) -> Diagnostic {
    let error = Diagnostic::error(&codes::NO_TRANSITION, "this is no transition", span);
    match occurrences(body, process) {
        (_, 0) => error.label("no state after it").help(
            "`start` names the transition system, whose rules have the state after the step in their body: \
             `sys(X) :- X < 9, sys(X + 1).`",
        ),
        (0, _) => error.label("no state after it, in one of the cases"),
        _ => error.label("more than one state after it").help("a rule for each state it may lead to"),
    }
}

fn one_state(formula: &Formula, process: usize, found: &mut Vec<Diagnostic>) {
    if occurrences(formula, process) != (1, 1) {
        let message = "exactly one atom of the transition system is expected here";
        found.push(
            Diagnostic::error(&codes::NO_STATE, message, formula.span)
                .label("this is about one state at a time")
                .help("`start` names the transition system by its first atom"),
        );
    }
}

fn nowhere(formula: &Formula, process: usize, place: &str, found: &mut Vec<Diagnostic>) {
    let is_state = |atom: &&Atom| atom.predicate == process;
    if let Some(atom) = atoms(formula).into_iter().find(is_state) {
        let message = format!("the transition system cannot stand {place}");
        found.push(
            Diagnostic::error(&codes::STATE_ELSEWHERE, message, atom.span)
                .label("a state, not a fact")
                .help("it stands in its own rules, in `start` and `abstract`, and on the left of `property`"),
        );
    }
}

/// Disjunctions with atoms where they cannot become several items.
fn check_disjunctions(item: &Item, found: &mut Vec<Diagnostic>) {
    let mut refuse = |formula: &Formula, place: &str, help: &str| {
        if let Some(disjunction) = disjunction(formula) {
            let message = format!("a disjunction with atoms cannot stand {place}");
            found.push(
                Diagnostic::error(&codes::DISJUNCTION, message, disjunction.span)
                    .label("there is an atom in this")
                    .help(help),
            );
        }
    };
    match &item.kind {
        ItemKind::Rule { .. } => {}
        ItemKind::Entailment { right, .. } => {
            refuse(right, "on the right of `|=`", "give it a name: a predicate with one rule for each case");
        }
        ItemKind::Start(state) => {
            refuse(&state.formula, "in `start`", "give it a name: a predicate with one rule for each case");
        }
        ItemKind::Abstract(at, by) => {
            let help = "write an `abstract` for each case, or a predicate with one rule for each case";
            refuse(&at.formula, "in `abstract`", help);
            refuse(&by.formula, "in `abstract`", help);
        }
    }
}
