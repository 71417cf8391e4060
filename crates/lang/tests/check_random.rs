//! Random damage to valid models: the checker must not panic, must point into the text, and must be deterministic; and
//! the models it accepts must satisfy the invariants of the checked model.

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::hir::*;
use tenet_lang::murphi::{Dialect, parse};

fn sources() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check/accept");
    let entries = fs::read_dir(folder).expect("the accepted models");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a model").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("readable")).collect()
}

/// Words with their separators, so that damage keeps the text readable to the parser more often than not.
fn words(source: &str) -> Vec<String> {
    source.split_inclusive([' ', ';', '(', ')', '[', ']', '\n']).map(str::to_owned).collect()
}

/// Swaps, repeats or drops words.
fn damage(source: &str, edits: &[(prop::sample::Index, prop::sample::Index, u8)]) -> String {
    let mut words = words(source);
    for (at, other, kind) in edits {
        let (at, other) = (at.index(words.len()), other.index(words.len()));
        match kind % 3 {
            0 => words.swap(at, other),
            1 => words[at] = words[other].clone(),
            _ => words[at].clear(),
        }
    }
    words.concat()
}

/// The invariants of the checked model about its ids and types.
struct Promises<'m> {
    model: &'m Model,
    locals: &'m [Local],
}

impl Promises<'_> {
    fn numeric(&self, ty: TypeId) -> bool {
        matches!(self.model.ty(ty).kind, TypeKind::Integer | TypeKind::Range { .. })
    }

    fn block(&self, block: &[Stmt]) {
        block.iter().for_each(|statement| self.statement(&statement.kind));
    }

    fn statement(&self, statement: &StmtKind) {
        match statement {
            StmtKind::Assign { place, value } => {
                self.place(place);
                self.expr(value);
                let both_numeric = self.numeric(place.ty) && self.numeric(value.ty);
                assert!(both_numeric || self.similar(place.ty, value.ty), "{statement:?}");
            }
            StmtKind::If { condition, then, otherwise } => {
                self.boolean(condition);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::For { binder, body } => {
                self.binder(binder);
                self.block(body);
            }
            StmtKind::While { condition, body } => {
                self.boolean(condition);
                self.block(body);
            }
            StmtKind::Alias { aliases, body } => {
                aliases.iter().for_each(|alias| self.alias(alias));
                self.block(body);
            }
            StmtKind::Call { function, arguments } => self.call(*function, arguments),
            StmtKind::Clear(place) | StmtKind::Undefine(place) => self.place(place),
            StmtKind::Assert { formula, .. } | StmtKind::Assume(formula) | StmtKind::Cover(formula, _) => {
                self.boolean(formula);
            }
            StmtKind::Put(Put::Value(value)) | StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::MultisetAdd { element: value, multiset }
            | StmtKind::MultisetRemove { index: value, multiset } => {
                self.expr(value);
                self.multiset(multiset);
            }
            StmtKind::MultisetRemovePred { local, multiset, predicate } => {
                assert_eq!(self.local(*local).kind, LocalKind::Value);
                self.multiset(multiset);
                self.boolean(predicate);
            }
            StmtKind::Error(_) | StmtKind::Put(Put::Text(_)) | StmtKind::Return(None) => {}
        }
    }

    /// Same kind of type: the deep comparison is tested by the checker itself.
    fn similar(&self, left: TypeId, right: TypeId) -> bool {
        let kind = |id| std::mem::discriminant(&self.model.ty(id).kind);
        left == right || kind(left) == kind(right)
    }

    fn multiset(&self, place: &Place) {
        self.place(place);
        assert!(matches!(self.model.ty(place.ty).kind, TypeKind::Multiset { .. }));
    }

    fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    fn place(&self, place: &Place) {
        let mut ty = match place.root {
            Root::Var(id) => self.model.vars[id.0 as usize].ty,
            Root::Local(id) => {
                assert_ne!(self.local(id).kind, LocalKind::Value);
                self.local(id).ty
            }
        };
        for step in &place.steps {
            ty = match (&self.model.ty(ty).kind, step) {
                (TypeKind::Record { fields }, Step::Field(position)) => fields[*position].ty,
                (TypeKind::Array { index, element }, Step::Index(value)) => {
                    self.expr(value);
                    assert!(self.similar(*index, value.ty) || self.numeric(*index) && self.numeric(value.ty));
                    *element
                }
                (TypeKind::Multiset { element, .. }, Step::Element(value)) => {
                    self.expr(value);
                    *element
                }
                other => panic!("{other:?}"),
            };
        }
        assert_eq!(ty, place.ty);
    }

    fn boolean(&self, expr: &Expr) {
        assert_eq!(expr.ty, BOOLEAN);
        self.expr(expr);
    }

    fn binder(&self, binder: &Binder) {
        assert_eq!(self.local(binder.local).kind, LocalKind::Value);
        match &binder.domain {
            Domain::Type(ty) => assert_eq!(self.local(binder.local).ty, *ty),
            Domain::Steps { from, to, step } => [from, to, step].into_iter().for_each(|end| self.expr(end)),
        }
    }

    fn alias(&self, alias: &Alias) {
        let local = self.local(alias.local);
        match &alias.target {
            AliasTarget::Place(place) => {
                assert_eq!((local.kind, local.ty), (LocalKind::Reference, place.ty));
                self.place(place);
            }
            AliasTarget::Value(value) => {
                assert_eq!((local.kind, local.ty), (LocalKind::Value, value.ty));
                self.expr(value);
            }
        }
    }

    fn call(&self, function: FunctionId, arguments: &[Argument]) {
        let function = &self.model.functions[function.0 as usize];
        assert_eq!(function.parameter_count, arguments.len());
        for (argument, parameter) in arguments.iter().zip(&function.code.locals) {
            match argument {
                Argument::Value(value) => {
                    assert_eq!(parameter.kind, LocalKind::Variable);
                    self.expr(value);
                }
                Argument::Place(place) => {
                    assert_eq!(parameter.kind, LocalKind::Reference);
                    self.place(place);
                }
            }
        }
    }

    fn expr(&self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_) => assert_eq!(expr.ty, INTEGER),
            ExprKind::Bool(_) => assert_eq!(expr.ty, BOOLEAN),
            ExprKind::Enum(position) => {
                let TypeKind::Enum { variants } = &self.model.ty(expr.ty).kind else { panic!("{expr:?}") };
                assert!((*position as usize) < variants.len());
            }
            ExprKind::ConstRef(id) => assert!((id.0 as usize) < self.model.consts.len()),
            ExprKind::Local(id) => {
                assert_eq!((self.local(*id).kind, self.local(*id).ty), (LocalKind::Value, expr.ty));
            }
            ExprKind::Read(place) => {
                assert_eq!(place.ty, expr.ty);
                self.place(place);
            }
            ExprKind::Unary(_, operand) => self.expr(operand),
            ExprKind::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
                assert!(self.similar(left.ty, right.ty) || self.numeric(left.ty) && self.numeric(right.ty));
            }
            ExprKind::Ite(condition, yes, no) => {
                self.boolean(condition);
                self.expr(yes);
                self.expr(no);
            }
            ExprKind::Quantifier { binder, body, .. } => {
                self.binder(binder);
                self.boolean(body);
            }
            ExprKind::Call { function, arguments } => {
                assert_eq!(self.model.functions[function.0 as usize].result, Some(expr.ty));
                self.call(*function, arguments);
            }
            ExprKind::Index(id) => assert_eq!(self.model.indices[id.0 as usize].ty, expr.ty),
            ExprKind::Apply { definition, arguments } => {
                let definition = &self.model.definitions[definition.0 as usize];
                assert_eq!((definition.result, definition.parameter_count), (expr.ty, arguments.len()));
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            ExprKind::Update { array, indices, value } => {
                assert!(array.ty == expr.ty && !indices.is_empty());
                self.expr(array);
                indices.iter().for_each(|index| self.expr(index));
                self.expr(value);
            }
            ExprKind::Undefined => {}
            ExprKind::IsUndefined(place) => self.place(place),
            ExprKind::IsMember(value, member) => {
                self.expr(value);
                let TypeKind::Union { members } = &self.model.ty(value.ty).kind else { panic!("{expr:?}") };
                assert!(members.contains(member));
            }
            ExprKind::MultisetCount { multiset, predicate, .. } => {
                self.multiset(multiset);
                self.boolean(predicate);
            }
            ExprKind::Convert(value) => {
                assert_ne!(value.ty, expr.ty);
                self.expr(value);
            }
        }
    }

    fn prelude(&self, prelude: &[Prelude]) {
        for item in prelude {
            match item {
                Prelude::Parameter(binder) => self.binder(binder),
                Prelude::Alias(alias) => self.alias(alias),
                Prelude::Choose { multiset, .. } => self.multiset(multiset),
            }
        }
    }
}

