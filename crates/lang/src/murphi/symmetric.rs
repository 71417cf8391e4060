//! stub
use super::hir::{Model, TypeId};
use crate::span::Span;
/// A finding.
pub struct Finding {
    /// t
    pub scalarset: TypeId,
    /// s
    pub span: Span,
    /// r
    pub reason: String,
}
/// find
pub fn find(_model: &Model) -> Vec<Finding> {
    Vec::new()
}
