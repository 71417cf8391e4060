//! The rounds of instantiation.
//!
//! A round takes the ground terms known at its start and goes through all quantifiers in turn, one instance of each, so
//! that the limit cannot let one of them starve the others. Quantifiers that come up in instances join the queue.
//! What is new in the instances, terms and witnesses, makes candidates for the next round.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use tenet_system::within_sort;
use tenet_term::{Op, Polarity, Role, SymbolId, TermId, TermMap, TermStore};

use super::candidates::Sources;
use super::normal::normalise;
use super::places::{Places, places};
use super::pool::Pool;
use super::proxy::{abstracted, occurrences, proxy};
use super::tuples::Tuples;
use super::version::{Versions, equation};
use super::{Fact, FactKind, Grounded, Policy};

/// Growth in depth of terms from one round to the next; without a bound one round could feed itself.
const MAX_DEPTH_GROWTH: usize = 1;
/// Tuples tried for each instance that the limit allows; most of them give trivially true instances.
const TUPLES_PER_INSTANCE: usize = 16;

/// What is known of a quantified formula.
struct Quantified {
    universal: bool,
    bound: Vec<SymbolId>,
    used: Polarity,
    places: Option<Places>,
    tried: FxHashSet<Vec<TermId>>,
}

impl Quantified {
    /// Must there be instances?
    fn is_instantiated(&self) -> bool {
        if self.universal { self.used.positive } else { self.used.negative }
    }

    /// Must there be a witness?
    fn is_witnessed(&self) -> bool {
        if self.universal { self.used.negative } else { self.used.positive }
    }
}

/// One grounding under way.
pub(super) struct Run<'a> {
    store: &'a mut TermStore,
    policy: Policy<'a>,
    pool: Pool,
    quantified: TermMap<Quantified>,
    /// Not yet looked at for ground terms. With quantifiers: the closed terms in them count too.
    fresh: Vec<TermId>,
    /// Quantifiers that came to need instances and were not queued yet.
    awake: Vec<TermId>,
    /// Functions applied to functions that have been unfolded.
    unfolded: usize,
    facts: Vec<Fact>,
    skolems: Vec<SymbolId>,
    instances: usize,
    tries: usize,
    cut: bool,
}

