//! Index variables, predicates and hints.
//!
//! A predicate is an observation, and terms have a value everywhere, so there are no obligations for the indices in it:
//! an index out of bounds makes a predicate useless, not wrong. Hints about a rule are read once for each rule, with
//! the rule's own parameters in place of those around the hint.

use super::calls::Binding;
use super::values::Scalar;
use super::{Reader, source};
use crate::murphi::hir::{self, IndexId, Prelude, RuleOfHint};
use tenet_system::{Hint, HintTarget, IndexVar, Predicate};
use tenet_term::{Role, TermId};

impl<'m> Reader<'m> {
    /// Reads everything for abstraction; the rules are known.
    pub(super) fn read_observations(&mut self) {
        let model = self.model;
        for index in &model.indices {
            let (sort, bounds) = (self.sort(index.ty), self.symbolic_bounds(index.ty));
            let symbol = self.store.declare(&index.name, sort, Role::Index);
            self.system.indices.push(IndexVar { symbol, bounds });
        }
        model.predicates.iter().for_each(|predicate| self.read_predicate(predicate));
        model.hints.iter().for_each(|hint| self.read_hint(hint));
    }

    /// The value of an index variable. It keeps the bounds of its type, which guard every instance (QI-T5).
    pub(super) fn index_variable(&mut self, id: IndexId) -> Scalar {
        let symbol = self.system.indices[id.0 as usize].symbol;
        let term = self.store.mk_symbol(symbol);
        Scalar { term, known: self.bounds(self.model.indices[id.0 as usize].ty) }
    }

    fn read_predicate(&mut self, predicate: &'m hir::Predicate) {
        self.begin(Role::Input);
        self.enter(&predicate.code, None, 0);
        let formula = self.scalar(&predicate.formula).term;
        self.leave();
        self.check_defined(formula, &predicate.name, predicate.span);
        let (name, source) = (predicate.name.clone(), source(predicate.span));
        self.system.predicates.push(Predicate { name, source, formula });
    }

    fn read_hint(&mut self, hint: &'m hir::Hint) {
        let Some(rules) = &hint.rules else { return self.read_hint_for(hint, None) };
        for rule in rules {
            // A parameter without values is left out of the rule, which is then never enabled.
            let is_parameter = |item: &&Prelude| matches!(item, Prelude::Parameter(_));
            let parameters = self.model.rules[rule.rule].prelude.iter().filter(is_parameter).count();
            if self.system.rules[rule.rule].shown_params == parameters {
                self.read_hint_for(hint, Some(rule));
            }
        }
    }

    fn read_hint_for(&mut self, hint: &'m hir::Hint, rule: Option<&RuleOfHint>) {
        self.begin(Role::Input);
        self.enter(&hint.code, None, 0);
        if let Some(rule) = rule {
            self.hint_prelude(hint, rule);
        }
        let types = self.target_types(&hint.target);
        let pairs = hint.terms.iter().zip(types);
        let terms: Vec<TermId> = pairs.map(|(term, ty)| self.scalar_as(term, ty).term).collect();
        self.leave();
        terms.iter().for_each(|&term| self.check_defined(term, "a hint", hint.span));
        let target = self.hint_target(&hint.target);
        let (source, rule) = (source(hint.span), rule.map(|rule| rule.rule));
        self.system.hints.push(Hint { source, force: hint.force, rule, target, terms });
    }

    /// The bindings around a hint: the rule's own parameters, and aliases.
    fn hint_prelude(&mut self, hint: &'m hir::Hint, rule: &RuleOfHint) {
        let mut parameters = rule.parameters.iter();
        for item in &hint.prelude {
            let Prelude::Parameter(binder) = item else {
                self.rule_prelude(std::slice::from_ref(item));
                continue;
            };
            let position = *parameters.next().expect("invariant: one position for each parameter");
            let term = self.store.mk_symbol(self.system.rules[rule.rule].params[position]);
            self.bind(binder.local, Binding::Scalar(Scalar::plain(term)));
        }
    }

    fn target_types(&self, target: &hir::HintTarget) -> Vec<hir::TypeId> {
        match target {
            hir::HintTarget::Indices(ids) => {
                ids.iter().map(|id| self.model.indices[id.0 as usize].ty).collect()
            }
            hir::HintTarget::Type(ty) => vec![*ty],
        }
    }

    fn hint_target(&mut self, target: &hir::HintTarget) -> HintTarget {
        match target {
            hir::HintTarget::Indices(ids) => {
                HintTarget::Indices(ids.iter().map(|id| self.system.indices[id.0 as usize].symbol).collect())
            }
            hir::HintTarget::Type(ty) => HintTarget::Sort(self.sort(*ty)),
        }
    }
}
