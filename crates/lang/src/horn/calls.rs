//! Clauses that need two relations, where one of them is derived without recursion through the clause.
//!
//! Such a clause is a call: `P(x) and Q(y) and c imply R(z)` says that a program at `P` calls something whose result `Q` tells.
//! If everything that `Q` depends on is linear, its derivation is a run of its own, and can be made part of the caller's:
//! there is a copy of each relation `T` that `Q` depends on, with the arguments of `P` carried along.
//!
//! ```text
//! fact -> T(t)          P(x)    -> P*T(x, t)
//! T(t) -> T'(t')        P*T(x, t) -> P*T'(x, t')
//!                       P*Q(x, y) and c -> R(z)
//! ```
//!
//! `P*T(x, t)` is derivable just when `P(x)` and `T(t)` are, so nothing is lost and nothing is added. The other way round, an
//! interpretation of the products gives one of `T`: all `t` for which `P*T(x, t)` holds, whatever `x` satisfies `P`.

use super::clauses::{Atom, Clause};
use super::inline::{Change, Place, Work};
use super::lower::fresh_name;
use super::resolve::{Premise, Resolvent, another};
use std::collections::{BTreeMap, BTreeSet};
use tenet_term::{Role, SymbolId, TermId};

/// The number of relations that are copied for one call.
const MAX_COPIES: usize = 60;

/// With more clauses or places than this, no more relations are copied.
const MAX_CLAUSES: usize = 1_000;
const MAX_PLACES: usize = 1_000;

/// Removes one relation from the body of a nonlinear clause; tells whether there was such a clause.
pub(super) fn linearise(work: &mut Work) -> bool {
    let Some(call) = find(work) else { return false };
    let place = product(work, call.context, &call.copied, call.callee);
    let mut caller = work.inlined.clauses.remove(call.clause);
    join(work, &mut caller, call.spine, call.side, place);
    work.inlined.clauses.insert(call.clause, caller);
    true
}

/// A nonlinear clause to be changed.
struct Call {
    clause: usize,
    /// Positions in its body.
    spine: usize,
    side: usize,
    /// The relations at these positions.
    context: usize,
    callee: usize,
    /// The relations that the callee depends on.
    copied: BTreeSet<usize>,
}

/// The call with the fewest relations to copy; the first of several.
fn find(work: &Work) -> Option<Call> {
    let clauses = &work.inlined.clauses;
    if clauses.len() > MAX_CLAUSES || work.inlined.places.len() > MAX_PLACES {
        return None;
    }
    let mut best: Option<Call> = None;
    for (position, resolvent) in clauses.iter().enumerate() {
        let body = &resolvent.clause.body;
        for (side, atom) in body.iter().enumerate().filter(|_| body.len() > 1) {
            let callee = atom.relation;
            let Some(copied) = linear_cone(clauses, callee) else { continue };
            if copied.len() > MAX_COPIES
                || best.as_ref().is_some_and(|best| best.copied.len() <= copied.len())
            {
                continue;
            }
            // The spine is the relation that could not be the side, if there is one.
            let others = (0..body.len()).filter(|&other| other != side);
            let spine = others.max_by_key(|&other| linear_cone(clauses, body[other].relation).is_none());
            let Some(spine) = spine else { continue };
            let context = body[spine].relation;
            best = Some(Call { clause: position, spine, side, context, callee, copied });
        }
    }
    best
}

/// The relations that a relation depends on, itself included, if all their clauses are linear.
fn linear_cone(clauses: &[Resolvent], relation: usize) -> Option<BTreeSet<usize>> {
    let (mut cone, mut stack) = (BTreeSet::from([relation]), vec![relation]);
    while let Some(next) = stack.pop() {
        let is_head = |clause: &&Clause| clause.head.as_ref().is_some_and(|head| head.relation == next);
        for clause in clauses.iter().map(|resolvent| &resolvent.clause).filter(is_head) {
            if clause.body.len() > 1 {
                return None;
            }
            let needed = clause.body.iter().map(|atom| atom.relation);
            stack.extend(needed.filter(|&needed| cone.insert(needed)));
        }
    }
    Some(cone)
}

