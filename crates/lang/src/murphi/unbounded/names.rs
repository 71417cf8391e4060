//! `--unbounded NAME`: which ranges are read as index sorts, and which constants as any integer.

use super::uses::Uses;
use super::{Reader, Unbounded, codes, read_only};
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Const, ConstId, Model, TypeId, TypeKind, constants_in};
use crate::suggest::closest;
use std::collections::{BTreeMap, BTreeSet};
use tenet_term::{Role, Sort, SortId, SymbolId};

/// How ranges and constants are read.
#[derive(Default)]
pub(super) struct Choice {
    /// Ranges that are read as index sorts.
    pub(super) indices: BTreeSet<TypeId>,
    /// Constants that are any integer, and constants defined with them.
    pub(super) symbolic: BTreeSet<ConstId>,
    /// Those that are not defined with others.
    pub(super) roots: BTreeSet<ConstId>,
    /// Those that `--unbounded` names.
    pub(super) named: BTreeSet<ConstId>,
    /// Those that determine the size of an unbounded type.
    pub(super) free: BTreeMap<ConstId, SymbolId>,
    /// The names of types that stay finite.
    pub(super) sizes: BTreeSet<String>,
    pub(super) uses: Uses,
}

/// A possible argument of `--unbounded`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The name of the type or constant.
    pub name: String,
    /// How it would be read.
    pub kind: CandidateKind,
}

/// How a candidate would be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    /// A range, as an index sort: nothing in the model forbids it.
    Index,
    /// A constant that bounds some range, as any integer.
    Constant,
}

/// The types and constants that could be unbounded besides the scalarsets: each candidate, on its own, adds no errors.
///
/// The uses that forbid a range are found while the model is executed, so a candidate is simply tried. A separate
/// analysis would have to repeat the rules about conversions, and to be kept in step with them.
pub fn candidates(model: &Model) -> Vec<Candidate> {
    let errors_with =
        |names: Vec<String>| match read_only(model, &Unbounded { names, sizes: Vec::new() }, None) {
            Ok(_) => Vec::new(),
            Err(diagnostics) => diagnostics,
        };
    let before = errors_with(Vec::new());
    let works = |name: &String| errors_with(vec![name.clone()]).iter().all(|found| before.contains(found));
    let indices = range_names(model).into_iter().map(|name| (name, CandidateKind::Index));
    let constants = bounding_constants(model).into_iter().map(|name| (name, CandidateKind::Constant));
    indices
        .chain(constants)
        .filter(|(name, _)| works(name))
        .map(|(name, kind)| Candidate { name, kind })
        .collect()
}

/// The ranges with an open end, or with bounds that mention a constant, that can be read as index sorts, each on its
/// own. A constant set on the command line keeps its value. For a constant without a value, a number that is used as an
/// element may be beyond it, so such a range is excluded.
pub fn index_ranges(model: &Model) -> Vec<String> {
    let is_arbitrary = |name: &String| {
        let bounds = model.types.iter().find(|ty| ty.name.as_ref() == Some(name)).map(|ty| &ty.kind);
        let is_endless = matches!(bounds, Some(TypeKind::Range { lo, hi }) if lo.is_none() || hi.is_none());
        let consts = constants_of_range(model, name);
        let is_set = |constant: &&Const| constant.definition.is_none() && !constant.unknown;
        (is_endless || !consts.is_empty()) && !consts.iter().any(is_set)
    };
    let works = |name: &String| {
        let Ok((system, _)) =
            read_only(model, &Unbounded { names: vec![name.clone()], sizes: Vec::new() }, None)
        else {
            return false;
        };
        let is_bounded_by_any = constants_of_range(model, name).iter().any(|constant| constant.unknown);
        let sort_of = |&symbol: &SymbolId| system.store.sort(system.store.symbol(symbol).sort);
        let is_element = |sort: &Sort| matches!(sort, Sort::Index { name: known } if known == name);
        !(is_bounded_by_any && system.consts.iter().map(sort_of).any(is_element))
    };
    range_names(model).into_iter().filter(|name| is_arbitrary(name) && works(name)).collect()
}

