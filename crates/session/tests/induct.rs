//! Are invariants inductive as they stand? What is said of those that are not, and that what is printed can be written into a model.

use std::path::Path;
use std::sync::Arc;
use tenet_engine::{Engine, Open, Outcome, Reason, Subject, Unfit, Watch};
use tenet_report::induction::Induction;
use tenet_report::lemma::Group;
use tenet_report::view::{Property, Report, Verdict};
use tenet_session::{Answer, Budget, Choices, Problem, Question, Reading, Source, Surroundings, Unobserved};

/// Asks a question about a text.
fn ask(name: &str, text: &str, question: &Question, seconds: f64) -> Answer {
    let source = Source::new(name, text);
    let problem = Surroundings::none(|around| Problem::load(source, Reading::default(), around));
    let problem = problem.unwrap_or_else(|found| panic!("{name} is rejected: {found:?}\n{text}"));
    let budget = Budget::new(Some(seconds), None, Arc::default());
    problem.prove(question, &budget, &Unobserved::shared()).unwrap_or_else(|why| panic!("{name}: {why:?}"))
}

fn induct(name: &str, text: &str) -> Answer {
    ask(name, text, &Question { engine: Some("induct".into()), ..Question::default() }, 300.0)
}

fn prove(name: &str, text: &str) -> Answer {
    ask(name, text, &Question::default(), 300.0)
}

fn model(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn property<'a>(report: &'a Report, name: &str) -> &'a Property {
    report.properties.iter().find(|property| property.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn obstacle(property: &Property) -> &Induction {
    let failure = property.failure.as_ref().unwrap_or_else(|| panic!("{} says nothing", property.name));
    failure.induction.as_ref().unwrap_or_else(|| panic!("{} has no counterexample", property.name))
}

const LOCK: &str = "
    type NODE : scalarset(3); STEP : enum {Idle, Wait, Busy};
    var step : array [NODE] of STEP; free : boolean; count : 0..2;
    startstate \"start\" for n : NODE do step[n] := Idle end; free := true; count := 0 end;
    ruleset n : NODE do
      rule \"ask\" step[n] = Idle ==> begin step[n] := Wait end;
      rule \"enter\" step[n] = Wait & free ==> begin step[n] := Busy; free := false end;
      rule \"leave\" step[n] = Busy ==> begin step[n] := Idle; free := true end
    end;
    rule \"tick\" count < 2 ==> begin count := count + 1 end;
    ";

#[test]
fn what_is_inductive_is_safe_with_a_certificate() {
    let text = format!(
        "{LOCK} invariant \"one\" forall i, j : NODE. step[i] = Busy & step[j] = Busy -> i = j;
         invariant \"taken\" forall i : NODE. step[i] = Busy -> !free;"
    );
    let answer = induct("lock.m", &text);
    assert_eq!(answer.report.verdict, Verdict::Safe, "{}", answer.report.headline);
    assert!(answer.certificates.proof.is_some());
}

#[test]
fn a_counterexample_is_the_smallest_step_that_breaks_it() {
    let text =
        format!("{LOCK} invariant \"one\" forall i, j : NODE. step[i] = Busy & step[j] = Busy -> i = j;");
    let answer = induct("lock.m", &text);
    assert_eq!(answer.report.verdict, Verdict::Unknown);
    let one = property(&answer.report, "one");
    assert_eq!(one.reason.as_ref().map(|reason| reason.explanation.code), Some("U0131"));
    let induction = obstacle(one);
    let step = induction.step.as_ref().expect("there is one");
    assert_eq!(step.sizes, [("NODE".to_string(), 2)]);
    assert_eq!(step.step.rule, "enter");
    let before = step.before.as_ref().expect("it is no startstate");
    let matters: Vec<String> =
        before.changes.iter().map(|(place, value)| format!("{place} = {value}")).collect();
    // The counter has nothing to do with it.
    assert!(!matters.iter().any(|text| text.starts_with("count")), "{matters:?}");
    assert!(matters.contains(&"free = true".to_string()), "{matters:?}");
    assert!(step.nearby.as_ref().is_some_and(|nearby| nearby.states > 1 && !nearby.is_reached));
    assert_eq!(induction.candidates.len(), 1);
}

/// Each proposal is put into the model as it is printed, until there is a proof.
#[test]
fn proposals_lead_to_a_proof() {
    for (name, text) in [
        (
            "lock.m",
            format!(
                "{LOCK} invariant \"one\" forall i, j : NODE do step[i] = Busy & step[j] = Busy -> i = j end;"
            ),
        ),
        ("mutex.cub", model("models/mutex.cub")),
        ("mutex.m", model("models/mutex.m")),
    ] {
        let mut text = text;
        let mut rounds = 0;
        let answer = loop {
            let answer = induct(name, &text);
            let declared = answer.report.properties.iter().filter_map(|property| property.failure.as_ref());
            let declared = declared.filter_map(|failure| failure.induction.as_ref());
            let declared: Vec<String> = declared
                .flat_map(|found| &found.candidates)
                .filter_map(|found| found.invariant.clone())
                .collect();
            rounds += 1;
            if answer.report.verdict != Verdict::Unknown || declared.is_empty() || rounds > 20 {
                break answer;
            }
            for declaration in declared {
                // Two properties may ask for the same name.
                text.push_str(&format!(
                    "\n{}",
                    declaration.replace("\"lemma ", &format!("\"round {rounds} lemma "))
                ));
            }
        };
        assert_eq!(answer.report.verdict, Verdict::Safe, "{name} after {rounds}: {}", answer.report.headline);
        assert!(rounds > 1, "{name} is inductive without help");
    }
}

#[test]
fn quantifiers_may_alternate() {
    const LINKS: &str = "
        type NODE : scalarset(3);
        var next : array [NODE] of NODE; on : array [NODE] of boolean;
        startstate \"start\" for n : NODE do next[n] := n; on[n] := true end end;
        ruleset a : NODE; b : NODE do rule \"link\" on[b] ==> begin next[a] := b end end;
        invariant \"linked\" forall a : NODE. exists b : NODE. next[a] = b & on[b];
        ruleset a : NODE do rule \"off\" GUARD ==> begin on[a] := false end end;";
    let kept = induct("links.m", &LINKS.replace("GUARD", "!(exists b : NODE. next[b] = a)"));
    assert_eq!(kept.report.verdict, Verdict::Safe, "{}", kept.report.headline);
    // A node that is linked to by others can be switched off, which small instances show by a run.
    let broken = induct("links.m", &LINKS.replace("GUARD", "next[a] != a"));
    assert_eq!(broken.report.verdict, Verdict::Unsafe, "{}", broken.report.headline);
}

#[test]
fn what_no_small_instance_breaks_is_not_safe() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let pairs = (0..6).flat_map(|i| (0..i).map(move |j| format!("{} != {}", names[i], names[j])));
    let on = names.iter().map(|name| format!("on[{name}]"));
    let all: Vec<String> = pairs.chain(on).collect();
    let text = format!(
        "type NODE : scalarset(3); var on : array [NODE] of boolean;
         startstate \"start\" for n : NODE do on[n] := false end end;
         ruleset n : NODE do rule \"set\" true ==> begin on[n] := true end end;
         invariant \"not six\" forall {} : NODE. !({});",
        names.join(", "),
        all.join(" & ")
    );
    let answer = induct("six.m", &text);
    assert_eq!(answer.report.verdict, Verdict::Unknown);
    assert!(
        answer.report.headline.contains("not shown that rule \"set\" keeps it"),
        "{}",
        answer.report.headline
    );
}

