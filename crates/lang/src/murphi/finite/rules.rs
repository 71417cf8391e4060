//! Rules, startstates and properties, with the bindings around them.

use super::super::hir::{self, Binder, Domain, Prelude, PropertyKind};
use super::expressions::quantifier;
use super::memory::Role;
use super::values::{Value, and, not, or};
use super::{Binding, Exit, Lowering, after, scan, source};
use crate::codes::instance::{PARAMETER_NOT_CONSTANT, STEP_ZERO};
use crate::diagnostic::Diagnostic;
use tenet_system::finite::layout::{self, PartKind};
use tenet_system::finite::program::{self, Expr, Param, Place, Property, Range, Rule, Stmt, VarId};

/// One layer around a formula.
#[derive(Clone)]
pub(super) enum Around {
    /// A quantified variable.
    Quantify(VarId, Range),
    /// Bindings that are evaluated first.
    Let(Vec<Stmt>),
    /// A condition: the multiset element is present, or the antecedent holds.
    Only(Expr),
}

/// The formula with all layers around it, the last one innermost.
pub(super) fn surround(layers: &[Around], formula: Expr, universal: bool) -> Expr {
    layers.iter().rev().cloned().fold(formula, |formula, layer| match layer {
        Around::Quantify(var, range) => quantifier(universal, var, range, formula),
        Around::Let(stmts) => after(stmts, formula),
        Around::Only(condition) if universal => or(not(condition), formula),
        Around::Only(condition) => and(condition, formula),
    })
}

impl<'m> Lowering<'m> {
    pub(super) fn lower_start(&mut self, start: &'m hir::Rule) -> Rule {
        let mut rule = self.lower_rule(start);
        let mut body = self.empty_multisets();
        self.choose_constants(&mut rule.params, &mut body);
        body.append(&mut rule.body);
        rule.body = body;
        rule
    }

    /// Everything is undefined before a startstate, except multisets, which are empty.
    fn empty_multisets(&mut self) -> Vec<Stmt> {
        let model = self.model;
        let mut stmts = Vec::new();
        for (position, var) in model.vars.iter().enumerate() {
            for leaf in self.memory.leaves(var.ty) {
                if leaf.role == Role::Presence {
                    let slot = Place::slot(self.bases[position] + leaf.offset);
                    stmts.push(Stmt::Store(slot, Expr::Const(0)));
                }
            }
        }
        stmts
    }

    pub(super) fn lower_rule(&mut self, rule: &'m hir::Rule) -> Rule {
        self.begin(&rule.code);
        let mut params = Vec::new();
        let mut layers = Vec::new();
        for item in &rule.prelude {
            match item {
                Prelude::Parameter(binder) => params.push(self.lower_parameter(binder)),
                Prelude::Alias(alias) => self.lower_alias_around(alias, &mut layers),
                Prelude::Choose { local, multiset } => {
                    params.push(self.lower_choose(*local, multiset, &mut layers));
                }
            }
        }
        let guard = rule.guard.as_ref().map_or(Expr::Const(1), |guard| self.lower_condition(guard));
        let guard = surround(&layers, guard, false);
        let body = self.lower_rule_body(rule, &layers);
        Rule { name: rule.name.clone(), source: source(rule.span), params, guard, body }
    }

    /// The body binds the aliases again, on the state in which the guard was evaluated.
    fn lower_rule_body(&mut self, rule: &'m hir::Rule, layers: &[Around]) -> Vec<Stmt> {
        let mut stmts: Vec<Stmt> = layers
            .iter()
            .filter_map(|layer| if let Around::Let(stmts) = layer { Some(stmts.clone()) } else { None })
            .flatten()
            .collect();
        self.enter_locals(0, &mut stmts);
        if !scan::has_return(&rule.body) {
            stmts.extend(self.lower_block(&rule.body));
            return stmts;
        }
        let label = self.new_label();
        self.frame.exit = Some(Exit { label, result: None });
        let body = self.lower_block(&rule.body);
        stmts.push(Stmt::Block(label, body));
        stmts
    }

    fn lower_alias_around(&mut self, alias: &hir::Alias, layers: &mut Vec<Around>) {
        let mut stmts = Vec::new();
        self.bind_alias(alias, &mut stmts);
        if !stmts.is_empty() {
            layers.push(Around::Let(stmts));
        }
    }

    fn lower_parameter(&mut self, binder: &Binder) -> Param {
        let (lo, hi, step) = self.parameter_bounds(binder);
        let domain = match binder.domain {
            Domain::Type(ty) => self.memory.simple(ty).domain,
            Domain::Steps { .. } => self.memory.layout.add_domain(layout::Domain::numbers(lo, hi)),
        };
        let var = self.new_var();
        let expr = if lo == hi { Expr::Const(lo) } else { Expr::Var(var) };
        self.bind(binder.local, Binding::Scalar(Value::new(expr, lo, hi)));
        let name = self.frame.code.locals[binder.local.0 as usize].name.clone();
        Param { name, var, domain, lo, hi, step }
    }

