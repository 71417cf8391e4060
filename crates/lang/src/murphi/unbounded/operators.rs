//! Operators, and equality of aggregates.

use super::sorts::{is_aggregate, is_numeric, type_name};
use super::values::Scalar;
use super::{Reader, source};
use crate::murphi::hir::{BinaryOp, Expr, ExprKind, TypeId};
use tenet_system::{Axiom, Order};
use tenet_term::{Role, SortId, Spelling, SymbolId, TermId};

impl<'m> Reader<'m> {
    pub(super) fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Scalar {
        if let Some(counted) = self.counting(op, left, right) {
            return Scalar::plain(counted);
        }
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                Scalar::plain(self.connective(op, left, right))
            }
            BinaryOp::Eq => Scalar::plain(self.equality(left, right)),
            BinaryOp::Ne => {
                let equal = self.equality(left, right);
                Scalar::plain(self.store.mk_not(equal))
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
                if self.index_type(left).is_some() && self.index_type(left) == self.index_type(right) =>
            {
                let ty = self.index_type(left).expect("invariant: it was just asked");
                let (left, right) = (self.scalar_as(left, ty), self.scalar_as(right, ty));
                let (left, right) = (self.rank(ty, left.term), self.rank(ty, right.term));
                self.arithmetic(op, Scalar::plain(left), Scalar::plain(right))
            }
            _ => {
                let use_of_index = use_of_index(op);
                let (left, right_span) = (self.number_for(left, use_of_index), right.span);
                let right = self.number_for(right, use_of_index);
                if matches!(op, BinaryOp::Div | BinaryOp::Mod) {
                    self.oblige_divisor(right, right_span);
                }
                self.arithmetic(op, left, right)
            }
        }
    }

    /// The place of an element in the order of a range that is read as an index sort.
    fn rank(&mut self, ty: TypeId, element: TermId) -> TermId {
        let sort = self.sort(ty);
        let rank = match self.system.orders.iter().find(|order| order.sort == sort) {
            Some(order) => order.rank,
            None => self.add_order(ty, sort),
        };
        let rank = self.store.mk_symbol(rank);
        self.store.mk_apply(rank, &[element])
    }

    /// Gives an index sort an arbitrary total order.
    fn add_order(&mut self, ty: TypeId, sort: SortId) -> SymbolId {
        let function = self.store.function_sort(&[sort], SortId::INT);
        let name = type_name(self.model, ty);
        // A constant of the model may have this name, and must not become injective.
        let rank = self.store.fresh(&format!("rank_{name}"), function, Role::Const);
        self.store.spell(rank, Spelling::Order);
        self.system.consts.push(rank);
        let order = Order { sort, rank };
        self.system.orders.push(order);
        let formula = order.axiom(&mut self.store);
        let name = format!("the values of `{name}` are in a total order");
        self.system.axioms.push(Axiom { name, source: source(self.model.ty(ty).span), formula });
        rank
    }

    fn connective(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> TermId {
        let left = self.scalar(left).term;
        let (needed, absorbing) = match op {
            BinaryOp::Or => (self.store.mk_not(left), TermId::TRUE),
            BinaryOp::Implies => (left, TermId::TRUE),
            _ => (left, TermId::FALSE),
        };
        if needed == TermId::FALSE {
            return absorbing;
        }
        let right = self.under(needed, |reader| reader.scalar(right).term);
        match op {
            BinaryOp::Or => self.store.mk_or([left, right]),
            BinaryOp::Implies => self.store.mk_implies(left, right),
            _ => self.store.mk_and([left, right]),
        }
    }

    fn arithmetic(&mut self, op: BinaryOp, left: Scalar, right: Scalar) -> Scalar {
        match op {
            BinaryOp::Add => self.add(left, right),
            BinaryOp::Sub => self.subtract(left, right),
            BinaryOp::Mul => self.multiply(left, right),
            BinaryOp::Div => self.divide(left, right),
            BinaryOp::Mod => self.remainder(left, right),
            BinaryOp::Lt => Scalar::plain(self.store.mk_lt(left.term, right.term)),
            BinaryOp::Le => Scalar::plain(self.store.mk_le(left.term, right.term)),
            BinaryOp::Gt => Scalar::plain(self.store.mk_gt(left.term, right.term)),
            BinaryOp::Ge => Scalar::plain(self.store.mk_ge(left.term, right.term)),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Eq | BinaryOp::Ne => {
                unreachable!("handled by the caller")
            }
        }
    }

    fn equality(&mut self, left: &Expr, right: &Expr) -> TermId {
        if is_aggregate(self.model, left.ty) {
            return self.aggregate_equality(left, right);
        }
        let index = self.index_type(left).or_else(|| self.index_type(right));
        let (left, right) = match index {
            Some(ty) => (self.scalar_as(left, ty), self.scalar_as(right, ty)),
            None if is_numeric(self.model, left.ty) => (self.number(left), self.number(right)),
            None => (self.scalar(left), self.scalar(right)),
        };
        self.store.mk_eq(left.term, right.term)
    }

    /// Equal at every leaf, for all indices; an undefined value equals an undefined one and no other.
    fn aggregate_equality(&mut self, left: &Expr, right: &Expr) -> TermId {
        let ty = left.ty;
        let (left, right) = (self.aggregate(left, ty), self.aggregate(right, ty));
        let leaves = self.leaves(ty);
        let mut equal = Vec::new();
        for (position, leaf) in leaves.iter().enumerate() {
            let at = |values: &[TermId]| (values[position], values.get(leaves.len() + position).copied());
            equal.push(self.leaf_equality(&leaf.args, at(&left), at(&right)));
        }
        self.store.mk_and(equal)
    }

    /// Equal at all indices.
    fn leaf_equality(
        &mut self,
        args: &[TypeId],
        (a, a_defined): (TermId, Option<TermId>),
        (b, b_defined): (TermId, Option<TermId>),
    ) -> TermId {
        if args.is_empty() {
            return self.equal_values((a, a_defined), (b, b_defined));
        }
        let mut avoid: Vec<SymbolId> = self.open.iter().map(|open| open.symbol).collect();
        avoid.extend([a, b].into_iter().flat_map(|term| self.store.free_bound(term)).copied());
        let (mut bound, mut guards) = (Vec::new(), Vec::new());
        for (position, &arg) in args.iter().enumerate() {
            let base = ["u", "v", "w"].get(position).copied().unwrap_or("u");
            let (sort, bounds) = (self.sort(arg), self.symbolic_bounds(arg));
            let symbol = self.store.bound_avoiding(base, sort, &avoid);
            avoid.push(symbol);
            bound.push(symbol);
            let term = self.store.mk_symbol(symbol);
            guards.push(self.between(term, bounds));
        }
        let places: Vec<TermId> = bound.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let mut at = |function: TermId| self.store.mk_apply(function, &places);
        let (a, a_defined, b, b_defined) = (at(a), a_defined.map(&mut at), at(b), b_defined.map(&mut at));
        let equal = self.equal_values((a, a_defined), (b, b_defined));
        let guard = self.store.mk_and(guards);
        let guarded = self.store.mk_implies(guard, equal);
        self.store.mk_forall(&bound, guarded)
    }

    fn equal_values(
        &mut self,
        (a, a_defined): (TermId, Option<TermId>),
        (b, b_defined): (TermId, Option<TermId>),
    ) -> TermId {
        let equal = self.store.mk_eq(a, b);
        let Some((a_defined, b_defined)) = a_defined.zip(b_defined) else { return equal };
        let both = self.store.mk_and([a_defined, b_defined]);
        self.note_comparison(both);
        let same = self.store.mk_eq(a_defined, b_defined);
        let matters = self.store.mk_implies(a_defined, equal);
        self.store.mk_and([same, matters])
    }

    /// The leaves of an aggregate, as the leaves of a type that matches its own.
    pub(super) fn aggregate(&mut self, expr: &Expr, ty: TypeId) -> Vec<TermId> {
        let spot = match &expr.kind {
            ExprKind::Read(place) => self.spot(place),
            ExprKind::Local(local) => self.local_spot(*local),
            ExprKind::Update { array, indices, value } => {
                let leaves = self.updated(array, indices, value);
                return self.same_leaf_sorts(leaves, expr, ty);
            }
            _ => unreachable!("aggregates are only read"),
        };
        let mut leaves = self.read_leaves(&spot);
        leaves.extend(self.read_companions(&spot));
        self.same_leaf_sorts(leaves, expr, ty)
    }

    /// Types match by their bounds, but a range read as an index sort has a sort of its own.
    fn same_leaf_sorts(&mut self, mut values: Vec<TermId>, expr: &Expr, ty: TypeId) -> Vec<TermId> {
        let (found, wanted) = (self.leaves(expr.ty), self.leaves(ty));
        for (position, (a, b)) in found.iter().zip(wanted.iter()).enumerate() {
            let pairs = a.args.iter().zip(&b.args).map(|(&x, &y)| (x, y)).chain([(a.ty, b.ty)]);
            let mixed = pairs.into_iter().find(|(x, y)| {
                x != y && (self.choice.indices.contains(x) || self.choice.indices.contains(y))
            });
            let Some((x, y)) = mixed else { continue };
            let index = if self.choice.indices.contains(&x) { x } else { y };
            let sort = self.leaf_sort(&b.args, b.ty);
            let message = "values with different index types are mixed here".to_owned();
            values[position] = self.refuse_index(index, message, expr.span, sort).term;
        }
        values
    }
}

/// The message for an element of an index sort as an operand.
fn use_of_index(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Lt => "`<` compares a value of it with something else",
        BinaryOp::Le => "`<=` compares a value of it with something else",
        BinaryOp::Gt => "`>` compares a value of it with something else",
        BinaryOp::Ge => "`>=` compares a value of it with something else",
        _ => "arithmetic needs numbers",
    }
}
