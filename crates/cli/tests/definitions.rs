//! Axioms about recursive definitions, proved from the definitions (X-A6): the engine finds a derivation, and the checker accepts
//! it. False axioms, and those that are mere assumptions, are not proved (EX-T5).

use std::fs;
use std::path::Path;
use std::process::Command;
use tenet_engine::published::Recursive;
use tenet_engine::recursive::Options;
use tenet_engine::{Alone, Engine, Subject};
use tenet_lang::clp::print;
use tenet_lang::murphi::check::{Settings, check_with};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, parse};
use tenet_proof::recursive::{check, proved};
use tenet_solve::Limits;
use tenet_system::System;
use tenet_system::recursive::definitions::{Claims, claims};

/// A memory as in `gc.tenet`, in which everything can happen: every state is reachable.
const GRAPH: &str = "
const M : 1..;
type NODE : 0..M - 1;
     LINKS : array [NODE] of NODE;
     COLOUR : enum { White, Black };
var left, right : LINKS;
    colour : array [NODE] of COLOUR;
define acc(left : LINKS; right : LINKS; n : NODE) : boolean :=
  n = 0 | exists p : NODE do acc(left, right, p) & (left[p] = n | right[p] = n) end;
startstate for n : NODE do left[n] := 0; right[n] := 0; colour[n] := White; end; end;
ruleset n : NODE; t : NODE do
  rule \"left\" true ==> left[n] := t; end;
  rule \"right\" true ==> right[n] := t; end;
end;
ruleset n : NODE do
  rule \"paint\" true ==> colour[n] := Black; end;
  rule \"clear\" true ==> colour[n] := White; end;
end;
";

/// Axioms about the memory that are true.
const TRUE: [&str; 5] = [
    "acc(left, right, 0)",
    "forall x : NODE do acc(left, right, x) -> acc(left, right, left[x]) end",
    "colour[0] = Black
     & (forall p : NODE do colour[p] = Black -> colour[left[p]] = Black & colour[right[p]] = Black end)
     -> forall x : NODE do acc(left, right, x) -> colour[x] = Black end",
    "forall p : NODE do forall q : NODE do forall r : NODE do
       acc(left, right, p) & acc(left[q := p], right, r) -> acc(left, right, r) end end end",
    "forall x : NODE do acc(left, right, x) -> acc(right, left, x) end",
];

/// Axioms about the memory that are false.
const FALSE: [&str; 5] = [
    // True of the largest set that satisfies the equation, but not of the least.
    "forall x : NODE do left[x] = x -> acc(left, right, x) end",
    // A closed set that lacks the root may lack every accessible node.
    "(forall p : NODE do colour[p] = Black -> colour[left[p]] = Black & colour[right[p]] = Black end)
     -> forall x : NODE do acc(left, right, x) -> colour[x] = Black end",
    // The link leads to a node that was not accessible.
    "forall p : NODE do forall q : NODE do forall r : NODE do
       acc(left[q := p], right, r) -> acc(left, right, r) end end end",
    // The wrong way round: a link is gone.
    "forall p : NODE do forall q : NODE do forall r : NODE do
       acc(left, right, p) & acc(left, right, r) -> acc(left[q := p], right, r) end end end",
    "forall x : NODE do acc(left, right, x) -> acc(left, left, x) end",
];

fn system(text: &str) -> System {
    let (tree, found) = parse(text, Dialect::Tenet);
    assert!(found.is_empty(), "{found:?}");
    let (model, found) = check_with(&tree, None, &Settings::new(Dialect::Tenet));
    assert!(!found.iter().any(|found| found.is_error()), "{found:?}");
    read(&model, &Unbounded::default()).expect("the model has an unbounded reading").0
}

fn paper(name: &str) -> System {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../models/papers/{name}.tenet"));
    system(&fs::read_to_string(file).expect("the model"))
}

