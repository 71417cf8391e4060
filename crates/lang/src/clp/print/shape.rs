//! Recognises updates of arrays in terms.
//!
//! `<f,i,v>` is represented by the function that maps `u` to `u = i ? v : f[u]`, and `<f,i,v>[j]` by `j = i ? v : f[j]`. Readers
//! want to see the former.

use tenet_term::{Op, SymbolId, TermId, TermStore};

/// The outermost part of a function, as an expression for arrays.
pub enum Function {
    Plain(TermId),
    /// `<rest, places, value>`, where the rest is given by its body.
    Update {
        /// The places, one for each bound symbol.
        places: Vec<TermId>,
        value: TermId,
        /// The value elsewhere, in terms of the bound symbols.
        rest: TermId,
    },
    /// A choice between two functions, given by their bodies.
    Choice {
        condition: TermId,
        yes: TermId,
        no: TermId,
    },
}

/// Can the function with this body be written with updates alone?
pub fn is_array_expression(store: &TermStore, bound: &[SymbolId], body: TermId) -> bool {
    let mut bodies = vec![body];
    while let Some(body) = bodies.pop() {
        match function(store, bound, body) {
            None => return false,
            Some(Function::Plain(_)) => {}
            Some(Function::Update { rest, .. }) => bodies.push(rest),
            Some(Function::Choice { yes, no, .. }) => bodies.extend([yes, no]),
        }
    }
    true
}

/// The outermost part of a function with this body.
pub fn function(store: &TermStore, bound: &[SymbolId], body: TermId) -> Option<Function> {
    let is_free = |term: TermId| store.free_bound(term).iter().all(|symbol| !bound.contains(symbol));
    match (store.op(body), store.args(body)) {
        (Op::Apply, [function, args @ ..]) => {
            let is_same = args.len() == bound.len()
                && args.iter().zip(bound).all(|(&arg, &symbol)| store.as_symbol(arg) == Some(symbol));
            (is_same && is_free(*function)).then_some(Function::Plain(*function))
        }
        (Op::Ite, &[condition, yes, no]) if is_free(condition) => {
            Some(Function::Choice { condition, yes, no })
        }
        (Op::Ite, &[condition, value, rest]) if is_free(value) => {
            let equations = store.conjuncts(condition);
            let places =
                bound.iter().map(|&symbol| place(store, &equations, symbol).filter(|&at| is_free(at)));
            let places: Option<Vec<TermId>> = places.collect();
            let places = places.filter(|places| places.len() == equations.len())?;
            Some(Function::Update { places, value, rest })
        }
        _ => None,
    }
}

/// The term that a symbol equals.
fn place(store: &TermStore, equations: &[TermId], symbol: SymbolId) -> Option<TermId> {
    let sides = equations.iter().filter_map(|&equation| equation_sides(store, equation));
    let mut both = sides.flat_map(|(left, right)| [(left, right), (right, left)]);
    both.find(|&(side, _)| store.as_symbol(side) == Some(symbol)).map(|(_, other)| other)
}

fn equation_sides(store: &TermStore, equation: TermId) -> Option<(TermId, TermId)> {
    match (store.op(equation), store.args(equation)) {
        (Op::Eq, &[left, right]) => Some((left, right)),
        _ => None,
    }
}

/// `<<function, place, value>, place, value>[at]`, for functions of one argument.
pub struct Read {
    pub function: TermId,
    /// The updates, index and value, the outermost first.
    pub updates: Vec<(TermId, TermId)>,
    pub at: TermId,
}

/// Turns a choice back into what it was made of: a read of an updated array.
pub fn read_of_update(store: &TermStore, choice: TermId) -> Option<Read> {
    let (mut cases, mut rest) = (Vec::new(), choice);
    while let (Op::Ite, &[condition, value, otherwise]) = (store.op(rest), store.args(rest)) {
        cases.push((condition, value));
        rest = otherwise;
    }
    let (Op::Apply, &[function, at]) = (store.op(rest), store.args(rest)) else { return None };
    let updates =
        cases.into_iter().map(|(condition, value)| Some((other_side(store, condition, at)?, value)));
    Some(Read { function, updates: updates.collect::<Option<_>>()?, at })
}

/// The term that an equation says a term equals.
fn other_side(store: &TermStore, equation: TermId, side: TermId) -> Option<TermId> {
    let (left, right) = equation_sides(store, equation)?;
    match (left == side, right == side) {
        (true, _) => Some(right),
        (_, true) => Some(left),
        _ => None,
    }
}