#[test]
fn what_is_inductive_alone_is_safe_beside_others() {
    let text = format!(
        "{LOCK} invariant \"one\" forall i, j : NODE. step[i] = Busy & step[j] = Busy -> i = j;
         invariant \"few\" count <= 2;
         invariant \"leaning\" forall i, j : NODE. i != j & step[i] = Busy -> step[j] != Busy;"
    );
    let answer = induct("lock.m", &text);
    assert_eq!(property(&answer.report, "few").verdict, Verdict::Safe);
    assert_eq!(property(&answer.report, "one").verdict, Verdict::Unknown);
    assert_eq!(property(&answer.report, "leaning").verdict, Verdict::Unknown);
    let kept = property(&answer.report, "few").reason.is_none();
    assert!(kept && answer.certificates.proof.is_some());
}

#[test]
fn a_false_startstate_is_no_step() {
    let text = "var x : integer; startstate \"start\" x := 3 end;
                rule \"up\" x < 10 ==> begin x := x + 1 end; invariant \"large\" x > 3;";
    let answer = induct("start.tenet", text);
    assert_eq!(answer.report.verdict, Verdict::Unsafe, "{}", answer.report.headline);
}

/// Every lemma of a proof is written into the model as it is printed; then nothing is left to be found.
#[test]
fn printed_lemmas_can_be_pasted_back() {
    let files = [
        "models/mutex.m",
        "models/german.m",
        "models/german_data.m",
        "models/szymanski.m",
        "models/two_phase_commit.m",
        "models/token_ring.tenet",
        "models/ricart_agrawala.tenet",
        "docs/examples/watch.m",
    ];
    for file in files {
        let text = model(file);
        let proof = prove(file, &text);
        assert_eq!(proof.report.verdict, Verdict::Safe, "{file}: {}", proof.report.headline);
        let abstraction = proof.report.abstraction.expect("it was proved by lemmas");
        let lemmas: Vec<String> = abstraction.invariant.iter().flat_map(Group::formulas).collect();
        let pasted = lemmas.iter().enumerate();
        let pasted: String =
            pasted.map(|(number, lemma)| format!("\ninvariant \"pasted {number}\" {lemma};")).collect();
        let answer = induct(file, &format!("{text}{pasted}"));
        assert_eq!(answer.report.verdict, Verdict::Safe, "{file}: {}{pasted}", answer.report.headline);
    }
}

