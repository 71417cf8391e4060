//! Code with locals: rules, properties and inlined calls, and how `return` leaves them.
//!
//! A call is executed where it stands. Each `return` saves the current state with its path condition; at the end these
//! states and the one that falls through are merged. By-value parameters are local variables; `var` parameters and
//! aliases are places whose indices were evaluated on entry.

use super::Reader;
use super::memory::{Env, Spot};
use super::sorts::is_aggregate;
use super::values::Scalar;
use crate::murphi::hir::{
    Alias, AliasTarget, Argument, Code, Expr, ExprKind, Function, FunctionId, Local, LocalId, LocalKind,
    Place, Stmt, TypeId,
};
use crate::span::Span;
use tenet_term::TermId;

/// How deep calls of one function may be nested in each other.
const MAX_NESTED_CALLS: usize = 8;

/// The meaning of a local name.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A scalar that never changes.
    Scalar(Scalar),
    /// A local variable: its first slot and its type.
    Slots(usize, TypeId),
    /// A place elsewhere.
    Spot(Spot),
}

/// Code being executed.
pub(super) struct Frame<'m> {
    pub(super) code: &'m Code,
    bindings: Vec<Option<Binding>>,
    /// `None` for rules and properties.
    function: Option<FunctionId>,
    /// The slot of the result, and its type.
    pub(super) result: Option<(usize, TypeId)>,
    /// The states at `return`s.
    pub(super) exits: Vec<Env>,
    /// The number of slots before.
    slots: usize,
}

/// An evaluated argument.
enum Passed {
    Leaves(Vec<TermId>),
    Spot(Spot),
}

