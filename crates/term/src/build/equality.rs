//! Smart equality, disequality and if-then-else.

use crate::id::TermId;
use crate::store::TermStore;
use crate::term::Op;

impl TermStore {
    /// `a = b` at any sort; `a <-> b` on truth values.
    pub fn mk_eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return TermId::TRUE;
        }
        if self.is_bool(a) {
            return self.mk_iff(a, b);
        }
        match (self.is_value(a), self.is_value(b)) {
            (true, true) => TermId::FALSE,
            (true, false) => self.mk_eq_value(b, a),
            (false, true) => self.mk_eq_value(a, b),
            (false, false) => self.mk_eq_open(a, b),
        }
    }

    pub fn mk_ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.mk_eq(a, b);
        self.mk_not(equal)
    }

    /// `subject = value`. A chain of `?:` with literal branches becomes a case split; walking down the chain in a
    /// loop keeps long write histories off the call stack.
    fn mk_eq_value(&mut self, subject: TermId, value: TermId) -> TermId {
        let (mut rest, mut value) = self.shift_constant(subject, value);
        let mut cases = Vec::new();
        while let Op::Ite = self.op(rest) {
            let [condition, yes, no] = [0, 1, 2].map(|index| self.args(rest)[index]);
            if self.is_value(yes) {
                cases.push((condition, true, yes == value));
                rest = no;
            } else if self.is_value(no) {
                cases.push((condition, false, no == value));
                rest = yes;
            } else {
                break;
            }
            // A branch `1 + (c ? 2 : x)` is a choice itself once the constant is on the other side. Otherwise the same
            // equation would look different when it is made again from its parts, as a reader of printed terms does.
            (rest, value) = self.shift_constant(rest, value);
        }
        let mut result = self.mk_eq_plain(rest, value);
        for (condition, when, hit) in cases.into_iter().rev() {
            let guard = if when { condition } else { self.mk_not(condition) };
            result = if hit {
                self.mk_or([guard, result])
            } else {
                let otherwise = self.mk_not(guard);
                self.mk_and([otherwise, result])
            };
        }
        result
    }

    /// `subject = value`, where the subject is no `?:` with a literal branch (but may be a literal).
    fn mk_eq_plain(&mut self, subject: TermId, value: TermId) -> TermId {
        if let Some(equal) = self.mk_eq_injections(subject, value) {
            return equal;
        }
        let (subject, value) = self.shift_constant(subject, value);
        if self.is_value(subject) {
            return TermId::bool(subject == value);
        }
        // The literal last: `State = Idle` reads better than the other way round.
        self.raw(Op::Eq, &[subject, value])
    }

    fn mk_eq_open(&mut self, a: TermId, b: TermId) -> TermId {
        match self.mk_eq_injections(a, b) {
            Some(equal) => equal,
            None => {
                // What speaks of a bound symbol first: `u = n` reads better than `n = u`.
                let [a, b] = if (self.is_closed(a), a) < (self.is_closed(b), b) { [a, b] } else { [b, a] };
                self.raw(Op::Eq, &[a, b])
            }
        }
    }

    /// Injections are one-to-one, and values of different members differ.
    fn mk_eq_injections(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (Op::In(_, left), Op::In(_, right)) = (self.op(a), self.op(b)) else { return None };
        if left != right {
            return Some(TermId::FALSE);
        }
        let (a, b) = (self.args(a)[0], self.args(b)[0]);
        Some(self.mk_eq(a, b))
    }

    /// All operands pairwise different. Literals are compared at once; two operands give a negated equality.
    pub fn mk_distinct(&mut self, args: &[TermId]) -> TermId {
        if let [a, b] = args {
            return self.mk_ne(*a, *b);
        }
        let mut sorted = args.to_vec();
        sorted.sort_unstable();
        let repeated = sorted.windows(2).any(|pair| pair[0] == pair[1]);
        if repeated || self.is_bool(args[0]) {
            return TermId::FALSE;
        }
        if sorted.iter().all(|&arg| self.is_value(arg)) {
            return TermId::TRUE;
        }
        self.raw(Op::Distinct, &sorted)
    }

    pub fn mk_ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        if a == b || c == TermId::TRUE {
            return a;
        }
        if c == TermId::FALSE {
            return b;
        }
        if let (inner, true) = self.strip_not(c) {
            return self.mk_ite_positive(inner, b, a);
        }
        self.mk_ite_positive(c, a, b)
    }

    fn mk_ite_positive(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        // Below the branches the condition is known.
        let a = self.branch_under(c, a, true);
        let b = self.branch_under(c, b, false);
        if a == b {
            return a;
        }
        if self.is_bool(a) {
            return self.mk_ite_bool(c, a, b);
        }
        self.raw(Op::Ite, &[c, a, b])
    }

    fn branch_under(&self, c: TermId, branch: TermId, holds: bool) -> TermId {
        if branch == c {
            return TermId::bool(holds);
        }
        if self.are_complements(branch, c) {
            return TermId::bool(!holds);
        }
        match (self.op(branch), self.args(branch)) {
            (Op::Ite, &[inner, yes, no]) if inner == c => {
                if holds {
                    yes
                } else {
                    no
                }
            }
            _ => branch,
        }
    }

    fn mk_ite_bool(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (TermId::TRUE, _) => self.mk_or([c, b]),
            (_, TermId::FALSE) => self.mk_and([c, a]),
            (TermId::FALSE, _) => {
                let otherwise = self.mk_not(c);
                self.mk_and([otherwise, b])
            }
            (_, TermId::TRUE) => self.mk_implies(c, a),
            _ if self.are_complements(a, b) => self.mk_iff(c, a),
            _ => self.raw(Op::Ite, &[c, a, b]),
        }
    }
}
