//! Definitions, constants without a value, and arrays with an element replaced.
//!
//! A definition without recursion is executed where it is used. A recursive one is a function symbol, and its body is read once,
//! with bound symbols for the leaves of its parameters: arrays become arguments of function sort, so that
//! `acc(left[q := p], right, n)` is an ordinary application that substitution works on. There are no obligations for indices in a
//! definition: terms have a value everywhere. But a recursive use is only for values of the parameter's type.

use super::calls::Binding;
use super::domains::Open;
use super::values::Scalar;
use super::{Reader, source};
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{self, DefinitionId, Expr, LocalId, TypeKind};
use crate::span::Span;
use tenet_system::{Axiom, Bounds, Definition};
use tenet_term::{Role, SortId, SymbolId, TermId};

impl<'m> Reader<'m> {
    /// Declares the numbers without a value, before any type that they bound is read.
    pub(super) fn declare_unknown_numbers(&mut self) {
        for (position, constant) in (0..).zip(&self.model.consts) {
            if constant.unknown && constant.definition.is_none() {
                self.make_symbolic(hir::ConstId(position));
            }
        }
    }

    /// Assumes that symbolic constants are within the bounds of their types.
    pub(super) fn assume_constants_in_bounds(&mut self) {
        let model = self.model;
        for (position, constant) in (0..).zip(&model.consts) {
            let Some(ty) = constant.ty.filter(|_| constant.unknown) else { continue };
            let (term, bounds) = (self.constant(hir::ConstId(position)), self.bounds(ty));
            let formula = self.between(term, bounds);
            self.assume_bounds(&constant.name, constant.span, formula);
        }
        for (position, var) in model.vars.iter().enumerate().filter(|(_, var)| var.is_constant) {
            let first = self.memory.vars[position];
            for slot in first..first + self.leaves(var.ty).len() {
                let formula = self.slot_in_bounds(slot);
                self.assume_bounds(&self.memory.slots[slot].name.clone(), var.span, formula);
            }
        }
    }

    fn assume_bounds(&mut self, name: &str, span: Span, formula: TermId) {
        let is_known = self.system.axioms.iter().any(|axiom| axiom.formula == formula);
        if formula != TermId::TRUE && !is_known {
            let (name, source) = (format!("`{name}` keeps its bounds"), source(span));
            self.system.axioms.push(Axiom { name, source, formula });
        }
    }

    /// That the values of a constant array are within their bounds at all valid indices.
    fn slot_in_bounds(&mut self, slot: usize) -> TermId {
        let described = self.memory.slots[slot].clone();
        let bounds = self.symbolic_bounds(described.ty);
        if bounds == Bounds::default() {
            return TermId::TRUE;
        }
        let symbol = described.symbol.expect("invariant: constants have symbols");
        let whole = self.store.mk_symbol(symbol);
        let bound = self.rest_symbols(&described.args, 0, &[]);
        let places: Vec<TermId> = bound.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let value = if places.is_empty() { whole } else { self.store.mk_apply(whole, &places) };
        let mut guards = Vec::new();
        for (&place, &arg) in places.iter().zip(&described.args) {
            let bounds = self.symbolic_bounds(arg);
            guards.push(self.between(place, bounds));
        }
        let (guard, fits) = (self.store.mk_and(guards), self.between(value, bounds));
        let formula = self.store.mk_implies(guard, fits);
        if bound.is_empty() { formula } else { self.store.mk_forall(&bound, formula) }
    }

    /// Recursive definitions, in order: a later one may use the earlier ones.
    pub(super) fn read_definitions(&mut self) {
        for (position, definition) in (0..).zip(&self.model.definitions) {
            if definition.is_recursive {
                self.read_definition(DefinitionId(position), definition);
            }
        }
    }

    fn read_definition(&mut self, id: DefinitionId, definition: &'m hir::Definition) {
        self.begin(Role::Input);
        self.scope.is_definition = true;
        self.enter(&definition.code, None, definition.parameter_count);
        let params = self.bind_parameters(definition);
        let sorts: Vec<SortId> = params.iter().map(|&param| self.store.symbol(param).sort).collect();
        let sort = self.store.function_sort(&sorts, SortId::BOOL);
        let symbol = self.store.declare(&definition.name, sort, Role::Const);
        self.definitions.insert(id, symbol);
        let body = self.scalar(&definition.body).term;
        self.open.clear();
        self.leave();
        let (name, source) = (definition.name.clone(), source(definition.span));
        self.system.definitions.push(Definition { name, source, symbol, params, body });
    }

