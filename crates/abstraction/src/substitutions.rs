//! Substitutions for index variables, generated from the model.
//!
//! The invariant found so far is a formula for all values of the index variables; a step uses it at finitely many. Which
//! ones matter is read off the formulas themselves: if a predicate looks at `f[x]`, then every term at which the step
//! looks at `f` is worth instantiating `x` with, and so is every term that a predicate compares `x` with. Too many do no
//! harm but to the speed (QI-A7); too few make the result weaker, never wrong. Deepening looks at the predicates
//! once more after they have been instantiated, which finds terms such as `q[pos[c]]`.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tenet_system::{Hint, HintTarget, IndexVar};
use tenet_term::{Op, Role, Substitution, SymbolId, TermId, TermStore};

/// Substitutions for one step; the rest is cut off, and a warning says so.
const MAX_SUBSTITUTIONS: usize = 160;

/// Distinct subterms of a candidate: larger terms come from deepening without end.
const MAX_TERM_SIZE: usize = 12;

#[derive(Clone, Copy, Debug)]
pub struct Sources<'a> {
    pub vars: &'a [IndexVar],
    /// The predicates, over the index variables.
    pub predicates: &'a [TermId],
    /// What the step looks at: its guard and the predicates after it.
    pub formulas: &'a [TermId],
    /// Hints of the user that are about this step.
    pub hints: &'a [&'a Hint],
    /// Do the index variables themselves mean something here? They do in a step, where they are what the predicates
    /// after it are about, and do not where a property is checked.
    pub identity: bool,
    /// How often to look again at the predicates as instantiated.
    pub depth: usize,
}

#[derive(Clone, Debug, Default)]
pub struct Generated {
    /// In order of size, the simplest first.
    pub substitutions: Vec<Substitution>,
    /// Were there more than the budget allows?
    pub cut: bool,
}

pub fn generate(store: &mut TermStore, sources: &Sources) -> Generated {
    let shapes: Vec<Shape> = sources.vars.iter().map(|var| Shape::of(store, var.symbol, sources)).collect();
    let mut formulas = sources.formulas.to_vec();
    let mut generated = Generated::default();
    for round in 0..=sources.depth {
        let candidates = candidates(store, sources, &shapes, &formulas);
        generated = combine(store, sources, &shapes, &candidates);
        if round < sources.depth {
            formulas = sources.formulas.to_vec();
            for substitution in &generated.substitutions {
                let seen = sources.predicates.iter();
                formulas.extend(seen.map(|&predicate| store.substitute(predicate, substitution)));
            }
        }
    }
    add_forced(store, sources, &mut generated);
    generated
}

/// Only the substitutions that hints force. A variable that no hint is about stays as it is. There are none if hints
/// forbid everything.
pub fn forced(store: &mut TermStore, sources: &Sources) -> Generated {
    let mut candidates: Vec<Vec<TermId>> = sources
        .vars
        .iter()
        .map(|var| single_hints(sources, var.symbol, true).collect::<Vec<TermId>>())
        .collect();
    let tuples = sources.hints.iter().filter(|hint| is_tuple(hint)).count();
    if tuples > 0 && candidates.iter().all(Vec::is_empty) {
        let mut generated = Generated::default();
        add_forced(store, sources, &mut generated);
        return generated;
    }
    for (own, var) in candidates.iter_mut().zip(sources.vars) {
        if own.is_empty() {
            own.push(store.mk_symbol(var.symbol));
        }
        let forbidden: Vec<TermId> = single_hints(sources, var.symbol, false).collect();
        own.retain(|term| !forbidden.contains(term));
    }
    let mut generated = Generated::default();
    let mut found = IndexSet::default();
    product(&candidates, &mut |tuple| {
        found.insert(tuple.to_vec());
    });
    push_all(store, sources, found, usize::MAX, &mut generated);
    add_forced(store, sources, &mut generated);
    generated
}

/// How a variable is used in the predicates.
#[derive(Clone, Debug, Default)]
struct Shape {
    /// Functions, with the argument slot, that are applied to it.
    slots: IndexSet<(TermId, usize), FxBuildHasher>,
    compared: IndexSet<TermId, FxBuildHasher>,
}

