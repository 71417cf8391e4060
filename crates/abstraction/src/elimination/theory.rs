//! Atoms as Boolean functions: uninterpreted functions, enumerations, equality, and differences of integers.
//!
//! Every application of a function is a value of its own, and two of them are the same where their arguments are. A value of an
//! enumeration is a few bits. Everything else is compared with `=` or with `<=` up to a constant; values that are never compared with
//! each other have nothing to do with each other, and where only equality counts, equality is all that is encoded.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tenet_term::{Op, Sort, SymbolId, TermId, TermStore};

use super::difference::Differences;
use super::equality::Equalities;
use crate::set::{Set, Space};

/// A value that is compared: position zero is the number zero.
pub type Place = usize;

/// What an atom says.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Const(bool),
    /// A truth value that is a variable of its own.
    Truth(TermId),
    /// Two truth values are the same.
    SameTruth(TermId, TermId),
    /// Two values of an enumeration are the same.
    SameEnum(TermId, TermId),
    /// The first minus the second is this number.
    Same(Place, Place, i64),
    /// The first minus the second is at most this number.
    AtMost(Place, Place, i64),
}

/// The encoding of some atoms.
pub struct Theory {
    pub space: Space,
    shapes: FxHashMap<TermId, Shape>,
    /// That applications of the same function to the same arguments are the same: what is to be shown of the arguments, and of the
    /// values.
    consistency: Vec<(Vec<Shape>, Shape)>,
    /// The variables of each value of an enumeration, or its constant bits.
    bits: FxHashMap<TermId, Vec<Set>>,
    /// Values of enumerations beyond the last.
    outside: Vec<Set>,
    widths: FxHashMap<TermId, (usize, u32)>,
    constants: FxHashMap<TermId, u32>,
    truths: FxHashMap<TermId, Set>,
    /// Whether more than equality counts, by place.
    is_ordered: Vec<bool>,
    differences: Differences,
    equalities: Equalities,
}

impl Theory {
    /// Looks at all atoms, or says which has no encoding.
    pub fn new(store: &TermStore, atoms: &[TermId]) -> Result<Theory, String> {
        let mut reader = Reader { store, places: IndexMap::default() };
        reader.places.insert(None, ());
        let mut shapes = FxHashMap::default();
        for &atom in atoms {
            shapes.insert(atom, reader.atom(atom)?);
        }
        let consistency = reader.consistency(atoms)?;
        let compared = consistency.iter().flat_map(|(args, value)| args.iter().chain([value]));
        let is_ordered = ordered(reader.places.len(), shapes.values().chain(compared));
        let (mut widths, mut constants) = (FxHashMap::default(), FxHashMap::default());
        for term in store.subterms_of_all(atoms.iter().copied()) {
            if let Sort::Enum { variants, .. } = store.sort(store.sort_of(term)) {
                let width = variants.len().next_power_of_two().trailing_zeros() as usize;
                widths.insert(term, (width, variants.len() as u32));
                if let Op::Enum(_, value) = store.op(term) {
                    constants.insert(term, *value);
                }
            }
        }
        Ok(Theory {
            space: Space::large(0),
            shapes,
            consistency,
            bits: FxHashMap::default(),
            outside: Vec::new(),
            widths,
            constants,
            truths: FxHashMap::default(),
            is_ordered,
            differences: Differences::default(),
            equalities: Equalities::default(),
        })
    }

    /// A new variable.
    pub fn fresh(&mut self) -> usize {
        self.space.add_vars(1);
        self.space.vars() - 1
    }

    /// The set in which an atom is true.
    pub fn atom(&mut self, atom: TermId) -> Set {
        if atom.is_bool_literal() {
            return self.constant(atom == TermId::TRUE);
        }
        let shape = self.shapes[&atom];
        self.of(shape)
    }

    /// Everything that ties the variables down, once all atoms have been asked for; `None` if that is too much.
    pub fn constraints(&mut self) -> Option<Vec<Set>> {
        let mut constraints = Vec::new();
        for (args, value) in std::mem::take(&mut self.consistency) {
            let same = args.into_iter().fold(self.space.full(), |all, shape| all.intersect(&self.of(shape)));
            if !same.is_empty() {
                constraints.push(same.complement().union(&self.of(value)));
            }
        }
        constraints.extend(self.differences.constraints(&self.space)?);
        constraints.extend(self.equalities.constraints(&self.space));
        constraints.extend(self.outside.iter().map(Set::complement));
        Some(constraints)
    }

    fn constant(&self, value: bool) -> Set {
        if value { self.space.full() } else { self.space.empty() }
    }

