//! One incremental query for each startstate and rule: can it lead to a state that violates one of these lemmas?
//!
//! A model of the solver may violate lemmas, axioms and universal guards at elements where they have not been
//! instantiated yet; they are instantiated there and the query is repeated. What is left is a counterexample to
//! induction, as far as the elements of the model go.

use rustc_hash::{FxHashMap, FxHashSet};
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_system::{Lemma, System, domain};
use tenet_term::{Op, Role, Sort, SortId, Substitution, TermId, TermStore};

use super::implicant::Implicant;
use super::pattern::Pattern;
use super::quantified::{Universal, ground};
use super::structure::{Env, Structure};

/// Instances added for one model: more would rarely be needed before the next model shows which.
const MAX_INSTANCES_PER_MODEL: usize = 60;
/// Nested applications in a term at which facts are instantiated; without a bound, instances would make ever deeper
/// terms.
const MAX_TERM_DEPTH: usize = 2;

/// Where a step comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Start(usize),
    Rule(usize),
}

/// A question that is asked again and again.
pub struct Question {
    pub origin: Origin,
    /// Whether universals are instantiated only at the elements that a step is about.
    pub is_narrow: bool,
    solver: Z3Solver,
    /// The step relation, without quantifiers.
    base: Vec<TermId>,
    post: Substitution,
    universals: Vec<Universal>,
    /// The patterns of the universals needed so far.
    patterns: Vec<Pattern>,
    /// The terms that name elements, the simplest first.
    terms: Vec<(usize, TermId)>,
    seen: FxHashSet<TermId>,
    targets: Vec<Target>,
    switches: FxHashMap<usize, TermId>,
    /// The instances that were made: of a lemma or, below zero, of a universal.
    made: FxHashSet<(usize, Vec<TermId>)>,
    made_universal: FxHashSet<(usize, Vec<TermId>)>,
}

struct Target {
    lemma: usize,
    selector: TermId,
    formula: TermId,
}

/// A counterexample to induction: a step that breaks a lemma, with literals over constants, state and parameters that
/// suffice for it.
pub struct Cti<'s, 'a> {
    pub lemma: usize,
    pub structure: &'s mut Structure<'a>,
    /// Literals that suffice for the step to be possible and to break the lemma.
    pub literals: Vec<TermId>,
    /// Universal formulas that the step needs; the literals have their instances at a few elements.
    pub universal_literals: Vec<TermId>,
}

/// A lemma that holds before a step: its number, itself, and the pattern of its violations.
pub type Known<'l> = (usize, &'l Lemma, &'l Pattern);

/// The solver's answer was unknown, for this reason.
#[derive(Clone, Debug)]
pub struct Inconclusive(pub String);

impl Question {
    /// The query about a startstate or rule, without any lemma to break yet.
    pub fn new(system: &mut System, origin: Origin, limits: Limits) -> Question {
        let (guard, params, post) = match origin {
            Origin::Start(start) => {
                let start = &system.starts[start];
                let symbols = system.state.iter().map(|var| var.symbol);
                let post = Substitution::from_pairs(&system.store, symbols.zip(start.values.iter().copied()));
                (start.constraint, start.params.clone(), post)
            }
            Origin::Rule(rule) => {
                let rule = &system.rules[rule];
                let post = Substitution::from_pairs(&system.store, rule.updates.iter().copied());
                (rule.guard, rule.params.clone(), post)
            }
        };
        let store = &mut system.store;
        let mut step = vec![guard];
        step.extend(params.iter().map(|&param| domain(store, param)));
        let mut formulas = Vec::new();
        formulas.extend(system.consts.iter().map(|&symbol| domain(store, symbol)));
        for axiom in &system.axioms {
            if matches!(origin, Origin::Rule(_)) {
                formulas.push(axiom.formula);
            }
            formulas.push(store.substitute(axiom.formula, &post));
        }
        let mut solver = Z3Solver::ground();
        solver.set_limits(limits);
        let mut question = Question {
            origin,
            is_narrow: false,
            solver,
            base: Vec::new(),
            post,
            universals: Vec::new(),
            patterns: Vec::new(),
            terms: Vec::new(),
            seen: FxHashSet::default(),
            targets: Vec::new(),
            switches: FxHashMap::default(),
            made: FxHashSet::default(),
            made_universal: FxHashSet::default(),
        };
        for formula in formulas {
            question.assert(store, formula);
        }
        for formula in step {
            let formula = question.assert(store, formula);
            question.base.push(formula);
        }
        question
    }