impl Shape {
    fn of(store: &mut TermStore, symbol: SymbolId, sources: &Sources) -> Shape {
        let variable = store.mk_symbol(symbol);
        let mut shape = Shape::default();
        for term in store.subterms_of_all(sources.predicates.iter().copied()) {
            match (store.op(term).clone(), store.args(term).to_vec()) {
                (Op::Apply, args) => {
                    let slots = args.iter().enumerate().skip(1).filter(|(_, arg)| **arg == variable);
                    shape.slots.extend(slots.map(|(slot, _)| (args[0], slot)));
                }
                (Op::Eq | Op::Lt | Op::Le, args) => {
                    let others = [(args[0], args[1]), (args[1], args[0])];
                    shape.compared.extend(others.iter().filter_map(|&(one, other)| {
                        let other = other_side(store, variable, one, other)?;
                        store.is_closed(other).then_some(other)
                    }));
                }
                _ => {}
            }
        }
        shape
    }
}

/// What the variable is compared with, if one side is the variable, perhaps plus a number.
fn other_side(store: &mut TermStore, variable: TermId, one: TermId, other: TermId) -> Option<TermId> {
    if one == variable {
        return Some(other);
    }
    let (Op::Add, [a, b]) = (store.op(one), store.args(one)) else { return None };
    let number = if *a == variable {
        *b
    } else if *b == variable {
        *a
    } else {
        return None;
    };
    store.as_int(number)?;
    Some(store.mk_sub(other, number))
}

/// For each variable the terms at which its functions are applied, and those it is compared with that mention no
/// variable.
fn candidates(
    store: &mut TermStore,
    sources: &Sources,
    shapes: &[Shape],
    formulas: &[TermId],
) -> Vec<Vec<TermId>> {
    let mut users: FxHashMap<(TermId, usize), Vec<usize>> = FxHashMap::default();
    for (var, shape) in shapes.iter().enumerate() {
        shape.slots.iter().for_each(|&slot| users.entry(slot).or_default().push(var));
    }
    let mut found: Vec<IndexSet<TermId, FxBuildHasher>> = vec![IndexSet::default(); shapes.len()];
    for (var, own) in sources.vars.iter().zip(&mut found) {
        if sources.identity {
            own.insert(store.mk_symbol(var.symbol));
        }
    }
    for term in store.subterms_of_all(formulas.iter().copied()) {
        if *store.op(term) != Op::Apply {
            continue;
        }
        let args = store.args(term);
        for slot in 1..args.len() {
            for &var in users.get(&(args[0], slot)).into_iter().flatten() {
                found[var].insert(args[slot]);
            }
        }
    }
    for ((own, shape), var) in found.iter_mut().zip(shapes).zip(sources.vars) {
        let plain = shape.compared.iter().filter(|&&term| !mentions(store, term, sources.vars));
        own.extend(plain);
        own.extend(single_hints(sources, var.symbol, true));
        let forbidden: Vec<TermId> = single_hints(sources, var.symbol, false).collect();
        own.retain(|&term| is_usable(store, term, sources) && !forbidden.contains(&term));
        if own.is_empty() {
            own.insert(anything(store, var.symbol));
        }
    }
    found.into_iter().map(|own| own.into_iter().collect()).collect()
}

/// A constant about which nothing is known, for a variable of which nothing matters.
fn anything(store: &mut TermStore, symbol: SymbolId) -> TermId {
    let (name, sort) = (format!("any_{}", store.symbol(symbol).name), store.symbol(symbol).sort);
    let constant = store.declare(&name, sort, Role::Skolem);
    store.mk_symbol(constant)
}

fn mentions(store: &TermStore, term: TermId, vars: &[IndexVar]) -> bool {
    let symbols = store.free_symbols(term);
    vars.iter().any(|var| symbols.contains(&var.symbol))
}

/// Is the term made of things that mean something where it is used, and not too large?
fn is_usable(store: &TermStore, term: TermId, sources: &Sources) -> bool {
    store.is_closed(term)
        && !store.has_lambda(term)
        && store.size(term) <= MAX_TERM_SIZE
        && (sources.identity || !mentions(store, term, sources.vars))
        && !store.subterms(term).iter().any(|&sub| *store.op(sub) == Op::Ite)
}

