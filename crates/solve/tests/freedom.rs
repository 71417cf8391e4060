//! Don't cares of models: every combination of options that the analysis offers is asked of Z3, and the kinds of
//! freedom that images rely on are found (QI-T10).

use proptest::prelude::*;
use rustc_hash::FxHashMap;
use tenet_solve::{Answer, Freedom, Solver, Z3Solver, freedom};
use tenet_term::{Role, Sort, SortId, TermId, TermStore, Value};

/// How many combinations of one model are asked about at most.
const COMBINATIONS: usize = 40;

/// A stream of choices, all zero behind its end.
struct Choices {
    bytes: Vec<u8>,
    next: usize,
}

impl Choices {
    fn below(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        byte as usize * count / 256
    }

    fn of(&mut self, items: &[TermId]) -> TermId {
        items[self.below(items.len())]
    }
}

/// Symbols to speak of.
struct Words {
    color: SortId,
    flags: Vec<TermId>,
    colors: Vec<TermId>,
    numbers: Vec<TermId>,
    nodes: Vec<TermId>,
    /// From elements: to themselves, to numbers, to colours, to Booleans; and from numbers to numbers.
    next: TermId,
    height: TermId,
    paint: TermId,
    mark: TermId,
    shift: TermId,
}

impl Words {
    fn new(store: &mut TermStore) -> Words {
        let node = store.index_sort("NODE");
        let color = store.enum_sort("COLOR", &["Red", "Green", "Blue"]);
        let mut symbol = |name: &str, args: &[SortId], result: SortId| {
            let sort = if args.is_empty() { result } else { store.function_sort(args, result) };
            let symbol = store.declare(name, sort, Role::State);
            store.mk_symbol(symbol)
        };
        Words {
            color,
            flags: vec![symbol("flag", &[], SortId::BOOL)],
            colors: ["one", "other"].map(|name| symbol(name, &[], color)).to_vec(),
            numbers: ["x", "y", "z"].map(|name| symbol(name, &[], SortId::INT)).to_vec(),
            nodes: ["n", "m"].map(|name| symbol(name, &[], node)).to_vec(),
            next: symbol("next", &[node], node),
            height: symbol("height", &[node], SortId::INT),
            paint: symbol("paint", &[node], color),
            mark: symbol("mark", &[node], SortId::BOOL),
            shift: symbol("shift", &[SortId::INT], SortId::INT),
        }
    }

    fn node(&self, store: &mut TermStore, choices: &mut Choices) -> TermId {
        let node = choices.of(&self.nodes);
        match choices.below(3) {
            2 => store.mk_apply(self.next, &[node]),
            _ => node,
        }
    }

    fn number(&self, store: &mut TermStore, choices: &mut Choices) -> TermId {
        let number = choices.of(&self.numbers);
        match choices.below(8) {
            3 => {
                let offset = store.mk_int(choices.below(4) as i64 - 1);
                store.mk_add([number, offset])
            }
            4 => store.mk_int(choices.below(4) as i64 - 1),
            5 => {
                let node = self.node(store, choices);
                store.mk_apply(self.height, &[node])
            }
            6 => store.mk_apply(self.shift, &[number]),
            7 => {
                let other = choices.of(&self.numbers);
                store.mk_add([number, other])
            }
            _ => number,
        }
    }

    fn color(&self, store: &mut TermStore, choices: &mut Choices) -> TermId {
        match choices.below(4) {
            2 => {
                let node = self.node(store, choices);
                store.mk_apply(self.paint, &[node])
            }
            3 => store.mk_enum(self.color, choices.below(3) as u32),
            _ => choices.of(&self.colors),
        }
    }

    fn atom(&self, store: &mut TermStore, choices: &mut Choices) -> TermId {
        match choices.below(8) {
            0 => choices.of(&self.flags),
            1 => {
                let node = self.node(store, choices);
                store.mk_apply(self.mark, &[node])
            }
            2 | 3 => {
                let [a, b] = [(); 2].map(|()| self.color(store, choices));
                store.mk_eq(a, b)
            }
            4 => {
                let [a, b] = [(); 2].map(|()| self.node(store, choices));
                store.mk_eq(a, b)
            }
            kind => {
                let [a, b] = [(); 2].map(|()| self.number(store, choices));
                match kind {
                    5 => store.mk_eq(a, b),
                    6 => store.mk_lt(a, b),
                    _ => store.mk_le(a, b),
                }
            }
        }
    }
}

/// Distinct atoms; what the constructors make of constants is left out.
fn atoms(store: &mut TermStore, choices: &mut Choices) -> Vec<TermId> {
    let words = Words::new(store);
    let mut atoms: Vec<TermId> = Vec::new();
    for _ in 0..2 + choices.below(9) {
        let mut atom = words.atom(store, choices);
        if matches!(store.op(atom), tenet_term::Op::Not) {
            atom = store.args(atom)[0];
        }
        if !atom.is_bool_literal() && !atoms.contains(&atom) {
            atoms.push(atom);
        }
    }
    atoms
}

