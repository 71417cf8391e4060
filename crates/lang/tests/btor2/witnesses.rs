//! Witnesses: parsing and printing, and which of them are valid.

use crate::circuits::{Dice, circuit, recipes};
use proptest::prelude::*;
use tenet_lang::btor2::document::Document;
use tenet_lang::btor2::simulate::{Run, Simulator, Values};
use tenet_lang::btor2::witness::{self, Witness};
use tenet_lang::btor2::{parse, replay};

/// Counts while `go`; begins anywhere below 4, and must not get to 5.
const COUNTER: &str = "\
1 sort bitvec 1
2 sort bitvec 3
3 input 1 go
4 state 2 count
5 one 2
6 add 2 4 5
7 ite 2 3 6 4
8 next 2 4 7
9 constd 2 5
10 eq 1 4 9
11 bad 10 five
12 state 1 free
13 bad 12 loose
14 zero 1
15 state 1 old
16 init 1 15 14
17 next 1 15 3
18 constd 2 7
19 neq 1 4 18
20 constraint 19
";

fn document() -> Document {
    parse::parse(COUNTER).unwrap().0
}

/// The result for a witness: the code, and the message.
fn judged(text: &str) -> Result<usize, String> {
    let message =
        |error: tenet_lang::diagnostic::Diagnostic| format!("{} {}", error.explanation.code, error.message);
    let witnesses = witness::read(text).map_err(message)?;
    let mut cycles = 0;
    for (claim, spans) in &witnesses {
        cycles = replay::replay(&document(), claim, spans).map_err(message)?.len();
    }
    Ok(cycles)
}

#[test]
fn a_true_witness_is_believed() {
    assert_eq!(judged("sat\nb0\n#0\n0 011 count#0\n@0\n0 1 go@0\n@1\n0 1 go@1\n@2\n0 0 go@2\n.\n"), Ok(3));
    // What is left out is zero; `x` is either value.
    assert_eq!(judged("; mine\nsat\nb0\n#0\n0 x01\n@0\n0 1\n@1\n0 1\n@2\n0 1\n@3\n0 1\n@4\n.\n"), Ok(5));
    // A state without a next value is chosen in each cycle; several properties at once.
    assert_eq!(judged("sat\nb0 b1\n#0\n0 100\n@0\n0 1\n#1\n1 1\n@1\n.\n"), Ok(2));
    // Computed values may be given, if they are right.
    assert_eq!(
        judged(
            "sat\nb1\n#0\n0 100\n1 1\n2 0 old\n@0\n0 1\n.\nsat\nb0\n#0\n0 100\n@0\n0 1\n#1\n0 101\n2 1\n@1\n.\n"
        ),
        Ok(2)
    );
}

#[test]
fn a_wrong_witness_is_not() {
    let wrong = [
        (
            "sat\nb0\n#0\n0 011\n@0\n0 1\n@1\n0 0\n@2\n.\n",
            "E1014 \"five\" is not reached in cycle 2, the last one",
        ),
        (
            "sat\nb0\n#0\n0 111\n@0\n.\n",
            "E1014 the constraint in line 20 of the model is violated in cycle 0",
        ),
        ("sat\nb1\n#0\n1 1\n2 1\n@0\n.\n", "E1014 in cycle 0, old is 0, not 1"),
        ("sat\nb0\n#0\n0 100\n@0\n0 1\n#1\n0 110\n@1\n.\n", "E1014 in cycle 1, count is 101, not 110"),
        ("sat\nb7\n#0\n@0\n.\n", "E1013 the file has no `bad` line number 7"),
        ("sat\nb0\n#0\n9 1\n@0\n.\n", "E1013 the file has no state number 9"),
        ("sat\nb0\n#0\n0 1\n@0\n.\n", "E1013 a value of count has 3 bits, not 1"),
        ("sat\nb0\n#0\n0 [0] 101\n@0\n.\n", "E1013 count is no array"),
        ("sat\nb0\n@1\n.\n", "E1013 cycle 0 is expected here, found `@1`"),
        ("sat\nb0\n#0\nfive\n@0\n.\n", "E1013 line 4 is no value, such as `0 0101 name`"),
        ("sat\nj0\n#0\n@0\n.\n", "E1013 `j0` is no `bad` line, such as `b0`"),
        ("sat\nb0\n#0\n@0\n", "E1013 the witness has no end: a line with nothing but `.`"),
        ("sat\n#0\n@0\n.\n", "E1013 the witness does not say what it reaches, such as `b0`"),
        ("sat\nb0\n.\n", "E1014 there is no cycle in it"),
        ("unsat\n", "E1013 this says that nothing bad is reached: there is nothing to replay"),
        ("what\n", "E1013 a witness begins with `sat`"),
        ("", "E1013 the file is empty"),
    ];
    for (text, why) in wrong {
        assert_eq!(judged(text), Err(why.to_owned()), "{text}");
    }
}

fn random_run(document: &Document, seed: u64, cycles: usize) -> Run {
    let mut dice = Dice::new(seed);
    let mut all = |lines: Vec<usize>| -> Values {
        lines.into_iter().map(|line| (line, dice.value(document.node(line).sort))).collect()
    };
    let first = all(document.states().collect());
    let mut chosen = || all(document.inputs().chain(document.states()).collect());
    Run { first, cycles: (0..cycles).map(|_| chosen()).collect() }
}

fn written(document: &Document, run: &Run) -> (Witness, Vec<usize>) {
    let simulator = Simulator::new(document);
    let cycles = simulator.replay(run).unwrap();
    let bads = simulator.bads(cycles.last().unwrap());
    (replay::witness(document, run, &cycles, &bads), bads)
}

proptest! {
    #![proptest_config(tenet_chance::cases(200))]

    #[test]
    fn what_is_written_is_read_and_replays(recipes in recipes(), seed in any::<u64>()) {
        // Few random runs satisfy a constraint; comparing whole arrays needs places that no witness can name.
        let lines: Vec<String> = circuit(&recipes, seed).lines().map(str::to_owned).collect();
        let lines = lines.into_iter().filter(|line| !line.contains("constraint"));
        let text: String = lines.map(|line| line + "\n").collect();
        let document = parse::parse(&text).unwrap().0;
        prop_assume!(document.bads().next().is_some());
        let is_comparison = |line: &tenet_lang::btor2::document::Line| match &line.item {
            tenet_lang::btor2::document::Item::Node(node) => {
                matches!(node.op, tenet_lang::btor2::op::Op::Plain(op) if ["eq", "neq"].contains(&op.word()))
                    && matches!(document.sort(node.args[0]), tenet_lang::btor2::document::Sort::Array { .. })
            }
            _ => false,
        };
        prop_assume!(!document.lines.iter().any(is_comparison));
        let run = random_run(&document, seed, 3);
        let (claim, bads) = written(&document, &run);
        prop_assume!(!bads.is_empty());
        let printed = witness::print(&claim);
        let found = witness::read(&printed).unwrap();
        prop_assert_eq!(&found[0].0, &claim);
        let cycles = replay::replay(&document, &found[0].0, &found[0].1);
        prop_assert!(cycles.is_ok(), "{:?}\n{printed}\n{text}", cycles.err());
    }

    #[test]
    fn no_witness_is_too_much(text in "(sat\n|b0\n|#0\n|@0\n|@1\n|0 1\n|0 \\[01\\] 1 x\n|\\.\n|[ -~]{0,9}\n){0,12}") {
        let _ = judged(&text);
    }
}
