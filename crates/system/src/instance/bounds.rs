//! Finite extents of integer variables, read off the guards that go with them.
//!
//! A variable over a symbolic range is an integer with a guard such as `1 <= i & i <= N` (QI-T5). In an instance
//! `N` has a value, so the guard gives the few values that matter: outside them a universal body is true, an existential
//! one false, and a rule cannot be taken.

use super::InstanceError;
use super::domains::{Domains, Extent};
use tenet_term::{Op, SymbolId, TermId, TermStore};

/// What is known when the body of a quantifier matters: its antecedents, or the conjuncts of an existential one.
pub(super) fn facts(store: &TermStore, universal: bool, body: TermId) -> Vec<TermId> {
    if !universal {
        return store.conjuncts(body);
    }
    let mut known = Vec::new();
    let mut rest = body;
    while *store.op(rest) == Op::Implies {
        let [antecedent, consequent] = *store.args(rest) else { break };
        known.extend(store.conjuncts(antecedent));
        rest = consequent;
    }
    known
}

/// The values of a variable, if there are not too many.
pub(super) fn finite(store: &TermStore, symbol: SymbolId, extent: Extent) -> Result<Extent, InstanceError> {
    if extent.lo <= extent.hi && extent.count() > u64::from(u32::MAX) {
        return Err(InstanceError::Infinite(format!("the variable {}", store.symbol(symbol).name)));
    }
    Ok(extent)
}

impl Domains {
    /// The values of an integer or other scalar symbol, given what is known of it.
    pub(super) fn extent_given(
        &self,
        store: &TermStore,
        symbol: SymbolId,
        facts: &[TermId],
    ) -> Result<Extent, InstanceError> {
        finite(store, symbol, self.values_given(store, symbol, facts)?)
    }

    /// The same, however many they are.
    pub(super) fn values_given(
        &self,
        store: &TermStore,
        symbol: SymbolId,
        facts: &[TermId],
    ) -> Result<Extent, InstanceError> {
        let info = store.symbol(symbol);
        let mut extent = self.extent(store, info.sort)?;
        if store.sort(info.sort).is_integer() {
            facts.iter().for_each(|&fact| self.narrow(store, symbol, fact, &mut extent));
        }
        Ok(extent)
    }

    /// Uses a fact of the form `t <= symbol`, `symbol <= t`, or strictly so, with a constant `t`.
    fn narrow(&self, store: &TermStore, symbol: SymbolId, fact: TermId, extent: &mut Extent) {
        let strict = match store.op(fact) {
            Op::Le => 0,
            Op::Lt => 1,
            _ => return,
        };
        let [low, high] = *store.args(fact) else { return };
        let is_symbol = |term| store.as_symbol(term) == Some(symbol);
        if is_symbol(high) {
            let bound = self.evaluate(store, low).ok().and_then(|bound| bound.checked_add(strict));
            extent.lo = bound.map_or(extent.lo, |bound| extent.lo.max(bound));
        } else if is_symbol(low) {
            let bound = self.evaluate(store, high).ok().and_then(|bound| bound.checked_sub(strict));
            extent.hi = bound.map_or(extent.hi, |bound| extent.hi.min(bound));
        }
    }
}