    pub fn statistics(&self) -> tenet_solve::Statistics {
        self.solver.statistics()
    }

    /// Asserts a formula without its quantifiers.
    fn assert(&mut self, store: &mut TermStore, formula: TermId) -> TermId {
        let formula = ground(store, formula, &mut self.universals);
        self.solver.assert(store, formula);
        self.collect(store, formula);
        formula
    }

    /// Adds a lemma to those that may be broken. False if the step cannot break it, by its form alone.
    pub fn add(&mut self, store: &mut TermStore, number: usize, lemma: &Lemma) -> bool {
        let after = store.substitute(lemma.body, &self.post);
        let unchanged = matches!(self.origin, Origin::Rule(_)) && after == lemma.body;
        let mut parts = vec![store.mk_not(after)];
        for var in &lemma.vars {
            let term = store.mk_symbol(var.symbol);
            parts.push(var.guard(store, term));
        }
        let broken = store.mk_and(parts);
        if unchanged || broken == TermId::FALSE {
            return false;
        }
        let formula = ground(store, broken, &mut self.universals);
        let selector = store.fresh("broken", SortId::BOOL, Role::Skolem);
        let selector = store.mk_symbol(selector);
        let implication = store.mk_implies(selector, formula);
        self.solver.assert(store, implication);
        for var in &lemma.vars {
            let term = store.mk_symbol(var.symbol);
            self.collect(store, term);
        }
        self.collect(store, formula);
        self.targets.push(Target { lemma: number, selector, formula });
        true
    }

    /// Is this lemma among those that may be broken?
    pub fn knows(&self, number: usize) -> bool {
        self.targets.iter().any(|target| target.lemma == number)
    }

    /// The instances of lemmas that were used, as lemma and terms.
    pub fn instances(&self) -> impl Iterator<Item = &(usize, Vec<TermId>)> {
        self.made.iter()
    }

