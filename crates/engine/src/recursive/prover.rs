//! The prover: one obligation, from its statement to a derivation.
//!
//! Its derivations are checked elsewhere, so everything here is strategy: what to try, in which order, and when to
//! give up.

use std::rc::Rc;
use tenet_solve::{Effort, EffortBudget};
use tenet_system::recursive::{Entailment, Known, Lemma, Program, Recall, Step};
use tenet_term::{Op, Role, Substitution, SymbolId, TermId, TermStore};
use tracing::debug;

use super::attempt::{Attempt, Attempts, Limits, Source, pool};
use super::equations::eliminate;
use super::outcome::{Bounds, Rules};
use super::sequent::{Fact, Hypothesis, Sequent, fresh_like};
use super::solver::ConstraintSolver;
use crate::common::log;
use crate::{Progress, Stop, Watch};

/// Instances of lemmas without atoms on the right that one question gets.
const MAX_INSTANCES: usize = 160;
/// The levels of iterative deepening: how often atoms of the right are unfolded, and how many hypotheses and lemmas
/// with atoms are recalled.
const LEVELS: [(usize, usize); 8] = [(0, 0), (0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2), (1, 3)];
/// The same where the right has no atoms.
const LEVELS_OF_CONSTRAINTS: [(usize, usize); 3] = [(0, 0), (0, 1), (0, 2)];
/// The same for single facts, which are derived rule by rule.
const LEVELS_OF_FACTS: [(usize, usize); 3] = [(4, 0), (16, 0), (64, 0)];
/// Charged for each look at the budget: an estimate of the work between two looks that no solver does.
const EFFORT_PER_BUDGET_CHECK: Effort = Effort::units(20);
/// Values tried for a variable that no atom determines.
const MAX_VALUES: usize = 6;

/// Proves entailments about one program.
pub(super) struct Prover<'a> {
    pub program: &'a mut Program,
    pub solver: ConstraintSolver,
    /// The lemmas so far; each may be used in the proofs after it.
    pub lemmas: Vec<Lemma>,
    known: Vec<Rc<Hypothesis>>,
    /// Which of them were made for one obligation, and are of no use to others.
    is_private: Vec<bool>,
    watch: &'a mut dyn Watch,
    /// How many obligations were looked at.
    pub visited: usize,
    /// The budget of the current tactic.
    pub budget: Option<EffortBudget>,
    /// What derivations are searched with, and how far.
    pub rules: Rules,
    pub bounds: Bounds,
}

/// What a proof may use besides lemmas, and how far it may unfold.
#[derive(Clone, Debug, Default)]
pub(super) struct ProofContext {
    /// The lemma that is being proved, with its measure.
    pub itself: Option<(Rc<Hypothesis>, TermId)>,
    /// How often an atom of the right is unfolded.
    pub unfoldings: usize,
}

impl ProofContext {
    pub(super) fn plain() -> ProofContext {
        ProofContext { itself: None, unfoldings: 2 }
    }
}

/// An instance of something known that has no atoms on its right.
struct Instance {
    recall: Recall,
    formula: TermId,
}

