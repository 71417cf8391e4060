//! Weighted generalisation: the cheapest subset of literals that no explored state satisfies.
//!
//! A generalisation is free of states if each state falsifies one of its literals: the generalisation hits the set of false
//! literals of every state. There are far too many states to look at all of these sets, so a cheapest hitting set of
//! those known so far is computed, states that satisfy it are looked up, and their sets are added, until there are
//! none (implicit hitting sets).

use rustc_hash::FxHashSet;
use tenet_system::random::Random;
use tenet_term::{Op, SymbolId, TermId, TermStore};

use super::Numbers;
use super::hitting::{Prices, cheapest, members};
use crate::direct::cube::Cube;
use crate::direct::explored::{Explored, Table};

/// Cost of a literal that the step needs.
const NEEDED_COST: u32 = 10;
/// Cost of a literal that compares what the step reads.
const COMPARED_COST: u32 = 14;
/// Cost of a literal about anything else: such lemmas are mostly accidents of the instances.
const ELSEWHERE_COST: u32 = 40;
/// Extra cost of a strict comparison: the other one makes a stronger lemma.
const STRICT_COST: u32 = 1;
/// Extra cost of arithmetic in a literal: `i < j + 2` is followed by `i < j + 3`.
const COMPUTED_COST: u32 = 10;
const VARIABLE_COST: u32 = 10;
/// Cost of a literal that bounds a place.
const PLACE_COST: u32 = 1;
/// Randomised restarts add less than this to the cost of each literal, for diversification.
const MAX_RANDOM_COST: usize = 8;
/// States looked up for each candidate.
const MAX_STATES_PER_PART: usize = 24;
const MAX_PARTS: usize = 500;

/// Says why a generalisation, given by its literals, is no lemma: one of these literals of the cube is missing.
pub type Refuse<'r> = dyn FnMut(&mut TermStore, &Cube, &[TermId]) -> Option<u128> + 'r;

/// The cheapest part of a cube that no explored instance has a state in and that `refuse` does not refuse.
pub fn choose(
    numbers: &Numbers,
    store: &mut TermStore,
    cube: &Cube,
    explored: &mut [Explored],
    mut random: Option<&mut Random>,
    refuse: &mut Refuse<'_>,
    go_on: &dyn Fn() -> bool,
) -> Option<Cube> {
    let mut best: Option<(u32, Cube)> = None;
    for count in 0..=cube.vars.len() {
        let least = count as u32 * VARIABLE_COST;
        if best.as_ref().is_some_and(|(cost, _)| *cost <= least) || !go_on() {
            break;
        }
        for vars in subsets(&cube.vars, count) {
            let about = Cube { literals: cube.about(store, &vars), vars, ..Cube::default() };
            let limit = best.as_ref().map_or(u32::MAX, |(cost, _)| *cost);
            let mut choice = Choice::new(numbers, store, about, explored, random.as_deref_mut(), go_on);
            if let Some(found) = choice.cheapest(store, limit, refuse, go_on) {
                best = Some(found);
            }
        }
    }
    best.map(|(_, cube)| cube)
}

struct Choice {
    cube: Cube,
    prices: Prices,
    tables: Vec<Table>,
}

impl Choice {
    fn new(
        numbers: &Numbers,
        store: &TermStore,
        cube: Cube,
        explored: &mut [Explored],
        mut random: Option<&mut Random>,
        go_on: &dyn Fn() -> bool,
    ) -> Choice {
        let tables = explored.iter_mut().filter_map(|one| one.table(store, &cube, &mut || go_on())).collect();
        let mut prices =
            Prices { group: VARIABLE_COST, gifts: vec![0; cube.vars.len()], ..Prices::default() };
        for (place, &literal) in cube.literals.iter().enumerate() {
            let noise = random.as_mut().map_or(0, |random| random.below(MAX_RANDOM_COST) as u32);
            prices.items.push(price(numbers, store, literal) + noise);
            let vars = Cube::of(store, vec![literal]).vars;
            let positions = vars.iter().filter_map(|var| cube.vars.iter().position(|known| known == var));
            prices.groups.push(positions.fold(0, |groups, position| groups | 1 << position));
            for (var, _) in numbers.places.iter().filter(|(_, known)| *known == literal) {
                if let Some(position) = cube.vars.iter().position(|known| known == var) {
                    prices.gifts[position] |= 1 << place;
                }
            }
        }
        Choice { cube, prices, tables }
    }

