//! The checked model: names, preludes, conversions, bounds, effects.

use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::hir::*;
use tenet_lang::murphi::{Dialect, parse};

fn model_with(source: &str, settings: &Settings) -> Model {
    let (ast, syntax) = parse(source, settings.dialect);
    assert_eq!(syntax, []);
    let (model, diagnostics) = check(&ast, settings);
    let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    model
}

fn model(source: &str) -> Model {
    model_with(source, &Settings::new(Dialect::Murphi))
}

fn ty<'m>(model: &'m Model, name: &str) -> &'m TypeKind {
    let named = model.types.iter().find(|ty| ty.name.as_deref() == Some(name));
    &named.expect("a type of this name").kind
}

fn first_assignment(model: &Model) -> &Expr {
    match &model.starts[0].body[0].kind {
        StmtKind::Assign { value, .. } => value,
        other => panic!("not an assignment: {other:?}"),
    }
}

#[test]
fn names_are_unique_and_unnamed_rules_are_numbered() {
    let model = model(
        "startstate end; startstate \"a\" end; startstate \"a\" end;
         rule \"go\" true ==> end; rule true ==> end; rule \"go #2\" true ==> end;
         ruleset i : boolean do rule \"go\" i ==> end; rule i ==> end; end;
         invariant \"go\" true; cover true; invariant \"go\" true; invariant true; assume true;",
    );
    let rules: Vec<&str> = model.rules.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(rules, ["go", "Rule 2", "go #2", "go #3", "Rule 5"]);
    let starts: Vec<&str> = model.starts.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(starts, ["Startstate 1", "a", "a #2"]);
    let properties: Vec<&str> = model.properties.iter().map(|property| property.name.as_str()).collect();
    assert_eq!(properties, ["go", "Cover 1", "go #2", "Invariant 3", "Assumption 1"]);
}

#[test]
fn what_stands_around_a_rule_becomes_its_prelude() {
    let model = model(
        "var bag : multiset [2] of 0..3; x : 0..3;
         startstate x := 0; end;
         ruleset i : 0..1 do
           alias here : x; more : x + i do
             choose c : bag do
               ruleset j := 0 to 4 by 2 do
                 rule bag[c] = more ==> var k : 0..3; begin k := j; here := k; end;
               end;
               rule x = i ==> end;
             end;
           end;
           invariant x >= 0 | i = 1;
         end;",
    );
    let kinds = |prelude: &[Prelude]| -> String {
        let letter = |item: &Prelude| match item {
            Prelude::Parameter(_) => 'p',
            Prelude::Alias(Alias { target: AliasTarget::Place(_), .. }) => 'r',
            Prelude::Alias(_) => 'v',
            Prelude::Choose { .. } => 'c',
        };
        prelude.iter().map(letter).collect()
    };
    let locals =
        |code: &Code| -> Vec<String> { code.locals.iter().map(|local| local.name.clone()).collect() };
    assert_eq!(kinds(&model.rules[0].prelude), "prvcp");
    assert_eq!(locals(&model.rules[0].code), ["i", "here", "more", "c", "j", "k"]);
    assert_eq!(kinds(&model.rules[1].prelude), "prvc");
    assert_eq!(locals(&model.rules[1].code), ["i", "here", "more", "c"]);
    assert_eq!(kinds(&model.properties[0].prelude), "p");
    assert_eq!(locals(&model.properties[0].code), ["i"]);
    let local_kinds: Vec<LocalKind> = model.rules[0].code.locals.iter().map(|local| local.kind).collect();
    use LocalKind::{Reference, Value, Variable};
    assert_eq!(local_kinds, [Value, Reference, Value, Value, Value, Variable]);
}

