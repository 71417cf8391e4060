//! Multisets: places of any number, some of which hold an element.
//!
//! All multisets share one index sort, whose elements are places. A multiset is a set of places, a slot of its own (its *presence*), with the
//! leaves of the element type as functions from places. Adding an element chooses a place that is free; which one does not matter, because
//! nothing but `choose` tells places apart. There are as many places as are needed, so a run in an instance with few of them is cut short, and
//! one with enough is in the system: what holds for every number of places holds of the multiset.
//!
//! That a multiset has room is an obligation where its capacity is a small number, otherwise an assumption that every verdict names.
//! A number of elements becomes a formula where it is compared with a small number: there are at least three if there are three different
//! places with one. Elsewhere it is some number that fits to whether there is none and whether there are several.

use super::Reader;
use super::calls::Binding;
use super::domains::Open;
use super::havoc::Havoc;
use super::memory::Spot;
use super::values::Scalar;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{BinaryOp, Expr, ExprKind, LocalId, Place, TypeKind};
use crate::span::Span;
use num_traits::ToPrimitive;
use tenet_term::{Sort, SortId, Substitution, SymbolId, TermId};

/// The name of the presence among the leaves of a multiset.
const PRESENCE: &str = ".present";
/// The greatest number of elements that is spelled out with that many places.
const MAX_COUNTED: u32 = 4;

/// The elements of a multiset that satisfy a condition: those at places `open` where `body` holds.
struct Counted {
    open: Open,
    body: TermId,
}

