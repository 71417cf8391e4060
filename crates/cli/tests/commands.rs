//! Transcripts of commands: what is typed, what is printed, and the exit code.
//!
//! `tests/cmd` holds those of this crate, on small models in `tests/models`. The transcripts in the documentation run from
//! the root of the checkout, as a reader would type them. `TRYCMD=overwrite cargo test` rewrites them all.

use std::path::Path;

#[test]
fn transcripts() {
    // One process has one current folder, so this is one test.
    trycmd::TestCases::new().env("COLUMNS", "100").case("tests/cmd/*.trycmd").run();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::set_current_dir(root).expect("the root of the checkout exists");
    let documents = trycmd::TestCases::new();
    let documents = documents.env("COLUMNS", "100").case("docs/commands.md").case("docs/proving.md");
    documents.case("docs/refine.md").case("README.md").run();
    for file in ["mutex.cert", "german.cert"] {
        std::fs::remove_file(file).expect("the documentation writes certificates");
    }
}
