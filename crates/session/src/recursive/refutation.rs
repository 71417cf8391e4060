//! Counterexamples and runs, confirmed: "refuted" is as strong a claim as "proved", so it is checked in the same way.
//!
//! Values contradict `left |= right` if the left holds for them and the right does not. Both are entailments without the variables
//! that have values: `true |= left`, and `right |= false` for whatever its existential variables are. A run is one if its first state
//! is a start, each step an instance of its transition, and its last state contradicts the property: entailments again. So the engine
//! is asked for derivations of these and the checker has to accept them. If that fails, the answer is open.

use tenet_engine::published::Recursive;
use tenet_engine::recursive::{Counterexample, Run};
use tenet_engine::{Claim, Engine, Outcome, PropertyClaim, Subject, Violation, Watch};
use tenet_proof::recursive::check;
use tenet_solve::Limits;
use tenet_system::recursive::{Entailment, Goal, Program, State};
use tenet_term::{Role, Substitution, SymbolId, TermId, TermStore};

/// What was refuted, and confirmed, by position: entailments, and behind them properties.
#[derive(Clone, Debug, Default)]
pub struct Refutations(Vec<usize>);

impl Refutations {
    /// Confirms what the engine calls violated.
    pub fn confirm(program: &Program, outcome: &Outcome, watch: &mut dyn Watch) -> Refutations {
        let first_property = program.obligations.len();
        let mut confirmed = Vec::new();
        for PropertyClaim { property: place, claim } in &outcome.claims {
            let is_refuted = match claim {
                Claim::Violation(Violation::Entailment(found)) => {
                    are_proved(program, watch, |program| against_entailment(program, *place, found))
                }
                Claim::Violation(Violation::Process(run)) => are_proved(program, watch, |program| {
                    against_property(program, place.checked_sub(first_property)?, run)
                }),
                Claim::Violation(Violation::System(_)) | Claim::Proof | Claim::Open(_) => false,
            };
            if is_refuted {
                confirmed.push(*place);
            }
        }
        Refutations(confirmed)
    }

    /// Is this entailment or property refuted?
    pub fn has(&self, place: usize) -> bool {
        self.0.contains(&place)
    }
}

/// Are there derivations of these claims that the checker accepts? No claims at all prove nothing.
fn are_proved(
    program: &Program,
    watch: &mut dyn Watch,
    claims: impl FnOnce(&mut Program) -> Option<Vec<Entailment>>,
) -> bool {
    let mut asked = program.clone();
    let Some(claims) = claims(&mut asked) else { return false };
    asked.obligations = claims;
    asked.process = None;
    let all: Vec<usize> = (0..asked.obligations.len()).collect();
    let outcome = Recursive::default().run(Subject::Program(&mut asked), &all, watch);
    let Some(proof) = outcome.derivations() else { return false };
    let is_proved = !all.is_empty() && proof.obligations.iter().all(Option::is_some);
    is_proved && check(&mut asked, proof, Limits::until(watch.interrupt())).is_ok()
}

/// That the left is true, and the right false.
fn against_entailment(
    program: &mut Program,
    place: usize,
    found: &Counterexample,
) -> Option<Vec<Entailment>> {
    let Entailment { variables, left, existentials, right, .. } = program.obligations[place].clone();
    contradiction(&mut program.store, &variables, &found.values, left, &existentials, right)
}

/// The claims that values contradict an entailment.
fn contradiction(
    store: &mut TermStore,
    variables: &[SymbolId],
    values: &[(SymbolId, TermId)],
    left: Goal,
    existentials: &[SymbolId],
    right: Goal,
) -> Option<Vec<Entailment>> {
    if !is_complete(store, variables, values) {
        return None;
    }
    let here = Substitution::from_pairs(store, values.iter().copied());
    let holds = left.substitute(store, &here);
    let opened: Vec<SymbolId> = existentials.iter().map(|&symbol| any(store, symbol)).collect();
    let terms: Vec<TermId> = opened.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
    let opening = Substitution::from_pairs(store, existentials.iter().copied().zip(terms));
    let fails = right.substitute(store, &here).substitute(store, &opening);
    let never = Goal { atoms: Vec::new(), constraint: TermId::FALSE };
    Some(vec![claim(Vec::new(), nothing(), Vec::new(), holds), claim(opened, fails, Vec::new(), never)])
}

