//! What has no unbounded reading: the model works in `explore`, but `prove` cannot read it for every size.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &MULTISET,
    &NO_LEAST_VALUE,
    &DEPENDENT_ITERATIONS,
    &LAST_ITERATION,
    &WHILE,
    &UNKNOWN_NAME,
    &NOT_AN_INDEX,
    &UNION_WITH_RANGE,
    &STEP,
    &TOO_LARGE,
    &UNDEFINED_IN_PROPERTY,
    &SIDE_EFFECT,
    &NOT_SYMBOLIC,
    &LAST_WINS,
    &OUTSIDE_TYPE,
];

/// Is it about something in the model that its instances have, rather than about an option or a definition without a value?
pub fn is_construct(explanation: &Explanation) -> bool {
    let is_other =
        [&UNKNOWN_NAME, &NOT_SYMBOLIC, &OUTSIDE_TYPE].iter().any(|known| known.code == explanation.code);
    !is_other && ALL.iter().any(|known| known.code == explanation.code)
}

/// E0301
pub static MULTISET: Explanation = Explanation {
    code: "E0301",
    title: "a number of elements in a property that has no unbounded reading",
    text: "\
In a proof a multiset has any number of places, some of which hold an element. How many do can be said in logic only of small numbers:
that there are at least three elements is that there are three different places with one. So in a property
`multisetcount(i : m, condition)` has to be compared with a number from 0 to 4:

    invariant multisetcount(i : net, net[i].kind = Grant) <= 1;

In rules it may stand anywhere; beyond comparisons with small numbers, it is then some number that fits to whether there is no element, one,
or more, and a run to a violation has to be found in an instance.",
};

/// E0303
pub static NO_LEAST_VALUE: Explanation = Explanation {
    code: "E0303",
    title: "there is no least value to clear to",
    text: "\
`clear` gives every scalar the least value of its type, and of a scalarset one and the same element everywhere. `integer` has no least
value. Assign a value instead, or use `undefine`, which stands for any value.",
};

/// E0304
pub static DEPENDENT_ITERATIONS: Explanation = Explanation {
    code: "E0304",
    title: "the iterations of an unbounded loop are not independent",
    text: "\
A loop over an unbounded type becomes one simultaneous update. That is possible if no iteration sees what another one
does:

    for i : NODE do InvSet[i] := ShrSet[i]; end;                  -- each iteration has its own place
    for i : NODE do if Wants[i] then busy := true; end; end;      -- all that write, write the same

The message shows two accesses that clash: what one of them writes, the other one, in another iteration, reads or
writes differently. Then the result depends on the order of the iterations, or on how many there are, as in a counter:

    for i : NODE do if Wants[i] then n := n + 1; end; end;        -- refused

Say what is meant without counting (`exists i : NODE do Wants[i] end`), or make each iteration a step of its own: a
rule with a parameter instead of a loop. `tenet explore` runs such loops as they are.",
};

/// E0305
pub static LAST_ITERATION: Explanation = Explanation {
    code: "E0305",
    title: "a value is left over from the last iteration of an unbounded loop",
    text: "\
The variable got a value in each iteration of a loop over an unbounded type, and is read after the loop. What it holds
there depends on which iteration came last, and an unbounded type has no last value. Assign it again before it is
read.",
};

/// E0306
pub static WHILE: Explanation = Explanation {
    code: "E0306",
    title: "`while` has no unbounded reading",
    text: "\
A step of the transition system is one simultaneous update, so the rounds of a `while` are executed one by one. Eight rounds may or may not
happen, depending on the state; that there are no more is a demand like others, and proved or refuted. Beside these, a thousand rounds may
happen in any case. This loop goes on for longer. Use `for` over a type, or spread the loop over several rules.",
};

/// E0308
pub static UNKNOWN_NAME: Explanation = Explanation {
    code: "E0308",
    title: "`--unbounded` names nothing that can be unbounded",
    text: "\
`--unbounded NAME` takes a named range type, which is then read as a set of indices of any size, or a constant, which
is then read as any integer. Scalarsets are unbounded without being asked for. The help line lists the names that can
be given. A type that has a size from `--size` cannot be unbounded as well.",
};

