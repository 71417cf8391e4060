//! Any text may be given to the Murphi front end: it answers with diagnostics, never with a panic, a stack overflow or
//! an endless loop. What parses is checked, what checks is lowered to a finite program.
//!
//! Run with `make fuzz`. What was found and fixed belongs into the regression folder of the `lang` crate's tests.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::{Dialect, finite, parse};

fuzz_target!(|text: &str| {
    for dialect in [Dialect::Murphi, Dialect::Tenet] {
        let (tree, diagnostics) = parse(text, dialect);
        let (model, more) = check(&tree, &Settings::new(dialect));
        if diagnostics.iter().chain(&more).all(|diagnostic| !diagnostic.is_error()) {
            let _ = finite::lower(&model);
        }
    }
});
