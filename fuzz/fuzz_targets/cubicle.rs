//! Any text may be given to the Cubicle front end: it answers with diagnostics, never with a panic, a stack overflow or an
//! endless loop. What parses is checked, what checks is lowered to a system, and that to an instance with two processes.
//!
//! Run with `make fuzz FUZZ_TARGET=cubicle`. What was found and fixed belongs into the tests of the `lang` crate.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenet_lang::cubicle::check::Settings;
use tenet_lang::cubicle::{finite, read};

fuzz_target!(|text: &str| {
    if let Ok((system, _)) = read(text, &Settings::default()) {
        let _ = finite::program(&system, &[("proc".to_string(), 2)]);
    }
});