    /// A bound symbol for each leaf of each parameter. They count as open, so that no quantifier captures them.
    fn bind_parameters(&mut self, definition: &hir::Definition) -> Vec<SymbolId> {
        let mut params: Vec<SymbolId> = Vec::new();
        for position in 0..definition.parameter_count {
            let ty = definition.code.locals[position].ty;
            let Binding::Slots(first, _) = self.binding(LocalId(position as u32)) else {
                unreachable!("parameters of definitions are variables")
            };
            for slot in first..first + self.leaves(ty).len() {
                let described = self.memory.slots[slot].clone();
                let sort = self.leaf_sort(&described.args, described.ty);
                let symbol = self.store.bound_avoiding(&described.name, sort, &params);
                self.memory.env.values[slot] = self.store.mk_symbol(symbol);
                self.open.push(Open { symbol, guard: TermId::TRUE, inhabited: TermId::TRUE });
                params.push(symbol);
            }
        }
        params
    }

    /// A definition applied to arguments.
    pub(super) fn apply(&mut self, id: DefinitionId, arguments: &[Expr], span: Span) -> Scalar {
        let model = self.model;
        let definition = &model.definitions[id.0 as usize];
        if !self.spend(1, span) {
            let sort = self.sort(definition.result);
            return Scalar::plain(self.dummy(sort));
        }
        let mut leaves = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&definition.code.locals) {
            let what = || format!("the argument `{}` of `{}`", parameter.name, definition.name);
            let demands = self.scope.obligations.len();
            let content = self.content(argument, parameter.ty, what);
            let count = self.leaves(parameter.ty).len();
            self.demand_all_defined(parameter.ty, &content[count..], &what(), argument.span);
            leaves.extend_from_slice(&content[..count]);
            if self.scope.is_definition && self.scope.obligations.len() > demands {
                self.refuse_argument(&what(), argument.span);
            }
        }
        if let Some(&symbol) = self.definitions.get(&id) {
            let function = self.store.mk_symbol(symbol);
            return Scalar::plain(self.store.mk_apply(function, &leaves));
        }
        self.enter(&definition.code, None, definition.parameter_count);
        let mut given = leaves.iter();
        for (position, parameter) in definition.code.locals[..definition.parameter_count].iter().enumerate() {
            let Binding::Slots(first, _) = self.binding(LocalId(position as u32)) else {
                unreachable!("parameters of definitions are variables")
            };
            let count = self.leaves(parameter.ty).len();
            for (slot, &leaf) in (first..first + count).zip(given.by_ref()) {
                self.memory.env.values[slot] = leaf;
            }
        }
        let what = || format!("the value of `{}`", definition.name);
        let term = self.content(&definition.body, definition.result, what)[0];
        self.leave();
        Scalar { term, known: self.bounds(definition.result) }
    }

    /// Obligations cannot arise in a definition, which is read once, for all values: what would need one is refused.
    fn refuse_argument(&mut self, what: &str, span: Span) {
        let message = format!("{what} may be outside of its type");
        let help = "quantify over the values that there are: `exists m : T do m = … & … end`";
        self.report(Diagnostic::error(&codes::OUTSIDE_TYPE, message, span).help(help));
    }

    /// The leaves of `array[index := value]`.
    pub(super) fn updated(&mut self, array: &Expr, indices: &[Expr], value: &Expr) -> Vec<TermId> {
        let model = self.model;
        let old = self.aggregate(array, array.ty);
        let (mut ty, mut args) = (array.ty, Vec::new());
        for index in indices {
            let TypeKind::Array { index: index_type, element } = model.ty(ty).kind else {
                unreachable!("indices fit the type of the array")
            };
            args.push(self.index_value(index, index_type, "the updated array"));
            ty = element;
        }
        let new = self.content(value, ty, || "the new element".to_owned());
        let leaves = self.leaves(array.ty);
        let pairs = leaves.iter().chain(leaves.iter()).zip(old.iter().zip(&new));
        pairs.map(|(leaf, (&old, &new))| self.changed(old, &leaf.args, &args, new)).collect()
    }
}
