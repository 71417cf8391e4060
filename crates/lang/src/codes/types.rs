//! Names and types.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &UNKNOWN_NAME,
    &UNKNOWN_TYPE,
    &UNKNOWN_FIELD,
    &DECLARED_TWICE,
    &USED_TOO_EARLY,
    &WRONG_KIND_OF_NAME,
    &TYPE_MISMATCH,
    &NOT_A_CONDITION,
    &NOT_A_NUMBER,
    &NOT_CONSTANT,
    &NUMBER_TOO_LARGE,
    &EMPTY_RANGE,
    &NO_SIZE,
    &OUTSIDE_RANGE,
    &DIVISION_BY_ZERO,
    &NOT_SIMPLE,
    &NO_PARTS,
    &NOT_ASSIGNABLE,
    &BAD_REFERENCE,
    &ARGUMENT_COUNT,
    &NO_RESULT,
    &BAD_RETURN,
    &SIDE_EFFECT,
    &BAD_UNION,
    &NOT_A_MEMBER,
    &BAD_MULTISET,
    &ZERO_STEP,
    &STATE_TOO_LARGE,
    &NESTED_TOO_DEEPLY,
    &LIVENESS,
    &NO_START,
    &INTEGER_TYPE,
    &NOTHING_TO_CHECK,
    &STARTS_UNDEFINED,
];

/// E0201
pub static UNKNOWN_NAME: Explanation = Explanation {
    code: "E0201",
    title: "unknown name",
    text: "\
A name is used that no declaration in sight introduces. Names of variables, constants, types and enumeration values
are case-sensitive; only keywords, `true`, `false` and `boolean` are not.

    var count : 0..3;
    rule Count < 3 ==> …       -- `Count` is not `count`

Parameters of rulesets, loop variables and locals are known only inside the rule, loop or function that introduces
them.",
};

/// E0202
pub static UNKNOWN_TYPE: Explanation = Explanation {
    code: "E0202",
    title: "unknown type",
    text: "\
A type is used that is not declared. Types are declared with `type NAME : …;` before they are used. `boolean` is
always there; `integer` is there in `.tenet` files.",
};

/// E0203
pub static UNKNOWN_FIELD: Explanation = Explanation {
    code: "E0203",
    title: "unknown field",
    text: "\
The record has no field of this name. The label shows where the record type is declared.

    type MSG : record kind : KIND; from : NODE; end;
    var m : MSG;
    … m.sender …               -- the field is called `from`",
};

/// E0204
pub static DECLARED_TWICE: Explanation = Explanation {
    code: "E0204",
    title: "a name is declared twice",
    text: "\
Constants, types, variables, functions and enumeration values share one set of names, and each may be declared once.
In particular two enumerations cannot share a value:

    type A : enum { Idle, Busy };
    type B : enum { Idle, Done };      -- `Idle` again

Inside a rule, function or loop a name from outside may be declared anew; it then hides the outer one. Parameters and
locals of one function are on the same level, and so are the fields of one record.",
};

/// E0205
pub static USED_TOO_EARLY: Explanation = Explanation {
    code: "E0205",
    title: "a constant or type is used before its declaration",
    text: "\
Constants and types must be declared before the declarations that use them, so that none can depend on itself.

    type T : 0..N;       -- too early
    const N : 3;

Move the declaration up. Variables and functions may be declared after the rules that use them.",
};

/// E0206
pub static WRONG_KIND_OF_NAME: Explanation = Explanation {
    code: "E0206",
    title: "the name stands for something else",
    text: "\
The name is declared, but as another kind of thing than this place needs: a type where a value is expected, a variable
where a type is expected, a variable that is called like a function, or a function without its parentheses.",
};

/// E0207
pub static TYPE_MISMATCH: Explanation = Explanation {
    code: "E0207",
    title: "types do not match",
    text: "\
Both sides of an assignment or comparison, an index and the array's index type, an argument and its parameter must
have matching types:

* ranges and integers match each other; whether the value fits is checked when the model runs;
* an enumeration or scalarset matches only itself, even if another has the same size;
* a union matches itself and each of its members;
* arrays, records and multisets match if they have the same shape, down to the bounds of their ranges.

A number is never a scalarset or enumeration value: write a variable, a parameter or the value's name instead.",
};

/// E0208
pub static NOT_A_CONDITION: Explanation = Explanation {
    code: "E0208",
    title: "a condition must be boolean",
    text: "\
Guards, conditions, invariants, and the operands of `!`, `&`, `|` and `->` are boolean. Numbers are not conditions:
write `x != 0` instead of `x`.",
};

