//! Predicates, index variables, axioms, hints and definitions.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &INDEX_ELSEWHERE,
    &BAD_HINT,
    &BAD_DEFINITION,
    &LOCAL_CONSTANT,
    &MISPLACED_ITEM,
    &UNUSED_INDEX,
    &REPEATED_PREDICATE,
    &HINT_WITHOUT_RULE,
];

/// E0701
pub static INDEX_ELSEWHERE: Explanation = Explanation {
    code: "E0701",
    title: "an index variable outside predicates and hints",
    text: "\
An index variable stands for any value of its type: an invariant made of predicates holds for all of them. It has no
value in a rule, a startstate or a property, and an axiom or a `define` must be closed. There, quantify or use a
parameter:

    index i : NODE;
    predicate owner[i] = i;                              -- fine
    invariant forall n : NODE do owner[n] = n end;       -- not `owner[i] = i`",
};

/// E0702
pub static BAD_HINT: Explanation = Explanation {
    code: "E0702",
    title: "a hint that says nothing",
    text: "\
`instantiate` names what is instantiated and with which terms:

    instantiate i with c, owner[c];                  -- candidates for the index variable `i`
    instantiate (i, j) with (c, d), (d, c);          -- whole substitutions: one term for each variable
    instantiate NODE with owner[i];                  -- candidates for every quantifier over the type `NODE`
    never instantiate i with owner[c];

Only index variables and one type may stand before `with`, each variable once, and each group of terms has as many
terms as there are variables.",
};

/// E0705
pub static MISPLACED_ITEM: Explanation = Explanation {
    code: "E0705",
    title: "something that has no place in a predicates file",
    text: "\
A file given with `--predicates` says what to observe of a model: `index`, `predicate`, `axiom`, `define`, `instantiate`,
`never instantiate`, and a `ruleset` around these. It does not change the model, so it has no types, variables, rules or
properties of its own.",
};

/// E0750
pub static UNUSED_INDEX: Explanation = Explanation {
    code: "E0750",
    title: "an index variable that no predicate mentions (a warning)",
    text: "\
The invariant quantifies over every index variable. One that no predicate mentions adds nothing but work.",
};

/// E0751
pub static REPEATED_PREDICATE: Explanation = Explanation {
    code: "E0751",
    title: "the same predicate twice (a warning)",
    text: "\
Two predicates with the same text are always equal. The second one doubles the work and cannot help.",
};

/// E0752
pub static HINT_WITHOUT_RULE: Explanation = Explanation {
    code: "E0752",
    title: "a hint about no rule (a warning)",
    text: "\
A ruleset that holds hints only is about every rule of the model that has parameters of the same names and types:

    ruleset c : CLIENT do instantiate i with c; end;

No rule has such parameters, so the hint is never used. Look at the names and types of the rulesets in the model.",
};

/// E0703
pub static BAD_DEFINITION: Explanation = Explanation {
    code: "E0703",
    title: "a definition that defines nothing",
    text: "\
`define` gives a name to a value that depends on its parameters and on constants alone:

    define acc(left : LINKS; right : LINKS; n : NODE) : boolean :=
      n = 0 | exists p : NODE do acc(left, right, p) & (left[p] = n | right[p] = n) end;

If it uses itself, it means the least set with this property. That exists only if it uses itself in positive positions:
not below `!`, not to the left of `->`, not in a comparison. It passes its array parameters on as they are, it is
boolean, and two definitions do not use each other. What it says about the state comes in through parameters; functions,
variables and index variables have no place in it.",
};

/// E0704
pub static LOCAL_CONSTANT: Explanation = Explanation {
    code: "E0704",
    title: "a local constant without a value",
    text: "\
At the top level of a `.tenet` file `const N : integer;` declares a constant that may be any integer but never changes.
A constant inside a rule or function is an abbreviation and needs a value, as in `const LAST : N - 1;`.",
};
