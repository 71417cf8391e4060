//! Loops over unbounded types: executed once, for an arbitrary value of the variable, on the state before the loop.
//!
//! That is what every iteration does if none of them reads what another one writes. Three patterns are recognised, for
//! each slot that the loop writes:
//! * *own place*: every access has the loop variable at one and the same index. Then iteration `i` alone accesses that
//!   part, and the loop turns `f` into `lambda u. (f as iteration u leaves it)[u]`. In a loop over numbers in order, reads of
//!   places ahead are allowed as well: nothing was written there yet;
//! * *same value*: all iterations that write, write the same value to the same place, and none reads it. Then the loop
//!   turns `x` into `(exists i. condition(i)) ? value : x`;
//! * *last one wins*: the values differ, and no iteration reads them ([`super::last`]).
//!
//! Anything else depends on the order or the number of iterations and is refused, naming two conflicting accesses.
//! Comparing index *terms* is enough and never wrong: two terms that are the loop variable are equal, and an index
//! that merely happens to equal it is refused.

use super::Reader;
use super::accesses::{Access, Log, Write};
use super::calls::Binding;
use super::domains::{Any, Open};
use super::memory::Env;
use super::sorts::is_numeric;
use crate::codes::unbounded as codes;
use crate::diagnostic::Diagnostic;
use crate::murphi::hir::{Binder, Domain, Stmt};
use crate::span::Span;
use num_bigint::Sign;
use std::collections::BTreeSet;
use tenet_term::{Op, SortId, Substitution, SymbolId, TermId};

/// A loop after its body has been executed once.
pub(super) struct Sweep {
    pub(super) any: Any,
    pub(super) open: Open,
    log: Log,
    /// The state after one iteration.
    pub(super) after: Env,
    /// The name of the variable.
    pub(super) name: String,
    /// The range of the variable, for messages.
    pub(super) over: String,
    /// Where the loop stands and where its variable is declared.
    span: Span,
    pub(super) variable: Span,
    /// The index of this loop among the open ones.
    level: usize,
}

/// The form of the loop variable in an index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Itself,
    /// Converted to this union.
    In(SortId),
}

impl<'m> Reader<'m> {
    pub(super) fn sweep(&mut self, any: Any, binder: &Binder, body: &[Stmt], span: Span) {
        let local = &self.frame().code.locals[binder.local.0 as usize];
        let (name, variable) = (local.name.clone(), local.span);
        let over = self.describe_domain(&any, &binder.domain);
        let before = self.memory.env.clone();
        let exits = self.frame().exits.len();
        let level = self.logs.len();
        self.outer.push(std::mem::replace(&mut self.memory.env.live, TermId::TRUE));
        self.memory.env.assigned.push(BTreeSet::new());
        let log = Log { depth: self.outer.len(), slots: self.memory.slots.len(), accesses: Vec::new() };
        self.logs.push(log);
        let value = self.open_any(&any, &name);
        self.bind(binder.local, Binding::Scalar(value));
        self.block(body);
        let open = self.open.pop().expect("invariant: opened above");
        let log = self.logs.pop().expect("invariant: pushed above");
        self.outer.pop();
        let after = std::mem::replace(&mut self.memory.env, before);
        let left = self.frame_mut().exits.split_off(exits);
        let sweep = Sweep { any, open, log, after, name, over, span, variable, level };
        self.join_exits(&sweep, left);
        self.join_writes(&sweep);
        self.hand_on(sweep.log, &sweep.open);
    }

    /// The name of the type as it is declared: its sort may be shared by many.
    fn describe_domain(&self, any: &Any, domain: &Domain) -> String {
        let name = match domain {
            Domain::Type(ty) if any.union.is_none() => self.model.ty(*ty).name.clone(),
            Domain::Steps { .. } => return "numbers".to_string(),
            Domain::Type(_) => None,
        };
        format!("`{}`", name.unwrap_or_else(|| self.store.sort_name(any.sort)))
    }

