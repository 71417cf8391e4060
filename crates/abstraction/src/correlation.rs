//! Which valuations of some predicates any state can have (`g(c)`; Clarke et al., section 3.4), in three ways.
//!
//! * [`by_diagrams`]: conjoin `P <-> B` for each predicate and quantify what the predicates are about. All of that has to be
//!   finite and have small diagrams.
//! * [`by_clauses`]: the conjunction of all clauses over the predicates that are valid, the smallest first, so that only
//!   prime ones are kept.
//! * [`by_models`]: ask a solver for one valuation after the other.
//!
//! The results are the same set. Each way gives up where it would take too long, and then nothing is known, which is always
//! right: correlations only make an abstraction more precise.

use std::collections::BTreeSet;
use tenet_solve::{Answer, Solver};
use tenet_term::{SymbolId, TermId, TermStore};

use crate::bits::{Bits, Blaster, Leaves, Opaque, width};
use crate::layout::Clause;
use crate::set::{Cube, Set, Space, cover};

/// Valuations enumerated with the solver.
const MAX_MODELS: usize = 1 << 10;
/// Predicates whose clauses are enumerated, which are exponentially many.
const MAX_PREDICATES_FOR_CLAUSES: usize = 9;
/// Bits of the support of predicates that diagrams are made for.
const MAX_BITS_FOR_DIAGRAMS: usize = 96;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    Diagrams,
    Clauses,
    /// One valuation after the other.
    #[default]
    Models,
}

/// The clauses that exclude the valuations which no state has, by position of the predicates. A method that does not fit
/// gives way to asking for models, and then to knowing nothing.
pub fn correlations(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    formulas: &[TermId],
    method: Method,
) -> Vec<Clause> {
    let found = match method {
        Method::Diagrams => by_diagrams(store, formulas),
        Method::Clauses => by_clauses(store, solver, formulas),
        Method::Models => None,
    };
    found.or_else(|| by_models(store, solver, formulas)).unwrap_or_default()
}

/// By conjunction and quantification.
pub fn by_diagrams(store: &TermStore, formulas: &[TermId]) -> Option<Vec<Clause>> {
    let symbols: BTreeSet<SymbolId> =
        formulas.iter().flat_map(|&formula| store.free_symbols(formula)).collect();
    let mut words =
        Words { first: formulas.len(), symbols: symbols.into_iter().collect(), space: Space::new(0) };
    let widths: Option<Vec<usize>> =
        words.symbols.iter().map(|&symbol| width(store, store.symbol(symbol).sort)).collect();
    let widths = widths?;
    if widths.iter().sum::<usize>() > MAX_BITS_FOR_DIAGRAMS {
        return None;
    }
    let inner = words.symbols.len() * widths.iter().copied().max().unwrap_or(0);
    words.space.add_vars(formulas.len() + inner);
    let mut blaster = Blaster::new(&words.space.clone());
    let mut all = words.space.full();
    for (position, &formula) in formulas.iter().enumerate() {
        let holds = blaster.formula(store, formula, &mut words).ok()?;
        let (yes, no) = (words.space.literal(position, true), words.space.literal(position, false));
        all = all.intersect(&holds.ite(&yes, &no));
    }
    let bits: Vec<usize> = (formulas.len()..formulas.len() + inner).collect();
    Some(clauses_of(&all.exists(&bits)))
}

/// The variables of symbols: those of bits of the same weight are neighbours, so that words can be compared.
struct Words {
    first: usize,
    symbols: Vec<SymbolId>,
    space: Space,
}

impl Leaves for Words {
    fn leaf(&mut self, store: &TermStore, term: TermId) -> Option<Bits> {
        let symbol = store.as_symbol(term)?;
        let position = self.symbols.iter().position(|&known| known == symbol)?;
        let width = width(store, store.symbol(symbol).sort)?;
        let var = |bit: usize| self.first + (width - 1 - bit) * self.symbols.len() + position;
        Some((0..width).map(|bit| self.space.literal(var(bit), true)).collect())
    }

    fn opaque(&mut self, _: &TermStore, term: TermId) -> Result<Bits, Opaque> {
        Err(Opaque(term))
    }
}

/// By valid clauses, the smallest first. What the solver does not know is not claimed.
pub fn by_clauses(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    formulas: &[TermId],
) -> Option<Vec<Clause>> {
    if formulas.len() > MAX_PREDICATES_FOR_CLAUSES {
        return None;
    }
    let negated: Vec<TermId> = formulas.iter().map(|&formula| store.mk_not(formula)).collect();
    let mut valid: Vec<Clause> = Vec::new();
    for size in 1..=formulas.len() {
        for clause in clauses_of_size(formulas.len(), size) {
            if valid.iter().any(|known| known.iter().all(|literal| clause.contains(literal))) {
                continue;
            }
            let denied = clause.iter().map(|&(p, value)| if value { negated[p] } else { formulas[p] });
            if solver.check(store, &denied.collect::<Vec<_>>()).is_proved() {
                valid.push(clause);
            }
        }
    }
    Some(valid)
}

/// Every clause with `size` literals over `predicates` predicates.
fn clauses_of_size(predicates: usize, size: usize) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = vec![Clause::new()];
    for _ in 0..size {
        let longer = |clause: Clause| {
            let from = clause.last().map_or(0, |&(last, _)| last + 1);
            (from..predicates).flat_map(move |p| {
                let clause = clause.clone();
                [true, false].map(|value| clause.iter().copied().chain([(p, value)]).collect::<Clause>())
            })
        };
        clauses = clauses.into_iter().flat_map(longer).collect();
    }
    clauses
}

/// By asking for one valuation after the other. `None` if there are too many, or if the solver does not know.
pub fn by_models(store: &mut TermStore, solver: &mut dyn Solver, formulas: &[TermId]) -> Option<Vec<Clause>> {
    let space = Space::new(formulas.len());
    let mut all = space.empty();
    let mut is_complete = false;
    solver.push();
    for _ in 0..MAX_MODELS {
        match solver.check(store, &[]) {
            Answer::Sat => {}
            Answer::Unsat => {
                is_complete = true;
                break;
            }
            Answer::Unknown(_) => break,
        }
        let Some(values) = truths(store, solver, formulas) else { break };
        all = all.union(&space.valuation(&values));
        let differs = formulas.iter().zip(&values);
        let differs: Vec<TermId> =
            differs.map(|(&formula, &value)| if value { store.mk_not(formula) } else { formula }).collect();
        let differs = store.mk_or(differs);
        solver.assert(store, differs);
    }
    solver.pop();
    is_complete.then(|| clauses_of(&all))
}

/// The truth values of formulas in the solver's model; `None` if it does not tell one of them.
pub fn truths(store: &TermStore, solver: &mut dyn Solver, formulas: &[TermId]) -> Option<Vec<bool>> {
    solver.values(store, formulas).into_iter().map(|value| value?.as_bool()).collect()
}

/// The clauses whose conjunction is the set; the variables are positions.
fn clauses_of(set: &Set) -> Vec<Clause> {
    let outside = set.complement();
    let negate = |cube: Cube| cube.into_iter().map(|(var, value)| (var, !value)).collect();
    cover(&outside, &outside).into_iter().map(negate).collect()
}
