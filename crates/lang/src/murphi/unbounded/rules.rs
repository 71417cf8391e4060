//! Rules, startstates and properties: from executed code to the parts of the system.

use super::calls::Binding;
use super::havoc::Havoc;
use super::memory::Slot;
use super::obligations::Obligation;
use super::sorts::type_name;
use super::values::Scalar;
use super::{Reader, codes, source};
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{self, Binder, Prelude, Property};
use crate::murphi::linear::Linear;
use crate::span::Span;
use std::collections::BTreeSet;
use tenet_system::finite::program::Source;
use tenet_system::{self as system, Axiom, IndexVar, PropertyKind, Start, StateVar, System};
use tenet_term::{Role, SortId, Spelling, Substitution, SymbolId, TermId};

/// The rule, startstate or property being read.
#[derive(Debug)]
pub(super) struct Scope {
    /// The role of parameters.
    role: Role,
    names: BTreeSet<String>,
    pub(super) params: Vec<SymbolId>,
    pub(super) havocs: Vec<Havoc>,
    /// The premises of obligations: the ranges of the parameters, and the guard once it has been evaluated.
    pub(super) premise: TermId,
    /// The conditions of `assume` statements so far.
    pub(super) facts: Vec<TermId>,
    /// The places that were chosen for elements of multisets so far, each with the fact that it was free.
    pub(super) chosen: Vec<(SymbolId, TermId)>,
    pub(super) obligations: Vec<Obligation>,
    /// Whether it is a property.
    pub(super) is_property: bool,
    /// Whether it is the body of a recursive definition.
    pub(super) is_definition: bool,
}

impl Default for Scope {
    fn default() -> Scope {
        Scope {
            role: Role::Input,
            names: BTreeSet::new(),
            params: Vec::new(),
            havocs: Vec::new(),
            premise: TermId::TRUE,
            facts: Vec::new(),
            chosen: Vec::new(),
            obligations: Vec::new(),
            is_property: false,
            is_definition: false,
        }
    }
}

/// The system so far.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) consts: Vec<SymbolId>,
    pub(super) definitions: Vec<system::Definition>,
    pub(super) indices: Vec<IndexVar>,
    pub(super) predicates: Vec<system::Predicate>,
    pub(super) hints: Vec<system::Hint>,
    pub(super) orders: Vec<system::Order>,
    pub(super) parameters: Vec<system::Parameter>,
    /// The constants that keep the values in the text.
    pub(super) written: Vec<String>,
    /// The assumptions about them.
    pub(super) conditions: Vec<String>,
    /// Whether it has runs that the model has not.
    pub(super) is_loose: bool,
    state: Vec<StateVar>,
    starts: Vec<Start>,
    pub(super) rules: Vec<system::Rule>,
    pub(super) axioms: Vec<Axiom>,
    properties: Vec<system::Property>,
}

impl<'m> Reader<'m> {
    pub(super) fn declare_state(&mut self) {
        for (ty, formula) in self.assume_ranges_inhabited() {
            let name = format!("`{}` is not empty", type_name(self.model, ty));
            let source = source(self.model.ty(ty).span);
            self.system.axioms.push(Axiom { name, source, formula });
        }
        for var in &self.model.vars {
            let first = self.allocate(&var.name, var.ty);
            self.memory.vars.push(first);
            self.memory.slots[first..].iter_mut().for_each(|slot| slot.is_constant = var.is_constant);
        }
        self.memory.state_count = self.memory.slots.len();
        for slot in (0..self.memory.state_count).filter(|&slot| self.is_followed(slot)).collect::<Vec<_>>() {
            let (args, ty) = (self.memory.slots[slot].args.clone(), self.memory.slots[slot].ty);
            let sort = self.leaf_sort(&args, ty);
            let is_constant = self.memory.slots[slot].is_constant;
            let role = if is_constant { Role::Const } else { Role::State };
            let symbol = self.store.declare(&self.memory.slots[slot].name, sort, role);
            self.memory.slots[slot].symbol = Some(symbol);
            let parts = self.memory.slots[slot].parts.clone();
            if !parts.is_empty() {
                self.store.spell(symbol, Spelling::Parts(parts));
            }
            if is_constant {
                self.system.consts.push(symbol);
                continue;
            }
            let args = args.into_iter().map(|arg| self.bounds(arg)).collect();
            let value = self.bounds(ty);
            self.system.state.push(StateVar { symbol, args, value });
        }
        self.assume_constants_in_bounds();
    }

