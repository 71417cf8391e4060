//! The reads and writes of a loop, recorded while its body is executed once for an arbitrary value of its variable.

use super::Reader;
use super::domains::Open;
use crate::span::Span;
use tenet_term::TermId;

/// The accesses of one loop.
pub(super) struct Log {
    /// The number of conditions around the loop.
    pub(super) depth: usize,
    /// The number of slots before the loop; later ones are private to an iteration.
    pub(super) slots: usize,
    pub(super) accesses: Vec<Access>,
}

#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) slot: usize,
    /// The given indices; the access covers all of the slot below them.
    pub(super) args: Vec<TermId>,
    pub(super) span: Span,
    /// For reads, for each enclosing loop: whether the same iteration has just written what is read.
    fresh: Vec<bool>,
    /// The written value and its condition; `None` for a read.
    pub(super) write: Option<Write>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) value: TermId,
    /// The path condition, relative to the loop.
    pub(super) condition: TermId,
    /// Whether an inner loop writes it with a value or indices that depend on the inner loop's variable.
    pub(super) varied: bool,
}

impl Access {
    pub(super) fn read(slot: usize, args: &[TermId], span: Span, fresh: Vec<bool>) -> Access {
        Access { slot, args: args.to_vec(), span, fresh, write: None }
    }

    pub(super) fn write(
        slot: usize,
        args: &[TermId],
        span: Span,
        value: TermId,
        condition: TermId,
    ) -> Access {
        let write = Some(Write { value, condition, varied: false });
        Access { slot, args: args.to_vec(), span, fresh: Vec::new(), write }
    }

    /// Whether it reads a place that another iteration of the loop at this level may have written.
    pub(super) fn sees_others(&self, level: usize) -> bool {
        self.write.is_none() && !self.fresh.get(level).copied().unwrap_or(false)
    }
}

impl Reader<'_> {
    /// Adds the accesses of an inner loop to the enclosing one.
    pub(super) fn hand_on(&mut self, log: Log, open: &Open) {
        let Some(around) = self.logs.last() else { return };
        let (depth, slots) = (around.depth, around.slots);
        let path = self.path_from(depth);
        for mut access in log.accesses {
            if access.slot >= slots {
                continue;
            }
            if let Some(write) = &mut access.write {
                let mentions = |term: &TermId| self.store.free_bound(*term).contains(&open.symbol);
                write.varied |= mentions(&write.value) || access.args.iter().any(mentions);
                let ever = self.close_exists(open, write.condition);
                write.condition = self.store.mk_and([path, ever]);
            }
            if let Some(around) = self.logs.last_mut() {
                around.accesses.push(access);
            }
        }
    }
}
