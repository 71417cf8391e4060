//! Models that have no finite instance, and what an instance loses.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &UNBOUNDED_ARRAY,
    &SCALARSET_WITHOUT_SIZE,
    &STATE_TOO_LARGE,
    &UNBOUNDED_RANGE,
    &PARAMETER_NOT_CONSTANT,
    &NUMBER_TOO_LARGE,
    &CODE_TOO_LARGE,
    &NO_LEAST_VALUE,
    &STEP_ZERO,
    &ORDER_DEPENDENT,
    &NO_VALUE,
];

/// An array with infinitely many elements.
pub const UNBOUNDED_ARRAY: Explanation = Explanation {
    code: "E0501",
    title: "an array over an unbounded type has no finite instance",
    text: "`explore` and `simulate` store every element of every array, so an array indexed by `integer` or by an \
           open range such as `1..` cannot be laid out. Give the range both ends, or use `tenet prove`, which reads \
           such arrays as functions.",
};

/// A scalarset whose size is not known.
pub const SCALARSET_WITHOUT_SIZE: Explanation = Explanation {
    code: "E0502",
    title: "a scalarset has no size",
    text: "A finite instance needs a number of elements for every scalarset that the model uses. Write \
           `scalarset(3)` in the model, or give the size on the command line with `--size NODE=3`. `tenet prove` \
           needs no size.",
};

/// More slots than an instance may have.
pub const STATE_TOO_LARGE: Explanation = Explanation {
    code: "E0503",
    title: "a state of this instance is too large",
    text: "A state is stored with one slot per scalar, and an instance may have about a million of them. Take \
           smaller sizes with `--size` or smaller constants with `--const`.",
};

/// A loop or parameter over infinitely many values.
pub const UNBOUNDED_RANGE: Explanation = Explanation {
    code: "E0504",
    title: "a variable runs over infinitely many values",
    text: "A ruleset parameter, `for`, `forall` or `exists` over `integer` or over an open range such as `1..` \
           cannot be enumerated by `explore` or `simulate`. Use a range with two ends, or `tenet prove`.",
};

/// A ruleset parameter with bounds that depend on the state.
pub const PARAMETER_NOT_CONSTANT: Explanation = Explanation {
    code: "E0505",
    title: "the bounds of a ruleset parameter are not constant",
    text: "The instances of a rule are fixed before the search starts, so the bounds of a ruleset parameter may \
           mention constants only. Let the parameter run over a larger constant range and put the condition into \
           the rule's guard.",
};

/// A constant outside 64 bits.
pub const NUMBER_TOO_LARGE: Explanation = Explanation {
    code: "E0506",
    title: "a number does not fit into 64 bits",
    text: "A finite instance computes with 64-bit numbers and stops with a fault where a result leaves them. A \
           literal or constant outside that range could never be used. `tenet prove` computes with numbers of any \
           size.",
};

/// Inlining went out of hand.
pub const CODE_TOO_LARGE: Explanation = Explanation {
    code: "E0507",
    title: "the model is too large after its functions are expanded",
    text: "Every call is replaced by the function's body, and recursion is followed to a fixed depth. A function \
           that calls itself several times grows exponentially that way. Write the recursion as a `while` loop, or \
           let it call itself once.",
};

/// `clear` of something without a least value.
pub const NO_LEAST_VALUE: Explanation = Explanation {
    code: "E0508",
    title: "`clear` of a type without a least value",
    text: "`clear` stores the least value of the type, and `integer` and ranges that are open below have none. \
           Assign a value instead.",
};

/// A step of zero.
pub const STEP_ZERO: Explanation = Explanation {
    code: "E0509",
    title: "the step of a loop is zero",
    text: "`for i := a to b by 0` never ends. The step must be a number other than zero; a negative one counts down.",
};

/// A loop that prevents symmetry reduction.
pub const ORDER_DEPENDENT: Explanation = Explanation {
    code: "E0510",
    title: "the model may tell the elements of a scalarset apart",
    text: "Symmetry reduction treats states that differ only by a renaming of scalarset elements as one. That is \
           right only if no rule depends on the order of the elements. A `for` over a scalarset whose iterations \
           influence each other, or `clear` of a scalarset variable in a rule, may depend on it: which element \
           comes first then matters. Other Murphi tools reduce regardless and may miss states. Here the scalarset \
           is simply not reduced; the result is exact, the search larger. To get the reduction back, make the \
           iterations independent: write only elements indexed by the loop variable, the same value in every \
           iteration, or a sum.",
};

/// A constant without a value.
pub const NO_VALUE: Explanation = Explanation {
    code: "E0511",
    title: "a constant has no value",
    text: "`const N : integer;` declares a constant that may be any integer. `explore` and `simulate` need its value: \
           give it with `--const N=3`. Other constants without a value, such as `const home : NODE;` or \
           `const f : array [NODE] of boolean;`, are chosen together with the start state, each in every possible \
           way; that works only as long as there are not too many ways. `tenet prove` needs no values.",
};
