//! Reports of abstractions: every field of the JSON is documented, and numbers that do not fit are not rounded.

use serde_json::{Value, json};
use tenet_report::lemma::Group;
use tenet_report::reached::html::html;
use tenet_report::reached::{Reached, ReachedSet};
use tenet_report::source::{Location, Text};
use tenet_report::style::Style;
use tenet_report::text::Detail;
use tenet_report::view::{
    AbstractStep, Abstraction, Candidate, Certificate, Failure, Imprecision, Instance, Property, Reason,
    Report, Statistics, Suggestion, Verdict,
};
use tenet_report::{codes, json, text};

fn pairs(values: &[(&str, &str)]) -> Vec<(String, String)> {
    values.iter().map(|(place, value)| (place.to_string(), value.to_string())).collect()
}

fn property(name: &str, failure: Option<Failure>) -> Property {
    let is_open = failure.is_some();
    Property {
        name: name.into(),
        verdict: if is_open { Verdict::Unknown } else { Verdict::Safe },
        engine: "reach",
        seconds: 0.5,
        reason: is_open.then(|| Reason {
            explanation: &codes::PREDICATES,
            text: "the predicates do not suffice".into(),
            hint: None,
        }),
        failure,
        location: Some(Location { file: "f.tenet".into(), line: 3, column: 1, text: "".into(), width: 1 }),
        trace: None,
        written: None,
    }
}

fn report(failure: Option<Failure>) -> Report {
    let properties = vec![property("one", None), property("two", failure)];
    Report {
        file: "f.tenet".into(),
        verdict: Verdict::of_all(properties.iter().map(|property| property.verdict)),
        headline: "as it is".into(),
        instance: Instance::default(),
        properties,
        checked: "one, two".into(),
        abstraction: Some(Abstraction {
            predicates: 2,
            invariant: vec![
                Group { quantifier: String::new(), lemmas: vec!["busy".into()] },
                Group {
                    quantifier: "forall x : integer.".into(),
                    lemmas: vec!["0 <= x -> 0 <= F[x]".into()],
                },
            ],
            is_checked: true,
            indices: "x".into(),
            substitutions: vec![("shift".into(), vec!["x".into(), "i + 1".into()])],
            iterations: 1,
            states: vec![2, 1 << 90],
            ..Abstraction::default()
        }),
        refinement: Vec::new(),
        hybrid: Vec::new(),
        recursive: None,
        statistics: Statistics { smt_calls: 12, smt_seconds: 0.25, seconds: 0.5, ..Statistics::default() },
        proved_axioms: Vec::new(),
        trust: None,
        reason: None,
        assumptions: vec!["axiom one".into(), "axiom two".into()],
        certificate: Some(Certificate { file: Some("f.cert".into()), checks: 5, solver: "Z3".into() }),
        notes: Vec::new(),
    }
}

fn failure() -> Failure {
    Failure {
        induction: None,
        predicates: vec!["p".into(), "q".into()],
        path: vec![
            AbstractStep { iteration: 0, name: "zero".into(), state: vec![true, true] },
            AbstractStep { iteration: 2, name: "shift".into(), state: vec![false, true] },
        ],
        imprecision: Some(Imprecision {
            step: 1,
            undetermined: vec![0],
            may_be_disabled: false,
            before: pairs(&[("i", "1"), ("F[1]", "0")]),
            after: pairs(&[("F[1]", "-1"), ("F[2]", "7")]),
        }),
        candidates: vec![candidate("0 <= F[i]", true), candidate("F[i] = 7", false)],
        witness: pairs(&[("F[1]", "-1")]),
    }
}

fn candidate(predicate: &str, excludes: bool) -> Candidate {
    Candidate { predicate: predicate.into(), step: 1, material: "guard", excludes }
}

fn object(report: &Report) -> Value {
    json::report(report, "1.2.3", &[], &Text::new("f.tenet", ""))
}

#[test]
fn json_of_a_proof() {
    let object = object(&report(None));
    let first = &object["properties"][0];
    assert_eq!(first["invariant"], json!(["busy", "forall x : integer. 0 <= x -> 0 <= F[x]"]));
    assert_eq!((&first["predicates"], &first["substitutions"]), (&json!(2), &json!(2)));
    assert_eq!((&first["iterations"], &object["certificate"]), (&json!(1), &json!("f.cert")));
    // 2^90 is no number that readers of JSON agree about.
    assert_eq!(first["abstract_states_per_iteration"], json!([2, null]));
    assert_eq!(first["abstract_states"], Value::Null);
    assert_eq!(object["statistics"]["smt_calls"], json!(12));
    assert_eq!(object["assumptions"], json!(["axiom one", "axiom two"]));
}

#[test]
fn json_has_the_predicates_that_were_added() {
    let mut report = report(None);
    assert_eq!(object(&report)["suggestions"], Value::Null);
    let added = Suggestion {
        property: "one".into(),
        steps: 2,
        rule: "shift".into(),
        material: "guard",
        predicate: "F[i] = 7".into(),
    };
    report.abstraction.as_mut().expect("there is one").suggestions.push(added);
    let expected = json!({
        "property": "one", "steps": 2, "rule": "shift", "material": "guard", "predicate": "F[i] = 7",
    });
    assert_eq!(object(&report)["suggestions"], json!([expected]));
}

