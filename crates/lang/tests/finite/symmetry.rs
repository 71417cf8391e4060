//! Loops over scalarsets: which ones keep the symmetry, and that those really commute with permutations.

use super::support::{lower, search};
use tenet_system::finite::layout::{PartKind, UNDEFINED};
use tenet_system::finite::program::{FaultKind, Program};
use tenet_system::finite::trace::{Action, Replayer};
use tenet_system::random::Random;

const DECLARATIONS: &str = "
    const ZERO : 0;
    type N : scalarset(3);
    var A, B : array [N] of 0..3; P : array [N] of N; x, y : 0..60; f : boolean; p : N;
        m : multiset [9] of N; D : array [0..1] of 0..3;
    procedure Set(var t : 0..3; i : N); begin t := B[i]; end;
    procedure SetAt(i : N; j : N); begin A[j] := 1; end;
    function Least() : N; begin for i : N do if A[i] = 0 then return i; end; end; return p; end;
    function Mark(i : N) : boolean; begin A[i] := 1; return B[i] = 0; end;
    function Point(i : N) : boolean; begin p := i; return true; end;
    function Any() : boolean; begin for i : N do if A[i] = 0 then return true; end; end; return false; end;
    startstate begin
      for i : N do A[i] := 0; B[i] := 0; P[i] := i; p := i end;
      x := 20; y := 20; f := false; D[0] := 0; D[1] := 0;
    end;";

fn with_body(body: &str) -> String {
    format!("{DECLARATIONS}\nruleset q : N do rule \"go\" true ==> {body} end; end;")
}

fn is_symmetric(body: &str) -> bool {
    let (program, warnings) = lower(&with_body(body));
    assert_eq!(program.layout.scalarsets[0].symmetric, warnings.is_empty());
    warnings.is_empty()
}

#[test]
fn independent_iterations_keep_the_symmetry() {
    for body in [
        "for i : N do A[i] := B[i] end;",
        "for i : N do A[i] := B[i]; if A[i] = 2 then A[i] := 0 end end;",
        "for i : N do if A[i] = 1 then f := true end end;",
        "for i : N do x := x + A[i] end;",
        "for i : N do x := x - A[i]; x := -1 + x end;",
        "for i : N do x := x + (A[i] = 1 ? 2 : B[i]) end;",
        "for i : N do assume A[i] != 1 end;",
        "for i : N do f := 6 / A[i] = 2 | f end;",
        "multisetremovepred(k : m, A[m[k]] = 1);",
        "f := exists i : N do 6 / A[i] = 2 end;",
        "f := exists i : N do Mark(i) end;",
        "for i : N do f := f | A[i] = 1 end;",
        "for i : N do Set(A[i], i) end;",
        "for i : N do SetAt(q, i) end;",
        "for i : N do SetAt(i, q) end;",
        "for i : N do alias a : A[i] do a := 1 end end;",
        "for i : N do multisetadd(i, m) end;",
        "for i : N do for j : N do if A[j] = 1 then B[i] := 2 end end end;",
        "for i : N do for k : 0..1 do x := x + k end end;",
        "f := Any();",
        "for i : N do assert A[i] < 4 end;",
        "for i : N do undefine p end; p := q;",
    ] {
        assert!(is_symmetric(body), "{body}");
    }
}

#[test]
fn iterations_that_influence_each_other_lose_it() {
    for body in [
        "for i : N do p := i end;",
        "for i : N do if A[i] = 1 then p := i end end;",
        "for i : N do x := A[i] end;",
        "for i : N do if A[i] = 1 then x := 1 else x := 2 end end;",
        "for i : N do A[i] := A[q] end;",
        "for i : N do A[q] := A[i] end;",
        "for i : N do if !f & A[i] = 1 then f := true; B[i] := 3 end end;",
        "for i : N do x := x + 1; y := x end;",
        "for i : N do A[P[i]] := B[i] end;",
        "for i : N do A[i] := A[P[i]] end;",
        "for i : N do for j : N do A[i] := A[j] end end;",
        "for i : N do if exists j : N do j != i & A[j] = 1 end then A[i] := 0 end end;",
        "for i : N do Set(A[q], i) end;",
        "for i : N do alias a : A[q] do a := B[i] end end;",
        "p := Least();",
        "for i : N do if A[i] = 0 then B[i] := 1; return end end;",
        "for i : N do x := x + A[i]; y := y * x end;",
        // Out of range on the way, or not.
        "for i : N do x := x - A[i]; x := 1 + x end;",
        "for i : N do x := x + (A[i] = 1 ? 1 : -1) end;",
        // Over before it fails, or not.
        "for i : N do if A[i] = 1 then return end; assert B[i] != 1 end;",
        "for i : N do if 6 / A[i] = 2 then return end end;",
        "for i : N do assume A[i] != 3; if A[i] = 1 then return end end;",
        "for i : N do assume A[i] != 1; assert B[i] != 1 end;",
        "for i : N do f := f | 6 / A[i] = 2 end;",
        // One place under two names.
        "for i : N do A[i] := D[0]; D[ZERO] := 1 end;",
        "for i : N do A[i] := D[1]; D[2 - 1] := 1 end;",
        // Sorted by what permutations change.
        "multisetremovepred(k : m, multisetcount(l : m, true) > 1);",
        "f := exists i : N do Point(i) end;",
        "clear p;",
    ] {
        assert!(!is_symmetric(body), "{body}");
    }
}

