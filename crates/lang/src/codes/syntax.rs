//! Syntax errors.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &UNEXPECTED,
    &MISSPELT_KEYWORD,
    &MISSING_SEMICOLON,
    &WRONG_END,
    &NEVER_CLOSED,
    &STRAY_END,
    &UNCLOSED_COMMENT,
    &UNCLOSED_STRING,
    &UNKNOWN_CHARACTER,
    &BAD_NUMBER,
    &CHAINED_COMPARISON,
    &ASSIGN_OR_EQUAL,
    &NOT_A_TYPE,
    &NOT_A_PLACE,
    &MISPLACED_DECLARATION,
    &TENET_ONLY,
    &NOT_SUPPORTED,
    &TOO_DEEP,
    &TOO_LARGE,
    &NOT_TEXT,
    &TOO_MANY,
    &PRIORITY,
];

/// The general syntax error.
pub static UNEXPECTED: Explanation = Explanation {
    code: "E0101",
    title: "something else was expected here",
    text: "\
The file stops making sense at the marked place: the grammar of the language allows certain words or symbols there, \
and what stands there is none of them. The message names what was expected and what was found.

Often the cause is a little before the mark: a missing `;`, `)`, `do`, `then` or `==>`, or a name where a type should \
be. This rule lacks its arrow:

    rule \"request\" chan = Empty begin chan := Req; end;

and is meant to be:

    rule \"request\" chan = Empty ==> begin chan := Req; end;

The words `and`, `or`, `not` and `mod` are ordinary names in this language; the operators are `&`, `|`, `!` and `%`.",
};

/// A name that looks like a keyword.
pub static MISSPELT_KEYWORD: Explanation = Explanation {
    code: "E0102",
    title: "a keyword is misspelt",
    text: "\
A keyword was expected here, and the name found differs from one by a letter or two, as in

    ruel \"request\" chan = Empty ==> begin chan := Req; end;

The rest of the file is read as if the keyword had been spelt correctly, so that other errors are found in the same \
run. Keywords may be written in any mixture of upper and lower case; `else if` in one word is `elsif`.",
};

/// Two statements without `;`.
pub static MISSING_SEMICOLON: Explanation = Explanation {
    code: "E0103",
    title: "a `;` is missing between two statements",
    text: "\
Statements are separated by `;`, also after the `end` of an `if`, `for`, `while`, `switch` or `alias`:

    if busy then count := 0; end;   -- this `;` is needed
    busy := false

Only the last statement before `end`, `else`, `elsif` or `case` can do without. Several `;` in a row do no harm.",
};

/// `endif` closes a `rule`.
pub static WRONG_END: Explanation = Explanation {
    code: "E0104",
    title: "a block is closed by the `end` of another kind of block",
    text: "\
Every block may be closed by a plain `end`, or by the `end` of its own kind: `endif` for `if`, `endrule` for `rule`, \
and so on. Here the `end` names a kind of block that is not open:

    rule \"reset\" done ==> begin
      done := false;
    endif;                          -- should be `endrule` or `end`

Either the word is wrong, or the line that opened the block was lost.",
};

/// No `end` at all.
pub static NEVER_CLOSED: Explanation = Explanation {
    code: "E0105",
    title: "a block is never closed",
    text: "\
The block that starts at the marked place has no `end` of its own: before one was found, the file ended, another rule \
began, or an `end` came that belongs to a block further out.

    rule \"reset\" done ==> begin
      if full then
        full := false;
    endrule;                        -- closes the rule; the `if` is still open

`if`, `for`, `while`, `switch`, `alias`, `forall`, `exists`, `record`, `rule`, `ruleset`, `startstate`, `choose`, \
`function` and `procedure` all need one. A cascade written with `else if` needs one `end` for each `if`; written \
with `elsif` it needs only one in all.",
};

/// An `end` too many.
pub static STRAY_END: Explanation = Explanation {
    code: "E0106",
    title: "an `end` closes nothing",
    text: "\
There is an `end` here, but no block is open any more. Either it is one too many, or an earlier `end` closed more than \
was meant: check the blocks of the item before this place. A property such as `invariant \"name\" formula;` is not a \
block and has no `end`.",
};

/// `/*` without `*/`.
pub static UNCLOSED_COMMENT: Explanation = Explanation {
    code: "E0107",
    title: "a comment is never closed",
    text: "\
A comment that starts with `/*` reaches to the next `*/`, over any number of lines. This one has none, so everything \
up to the end of the file is part of it. Comments of this kind do not nest: the first `*/` ends the comment, however \
many `/*` it contains. A comment that starts with `--` ends with its line.",
};

/// `"` without `"`.
pub static UNCLOSED_STRING: Explanation = Explanation {
    code: "E0108",
    title: "a string is never closed",
    text: "\
A string stands between two double quotes on one line. Here the line ends before the second quote. For a quote inside a \
string write `\\\"`.",
};

/// A character outside the language.
pub static UNKNOWN_CHARACTER: Explanation = Explanation {
    code: "E0109",
    title: "a character that means nothing",
    text: "\
This character is not part of any word or symbol of the language. Names consist of the letters a to z and A to Z, \
digits and `_`. Strings are written in double quotes. Comments start with `--`, or stand between `/*` and `*/`. Inside \
strings and comments every character is allowed.",
};

/// A malformed number.
pub static BAD_NUMBER: Explanation = Explanation {
    code: "E0110",
    title: "a malformed number",
    text: "\
A number consists of decimal digits, as in `42`, or of `0x` and hexadecimal digits, as in `0x2a`. Letters cannot follow \
it directly, names cannot start with a digit, and a number has at most 1000 digits. Numbers with a decimal point do \
not exist.",
};