#[test]
fn constants_and_sizes_of_the_command_line_reach_the_bounds() {
    let mut settings = Settings::new(Dialect::Murphi);
    settings.consts.push(("N".to_owned(), 5.into()));
    settings.sizes.push(("SLOT".to_owned(), 4));
    let source = "const N : 3; M : N * 2;
        type NODE : scalarset(N); SLOT : 3..9; FREE : 0..M;
        startstate end;";
    let model = model_with(source, &settings);
    assert_eq!(model.consts.iter().map(|c| c.value.to_string()).collect::<Vec<_>>(), ["5", "10"]);
    assert!(matches!(ty(&model, "NODE"), TypeKind::Scalarset { size: Some(Bound { value: 5, .. }) }));
    let TypeKind::Range { lo: Some(lo), hi: Some(hi) } = ty(&model, "SLOT") else { panic!() };
    assert_eq!((lo.value, hi.value), (3, 6));
    let TypeKind::Range { hi: Some(hi), .. } = ty(&model, "FREE") else { panic!() };
    assert_eq!(hi.value, 10);
    assert!(matches!(hi.expr.kind, ExprKind::ConstRef(ConstId(1))), "the bound remembers its constant");
}

#[test]
fn unions_are_flat_and_conversions_are_written_out() {
    let model = model(
        "type A : scalarset(2); U : union { A, enum { x } }; V : union { U, 0..3 };
         var a : A; u : U; v : V; f : array [A] of boolean;
         startstate u := a; a := u; v := 2; v := u; f[u] := u = a; end;",
    );
    let TypeKind::Union { members } = ty(&model, "V") else { panic!() };
    assert_eq!(members.len(), 3);
    let types: Vec<TypeId> = model.vars.iter().map(|var| var.ty).collect();
    let values: Vec<&Expr> = model.starts[0]
        .body
        .iter()
        .map(|statement| match &statement.kind {
            StmtKind::Assign { value, .. } => value,
            other => panic!("{other:?}"),
        })
        .collect();
    for (value, expected) in values.iter().zip([types[1], types[0], types[2], types[2]]) {
        assert!(matches!(value.kind, ExprKind::Convert(_)));
        assert_eq!(value.ty, expected);
    }
    let ExprKind::Convert(number) = &values[2].kind else { panic!() };
    assert!(matches!(number.kind, ExprKind::Convert(_)) && number.ty == members[2], "first to the range");
    let ExprKind::Binary(BinaryOp::Eq, left, right) = &values[4].kind else { panic!() };
    assert_eq!((left.ty, right.ty), (types[1], types[1]));
    let StmtKind::Assign { place, .. } = &model.starts[0].body[4].kind else { panic!() };
    let Step::Index(index) = &place.steps[0] else { panic!() };
    assert!(matches!(index.kind, ExprKind::Convert(_)) && index.ty == types[0]);
}

#[test]
fn switch_and_elsif_become_nested_ifs() {
    let model = model(
        "var x : 0..3;
         function f() : 0..3; begin x := 0; return 1; end;
         startstate
           switch x case 0: x := 1; case 1, 2: x := 2; else x := 3; end;
           switch f() case 0: x := 1; end;
           if x = 0 then elsif x = 1 then x := 2; else x := 0; end;
         end;",
    );
    let body = &model.starts[0].body;
    let StmtKind::If { otherwise, .. } = &body[0].kind else { panic!() };
    let StmtKind::If { condition, otherwise, .. } = &otherwise[0].kind else { panic!() };
    assert!(matches!(condition.kind, ExprKind::Binary(BinaryOp::Or, ..)));
    assert!(matches!(otherwise[0].kind, StmtKind::Assign { .. }));
    let StmtKind::Alias { aliases, body: inner } = &body[1].kind else { panic!("a call is made once") };
    assert!(matches!(aliases[0].target, AliasTarget::Value(Expr { kind: ExprKind::Call { .. }, .. })));
    assert!(matches!(inner[0].kind, StmtKind::If { .. }));
    let StmtKind::If { otherwise, .. } = &body[2].kind else { panic!() };
    assert!(matches!(otherwise[0].kind, StmtKind::If { .. }));
}

