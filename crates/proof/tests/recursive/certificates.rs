//! Certificates of recursive proofs: made, checked with several solvers, edited.

use std::path::{Path, PathBuf};

use tenet_proof::recursive::{certify, read_proof, write_proof};
use tenet_proof::{Backend, Certificate, Kind, Origin, Rejection, Verified, verify};
use tenet_system::recursive::Step;
use tenet_term::{Role, SortId};

use crate::cases::{COUNTING, EVEN, HALVES, RIGHT};
use crate::support::{Case, proof};

fn origin(case: &Case) -> Origin {
    Origin {
        file: "model.clp".to_owned(),
        text: case.program.as_bytes().to_vec(),
        options: Vec::new(),
        engine: "none".to_owned(),
    }
}

fn certificate(case: &Case) -> Certificate {
    let (mut program, proof) = case.read();
    let made = certify(&mut program, &proof, &origin(case));
    made.unwrap_or_else(|rejection| panic!("{}: {rejection}", case.name))
}

fn verify_with(case: &Case, text: &str, backend: &Backend) -> Result<Verified, Rejection> {
    verify(text, backend, &mut |name| match name {
        "model.clp" => Ok(case.program.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    })
}

#[test]
fn certificates_of_right_proofs_are_verified() {
    for case in RIGHT {
        let made = certificate(&case);
        let verified = verify_with(&case, &made.text, &Backend::Z3);
        let verified = verified.unwrap_or_else(|rejection| panic!("{}: {rejection:?}", case.name));
        assert_eq!(verified.checks, made.checks);
        assert_eq!(made.text.matches("(check-sat)").count(), made.checks);
    }
}

#[test]
fn what_is_verified_is_told() {
    let verified = verify_with(&COUNTING, &certificate(&COUNTING).text, &Backend::Z3).expect("it is right");
    assert_eq!(verified.kind, Kind::Recursive { terminates: true });
    assert_eq!(verified.entailments, ["abstraction", "subsumption", "all"]);
    assert_eq!(verified.properties, ["property 1"]);
    assert_eq!(verified.lemmas[0], "allzeroes(N, K, X) |= abs(N, K, X)");
    assert_eq!(verified.lemmas.len(), 5);
}

/// Solvers as processes, as far as they were set up.
#[test]
fn other_solvers_agree() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut asked = 0;
    for solver in [root.join("tools/cvc5"), root.join(".deps/solvers/z3")] {
        let is_there =
            solver.is_file() && root.join(".deps/solvers").join(solver.file_name().expect("a name")).exists();
        if !is_there {
            continue;
        }
        asked += 1;
        for case in RIGHT {
            let verified = verify_with(&case, &certificate(&case).text, &Backend::Process(solver.clone()));
            verified.unwrap_or_else(|rejection| panic!("{}, {}: {rejection:?}", case.name, solver.display()));
        }
    }
    assert!(asked > 0, "no solver found: run `make setup` with a network");
}

#[test]
fn what_is_no_solver_verifies_nothing() {
    let text = certificate(&EVEN).text;
    for (solver, expected) in
        [("/bin/true", "does not answer"), ("/nowhere/solver", "cannot run"), ("/bin/cat", "answers to")]
    {
        let backend = Backend::Process(PathBuf::from(solver));
        let rejection = verify_with(&EVEN, &text, &backend).expect_err("this is no solver");
        assert!(rejection.reason.contains(expected), "{solver}: {}", rejection.reason);
    }
}

/// What is written is read as it was, and written in the same way again.
#[test]
fn written_proofs_are_read_again() {
    for case in RIGHT {
        let (mut program, proof) = case.read();
        let text = write_proof(&mut program, &proof).expect("it can be written");
        let mut again = case.program();
        let read = read_proof(&mut again, &text).unwrap_or_else(|reason| panic!("{}: {reason}", case.name));
        assert_eq!(write_proof(&mut again, &read).expect("it can be written"), text, "{}", case.name);
    }
}

/// A store with other terms in it gives the same certificate.
#[test]
fn certificates_do_not_depend_on_the_store() {
    for case in RIGHT {
        let mut program = case.program();
        let store = &mut program.store;
        let others: Vec<_> =
            ["Z", "X", "zero", "K1"].map(|name| store.declare(name, SortId::BOOL, Role::Index)).into();
        let others: Vec<_> = others.into_iter().map(|symbol| store.mk_symbol(symbol)).collect();
        store.mk_and(others);
        for number in (0..50).rev() {
            store.mk_int(number);
        }
        let proof = proof(&mut program, case.proof);
        let made = certify(&mut program, &proof, &origin(&case)).expect("the proof is right");
        assert_eq!(made.text, certificate(&case).text, "{}", case.name);
    }
}