    pub(super) fn read_rules(&mut self) {
        let model = self.model;
        self.read_definitions();
        model.starts.iter().for_each(|start| self.read_start(start));
        model.rules.iter().for_each(|rule| self.read_rule(rule));
        model.properties.iter().for_each(|property| self.read_property(property));
        self.read_observations();
    }

    /// Starts a new part: the state is symbolic, or arbitrary.
    pub(super) fn begin(&mut self, role: Role) {
        self.scope = Scope { role, ..Scope::default() };
        self.memory.env = super::memory::Env::default();
        for slot in 0..self.memory.state_count {
            let Slot { symbol, is_constant, is_companion, .. } = self.memory.slots[slot];
            self.scope.names.insert(self.memory.slots[slot].name.clone());
            let value = match (role, symbol) {
                (Role::Initial, _) if is_companion => self.everywhere_defined(slot, 0, is_constant),
                (Role::Initial, _) if !is_constant => self.any_content(slot),
                (_, Some(symbol)) => self.store.mk_symbol(symbol),
                (_, None) => self.everywhere_defined(slot, 0, true),
            };
            self.memory.env.values.push(value);
        }
    }

    /// A parameter whose name no other parameter of the rule and no part of the state has.
    pub(super) fn parameter(&mut self, base: &str, sort: SortId) -> SymbolId {
        let mut name = base.to_owned();
        let mut number = 1;
        while !self.scope.names.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        self.store.declare(&name, sort, self.scope.role)
    }

    /// Binds the prelude of a rule.
    pub(super) fn rule_prelude(&mut self, prelude: &[Prelude]) {
        for item in prelude {
            match item {
                Prelude::Parameter(binder) => self.rule_parameter(binder),
                Prelude::Alias(alias) => self.alias(alias),
                Prelude::Choose { local, multiset } => self.choose_for_rule(*local, multiset),
            }
        }
    }

    fn rule_parameter(&mut self, binder: &Binder) {
        let name = self.frame().code.locals[binder.local.0 as usize].name.clone();
        let Some(any) = self.any_of(binder) else {
            self.scope.premise = TermId::FALSE;
            let value = Scalar::plain(self.dummy(SortId::INT));
            return self.bind(binder.local, Binding::Scalar(value));
        };
        let symbol = self.parameter(&name, any.sort);
        self.scope.params.push(symbol);
        let term = self.store.mk_symbol(symbol);
        let meant = self.is_meant(&any, term);
        self.scope.premise = self.store.mk_and([self.scope.premise, meant]);
        self.bind(binder.local, Binding::Scalar(Scalar { term, known: any.bounds }));
    }

    /// Executes a rule or startstate; the result is in `scope` and `memory`.
    fn execute(&mut self, rule: &'m hir::Rule, role: Role) {
        self.begin(role);
        self.enter(&rule.code, None, 0);
        self.rule_prelude(&rule.prelude);
        if let Some(guard) = &rule.guard {
            let guard = self.scalar(guard).term;
            self.scope.premise = self.store.mk_and([self.scope.premise, guard]);
        }
        self.block(&rule.body);
        self.leave();
    }

    /// The guard with all conditions of `assume` statements, and the parameters that matter.
    fn complete(&mut self, values: &[TermId]) -> (TermId, Vec<SymbolId>) {
        let free = self.scope.chosen.iter().map(|&(_, free)| free);
        let facts = self.scope.facts.iter().copied().chain(free);
        let conditions: Vec<TermId> = [self.scope.premise].into_iter().chain(facts).collect();
        let guard = self.store.mk_and(conditions);
        let havocs = self.havocs_in(values.iter().copied().chain([guard]));
        let constraints: Vec<TermId> = havocs.iter().map(|havoc| havoc.constraint).chain([guard]).collect();
        let params =
            self.scope.params.iter().copied().chain(havocs.iter().map(|havoc| havoc.symbol)).collect();
        (self.store.mk_and(constraints), params)
    }