#[test]
fn the_warning_says_where_and_why() {
    let (_, warnings) = lower(&with_body("for i : N do p := i end; clear P;"));
    assert_eq!(warnings.len(), 1);
    assert_eq!(warnings[0].explanation.code, "E0510");
    assert_eq!(warnings[0].labels.len(), 2);
    assert!(warnings[0].labels[0].text.contains("`p`"), "{warnings:#?}");
}

#[test]
fn startstates_may_depend_on_the_order() {
    let source = "type N : scalarset(2); var p : N;
                  startstate begin for i : N do p := i end; end;
                  rule \"stay\" true ==> end;";
    assert!(lower(source).1.is_empty());
}

#[test]
fn the_name_of_a_constant_is_not_its_value() {
    let source = "const ONE : 1; type N : scalarset(2); var A : array [N] of 0..1; x : 0..2;
                  procedure Two(); const ONE : 2; begin x := ONE; end;
                  startstate begin for i : N do A[i] := 0 end; x := 0; end;
                  rule \"go\" true ==> for i : N do if A[i] = 0 then Two() else x := ONE end end; end;";
    assert_eq!(lower(source).1.len(), 1);
}

/// Reading something undefined is an error even behind the element that decides, because the renamed state reads it
/// first. `a` makes the element with the value come first in the representative.
#[test]
fn elements_behind_the_one_that_decides_may_fail() {
    let (program, outcome) = search(
        "type N : scalarset(2); var a : array [N] of 0..1; b : array [N] of 0..1; g : boolean;
         startstate begin for i : N do a[i] := 0; undefine b[i]; end; g := false; end;
         ruleset i : N do
           rule \"first\" forall j : N do isundefined(b[j]) end ==> b[i] := 1; end;
           rule \"second\" isundefined(b[i]) & exists j : N do !isundefined(b[j]) end ==> a[i] := 1; end;
         end;
         rule \"look\" exists j : N do a[j] = 1 end ==> if exists i : N do b[i] = 1 end then g := !g; end; end;",
    );
    assert!(program.layout.scalarsets[0].symmetric);
    assert_eq!(outcome.traces.len(), 1);
    let fault = outcome.traces[0].finding.fault().unwrap();
    assert_eq!(program.sites[fault.site.0 as usize].kind, FaultKind::Undefined);
}

/// What may be undefined matters for leaving a loop early.
#[test]
fn returning_before_something_undefined_depends_on_the_order() {
    let source = |init: &str| {
        format!(
            "type N : scalarset(2); var r : array [N] of record v : 0..1; w : 0..1; end; f : boolean;
             function Any() : boolean; begin for i : N do if r[i].v = 0 then return true; end; end;
               return false; end;
             startstate begin for i : N do r[i].v := 0; r[i].w := 0; {init} end; f := false; end;
             ruleset i : N do rule \"go\" true ==> r[i].v := 1; f := Any(); end; end;"
        )
    };
    assert!(lower(&source("")).1.is_empty());
    assert!(lower(&source("undefine r[i].w;")).1.is_empty());
    assert_eq!(lower(&source("undefine r[i].v;")).1.len(), 1);
}

