//! A set of valuations as a short formula, for people.
//!
//! A sum of products of a whole set is long where predicates always or never agree. So predicates that have one value, and pairs that
//! are equivalent or opposite, come first, each as a conjunct of its own; what they determine is quantified away, and only
//! the rest is covered irredundantly (Minato and Morreale): by clauses or by cubes, whichever needs fewer literals. The conjunction
//! is equivalent to the set. For sets whose formula would be long there is none, and only the number of cubes tells how long.

use crate::layout::{Clause, Layout};
use crate::set::{Cube, Set, cover};

/// Nodes of a diagram beyond which no cover is computed.
const MAX_NODES: usize = 2_000;

/// Literals of a formula that is still short.
const MAX_LITERALS: usize = 160;

/// Valuations of a set that is still shown as a table, and predicates of one.
const MAX_VALUATIONS: u128 = 16;
const MAX_PREDICATES: usize = 6;

/// A set of valuations, as far as it is short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// How many cubes an irredundant cover of the set has; `None` if the diagram is too large to say.
    pub cubes: Option<usize>,
    /// Conjuncts that are equivalent to the set together, if they are short.
    pub conjuncts: Option<Vec<Conjunct>>,
    /// The valuations in lexicographic order, if there are few.
    pub valuations: Option<Vec<Vec<bool>>>,
}

/// A part of a formula, about predicates by position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conjunct {
    False,
    /// Two predicates are equivalent, or opposite if the last is false.
    Same(usize, usize, bool),
    /// At least one of these literals.
    Clause(Clause),
    /// At least one of these conjunctions of literals.
    Cubes(Vec<Cube>),
}

impl Formula {
    pub fn of(layout: &Layout, set: &Set) -> Formula {
        let is_small = set.nodes() <= MAX_NODES;
        let is_table = layout.predicates() <= MAX_PREDICATES && layout.count(set) <= MAX_VALUATIONS;
        let conjuncts = is_small.then(|| conjuncts(layout, set));
        Formula {
            cubes: is_small.then(|| cover(set, set).len()),
            conjuncts: conjuncts
                .filter(|all| all.iter().map(Conjunct::literals).sum::<usize>() <= MAX_LITERALS),
            valuations: is_table.then(|| set.valuations(&layout.vars()).collect()),
        }
    }

    /// The formula with the predicates called `p1`, `p2` and so on, if it is short.
    pub fn text(&self) -> Option<String> {
        let conjuncts = self.conjuncts.as_ref()?;
        let is_only = conjuncts.len() == 1;
        let parts: Vec<String> = conjuncts.iter().map(|conjunct| conjunct.text(is_only)).collect();
        Some(if parts.is_empty() { "true".to_string() } else { parts.join(" & ") })
    }
}

impl Conjunct {
    fn literals(&self) -> usize {
        match self {
            Conjunct::False => 1,
            Conjunct::Same(..) => 2,
            Conjunct::Clause(clause) => clause.len(),
            Conjunct::Cubes(cubes) => cubes.iter().map(Vec::len).sum(),
        }
    }

    /// As a formula of its own, or else with the parentheses that it needs in a conjunction.
    fn text(&self, is_only: bool) -> String {
        let (text, binds) = match self {
            Conjunct::False => ("false".to_string(), true),
            Conjunct::Same(one, other, true) => (format!("p{} <-> p{}", one + 1, other + 1), false),
            Conjunct::Same(one, other, false) => (format!("p{} <-> !p{}", one + 1, other + 1), false),
            Conjunct::Clause(clause) => (joined(clause, " | "), clause.len() < 2),
            Conjunct::Cubes(cubes) => {
                let cubes: Vec<String> = cubes.iter().map(|cube| joined(cube, " & ")).collect();
                (cubes.join(" | "), cubes.len() < 2)
            }
        };
        if binds || is_only { text } else { format!("({text})") }
    }
}

fn joined(literals: &[(usize, bool)], operator: &str) -> String {
    let literals = literals
        .iter()
        .map(|&(predicate, value)| format!("{}p{}", if value { "" } else { "!" }, predicate + 1));
    literals.collect::<Vec<String>>().join(operator)
}

/// All conjuncts, however long.
fn conjuncts(layout: &Layout, set: &Set) -> Vec<Conjunct> {
    if set.is_empty() {
        return vec![Conjunct::False];
    }
    let (mut found, mut determined) = (Vec::new(), Vec::new());
    let mut free: Vec<usize> = Vec::new();
    for predicate in 0..layout.predicates() {
        let conjunct = fixed(layout, set, predicate)
            .or_else(|| free.iter().find_map(|&other| same(layout, set, other, predicate)));
        match conjunct {
            Some(conjunct) => {
                found.push(conjunct);
                determined.push(layout.var(predicate));
            }
            None => free.push(predicate),
        }
    }
    found.extend(rest(layout, &set.exists(&determined)));
    found
}

/// A predicate that has the same value everywhere in the set.
fn fixed(layout: &Layout, set: &Set, predicate: usize) -> Option<Conjunct> {
    let literal = |value: bool| layout.space.literal(layout.var(predicate), value);
    let value = [true, false].into_iter().find(|&value| set.implies(&literal(value)))?;
    Some(Conjunct::Clause(vec![(predicate, value)]))
}

/// Two predicates that agree, or disagree, everywhere in the set.
fn same(layout: &Layout, set: &Set, one: usize, other: usize) -> Option<Conjunct> {
    let [a, b] = [one, other].map(|predicate| layout.space.literal(layout.var(predicate), true));
    let agree = a.ite(&b, &b.complement());
    let value = match (set.implies(&agree), set.implies(&agree.complement())) {
        (true, _) => true,
        (_, true) => false,
        _ => return None,
    };
    Some(Conjunct::Same(one, other, value))
}

/// Clauses or cubes, whichever are fewer literals.
fn rest(layout: &Layout, set: &Set) -> Vec<Conjunct> {
    let outside = set.complement();
    let negated =
        |cube: Cube| layout.literals(&cube).into_iter().map(|(place, value)| (place, !value)).collect();
    let clauses: Vec<Conjunct> =
        cover(&outside, &outside).into_iter().map(|cube| Conjunct::Clause(negated(cube))).collect();
    let cubes = Conjunct::Cubes(cover(set, set).iter().map(|cube| layout.literals(cube)).collect());
    let is_shorter = cubes.literals() < clauses.iter().map(Conjunct::literals).sum();
    if is_shorter && clauses.len() > 1 { vec![cubes] } else { clauses }
}
