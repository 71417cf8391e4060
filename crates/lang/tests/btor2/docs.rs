//! The examples of `docs/btor2.md` are what the page says they are.

use std::fs;
use std::path::Path;
use tenet_lang::btor2::{self, replay, witness};

#[test]
fn the_circuit_of_the_page_is_accepted_and_its_witness_replays() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/btor2.md");
    let page = fs::read_to_string(path).unwrap();
    let example = |language: &str| {
        let start = page.split_once(&format!("```{language}\n")).unwrap().1;
        start.split_once("```").unwrap().0.to_owned()
    };
    let (model, found) = btor2::read(&example("btor2")).unwrap();
    assert!(found.is_empty(), "{found:?}");
    let text = example("witness");
    let witnesses = witness::read(&text).unwrap();
    let (claim, spans) = &witnesses[0];
    assert!(replay::replay(&model.document, claim, spans).is_ok());
}
