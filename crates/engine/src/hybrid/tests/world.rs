//! A small circuit, state by state: what everything else is compared with.

use std::collections::BTreeSet;
use tenet_system::{Circuit, System};
use tenet_term::{Literal, Model, SymbolId, TermId, Value};

/// All states and steps.
pub struct World {
    pub states: Vec<Model>,
    pub first: BTreeSet<usize>,
    pub steps: BTreeSet<(usize, usize)>,
    pub bad: BTreeSet<usize>,
}

impl World {
    /// The world of the first property.
    pub fn new(system: &mut System) -> World {
        let circuit = Circuit::of(system).expect("a circuit");
        let store = &system.store;
        let states = models(system, &Model::new(), &circuit.state);
        let values = |model: &Model, terms: &[TermId]| -> Vec<Value> {
            terms.iter().map(|&term| model.evaluate(store, term).expect("everything has a value")).collect()
        };
        let registers: Vec<Vec<Value>> = states
            .iter()
            .map(|state| circuit.state.iter().map(|&s| state.get(s).cloned().expect("set")).collect())
            .collect();
        let number =
            |values: &Vec<Value>| registers.iter().position(|known| known == values).expect("a state");
        let holds = |model: &Model, term: TermId| model.holds(store, term).expect("it has a value");
        let starts = models(system, &Model::new(), &circuit.arbitrary);
        let starts = starts.iter().filter(|start| holds(start, circuit.start));
        let first = starts.map(|start| number(&values(start, &circuit.initial))).collect();
        let (mut steps, mut bad) = (BTreeSet::new(), BTreeSet::new());
        for (position, state) in states.iter().enumerate() {
            for cycle in models(system, state, &circuit.inputs) {
                if holds(&cycle, circuit.constraint) {
                    steps.insert((position, number(&values(&cycle, &circuit.next))));
                }
                if holds(&cycle, circuit.bad[0]) {
                    bad.insert(position);
                }
            }
        }
        World { states, first, steps, bad }
    }

    /// Length of a shortest run to a violation; `None` if there is none.
    pub fn distance(&self) -> Option<usize> {
        let (mut seen, mut ring) = (self.first.clone(), self.first.clone());
        for steps in 0.. {
            if ring.iter().any(|state| self.bad.contains(state)) {
                return Some(steps);
            }
            let next = self.steps.iter().filter(|(from, to)| ring.contains(from) && !seen.contains(to));
            ring = next.map(|&(_, to)| to).collect();
            if ring.is_empty() {
                return None;
            }
            seen.extend(&ring);
        }
        None
    }

    pub fn valuation(&self, system: &System, state: usize, atoms: &[TermId]) -> Vec<Literal> {
        let value = |atom| self.states[state].holds(&system.store, atom).expect("it has a value");
        atoms.iter().map(|&atom| Literal { atom, positive: value(atom) }).collect()
    }
}

/// Every way to give these symbols values, on top of others.
fn models(system: &System, base: &Model, symbols: &[SymbolId]) -> Vec<Model> {
    let mut all = vec![base.clone()];
    for &symbol in symbols {
        let sort = system.store.symbol(symbol).sort;
        let values = base.elements(&system.store, sort).expect("a finite sort");
        let with = |model: Model| {
            values.clone().into_iter().map(move |value| {
                let mut model = model.clone();
                model.set(symbol, value);
                model
            })
        };
        all = all.into_iter().flat_map(with).collect();
    }
    all
}
