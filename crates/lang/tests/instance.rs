//! Two ways to a finite instance must agree: lowering the model directly, and instantiating its unbounded reading. They
//! share nothing after the checked model, so this compares symbolic execution with plain execution on whole searches.

use std::path::Path;
use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, finite, hir, parse};
use tenet_system::finite::explore::{Deadlock, End, Options, Outcome, Sampling, explore, reached};
use tenet_system::finite::program::Program;
use tenet_system::finite::trace::replay;
use tenet_system::instance::{InstanceError, Sizes, instance, sample, window};

/// A model and the type to size.
struct Case {
    file: &'static str,
    sized: &'static str,
    largest: u32,
    /// Undefined values are a state of their own in one reading and any value in the other: only verdicts compare.
    undefines: bool,
}

const CASES: &[Case] = &[
    Case { file: "flash.m", sized: "NODE", largest: 2, undefines: true },
    Case { file: "flash_broken.m", sized: "NODE", largest: 2, undefines: true },
    Case { file: "german.m", sized: "NODE", largest: 3, undefines: true },
    Case { file: "german_broken.m", sized: "NODE", largest: 2, undefines: true },
    Case { file: "mesi.m", sized: "CACHE", largest: 4, undefines: false },
    Case { file: "mesi_broken.m", sized: "CACHE", largest: 4, undefines: false },
    Case { file: "moesi.m", sized: "CACHE", largest: 4, undefines: false },
    Case { file: "moesi_broken.m", sized: "CACHE", largest: 4, undefines: false },
    Case { file: "mutex.m", sized: "PROCESS", largest: 3, undefines: false },
    Case { file: "mutex_broken.m", sized: "PROCESS", largest: 3, undefines: false },
    Case { file: "szymanski.m", sized: "PROCESS", largest: 3, undefines: false },
    Case { file: "szymanski_broken.m", sized: "PROCESS", largest: 3, undefines: false },
    Case { file: "two_phase_commit.m", sized: "PARTICIPANT", largest: 3, undefines: false },
    Case { file: "two_phase_commit_broken.m", sized: "PARTICIPANT", largest: 3, undefines: false },
];

#[test]
fn both_ways_find_the_same_states() {
    for case in CASES {
        for size in 1..=case.largest {
            for symmetry in [true, false] {
                compare(case, size, symmetry);
            }
        }
    }
}

fn compare(case: &Case, size: u32, symmetry: bool) {
    let name = format!("{} with {} = {size}, symmetry {symmetry}", case.file, case.sized);
    let model = model(case.file, &[(case.sized, size)], &[]);
    let (direct, _) = finite::lower(&model).expect("the model has this instance");
    // A size that is given is a constant that is set; the instance of every size is made of the model without.
    let is_scalarset = model.types.iter().any(|ty| {
        ty.name.as_deref() == Some(case.sized) && matches!(ty.kind, hir::TypeKind::Scalarset { .. })
    });
    let read_model = if is_scalarset { self::model(case.file, &[], &[]) } else { model };
    let (system, _) = read(&read_model, &Unbounded::default()).expect("the model has an unbounded reading");
    let sizes = Sizes { sorts: vec![(case.sized.to_string(), size)], consts: vec![] };
    let through_terms = instance(&system, &sizes).expect("the system has this instance");
    let (a, b) = (search(&direct, symmetry), search(&through_terms, symmetry));
    assert_eq!(a.traces.len(), b.traces.len(), "{name}");
    if case.undefines {
        return;
    }
    assert_eq!(a.statistics.states, b.statistics.states, "{name}");
    assert_eq!(a.statistics.rules_fired, b.statistics.rules_fired, "{name}");
    assert_eq!(a.statistics.depth, b.statistics.depth, "{name}");
    assert_eq!(a.fired, b.fired, "{name}");
}

fn search(program: &Program, symmetry: bool) -> Outcome {
    let options = Options { symmetry, keep_going: true, deadlock: Deadlock::Off, ..Options::default() };
    let outcome = explore(program, &options, &mut |_| true);
    assert!(matches!(outcome.end, End::Complete | End::Found));
    assert!(outcome.traces.iter().all(|trace| replay(program, trace).is_ok()));
    outcome
}

fn model(file: &str, sizes: &[(&str, u32)], consts: &[(&str, i64)]) -> hir::Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(file);
    let dialect = if file.ends_with(".tenet") { Dialect::Tenet } else { Dialect::Murphi };
    checked_in(dialect, &std::fs::read_to_string(path).expect("the model exists"), sizes, consts)
}

fn checked(source: &str, sizes: &[(&str, u32)], consts: &[(&str, i64)]) -> hir::Model {
    checked_in(Dialect::Murphi, source, sizes, consts)
}

