//! Random programs over four numbers, and a prover that ignores the conditions of induction (RA-A7).
//!
//! The prover knows all rules of derivations except the condition of induction: it recalls any hypothesis for any atoms that
//! match. So it finds wrong proofs of many false claims. What the checker accepts must be true.

use std::collections::BTreeMap;
use std::time::Duration;

use tenet_chance::Random;
use tenet_proof::recursive::{check, write_proof};
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_system::recursive::{
    Atom, Clause, Entailment, Goal, Known, Lemma, Predicate, Program, Proof, Recall, Step,
};
use tenet_term::{Role, SortId, Substitution, SymbolId, TermId, TermStore};

use crate::brute::{Truth, Window};

/// All numbers in rules are from zero to this.
const LARGEST: i64 = 3;
/// Derivations of the least model are no higher than it has atoms.
const WINDOW: Window = Window { rules: (0, LARGEST), statements: (-1, 4), arrays: (1, 1), height: 24 };

/// The arities of the predicates. The first is defined by recursion on itself, the second by the first, the third by facts.
const ARITIES: [usize; 3] = [1, 1, 1];

fn random_program(random: &mut Random) -> Program {
    let mut program = Program::default();
    for (position, name) in ["p", "q", "t"].into_iter().enumerate() {
        let rules = random_rules(&mut program.store, random, position);
        let sorts = vec![SortId::INT; ARITIES[position]];
        program.predicates.push(Predicate {
            name: name.to_owned(),
            source: Default::default(),
            sorts,
            rules,
        });
    }
    program
}

fn random_rules(store: &mut TermStore, random: &mut Random, predicate: usize) -> Vec<Clause> {
    let mut rules = Vec::new();
    if predicate != 1 || random.percent(30) {
        rules.push(random_rule(store, random, predicate, 0));
    }
    if predicate != 2 {
        rules.push(random_rule(store, random, predicate, 1 + predicate));
    }
    if random.percent(20) {
        let atoms = random.below(3);
        rules.push(random_rule(store, random, predicate, atoms));
    }
    rules
}

/// A rule with this number of atoms; a fact if there are none.
fn random_rule(store: &mut TermStore, random: &mut Random, predicate: usize, atoms: usize) -> Clause {
    if atoms == 0 {
        let head = vec![store.mk_int(random.below(2) as i64)];
        let constraint = TermId::TRUE;
        return Clause {
            source: Default::default(),
            variables: Vec::new(),
            head,
            constraint,
            atoms: Vec::new(),
        };
    }
    let variable = store.declare("X", SortId::INT, Role::Bound);
    let term = store.mk_symbol(variable);
    let (least, most) = (store.mk_int(0), store.mk_int(LARGEST));
    let mut parts = vec![store.mk_le(least, term), store.mk_le(term, most)];
    if random.percent(10) {
        parts.push(random_constraint(store, random, &[term]));
    }
    let head = match (predicate, random.percent(80)) {
        (0, true) => {
            let one = store.mk_int(1);
            store.mk_add([term, one])
        }
        (1, true) => term,
        _ => random_term(store, random, &[term]),
    };
    let body = (0..atoms).map(|place| {
        let recursive = if predicate == 0 { 0 } else { 2 * place };
        let usual = random.percent(60);
        let atom = random_atom(store, random, &[term]);
        Atom { predicate: if usual { recursive.min(2) } else { atom.predicate }, ..atom }
    });
    let atoms = body.collect();
    Clause {
        source: Default::default(),
        variables: vec![variable],
        head: vec![head],
        constraint: store.mk_and(parts),
        atoms,
    }
}

fn random_term(store: &mut TermStore, random: &mut Random, terms: &[TermId]) -> TermId {
    if terms.is_empty() || random.percent(20) {
        return store.mk_int(random.below(3) as i64);
    }
    let term = random.pick(terms);
    if random.percent(60) {
        return term;
    }
    let difference = store.mk_int(random.pick(&[1, 1, 2, -1]));
    store.mk_add([term, difference])
}

