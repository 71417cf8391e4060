//! `tenet prove` on small programs over arrays, as one would write them: each is proved for arrays of every length, and with one
//! mistake in it never.

use std::path::Path;
use std::process::Command;

const SAFE: i32 = 0;
const UNSAFE: i32 = 10;
const UNKNOWN: i32 = 5;

/// The common beginning of all programs.
const HEADER: &str = "
const LENGTH : 1..;
type PLACE : 0..LENGTH;
";

const SORTED: &str = "
invariant \"sorted\"
  done -> forall u : PLACE do forall v : PLACE do u < v & v < LENGTH -> a[u] <= a[v] end end;
";

/// A program, and replacements that make it wrong.
struct Program {
    name: &'static str,
    text: &'static str,
    is_sort: bool,
    mistake: (&'static str, &'static str),
}

const PROGRAMS: [Program; 6] = [
    Program {
        name: "insertion sort",
        text: "
            const given : array [PLACE] of integer;
            var
              a : array [PLACE] of integer;  i, j : PLACE;  key : integer;  is_inside, done : boolean;
            startstate a := given; i := 1; j := 0; key := 0; is_inside := false; done := false; end;
            rule \"take\" !is_inside & i < LENGTH ==> key := a[i]; j := i; is_inside := true; end;
            rule \"shift\" is_inside & j > 0 & a[j - 1] > key ==> a[j] := a[j - 1]; j := j - 1; end;
            rule \"put\" is_inside & (j = 0 | a[j - 1] <= key) ==> a[j] := key; i := i + 1; is_inside := false; end;
            rule \"finish\" !is_inside & i = LENGTH ==> done := true; end;",
        is_sort: true,
        mistake: ("a[j - 1] <= key", "a[j - 1] >= key"),
    },
    Program {
        name: "bubble sort",
        text: "
            type ENTRY : 0..;
            const given : array [PLACE] of ENTRY;
            var
              a : array [PLACE] of ENTRY;  n, j : PLACE;  done : boolean;
            startstate a := given; n := LENGTH; j := 1; done := false; end;
            rule \"swap\" !done & j < n & a[j - 1] > a[j] ==>
              var e : ENTRY; begin e := a[j]; a[j] := a[j - 1]; a[j - 1] := e; j := j + 1; end;
            rule \"leave\" !done & j < n & a[j - 1] <= a[j] ==> j := j + 1; end;
            rule \"next round\" !done & j >= n & n > 1 ==> n := n - 1; j := 1; end;
            rule \"finish\" !done & n <= 1 ==> done := true; end;",
        is_sort: true,
        mistake: ("n <= 1", "n <= 2"),
    },
    Program {
        name: "the greatest entry",
        text: "
            const given : array [PLACE] of integer;
            var i : PLACE;  greatest : integer;
            startstate i := 1; greatest := given[0]; end;
            rule \"larger\" i < LENGTH & given[i] > greatest ==> greatest := given[i]; i := i + 1; end;
            rule \"not larger\" i < LENGTH & given[i] <= greatest ==> i := i + 1; end;
            invariant \"greatest\" i = LENGTH -> forall u : PLACE do u < LENGTH -> given[u] <= greatest end;",
        is_sort: false,
        mistake: ("given[i] > greatest ==> greatest := given[i]; i := i + 1", "given[i] > greatest ==> i := i + 1"),
    },
    Program {
        name: "binary search",
        text: "
            const given : array [PLACE] of integer;  wanted : integer;
            axiom \"ascends\" forall u : PLACE do forall v : PLACE do u <= v -> given[u] <= given[v] end end;
            var lo, hi, mid : PLACE;  step : enum { Look, Compare, Found, Missing };
            startstate lo := 0; hi := LENGTH; mid := 0; step := Look; end;
            rule \"middle\" step = Look & lo < hi ==> mid := (lo + hi) / 2; step := Compare; end;
            rule \"less\" step = Compare & given[mid] < wanted ==> lo := mid + 1; step := Look; end;
            rule \"greater\" step = Compare & given[mid] > wanted ==> hi := mid; step := Look; end;
            rule \"equal\" step = Compare & given[mid] = wanted ==> step := Found; end;
            rule \"none\" step = Look & lo >= hi ==> step := Missing; end;
            invariant \"missing\" step = Missing -> forall u : PLACE do u < LENGTH -> given[u] != wanted end;",
        is_sort: false,
        mistake: ("given[mid] > wanted ==> hi := mid;", "given[mid] > wanted & mid > 0 ==> hi := mid - 1;"),
    },
    Program {
        name: "three colours",
        text: "
            type COLOUR : enum { Red, White, Blue };
            const given : array [PLACE] of COLOUR;
            var a : array [PLACE] of COLOUR;  lo, mid, hi : PLACE;
            startstate a := given; lo := 0; mid := 0; hi := LENGTH; end;
            rule \"red\" mid < hi & a[mid] = Red ==>
              var c : COLOUR; begin c := a[lo]; a[lo] := a[mid]; a[mid] := c; lo := lo + 1; mid := mid + 1; end;
            rule \"white\" mid < hi & a[mid] = White ==> mid := mid + 1; end;
            rule \"blue\" mid < hi & a[mid] = Blue ==>
              var c : COLOUR; begin c := a[hi - 1]; a[hi - 1] := a[mid]; a[mid] := c; hi := hi - 1; end;
            invariant \"flag\" mid = hi -> forall u : PLACE do u < LENGTH ->
              (u < lo -> a[u] = Red) & (lo <= u & u < hi -> a[u] = White) & (hi <= u -> a[u] = Blue) end;",
        is_sort: false,
        mistake: ("hi := hi - 1; end", "mid := mid + 1; end"),
    },
    Program {
        name: "places without bounds",
        text: "
            var a : array [integer] of integer;  i : integer;
            startstate undefine a; i := 0; end;
            rule \"clear\" i < LENGTH ==> a[i] := 0; i := i + 1; end;
            invariant \"clear\" i >= LENGTH -> forall u : integer do 0 <= u & u < LENGTH -> a[u] = 0 end;",
        is_sort: false,
        mistake: ("i := 0;", "i := 1;"),
    },
];

