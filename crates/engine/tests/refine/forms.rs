//! Which atoms are the same, and how systems that are not yet programs become some.

use crate::build::Build;
use crate::random::crippled;
use crate::support::{is_bad, is_invariant, layers, run, run_with, state_model};
use tenet_engine::refine::methods::atom::{negated, normal};
use tenet_engine::refine::methods::{Conclusion, Direction, Method, Options, Unsupported, iterate, refine};
use tenet_solve::Z3Solver;
use tenet_system::{Axiom, Property, PropertyKind, Rule, Start, StateVar, System};
use tenet_term::{Op, Role, SortId, TermId, Value};

/// The normal form of a comparison, as text.
fn form(text: &str, is_split: bool) -> String {
    let mut build = Build::new(&["l1", "l2"], &["x", "y", "z"]);
    // Variables are in the order in which they are first mentioned.
    for name in ["x", "y", "z"] {
        build.formula(&format!("{name} = 0"));
    }
    let formula = build.formula(text);
    let store = &mut build.system.store;
    let atoms = normal(store, formula, is_split);
    atoms.iter().map(|&atom| store.print(atom)).collect::<Vec<_>>().join(" & ")
}

#[test]
fn rc_t4_linear_atoms_have_one_form() {
    for (text, expected) in [
        ("z - 1 = 0", "z = 1"),
        ("1 = z", "z = 1"),
        ("-z = -1", "z = 1"),
        ("2*z = 2", "z = 1"),
        ("2*z = 1", "2 * z = 1"),
        ("2*x < 3", "x <= 1"),
        ("x < 0", "x <= -1"),
        ("0 > x", "x <= -1"),
        ("-x <= 0", "0 <= x"),
        ("3*x >= 1", "1 <= x"),
        ("y = x", "x = y"),
        ("y - x <= 1", "y - 1 <= x"),
        ("2*y - 2*x != 4", "x != y - 2"),
        ("x + y <= z", "x + y <= z"),
        ("pc = l2", "pc = l2"),
        ("pc != l1", "pc != l1"),
    ] {
        assert_eq!(form(text, false), expected, "{text}");
    }
    assert_eq!(form("x = y + 1", true), "x <= y + 1 & y + 1 <= x");
    assert_eq!(form("x != 1", true), "x != 1", "a disequation is never split");
}

#[test]
fn rc_t1_false_atoms_without_variables_stay_apart() {
    let mut store = tenet_term::TermStore::new();
    let [minus, zero, one] = [-1, 0, 1].map(|number| store.mk_int(number));
    let shown = |store: &mut tenet_term::TermStore, literal| -> Vec<String> {
        let atoms = normal(store, literal, false);
        atoms.iter().map(|&atom| store.print(atom)).collect()
    };
    let (first, second) = (store.raw_eq(minus, zero), store.raw_eq(minus, one));
    assert_eq!(shown(&mut store, first), ["-1 = 0"]);
    assert_eq!(shown(&mut store, second), ["-1 = 1"]);
    let different = store.raw_not(first);
    assert!(shown(&mut store, different).is_empty(), "what is true is dropped");
    // Also where something has to be computed that is not linear.
    let (four, two) = (store.mk_int(4), store.mk_int(2));
    let remainder = store.raw(Op::ModEuclid, &[four, two]);
    let even = store.raw_eq(remainder, zero);
    assert!(shown(&mut store, even).is_empty());
    assert_eq!(negated(&mut store, even, false).len(), 1);
}

/// A counter that runs while a flag is set, in one rule with conditions on the right; and a parameter that is a truth value.
fn conditional() -> System {
    let mut system = System::default();
    let store = &mut system.store;
    let (flag, x) =
        (store.declare("b", SortId::BOOL, Role::State), store.declare("x", SortId::INT, Role::State));
    let choice = store.declare("c", SortId::BOOL, Role::Input);
    let (b, now, c) = (store.mk_symbol(flag), store.mk_symbol(x), store.mk_symbol(choice));
    let [zero, one, two, three] = [0, 1, 2, 3].map(|number| store.mk_int(number));
    let more = store.mk_add([now, one]);
    let inner = store.mk_ite(c, more, zero);
    let value = store.mk_ite(b, inner, now);
    let below = store.mk_lt(now, two);
    let either = store.mk_or([c, below]);
    let formula = store.mk_le(now, three);
    let var = |symbol| StateVar { symbol, args: Vec::new(), value: Default::default() };
    system.state = vec![var(flag), var(x)];
    let source = Default::default();
    let (values, constraint) = (vec![TermId::TRUE, zero], TermId::TRUE);
    system.starts.push(Start { name: "start".into(), source, params: Vec::new(), constraint, values });
    let (params, updates) = (vec![choice], vec![(flag, below), (x, value)]);
    system.rules.push(Rule { name: "step".into(), source, params, shown_params: 1, guard: either, updates });
    let kind = PropertyKind::Invariant;
    system.properties.push(Property { name: "small".into(), source, kind, formula });
    system
}

