//! Invariants by abstract interpretation, without search: linear equations, bounds of sums and differences,
//! remainders, constant truth values.
//!
//! Each location has the strongest facts of these kinds that hold in the states seen so far. A solver looks for a
//! step that satisfies the facts of its source and violates those of its target; the target state is then seen. When
//! there is no such step, the facts are inductive (symbolic abstraction; Reps, Sagiv and Yorsh, 2004). Bounds that go
//! on growing are widened and dropped, so it ends.

mod bounds;
mod hull;
mod residues;
mod vectors;

use super::predicates::observed;
use super::program::{LocationId, Program};
use super::steps::{Step, Steps, Values};
use bounds::Bounds;
use hull::Hull;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};
use residues::Residues;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use tenet_term::{Model, Op, Role, SymbolId, TermId, TermMap, TermStore, Value};
use vectors::Vectors;

/// Only numbers of the program up to this one are divisors: remainders by large ones are hard for solvers and rarely
/// needed.
const MAX_DIVISOR: i64 = 12;

/// The kind of facts. Remainders are hard for solvers, so they are found separately, relative to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Equations and bounds.
    Linear,
    Remainders,
}

/// A part of a location: the truth values of the atoms that split it.
type Region = (LocationId, Vec<bool>);

struct Facts<'a> {
    program: &'a Program,
    consts: &'a [SymbolId],
    /// The atoms that split each location.
    splits: &'a [Vec<TermId>],
    seen: BTreeMap<Region, Seen>,
    numbers: Arc<Vec<BigRational>>,
    whole: Arc<Vec<BigInt>>,
    divisors: Arc<Vec<BigInt>>,
    kind: Kind,
}

/// What the states seen in a region have in common.
#[derive(Clone, Debug)]
struct Seen {
    numeric: Vec<TermId>,
    hull: Hull,
    bounds: Bounds,
    residues: Residues,
    bits: Vec<TermId>,
    vectors: Vectors,
    /// Values of everything else that were always the same.
    fixed: Vec<(TermId, Value)>,
    formulas: Vec<TermId>,
}

/// The facts of a program, for each location; `None` if they could not be completed. Locations are split by these atoms,
/// and facts are found for each part: so they are implications.
pub fn find(
    store: &mut TermStore,
    program: &Program,
    consts: &[SymbolId],
    splits: &[Vec<TermId>],
    kind: Kind,
    steps: &mut Steps,
    mut goes_on: impl FnMut() -> bool,
) -> Option<Vec<Vec<TermId>>> {
    let (numbers, divisors) = constants(store, program);
    let whole = numbers.iter().filter(|number| number.is_integer()).map(BigRational::to_integer);
    let whole = Arc::new(whole.collect());
    let mut facts = Facts { program, consts, splits, seen: BTreeMap::new(), numbers, whole, divisors, kind };
    facts.complete(store, steps, &mut goes_on)?;
    Some((0..program.locations.len()).map(|location| facts.formulas(store, location)).collect())
}

