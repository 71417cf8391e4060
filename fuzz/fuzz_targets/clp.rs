//! Any text may be given to the front end for constraint logic programs: it answers with diagnostics, never with a panic, a stack
//! overflow or an endless loop. What is read is printed, and what is printed completely can be read again.
//!
//! Run with `make fuzz FUZZ_TARGET=clp`. What was found and fixed belongs into the tests of the `lang` crate.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenet_lang::clp::{print, read};

fuzz_target!(|text: &str| {
    if let Ok((clp, _)) = read(text) {
        let printed = print::program(&clp.program);
        assert!(printed.contains('…') || read(&printed).is_ok());
    }
});
