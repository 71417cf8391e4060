//! Rules: parameters, choose, aliases around rules, assumptions.

use super::support::{lower, search};
use tenet_system::finite::explore::{End, Options, explore};
use tenet_system::finite::trace::{Finding, replay};

#[test]
fn choose_takes_each_element_that_is_there() {
    let (_, outcome) = search(
        "var m : multiset [3] of 0..9; last : 0..9;
         startstate begin multisetadd(4, m); multisetadd(2, m); last := 0; end;
         choose i : m do rule \"take\" m[i] != 9 ==> last := m[i]; multisetremove(i, m); end; end;
         rule \"stay\" true ==> last := last; end;
         invariant \"seen\" last = 0 | last = 2 | last = 4;
         invariant \"count\" multisetcount(k : m, true) = 2 -> last = 0;",
    );
    // {4, 2}; {4} after 2; {2} after 4; {} after 2 then 4, or 4 then 2.
    assert_eq!((outcome.end, outcome.statistics.states), (End::Complete, 5));
    assert!(outcome.traces.is_empty());
}

#[test]
fn multisets_have_no_order() {
    let (_, outcome) = search(
        "var m : multiset [2] of 0..2;
         startstate begin end;
         ruleset v : 0..2 do
           rule \"add\" multisetcount(k : m, true) < 2 ==> multisetadd(v, m); end;
         end;
         rule \"stay\" true ==> end;",
    );
    // Empty, three singletons, six pairs.
    assert_eq!(outcome.statistics.states, 10);
}

#[test]
fn aliases_around_rules_are_read_before_the_body_writes() {
    let (_, outcome) = search(
        "var a : array [0..2] of 0..9; p : 0..2;
         startstate begin for i : 0..2 do a[i] := 0 end; p := 0; end;
         alias here : a[p]; old : p + 0 do
           rule \"go\" old < 2 & here = 0 ==> p := p + 1; here := 5; a[p] := old; end;
         end;
         rule \"stay\" true ==> end;
         invariant \"p\" p = 0 | a[0] = 5;
         invariant \"next\" p = 1 -> a[1] = 0 & a[0] = 5;",
    );
    assert!(outcome.traces.is_empty());
    assert_eq!(outcome.statistics.states, 3);
}

#[test]
fn aliases_around_properties_are_read_inside() {
    let (_, outcome) = search(
        "var a : array [0..1] of 0..3; p : 0..1;
         startstate begin a[0] := 0; a[1] := 3; p := 0; end;
         rule \"flip\" true ==> p := 1 - p; end;
         ruleset k : 0..1 do alias here : a[p]; there : k + 1 do
           invariant \"small\" here < there + 2;
         end; end;",
    );
    assert_eq!(outcome.traces.len(), 1);
    assert_eq!(outcome.traces[0].finding, Finding::Property(0));
    assert_eq!(outcome.traces[0].steps.len(), 2);
}

#[test]
fn parameters_may_count_down_and_by_steps() {
    let (program, outcome) = search(
        "var x : 0..9;
         startstate begin x := 0; end;
         ruleset i := 9 to 2 by -3 do rule \"set\" x = 0 ==> x := i; end; end;
         ruleset i := 1 to 8 by 5 do rule \"also\" x = 0 ==> x := i; end; end;
         rule \"stay\" true ==> end;",
    );
    assert_eq!(program.rules[0].params[0].count(), 3);
    // 0; 9, 6, 3; 1, (6).
    assert_eq!(outcome.statistics.states, 5);
}

#[test]
fn assumptions_drop_states_and_steps() {
    let (_, outcome) = search(
        "var x : 0..9;
         startstate begin x := 0; end;
         rule \"up\" x < 9 ==> x := x + 1; assume x != 4; end;
         rule \"jump\" x = 0 ==> x := 8; end;
         rule \"stay\" true ==> end;
         assume \"not eight\" x != 8;",
    );
    // 0, 1, 2, 3
    assert_eq!(outcome.statistics.states, 4);
}

#[test]
fn an_assumption_that_fails_is_reported() {
    let (program, outcome) = search(
        "var x : 0..3; y : 0..1;
         startstate begin x := 0; end;
         rule \"up\" x < 3 ==> x := x + 1; end;
         assume \"small\" x < 2 | y = 1;",
    );
    assert_eq!(outcome.traces.len(), 1);
    assert_eq!(outcome.traces[0].steps.len(), 3);
    let fault = outcome.traces[0].finding.fault().unwrap();
    assert_eq!(program.sites[fault.site.0 as usize].detail, "y");
}

/// Also in a state behind the one that covers it, and although a rule has failed in the same function.
#[test]
fn a_cover_that_fails_is_reported() {
    let (program, outcome) = search(
        "var x : 0..3; y : 0..1;
         function Look() : boolean; begin return y = 1; end;
         startstate begin x := 0; y := 1; end;
         rule \"up\" x < 2 ==> x := x + 1; if x = 2 then undefine y; end; end;
         rule \"look\" x = 2 & Look() ==> end;
         cover \"one\" Look();",
    );
    let found: Vec<bool> =
        outcome.traces.iter().map(|trace| matches!(trace.finding, Finding::PropertyFault(0, _))).collect();
    assert_eq!(found, [true, false], "{:?}", program.sites);
    assert_eq!(outcome.covered, [true]);
}

#[test]
fn reordering_a_multiset_is_stuttering() {
    let (program, _) = lower(
        "var m : multiset [3] of 0..1;
         startstate begin multisetadd(0, m); end;
         choose k : m do rule \"swap\" true ==> multisetadd(m[k], m); multisetremove(k, m); end; end;",
    );
    let outcome = explore(&program, &Options::default(), &mut |_| true);
    assert_eq!(outcome.statistics.states, 1);
    assert_eq!(outcome.traces.len(), 1);
    assert_eq!(outcome.traces[0].finding, Finding::Deadlock);
    assert_eq!(replay(&program, &outcome.traces[0]), Ok(()));
}

#[test]
fn startstates_with_parameters() {
    let (_, outcome) = search(
        "type N : scalarset(3); var p, q : N;
         ruleset i : N; j : N do startstate begin p := i; q := j; end; end;
         rule \"stay\" true ==> end;",
    );
    // Equal or different, up to renaming.
    assert_eq!(outcome.statistics.states, 2);
}

#[test]
fn lowering_is_deterministic() {
    let source = "type N : scalarset(2); var a : array [N] of 0..3; m : multiset [2] of N;
                  startstate begin for i : N do a[i] := 0 end; end;
                  ruleset i : N do rule \"go\" a[i] < 3 ==> a[i] := a[i] + 1; multisetadd(i, m); end; end;
                  invariant \"i\" forall i : N do a[i] = 3 -> false end;";
    assert_eq!(format!("{:?}", lower(source)), format!("{:?}", lower(source)));
    let (program, _) = lower(source);
    let run = || explore(&program, &Default::default(), &mut |_| true).statistics;
    assert_eq!(run(), run());
}
