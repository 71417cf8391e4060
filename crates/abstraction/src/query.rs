//! The image of one rule or startstate as a query to the solver: which valuations of the predicates can it lead to?
//!
//! This is formula (13) of Lahiri and Bryant for one rule, or formula (12) for one startstate: the predicates at each
//! substitution before the step, the guard, axioms, and the predicates after it. All of it is grounded, translated and
//! compiled once; from one iteration to the next only the set that is asked about changes. The solver is asked for
//! valuations that are not known yet, and each solution is generalised ([`Context`]) before the next question. The set
//! is given to the solver lazily: an instance of one of its clauses when a solution violates it, because of all the
//! instances only a few are ever needed.
//!
//! What ties quantified formulas down ([`Facts`]) is for the solver alone: in the generalisation every symbol that it
//! speaks of stays as it is in the solution. Predicates with quantifiers say much each, so there
//! are few valuations of them, and diagrams of all the instances would be far larger than what they save.

mod eliminated;
mod recursive;
mod related;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustc_hash::{FxHashMap, FxHashSet};
use tenet_solve::quantifier::{self, Policy};
use tenet_solve::{Answer, Freedom, Limits, Solver, freedom};
use tenet_term::{Polarity, Role, SortId, SymbolId, TermId, TermStore, Value};

use crate::context::{Context, Frame};
use crate::elimination::Elimination;
use crate::facts::Facts;
use crate::layout::{Clause, Layout};
use crate::set::{Set, cover};
use crate::skeleton::{Formula, Skeleton};
use crate::valuation;
use related::Relation;

/// The formulas of a query, which may have quantifiers.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// What holds: the guard, axioms before and after, ranges of the index variables.
    pub always: Vec<TermId>,
    /// For each substitution that its terms are in range (QI-T5), and the predicates before the step.
    pub instances: Vec<(TermId, Vec<TermId>)>,
    /// The predicates after the step.
    pub posts: Vec<TermId>,
}

impl Parts {
    pub fn formulas(&self) -> impl Iterator<Item = TermId> {
        let instances = self
            .instances
            .iter()
            .flat_map(|(guard, values)| [*guard].into_iter().chain(values.iter().copied()));
        self.always.iter().copied().chain(instances).chain(self.posts.iter().copied())
    }
}

/// A question that is asked in every iteration.
pub struct Query {
    layout: Layout,
    solver: Box<dyn Solver>,
    skeleton: Skeleton,
    frame: Frame,
    facts: Facts,
    /// What facts about quantified formulas speak of.
    held: FxHashSet<SymbolId>,
    /// The same as terms.
    always: Vec<TermId>,
    instances: Vec<(TermId, Vec<TermId>)>,
    posts: Vec<TermId>,
    /// Stand for the predicates after the step.
    bits: Vec<TermId>,
    /// Every term whose value in a model matters.
    terms: Vec<TermId>,
    contexts: Vec<Context>,
    /// For each clause that was ever used the literal that switches its instances on.
    switches: FxHashMap<Clause, TermId>,
    /// Instances of clauses that the solver has.
    given: FxHashSet<(TermId, usize)>,
    blocked: Set,
    /// The same as a Boolean problem, if it is asked for.
    elimination: Option<Elimination>,
    /// Was an image too large for that?
    is_given_up: bool,
    /// What is known of the relation of the predicates before and after, if it is used.
    relation: Option<Relation>,
    unknowns: u64,
    interrupt: Arc<AtomicBool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// A solution. Empty if the solver did not know whether there is one.
#[derive(Clone, Debug, Default)]
pub struct Solution {
    /// The valuations before the step, one for each substitution whose terms are in range.
    pub before: Vec<Vec<bool>>,
}

impl Query {
    pub fn new(
        store: &mut TermStore,
        layout: &Layout,
        parts: &Parts,
        policy: &Policy,
        mut solver: Box<dyn Solver>,
        interrupt: Arc<AtomicBool>,
    ) -> Query {
        solver.set_limits(Limits::until(interrupt.clone()));
        let Ground { always, instances, posts, facts } = ground(store, parts, policy);
        let mut skeleton = Skeleton::default();
        let frame = Frame {
            always: always.iter().map(|&formula| skeleton.add(store, formula)).collect(),
            instances: instances
                .iter()
                .map(|(guard, values)| {
                    let guard = skeleton.add(store, *guard);
                    (guard, values.iter().map(|&value| skeleton.add(store, value)).collect())
                })
                .collect(),
            posts: posts.iter().map(|&post| skeleton.add(store, post)).collect(),
            post_atoms: Vec::new(),
        };
        let places: FxHashMap<TermId, usize> =
            skeleton.atoms().iter().enumerate().map(|(place, &atom)| (atom, place)).collect();
        let post_atoms: Vec<Vec<usize>> =
            posts.iter().map(|&post| store.atoms(post).iter().map(|atom| places[atom]).collect()).collect();
        always.iter().for_each(|&formula| solver.assert(store, formula));
        let facts = Facts::new(store, &facts);
        let bits = posts.iter().map(|&post| name(store, &mut *solver, post)).collect();
        Query {
            layout: layout.clone(),
            terms: valuation::valued_terms(store, skeleton.atoms()),
            frame: Frame { post_atoms, ..frame },
            held: facts.symbols(store),
            facts,
            skeleton,
            solver,
            always,
            instances,
            posts,
            bits,
            contexts: Vec::new(),
            switches: FxHashMap::default(),
            given: FxHashSet::default(),
            blocked: layout.space.empty(),
            elimination: None,
            is_given_up: false,
            relation: None,
            unknowns: 0,
            interrupt,
        }
    }