    fn join_writes(&mut self, sweep: &Sweep) {
        let written: BTreeSet<usize> = sweep
            .log
            .accesses
            .iter()
            .filter(|access| access.write.is_some())
            .map(|access| access.slot)
            .collect();
        for slot in written {
            let accesses: Vec<&Access> =
                sweep.log.accesses.iter().filter(|access| access.slot == slot).collect();
            if let Some((position, form)) = self.own_place(sweep, &accesses) {
                self.memory.env.values[slot] = self.every_place(sweep, slot, position, form);
            } else if let Err(clash) = self.same_value(sweep, slot, &accesses) {
                self.refuse_loop(sweep, slot, clash);
            }
        }
    }

    /// The index position at which every access has the loop variable.
    fn own_place(&self, sweep: &Sweep, accesses: &[&Access]) -> Option<(usize, Form)> {
        let touching =
            || accesses.iter().filter(|access| access.write.is_some() || access.sees_others(sweep.level));
        let first = touching().find(|access| access.write.is_some())?;
        (0..first.args.len()).find_map(|position| {
            let form = self.form(sweep, first.args[position])?;
            let same = |access: &&&Access| {
                let is_own = |&arg: &TermId| {
                    self.form(sweep, arg) == Some(form) || access.write.is_none() && self.is_ahead(sweep, arg)
                };
                access.args.get(position).is_some_and(is_own)
            };
            touching().all(|access| same(&access)).then_some((position, form))
        })
    }

    /// Is it a place that a later iteration of a loop over all numbers in order has as its own? Then nothing was written there yet, as when
    /// the elements of a queue move up.
    fn is_ahead(&self, sweep: &Sweep, arg: TermId) -> bool {
        let is_in_order = sweep.any.is_contiguous() && self.store.sort(sweep.any.sort).is_integer();
        let distance = match (self.store.op(arg), self.store.args(arg)) {
            (Op::Add, &[a, b]) => [(a, b), (b, a)].into_iter().find_map(|(variable, distance)| {
                let is_variable = self.store.as_symbol(variable) == Some(sweep.open.symbol);
                self.store.as_int(distance).filter(|_| is_variable)
            }),
            _ => None,
        };
        let wanted = if sweep.any.descending { Sign::Minus } else { Sign::Plus };
        is_in_order && distance.is_some_and(|distance| distance.sign() == wanted)
    }

    fn form(&self, sweep: &Sweep, arg: TermId) -> Option<Form> {
        let is_variable = |term| self.store.as_symbol(term) == Some(sweep.open.symbol);
        match self.store.op(arg) {
            Op::In(union, _) if is_variable(self.store.args(arg)[0]) => Some(Form::In(*union)),
            _ => is_variable(arg).then_some(Form::Itself),
        }
    }

    /// `lambda u. (the slot as iteration u leaves it)[u]`
    fn every_place(&mut self, sweep: &Sweep, slot: usize, position: usize, form: Form) -> TermId {
        let (old, new) = (self.memory.env.values[slot], sweep.after.values[slot]);
        let variable = self.store.mk_symbol(sweep.open.symbol);
        let types = self.memory.slots[slot].args.clone();
        let mut bound = self.rest_symbols(&types, 0, &[old, new, variable]);
        bound[position] = self.place_symbol(sweep, bound[position], &bound, old);
        let places: Vec<TermId> = bound.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let mut own = places.clone();
        own[position] = match form {
            Form::Itself => variable,
            Form::In(union) => self.store.mk_in(union, sweep.any.sort, variable),
        };
        let iteration = self.store.mk_apply(new, &own);
        let (value, meant) = match form {
            Form::Itself => (places[position], TermId::TRUE),
            Form::In(_) => {
                let member = self.store.mk_is(sweep.any.sort, places[position]);
                (self.store.mk_out(sweep.any.sort, places[position]), member)
            }
        };
        let substitution = Substitution::from_pairs(&self.store, [(sweep.open.symbol, value)]);
        let written = self.store.substitute(iteration, &substitution);
        let in_range = if self.covers(&sweep.any, slot, position) {
            // Outside its bounds the value of the function does not matter.
            TermId::TRUE
        } else {
            self.is_meant(&sweep.any, value)
        };
        let meant = self.store.mk_and([meant, in_range]);
        let kept = self.store.mk_apply(old, &places);
        let body = self.store.mk_ite(meant, written, kept);
        self.store.mk_lambda(&bound, body)
    }

