//! What can be wrong with a Verilog design, and with Yosys, which reads it.

use crate::diagnostic::Explanation;

/// The family.
pub const ALL: &[&Explanation] = &[
    &REFUSED,
    &INCLUDE,
    &NO_ASSERTION,
    &SEVERAL_CLOCKS,
    &SEVERAL_DRIVERS,
    &LOOP,
    &LATCH,
    &TRISTATE,
    &UNSUPPORTED,
    &LOST,
    &COVER,
    &ABSENT,
    &IMPLICIT,
    &OPTION,
    &ONLY_FOR_VERILOG,
    &NO_YOSYS,
    &YOSYS_FAILED,
    &BLACK_BOX,
    &FILE_LIST,
    &LIVENESS,
    &PROPERTY,
    &RESET,
];

/// Those that are no fault of the input.
pub const ENVIRONMENT: &[&Explanation] = &[&NO_YOSYS, &YOSYS_FAILED];

/// E1101
pub static REFUSED: Explanation = Explanation {
    code: "E1101",
    title: "Yosys does not accept the design",
    text: "\
Verilog is read by Yosys, with `read_verilog -formal -sv`, and the message is its own. `unexpected` something is an error of \
syntax at that line or the one before; `is not part of the design` means a module that no file has: put its \
file on the command line, too. Of SystemVerilog, Yosys knows a part. Properties such as `a |-> b` are rewritten before it reads them.",
};

/// E1102
pub static INCLUDE: Explanation = Explanation {
    code: "E1102",
    title: "a file of the design is not there",
    text: "\
The files that `include names are looked for beside the file that includes them, then beside the first file on the command \
line, then in the folders that `-I` or `+incdir+` name, then in the current folder. Files on the command line and in file lists \
(`-f`) are named from the current folder; what a list names may also be beside the list.",
};

/// E1103
pub static NO_ASSERTION: Explanation = Explanation {
    code: "E1103",
    title: "the design asserts nothing",
    text: "\
There is nothing to prove without an assertion. An assertion is a statement of a block:

    always @(posedge clk)
        if (!rst) not_full: assert (count <= 8);

Its label becomes the name of the property. If there are assertions in the text, they may be in a module that is not below the \
top module (`--top` chooses another one), or in a part that conditional compilation leaves out (`FORMAL` is defined).",
};

/// E1104
pub static SEVERAL_CLOCKS: Explanation = Explanation {
    code: "E1104",
    title: "there is not one clock",
    text: "\
A step of the proof is one cycle of one clock, in which all registers change together. So all registers have to wait for the \
same edge of the same input, and this input may not be used for anything else. Designs with several clocks, with both edges, \
with gated or divided clocks are refused: a proof that treats them as one would be about another design. Replace a gated clock \
by an enable, and a divided one by a counter. `--clock NAME` checks that the clock is the input you think it is.",
};

/// E1105
pub static SEVERAL_DRIVERS: Explanation = Explanation {
    code: "E1105",
    title: "a wire has several drivers",
    text: "\
Two assignments, blocks or instances give the same wire a value. Which one it has is not defined. Each wire may be assigned by \
one `assign`, one block or one output of an instance.",
};

/// E1106
pub static LOOP: Explanation = Explanation {
    code: "E1106",
    title: "a signal depends on itself",
    text: "\
A signal that depends on itself without a register in between has no defined value, or two:

    assign a = !b;
    assign b = a ^ c;

Sometimes it is only the bits of a vector that depend on each other: splitting the vector into separate wires helps then.",
};

/// E1107
pub static LATCH: Explanation = Explanation {
    code: "E1107",
    title: "a latch",
    text: "\
A block that is not clocked does not assign a variable in every case, so that it keeps its value:

    always @* if (enable) value = data;     // and otherwise?

It is read as a latch: open in the cycles in which it is enabled, when it has the value of its data, and closed in the others, \
when it keeps the value that it had at the end of the cycle before. Inputs and registers change together at the beginning of a \
cycle and settle once. If no latch was meant, assign the variable in every case, for instance before the `if`.",
};

/// E1108
pub static TRISTATE: Explanation = Explanation {
    code: "E1108",
    title: "high impedance is not supported",
    text: "\
Values are 0 and 1. A signal that can be `z`, and a port that goes both ways, have no meaning over these. Use separate signals \
for the value and for who drives it.",
};

/// E1109
pub static UNSUPPORTED: Explanation = Explanation {
    code: "E1109",
    title: "the design has something that is not supported",
    text: "\
Black boxes with ports that go both ways, registers that are set asynchronously to something other than a constant, memories that are written without a \
clock, comparisons with `x` and branches on a constant `x` have no meaning that a proof could rest on. They are refused rather than guessed.",
};

/// E1110
pub static LOST: Explanation = Explanation {
    code: "E1110",
    title: "Yosys lost an assertion",
    text: "\
Assertions and assumptions are counted before and after the translation, and the numbers differ. A verdict would say nothing \
about what is missing, so there is none. Another version of Yosys may help; please report the design.",
};

