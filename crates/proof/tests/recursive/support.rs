//! From texts to programs and proofs, and the checker's results for them.

use std::time::Duration;

use tenet_lang::clp;
use tenet_proof::recursive::{Rejection, check, read_proof};
use tenet_solve::Limits;
use tenet_system::recursive::{Program, Proof};

/// A program and a proof about it.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub name: &'static str,
    pub program: &'static str,
    pub proof: &'static str,
}

impl Case {
    pub fn program(&self) -> Program {
        program(self.program)
    }

    pub fn read(&self) -> (Program, Proof) {
        let mut program = self.program();
        let proof = proof(&mut program, self.proof);
        (program, proof)
    }

    pub fn check(&self) -> Result<(), Rejection> {
        let (mut program, proof) = self.read();
        accept(&mut program, &proof)
    }
}

pub fn program(text: &str) -> Program {
    let (model, _) = clp::read(text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    model.program
}

/// A proof; a comment in it ends with its line.
pub fn proof(program: &mut Program, text: &str) -> Proof {
    let uncommented: Vec<&str> = text.lines().map(|line| line.split(';').next().unwrap_or("")).collect();
    read_proof(program, &uncommented.join("\n")).unwrap_or_else(|reason| panic!("{reason}"))
}

pub fn accept(program: &mut Program, proof: &Proof) -> Result<(), Rejection> {
    check(program, proof, Limits { timeout: Some(Duration::from_secs(20)), ..Limits::default() })
}

/// The reason for which a proof of a program is rejected.
pub fn refused(program_text: &str, proof_text: &str) -> String {
    let mut program = program(program_text);
    let proof = proof(&mut program, proof_text);
    accept(&mut program, &proof).expect_err("the proof is wrong").to_string()
}
