//! What a loop reads and writes, noted while its body is executed once for an arbitrary value of its variable.

use super::Reader;
use super::domains::Open;
use crate::span::Span;
use tenet_term::TermId;

/// What one loop accesses.
pub(super) struct Log {
    /// How many conditions surround the loop.
    pub(super) depth: usize,
    /// How many slots there were before the loop; later ones are private to an iteration.
    pub(super) slots: usize,
    pub(super) accesses: Vec<Access>,
}

/// One access.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) slot: usize,
    /// The indices that were given; all of the slot below them is meant.
    pub(super) args: Vec<TermId>,
    pub(super) span: Span,
    /// For reads, for each open loop: whether the same iteration has just written what is read.
    fresh: Vec<bool>,
    /// What is written and when; `None` for a read.
    pub(super) write: Option<Write>,
}

/// What is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Write {
    pub(super) value: TermId,
    /// When, relative to the loop.
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

    /// Whether it reads what another iteration of the loop at this level may have written.
    pub(super) fn sees_others(&self, level: usize) -> bool {
        self.write.is_none() && !self.fresh.get(level).copied().unwrap_or(false)
    }
}

impl Reader<'_> {
    /// Hands what an inner loop accessed to the loop around it.
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
