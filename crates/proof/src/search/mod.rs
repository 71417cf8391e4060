//! Finds, for each check, instances that suffice.
//!
//! Nothing here is trusted: what it finds is written down and checked again by others. It works with formulas in which
//! every definition of the script is expanded. Instances come from the lemma itself, from the engine's advice
//! (`advised`), from terms that suggest themselves (`nearby`), or from a refutation by Z3 (`refutation`); those in the
//! unsatisfiable core are kept.

mod advised;
mod nearby;
mod refutation;

use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxHashMap;
use tenet_solve::{Answer, Limits, Solver};
use tenet_system::Advice;
use tenet_term::{Op, Sort, Substitution, SymbolId, TermId, TermStore, Value};

use crate::certify::{Gap, Obligation};
use crate::obligations::Steps;
use crate::parallel::in_parallel;
use crate::script::{Check, Instance, Item, Macro, Scope, Script};
use crate::text;
use advised::{Advised, Naming};
use refutation::Questions;

/// Makes solvers: the search has several.
pub type Solvers<'a> = &'a (dyn Fn() -> Box<dyn Solver> + Sync);

/// Checks of steps, each of which takes milliseconds, that justify another thread.
const MIN_CHECKS_PER_THREAD: usize = 30;

/// An instance, as a line of the certificate.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) fact: SymbolId,
    pub(crate) line: String,
}

/// Finds the instances for all checks, in the order of the script's checks, or the first check for which there are none.
pub(crate) fn search(
    script: &Script,
    store: &TermStore,
    advice: &Advice,
    solvers: Solvers,
) -> Result<Vec<Vec<Found>>, Gap> {
    let first = || script.scopes.iter().flat_map(|scope| &scope.checks).next();
    let questions = match (Questions::new(script, store), first()) {
        (Ok(questions), _) => questions,
        (Err(_), None) => return Ok(Vec::new()),
        (Err(reason), Some(check)) => return Err(Gap { obligation: check.obligation, reason }),
    };
    let failed = AtomicUsize::new(usize::MAX);
    let results = in_parallel(
        script.scopes.len(),
        script.steps == Steps::Apart || script.checks() > MIN_CHECKS_PER_THREAD,
        || Search::new(script, store, &questions, solvers),
        |search, scope| {
            // Behind one that has failed nothing matters; before it there may be another one, which is the one to tell.
            if failed.load(Ordering::Relaxed) < scope {
                return Ok(Vec::new());
            }
            let found = search.scope(scope, advice);
            if found.is_err() {
                failed.fetch_min(scope, Ordering::Relaxed);
            }
            found
        },
    );
    let mut all = Vec::new();
    for result in results {
        all.extend(result?);
    }
    Ok(all)
}

struct Search<'a> {
    script: &'a Script,
    store: TermStore,
    solver: Box<dyn Solver>,
    limits: Limits,
    questions: &'a Questions,
    /// What each defined symbol means, everything expanded.
    definitions: Substitution,
    facts: FxHashMap<SymbolId, Fact>,
    /// The formulas of instances, in the current scope.
    cache: FxHashMap<Instance, TermId>,
    /// The instances that the engine advises in the current scope, for each list of constants of a goal.
    advised: FxHashMap<(Naming, Vec<SymbolId>), Advised>,
}

/// A definition, expanded.
#[derive(Clone, Debug)]
struct Fact {
    params: Vec<SymbolId>,
    body: TermId,
}