    fn cheapest(
        &mut self,
        store: &mut TermStore,
        limit: u32,
        refuse: &mut Refuse<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<(u32, Cube)> {
        let all = (0..self.cube.literals.len()).fold(0u128, |all, place| all | 1 << place);
        if self.tables.is_empty() || self.is_reached(all) {
            return None;
        }
        let mut sets: Vec<u128> = Vec::new();
        for _ in 0..MAX_PARTS {
            if !go_on() {
                return None;
            }
            let chosen = cheapest(&sets, &self.prices, limit)?;
            let having = self.prices.with_gifts(chosen);
            let missed = self.missed(having);
            if !missed.is_empty() {
                sets.extend(missed);
                continue;
            }
            let part = self.part(store, chosen);
            match refuse(store, &part, &self.cube.literals) {
                None => return Some((self.prices.total(chosen), part)),
                Some(missing) => sets.push(missing),
            }
        }
        None
    }

    fn is_reached(&self, chosen: u128) -> bool {
        let places: Vec<usize> = members(chosen).collect();
        self.tables.iter().any(|table| table.is_reachable(&places))
    }

    /// The sets of literals that are false in some states that satisfy everything chosen.
    fn missed(&self, chosen: u128) -> Vec<u128> {
        let places: Vec<usize> = members(chosen).collect();
        let mut found = FxHashSet::default();
        let mut sets: Vec<u128> = Vec::new();
        for table in &self.tables {
            for set in table.false_in_states_of(&places, MAX_STATES_PER_PART) {
                if found.insert(set) {
                    sets.push(set);
                }
            }
        }
        let smaller = |set: u128| sets.iter().any(|&other| other != set && other & set == other);
        let smallest: Vec<u128> = sets.iter().copied().filter(|&set| !smaller(set)).collect();
        smallest
    }

    /// The chosen literals, with the bounds of places that are not redundant.
    fn part(&self, store: &TermStore, chosen: u128) -> Cube {
        let mut having = self.prices.with_gifts(chosen);
        for place in members(having & !chosen) {
            let fewer = having & !(1 << place);
            if !self.is_reached(fewer) {
                having = fewer;
            }
        }
        Cube::of(store, members(having).map(|place| self.cube.literals[place]).collect())
    }
}

fn price(numbers: &Numbers, store: &TermStore, literal: TermId) -> u32 {
    if numbers.places.iter().any(|(_, known)| *known == literal) {
        return PLACE_COST;
    }
    let origin = match numbers.needed.contains(&literal) {
        true => NEEDED_COST,
        false if numbers.mentions(store, literal) => COMPARED_COST,
        false => ELSEWHERE_COST,
    };
    let strict = if *store.op(literal) == Op::Lt { STRICT_COST } else { 0 };
    let is_computed = |&term: &TermId| matches!(store.op(term), Op::Add | Op::Mul);
    let computed = store.subterms(literal).iter().filter(|term| is_computed(term)).count() as u32;
    origin + strict + computed * COMPUTED_COST
}

/// All sets of `count` variables.
fn subsets(vars: &[SymbolId], count: usize) -> Vec<Vec<SymbolId>> {
    let mut sets = Vec::new();
    for chosen in 0u32..1 << vars.len() {
        if chosen.count_ones() as usize == count {
            let places = (0..vars.len()).filter(|place| chosen & (1 << place) != 0);
            sets.push(places.map(|place| vars[place]).collect());
        }
    }
    sets
}
