//! Existential lemmas, such as `closing[i] -> exists x. flag[x] = Inside`.
//!
//! A rule that waits until all elements satisfy a condition is often blocked because one of them does not. Literals
//! about a few elements cannot say so: the states in which these elements are ready for the step are reachable, and
//! in all of them another element is not ready. So what the step needs of all elements becomes a universal literal of
//! the cube, `forall x. …`. It is weakened as long as no explored state is in the cube, which strengthens the lemma:
//! that some element is not Outside is seldom preserved by every step, that some element is Inside may be.

use tenet_system::System;
use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

use super::cube::{Cube, Predecessor};
use super::explored::Explored;
use super::generalise::{Accept, MAX_ELEMENTS, Strategy, generalise, is_unreached, part, subsets};
use super::structure::{Env, Structure};

/// Weakenings tried for one universal literal; products of several arrays would be too many.
const MAX_MARKS: usize = 100;

/// An array of truth values or of an enumeration: a predicate on elements by which a universal literal is weakened.
struct Mark {
    array: TermId,
    args: Vec<SortId>,
    result: SortId,
}

/// The material of existential lemmas: the predicates on elements that the state has.
pub struct ExistentialLemmas {
    marks: Vec<Mark>,
}

impl ExistentialLemmas {
    pub fn new(system: &mut System) -> ExistentialLemmas {
        let mut marks = Vec::new();
        for var in &system.state {
            let sort = system.store.symbol(var.symbol).sort;
            let Sort::Function { args, result } = system.store.sort(sort).clone() else { continue };
            let is_index = |sort: &SortId| matches!(system.store.sort(*sort), Sort::Index { .. });
            let is_small = matches!(system.store.sort(result), Sort::Bool | Sort::Enum { .. });
            if is_small && args.iter().all(is_index) {
                let args = args.to_vec();
                marks.push(Mark { array: system.store.mk_symbol(var.symbol), args, result });
            }
        }
        ExistentialLemmas { marks }
    }

    /// The literals of all marks at these elements that hold in the model.
    pub fn known(&self, structure: &mut Structure<'_>, named: &[(TermId, i64)]) -> Vec<TermId> {
        let vars: Vec<SymbolId> =
            named.iter().filter_map(|&(var, _)| structure.store.as_symbol(var)).collect();
        let env: Env = vars.iter().copied().zip(named.iter().map(|&(_, value)| value)).collect();
        let mut known = Vec::new();
        for mark in &self.marks {
            let fitting = tuples(structure.store, &mark.args, &vars);
            for tuple in fitting {
                let term = mark.at(structure.store, &tuple);
                let Some(value) = structure.evaluate(term, &env) else { continue };
                let values = mark.values(structure.store, term);
                known.extend(
                    usize::try_from(value)
                        .ok()
                        .and_then(|place| values.get(place))
                        .map(|&(_, literal)| literal),
                );
            }
        }
        known
    }

