//! Sets of valuations of numbered Boolean variables, as binary decision diagrams with complemented edges.
//!
//! A [`Space`] owns the diagrams; a [`Set`] is one of them, and two sets of one space are equal exactly when they are
//! the same diagram, so a fixpoint is found by comparing pointers. Variable numbers are positions in the order of the
//! diagrams, which is never changed: results do not depend on how a set was built.
//!
//! The memory of a space is reserved when it is made and used only as it is needed, because diagrams cannot move from
//! one manager to another. It has room for [`CAPACITY`] nodes in use at once; beyond that it panics, which is better
//! than any answer about a set that could not be built. A [`forgiving`](Space::forgiving) space says that it is overfull
//! instead.

// A set is hashed and compared by its pointer, which nothing inside the diagrams' manager can change.
#![allow(clippy::mutable_key_type)]

use std::fmt;
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel, Manager,
    ManagerRef, Node, Subst, VarNo,
};
use rustc_hash::FxHashMap;

/// How many nodes may be in use at once, over all sets of a space.
pub const CAPACITY: usize = 1 << 24;

/// Entries of the cache of operations. Small, because it is cleared when a space is made, and tests make many.
const CACHE_ENTRIES: usize = 1 << 16;

/// The same for spaces that much is computed in.
const LARGE_CACHE_ENTRIES: usize = 1 << 20;

/// Below this number of nodes no garbage is looked for.
const MIN_NODES_TO_COLLECT: usize = 1 << 20;

/// A conjunction of literals: variables, in ascending order, and their values.
pub type Cube = Vec<(usize, bool)>;

/// Where sets live: a number of Boolean variables, and the diagrams over them. Clones are the same space.
#[derive(Clone)]
pub struct Space {
    inner: Arc<Inner>,
}

/// What the clones of a space share.
struct Inner {
    manager: BCDDManagerRef,
    /// The number of nodes from which on garbage is collected next.
    collect_at: AtomicUsize,
    is_forgiving: bool,
    is_overfull: AtomicBool,
}

impl Space {
    /// A space with variables `0..vars`.
    pub fn new(vars: usize) -> Space {
        Space::with_room(vars, CAPACITY, CACHE_ENTRIES, false)
    }

    /// The same for long computations.
    pub fn large(vars: usize) -> Space {
        Space::with_room(vars, CAPACITY, LARGE_CACHE_ENTRIES, false)
    }

    /// A space, perhaps for long computations, that does not panic where there is no room for a set: the empty set stands for it, and
    /// the space is overfull from then on. Nothing that is found in an overfull space counts.
    pub fn forgiving(vars: usize, is_large: bool) -> Space {
        Space::with_room(vars, CAPACITY, if is_large { LARGE_CACHE_ENTRIES } else { CACHE_ENTRIES }, true)
    }

    fn with_room(vars: usize, capacity: usize, cache: usize, is_forgiving: bool) -> Space {
        let manager = oxidd::bcdd::new_manager(capacity, cache, 1);
        let collect_at = AtomicUsize::new(MIN_NODES_TO_COLLECT);
        let is_overfull = AtomicBool::new(false);
        let space = Space { inner: Arc::new(Inner { manager, collect_at, is_forgiving, is_overfull }) };
        space.add_vars(vars);
        space
    }

    /// Was there no room for a set? Then what was found about any set of the space is void.
    pub fn is_overfull(&self) -> bool {
        self.inner.is_overfull.load(Ordering::Relaxed)
    }

    /// Adds variables behind the others; sets made before do not depend on them.
    pub fn add_vars(&self, count: usize) {
        let count = VarNo::try_from(count).expect("invariant: variables are numbered with 32 bits");
        self.inner.manager.with_manager_exclusive(|manager| manager.add_vars(count));
    }

    pub fn vars(&self) -> usize {
        self.inner.manager.with_manager_shared(|manager| manager.num_vars() as usize)
    }

    pub fn empty(&self) -> Set {
        self.set(self.inner.manager.with_manager_shared(|manager| BCDDFunction::f(manager)))
    }

    pub fn full(&self) -> Set {
        self.set(self.inner.manager.with_manager_shared(|manager| BCDDFunction::t(manager)))
    }

    /// The valuations that give this variable this value.
    pub fn literal(&self, var: usize, value: bool) -> Set {
        let var = number(var);
        self.checked(self.inner.manager.with_manager_shared(|manager| match value {
            true => BCDDFunction::var(manager, var),
            false => BCDDFunction::not_var(manager, var),
        }))
    }

