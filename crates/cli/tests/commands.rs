//! Transcripts of commands: what is typed, what is printed, and the exit code.
//!
//! `tests/cmd` holds those of this crate, on small models in `tests/models`. The transcripts in the documentation run from
//! the root of the checkout, as a reader would type them. `TRYCMD=overwrite cargo test` rewrites them all.

use std::path::Path;

/// Transcripts in a terminal of a known width, with the Yosys that `tools/setup` provides for tests if there is one.
fn cases(root: &Path) -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases.env("COLUMNS", "100");
    let yosys = root.join(".deps/yosys/bin/yosys");
    if std::env::var_os("TENET_YOSYS").is_none() && yosys.is_file() {
        cases.env("TENET_YOSYS", yosys.display().to_string());
    }
    cases
}

#[test]
fn transcripts() {
    // One process has one current folder, so this is one test.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    cases(&root).case("tests/cmd/*.trycmd").run();
    std::env::set_current_dir(&root).expect("the root of the checkout exists");
    let documents = cases(&root);
    let documents = documents.case("docs/commands.md").case("docs/proving.md");
    documents.case("docs/hybrid.md").case("docs/refine.md").case("docs/verilog.md").case("README.md").run();
    for file in ["mutex.cert", "german.cert", "named.v", "several.cert"] {
        std::fs::remove_file(file).expect("the documentation writes these files");
    }
}
