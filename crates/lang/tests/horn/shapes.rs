//! However a clause is written, it is the same clause.

use tenet_lang::horn::read;

/// The clauses of an assertion about `p`, `q` and `r`, printed.
fn clauses(assertion: &str) -> Vec<String> {
    let text = format!(
        "(declare-fun p (Int) Bool)(declare-fun q (Int) Bool)(declare-fun r () Bool)(assert {assertion})(check-sat)"
    );
    let (horn, _) = read(&text).unwrap_or_else(|found| panic!("{assertion}: {}", found[0].message));
    let store = &horn.system().store;
    let atom = |atom: &tenet_lang::horn::clauses::Atom| {
        let args: Vec<String> = atom.args.iter().map(|&arg| store.print(arg)).collect();
        format!("{}({})", horn.relations[atom.relation].name, args.join(", "))
    };
    let shown = horn.clauses.iter().map(|clause| {
        let mut body: Vec<String> = clause.body.iter().map(atom).collect();
        body.push(store.print(clause.constraint));
        let head = clause.head.as_ref().map_or_else(|| "false".to_string(), atom);
        format!("{} -> {head}", body.join(" & "))
    });
    shown.collect()
}

#[test]
fn one_clause_in_many_shapes() {
    let shapes = [
        "(forall ((x Int)) (=> (and (p x) (< x 3)) (q x)))",
        "(forall ((x Int)) (=> (p x) (=> (< x 3) (q x))))",
        "(forall ((x Int)) (=> (p x) (< x 3) (q x)))",
        "(forall ((x Int)) (or (not (p x)) (not (< x 3)) (q x)))",
        "(forall ((x Int)) (or (q x) (>= x 3) (not (p x))))",
        "(forall ((x Int)) (not (and (p x) (< x 3) (not (q x)))))",
        "(not (exists ((x Int)) (and (p x) (< x 3) (not (q x)))))",
        "(forall ((x Int)) (let ((b (and (p x) (< x 3)))) (=> b (q x))))",
        "(forall ((x Int)) (! (=> (! (and (p x) (< x 3)) :named body) (q x)) :weight 3))",
        "(forall ((x Int)) (or (not (and (p x) (not (or (not (< x 3)) false)))) (q x)))",
        "(and true (forall ((x Int)) (=> (and (p x) (< x 3)) (and (q x) true))))",
        "(forall ((x Int)) (=> (and (p x) (< x 3) (or false (p x))) (q x)))",
    ];
    for shape in shapes {
        let expected = match shape.starts_with("(not") || shape.starts_with("(and") {
            // Variables that are bound inside the formula get names of their own.
            true => "p(x_2) & x_2 < 3 -> q(x_2)",
            false => "p(x) & x < 3 -> q(x)",
        };
        assert_eq!(clauses(shape), [expected], "{shape}");
    }
}

#[test]
fn heads_and_bodies_are_distributed() {
    let both = clauses("(forall ((x Int)) (=> (p x) (and (q x) r (< x 3))))");
    assert_eq!(both, ["p(x) & true -> q(x)", "p(x) & true -> r()", "p(x) & 3 <= x -> false"]);
    let either = clauses("(forall ((x Int)) (=> (or (p x) (and (q x) (= x 1)) (= x 2)) r))");
    assert_eq!(either, ["p(x) & true -> r()", "q(x) & x = 1 -> r()", "x = 2 -> r()"]);
    let equal = clauses("(forall ((x Int)) (= (p x) (< x 3)))");
    assert_eq!(equal, ["p(x) & 3 <= x -> false", "x < 3 -> p(x)"]);
    let cases = clauses("(forall ((x Int)) (ite (< x 3) (p x) (=> (q x) r)))");
    assert_eq!(cases, ["x < 3 -> p(x)", "q(x) & 3 <= x -> r()"]);
    let exists = clauses("(forall ((x Int)) (=> (and (p x) (exists ((y Int)) (and (q y) (< y x)))) r))");
    assert_eq!(exists, ["p(x) & q(y_2) & y_2 < x -> r()"]);
    let constraint = clauses("(forall ((x Int)) (=> (exists ((y Int)) (= x (* 2 y))) (p x)))");
    assert_eq!(constraint, ["x = 2 * y_2 -> p(x)"]);
    assert_eq!(clauses("(forall ((x Int)) (=> (p x) (p x)))"), [""; 0]);
    assert_eq!(clauses("(forall ((x Int)) (=> (and (p x) (< x 3) (> x 4)) false))").len(), 1);
}

#[test]
fn inner_variables_hide_outer_ones() {
    let shadowed = clauses("(forall ((x Int)) (forall ((x Int)) (=> (p x) (q x))))");
    assert_eq!(shadowed, ["p(x_2) & true -> q(x_2)"]);
    let inside = clauses("(forall ((x Int)) (=> (and (p x) (exists ((x Int)) (q x))) r))");
    assert_eq!(inside, ["p(x) & q(x_3) & true -> r()"]);
    let parallel = clauses("(forall ((x Int) (y Int)) (let ((x y) (y x)) (=> (p x) (q y))))");
    assert_eq!(parallel, ["p(y) & true -> q(x)"]);
}
