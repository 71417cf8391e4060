//! Concurrent assertions mean what IEEE 1800 says of them: random properties against an evaluator over whole traces, which knows
//! attempts and their ends and nothing of registers. Needs Yosys, and fails without it.

use std::path::Path;
use tenet_chance::Random;
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::Surroundings;
use tenet_lang::verilog::{Options, Verilog, read, yosys};
use tenet_system::Circuit;
use tenet_term::{SortId, Substitution, SymbolId, TermId};

fn need_yosys() {
    let provided = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/yosys/bin/yosys");
    if std::env::var_os(yosys::VARIABLE).is_none() && provided.is_file() {
        yosys::choose(&provided);
    }
}

fn try_design(text: &str) -> Result<(Verilog, Vec<Diagnostic>), Vec<Diagnostic>> {
    need_yosys();
    let (mut files, mut is_over) = (|_: &str| None, || false);
    read("d.sv", text, &Options::default(), &mut Surroundings::new(&mut files, &mut is_over))
}

fn design(text: &str) -> Verilog {
    try_design(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")).0
}

/// The values of a, b, c and d in a cycle.
type Cycle = [bool; 4];

/// An input, perhaps negated, perhaps of the cycle before.
#[derive(Clone, Copy, Debug)]
struct Atom {
    input: usize,
    is_negated: bool,
    is_past: bool,
}

#[derive(Clone, Debug)]
enum Sequence {
    Now(Atom),
    Delay(Option<Box<Sequence>>, usize, usize, Box<Sequence>),
    Repeat(Atom, usize, usize),
    Or(Box<Sequence>, Box<Sequence>),
}

#[derive(Clone, Debug)]
enum Property {
    Match(Sequence),
    Implies(Sequence, bool, Box<Property>),
    Not(Sequence),
}

impl Atom {
    fn random(random: &mut Random) -> Atom {
        Atom { input: random.below(3), is_negated: random.percent(40), is_past: random.percent(15) }
    }

    fn text(self) -> String {
        let name = ["a", "b", "c", "d"][self.input];
        let value = if self.is_past { format!("$past({name})") } else { name.to_owned() };
        if self.is_negated { format!("!{value}") } else { value }
    }

    /// What was before the first cycle is chosen to be false.
    fn holds(self, trace: &[Cycle], at: usize) -> bool {
        let value = match (self.is_past, at) {
            (true, 0) => false,
            (true, _) => trace[at - 1][self.input],
            (false, _) => trace[at][self.input],
        };
        value != self.is_negated
    }
}

impl Sequence {
    /// If there is only one way to match, what has to match may consist of it.
    fn random(random: &mut Random, depth: usize, is_single: bool) -> Sequence {
        let low = random.below(3);
        let high = if is_single { low } else { low + random.below(3) };
        match random.below(if depth == 0 { 2 } else { 6 }) {
            0 | 1 => Sequence::Now(Atom::random(random)),
            2 => Sequence::Repeat(Atom::random(random), low + 1, high + 1),
            3 if !is_single => {
                let parts = [(); 2].map(|()| Box::new(Sequence::random(random, depth - 1, is_single)));
                let [one, other] = parts;
                Sequence::Or(one, other)
            }
            kind => {
                let first = (kind == 4).then(|| Box::new(Sequence::random(random, depth - 1, is_single)));
                Sequence::Delay(first, low, high, Box::new(Sequence::random(random, depth - 1, is_single)))
            }
        }
    }

    fn text(&self) -> String {
        let range =
            |low: usize, high: usize| if low == high { format!("{low}") } else { format!("[{low}:{high}]") };
        match self {
            Sequence::Now(atom) => atom.text(),
            Sequence::Delay(first, low, high, then) => {
                let first = first.as_ref().map_or(String::new(), |first| format!("({}) ", first.text()));
                format!("{first}##{} ({})", range(*low, *high), then.text())
            }
            Sequence::Repeat(atom, low, high) if low == high => format!("{}[*{low}]", atom.text()),
            Sequence::Repeat(atom, low, high) => format!("{}[*{low}:{high}]", atom.text()),
            Sequence::Or(one, other) => format!("({}) or ({})", one.text(), other.text()),
        }
    }

    /// All ways to match from a cycle on: the last cycle, and what has to hold when.
    fn ways(&self, at: usize) -> Vec<(usize, Vec<(usize, Atom)>)> {
        match self {
            Sequence::Now(atom) => vec![(at, vec![(at, *atom)])],
            Sequence::Delay(first, low, high, then) => {
                let firsts = first.as_ref().map_or(vec![(at, Vec::new())], |first| first.ways(at));
                let mut found = Vec::new();
                for (end, before) in firsts {
                    for delay in *low..=*high {
                        for (end, after) in then.ways(end + delay) {
                            found.push((end, [before.clone(), after].concat()));
                        }
                    }
                }
                found
            }
            Sequence::Repeat(atom, low, high) => {
                let way = |count: &usize| (at + count - 1, (at..at + count).map(|at| (at, *atom)).collect());
                (*low..=*high).collect::<Vec<_>>().iter().map(way).collect()
            }
            Sequence::Or(one, other) => [one.ways(at), other.ways(at)].concat(),
        }
    }

    /// The cycles in which it matches, as far as the trace goes.
    fn matches(&self, trace: &[Cycle], at: usize) -> Vec<usize> {
        let ways = self.ways(at).into_iter();
        let holds = |way: &Vec<(usize, Atom)>| {
            way.iter().all(|(at, atom)| *at < trace.len() && atom.holds(trace, *at))
        };
        ways.filter(|(end, way)| *end < trace.len() && holds(way)).map(|(end, _)| end).collect()
    }

    /// The cycle in which it is certain that it does not match.
    fn fails(&self, trace: &[Cycle], at: usize) -> Option<usize> {
        let first_wrong = |way: &Vec<(usize, Atom)>| {
            let wrong = way.iter().filter(|(at, atom)| *at < trace.len() && !atom.holds(trace, *at));
            wrong.map(|(at, _)| *at).min()
        };
        let all: Option<Vec<usize>> = self.ways(at).iter().map(|(_, way)| first_wrong(way)).collect();
        all?.into_iter().max()
    }
}

impl Property {
    fn random(random: &mut Random) -> Property {
        let sequence = |random: &mut Random, is_single| Sequence::random(random, 2, is_single);
        match random.below(6) {
            0 => Property::Match(Sequence::random(random, 2, true)),
            1 => Property::Not(sequence(random, false)),
            2 => {
                // The last delay of what has to match may have a range.
                let (low, atom) = (random.below(2), Atom::random(random));
                let high = low + random.below(4);
                let last = Sequence::Delay(
                    Some(Box::new(Sequence::random(random, 1, true))),
                    low,
                    high,
                    Box::new(Sequence::Now(atom)),
                );
                Property::Implies(
                    sequence(random, false),
                    random.percent(50),
                    Box::new(Property::Match(last)),
                )
            }
            3 => {
                let inner = Property::Implies(
                    sequence(random, false),
                    random.percent(50),
                    Box::new(Property::Match(sequence(random, true))),
                );
                Property::Implies(Sequence::random(random, 1, false), random.percent(50), Box::new(inner))
            }
            _ => Property::Implies(
                sequence(random, false),
                random.percent(50),
                Box::new(Property::Match(sequence(random, true))),
            ),
        }
    }

    fn text(&self) -> String {
        match self {
            Property::Match(sequence) => sequence.text(),
            Property::Implies(matched, is_next, then) => {
                format!("({}) {} ({})", matched.text(), if *is_next { "|=>" } else { "|->" }, then.text())
            }
            Property::Not(sequence) => format!("not ({})", sequence.text()),
        }
    }

    /// The cycle in which an attempt fails.
    fn fails(&self, trace: &[Cycle], at: usize) -> Option<usize> {
        match self {
            Property::Match(sequence) => sequence.fails(trace, at),
            Property::Not(sequence) => sequence.matches(trace, at).into_iter().min(),
            Property::Implies(matched, is_next, then) => {
                let ends = matched.matches(trace, at).into_iter().map(|end| end + usize::from(*is_next));
                ends.filter(|begin| *begin < trace.len()).filter_map(|begin| then.fails(trace, begin)).min()
            }
        }
    }

    /// The first cycle in which an attempt fails that was not disabled by d since it began.
    fn violated(&self, trace: &[Cycle], is_disabled: bool) -> Option<usize> {
        let failures = (0..trace.len()).filter_map(|begin| {
            let end = self.fails(trace, begin)?;
            let disabled = is_disabled && (begin..=end).any(|at| trace[at][3]);
            (!disabled).then_some(end)
        });
        failures.min()
    }
}

/// The first cycle of a trace in which each property is violated.
fn violated(design: &Verilog, trace: &[Cycle]) -> Vec<Option<usize>> {
    let mut system = design.circuit.lowered.system.clone();
    let circuit = Circuit::of(&mut system).expect("a circuit");
    let store = &mut system.store;
    let zero = |store: &mut tenet_term::TermStore, symbol: SymbolId| match store.symbol(symbol).sort {
        SortId::BOOL => TermId::FALSE,
        _ => {
            let term = store.mk_symbol(symbol);
            let width = store.width(term).expect("a word");
            store.mk_bitvec(width, 0_u32)
        }
    };
    let start: Vec<(SymbolId, TermId)> =
        circuit.arbitrary.iter().map(|&symbol| (symbol, zero(store, symbol))).collect();
    let start = Substitution::from_pairs(store, start);
    let mut state: Vec<TermId> =
        circuit.initial.iter().map(|&value| store.substitute(value, &start)).collect();
    let mut found = vec![None; circuit.bad.len()];
    for (at, cycle) in trace.iter().enumerate() {
        let mut values: Vec<(SymbolId, TermId)> = circuit.state.iter().copied().zip(state.clone()).collect();
        for &input in &circuit.inputs {
            let position = ["a", "b", "c", "d"].iter().position(|name| *name == store.symbol(input).name);
            let value = position.is_some_and(|position| cycle[position]);
            values.push((input, if value { TermId::TRUE } else { TermId::FALSE }));
        }
        let now = Substitution::from_pairs(store, values);
        for (bad, found) in circuit.bad.iter().zip(&mut found) {
            let bad = store.substitute(*bad, &now);
            assert!(bad.is_bool_literal(), "everything has a value: {}", store.print(bad));
            if bad == TermId::TRUE && found.is_none() {
                *found = Some(at);
            }
        }
        state = circuit.next.iter().map(|&next| store.substitute(next, &now)).collect();
    }
    found
}

#[test]
fn hl_t8_properties_fail_when_an_attempt_does() {
    let mut random = Random::new(1800);
    let mut violations = 0;
    for round in 0..6 {
        let properties: Vec<Property> = (0..25).map(|_| Property::random(&mut random)).collect();
        let is_disabled = round % 2 == 1;
        let disable = if is_disabled { "disable iff (d) " } else { "" };
        let statements = properties.iter().enumerate().map(|(number, property)| {
            format!("p{number}: assert property (@(posedge clk) {disable}{});\n", property.text())
        });
        let text =
            format!("module top(input clk, a, b, c, d);\n{}endmodule\n", statements.collect::<String>());
        let design = design(&text);
        let properties_read = &design.circuit.lowered.system.properties;
        let names: Vec<&str> = properties_read.iter().map(|property| property.name.as_str()).collect();
        let expected: Vec<String> = (0..properties.len()).map(|number| format!("p{number}")).collect();
        assert_eq!(names, expected, "in the order of the text");
        for _ in 0..40 {
            let often = random.pick(&[20, 50, 80]);
            let trace: Vec<Cycle> = (0..9)
                .map(|_| {
                    [random.percent(often), random.percent(often), random.percent(often), random.percent(20)]
                })
                .collect();
            let found = violated(&design, &trace);
            for (property, found) in properties.iter().zip(found) {
                let expected = property.violated(&trace, is_disabled);
                assert_eq!(found, expected, "{} on {trace:?}", property.text());
                violations += usize::from(found.is_some());
            }
        }
    }
    assert!(violations > 1000, "{violations}");
}

/// The names of the properties, and the first cycle of a trace in which each is violated.
fn found(text: &str, trace: &[Cycle]) -> Vec<(String, Option<usize>)> {
    let design = design(text);
    let names = design.circuit.lowered.system.properties.iter().map(|property| property.name.clone());
    names.zip(violated(&design, trace)).collect()
}

const TRACE: [Cycle; 5] = [
    [true, false, false, false],
    [false, true, false, false],
    [true, false, true, false],
    [true, false, false, true],
    [false, false, true, false],
];

#[test]
fn names_and_defaults_are_those_of_the_module() {
    let text = "module other(input clk, d); default disable iff (1'b1); default clocking @(posedge d); endclocking\n\
        endmodule module top(input clk, a, b, c, d);\n\
        clocking cb @(posedge clk); endclocking : cb\n\
        default clocking cb; default disable iff (d);\n\
        property next(x, y, int n = 1); x |-> ##n y; endproperty : next\n\
        sequence both(x); x ##1 seen(.y(!x)); endsequence sequence seen(y); y; endsequence\n\
        property clocked; @(posedge clk) disable iff (1'b0) a |=> b; endproperty\n\
        one: assert property (next(a, b));\n\
        two: assert property (next(.y(c), .x(b), .n(2 )));\n\
        three: assert property (both(a) |-> b) else $error(\"%d; no\", a);\n\
        four: assert property (clocked) $display(\"yes\"); else begin $display(\"no\"); end\n\
        five: assert property (@(cb) disable iff (c) (((a |=> b))));\n\
        six: assert property (!c);\n\
        endmodule";
    let expected = [
        // a in cycle 2 wants b in cycle 3, where d disables it.
        ("one", None),
        ("two", None),
        ("three", None),
        ("four", Some(3)),
        ("five", None),
        ("six", Some(2)),
    ];
    let expected = expected.map(|(name, cycle)| (name.to_owned(), cycle));
    assert_eq!(found(text, &TRACE), expected);
    // Without the second c, `five` fails too.
    let mut trace = TRACE;
    trace[2][2] = false;
    assert_eq!(found(text, &trace)[4].1, Some(3));
}

/// In the first cycle the value before it is that which a register begins with, and else any.
#[test]
fn hl_t8_the_cycle_before_the_first_one() {
    let text = "module top(input clk, a, b, c, d); reg zero = 0, one = 1, none; wire w = one;\n\
        always @(posedge clk) begin zero <= a; one <= a; none <= a; end\n\
        fell: assert property (@(posedge clk) $fell(one) |-> $past(one));\n\
        was: assert property (@(posedge clk) !$past(zero) && $past(one, 2) || b || c);\n\
        any: assert property (@(posedge clk) $past(none) == $past(a) || !zero);\n\
        endmodule";
    let design = design(text);
    let mut system = design.circuit.lowered.system.clone();
    let circuit = Circuit::of(&mut system).expect("a circuit");
    // Arbitrary: `none`, and the pasts of `none` and of an input.
    assert_eq!(circuit.arbitrary.len(), 3);
    assert_eq!(violated(&design, &TRACE)[..2], [None, None]);
    // With the other value at first it fails at once.
    let other = text.replace("one = 1", "one = 0");
    assert_eq!(found(&other, &TRACE)[1].1, Some(0));
}

/// Conditional compilation is left to Yosys: what is refused may not be there, and a default counts where it is.
#[test]
fn hl_t8_defaults_and_refusals_count_where_they_are_compiled() {
    let module = |text: &str| format!("module top(input clk, a, b, c, d);\n{text}\nendmodule");
    let clocked = "default clocking @(posedge clk); endclocking";
    let conditional = module(&format!(
        "{clocked}\n`ifdef NEVER\ndefault disable iff (1);\ngone: assert property (s_eventually a);\n`else\n\
         default disable iff (b);\nhere: assert property (a |=> c);\n`endif"
    ));
    // b does not disable the attempt that begins in cycle 2.
    assert_eq!(found(&conditional, &TRACE), [("here".to_owned(), Some(3))]);
    let cases = [
        ("default disable iff (d);\n`ifdef NEVER\n`endif\nassert property (s_eventually a);", "E1120"),
        ("assert property (a |-> strong(##[1:2] b));", "E1120"),
        ("assert property (a |-> ##[1:$] b);", "E1120"),
        ("`ifdef NEVER\ndefault disable iff (d);\n`endif\nassert property (a |=> b);", "E1121"),
        (
            "property p; a; endproperty\n`ifndef NEVER\nproperty p; b; endproperty\n`endif\nassert property (p);",
            "E1121",
        ),
        ("assert property (a throughout b ##1 c);", "E1121"),
        ("assert property (a |-> ##[0:1] b ##1 c);", "E1121"),
        ("assert property (a ##N b);", "E1121"),
        ("assert property (a[->2] |-> b);", "E1121"),
        ("assert property (a[*0:1] ##1 b);", "E1121"),
        ("assert property (@(posedge clk iff b) a |=> b);", "E1121"),
        ("assert property (@(clk) a |=> b);", "E1121"),
        ("sequence s; a ##1 b; endsequence assert property (s.triggered |=> c);", "E1121"),
        ("property p; p; endproperty assert property (p);", "E1121"),
        ("property p; logic x; (a, x = b) |=> x; endproperty assert property (p);", "E1121"),
        ("always @(posedge clk) assert property (a |=> b);", "E1121"),
    ];
    for (text, code) in cases {
        let errors = try_design(&module(&format!("{clocked}\n{text}"))).expect_err(text);
        let codes: Vec<&str> = errors.iter().map(|error| error.explanation.code).collect();
        assert_eq!(codes, [code], "{text}: {errors:?}");
    }
    let errors = try_design(&module("assert property (a |=> b);")).expect_err("there is no clock");
    assert!(errors[0].message.contains("it has no clock"), "{errors:?}");
    // A clock that is not the clock of the registers.
    let other = module("reg q; always @(posedge clk) q <= a; assert property (@(posedge d) a |=> q);");
    assert_eq!(try_design(&other).expect_err("two clocks")[0].explanation.code, "E1104");
}

/// What is within a block is immediate, and conditions of blocks apply.
#[test]
fn properties_within_blocks_are_immediate() {
    let text = "module top(input clk, a, b, c, d);\n\
        always @(posedge clk) begin if (b) x: assert property (a |-> c); y: assert final (a || b) else $error(\"no\"); end\n\
        always @* begin case ({a, b}) 2'b10: assert (!c) else $fatal; default: z: assert #0 (1); endcase end\n\
        endmodule";
    let found = found(text, &TRACE);
    let found: Vec<(&str, Option<usize>)> =
        found.iter().map(|(name, cycle)| (name.as_str(), *cycle)).collect();
    assert_eq!(found, [("x", None), ("y", Some(4)), ("d.sv:3", Some(2)), ("z", None)]);
}

/// Statements in generate blocks are called as they are written, in each of them.
#[test]
fn generated_statements_have_their_paths() {
    let text = "module lanes(input clk, a, b); genvar i;\n\
        for (i = 0; i < 11; i = i + 5) begin : lane reg q; always @(posedge clk) begin q <= a;\n\
        x: assert (q || i != 5); if (b)\n assert (q); end y: assert property (@(posedge clk) a |=> q);\n\
        if (i > 0) begin : more z: assert property (q == a); end end\n\
        if (1) w: assert property (a);\n\
        for (i = 0; i < 2; i = i + 1) begin : two always @* case (a) 1'b1: begin v: assert (b); end default: assert (!a); endcase end\n\
        endmodule module top(input clk, a, b, c, d); lanes u(clk, a, b); endmodule";
    let found = found(text, &TRACE);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "u.lane[0].x",
        "u.lane[5].x",
        "u.lane[10].x",
        "d.sv:4@u.lane[0]",
        "d.sv:4@u.lane[5]",
        "d.sv:4@u.lane[10]",
        "u.lane[0].y",
        "u.lane[5].y",
        "u.lane[10].y",
        "u.lane[5].more.z",
        "u.lane[10].more.z",
        "u.genblk2.w",
        "u.two[0].v",
        "u.two[1].v",
        "d.sv:7@u.two[0]",
        "d.sv:7@u.two[1]",
    ];
    let mut sorted = (names.clone(), expected.to_vec());
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    assert_eq!(sorted.0, sorted.1, "{names:?}");
    // q is false at first: only lane 5 asserts something about it.
    assert_eq!(found.iter().find(|(name, _)| name == "u.lane[5].x").map(|(_, cycle)| *cycle), Some(Some(0)));
    assert_eq!(found.iter().find(|(name, _)| name == "u.lane[10].x").map(|(_, cycle)| *cycle), Some(None));
}

