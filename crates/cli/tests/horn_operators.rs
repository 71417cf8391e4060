//! Every operator of SMT-LIB that the front end for Horn clauses knows, against Z3 on the same text.
//!
//! The term is read, evaluated for some values of its variables by the reference evaluator, and Z3, which reads the text
//! itself, is asked whether it could be anything else. So reading, simplifying and evaluating are checked together.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use tenet_lang::horn::clauses::variables;
use tenet_lang::horn::{print, read};
use tenet_solve::{Answer, Effort, z3_check_texts};
use tenet_term::{BitVec, Model, SymbolId, TermId, TermStore, Value};

/// Terms over `x y : Int`, `u v : Real`, `a b : (_ BitVec 5)`, `c : (_ BitVec 1)`, `s t : Bool`, with their sorts.
const TERMS: &[(&str, &str)] = &[
    ("Bool", "(not s)"),
    ("Bool", "(and s t (< x y))"),
    ("Bool", "(or s t (< x y))"),
    ("Bool", "(xor s t (= x 1))"),
    ("Bool", "(=> s t (< x 2))"),
    ("Bool", "(= s t (> x 0))"),
    ("Bool", "(distinct s t)"),
    ("Bool", "(distinct s t (> x 0))"),
    ("Bool", "(= x y 3)"),
    ("Bool", "(distinct x y 3 (+ x 1))"),
    ("Bool", "(< x y 3)"),
    ("Bool", "(<= x y 3)"),
    ("Bool", "(> x y (- 3))"),
    ("Bool", "(>= u v 0)"),
    ("Bool", "(= x u)"),
    ("Bool", "(< x 0.5)"),
    ("Int", "(ite s x y)"),
    ("Real", "(ite s x v)"),
    ("Int", "(+ x y 3)"),
    ("Int", "(- x)"),
    ("Int", "(- x y 3)"),
    ("Int", "(* x y (- 2))"),
    ("Int", "(div x 3)"),
    ("Int", "(div x (- 3))"),
    ("Int", "(div x 3 2)"),
    ("Int", "(mod x 3)"),
    ("Int", "(mod x (- 3))"),
    ("Int", "(div x y)"),
    ("Int", "(mod x y)"),
    ("Int", "(div (mod x y) (- y 1))"),
    ("Real", "(/ u v)"),
    ("Real", "(/ x 4)"),
    ("Int", "(abs x)"),
    ("Real", "(to_real x)"),
    ("Int", "(to_int u)"),
    ("Bool", "(is_int (* 2 u))"),
    ("Bool", "((_ divisible 3) x)"),
    ("Real", "(+ u v x)"),
    ("Real", "(- u 1)"),
    ("Real", "(* 3 u)"),
    ("(_ BitVec 5)", "(bvnot a)"),
    ("(_ BitVec 5)", "(bvneg a)"),
    ("(_ BitVec 5)", "(bvand a b #b10110)"),
    ("(_ BitVec 5)", "(bvor a b)"),
    ("(_ BitVec 5)", "(bvxor a b)"),
    ("(_ BitVec 5)", "(bvnand a b)"),
    ("(_ BitVec 5)", "(bvnor a b)"),
    ("(_ BitVec 5)", "(bvxnor a b)"),
    ("(_ BitVec 5)", "(bvadd a b (_ bv3 5))"),
    ("(_ BitVec 5)", "(bvsub a b)"),
    ("(_ BitVec 5)", "(bvmul a b)"),
    ("(_ BitVec 5)", "(bvudiv a b)"),
    ("(_ BitVec 5)", "(bvurem a b)"),
    ("(_ BitVec 5)", "(bvsdiv a b)"),
    ("(_ BitVec 5)", "(bvsrem a b)"),
    ("(_ BitVec 5)", "(bvsmod a b)"),
    ("(_ BitVec 5)", "(bvshl a b)"),
    ("(_ BitVec 5)", "(bvlshr a b)"),
    ("(_ BitVec 5)", "(bvashr a b)"),
    ("Bool", "(bvult a b)"),
    ("Bool", "(bvule a b)"),
    ("Bool", "(bvugt a b)"),
    ("Bool", "(bvuge a b)"),
    ("Bool", "(bvslt a b)"),
    ("Bool", "(bvsle a b)"),
    ("Bool", "(bvsgt a b)"),
    ("Bool", "(bvsge a b)"),
    ("(_ BitVec 1)", "(bvcomp a b)"),
    ("(_ BitVec 11)", "(concat a c b)"),
    ("(_ BitVec 3)", "((_ extract 3 1) a)"),
    ("(_ BitVec 8)", "((_ zero_extend 3) a)"),
    ("(_ BitVec 8)", "((_ sign_extend 3) a)"),
    ("(_ BitVec 5)", "((_ sign_extend 0) a)"),
    ("(_ BitVec 5)", "((_ rotate_left 2) a)"),
    ("(_ BitVec 5)", "((_ rotate_left 12) a)"),
    ("(_ BitVec 5)", "((_ rotate_right 1) a)"),
    ("(_ BitVec 5)", "((_ rotate_right 5) a)"),
    ("(_ BitVec 15)", "((_ repeat 3) a)"),
    ("Int", "(bv2nat a)"),
    ("Int", "(ubv_to_int a)"),
    ("Int", "(sbv_to_int a)"),
    ("(_ BitVec 5)", "((_ int2bv 5) x)"),
    ("(_ BitVec 5)", "((_ int_to_bv 5) (* 7 y))"),
    ("Bool", "(bvnego a)"),
    ("Bool", "(bvuaddo a b)"),
    ("Bool", "(bvsaddo a b)"),
    ("Bool", "(bvusubo a b)"),
    ("Bool", "(bvssubo a b)"),
    ("Bool", "(bvumulo a b)"),
    ("Bool", "(bvsmulo a b)"),
    ("Bool", "(bvsdivo a b)"),
    ("Int", "(let ((x y) (y x)) (- x (let ((x 2)) (* x y))))"),
    ("(_ BitVec 5)", "(bvadd a #b00001)"),
    ("(_ BitVec 12)", "(concat #xab #xf)"),
    ("Real", "(+ u 0.125 (/ 1 3) (- 2.50))"),
];