#[test]
fn invariants_are_lemmas_to_begin_with_but_not_believed() {
    let text = model("docs/examples/turnstile_told.tenet");
    let question = Question {
        properties: vec!["who leaves has entered".to_string()],
        begins_with_invariants: true,
        choices: Choices::with_seed(0),
        ..Question::default()
    };
    let answer = ask("turnstile.tenet", &text, &question, 300.0);
    assert_eq!(answer.report.verdict, Verdict::Safe, "{}", answer.report.headline);
    assert!(answer.certificates.proof.is_some());
    // A false invariant that would prove everything helps nothing.
    let text = format!("{LOCK} invariant \"none\" forall i : NODE. step[i] != Busy;
                        invariant \"never two\" forall i, j : NODE. step[i] = Busy & step[j] = Wait -> i = j;");
    let question = Question { properties: vec!["never two".to_string()], ..question };
    let answer = ask("lock.m", &text, &question, 300.0);
    assert_eq!(answer.report.verdict, Verdict::Unsafe, "{}", answer.report.headline);
}

/// A search that finds nothing.
struct GivesUp;

impl Engine for GivesUp {
    fn name(&self) -> &'static str {
        "direct"
    }

    fn fits(&self, _: &Subject<'_>) -> Result<(), Unfit> {
        Ok(())
    }

    fn run(&self, _: Subject<'_>, properties: &[usize], _: &mut dyn Watch) -> Outcome {
        Outcome::open(properties, Open::new(Reason::NoLemmas, "there is no lemma", "look for one"))
    }
}

#[test]
fn an_unknown_of_a_search_has_a_counterexample() {
    let source = Source::new("turnstile.tenet", model("docs/examples/turnstile.tenet"));
    let problem = Surroundings::none(|around| Problem::load(source, Reading::default(), around));
    let problem = problem.expect("it is one of our examples");
    let budget = Budget::new(None, None, Arc::default());
    let answer = problem.prove_with(Box::new(GivesUp), &Question::default(), &budget, &Unobserved::shared());
    let report = answer.expect("there is an answer").report;
    assert_eq!(report.verdict, Verdict::Unknown);
    let induction = obstacle(&report.properties[0]);
    let step = induction.step.as_ref().expect("gates are counted");
    assert_eq!(step.step.rule, "leave");
    assert_eq!(step.breaks, "who leaves has entered");
    assert_eq!(induction.candidates.len(), 1);
    let declared = induction.candidates[0].invariant.as_deref();
    assert!(
        declared.is_some_and(|text| text.starts_with("invariant \"lemma 1\" forall i : GATE. ")),
        "{declared:?}"
    );
}

/// Each of these is true in one way of reading it only.
#[test]
fn printed_forms_are_read_as_they_are_meant() {
    const MODEL: &str = "
        type NODE : scalarset(3); KIND : enum {A, B, C};
        var kind : array [NODE] of KIND; in : boolean; net : array [NODE] of record kind : KIND end;
        startstate \"start\" for n : NODE do kind[n] := A; net[n].kind := B end; in := true end;
        rule \"stay\" in ==> begin in := true end;
        invariant \"both sides\" !(false -> false <-> false);
        invariant \"a name\" in & (in <-> in);
        invariant \"not one of these\" forall i : NODE. !kind[i] in {B, C} & in;
        invariant \"before or\" forall i, j : NODE; k : 0..3. kind[i] in {A, B} & kind[j] != C | k <-1;
        invariant \"a field\" forall i : NODE. net[i].kind in {B};
        invariant \"blocks\" forall i, j : NODE do kind[i] in {A} & exists k : NODE. kind[k] = kind[j] end;";
    let answer = induct("forms.m", MODEL);
    assert_eq!(answer.report.verdict, Verdict::Safe, "{}", answer.report.headline);
}
