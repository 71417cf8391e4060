//! The CEGAR loop (Clarke et al., section 4): build the abstract model, check it, ask whether a counterexample is
//! real, refine.

use super::concrete::Concrete;
use super::exact::{Pairs, pairs};
use super::fact::{Fact, When};
use super::guided::{Guide, LONG};
use super::halt::Halt;
use super::implicit::Implicit;
use super::lazy::{Invalidated, Lazy};
use super::lemmas::lemmas;
use super::model::{Model, Parts};
use super::options::{Images, Options};
use super::order::arranged;
use super::program::Reading;
use super::questions::Questions;
use super::rings::{Counterexample, is_possible, path, reach};
use super::shape::Shape;
use super::size::{gates, register_bits};
use super::table::{Extension, Table};
use super::traditional::Traditional;
use super::unroll::Unrolling;
use super::view::View;
use super::work::{Means, Refinement, Work};
use super::{Maker, observe};
use crate::common::log;
use crate::common::search::Found;
use crate::common::watch::{Progress, Watch};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use std::time::Instant;
use tenet_abstraction::correlation::correlations;
use tenet_abstraction::set::Set;
use tenet_solve::{Answer, Limits, Solver, Statistics};
use tenet_system::System;
use tenet_term::{Literal, Op, Role, SymbolId, TermId};
use tracing::debug;

/// What excludes a counterexample, by what means, and its extension.
type Excluding = (Invalidated, Means, Table);

pub struct Search<'a> {
    pub(super) system: &'a mut System,
    pub(super) concrete: Concrete,
    options: &'a Options,
    solvers: Maker<'a>,
    pub(super) watch: &'a mut dyn Watch,
    limits: Limits,
    property: usize,
    pub(super) predicates: Vec<TermId>,
    /// The conditions that may become predicates, with their places.
    pub(super) candidates: IndexMap<TermId, String>,
    pub(super) facts: Vec<Fact>,
    pub(super) shape: Shape,
    /// Clusters whose correlations are among the facts, by their predicates.
    correlated: FxHashSet<Vec<TermId>>,
    pairs: Option<Pairs>,
    implicit: Implicit,
    pub(super) questions: Questions,
    pub(super) unrolling: Unrolling,
    /// The number of states of the last counterexample, and whether it is known that no run with as many violates the property.
    of_length: Option<(usize, bool)>,
    tautologies: Box<dyn Solver>,
    began: Instant,
    pub(super) work: Work,
}

