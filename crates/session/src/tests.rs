//! Reports on hand-made outcomes: what is called safe, and what is not; and how it reads.

use crate::attempt::Attempt;
use crate::axioms::Axioms;
use crate::confirm::Confirmation;
use crate::judge::{self, Facts};
use crate::reads::Definedness;
use crate::{solver_name, warnings};
use tenet_engine::reach::{self, Failure, Imprecision, Iteration, Snapshot, Step};
use tenet_engine::{
    Claim, Details, Evidence, Obstacle, Open, Outcome, PropertyClaim, Reason, Statistics, Stop, Warning,
};
use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, parse};
use tenet_proof::{Advice, Certificate, Gap, Obligation, Rejection};
use tenet_report::source::Text;
use tenet_report::style::Style;
use tenet_report::text::Detail;
use tenet_report::view::{Instance, Report, Verdict as Answer};
use tenet_report::{json, text};
use tenet_system::finite::program::Source;
use tenet_system::{Axiom, Bounds, IndexVar, Lemma, Predicate, System};
use tenet_term::{Role, Sort, Substitution, TermId};

const MODEL: &str = include_str!("../../../models/mutex.m");
const FILE: &str = "models/mutex.m";

/// The mutex with one index variable and two predicates.
struct World {
    system: System,
    index: IndexVar,
    free: TermId,
    critical: TermId,
}

impl World {
    fn new() -> World {
        let (tree, found) = parse(MODEL, Dialect::Murphi);
        assert!(found.is_empty());
        let settings = Settings::new(Dialect::Murphi);
        let (model, _) = check(&tree, &settings);
        let (mut system, _) = read(&model, &Unbounded::default()).expect("the model has a reading");
        let store = &mut system.store;
        let process =
            store.sorts().find(|(_, sort)| matches!(sort, Sort::Index { .. })).expect("there is one").0;
        let index = IndexVar { symbol: store.declare("i", process, Role::Index), bounds: Bounds::default() };
        let state = |name: &str| {
            let named = |var: &&tenet_system::StateVar| store.symbol(var.symbol).name == name;
            system.state.iter().find(named).expect("the model has it").symbol
        };
        let (free, step) = (state("free"), state("step"));
        let (free, step, i) = (store.mk_symbol(free), store.mk_symbol(step), store.mk_symbol(index.symbol));
        let read = store.mk_apply(step, &[i]);
        let value = store.mk_variant(store.sort_of(read), "Critical").expect("a step");
        let critical = store.mk_eq(read, value);
        let predicate = |name: &str, formula| Predicate { name: name.into(), source: source(), formula };
        system.predicates = vec![predicate("free", free), predicate("step[i] = Critical", critical)];
        system.indices = vec![index];
        World { system, index, free, critical }
    }

    /// `step[i] = Critical -> !free`
    fn lemma(&mut self) -> Lemma {
        let store = &mut self.system.store;
        let (not_critical, not_free) = (store.mk_not(self.critical), store.mk_not(self.free));
        Lemma { vars: vec![self.index], body: store.mk_or([not_critical, not_free]) }
    }

    /// Everything is proved, says the engine.
    fn proved(&mut self) -> Outcome {
        let sizes = [(2, true), (3, true), (3, false)];
        let iterations = sizes.map(|(states, is_productive)| Iteration {
            states,
            is_productive,
            rules: vec![0],
            set: None,
        });
        let proved = |property| PropertyClaim { property, claim: Claim::Proof };
        let p = self.system.store.mk_symbol(self.system.rules[0].params[0]);
        let at_p = Substitution::from_pairs(&self.system.store, [(self.index.symbol, p)]);
        let details = reach::Details {
            iterations: iterations.into(),
            is_complete: true,
            substitutions: vec![vec![Substitution::new(), at_p]; self.system.rules.len()],
            deepenings: 0,
            rounds: Vec::new(),
            nodes: 4,
            clauses: 2,
        };
        Outcome {
            claims: (0..self.system.properties.len()).map(proved).collect(),
            evidence: Evidence::Invariant { lemmas: vec![self.lemma()], advice: Advice::default() },
            warnings: Vec::new(),
            statistics: Statistics {
                solver_calls: 31,
                solver_seconds: 0.125,
                details: Details::Reach(details),
            },
            stop: None,
            progressed: Default::default(),
            so_far: "after 2 iterations".into(),
        }
    }

