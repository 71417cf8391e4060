//! The report on a proof about a constraint logic program. What is called proved is decided here, from what the checker has accepted.

use super::refutation::Refutations;
use super::{Confirmed, Found};
use crate::confirm::solver_name;
use crate::job::Job;
use crate::judge::{explanation, limit, reason};
use crate::machine;
use std::time::Duration;
use tenet_engine::recursive::{self, LeftSide, Rules};
use tenet_engine::{Claim, Details, Open, Reason as Why, Violation};
use tenet_report::codes;
use tenet_report::number::counted;
use tenet_report::recursive::run::run;
use tenet_report::recursive::value::value;
use tenet_report::recursive::view::view;
use tenet_report::recursive::{ItemKind, Names, Recursive};
use tenet_report::run::Run;
use tenet_report::trust::{Finding, Kind, Trust};
use tenet_report::view::{self, Property, Reason, Report, Statistics, Verdict};
use tenet_system::finite::program::Source;
use tenet_system::recursive::tree::{self, Child, Fate};
use tenet_system::recursive::{Program, Proof, Safety};
use tenet_term::{Op, SymbolId, TermId};

/// What is known when everything is done.
pub struct Facts<'a> {
    pub job: &'a Job<'a>,
    pub found: &'a Found,
    /// What was accepted.
    pub confirmed: &'a Option<Confirmed>,
    /// What is refuted, and confirmed.
    pub refutations: &'a Refutations,
}

