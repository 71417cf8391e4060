//! Elimination of variables from conjunctions: `exists v. a1 & .. & ak` as a disjunction without `v`, exactly.
//!
//! 1. An equation that can be solved for `v` is used at once; it is the *first* such equation of the list, which is how a
//!    caller chooses among several.
//! 2. A variable of an enumeration or a truth value is replaced by each of its values in turn.
//! 3. Otherwise every lower bound is combined with every upper bound (Fourier and Motzkin). Over the integers that is exact
//!    if one of the two has factor 1. Disequations do not matter to a variable that is unbounded on one side; to any other
//!    they are first split into `<` and `>`.
//! 4. Where that is not exact, or remainders of `v` are spoken of, integers are eliminated by Cooper's method.
//!
//! Atoms without `v` stay as they are, also contradictory ones.

use super::atom::{Comparison, Relation, comparison, normal, strip};
use super::cooper;
use super::formula::substituted;
use super::outcome::Unsupported;
use crate::common::linear::Linear;
use num_rational::BigRational;
use num_traits::{One, Signed};
use tenet_term::{Op, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

/// The disjuncts of `exists vars. atoms`, in normal form.
pub fn eliminate_all(
    store: &mut TermStore,
    atoms: Vec<TermId>,
    vars: &[SymbolId],
) -> Result<Vec<Vec<TermId>>, Unsupported> {
    let mut disjuncts = vec![atoms];
    for &var in vars {
        let mut next = Vec::new();
        for atoms in disjuncts {
            next.extend(eliminate(store, atoms, var)?);
        }
        disjuncts = next;
    }
    Ok(disjuncts)
}

/// The disjuncts of `exists var. atoms`.
fn eliminate(
    store: &mut TermStore,
    atoms: Vec<TermId>,
    var: SymbolId,
) -> Result<Vec<Vec<TermId>>, Unsupported> {
    let mentions = |store: &TermStore, atom: TermId| store.free_symbols(atom).contains(&var);
    if !atoms.iter().any(|&atom| mentions(store, atom)) {
        return Ok(vec![atoms]);
    }
    if let Some((place, value)) = atoms.iter().enumerate().find_map(|(place, &atom)| {
        let value = solved(store, atom, var)?;
        Some((place, value))
    }) {
        let value = value.term(store);
        let rest: Vec<TermId> =
            atoms.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, &atom)| atom).collect();
        return Ok(vec![replaced(store, &rest, var, value)]);
    }
    let sort = store.symbol(var).sort;
    match store.sort(sort).clone() {
        Sort::Bool => Ok([TermId::TRUE, TermId::FALSE]
            .into_iter()
            .map(|value| replaced(store, &atoms, var, value))
            .collect()),
        Sort::Enum { variants, .. } => Ok((0..variants.len() as u32)
            .map(|position| {
                let value = store.mk_enum(sort, position);
                replaced(store, &atoms, var, value)
            })
            .collect()),
        Sort::Int | Sort::Range { .. } | Sort::Real => bounds(store, atoms, var),
        _ => Err(Unsupported::Elimination(store.symbol(var).name.clone(), texts(store, &atoms))),
    }
}

fn texts(store: &TermStore, atoms: &[TermId]) -> String {
    let texts: Vec<String> = atoms.iter().map(|&atom| store.print_limited(atom, 60)).collect();
    texts.join(" & ")
}

/// The atoms with a term in place of the variable, in normal form.
fn replaced(store: &mut TermStore, atoms: &[TermId], var: SymbolId, value: TermId) -> Vec<TermId> {
    let substitution = Substitution::from_pairs(store, [(var, value)]);
    let literals = substituted(store, atoms, &substitution);
    literals.into_iter().flat_map(|literal| normal(store, literal, false)).collect()
}

enum Solution {
    Sum(Linear, SortId),
    Term(TermId),
}

impl Solution {
    fn term(self, store: &mut TermStore) -> TermId {
        match self {
            Solution::Sum(sum, sort) => sum.term(store, sort),
            Solution::Term(term) => term,
        }
    }
}

/// What the atom says the variable is equal to, if it says so and the answer does not mention the variable.
fn solved(store: &TermStore, atom: TermId, var: SymbolId) -> Option<Solution> {
    if let Some(Comparison { sum, relation, sort }) = comparison(store, atom) {
        let base = base_of(store, &sum, var)?;
        let factor = sum.factor(&base);
        let is_exact = sort == SortId::REAL || factor.abs().is_one();
        if relation != Relation::Eq || !is_exact || sum.hides(store, var) {
            return None;
        }
        return Some(Solution::Sum(sum.without(&base).scaled(&-factor.recip()), sort));
    }
    let (inner, positive) = strip(store, atom);
    if store.as_symbol(inner) == Some(var) {
        return Some(Solution::Term(TermId::bool(positive)));
    }
    let (Op::Eq, true) = (store.op(inner), positive) else { return None };
    let (left, right) = (store.args(inner)[0], store.args(inner)[1]);
    let is_free = |term: TermId| !store.free_symbols(term).contains(&var);
    match (store.as_symbol(left), store.as_symbol(right)) {
        (Some(symbol), _) if symbol == var && is_free(right) => Some(Solution::Term(right)),
        (_, Some(symbol)) if symbol == var && is_free(left) => Some(Solution::Term(left)),
        _ => None,
    }
}