impl<'a> Prover<'a> {
    pub(super) fn new(program: &'a mut Program, watch: &'a mut dyn Watch) -> Prover<'a> {
        let solver = ConstraintSolver::new(watch);
        Prover {
            program,
            solver,
            lemmas: Vec::new(),
            known: Vec::new(),
            is_private: Vec::new(),
            watch,
            visited: 0,
            budget: None,
            rules: Rules::default(),
            bounds: Bounds::default(),
        }
    }

    pub(super) fn stop(&self) -> Option<Stop> {
        self.solver.meter.charge(EFFORT_PER_BUDGET_CHECK);
        let is_spent = self.budget.as_ref().is_some_and(EffortBudget::is_spent);
        self.watch.stop().or(is_spent.then_some(Stop::Timeout))
    }

    /// Runs a tactic within this effort.
    pub(super) fn within<T>(&mut self, effort: Effort, try_it: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.budget.clone();
        let inner = EffortBudget::of(&self.solver.meter, effort);
        self.budget = Some(outer.clone().map_or(inner.clone(), |outer| outer.min(inner)));
        let result = try_it(self);
        self.budget = outer;
        result
    }

    /// Reports progress.
    pub(super) fn report_progress(&mut self, phase: &'static str) {
        let progress = Progress {
            phase,
            iteration: self.visited,
            predicates: self.lemmas.len(),
            solver_calls: self.solver.calls(),
            ..Progress::default()
        };
        self.watch.progress(&progress);
    }

    /// Adds a lemma; its position.
    pub(super) fn keep(&mut self, lemma: Lemma, is_private: bool) -> usize {
        debug!(
            number = self.lemmas.len(),
            lemma = log::entailment(self.program, &lemma.entailment),
            by_induction = lemma.measure.is_some(),
            "lemma learned"
        );
        self.known.push(Rc::new(Hypothesis::of(&lemma.entailment)));
        self.is_private.push(is_private);
        self.lemmas.push(lemma);
        self.lemmas.len() - 1
    }

    /// A proof without induction: from what is known, unfolding the right and recalling.
    pub(super) fn direct(&mut self, sequent: &Sequent, ctx: &ProofContext) -> Option<Step> {
        self.visited += 1;
        if self.visited.is_multiple_of(16) {
            self.report_progress("looking for a derivation");
        }
        if self.stop().is_some() {
            return None;
        }
        let instances = self.instances(sequent, ctx);
        let facts: Vec<TermId> = instances.iter().map(|instance| instance.formula).collect();
        if let Some(core) = self.solver.core(&self.program.store, &sequent.constraint, &facts) {
            return Some(with_instances(&instances, &core, Step::Split(Vec::new())));
        }
        let mut cases: Vec<(TermId, Attempt)> = Vec::new();
        let levels = if sequent.right.atoms.is_empty() { &LEVELS_OF_CONSTRAINTS[..] } else { &LEVELS[..] };
        for &(unfoldings, recalls) in levels {
            if unfoldings > ctx.unfoldings || self.stop().is_some() {
                continue;
            }
            let attempts = self.attempts(sequent, ctx, (unfoldings, recalls), false);
            if let Some(step) = self.cover(sequent, &instances, &facts, attempts, &mut cases) {
                return Some(step);
            }
        }
        if !self.is_fact(sequent) {
            return None;
        }
        LEVELS_OF_FACTS.into_iter().find_map(|level| {
            let attempts = self.attempts(sequent, ctx, level, false);
            self.cover(sequent, &instances, &facts, attempts, &mut cases)
        })
    }

    /// Is nothing known, and nothing to be shown but atoms without variables?
    fn is_fact(&mut self, sequent: &Sequent) -> bool {
        let is_plain = sequent.left.is_empty() && sequent.existentials.is_empty();
        is_plain && !sequent.right.atoms.is_empty() && sequent.variables(&mut self.program.store).is_empty()
    }

    /// Attempts, of which one works in each case.
    fn cover(
        &mut self,
        sequent: &Sequent,
        instances: &[Instance],
        facts: &[TermId],
        attempts: Vec<Attempt>,
        cases: &mut Vec<(TermId, Attempt)>,
    ) -> Option<Step> {
        let left = sequent.left.len();
        let before = cases.len();
        for attempt in attempts {
            if attempt.needs_names() {
                if let Some(step) = self.alone(sequent, instances, facts, &attempt) {
                    return Some(step);
                }
                continue;
            }
            let condition = attempt.condition(&mut self.program.store);
            if cases.iter().any(|(known, _)| *known == condition) {
                continue;
            }
            let denied = self.program.store.mk_not(condition);
            let claims: Vec<TermId> = sequent.constraint.iter().copied().chain([denied]).collect();
            if let Some(core) = self.solver.core(&self.program.store, &claims, facts) {
                let step = attempt.step(&mut self.program.store, left, Step::Close);
                return Some(with_instances(instances, &core, step));
            }
            cases.push((condition, attempt));
        }
        if cases.len() < 2 || cases.len() == before {
            return None;
        }
        let denied: Vec<TermId> =
            cases.iter().map(|(condition, _)| self.program.store.mk_not(*condition)).collect();
        let optional: Vec<TermId> = facts.iter().chain(&denied).copied().collect();
        let core = self.solver.core(&self.program.store, &sequent.constraint, &optional)?;
        let mut split = Vec::new();
        for ((condition, attempt), denied) in cases.iter().zip(&denied) {
            if core.contains(denied) && !split.iter().any(|(known, _)| known == condition) {
                split.push((*condition, attempt.step(&mut self.program.store, left, Step::Close)));
            }
        }
        Some(with_instances(instances, &core, Step::Split(split)))
    }

    /// An attempt that has to work without cases, because what it recalls introduces names.
    fn alone(
        &mut self,
        sequent: &Sequent,
        instances: &[Instance],
        facts: &[TermId],
        attempt: &Attempt,
    ) -> Option<Step> {
        let (demands, gains, rest) = attempt.parts();
        let (demands, gains, rest) = (demands.to_vec(), gains.to_vec(), rest.to_vec());
        let store = &mut self.program.store;
        let (demanded, wanted) = (store.mk_and(demands.iter().copied()), store.mk_and(rest));
        let (undemanded, unwanted) = (store.mk_not(demanded), store.mk_not(wanted));
        let first: Vec<TermId> = sequent.constraint.iter().copied().chain([undemanded]).collect();
        let second: Vec<TermId> =
            sequent.constraint.iter().copied().chain(demands).chain(gains).chain([unwanted]).collect();
        let mut core = self.solver.core(&self.program.store, &first, facts)?;
        core.extend(self.solver.core(&self.program.store, &second, facts)?);
        let step = attempt.step(&mut self.program.store, sequent.left.len(), Step::Close);
        Some(with_instances(instances, &core, step))
    }

    pub(super) fn attempts(
        &mut self,
        sequent: &Sequent,
        ctx: &ProofContext,
        (unfoldings, recalls): (usize, usize),
        only_choose: bool,
    ) -> Vec<Attempt> {
        let sources = self.sources(sequent, ctx);
        let limits = Limits { unfoldings, attempts: 24, nodes: 100 * (unfoldings + recalls + 1), recalls };
        let search = Attempts {
            program: self.program,
            solver: &mut self.solver,
            sequent,
            sources: &sources,
            limits,
            only_choose,
            found: Vec::new(),
            nodes: 0,
        };
        search.run()
    }

    /// What can be recalled in an obligation.
    fn sources(&self, sequent: &Sequent, ctx: &ProofContext) -> Vec<Source> {
        let mut sources = Vec::new();
        if let Some((what, measure)) = &ctx.itself {
            sources.push(Source { known: Known::Itself, what: what.clone(), measure: Some(*measure) });
        }
        for (level, what) in sequent.hypotheses.iter().enumerate().rev() {
            sources.push(Source { known: Known::Hypothesis(level), what: what.clone(), measure: None });
        }
        for (position, what) in
            self.known.iter().enumerate().filter(|(position, _)| !self.is_private[*position])
        {
            sources.push(Source { known: Known::Lemma(position), what: what.clone(), measure: None });
        }
        sources
    }

    /// Instances, at the terms that the obligation speaks of, of what has no atoms on its right.
    fn instances(&mut self, sequent: &Sequent, ctx: &ProofContext) -> Vec<Instance> {
        let mut result: Vec<Instance> = Vec::new();
        for source in self.sources(sequent, ctx) {
            if source.what.has_atoms() {
                continue;
            }
            for atoms in matchings(sequent, &source) {
                if result.len() >= MAX_INSTANCES {
                    return result;
                }
                self.instances_at(sequent, &source, &atoms, &mut result);
            }
        }
        result
    }

    /// The variables of something known that its atoms determine, where these are found here.
    fn determined(&self, sequent: &Sequent, source: &Source, atoms: &[usize]) -> Vec<(SymbolId, TermId)> {
        let mut bindings: Vec<(SymbolId, TermId)> = Vec::new();
        for (wanted, &position) in source.what.left.atoms.iter().zip(atoms) {
            for (&pattern, &arg) in wanted.args.iter().zip(&sequent.left[position].atom.args) {
                let symbol = self.program.store.as_symbol(pattern);
                if let Some(symbol) = symbol.filter(|symbol| source.what.variables.contains(symbol))
                    && !bindings.iter().any(|(known, _)| *known == symbol)
                {
                    bindings.push((symbol, arg));
                }
            }
        }
        bindings
    }

    fn instances_at(
        &mut self,
        sequent: &Sequent,
        source: &Source,
        atoms: &[usize],
        result: &mut Vec<Instance>,
    ) {
        let bindings = self.determined(sequent, source, atoms);
        let free: Vec<SymbolId> = source.what.variables.clone();
        let free: Vec<SymbolId> =
            free.into_iter().filter(|symbol| !bindings.iter().any(|(known, _)| known == symbol)).collect();
        for choice in self.choices(sequent, &free) {
            if result.len() >= MAX_INSTANCES {
                return;
            }
            let all: Vec<(SymbolId, TermId)> =
                bindings.iter().copied().chain(free.iter().copied().zip(choice)).collect();
            if let Some(instance) = self.instance(sequent, source, atoms, all)
                && !result.iter().any(|known| known.formula == instance.formula)
            {
                result.push(instance);
            }
        }
    }

    /// Values for variables that no atom determines.
    fn choices(&mut self, sequent: &Sequent, free: &[SymbolId]) -> Vec<Vec<TermId>> {
        let mut choices = vec![Vec::new()];
        for &symbol in free {
            let sort = self.program.store.symbol(symbol).sort;
            let mut values = pool(&mut self.program.store, sequent, sort);
            let here = self.program.store.mk_symbol(symbol);
            if let Some(position) = values.iter().position(|&value| value == here) {
                values.swap(0, position);
            }
            values.truncate(if free.len() == 1 { MAX_VALUES + 3 } else { MAX_VALUES });
            let longer = choices.iter().flat_map(|choice: &Vec<TermId>| {
                values.iter().map(|&value| choice.iter().copied().chain([value]).collect::<Vec<_>>())
            });
            choices = longer.take(MAX_INSTANCES).collect();
        }
        choices
    }

    fn instance(
        &mut self,
        sequent: &Sequent,
        source: &Source,
        atoms: &[usize],
        bindings: Vec<(SymbolId, TermId)>,
    ) -> Option<Instance> {
        let (recall, substitution) = self.recall(sequent, source, atoms, bindings)?;
        let formula = self.program.store.substitute(source.what.right.constraint, &substitution);
        (formula != TermId::TRUE).then_some(Instance { recall, formula })
    }

    /// Something known for these values, if what it demands is there.
    pub(super) fn recall(
        &mut self,
        sequent: &Sequent,
        source: &Source,
        atoms: &[usize],
        bindings: Vec<(SymbolId, TermId)>,
    ) -> Option<(Recall, Substitution)> {
        let what = &source.what;
        let store = &mut self.program.store;
        let fresh = fresh_like(store, &what.existentials, Role::Index);
        let mut substitution = Substitution::from_pairs(store, bindings.iter().copied());
        let mut demands = Vec::new();
        if let Some(measure) = source.measure {
            let smaller = store.substitute(measure, &substitution);
            let zero = store.mk_int(0);
            demands.extend([store.mk_ge(smaller, zero), store.mk_lt(smaller, measure)]);
        }
        for (&symbol, &name) in what.existentials.iter().zip(&fresh) {
            let name = store.mk_symbol(name);
            substitution.insert(store, symbol, name);
        }
        demands.push(store.substitute(what.left.constraint, &substitution));
        for (wanted, &position) in what.left.atoms.iter().zip(atoms) {
            let wanted = wanted.substitute(store, &substitution);
            for (&one, &other) in wanted.args.iter().zip(&sequent.left[position].atom.args) {
                demands.push(store.mk_eq(one, other));
            }
        }
        let demanded = store.mk_and(demands);
        if demanded == TermId::FALSE {
            return None;
        }
        if demanded != TermId::TRUE {
            let denied = store.mk_not(demanded);
            let claims: Vec<TermId> = sequent.constraint.iter().copied().chain([denied]).collect();
            if !self.solver.refutes(&self.program.store, &claims) {
                return None;
            }
        }
        let recall = Recall { known: source.known, bindings, atoms: atoms.to_vec(), fresh };
        Some((recall, substitution))
    }

    /// The obligation with what hypotheses with atoms say at once, and the steps for it.
    fn with_hypotheses(&mut self, sequent: &Sequent, ctx: &ProofContext) -> Option<(Sequent, Vec<Recall>)> {
        let (mut result, mut recalls) = (sequent.clone(), Vec::new());
        for source in self.sources(sequent, ctx) {
            let is_hypothesis = matches!(source.known, Known::Hypothesis(_));
            if !is_hypothesis || !source.what.has_atoms() || !source.what.existentials.is_empty() {
                continue;
            }
            for atoms in matchings(sequent, &source) {
                let bindings = self.bindings(sequent, &source, &atoms);
                let Some((recall, here)) = self.recall(sequent, &source, &atoms, bindings) else { continue };
                let store = &mut self.program.store;
                for atom in &source.what.right.atoms {
                    let atom = atom.substitute(store, &here);
                    result.left.push(Fact { atom, lineage: vec![None; sequent.hypotheses.len()] });
                }
                let said = store.substitute(source.what.right.constraint, &here);
                result.constraint.extend(store.conjuncts(said));
                recalls.push(recall);
            }
        }
        (!recalls.is_empty()).then_some((result, recalls))
    }

    /// What the variables of something known are where its atoms are these; others are what they are here.
    fn bindings(&mut self, sequent: &Sequent, source: &Source, atoms: &[usize]) -> Vec<(SymbolId, TermId)> {
        let mut bindings = self.determined(sequent, source, atoms);
        for &symbol in &source.what.variables {
            if !bindings.iter().any(|(known, _)| *known == symbol) {
                bindings.push((symbol, self.program.store.mk_symbol(symbol)));
            }
        }
        bindings
    }

    /// The obligation with fewer variables, because lemmas say that some are equal; and what has to be recalled for it.
    pub(super) fn identified(&mut self, sequent: &Sequent) -> (Sequent, Vec<Recall>) {
        let mut recalls = Vec::new();
        let mut result = sequent.clone();
        for instance in self.instances(sequent, &ProofContext::plain()) {
            let parts = self.program.store.conjuncts(instance.formula);
            let is_simple = |&part: &TermId| is_simple_equation(&self.program.store, part);
            let equations: Vec<TermId> = parts.into_iter().filter(is_simple).collect();
            let is_new = equations.iter().any(|part| !result.constraint.contains(part));
            if is_new && instance.recall.fresh.is_empty() {
                result.constraint.extend(equations);
                recalls.push(instance.recall);
            }
        }
        (eliminate(&mut self.program.store, &result), recalls)
    }

    /// A proof by unfolding atoms of the left, with the obligation as a hypothesis (LU+I). At most `unfoldings` atoms
    /// are unfolded.
    pub(super) fn induct(
        &mut self,
        sequent: &Sequent,
        ctx: &ProofContext,
        unfoldings: usize,
    ) -> Option<Step> {
        if unfoldings == 0 || self.stop().is_some() {
            return None;
        }
        (0..sequent.left.len()).find_map(|position| self.unfold(sequent, ctx, position, unfoldings))
    }

    pub(super) fn unfold(
        &mut self,
        sequent: &Sequent,
        ctx: &ProofContext,
        position: usize,
        unfoldings: usize,
    ) -> Option<Step> {
        let hypothesis = match ctx.itself {
            None => Some(Rc::new(sequent.as_hypothesis(&mut self.program.store))),
            // What becomes smaller by its measure need not become smaller by its derivation.
            Some(_) => None,
        };
        let predicate = sequent.left[position].atom.predicate;
        let mut cases = Vec::new();
        for rule in 0..self.program.predicates[predicate].rules.len() {
            let Program { store, predicates, .. } = &mut *self.program;
            let clause = &predicates[predicate].rules[rule];
            let names = fresh_like(store, &clause.variables, Role::Index);
            let case = sequent.unfold(store, hypothesis.as_ref(), position, clause, &names);
            if self.solver.refutes(&self.program.store, &case.constraint) {
                cases.push((names, None));
                continue;
            }
            let proof = self.case(&case, ctx, unfoldings - 1)?;
            cases.push((names, Some(proof)));
        }
        Some(Step::Unfold { atom: position, cases })
    }

    pub(super) fn case(&mut self, case: &Sequent, ctx: &ProofContext, unfoldings: usize) -> Option<Step> {
        let simpler = eliminate(&mut self.program.store, case);
        let mut proof = self.direct(&simpler, ctx);
        if proof.is_none() {
            proof = match unfoldings {
                0 => self.by_hypotheses(&simpler, ctx),
                _ => self.induct(&simpler, ctx, unfoldings),
            };
        }
        Some(simpler.restate(&mut self.program.store, proof?))
    }

    /// A proof that begins with what hypotheses say: lemmas about that may help.
    fn by_hypotheses(&mut self, sequent: &Sequent, ctx: &ProofContext) -> Option<Step> {
        let (extended, recalls) = self.with_hypotheses(sequent, ctx)?;
        let proof = self.direct(&extended, ctx)?;
        Some(recalls.into_iter().rev().fold(proof, |step, recall| Step::Recall(recall, Box::new(step))))
    }

    /// Proves an entailment by induction and keeps it as a lemma; its position.
    pub(super) fn prove_lemma(&mut self, entailment: Entailment, unfoldings: usize) -> Option<usize> {
        let proof = self.by_induction(&entailment, unfoldings)?;
        Some(self.keep(Lemma { entailment, measure: None, proof }, false))
    }

    /// The same for one that is of use to a single obligation.
    pub(super) fn prove_lemma_quietly(&mut self, entailment: Entailment, unfoldings: usize) -> Option<usize> {
        let proof = self.by_induction(&entailment, unfoldings)?;
        Some(self.keep(Lemma { entailment, measure: None, proof }, true))
    }

    fn by_induction(&mut self, entailment: &Entailment, unfoldings: usize) -> Option<Step> {
        let sequent = Sequent::of(&self.program.store, entailment);
        self.induct(&sequent, &ProofContext::plain(), unfoldings)
    }

    /// The step, if what it demands follows from the left, with the instances that this needs in front of it.
    pub(super) fn given(&mut self, sequent: &Sequent, demand: TermId, step: Step) -> Option<Step> {
        let instances = self.instances(sequent, &ProofContext::plain());
        let facts: Vec<TermId> = instances.iter().map(|instance| instance.formula).collect();
        let denied = self.program.store.mk_not(demand);
        let claims: Vec<TermId> = sequent.constraint.iter().copied().chain([denied]).collect();
        let core = self.solver.core(&self.program.store, &claims, &facts)?;
        Some(with_instances(&instances, &core, step))
    }

    /// The same by induction on a measure: in the proof the lemma may be used where the measure is smaller.
    pub(super) fn prove_measured(
        &mut self,
        entailment: Entailment,
        measure: TermId,
        unfoldings: usize,
        prove: impl FnOnce(&mut Self, &Sequent, &ProofContext) -> Option<Step>,
    ) -> Option<usize> {
        let sequent = Sequent::of(&self.program.store, &entailment);
        let itself = Rc::new(Hypothesis::of(&entailment));
        let ctx = ProofContext { itself: Some((itself, measure)), unfoldings };
        let proof = prove(self, &sequent, &ctx)?;
        Some(self.keep(Lemma { entailment, measure: Some(measure), proof }, true))
    }
}

