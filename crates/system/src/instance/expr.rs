//! Terms to expressions.

use super::domains::{Domains, Extent, narrow};
use super::{InstanceError, Shape};
use crate::finite::layout::{Axis, Slot};
use crate::finite::program::{
    Arithmetic, Comparison, Dim, Expr, Param, Place, Program, Range, SiteId, Stmt, VarId,
};
use crate::system::{Bounds, System};
use std::collections::BTreeMap;
use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

/// Scalars that a state may have.
const MAX_SLOTS: usize = 1_000_000;
/// Terms deeper than this are cut by a variable, so that expressions stay shallow.
const MAX_DEPTH: usize = 100;

/// Everything needed to turn terms into code.
pub(super) struct Translator {
    pub(super) store: TermStore,
    pub(super) domains: Domains,
    pub(super) program: Program,
    /// Where each state symbol, each chosen constant, and each function-valued parameter, lies.
    pub(super) arrays: BTreeMap<SymbolId, Region>,
    /// The bounds of what has slots, and of function-valued parameters.
    pub(super) shapes: BTreeMap<SymbolId, Shape>,
    /// Scalars that are variables: parameters and bound symbols.
    pub(super) vars: BTreeMap<SymbolId, VarId>,
    /// Shared subterms that have been computed.
    shared: BTreeMap<TermId, VarId>,
    /// In a sample, how many combinations of free choices are tried.
    pub(super) choices: Option<u64>,
    /// In a sample, how many of infinitely many integers there are.
    pub(super) integers: Option<i64>,
}

/// A region of slots: a scalar, or an array with its dimensions.
#[derive(Clone, Debug)]
pub struct Region {
    pub base: u32,
    /// The dimensions of an array, outermost first.
    pub dims: Vec<RegionDim>,
}

/// A dimension of an array.
#[derive(Clone, Copy, Debug)]
pub struct RegionDim {
    pub extent: Extent,
    /// How far apart neighbours are.
    pub stride: u32,
    /// Whether there are more places than these, which this sample does without.
    pub is_cut: bool,
}

impl Region {
    pub(super) fn len(&self) -> u32 {
        self.dims.first().map_or(1, |dim| dim.stride * dim.extent.count() as u32)
    }
}

impl Translator {
    pub(super) fn new(store: TermStore, domains: Domains, program: Program) -> Translator {
        Translator {
            store,
            domains,
            program,
            arrays: BTreeMap::new(),
            shapes: BTreeMap::new(),
            vars: BTreeMap::new(),
            shared: BTreeMap::new(),
            choices: None,
            integers: None,
        }
    }

    pub(super) fn fresh_var(&mut self) -> VarId {
        self.program.vars += 1;
        VarId(self.program.vars - 1)
    }

    /// Gives each state symbol its slots.
    pub(super) fn lay_out_state(&mut self, system: &System) -> Result<(), InstanceError> {
        for var in &system.state {
            self.lay_out(var.symbol, &Shape { args: var.args.clone(), value: var.value })?;
        }
        Ok(())
    }

    pub(super) fn lay_out(&mut self, symbol: SymbolId, shape: &Shape) -> Result<(), InstanceError> {
        let info = self.store.symbol(symbol).clone();
        let (sorts, result) = self.signature(info.sort);
        let array = self.array(self.program.layout.slots.len() as u32, &sorts, &shape.args, &info.name)?;
        let domain = self.value_domain(result, &shape.value)?;
        for position in 0..array.len() {
            let mut slot = Slot { name: info.name.clone(), domain, axes: Vec::new() };
            for (dim, &sort) in array.dims.iter().zip(&sorts) {
                let index = position / dim.stride % dim.extent.count() as u32;
                let shown = self.domains.domain(&self.store, &mut self.program.layout, sort)?;
                let shown = self.program.layout.show(shown, dim.extent.lo + i64::from(index));
                slot.name = format!("{}[{shown}]", slot.name);
                if let Some(scalarset) = self.domains.scalarset(sort) {
                    slot.axes.push(Axis { scalarset, index, stride: dim.stride });
                }
            }
            self.program.layout.slots.push(slot);
        }
        self.arrays.insert(symbol, array);
        self.shapes.insert(symbol, shape.clone());
        Ok(())
    }

    pub(super) fn shape(&self, symbol: SymbolId) -> Shape {
        self.shapes.get(&symbol).cloned().unwrap_or_default()
    }

