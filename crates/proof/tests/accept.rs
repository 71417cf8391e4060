//! Certificates of true claims are accepted, and false claims get none.

mod support;

use support::*;

#[test]
fn certificates_of_inductive_invariants_are_accepted() {
    for case in small_cases() {
        let text = case.certificate();
        let verified =
            case.verify(&text).unwrap_or_else(|rejection| panic!("{}: {rejection:?}\n{text}", case.file));
        println!("{text}\n{verified:#?}");
        assert_eq!(verified.properties.len(), case.system().properties.len());
        assert_eq!(verified.checks, text.lines().filter(|line| *line == "(check-sat)").count());
    }
}

#[test]
fn german_is_proved_for_every_number_of_nodes() {
    let case = german();
    let t = std::time::Instant::now();
    let text = case.certificate();
    println!("certify {:?} {} bytes", t.elapsed(), text.len());
    let t = std::time::Instant::now();
    let verified = case.verify(&text).unwrap_or_else(|rejection| panic!("{rejection:?}"));
    println!("verify {:?} {} checks", t.elapsed(), verified.checks);
    std::fs::write("/tmp/german.smt2", &text).unwrap();
}
