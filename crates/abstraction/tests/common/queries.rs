//! Questions for the image of a rule over closed predicates: what is asserted, what is split on, and the right answer.

use tenet_abstraction::exact::{Exact, Valuations, to_set};
use tenet_abstraction::set::{Set, Space};
use tenet_system::{Rule, System};
use tenet_term::{Substitution, SymbolId, TermId};

use super::random::Random;
use super::{LIMIT, size};

/// What a state with one of these valuations satisfies (Das, Dill and Park, section 2).
fn gamma(system: &mut System, set: &Valuations) -> TermId {
    let formulas: Vec<TermId> = system.predicates.iter().map(|predicate| predicate.formula).collect();
    let store = &mut system.store;
    let mut cases = Vec::new();
    for valuation in set {
        let literals: Vec<TermId> = formulas
            .iter()
            .enumerate()
            .map(
                |(place, &formula)| if valuation >> place & 1 == 1 { formula } else { store.mk_not(formula) },
            )
            .collect();
        cases.push(store.mk_and(literals));
    }
    store.mk_or(cases)
}

/// A question for the image: what is asserted before the step, and the predicates after it.
pub struct Query {
    pub asserted: Vec<TermId>,
    pub posts: Vec<TermId>,
    pub symbols: Vec<SymbolId>,
}

/// The image of a set under a rule.
pub fn query_rule(system: &mut System, rule: &Rule, set: &Valuations) -> Query {
    let substitution = Substitution::from_pairs(&system.store, rule.updates.iter().copied());
    let asserted = vec![gamma(system, set), rule.guard];
    let formulas: Vec<TermId> = system.predicates.iter().map(|predicate| predicate.formula).collect();
    let posts = formulas.iter().map(|&formula| system.store.substitute(formula, &substitution)).collect();
    let state = system.state.iter().map(|var| var.symbol);
    let symbols = system.consts.iter().copied().chain(state).chain(rule.params.iter().copied()).collect();
    Query { asserted, posts, symbols }
}

/// The image of a set under a rule in an instance of this size, by going through all states.
pub fn exact_image(space: &Space, random: &Random, nodes: u32, rule: usize, set: &Valuations) -> Set {
    let exact =
        Exact::new(&random.system, &size(random.node, nodes), LIMIT).expect("random systems are small");
    let before = exact.gamma(set);
    let steps = before.iter().flat_map(|&state| exact.steps(state)).filter(|step| step.rule == rule);
    let after = exact.alpha(&steps.map(|step| step.to).collect());
    to_set(space, &after, random.system.predicates.len())
}
