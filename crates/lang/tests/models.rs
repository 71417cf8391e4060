//! The claims in the headers of the models of `models/`.
//!
//! Each header has lines such as
//!
//! ```text
//! --   tenet explore models/german.m --size NODE=2    safe, 735 states (1461 with --no-symmetry)
//! --   tenet explore models/mutex_broken.m            unsafe, "mutual exclusion" is false after 6 steps
//! --   tenet explore models/bakery.tenet --size PROCESS=2 --depth 40   unknown, 380 states
//! --   every NODE and DATA: safe
//! --   every PROCESS >= 2: unsafe
//! ```
//!
//! and these lines are the table of this test: a table of its own would sooner or later say something else. What is
//! expected of `tenet explore` may also stand in the next line, further to the right. A line without a number in
//! parentheses claims that symmetry makes no difference. The numbers agree with those of the checker that Rumur
//! generates. The last line says what is true for every size, or from which sizes on: the smallest instance that is
//! violated is then among those that are explored, and so is a smaller one that is not.
//!
//! The programs of `models/programs/` have such headers, too; those that are Horn clauses say what to expect in one word.
//!
//! The models of `models/papers/` are for proofs of every size. Here they are read for every size, with as many
//! predicates as the lines about `tenet abstract` say, and so are the hints that stand beside some of them.

use std::fs;
use std::path::{Path, PathBuf};
use tenet_lang::murphi::check::{Settings, check, check_with};
use tenet_lang::murphi::unbounded::{Unbounded, read};
use tenet_lang::murphi::{Dialect, finite, parse, parse_predicates};
use tenet_lang::render::{Style, render};
use tenet_system::System;
use tenet_system::finite::explore::{Deadlock, End, Options, Outcome, explore};
use tenet_system::finite::program::Program;
use tenet_system::finite::trace::{Finding, replay};

/// Every model that must be there, so that a lost file is noticed.
const MODELS: &[&str] = &[
    "bakery.m",
    "bakery.tenet",
    "bakery_atomic.tenet",
    "bakery_atomic_broken.tenet",
    "bakery_broken.m",
    "bakery_broken.tenet",
    "bakery_nonatomic.tenet",
    "bakery_nonatomic_broken.tenet",
    "flash.m",
    "flash_broken.m",
    "flash_data.m",
    "flash_data_broken.m",
    "german.m",
    "german_broken.m",
    "german_data.m",
    "german_data_broken.m",
    "german_fifo.tenet",
    "german_fifo_broken.tenet",
    "lock_server.m",
    "lock_server_broken.m",
    "mesi.m",
    "mesi_broken.m",
    "moesi.m",
    "moesi_broken.m",
    "mutex.m",
    "mutex_broken.m",
    "ooo.tenet",
    "ooo_broken.tenet",
    "ricart_agrawala.tenet",
    "ricart_agrawala_broken.tenet",
    "selection_sort.tenet",
    "selection_sort_broken.tenet",
    "szymanski.m",
    "szymanski_broken.m",
    "token_ring.tenet",
    "token_ring_broken.tenet",
    "two_phase_commit.m",
    "two_phase_commit_broken.m",
];

/// Every program that must be there.
const PROGRAMS: &[&str] = &[
    "programs/binary_search.tenet",
    "programs/binary_search_broken.tenet",
    "programs/choices.tenet",
    "programs/choices_broken.tenet",
    "programs/division.tenet",
    "programs/division_broken.tenet",
    "programs/equal_counters.tenet",
    "programs/equal_counters_broken.tenet",
    "programs/gcd.tenet",
    "programs/gcd_broken.tenet",
    "programs/lock.tenet",
    "programs/lock_broken.tenet",
    "programs/mccarthy.tenet",
    "programs/mccarthy_broken.tenet",
    "programs/nested.tenet",
    "programs/nested_broken.tenet",
    "programs/parity.tenet",
    "programs/parity_broken.tenet",
    "programs/periodic.tenet",
    "programs/periodic_broken.tenet",
    "programs/phases.tenet",
    "programs/phases_broken.tenet",
    "programs/ticket.tenet",
    "programs/ticket_broken.tenet",
    "programs/two_copies.tenet",
    "programs/two_copies_broken.tenet",
    "programs/up_down.tenet",
    "programs/up_down_broken.tenet",
];

