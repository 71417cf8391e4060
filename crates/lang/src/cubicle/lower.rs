//! From a checked model to a transition system.
//!
//! Different process variables of a transition or a cube are different processes; this is part of guards and premises.
//! Invariants of the file are never assumed, since a wrong one would give a wrong verdict; but those over constants
//! alone restrict these, and are axioms.

use super::check::{Cube, Model};
use tenet_system::finite::program::Source;
use tenet_system::{Axiom, Bounds, Order, Property, PropertyKind, Rule, StateVar, System};
use tenet_term::{Role, Sort, SymbolId, TermId, TermStore};

mod init;

/// The name of the axiom that processes are in an order.
const ORDER_AXIOM: &str = "processes are in a total order";

/// The system of a checked model without errors.
pub fn lower(model: Model) -> System {
    let mut system = System { store: model.store, consts: model.consts, ..System::default() };
    system.state = model.state.iter().map(|&symbol| state_var(&system.store, symbol)).collect();
    if let Some(order) = model.order {
        add_order(&mut system, order);
    }
    init::add_starts(&mut system, &model.init, model.apart);
    let apart = model.apart;
    for transition in model.transitions {
        let distinct = distinct(&mut system.store, &transition.processes, apart);
        let guard = system.store.mk_and([distinct, transition.guard]);
        let shown_params = transition.processes.len();
        let mut params = transition.processes;
        params.extend(transition.choices);
        let source = Source { start: transition.span.start, end: transition.span.end };
        let (name, updates) = (transition.name, transition.updates);
        system.rules.push(Rule { name, source, params, shown_params, guard, updates });
    }
    for (position, cube) in model.unsafes.iter().enumerate() {
        let name = if position == 0 { "unsafe".to_string() } else { format!("unsafe {}", position + 1) };
        let formula = never(&mut system.store, cube, apart);
        let property = Property { name, source: source(cube), kind: PropertyKind::Invariant, formula };
        system.properties.push(property);
    }
    for (position, cube) in model.invariants.iter().enumerate() {
        let name =
            if position == 0 { "invariant".to_string() } else { format!("invariant {}", position + 1) };
        let formula = never(&mut system.store, cube, apart);
        match speaks_of_state(&system.store, formula) {
            true => system.candidates.push(formula),
            false => system.axioms.push(Axiom { name, source: source(cube), formula }),
        }
    }
    system
}

fn source(cube: &Cube) -> Source {
    Source { start: cube.span.start, end: cube.span.end }
}

fn state_var(store: &TermStore, symbol: SymbolId) -> StateVar {
    let args = match store.sort(store.symbol(symbol).sort) {
        Sort::Function { args, .. } => args.len(),
        _ => 0,
    };
    StateVar { symbol, args: vec![Bounds::default(); args], value: Bounds::default() }
}

fn add_order(system: &mut System, order: Order) {
    system.orders.push(order);
    system.consts.push(order.rank);
    let formula = order.axiom(&mut system.store);
    system.axioms.push(Axiom { name: ORDER_AXIOM.to_string(), source: Source::default(), formula });
}

/// That the variables are distinct processes, and none of them is the one apart.
fn distinct(store: &mut TermStore, symbols: &[SymbolId], apart: Option<SymbolId>) -> TermId {
    let terms: Vec<TermId> = symbols.iter().chain(&apart).map(|&symbol| store.mk_symbol(symbol)).collect();
    if symbols.is_empty() || terms.len() < 2 { TermId::TRUE } else { store.mk_distinct(&terms) }
}

/// That the cube holds for no distinct processes.
fn never(store: &mut TermStore, cube: &Cube, apart: Option<SymbolId>) -> TermId {
    let distinct = distinct(store, &cube.variables, apart);
    let not = store.mk_not(cube.formula);
    let guarded = store.mk_implies(distinct, not);
    store.mk_forall(&cube.variables, guarded)
}

fn speaks_of_state(store: &TermStore, formula: TermId) -> bool {
    store.symbols_in(formula).into_iter().any(|symbol| store.symbol(symbol).role == Role::State)
}
