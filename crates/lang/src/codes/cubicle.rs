//! What can be wrong with a Cubicle file: its syntax, its names and types, and instances that it does not have.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &UNEXPECTED,
    &MISSPELT,
    &UNCLOSED_COMMENT,
    &UNKNOWN_CHARACTER,
    &BAD_NUMBER,
    &LETTER_CASE,
    &TOO_DEEP,
    &TOO_MANY,
    &UNKNOWN_NAME,
    &UNKNOWN_TYPE,
    &DECLARED_TWICE,
    &WRONG_KIND,
    &MISMATCH,
    &WRONG_COUNT,
    &NOT_A_FORMULA,
    &NO_ORDER,
    &NOT_INDEXABLE,
    &ASSIGNED_TWICE,
    &NOT_A_FRESH_VARIABLE,
    &NO_INIT,
    &NOT_ASSIGNABLE,
    &NO_SUCH_PROCESS,
    &NOT_LINEAR,
    &EXPANSION,
    &PROCESS_COUNT,
    &NO_OTHER_FILES,
    &NOT_APART,
    &NOT_A_PROCESS_VARIABLE,
    &NO_SIZE,
    &NO_VALUE,
    &INFINITE,
    &NO_INSTANCE,
    &NOTHING_UNSAFE,
    &NO_DEFAULT,
    &BRANCH_BEHIND_DEFAULT,
];

/// E0801
pub static UNEXPECTED: Explanation = Explanation {
    code: "E0801",
    title: "something else is expected here",
    text: "\
The text up to here could be the beginning of a Cubicle file, but what stands here cannot go on with it. The message says \
what could. In short, a file consists of

    type t = A | B                       var X : t        array T[proc] : t        const C : int
    init (z) { formula }                 unsafe (z1 z2) { formula }
    transition name (x y) requires { formula } { X := term; T[x] := term; T[j] := case | formula : term | _ : term }

where formulas are built from comparisons (`=`, `<>`, `<`, `<=`, `>`, `>=`) with `&&`, `||`, `not`, `=>`, `<=>` and \
`forall_other j. formula`.",
};

/// E0802
pub static MISSPELT: Explanation = Explanation {
    code: "E0802",
    title: "an unknown word where an item starts",
    text: "\
Items start with one of `number_procs`, `type`, `var`, `array`, `const`, `predicate`, `init`, `invariant`, `unsafe` and \
`transition`, all in small letters. The word found here is none of them, but close to one, and the rest of the item was \
read as if it were that one, so that other errors are found in the same run.",
};

/// E0803
pub static UNCLOSED_COMMENT: Explanation = Explanation {
    code: "E0803",
    title: "a comment is never closed",
    text: "\
A comment starts with `(*` and ends with `*)`. Comments nest: inside a comment each `(*` needs a `*)` of its own. Here one \
is missing, so everything up to the end of the file is part of the comment.",
};

/// E0804
pub static UNKNOWN_CHARACTER: Explanation = Explanation {
    code: "E0804",
    title: "a character that means nothing",
    text: "\
This character is not part of any word or symbol of Cubicle's language. Names consist of the letters a to z and A to Z, \
digits and `_`, and start with a letter. Inside comments every character is allowed. Some signs of other languages: `!` is \
`not`, `!=` is `<>`, `&` is `&&`, `==` is `=`.",
};

/// E0805
pub static BAD_NUMBER: Explanation = Explanation {
    code: "E0805",
    title: "a malformed number",
    text: "\
An integer consists of decimal digits, as in `42`; a real number has a point behind at least one digit, as in `0.5`. \
Letters cannot follow a number directly, names cannot start with a digit, and a number has at most 1000 digits. Processes \
of a system with `number_procs` are written `#1`, `#2` and so on.",
};

/// E0806
pub static LETTER_CASE: Explanation = Explanation {
    code: "E0806",
    title: "a name starts with the wrong kind of letter",
    text: "\
Cubicle tells two kinds of names apart by their first letter. Variables, arrays, constants and the values of enumerations \
start with a capital letter; types, predicates and process variables start with a small one. Transitions may do either.

    type state = Idle | Busy
    array State[proc] : state
    unsafe (x y) { State[x] = Busy && State[y] = Busy }",
};

/// E0807
pub static TOO_DEEP: Explanation = Explanation {
    code: "E0807",
    title: "nested too deeply",
    text: "\
Parentheses, negations, implications, quantifiers and the like may be nested 256 levels deep in all; chains of `&&`, `||`, \
`+` and `*` may have any length. The rest of the file was not read. Files like this are usually generated. Let the \
generator name parts of formulas with `predicate`.",
};

/// E0808
pub static TOO_MANY: Explanation = Explanation {
    code: "E0808",
    title: "too many errors",
    text: "\
After 20 syntax errors the rest of the file is not read. Mend the first ones and run the command again: later ones are \
often consequences. If the very first line is wrong already, check that the file is written for Cubicle at all.",
};