    /// The valuations that satisfy all of these literals.
    pub fn cube(&self, literals: &[(usize, bool)]) -> Set {
        let mut sorted = literals.to_vec();
        sorted.sort_unstable();
        // From the last variable to the first, every step adds one node on top.
        sorted.iter().rev().fold(self.full(), |cube, &(var, value)| self.literal(var, value).intersect(&cube))
    }

    /// The valuations that give the first variables these values.
    pub fn valuation(&self, values: &[bool]) -> Set {
        let literals: Cube = values.iter().copied().enumerate().collect();
        self.cube(&literals)
    }

    fn set(&self, function: BCDDFunction) -> Set {
        Set { space: self.clone(), function }
    }

    /// The result of an operation. Between operations no diagram is under construction, so this is the place to
    /// collect garbage; each collection doubles the bound for the next, so that its cost stays proportional.
    fn checked(&self, result: AllocResult<BCDDFunction>) -> Set {
        if result.is_err() && self.inner.is_forgiving {
            self.inner.is_overfull.store(true, Ordering::Relaxed);
            return self.empty();
        }
        let set = self.set(result.expect("a set of valuations needs more nodes than there is room for"));
        let bound = self.inner.collect_at.load(Ordering::Relaxed);
        self.inner.manager.with_manager_shared(|manager| {
            if manager.approx_num_inner_nodes() >= bound {
                manager.gc();
                let next = MIN_NODES_TO_COLLECT.max(2 * manager.num_inner_nodes());
                self.inner.collect_at.store(next, Ordering::Relaxed);
            }
        });
        set
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Space({} variables)", self.vars())
    }
}

/// The number of a variable, as the diagrams have it.
fn number(var: usize) -> VarNo {
    VarNo::try_from(var).expect("invariant: variables are numbered with 32 bits")
}

/// A set of valuations. Sets of different spaces are never equal, and may not be combined.
#[derive(Clone)]
pub struct Set {
    space: Space,
    function: BCDDFunction,
}

impl PartialEq for Set {
    fn eq(&self, other: &Set) -> bool {
        self.function == other.function
    }
}

impl Eq for Set {}

impl Hash for Set {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", cover(self, self))
    }
}

impl Set {
    pub fn space(&self) -> &Space {
        &self.space
    }

    pub fn union(&self, other: &Set) -> Set {
        self.space.checked(self.function.or(&other.function))
    }

    pub fn intersect(&self, other: &Set) -> Set {
        self.space.checked(self.function.and(&other.function))
    }

    pub fn minus(&self, other: &Set) -> Set {
        self.intersect(&other.complement())
    }

    pub fn complement(&self) -> Set {
        self.space.checked(self.function.not())
    }

    /// `then` where this set is, and `other` elsewhere.
    pub fn ite(&self, then: &Set, other: &Set) -> Set {
        self.space.checked(self.function.ite(&then.function, &other.function))
    }

    pub fn implies(&self, other: &Set) -> bool {
        self.minus(other).is_empty()
    }

    pub fn is_empty(&self) -> bool {
        !self.function.satisfiable()
    }

    pub fn is_full(&self) -> bool {
        self.function.valid()
    }

    /// Is the valuation that gives each variable this value in it?
    pub fn contains(&self, values: impl Fn(usize) -> bool) -> bool {
        let mut set = self.clone();
        while let Some((var, (low, high))) = set.split() {
            set = if values(var) { high } else { low };
        }
        set.is_full()
    }

    /// The valuations from which one gets into the set by changing these variables only.
    pub fn exists(&self, vars: &[usize]) -> Set {
        let cube: Cube = vars.iter().map(|&var| (var, true)).collect();
        self.space.checked(self.function.exists(&self.space.cube(&cube).function))
    }

    /// The valuations from which one gets into both sets by changing these variables only; without building what is in
    /// both, which can be much larger.
    pub fn intersect_exists(&self, other: &Set, vars: &[usize]) -> Set {
        let cube: Cube = vars.iter().map(|&var| (var, true)).collect();
        let vars = self.space.cube(&cube);
        self.space.checked(self.function.apply_exists(BooleanOperator::And, &other.function, &vars.function))
    }

    /// The valuations that are in the set once this variable is given this value.
    pub fn cofactor(&self, var: usize, value: bool) -> Set {
        self.space.checked(self.function.restrict(&self.space.literal(var, value).function))
    }

    /// The valuations that are in the set once the variables of this cube are given its values.
    pub fn restrict(&self, cube: &Set) -> Set {
        self.space.checked(self.function.restrict(&cube.function))
    }

