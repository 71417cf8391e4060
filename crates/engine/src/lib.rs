//! The provers, behind one interface: [`Engine`] says what is asked of them and what they answer, and [`ENGINES`] lists them. An
//! engine neither prints nor reads files.
//!
//! `direct`, `refine` and `circuit` are searches of our own. The engines in [`published`] follow papers, and stay as close to them as
//! the acceptance checks ask. What several engines use is in [`common`].
#![forbid(unsafe_code)]

pub mod circuit;
pub mod common;
pub mod direct;
pub mod hybrid;
pub mod induct;
pub mod interface;
pub mod reach;
pub mod recursive;
pub mod refine;
pub mod run;
pub mod trust;

/// The engines that follow papers.
pub mod published {
    pub use crate::hybrid::Hybrid;
    pub use crate::reach::Reach;
    pub use crate::recursive::Recursive;
    pub use crate::refine::methods::Methods;
}

pub use common::Warning;
pub use common::watch::{Alone, Progress, Stop, Watch};
pub use interface::{
    Choices, Claim, Details, ENGINES, Engine, Evidence, InstanceSearch, Obstacle, Open, Outcome,
    PropertyClaim, Reason, Statistics, Subject, Unfit, Violation, engine,
};