/// E0209
pub static NOT_A_NUMBER: Explanation = Explanation {
    code: "E0209",
    title: "arithmetic or order on something that is not a number",
    text: "\
`+ - * / %` and `< <= > >=` work on numbers only. The values of a scalarset are interchangeable: they have no order,
and nothing can be added to them. This is what makes symmetry reduction and proofs for every size possible. The values
of an enumeration have no order either.

If the model does compute with its indices, declare the type as a range, such as `0..N-1`.",
};

/// E0210
pub static NOT_CONSTANT: Explanation = Explanation {
    code: "E0210",
    title: "a constant expression is needed",
    text: "\
Constants, bounds of ranges, sizes of scalarsets and multisets, and the bounds of a ruleset parameter must be known
before the model runs. They may use numbers, other constants and operators, but no variables and no functions.",
};

/// E0211
pub static NUMBER_TOO_LARGE: Explanation = Explanation {
    code: "E0211",
    title: "a number is too large",
    text: "\
Bounds and sizes must lie between -9223372036854775808 and 9223372036854775807 (64 bits), and constants may have at
most 4096 bits.",
};

/// E0212
pub static EMPTY_RANGE: Explanation = Explanation {
    code: "E0212",
    title: "a range without values",
    text: "\
The lower end of a range must not be above its upper end: no value could ever be assigned to a variable of such a
type. Where the ends are computed from constants, look at the values the message gives, after any `--const`.",
};

/// E0213
pub static NO_SIZE: Explanation = Explanation {
    code: "E0213",
    title: "a size must be at least 1",
    text: "\
A scalarset or enumeration needs at least one value, and a multiset needs room for at least one element.",
};

/// E0214
pub static OUTSIDE_RANGE: Explanation = Explanation {
    code: "E0214",
    title: "a number outside the range it is used for",
    text: "\
A number that is written in the model is assigned to a range, or used as an index over a range, that does not contain
it. The assignment would fail whenever it is reached.

    var x : 0..3;
    x := 4;

Only numbers written out are checked like this. Values that depend on constants or variables are checked when the
model runs.",
};

/// E0215
pub static DIVISION_BY_ZERO: Explanation = Explanation {
    code: "E0215",
    title: "division by zero",
    text: "The right side of `/` or `%` is zero whatever the state is.",
};

/// E0216
pub static NOT_SIMPLE: Explanation = Explanation {
    code: "E0216",
    title: "a simple type is needed",
    text: "\
Simple types are booleans, numbers, enumerations, scalarsets and unions of them. Only they can be an array's index,
be run over by `for`, `forall`, `exists` and `ruleset`, be the result of a function, be looked at by `switch`, or be
asked about with `isundefined`. Arrays, records and multisets are not simple: name the component that is meant.",
};

/// E0217
pub static NO_PARTS: Explanation = Explanation {
    code: "E0217",
    title: "not an array or record",
    text: "\
`e[i]` needs an array or a multiset, `e.f` needs a record, and both need a variable (or parameter or alias of one) to
start from: the result of a function has no parts that can be named.",
};

/// E0218
pub static NOT_ASSIGNABLE: Explanation = Explanation {
    code: "E0218",
    title: "this cannot be changed",
    text: "\
Only state variables, local variables, `var` parameters, and aliases and components of these can be assigned, cleared
or undefined. Constants, enumeration values, ruleset parameters, loop and quantified variables, aliases of computed
values, and parameters without `var` keep their value.

To compute with a parameter, copy it to a local variable first.",
};

/// E0219
pub static BAD_REFERENCE: Explanation = Explanation {
    code: "E0219",
    title: "not a fitting argument for a `var` parameter",
    text: "\
A `var` parameter stands for the variable that is passed, so the argument must be a variable (or a component of one)
that may be changed, of exactly the parameter's type. Ranges with different bounds are different types here, because
the function could otherwise store a value that the variable cannot hold.",
};

/// E0220
pub static ARGUMENT_COUNT: Explanation = Explanation {
    code: "E0220",
    title: "wrong number of arguments",
    text: "A call needs one argument for each parameter. The label shows the declaration.",
};

/// E0221
pub static NO_RESULT: Explanation = Explanation {
    code: "E0221",
    title: "a procedure has no value",
    text: "\
A procedure is called in an expression, but only functions return a value. Declare it as
`function name(…) : type;` or call it as a statement.",
};

