//! Sorts of SMT-LIB: `Bool`, `Int`, `Real`, `(_ BitVec n)` and aliases by `define-sort`.

use super::sexpr::{Kind, NodeId, Tree};
use crate::codes::horn as codes;
use crate::diagnostic::Diagnostic;
use std::collections::HashMap;
use tenet_term::{Sort, SortId, TermStore};

/// Wider bit-vectors are refused: a mistake in the file must not cost memory.
pub const MAX_WIDTH: u32 = 1 << 16;

/// The aliases of sorts.
pub type Named = HashMap<String, SortId>;

/// The sort that a node denotes.
pub fn read(tree: &Tree, store: &mut TermStore, named: &Named, node: NodeId) -> Result<SortId, Diagnostic> {
    if let Some(name) = tree.symbol(node) {
        return match name {
            "Bool" => Ok(SortId::BOOL),
            "Int" => Ok(SortId::INT),
            "Real" => Ok(SortId::REAL),
            _ => named.get(name).copied().ok_or_else(|| unknown(tree, node)),
        };
    }
    let Some([underscore, family, index]) = tree.list(node) else { return Err(unknown(tree, node)) };
    if tree.symbol(*underscore) != Some("_") || tree.symbol(*family) != Some("BitVec") {
        return Err(unknown(tree, node));
    }
    match index_of(tree, *index) {
        Some(width @ 1..=MAX_WIDTH) => Ok(store.mk_sort(Sort::BitVec(width))),
        _ => {
            let message = format!("a bit-vector has from 1 to {MAX_WIDTH} bits");
            Err(Diagnostic::error(&codes::WRONG_SORT, message, tree.span(*index)))
        }
    }
}

/// The numeric index of an operator or sort.
pub fn index_of(tree: &Tree, node: NodeId) -> Option<u32> {
    (tree.kind(node) == Kind::Numeral).then(|| tree.text(node).parse().ok()).flatten()
}

/// SMT-LIB's text of a sort.
pub fn name(store: &TermStore, sort: SortId) -> String {
    match store.sort(sort) {
        Sort::Bool => "Bool".to_string(),
        Sort::Int => "Int".to_string(),
        Sort::Real => "Real".to_string(),
        Sort::BitVec(width) => format!("(_ BitVec {width})"),
        _ => store.sort_name(sort),
    }
}

fn unknown(tree: &Tree, node: NodeId) -> Diagnostic {
    let written: String = tree.text(node).chars().take(60).collect();
    Diagnostic::error(&codes::UNSUPPORTED, format!("the sort `{written}` is not supported"), tree.span(node))
        .help("supported are Bool, Int, Real and (_ BitVec n), and names for them (define-sort)")
}
