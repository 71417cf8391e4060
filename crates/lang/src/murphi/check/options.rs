//! `--const` and `--size`: looked up where the declarations are, complained about at the end.

use super::scope::Entry;
use super::{Checker, hir};
use crate::codes::options as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::TypeKind;
use crate::suggest::closest;
use num_bigint::BigInt;
use std::collections::BTreeSet;

/// The names of options that found their declaration.
#[derive(Default)]
pub(super) struct Used {
    consts: BTreeSet<String>,
    sizes: BTreeSet<String>,
}

impl Checker<'_> {
    /// What is wrong with the options whatever the model is.
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

    /// The size given for a top-level type; call it only for types that can be sized.
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

/// A second name of a type (`type B : A`) cannot be sized: it is the first that has the size.
fn is_sizable(model: &hir::Model, name: &str, entry: &Entry) -> bool {
    let Entry::Type(id) = entry else { return false };
    let ty = model.ty(*id);
    let has_size = matches!(ty.kind, TypeKind::Scalarset { .. } | TypeKind::Range { lo: Some(_), .. });
    has_size && ty.name.as_deref() == Some(name)
}
