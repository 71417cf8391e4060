//! Proving the right-hand side from what is known: which known atom, rule, hypothesis or lemma gives each of its
//! atoms.
//!
//! This is a backward search from the atoms of the right. What has to be chosen on the way (existential variables,
//! variables of rules and of recalled lemmas) are *unknowns*, found by solving equations. An attempt need not succeed
//! in all cases: it ends with a *condition*, and several attempts whose conditions cover all cases are a proof by
//! cases. So nothing has to be split beforehand (Jaffar and Santosa, section 4.2: unfolding on the right commits to
//! one disjunct).

use std::rc::Rc;
use tenet_system::recursive::{Atom, Known, Program, Recall, Step};
use tenet_term::{Op, Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

use super::equations::{guess, is_about_arrays, is_unknown, solve, unknowns};
use super::sequent::{Hypothesis, Sequent, fresh_like, renaming};
use super::solver::ConstraintSolver;

#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// How often an atom of the right is unfolded, one after the other.
    pub unfoldings: usize,
    pub attempts: usize,
    /// Partial attempts that are expanded.
    pub nodes: usize,
    /// How often something with atoms is recalled.
    pub recalls: usize,
}

/// A way to show the right-hand side.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempt {
    atoms: Vec<Open>,
    wanted: Vec<Wanted>,
    /// The constraints of what is recalled.
    demands: Vec<TermId>,
    /// The consequences of what is recalled.
    gains: Vec<TermId>,
    /// What else has to hold.
    rest: Vec<TermId>,
    found: Vec<(SymbolId, TermId)>,
    existentials: Vec<(SymbolId, SymbolId)>,
    rights: Vec<Right>,
    uses: Vec<Use>,
}

#[derive(Clone, Debug)]
struct Open {
    atom: Atom,
    depth: usize,
    is_shown: bool,
}

/// An atom that something recalled has on its left.
#[derive(Clone, Debug)]
struct Wanted {
    of: usize,
    position: usize,
    atom: Atom,
}

#[derive(Clone, Debug)]
struct Right {
    atom: usize,
    rule: usize,
    unknowns: Vec<SymbolId>,
}

#[derive(Clone, Debug)]
struct Use {
    known: Known,
    what: Rc<Hypothesis>,
    unknowns: Vec<SymbolId>,
    atoms: Vec<Option<Place>>,
    gained: Vec<Atom>,
    fresh: Vec<SymbolId>,
}

/// Where a known atom is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Left(usize),
    /// What a use gives: which, and which of its atoms.
    Gained(usize, usize),
}

/// Something that can be recalled.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub known: Known,
    pub what: Rc<Hypothesis>,
    /// The measure of the lemma that is being proved.
    pub measure: Option<TermId>,
}

pub(super) struct Attempts<'a> {
    pub program: &'a mut Program,
    pub solver: &'a mut ConstraintSolver,
    pub sequent: &'a Sequent,
    pub sources: &'a [Source],
    pub limits: Limits,
    /// Only find terms for the existential variables, and leave the atoms of the right open.
    pub only_choose: bool,
    pub found: Vec<Attempt>,
    pub nodes: usize,
}