#[test]
fn conditions_and_truth_values_become_cases() {
    for direction in [Direction::Forward, Direction::Backward] {
        let mut system = conditional();
        let solver = Box::new(Z3Solver::ground());
        let lists = iterate(&mut system, &[0], &Options::default(), direction, 3, solver).expect("a program");
        let all = lists.concat();
        for (flag, x) in [false, true].into_iter().flat_map(|flag| (-2..6).map(move |x| (flag, x))) {
            let state = vec![Value::Bool(flag), Value::int(x)];
            let expected = match direction {
                Direction::Forward => {
                    let start = vec![Value::Bool(true), Value::int(0)];
                    reachable(&system, start).contains(&state)
                }
                Direction::Backward => {
                    reachable(&system, state.clone()).iter().any(|end| is_bad(&system, end))
                }
            };
            let model = state_model(&system, &state);
            let holds = all
                .iter()
                .any(|one| one.atoms().iter().all(|&atom| model.holds(&system.store, atom) == Ok(true)));
            assert_eq!(holds, expected, "{direction:?}: {flag} {x}");
        }
    }
}

/// The states within three steps, with both values of the parameter.
fn reachable(system: &System, start: Vec<Value>) -> std::collections::BTreeSet<Vec<Value>> {
    // The parameter is a truth value here, so numbers will not do.
    let mut system = system.clone();
    let rule = system.rules.remove(0);
    for value in [TermId::FALSE, TermId::TRUE] {
        let choice = tenet_term::Substitution::from_pairs(&system.store, [(rule.params[0], value)]);
        let guard = system.store.substitute(rule.guard, &choice);
        let updates =
            rule.updates.iter().map(|&(symbol, new)| (symbol, system.store.substitute(new, &choice)));
        let updates = updates.collect();
        system.rules.push(Rule { params: Vec::new(), shown_params: 0, guard, updates, ..rule.clone() });
    }
    layers(&system, start, 3, 0..=0).pop().expect("there is a last one")
}

#[test]
fn a_program_with_conditions_is_proved() {
    for method in [Method::One(Direction::Backward), Method::Three] {
        let mut system = conditional();
        let outcome = run(&mut system, &Options { method, ..Options::default() });
        let Conclusion::Proved(lemmas) = &outcome.conclusion else { panic!("{:?}", outcome.conclusion) };
        assert!(is_invariant(&mut system, lemmas));
    }
}

#[test]
fn rc_a14_an_image_that_cannot_be_computed_is_everything() {
    // The old value of `x * x` cannot be eliminated, and the solver often does not know the image either.
    for seed in tenet_chance::seeds(0..20) {
        let mut system = conditional();
        let x = system.state[1].symbol;
        let now = system.store.mk_symbol(x);
        let square = system.store.mk_mul(now, now);
        let guard = system.rules[0].guard;
        let name = "square".to_string();
        let (params, updates) = (system.rules[0].params.clone(), vec![(x, square)]);
        system.rules.push(Rule { name, source: Default::default(), params, shown_params: 1, guard, updates });
        let options = Options { method: Method::Three, iterations: 3, ..Options::default() };
        let outcome = run_with(&mut system, &options, Box::new(crippled(seed)));
        if let Conclusion::Proved(lemmas) = &outcome.conclusion {
            assert!(is_invariant(&mut system, lemmas), "{seed}");
        }
    }
}

#[test]
fn x_t2_a_program_that_cannot_start_is_told() {
    let program = |start| {
        let build = Build::new(&["l1", "error"], &["x"]).start(start);
        build.command("pc = l1 & x > 5 -> pc := error").never("pc = error").system
    };
    let is_vacuous = |start| run(&mut program(start), &Options::default()).is_vacuous;
    assert!(is_vacuous("x > 1 & x < 2"), "there is no such integer");
    assert!(!is_vacuous("x > 1 & x < 3"));
}

#[test]
fn rc_t7_what_is_no_program_is_refused() {
    let refused = |system: &mut System| {
        refine(system, &[0], &Options::default(), Box::new(Z3Solver::ground()), &mut tenet_engine::Alone)
            .expect_err("it is no program")
    };
    let mut array = conditional();
    let node = array.store.index_sort("NODE");
    let sort = array.store.function_sort(&[node], SortId::INT);
    let symbol = array.store.declare("a", sort, Role::State);
    array.state.push(StateVar { symbol, args: vec![Default::default()], value: Default::default() });
    assert!(matches!(refused(&mut array), Unsupported::Variable(name, _) if name == "a"));

    let mut assuming = conditional();
    let formula = assuming.properties[0].formula;
    assuming.axioms.push(Axiom { name: "assumed".into(), source: Default::default(), formula });
    assert_eq!(refused(&mut assuming), Unsupported::Axiom("assumed".into()));

    let mut quantified = conditional();
    let store = &mut quantified.store;
    let bound = store.declare("n", SortId::INT, Role::Bound);
    let (n, property) = (store.mk_symbol(bound), quantified.properties[0].formula);
    let (x, zero) = (quantified.state[1].symbol, store.mk_int(0));
    let x = store.mk_symbol(x);
    let below = store.mk_le(n, x);
    let negative = store.mk_lt(n, zero);
    let body = store.mk_or([below, negative, property]);
    quantified.properties[0].formula = store.mk_forall(&[bound], body);
    assert!(matches!(refused(&mut quantified), Unsupported::Quantifier(_)));
}
