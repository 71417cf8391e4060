//! What only `.tenet` files have: definitions, arrays with an element replaced, constants without a value, axioms.

use super::support::{errors, search_tenet};
use tenet_system::finite::explore::End;
use tenet_system::finite::trace::Finding;

/// A model of nodes that point at nodes, with reachability computed by hand to compare with.
fn graph(scalarset: &str, root: &str, more: &str) -> String {
    format!(
        "type NODE : {scalarset}; LINKS : array [NODE] of NODE;
         var left, right : LINKS; root : NODE;
         define acc(l : LINKS; r : LINKS; top : NODE; n : NODE) : boolean :=
           n = top | exists p : NODE do acc(l, r, top, p) & (l[p] = n | r[p] = n) end;
         function reached(n : NODE) : boolean;
         var seen : array [NODE] of boolean; again : boolean;
         begin
           for p : NODE do seen[p] := p = root; end;
           again := true;
           while again do
             again := false;
             for p : NODE do
               if seen[p] & !seen[left[p]] then seen[left[p]] := true; again := true; end;
               if seen[p] & !seen[right[p]] then seen[right[p]] := true; again := true; end;
             end;
           end;
           return seen[n];
         end;
         ruleset t : NODE do startstate {root} for p : NODE do left[p] := t; right[p] := t; end; end; end;
         ruleset n : NODE; t : NODE do
           rule \"left\" true ==> left[n] := t; end;
           rule \"right\" true ==> right := right[n := t]; end;
         end;
         {more}"
    )
}

#[test]
fn the_least_set_is_what_a_search_by_hand_finds() {
    let model = graph(
        "0..2",
        "root := 0;",
        "invariant \"same\" forall n : NODE do acc(left, right, root, n) = reached(n) end;
         invariant \"updated\" forall n : NODE do forall t : NODE do forall r : NODE do
           acc(left, right, root, t) & acc(left[n := t], right, root, r) -> acc(left, right, root, r)
         end end end;",
    );
    let (_, outcome) = search_tenet(&model, &[]);
    assert_eq!((outcome.end, outcome.statistics.states), (End::Complete, 729));
    assert!(outcome.traces.is_empty());
}

#[test]
fn what_is_false_of_the_least_set_is_found() {
    let model = graph("0..2", "root := 0;", "invariant \"all\" acc(left, right, root, 2);");
    let (_, outcome) = search_tenet(&model, &[]);
    assert!(!outcome.traces.is_empty());
}

#[test]
fn definitions_keep_the_symmetry_of_scalarsets() {
    let invariant = "invariant \"top\" acc(left, right, root, root);";
    let (_, reduced) = search_tenet(&graph("scalarset(3)", "root := t;", invariant), &[]);
    let (_, plain) = search_tenet(&graph("0..2", "root := t;", invariant), &[]);
    assert!(reduced.traces.is_empty() && plain.traces.is_empty());
    assert_eq!(plain.statistics.states, 3 * 729);
    assert!(reduced.statistics.states < plain.statistics.states / 3, "{}", reduced.statistics.states);
}

#[test]
fn an_element_is_replaced_in_a_copy() {
    let (_, outcome) = search_tenet(
        "type I : 0..1; A : array [I] of 0..9; P : record row : A; n : 0..3 end;
         var a, b : A; m : array [I] of A; p : array [I] of P;
         define sum(x : A; offset : integer) : integer := x[0] + x[1] + offset;
         startstate begin
           a[0] := 1; a[1] := 2;
           b := a[0 := 5];
           m[0] := a; m[1] := b;
           p[0].row := m[1][1 := 7]; p[0].n := 3;
           undefine p[1];
           p := p[1 := p[0]];
         end;
         rule \"swap\" true ==>
           a := a[0 := a[1]][1 := a[0]];
           m := m[0, 1 := 8];
         end;
         invariant \"a\" a[0] + a[1] = 3;
         invariant \"kept\" b[0] = 5 & b[1] = 2 & a[0] != 5;
         invariant \"compare\" a[0] = 1 -> a[0 := 5] = b & a != b & a[1 := 2] = a;
         invariant \"nested\" m[0, 1 := 3][0 := m[1]] = m[0 := b] & m[1] = b;
         invariant \"records\" p[0] = p[1] & p[0].row[1] = 7;
         invariant \"argument\" sum(a[0 := 4], 1) = 4 + a[1] + 1;",
        &[],
    );
    assert_eq!(outcome.traces.len(), 0, "{:?}", outcome.traces);
    assert_eq!((outcome.end, outcome.statistics.states), (End::Complete, 3));
}

