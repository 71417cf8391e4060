//! Makes a system with symbolic ranges finite for a comparison: variables of sort `Int` that are bound or chosen get a
//! small range instead. The range is larger than what any guard lets through, so a guard that is missing shows.

use tenet_system::System;
use tenet_term::{Op, Role, SortId, SymbolId, TermId, TermStore};

/// The system with every bound and chosen integer between `lo` and `hi`.
pub fn with_small_integers(system: &System, lo: i64, hi: i64) -> System {
    let mut system = system.clone();
    let range = system.store.range_sort(lo, hi);
    let store = &mut system.store;
    let mut rewrite = |term: &mut TermId| *term = small(store, *term, range);
    for rule in &mut system.rules {
        rewrite(&mut rule.guard);
        rule.updates.iter_mut().for_each(|(_, value)| rewrite(value));
    }
    for start in &mut system.starts {
        rewrite(&mut start.constraint);
        start.values.iter_mut().for_each(&mut rewrite);
    }
    system.properties.iter_mut().for_each(|property| rewrite(&mut property.formula));
    system.axioms.iter_mut().for_each(|axiom| rewrite(&mut axiom.formula));
    let params = system.rules.iter_mut().flat_map(|rule| &mut rule.params);
    for symbol in params.chain(system.starts.iter_mut().flat_map(|start| &mut start.params)) {
        *symbol = small_symbol(&mut system.store, *symbol, range);
    }
    system
}

fn small_symbol(store: &mut TermStore, symbol: SymbolId, range: SortId) -> SymbolId {
    let info = store.symbol(symbol).clone();
    let concerned = matches!(info.role, Role::Bound | Role::Input | Role::Initial);
    if info.sort == SortId::INT && concerned { store.declare(&info.name, range, info.role) } else { symbol }
}

fn small(store: &mut TermStore, term: TermId, range: SortId) -> TermId {
    store.rewrite_bottom_up(term, |store, subterm, args| {
        let op = store.op(subterm).clone();
        let mut bound = |symbols: &[SymbolId]| -> Box<[SymbolId]> {
            symbols.iter().map(|&symbol| small_symbol(store, symbol, range)).collect()
        };
        let op = match op {
            Op::Symbol(symbol) => Op::Symbol(small_symbol(store, symbol, range)),
            Op::Forall(symbols) => Op::Forall(bound(&symbols)),
            Op::Exists(symbols) => Op::Exists(bound(&symbols)),
            Op::Lambda(symbols) => Op::Lambda(bound(&symbols)),
            op => op,
        };
        store.raw(op, args)
    })
}