    /// Whether the loop runs over all possible values of the index at this position.
    fn covers(&mut self, any: &Any, slot: usize, position: usize) -> bool {
        let index = self.memory.slots[slot].args[position];
        any.is_contiguous() && self.bounds(index) == any.bounds
    }

    /// The symbol bound for the loop variable's place: of the same name if possible.
    fn place_symbol(
        &mut self,
        sweep: &Sweep,
        proposed: SymbolId,
        bound: &[SymbolId],
        old: TermId,
    ) -> SymbolId {
        let sort = self.store.symbol(proposed).sort;
        let mut avoid: Vec<SymbolId> = self.open.iter().map(|open| open.symbol).collect();
        avoid.extend(bound.iter().copied().filter(|&other| other != proposed));
        avoid.extend_from_slice(self.store.free_bound(old));
        self.store.bound_avoiding(&sweep.name, sort, &avoid)
    }

    /// All iterations that write, write the same: `(exists i. condition) ? value : x`. Otherwise two conflicting
    /// accesses.
    fn same_value<'a>(
        &mut self,
        sweep: &Sweep,
        slot: usize,
        accesses: &[&'a Access],
    ) -> Result<(), Clash<'a>> {
        let writes: Vec<(&Access, Write)> =
            accesses.iter().filter_map(|&access| Some((access, access.write?))).collect();
        let (first, sample) = writes[0];
        if let Some(&read) = accesses.iter().find(|access| access.sees_others(sweep.level)) {
            return Err(Clash { write: self.write_near(&writes, read), other: Some(read) });
        }
        let differing = writes.iter().find(|(access, write)| {
            write.value != sample.value || access.args != first.args || self.is_own(sweep, access, write)
        });
        if let Some(&(access, _)) = differing {
            if writes.iter().all(|(access, write)| access.args.is_empty() && !write.varied) {
                let writes: Vec<Write> = writes.iter().map(|(_, write)| *write).collect();
                self.last_wins(sweep, slot, &writes, access.span);
                return Ok(());
            }
            // Only the iteration itself reads it: a scratch variable.
            if slot >= self.memory.state_count {
                self.memory.env.leftover.insert(slot, access.span);
                return Ok(());
            }
            let elsewhere = writes.iter().map(|(access, _)| *access).find(|access| access.span != first.span);
            return Err(Clash { write: first, other: elsewhere });
        }
        let conditions: Vec<TermId> = writes.iter().map(|(_, write)| write.condition).collect();
        let condition = self.store.mk_or(conditions);
        let ever = self.close_exists(&sweep.open, condition);
        let old = self.memory.env.values[slot];
        let types = self.memory.slots[slot].args.clone();
        let new = self.changed(old, &types, &first.args, sample.value);
        self.memory.env.values[slot] = self.store.mk_ite(ever, new, old);
        Ok(())
    }

    /// Whether the value or the place depends on the iteration.
    fn is_own(&self, sweep: &Sweep, access: &Access, write: &Write) -> bool {
        let depends = |term: TermId| self.store.free_bound(term).contains(&sweep.open.symbol);
        write.varied || depends(write.value) || access.args.iter().any(|&arg| depends(arg))
    }

    /// The write whose right side the read belongs to, or else the first write.
    fn write_near<'a>(&self, writes: &[(&'a Access, Write)], read: &Access) -> &'a Access {
        let around = |write: &Access| write.span.start <= read.span.start && read.span.end <= write.span.end;
        writes.iter().map(|(access, _)| *access).find(|access| around(access)).unwrap_or(writes[0].0)
    }

    fn refuse_loop(&mut self, sweep: &Sweep, slot: usize, clash: Clash) {
        let place = &self.memory.slots[slot];
        let (over, name) = (&sweep.over, &place.name);
        let message = format!("the iterations of this loop over {over} are not independent: `{name}`");
        let mut diagnostic = Diagnostic::error(&codes::DEPENDENT_ITERATIONS, message, clash.write.span)
            .label(format!("one iteration writes `{name}` here"));
        let reads_itself = clash.other.is_some_and(|other| {
            other.write.is_none()
                && clash.write.span.start <= other.span.start
                && other.span.end <= clash.write.span.end
        });
        diagnostic = match clash.other {
            Some(other) if other.write.is_some() => {
                diagnostic.also(other.span, "another one may write something else here")
            }
            Some(other) => diagnostic.also(other.span, "another one may read it here"),
            None => diagnostic.also(
                sweep.variable,
                format!("each iteration writes for its own `{}`, and the last one wins", sweep.name),
            ),
        };
        let help = if reads_itself && is_numeric(self.model, place.ty) {
            "counting over an unbounded type has no unbounded reading; say it with `forall` or `exists`, or count in \
             a rule of its own, one element at a time"
        } else {
            "make every access to it use the loop variable as an index, or use a rule with a parameter instead"
        };
        self.report(diagnostic.help(help));
    }

    /// `return` in the loop: allowed if the loop does nothing else and always returns the same.
    fn join_exits(&mut self, sweep: &Sweep, exits: Vec<Env>) {
        if exits.is_empty() {
            return;
        }
        let result = self.frame().result.map(|(slot, _)| slot);
        let value = |exit: &Env| result.map(|slot| exit.values[slot]);
        let first = value(&exits[0]);
        let depends = |term: TermId| self.store.free_bound(term).contains(&sweep.open.symbol);
        let differs = exits.iter().any(|exit| value(exit) != first || value(exit).is_some_and(depends));
        let writes =
            sweep.log.accesses.iter().find(|access| access.write.is_some() && access.slot < sweep.log.slots);
        if differs || writes.is_some() {
            return self.refuse_exit(sweep, writes.map(|access| access.span));
        }
        let conditions: Vec<TermId> = exits.iter().map(|exit| exit.live).collect();
        let any = self.store.mk_or(conditions);
        let ever = self.close_exists(&sweep.open, any);
        let never = self.store.mk_not(ever);
        let live = self.memory.env.live;
        let mut exit = self.memory.env.clone();
        exit.live = self.store.mk_and([live, ever]);
        if let (Some(slot), Some(value)) = (result, first) {
            exit.values[slot] = value;
        }
        self.frame_mut().exits.push(exit);
        self.memory.env.live = self.store.mk_and([live, never]);
    }

    fn refuse_exit(&mut self, sweep: &Sweep, write: Option<Span>) {
        let over = &sweep.over;
        let message =
            format!("the iterations of this loop over {over} are not independent: one may `return`");
        let mut diagnostic = Diagnostic::error(&codes::DEPENDENT_ITERATIONS, message, sweep.span)
            .label("which iteration returns first decides what happens");
        diagnostic = match write {
            Some(span) => diagnostic.also(span, "whether this is still done depends on the order"),
            None => diagnostic.also(sweep.variable, "what is returned depends on the iteration"),
        };
        self.report(
            diagnostic.help("a loop that returns may do nothing else, and must always return the same"),
        );
    }
}

/// Two conflicting accesses; without a second one, the write conflicts with itself.
struct Clash<'a> {
    write: &'a Access,
    other: Option<&'a Access>,
}