impl Facts<'_> {
    /// Iterates to the least fixpoint. `None` if it was not reached.
    fn complete(
        &mut self,
        store: &mut TermStore,
        steps: &mut Steps,
        goes_on: &mut impl FnMut() -> bool,
    ) -> Option<()> {
        let program = self.program;
        let starts =
            (0..program.transitions.len()).filter(|&step| program.transitions[step].source.is_none());
        let mut queue: VecDeque<(usize, Option<Region>)> = starts.map(|step| (step, None)).collect();
        for region in self.seen.keys() {
            queue.extend(
                program.locations[region.0].outgoing.iter().map(|&step| (step, Some(region.clone()))),
            );
        }
        while let Some((step, source)) = queue.pop_front() {
            let target = program.transitions[step].target;
            if target == program.error() {
                continue;
            }
            if !goes_on() {
                return None;
            }
            if let Some(values) = self.escape(store, steps, step, source.as_ref())? {
                let region = self.see(store, target, &after(store, program, step, &values)?)?;
                let next =
                    program.locations[target].outgoing.iter().map(|&next| (next, Some(region.clone())));
                let next: Vec<_> =
                    next.chain([(step, source)]).filter(|next| !queue.contains(next)).collect();
                queue.extend(next);
            }
        }
        Some(())
    }

    fn regions(&self, location: LocationId) -> impl Iterator<Item = (&Region, &Seen)> {
        self.seen.range((location, Vec::new())..(location + 1, Vec::new()))
    }

    fn inside(&self, store: &mut TermStore, (location, signs): &Region) -> TermId {
        let mut literals = Vec::new();
        for (&atom, &sign) in self.splits[*location].iter().zip(signs) {
            literals.push(if sign { atom } else { store.mk_not(atom) });
        }
        store.mk_and(literals)
    }

    fn formulas(&self, store: &mut TermStore, location: LocationId) -> Vec<TermId> {
        let regions: Vec<(Region, Vec<TermId>)> =
            self.regions(location).map(|(region, seen)| (region.clone(), seen.formulas.clone())).collect();
        let mut places = Vec::new();
        let mut formulas = Vec::new();
        for (region, known) in &regions {
            let inside = self.inside(store, region);
            places.push(inside);
            for &formula in known {
                let is_common = regions.iter().all(|(_, others)| others.contains(&formula));
                formulas.push(if is_common { formula } else { store.mk_implies(inside, formula) });
            }
        }
        formulas.push(store.mk_or(places));
        formulas.sort_unstable();
        formulas.dedup();
        formulas.retain(|&formula| formula != TermId::TRUE);
        formulas
    }

    /// A step that leads from the facts of its source out of those of its target. `None` if the solver does not know.
    fn escape(
        &mut self,
        store: &mut TermStore,
        steps: &mut Steps,
        step: usize,
        source: Option<&Region>,
    ) -> Option<Option<Values>> {
        let mut known = source.map(|source| self.seen[source].formulas.clone()).unwrap_or_default();
        if let Some(source) = source {
            known.push(self.inside(store, source));
        }
        let claims = self.formulas(store, self.program.transitions[step].target);
        let claim = store.mk_and(claims);
        match steps.escape(store, step, &known, claim) {
            Step::Impossible(_) => Some(None),
            Step::Possible(values) => Some(Some(values)),
            Step::Unknown(_) => None,
        }
    }

    /// Joins a state into the facts of its region. The region; `None` if something has no value.
    fn see(&mut self, store: &mut TermStore, location: LocationId, state: &Model) -> Option<Region> {
        let signs = self.splits[location].iter().map(|&atom| state.holds(store, atom).ok());
        let region: Region = (location, signs.collect::<Option<Vec<bool>>>()?);
        let symbols = self.program.locations[location].data.iter().chain(self.consts);
        let (mut numeric, mut point, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let (mut bits, mut vectors) = (Vec::new(), Vec::new());
        for &symbol in symbols {
            let term = store.mk_symbol(symbol);
            match state.get(symbol)? {
                Value::Int(value) => {
                    numeric.push(term);
                    point.push(BigRational::from(value.clone()));
                }
                Value::Real(value) => {
                    numeric.push(term);
                    point.push(value.clone());
                }
                Value::BitVec(value) => {
                    bits.push(term);
                    vectors.push(value.clone());
                }
                value => others.push((term, value.clone())),
            }
        }
        match self.seen.get_mut(&region) {
            Some(seen) => {
                seen.hull.add(&point);
                seen.bounds.add(&point);
                seen.residues.add(&point);
                seen.vectors.add(&vectors);
                seen.fixed.retain(|fixed| others.contains(fixed));
                seen.formulas = seen.write(store, self.kind);
            }
            None => {
                let mut seen = Seen {
                    numeric,
                    hull: Hull::new(&point),
                    bounds: Bounds::new(&point, &self.numbers),
                    residues: Residues::new(&point, &self.divisors),
                    bits,
                    vectors: Vectors::new(&vectors, &self.whole),
                    fixed: others,
                    formulas: Vec::new(),
                };
                seen.formulas = seen.write(store, self.kind);
                self.seen.insert(region.clone(), seen);
            }
        }
        Some(region)
    }
}

