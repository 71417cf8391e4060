//! Aggregates as leaves: one symbol for each scalar in a record, with one argument for each array around it.
//!
//! `Cache : array [NODE] of record State : CACHE_STATE; Data : DATA end` has the leaves `Cache.State` and `Cache.Data`,
//! functions from `NODE`. Every part of an aggregate is a contiguous run of its leaves, so a place is a run of leaves
//! and the indices so far.

use super::sorts::type_name;
use super::{Reader, codes};
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{TypeId, TypeKind};
use crate::span::Span;
use std::collections::BTreeMap;
use std::rc::Rc;
use tenet_term::SortId;

/// The number of leaves of a variable: records that contain a record twice grow exponentially.
const MAX_LEAVES: usize = 10_000;

/// A scalar in an aggregate.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The fields of its path, each with a dot before it, in parts: an index stands between two of them.
    pub(super) parts: Vec<String>,
    /// The index types of its path, outermost first.
    pub(super) args: Vec<TypeId>,
    pub(super) ty: TypeId,
}

/// The leaves of types, computed on demand.
#[derive(Default)]
pub(super) struct Layouts {
    leaves: BTreeMap<TypeId, Rc<[Leaf]>>,
}

impl Reader<'_> {
    /// The leaves of a type; none for a multiset, which is reported where it is declared.
    pub(super) fn leaves(&mut self, id: TypeId) -> Rc<[Leaf]> {
        if let Some(leaves) = self.layouts.leaves.get(&id) {
            return leaves.clone();
        }
        let leaves: Rc<[Leaf]> = self.split(id).into();
        self.layouts.leaves.insert(id, leaves.clone());
        leaves
    }

    fn split(&mut self, id: TypeId) -> Vec<Leaf> {
        let model = self.model;
        match &model.ty(id).kind {
            TypeKind::Array { index, element } => {
                let under = |leaf: &Leaf| {
                    let args = std::iter::once(*index).chain(leaf.args.iter().copied()).collect();
                    let parts = std::iter::once(String::new()).chain(leaf.parts.iter().cloned()).collect();
                    Leaf { args, parts, ty: leaf.ty }
                };
                self.leaves(*element).iter().map(under).collect()
            }
            TypeKind::Record { fields } => {
                let mut leaves = Vec::new();
                for field in fields {
                    let under = |leaf: &Leaf| {
                        let mut leaf = leaf.clone();
                        leaf.parts[0] = format!(".{}{}", field.name, leaf.parts[0]);
                        leaf
                    };
                    leaves.extend(self.leaves(field.ty).iter().map(under));
                    if leaves.len() > MAX_LEAVES {
                        return self.too_many_leaves(id);
                    }
                }
                leaves
            }
            TypeKind::Multiset { .. } => Vec::new(),
            _ => vec![Leaf { parts: vec![String::new()], args: Vec::new(), ty: id }],
        }
    }

    fn too_many_leaves(&mut self, id: TypeId) -> Vec<Leaf> {
        let message = format!("`{}` has too many components", type_name(self.model, id));
        self.report(Diagnostic::error(&codes::TOO_LARGE, message, self.model.ty(id).span));
        Vec::new()
    }

    /// The number of leaves in the fields before this one.
    pub(super) fn field_offset(&mut self, record: TypeId, field: usize) -> usize {
        let TypeKind::Record { fields } = &self.model.ty(record).kind else {
            unreachable!("only records have fields")
        };
        fields[..field].iter().map(|field| self.leaves(field.ty).len()).sum()
    }

    /// The sort of a leaf: its own, or functions to it.
    pub(super) fn leaf_sort(&mut self, args: &[TypeId], ty: TypeId) -> SortId {
        let result = self.sort(ty);
        let args: Vec<SortId> = args.iter().map(|&arg| self.sort(arg)).collect();
        if args.is_empty() { result } else { self.store.function_sort(&args, result) }
    }

    /// Reports a multiset in the type of something that is declared here.
    pub(super) fn refuse_multisets(&mut self, name: &str, ty: TypeId, span: Span) {
        if !self.has_multiset(ty) {
            return;
        }
        let message = format!("`{name}` holds a multiset, which has no unbounded reading");
        let diagnostic = Diagnostic::error(&codes::MULTISET, message, span).label("declared here");
        self.report(diagnostic.help("it works in `tenet explore`; to prove the model use an array instead"));
    }

    fn has_multiset(&self, id: TypeId) -> bool {
        let mut seen = std::collections::BTreeSet::new();
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            match &self.model.ty(id).kind {
                TypeKind::Multiset { .. } => return true,
                TypeKind::Array { element, .. } => stack.push(*element),
                TypeKind::Record { fields } => stack.extend(fields.iter().map(|field| field.ty)),
                _ => {}
            }
        }
        false
    }
}
