//! Any text may be given to the BTOR2 front end: it answers with diagnostics, never with a panic, a stack overflow or an endless
//! loop. What is read is printed, and what is printed reads the same; it is lowered, and simulated for two cycles. The same
//! text as a witness is judged.
//!
//! Run with `make fuzz FUZZ_TARGET=btor2`. What was found and fixed belongs into the tests of the `lang` crate.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tenet_lang::btor2::simulate::{Run, Simulator, Values};
use tenet_lang::btor2::{parse, print, read, replay, witness};

fuzz_target!(|text: &str| {
    let witnesses = witness::read(text).unwrap_or_default();
    let Ok((model, _)) = read(text) else { return };
    let printed = print::print(&model.document);
    let again = parse::parse(&printed).map(|(document, _)| document);
    assert!(again.is_ok_and(|again| again == model.document));
    let run = Run { first: Values::new(), cycles: vec![Values::new(); 2] };
    let _ = Simulator::new(&model.document).replay(&run);
    for (claim, spans) in &witnesses {
        let _ = replay::replay(&model.document, claim, spans);
    }
});