#[test]
fn side_effects_follow_calls_and_references() {
    let model = model(
        "var x : 0..3;
         function reads() : boolean; begin return x = 1; end;
         function writes() : boolean; begin x := 1; return true; end;
         procedure sets(var v : 0..3); begin v := 1; end;
         procedure sets_own(); var v : 0..3; begin sets(v); alias w : v do w := 1; end; end;
         procedure sets_state(); begin sets(x); end;
         procedure sets_alias(); begin alias w : x do w := 1; end; end;
         procedure sets_given(var v : 0..3); begin sets(v); end;
         procedure ping(k : 0..3); begin pong(k); end;
         procedure pong(k : 0..3); begin ping(k); if writes() then end; end;
         procedure loops(); begin loops(); end;
         startstate x := 0; end;",
    );
    let of = |name: &str| model.functions.iter().find(|f| f.name == name).expect("declared").has_side_effects;
    for name in ["reads", "sets_own", "loops"] {
        assert!(!of(name), "{name}");
    }
    for name in ["writes", "sets", "sets_state", "sets_alias", "sets_given", "ping", "pong"] {
        assert!(of(name), "{name}");
    }
}

#[test]
fn constants_that_are_not_numbers_are_put_in() {
    let model = model("const B : 1 > 2; var b : boolean; startstate b := B; end;");
    assert!(model.consts.is_empty());
    assert!(matches!(first_assignment(&model).kind, ExprKind::Bool(false)));
}

#[test]
fn constant_arithmetic_rounds_toward_zero() {
    let model = model("const A : -7 / 2; B : -7 % 2; C : 7 / -2; D : (1 < 2) ? 2 - -3 : 0; startstate end;");
    let values: Vec<String> = model.consts.iter().map(|constant| constant.value.to_string()).collect();
    assert_eq!(values, ["-3", "-1", "-3", "5"]);
}

#[test]
fn a_second_name_is_the_same_type() {
    let model = model("type A : scalarset(2); B : A; var a : A; b : B; startstate a := b; end;");
    assert_eq!(model.vars[0].ty, model.vars[1].ty);
}

#[test]
fn one_mistake_gives_one_report() {
    for source in [
        "var a : array [NOPE] of 0..3; startstate a[1] := 2; end; rule a[2] = 1 ==> a[0] := a[1] + 1; end;",
        "const N : NOPE; type T : 0..N; var t : T; startstate t := N; for i : T do t := i; end; end;",
        "var x : 0..3; procedure p(v : NOPE); begin v := 1; x := v; end; startstate p(1); end;",
        "startstate end; ruleset i : NOPE do rule i = 1 ==> var x : 0..3; begin x := i; end; end;",
        "startstate alias a : NOPE do a.b[3] := a; end; end;",
        "var x : 0..3; startstate x := (((NOPE + 1) * 2 = 3) & true) ? 1 : 2; end;",
        "var m : multiset [NOPE] of 0..3; startstate end; choose i : m do rule m[i] = 0 ==> multisetremove(i, m); end; end;",
        "function f() : NOPE; begin return 1; end; var x : 0..3; startstate x := f(); end;",
    ] {
        let (ast, syntax) = parse(source, Dialect::Murphi);
        assert_eq!(syntax, [], "{source}");
        let (_, diagnostics) = check(&ast, &Settings::new(Dialect::Murphi));
        assert_eq!(diagnostics.len(), 1, "{source}: {diagnostics:?}");
    }
}

#[test]
fn reports_are_bounded() {
    let source = format!("startstate {} end;", "nope := 1; ".repeat(5_000));
    let (ast, _) = parse(&source, Dialect::Murphi);
    let (_, diagnostics) = check(&ast, &Settings::new(Dialect::Murphi));
    assert_eq!(diagnostics.len(), 200);
}

#[test]
fn types_that_double_level_by_level_take_no_time() {
    let mut source = String::from("type T0 : boolean; U0 : boolean;");
    for level in 1..60 {
        let below = level - 1;
        source +=
            &format!("T{level} : record a, b : T{below}; end; U{level} : record a, b : U{below}; end;\n");
    }
    source += "procedure p(var t : T59; var u : U59); begin t := u; end; startstate end;";
    let model = model(&source);
    assert_eq!(model.types.len(), 2 + 2 * 59);
}