/// Variables may have any names: with a prime, a keyword of SMT-LIB, that of another variable of another sort.
#[test]
fn names_do_not_matter() {
    for (declared, used) in [("|Y'| Int", "|Y'|"), ("store.1 Int store", "store.1"), ("u Int", "u")] {
        let text = EVEN.proof.replace("(variable Y Int)", "(variable Y Int DECLARED)");
        let text = text.replace('Y', used).replace(&format!("{used} Int DECLARED"), declared);
        let mut program = EVEN.program();
        let proof = proof(&mut program, &text);
        let made = certify(&mut program, &proof, &origin(&EVEN)).expect("the proof is right");
        assert!(made.text.contains(&format!("(variable {declared})")), "{}", made.text);
        verify_with(&EVEN, &made.text, &Backend::Z3).expect("it is the same proof");
    }
    let lemma = "(variable X Int) (variable X.1 Bool X) (lemma (X.1) (() X.1) () (() X.1) close)";
    let text = EVEN.proof.replace("(variable X Int)", lemma);
    let mut program = EVEN.program();
    let proof = proof(&mut program, &text);
    let made = certify(&mut program, &proof, &origin(&EVEN)).expect("the proof is right");
    // Names are given in the order in which symbols occur.
    assert!(made.text.contains("(variable X Bool)") && made.text.contains("(variable X.1 Int X)"));
    verify_with(&EVEN, &made.text, &Backend::Z3).expect("it is the same proof");
}

/// A binder with the name of a variable is not confused with it.
#[test]
fn binders_do_not_capture() {
    let (mut program, mut proof) = EVEN.read();
    let Some(Step::Unfold { cases, .. }) = &mut proof.obligations[0] else { panic!("it unfolds first") };
    let (fresh, Some(step)) = &mut cases[1] else { panic!("the second case has a proof") };
    let store = &mut program.store;
    let bound = store.declare(&store.symbol(fresh[0]).name.clone(), SortId::INT, Role::Bound);
    let (inside, outside) = (store.mk_symbol(bound), store.mk_symbol(fresh[0]));
    let below = store.mk_lt(inside, outside);
    let some = store.mk_exists(&[bound], below);
    *step = Step::Split(vec![(some, step.clone())]);
    let made = certify(&mut program, &proof, &origin(&EVEN)).expect("the proof is right");
    assert!(made.text.contains("(when (exists ((Y_2 Int)) (< Y_2 Y))"), "{}", made.text);
    verify_with(&EVEN, &made.text, &Backend::Z3).expect("there is always something below");
}

/// What a mutant may differ in: its origin, and its steps, if they leave the same questions. Recalling the same thing twice is no
/// error.
fn is_free(line: &str) -> bool {
    line.starts_with("; tool \"") || line.starts_with("; engine \"") || line.starts_with(";  ")
}

/// Rejected, or equivalent.
fn try_mutant(case: &Case, original: &str, mutant: &str) {
    if mutant == original || verify_with(case, mutant, &Backend::Z3).is_err() {
        return;
    }
    let rest = |text: &str| text.lines().filter(|line| !is_free(line)).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rest(mutant), rest(original), "{}", case.name);
}

#[test]
fn edited_lines_are_refused() {
    for case in [EVEN, HALVES] {
        let original = certificate(&case).text;
        let lines: Vec<&str> = original.lines().collect();
        let joined = |lines: Vec<&str>| lines.join("\n") + "\n";
        for place in 0..lines.len() {
            let mut dropped = lines.clone();
            dropped.remove(place);
            try_mutant(&case, &original, &joined(dropped));
            let mut doubled = lines.clone();
            doubled.insert(place, lines[place]);
            try_mutant(&case, &original, &joined(doubled));
            let mut swapped = lines.clone();
            swapped.swap(place, (place + 1) % lines.len());
            try_mutant(&case, &original, &joined(swapped));
            for added in ["(assert false)", "(exit)", ")", "; ", ""] {
                let mut longer = lines.clone();
                longer.insert(place, added);
                try_mutant(&case, &original, &joined(longer));
            }
        }
        try_mutant(&case, &original, original.trim_end());
        try_mutant(&case, &original, &format!("{original}\n"));
    }
}

#[test]
fn edited_characters_are_refused_and_nothing_panics() {
    for case in [EVEN, HALVES] {
        let original = certificate(&case).text;
        let mut random = tenet_chance::Random::new(1);
        for _ in 0..2_000 {
            let place = random.below(original.len());
            if !original.is_char_boundary(place) || !original.is_char_boundary(place + 1) {
                continue;
            }
            let others =
                ["", "(", ")", " ", "1", "0", "X", "Y", "|", "\"", ";", "\n", "é", "99999999999999999999"];
            let other = random.pick(&others);
            let mutant = format!("{}{other}{}", &original[..place], &original[place + 1..]);
            try_mutant(&case, &original, &mutant);
        }
    }
}

