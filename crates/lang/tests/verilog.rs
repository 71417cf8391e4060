//! Verilog designs, from text to circuit. These tests need Yosys and fail without it: run `make setup`, or install it.

use std::path::{Path, PathBuf};
use tenet_lang::diagnostic::Diagnostic;
use tenet_lang::frontend::{Source, Surroundings};
use tenet_lang::murphi::unbounded::describe;
use tenet_lang::verilog::conditions::Kind;
use tenet_lang::verilog::formal::Reset;
use tenet_lang::verilog::sources::Others;
use tenet_lang::verilog::{Options, Verilog, read, yosys};

/// The Yosys that `tools/setup` provides for tests, else the one of the environment.
fn need_yosys() {
    let provided = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/yosys/bin/yosys");
    if std::env::var_os(yosys::VARIABLE).is_none() && provided.is_file() {
        yosys::choose(&provided);
    }
    let version = std::process::Command::new(yosys::program()).arg("-V").output();
    assert!(
        version.is_ok_and(|output| output.status.success()),
        "these tests need Yosys: run `make setup` with a network, or install it (apt install yosys)"
    );
}

type Read = Result<(Verilog, Vec<Diagnostic>), Vec<Diagnostic>>;

fn read_with(name: &str, text: &str, options: &Options, others: &[(&str, &str)]) -> Read {
    need_yosys();
    let mut files = |name: &str| {
        others.iter().find(|(known, _)| *known == name).map(|(_, content)| content.as_bytes().to_vec())
    };
    read(name, text, options, &mut Surroundings::new(&mut files, &mut || false))
}

