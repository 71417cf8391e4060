//! From the limit to an invariant that a person can read: few and short clauses, none of them superfluous.
//!
//! The clauses of a diagram speak of valuations that no state has. With the theory they become shorter: a literal goes if
//! what remains still follows from the whole, and a clause goes if it follows from the others. All of this is about one
//! choice of the index variables, so the universally quantified result is equivalent to what was computed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tenet_abstraction::{Clause, Observation};
use tenet_solve::quantifier::{self, Policy};
use tenet_solve::{Limits, Solver, Statistics, Z3Solver};
use tenet_system::{IndexVar, Lemma, System};
use tenet_term::{Op, Role, SortId, Substitution, TermId};

/// Clauses equivalent to the given ones.
pub fn simplify(
    system: &mut System,
    observation: &Observation,
    clauses: &[Clause],
    interrupt: &Arc<AtomicBool>,
) -> (Vec<Clause>, Statistics) {
    let mut simplifier = Simplifier::new(system, observation, interrupt);
    let mut short: Vec<Clause> = Vec::new();
    clauses.iter().for_each(|clause| simplifier.add(system, clause));
    for clause in clauses {
        let shorter = simplifier.shorten(system, clause);
        if !short.contains(&shorter) {
            simplifier.add(system, &shorter);
            short.push(shorter);
        }
    }
    (simplifier.irredundant(system, short), simplifier.solver.statistics())
}

/// The clauses as lemmas, each over the index variables that occur in it. A predicate may be a conjunction, and is several
/// lemmas then. Lemmas that say the same with other variables are one lemma.
pub fn lemmas(system: &mut System, observation: &Observation, clauses: &[Clause]) -> Vec<Lemma> {
    let mut lemmas: Vec<Lemma> = Vec::new();
    let mut known: Vec<TermId> = Vec::new();
    for clause in clauses {
        let whole = formula(system, observation, clause);
        for body in conjuncts(system, whole) {
            let lemma = Lemma { vars: vars_of(system, whole), body };
            let canonical = canonical(system, &lemma);
            if !known.contains(&canonical) {
                known.push(canonical);
                lemmas.push(lemma);
            }
        }
    }
    lemmas
}

/// The parts of a conjunction, if each of them is about all variables: where a variable has no values, the others would
/// say more than the whole.
fn conjuncts(system: &System, formula: TermId) -> Vec<TermId> {
    let (parts, vars) = (system.store.args(formula), vars_of(system, formula));
    let is_split = *system.store.op(formula) == Op::And
        && parts.iter().all(|&part| vars_of(system, part).len() == vars.len());
    if is_split { parts.to_vec() } else { vec![formula] }
}

fn formula(system: &mut System, observation: &Observation, clause: &Clause) -> TermId {
    let literals: Vec<TermId> = clause
        .iter()
        .map(|&(predicate, value)| {
            let formula = observation.predicates[predicate];
            if value { formula } else { system.store.mk_not(formula) }
        })
        .collect();
    system.store.mk_or(literals)
}

fn vars_of(system: &System, body: TermId) -> Vec<IndexVar> {
    let used = system.store.free_symbols(body);
    system.indices.iter().copied().filter(|var| used.contains(&var.symbol)).collect()
}

/// Of the ways to name the variables of a lemma with index variables of the same kind, always the same one.
fn canonical(system: &mut System, lemma: &Lemma) -> TermId {
    let mut renamings: Vec<Vec<IndexVar>> = vec![Vec::new()];
    for var in &lemma.vars {
        let alike: Vec<IndexVar> =
            system.indices.iter().copied().filter(|other| are_alike(system, var, other)).collect();
        let extend = |renaming: Vec<IndexVar>| {
            let free: Vec<IndexVar> = alike
                .iter()
                .copied()
                .filter(|other| !renaming.iter().any(|taken| taken.symbol == other.symbol))
                .collect();
            free.into_iter().map(move |other| renaming.iter().copied().chain([other]).collect())
        };
        renamings = renamings.into_iter().flat_map(extend).collect();
    }
    let bodies = renamings.into_iter().map(|renaming| {
        let terms: Vec<TermId> = renaming.iter().map(|var| system.store.mk_symbol(var.symbol)).collect();
        let pairs = lemma.vars.iter().map(|var| var.symbol).zip(terms);
        let substitution = Substitution::from_pairs(&system.store, pairs);
        system.store.substitute(lemma.body, &substitution)
    });
    bodies.min().expect("invariant: the names it has are one way")
}