fn checked_in(dialect: Dialect, source: &str, sizes: &[(&str, u32)], consts: &[(&str, i64)]) -> hir::Model {
    let (tree, errors) = parse(source, dialect);
    assert!(errors.is_empty(), "{errors:?}");
    let mut settings = Settings::new(dialect);
    settings.sizes = sizes.iter().map(|&(name, size)| (name.to_string(), size.into())).collect();
    settings.consts = consts.iter().map(|&(name, value)| (name.to_string(), value.into())).collect();
    let (model, found) = check(&tree, &settings);
    assert!(found.iter().all(|diagnostic| !diagnostic.is_error()), "{found:?}");
    model
}

/// A model, sizes and constants.
type SizedModel<'a> = (&'a str, &'a [(&'a str, u32)], &'a [(&'a str, i64)]);

/// Constants that are functions are chosen at the start, within the bounds of their declaration, and stay as they are.
#[test]
fn constants_that_are_functions_have_instances() {
    let cases: &[SizedModel] = &[
        ("token_ring.tenet", &[("PROCESS", 2)], &[]),
        ("token_ring_broken.tenet", &[("PROCESS", 2)], &[]),
        ("selection_sort.tenet", &[], &[("LENGTH", 2), ("GREATEST", 2)]),
        ("selection_sort.tenet", &[], &[("LENGTH", 3), ("GREATEST", 1)]),
        ("selection_sort_broken.tenet", &[], &[("LENGTH", 2), ("GREATEST", 1)]),
    ];
    for &(file, sorts, consts) in cases {
        let given = model(file, sorts, consts);
        let (direct, _) = finite::lower(&given).expect("the model has this instance");
        let (system, _) = read(&model(file, &[], &[]), &Unbounded::default()).expect("an unbounded reading");
        let named = |name: &str| name.to_string();
        let sizes = Sizes {
            sorts: sorts.iter().map(|&(name, size)| (named(name), size)).collect(),
            consts: consts.iter().map(|&(name, value)| (named(name), value)).collect(),
        };
        let through_terms = instance(&system, &sizes).expect("the system has this instance");
        for symmetry in [true, false] {
            let (a, b) = (search(&direct, symmetry), search(&through_terms, symmetry));
            assert_eq!(a.statistics.states, b.statistics.states, "{file} {sorts:?} {consts:?} {symmetry}");
            assert_eq!(a.fired, b.fired, "{file} {sorts:?} {consts:?} {symmetry}");
            assert_eq!(a.traces.len(), b.traces.len(), "{file} {sorts:?} {consts:?} {symmetry}");
        }
    }
}

/// What a startstate leaves undefined is as large as the part of the state that it goes to.
#[test]
fn undefined_arrays_over_symbolic_ranges_have_samples() {
    for (file, sorts, consts) in [
        ("german_fifo.tenet", vec![("CLIENT", 2)], vec![("PLACES", 2)]),
        ("ooo.tenet", vec![("REGISTER", 2), ("OPERATION", 1), ("WORD", 2)], vec![("ENTRIES", 2)]),
    ] {
        let (system, _) = read(&model(file, &[], &[]), &Unbounded::default()).expect("an unbounded reading");
        let sizes = Sizes {
            sorts: sorts.into_iter().map(|(name, size)| (name.to_string(), size)).collect(),
            consts: consts.into_iter().map(|(name, value)| (name.to_string(), value)).collect(),
        };
        let sample = sample(&system, &sizes, 4).expect("the system has this sample");
        let outcome = search(&sample.program, true);
        assert!(outcome.traces.is_empty(), "{file}");
        assert!(outcome.fired.iter().all(|&fired| fired > 0), "{file}: {:?}", outcome.fired);
    }
}

/// A walk over all numbers from zero on has no end. In a window it has one, where the next step would leave it.
#[test]
fn a_window_of_the_integers_cuts_off_what_leaves_it() {
    let walk = "
        var mark : array [integer] of integer; at : integer;
        startstate for i : integer do mark[i] := 0; end; at := 0; end;
        rule \"walk\" true ==> mark[at] := 1; at := at + 1; end;
        invariant \"behind\" forall i : integer do mark[i] = 1 -> i < at end;
    ";
    let (system, _) = read(&checked_in(Dialect::Tenet, walk, &[], &[]), &Unbounded::default())
        .expect("the model has an unbounded reading");
    assert!(matches!(sample(&system, &Sizes::default(), 4), Err(InstanceError::Infinite(_))));
    for integers in [1, 3] {
        let window = window(&system, &Sizes::default(), 4, integers).expect("the system has this sample");
        let sampling = Sampling { states: 100, steps: 0, work: 0, longest: 0, seed: 0 };
        let reached = reached(&window.program, &sampling, &mut || true);
        let mut states = 0;
        reached.each(|_| states += 1);
        assert!(reached.complete);
        assert_eq!(states, integers + 2, "before each place from 0 on, and behind the last one");
    }
}

