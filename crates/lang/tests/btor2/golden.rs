//! Golden files: `reject/E10xx_what.btor2` is compared with its diagnostics.
//!
//! With `UPDATE_EXPECT=1` in the environment the `.txt` files are written instead; read the difference before you keep it.

use crate::golden_files::{self, compare};
use std::collections::BTreeSet;
use std::fs;
use tenet_lang::btor2;
use tenet_lang::codes;
use tenet_lang::render::{Style, render};

#[test]
fn rejected_files_say_why() {
    let mut covered = BTreeSet::new();
    for path in golden_files::files("btor2/reject", "btor2") {
        let source = fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let code = name.split('_').next().unwrap().to_owned();
        let found = match btor2::read(&source) {
            Ok((_, warnings)) => warnings,
            Err(errors) => errors,
        };
        assert!(found.iter().any(|found| found.explanation.code == code), "{name}: no {code}");
        compare(&path, &render(&found, &name, &source, Style::Plain));
        covered.insert(code);
    }
    let all: BTreeSet<String> = codes::btor2::ALL.iter().map(|known| known.code.to_owned()).collect();
    // The rest is about options, about witnesses and about commands.
    let missing: Vec<&String> = all.difference(&covered).collect();
    assert_eq!(missing, ["E1011", "E1012", "E1013", "E1014", "E1015"]);
}