fn reached() -> Reached {
    let set = |iteration, states, formula: Option<&str>| ReachedSet {
        iteration,
        states,
        cubes: Some(2),
        formula: formula.map(String::from),
        valuations: None,
        rules: vec!["shift <i>".into()],
    };
    Reached {
        predicates: vec!["F[x] >= 0".into(), "x < 0".into()],
        sets: vec![set(0, 2, Some("p1 <-> p2")), set(1, 1_000, None)],
    }
}

#[test]
fn json_has_the_set_of_each_iteration() {
    let mut report = report(None);
    report.abstraction.as_mut().expect("there is one").reached = reached();
    let object = object(&report);
    assert_eq!(object["reached"]["predicates"], json!(["F[x] >= 0", "x < 0"]));
    assert_eq!(object["reached"]["sets"][0]["formula"], "p1 <-> p2");
    assert_eq!(object["reached"]["sets"][1]["formula"], Value::Null);
    assert_eq!(object["reached"]["sets"][1]["states"], 1_000);
}

#[test]
fn the_page_draws_the_growth_and_needs_nothing_else() {
    let mut report = report(None);
    let abstraction = Abstraction { reached: reached(), ..report.abstraction.take().expect("there is one") };
    let page = html(&report, &abstraction);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    // A point for each set, on a line; 1000 is at the top of the picture and 1 at the bottom.
    assert_eq!(page.matches("<circle ").count(), 2);
    assert!(page.contains("points=\"120.0,") && page.contains(" 692.0,28.0\""), "{page}");
    for part in
        ["<code>p1 &lt;-&gt; p2</code>", "too long to show", "shift &lt;i&gt;", "F[x] &gt;= 0", "rho1: 1000"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("http"), "a page loads nothing");
}

#[test]
fn an_open_property_has_no_invariant() {
    let object = object(&report(Some(failure())));
    assert_eq!(object["verdict"], "unknown");
    let open = &object["properties"][1];
    assert_eq!((&open["invariant"], &open["code"]), (&Value::Null, &json!("U0110")));
    assert_eq!(
        open["failure"],
        json!({
            "abstract_state": [{ "predicate": "p", "value": false }, { "predicate": "q", "value": true }],
            "path": [
                { "iteration": 0, "name": "zero", "state": [true, true] },
                { "iteration": 2, "name": "shift", "state": [false, true] },
            ],
            "imprecision": {
                "step": 1,
                "undetermined": ["p"],
                "may_be_disabled": false,
                "before": { "i": "1", "F[1]": "0" },
                "after": { "F[1]": "-1", "F[2]": "7" },
            },
            "candidates": [
                { "predicate": "0 <= F[i]", "step": 1, "material": "guard", "excludes": true },
                { "predicate": "F[i] = 7", "step": 1, "material": "guard", "excludes": false },
            ],
            "witness": { "F[1]": "-1" },
            "induction": null,
        })
    );
}

#[test]
fn text_of_a_failure() {
    let printed = text::report(&report(Some(failure())), Detail::Normal, Style::Plain);
    let expected = "  an abstract run to a violation of \"two\":
    0. zero
       true:  p, q
    1. shift
       p: true -> false
  step 1 need not lead there: the predicates before it do not determine p, for example
       F[1]: 0 -> -1
       F[2] = 7 afterwards
    where  i = 1
  predicates without which the run is possible, and with which it is not:
    predicate 0 <= F[i];
      (guard of step 1, shift)
  try: tenet explain U0110
";
    assert!(printed.contains(expected), "{printed}");
    let unknown = Failure { path: Vec::new(), imprecision: None, ..failure() };
    let printed = text::report(&report(Some(unknown)), Detail::Normal, Style::Plain);
    assert!(printed.contains("a state that the invariant allows and \"two\" does not:\n       F[1] = -1\n"));
    let at_start = Failure {
        path: failure().path[..1].to_vec(),
        imprecision: Some(Imprecision::default()),
        ..failure()
    };
    let printed = text::report(&report(Some(at_start)), Detail::Normal, Style::Plain);
    assert!(printed.contains("the violation is there from the start\n"), "{printed}");
}

#[test]
fn the_answer_is_short() {
    // A failure has an abstract run, a concrete step, and predicates to be tried.
    for (report, lines) in [(report(None), 15), (report(Some(failure())), 20)] {
        let printed = text::report(&report, Detail::Normal, Style::Plain);
        assert!(printed.lines().count() <= lines, "{printed}");
        assert!(printed.contains("  assuming: axiom one; axiom two\n"), "{printed}");
    }
}

/// The names of all fields, but not those that the model chooses.
fn fields(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                found.push(name.clone());
                let is_chosen = ["before", "after", "witness", "size", "const"].contains(&name.as_str());
                if !is_chosen {
                    fields(value, found);
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| fields(value, found)),
        _ => {}
    }
}

#[test]
fn every_field_is_documented() {
    let document = include_str!("../../../docs/json.md");
    let mut found = Vec::new();
    fields(&object(&report(Some(failure()))), &mut found);
    let result = Err(tenet_proof::Rejection { reason: "no".into(), line: Some(1) });
    let verification = tenet_report::verification::Verification {
        file: "f.cert",
        solver: "Z3",
        result: &result,
        seconds: 0.5,
    };
    fields(&verification.json("1.2.3"), &mut found);
    let missing: Vec<&String> =
        found.iter().filter(|name| !document.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/json.md does not mention {missing:?}");
}
