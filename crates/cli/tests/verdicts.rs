//! Soundness of verdicts: constants that stand for every value, reads of undefined values, and the assumptions of proofs.
//!
//! Each model invites a wrong reading: a constant as a size, as an element and as a number at once, literals that are elements of
//! some instances only, values that are never assigned. The verdicts of `prove` for all values are compared with those of
//! `explore` for some.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn tenet(args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tenet")).args(args).output().expect("tenet starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().expect("it ends by itself"), String::from_utf8_lossy(&text).into_owned())
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("the model can be written");
    path.display().to_string()
}

/// What `prove` says of a model, which must not contradict `explore` for any value of its constant from `least` on.
fn prove(name: &str, text: &str, least: u32) -> (i32, String) {
    let model = file(name, text);
    let (code, said) = tenet(&["prove", &model, "--timeout", "60"]);
    let explored: Vec<i32> = (least..=5)
        .map(|value| tenet(&["explore", &model, "--deadlock", "off", "--const", &format!("N={value}")]).0)
        .collect();
    match code {
        0 => assert!(explored.iter().all(|&code| code == 0), "{name} {explored:?}: {said}"),
        10 => assert!(explored.contains(&10), "{name} {explored:?}: {said}"),
        _ => assert!(code == 5 || code == 3, "{name} {code}: {said}"),
    }
    (code, said)
}

#[test]
fn a_constant_is_the_last_element_of_its_range() {
    let model = "const N : 4; type P : 1..N; var x : P; startstate x := N; end; rule true ==> x := x; end;";
    let (code, text) = prove("last_is.m", &format!("{model} invariant \"last\" x = N;"), 1);
    assert!(code == 0 && text.contains("for every size of P"), "{text}");
    let (code, text) = prove("last_is_four.m", &format!("{model} invariant \"four\" x = 4;"), 4);
    assert!(code == 10 && text.contains("(N = 5)"), "{text}");
}

#[test]
fn a_literal_element_says_from_where_on() {
    let model = "const N : 4; type P : 0..N - 1; var a : array [P] of boolean;
        startstate for p : P do a[p] := p = 2; end; end;
        ruleset p : P do rule p != 2 ==> a[p] := !a[p]; end; end;
        invariant \"two\" a[2];";
    let (code, text) = prove("literal.m", model, 3);
    assert!(code == 0 && text.contains("for every N >= 3") && text.contains("assuming: N >= 3"), "{text}");
    let certificate = file("literal.cert", "");
    tenet(&["prove", &file("literal.m", model), "--certificate", &certificate]);
    let (code, text) = tenet(&["verify", &certificate]);
    assert!(code == 0 && text.contains("assuming: N >= 3"), "{text}");
}

#[test]
fn elements_of_a_literal_and_of_a_constant_may_be_the_same() {
    // For N = 2 the last element is 2, for N = 3 the one before the last is.
    let model = |property: &str| {
        format!(
            "const N : 5; type P : 1..N; var x, y : P; startstate x := 2; y := N - 1; end; rule true ==> x := x; end;
             invariant \"i\" {property};"
        )
    };
    assert_eq!(prove("same.m", &model("x != y"), 2).0, 10);
    assert_eq!(prove("not_the_same.m", &model("y != N"), 2).0, 0);
}

#[test]
fn constants_move_with_what_they_are_computed_from() {
    let model = |property: &str| {
        format!(
            "const N : 3; LAST : N; MANY : N > 2; HALF : N / 2; type P : scalarset(N); C : 0..LAST;
             var c : C; a : array [P] of boolean;
             startstate c := LAST; for p : P do a[p] := false; end; end;
             ruleset p : P do rule true ==> a[p] := !a[p]; end; end;
             invariant \"i\" {property};"
        )
    };
    assert_eq!(prove("computed.m", &model("c = N"), 1).0, 0);
    assert_eq!(prove("computed_number.m", &model("c = 3"), 1).0, 10);
    assert_eq!(prove("computed_boolean.m", &model("MANY"), 1).0, 10);
    assert_eq!(prove("computed_half.m", &model("HALF = 1"), 1).0, 10);
    assert_eq!(prove("computed_equivalence.m", &model("MANY = (c > 2)"), 1).0, 0);
}