impl Attempts<'_> {
    pub(super) fn run(mut self) -> Vec<Attempt> {
        let sequent = self.sequent;
        let store = &mut self.program.store;
        let unknowns = fresh_like(store, &sequent.existentials, Role::Skolem);
        let opened = renaming(store, &sequent.existentials, &unknowns);
        let right = sequent.right.substitute(store, &opened);
        let open = |atom: Atom| Open { atom, depth: 0, is_shown: self.only_choose };
        let attempt = Attempt {
            atoms: right.atoms.into_iter().map(open).collect(),
            rest: store.conjuncts(right.constraint),
            existentials: sequent.existentials.iter().copied().zip(unknowns).collect(),
            ..Attempt::default()
        };
        self.extend(attempt.clone());
        if sequent.right.atoms.is_empty() && !self.only_choose {
            self.recall_something(&attempt);
        }
        self.found
    }

    /// Where the right has no atoms, what is recalled is not there for the sake of one.
    fn recall_something(&mut self, attempt: &Attempt) {
        for source in self.sources {
            if !source.what.has_atoms() && !matches!(source.known, Known::Lemma(_)) {
                let (next, _) = self.with_use(attempt, source);
                self.extend(next);
            }
        }
    }

    fn extend(&mut self, mut attempt: Attempt) {
        if self.nodes >= self.limits.nodes || self.found.len() >= self.limits.attempts {
            return;
        }
        self.nodes += 1;
        if !attempt.solve(&mut self.program.store) || self.is_contradictory(&attempt) {
            return;
        }
        if let Some(wanted) = attempt.wanted.pop() {
            return self.supply(&attempt, &wanted);
        }
        match attempt.atoms.iter().position(|open| !open.is_shown) {
            Some(position) => self.show(&attempt, position),
            None => self.complete(attempt, 0),
        }
    }

    /// Does the condition contradict what is known?
    fn is_contradictory(&mut self, attempt: &Attempt) -> bool {
        let mut all = self.sequent.constraint.clone();
        all.extend(&attempt.demands);
        all.extend(&attempt.rest);
        // Equations of arrays are quantified formulas, and slow; what they say of numbers is rarely what is wrong.
        let store = &self.program.store;
        all.retain(|&part| !is_about_arrays(store, part));
        self.solver.refutes_quickly(&self.program.store, &all)
    }

    /// Finds an atom for the left-hand side of something recalled.
    fn supply(&mut self, attempt: &Attempt, wanted: &Wanted) {
        for (position, fact) in self.sequent.left.iter().enumerate() {
            let place = Place::Left(position);
            let is_taken = attempt.uses[wanted.of].atoms.contains(&Some(place));
            let descends = match attempt.uses[wanted.of].known {
                Known::Hypothesis(level) => fact
                    .lineage
                    .get(level)
                    .copied()
                    .flatten()
                    .is_some_and(|known| known.position == wanted.position),
                Known::Lemma(_) | Known::Itself => true,
            };
            if fact.atom.predicate == wanted.atom.predicate && descends && !is_taken {
                let mut next = attempt.clone();
                next.uses[wanted.of].atoms[wanted.position] = Some(place);
                let equations = equations(&mut self.program.store, &fact.atom.args, &wanted.atom.args);
                next.demands.extend(equations);
                self.extend(next);
            }
        }
        if matches!(attempt.uses[wanted.of].known, Known::Hypothesis(_)) {
            return;
        }
        for (next, place, atom) in self.recalled(attempt, wanted.atom.predicate) {
            let mut next = next;
            next.uses[wanted.of].atoms[wanted.position] = Some(place);
            let equations = equations(&mut self.program.store, &atom.args, &wanted.atom.args);
            next.demands.extend(equations);
            self.extend(next);
        }
    }

    fn show(&mut self, attempt: &Attempt, position: usize) {
        let open = attempt.atoms[position].clone();
        let gained = attempt.uses.iter().flat_map(|used| &used.gained);
        let known: Vec<Atom> =
            self.sequent.left.iter().map(|fact| &fact.atom).chain(gained).cloned().collect();
        for atom in known.iter().filter(|atom| atom.predicate == open.atom.predicate) {
            let mut next = attempt.clone();
            next.atoms[position].is_shown = true;
            let equations = equations(&mut self.program.store, &atom.args, &open.atom.args);
            next.rest.extend(equations);
            self.extend(next);
        }
        for (mut next, _, atom) in self.recalled(attempt, open.atom.predicate) {
            next.atoms[position].is_shown = true;
            let equations = equations(&mut self.program.store, &atom.args, &open.atom.args);
            next.rest.extend(equations);
            self.extend(next);
        }
        if open.depth < self.limits.unfoldings {
            for rule in 0..self.program.predicates[open.atom.predicate].rules.len() {
                let next = self.unfolded(attempt, position, rule);
                self.extend(next);
            }
        }
    }

    /// Attempts that recall something with an atom of this predicate: the attempt, where the atom is, and the atom.
    fn recalled(&mut self, attempt: &Attempt, predicate: usize) -> Vec<(Attempt, Place, Atom)> {
        let mut result = Vec::new();
        if attempt.uses.len() >= self.limits.recalls {
            return result;
        }
        for source in self.sources {
            for (index, atom) in source.what.right.atoms.iter().enumerate() {
                if atom.predicate == predicate {
                    let (next, number) = self.with_use(attempt, source);
                    let atom = next.uses[number].gained[index].clone();
                    result.push((next, Place::Gained(number, index), atom));
                }
            }
        }
        result
    }

    /// The attempt with something recalled, whose atoms are still to be found.
    fn with_use(&mut self, attempt: &Attempt, source: &Source) -> (Attempt, usize) {
        let store = &mut self.program.store;
        let what = &source.what;
        let mut next = attempt.clone();
        let number = next.uses.len();
        let unknowns = fresh_like(store, &what.variables, Role::Skolem);
        let fresh = fresh_like(store, &what.existentials, Role::Index);
        let mut substitution = renaming(store, &what.variables, &unknowns);
        if let Some(measure) = source.measure {
            let smaller = store.substitute(measure, &substitution);
            let zero = store.mk_int(0);
            next.demands.push(store.mk_ge(smaller, zero));
            next.demands.push(store.mk_lt(smaller, measure));
        }
        for (&symbol, &name) in what.existentials.iter().zip(&fresh) {
            let name = store.mk_symbol(name);
            substitution.insert(store, symbol, name);
        }
        let left = what.left.substitute(store, &substitution);
        let right = what.right.substitute(store, &substitution);
        next.demands.extend(store.conjuncts(left.constraint));
        next.gains.extend(store.conjuncts(right.constraint));
        let wanted = left.atoms.into_iter().enumerate();
        next.wanted.extend(wanted.map(|(position, atom)| Wanted { of: number, position, atom }));
        next.uses.push(Use {
            known: source.known,
            what: what.clone(),
            unknowns,
            atoms: vec![None; what.left.atoms.len()],
            gained: right.atoms,
            fresh,
        });
        (next, number)
    }

    /// The attempt with an atom of the right replaced by the body of a rule.
    fn unfolded(&mut self, attempt: &Attempt, position: usize, rule: usize) -> Attempt {
        let mut next = attempt.clone();
        let open = next.atoms.remove(position);
        let Program { store, predicates, .. } = &mut *self.program;
        let clause = &predicates[open.atom.predicate].rules[rule];
        let unknowns = fresh_like(store, &clause.variables, Role::Skolem);
        let opened = renaming(store, &clause.variables, &unknowns);
        for (offset, atom) in clause.atoms.iter().enumerate() {
            let atom = atom.substitute(store, &opened);
            next.atoms.insert(position + offset, Open { atom, depth: open.depth + 1, is_shown: false });
        }
        let head: Vec<TermId> = clause.head.iter().map(|&term| store.substitute(term, &opened)).collect();
        next.rest.extend(equations(store, &open.atom.args, &head));
        let body = store.substitute(clause.constraint, &opened);
        next.rest.extend(store.conjuncts(body));
        next.rights.push(Right { atom: position, rule, unknowns });
        next
    }

    /// Finds values for the unknowns that are left.
    fn complete(&mut self, mut attempt: Attempt, guesses: usize) {
        if self.found.len() >= self.limits.attempts || guesses > 12 {
            return;
        }
        let store = &mut self.program.store;
        if !attempt.solve(store) {
            return;
        }
        let all: Vec<TermId> = attempt.demands.iter().chain(&attempt.rest).copied().collect();
        if let Some((symbol, value)) = all.into_iter().find_map(|equation| guess(store, equation)) {
            attempt.bind(store, symbol, value);
            return self.complete(attempt, guesses + 1);
        }
        let Some(symbol) = attempt.unknown(store) else {
            let is_descending = attempt.uses.iter().all(|used| is_descending(self.sequent, used));
            let is_new = !self.found.iter().any(|known| known.parts() == attempt.parts());
            if is_new && is_descending && !self.is_contradictory(&attempt) {
                self.found.push(attempt);
            }
            return;
        };
        for value in self.values_for(&attempt, symbol) {
            let mut next = attempt.clone();
            next.bind(&mut self.program.store, symbol, value);
            self.complete(next, guesses + 1);
        }
    }

    /// What an unknown could be: of something recalled the same as here, or what there is of its sort.
    fn values_for(&mut self, attempt: &Attempt, symbol: SymbolId) -> Vec<TermId> {
        let mut values = Vec::new();
        for used in &attempt.uses {
            let same = used.unknowns.iter().zip(&used.what.variables);
            for (_, &variable) in same.filter(|(unknown, _)| **unknown == symbol) {
                let here = self.program.store.mk_symbol(variable);
                if matches!(used.known, Known::Hypothesis(_) | Known::Itself) && self.is_here(variable) {
                    values.push(here);
                }
            }
        }
        let sort = self.program.store.symbol(symbol).sort;
        // What something recalled says to exist is likely what is looked for.
        for &name in attempt.uses.iter().flat_map(|used| &used.fresh) {
            let is_later = attempt.uses.iter().any(|used| used.unknowns.contains(&symbol));
            if self.program.store.symbol(name).sort == sort && !is_later {
                values.push(self.program.store.mk_symbol(name));
            }
        }
        for part in attempt.demands.iter().chain(&attempt.rest) {
            values.extend(nearest(&mut self.program.store, *part, symbol));
        }
        // What a lemma leaves open hardly matters; what is chosen on the right does.
        let is_recalled = attempt.uses.iter().any(|used| used.unknowns.contains(&symbol));
        let most = if is_recalled { 2 } else { usize::MAX };
        for value in pool(&mut self.program.store, self.sequent, sort).into_iter().take(most) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.is_empty() && self.program.store.sort(sort).is_integer() {
            values.push(self.program.store.mk_int(0));
        }
        values
    }

    fn is_here(&mut self, variable: SymbolId) -> bool {
        self.sequent.variables(&mut self.program.store).contains(&variable)
    }
}

