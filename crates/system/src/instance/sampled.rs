//! Samples: where there are too many ways to choose something freely, a single number, the seed, decides about all of it.
//! Each seed gives every cell some value that has little to do with the others.

use super::InstanceError;
use super::domains::Extent;
use super::expr::Translator;
use crate::finite::layout::Domain;
use crate::finite::program::{Arithmetic, Comparison, Expr, Param, Place, SiteId, Stmt, VarId};
use tenet_term::{SymbolId, TermId};

/// Values tried for an unbounded integer.
const SAMPLED_INTEGERS: i64 = 3;
/// An extent beyond this counts as infinite.
const MAX_EXTENT: i64 = 1 << 40;

impl Translator {
    /// The values of an extent, or some of them near zero if it is infinite and the sample has to do with those. One
    /// is below zero, so that negative values are not overlooked.
    pub(super) fn cut(&self, extent: Extent) -> Extent {
        let Some(count) = self.integers else { return extent };
        match (extent.lo < -MAX_EXTENT, extent.hi > MAX_EXTENT) {
            (false, false) => extent,
            (true, false) => Extent { lo: extent.hi - count, hi: extent.hi },
            (false, true) => Extent { lo: extent.lo, hi: extent.lo + count },
            (true, true) => Extent { lo: -1, hi: count },
        }
    }

    /// Are there too many values of a parameter to try them all?
    pub(super) fn is_infinite(&self, symbol: SymbolId, facts: &[TermId]) -> bool {
        self.domains.extent_given(&self.store, symbol, facts).is_err()
    }

    /// How many ways there are to choose all of these; a large number if they cannot be counted.
    pub(super) fn combinations(&self, symbols: &[SymbolId], facts: &[TermId]) -> u64 {
        let counts = symbols.iter().map(|&symbol| {
            let (sorts, result) = self.signature(self.store.symbol(symbol).sort);
            if sorts.is_empty() {
                return self.domains.extent_given(&self.store, symbol, facts).map_or(u64::MAX, Extent::count);
            }
            let shape = self.shape(symbol);
            let cells = self.array(0, &sorts, &shape.args, "").map_or(u32::MAX, |array| array.len());
            let values = self.domains.bounded(&self.store, result, &shape.value);
            let values = values.map_or(u64::MAX, Extent::count);
            values.saturating_pow(cells)
        });
        counts.fold(1, u64::saturating_mul)
    }

    /// One parameter for all of these symbols.
    pub(super) fn seeded(
        &mut self,
        symbols: &[SymbolId],
        facts: &[TermId],
        params: &mut Vec<Param>,
        unpack: &mut Vec<Stmt>,
    ) -> Result<(), InstanceError> {
        let last = i64::try_from(self.choices.unwrap_or(1)).unwrap_or(1) - 1;
        let domain = self.program.layout.add_domain(Domain::numbers(0, last));
        let seed = self.fresh_var();
        params.push(Param { name: "seed".to_string(), var: seed, domain, lo: 0, hi: last, step: 1 });
        let mut cell = 0;
        for &symbol in symbols {
            let info = self.store.symbol(symbol).clone();
            let (sorts, result) = self.signature(info.sort);
            if sorts.is_empty() {
                let extent = self.few(self.domains.values_given(&self.store, symbol, facts)?);
                let var = self.fresh_var();
                cell += 1;
                unpack.push(Stmt::Let(var, value(seed, cell, extent)));
                self.vars.insert(symbol, var);
                continue;
            }
            let shape = self.shape(symbol);
            let extent = self.few(self.domains.bounded(&self.store, result, &shape.value)?);
            let base = self.scratch();
            let array = self.array(base, &sorts, &shape.args, &info.name)?;
            for position in 0..array.len() {
                cell += 1;
                let mut value = value(seed, cell, extent);
                if self.integers.is_some() {
                    value = ascending(seed, i64::from(position), extent, value);
                }
                unpack.push(Stmt::Store(Place::slot(base + position), value));
            }
            self.program.scratch += array.len();
            self.arrays.insert(symbol, array);
        }
        Ok(())
    }

    /// All of the values, or a few near zero if they have no end.
    fn few(&self, extent: Extent) -> Extent {
        let count = self.integers.unwrap_or(SAMPLED_INTEGERS);
        match (extent.lo < -MAX_EXTENT, extent.hi > MAX_EXTENT) {
            (false, false) => extent,
            (true, false) => Extent { lo: extent.hi - count + 1, hi: extent.hi },
            (false, true) => Extent { lo: extent.lo, hi: extent.lo + count - 1 },
            (true, true) if self.integers.is_some() => Extent { lo: -1, hi: count - 2 },
            (true, true) => Extent { lo: 0, hi: count - 1 },
        }
    }
}

/// For each third seed, the value of a cell of an array that ascends, in one way or another: programs may demand that.
fn ascending(seed: VarId, position: i64, extent: Extent, otherwise: Expr) -> Expr {
    let arithmetic = |op, a, b| Expr::Arith(op, Box::new(a), Box::new(Expr::Const(b)), SiteId(0));
    let is_third = arithmetic(Arithmetic::Mod, Expr::Var(seed), 3);
    let is_third = Expr::Compare(Comparison::Eq, Box::new(is_third), Box::new(Expr::Const(1)));
    let number = || arithmetic(Arithmetic::Div, Expr::Var(seed), 3);
    // The steps are every second, fourth, … place, with some offset.
    let slope = arithmetic(Arithmetic::Mod, number(), 4);
    let offset = arithmetic(Arithmetic::Div, number(), 4);
    let risen = arithmetic(Arithmetic::Mul, slope, position);
    let risen = Expr::Arith(Arithmetic::Add, Box::new(risen), Box::new(offset), SiteId(0));
    let risen = arithmetic(Arithmetic::Div, risen, 2);
    let last = i64::try_from(extent.count()).unwrap_or(i64::MAX) - 1;
    let is_less = Expr::Compare(Comparison::Lt, Box::new(risen.clone()), Box::new(Expr::Const(last)));
    let risen = Expr::Ite(Box::new(is_less), Box::new(risen), Box::new(Expr::Const(last)));
    let risen = arithmetic(Arithmetic::Add, risen, extent.lo);
    Expr::Ite(Box::new(is_third), Box::new(risen), Box::new(otherwise))
}

/// The value of a cell: the least one for seed zero, and otherwise any.
fn value(seed: VarId, cell: i64, extent: Extent) -> Expr {
    let arithmetic = |op, a, b| Expr::Arith(op, Box::new(a), Box::new(Expr::Const(b)), SiteId(0));
    let mixed = arithmetic(Arithmetic::Mul, Expr::Var(seed), cell * 40_503 + 12_345);
    let mixed = arithmetic(Arithmetic::Div, mixed, 64);
    let count = i64::try_from(extent.count()).unwrap_or(i64::MAX);
    let mixed = arithmetic(Arithmetic::Mod, mixed, count);
    arithmetic(Arithmetic::Add, mixed, extent.lo)
}
