//! The front end of Murphi and of Tenet's own language.

use super::check::{Settings, check_with};
use super::hir::{self, PropertyKind, TypeKind};
use super::unbounded::{self, Reads, Unbounded};
use super::{Dialect, finite, parse, parse_predicates};
use crate::codes::options::OPTION_DOES_NOT_FIT;
use crate::frontend::{Findings, Frontend, Made, Model, Reading, Scope, Source, Surroundings, names};
use num_bigint::BigInt;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use tenet_system::finite::explore::Deadlock;
use tenet_system::finite::program::Program;
use tenet_system::{Lemma, System};

/// `.m` or `.tenet`.
#[derive(Clone, Copy, Debug)]
pub struct MurphiFrontend {
    pub dialect: Dialect,
}

/// A checked model with the sizes and constants that it was checked with.
struct Murphi {
    model: hir::Model,
    reading: Reading,
    /// The readings for every size that were made, by unbounded names: symbolic execution is requested more than once.
    systems: Mutex<BTreeMap<Vec<String>, Made<System>>>,
}

impl Frontend for MurphiFrontend {
    fn endings(&self) -> &'static [(&'static str, &'static str)] {
        match self.dialect {
            Dialect::Murphi => &[("m", "Murphi")],
            Dialect::Tenet => &[("tenet", "Tenet's own language")],
        }
    }

    fn scope(&self) -> Scope {
        Scope { takes_predicates: true, ..Scope::plain("Murphi models", &OPTION_DOES_NOT_FIT) }
    }

    fn read(&self, source: &Source, reading: &Reading, _: &mut Surroundings<'_>) -> Made<Box<dyn Model>> {
        let mut found = Findings::default();
        let (tree, more) = parse(source.model(), self.dialect);
        found.add(more)?;
        let additions = match source.predicates {
            None => None,
            Some((_, start)) => {
                let (additions, more) = parse_predicates(&source.content, start);
                found.add(more)?;
                Some(additions)
            }
        };
        let (consts, sizes) = (reading.consts.clone(), reading.sizes.clone());
        let settings = Settings { consts, sizes, dialect: self.dialect };
        let (model, more) = check_with(&tree, additions.as_ref(), &settings);
        found.add(more)?;
        let (reading, systems) = (reading.clone(), Mutex::default());
        Ok((Box::new(Murphi { model, reading, systems }), found.warnings()))
    }
}

impl Model for Murphi {
    fn finite(&self) -> Made<Program> {
        finite::lower(&self.model)
    }

    fn has_instances(&self) -> bool {
        true
    }

    fn deadlock(&self) -> Deadlock {
        Deadlock::Stuttering
    }

    fn written_sizes(&self) -> Vec<(String, u64)> {
        let mut sizes: Vec<(String, u64)> = Vec::new();
        for ty in &self.model.types {
            let (Some(name), TypeKind::Scalarset { size: Some(size) }) = (&ty.name, &ty.kind) else {
                continue;
            };
            if !sizes.iter().any(|(known, _)| known == name) {
                sizes.push((name.clone(), size.value.max(0).unsigned_abs()));
            }
        }
        sizes
    }

    fn written_consts(&self) -> Vec<(String, String)> {
        let known = self.model.consts.iter().filter(|constant| !constant.unknown);
        known.map(|constant| (constant.name.clone(), constant.value.to_string())).collect()
    }

    /// A type whose size a constant determines gets it from the constant, so that the instance is one of the model as written,
    /// whatever else depends on it. If the size has a lower bound, the sizes start there.
    fn sized(&self, reading: &Reading, size: u64) -> Reading {
        let mut sized = reading.clone();
        let parameters = self.system(&reading.unbounded).map(|(system, _)| system.parameters);
        if parameters.is_err() {
            let mut sizes: Vec<&String> = self.model.consts.iter().map(|constant| &constant.name).collect();
            sizes.retain(|constant| self.model.types.iter().any(|ty| is_sized_by(&self.model, ty, constant)));
            sized.consts.extend(sizes.into_iter().map(|constant| (constant.clone(), size.into())));
        }
        for parameter in parameters.unwrap_or_default() {
            let is_size = |ty: &String| self.has_size(ty, &parameter.name);
            if !parameter.is_number && parameter.sizes.iter().all(is_size) {
                sized.sizes.extend(parameter.sizes.into_iter().map(|ty| (ty, size)));
                continue;
            }
            let least = parameter.least.unwrap_or_else(|| BigInt::from(1));
            sized.consts.push((parameter.name, least + (size - 1)));
        }
        sized.complete(
            self.unbounded_types(&reading.unbounded),
            self.unknown_consts(&reading.unbounded),
            size,
        );
        sized
    }