/// A statement over the declarations above; `names` are the scalarset variables in scope.
fn statement(random: &mut Random, names: &[&str], depth: usize) -> String {
    let name = |random: &mut Random| names[random.below(names.len())].to_string();
    let array = |random: &mut Random| ["A", "B"][random.below(2)];
    let (a, b) =
        (format!("{}[{}]", array(random), name(random)), format!("{}[{}]", array(random), name(random)));
    match random.below(if depth == 0 { 15 } else { 18 }) {
        0 => format!("{a} := {b};"),
        1 => format!("{a} := {};", random.below(3)),
        2 => "f := true;".to_string(),
        3 => format!("x := x + {a};"),
        4 => format!("f := f | {a} = 1;"),
        5 => format!("x := {};", ["1", "y", "y + 1"][random.below(3)]),
        6 => format!("p := {};", name(random)),
        7 => format!("Set({a}, {});", name(random)),
        8 => format!("A[P[{}]] := {};", name(random), random.below(2)),
        9 => format!("x := x - {a};"),
        10 => format!("assert {a} != 2;"),
        11 => format!("assume {a} != 3;"),
        12 => format!("if {a} = 1 then return end;"),
        13 => format!("f := f | 6 / {a} = 2;"),
        14 => format!("if exists j : N do 6 / A[j] = 3 | B[j] = 1 end then {a} := 1 end;"),
        15 => format!("if {a} = {} then {} end;", random.below(3), statement(random, names, depth - 1)),
        16 => format!("if !f then {} end;", statement(random, names, depth - 1)),
        _ => {
            let inner = [names, &["k"]].concat();
            format!("for k : N do {} end;", statement(random, &inner, depth - 1))
        }
    }
}

/// A state with elements renamed: slots move along their axes, element values are replaced.
fn rename(program: &Program, state: &[i64], renaming: &[u32]) -> Vec<i64> {
    let mut result = state.to_vec();
    for (slot, value) in state.iter().enumerate() {
        let moved = program.layout.slots[slot].axes.iter().fold(slot as i64, |position, axis| {
            let distance = i64::from(renaming[axis.index as usize]) - i64::from(axis.index);
            position + distance * i64::from(axis.stride)
        });
        let element = matches!(program.layout.slot_domain(slot).parts[0].kind, PartKind::Element(_));
        let renamed =
            if element && *value != UNDEFINED { i64::from(renaming[*value as usize]) } else { *value };
        result[moved as usize] = renamed;
    }
    result
}

fn random_state(program: &Program, random: &mut Random) -> Vec<i64> {
    let slots = 0..program.layout.slots.len();
    let value = |slot: usize, random: &mut Random| {
        let name = &program.layout.slots[slot].name;
        let domain = program.layout.slot_domain(slot);
        match name.as_str() {
            name if name.starts_with("m{") => {
                if name.ends_with("value") {
                    UNDEFINED
                } else {
                    0
                }
            }
            "x" | "y" => random.below(3) as i64,
            _ => domain.lo() + random.below((domain.hi() - domain.lo() + 1) as usize) as i64,
        }
    };
    slots.map(|slot| value(slot, random)).collect()
}

/// Random loops: those that keep the symmetry must commute with every permutation, from any state.
#[test]
fn accepted_loops_commute_with_renaming() {
    let renamings: [[u32; 3]; 5] = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let (mut accepted, mut rejected, mut really_ordered) = (0, 0, 0);
    for seed in tenet_chance::seeds(0..600) {
        let mut random = Random::new(seed);
        let count = 1 + random.below(2);
        let body: String = (0..count).map(|_| statement(&mut random, &["i", "i", "q"], 1)).collect();
        let (program, warnings) = lower(&with_body(&format!("for i : N do {body} end;")));
        let mut commutes = true;
        let mut replayer = Replayer::new(&program);
        for _ in 0..40 {
            let state = random_state(&program, &mut random);
            for instance in 0..3u32 {
                let action = |instance: u32| Action { rule: 0, instance: u64::from(instance) };
                let after =
                    replayer.step(&state, action(instance)).map(|next| rename_next(&program, next, None));
                for renaming in &renamings {
                    let renamed = rename(&program, &state, renaming);
                    let other = replayer.step(&renamed, action(renaming[instance as usize]));
                    let expected =
                        after.as_ref().map(|next| rename_next(&program, next.clone(), Some(renaming))).ok();
                    commutes &= other.ok() == expected;
                }
            }
        }
        if warnings.is_empty() {
            assert!(commutes, "seed {seed}: {body}");
        }
        accepted += usize::from(warnings.is_empty());
        rejected += usize::from(!warnings.is_empty());
        really_ordered += usize::from(!commutes);
    }
    // The test would be empty if one side never occurred, and the analysis useless if it refused too much.
    assert!(accepted > 100 && really_ordered > 100, "{accepted} accepted, {really_ordered} ordered");
    assert!(rejected < 2 * really_ordered, "{rejected} rejected, {really_ordered} ordered");
}

fn rename_next(program: &Program, next: Option<Vec<i64>>, renaming: Option<&[u32; 3]>) -> Option<Vec<i64>> {
    next.map(|state| renaming.map_or(state.clone(), |renaming| rename(program, &state, renaming)))
}
