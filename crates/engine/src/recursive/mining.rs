//! Lemma mining: lemmas about single predicates that most proofs need, guessed from the shape of their rules and
//! proved like anything else.
//!
//! * *bounds*: how its numbers compare with each other and with constants;
//! * *places*: what a definition that goes through the places of an array says of each of them, `p(A,N) |= 1 <= J <= N -> …`;
//! * *frames*: places that it does not look at may change, `p(A,N), I > N |= p(<A,I,E>,N)`.
//!
//! A wrong guess is not proved, and costs only the attempt.

use num_rational::BigRational;
use num_traits::{One, Signed};
use tenet_system::finite::program::Source;
use tenet_system::recursive::{Atom, Entailment, Goal};
use tenet_term::{Op, Role, Sort, SymbolId, TermId, TermStore};

use crate::common::linear::Linear;

use super::prover::Prover;
use super::shape::{Body, arguments, counters, is_recursive, steady};

/// How far the places that a formula looks at are from the counter: those of the first array that it reads.
fn offset(store: &mut TermStore, formula: TermId, count: TermId) -> TermId {
    let mut offsets = Vec::new();
    for term in store.subterms(formula) {
        if let (Op::Apply, [_, place]) = (store.op(term), store.args(term)) {
            let difference = Linear::of(store, *place).plus(&Linear::of(store, count), &-BigRational::one());
            if difference.is_constant() {
                offsets.push(difference.constant);
            }
        }
    }
    let nearest = offsets.into_iter().min_by_key(|offset| offset.abs());
    store.mk_int(nearest.map_or_else(Default::default, |offset| offset.to_integer()))
}

