//! What can be wrong with a file of Horn clauses.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &SYNTAX,
    &UNSUPPORTED,
    &UNDECLARED,
    &DECLARED_TWICE,
    &WRONG_SORT,
    &NOT_HORN,
    &ALTERNATION,
    &NONLINEAR,
    &NO_QUERY,
    &ODD_EXIT,
    &LOGIC,
    &TOO_LARGE,
    &NOT_FOR_CLAUSES,
    &NO_INSTANCE,
    &ONLY_FOR_CLAUSES,
    &RESERVED,
];

/// E0901
pub static SYNTAX: Explanation = Explanation {
    code: "E0901",
    title: "this is not SMT-LIB",
    text: "\
A file consists of commands in parentheses, and a command of words, numbers and lists in parentheses. A comment starts with \
`;` and ends with the line; a name with other characters than letters, digits and `~!@$%^&*_-+=<>.?/` stands between bars, \
as in `|my name|`. A small file is

    (set-logic HORN)
    (declare-fun inv (Int) Bool)
    (assert (inv 0))
    (assert (forall ((x Int)) (=> (and (inv x) (< x 10)) (inv (+ x 1)))))
    (assert (forall ((x Int)) (=> (inv x) (<= x 10))))
    (check-sat)",
};

/// E0902
pub static UNSUPPORTED: Explanation = Explanation {
    code: "E0902",
    title: "a part of SMT-LIB that is not supported",
    text: "\
Clauses are read over Bool, Int, Real and bit-vectors of any width. Arrays, data types, strings, floating point, declared \
sorts, uninterpreted functions and constants, recursive definitions, several questions in one file (`push`, `pop`, a second \
`check-sat`) are not. A construct like that is rejected, never skipped, because skipping it could change the answer.

Some operators are called differently by different tools. The names of the standard are `ubv_to_int`, `sbv_to_int` and \
`(_ int_to_bv n)`; `bv2nat` and `(_ int2bv n)`, which the standard had before, are read as well. `bv2int` is not, because \
tools disagree about its sign.",
};

/// E0903
pub static UNDECLARED: Explanation = Explanation {
    code: "E0903",
    title: "a name that is not declared",
    text: "\
Relations are declared with `declare-fun` (or `declare-rel`) in front of their first use; variables are bound by `forall`, \
`exists` or `let`, or declared with `declare-var` for `rule` and `query`. The name here is neither, and it is none of the \
operators of the theories of truth values, integers, reals and bit-vectors.",
};

/// E0904
pub static DECLARED_TWICE: Explanation = Explanation {
    code: "E0904",
    title: "a name is declared twice",
    text: "\
Relations, macros (`define-fun`), constants and variables (`declare-var`) share their names: each is declared once. Bound \
variables may have any name, and hide what is declared outside.",
};

/// E0905
pub static WRONG_SORT: Explanation = Explanation {
    code: "E0905",
    title: "sorts do not fit",
    text: "\
Every operator and relation has a number of operands and their sorts. Integers may stand where reals are expected, and are \
converted; anything else has to be converted in the file: `to_int` and `to_real` between integers and reals, `ubv_to_int`, \
`sbv_to_int` and `(_ int_to_bv n)` between integers and bit-vectors, `ite` from truth values.",
};

/// E0906
pub static NOT_HORN: Explanation = Explanation {
    code: "E0906",
    title: "this is not a Horn clause",
    text: "\
A Horn clause says that relations and a constraint together imply one relation, or false:

    (forall (...) (=> (and (P x) (Q y) constraint) (R z)))

It may be written in many ways, with `or` and `not` instead of `=>`, with conjunctions in the head and disjunctions in the \
body. But at most one relation may remain that is not negated when the formula is written as a disjunction. So a relation \
must not be negated in a body, nor stand in a disjunction with another one in a head, nor be an operand of anything but \
the connectives.",
};

