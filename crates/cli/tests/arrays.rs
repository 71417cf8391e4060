//! Circuits that compare whole arrays which nothing initialises: the run has to be one of the file, by every engine for circuits, for
//! arrays of a few places and of very many.

use std::path::Path;
use std::process::Command;

/// Two arrays with addresses and words of this width that keep their values, and a comparison of them.
fn circuit(width: u32, comparison: &str) -> String {
    format!(
        "1 sort bitvec {width}\n2 sort bitvec 1\n3 sort array 1 1\n4 state 3 one\n5 state 3 other\n6 next 3 4 4\n7 next 3 5 5\n\
         {comparison}\n20 bad 19 found\n"
    )
}

fn prove(name: &str, content: &str, engine: &str) -> (Option<i32>, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, content).expect("the file can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
    let output = command.arg("prove").arg(&file).args(["--engine", engine, "--timeout", "30"]).output();
    let output = output.expect("tenet starts");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

#[test]
fn arrays_that_are_compared_are_read_whole() {
    let comparisons = [
        ("equal", "19 eq 2 4 5"),
        ("different", "19 neq 2 4 5"),
        // Different, although the place that is looked at is the same in both.
        ("elsewhere", "8 zero 1\n9 read 1 4 8\n10 read 1 5 8\n11 eq 2 9 10\n12 neq 2 4 5\n19 and 2 11 12"),
        // Different by one entry that is written.
        ("written", "8 one 1\n9 zero 1\n10 write 3 4 9 8\n11 neq 2 4 5\n12 eq 2 10 5\n19 and 2 11 12"),
    ];
    for width in [2, 4, 32] {
        for (name, comparison) in comparisons {
            for engine in ["hybrid", "circuit"] {
                let file = format!("{name}_{width}_{engine}.btor2");
                let (code, text) = prove(&file, &circuit(width, comparison), engine);
                assert_eq!(code, Some(10), "{file}: {text}");
            }
        }
    }
}