    /// The undefined values that terms depend on, also through the constraints of others; reports their diagnostics.
    fn havocs_in(&mut self, terms: impl IntoIterator<Item = TermId>) -> Vec<Havoc> {
        let mut used = self.symbols_of(terms);
        // A constraint mentions only parameters made before it, so one pass backwards finds them all.
        let mut found: Vec<Havoc> = Vec::new();
        for havoc in self.scope.havocs.iter().rev() {
            if used.contains(&havoc.symbol) {
                used.extend(self.symbols_of([havoc.constraint]));
                found.push(havoc.clone());
            }
        }
        found.reverse();
        found.iter().filter_map(|havoc| havoc.remark.clone()).for_each(|remark| self.report(remark));
        found
    }

    fn symbols_of(&self, terms: impl IntoIterator<Item = TermId>) -> BTreeSet<SymbolId> {
        let subterms = self.store.subterms_of_all(terms);
        subterms.into_iter().filter_map(|term| self.store.as_symbol(term)).collect()
    }

    fn read_start(&mut self, rule: &'m hir::Rule) {
        self.execute(rule, Role::Initial);
        (0..self.memory.state_count).for_each(|slot| self.note_undefined(slot));
        let slots = self.memory.slots.iter().zip(&self.memory.env.values);
        let values: Vec<TermId> = slots
            .filter(|(slot, _)| !slot.is_constant && slot.symbol.is_some())
            .map(|(_, &value)| value)
            .collect();
        let (constraint, params) = self.complete(&values);
        let start = self.system.starts.len();
        for obligation in self.take_obligations() {
            let kind = PropertyKind::Start { start };
            let formula = self.under_havocs(obligation.formula);
            self.add_property(format!("{}: {}", rule.name, obligation.name), kind, formula, obligation.span);
        }
        let source = source(rule.span);
        self.system.starts.push(Start { name: rule.name.clone(), source, params, constraint, values });
    }

    fn read_rule(&mut self, rule: &'m hir::Rule) {
        self.execute(rule, Role::Input);
        let mut updates = Vec::new();
        for slot in 0..self.memory.state_count {
            self.note_undefined(slot);
            let Some(symbol) = self.memory.slots[slot].symbol else { continue };
            let value = self.memory.env.values[slot];
            if self.store.as_symbol(value) != Some(symbol) {
                updates.push((symbol, value));
            }
        }
        let values: Vec<TermId> = updates.iter().map(|(_, value)| *value).collect();
        let (guard, params) = self.complete(&values);
        let position = self.system.rules.len();
        for obligation in self.take_obligations() {
            let kind = match obligation.is_assertion {
                true => PropertyKind::Assertion { rule: position },
                false => PropertyKind::Implicit { rule: position },
            };
            let formula = self.under_havocs(obligation.formula);
            self.refuse_many_places(formula, obligation.span);
            let formula = self.for_all_parameters(formula);
            self.add_property(format!("{}: {}", rule.name, obligation.name), kind, formula, obligation.span);
        }
        let shown_params = self.scope.params.len();
        let (name, source) = (rule.name.clone(), source(rule.span));
        self.system.rules.push(system::Rule { name, source, params, shown_params, guard, updates });
    }

    /// The obligations, without duplicates.
    fn take_obligations(&mut self) -> Vec<Obligation> {
        let mut seen = BTreeSet::new();
        let mut obligations = std::mem::take(&mut self.scope.obligations);
        obligations.retain(|obligation| {
            seen.insert((obligation.is_assertion, obligation.name.clone(), obligation.formula))
        });
        obligations
    }

    /// The formula, for undefined values within their bounds.
    fn under_havocs(&mut self, formula: TermId) -> TermId {
        let constraints: Vec<TermId> =
            self.havocs_in([formula]).into_iter().map(|havoc| havoc.constraint).collect();
        let constraint = self.store.mk_and(constraints);
        self.store.mk_implies(constraint, formula)
    }

