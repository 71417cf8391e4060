//! What can be wrong with a constraint logic program: its syntax, its names and sorts, and how its parts are used.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &UNEXPECTED,
    &UNCLOSED,
    &UNKNOWN_CHARACTER,
    &BAD_NUMBER,
    &LETTER,
    &TOO_DEEP,
    &TOO_MANY,
    &UNKNOWN_PREDICATE,
    &WRONG_COUNT,
    &CLASH,
    &WRONG_KIND,
    &NOT_LINEAR,
    &TUPLE,
    &NEGATED_ATOM,
    &EXISTENTIAL,
    &DISJUNCTION,
    &EXPANSION,
    &NAMED_TWICE,
    &NOTHING_TO_PROVE,
    &NO_START,
    &SECOND_START,
    &NO_STATE,
    &NO_TRANSITION,
    &STATE_ELSEWHERE,
    &SINGLETON,
    &PRECEDENCE,
    &UNMARKED,
    &NOT_FOR_PROGRAMS,
    &NOT_INDEXED,
    &ENTAILMENTS_LEFT,
];

/// E1201
pub static UNEXPECTED: Explanation = Explanation {
    code: "E1201",
    title: "something else is expected here",
    text: "\
The text up to here could be the beginning of a constraint logic program, but what stands here cannot go on with it. The \
message says what could. Every part of a file ends with a dot. In short, a file consists of

    even(0).                                     even(X+2) :- even(X).
    prove \"name\": m4(X), X > 0 |= even(X).
    sys(X) :- X < 9, sys(X+1).                   start sys(X), X = 0.
    abstract sys(X) by sys(X), even(X).          property sys(X) |= X <= 9.

where formulas are built from atoms and from comparisons (`=`, `!=`, `<`, `<=`, `>`, `>=`) with `,` or `/\\`, `\\/` or `;`, \
and `~`; and terms from variables, integers, `+`, `-`, `*`, `a[i]`, `<a,i,e>` and `if c then s else t`.",
};

/// E1202
pub static UNCLOSED: Explanation = Explanation {
    code: "E1202",
    title: "a comment or a name is never closed",
    text: "\
A comment starts with `/*` and ends with the next `*/`, or starts with `%` and ends with the line. A name in quotes starts and \
ends on the same line. Here the end is missing, so everything up to the end of the file, or of the line, is part of it.",
};

/// E1203
pub static UNKNOWN_CHARACTER: Explanation = Explanation {
    code: "E1203",
    title: "a character that means nothing",
    text: "\
This character is not part of any word or symbol of the language. Names consist of the letters a to z and A to Z, digits and \
`_`; those of variables may have primes. Inside comments and quotes every character is allowed. Some signs of other \
languages: `!` is `~`, `\\=` and `=\\=` are `!=`, `&&` is `,`, `||` is `\\/`, `=<` is `<=`.",
};

/// E1204
pub static BAD_NUMBER: Explanation = Explanation {
    code: "E1204",
    title: "a malformed number",
    text: "\
Numbers are integers and consist of decimal digits, as in `42`. Letters cannot follow a number directly, names cannot start \
with a digit, and a number has at most 1000 digits.",
};

/// E1205
pub static LETTER: Explanation = Explanation {
    code: "E1205",
    title: "a name starts with the wrong kind of letter",
    text: "\
As in Prolog, the first letter tells what a name means: a variable starts with a capital letter or `_`, a predicate with a \
small letter. There are no constants but integers, so a name with a small letter is never a term.

    member(X, A, N) :- 1 <= I <= N, A[I] = X.",
};

/// E1206
pub static TOO_DEEP: Explanation = Explanation {
    code: "E1206",
    title: "nested too deeply",
    text: "\
Parentheses, negations, updates of arrays and the like may be nested 256 levels deep in all; chains of `,`, `\\/`, `+` and `*` \
may have any length. The rest of the file was not read. Files like this are usually generated. Let the generator give names \
to parts: a variable for a term (`K' = <K,I,1>`), a predicate for a formula.",
};

/// E1207
pub static TOO_MANY: Explanation = Explanation {
    code: "E1207",
    title: "too many errors",
    text: "\
After 20 syntax errors the rest of the file is not read. Mend the first ones and run the command again: later ones are \
often consequences. If the very first line is wrong already, check that the file is a constraint logic program at all.",
};

/// E1210
pub static UNKNOWN_PREDICATE: Explanation = Explanation {
    code: "E1210",
    title: "a predicate without any rule",
    text: "\
A predicate is defined by its rules, and one without any would never be true. Most often the name is misspelt. If it is meant to \
be never true, say so: `p(X) :- false.`",
};

/// E1211
pub static WRONG_COUNT: Explanation = Explanation {
    code: "E1211",
    title: "a predicate with another number of arguments",
    text: "\
A predicate has as many arguments everywhere as in its first rule. Unlike in Prolog, predicates of the same name \
with different numbers of arguments are not different predicates.",
};