    /// The valuations that are in the set once each of these variables is given the value that tells whether the
    /// valuation is in its set; all at once.
    pub fn substitute(&self, pairs: &[(usize, Set)]) -> Set {
        let (vars, sets): (Vec<VarNo>, Vec<BCDDFunction>) =
            pairs.iter().map(|(var, set)| (number(*var), set.function.clone())).unzip();
        self.space.checked(self.function.substitute(&Subst::new(vars, sets)))
    }

    /// A cube within the set, or none if it is empty. Always the same one, with values false where possible.
    pub fn pick(&self) -> Option<Cube> {
        let (mut set, mut cube) = (self.clone(), Cube::new());
        while let Some((var, (low, high))) = set.split() {
            let value = low.is_empty();
            cube.push((var, value));
            set = if value { high } else { low };
        }
        set.is_full().then_some(cube)
    }

    /// How many valuations of these variables are in the set, which may not depend on any others. The greatest number
    /// stands for everything above it.
    pub fn count(&self, vars: &[usize]) -> u128 {
        let mut vars = vars.to_vec();
        vars.sort_unstable();
        vars.dedup();
        count_from(self, 0, &vars, &mut FxHashMap::default())
    }

    /// Every valuation of these variables that is in the set, which may not depend on any others: values in the order
    /// of `vars`, in lexicographic order.
    pub fn valuations(&self, vars: &[usize]) -> impl Iterator<Item = Vec<bool>> + use<> {
        let vars = vars.to_vec();
        let mut open = vec![(self.clone(), Vec::new())];
        std::iter::from_fn(move || {
            while let Some((set, values)) = open.pop() {
                if set.is_empty() {
                    continue;
                }
                let Some(&var) = vars.get(values.len()) else {
                    assert!(set.is_full(), "invariant: the set depends on the given variables only");
                    return Some(values);
                };
                for value in [true, false] {
                    let values = values.iter().copied().chain([value]).collect();
                    open.push((set.cofactor(var, value), values));
                }
            }
            None
        })
    }

    pub fn nodes(&self) -> usize {
        self.function.node_count()
    }

    /// The variables that it depends on, in ascending order.
    pub fn support(&self) -> Vec<usize> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut vars = std::collections::BTreeSet::new();
        let mut open = vec![self.clone()];
        while let Some(set) = open.pop() {
            if !seen.insert(set.clone()) {
                continue;
            }
            if let Some((var, (low, high))) = set.split() {
                vars.insert(var);
                open.extend([low, high]);
            }
        }
        vars.into_iter().collect()
    }

    /// The first variable it depends on, with what is left if that is false and if it is true; `None` for the empty
    /// and the full set.
    fn split(&self) -> Option<(usize, (Set, Set))> {
        let var = self.top()?;
        let (high, low) = self.function.cofactors()?;
        Some((var, (self.space.set(low), self.space.set(high))))
    }

    /// The first variable it depends on.
    fn top(&self) -> Option<usize> {
        self.function.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) => Some(manager.level_to_var(node.level()) as usize),
            Node::Terminal(_) => None,
        })
    }

    /// What is left of it if this variable, before which it depends on none, is false and if it is true.
    fn split_at(&self, var: usize) -> (Set, Set) {
        match self.split() {
            Some((top, parts)) if top == var => parts,
            _ => (self.clone(), self.clone()),
        }
    }
}

/// The number of valuations of `vars[position..]` in a set that depends on these only.
fn count_from(set: &Set, position: usize, vars: &[usize], known: &mut FxHashMap<Set, u128>) -> u128 {
    if set.is_empty() {
        return 0;
    }
    let top = match set.top() {
        None => vars.len(),
        Some(var) => {
            vars.binary_search(&var).expect("invariant: the set depends on the given variables only")
        }
    };
    let free = u32::try_from(top - position).expect("invariant: variables are numbered with 32 bits");
    let below = match known.get(set) {
        Some(&below) => below,
        None => {
            let below = set.split().map_or(1, |(_, (low, high))| {
                let low = count_from(&low, top + 1, vars, known);
                low.saturating_add(count_from(&high, top + 1, vars, known))
            });
            known.insert(set.clone(), below);
            below
        }
    };
    below.saturating_mul(2u128.saturating_pow(free))
}

/// An irredundant sum of products (Minato and Morreale): cubes whose union lies between the two sets, such that none
/// can be left out. Always the same for the same sets.
pub fn cover(lower: &Set, upper: &Set) -> Vec<Cube> {
    cover_within(lower, upper, usize::MAX).expect("invariant: there is no limit")
}

