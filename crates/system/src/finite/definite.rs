//! Which slots can ever be undefined.
//!
//! Reading an undefined slot is a fault, and whether code can fault matters where its parts run in no order. The
//! startstates are executed, because what a loop assigns in them is hard to see otherwise; for the rules it is enough
//! to look at what they undefine and copy, whatever their guards say.

use super::layout::UNDEFINED;
use super::program::{Expr, Place, Program, Range, Stmt};
use super::trace::{Action, Replayer};

/// Startstates that are executed; with more than these any slot counts as undefined at first.
const START_LIMIT: u64 = 10_000;
/// Slots that one place is followed to.
const PLACE_LIMIT: usize = 1 << 16;

/// For each slot of the state whether it may be undefined in a reachable state. Never wrongly false.
pub fn maybe_undefined(program: &Program) -> Vec<bool> {
    let mut slots = Slots { maybe: at_start(program), copies: Vec::new() };
    for multiset in &program.layout.multisets {
        // Absent elements are, and any element may move to any place.
        slots.mark(multiset.base as usize, (multiset.stride * multiset.count) as usize);
    }
    for rule in &program.rules {
        slots.expr(&rule.guard);
        slots.block(&rule.body);
    }
    slots.follow_copies();
    slots.maybe
}

/// The slots that some startstate leaves undefined.
fn at_start(program: &Program) -> Vec<bool> {
    let length = program.layout.slots.len();
    let mut maybe = vec![false; length];
    let mut replayer = Replayer::new(program);
    for (rule, start) in program.starts.iter().enumerate() {
        let instances = start.params.iter().map(|param| param.count()).fold(1, u64::saturating_mul);
        if instances > START_LIMIT {
            return vec![true; length];
        }
        for instance in 0..instances {
            let Ok(Some(state)) = replayer.start(Action { rule, instance }) else { continue };
            maybe.iter_mut().zip(&state).for_each(|(maybe, value)| *maybe |= *value == UNDEFINED);
        }
    }
    maybe
}

struct Slots {
    maybe: Vec<bool>,
    /// Source, destination and length of each copy between two fixed places.
    copies: Vec<(Vec<usize>, Vec<usize>, usize)>,
}

impl Slots {
    fn mark(&mut self, first: usize, count: usize) {
        let end = self.maybe.len().min(first.saturating_add(count));
        for slot in first.min(end)..end {
            self.maybe[slot] = true;
        }
    }

    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(_, value) | Stmt::Evaluate(value) => self.expr(value),
            Stmt::Store(place, value) => {
                self.place(place);
                self.expr(value);
            }
            Stmt::Copy { from, to, len } => {
                self.place(from);
                self.place(to);
                self.copy(from, to, *len as usize);
            }
            Stmt::Undefine(place, len) => {
                self.place(place);
                match first_slots(place) {
                    Some(firsts) => firsts.into_iter().for_each(|first| self.mark(first, *len as usize)),
                    None => self.maybe.fill(true),
                }
            }
            Stmt::If(condition, then, otherwise) => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
            }
            Stmt::For(_, range, body) => {
                self.range(range);
                self.block(body);
            }
            Stmt::While(condition, body, _) => {
                self.expr(condition);
                self.block(body);
            }
            Stmt::Block(_, body) => self.block(body),
            Stmt::Leave(_) | Stmt::Fault(_) | Stmt::Reject | Stmt::Cover(_) => {}
        }
    }

    fn copy(&mut self, from: &Place, to: &Place, len: usize) {
        match (first_slots(from), first_slots(to)) {
            (Some(from), Some(to)) => self.copies.push((from, to, len)),
            _ => self.maybe.fill(true),
        }
    }

    /// Undefined parts are copied along; what comes from scratch memory counts as undefined.
    fn follow_copies(&mut self) {
        let copies = std::mem::take(&mut self.copies);
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to, len) in &copies {
                for offset in 0..*len {
                    let undefined = |&first: &usize| self.maybe.get(first + offset).copied().unwrap_or(true);
                    if !from.iter().any(undefined) {
                        continue;
                    }
                    for slot in to.iter().map(|first| first + offset) {
                        if self.maybe.get(slot) == Some(&false) {
                            self.maybe[slot] = true;
                            changed = true;
                        }
                    }
                }
            }
        }
    }

    /// Calls in indices may do anything a statement may.
    fn place(&mut self, place: &Place) {
        place.dims.iter().for_each(|dim| self.expr(&dim.index));
    }

    fn range(&mut self, range: &Range) {
        [&range.from, &range.to, &range.step].into_iter().for_each(|end| self.expr(end));
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(_) | Expr::Var(_) => {}
            Expr::Load(place, _) | Expr::LoadDefined(place) | Expr::IsUndefined(place) => self.place(place),
            Expr::SameContent(left, right, _) => {
                self.place(left);
                self.place(right);
            }
            Expr::Not(inner) | Expr::InRange(inner, ..) => self.expr(inner),
            Expr::And(left, right)
            | Expr::Or(left, right)
            | Expr::Compare(_, left, right)
            | Expr::Arith(_, left, right, _) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Ite(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expr(part));
            }
            Expr::Quantifier { range, body, .. } | Expr::Count { range, body, .. } => {
                self.range(range);
                self.expr(body);
            }
            Expr::Block(body, result) => {
                self.block(body);
                self.expr(result);
            }
        }
    }
}

/// The first slot of a place for all values of its indices; `None` if there are too many.
fn first_slots(place: &Place) -> Option<Vec<usize>> {
    let mut firsts = vec![place.base as usize];
    for dim in &place.dims {
        let count = dim.count as usize;
        if firsts.len().saturating_mul(count) > PLACE_LIMIT {
            return None;
        }
        firsts = firsts
            .iter()
            .flat_map(|first| (0..count).map(move |position| first + position * dim.stride as usize))
            .collect();
    }
    Some(firsts)
}
