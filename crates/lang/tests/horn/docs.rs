//! The examples of `docs/horn.md` are accepted without diagnostics.

use std::fs;
use std::path::Path;
use tenet_lang::horn::read;

#[test]
fn the_examples_of_the_page_are_accepted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/horn.md");
    let page = fs::read_to_string(path).unwrap();
    let examples: Vec<&str> = page.split("\n```").filter_map(|part| part.strip_prefix("smt2\n")).collect();
    assert_eq!(examples.len(), 3);
    for example in examples {
        let (_, found) = read(example).unwrap_or_else(|found| panic!("{}\n{example}", found[0].message));
        assert!(found.is_empty(), "{found:?}");
    }
}