impl<'a> Search<'a> {
    /// Begins with the atoms of the property as predicates and with the branch conditions as candidates.
    pub fn new(
        system: &'a mut System,
        reading: &Reading,
        property: usize,
        options: &'a Options,
        solvers: Maker<'a>,
        watch: &'a mut dyn Watch,
    ) -> Search<'a> {
        let concrete = Concrete::new(&mut system.store, &reading.circuit, property);
        let limits = Limits::until(watch.interrupt());
        let candidates =
            if options.branches { candidates(system, &concrete, &reading.branches) } else { IndexMap::new() };
        let store = &system.store;
        let work = Work {
            property,
            registers: concrete.cone.len(),
            register_bits: register_bits(store, &concrete),
            gates: gates(store, &concrete),
            ..Work::default()
        };
        let mut tautologies = solvers();
        tautologies.set_limits(limits.clone());
        Search {
            options,
            solvers,
            property,
            predicates: Vec::new(),
            candidates,
            facts: Vec::new(),
            shape: Shape::default(),
            correlated: FxHashSet::default(),
            pairs: None,
            implicit: Implicit::new(store, &concrete, solvers, &limits),
            questions: Questions::new(store, &concrete, solvers, &limits),
            unrolling: Unrolling::new(store, &concrete, solvers, &limits),
            of_length: None,
            tautologies,
            limits,
            began: Instant::now(),
            work,
            concrete,
            system,
            watch,
        }
    }

    pub fn run(&mut self) -> Result<Found, Halt> {
        self.begin()?;
        loop {
            let model = self.build()?;
            self.work.iterations += 1;
            self.report_progress(&model);
            let reached = reach(&model, self.watch)?;
            if !reached.is_bad {
                let store = &mut self.system.store;
                let lemmas =
                    lemmas(store, &mut self.concrete, &model, &reached.all, self.solvers, &self.limits);
                if model.is_overfull() {
                    return Err(Halt::NoRoom);
                }
                return lemmas.map(Found::Proof).ok_or(Halt::TooManyClauses);
            }
            if self.options.images == Images::None && reached.rings.len() > LONG {
                return self.guided(&model, &reached.rings);
            }
            let counterexample = path(&model, &reached.rings).ok_or(Halt::NoRoom)?;
            drop((reached, model));
            debug!(cycles = counterexample.len(), "abstract counterexample");
            if self.is_real(&counterexample)? {
                let formula = self.system.properties[self.property].formula;
                let consts = self.system.consts.clone();
                let store = &mut self.system.store;
                let mut violation =
                    self.unrolling.violation(store, &self.concrete, self.property, formula, &counterexample);
                violation.run.consts = self.unrolling.values(store, &consts, &consts);
                return Ok(Found::Run(violation));
            }
            if self.options.images == Images::None {
                return Err(Halt::NoDiagrams);
            }
            self.refine(&counterexample)?;
        }
    }

    /// A run that follows the distances of a model with all registers, where it is too long to be unrolled.
    fn guided(&mut self, model: &Model, rings: &[Set]) -> Result<Found, Halt> {
        let mut guide = Guide {
            store: &mut self.system.store,
            concrete: &mut self.concrete,
            questions: &mut self.questions,
            model,
            watch: self.watch,
        };
        let formula = self.system.properties[self.property].formula;
        let violation = guide.violation(rings, self.property, formula)?;
        violation.map(Found::Run).ok_or(Halt::NoDiagrams)
    }

    pub(super) fn begin(&mut self) -> Result<(), Halt> {
        if self.options.images == Images::None {
            return Ok(());
        }
        let bad = self.concrete.bad;
        let atoms = observe::atoms(&mut self.system.store, bad);
        self.observe(&atoms)
    }

    /// Makes atoms predicates, and finds what is known of them.
    pub(super) fn observe(&mut self, atoms: &[TermId]) -> Result<(), Halt> {
        for &atom in atoms {
            if self.predicates.contains(&atom) {
                continue;
            }
            debug!(predicate = log::formula(&self.system.store, atom), "predicate added");
            self.predicates.push(atom);
            if self.options.images == Images::Restricted {
                let (store, concrete) = (&mut self.system.store, &mut self.concrete);
                let added = self.implicit.add(store, concrete, atom, self.watch, &mut self.facts);
                added.map_err(Halt::Stopped)?;
            }
        }
        if self.options.images == Images::Exact {
            let (store, concrete) = (&mut self.system.store, &mut self.concrete);
            self.pairs = pairs(store, concrete, &self.predicates, self.solvers);
        }
        Ok(())
    }

    /// Builds the abstract model of what is known.
    pub(super) fn build(&mut self) -> Result<Model, Halt> {
        if let Some(stop) = self.watch.stop() {
            return Err(Halt::Stopped(stop));
        }
        let store = &mut self.system.store;
        self.shape = Shape::new(store, &self.concrete, &self.predicates, &self.shape.kept, self.options);
        self.correlate();
        let store = &mut self.system.store;
        let view = View::new(store, &self.shape.kept, &self.shape.in_order(&self.predicates));
        let mut view = arranged(store, &self.concrete, &view, &self.facts);
        let is_exact = self.options.images == Images::None;
        view.sees_inputs = is_exact;
        let parts = Parts {
            concrete: &self.concrete,
            view,
            facts: &self.facts,
            definitions: &self.shape.definitions,
            pairs: self.pairs.as_ref(),
            few_inputs: if is_exact { usize::MAX } else { self.options.few_inputs },
        };
        self.work.rebuilds += 1;
        debug!(predicates = self.predicates.len(), registers = self.shape.kept.len(), "abstract model built");
        let model = Model::new(store, parts);
        if model.is_overfull() { Err(Halt::NoRoom) } else { Ok(model) }
    }

    /// Finds which valuations of the predicates of a cluster no state has, unless the registers tell.
    fn correlate(&mut self) {
        let clusters = self.shape.open_clusters().filter(|cluster| cluster.members.len() > 1);
        let clusters: Vec<Vec<TermId>> =
            clusters.map(|cluster| cluster.members.iter().map(|&p| self.predicates[p]).collect()).collect();
        for atoms in clusters {
            if !self.correlated.insert(atoms.clone()) {
                continue;
            }
            let (store, solver) = (&mut self.system.store, self.tautologies.as_mut());
            for clause in correlations(store, solver, &atoms, self.options.correlations) {
                let literal = |(p, positive): (usize, bool)| Literal { atom: atoms[p], positive };
                let now = clause.into_iter().map(literal).collect();
                self.facts.push(Fact { when: When::Always, now, next: Vec::new() });
                self.work.correlations += 1;
            }
        }
    }

    /// Is there a concrete run through the abstract one? A violating run beside it that is as short is as good, and once it is known
    /// that there is none of this length, no other counterexample of the length has to be asked about.
    pub(super) fn is_real(&mut self, counterexample: &Counterexample) -> Result<bool, Halt> {
        let store = &mut self.system.store;
        let states = counterexample.len();
        if self.of_length.is_none_or(|(tried, _)| tried != states) {
            let answer = self.unrolling.any(store, &self.concrete, states);
            if answer == Answer::Sat {
                return Ok(true);
            }
            self.of_length = Some((states, answer == Answer::Unsat));
        }
        if self.of_length == Some((states, true)) {
            return Ok(false);
        }
        match self.unrolling.check(store, &self.concrete, counterexample, true) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(why) => match self.watch.stop() {
                Some(stop) => Err(Halt::Stopped(stop)),
                None => Err(Halt::Inconclusive(why)),
            },
        }
    }

    /// Excludes a counterexample that is not real.
    pub(super) fn refine(&mut self, counterexample: &Counterexample) -> Result<(), Halt> {
        let before = (self.predicates.len(), self.work.rebuilds);
        let (found, one_by_one) = match self.without_predicates(counterexample) {
            Some(found) => (Some(found), None),
            None => self.with_predicates(counterexample)?,
        };
        let Some((found, means, table)) = found else {
            return Err(self.watch.stop().map_or(Halt::Stuck, Halt::Stopped));
        };
        self.work.rebuilds_in_refinement += self.work.rebuilds - before.1;
        self.note_branches(&found.chosen);
        self.observe(&found.chosen)?;
        self.facts.extend(found.facts);
        let added = self.predicates.len() - before.0;
        let length = counterexample.len();
        debug!(cycles = length, added, facts = self.facts.len(), ?means, "refinement");
        self.work.refinements.push(Refinement { length, added, means, one_by_one, table });
        Ok(())
    }

    /// What excludes the counterexample if a part of it is impossible as it stands.
    fn without_predicates(&mut self, counterexample: &Counterexample) -> Option<Excluding> {
        let mut lazy = Lazy {
            store: &mut self.system.store,
            concrete: &mut self.concrete,
            questions: &mut self.questions,
            candidates: &[],
            extended: Vec::new(),
        };
        let facts = lazy.impossible_parts(counterexample);
        if facts.is_empty() {
            return None;
        }
        let extension = Extension { cubes: counterexample, extended: &[], chosen: &[], has_dead_end: false };
        let table = Table::new(&self.system.store, &extension);
        Some((Invalidated { chosen: Vec::new(), facts }, Means::Facts, table))
    }

    /// What excludes it together with new predicates; and how many it takes one by one, if that is measured.
    fn with_predicates(
        &mut self,
        counterexample: &Counterexample,
    ) -> Result<(Option<Excluding>, Option<usize>), Halt> {
        let candidates: Vec<TermId> = self.open_candidates();
        let (lazily, table) = self.lazily(counterexample, &candidates);
        let one_by_one = match self.options.compare && lazily.is_some() {
            true => Some(self.one_by_one(counterexample, &candidates)?),
            false => None,
        };
        let found = match lazily {
            Some(found) => Some((found, Means::Candidates, table)),
            None => self.traditionally(counterexample, &candidates),
        };
        Ok((found, one_by_one))
    }

    /// Which branch conditions become predicates, with their places if they have any.
    fn note_branches(&mut self, chosen: &[TermId]) {
        for atom in chosen.iter().filter(|atom| !self.predicates.contains(atom)) {
            let Some(place) = self.candidates.get(atom) else { continue };
            let text = self.system.store.print(*atom);
            let is_named = !place.is_empty() && *place != text;
            self.work.branches.push(if is_named { format!("{text} ({place})") } else { text });
        }
    }

    /// The candidates that are no predicates yet.
    pub(super) fn open_candidates(&self) -> Vec<TermId> {
        self.candidates.keys().copied().filter(|atom| !self.predicates.contains(atom)).collect()
    }

    pub(super) fn lazily(
        &mut self,
        counterexample: &Counterexample,
        candidates: &[TermId],
    ) -> (Option<Invalidated>, Table) {
        let store = &mut self.system.store;
        let mut lazy = Lazy {
            store,
            concrete: &mut self.concrete,
            questions: &mut self.questions,
            candidates,
            extended: Vec::new(),
        };
        let found = lazy.invalidate(counterexample);
        let extension = Extension {
            cubes: counterexample,
            extended: &lazy.extended,
            chosen: found.as_ref().map_or(&[], |found| &found.chosen),
            has_dead_end: found.is_some(),
        };
        let table = Table::new(lazy.store, &extension);
        (found, table)
    }

    /// New predicates: among what the failing step depends on, or what tells its states apart.
    fn traditionally(&mut self, counterexample: &Counterexample, candidates: &[TermId]) -> Option<Excluding> {
        let mut traditional = Traditional {
            store: &mut self.system.store,
            concrete: &mut self.concrete,
            questions: &mut self.questions,
            unrolling: &mut self.unrolling,
        };
        let dead_end = traditional.dead_end(counterexample)?;
        let mut atoms = traditional.atoms(counterexample, dead_end);
        atoms.retain(|atom| !self.predicates.contains(atom) && !candidates.contains(atom));
        let more: Vec<TermId> = candidates.iter().copied().chain(atoms).collect();
        let (found, table) = self.lazily(counterexample, &more);
        if let Some(found) = found {
            return Some((found, Means::Preconditions, table));
        }
        let mut traditional = Traditional {
            store: &mut self.system.store,
            concrete: &mut self.concrete,
            questions: &mut self.questions,
            unrolling: &mut self.unrolling,
        };
        Some((traditional.split(counterexample, dead_end)?, Means::Split, table))
    }

    /// How many candidates, in their order, have to be added until the counterexample is gone: the naive method, which
    /// builds a model for each. Leaves everything as it was.
    fn one_by_one(&mut self, counterexample: &Counterexample, candidates: &[TermId]) -> Result<usize, Halt> {
        let saved = (self.predicates.clone(), self.facts.clone(), self.shape.clone());
        let mut added = 0;
        for &candidate in candidates {
            let model = self.build()?;
            if !is_possible(&self.system.store, &model, counterexample) {
                break;
            }
            self.observe(&[candidate])?;
            added += 1;
        }
        let implicit = Implicit::new(&self.system.store, &self.concrete, self.solvers, &self.limits);
        (self.predicates, self.facts, self.shape) = saved;
        self.implicit = implicit;
        let predicates = std::mem::take(&mut self.predicates);
        // What the abstraction of steps knows is found again; the facts are there already.
        let facts = std::mem::take(&mut self.facts);
        self.observe(&predicates)?;
        self.facts = facts;
        Ok(added)
    }

    fn report_progress(&mut self, model: &Model) {
        self.watch.progress(&Progress {
            phase: "refining the abstraction",
            iteration: self.work.iterations,
            predicates: self.predicates.len(),
            solver_calls: self.statistics().calls,
            abstract_states: 1u128.checked_shl(model.bits() as u32).unwrap_or(u128::MAX),
        });
        self.work.bits = model.bits();
    }

    fn statistics(&self) -> Statistics {
        let all = self.implicit.statistics().into_iter().chain(self.questions.statistics());
        let all = all.chain([self.unrolling.statistics(), self.tautologies.statistics()]);
        all.fold(Statistics::default(), |sum, one| Statistics {
            calls: sum.calls + one.calls,
            seconds: sum.seconds + one.seconds,
        })
    }

    pub fn finish(self) -> (Work, Statistics) {
        let statistics = self.statistics();
        let store = &self.system.store;
        let print = |atom: &TermId| store.print(*atom);
        let mut work = self.work;
        work.predicates = self.predicates.iter().map(print).collect();
        let name = |symbol| store.symbol(symbol).name.clone();
        let support = |&atom: &TermId| store.free_symbols(atom).into_iter().map(name).collect();
        work.supports = self.predicates.iter().map(support).collect();
        let members = |cluster: &tenet_abstraction::cluster::Cluster| {
            cluster.members.iter().filter_map(|&p| self.predicates.get(p)).map(print).collect()
        };
        work.clusters = self.shape.clusters.iter().map(members).collect();
        work.kept = self.shape.kept.iter().map(|&register| name(register)).collect();
        work.invariants = self.shape.definitions.iter().map(print).collect();
        work.facts = self.facts.len();
        work.seconds = self.began.elapsed().as_secs_f64();
        (work, statistics)
    }
}

