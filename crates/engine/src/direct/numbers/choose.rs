//! The cheapest part of a cube that no explored state satisfies.
//!
//! A part is free of states if each of them makes one of its literals false: it hits the set of false literals of every
//! state. There are far too many states to look at all of these sets, so a cheapest part that hits those known so far is
//! computed, states that satisfy it are looked up, and their sets are added, until there are none.

use rustc_hash::FxHashSet;
use tenet_system::random::Random;
use tenet_term::{Op, SymbolId, TermId, TermStore};

use super::Numbers;
use super::hitting::{Prices, cheapest, members};
use crate::direct::cube::Cube;
use crate::direct::explored::{Explored, Table};

/// What a literal costs that the step needs.
const NEEDED: u32 = 10;
/// What one costs that compares what the step looks at.
const COMPARED: u32 = 14;
/// What one costs that is about something else.
const ELSEWHERE: u32 = 40;
/// What more a strict comparison costs: the other one makes a stronger lemma.
const STRICT: u32 = 1;
/// What more a literal costs that computes: `i < j + 2` is followed by `i < j + 3`.
const COMPUTED: u32 = 10;
/// What a variable costs.
const VARIABLE: u32 = 10;
/// What a literal costs that says that a place is one.
const PLACE: u32 = 1;
/// How much the taste of an attempt changes prices.
const WHIM: usize = 8;
/// So many states are looked up for a part.
const MOST_STATES: usize = 24;
/// So many parts are tried.
const MOST_TRIED: usize = 500;

/// Says why a part of a cube, given by its literals, will not do: one of these literals of the cube is missing.
pub type Refuse<'r> = dyn FnMut(&mut TermStore, &Cube, &[TermId]) -> Option<u128> + 'r;

/// The cheapest part of a cube that no explored instance has a state in and that `refuse` does not refuse.
pub fn choose(
    numbers: &Numbers,
    store: &mut TermStore,
    cube: &Cube,
    explored: &mut [Explored],
    whim: Option<&mut Random>,
    refuse: &mut Refuse<'_>,
    go_on: &dyn Fn() -> bool,
) -> Option<Cube> {
    let mut random = whim;
    let mut best: Option<(u32, Cube)> = None;
    for count in 0..=cube.vars.len() {
        let least = count as u32 * VARIABLE;
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

/// The choice of a part of a cube.
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
        let mut prices = Prices { group: VARIABLE, gifts: vec![0; cube.vars.len()], ..Prices::default() };
        for (place, &literal) in cube.literals.iter().enumerate() {
            let whim = random.as_mut().map_or(0, |random| random.below(WHIM) as u32);
            prices.items.push(price(numbers, store, literal) + whim);
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
        for _ in 0..MOST_TRIED {
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

    /// What is false in some states in which everything chosen is true.
    fn missed(&self, chosen: u128) -> Vec<u128> {
        let places: Vec<usize> = members(chosen).collect();
        let mut found = FxHashSet::default();
        let mut sets: Vec<u128> = Vec::new();
        for table in &self.tables {
            for set in table.false_in_states_of(&places, MOST_STATES) {
                if found.insert(set) {
                    sets.push(set);
                }
            }
        }
        let smaller = |set: u128| sets.iter().any(|&other| other != set && other & set == other);
        let smallest: Vec<u128> = sets.iter().copied().filter(|&set| !smaller(set)).collect();
        smallest
    }

    /// The chosen literals, with those of the places that are not superfluous.
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
        return PLACE;
    }
    let origin = match numbers.needed.contains(&literal) {
        true => NEEDED,
        false if numbers.mentions(store, literal) => COMPARED,
        false => ELSEWHERE,
    };
    let strict = if *store.op(literal) == Op::Lt { STRICT } else { 0 };
    let is_computed = |&term: &TermId| matches!(store.op(term), Op::Add | Op::Mul);
    let computed = store.subterms(literal).iter().filter(|term| is_computed(term)).count() as u32;
    origin + strict + computed * COMPUTED
}

/// All sets of so many variables.
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
