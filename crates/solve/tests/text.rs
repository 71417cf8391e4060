//! The text that is written for solvers: declarations, quoting, sharing, variables that nothing captures.

use tenet_solve::Script;
use tenet_term::{Op, Role, SortId, TermId, TermStore};

fn text(store: &TermStore, formula: TermId) -> String {
    let mut script = Script::new();
    script.assert(store, formula);
    script.check();
    script.text().to_owned()
}

#[test]
fn sorts_are_declared_and_names_are_quoted_and_kept_apart() {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let state = store.enum_sort("my state", &["let", "Shared"]);
    let any = store.union_sort("ANY", &[state, node]);
    let array = store.function_sort(&[node], any);
    let and = store.declare("and", array, Role::State);
    let (x, y) = (store.declare("x|", node, Role::State), store.declare("x|", node, Role::Input));
    let (and, x, y) = (store.mk_symbol(and), store.mk_symbol(x), store.mk_symbol(y));
    let (left, right) = (store.mk_apply(and, &[x]), store.mk_apply(and, &[y]));
    let equal = store.mk_eq(left, right);
    assert_eq!(
        text(&store, equal),
        "(set-logic ALL)\n\
         (declare-sort $NODE 0)\n\
         (declare-datatypes ((|$my state| 0)) ((($let) ($Shared))))\n\
         (declare-datatypes (($ANY 0)) (((|$ANY-from-my state| (|$ANY-as-my state| |$my state|)) \
         ($ANY-from-NODE ($ANY-as-NODE $NODE)))))\n\
         (declare-fun $x_ () $NODE)\n(declare-fun $and ($NODE) $ANY)\n(declare-fun $x_~2 () $NODE)\n\
         (assert (= ($and $x_~2) ($and $x_)))\n(check-sat)\n"
    );
}

#[test]
fn what_occurs_twice_is_written_once() {
    let mut store = TermStore::new();
    let x = store.declare("x", SortId::INT, Role::State);
    let mut sum = store.mk_symbol(x);
    for _ in 0..200 {
        sum = store.raw(Op::Add, &[sum, sum]);
    }
    let zero = store.mk_int(-1);
    let formula = store.raw(Op::Lt, &[sum, zero]);
    let text = text(&store, formula);
    assert!(text.len() < 10_000, "{} characters for 200 additions", text.len());
    assert!(text.contains("(let ((e!0 (+ $x $x))) (let ((e!1 (+ e!0 e!0)))"), "{text}");
    assert!(text.contains("(< (+ e!198 e!198) (- 1))"), "{text}");
}

#[test]
fn sharing_stays_inside_the_quantifier_it_needs() {
    let mut store = TermStore::new();
    let f = store.function_sort(&[SortId::INT], SortId::INT);
    let f = store.declare("f", f, Role::State);
    let k = store.declare("k", SortId::INT, Role::Bound);
    let (f, k_term, one) = (store.mk_symbol(f), store.mk_symbol(k), store.mk_int(1));
    let (fk, f1) = (store.mk_apply(f, &[k_term]), store.mk_apply(f, &[one]));
    let sum = store.raw(Op::Add, &[fk, fk, f1, f1]);
    let small = store.raw(Op::Lt, &[sum, k_term]);
    let all = store.raw(Op::Forall([k].into()), &[small]);
    let expected = "(assert (let ((e!0 ($f 1))) \
                    (forall (($k@1 Int)) (let ((e!1 ($f $k@1))) (< (+ e!1 e!1 e!0 e!0) $k@1)))))\n";
    let text = text(&store, all);
    assert!(text.contains(expected), "{text}");
}

#[test]
fn deep_terms_are_written_without_recursion() {
    let mut store = TermStore::new();
    let x = store.declare("x", SortId::INT, Role::State);
    let mut term = store.mk_symbol(x);
    for _ in 0..100_000 {
        term = store.raw(Op::Neg, &[term]);
    }
    let zero = store.mk_int(0);
    let formula = store.raw(Op::Le, &[term, zero]);
    assert!(text(&store, formula).len() > 300_000);
}
