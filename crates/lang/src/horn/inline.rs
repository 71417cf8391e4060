//! Relations that cannot matter are dropped, and those that are not recursive are resolved away.
//!
//! This is part of reading a file, so that every engine and the checker of certificates see the same small system. A relation
//! with no clause that leads from itself to itself can be eliminated: each clause that derives it is resolved with each clause
//! that needs it. That is done while the number of clauses does not grow. A clause with two relations in its body is not a step
//! of a transition system; such clauses are made linear by `calls`, or by eliminating relations at any cost. The changes are
//! recorded, so that answers can be given in all the relations of the file.

use super::calls;
use super::clauses::{Atom, Clause};
use super::resolve::Resolvent;
use super::signature::Relation;
use crate::codes::horn as codes;
use crate::diagnostic::Diagnostic;
use tenet_term::{SortId, TermId, TermStore};

/// Optional eliminations do not create clauses with more subterms than this.
const MAX_SIZE: usize = 20_000;

/// When nonlinear clauses have to be eliminated: the limit on clauses, and on subterms of one clause.
const MAX_CLAUSES: usize = 2_000;
const MAX_NONLINEAR_SIZE: usize = 100_000;

/// What became of a relation that is no control location.
#[derive(Clone, Debug)]
pub enum Fate {
    /// No facts lead to it: it is false everywhere.
    Underivable,
    /// No query depends on it: it may be true everywhere.
    Irrelevant,
    /// It is defined by these clauses, which all have it as their head.
    Defined(Vec<Clause>),
}

/// A relation of the file or a product of several.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: String,
    /// The sorts of its arguments.
    pub sorts: Vec<SortId>,
    /// The relations of the file that it is made of; its arguments are theirs, concatenated.
    pub parts: Vec<usize>,
}

/// A change to the clauses.
#[derive(Clone, Debug)]
pub enum Change {
    /// A place was eliminated. The clauses that define it refer to places that were eliminated later, or stayed.
    Gone(usize, Fate),
    /// Products of a context with each of these places were created; they describe what can be derived there given the
    /// context.
    Called {
        context: usize,
        /// Each place with its product.
        products: Vec<(usize, usize)>,
    },
}

/// The remaining clauses.
#[derive(Clone, Debug, Default)]
pub struct Inlined {
    /// The relations of the file, followed by products. Atoms of the clauses below refer to these.
    pub places: Vec<Place>,
    /// The remaining clauses: each has at most one relation in its body.
    pub clauses: Vec<Resolvent>,
    /// The changes, in order.
    pub history: Vec<Change>,
}

impl Inlined {
    /// Was the place eliminated?
    pub fn is_gone(&self, place: usize) -> bool {
        self.history.iter().any(|change| matches!(change, Change::Gone(gone, _) if *gone == place))
    }
}

/// Eliminates relations until every clause has at most one in its body; fails with a clause that cannot be made so.
pub fn inline(
    store: &mut TermStore,
    original: &[Clause],
    relations: &[Relation],
) -> Result<Inlined, Vec<Diagnostic>> {
    let mut work = Work::new(store, relations);
    for (position, clause) in original.iter().enumerate() {
        let resolvent = Resolvent::new(work.store, clause.clone(), position);
        work.add(resolvent);
    }
    work.prune();
    loop {
        if let Some(place) = work.cheapest() {
            work.eliminate(place);
        } else if !calls::linearise(&mut work) {
            let Some(place) = work.nonlinear() else { break };
            work.eliminate(place);
        }
        work.prune();
    }
    let is_nonlinear = |resolvent: &&Resolvent| resolvent.clause.body.len() > 1;
    let nonlinear = work.inlined.clauses.iter().filter(is_nonlinear);
    let errors: Vec<Diagnostic> =
        nonlinear.map(|found| refusal(found, original, &work.inlined.places)).collect();
    if errors.is_empty() { Ok(work.inlined) } else { Err(errors) }
}

