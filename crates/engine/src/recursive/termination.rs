//! Termination: a ranking function, a number that every step decreases.
//!
//! In a closed tree every reachable state is in an expanded node, so it suffices to look at the transitions of these. The
//! numbers that are tried are the integer parameters of the process and their differences.

use tenet_system::recursive::obligations::decrease;
use tenet_system::recursive::tree::{Fate, Outcome, Termination, Tree};
use tenet_system::recursive::{Process, Step};
use tenet_term::TermId;

use super::prover::Prover;

impl Prover<'_> {
    /// A ranking of the states, with its proofs, if a simple one is found.
    pub(super) fn termination(&mut self, process: &Process, tree: &Tree) -> Option<Termination> {
        self.rankings(process).into_iter().find_map(|rank| {
            let proofs = self.descents(process, tree, rank)?;
            Some(Termination { ranking: vec![rank], proofs })
        })
    }

    fn rankings(&mut self, process: &Process) -> Vec<TermId> {
        let store = &mut self.program.store;
        let parameters = process.parameters.iter().copied();
        let numbers = parameters.filter(|&symbol| store.sort(store.symbol(symbol).sort).is_integer());
        let numbers: Vec<_> = numbers.collect();
        let numbers: Vec<TermId> = numbers.into_iter().map(|symbol| store.mk_symbol(symbol)).collect();
        let mut result = numbers.clone();
        for &one in &numbers {
            for &other in numbers.iter().filter(|&&other| other != one) {
                result.push(store.mk_sub(one, other));
            }
        }
        result
    }

    /// Proofs that each transition that is possible makes a number smaller.
    fn descents(&mut self, process: &Process, tree: &Tree, rank: TermId) -> Option<Vec<Step>> {
        let mut proofs = Vec::new();
        for node in &tree.nodes {
            let Fate::Expanded { children, .. } = &node.fate else { continue };
            for (transition, child) in children.iter().enumerate() {
                if let Outcome::Impossible(_) = child.outcome {
                    continue;
                }
                let store = &mut self.program.store;
                let claim = decrease(store, process, &node.state, transition, &child.fresh, &[rank]);
                proofs.push(self.quickly(&claim)?);
            }
        }
        Some(proofs)
    }
}
