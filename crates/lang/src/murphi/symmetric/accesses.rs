//! What a loop reads and writes, found by following the code from each rule through aliases and calls.
//!
//! Calls are followed with their actual arguments rather than summarised, so that a `var` parameter is the very place
//! that was passed and an index parameter is the loop variable itself: a summary would have to assume that any two
//! `var` parameters overlap.

use super::super::finite::scan::written_locals;
use super::super::finite::text::Names;
use super::super::hir::{
    Alias, AliasTarget, Argument, BinaryOp, Binder, Code, Domain, Expr, ExprKind, FunctionId, LocalId,
    LocalKind, Model, Place, Prelude, Root, Step, Stmt, StmtKind, TypeId, TypeKind,
};
use super::locations::{Depends, Event, Fold, Kind, Location, LoopRun, Origin, Part, Write};
use super::{judge, picked_by_clear, scalarsets_in};
use crate::span::Span;

/// How much is written down before the analysis gives up.
const EVENT_LIMIT: usize = 300_000;

/// Something suspicious: scalarsets, where, why.
pub(super) type Suspicion = (Vec<TypeId>, Span, String);

/// Everything suspicious in the rules and properties.
pub(super) fn walk(model: &Model) -> Vec<Suspicion> {
    let mut walker = Walker {
        model,
        findings: Vec::new(),
        events: Vec::new(),
        frame: Frame { code: &NO_CODE, bindings: Vec::new(), number: 0 },
        next: 0,
        calls: Vec::new(),
    };
    for rule in &model.rules {
        walker.begin(&rule.code, &rule.prelude);
        rule.guard.iter().for_each(|guard| drop(walker.expr(guard)));
        walker.block(&rule.body);
        walker.give_up_if_too_long(rule.span);
    }
    for property in &model.properties {
        walker.begin(&property.code, &property.prelude);
        walker.expr(&property.formula);
        walker.give_up_if_too_long(property.span);
    }
    walker.findings
}

/// No locals at all.
static NO_CODE: Code = Code { locals: Vec::new() };

/// What a local stands for.
#[derive(Clone, Debug)]
enum Binding {
    /// A loop variable, quantified variable or parameter.
    Bound(u32),
    /// A value computed earlier, and what it is as an index.
    Value(Depends, Part),
    Place(Location),
}

/// The code that is being walked: a rule, a property or one call.
struct Frame<'m> {
    code: &'m Code,
    bindings: Vec<Option<Binding>>,
    number: u32,
}

struct Walker<'m> {
    model: &'m Model,
    findings: Vec<Suspicion>,
    events: Vec<Event>,
    frame: Frame<'m>,
    /// The next number for a frame, local variable or bound value.
    next: u32,
    /// The functions that are being walked.
    calls: Vec<FunctionId>,
}

impl<'m> Walker<'m> {
    fn begin(&mut self, code: &'m Code, prelude: &'m [Prelude]) {
        self.events.clear();
        self.frame = self.new_frame(code);
        self.enter_locals(0);
        for item in prelude {
            match item {
                Prelude::Parameter(binder) => drop(self.bind(binder.local)),
                Prelude::Alias(alias) => self.alias(alias),
                Prelude::Choose { local, .. } => drop(self.bind(*local)),
            }
        }
    }

