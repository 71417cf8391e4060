//! Small numbers for variables. Engines number new variables consecutively (`N_751`); a reader wants `N_1`.
//!
//! The texts of one derivation, or of one tree, are renamed together: equal names stay equal, and different ones different. Names
//! of the file are left unchanged.

use super::derivation::Line;
use super::tree::{Fate, Tree};
use super::{Item, Theorem};
use std::collections::{BTreeMap, BTreeSet};
use tenet_system::recursive::{Program, State};
use tenet_term::SymbolId;

/// The names of all variables of the program itself.
pub(super) fn known(program: &Program) -> BTreeSet<String> {
    let rules = program.predicates.iter().flat_map(|predicate| &predicate.rules);
    let mut symbols: Vec<SymbolId> = rules.flat_map(|rule| &rule.variables).copied().collect();
    for entailment in &program.obligations {
        symbols.extend(entailment.variables.iter().chain(&entailment.existentials));
    }
    let state = |state: &State| state.variables.clone();
    if let Some(process) = &program.process {
        symbols.extend(&process.parameters);
        symbols.extend(state(&process.start));
        symbols.extend(process.transitions.iter().flat_map(|transition| &transition.variables));
        for known in &process.abstractions {
            symbols.extend(state(&known.at).into_iter().chain(state(&known.by)));
        }
        for property in &process.properties {
            symbols.extend(state(&property.state).iter().chain(&property.existentials));
        }
    }
    symbols.into_iter().map(|symbol| program.store.symbol(symbol).name.clone()).collect()
}

/// Renames variables in a lemma.
pub(super) fn in_theorem(theorem: &mut Theorem, known: &BTreeSet<String>) {
    let mut texts: Vec<&mut String> = vec![&mut theorem.statement];
    texts.extend(&mut theorem.measure);
    collect(&mut theorem.proof, &mut texts);
    rename(texts, known);
}

/// Renames variables in the derivation of a question.
pub(super) fn in_item(item: &mut Item, known: &BTreeSet<String>) {
    let mut texts = Vec::new();
    collect(&mut item.proof, &mut texts);
    rename(texts, known);
}

/// Renames variables in a tree, whose nodes share them.
pub(super) fn in_tree(tree: &mut Tree, known: &BTreeSet<String>) {
    let mut texts: Vec<&mut String> = Vec::new();
    for node in &mut tree.nodes {
        texts.push(&mut node.state);
        match &mut node.fate {
            Fate::Open => {}
            Fate::Abstracted { proof, .. } | Fate::Subsumed { proof, .. } => collect(proof, &mut texts),
            Fate::Split { cases, proof } => {
                collect(proof, &mut texts);
                for (when, _, proof) in cases {
                    texts.push(when);
                    collect(proof, &mut texts);
                }
            }
            Fate::Expanded { edges, properties } => {
                edges.iter_mut().for_each(|edge| collect(&mut edge.proof, &mut texts));
                let proofs = properties.iter_mut().filter_map(|(_, proof)| proof.as_mut());
                proofs.for_each(|proof| collect(proof, &mut texts));
            }
        }
    }
    rename(texts, known);
}

/// The texts of a derivation, whose depth was limited when it was made.
fn collect<'a>(lines: &'a mut [Line], texts: &mut Vec<&'a mut String>) {
    for line in lines {
        texts.push(&mut line.text);
        for case in &mut line.cases {
            texts.push(&mut case.title);
            collect(&mut case.lines, texts);
        }
    }
}

fn rename(mut texts: Vec<&mut String>, known: &BTreeSet<String>) {
    let mut order: Vec<String> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for text in &texts {
        for (word, is_variable) in words(text) {
            if is_variable && seen.insert(word.to_string()) {
                order.push(word.to_string());
            }
        }
    }
    let is_numbered = |word: &String| !known.contains(word) && base(word).is_some();
    let (numbered, fixed): (Vec<String>, Vec<String>) = order.into_iter().partition(is_numbered);
    let mut taken: BTreeSet<String> = fixed.into_iter().chain(known.iter().cloned()).collect();
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for word in numbered {
        let stem = base(&word).unwrap_or(&word).to_string();
        let candidates =
            std::iter::once(stem.clone()).chain((1..).map(|number: usize| format!("{stem}_{number}")));
        let free = candidates.into_iter().find(|name| !taken.contains(name)).unwrap_or_else(|| word.clone());
        taken.insert(free.clone());
        names.insert(word, free);
    }
    for text in &mut texts {
        let renamed: String =
            words(text).map(|(word, _)| names.get(word).map_or(word, String::as_str)).collect();
        **text = renamed;
    }
}

/// The base of a name with a number.
fn base(word: &str) -> Option<&str> {
    let (base, number) = word.rsplit_once('_')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !base.is_empty()).then_some(base)
}

/// Splits a text into names of variables and everything else.
fn words(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_letter = |character: char| character.is_ascii_alphanumeric() || "_'".contains(character);
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_name = is_letter(rest.chars().next()?);
        let end = rest.find(|character| is_letter(character) != is_name).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        let is_variable = word.starts_with(|first: char| first.is_ascii_uppercase() || first == '_');
        Some((word, is_name && is_variable))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_small_and_nothing_is_confused() {
        let mut texts =
            ["p(N_751, X1_4), N = N_751".to_string(), "K_2 < N_12 + X_1, q_7(X1_4, ?S_9)".to_string()];
        let known = ["N", "X_1"].map(str::to_string).into();
        rename(texts.iter_mut().collect(), &known);
        assert_eq!(texts, ["p(N_1, X1), N = N_1", "K < N_2 + X_1, q_7(X1, ?S)"]);
    }

    #[test]
    fn a_bare_name_that_is_used_is_not_taken() {
        let mut texts = ["X_5 = 1".to_string(), "X = X_5".to_string()];
        rename(texts.iter_mut().collect(), &BTreeSet::new());
        assert_eq!(texts, ["X_1 = 1", "X = X_1"]);
    }
}
