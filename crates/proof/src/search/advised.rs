//! The instances that the engine advises: each lemma at each of its substitutions.
//!
//! An engine that has found an invariant knows where it used it. These instances nearly always suffice, and then one
//! question with all of them, and its unsatisfiable core, is the whole search.

use rustc_hash::FxHashSet;
use tenet_solve::Answer;
use tenet_system::Advice;
use tenet_term::{Role, SortId, Substitution, SymbolId, TermId};

use super::Search;
use crate::certify::Obligation;
use crate::script::{Check, Instance, Scope};

pub(super) type Advised = Vec<(TermId, Instance)>;

/// A variable, wherever it comes from: two of different sorts may have the same name.
type Variable = (String, SortId);

/// Which index variables the variables of a lemma may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Naming {
    Own,
    /// Any different ones of the same sorts: what was found about two processes may be needed about the same two the
    /// other way round, and is written down only once.
    Any,
}

impl Search<'_> {
    /// Refutes the negated goal with advised instances; `None` if they do not suffice.
    pub(super) fn refute_as_advised(
        &mut self,
        scope: &Scope,
        check: &Check,
        negation: TermId,
        advice: &Advice,
    ) -> Option<Vec<Instance>> {
        let Obligation::Step { rule, .. } = check.obligation else { return None };
        if let Some(uses) = &advice.uses {
            let used = self.used_instances(scope, check, uses.get(rule).map_or(&[][..], Vec::as_slice));
            if self.refute_with(&used, negation) == Answer::Unsat {
                return Some(self.needed(&used));
            }
        }
        let substitutions = advice.rules.get(rule).map_or(&[][..], Vec::as_slice);
        [Naming::Own, Naming::Any].into_iter().find_map(|naming| {
            let key = (naming, check.constants.clone());
            if !self.advised.contains_key(&key) {
                let advised = self.advised_instances(scope, check, substitutions, naming);
                self.advised.insert(key.clone(), advised);
            }
            let advised = self.advised[&key].clone();
            (self.refute_with(&advised, negation) == Answer::Unsat).then(|| self.needed(&advised))
        })
    }

    /// Every lemma at every substitution, if its terms mean something in this check: the engine's index variables are
    /// the constants of the goal.
    fn advised_instances(
        &mut self,
        scope: &Scope,
        check: &Check,
        substitutions: &[Substitution],
        naming: Naming,
    ) -> Advised {
        let lemmas = self.lemma_facts(scope);
        let constants = self.constants_by_name(check);
        let variables = self.variables(&lemmas);
        let mut seen = FxHashSet::default();
        let mut advised = Vec::new();
        for substitution in substitutions {
            let terms = self.over_constants(substitution, &constants);
            let values: Vec<Option<TermId>> =
                variables.iter().map(|variable| self.value(variable, &terms, &constants)).collect();
            for &(_, fact) in &lemmas {
                for terms in self.tuples(fact, &variables, &values, naming) {
                    let instance = Instance { fact, terms };
                    let formula = self.formula(&instance);
                    if formula != TermId::TRUE && seen.insert(formula) {
                        advised.push((formula, instance));
                    }
                }
            }
        }
        advised
    }

    fn constants_by_name(&self, check: &Check) -> Vec<(Variable, SymbolId)> {
        let variables = check.variables.iter().map(|&variable| self.variable(variable));
        variables.zip(check.constants.iter().copied()).collect()
    }

    /// The name and the sort of a variable; ranges are integers.
    fn variable(&self, symbol: SymbolId) -> Variable {
        let info = self.store.symbol(symbol);
        let sort = if self.store.sort(info.sort).is_integer() { SortId::INT } else { info.sort };
        (info.name.clone(), sort)
    }

    /// The instances of lemmas that the engine has used, and those of everything else at the nearest terms.
    fn used_instances(&mut self, scope: &Scope, check: &Check, uses: &[(usize, Substitution)]) -> Advised {
        let lemmas = self.lemma_facts(scope);
        let constants = self.constants_by_name(check);
        let mut seen = FxHashSet::default();
        let mut used = Vec::new();
        for (lemma, substitution) in uses {
            let Some(&(_, fact)) = lemmas.iter().find(|(position, _)| position == lemma) else { continue };
            let values = self.over_constants(substitution, &constants);
            let params = self.facts[&fact].params.clone();
            let terms: Option<Vec<TermId>> = params
                .iter()
                .map(|&param| {
                    let variable = self.variable(param);
                    self.value(&variable, &values, &constants)
                })
                .collect();
            let Some(terms) = terms else { continue };
            let instance = Instance { fact, terms };
            let formula = self.formula(&instance);
            if formula != TermId::TRUE && seen.insert(formula) {
                used.push((formula, instance));
            }
        }
        let others: Vec<SymbolId> = scope
            .facts
            .iter()
            .copied()
            .filter(|fact| !lemmas.iter().any(|(_, lemma)| lemma == fact))
            .collect();
        let nearby = self.nearby_of(&others, scope, check);
        used.extend(nearby.into_iter().filter(|(formula, _)| seen.insert(*formula)));
        used
    }

    /// The variables of all lemmas: names and sorts.
    fn variables(&self, lemmas: &[(usize, SymbolId)]) -> Vec<Variable> {
        let params = lemmas.iter().flat_map(|(_, fact)| &self.facts[fact].params);
        let mut variables: Vec<Variable> = Vec::new();
        for variable in params.map(|&param| self.variable(param)) {
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        }
        variables
    }

    /// The values of a fact's variables.
    fn tuples(
        &self,
        fact: SymbolId,
        variables: &[Variable],
        values: &[Option<TermId>],
        naming: Naming,
    ) -> Vec<Vec<TermId>> {
        let mut tuples: Vec<Vec<usize>> = vec![Vec::new()];
        for &param in &self.facts[&fact].params {
            let (name, sort) = self.variable(param);
            let alike: Vec<usize> = (0..variables.len())
                .filter(|&place| naming == Naming::Any || variables[place].0 == name)
                .filter(|&place| variables[place].1 == sort && values[place].is_some())
                .collect();
            let extend = |tuple: Vec<usize>| {
                let free: Vec<usize> = alike.iter().copied().filter(|place| !tuple.contains(place)).collect();
                free.into_iter().map(move |place| tuple.iter().copied().chain([place]).collect())
            };
            tuples = tuples.into_iter().flat_map(extend).collect();
        }
        tuples
            .into_iter()
            .map(|tuple| tuple.into_iter().filter_map(|place| values[place]).collect())
            .collect()
    }

    fn lemma_facts(&self, scope: &Scope) -> Vec<(usize, SymbolId)> {
        let position = |fact: SymbolId| {
            let name = self.script.names.symbol(fact)?.strip_prefix("lemma-")?;
            name.parse::<usize>().ok()?.checked_sub(1)
        };
        scope.facts.iter().filter_map(|&fact| Some((position(fact)?, fact))).collect()
    }

    /// What a substitution puts for each index variable, by name; `None` where it speaks of a variable that is not in the
    /// goal.
    fn over_constants(
        &mut self,
        substitution: &Substitution,
        constants: &[(Variable, SymbolId)],
    ) -> Vec<(Variable, Option<TermId>)> {
        let pairs: Vec<(SymbolId, TermId)> = substitution.iter().collect();
        pairs
            .into_iter()
            .map(|(index, term)| {
                let variable = self.variable(index);
                let mut renaming = Substitution::new();
                let mut is_known = true;
                for symbol in self.store.free_symbols(term) {
                    if self.store.symbol(symbol).role != Role::Index {
                        continue;
                    }
                    let own = self.variable(symbol);
                    match constants.iter().find(|(variable, _)| *variable == own) {
                        Some(&(_, constant)) => {
                            let constant = self.store.mk_symbol(constant);
                            renaming.insert(&self.store, symbol, constant);
                        }
                        None => is_known = false,
                    }
                }
                let term = is_known.then(|| self.store.substitute(term, &renaming));
                (variable, term.filter(|&term| self.store.is_closed(term)))
            })
            .collect()
    }

    /// What a substitution puts for a variable; if it does not mention it, what it is in the goal.
    fn value(
        &mut self,
        variable: &Variable,
        terms: &[(Variable, Option<TermId>)],
        constants: &[(Variable, SymbolId)],
    ) -> Option<TermId> {
        if let Some((_, term)) = terms.iter().find(|(own, _)| own == variable) {
            return *term;
        }
        let constant = constants.iter().find(|(own, _)| own == variable)?.1;
        Some(self.store.mk_symbol(constant))
    }
}