    fn failed(&mut self, reason: Reason) -> Outcome {
        let snapshot = |values: &[(&str, &str)]| Snapshot {
            values: values.iter().map(|(place, value)| (place.to_string(), value.to_string())).collect(),
        };
        let failure = Failure {
            cause: reach::Cause::Predicates,
            path: vec![
                Step { iteration: 0, rule: None, state: vec![true, false] },
                Step { iteration: 1, rule: Some(1), state: vec![true, true] },
            ],
            imprecision: Some(Imprecision {
                step: 1,
                undetermined: vec![1],
                may_be_disabled: false,
                before: snapshot(&[("p", "PROCESS_1"), ("free", "true"), ("step[p]", "Trying")]),
                after: snapshot(&[("free", "false"), ("step[p]", "Critical")]),
            }),
            candidates: Vec::new(),
            witness: snapshot(&[("step[PROCESS_1]", "Critical"), ("step[PROCESS_2]", "Critical")]),
        };
        let mut outcome = self.proved();
        let open = Open::new(reason, "it does not suffice", "add one");
        outcome.claims[0].claim = Claim::Open(open.because_of(Obstacle::State(Box::new(failure))));
        outcome
    }

    fn report(&mut self, outcome: &Outcome, confirmation: &Confirmation) -> Report {
        let all: Vec<usize> = (0..self.system.properties.len()).collect();
        self.report_on(outcome, confirmation, &all)
    }

    fn report_on(&mut self, outcome: &Outcome, confirmation: &Confirmation, chosen: &[usize]) -> Report {
        let attempt = Attempt {
            engine: "reach",
            if_unconfirmed: None,
            outcome: outcome.clone(),
            confirmation: confirmation.clone(),
            stop: outcome.stop,
            induction: None,
        };
        let facts = Facts {
            definedness: &Definedness::Visible,
            text: Text::new(FILE, MODEL),
            model: None,
            chosen,
            instance: Instance::default(),
            attempt: &attempt,
            searched: Some("no violation up to PROCESS = 3".into()),
            timeout: Some(60.0),
            memory: 512 << 20,
            axioms: &Axioms::default(),
            trust: None,
            seconds: 0.5,
            peak_memory_mb: Some(12),
        };
        let mut report = judge::report(&mut self.system, &facts);
        if let Some(certificate) = &mut report.certificate {
            certificate.file = Some("mutex.cert".into());
        }
        report
    }
}

fn source() -> Source {
    Source { start: 0, end: 1 }
}

fn verified() -> Confirmation {
    accepted(vec![0, 1])
}

/// A certificate that was accepted for these properties.
fn accepted(properties: Vec<usize>) -> Confirmation {
    let certificate = Certificate { text: String::new(), checks: 7 };
    Confirmation::Verified { certificate, properties }
}

fn gap() -> Confirmation {
    let obligation = Obligation::Step { rule: 0, lemma: 0 };
    Confirmation::Gap(Gap { obligation, reason: "the solver gave up".into() })
}

fn codes(report: &Report) -> Vec<&str> {
    let reasons = report.properties.iter().filter_map(|property| property.reason.as_ref());
    reasons.map(|reason| reason.explanation.code).collect()
}

/// Without the version of the solver.
fn plain(report: &Report, detail: Detail) -> String {
    text::report(report, detail, Style::Plain).replace(&solver_name(), "Z3")
}

