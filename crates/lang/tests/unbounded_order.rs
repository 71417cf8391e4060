//! Ranges that are compared and read as index sorts: their order is not confused with a constant of the model.

use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, parse};
use tenet_system::System;

/// A constant with the name that the order would get, and of its sort.
const MODEL: &str = r#"
const N : 3;
type P : 1..N;
const rank_P : array [P] of integer;
var a : P; b : P; bad : boolean;
startstate a := 1; b := 1; bad := false; end;
ruleset p : P do rule "choose" a < p ==> b := p; end; end;
rule "see" rank_P[a] = rank_P[b] & a != b ==> bad := true; end;
invariant "good" !bad;
"#;

fn system(text: &str) -> Result<System, Vec<String>> {
    let (tree, _) = parse(text, Dialect::Tenet);
    let (model, _) = check(&tree, &Settings::new(Dialect::Tenet));
    let options = Unbounded { names: vec!["P".to_owned()], sizes: Vec::new() };
    let messages = |errors: Vec<tenet_lang::diagnostic::Diagnostic>| {
        errors.into_iter().map(|error| error.message).collect::<Vec<_>>()
    };
    read(&model, &options).map(|(system, _)| system).map_err(messages)
}

#[test]
fn a_constant_called_like_the_order_is_not_made_injective() {
    let system = system(MODEL).expect("the model has an unbounded reading");
    let [order] = system.orders[..] else { panic!("one order: {:?}", system.orders) };
    let mut consts = system.consts.clone();
    consts.sort_unstable();
    consts.dedup();
    assert_eq!(consts.len(), system.consts.len(), "every constant is there once");
    let own = system.consts.iter().find(|&&symbol| system.store.symbol(symbol).name == "rank_P");
    let own = *own.expect("the constant of the model");
    assert_ne!(own, order.rank);
    for axiom in &system.axioms {
        let symbols = system.store.symbols_in(axiom.formula);
        assert!(!symbols.contains(&own), "{} speaks of the constant", axiom.name);
    }
}

#[test]
fn an_order_says_nothing_about_numbers() {
    let with = |guard: &str| system(&MODEL.replace("a < p", guard));
    assert!(with("a <= p").is_ok());
    for guard in ["a < p + 1", "a + 1 = p", "a < 2", "a < N", "a - p < 0"] {
        assert!(with(guard).is_err(), "{guard} needs numbers");
    }
}