impl Attempt {
    /// Uses equations that determine an unknown. Is everything still possible?
    fn solve(&mut self, store: &mut TermStore) -> bool {
        loop {
            let all = || self.demands.iter().chain(&self.rest);
            if all().any(|&part| part == TermId::FALSE) {
                return false;
            }
            let solution = all()
                .copied()
                .collect::<Vec<_>>()
                .into_iter()
                .find_map(|part| solve(store, part, is_unknown));
            match solution {
                Some((symbol, value)) => self.bind(store, symbol, value),
                None => return true,
            }
        }
    }

    fn bind(&mut self, store: &mut TermStore, symbol: SymbolId, value: TermId) {
        let substitution = Substitution::from_pairs(store, [(symbol, value)]);
        for list in [&mut self.demands, &mut self.gains, &mut self.rest] {
            let mut parts = Vec::new();
            for part in list.drain(..) {
                let part = store.substitute(part, &substitution);
                parts.extend(store.conjuncts(part));
            }
            parts.retain(|&part| part != TermId::TRUE);
            parts.sort_unstable();
            parts.dedup();
            *list = parts;
        }
        for open in &mut self.atoms {
            open.atom = open.atom.substitute(store, &substitution);
        }
        for wanted in &mut self.wanted {
            wanted.atom = wanted.atom.substitute(store, &substitution);
        }
        for used in &mut self.uses {
            for atom in &mut used.gained {
                *atom = atom.substitute(store, &substitution);
            }
        }
        for (_, known) in &mut self.found {
            *known = store.substitute(*known, &substitution);
        }
        self.found.push((symbol, value));
    }