fn prove(name: &str, text: &str) -> (Option<i32>, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.tenet", name.replace(' ', "_")));
    std::fs::write(&file, text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
    let output = command.args(["prove", "--timeout", "20"]).arg(&file).output().expect("tenet starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn text(program: &Program) -> String {
    [HEADER, program.text, if program.is_sort { SORTED } else { "" }].concat()
}

#[test]
fn programs_are_proved_for_arrays_of_every_length() {
    for program in &PROGRAMS {
        let (code, output) = prove(program.name, &text(program));
        assert_eq!(code, Some(SAFE), "{}: {output}", program.name);
        assert!(output.contains("certificate: "), "{}: {output}", program.name);
    }
}

#[test]
fn programs_with_a_mistake_are_never_proved() {
    for program in &PROGRAMS {
        let (right, wrong) = program.mistake;
        let text = text(program);
        assert!(text.contains(right), "{}", program.name);
        let (code, output) = prove(&format!("{} wrong", program.name), &text.replacen(right, wrong, 1));
        assert!([Some(UNSAFE), Some(UNKNOWN)].contains(&code), "{}: {output}", program.name);
    }
}

/// In an instance all processes are done at some time. There are infinitely many, so in the model that never happens.
#[test]
fn a_run_of_an_instance_need_not_be_one_of_an_endless_range() {
    let waits = "
        type PROCESS : 1..;
        var done : array [PROCESS] of boolean;  is_over : boolean;
        startstate for p : PROCESS do done[p] := false; end; is_over := false; end;
        ruleset p : PROCESS do rule \"work\" !done[p] ==> done[p] := true; end; end;
        rule \"finish\" forall p : PROCESS do done[p] end ==> is_over := true; end;
        invariant \"never over\" !is_over;";
    let (code, output) = prove("all are done", waits);
    assert_eq!(code, Some(UNKNOWN), "{output}");
    let (code, output) =
        prove("some are done", &waits.replace("forall p : PROCESS do done[p] end", "done[1]"));
    assert_eq!(code, Some(UNSAFE), "{output}");
}

/// Ranges that are read as sets of any size although a constant bounds them: no verdict that another value of the constant
/// contradicts.
#[test]
fn what_a_constant_bounds_is_no_larger_and_no_smaller_than_it_says() {
    let models = [
        // There need not be a second element.
        (
            "two.tenet",
            "const N : 1..; type P : 1..N; var b : boolean;
            startstate b := false; end;
            rule \"one\" (exists q : P do q = 2 end) ==> b := true; end;
            invariant \"i\" b | exists q : P do q = 2 end;",
            "",
        ),
        // There are always two.
        (
            "alone.tenet",
            "const N : 1..; type P : 0..N; var b : boolean;
            startstate b := false; end;
            rule \"alone\" (forall p : P; q : P do p = q end) ==> b := true; end;
            invariant \"i\" !b;",
            "",
        ),
        // The last one is there in every instance.
        (
            "last.m",
            "const N : 3; type P : 1..N; var door : P; b : boolean;
            startstate door := N; b := false; end;
            ruleset p : P do rule \"go\" true ==> door := p; end; end;
            invariant \"i\" !b;",
            "",
        ),
        // The property, not another one, has to be false.
        (
            "all.tenet",
            "type P : 1..; var done : array [P] of boolean;
            startstate for p : P do done[p] := false; end; end;
            ruleset p : P do rule \"d\" !done[p] ==> done[p] := true; end; end;
            invariant \"not all\" exists p : P do !done[p] end;
            invariant \"one is not done\" !done[1];",
            "not all",
        ),
    ];
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, text, property) in models {
        let file = folder.join(name);
        std::fs::write(&file, text).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
        command.arg("prove").arg(&file).args(["--timeout", "5"]);
        if !property.is_empty() {
            command.args(["--property", property]);
        }
        let code = command.output().expect("it runs").status.code();
        let wrong: &[i32] = if name == "two.tenet" { &[0] } else { &[10] };
        assert!(code.is_some_and(|code| !wrong.contains(&code) && code != 6), "{name}: {code:?}");
    }
}

/// A constant that the command line sets means what it says.
#[test]
fn a_range_is_as_large_as_the_constant_that_was_given() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("three.m");
    let text = "const N : 3; type P : 1..N; var d : boolean;
        startstate d := false; end;
        rule \"s\" exists p : P; q : P; r : P do p != q & q != r & p != r end ==> d := true; end;
        invariant \"at most two\" !d;";
    std::fs::write(&file, text).expect("a file");
    let code = |given: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
        command.arg("prove").arg(&file).args(given).output().expect("it runs").status.code()
    };
    assert_eq!(code(&[]), Some(10));
    assert_eq!(code(&["--const", "N=2"]), Some(0));
}