fn random_atom(store: &mut TermStore, random: &mut Random, terms: &[TermId]) -> Atom {
    let predicate = random.below(ARITIES.len());
    let args = (0..ARITIES[predicate]).map(|_| random_term(store, random, terms)).collect();
    Atom { predicate, args }
}

fn random_constraint(store: &mut TermStore, random: &mut Random, terms: &[TermId]) -> TermId {
    let (left, right) = (random.pick(terms), random_term(store, random, terms));
    match random.below(3) {
        0 => store.mk_le(left, right),
        1 => store.mk_eq(left, right),
        _ => store.mk_ne(left, right),
    }
}

fn random_entailment(store: &mut TermStore, random: &mut Random) -> Entailment {
    let variables = ["A", "B"].map(|name| store.declare(name, SortId::INT, Role::Index)).to_vec();
    let existential = store.declare("A", SortId::INT, Role::Bound);
    let mut terms: Vec<TermId> = variables.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
    let mut atoms = vec![Atom { predicate: random.pick(&[0, 0, 0, 1]), args: vec![terms[0]] }];
    if random.percent(25) {
        atoms.push(random_atom(store, random, &terms));
    }
    let constraint = match random.percent(15) {
        true => random_constraint(store, random, &terms),
        false => TermId::TRUE,
    };
    let left = Goal { atoms, constraint };
    let exists = random.percent(25);
    if exists {
        terms.push(store.mk_symbol(existential));
    }
    let right = match random.below(6) {
        0 => Goal { atoms: Vec::new(), constraint: TermId::FALSE },
        1..=3 => {
            let predicate = random.pick(&[0, 1, 1, 2]);
            Goal { atoms: vec![Atom { predicate, args: vec![terms[0]] }], constraint: TermId::TRUE }
        }
        4 => Goal { atoms: Vec::new(), constraint: random_constraint(store, random, &terms) },
        _ => Goal { atoms: vec![random_atom(store, random, &terms)], constraint: TermId::TRUE },
    };
    Entailment {
        name: "random".to_owned(),
        source: Default::default(),
        variables,
        left,
        existentials: if exists { vec![existential] } else { Vec::new() },
        right,
    }
}

#[derive(Clone)]
struct State {
    scope: Vec<SymbolId>,
    left: Vec<Atom>,
    constraint: TermId,
    existentials: Vec<SymbolId>,
    right: Goal,
    known: Vec<(Known, Entailment)>,
    /// The number of unfolded obligations.
    unfolded: usize,
}

struct Prover<'a> {
    store: &'a mut TermStore,
    predicates: &'a [Predicate],
    random: &'a mut Random,
    solver: Z3Solver,
    answers: BTreeMap<TermId, bool>,
    /// The term that usually, but not always, decreases when the statement itself is recalled.
    measure: Option<TermId>,
    budget: usize,
}