    /// Looks for a counterexample to the induction of the pending lemmas relative to all lemmas; `then` gets it.
    pub fn ask<T>(
        &mut self,
        store: &mut TermStore,
        lemmas: &[Known<'_>],
        pending: &[usize],
        then: impl FnOnce(Cti<'_, '_>) -> T,
    ) -> Result<Option<T>, Inconclusive> {
        let asked: Vec<&Target> = self.targets.iter().filter(|t| pending.contains(&t.lemma)).collect();
        if asked.is_empty() {
            return Ok(None);
        }
        let any = store.mk_or(asked.iter().map(|target| target.selector));
        loop {
            let mut assumed = vec![any];
            let believed = lemmas.iter().filter_map(|(number, ..)| self.switches.get(number));
            assumed.extend(believed);
            match self.solver.check(store, &assumed) {
                Answer::Unsat => return Ok(None),
                Answer::Unknown(reason) => return Err(Inconclusive(reason)),
                Answer::Sat => {}
            }
            let violated = self.violated(store, lemmas);
            if violated.is_empty() {
                break;
            }
            for (source, terms) in violated {
                match source {
                    Source::Lemma(number) => {
                        let lemma = lemmas.iter().find(|(known, ..)| *known == number);
                        let lemma = lemma.expect("invariant: it was violated").1;
                        self.instantiate(store, number, lemma, terms);
                    }
                    Source::Universal(number) => {
                        self.made_universal.insert((number, terms.clone()));
                        let universal = self.universals[number].clone();
                        let formula = universal.instance(store, &terms);
                        self.assert(store, formula);
                    }
                }
            }
        }
        Ok(Some(self.cti(store, pending, then)))
    }

    pub fn instantiate(&mut self, store: &mut TermStore, number: usize, lemma: &Lemma, terms: Vec<TermId>) {
        let instance = lemma.instance(store, &terms);
        self.made.insert((number, terms));
        let switch = self.switch(store, number);
        let formula = store.mk_implies(switch, instance);
        self.assert(store, formula);
    }

    /// Is there such a step at all? True also if the solver does not know.
    pub fn is_possible(&mut self, store: &mut TermStore) -> bool {
        self.solver.check(store, &[]) != Answer::Unsat
    }

    /// Can a startstate break this lemma?
    pub fn breaks(&mut self, store: &mut TermStore, lemma: &Lemma) -> Result<bool, Inconclusive> {
        const ANY: usize = usize::MAX;
        if !self.add(store, ANY, lemma) {
            return Ok(false);
        }
        let result = self.ask(store, &[], &[ANY], |_| ());
        self.targets.pop();
        result.map(|cti| cti.is_some())
    }

    /// If a startstate can break this lemma, which of these literals are false in one that does.
    pub fn false_where_broken(
        &mut self,
        store: &mut TermStore,
        lemma: &Lemma,
        literals: &[TermId],
    ) -> Option<Vec<bool>> {
        const ANY: usize = usize::MAX;
        if !self.add(store, ANY, lemma) {
            return None;
        }
        let literals: Vec<TermId> =
            literals.iter().map(|&literal| store.substitute(literal, &self.post)).collect();
        let result = self.ask(store, &[], &[ANY], |cti| {
            let is_false = |&literal: &TermId| cti.structure.value(literal) == Some(0);
            literals.iter().map(is_false).collect()
        });
        self.targets.pop();
        result.unwrap_or_else(|_| Some(vec![false; literals.len()]))
    }

    /// The switch under which the instances of a lemma are asserted: lemmas can be retracted.
    fn switch(&mut self, store: &mut TermStore, lemma: usize) -> TermId {
        *self.switches.entry(lemma).or_insert_with(|| {
            let symbol = store.fresh("lemma", SortId::BOOL, Role::Skolem);
            store.mk_symbol(symbol)
        })
    }

    pub fn uses(&self, lemma: usize) -> bool {
        self.switches.contains_key(&lemma)
    }

    fn cti<T>(&mut self, store: &mut TermStore, pending: &[usize], then: impl FnOnce(Cti<'_, '_>) -> T) -> T {
        let names: Vec<TermId> = self.terms.iter().map(|&(_, term)| term).collect();
        let mut structure = Structure::new(store, &mut self.solver, &names);
        let asked = self.targets.iter().filter(|target| pending.contains(&target.lemma));
        let broken: Vec<&Target> = asked.filter(|target| structure.holds(target.formula)).collect();
        let target = broken.first().copied().unwrap_or(&self.targets[0]);
        let mut implicant = Implicant::new(&mut structure, &self.universals, self.is_narrow);
        implicant.require(target.formula, true);
        for &formula in &self.base {
            implicant.require(formula, true);
        }
        let (literals, universal_literals) = implicant.finish();
        then(Cti { lemma: target.lemma, structure: &mut structure, literals, universal_literals })
    }

    /// The instances that the solver's model violates.
    fn violated(&mut self, store: &mut TermStore, lemmas: &[Known<'_>]) -> Vec<(Source, Vec<TermId>)> {
        let names: Vec<TermId> = self.terms.iter().map(|&(_, term)| term).collect();
        let mut structure = Structure::new(store, &mut self.solver, &names);
        let mut found = Vec::new();
        for (number, universal) in self.universals.iter().enumerate() {
            if self.patterns.len() <= number {
                let pattern = Pattern::new(structure.store, &universal.vars, universal.body);
                self.patterns.push(pattern);
            }
            if structure.value(universal.proxy) == Some(0) {
                continue;
            }
            let named = violations(&mut structure, &self.patterns[number], number, &self.made_universal);
            found.extend(named.into_iter().map(|terms| (Source::Universal(number), terms)));
        }
        if matches!(self.origin, Origin::Rule(_)) {
            for &(number, _, pattern) in lemmas {
                if found.len() >= MAX_INSTANCES_PER_MODEL {
                    break;
                }
                let named = violations(&mut structure, pattern, number, &self.made);
                found.extend(named.into_iter().map(|terms| (Source::Lemma(number), terms)));
            }
        }
        found.truncate(MAX_INSTANCES_PER_MODEL);
        found
    }

    /// Takes in the terms of a formula that name elements.
    fn collect(&mut self, store: &TermStore, formula: TermId) {
        for term in store.subterms(formula) {
            if !self.seen.insert(term) {
                continue;
            }
            if matches!(store.sort(store.sort_of(term)), Sort::Index { .. }) {
                self.name(store, term);
            }
            if let Some(symbol) = store.as_symbol(term) {
                let info = store.symbol(symbol);
                if store.sort(info.sort).is_integer() && info.role != Role::State && info.role != Role::Bound
                {
                    self.name(store, term);
                }
            }
            if *store.op(term) == Op::Add && store.sort(store.sort_of(term)).is_integer() {
                self.name(store, term);
            }
            if *store.op(term) == Op::Apply {
                for &arg in &store.args(term)[1..] {
                    self.name(store, arg);
                }
            }
        }
    }

    fn name(&mut self, store: &TermStore, term: TermId) {
        if let (Op::Ite, &[_, then, otherwise]) = (store.op(term), store.args(term)) {
            self.name(store, then);
            self.name(store, otherwise);
            return;
        }
        if !store.is_closed(term) || self.terms.iter().any(|&(_, known)| known == term) {
            return;
        }
        let rank = rank(store, term);
        if rank >= 4 + MAX_TERM_DEPTH {
            return;
        }
        let place = self.terms.partition_point(|&(known, _)| known <= rank);
        self.terms.insert(place, (rank, term));
    }
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Lemma(usize),
    Universal(usize),
}

/// The order in which names of elements are tried: variables of lemmas, parameters, constants, state, then
/// applications by depth.
fn rank(store: &TermStore, term: TermId) -> usize {
    match store.op(term) {
        Op::Symbol(symbol) => match store.symbol(*symbol).role {
            Role::Index => 0,
            Role::Input => 1,
            Role::Const => 2,
            _ => 3,
        },
        Op::Int(_) | Op::Index(..) | Op::Enum(..) => 2,
        _ => {
            let deepest = store.args(term).iter().map(|&arg| rank(store, arg)).max().unwrap_or(0);
            deepest.max(3) + 1
        }
    }
}

/// Names of the elements at which a formula is violated.
fn named(structure: &mut Structure<'_>, env: &Env) -> Option<Vec<TermId>> {
    env.iter()
        .map(|&(symbol, value)| {
            let sort = structure.store.symbol(symbol).sort;
            structure.name(sort, value)
        })
        .collect()
}

/// Names of all violations of a pattern that were not used before.
fn violations(
    structure: &mut Structure<'_>,
    pattern: &Pattern,
    number: usize,
    made: &FxHashSet<(usize, Vec<TermId>)>,
) -> Vec<Vec<TermId>> {
    let mut found: Vec<Env> = Vec::new();
    pattern.each(structure, &mut |env| found.push(env.clone()));
    let named = found.iter().filter_map(|env| named(structure, env));
    let named: Vec<Vec<TermId>> = named.collect();
    named.into_iter().filter(|terms| !made.contains(&(number, terms.clone()))).collect()
}
