//! Correct proofs with one change. If a mutant is accepted, its claim is still true.

use std::collections::BTreeSet;
use std::time::Duration;

use tenet_proof::recursive::{questions, write_proof};
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_system::recursive::tree::{Fate, Outcome};
use tenet_system::recursive::{Known, Program, Proof, Step};
use tenet_term::{Role, SortId, SymbolId, TermId, TermStore};

use crate::brute::{Truth, Window};
use crate::cases::{COUNTING, EVEN, EVEN_OF_NOTHING, EXCLUSION, HALVES, POSITIVE};
use crate::support::Case;

const NUMBERS: Window = Window { rules: (-2, 14), statements: (-2, 9), arrays: (1, 1), height: 18 };
const ARRAYS: Window = Window { rules: (-1, 3), statements: (-1, 3), arrays: (2, 2), height: 6 };

/// All steps of a proof, in order.
fn steps(proof: &mut Proof) -> Vec<&mut Step> {
    let lemmas = proof.lemmas.iter_mut().map(|lemma| &mut lemma.proof);
    let mut roots: Vec<&mut Step> = lemmas.chain(proof.obligations.iter_mut().flatten()).collect();
    if let Some(tree) = &mut proof.tree {
        for node in &mut tree.nodes {
            match &mut node.fate {
                Fate::Expanded { children, properties } => {
                    roots.extend(children.iter_mut().map(|child| match &mut child.outcome {
                        Outcome::Node(_, proof) | Outcome::Impossible(proof) => proof,
                    }));
                    roots.extend(properties.iter_mut().flatten().map(|safe| &mut safe.proof));
                }
                Fate::Abstracted { proof, .. } | Fate::Subsumed { proof, .. } => roots.push(proof),
                Fate::Split { cases, proof } => {
                    roots.push(proof);
                    roots.extend(cases.iter_mut().map(|case| &mut case.proof));
                }
                Fate::Open => {}
            }
        }
        roots.extend(tree.termination.iter_mut().flat_map(|termination| &mut termination.proofs));
    }
    roots
}

/// Does something to the step with this number; says whether there was one.
fn with_step(step: &mut Step, number: &mut usize, change: &mut dyn FnMut(&mut Step)) -> bool {
    if *number == 0 {
        change(step);
        return true;
    }
    *number -= 1;
    match step {
        Step::Close => false,
        Step::Each(steps) => steps.iter_mut().any(|step| with_step(step, number, change)),
        Step::Choose(_, next) | Step::Recall(_, next) | Step::Restate(_, next) => {
            with_step(next, number, change)
        }
        Step::Right { next, .. } => with_step(next, number, change),
        Step::Unfold { cases, .. } => {
            cases.iter_mut().filter_map(|(_, step)| step.as_mut()).any(|step| with_step(step, number, change))
        }
        Step::Split(cases) => cases.iter_mut().any(|(_, step)| with_step(step, number, change)),
    }
}

/// The replacements of terms and symbols.
struct Changes<'a> {
    store: &'a mut TermStore,
    variables: Vec<SymbolId>,
}