impl<'m> Reader<'m> {
    pub(super) fn frame(&self) -> &Frame<'m> {
        self.frames.last().expect("invariant: code is executed in a frame")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame<'m> {
        self.frames.last_mut().expect("invariant: code is executed in a frame")
    }

    pub(super) fn bind(&mut self, local: LocalId, binding: Binding) {
        self.frame_mut().bindings[local.0 as usize] = Some(binding);
    }

    pub(super) fn binding(&self, local: LocalId) -> Binding {
        let binding = self.frame().bindings[local.0 as usize].clone();
        binding.expect("invariant: locals are bound before they are used")
    }

    /// Enters code: its local variables get slots with arbitrary contents. The first `given` ones are left to the
    /// caller.
    pub(super) fn enter(&mut self, code: &'m Code, function: Option<FunctionId>, given: usize) {
        let slots = self.memory.slots.len();
        let bindings = vec![None; code.locals.len()];
        self.frames.push(Frame { code, bindings, function, result: None, exits: Vec::new(), slots });
        for (position, local) in code.locals.iter().enumerate() {
            if local.kind != LocalKind::Variable {
                continue;
            }
            let first = self.allocate(&local.name, local.ty);
            self.bind(LocalId(position as u32), Binding::Slots(first, local.ty));
            for slot in first..self.memory.slots.len() {
                let value = match self.memory.slots[slot].is_companion {
                    true => self.everywhere_defined(slot, 0, position < given),
                    false if position < given => TermId::TRUE,
                    false => self.any_content(slot),
                };
                self.memory.env.values.push(value);
            }
        }
    }

    /// Leaves code: merges the states at `return`s with the one at the end, and drops the locals.
    pub(super) fn leave(&mut self) {
        let frame = self.frames.pop().expect("invariant: code was entered");
        let mut end = std::mem::take(&mut self.memory.env);
        for exit in frame.exits.into_iter().rev() {
            end = match end.live {
                TermId::FALSE => exit,
                _ => {
                    let live = self.store.mk_or([exit.live, end.live]);
                    self.blend(exit.live, exit, end, live)
                }
            };
        }
        end.values.truncate(frame.slots);
        end.leftover.retain(|&slot, _| slot < frame.slots);
        end.assigned.iter_mut().for_each(|assigned| assigned.retain(|&slot| slot < frame.slots));
        self.memory.env = end;
        self.memory.slots.truncate(frame.slots);
        for log in &mut self.logs {
            log.accesses.retain(|access| access.slot < frame.slots);
        }
    }

    /// Executes a call; the result is the value of a function.
    pub(super) fn call(&mut self, id: FunctionId, arguments: &[Argument], span: Span) -> Option<Scalar> {
        let model = self.model;
        let function = &model.functions[id.0 as usize];
        if self.frames.iter().filter(|frame| frame.function == Some(id)).count() == MAX_NESTED_CALLS {
            return self.end_recursion(function, span);
        }
        if !self.spend(1, span) {
            return self.some_result(function);
        }
        let passed = self.pass(function, arguments);
        self.enter(&function.code, Some(id), function.parameter_count);
        self.receive(function, passed);
        self.outer.push(std::mem::replace(&mut self.memory.env.live, TermId::TRUE));
        self.block(&function.body);
        if function.result.is_some() && self.memory.env.live != TermId::FALSE {
            let message = format!("`{}` returns a value", function.name);
            self.oblige(TermId::FALSE, message, span);
        }
        self.finish_call(function)
    }

    fn finish_call(&mut self, function: &Function) -> Option<Scalar> {
        let result = self.frame().result;
        // The result's slot is dropped with the frame, so its value is saved with the exits first.
        let value = result.map(|(slot, ty)| {
            let value = self.blended_result(slot);
            Scalar { term: value, known: self.bounds(ty) }
        });
        self.leave();
        self.memory.env.live = self.outer.pop().expect("invariant: pushed by the call");
        value.or_else(|| self.some_result(function))
    }

    fn blended_result(&mut self, slot: usize) -> TermId {
        let exits: Vec<(TermId, TermId)> =
            self.frame().exits.iter().map(|exit| (exit.live, exit.values[slot])).collect();
        let mut end = match self.memory.env.live {
            TermId::FALSE => None,
            _ => Some(self.memory.env.values[slot]),
        };
        for (live, value) in exits.into_iter().rev() {
            end = Some(end.map_or(value, |end| self.store.mk_ite(live, value, end)));
        }
        end.unwrap_or(self.memory.env.values[slot])
    }

    fn pass(&mut self, function: &'m Function, arguments: &[Argument]) -> Vec<Passed> {
        let locals = &function.code.locals;
        let pairs = arguments.iter().zip(locals);
        pairs
            .map(|(argument, parameter)| match argument {
                Argument::Value(value) => {
                    let what = || format!("the argument `{}` of `{}`", parameter.name, function.name);
                    let copied = value.copied(self.frame().code, parameter.is_optional, parameter.ty);
                    Passed::Leaves(match copied {
                        Some(place) => self.copied(place),
                        None if matches!(value.kind, ExprKind::Undefined) => self.undefined(parameter),
                        None => self.content(value, parameter.ty, what),
                    })
                }
                Argument::Place(place) => Passed::Spot(self.spot(place)),
            })
            .collect()
    }

    /// The content of a variable, undefined or not.
    pub(super) fn copied(&mut self, place: &Place) -> Vec<TermId> {
        let spot = self.spot(place);
        let mut content = self.read_leaves(&spot);
        let companions = self.read_companions(&spot);
        content.extend(companions);
        content
    }

    /// The content of a parameter that is undefined.
    fn undefined(&mut self, parameter: &Local) -> Vec<TermId> {
        let value = self.any_value(&parameter.name, &[], parameter.ty);
        match self.followed {
            Some(_) => vec![value, TermId::FALSE],
            None => vec![value],
        }
    }

    fn receive(&mut self, function: &'m Function, passed: Vec<Passed>) {
        for (position, passed) in passed.into_iter().enumerate() {
            let local = LocalId(position as u32);
            match passed {
                Passed::Spot(spot) => self.bind(local, Binding::Spot(spot)),
                Passed::Leaves(leaves) => {
                    let Binding::Slots(first, _) = self.binding(local) else {
                        unreachable!("by-value parameters are variables")
                    };
                    self.memory.env.values[first..first + leaves.len()].copy_from_slice(&leaves);
                }
            }
        }
        if let Some(ty) = function.result {
            let slot = self.allocate(&function.name, ty);
            let value = self.any_content(slot);
            self.memory.env.values.push(value);
            for companion in slot + 1..self.memory.slots.len() {
                let value = self.everywhere_defined(companion, 0, true);
                self.memory.env.values.push(value);
            }
            self.frame_mut().result = Some((slot, ty));
        }
    }

    fn some_result(&mut self, function: &Function) -> Option<Scalar> {
        let sort = self.sort(function.result?);
        Some(Scalar::plain(self.dummy(sort)))
    }

    /// That a function does not call itself any deeper is an obligation, so whatever it would return does not matter.
    fn end_recursion(&mut self, function: &Function, span: Span) -> Option<Scalar> {
        let message = format!("calls of `{}` are nested {MAX_NESTED_CALLS} deep at most", function.name);
        self.oblige(TermId::FALSE, message, span);
        let ty = function.result?;
        let term = self.some_value(ty);
        Some(Scalar { term, known: self.bounds(ty) })
    }

    pub(super) fn return_statement(&mut self, value: Option<&Expr>) {
        if let (Some(value), Some((slot, ty))) = (value, self.frame().result) {
            let content = self.content(value, ty, || "the returned value".to_owned());
            self.memory.env.values[slot] = content[0];
        }
        let mut exit = self.memory.env.clone();
        exit.live = self.memory.env.live;
        self.frame_mut().exits.push(exit);
        self.memory.env.live = TermId::FALSE;
    }

    /// Binds an alias: a place with its indices as they are now, or a value as it is now.
    pub(super) fn alias(&mut self, alias: &Alias) {
        let binding = match &alias.target {
            AliasTarget::Place(place) => Binding::Spot(self.spot(place)),
            AliasTarget::Value(value) => Binding::Scalar(self.scalar(value)),
        };
        self.bind(alias.local, binding);
    }

    pub(super) fn alias_statement(&mut self, aliases: &[Alias], body: &[Stmt]) {
        aliases.iter().for_each(|alias| self.alias(alias));
        self.block(body);
    }

    /// The leaves of a value as a type: what is assigned, passed or returned. They are followed by the companions, if definedness
    /// is tracked.
    pub(super) fn content(&mut self, value: &Expr, ty: TypeId, what: impl Fn() -> String) -> Vec<TermId> {
        if is_aggregate(self.model, ty) {
            return self.aggregate(value, ty);
        }
        let scalar = self.scalar_as(value, ty);
        let fits = self.fits(scalar, ty);
        if fits != TermId::TRUE {
            let message = format!("{} is {}", what(), self.range_text(ty));
            self.oblige(fits, message, value.span);
        }
        match self.followed {
            Some(_) => vec![scalar.term, TermId::TRUE],
            None => vec![scalar.term],
        }
    }
}
