//! `--const` and `--size`: applied at the declarations, with leftovers reported at the end.
//!
//! The size of a type that a constant determines is set by way of the constant, so that everything that depends on the constant
//! follows: `--size NODE=5` and `--const N=5` mean the same model.

use super::scope::Entry;
use super::{Checker, Settings, ast, hir};
use crate::codes::options as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{ConstId, TypeKind};
use crate::murphi::linear::Linear;
use crate::suggest::closest;
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// The names of options whose declaration was found.
#[derive(Default)]
pub(super) struct Used {
    consts: BTreeSet<String>,
    sizes: BTreeSet<String>,
}

/// The settings with sizes as values of the constants that determine them, and contradictions among them.
pub(super) fn sizes_as_constants(ast: &ast::Model, settings: &Settings) -> (Settings, Vec<Diagnostic>) {
    let mut set = settings.clone();
    let names: BTreeSet<&String> = settings.sizes.iter().map(|(name, _)| name).collect();
    // Duplicates are reported elsewhere.
    if settings.sizes.is_empty() || names.len() < settings.sizes.len() {
        return (set, Vec::new());
    }
    let without = Settings { sizes: Vec::new(), ..settings.clone() };
    let mut checker = Checker::new(ast, &without);
    checker.declare_all(ast);
    let model = checker.model;
    let mut conflicts = Vec::new();
    set.sizes.retain(|(name, size)| match constant_for(&model, name, *size) {
        None => true,
        Some(Ok((id, value))) => {
            let constant = &model.consts[id.0 as usize].name;
            match set.consts.iter().find(|(known, _)| known == constant) {
                None => set.consts.push((constant.clone(), value)),
                Some((_, known)) if *known == value => {}
                Some((_, known)) => {
                    let message = format!(
                        "`--size {name}={size}` means `{constant}` = {value}, but it is to be {known}"
                    );
                    conflicts.push(Diagnostic::global(&codes::OPTION_DOES_NOT_FIT, message));
                }
            }
            false
        }
        Some(Err(why)) => {
            let message = format!("`--size {name}={size}`: {why}");
            conflicts.push(Diagnostic::global(&codes::OPTION_DOES_NOT_FIT, message));
            false
        }
    });
    (set, conflicts)
}

/// The value of a constant that gives a type its size, if constants determine it.
fn constant_for(model: &hir::Model, name: &str, size: u64) -> Option<Result<(ConstId, BigInt), String>> {
    let ty = model.types.iter().find(|ty| ty.name.as_deref() == Some(name))?;
    let is_root = |id: ConstId| {
        let definition = model.consts[id.0 as usize].definition.as_ref();
        definition.is_none_or(|definition| hir::constants_in(definition).is_empty())
    };
    let of = |end: &hir::Bound| Linear::of(model, &end.expr, &is_root);
    let (ends, form) = match &ty.kind {
        TypeKind::Scalarset { size: Some(size) } => (vec![size], of(size)),
        TypeKind::Range { lo: Some(lo), hi: Some(hi) } => {
            let one_less = of(hi).zip(of(lo)).map(|(hi, lo)| &hi - &lo);
            (vec![lo, hi], one_less.map(|less| &less - &Linear::number(BigInt::from(-1))))
        }
        _ => return None,
    };
    let mentioned: BTreeSet<ConstId> = ends.iter().flat_map(|end| hir::constants_in(&end.expr)).collect();
    let names: Vec<&str> = mentioned.iter().map(|id| model.consts[id.0 as usize].name.as_str()).collect();
    match form {
        Some(form) if form.as_number().is_some() => None,
        Some(form) => Some(form.solve(&BigInt::from(size)).ok_or_else(|| {
            format!("no value of `{}` alone gives `{name}` this size; use `--const`", names.join("` or `"))
        })),
        None if mentioned.is_empty() => None,
        None => Some(Err(format!("its size is computed from `{}`; use `--const`", names.join("` and `")))),
    }
}