/// E0309
pub static NOT_AN_INDEX: Explanation = Explanation {
    code: "E0309",
    title: "this use forbids reading a range as a set of indices",
    text: "\
`--unbounded T` reads the range T as a set of any size about whose elements nothing is known but which are equal, and how
they compare if the model asks for it. That keeps the meaning of the model only if the values of T are merely compared
with each other, by `=` or by `<` and its relatives, assigned, passed, used as indices of arrays over T, and run over as a
type. Numbers written beside them become distinguished elements. `tenet prove` reads a range so by itself if its bounds
mention a constant and no use forbids it.

Arithmetic, `<` between a value of T and a number, mixing with other ranges, and loops with bounds need the numbers
themselves. If the model needs them, make the constant in the range's bound symbolic instead:

    type PROC : 1..PROC_NUM;       -- `--unbounded PROC_NUM` rather than `--unbounded PROC`",
};

/// E0310
pub static UNION_WITH_RANGE: Explanation = Explanation {
    code: "E0310",
    title: "a union with a range member has no unbounded reading",
    text: "\
The members of a union are enumerations and sets of indices. A range has numbers for values, which may occur in several
members at once. Declare the member as a scalarset, or read the range as a set of indices with `--unbounded T`.",
};

/// E0311
pub static STEP: Explanation = Explanation {
    code: "E0311",
    title: "the step of this loop is not a constant",
    text: "\
A loop `for i := a to b by s` whose bounds are not constants is read as \"every number of this form\", which needs a
constant step that is not zero. Write the step as a number.",
};

/// E0312
pub static TOO_LARGE: Explanation = Explanation {
    code: "E0312",
    title: "the model is too large to be read",
    text: "\
Loops over finite types are unrolled, functions are replaced by their bodies, and records become one symbol for each
scalar in them. Together that made more than can be handled. Make the constants smaller with `--const` and `--size`,
or make large ranges unbounded with `--unbounded`: a loop over an unbounded type is not unrolled.",
};

/// E0313
pub static UNDEFINED_IN_PROPERTY: Explanation = Explanation {
    code: "E0313",
    title: "a property reads an undefined value",
    text: "\
The property calls a function that reads a local variable before it has a value. In a rule an undefined value stands for
any value, chosen when the rule is taken; a property is not taken, so there is nobody to choose. Give the variable a
value on every path.",
};

/// E0315
pub static SIDE_EFFECT: Explanation = Explanation {
    code: "E0315",
    title: "a side effect inside a quantified formula",
    text: "\
The function called in the body of `forall` or `exists` changes a variable. How often that happens depends on how the
formula is evaluated. Call the function in a statement.",
};

/// E0316
pub static NOT_SYMBOLIC: Explanation = Explanation {
    code: "E0316",
    title: "a constant cannot be symbolic here",
    text: "\
`--unbounded C` makes the constant any integer. Bounds of ranges may then be sums, differences, products and quotients of
numbers and constants; anything else cannot be turned into a bound.",
};

/// E0317
pub static LAST_WINS: Explanation = Explanation {
    code: "E0317",
    title: "any iteration of an unbounded loop may be the last",
    text: "\
Several iterations of a loop over an unbounded type may write different values to the same variable:

    for p : NODE do if Waits[p] then next := p; end; end;

After the loop it holds what the last of them wrote. The values of an unbounded type have no order, so any of them is
taken to be the last: every run of every instance is still there, and a proof covers them all, but there may be runs
that no instance has, and a property may fail because of them. Where the type is a range of numbers with a symbolic
bound there is an order, and the last one is the last one.",
};

/// E0318
pub static OUTSIDE_TYPE: Explanation = Explanation {
    code: "E0318",
    title: "a recursive definition is used where it may have no value",
    text: "\
A parameter of a recursive definition is a value of its type, and nothing is said of other values:

    type T : 0..3;
    define even(n : T) : boolean := n = 0 | even(n - 2);

Here `n - 2` may be -1, for which there is no `even`. A proof for every size cannot leave that open. Quantify over the
values that there are, `exists m : T do m = n - 2 & even(m) end`, or let the parameter be an `integer`.",
};
