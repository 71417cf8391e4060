//! Certificates of true claims are accepted, by every solver, and false claims get none.

mod support;

use std::path::{Path, PathBuf};
use support::*;
use tenet_proof::{Advice, Backend, Obligation, certify};
use tenet_solve::Z3Solver;
use tenet_system::PropertyKind;
use tenet_system::READS_ARE_DEFINED;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn certificates_of_inductive_invariants_are_accepted() {
    for case in small_cases() {
        let text = case.certificate();
        let verified = case.verify(&text).unwrap_or_else(|rejection| panic!("{}: {rejection:?}", case.file));
        assert_eq!(verified.model, case.file);
        assert_eq!(verified.properties.len(), case.system().properties.len());
        assert_eq!(verified.lemmas.len(), invariants(&case.system()).len());
        assert_eq!(verified.checks, text.lines().filter(|line| *line == "(check-sat)").count());
        assert!(verified.assumptions.iter().all(|known| known == READS_ARE_DEFINED));
    }
}

#[test]
fn certificates_are_the_same_every_time() {
    // In threads of their own: what Z3 finds first depends on its previous questions.
    let fresh = || std::thread::spawn(|| small_cases().iter().map(Case::certificate).collect::<Vec<_>>());
    let [one, other] = [fresh().join(), fresh().join()].map(|made| made.expect("no panic"));
    assert_eq!(one, other);
}

#[test]
fn german_is_proved_for_every_number_of_nodes() {
    let case = german();
    let text = case.certificate();
    let verified = case.verify(&text).unwrap_or_else(|rejection| panic!("{rejection:?}"));
    assert!(verified.properties.contains(&"coherence".to_owned()));
    assert!(verified.assumptions.iter().all(|known| known == READS_ARE_DEFINED));
}

#[test]
fn other_solvers_agree_on_the_plain_file() {
    for program in [root().join("tools/cvc5"), root().join(".deps/solvers/z3")] {
        let backend = Backend::Process(program);
        for case in small_cases().into_iter().chain([german()]) {
            let verified = case.verify_with(&case.certificate(), &backend);
            assert!(verified.is_ok(), "{backend:?} on {}: {verified:?}", case.file);
        }
    }
}

#[test]
fn a_solver_must_answer_every_check_and_nothing_else() {
    let (case, text) = (case("mutex.m", MUTEX), case("mutex.m", MUTEX).certificate());
    for (program, expected) in [
        ("/bin/true", "does not answer"),
        ("/nowhere/solver", "cannot run"),
        ("/bin/cat", "the solver does not know: ; tenet-certificate 1"),
    ] {
        let backend = Backend::Process(PathBuf::from(program));
        let rejection = case.verify_with(&text, &backend).expect_err("this is no solver");
        assert!(rejection.reason.contains(expected), "{program}: {}", rejection.reason);
    }
}

#[test]
fn options_are_part_of_the_reading() {
    let mut fixed = case("mutex.m", MUTEX);
    fixed.options.push(("size".to_owned(), "PROC=2".to_owned()));
    let text = fixed.certificate();
    assert!(text.contains("; option size \"PROC=2\"\n"));
    fixed.verify(&text).expect("it was proved for this size");
    let forged = text.replace("; option size \"PROC=2\"\n", "");
    assert!(fixed.verify(&forged).is_err(), "a proof for two is none for all");
}

/// The obligation at which an attempt fails.
fn gap(case: &Case) -> Obligation {
    case.certify().expect_err("the claim is false").obligation
}

#[test]
fn invariants_that_are_not_inductive_have_a_gap() {
    let without = case("mutex.m", MUTEX.split("invariant \"owner\"").next().expect("a text"));
    assert_eq!(gap(&without), Obligation::Step { rule: 1, lemma: 0 });
    let broken = case("mutex.m", &MUTEX.replace("& !locked", ""));
    assert_eq!(gap(&broken), Obligation::Step { rule: 1, lemma: 0 });
    let start = case("mutex.m", &MUTEX.replace("locked := false; undefine", "locked := true; undefine"));
    assert!(start.certify().is_ok(), "a lock that is never free is safe");
    let start = case(
        "mutex.m",
        &MUTEX.replace("state[p] := Idle; end;\n  locked", "state[p] := Critical; end;\n  locked"),
    );
    assert!(matches!(gap(&start), Obligation::Start { start: 0, .. }));
    let range = case("counter.m", &COUNTER.replace("count < 10", "count <= 10"));
    assert_eq!(gap(&range), Obligation::Step { rule: 0, lemma: 0 });
    let quantified = case("quantified.m", &QUANTIFIED.replace("m = n | !busy[m]", "!busy[n]"));
    assert_eq!(gap(&quantified), Obligation::Step { rule: 1, lemma: 0 });
    let german = german();
    let broken = Case { text: german.text.replace("& forall m : NODE do !sharers[m] end", ""), ..german };
    assert!(matches!(gap(&broken), Obligation::Step { .. }));
}

#[test]
fn an_invariant_that_is_too_weak_has_a_gap_at_the_property() {
    let case = case("mutex.m", MUTEX);
    let mut system = case.system();
    let stated = system.properties.iter().position(|property| property.kind == PropertyKind::Invariant);
    let made = certify(
        &mut system,
        &[],
        &[stated.expect("an invariant")],
        &Advice::default(),
        &case.origin(),
        &|| Box::new(Z3Solver::new()),
    );
    let gap = made.expect_err("nothing was assumed");
    assert_eq!(gap.obligation, Obligation::Property { property: 0 });
    assert!(gap.reason.contains("sk."), "the reason shows a counterexample: {}", gap.reason);
}

#[test]
fn an_existential_that_holds_because_there_is_something() {
    let text = "type NODE : scalarset(3);
        var mark : array [NODE] of boolean; next : array [NODE] of NODE;
        startstate for n : NODE do mark[n] := true; next[n] := n; end; end;
        ruleset n : NODE; m : NODE do rule \"link\" true ==> next[n] := m; end; end;
        invariant \"all\" forall n : NODE do mark[n] end;
        invariant \"some\" exists n : NODE do mark[next[n]] end;";
    let case = case("some.m", text);
    let mut system = case.system();
    let lemmas = &invariants(&system)[..1];
    let made = certify(&mut system, lemmas, &[0, 1], &Advice::default(), &case.origin(), &|| {
        Box::new(Z3Solver::new())
    });
    let made = made.unwrap_or_else(|gap| panic!("{gap:?}"));
    case.verify(&made.text).unwrap_or_else(|rejection| panic!("{rejection:?}"));
}
