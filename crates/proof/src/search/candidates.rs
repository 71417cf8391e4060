//! Which terms are worth instantiating a variable of a fact with (SPEC 1.2.5).
//!
//! If the variable stands alone as an argument of a function, the terms that stand there in the question; in any case
//! the constants, parameters and scalars of its sort, and literals of small sorts.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

/// A function and a place among its arguments.
type Slot = (SymbolId, usize);

/// No fact is instantiated more often than this in one round.
const MAX_TUPLES: usize = 2_000;
/// No variable gets more terms than this.
const MAX_TERMS: usize = 60;

/// Where a variable stands in a fact.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    arguments: Vec<Slot>,
    /// Is it an operand of a comparison?
    is_compared: bool,
}

impl Slots {
    /// Where the variable stands alone in a formula.
    pub(super) fn of(store: &TermStore, formula: TermId, variable: SymbolId) -> Slots {
        let mut slots = Slots::default();
        for term in store.subterms(formula) {
            for (place, &arg) in store.args(term).iter().enumerate() {
                if store.as_symbol(arg) != Some(variable) {
                    continue;
                }
                match (store.op(term), store.as_symbol(store.args(term)[0])) {
                    (Op::Apply, Some(function)) => slots.arguments.push((function, place - 1)),
                    (Op::Apply, None) => {}
                    _ => slots.is_compared = true,
                }
            }
        }
        slots
    }
}

/// The terms found so far.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    at: IndexMap<Slot, IndexSet<TermId, FxBuildHasher>, FxBuildHasher>,
    compared: IndexSet<TermId, FxBuildHasher>,
    basic: IndexSet<TermId, FxBuildHasher>,
    /// Closed applications of each function, and constants.
    occurring: IndexMap<SymbolId, IndexSet<TermId, FxBuildHasher>, FxBuildHasher>,
}

impl Candidates {
    /// Looks for terms in formulas; says whether there were new ones.
    pub(super) fn grow(&mut self, store: &TermStore, formulas: &[TermId], basic: &[TermId]) -> bool {
        let before = self.count();
        self.basic.extend(basic.iter().copied());
        for term in store.subterms_of_all(formulas.iter().copied()) {
            // A function by itself is no application of it.
            let is_function = matches!(store.sort(store.sort_of(term)), Sort::Function { .. });
            if let Some(function) = head(store, term).filter(|_| !is_function && store.is_closed(term)) {
                self.occurring.entry(function).or_default().insert(term);
            }
            match (store.op(term), store.args(term)) {
                (Op::Apply, [function, args @ ..]) => {
                    let Some(function) = store.as_symbol(*function) else { continue };
                    for (place, &arg) in args.iter().enumerate().filter(|&(_, &arg)| store.is_closed(arg)) {
                        self.at.entry((function, place)).or_default().insert(arg);
                    }
                }
                (Op::Eq | Op::Lt | Op::Le | Op::Distinct, args) => {
                    self.compared.extend(args.iter().copied().filter(|&arg| store.is_closed(arg)));
                }
                _ => {}
            }
        }
        // The first time counts even if there are no terms: facts without variables need none.
        before == 0 || self.count() > before
    }

    fn count(&self) -> usize {
        let occurring: usize = self.occurring.values().map(IndexSet::len).sum();
        let at: usize = self.at.values().map(IndexSet::len).sum();
        at + occurring + self.compared.len() + self.basic.len()
    }

    /// The closed applications of a subject's function that occur.
    pub(super) fn applications(&self, store: &TermStore, subject: TermId) -> impl Iterator<Item = &TermId> {
        head(store, subject).and_then(|function| self.occurring.get(&function)).into_iter().flatten()
    }

    /// The tuples of candidates for these variables, those made of early candidates first. If there are subjects,
    /// one of them must be a term that occurs.
    pub(super) fn tuples(
        &self,
        store: &mut TermStore,
        params: &[SymbolId],
        slots: &[Slots],
        subjects: &[TermId],
    ) -> Vec<Vec<TermId>> {
        let choices: Vec<Vec<TermId>> =
            params.iter().zip(slots).map(|(&param, slots)| self.terms(store, param, slots)).collect();
        if subjects.is_empty() {
            return product(&choices);
        }
        let mut tuples: IndexSet<Vec<TermId>, FxBuildHasher> = IndexSet::default();
        for &subject in subjects {
            let function = head(store, subject).expect("invariant: subjects are applications");
            for &term in self.occurring.get(&function).into_iter().flatten() {
                let mut choices = choices.clone();
                for (&variable, &value) in store.args(subject).iter().zip(store.args(term)).skip(1) {
                    let variable = store.as_symbol(variable);
                    if let Some(position) = params.iter().position(|&param| Some(param) == variable) {
                        choices[position] = vec![value];
                    }
                }
                tuples.extend(product(&choices));
                if tuples.len() > MAX_TUPLES {
                    break;
                }
            }
        }
        tuples.into_iter().collect()
    }

    fn terms(&self, store: &mut TermStore, param: SymbolId, slots: &Slots) -> Vec<TermId> {
        let sort = store.symbol(param).sort;
        let mut terms: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
        let standing = slots.arguments.iter().filter_map(|slot| self.at.get(slot)).flatten();
        let fits = |term: TermId| same_sort(store, sort, store.sort_of(term));
        terms.extend(self.basic.iter().chain(standing).copied().filter(|&term| fits(term)));
        if slots.is_compared {
            terms.extend(self.compared.iter().copied().filter(|&term| fits(term)));
        }
        terms.extend(literals(store, sort));
        terms.into_iter().take(MAX_TERMS).collect()
    }
}

/// The function of an application, or the symbol itself.
pub(super) fn head(store: &TermStore, term: TermId) -> Option<SymbolId> {
    match store.op(term) {
        Op::Apply => store.as_symbol(store.args(term)[0]),
        _ => store.as_symbol(term),
    }
}

pub(super) fn product(choices: &[Vec<TermId>]) -> Vec<Vec<TermId>> {
    let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
    for choice in choices {
        let room = MAX_TUPLES / tuples.len().max(1);
        let kept = &choice[..choice.len().min(room.max(1))];
        let extend = |tuple: &Vec<TermId>, term: TermId| tuple.iter().copied().chain([term]).collect();
        tuples = tuples.iter().flat_map(|tuple| kept.iter().map(move |&term| extend(tuple, term))).collect();
    }
    tuples
}

pub(super) fn same_sort(store: &TermStore, one: SortId, other: SortId) -> bool {
    one == other || (store.sort(one).is_integer() && store.sort(other).is_integer())
}

/// All values of a small sort.
fn literals(store: &mut TermStore, sort: SortId) -> Vec<TermId> {
    match store.sort(sort) {
        Sort::Bool => vec![TermId::TRUE, TermId::FALSE],
        Sort::Enum { variants, .. } => {
            let count = variants.len() as u32;
            (0..count).map(|position| store.mk_enum(sort, position)).collect()
        }
        _ => Vec::new(),
    }
}
