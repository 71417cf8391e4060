//! The unbounded reading against the finite one: on small instances, both must have the same reachable states, the same
//! successors by every rule, the same truth of every invariant, and a violated obligation exactly where the finite
//! program faults.
//!
//! The models have no undefined values, because "any value" and "an error to read" are meant to differ. Fixed models
//! cover what is worth naming; random ones combine loops, branches, calls and assertions in unlikely ways.

mod unbounded_support;

use std::collections::{BTreeMap, BTreeSet};
use tenet_lang::murphi::check::{Settings, check};
use tenet_lang::murphi::hir::Model;
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, finite, parse};
use tenet_system::finite::program::{Program, PropertyKind};
use tenet_system::finite::trace::{Action, Replayer};
use tenet_system::instance::{Sizes, instance};
use tenet_system::{PropertyKind as Kind, System};
use unbounded_support::generate::generate;
use unbounded_support::integers::with_small_integers;

/// A state as `name = value` lines, so that two layouts can be compared.
type Shown = BTreeMap<String, String>;

/// A model, how it is made unbounded, and the instance on which both readings are compared.
#[derive(Clone, Copy)]
struct Case<'a> {
    source: &'a str,
    unbounded: &'a [&'a str],
    /// Sizes of scalarsets and of ranges that are read as index sorts.
    sizes: &'a [(&'a str, u32)],
    consts: &'a [(&'a str, i64)],
    /// Ranges that are read as index sorts, with their least value.
    ranges: &'a [(&'a str, i64)],
    /// Whether a warning says that the reading has more runs than the instances (E0317).
    is_loose: bool,
}

fn check_model(source: &str, sizes: &[(&str, u32)], consts: &[(&str, i64)], ranges: &[(&str, i64)]) -> Model {
    let mut settings = Settings::new(Dialect::Tenet);
    let scalarsets = sizes.iter().filter(|(name, _)| !ranges.iter().any(|(range, _)| range == name));
    settings.sizes = scalarsets.map(|&(name, size)| (name.to_owned(), u64::from(size))).collect();
    settings.consts = consts.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect();
    let (ast, syntax) = parse(source, settings.dialect);
    assert!(syntax.is_empty(), "{syntax:?}\n{source}");
    let (model, diagnostics) = check(&ast, &settings);
    assert!(!diagnostics.iter().any(|found| found.is_error()), "{diagnostics:?}\n{source}");
    model
}

/// `Cache[NODE_1].State` and `Cache.State[NODE_1]` are the same place: fields first, then indices.
fn normal_name(name: &str, ranges: &[(&str, i64)]) -> String {
    let (mut fields, mut indices, mut depth) = (String::new(), Vec::new(), 0);
    for letter in name.chars() {
        match letter {
            '[' => {
                depth += 1;
                indices.push(String::new());
            }
            ']' => depth -= 1,
            ',' if depth > 0 => indices.push(String::new()),
            ' ' if depth > 0 => {}
            _ if depth > 0 => indices.last_mut().expect("an index is open").push(letter),
            _ => fields.push(letter),
        }
    }
    let indices: Vec<String> = indices.iter().map(|index| normal_value(index, ranges)).collect();
    format!("{fields}[{}]", indices.join(","))
}

/// Elements of a range that is read as an index sort are written as the numbers they stand for.
fn normal_value(value: &str, ranges: &[(&str, i64)]) -> String {
    for (name, least) in ranges {
        if let Some(number) = value.strip_prefix(&format!("{name}_")) {
            let position: i64 = number.parse().expect("elements are numbered");
            return (least + position - 1).to_string();
        }
    }
    value.to_owned()
}

fn show(program: &Program, state: &[i64], ranges: &[(&str, i64)]) -> Shown {
    let slots = program.layout.slots.iter().zip(state);
    // Where undefined parts are compared, the system tracks definedness; only one of the readings shows that.
    let slots = slots.filter(|(slot, _)| !slot.name.contains(".defined"));
    slots
        .map(|(slot, &value)| {
            let shown = program.layout.show(slot.domain, value);
            (normal_name(&slot.name, ranges), normal_value(&shown, ranges))
        })
        .collect()
}

/// The startstates of a program; the faults are counted.
fn starts(program: &Program, replayer: &mut Replayer) -> (Vec<Vec<i64>>, usize) {
    let (mut found, mut faults) = (Vec::new(), 0);
    for (rule, start) in program.starts.iter().enumerate() {
        let instances: u64 = start.params.iter().map(|param| param.count()).product();
        for instance in 0..instances {
            match replayer.start(Action { rule, instance }) {
                Ok(Some(state)) => found.push(state),
                Ok(None) => {}
                Err(_) => faults += 1,
            }
        }
    }
    (found, faults)
}

/// Compares the two readings; returns how many states were visited.
fn compare(case: &Case) -> usize {
    let model = check_model(case.source, case.sizes, case.consts, case.ranges);
    let options =
        Unbounded { names: case.unbounded.iter().map(|name| name.to_string()).collect(), sizes: Vec::new() };
    let (system, _) = read(&model, &options).unwrap_or_else(|errors| panic!("{errors:#?}\n{}", case.source));
    compare_with(case, &model, &system)
}

