//! Random Horn clauses over finite data: Z3, which reads the text by itself, agrees about satisfiability with the system that the
//! front end makes of them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(
    dead_code,
    reason = "the parts that are shared with the tests of the front end are not all used here"
)]

#[path = "../../lang/tests/horn/generate.rs"]
mod generate;
#[path = "../../lang/tests/horn/support.rs"]
mod support;

use generate::{Taste, file};
use tenet_chance::Random;
use tenet_lang::horn::read;
use tenet_solve::{Answer, Effort, z3_check_texts};

#[test]
fn z3_agrees_about_random_clauses() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in tenet_chance::seeds(5000..5250) {
        let text = file(&mut Random::new(seed), Taste { body: 2, facts: 35 });
        let Ok((horn, _)) = read(&text) else { continue };
        let params = horn.system().rules.iter().map(|rule| rule.params.len());
        if params.chain(horn.places.iter().map(|place| place.sorts.len())).any(|count| count > 6) {
            continue;
        }
        let is_unsafe = support::error(&horn, &support::reach(horn.system())).is_some();
        let clauses = text.replace("(set-logic HORN)", "(declare-const q Bool)").replace("(check-sat)", "");
        let answers = z3_check_texts("", &[(clauses, vec!["q".to_string()])], Some(Effort::secs(10)));
        match (&answers[0], is_unsafe) {
            (Answer::Unsat, true) => unsat += 1,
            (Answer::Sat, false) => sat += 1,
            (Answer::Unknown(_), _) => {}
            other => panic!("{other:?}\n{text}"),
        }
    }
    assert!(sat > 40 && unsat > 40, "{sat} {unsat}");
}