#[test]
fn a_number_is_not_tied_to_the_size_and_no_run_pretends_that_it_is() {
    let model = "const N : 3; type P : scalarset(N); var inside : array [P] of boolean; c : 0..N;
        startstate for p : P do inside[p] := false; end; c := 0; end;
        ruleset p : P do
          rule \"enter\" !inside[p] ==> inside[p] := true; c := c + 1; end;
          rule \"leave\" inside[p] ==> inside[p] := false; c := c - 1; end;
        end;
        invariant \"i\" c >= 0;";
    assert_eq!(prove("counted.m", model, 1).0, 5);
}

#[test]
fn a_size_and_its_constant_are_one() {
    let model = "const N : 3; type P : scalarset(N); Q : scalarset(N); R : scalarset(2 * N); var c : 0..9; p : P; q : Q; r : R;
        startstate c := N; undefine p; undefine q; undefine r; end; rule c < 9 ==> c := c; end; invariant \"four\" c = 4;";
    let model = file("one.m", model);
    for options in [["--size", "P=4"], ["--size", "Q=4"], ["--size", "R=8"], ["--const", "N=4"]] {
        for command in [&["prove"][..], &["explore", "--deadlock", "off"]] {
            let (code, text) = tenet(&[command, &[&model], &options].concat());
            assert_eq!(code, 0, "{command:?} {options:?}: {text}");
        }
    }
    for options in
        [&["--size", "P=4", "--const", "N=3"][..], &["--size", "P=4", "--size", "Q=3"], &["--size", "R=7"]]
    {
        let (code, text) = tenet(&[&["prove", &model][..], options].concat());
        assert!(code == 3 && text.contains("E0404"), "{options:?}: {text}");
    }
}

#[test]
fn what_is_not_of_any_size_is_said() {
    let model = "const N : 3; var x : 0..N; startstate x := 0; end; rule x < N ==> x := x + 1; end; invariant \"three\" x <= 3;";
    let (code, text) = tenet(&["prove", &file("as_written.m", model)]);
    assert!(code == 0 && text.contains("(N = 3 as written)"), "{text}");
}

/// A message has a sender while it is there; a reader checks that first, or does not.
fn message(guard: &str) -> String {
    format!(
        "type P : scalarset(3); K : enum {{None, Some}};
         var kind : array [P] of K; from : array [P] of P; got : P; has : boolean;
         startstate for p : P do kind[p] := None; end; undefine from; undefine got; has := false; end;
         ruleset p : P; q : P do rule \"send\" kind[p] = None ==> kind[p] := Some; from[p] := q; end; end;
         ruleset p : P do rule \"receive\" {guard} ==>
           got := from[p]; has := true; kind[p] := None; undefine from[p]; end; end;
         invariant \"i\" has -> got = got;"
    )
}

#[test]
fn that_nothing_undefined_is_read_is_proved() {
    let model = file("message.m", &message("kind[p] = Some"));
    let certificate = file("message.cert", "");
    let (code, text) = tenet(&["prove", &model, "--certificate", &certificate]);
    assert!(code == 0 && text.contains("reads of undefined values"), "{text}");
    let (code, text) = tenet(&["verify", &certificate]);
    assert!(code == 0 && !text.contains("undefined"), "{text}");
    // Without its proof it is an assumption.
    let reads = format!("{certificate}.reads");
    let proof = fs::read_to_string(&reads).expect("the proof is beside the certificate");
    fs::remove_file(&reads).expect("it can be removed");
    let (code, text) = tenet(&["verify", &certificate]);
    assert!(code == 0 && text.contains("assuming: no undefined value is read"), "{text}");
    // A proof that leaves a read out, or is of another model, is rejected.
    let shorter: Vec<&str> = proof.lines().filter(|line| !line.starts_with("; property 1 ")).collect();
    let other = proof.replace("; option reads \"defined\"\n", "");
    for wrong in [shorter.join("\n") + "\n", other] {
        fs::write(&reads, wrong).expect("the proof can be written");
        assert_eq!(tenet(&["verify", &certificate]).0, 6);
    }
    fs::write(&reads, proof).expect("the proof can be written");
    assert_eq!(tenet(&["verify", &certificate]).0, 0);
}