/// The names of the axioms that are proved, each by a derivation that the checker accepts.
fn discharged(system: &System) -> Vec<String> {
    let mut claims = claims(system);
    let engine = Recursive { options: Options { proofs_only: true, ..Options::default() } };
    let all: Vec<usize> = (0..claims.program.obligations.len()).collect();
    let outcome = engine.run(Subject::Program(&mut claims.program), &all, &mut Alone);
    let proof = outcome.derivations().expect("the engine gives derivations");
    check(&mut claims.program, proof, Limits::default()).expect("the proof is right");
    let proved = proved(&claims.program, proof).obligations;
    let names = claims.discharged(&proved).into_iter().map(|axiom| system.axioms[axiom].name.clone());
    names.collect()
}

/// The same for a graph with one axiom.
fn is_discharged(axiom: &str) -> bool {
    let system = system(&format!("{GRAPH}axiom \"it\" {axiom};"));
    discharged(&system).contains(&"it".to_owned())
}

/// Writes a file, and returns its name.
fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the folder can be written to");
    path.display().to_string()
}

/// Runs the command; returns its exit code and output.
fn tenet(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tenet")).args(args).output().expect("tenet starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().expect("it ends by itself"), text + &String::from_utf8_lossy(&output.stderr))
}

/// Does the axiom hold in all states of memories of three nodes?
fn holds_in_small_memories(axiom: &str) -> bool {
    let file = file("small.tenet", &format!("{GRAPH}axiom \"it\" {axiom};"));
    let (code, text) = tenet(&["explore", &file, "--const", "M=3"]);
    assert!([0, 10].contains(&code), "{text}");
    code == 0
}

/// Does the axiom have a reading as entailments?
fn is_read(axiom: &str) -> bool {
    let system = system(&format!("{GRAPH}axiom \"it\" {axiom};"));
    let Claims { axioms, .. } = claims(&system);
    let position = system.axioms.iter().position(|axiom| axiom.name == "it").expect("the axiom");
    !axioms[position].is_empty()
}

#[test]
fn x_a6_ex_a10_the_axioms_of_the_garbage_collector_follow_from_the_definitions() {
    let expected = [
        "redirect left",
        "redirect right",
        "white nodes",
        "gray nodes",
        "left of a black node",
        "right of a black node",
    ];
    assert_eq!(discharged(&paper("gc")), expected);
}

#[test]
fn x_a6_what_is_proved_is_what_small_memories_satisfy() {
    for (axioms, is_true) in [(TRUE, true), (FALSE, false)] {
        for axiom in axioms {
            assert_eq!(is_discharged(axiom), is_true, "{axiom}");
            assert_eq!(holds_in_small_memories(axiom), is_true, "{axiom}");
        }
    }
}

#[test]
fn x_a6_definitions_are_predicates_and_axioms_entailments() {
    let axiom = TRUE[3];
    let Claims { program, .. } = claims(&system(&format!("{GRAPH}axiom \"redirect\" {axiom};")));
    let expected = "\
acc(M_2, Left, Right, N) :- N = 0.
acc(M_2, Left, Right, N) :- 0 <= P_2 <= M_2 - 1, (N = Left[P_2] \\/ N = Right[P_2]), acc(M_2, Left, Right, P_2).

prove \"redirect\": acc(M, Left_2, Right_2, P_3), acc(M, <Left_2,Q_2,P_3>, Right_2, R_2), 0 <= P_3 <= M - 1, \
0 <= Q_2 <= M - 1, 0 <= R_2 <= M - 1 |= acc(M, Left_2, Right_2, R_2).
";
    assert_eq!(print::program(&program), expected);
}

#[test]
fn ex_t5_a_least_set_that_is_not_accessible_is_no_entailment() {
    // `acc` to the right of an implication with a negated `acc`, or in a disjunction, has no derivation.
    assert!(!is_read("forall x : NODE do acc(left, right, x) | acc(right, left, x) end"));
    assert!(!is_read("colour[0] = Black"));
    assert!(is_read("forall x : NODE do colour[x] = Black & !acc(left, right, x) -> left[x] != 0 end"));
}