/// `a < b < c`.
pub static CHAINED_COMPARISON: Explanation = Explanation {
    code: "E0111",
    title: "comparisons cannot be chained",
    text: "\
`a < b < c` would compare a truth value with `c`. Write `a < b & b < c`. To compare a truth value on purpose, use \
parentheses: `(a < b) = flag`.

Mind that `!` applies to a whole comparison: `!a = b` means `!(a = b)`.",
};

/// `=` for `:=` or the other way round.
pub static ASSIGN_OR_EQUAL: Explanation = Explanation {
    code: "E0112",
    title: "`=` and `:=` are confused",
    text: "\
`:=` assigns and `=` compares. A statement is an assignment, and a condition is a comparison:

    if state = Idle then state := Busy; end;

Declarations use neither: `const N : 3;`, `var state : State;`.",
};

/// An expression where a type belongs.
pub static NOT_A_TYPE: Explanation = Explanation {
    code: "E0113",
    title: "this is not a type",
    text: "\
A type is expected here. Types are a name (`boolean` among them), a range such as `0..N-1`, `enum { a, b }`, \
`scalarset(N)`, `union { A, B }`, `array [A] of B`, `multiset [n] of A` and `record a : A; b : B; end`. A single number is \
not a type: write the range that is meant, such as `1..5`.",
};

/// An assignment to something that is no variable.
pub static NOT_A_PLACE: Explanation = Explanation {
    code: "E0114",
    title: "this cannot be assigned to",
    text: "\
Only a variable or a part of one can be changed: a name, followed by any number of fields and indices, as in \
`cache[i].state := Shared`. The result of an operator or of a function is a value and not a place.",
};

/// Locals without `begin`, or in the middle of statements.
pub static MISPLACED_DECLARATION: Explanation = Explanation {
    code: "E0115",
    title: "declarations and statements are mixed up",
    text: "\
The local constants, types and variables of a rule stand before its statements, and `begin` separates the two:

    rule \"swap\" full ==>
      var old : Data;
    begin
      old := first; first := second; second := old;
    end;

Without declarations `begin` can be left out after `==>`.",
};

/// Only in `.tenet` files.
pub static TENET_ONLY: Explanation = Explanation {
    code: "E0116",
    title: "only `.tenet` files can say this",
    text: "\
Murphi files (`.m`) keep to what Murphi checkers accept, so that the same file can be given to them. Ranges with an open \
end, such as `1..`, scalarsets without a size, constants without a value, `a[i := e]`, and the items `index`, `predicate`, \
`axiom`, `define` and `instantiate` exist only in files whose name ends in `.tenet`, which otherwise have the same grammar. \
The items can also stand in a file of their own that is given with `--predicates`.

In a Murphi file write `scalarset(N)` with a constant `N`: a proof holds for every size whatever `N` is.",
};

/// Parts of Murphi that are refused.
pub static NOT_SUPPORTED: Explanation = Explanation {
    code: "E0117",
    title: "a part of the language that is not supported",
    text: "\
Some Murphi checkers know real numbers (`real(10, 2)`, `1.5`) and operators on the bits of numbers (`~`, `^`, `<<`, `>>`). \
They are not supported. A real number can often be replaced by an integer in a smaller unit, and a set of bits by an \
array of booleans.",
};

/// Nesting or chains beyond the limit.
pub static TOO_DEEP: Explanation = Explanation {
    code: "E0118",
    title: "nested too deeply",
    text: "\
Parentheses, operators, quantifiers, statements, rulesets and types may be nested 256 levels deep in all. Chains of `&`, \
of `|`, of `+` and of `*` may have any length; a chain that mixes `+` with `-`, or `*` with `/` and `%`, counts one \
level for each operator. The rest of the file was not read.

Files like this are usually generated. Let the generator name intermediate results with functions or constants.",
};

/// More than 16 MB.
pub static TOO_LARGE: Explanation = Explanation {
    code: "E0119",
    title: "the file is too large",
    text: "\
Models of up to 16 megabytes are read. A larger file is refused before it is read, because it is almost certainly not a \
model, and the memory for its syntax tree would be many times its size.",
};

/// A binary file.
pub static NOT_TEXT: Explanation = Explanation {
    code: "E0120",
    title: "the file is not text",
    text: "\
The file contains zero bytes, which no text does. It is probably a compiled program, an archive, or text in UTF-16; \
models are UTF-8 text, or Latin-1.",
};

/// The end of a long list.
pub static TOO_MANY: Explanation = Explanation {
    code: "E0121",
    title: "too many errors",
    text: "\
After 20 syntax errors the rest of the file is not read. Mend the first ones and run the command again: later ones are \
often consequences. If the very first line is wrong already, check that the file is a Murphi model at all.",
};

/// Priorities.
pub static PRIORITY: Explanation = Explanation {
    code: "E0122",
    title: "the priority or probability of a rule is ignored",
    text: "\
Some versions of CMurphi know priorities (`rule 20 \"name\"`) and probabilities (`rule \"name\" 0.5`). Tenet asks what can happen at all, and every
rule whose guard is true can. If a rule must wait for others, say so in its guard.",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_consecutive_and_explained() {
        for (position, explanation) in ALL.iter().enumerate() {
            assert_eq!(explanation.code, format!("E01{:02}", position + 1));
            assert!(
                explanation.text.len() > 100 && !explanation.title.ends_with('.'),
                "{}",
                explanation.code
            );
            assert!(explanation.text.lines().all(|line| !line.ends_with(' ')), "{}", explanation.code);
        }
    }
}
