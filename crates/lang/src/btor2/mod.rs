//! BTOR2 (`.btor2`, `.btor`): circuits over bit-vectors and arrays, as the hardware model checking competition has them.
//!
//! [`parse`](mod@parse) gives a [`Document`], which [`print`](mod@print) writes again, [`lower`](mod@lower) turns into a
//! transition system, and [`simulate`] runs. The last two share nothing but the document, so a run that replays in both is strong
//! evidence. [`witness`] reads and writes witnesses, [`replay`](mod@replay) validates them, and [`violation`] turns a run of the
//! system into one of the document. What is accepted is in `docs/btor2.md`.

mod arithmetic;
pub mod document;
pub(crate) mod frontend;
mod initial;
pub mod line;
pub mod lower;
pub mod op;
mod operators;
pub mod parse;
pub mod print;
pub mod replay;
pub mod simulate;
pub mod value;
pub mod violation;
pub mod witness;

use crate::diagnostic::Diagnostic;
pub use document::Document;
pub use frontend::Btor2Frontend;
pub use lower::Lowered;

#[derive(Clone, Debug)]
pub struct Btor2 {
    pub document: Document,
    pub lowered: Lowered,
}

/// Reads a file from text to system, with warnings; or says why it is rejected.
pub fn read(text: &str) -> Result<(Btor2, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (document, warnings) = parse::parse(text)?;
    let mut lowered = lower::lower(&document);
    let constraints = document.constraints().map(|(line, _)| format!("constraint {}", document.name(line)));
    lowered.system.conditions = constraints.collect();
    Ok((Btor2 { document, lowered }, warnings))
}