#[test]
fn definitions_with_a_universal_use_have_no_reading() {
    let text = "
const M : 1..;
type NODE : 0..M - 1;
     LINKS : array [NODE] of NODE;
var next : LINKS;
define ends(next : LINKS; n : NODE) : boolean :=
  n = 0 | forall p : NODE do next[n] = p -> ends(next, p) end;
startstate undefine next; end;
rule \"nothing\" true ==> end;
axiom \"it\" forall n : NODE do ends(next, n) -> n = 0 | ends(next, next[n]) end;
";
    let claims = claims(&system(text));
    assert!(claims.program.predicates.is_empty() && claims.program.obligations.is_empty());
}

#[test]
fn ranges_index_sorts_and_data_are_read() {
    let text = "
type NODE : 0..4;
     CLIENT : scalarset(3);
     LINKS : array [CLIENT] of CLIENT;
var next : LINKS;
    home : CLIENT;
    step : array [NODE] of NODE;
    good : array [CLIENT] of boolean;
define linked(next : LINKS; from : CLIENT; n : CLIENT) : boolean :=
  n = from | exists c : CLIENT do linked(next, from, c) & next[c] = n end;
define later(step : array [NODE] of NODE; n : NODE) : boolean :=
  n = 0 | exists p : NODE do later(step, p) & step[p] = n end;
startstate undefine next; undefine home; undefine step; undefine good; end;
rule \"nothing\" true ==> end;
axiom \"good is closed\"
  good[home] & (forall c : CLIENT do good[c] -> good[next[c]] end)
  -> forall c : CLIENT do linked(next, home, c) -> good[c] end;
axiom \"steps go up\"
  (forall n : NODE do n <= step[n] end) -> forall n : NODE do later(step, n) -> 0 <= n end;
axiom \"out of range\"
  forall n : NODE do later(step, n) -> n < 4 end;
";
    assert_eq!(discharged(&system(text)), ["good is closed", "steps go up"]);
}

/// What makes the memory provable from an axiom: a successor of the root is accessible.
const SUCCESSOR: &str = "
axiom \"steps\" forall x : NODE do acc(left, right, x) -> acc(left, right, left[x]) end;
predicate acc(left, right, left[0]);
invariant \"successor\" acc(left, right, left[0]);
";

