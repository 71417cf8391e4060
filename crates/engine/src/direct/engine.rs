//! `direct` behind the interface of all engines.

use super::Options;
use super::halt::Halt;
use super::search::Search;
use crate::common::watch::Watch;
use crate::induct::Progressed;
use crate::interface::{
    BEFORE_LEMMAS, Engine, InstanceSearch, MADE_FOR_IT, Obstacle, Open, Outcome, Reason, Subject, Unfit,
};
use crate::refine::is_program;
use tenet_system::{Advice, Circuit, System};
use tenet_term::{Op, Sort, TermId};
use tracing::{info, info_span};

/// The search for an invariant, guided by samples of small instances.
#[derive(Clone, Copy, Debug)]
pub struct Direct {
    pub options: Options,
    /// Whether the system is the reading of a recursive program without recursion, for which there is another engine.
    pub is_reading_of_program: bool,
}

impl Engine for Direct {
    fn name(&self) -> &'static str {
        "direct"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        match takes_functions(subject.system(self.name())?) {
            true => Err(functional()),
            false => Ok(()),
        }
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        let Subject::System(system) = subject else {
            return Outcome::unfit(properties, Unfit::for_systems(self.name()));
        };
        let seed = self.options.seed;
        let _span = info_span!("direct").entered();
        info!(rules = system.rules.len(), properties = properties.len(), seed, "engine begins");
        if takes_functions(system) {
            return Outcome::unfit(properties, functional());
        }
        let mut search = Search::new(system, properties, self.options, watch);
        let result = search.run();
        let progressed = if result.is_err() { search.progressed() } else { Progressed::default() };
        let (statistics, lemmas) = (search.statistics(), search.lemmas());
        let (warnings, uses) = (search.warnings(), Some(search.uses()));
        let solver_calls = statistics.solver_calls;
        let outcome = match result {
            Ok(()) => {
                info!(lemmas = lemmas.len(), solver_calls, "engine ends with a proof");
                Outcome::proof(properties, lemmas, Advice { uses, ..Advice::default() })
            }
            Err(halt) => {
                info!(?halt, solver_calls, "engine ends without a proof");
                Outcome::open(properties, self.open(system, halt))
            }
        };
        Outcome { warnings, statistics, progressed, so_far: BEFORE_LEMMAS.to_string(), ..outcome }
    }

    fn instance_search(&self) -> InstanceSearch {
        InstanceSearch::Beside
    }

    fn if_unconfirmed(&self) -> Option<&'static str> {
        Some("choose another --seed")
    }
}

impl Direct {
    pub fn new(options: Options) -> Direct {
        Direct { options, is_reading_of_program: false }
    }

    fn open(&self, system: &System, halt: Halt) -> Open {
        let open = |why: String| Open::new(Reason::NoLemmas, why, self.hint(system));
        let seems_violated = |why: &str| Open::new(Reason::SeemsViolated, why, self.hint(system));
        match halt {
            Halt::Stopped(stop) => Open::stopped(stop, BEFORE_LEMMAS),
            Halt::Inconclusive(why) => {
                open(format!("the solver does not know: {why}")).because_of(Obstacle::Words(why))
            }
            Halt::NoInstance(why) => open(format!("there is no small instance to learn from: {why}"))
                .because_of(Obstacle::Words(why)),
            Halt::Violated => seems_violated("a startstate violates it, as far as the solver can tell"),
            Halt::Reached => seems_violated("a state that violates it is reached in a small instance"),
            Halt::Stuck { rule } => {
                let name = &system.rules[rule].name;
                open(format!("no lemma was found that keeps rule \"{name}\" from breaking it"))
                    .because_of(Obstacle::Rule(rule))
            }
            Halt::TooHard => {
                open("every attempt needed too many lemmas, or lemmas about too many elements".to_string())
            }
        }
    }

    /// What to try: another engine if one is made for such systems, and larger instances only where something has a size.
    fn hint(&self, system: &System) -> &'static str {
        if self.is_reading_of_program {
            return "leave `--engine` out: `recursive` also looks for runs that break a property";
        }
        // Building the circuit view adds terms, so it is done on a copy of the system.
        if is_program(system) || Circuit::of(&mut system.clone()).is_some() {
            return MADE_FOR_IT;
        }
        match system.store.sorts().any(|(_, sort)| matches!(sort, Sort::Index { .. })) {
            true => {
                "add an invariant that says why it holds, give predicates, or search larger instances with \
                 `tenet explore --size`"
            }
            false => "add an invariant that says why it holds, or give predicates",
        }
    }
}

/// That a function has functions as arguments, which only `reach` can read.
fn functional() -> Unfit {
    Unfit {
        why: "a definition has arrays as arguments, of which the engine `direct` knows nothing".to_string(),
        hint: "give predicates: the engine `reach` reads such definitions".to_string(),
    }
}

/// Does a function have functions as arguments somewhere? Questions here are incremental, and no solver takes such functions; `reach`
/// gives each of them its versions (`tenet_solve::quantifier`).
fn takes_functions(system: &System) -> bool {
    let store = &system.store;
    let is_function = |&term: &TermId| matches!(store.sort(store.sort_of(term)), Sort::Function { .. });
    let takes_one =
        |term: TermId| *store.op(term) == Op::Apply && store.args(term)[1..].iter().any(is_function);
    let starts =
        system.starts.iter().flat_map(|start| start.values.iter().copied().chain([start.constraint]));
    let rules = system.rules.iter();
    let rules = rules.flat_map(|rule| rule.updates.iter().map(|&(_, value)| value).chain([rule.guard]));
    let axioms = system.axioms.iter().map(|axiom| axiom.formula);
    let properties = system.properties.iter().map(|property| property.formula);
    let asked = starts.chain(rules).chain(axioms).chain(properties);
    store.subterms_of_all(asked).into_iter().any(takes_one)
}