/// E1212
pub static CLASH: Explanation = Explanation {
    code: "E1212",
    title: "an integer where an array is needed, or the other way round",
    text: "\
Every variable, and every argument of a predicate, is an integer or an array of integers throughout. Which one it is \
is found out from how it is used: `a` in `a[i]` and in `<a,i,e>` is an array, and so is `<a,i,e>` itself; what is added or \
compared with `<` is an integer; both sides of `=` are of one kind; and an argument of a predicate is of one kind \
in all rules and in everything to be proved. Where nothing tells, it is an integer. Here both are needed; the message shows the \
two places that say so.",
};

/// E1213
pub static WRONG_KIND: Explanation = Explanation {
    code: "E1213",
    title: "a term where a formula is needed, or the other way round",
    text: "\
Formulas are true or false: comparisons, atoms, and what `,`, `\\/` and `~` make of them. Terms have a value: variables, \
integers, sums, entries of arrays, arrays. Arguments of predicates, places of arrays and what is compared are terms; \
everything else is a formula. `(X, Y)` is a pair of terms only where it is compared with another pair.",
};

/// E1214
pub static NOT_LINEAR: Explanation = Explanation {
    code: "E1214",
    title: "a product of two unknowns",
    text: "\
Arithmetic is linear: of the factors of a product all but one have to be constants, as in `2*X` or `K[I]*(1+2)`. A product of \
two unknowns can be defined by repeated addition:

    times(0, Y, 0).
    times(X, Y, Z+Y) :- X > 0, times(X-1, Y, Z).",
};

/// E1215
pub static TUPLE: Explanation = Explanation {
    code: "E1215",
    title: "tuples of different lengths",
    text: "\
Tuples in parentheses are compared component by component: `(A, B) = (C, D)` if all are equal, `(A, B) < (C, D)` if the \
first ones that differ say so, as in a dictionary. So both sides need the same number of components, all of which are integers \
if the comparison is one of `<`, `<=`, `>` and `>=`.",
};

/// E1216
pub static NEGATED_ATOM: Explanation = Explanation {
    code: "E1216",
    title: "only constraints can be negated",
    text: "\
A predicate is true where its rules derive it, and a derivation can be shown; that there is none cannot be written in a rule. So \
an atom must not stand under `~`, nor in the condition of `if c then s else t`. Define the opposite by rules of its own. To \
show that an atom is never true, prove that it entails `false`: `prove p(X), X < 0 |= false.`",
};

/// E1217
pub static EXISTENTIAL: Explanation = Explanation {
    code: "E1217",
    title: "`?` where it does not belong",
    text: "\
`left |= right` says that for all values of the variables of the left-hand side there are values for the others, which stand \
only on the right. `?` in front of one of those reminds the reader of that; it may be left out. A variable that the left-hand side \
has, too, is no such variable. In rules, `start` and `abstract` there is nothing to choose, and `?` has no meaning.",
};

/// E1218
pub static DISJUNCTION: Explanation = Explanation {
    code: "E1218",
    title: "a disjunction with atoms where it cannot be taken apart",
    text: "\
In the body of a rule a disjunction with atoms in it stands for several rules, and on the left of `|=` for several entailments. On \
the right it does not: that one of two things follows does not mean that one of them always does. Give the \
disjunction a name:

    either(X) :- p(X) ; q(X).
    prove r(X) |= either(X).

`start` and `abstract` describe one set of states each, so the same holds there. A disjunction of constraints alone may \
stand everywhere.",
};

/// E1219
pub static EXPANSION: Explanation = Explanation {
    code: "E1219",
    title: "disjunctions become too many rules",
    text: "\
A rule with a disjunction that has atoms in it becomes several rules, and one with two such disjunctions as many as there are \
pairs. All disjunctions of a file together may become 1000 rules and entailments. A predicate with a rule for each case says \
the same without being multiplied.",
};

/// E1220
pub static NAMED_TWICE: Explanation = Explanation {
    code: "E1220",
    title: "a name is given twice",
    text: "\
Names in quotes are how reports and options speak of entailments, properties, abstractions and transitions. So what is to be \
proved (`prove` and `property` together), the abstractions, and the rules of one predicate have names that differ from each other.",
};

/// E1221
pub static NOTHING_TO_PROVE: Explanation = Explanation {
    code: "E1221",
    title: "nothing to prove",
    text: "\
A file has at least one entailment, `prove left |= right.`, or one `property` of its transition system. This one has rules \
only: with nothing to be proved, any answer about it would be misleading.",
};

/// E1222
pub static NO_START: Explanation = Explanation {
    code: "E1222",
    title: "no transition system",
    text: "\
`property` and `abstract` speak of the states of a transition system. Which predicate is the transition system, and in which \
states it starts, is said by `start`:

    sys(X) :- X < 9, sys(X+1).
    start sys(X), X = 0.
    property sys(X) |= X <= 9.",
};