fn refusal(found: &Resolvent, original: &[Clause], places: &[Place]) -> Diagnostic {
    let step = found.steps.iter().rev().find(|step| original[step.clause].body.len() > 1);
    let clause = step.map_or(&found.clause, |step| &original[step.clause]);
    let body: Vec<String> =
        found.clause.body.iter().map(|atom| format!("`{}`", places[atom.relation].name)).collect();
    let message = format!("nonlinear recursion is not supported: this clause needs {}", body.join(" and "));
    Diagnostic::error(&codes::NONLINEAR, message, clause.span)
        .help("of several relations in a body, all but one have to be derivable without clauses of this kind")
}

/// The clauses, while they are changed.
pub(super) struct Work<'a> {
    pub(super) store: &'a mut TermStore,
    pub(super) inlined: Inlined,
}

/// How often a relation is a head, how often a premise, and whether it is recursive.
#[derive(Clone, Copy, Default)]
struct Use {
    heads: usize,
    bodies: usize,
    /// Is it needed twice by one clause?
    twice: bool,
    recursive: bool,
    /// Is it in a body with others?
    nonlinear: bool,
}

impl<'a> Work<'a> {
    fn new(store: &'a mut TermStore, relations: &[Relation]) -> Work<'a> {
        let places = relations.iter().enumerate().map(|(position, relation)| Place {
            name: relation.name.clone(),
            sorts: relation.sorts.clone(),
            parts: vec![position],
        });
        let inlined = Inlined { places: places.collect(), ..Inlined::default() };
        Work { store, inlined }
    }

    /// Adds a clause, unless it is trivial or redundant.
    pub(super) fn add(&mut self, resolvent: Resolvent) {
        let same = |known: &Resolvent| {
            let (a, b) = (&known.clause, &resolvent.clause);
            a.body == b.body && a.head == b.head && a.constraint == b.constraint && a.open == b.open
        };
        if !resolvent.is_vacuous() && !self.inlined.clauses.iter().any(same) {
            self.inlined.clauses.push(resolvent);
        }
    }

    /// Drops the clauses of relations that no facts lead to, or that no query depends on.
    fn prune(&mut self) {
        let derivable = self.closure(vec![false; self.inlined.places.len()], |clause, known| {
            let holds = clause.body.iter().all(|atom| known[atom.relation]);
            clause.head.iter().filter(|_| holds).map(|head| head.relation).collect()
        });
        self.drop_where(&derivable, Fate::Underivable);
        let relevant = self.closure(vec![false; self.inlined.places.len()], |clause, known| {
            let matters = clause.head.as_ref().is_none_or(|head| known[head.relation]);
            clause.body.iter().filter(|_| matters).map(|atom| atom.relation).collect()
        });
        self.drop_where(&relevant, Fate::Irrelevant);
    }

    fn closure(&self, mut known: Vec<bool>, next: impl Fn(&Clause, &[bool]) -> Vec<usize>) -> Vec<bool> {
        loop {
            let mut changed = false;
            for resolvent in &self.inlined.clauses {
                for relation in next(&resolvent.clause, &known) {
                    changed |= !std::mem::replace(&mut known[relation], true);
                }
            }
            if !changed {
                return known;
            }
        }
    }

    fn drop_where(&mut self, kept: &[bool], fate: Fate) {
        for relation in (0..self.inlined.places.len()).filter(|&relation| !kept[relation]) {
            if !self.inlined.is_gone(relation) {
                self.inlined.history.push(Change::Gone(relation, fate.clone()));
            }
        }
        self.inlined.clauses.retain(|resolvent| {
            let mut atoms = resolvent.clause.body.iter().chain(&resolvent.clause.head);
            atoms.all(|atom| kept[atom.relation])
        });
    }

    fn uses(&self) -> Vec<Use> {
        let mut uses = vec![Use::default(); self.inlined.places.len()];
        for resolvent in &self.inlined.clauses {
            let Clause { body, head, .. } = &resolvent.clause;
            let head = head.as_ref().map(|head| head.relation);
            if let Some(head) = head {
                uses[head].heads += 1;
            }
            for (position, atom) in body.iter().enumerate() {
                let use_ = &mut uses[atom.relation];
                use_.bodies += 1;
                use_.twice |= body[..position].iter().any(|other| other.relation == atom.relation);
                use_.recursive |= head == Some(atom.relation);
                use_.nonlinear |= body.len() > 1;
            }
        }
        uses
    }

    /// The relation whose elimination creates the fewest clauses, if they do not become more.
    fn cheapest(&self) -> Option<usize> {
        let uses = self.uses();
        let mut best: Option<(usize, usize)> = None;
        for (relation, use_) in uses.iter().enumerate() {
            let (before, after) = (use_.heads + use_.bodies, use_.heads * use_.bodies);
            let fits = !use_.recursive && !use_.twice && use_.bodies > 0 && after <= before;
            if fits && self.stays_small(relation, MAX_SIZE) && best.is_none_or(|(least, _)| after < least) {
                best = Some((after, relation));
            }
        }
        best.map(|(_, relation)| relation)
    }

    /// A relation in a nonlinear body that can be eliminated.
    fn nonlinear(&self) -> Option<usize> {
        let uses = self.uses();
        let fits = |use_: &Use| use_.nonlinear && !use_.recursive && use_.heads * use_.bodies <= MAX_CLAUSES;
        let candidates = uses.iter().enumerate().filter(|(_, use_)| fits(use_));
        let mut candidates: Vec<(usize, usize)> =
            candidates.map(|(relation, use_)| (use_.heads * use_.bodies, relation)).collect();
        candidates.sort_unstable();
        let allowed = |relation: usize| {
            self.inlined.clauses.len() <= MAX_CLAUSES && self.stays_small(relation, MAX_NONLINEAR_SIZE)
        };
        candidates.into_iter().map(|(_, relation)| relation).find(|&relation| allowed(relation))
    }

    /// Are the clauses that eliminating the relation creates small enough?
    fn stays_small(&self, relation: usize, most: usize) -> bool {
        let largest = |wanted: &dyn Fn(&Clause) -> bool| {
            let found = self.inlined.clauses.iter().filter(|resolvent| wanted(&resolvent.clause));
            found.map(|resolvent| resolvent.size(self.store)).max().unwrap_or(0)
        };
        let is_head = |clause: &Clause| clause.head.as_ref().is_some_and(|head| head.relation == relation);
        let needs = |clause: &Clause| clause.body.iter().any(|atom| atom.relation == relation);
        largest(&is_head) + largest(&needs) <= most
    }

    /// Resolves the clauses that derive a relation with those that need it.
    fn eliminate(&mut self, relation: usize) {
        let all = std::mem::take(&mut self.inlined.clauses);
        let is_head = |resolvent: &Resolvent| {
            resolvent.clause.head.as_ref().is_some_and(|head| head.relation == relation)
        };
        let (givers, others): (Vec<Resolvent>, Vec<Resolvent>) = all.into_iter().partition(is_head);
        let definition = givers.iter().map(|giver| giver.clause.clone()).collect();
        self.inlined.history.push(Change::Gone(relation, Fate::Defined(definition)));
        for resolvent in others {
            let mut waiting = vec![resolvent];
            while let Some(next) = waiting.pop() {
                let needs = |atom: &Atom| atom.relation == relation;
                let Some(position) = next.clause.body.iter().position(needs) else {
                    self.add(next);
                    continue;
                };
                for giver in givers.iter().rev() {
                    let places = &self.inlined.places;
                    let parts = |place: usize| places[place].parts.len();
                    let resolvent = next.resolve(self.store, position, giver, parts);
                    if resolvent.clause.constraint != TermId::FALSE {
                        waiting.push(resolvent);
                    }
                }
            }
        }
    }
}