impl Prover<'_> {
    fn is_implied(&mut self, constraint: TermId, implied: TermId) -> bool {
        let negated = self.store.mk_not(implied);
        let formula = self.store.mk_and([constraint, negated]);
        if let Some(&known) = self.answers.get(&formula) {
            return known;
        }
        self.solver.push();
        self.solver.assert(self.store, formula);
        let answer = self.solver.check(self.store, &[]);
        self.solver.pop();
        self.answers.insert(formula, answer == Answer::Unsat);
        answer == Answer::Unsat
    }

    fn equal(&mut self, left: &[TermId], right: &[TermId]) -> TermId {
        let equations: Vec<TermId> = left.iter().zip(right).map(|(&a, &b)| self.store.mk_eq(a, b)).collect();
        self.store.mk_and(equations)
    }

    fn fresh(&mut self, count: usize) -> Vec<SymbolId> {
        (0..count).map(|_| self.store.fresh("V", SortId::INT, Role::Index)).collect()
    }

    fn any_term(&mut self, state: &State) -> TermId {
        let scope: Vec<TermId> = state.scope.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        random_term(self.store, self.random, &scope)
    }

    /// A proof, if the random choices find one.
    fn prove(&mut self, state: State, depth: usize) -> Option<Step> {
        self.budget = self.budget.checked_sub(1)?;
        if self.is_implied(state.constraint, TermId::FALSE) {
            return Some(Step::Split(Vec::new()));
        }
        if state.existentials.is_empty() && self.closes(&state) {
            return Some(Step::Close);
        }
        let depth = depth.checked_sub(1)?;
        for _ in 0..3 {
            let found = match self.random.below(20) {
                0..=6 => self.unfold(&state, depth),
                7..=13 => self.recall(&state, depth),
                14..=18 if state.existentials.is_empty() => self.right(&state, depth),
                14..=18 => self.choose(&state, depth),
                _ => self.split(&state, depth),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn closes(&mut self, state: &State) -> bool {
        let mut parts = vec![state.right.constraint];
        for atom in &state.right.atoms {
            let same: Vec<Atom> =
                state.left.iter().filter(|known| known.predicate == atom.predicate).cloned().collect();
            let same: Vec<TermId> = same.iter().map(|known| self.equal(&known.args, &atom.args)).collect();
            parts.push(self.store.mk_or(same));
        }
        let closed = self.store.mk_and(parts);
        self.is_implied(state.constraint, closed)
    }

    fn choose(&mut self, state: &State, depth: usize) -> Option<Step> {
        let terms: Vec<(SymbolId, TermId)> =
            state.existentials.iter().map(|&symbol| (symbol, self.any_term(state))).collect();
        let chosen = Substitution::from_pairs(self.store, terms.clone());
        let right = state.right.substitute(self.store, &chosen);
        let next = self.prove(State { right, existentials: Vec::new(), ..state.clone() }, depth)?;
        Some(Step::Choose(terms, Box::new(next)))
    }

    fn split(&mut self, state: &State, depth: usize) -> Option<Step> {
        let (left, right) = (self.any_term(state), self.any_term(state));
        let formula = self.store.mk_eq(left, right);
        let mut cases = Vec::new();
        for formula in [formula, self.store.mk_not(formula)] {
            let constraint = self.store.mk_and([state.constraint, formula]);
            cases.push((formula, self.prove(State { constraint, ..state.clone() }, depth)?));
        }
        Some(Step::Split(cases))
    }

    fn unfold(&mut self, state: &State, depth: usize) -> Option<Step> {
        if state.left.is_empty() || state.unfolded == 3 {
            return None;
        }
        let position = self.random.below(state.left.len());
        let mut outer = state.clone();
        let hypothesis = Entailment {
            name: String::new(),
            source: Default::default(),
            variables: state.scope.clone(),
            left: Goal { atoms: state.left.clone(), constraint: state.constraint },
            existentials: state.existentials.clone(),
            right: state.right.clone(),
        };
        // With a measure no hypothesis may be recalled, so it is tried now and then only.
        if self.measure.is_none() || self.random.percent(20) {
            outer.known.push((Known::Hypothesis(state.unfolded), hypothesis));
        }
        outer.unfolded += 1;
        let mut cases = Vec::new();
        for rule in &self.predicates[state.left[position].predicate].rules {
            let fresh = self.fresh(rule.variables.len());
            let pairs: Vec<(SymbolId, TermId)> = rule
                .variables
                .iter()
                .zip(&fresh)
                .map(|(&old, &new)| (old, self.store.mk_symbol(new)))
                .collect();
            let renaming = Substitution::from_pairs(self.store, pairs);
            let mut inner = outer.clone();
            inner.scope.extend(&fresh);
            let head: Vec<TermId> =
                rule.head.iter().map(|&term| self.store.substitute(term, &renaming)).collect();
            let applies = self.equal(&state.left[position].args, &head);
            let body = self.store.substitute(rule.constraint, &renaming);
            inner.constraint = self.store.mk_and([state.constraint, applies, body]);
            let atoms: Vec<Atom> =
                rule.atoms.iter().map(|atom| atom.substitute(self.store, &renaming)).collect();
            inner.left.splice(position..=position, atoms);
            if self.is_implied(inner.constraint, TermId::FALSE) {
                cases.push((fresh, None));
            } else {
                cases.push((fresh, Some(self.prove(inner, depth)?)));
            }
        }
        Some(Step::Unfold { atom: position, cases })
    }

    fn right(&mut self, state: &State, depth: usize) -> Option<Step> {
        if state.right.atoms.is_empty() {
            return None;
        }
        let position = self.random.below(state.right.atoms.len());
        let atom = &state.right.atoms[position];
        let rules = &self.predicates[atom.predicate].rules;
        let number = self.random.below(rules.len());
        let rule = &rules[number];
        let mut terms = Vec::new();
        for &variable in &rule.variables {
            let place = rule.head.iter().position(|&head| self.store.as_symbol(head) == Some(variable));
            terms.push(place.map_or_else(|| self.any_term(state), |place| atom.args[place]));
        }
        let chosen =
            Substitution::from_pairs(self.store, rule.variables.iter().copied().zip(terms.iter().copied()));
        let head: Vec<TermId> = rule.head.iter().map(|&term| self.store.substitute(term, &chosen)).collect();
        let applies = self.equal(&atom.args, &head);
        let body = self.store.substitute(rule.constraint, &chosen);
        let mut right = state.right.clone();
        right.constraint = self.store.mk_and([right.constraint, applies, body]);
        let atoms: Vec<Atom> = rule.atoms.iter().map(|atom| atom.substitute(self.store, &chosen)).collect();
        right.atoms.splice(position..=position, atoms);
        if !self.is_implied(state.constraint, right.constraint) {
            return None;
        }
        let next = Box::new(self.prove(State { right, ..state.clone() }, depth)?);
        Some(Step::Right { atom: position, rule: number, terms, next })
    }

    /// Recalls any hypothesis, for any atoms that match.
    fn recall(&mut self, state: &State, depth: usize) -> Option<Step> {
        if state.known.is_empty() {
            return None;
        }
        let (known, statement) = state.known[self.random.below(state.known.len())].clone();
        let mut atoms: Vec<usize> = Vec::new();
        let mut pairs: Vec<(SymbolId, TermId)> = Vec::new();
        for wanted in &statement.left.atoms {
            let fitting: Vec<usize> = (0..state.left.len())
                .filter(|place| state.left[*place].predicate == wanted.predicate && !atoms.contains(place))
                .collect();
            if fitting.is_empty() {
                return None;
            }
            let place = self.random.pick(&fitting);
            atoms.push(place);
            for (&argument, &found) in wanted.args.iter().zip(&state.left[place].args) {
                if let Some(symbol) = self.store.as_symbol(argument)
                    && !pairs.iter().any(|(bound, _)| *bound == symbol)
                {
                    pairs.push((symbol, found));
                }
            }
        }
        for &symbol in &statement.variables {
            if !pairs.iter().any(|(bound, _)| *bound == symbol) {
                let own = self.store.mk_symbol(symbol);
                let term = if self.random.percent(50) { own } else { self.any_term(state) };
                pairs.push((symbol, term));
            }
        }
        let mut bindings = Substitution::from_pairs(self.store, pairs.clone());
        let left = statement.left.substitute(self.store, &bindings);
        let mut needed = vec![left.constraint];
        for (wanted, &place) in left.atoms.iter().zip(&atoms) {
            needed.push(self.equal(&wanted.args, &state.left[place].args));
        }
        if let (Known::Itself, Some(measure)) = (known, self.measure)
            && self.random.percent(90)
        {
            let (zero, now) = (self.store.mk_int(0), self.store.substitute(measure, &bindings));
            needed.extend([self.store.mk_le(zero, now), self.store.mk_lt(now, measure)]);
        }
        let needed = self.store.mk_and(needed);
        if !self.is_implied(state.constraint, needed) {
            return None;
        }
        let fresh = self.fresh(statement.existentials.len());
        for (&existential, &symbol) in statement.existentials.iter().zip(&fresh) {
            let term = self.store.mk_symbol(symbol);
            bindings.insert(self.store, existential, term);
        }
        let right = statement.right.substitute(self.store, &bindings);
        let mut inner = state.clone();
        inner.scope.extend(&fresh);
        inner.left.extend(right.atoms);
        inner.constraint = self.store.mk_and([state.constraint, right.constraint]);
        let next = Box::new(self.prove(inner, depth)?);
        Some(Step::Recall(Recall { known, bindings: pairs, atoms, fresh }, next))
    }
}

/// The results of the attempts.
#[derive(Debug, Default)]
struct Tally {
    accepted: usize,
    inductive: usize,
    refused: usize,
    refused_and_false: usize,
}

/// Does a proof recall a hypothesis, or itself?
fn is_inductive(step: &Step) -> bool {
    match step {
        Step::Close => false,
        Step::Recall(..) => true,
        Step::Each(steps) => steps.iter().any(is_inductive),
        Step::Choose(_, next) | Step::Restate(_, next) | Step::Right { next, .. } => is_inductive(next),
        Step::Unfold { cases, .. } => cases.iter().filter_map(|(_, step)| step.as_ref()).any(is_inductive),
        Step::Split(cases) => cases.iter().any(|(_, step)| is_inductive(step)),
    }
}

fn attempt(program: &mut Program, random: &mut Random, is_measured: bool) -> Option<Lemma> {
    let mut entailment = random_entailment(&mut program.store, random);
    let mut store = std::mem::take(&mut program.store);
    let measure = is_measured.then(|| store.mk_symbol(entailment.variables[0]));
    let mut known = Vec::new();
    if let Some(measure) = measure {
        let zero = store.mk_int(0);
        let is_natural = store.mk_le(zero, measure);
        entailment.left.constraint = store.mk_and([entailment.left.constraint, is_natural]);
        known.push((Known::Itself, entailment.clone()));
    }
    let state = State {
        scope: entailment.variables.clone(),
        left: entailment.left.atoms.clone(),
        constraint: entailment.left.constraint,
        existentials: entailment.existentials.clone(),
        right: entailment.right.clone(),
        known,
        unfolded: 0,
    };
    let predicates = &program.predicates;
    let mut prover = Prover {
        store: &mut store,
        predicates,
        random,
        solver: Z3Solver::ground(),
        answers: BTreeMap::new(),
        measure,
        budget: 0,
    };
    let found = (0..12).find_map(|_| {
        prover.budget = 40;
        prover.prove(state.clone(), 8)
    });
    program.store = store;
    found.map(|proof| Lemma { entailment, measure, proof })
}

fn search(seeds: std::ops::Range<u64>, is_measured: bool) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let mut random = Random::new(seed);
        let mut program = random_program(&mut random);
        for _ in 0..4 {
            let Some(lemma) = attempt(&mut program, &mut random, is_measured) else { continue };
            let is_inductive = is_inductive(&lemma.proof);
            let proof = Proof { lemmas: vec![lemma], ..Proof::default() };
            let limits = Limits { timeout: Some(Duration::from_secs(5)), ..Limits::default() };
            let verdict = check(&mut program, &proof, limits);
            let refuted = Truth::of(&program, WINDOW).refutes(&proof).is_some();
            match verdict {
                Ok(()) if refuted => {
                    let text = write_proof(&mut program, &proof).expect("it can be written");
                    panic!("seed {seed}: accepted, but false\n{:#?}\n{text}", program.predicates);
                }
                Ok(()) => {
                    tally.accepted += 1;
                    tally.inductive += usize::from(is_inductive);
                }
                Err(_) => {
                    tally.refused += 1;
                    tally.refused_and_false += usize::from(refuted);
                }
            }
        }
    }
    tally
}

#[test]
fn what_is_accepted_is_true() {
    let tally = search(1..160, false);
    eprintln!("hypotheses: {tally:?}");
    assert!(tally.inductive > 1 && tally.refused_and_false > 1, "{tally:?}");
}

#[test]
fn what_is_accepted_by_a_measure_is_true() {
    let tally = search(1..160, true);
    eprintln!("measures: {tally:?}");
    assert!(tally.inductive > 1 && tally.refused_and_false > 1, "{tally:?}");
}