    /// How often the solver did not know.
    pub fn unknowns(&self) -> u64 {
        self.unknowns
    }

    pub fn statistics(&self) -> tenet_solve::Statistics {
        self.solver.statistics()
    }

    /// Every term whose value matters, and those of the facts about quantified formulas that the solver needed.
    pub fn terms(&self, store: &TermStore) -> Vec<TermId> {
        let mut terms = self.terms.clone();
        let known: FxHashSet<TermId> = terms.iter().copied().collect();
        terms.extend(self.facts.given_terms(store).into_iter().filter(|term| !known.contains(term)));
        terms
    }

    /// The values of terms in the model that [`solve`](Query::solve) found.
    pub fn values(&mut self, store: &TermStore, terms: &[TermId]) -> Vec<Option<Value>> {
        self.solver.values(store, terms)
    }

    /// Can the step be taken at all, from whatever state?
    pub fn is_possible(&mut self, store: &TermStore) -> bool {
        // Valuations that are blocked are possible.
        !self.blocked.is_empty() || self.check(store, &[]).is_reachable()
    }

    /// What is known with everything that the step adds to it. The set before the step is given in two forms.
    pub fn image(
        &mut self,
        store: &mut TermStore,
        from: &Set,
        clauses: &[Clause],
        known: &Set,
    ) -> Result<Set, Interrupted> {
        if self.is_related() {
            return self.image_by_relation(store, from, known);
        }
        let mut known = known.clone();
        for reached in self.contexts.iter().filter_map(|context| context.image(&self.layout, from)) {
            known = known.union(&reached);
        }
        loop {
            self.block(store, &known);
            let switches: Vec<TermId> =
                clauses.iter().filter_map(|clause| self.switches.get(clause).copied()).collect();
            match self.check(store, &switches) {
                Answer::Unsat => return Ok(known),
                Answer::Unknown(_) if self.is_interrupted() => return Err(Interrupted),
                // What the solver cannot exclude counts as reachable (X-T1).
                Answer::Unknown(_) => {
                    self.unknowns += 1;
                    return Ok(self.layout.space.full());
                }
                Answer::Sat => {}
            }
            let values = self.model(store);
            let truths = self.truths(&values);
            if !self.refine(store, from, clauses, &truths) {
                known = self.add_context(store, from, &known, &values, &truths);
            }
        }
    }

