//! Sets of valuations against truth tables: every operation on random sets of five variables is compared, valuation by
//! valuation, with the same operation on bits.

use proptest::prelude::*;
use tenet_abstraction::set::{Set, Space, cover};

const VARS: usize = 5;
const ROWS: usize = 1 << VARS;
const ALL: [usize; VARS] = [0, 1, 2, 3, 4];

/// One bit for each valuation; variable number `v` is bit `v` of the position.
type Table = u32;

fn value(row: usize, var: usize) -> bool {
    row >> var & 1 == 1
}

fn table(rule: impl Fn(usize) -> bool) -> Table {
    (0..ROWS).filter(|&row| rule(row)).fold(0, |table, row| table | 1 << row)
}

fn has(table: Table, row: usize) -> bool {
    table >> row & 1 == 1
}

fn to_set(space: &Space, bits: Table) -> Set {
    let rows = (0..ROWS).filter(|&row| has(bits, row));
    rows.fold(space.empty(), |set, row| {
        let values: Vec<bool> = (0..VARS).map(|var| value(row, var)).collect();
        set.union(&space.valuation(&values))
    })
}

fn to_table(set: &Set) -> Table {
    table(|row| set.contains(|var| value(row, var)))
}

/// Sets of all densities, not only those that contain half of everything.
fn tables() -> impl Strategy<Value = Table> {
    (any::<u32>(), any::<u32>(), 0..4u8).prop_map(|(a, b, kind)| match kind {
        0 => a & b,
        1 => a | b,
        2 => a,
        _ => a & b & b.rotate_left(7) & a.rotate_left(3),
    })
}

proptest! {
    #![proptest_config(tenet_chance::cases(256))]

    #[test]
    fn operations_are_those_on_truth_tables(a in tables(), b in tables(), c in tables()) {
        let space = Space::new(VARS);
        let [sa, sb, sc] = [a, b, c].map(|bits| to_set(&space, bits));
        prop_assert_eq!(to_table(&sa), a);
        prop_assert_eq!(to_table(&sa.union(&sb)), a | b);
        prop_assert_eq!(to_table(&sa.intersect(&sb)), a & b);
        prop_assert_eq!(to_table(&sa.minus(&sb)), a & !b);
        prop_assert_eq!(to_table(&sa.complement()), !a);
        prop_assert_eq!(to_table(&sa.ite(&sb, &sc)), (a & b) | (!a & c));
        prop_assert_eq!(sa.implies(&sb), a & !b == 0);
        prop_assert_eq!(sa.is_empty(), a == 0);
        prop_assert_eq!(sa.is_full(), a == u32::MAX);
        prop_assert_eq!(sa == sb, a == b);
        prop_assert_eq!(&sa.minus(&sb).union(&sa.intersect(&sb)), &sa);
        prop_assert_eq!(sa.count(&ALL), u128::from(a.count_ones()));
    }

    #[test]
    fn variables_are_projected_fixed_and_replaced(
        a in tables(), b in tables(), c in tables(), var in 0..VARS, other in 0..VARS, to in any::<bool>(),
    ) {
        let space = Space::new(VARS);
        let [sa, sb, sc] = [a, b, c].map(|bits| to_set(&space, bits));
        let fix = |row: usize, var: usize, to: bool| row & !(1 << var) | usize::from(to) << var;
        prop_assert_eq!(to_table(&sa.cofactor(var, to)), table(|row| has(a, fix(row, var, to))));
        let some = |row: usize| [false, true].into_iter().any(|x| {
            [false, true].into_iter().any(|y| has(a, fix(fix(row, var, x), other, y)))
        });
        prop_assert_eq!(to_table(&sa.exists(&[var, other])), table(some));
        if var != other {
            let both = |row: usize| has(a, fix(fix(row, var, has(b, row)), other, has(c, row)));
            prop_assert_eq!(to_table(&sa.substitute(&[(var, sb), (other, sc)])), table(both));
        }
        let depends = |var: usize| (0..ROWS).any(|row| has(a, row) != has(a, row ^ (1 << var)));
        prop_assert_eq!(sa.support(), (0..VARS).filter(|&var| depends(var)).collect::<Vec<_>>());
    }

    #[test]
    fn members_are_listed_in_order_and_picked_from_within(a in tables()) {
        let space = Space::new(VARS);
        let set = to_set(&space, a);
        let listed: Vec<Vec<bool>> = set.valuations(&ALL).collect();
        prop_assert!(listed.is_sorted());
        prop_assert_eq!(listed.len(), a.count_ones() as usize);
        prop_assert!(listed.iter().all(|values| set.contains(|var| values[var])));
        match set.pick() {
            None => prop_assert_eq!(a, 0),
            Some(cube) => prop_assert!(space.cube(&cube).implies(&set) && a != 0),
        }
    }

    #[test]
    fn covers_lie_between_and_are_irredundant(a in tables(), b in tables()) {
        let space = Space::new(VARS);
        let (lower, upper) = (to_set(&space, a & b), to_set(&space, a | b));
        let cubes = cover(&lower, &upper);
        let union = |skip: Option<usize>| {
            let kept = cubes.iter().enumerate().filter(|&(place, _)| Some(place) != skip);
            kept.fold(space.empty(), |set, (_, cube)| set.union(&space.cube(cube)))
        };
        prop_assert!(lower.implies(&union(None)));
        prop_assert!(union(None).implies(&upper));
        for place in 0..cubes.len() {
            prop_assert!(!lower.implies(&union(Some(place))), "cube {place} of {cubes:?} is not needed");
        }
        prop_assert!(cubes.iter().all(|cube| cube.is_sorted_by(|one, next| one.0 < next.0)));
    }
}

#[test]
fn variables_can_be_added_without_changing_sets() {
    let space = Space::new(1);
    let old = space.literal(0, true);
    space.add_vars(2);
    assert_eq!(space.vars(), 3);
    assert_eq!(old, space.literal(0, true));
    assert_eq!(old.count(&[0, 1, 2]), 4);
    assert_eq!(old.intersect(&space.literal(2, false)).support(), [0, 2]);
}

#[test]
fn counts_are_exact_up_to_128_variables_and_then_stay_at_the_top() {
    let space = Space::new(130);
    let vars: Vec<usize> = (0..130).collect();
    let parity = vars[..127].iter().fold(space.empty(), |set, &var| {
        let literal = space.literal(var, true);
        set.ite(&literal.complement(), &literal)
    });
    assert_eq!(parity.count(&vars[..127]), 1 << 126);
    assert_eq!(parity.count(&vars[..128]), 1 << 127);
    assert_eq!(space.full().count(&vars[..127]), 1 << 127);
    assert_eq!(space.full().minus(&space.cube(&[(0, true)])).count(&vars[..128]), 1 << 127);
    assert_eq!(space.full().minus(&space.valuation(&[true; 128])).count(&vars[..128]), u128::MAX);
    assert_eq!(space.full().count(&vars), u128::MAX);
}