fn design(text: &str) -> (Verilog, Vec<Diagnostic>) {
    read_with("d.v", text, &Options::default(), &[]).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

fn described(text: &str) -> String {
    describe(&design(text).0.circuit.lowered.system)
}

fn codes(found: &[Diagnostic]) -> Vec<&str> {
    found.iter().map(|diagnostic| diagnostic.explanation.code).collect()
}

fn file(name: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog").join(name);
    std::fs::read_to_string(path).expect("the design is there")
}

#[test]
fn names_are_those_of_the_source() {
    let (design, _) = design(
        "module sub(input clk, input d, output reg q); always @(posedge clk) q <= d; endmodule\n\
         module top(input clk, input d, output q);\n reg [3:0] n = 3; sub u(clk, d, q);\n\
         always @(posedge clk) begin n <= n + q; if (d)\n here: assert (n != 9);\n assert (q || n < 12);\n end\nendmodule",
    );
    let system = &design.circuit.lowered.system;
    let mut registers: Vec<&str> =
        system.state.iter().map(|var| system.store.symbol(var.symbol).name.as_str()).collect();
    registers.sort_unstable();
    assert_eq!(registers, ["n", "u.q"]);
    let properties: Vec<&str> = system.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(properties, ["here", "d.v:6"]);
    let inputs: Vec<&str> =
        system.rules[0].params.iter().map(|&input| system.store.symbol(input).name.as_str()).collect();
    assert_eq!(inputs, ["d"]);
}

#[test]
fn statements_speak_of_the_cycle_they_are_checked_in() {
    let text = described(
        "module top(input clk, input go, input [3:0] d); reg [3:0] n = 0;\n\
         always @(posedge clk) begin if (go) begin n <= d; assert (n < 5); end assume (d < 5); end endmodule",
    );
    let expected = "\
state n : bits(4)

start \"start\"
  n := 4'h0

rule \"step\" (d : bits(4); go : boolean)
  when bvult(d, 4'h5)
  n := go ? d : n

invariant \"d.v:2\"
  forall d : bits(4); go : boolean. bvult(d, 4'h5) -> !(bvule(4'h5, n) & go)
";
    assert_eq!(text, expected);
}

#[test]
fn hl_t8_undefined_values_need_not_be_equal() {
    let (design, _) = design(
        "module top(input clk, input a, input b);\n\
         always @* assert ((a ? 1'bx : 1'b0) == (b ? 1'bx : 1'b0)); endmodule",
    );
    let system = &design.circuit.lowered.system;
    let names: Vec<&str> =
        system.rules[0].params.iter().map(|&input| system.store.symbol(input).name.as_str()).collect();
    assert_eq!(names.iter().filter(|name| name.starts_with("undefined")).count(), 2, "{names:?}");
}

#[test]
fn hl_t8_undriven_wires_have_any_value() {
    let text = described("module top(input clk); wire [1:0] w; always @* assert (w != 2 || w[1]); endmodule");
    assert!(text.contains("w : bits(2))\n"), "{text}");
}

#[test]
fn hl_t8_addresses_behind_the_end_are_guarded() {
    let text = described(
        "module top(input clk, input [2:0] a, input [3:0] w, input we, input [7:0] d); reg [7:0] m [0:4]; reg [7:0] r;\n\
         always @(posedge clk) begin if (we) m[w] <= d; r <= m[a]; end always @* assert (r != 1 || we); endmodule",
    );
    // A write to address 9 must not change word 1, and a read past the end gives anything.
    let write = "m := !we | bvule(4'h5, w) ? m : (lambda u : bits(3). u = w[2:0] ? d : m[u])";
    assert!(text.contains(write), "{text}");
    assert!(text.contains("bvult(a, 3'h5) ? m[a] : undefined"), "{text}");
}

#[test]
fn a_reset_is_active_once_and_hides_the_first_cycle() {
    let text = "module top(input clk, input rst_n, input d); reg q; always @(posedge clk) if (!rst_n) q <= 0; else q <= d & q;\n\
         always @* assert (!q); endmodule";
    let reset = Some(Reset { name: "rst_n".to_owned(), is_active_low: true });
    let options = Options { reset, ..Options::default() };
    let (design, _) = read_with("d.v", text, &options, &[]).expect("a design");
    let described = describe(&design.circuit.lowered.system);
    assert!(
        described.contains("first_cycle := true") && described.contains("first_cycle := false"),
        "{described}"
    );
    assert!(described.contains("  when !(first_cycle <-> rst_n)"), "{described}");
    for name in ["rst", "clk"] {
        let reset = Some(Reset { name: name.to_owned(), is_active_low: false });
        let wrong = Options { reset, ..Options::default() };
        assert_eq!(codes(&read_with("d.v", text, &wrong, &[]).expect_err("no reset")), ["E1114"]);
    }
}

#[test]
fn parameters_are_set_with_and_without_a_top_module() {
    let text = "module leaf #(parameter W = 2)(input clk, input [W-1:0] x); reg [W-1:0] r; always @(posedge clk) r <= x;\n\
         always @* assert (r < 1000); endmodule\n\
         module top #(parameter W = 3)(input clk, input [W-1:0] x); leaf #(.W(W)) l(clk, x); endmodule";
    for top in [None, Some("top".to_owned())] {
        let consts = vec![("W".to_owned(), "5".to_owned())];
        let (design, _) =
            read_with("d.v", text, &Options { top, consts, ..Options::default() }, &[]).expect("a design");
        assert!(describe(&design.circuit.lowered.system).contains("state l.r : bits(5)"));
    }
    let unknown = Options { consts: vec![("NOPE".to_owned(), "1".to_owned())], ..Options::default() };
    assert_eq!(codes(&read_with("d.v", text, &unknown, &[]).expect_err("no such parameter")), ["E1101"]);
    let leaf = Options { top: Some("leaf".to_owned()), ..Options::default() };
    let (design, _) = read_with("d.v", text, &leaf, &[]).expect("a design");
    assert!(describe(&design.circuit.lowered.system).contains("state r : bits(2)"));
    for top in ["gone", "top; shell rm", "-h"] {
        let options = Options { top: Some(top.to_owned()), ..Options::default() };
        assert!(read_with("d.v", text, &options, &[]).is_err(), "{top}");
    }
}

#[test]
fn included_files_are_found_whatever_they_are_called() {
    let text = "`include \"sub dir/de'fs.vh\"\nmodule top(input clk); reg [`W-1:0] r; initial $readmemb(\"c.mem\", m);\n\
         reg [1:0] m [0:1]; always @(posedge clk) r <= m[r[0]]; always @* assert (r < 3); endmodule";
    let others =
        [("a \"b\"/sub dir/de'fs.vh", "`define W 2\n`include \"../more.vh\"\n"), ("a \"b\"/c.mem", "01 10")];
    let others: Vec<(&str, &str)> = others.into_iter().chain([("a \"b\"/sub dir/../more.vh", "")]).collect();
    let (design, _) = read_with("a \"b\"/d e.v", text, &Options::default(), &others).expect("a design");
    assert_eq!(design.files.len(), 4);
    assert_eq!(design.circuit.lowered.system.properties[0].name, "d_e.v:3");
}

#[test]
fn what_has_no_meaning_is_refused() {
    let module = |ports: &str, body: &str| format!("module top({ports});\n{body}\nendmodule\n");
    let clocked = "input clk, input a, output reg b";
    let cases = [
        (module("input clk", "wire x = 1 +;"), "E1101"),
        (module("input clk", "foo u(clk);"), "E1101"),
        (format!("`include \"nope.vh\"\n{}", module("input clk", "")), "E1102"),
        (
            module(
                "input c, d, input a, output reg b, e",
                "always @(posedge c) b <= a; always @(posedge d) e <= a; always @* assert (b);",
            ),
            "E1104",
        ),
        (
            module(
                "input c, input a, output reg b, e",
                "always @(posedge c) b <= a; always @(negedge c) e <= a; always @* assert (b);",
            ),
            "E1104",
        ),
        (
            module(
                "input c, input a, output reg b",
                "reg d = 0; always @(posedge c) d <= !d; always @(posedge d) b <= a; always @* assert (b);",
            ),
            "E1104",
        ),
        (
            module(
                "input c, input e, output reg b",
                "wire g = c & e; always @(posedge g) b <= e; always @* assert (b);",
            ),
            "E1104",
        ),
        (module(clocked, "always @(posedge clk) b <= a ^ clk; always @* assert (b);"), "E1104"),
        (
            module("input clk, input a, output b", "assign b = a; assign b = ~a; always @* assert (b);"),
            "E1105",
        ),
        (
            module(
                clocked,
                "always @(posedge clk) b <= a; always @(posedge clk) b <= ~a; always @* assert (b);",
            ),
            "E1105",
        ),
        (
            module("input clk, input a, output b", "wire x = b ^ a; assign b = ~x; always @* assert (b);"),
            "E1106",
        ),
        // Two inverters must not be taken for a wire first, nor may a choice between the same.
        (module("input clk", "wire x, y; assign x = !y; assign y = !x; always @* assert (x != y);"), "E1106"),
        (module("input clk", "reg x; always @* x = ~x; always @* assert (x);"), "E1106"),
        (module("input clk, input a", "wire x = a ? x : x; always @* assert (x | a);"), "E1106"),
        // Latches that are open at the same time are a loop.
        (
            module(
                "input clk, a, e",
                "reg p, q; always @* if (a) p = !q; always @* if (e) q = p; always @* assert (q);",
            ),
            "E1106",
        ),
        // A latch may not be opened by the clock.
        (
            module(
                clocked,
                "reg q; always @* if (clk) q = a; always @(posedge clk) b <= q; always @* assert (b);",
            ),
            "E1104",
        ),
        (module("input clk, input a, output b", "assign b = clk ? a : 1'bz; always @* assert (b);"), "E1108"),
        (module("input clk, inout a", "always @* assert (a);"), "E1108"),
        (module("input clk, input a", "always @* assert (a !== 1'bx);"), "E1109"),
        // Yosys would drop these branches before an undefined value could be any value.
        (module(clocked, "always @(posedge clk) if (1'bx) b <= a; always @* assert (b);"), "E1109"),
        (
            module(
                clocked,
                "always @(posedge clk) case ({a, 1'bx}) 3: b <= a; endcase always @* assert (b);",
            ),
            "E1109",
        ),
        ("// nothing".to_owned(), "E1103"),
        (
            format!(
                "(* blackbox *) module bb(inout y); endmodule\n{}",
                module("input clk", "wire y; bb u(y); always @* assert (y);")
            ),
            "E1109",
        ),
        (
            module(
                "input clk, input r, s, output reg b",
                "always @(posedge clk or posedge r) if (r) b <= s; else b <= 1; always @* assert (b);",
            ),
            "E1109",
        ),
    ];
    for (text, code) in cases {
        match read_with("d.v", &text, &Options::default(), &[]) {
            Ok(_) => panic!("{code}: accepted:\n{text}"),
            Err(errors) => assert!(codes(&errors).contains(&code), "{code}: {errors:?}\n{text}"),
        }
    }
    let text = module(
        "input clk, ck, input a, output reg b",
        "always @(posedge clk) b <= a; always @* assert (b | ck);",
    );
    let options = |clock: &str| Options { clock: Some(clock.to_owned()), ..Options::default() };
    assert!(read_with("d.v", &text, &options("clk"), &[]).is_ok());
    assert_eq!(codes(&read_with("d.v", &text, &options("ck"), &[]).expect_err("another clock")), ["E1104"]);
    assert_eq!(codes(&read_with("d.v", &text, &options("c"), &[]).expect_err("no such input")), ["E1114"]);
}

/// What a module without content does is not known, so it may do anything, and the answer says so.
#[test]
fn hl_t8_the_outputs_of_black_boxes_are_inputs() {
    for mark in ["", "(* blackbox *)"] {
        let text = format!(
            "{mark} module bb(clk, a, y, z); input clk, a; output [1:0] y; output z; endmodule\n\
             module sub(input clk, d, output ok); wire [1:0] y; wire z; bb u(.clk(clk), .a(d), .z(z), .y(y));\n\
             assign ok = y != 3 || z; endmodule\n\
             module top(input clk, d); wire ok; reg r = 0; sub s(clk, d, ok);\n\
             always @(posedge clk) begin r <= d; assert (ok || r); end endmodule"
        );
        let (read, warnings) = design(&text);
        assert_eq!(codes(&warnings), ["E1118"], "{warnings:?}");
        assert!(warnings[0].message.contains("`bb` has no content; the outputs of `s.u`"), "{warnings:?}");
        let system = &read.circuit.lowered.system;
        let name = |&input: &tenet_term::SymbolId| system.store.symbol(input).name.clone();
        let mut inputs: Vec<String> = system.rules[0].params.iter().map(name).collect();
        inputs.sort_unstable();
        assert_eq!(inputs, ["d", "s.u.y", "s.u.z"]);
        assert!(system.conditions[0].contains("black box `s.u` (module `bb`)"), "{:?}", system.conditions);
    }
}

#[test]
fn nothing_is_dropped_without_a_word() {
    let (_, warnings) = design(
        "module unused(input a); always @* assert (a); endmodule\n\
         module top(input clk, input a); always @* begin assert (a);\n cover (!a);\n`ifdef NO\n assert (!a);\n`endif\n\
         if (misspelt) assert (1); end endmodule",
    );
    // Yosys finds no top module above `unused`, which is never instantiated: one of the two is the top.
    let mut found = codes(&warnings);
    found.sort_unstable();
    assert_eq!(found, ["E1111", "E1112", "E1112", "E1113"], "{warnings:?}");
}

#[test]
fn hl_a9_every_condition_is_found() {
    let text = file("traffic.v");
    let options = Options { top: Some("traffic".to_owned()), ..Options::default() };
    let (design, _) = read_with("traffic.v", &text, &options, &[]).expect("a design");
    let found: Vec<(usize, &str, &str, Kind)> = design
        .branches
        .iter()
        .map(|branch| &branch.condition)
        .map(|condition| {
            (condition.line, condition.instance.as_str(), condition.text.as_str(), condition.kind)
        })
        .collect();
    for expected in [
        (11, "one", "rst", Kind::If),
        (16, "one", "state == RED", Kind::Arm),
        (16, "two", "go", Kind::If),
        (25, "two", "count >= delay || count >= `LONGEST", Kind::If),
        (27, "one", "default of state", Kind::Default),
        (43, "", "x[1]", Kind::If),
        (52, "", "a != 0", Kind::If),
        (53, "", "busy", Kind::If),
        (54, "", "wish + 2'd3", Kind::Conditional),
        (63, "", "mode == 3'b01? || mode == 3'b000", Kind::Arm),
        (66, "", "mode == 3'd1 || mode == 3'd2", Kind::Arm),
        (70, "", "wish[i]", Kind::If),
        (77, "", "wish[k]", Kind::If),
    ] {
        assert!(found.contains(&expected), "{expected:?} is not among {found:#?}");
    }
    // An unrolled loop has its condition once for each iteration, with another meaning.
    assert_eq!(found.iter().filter(|(line, ..)| *line == 70).count(), 2);
    assert!(design.circuit.lowered.system.branches.len() > 20);
}

/// Places in further and in included files, whatever is before them on their line.
#[test]
fn every_property_has_its_place() {
    let top = "module top(input clk, input a); wire b; sub u(a, b); always @* one: assert (a); endmodule\n";
    let sub = "`include \"x.vh\" module sub(input a, output b); assign b = a;\n`include \"é.vh\"\nendmodule";
    let included = "\n\n /* é */ always @* two: assert (a);\n always @* assert (b);";
    let others =
        Others { files: vec!["r/sub.v".to_owned()], folders: vec!["inc".to_owned()], ..Others::default() };
    let options = Options { others, ..Options::default() };
    let files = [("r/sub.v", sub), ("inc/é.vh", included), ("r/x.vh", "`define X")];
    let (design, _) = read_with("top.v", top, &options, &files).expect("a design");
    let source = Source { included: vec_of(&design), ..Source::new("top.v", top) };
    let parts = source.parts();
    let place = |property: &tenet_system::Property| {
        let start = property.source.start as usize;
        let (name, text, begin) = parts.iter().rev().find(|(.., begin)| *begin <= start).expect("a part");
        (property.name.clone(), *name, text[start - begin..][..10].to_owned())
    };
    let found: Vec<_> = design.circuit.lowered.system.properties.iter().map(place).collect();
    let expected = [
        ("one".to_owned(), "top.v", "assert (a)".to_owned()),
        ("u.two".to_owned(), "inc/é.vh", "assert (a)".to_owned()),
        ("é.vh:4@u".to_owned(), "inc/é.vh", "assert (b)".to_owned()),
    ];
    assert_eq!(found, expected);
}

fn vec_of(design: &Verilog) -> Vec<(String, String)> {
    design.files.iter().skip(1).map(|file| (file.name.clone(), file.text.clone())).collect()
}

/// Macros go from file to file in their order, but packages come first.
#[test]
fn files_are_one_text() {
    let top = "module top(input clk, input [p::W-1:0] a); always @* assert (a < `LIMIT); endmodule";
    let files = [("limit.v", "`define LIMIT `MORE + 1"), ("p.sv", "package p; localparam W = 5; endpackage")];
    let read = |files: &[(&str, &str)], order: &[&str]| {
        let others = Others {
            files: order.iter().skip(1).map(|name| (*name).to_owned()).collect(),
            defines: vec![("MORE".to_owned(), "2 + 4".to_owned())],
            ..Others::default()
        };
        let main = files.iter().find(|(name, _)| *name == order[0]).expect("the first file");
        read_with(order[0], main.1, &Options { others, ..Options::default() }, files)
    };
    let files = [files[0], files[1], ("top.sv", top)];
    let (design, _) = read(&files, &["limit.v", "top.sv", "p.sv"]).expect("a design");
    assert!(describe(&design.circuit.lowered.system).contains("bvult(a, 5'h07)"));
    let errors = read(&files, &["top.sv", "p.sv", "limit.v"]).expect_err("the macro is not defined yet");
    assert_eq!(codes(&errors), ["E1101"]);
    let errors = read(&files, &["limit.v", "gone.v"]).expect_err("there is no such file");
    assert_eq!(codes(&errors), ["E1102"]);
}

/// The reset is guessed only if its name, its uses and the assumptions agree, and only if there is something to reset.
#[test]
fn hl_t8_an_obvious_reset_is_guessed() {
    let options = Options { guesses_reset: true, ..Options::default() };
    let read = |inputs: &str, text: &str| {
        let text =
            format!("module top(input clk, d, {inputs}); {text} always @* assert (d || q == 0); endmodule");
        let (design, warnings) =
            read_with("d.v", &text, &options, &[]).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        assert_eq!(
            design.guessed_reset.is_some(),
            design.circuit.lowered.system.conditions.len() == 1,
            "{text}"
        );
        (design.guessed_reset, codes(&warnings).join(" "))
    };
    let guessed = |reset: &str| (Some(reset.to_owned()), String::new());
    let synchronous = |condition: &str| {
        format!("reg [1:0] q; always @(posedge clk) if ({condition}) q <= 0; else q <= q + d;")
    };
    assert_eq!(read("rst", &synchronous("rst")), guessed("rst"));
    assert_eq!(read("resetn", &synchronous("!resetn")), guessed("!resetn"));
    assert_eq!(read("i_rst_n", &synchronous("~i_rst_n == 1'b1")), guessed("!i_rst_n"));
    let asynchronous =
        "reg [1:0] q; always @(posedge clk or negedge rst_ni) if (!rst_ni) q <= 2; else q <= q + d;";
    assert_eq!(read("rst_ni", asynchronous), guessed("!rst_ni"));
    // The name and the use disagree, or some use does; there are two; the name says nothing.
    let perhaps = (None, "E1122".to_owned());
    assert_eq!(read("rst_n", &synchronous("rst_n")), perhaps);
    assert_eq!(read("rst", &synchronous("!rst")), perhaps);
    let both = format!("{} reg r; always @(posedge clk) if (!rst) r <= 1; else r <= d;", synchronous("rst"));
    assert_eq!(read("rst", &both), perhaps);
    let two = format!("{} reg r; always @(posedge clk) if (reset) r <= 1; else r <= d;", synchronous("rst"));
    assert_eq!(read("rst, reset", &two), perhaps);
    assert_eq!(read("go", &asynchronous.replace("rst_ni", "go")), perhaps);
    // An assumption speaks of it: the first cycle might be impossible.
    let assumed = format!(
        "{} reg past; always @(posedge clk) past <= rst; always @* assume (!past);",
        synchronous("rst")
    );
    let text = format!("module top(input clk, d, rst); {assumed} always @* assert (d || q == 0); endmodule");
    let (design, warnings) = read_with("d.v", &text, &options, &[]).expect("a design");
    assert_eq!((design.guessed_reset, codes(&warnings)), (None, vec!["E1122"]));
    // Every register has an initial value; or it is no reset.
    let nothing = (None, String::new());
    assert_eq!(read("rst", &synchronous("rst").replace("q;", "q = 0;")), nothing);
    assert_eq!(read("first", &synchronous("first")), nothing);
}