/// The values of everything below some atoms in the solver's model.
fn model(store: &TermStore, solver: &mut Z3Solver, atoms: &[TermId]) -> FxHashMap<TermId, Value> {
    let is_function = |term: TermId| matches!(store.sort(store.sort_of(term)), Sort::Function { .. });
    let subterms = store.subterms_of_all(atoms.iter().copied()).into_iter();
    let terms: Vec<TermId> = subterms.filter(|&term| !is_function(term)).collect();
    let values = solver.values(store, &terms);
    terms.into_iter().zip(values).filter_map(|(term, value)| Some((term, value?))).collect()
}

fn literal(store: &mut TermStore, atom: TermId, value: bool) -> TermId {
    if value { atom } else { store.mk_not(atom) }
}

/// The freedom of a model of some literals; `None` if they contradict each other.
fn free(store: &mut TermStore, atoms: &[TermId], wanted: &[(TermId, bool)]) -> Option<(Freedom, Vec<bool>)> {
    let mut solver = Z3Solver::ground();
    let wanted: Vec<TermId> = wanted.iter().map(|&(atom, value)| literal(store, atom, value)).collect();
    if solver.check(store, &wanted) != Answer::Sat {
        return None;
    }
    let values = model(store, &mut solver, atoms);
    let truths = atoms.iter().map(|atom| values[atom].as_bool().expect("an atom")).collect();
    Some((freedom(store, atoms, &Default::default(), &values), truths))
}

/// The literals of a combination of options, one number for each choice.
fn combination(
    store: &mut TermStore,
    atoms: &[TermId],
    (freedom, truths): (&Freedom, &[bool]),
    taken: &[usize],
) -> Vec<TermId> {
    atoms
        .iter()
        .zip(truths)
        .map(|(&atom, &truth)| match freedom.place(atom) {
            Some((choice, column)) => {
                literal(store, atom, freedom.choices[choice].options[taken[choice]][column])
            }
            None => literal(store, atom, truth),
        })
        .collect()
}

proptest! {
    #![proptest_config(tenet_chance::cases(400))]

    #[test]
    fn every_combination_of_options_has_a_model(bytes in prop::collection::vec(any::<u8>(), 160)) {
        let mut choices = Choices { bytes, next: 0 };
        let mut store = TermStore::new();
        let atoms = atoms(&mut store, &mut choices);
        let wanted: Vec<(TermId, bool)> = atoms
            .iter()
            .filter_map(|&atom| [None, Some((atom, false)), Some((atom, true))][choices.below(3)])
            .collect();
        let Some((freedom, truths)) = free(&mut store, &atoms, &wanted) else { return Ok(()) };
        for (choice, options) in freedom.choices.iter().enumerate().map(|(at, choice)| (at, &choice.options)) {
            prop_assert!(options.len() > 1);
            let own: Vec<bool> = (0..options[0].len())
                .map(|column| {
                    let here = |&place: &usize| freedom.place(atoms[place]) == Some((choice, column));
                    truths[(0..atoms.len()).find(here).expect("a column has an atom")]
                })
                .collect();
            prop_assert!(options.contains(&own), "the model itself is an option");
        }
        let counts: Vec<usize> = freedom.choices.iter().map(|choice| choice.options.len()).collect();
        let all = counts.iter().try_fold(1usize, |all, &count| all.checked_mul(count));
        let mut solver = Z3Solver::ground();
        for number in 0..all.unwrap_or(usize::MAX).min(COMBINATIONS) {
            let mut rest = number;
            let taken: Vec<usize> = match all {
                Some(all) if all <= COMBINATIONS => counts
                    .iter()
                    .map(|&count| {
                        let digit = rest % count;
                        rest /= count;
                        digit
                    })
                    .collect(),
                _ => counts.iter().map(|&count| choices.below(count)).collect(),
            };
            let literals = combination(&mut store, &atoms, (&freedom, &truths), &taken);
            let answer = solver.check(&store, &literals);
            let shown: Vec<String> = literals.iter().map(|&literal| store.print(literal)).collect();
            prop_assert_eq!(answer, Answer::Sat, "{:?}", shown);
        }
    }
}

/// The options of the choice that decides these atoms, one column each, sorted.
fn options(freedom: &Freedom, atoms: &[TermId]) -> Vec<Vec<bool>> {
    let places: Vec<(usize, usize)> = atoms.iter().map(|&atom| freedom.place(atom).expect("free")).collect();
    assert!(places.iter().all(|place| place.0 == places[0].0), "one choice decides them: {places:?}");
    let rows = freedom.choices[places[0].0].options.iter();
    let mut rows: Vec<Vec<bool>> =
        rows.map(|row| places.iter().map(|&(_, column)| row[column]).collect()).collect();
    rows.sort();
    rows
}

fn is_free(freedom: &Freedom, atom: TermId) -> bool {
    freedom.place(atom).is_some()
}

#[test]
fn a_chain_of_comparisons_is_peeled() {
    let mut store = TermStore::new();
    let words = Words::new(&mut store);
    let [x, y, z] = words.numbers[..] else { unreachable!() };
    let five = store.mk_int(5);
    let atoms = [store.mk_lt(x, y), store.mk_le(y, z), store.mk_eq(z, five)];
    let (freedom, _) = free(&mut store, &atoms, &[]).expect("satisfiable");
    assert_eq!(freedom.choices.len(), 3);
    for atom in atoms {
        assert_eq!(options(&freedom, &[atom]), [[false], [true]]);
    }
}

