//! Generalisation of a cube that has to be blocked: a subset of its literals, about as few elements and as small as
//! possible, that no explored state satisfies.

use tenet_system::random::Random;
use tenet_term::{Op, Role, SymbolId, TermId, TermStore};

use super::cube::Cube;
use super::explored::{Explored, Table};

/// Generalisations about more elements than this are not tried: there are too many of them, and lemmas that wide do not lead
/// to a proof.
pub const MAX_ELEMENTS: usize = 5;
/// Sets of literals up to this size are enumerated exhaustively; larger ones are found by dropping literals one by one.
const MAX_EXHAUSTIVE_LITERALS: usize = 3;
/// With more literals than this, the exhaustive limit is one less: the number of subsets grows cubically.
const MANY_LITERALS: usize = 18;

/// Says whether a cube may be blocked.
pub type Accept<'a> = dyn FnMut(&mut TermStore, &Cube) -> bool + 'a;

/// How one of several possible generalisations is chosen: in a fixed order, or in a random one for diversification
/// when the search is restarted.
pub struct Strategy {
    random: Option<Random>,
    /// Whether lemmas are made as strong as explored states allow: see `weaken`, which weakens the cube.
    pub strengthens: bool,
}

impl Strategy {
    /// The first of the smallest generalisations, with lemmas strengthened as far as explored states allow.
    pub fn strengthening() -> Strategy {
        Strategy { random: None, strengthens: true }
    }

    /// The first of the smallest generalisations.
    pub fn deterministic() -> Strategy {
        Strategy { random: None, strengthens: false }
    }

    pub fn randomised(seed: u64) -> Strategy {
        Strategy { random: Some(Random::new(seed)), strengthens: false }
    }

    /// The source of randomness, if the order is random.
    pub fn random(&mut self) -> Option<&mut Random> {
        self.random.as_mut()
    }

    fn shuffle(&mut self, items: &mut [usize]) {
        let Some(random) = &mut self.random else { return };
        for place in (1..items.len()).rev() {
            items.swap(place, random.below(place + 1));
        }
    }

    /// A third of the randomised generalisations go straight to dropping literals, and so find cubes that are not the
    /// smallest.
    fn skips_exhaustive_search(&mut self) -> bool {
        self.random.as_mut().is_some_and(|random| random.below(3) == 0)
    }
}

/// The best generalisation that contains no explored state and that `accept` accepts: one about as few elements as possible,
/// and of these one with few literals. `None` also once `go_on` says that the search was cancelled, since a large
/// cube has many subsets.
pub fn generalise(
    store: &mut TermStore,
    cube: &Cube,
    explored: &mut [Explored],
    strategy: &mut Strategy,
    accept: &mut Accept<'_>,
    go_on: &dyn Fn() -> bool,
) -> Option<Cube> {
    let mut all: Vec<usize> = (0..cube.vars.len()).collect();
    strategy.shuffle(&mut all);
    // An auxiliary literal is rarely the reason; two of them together are mostly an accident of the small instances.
    let rounds: &[usize] = if cube.auxiliary.is_empty() { &[usize::MAX] } else { &[1, usize::MAX] };
    let max_elements = cube.vars.len().min(MAX_ELEMENTS);
    for (&most, count) in rounds.iter().flat_map(|most| (0..=max_elements).map(move |count| (most, count))) {
        let mut found = None;
        subsets(&all, count, &mut Vec::new(), &mut |chosen| {
            let vars: Vec<SymbolId> = chosen.iter().map(|&place| cube.vars[place]).collect();
            let about = Cube { literals: cube.about(store, &vars), vars, ..cube.clone() };
            if !about.is_counting(store) {
                found = part(store, &about, most, explored, strategy, accept, go_on);
            }
            found.is_some() || !go_on()
        });
        if found.is_some() || !go_on() {
            return found;
        }
    }
    None
}

