//! Bit-vector operators on a choice between constants.
//!
//! Hardware that writes a part of a word comes as a mask: all bits of it are copies of one truth value, and `data & mask |
//! old & ~mask` is a choice between two words. Said as a choice, it is seen that words are moved whole.

use crate::id::TermId;
use crate::store::TermStore;
use crate::term::{BvOp, Op};

impl TermStore {
    /// The operator in both branches of a choice, if nothing is left of it there.
    pub(super) fn fold_choice(&mut self, op: BvOp, args: &[TermId]) -> Option<TermId> {
        args.iter().find_map(|&arg| {
            let (condition, ..) = self.as_choice(arg)?;
            self.fold_under(condition, op, args)
        })
    }

    /// The same for the choices that depend on this condition.
    fn fold_under(&mut self, condition: TermId, op: BvOp, args: &[TermId]) -> Option<TermId> {
        let mut branches = [TermId::TRUE; 2];
        for (branch, result) in branches.iter_mut().enumerate() {
            let chosen: Vec<TermId> = args
                .iter()
                .map(|&arg| match self.as_choice(arg) {
                    Some((same, yes, no)) if same == condition => [yes, no][branch],
                    _ => arg,
                })
                .collect();
            *result = self.simple_bv(op, &chosen)?;
        }
        Some(self.mk_ite(condition, branches[0], branches[1]))
    }

    fn as_choice(&self, term: TermId) -> Option<(TermId, TermId, TermId)> {
        match (self.op(term), self.args(term)) {
            (Op::Ite, &[condition, yes, no]) => Some((condition, yes, no)),
            _ => None,
        }
    }
}
