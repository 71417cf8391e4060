//! Miniscoping: makes the scope of quantifiers small, because instances of `n` variables are products of `n` lists.
//!
//! In the words of `forall` (everything is dual for `exists`):
//! * `forall x, y. A(x) & B(y)` is `(forall x. A(x)) & (forall y. B(y))`, and so for `|`;
//! * parts that do not mention a variable leave its scope;
//! * `forall x. x != t | A(x)` is `A(t)`, guarded by the range of `x`. This is no instantiation of an existential by
//!   guessing (EX-T1): the two are equivalent.

use tenet_system::within_sort;
use tenet_term::{Op, Substitution, SymbolId, TermId, TermStore};

/// The quantifier over a body whose own quantifiers are narrow already.
pub(super) fn narrow(store: &mut TermStore, universal: bool, bound: &[SymbolId], body: TermId) -> TermId {
    let scope = Scope { universal };
    let parts = scope.parts(store, body, scope.outer());
    let splits = parts.len() > 1
        && parts.iter().any(|&part| {
            let uses_all = bound.iter().all(|symbol| store.free_bound(part).contains(symbol));
            let inner = scope.parts(store, part, scope.inner());
            !uses_all || scope.equation(store, bound, &inner).is_some()
        });
    if !splits {
        return scope.split_inner(store, bound, body);
    }
    let narrowed: Vec<TermId> = parts.into_iter().map(|part| scope.split_inner(store, bound, part)).collect();
    store.mk(scope.outer(), &narrowed)
}

struct Scope {
    universal: bool,
}

impl Scope {
    /// The junction that the quantifier distributes over.
    fn outer(&self) -> Op {
        if self.universal { Op::And } else { Op::Or }
    }

    /// The junction that lets parts leave which do not mention a variable.
    fn inner(&self) -> Op {
        if self.universal { Op::Or } else { Op::And }
    }

    fn quantify(&self, store: &mut TermStore, bound: &[SymbolId], body: TermId) -> TermId {
        if self.universal { store.mk_forall(bound, body) } else { store.mk_exists(bound, body) }
    }

    /// Formulas that, joined by the junction, are the formula; looking through negations and implications.
    fn parts(&self, store: &mut TermStore, formula: TermId, junction: Op) -> Vec<TermId> {
        let mut parts = Vec::new();
        let mut stack = vec![(formula, true)];
        while let Some((current, positive)) = stack.pop() {
            let same = (junction == Op::And) == positive;
            let args = store.args(current);
            match store.op(current) {
                Op::Not => stack.push((args[0], !positive)),
                Op::And if same => stack.extend(args.iter().rev().map(|&arg| (arg, positive))),
                Op::Or if !same => stack.extend(args.iter().rev().map(|&arg| (arg, positive))),
                Op::Implies if !same => stack.extend([(args[1], positive), (args[0], !positive)]),
                _ if positive => parts.push(current),
                _ => {
                    let negated = store.mk_not(current);
                    parts.push(negated);
                }
            }
        }
        parts
    }

    /// A part that fixes a variable to a term without it: the position of the part, the variable and the term.
    fn equation(
        &self,
        store: &TermStore,
        bound: &[SymbolId],
        parts: &[TermId],
    ) -> Option<(usize, SymbolId, TermId)> {
        parts.iter().enumerate().find_map(|(position, &part)| {
            let atom = match (self.universal, store.op(part)) {
                (true, Op::Not) => store.args(part)[0],
                (false, _) => part,
                _ => return None,
            };
            let (Op::Eq, &[a, b]) = (store.op(atom), store.args(atom)) else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(side, other)| {
                let symbol = store.as_symbol(side).filter(|symbol| bound.contains(symbol))?;
                (!store.free_bound(other).contains(&symbol)).then_some((position, symbol, other))
            })
        })
    }

    /// The quantifier over the body, as parts of the inner junction.
    fn split_inner(&self, store: &mut TermStore, bound: &[SymbolId], body: TermId) -> TermId {
        let mut bound = bound.to_vec();
        let mut body = body;
        let mut guards = Vec::new();
        let mut parts = self.parts(store, body, self.inner());
        while let Some((position, symbol, term)) = self.equation(store, &bound, &parts) {
            let guard = within_sort(store, store.symbol(symbol).sort, term);
            guards.push(if self.universal { store.mk_not(guard) } else { guard });
            parts.remove(position);
            let rest = store.mk(self.inner(), &parts);
            let substitution = Substitution::from_pairs(store, [(symbol, term)]);
            body = store.substitute(rest, &substitution);
            // The term of a variable before may be one that goes now.
            guards.iter_mut().for_each(|guard| *guard = store.substitute(*guard, &substitution));
            bound.retain(|&other| other != symbol);
            parts = self.parts(store, body, self.inner());
        }
        // A guard may speak of the variables that are left.
        body = store.mk(self.inner(), &[&[body], &guards[..]].concat());
        if !guards.is_empty() {
            parts = self.parts(store, body, self.inner());
        }
        self.split_groups(store, &bound, body, &parts)
    }

    /// A quantifier of its own for each group of parts that share variables.
    fn split_groups(
        &self,
        store: &mut TermStore,
        bound: &[SymbolId],
        body: TermId,
        parts: &[TermId],
    ) -> TermId {
        let groups = groups(store, bound, parts);
        if groups.len() < 2 {
            return self.quantify(store, bound, body);
        }
        let mut results = Vec::new();
        for group in groups {
            let inside = store.mk(self.inner(), &group);
            results.push(self.quantify(store, bound, inside));
        }
        store.mk(self.inner(), &results)
    }
}

/// The parts, those that share a variable together; each part without one is a group of its own.
fn groups(store: &TermStore, bound: &[SymbolId], parts: &[TermId]) -> Vec<Vec<TermId>> {
    let mut groups: Vec<(Vec<SymbolId>, Vec<TermId>)> = Vec::new();
    for &part in parts {
        let free = store.free_bound(part);
        let mut symbols: Vec<SymbolId> =
            bound.iter().copied().filter(|symbol| free.contains(symbol)).collect();
        let mut members = Vec::new();
        groups.retain_mut(|(others, terms)| {
            let apart = !others.iter().any(|symbol| symbols.contains(symbol));
            if !apart {
                symbols.append(others);
                members.append(terms);
            }
            apart
        });
        members.push(part);
        groups.push((symbols, members));
    }
    groups.into_iter().map(|(_, members)| members).collect()
}