/// E1223
pub static SECOND_START: Explanation = Explanation {
    code: "E1223",
    title: "more than one `start`",
    text: "\
A file has one transition system, and one description of the states that it starts in. If these are of several kinds, describe them by a \
predicate with several rules, or by a disjunction of constraints: `start sys(X), (X = 0 \\/ X = 5).`",
};

/// E1224
pub static NO_STATE: Explanation = Explanation {
    code: "E1224",
    title: "not about one state",
    text: "\
`start`, both parts of `abstract`, and the left-hand side of a `property` describe states: each has exactly one atom of the transition \
system, and perhaps other atoms and constraints about its arguments. The transition system is the predicate of the first atom of `start`.",
};

/// E1225
pub static NO_TRANSITION: Explanation = Explanation {
    code: "E1225",
    title: "a rule of the transition system that is no transition",
    text: "\
The head of a rule of the transition system is the state before a step, and the one atom of it in the body the state after it; \
everything else in the body says when the step is possible:

    \"enter\": sys(K, T, N) :- 1 <= I <= N, K[I] = 1, crit(T, N, I), sys(<K,I,2>, T, N).

A rule without a state in its body, such as a fact, leads nowhere; in a state without any step the system just ends, and nothing has to be \
written for that. A rule with two leads to two states at once, which no step does.",
};

/// E1226
pub static STATE_ELSEWHERE: Explanation = Explanation {
    code: "E1226",
    title: "the transition system where facts are expected",
    text: "\
An atom of the transition system means a state, which may or may not be reached, and is neither true nor false by itself. So it stands \
in rules of the transition system itself, in `start` and `abstract`, and on the left of `property`, but not in rules of other \
predicates, not in `prove`, and on no right-hand side.",
};

/// E1230
pub static SINGLETON: Explanation = Explanation {
    code: "E1230",
    title: "a variable that occurs only once",
    text: "\
A variable that stands in only one place of a rule says nothing: there it may be anything. That can be meant, but as often it is a \
variable that was misspelt. If it is meant, write `_`, which is a new variable each time, or let the name begin with `_`.",
};

/// E1231
pub static PRECEDENCE: Explanation = Explanation {
    code: "E1231",
    title: "`,` beside `\\/` without parentheses",
    text: "\
`,` and `/\\` bind tighter than `\\/` and `;`. So `a, b \\/ c` is `(a, b) \\/ c`, which is easily read the other way. Parentheses \
make it clear. There is no warning about `;`, because everybody who writes Prolog knows it.",
};

/// E1232
pub static UNMARKED: Explanation = Explanation {
    code: "E1232",
    title: "a variable that stands only on the right",
    text: "\
`left |= right` says that for all values of the variables of the left-hand side there are values for those that stand only on the \
right. That is easily overlooked:

    prove sum(A, N, S), 1 <= I <= N |= sum(<A,I,V>, N, S+V-A[I]).

promises a sum for some `V`, and `V = A[I]` will do. If that is meant, mark the variable: `?V`. If it is to be true for every \
`V`, let the left-hand side mention it: `V = V` says nothing, but does that.",
};

/// E1240
pub static NOT_FOR_PROGRAMS: Explanation = Explanation {
    code: "E1240",
    title: "does not apply to constraint logic programs",
    text: "\
The states of a constraint logic program have no bound and its definitions no instances: integers are integers and arrays have \
an entry for each. So there are no sizes, no constants to be set and no finite instances to explore or to simulate, and of the engines \
for other systems only `direct` reads it, if its definitions say \"for all\" (`tenet explain E1241`). `tenet check` reads it and says what \
is in it.",
};

/// E1241
pub static NOT_INDEXED: Explanation = Explanation {
    code: "E1241",
    title: "a definition that cannot be said with quantifiers",
    text: "\
`--engine direct` reads a transition system whose conditions are formulas with quantifiers. A definition that says the same of each \
place up to a number is such a formula:

    max(T, 1, X) :- X >= T[1].
    max(T, N, X) :- N > 1, X >= T[N], max(T, N-1, X).       % N >= 1, and X >= T[I] for all I from 1 to N

It has rules that end the recursion, all at the same number; and rules that use the predicate once, for a number that is less by one, with \
the other arguments as they are and no new variables. A predicate whose rules have no atoms can be read as well. Everything else, such as a sum, and \
whatever compares or changes whole arrays in a definition, has no such reading. The message says what stands in the way; `--engine \
recursive`, which is used if no engine is named, needs no such reading.",
};

/// E1242
pub static ENTAILMENTS_LEFT: Explanation = Explanation {
    code: "E1242",
    title: "an engine that proves properties only",
    text: "\
`--engine direct` proves what every reachable state of the transition system satisfies (`property`). This file also asks for entailments \
between definitions (`prove`), which that engine knows nothing of, so a verdict about the file would be about a part of it. Say which \
properties are meant with `--property NAME`, once for each of them; without `--engine`, everything in the file is proved.",
};
