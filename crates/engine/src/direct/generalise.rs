//! From a cube that is to be excluded to a larger one that is worth trying: as few literals about as few elements as no
//! explored state satisfies.

use tenet_system::random::Random;
use tenet_term::{Op, Role, SymbolId, TermId, TermStore};

use super::cube::Cube;
use super::explored::{Explored, Table};

/// Parts about more elements are not looked for: there are too many of them, and they lead nowhere.
pub const MOST_ELEMENTS: usize = 5;
/// All sets of so many literals are tried; larger ones are found by dropping one after the other.
const EXHAUSTIVE: usize = 3;
/// One less if there are more literals than this.
const MANY: usize = 18;

/// Says whether a cube may be excluded.
pub type Accept<'a> = dyn FnMut(&mut TermStore, &Cube) -> bool + 'a;

/// Which part to take if there are several: always the same, or another one each time.
pub struct Taste {
    random: Option<Random>,
    /// Whether a lemma is to say as much as it can: see `weaken`.
    pub is_bold: bool,
}

impl Taste {
    /// The first of the best, made to say as much as it can.
    pub fn bold() -> Taste {
        Taste { random: None, is_bold: true }
    }

    /// The first of the best.
    pub fn plain() -> Taste {
        Taste { random: None, is_bold: false }
    }

    /// Any.
    pub fn random(seed: u64) -> Taste {
        Taste { random: Some(Random::new(seed)), is_bold: false }
    }

    /// What decides, if it is not always the same.
    pub fn whim(&mut self) -> Option<&mut Random> {
        self.random.as_mut()
    }

    fn shuffle(&mut self, items: &mut [usize]) {
        let Some(random) = &mut self.random else { return };
        for place in (1..items.len()).rev() {
            items.swap(place, random.below(place + 1));
        }
    }

    /// Is it time for a part that is not among the smallest?
    fn is_adventurous(&mut self) -> bool {
        self.random.as_mut().is_some_and(|random| random.below(3) == 0)
    }
}

/// The best part of a cube that no explored instance has a state in and that `accept` accepts: one about few elements if
/// there is one, and of these one with few literals. `None`, too, once `go_on` says that the time is over: there are many
/// parts of a large cube.
pub fn generalise(
    store: &mut TermStore,
    cube: &Cube,
    explored: &mut [Explored],
    taste: &mut Taste,
    accept: &mut Accept<'_>,
    go_on: &dyn Fn() -> bool,
) -> Option<Cube> {
    let mut all: Vec<usize> = (0..cube.vars.len()).collect();
    taste.shuffle(&mut all);
    // What a step does not depend on is rarely the reason; two such literals together are mostly an accident.
    let rounds: &[usize] = if cube.beside.is_empty() { &[usize::MAX] } else { &[1, usize::MAX] };
    let most_elements = cube.vars.len().min(MOST_ELEMENTS);
    for (&most, count) in rounds.iter().flat_map(|most| (0..=most_elements).map(move |count| (most, count))) {
        let mut found = None;
        subsets(&all, count, &mut Vec::new(), &mut |chosen| {
            let vars: Vec<SymbolId> = chosen.iter().map(|&place| cube.vars[place]).collect();
            let about = Cube { literals: cube.about(store, &vars), vars, ..cube.clone() };
            if !about.is_counting(store) {
                found = part(store, &about, most, explored, taste, accept, go_on);
            }
            found.is_some() || !go_on()
        });
        if found.is_some() || !go_on() {
            return found;
        }
    }
    None
}