#[test]
fn x_a6_a_proved_axiom_is_no_assumption() {
    let model = file("successor.tenet", &format!("{GRAPH}{SUCCESSOR}"));
    let certificate = format!("{model}.cert");
    let (code, text) = tenet(&["abstract", &model, "--certificate", &certificate]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("  axioms proved: steps\n  assuming: `NODE` is not empty\n"), "{text}");
    let (code, text) = tenet(&["prove", &model, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((code, &json["proved_axioms"]), (0, &serde_json::json!(["steps"])), "{text}");
    assert_eq!(json["assumptions"], serde_json::json!(["`NODE` is not empty"]));
    let (code, text) = tenet(&["verify", &certificate]);
    assert!(code == 0 && text.contains("  axioms proved: steps\n"), "{text}");
    let (code, text) = tenet(&["verify", &format!("{certificate}.axioms")]);
    assert!(code == 0 && text.contains("verified: \"steps\" holds\n"), "{text}");
}

#[test]
fn x_a6_the_proof_of_an_axiom_is_checked_with_the_certificate() {
    let model = file("checked.tenet", &format!("{GRAPH}{SUCCESSOR}"));
    let certificate = format!("{model}.cert");
    let axioms = format!("{certificate}.axioms");
    assert_eq!(tenet(&["abstract", &model, "--certificate", &certificate, "-q"]).0, 0);
    let proof = fs::read_to_string(&axioms).expect("the proof of the axioms");
    // Edited.
    fs::write(&axioms, proof.replace("(check-sat)", "")).expect("the file can be written");
    let (code, text) = tenet(&["verify", &certificate]);
    assert!(code == 6 && text.contains("checked.tenet.cert.axioms: "), "{text}");
    // About the same file, read in another way.
    let other = format!("{model}.small.cert");
    let arguments = ["abstract", &model, "--const", "M=2", "--certificate", &other, "-q"];
    assert_eq!(tenet(&arguments).0, 0);
    fs::copy(format!("{other}.axioms"), &axioms).expect("the file can be written");
    let (code, text) = tenet(&["verify", &certificate]);
    assert!(code == 6 && text.contains("about another model"), "{text}");
    // Without it, the axiom is an assumption.
    fs::remove_file(&axioms).expect("the file can be removed");
    let (code, text) = tenet(&["verify", &certificate]);
    assert!(code == 0 && text.contains("; steps\n") && !text.contains("proved:"), "{text}");
}

#[test]
fn ex_t6_a_proof_from_a_false_axiom_is_no_proof() {
    let claim = "forall x : NODE do left[x] = x -> acc(left, right, x) end";
    let predicates = "index i : NODE; predicate left[i] = i; predicate acc(left, right, i);";
    let text = format!("{GRAPH}axiom \"loops\" {claim}; {predicates} invariant \"loop\" {claim};");
    let model = file("loops.tenet", &text);
    for arguments in [vec!["abstract", &model], vec!["abstract", &model, "--property", "loop"]] {
        let (code, text) = tenet(&arguments);
        assert!(code == 10 && text.contains("invariant \"axiom `loops`\" is false"), "{text}");
    }
}

#[test]
fn ex_t6_an_axiom_of_reachable_states_stays_an_assumption() {
    let still = GRAPH.replace("left[n] := t;", "");
    let claim = "forall x : NODE do acc(left, right, left[x]) & left[x] = 0 end";
    let predicates = "index i : NODE; predicate left[i] = 0;";
    let text = format!("{still}axiom \"zero\" {claim}; {predicates} invariant \"still\" {claim};");
    let (code, text) = tenet(&["abstract", &file("still.tenet", &text)]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("  assuming: `NODE` is not empty; zero\n"), "{text}");
    assert!(!text.contains("axioms proved"), "{text}");
}

#[test]
fn a_recursive_use_outside_of_the_type_is_refused() {
    // Over all integers every number from -1 on would be one; over the type there is none.
    let model = file(
        "outside.tenet",
        "type T : 0..3; var y : T; bad : boolean;
         define w(n : T) : boolean := n = -1 | w(n - 1);
         axiom \"all\" forall n : T do w(n) end;
         startstate y := 0; bad := false; end;
         rule \"s\" !w(y) ==> bad := true; end;
         invariant \"i\" !bad; predicate bad;",
    );
    for command in ["prove", "abstract"] {
        assert_eq!(tenet(&[command, &model]).0, 3, "{command}");
    }
}

#[test]
fn no_proof_of_other_axioms_is_left_beside_a_certificate() {
    let with = file("with.tenet", &format!("{GRAPH}{SUCCESSOR}"));
    let predicates = "index i : NODE; predicate left[i] = i;";
    let claim = "forall x : NODE do left[x] = x -> x = left[x] end";
    let without = file("without.tenet", &format!("{GRAPH}{predicates} invariant \"plain\" {claim};"));
    let certificate = format!("{with}.left.cert");
    for model in [&with, &without] {
        assert_eq!(tenet(&["abstract", model, "--certificate", &certificate, "-q"]).0, 0);
        let (code, text) = tenet(&["verify", &certificate]);
        assert_eq!(code, 0, "{text}");
    }
    assert!(!Path::new(&format!("{certificate}.axioms")).exists());
}
