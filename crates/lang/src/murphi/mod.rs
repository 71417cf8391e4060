//! Murphi (`.m`) and Tenet's own language (`.tenet`), which is the same grammar and more.

pub mod ast;
pub mod finite;
pub mod hir;
pub mod symmetric;
