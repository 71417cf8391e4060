//! Programs that compute with numbers: arrays over integers, indices that are counted up and down, bounds.
//!
//! A step of such a program depends on one or two comparisons, but why it cannot break a lemma lies in others, which the
//! step does not look at: a swap leaves the first entries sorted because the places that it touches are behind them. So a
//! cube has all comparisons between numbers of one kind (`compare`), and of its many parts that no explored state
//! satisfies the cheapest one is taken (`choose`, `hitting`).

mod choose;
mod compare;
mod hitting;

pub use choose::choose;

use super::code::domain_sort;
use super::kind::Kinds;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;
use tenet_system::{Bounds, System};
use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

/// What there is to be compared in a system.
pub struct Numbers {
    kinds: Kinds,
    /// Parts of the state that are single values.
    scalars: Vec<TermId>,
    /// Integers that never change.
    consts: Vec<TermId>,
    /// The arrays of the state.
    arrays: Vec<Array>,
    /// The ranks of ordered sorts.
    ranks: Vec<(SortId, TermId)>,
    /// Numbers that the model names.
    literals: Vec<TermId>,
    /// Which literals of the last cube were needed for its step, and their parts.
    needed: Vec<TermId>,
    mentioned: FxHashSet<TermId>,
    /// Literals of the last cube that only say which places an array has, with the variable that they are about.
    places: Vec<(SymbolId, TermId)>,
}

/// An array of the state.
struct Array {
    symbol: SymbolId,
    /// The bounds of its places.
    bounds: Vec<Bounds>,
}

/// So many different numbers of a model are compared with.
const MOST_LITERALS: usize = 1;

impl Numbers {
    /// What there is to be compared; nothing in a system whose arrays have other places than numbers.
    pub fn new(system: &mut System) -> Option<Numbers> {
        let mut arrays = Vec::new();
        let mut scalars = Vec::new();
        for var in &system.state {
            let store = &mut system.store;
            let Sort::Function { args, .. } = store.sort(store.symbol(var.symbol).sort).clone() else {
                scalars.push(store.mk_symbol(var.symbol));
                continue;
            };
            if args.iter().any(|&sort| domain_sort(store, sort) != SortId::INT) {
                return None;
            }
            let bounds = args.iter().zip(&var.args).map(|(&sort, &bounds)| declared(store, sort, bounds));
            arrays.push(Array { symbol: var.symbol, bounds: bounds.collect() });
        }
        if arrays.is_empty() {
            return None;
        }
        let store = &mut system.store;
        let is_integer = |symbol: &&SymbolId| store.sort(store.symbol(**symbol).sort).is_integer();
        let consts: Vec<SymbolId> = system.consts.iter().filter(is_integer).copied().collect();
        let mut consts: Vec<TermId> = consts.into_iter().map(|symbol| store.mk_symbol(symbol)).collect();
        let ranks = system.orders.iter().map(|order| (order.sort, store.mk_symbol(order.rank))).collect();
        let used: FxHashSet<TermId> = used(system).into_iter().collect();
        consts.retain(|term| used.contains(term));
        let literals = literals(system);
        let kinds = Kinds::new(system);
        let (needed, mentioned, places) = (Vec::new(), FxHashSet::default(), Vec::new());
        Some(Numbers { kinds, scalars, consts, arrays, ranks, literals, needed, mentioned, places })
    }

    /// Does a literal speak of nothing but what the step of the last cube looks at?
    fn mentions(&self, store: &TermStore, literal: TermId) -> bool {
        let mut parts = store.subterms(literal).into_iter();
        parts.all(|part| {
            let is_named = matches!(store.op(part), Op::Symbol(_));
            !matches!(store.op(part), Op::Int(_)) && (!is_named || self.mentioned.contains(&part))
        })
    }
}

/// Values for the constants in instances of some size, from the least ones on: once they are alike, and once they are not.
pub fn constants(system: &System, size: u32) -> Vec<Vec<(String, i64)>> {
    let store = &system.store;
    let is_number = |symbol: &&SymbolId| store.sort(store.symbol(**symbol).sort).is_numeric();
    let numbers: Vec<SymbolId> = system.consts.iter().filter(is_number).copied().collect();
    let values = |more: &dyn Fn(usize) -> i64| {
        let numbers = numbers.iter().enumerate();
        let named = numbers.map(|(place, &symbol)| {
            let lower = system.axioms.iter().filter_map(|axiom| least(store, axiom.formula, symbol)).max();
            (store.symbol(symbol).name.clone(), lower.unwrap_or(1) + more(place))
        });
        named.collect::<Vec<(String, i64)>>()
    };
    let more = i64::from(size) - 1;
    let alike = values(&|_| more);
    let mixed = values(&|place| (more + 2 * place as i64) % (more + 2 + place as i64 % 2));
    if alike == mixed { vec![alike] } else { vec![alike, mixed] }
}

/// The number that a constant is not below, if a formula says so.
fn least(store: &TermStore, formula: TermId, symbol: SymbolId) -> Option<i64> {
    let bounds =
        store.conjuncts(formula).into_iter().filter_map(|part| match (store.op(part), store.args(part)) {
            (Op::Le, &[low, high]) if store.as_symbol(high) == Some(symbol) => store.as_int(low)?.to_i64(),
            (Op::Lt, &[low, high]) if store.as_symbol(high) == Some(symbol) => {
                Some(store.as_int(low)?.to_i64()? + 1)
            }
            _ => None,
        });
    bounds.max()
}

/// What rules and properties speak of.
fn used(system: &System) -> Vec<TermId> {
    let rules = system.rules.iter();
    let rules = rules.flat_map(|rule| rule.updates.iter().map(|&(_, value)| value).chain([rule.guard]));
    let properties = system.properties.iter().map(|property| property.formula);
    system.store.subterms_of_all(rules.chain(properties))
}

/// The numbers that occur in a system, the smallest first.
fn literals(system: &System) -> Vec<TermId> {
    let store = &system.store;
    let is_number = |term: &TermId| matches!(store.op(*term), Op::Int(_));
    let mut found: Vec<TermId> =
        store.subterms_of_all(system.terms()).into_iter().filter(is_number).collect();
    found.sort_by_key(|&term| (store.as_int(term).map(|value| value.magnitude().clone()), term));
    found.truncate(MOST_LITERALS);
    found
}

/// The bounds of a place, those of its sort included.
fn declared(store: &mut TermStore, sort: SortId, bounds: Bounds) -> Bounds {
    let Sort::Range { lo, hi, .. } = store.sort(sort).clone() else { return bounds };
    let lo = bounds.lo.or_else(|| lo.map(|lo| store.mk_int(lo)));
    let hi = bounds.hi.or_else(|| hi.map(|hi| store.mk_int(hi)));
    Bounds { lo, hi }
}
