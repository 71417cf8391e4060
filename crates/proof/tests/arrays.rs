//! Functions of arrays after an update, and universals below premises: instances that a certificate must recognise.

mod support;

use support::*;
use tenet_proof::Obligation;

/// Links that are redirected, and what can be reached through them from the root. The axiom holds of the least `acc`.
const LINKS: &str = r#"
type NODE : scalarset(3); LINKS : array [NODE] of NODE;
const root : NODE;
const first : LINKS; second : LINKS;
var left, right : LINKS; good : array [NODE] of boolean;
define acc(links : LINKS; n : NODE) : boolean :=
  n = root | exists p : NODE do acc(links, p) & links[p] = n end;
axiom "redirect"
  forall p : NODE do acc(left, p) -> forall q : NODE do forall r : NODE do
    acc(left[q := p], r) -> acc(left, r)
  end end end;
startstate "all are good"
  left := first; right := second;
  for n : NODE do good[n] := true; end;
end;
ruleset n : NODE; t : NODE do
  rule "redirect" acc(left, t) ==> left[n] := t; end;
end;
invariant "what can be reached is good"
  forall x : NODE do acc(left, x) -> good[x] end;
"#;

/// The obligation at which an attempt fails after this change.
fn gap(from: &str, to: &str) -> Option<Obligation> {
    assert!(LINKS.contains(from), "{from}");
    case("links.tenet", &LINKS.replace(from, to)).certify().err().map(|gap| gap.obligation)
}

#[test]
fn an_axiom_about_an_updated_array_is_used_where_a_rule_updates_it() {
    let case = case("links.tenet", LINKS);
    let text = case.certificate();
    let verified = case.verify(&text).unwrap_or_else(|rejection| panic!("{rejection:?}"));
    assert_eq!(verified.assumptions, ["redirect"]);
}

#[test]
fn arrays_that_only_look_alike_are_not_the_same() {
    let step = Some(Obligation::Step { rule: 0, lemma: 0 });
    // The same, said of the other array.
    assert_eq!(gap("left[n] := t;", "right[n] := t;"), None, "nobody speaks of it");
    assert_eq!(gap("acc(left[q := p], r) -> acc(left, r)", "acc(right[q := p], r) -> acc(right, r)"), step);
    // Two links at once are no instance of one.
    assert_eq!(gap("left[n] := t;", "left[n] := t; left[t] := n;"), step);
    // The node that is linked must be the one that is accessible.
    assert_eq!(gap("left[n] := t;", "left[t] := n;"), step);
    // A link to itself is a special case, and not the other way round.
    assert_eq!(gap("left[n] := t;", "left[t] := t;"), None);
    assert_eq!(gap("acc(left[q := p], r)", "acc(left[p := p], r)"), step);
    // A value that mentions the place does not come from the array before.
    assert_eq!(gap("left[n] := t;", "for m : NODE do left[m] := m = n ? left[m] : t; end;"), step);
}

#[test]
fn a_premise_between_universals_stays_a_premise() {
    let step = Some(Obligation::Step { rule: 0, lemma: 0 });
    assert_eq!(gap("acc(left, t) ==>", "true ==>"), step);
    assert_eq!(gap("acc(left, p) -> forall q", "!acc(left, p) -> forall q"), step);
}

#[test]
fn names_that_are_bound_twice_are_two() {
    // The inner `p` is another one, about which the premise says nothing: the axiom is stronger.
    let hidden = "forall p : NODE do acc(left[q := p], r) -> acc(left, r) end";
    assert_eq!(gap("acc(left[q := p], r) -> acc(left, r)", hidden), None);
    // The inner `x` is another one, about which the premise says nothing: the invariant is as strong as before.
    let (invariant, guard) = ("forall x : NODE do acc(left, x) -> good[x] end", "acc(left, t) ==>");
    let shadowed = LINKS.replace(
        invariant,
        "forall x : NODE do x = root -> forall x : NODE do acc(left, x) -> good[x] end end",
    );
    assert!(case("shadowed.tenet", &shadowed).certify().is_ok());
    assert!(case("shadowed.tenet", &shadowed.replace(guard, "true ==>")).certify().is_err());
}