const VARIABLES: &[(&str, &str)] = &[
    ("x", "Int"),
    ("y", "Int"),
    ("u", "Real"),
    ("v", "Real"),
    ("a", "(_ BitVec 5)"),
    ("b", "(_ BitVec 5)"),
    ("c", "(_ BitVec 1)"),
    ("s", "Bool"),
    ("t", "Bool"),
];

/// How many choices of values each term is tried with.
const ROUNDS: usize = 24;

fn choose(name: &str, round: usize) -> Value {
    let mixed = (round + 1).wrapping_mul(2_654_435_761) ^ (name.as_bytes()[0] as usize).wrapping_mul(40_503);
    let mixed = mixed >> 7;
    match name {
        "x" | "y" => Value::int(mixed as i64 % 23 - 11),
        "u" | "v" => Value::Real(num_rational::BigRational::new(((mixed as i64 % 41) - 20).into(), 4.into())),
        "a" | "b" => Value::BitVec(BitVec::new(5, (mixed as u32 % 32).into())),
        "c" => Value::BitVec(BitVec::new(1, (mixed as u32 % 2).into())),
        _ => Value::Bool(mixed.is_multiple_of(2)),
    }
}

/// The variables' values of a round as definitions of SMT-LIB.
fn definitions(round: usize) -> String {
    let definition = |(name, sort): &(&str, &str)| {
        format!("(define-fun {name} () {sort} {})", print::value(&choose(name, round)))
    };
    VARIABLES.iter().map(definition).collect()
}

/// The values of the variables in a round.
fn model(store: &TermStore, symbols: &[SymbolId], round: usize) -> Model {
    let mut model = Model::new();
    symbols.iter().for_each(|&symbol| model.set(symbol, choose(&store.symbol(symbol).name, round)));
    model
}

fn bound() -> String {
    VARIABLES.iter().map(|(name, sort)| format!("({name} {sort})")).collect()
}

/// The values that the term has, each with its round.
fn evaluated(sort: &str, term: &str) -> Vec<(usize, String)> {
    let text = format!(
        "(declare-fun p ({sort}) Bool)(assert (forall ({}) (p {term})))\
         (assert (forall ((r {sort})) (=> (p r) false)))(check-sat)",
        bound()
    );
    let (horn, _) = read(&text).unwrap_or_else(|found| panic!("{term}: {}", found[0].message));
    let store = &horn.system().store;
    // The first clause is the one without division by zero.
    let clause = &horn.clauses[0];
    let arg = clause.head.as_ref().unwrap().args[0];
    let symbols: Vec<SymbolId> = clause.variables(store);
    let mut found = Vec::new();
    for round in 0..ROUNDS {
        let model = model(store, &symbols, round);
        if model.holds(store, clause.constraint).unwrap() {
            found.push((round, print::value(&model.evaluate(store, arg).unwrap())));
        }
    }
    assert!(!found.is_empty(), "{term} was never evaluated");
    found
}

