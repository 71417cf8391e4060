//! What was proved for the user is a lemma for what comes after it.

use tenet_system::recursive::{Entailment, Goal, Known, Lemma, Recall, Step};
use tenet_term::{Role, TermId};

use super::prover::Prover;
use super::sequent::fresh_like;

impl Prover<'_> {
    /// Makes a proved obligation a lemma; its own proof is then the use of that.
    pub(super) fn publish(&mut self, entailment: &Entailment, proof: Step) -> Step {
        let is_movable = entailment.right.atoms.is_empty()
            && entailment.existentials.is_empty()
            && entailment.left.constraint != TermId::TRUE;
        let lemma = self.keep(Lemma { entailment: entailment.clone(), measure: None, proof }, is_movable);
        if is_movable {
            self.publish_moved(entailment, lemma);
        }
        self.recall_whole(entailment, lemma)
    }

    /// `atoms |= constraint -> right`: what needs no premise can be used before it is known whether that holds.
    fn publish_moved(&mut self, entailment: &Entailment, lemma: usize) {
        let premise = entailment.left.constraint;
        let store = &mut self.program.store;
        let (claim, otherwise) =
            (store.mk_implies(premise, entailment.right.constraint), store.mk_not(premise));
        let moved = Entailment {
            left: Goal { atoms: entailment.left.atoms.clone(), constraint: TermId::TRUE },
            right: Goal { atoms: Vec::new(), constraint: claim },
            ..entailment.clone()
        };
        let used = self.recall_whole(entailment, lemma);
        let proof = Step::Split(vec![(premise, used), (otherwise, Step::Close)]);
        self.keep(Lemma { entailment: moved, measure: None, proof }, false);
    }

    /// The obligation by a lemma that says the same.
    fn recall_whole(&mut self, entailment: &Entailment, lemma: usize) -> Step {
        let store = &mut self.program.store;
        let variables = entailment.variables.iter();
        let bindings = variables.map(|&symbol| (symbol, store.mk_symbol(symbol))).collect();
        let fresh = fresh_like(store, &entailment.existentials, Role::Index);
        let existentials = entailment.existentials.iter().zip(&fresh);
        let chosen: Vec<_> = existentials.map(|(&symbol, &name)| (symbol, store.mk_symbol(name))).collect();
        let atoms = (0..entailment.left.atoms.len()).collect();
        let recall = Recall { known: Known::Lemma(lemma), bindings, atoms, fresh };
        let last = match chosen.is_empty() {
            true => Step::Close,
            false => Step::Choose(chosen, Box::new(Step::Close)),
        };
        Step::Recall(recall, Box::new(last))
    }
}