    fn of(&mut self, shape: Shape) -> Set {
        match shape {
            Shape::Const(value) => self.constant(value),
            Shape::Truth(term) => self.truth(term),
            Shape::SameTruth(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                a.ite(&b, &b.complement())
            }
            Shape::SameEnum(a, b) => self.same_enum(a, b),
            Shape::Same(a, b, number) if self.is_ordered[a] => {
                let above = self.differences.at_most(&self.space, a, b, number);
                above.intersect(&self.differences.at_most(&self.space, b, a, -number))
            }
            Shape::Same(a, b, _) => self.equalities.same(&self.space, a, b),
            Shape::AtMost(a, b, number) => self.differences.at_most(&self.space, a, b, number),
        }
    }

    fn truth(&mut self, term: TermId) -> Set {
        if term.is_bool_literal() {
            return self.constant(term == TermId::TRUE);
        }
        if let Some(known) = self.truths.get(&term) {
            return known.clone();
        }
        let var = self.fresh();
        let set = self.space.literal(var, true);
        self.truths.insert(term, set.clone());
        set
    }

    fn same_enum(&mut self, a: TermId, b: TermId) -> Set {
        let (a, b) = (self.bits_of(a), self.bits_of(b));
        let same = |(a, b): (&Set, &Set)| a.ite(b, &b.complement());
        a.iter().zip(&b).map(same).fold(self.space.full(), |all, bit| all.intersect(&bit))
    }

    fn bits_of(&mut self, term: TermId) -> Vec<Set> {
        if let Some(known) = self.bits.get(&term) {
            return known.clone();
        }
        let (width, values) = self.widths[&term];
        let bits: Vec<Set> = match self.constants.get(&term) {
            Some(&value) => (0..width).map(|bit| self.constant(value >> bit & 1 == 1)).collect(),
            None => {
                let vars: Vec<usize> = (0..width).map(|_| self.fresh()).collect();
                vars.into_iter().map(|var| self.space.literal(var, true)).collect()
            }
        };
        if !self.constants.contains_key(&term) {
            for value in values..1 << width {
                let bit = |place: usize| match value >> place & 1 == 1 {
                    true => bits[place].clone(),
                    false => bits[place].complement(),
                };
                self.outside
                    .push((0..width).fold(self.space.full(), |all, place| all.intersect(&bit(place))));
            }
        }
        self.bits.insert(term, bits.clone());
        bits
    }
}

/// For each place whether it is compared, perhaps through others, with more than equality.
fn ordered<'a>(places: usize, shapes: impl Iterator<Item = &'a Shape>) -> Vec<bool> {
    let mut group: Vec<Place> = (0..places).collect();
    let mut is_ordered = vec![false; places];
    for shape in shapes {
        let (a, b, is_equality) = match *shape {
            Shape::Same(a, b, number) => (a, b, number == 0),
            Shape::AtMost(a, b, _) => (a, b, false),
            _ => continue,
        };
        let (from, to) = (group[a], group[b]);
        let both = is_ordered[a] || is_ordered[b] || !is_equality;
        for place in 0..places {
            if group[place] == from || group[place] == to {
                group[place] = to;
                is_ordered[place] = both;
            }
        }
    }
    is_ordered
}

/// Reads what terms say.
struct Reader<'a> {
    store: &'a TermStore,
    /// What is compared; `None` is zero.
    places: IndexMap<Option<TermId>, (), FxBuildHasher>,
}

