//! A rule of a predicate, said of given arguments: with as few variables of its own as equations leave.

use super::super::{Atom, Clause};
use tenet_term::{Op, Substitution, SymbolId, TermId, TermStore};

/// What a rule says of the arguments.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// Its constraint, part by part, and that the arguments are those of the head.
    pub constraint: Vec<TermId>,
    pub atoms: Vec<Atom>,
    /// The variables of the rule that are left.
    pub variables: Vec<SymbolId>,
}

impl Body {
    /// The rule for these arguments, which are no variables of rules.
    pub(super) fn new(store: &mut TermStore, clause: &Clause, args: &[SymbolId]) -> Body {
        let matched = Matching::new(store, &clause.head, args, &clause.variables);
        let mut parts = vec![store.substitute(clause.constraint, &matched.substitution)];
        for equation in matched.equations {
            parts.push(store.substitute(equation, &matched.substitution));
        }
        let atoms = clause.atoms.iter().map(|atom| atom.substitute(store, &matched.substitution)).collect();
        let conjunction = store.mk_and(parts);
        let body = Body { constraint: store.conjuncts(conjunction), atoms, variables: matched.unmatched };
        body.without_determined(store)
    }

    /// Without the variables that an equation determines: there is just one value for each of them.
    fn without_determined(mut self, store: &mut TermStore) -> Body {
        while let Some((symbol, value)) =
            self.constraint.clone().into_iter().find_map(|part| solve(store, part, &self.variables))
        {
            let substitution = Substitution::from_pairs(store, [(symbol, value)]);
            let parts: Vec<TermId> =
                self.constraint.iter().map(|&part| store.substitute(part, &substitution)).collect();
            let conjunction = store.mk_and(parts);
            self.constraint = store.conjuncts(conjunction);
            self.atoms = self.atoms.iter().map(|atom| atom.substitute(store, &substitution)).collect();
            self.variables.retain(|&variable| variable != symbol);
        }
        let terms = self.atoms.iter().flat_map(|atom| &atom.args).chain(&self.constraint);
        let occurring: Vec<SymbolId> = terms.flat_map(|&term| store.free_symbols(term)).collect();
        self.variables.retain(|variable| occurring.contains(variable));
        self
    }
}

/// What has to be put for variables so that terms are given symbols.
pub(super) struct Matching {
    /// For variables that stand alone.
    pub substitution: Substitution,
    pub equations: Vec<TermId>,
    /// The variables that nothing was put for.
    pub unmatched: Vec<SymbolId>,
}

impl Matching {
    pub(super) fn new(
        store: &mut TermStore,
        terms: &[TermId],
        symbols: &[SymbolId],
        variables: &[SymbolId],
    ) -> Matching {
        let mut found = Matching {
            substitution: Substitution::new(),
            equations: Vec::new(),
            unmatched: variables.to_vec(),
        };
        for (&term, &symbol) in terms.iter().zip(symbols) {
            let value = store.mk_symbol(symbol);
            match store.as_symbol(term).filter(|variable| found.unmatched.contains(variable)) {
                Some(variable) => {
                    found.substitution.insert(store, variable, value);
                    found.unmatched.retain(|&other| other != variable);
                }
                None => found.equations.push(store.mk_eq(value, term)),
            }
        }
        found
    }
}

/// One of the variables, and what it equals according to an equation `variable = value` or `variable + 1 = value`.
fn solve(store: &mut TermStore, equation: TermId, variables: &[SymbolId]) -> Option<(SymbolId, TermId)> {
    let Op::Eq = store.op(equation) else { return None };
    let [left, right] = [0, 1].map(|index| store.args(equation)[index]);
    [(left, right), (right, left)].into_iter().find_map(|(subject, value)| {
        let (symbol, offset) = shifted(store, subject)?;
        if !variables.contains(&symbol) || store.free_symbols(value).contains(&symbol) {
            return None;
        }
        Some((symbol, offset.map_or(value, |offset| store.mk_sub(value, offset))))
    })
}

/// A symbol, and the number that is added to it.
fn shifted(store: &TermStore, term: TermId) -> Option<(SymbolId, Option<TermId>)> {
    if let Some(symbol) = store.as_symbol(term) {
        return Some((symbol, None));
    }
    let (Op::Add, &[first, second]) = (store.op(term), store.args(term)) else { return None };
    [(first, second), (second, first)].into_iter().find_map(|(summand, number)| {
        store.as_int(number)?;
        Some((store.as_symbol(summand)?, Some(number)))
    })
}