impl Seen {
    fn write(&self, store: &mut TermStore, kind: Kind) -> Vec<TermId> {
        let mut formulas = Vec::new();
        match kind {
            Kind::Linear => {
                formulas.extend(self.hull.equations(store, &self.numeric));
                formulas.extend(self.bounds.formulas(store, &self.numeric));
                formulas.extend(self.vectors.formulas(store, &self.bits));
            }
            Kind::Remainders => formulas.extend(self.residues.formulas(store, &self.numeric)),
        }
        for (term, value) in &self.fixed {
            if let Some(value) = store.mk_value(store.sort_of(*term), value) {
                let equation =
                    if store.is_bool(*term) { store.mk_iff(*term, value) } else { store.mk_eq(*term, value) };
                formulas.push(equation);
            }
        }
        formulas.sort_unstable();
        formulas.dedup();
        formulas.retain(|&formula| formula != TermId::TRUE);
        formulas
    }
}

/// The state behind a step.
fn after(store: &TermStore, program: &Program, step: usize, values: &Values) -> Option<Model> {
    let mut before = Model::new();
    values.iter().for_each(|(symbol, value)| before.set(*symbol, value.clone()));
    let mut state = before.clone();
    for &(symbol, value) in &program.transitions[step].updates {
        state.set(symbol, before.evaluate(store, value).ok()?);
    }
    Some(state)
}

/// The numbers of a program, with their neighbours and both signs, and those that may be divisors.
fn constants(store: &TermStore, program: &Program) -> (Arc<Vec<BigRational>>, Arc<Vec<BigInt>>) {
    let terms = program
        .transitions
        .iter()
        .flat_map(|step| step.updates.iter().map(|&(_, value)| value).chain([step.guard]));
    let (mut numbers, mut divisors) = (BTreeSet::new(), BTreeSet::from([BigInt::from(2)]));
    for term in store.subterms_of_all(terms) {
        let number = match store.op(term) {
            Op::Int(number) => BigRational::from(number.clone()),
            Op::Rational(number) => (**number).clone(),
            Op::BitVec(bits) => BigRational::from(BigInt::from(bits.unsigned().clone())),
            _ => continue,
        };
        let size = number.abs().to_integer();
        if number.is_integer() && size.to_i64().is_some_and(|size| (2..=MAX_DIVISOR).contains(&size)) {
            divisors.insert(size);
        }
        for shift in -1..=1 {
            let near = &number + BigRational::from(BigInt::from(shift));
            numbers.extend([-near.clone(), near]);
        }
    }
    numbers.insert(BigRational::from(BigInt::from(0)));
    (Arc::new(numbers.into_iter().collect()), Arc::new(divisors.into_iter().collect()))
}

/// The atoms that guards branch on, at most `most` for each location: the most frequent ones.
pub fn splits(store: &mut TermStore, program: &Program, most: usize) -> Vec<Vec<TermId>> {
    let mut all = Vec::new();
    for location in &program.locations {
        let mut counts: TermMap<usize> = TermMap::default();
        for &step in &location.outgoing {
            let step = &program.transitions[step];
            let terms = step.updates.iter().map(|&(_, value)| value).chain([step.guard]);
            for term in store.subterms_of_all(terms) {
                let is_atom = store.is_bool(term)
                    && !store.op(term).is_connective()
                    && !matches!(store.op(term), Op::Ite);
                let is_about_state = || {
                    let roles = store.symbols_in(term);
                    roles.iter().all(|&symbol| matches!(store.symbol(symbol).role, Role::State | Role::Const))
                };
                if is_atom && !term.is_bool_literal() && is_about_state() {
                    for atom in observed(store, term) {
                        *counts.entry(atom).or_default() += 1;
                    }
                }
            }
        }
        let mut atoms: Vec<(usize, usize, TermId)> =
            counts.into_iter().enumerate().map(|(place, (atom, count))| (count, place, atom)).collect();
        atoms.sort_by_key(|&(count, place, _)| (Reverse(count), place));
        all.push(atoms.into_iter().take(most).map(|(_, _, atom)| atom).collect());
    }
    all
}
