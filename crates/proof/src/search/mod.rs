//! Finds, for each check, instances that suffice.
//!
//! Nothing here is trusted: what it finds is written down and checked again by others. It works with formulas in which
//! every definition of the script is expanded. A check starts without instances; as long as the solver finds a model,
//! instances that are false in it are added (candidates are in `candidates`), and once there is none, those in the
//! unsatisfiable core are kept. When no candidate is false, the terms of the instances added so far make deeper
//! candidates; when they make none, the check is a gap.

mod advised;
mod candidates;
mod formal;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use tenet_solve::{Answer, Solver};
use tenet_term::{Op, Role, Sort, Substitution, SymbolId, TermId, TermStore, Value};

use crate::certify::{Advice, Gap, Obligation};
use crate::script::{Check, Instance, Instances, Item, Macro, Scope, Script};
use advised::{Advised, Naming};
use candidates::{Candidates, Slots};
use formal::Assignment;

/// How often deeper candidates are made.
const ROUNDS: usize = 16;
/// After so many new instances there are new candidates.
const PER_ROUND: usize = 60;
/// No fact has more instances in the pool than this.
const PER_FACT: usize = 500;
/// Definitions are unfolded from this round on, or when nothing else is left: unfolding leads to more of the same.
const UNFOLD_FROM: usize = 6;
/// So many false candidates are enough for the first step.
const AT_ONCE: usize = 6;
/// So many candidates are evaluated at a time.
const CHUNK: usize = 48;
/// After so many instances a check is given up.
const MAX_INSTANCES: usize = 600;
/// So many candidates are looked at for deeper ones although they are not needed yet.
const WIDE: usize = 1_500;
/// After so many candidates the facts that have been of least use are not looked at.
const MAX_POOL: usize = 8_000;
/// Cores of at most this size are minimised.
const SMALL_CORE: usize = 24;

/// Finds the instances for all checks, or the first check for which there are none.
pub(crate) fn search(
    script: &Script,
    store: &mut TermStore,
    advice: &Advice,
    solver: &mut dyn Solver,
) -> Result<Instances, Gap> {
    let mut search = Search {
        script,
        store,
        solver,
        definitions: Substitution::new(),
        facts: FxHashMap::default(),
        subjects: script.subjects.iter().cloned().collect(),
        usefulness: FxHashMap::default(),
        cache: FxHashMap::default(),
        advised: FxHashMap::default(),
        showing: FxHashMap::default(),
        shown: FxHashMap::default(),
        premises: FxHashMap::default(),
        same: FxHashMap::default(),
        unfoldings: script.unfoldings(),
    };
    search.showing = search.showing_facts();
    search.solver.push();
    let asserted = search.expand_items(&script.items);
    asserted.iter().for_each(|&formula| search.solver.assert(search.store, formula));
    let mut all = Vec::new();
    let mut result = Ok(());
    for scope in &script.scopes {
        result = search.scope(scope, advice, &mut all);
        if result.is_err() {
            break;
        }
    }
    search.solver.pop();
    result.map(|()| all)
}

struct Search<'a> {
    script: &'a Script,
    store: &'a mut TermStore,
    solver: &'a mut dyn Solver,
    /// What each defined symbol means, everything expanded.
    definitions: Substitution,
    facts: FxHashMap<SymbolId, Fact>,
    subjects: FxHashMap<SymbolId, Vec<TermId>>,
    /// How often instances of a fact were needed.
    usefulness: FxHashMap<SymbolId, u32>,
    /// The formulas of instances, in the current scope.
    cache: FxHashMap<Instance, TermId>,
    /// The instances that the engine advises in the current scope, for each list of constants of a goal.
    advised: FxHashMap<(Naming, Vec<SymbolId>), Advised>,
    /// For each new name the fact that may show it to be true.
    showing: FxHashMap<SymbolId, SymbolId>,
    /// What shows applications of new names, in the current scope.
    shown: FxHashMap<TermId, Option<Instance>>,
    /// What was taken out of the formulas of instances, in the current scope.
    premises: FxHashMap<Instance, Vec<Instance>>,
    /// Where facts about functions of arrays are about the same arrays, in the current scope.
    same: FxHashMap<SymbolId, Vec<Assignment>>,
    unfoldings: FxHashSet<SymbolId>,
}

/// A definition, expanded.
#[derive(Clone, Debug)]
struct Fact {
    params: Vec<SymbolId>,
    body: TermId,
    slots: Vec<Slots>,
    /// If there are some, only instances about terms that occur are tried.
    subjects: Vec<TermId>,
}