/// E0222
pub static BAD_RETURN: Explanation = Explanation {
    code: "E0222",
    title: "`return` does not fit",
    text: "\
A function must return a value of its type and needs at least one `return`; a procedure or rule returns without a
value. A path through a function that ends without `return` is a fault when it is taken.",
};

/// E0223
pub static SIDE_EFFECT: Explanation = Explanation {
    code: "E0223",
    title: "a function with side effects in a guard or property",
    text: "\
Guards, invariants, and the aliases around rules only look at the state. The function that is called here may change a
state variable or one of its `var` parameters, itself or through a function it calls. Move the change into the body
of a rule, or split the function.",
};

/// E0224
pub static BAD_UNION: Explanation = Explanation {
    code: "E0224",
    title: "a type that cannot be in this union",
    text: "\
The members of a union are scalarsets, enumerations, at most one range with both ends, or other unions, each at most
once: a value must tell which member it belongs to.

    type NODE : scalarset(3);
    type WHO  : union { NODE, enum { Nobody } };",
};

/// E0225
pub static NOT_A_MEMBER: Explanation = Explanation {
    code: "E0225",
    title: "`ismember` needs a union and one of its members",
    text: "\
`ismember(e, T)` asks whether the value of `e`, which has a union type, belongs to the member T. For a value that is
not of a union type, or a type that is not in the union, the answer would never depend on the state.",
};

/// E0227
pub static BAD_MULTISET: Explanation = Explanation {
    code: "E0227",
    title: "not a multiset, or not an index into it",
    text: "\
`choose`, `multisetadd`, `multisetremove`, `multisetremovepred` and `multisetcount` work on variables of a multiset
type. The name that `choose i : m`, `multisetcount(i : m, …)` or `multisetremovepred(i : m, …)` introduces stands for
one element of that multiset; it can be used as `m[i]` and in `multisetremove(i, m)`, and for nothing else, because
the elements have no order and no numbers.",
};

/// E0228
pub static ZERO_STEP: Explanation = Explanation {
    code: "E0228",
    title: "a step of zero",
    text: "`for i := a to b by 0` would never end. Steps may be positive or negative.",
};

/// E0229
pub static STATE_TOO_LARGE: Explanation = Explanation {
    code: "E0229",
    title: "variables with too many components",
    text: "\
The state variables together, and the locals of one rule or function, may have at most 1,000,000 scalar components. An
array has as many as its index type has values times those of an element. Use smaller constants, `--const` or
`--size`.",
};

/// E0230
pub static NESTED_TOO_DEEPLY: Explanation = Explanation {
    code: "E0230",
    title: "nested too deeply",
    text: "\
Types may be nested 64 levels deep, counting through named types, and statements 1,000 levels deep, where each `elsif`
and each `case` counts as one level.",
};

/// E0231
pub static LIVENESS: Explanation = Explanation {
    code: "E0231",
    title: "liveness properties are not supported",
    text: "\
Tenet proves safety: that nothing bad is ever reached. `liveness` says that something good happens again and again,
which is another kind of property. Remove it, or state a safety property that implies what you need.",
};

/// E0232
pub static NO_START: Explanation = Explanation {
    code: "E0232",
    title: "no startstate",
    text: "\
A model needs at least one startstate; without it no state is reachable and every invariant would hold.

    startstate
      x := 0;
    end;",
};

/// E0233
pub static INTEGER_TYPE: Explanation = Explanation {
    code: "E0233",
    title: "`integer` is only in `.tenet` files",
    text: "\
The type `integer`, which has no bounds, belongs to Tenet's own language. A `.m` file is kept to what other Murphi tools
accept: use a range, or rename the file to `.tenet`.",
};

/// E0250
pub static NOTHING_TO_CHECK: Explanation = Explanation {
    code: "E0250",
    title: "nothing to check (a warning)",
    text: "\
The model has no rules, so only its start states are reachable, or it has no invariant, cover or assertion, so that
only deadlocks and faults such as values out of range can be found.",
};

/// E0251
pub static STARTS_UNDEFINED: Explanation = Explanation {
    code: "E0251",
    title: "variables that no startstate assigns (a warning)",
    text: "\
A variable that is not assigned in a startstate is undefined there, and reading it is a fault. This is fine for
variables that are always written before they are read. Otherwise assign them, or use `clear` for the least value and
`undefine` to say that it is meant: both count as assignments for this warning.",
};
