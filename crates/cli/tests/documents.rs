//! What documents and comments refer to is there: entries of `docs/acceptance.md`, and files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The prefixes of acceptance checks and traps.
const PAPERS: [&str; 6] = ["QI", "EX", "RA", "HL", "RC", "X"];
/// Where somebody may cite an entry.
const CITING: [&str; 5] = ["crates", "docs", "models", "benches", "tools"];
/// The documents whose paths are checked.
const DOCUMENTS: [&str; 5] =
    ["ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md", "README.md", "docs/acceptance.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every text below a folder.
fn texts(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            texts(&path, found);
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
}

/// `QI-A4` in comments and `qi_a4_` in names of tests.
fn citations(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')) {
        let mut parts = word.split(['-', '_']);
        let (Some(paper), Some(number)) = (parts.next(), parts.next()) else { continue };
        let is_upper = word.contains('-') && PAPERS.contains(&paper);
        let is_lower = !word.contains('-')
            && parts.next().is_some()
            && PAPERS.iter().any(|known| known.to_lowercase() == paper);
        let kind = number.chars().next().unwrap_or(' ').to_ascii_uppercase();
        let digits = number.get(1..).unwrap_or_default();
        let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
        if (is_upper || is_lower) && matches!(kind, 'A' | 'T') && is_number {
            found.insert(format!("{}-{kind}{digits}", paper.to_uppercase()));
        }
    }
    found
}

#[test]
fn every_citation_has_an_entry() {
    let acceptance = fs::read_to_string(root().join("docs/acceptance.md")).expect("the page is there");
    let entry = |name: &str| {
        let anchor = format!("<a id=\"{}\"></a>**{name}**", name.to_lowercase());
        acceptance.contains(&anchor)
    };
    let mut found = Vec::new();
    CITING.iter().for_each(|folder| texts(&root().join(folder), &mut found));
    let mut cited = BTreeSet::new();
    for (file, text) in &found {
        for name in citations(text) {
            assert!(entry(&name), "{} cites {name}, which docs/acceptance.md does not have", file.display());
            cited.insert(name);
        }
    }
    assert!(cited.len() > 50, "only {} entries are cited", cited.len());
}

#[test]
fn citations_are_recognised() {
    let text = "see QI-A4 (and trap RC-T1); fn x_t2_vacuous() {} let qi_a9 = 1; A-T1, QI-B3, QI-A";
    let found: Vec<String> = citations(text).into_iter().collect();
    assert_eq!(found, ["QI-A4", "RC-T1", "X-T2"]);
}

#[test]
fn files_that_documents_name_are_there() {
    let mut documents: Vec<PathBuf> = DOCUMENTS.iter().map(|name| root().join(name)).collect();
    let decisions = fs::read_dir(root().join("docs/decisions")).expect("the folder is there");
    documents.extend(decisions.map(|entry| entry.expect("it can be listed").path()));
    let mut count = 0;
    for document in documents {
        let text = fs::read_to_string(&document).expect("the document is there");
        for name in text.split('`').skip(1).step_by(2) {
            let is_path =
                name.starts_with("crates/") && !name.contains(['{', '*', ' ']) && !name.contains("NAME");
            if is_path {
                count += 1;
                let there = root().join(name).exists();
                assert!(there, "{} names {name}, which is not there", document.display());
            }
        }
    }
    assert!(count > 50, "only {count} files are named");
}
