//! Verilog designs and their versions with named conditions mean the same (HL-A9). Needs Yosys, and fails without it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tenet_lang::frontend::Surroundings;
use tenet_lang::verilog::rewrite::rewrite;
use tenet_lang::verilog::{Options, Verilog, read, yosys};
use tenet_solve::{Answer, Solver, Z3Solver};
use tenet_system::{Circuit, System};
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The Yosys that `tools/setup` provides for tests, else the one of the environment.
fn need_yosys() {
    let provided = root().join(".deps/yosys/bin/yosys");
    if std::env::var_os(yosys::VARIABLE).is_none() && provided.is_file() {
        yosys::choose(&provided);
    }
    let version = std::process::Command::new(yosys::program()).arg("-V").output();
    assert!(
        version.is_ok_and(|output| output.status.success()),
        "this test needs Yosys: run `make setup` with a network, or install it (apt install yosys)"
    );
}

/// Our own designs.
fn designs() -> Vec<PathBuf> {
    let folders = [root().join("crates/lang/tests/verilog"), root().join("models/rtl")];
    let files = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let files = files.map(|entry| entry.expect("a folder can be listed").path());
    let mut designs: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|ending| ending == "v" || ending == "sv")).collect();
    designs.sort_unstable();
    designs
}

fn design(file: &Path, text: &str) -> Verilog {
    let name = file.to_string_lossy();
    let mut files = |name: &str| std::fs::read(name).ok();
    let mut is_over = || false;
    let mut around = Surroundings::new(&mut files, &mut is_over);
    let read = read(&name, text, &Options::default(), &mut around);
    read.unwrap_or_else(|errors| panic!("{name}: {errors:?}\n{text}")).0
}

/// Copies terms from one store to another; symbols are the same if they have the same name, sort and role.
struct Import<'a> {
    from: &'a TermStore,
    to: &'a mut TermStore,
    known: HashMap<TermId, TermId>,
}

impl Import<'_> {
    fn sort(&mut self, sort: SortId) -> SortId {
        match self.from.sort(sort).clone() {
            Sort::Bool => SortId::BOOL,
            Sort::BitVec(width) => self.to.bitvec_sort(width),
            Sort::Function { args, result } => {
                let args: Vec<SortId> = args.iter().map(|&arg| self.sort(arg)).collect();
                let result = self.sort(result);
                self.to.function_sort(&args, result)
            }
            other => panic!("a circuit has no {other:?}"),
        }
    }

    fn symbol(&mut self, symbol: SymbolId) -> SymbolId {
        let known = self.from.symbol(symbol).clone();
        let sort = self.sort(known.sort);
        let is_same = |other: &tenet_term::Symbol| {
            (&other.name, other.sort, other.role) == (&known.name, sort, known.role)
        };
        let same = self.to.symbols().find(|(_, other)| is_same(other)).map(|(id, _)| id);
        match same {
            Some(id) => id,
            None => self.to.declare(&known.name, sort, known.role),
        }
    }

    fn term(&mut self, term: TermId) -> TermId {
        for part in self.from.subterms(term) {
            if self.known.contains_key(&part) {
                continue;
            }
            let op = match self.from.op(part).clone() {
                Op::Symbol(symbol) => Op::Symbol(self.symbol(symbol)),
                Op::Lambda(bound) => Op::Lambda(bound.iter().map(|&symbol| self.symbol(symbol)).collect()),
                Op::Forall(bound) => Op::Forall(bound.iter().map(|&symbol| self.symbol(symbol)).collect()),
                op => op,
            };
            let args: Vec<TermId> = self.from.args(part).iter().map(|arg| self.known[arg]).collect();
            let copy = self.to.raw(op, &args);
            self.known.insert(part, copy);
        }
        self.known[&term]
    }
}

/// Values by name: what registers become, what is assumed, what must not happen.
fn values(system: &mut System) -> Vec<(String, TermId)> {
    let circuit = Circuit::of(system).expect("a design is a circuit");
    let registers = circuit.state.iter().zip(&circuit.next);
    let mut values: Vec<(String, TermId)> =
        registers
            .map(|(symbol, next)| (format!("next {}", system.store.symbol(*symbol).name), *next))
            .chain(
                circuit.initial.iter().zip(&circuit.state).map(|(initial, symbol)| {
                    (format!("first {}", system.store.symbol(*symbol).name), *initial)
                }),
            )
            .chain(circuit.bad.iter().enumerate().map(|(number, bad)| (format!("bad {number}"), *bad)))
            .chain([("constraint".to_owned(), circuit.constraint)])
            .collect();
    values.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    values
}

