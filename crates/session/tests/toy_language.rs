//! A language as somebody would add it, through the interface alone: counters.
//!
//! `count 0 by 2 below 8` begins with 0 and adds 2 as long as the number is below 8; `never 7` is a property.

use std::sync::Arc;
use tenet_lang::codes::syntax::NOT_TEXT;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::{Frontend, LANGUAGES, Made, Model, Reading, Scope, Source, Surroundings};
use tenet_report::view::Verdict;
use tenet_session::{Budget, Problem, Question, Unobserved};
use tenet_system::finite::program::{self, Program};
use tenet_system::{Bounds, Property, PropertyKind, Rule, Start, StateVar, System};
use tenet_term::{Role, SortId, TermId};

struct CounterLanguage;

/// What is written.
struct Counter {
    start: i64,
    step: i64,
    limit: i64,
    never: Vec<i64>,
}

fn refused(message: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::global(&NOT_TEXT, message)]
}

impl Frontend for CounterLanguage {
    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        &[("count", "counters")]
    }

    fn scope(&self) -> Scope {
        Scope { noun: "counters", refusal: &NOT_TEXT, takes_predicates: false, is_design: false }
    }

    fn read(&self, source: &Source, reading: &Reading, _: &mut Surroundings<'_>) -> Made<Box<dyn Model>> {
        self.scope().refuse_sizes(reading)?;
        let number = |word: &str| word.parse().map_err(|_| refused(&format!("`{word}` is no number")));
        let mut counter = Counter { start: 0, step: 1, limit: 0, never: Vec::new() };
        for line in source.model().lines() {
            match line.split_whitespace().collect::<Vec<&str>>()[..] {
                ["count", start, "by", step, "below", limit] => {
                    (counter.start, counter.step, counter.limit) =
                        (number(start)?, number(step)?, number(limit)?);
                }
                ["never", value] => counter.never.push(number(value)?),
                [] => {}
                _ => return Err(refused(&format!("this is not understood: {line}"))),
            }
        }
        Ok((Box::new(counter), Vec::new()))
    }
}

impl Model for Counter {
    fn finite(&self) -> Made<Program> {
        Err(refused("counters have no instances"))
    }

    fn system(&self, _: &[String]) -> Made<System> {
        let mut system = System::default();
        let source = program::Source { start: 0, end: 0 };
        let store = &mut system.store;
        let symbol = store.declare("x", SortId::INT, Role::State);
        let x = store.mk_symbol(symbol);
        let [start, step, limit] = [self.start, self.step, self.limit].map(|value| store.mk_int(value));
        let (guard, more) = (store.mk_lt(x, limit), store.mk_add([x, step]));
        let properties = self.never.iter().map(|&value| {
            let number = store.mk_int(value);
            let (kind, formula) = (PropertyKind::Invariant, store.mk_ne(x, number));
            Property { name: format!("never {value}"), source, kind, formula }
        });
        system.properties = properties.collect();
        system.state = vec![StateVar { symbol, args: Vec::new(), value: Bounds::default() }];
        let (params, constraint) = (Vec::new(), TermId::TRUE);
        system.starts = vec![Start { name: "start".into(), source, params, constraint, values: vec![start] }];
        let (params, updates) = (Vec::new(), vec![(symbol, more)]);
        system.rules = vec![Rule { name: "count".into(), source, params, shown_params: 0, guard, updates }];
        Ok((system, Vec::new()))
    }

    fn contents(&self) -> Vec<(&'static str, Vec<String>)> {
        vec![("invariants", self.never.iter().map(|value| format!("never {value}")).collect())]
    }
}

static TOY: CounterLanguage = CounterLanguage;
static ALL: [&dyn Frontend; 1] = [&TOY];

fn load(text: &str) -> Result<Problem, Vec<Diagnostic>> {
    let source = Source::new("a.count", text);
    Surroundings::none(|around| Problem::load_with(&ALL, source, Reading::default(), around))
}

#[test]
fn its_properties_are_proved_and_refuted() {
    let problem = load("count 0 by 2 below 8\nnever 7\nnever 6\nnever 10\n").expect("it is right");
    let budget = Budget::new(Some(60.0), None, Arc::default());
    let answer = problem.prove(&Question::default(), &budget, &Unobserved::shared()).expect("an answer");
    let found: Vec<(&str, Verdict)> =
        answer.report.properties.iter().map(|known| (known.name.as_str(), known.verdict)).collect();
    let expected = [("never 6", Verdict::Unsafe), ("never 7", Verdict::Safe), ("never 10", Verdict::Safe)];
    assert_eq!(found, expected);
    let run = answer.report.properties[0].trace.as_ref().expect("a run that was replayed");
    assert_eq!(run.steps.len(), 4);
    // The checker has read the model again, with the same language.
    assert!(answer.certificates.proof.expect("the others are proved").text.contains("; model \"a.count\""));
}

#[test]
fn what_is_wrong_is_said() {
    let errors = load("count 0 by two below 8").err().expect("two is no number here");
    assert_eq!(errors[0].message, "`two` is no number");
    let source = Source::new("a.count", "");
    let elsewhere =
        Surroundings::none(|around| Problem::load_with(LANGUAGES, source, Reading::default(), around));
    let errors = elsewhere.err().expect("the language is in no other table");
    assert_eq!(errors[0].explanation.code, "E0602");
}
