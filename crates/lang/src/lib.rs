//! Front ends: from source text to checked models, with diagnostics that carry spans.
#![forbid(unsafe_code)]

pub mod btor2;
pub mod clp;
pub mod codes;
pub mod cubicle;
pub mod diagnostic;
pub mod frontend;
pub mod horn;
pub mod murphi;
pub mod render;
pub mod span;
pub mod suggest;
pub mod syntax;
pub mod verilog;
