//! Programs that compute with numbers: arrays over integers, indices that are counted up and down, bounds.
//!
//! A step of such a program depends on one or two comparisons, but why it cannot break a lemma lies in others, which
//! the step does not look at: a swap leaves the first entries sorted because the places that it touches are behind
//! them. So a cube has all comparisons between numbers of one kind (`compare`), and of its many generalisations that no
//! explored state satisfies the cheapest one is taken (`choose`, `hitting`).

mod choose;
mod compare;
mod hitting;

pub use choose::choose;
pub use hitting::set;

use super::code::domain_sort;
use super::kind::{Kind, Kinds, Scope};
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;
use tenet_system::{Bounds, System};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

/// The sizes of the instances that are explored, how many states of each, and how many steps of random walks after that.
/// Lengths of arrays are about the size, so that what is true of short arrays only does not last.
pub const INSTANCES: [(u32, u64, usize); 6] = [
    (1, 1_000, 1_000),
    (2, 2_000, 2_000),
    (3, 4_000, 3_000),
    (5, 5_000, 5_000),
    (4, 10_000, 10_000),
    (6, 10_000, 10_000),
];
/// How many of them are explored at first.
pub const INITIAL_INSTANCES: usize = 4;

/// What can be compared in a system.
pub struct Numbers {
    kinds: Kinds,
    /// Parts of the state that are single values.
    scalars: Vec<TermId>,
    /// Integers that never change, and numbers that the model names, with the kinds of what they are compared with.
    fixed: Vec<(TermId, Vec<Kind>)>,
    arrays: Vec<Array>,
    ranks: Vec<(SortId, TermId)>,
    /// Which literals of the last cube were needed for its step, and their parts.
    needed: Vec<TermId>,
    mentioned: FxHashSet<TermId>,
    /// Literals of the last cube that only say which places an array has, with the variable that they are about.
    places: Vec<(SymbolId, TermId)>,
}

struct Array {
    symbol: SymbolId,
    bounds: Vec<Bounds>,
}

impl Numbers {
    /// What there is to be compared; nothing in a system whose arrays have other places than numbers.
    pub fn new(system: &mut System) -> Option<Numbers> {
        let mut arrays = Vec::new();
        let mut scalars = Vec::new();
        let is_rank = |symbol: &SymbolId| system.orders.iter().any(|order| order.rank == *symbol);
        let given = system.consts.iter().copied().filter(|symbol| !is_rank(symbol));
        let given = given.map(|symbol| (symbol, Vec::new()));
        let state = system.state.iter().map(|var| (var.symbol, var.args.clone()));
        let store = &mut system.store;
        for (symbol, bounds) in state.chain(given) {
            let info = store.symbol(symbol).clone();
            let Sort::Function { args, .. } = store.sort(info.sort).clone() else {
                scalars.extend((info.role == Role::State).then(|| store.mk_symbol(symbol)));
                continue;
            };
            if args.iter().any(|&sort| domain_sort(store, sort) != SortId::INT) {
                return None;
            }
            let bounds = bounds.into_iter().chain(std::iter::repeat(Bounds::default()));
            let bounds = args.iter().zip(bounds).map(|(&sort, bounds)| declared(store, sort, bounds));
            arrays.push(Array { symbol, bounds: bounds.collect() });
        }
        if arrays.is_empty() {
            return None;
        }
        let ranks = system.orders.iter().map(|order| (order.sort, store.mk_symbol(order.rank))).collect();
        let mut kinds = Kinds::new(system);
        let fixed = fixed(system, &mut kinds);
        let (needed, mentioned, places) = (Vec::new(), FxHashSet::default(), Vec::new());
        Some(Numbers { kinds, scalars, fixed, arrays, ranks, needed, mentioned, places })
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

/// Values for the constants in instances of some size: from the least ones on, once alike and once not, or near the middle
/// of what is tried for other integers if there is no least one.
pub fn constants(system: &System, size: u32) -> Vec<Vec<(String, i64)>> {
    let store = &system.store;
    let is_number = |symbol: &&SymbolId| store.sort(store.symbol(**symbol).sort).is_numeric();
    let numbers: Vec<SymbolId> = system.consts.iter().filter(is_number).copied().collect();
    let values = |more: &dyn Fn(usize) -> i64| {
        let numbers = numbers.iter().enumerate();
        let named = numbers.map(|(place, &symbol)| {
            let lower = system.axioms.iter().filter_map(|axiom| least(store, axiom.formula, symbol)).max();
            let value = lower.map_or(more(place) / 2, |lower| lower + more(place));
            (store.symbol(symbol).name.clone(), value)
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

/// The numbers that never change, and what kinds of numbers rules and properties compare them with.
fn fixed(system: &System, kinds: &mut Kinds) -> Vec<(TermId, Vec<Kind>)> {
    let store = &system.store;
    let rules = system.rules.iter();
    let rules = rules.flat_map(|rule| rule.updates.iter().map(|&(_, value)| value).chain([rule.guard]));
    let properties = system.properties.iter().map(|property| property.formula);
    let mut found: Vec<(TermId, Vec<Kind>)> = Vec::new();
    for comparison in store.subterms_of_all(rules.chain(properties)) {
        let (Op::Le | Op::Lt | Op::Eq, &[a, b]) = (store.op(comparison), store.args(comparison)) else {
            continue;
        };
        for (number, other) in [(a, b), (b, a)] {
            let Some(number) = fixed_in(store, number) else { continue };
            for part in reads(store, other) {
                let Some(kind) = kinds.of(store, part, &mut Scope::default()) else { continue };
                match found.iter_mut().find(|(known, _)| *known == number) {
                    Some((_, known)) if known.contains(&kind) => {}
                    Some((_, known)) => known.push(kind),
                    None => found.push((number, vec![kind])),
                }
            }
        }
    }
    found
}

/// The parts of the state that a number is computed from.
fn reads(store: &TermStore, number: TermId) -> Vec<TermId> {
    let (mut found, mut open) = (Vec::new(), vec![number]);
    while let Some(term) = open.pop() {
        match store.op(term) {
            Op::Symbol(symbol) if store.symbol(*symbol).role == Role::State => found.push(term),
            Op::Apply => found.push(term),
            Op::Add | Op::Neg | Op::Mul => open.extend(store.args(term)),
            _ => {}
        }
    }
    found
}

/// A constant, also if something is added to it; a literal on its own.
fn fixed_in(store: &TermStore, term: TermId) -> Option<TermId> {
    if store.as_int(term).is_some() {
        return Some(term);
    }
    let is_constant =
        |part: &TermId| store.as_symbol(*part).is_some_and(|symbol| store.symbol(symbol).role == Role::Const);
    let mut parts = store.subterms(term).into_iter().filter(|&part| store.as_symbol(part).is_some());
    let (one, None) = (parts.next()?, parts.next()) else { return None };
    Some(one).filter(|part| is_constant(part) && store.sort(store.sort_of(*part)).is_integer())
}

/// The bounds of a place, those of its sort included.
fn declared(store: &mut TermStore, sort: SortId, bounds: Bounds) -> Bounds {
    let Sort::Range { lo, hi, .. } = store.sort(sort).clone() else { return bounds };
    let lo = bounds.lo.or_else(|| lo.map(|lo| store.mk_int(lo)));
    let hi = bounds.hi.or_else(|| hi.map(|hi| store.mk_int(hi)));
    Bounds { lo, hi }
}
