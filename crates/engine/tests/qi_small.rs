//! Acceptance checks QI-A6 to QI-A9 and QI-A13 on systems small enough to be followed by hand.

mod small;

use small::{Builder, details, f_shift, forced, frontier, generated, invariant, is_proved, sizes};
use tenet_engine::reach::Warning;
use tenet_term::{SortId, TermId};

#[test]
fn qi_a6_f_reaches_its_limit_in_two_iterations() {
    let mut shift = f_shift();
    let outcome = generated(&mut shift.builder.system);
    // The second and last iteration confirms what the first one found.
    assert_eq!(sizes(&outcome), [2, 3, 3]);
    assert_eq!(details(&outcome).productive(), 1);
    assert!(is_proved(&outcome));
    let text = invariant(&mut shift.builder.system, &outcome);
    assert_eq!(text, ["forall x : integer. 0 <= F[x] | x < 0"]);
}

#[test]
fn qi_a6_f_shift_substitutions_are_generated() {
    let mut shift = f_shift();
    let outcome = generated(&mut shift.builder.system);
    let terms: Vec<Option<TermId>> = details(&outcome).substitutions[0]
        .iter()
        .map(|substitution| substitution.get(shift.builder.system.indices[0].symbol))
        .collect();
    assert!(terms.contains(&None), "the identity is always among them");
    assert!(terms.contains(&Some(shift.next)), "`i + 1` is where F is read");
}

#[test]
fn qi_a7_one_substitution_is_not_enough() {
    for which in 0..2 {
        let mut shift = f_shift();
        let term = [shift.x, shift.next][which];
        shift.builder.force(shift.x, term);
        let outcome = forced(&mut shift.builder.system);
        assert_eq!(sizes(&outcome), [2, 4, 4]);
        assert!(details(&outcome).is_complete && !is_proved(&outcome));
    }
}

#[test]
fn qi_a7_more_substitutions_never_make_the_set_larger() {
    let mut shift = f_shift();
    let (zero, two) = (shift.builder.store().mk_int(0), shift.builder.store().mk_int(2));
    for term in [shift.x, shift.next, zero, two] {
        shift.builder.force(shift.x, term);
    }
    let outcome = forced(&mut shift.builder.system);
    assert_eq!(sizes(&outcome), [2, 3, 3]);
    assert!(is_proved(&outcome));
}

#[test]
fn qi_a9_frontier_must_not_be_used() {
    let (mut b, x, i) = frontier();
    let [zero, minus_one] = [0, -1].map(|number| b.store().mk_int(number));
    for term in [x, i, zero, minus_one] {
        b.force(x, term);
    }
    let outcome = forced(&mut b.system);
    // FFF and FFT at first, then TFT, then TTT: a frontier would have stopped before the last one.
    assert_eq!(sizes(&outcome), [2, 3, 4, 4]);
    assert!(details(&outcome).is_complete && !is_proved(&outcome), "f[x] >= 2 can be reached");
}

#[test]
fn qi_a13_axioms_hold_at_every_term_and_do_not_constrain_each_other() {
    // x grows by f(c), which an axiom about f at every place says is positive; a second axiom, about g, has its own
    // variables.
    let mut b = Builder::new();
    let unary = b.store().function_sort(&[SortId::INT], SortId::INT);
    let binary = b.store().function_sort(&[SortId::INT, SortId::INT], SortId::INT);
    let (f, g) = (b.constant("f", unary), b.constant("g", binary));
    let c = b.constant("c", SortId::INT);
    let n = b.state("n", SortId::INT);
    let [zero, one] = [0, 1].map(|number| b.store().mk_int(number));
    b.start(Vec::new(), TermId::TRUE, vec![zero]);
    let n_term = b.store().mk_symbol(n);
    let step = b.store().mk_apply(f, &[c]);
    let grown = b.store().mk_add([n_term, step]);
    let (ab, ba) = (b.store().mk_apply(g, &[c, one]), b.store().mk_apply(g, &[one, c]));
    let swapped = b.store().mk_ne(ab, ba);
    let minus_one = b.store().mk_int(-1);
    b.rule("grow", Vec::new(), TermId::TRUE, vec![(n, grown)]);
    b.rule("impossible", Vec::new(), swapped, vec![(n, minus_one)]);
    let (w, w_term) = b.bound("w", SortId::INT);
    let at_w = b.store().mk_apply(f, &[w_term]);
    let positive = b.store().mk_gt(at_w, zero);
    let axiom = b.store().mk_forall(&[w], positive);
    b.axiom(axiom);
    let ((y, y_term), (z, z_term)) = (b.bound("y", SortId::INT), b.bound("z", SortId::INT));
    let (yz, zy) = (b.store().mk_apply(g, &[y_term, z_term]), b.store().mk_apply(g, &[z_term, y_term]));
    let commutes = b.store().mk_eq(yz, zy);
    let axiom = b.store().mk_forall(&[y, z], commutes);
    b.axiom(axiom);
    let nonnegative = b.store().mk_ge(n_term, zero);
    b.predicate(nonnegative);
    b.property(nonnegative);
    let outcome = generated(&mut b.system);
    assert!(is_proved(&outcome));
    assert_eq!(outcome.warnings, [Warning::RuleNeverTaken(1)]);

    // Without the first axiom it is not proved, and without the second one neither.
    for missing in 0..2 {
        let mut weaker = b.system.clone();
        weaker.axioms.remove(missing);
        assert!(!is_proved(&generated(&mut weaker)));
    }
}

#[test]
fn contradictory_axioms_are_noticed() {
    let mut shift = f_shift();
    shift.builder.axiom(TermId::FALSE);
    let outcome = generated(&mut shift.builder.system);
    assert!(outcome.warnings.contains(&Warning::AxiomsUnsatisfiable));
}

#[test]
fn an_impossible_start_is_noticed() {
    let mut shift = f_shift();
    shift.builder.system.starts[0].constraint = TermId::FALSE;
    let outcome = generated(&mut shift.builder.system);
    assert!(outcome.warnings.contains(&Warning::NoStart));
}
