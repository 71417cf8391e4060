//! What several engines use: how they are cancelled and report progress (`watch`), what they log (`log`) and what
//! makes a claim say less than it seems (`warning`, `vacuity`), what a search for lemmas and runs answers (`search`),
//! queries about formulas with quantifiers (`query`), linear terms (`linear`), and the end of a circuit's run
//! (`witness`).

pub(crate) mod linear;
pub(crate) mod log;
pub(crate) mod query;
pub(crate) mod search;
pub(crate) mod vacuity;
mod warning;
pub(crate) mod watch;
pub(crate) mod witness;

pub use warning::Warning;
