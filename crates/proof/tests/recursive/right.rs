//! Correct proofs.

use crate::cases::{COUNTING, RIGHT};
use tenet_proof::recursive::{Proved, proved};

#[test]
fn right_proofs_are_accepted() {
    for case in RIGHT {
        if let Err(rejection) = case.check() {
            panic!("{}: {rejection}", case.name);
        }
    }
}

#[test]
fn what_is_proved_is_told() {
    let (program, proof) = COUNTING.read();
    let expected = Proved { obligations: vec![true; 3], properties: vec![true], terminates: true };
    assert_eq!(proved(&program, &proof), expected);
}