/// That the run begins in a start, takes transitions, and ends where the property is false.
fn against_property(program: &mut Program, place: usize, run: &Run) -> Option<Vec<Entailment>> {
    let process = program.process.clone()?;
    let store = &mut program.store;
    let is_ground = |lists: &[Vec<TermId>]| lists.iter().flatten().all(|&term| is_value(store, term));
    let width = process.parameters.len();
    if !is_ground(&run.states) || !is_ground(&run.choices) {
        return None;
    }
    if run.states.iter().any(|state| state.len() != width) || run.choices.len() != run.states.len() {
        return None;
    }
    if run.states.len() != run.transitions.len() + 1 {
        return None;
    }
    let State { variables, args, goal, .. } = &process.start;
    let mut claims = vec![instance(store, variables, &run.choices[0], &[(&run.states[0], args)], goal)?];
    let steps = run.states.windows(2).zip(&run.choices[1..]).zip(&run.transitions);
    for ((pair, chosen), &transition) in steps {
        let taken = process.transitions.get(transition)?;
        let ends = [(&pair[0], &taken.from), (&pair[1], &taken.to)];
        claims.push(instance(store, &taken.variables, chosen, &ends, &taken.goal)?);
    }
    let property = process.properties.get(place)?.clone();
    let last = run.states.last()?;
    let mut parts = equations(store, last, &property.state.args);
    parts.push(property.state.goal.constraint);
    let left = Goal { atoms: property.state.goal.atoms, constraint: store.mk_and(parts) };
    let variables = &property.state.variables;
    claims.extend(contradiction(
        store,
        variables,
        &run.witness,
        left,
        &property.existentials,
        property.right,
    )?);
    Some(claims)
}

/// That a goal holds for these values of its variables, and that states are what it says.
fn instance(
    store: &mut TermStore,
    variables: &[SymbolId],
    values: &[TermId],
    states: &[(&Vec<TermId>, &Vec<TermId>)],
    goal: &Goal,
) -> Option<Entailment> {
    if variables.len() != values.len() {
        return None;
    }
    let mut parts = vec![goal.constraint];
    for (state, args) in states {
        parts.extend(equations(store, state, args));
    }
    let goal = Goal { atoms: goal.atoms.clone(), constraint: store.mk_and(parts) };
    let here = Substitution::from_pairs(store, variables.iter().copied().zip(values.iter().copied()));
    let goal = goal.substitute(store, &here);
    Some(claim(Vec::new(), nothing(), Vec::new(), goal))
}

fn equations(store: &mut TermStore, left: &[TermId], right: &[TermId]) -> Vec<TermId> {
    left.iter().zip(right).map(|(&here, &there)| store.mk_eq(here, there)).collect()
}

/// Has every variable one value, which speaks of no other variable?
fn is_complete(store: &TermStore, variables: &[SymbolId], values: &[(SymbolId, TermId)]) -> bool {
    let has_one = |symbol: &SymbolId| values.iter().filter(|(known, _)| known == symbol).count() == 1;
    values.len() == variables.len()
        && variables.iter().all(has_one)
        && values.iter().all(|&(_, value)| is_value(store, value))
}

fn is_value(store: &TermStore, term: TermId) -> bool {
    store.is_closed(term) && store.free_symbols(term).is_empty()
}

fn nothing() -> Goal {
    Goal { atoms: Vec::new(), constraint: TermId::TRUE }
}

fn claim(variables: Vec<SymbolId>, left: Goal, existentials: Vec<SymbolId>, right: Goal) -> Entailment {
    let (name, source) = ("claim".to_string(), Default::default());
    Entailment { name, source, variables, left, existentials, right }
}

/// A variable that stands for any value of an existential one.
fn any(store: &mut TermStore, symbol: SymbolId) -> SymbolId {
    let known = store.symbol(symbol).clone();
    store.fresh(&known.name, known.sort, Role::Index)
}