/// The programs that are Horn clauses, which have a test of their own where they are read.
const CLAUSES: &[&str] = &[
    "programs/accounts.smt2",
    "programs/accounts_broken.smt2",
    "programs/consecutive_loops.smt2",
    "programs/consecutive_loops_broken.smt2",
    "programs/cruise_control.smt2",
    "programs/cruise_control_broken.smt2",
    "programs/regression.smt2",
    "programs/regression_broken.smt2",
    "programs/saturating.smt2",
    "programs/saturating_broken.smt2",
];

/// Every published experiment that must be there, with its variants.
const PAPERS: &[&str] = &[
    "bakery.tenet",
    "bakery_broken.tenet",
    "bakery_nonatomic.tenet",
    "bakery_nonatomic_broken.tenet",
    "f_shift.tenet",
    "f_shift_broken.tenet",
    "flash.tenet",
    "flash_broken.tenet",
    "flash_first_try.tenet",
    "flash_property.tenet",
    "frontier.tenet",
    "gc.tenet",
    "gc_axiom1.tenet",
    "gc_axiom2.tenet",
    "gc_axiom3.tenet",
    "gc_axiom4.tenet",
    "gc_axiom5.tenet",
    "gc_broken.tenet",
    "gc_conjuncts.tenet",
    "gc_interval.tenet",
    "german.tenet",
    "german_broken.tenet",
    "german_fifo.tenet",
    "german_fifo_broken.tenet",
    "mutex.tenet",
    "mutex_broken.tenet",
    "ooo.tenet",
    "ooo_broken.tenet",
    "ooo_two_operands.tenet",
    "ooo_two_operands_broken.tenet",
    "refine_branches.tenet",
    "refine_branches_backward.tenet",
    "refine_branches_backward_broken.tenet",
    "refine_branches_broken.tenet",
    "refine_loops.tenet",
    "refine_loops_broken.tenet",
    "selection_sort.tenet",
    "selection_sort_broken.tenet",
];

/// The designs among them, which have tests of their own where hardware is proved.
const DESIGNS: &[&str] = &["hybrid_clusters.v", "hybrid_refinement.v"];

/// The files of hints beside them.
const HINTS: &[&str] = &[
    "bakery.instances",
    "bakery_nonatomic.instances",
    "f_shift.instances",
    "frontier.instances",
    "german.instances",
    "german_fifo.instances",
    "mutex.instances",
    "ooo.instances",
    "ooo_two_operands.instances",
    "selection_sort.instances",
];

/// One line of a header.
struct Promise {
    line: String,
    sizes: Vec<(String, u64)>,
    consts: Vec<(String, i64)>,
    depth: Option<u32>,
    deadlock: Deadlock,
    verdict: Verdict,
}

impl Promise {
    /// The value that it gives to a type or constant.
    fn sets(&self, name: &str) -> Option<i64> {
        let size = self.sizes.iter().find(|(known, _)| known == name);
        let constant = self.consts.iter().find(|(known, _)| known == name);
        size.map(|(_, size)| i64::try_from(*size).expect("a small size"))
            .or(constant.map(|(_, value)| *value))
    }
}

enum Verdict {
    Safe { states: u64, without_symmetry: u64 },
    Unsafe { property: String, steps: usize },
    Unknown { states: u64 },
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

fn source(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("a model")
}

/// The header of a model, each promise in one line.
fn header(name: &str) -> String {
    let source = source(name);
    let lines: Vec<&str> = source.lines().take_while(|line| line.starts_with("--")).collect();
    lines.join("\n").replace("\n--     ", "   ")
}

fn promises(name: &str) -> Vec<Promise> {
    let start = format!("--   tenet explore models/{name} ");
    header(name).lines().filter_map(|line| line.strip_prefix(&start)).map(promise).collect()
}

fn promise(line: &str) -> Promise {
    let (mut sizes, mut consts, mut depth) = (Vec::new(), Vec::new(), None);
    let mut deadlock = Options::default().deadlock;
    let mut rest = line.trim_start();
    while rest.starts_with("--") {
        let (option, after) = rest.split_once(' ').expect("an option has a value");
        let (value, after) = after.split_once(' ').expect("an expectation");
        let pair = || value.split_once('=').expect("NAME=VALUE");
        match option {
            "--size" => sizes.push((pair().0.to_owned(), pair().1.parse().expect("a size"))),
            "--const" => consts.push((pair().0.to_owned(), pair().1.parse().expect("a number"))),
            "--depth" => depth = Some(value.parse().expect("a number")),
            "--deadlock" if value == "off" => deadlock = Deadlock::Off,
            _ => panic!("unknown option {option}"),
        }
        rest = after.trim_start();
    }
    Promise { line: line.to_owned(), sizes, consts, depth, deadlock, verdict: verdict(rest) }
}

fn verdict(text: &str) -> Verdict {
    let (word, rest) = text.split_once(", ").expect("a verdict and what it rests on");
    if word == "unsafe" {
        let (property, rest) = rest[1..].split_once("\" is false after ").expect("a property");
        let steps = rest.strip_suffix(" steps").expect("a number of steps");
        return Verdict::Unsafe { property: property.to_owned(), steps: steps.parse().expect("a number") };
    }
    let (states, rest) = rest.split_once(" states").expect("a number of states");
    let states = states.parse().expect("a number");
    let other = rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(" with --no-symmetry)"));
    let without_symmetry = other.map_or(states, |other| other.parse().expect("a number"));
    match word {
        "safe" => Verdict::Safe { states, without_symmetry },
        "unknown" => Verdict::Unknown { states },
        _ => panic!("unknown verdict {word}"),
    }
}

