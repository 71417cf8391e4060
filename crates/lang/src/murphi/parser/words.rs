//! Keywords that start an item, and words of other languages that people write by habit.

/// Keywords that start an item of the model or the rules of a ruleset, for suggestions.
pub(super) const ITEM_WORDS: &[&str] = &[
    "const",
    "type",
    "var",
    "function",
    "procedure",
    "rule",
    "ruleset",
    "startstate",
    "invariant",
    "assert",
    "assume",
    "cover",
    "liveness",
    "alias",
    "choose",
    "end",
    "endruleset",
    "endalias",
];

/// Words and signs of other languages and their counterparts here.
const FOREIGN_WORDS: &[(&str, &str)] = &[
    ("and", "the operator for `and` is `&`"),
    ("or", "the operator for `or` is `|`"),
    ("not", "the operator for `not` is `!`"),
    ("implies", "the operator for `implies` is `->`"),
    ("mod", "the operator for `mod` is `%`"),
    ("div", "the operator for `div` is `/`"),
    ("=>", "an implication is written `->`, and a guard is followed by `==>`"),
    ("<>", "the operator for `not equal` is `!=`"),
    ("/=", "the operator for `not equal` is `!=`"),
    ("//", "a comment is written `-- to the end of the line` or `/* like this */`"),
    ("++", "write `x := x + 1`"),
];

/// Help for a word of another language.
pub(in super::super) fn foreign(word: &str) -> Option<&'static str> {
    FOREIGN_WORDS.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(word)).map(|(_, help)| *help)
}