    fn value_domain(
        &mut self,
        sort: SortId,
        bounds: &Bounds,
    ) -> Result<crate::finite::layout::DomainId, InstanceError> {
        if *bounds == Bounds::default() {
            return self.domains.domain(&self.store, &mut self.program.layout, sort);
        }
        let extent = self.domains.bounded(&self.store, sort, bounds)?;
        let domain = crate::finite::layout::Domain::numbers(extent.lo, extent.hi);
        Ok(self.program.layout.add_domain(domain))
    }

    /// Argument and result sorts; a scalar has no arguments.
    pub(super) fn signature(&self, sort: SortId) -> (Vec<SortId>, SortId) {
        match self.store.sort(sort) {
            Sort::Function { args, result } => (args.clone(), *result),
            _ => (Vec::new(), sort),
        }
    }

    pub(super) fn array(
        &self,
        base: u32,
        sorts: &[SortId],
        bounds: &[Bounds],
        name: &str,
    ) -> Result<Region, InstanceError> {
        let mut dims = Vec::new();
        let mut stride: u64 = 1;
        for (place, &sort) in sorts.iter().enumerate().rev() {
            let bounds = bounds.get(place).copied().unwrap_or_default();
            let all = self.domains.bounded(&self.store, sort, &bounds)?;
            let extent = self.cut(all);
            dims.push(RegionDim { extent, stride: stride as u32, is_cut: extent != all });
            stride = stride.saturating_mul(extent.count());
            if extent.count() > u64::from(u32::MAX) {
                return Err(InstanceError::Infinite(format!("the index of {name}")));
            }
            if stride + u64::from(base) > MAX_SLOTS as u64 {
                return Err(InstanceError::TooManySlots(MAX_SLOTS));
            }
        }
        dims.reverse();
        Ok(Region { base, dims })
    }

    /// Declares one parameter; a function-valued one becomes a parameter per cell, copied into scratch slots.
    pub(super) fn param(
        &mut self,
        symbol: SymbolId,
        facts: &[TermId],
        params: &mut Vec<Param>,
        unpack: &mut Vec<Stmt>,
    ) -> Result<(), InstanceError> {
        let info = self.store.symbol(symbol).clone();
        let (sorts, result) = self.signature(info.sort);
        let shape = self.shape(symbol);
        let extent = match sorts.is_empty() {
            true => self.domains.extent_given(&self.store, symbol, facts)?,
            false => self.domains.bounded(&self.store, result, &shape.value)?,
        };
        if extent.lo <= extent.hi && extent.count() > u64::from(u32::MAX) {
            return Err(InstanceError::Infinite(format!("the parameter {}", info.name)));
        }
        let domain = self.domains.domain(&self.store, &mut self.program.layout, result)?;
        let mut add = |translator: &mut Translator, name: String| {
            let var = translator.fresh_var();
            params.push(Param { name, var, domain, lo: extent.lo, hi: extent.hi, step: 1 });
            var
        };
        if sorts.is_empty() {
            let var = add(self, info.name);
            self.vars.insert(symbol, var);
            return Ok(());
        }
        let base = self.scratch();
        let array = self.array(base, &sorts, &shape.args, &info.name)?;
        for position in 0..array.len() {
            let var = add(self, format!("{}.{position}", info.name));
            unpack.push(Stmt::Store(Place::slot(base + position), Expr::Var(var)));
        }
        self.program.scratch += array.len();
        self.arrays.insert(symbol, array);
        Ok(())
    }

    pub(super) fn scratch(&self) -> u32 {
        self.program.layout.slots.len() as u32 + self.program.scratch
    }

    /// Computes the subterms that `roots` share into variables first, then does `then`, then forgets them.
    pub(super) fn with_shared<T>(
        &mut self,
        roots: &[TermId],
        statements: &mut Vec<Stmt>,
        then: impl FnOnce(&mut Translator) -> Result<T, InstanceError>,
    ) -> Result<T, InstanceError> {
        let mut bound = Vec::new();
        for term in self.shared_subterms(roots) {
            let value = self.expr(term)?;
            let var = self.fresh_var();
            statements.push(Stmt::Let(var, value));
            self.shared.insert(term, var);
            bound.push(term);
        }
        let result = then(self);
        for term in bound {
            self.shared.remove(&term);
        }
        result
    }

