//! Whole searches compared with other implementations: brute force on the syntax tree, and equivalent Murphi models.

use crate::brute::Brute;
use crate::support::{program, search};
use proptest::prelude::*;
use std::path::Path;
use tenet_lang::cubicle::parse;
use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, parse as parse_murphi};
use tenet_system::finite::trace::Finding;
use tenet_system::instance::{Sizes, instance};

fn source(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Compares the number of states and the violated cubes.
fn compare(source: &str, processes: u64, depth: Option<u32>) {
    let (model, found) = parse(source);
    assert!(found.is_empty(), "{found:?}");
    let brute = Brute { model: &model, processes: processes as i64 };
    let (states, violated) = brute.reach(depth.map_or(usize::MAX, |depth| depth as usize));
    let program = program(source, &[("proc", processes)], &[]);
    let outcome = search(&program, false, depth);
    assert_eq!(outcome.statistics.states, states.len() as u64, "{processes} processes in\n{source}");
    let findings = outcome.traces.iter().filter_map(|trace| match trace.finding {
        Finding::Property(position) => Some(position),
        _ => None,
    });
    let mut found: Vec<usize> = findings.collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found, violated.into_iter().collect::<Vec<_>>(), "{processes} processes in\n{source}");
    let reduced = search(&program, true, depth);
    assert_eq!(reduced.traces.is_empty(), outcome.traces.is_empty(), "with symmetry\n{source}");
}

#[test]
fn mutex_by_brute_force() {
    for processes in 1..=3 {
        compare(&source("mutex.cub"), processes, None);
        compare(&source("mutex_buggy.cub"), processes, None);
    }
}

#[test]
fn bakery_by_brute_force() {
    // Not every initial value can be enumerated, but the rest of the model can be followed from the one that it has.
    let bakery = source("bakery.cub");
    compare(&bakery, 2, Some(8));
}

#[test]
fn order_and_two_indices_by_brute_force() {
    const RING: &str = "
        type colour = Red | Green | Blue
        array Paint[proc] : colour
        array Seen[proc, proc] : bool
        var Last : proc
        init (x y) { Paint[x] = Red && Seen[x, y] = False }
        unsafe (x y) { Paint[x] = Blue && Paint[y] = Blue }
        unsafe (x) { Seen[x, x] = True }
        unsafe (x y) { Seen[x, y] = True && y < x }
        transition look (x y)
        requires { x < y && Paint[y] <> Blue }
        { Seen[x, y] := True; Last := y }
        transition paint (x)
        requires { Last = x && forall_other j. (Paint[j] = Red || j <= x || Seen[x, j] = True) }
        { Paint[j] := case | j = x : Green | Paint[j] = Green && j > x : Blue | _ : Paint[j]; Last := . }
        transition forget (x y z)
        requires { Seen[x, y] = True && Seen[y, z] = True }
        { Seen[j, k] := case | k = z : Seen[k, j] | _ : Seen[j, k] }
    ";
    for processes in 1..=3 {
        compare(RING, processes, None);
    }
}

/// The states of a Murphi model's reading for every size, in an instance.
fn murphi_states(source: &str, sort: &str, size: u32, symmetry: bool) -> u64 {
    let (tree, found) = parse_murphi(source, Dialect::Murphi);
    assert!(found.is_empty(), "{found:?}");
    let (model, found) = check(&tree, &Settings::new(Dialect::Murphi));
    assert!(found.is_empty(), "{found:?}");
    let (system, _) = read(&model, &Unbounded::default()).unwrap();
    let sizes = Sizes { sorts: vec![(sort.to_string(), size)], consts: vec![] };
    search(&instance(&system, &sizes).unwrap(), symmetry, None).statistics.states
}

#[test]
fn german_has_as_many_states_as_its_murphi_twin() {
    let (cubicle, murphi) = (source("german.cub"), source("german.m"));
    for size in 1..=3 {
        for symmetry in [true, false] {
            let own = search(&program(&cubicle, &[("proc", size)], &[]), symmetry, None).statistics.states;
            assert_eq!(own, murphi_states(&murphi, "NODE", size as u32, symmetry), "{size} nodes");
        }
    }
}