    /// An unknown that has no value yet.
    fn unknown(&self, store: &TermStore) -> Option<SymbolId> {
        let terms = self.demands.iter().chain(&self.rest).chain(&self.gains).copied();
        let mentioned = terms.flat_map(|term| unknowns(store, term));
        let chosen = self.existentials.iter().map(|(_, unknown)| *unknown);
        let rules = self.rights.iter().flat_map(|right| right.unknowns.iter().copied());
        let recalled = self.uses.iter().flat_map(|used| used.unknowns.iter().copied());
        let values = self.found.iter().flat_map(|(_, value)| unknowns(store, *value));
        let all = chosen.chain(rules).chain(recalled).chain(mentioned).chain(values);
        let open = all.filter(|symbol| !self.found.iter().any(|(known, _)| known == symbol));
        // Numbers first: the places of arrays are among them.
        open.min_by_key(|&symbol| matches!(store.sort(store.symbol(symbol).sort), Sort::Function { .. }))
    }

    /// The condition under which it succeeds.
    pub(super) fn condition(&self, store: &mut TermStore) -> TermId {
        let rest = store.mk_and(self.rest.iter().copied());
        let gains = store.mk_and(self.gains.iter().copied());
        let rest = store.mk_implies(gains, rest);
        store.mk_and(self.demands.iter().copied().chain([rest]))
    }

    /// Does the condition speak of things that are not there before something is recalled?
    pub(super) fn needs_names(&self) -> bool {
        self.uses.iter().any(|used| !used.fresh.is_empty())
    }

    /// What the recalled things demand, what they give, what else has to hold.
    pub(super) fn parts(&self) -> (&[TermId], &[TermId], &[TermId]) {
        (&self.demands, &self.gains, &self.rest)
    }

    /// The steps, where `left` atoms are known before.
    pub(super) fn step(&self, store: &mut TermStore, left: usize, last: Step) -> Step {
        let mut step = last;
        for right in self.rights.iter().rev() {
            let terms = right.unknowns.iter().map(|&symbol| self.value(store, symbol)).collect();
            step = Step::Right { atom: right.atom, rule: right.rule, terms, next: Box::new(step) };
        }
        if !self.existentials.is_empty() {
            let chosen = self.existentials.iter();
            let chosen = chosen.map(|&(symbol, unknown)| (symbol, self.value(store, unknown))).collect();
            step = Step::Choose(chosen, Box::new(step));
        }
        // What was recalled last comes first.
        let mut offsets = vec![0; self.uses.len()];
        let mut next = left;
        for (number, used) in self.uses.iter().enumerate().rev() {
            offsets[number] = next;
            next += used.gained.len();
        }
        for (number, used) in self.uses.iter().enumerate() {
            let variables = used.what.variables.iter().zip(&used.unknowns);
            let bindings =
                variables.map(|(&symbol, &unknown)| (symbol, self.value(store, unknown))).collect();
            let place = |place: &Option<Place>| match place.expect("invariant: all atoms were found") {
                Place::Left(position) => position,
                Place::Gained(of, index) => offsets[of] + index,
            };
            let atoms = used.atoms.iter().map(place).collect();
            debug_assert!(number < offsets.len());
            let recall = Recall { known: used.known, bindings, atoms, fresh: used.fresh.clone() };
            step = Step::Recall(recall, Box::new(step));
        }
        step
    }