    /// Scalar subterms used more than once, or too deep, whose bound symbols are all in scope; operands first.
    fn shared_subterms(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut uses: BTreeMap<TermId, usize> = BTreeMap::new();
        let mut depth: BTreeMap<TermId, usize> = BTreeMap::new();
        let mut chosen = Vec::new();
        let subterms = self.store.subterms_of_all(roots.iter().copied());
        for &term in &subterms {
            for &arg in self.store.args(term) {
                *uses.entry(arg).or_default() += 1;
            }
        }
        for term in subterms {
            let below = self.store.args(term).iter().map(|arg| depth[arg]).max().unwrap_or(0);
            let often = uses.get(&term).copied().unwrap_or(0) > 1;
            let share = (often || below >= MAX_DEPTH) && self.may_share(term);
            depth.insert(term, if share { 0 } else { below + 1 });
            if share {
                chosen.push(term);
            }
        }
        chosen
    }

    fn may_share(&self, term: TermId) -> bool {
        let scalar = !matches!(self.store.sort(self.store.sort_of(term)), Sort::Function { .. });
        let leaf = self.store.args(term).is_empty();
        let in_scope = self.store.free_bound(term).iter().all(|symbol| self.vars.contains_key(symbol));
        scalar && !leaf && in_scope && !self.shared.contains_key(&term)
    }

    /// A scalar term as an expression.
    pub(super) fn expr(&mut self, term: TermId) -> Result<Expr, InstanceError> {
        if let Some(&var) = self.shared.get(&term) {
            return Ok(Expr::Var(var));
        }
        let args: Vec<TermId> = self.store.args(term).to_vec();
        Ok(match self.store.op(term).clone() {
            Op::Bool(value) => Expr::Const(i64::from(value)),
            Op::Int(value) => Expr::Const(narrow(&value)?),
            Op::Rational(value) if value.is_integer() => Expr::Const(narrow(value.numer())?),
            // Real numbers that are all integers: the conversion changes nothing.
            Op::ToReal => self.expr(args[0])?,
            Op::Enum(_, position) | Op::Index(_, position) => Expr::Const(i64::from(position)),
            Op::Symbol(symbol) => self.symbol(symbol)?,
            Op::Apply => self.apply(&args)?,
            Op::Not => Expr::Not(self.boxed(args[0])?),
            Op::And => self.fold(&args, Expr::Const(1), Expr::And)?,
            Op::Or => self.fold(&args, Expr::Const(0), Expr::Or)?,
            Op::Implies => Expr::Or(Box::new(Expr::Not(self.boxed(args[0])?)), self.boxed(args[1])?),
            Op::Iff => self.compare(Comparison::Eq, args[0], args[1])?,
            Op::Ite => Expr::Ite(self.boxed(args[0])?, self.boxed(args[1])?, self.boxed(args[2])?),
            Op::Eq => self.equal(args[0], args[1])?,
            Op::Distinct => self.distinct(&args)?,
            Op::Lt => self.compare(Comparison::Lt, args[0], args[1])?,
            Op::Le => self.compare(Comparison::Le, args[0], args[1])?,
            Op::Add => {
                let sum = |a, b| Expr::Arith(Arithmetic::Add, a, b, SiteId(0));
                self.fold(&args, Expr::Const(0), sum)?
            }
            Op::Neg => {
                Expr::Arith(Arithmetic::Sub, Box::new(Expr::Const(0)), self.boxed(args[0])?, SiteId(0))
            }
            Op::Mul => self.arithmetic(Arithmetic::Mul, &args)?,
            Op::DivTrunc => self.division(Arithmetic::Div, &args)?,
            Op::RemTrunc => self.division(Arithmetic::Mod, &args)?,
            Op::Forall(bound) => self.quantifier(true, &bound, args[0])?,
            Op::Exists(bound) => self.quantifier(false, &bound, args[0])?,
            Op::In(union, member) => {
                let base = self.domains.member_base(&self.store, union, member)?;
                add_constant(self.expr(args[0])?, base)
            }
            Op::Is(member) => self.is_member(args[0], member)?,
            Op::Out(member) => self.as_member(args[0], member)?,
            Op::Rational(value) => return Err(InstanceError::Unsupported(format!("the number {value}"))),
            op => return Err(InstanceError::Unsupported(format!("the operator {op:?}"))),
        })
    }

    fn boxed(&mut self, term: TermId) -> Result<Box<Expr>, InstanceError> {
        self.expr(term).map(Box::new)
    }

    fn symbol(&mut self, symbol: SymbolId) -> Result<Expr, InstanceError> {
        if let Some(value) = self.domains.constant(symbol) {
            return Ok(Expr::Const(value));
        }
        if let Some(&var) = self.vars.get(&symbol) {
            return Ok(Expr::Var(var));
        }
        match self.arrays.get(&symbol) {
            Some(array) if array.dims.is_empty() => Ok(Expr::LoadDefined(Place::slot(array.base))),
            _ => Err(InstanceError::Unsupported(format!("the symbol {}", self.store.symbol(symbol).name))),
        }
    }

