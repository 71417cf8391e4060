//! Statements.

use super::Reader;
use super::memory::Env;
use super::sorts::is_aggregate;
use crate::murphi::hir::{Expr, Place, Put, Stmt, StmtKind};
use crate::span::Span;
use tenet_term::TermId;

impl Reader<'_> {
    /// Executes statements in order, while the path condition is satisfiable as far as simplification tells.
    pub(super) fn block(&mut self, body: &[Stmt]) {
        for statement in body {
            if self.memory.env.live == TermId::FALSE || !self.spend(1, statement.span) {
                return;
            }
            self.deeper(statement.span, |reader| reader.statement(statement));
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Assign { place, value } => self.assign(place, value, span),
            StmtKind::If { .. } => self.if_statement(statement),
            StmtKind::For { binder, body } => self.for_loop(binder, body, span),
            StmtKind::While { condition, body } => self.while_loop(condition, body, span),
            StmtKind::Alias { aliases, body } => self.alias_statement(aliases, body),
            StmtKind::Call { function, arguments } => drop(self.call(*function, arguments, span)),
            StmtKind::Clear(place) => self.clear(place, span),
            StmtKind::Undefine(place) => self.undefine(place, span),
            StmtKind::Assert { formula, message } => {
                let formula = self.scalar(formula).term;
                let name = message.clone().unwrap_or_else(|| "assertion".to_owned());
                self.assert(formula, name, span);
            }
            StmtKind::Error(message) => self.assert(TermId::FALSE, message.clone(), span),
            StmtKind::Assume(formula) => self.assume(formula),
            StmtKind::Return(value) => self.return_statement(value.as_ref()),
            // Evaluated only for its obligations: nothing is printed, and covers are for `explore`.
            StmtKind::Cover(value, _) | StmtKind::Put(Put::Value(value)) => self.look_at(value),
            StmtKind::Put(Put::Text(_)) => {}
            StmtKind::MultisetAdd { element, multiset } => self.multiset_add(element, multiset, span),
            StmtKind::MultisetRemove { index, multiset } => self.multiset_remove(index, multiset, span),
            StmtKind::MultisetRemovePred { local, multiset, predicate } => {
                self.multiset_remove_pred(*local, multiset, predicate, span)
            }
        }
    }

    fn look_at(&mut self, value: &Expr) {
        if !is_aggregate(self.model, value.ty) {
            self.scalar(value);
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr, span: Span) {
        let spot = self.spot(place);
        let name = self.place_name(&spot);
        let content = match value.copied(self.frame().code, false, place.ty) {
            Some(copied) => self.copied(copied),
            None => self.content(value, place.ty, || format!("the value of `{name}`")),
        };
        self.write_leaves(&spot, &content, span);
    }

    /// `if`, and the `elsif`s below it in a loop: there may be a thousand of them.
    fn if_statement(&mut self, statement: &Stmt) {
        let mut branches: Vec<(TermId, Env, TermId)> = Vec::new();
        let mut rest = Some(statement);
        while let Some(Stmt { kind: StmtKind::If { condition, then, otherwise }, span }) = rest {
            let condition = self.scalar(condition).term;
            let live = self.memory.env.live;
            if condition == TermId::TRUE {
                self.block(then);
                break;
            }
            if condition != TermId::FALSE {
                let before = self.memory.env.clone();
                self.memory.env.live = self.store.mk_and([live, condition]);
                self.block(then);
                let after = std::mem::replace(&mut self.memory.env, before);
                let not = self.store.mk_not(condition);
                self.memory.env.live = self.store.mk_and([live, not]);
                branches.push((condition, after, live));
            }
            rest = match &otherwise[..] {
                [only] if matches!(only.kind, StmtKind::If { .. }) && self.spend(1, *span) => Some(only),
                _ => {
                    self.block(otherwise);
                    None
                }
            };
            if self.memory.env.live == TermId::FALSE {
                break;
            }
        }
        while let Some((condition, yes, live)) = branches.pop() {
            let no = std::mem::take(&mut self.memory.env);
            self.memory.env = self.merge(condition, yes, no, live);
        }
    }

    fn clear(&mut self, place: &Place, span: Span) {
        let spot = self.spot(place);
        for slot in spot.first..spot.first + spot.count {
            if self.empty(slot, &spot.args, span) {
                continue;
            }
            let least = self.least(self.memory.slots[slot].ty, span);
            let types = self.memory.slots[slot].args.clone();
            let rest = self.rest_symbols(&types, spot.args.len(), &[]);
            let value = if rest.is_empty() { least } else { self.store.mk_lambda(&rest, least) };
            self.write_slot(slot, &spot.args, value, span);
        }
        self.set_companions(&spot, true, span);
    }

    fn undefine(&mut self, place: &Place, span: Span) {
        let spot = self.spot(place);
        for slot in spot.first..spot.first + spot.count {
            if self.empty(slot, &spot.args, span) {
                continue;
            }
            let described = &self.memory.slots[slot];
            let (name, ty) = (described.name.clone(), described.ty);
            let args = described.args[spot.args.len()..].to_vec();
            let value = self.any_value(&name, &args, ty);
            self.write_slot(slot, &spot.args, value, span);
        }
        self.set_companions(&spot, false, span);
    }

    /// The step is not taken if the formula is false.
    fn assume(&mut self, formula: &Expr) {
        let formula = self.scalar(formula).term;
        let fact = self.everywhere(formula);
        self.scope.facts.push(fact);
    }
}