#[test]
fn axioms_that_contradict_each_other_prove_nothing() {
    let text = "
        const M : 1..;
        axiom \"less\" M < 0;
        var pc : enum { Here, There };  y : integer;
        startstate pc := Here; y := M; end;
        rule \"step\" pc = Here & y <= 10 ==> y := y + 1; end;
        invariant \"negative\" y < 0;";
    let (code, output) = prove("vacuous", text);
    assert_eq!(code, Some(UNKNOWN), "{output}");
}

#[test]
fn what_is_assumed_of_the_state_does_not_keep_a_program_from_being_proved() {
    let text = "
        var pc : enum { Here, There };  y : integer;
        startstate pc := Here; y := 0; end;
        rule \"step\" pc = Here & y <= 10 ==> y := y + 1; end;
        assume \"small\" y < 4;
        invariant \"smaller\" y < 5;";
    let (code, output) = prove("assumed", text);
    assert_eq!(code, Some(SAFE), "{output}");
}

#[test]
fn a_parameter_that_does_not_matter_is_part_of_a_run() {
    let text = "
        var pc : enum { Here, There };  x : integer;
        startstate pc := Here; x := 2; end;
        ruleset k : 0..2 do
          rule \"step\" pc = Here & (k < x -> pc = Here) ==> pc := There; assert \"less\" 2 * x < 0; end;
        end;";
    let (code, output) = prove("indifferent", text);
    assert_eq!(code, Some(UNSAFE), "{output}");
}
