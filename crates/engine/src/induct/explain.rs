//! What stands in the way of a proof, for people: the smallest counterexample to induction, whether small instances come near it, what
//! was kept, and what might be missing.

use super::engine::is_of_states;
use super::finite::{Counterexample, Finder, Found};
use super::nearby::{Nearby, nearby};
use crate::common::watch::Watch;
use tenet_solve::Effort;
use tenet_system::{Lemma, System};
use tenet_term::TermId;

/// For the counterexample that explains why there is no proof.
const EFFORT: Effort = Effort::secs(4);
/// Lemmas that are proposed.
const MAX_CANDIDATES: usize = 3;

/// Something that holds in every state, or should.
#[derive(Clone, Debug)]
pub struct Statement {
    pub name: String,
    /// The property that it is, by position.
    pub property: Option<usize>,
    /// The lemma that it is; a property is none.
    pub lemma: Option<Lemma>,
    /// Closed.
    pub formula: TermId,
}

/// Lemmas that a search has found before it ended without a proof.
#[derive(Clone, Debug, Default)]
pub struct Progressed {
    /// Inductive together with one another.
    pub kept: Vec<Lemma>,
    /// Not known to be inductive, but no explored state contradicts them.
    pub guessed: Vec<Lemma>,
}

/// What stands in the way of a proof.
#[derive(Clone, Debug)]
pub struct Induction {
    /// What breaks.
    pub broken: String,
    pub step: Option<Counterexample>,
    /// Why there is no step to show, in a clause.
    pub none: Option<String>,
    pub nearby: Option<Nearby>,
    /// Lemmas that are inductive together.
    pub kept: Vec<Lemma>,
    /// Lemmas that might be missing, best first.
    pub candidates: Vec<Lemma>,
}

/// What is asked about: that values are within their bounds, and these properties.
pub fn statements(system: &mut System, properties: &[usize]) -> Vec<Statement> {
    let mut statements = Vec::new();
    for lemma in system.value_lemmas() {
        let formula = lemma.formula(&mut system.store);
        let name = system.store.print(formula);
        statements.push(Statement { name, property: None, lemma: Some(lemma), formula });
    }
    for &position in properties {
        let property = &system.properties[position];
        if is_of_states(property.kind) {
            let (name, formula) = (property.name.clone(), property.formula);
            statements.push(Statement { name, property: Some(position), lemma: None, formula });
        }
    }
    statements
}

/// A counterexample with what explored states say about it.
pub fn explained(
    system: &mut System,
    statements: &[Statement],
    found: Counterexample,
    watch: &dyn Watch,
) -> Induction {
    let nearby = nearby(system, &found, watch);
    let candidates = nearby.iter().filter_map(|nearby| nearby.candidate.clone()).collect();
    let broken = statements[found.broken].name.clone();
    Induction { broken, step: Some(found), none: None, nearby, kept: Vec::new(), candidates }
}

/// Why a search for lemmas has not come to an end: the smallest step from a state in which the properties and all lemmas that were kept
/// hold to one in which one of the open ones does not.
pub fn explain(
    system: &mut System,
    properties: &[usize],
    open: &[usize],
    progressed: &Progressed,
    watch: &dyn Watch,
) -> Induction {
    let mut all = statements(system, properties);
    let is_open = |statement: &Statement| statement.property.is_some_and(|property| open.contains(&property));
    let asked: Vec<usize> = (0..all.len()).filter(|&number| is_open(&all[number])).collect();
    for lemma in &progressed.kept {
        let formula = lemma.formula(&mut system.store);
        if !all.iter().any(|known| known.formula == formula) {
            let name = system.store.print(formula);
            all.push(Statement { name, property: None, lemma: Some(lemma.clone()), formula });
        }
    }
    let formulas: Vec<TermId> = all.iter().map(|statement| statement.formula).collect();
    let found = Finder::new(system, formulas, EFFORT, watch).smallest(&asked);
    let none = |why: String| Induction {
        broken: String::new(),
        step: None,
        none: Some(why),
        nearby: None,
        kept: Vec::new(),
        candidates: Vec::new(),
    };
    let mut induction = match found {
        Found::Counterexample(found) => explained(system, &all, *found, watch),
        Found::None { largest: 0 } => {
            none("as long as values are within their bounds, no step breaks it".to_string())
        }
        Found::None { largest } => none(format!(
            "as long as values are within their bounds, there is none in instances with up to {largest} elements of each type"
        )),
        Found::Unknown(why) => none(why),
    };
    induction.kept.clone_from(&progressed.kept);
    for lemma in &progressed.guessed {
        let is_known = induction.candidates.iter().any(|known| known.body == lemma.body);
        if !is_known && induction.candidates.len() < MAX_CANDIDATES {
            induction.candidates.push(lemma.clone());
        }
    }
    induction
}