fn compare_with(case: &Case, model: &Model, system: &System) -> usize {
    let sizes = Sizes {
        sorts: case.sizes.iter().map(|&(name, size)| (name.to_owned(), size)).collect(),
        consts: case.consts.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
    };
    let highest = case.consts.iter().map(|(_, value)| *value).max().unwrap_or(0);
    let finite_system = with_small_integers(system, -2, highest + 2);
    let ours = instance(&finite_system, &sizes).unwrap_or_else(|error| panic!("{error}\n{}", case.source));
    let (theirs, _) = finite::lower(model).unwrap_or_else(|errors| panic!("{errors:?}\n{}", case.source));
    let mut sides = Sides { case, system, ours: Replayer::new(&ours), theirs: Replayer::new(&theirs) };
    let (our_starts, our_faults) = starts(&ours, &mut sides.ours);
    let (their_starts, their_faults) = starts(&theirs, &mut sides.theirs);
    assert_eq!(our_faults > 0, their_faults > 0, "faults of startstates\n{}", case.source);
    let shown = |program: &Program, states: &[Vec<i64>]| -> BTreeSet<Shown> {
        states.iter().map(|state| show(program, state, case.ranges)).collect()
    };
    assert_eq!(shown(&ours, &our_starts), shown(&theirs, &their_starts), "startstates\n{}", case.source);
    let mut seen: BTreeSet<Vec<i64>> = BTreeSet::new();
    let mut stack: Vec<(Vec<i64>, Vec<i64>)> = pair_up(&sides, &ours, &theirs, our_starts, their_starts);
    while let Some((our, their)) = stack.pop() {
        if seen.len() > 400 || !seen.insert(their.clone()) {
            continue;
        }
        sides.compare_properties(&ours, &theirs, &our, &their);
        let (our_next, their_next) = sides.successors(&ours, &theirs, &our, &their);
        stack.extend(pair_up(&sides, &ours, &theirs, our_next, their_next));
    }
    seen.len()
}

/// The same states of both programs, side by side.
fn pair_up(
    sides: &Sides,
    ours: &Program,
    theirs: &Program,
    our: Vec<Vec<i64>>,
    their: Vec<Vec<i64>>,
) -> Vec<(Vec<i64>, Vec<i64>)> {
    let by_text: BTreeMap<Shown, Vec<i64>> =
        our.into_iter().map(|state| (show(ours, &state, sides.case.ranges), state)).collect();
    their
        .into_iter()
        .filter_map(|state| Some((by_text.get(&show(theirs, &state, sides.case.ranges))?.clone(), state)))
        .collect()
}

struct Sides<'a> {
    case: &'a Case<'a>,
    system: &'a System,
    ours: Replayer<'a>,
    theirs: Replayer<'a>,
}

impl Sides<'_> {
    fn compare_properties(&mut self, ours: &Program, theirs: &Program, our: &[i64], their: &[i64]) {
        for (number, property) in theirs.properties.iter().enumerate() {
            if property.kind == PropertyKind::Cover {
                continue;
            }
            let expected = self.theirs.property(their, number);
            let position = ours.properties.iter().position(|other| other.name == property.name);
            let position = position.unwrap_or_else(|| panic!("no property {}", property.name));
            if let Ok(expected) = expected {
                let found = self.ours.property(our, position);
                assert_eq!(found, Ok(expected), "{} in {their:?}\n{}", property.name, self.case.source);
            }
        }
    }

    /// Whether some obligation of this rule is violated in a state.
    fn violates_obligation(&mut self, ours: &Program, rule: usize, state: &[i64]) -> bool {
        let obligations: Vec<&str> = self
            .system
            .properties
            .iter()
            .filter(|property| {
                matches!(property.kind, Kind::Assertion { rule: of } | Kind::Implicit { rule: of } if of == rule)
            })
            .map(|property| property.name.as_str())
            .collect();
        (0..ours.properties.len()).any(|number| {
            obligations.contains(&ours.properties[number].name.as_str())
                && self.ours.property(state, number) == Ok(false)
        })
    }

    /// The successors on both sides, compared rule by rule. A rule that faults has no comparable successors.
    fn successors(
        &mut self,
        ours: &Program,
        theirs: &Program,
        our: &[i64],
        their: &[i64],
    ) -> (Vec<Vec<i64>>, Vec<Vec<i64>>) {
        let our_all = self.ours.enabled(our);
        let their_all = self.theirs.enabled(their);
        let (mut our_next, mut their_next) = (Vec::new(), Vec::new());
        for rule in 0..theirs.rules.len() {
            let faulty = their_all.iter().any(|(action, next)| action.rule == rule && next.is_err());
            let violated = self.violates_obligation(ours, rule, our);
            let name = &theirs.rules[rule].name;
            let agrees = if self.case.is_loose { violated || !faulty } else { violated == faulty };
            assert!(agrees, "obligations of {name} in {their:?}: {violated}, {faulty}\n{}", self.case.source);
            if violated || faulty {
                continue;
            }
            let of = |all: &[(Action, Result<Vec<i64>, _>)]| -> Vec<Vec<i64>> {
                let own = all.iter().filter(|(action, _)| action.rule == rule);
                own.map(|(_, next)| next.clone().expect("no faults")).collect()
            };
            let (mine, other) = (of(&our_all), of(&their_all));
            let shown = |program: &Program, states: &[Vec<i64>]| -> BTreeSet<Shown> {
                states.iter().map(|state| show(program, state, self.case.ranges)).collect()
            };
            let (mut shown_mine, shown_other) = (shown(ours, &mine), shown(theirs, &other));
            if self.case.is_loose {
                shown_mine.retain(|state| shown_other.contains(state));
            }
            assert_eq!(shown_mine, shown_other, "{name} in {their:?}\n{}", self.case.source);
            our_next.extend(mine);
            their_next.extend(other);
        }
        (our_next, their_next)
    }
}