/// The product of the candidates, and for each tuple also those in which one variable is what it is compared with:
/// for `j = pos[i]` and `i` replaced by `c`, the term `pos[c]`.
fn combine(
    store: &mut TermStore,
    sources: &Sources,
    shapes: &[Shape],
    candidates: &[Vec<TermId>],
) -> Generated {
    let mut tuples: IndexSet<Vec<TermId>, FxBuildHasher> = IndexSet::default();
    product(candidates, &mut |tuple| {
        tuples.insert(tuple.to_vec());
    });
    let plain: Vec<Vec<TermId>> = tuples.iter().cloned().collect();
    for tuple in plain {
        let substitution = substitution(store, sources.vars, &tuple);
        for (place, shape) in shapes.iter().enumerate() {
            let dependent: Vec<TermId> =
                shape.compared.iter().copied().filter(|&term| mentions(store, term, sources.vars)).collect();
            for term in dependent {
                let mut variant = tuple.clone();
                variant[place] = store.substitute(term, &substitution);
                if is_usable(store, variant[place], sources) {
                    tuples.insert(variant);
                }
            }
        }
    }
    let mut generated = Generated::default();
    let mut sized: Vec<(usize, Vec<TermId>)> =
        tuples.into_iter().map(|tuple| (tuple.iter().map(|&term| store.size(term)).sum(), tuple)).collect();
    sized.sort_by_key(|(size, _)| *size);
    let tuples = sized.into_iter().map(|(_, tuple)| tuple).collect();
    push_all(store, sources, tuples, MAX_SUBSTITUTIONS, &mut generated);
    generated
}

fn push_all(
    store: &TermStore,
    sources: &Sources,
    tuples: IndexSet<Vec<TermId>, FxBuildHasher>,
    budget: usize,
    generated: &mut Generated,
) {
    for tuple in tuples {
        if generated.substitutions.len() >= budget {
            generated.cut = true;
            return;
        }
        generated.substitutions.push(substitution(store, sources.vars, &tuple));
    }
}

/// Whole substitutions that hints demand.
fn add_forced(store: &mut TermStore, sources: &Sources, generated: &mut Generated) {
    let known: Vec<Vec<TermId>> =
        generated.substitutions.iter().map(|known| tuple(store, sources.vars, known)).collect();
    for hint in sources.hints.iter().filter(|hint| hint.force && is_tuple(hint)) {
        let HintTarget::Indices(symbols) = &hint.target else { continue };
        let pairs = symbols.iter().copied().zip(hint.terms.iter().copied());
        let wanted = Substitution::from_pairs(store, pairs);
        if !known.contains(&tuple(store, sources.vars, &wanted)) {
            generated.substitutions.push(wanted);
        }
    }
}

fn is_tuple(hint: &Hint) -> bool {
    matches!(&hint.target, HintTarget::Indices(symbols) if symbols.len() > 1)
}

/// Terms that hints name for one variable.
fn single_hints(sources: &Sources, symbol: SymbolId, force: bool) -> impl Iterator<Item = TermId> {
    let about = move |hint: &&&Hint| {
        hint.force == force && matches!(&hint.target, HintTarget::Indices(symbols) if symbols[..] == [symbol])
    };
    sources.hints.iter().filter(about).map(|hint| hint.terms[0])
}

/// The terms that a substitution puts for the variables.
pub fn tuple(store: &mut TermStore, vars: &[IndexVar], substitution: &Substitution) -> Vec<TermId> {
    vars.iter()
        .map(|var| substitution.get(var.symbol).unwrap_or_else(|| store.mk_symbol(var.symbol)))
        .collect()
}

fn substitution(store: &TermStore, vars: &[IndexVar], tuple: &[TermId]) -> Substitution {
    Substitution::from_pairs(store, vars.iter().map(|var| var.symbol).zip(tuple.iter().copied()))
}

/// Every choice of one item from each list, the last list turning fastest.
fn product(lists: &[Vec<TermId>], visit: &mut dyn FnMut(&[TermId])) {
    if lists.iter().any(Vec::is_empty) {
        return;
    }
    let mut positions = vec![0; lists.len()];
    loop {
        let tuple: Vec<TermId> = lists.iter().zip(&positions).map(|(list, &at)| list[at]).collect();
        visit(&tuple);
        let Some(place) = (0..lists.len()).rev().find(|&place| positions[place] + 1 < lists[place].len())
        else {
            return;
        };
        positions[place] += 1;
        positions[place + 1..].fill(0);
    }
}
