//! The extended counterexample as a table of 0, 1 and x (Clarke et al., figure 2): what each predicate and each
//! candidate is bound to be in each state of an abstract run that is not possible.

use super::rings::Counterexample;
use indexmap::{IndexMap, IndexSet};
use tenet_term::{Literal, TermId, TermStore};

/// Rows that are kept: the text of a formula may be long.
const MAX_ROWS: usize = 80;

/// A spurious counterexample, extended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub rows: Vec<Row>,
    /// The last state that could be extended, if the extension came to a dead end: the proof of that names the candidates.
    pub dead_end: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub formula: String,
    pub standing: Standing,
    /// `0`, `1` or `x` for each state; of candidates only as far as the counterexample was extended.
    pub values: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The abstract model knows it: a predicate, or a bit of a kept register.
    Known,
    /// It becomes a predicate.
    Chosen,
    /// It has a value somewhere, and is not needed.
    Candidate,
}

/// What an extension found.
pub struct Extension<'a> {
    pub cubes: &'a Counterexample,
    /// The values of candidates in the states that could be extended.
    pub extended: &'a [Vec<Literal>],
    pub chosen: &'a [TermId],
    pub has_dead_end: bool,
}

impl Table {
    pub fn new(store: &TermStore, found: &Extension<'_>) -> Table {
        let mut rows: IndexMap<TermId, Standing> = IndexMap::new();
        let known: IndexSet<TermId> = found.cubes.iter().flatten().map(|literal| literal.atom).collect();
        rows.extend(known.iter().map(|&atom| (atom, Standing::Known)));
        let candidates = found.chosen.iter().copied().map(|atom| (atom, Standing::Chosen));
        let bound = found.extended.iter().flatten().map(|literal| (literal.atom, Standing::Candidate));
        for (atom, standing) in candidates.chain(bound) {
            rows.entry(atom).or_insert(standing);
        }
        let mut rows: Vec<(TermId, Standing)> = rows.into_iter().collect();
        rows.sort_by_key(|&(_, standing)| standing);
        rows.truncate(MAX_ROWS);
        let row = |(atom, standing)| {
            let states = if standing == Standing::Known { found.cubes } else { found.extended };
            let values = states.iter().map(|literals| value(literals, atom)).collect();
            Row { formula: store.print(atom), standing, values }
        };
        let dead_end = found.extended.len().checked_sub(1).filter(|_| found.has_dead_end);
        Table { rows: rows.into_iter().map(row).collect(), dead_end }
    }
}

fn value(literals: &[Literal], atom: TermId) -> char {
    match literals.iter().find(|literal| literal.atom == atom) {
        Some(literal) => {
            if literal.positive {
                '1'
            } else {
                '0'
            }
        }
        None => 'x',
    }
}