/// Asks Z3 whether the term has these values.
fn compare(term: &str, values: &[(usize, String)]) {
    // Asked in this way, Z3 says nothing about `divisible`; the standard defines it so.
    let term = &term.replace("((_ divisible 3) x)", "(= (mod x 3) 0)");
    let mut texts = Vec::new();
    for (round, value) in values {
        let text = format!(
            "{}(declare-const q Bool)(declare-const r Bool)\
             (assert (=> q (distinct {term} {value})))(assert (=> r (= {term} {value})))",
            definitions(*round)
        );
        texts.push((text, vec!["q".to_string(), "r".to_string()]));
    }
    let answers = z3_check_texts("", &texts, Some(Effort::secs(10)));
    for (pair, (text, _)) in answers.chunks(2).zip(&texts) {
        assert_eq!(pair, [Answer::Unsat, Answer::Sat], "{term}: {text}");
    }
}

#[test]
fn operators_mean_what_z3_says() {
    for (sort, term) in TERMS {
        compare(term, &evaluated(sort, term));
    }
}

/// Formulas with quantifiers that can be eliminated, over the variables above.
const QUANTIFIED: &[&str] = &[
    "(forall ((k Int)) (distinct x (* 2 k)))",
    "(forall ((k Int)) (distinct (+ x (* 3 k)) (- y 1)))",
    "(forall ((k Int)) (=> (<= 0 k 3) (< (* k x) y)))",
    "(forall ((k Int)) (=> (and (< (- 2) k) (< (* 2 k) 5)) (or (< x k) (= y k))))",
    "(forall ((k Int)) (=> (= k (+ x y)) (< k 5)))",
    "(forall ((k Int)) (or (not (= x (- 2 k))) (distinct (* k k) y)))",
    "(forall ((k Int) (j Int)) (or (distinct k (+ j 1)) (distinct x (* 2 (+ k j)))))",
    "(forall ((r Int)) (or (not (and (<= 0 r 2) (exists ((k Int)) (= x (+ (* 3 k) r))))) (= r 0)))",
    "(not (exists ((k Int)) (and (= (* 4 k) x) s)))",
    "(forall ((w Real)) (=> (= (* 3 w) u) (< w v)))",
    "(forall ((q Bool)) (or (= q s) (= q (< x 3))))",
    "(forall ((d (_ BitVec 5))) (distinct a (bvmul #b00110 d)))",
    "(forall ((d (_ BitVec 5))) (distinct a (bvadd b (bvneg (bvmul #b00011 d)))))",
    "(forall ((d (_ BitVec 5))) (=> (bvult d #b00100) (bvult (bvmul d a) b)))",
    "(forall ((d (_ BitVec 5))) (=> (and (bvsle #b00000 (bvsub #b00010 d)) (bvslt #b11110 d)) (distinct a (bvmul d b))))",
    "(forall ((d (_ BitVec 5))) (=> (and (bvsgt d #b11101) (bvsle (bvadd d #b00001) #b00001)) (bvult a (bvxor d b))))",
];

#[test]
fn quantifiers_are_removed_by_equivalences() {
    for formula in QUANTIFIED {
        let text =
            format!("(declare-fun p () Bool)(assert (forall ({}) (=> {formula} p)))(check-sat)", bound());
        let (horn, _) = read(&text).unwrap_or_else(|found| panic!("{formula}: {}", found[0].message));
        let store = &horn.system().store;
        // A body that is false is no clause.
        let constraint = horn.clauses.first().map_or(TermId::FALSE, |clause| clause.constraint);
        assert!(!store.has_quantifier(constraint));
        let symbols = variables(store, [constraint]);
        let value = |round: usize| model(store, &symbols, round).holds(store, constraint).unwrap();
        let values: Vec<(usize, String)> =
            (0..ROUNDS).map(|round| (round, value(round).to_string())).collect();
        compare(formula, &values);
    }
}
