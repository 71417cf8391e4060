//! The witness of a violated circuit property: the inputs for which it is false.

use tenet_term::{Model, Op, SymbolId, TermId, TermStore, Value};

/// The inputs of the last cycle that the property speaks of: they have the names of what it binds.
pub fn witness(store: &TermStore, property: TermId, inputs: &[(SymbolId, Value)]) -> Vec<Value> {
    let Op::Forall(bound) = store.op(property) else { return Vec::new() };
    let value = |&symbol: &SymbolId| {
        let (name, sort) = (&store.symbol(symbol).name, store.symbol(symbol).sort);
        let same = |input: SymbolId| store.symbol(input).name == *name && store.symbol(input).sort == sort;
        let input = inputs.iter().find(|(input, _)| same(*input)).map(|(_, value)| value.clone());
        input.unwrap_or_else(|| Model::new().default_value(store, sort))
    };
    bound.iter().map(value).collect()
}