#[test]
fn mutex_has_as_many_states_as_its_murphi_twin() {
    for size in 1..=5 {
        let own =
            search(&program(&source("mutex.cub"), &[("proc", size)], &[]), false, None).statistics.states;
        assert_eq!(own, murphi_states(&source("mutex.m"), "PROCESS", size as u32, false));
    }
}

/// A literal about the processes `x` and `y`; each is declared below.
fn literal(x: &'static str, y: &'static str) -> impl Strategy<Value = String> {
    let table = vec![
        format!("S[{x}] = A"),
        format!("S[{x}] <> B"),
        format!("S[{x}] = S[{y}]"),
        format!("M[{x}] = True"),
        format!("M[{y}] = False"),
        format!("P = {x}"),
        format!("P <> {y}"),
        format!("{x} < {y}"),
        format!("{y} <= {x}"),
        "F = True".to_string(),
        "N < 2".to_string(),
        "N = 0".to_string(),
    ];
    prop::sample::select(table)
}

fn guard() -> impl Strategy<Value = String> {
    let plain = prop::collection::vec(literal("x", "y"), 1..3).prop_map(|all| all.join(" && "));
    let others =
        (literal("x", "j"), literal("j", "y")).prop_map(|(a, b)| format!("forall_other j. ({a} || {b})"));
    let some = literal("j", "y").prop_map(|a| format!("exists_other j. {a}"));
    let quantified = prop_oneof![2 => Just(String::new()), 1 => others, 1 => some];
    (plain, quantified).prop_map(|(plain, quantified)| match quantified.is_empty() {
        true => plain,
        false => format!("{plain} && {quantified}"),
    })
}

fn updates() -> impl Strategy<Value = String> {
    let steps = prop::sample::select(vec!["A", "B", "C", "S[x]", "S[y]", "."]);
    let one = steps.clone().prop_map(|value| format!("S[x] := {value}"));
    let all = (literal("j", "x"), literal("y", "j"))
        .prop_map(|(a, b)| format!("S[j] := case | {a} : C | {b} : S[x] | _ : S[j]"));
    let open = literal("j", "x").prop_map(|a| format!("M[j] := case | {a} : True"));
    let marks = prop::sample::select(vec!["M[y] := F", "M[x] := .", "M[j] := case | _ : M[j]"]);
    let scalars = prop::sample::select(vec![
        "P := y",
        "P := .",
        "F := .",
        "F := M[y]",
        "N := case | N < 2 : N + 1 | _ : 0",
    ]);
    (
        prop::option::of(prop_oneof![one, all]),
        prop::option::of(prop_oneof![open, marks.prop_map(str::to_string)]),
        prop::option::of(scalars.prop_map(str::to_string)),
    )
        .prop_map(|(a, b, c)| [a, b, c].into_iter().flatten().collect::<Vec<_>>().join("; "))
}

fn init() -> impl Strategy<Value = String> {
    let extra =
        prop::sample::select(vec!["true", "P = P", "S[x] <> C", "M[x] = M[y]", "(F = True || N = 1)"]);
    let start = prop::sample::select(vec!["S[x] = A", "(S[x] = A || S[x] = B)", "S[x] = S[y]", "true"]);
    (start, extra).prop_map(|(start, extra)| format!("{start} && {extra}"))
}

fn model() -> impl Strategy<Value = String> {
    let transition = (guard(), updates());
    let transitions = prop::collection::vec(transition, 1..4);
    (init(), transitions, literal("x", "y"), literal("y", "x")).prop_map(|(init, transitions, a, b)| {
        let transitions: Vec<String> = transitions
            .into_iter()
            .enumerate()
            .map(|(number, (guard, updates))| {
                format!("transition t{number} (x y)\nrequires {{ {guard} }}\n{{ {updates} }}\n")
            })
            .collect();
        format!(
            "type step = A | B | C\narray S[proc] : step\narray M[proc] : bool\nvar P : proc\nvar F : bool\nvar N : int\n\
             init (x y) {{ {init} && 0 <= N && N = 1 }}\n\
             unsafe (x y) {{ {a} && {b} && S[x] = C }}\n{}",
            transitions.concat()
        )
    })
}

proptest! {
    #![proptest_config(tenet_chance::cases(150))]

    #[test]
    fn random_models_by_brute_force(source in model(), processes in 1u64..=3) {
        compare(&source, processes, None);
    }
}
