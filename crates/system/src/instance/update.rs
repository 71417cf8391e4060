//! Simultaneous updates as statements: everything is computed from the old state before anything is stored.

use super::domains::Extent;
use super::expr::{Region, Translator, restore};
use super::{InstanceError, RANGE_SITE};
use crate::finite::program::{Dim, Expr, Place, Range, SiteId, Stmt, VarId};
use tenet_term::{Op, Role, SymbolId, TermId};

/// A write to one cell: the arguments and the value.
type Write = (Vec<TermId>, TermId);

impl Translator {
    pub(super) fn updates(&mut self, updates: &[(SymbolId, TermId)]) -> Result<Vec<Stmt>, InstanceError> {
        let mut compute = Vec::new();
        let roots: Vec<TermId> = updates.iter().map(|&(_, term)| term).collect();
        let mut assign = Vec::new();
        let mut shared = Vec::new();
        self.with_shared(&roots, &mut shared, |translator| {
            for &(symbol, term) in updates {
                translator.update(symbol, term, &mut compute, &mut assign)?;
            }
            Ok(())
        })?;
        shared.extend(compute);
        shared.extend(assign);
        Ok(shared)
    }

    fn update(
        &mut self,
        symbol: SymbolId,
        term: TermId,
        compute: &mut Vec<Stmt>,
        assign: &mut Vec<Stmt>,
    ) -> Result<(), InstanceError> {
        let array = self.arrays[&symbol].clone();
        if array.dims.is_empty() {
            let value = self.expr(term)?;
            let var = self.bind(value, compute);
            let value = self.fitted(&array, term, Expr::Var(var))?;
            assign.push(Stmt::Store(Place::slot(array.base), value));
            return Ok(());
        }
        match self.writes(symbol, term) {
            Some(writes) => self.point_writes(&array, &writes, compute, assign),
            None => self.whole_array(&array, symbol, term, compute, assign),
        }
    }

    /// The value of a term on its way into a slot, a fault if it is none of the slot's values. The system obliges every
    /// step to keep the bounds, but a search may be asked to look at other properties only, or to go on.
    fn fitted(&self, array: &Region, term: TermId, value: Expr) -> Result<Expr, InstanceError> {
        let domain = self.program.layout.slot_domain(array.base as usize);
        let slot = Extent { lo: domain.lo(), hi: domain.hi() };
        if slot.contains(self.domains.extent(&self.store, self.store.sort_of(term))?) {
            return Ok(value);
        }
        Ok(Expr::InRange(Box::new(value), slot.lo, slot.hi, RANGE_SITE))
    }

    fn bind(&mut self, value: Expr, statements: &mut Vec<Stmt>) -> VarId {
        let var = self.fresh_var();
        statements.push(Stmt::Let(var, value));
        var
    }

    /// The writes of `f[a := x][b := y]…`, first one first, if the term has that form.
    fn writes(&self, symbol: SymbolId, term: TermId) -> Option<Vec<Write>> {
        let Op::Lambda(bound) = self.store.op(term) else { return None };
        let bound = bound.clone();
        let mut body = self.store.args(term)[0];
        let mut writes = Vec::new();
        while *self.store.op(body) == Op::Ite {
            let [here, value, elsewhere] = *self.store.args(body) else { return None };
            if mentions(self, value, &bound) {
                return None;
            }
            writes.push((self.cell(here, &bound)?, value));
            body = elsewhere;
        }
        // What remains must be the old value.
        let args = self.store.args(body);
        let unchanged = *self.store.op(body) == Op::Apply
            && self.store.as_symbol(args[0]) == Some(symbol)
            && args[1..].iter().map(|&arg| self.store.as_symbol(arg)).eq(bound.iter().map(|&s| Some(s)));
        writes.reverse();
        unchanged.then_some(writes)
    }