impl<'a> Search<'a> {
    fn new(script: &'a Script, store: &TermStore, questions: &'a Questions, solvers: Solvers) -> Search<'a> {
        let solver = solvers();
        let mut search = Search {
            script,
            store: store.clone(),
            limits: solver.limits(),
            solver,
            questions,
            definitions: Substitution::new(),
            facts: FxHashMap::default(),
            cache: FxHashMap::default(),
            advised: FxHashMap::default(),
        };
        search.assert_items(&script.items);
        search
    }

    fn assert_items(&mut self, items: &[Item]) {
        for formula in self.expand_items(items) {
            self.solver.assert(&self.store, formula);
        }
    }

    /// Expands definitions; gives the assertions among the items.
    fn expand_items(&mut self, items: &[Item]) -> Vec<TermId> {
        let mut asserted = Vec::new();
        for item in items {
            match item {
                Item::Define(definition) => self.expand_definition(definition),
                Item::Assert(formula) => asserted.push(self.store.substitute(*formula, &self.definitions)),
                Item::Comment(_) | Item::Meaning(..) | Item::Declare(_) => {}
            }
        }
        asserted
    }

    fn expand_definition(&mut self, definition: &Macro) {
        let body = self.store.substitute(definition.body, &self.definitions);
        let value = match &definition.params[..] {
            [] => body,
            params => self.store.mk_lambda(params, body),
        };
        self.definitions.insert(&self.store, definition.symbol, value);
        self.facts.insert(definition.symbol, Fact { params: definition.params.clone(), body });
    }

    fn scope(&mut self, position: usize, advice: &Advice) -> Result<Vec<Vec<Found>>, Gap> {
        let scope = &self.script.scopes[position];
        self.solver.push();
        let outside = (self.definitions.clone(), self.facts.clone());
        self.cache.clear();
        self.advised.clear();
        self.assert_items(&scope.items);
        let checks = scope.checks.iter().enumerate().map(|(number, check)| {
            let found = self.check(position, number, advice).and_then(|found| self.written(&found));
            found.map_err(|reason| Gap { obligation: check.obligation, reason })
        });
        let result = checks.collect();
        (self.definitions, self.facts) = outside;
        self.solver.pop();
        result
    }

    fn written(&self, instances: &[Instance]) -> Result<Vec<Found>, String> {
        let found = instances.iter().map(|instance| {
            Ok(Found { fact: instance.fact, line: text::instance(self.script, &self.store, instance)? })
        });
        found.collect()
    }

    fn check(&mut self, position: usize, number: usize, advice: &Advice) -> Result<Vec<Instance>, String> {
        let scope = &self.script.scopes[position];
        let check = &scope.checks[number];
        let negation = self.store.substitute(check.negation, &self.definitions);
        if negation == TermId::FALSE {
            return Ok(Vec::new());
        }
        if let Some(instance) = self.own_instance(scope, check) {
            let formula = self.formula(&instance);
            if self.store.mk_and([formula, negation]) == TermId::FALSE {
                return Ok(vec![instance]);
            }
        }
        if let Some(instances) = self.refute_as_advised(scope, check, negation, advice) {
            return Ok(instances);
        }
        let nearby = self.nearby(scope, check);
        if self.refute_with(&nearby, negation) == Answer::Unsat {
            return Ok(self.needed(&nearby));
        }
        let found = self.refutation(position, number);
        let found: Vec<(TermId, Instance)> =
            found.into_iter().map(|instance| (self.formula(&instance), instance)).collect();
        match self.refute_with(&found, negation) {
            Answer::Unsat => Ok(self.needed(&found)),
            Answer::Unknown(reason) => Err(format!("the solver gives up: {reason}")),
            Answer::Sat => Err(self.counterexample(check, negation)),
        }
    }

    fn refute_with(&mut self, instances: &[(TermId, Instance)], negation: TermId) -> Answer {
        let mut assumptions = vec![negation];
        assumptions.extend(instances.iter().map(|&(formula, _)| formula));
        self.solver.check(&self.store, &assumptions)
    }

    /// The lemma itself, before the step, at the constants of the goal.
    fn own_instance(&mut self, scope: &Scope, check: &Check) -> Option<Instance> {
        let Obligation::Step { lemma, .. } = check.obligation else { return None };
        if self.script.steps == Steps::Together {
            return None;
        }
        let name = format!("lemma-{}", lemma + 1);
        let is_it = |symbol: &&SymbolId| self.script.names.symbol(**symbol) == Some(&name);
        let fact = *scope.facts.iter().find(is_it)?;
        let terms = check.constants.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        Some(Instance { fact, terms })
    }

    fn formula(&mut self, instance: &Instance) -> TermId {
        if let Some(&formula) = self.cache.get(instance) {
            return formula;
        }
        let fact = &self.facts[&instance.fact];
        let pairs = fact.params.iter().copied().zip(instance.terms.iter().copied());
        let substitution = Substitution::from_pairs(&self.store, pairs);
        let formula = self.store.substitute(fact.body, &substitution);
        self.cache.insert(instance.clone(), formula);
        formula
    }

    /// The instances of the core, after a second look at it.
    fn needed(&mut self, found: &[(TermId, Instance)]) -> Vec<Instance> {
        let mut core = self.solver.core();
        if self.solver.check(&self.store, &core) == Answer::Unsat {
            core = self.solver.core();
        }
        let mut needed = Vec::new();
        for (formula, instance) in found {
            // Two instances may say the same.
            if let Some(place) = core.iter().position(|other| other == formula) {
                core.remove(place);
                needed.push(instance.clone());
            }
        }
        needed
    }

    /// What the solver's last model says, for people.
    fn counterexample(&mut self, check: &Check, negation: TermId) -> String {
        let is_shown = |term: &TermId| {
            let is_leaf = matches!(self.store.op(*term), Op::Symbol(_) | Op::Apply);
            let is_function = matches!(self.store.sort(self.store.sort_of(*term)), Sort::Function { .. });
            is_leaf && !is_function && self.store.is_closed(*term)
        };
        let mut shown: Vec<TermId> = self.store.subterms(negation).into_iter().filter(is_shown).collect();
        shown.truncate(16);
        let values = self.solver.values(&self.store, &shown);
        let pairs = shown.iter().zip(values).filter_map(|(&term, value)| {
            Some(format!("{} = {}", self.store.print(term), self.shown(term, &value?)))
        });
        let pairs: Vec<String> = pairs.collect();
        format!("{}: nothing rules out {}", check.title, pairs.join(", "))
    }

    fn shown(&self, term: TermId, value: &Value) -> String {
        match (value, self.store.sort(self.store.sort_of(term))) {
            (Value::Enum(position), Sort::Enum { variants, .. }) => variants[*position as usize].clone(),
            (Value::Index(position), Sort::Index { name }) => format!("{name}_{}", position + 1),
            (Value::Int(value), _) => value.to_string(),
            (Value::Bool(value), _) => value.to_string(),
            (Value::Union(member, position), _) => {
                format!("{}_{}", self.store.sort_name(*member), position + 1)
            }
            (value, _) => format!("{value:?}"),
        }
    }
}