    /// The right's atoms with what was chosen.
    pub(super) fn chosen_atoms(&self) -> Vec<Atom> {
        self.atoms.iter().map(|open| open.atom.clone()).collect()
    }

    /// What was chosen for the existential variables.
    pub(super) fn chosen(&self, store: &mut TermStore) -> Vec<(SymbolId, TermId)> {
        self.existentials.iter().map(|&(symbol, unknown)| (symbol, self.value(store, unknown))).collect()
    }

    fn value(&self, store: &mut TermStore, symbol: SymbolId) -> TermId {
        match self.found.iter().find(|(known, _)| *known == symbol) {
            Some((_, value)) => *value,
            None => store.mk_symbol(symbol),
        }
    }
}

/// May the hypothesis be recalled for these atoms (RA-T1)?
fn is_descending(sequent: &Sequent, used: &Use) -> bool {
    let Known::Hypothesis(level) = used.known else { return true };
    used.atoms.iter().any(|place| match place {
        Some(Place::Left(position)) => {
            sequent.left[*position].lineage[level].is_some_and(|known| known.is_strict)
        }
        _ => false,
    })
}

/// The nearest number that is on the right side of a bound, if the formula is one for an unknown.
fn nearest(store: &mut TermStore, formula: TermId, symbol: SymbolId) -> Option<TermId> {
    let (Op::Le | Op::Lt) = store.op(formula) else { return None };
    let is_strict = matches!(store.op(formula), Op::Lt);
    let [low, high] = [0, 1].map(|index| store.args(formula)[index]);
    let is_below = store.as_symbol(low) == Some(symbol);
    let bound = if is_below { high } else { low };
    if !(is_below || store.as_symbol(high) == Some(symbol)) || !unknowns(store, bound).is_empty() {
        return None;
    }
    let distance = store.mk_int(i64::from(is_strict));
    Some(if is_below { store.mk_sub(bound, distance) } else { store.mk_add([bound, distance]) })
}

fn equations(store: &mut TermStore, left: &[TermId], right: &[TermId]) -> Vec<TermId> {
    let mut result = Vec::new();
    for (&here, &there) in left.iter().zip(right) {
        let equation = store.mk_eq(here, there);
        result.extend(store.conjuncts(equation));
    }
    result.retain(|&part| part != TermId::TRUE);
    result
}

/// The terms of a sort that an obligation speaks of: its variables, arguments of its atoms, and places of its arrays.
pub(super) fn pool(store: &mut TermStore, sequent: &Sequent, sort: SortId) -> Vec<TermId> {
    let mut result: Vec<TermId> = Vec::new();
    for symbol in sequent.variables(store) {
        if compatible(store, store.symbol(symbol).sort, sort) {
            result.push(store.mk_symbol(symbol));
        }
    }
    let atoms = sequent.left.iter().map(|fact| &fact.atom).chain(&sequent.right.atoms);
    let args: Vec<TermId> = atoms.flat_map(|atom| atom.args.iter().copied()).collect();
    let formulas = sequent.constraint.iter().copied().chain([sequent.right.constraint]);
    let all: Vec<TermId> = args.iter().copied().chain(formulas).collect();
    let mut places = args;
    for term in store.subterms_of_all(all) {
        if let Op::Apply = store.op(term) {
            places.extend(store.args(term).iter().skip(1).copied());
        }
    }
    for term in places {
        let fits = compatible(store, store.sort_of(term), sort);
        if fits && store.is_closed(term) && !result.contains(&term) {
            result.push(term);
        }
    }
    result.retain(|&term| unknowns(store, term).is_empty());
    result.truncate(10);
    result
}

fn compatible(store: &TermStore, one: SortId, other: SortId) -> bool {
    one == other
        || (store.sort(one).is_integer() && store.sort(other).is_integer() && !is_function(store, one))
}

fn is_function(store: &TermStore, sort: SortId) -> bool {
    matches!(store.sort(sort), Sort::Function { .. })
}