fn dialect(name: &str) -> Dialect {
    if name.ends_with(".tenet") { Dialect::Tenet } else { Dialect::Murphi }
}

/// The finite program that is promised; any diagnostic, even a warning, is a failure.
fn program(name: &str, promise: &Promise) -> Program {
    let dialect = dialect(name);
    let source = source(name);
    let consts = promise.consts.iter().map(|(name, value)| (name.clone(), (*value).into()));
    let settings = Settings { consts: consts.collect(), sizes: promise.sizes.clone(), dialect };
    let (ast, mut diagnostics) = parse(&source, dialect);
    let (model, found) = check(&ast, &settings);
    diagnostics.extend(found);
    assert!(diagnostics.is_empty(), "{}", render(&diagnostics, name, &source, Style::Plain));
    match finite::lower(&model) {
        Ok((program, warnings)) if warnings.is_empty() => program,
        Ok((_, diagnostics)) | Err(diagnostics) => {
            panic!("{}", render(&diagnostics, name, &source, Style::Plain))
        }
    }
}

fn run(program: &Program, promise: &Promise, symmetry: bool) -> Outcome {
    let options =
        Options { symmetry, max_depth: promise.depth, deadlock: promise.deadlock, ..Options::default() };
    explore(program, &options, &mut |_| true)
}

fn complete_states(outcome: &Outcome, promise: &Promise) -> u64 {
    assert_eq!((outcome.end, outcome.traces.len()), (End::Complete, 0), "{}", promise.line);
    outcome.statistics.states
}

fn violated(program: &Program, outcome: &Outcome, promise: &Promise) -> (String, usize) {
    let trace = outcome.traces.first().unwrap_or_else(|| panic!("nothing found: {}", promise.line));
    assert_eq!(replay(program, trace), Ok(()), "{}", promise.line);
    match trace.finding {
        // The first step is the startstate.
        Finding::Property(index) => (program.properties[index].name.clone(), trace.steps.len() - 1),
        other => panic!("{other:?}: {}", promise.line),
    }
}

fn keep(name: &str, promise: &Promise) {
    let program = program(name, promise);
    let [reduced, full] = [true, false].map(|symmetry| run(&program, promise, symmetry));
    match &promise.verdict {
        Verdict::Safe { states, without_symmetry } => {
            let found = [reduced, full].map(|outcome| complete_states(&outcome, promise));
            assert_eq!(found, [*states, *without_symmetry], "{}", promise.line);
        }
        Verdict::Unsafe { property, steps } => {
            for outcome in [reduced, full] {
                assert_eq!(violated(&program, &outcome, promise), (property.clone(), *steps));
            }
        }
        Verdict::Unknown { states } => {
            assert_eq!((reduced.end, reduced.traces.len()), (End::Depth, 0), "{}", promise.line);
            assert_eq!(reduced.statistics.states, *states, "{}", promise.line);
        }
    }
}

/// The names of the files in a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder of models").map(|entry| entry.expect("a model"));
    let files = entries.filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files.map(|file| file.file_name().to_string_lossy().into_owned()).collect();
    // Models in Cubicle's language have a test of their own.
    names.retain(|name| name != "README.md" && !name.ends_with(".cub"));
    names.sort();
    names
}

