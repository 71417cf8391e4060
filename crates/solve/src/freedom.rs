//! Don't cares of a model: which atoms may take other values while everything else stays as it is.
//!
//! Enumerating solutions one by one is hopeless where most of them differ in things that do not matter to each other
//! (QI-T10): an array entry that is compared with nothing but constants could be any of them. This
//! analysis finds such freedom in a model. A *leaf* is a symbol or an application of one; two applications of the same
//! function at equal arguments are the same leaf. A leaf that is not used as an argument can change its value without
//! changing what other leaves there are, so only the atoms it occurs in are affected:
//!
//! * a Boolean leaf is an atom itself and may be true or false;
//! * a leaf of an infinite sort that occurs in only one atom can make that atom true or false, whatever the other side
//!   is; the atom is then out of the way, which may leave another leaf with only one (*peeling*);
//! * any other leaf, once everything it is compared with is held fixed, can take one of finitely many values that
//!   matter: those it is compared with, their neighbours, and one that differs from all.
//!
//! Every combination of the options found is realised by some model, so what is derived from them is exact. The converse
//! does not hold, and need not: what is missed is found from another model.

use std::collections::BTreeSet;
use std::hash::Hash;

use indexmap::IndexMap;
use num_bigint::BigInt;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore, Value};

/// What may vary, as independent choices; all other atoms are as in the model.
#[derive(Clone, Debug, Default)]
pub struct Freedom {
    /// The choices. Each has at least two options; an option says the truth of each atom of the choice.
    pub choices: Vec<Choice>,
    places: FxHashMap<TermId, (usize, usize)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The options: truth values, one for each column.
    pub options: Vec<Vec<bool>>,
}

impl Freedom {
    /// The choice that decides an atom, and the column in its options; `None` if the atom is as in the model.
    pub fn place(&self, atom: TermId) -> Option<(usize, usize)> {
        self.places.get(&atom).copied()
    }

    /// Leaves everything as in the model but the choices that decide one of these atoms.
    pub fn keep_only(&mut self, atoms: impl IntoIterator<Item = TermId>) {
        let kept: BTreeSet<usize> =
            atoms.into_iter().filter_map(|atom| self.place(atom)).map(|(choice, _)| choice).collect();
        let numbers: FxHashMap<usize, usize> = kept.iter().copied().zip(0..).collect();
        self.choices = kept.iter().map(|&choice| self.choices[choice].clone()).collect();
        self.places.retain(|_, (choice, _)| match numbers.get(choice) {
            Some(&number) => {
                *choice = number;
                true
            }
            None => false,
        });
    }
}

/// The freedom of a model that gives these atoms and their subterms these values; where a value is missing nothing is
/// free. The atoms must be all that are asked about, except for what speaks only of symbols that are held: these are
/// as in the model, wherever they occur.
pub fn freedom(
    store: &TermStore,
    atoms: &[TermId],
    held: &FxHashSet<SymbolId>,
    values: &FxHashMap<TermId, Value>,
) -> Freedom {
    let mut analysis = Analysis::new(store, values);
    analysis.find_leaves(atoms);
    analysis.pin_held(held);
    analysis.pin_arguments(atoms);
    while analysis.pin_complex(atoms) {}
    analysis.classify(atoms);
    analysis.free_booleans();
    analysis.peel();
    analysis.vary();
    analysis.freedom
}

/// A comparison after leaves are identified.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Comparison {
    kind: Kind,
    left: Side,
    right: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Equal,
    Less,
    AtMost,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Side {
    Fixed(Value),
    /// A leaf plus a number (zero unless it is an integer).
    Leaf(usize, BigInt),
}

/// A leaf: everything that is one symbol, or one function at one place.
#[derive(Clone, Debug)]
struct Leaf {
    sort: SortId,
    value: Value,
    /// Must stay as it is.
    pinned: bool,
    free: bool,
    /// Boolean atoms that are this leaf.
    atoms: Vec<TermId>,
    /// Positions of the comparisons it occurs in.
    comparisons: Vec<usize>,
}