    /// Asks the solver for a solution that satisfies all facts.
    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Answer {
        loop {
            let answer = self.solver.check(store, assumptions);
            if answer != Answer::Sat || !self.facts.refine(store, &mut *self.solver) {
                return answer;
            }
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Is there a solution in which everything before the step is in the set, and the predicates after it have these
    /// values? If so, the solver has it as its model.
    ///
    /// What images have excluded stays excluded, so this is asked of a query of its own.
    pub fn solve(
        &mut self,
        store: &mut TermStore,
        from: &Set,
        clauses: &[Clause],
        after: &[(usize, bool)],
    ) -> Result<Option<Solution>, Interrupted> {
        let wanted: Vec<TermId> =
            after.iter().map(|&(predicate, value)| literal(store, self.bits[predicate], value)).collect();
        loop {
            let switches = clauses.iter().filter_map(|clause| self.switches.get(clause).copied());
            let assumptions: Vec<TermId> = wanted.iter().copied().chain(switches).collect();
            match self.check(store, &assumptions) {
                Answer::Unsat => return Ok(None),
                Answer::Unknown(_) if self.is_interrupted() => return Err(Interrupted),
                Answer::Unknown(_) => {
                    self.unknowns += 1;
                    return Ok(Some(Solution::default()));
                }
                Answer::Sat => {}
            }
            let values = self.model(store);
            let truths = self.truths(&values);
            if !self.refine(store, from, clauses, &truths) {
                let valuation =
                    |values: &Vec<Formula>| values.iter().map(|value| *value.of(&truths)).collect();
                let used = self.frame.instances.iter().filter(|(guard, _)| *guard.of(&truths));
                let before = used.map(|(_, values)| valuation(values)).collect();
                return Ok(Some(Solution { before }));
            }
        }
    }

    /// Asks only for valuations that are not in `known`.
    fn block(&mut self, store: &mut TermStore, known: &Set) {
        let new = known.minus(&self.blocked);
        for cube in cover(&new, known) {
            let literals: Vec<TermId> = self
                .layout
                .literals(&cube)
                .into_iter()
                .map(|(predicate, value)| literal(store, self.bits[predicate], !value))
                .collect();
            let clause = store.mk_or(literals);
            self.solver.assert(store, clause);
        }
        self.blocked = self.blocked.union(known);
    }

    fn model(&mut self, store: &TermStore) -> FxHashMap<TermId, Value> {
        valuation::valuation(store, &mut *self.solver, &self.terms)
    }

    /// The truth of every formula of the skeleton.
    fn truths(&self, values: &FxHashMap<TermId, Value>) -> Vec<bool> {
        self.skeleton.evaluate(&self.atom_truths(values))
    }

    fn atom_truths(&self, values: &FxHashMap<TermId, Value>) -> Vec<bool> {
        valuation::truths(self.skeleton.atoms(), values)
    }

    /// If the solution is not in the set at some substitution, gives the solver an instance that excludes it.
    fn refine(&mut self, store: &mut TermStore, from: &Set, clauses: &[Clause], truths: &[bool]) -> bool {
        let mut refined = false;
        for place in 0..self.frame.instances.len() {
            let (guard, values) = &self.frame.instances[place];
            if !guard.of(truths) {
                continue;
            }
            let valuation: Vec<bool> = values.iter().map(|value| *value.of(truths)).collect();
            if self.layout.contains(from, &valuation) {
                continue;
            }
            let is_violated = |clause: &&Clause| clause.iter().all(|&(p, value)| valuation[p] != value);
            for clause in clauses.iter().filter(is_violated) {
                refined |= self.give(store, clause, place);
            }
        }
        refined
    }

    /// Gives the solver an instance of a clause; false if it has it already.
    fn give(&mut self, store: &mut TermStore, clause: &Clause, place: usize) -> bool {
        let switch = *self.switches.entry(clause.clone()).or_insert_with(|| fresh_bit(store, "use"));
        if !self.given.insert((switch, place)) {
            return false;
        }
        let (guard, values) = &self.instances[place];
        let mut literals = vec![literal(store, switch, false), store.mk_not(*guard)];
        for &(predicate, value) in clause {
            literals.push(literal(store, values[predicate], value));
        }
        let formula = store.mk_or(literals);
        self.solver.assert(store, formula);
        true
    }

    /// Adds the image of the solution's context, or at least the solution.
    fn add_context(
        &mut self,
        store: &TermStore,
        from: &Set,
        known: &Set,
        values: &FxHashMap<TermId, Value>,
        truths: &[bool],
    ) -> Set {
        let valuation = self.after(store, known, truths);
        let mut known = known.union(&self.layout.valuation(&valuation));
        let mut freedom = freedom(store, self.skeleton.atoms(), &self.held, values);
        let mut found = self.context(from, values, &freedom);
        if found.is_none() {
            let matters = self.frame.post_atoms.iter().flatten().map(|&atom| self.skeleton.atoms()[atom]);
            freedom.keep_only(matters);
            found = self.context(from, values, &freedom);
        }
        if let Some((context, reached)) = found {
            debug_assert!(
                self.layout.contains(&reached, &valuation) || values.len() < self.terms.len(),
                "a context contains its own solution"
            );
            known = known.union(&reached);
            self.contexts.push(context);
        }
        known
    }

    /// The values of the predicates after the step, which are not known yet. Should the model leave values open on which
    /// they depend, so that the truths are guesses, the solver is asked for them: every solution has to lead on.
    fn after(&mut self, store: &TermStore, known: &Set, truths: &[bool]) -> Vec<bool> {
        let valuation: Vec<bool> = self.frame.posts.iter().map(|post| *post.of(truths)).collect();
        if !self.layout.contains(known, &valuation) {
            return valuation;
        }
        let values = self.solver.values(store, &self.bits);
        values.iter().map(|value| value.as_ref().and_then(Value::as_bool).unwrap_or(false)).collect()
    }

    /// The context with this freedom and what it leads to; `None` if it is too large.
    fn context(
        &self,
        from: &Set,
        values: &FxHashMap<TermId, Value>,
        freedom: &Freedom,
    ) -> Option<(Context, Set)> {
        let truths = self.atom_truths(values);
        let context = Context::new(&self.layout, &self.skeleton, &self.frame, &truths, freedom)?;
        let reached = context.image(&self.layout, from)?;
        Some((context, reached))
    }
}

/// The formulas of a query without quantifiers and with conditions only between formulas.
struct Ground {
    always: Vec<TermId>,
    instances: Vec<(TermId, Vec<TermId>)>,
    posts: Vec<TermId>,
    /// What ties quantified formulas down.
    facts: Vec<TermId>,
}

/// What always holds is only ever asserted; predicates are asserted and denied (EX-T3), ranges are denied too.
fn ground(store: &mut TermStore, parts: &Parts, policy: &Policy) -> Ground {
    let asserted = Polarity { positive: true, negative: false };
    let both = Polarity { positive: true, negative: true };
    let mut formulas: Vec<(TermId, Polarity)> =
        parts.always.iter().map(|&formula| (formula, asserted)).collect();
    for (guard, values) in &parts.instances {
        formulas.push((*guard, both));
        formulas.extend(values.iter().map(|&value| (value, both)));
    }
    formulas.extend(parts.posts.iter().map(|&post| (post, both)));
    let grounded = quantifier::ground_signed(store, &formulas, &[], policy);
    let mut roots =
        grounded.roots.into_iter().map(|root| store.lift_ites(root)).collect::<Vec<_>>().into_iter();
    let mut take = |count: usize| roots.by_ref().take(count).collect::<Vec<TermId>>();
    let always = take(parts.always.len());
    let instances = parts.instances.iter().map(|(_, values)| (take(1)[0], take(values.len()))).collect();
    let posts = take(parts.posts.len());
    let facts = grounded.facts.into_iter().map(|fact| fact.formula).collect();
    Ground { always, instances, posts, facts }
}

/// A Boolean symbol that the solver knows to be equivalent to a formula.
fn name(store: &mut TermStore, solver: &mut dyn Solver, formula: TermId) -> TermId {
    let bit = fresh_bit(store, "after");
    let definition = store.mk_iff(bit, formula);
    solver.assert(store, definition);
    bit
}

fn fresh_bit(store: &mut TermStore, name: &str) -> TermId {
    let symbol = store.fresh(name, SortId::BOOL, Role::AbstractBool);
    store.mk_symbol(symbol)
}

fn literal(store: &mut TermStore, formula: TermId, value: bool) -> TermId {
    if value { formula } else { store.mk_not(formula) }
}
