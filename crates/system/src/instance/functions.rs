//! Functions in an instance that are not part of the state: constants, and parameters.
//!
//! A function over integers has infinitely many cells, of which those within its bounds matter. A constant's bounds are
//! in the axiom that the front end makes of its declaration, and a parameter stands for a part of the state (an array that
//! is left undefined), so it has the bounds of that.
//!
//! Constants other than numbers are chosen at the start and kept in slots of their own; axioms about them are
//! assumptions, which excludes the choices that are not meant.

use super::bounds::facts;
use super::expr::{Region, Translator};
use super::{InstanceError, Shape};
use crate::finite::program::{Expr, Param, Place, Stmt};
use crate::system::{Bounds, System};
use std::collections::BTreeSet;
use tenet_term::{Op, Sort, SymbolId, TermId, TermStore};

/// In a sample, constants take all combinations of values up to this many.
const MAX_CONSTANT_CHOICES: u64 = 512;

/// The constants that are chosen at the start: functions, truth values, and members of enumerations.
pub(super) fn chosen(system: &System) -> Vec<SymbolId> {
    let store = &system.store;
    let given: BTreeSet<SymbolId> = system
        .definitions
        .iter()
        .map(|definition| definition.symbol)
        .chain(system.orders.iter().map(|order| order.rank))
        .collect();
    let is_chosen = |symbol: &&SymbolId| {
        let sort = store.sort(store.symbol(**symbol).sort);
        matches!(sort, Sort::Function { .. } | Sort::Bool | Sort::Enum { .. }) && !given.contains(symbol)
    };
    system.consts.iter().filter(is_chosen).copied().collect()
}

impl Translator {
    /// Gives each constant that is chosen its slots, behind those of the state.
    pub(super) fn lay_out_chosen(&mut self, system: &System) -> Result<(), InstanceError> {
        for symbol in chosen(system) {
            let declared = declared(system, symbol);
            // In a sample it does no harm if other cells are missing.
            let stored = || self.choices.map(|_| stored(system, symbol)).unwrap_or_default();
            let shape = declared.unwrap_or_else(stored);
            self.lay_out(symbol, &shape)?;
        }
        Ok(())
    }

    /// Parameters that choose the constants, and what is to be done at the end of the startstate to keep the choice. Until
    /// then the constants are read from where `unpack` puts them.
    pub(super) fn choose(
        &mut self,
        system: &System,
        params: &mut Vec<Param>,
        unpack: &mut Vec<Stmt>,
    ) -> Result<Kept, InstanceError> {
        let symbols = chosen(system);
        let slots: Vec<Region> = symbols.iter().map(|symbol| self.arrays[symbol].clone()).collect();
        if self.choices.is_some() && self.combinations(&symbols, &[]) > MAX_CONSTANT_CHOICES {
            self.seeded(&symbols, &[], params, unpack)?;
        } else {
            symbols.iter().try_for_each(|&symbol| self.param(symbol, &[], params, unpack))?;
        }
        let mut kept = Kept::default();
        for (symbol, slots) in symbols.into_iter().zip(slots) {
            let here = self.arrays[&symbol].base;
            for position in 0..slots.len() {
                let scalar = self.vars.get(&symbol).map(|&var| Expr::Var(var));
                let value = scalar.unwrap_or_else(|| Expr::LoadDefined(Place::slot(here + position)));
                kept.stores.push(Stmt::Store(Place::slot(slots.base + position), value));
            }
            kept.regions.push((symbol, slots));
        }
        Ok(kept)
    }

    /// From now on the chosen constants are read from where they stay.
    pub(super) fn settle(&mut self, regions: Vec<(SymbolId, Region)>) {
        for (symbol, region) in regions {
            self.vars.remove(&symbol);
            self.arrays.insert(symbol, region);
        }
    }

