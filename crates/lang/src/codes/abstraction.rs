//! Predicates, index variables, axioms, hints and definitions.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] =
    &[&INDEX_ELSEWHERE, &BAD_HINT, &UNUSED_INDEX, &REPEATED_PREDICATE, &HINT_WITHOUT_RULE];

/// E0601
pub static INDEX_ELSEWHERE: Explanation = Explanation {
    code: "E0601",
    title: "an index variable outside predicates and hints",
    text: "\
An index variable stands for any value of its type: an invariant made of predicates holds for all of them. It has no
value in a rule, a startstate or a property, and an axiom or a `define` must be closed. There, quantify or use a
parameter:

    index i : NODE;
    predicate owner[i] = i;                              -- fine
    invariant forall n : NODE do owner[n] = n end;       -- not `owner[i] = i`",
};

/// E0602
pub static BAD_HINT: Explanation = Explanation {
    code: "E0602",
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

/// E0650
pub static UNUSED_INDEX: Explanation = Explanation {
    code: "E0650",
    title: "an index variable that no predicate mentions (a warning)",
    text: "\
The invariant quantifies over every index variable. One that no predicate mentions adds nothing but work.",
};

/// E0651
pub static REPEATED_PREDICATE: Explanation = Explanation {
    code: "E0651",
    title: "the same predicate twice (a warning)",
    text: "\
Two predicates with the same text are always equal. The second one doubles the work and cannot help.",
};

/// E0652
pub static HINT_WITHOUT_RULE: Explanation = Explanation {
    code: "E0652",
    title: "a hint about no rule (a warning)",
    text: "\
A ruleset that holds hints only is about every rule of the model that has parameters of the same names and types:

    ruleset c : CLIENT do instantiate i with c; end;

No rule has such parameters, so the hint is never used. Look at the names and types of the rulesets in the model.",
};
