//! The shape of a recursive definition: which argument counts its steps, and what its rules say of their arguments.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;
use tenet_system::recursive::{Atom, Clause, Program};
use tenet_term::{Op, Role, Substitution, SymbolId, TermId, TermStore};

use super::equations::{last_write, solve};
use super::sequent::{fresh_like, renaming};
use crate::common::linear::Linear;

/// An argument that each use of the definition in itself makes smaller by one.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub position: usize,
    /// Where the recursion may end, the most likely first.
    pub bases: Vec<BigInt>,
}

pub(super) fn counters(program: &mut Program, predicate: usize) -> Vec<Counter> {
    let sorts = program.predicates[predicate].sorts.clone();
    let is_integer = |position: &usize| program.store.sort(sorts[*position]).is_integer();
    let positions: Vec<usize> = (0..sorts.len()).filter(is_integer).collect();
    positions.into_iter().filter_map(|position| counter(program, predicate, position)).collect()
}

fn counter(program: &mut Program, predicate: usize, position: usize) -> Option<Counter> {
    let mut bases = Vec::new();
    let mut is_recursive = false;
    for rule in 0..program.predicates[predicate].rules.len() {
        let body = Body::of(program, predicate, rule);
        let head = Linear::of(&program.store, body.head[position]);
        for atom in body.atoms.iter().filter(|atom| atom.predicate == predicate) {
            is_recursive = true;
            let before = Linear::of(&program.store, atom.args[position]);
            let difference = head.clone().plus(&before, &-BigRational::one());
            if !difference.is_constant() || !difference.constant.is_one() {
                return None;
            }
        }
        if body.atoms.iter().all(|atom| atom.predicate != predicate) {
            bases.extend(ends(&program.store, &body, position));
        }
    }
    bases.extend([BigInt::ZERO, BigInt::one()]);
    let mut distinct: Vec<BigInt> = Vec::new();
    bases.into_iter().for_each(|base| {
        if !distinct.contains(&base) {
            distinct.push(base)
        }
    });
    is_recursive.then_some(Counter { position, bases: distinct })
}

/// The constants that a rule compares an argument with.
fn ends(store: &TermStore, body: &Body, position: usize) -> Vec<BigInt> {
    let head = body.head[position];
    if let Some(value) = store.as_int(head) {
        return vec![value.clone()];
    }
    let mut result = Vec::new();
    for &part in &body.constraint {
        if matches!(store.op(part), Op::Eq | Op::Le | Op::Lt) && store.args(part).contains(&head) {
            result.extend(store.args(part).iter().filter_map(|&arg| store.as_int(arg).cloned()));
        }
    }
    result
}

/// A rule with new variables, where equations of its body were used to have fewer of them.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub head: Vec<TermId>,
    pub constraint: Vec<TermId>,
    pub atoms: Vec<Atom>,
}

impl Body {
    pub(super) fn of(program: &mut Program, predicate: usize, rule: usize) -> Body {
        let Program { store, predicates, .. } = program;
        Body::of_clause(store, &predicates[predicate].rules[rule])
    }

    fn of_clause(store: &mut TermStore, clause: &Clause) -> Body {
        let names = fresh_like(store, &clause.variables, Role::Index);
        let renaming = renaming(store, &clause.variables, &names);
        let constraint = store.substitute(clause.constraint, &renaming);
        let body = Body {
            head: clause.head.iter().map(|&term| store.substitute(term, &renaming)).collect(),
            constraint: store.conjuncts(constraint),
            atoms: clause.atoms.iter().map(|atom| atom.substitute(store, &renaming)).collect(),
        };
        body.eliminate(store, |_| true)
    }

    /// The rule for these arguments, where its own variables are eliminated if equations determine them.
    pub(super) fn at(program: &mut Program, predicate: usize, rule: usize, args: &[SymbolId]) -> Body {
        let mut body = Body::of(program, predicate, rule);
        let store = &mut program.store;
        for (&arg, head) in args.iter().zip(&mut body.head) {
            let arg = store.mk_symbol(arg);
            let equation = store.mk_eq(arg, *head);
            body.constraint.extend(reads(store, arg, *head));
            body.constraint.extend(store.conjuncts(equation));
            *head = arg;
        }
        body.eliminate(store, |symbol| !args.contains(&symbol))
    }