impl Reader<'_> {
    /// The sort of places. Its name is that of no type.
    pub(super) fn place_sort(&mut self) -> SortId {
        let mut name = "multisets".to_owned();
        while self.model.types.iter().any(|ty| ty.name.as_ref() == Some(&name)) {
            name.push('_');
        }
        self.store.mk_sort(Sort::Index { name })
    }

    /// The path of the presence beside the leaves of an element.
    pub(super) fn presence_path<'a>(&self, elements: impl Iterator<Item = &'a String> + Clone) -> String {
        let mut path = PRESENCE.to_owned();
        while elements.clone().any(|known| *known == path) {
            path.push('_');
        }
        path
    }

    /// Is it the presence of a multiset?
    pub(super) fn is_presence(&self, slot: usize) -> bool {
        self.memory.slots[slot].is_presence
    }

    /// Is it a part of the elements of a multiset, and not of the whole?
    pub(super) fn is_of_elements(&self, slot: usize, from: usize) -> bool {
        let args = &self.memory.slots[slot].args;
        args[from..].iter().any(|&arg| matches!(self.model.ty(arg).kind, TypeKind::Multiset { .. }))
    }

    /// No element, as a function of the arguments from this position on.
    pub(super) fn nothing_present(&mut self, slot: usize, from: usize) -> TermId {
        let types = self.memory.slots[slot].args.clone();
        let rest = self.rest_symbols(&types, from, &[]);
        self.store.mk_lambda(&rest, TermId::FALSE)
    }

    /// A demand that depends on the places that all iterations of a loop have chosen would be one about functions.
    pub(super) fn refuse_many_places(&mut self, formula: TermId, span: Span) {
        let is_function = |symbol: SymbolId| {
            matches!(self.store.sort(self.store.symbol(symbol).sort), Sort::Function { .. })
        };
        let used = self.store.free_symbols(formula);
        let is_used = |&(place, _): &(SymbolId, TermId)| is_function(place) && used.contains(&place);
        if self.scope.chosen.iter().any(is_used) {
            let message = "what is demanded here depends on the elements that a loop has added before";
            let diagnostic = Diagnostic::error(&codes::DEPENDENT_ITERATIONS, message, span);
            self.report(diagnostic.help("add the elements of the loop last, or in rules of their own"));
        }
    }

    /// Empties what belongs to a multiset below these arguments; false if it does not. What stands at free places does not matter.
    pub(super) fn empty(&mut self, slot: usize, args: &[TermId], span: Span) -> bool {
        if self.is_presence(slot) {
            let nothing = self.nothing_present(slot, args.len());
            self.write_slot(slot, args, nothing, span);
            return true;
        }
        self.is_of_elements(slot, args.len())
    }

    /// Whether there is an element at a place.
    fn is_present(&mut self, multiset: &Spot, place: TermId) -> TermId {
        let args: Vec<TermId> = multiset.args.iter().copied().chain([place]).collect();
        self.read_slot(multiset.first, &args, multiset.span)
    }

    /// The element at a place.
    fn element_at(&mut self, multiset: &Spot, place: TermId) -> Spot {
        let TypeKind::Multiset { element, .. } = self.model.ty(multiset.ty).kind else {
            unreachable!("a multiset has elements")
        };
        let args = multiset.args.iter().copied().chain([place]).collect();
        let count = self.leaves(element).len();
        Spot { first: multiset.first + 1, count, args, ty: element, span: multiset.span }
    }

    pub(super) fn multiset_add(&mut self, element: &Expr, multiset: &Place, span: Span) {
        let spot = self.spot(multiset);
        let TypeKind::Multiset { element: ty, .. } = self.model.ty(spot.ty).kind else {
            unreachable!("a multiset has elements")
        };
        let content = self.content(element, ty, || "the added element".to_owned());
        self.demand_room(&spot, span);
        let place = self.any_value("place", &[], spot.ty);
        let present = self.is_present(&spot, place);
        let free = self.store.mk_not(present);
        let free = self.everywhere(free);
        let symbol = self.own_symbol(place);
        self.scope.chosen.push((symbol, free));
        let added = self.element_at(&spot, place);
        self.write_slot(spot.first, &added.args, TermId::TRUE, span);
        self.write_leaves(&added, &content, span);
    }

    /// That the multiset is not full.
    fn demand_room(&mut self, multiset: &Spot, span: Span) {
        let name = self.place_name(multiset);
        let TypeKind::Multiset { capacity, .. } = &self.model.ty(multiset.ty).kind else { return };
        let is_any = self.choice.is_symbolic(&capacity.expr);
        match u32::try_from(capacity.value).ok().filter(|&capacity| capacity <= MAX_COUNTED && !is_any) {
            Some(capacity) => {
                let place = self.open_place("p");
                let body = self.is_present(multiset, place);
                let open = self.open.pop().expect("invariant: opened above");
                let full = self.at_least(&Counted { open, body }, capacity);
                let room = self.store.mk_not(full);
                self.oblige(room, format!("`{name}` has room"), span);
            }
            None => {
                self.system.is_loose = true;
                let condition = format!("the multiset `{name}` always has room for another element");
                if !self.system.conditions.contains(&condition) {
                    self.system.conditions.push(condition);
                }
            }
        }
    }

    pub(super) fn multiset_remove(&mut self, index: &Expr, multiset: &Place, span: Span) {
        let place = self.scalar(index).term;
        let spot = self.spot(multiset);
        let present = self.is_present(&spot, place);
        let name = self.place_name(&spot);
        self.oblige(present, format!("the element that is removed from `{name}` is there"), span);
        let removed = self.element_at(&spot, place);
        self.write_slot(spot.first, &removed.args, TermId::FALSE, span);
        self.set_companions(&removed, false, span);
    }

    pub(super) fn multiset_remove_pred(
        &mut self,
        local: LocalId,
        multiset: &Place,
        predicate: &Expr,
        span: Span,
    ) {
        let spot = self.spot(multiset);
        let Counted { open, body } = self.counted(local, &spot, predicate);
        let place = self.store.mk_symbol(open.symbol);
        let args: Vec<TermId> = spot.args.iter().copied().chain([place]).collect();
        let present = self.read_slot(spot.first, &args, span);
        let not = self.store.mk_not(body);
        let kept = self.store.mk_and([present, not]);
        let left = self.store.mk_lambda(&[open.symbol], kept);
        self.write_slot(spot.first, &spot.args, left, span);
    }

    /// Binds a place that holds an element, around a rule.
    pub(super) fn choose_for_rule(&mut self, local: LocalId, multiset: &Place) {
        let name = self.frame().code.locals[local.0 as usize].name.clone();
        let spot = self.spot(multiset);
        let sort = self.place_sort();
        let symbol = self.parameter(&name, sort);
        self.scope.params.push(symbol);
        let place = self.store.mk_symbol(symbol);
        let present = self.is_present(&spot, place);
        self.scope.premise = self.store.mk_and([self.scope.premise, present]);
        self.bind(local, Binding::Scalar(Scalar::plain(place)));
    }

    /// Binds a place that holds an element, around a property.
    pub(super) fn choose_for_property(&mut self, local: LocalId, multiset: &Place) {
        let name = self.frame().code.locals[local.0 as usize].name.clone();
        let spot = self.spot(multiset);
        let place = self.open_place(&name);
        let present = self.is_present(&spot, place);
        if let Some(open) = self.open.last_mut() {
            open.guard = present;
        }
        self.bind(local, Binding::Scalar(Scalar::plain(place)));
    }

    /// Opens a place, any one.
    fn open_place(&mut self, name: &str) -> TermId {
        let sort = self.place_sort();
        let avoid: Vec<SymbolId> = self.open.iter().map(|open| open.symbol).collect();
        let symbol = self.store.bound_avoiding(name, sort, &avoid);
        self.open.push(Open { symbol, guard: TermId::TRUE, inhabited: TermId::TRUE });
        self.store.mk_symbol(symbol)
    }

    /// The elements with the property.
    fn counted(&mut self, local: LocalId, multiset: &Spot, predicate: &Expr) -> Counted {
        let name = self.frame().code.locals[local.0 as usize].name.clone();
        let place = self.open_place(&name);
        self.bind(local, Binding::Scalar(Scalar::plain(place)));
        let present = self.is_present(multiset, place);
        let holds = self.under(present, |reader| reader.scalar(predicate).term);
        let open = self.open.pop().expect("invariant: opened above");
        Counted { open, body: self.store.mk_and([present, holds]) }
    }

    /// Whether there are this many.
    fn at_least(&mut self, counted: &Counted, number: u32) -> TermId {
        let mut places: Vec<SymbolId> = Vec::new();
        let mut conditions = Vec::new();
        let name = self.store.symbol(counted.open.symbol).name.clone();
        let sort = self.place_sort();
        let mut avoid: Vec<SymbolId> = self.open.iter().map(|open| open.symbol).collect();
        avoid.extend_from_slice(self.store.free_bound(counted.body));
        avoid.retain(|&known| known != counted.open.symbol);
        for _ in 0..number {
            let symbol = self.store.bound_avoiding(&name, sort, &avoid);
            avoid.push(symbol);
            let place = self.store.mk_symbol(symbol);
            let here = Substitution::from_pairs(&self.store, [(counted.open.symbol, place)]);
            conditions.push(self.store.substitute(counted.body, &here));
            for &other in &places {
                let other = self.store.mk_symbol(other);
                conditions.push(self.store.mk_ne(place, other));
            }
            places.push(symbol);
        }
        let all = self.store.mk_and(conditions);
        if places.is_empty() { all } else { self.store.mk_exists(&places, all) }
    }

    /// A comparison of a number of elements with a small number; nothing, if it is no such comparison.
    pub(super) fn counting(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<TermId> {
        let (count, other, op) = match (&left.kind, &right.kind) {
            (ExprKind::MultisetCount { .. }, _) => (left, right, op),
            (_, ExprKind::MultisetCount { .. }) => (right, left, mirrored(op)?),
            _ => return None,
        };
        let ExprKind::MultisetCount { local, multiset, predicate } = &count.kind else { return None };
        let number = self.number(other);
        let number = self.store.as_int(number.term)?.to_i64()?;
        let spot = self.spot(multiset);
        let counted = self.counted(*local, &spot, predicate);
        // The least number for which the comparison with `<` is decided.
        let from = |number: i64| u32::try_from(number.max(0)).ok().filter(|&from| from <= MAX_COUNTED + 1);
        let mut is_from = |number: i64| Some(self.at_least(&counted, from(number)?));
        let formula = match op {
            BinaryOp::Ge => is_from(number)?,
            BinaryOp::Gt => is_from(number + 1)?,
            BinaryOp::Lt => {
                let reached = is_from(number)?;
                self.store.mk_not(reached)
            }
            BinaryOp::Le => {
                let reached = is_from(number + 1)?;
                self.store.mk_not(reached)
            }
            BinaryOp::Eq | BinaryOp::Ne if number < 0 => TermId::bool(op == BinaryOp::Ne),
            BinaryOp::Eq | BinaryOp::Ne => {
                let (reached, exceeded) = (is_from(number)?, is_from(number + 1)?);
                let below = self.store.mk_not(exceeded);
                let equal = self.store.mk_and([reached, below]);
                if op == BinaryOp::Eq { equal } else { self.store.mk_not(equal) }
            }
            _ => return None,
        };
        Some(formula)
    }

    /// A number of elements that is no part of a comparison with a small number.
    pub(super) fn count(&mut self, local: LocalId, multiset: &Place, predicate: &Expr, span: Span) -> Scalar {
        let spot = self.spot(multiset);
        let counted = self.counted(local, &spot, predicate);
        if self.scope.is_property {
            let message = "a number of elements is compared with something other than a small number";
            let help = format!("compare it with a number up to {MAX_COUNTED}");
            self.report(Diagnostic::error(&codes::MULTISET, message, span).help(help));
            return Scalar::plain(self.dummy(SortId::INT));
        }
        self.system.is_loose = true;
        let place = self.place_name(&spot);
        let number = self.any_number(&format!("count_{place}"));
        let zero = self.store.mk_int(0);
        let mut known = vec![self.store.mk_le(zero, number)];
        for least in 1..=2 {
            let (some, bound) = (self.at_least(&counted, least), self.store.mk_int(least));
            let reached = self.store.mk_le(bound, number);
            known.push(self.store.mk_eq(some, reached));
        }
        let known = self.store.mk_and(known);
        let constraint = self.closed(known);
        let symbol = self.own_symbol(number);
        self.scope.havocs.push(Havoc { symbol, constraint, remark: None });
        Scalar { term: number, known: tenet_system::Bounds { lo: Some(zero), hi: None } }
    }

    /// Any number, as a function of what is open.
    fn any_number(&mut self, name: &str) -> TermId {
        let open: Vec<SymbolId> = self.open.iter().map(|open| open.symbol).collect();
        let sorts: Vec<SortId> = open.iter().map(|&symbol| self.store.symbol(symbol).sort).collect();
        let sort = if sorts.is_empty() { SortId::INT } else { self.store.function_sort(&sorts, SortId::INT) };
        let symbol = self.parameter(&name.replace('.', "_"), sort);
        let whole = self.store.mk_symbol(symbol);
        let places: Vec<TermId> = open.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        if places.is_empty() { whole } else { self.store.mk_apply(whole, &places) }
    }

    /// For everything that is open.
    fn closed(&mut self, mut formula: TermId) -> TermId {
        for open in self.open.clone().iter().rev() {
            formula = self.close_forall(open, formula);
        }
        formula
    }

    /// The parameter that a value is.
    fn own_symbol(&self, value: TermId) -> SymbolId {
        let function = self.store.args(value).first().and_then(|&function| self.store.as_symbol(function));
        let whole = self.store.as_symbol(value).or(function);
        whole.expect("invariant: it is a parameter, or one applied")
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        BinaryOp::Eq | BinaryOp::Ne => op,
        _ => return None,
    })
}
