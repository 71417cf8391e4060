//! The cone of influence: the part of a system that some properties depend on.
//!
//! A property depends on the variables in it, on those in the guards and right-hand sides of rules that change one of these, and on those that an
//! axiom ties to them. A rule that changes none of them is a step in which nothing happens as far as the property can tell, so it is left out. What
//! is proved of the rest is proved of the whole.

use crate::{PropertyKind, Start, System};
use std::collections::BTreeSet;
use tenet_term::{SymbolId, TermId};

/// A part of a system.
#[derive(Clone, Debug)]
pub struct Cone {
    /// Properties have their positions; those that were not asked about are `true`.
    pub system: System,
    /// The rules that are left, by position in the whole system.
    pub rules: Vec<usize>,
}

impl Cone {
    /// The part that these properties depend on; nothing if that is everything.
    pub fn of(system: &System, chosen: &[usize]) -> Option<Cone> {
        let state: BTreeSet<SymbolId> = system.state.iter().map(|var| var.symbol).collect();
        let symbols = |terms: &[TermId]| -> BTreeSet<SymbolId> {
            let free = terms.iter().flat_map(|&term| system.store.free_symbols(term));
            free.filter(|symbol| state.contains(symbol)).collect()
        };
        let asked: Vec<TermId> = chosen.iter().map(|&position| system.properties[position].formula).collect();
        let axioms: Vec<BTreeSet<SymbolId>> =
            system.axioms.iter().map(|axiom| symbols(&[axiom.formula])).collect();
        let reads: Vec<BTreeSet<SymbolId>> = system
            .rules
            .iter()
            .map(|rule| {
                let values = rule.updates.iter().map(|&(_, value)| value);
                symbols(&values.chain([rule.guard]).collect::<Vec<_>>())
            })
            .collect();
        let mut kept = symbols(&asked);
        // An assertion holds where its rule is taken, which is said in its formula; but the rule itself may be asked about.
        let mut rules: BTreeSet<usize> = chosen
            .iter()
            .filter_map(|&position| match system.properties[position].kind {
                PropertyKind::Assertion { rule } | PropertyKind::Implicit { rule } => Some(rule),
                PropertyKind::Invariant | PropertyKind::Start { .. } => None,
            })
            .collect();
        loop {
            let before = (kept.len(), rules.len());
            for (position, rule) in system.rules.iter().enumerate() {
                if rules.contains(&position) || rule.updates.iter().any(|(symbol, _)| kept.contains(symbol)) {
                    rules.insert(position);
                    kept.extend(reads[position].iter().copied());
                }
            }
            for used in &axioms {
                if !used.is_disjoint(&kept) {
                    kept.extend(used.iter().copied());
                }
            }
            if (kept.len(), rules.len()) == before {
                break;
            }
        }
        let is_all = kept.len() == state.len() && rules.len() == system.rules.len();
        (!is_all)
            .then(|| Cone { system: part(system, chosen, &kept, &rules), rules: rules.into_iter().collect() })
    }
}

fn part(system: &System, chosen: &[usize], kept: &BTreeSet<SymbolId>, rules: &BTreeSet<usize>) -> System {
    let is_state = |symbol: &SymbolId| system.state.iter().any(|var| var.symbol == *symbol);
    let is_inside = |term: TermId| {
        system.store.free_symbols(term).iter().all(|symbol| kept.contains(symbol) || !is_state(symbol))
    };
    let mut part = system.clone();
    part.state.retain(|var| kept.contains(&var.symbol));
    part.rules = rules.iter().map(|&position| system.rules[position].clone()).collect();
    for rule in &mut part.rules {
        rule.updates.retain(|(symbol, _)| kept.contains(symbol));
    }
    for start in &mut part.starts {
        restrict(system, start, kept);
    }
    part.axioms.retain(|axiom| is_inside(axiom.formula));
    for (position, property) in part.properties.iter_mut().enumerate() {
        if !chosen.contains(&position) {
            (property.formula, property.kind) = (TermId::TRUE, PropertyKind::Invariant);
        }
        // The rules of demands have moved.
        let moved = |rule: usize| rules.iter().position(|&kept| kept == rule).unwrap_or_default();
        property.kind = match property.kind {
            PropertyKind::Assertion { rule } => PropertyKind::Assertion { rule: moved(rule) },
            PropertyKind::Implicit { rule } => PropertyKind::Implicit { rule: moved(rule) },
            kind => kind,
        };
    }
    part.candidates.retain(|&candidate| is_inside(candidate));
    part.predicates.retain(|predicate| is_inside(predicate.formula));
    part.branches.retain(|branch| is_inside(branch.formula));
    part.activations.retain(|activation| is_inside(activation.formula));
    part
}

/// The values of the variables that are left.
fn restrict(system: &System, start: &mut Start, kept: &BTreeSet<SymbolId>) {
    let values = system.state.iter().zip(&start.values);
    start.values = values.filter(|(var, _)| kept.contains(&var.symbol)).map(|(_, &value)| value).collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Property, Rule, StateVar};
    use tenet_term::{Role, SortId};

    /// Three flags, each set by a rule of its own from the one after it.
    fn chain() -> System {
        let mut system = System::default();
        let names = ["a", "b", "c", "d"];
        let symbols = names.map(|name| system.store.declare(name, SortId::BOOL, Role::State));
        let terms = symbols.map(|symbol| system.store.mk_symbol(symbol));
        system.state =
            symbols.map(|symbol| StateVar { symbol, args: Vec::new(), value: Default::default() }).to_vec();
        for position in 0..3 {
            system.rules.push(Rule {
                name: format!("set {}", names[position]),
                source: Default::default(),
                params: Vec::new(),
                shown_params: 0,
                guard: TermId::TRUE,
                updates: vec![(symbols[position], terms[position + 1])],
            });
        }
        let values = vec![TermId::FALSE, TermId::TRUE, TermId::FALSE, TermId::FALSE];
        system.starts.push(Start {
            name: "start".into(),
            source: Default::default(),
            params: Vec::new(),
            constraint: TermId::TRUE,
            values,
        });
        for (name, formula) in [("of b", terms[1]), ("of a", terms[0])] {
            let kind = PropertyKind::Invariant;
            system.properties.push(Property { name: name.into(), source: Default::default(), kind, formula });
        }
        system
    }

    #[test]
    fn what_a_property_depends_on_is_left() {
        let system = chain();
        let cone = Cone::of(&system, &[0]).expect("`a` is outside");
        let names = |system: &System| {
            let names = system.state.iter().map(|var| system.store.symbol(var.symbol).name.clone());
            names.collect::<Vec<String>>()
        };
        assert_eq!(names(&cone.system), ["b", "c", "d"]);
        assert_eq!(cone.rules, [1, 2]);
        assert_eq!(cone.system.starts[0].values, [TermId::TRUE, TermId::FALSE, TermId::FALSE]);
        assert_eq!(cone.system.properties[1].formula, TermId::TRUE);
        assert!(Cone::of(&system, &[0, 1]).is_none());
    }

    #[test]
    fn an_axiom_ties_variables_together() {
        let mut system = chain();
        let [a, b] = [0, 1].map(|position| {
            let symbol = system.state[position].symbol;
            system.store.mk_symbol(symbol)
        });
        let formula = system.store.mk_implies(b, a);
        system.axioms.push(crate::Axiom { name: "tied".into(), source: Default::default(), formula });
        assert!(Cone::of(&system, &[0]).is_none());
    }
}
