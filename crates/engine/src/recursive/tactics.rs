//! Tactics for an obligation, cheapest first.
//!
//! 1. *directly*, from lemmas;
//! 2. where the right is a constraint: by induction for a statement that is moved to the right as far as possible, `atoms |= C -> R`, so
//!    that its hypothesis can be used anywhere;
//! 3. where the right has atoms: first what is to be chosen, then each atom: *place by place* (induction on the argument that counts
//!    the places of an array), or by unfolding the left (coinduction; Jaffar and Santosa, section 4.1).

use tenet_system::recursive::{Atom, Entailment, Goal, Known, Recall, Step};
use tenet_term::{Role, Substitution, SymbolId, TermId};

use super::equations::eliminate;
use super::outcome::Rules;
use super::prover::{ProofContext, Prover};
use super::sequent::Sequent;
use super::shape::counters;

/// What variables stand for.
type Bindings = Vec<(SymbolId, TermId)>;

/// How often atoms of the left are unfolded, one after the other, unless the user says otherwise.
const MAX_UNFOLDINGS: usize = 3;

/// Choices of the existential variables that are followed.
const MAX_CHOICES: usize = 4;

impl Prover<'_> {
    pub(super) fn prove(&mut self, entailment: &Entailment) -> Option<Step> {
        if self.rules == Rules::Paper {
            return self.reduce(entailment);
        }
        let sequent = Sequent::of(&self.program.store, entailment);
        self.prove_sequent(&sequent)
    }

    fn prove_sequent(&mut self, sequent: &Sequent) -> Option<Step> {
        let simpler = eliminate(&mut self.program.store, sequent);
        let mut proof = self.direct(&simpler, &ProofContext::plain());
        if proof.is_none() {
            let (identified, recalls) = self.identified(&simpler);
            let found = match identified.right.atoms.is_empty() && identified.existentials.is_empty() {
                true => self.constraint(&identified),
                false => self.atoms(&identified),
            };
            let found = identified.restate(&mut self.program.store, found?);
            let recalled = recalls.into_iter().rev();
            proof = Some(recalled.fold(found, |step, recall| Step::Recall(recall, Box::new(step))));
        }
        Some(simpler.restate(&mut self.program.store, proof?))
    }

    /// The right is a constraint.
    fn constraint(&mut self, sequent: &Sequent) -> Option<Step> {
        for unfoldings in 1..=self.bounds.unfoldings.unwrap_or(2) {
            for kept in subsets(sequent.left.len()) {
                if self.stop().is_some() {
                    return None;
                }
                let claim = self.moved_right(sequent, &kept);
                if let Some(lemma) = self.prove_lemma_quietly(claim.0.clone(), unfoldings) {
                    return self.by_lemma(sequent, lemma, claim.1, kept);
                }
            }
        }
        for kept in subsets(sequent.left.len()).into_iter().rev() {
            if let Some((lemma, bindings)) = self.constraint_by_measure(sequent, &kept) {
                return self.by_lemma(sequent, lemma, bindings, kept);
            }
        }
        None
    }

    /// `atoms |= constraint -> right`, for some atoms, whose arguments are variables; and what these stand for.
    fn moved_right(&mut self, sequent: &Sequent, kept: &[usize]) -> (Entailment, Bindings) {
        let (atoms, equations, mut bindings) = self.with_variables(sequent, kept);
        let store = &mut self.program.store;
        let premise = store.mk_and(sequent.constraint.iter().copied().chain(equations));
        let claim = store.mk_implies(premise, sequent.right.constraint);
        let left = Goal { atoms, constraint: TermId::TRUE };
        let right = Goal { atoms: Vec::new(), constraint: claim };
        let entailment = self.entailment("auxiliary", left, right);
        self.complete(&entailment, &mut bindings);
        (entailment, bindings)
    }

    /// Some atoms of the left with a variable for each argument that is none, equations for these, and what they stand for.
    fn with_variables(&mut self, sequent: &Sequent, kept: &[usize]) -> (Vec<Atom>, Vec<TermId>, Bindings) {
        let store = &mut self.program.store;
        let (mut atoms, mut equations, mut bindings) = (Vec::new(), Vec::new(), Vec::new());
        for &position in kept {
            let mut atom = sequent.left[position].atom.clone();
            for arg in &mut atom.args {
                if store.as_symbol(*arg).is_some() {
                    continue;
                }
                let known = bindings.iter().find(|(_, term)| term == arg).map(|(symbol, _)| *symbol);
                let symbol = known.unwrap_or_else(|| {
                    let sort = store.sort_of(*arg);
                    let symbol = store.fresh("V", sort, Role::Index);
                    bindings.push((symbol, *arg));
                    symbol
                });
                let variable = store.mk_symbol(symbol);
                equations.push(store.mk_eq(variable, *arg));
                *arg = variable;
            }
            atoms.push(atom);
        }
        (atoms, equations, bindings)
    }

    /// Variables that have no value yet stand for themselves.
    fn complete(&mut self, entailment: &Entailment, bindings: &mut Bindings) {
        for &symbol in &entailment.variables {
            if !bindings.iter().any(|(known, _)| *known == symbol) {
                bindings.push((symbol, self.program.store.mk_symbol(symbol)));
            }
        }
    }

    fn entailment(&mut self, name: &str, left: Goal, right: Goal) -> Entailment {
        let hypothesis = Sequent {
            left: Vec::new(),
            constraint: Vec::new(),
            existentials: Vec::new(),
            right: right.clone(),
            hypotheses: Vec::new(),
        };
        let mut variables = hypothesis.variables(&mut self.program.store);
        variables.extend(super::sequent::variables_of(&self.program.store, &left));
        variables.sort_unstable();
        variables.dedup();
        let source =
            self.program.predicates.first().map_or_else(Default::default, |predicate| predicate.source);
        Entailment { name: name.to_owned(), source, variables, left, existentials: Vec::new(), right }
    }

    /// Induction on an argument that counts, where other atoms may stay as they are.
    fn constraint_by_measure(&mut self, sequent: &Sequent, kept: &[usize]) -> Option<(usize, Bindings)> {
        for (index, &position) in kept.iter().enumerate() {
            let predicate = sequent.left[position].atom.predicate;
            for counter in counters(self.program, predicate) {
                for base in counter.bases.iter().take(2) {
                    for is_apart in [true, false] {
                        if self.stop().is_some() {
                            return None;
                        }
                        let base = self.program.store.mk_int(base.clone());
                        let place = (index, counter.position);
                        let (claim, bindings, measure) = self.measured(sequent, kept, place, base, is_apart);
                        let lemma = self.prove_measured(claim, measure, 2, |prover, sequent, ctx| {
                            prover.induct_at(sequent, ctx, index)
                        });
                        if let Some(lemma) = lemma {
                            return Some((lemma, bindings));
                        }
                    }
                }
            }
        }
        None
    }

    /// Unfolds one atom and proves the cases.
    fn induct_at(&mut self, sequent: &Sequent, ctx: &ProofContext, position: usize) -> Option<Step> {
        self.unfold(sequent, ctx, position, 1)
    }

    /// The statement with a measure. If it is to be apart, other atoms that have the same counter get one of their own, which is at
    /// least as large.
    fn measured(
        &mut self,
        sequent: &Sequent,
        kept: &[usize],
        (index, position): (usize, usize),
        base: TermId,
        is_apart: bool,
    ) -> (Entailment, Bindings, TermId) {
        let (mut atoms, equations, mut bindings) = self.with_variables(sequent, kept);
        let store = &mut self.program.store;
        let count = atoms[index].args[position];
        let mut premises: Vec<TermId> = sequent.constraint.iter().copied().chain(equations).collect();
        if is_apart {
            let sort = store.sort_of(count);
            let symbol = store.fresh("V", sort, Role::Index);
            let other = store.mk_symbol(symbol);
            for (number, atom) in atoms.iter_mut().enumerate() {
                if number != index {
                    atom.args.iter_mut().filter(|arg| **arg == count).for_each(|arg| *arg = other);
                }
            }
            premises.push(store.mk_le(count, other));
            bindings.push((symbol, count));
        }
        let premise = store.mk_and(premises);
        let claim = store.mk_implies(premise, sequent.right.constraint);
        let bounded = store.mk_le(base, count);
        let measure = store.mk_sub(count, base);
        let left = Goal { atoms, constraint: bounded };
        let right = Goal { atoms: Vec::new(), constraint: claim };
        let entailment = self.entailment("auxiliary", left, right);
        bindings.retain(|(symbol, _)| entailment.variables.contains(symbol));
        self.complete(&entailment, &mut bindings);
        // What was bound to a variable that was bound itself.
        let outer = Substitution::from_pairs(&self.program.store, bindings.clone());
        for (_, term) in &mut bindings {
            *term = self.program.store.substitute(*term, &outer);
        }
        (entailment, bindings, measure)
    }

    /// The obligation by a lemma that was made for it.
    fn by_lemma(
        &mut self,
        sequent: &Sequent,
        lemma: usize,
        bindings: Bindings,
        atoms: Vec<usize>,
    ) -> Option<Step> {
        let entailment = self.lemmas[lemma].entailment.clone();
        let store = &mut self.program.store;
        let here = Substitution::from_pairs(store, bindings.iter().copied());
        let demand = store.substitute(entailment.left.constraint, &here);
        let recall = Recall { known: Known::Lemma(lemma), bindings, atoms, fresh: Vec::new() };
        self.given(sequent, demand, Step::Recall(recall, Box::new(Step::Close)))
    }

    /// The right has atoms, or something has to be chosen.
    fn atoms(&mut self, sequent: &Sequent) -> Option<Step> {
        let ctx = ProofContext::plain();
        let choices = match sequent.existentials.is_empty() && sequent.right.atoms.len() == 1 {
            true if sequent.right.constraint == TermId::TRUE => return self.atom(sequent),
            _ => self.choices_for(sequent, &ctx),
        };
        for (step, chosen) in choices {
            let mut proofs = Vec::new();
            for atom in &chosen {
                let right = Goal { atoms: vec![atom.clone()], constraint: TermId::TRUE };
                let single = Sequent { existentials: Vec::new(), right, ..sequent.clone() };
                let proof = self.direct(&single, &ctx).or_else(|| self.atom(&single));
                let Some(proof) = proof else { break };
                proofs.push(proof);
            }
            if proofs.len() == chosen.len() {
                return Some(step(proofs));
            }
        }
        (1..=self.unfoldings()).find_map(|unfoldings| self.induct(sequent, &ctx, unfoldings))
    }

    /// Ways to choose the existential variables, such that the constraint of the right holds: what to do with proofs of the
    /// atoms, and these.
    #[allow(clippy::type_complexity, reason = "the closure is used at once")]
    fn choices_for(
        &mut self,
        sequent: &Sequent,
        ctx: &ProofContext,
    ) -> Vec<(Box<dyn FnOnce(Vec<Step>) -> Step>, Vec<Atom>)> {
        let mut result: Vec<(Box<dyn FnOnce(Vec<Step>) -> Step>, Vec<Atom>)> = Vec::new();
        for attempt in self.attempts(sequent, ctx, (0, 0), true) {
            if result.len() >= MAX_CHOICES {
                break;
            }
            let condition = attempt.condition(&mut self.program.store);
            let constraint = Sequent {
                existentials: Vec::new(),
                right: Goal { atoms: Vec::new(), constraint: condition },
                ..sequent.clone()
            };
            let Some(last) = self.direct(&constraint, ctx) else { continue };
            let chosen = attempt.chosen(&mut self.program.store);
            let is_chosen = !sequent.existentials.is_empty();
            let finish = move |mut proofs: Vec<Step>| {
                proofs.push(last);
                let each = Step::Each(proofs);
                if is_chosen { Step::Choose(chosen, Box::new(each)) } else { each }
            };
            result.push((Box::new(finish), attempt.chosen_atoms()));
        }
        result
    }

    /// One atom, with nothing to choose.
    fn atom(&mut self, sequent: &Sequent) -> Option<Step> {
        if let Some(step) = self.place_by_place(sequent) {
            return Some(step);
        }
        let ctx = ProofContext::plain();
        let predicate = sequent.right.atoms[0].predicate;
        for position in 0..sequent.left.len() {
            if sequent.left[position].atom.predicate == predicate && sequent.left.len() > 1 {
                let alone = Sequent { left: vec![sequent.left[position].clone()], ..sequent.clone() };
                if let Some(proof) = self.induct(&alone, &ctx, 1) {
                    let args = alone.left[0].atom.args.clone();
                    return Some(alone.restated(&mut self.program.store, vec![(position, args)], proof));
                }
            }
        }
        let general = self.without_bounds(sequent);
        (1..=self.unfoldings()).find_map(|unfoldings| {
            let proof = self.induct(sequent, &ctx, unfoldings);
            proof.or_else(|| {
                let general = general.as_ref()?;
                let proof = self.induct(general, &ctx, unfoldings)?;
                Some(general.restate(&mut self.program.store, proof))
            })
        })
    }

    /// How often atoms of the left are unfolded, one after the other.
    fn unfoldings(&self) -> usize {
        self.bounds.unfoldings.unwrap_or(MAX_UNFOLDINGS)
    }

    /// The obligation without bounds of what counts: as a hypothesis it is to hold of smaller numbers, too.
    fn without_bounds(&mut self, sequent: &Sequent) -> Option<Sequent> {
        let mut counts = Vec::new();
        for atom in sequent.left.iter().map(|fact| &fact.atom) {
            let counters = counters(self.program, atom.predicate).into_iter();
            counts.extend(
                counters.filter_map(|counter| self.program.store.as_symbol(atom.args[counter.position])),
            );
        }
        let store = &self.program.store;
        let is_bound =
            |part: TermId| matches!(store.free_symbols(part)[..], [only] if counts.contains(&only));
        let rest: Vec<TermId> = sequent.constraint.iter().copied().filter(|&part| !is_bound(part)).collect();
        (rest.len() < sequent.constraint.len()).then(|| Sequent { constraint: rest, ..sequent.clone() })
    }

    /// Induction on the argument that counts the places: the atom holds up to each place.
    fn place_by_place(&mut self, sequent: &Sequent) -> Option<Step> {
        let atom = sequent.right.atoms[0].clone();
        for counter in counters(self.program, atom.predicate) {
            for base in counter.bases.iter().take(2) {
                if self.stop().is_some() {
                    return None;
                }
                let store = &mut self.program.store;
                let end = atom.args[counter.position];
                let place = store.fresh("J", store.sort_of(end), Role::Index);
                let (at, base) = (store.mk_symbol(place), store.mk_int(base.clone()));
                let mut args = atom.args.clone();
                args[counter.position] = at;
                let (from, to) = (store.mk_le(base, at), store.mk_le(at, end));
                let constraint = store.mk_and(sequent.constraint.iter().copied().chain([from, to]));
                let measure = store.mk_sub(at, base);
                let left =
                    Goal { atoms: sequent.left.iter().map(|fact| fact.atom.clone()).collect(), constraint };
                let atoms = vec![Atom { predicate: atom.predicate, args }];
                let right = Goal { atoms, constraint: TermId::TRUE };
                let claim = self.entailment("each place", left, right);
                let lemma = self.prove_measured(claim.clone(), measure, 1, |prover, sequent, ctx| {
                    prover.direct(sequent, ctx)
                });
                if let Some(lemma) = lemma {
                    let mut bindings = vec![(place, end)];
                    self.complete(&claim, &mut bindings);
                    let all = (0..sequent.left.len()).collect();
                    return self.by_lemma(sequent, lemma, bindings, all);
                }
            }
        }
        None
    }
}

/// Which atoms to keep: all of them, then each alone, then none left out but one.
fn subsets(count: usize) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..count).collect();
    let mut result: Vec<Vec<usize>> = all.iter().map(|&one| vec![one]).collect();
    if count > 1 {
        result.push(all);
    }
    result
}
