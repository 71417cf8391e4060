//! The view of a search: the verdicts on the properties after a finished or stopped exploration of one instance.
//!
//! `Safe` is given only if every reachable state was visited. If a limit was reached, or a step could not be executed,
//! properties that were not found violated are unknown.

use crate::codes;
use crate::finding::{self, Described};
use crate::number::{counted, grouped, megabytes};
use crate::run::Presenter;
use crate::source::Text;
use crate::trust::{self, Kind, Trust};
use crate::view::{Instance, Note, Property, Reason, Report, Search, Statistics, Verdict};
use tenet_system::finite::explore::{Deadlock, End, Options, Outcome};
use tenet_system::finite::program::{FaultKind, Probe, Program, PropertyKind};
use tenet_system::finite::trace::{Finding, Trace, site};

/// Why a search was cancelled from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// `--timeout`, in seconds.
    Timeout(f64),
    /// The user.
    Interrupt,
}

/// A search and its context. Its runs must have been replayed.
#[derive(Clone, Debug)]
pub struct Exploration<'a> {
    pub text: Text<'a>,
    pub program: &'a Program,
    pub options: &'a Options,
    pub outcome: &'a Outcome,
    /// Why it was cancelled, if `outcome.end` says that it was.
    pub stop: Option<Stop>,
    pub instance: Instance,
    /// Whether the memory limit was not the user's.
    pub has_default_memory: bool,
    /// Whether the user asks about deadlocks, which makes their absence a property.
    pub is_deadlock_asked: bool,
    /// Wall-clock time.
    pub seconds: f64,
    /// The peak memory of the process.
    pub peak_memory_mb: Option<u64>,
}

const ENGINE: &str = "explore";