/// E0810
pub static UNKNOWN_NAME: Explanation = Explanation {
    code: "E0810",
    title: "a name that is not declared",
    text: "\
Every variable, array, constant and value has to be declared with `var`, `array`, `const` or in a `type`; a process \
variable has to be among the parameters of its transition, in the parentheses of `init`, `invariant` or `unsafe`, or bound \
by a quantifier. In `A[j] := case …` the index `j` is a new variable that stands for every process, but in `A[j] := t` \
without `case` it has to be known already.",
};

/// E0811
pub static UNKNOWN_TYPE: Explanation = Explanation {
    code: "E0811",
    title: "a type that is not declared",
    text: "\
The types that exist without a declaration are `proc`, `bool`, `int` and `real`. An enumeration is declared with \
`type t = A | B`; `type t` alone declares a type of which nothing is known but equality, for data that is only moved \
around.",
};

/// E0812
pub static DECLARED_TWICE: Explanation = Explanation {
    code: "E0812",
    title: "a name is declared twice",
    text: "\
A name has one meaning in the whole file. The values of all enumerations, the variables, arrays and constants share one \
space of names, the types another one, and the parameters of a transition, a cube or a predicate have to differ from each \
other. `True` and `False` are the values of `bool`.",
};

/// E0813
pub static WRONG_KIND: Explanation = Explanation {
    code: "E0813",
    title: "a name is used as something it is not",
    text: "\
An array has to be indexed wherever it is used, as in `A[x]`; a variable cannot be indexed; and a predicate is used with its \
arguments in parentheses, as in `p(x, y)`.",
};

/// E0814
pub static MISMATCH: Explanation = Explanation {
    code: "E0814",
    title: "two types that do not go together",
    text: "\
The two sides of a comparison, the two sides of an update, and both branches of an `if` have the same type. A whole \
number that is written as such is accepted as a real one, `X + 1`, but a variable of type `int` is not. Indices are of type `proc`.",
};

/// E0815
pub static WRONG_COUNT: Explanation = Explanation {
    code: "E0815",
    title: "a wrong number of indices or arguments",
    text: "\
An array takes as many indices as its declaration has types in brackets (`array M[proc, proc] : t` takes two), and a \
predicate as many arguments as it has parameters.",
};

/// E0816
pub static NOT_A_FORMULA: Explanation = Explanation {
    code: "E0816",
    title: "a value where a formula is needed",
    text: "\
What stands in braces behind `init`, `invariant`, `unsafe` and `requires`, what a `case` tests, and the operands of `&&`, \
`||`, `not` and the like are formulas: comparisons, or variables and array elements of type `bool`.",
};

/// E0817
pub static NO_ORDER: Explanation = Explanation {
    code: "E0817",
    title: "a comparison of values that have no order",
    text: "\
Integers, real numbers and processes can be compared with `<`, `<=`, `>` and `>=`. Values of enumerations, truth values and \
values of a type without constructors can only be equal or different.",
};

/// E0818
pub static NOT_INDEXABLE: Explanation = Explanation {
    code: "E0818",
    title: "an array that is not indexed by processes",
    text: "\
Cubicle's arrays have one entry for each process, or one for each pair (triple, …) of processes: every type in the brackets \
of a declaration is `proc`.",
};

/// E0819
pub static ASSIGNED_TWICE: Explanation = Explanation {
    code: "E0819",
    title: "a transition changes the same variable or array twice",
    text: "\
The updates of a transition happen at the same time, so no variable and no array can be on the left-hand side of two of \
them. Several entries of an array are changed by one update with `case`:

    A[j] := case
      | j = x : Busy
      | j = y : Idle
      | _ : A[j]",
};

/// E0820
pub static NOT_A_FRESH_VARIABLE: Explanation = Explanation {
    code: "E0820",
    title: "the index of an update with `case` is not a new variable",
    text: "\
In `A[j] := case …` the name `j` stands for every process in turn, so it must not be a parameter of the transition, and two \
indices must have different names. To change one entry under a condition, compare inside the `case`:

    A[j] := case
      | j = x && Flag = True : Busy
      | _ : A[j]",
};

/// E0821
pub static NO_INIT: Explanation = Explanation {
    code: "E0821",
    title: "there has to be one `init`",
    text: "\
A file has exactly one `init (z) { formula }`, which describes the states that a system may start in. The formula holds for \
every process `z`, and for every pair of processes if there are two variables, which may be the same process. What it does \
not speak of is arbitrary. Alternatives are separated by `||`.",
};

/// E0822
pub static NOT_ASSIGNABLE: Explanation = Explanation {
    code: "E0822",
    title: "something that cannot be changed",
    text: "\
Transitions change variables (`var`) and entries of arrays (`array`). A constant (`const`) keeps the value that it has at \
the start, whatever that is, and the values of an enumeration are no variables.",
};

/// E0823
pub static NO_SUCH_PROCESS: Explanation = Explanation {
    code: "E0823",
    title: "a process that does not exist",
    text: "\
`#1`, `#2` and so on name the processes of a system whose number of processes is fixed, by `number_procs n` in the file or \
by `--size proc=n`. Without a fixed number, and beyond it, they name nothing.",
};

