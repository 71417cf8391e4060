//! Reachability of the abstract model, ring by ring, and a shortest abstract counterexample.

use super::halt::Halt;
use super::model::Model;
use crate::common::watch::Watch;
use tenet_abstraction::set::Set;
use tenet_term::{Literal, TermStore};
use tracing::debug;

/// A conjunction of literals for each state of an abstract run. Every state in one of them has a next one in the
/// following, those of the first are initial states, and those of the last may violate the property.
pub type Counterexample = Vec<Vec<Literal>>;

/// What can be reached, up to the first violation.
pub struct Reached {
    /// The states at each distance.
    pub rings: Vec<Set>,
    /// All of them.
    pub all: Set,
    /// Does the last ring have a state in which the property may be violated?
    pub is_bad: bool,
}

/// Looks for a violation, nearest states first.
pub fn reach(model: &Model, watch: &dyn Watch) -> Result<Reached, Halt> {
    let mut reached =
        Reached { rings: vec![model.first().clone()], all: model.first().clone(), is_bad: false };
    loop {
        let ring = reached.rings.last().expect("invariant: there is a first ring");
        reached.is_bad = !ring.intersect(model.bad()).is_empty();
        if reached.is_bad {
            return Ok(reached);
        }
        if let Some(stop) = watch.stop() {
            return Err(Halt::Stopped(stop));
        }
        let new = model.image(ring).minus(&reached.all);
        if model.is_overfull() {
            return Err(Halt::NoRoom);
        }
        if new.is_empty() {
            return Ok(reached);
        }
        reached.all = reached.all.union(&new);
        reached.rings.push(new);
        if reached.rings.len().is_power_of_two() {
            debug!(rings = reached.rings.len(), nodes = reached.all.nodes(), "searching");
        }
    }
}

/// A shortest way to a violation, from the last ring back; `None` if there is no room to find it.
pub fn path(model: &Model, rings: &[Set]) -> Option<Counterexample> {
    let last = rings.last().expect("invariant: there is a first ring");
    let mut goal = last.intersect(model.bad());
    let mut cubes = Vec::new();
    for ring in rings.iter().rev().skip(1).map(Some).chain([None]) {
        if model.is_overfull() {
            return None;
        }
        let cube = model.pick(&goal).expect("invariant: there is a way to the last ring");
        if let Some(ring) = ring {
            goal = model.before(ring, &model.cube(&cube));
        }
        cubes.push(cube);
    }
    cubes.reverse();
    (!model.is_overfull()).then_some(cubes)
}

/// Is there an abstract run through these conjunctions of literals, which speak of what the model knows?
pub fn is_possible(store: &TermStore, model: &Model, cubes: &Counterexample) -> bool {
    let mut states = model.first().clone();
    for (position, cube) in cubes.iter().enumerate() {
        if position > 0 {
            states = model.image(&states);
        }
        states = states.intersect(&model.meaning(store, cube));
    }
    !states.intersect(model.bad()).is_empty()
}
