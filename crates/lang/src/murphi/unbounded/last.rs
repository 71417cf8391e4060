//! Loops in which the last iteration wins: several iterations write different values, and none reads them.
//!
//! Which iteration is the last one to write is a parameter of the rule. Over numbers it is the greatest (or least) of
//! those that write, which is exact. The values of an index sort have no order, so it may be any of those that write:
//! that covers every order, whatever the elements of an instance are called.

use super::Reader;
use super::accesses::Write;
use super::havoc::Havoc;
use super::sweeps::Sweep;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use tenet_term::{Substitution, SymbolId, TermId};

impl Reader<'_> {
    /// The slot gets the value that the last of the writing iterations leaves.
    pub(super) fn last_wins(&mut self, sweep: &Sweep, slot: usize, writes: &[Write], span: Span) {
        let condition = self.store.mk_or(writes.iter().map(|write| write.condition));
        let ever = self.close_exists(&sweep.open, condition);
        let last = self.last_iteration(sweep, condition, ever, span);
        let left = match writes {
            [only] => only.value,
            _ => sweep.after.values[slot],
        };
        let substitution = Substitution::from_pairs(&self.store, [(sweep.open.symbol, last)]);
        let value = self.store.substitute(left, &substitution);
        let old = self.memory.env.values[slot];
        self.memory.env.values[slot] = self.store.mk_ite(ever, value, old);
    }

    /// The last iteration in which the condition holds, if there is one.
    fn last_iteration(&mut self, sweep: &Sweep, writes: TermId, ever: TermId, span: Span) -> TermId {
        let last = self.iteration_parameter(sweep);
        let substitution = Substitution::from_pairs(&self.store, [(sweep.open.symbol, last)]);
        let mut conditions =
            vec![self.store.substitute(writes, &substitution), self.is_meant(&sweep.any, last)];
        let is_ordered = self.store.sort(sweep.any.sort).is_integer();
        if is_ordered {
            let variable = self.store.mk_symbol(sweep.open.symbol);
            let before = match sweep.any.descending {
                true => self.store.mk_le(last, variable),
                false => self.store.mk_le(variable, last),
            };
            let before = self.store.mk_implies(writes, before);
            conditions.push(self.close_forall(&sweep.open, before));
        }
        let is_last = self.store.mk_and(conditions);
        let mut constraint = self.store.mk_implies(ever, is_last);
        for open in self.open.clone().iter().rev() {
            constraint = self.close_forall(open, constraint);
        }
        let symbols = self.store.free_symbols(last);
        let symbol = symbols.into_iter().find(|symbol| !self.open.iter().any(|open| open.symbol == *symbol));
        let symbol = symbol.expect("invariant: the parameter occurs in its own term");
        let remark = (!is_ordered).then(|| self.remark_about_last(sweep, span));
        self.scope.havocs.push(Havoc { symbol, constraint, remark });
        last
    }

    /// A parameter for an iteration, as a function of the loops around.
    fn iteration_parameter(&mut self, sweep: &Sweep) -> TermId {
        let open: Vec<SymbolId> = self.open.iter().map(|open| open.symbol).collect();
        let sorts: Vec<_> = open.iter().map(|&symbol| self.store.symbol(symbol).sort).collect();
        let name = format!("last_{}", sweep.name);
        if sorts.is_empty() {
            let symbol = self.parameter(&name, sweep.any.sort);
            return self.store.mk_symbol(symbol);
        }
        let sort = self.store.function_sort(&sorts, sweep.any.sort);
        let symbol = self.parameter(&name, sort);
        let function = self.store.mk_symbol(symbol);
        let args: Vec<TermId> = open.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        self.store.mk_apply(function, &args)
    }

    fn remark_about_last(&self, sweep: &Sweep, span: Span) -> Diagnostic {
        let over = &sweep.over;
        let message = format!("any iteration of this loop over {over} may be the last to write this");
        Diagnostic::warning(&codes::LAST_WINS, message, span)
            .label("different iterations may write different values")
            .also(sweep.variable, "the loop variable")
    }
}