    fn parameter_bounds(&mut self, binder: &Binder) -> (i64, i64, i64) {
        match &binder.domain {
            Domain::Type(ty) => {
                let simple = self.memory.simple(*ty);
                if !simple.finite {
                    self.report_unbounded(binder);
                }
                (simple.lo, simple.hi, 1)
            }
            Domain::Steps { from, to, step } => {
                let span = step.span;
                let bounds = [from, to, step].map(|bound| self.lower_expr(bound).as_constant());
                if bounds[2] == Some(0) {
                    self.memory.report(Diagnostic::error(&STEP_ZERO, "the step is zero", span));
                }
                if let [Some(from), Some(to), Some(step)] = bounds {
                    return ascending(from, to, step);
                }
                let local = &self.frame.code.locals[binder.local.0 as usize];
                let message = format!("the bounds of `{}` are not constant", local.name);
                self.memory.report(Diagnostic::error(&PARAMETER_NOT_CONSTANT, message, local.span));
                (0, 0, 1)
            }
        }
    }

    fn lower_choose(
        &mut self,
        local: hir::LocalId,
        multiset: &hir::Place,
        layers: &mut Vec<Around>,
    ) -> Param {
        let mut stmts = Vec::new();
        let row = self.lower_row(multiset, &mut stmts);
        if !stmts.is_empty() {
            layers.push(Around::Let(stmts));
        }
        let var = self.bind_index(local, &row);
        layers.push(Around::Only(row.is_present(Expr::Var(var))));
        let hi = i64::from(row.capacity) - 1;
        // Elements are numbered from 1, as in the names of their slots.
        let names = (1..=row.capacity).map(|position| position.to_string()).collect();
        let domain = self.memory.layout.add_domain(layout::Domain::single(0, hi, PartKind::Names(names)));
        let name = self.frame.code.locals[local.0 as usize].name.clone();
        Param { name, var, domain, lo: 0, hi, step: 1 }
    }

    pub(super) fn lower_property(&mut self, property: &'m hir::Property) {
        self.begin(&property.code);
        let mut layers = Vec::new();
        for item in &property.prelude {
            self.lower_layer(item, &mut layers);
        }
        let formula = self.lower_condition(&property.formula);
        let (kind, universal) = match property.kind {
            PropertyKind::Invariant => (program::PropertyKind::Invariant, true),
            PropertyKind::Assume => (program::PropertyKind::Assume, true),
            // Proofs rest on axioms, so a search checks them (EX-T6).
            PropertyKind::Axiom if self.speaks_of_state(property) => (program::PropertyKind::Invariant, true),
            // About constants alone, it restricts the instances.
            PropertyKind::Axiom => (program::PropertyKind::Assume, true),
            PropertyKind::Cover => (program::PropertyKind::Cover, false),
        };
        let formula = surround(&layers, formula, universal);
        let name = match property.kind {
            PropertyKind::Axiom => format!("axiom `{}`", property.name),
            _ => property.name.clone(),
        };
        self.program.properties.push(Property { name, kind, source: source(property.span), formula });
        if property.kind == PropertyKind::Invariant {
            self.collect_probes(&property.formula, &mut layers);
        }
    }

    fn lower_layer(&mut self, item: &Prelude, layers: &mut Vec<Around>) {
        match item {
            Prelude::Parameter(binder) => self.lower_quantified(binder, layers),
            Prelude::Alias(alias) => self.lower_alias_around(alias, layers),
            Prelude::Choose { local, multiset } => {
                let mut stmts = Vec::new();
                let row = self.lower_row(multiset, &mut stmts);
                let var = self.bind_index(*local, &row);
                layers.push(Around::Let(stmts));
                layers.push(Around::Quantify(var, row.range()));
                layers.push(Around::Only(row.is_present(Expr::Var(var))));
            }
        }
    }

    /// Adds a layer for a quantified variable.
    pub(super) fn lower_quantified(&mut self, binder: &Binder, layers: &mut Vec<Around>) {
        let mut stmts = Vec::new();
        let (var, range) = self.lower_binder(binder, &mut stmts);
        layers.push(Around::Let(stmts));
        layers.push(Around::Quantify(var, range));
    }
}

/// The same values in ascending order, as for parameters: least, greatest, step.
fn ascending(from: i64, to: i64, step: i64) -> (i64, i64, i64) {
    if step > 0 {
        return (from, to, step);
    }
    let (Some(distance), Some(size)) = (from.checked_sub(to), step.checked_neg()) else { return (0, -1, 1) };
    if step == 0 || distance < 0 {
        return (0, -1, 1);
    }
    (from - distance / size * size, from, size)
}