/// E0907
pub static ALTERNATION: Explanation = Explanation {
    code: "E0907",
    title: "quantifiers alternate",
    text: "\
The variables of a clause are universally quantified. In its body also `exists` may stand, because

    (=> (and (P x) (exists ((y Int)) (= x (* 2 y)))) (Q x))

says the same with `y` as a variable of the clause; in a head it is `forall`. The other way round, a clause would depend \
on something that is true of all values, or would promise that a value exists; neither is a step of a program. Often \
such a quantifier can be removed by hand: `(exists ((y Int)) (= x (* 2 y)))` is `(= (mod x 2) 0)`.",
};

/// E0908
pub static NONLINEAR: Explanation = Explanation {
    code: "E0908",
    title: "nonlinear recursion",
    text: "\
A clause with one relation in its body is a step of a program from one place to another. A clause with two of them, such as

    (=> (and (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))

is a call whose result is used: the derivations are trees, not runs. If one of the relations can be derived without any \
such clause, its derivation is a run of its own, and becomes part of the caller's; then the clause is read. Here it cannot: \
the relations that the clause needs depend on its own result.",
};

/// E0909
pub static NO_QUERY: Explanation = Explanation {
    code: "E0909",
    title: "nothing is asked",
    text: "\
The question is whether `false` can be derived. So some clause needs `false`, or a constraint, as its head; in the style \
with `rule`, there has to be a `(query R)`, and some rule with `R` as its head. With assertions only, a file without such a \
clause is accepted with a warning: it is satisfiable whatever else it says, but that proves nothing, and the answer is unknown.",
};

/// E0910
pub static ODD_EXIT: Explanation = Explanation {
    code: "E0910",
    title: "an `(exit)` in an odd place",
    text: "\
`(exit)` ends the file. If something follows, it is not read, and a warning says so. In front of `(check-sat)` or \
`(query …)` it is an error: a solver that executes the file would stop before it is asked anything.",
};

/// E0911
pub static LOGIC: Explanation = Explanation {
    code: "E0911",
    title: "another logic than HORN",
    text: "\
`(set-logic HORN)` says that a file consists of Horn clauses; it may be left out. Other logics promise something else, and \
files for them are not read, even if they happen to consist of clauses. If yours does, change the logic.",
};

/// E0912
pub static TOO_LARGE: Explanation = Explanation {
    code: "E0912",
    title: "too large",
    text: "\
Numbers have at most 1000 digits, quantifiers inside constraints are nested at most 200 deep, and an assertion stands for at \
most 5000 clauses. (Disjunctions of relations in a body are one clause for each alternative, and their conjunctions \
multiply.) Files like this are usually generated: let the generator introduce a relation for a part of the formula.",
};

/// E0913
pub static NOT_FOR_CLAUSES: Explanation = Explanation {
    code: "E0913",
    title: "an option that does not apply to Horn clauses",
    text: "\
A file of Horn clauses has no types of any size and no named constants, and predicates are found, not given. So `--size`, \
`--const`, `--unbounded` and `--predicates` do not apply.",
};

/// E0914
pub static NO_INSTANCE: Explanation = Explanation {
    code: "E0914",
    title: "Horn clauses have no finite instances",
    text: "\
`explore` and `simulate` run a finite instance of a model. The variables of Horn clauses range over all integers, reals or \
bit-vectors, and no option makes them finite. Use `prove`, which reads them as they are.",
};

/// E0915
pub static ONLY_FOR_CLAUSES: Explanation = Explanation {
    code: "E0915",
    title: "a format for Horn clauses",
    text: "\
`--format chc` prints what the competition of solvers for Horn clauses asks for: `sat` with an interpretation of the \
relations, `unsat` with a derivation of `false`, or `unknown`. A model in another language has neither relations nor \
clauses; use `--format text` or `--format json`.",
};

/// E0916
pub static RESERVED: Explanation = Explanation {
    code: "E0916",
    title: "a name that has a meaning is declared",
    text: "\
The words of SMT-LIB (`let`, `forall`) and the operators of its theories (`and`, `select`, `bvadd`) mean what the standard says. A \
file that declares one of them means something else wherever it uses it, and solvers do not agree on what. Give the relation, \
macro or constant another name. Bound variables may have any name.",
};