impl<'a> Run<'a> {
    pub(super) fn new(store: &'a mut TermStore, policy: &Policy<'a>) -> Run<'a> {
        let mut policy = policy.clone();
        for (_, term) in policy.forced.iter_mut().chain(&mut policy.forbidden) {
            *term = normalise(store, *term);
        }
        Run {
            store,
            policy,
            pool: Pool::default(),
            quantified: TermMap::default(),
            fresh: Vec::new(),
            awake: Vec::new(),
            unfolded: 0,
            facts: Vec::new(),
            skolems: Vec::new(),
            instances: 0,
            tries: 0,
            cut: false,
        }
    }

    pub(super) fn ground(mut self, formulas: &[(TermId, Polarity)], terms: &[TermId]) -> Grounded {
        self.fresh.extend(self.policy.forced.iter().map(|&(_, term)| term));
        for &term in terms {
            let term = normalise(self.store, term);
            self.fresh.push(term);
        }
        let mut roots = Vec::new();
        for &(formula, polarity) in formulas {
            assert!(self.store.is_closed(formula), "invariant: formulas to be grounded are closed");
            let formula = normalise(self.store, formula);
            roots.push(self.admit(formula, polarity));
        }
        let mut depth = None;
        for _ in 0..self.policy.rounds {
            if self.fresh.is_empty() || self.cut {
                break;
            }
            self.look_at_fresh();
            self.pool.all_given();
            let depth = depth.get_or_insert_with(|| self.pool.greatest_depth());
            *depth += MAX_DEPTH_GROWTH;
            self.round(*depth);
        }
        self.finish(roots)
    }

    /// Everything without functions as arguments.
    fn finish(self, roots: Vec<TermId>) -> Grounded {
        let mut versions = Versions::default();
        let store = self.store;
        let roots = roots.into_iter().map(|root| versions.replace(store, root)).collect();
        let mut facts = self.facts;
        for fact in &mut facts {
            fact.formula = versions.replace(store, fact.formula);
        }
        let mut proxies = Vec::new();
        for &quantifier in self.quantified.keys() {
            let symbol = proxy(store, quantifier);
            proxies.push((store.as_symbol(symbol).expect("invariant: a proxy is a symbol"), quantifier));
        }
        Grounded {
            roots,
            facts,
            skolems: self.skolems,
            proxies,
            versions: versions.into_list(),
            cut: self.cut,
        }
    }

    /// Takes in a closed formula that is used with this polarity: the formula with proxies. Quantifiers in it are
    /// registered, and get their witnesses at once.
    fn admit(&mut self, formula: TermId, polarity: Polarity) -> TermId {
        let mut waiting = vec![(formula, polarity)];
        while let Some((formula, polarity)) = waiting.pop() {
            self.fresh.push(formula);
            for (quantifier, used) in occurrences(self.store, formula, polarity) {
                if let Some(opposite) = self.register(quantifier, used) {
                    waiting.push(self.witness(quantifier, opposite));
                }
            }
        }
        abstracted(self.store, formula)
    }

    /// Notes how a quantified formula is used. If that asks for a witness it has none of yet: how the witness's
    /// instance of the body will be used.
    fn register(&mut self, quantifier: TermId, used: Polarity) -> Option<Polarity> {
        let op = self.store.op(quantifier);
        let entry = self.quantified.entry(quantifier).or_insert_with(|| Quantified {
            universal: matches!(op, Op::Forall(_)),
            bound: op.bound().to_vec(),
            used: Polarity::default(),
            places: None,
            tried: FxHashSet::default(),
        });
        let before = (entry.is_instantiated(), entry.is_witnessed());
        entry.used.positive |= used.positive;
        entry.used.negative |= used.negative;
        if entry.is_instantiated() && !before.0 {
            self.awake.push(quantifier);
        }
        let universal = entry.universal;
        (entry.is_witnessed() && !before.1).then_some(Polarity { positive: !universal, negative: universal })
    }

    /// Adds the fact about the witness of a quantified formula: constants of its own (EX-T2), within the range of
    /// their sorts (QI-T5).
    fn witness(&mut self, quantifier: TermId, used: Polarity) -> (TermId, Polarity) {
        let (universal, bound) =
            (self.quantified[&quantifier].universal, self.quantified[&quantifier].bound.clone());
        let mut symbols = Vec::new();
        for &variable in &bound {
            let (name, sort) = (self.store.symbol(variable).name.clone(), self.store.symbol(variable).sort);
            symbols.push(self.store.declare(&format!("{name}#{}", quantifier.index()), sort, Role::Skolem));
        }
        let terms: Vec<TermId> = symbols.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let body = self.store.instantiate(quantifier, &terms);
        let guard = self.guard(&bound, &terms);
        let proxy = proxy(self.store, quantifier);
        let plain = abstracted(self.store, body);
        let (when, plain) = match universal {
            true => (self.store.mk_not(proxy), self.store.mk_not(plain)),
            false => (proxy, plain),
        };
        let then = self.store.mk_and([guard, plain]);
        let formula = self.store.mk_implies(when, then);
        self.skolems.extend_from_slice(&symbols);
        self.fresh.extend_from_slice(&terms);
        self.add_fact(Fact { formula, quantifier, kind: FactKind::Witness { symbols } });
        (body, used)
    }

    /// That terms are values which the bound symbols may take.
    fn guard(&mut self, bound: &[SymbolId], terms: &[TermId]) -> TermId {
        let mut guards = Vec::new();
        for (&symbol, &term) in bound.iter().zip(terms) {
            let sort = self.store.symbol(symbol).sort;
            guards.push(within_sort(self.store, sort, term));
        }
        self.store.mk_and(guards)
    }

    fn add_fact(&mut self, fact: Fact) {
        if fact.formula != TermId::TRUE {
            self.facts.push(fact);
        }
    }

    /// Puts what is new into the pool, and unfolds definitions for functions that are new in it.
    fn look_at_fresh(&mut self) {
        for term in std::mem::take(&mut self.fresh) {
            self.pool.add(self.store, term);
        }
        let new: Vec<_> = self.pool.functionals(self.unfolded).cloned().collect();
        self.unfolded += new.len();
        for (symbol, functions) in new {
            let definitions = self.policy.definitions;
            let Some(definition) = definitions.iter().find(|definition| definition.symbol == symbol) else {
                continue;
            };
            let equation = equation(self.store, definition, &functions);
            let equation = normalise(self.store, equation);
            let formula = self.admit(equation, Polarity { positive: true, negative: false });
            self.add_fact(Fact { formula, quantifier: equation, kind: FactKind::Unfolding });
        }
        // Equations speak of the same functions, as a rule; if not, the next round unfolds those.
        for term in std::mem::take(&mut self.fresh) {
            self.pool.add(self.store, term);
        }
    }

    /// Instances of every quantifier with terms up to this depth.
    fn round(&mut self, depth: usize) {
        self.awake.clear();
        let all: Vec<TermId> = self.quantified.keys().copied().collect();
        let mut queue: VecDeque<(TermId, Vec<Tuples>)> = VecDeque::new();
        for quantifier in all {
            if self.quantified[&quantifier].is_instantiated() {
                queue.push_back((quantifier, self.tuples(quantifier, depth)));
            }
        }
        while let Some((quantifier, mut tuples)) = queue.pop_front() {
            let Some(terms) = tuples.iter_mut().find_map(Iterator::next) else { continue };
            self.try_instance(quantifier, terms);
            if self.cut {
                return;
            }
            queue.push_back((quantifier, tuples));
            for other in std::mem::take(&mut self.awake) {
                queue.push_back((other, self.tuples(other, depth)));
            }
        }
    }

    fn tuples(&mut self, quantifier: TermId, depth: usize) -> Vec<Tuples> {
        if self.quantified[&quantifier].places.is_none() {
            self.quantified[&quantifier].places = Some(places(self.store, quantifier));
        }
        let entry = &self.quantified[&quantifier];
        let places = entry.places.as_ref().expect("invariant: just found");
        let mut sources = Sources {
            store: self.store,
            policy: &self.policy,
            pool: &mut self.pool,
            made: &mut self.skolems,
            depth,
        };
        sources.tuples(&entry.bound, places)
    }

    fn try_instance(&mut self, quantifier: TermId, terms: Vec<TermId>) {
        if !self.quantified[&quantifier].tried.insert(terms.clone()) {
            return;
        }
        self.tries += 1;
        self.cut |= self.tries > self.policy.limit.saturating_mul(TUPLES_PER_INSTANCE);
        let (universal, bound) =
            (self.quantified[&quantifier].universal, self.quantified[&quantifier].bound.clone());
        let body = self.store.instantiate(quantifier, &terms);
        // The guard may hold quantifiers too: the terms do, if conditions in them have some.
        let guard = self.guard(&bound, &terms);
        let holds = match universal {
            true => self.store.mk_implies(guard, body),
            false => self.store.mk_and([guard, body]),
        };
        let proxy = proxy(self.store, quantifier);
        let plain = abstracted(self.store, holds);
        let formula = match universal {
            true => self.store.mk_implies(proxy, plain),
            false => self.store.mk_implies(plain, proxy),
        };
        if self.cut || formula == TermId::TRUE {
            return;
        }
        if self.instances == self.policy.limit {
            self.cut = true;
            return;
        }
        self.instances += 1;
        self.admit(holds, Polarity { positive: universal, negative: !universal });
        self.add_fact(Fact { formula, quantifier, kind: FactKind::Instance { terms } });
    }
}