/// The same; `None` if it has more cubes than this, or a part of it that was computed on the way.
pub fn cover_within(lower: &Set, upper: &Set, limit: usize) -> Option<Vec<Cube>> {
    assert!(lower.implies(upper), "invariant: there is something between the two sets");
    let mut cubes = sum(lower, upper, limit, &mut FxHashMap::default())?.cubes.clone();
    for cube in &mut cubes {
        cube.reverse();
    }
    Some(cubes)
}

/// A sum of products and the set it is. Cubes are in descending order, so that a literal on top is a push.
struct Sum {
    cubes: Vec<Cube>,
    set: Set,
}

/// The sums that have been computed, by the two sets they lie between.
type Sums = FxHashMap<(Set, Set), Rc<Sum>>;

/// A sum between two sets; the recursion is as deep as there are variables.
fn sum(lower: &Set, upper: &Set, limit: usize, known: &mut Sums) -> Option<Rc<Sum>> {
    if lower.is_empty() {
        return Some(Rc::new(Sum { cubes: Vec::new(), set: lower.clone() }));
    }
    if upper.is_full() {
        return Some(Rc::new(Sum { cubes: vec![Cube::new()], set: upper.clone() }));
    }
    let key = (lower.clone(), upper.clone());
    if let Some(sum) = known.get(&key) {
        return Some(sum.clone());
    }
    let result = Rc::new(split_sum(lower, upper, limit, known)?);
    known.insert(key, result.clone());
    Some(result)
}

/// The cubes that must say that the first variable is false, those that must say it is true, and those that need not
/// mention it: they cover what the former two leave over.
fn split_sum(lower: &Set, upper: &Set, limit: usize, known: &mut Sums) -> Option<Sum> {
    let var = [lower.top(), upper.top()].into_iter().flatten().min();
    let var = var.expect("invariant: not both sets are constant, as neither bound decides");
    let ((lower0, lower1), (upper0, upper1)) = (lower.split_at(var), upper.split_at(var));
    let only0 = sum(&lower0.minus(&upper1), &upper0, limit, known)?;
    let only1 = sum(&lower1.minus(&upper0), &upper1, limit, known)?;
    let rest = lower0.minus(&only0.set).union(&lower1.minus(&only1.set));
    let both = sum(&rest, &upper0.intersect(&upper1), limit, known)?;
    let with = |sum: &Sum, value: bool| -> Vec<Cube> {
        sum.cubes.iter().map(|cube| cube.iter().copied().chain([(var, value)]).collect()).collect()
    };
    let mut cubes = with(&only0, false);
    cubes.extend(with(&only1, true));
    cubes.extend(both.cubes.iter().cloned());
    if cubes.len() > limit {
        return None;
    }
    let set = lower.space.literal(var, true).ite(&only1.set, &only0.set).union(&both.set);
    Some(Sum { cubes, set })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn garbage_is_collected_and_sets_survive_it() {
        let vars: Vec<usize> = (0..20).collect();
        let space = Space::new(vars.len());
        let kept = space.cube(&[(3, true), (5, false)]).union(&space.literal(7, true));
        let mut random = tenet_chance::Random::new(1);
        let mut growing = space.empty();
        while space.inner.manager.with_manager_shared(|manager| manager.gc_count()) == 0 {
            let bits = random.number();
            let values: Vec<bool> = vars.iter().map(|var| bits >> var & 1 == 1).collect();
            growing = growing.union(&space.valuation(&values));
        }
        let in_use = space.inner.manager.with_manager_shared(|manager| manager.num_inner_nodes());
        assert!(in_use < MIN_NODES_TO_COLLECT, "{in_use} nodes are left");
        assert_eq!(kept.count(&vars), (1 << 20) * 5 / 8);
        assert_eq!(kept, space.literal(7, true).union(&space.cube(&[(5, false), (3, true)])));
        assert_eq!(growing.valuations(&vars).count() as u128, growing.count(&vars));
    }

    /// The carry of a sum whose operands lie one behind the other in the order: twice as many nodes for each bit.
    fn carry(space: &Space, bits: usize) -> Set {
        (0..bits).fold(space.empty(), |carry, bit| {
            let (a, b) = (space.literal(bit, true), space.literal(bits + bit, true));
            a.intersect(&b).union(&a.union(&b).intersect(&carry))
        })
    }

    #[test]
    fn a_forgiving_space_says_that_it_is_overfull() {
        let space = Space::with_room(40, 1 << 12, CACHE_ENTRIES, true);
        assert!(!carry(&space, 5).is_empty() && !space.is_overfull());
        carry(&space, 20);
        assert!(space.is_overfull());
        // It stays so, and so it is for all who share the space.
        assert!(!space.full().is_empty() && space.clone().is_overfull());
    }
}