impl Changes<'_> {
    /// Another term of the same sort.
    fn term(&mut self, term: TermId, choice: usize) -> TermId {
        let sort = self.store.sort_of(term);
        let same: Vec<SymbolId> =
            self.variables.iter().copied().filter(|&symbol| self.store.symbol(symbol).sort == sort).collect();
        match (sort, choice) {
            (SortId::BOOL, 0) => TermId::TRUE,
            (SortId::BOOL, 1) => TermId::FALSE,
            (SortId::BOOL, _) => self.store.mk_not(term),
            (SortId::INT, 0 | 1) => {
                let one = self.store.mk_int(if choice == 0 { 1 } else { -1 });
                self.store.mk_add([term, one])
            }
            _ if same.is_empty() => term,
            _ => self.store.mk_symbol(same[choice % same.len()]),
        }
    }

    fn terms(&mut self, terms: &mut [TermId], choice: usize) {
        match (terms.len(), choice % 4) {
            (0, _) => {}
            (_, 3) => terms.reverse(),
            (count, kind) => terms[choice % count] = self.term(terms[choice % count], kind),
        }
    }

    fn symbols(&mut self, symbols: &mut Vec<SymbolId>, choice: usize) {
        match (symbols.len(), choice % 4) {
            (_, 0) => drop(symbols.pop()),
            (_, 1) => symbols.reverse(),
            (0, _) => {}
            (count, kind) => {
                let other = self.variables[(choice * kind) % self.variables.len()];
                symbols[choice % count] = other;
            }
        }
    }

    /// Changes a step in one way.
    fn step(&mut self, step: &mut Step, choice: usize) {
        let small = choice / 4;
        match step {
            Step::Close => *step = Step::Split(Vec::new()),
            Step::Each(steps) => match choice % 2 {
                0 => drop(steps.pop()),
                _ => steps.reverse(),
            },
            Step::Choose(terms, next) => match choice % 4 {
                0 => *step = *next.clone(),
                1 => drop(terms.pop()),
                kind => {
                    for (_, term) in terms.iter_mut().skip(small).take(1) {
                        *term = self.term(*term, kind);
                    }
                }
            },
            Step::Unfold { atom, cases } => self.unfold(atom, cases, choice),
            Step::Right { atom, rule, terms, next } => match choice % 6 {
                0 => *atom += 1,
                1 => *rule = 1 - (*rule).min(1),
                2 => *step = *next.clone(),
                _ => self.terms(terms, small),
            },
            Step::Recall(recall, next) => match choice % 8 {
                0 => *step = *next.clone(),
                1 => {
                    let known = [
                        Known::Hypothesis(0),
                        Known::Hypothesis(1),
                        Known::Lemma(0),
                        Known::Lemma(1),
                        Known::Itself,
                    ];
                    recall.known = known[choice / 8 % known.len()];
                }
                2 => recall.atoms.reverse(),
                3 => recall.atoms.iter_mut().for_each(|atom| *atom += 1),
                4 => recall.atoms.iter_mut().for_each(|atom| *atom = atom.saturating_sub(1)),
                5 => self.symbols(&mut recall.fresh, small),
                kind => {
                    for (symbol, term) in recall.bindings.iter_mut().skip(choice / 8).take(1) {
                        *term =
                            if kind == 6 { self.store.mk_symbol(*symbol) } else { self.term(*term, choice) };
                    }
                }
            },
            Step::Split(cases) => match choice % 3 {
                0 => drop(cases.pop()),
                1 => cases.reverse(),
                _ => {
                    for (formula, _) in cases.iter_mut().skip(choice / 9).take(1) {
                        *formula = self.term(*formula, choice / 3);
                    }
                }
            },
            Step::Restate(restated, next) => match choice % 6 {
                0 => *step = *next.clone(),
                1 => restated.constraint = self.term(restated.constraint, small),
                2 => restated.right_constraint = self.term(restated.right_constraint, small),
                3 => drop(restated.left.pop()),
                4 => restated.left.iter_mut().for_each(|(_, args)| self.terms(args, small)),
                _ => restated.right.iter_mut().for_each(|atom| self.terms(&mut atom.args, small)),
            },
        }
    }

    fn unfold(&mut self, atom: &mut usize, cases: &mut Vec<(Vec<SymbolId>, Option<Step>)>, choice: usize) {
        match choice % 6 {
            0 => *atom += 1,
            1 => *atom = atom.saturating_sub(1),
            2 => drop(cases.pop()),
            3 => cases.reverse(),
            4 => {
                for (_, step) in cases.iter_mut().skip(choice / 6).take(1) {
                    *step = match step {
                        None => Some(Step::Close),
                        Some(_) => None,
                    };
                }
            }
            _ => {
                for (fresh, _) in cases.iter_mut().skip(choice / 6 % 2).take(1) {
                    self.symbols(fresh, choice / 12);
                }
            }
        }
    }
}

/// Checks mutants of one program. Confirmed questions are memoised.
struct Judge {
    name: &'static str,
    window: Window,
    solver: Z3Solver,
    confirmed: BTreeSet<TermId>,
}

impl Judge {
    fn new(case: &Case, window: Window) -> Judge {
        let mut solver = Z3Solver::new();
        solver.set_limits(Limits { timeout: Some(Duration::from_millis(300)), ..Limits::default() });
        Judge { name: case.name, window, solver, confirmed: BTreeSet::new() }
    }

    fn is_accepted(&mut self, program: &mut Program, proof: &Proof) -> bool {
        let Ok(questions) = questions(program, proof) else { return false };
        questions.into_iter().all(|question| {
            self.confirmed.contains(&question.formula) || self.confirm(&program.store, question.formula)
        })
    }

    fn confirm(&mut self, store: &TermStore, formula: TermId) -> bool {
        self.solver.push();
        self.solver.assert(store, formula);
        let answer = self.solver.check(store, &[]);
        self.solver.pop();
        answer == Answer::Unsat && self.confirmed.insert(formula)
    }

    /// Rejects the mutant, or finds its claim true.
    fn accepts(&mut self, program: &mut Program, proof: &Proof, what: &str) -> bool {
        if !self.is_accepted(program, proof) {
            return false;
        }
        if let Some(wrong) = Truth::of(program, self.window).refutes(proof) {
            let text = write_proof(program, proof).unwrap_or_else(|reason| reason);
            panic!("{}: accepted after {what}, but {wrong} is false\n{text}", self.name);
        }
        true
    }
}