impl Checker<'_> {
    /// Errors in the options that do not depend on the model.
    pub(super) fn options(&mut self) {
        let settings = self.settings;
        self.given_twice("--const", settings.consts.iter().map(|(name, _)| name.as_str()));
        self.given_twice("--size", settings.sizes.iter().map(|(name, _)| name.as_str()));
        for (name, size) in &settings.sizes {
            if *size == 0 || i64::try_from(*size).is_err() {
                let message = match size {
                    0 => format!("`--size {name}=0`: a size is at least 1"),
                    _ => format!("`--size {name}={size}`: a size is at most {}", i64::MAX),
                };
                self.report(Diagnostic::global(&codes::SIZE_ZERO, message));
            }
        }
    }

    /// The value given for a top-level constant.
    pub(super) fn const_option(&mut self, name: &str) -> Option<BigInt> {
        let settings = self.settings;
        let (_, value) = settings.consts.iter().find(|(option, _)| option == name)?;
        self.used.consts.insert(name.to_owned());
        Some(value.clone())
    }

    /// The size given for a top-level type; only for types that can be sized.
    pub(super) fn size_option(&mut self, name: &str) -> Option<i64> {
        let settings = self.settings;
        let (_, size) = settings.sizes.iter().find(|(option, _)| option == name)?;
        self.used.sizes.insert(name.to_owned());
        // Sizes that do not fit have been reported.
        i64::try_from(*size).ok().filter(|size| *size > 0)
    }

    pub(super) fn const_option_does_not_fit(&mut self, name: &str) {
        let message = format!("`--const {name}`: the constant is not a number");
        self.report(Diagnostic::global(&codes::OPTION_DOES_NOT_FIT, message));
    }

    pub(super) fn size_option_does_not_fit(&mut self, name: &str, reason: &str) {
        let message = format!("`--size {name}`: {reason}");
        self.report(Diagnostic::global(&codes::OPTION_DOES_NOT_FIT, message));
    }

    /// Reports the options that name nothing.
    pub(super) fn unused_options(&mut self) {
        let settings = self.settings;
        let broken = |checker: &Self, name: &str| {
            checker.scopes[0].get(name).is_some_and(|named| matches!(named.entry, Entry::Broken))
        };
        for (name, _) in &settings.consts {
            if !self.used.consts.contains(name) && !broken(self, name) {
                let message = format!("`--const {name}`: the model has no constant `{name}`");
                let known = self.top_level_names(is_constant);
                let other = self.top_level_names(is_sizable).contains(name);
                let help = match other {
                    true => format!("`{name}` is a type; its size is set with `--size`"),
                    false => self.suggestion(name, "constants", &known),
                };
                self.report(Diagnostic::global(&codes::UNKNOWN_CONSTANT, message).help(help));
            }
        }
        for (name, _) in &settings.sizes {
            if !self.used.sizes.contains(name) && !broken(self, name) {
                let message = format!("`--size {name}`: the model has no scalarset or range type `{name}`");
                let known = self.top_level_names(is_sizable);
                let other = self.top_level_names(is_constant).contains(name);
                let help = match other {
                    true => format!("`{name}` is a constant; it is set with `--const`"),
                    false => self.suggestion(name, "types that can be sized", &known),
                };
                self.report(Diagnostic::global(&codes::UNKNOWN_SIZED_TYPE, message).help(help));
            }
        }
    }

    fn suggestion(&self, name: &str, what: &str, known: &[String]) -> String {
        let help = match known {
            [] => format!("the model has no {what}"),
            known => format!("{what}: {}", known.join(", ")),
        };
        match closest(name, known.iter().map(String::as_str)) {
            Some(similar) => format!("did you mean `{similar}`? {help}"),
            None => help,
        }
    }

    fn top_level_names(&self, fits: impl Fn(&hir::Model, &str, &Entry) -> bool) -> Vec<String> {
        let named = self.scopes[0].iter();
        named
            .filter(|(name, named)| fits(&self.model, name, &named.entry))
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn given_twice<'n>(&mut self, option: &str, names: impl Iterator<Item = &'n str>) {
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name) {
                let message = format!("`{option} {name}` is given twice");
                self.report(Diagnostic::global(&codes::GIVEN_TWICE, message));
            }
        }
    }
}

fn is_constant(_: &hir::Model, _: &str, entry: &Entry) -> bool {
    matches!(entry, Entry::Const(_))
}

/// A second name of a type (`type B : A`) cannot be sized: the first has the size.
fn is_sizable(model: &hir::Model, name: &str, entry: &Entry) -> bool {
    let Entry::Type(id) = entry else { return false };
    let ty = model.ty(*id);
    let has_size = matches!(ty.kind, TypeKind::Scalarset { .. } | TypeKind::Range { lo: Some(_), .. });
    has_size && ty.name.as_deref() == Some(name)
}
