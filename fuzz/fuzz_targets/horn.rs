//! Any text may be given to the front end for Horn clauses: it answers with diagnostics, never with a panic, a stack overflow
//! or an endless loop. What is read is inlined and lowered to a system; the trivial invariant must give an interpretation.
//!
//! Run with `make fuzz FUZZ_TARGET=horn`. What was found and fixed belongs into the tests of the `lang` crate.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenet_lang::horn::interpretation::interpretation;
use tenet_lang::horn::read;

fuzz_target!(|text: &str| {
    if let Ok((horn, _)) = read(text) {
        let mut store = horn.system().store.clone();
        let invariant = store.mk_bool(true);
        let definitions = interpretation(&mut store, &horn, invariant);
        assert!(definitions.len() >= horn.relations.len());
    }
});
