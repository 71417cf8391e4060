//! Literals that suffice for a formula, read off a model of it.

use rustc_hash::{FxHashMap, FxHashSet};
use tenet_term::{Model, Op, TermId, TermStore};

/// Literals that hold in the model and together imply the formula, which has to hold in it. They have no `?:` inside:
/// the branch that the model takes stands in its place, and its condition is among the literals. `None` if something
/// has no value in the model.
pub fn implicant(store: &mut TermStore, formula: TermId, model: &Model) -> Option<Vec<TermId>> {
    let mut found = Found { literals: Vec::new(), open: vec![(formula, true)] };
    while let Some((formula, is_true)) = found.open.pop() {
        visit(store, formula, is_true, model, &mut found)?;
    }
    let mut literals = found.literals;
    literals.sort_unstable();
    literals.dedup();
    Some(literals)
}

/// A term without `?:`, equal in the model; and the literals on which that rests.
pub fn resolve(store: &mut TermStore, term: TermId, model: &Model) -> Option<(TermId, Vec<TermId>)> {
    let mut found = Found { literals: Vec::new(), open: Vec::new() };
    let term = branches(store, term, model, &mut found)?;
    while let Some((formula, is_true)) = found.open.pop() {
        visit(store, formula, is_true, model, &mut found)?;
    }
    Some((term, found.literals))
}

struct Found {
    literals: Vec<TermId>,
    /// Formulas with their values.
    open: Vec<(TermId, bool)>,
}

fn visit(
    store: &mut TermStore,
    formula: TermId,
    is_true: bool,
    model: &Model,
    found: &mut Found,
) -> Option<()> {
    let args = store.args(formula).to_vec();
    match (store.op(formula).clone(), is_true) {
        (Op::Bool(_), _) => {}
        (Op::Not, _) => found.open.push((args[0], !is_true)),
        (Op::And, true) => found.open.extend(args.iter().map(|&arg| (arg, true))),
        (Op::Or, false) => found.open.extend(args.iter().map(|&arg| (arg, false))),
        (Op::And | Op::Or, _) => {
            let one = one_that_is(store, &args, is_true, model)?;
            found.open.push((one, is_true));
        }
        (Op::Implies, false) => found.open.extend([(args[0], true), (args[1], false)]),
        (Op::Implies, true) => match model.holds(store, args[1]).ok()? {
            true => found.open.push((args[1], true)),
            false => found.open.push((args[0], false)),
        },
        (Op::Iff, _) => {
            for arg in args {
                found.open.push((arg, model.holds(store, arg).ok()?));
            }
        }
        (Op::Ite, _) => {
            let condition = model.holds(store, args[0]).ok()?;
            found.open.push((args[0], condition));
            found.open.push((if condition { args[1] } else { args[2] }, is_true));
        }
        _ => literal(store, formula, is_true, model, found)?,
    }
    Some(())
}

/// The operand with the value that is smallest.
fn one_that_is(store: &TermStore, args: &[TermId], is_true: bool, model: &Model) -> Option<TermId> {
    for &arg in args {
        if model.holds(store, arg).ok()? == is_true {
            return Some(arg);
        }
    }
    None
}

fn literal(
    store: &mut TermStore,
    atom: TermId,
    is_true: bool,
    model: &Model,
    found: &mut Found,
) -> Option<()> {
    let atom = branches(store, atom, model, found)?;
    if let (Op::Distinct, args) = (store.op(atom).clone(), store.args(atom).to_vec())
        && is_true
    {
        for (position, &left) in args.iter().enumerate() {
            for &right in &args[position + 1..] {
                found.literals.push(store.mk_ne(left, right));
            }
        }
        return Some(());
    }
    if store.op(atom).is_connective() {
        // What is left of it may have become a formula.
        found.open.push((atom, is_true));
        return Some(());
    }
    let literal = if is_true { atom } else { store.mk_not(atom) };
    if literal != TermId::TRUE {
        found.literals.push(literal);
    }
    Some(())
}

/// The term with the branches that the model takes, outermost first: conditions inside the other ones do not matter.
fn branches(store: &mut TermStore, mut term: TermId, model: &Model, found: &mut Found) -> Option<TermId> {
    loop {
        let choices = outermost_choices(store, term);
        if choices.is_empty() {
            return Some(term);
        }
        let mut taken: FxHashMap<TermId, TermId> = FxHashMap::default();
        for choice in choices {
            let [condition, yes, no] = store.args(choice)[..] else { continue };
            let holds = model.holds(store, condition).ok()?;
            found.open.push((condition, holds));
            taken.insert(choice, if holds { yes } else { no });
        }
        term = store.replace(term, |part| taken.get(&part).copied());
    }
}

/// The `?:` of a term that are in no other one.
fn outermost_choices(store: &TermStore, term: TermId) -> Vec<TermId> {
    let (mut open, mut seen, mut choices) = (vec![term], FxHashSet::default(), Vec::new());
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match store.op(term) {
            Op::Ite => choices.push(term),
            _ => open.extend(store.args(term)),
        }
    }
    choices
}
