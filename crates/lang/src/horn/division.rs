//! Division, and how division by zero is handled.
//!
//! SMT-LIB gives `(div x 0)`, `(mod x 0)` and `(/ x 0)` some value that depends on `x` alone and is otherwise unspecified; in our
//! terms it is zero. So clauses are satisfiable if they are for *some* function that gives these values, and unsatisfiable if
//! they are for *every* one. A division whose divisor is not a nonzero literal is therefore read as `zero ? value : x div y`,
//! where `value` is a fresh variable of the clause, and every clause with such divisions is split into two (see
//! [`Divisions::cases`]):
//!
//! * one in which no divisor is zero: it means the same whatever the function is;
//! * one in which some divisor is zero: the value is arbitrary. This clause is called *open*.
//!
//! With the open clauses more is reachable than for any one function, so a proof holds for all of them, and the answer
//! *safe* is right. A derivation without open clauses exists for every function, so *unsafe* is right then; one with an
//! open clause proves nothing, because it needs a particular function. Such a run is never reported.

use super::clauses::Clause;
use super::operators::{self, Refusal};
use tenet_term::{Op, Role, SortId, Substitution, SymbolId, TermId, TermStore};

/// The divisions of a clause whose divisors may be zero.
#[derive(Clone, Debug, Default)]
pub struct Divisions {
    open: Vec<Division>,
}

#[derive(Clone, Debug)]
struct Division {
    op: Op,
    dividend: TermId,
    divisor: TermId,
    /// Means that the divisor is zero.
    zero: SymbolId,
    /// The value in that case.
    value: SymbolId,
}

impl Divisions {
    /// Applies `div`, `mod` or `/`, which associate to the left.
    pub fn apply(&mut self, store: &mut TermStore, name: &str, args: &[TermId]) -> Result<TermId, Refusal> {
        let mut args = operators::numbers(store, name, args)?;
        let op = match name {
            "div" => Op::DivEuclid,
            "mod" => Op::ModEuclid,
            _ => Op::DivReal,
        };
        for (position, arg) in args.iter_mut().enumerate() {
            if op == Op::DivReal {
                *arg = operators::to_real(store, *arg)?;
            } else if store.sort_of(*arg) != SortId::INT {
                return Err(operators::operand(store, name, position, "Int", *arg));
            }
        }
        if args.len() < 2 || (op == Op::ModEuclid && args.len() > 2) {
            return Err(Refusal::Sorts(format!("`{name}` takes 2 operands, found {}", args.len())));
        }
        let mut result = args[0];
        for &divisor in &args[1..] {
            result = self.divide(store, op.clone(), result, divisor)?;
        }
        Ok(result)
    }

    fn divide(
        &mut self,
        store: &mut TermStore,
        op: Op,
        dividend: TermId,
        divisor: TermId,
    ) -> Result<TermId, Refusal> {
        let quotient = store.mk(op.clone(), &[dividend, divisor]);
        let zero = operators::zero_of(store, divisor);
        if store.is_value(divisor) && divisor != zero {
            return Ok(quotient);
        }
        // The value would depend on bound variables of the formula, and so not be one variable of the clause.
        if !store.is_closed(dividend) || !store.is_closed(divisor) {
            let message =
                "the divisor may be zero, and a variable of the division is bound inside a constraint";
            return Err(Refusal::Unsupported(message));
        }
        let same =
            |known: &&Division| known.op == op && known.dividend == dividend && known.divisor == divisor;
        let (zero, value) = match self.open.iter().find(same) {
            Some(known) => (known.zero, known.value),
            None => {
                let value = store.fresh("by_zero", store.sort_of(quotient), Role::Input);
                let zero = store.fresh("is_zero", SortId::BOOL, Role::Input);
                self.open.push(Division { op, dividend, divisor, zero, value });
                (zero, value)
            }
        };
        let (zero, value) = (store.mk_symbol(zero), store.mk_symbol(value));
        Ok(store.mk_ite(zero, value, quotient))
    }

    /// The case split of a clause with these divisions.
    pub fn cases(&self, store: &mut TermStore, clause: Clause) -> Vec<Clause> {
        let used = self.used(store, &clause);
        if used.is_empty() {
            return vec![clause];
        }
        let never: Vec<_> = used.iter().map(|division| (division.zero, TermId::FALSE)).collect();
        let never = Substitution::from_pairs(store, never);
        // A divisor may itself contain divisions, which were read before: substitute from the inside out.
        let mut actual = Substitution::new();
        let (mut no_zero, mut some_zero) = (Vec::new(), Vec::new());
        for division in used {
            let zero = operators::zero_of(store, division.divisor);
            let divisor = store.substitute(division.divisor, &never);
            no_zero.push(store.mk_ne(divisor, zero));
            let divisor = store.substitute(division.divisor, &actual);
            let is_zero = store.mk_eq(divisor, zero);
            actual.insert(store, division.zero, is_zero);
            some_zero.push(is_zero);
        }
        let (no_zero, some_zero) = (store.mk_and(no_zero), store.mk_or(some_zero));
        let mut closed = clause.substitute(store, &never);
        closed.constraint = store.mk_and([closed.constraint, no_zero]);
        let mut open = clause.substitute(store, &actual);
        open.constraint = store.mk_and([open.constraint, some_zero]);
        open.open = true;
        vec![closed, open]
    }

    /// The divisions that a clause contains, in the order in which they were read.
    fn used(&self, store: &TermStore, clause: &Clause) -> Vec<&Division> {
        let mut roots: Vec<TermId> = clause.terms().collect();
        let mut used = Vec::new();
        for division in self.open.iter().rev() {
            let symbols = store.subterms_of_all(roots.iter().copied());
            if symbols.into_iter().any(|part| store.as_symbol(part) == Some(division.zero)) {
                roots.push(division.divisor);
                used.push(division);
            }
        }
        used.reverse();
        used
    }
}
