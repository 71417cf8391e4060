//! Which instances of quantified facts refute a text, as Z3's proof tells.
//!
//! They are checked again where they are used, so nothing here is trusted. Like `z3_text` it reads text in a context
//! of its own, one that keeps proofs.
//!
//! A proof says where it instantiates, but it instantiates what is left of a fact after simplification. So each fact
//! `f(x, y)` stands under a *mark*, `forall x, y. mark(x, y) => f(x, y)`, and every mark holds, `forall x, y. mark(x, y)`:
//! an instance of the second is needed for each of the first, and it is nothing but the terms.

use std::time::Instant;

use rustc_hash::FxHashSet;
use z3::ast::{Ast, Dynamic};
use z3::{AstKind, Config, DeclKind, Params, SatResult, set_global_param, with_z3_config};

use crate::Limits;
use crate::questions;
use crate::z3::Runner;
use crate::z3_library::new_solver;

/// Resource units for each strategy, and then for each again: a part of a second, some seconds.
const UNITS_PER_STRATEGY: [u32; 2] = [200_000, 1_500_000];

/// A Boolean function that is true everywhere.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Its name, as it is written.
    pub name: String,
    /// The sorts of its arguments, as they are written.
    pub sorts: Vec<String>,
}

/// A fact, by position, at terms as Z3 writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    pub fact: usize,
    pub terms: Vec<String>,
}

/// Reads declarations, definitions and assertions, and looks for a refutation from them and the facts, whose names the
/// text defines. Gives the instances of facts with arguments that it uses; `None` if no refutation is found, or if the
/// text cannot be read. No name in the text contains an exclamation mark.
pub fn z3_refutation(text: &str, facts: &[Fact], limits: &Limits) -> Option<Vec<Use>> {
    if text.contains('\0') {
        return None;
    }
    let facts: Vec<String> =
        facts.iter().enumerate().map(|(position, fact)| assertion(position, fact)).collect();
    let text = format!("{text}\n{}", facts.join("\n"));
    // What instances wait for is chosen by a part of Z3 that has no other settings than these, for the whole process.
    set_global_param("pi.max_multi_patterns", "4");
    let mut attempts =
        UNITS_PER_STRATEGY.into_iter().flat_map(|budget| Strategy::ALL.map(|strategy| (budget, strategy)));
    attempts.find_map(|(budget, strategy)| attempt(&text, budget, strategy, limits))?
}

/// Looks for a refutation with one strategy: the instances it uses, or that there is none, or `None` if the strategy
/// does not finish.
fn attempt(text: &str, budget: u32, strategy: Strategy, limits: &Limits) -> Option<Option<Vec<Use>>> {
    let mut config = Config::new();
    config.set_proof_generation(true);
    with_z3_config(&config, || {
        let solver = new_solver();
        solver.set_params(&strategy.params());
        solver.from_string(text);
        let mut runner = Runner::within(solver, limits.clone(), budget);
        let start = Instant::now();
        let result = runner.run(start, &[]);
        let answer = runner.answer(&result);
        questions::log("z3", &answer, runner.spent, start, || Some(format!("{text}\n(check-sat)\n")));
        match result {
            Ok(SatResult::Unsat) => Some(Some(uses(&Dynamic::from_ast(&runner.solver.get_proof()?)))),
            Ok(SatResult::Sat) => Some(None),
            _ => None,
        }
    })
}

/// Ways to search. Z3 chooses another one when it need not keep proofs, so there is no best one here: what one misses for
/// seconds another finds at once.
#[derive(Clone, Copy, Debug)]
enum Strategy {
    /// Cases are split where it matters to the goal.
    Relevant,
    Default,
}

impl Strategy {
    const ALL: [Strategy; 2] = [Strategy::Relevant, Strategy::Default];

    fn params(self) -> Params {
        let mut params = Params::new();
        // Few sums, many comparisons: the simpler arithmetic is faster.
        params.set_u32("arith.solver", 2);
        if let Strategy::Relevant = self {
            params.set_bool("auto_config", false);
            params.set_u32("case_split", 5);
        }
        params
    }
}

/// That a fact is true, under its mark.
fn assertion(position: usize, Fact { name, sorts }: &Fact) -> String {
    if sorts.is_empty() {
        return format!("(assert {name})");
    }
    let variables: Vec<String> = (0..sorts.len()).map(|place| format!("x!{place}")).collect();
    let bound: Vec<String> =
        variables.iter().zip(sorts).map(|(name, sort)| format!("({name} {sort})")).collect();
    let (bound, variables, sorts) = (bound.join(" "), variables.join(" "), sorts.join(" "));
    let mark = format!("(mark!{position} {variables})");
    // No term with a mark is there before there is an instance, so a mark must not be what instances wait for.
    format!(
        "(declare-fun mark!{position} ({sorts}) Bool)
        (assert (forall ({bound}) (! (=> {mark} ({name} {variables})) :no-pattern {mark})))
        (assert (forall ({bound}) (! {mark} :pattern ({mark}))))"
    )
}

/// The instances that say that a mark holds.
fn uses(proof: &Dynamic) -> Vec<Use> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<Dynamic> = FxHashSet::default();
    let mut open = vec![proof.clone()];
    while let Some(step) = open.pop() {
        if step.kind() != AstKind::App || !seen.insert(step.clone()) {
            continue;
        }
        if step.decl().kind() == DeclKind::PrQuantInst {
            found.extend(marked(&step));
        }
        open.extend(step.children());
    }
    found
}

/// The mark in `quant-inst (or (not (forall …)) mark)`.
fn marked(step: &Dynamic) -> Option<Use> {
    let mark = step.nth_child(0)?.nth_child(1)?;
    let name = if mark.kind() == AstKind::App { mark.decl().name() } else { return None };
    let fact = name.strip_prefix("mark!")?.parse().ok()?;
    Some(Use { fact, terms: mark.children().iter().map(Dynamic::to_string).collect() })
}

#[cfg(test)]
mod tests {
    use super::{Fact, Use, z3_refutation};
    use crate::Limits;

    const MONOTONE: &str = "(declare-fun f (Int) Int)(declare-const a Int)
        (define-fun monotone ((x Int) (y Int)) Bool (=> (<= x y) (<= (f x) (f y))))
        (define-fun zero ((x Int) (y Int)) Bool (=> (= y (f x)) (= x 0) (= y 0)))";

    fn refutation(goal: &str) -> Option<Vec<Use>> {
        let int = || "Int".to_owned();
        let facts =
            ["monotone", "zero"].map(|name| Fact { name: name.to_owned(), sorts: vec![int(), int()] });
        z3_refutation(&format!("{MONOTONE}(assert (not {goal}))"), &facts, &Limits::default())
    }

    #[test]
    fn the_instances_of_a_refutation_are_told() {
        let found = refutation("(<= (f (- a 7)) (f (+ a 2)))");
        let terms = vec!["(+ (- 7) a)".to_owned(), "(+ 2 a)".to_owned()];
        assert_eq!(found, Some(vec![Use { fact: 0, terms }]));
    }

    #[test]
    fn variables_that_are_simplified_away_are_told_too() {
        let found = refutation("(= (f 0) 0)");
        let terms = vec!["0".to_owned(), "(f 0)".to_owned()];
        assert_eq!(found, Some(vec![Use { fact: 1, terms }]));
    }

    #[test]
    fn what_cannot_be_refuted_or_read_has_none() {
        assert_eq!(refutation("(<= (f 2) (f 1))"), None);
        assert_eq!(refutation("(nonsense)"), None);
        assert_eq!(refutation("false)(assert"), None);
    }
}