/// That two values are different; for memories, at some place.
fn different(store: &mut TermStore, left: TermId, right: TermId) -> TermId {
    match store.sort(store.sort_of(left)).clone() {
        Sort::Function { args, .. } => {
            let place = store.fresh("place", args[0], Role::Const);
            let place = store.mk_symbol(place);
            let (left, right) = (store.mk_apply(left, &[place]), store.mk_apply(right, &[place]));
            store.mk_ne(left, right)
        }
        _ => store.mk_ne(left, right),
    }
}

#[test]
fn hl_a9_designs_with_named_conditions_are_equivalent() {
    need_yosys();
    let designs = designs();
    assert!(designs.len() >= 2, "our own designs are there");
    for file in designs {
        let text = std::fs::read_to_string(&file).expect("a design can be read");
        let rewritten = rewrite(&text);
        assert!(!rewritten.lifted.is_empty(), "{}: nothing was lifted", file.display());
        let (left, right) = (design(&file, &text), design(&file, &rewritten.text));
        assert_equivalent(&file.to_string_lossy(), left, right);
    }
}

/// The same values next and at first, the same assumptions and violations, whatever the state and the inputs.
fn assert_equivalent(case: &str, left: Verilog, right: Verilog) {
    let (mut left, mut right) = (left.circuit.lowered.system, right.circuit.lowered.system);
    let (before, after) = (values(&mut left), values(&mut right));
    let names = |values: &[(String, TermId)]| values.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&before), names(&after), "{case}");
    let mut import = Import { from: &right.store, to: &mut left.store, known: HashMap::new() };
    let after: Vec<TermId> = after.iter().map(|(_, value)| import.term(*value)).collect();
    for ((name, before), after) in before.iter().zip(after) {
        let question = different(&mut left.store, *before, after);
        let mut solver = Z3Solver::new();
        solver.assert(&left.store, question);
        let answer = solver.check(&left.store, &[]);
        assert!(matches!(answer, Answer::Unsat), "{case}: {name}: {answer:?}");
    }
}

#[test]
fn hl_a9_names_are_new_and_arms_are_covered() {
    for file in designs() {
        let text = std::fs::read_to_string(&file).expect("a design can be read");
        let rewritten = rewrite(&text);
        let mut names: Vec<&str> = rewritten.lifted.iter().map(|lifted| lifted.name.as_str()).collect();
        names
            .iter()
            .for_each(|name| assert!(!text.contains(&format!("{name} ")), "{}: {name}", file.display()));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), rewritten.lifted.len());
        // Each name is declared, defined and used.
        for name in names {
            let uses =
                rewritten.text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| *word == name);
            assert_eq!(uses.count(), 3, "{}: {name}", file.display());
        }
    }
}

/// A design with latches means the same as one with a multiplexer and a register for each.
#[test]
fn hl_t8_a_latch_is_a_multiplexer_and_a_register() {
    need_yosys();
    let latches = |text: &str| format!("module top(input clk, en, clr, d, input [1:0] w); {text} endmodule");
    let cases = [
        // Open, its data is seen in the same cycle; closed, what it had last, also if it was open then.
        (
            "reg q; always @* if (en) q = d; assert property (q);",
            "reg q_stored; wire q = en ? d : q_stored; always @(posedge clk) q_stored <= q; assert property (q);",
        ),
        (
            "reg [1:0] q = 1; always @* if (clr) q = 0; else if (!en) q = w; always @(posedge clk) assert (q != 3);",
            "reg [1:0] q_stored = 1; wire [1:0] q = clr ? 2'd0 : !en ? w : q_stored;\n\
             always @(posedge clk) begin q_stored <= q; assert (q != 3); end",
        ),
        // The value of a register before the edge passes through an open latch, and one latch through another.
        (
            "reg r = 0, q, p; always @(posedge clk) r <= d; always_latch if (en) q = r; always_latch if (clr) p = q;\n\
             assert property (p == q);",
            "reg r = 0, q_stored, p_stored; wire q = en ? r : q_stored; wire p = clr ? q : p_stored;\n\
             always @(posedge clk) begin r <= d; q_stored <= q; p_stored <= p; end assert property (p == q);",
        ),
    ];
    for (latch, register) in cases {
        let read = |text: &str| design(Path::new("d.v"), &latches(text));
        assert_equivalent(latch, read(latch), read(register));
    }
}

/// A design may have its clock from nowhere: a wire that nothing drives has any value.
#[test]
fn the_clock_may_be_a_wire_that_nothing_drives() {
    need_yosys();
    let without =
        "module top; wire clk; reg q = 0; always @(posedge clk) q <= !q; assert property (q); endmodule";
    let with = without.replace("; wire clk", "(input clk)");
    assert_equivalent(without, design(Path::new("d.v"), without), design(Path::new("d.v"), &with));
}
