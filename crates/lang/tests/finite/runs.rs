//! The results of statements and expressions, observed in a startstate.

use super::support::{check_start, model};
use tenet_lang::murphi::hir::{LocalId, Root, StmtKind};
use tenet_lang::murphi::{Dialect, finite};
use tenet_system::finite::trace::{Action, Replayer};

#[test]
fn var_parameters_are_the_very_place_that_was_passed() {
    check_start(
        "var a : array [0..3] of 0..9; i : 0..3;
         procedure Move(var x : 0..9; var n : 0..3); begin n := n + 1; x := x + 5; end;
         startstate begin
           for k : 0..3 do a[k] := k end;
           i := 1;
           Move(a[i], i);
         end;",
        &["i = 2", "a[1] = 6", "a[2] = 2"],
    );
}

#[test]
fn two_var_parameters_may_be_one_place() {
    check_start(
        "var x : 0..20;
         procedure Add(var p : 0..20; var q : 0..20); begin p := p + 1; q := q * 2; p := p + q; end;
         startstate begin x := 3; Add(x, x); end;",
        &["x = 16"],
    );
}

/// The checker refuses to assign a value parameter; the checked model still calls it a copy that may be written.
#[test]
fn value_parameters_are_copies() {
    let source = "var n, m : 0..9;
                  function Next(k : 0..9) : 0..9; var t : 0..9; begin t := k + 1; return k; end;
                  startstate begin n := 3; m := Next(n); end;";
    let mut model = model(source, Dialect::Murphi);
    if let StmtKind::Assign { place, .. } = &mut model.functions[0].body[0].kind {
        place.root = Root::Local(LocalId(0));
    }
    let (program, _) = finite::lower(&model).unwrap();
    let state = Replayer::new(&program).start(Action { rule: 0, instance: 0 }).unwrap().unwrap();
    assert_eq!(state, [3, 4]);
}

#[test]
fn an_aggregate_parameter_that_is_only_read_is_still_the_old_value() {
    check_start(
        "type R : record a : 0..9; end;
         var r : R; n : 0..9;
         procedure Late(v : R); begin r.a := 7; n := v.a; end;
         startstate begin r.a := 4; Late(r); end;",
        &["r.a = 7", "n = 4"],
    );
}

#[test]
fn an_alias_is_fixed_when_it_is_bound() {
    check_start(
        "var a : array [0..2] of 0..9; i : 0..2;
         startstate begin
           for k : 0..2 do a[k] := 0 end;
           i := 0;
           alias here : a[i]; twice : i * 2 do
             i := 2; here := 5; a[1] := twice;
           end;
         end;",
        &["a[0] = 5", "a[1] = 0", "a[2] = 0", "i = 2"],
    );
}

#[test]
fn the_left_side_is_evaluated_before_a_call_on_the_right() {
    check_start(
        "var a : array [0..2] of 0..9; i : 0..2;
         function Bump() : 0..9; begin i := i + 1; return 7; end;
         startstate begin for k : 0..2 do a[k] := 0 end; i := 0; a[i] := Bump(); end;",
        &["a[0] = 7", "a[1] = 0", "i = 1"],
    );
}

#[test]
fn nested_records_and_arrays_are_copied_whole_with_what_is_undefined() {
    check_start(
        "type In : record x, y : 0..9; end; Out : record p : array [0..1] of In; q : boolean; end;
         var a, b : array [0..1] of Out; same, other : boolean;
         startstate begin
           undefine a; undefine b;
           a[1].p[0].y := 4; a[1].q := true;
           b[0] := a[1];
           same := b[0] = a[1];
           other := b[0] != b[1];
         end;",
        &["b[0].p[0].y = 4", "b[0].p[0].x = undefined", "b[0].q = true", "same = true", "other = true"],
    );
}

#[test]
fn recursion_is_followed() {
    check_start(
        "var n : 0..200; even : boolean;
         function Fact(k : 0..9) : 0..200; begin if k = 0 then return 1; end; return k * Fact(k - 1); end;
         function Down(var k : 0..200) : boolean;
         begin
           if k = 0 then return true; end;
           k := k - 1;
           return !Down(k);
         end;
         startstate var m : 0..200; begin m := 7; n := Fact(5); even := Down(m); end;",
        &["n = 120", "even = false"],
    );
}

#[test]
fn loops_of_all_kinds() {
    check_start(
        "var up, down, steps, rounds : 0..100;
         startstate begin
           up := 0; down := 0; steps := 0; rounds := 0;
           for i : 1..4 do up := up * 2 + i end;
           for i := 4 to 1 by -1 do down := down * 2 + i end;
           for i := up / 13 to 9 by 3 do steps := steps + i end;
           while rounds < 10 do rounds := rounds + 3 end;
         end;",
        // up: 1, 4, 11, 26; down: 4, 11, 24, 49; steps from 2: 2 + 5 + 8
        &["up = 26", "down = 49", "steps = 15", "rounds = 12"],
    );
}

