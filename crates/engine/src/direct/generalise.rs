//! From a cube that is to be excluded to a larger one that is worth trying: as few literals about as few elements as no
//! explored state satisfies.

use tenet_system::finite::simulate::Random;
use tenet_term::{Op, Role, SymbolId, TermId, TermStore};

use super::cube::Cube;
use super::explored::{Explored, Table};

/// All sets of so many literals are tried; larger ones are found by dropping one after the other.
const EXHAUSTIVE: usize = 3;
/// One less if there are more literals than this.
const MANY: usize = 18;

/// Which part to take if there are several: always the same, or another one each time.
pub struct Taste(Option<Random>);

impl Taste {
    /// The first of the best.
    pub fn plain() -> Taste {
        Taste(None)
    }

    /// Any.
    pub fn random(seed: u64) -> Taste {
        Taste(Some(Random::new(seed)))
    }

    /// What decides, if it is not always the same.
    pub fn whim(&mut self) -> Option<&mut Random> {
        self.0.as_mut()
    }

    fn shuffle(&mut self, items: &mut [usize]) {
        let Some(random) = &mut self.0 else { return };
        for place in (1..items.len()).rev() {
            items.swap(place, random.below(place + 1));
        }
    }

    /// Is it time for a part that is not among the smallest?
    fn is_adventurous(&mut self) -> bool {
        self.0.as_mut().is_some_and(|random| random.below(3) == 0)
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
    accept: &mut dyn FnMut(&mut TermStore, &Cube) -> bool,
    go_on: &dyn Fn() -> bool,
) -> Option<Cube> {
    let mut all: Vec<usize> = (0..cube.vars.len()).collect();
    taste.shuffle(&mut all);
    for count in 0..=cube.vars.len() {
        let mut found = None;
        subsets(&all, count, &mut Vec::new(), &mut |chosen| {
            let vars: Vec<SymbolId> = chosen.iter().map(|&place| cube.vars[place]).collect();
            let about = Cube { literals: cube.about(store, &vars), vars };
            found = part(store, &about, explored, taste, accept, go_on);
            found.is_some() || !go_on()
        });
        if found.is_some() || !go_on() {
            return found;
        }
    }
    None
}

/// A part of a cube that is about all of its variables.
fn part(
    store: &mut TermStore,
    cube: &Cube,
    explored: &mut [Explored],
    taste: &mut Taste,
    accept: &mut dyn FnMut(&mut TermStore, &Cube) -> bool,
    go_on: &dyn Fn() -> bool,
) -> Option<Cube> {
    let tables: Vec<Table> =
        explored.iter_mut().filter_map(|one| one.table(store, cube, &mut || go_on())).collect();
    let mut all: Vec<usize> = (0..cube.literals.len()).collect();
    taste.shuffle(&mut all);
    // Where an instance is too small for the elements themselves, it says nothing.
    let shape: Vec<bool> = cube.literals.iter().map(|&literal| is_about_names(store, literal)).collect();
    let is_free = |chosen: &[usize]| {
        let elements: Vec<usize> = (0..shape.len()).filter(|&place| shape[place]).collect();
        let chosen: &[usize] = &[chosen, &elements].concat();
        let mut large_enough = tables.iter().filter(|table| table.is_reachable(&elements)).peekable();
        large_enough.peek().is_some() && !large_enough.any(|table| table.is_reachable(chosen))
    };
    if tables.is_empty() || !is_free(&all) {
        return None;
    }
    // What only says which elements are meant is kept with them: it makes a lemma weaker, and so easier to keep.
    let part = |store: &TermStore, chosen: &[usize]| {
        let literals: Vec<TermId> = chosen.iter().map(|&place| cube.literals[place]).collect();
        let vars = Cube::of(store, literals.clone()).vars;
        let names = (0..cube.literals.len()).filter(|&place| shape[place]).map(|place| cube.literals[place]);
        let names =
            names.filter(|&literal| Cube::of(store, vec![literal]).vars.iter().all(|var| vars.contains(var)));
        Cube::of(store, literals.iter().copied().chain(names).collect())
    };
    all.retain(|&place| !shape[place]);
    let exhaustive = match all.len() > MANY {
        _ if taste.is_adventurous() => 0,
        true => EXHAUSTIVE - 1,
        false => EXHAUSTIVE,
    };
    for size in 1..=exhaustive.min(all.len()) {
        let mut found = None;
        subsets(&all, size, &mut Vec::new(), &mut |chosen| {
            found = is_free(chosen).then(|| part(store, chosen)).filter(|candidate| accept(store, candidate));
            found.is_some() || !go_on()
        });
        if found.is_some() || !go_on() {
            return found;
        }
    }
    let mut left = all;
    let mut order = dropping_order(store, cube);
    taste.shuffle(&mut order);
    for place in order.into_iter().take_while(|_| go_on()) {
        let fewer: Vec<usize> = left.iter().copied().filter(|&kept| kept != place).collect();
        if is_free(&fewer) && accept(store, &part(store, &fewer)) {
            left = fewer;
        }
    }
    Some(part(store, &left)).filter(|candidate| accept(store, candidate))
}

/// Which literals to do without first: that a place is exactly here or there, then the youngest.
fn dropping_order(store: &TermStore, cube: &Cube) -> Vec<usize> {
    let is_half_of_equation = |place: usize| {
        let literal = cube.literals[place];
        let (Op::Le, &[a, b]) = (store.op(literal), store.args(literal)) else { return false };
        cube.literals.iter().any(|&other| *store.op(other) == Op::Le && store.args(other) == [b, a])
    };
    let (halves, others): (Vec<usize>, Vec<usize>) =
        (0..cube.literals.len()).rev().partition(|&place| is_half_of_equation(place));
    halves.into_iter().chain(others).collect()
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
fn subsets(
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