    /// The arguments `a` if the condition is `u = a` for the bound symbols `u`.
    fn cell(&self, here: TermId, bound: &[SymbolId]) -> Option<Vec<TermId>> {
        let conjuncts = match self.store.op(here) {
            Op::And => self.store.args(here).to_vec(),
            _ => vec![here],
        };
        let mut cell = vec![None; bound.len()];
        for conjunct in conjuncts {
            let (place, value) = self.equation(conjunct, bound)?;
            if cell[place].replace(value).is_some() {
                return None;
            }
        }
        cell.into_iter().collect()
    }

    fn equation(&self, term: TermId, bound: &[SymbolId]) -> Option<(usize, TermId)> {
        if !matches!(self.store.op(term), Op::Eq | Op::Iff) {
            return None;
        }
        let [a, b] = *self.store.args(term) else { return None };
        let place = |term| bound.iter().position(|&symbol| self.store.as_symbol(term) == Some(symbol));
        let (place, value) = match (place(a), place(b)) {
            (Some(place), None) => (place, b),
            (None, Some(place)) => (place, a),
            _ => return None,
        };
        (!mentions(self, value, bound)).then_some((place, value))
    }

    fn point_writes(
        &mut self,
        array: &Region,
        writes: &[Write],
        compute: &mut Vec<Stmt>,
        assign: &mut Vec<Stmt>,
    ) -> Result<(), InstanceError> {
        for (args, value) in writes {
            let (mut place, in_bounds) = self.place(array, args)?;
            for dim in &mut place.dims {
                let index = std::mem::replace(&mut dim.index, Expr::Const(0));
                dim.index = Expr::Var(self.bind(index, compute));
            }
            let result = self.expr(*value)?;
            let result = Expr::Var(self.bind(result, compute));
            let store = Stmt::Store(place, self.fitted(array, *value, result)?);
            // A write outside the bounds changes nothing that means anything.
            assign.push(match in_bounds {
                None => store,
                Some(inside) => {
                    let inside = Expr::Var(self.bind(inside, compute));
                    Stmt::If(inside, vec![store], Vec::new())
                }
            });
        }
        Ok(())
    }

    /// Computes every cell into scratch slots, then copies them.
    fn whole_array(
        &mut self,
        array: &Region,
        symbol: SymbolId,
        term: TermId,
        compute: &mut Vec<Stmt>,
        assign: &mut Vec<Stmt>,
    ) -> Result<(), InstanceError> {
        let (sorts, _) = self.signature(self.store.symbol(symbol).sort);
        let base = self.scratch();
        self.program.scratch += array.len();
        let bound: Vec<SymbolId> =
            sorts.iter().map(|&sort| self.store.fresh("cell", sort, Role::Bound)).collect();
        let places: Vec<TermId> = bound.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let cell = self.store.mk_apply(term, &places);
        let vars: Vec<VarId> = bound.iter().map(|_| self.fresh_var()).collect();
        for (&symbol, &var) in bound.iter().zip(&vars) {
            self.vars.insert(symbol, var);
        }
        let mut statements = Vec::new();
        let value = self.with_shared(&[cell], &mut statements, |translator| translator.expr(cell))?;
        let value = self.fitted(array, cell, value)?;
        let dims = array.dims.iter().zip(&vars).map(|(dim, &var)| Dim {
            index: Expr::Var(var),
            lo: dim.extent.lo,
            count: dim.extent.count() as u32,
            stride: dim.stride,
            site: SiteId(0),
        });
        statements.push(Stmt::Store(Place { base, dims: dims.collect() }, value));
        for ((&symbol, &var), dim) in bound.iter().zip(&vars).zip(&array.dims).rev() {
            restore(&mut self.vars, symbol, None);
            statements = vec![Stmt::For(var, Range::constant(dim.extent.lo, dim.extent.hi), statements)];
        }
        compute.extend(statements);
        let (from, to) = (Place::slot(base), Place::slot(array.base));
        assign.push(Stmt::Copy { from, to, len: array.len() });
        Ok(())
    }
}

fn mentions(translator: &Translator, term: TermId, bound: &[SymbolId]) -> bool {
    translator.store.free_bound(term).iter().any(|symbol| bound.contains(symbol))
}
