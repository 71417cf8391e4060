//! Smart injections, tests and projections of unions.

use crate::id::{SortId, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::term::Op;

impl TermStore {
    /// A value of a member as a value of the union.
    pub fn mk_in(&mut self, union: SortId, member: SortId, a: TermId) -> TermId {
        self.raw(Op::In(union, member), &[a])
    }

    pub fn mk_is(&mut self, member: SortId, a: TermId) -> TermId {
        if let Op::In(_, actual) = self.op(a) {
            return TermId::bool(*actual == member);
        }
        match self.sort(self.sort_of(a)) {
            Sort::Union { members, .. } if members[..] == [member] => TermId::TRUE,
            _ => self.raw(Op::Is(member), &[a]),
        }
    }

    /// A value of a union as a value of this member. Where it is of another member nothing should be made of the
    /// result; the evaluator takes the member's first value.
    pub fn mk_out(&mut self, member: SortId, a: TermId) -> TermId {
        match self.op(a) {
            Op::In(_, actual) if *actual == member => self.args(a)[0],
            _ => self.raw(Op::Out(member), &[a]),
        }
    }
}
