//! Every property has its own verdict: a violated one is reported with its run, and the others are proved all the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const MURPHI: &str = "type PROC : scalarset(3);
var x : array [PROC] of 0..3;
    t : boolean;
ruleset p : PROC do
  rule \"up\" x[p] < 2 ==> x[p] := x[p] + 1; end;
  rule \"down\" x[p] > 0 ==> x[p] := x[p] - 1; end;
end;
startstate for p : PROC do x[p] := 0; end; t := true; end;
invariant \"small\" forall p : PROC do x[p] <= 2 end;
invariant \"flag\" t;
invariant \"tiny\" forall p : PROC do x[p] <= 1 end;
invariant \"nonneg\" forall p : PROC do x[p] >= 0 end;
";

const CUBICLE: &str = "type t = A | B | C
var Free : bool
array S[proc] : t
init (z) { S[z] = A && Free = True }
unsafe (x y) { S[x] = C && S[y] = C }
unsafe (x) { S[x] = B }
transition enter (x)
requires { S[x] = A && Free = True }
{ S[x] := C; Free := False; }
transition leave (x)
requires { S[x] = C }
{ S[x] := B; Free := True; }
";

const BTOR2: &str = "1 sort bitvec 8
2 sort bitvec 1
3 zero 1
4 state 1 count
5 init 1 4 3
6 constd 1 2
7 add 1 4 6
8 next 1 4 7
9 constd 1 7
10 eq 2 4 9
11 bad 10 odd
12 constd 1 4
13 eq 2 4 12
14 bad 13 four
15 constd 1 9
16 eq 2 4 15
17 bad 16 odder
";

const CLP: &str = "even(0). even(X+2) :- even(X).
prove \"not one\": even(X) |= X != 1.
prove \"small\": even(X) |= X <= 3.
prove \"natural\": even(X) |= X >= 0.
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A file of a test's own.
fn written(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("properties");
    fs::create_dir_all(&folder).expect("the folder of the build can be written to");
    let file = folder.join(name);
    fs::write(&file, text).expect("it can be written");
    file.display().to_string()
}

/// The exit code, and what is printed as JSON.
fn prove(file: &str, options: &[&str]) -> (Option<i32>, serde_json::Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_tenet"))
        .args(["prove", file, "--json"])
        .args(options)
        .output()
        .expect("tenet starts");
    let object = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{file}: {error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    (output.status.code(), object)
}

/// Each property with its verdict, by name; a violated one has a run, and a safe one an engine that proved it.
fn verdicts(object: &serde_json::Value) -> Vec<(String, String)> {
    let properties = object["properties"].as_array().expect("a list of properties");
    let mut verdicts: Vec<(String, String)> = properties
        .iter()
        .map(|property| {
            let text = |field: &str| property[field].as_str().expect("a text").to_string();
            assert!(!text("engine").is_empty() && property["seconds"].is_number(), "{property}");
            (text("name"), text("verdict"))
        })
        .collect();
    verdicts.sort();
    verdicts
}

#[track_caller]
fn assert_verdicts(object: &serde_json::Value, expected: &[(&str, &str)]) {
    let expected: Vec<(String, String)> =
        expected.iter().map(|(name, verdict)| ((*name).to_string(), (*verdict).to_string())).collect();
    assert_eq!(verdicts(object), expected, "{object:#}");
}

#[test]
fn one_false_invariant_of_a_murphi_model() {
    let file = written("four.m", MURPHI);
    let certificate = written("four.cert", "");
    let (code, object) = prove(&file, &["--certificate", &certificate]);
    assert_eq!(code, Some(10));
    assert_verdicts(
        &object,
        &[("faults", "safe"), ("flag", "safe"), ("nonneg", "safe"), ("small", "safe"), ("tiny", "unsafe")],
    );
    // The proof of the others does not rest on the one that is false.
    let verified = Command::new(env!("CARGO_BIN_EXE_tenet")).args(["verify", &certificate]).output();
    let verified = verified.expect("tenet starts");
    assert_eq!(verified.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&verified.stdout).contains("tiny"));
}

