//! Lowered scalars with an interval of their values, folded where they are constant.
//!
//! The interval saves most range checks: a counter `0..3` stored into another `0..3` needs none. It is kept beside the
//! expression, because later passes know no types.

use tenet_system::finite::program::{Arithmetic, Comparison, Expr, SiteId};

/// A lowered scalar and bounds on its value.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub expr: Expr,
    pub lo: i64,
    pub hi: i64,
}

impl Value {
    pub fn new(expr: Expr, lo: i64, hi: i64) -> Value {
        Value { expr, lo, hi }
    }

    pub fn constant(value: i64) -> Value {
        Value { expr: Expr::Const(value), lo: value, hi: value }
    }

    pub fn truth(expr: Expr) -> Value {
        match expr {
            Expr::Const(value) => Value::constant(value),
            expr => Value { expr, lo: 0, hi: 1 },
        }
    }

    pub fn as_constant(&self) -> Option<i64> {
        as_constant(&self.expr)
    }

    /// Whether it can be copied and evaluated again at no cost and with the same result.
    pub fn is_atomic(&self) -> bool {
        matches!(self.expr, Expr::Const(_) | Expr::Var(_))
    }

    /// The value if it is in `lo..=hi`; without a check where that is certain.
    pub fn in_range(self, lo: i64, hi: i64, site: SiteId) -> Value {
        if lo <= self.lo && self.hi <= hi {
            return self;
        }
        Value {
            expr: Expr::InRange(Box::new(self.expr), lo, hi, site),
            lo: lo.max(self.lo),
            hi: hi.min(self.hi),
        }
    }

    /// The value moved by a constant; the caller knows that it stays within 64 bits.
    pub fn shifted(self, distance: i64, site: SiteId) -> Value {
        if distance == 0 {
            return self;
        }
        arith(Arithmetic::Add, self, Value::constant(distance), site)
    }
}

pub(super) fn as_constant(expr: &Expr) -> Option<i64> {
    if let Expr::Const(value) = expr { Some(*value) } else { None }
}

/// `!e`
pub(super) fn not(expr: Expr) -> Expr {
    match expr {
        Expr::Const(value) => Expr::Const(i64::from(value == 0)),
        Expr::Not(inner) => *inner,
        expr => Expr::Not(Box::new(expr)),
    }
}

/// `a & b`
pub(super) fn and(left: Expr, right: Expr) -> Expr {
    match (as_constant(&left), as_constant(&right)) {
        (Some(0), _) => left,
        (Some(_), _) => right,
        // A false right side does not remove a fault on the left.
        (None, Some(right)) if right != 0 => left,
        _ => Expr::And(Box::new(left), Box::new(right)),
    }
}

/// `a | b`
pub(super) fn or(left: Expr, right: Expr) -> Expr {
    match (as_constant(&left), as_constant(&right)) {
        (Some(0), _) => right,
        (Some(_), _) => left,
        (None, Some(0)) => left,
        _ => Expr::Or(Box::new(left), Box::new(right)),
    }
}

pub(super) fn compare(comparison: Comparison, left: Expr, right: Expr) -> Expr {
    let (Some(a), Some(b)) = (as_constant(&left), as_constant(&right)) else {
        return Expr::Compare(comparison, Box::new(left), Box::new(right));
    };
    let holds = match comparison {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
        Comparison::Gt => a > b,
        Comparison::Ge => a >= b,
    };
    Expr::Const(i64::from(holds))
}

/// Arithmetic; constants are folded unless that would hide a fault.
pub(super) fn arith(op: Arithmetic, left: Value, right: Value, site: SiteId) -> Value {
    if let (Some(a), Some(b)) = (left.as_constant(), right.as_constant())
        && let Some(result) = checked(op, a, b)
    {
        return Value::constant(result);
    }
    let (lo, hi) = interval(op, &left, &right);
    Value::new(Expr::Arith(op, Box::new(left.expr), Box::new(right.expr), site), lo, hi)
}

fn checked(op: Arithmetic, a: i64, b: i64) -> Option<i64> {
    let result = match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Sub => a.checked_sub(b),
        Arithmetic::Mul => a.checked_mul(b),
        Arithmetic::Div => a.checked_div(b),
        Arithmetic::Mod => a.checked_rem(b),
    };
    // i64::MIN stands for "undefined".
    result.filter(|value| *value != i64::MIN)
}

fn interval(op: Arithmetic, left: &Value, right: &Value) -> (i64, i64) {
    let [a, b, c, d] = [left.lo, left.hi, right.lo, right.hi].map(i128::from);
    let corners = match op {
        Arithmetic::Add => vec![a + c, b + d],
        Arithmetic::Sub => vec![a - d, b - c],
        Arithmetic::Mul => vec![a * c, a * d, b * c, b * d],
        Arithmetic::Div if c > 0 || d < 0 => vec![a / c, a / d, b / c, b / d],
        // At most as far from zero as the dividend, on either side.
        Arithmetic::Div => {
            let most = a.abs().max(b.abs());
            vec![-most, most]
        }
        Arithmetic::Mod => {
            let most = c.abs().max(d.abs()) - 1;
            vec![a.clamp(-most.max(0), 0), b.clamp(0, most.max(0))]
        }
    };
    let clamp = |value: i128| value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
    let lo = corners.iter().copied().min().map_or(i64::MIN, clamp);
    let hi = corners.iter().copied().max().map_or(i64::MAX, clamp);
    (lo, hi)
}