/// A question, expanded.
struct Question<'c> {
    check: &'c Check,
    facts: Vec<SymbolId>,
    negation: TermId,
    /// The formulas whose terms are worth instantiating.
    sources: Vec<TermId>,
    /// Terms that are worth it anyway.
    basic: Vec<TermId>,
}

impl Search<'_> {
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
        self.definitions.insert(self.store, definition.symbol, value);
        let slots = definition.params.iter().map(|&param| Slots::of(self.store, body, param)).collect();
        let subjects = self.subjects.get(&definition.symbol).cloned().unwrap_or_default();
        let fact = Fact { params: definition.params.clone(), body, slots, subjects };
        self.facts.insert(definition.symbol, fact);
    }

    fn scope(&mut self, scope: &Scope, advice: &Advice, all: &mut Instances) -> Result<(), Gap> {
        self.solver.push();
        let outside = (self.definitions.clone(), self.facts.clone());
        self.cache.clear();
        self.advised.clear();
        self.shown.clear();
        self.premises.clear();
        self.same.clear();
        let asserted = self.expand_items(&scope.items);
        asserted.iter().for_each(|&formula| self.solver.assert(self.store, formula));
        let basic = self.basic_terms(scope);
        let mut result = Ok(());
        for check in &scope.checks {
            let found = self.check(scope, check, &asserted, &basic, advice);
            match found {
                Ok(instances) => all.push(self.with_premises(instances)),
                Err(reason) => {
                    result = Err(Gap { obligation: check.obligation, reason });
                    break;
                }
            }
        }
        (self.definitions, self.facts) = outside;
        self.solver.pop();
        result
    }

    /// Constants, parameters and scalars of the state.
    fn basic_terms(&mut self, scope: &Scope) -> Vec<TermId> {
        let items = scope.items.iter().chain(&self.script.items);
        let declared: Vec<SymbolId> = items
            .filter_map(|item| match item {
                Item::Declare(symbol) => Some(*symbol),
                _ => None,
            })
            .collect();
        let (mut terms, mut witnesses) = (Vec::new(), Vec::new());
        for symbol in declared {
            let sort = self.store.symbol(symbol).sort;
            let is_witness = self.script.names.symbol(symbol).is_some_and(|name| name.starts_with("q."))
                && self.store.symbol(symbol).role == Role::Skolem;
            if !matches!(self.store.sort(sort), Sort::Bool | Sort::Function { .. }) {
                let list = if is_witness { &mut witnesses } else { &mut terms };
                list.push(self.store.mk_symbol(symbol));
            }
        }
        // Witnesses of quantifiers are worth it where the quantifiers are, and their terms occur then; or if there is
        // nothing else.
        for witness in witnesses {
            let sort = self.store.sort_of(witness);
            if !terms.iter().any(|&term| self.store.sort_of(term) == sort) {
                terms.push(witness);
            }
        }
        terms
    }

    fn check(
        &mut self,
        scope: &Scope,
        check: &Check,
        asserted: &[TermId],
        basic: &[TermId],
        advice: &Advice,
    ) -> Result<Vec<Instance>, String> {
        let negation = self.store.substitute(check.negation, &self.definitions);
        if negation == TermId::FALSE {
            return Ok(Vec::new());
        }
        let own = self.own_instance(scope, check);
        if let Some(instance) = &own {
            let formula = self.formula(instance);
            if self.store.mk_and([formula, negation]) == TermId::FALSE {
                return Ok(vec![instance.clone()]);
            }
        }
        if let Some(instances) = self.refute_as_advised(scope, check, negation, advice) {
            return Ok(instances);
        }
        let constants: Vec<TermId> =
            check.constants.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let mut first = constants;
        first.extend(self.advised(check, advice));
        first.extend_from_slice(basic);
        let sources = asserted.iter().copied().chain([negation]).collect();
        let facts = self.by_usefulness(scope, own.as_ref());
        let question = Question { check, facts, negation, sources, basic: first };
        self.solver.push();
        self.solver.assert(self.store, negation);
        let found = self.refute(question);
        self.solver.pop();
        let found = found?;
        for instance in &found {
            *self.usefulness.entry(instance.fact).or_default() += 1;
        }
        Ok(found)
    }

    /// The lemma itself, before the step, at the constants of the goal.
    fn own_instance(&mut self, scope: &Scope, check: &Check) -> Option<Instance> {
        let Obligation::Step { lemma, .. } = check.obligation else { return None };
        let name = format!("lemma-{}", lemma + 1);
        let is_it = |symbol: &&SymbolId| self.script.names.symbol(**symbol) == Some(&name);
        let fact = *scope.facts.iter().find(is_it)?;
        let terms = check.constants.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        Some(Instance { fact, terms })
    }

    /// The facts, the most promising first.
    fn by_usefulness(&self, scope: &Scope, own: Option<&Instance>) -> Vec<SymbolId> {
        let mut facts = scope.facts.clone();
        let own = own.map(|instance| instance.fact);
        facts.sort_by_key(|fact| {
            let used = self.usefulness.get(fact).copied().unwrap_or_default();
            (Some(*fact) != own, std::cmp::Reverse(used))
        });
        facts
    }

    /// The terms of the engine's substitutions, over the constants of the goal.
    fn advised(&mut self, check: &Check, advice: &Advice) -> Vec<TermId> {
        let Obligation::Step { rule, .. } = check.obligation else { return Vec::new() };
        let substitutions = advice.rules.get(rule).map_or(&[][..], Vec::as_slice);
        let mut terms: Vec<TermId> =
            substitutions.iter().flat_map(Substitution::iter).map(|(_, term)| term).collect();
        terms.sort_unstable();
        terms.dedup();
        let mut found = Vec::new();
        for term in terms {
            let indices: Vec<SymbolId> = self
                .store
                .free_symbols(term)
                .into_iter()
                .filter(|&symbol| self.store.symbol(symbol).role == Role::Index)
                .collect();
            match indices[..] {
                [] => found.push(term),
                [index] => {
                    for &constant in &check.constants {
                        if self.store.symbol(constant).sort == self.store.symbol(index).sort {
                            let constant = self.store.mk_symbol(constant);
                            let substitution = Substitution::from_pairs(self.store, [(index, constant)]);
                            found.push(self.store.substitute(term, &substitution));
                        }
                    }
                }
                _ => {}
            }
        }
        found.retain(|&term| self.store.is_closed(term));
        found
    }

    /// The formula of an instance.
    fn formula(&mut self, instance: &Instance) -> TermId {
        if let Some(&formula) = self.cache.get(instance) {
            return formula;
        }
        let formula = self.plain_formula(instance);
        let (formula, premises) = self.without_formalities(formula);
        if !premises.is_empty() {
            self.premises.insert(instance.clone(), premises);
        }
        self.cache.insert(instance.clone(), formula);
        formula
    }

    fn plain_formula(&mut self, instance: &Instance) -> TermId {
        let fact = &self.facts[&instance.fact];
        let pairs = fact.params.iter().copied().zip(instance.terms.iter().copied());
        let substitution = Substitution::from_pairs(self.store, pairs);
        self.store.substitute(fact.body, &substitution)
    }

    /// Facts about one new name each, which have no variables but its arguments.
    fn showing_facts(&self) -> FxHashMap<SymbolId, SymbolId> {
        let arity = |symbol: SymbolId| match self.store.sort(self.store.symbol(symbol).sort) {
            Sort::Function { args, .. } => args.len(),
            _ => 0,
        };
        let facts = self.script.subjects.iter().filter_map(|(fact, subjects)| {
            let [subject] = subjects[..] else { return None };
            let name = candidates::head(self.store, subject)?;
            (arity(name) == arity(*fact)).then_some((name, *fact))
        });
        facts.collect()
    }

    /// Adds instances until there is no model.
    fn refute(&mut self, mut question: Question) -> Result<Vec<Instance>, String> {
        let mut added: IndexMap<TermId, Instance, FxBuildHasher> = IndexMap::default();
        let mut candidates = Candidates::default();
        let mut pool: Vec<(TermId, Instance)> = Vec::new();
        added.extend(self.formalities(&question.sources));
        let mut unfold = false;
        for round in 0..ROUNDS {
            let mut has_grown = candidates.grow(self.store, &question.sources, &question.basic);
            if !has_grown || round % 2 == 1 {
                // An instance may be true in the model and still name the term that is needed.
                question.sources.extend(pool.iter().take(WIDE).map(|&(formula, _)| formula));
                has_grown |= candidates.grow(self.store, &question.sources, &[]);
            }
            let unfolded = unfold;
            unfold |= !has_grown || round >= UNFOLD_FROM;
            if !has_grown && unfolded {
                break;
            }
            added.extend(self.same_function_instances(&question, &candidates));
            pool = self.instances(&question, &candidates, unfold);
            let enough = added.len() + PER_ROUND;
            loop {
                let assumptions: Vec<TermId> = added.keys().copied().collect();
                match self.solver.check(self.store, &assumptions) {
                    Answer::Unsat => return Ok(self.minimal(&added)),
                    Answer::Unknown(reason) => return Err(format!("the solver gives up: {reason}")),
                    Answer::Sat => {}
                }
                if added.len() > MAX_INSTANCES {
                    return Err("too many instances".to_owned());
                }
                // Later models are harder to come by, so more is made of each.
                let violated = self.violated(&pool, AT_ONCE + added.len() / 4);
                if violated.is_empty() {
                    break;
                }
                added.extend(violated);
                // What has been added may name better terms than those there were.
                if added.len() >= enough {
                    break;
                }
            }
            question.sources.extend(added.keys().copied());
        }
        Err(self.counterexample(&question))
    }

    /// The instances at candidate terms, the most promising first; trivial ones are left out.
    fn instances(
        &mut self,
        question: &Question,
        candidates: &Candidates,
        unfold: bool,
    ) -> Vec<(TermId, Instance)> {
        let mut pool = Vec::new();
        for &symbol in &question.facts {
            if !unfold && self.unfoldings.contains(&symbol) {
                continue;
            }
            let fact = self.facts[&symbol].clone();
            let tuples = match self.same_functions(symbol, candidates, &question.basic) {
                Some(tuples) => tuples,
                None => candidates.tuples(self.store, &fact.params, &fact.slots, &fact.subjects),
            };
            for terms in tuples.into_iter().take(PER_FACT) {
                let instance = Instance { fact: symbol, terms };
                let formula = self.formula(&instance);
                if formula != TermId::TRUE {
                    pool.push((formula, instance));
                }
            }
            if pool.len() > MAX_POOL {
                break;
            }
        }
        pool
    }

    /// The instances that say of functions that occur that they are the same for reasons of form. They are few, and what
    /// they say of a function that was not there before is not false in any model.
    fn same_function_instances(
        &mut self,
        question: &Question,
        candidates: &Candidates,
    ) -> Vec<(TermId, Instance)> {
        let mut found = Vec::new();
        for &fact in &question.facts {
            for terms in self.same_functions(fact, candidates, &question.basic).unwrap_or_default() {
                let instance = Instance { fact, terms };
                found.push((self.formula(&instance), instance));
            }
        }
        found
    }

    /// Some instances that are false in the solver's model.
    fn violated(&mut self, pool: &[(TermId, Instance)], enough: usize) -> Vec<(TermId, Instance)> {
        let mut violated = Vec::new();
        for chunk in pool.chunks(CHUNK) {
            let formulas: Vec<TermId> = chunk.iter().map(|&(formula, _)| formula).collect();
            let values = self.solver.values(self.store, &formulas);
            let is_false = |value: &Option<Value>| matches!(value, Some(Value::Bool(false)));
            let here = chunk.iter().zip(&values).filter(|(_, value)| is_false(value));
            violated.extend(here.map(|(candidate, _)| candidate.clone()));
            if violated.len() >= enough {
                break;
            }
        }
        violated.truncate(2 * enough);
        violated
    }

    /// The instances of the core, without those that turn out not to be needed.
    fn minimal(&mut self, added: &IndexMap<TermId, Instance, FxBuildHasher>) -> Vec<Instance> {
        let mut core = self.solver.core();
        if core.len() <= SMALL_CORE {
            let mut tried = 0;
            while tried < core.len() {
                let mut fewer = core.clone();
                fewer.remove(tried);
                match self.solver.check(self.store, &fewer) {
                    Answer::Unsat => {
                        let smaller = self.solver.core();
                        core.retain(|formula| smaller.contains(formula));
                    }
                    _ => tried += 1,
                }
            }
        }
        added
            .iter()
            .filter(|(formula, _)| core.contains(formula))
            .map(|(_, instance)| instance.clone())
            .collect()
    }

    /// What the solver's last model says, for people.
    fn counterexample(&mut self, question: &Question) -> String {
        let mut shown: Vec<TermId> = question.basic.clone();
        let subterms = self.store.subterms_of_all([question.negation]);
        shown.extend(
            subterms
                .into_iter()
                .filter(|&term| *self.store.op(term) == Op::Apply && self.store.is_closed(term)),
        );
        shown.dedup();
        shown.truncate(16);
        let values = self.solver.values(self.store, &shown);
        let pairs = shown.iter().zip(values).filter_map(|(&term, value)| {
            Some(format!("{} = {}", self.store.print(term), self.shown(term, &value?)))
        });
        let pairs: Vec<String> = pairs.collect();
        format!("{}: nothing rules out {}", question.check.title, pairs.join(", "))
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
