//! Abstract reachability: from the initial valuations to the fixpoint, called the limit (Lahiri and Bryant, section
//! 7).
//!
//! Every image is of the whole set, never of a frontier: with index variables the meaning of a set is not the union of the
//! meanings of its parts (QI-T1). With closed predicates a frontier would be allowed, but as what is known of the relation between
//! valuations is kept from one iteration to the next, and the solver is only asked for valuations that are not known yet, it
//! would gain nothing.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::formula::Formula;
use tenet_abstraction::set::Set;
use tenet_abstraction::{Clause, Clauses, Interrupted, Layout, Observation, Origin, Query};
use tenet_solve::Statistics;
use tenet_system::System;
use tenet_term::Substitution;
use tracing::{debug, debug_span};

use super::details::{Image, Iteration, Options};
use crate::common::query::query;
use crate::common::watch::{Progress, Stop, Watch};

/// The iteration under way, or its result.
pub struct Fixpoint {
    /// Which variable of the diagrams is which predicate.
    pub layout: Layout,
    /// The valuations so far.
    pub set: Set,
    pub clauses: Clauses,
    /// What each step has added, in order.
    pub history: Vec<Added>,
    pub iterations: Vec<Iteration>,
    pub substitutions: Vec<Vec<Substitution>>,
    /// Rules for which some were cut off.
    pub cut: Vec<usize>,
    /// How deep instances go.
    pub depth: usize,
    /// Rules for which there were none; they get the identity (QI-T2).
    pub without: Vec<usize>,
    starts: Vec<Query>,
    rules: Vec<Query>,
    is_possible: Vec<bool>,
}

/// Valuations that came in together.
#[derive(Clone, Debug)]
pub struct Added {
    /// The iteration, zero for the initial ones.
    pub iteration: usize,
    /// The rule; `None` for a startstate.
    pub rule: Option<usize>,
    /// The set before the iteration, from which it was reached.
    pub from: Set,
    pub set: Set,
}

impl Fixpoint {
    pub fn new(
        system: &mut System,
        observation: &Observation,
        origin: Origin,
        interrupt: &Arc<AtomicBool>,
    ) -> Fixpoint {
        let layout = Layout::new(observation.predicates.len());
        let depth = origin.depth();
        let starts: Vec<Query> = (0..system.starts.len())
            .map(|start| {
                let parts = observation.start(system, start);
                query(system, &layout, &parts, None, depth, interrupt)
            })
            .collect();
        let mut fixpoint = Fixpoint {
            set: layout.space.empty(),
            clauses: Clauses::default(),
            history: Vec::new(),
            iterations: Vec::new(),
            substitutions: Vec::new(),
            cut: Vec::new(),
            without: Vec::new(),
            depth,
            starts,
            rules: Vec::new(),
            is_possible: Vec::new(),
            layout,
        };
        for rule in 0..system.rules.len() {
            let mut generated = observation.rule_substitutions(system, rule, origin);
            if generated.substitutions.is_empty() {
                fixpoint.without.push(rule);
                generated.substitutions.push(Substitution::new());
            }
            if generated.cut {
                fixpoint.cut.push(rule);
            }
            let parts = observation.rule(system, rule, &generated.substitutions);
            fixpoint.rules.push(query(system, &fixpoint.layout, &parts, Some(rule), depth, interrupt));
            fixpoint.substitutions.push(generated.substitutions);
        }
        fixpoint
    }

    pub fn start(&mut self, system: &mut System, kind: Image) -> Result<(), Interrupted> {
        let nothing = self.layout.space.empty();
        for query in &mut self.starts {
            let known = image(query, kind, system, (&nothing, &[]), &self.set)?;
            let added =
                Added { iteration: 0, rule: None, from: nothing.clone(), set: known.minus(&self.set) };
            self.history.push(added);
            self.set = known;
        }
        self.clauses.update(&self.layout, &self.set);
        let states = self.layout.count(&self.set);
        let set = Some(Formula::of(&self.layout, &self.set));
        self.iterations.push(Iteration { states, is_productive: states > 0, rules: Vec::new(), set });
        self.is_possible = self.rules.iter_mut().map(|query| query.is_possible(&system.store)).collect();
        Ok(())
    }

