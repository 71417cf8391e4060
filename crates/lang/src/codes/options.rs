//! Options that do not fit the model: `--const` and `--size`.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] =
    &[&UNKNOWN_CONSTANT, &UNKNOWN_SIZED_TYPE, &SIZE_ZERO, &OPTION_DOES_NOT_FIT, &GIVEN_TWICE];

/// E0401
pub static UNKNOWN_CONSTANT: Explanation = Explanation {
    code: "E0401",
    title: "`--const` names a constant that the model does not have",
    text: "\
`--const NAME=VALUE` replaces the value of a constant that is declared at the top level of the model:

    const NODES : 3;

    tenet explore model.m --const NODES=4

Constants that are local to a rule or function cannot be set. The help line lists the ones that can.",
};

/// E0402
pub static UNKNOWN_SIZED_TYPE: Explanation = Explanation {
    code: "E0402",
    title: "`--size` names a type that cannot be sized",
    text: "\
`--size TYPE=N` fixes the number of values of a named scalarset or a named range that is declared at the top level:

    type NODE : scalarset(3);      -- `--size NODE=2` makes it scalarset(2)
    type SLOT : 1..8;              -- `--size SLOT=2` makes it 1..2

Other types have no size of their own: enumerations have the values that are written, an array is as large as its
index type, and `type B : A` is only another name for A. The help line lists the types that can be sized.",
};

/// E0403
pub static SIZE_ZERO: Explanation = Explanation {
    code: "E0403",
    title: "`--size` must be at least 1",
    text: "\
A type without values would make every rule over it vanish and every variable of it impossible to assign, so a size
of 0 is refused. The greatest size is 9223372036854775807, less what the lower end of a range takes away.",
};

/// E0404
pub static OPTION_DOES_NOT_FIT: Explanation = Explanation {
    code: "E0404",
    title: "an option does not fit the declaration it names",
    text: "\
`--const` sets integer constants only: a constant that is a boolean or an enumeration value has to be changed in the
model. `--size` on a range counts upwards from its lower end, so a range without a lower end cannot be sized.",
};

/// E0405
pub static GIVEN_TWICE: Explanation = Explanation {
    code: "E0405",
    title: "the same constant or type is set twice",
    text: "\
`--const` and `--size` may be repeated, but each constant and each type may be set only once: which of two values was
meant cannot be told.",
};