/// E0824
pub static NOT_LINEAR: Explanation = Explanation {
    code: "E0824",
    title: "a product of two variables",
    text: "\
In a product at most one factor may depend on the state: `3 * X`, `Step * 2` and `Step * X` with a constant `Step` are \
accepted, `X * Y` with two variables is not.",
};

/// E0825
pub static EXPANSION: Explanation = Explanation {
    code: "E0825",
    title: "predicates cannot be expanded",
    text: "\
The use of a predicate stands for its formula. A predicate that uses itself, directly or through another one, stands for \
nothing; and predicates that use each other several times can make formulas that are too large. At most 10 000 uses are \
expanded.",
};

/// E0826
pub static PROCESS_COUNT: Explanation = Explanation {
    code: "E0826",
    title: "the number of processes cannot be used",
    text: "\
`number_procs n` says that there are exactly n processes. It stands in a file at most once, and n is at least 1 and at \
most 1000. A file with `number_procs` cannot be given another size with `--size proc=n`.",
};

/// E0827
pub static NO_OTHER_FILES: Explanation = Explanation {
    code: "E0827",
    title: "an option that is only for Murphi and `.tenet` files",
    text: "\
The predicates of a `--predicates` file are written in the language of `.tenet` files and can only speak of a model in that \
language or in Murphi. `--unbounded` says which ranges and constants of such a model stand for any size; in a Cubicle file \
everything does already: the number of processes, the types without constructors, and the constants.",
};

/// E0828
pub static NOT_APART: Explanation = Explanation {
    code: "E0828",
    title: "a process that differs from every process",
    text: "\
`init (p) { Home <> p && … }` says that `Home` is none of the processes that take part: it is read as one process apart, and \
all process variables of the file stand for the others. This works for one variable, which no transition changes, in a file \
without `number_procs`. Otherwise the formula is false for every state: a process always equals itself, and there would \
be no way to start. The same goes for `init (x y) { x <> y && … }`, whose variables may be the same process; write \
`init { forall x <> y. … }` for what holds of different ones.",
};

/// E0829
pub static NOT_A_PROCESS_VARIABLE: Explanation = Explanation {
    code: "E0829",
    title: "an index that is not a process variable",
    text: "\
Arrays are indexed by process variables, or by `#1` and so on in a file with `number_procs`: `A[x]` with `x` from the \
parentheses of a transition or cube, or from a quantifier. A variable that holds a process is compared with one first: \
instead of `A[Owner] = Busy` write `Owner = x && A[x] = Busy` with one more process variable `x`.",
};

/// E0840
pub static NO_SIZE: Explanation = Explanation {
    code: "E0840",
    title: "a finite instance needs sizes",
    text: "\
`explore` and `simulate` need the number of processes, `--size proc=3`, and the number of values of each type that is \
declared without constructors, `--size data=2`. `tenet prove` needs neither.",
};

/// E0841
pub static NO_VALUE: Explanation = Explanation {
    code: "E0841",
    title: "a finite instance needs the values of constants",
    text: "\
A constant of type `int` or `real` may have any value. `explore` and `simulate` need one: `--const Tick=1`. Values of \
constants are integers, also for constants of type `real`. `tenet prove` needs no values.",
};

/// E0842
pub static INFINITE: Explanation = Explanation {
    code: "E0842",
    title: "something starts with, or gets, any number",
    text: "\
A variable of type `int` or `real` that `init` does not give a value, and an update `X := .` of such a variable, can have \
infinitely many outcomes, which `explore` and `simulate` would have to try one by one. Give the variable a value in `init`, \
or use `tenet prove`.",
};

/// E0843
pub static NO_INSTANCE: Explanation = Explanation {
    code: "E0843",
    title: "the model has no finite instance",
    text: "\
`explore` and `simulate` compute with whole numbers of 64 bits. Real numbers are accepted as long as every number in the \
file is a whole one, so that no fraction can arise. A state has at most a million scalars. The message says what is in the \
way. `tenet prove` has none of these limits.",
};

/// E0850
pub static NOTHING_UNSAFE: Explanation = Explanation {
    code: "E0850",
    title: "there is nothing to check",
    text: "\
The file has no `unsafe` cube, so no state is wrong and every answer is trivially `safe`. Say with \
`unsafe (z1 z2) { formula }` what must not happen; different variables stand for different processes.",
};

/// E0851
pub static NO_DEFAULT: Explanation = Explanation {
    code: "E0851",
    title: "a `case` without `_`",
    text: "\
If none of the formulas of this `case` holds, Cubicle's backward search knows nothing of the new value. So it is read as any \
value of its type. Write `| _ : A[j]` as the last branch if the old value is meant.",
};

/// E0852
pub static BRANCH_BEHIND_DEFAULT: Explanation = Explanation {
    code: "E0852",
    title: "a branch that is never taken",
    text: "\
The branches of a `case` are tried in order, and `_` fits everything, so what stands behind it is never looked at. Move `_` \
to the end.",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_explained() {
        assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
        for explanation in ALL {
            assert!(
                explanation.text.len() > 100 && !explanation.title.ends_with('.'),
                "{}",
                explanation.code
            );
            assert!(explanation.text.lines().all(|line| !line.ends_with(' ')), "{}", explanation.code);
        }
    }
}