/// Registers that follow attempts have names that say so, and runs do not show them.
#[test]
fn registers_of_properties_are_not_those_of_the_design() {
    let design = design(
        "module top(input clk, a, b, c, d); reg q = 0; always @(posedge clk) q <= a;\n\
         waits: assert property (@(posedge clk) a ##2 b |=> c);\n\
         assert property (@(posedge clk) $past(q) |-> $past(d));\n endmodule",
    );
    let system = &design.circuit.lowered.system;
    let name = |symbol: &SymbolId| system.store.symbol(*symbol).name.clone();
    let mut auxiliary: Vec<String> = system.auxiliary.iter().map(name).collect();
    auxiliary.sort_unstable();
    assert_eq!(auxiliary, ["$past(d)", "$past(q)", "waits.attempts", "waits.attempts#2"]);
    let others = system.state.iter().filter(|var| !system.auxiliary.contains(&var.symbol));
    assert_eq!(others.map(|var| name(&var.symbol)).collect::<Vec<_>>(), ["q"]);
}

/// Defaults of a module and statements in files that it includes do not see each other, so they are refused together.
#[test]
fn hl_t8_defaults_of_other_files_are_refused() {
    need_yosys();
    let refused = |module: &str, included: &str| {
        let text = format!("module top(input clk, a, b);\n{module}\n`include \"more.vh\"\nendmodule");
        let (mut files, mut is_over) = (|_: &str| Some(included.as_bytes().to_vec()), || false);
        let mut around = Surroundings::new(&mut files, &mut is_over);
        let errors = read("d.sv", &text, &Options::default(), &mut around).err();
        errors.map(|errors| errors[0].explanation.code)
    };
    let (default, clocked) =
        ("default disable iff (b);", "assume property (@(posedge clk) a);\nassert property (a);");
    assert_eq!(refused("", clocked), None);
    assert_eq!(refused(default, clocked), Some("E1121"));
    assert_eq!(refused(clocked, default), Some("E1121"));
    assert_eq!(refused(clocked, "default clocking @(posedge clk); endclocking"), Some("E1121"));
    assert_eq!(refused(default, "always @* assert (a);"), None);
}