/// A part of a cube that is about all of its variables, with at most so many literals that the step does not depend on.
pub fn part(
    store: &mut TermStore,
    cube: &Cube,
    most: usize,
    explored: &mut [Explored],
    taste: &mut Taste,
    accept: &mut Accept<'_>,
    go_on: &dyn Fn() -> bool,
) -> Option<Cube> {
    let parts = Parts::new(store, cube, explored, go_on);
    // An instance that has too many elements for all of the variables has had its say about parts with fewer.
    let is_told_less = parts.tables.len() < explored.len();
    let accept: &mut Accept<'_> = &mut |store: &mut TermStore, part: &Cube| {
        let is_told = !is_told_less || part.vars.len() == cube.vars.len();
        is_told && !part.is_counting(store) && accept(store, part)
    };
    let mut all: Vec<usize> = (0..cube.literals.len()).collect();
    taste.shuffle(&mut all);
    let is_free = |chosen: &[usize]| parts.are_free(chosen);
    if !is_free(&all) {
        return None;
    }
    let part = |store: &TermStore, chosen: &[usize]| {
        let chosen = parts.with_names(chosen);
        Cube::of(store, chosen.into_iter().map(|place| cube.literals[place]).collect())
    };
    all.retain(|&place| !parts.shape[place]);
    let exhaustive = match all.len() > MANY {
        _ if taste.is_adventurous() => 0,
        true => EXHAUSTIVE - 1,
        false => EXHAUSTIVE,
    };
    let is_beside = |&place: &usize| cube.beside.contains(&cube.literals[place]);
    let is_allowed = |chosen: &[usize]| chosen.iter().filter(|place| is_beside(place)).count() <= most;
    for size in 1..=exhaustive.min(all.len()) {
        let mut found = None;
        subsets(&all, size, &mut Vec::new(), &mut |chosen| {
            let is_candidate = is_allowed(chosen) && is_free(chosen);
            found = is_candidate.then(|| part(store, chosen)).filter(|candidate| accept(store, candidate));
            found.is_some() || !go_on()
        });
        if found.is_some() || !go_on() {
            return found;
        }
    }
    let mut order = dropping_order(store, cube);
    taste.shuffle(&mut order);
    for group in beginnings(cube, &all, most) {
        let mut best: Option<((usize, usize), Cube)> = None;
        for mut left in group {
            if !is_free(&left) {
                continue;
            }
            // Without the one that is beside it, this is another beginning.
            let mut order = order.clone();
            order.retain(|place| left.contains(place) && !(most == 1 && is_beside(place)));
            for place in order.into_iter().take_while(|_| go_on()) {
                let fewer: Vec<usize> = left.iter().copied().filter(|&kept| kept != place).collect();
                if is_free(&fewer) && accept(store, &part(store, &fewer)) {
                    left = fewer;
                }
            }
            let found = part(store, &left);
            let cost = cost(store, &found);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) && accept(store, &found) {
                best = Some((cost, found));
            }
        }
        if best.is_some() || !go_on() {
            return best.map(|(_, found)| found);
        }
    }
    None
}

/// What explored instances say of the parts of a cube.
struct Parts {
    tables: Vec<Table>,
    /// Which literals only say which elements are different.
    shape: Vec<bool>,
    /// The variables of each literal, as bits.
    vars: Vec<u64>,
}

impl Parts {
    fn new(store: &TermStore, cube: &Cube, explored: &mut [Explored], go_on: &dyn Fn() -> bool) -> Parts {
        let tables = explored.iter_mut().filter_map(|one| one.table(store, cube, &mut || go_on())).collect();
        let shape = cube.literals.iter().map(|&literal| is_about_names(store, literal)).collect();
        let place = |var: &SymbolId| cube.vars.iter().position(|known| known == var);
        // Of more than 64 variables some share a bit, which at worst keeps a name too many.
        let bit = |var: &SymbolId| place(var).map_or(0, |place| 1u64 << (place % 64));
        let bits = |&literal: &TermId| {
            let vars = Cube::of(store, vec![literal]).vars;
            vars.iter().fold(0, |all, var| all | bit(var))
        };
        Parts { tables, shape, vars: cube.literals.iter().map(bits).collect() }
    }