    /// The bounds of a parameter that is a function: those of the part of the state that it is stored in.
    pub(super) fn shape_of_param(&self, symbol: SymbolId, updates: &[(SymbolId, TermId)]) -> Shape {
        let (sorts, _) = self.signature(self.store.symbol(symbol).sort);
        let fits = |&&(state, term): &&(SymbolId, TermId)| {
            let (outer, _) = self.signature(self.store.symbol(state).sort);
            let term_of = |part: TermId| self.store.as_symbol(part) == Some(symbol);
            !sorts.is_empty() && outer.ends_with(&sorts) && self.store.subterms(term).into_iter().any(term_of)
        };
        let Some((state, _)) = updates.iter().find(fits) else { return Shape::default() };
        let shape = &self.shapes[state];
        // Rows of the array are chosen if the parameter has fewer arguments.
        let first = shape.args.len().saturating_sub(sorts.len());
        Shape { args: shape.args[first..].to_vec(), value: shape.value }
    }
}

/// What is to be done with the chosen constants at the end of a startstate.
#[derive(Default)]
pub(super) struct Kept {
    /// Puts them where they stay.
    pub(super) stores: Vec<Stmt>,
    pub(super) regions: Vec<(SymbolId, Region)>,
}

/// The bounds of a constant function, from the axiom `forall x. lo <= x & x <= hi -> least <= f(x) & f(x) <= greatest`.
fn declared(system: &System, symbol: SymbolId) -> Option<Shape> {
    // What users say about some of its cells bounds nothing.
    let name = format!("`{}` keeps its bounds", system.store.symbol(symbol).name);
    let axiom = system.axioms.iter().find(|axiom| axiom.name == name);
    axiom.and_then(|axiom| declared_by(&system.store, axiom.formula, symbol))
}

/// Without such an axiom, the bounds of the part of the state that starts as this constant: other cells are never seen
/// there.
fn stored(system: &System, symbol: SymbolId) -> Shape {
    let is_it = |start: &&crate::system::Start, place: usize| {
        system.store.as_symbol(start.values[place]) == Some(symbol)
    };
    let holds = |&place: &usize| system.starts.iter().any(|start| is_it(&start, place));
    let place = (0..system.state.len()).find(holds);
    let var = place.map(|place| &system.state[place]);
    var.map_or_else(Shape::default, |var| Shape { args: var.args.clone(), value: var.value })
}

fn declared_by(store: &TermStore, axiom: TermId, symbol: SymbolId) -> Option<Shape> {
    let Op::Forall(bound) = store.op(axiom) else { return None };
    let body = store.args(axiom)[0];
    let is_cell = |&part: &TermId| {
        *store.op(part) == Op::Apply
            && store.as_symbol(store.args(part)[0]) == Some(symbol)
            && store.args(part)[1..]
                .iter()
                .all(|&arg| store.as_symbol(arg).is_some_and(|arg| bound.contains(&arg)))
    };
    let cell = store.subterms(body).into_iter().find(is_cell)?;
    let mut known = facts(store, true, body);
    known.extend(store.conjuncts(consequent(store, body)));
    let bounds = |of: TermId| bounds_of(store, of, &known);
    Some(Shape { args: store.args(cell)[1..].iter().map(|&arg| bounds(arg)).collect(), value: bounds(cell) })
}

fn consequent(store: &TermStore, mut body: TermId) -> TermId {
    while *store.op(body) == Op::Implies {
        body = store.args(body)[1];
    }
    body
}

/// The bounds that facts of the form `t <= of` and `of <= t` give, where `t` mentions nothing that is bound.
fn bounds_of(store: &TermStore, of: TermId, facts: &[TermId]) -> Bounds {
    let mut bounds = Bounds::default();
    for &fact in facts.iter().filter(|&&fact| *store.op(fact) == Op::Le) {
        let [low, high] = *store.args(fact) else { continue };
        if high == of && store.free_bound(low).is_empty() {
            bounds.lo = Some(low);
        } else if low == of && store.free_bound(high).is_empty() {
            bounds.hi = Some(high);
        }
    }
    bounds
}