#[test]
fn a_proof_that_was_confirmed() {
    let mut world = World::new();
    let outcome = world.proved();
    let axiom = Axiom { name: "commutative".into(), source: source(), formula: TermId::TRUE };
    world.system.axioms.push(axiom);
    let report = world.report(&outcome, &verified());
    assert_eq!(report.verdict, Answer::Safe);
    assert_eq!(
        plain(&report, Detail::Normal),
        "\
safe: 2 invariants hold in every reachable state, for every size of PROCESS
  checked: mutual exclusion, semaphore
  invariant (1 lemma):
    forall i : PROCESS.
      step[i] = Critical -> !free
  2 predicates, 8 substitutions for 4 rules, 1 productive iteration, 31 solver calls
  abstract states: 2, 3
  certificate in mutex.cert: 7 checks, verified with Z3
  assuming: commutative
  time 0.50 s, 0.12 s of it in the solver, memory 12 MB
"
    );
    let verbose = plain(&report, Detail::Verbose);
    assert!(verbose.contains("  substitutions of i:\n    try\n       i, p\n"), "{verbose}");
    let only = world.report_on(&outcome, &verified(), &[0]);
    let first = plain(&only, Detail::Quiet);
    assert_eq!(
        first,
        "safe: \"mutual exclusion\" holds in every reachable state, for every size of PROCESS\n"
    );
}

#[test]
fn nothing_is_safe_that_was_not_confirmed() {
    let mut world = World::new();
    let outcome = world.proved();
    let rejected = Confirmation::Rejected(Rejection { reason: "no".into(), line: None });
    for confirmation in [Confirmation::NotTried, gap(), rejected] {
        let report = world.report(&outcome, &confirmation);
        assert_eq!(report.verdict, Answer::Unknown);
        assert_eq!(codes(&report), ["U0114", "U0114"]);
        assert!(report.certificate.is_none());
    }
}

#[test]
fn a_certificate_counts_for_its_own_properties_only() {
    let mut world = World::new();
    let outcome = world.proved();
    let report = world.report(&outcome, &accepted(vec![1]));
    let verdicts: Vec<Answer> = report.properties.iter().map(|property| property.verdict).collect();
    assert_eq!(verdicts, [Answer::Unknown, Answer::Safe]);
    assert_eq!((report.verdict, codes(&report)), (Answer::Unknown, vec!["U0114"]));
}

#[test]
fn nothing_is_safe_before_the_limit() {
    let mut world = World::new();
    let cases = [(Stop::Timeout, "U0113"), (Stop::Memory, "U0113"), (Stop::Interrupt, "U0105")];
    for (stop, code) in cases {
        // The engine should not say "proved" then; if it does, it is not believed.
        let outcome = Outcome { evidence: Evidence::Nothing, stop: Some(stop), ..world.proved() };
        assert!(judge::claimed(&outcome, &[0, 1]).is_empty());
        let report = world.report(&outcome, &verified());
        assert_eq!((report.verdict, codes(&report)), (Answer::Unknown, vec![code, code]));
    }
    let outcome = Outcome { evidence: Evidence::Nothing, stop: Some(Stop::Timeout), ..world.proved() };
    let report = world.report(&outcome, &Confirmation::NotTried);
    let first = "unknown: 2 of 2 properties are not proved: the time limit of 60.0 s was reached after 2 iterations\n";
    assert_eq!(plain(&report, Detail::Quiet), first);
}

#[test]
fn a_property_without_an_answer_is_open() {
    let mut world = World::new();
    let mut outcome = world.proved();
    outcome.claims.pop();
    assert_eq!(judge::claimed(&outcome, &[0, 1]), [0]);
    let report = world.report(&outcome, &verified());
    let verdicts: Vec<Answer> = report.properties.iter().map(|property| property.verdict).collect();
    assert_eq!((report.verdict, verdicts), (Answer::Unknown, vec![Answer::Safe, Answer::Unknown]));
}