fn base_of(store: &TermStore, sum: &Linear, var: SymbolId) -> Option<TermId> {
    sum.factors.keys().copied().find(|&base| store.as_symbol(base) == Some(var))
}

/// The conjunction without a number that no equation can be solved for.
fn bounds(store: &mut TermStore, atoms: Vec<TermId>, var: SymbolId) -> Result<Vec<Vec<TermId>>, Unsupported> {
    let (about, rest): (Vec<TermId>, Vec<TermId>) =
        atoms.iter().partition(|&&atom| store.free_symbols(atom).contains(&var));
    let combined = match between_bounds(store, &about, var) {
        Some(combined) => combined,
        None => cooper::eliminate(store, &about, var)
            .ok_or_else(|| Unsupported::Elimination(store.symbol(var).name.clone(), texts(store, &about)))?,
    };
    Ok(combined.into_iter().map(|atoms| [&rest[..], &atoms[..]].concat()).collect())
}

/// What lower and upper bounds say of each other; nothing if there is more to be said, or if that would not be exact.
fn between_bounds(store: &mut TermStore, about: &[TermId], var: SymbolId) -> Option<Vec<Vec<TermId>>> {
    let mut bounds = Vec::new();
    for &atom in about {
        let known = comparison(store, atom)?;
        if known.sum.hides(store, var) || known.relation == Relation::Eq {
            return None;
        }
        bounds.push(Bound::new(store, known, var));
    }
    without_disequations(bounds).iter().map(|bounds| combine(store, bounds)).collect()
}

/// `factor * var + rest R 0`, where the factor is positive.
#[derive(Clone, Debug)]
struct Bound {
    factor: BigRational,
    rest: Linear,
    relation: Relation,
    sort: SortId,
}

impl Bound {
    fn new(store: &TermStore, comparison: Comparison, var: SymbolId) -> Bound {
        let Comparison { sum, relation, sort } = comparison;
        let base = base_of(store, &sum, var).expect("invariant: the variable is a base");
        let factor = sum.factor(&base);
        let (rest, relation) = match factor.is_negative() {
            true => (sum.without(&base).scaled(&-BigRational::one()), relation.mirrored()),
            false => (sum.without(&base), relation),
        };
        Bound { factor: factor.abs(), rest, relation, sort }
    }

    fn is_lower(&self) -> bool {
        matches!(self.relation, Relation::Ge | Relation::Gt)
    }

    fn is_upper(&self) -> bool {
        matches!(self.relation, Relation::Le | Relation::Lt)
    }
}

/// The same as a disjunction of conjunctions without disequations.
fn without_disequations(bounds: Vec<Bound>) -> Vec<Vec<Bound>> {
    let is_unbounded = !bounds.iter().any(Bound::is_lower) || !bounds.iter().any(Bound::is_upper);
    let (different, ordered): (Vec<Bound>, Vec<Bound>) =
        bounds.into_iter().partition(|bound| bound.relation == Relation::Ne);
    if is_unbounded {
        // Infinitely many values are left, and each disequation excludes one at most.
        return vec![ordered];
    }
    let mut disjuncts = vec![ordered];
    for bound in different {
        let sides = [Relation::Lt, Relation::Gt].map(|relation| Bound { relation, ..bound.clone() });
        disjuncts = disjuncts
            .into_iter()
            .flat_map(|known| sides.clone().map(|side| [known.clone(), vec![side]].concat()))
            .collect();
    }
    disjuncts
}

/// What lower and upper bounds say of each other; nothing if that would not be exact.
fn combine(store: &mut TermStore, bounds: &[Bound]) -> Option<Vec<TermId>> {
    let mut atoms = Vec::new();
    for lower in bounds.iter().filter(|bound| bound.is_lower()) {
        for upper in bounds.iter().filter(|bound| bound.is_upper()) {
            let is_exact = lower.sort == SortId::REAL || lower.factor.is_one() || upper.factor.is_one();
            if !is_exact {
                return None;
            }
            atoms.extend(between(store, lower, upper));
        }
    }
    Some(atoms)
}

/// From `a * v + r >= 0` and `b * v + s <= 0`: `a * s - b * r <= 0`, strict over the reals if one of them is, and with the
/// least difference of integers if one of them is strict there.
fn between(store: &mut TermStore, lower: &Bound, upper: &Bound) -> Vec<TermId> {
    let [lower_rest, upper_rest] = [(lower, 1), (upper, -1)].map(|(bound, sign)| {
        let is_strict = matches!(bound.relation, Relation::Lt | Relation::Gt);
        let mut rest = bound.rest.clone();
        if is_strict && bound.sort != SortId::REAL {
            rest.constant -= BigRational::from_integer(sign.into());
        }
        rest
    });
    let sum = upper_rest.scaled(&lower.factor).plus(&lower_rest, &-upper.factor.clone());
    let is_strict = lower.sort == SortId::REAL
        && [lower, upper].iter().any(|bound| matches!(bound.relation, Relation::Lt | Relation::Gt));
    let zero = Linear::default();
    let (left, right) = (sum.term(store, lower.sort), zero.term(store, lower.sort));
    let literal = if is_strict { store.raw_lt(left, right) } else { store.raw_le(left, right) };
    normal(store, literal, false)
}