fn are_alike(system: &System, one: &IndexVar, other: &IndexVar) -> bool {
    system.store.symbol(one.symbol).sort == system.store.symbol(other.symbol).sort
        && one.bounds == other.bounds
}

struct Simplifier {
    solver: Z3Solver,
    /// A Boolean for each predicate.
    bits: Vec<TermId>,
    /// Clauses that the solver has, with what switches them on.
    switches: Vec<(Clause, TermId)>,
}

impl Simplifier {
    fn new(system: &mut System, observation: &Observation, interrupt: &Arc<AtomicBool>) -> Simplifier {
        let mut formulas: Vec<TermId> = observation.axioms.clone();
        formulas.extend(&observation.promises);
        for var in system.indices.clone() {
            let term = system.store.mk_symbol(var.symbol);
            formulas.push(var.guard(&mut system.store, term));
        }
        let held = formulas.len();
        formulas.extend(&observation.predicates);
        let policy = Policy {
            rounds: 1,
            limit: 5_000,
            forced: Vec::new(),
            forbidden: Vec::new(),
            // A literal that only an unfolding shows to be superfluous is not worth the instances of all unfoldings.
            definitions: &[],
        };
        let grounded = quantifier::ground(&mut system.store, &formulas, &[], &policy);
        let mut solver = if grounded.facts.is_empty() { Z3Solver::ground() } else { Z3Solver::instances() };
        solver.set_limits(Limits::until(interrupt.clone()));
        let facts = grounded.facts.iter().map(|fact| fact.formula);
        let always: Vec<TermId> = grounded.roots[..held].iter().copied().chain(facts).collect();
        always.into_iter().for_each(|formula| solver.assert(&system.store, formula));
        let bits: Vec<TermId> = grounded.roots[held..]
            .iter()
            .map(|&predicate| {
                let bit = fresh_bit(system);
                let definition = system.store.mk_iff(bit, predicate);
                solver.assert(&system.store, definition);
                bit
            })
            .collect();
        Simplifier { solver, bits, switches: Vec::new() }
    }

    fn add(&mut self, system: &mut System, clause: &Clause) {
        let switch = fresh_bit(system);
        let mut literals: Vec<TermId> = vec![system.store.mk_not(switch)];
        literals.extend(clause.iter().map(|&literal| self.literal(system, literal)).collect::<Vec<_>>());
        let formula = system.store.mk_or(literals);
        self.solver.assert(&system.store, formula);
        self.switches.push((clause.clone(), switch));
    }

    fn literal(&self, system: &mut System, (predicate, value): (usize, bool)) -> TermId {
        let bit = self.bits[predicate];
        if value { bit } else { system.store.mk_not(bit) }
    }

    fn follows(&mut self, system: &mut System, clause: &[(usize, bool)], on: &[TermId]) -> bool {
        let mut assumptions = on.to_vec();
        for &(predicate, value) in clause {
            assumptions.push(self.literal(system, (predicate, !value)));
        }
        self.solver.check(&system.store, &assumptions).is_proved()
    }

    /// A shortest part of the clause, as far as leaving out one literal after the other goes, that follows from all.
    fn shorten(&mut self, system: &mut System, clause: &Clause) -> Clause {
        let on: Vec<TermId> = self.switches.iter().map(|(_, switch)| *switch).collect();
        let mut short = clause.clone();
        let mut place = 0;
        while place < short.len() {
            let mut shorter = short.clone();
            shorter.remove(place);
            if self.follows(system, &shorter, &on) {
                short = shorter;
            } else {
                place += 1;
            }
        }
        short
    }

    /// Leaves out clauses that follow from the others, the longest first.
    fn irredundant(&mut self, system: &mut System, clauses: Vec<Clause>) -> Vec<Clause> {
        let mut kept: Vec<(Clause, TermId)> =
            self.switches.iter().rev().filter(|(clause, _)| clauses.contains(clause)).cloned().collect();
        kept.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(b.0.cmp(&a.0)));
        kept.dedup_by(|a, b| a.0 == b.0);
        let mut place = 0;
        while place < kept.len() {
            let others: Vec<TermId> = kept
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != place)
                .map(|(_, kept)| kept.1)
                .collect();
            let clause = kept[place].0.clone();
            if self.follows(system, &clause, &others) {
                kept.remove(place);
            } else {
                place += 1;
            }
        }
        let mut clauses: Vec<Clause> = kept.into_iter().map(|(clause, _)| clause).collect();
        clauses.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
        clauses
    }
}

fn fresh_bit(system: &mut System) -> TermId {
    let symbol = system.store.fresh("bit", SortId::BOOL, Role::AbstractBool);
    system.store.mk_symbol(symbol)
}
