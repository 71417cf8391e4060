//! Antecedents that are never true, and covers.

use super::support::search;

/// The source text of the probes that were true in no state.
fn vacuous(source: &str) -> Vec<&str> {
    let (program, outcome) = search(source);
    let probes = program.probes.iter().zip(&outcome.probes).filter(|(_, seen)| !**seen);
    probes.map(|(probe, _)| &source[probe.source.start as usize..probe.source.end as usize]).collect()
}

const COUNTER: &str = "
    var x : 0..3; a : array [0..1] of boolean;
    startstate begin x := 0; a[0] := false; a[1] := true; end;
    rule \"step\" x < 2 ==> x := x + 1; end;
    rule \"back\" x = 2 ==> x := 0; end;";

#[test]
fn antecedents_that_are_never_true_are_found() {
    let source = format!("{COUNTER} invariant \"i\" (x = 3 -> x = 2) & (x = 1 -> x != 2);");
    assert_eq!(vacuous(&source), ["x = 3"]);
}

#[test]
fn outer_antecedents_count() {
    let source = format!("{COUNTER} invariant \"i\" x = 1 -> x != 2 -> (x = 2 -> x = 0);");
    assert_eq!(vacuous(&source), ["x = 2"]);
}

#[test]
fn quantifiers_and_rulesets_are_closed_existentially() {
    let source = format!(
        "{COUNTER} ruleset i : 0..1 do invariant \"i\"
            (a[i] -> x < 3) & (forall j : 0..1 do a[i] & !a[j] & i = 0 -> false end);
         end;"
    );
    assert_eq!(vacuous(&source), ["a[i] & !a[j] & i = 0"]);
}

#[test]
fn implications_that_are_no_promises_have_no_probe() {
    let source = format!("{COUNTER} invariant \"i\" (x = 3 -> x = 2) | !(x = 1 -> x = 3);");
    assert_eq!(search(&source).0.probes.len(), 0);
}

#[test]
fn covers_are_existential_and_cover_statements_counted() {
    let source = "
        var x : 0..3;
        startstate begin x := 0; end;
        procedure Unused(); begin cover true \"unused\"; end;
        rule \"step\" x < 2 ==> cover x = 1 \"one\"; cover x = 2; x := x + 1; end;
        rule \"stay\" true ==> end;
        ruleset i : 2..3 do cover \"some\" x = i; end;
        ruleset i : 3..3 do cover \"none\" x = i; end;";
    let (program, outcome) = search(source);
    assert_eq!(program.cover_statements, ["one", "Cover statement 2", "unused"]);
    assert_eq!(outcome.cover_statements, [true, false, false]);
    assert_eq!(outcome.covered, [true, false]);
}
