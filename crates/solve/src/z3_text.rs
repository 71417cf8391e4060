//! Z3 on SMT-LIB text: a second way into the solver, for checking what was printed.
//!
//! It shares nothing with the translation of terms: Z3's own parser reads the text. So a mistake in printing or in
//! translating shows as a difference between the two ways. Sorts of the same name may mean something else in the next
//! text, so each call reads in a context that has read nothing before. Contexts are expensive (Z3 touches 16 MB for one,
//! which takes as long as a small proof), so the first call in a thread takes that of the thread: what is declared
//! there has names that no text can write (`z3::builder`).

use std::cell::Cell;
use std::time::Duration;

use crate::Answer;
use z3::ast::Bool;
use z3::{Config, Params, SatResult, Solver, with_z3_config};

/// Reads texts of declarations, definitions and assertions one after the other, and asks for each of the Boolean constants
/// named with one whether its assertions are satisfiable together with it. Sorts of the same name have to be the same
/// in all of them. Text that Z3 cannot read asserts nothing, and is never `Unsat` for that.
pub fn z3_check_texts(texts: &[(String, Vec<String>)], timeout: Option<Duration>) -> Vec<Answer> {
    let check =
        || texts.iter().flat_map(|(text, questions)| check_text(text, questions, timeout)).collect();
    if HAS_READ.replace(true) { with_z3_config(&Config::new(), check) } else { check() }
}

thread_local! {
    /// Whether this thread's own context has read a text.
    static HAS_READ: Cell<bool> = const { Cell::new(false) };
}

fn check_text(text: &str, questions: &[String], timeout: Option<Duration>) -> Vec<Answer> {
    if text.contains('\0') {
        let unreadable = Answer::Unknown("the text contains a zero byte".to_owned());
        return vec![unreadable; questions.len()];
    }
    let solver = Solver::new();
    let mut params = Params::new();
    if let Some(timeout) = timeout {
        params.set_u32("timeout", u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX));
    }
    solver.set_params(&params);
    solver.from_string(text);
    questions.iter().map(|question| ask(&solver, question)).collect()
}

fn ask(solver: &Solver, question: &str) -> Answer {
    match solver.check_assumptions(&[Bool::new_const(question)]) {
        SatResult::Sat => Answer::Sat,
        SatResult::Unsat => Answer::Unsat,
        SatResult::Unknown => Answer::Unknown(solver.get_reason_unknown().unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, z3_check_texts};

    fn check(text: &str, questions: &[&str]) -> Vec<Answer> {
        let questions: Vec<String> = questions.iter().map(ToString::to_string).collect();
        z3_check_texts(&[(text.to_owned(), questions)], None)
    }

    #[test]
    fn each_question_is_asked_alone() {
        let text = "(declare-const a Bool)(declare-const b Bool)(declare-const x Int)
            (assert (=> a (< x 0)))(assert (=> a (< 0 x)))(assert (=> b (< x 0)))";
        assert_eq!(check(text, &["a", "b"]), [Answer::Unsat, Answer::Sat]);
    }

    #[test]
    fn what_cannot_be_read_proves_nothing() {
        assert_eq!(check("(assert false", &["a"]), [Answer::Sat]);
        assert_eq!(check("(assert false)(assert (nonsense))", &["a"]), [Answer::Sat]);
        assert!(matches!(check("(assert false)\0", &["a"])[0], Answer::Unknown(_)));
    }

    #[test]
    fn a_text_does_not_see_what_was_declared_before() {
        use tenet_term::{Role, TermStore};
        let mut store = TermStore::new();
        let sort = store.enum_sort("S", &["A", "B"]);
        let symbol = store.declare("s", sort, Role::Const);
        let symbol = store.mk_symbol(symbol);
        let mut solver = crate::Z3Solver::ground();
        let others: Vec<_> = (0..2)
            .map(|number| {
                let value = store.mk_enum(sort, number);
                store.mk_ne(symbol, value)
            })
            .collect();
        others.iter().for_each(|&other| crate::Solver::assert(&mut solver, &mut store, other));
        assert_eq!(crate::Solver::check(&mut solver, &mut store, &[]), Answer::Unsat);
        let text = "(declare-datatypes ((S 0)) (((A) (B) (C))))(declare-const a Bool)
            (declare-const s S)(assert (=> a (and (distinct s A) (distinct s B))))";
        assert_eq!(check(text, &["a"]), [Answer::Sat]);
        assert_eq!(crate::Solver::check(&mut solver, &mut store, &[]), Answer::Unsat);
    }

    #[test]
    fn texts_do_not_see_each_other() {
        let one = "(declare-datatypes ((S 0)) (((A) (B))))(declare-const a Bool)
            (declare-const s S)(assert (=> a (and (distinct s A) (distinct s B))))";
        let other = one.replace("(((A) (B)))", "(((A) (B) (C)))");
        assert_eq!(check(one, &["a"]), [Answer::Unsat]);
        assert_eq!(check(&other, &["a"]), [Answer::Sat]);
    }
}