    fn fold(
        &mut self,
        args: &[TermId],
        empty: Expr,
        combine: impl Fn(Box<Expr>, Box<Expr>) -> Expr,
    ) -> Result<Expr, InstanceError> {
        // Balanced, so that a thousand operands do not make a thousand levels.
        match args {
            [] => Ok(empty),
            [one] => self.expr(*one),
            _ => self.fold_halves(args, &combine),
        }
    }

    fn fold_halves(
        &mut self,
        args: &[TermId],
        combine: &dyn Fn(Box<Expr>, Box<Expr>) -> Expr,
    ) -> Result<Expr, InstanceError> {
        if let [one] = args {
            return self.expr(*one);
        }
        let (left, right) = args.split_at(args.len() / 2);
        let (left, right) = (self.fold_halves(left, combine)?, self.fold_halves(right, combine)?);
        Ok(combine(Box::new(left), Box::new(right)))
    }

    fn compare(&mut self, op: Comparison, a: TermId, b: TermId) -> Result<Expr, InstanceError> {
        Ok(Expr::Compare(op, self.boxed(a)?, self.boxed(b)?))
    }

    /// Equality of scalars, or of two functions at every argument.
    fn equal(&mut self, a: TermId, b: TermId) -> Result<Expr, InstanceError> {
        let (sorts, _) = self.signature(self.store.sort_of(a));
        if sorts.is_empty() {
            return self.compare(Comparison::Eq, a, b);
        }
        let bound: Vec<SymbolId> =
            sorts.iter().map(|&sort| self.store.fresh("at", sort, tenet_term::Role::Bound)).collect();
        let places: Vec<TermId> = bound.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let (a, b) = (self.store.mk_apply(a, &places), self.store.mk_apply(b, &places));
        let body = if self.store.is_bool(a) { self.store.mk_iff(a, b) } else { self.store.mk_eq(a, b) };
        self.quantifier(true, &bound, body)
    }

    fn distinct(&mut self, args: &[TermId]) -> Result<Expr, InstanceError> {
        let mut all = Expr::Const(1);
        for (place, &a) in args.iter().enumerate() {
            for &b in &args[place + 1..] {
                let differ = Expr::Not(Box::new(self.equal(a, b)?));
                all = Expr::And(Box::new(all), Box::new(differ));
            }
        }
        Ok(all)
    }

    fn arithmetic(&mut self, op: Arithmetic, args: &[TermId]) -> Result<Expr, InstanceError> {
        Ok(Expr::Arith(op, self.boxed(args[0])?, self.boxed(args[1])?, SiteId(0)))
    }

    /// Division by zero is zero, and the remainder is the dividend, as terms have it.
    fn division(&mut self, op: Arithmetic, args: &[TermId]) -> Result<Expr, InstanceError> {
        let zero = Expr::Compare(Comparison::Eq, self.boxed(args[1])?, Box::new(Expr::Const(0)));
        let otherwise = if op == Arithmetic::Div { Expr::Const(0) } else { self.expr(args[0])? };
        let result = self.arithmetic(op, args)?;
        Ok(Expr::Ite(Box::new(zero), Box::new(otherwise), Box::new(result)))
    }

    fn quantifier(
        &mut self,
        universal: bool,
        bound: &[SymbolId],
        body: TermId,
    ) -> Result<Expr, InstanceError> {
        let hidden = self.hide_shared(bound);
        let mut binders = Vec::new();
        let facts = super::bounds::facts(&self.store, universal, body);
        for &symbol in bound {
            let extent = self.cut(self.domains.values_given(&self.store, symbol, &facts)?);
            let extent = super::bounds::finite(&self.store, symbol, extent)?;
            let var = self.fresh_var();
            binders.push((symbol, self.vars.insert(symbol, var), var, extent));
        }
        let mut statements = Vec::new();
        let inner = self.with_shared(&[body], &mut statements, |translator| translator.expr(body))?;
        let mut result = if statements.is_empty() { inner } else { Expr::Block(statements, Box::new(inner)) };
        for (symbol, outer, var, extent) in binders.into_iter().rev() {
            restore(&mut self.vars, symbol, outer);
            let range = Box::new(Range::constant(extent.lo, extent.hi));
            result = Expr::Quantifier { universal, var, range, body: Box::new(result) };
        }
        self.shared.extend(hidden);
        Ok(result)
    }