/// E1111
pub static COVER: Explanation = Explanation {
    code: "E1111",
    title: "a cover is not looked for",
    text: "\
`cover` asks for a run that reaches something. Proofs are about assertions; to find such a run, assert that it is never \
reached, and look at the run that breaks the assertion.",
};

/// E1112
pub static ABSENT: Explanation = Explanation {
    code: "E1112",
    title: "an assertion is not part of the design",
    text: "\
The text has an assertion that the translated design does not have: because its module is not below the top module, because \
conditional compilation or a generate block leaves it out. No verdict is about it.",
};

/// E1113
pub static IMPLICIT: Explanation = Explanation {
    code: "E1113",
    title: "a wire is not declared",
    text: "\
Verilog declares a name that is used without a declaration as a wire of one bit. If nothing drives it, it has any value. \
Mostly it is a misspelt name; `` `default_nettype none `` makes it an error.",
};

/// E1114
pub static OPTION: Explanation = Explanation {
    code: "E1114",
    title: "an option does not fit the design",
    text: "\
`--top` names a module, `--clock` and `--reset` an input of one bit of the top module (`--reset '!rst_n'` one that is active \
when it is 0), and `--const WIDTH=8` a parameter of the top module.",
};

/// E1115
pub static ONLY_FOR_VERILOG: Explanation = Explanation {
    code: "E1115",
    title: "an option applies to Verilog only",
    text: "\
`--top`, `--clock`, `--reset`, `--yosys`, several files, file lists (`-f`), `-I` and `-D` say how a Verilog design is read. Other \
languages have nothing like it.",
};

/// E1116
pub static NO_YOSYS: Explanation = Explanation {
    code: "E1116",
    title: "Yosys is not installed",
    text: "\
Verilog is read by Yosys, a program of its own: `apt install yosys` on Debian and Ubuntu, `brew install yosys` on macOS, or \
https://yosyshq.net/yosys. Version 0.23 is known to work. It is looked for on the PATH; `--yosys PATH` or the \
environment variable TENET_YOSYS name another one. `tenet doctor` shows which is used.",
};

/// E1117
pub static YOSYS_FAILED: Explanation = Explanation {
    code: "E1117",
    title: "Yosys did not do its work",
    text: "\
Yosys crashed, was stopped, took too long, or wrote something that is not understood. The message says what is known. `tenet \
doctor` shows which Yosys is used; version 0.23 is known to work.",
};

/// E1118
pub static BLACK_BOX: Explanation = Explanation {
    code: "E1118",
    title: "a module has no content",
    text: "\
Nothing is known of what a module without content does (a black box), so its outputs have any value in each cycle. A proof then \
holds whatever the module does. A run to a violation may rest on values that the real module never gives, and the answer says so \
among its assumptions. Put the module's file on the command line if there is one, or write `assume` for what it guarantees.",
};

/// E1119
pub static FILE_LIST: Explanation = Explanation {
    code: "E1119",
    title: "a file list is not understood",
    text: "\
A file list (`-f LIST`) has names of files and, as for simulators, `+incdir+FOLDER`, `+define+NAME=VALUE`, `-I FOLDER`, \
`-D NAME=VALUE` and further lists (`-f`, `-F`); comments are `//`, `/* */` and `#`. Names are those from the current folder, or \
from that of the list; with `-F` only the latter. Other options of simulators, such as libraries (`-y`, `-v`), are refused: put \
the files themselves into the list.",
};

/// E1120
pub static LIVENESS: Explanation = Explanation {
    code: "E1120",
    title: "liveness is not supported",
    text: "\
A property such as `s_eventually done` or `req |-> ##[1:$] ack` says that something happens at some time. A run that breaks it has \
no end, so no finite run shows it, and no invariant proves it. Say how long it may take: `req |-> ##[1:8] ack`.",
};

/// E1121
pub static PROPERTY: Explanation = Explanation {
    code: "E1121",
    title: "a property is not supported",
    text: "\
Properties consist of expressions, `##n` and `##[m:n]`, `[*n]`, `or` between sequences, `|->`, `|=>`, `not`, `disable iff`, named \
properties and sequences, and defaults of the module. Delays and counts are plain numbers. What has to match may have only one way to \
do so, but for its last delay: `a |-> b ##[1:3] c`. Other operators can be written with registers of your own.",
};

/// E1122
pub static RESET: Explanation = Explanation {
    code: "E1122",
    title: "an input may be the reset",
    text: "\
Registers without an initial value begin with any value. Without `--reset`, the reset is guessed if it is obvious: if one input is \
called like a reset, sets such registers to constants, always while it has the value that its name suggests (`rst_n` while it is 0), \
and no assumption speaks of it. It is not obvious here, so the input has any value in each cycle. `--reset NAME` or \
`--reset '!NAME'` says that it is the reset: active in the first cycle, which is not checked, and never again. `--reset none` says that \
no input is.",
};
