//! Why there is no proof: after a search for lemmas has ended without one, the smallest counterexample to induction is looked for, within
//! a bounded amount of work and the time that is left.

use crate::answer::NoAnswer;
use crate::attempt::Attempt;
use crate::confirm::Confirmation;
use crate::job::Job;
use crate::judge;
use crate::watcher::Watcher;
use tenet_engine::induct::{Counterexample, Induction as Found, explain};
use tenet_engine::{Open, Reason, Stop};
use tenet_lang::frontend::Model;
use tenet_report::induction::{self, Induction, Proposal, ShownCounterexample, ShownNearby};
use tenet_report::lemma;
use tenet_system::{Lemma, System};

/// The engines whose open ends are explained so: they look for lemmas about all states.
const ENGINES: [&str; 2] = ["direct", "refine"];

/// Is what this engine leaves open explained by a counterexample to induction?
pub(crate) fn is_explained(engine: &str) -> bool {
    ENGINES.contains(&engine)
}

/// Puts what stands in the way beside the reasons why properties are open.
pub(crate) fn add(
    job: &Job<'_>,
    system: &mut System,
    tried: &mut Attempt,
    chosen: &[usize],
) -> Result<(), NoAnswer> {
    let is_proved = |property: &usize| match &tried.confirmation {
        Confirmation::Verified { properties, .. } => properties.contains(property),
        Confirmation::NotTried | Confirmation::Gap(_) | Confirmation::Rejected(_) => false,
    };
    let says_nothing =
        |open: &Open| matches!(open.reason, Reason::Unfit | Reason::AnotherViolated | Reason::Vacuous);
    let is_settled = chosen.iter().all(is_proved)
        || tried.outcome.first_open().is_some_and(says_nothing)
        || judge::vacuity(&tried.outcome, chosen).is_some();
    let is_cancelled = job.budget.is_cancelled() || tried.stop == Some(Stop::Memory);
    let is_asked = !job.is_about_reads && !job.is_published_method() && is_explained(tried.engine);
    if is_settled || is_cancelled || !is_asked {
        return Ok(());
    }
    let watcher = Watcher::start(job.budget, job.observer)?;
    let open: Vec<usize> = chosen.iter().copied().filter(|property| !is_proved(property)).collect();
    let mut progressed = tried.outcome.progressed.clone();
    if tried.confirmation.certificate().is_some() {
        progressed.kept.extend(tried.outcome.lemmas().iter().cloned());
    }
    let found = explain(system, chosen, &open, &progressed, &watcher);
    tried.induction = Some(Box::new(found));
    Ok(())
}

/// The same for people.
pub(crate) fn shown(model: Option<&dyn Model>, system: &System, found: &Found) -> Induction {
    // Printing makes terms.
    let mut system = system.clone();
    let is_taken = |name: &String| system.properties.iter().any(|property| property.name == *name);
    let names: Vec<String> = (1..)
        .map(|number| format!("lemma {number}"))
        .filter(|name| !is_taken(name))
        .take(found.candidates.len())
        .collect();
    let named = found.candidates.iter().zip(&names);
    let candidates = named.flat_map(|(lemma, name)| proposal(model, &mut system, name, lemma)).collect();
    Induction {
        step: found.step.as_ref().map(|step| counterexample(&system, found, step)),
        none: found.none.clone(),
        kept: lemma::groups(&mut system.store, &found.kept),
        candidates,
    }
}

fn proposal(model: Option<&dyn Model>, system: &mut System, name: &str, lemma: &Lemma) -> Option<Proposal> {
    let formula = induction::formulas(&mut system.store, std::slice::from_ref(lemma)).pop()?;
    let invariant = model.and_then(|model| model.invariant(system, name, lemma, &formula));
    Some(Proposal { lemma: formula, invariant })
}

fn counterexample(system: &System, found: &Found, step: &Counterexample) -> ShownCounterexample {
    let taken = &step.step;
    let near = found.nearby.as_ref();
    let mut cells = step.cells.clone();
    let more = near.into_iter().flat_map(|nearby| nearby.cells.iter());
    cells.extend(more.filter(|cell| !step.cells.contains(cell)).cloned());
    let shown = induction::shown(system, taken, &step.after, &cells);
    let sizes = taken.sizes.iter();
    let witness = step.witness.iter();
    ShownCounterexample {
        sizes: sizes.map(|&(sort, size)| (system.store.sort_name(sort), u64::from(size))).collect(),
        breaks: found.broken.clone(),
        witness: witness.map(|chosen| induction::named(&system.store, chosen)).collect(),
        before: shown.before,
        contents: shown.contents,
        step: shown.step,
        nearby: near.map(|nearby| ShownNearby { states: nearby.states, is_reached: nearby.is_reached }),
    }
}
