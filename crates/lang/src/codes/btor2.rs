//! What can be wrong with a BTOR2 file, with a witness for one, and with what is asked of a circuit.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &SYNTAX,
    &UNKNOWN_OPERATOR,
    &REFERENCE,
    &TWICE,
    &WRONG_SORT,
    &OUT_OF_RANGE,
    &CONSTANT,
    &UNSUPPORTED,
    &INITIAL_VALUE,
    &NO_BAD,
    &NOT_FOR_CIRCUITS,
    &NO_EXPLORATION,
    &WITNESS,
    &NOT_REPLAYED,
    &TRACE_FORMAT,
];

/// E1001
pub static SYNTAX: Explanation = Explanation {
    code: "E1001",
    title: "this is not a line of BTOR2",
    text: "\
A line is a number, a word, the operands of that word and, where the word allows it, a name:

    1 sort bitvec 8
    2 state 1 counter
    3 one 1
    4 add 1 2 3
    5 next 1 2 4

The number is the line's own and above zero. Operands are numbers of lines above; in front of a bit-vector, a minus sign means \
its complement. What follows a `;` is a comment.",
};

/// E1002
pub static UNKNOWN_OPERATOR: Explanation = Explanation {
    code: "E1002",
    title: "a word that BTOR2 does not have",
    text: "\
The second word of a line says what it is: `sort`, `input`, `state`, `init`, `next`, `bad`, `constraint`, `output`, a constant \
(`const`, `constd`, `consth`, `zero`, `one`, `ones`) or an operator. Words are in small letters. The format before this one \
(BTOR) has other words, such as `var` and `root`; such files are not read.",
};

/// E1003
pub static REFERENCE: Explanation = Explanation {
    code: "E1003",
    title: "a number that is not that of a fitting line",
    text: "\
Operands are numbers of lines above. Here there is no such line, or it is further down, or it is something else: a sort where \
a value is expected, a value where a sort is expected, or anything but a state where `init` and `next` want one. So a file has \
no combinational loops: what depends on itself does so through a state.",
};

/// E1004
pub static TWICE: Explanation = Explanation {
    code: "E1004",
    title: "given twice",
    text: "\
Each line has a number of its own, and each state at most one `init` and at most one `next`.",
};

/// E1005
pub static WRONG_SORT: Explanation = Explanation {
    code: "E1005",
    title: "sorts do not fit",
    text: "\
Each operator has rules for the sorts of its operands and of its result, and the sort that a line names must be that of the \
result. Most operators take operands of one width and give a result of that width. Comparisons, reductions and overflow tests \
give one bit; `concat` adds widths; `slice U L` gives `U - L + 1` bits, `uext N` and `sext N` give N bits more. `read` and \
`write` take an index and an element as the sort of the array says. A condition, `bad` and `constraint` are one bit wide.",
};

/// E1006
pub static OUT_OF_RANGE: Explanation = Explanation {
    code: "E1006",
    title: "a number out of range",
    text: "\
The bits of a `slice` have to be there, the upper one first: of 8 bits, 7 is the highest and 0 the lowest. A bit-vector has at \
least one bit, and here at most 65536, so that a mistake in a file does not cost the machine's memory.",
};

/// E1007
pub static CONSTANT: Explanation = Explanation {
    code: "E1007",
    title: "a constant that does not fit",
    text: "\
`const` has exactly as many binary digits as its sort has bits. `constd` is a decimal number, perhaps negative, and `consth` a \
hexadecimal one; both have to fit. With 4 bits, `constd` goes from -8 to 15.",
};

/// E1008
pub static UNSUPPORTED: Explanation = Explanation {
    code: "E1008",
    title: "a part of BTOR2 that is not supported",
    text: "\
`fair` and `justice` speak of what happens infinitely often. Tenet answers what can never happen (`bad`), and rejects files \
with such lines rather than leave out a property. Arrays have bit-vectors as indices and elements, not other arrays.",
};

/// E1009
pub static INITIAL_VALUE: Explanation = Explanation {
    code: "E1009",
    title: "an initial value that depends on too much",
    text: "\
An initial value may be computed from constants and from other states, whose initial values are meant. It may not depend on \
an input, nor on the state itself, be it by way of others: then there is no order in which the values could be found.",
};

/// E1010
pub static NO_BAD: Explanation = Explanation {
    code: "E1010",
    title: "no bad states are given",
    text: "\
Each `bad` line of a BTOR2 file is a property: that its operand is never one, as long as the operands of all `constraint` \
lines are one. A file without such a line is read, but there is nothing to show about it.",
};

/// E1011
pub static NOT_FOR_CIRCUITS: Explanation = Explanation {
    code: "E1011",
    title: "an option that does not apply to circuits",
    text: "\
A circuit has no types of any size and no named constants, and its predicates are found, not given. So `--size`, `--const`, \
`--unbounded` and `--predicates` do not apply. Nor does `simulate --interactive`, which asks for a rule: a circuit has one, and \
what would be chosen is a value for each input.",
};

/// E1012
pub static NO_EXPLORATION: Explanation = Explanation {
    code: "E1012",
    title: "circuits are not explored state by state",
    text: "\
`explore` visits every state of a finite instance. A circuit with 100 inputs has 2^100 steps from each of its states, so that is \
no way to search one. Use `prove`, which looks for runs as well, or `simulate` for a random one.",
};

/// E1013
pub static WITNESS: Explanation = Explanation {
    code: "E1013",
    title: "this is not a witness",
    text: "\
A witness says which `bad` lines it reaches, and what states and inputs are on the way there:

    sat
    b0
    #0
    0 00000001 counter
    @0
    0 1 enable
    @1
    0 0 enable
    .

`#0` begins the states that have no initial value, `@0`, `@1`, … the inputs of each cycle. States and inputs are counted from \
zero in the order of the file; values are binary. Of a memory, single places are given: `0 [0011] 11111111`. What is \
left out has any value; zero is taken.",
};

/// E1014
pub static NOT_REPLAYED: Explanation = Explanation {
    code: "E1014",
    title: "the witness does not replay",
    text: "\
The simulator computes every cycle from the inputs that the witness gives. A witness is wrong if a value in it is not what the \
initial values of the file say, if a `constraint` is violated in one of the cycles, or if the `bad` line that it promises is \
not one in the last cycle. Perhaps the witness belongs to another file, or to another version of this one.",
};

/// E1015
pub static TRACE_FORMAT: Explanation = Explanation {
    code: "E1015",
    title: "a format that does not fit the model",
    text: "\
`--trace` tells the format by the ending of the file: `.wit` is the witness format of BTOR2, `.vcd` a value change dump for \
waveform viewers, and everything else the informal trace format (ITF, `.itf.json`). The first two are for circuits; a \
witness counts the lines of a BTOR2 file, so that there has to be one. `simulate --witness` is for BTOR2 files, too, and \
`check --btor2` for circuits.",
};