#[test]
fn a_number_goes_through_the_regions_between_its_bounds() {
    let mut store = TermStore::new();
    let words = Words::new(&mut store);
    let x = words.numbers[0];
    let [three, seven] = [3, 7].map(|number| store.mk_int(number));
    let atoms = [store.mk_lt(x, three), store.mk_eq(x, three), store.mk_lt(x, seven)];
    let (freedom, _) = free(&mut store, &atoms, &[]).expect("satisfiable");
    let regions = [[false, false, false], [false, false, true], [false, true, true], [true, false, true]];
    assert_eq!(options(&freedom, &atoms), regions);
}

#[test]
fn offsets_count() {
    // `x + 1 = 3` and `x < 3` hold together or the second alone, or neither.
    let mut store = TermStore::new();
    let words = Words::new(&mut store);
    let (x, one, three) = (words.numbers[0], store.mk_int(1), store.mk_int(3));
    let next = store.mk_add([x, one]);
    let atoms = [store.mk_eq(next, three), store.mk_lt(x, three)];
    let (freedom, _) = free(&mut store, &atoms, &[]).expect("satisfiable");
    assert_eq!(options(&freedom, &atoms), [[false, false], [false, true], [true, true]]);
}

#[test]
fn an_enumeration_is_exhausted() {
    let mut store = TermStore::new();
    let words = Words::new(&mut store);
    let values = [0, 1, 2].map(|position| store.mk_enum(words.color, position));
    let atoms = values.map(|value| store.mk_eq(words.colors[0], value));
    let (freedom, _) = free(&mut store, &atoms, &[]).expect("satisfiable");
    // Exactly one of the three; never none.
    let one = [[false, false, true], [false, true, false], [true, false, false]];
    assert_eq!(options(&freedom, &atoms), one);
    let (freedom, _) = free(&mut store, &atoms[..2], &[]).expect("satisfiable");
    assert_eq!(options(&freedom, &atoms[..2]), [[false, false], [false, true], [true, false]]);
}

#[test]
fn an_element_may_differ_from_all() {
    let mut store = TermStore::new();
    let words = Words::new(&mut store);
    let [n, m] = words.nodes[..] else { unreachable!() };
    let here = store.mk_apply(words.mark, &[m]);
    let next = store.mk_apply(words.next, &[n]);
    let atoms = [store.mk_eq(next, n), store.mk_eq(next, m), here, store.mk_eq(n, m)];
    let (freedom, _) = free(&mut store, &atoms, &[(atoms[3], false)]).expect("satisfiable");
    // What is applied to stays; where `next` leads is one, the other, or neither.
    assert!(!is_free(&freedom, atoms[3]));
    assert_eq!(options(&freedom, &atoms[..2]), [[false, false], [false, true], [true, false]]);
}

#[test]
fn entries_at_equal_places_are_one() {
    let mut store = TermStore::new();
    let words = Words::new(&mut store);
    let [n, m] = words.nodes[..] else { unreachable!() };
    let marks = [n, m].map(|node| store.mk_apply(words.mark, &[node]));
    let same = store.mk_eq(n, m);
    let atoms = [marks[0], marks[1], same];
    let (freedom, _) = free(&mut store, &atoms, &[(same, true)]).expect("satisfiable");
    assert_eq!(options(&freedom, &marks), [[false, false], [true, true]]);
    assert!(!is_free(&freedom, same));
    let (freedom, _) = free(&mut store, &atoms, &[(same, false)]).expect("satisfiable");
    assert_eq!(freedom.choices.len(), 2);
    assert!(!is_free(&freedom, same));
}

#[test]
fn what_is_an_argument_stays() {
    // `next[n]` is where `mark` is looked at, so that `next[n] = m` is fixed; `mark` there is not.
    let mut store = TermStore::new();
    let words = Words::new(&mut store);
    let [n, m] = words.nodes[..] else { unreachable!() };
    let next = store.mk_apply(words.next, &[n]);
    let atoms = [store.mk_eq(next, m), store.mk_apply(words.mark, &[next]), store.mk_apply(words.mark, &[m])];
    for value in [false, true] {
        let (freedom, _) = free(&mut store, &atoms, &[(atoms[0], value)]).expect("satisfiable");
        assert!(!is_free(&freedom, atoms[0]));
        assert_eq!(freedom.choices.len(), if value { 1 } else { 2 });
    }
}

#[test]
fn sums_of_two_stay() {
    let mut store = TermStore::new();
    let words = Words::new(&mut store);
    let [x, y, z] = words.numbers[..] else { unreachable!() };
    let sum = store.mk_add([x, y]);
    let atoms = [store.mk_lt(sum, z), store.mk_lt(x, y)];
    let (freedom, _) = free(&mut store, &atoms, &[]).expect("satisfiable");
    assert!(freedom.choices.is_empty());
}
