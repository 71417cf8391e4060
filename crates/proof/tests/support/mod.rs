//! Models whose invariants are inductive together, and the way from such a text to a certificate.
#![allow(dead_code)]

pub mod unsound;

use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, parse};
use tenet_proof::{Advice, Backend, Certificate, Gap, Origin, Rejection, Verified, certify, verify};
use tenet_solve::Z3Solver;
use tenet_system::{Lemma, PropertyKind, System};

/// A lock that any number of processes take and give back.
pub const MUTEX: &str = r#"
type PROC : scalarset(4); STATE : enum { Idle, Waiting, Critical };
var state : array [PROC] of STATE; locked : boolean; owner : PROC;
startstate "all idle"
  for p : PROC do state[p] := Idle; end;
  locked := false; undefine owner;
end;
ruleset p : PROC do
  rule "ask" state[p] = Idle ==> state[p] := Waiting; end;
  rule "enter" state[p] = Waiting & !locked ==> state[p] := Critical; locked := true; owner := p; end;
  rule "leave" state[p] = Critical ==> state[p] := Idle; locked := false; end;
end;
invariant "exclusion" forall i : PROC do forall j : PROC do
  (state[i] = Critical & state[j] = Critical) -> i = j end end;
invariant "owner" forall i : PROC do state[i] = Critical -> (locked & owner = i) end;
"#;

/// A counter that stays within its range, in Tenet's own language.
pub const COUNTER: &str = r#"
const N : 5;
type COUNT : 0..10;
var count : COUNT; up : boolean;
startstate "zero" count := 0; up := true; end;
rule "up" up & count < 10 ==> count := count + 1; end;
rule "turn" count = 10 ==> up := false; end;
rule "down" !up & count > 0 ==> count := count - 1; end;
invariant "in range" 0 <= count & count <= 10;
invariant "not two and a half" 2 * count != 5;
"#;

/// A guard and an update with quantifiers in them.
pub const QUANTIFIED: &str = r#"
type NODE : scalarset(3);
var busy : array [NODE] of boolean; quiet : boolean; done : boolean;
startstate "quiet" for n : NODE do busy[n] := false; end; quiet := true; done := false; end;
ruleset n : NODE do
  rule "work" !done ==> busy[n] := true; quiet := false; end;
  rule "rest" busy[n] ==> busy[n] := false; quiet := forall m : NODE do m = n | !busy[m] end; end;
end;
rule "stop" forall n : NODE do !busy[n] end ==> done := true; end;
invariant "quiet means nobody works" quiet = (forall n : NODE do !busy[n] end);
invariant "done is done" done -> !(exists n : NODE do busy[n] end);
"#;

/// Ranges as indices: the quantifiers have bounds.
pub const RANGES: &str = r#"
type SLOT : 1..8;
var full : array [SLOT] of boolean; top : 0..8;
startstate "empty" for s : SLOT do full[s] := false; end; top := 0; end;
rule "push" top < 8 ==> full[top + 1] := true; top := top + 1; end;
rule "pop" top > 0 ==> full[top] := false; top := top - 1; end;
invariant "range" 0 <= top & top <= 8;
invariant "below the top is full" forall s : SLOT do s <= top -> full[s] end;
invariant "above the top is empty" forall s : SLOT do s > top -> !full[s] end;
"#;

/// A model under a name, with the options it is read with.
pub struct Case {
    /// The name of its file.
    pub file: &'static str,
    pub text: String,
    /// `size`, `const` and `unbounded`.
    pub options: Vec<(String, String)>,
}

pub fn case(file: &'static str, text: &str) -> Case {
    Case { file, text: text.to_owned(), options: Vec::new() }
}

/// The cases that are small enough for exhaustive mutation.
pub fn small_cases() -> Vec<Case> {
    vec![case("mutex.m", MUTEX), case("counter.m", COUNTER), case("quantified.m", QUANTIFIED), ranges()]
}

/// The case with an unbounded range.
pub fn ranges() -> Case {
    case("ranges.m", RANGES)
}