    /// One iteration; false if it added nothing.
    pub fn step(
        &mut self,
        system: &mut System,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<bool, Stop> {
        let strict = options.strict;
        let (from, clauses) = (self.set.clone(), self.clauses.clone());
        let mut rules = Vec::new();
        for rule in 0..self.rules.len() {
            if let Some(stop) = watch.stop() {
                return Err(stop);
            }
            // In strict mode the set of the iteration before; otherwise what the rules before have added is used at
            // once, which reaches the same limit in fewer iterations (QI-T8).
            let (from, clauses) = if strict { (&from, &clauses) } else { (&self.set, &self.clauses) };
            let before = (from, clauses.list());
            let _span = debug_span!("rule", name = system.rules[rule].name.as_str()).entered();
            let known = image(&mut self.rules[rule], options.image, system, before, &self.set);
            let known = known.map_err(|_| stopped(watch))?;
            if known == self.set {
                continue;
            }
            rules.push(rule);
            let (iteration, from) = (self.iterations.len(), from.clone());
            let set = known.minus(&self.set);
            debug!(iteration, valuations = self.layout.count(&set), "image adds valuations");
            self.history.push(Added { iteration, rule: Some(rule), from, set });
            self.set = known;
            if !strict {
                self.clauses.update(&self.layout, &self.set);
            }
        }
        if strict {
            self.clauses.update(&self.layout, &self.set);
        }
        let states = self.layout.count(&self.set);
        let is_productive = !rules.is_empty();
        debug!(iteration = self.iterations.len(), valuations = states, is_productive, "iteration ends");
        let set = is_productive.then(|| Formula::of(&self.layout, &self.set));
        self.iterations.push(Iteration { states, is_productive, rules, set });
        Ok(is_productive)
    }

    pub fn report(&self, watch: &mut dyn Watch) {
        watch.progress(&Progress {
            phase: "computing the strongest invariant",
            iteration: self.iterations.len(),
            abstract_states: self.iterations.last().map_or(0, |iteration| iteration.states),
            predicates: self.layout.predicates(),
            solver_calls: self.statistics().calls,
        });
    }

    /// Encodes all questions for the elimination of quantifiers, or says what has no encoding.
    pub fn encode(&mut self, system: &mut System) -> Result<(), String> {
        self.starts.iter_mut().chain(&mut self.rules).try_for_each(|query| query.encode(&mut system.store))
    }

    /// Was an image too large for the elimination of quantifiers?
    pub fn is_given_up(&self) -> bool {
        self.queries().any(Query::is_given_up)
    }

    /// Rules that can never be taken, from whatever state.
    pub fn never_taken(&self) -> impl Iterator<Item = usize> {
        self.is_possible.iter().enumerate().filter(|(_, possible)| !**possible).map(|(rule, _)| rule)
    }

    /// How often a solver did not know.
    pub fn unknowns(&self) -> u64 {
        self.queries().map(Query::unknowns).sum()
    }

    pub fn statistics(&self) -> Statistics {
        let mut statistics = Statistics::default();
        for query in self.queries() {
            statistics.calls += query.statistics().calls;
            statistics.seconds += query.statistics().seconds;
        }
        statistics
    }

    fn queries(&self) -> impl Iterator<Item = &Query> {
        self.starts.iter().chain(&self.rules)
    }
}

/// What is known with what a query adds to it, one way or the other. The set before the step is given in two forms.
fn image(
    query: &mut Query,
    kind: Image,
    system: &mut System,
    (from, clauses): (&Set, &[Clause]),
    known: &Set,
) -> Result<Set, Interrupted> {
    match kind {
        Image::Cubes => query.image(&mut system.store, from, clauses, known),
        Image::Recursion => query.image_by_recursion(&mut system.store, clauses, known),
        Image::Elimination => query.image_by_elimination(clauses, known),
    }
}

/// Why the solver was interrupted.
pub fn stopped(watch: &dyn Watch) -> Stop {
    watch.stop().unwrap_or(Stop::Interrupt)
}