impl Reader<'_> {
    fn refused<T>(&self, term: TermId) -> Result<T, String> {
        Err(format!("`{}` is not equality, order or a difference of two numbers", self.store.print(term)))
    }

    fn atom(&mut self, atom: TermId) -> Result<Shape, String> {
        match (self.store.op(atom), self.store.args(atom)) {
            (Op::Symbol(_), _) => Ok(Shape::Truth(atom)),
            (Op::Apply, [head, ..]) if self.store.as_symbol(*head).is_some() => Ok(Shape::Truth(atom)),
            (Op::Eq, &[a, b]) => self.same(a, b),
            (Op::Le, &[a, b]) => self.at_most(atom, a, b, 0),
            (Op::Lt, &[a, b]) => self.at_most(atom, a, b, -1),
            _ => self.refused(atom),
        }
    }

    fn same(&mut self, a: TermId, b: TermId) -> Result<Shape, String> {
        if a == b {
            return Ok(Shape::Const(true));
        }
        match self.store.sort(self.store.sort_of(a)) {
            Sort::Bool => match [a, b].into_iter().find(|&term| !self.is_value_or_place(term)) {
                None => Ok(Shape::SameTruth(a, b)),
                Some(term) => self.refused(term),
            },
            Sort::Enum { .. } => match [a, b].into_iter().find(|&term| !self.is_value_or_place(term)) {
                None => Ok(Shape::SameEnum(a, b)),
                Some(term) => self.refused(term),
            },
            Sort::Index { .. } | Sort::Int | Sort::Range { .. } => {
                let Some((one, other, number)) = self.difference(a, b) else { return self.refused(a) };
                Ok(if one == other { Shape::Const(number == 0) } else { Shape::Same(one, other, -number) })
            }
            _ => self.refused(a),
        }
    }

    fn at_most(&mut self, atom: TermId, a: TermId, b: TermId, slack: i64) -> Result<Shape, String> {
        if !self.store.sort(self.store.sort_of(a)).is_integer() {
            return self.refused(atom);
        }
        let Some((one, other, number)) = self.difference(a, b) else { return self.refused(atom) };
        let bound = slack - number;
        Ok(if one == other { Shape::Const(0 <= bound) } else { Shape::AtMost(one, other, bound) })
    }

    /// The difference of two terms as one place minus another plus a number.
    fn difference(&mut self, a: TermId, b: TermId) -> Option<(Place, Place, i64)> {
        let mut sum = Sum::default();
        sum.add(self.store, a, 1)?;
        sum.add(self.store, b, -1)?;
        sum.parts.retain(|_, factor| *factor != 0);
        let (mut plus, mut minus) = (None, None);
        for (&term, &factor) in &sum.parts {
            let side = match factor {
                1 => &mut plus,
                -1 => &mut minus,
                _ => return None,
            };
            if side.replace(term).is_some() {
                return None;
            }
        }
        let mut place = |term: Option<TermId>| self.places.insert_full(term, ()).0;
        Some((place(plus), place(minus), sum.number))
    }

    /// Is it a symbol, an application of one, or a literal?
    fn is_value_or_place(&self, term: TermId) -> bool {
        is_place(self.store, term) || self.store.op(term).is_literal()
    }

    /// The pairs of applications of the same function.
    fn consistency(&mut self, atoms: &[TermId]) -> Result<Vec<(Vec<Shape>, Shape)>, String> {
        let mut of_function: IndexMap<SymbolId, Vec<TermId>, FxBuildHasher> = IndexMap::default();
        for term in self.store.subterms_of_all(atoms.iter().copied()) {
            if *self.store.op(term) == Op::Apply {
                let Some(function) = self.store.as_symbol(self.store.args(term)[0]) else {
                    return self.refused(term);
                };
                of_function.entry(function).or_default().push(term);
            }
        }
        let mut pairs = Vec::new();
        for terms in of_function.values() {
            for (number, &a) in terms.iter().enumerate() {
                for &b in &terms[..number] {
                    let args = self.store.args(a)[1..].iter().zip(&self.store.args(b)[1..]);
                    let args: Vec<(TermId, TermId)> = args.map(|(&a, &b)| (a, b)).collect();
                    let same: Result<Vec<Shape>, String> =
                        args.into_iter().map(|(a, b)| self.same(a, b)).collect();
                    pairs.push((same?, self.same(a, b)?));
                }
            }
        }
        Ok(pairs)
    }
}

fn is_place(store: &TermStore, term: TermId) -> bool {
    match store.op(term) {
        Op::Symbol(_) => true,
        Op::Apply => store.as_symbol(store.args(term)[0]).is_some(),
        _ => false,
    }
}

/// A sum of places with factors, and a number.
#[derive(Default)]
struct Sum {
    parts: IndexMap<TermId, i64, FxBuildHasher>,
    number: i64,
}

impl Sum {
    fn add(&mut self, store: &TermStore, term: TermId, factor: i64) -> Option<()> {
        let mut open = vec![(term, factor)];
        while let Some((term, factor)) = open.pop() {
            match (store.op(term), store.args(term)) {
                (Op::Int(number), _) => {
                    let number = i64::try_from(number).ok()?.checked_mul(factor)?;
                    self.number = self.number.checked_add(number)?;
                }
                (Op::Add, args) => open.extend(args.iter().map(|&arg| (arg, factor))),
                (Op::Neg, &[arg]) => open.push((arg, -factor)),
                _ if is_place(store, term) => *self.parts.entry(term).or_insert(0) += factor,
                _ => return None,
            }
        }
        // Far enough from the ends that sums of a few of them stay numbers.
        (self.number.unsigned_abs() < 1 << 40).then_some(())
    }
}
