//! Counterexamples, confirmed: "refuted" is as strong a claim as "proved" (SPEC 3.2.3), so it is checked in the same way.
//!
//! Values contradict `left |= right` if the left holds for them and the right does not. Both are entailments without the variables
//! that have values: `true |= left`, and `right |= false` for whatever its existential variables are. So the engine is asked
//! for derivations of these two and the checker has to accept them. If that fails, the entailment stays open.

use tenet_engine::Watch;
use tenet_engine::recursive::{Answer, Counterexample, Options, Outcome, recursive};
use tenet_proof::recursive::check;
use tenet_solve::Limits;
use tenet_system::recursive::{Entailment, Goal, Program};
use tenet_term::{Role, Substitution, SymbolId, TermId, TermStore};

/// Leaves open what the engine calls refuted and the checker does not.
pub fn confirm(program: &mut Program, outcome: &mut Outcome, watch: &mut dyn Watch) {
    for (place, answer) in outcome.answers.iter_mut().enumerate() {
        if let Answer::Refuted(found) = answer
            && !is_confirmed(program, place, found, watch)
        {
            *answer = Answer::Open;
        }
    }
}

/// Is the left true for these values, and the right false?
fn is_confirmed(program: &Program, place: usize, found: &Counterexample, watch: &mut dyn Watch) -> bool {
    let mut asked = Program { process: None, ..program.clone() };
    let entailment = asked.obligations[place].clone();
    if !is_complete(&asked.store, &entailment, found) {
        return false;
    }
    asked.obligations = claims(&mut asked.store, &entailment, found).to_vec();
    let outcome = recursive(&mut asked, &Options::default(), watch);
    let is_proved = outcome.proof.obligations.iter().all(Option::is_some);
    let limits = Limits { timeout: None, interrupt: Some(watch.interrupt()) };
    is_proved && check(&mut asked, &outcome.proof, limits).is_ok()
}

/// Has every variable one value, which speaks of no other variable?
fn is_complete(store: &TermStore, entailment: &Entailment, found: &Counterexample) -> bool {
    let values = &found.values;
    let has_one = |symbol: &SymbolId| values.iter().filter(|(known, _)| known == symbol).count() == 1;
    values.len() == entailment.variables.len()
        && entailment.variables.iter().all(has_one)
        && values.iter().all(|&(_, value)| store.is_closed(value) && store.free_symbols(value).is_empty())
}

/// That the left is true, and that the right is false.
fn claims(store: &mut TermStore, entailment: &Entailment, found: &Counterexample) -> [Entailment; 2] {
    let here = Substitution::from_pairs(store, found.values.iter().copied());
    let holds = entailment.left.substitute(store, &here);
    let variables: Vec<SymbolId> = entailment.existentials.iter().map(|&symbol| any(store, symbol)).collect();
    let terms: Vec<TermId> = variables.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
    let opened = Substitution::from_pairs(store, entailment.existentials.iter().copied().zip(terms));
    let fails = entailment.right.substitute(store, &here).substitute(store, &opened);
    let nothing = Goal { atoms: Vec::new(), constraint: TermId::TRUE };
    let never = Goal { atoms: Vec::new(), constraint: TermId::FALSE };
    let claim = |name: &str, variables: Vec<SymbolId>, left: Goal, right: Goal| Entailment {
        name: name.to_string(),
        source: entailment.source,
        variables,
        left,
        existentials: Vec::new(),
        right,
    };
    [claim("left", Vec::new(), nothing, holds), claim("right", variables, fails, never)]
}

/// A variable that stands for any value of an existential one.
fn any(store: &mut TermStore, symbol: SymbolId) -> SymbolId {
    let known = store.symbol(symbol).clone();
    store.fresh(&known.name, known.sort, Role::Index)
}