/// A generalisation that mentions all variables of the cube, with at most `most` auxiliary literals.
pub fn part(
    store: &mut TermStore,
    cube: &Cube,
    most: usize,
    explored: &mut [Explored],
    strategy: &mut Strategy,
    accept: &mut Accept<'_>,
    go_on: &dyn Fn() -> bool,
) -> Option<Cube> {
    let parts = Parts::new(store, cube, explored, go_on);
    // An instance that is too small for all of the variables has already been consulted about parts with fewer.
    let has_small_instance = parts.tables.len() < explored.len();
    let accept: &mut Accept<'_> = &mut |store: &mut TermStore, part: &Cube| {
        let is_judged = !has_small_instance || part.vars.len() == cube.vars.len();
        is_judged && !part.is_counting(store) && accept(store, part)
    };
    let mut all: Vec<usize> = (0..cube.literals.len()).collect();
    strategy.shuffle(&mut all);
    let is_free = |chosen: &[usize]| parts.are_free(chosen);
    if !is_free(&all) {
        return None;
    }
    let part = |store: &TermStore, chosen: &[usize]| {
        let chosen = parts.with_names(chosen);
        Cube::of(store, chosen.into_iter().map(|place| cube.literals[place]).collect())
    };
    all.retain(|&place| !parts.shape[place]);
    let exhaustive = match all.len() > MANY_LITERALS {
        _ if strategy.skips_exhaustive_search() => 0,
        true => MAX_EXHAUSTIVE_LITERALS - 1,
        false => MAX_EXHAUSTIVE_LITERALS,
    };
    let is_auxiliary = |&place: &usize| cube.auxiliary.contains(&cube.literals[place]);
    let is_allowed = |chosen: &[usize]| chosen.iter().filter(|place| is_auxiliary(place)).count() <= most;
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
    strategy.shuffle(&mut order);
    for group in beginnings(cube, &all, most) {
        let mut best: Option<((usize, usize), Cube)> = None;
        for mut left in group {
            if !is_free(&left) {
                continue;
            }
            // Without its one auxiliary literal, this is another starting set.
            let mut order = order.clone();
            order.retain(|place| left.contains(place) && !(most == 1 && is_auxiliary(place)));
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

/// The states of explored instances in the generalisations of a cube.
struct Parts {
    tables: Vec<Table>,
    /// Marks literals that only say which elements are different.
    shape: Vec<bool>,
    /// The variables of each literal, as bits.
    vars: Vec<u64>,
}

impl Parts {
    fn new(store: &TermStore, cube: &Cube, explored: &mut [Explored], go_on: &dyn Fn() -> bool) -> Parts {
        let tables = explored.iter_mut().filter_map(|one| one.table(store, cube, &mut || go_on())).collect();
        let shape = cube.literals.iter().map(|&literal| is_about_names(store, literal)).collect();
        let place = |var: &SymbolId| cube.vars.iter().position(|known| known == var);
        // With more than 64 variables some share a bit, which at worst keeps a name too many.
        let bit = |var: &SymbolId| place(var).map_or(0, |place| 1u64 << (place % 64));
        let bits = |&literal: &TermId| {
            let vars = Cube::of(store, vec![literal]).vars;
            vars.iter().fold(0, |all, var| all | bit(var))
        };
        Parts { tables, shape, vars: cube.literals.iter().map(bits).collect() }
    }

    /// Literals that only name elements are kept with them: they make a lemma weaker, and so easier to keep
    /// inductive.
    fn with_names(&self, chosen: &[usize]) -> Vec<usize> {
        let vars = chosen.iter().fold(0, |all, &place| all | self.vars[place]);
        let is_name = |place: &usize| self.shape[*place] && self.vars[*place] & !vars == 0;
        let names = (0..self.shape.len()).filter(|place| is_name(place) && !chosen.contains(place));
        chosen.iter().copied().chain(names).collect()
    }

    /// Does no state satisfy these literals? An instance that is too small for the elements says nothing.
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

/// The sets of literals from which others are dropped: all of them, or the literals that the step depends on with at
/// most one auxiliary literal. They come in groups, of which the first that contains a generalisation wins: restated
/// literals compete with those that the step depends on, other auxiliary ones come last.
fn beginnings(cube: &Cube, all: &[usize], most: usize) -> Vec<Vec<Vec<usize>>> {
    if most > 1 {
        return vec![vec![all.to_vec()]];
    }
    let is_in = |literals: &[TermId], place: usize| literals.contains(&cube.literals[place]);
    let (auxiliary, base): (Vec<usize>, Vec<usize>) =
        all.iter().partition(|&&place| is_in(&cube.auxiliary, place));
    let (restated, auxiliary): (Vec<usize>, Vec<usize>) =
        auxiliary.into_iter().partition(|&place| is_in(&cube.restated, place));
    let with = |place: usize| base.iter().copied().chain([place]).collect::<Vec<usize>>();
    let first = [base.clone()].into_iter().chain(restated.into_iter().map(with)).collect();
    [first].into_iter().chain(auxiliary.into_iter().map(|place| vec![with(place)])).collect()
}

/// The order in which literals are dropped: auxiliary ones first, then those that fix a place exactly, then the
/// youngest.
fn dropping_order(store: &TermStore, cube: &Cube) -> Vec<usize> {
    let is_half_of_equation = |place: usize| {
        let literal = cube.literals[place];
        let (Op::Le, &[a, b]) = (store.op(literal), store.args(literal)) else { return false };
        cube.literals.iter().any(|&other| *store.op(other) == Op::Le && store.args(other) == [b, a])
    };
    let is_auxiliary = |place: usize| cube.auxiliary.contains(&cube.literals[place]);
    let (auxiliary, others): (Vec<usize>, Vec<usize>) =
        (0..cube.literals.len()).rev().partition(|&place| is_auxiliary(place));
    let (halves, others): (Vec<usize>, Vec<usize>) =
        others.into_iter().partition(|&place| is_half_of_equation(place));
    auxiliary.into_iter().chain(halves).chain(others).collect()
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

/// Calls `visit` with each set of `size` of the items until it returns true.
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
    fn at_most_one_auxiliary_literal_is_kept() {
        let mut store = TermStore::new();
        let literals: Vec<TermId> = (0..5).map(|number| store.mk_int(number)).collect();
        let mut cube = Cube { auxiliary: vec![literals[1], literals[3]], literals, ..Cube::default() };
        let all = [0, 1, 2, 3, 4];
        let (base, with_1, with_3) = (vec![0, 2, 4], vec![0, 2, 4, 1], vec![0, 2, 4, 3]);
        let apart = vec![vec![base.clone()], vec![with_1.clone()], vec![with_3.clone()]];
        assert_eq!(beginnings(&cube, &all, 1), apart);
        assert_eq!(beginnings(&cube, &all, usize::MAX), [[all.to_vec()]]);
        cube.restated = vec![cube.literals[3]];
        assert_eq!(beginnings(&cube, &all, 1), [vec![base, with_3], vec![with_1]]);
    }

    #[test]
    fn a_seed_decides_the_order() {
        let shuffled = |strategy: &mut Strategy| {
            let mut items: Vec<usize> = (0..20).collect();
            strategy.shuffle(&mut items);
            items
        };
        let plain: Vec<usize> = (0..20).collect();
        assert_eq!(shuffled(&mut Strategy::deterministic()), plain);
        assert_eq!(shuffled(&mut Strategy::randomised(5)), shuffled(&mut Strategy::randomised(5)));
        assert_ne!(shuffled(&mut Strategy::randomised(5)), shuffled(&mut Strategy::randomised(6)));
        let mut items = shuffled(&mut Strategy::randomised(5));
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