    fn system(&self, unbounded: &[String]) -> Made<System> {
        let mut systems = self.systems.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || unbounded::read(&self.model, &self.options(unbounded));
        systems.entry(unbounded.to_vec()).or_insert_with(read).clone()
    }

    fn index_ranges(&self) -> Vec<String> {
        let is_fixed = |name: &String| self.reading.sizes.iter().any(|(known, _)| known == name);
        let ranges = unbounded::index_ranges(&self.model).into_iter();
        let ranges: Vec<String> = ranges.filter(|name| !is_fixed(name)).collect();
        if ranges.is_empty() || self.system(&ranges).is_err() { Vec::new() } else { ranges }
    }

    fn is_endless(&self, ranges: &[String]) -> bool {
        let is_meant = |name: &Option<String>| name.as_ref().is_some_and(|name| ranges.contains(name));
        let is_endless =
            |kind: &TypeKind| matches!(kind, TypeKind::Range { lo, hi } if lo.is_none() || hi.is_none());
        self.model.types.iter().any(|ty| is_meant(&ty.name) && is_endless(&ty.kind))
    }

    fn reads(&self, unbounded: &[String]) -> Reads {
        unbounded::reads(&self.model, &self.options(unbounded))
    }

    fn invariant(&self, _: &System, name: &str, _: &Lemma, formula: &str) -> Option<String> {
        Some(format!("invariant \"{name}\" {formula};"))
    }

    fn contents(&self) -> Vec<(&'static str, Vec<String>)> {
        let model = &self.model;
        let consts = model.consts.iter().map(|constant| match constant.unknown {
            true => constant.name.clone(),
            false => format!("{} = {}", constant.name, constant.value),
        });
        let fixed = model.vars.iter().filter(|var| var.is_constant).map(|var| var.name.clone());
        let vars = model.vars.iter().filter(|var| !var.is_constant);
        vec![
            ("constants", consts.chain(fixed).collect()),
            ("variables", names(vars.map(|var| &var.name))),
            ("startstates", names(model.starts.iter().map(|rule| &rule.name))),
            ("rules", names(model.rules.iter().map(|rule| &rule.name))),
            ("invariants", self.properties(PropertyKind::Invariant)),
            ("assumptions", self.properties(PropertyKind::Assume)),
            ("axioms", self.properties(PropertyKind::Axiom)),
            ("covers", self.properties(PropertyKind::Cover)),
            ("definitions", names(model.definitions.iter().map(|known| &known.name))),
            ("indices", names(model.indices.iter().map(|index| &index.name))),
            ("predicates", names(model.predicates.iter().map(|known| &known.name))),
        ]
    }
}

impl Murphi {
    fn options(&self, unbounded: &[String]) -> Unbounded {
        let sizes = self.reading.sizes.iter().map(|(name, _)| name.clone()).collect();
        Unbounded { names: unbounded.to_vec(), sizes }
    }

    fn properties(&self, kind: PropertyKind) -> Vec<String> {
        names(self.model.properties.iter().filter(|known| known.kind == kind).map(|known| &known.name))
    }

    /// Is this a scalarset whose size is this constant?
    fn has_size(&self, name: &str, constant: &str) -> bool {
        let ty = self.model.types.iter().find(|ty| ty.name.as_deref() == Some(name));
        ty.is_some_and(|ty| is_sized_by(&self.model, ty, constant))
    }

    /// The named types of any size, other than those that constants determine.
    fn unbounded_types(&self, unbounded: &[String]) -> Vec<String> {
        let is_own =
            |end: &Option<hir::Bound>| end.as_ref().is_none_or(|end| hir::constants_in(&end.expr).is_empty());
        let is_unbounded = |name: &String, kind: &TypeKind| match kind {
            TypeKind::Scalarset { size } => is_own(size),
            TypeKind::Range { lo, hi } => unbounded.contains(name) && is_own(lo) && is_own(hi),
            _ => false,
        };
        let named = self.model.types.iter().filter_map(|ty| Some((ty.name.as_ref()?, &ty.kind)));
        names(named.filter(|(name, kind)| is_unbounded(name, kind)).map(|(name, _)| name))
    }

    fn unknown_consts(&self, unbounded: &[String]) -> Vec<String> {
        let consts = self.model.consts.iter();
        let roots = consts.filter(|constant| !constant.unknown || constant.definition.is_none());
        let unknown = roots.filter(|constant| constant.unknown || unbounded.contains(&constant.name));
        names(unknown.map(|constant| &constant.name))
    }
}

/// Is it a scalarset whose size is this constant?
fn is_sized_by(model: &hir::Model, ty: &hir::Type, constant: &str) -> bool {
    let TypeKind::Scalarset { size: Some(size) } = &ty.kind else { return false };
    matches!(size.expr.kind, hir::ExprKind::ConstRef(id) if model.consts[id.0 as usize].name == constant)
}