/// Changes each step of a proof in many ways.
fn change_steps(case: &Case, window: Window) -> (usize, usize) {
    let (mut program, original) = case.read();
    let mut judge = Judge::new(case, window);
    assert!(judge.accepts(&mut program, &original, "nothing"));
    let as_text = write_proof(&mut program, &original).expect("it can be written");
    let index: Vec<SymbolId> =
        program.store.symbols().filter(|(_, symbol)| symbol.role == Role::Index).map(|(id, _)| id).collect();
    let (mut tried, mut accepted) = (0, 0);
    for root in 0..steps(&mut original.clone()).len() {
        for number in 0.. {
            let mut is_there = false;
            for choice in 0..32 {
                let mut mutant = original.clone();
                let mut changes = Changes { store: &mut program.store, variables: index.clone() };
                let step = steps(&mut mutant).swap_remove(root);
                is_there = with_step(step, &mut number.clone(), &mut |step| changes.step(step, choice));
                if !is_there || write_proof(&mut program, &mutant).as_ref() == Ok(&as_text) {
                    continue;
                }
                tried += 1;
                let what = format!("change {choice} of step {number} of proof {root}");
                accepted += usize::from(judge.accepts(&mut program, &mutant, &what));
            }
            if !is_there {
                break;
            }
        }
    }
    (tried, accepted)
}

/// Changes the claims, in lemmas and in the program itself, and leaves the proof.
fn change_claims(case: &Case, window: Window) -> (usize, usize) {
    let (mut tried, mut accepted) = (0, 0);
    for place in 0..10 {
        for choice in 0..24 {
            let (mut program, mut proof) = case.read();
            if !change_claim(&mut program, &mut proof, place, choice) {
                continue;
            }
            tried += 1;
            let what = format!("change {choice} of claim {place}");
            accepted += usize::from(Judge::new(case, window).accepts(&mut program, &proof, &what));
        }
    }
    (tried, accepted)
}

fn change_claim(program: &mut Program, proof: &mut Proof, place: usize, choice: usize) -> bool {
    let index =
        program.store.symbols().filter(|(_, symbol)| symbol.role == Role::Index).map(|(id, _)| id).collect();
    let mut changes = Changes { store: &mut program.store, variables: index };
    let rules = program.predicates.iter_mut().flat_map(|predicate| &mut predicate.rules);
    let rules: Vec<_> = rules.collect();
    let small = choice / 8;
    if choice % 8 < 4 {
        let lemmas = proof.lemmas.iter_mut().map(|lemma| &mut lemma.entailment);
        let Some(claim) = lemmas.chain(&mut program.obligations).nth(place) else { return false };
        match choice % 8 {
            0 => claim.left.constraint = changes.term(claim.left.constraint, small),
            1 => claim.right.constraint = changes.term(claim.right.constraint, small),
            2 => claim.left.atoms.iter_mut().for_each(|atom| changes.terms(&mut atom.args, small)),
            _ => claim.right.atoms.iter_mut().for_each(|atom| changes.terms(&mut atom.args, small)),
        }
        return true;
    }
    if choice % 8 == 7 {
        let Some(lemma) = proof.lemmas.get_mut(place) else { return false };
        lemma.measure = lemma.measure.filter(|_| small != 0).map(|measure| changes.term(measure, small - 1));
        return true;
    }
    let Some(rule) = rules.into_iter().nth(place) else { return false };
    match (choice % 8, rule.atoms.is_empty()) {
        (4, _) => rule.constraint = changes.term(rule.constraint, small),
        (5, _) => {
            // Without variables that rules do not have.
            changes.variables.clear();
            changes.terms(&mut rule.head, small);
        }
        (_, false) => drop(rule.atoms.pop()),
        _ => return false,
    }
    true
}

#[test]
fn changed_steps() {
    for (case, window) in [
        (EVEN, NUMBERS),
        (EVEN_OF_NOTHING, NUMBERS),
        (HALVES, NUMBERS),
        (POSITIVE, ARRAYS),
        (COUNTING, ARRAYS),
    ] {
        let (tried, accepted) = change_steps(&case, window);
        eprintln!("{}: {accepted} of {tried} mutants are accepted", case.name);
        assert!(tried > 50 && accepted < tried);
    }
}

#[test]
fn changed_claims() {
    for (case, window) in [
        (EVEN, NUMBERS),
        (EVEN_OF_NOTHING, NUMBERS),
        (HALVES, NUMBERS),
        (POSITIVE, ARRAYS),
        (COUNTING, ARRAYS),
        (EXCLUSION, ARRAYS),
    ] {
        let (tried, accepted) = change_claims(&case, window);
        eprintln!("{}: {accepted} of {tried} mutants are accepted", case.name);
        assert!(tried > 10 && accepted < tried);
    }
}
