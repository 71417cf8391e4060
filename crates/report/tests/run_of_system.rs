//! The view of a run over unbounded data.

use tenet_report::codes;
use tenet_report::run_of_system::{shown, what};
use tenet_report::shape::Value as Shown;
use tenet_system::run::{Taken, replay};
use tenet_system::{Property, PropertyKind, Rule, Run, Start, StateVar, System};
use tenet_term::{Role, SortId, TermId, Value};

/// The lamp is lit once, while `x` grows by the step and by a hidden amount; `limit` is any number.
fn lamp() -> (System, Run) {
    let mut system = System::default();
    let store = &mut system.store;
    let colour = store.enum_sort("Colour", &["Off", "Red"]);
    let lamp = store.declare("lamp", colour, Role::State);
    let x = store.declare("x", SortId::INT, Role::State);
    let is_lit = store.declare("is_lit", SortId::BOOL, Role::State);
    let limit = store.declare("limit", SortId::INT, Role::Const);
    let inputs = ["step", "hidden"].map(|name| store.declare(name, SortId::INT, Role::Input));
    let [x_term, step, hidden] = [x, inputs[0], inputs[1]].map(|symbol| store.mk_symbol(symbol));
    let sum = store.mk_add([x_term, step, hidden]);
    let (off, red, zero) = (store.mk_enum(colour, 0), store.mk_enum(colour, 1), store.mk_int(0));
    let var = |symbol| StateVar { symbol, args: Vec::new(), value: Default::default() };
    system.state = [lamp, x, is_lit].map(var).into();
    system.consts = vec![limit];
    system.starts = vec![Start {
        name: "off".into(),
        source: Default::default(),
        params: Vec::new(),
        constraint: TermId::TRUE,
        values: vec![off, zero, TermId::FALSE],
    }];
    system.rules = vec![Rule {
        name: "light".into(),
        source: Default::default(),
        params: inputs.into(),
        shown_params: 1,
        guard: TermId::TRUE,
        updates: vec![(lamp, red), (x, sum), (is_lit, TermId::TRUE)],
    }];
    let taken = |step: u64| Taken {
        rule: 0,
        params: vec![(inputs[0], Value::Int(step.into())), (inputs[1], Value::Int(0.into()))],
    };
    let run = Run {
        consts: vec![(limit, Value::Int((-7).into()))],
        start: Taken::default(),
        rules: vec![taken(5), taken(u64::MAX)],
    };
    (system, run)
}

fn words(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

#[test]
fn steps_show_what_was_chosen_and_what_changed() {
    let (mut system, run) = lamp();
    let states = replay(&mut system, &run).expect("it is a run");
    let shown = shown(&system, &run, &states, "the end".to_string());
    let titles: Vec<String> = shown.steps.iter().map(|step| step.title()).collect();
    let huge = "light(step = 18446744073709551615)";
    assert_eq!(titles, ["off(limit = -7)", "light(step = 5)", huge]);
    assert_eq!(shown.steps[0].changes, words(&[("lamp", "Off"), ("x", "0"), ("is_lit", "false")]));
    let lit = [("lamp", "Off -> Red"), ("x", "0 -> 5"), ("is_lit", "false -> true")];
    assert_eq!(shown.steps[1].changes, words(&lit));
    assert_eq!(shown.steps[2].changes, words(&[("x", "5 -> 18446744073709551620")]));
    assert_eq!((shown.end.as_str(), shown.is_replayed), ("the end", true));
}

#[test]
fn states_are_complete_and_large_numbers_are_digits() {
    let (mut system, run) = lamp();
    let states = replay(&mut system, &run).expect("it is a run");
    let shown = shown(&system, &run, &states, String::new());
    let state = |number: usize| -> Vec<Shown> {
        shown.steps[number].state.iter().map(|(_, value)| value.clone()).collect()
    };
    let name = |text: &str| Shown::Name(text.to_string());
    assert_eq!(state(0), [name("Off"), Shown::Number(0), Shown::Bool(false)]);
    assert_eq!(state(2), [name("Red"), name("18446744073709551620"), Shown::Bool(true)]);
}

#[test]
fn what_is_wrong_depends_on_where_the_property_comes_from() {
    let property =
        |kind| Property { name: "p".into(), source: Default::default(), kind, formula: TermId::FALSE };
    let told = [
        (PropertyKind::Invariant, &codes::INVARIANT, "invariant \"p\" is false"),
        (PropertyKind::Assertion { rule: 0 }, &codes::ASSERTION, "assertion \"p\" fails in the next step"),
        (PropertyKind::Implicit { rule: 0 }, &codes::RANGE, "it is not true that \"p\""),
        (PropertyKind::Start { start: 0 }, &codes::RANGE, "it is not true that \"p\""),
    ];
    for (kind, explanation, text) in told {
        let (found, words) = what(&property(kind));
        assert_eq!((found.code, words.as_str()), (explanation.code, text));
    }
}
