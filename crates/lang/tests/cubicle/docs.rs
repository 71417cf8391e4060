//! The examples of `docs/cubicle.md` are accepted without diagnostics, and have no violation in small instances.

use crate::support::{program, violated};
use std::fs;
use std::path::Path;
use tenet_lang::cubicle::check::Settings;
use tenet_lang::cubicle::read;

#[test]
fn the_examples_of_the_page_are_accepted_and_safe() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cubicle.md");
    let page = fs::read_to_string(path).unwrap();
    let examples: Vec<&str> = page.split("\n```").filter_map(|part| part.strip_prefix("cubicle\n")).collect();
    assert_eq!(examples.len(), 4);
    for example in examples {
        let (_, found) = read(example, &Settings::default()).unwrap();
        assert!(found.is_empty(), "{found:?}");
        let sizes = [("proc", 2)];
        assert!(!program(example, &sizes, &[]).rules.is_empty());
        assert!(violated(example, &sizes, &[]).is_empty(), "{example}");
    }
}