/// A model for every size, perhaps with a file of hints; any diagnostic, even a warning, is a failure.
fn system(name: &str, hints: &str) -> System {
    system_for_every(name, hints, &[])
}

/// The same, where constants with a value may be any number, too.
fn system_for_every(name: &str, hints: &str, unbounded: &[String]) -> System {
    let model = source(name);
    let text = format!("{model}{hints}");
    let (ast, mut diagnostics) = parse(&model, dialect(name));
    let (more, found) = parse_predicates(&text, model.len());
    diagnostics.extend(found);
    let (model, found) = check_with(&ast, Some(&more), &Settings::new(dialect(name)));
    diagnostics.extend(found);
    assert!(diagnostics.is_empty(), "{}", render(&diagnostics, name, &text, Style::Plain));
    let has_value = |name: &String| model.consts.iter().any(|known| known.name == *name && !known.unknown);
    let names = unbounded.iter().filter(|name| has_value(name)).cloned().collect();
    match read(&model, &Unbounded { names, ..Unbounded::default() }) {
        Ok((system, warnings)) if warnings.is_empty() => system,
        Ok((_, diagnostics)) | Err(diagnostics) => {
            panic!("{}", render(&diagnostics, name, &text, Style::Plain))
        }
    }
}

/// The verdicts and, where they are said, the numbers of predicates that the lines about `tenet abstract` promise. Whether these promises are
/// kept is tested where the provers are.
fn abstract_promises(name: &str) -> Vec<(String, Option<usize>)> {
    let start = format!("--   tenet abstract models/{name} ");
    let header = header(name);
    let lines = header.lines().filter_map(|line| line.strip_prefix(&start));
    let promises = lines.map(|line| {
        let (_, expectation) = line.split_once("  ").expect("an expectation");
        let mut parts = expectation.trim_start().split(", ");
        let verdict = parts.next().expect("a verdict").to_owned();
        let predicates = parts.next().and_then(|part| part.strip_suffix(" predicates"));
        (verdict, predicates.map(|number| number.parse().expect("a number")))
    });
    promises.collect()
}

#[test]
fn the_folder_holds_exactly_these_models() {
    assert_eq!(files(&folder()), MODELS);
}

#[test]
fn the_folder_of_programs_holds_exactly_these_programs() {
    let mut names = [PROGRAMS, CLAUSES].concat();
    names.sort_unstable();
    let found = files(&folder().join("programs"));
    assert_eq!(found.iter().map(|name| format!("programs/{name}")).collect::<Vec<_>>(), names);
}

#[test]
fn every_model_is_listed_and_has_a_broken_variant() {
    let list = source("README.md");
    let names = [MODELS, PROGRAMS, CLAUSES].concat();
    for name in names.iter().filter(|name| !name.contains("_broken")) {
        assert!(list.contains(&format!("[`{name}`]({name})")), "{name} is not in models/README.md");
        let broken = name.replace('.', "_broken.");
        assert!(names.contains(&broken.as_str()), "there is no {broken}");
    }
}

/// A mistake is marked. Two lines more may differ: the guard of the other way out of a loop, say.
#[test]
fn broken_programs_differ_from_the_others_where_it_says_so() {
    let broken = [PROGRAMS, CLAUSES].concat().into_iter().filter(|name| name.contains("_broken"));
    for name in broken {
        let (correct, wrong) = (source(&name.replace("_broken", "")), source(name));
        let is_kept =
            |line: &&str| line.starts_with(['-', ';']) || correct.lines().any(|other| other == *line);
        let changed: Vec<&str> = wrong.lines().filter(|line| !is_kept(line)).collect();
        assert!(changed.len() <= 3, "{name}: {changed:?}");
        assert_eq!(changed.iter().filter(|line| line.contains("BUG")).count(), 1, "{name}: {changed:?}");
    }
}

#[test]
fn horn_clauses_say_what_to_expect() {
    for name in CLAUSES {
        let expected = if name.contains("_broken") { "unsafe" } else { "safe" };
        assert!(source(name).contains(&format!("\n; What to expect: {expected}\n")), "{name}");
    }
}

#[test]
fn the_folder_of_papers_holds_exactly_these_models() {
    let mut names = [PAPERS, DESIGNS, HINTS].concat();
    names.sort_unstable();
    assert_eq!(files(&folder().join("papers")), names);
}