    /// The formula with the rule's parameters universally quantified.
    fn for_all_parameters(&mut self, formula: TermId) -> TermId {
        let used = self.symbols_of([formula]);
        let params = self.scope.params.iter().copied();
        let havocs = self.scope.havocs.iter().map(|havoc| havoc.symbol);
        let free: Vec<SymbolId> = params.chain(havocs).filter(|symbol| used.contains(symbol)).collect();
        let mut substitution = Substitution::new();
        let mut bound = Vec::new();
        for symbol in free {
            let (name, sort) = (self.store.symbol(symbol).name.clone(), self.store.symbol(symbol).sort);
            let quantified = self.store.bound_avoiding(&name, sort, &bound);
            bound.push(quantified);
            let term = self.store.mk_symbol(quantified);
            substitution.insert(&self.store, symbol, term);
        }
        let formula = self.store.substitute(formula, &substitution);
        self.store.mk_forall(&bound, formula)
    }

    fn add_property(&mut self, name: String, kind: PropertyKind, formula: TermId, span: Span) {
        let source = source(span);
        self.system.properties.push(system::Property { name, source, kind, formula });
    }

    fn read_property(&mut self, property: &'m Property) {
        if property.kind == hir::PropertyKind::Cover {
            return;
        }
        self.begin(Role::Input);
        self.scope.is_property = true;
        self.enter(&property.code, None, 0);
        self.property_prelude(&property.prelude);
        let body = self.scalar(&property.formula).term;
        let mut formula = body;
        while let Some(open) = self.open.pop() {
            formula = self.close_forall(&open, formula);
        }
        self.leave();
        for obligation in self.take_obligations() {
            self.check_defined(obligation.formula, &property.name, property.span);
            let name = format!("{}: {}", property.name, obligation.name);
            self.add_property(name, PropertyKind::Invariant, obligation.formula, obligation.span);
        }
        self.check_defined(formula, &property.name, property.span);
        let (name, source) = (property.name.clone(), source(property.span));
        if matches!(property.kind, hir::PropertyKind::Assume | hir::PropertyKind::Axiom) {
            self.system.axioms.push(Axiom { name, source, formula });
        } else if !self.is_about_reads() {
            self.add_property(name, PropertyKind::Invariant, formula, property.span);
        }
    }

    /// The parameters around a property are quantified universally.
    fn property_prelude(&mut self, prelude: &[Prelude]) {
        for item in prelude {
            match item {
                Prelude::Parameter(binder) => {
                    let name = self.frame().code.locals[binder.local.0 as usize].name.clone();
                    let value = match self.any_of(binder) {
                        Some(any) => self.open_any(&any, &name),
                        None => self.nothing(),
                    };
                    self.bind(binder.local, Binding::Scalar(value));
                }
                Prelude::Choose { local, multiset } => self.choose_for_property(*local, multiset),
                Prelude::Alias(alias) => self.alias(alias),
            }
        }
    }

    /// A parameter without values: everything holds for it.
    fn nothing(&mut self) -> Scalar {
        let symbol = self.store.declare("none", SortId::INT, Role::Bound);
        let open = super::domains::Open { symbol, guard: TermId::FALSE, inhabited: TermId::FALSE };
        self.open.push(open);
        Scalar::plain(self.store.mk_symbol(symbol))
    }

    pub(super) fn check_defined(&mut self, formula: TermId, name: &str, span: Span) {
        let used = self.symbols_of([formula]);
        if self.scope.havocs.iter().any(|havoc| used.contains(&havoc.symbol)) {
            let message = format!("`{name}` reads an undefined value");
            self.report(Diagnostic::error(&codes::UNDEFINED_IN_PROPERTY, message, span));
        }
    }

    /// The finished system and the warnings.
    pub(super) fn finish(mut self) -> (System, Vec<Diagnostic>) {
        self.distinguish_literals();
        self.declare_parameters();
        self.declare_written();
        let parts = self.system;
        let system = System {
            store: self.store,
            consts: parts.consts,
            state: parts.state,
            starts: parts.starts,
            rules: parts.rules,
            axioms: parts.axioms,
            properties: parts.properties,
            definitions: parts.definitions,
            indices: parts.indices,
            predicates: parts.predicates,
            hints: parts.hints,
            orders: parts.orders,
            parameters: parts.parameters,
            written: parts.written,
            conditions: parts.conditions,
            is_loose: parts.is_loose,
            ..System::default()
        };
        (system, self.diagnostics)
    }