    fn eliminate(mut self, store: &mut TermStore, is_wanted: impl Fn(SymbolId) -> bool) -> Body {
        let is_variable =
            |store: &TermStore, symbol| store.symbol(symbol).role == Role::Index && is_wanted(symbol);
        while let Some((position, (symbol, value))) = self
            .constraint
            .clone()
            .into_iter()
            .enumerate()
            .find_map(|(position, part)| Some((position, solve(store, part, is_variable)?)))
        {
            self.constraint.remove(position);
            self = self.substitute(store, &Substitution::from_pairs(store, [(symbol, value)]));
        }
        self
    }

    fn substitute(self, store: &mut TermStore, substitution: &Substitution) -> Body {
        let mut constraint = Vec::new();
        for part in self.constraint {
            let part = store.substitute(part, substitution);
            constraint.extend(store.conjuncts(part));
        }
        constraint.retain(|&part| part != TermId::TRUE);
        Body {
            head: self.head.iter().map(|&term| store.substitute(term, substitution)).collect(),
            constraint,
            atoms: self.atoms.iter().map(|atom| atom.substitute(store, substitution)).collect(),
        }
    }

    /// What it says of these variables alone.
    pub(super) fn about(&self, store: &TermStore, symbols: &[SymbolId]) -> Vec<TermId> {
        let is_about =
            |&part: &TermId| store.free_symbols(part).iter().all(|symbol| symbols.contains(symbol));
        self.constraint.iter().copied().filter(is_about).collect()
    }
}

/// What `array = <base,i,e>` says of single places: `array[i] = e`.
fn reads(store: &mut TermStore, array: TermId, written: TermId) -> Vec<TermId> {
    let mut result: Vec<TermId> = Vec::new();
    let mut places = Vec::new();
    let mut rest = written;
    while let Some(write) = last_write(store, rest) {
        if places.is_empty() {
            let read = store.mk_apply(array, &[write.place]);
            result.push(store.mk_eq(read, write.value));
        }
        places.push(write.place);
        rest = write.base;
    }
    result
}

/// Does a predicate use itself, perhaps by way of others?
pub(super) fn is_recursive(program: &Program, predicate: usize) -> bool {
    let mut seen = vec![false; program.predicates.len()];
    let mut stack = vec![predicate];
    while let Some(next) = stack.pop() {
        for atom in program.predicates[next].rules.iter().flat_map(|rule| &rule.atoms) {
            if atom.predicate == predicate {
                return true;
            }
            if !std::mem::replace(&mut seen[atom.predicate], true) {
                stack.push(atom.predicate);
            }
        }
    }
    false
}

/// The arguments of a predicate that visibly stay the same in all its rules, or change at most at one place.
pub(super) fn steady(program: &mut Program, predicate: usize, args: &[SymbolId]) -> Vec<SymbolId> {
    let mut steady = args.to_vec();
    for rule in 0..program.predicates[predicate].rules.len() {
        let body = Body::at(program, predicate, rule, args);
        let store = &mut program.store;
        for atom in body.atoms.iter().filter(|atom| atom.predicate == predicate) {
            steady.retain(|&symbol| {
                let position =
                    args.iter().position(|&arg| arg == symbol).expect("invariant: it is one of them");
                let here = store.mk_symbol(symbol);
                let there = atom.args[position];
                there == here || is_changed_at_one_place(store, &body, here, there)
            });
        }
    }
    steady
}

/// Does the body say `here = <there,i,e>`?
fn is_changed_at_one_place(store: &mut TermStore, body: &Body, here: TermId, there: TermId) -> bool {
    body.constraint.iter().any(|&part| {
        let Op::Eq = store.op(part) else { return false };
        let sides = [store.args(part)[0], store.args(part)[1]];
        let Some(position) = sides.iter().position(|&side| side == here) else { return false };
        last_write(store, sides[1 - position]).is_some_and(|write| write.base == there)
    })
}

/// The symbols for the arguments of a predicate: new variables.
pub(super) fn arguments(program: &mut Program, predicate: usize) -> Vec<SymbolId> {
    let sorts = program.predicates[predicate].sorts.clone();
    let names = argument_names(program, predicate);
    sorts.iter().zip(names).map(|(&sort, name)| program.store.fresh(&name, sort, Role::Index)).collect()
}

fn argument_names(program: &Program, predicate: usize) -> Vec<String> {
    let predicate = &program.predicates[predicate];
    let name = |position: usize| {
        let heads = predicate.rules.iter().filter_map(|rule| program.store.as_symbol(rule.head[position]));
        let names = heads.map(|symbol| program.store.symbol(symbol).name.clone());
        names.into_iter().find(|name| !name.starts_with('_')).unwrap_or_else(|| format!("X{}", position + 1))
    };
    (0..predicate.sorts.len()).map(name).collect()
}