impl Prover<'_> {
    /// Proves what can be said of all predicates.
    pub(super) fn mine(&mut self) {
        for predicate in self.callees_first() {
            if self.stop().is_some() {
                return;
            }
            self.report_progress("looking for lemmas");
            if is_recursive(self.program, predicate) {
                self.mine_bounds(predicate);
                self.mine_places(predicate);
                self.mine_frames(predicate);
            } else {
                self.mine_cases(predicate);
            }
        }
        self.mine_inclusions();
    }

    /// What one definition says, another one may say as well: `p(X,…) |= q(X,…)`, where the arguments have the same sorts.
    fn mine_inclusions(&mut self) {
        let count = self.program.predicates.len();
        for (one, other) in (0..count).flat_map(|one| (0..count).map(move |other| (one, other))) {
            let sorts = |predicate: usize| &self.program.predicates[predicate].sorts;
            let is_alike = one != other && sorts(one) == sorts(other) && sorts(one).len() > 1;
            if !is_alike || !is_recursive(self.program, one) || self.stop().is_some() {
                continue;
            }
            let args = arguments(self.program, one);
            let mut lemma = self.about(one, args, TermId::TRUE);
            let args = lemma.left.atoms[0].args.clone();
            lemma.right.atoms = vec![Atom { predicate: other, args }];
            lemma.name =
                format!("{} is {}", self.program.predicates[one].name, self.program.predicates[other].name);
            self.prove_lemma(lemma, 1);
        }
    }

    /// The predicates, those that others use first.
    fn callees_first(&self) -> Vec<usize> {
        let predicates = &self.program.predicates;
        let mut order: Vec<usize> = Vec::new();
        while order.len() < predicates.len() {
            let is_ready = |&index: &usize| {
                let used = predicates[index].rules.iter().flat_map(|rule| &rule.atoms);
                used.into_iter().all(|atom| atom.predicate == index || order.contains(&atom.predicate))
            };
            let mut rest = (0..predicates.len()).filter(|index| !order.contains(index));
            // Of predicates that use each other, any comes first.
            let next = rest.clone().find(is_ready).or_else(|| rest.next());
            order.extend(next);
        }
        order
    }

    /// A predicate without recursion: one of its rules is true.
    fn mine_cases(&mut self, predicate: usize) {
        let args = arguments(self.program, predicate);
        let mut cases = Vec::new();
        for rule in 0..self.program.predicates[predicate].rules.len() {
            let body = Body::at(self.program, predicate, rule, &args);
            let store = &mut self.program.store;
            let parts = body.about(store, &args);
            cases.push(store.mk_and(parts));
        }
        let claim = self.program.store.mk_or(cases);
        if claim != TermId::TRUE {
            let lemma = self.about(predicate, args, claim);
            self.prove_lemma(lemma, 1);
        }
    }

    /// How numbers compare: the candidates that are inductive together (Houdini).
    fn mine_bounds(&mut self, predicate: usize) {
        let args = arguments(self.program, predicate);
        let mut claims = self.comparisons(&args);
        for rule in 0..self.program.predicates[predicate].rules.len() {
            loop {
                let before = claims.len();
                claims = self.kept_by(predicate, rule, &args, claims);
                if claims.len() == before {
                    break;
                }
            }
        }
        // A later rule may have removed a claim that an earlier rule relied on.
        loop {
            let before = claims.len();
            for rule in 0..self.program.predicates[predicate].rules.len() {
                claims = self.kept_by(predicate, rule, &args, claims);
            }
            if claims.len() == before {
                break;
            }
        }
        let claims = self.without_weaker(claims);
        if !claims.is_empty() {
            let claim = self.program.store.mk_and(claims);
            let lemma = self.about(predicate, args, claim);
            self.prove_lemma(lemma, 1);
        }
    }

    fn comparisons(&mut self, args: &[SymbolId]) -> Vec<TermId> {
        let store = &mut self.program.store;
        let numbers: Vec<SymbolId> = args
            .iter()
            .copied()
            .filter(|&symbol| store.sort(store.symbol(symbol).sort).is_integer())
            .collect();
        let numbers: Vec<TermId> = numbers.into_iter().map(|symbol| store.mk_symbol(symbol)).collect();
        let constants = [store.mk_int(0), store.mk_int(1)];
        let mut claims = Vec::new();
        for (index, &one) in numbers.iter().enumerate() {
            for &constant in &constants {
                claims.extend([
                    store.mk_eq(one, constant),
                    store.mk_ge(one, constant),
                    store.mk_le(one, constant),
                ]);
            }
            for &other in &numbers[index + 1..] {
                claims.extend([store.mk_eq(one, other), store.mk_le(one, other), store.mk_ge(one, other)]);
            }
        }
        claims
    }

    /// Those of the claims that a rule gives if they hold of the predicate in its body.
    fn kept_by(
        &mut self,
        predicate: usize,
        rule: usize,
        args: &[SymbolId],
        claims: Vec<TermId>,
    ) -> Vec<TermId> {
        let body = Body::at(self.program, predicate, rule, args);
        let mut known = body.constraint.clone();
        for atom in body.atoms.iter().filter(|atom| atom.predicate == predicate) {
            let pairs: Vec<_> = args.iter().copied().zip(atom.args.iter().copied()).collect();
            let store = &mut self.program.store;
            let here = tenet_term::Substitution::from_pairs(store, pairs);
            known.extend(claims.iter().map(|&claim| store.substitute(claim, &here)).collect::<Vec<_>>());
        }
        known.extend(self.known_of(&body.atoms));
        let mut kept = Vec::new();
        for claim in claims {
            let denied = self.program.store.mk_not(claim);
            let all: Vec<TermId> = known.iter().copied().chain([denied]).collect();
            if self.solver.refutes(&self.program.store, &all) {
                kept.push(claim);
            }
        }
        kept
    }

    /// What lemmas about single atoms without further variables say of these.
    fn known_of(&mut self, atoms: &[Atom]) -> Vec<TermId> {
        let mut result = Vec::new();
        for position in 0..self.lemmas.len() {
            let entailment = self.lemmas[position].entailment.clone();
            let [about] = &entailment.left.atoms[..] else { continue };
            let is_plain = entailment.right.atoms.is_empty()
                && entailment.existentials.is_empty()
                && entailment.left.constraint == TermId::TRUE
                && entailment.variables.len() == about.args.len();
            for atom in atoms.iter().filter(|atom| is_plain && atom.predicate == about.predicate) {
                let store = &mut self.program.store;
                let symbols: Vec<Option<SymbolId>> =
                    about.args.iter().map(|&arg| store.as_symbol(arg)).collect();
                let pairs =
                    symbols.into_iter().zip(&atom.args).filter_map(|(symbol, &arg)| Some((symbol?, arg)));
                let here = tenet_term::Substitution::from_pairs(store, pairs.collect::<Vec<_>>());
                result.push(store.substitute(entailment.right.constraint, &here));
            }
        }
        result
    }

    /// Claims that the others do not imply.
    fn without_weaker(&mut self, claims: Vec<TermId>) -> Vec<TermId> {
        let mut kept = claims;
        let mut position = kept.len();
        while position > 0 {
            position -= 1;
            let denied = self.program.store.mk_not(kept[position]);
            let mut others: Vec<TermId> = kept.clone();
            others[position] = denied;
            if self.solver.refutes(&self.program.store, &others) {
                kept.remove(position);
            }
        }
        kept
    }

    /// What is said of each place up to the counter.
    fn mine_places(&mut self, predicate: usize) {
        for counter in counters(self.program, predicate) {
            let args = arguments(self.program, predicate);
            let count = args[counter.position];
            let mut steady = steady(self.program, predicate, &args);
            steady.push(count);
            let mut cases = Vec::new();
            for rule in 0..self.program.predicates[predicate].rules.len() {
                let body = Body::at(self.program, predicate, rule, &args);
                if body.atoms.iter().any(|atom| atom.predicate == predicate) {
                    let mut parts = body.about(&self.program.store, &steady);
                    let known = self.known_of(&body.atoms);
                    let store = &self.program.store;
                    let is_about = |part: &TermId| {
                        store.free_symbols(*part).iter().all(|symbol| steady.contains(symbol))
                    };
                    parts.extend(known.into_iter().filter(is_about));
                    // What a rule says of the counter alone is where it applies, not what it says.
                    let is_guard =
                        |part: &TermId| store.free_symbols(*part).iter().all(|symbol| *symbol == count);
                    parts.retain(|part| !is_guard(part));
                    cases.push(self.program.store.mk_and(parts));
                }
            }
            let store = &mut self.program.store;
            let said = store.mk_or(cases);
            let place = store.fresh("J", store.symbol(count).sort, Role::Index);
            let (name, up_to) = (store.mk_symbol(place), store.mk_symbol(count));
            // The places themselves get the name: `A[J]`, even if the rule speaks of `A[N - 1]`.
            let offset = offset(store, said, up_to);
            let at = store.mk_sub(name, offset);
            let here = tenet_term::Substitution::from_pairs(store, [(count, at)]);
            let said = store.substitute(said, &here);
            if said == TermId::TRUE {
                continue;
            }
            for base in counter.bases.iter().take(2) {
                let store = &mut self.program.store;
                let base = store.mk_int(base.clone());
                // The end of the recursion may say the same as its steps, or nothing.
                let (from, above) = (store.mk_le(base, at), store.mk_lt(base, at));
                let below = store.mk_le(at, up_to);
                let found = [from, above].into_iter().any(|beginning| {
                    let store = &mut self.program.store;
                    let range = store.mk_and([beginning, below]);
                    let claim = store.mk_implies(range, said);
                    let mut lemma = self.about(predicate, args.clone(), claim);
                    lemma.variables.push(place);
                    self.prove_lemma(lemma, 1).is_some()
                });
                if found {
                    break;
                }
            }
        }
    }

    /// Places beyond the counter may change.
    fn mine_frames(&mut self, predicate: usize) {
        for counter in counters(self.program, predicate) {
            let sorts = self.program.predicates[predicate].sorts.clone();
            for (position, &sort) in sorts.iter().enumerate() {
                let Sort::Function { args, result } = self.program.store.sort(sort).clone() else { continue };
                let [domain] = args[..] else { continue };
                if !self.program.store.sort(domain).is_integer() {
                    continue;
                }
                let args = arguments(self.program, predicate);
                let store = &mut self.program.store;
                let (place, entry) =
                    (store.fresh("I", domain, Role::Index), store.fresh("E", result, Role::Index));
                let (at, value) = (store.mk_symbol(place), store.mk_symbol(entry));
                let count = store.mk_symbol(args[counter.position]);
                let terms: Vec<TermId> = args.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
                let mut changed = terms.clone();
                changed[position] = store.mk_store(terms[position], &[at], value);
                let beyond = store.mk_lt(count, at);
                let left = Goal { atoms: vec![Atom { predicate, args: terms }], constraint: beyond };
                let right = Goal { atoms: vec![Atom { predicate, args: changed }], constraint: TermId::TRUE };
                let variables = args.into_iter().chain([place, entry]).collect();
                let source = self.program.predicates[predicate].source;
                let name = format!("frame of {}", self.program.predicates[predicate].name);
                let lemma = Entailment { name, source, variables, left, existentials: Vec::new(), right };
                self.prove_lemma(lemma, 1);
            }
        }
    }

    /// `p(args) |= claim`.
    fn about(&mut self, predicate: usize, args: Vec<SymbolId>, claim: TermId) -> Entailment {
        let store = &mut self.program.store;
        let terms = args.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let known = &self.program.predicates[predicate];
        let source: Source = known.source;
        Entailment {
            name: format!("about {}", known.name),
            source,
            variables: args,
            left: Goal { atoms: vec![Atom { predicate, args: terms }], constraint: TermId::TRUE },
            existentials: Vec::new(),
            right: Goal { atoms: Vec::new(), constraint: claim },
        }
    }
}
