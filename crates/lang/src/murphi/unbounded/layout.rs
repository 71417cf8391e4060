//! Aggregates as leaves: one symbol for each scalar in a record, with one argument for each array around it.
//!
//! `Cache : array [NODE] of record State : CACHE_STATE; Data : DATA end` has the leaves `Cache.State` and `Cache.Data`,
//! functions from `NODE`. Every part of an aggregate is a contiguous run of its leaves, so a place is a run of leaves
//! and the indices so far.

use super::sorts::type_name;
use super::{Reader, codes};
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{BOOLEAN, TypeId, TypeKind};
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
    /// Whether it says at which places a multiset has elements.
    pub(super) is_presence: bool,
}

/// The leaves of types, computed on demand.
#[derive(Default)]
pub(super) struct Layouts {
    leaves: BTreeMap<TypeId, Rc<[Leaf]>>,
}

impl Reader<'_> {
    /// The leaves of a type.
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
                    Leaf { args, parts, ..leaf.clone() }
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
            TypeKind::Multiset { element, .. } => {
                let elements = self.leaves(*element);
                let paths: Vec<String> = elements.iter().map(|leaf| leaf.parts.concat()).collect();
                let parts = vec![self.presence_path(paths.iter()), String::new()];
                let presence = Leaf { parts, args: vec![id], ty: BOOLEAN, is_presence: true };
                let under = |leaf: &Leaf| {
                    let args = std::iter::once(id).chain(leaf.args.iter().copied()).collect();
                    let parts = std::iter::once(String::new()).chain(leaf.parts.iter().cloned()).collect();
                    Leaf { args, parts, ..leaf.clone() }
                };
                std::iter::once(presence).chain(elements.iter().map(under)).collect()
            }
            _ => vec![Leaf { parts: vec![String::new()], args: Vec::new(), ty: id, is_presence: false }],
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
}
