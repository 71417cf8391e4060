//! Types, symbols, predicates, and the options about them.

use super::Checker;
use crate::codes::{cubicle as codes, options};
use crate::cubicle::ast::{Name, SymbolDeclaration, SymbolKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::suggest::closest;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::collections::BTreeSet;
use tenet_term::{Role, Sort, SortId, SymbolId, TermId};

/// The greatest value of `number_procs`: each process is a value of an enumeration.
const MAX_PROCESSES: u32 = 1000;

/// The meaning of a type's name. An uninterpreted sort is created only when a symbol has it; otherwise an instance
/// would need a size for nothing.
#[derive(Clone, Copy, Debug)]
pub(super) enum Type {
    /// `bool`, `int`, `real` or an enumeration.
    Known(SortId),
    /// `proc`.
    Process,
    /// Declared without values.
    Abstract,
}

/// The meaning of a name that starts with a capital letter.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A value of an enumeration, or a constant with a value.
    Value(TermId),
    /// A constant without a value, or one that is part of the state because its type is not numeric.
    Constant(SymbolId),
    Variable(SymbolId),
    /// An array, with its number of indices.
    Array(SymbolId, usize),
    /// Its declaration is erroneous; this has been reported.
    Broken,
}

impl Checker<'_> {
    /// Errors in the options that do not depend on the model.
    pub(super) fn options(&mut self) {
        let settings = self.settings;
        self.given_twice("--const", settings.consts.iter().map(|(name, _)| name.as_str()));
        self.given_twice("--size", settings.sizes.iter().map(|(name, _)| name.as_str()));
        for (name, size) in &settings.sizes {
            if *size == 0 || u32::try_from(*size).is_err() {
                let message = match size {
                    0 => format!("`--size {name}=0`: a size is at least 1"),
                    _ => format!("`--size {name}={size}`: a size is at most {}", u32::MAX),
                };
                self.report(Diagnostic::global(&options::SIZE_ZERO, message));
            }
        }
    }

    fn given_twice<'a>(&mut self, option: &str, names: impl Iterator<Item = &'a str>) {
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name) {
                let message = format!("`{option} {name}` is given twice");
                self.report(Diagnostic::global(&options::GIVEN_TWICE, message));
            }
        }
    }

    fn size_option(&self, name: &str) -> Option<u32> {
        let (_, size) = self.settings.sizes.iter().find(|(known, _)| known == name)?;
        u32::try_from(*size).ok().filter(|&size| size > 0)
    }

    /// `number_procs` or `--size proc`.
    pub(super) fn number_of_processes(&mut self) {
        let tree = self.tree;
        if let [first, second, ..] = tree.sizes.as_slice() {
            let message = "`number_procs` is there twice";
            let diagnostic = Diagnostic::error(&codes::PROCESS_COUNT, message, second.span)
                .label("the second time")
                .also(first.span, "the first time");
            self.report(diagnostic);
        }
        let Some(size) = tree.sizes.first() else {
            let fixed = self.size_option("proc").filter(|_| self.settings.fix_sizes);
            self.process_count = fixed.map(|size| size.min(MAX_PROCESSES));
            return;
        };
        self.process_count =
            u32::try_from(&size.count).ok().filter(|count| (1..=MAX_PROCESSES).contains(count));
        if self.process_count.is_none() {
            self.process_count = Some(1);
            let message = format!("there cannot be {} processes", size.count);
            self.fail::<()>(&codes::PROCESS_COUNT, message, size.span, format!("from 1 to {MAX_PROCESSES}"));
        }
        if self.settings.sizes.iter().any(|(name, _)| name == "proc") {
            let message = "`--size proc`: the file fixes the number of processes";
            self.fail::<()>(&codes::PROCESS_COUNT, message, size.span, "fixed here");
        }
    }

    pub(super) fn types(&mut self) {
        for (name, sort) in [("bool", SortId::BOOL), ("int", SortId::INT), ("real", SortId::REAL)] {
            self.types.insert(name.into(), (Type::Known(sort), None));
        }
        self.types.insert("proc".into(), (Type::Process, None));
        for (name, value) in [("True", TermId::TRUE), ("False", TermId::FALSE)] {
            self.meanings.insert(name.into(), (Meaning::Value(value), Span::default()));
        }
        for declaration in &self.tree.types {
            let name = &declaration.name;
            if let Some((_, first)) = self.types.get(&name.text) {
                let first = *first;
                self.declared_twice(name, first);
                continue;
            }
            let ty = match declaration.constructors.is_empty() {
                true => Type::Abstract,
                false => Type::Known(self.enumeration(&name.text, &declaration.constructors)),
            };
            self.types.insert(name.text.clone(), (ty, Some(name.span)));
        }
    }

    /// An uninterpreted type.
    fn abstract_type(&mut self, name: &str) -> SortId {
        let fixed = self.size_option(name).filter(|_| self.settings.fix_sizes);
        let Some(size) = fixed else { return self.store().index_sort(name) };
        let names: Vec<String> =
            (1..=size.min(MAX_PROCESSES)).map(|value| format!("{name}_{value}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        self.store().enum_sort(name, &names)
    }

    fn enumeration(&mut self, name: &str, constructors: &[Name]) -> SortId {
        let mut variants: Vec<&str> = Vec::new();
        let mut declared = Vec::new();
        for constructor in constructors {
            match self.meanings.get(&constructor.text).map(|(_, span)| *span) {
                Some(first) => self.declared_twice(constructor, Some(first)),
                None if variants.contains(&constructor.text.as_str()) => {
                    self.declared_twice(constructor, None)
                }
                None => {
                    variants.push(&constructor.text);
                    declared.push(constructor);
                }
            }
        }
        if variants.is_empty() {
            // Every constructor belongs to another type, which has been reported.
            return self.store().index_sort(name);
        }
        let sort = self.store().enum_sort(name, &variants);
        for (position, constructor) in declared.into_iter().enumerate() {
            let value = self.store().mk_enum(sort, position as u32);
            self.meanings.insert(constructor.text.clone(), (Meaning::Value(value), constructor.span));
        }
        sort
    }

    fn declared_twice(&mut self, name: &Name, first: Option<Span>) {
        let message = format!("`{}` is declared twice", name.text);
        let diagnostic =
            Diagnostic::error(&codes::DECLARED_TWICE, message, name.span).label("the second declaration");
        self.report(match first.filter(|span| *span != Span::default()) {
            Some(first) => diagnostic.also(first, "the first one"),
            None => diagnostic.help("this name is part of the language, or stands in the same list already"),
        });
    }

    /// The sort that a type's name stands for.
    fn named_sort(&mut self, name: &Name) -> Option<SortId> {
        match self.types.get(&name.text).map(|(ty, _)| *ty) {
            Some(Type::Known(sort)) => return Some(sort),
            Some(Type::Process) => return Some(self.process_sort()),
            Some(Type::Abstract) => return Some(self.abstract_type(&name.text)),
            None => {}
        }
        let known = self.types.keys().map(String::as_str);
        let message = format!("there is no type `{}`", name.text);
        let diagnostic = Diagnostic::error(&codes::UNKNOWN_TYPE, message, name.span).label("not declared");
        let diagnostic = match closest(&name.text, known) {
            Some(close) => diagnostic.help(format!("did you mean `{close}`?")),
            None => diagnostic,
        };
        self.report(diagnostic);
        None
    }

    pub(super) fn symbols(&mut self) {
        let tree = self.tree;
        for declaration in &tree.symbols {
            let name = &declaration.name;
            if let Some((_, first)) = self.meanings.get(&name.text) {
                let first = *first;
                self.declared_twice(name, Some(first));
                continue;
            }
            let meaning = self.symbol(declaration).unwrap_or(Meaning::Broken);
            self.meanings.insert(name.text.clone(), (meaning, name.span));
        }
    }

    fn symbol(&mut self, declaration: &SymbolDeclaration) -> Option<Meaning> {
        for index in declaration.indices.iter().filter(|index| index.text != "proc") {
            let message = format!("arrays are indexed by `proc`, not by `{}`", index.text);
            self.fail::<()>(&codes::NOT_INDEXABLE, message, index.span, "should be `proc`");
        }
        let result = self.named_sort(&declaration.ty)?;
        let name = declaration.name.text.as_str();
        if declaration.kind == SymbolKind::Const && self.is_numeric(result) {
            return Some(self.number(name, result));
        }
        if self.apart == Some(name) {
            let symbol = self.store().declare(name, result, Role::Const);
            let term = self.store().mk_symbol(symbol);
            self.model.consts.push(symbol);
            self.model.apart = Some(symbol);
            self.processes.push(term);
            return Some(Meaning::Constant(symbol));
        }
        let process = self.process_sort_if(!declaration.indices.is_empty());
        let sort = match process {
            None => result,
            Some(process) => {
                let args = vec![process; declaration.indices.len()];
                self.store().function_sort(&args, result)
            }
        };
        let symbol = self.store().declare(name, sort, Role::State);
        self.model.state.push(symbol);
        Some(match declaration.kind {
            SymbolKind::Const => Meaning::Constant(symbol),
            SymbolKind::Var => Meaning::Variable(symbol),
            SymbolKind::Array => Meaning::Array(symbol, declaration.indices.len()),
        })
    }

    /// A system that does not use processes does not need their number.
    fn process_sort_if(&mut self, needed: bool) -> Option<SortId> {
        needed.then(|| self.process_sort())
    }

    pub(super) fn is_numeric(&self, sort: SortId) -> bool {
        self.model.store.sort(sort).is_numeric()
    }

    /// A numeric constant, which `--const` may give a value.
    fn number(&mut self, name: &str, sort: SortId) -> Meaning {
        let given = self.settings.consts.iter().find(|(known, _)| known == name);
        if let Some((_, value)) = given {
            let value = value.clone();
            return Meaning::Value(self.numeral(value, sort));
        }
        let symbol = self.store().declare(name, sort, Role::Const);
        self.model.consts.push(symbol);
        Meaning::Constant(symbol)
    }

    fn numeral(&mut self, value: BigInt, sort: SortId) -> TermId {
        match self.model.store.sort(sort) {
            Sort::Real => self.store().mk_rational(BigRational::from_integer(value)),
            _ => self.store().mk_int(value),
        }
    }

    pub(super) fn predicates(&mut self) {
        for predicate in &self.tree.predicates {
            self.differ(&predicate.params);
            if let Some(first) = self.predicates.get(predicate.name.text.as_str()) {
                let first = first.name.span;
                self.declared_twice(&predicate.name, Some(first));
            } else {
                self.predicates.insert(&predicate.name.text, predicate);
            }
        }
    }

    /// Reports the options that name nothing.
    pub(super) fn unused_options(&mut self) {
        let tree = self.tree;
        let numeric = |checker: &Self, name: &str| {
            let declared = tree.symbols.iter().find(|symbol| symbol.name.text == name);
            let declared = declared.filter(|symbol| symbol.kind == SymbolKind::Const)?;
            let ty = checker.types.get(&declared.ty.text).map(|(ty, _)| *ty);
            Some(matches!(ty, Some(Type::Known(sort)) if checker.is_numeric(sort)))
        };
        for (name, _) in &self.settings.consts {
            match numeric(self, name) {
                Some(true) => {}
                Some(false) => {
                    let message = format!("`--const {name}`: the constant is not a number");
                    self.report(Diagnostic::global(&options::OPTION_DOES_NOT_FIT, message));
                }
                None => {
                    let message = format!("`--const {name}`: the model has no constant `{name}`");
                    let consts = tree.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Const);
                    let names: Vec<&str> = consts.map(|symbol| symbol.name.text.as_str()).collect();
                    self.report(Diagnostic::global(&options::UNKNOWN_CONSTANT, message).help(suggestion(
                        name,
                        "constants",
                        &names,
                    )));
                }
            }
        }
        let abstract_types = tree.types.iter().filter(|declared| declared.constructors.is_empty());
        let names: Vec<&str> =
            abstract_types.map(|declared| declared.name.text.as_str()).chain(["proc"]).collect();
        for (name, _) in &self.settings.sizes {
            if !names.contains(&name.as_str()) {
                let message = format!("`--size {name}`: the model has no type `{name}` that can be sized");
                self.report(Diagnostic::global(&options::UNKNOWN_SIZED_TYPE, message).help(suggestion(
                    name,
                    "types that can be sized",
                    &names,
                )));
            }
        }
    }
}

fn suggestion(name: &str, what: &str, known: &[&str]) -> String {
    match closest(name, known.iter().copied()) {
        Some(close) => format!("did you mean `{close}`?"),
        None if known.is_empty() => format!("it has no {what}"),
        None => format!("its {what}: {}", known.join(", ")),
    }
}