    /// What only says which elements are meant is kept with them: it makes a lemma weaker, and so easier to keep.
    fn with_names(&self, chosen: &[usize]) -> Vec<usize> {
        let vars = chosen.iter().fold(0, |all, &place| all | self.vars[place]);
        let is_name = |place: &usize| self.shape[*place] && self.vars[*place] & !vars == 0;
        let names = (0..self.shape.len()).filter(|place| is_name(place) && !chosen.contains(place));
        chosen.iter().copied().chain(names).collect()
    }

    /// Does no state satisfy these literals? Where an instance is too small for the elements themselves, it says nothing.
    fn are_free(&self, chosen: &[usize]) -> bool {
        let elements: Vec<usize> = (0..self.shape.len()).filter(|&place| self.shape[place]).collect();
        let chosen = &self.with_names(chosen);
        let mut large_enough = self.tables.iter().filter(|table| table.is_reachable(&elements)).peekable();
        large_enough.peek().is_some() && !large_enough.any(|table| table.is_reachable(chosen))
    }
}

/// Does no explored state satisfy a cube, although some are large enough for it?
pub fn is_unreached(
    store: &TermStore,
    cube: &Cube,
    explored: &mut [Explored],
    go_on: &dyn Fn() -> bool,
) -> bool {
    let all: Vec<usize> = (0..cube.literals.len()).collect();
    Parts::new(store, cube, explored, go_on).are_free(&all)
}

/// Few literals are better than many, and of as many the shorter ones.
fn cost(store: &TermStore, cube: &Cube) -> (usize, usize) {
    (cube.literals.len(), cube.literals.iter().map(|&literal| store.size(literal)).sum())
}

/// The sets of literals that others are dropped from: all, or those that the step depends on with at most one other. The
/// best of the first group that there is anything in is taken: what says the same in other words competes with what the step
/// depends on, everything else is for want of something better.
fn beginnings(cube: &Cube, all: &[usize], most: usize) -> Vec<Vec<Vec<usize>>> {
    if most > 1 {
        return vec![vec![all.to_vec()]];
    }
    let is_in = |literals: &[TermId], place: usize| literals.contains(&cube.literals[place]);
    let (beside, base): (Vec<usize>, Vec<usize>) = all.iter().partition(|&&place| is_in(&cube.beside, place));
    let (instead, beside): (Vec<usize>, Vec<usize>) =
        beside.into_iter().partition(|&place| is_in(&cube.instead, place));
    let with = |place: usize| base.iter().copied().chain([place]).collect::<Vec<usize>>();
    let first = [base.clone()].into_iter().chain(instead.into_iter().map(with)).collect();
    [first].into_iter().chain(beside.into_iter().map(|place| vec![with(place)])).collect()
}

/// Which literals to do without first: what the step does not depend on, then that a place is exactly here or there, then
/// the youngest.
fn dropping_order(store: &TermStore, cube: &Cube) -> Vec<usize> {
    let is_half_of_equation = |place: usize| {
        let literal = cube.literals[place];
        let (Op::Le, &[a, b]) = (store.op(literal), store.args(literal)) else { return false };
        cube.literals.iter().any(|&other| *store.op(other) == Op::Le && store.args(other) == [b, a])
    };
    let is_beside = |place: usize| cube.beside.contains(&cube.literals[place]);
    let (beside, others): (Vec<usize>, Vec<usize>) =
        (0..cube.literals.len()).rev().partition(|&place| is_beside(place));
    let (halves, others): (Vec<usize>, Vec<usize>) =
        others.into_iter().partition(|&place| is_half_of_equation(place));
    beside.into_iter().chain(halves).chain(others).collect()
}

/// Does a literal only say which elements are different?
fn is_about_names(store: &TermStore, literal: TermId) -> bool {
    let (Op::Not, &[equation]) = (store.op(literal), store.args(literal)) else { return false };
    let is_variable =
        |side: TermId| store.as_symbol(side).is_some_and(|symbol| store.symbol(symbol).role == Role::Index);
    let sides = store.args(equation);
    *store.op(equation) == Op::Eq
        && sides.iter().all(|&side| store.args(side).is_empty())
        && sides.iter().any(|&side| is_variable(side))
}