impl Facts<'_> {
    /// The whole report. The program is changed only by terms added to its store.
    pub fn report(&self, program: &mut Program) -> Report {
        let recursive = self.recursive(program);
        let properties = self.properties(program);
        let nothing_asked = properties.is_empty().then(|| {
            let hint = "add an entailment, `prove p(X) |= q(X).`, or a `property`";
            reason(&codes::NO_PROPERTY, "there is nothing to prove", hint)
        });
        let verdict = match nothing_asked {
            Some(_) => Verdict::Unknown,
            None => Verdict::of_all(properties.iter().map(|property| property.verdict)),
        };
        let trust = (verdict == Verdict::Safe).then(|| self.trust(program, &recursive));
        let elapsed = self.job.seconds();
        Report {
            file: self.job.problem.source().name.clone(),
            verdict,
            headline: headline(verdict, &properties, &recursive),
            instance: view::Instance::default(),
            checked: String::new(),
            properties,
            abstraction: None,
            refinement: Vec::new(),
            hybrid: Vec::new(),
            recursive: Some(recursive),
            statistics: Statistics {
                smt_calls: self.found.outcome.statistics.solver_calls,
                smt_seconds: self.found.outcome.statistics.solver_seconds,
                seconds: elapsed,
                peak_memory_mb: machine::peak_memory_mb(),
                search: None,
            },
            proved_axioms: Vec::new(),
            trust,
            reason: nothing_asked,
            assumptions: Vec::new(),
            certificate: self.confirmed.as_ref().map(|confirmed| view::Certificate {
                file: None,
                checks: confirmed.certificate.checks,
                solver: solver_name(),
            }),
            notes: Vec::new(),
        }
    }

    /// What is shown of the proof: what was chosen, with values where it is refuted.
    fn recursive(&self, program: &mut Program) -> Recursive {
        let nothing = Proof::default();
        let names = match self.job.question.choices.recursive.rules {
            Rules::Tenet => Names::Tenet,
            Rules::Paper => Names::Paper,
        };
        let mut recursive = view(program, self.found.proof().unwrap_or(&nothing), names);
        let mut items = Vec::new();
        for (place, mut item) in recursive.items.into_iter().enumerate() {
            if let Some(Violation::Entailment(found)) = self.refuted(place) {
                let name = |symbol| program.store.symbol(symbol).name.clone();
                let values = found.values.iter();
                item.counterexample =
                    values.map(|&(symbol, term)| (name(symbol), value(program, term))).collect();
            }
            item.refused = self.refused(place);
            if self.found.chosen.contains(&place) {
                items.push(item);
            }
        }
        recursive.items = items;
        recursive
    }

    /// Transitions that are impossible in every node of the computation tree can never be taken; and an entailment with an empty
    /// left-hand side says nothing.
    fn trust(&self, program: &Program, recursive: &Recursive) -> Trust {
        let entailments = program.obligations.len();
        let (obligations, properties): (Vec<usize>, Vec<usize>) =
            self.found.chosen.iter().partition(|&&place| place < entailments);
        let process = program.process.as_ref().filter(|_| !properties.is_empty());
        let transitions = process.map_or(&[][..], |process| &process.transitions[..]);
        let tree = self.found.proof().and_then(|proof| proof.tree.as_ref());
        let nodes = tree.iter().flat_map(|tree| &tree.nodes);
        let children: Vec<&Vec<Child>> = nodes
            .filter_map(|node| match &node.fate {
                Fate::Expanded { children, .. } => Some(children),
                _ => None,
            })
            .collect();
        let is_taken = |place: usize| {
            children.iter().any(|children| matches!(children[place].outcome, tree::Outcome::Node(..)))
        };
        let never = transitions.iter().enumerate().filter(|(place, _)| !is_taken(*place));
        let rules = never.map(|(_, transition)| {
            let (kind, name) = (Kind::Rule, transition.name.clone());
            Finding { kind, name, property: None, is_proved: true }
        });
        let left_sides = obligations.iter().zip(&recursive.items);
        let left_sides = left_sides.filter_map(|(&place, item)| {
            let known = &program.obligations[place];
            let claims_emptiness = known.right.atoms.is_empty()
                && matches!(program.store.op(known.right.constraint), Op::Bool(false));
            let is_proved = match self.details().map_or(LeftSide::Open, |details| details.left_sides[place]) {
                _ if claims_emptiness => return None,
                LeftSide::Inhabited => return None,
                LeftSide::Empty => true,
                LeftSide::Open => false,
            };
            let (left, _) = item.statement.split_once(" |= ").unwrap_or((&item.statement, ""));
            let (name, property) = (left.to_string(), Some(known.name.clone()));
            Some(Finding { kind: Kind::Antecedent, name, property, is_proved })
        });
        let findings: Vec<Finding> = rules.chain(left_sides).collect();
        // Whether transitions are taken is only known of those that never are.
        let explored = transitions.is_empty().then(Vec::new);
        Trust {
            rules: transitions.len(),
            antecedents: obligations.len(),
            findings,
            explored,
            ..Trust::default()
        }
    }

    /// What the published rules would have derived.
    fn refused(&self, place: usize) -> Option<String> {
        let refused = self.details()?.refused.get(place)?.as_ref()?;
        let steps = match refused.steps.split_last()? {
            (last, []) => last.clone(),
            (last, before) => format!("{} and {last}", before.join(", ")),
        };
        Some(format!("the rules as printed derive it by {steps}: {}", refused.reason))
    }

    fn details(&self) -> Option<&recursive::Details> {
        match &self.found.outcome.statistics.details {
            Details::Recursive(details) => Some(details),
            _ => None,
        }
    }

    /// What contradicts an entailment or a property, if it is confirmed.
    fn refuted(&self, place: usize) -> Option<&Violation> {
        match self.found.outcome.claim(place)? {
            Claim::Violation(violation) if self.refutations.has(place) => Some(violation),
            Claim::Violation(_) | Claim::Proof | Claim::Open(_) => None,
        }
    }

    fn properties(&self, program: &Program) -> Vec<Property> {
        let took = self.details().map(|details| &details.report);
        let listed = self.found.chosen.iter().map(|&place| match program.obligations.get(place) {
            Some(known) => {
                let took = took.and_then(|took| took.obligations.get(place).copied()).unwrap_or_default();
                let unsafe_because =
                    reason(&codes::ENTAILMENT, "there are values for which it is false", None);
                let not_shown =
                    reason(&codes::NOT_DERIVED, "no derivation and no counterexample was found", None);
                let judged = self.judged(place, unsafe_because, not_shown);
                self.property(&known.name, known.source, took, judged)
            }
            None => {
                let process = program.process.as_ref().expect("invariant: only a process has properties");
                let known = &process.properties[place - program.obligations.len()];
                let unsafe_because = reason(&codes::INVARIANT, "a run leads to where it is false", None);
                let not_shown = reason(&codes::TREE_OPEN, "the computation tree does not show it", None);
                let judged = self.judged(place, unsafe_because, not_shown);
                let took = took.map_or(Duration::ZERO, |took| took.process);
                let trace = self.trace(program, place, known);
                Property { trace, ..self.property(&known.name, known.source, took, judged) }
            }
        });
        listed.collect()
    }

    fn property(
        &self,
        name: &str,
        source: Source,
        took: Duration,
        (verdict, reason): (Verdict, Option<Reason>),
    ) -> Property {
        Property {
            name: name.to_string(),
            verdict,
            engine: self.found.engine,
            seconds: took.as_secs_f64(),
            reason,
            failure: None,
            location: Some(self.job.problem.text().locate(source)),
            trace: None,
            written: None,
        }
    }

    /// The verdict on an entailment or a property, with the reason if it is violated, and if it is claimed but not a part of what was
    /// accepted.
    fn judged(&self, place: usize, unsafe_because: Reason, not_shown: Reason) -> (Verdict, Option<Reason>) {
        let claim = self.found.outcome.claim(place);
        let is_proved = self.confirmed.as_ref().is_some_and(|confirmed| confirmed.is_proved(place));
        let open = |reason: Reason| (Verdict::Unknown, Some(reason));
        match claim {
            Some(Claim::Open(why)) if why.reason == Why::Vacuous => open(self.open(why)),
            _ if is_proved => (Verdict::Safe, None),
            Some(Claim::Violation(_)) if self.refutations.has(place) => {
                (Verdict::Unsafe, Some(unsafe_because))
            }
            Some(Claim::Violation(_)) => open(self.stopped().unwrap_or_else(unconfirmed)),
            Some(Claim::Open(why)) => open(self.open(why)),
            Some(Claim::Proof) | None => open(self.stopped().unwrap_or(not_shown)),
        }
    }

    fn open(&self, open: &Open) -> Reason {
        let text = open.why.clone();
        match open.reason {
            Why::Stopped(_) => self.stopped(),
            _ => None,
        }
        .unwrap_or(Reason { explanation: explanation(open.reason), text, hint: open.hint.clone() })
    }

    /// The run that violates a property.
    fn trace(&self, program: &Program, place: usize, known: &Safety) -> Option<Run> {
        let Violation::Process(found) = self.refuted(place)? else { return None };
        // What only names a part of the last state is there already.
        let is_state =
            |symbol| known.state.args.iter().any(|&arg| program.store.as_symbol(arg) == Some(symbol));
        let witness: Vec<(SymbolId, TermId)> =
            found.witness.iter().copied().filter(|(symbol, _)| !is_state(*symbol)).collect();
        run(program, &found.states, &found.transitions, &found.choices, &known.name, &witness)
    }

    fn stopped(&self) -> Option<Reason> {
        let outcome = &self.found.outcome;
        let stop = outcome.stop?;
        let hint = Open::stopped(stop, &outcome.so_far).hint;
        Some(limit(stop, &outcome.so_far, self.job.budget.limit(), self.job.budget.memory(), &hint))
    }
}

