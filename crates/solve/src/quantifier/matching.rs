//! Matches functions with variables in them against functions that occur.
//!
//! An axiom about `acc(left[q := p], right, r)` is of use for a function `left[n := t]` that the question speaks of,
//! with `n` for `q` and `t` for `p`. A write is the lambda `\u. u = n ? t : left[u]`, so this is matching of terms up to
//! the names of bound symbols. It is simple on purpose: no look at what terms mean, and no search. Where operands have no
//! order of their own (`u = q` may be stored either way round), the lambda's symbols in them tell which belongs to which.
//! A match that is missed costs an instance, never soundness.

use tenet_term::{Op, SymbolId, TermId, TermStore};

use super::places::Pattern;
use super::pool::Pool;

/// A term for some of the variables of a quantifier.
pub(super) type Assignment = Vec<Option<TermId>>;

/// The assignments of all variables in the patterns that make at least one of the patterns a function that occurs, and
/// others as far as they are needed to find a term for each variable.
pub(super) fn assignments(
    store: &TermStore,
    variables: &[SymbolId],
    patterns: &[Pattern],
    pool: &Pool,
) -> Vec<Assignment> {
    let mut found: Vec<Assignment> = Vec::new();
    for first in patterns {
        let mut current = extend(store, variables, first, pool, &vec![None; variables.len()]);
        for next in patterns {
            let missing =
                |assignment: &Assignment| next.variables.iter().any(|&number| assignment[number].is_none());
            current = current
                .into_iter()
                .flat_map(|assignment| match missing(&assignment) {
                    true => extend(store, variables, next, pool, &assignment),
                    false => vec![assignment],
                })
                .collect();
        }
        found.extend(current);
    }
    let mut distinct: Vec<Assignment> = Vec::new();
    for assignment in found {
        if !distinct.contains(&assignment) {
            distinct.push(assignment);
        }
    }
    distinct
}

/// The assignments that extend the given one and make the pattern a function that occurs.
fn extend(
    store: &TermStore,
    variables: &[SymbolId],
    pattern: &Pattern,
    pool: &Pool,
    start: &Assignment,
) -> Vec<Assignment> {
    let candidates = pool.functionals(0).filter(|(symbol, _)| *symbol == pattern.symbol);
    candidates
        .filter_map(|(_, functions)| {
            let mut matcher = Matcher { store, variables, assignment: start.clone(), renamed: Vec::new() };
            let pairs: Vec<(TermId, TermId)> =
                pattern.functions.iter().copied().zip(functions.iter().copied()).collect();
            let complete = pairs.into_iter().all(|(pattern, ground)| matcher.run(pattern, ground));
            let known = |&number: &usize| matcher.assignment[number].is_some();
            (complete && pattern.variables.iter().all(known)).then_some(matcher.assignment)
        })
        .collect()
}

struct Matcher<'a> {
    store: &'a TermStore,
    variables: &'a [SymbolId],
    assignment: Assignment,
    /// Symbols of lambdas: in the pattern, and in the function.
    renamed: Vec<(SymbolId, SymbolId)>,
}

impl Matcher<'_> {
    fn run(&mut self, pattern: TermId, ground: TermId) -> bool {
        let mut stack = vec![(pattern, ground)];
        while let Some((pattern, ground)) = stack.pop() {
            if !self.meet(pattern, ground, &mut stack) {
                return false;
            }
        }
        true
    }

    /// Matches the outermost operators, leaving the operands to be done.
    fn meet(&mut self, pattern: TermId, ground: TermId, stack: &mut Vec<(TermId, TermId)>) -> bool {
        if self.store.is_closed(pattern) {
            return pattern == ground;
        }
        if let Some(symbol) = self.store.as_symbol(pattern) {
            return self.meet_symbol(symbol, ground);
        }
        let (op, other) = (self.store.op(pattern), self.store.op(ground));
        let (args, others) = (self.store.args(pattern), self.store.args(ground));
        match (op, other) {
            (Op::Lambda(bound), Op::Lambda(names)) if bound.len() == names.len() => {
                let clash = |symbol| {
                    self.variables.contains(symbol) || self.renamed.iter().any(|(own, _)| own == symbol)
                };
                if bound.iter().any(clash) {
                    return false;
                }
                self.renamed.extend(bound.iter().copied().zip(names.iter().copied()));
            }
            _ if op != other || op.is_binder() || args.len() != others.len() => return false,
            _ => {}
        }
        match op {
            Op::Eq | Op::Iff | Op::And | Op::Or => stack.extend(self.pair_up(args, others)),
            _ => stack.extend(args.iter().copied().zip(others.iter().copied())),
        }
        true
    }

    fn meet_symbol(&mut self, symbol: SymbolId, ground: TermId) -> bool {
        if let Some(&(_, name)) = self.renamed.iter().find(|(own, _)| *own == symbol) {
            return self.store.as_symbol(ground) == Some(name);
        }
        let Some(number) = self.variables.iter().position(|&variable| variable == symbol) else {
            // Of a quantifier between this one and the pattern: its turn comes when this one is gone.
            return self.store.is_closed(ground);
        };
        let known = *self.assignment[number].get_or_insert(ground);
        known == ground && self.store.is_closed(ground)
    }

    /// Pairs operands whose order means nothing: those that mention the same symbols of lambdas.
    fn pair_up(&self, args: &[TermId], others: &[TermId]) -> Vec<(TermId, TermId)> {
        let mut left = others.to_vec();
        let mut pairs = Vec::new();
        for &arg in args {
            let names = self.names(arg, |(own, name)| (own, name));
            let fitting = |&other: &TermId| self.names(other, |(own, name)| (name, own)) == names;
            let position = left.iter().position(fitting).unwrap_or(0);
            pairs.push((arg, left.remove(position)));
        }
        pairs
    }

    /// The symbols of lambdas that a term mentions, as they are called in the function.
    fn names(
        &self,
        term: TermId,
        side: impl Fn((SymbolId, SymbolId)) -> (SymbolId, SymbolId),
    ) -> Vec<SymbolId> {
        let free = self.store.free_bound(term);
        let mentioned = self.renamed.iter().filter(|&&pair| free.contains(&side(pair).0));
        mentioned.map(|&(_, name)| name).collect()
    }
}
