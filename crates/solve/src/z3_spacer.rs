//! Z3's own solver for Horn clauses, Spacer.
//!
//! What it answers is a claim like any other: the relations that it found are formulas again, and the caller has to
//! check them.

use crate::encode::Encoder;
use crate::questions;
use crate::smtlib::read::{Scope, term};
use crate::smtlib::sexpr::Sexpr;
use crate::z3::{Runner, Z3Builder, bool_of};
use crate::{Limits, Script, Statistics};
use ::z3::{SatResult, Tactic};
use std::time::Instant;
use tenet_term::{TermId, TermStore};

/// What Spacer says of clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// They can be satisfied: what each atom stands for then.
    Satisfied(Vec<TermId>),
    Refuted,
    /// It does not know, or says it in a way that cannot be read.
    None,
}

/// Clauses are closed formulas over relations, which are symbols of function sort; atoms are relations applied to symbols.
pub fn z3_spacer(
    store: &mut TermStore,
    clauses: &[TermId],
    atoms: &[TermId],
    limits: &Limits,
) -> (Opinion, Statistics) {
    let start = Instant::now();
    let found = solve(store, clauses, atoms, limits, start);
    (found.unwrap_or(Opinion::None), Statistics { calls: 1, seconds: start.elapsed().as_secs_f64() })
}

fn solve(
    store: &mut TermStore,
    clauses: &[TermId],
    atoms: &[TermId],
    limits: &Limits,
    start: Instant,
) -> Option<Opinion> {
    // By name: a solver for the logic would follow the strategy that all other solvers are told to use.
    let mut runner = Runner::whole(Tactic::new("horn").solver(), limits.clone());
    let mut encoder = Encoder::new(Z3Builder);
    for &clause in clauses {
        let clause = bool_of(&encoder.encode(store, clause));
        runner.solver.assert(clause);
    }
    let result = runner.run(start, &[]);
    let text = || {
        let mut script = Script::in_logic("HORN");
        clauses.iter().for_each(|&clause| script.assert(store, clause));
        script.check();
        Some(script.text().to_owned())
    };
    questions::log("spacer", &runner.answer(&result), runner.spent, start, text);
    match result.ok()? {
        SatResult::Sat => {}
        SatResult::Unsat => return Some(Opinion::Refuted),
        SatResult::Unknown => return None,
    }
    let model = runner.solver.get_model()?;
    let mut found = Vec::new();
    for &atom in atoms {
        let mut scope = Scope::default();
        for &arg in &store.args(atom)[1..] {
            let name = Sexpr::read(&encoder.encode(store, arg).to_string())?;
            scope.insert(name.atom()?.to_owned(), arg);
        }
        let asked = encoder.encode(store, atom);
        // Not completed, or the arguments would get values.
        let value = model.eval(&asked, false)?;
        found.push(match value.ast_eq(&asked) {
            true => TermId::FALSE, // It does not matter what it is.
            false => term(store, &scope, &Sexpr::read(&value.to_string())?)?,
        });
    }
    Some(Opinion::Satisfied(found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_term::{Role, SortId};

    #[test]
    fn a_counter_has_an_invariant() {
        // Other solvers change what Z3 does by default.
        drop(crate::z3_library::new_solver());
        let mut store = TermStore::new();
        let sort = store.function_sort(&[SortId::INT], SortId::BOOL);
        let relation = store.declare("p", sort, Role::Const);
        let relation = store.mk_symbol(relation);
        let bound = store.declare("x", SortId::INT, Role::Bound);
        let x = store.mk_symbol(bound);
        let (zero, one, minus) = (store.mk_int(0), store.mk_int(1), store.mk_int(-1));
        let next = store.mk_add([x, one]);
        let at = |store: &mut TermStore, value: TermId| store.mk_apply(relation, &[value]);
        let (first, here, there, bad) =
            (at(&mut store, zero), at(&mut store, x), at(&mut store, next), at(&mut store, minus));
        let step = store.mk_implies(here, there);
        let step = store.mk_forall(&[bound], step);
        let safe = store.mk_not(bad);
        let symbol = store.declare("y", SortId::INT, Role::State);
        let y = store.mk_symbol(symbol);
        let asked = at(&mut store, y);
        let (found, _) = z3_spacer(&mut store, &[first, step, safe], &[asked], &Limits::default());
        let Opinion::Satisfied(found) = found else { panic!("the counter never is -1") };
        let invariant = found[0];
        let mut model = tenet_term::Model::new();
        for (value, expected) in [(0, true), (7, true), (-1, false)] {
            model.set(symbol, tenet_term::Value::int(value));
            assert_eq!(model.holds(&store, invariant), Ok(expected), "{value}");
        }
        let unsafe_step = store.mk_not(first);
        let (opinion, _) = z3_spacer(&mut store, &[first, unsafe_step], &[asked], &Limits::default());
        assert_eq!(opinion, Opinion::Refuted);
    }
}
