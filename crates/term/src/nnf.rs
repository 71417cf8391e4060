//! Negation normal form, and lifting of `?:` out of atoms.
//!
//! Both are memoised over the shared structure (negation normal form for each polarity separately), so equivalences,
//! which need both polarities of their operands, cost a factor of two and not an exponential.

use rustc_hash::FxHashMap;

use crate::id::TermId;
use crate::store::TermStore;
use crate::term::{Args, Op};

impl TermStore {
    /// An equivalent formula made of `&`, `|`, quantifiers and literals (atoms and negated atoms). Atoms are left
    /// alone, including formulas inside them; [`lift_ites`](TermStore::lift_ites) gets conditions out of there first.
    pub fn nnf(&mut self, formula: TermId) -> TermId {
        let mut memo: FxHashMap<Signed, TermId> = FxHashMap::default();
        let mut stack = vec![(formula, true)];
        while let Some(&current) = stack.last() {
            if memo.contains_key(&current) {
                stack.pop();
                continue;
            }
            let needed = self.nnf_operands(current);
            let missing: Vec<Signed> =
                needed.iter().copied().filter(|part| !memo.contains_key(part)).collect();
            if !missing.is_empty() {
                stack.extend(missing);
                continue;
            }
            let parts: Args = needed.iter().map(|part| memo[part]).collect();
            let result = self.nnf_build(current, &parts);
            memo.insert(current, result);
            stack.pop();
        }
        memo[&(formula, true)]
    }

    /// The operands, with polarity, that the normal form of a formula is made from.
    fn nnf_operands(&self, (formula, positive): Signed) -> Vec<Signed> {
        let args = self.args(formula);
        match self.op(formula) {
            Op::Not => vec![(args[0], !positive)],
            Op::And | Op::Or | Op::Forall(_) | Op::Exists(_) => {
                args.iter().map(|&arg| (arg, positive)).collect()
            }
            Op::Implies => vec![(args[0], !positive), (args[1], positive)],
            Op::Iff => vec![(args[0], true), (args[0], false), (args[1], positive), (args[1], !positive)],
            Op::Ite if self.is_bool(formula) => {
                vec![(args[0], true), (args[0], false), (args[1], positive), (args[2], positive)]
            }
            _ => Vec::new(),
        }
    }

    fn nnf_build(&mut self, (formula, positive): Signed, parts: &[TermId]) -> TermId {
        let op = self.op(formula).clone();
        match (op, parts) {
            (Op::Not, &[part]) => part,
            (Op::And, _) if positive => self.mk_and(parts.iter().copied()),
            (Op::Or, _) if !positive => self.mk_and(parts.iter().copied()),
            (Op::And | Op::Or, _) => self.mk_or(parts.iter().copied()),
            (Op::Implies, _) if positive => self.mk_or(parts.iter().copied()),
            (Op::Implies, _) => self.mk_and(parts.iter().copied()),
            (Op::Forall(bound), &[body]) if positive => self.mk_forall(&bound, body),
            (Op::Exists(bound), &[body]) if !positive => self.mk_forall(&bound, body),
            (Op::Forall(bound) | Op::Exists(bound), &[body]) => self.mk_exists(&bound, body),
            // Iff and Ite: in the first case the condition holds, in the second it does not.
            (_, &[yes, no, then, otherwise]) => {
                let first = self.mk_and([yes, then]);
                let second = self.mk_and([no, otherwise]);
                self.mk_or([first, second])
            }
            _ if positive => formula,
            _ => self.mk_not(formula),
        }
    }

    /// An equivalent term in which `?:` stands only at sort `Bool`, at the top, directly below another `?:`, or just
    /// below a lambda. May grow exponentially with the number of `?:` in one atom.
    pub fn lift_ites(&mut self, term: TermId) -> TermId {
        self.lift_ites_within(term, usize::MAX).expect("invariant: there is no limit")
    }

    /// The same; `None` if that takes more than so many terms.
    pub fn lift_ites_within(&mut self, term: TermId, limit: usize) -> Option<TermId> {
        let mut left = Some(limit);
        let lifted = self.rewrite_bottom_up(term, |store, subterm, args| {
            let op = store.op(subterm);
            let stays = op.is_connective() || op.is_binder() || *op == Op::Ite;
            if stays || !args.iter().any(|&arg| store.is_liftable(arg)) {
                return store.mk_again(subterm, args);
            }
            let op = op.clone();
            let found = left.and_then(|limit| store.mk_lifted(op, args, limit));
            left = found.map(|(_, left)| left);
            // After the limit nothing matters any more.
            found.map_or_else(|| store.mk_again(subterm, args), |(lifted, _)| lifted)
        });
        left.map(|_| lifted)
    }

    fn is_liftable(&self, term: TermId) -> bool {
        *self.op(term) == Op::Ite && !self.is_bool(term)
    }

    /// The operator with the conditions of its operands pulled out, first operand first, and what is left of the limit.
    fn mk_lifted(&mut self, op: Op, args: &[TermId], limit: usize) -> Option<(TermId, usize)> {
        let start = Args::from_slice(args);
        let mut memo: FxHashMap<Args, TermId> = FxHashMap::default();
        let mut stack = vec![start.clone()];
        while let Some(current) = stack.last().cloned() {
            if memo.len() >= limit {
                return None;
            }
            let Some(place) = current.iter().position(|&arg| self.is_liftable(arg)) else {
                let result = self.mk(op.clone(), &current);
                memo.insert(current, result);
                stack.pop();
                continue;
            };
            let [condition, yes, no] = [0, 1, 2].map(|index| self.args(current[place])[index]);
            let (mut if_yes, mut if_no) = (current.clone(), current.clone());
            if_yes[place] = yes;
            if_no[place] = no;
            match (memo.get(&if_yes).copied(), memo.get(&if_no).copied()) {
                (Some(yes), Some(no)) => {
                    let result = self.mk_ite(condition, yes, no);
                    memo.insert(current, result);
                    stack.pop();
                }
                (None, _) => stack.push(if_yes),
                (_, None) => stack.push(if_no),
            }
        }
        Some((memo[&start], limit - memo.len()))
    }
}

/// A formula that is meant as it is (true) or negated (false).
type Signed = (TermId, bool);
