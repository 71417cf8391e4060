//! Small instances before a proof: what they find, what the model as written says beside it, and models that have nothing but instances.

use std::sync::Arc;
use tenet_report::json;
use tenet_report::source::Text;
use tenet_session::{Answer, Budget, Problem, Question, Reading, Source, Surroundings, Unobserved, Verdict};

fn prove(text: &str, question: &Question) -> Answer {
    let source = Source::new("model.m", text);
    let problem = Surroundings::none(|around| Problem::load(source, Reading::default(), around));
    let problem = problem.unwrap_or_else(|found| panic!("{found:?}"));
    let budget = Budget::new(Some(60.0), None, Arc::default());
    let answer = problem.prove(question, &budget, &Unobserved::shared()).expect("there is an answer");
    let shown = json::report(&answer.report, "0", &[], &Text::of(problem.source()));
    let written = answer.report.properties.iter().filter(|property| property.written.is_some()).count();
    let listed = shown["properties"].as_array().expect("a list");
    assert_eq!(written, listed.iter().filter(|property| property.get("as_written").is_some()).count());
    answer
}

/// Any number of flags, of which at most `limit` may be set.
fn flags(limit: u64, size: u64) -> String {
    format!(
        "const N : {size}; type P : scalarset(N); var a : array [P] of boolean; n : 0..9;\n\
         startstate clear a; n := 0; end;\n\
         ruleset p : P do rule \"set\" !a[p] & n < 9 ==> a[p] := true; n := n + 1; end end;\n\
         invariant \"few\" n <= {limit};\n"
    )
}

#[test]
fn a_violation_in_a_larger_instance_says_that_the_model_as_written_is_safe() {
    let report = prove(&flags(2, 2), &Question::default()).report;
    assert_eq!(report.verdict, Verdict::Unsafe);
    let written = report.properties[0].written.as_ref().expect("the run has three elements");
    assert_eq!((written.verdict, written.states), (Verdict::Safe, 3));
    assert_eq!(written.instance.describe(), "P = 2");
    assert_eq!(written.hint.as_deref(), Some("--size P=2 keeps the model as written"));
}

#[test]
fn a_violation_in_a_smaller_instance_says_that_the_model_as_written_is_unsafe_too() {
    // One property alone is looked at in the model as written before anything else.
    let text = flags(1, 4) + "invariant \"all\" n <= 9;\n";
    let report = prove(&text, &Question::default()).report;
    assert_eq!(report.properties[0].trace.as_ref().expect("a run").sizes, [("P".to_owned(), 2)]);
    let written = report.properties[0].written.as_ref().expect("the run has two elements");
    assert_eq!((written.verdict, &written.hint), (Verdict::Unsafe, &None));
}

#[test]
fn a_violation_of_the_model_as_written_needs_no_more_words() {
    let report = prove(&flags(0, 1), &Question::default()).report;
    assert_eq!(report.verdict, Verdict::Unsafe);
    assert_eq!(report.properties[0].written, None);
}

/// The queue gets the elements in some order: there is no reading for every size.
fn in_order(limit: u64) -> String {
    format!(
        "const N : 2; type P : scalarset(N); var q : array [0..8] of P; n : 0..9;\n\
         startstate undefine q; n := 0; end;\n\
         rule \"all\" n = 0 ==> for p : P do q[n] := p; n := n + 1; end; end;\n\
         rule \"none\" n > 0 ==> undefine q; n := 0; end;\n\
         invariant \"room\" n < {limit};\n"
    )
}

#[test]
fn a_model_without_a_reading_for_every_size_is_refuted_by_an_instance() {
    let answer = prove(&in_order(4), &Question::default());
    assert_eq!(answer.report.verdict, Verdict::Unsafe);
    let written = answer.report.properties[0].written.as_ref().expect("the run has four elements");
    assert_eq!(written.verdict, Verdict::Safe);
    assert!(answer.warnings.is_empty());
}

#[test]
fn a_model_without_a_reading_for_every_size_is_never_safe() {
    let answer = prove(&in_order(9), &Question::default());
    assert_eq!(answer.report.verdict, Verdict::Unknown);
    let reason = answer.report.properties[0].reason.as_ref().expect("it is not proved");
    assert_eq!(reason.explanation.code, "U0132");
    assert!(
        reason.text.contains("as written (P = 2) there is no violation in any of the 2 states"),
        "{}",
        reason.text
    );
    let codes: Vec<&str> = answer.warnings.iter().map(|found| found.explanation.code).collect();
    assert_eq!(codes, ["E0304"]);
    assert!(answer.certificates.proof.is_none());
}

#[test]
fn an_engine_that_is_named_needs_a_reading_for_every_size() {
    let source = Source::new("model.m", &*in_order(9));
    let problem =
        Surroundings::none(|around| Problem::load(source, Reading::default(), around)).expect("a model");
    let question = Question { engine: Some("direct".to_owned()), ..Question::default() };
    let budget = Budget::new(Some(60.0), None, Arc::default());
    assert!(problem.prove(&question, &budget, &Unobserved::shared()).is_err());
}

#[test]
fn what_a_property_does_not_depend_on_costs_nothing() {
    let mut text =
        "type P : scalarset(3); var x : array [P] of boolean; t : boolean; v : array [0..9] of 0..9;\n\
                    startstate clear x; t := true; clear v; end;\n\
                    ruleset p : P do rule \"take\" t ==> x[p] := true; t := false; end;\n\
                    rule \"give\" x[p] ==> x[p] := false; t := true; end; end;\n\
                    invariant \"alone\" forall a : P; b : P do x[a] & x[b] -> a = b end;\n"
            .to_owned();
    let alone = prove(&text, &Question::default()).report;
    for number in 0..300 {
        let (place, other) = (number % 10, (number * 7 + 3) % 10);
        text.push_str(&format!("rule v[{place}] < {other} ==> v[{other}] := {place}; end;\n"));
    }
    let crowded = prove(&text, &Question::default()).report;
    assert_eq!((alone.verdict, crowded.verdict), (Verdict::Safe, Verdict::Safe));
    assert_eq!(alone.statistics.smt_calls, crowded.statistics.smt_calls);
}