#[test]
fn an_index_that_does_not_fit_is_a_fault() {
    let (program, outcome) = search_tenet(
        "var a : array [0..2] of boolean; i : 0..3;
         startstate begin for k : 0..2 do a[k] := false; end; i := 0; end;
         rule \"step\" i < 3 ==> i := i + 1; end;
         rule \"write\" true ==> a := a[i := true]; end;",
        &[],
    );
    let fault = outcome.traces.iter().find_map(|trace| match trace.finding {
        Finding::StepFault(_, fault) => Some(&program.sites[fault.site.0 as usize]),
        _ => None,
    });
    assert_eq!(fault.unwrap().detail, "a[i := true]");
}

#[test]
fn constants_are_chosen_at_the_start_and_stay() {
    let (_, outcome) = search_tenet(
        "type NODE : scalarset(2);
         const home : NODE; fast : array [NODE] of boolean; N : 1..;
         var at : NODE; n : 0..N;
         startstate at := home; n := 0; end;
         ruleset c : NODE do rule \"go\" fast[c] & n < N ==> at := c; n := n + 1; end; end;
         invariant \"slow\" n = 0 -> at = home;",
        &[("N", 1)],
    );
    assert!(outcome.traces.is_empty());
    // Up to renaming: home is fast or not, the other is fast or not; and one step to each that is fast.
    assert_eq!(outcome.statistics.states, 4 + 1 + 1 + 2);
}

#[test]
fn axioms_about_the_state_are_checked_and_those_about_constants_choose() {
    let source = |axioms: &str| {
        format!(
            "const f : array [0..1] of boolean;
             var x : 0..3;
             startstate x := 0; end;
             rule \"up\" x < 3 & (f[0] | f[1]) ==> x := x + 1; end;
             {axioms}
             invariant \"small\" f[0] -> x < 4;"
        )
    };
    let (_, free) = search_tenet(&source(""), &[]);
    assert_eq!((free.statistics.states, free.traces.len()), (13, 0));
    let (_, fixed) = search_tenet(&source("axiom !f[0] & !f[1];"), &[]);
    assert_eq!((fixed.statistics.states, fixed.traces.len()), (1, 0));
    let (program, wrong) = search_tenet(&source("axiom \"low\" x < 3;"), &[]);
    let violated: Vec<&str> = wrong
        .traces
        .iter()
        .filter_map(|trace| match trace.finding {
            Finding::Property(property) => Some(program.properties[property].name.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(violated, ["axiom `low`"]);
}

#[test]
fn what_has_no_value_is_refused() {
    let rest = "var x : 0..1; startstate x := 0; end; rule x = 0 ==> x := 1; end; invariant x < 2;";
    assert_eq!(errors(&format!("const N : integer; {rest}")), ["E0511"]);
    assert_eq!(errors(&format!("const N : integer; M : N + 1; {rest}")), ["E0511"]);
    assert_eq!(errors(&format!("const f : array [0..20] of boolean; {rest}")), ["E0511"]);
    assert_eq!(errors(&format!("const f : array [boolean] of integer; {rest}")), ["E0511"]);
    let least = "define even(n : integer) : boolean := n = 0 | even(n - 2); invariant even(4);";
    assert_eq!(errors(&format!("{rest} {least}")), ["E0504"]);
}