    /// A rule that is too long to be looked at may depend on any order.
    fn give_up_if_too_long(&mut self, span: Span) {
        if self.events.len() < EVENT_LIMIT {
            return;
        }
        let ids = (0..self.model.types.len() as u32).map(TypeId);
        let all = ids.filter(|ty| matches!(self.model.ty(*ty).kind, TypeKind::Scalarset { .. })).collect();
        self.findings.push((all, span, "this is too long to be analysed".to_string()));
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn new_frame(&mut self, code: &'m Code) -> Frame<'m> {
        Frame { code, bindings: vec![None; code.locals.len()], number: self.number() }
    }

    fn enter_locals(&mut self, parameter_count: usize) {
        let code = self.frame.code;
        for (position, local) in code.locals.iter().enumerate().skip(parameter_count) {
            if local.kind == LocalKind::Variable {
                let origin = Origin::Local(self.number());
                let location = Location { origin, path: Vec::new(), text: local.name.clone() };
                self.frame.bindings[position] = Some(Binding::Place(location));
            }
        }
    }

    fn bind(&mut self, local: LocalId) -> u32 {
        let number = self.number();
        self.frame.bindings[local.0 as usize] = Some(Binding::Bound(number));
        number
    }

    fn binding(&self, local: LocalId) -> Binding {
        let binding = self.frame.bindings[local.0 as usize].clone();
        binding.expect("invariant: the checker lets no local escape its scope")
    }

    fn names(&self) -> Names<'m> {
        Names { model: self.model, code: self.frame.code }
    }

    fn push(&mut self, event: Event) {
        if self.events.len() < EVENT_LIMIT {
            self.events.push(event);
        }
    }

    fn block(&mut self, body: &'m [Stmt]) {
        for stmt in body {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'m Stmt) {
        match &stmt.kind {
            StmtKind::Assign { place, value } => self.assign(place, value),
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                self.block(otherwise);
            }
            StmtKind::For { binder, body } => self.walk_loop(binder, body, stmt.span),
            StmtKind::While { condition, body } => {
                self.expr(condition);
                self.block(body);
            }
            StmtKind::Alias { aliases, body } => {
                aliases.iter().for_each(|alias| self.alias(alias));
                self.block(body);
            }
            StmtKind::Call { function, arguments } => drop(self.call(*function, arguments)),
            StmtKind::Clear(place) => {
                let picked = picked_by_clear(self.model, place.ty);
                if !picked.is_empty() {
                    self.findings.push((picked, stmt.span, "`clear` picks the first element".to_string()));
                }
                self.write_literal(place, "clear");
            }
            StmtKind::Undefine(place) => self.write_literal(place, "undefine"),
            StmtKind::Assert { formula, .. } | StmtKind::Assume(formula) | StmtKind::Cover(formula, _) => {
                self.expr(formula);
            }
            StmtKind::Return(value) => {
                let depends = value.as_ref().map(|value| self.expr(value)).unwrap_or_default();
                let literal = value.as_ref().and_then(|value| self.literal(value, &depends));
                self.push(Event::Return { frame: self.frame.number, depends, literal });
            }
            StmtKind::MultisetAdd { element, multiset } => {
                self.expr(element);
                self.write_fold(multiset, Fold::MultisetAdd);
            }
            StmtKind::MultisetRemove { index, multiset } => {
                self.expr(index);
                self.write_fold(multiset, Fold::MultisetRemove);
            }
            StmtKind::MultisetRemovePred { local, multiset, predicate } => {
                self.bind(*local);
                self.expr(predicate);
                self.write_fold(multiset, Fold::MultisetRemove);
            }
            StmtKind::Error(_) | StmtKind::Put(_) => {}
        }
    }

    /// Walks a loop, and judges it if it runs over a scalarset.
    fn walk_loop(&mut self, binder: &'m Binder, body: &'m [Stmt], span: Span) {
        let types = match &binder.domain {
            Domain::Type(ty) => scalarsets_in(self.model, *ty),
            Domain::Steps { from, to, step } => {
                for bound in [from, to, step] {
                    self.expr(bound);
                }
                Vec::new()
            }
        };
        let first = self.events.len();
        let variable = self.bind(binder.local);
        self.block(body);
        if types.is_empty() {
            return;
        }
        let run = LoopRun { variable, frame: self.frame.number };
        if let Some(reason) = judge(&run, &self.events[first..]) {
            self.findings.push((types, span, reason));
        }
    }

    fn assign(&mut self, place: &'m Place, value: &'m Expr) {
        if let Some((fold, operand)) = self.as_fold(place, value) {
            self.expr(operand);
            self.write_fold(place, fold);
            return;
        }
        let depends = self.expr(value);
        let literal = self.literal(value, &depends);
        self.write(place, Kind::Value { depends, literal });
    }

    /// `x := x + e` and the like, with `e`.
    fn as_fold(&self, place: &Place, value: &'m Expr) -> Option<(Fold, &'m Expr)> {
        let ExprKind::Binary(op, left, right) = &strip(value).kind else { return None };
        let (fold, either_side) = match op {
            BinaryOp::Add => (Fold::Sum, true),
            BinaryOp::Sub => (Fold::Sum, false),
            BinaryOp::Or => (Fold::Or, true),
            BinaryOp::And => (Fold::And, true),
            _ => return None,
        };
        let names = self.names();
        let target = names.place(place);
        let is_target =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Read(read) if names.place(read) == target);
        if is_target(strip(left)) {
            return Some((fold, right));
        }
        (either_side && is_target(strip(right))).then_some((fold, &**left))
    }

    fn write_literal(&mut self, place: &'m Place, word: &str) {
        self.write(place, Kind::Value { depends: Depends::default(), literal: Some(word.to_string()) });
    }

    fn write_fold(&mut self, place: &'m Place, fold: Fold) {
        self.write(place, Kind::Fold(fold));
    }

    fn write(&mut self, place: &'m Place, kind: Kind) {
        let mut indices = Depends::default();
        if let Binding::Place(location) = self.place(place, &mut indices) {
            self.push(Event::Write(Write { location, kind }));
        }
    }

    /// The text of a value that needs nothing to be computed.
    fn literal(&self, value: &Expr, depends: &Depends) -> Option<String> {
        (depends.bound.is_empty() && depends.reads.is_empty()).then(|| self.names().expr(value))
    }

    fn alias(&mut self, alias: &'m Alias) {
        let binding = match &alias.target {
            AliasTarget::Place(place) => self.place(place, &mut Depends::default()),
            AliasTarget::Value(value) => {
                let part = self.index(value, &mut Depends::default());
                Binding::Value(self.expr(value), part)
            }
        };
        self.frame.bindings[alias.local.0 as usize] = Some(binding);
    }