/// The place of the product of context and callee; creates it, and the products that it depends on, if there is none.
fn product(work: &mut Work, context: usize, copied: &BTreeSet<usize>, callee: usize) -> usize {
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    let mut new = BTreeSet::new();
    for &relation in copied {
        let place = known_product(work, context, relation).unwrap_or_else(|| {
            new.insert(relation);
            add_place(work, context, relation)
        });
        places.insert(relation, place);
    }
    let products = places.iter().map(|(&callee, &place)| (callee, place)).collect();
    work.inlined.history.push(Change::Called { context, products });
    let heads = |resolvent: &&Resolvent| {
        resolvent.clause.head.as_ref().is_some_and(|head| new.contains(&head.relation))
    };
    let copies: Vec<Resolvent> = work.inlined.clauses.iter().filter(heads).cloned().collect();
    for resolvent in copies {
        let copy = carry(work, resolvent, context, &places);
        work.add(copy);
    }
    places[&callee]
}

/// The product, if it was created for an earlier call and still exists.
fn known_product(work: &Work, context: usize, callee: usize) -> Option<usize> {
    work.inlined.history.iter().find_map(|change| match change {
        Change::Called { context: other, products } if *other == context => {
            let mut places = products.iter().filter(|(known, _)| *known == callee).map(|(_, place)| *place);
            places.find(|&place| !work.inlined.is_gone(place))
        }
        _ => None,
    })
}

fn add_place(work: &mut Work, context: usize, callee: usize) -> usize {
    let place = work.inlined.places.len();
    let [outer, inner] = [context, callee].map(|at| work.inlined.places[at].clone());
    let join = |a: Vec<usize>, b: Vec<usize>| a.into_iter().chain(b).collect();
    // A relation of the file or another product may have that name: (a*b)*c and a*(b*c).
    let names: Vec<String> = work.inlined.places.iter().map(|place| place.name.clone()).collect();
    work.inlined.places.push(Place {
        name: fresh_name(&format!("{}*{}", outer.name, inner.name), &names),
        sorts: outer.sorts.into_iter().chain(inner.sorts).collect(),
        parts: join(outer.parts, inner.parts),
    });
    place
}

/// The clause with the arguments of the context carried along.
fn carry(
    work: &mut Work,
    mut resolvent: Resolvent,
    context: usize,
    places: &BTreeMap<usize, usize>,
) -> Resolvent {
    let mut used: BTreeSet<SymbolId> = resolvent.symbols(work.store).into_iter().collect();
    let mut carried: Vec<TermId> = Vec::new();
    for (position, &sort) in work.inlined.places[context].sorts.clone().iter().enumerate() {
        let base = work.store.declare(&format!("c{position}"), sort, Role::Input);
        let variable = if used.contains(&base) { another(work.store, base, &used) } else { base };
        used.insert(variable);
        carried.push(work.store.mk_symbol(variable));
    }
    let outer = work.inlined.places[context].parts.len();
    let with_context = |atom: &Atom| {
        let args = carried.iter().chain(&atom.args).copied().collect();
        Atom { relation: places[&atom.relation], args }
    };
    let clause = &mut resolvent.clause;
    clause.head = clause.head.as_ref().map(with_context);
    clause.body = match clause.body.first() {
        Some(atom) => vec![with_context(atom)],
        None => vec![Atom { relation: context, args: carried.clone() }],
    };
    resolvent.change_premises(|premise| match *premise {
        Premise::Body(at) => Premise::Body(outer + at),
        step => step,
    });
    let context_parts = (0..outer).map(Premise::Body);
    resolvent.results = context_parts.chain(resolvent.results.iter().copied()).collect();
    resolvent
}

/// Puts the product in place of the two relations in the body of the caller.
fn join(work: &Work, caller: &mut Resolvent, spine: usize, side: usize, place: usize) {
    let parts = |atom: &Atom| work.inlined.places[atom.relation].parts.len();
    let body = std::mem::take(&mut caller.clause.body);
    let args = body[spine].args.iter().chain(&body[side].args).copied().collect();
    let others = (0..body.len()).filter(|&at| at != spine && at != side);
    let order: Vec<usize> = [spine, side].into_iter().chain(others).collect();
    // Where the parts of each relation begin now, by old position.
    let mut starts = vec![0; body.len()];
    let mut next = 0;
    for &at in &order {
        starts[at] = next;
        next += parts(&body[at]);
    }
    let mut moved = Vec::new();
    for (at, atom) in body.iter().enumerate() {
        moved.extend((0..parts(atom)).map(|part| starts[at] + part));
    }
    caller.clause.body = vec![Atom { relation: place, args }];
    caller.clause.body.extend(order[2..].iter().map(|&at| body[at].clone()));
    caller.change_premises(|premise| match *premise {
        Premise::Body(at) => Premise::Body(moved[at]),
        step => step,
    });
}
