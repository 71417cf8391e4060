//! The published search for derivations, REDUCE (Jaffar and Santosa, figure 5), with the rules of figure 4 and nothing else: no
//! lemmas, no measures, no cases but those of SPL.
//!
//! What the paper leaves to a strategy is decided as follows. The search is deepened iteratively: at each level a branch may use
//! LU+I, CO and SPL so many times, and unfold each atom of the right one time more. The rules for the right (RU, EXR, CP) change
//! nothing on the left, so they come last in a branch, and unfoldings on the right are counted up from none: a
//! derivation has no more of them than it needs. Whether CO applies is tested with the solver for constraints alone, as
//! section 4.2 demands (the figure calls REDUCE for it).
//!
//! CO has the condition of descent that the paper lacks (RA-T1). `as_printed` searches without it, to say which derivations are
//! refused: with what is printed, one may even use an obligation for itself as soon as it is memoised.

use std::rc::Rc;
use tenet_solve::Effort;
use tenet_system::recursive::{Atom, Entailment, Known, Program, Step};
use tenet_term::{Op, Role, Substitution, SymbolId, TermId};

use super::attempt::{Attempts, Limits, Source};
use super::equations::{is_unknown, solve};
use super::outcome::Refused;
use super::prover::{Prover, matchings};
use super::sequent::{Fact, Hypothesis, Sequent, fresh_like, renaming};
use crate::common::log;

/// The deepest level, unless the user says otherwise.
const MAX_LEVEL: usize = 3;
/// Effort to find out whether the rules as they are printed derive something that is not proved.
const AS_PRINTED_EFFORT: Effort = Effort::secs(5);

/// How often rules may still be used in a branch.
#[derive(Clone, Copy, Debug)]
struct Bound {
    unfoldings: usize,
    coinductions: usize,
    splits: usize,
    /// How often an atom of the right is unfolded, one after the other.
    right: usize,
}

impl Bound {
    fn at(level: usize) -> Bound {
        Bound { unfoldings: level, coinductions: level, splits: level, right: level + 1 }
    }
}

/// A search: whether it respects descent, and what it has used on the way if it does not.
struct Search {
    is_guarded: bool,
    /// Whether an obligation is an assumption as soon as it is there, as figure 5 would have it, and not just below LU+I.
    memoises: bool,
    /// The steps of the branch.
    trail: Vec<String>,
    /// The first step that is refused in what was found.
    refused: Option<Refused>,
}