impl Exploration<'_> {
    pub fn report(&self) -> Report {
        let properties = self.properties();
        let verdict = Verdict::of_all(properties.iter().map(|property| property.verdict));
        let reason = self.nothing_asked().filter(|_| verdict == Verdict::Safe);
        let verdict = if reason.is_some() { Verdict::Unknown } else { verdict };
        Report {
            file: self.text.file.to_string(),
            verdict,
            headline: self.headline(verdict, &properties),
            trust: (verdict == Verdict::Safe).then(|| self.trust()),
            reason,
            instance: self.instance.clone(),
            checked: self.checked(),
            properties,
            abstraction: None,
            refinement: Vec::new(),
            hybrid: Vec::new(),
            recursive: None,
            statistics: self.statistics(),
            proved_axioms: Vec::new(),
            assumptions: self.of_kind(PropertyKind::Assume).map(|(_, name)| name.to_string()).collect(),
            certificate: None,
            notes: self.notes(),
        }
    }

    /// Whether every reachable state was visited and every step executed.
    fn is_complete(&self) -> bool {
        self.open_reason().is_none()
    }

    /// Why a property that was not found violated is not safe either.
    fn open_reason(&self) -> Option<Reason> {
        self.end_reason().or_else(|| self.limit_reason()).or_else(|| self.no_start()).or_else(|| {
            let stopped = self.outcome.end == End::Found && !self.options.keep_going;
            stopped.then(|| Reason {
                explanation: &codes::STOPPED_AT_FIRST,
                text: "the search stopped at the first violation".to_string(),
                hint: Some("use --keep-going".to_string()),
            })
        })
    }

    /// Without states everything holds vacuously.
    fn no_start(&self) -> Option<Reason> {
        let is_vacuous = self.outcome.end == End::Complete && self.outcome.statistics.states == 0;
        is_vacuous.then(|| Reason {
            explanation: &codes::VACUOUS,
            text: "no startstate is possible, so nothing was checked".to_string(),
            hint: Some("mend the startstates, or the assumptions that exclude them".to_string()),
        })
    }

    /// That the model has no properties: deadlocks and faults are checked in any case.
    fn nothing_asked(&self) -> Option<Reason> {
        let has_covers = self.of_kind(PropertyKind::Cover).count() + self.program.cover_statements.len() > 0;
        let has_properties = !self.selected().is_empty() || !self.statements().is_empty();
        let is_asked = has_properties || has_covers || self.is_deadlock_asked;
        (!is_asked).then(|| Reason {
            explanation: &codes::NO_PROPERTY,
            text: "there is no property to check".to_string(),
            hint: Some("write an invariant, or ask for deadlocks with --deadlock".to_string()),
        })
    }

    /// The limit that ended the search.
    fn end_reason(&self) -> Option<Reason> {
        let smaller = "or take a smaller instance with --size or --const";
        let (explanation, what, hint) = match self.outcome.end {
            End::Complete | End::Found => return None,
            End::Memory => {
                let limit = self.memory_limit();
                (
                    &codes::MEMORY,
                    format!("the memory limit of {limit} was reached"),
                    format!("raise --memory, {smaller}"),
                )
            }
            End::TooManyStates => (
                &codes::TOO_MANY_STATES,
                "there are too many states".to_string(),
                format!("run on fewer processes, {smaller}"),
            ),
            End::Depth => {
                let depth = self.options.max_depth.unwrap_or(self.outcome.statistics.depth);
                (
                    &codes::DEPTH,
                    format!("the depth limit of {} was reached", counted(depth.into(), "step")),
                    "raise --depth".to_string(),
                )
            }
            End::Work => (&codes::TIME, "the limit on work was reached".to_string(), smaller.to_string()),
            End::Stopped => match self.stop {
                Some(Stop::Timeout(limit)) => (
                    &codes::TIME,
                    format!("the time limit of {limit} s was reached"),
                    format!("raise --timeout, {smaller}"),
                ),
                _ => (
                    &codes::INTERRUPTED,
                    "the search was interrupted".to_string(),
                    "let it run longer".to_string(),
                ),
            },
        };
        Some(Reason { explanation, text: what, hint: Some(hint) })
    }

    fn memory_limit(&self) -> String {
        let limit = megabytes(self.options.memory_limit);
        let default = if self.has_default_memory { " (80 % of what was available)" } else { "" };
        format!("{limit}{default}")
    }

    /// A step that could not be executed because of a limit of this tool.
    fn limit_reason(&self) -> Option<Reason> {
        let limit = self.outcome.traces.iter().find(|trace| trace.finding.is_limit(self.program))?;
        let described = finding::describe(self.program, &self.text, &limit.finding);
        Some(self.reason(&described, &limit.finding))
    }

    fn reason(&self, described: &Described, found: &Finding) -> Reason {
        let hint = match found {
            Finding::Deadlock => Some("if runs may end there: --deadlock off"),
            found if found.is_limit(self.program) => Some("bound the variable or loop in the model"),
            _ => None,
        };
        Reason {
            explanation: described.explanation,
            text: described.what.clone(),
            hint: hint.map(str::to_string),
        }
    }

    /// The invariants, the `assert` and `error` statements, deadlock, and the faults.
    fn properties(&self) -> Vec<Property> {
        let presenter = Presenter::new(self.program, self.instance.sizes.clone());
        let mut all: Vec<Property> = self
            .selected()
            .into_iter()
            .map(|(index, name)| self.invariant(&presenter, index, name))
            .collect();
        all.extend(self.statements().into_iter().map(|name| self.not_found(name)));
        if self.options.deadlock != Deadlock::Off {
            all.push(self.not_found("deadlock".to_string()));
        }
        let invariants = self.selected().len();
        let mut has_faults = false;
        // Assumptions and covers have no verdict, but evaluating them may fail.
        let is_listed = |found: &Finding| self.selected().iter().any(|(index, _)| is_about(found, *index));
        for trace in self.outcome.traces.iter().filter(|trace| !is_listed(&trace.finding)) {
            let property = self.found(&presenter, trace);
            // An invariant may have the name "deadlock", too; and several assertions may have one message.
            let is_open = |listed: &&mut Property| listed.name == property.name && listed.trace.is_none();
            match all[invariants..].iter_mut().find(is_open) {
                Some(listed) => *listed = property,
                None => all.push(property),
            }
            has_faults |= self.is_plain_fault(&trace.finding);
        }
        if !has_faults {
            all.push(self.not_found("faults".to_string()));
        }
        all
    }

    /// Whether it is an error of the model that is not about a property.
    fn is_plain_fault(&self, found: &Finding) -> bool {
        let kind = found.fault().map(|fault| site(self.program, &fault).kind);
        kind.is_some_and(|kind| !matches!(kind, FaultKind::Assertion | FaultKind::Error))
    }

    fn invariant(&self, presenter: &Presenter<'_>, index: usize, name: &str) -> Property {
        if let Some(trace) = self.outcome.traces.iter().find(|trace| is_about(&trace.finding, index)) {
            return self.found(presenter, trace);
        }
        let location = finding::locate(&self.text, self.program.properties[index].source);
        Property { location, ..self.not_found(name.to_string()) }
    }

    /// A property that a run violates (or that a limit of this tool leaves open).
    fn found(&self, presenter: &Presenter<'_>, trace: &Trace) -> Property {
        let described = finding::describe(self.program, &self.text, &trace.finding);
        let verdict = if trace.finding.is_limit(self.program) { Verdict::Unknown } else { Verdict::Unsafe };
        let name = match trace.finding {
            Finding::PropertyFault(index, _) => self.program.properties[index].name.clone(),
            _ => described.name.clone(),
        };
        Property {
            verdict,
            reason: Some(self.reason(&described, &trace.finding)),
            trace: Some(presenter.run(&self.text, trace)),
            location: described.location,
            ..self.not_found(name)
        }
    }

    /// A property without a violation: safe if the search was complete.
    fn not_found(&self, name: String) -> Property {
        let reason = self.open_reason();
        Property {
            name,
            verdict: if reason.is_none() { Verdict::Safe } else { Verdict::Unknown },
            engine: ENGINE,
            seconds: self.seconds,
            reason,
            failure: None,
            location: None,
            trace: None,
            written: None,
        }
    }

    fn of_kind(&self, kind: PropertyKind) -> impl Iterator<Item = (usize, &str)> {
        let properties = self.program.properties.iter().enumerate();
        properties
            .filter(move |(_, property)| property.kind == kind)
            .map(|(index, p)| (index, p.name.as_str()))
    }

    /// The invariants that were checked.
    fn selected(&self) -> Vec<(usize, &str)> {
        let chosen =
            |index: &usize| self.options.properties.as_ref().is_none_or(|chosen| chosen.contains(index));
        self.of_kind(PropertyKind::Invariant).filter(|(index, _)| chosen(index)).collect()
    }

    /// The `assert` and `error` statements, by name.
    fn statements(&self) -> Vec<String> {
        let mut names = Vec::new();
        for site in &self.program.sites {
            let word = match site.kind {
                FaultKind::Assertion => "assertion",
                FaultKind::Error => "error",
                _ => continue,
            };
            let location = finding::locate(&self.text, site.source);
            let name = finding::statement_name(word, &site.detail, location.as_ref());
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn headline(&self, verdict: Verdict, properties: &[Property]) -> String {
        let instance = self.instance.describe();
        match verdict {
            Verdict::Safe => {
                format!("no violation in any of the {} of this instance ({instance})", self.states())
            }
            Verdict::Unsafe => {
                let violated: Vec<&Property> =
                    properties.iter().filter(|p| p.verdict == Verdict::Unsafe).collect();
                match violated.as_slice() {
                    [only] => format!("{} ({instance})", violation(only)),
                    several => format!("{} properties are violated ({instance})", several.len()),
                }
            }
            Verdict::Unknown => {
                let reason = self.open_reason().or_else(|| self.nothing_asked());
                if let Some(reason) = self.no_start() {
                    return format!("{} ({instance})", reason.text);
                }
                let why = reason.map_or_else(|| "not decided".to_string(), |reason| reason.text);
                format!(
                    "{why}; no violation in the {} searched ({instance})",
                    counted(self.outcome.statistics.states, "state")
                )
            }
        }
    }

    fn states(&self) -> String {
        let states = self.outcome.statistics.states;
        format!("{} reachable state{}", grouped(states), if states == 1 { "" } else { "s" })
    }

    fn is_reduced(&self) -> bool {
        self.options.symmetry
            && self.program.layout.scalarsets.iter().any(|set| set.symmetric && set.size > 1)
    }

    fn checked(&self) -> String {
        if self.outcome.statistics.states == 0 {
            return String::new();
        }
        let names: Vec<&str> = self.selected().into_iter().map(|(_, name)| name).collect();
        let mut parts = Vec::new();
        match names.as_slice() {
            [] => {}
            [one] => parts.push(format!("invariant {one}")),
            few if few.len() <= 4 => parts.push(format!("invariants {}", few.join(", "))),
            many => parts.push(counted(many.len() as u64, "invariant")),
        }
        let statements = self.statements().len() as u64;
        if statements > 0 {
            parts.push(counted(statements, "assertion"));
        }
        if self.options.deadlock != Deadlock::Off {
            parts.push("deadlock".to_string());
        }
        parts.push("faults such as undefined reads".to_string());
        parts.join("; ")
    }

    fn statistics(&self) -> Statistics {
        let numbers = &self.outcome.statistics;
        let rules = self.program.rules.iter().map(|rule| rule.name.clone());
        let search = Search {
            states: numbers.states,
            rules_fired: numbers.rules_fired,
            depth: numbers.depth,
            state_bytes: numbers.state_bits.div_ceil(8) as u64,
            bytes_per_state: numbers.memory as f64 / numbers.states.max(1) as f64,
            is_reduced: self.is_reduced(),
            threads: self.options.threads,
            fired: rules.zip(self.outcome.fired.iter().copied()).collect(),
        };
        Statistics {
            seconds: self.seconds,
            peak_memory_mb: self.peak_memory_mb,
            search: Some(search),
            ..Statistics::default()
        }
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.outcome.statistics.states == 0 && self.outcome.end == End::Complete {
            let text = "no startstate is possible, so NOTHING was checked".to_string();
            notes.push(Note {
                explanation: &codes::NOTHING_REACHABLE,
                is_warning: true,
                text,
                items: Vec::new(),
            });
            return notes;
        }
        if self.selected().is_empty() && self.statements().is_empty() {
            let text = "the model has no invariants; only deadlock and faults were looked for".to_string();
            notes.push(Note {
                explanation: &codes::NO_INVARIANTS,
                is_warning: true,
                text,
                items: Vec::new(),
            });
        }
        if self.is_complete() {
            notes.extend(self.vacuity());
        }
        notes
    }

    /// The rules that never fired.
    fn unfired(&self) -> Vec<String> {
        let unfired = self.program.rules.iter().zip(&self.outcome.fired).filter(|(_, fired)| **fired == 0);
        unfired.map(|(rule, _)| rule.name.clone()).collect()
    }

    /// The antecedents of implications in what was checked, and whether they were true.
    fn probes(&self) -> impl Iterator<Item = (&Probe, bool)> {
        let chosen: Vec<usize> = self.selected().iter().map(|(index, _)| *index).collect();
        let probes = self.program.probes.iter().zip(self.outcome.probes.iter().copied());
        probes.filter(move |(probe, _)| chosen.contains(&probe.property))
    }

    /// The same as [`Self::vacuity`], as data.
    fn trust(&self) -> Trust {
        let is_proved = true; // Of this instance, all of whose states were visited.
        let rules = self.unfired().into_iter();
        let rules = rules.map(|name| trust::Finding { kind: Kind::Rule, name, property: None, is_proved });
        let probes = self.probes().filter(|(_, seen)| !seen).map(|(probe, _)| trust::Finding {
            kind: Kind::Antecedent,
            name: self.text.quote(probe.source),
            property: Some(self.program.properties[probe.property].name.clone()),
            is_proved,
        });
        let sizes = self.instance.sizes.iter();
        let sizes = sizes.map(|(name, size)| (name.clone(), i64::try_from(*size).unwrap_or(i64::MAX)));
        Trust {
            rules: self.program.rules.len(),
            antecedents: self.probes().count(),
            explored: Some(sizes.collect()),
            findings: rules.chain(probes).collect(),
            ..Trust::default()
        }
    }

    /// Signs of vacuity in a complete search.
    fn vacuity(&self) -> Vec<Note> {
        let unfired = self.unfired();
        let probes = self.probes().filter(|(_, seen)| !seen).map(|(probe, _)| {
            let place = self.text.locate(probe.source);
            format!("{} (line {})", self.text.quote(probe.source), place.line)
        });
        let covers = self.of_kind(PropertyKind::Cover).filter(|(index, _)| !self.outcome.covered[*index]);
        let statements = self.program.cover_statements.iter().zip(&self.outcome.cover_statements);
        let statements = statements.filter(|(_, seen)| !**seen).map(|(name, _)| name.clone());
        let covers = covers.map(|(_, name)| name.to_string()).chain(statements).collect();
        let note = |explanation, text: &str, items: Vec<String>| {
            let note = Note { explanation, is_warning: false, text: text.to_string(), items };
            (!note.items.is_empty()).then_some(note)
        };
        let notes = [
            note(&codes::NEVER_FIRED, "rules that never fired", unfired),
            note(&codes::NEVER_TRUE, "antecedents that are never true", probes.collect()),
            note(&codes::NOT_COVERED, "covers that were not reached", covers),
        ];
        notes.into_iter().flatten().collect()
    }
}

/// The violation and its distance from a startstate.
fn violation(property: &Property) -> String {
    let what = property.reason.as_ref().map_or("violated", |reason| &reason.text);
    let steps = property.trace.as_ref().map_or(0, |run| run.steps.len().saturating_sub(1)) as u64;
    if steps == 0 {
        format!("{what}, at the start")
    } else {
        format!("{what}, after {}", counted(steps, "step"))
    }
}

fn is_about(found: &Finding, property: usize) -> bool {
    matches!(found, Finding::Property(index) | Finding::PropertyFault(index, _) if *index == property)
}
