//! The sort rules, in one place: which operands an operator takes and what it gives.
//!
//! Sorts are fixed when a term is built, so nothing later needs to infer them. Front ends whose sorts come from user
//! input build with [`TermStore::checked`]; everyone else uses `mk_*`, where an ill-sorted term is a bug and panics.

use crate::error::SortError;
use crate::id::{SortId, SymbolId, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::symbol::{Role, RoleSet};
use crate::term::{Args, BvOp, Op};

impl TermStore {
    /// Builds a term from user input: the sorts are checked first, then the smart constructor is used.
    pub fn checked(&mut self, op: Op, args: &[TermId]) -> Result<TermId, SortError> {
        self.infer(&op, args)?;
        Ok(self.mk(op, args))
    }

    /// Builds a term from user input exactly as written, or says what is wrong with its sorts.
    pub fn checked_raw(&mut self, op: Op, args: &[TermId]) -> Result<TermId, SortError> {
        self.intern(op, Args::from_slice(args))
    }

    /// Checks the sorts of a term and all its subterms again; gives the sort of the term.
    pub fn check(&mut self, term: TermId) -> Result<SortId, SortError> {
        for subterm in self.subterms(term) {
            let (op, args) = (self.op(subterm).clone(), Args::from_slice(self.args(subterm)));
            self.infer(&op, &args)?;
        }
        Ok(self.sort_of(term))
    }

    /// Checks that the free symbols of a term have only the allowed roles. Leaving [`Role::Bound`] out asks for a
    /// closed term.
    pub fn check_roles(&self, term: TermId, allowed: RoleSet) -> Result<(), SortError> {
        for symbol in self.free_symbols(term) {
            let symbol = self.symbol(symbol);
            if !allowed.contains(symbol.role) {
                return Err(SortError::Role { name: symbol.name.clone(), role: symbol.role });
            }
        }
        Ok(())
    }

    /// The sort of an operator applied to operands.
    pub fn infer(&mut self, op: &Op, args: &[TermId]) -> Result<SortId, SortError> {
        check_arity(op, args.len())?;
        match op {
            Op::Bool(_) | Op::Int(_) | Op::Rational(_) | Op::BitVec(_) | Op::Enum(..) | Op::Index(..) => {
                self.infer_literal(op)
            }
            Op::Symbol(symbol) => Ok(self.symbol(*symbol).sort),
            Op::Apply => self.infer_apply(args),
            Op::Not | Op::And | Op::Or | Op::Implies | Op::Iff => {
                self.require(op, args, "boolean", |sort| *sort == Sort::Bool)?;
                Ok(SortId::BOOL)
            }
            Op::Ite => self.infer_ite(args),
            Op::Eq | Op::Distinct => self.infer_equality(op, args),
            Op::Lt | Op::Le => self.infer_numeric(op, args).map(|_| SortId::BOOL),
            Op::Add | Op::Neg | Op::Mul => self.infer_numeric(op, args),
            Op::DivReal | Op::ToInt => {
                self.require(op, args, "real", |sort| *sort == Sort::Real)?;
                Ok(if *op == Op::ToInt { SortId::INT } else { SortId::REAL })
            }
            Op::DivEuclid | Op::ModEuclid | Op::DivTrunc | Op::RemTrunc | Op::ToReal => {
                self.require(op, args, "integer", Sort::is_integer)?;
                Ok(if *op == Op::ToReal { SortId::REAL } else { SortId::INT })
            }
            Op::Bv(bv) => self.infer_bitvec(*bv, args),
            Op::Forall(bound) | Op::Exists(bound) => {
                self.check_bound(op, bound)?;
                self.require(op, args, "boolean", |sort| *sort == Sort::Bool)?;
                Ok(SortId::BOOL)
            }
            Op::Lambda(bound) => self.infer_lambda(op, bound, args[0]),
            Op::In(union, member) => self.infer_injection(op, *union, *member, args[0]),
            Op::Is(member) | Op::Out(member) => {
                self.require_member(op, self.sort_of(args[0]), *member)?;
                Ok(if matches!(op, Op::Is(_)) { SortId::BOOL } else { *member })
            }
        }
    }

    fn infer_literal(&mut self, op: &Op) -> Result<SortId, SortError> {
        match op {
            Op::Bool(_) => Ok(SortId::BOOL),
            Op::Int(_) => Ok(SortId::INT),
            Op::Rational(_) => Ok(SortId::REAL),
            Op::BitVec(value) => self.sorts.intern(Sort::BitVec(value.width())),
            Op::Enum(sort, position) => match self.sort(*sort) {
                Sort::Enum { variants, .. } if (*position as usize) < variants.len() => Ok(*sort),
                _ => Err(self.no_literal(*sort, *position)),
            },
            Op::Index(sort, position) => match self.sort(*sort) {
                Sort::Index { .. } => Ok(*sort),
                _ => Err(self.no_literal(*sort, *position)),
            },
            _ => unreachable!("the caller passes literals only"),
        }
    }

    fn infer_apply(&mut self, args: &[TermId]) -> Result<SortId, SortError> {
        let Sort::Function { args: domain, result } = self.sort(self.sort_of(args[0])) else {
            return Err(self.operand(&Op::Apply, args, 0, "a function"));
        };
        let result = *result;
        if domain.len() != args.len() - 1 {
            let expected = (domain.len() + 1).to_string();
            return Err(SortError::Arity { op: Op::Apply.name().to_string(), expected, found: args.len() });
        }
        for (position, &sort) in domain.iter().enumerate() {
            if !self.sorts.compatible(sort, self.sort_of(args[position + 1])) {
                return Err(self.operand(&Op::Apply, args, position + 1, &self.quoted(sort)));
            }
        }
        Ok(result)
    }

    fn infer_ite(&mut self, args: &[TermId]) -> Result<SortId, SortError> {
        if !self.is_bool(args[0]) {
            return Err(self.operand(&Op::Ite, args, 0, "boolean"));
        }
        let (yes, no) = (self.sort_of(args[1]), self.sort_of(args[2]));
        if !self.sorts.compatible(yes, no) {
            return Err(self.operand(&Op::Ite, args, 2, &self.quoted(yes)));
        }
        Ok(self.sorts.join(yes, no))
    }

    fn infer_equality(&mut self, op: &Op, args: &[TermId]) -> Result<SortId, SortError> {
        let first = self.sort_of(args[0]);
        if *op == Op::Eq && first == SortId::BOOL {
            return Err(self.operand(op, args, 0, "of a sort other than boolean, which has `<->`"));
        }
        for position in 1..args.len() {
            if !self.sorts.compatible(first, self.sort_of(args[position])) {
                return Err(self.operand(op, args, position, &self.quoted(first)));
            }
        }
        Ok(SortId::BOOL)
    }

    /// All operands integers, or all reals; the sort of a sum of them.
    fn infer_numeric(&mut self, op: &Op, args: &[TermId]) -> Result<SortId, SortError> {
        let real = args.first().is_some_and(|&arg| self.sort_of(arg) == SortId::REAL);
        if real {
            self.require(op, args, "real", |sort| *sort == Sort::Real)?;
            return Ok(SortId::REAL);
        }
        self.require(op, args, "a number", Sort::is_integer)?;
        Ok(SortId::INT)
    }

    fn infer_bitvec(&mut self, bv: BvOp, args: &[TermId]) -> Result<SortId, SortError> {
        let op = Op::Bv(bv);
        if let BvOp::FromInt(width) = bv {
            self.require(&op, args, "integer", Sort::is_integer)?;
            return self.sorts.intern(Sort::BitVec(width));
        }
        let width = self.width_of(&op, args, 0)?;
        let overflow = |shape: &str| SortError::BadSort { name: shape.to_string(), reason: "too many bits" };
        let result = match bv {
            BvOp::Not | BvOp::Neg => width,
            BvOp::Extract { hi, lo } if lo <= hi && hi < width => hi - lo + 1,
            BvOp::Extract { .. } => return Err(self.operand(&op, args, 0, "wide enough, high bit first")),
            BvOp::ZeroExtend(by) | BvOp::SignExtend(by) => {
                width.checked_add(by).ok_or_else(|| overflow(op.name()))?
            }
            BvOp::Concat => {
                let low = self.width_of(&op, args, 1)?;
                width.checked_add(low).ok_or_else(|| overflow(op.name()))?
            }
            BvOp::ToInt => return Ok(SortId::INT),
            _ => {
                if self.width_of(&op, args, 1)? != width {
                    return Err(self.operand(&op, args, 1, &self.quoted(self.sort_of(args[0]))));
                }
                width
            }
        };
        if matches!(bv, BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle) {
            return Ok(SortId::BOOL);
        }
        self.sorts.intern(Sort::BitVec(result))
    }

    fn infer_lambda(&mut self, op: &Op, bound: &[SymbolId], body: TermId) -> Result<SortId, SortError> {
        self.check_bound(op, bound)?;
        let args = bound.iter().map(|&symbol| self.symbol(symbol).sort).collect();
        let result = self.sort_of(body);
        self.sorts.intern(Sort::Function { args, result })
    }

    fn infer_injection(
        &mut self,
        op: &Op,
        union: SortId,
        member: SortId,
        arg: TermId,
    ) -> Result<SortId, SortError> {
        self.require_member(op, union, member)?;
        if self.sort_of(arg) != member {
            return Err(self.operand(op, &[arg], 0, &self.quoted(member)));
        }
        Ok(union)
    }

    fn require_member(&self, op: &Op, union: SortId, member: SortId) -> Result<(), SortError> {
        match self.sort(union) {
            Sort::Union { members, .. } if members.contains(&member) => Ok(()),
            _ => Err(SortError::Operand {
                op: op.name().to_string(),
                position: 1,
                expected: format!("a union with member {}", self.quoted(member)),
                found: self.sort_name(union),
            }),
        }
    }

    fn check_bound(&self, op: &Op, bound: &[SymbolId]) -> Result<(), SortError> {
        for &symbol in bound {
            let symbol = self.symbol(symbol);
            if symbol.role != Role::Bound {
                return Err(SortError::Role { name: symbol.name.clone(), role: symbol.role });
            }
        }
        let repeated = bound.iter().enumerate().any(|(index, symbol)| bound[..index].contains(symbol));
        if bound.is_empty() || repeated {
            return Err(SortError::Binder { op: op.name().to_string() });
        }
        Ok(())
    }

    fn require(
        &self,
        op: &Op,
        args: &[TermId],
        expected: &str,
        accept: impl Fn(&Sort) -> bool,
    ) -> Result<(), SortError> {
        match args.iter().position(|&arg| !accept(self.sort(self.sort_of(arg)))) {
            Some(position) => Err(self.operand(op, args, position, expected)),
            None => Ok(()),
        }
    }

    fn width_of(&self, op: &Op, args: &[TermId], position: usize) -> Result<u32, SortError> {
        match self.sort(self.sort_of(args[position])) {
            Sort::BitVec(width) => Ok(*width),
            _ => Err(self.operand(op, args, position, "a bit-vector")),
        }
    }

    fn operand(&self, op: &Op, args: &[TermId], position: usize, expected: &str) -> SortError {
        SortError::Operand {
            op: op.name().to_string(),
            position: position + 1,
            expected: expected.to_string(),
            found: self.sort_name(self.sort_of(args[position])),
        }
    }

    fn no_literal(&self, sort: SortId, position: u32) -> SortError {
        SortError::Literal { sort: self.sort_name(sort), detail: format!("value {position}") }
    }

    fn quoted(&self, sort: SortId) -> String {
        format!("`{}`", self.sort_name(sort))
    }
}

fn check_arity(op: &Op, found: usize) -> Result<(), SortError> {
    let (least, most) = arity(op);
    if (least..=most).contains(&found) {
        return Ok(());
    }
    let expected = if least == most { least.to_string() } else { format!("at least {least}") };
    Err(SortError::Arity { op: op.name().to_string(), expected, found })
}

/// How many operands an operator takes, at least and at most.
fn arity(op: &Op) -> (usize, usize) {
    match op {
        op if op.is_literal() => (0, 0),
        Op::Symbol(_) => (0, 0),
        Op::And | Op::Or => (0, usize::MAX),
        Op::Apply | Op::Distinct => (2, usize::MAX),
        Op::Add => (1, usize::MAX),
        Op::Ite => (3, 3),
        Op::Not | Op::Neg | Op::ToReal | Op::ToInt => (1, 1),
        Op::Forall(_) | Op::Exists(_) | Op::Lambda(_) | Op::In(..) | Op::Is(_) | Op::Out(_) => (1, 1),
        Op::Bv(bv) if bv.is_unary() => (1, 1),
        _ => (2, 2),
    }
}