/// A ring in which a token moves by index arithmetic: the size is a symbolic integer.
const RING: &str = "
const N : 4;
type PLACE : 1..N;
var token : PLACE; visited : array [PLACE] of boolean;
startstate for i : PLACE do visited[i] := i = 1; end; token := 1; end;
rule \"pass\" token < N ==> token := token + 1; visited[token] := true; end;
rule \"wrap\" token = N ==> token := 1; visited[1] := true; end;
ruleset i : PLACE do rule \"forget\" i != token & visited[i] ==> visited[i] := false; end; end;
invariant \"here\" visited[token];
invariant \"someone\" exists i : PLACE do visited[i] end;
";

#[test]
fn symbolic_constants_have_instances() {
    for size in [1, 2, 5] {
        let model = checked(RING, &[], &[("N", size)]);
        let (direct, _) = finite::lower(&model).expect("the model has this instance");
        let unbounded = Unbounded { names: vec!["N".to_string()], sizes: vec![] };
        let (system, _) = read(&model, &unbounded).expect("the model has an unbounded reading");
        let sizes = Sizes { sorts: vec![], consts: vec![("N".to_string(), size)] };
        let through_terms = instance(&system, &sizes).expect("the system has this instance");
        let (a, b) = (search(&direct, true), search(&through_terms, true));
        assert_eq!(a.statistics.states, b.statistics.states, "N = {size}");
        assert!(a.traces.is_empty() && b.traces.is_empty());
        let nothing = instance(&system, &Sizes::default());
        assert_eq!(nothing.err(), Some(InstanceError::NoValue("N".to_string())));
    }
}

/// Nodes as a range with a distinguished element.
const HOME: &str = "
const N : 3;
type NODE : 0..N;
var home, owner : NODE; busy : array [NODE] of boolean;
startstate home := 0; owner := 0; for i : NODE do busy[i] := false; end; end;
ruleset i : NODE do
  rule \"take\" owner = home & i != home ==> owner := i; busy[i] := true; end;
  rule \"give back\" owner = i & busy[i] ==> busy[i] := false; owner := home; end;
end;
invariant \"idle home\" !busy[home];
invariant \"only the owner\" forall i : NODE do busy[i] -> i = owner end;
";

#[test]
fn ranges_as_index_sorts_have_instances() {
    for size in [1, 2, 4] {
        let model = checked(HOME, &[("NODE", size)], &[]);
        let (direct, _) = finite::lower(&model).expect("the model has this instance");
        let unbounded = Unbounded { names: vec!["NODE".to_string()], sizes: vec![] };
        let (system, _) = read(&model, &unbounded).expect("the model has an unbounded reading");
        let sizes = Sizes { sorts: vec![("NODE".to_string(), size)], consts: vec![] };
        let through_terms = instance(&system, &sizes).expect("the system has this instance");
        let (a, b) = (search(&direct, true), search(&through_terms, true));
        assert_eq!(a.statistics.states, b.statistics.states, "NODE = {size}");
        assert!(a.traces.is_empty() && b.traces.is_empty());
        assert_eq!(
            instance(&system, &Sizes::default()).err(),
            Some(InstanceError::NoSize("NODE".to_string()))
        );
    }
}

/// A counter that runs past a symbolic bound.
const PAST: &str = "
const N : 3;
type COUNT : 0..N;
var x : COUNT; other : boolean;
startstate x := 0; other := true; end;
rule \"up\" true ==> x := x + 1; end;
invariant \"other\" other;
";

#[test]
fn leaving_a_symbolic_bound_is_found_even_if_only_another_property_is_asked_for() {
    let model = checked(PAST, &[], &[]);
    let unbounded = Unbounded { names: vec!["N".to_string()], sizes: vec![] };
    let (system, _) = read(&model, &unbounded).expect("the model has an unbounded reading");
    let other = system.properties.iter().position(|property| property.name == "other").expect("it is there");
    let sizes = Sizes { sorts: vec![], consts: vec![("N".to_string(), 3)] };
    let program = instance(&system, &sizes).expect("the system has this instance");
    let options = Options { properties: Some(vec![other]), keep_going: true, ..Options::default() };
    let outcome = explore(&program, &options, &mut |_| true);
    assert_eq!(outcome.statistics.states, 4);
    assert!(outcome.traces.iter().any(|trace| trace.finding.fault().is_some()));
}
