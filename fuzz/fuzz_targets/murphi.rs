//! Any text may be given to the Murphi front end: it answers with diagnostics, never with a panic, a stack overflow or
//! an endless loop.
//!
//! Run with `make fuzz`. What was found and fixed belongs into the regression folder of the `lang` crate's tests.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = tenet_lang::murphi::parse(text);
});
