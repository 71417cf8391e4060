//! The answers of `tenet prove --format chc` about clauses, checked by Z3 on the text of the file.
//!
//! An interpretation has to satisfy every assertion; each step of a derivation has to be forced by the assertion that it names.
//! The assertions are cut out of the text here, so nothing is shared with how the front end reads it.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use tenet_solve::{Answer, Effort, z3_check_texts};

/// Safe and unsafe clauses of many kinds: several locations, relations that are resolved away, calls, arguments that do not
/// matter, all sorts.
const FILES: &[(&str, &str)] = &[
    // Relations with the names of generated products, parameters and bound variables.
    (
        "sat",
        "(declare-fun P (Int) Bool)
(declare-fun Q (Int Int) Bool)
(declare-fun Q*P (Bool) Bool)
(assert (forall ((c Int)) (=> (= c 0) (P c))))
(assert (forall ((c Int)) (=> (P c) (P (+ c 1)))))
(assert (forall ((c Int) (d Int)) (=> (= c d) (Q c d))))
(assert (forall ((c Int) (d Int)) (=> (Q c d) (Q c (+ 2 d)))))
(assert (forall ((b Bool) (c Int) (d Int)) (=> (and (P c) (Q c d) (= b (> d c))) (Q*P b))))
(assert (forall ((b Bool)) (=> (Q*P b) (Q*P (not b)))))
(assert (forall ((b Bool) (c Int) (d Int)) (=> (and (Q*P b) (P c) (Q c d)) (= 0 (mod (- d c) 2)))))",
    ),
    (
        "sat",
        "(declare-fun x!0 () Bool)
(declare-fun y!0 (Int) Bool)
(declare-fun P (Int) Bool)
(declare-fun Q (Int) Bool)
(assert x!0)
(assert (forall ((x Int)) (=> (and x!0 (> x 2)) (y!0 x))))
(assert (forall ((x Int)) (=> (y!0 x) (y!0 (+ x 1)))))
(assert (forall ((x Int)) (=> (and x!0 (y!0 x)) (P x))))
(assert (forall ((x Int)) (=> (P x) (Q (* 2 x)))))
(assert (forall ((x Int)) (=> (and x!0 (Q x)) (> x 0))))",
    ),
    (
        "sat",
        "(declare-fun inv (Int Int) Bool)
(assert (inv 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 10)) (inv (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= x 10)) (= y 20))))",
    ),
    (
        "unsat",
        "(declare-fun inv (Int Int) Bool)
(assert (inv 0 0))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (< x 5)) (inv (+ x 1) (+ y 2)))))
(assert (forall ((x Int) (y Int)) (=> (and (inv x y) (>= x 5)) (= y 11))))",
    ),
    (
        "sat",
        "(declare-fun a (Int Int) Bool)
(declare-fun b (Int Int) Bool)
(declare-fun c (Int) Bool)
(declare-fun dead (Int) Bool)
(declare-fun aside (Int) Bool)
(assert (forall ((n Int) (x Int)) (=> (= x 0) (a x n))))
(assert (forall ((x Int) (n Int)) (=> (and (a x n) (< x 7)) (b (+ x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (b x n) (a (+ x 1) (- n 1)))))
(assert (forall ((x Int) (n Int)) (=> (and (a x n) (>= x 7)) (c (div x 2)))))
(assert (forall ((x Int)) (=> (c x) (aside x))))
(assert (forall ((x Int)) (=> (and (c x) (dead x)) false)))
(assert (forall ((x Int)) (=> (c x) (= x 4))))",
    ),
    (
        "unsat",
        "(declare-fun a (Int Int) Bool)
(declare-fun b (Int Int) Bool)
(declare-fun c (Int) Bool)
(assert (forall ((n Int) (x Int)) (=> (= x 0) (a x n))))
(assert (forall ((x Int) (n Int)) (=> (and (a x n) (< x 7)) (b (+ x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (b x n) (a (+ x 1) (- n 1)))))
(assert (forall ((x Int) (n Int)) (=> (and (a x n) (>= x 7)) (c (div x 2)))))
(assert (forall ((x Int)) (=> (c x) (= x 3))))",
    ),
    (
        "unsat",
        "(declare-fun sum (Int Int) Bool)
(declare-fun main (Int Int) Bool)
(assert (sum 0 0))
(assert (forall ((n Int) (s Int)) (=> (and (sum n s) (< n 3)) (sum (+ n 1) (+ s n)))))
(assert (main 0 0))
(assert (forall ((k Int) (t Int) (s Int)) (=> (and (main k t) (< k 4) (sum k s)) (main (+ k 1) (+ t s)))))
(assert (forall ((k Int) (t Int)) (=> (main k t) (< t 4))))",
    ),
    (
        "sat",
        "(declare-fun p ((_ BitVec 4) Bool) Bool)
(declare-const end Bool)
(assert (p #x0 false))
(assert (forall ((b (_ BitVec 4)) (f Bool)) (=> (and (p b f) (not f)) (p (bvadd b #x2) (= b #xc)))))
(assert (forall ((b (_ BitVec 4))) (=> (p b true) end)))
(assert (forall ((b (_ BitVec 4)) (f Bool)) (=> (and (p b f) end) (= ((_ extract 0 0) b) #b0))))",
    ),
    (
        "sat",
        "(declare-fun a_relation_with_a_rather_long_name (Int Int) Bool)
(declare-fun after (Int) Bool)
(assert (a_relation_with_a_rather_long_name 0 0))
(assert (forall ((x Int) (y Int)) (=> (a_relation_with_a_rather_long_name x y) (a_relation_with_a_rather_long_name (+ x 1) y))))
(assert (forall ((x Int) (y Int)) (=> (and (a_relation_with_a_rather_long_name x y) (> x 3)) (after (+ x y)))))
(assert (forall ((x Int) (y Int)) (=> (and (a_relation_with_a_rather_long_name x y) (<= x 3)) (after (- x y)))))
(assert (forall ((x Int)) (=> (after x) (>= x 0))))",
    ),
    (
        "unsat",
        "(declare-fun p (Real) Bool)
(assert (p 1.0))
(assert (forall ((x Real)) (=> (p x) (p (/ x 2)))))
(assert (forall ((x Real)) (=> (p x) (> x (/ 1.0 10.0)))))",
    ),
];

/// The answer of the binary.
fn answer(name: &str, text: &str) -> String {
    answer_by(name, text, &[])
}

fn answer_by(name: &str, text: &str, options: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("horn_answers");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.smt2"));
    fs::write(&file, format!("(set-logic HORN)\n{text}\n(check-sat)\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
    command.args(["prove", "--format", "chc"]).args(options).arg(file).stdin(Stdio::null());
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

/// The formulas that a text asserts; each is on a line of its own.
fn assertions(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("(assert ")?.strip_suffix(')')).collect()
}

fn is_unsat(common: &str, formula: &str) -> bool {
    let text = format!("(declare-const q!q Bool)(assert (=> q!q {formula}))");
    let questions = vec!["q!q".to_string(), "(not q!q)".to_string()];
    let answers = z3_check_texts(common, &[(text.clone(), questions)], Some(Effort::secs(20)));
    assert!(matches!(answers[1], Answer::Sat), "Z3 does not read\n{common}\n{text}");
    matches!(answers[0], Answer::Unsat)
}

fn check_interpretation(text: &str, answer: &str) {
    let definitions = answer.strip_prefix("sat\n(\n").unwrap().strip_suffix(")\n").unwrap();
    for formula in assertions(text) {
        assert!(is_unsat(definitions, &format!("(not {formula})")), "{formula} does not hold in\n{answer}");
    }
}

/// One step: its number, its fact, the line of its clause and the numbers of its premises.
struct Step {
    fact: String,
    line: usize,
    premises: Vec<usize>,
}

fn steps(answer: &str) -> Vec<Step> {
    let lines = answer.strip_prefix("unsat\n(derivation\n").unwrap().strip_suffix("\n)\n").unwrap().lines();
    let step = |(position, line): (usize, &str)| {
        let line = line.trim().strip_prefix(&format!("(step {} ", position + 1)).unwrap();
        let (fact, rest) = line.strip_suffix(')').unwrap().split_once(" :line ").unwrap();
        let (line, from) = rest.split_once(" :from (").unwrap_or((rest, ")"));
        let premises =
            from.trim_end_matches(')').split_whitespace().map(|number| number.parse().unwrap()).collect();
        Step { fact: fact.to_string(), line: line.parse().unwrap(), premises }
    };
    lines.enumerate().map(step).collect()
}

/// The relations of the file, each true of exactly these facts.
fn only(text: &str, facts: &[&str]) -> String {
    let mut definitions = String::new();
    for line in text.lines().filter(|line| line.starts_with("(declare-")) {
        let words = line.trim_start_matches("(declare-fun ").trim_start_matches("(declare-const ");
        let (name, sorts) = words.split_once(' ').unwrap();
        let sorts = sorts.strip_suffix("Bool)").unwrap().trim();
        let sorts = sorts.strip_prefix('(').and_then(|list| list.strip_suffix(')')).unwrap_or("");
        let sorts: Vec<String> =
            sorts.replace("(_ BitVec 4)", "BitVec4").split_whitespace().map(str::to_string).collect();
        let sort = |sort: &String| sort.replace("BitVec4", "(_ BitVec 4)");
        let params: Vec<String> =
            sorts.iter().enumerate().map(|(at, known)| format!("(x{at} {})", sort(known))).collect();
        let args: String = (0..sorts.len()).map(|at| format!(" x{at}")).collect();
        let holds = facts.iter().filter_map(|fact| match sorts.is_empty() {
            true => (*fact == name).then(|| "true".to_string()),
            false => {
                let values = fact.strip_prefix(&format!("({name} "))?.strip_suffix(')')?;
                Some(format!("(same_{name}{args} {values})"))
            }
        });
        let holds: String = holds.collect::<Vec<_>>().join(" ");
        let others: Vec<String> =
            sorts.iter().enumerate().map(|(at, known)| format!("(y{at} {})", sort(known))).collect();
        let same: String = (0..sorts.len()).map(|at| format!(" (= x{at} y{at})")).collect();
        definitions.push_str(&format!(
            "(define-fun same_{name} ({} {}) Bool (and true{same}))\n(define-fun {name} ({}) Bool (or false {holds}))\n",
            params.join(" "),
            others.join(" "),
            params.join(" ")
        ));
    }
    definitions
}

fn check_derivation(text: &str, answer: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let steps = steps(answer);
    assert_eq!(steps.last().unwrap().fact, "false");
    for (position, step) in steps.iter().enumerate() {
        assert!(step.premises.iter().all(|&premise| premise <= position), "premises come first");
        let premises: Vec<&str> = step.premises.iter().map(|&at| steps[at - 1].fact.as_str()).collect();
        // The first line of the file is the logic.
        let formula = lines[step.line - 2].strip_prefix("(assert ").unwrap().strip_suffix(')').unwrap();
        assert!(!premises.contains(&step.fact.as_str()));
        assert!(is_unsat(&only(text, &premises), formula), "step {} of\n{answer}", position + 1);
    }
}

#[test]
fn answers_about_clauses_are_right() {
    for (position, (expected, text)) in FILES.iter().enumerate() {
        let answer = answer(&position.to_string(), text);
        assert_eq!(answer.lines().next(), Some(*expected), "{text}");
        match *expected {
            "sat" => check_interpretation(text, &answer),
            _ => check_derivation(text, &answer),
        }
    }
}

#[test]
fn a_run_that_divides_by_zero_shows_nothing() {
    // With some function for division by zero this is satisfiable, with another one it is not.
    let text = "(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x (div 7 0)) (p x))))
(assert (forall ((x Int)) (=> (p x) (= x 5))))";
    assert_eq!(answer("zero", text), "unknown\n");
    for method in ["I", "III"] {
        assert_eq!(answer_by("zero", text, &["--method", method]), "unknown\n");
    }
    assert_eq!(answer_by("zero", text, &["--method", "I", "--direction", "forward"]), "unknown\n");
    assert_eq!(answer_by("zero", text, &["--method", "II", "--oracle", "random"]), "unknown\n");
    // Here there is another way to be wrong.
    let text = "(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x (div 7 0)) (p x))))
(assert (p 3))
(assert (forall ((x Int)) (=> (p x) (= x 5))))";
    assert!(answer("another", text).starts_with("unsat\n"));
    // Here it does not matter.
    let text = "(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x (div 7 0)) (p (* 2 x)))))
(assert (forall ((x Int)) (=> (p x) (= (mod x 2) 0))))";
    assert!(answer("even", text).starts_with("sat\n"));
}

#[test]
fn the_published_methods_answer_in_the_same_words() {
    for (position, (expected, text)) in FILES.iter().enumerate().take(4) {
        let answer =
            answer_by(&format!("method_{position}"), text, &["--method", "III", "--iterations", "4"]);
        match answer.lines().next() {
            Some("sat") => check_interpretation(text, &answer),
            Some("unsat") => check_derivation(text, &answer),
            other => assert_eq!(other, Some("unknown"), "{text}"),
        }
        assert!(answer == "unknown\n" || answer.lines().next() == Some(*expected), "{text}");
    }
}
