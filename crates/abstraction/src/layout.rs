//! Which variable of the diagrams stands for what.
//!
//! Each predicate has a variable, and behind it a few *slots* for whatever decides its value in the image under way.
//! Images relate the two, and such a relation is small only where they are neighbours (X-T9).

use crate::set::{Cube, Set, Space};

/// Variables reserved next to that of each predicate, for what decides its value in an image.
const SLOTS_PER_PREDICATE: usize = 2;

/// A space with a variable for each predicate.
#[derive(Clone, Debug)]
pub struct Layout {
    pub space: Space,
    predicates: usize,
}

/// A disjunction of literals: a predicate by position, and the value it is to have.
pub type Clause = Vec<(usize, bool)>;

impl Layout {
    pub fn new(predicates: usize) -> Layout {
        Layout { space: Space::new(predicates * (SLOTS_PER_PREDICATE + 1)), predicates }
    }

    pub fn predicates(&self) -> usize {
        self.predicates
    }

    pub fn var(&self, predicate: usize) -> usize {
        predicate * (SLOTS_PER_PREDICATE + 1)
    }

    pub fn vars(&self) -> Vec<usize> {
        (0..self.predicates).map(|predicate| self.var(predicate)).collect()
    }

    /// Variables near that of a predicate, for other purposes.
    pub fn slots(&self, predicate: usize) -> impl Iterator<Item = usize> + use<> {
        let var = self.var(predicate);
        var + 1..=var + SLOTS_PER_PREDICATE
    }

    /// A variable behind those of all predicates, for other purposes.
    pub fn extra(&self, number: usize) -> usize {
        let var = self.predicates * (SLOTS_PER_PREDICATE + 1) + number;
        if var >= self.space.vars() {
            self.space.add_vars(var + 1 - self.space.vars());
        }
        var
    }

    /// How many valuations of the predicates are in a set.
    pub fn count(&self, set: &Set) -> u128 {
        set.count(&self.vars())
    }

    pub fn valuation(&self, values: &[bool]) -> Set {
        let literals: Cube = values.iter().enumerate().map(|(p, &value)| (self.var(p), value)).collect();
        self.space.cube(&literals)
    }

    pub fn contains(&self, set: &Set, values: &[bool]) -> bool {
        set.contains(|var| var % (SLOTS_PER_PREDICATE + 1) == 0 && values[var / (SLOTS_PER_PREDICATE + 1)])
    }

    /// A valuation in a set; predicates it does not depend on are false.
    pub fn pick(&self, set: &Set) -> Option<Vec<bool>> {
        let cube = set.pick()?;
        let mut values = vec![false; self.predicates];
        for (predicate, value) in self.literals(&cube) {
            values[predicate] = value;
        }
        Some(values)
    }

    /// A cube over the variables of predicates, by predicate.
    pub fn literals(&self, cube: &Cube) -> Vec<(usize, bool)> {
        cube.iter().map(|&(var, value)| (var / (SLOTS_PER_PREDICATE + 1), value)).collect()
    }

    pub fn excluded(&self, clause: &Clause) -> Set {
        let literals: Cube = clause.iter().map(|&(p, value)| (self.var(p), !value)).collect();
        self.space.cube(&literals)
    }
}