/// The constants that the bounds of a range depend on, as far as they are not defined by others.
pub fn constants_of_range<'m>(model: &'m Model, name: &str) -> Vec<&'m Const> {
    let bounds = model.types.iter().find(|ty| ty.name.as_deref() == Some(name)).map(|ty| &ty.kind);
    let Some(TypeKind::Range { lo, hi }) = bounds else { return Vec::new() };
    let mut open: BTreeSet<ConstId> =
        [lo, hi].into_iter().flatten().flat_map(|end| constants_in(&end.expr)).collect();
    let mut roots = BTreeSet::new();
    while let Some(id) = open.pop_first() {
        let definition = model.consts[id.0 as usize].definition.as_ref();
        let others = definition.map(constants_in).unwrap_or_default();
        if others.is_empty() {
            roots.insert(id);
        }
        open.extend(others);
    }
    roots.into_iter().map(|id| &model.consts[id.0 as usize]).collect()
}

fn range_names(model: &Model) -> Vec<String> {
    let ranges = model.types.iter().filter(|ty| matches!(ty.kind, TypeKind::Range { .. }));
    ranges.filter_map(|ty| ty.name.clone()).collect()
}

/// The constants that the bounds of ranges mention directly.
fn bounding_constants(model: &Model) -> Vec<String> {
    let mut found = BTreeSet::new();
    for ty in &model.types {
        let TypeKind::Range { lo, hi } = &ty.kind else { continue };
        found.extend([lo, hi].into_iter().flatten().flat_map(|end| constants_in(&end.expr)));
    }
    found.into_iter().map(|id| model.consts[id.0 as usize].name.clone()).collect()
}

impl Reader<'_> {
    pub(super) fn choose_names(&mut self, options: &Unbounded) {
        self.choice.sizes = options.sizes.iter().cloned().collect();
        for name in &options.names {
            self.choose_name(name);
        }
        self.free_constants();
        let model = self.model;
        for (position, constant) in model.consts.iter().enumerate() {
            if constant.definition.as_ref().is_some_and(|definition| self.choice.is_symbolic(definition)) {
                self.choice.symbolic.insert(ConstId(position as u32));
            }
        }
    }

    fn choose_name(&mut self, name: &str) {
        if self.choice.sizes.contains(name) {
            let message = format!("`--unbounded {name}`: `--size` gives this type a size");
            return self.report(Diagnostic::global(&codes::UNKNOWN_NAME, message));
        }
        let model = self.model;
        let named = model.types.iter().position(|ty| ty.name.as_deref() == Some(name));
        if let Some(position) = named {
            match model.types[position].kind {
                TypeKind::Range { .. } => {
                    self.choice.indices.insert(TypeId(position as u32));
                }
                // Always unbounded.
                TypeKind::Scalarset { .. } => {}
                _ => self.unknown_name(name, "is neither a range nor a constant"),
            }
            return;
        }
        match model.consts.iter().position(|constant| constant.name == name) {
            Some(position) => {
                self.choice.named.insert(ConstId(position as u32));
                self.make_symbolic(ConstId(position as u32));
            }
            None => self.unknown_name(name, "is not in the model"),
        }
    }

    pub(super) fn make_symbolic(&mut self, id: ConstId) {
        let name = &self.model.consts[id.0 as usize].name;
        let symbol = self.store.declare(name, SortId::INT, Role::Const);
        let term = self.store.mk_symbol(symbol);
        self.choice.symbolic.insert(id);
        self.choice.roots.insert(id);
        if self.sorts.constants.insert(id, term).is_none() {
            self.system.consts.push(symbol);
        }
    }

    fn unknown_name(&mut self, name: &str, why: &str) {
        let known: Vec<String> =
            range_names(self.model).into_iter().chain(bounding_constants(self.model)).collect();
        let mut help = match &known[..] {
            [] => "the model has no named ranges and no constants that bound one".to_owned(),
            known => format!("what can be unbounded: {}", known.join(", ")),
        };
        if let Some(similar) = closest(name, known.iter().map(String::as_str)) {
            help = format!("did you mean `{similar}`? {help}");
        }
        let message = format!("`--unbounded {name}`: `{name}` {why}");
        self.report(Diagnostic::global(&codes::UNKNOWN_NAME, message).help(help));
    }
}