struct Analysis<'a> {
    store: &'a TermStore,
    values: &'a FxHashMap<TermId, Value>,
    leaves: Vec<Leaf>,
    leaf_of: FxHashMap<TermId, usize>,
    /// Each comparison with the atoms that say it; taken away once it is decided by a choice.
    comparisons: IndexMap<Comparison, Vec<TermId>, FxBuildHasher>,
    decided: Vec<bool>,
    freedom: Freedom,
}

impl<'a> Analysis<'a> {
    fn new(store: &'a TermStore, values: &'a FxHashMap<TermId, Value>) -> Analysis<'a> {
        Analysis {
            store,
            values,
            leaves: Vec::new(),
            leaf_of: FxHashMap::default(),
            comparisons: IndexMap::default(),
            decided: Vec::new(),
            freedom: Freedom::default(),
        }
    }

    /// Numbers the leaves below some atoms. A term without a value, or with an argument without one, is no leaf.
    fn find_leaves(&mut self, atoms: &[TermId]) {
        let mut known: FxHashMap<(TermId, Vec<&Value>), usize> = FxHashMap::default();
        for term in self.store.subterms_of_all(atoms.iter().copied()) {
            let (head, args) = match (self.store.op(term), self.store.args(term)) {
                (Op::Symbol(_), _) => (term, &[][..]),
                (Op::Apply, [head, args @ ..]) => (*head, args),
                _ => continue,
            };
            if matches!(self.store.sort(self.store.sort_of(term)), Sort::Function { .. }) {
                continue;
            }
            let place: Option<Vec<&Value>> = args.iter().map(|arg| self.values.get(arg)).collect();
            let (Some(place), Some(value)) = (place, self.values.get(&term)) else { continue };
            let next = self.leaves.len();
            let leaf = *known.entry((head, place)).or_insert(next);
            if leaf == next {
                self.leaves.push(Leaf {
                    sort: self.store.sort_of(term),
                    value: value.clone(),
                    pinned: false,
                    free: false,
                    atoms: Vec::new(),
                    comparisons: Vec::new(),
                });
            }
            self.leaf_of.insert(term, leaf);
        }
    }

    /// What is held stays as it is, and every place of a function that is held.
    fn pin_held(&mut self, held: &FxHashSet<SymbolId>) {
        for (&term, &leaf) in &self.leaf_of {
            let head = if *self.store.op(term) == Op::Apply { self.store.args(term)[0] } else { term };
            let symbols = self.store.free_symbols(head);
            self.leaves[leaf].pinned |= symbols.iter().any(|symbol| held.contains(symbol));
        }
    }

    /// Leaves in arguments decide which leaves there are.
    fn pin_arguments(&mut self, atoms: &[TermId]) {
        let subterms = self.store.subterms_of_all(atoms.iter().copied());
        let applications = subterms.into_iter().filter(|&term| *self.store.op(term) == Op::Apply);
        let args: Vec<TermId> =
            applications.flat_map(|term| self.store.args(term)[1..].iter().copied()).collect();
        self.pin_below(&args);
    }

    /// Leaves in atoms that are more than a comparison of leaves stay as they are. Says whether that changed anything.
    fn pin_complex(&mut self, atoms: &[TermId]) -> bool {
        let complex: Vec<TermId> = atoms
            .iter()
            .copied()
            .filter(|&atom| !self.leaf_of.contains_key(&atom) && self.comparison(atom).is_none())
            .collect();
        self.pin_below(&complex)
    }

    fn pin_below(&mut self, terms: &[TermId]) -> bool {
        let mut changed = false;
        for term in self.store.subterms_of_all(terms.iter().copied()) {
            if let Some(&leaf) = self.leaf_of.get(&term) {
                changed |= !self.leaves[leaf].pinned;
                self.leaves[leaf].pinned = true;
            }
        }
        changed
    }

    fn comparison(&self, atom: TermId) -> Option<Comparison> {
        let kind = match self.store.op(atom) {
            Op::Eq => Kind::Equal,
            Op::Lt => Kind::Less,
            Op::Le => Kind::AtMost,
            _ => return None,
        };
        let args = self.store.args(atom);
        Some(Comparison { kind, left: self.side(args[0])?, right: self.side(args[1])? })
    }

    fn side(&self, term: TermId) -> Option<Side> {
        let fixed = || self.values.get(&term).cloned().map(Side::Fixed);
        if let Some(&leaf) = self.leaf_of.get(&term) {
            return if self.leaves[leaf].pinned {
                fixed()
            } else {
                Some(Side::Leaf(leaf, BigInt::default()))
            };
        }
        if !self.has_loose_leaf(term) {
            return fixed();
        }
        let (Op::Add, [a, b]) = (self.store.op(term), self.store.args(term)) else { return None };
        let (base, offset) = match (self.store.as_int(*a), self.store.as_int(*b)) {
            (Some(number), None) => (b, number),
            (None, Some(number)) => (a, number),
            _ => return None,
        };
        self.leaf_of.get(base).map(|&leaf| Side::Leaf(leaf, offset.clone()))
    }

    fn has_loose_leaf(&self, term: TermId) -> bool {
        self.store
            .subterms(term)
            .iter()
            .any(|sub| self.leaf_of.get(sub).is_some_and(|&leaf| !self.leaves[leaf].pinned))
    }

    /// Sorts the atoms: Boolean leaves, comparisons with a leaf that is not pinned, and the rest.
    fn classify(&mut self, atoms: &[TermId]) {
        for &atom in atoms {
            if let Some(&leaf) = self.leaf_of.get(&atom) {
                if !self.leaves[leaf].pinned {
                    self.leaves[leaf].atoms.push(atom);
                }
                continue;
            }
            let Some(comparison) = self.comparison(atom) else { continue };
            let leaves: Vec<usize> =
                [&comparison.left, &comparison.right].into_iter().filter_map(Side::leaf).collect();
            if leaves.is_empty() || (leaves.len() == 2 && leaves[0] == leaves[1]) {
                continue;
            }
            let entry = self.comparisons.entry(comparison);
            let position = entry.index();
            let said_by = entry.or_default();
            if said_by.is_empty() {
                for leaf in leaves {
                    self.leaves[leaf].comparisons.push(position);
                }
            }
            said_by.push(atom);
        }
        self.decided = vec![false; self.comparisons.len()];
    }

    fn free_booleans(&mut self) {
        for number in 0..self.leaves.len() {
            let atoms = std::mem::take(&mut self.leaves[number].atoms);
            if !atoms.is_empty() {
                self.add_choice(vec![atoms], vec![vec![false], vec![true]]);
            }
        }
    }

    /// Frees comparisons that have a side which occurs nowhere else.
    fn peel(&mut self) {
        let mut queue: Vec<usize> = (0..self.leaves.len()).rev().collect();
        while let Some(number) = queue.pop() {
            if self.leaves[number].pinned || self.leaves[number].free || !self.is_infinite(number) {
                continue;
            }
            let mut open = self.open_comparisons(number);
            let (Some(only), None) = (open.next(), open.next()) else { continue };
            drop(open);
            self.leaves[number].free = true;
            queue.extend(self.other_leaf(only, number));
            let atoms = self.comparisons[only].clone();
            self.decided[only] = true;
            self.add_choice(vec![atoms], vec![vec![false], vec![true]]);
        }
    }

    fn is_infinite(&self, leaf: usize) -> bool {
        let sort = self.store.sort(self.leaves[leaf].sort);
        matches!(sort, Sort::Int | Sort::Range { .. } | Sort::Real | Sort::Index { .. })
    }

    fn open_comparisons(&self, leaf: usize) -> impl Iterator<Item = usize> {
        self.leaves[leaf].comparisons.iter().copied().filter(|&position| !self.decided[position])
    }

    fn other_leaf(&self, comparison: usize, leaf: usize) -> Option<usize> {
        let (comparison, _) = self.comparisons.get_index(comparison)?;
        let sides = [&comparison.left, &comparison.right];
        sides.into_iter().filter_map(Side::leaf).find(|&other| other != leaf)
    }

    /// Lets leaves take every value that matters, the ones they are compared with held fixed; those that are compared
    /// with fewest others first.
    fn vary(&mut self) {
        let mut order: Vec<(usize, usize)> = (0..self.leaves.len())
            .filter(|&leaf| !self.leaves[leaf].pinned && !self.leaves[leaf].free)
            .map(|leaf| {
                let open = self.open_comparisons(leaf);
                (open.filter(|&position| self.other_leaf(position, leaf).is_some()).count(), leaf)
            })
            .collect();
        order.sort_unstable();
        for (_, leaf) in order {
            if !self.leaves[leaf].pinned {
                self.vary_leaf(leaf);
            }
        }
    }

    fn vary_leaf(&mut self, leaf: usize) {
        let open: Vec<usize> = self.open_comparisons(leaf).collect();
        for &position in &open {
            if let Some(other) = self.other_leaf(position, leaf) {
                self.leaves[other].pinned = true;
            }
        }
        self.leaves[leaf].free = true;
        let mut options: Vec<Vec<bool>> = Vec::new();
        for value in self.values_that_matter(leaf, &open) {
            let truths = open.iter().map(|&position| self.truth(position, leaf, &value)).collect();
            if !options.contains(&truths) {
                options.push(truths);
            }
        }
        if options.len() < 2 {
            return;
        }
        let columns = open.iter().map(|&position| self.comparisons[position].clone()).collect();
        open.iter().for_each(|&position| self.decided[position] = true);
        self.add_choice(columns, options);
    }

    /// Values of a leaf, of which one stands for each way in which its comparisons can come out.
    fn values_that_matter(&self, leaf: usize, open: &[usize]) -> Vec<Value> {
        if let Sort::Enum { variants, .. } = self.store.sort(self.leaves[leaf].sort) {
            return (0..variants.len() as u32).map(Value::Enum).collect();
        }
        let mut values = vec![self.leaves[leaf].value.clone()];
        for &position in open {
            let (comparison, _) = self.comparisons.get_index(position).expect("invariant: it is known");
            let (own, other) = match &comparison.left {
                Side::Leaf(left, offset) if *left == leaf => (offset, &comparison.right),
                _ => match &comparison.right {
                    Side::Leaf(_, offset) => (offset, &comparison.left),
                    Side::Fixed(_) => continue,
                },
            };
            match self.side_value(other, None) {
                Value::Int(number) => {
                    let critical: BigInt = number - own;
                    values.extend([-1, 0, 1].map(|step| Value::Int(&critical + step)));
                }
                value => values.push(value),
            }
        }
        if matches!(self.store.sort(self.leaves[leaf].sort), Sort::Index { .. }) {
            values.push(Value::Index(u32::MAX)); // one that differs from all
        }
        values
    }

    fn truth(&self, comparison: usize, leaf: usize, value: &Value) -> bool {
        let (comparison, _) = self.comparisons.get_index(comparison).expect("invariant: it is known");
        let left = self.side_value(&comparison.left, Some((leaf, value)));
        let right = self.side_value(&comparison.right, Some((leaf, value)));
        match comparison.kind {
            Kind::Equal => left == right,
            Kind::Less => left < right,
            Kind::AtMost => left <= right,
        }
    }

    /// The value of a side in the model, with one leaf changed.
    fn side_value(&self, side: &Side, changed: Option<(usize, &Value)>) -> Value {
        let (leaf, offset) = match side {
            Side::Fixed(value) => return value.clone(),
            Side::Leaf(leaf, offset) => (*leaf, offset),
        };
        let value = match changed {
            Some((changed, value)) if changed == leaf => value,
            _ => &self.leaves[leaf].value,
        };
        match value {
            Value::Int(number) => Value::Int(number + offset),
            value => value.clone(),
        }
    }

    fn add_choice(&mut self, columns: Vec<Vec<TermId>>, options: Vec<Vec<bool>>) {
        let choice = self.freedom.choices.len();
        self.freedom.choices.push(Choice { options });
        for (column, atoms) in columns.into_iter().enumerate() {
            self.freedom.places.extend(atoms.into_iter().map(|atom| (atom, (choice, column))));
        }
    }
}

impl Side {
    fn leaf(&self) -> Option<usize> {
        match self {
            Side::Leaf(leaf, _) => Some(*leaf),
            Side::Fixed(_) => None,
        }
    }
}