#[test]
fn papers_are_read_for_every_size_with_the_predicates_they_promise() {
    for name in PAPERS.iter().map(|name| format!("papers/{name}")) {
        let system = system(&name, "");
        let abstractions = abstract_promises(&name);
        // Programs for refinement have no predicates; what their headers say is checked beside the binary.
        let is_program = name.contains("refine_");
        assert_eq!(abstractions.is_empty(), is_program, "{name}: lines about `tenet abstract`");
        let is_wrong = name.contains("broken")
            || ["frontier", "first_try", "interval"].iter().any(|word| name.contains(word));
        for (verdict, predicates) in abstractions {
            assert_eq!(verdict == "safe", !is_wrong, "{name}: {verdict}");
            assert_eq!(system.predicates.len(), predicates.unwrap_or(system.predicates.len()), "{name}");
        }
        promises(&name).iter().for_each(|promise| keep(&name, promise));
    }
}

#[test]
fn hints_beside_papers_are_about_their_models() {
    for name in HINTS {
        let model = format!("papers/{}", name.replace(".instances", ".tenet"));
        let hints = source(&format!("papers/{name}"));
        let system = system(&model, &hints);
        assert!(!system.hints.is_empty(), "{name}");
    }
}

#[test]
fn models_keep_the_promises_of_their_headers() {
    for name in MODELS.iter().chain(PROGRAMS) {
        let promises = promises(name);
        assert!(promises.len() >= 2, "{name}: a header promises at least two things");
        promises.iter().for_each(|promise| keep(name, promise));
    }
}

/// The claim for every size: the sizes, each with its least value, and the verdict.
fn every(name: &str) -> (Vec<(String, i64)>, String) {
    let header = header(name);
    let lines: Vec<&str> = header.lines().filter_map(|line| line.strip_prefix("--   every ")).collect();
    let [line] = lines[..] else { panic!("{name}: {} lines about every size", lines.len()) };
    let (sizes, verdict) = line.split_once(": ").expect("a verdict");
    let sizes = sizes.replace(" and ", ", ");
    let sized = sizes.split(", ").map(|size| match size.split_once(" >= ") {
        Some((name, least)) => (name.to_owned(), least.parse().expect("a number")),
        None => (size.to_owned(), 1),
    });
    (sized.collect(), verdict.to_owned())
}

#[test]
fn models_have_a_reading_for_every_size() {
    for name in MODELS.iter().chain(PROGRAMS) {
        let (sizes, _) = every(name);
        let names: Vec<String> = sizes.into_iter().map(|(name, _)| name).collect();
        let system = system_for_every(name, "", &names);
        assert!(
            system.predicates.is_empty() && system.hints.is_empty(),
            "{name}: nothing is given away here"
        );
    }
}

#[test]
fn what_is_promised_for_every_size_is_so_for_the_sizes_that_are_explored() {
    for name in MODELS.iter().chain(PROGRAMS) {
        let (sizes, verdict) = every(name);
        let is_broken = name.contains("_broken");
        assert_eq!(verdict, if is_broken { "unsafe" } else { "safe" }, "{name}");
        let promises = promises(name);
        let is_violated = |promise: &Promise| matches!(promise.verdict, Verdict::Unsafe { .. });
        if !is_broken {
            assert!(!promises.iter().any(is_violated), "{name}");
            continue;
        }
        let (sized, least) = &sizes[0];
        let with = |value: i64| promises.iter().filter(move |promise| promise.sets(sized) == Some(value));
        assert!(with(*least).any(is_violated), "{name}: nothing shows the violation with {sized} = {least}");
        if *least > 1 {
            assert!(with(least - 1).count() > 0, "{name}: nothing shows that {sized} = {least} is the least");
            assert!(!with(least - 1).any(is_violated), "{name}: {sized} = {least} is not the least");
        }
    }
}

/// Every rule of a model that is safe can happen: a model of which a part is dead shows less than it seems to.
#[test]
fn every_rule_fires() {
    for name in MODELS.iter().chain(PROGRAMS).filter(|name| !name.contains("_broken")) {
        let promises = promises(name);
        let program = program(name, &promises[0]);
        let outcome = run(&program, &promises[0], true);
        for (rule, fired) in program.rules.iter().zip(&outcome.fired) {
            assert!(*fired > 0, "{name}: \"{}\" never fires", rule.name);
        }
    }
}