    /// The best generalisation: a part of the cube, or of what else is known of its elements, or one with a universal
    /// literal; the one that mentions the fewest elements.
    pub fn best(
        &self,
        store: &mut TermStore,
        predecessor: &Predecessor,
        explored: &mut [Explored],
        strategy: &mut Strategy,
        accept: &mut Accept<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Cube> {
        let plain = generalise(store, &predecessor.cube, explored, strategy, accept, go_on);
        let more = predecessor.cube.literals.iter().chain(&predecessor.known).copied().collect();
        let more = Cube::of(store, more);
        let known = generalise(store, &more, explored, strategy, accept, go_on);
        let general = self.candidate(store, predecessor, explored, strategy, accept, go_on);
        [plain, known, general].into_iter().flatten().min_by_key(|cube| cube.vars.len())
    }

    /// The best generalisation of a predecessor that no explored state satisfies, about as few elements as possible. It has
    /// a universal literal if no generalisation without one is free of states.
    fn candidate(
        &self,
        store: &mut TermStore,
        predecessor: &Predecessor,
        explored: &mut [Explored],
        strategy: &mut Strategy,
        accept: &mut Accept<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Cube> {
        let whole = predecessor.whole(store);
        let all: Vec<usize> = (0..whole.vars.len()).collect();
        let mut found = None;
        for count in 0..=all.len().min(MAX_ELEMENTS) {
            let is_over = subsets(&all, count, &mut Vec::new(), &mut |chosen| {
                let vars: Vec<SymbolId> = chosen.iter().map(|&place| whole.vars[place]).collect();
                let about = Cube::of(store, whole.about(store, &vars));
                if is_unreached(store, &about, explored, go_on) {
                    let about = self.strengthen(store, about, explored, go_on);
                    found = part(store, &about, usize::MAX, explored, strategy, accept, go_on);
                }
                found.is_some() || !go_on()
            });
            if is_over {
                break;
            }
        }
        found
    }

    /// The cube with its universal literals dropped or weakened as far as explored states allow, so that the
    /// existential lemma becomes as strong as possible.
    fn strengthen(
        &self,
        store: &mut TermStore,
        cube: Cube,
        explored: &mut [Explored],
        go_on: &dyn Fn() -> bool,
    ) -> Cube {
        let mut cube = cube;
        let is_general = |&literal: &TermId| matches!(store.op(literal), Op::Forall(_));
        let general: Vec<TermId> = cube.literals.iter().copied().filter(is_general).collect();
        for literal in general {
            let without = cube.literals.iter().copied().filter(|&other| other != literal).collect();
            let without = Cube::of(store, without);
            if is_unreached(store, &without, explored, go_on) {
                cube = without;
                continue;
            }
            for weaker in self.weaker(store, literal, &cube.vars) {
                let literals = without.literals.iter().copied().chain([weaker]).collect();
                let candidate = Cube::of(store, literals);
                if is_unreached(store, &candidate, explored, go_on) {
                    cube = candidate;
                    break;
                }
            }
        }
        cube
    }

    /// Weaker universal literals: about the elements with some mark only.
    fn weaker(&self, store: &mut TermStore, literal: TermId, vars: &[SymbolId]) -> Vec<TermId> {
        let Op::Forall(bound) = store.op(literal).clone() else { return Vec::new() };
        let body = store.args(literal)[0];
        let mut found = Vec::new();
        for &element in bound.iter() {
            for mark in &self.marks {
                let all: Vec<SymbolId> = vars.iter().copied().chain([element]).collect();
                for tuple in tuples(store, &mark.args, &all) {
                    if !tuple.contains(&element) {
                        continue;
                    }
                    let term = mark.at(store, &tuple);
                    for (value, marked) in mark.values(store, term) {
                        let kept: Vec<TermId> = store
                            .disjuncts(body)
                            .into_iter()
                            .filter(|&part| !is_other_value(store, part, term, value))
                            .collect();
                        let not_marked = store.mk_not(marked);
                        let weaker = store.mk_or(kept.into_iter().chain([not_marked]));
                        found.push(store.mk_forall(&bound, weaker));
                    }
                }
            }
        }
        found.truncate(MAX_MARKS);
        found
    }
}

impl Mark {
    fn at(&self, store: &mut TermStore, place: &[SymbolId]) -> TermId {
        let place: Vec<TermId> = place.iter().map(|&var| store.mk_symbol(var)).collect();
        store.mk_apply(self.array, &place)
    }

    /// Each value, and that the array has it there.
    fn values(&self, store: &mut TermStore, term: TermId) -> Vec<(TermId, TermId)> {
        let values: Vec<TermId> = match store.sort(self.result).clone() {
            Sort::Enum { variants, .. } => {
                (0..variants.len()).map(|place| store.mk_enum(self.result, place as u32)).collect()
            }
            _ => vec![TermId::FALSE, TermId::TRUE],
        };
        values.into_iter().map(|value| (value, store.mk_eq(term, value))).collect()
    }
}

/// Does a formula say that a term has another value than this one? Then it is redundant beside the literal that the
/// term has not this value.
fn is_other_value(store: &TermStore, formula: TermId, term: TermId, value: TermId) -> bool {
    let is_value = |side: TermId| matches!(store.op(side), Op::Enum(..));
    match (store.op(formula), store.args(formula)) {
        (Op::Eq, &[a, b]) => {
            (a == term && is_value(b) && b != value) || (b == term && is_value(a) && a != value)
        }
        _ => false,
    }
}

fn tuples(store: &TermStore, sorts: &[SortId], vars: &[SymbolId]) -> Vec<Vec<SymbolId>> {
    let mut tuples: Vec<Vec<SymbolId>> = vec![Vec::new()];
    for &sort in sorts {
        let fitting: Vec<SymbolId> =
            vars.iter().copied().filter(|&var| store.symbol(var).sort == sort).collect();
        let longer = |tuple: &Vec<SymbolId>| -> Vec<Vec<SymbolId>> {
            fitting.iter().map(|&var| tuple.iter().copied().chain([var]).collect()).collect()
        };
        tuples = tuples.iter().flat_map(longer).collect();
    }
    tuples
}
