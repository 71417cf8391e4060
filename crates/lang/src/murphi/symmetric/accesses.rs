//! What a loop reads and writes, found by following the code from each rule through aliases and calls.
//!
//! Calls are followed with their actual arguments rather than summarised, so that a `var` parameter is the very place
//! that was passed and an index parameter is the loop variable itself: a summary would have to assume that any two
//! `var` parameters alias.

use super::super::finite::scan::written_locals;
use super::super::finite::text::Names;
use super::super::hir::{
    Alias, AliasTarget, Argument, BinaryOp, Binder, Code, Domain, Expr, ExprKind, FunctionId, LocalId,
    LocalKind, Model, Place, Prelude, Root, Step, Stmt, StmtKind, TypeId, TypeKind, VarId,
};
use super::failures::Failures;
use super::locations::{Depends, Event, Fold, Kind, Literal, Location, LoopRun, Origin, Part, Write};
use super::{judge, picked_by_clear, scalarsets_in, scalarsets_within};
use crate::span::Span;

/// The number of events of one rule beyond which the analysis gives up.
const EVENT_LIMIT: usize = 300_000;

/// Evidence of a dependency on the order: the scalarsets, the place, the reason.
pub(super) type OrderDependency = (Vec<TypeId>, Span, String);

/// All dependencies on an order in the rules and properties.
pub(super) fn walk(
    model: &Model,
    undefined: &mut dyn FnMut(VarId, &[Option<usize>]) -> bool,
) -> Vec<OrderDependency> {
    let mut walker = Walker {
        model,
        undefined,
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

static NO_CODE: Code = Code { locals: Vec::new() };

/// The meaning of a local name.
#[derive(Clone, Debug)]
enum Binding {
    /// A loop variable, quantified variable or parameter.
    Bound(u32),
    /// A value computed earlier, and its form as an index.
    Value(Depends, Part),
    Place(Location),
}

/// The code being analysed: a rule, a property or one call.
struct Frame<'m> {
    code: &'m Code,
    bindings: Vec<Option<Binding>>,
    number: u32,
}

struct Walker<'m, 'u> {
    model: &'m Model,
    /// Whether a component of a state variable may be undefined.
    undefined: &'u mut dyn FnMut(VarId, &[Option<usize>]) -> bool,
    findings: Vec<OrderDependency>,
    events: Vec<Event>,
    frame: Frame<'m>,
    /// The next number for a frame, local variable or bound value.
    next: u32,
    /// The functions on the call stack.
    calls: Vec<FunctionId>,
}

impl<'m> Walker<'m, '_> {
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

    /// A rule that is too long to analyse may depend on any order.
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
                self.push(Event::MayFail);
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
                self.write_literal(place, Literal::Cleared);
            }
            StmtKind::Undefine(place) => self.write_literal(place, Literal::Undefined),
            StmtKind::Assert { formula, .. } => {
                self.push(Event::MayFail);
                self.expr(formula);
            }
            StmtKind::Assume(formula) => {
                self.push(Event::Assume);
                self.expr(formula);
            }
            StmtKind::Cover(formula, _) => drop(self.expr(formula)),
            StmtKind::Return(value) => {
                let depends = value.as_ref().map(|value| self.expr(value)).unwrap_or_default();
                if value.as_ref().is_some_and(|value| self.failures().return_value(value)) {
                    self.push(Event::MayFail);
                }
                let literal = value.as_ref().and_then(literal);
                self.push(Event::Return { frame: self.frame.number, depends, literal });
            }
            StmtKind::MultisetAdd { element, multiset } => {
                self.push(Event::MayFail);
                self.expr(element);
                self.write_fold(multiset, Fold::MultisetAdd);
            }
            StmtKind::MultisetRemove { index, multiset } => {
                self.push(Event::MayFail);
                self.expr(index);
                self.write_fold(multiset, Fold::MultisetRemove);
            }
            StmtKind::MultisetRemovePred { local, multiset, predicate } => {
                self.remove_where(*local, multiset, predicate, stmt.span);
                self.write_fold(multiset, Fold::MultisetRemove);
            }
            StmtKind::Error(_) => self.push(Event::MayFail),
            StmtKind::Put(_) => {}
        }
    }

    /// Analyses a loop, and checks it if it runs over a scalarset.
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
        self.judge(variable, first, types, span);
    }

    /// Checks the events since `first` as the iterations of a loop over elements of these scalarsets.
    fn judge(&mut self, variable: u32, first: usize, types: Vec<TypeId>, span: Span) {
        if types.is_empty() {
            return;
        }
        let run = LoopRun { variable, frame: self.frame.number };
        if let Some(reason) = judge(&run, &self.events[first..]) {
            self.findings.push((types, span, reason));
        }
    }

    /// Removing elements one by one: the predicate must not read elements that may be removed already.
    fn remove_where(&mut self, local: LocalId, multiset: &'m Place, predicate: &'m Expr, span: Span) {
        let first = self.events.len();
        let variable = self.bind(local);
        self.expr(predicate);
        let binding = self.place(multiset, &mut Depends::default());
        if let Binding::Place(mut location) = binding {
            location.path.push(Part::Bound(variable));
            self.push(Event::Write(Write { location, kind: Kind::Fold(Fold::MultisetRemove) }));
        }
        self.judge(variable, first, scalarsets_within(self.model, multiset.ty), span);
    }

    fn assign(&mut self, place: &'m Place, value: &'m Expr) {
        if value.ty != place.ty && self.failures().narrows(value.ty, place.ty) {
            self.push(Event::MayFail);
        }
        let first = self.events.len();
        if let Some((fold, operand, skipped)) = self.as_fold(place, value) {
            self.expr(operand);
            // `x | e` evaluates `e` only while `x` is false: if `e` can fail, the order matters after all.
            let fails = self.events[first..].iter().any(|event| matches!(event, Event::MayFail));
            if !(skipped && fails) {
                self.write_fold(place, fold);
                return;
            }
        }
        let depends = self.expr(value);
        self.write(place, Kind::Value { depends, literal: literal(value) });
    }

    /// `x := x + e` and the like, with `e`, and whether `e` is evaluated only for some values of `x`.
    fn as_fold(&self, place: &Place, value: &'m Expr) -> Option<(Fold, &'m Expr, bool)> {
        let ExprKind::Binary(op, left, right) = &strip(value).kind else { return None };
        let names = self.names();
        let target = names.place(place);
        let is_target =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Read(read) if names.place(read) == target);
        let first = is_target(strip(left));
        if !first && (*op == BinaryOp::Sub || !is_target(strip(right))) {
            return None;
        }
        let operand: &Expr = if first { right } else { left };
        let (fold, lazy) = match op {
            BinaryOp::Add => (self.failures().addition(place.ty, operand, false)?, false),
            BinaryOp::Sub => (self.failures().addition(place.ty, operand, true)?, false),
            BinaryOp::Or => (Fold::Or, true),
            BinaryOp::And => (Fold::And, true),
            _ => return None,
        };
        Some((fold, operand, first && lazy))
    }

    fn failures(&self) -> Failures<'m> {
        Failures { model: self.model }
    }

    fn write_literal(&mut self, place: &'m Place, literal: Literal) {
        self.write(place, Kind::Value { depends: Depends::default(), literal: Some(literal) });
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

    /// The location of a place; the dependencies of its indices are added to `depends`.
    fn place(&mut self, place: &'m Place, depends: &mut Depends) -> Binding {
        let root = match place.root {
            Root::Var(var) => {
                let text = self.model.vars[var.0 as usize].name.clone();
                Binding::Place(Location { origin: Origin::State(var), path: Vec::new(), text })
            }
            Root::Local(local) => self.binding(local),
        };
        let Binding::Place(mut location) = root else { return root };
        if self.failures().indices(place, self.root_type(place.root)) {
            self.push(Event::MayFail);
        }
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
        depends.add(self.expr(index));
        let binding = match &strip(index).kind {
            ExprKind::Local(local) => self.binding(*local),
            ExprKind::Read(Place { root: Root::Local(local), steps, .. }) if steps.is_empty() => {
                self.binding(*local)
            }
            _ => return literal(index).map_or(Part::Unknown, Part::Literal),
        };
        match binding {
            Binding::Bound(number) => Part::Bound(number),
            Binding::Value(_, part) => part,
            Binding::Place(_) => Part::Unknown,
        }
    }

    /// Records the reads of an expression, and returns the dependencies of its value.
    fn expr(&mut self, expr: &'m Expr) -> Depends {
        let mut depends = Depends::default();
        match &expr.kind {
            ExprKind::Undefined
            | ExprKind::Int(_)
            | ExprKind::Bool(_)
            | ExprKind::Enum(_)
            | ExprKind::ConstRef(_)
            | ExprKind::Index(_) => {}
            ExprKind::Local(local) => {
                let binding = self.binding(*local);
                self.read(binding, &mut depends);
            }
            ExprKind::Read(place) => {
                let binding = self.place(place, &mut depends);
                if self.failures().is_simple(place.ty) && self.may_be_undefined(&binding) {
                    self.push(Event::MayFail);
                }
                self.read(binding, &mut depends);
            }
            ExprKind::IsUndefined(place) => {
                let binding = self.place(place, &mut depends);
                self.read(binding, &mut depends);
            }
            ExprKind::Unary(_, inner) | ExprKind::IsMember(inner, _) => depends = self.expr(inner),
            ExprKind::Convert(inner) => {
                self.push(Event::MayFail);
                depends = self.expr(inner);
            }
            ExprKind::Binary(op, left, right) => {
                if self.failures().divides_by_zero(*op, right) {
                    self.push(Event::MayFail);
                }
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
                let types = match &binder.domain {
                    Domain::Type(ty) => scalarsets_in(self.model, *ty),
                    Domain::Steps { .. } => Vec::new(),
                };
                depends.add(self.closed(binder.local, body, types, expr.span));
            }
            ExprKind::Call { function, arguments } => depends = self.call(*function, arguments),
            // The value of a definition does not depend on the order in which it is computed.
            ExprKind::Apply { arguments, .. } => {
                self.push(Event::MayFail);
                arguments.iter().for_each(|argument| depends.add(self.expr(argument)));
            }
            ExprKind::Update { array, indices, value } => {
                self.push(Event::MayFail);
                for part in indices.iter().chain([&**array, &**value]) {
                    depends.add(self.expr(part));
                }
            }
            ExprKind::MultisetCount { local, multiset, predicate } => {
                let binding = self.place(multiset, &mut depends);
                self.read(binding, &mut depends);
                let types = scalarsets_within(self.model, multiset.ty);
                depends.add(self.closed(*local, predicate, types, expr.span));
            }
        }
        depends
    }

    /// An expression under a binder: its value does not depend on the bound variable. All its instances are evaluated,
    /// in some order, which matters if there are calls with side effects.
    fn closed(&mut self, local: LocalId, body: &'m Expr, types: Vec<TypeId>, span: Span) -> Depends {
        let first = self.events.len();
        let number = self.bind(local);
        let mut depends = self.expr(body);
        depends.bound.remove(&number);
        self.judge(number, first, types, span);
        depends
    }

    fn root_type(&self, root: Root) -> TypeId {
        match root {
            Root::Var(var) => self.model.vars[var.0 as usize].ty,
            Root::Local(local) => self.frame.code.locals[local.0 as usize].ty,
        }
    }

    /// Whether the value may be undefined. Variables of rules and functions are initially so.
    fn may_be_undefined(&mut self, binding: &Binding) -> bool {
        let Binding::Place(location) = binding else { return false };
        let Origin::State(var) = location.origin else { return true };
        let fields = location.path.iter().map(|part| match part {
            Part::Field(position) => Some(*position),
            _ => None,
        });
        (self.undefined)(var, &fields.collect::<Vec<_>>())
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

    /// Follows a call; its value depends on everything that it reads.
    fn call(&mut self, function: FunctionId, arguments: &'m [Argument]) -> Depends {
        let model = self.model;
        let callee = &model.functions[function.0 as usize];
        let first = self.events.len();
        let mut depends = Depends::default();
        let written = written_locals(callee);
        let mut frame = self.new_frame(&callee.code);
        for (position, argument) in arguments.iter().enumerate() {
            let needed = callee.code.locals[position].ty;
            frame.bindings[position] = Some(self.pass(argument, needed, written[position], &mut depends));
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

    /// Records that passing a value can fail.
    fn passed(&mut self, value: &Expr, needed: TypeId) {
        if self.failures().narrows(value.ty, needed) {
            self.push(Event::MayFail);
        }
    }

    fn pass(
        &mut self,
        argument: &'m Argument,
        needed: TypeId,
        written: bool,
        depends: &mut Depends,
    ) -> Binding {
        match argument {
            Argument::Place(place) => self.place(place, depends),
            Argument::Value(value) if !written => {
                self.passed(value, needed);
                let part = self.index(value, &mut Depends::default());
                let own = self.expr(value);
                depends.add(own.clone());
                Binding::Value(own, part)
            }
            Argument::Value(value) => {
                self.passed(value, needed);
                depends.add(self.expr(value));
                let origin = Origin::Local(self.number());
                Binding::Place(Location { origin, path: Vec::new(), text: String::new() })
            }
        }
    }
}

/// The value of an expression without any dependencies.
fn literal(expr: &Expr) -> Option<Literal> {
    let expr = strip(expr);
    match &expr.kind {
        ExprKind::Int(value) => Some(Literal::Int(value.clone())),
        ExprKind::Bool(value) => Some(Literal::Bool(*value)),
        ExprKind::Enum(position) => Some(Literal::Enum(expr.ty, *position)),
        _ => None,
    }
}

/// The expression without conversions around it.
fn strip(mut expr: &Expr) -> &Expr {
    while let ExprKind::Convert(inner) = &expr.kind {
        expr = inner;
    }
    expr
}