/// The branch conditions that speak of registers of the cone, each with its place in the source. In a netlist, which has
/// no branches any more, the conditions of multiplexers are what they have become.
fn candidates(
    system: &mut System,
    concrete: &Concrete,
    more: &[(TermId, String)],
) -> IndexMap<TermId, String> {
    let mut branches: Vec<(TermId, String)> =
        system.branches.iter().map(|branch| (branch.formula, branch.name.clone())).collect();
    branches.extend(more.iter().cloned());
    if branches.is_empty() {
        let store = &system.store;
        let values = concrete.cone.iter().map(|&register| concrete.next_value(register));
        let choices = store.subterms_of_all(values).into_iter().filter(|&term| *store.op(term) == Op::Ite);
        branches = choices.map(|term| (store.args(term)[0], String::new())).collect();
    }
    let mut found = IndexMap::new();
    for (formula, place) in branches {
        for atom in observe::conditions(&mut system.store, formula) {
            let symbols = system.store.free_symbols(atom);
            let is_known = |symbol: &SymbolId| {
                concrete.cone.contains(symbol) || system.store.symbol(*symbol).role == Role::Const
            };
            if symbols.iter().all(is_known) {
                found.entry(atom).or_insert_with(|| place.clone());
            }
        }
    }
    found
}