    /// Forgets what was computed from symbols that are about to be bound again, until the caller brings it back.
    fn hide_shared(&mut self, bound: &[SymbolId]) -> Vec<(TermId, VarId)> {
        let about = |term: TermId| self.store.free_bound(term).iter().any(|symbol| bound.contains(symbol));
        let hidden: Vec<(TermId, VarId)> =
            self.shared.iter().filter(|&(&term, _)| about(term)).map(|(&term, &var)| (term, var)).collect();
        for (term, _) in &hidden {
            self.shared.remove(term);
        }
        hidden
    }

    /// A function at its arguments; outside its bounds its least value.
    fn apply(&mut self, args: &[TermId]) -> Result<Expr, InstanceError> {
        let (function, args) = (args[0], &args[1..]);
        let Some(symbol) = self.store.as_symbol(function) else {
            return Err(InstanceError::Unsupported("a function that is not a symbol".to_string()));
        };
        if self.domains.is_rank(symbol) {
            return self.expr(args[0]);
        }
        let name = &self.store.symbol(symbol).name;
        let array = self.arrays.get(&symbol).cloned();
        let array = array.ok_or_else(|| InstanceError::Unsupported(format!("the function {name}")))?;
        let (place, in_bounds) = self.place(&array, args)?;
        let load = Expr::LoadDefined(place);
        let Some(in_bounds) = in_bounds else { return Ok(load) };
        let (_, result) = self.signature(self.store.sort_of(function));
        let least = self.domains.extent(&self.store, result)?.lo;
        let least = if least == i64::MIN + 1 { 0 } else { least };
        Ok(Expr::Ite(Box::new(in_bounds), Box::new(load), Box::new(Expr::Const(least))))
    }

    /// A cell of an array, and the condition that its indices are in bounds if that is not certain.
    pub(super) fn place(
        &mut self,
        array: &Region,
        args: &[TermId],
    ) -> Result<(Place, Option<Expr>), InstanceError> {
        let mut dims = Vec::new();
        let mut in_bounds: Option<Expr> = None;
        for (dim, &arg) in array.dims.iter().zip(args) {
            let mut index = self.expr(arg)?;
            let extent = self.domains.extent(&self.store, self.store.sort_of(arg))?;
            if dim.is_cut {
                index = Expr::InRange(Box::new(index), dim.extent.lo, dim.extent.hi, SiteId(0));
            } else if !dim.extent.contains(extent) {
                let inside = within(&index, dim.extent);
                in_bounds = Some(match in_bounds {
                    None => inside,
                    Some(outer) => Expr::And(Box::new(outer), Box::new(inside)),
                });
            }
            dims.push(Dim {
                index,
                lo: dim.extent.lo,
                count: dim.extent.count() as u32,
                stride: dim.stride,
                site: SiteId(0),
            });
        }
        Ok((Place { base: array.base, dims }, in_bounds))
    }

    fn is_member(&mut self, term: TermId, member: SortId) -> Result<Expr, InstanceError> {
        let extent = self.member_extent(term, member)?;
        Ok(within(&self.expr(term)?, extent))
    }

    /// The member's value, or its first one if the union holds another.
    fn as_member(&mut self, term: TermId, member: SortId) -> Result<Expr, InstanceError> {
        let extent = self.member_extent(term, member)?;
        let value = self.expr(term)?;
        let inside = within(&value, extent);
        let value = add_constant(value, -extent.lo);
        Ok(Expr::Ite(Box::new(inside), Box::new(value), Box::new(Expr::Const(0))))
    }

    fn member_extent(&self, term: TermId, member: SortId) -> Result<Extent, InstanceError> {
        let base = self.domains.member_base(&self.store, self.store.sort_of(term), member)?;
        let size = self.domains.extent(&self.store, member)?.count() as i64;
        Ok(Extent { lo: base, hi: base + size - 1 })
    }
}

pub(super) fn restore(vars: &mut BTreeMap<SymbolId, VarId>, symbol: SymbolId, outer: Option<VarId>) {
    match outer {
        Some(var) => vars.insert(symbol, var),
        None => vars.remove(&symbol),
    };
}

fn within(value: &Expr, extent: Extent) -> Expr {
    let bound =
        |op, limit| Box::new(Expr::Compare(op, Box::new(value.clone()), Box::new(Expr::Const(limit))));
    Expr::And(bound(Comparison::Ge, extent.lo), bound(Comparison::Le, extent.hi))
}

fn add_constant(value: Expr, constant: i64) -> Expr {
    if constant == 0 {
        return value;
    }
    Expr::Arith(Arithmetic::Add, Box::new(value), Box::new(Expr::Const(constant)), SiteId(0))
}