impl Prover<'_> {
    /// A derivation with the rules of the paper.
    pub(super) fn reduce(&mut self, entailment: &Entailment) -> Option<Step> {
        self.reduce_to(entailment, self.bounds.unfoldings.unwrap_or(MAX_LEVEL))
    }

    /// The same up to this level.
    pub(super) fn reduce_to(&mut self, entailment: &Entailment, deepest: usize) -> Option<Step> {
        let sequent = Sequent::of(&self.program.store, entailment);
        let mut search = Search { is_guarded: true, memoises: false, trail: Vec::new(), refused: None };
        (0..=deepest).find_map(|level| self.reduced(&sequent, Bound::at(level), &mut search))
    }

    /// The step that stands in the way if the rules derive an entailment only without the condition of descent.
    pub(super) fn as_printed(&mut self, entailment: &Entailment) -> Option<Refused> {
        let sequent = Sequent::of(&self.program.store, entailment);
        let deepest = self.bounds.unfoldings.unwrap_or(MAX_LEVEL);
        self.within(AS_PRINTED_EFFORT, |prover| {
            [false, true].into_iter().find_map(|memoises| {
                (0..=deepest).find_map(|level| {
                    let mut search = Search { is_guarded: false, memoises, trail: Vec::new(), refused: None };
                    prover.reduced(&sequent, Bound::at(level), &mut search)?;
                    search.refused
                })
            })
        })
    }

    fn reduced(&mut self, sequent: &Sequent, bound: Bound, search: &mut Search) -> Option<Step> {
        self.visited += 1;
        if self.visited.is_multiple_of(16) {
            self.report_progress("looking for a derivation");
        }
        if self.stop().is_some() {
            return None;
        }
        self.constraint_proof(sequent, bound.right)
            .or_else(|| self.coinduction(sequent, bound, search))
            .or_else(|| self.split_at_parameter(sequent, bound, search))
            .or_else(|| self.unfold_left(sequent, bound, search))
    }

    /// RU as often as needed, EXR, and CP.
    fn constraint_proof(&mut self, sequent: &Sequent, right: usize) -> Option<Step> {
        if self.solver.refutes(&self.program.store, &sequent.constraint) {
            return Some(Step::Split(Vec::new()));
        }
        let most = if sequent.right.atoms.is_empty() { 0 } else { right };
        (0..=most).find_map(|unfoldings| {
            let limits = Limits { unfoldings, attempts: 24, nodes: 100 * (unfoldings + 1), recalls: 0 };
            let attempts = Attempts {
                program: self.program,
                solver: &mut self.solver,
                sequent,
                sources: &[],
                limits,
                only_choose: false,
                found: Vec::new(),
                nodes: 0,
            };
            attempts.run().into_iter().find_map(|attempt| {
                let condition = attempt.condition(&mut self.program.store);
                let denied = self.program.store.mk_not(condition);
                let claims: Vec<TermId> = sequent.constraint.iter().copied().chain([denied]).collect();
                let is_shown = self.solver.refutes(&self.program.store, &claims);
                is_shown.then(|| attempt.step(&mut self.program.store, sequent.left.len(), Step::Close))
            })
        })
    }

    /// CO: what an assumption says for other values is added to the left.
    fn coinduction(&mut self, sequent: &Sequent, bound: Bound, search: &mut Search) -> Option<Step> {
        if bound.coinductions == 0 {
            return None;
        }
        let mut assumptions = sequent.hypotheses.clone();
        if search.memoises {
            // Figure 5 may memoise an obligation at any time.
            assumptions.push(Rc::new(sequent.as_hypothesis(&mut self.program.store)));
        }
        for (level, what) in assumptions.into_iter().enumerate().rev() {
            let source = Source { known: Known::Hypothesis(level), what, measure: None };
            let ways = match search.is_guarded {
                true => matchings(sequent, &source),
                false => any_matchings(sequent, &source),
            };
            for atoms in ways {
                if let Some(step) = self.coinduction_with(sequent, bound, search, &source, &atoms) {
                    return Some(step);
                }
            }
        }
        None
    }

    fn coinduction_with(
        &mut self,
        sequent: &Sequent,
        bound: Bound,
        search: &mut Search,
        source: &Source,
        atoms: &[usize],
    ) -> Option<Step> {
        let theta = self.theta(sequent, source, atoms);
        let (recall, here) = self.recall(sequent, source, atoms, theta)?;
        let mut next = sequent.clone();
        let store = &mut self.program.store;
        let added = source.what.right.substitute(store, &here);
        next.constraint.extend(store.conjuncts(added.constraint));
        let unknown = vec![None; sequent.hypotheses.len()];
        next.left.extend(added.atoms.into_iter().map(|atom| Fact { atom, lineage: unknown.clone() }));
        let Known::Hypothesis(level) = source.known else { return None };
        let refusal = descent_missing(self.program, sequent, level, atoms);
        let less = Bound { coinductions: bound.coinductions - 1, ..bound };
        search.trail.push(match level == sequent.hypotheses.len() {
            true => "CO".to_string(),
            false => format!("CO {}", level + 1),
        });
        let proof = self.reduced(&next, less, search);
        if let (Some(_), Some(reason)) = (&proof, refusal) {
            search.refused = Some(Refused { steps: search.trail.clone(), reason });
        }
        search.trail.pop();
        Some(Step::Recall(recall, Box::new(proof?)))
    }

    /// The substitution that makes an assumption's atoms these: from their arguments, then from its own equations; other variables
    /// stay as they are.
    fn theta(&mut self, sequent: &Sequent, source: &Source, atoms: &[usize]) -> Vec<(SymbolId, TermId)> {
        let Hypothesis { variables, left, .. } = &*source.what;
        let store = &mut self.program.store;
        let unknowns = fresh_like(store, variables, Role::Skolem);
        let opened = renaming(store, variables, &unknowns);
        let left = left.substitute(store, &opened);
        let mut equations = Vec::new();
        for (wanted, &position) in left.atoms.iter().zip(atoms) {
            let known = &sequent.left[position].atom;
            let pairs = wanted.args.iter().zip(&known.args);
            equations.extend(pairs.map(|(&one, &other)| store.mk_eq(one, other)).collect::<Vec<_>>());
        }
        equations.extend(store.conjuncts(left.constraint));
        let mut values: Vec<TermId> = unknowns.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        while let Some((symbol, value)) =
            equations.iter().find_map(|&equation| solve(store, equation, is_unknown))
        {
            let found = Substitution::from_pairs(store, [(symbol, value)]);
            equations.iter_mut().chain(&mut values).for_each(|term| *term = store.substitute(*term, &found));
        }
        let same: Vec<TermId> = variables.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let rest = Substitution::from_pairs(store, unknowns.iter().copied().zip(same));
        let closed = values.into_iter().map(|value| store.substitute(value, &rest)).collect::<Vec<_>>();
        variables.iter().copied().zip(closed).collect()
    }

    /// SPL: an index that is at most a parameter is equal to it, or not.
    fn split_at_parameter(&mut self, sequent: &Sequent, bound: Bound, search: &mut Search) -> Option<Step> {
        if bound.splits == 0 {
            return None;
        }
        let less = Bound { splits: bound.splits - 1, ..bound };
        for (index, parameter) in self.bounded_indices(sequent) {
            let store = &mut self.program.store;
            let same = store.mk_eq(index, parameter);
            let differ = store.mk_not(same);
            if [same, differ].iter().any(|case| sequent.constraint.contains(case)) {
                continue;
            }
            let mut cases = Vec::new();
            for formula in [differ, same] {
                let mut case = sequent.clone();
                case.constraint.push(formula);
                search.trail.push("SPL".to_string());
                let proof = self.reduced(&case, less, search);
                search.trail.pop();
                let Some(proof) = proof else { break };
                cases.push((formula, proof));
            }
            if cases.len() == 2 {
                return Some(Step::Split(cases));
            }
        }
        None
    }

    /// Two variables of which the constraint says that one is at most the other.
    fn bounded_indices(&self, sequent: &Sequent) -> Vec<(TermId, TermId)> {
        let store = &self.program.store;
        let bound = |&part: &TermId| match (store.op(part), store.args(part)) {
            (Op::Le, &[index, parameter]) => {
                let are_variables = store.as_symbol(index).is_some() && store.as_symbol(parameter).is_some();
                are_variables.then_some((index, parameter))
            }
            _ => None,
        };
        sequent.constraint.iter().filter_map(bound).collect()
    }

    /// LU+I: an atom of the left is replaced by the bodies of all its rules, and the obligation becomes an assumption.
    fn unfold_left(&mut self, sequent: &Sequent, bound: Bound, search: &mut Search) -> Option<Step> {
        if bound.unfoldings == 0 {
            return None;
        }
        let less = Bound { unfoldings: bound.unfoldings - 1, ..bound };
        let hypothesis = Rc::new(sequent.as_hypothesis(&mut self.program.store));
        (0..sequent.left.len()).find_map(|position| {
            let atom = &sequent.left[position].atom;
            search.trail.push(format!("LU+I {}", shown(self.program, atom)));
            let predicate = atom.predicate;
            let mut cases = Vec::new();
            let rules = self.program.predicates[predicate].rules.len();
            for rule in 0..rules {
                let Program { store, predicates, .. } = &mut *self.program;
                let clause = &predicates[predicate].rules[rule];
                let names = fresh_like(store, &clause.variables, Role::Index);
                let case = sequent.unfold(store, Some(&hypothesis), position, clause, &names);
                if self.solver.refutes(&self.program.store, &case.constraint) {
                    cases.push((names, None));
                    continue;
                }
                let Some(proof) = self.reduced(&case, less, search) else { break };
                cases.push((names, Some(proof)));
            }
            search.trail.pop();
            (cases.len() == rules).then_some(Step::Unfold { atom: position, cases })
        })
    }
}

