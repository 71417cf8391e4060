//! The report on a proof about a constraint logic program. What is called proved is decided here, from what the checker has accepted.

use super::super::confirm::solver_name;
use super::super::job::Job;
use super::super::view::reason;
use super::Found;
use super::refutation::Refutations;
use crate::machine;
use std::time::Duration;
use tenet_engine::Stop;
use tenet_engine::recursive::{self, Answer, LeftSide};
use tenet_proof::Certificate;
use tenet_proof::recursive::Proved;
use tenet_report::codes;
use tenet_report::number::{counted, megabytes, seconds};
use tenet_report::recursive::run::run;
use tenet_report::recursive::value::value;
use tenet_report::recursive::view::view;
use tenet_report::recursive::{ItemKind, Recursive};
use tenet_report::run::Run;
use tenet_report::trust::{Finding, Kind, Trust};
use tenet_report::view::{self, Property, Reason, Report, Statistics, Verdict};
use tenet_system::finite::program::Source;
use tenet_system::recursive::tree::{self, Child, Fate};
use tenet_system::recursive::{Program, Safety, indexed};
use tenet_term::{Op, SymbolId, TermId};

/// What is known when everything is done.
pub struct Facts<'a> {
    pub job: &'a Job<'a>,
    pub found: &'a Found,
    /// The certificate that was accepted, and what it proves.
    pub confirmed: &'a Option<(Certificate, Proved)>,
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
            file: self.job.input.file.clone(),
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
                smt_calls: self.found.outcome.report.solver_calls,
                smt_seconds: 0.0,
                seconds: elapsed,
                peak_memory_mb: machine::peak_memory_mb(),
                search: None,
            },
            proved_axioms: Vec::new(),
            trust,
            reason: nothing_asked,
            assumptions: Vec::new(),
            certificate: self.confirmed.as_ref().map(|(certificate, _)| view::Certificate {
                file: None,
                checks: certificate.checks,
                solver: solver_name(),
            }),
            notes: Vec::new(),
        }
    }

    /// What is shown of the proof: what was chosen, with values where it is refuted.
    fn recursive(&self, program: &mut Program) -> Recursive {
        let mut recursive = view(program, &self.found.outcome.proof);
        let first_property = program.obligations.len();
        let mut items = Vec::new();
        for (place, mut item) in recursive.items.into_iter().enumerate() {
            let is_chosen = match place.checked_sub(first_property) {
                None => self.found.chosen.obligations.contains(&place),
                Some(property) => self.found.chosen.properties.contains(&property),
            };
            if let Some(Answer::Refuted(found)) = self.found.outcome.answers.get(place)
                && self.refutations.obligations[place]
            {
                let name = |symbol| program.store.symbol(symbol).name.clone();
                let values = found.values.iter();
                item.counterexample =
                    values.map(|&(symbol, term)| (name(symbol), value(program, term))).collect();
            }
            if is_chosen {
                items.push(item);
            }
        }
        recursive.items = items;
        recursive
    }

    /// Transitions that are impossible in every node of the computation tree can never be taken; and an entailment with an empty
    /// left-hand side says nothing.
    fn trust(&self, program: &Program, recursive: &Recursive) -> Trust {
        let process = program.process.as_ref().filter(|_| !self.found.chosen.properties.is_empty());
        let transitions = process.map_or(&[][..], |process| &process.transitions[..]);
        let nodes = self.found.outcome.proof.tree.iter().flat_map(|tree| &tree.nodes);
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
        let left_sides = self.found.chosen.obligations.iter().zip(&recursive.items);
        let left_sides = left_sides.filter_map(|(&place, item)| {
            let known = &program.obligations[place];
            let claims_emptiness = known.right.atoms.is_empty()
                && matches!(program.store.op(known.right.constraint), Op::Bool(false));
            let is_proved = match self.found.outcome.left_sides[place] {
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
            antecedents: self.found.chosen.obligations.len(),
            findings,
            explored,
            ..Trust::default()
        }
    }

    fn properties(&self, program: &Program) -> Vec<Property> {
        let obligations = self.found.chosen.obligations.iter().map(|&place| {
            let known = &program.obligations[place];
            let took = self.found.outcome.report.obligations.get(place).copied().unwrap_or_default();
            self.property(&known.name, known.source, took, self.obligation(place))
        });
        let properties = program.process.iter().flat_map(|process| {
            self.found.chosen.properties.iter().map(|&place| {
                let known = &process.properties[place];
                let took = self.found.outcome.report.process;
                let property =
                    self.property(&known.name, known.source, took, self.of_process(program, place));
                let trace = self.trace(program, place, known);
                Property { trace: trace.filter(|_| property.verdict == Verdict::Unsafe), ..property }
            })
        });
        obligations.chain(properties).collect()
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
            engine: "recursive",
            seconds: took.as_secs_f64(),
            reason,
            failure: None,
            location: Some(self.job.input.text().locate(source)),
            trace: None,
        }
    }

    fn obligation(&self, place: usize) -> (Verdict, Option<Reason>) {
        let proved = self.confirmed.as_ref().is_some_and(|(_, proved)| proved.obligations[place]);
        match &self.found.outcome.answers[place] {
            _ if proved => (Verdict::Safe, None),
            Answer::Refuted(_) if self.refutations.obligations[place] => {
                let text = "there are values for which it is false";
                (Verdict::Unsafe, Some(reason(&codes::ENTAILMENT, text, None)))
            }
            Answer::Refuted(_) => (Verdict::Unknown, Some(self.stopped().unwrap_or_else(unconfirmed))),
            Answer::Proved | Answer::Open => {
                let not_found = || {
                    let hint = "state what is missing as another `prove` in front of it, or raise --timeout";
                    reason(&codes::NOT_DERIVED, "no derivation and no counterexample was found", hint)
                };
                (Verdict::Unknown, Some(self.stopped().unwrap_or_else(not_found)))
            }
        }
    }

    fn of_process(&self, program: &Program, place: usize) -> (Verdict, Option<Reason>) {
        let proved = self.confirmed.as_ref().is_some_and(|(_, proved)| proved.properties[place]);
        let open = |why: &dyn Fn() -> Reason| (Verdict::Unknown, Some(self.stopped().unwrap_or_else(why)));
        match self.found.outcome.properties.get(place) {
            _ if proved && self.found.outcome.is_vacuous => {
                let text = "no start is possible, so a proof would be vacuous";
                (Verdict::Unknown, Some(reason(&codes::VACUOUS, text, "mend what `start` demands")))
            }
            _ if proved => (Verdict::Safe, None),
            Some(recursive::Verdict::Violated(_)) if self.refutations.properties[place] => {
                (Verdict::Unsafe, Some(reason(&codes::INVARIANT, "a run leads to where it is false", None)))
            }
            Some(recursive::Verdict::Violated(_)) => open(&unconfirmed),
            _ => open(&|| self.why_not_shown(program, place)),
        }
    }

    /// The run that violates a property.
    fn trace(&self, program: &Program, place: usize, known: &Safety) -> Option<Run> {
        match self.found.outcome.properties.get(place) {
            Some(recursive::Verdict::Violated(found)) if self.refutations.properties[place] => {
                // What only names a part of the last state is there already.
                let is_state =
                    |symbol| known.state.args.iter().any(|&arg| program.store.as_symbol(arg) == Some(symbol));
                let witness: Vec<(SymbolId, TermId)> =
                    found.witness.iter().copied().filter(|(symbol, _)| !is_state(*symbol)).collect();
                run(program, &found.states, &found.transitions, &found.choices, &known.name, &witness)
            }
            _ => None,
        }
    }

    /// Which node stands in the way of a property.
    fn why_not_shown(&self, program: &Program, property: usize) -> Reason {
        let nodes = self.found.outcome.proof.tree.iter().flat_map(|tree| &tree.nodes).enumerate();
        let open = nodes.clone().find(|(_, node)| matches!(node.fate, Fate::Open));
        if let Some((place, _)) = open {
            let text = format!("the computation tree is not closed: node {} stayed open", place + 1);
            let hint = "give an abstraction for it with `abstract … by …`, and look at the tree with --report OUT.html";
            let known = reason(&codes::TREE_OPEN, &text, hint);
            return match indexed::system(program) {
                Ok(_) => Reason { hint: Some(without_recursion(program, property)), ..known },
                Err(_) => known,
            };
        }
        let missing = nodes.clone().find(|(_, node)| match &node.fate {
            Fate::Expanded { properties, .. } => !matches!(properties.get(property), Some(Some(_))),
            _ => false,
        });
        let text = match missing {
            Some((place, _)) => {
                format!("no derivation shows it of node {} of the computation tree", place + 1)
            }
            None => "there is no computation tree".to_string(),
        };
        let hint = "keep more in an abstraction, or state what is missing as a `prove`";
        reason(&codes::NOT_SHOWN, &text, hint)
    }

    fn stopped(&self) -> Option<Reason> {
        Some(match self.found.outcome.stopped? {
            Stop::Interrupt | Stop::Settled => {
                reason(&codes::INTERRUPTED, "interrupted before a derivation was found", "let it run longer")
            }
            Stop::Timeout => {
                let limit =
                    self.job.budget.limit().map_or(String::new(), |limit| format!(" of {}", seconds(limit)));
                let text = format!("the time limit{limit} was reached before a derivation was found");
                reason(&codes::LIMIT, &text, "raise --timeout")
            }
            Stop::Memory => {
                let limit = megabytes(self.job.budget.memory());
                let text = format!("the memory limit of {limit} was reached before a derivation was found");
                reason(&codes::LIMIT, &text, "raise --memory")
            }
        })
    }
}

/// What to try where all definitions say something of each place, so that other engines can read them.
fn without_recursion(program: &Program, property: usize) -> String {
    let name = program.process.as_ref().map_or("", |process| &process.properties[property].name);
    format!(
        "give an abstraction for it with `abstract … by …`, or try --engine direct --property \"{name}\", which reads these \
         definitions as quantifiers"
    )
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
