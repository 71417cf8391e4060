//! Formulas without quantifiers, for an instance of fixed sizes: a quantifier over a finite sort is a conjunction or disjunction over
//! its values, however deeply quantifiers alternate, and arrays are equal if all their entries are.

use rustc_hash::FxHashMap;
use tenet_term::{EvalError, Model, Op, Sort, SortId, SymbolId, TermId, TermStore};

/// Instances of one quantifier; with more, the instance of the system is too large to be worth asking about.
const MAX_TUPLES: u64 = 5_000;
/// Instances of quantifiers in the question about one rule.
const MAX_INSTANCES: usize = 50_000;

/// Why a formula has no such form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotFinite {
    /// Something takes infinitely many values, or the system has recursive definitions.
    Infinite(String),
    TooLarge,
}

impl NotFinite {
    /// A clause for people.
    pub fn why(&self) -> String {
        match self {
            NotFinite::Infinite(what) => format!("small instances are not finite: {what}"),
            NotFinite::TooLarge => "small instances are too large to be written out".to_string(),
        }
    }
}

impl From<EvalError> for NotFinite {
    fn from(error: EvalError) -> NotFinite {
        NotFinite::Infinite(error.to_string())
    }
}

/// Writes formulas out.
pub struct Grounder {
    /// The sizes of index sorts.
    sizes: Model,
    known: FxHashMap<TermId, TermId>,
    instances: usize,
}

impl Grounder {
    pub fn new(sizes: Model) -> Grounder {
        Grounder { sizes, known: FxHashMap::default(), instances: 0 }
    }

    /// Another question begins; what is known of terms stays so.
    pub fn begin(&mut self) {
        self.instances = 0;
    }

    /// All values of a sort, as terms.
    pub fn values(&self, store: &mut TermStore, sort: SortId) -> Result<Vec<TermId>, NotFinite> {
        let values = self.sizes.elements(store, sort)?;
        Ok(values.iter().filter_map(|value| store.mk_value(sort, value)).collect())
    }

    /// All combinations of values of some sorts.
    pub fn tuples(&self, store: &mut TermStore, sorts: &[SortId]) -> Result<Vec<Vec<TermId>>, NotFinite> {
        let mut tuples: Vec<Vec<TermId>> = vec![Vec::new()];
        for &sort in sorts {
            if self.sizes.cardinality(store, sort)?.saturating_mul(tuples.len() as u64) > MAX_TUPLES {
                return Err(NotFinite::TooLarge);
            }
            let values = self.values(store, sort)?;
            let longer = tuples.iter().flat_map(|tuple| {
                values.iter().map(move |&value| tuple.iter().copied().chain([value]).collect())
            });
            tuples = longer.collect();
        }
        Ok(tuples)
    }

    /// The formula written out.
    pub fn ground(&mut self, store: &mut TermStore, term: TermId) -> Result<TermId, NotFinite> {
        if let Some(&known) = self.known.get(&term) {
            return Ok(known);
        }
        let args = store.args(term).to_vec();
        let ground = match store.op(term).clone() {
            Op::Forall(bound) => self.quantifier(store, term, &bound, true)?,
            Op::Exists(bound) => self.quantifier(store, term, &bound, false)?,
            Op::Lambda(_) => return Err(NotFinite::Infinite("an array is computed as a whole".to_string())),
            Op::Eq if is_function(store, args[0]) => self.equality(store, args[0], args[1])?,
            Op::Ite if is_function(store, term) => {
                return Err(NotFinite::Infinite("an array is chosen as a whole".to_string()));
            }
            _ if args.is_empty() => term,
            op => {
                let mut parts = Vec::with_capacity(args.len());
                for arg in args {
                    parts.push(self.ground(store, arg)?);
                }
                store.mk(op, &parts)
            }
        };
        self.known.insert(term, ground);
        Ok(ground)
    }

    fn quantifier(
        &mut self,
        store: &mut TermStore,
        term: TermId,
        bound: &[SymbolId],
        is_universal: bool,
    ) -> Result<TermId, NotFinite> {
        let sorts: Vec<SortId> = bound.iter().map(|&symbol| store.symbol(symbol).sort).collect();
        let mut parts = Vec::new();
        for tuple in self.tuples(store, &sorts)? {
            self.instances += 1;
            if self.instances > MAX_INSTANCES {
                return Err(NotFinite::TooLarge);
            }
            let instance = store.instantiate(term, &tuple);
            parts.push(self.ground(store, instance)?);
        }
        Ok(if is_universal { store.mk_and(parts) } else { store.mk_or(parts) })
    }

    /// Arrays are compared at every place.
    fn equality(&mut self, store: &mut TermStore, left: TermId, right: TermId) -> Result<TermId, NotFinite> {
        let Sort::Function { args, .. } = store.sort(store.sort_of(left)).clone() else {
            return Err(NotFinite::Infinite("a comparison of arrays".to_string()));
        };
        let mut parts = Vec::new();
        for place in self.tuples(store, &args)? {
            let (left, right) = (store.mk_apply(left, &place), store.mk_apply(right, &place));
            let same = store.mk_eq(left, right);
            parts.push(self.ground(store, same)?);
        }
        Ok(store.mk_and(parts))
    }
}

fn is_function(store: &TermStore, term: TermId) -> bool {
    matches!(store.sort(store.sort_of(term)), Sort::Function { .. })
}
