//! Models without a finite instance.

use super::support::{errors, model};
use tenet_lang::murphi::hir::TypeKind;
use tenet_lang::murphi::{Dialect, finite};

#[test]
fn arrays_over_integers() {
    assert_eq!(errors("var a : array [integer] of boolean; startstate begin end;"), ["E0501"]);
    assert_eq!(errors("type N : 1..; var a : array [N] of boolean; startstate begin end;"), ["E0501"]);
}

#[test]
fn scalarsets_without_size_are_reported_once_and_only_if_used() {
    let source = "type N : scalarset; M : scalarset; var a : array [N] of N; startstate begin end;";
    assert_eq!(errors(source), ["E0502"]);
}

/// The checker has its own limit, so a model that passes it is made larger afterwards.
#[test]
fn states_that_are_too_large() {
    let source = "type I : 1..9; var a : array [I] of array [I] of boolean; startstate begin end;";
    let mut model = model(source, Dialect::Murphi);
    for ty in &mut model.types {
        if let TypeKind::Range { hi: Some(hi), .. } = &mut ty.kind {
            hi.value = 1_000_000;
        }
    }
    let errors = finite::lower(&model).unwrap_err();
    assert_eq!(errors[0].explanation.code, "E0503");
}

#[test]
fn loops_and_parameters_over_everything() {
    let source = "var x : boolean; startstate begin x := forall i : integer do i = i end; end;";
    assert_eq!(errors(source), ["E0504"]);
    let source = "var x : boolean; startstate begin x := true; end;
                  type N : 1..; ruleset i : N do rule x ==> x := false; end; end;";
    assert_eq!(errors(source), ["E0504"]);
}

#[test]
fn numbers_beyond_64_bits() {
    let source = "var x : integer; startstate begin x := 100000000000000000000; end;";
    assert_eq!(errors(source), ["E0506"]);
}

#[test]
fn recursion_that_explodes() {
    let source = "var x : 0..9;
                  function F(n : 0..9) : 0..9; begin return F(n) + F(n); end;
                  startstate begin x := 1; x := F(x); end;";
    assert_eq!(errors(source), ["E0507"]);
}

#[test]
fn clear_of_an_integer() {
    assert_eq!(errors("var x : integer; startstate begin clear x; end;"), ["E0508"]);
}
