//! The size of a design after the reduction to the cone of influence: registers and gates (Clarke et al., table 1).

use super::concrete::Concrete;
use tenet_solve::{bits_of, gate_count};
use tenet_term::{TermId, TermStore};

/// The bits of the registers and memories of the cone; `None` if one has no bits.
pub fn register_bits(store: &TermStore, concrete: &Concrete) -> Option<usize> {
    concrete.cone.iter().map(|&register| bits_of(store, store.symbol(register).sort)).sum()
}

/// The gates that compute the next values of these, the property and what is assumed.
pub fn gates(store: &TermStore, concrete: &Concrete) -> Option<usize> {
    let next = concrete.cone.iter().map(|&register| concrete.next_value(register));
    let terms: Vec<TermId> = next.chain([concrete.bad, concrete.circuit.constraint]).collect();
    gate_count(store, &terms)
}