#[test]
fn x_t2_a_vacuous_proof_is_not_safe() {
    let mut world = World::new();
    for (warning, code) in [(Warning::AxiomsUnsatisfiable, "W0106"), (Warning::NoStart, "W0101")] {
        let outcome = Outcome { warnings: vec![warning], ..world.proved() };
        assert!(judge::claimed(&outcome, &[0, 1]).is_empty());
        let report = world.report(&outcome, &verified());
        assert_eq!((report.verdict, codes(&report)), (Answer::Unknown, vec!["U0115", "U0115"]));
        assert!(report.headline.contains("vacuous"), "{}", report.headline);
        let said = warnings::diagnostics(&world.system, &outcome.warnings, true);
        assert_eq!(said.iter().map(|d| d.explanation.code).collect::<Vec<_>>(), [code]);
        assert!(said[0].message.contains("NOTHING"));
    }
    let outcome = Outcome { claims: Vec::new(), ..world.proved() };
    let report = world.report_on(&outcome, &verified(), &[]);
    assert_eq!(
        (report.verdict, report.headline.as_str()),
        (Answer::Unknown, "there is no property to prove")
    );
    assert!(plain(&report, Detail::Normal).contains("step[i] = Critical -> !free"));
    let said = warnings::diagnostics(&world.system, &[], false);
    assert_eq!(said[0].explanation.code, "W0102");
}

#[test]
fn warnings_about_rules_point_at_them() {
    let world = World::new();
    let never = [Warning::RuleNeverTaken(1), Warning::SolverUnknown(3), Warning::RuleNeverTaken(2)];
    let said = warnings::diagnostics(&world.system, &never, true);
    let shown = tenet_lang::render::render(&said, FILE, MODEL, tenet_lang::render::Style::Plain);
    let first =
        "warning[W0103]: rule \"take the semaphore\" can never be taken; the same goes for 1 other rule\n";
    assert!(shown.starts_with(first), "{shown}");
    assert!(shown.contains("could not decide 3 questions"), "{shown}");
    assert!(!said.iter().any(tenet_lang::diagnostic::Diagnostic::is_error));
    assert_eq!(said[0].labels.len(), 2);
}

#[test]
fn a_failure_says_what_stood_in_the_way() {
    let mut world = World::new();
    let outcome = world.failed(Reason::Predicates);
    let report = world.report(&outcome, &verified());
    assert_eq!(
        plain(&report, Detail::Normal),
        "\
unknown: \"mutual exclusion\" is not proved: it does not suffice; no violation up to PROCESS = 3
  safe: semaphore
  an abstract run to a violation of \"mutual exclusion\":
    0. everybody is idle
       true:  free
       false: step[i] = Critical
    1. take the semaphore
       step[i] = Critical: false -> true
  step 1 need not lead there: the predicates before it do not determine step[i] = Critical, for example
       free: true -> false
       step[p]: Trying -> Critical
    where  p = PROCESS_1
  try: add one; tenet explain U0110
  2 predicates, 8 substitutions for 4 rules, 1 productive iteration, 31 solver calls
  abstract states: 2, 3
  certificate in mutex.cert: 7 checks, verified with Z3
  time 0.50 s, 0.12 s of it in the solver, memory 12 MB
"
    );
    let object = json::report(&report, "1.2.3", &[], &Text::new(FILE, MODEL));
    let property = &object["properties"][0];
    assert_eq!(property["invariant"], serde_json::Value::Null);
    assert_eq!(property["failure"]["path"][1]["name"], "take the semaphore");
    assert_eq!(property["failure"]["imprecision"]["undetermined"][0], "step[i] = Critical");
    assert_eq!(
        object["properties"][1]["invariant"],
        serde_json::json!(["forall i : PROCESS. step[i] = Critical -> !free"])
    );
}

#[test]
fn each_cause_has_its_code() {
    let mut world = World::new();
    let cases = [(Reason::Predicates, "U0110"), (Reason::Substitutions, "U0111"), (Reason::Unclear, "U0112")];
    for (reason, code) in cases {
        let outcome = world.failed(reason);
        let report = world.report(&outcome, &verified());
        assert_eq!((report.verdict, codes(&report)), (Answer::Unknown, vec![code]));
    }
}
