//! The lemmas that a search begins with: the properties.

use tenet_system::{Bounds, IndexVar, Lemma};
use tenet_term::{Op, Substitution, SymbolId, TermId, TermStore};

use crate::direct::cube::Vocabulary;

/// A closed formula as lemmas over our variables.
pub fn lemmas_of(vocabulary: &mut Vocabulary, store: &mut TermStore, formula: TermId) -> Vec<Lemma> {
    let mut lemmas = Vec::new();
    let mut open: Vec<(Vec<SymbolId>, Vec<TermId>, TermId)> = vec![(Vec::new(), Vec::new(), formula)];
    while let Some((vars, mut premises, body)) = open.pop() {
        let args = store.args(body).to_vec();
        match store.op(body).clone() {
            Op::And if premises.is_empty() => {
                open.extend(args.into_iter().rev().map(|arg| (vars.clone(), Vec::new(), arg)));
            }
            // Variables that are quantified behind a premise are variables of the lemma as well.
            Op::Implies if !store.has_quantifier(args[0]) && store.has_quantifier(args[1]) => {
                premises.push(args[0]);
                open.push((vars, premises, args[1]));
            }
            Op::Forall(bound) => {
                let mut vars = vars;
                let mut pairs = Vec::new();
                for &symbol in bound.iter() {
                    let sort = store.symbol(symbol).sort;
                    let place = vars.iter().filter(|&&var| store.symbol(var).sort == sort).count();
                    let var = vocabulary.var(store, sort, place);
                    vars.push(var);
                    pairs.push((symbol, store.mk_symbol(var)));
                }
                let substitution = Substitution::from_pairs(store, pairs);
                open.push((vars, premises, store.substitute(args[0], &substitution)));
            }
            Op::Bool(true) => {}
            _ => {
                let premise = store.mk_and(premises);
                let body = store.mk_implies(premise, body);
                let free = store.free_symbols(body);
                let used = vars.into_iter().filter(|var| free.contains(var));
                let vars = used.map(|symbol| IndexVar { symbol, bounds: Bounds::default() });
                lemmas.push(Lemma { vars: vars.collect(), body });
            }
        }
    }
    lemmas
}