/// That a counterexample could not be confirmed.
fn unconfirmed() -> Reason {
    let text = "values that seem to contradict it were found, but could not be confirmed";
    reason(&codes::NO_CERTIFICATE, text, "look at small values by hand")
}

/// What follows the verdict on its line.
fn headline(verdict: Verdict, properties: &[Property], recursive: &Recursive) -> String {
    let with: Vec<(&Property, ItemKind)> =
        properties.iter().zip(recursive.items.iter().map(|item| item.kind)).collect();
    let of = |wanted: Verdict| with.iter().filter(move |(property, _)| property.verdict == wanted);
    match verdict {
        Verdict::Safe => {
            let count = |kind: ItemKind, noun: &str| {
                let count = with.iter().filter(|(_, known)| *known == kind).count() as u64;
                (count > 0).then(|| counted(count, noun))
            };
            let parts = [count(ItemKind::Entailment, "entailment"), count(ItemKind::Property, "property")];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            let verb = if with.len() == 1 { "is" } else { "are" };
            format!("{} {verb} proved", parts.join(" and "))
        }
        Verdict::Unsafe | Verdict::Unknown => {
            let what =
                if verdict == Verdict::Unsafe { "does not hold" } else { "is neither proved nor refuted" };
            let names: Vec<String> = of(verdict)
                .map(|(property, kind)| format!("{} \"{}\"", kind.word(), property.name))
                .collect();
            match names.as_slice() {
                [only] => format!("{only} {what}"),
                [first, rest @ ..] => {
                    let others = counted(rest.len() as u64, "other");
                    let what = what.replace("does not", "do not").replace("is neither", "are neither");
                    format!("{first} and {others} {what}")
                }
                [] => "there is nothing to prove".to_string(),
            }
        }
    }
}
