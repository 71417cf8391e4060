//! Faults, and where they are reported.

use super::support::{program, search, start_fault};
use tenet_system::finite::program::FaultKind;

fn check(source: &str, kind: FaultKind, detail: &str, text: &str) {
    let found = start_fault(source);
    assert_eq!((found.0, found.1.as_str(), found.2.as_str()), (kind, detail, text));
}

#[test]
fn an_undefined_read_names_the_place() {
    check(
        "var c : array [0..1] of record d : 0..3; end; x : 0..3;
         startstate begin for i : 0..1 do x := c[i].d end; end;",
        FaultKind::Undefined,
        "c[i].d",
        "c[i].d",
    );
}

#[test]
fn a_local_variable_starts_undefined_at_every_call() {
    check(
        "var x : 0..9;
         function F(set : boolean) : 0..9;
         var t : 0..9;
         begin if set then t := 1; end; return t; end;
         startstate begin x := F(true); x := F(x = 2); end;",
        FaultKind::Undefined,
        "t",
        "t",
    );
}

#[test]
fn a_value_out_of_range_names_the_target() {
    let source = "var x : 0..3; y : 0..9; startstate begin y := 4; x := y; end;";
    check(source, FaultKind::Range, "x", "x := y");
}

#[test]
fn an_argument_out_of_range_names_the_parameter() {
    check(
        "var y : 0..9;
         procedure P(n : 0..3); begin y := n; end;
         startstate begin y := 5; P(y - 1); end;",
        FaultKind::Range,
        "n of `P`",
        "y - 1",
    );
}

#[test]
fn an_index_out_of_bounds_is_an_index_fault() {
    check(
        "var a : array [1..3] of 0..3; i : 0..9; startstate begin i := 4; a[i] := 0; end;",
        FaultKind::Index,
        "a[i]",
        "i",
    );
    check(
        "var a : array [1..3] of 0..3; i : 0..9;
         startstate begin i := 2; alias z : a[i * 2] do z := 0; end; end;",
        FaultKind::Index,
        "a[i * 2]",
        "i * 2",
    );
}

#[test]
fn a_union_value_of_another_member_does_not_convert() {
    let found = start_fault(
        "type P : scalarset(2); H : enum { Home }; U : union { P, H };
         var u : U; p : P;
         startstate begin u := Home; p := u; end;",
    );
    assert_eq!(found.0, FaultKind::Range);
}

#[test]
fn a_full_multiset_is_a_fault() {
    check(
        "var m : multiset [1] of 0..3; startstate begin multisetadd(1, m); multisetadd(2, m); end;",
        FaultKind::MultisetFull,
        "m",
        "multisetadd(2, m)",
    );
}

#[test]
fn assert_and_error_carry_their_message() {
    let source = "var x : 0..3; startstate begin x := 1; assert x = 2 \"two\"; end;";
    check(source, FaultKind::Assertion, "two", "assert x = 2 \"two\"");
    let source = "var x : 0..3; startstate begin x := 1; error \"never here\"; end;";
    check(source, FaultKind::Error, "never here", "error \"never here\"");
}

#[test]
fn a_function_must_return() {
    let found = start_fault(
        "var x : 0..3;
         function F() : 0..3; begin if x = 2 then return 1; end; end;
         startstate begin x := 1; x := F(); end;",
    );
    assert_eq!((found.0, found.1.as_str()), (FaultKind::MissingReturn, "F"));
}

#[test]
fn endless_recursion_and_loops_are_faults() {
    let recursion = start_fault(
        "var x : 0..3;
         function F(n : 0..3) : 0..3; begin return F(n); end;
         startstate begin x := 1; x := F(x); end;",
    );
    assert_eq!(recursion.0, FaultKind::Endless);
    let endless = start_fault("var x : 0..3; startstate begin x := 1; while x = 1 do x := 1; end; end;");
    assert_eq!(endless.0, FaultKind::Endless);
}

#[test]
fn division_by_zero() {
    let source = "var x, y : 0..3; startstate begin x := 1; y := 0; x := x / y; end;";
    check(source, FaultKind::DivisionByZero, "x / y", "x / y");
}

#[test]
fn removing_an_element_twice_is_a_fault() {
    let (program, outcome) = search(
        "var m : multiset [2] of 0..3;
         startstate begin multisetadd(1, m); end;
         choose i : m do rule \"twice\" true ==> multisetremove(i, m); multisetremove(i, m); end; end;",
    );
    let fault = outcome.traces[0].finding.fault().unwrap();
    assert_eq!(program.sites[fault.site.0 as usize].detail, "m[i]");
}

#[test]
fn no_range_check_where_the_domains_fit() {
    let program = program(
        "type R : 0..3; var x : R; y : 0..3; z : 0..9;
         startstate begin x := 0; y := x; x := y; z := x + y; end;
         rule \"same\" true ==> x := y; z := x * y; end;",
    );
    assert!(!format!("{:?}", program.rules[0].body).contains("InRange"));
}

/// Nesting times recursion must not exhaust the stack of this thread.
#[test]
fn deep_code_in_a_recursion_is_cut_off() {
    let nested = |inner: &str, depth: usize| format!("{}{inner}{}", "(1 + ".repeat(depth), ")".repeat(depth));
    let source = format!(
        "var x : -9..9;
         function F(n : -9..9) : -9..9; begin if n = 0 then return 0; end; return {} - 100; end;
         startstate begin x := 1; x := F(x); end;",
        nested("F(n)", 100)
    );
    assert_eq!(start_fault(&source).0, FaultKind::Endless);
}

#[test]
fn a_union_value_outside_the_smaller_union_does_not_convert() {
    let found = start_fault(
        "type P : scalarset(2); H : enum { Home }; G : enum { Far }; S : union { P, H }; B : union { P, H, G };
         var s : S; b : B;
         startstate begin b := Home; s := b; b := Far; s := b; end;",
    );
    assert_eq!((found.0, found.1.as_str()), (FaultKind::Range, "b"));
}