/// A certificate that claims something else than its proof proves.
#[test]
fn false_claims_are_refused() {
    let text = certificate(&EVEN).text;
    let refuse = |text: &str, expected: &str| {
        let rejection = verify_with(&EVEN, text, &Backend::Z3).expect_err("the claim is false");
        assert!(rejection.reason.contains(expected), "{rejection:?}");
    };
    refuse(&text.replace("; proves obligation 1", "; proves obligation 2"), "it should be");
    refuse(&text.replace("; lemmas 0", "; proves termination\n; lemmas 0"), "it should be");
    refuse(&text.replace("; sha256 ", "; sha256 0"), "bad `sha256`");
    refuse(&text.replace("; engine \"none\"\n", ""), "does not say `engine`");
    refuse(&text.replace("; tool ", "; tool \"x\"\n; tool "), "`tool` twice");
    refuse(&text.replace("; tool ", "; option length \"N=2\"\n; tool "), "an option that is not known");
    refuse(&text.replace("; tool ", "; option size \"N=2\"\n; tool "), "does not apply");
    refuse(&text.replace("model.clp", "other.clp"), "cannot read the model");
    let other = Case { program: "m4(0).  prove m4(X) |= X = 0.", ..EVEN };
    let rejection = verify_with(&other, &text, &Backend::Z3).expect_err("it is another model");
    assert!(rejection.reason.contains("its hash differs"), "{rejection:?}");
    let mut program = EVEN.program();
    let nothing = read_proof(&mut program, "(proof)").expect("it says nothing");
    let made = certify(&mut program, &nothing, &origin(&EVEN)).expect("there is nothing wrong with it");
    refuse(&made.text, "nothing is proved");
}

/// A wrong proof has no certificate, or none that is verified.
#[test]
fn wrong_proofs_are_refused() {
    let mut program = EVEN.program();
    let wrong = proof(&mut program, &EVEN.proof.replace("(+ Y 2)", "(+ Y 3)"));
    let made = certify(&mut program, &wrong, &origin(&EVEN)).expect("it has the right form");
    let rejection = verify_with(&EVEN, &made.text, &Backend::Z3).expect_err("it is wrong");
    assert!(rejection.reason.contains("it does not follow"), "{rejection:?}");
    let wrong = proof(&mut program, &EVEN.proof.replace("(hypothesis 1)", "(hypothesis 2)"));
    let rejection = certify(&mut program, &wrong, &origin(&EVEN)).expect_err("there is one hypothesis");
    assert_eq!(rejection.to_string(), "obligation 1, case 2: there is no hypothesis 2");
}

/// Malformed text is rejected, however deep it is.
#[test]
fn garbage_is_no_proof() {
    let mut program = EVEN.program();
    let deep = format!("(proof (obligation 1 {}close{}))", "(each (part ".repeat(1_100), "))".repeat(1_100));
    let long = format!("(proof (obligation 1 {} close))", "(right 1 1) ".repeat(100_000));
    let wide = format!("(proof (obligation 1 (each {})))", "(part close) ".repeat(100_000));
    for text in [
        "",
        "()",
        "proof",
        "(proof ())",
        "(proof close)",
        "(proof (variable))",
        "(proof (variable X Int X X))",
        "(proof (variable X ()))",
        "(proof (variable X (->)))",
        "(proof (variable X (-> Int)))",
        "(proof (variable X (_ BitVec 0)))",
        "(proof (variable |X| Int))",
        "(proof (obligation))",
        "(proof (obligation 0 close))",
        "(proof (obligation 2 close))",
        "(proof (obligation 1))",
        "(proof (obligation 1 close close))",
        "(proof (obligation 1 (close)))",
        "(proof (obligation 1 (unfold)))",
        "(proof (obligation 1 (unfold 1 ())))",
        "(proof (obligation 1 (split (when))))",
        "(proof (obligation 1 (restate) close))",
        "(proof (lemma))",
        "(proof (lemma () () () ()))",
        "(proof (tree (node)))",
        "(proof (tree (node start)))",
        "(proof (tree (node start (expanded))))",
        "(proof (tree ()))",
        &deep,
        &long,
    ] {
        let shown: String = text.chars().take(60).collect();
        assert!(read_proof(&mut program, text).is_err(), "{shown}");
    }
    let wide = read_proof(&mut program, &wide).expect("its form is right");
    assert!(certify(&mut program, &wide, &origin(&EVEN)).is_err());
}