/// The steps that recall the instances which are in a core, in front of others.
fn with_instances(instances: &[Instance], core: &[TermId], step: Step) -> Step {
    let needed = instances.iter().rev().filter(|instance| core.contains(&instance.formula));
    needed.fold(step, |step, instance| Step::Recall(instance.recall.clone(), Box::new(step)))
}

/// Is it an equation between two variables, or of one with a number?
fn is_simple_equation(store: &TermStore, formula: TermId) -> bool {
    let Op::Eq = store.op(formula) else { return false };
    let [one, other] = [0, 1].map(|index| store.args(formula)[index]);
    store.as_symbol(one).is_some() && (store.as_symbol(other).is_some() || store.as_int(other).is_some())
}

/// The ways to find the atoms of something known among those of an obligation: for each its position.
pub(super) fn matchings(sequent: &Sequent, source: &Source) -> Vec<Vec<usize>> {
    let mut result: Vec<Vec<usize>> = vec![Vec::new()];
    for (wanted, atom) in source.what.left.atoms.iter().enumerate() {
        let mut longer = Vec::new();
        for chosen in &result {
            for (position, fact) in sequent.left.iter().enumerate() {
                let descends = match source.known {
                    Known::Hypothesis(level) => fact
                        .lineage
                        .get(level)
                        .copied()
                        .flatten()
                        .is_some_and(|known| known.position == wanted),
                    Known::Lemma(_) | Known::Itself => true,
                };
                if fact.atom.predicate == atom.predicate && descends && !chosen.contains(&position) {
                    longer.push(chosen.iter().copied().chain([position]).collect());
                }
            }
        }
        result = longer;
        result.truncate(32);
    }
    if let Known::Hypothesis(level) = source.known {
        result.retain(|chosen| {
            let is_strict = |&position: &usize| {
                sequent.left[position].lineage[level].is_some_and(|known| known.is_strict)
            };
            chosen.iter().any(is_strict)
        });
    }
    result
}