#[test]
fn what_is_undefined_and_read_is_a_run() {
    let model = file("message_broken.m", &message("true"));
    let (code, text) = tenet(&["prove", &model]);
    assert!(code == 10 && text.contains("an undefined value is read: `from[p]`"), "{text}");
    // Nothing depends on the value.
    let model = "var x : boolean; y : boolean; startstate y := true; undefine x; end;
        rule if x then y := true; else y := true; end; end; invariant \"i\" y;";
    let (code, text) = tenet(&["prove", &file("indifferent.m", model)]);
    assert!(code == 10 && text.contains("an undefined value is read: `x`"), "{text}");
    // It takes four elements.
    let model = "type P : scalarset(2); var x, y : boolean; startstate y := true; undefine x; end;
        ruleset a : P; b : P; c : P; d : P do
          rule a != b & a != c & a != d & b != c & b != d & c != d & x ==> y := true; end; end; invariant \"i\" y;";
    let (code, text) = tenet(&["prove", &file("four.m", model)]);
    assert!(code == 10 && text.contains("(P = 4)"), "{text}");
}

#[test]
fn copies_are_as_undefined_as_what_they_are_copies_of() {
    let model = |last: &str| {
        format!(
            "type R : record f : boolean; g : boolean; end; var a, b : R; y : boolean;
             startstate undefine a; undefine b; a.f := true; y := true; end;
             rule true ==> b := a; end; rule b = a ==> y := {last}; end; invariant \"i\" y;"
        )
    };
    let (code, text) = tenet(&["prove", &file("copy.m", &model("b.f & a.f | true"))]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = tenet(&["prove", &file("copy_broken.m", &model("b.g | true"))]);
    assert!(code == 10 && text.contains("`b.g`"), "{text}");
}

#[test]
fn a_fault_far_away_is_not_called_safe() {
    let model = "var c : 0..100000000; x : 0..3; y : boolean; startstate y := true; undefine x; c := 0; end;
        rule c < 100000000 ==> c := c + 1; end; rule c = 100000000 & x = 2 ==> y := true; end; invariant \"i\" y;";
    let (code, text) = tenet(&["prove", &file("far.m", model), "--timeout", "3"]);
    assert!(code == 5 && text.starts_with("unknown: reads of undefined values"), "{text}");
}

#[test]
fn no_start_is_possible_for_any_size() {
    let model = "type t = A | B\narray M[proc,proc] : t\nvar V : bool\n\
        init (x y) { V = True && M[x,y] <> A && M[x,y] <> B }\nunsafe (p) { V = False }\n\
        transition tr (i) requires { V = True } { V := True }\n";
    let (code, text) = tenet(&["prove", &file("no_start.cub", model)]);
    assert!(code == 5 && text.contains("no startstate is possible"), "{text}");
}

#[test]
fn a_rule_for_every_element_need_not_mention_it() {
    // The state is one bit, but there is a parameter of another sort, and a constant that nothing depends on.
    let model = "const N : 4;\ntype P : 1..N;\nvar x : boolean;\nstartstate x := false; end;\n\
                 ruleset p : P do rule \"r\" x ==> x := false; end; end;\n\
                 invariant \"i\" forall q : P do 4 >= N / 2 | q = q end;\n";
    let (code, text) = prove("idle_parameter.m", model, 1);
    assert_eq!(code, 0, "{text}");
}

const ENGINES: [&str; 4] = ["direct", "refine", "circuit", "hybrid"];

#[test]
fn a_single_rule_that_never_fires_is_told() {
    let model = "var b, c : boolean; startstate b := true; c := false; end;
        rule \"never\" !b ==> c := true; end; invariant \"i\" b;";
    let model = file("one_rule.m", model);
    for engine in ENGINES {
        let (code, text) = tenet(&["prove", &model, "--engine", engine]);
        assert!(code == 0 && text.contains("rule \"never\" can never fire"), "{engine}: {text}");
    }
}

/// A state in which the only rule is not enabled counts; for a circuit a guard is an assumption about its inputs.
#[test]
fn a_state_without_steps_counts() {
    let model = "var b : boolean; startstate b := true; end; rule b ==> b := false; end; invariant \"i\" b;";
    let ended = file("ended.m", model);
    let lasting = file("lasting.m", &model.replace(":= false", ":= true"));
    for engine in ENGINES {
        let (code, text) = tenet(&["prove", &ended, "--engine", engine]);
        assert_eq!(code, 10, "{engine}: {text}");
        let (code, text) = tenet(&["prove", &lasting, "--engine", engine]);
        assert_eq!(code, 0, "{engine}: {text}");
    }
}

#[test]
fn a_circuit_without_a_first_cycle_is_not_safe() {
    let text = "1 sort bitvec 1\n2 state 1 s\n3 zero 1\n4 init 1 2 3\n5 next 1 2 2\n6 constraint 2\n7 input 1 i\n8 bad 7\n";
    let model = file("no_cycle.btor2", text);
    for engine in ENGINES {
        let (code, text) = tenet(&["prove", &model, "--engine", engine]);
        assert!(code == 5 && text.contains("U0115"), "{engine}: {text}");
    }
}

#[test]
fn a_relation_that_holds_of_nothing_is_told() {
    let text = "(set-logic HORN)(declare-fun loop (Int) Bool)(declare-fun after (Int) Bool)
        (assert (forall ((x Int)) (=> (= x 0) (loop x))))
        (assert (forall ((x Int)) (=> (loop x) (loop (+ x 1)))))
        (assert (forall ((x Int)) (=> (and (loop x) (< x 0)) (after x))))
        (assert (forall ((x Int)) (=> (after x) (after (- x 1)))))
        (assert (forall ((x Int)) (=> (and (after x) (= x 7)) false)))(check-sat)";
    let (code, text) = tenet(&["prove", &file("empty_relation.smt2", text)]);
    assert!(code == 0 && text.contains("trust: relation `after` holds of nothing"), "{text}");
}

/// An undefined part equals no defined one, although there may be no other value that it could have.
#[test]
fn undefined_parts_are_compared_as_such() {
    let model = "type R : record g : boolean; end;
        var r, t, f : R; k : 0..9; bad : boolean;
        startstate undefine r; t.g := true; f.g := false; k := 0; bad := false; end;
        rule k < 9 ==> k := k + 1; end;
        rule k = 9 & !(r = t) & !(r = f) ==> bad := true; end;
        invariant \"never\" !bad;";
    let (far, defined) = (model.replace('9', "20000"), model.replace("undefine r;", "r.g := true;"));
    for (name, text, right) in
        [("parts", model, 10), ("parts_far", far.as_str(), 10), ("parts_defined", &defined, 0)]
    {
        let model = file(&format!("{name}.m"), text);
        for engine in ["direct", "refine"] {
            let (code, said) = tenet(&["prove", &model, "--engine", engine, "--timeout", "60"]);
            // Far away a run may not be found in time, but nothing is safe.
            assert!(code == right || code == 5 && right == 10, "{name} {engine}: {said}");
        }
    }
    // Where the values differ elsewhere, what is undefined does not matter.
    let kind = "type R : record kind : boolean; data : 0..3; end; var m, empty : R;
        startstate undefine m; m.kind := false; empty := m; end;
        rule m = empty ==> m.kind := true; m.data := 2; end;
        rule m != empty ==> m := empty; end;
        invariant \"sent\" m.kind -> m.data = 2;";
    let (code, said) = tenet(&["prove", &file("kinds.m", kind)]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_startstate_that_no_size_has_is_told() {
    let model = "const N : 3; type P : scalarset(N); var a : array [P] of boolean;
        startstate assume N >= 6 & (forall p : P; q : P; r : P do p = q | q = r | p = r end); clear a; end;
        ruleset p : P do rule \"flip\" true ==> a[p] := a[p]; end; end;
        invariant \"i\" forall p : P do a[p] -> N > 5 & false end;";
    let (code, text) = tenet(&["prove", &file("never_starts.m", model)]);
    assert!(code == 0 && text.contains("trust: no instance up to N = 5 has a startstate"), "{text}");
}

/// A size and the constant that it comes from are one number, and no rule fires where they are two.
#[test]
fn what_is_seen_to_fire_is_seen_in_instances() {
    let model = "const N : 3; type P : scalarset(N); var s : array [P] of boolean;
        startstate clear s; end;
        ruleset p : P do rule \"two\" N >= 6 & (forall q : P; r : P; t : P do q = r | r = t | q = t end) & !s[p] ==>
          s[p] := true; end; end;
        invariant \"a\" (exists p : P do s[p] end) -> N > 5;";
    let (code, text) = tenet(&["prove", &file("two.m", model)]);
    assert!(code == 0 && !text.contains("every rule fires"), "{text}");
}

#[test]
fn a_question_is_about_the_clauses_in_front_of_it() {
    let text = "(set-logic HORN)(declare-fun p (Int) Bool)(assert (p 0))(check-sat)
        (assert (forall ((x Int)) (=> (p x) false)))";
    let (code, said) = tenet(&["prove", &file("behind.smt2", text)]);
    assert!(code == 3 && said.contains("E0902"), "{said}");
}

/// Selecting a property by name selects all of that name.
#[test]
fn properties_of_one_name_are_chosen_together() {
    let text = "1 sort bitvec 1\n2 state 1 s\n3 zero 1\n4 init 1 2 3\n5 next 1 2 3\n6 bad 2 x\n7 bad -2 x\n";
    let (code, said) = tenet(&["prove", &file("same_name.btor2", text), "--property", "x"]);
    assert!(code == 10 && said.contains("x#7"), "{said}");
}

/// A local variable is initially undefined, too.
#[test]
fn undefined_local_parts_are_compared_as_such() {
    let model = "type R : record g : boolean; end; var t, f : R; k : 0..20000; bad : boolean;
        procedure compare(); var r : R; begin if !(r = t) & !(r = f) then bad := true; end; end;
        startstate t.g := true; f.g := false; k := 0; bad := false; end;
        rule k < 20000 ==> k := k + 1; end;
        rule k = 20000 ==> compare(); end;
        invariant \"never\" !bad;";
    let (code, said) = tenet(&["prove", &file("local_parts.m", model)]);
    assert_eq!(code, 10, "{said}");
}

/// Axioms that contradict each other by way of a definition, which no solver notices: nothing starts, so nothing is safe.
#[test]
fn contradictory_axioms_about_a_definition_prove_nothing() {
    let model = "type T : 0..5; define up(n : T) : boolean := n = 0 | exists m : T do up(m) & n = m + 1 end;
        axiom \"all\" forall m : T do up(m) end; axiom \"more\" forall m : T do up(m) -> m <= 4 end;
        var x : T; startstate x := 0; end; rule x < 5 ==> x := x + 1; end;
        invariant \"i\" up(x); invariant \"j\" x <= 4;";
    let certificate = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contradictory.cert");
    let written = certificate.display().to_string();
    let (code, said) = tenet(&["prove", &file("contradictory.tenet", model), "--certificate", &written]);
    assert!(code == 5 && said.contains("U0115") && !certificate.exists(), "{said}");
}