    /// The symbols that the system so far mentions.
    pub(super) fn used_symbols(&self) -> BTreeSet<SymbolId> {
        let Parts { starts, rules, axioms, properties, definitions, predicates, .. } = &self.system;
        let starts = starts.iter().flat_map(|start| start.values.iter().copied().chain([start.constraint]));
        let updates = rules.iter().flat_map(|rule| rule.updates.iter().map(|&(_, value)| value));
        let guards = rules.iter().map(|rule| rule.guard);
        let formulas = axioms.iter().map(|axiom| axiom.formula);
        let formulas = formulas.chain(properties.iter().map(|property| property.formula));
        let formulas = formulas.chain(definitions.iter().map(|definition| definition.body));
        let formulas = formulas.chain(predicates.iter().map(|predicate| predicate.formula));
        let bounds = self.system.state.iter().flat_map(|var| var.args.iter().copied().chain([var.value]));
        let bounds = bounds.chain(self.system.indices.iter().map(|index| index.bounds));
        let bounds = bounds.flat_map(|bounds| [bounds.lo, bounds.hi].into_iter().flatten());
        self.symbols_of(starts.chain(updates).chain(guards).chain(formulas).chain(bounds))
    }

    /// Different numbers in the source are different elements; so are different sums of constants, if it is known which is
    /// greater.
    fn distinguish_literals(&mut self) {
        let literals = std::mem::take(&mut self.sorts.literals);
        self.system.consts.extend(literals.values());
        let types: BTreeSet<_> = literals.keys().map(|(ty, _)| *ty).collect();
        for ty in types {
            let own = literals.iter().filter(|((of, _), _)| *of == ty);
            let elements: Vec<(&Linear, TermId)> =
                own.map(|((_, value), &symbol)| (value, self.store.mk_symbol(symbol))).collect();
            let Some(formula) = self.distinct_elements(&elements) else { continue };
            let name = format!("the numbers used as values of `{}` differ", type_name(self.model, ty));
            let span: Source = source(self.model.ty(ty).span);
            self.system.axioms.push(Axiom { name, source: span, formula });
        }
    }

    fn distinct_elements(&mut self, elements: &[(&Linear, TermId)]) -> Option<TermId> {
        let sort = self.store.sort_of(elements[0].1);
        let rank = self.system.orders.iter().find(|order| order.sort == sort).map(|order| order.rank);
        let rank = rank.map(|rank| self.store.mk_symbol(rank));
        let is_plain = elements.iter().all(|(value, _)| value.as_number().is_some());
        let terms: Vec<TermId> = elements.iter().map(|(_, term)| *term).collect();
        if is_plain && terms.len() < 2 {
            return None;
        }
        let mut known = Vec::new();
        match rank {
            None if is_plain => known.push(self.store.mk_distinct(&terms)),
            // They are listed in order.
            Some(rank) if is_plain => {
                let ranks: Vec<TermId> =
                    terms.iter().map(|&term| self.store.mk_apply(rank, &[term])).collect();
                known.extend(ranks.windows(2).map(|pair| self.store.mk_lt(pair[0], pair[1])));
            }
            _ => {
                for (position, (value, term)) in elements.iter().enumerate() {
                    for (other_value, other) in &elements[position + 1..] {
                        known.extend(self.compared(rank, (value, *term), (other_value, *other)));
                    }
                }
            }
        }
        let formula = self.store.mk_and(known);
        (formula != TermId::TRUE).then_some(formula)
    }

    /// What is known about the order of two elements.
    fn compared(
        &mut self,
        rank: Option<TermId>,
        (value, term): (&Linear, TermId),
        (other_value, other): (&Linear, TermId),
    ) -> Option<TermId> {
        let upwards = self.is_greater(&(other_value - value));
        let downwards = self.is_greater(&(value - other_value));
        let (is_different, least, greatest) = match (upwards, downwards) {
            (Some(is_different), _) => (is_different, term, other),
            (None, Some(is_different)) => (is_different, other, term),
            (None, None) => return None,
        };
        match rank {
            None => is_different.then(|| self.store.mk_ne(least, greatest)),
            Some(rank) => {
                let (a, b) = (self.store.mk_apply(rank, &[least]), self.store.mk_apply(rank, &[greatest]));
                Some(if is_different { self.store.mk_lt(a, b) } else { self.store.mk_le(a, b) })
            }
        }
    }
}
