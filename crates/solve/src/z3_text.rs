//! Z3 on SMT-LIB text: a second way into the solver, for checking what was printed.
//!
//! It shares nothing with the translation of terms: Z3's own parser reads the text. So a mistake in printing or in
//! translating shows as a difference between the two ways. Sorts of the same name may mean something else in the next
//! text, so each call reads in a context that has read nothing before. Contexts are expensive (Z3 touches 16 MB for one,
//! which takes as long as a small proof), so the first call in a thread takes that of the thread: what is declared
//! there has names that no text can write (`z3::builder`).

use std::cell::Cell;
use std::time::Instant;

use crate::questions;
use crate::z3_library::new_solver;
use crate::{Answer, Effort};
use z3::ast::Bool;
use z3::{Config, Params, SatResult, Solver, with_z3_config};

/// A text of declarations, definitions and assertions, and the Boolean constants in it that are asked about.
pub type Asked = (String, Vec<String>);

/// Asks for each of the constants named with a text whether the text's assertions are satisfiable together with it.
/// Each text follows the common one, and sees nothing of the others. Text that Z3 cannot read asserts nothing, nor do those
/// that follow it, and is never `Unsat` for that.
pub fn z3_check_texts(common: &str, texts: &[Asked], effort: Option<Effort>) -> Vec<Answer> {
    let check = || check_all(common, texts, effort);
    if HAS_READ.replace(true) { with_z3_config(&Config::new(), check) } else { check() }
}

thread_local! {
    /// Whether this thread's own context has read a text.
    static HAS_READ: Cell<bool> = const { Cell::new(false) };
}

fn check_all(common: &str, texts: &[Asked], effort: Option<Effort>) -> Vec<Answer> {
    let solver = new_solver();
    let mut params = Params::new();
    params.set_bool("ctrl_c", false);
    if let Some(effort) = effort {
        params.set_u32("rlimit", u32::try_from(effort.as_units()).unwrap_or(u32::MAX));
    }
    solver.set_params(&params);
    let is_readable = read(&solver, common);
    texts.iter().flat_map(|text| check_text(&solver, common, is_readable, text)).collect()
}

/// A solver keeps what was declared for the texts that follow, so what belongs to this text alone is read between a
/// `push` and a `pop` of the reader as well as of the solver.
fn check_text(solver: &Solver, common: &str, is_readable: bool, (text, questions): &Asked) -> Vec<Answer> {
    solver.push();
    let is_readable = is_readable && read(solver, &format!("(push 1)\n{text}"));
    let answers = questions.iter().map(|question| match is_readable {
        true => {
            let start = Instant::now();
            let answer = ask(solver, question);
            let whole = || Some(format!("{common}{text}(assert {question})\n(check-sat)\n"));
            questions::log("z3", &answer, None, start, whole);
            answer
        }
        false => Answer::Unknown("the text contains a zero byte".to_owned()),
    });
    let answers = answers.collect();
    solver.pop(1);
    solver.from_string("(pop 1)");
    answers
}

/// Adds a text, unless it ends early for the solver.
fn read(solver: &Solver, text: &str) -> bool {
    let is_readable = !text.contains('\0');
    if is_readable {
        solver.from_string(text);
    }
    is_readable
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
        z3_check_texts("", &[(text.to_owned(), questions)], None)
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
        others.iter().for_each(|&other| crate::Solver::assert(&mut solver, &store, other));
        assert_eq!(crate::Solver::check(&mut solver, &store, &[]), Answer::Unsat);
        let text = "(declare-datatypes ((S 0)) (((A) (B) (C))))(declare-const a Bool)
            (declare-const s S)(assert (=> a (and (distinct s A) (distinct s B))))";
        assert_eq!(check(text, &["a"]), [Answer::Sat]);
        assert_eq!(crate::Solver::check(&mut solver, &store, &[]), Answer::Unsat);
    }

    #[test]
    fn texts_see_the_common_one_and_nothing_of_each_other() {
        use Answer::{Sat, Unsat};
        let common =
            "(declare-sort T 0)(declare-const x Int)(assert (< x 5))(define-fun large () Bool (< 3 x))";
        let text =
            |body: &str| (format!("(declare-const a Bool)(assert (=> a {body}))"), vec!["a".to_owned()]);
        let texts = [
            text("(and large (not (= x 4)))"),
            text("large"),
            text("(and large (< x 4))))(declare-const y T)(assert (and true (= y y)"),
            text("(= x 4)))(declare-const y Int)(assert (and true (= x y)"),
            text("(< 4 x)"),
            text("(nonsense)"),
            text("(< 5 x)"),
        ];
        // What follows on something unreadable is unreadable, too.
        let expected = [Unsat, Sat, Unsat, Sat, Unsat, Sat, Sat];
        assert_eq!(z3_check_texts(common, &texts, None), expected);
        // In a context that has read something before, too.
        assert_eq!(z3_check_texts(common, &texts[1..], None), expected[1..]);
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