fn keeps_promises(model: &Model) {
    for function in &model.functions {
        Promises { model, locals: &function.code.locals }.block(&function.body);
    }
    for rule in model.rules.iter().chain(&model.starts) {
        let promises = Promises { model, locals: &rule.code.locals };
        promises.prelude(&rule.prelude);
        rule.guard.iter().for_each(|guard| promises.boolean(guard));
        promises.block(&rule.body);
    }
    for property in &model.properties {
        let promises = Promises { model, locals: &property.code.locals };
        promises.prelude(&property.prelude);
        promises.boolean(&property.formula);
    }
}

fn examine(source: &str) {
    let settings = Settings::new(Dialect::Tenet);
    let (ast, syntax) = parse(source, settings.dialect);
    let (model, diagnostics) = check(&ast, &settings);
    for label in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        assert!(source.get(label.span.range()).is_some(), "a label outside the text");
    }
    assert_eq!(check(&ast, &settings).1, diagnostics, "the same answer twice");
    if syntax.is_empty() && !diagnostics.iter().any(|diagnostic| diagnostic.is_error()) {
        keeps_promises(&model);
    }
}

#[test]
fn sound_models_keep_their_promises() {
    sources().iter().for_each(|source| examine(source));
}

proptest! {
    #![proptest_config(tenet_chance::cases(400))]

    #[test]
    fn damaged_models_do_no_harm(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3_u8), 1..6),
    ) {
        let sources = sources();
        examine(&damage(&sources[which.index(sources.len())], &edits));
    }
}