#[test]
fn the_first_violation_is_enough_if_nobody_wants_more() {
    let (code, object) = prove(&written("first.m", MURPHI), &["--first"]);
    assert_eq!(code, Some(10));
    let verdicts = verdicts(&object);
    assert!(verdicts.iter().all(|(name, verdict)| (name == "tiny") == (verdict == "unsafe")), "{verdicts:?}");
    assert!(verdicts.iter().all(|(name, verdict)| name == "tiny" || verdict == "unknown"), "{verdicts:?}");
}

#[test]
fn two_unsafes_of_a_cubicle_file() {
    let (code, object) = prove(&written("two.cub", CUBICLE), &[]);
    assert_eq!(code, Some(10));
    let verdicts = verdicts(&object);
    let count = |wanted: &str| verdicts.iter().filter(|(_, verdict)| verdict == wanted).count();
    assert_eq!((count("safe"), count("unsafe"), verdicts.len()), (1, 1, 2), "{object:#}");
}

#[test]
fn several_bads_of_a_btor2_file() {
    let (code, object) = prove(&written("bads.btor2", BTOR2), &[]);
    assert_eq!(code, Some(10));
    assert_verdicts(&object, &[("four", "unsafe"), ("odd", "safe"), ("odder", "safe")]);
}

#[test]
fn one_false_entailment() {
    let (code, object) = prove(&written("even.clp", CLP), &[]);
    assert_eq!(code, Some(10));
    assert_verdicts(&object, &[("natural", "safe"), ("not one", "safe"), ("small", "unsafe")]);
}

/// X-A6 in one run.
#[test]
fn nine_properties_of_pfir() {
    let file = root().join("models/rtl/pfir.v").display().to_string();
    let (code, object) = prove(&file, &[]);
    assert_eq!(code, Some(10));
    let verdicts = verdicts(&object);
    let count = |wanted: &str| verdicts.iter().filter(|(_, verdict)| verdict == wanted).count();
    assert_eq!((count("safe"), count("unsafe"), verdicts.len()), (7, 2, 9), "{verdicts:?}");
}

/// All output for the user.
fn said(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tenet")).args(arguments).output().expect("tenet starts");
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn hints_are_about_the_engine_that_was_asked() {
    let mutex = root().join("models/mutex.m").display().to_string();
    let refine = said(&["prove", &mutex, "--engine", "refine"]);
    assert!(!refine.contains("--iterations") && !refine.contains("--method"), "{refine}");
    let circuit = said(&["prove", &mutex, "--engine", "circuit"]);
    assert!(circuit.contains("the engine `circuit` cannot read it"), "{circuit}");
    let direct = said(&["prove", &written("hint.btor2", BTOR2), "--engine", "direct", "--timeout", "20"]);
    assert!(!direct.contains("tenet explore"), "{direct}");
}

/// That the number is never negative takes counting, which no lemma of `direct` can do.
const HARD: &str = "type PROC : scalarset(3);
var held, crit : array [PROC] of boolean; c : integer; busy : boolean;
startstate for p : PROC do held[p] := false; crit[p] := false end; c := 0; busy := false; end;
ruleset p : PROC do
  rule \"take\" !held[p] ==> held[p] := true; c := c + 1; end;
  rule \"release\" held[p] ==> held[p] := false; c := c - 1; end;
  rule \"lock\" !busy ==> busy := true; crit[p] := true; end;
  rule \"unlock\" crit[p] ==> crit[p] := false; busy := false; end;
end;
invariant \"count\" c >= 0;
invariant \"exclusion\" forall p : PROC do forall q : PROC do crit[p] & crit[q] -> p = q end end;
invariant \"order\" forall p : PROC do crit[p] -> busy end;
";

#[test]
fn one_hard_property_does_not_starve_the_others() {
    let certificate = written("hard.cert", "");
    let file = written("hard.tenet", HARD);
    let (code, object) = prove(&file, &["--certificate", &certificate]);
    assert_eq!(code, Some(5));
    assert_verdicts(&object, &[("count", "unknown"), ("exclusion", "safe"), ("order", "safe")]);
    let verified = Command::new(env!("CARGO_BIN_EXE_tenet")).args(["verify", &certificate]).output();
    let told = String::from_utf8(verified.expect("tenet starts").stdout).expect("it is text");
    assert!(told.starts_with("verified: \"exclusion\", \"order\" hold"), "{told}");
}