/// Calls `visit` with each set of `size` of the items until it says that it has seen enough.
pub fn subsets(
    items: &[usize],
    size: usize,
    chosen: &mut Vec<usize>,
    visit: &mut dyn FnMut(&[usize]) -> bool,
) -> bool {
    if chosen.len() == size {
        return visit(chosen);
    }
    for (place, &item) in items.iter().enumerate() {
        chosen.push(item);
        let is_over = subsets(&items[place + 1..], size, chosen, visit);
        chosen.pop();
        if is_over {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_all_visited_once_and_in_order() {
        let mut seen = Vec::new();
        let is_over = subsets(&[3, 1, 2, 0], 2, &mut Vec::new(), &mut |chosen| {
            seen.push(chosen.to_vec());
            false
        });
        assert!(!is_over);
        assert_eq!(seen, [[3, 1], [3, 2], [3, 0], [1, 2], [1, 0], [2, 0]]);
        let mut count = 0;
        let is_over = subsets(&[0, 1, 2], 0, &mut Vec::new(), &mut |chosen| {
            count += 1;
            chosen.is_empty()
        });
        assert!(is_over && count == 1, "there is one empty set");
    }

    #[test]
    fn at_most_one_literal_is_beside_the_others() {
        let mut store = TermStore::new();
        let literals: Vec<TermId> = (0..5).map(|number| store.mk_int(number)).collect();
        let mut cube = Cube { beside: vec![literals[1], literals[3]], literals, ..Cube::default() };
        let all = [0, 1, 2, 3, 4];
        let (base, with_1, with_3) = (vec![0, 2, 4], vec![0, 2, 4, 1], vec![0, 2, 4, 3]);
        let apart = vec![vec![base.clone()], vec![with_1.clone()], vec![with_3.clone()]];
        assert_eq!(beginnings(&cube, &all, 1), apart);
        assert_eq!(beginnings(&cube, &all, usize::MAX), [[all.to_vec()]]);
        cube.instead = vec![cube.literals[3]];
        assert_eq!(beginnings(&cube, &all, 1), [vec![base, with_3], vec![with_1]]);
    }

    #[test]
    fn a_seed_decides_the_taste() {
        let shuffled = |taste: &mut Taste| {
            let mut items: Vec<usize> = (0..20).collect();
            taste.shuffle(&mut items);
            items
        };
        let plain: Vec<usize> = (0..20).collect();
        assert_eq!(shuffled(&mut Taste::plain()), plain);
        assert_eq!(shuffled(&mut Taste::random(5)), shuffled(&mut Taste::random(5)));
        assert_ne!(shuffled(&mut Taste::random(5)), shuffled(&mut Taste::random(6)));
        let mut items = shuffled(&mut Taste::random(5));
        items.sort_unstable();
        assert_eq!(items, plain, "nothing is lost");
    }

    #[test]
    fn only_what_names_elements_is_about_names() {
        let mut store = TermStore::new();
        let node = store.index_sort("NODE");
        let [i, j] = ["i", "j"].map(|name| {
            let symbol = store.declare(name, node, Role::Index);
            store.mk_symbol(symbol)
        });
        let owner = store.declare("owner", node, Role::State);
        let owner = store.mk_symbol(owner);
        let next = store.function_sort(&[node], node);
        let next = store.declare("next", next, Role::State);
        let next = store.mk_symbol(next);
        let next = store.mk_apply(next, &[i]);
        for (left, right, expected) in [(i, j, true), (next, j, false)] {
            let literal = store.mk_ne(left, right);
            assert_eq!(is_about_names(&store, literal), expected, "{}", store.print(literal));
        }
        let (same, held) = (store.mk_eq(i, j), store.mk_eq(i, owner));
        assert!(!is_about_names(&store, same) && !is_about_names(&store, held));
    }
}