fn shown(program: &Program, atom: &Atom) -> String {
    log::atom(program, atom)
}

/// The ways to find the atoms of an assumption on the left, as the paper would: wherever they come from.
fn any_matchings(sequent: &Sequent, source: &Source) -> Vec<Vec<usize>> {
    let mut result: Vec<Vec<usize>> = vec![Vec::new()];
    for wanted in &source.what.left.atoms {
        let fits = |chosen: &Vec<usize>| {
            let known = sequent.left.iter().enumerate();
            let fits = known.filter(|(_, fact)| fact.atom.predicate == wanted.predicate);
            fits.map(|(position, _)| chosen.iter().copied().chain([position]).collect()).collect::<Vec<_>>()
        };
        result = result.iter().flat_map(fits).take(32).collect();
    }
    result
}

/// Why an assumption must not be used for these atoms, if so (RA-T1).
fn descent_missing(program: &Program, sequent: &Sequent, level: usize, atoms: &[usize]) -> Option<String> {
    if level == sequent.hypotheses.len() {
        return Some("it uses the obligation for itself, before anything of it was unfolded".to_string());
    }
    let mut is_strict = false;
    for (place, &position) in atoms.iter().enumerate() {
        let fact = &sequent.left[position];
        match fact.lineage[level].filter(|known| known.position == place) {
            Some(known) => is_strict |= known.is_strict,
            None => {
                let atom = shown(program, &fact.atom);
                return Some(format!(
                    "{atom} does not descend from what assumption {} was made for: another CO has added it, or what it was \
                     unfolded from, and nobody knows how high its derivation is",
                    level + 1
                ));
            }
        }
    }
    let reason = format!("nothing of assumption {} was unfolded since it was made", level + 1);
    (!is_strict).then_some(reason)
}