    /// Where a place is; what its indices depend on is added to `depends`.
    fn place(&mut self, place: &'m Place, depends: &mut Depends) -> Binding {
        let root = match place.root {
            Root::Var(var) => {
                let text = self.model.vars[var.0 as usize].name.clone();
                Binding::Place(Location { origin: Origin::State(var), path: Vec::new(), text })
            }
            Root::Local(local) => self.binding(local),
        };
        let Binding::Place(mut location) = root else { return root };
        for step in &place.steps {
            let part = match step {
                Step::Field(position) => Part::Field(*position),
                Step::Index(index) | Step::Element(index) => self.index(index, depends),
            };
            location.path.push(part);
        }
        location.text = self.names().place(place);
        Binding::Place(location)
    }

    fn index(&mut self, index: &'m Expr, depends: &mut Depends) -> Part {
        let own = self.expr(index);
        let literal = self.literal(index, &own);
        depends.add(own);
        let binding = match &strip(index).kind {
            ExprKind::Local(local) => self.binding(*local),
            ExprKind::Read(Place { root: Root::Local(local), steps, .. }) if steps.is_empty() => {
                self.binding(*local)
            }
            _ => return literal.map_or(Part::Unknown, Part::Literal),
        };
        match binding {
            Binding::Bound(number) => Part::Bound(number),
            Binding::Value(_, part) => part,
            Binding::Place(_) => Part::Unknown,
        }
    }

    /// Notes what an expression reads, and says what its value depends on.
    fn expr(&mut self, expr: &'m Expr) -> Depends {
        let mut depends = Depends::default();
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Enum(_) | ExprKind::ConstRef(_) => {}
            ExprKind::Local(local) => {
                let binding = self.binding(*local);
                self.read(binding, &mut depends);
            }
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => {
                let binding = self.place(place, &mut depends);
                self.read(binding, &mut depends);
            }
            ExprKind::Unary(_, inner) | ExprKind::IsMember(inner, _) | ExprKind::Convert(inner) => {
                depends = self.expr(inner);
            }
            ExprKind::Binary(_, left, right) => {
                depends = self.expr(left);
                depends.add(self.expr(right));
            }
            ExprKind::Ite(condition, then, otherwise) => {
                for part in [condition, then, otherwise] {
                    depends.add(self.expr(part));
                }
            }
            ExprKind::Quantifier { binder, body, .. } => {
                if let Domain::Steps { from, to, step } = &binder.domain {
                    for bound in [from, to, step] {
                        depends.add(self.expr(bound));
                    }
                }
                depends.add(self.closed(binder.local, body));
            }
            ExprKind::Call { function, arguments } => depends = self.call(*function, arguments),
            ExprKind::MultisetCount { local, multiset, predicate } => {
                let binding = self.place(multiset, &mut depends);
                self.read(binding, &mut depends);
                depends.add(self.closed(*local, predicate));
            }
        }
        depends
    }

    /// An expression under a binder: its value does not depend on the bound variable.
    fn closed(&mut self, local: LocalId, body: &'m Expr) -> Depends {
        let number = self.bind(local);
        let mut depends = self.expr(body);
        depends.bound.remove(&number);
        depends
    }

    fn read(&mut self, binding: Binding, depends: &mut Depends) {
        match binding {
            Binding::Bound(number) => drop(depends.bound.insert(number)),
            Binding::Value(value, _) => depends.add(value),
            Binding::Place(location) => {
                self.push(Event::Read(location.clone()));
                depends.reads.push(location);
            }
        }
    }

    /// Follows a call; its value depends on all that it reads.
    fn call(&mut self, function: FunctionId, arguments: &'m [Argument]) -> Depends {
        let model = self.model;
        let callee = &model.functions[function.0 as usize];
        let first = self.events.len();
        let mut depends = Depends::default();
        let written = written_locals(callee);
        let mut frame = self.new_frame(&callee.code);
        for (position, argument) in arguments.iter().enumerate() {
            frame.bindings[position] = Some(self.pass(argument, written[position], &mut depends));
        }
        if self.calls.contains(&function) || self.events.len() >= EVENT_LIMIT {
            self.push(Event::Unknown(callee.name.clone()));
            return depends;
        }
        self.calls.push(function);
        let caller = std::mem::replace(&mut self.frame, frame);
        self.enter_locals(callee.parameter_count);
        self.block(&callee.body);
        self.frame = caller;
        self.calls.pop();
        for event in &self.events[first..] {
            if let Event::Read(location) = event {
                depends.reads.push(location.clone());
            }
        }
        depends
    }

    fn pass(&mut self, argument: &'m Argument, written: bool, depends: &mut Depends) -> Binding {
        match argument {
            Argument::Place(place) => self.place(place, depends),
            Argument::Value(value) if !written => {
                let part = self.index(value, &mut Depends::default());
                let own = self.expr(value);
                depends.add(own.clone());
                Binding::Value(own, part)
            }
            Argument::Value(value) => {
                depends.add(self.expr(value));
                let origin = Origin::Local(self.number());
                Binding::Place(Location { origin, path: Vec::new(), text: String::new() })
            }
        }
    }
}

/// The expression without conversions around it.
fn strip(mut expr: &Expr) -> &Expr {
    while let ExprKind::Convert(inner) = &expr.kind {
        expr = inner;
    }
    expr
}