impl Case {
    pub fn system(&self) -> System {
        let dialect = if self.file.ends_with(".tenet") { Dialect::Tenet } else { Dialect::Murphi };
        let (tree, errors) = parse(&self.text, dialect);
        assert!(errors.iter().all(|found| !found.is_error()), "{errors:#?}");
        let mut settings = Settings::new(dialect);
        let mut unbounded = Unbounded::default();
        for (name, value) in &self.options {
            match (name.as_str(), value.split_once('=')) {
                ("size", Some((ty, size))) => {
                    settings.sizes.push((ty.to_owned(), size.parse().expect("a number")));
                    unbounded.sizes.push(ty.to_owned());
                }
                ("const", Some((name, value))) => {
                    settings.consts.push((name.to_owned(), value.parse().expect("a number")));
                }
                _ => unbounded.names.push(value.clone()),
            }
        }
        let (model, errors) = check(&tree, &settings);
        assert!(errors.iter().all(|found| !found.is_error()), "{errors:#?}");
        read(&model, &unbounded).expect("the model has an unbounded reading").0
    }

    pub fn origin(&self) -> Origin {
        let engine = "none".to_owned();
        Origin {
            file: self.file.to_owned(),
            text: self.text.clone().into_bytes(),
            options: self.options.clone(),
            engine,
        }
    }

    /// A certificate whose lemmas are the model's invariants, for all properties.
    pub fn certify(&self) -> Result<Certificate, Gap> {
        let mut system = self.system();
        let lemmas = invariants(&system);
        let all: Vec<usize> = (0..system.properties.len()).collect();
        certify(&mut system, &lemmas, &all, &Advice::default(), &self.origin(), &|| Box::new(Z3Solver::new()))
    }

    /// The text of that certificate.
    pub fn certificate(&self) -> String {
        self.certify().unwrap_or_else(|gap| panic!("{}: {gap:?}", self.file)).text
    }

    /// The checker's result for a text, with Z3.
    pub fn verify(&self, text: &str) -> Result<Verified, Rejection> {
        self.verify_with(text, &Backend::Z3)
    }

    /// The checker's result for a text.
    pub fn verify_with(&self, text: &str, backend: &Backend) -> Result<Verified, Rejection> {
        verify(text, backend, &mut |name| match name == self.file {
            true => Ok(self.text.clone().into_bytes()),
            false => Err("there is no such file".to_owned()),
        })
    }
}

/// The invariants that the model states.
pub fn invariants(system: &System) -> Vec<Lemma> {
    let stated = system.properties.iter().filter(|property| property.kind == PropertyKind::Invariant);
    stated.map(|property| Lemma { vars: Vec::new(), body: property.formula }).collect()
}

/// What makes the German protocol's properties inductive.
const GERMAN_LEMMAS: &str = r#"
invariant "exclusive is known" forall n : NODE do
  cache[n] = Exclusive | reply[n] = GrantExclusive -> exclusive & sharers[n] end;
invariant "exclusive is alone" forall a : NODE do forall b : NODE do
  a != b & (cache[a] = Exclusive | reply[a] = GrantExclusive)
  -> cache[b] = Invalid & reply[b] != GrantShared & reply[b] != GrantExclusive end end;
invariant "one exclusive" forall a : NODE do forall b : NODE do exclusive & sharers[a] & sharers[b] -> a = b end end;
invariant "copies are known" forall n : NODE do cache[n] != Invalid -> sharers[n] end;
invariant "grants are known" forall n : NODE do reply[n] != NoReply -> sharers[n] end;
invariant "acks are known" forall n : NODE do ack[n] -> sharers[n] end;
invariant "after an ack" forall n : NODE do ack[n] -> cache[n] = Invalid & reply[n] = NoReply end;
invariant "pending are known" forall n : NODE do pending[n] -> sharers[n] end;
invariant "pending are not asked" forall n : NODE do pending[n] -> !ack[n] & reply[n] != Invalidate end;
invariant "why invalidate" forall n : NODE do ack[n] | reply[n] = Invalidate
  -> current = RequestExclusive | (current = RequestShared & exclusive) end;
"#;

/// The German protocol of `models`, with an inductive invariant.
pub fn german() -> Case {
    let model = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/german.m"));
    let model = model.expect("the model exists");
    Case { file: "german.m", text: format!("{model}\n{GERMAN_LEMMAS}"), options: Vec::new() }
}