#[test]
fn switch_takes_the_first_matching_case() {
    check_start(
        "type C : enum { Red, Green, Blue };
         var c : C; n, m : 0..9;
         startstate begin
           c := Green; n := 0; m := 0;
           switch c case Red: n := 1; case Green, Blue: n := 2; else n := 3; end;
           switch n + 1 case 1: m := 1; else m := 4; end;
         end;",
        &["n = 2", "m = 4"],
    );
}

#[test]
fn division_rounds_toward_zero() {
    check_start(
        "var a, b, c, d : -9..9;
         startstate begin a := -7 / 2; b := -7 % 2; c := 7 / -2; d := 7 % -2; end;",
        &["a = -3", "b = -1", "c = -3", "d = 1"],
    );
}

#[test]
fn clear_stores_least_values_and_empties_multisets() {
    check_start(
        "type N : scalarset(2); C : enum { Red, Green };
         var r : record a : 2..4; b : boolean; c : C; n : N; m : multiset [2] of 0..3; end;
         startstate begin multisetadd(3, r.m); clear r; end;",
        &["r.a = 2", "r.b = false", "r.c = Red", "r.n = N_1", "r.m{1} = false", "r.m{1}.value = undefined"],
    );
}

#[test]
fn multisets_add_count_and_remove() {
    check_start(
        "type M : record k, v : 0..9; end;
         var net : multiset [3] of M; m : M; n, rest : 0..9;
         startstate begin
           m.k := 1; m.v := 5; multisetadd(m, net);
           m.k := 2; multisetadd(m, net);
           m.k := 1; m.v := 6; multisetadd(m, net);
           n := multisetcount(i : net, net[i].k = 1);
           multisetremovepred(i : net, net[i].v = 5 & net[i].k = 1);
           undefine m.v; m.k := 9; multisetadd(m, net);
           rest := multisetcount(i : net, true);
         end;",
        &[
            "n = 2",
            "rest = 3",
            "net{1}.k = 1",
            "net{1}.v = 6",
            "net{2}.k = 2",
            "net{3}.k = 9",
            "net{3}.v = undefined",
        ],
    );
}

#[test]
fn unions_convert_to_and_from_their_members() {
    check_start(
        "type P : scalarset(2); H : enum { Home, Far }; U : union { P, H };
         var u, w : U; p, q : P; inP, inH, eq : boolean; a : array [U] of 0..9;
         startstate begin
           for k : P do q := k end;
           for k : U do a[k] := 0 end;
           u := Far; inH := ismember(u, H); inP := ismember(u, P);
           w := q; p := w; eq := w = q;
           a[q] := 3; a[Home] := 4; a[u] := 5;
         end;",
        &[
            "u = Far",
            "inH = true",
            "inP = false",
            "w = P_2",
            "p = P_2",
            "eq = true",
            "a[P_1] = 0",
            "a[P_2] = 3",
            "a[Home] = 4",
            "a[Far] = 5",
        ],
    );
}

#[test]
fn return_leaves_loops_and_startstates() {
    check_start(
        "var n : 0..9; late : boolean;
         function First(limit : 0..9) : 0..9;
         begin for i : 0..9 do if i * i > limit then return i; end; end; return 0; end;
         startstate begin late := false; n := First(5); if n = 3 then return; end; late := true; end;",
        &["n = 3", "late = false"],
    );
}

#[test]
fn choices_and_lazy_operators_evaluate_only_what_they_need() {
    check_start(
        "var a : array [0..1] of 0..9; i : 0..2; x, y : boolean; n : 0..9;
         startstate begin
           a[0] := 1; a[1] := 2; i := 2;
           x := i < 2 & a[i] = 1;
           y := i < 2 -> a[i] = 1;
           n := i < 2 ? a[i] : 7;
         end;",
        &["x = false", "y = true", "n = 7"],
    );
}

#[test]
fn unions_with_ranges_and_unions_of_unions() {
    check_start(
        "type P : scalarset(2); H : enum { Home, Far }; K : 5..7;
             Small : union { H, K }; Big : union { P, H, K };
         var s, t : Small; b, c : Big; p : P; n : K; a : array [Big] of 0..1;
         startstate begin
           for i : Big do a[i] := 0 end;
           for i : P do p := i end;
           s := Far; b := s; t := b;
           c := 6; n := c; a[7] := 1; a[b] := 1;
         end;",
        &["b = Far", "t = Far", "c = 6", "n = 6", "a[7] = 1", "a[6] = 0", "a[Far] = 1", "a[P_2] = 0"],
    );
}