fn model(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unbounded/read").join(name);
    std::fs::read_to_string(path).expect("a test model")
}

#[test]
fn scalarsets_of_two_sizes() {
    let source = model("german.m");
    for size in [1, 2] {
        let case = Case {
            source: &source,
            unbounded: &[],
            sizes: &[("NODE", size)],
            consts: &[],
            ranges: &[],
            is_loose: false,
        };
        assert!(compare(&case) > 5);
    }
}

#[test]
fn arrays_of_arrays_and_records() {
    let source = model("two_dimensions.m");
    let case = Case {
        source: &source,
        unbounded: &[],
        sizes: &[("NODE", 2)],
        consts: &[],
        ranges: &[],
        is_loose: false,
    };
    assert!(compare(&case) > 5);
}

#[test]
fn unions_member_by_member() {
    let source = model("unions.m");
    let case = Case {
        source: &source,
        unbounded: &[],
        sizes: &[("NODE", 2)],
        consts: &[],
        ranges: &[],
        is_loose: false,
    };
    assert!(compare(&case) > 5);
}

#[test]
fn a_range_as_a_set_of_indices() {
    let source = model("home.m");
    let case = Case {
        source: &source,
        unbounded: &["NODE"],
        sizes: &[("NODE", 3)],
        consts: &[("NODES", 2)],
        ranges: &[("NODE", 0)],
        is_loose: false,
    };
    assert!(compare(&case) > 5);
}

#[test]
fn a_symbolic_constant() {
    let source = model("ring.m");
    for size in [1, 2, 3] {
        let case = Case {
            source: &source,
            unbounded: &["N"],
            sizes: &[],
            consts: &[("N", size)],
            ranges: &[],
            is_loose: false,
        };
        assert!(compare(&case) > 1);
    }
}

#[test]
fn functions_and_early_returns() {
    let source = model("functions.m");
    let case = Case {
        source: &source,
        unbounded: &[],
        sizes: &[("NODE", 3)],
        consts: &[],
        ranges: &[],
        is_loose: false,
    };
    assert!(compare(&case) > 5);
}

/// Compares random models whose type `P` is declared like this; `case` lacks only the source.
fn compare_random(declaration: &str, case: Case, seeds: std::ops::Range<u64>) {
    let (mut compared, mut refused) = (0, 0);
    let total = seeds.end - seeds.start;
    for seed in seeds {
        let source = generate(seed, declaration);
        let model = check_model(&source, case.sizes, case.consts, case.ranges);
        let names = case.unbounded.iter().map(|name| name.to_string()).collect();
        match read(&model, &Unbounded { names, sizes: Vec::new() }) {
            Ok((system, warnings)) => {
                println!("seed {seed}");
                let is_loose = warnings.iter().any(|warning| warning.explanation.code == "E0317");
                compare_with(&Case { source: &source, is_loose, ..case }, &model, &system);
                compared += 1;
            }
            Err(errors) => {
                let errors: Vec<_> = errors.into_iter().filter(|found| found.is_error()).collect();
                let expected = |code: &str| ["E0304", "E0305"].contains(&code);
                assert!(errors.iter().all(|error| expected(error.explanation.code)), "{errors:#?}\n{source}");
                refused += 1;
            }
        }
    }
    assert!(compared > total / 4 && refused > total / 20, "compared {compared}, refused {refused}");
}

#[test]
fn random_models_over_a_scalarset() {
    let case =
        Case { source: "", unbounded: &[], sizes: &[("P", 2)], consts: &[], ranges: &[], is_loose: false };
    compare_random("type P : scalarset(2);", case, 0..400);
}

#[test]
fn random_models_over_a_range_as_indices() {
    let case = Case {
        source: "",
        unbounded: &["P"],
        sizes: &[("P", 2)],
        consts: &[],
        ranges: &[("P", 1)],
        is_loose: false,
    };
    compare_random("type P : 1..2;", case, 1000..1300);
}

#[test]
fn random_models_over_a_symbolic_range() {
    let case =
        Case { source: "", unbounded: &["N"], sizes: &[], consts: &[("N", 3)], ranges: &[], is_loose: false };
    compare_random("const N : 3; type P : 2..N;", case, 2000..2300);
}
