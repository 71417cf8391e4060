//! A time limit holds within one second, and the first signal ends the work, whatever the work is: every model of the repository, and
//! models that are made to keep one phase busy for ever.
//!
//! The machine may be busy. How late it wakes up a thread that does nothing but wait is measured beside each run, and allowed
//! for; on an idle machine it is negligible.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The allowed delay after a limit.
const SECOND: Duration = Duration::from_secs(1);
/// The polling interval for the end of a command.
const INTERVAL: Duration = Duration::from_millis(5);
/// The delay after a limit at which a command is killed.
const FOREVER: Duration = Duration::from_secs(30);

/// A finished run.
struct Ended {
    status: ExitStatus,
    output: String,
    /// Its duration.
    took: Duration,
    /// The time from the signal to its end, if there was a signal.
    since_signal: Option<Duration>,
    /// How late the machine woke up this thread, in total.
    late: Duration,
}

impl Ended {
    /// The allowed duration of a run with a limit. Starting, waking up and ending are three occasions to be late.
    fn allowed(&self, limit: Duration) -> Duration {
        limit + SECOND + 3 * self.late
    }
}

fn tenet(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tenet"));
    command.args(arguments).stdin(Stdio::null()).env_remove("RUST_BACKTRACE");
    command.current_dir(root());
    command
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a command to its end. SIGTERM is sent at a given time, if any.
fn run(arguments: &[&str], signal: Option<Duration>) -> Ended {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let file = folder().join(format!("output_{number}"));
    let output = fs::File::create(&file).expect("files can be made");
    let start = Instant::now();
    let mut child = tenet(arguments).stdout(output).stderr(Stdio::null()).spawn().expect("tenet starts");
    let mut late = Duration::ZERO;
    let mut signalled = None;
    let status = loop {
        if let Some(status) = child.try_wait().expect("the process can be waited for") {
            break status;
        }
        if start.elapsed() > FOREVER {
            end(&mut child);
            panic!("{arguments:?} does not end");
        }
        if signalled.is_none() && signal.is_some_and(|moment| start.elapsed() >= moment) {
            signalled = Some(Instant::now());
            terminate(&child);
        }
        let before = Instant::now();
        thread::park_timeout(INTERVAL);
        late += before.elapsed().saturating_sub(INTERVAL);
    };
    let output = fs::read(&file).expect("the output can be read");
    let output = String::from_utf8_lossy(&output).into_owned();
    let since_signal = signalled.map(|signalled| signalled.elapsed());
    Ended { status, output, took: start.elapsed(), since_signal, late }
}

fn end(child: &mut Child) {
    child.kill().expect("the process can be ended");
    child.wait().expect("the process can be waited for");
}

fn terminate(child: &Child) {
    let pid = child.id().to_string();
    // If the process has ended by itself meanwhile, there is nothing to signal.
    let _ = Command::new("kill").args(["-TERM", &pid]).stderr(Stdio::null()).status();
}

/// A folder for the files of these tests.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("limits");
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn write(name: &str, content: &str) -> String {
    let file = folder().join(name);
    fs::write(&file, content).expect("the file can be written");
    file.to_str().expect("the path is text").to_string()
}

/// The models of the repository, by name.
fn models() -> Vec<String> {
    let mut folders = vec![root().join("models")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if ["m", "tenet", "cub", "smt2", "btor2", "v", "sv", "clp"].contains(&ending) {
                found.push(path.to_str().expect("the path is text").to_string());
            }
        }
    }
    found.sort();
    found
}

/// Runs a function on each item, two at a time, and returns the errors.
fn for_each<T: Sync>(items: &[T], judge: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let items = numbers.map_while(|number| items.get(number));
        items.filter_map(&judge).collect::<Vec<String>>()
    };
    thread::scope(|scope| {
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().expect("the worker does not panic")).collect()
    })
}

/// The error of a run with a limit, if there is one.
fn judge(arguments: &[&str], limit: Duration, ended: &Ended) -> Option<String> {
    let code = ended.status.code();
    let is_answer = matches!(code, Some(0 | 10 | 5 | 3 | 4));
    let is_in_time = ended.took <= ended.allowed(limit);
    (!is_answer || !is_in_time).then(|| {
        format!("{arguments:?}: exit {code:?} after {:?} (machine late by {:?})", ended.took, ended.late)
    })
}

#[test]
fn every_model_keeps_its_limit() {
    let models = models();
    assert!(models.len() > 100, "the models are where they were");
    let failures = for_each(&models, |model| {
        // A command that answers before the shorter limit does the same with the longer one, so that one is not tried
        // then.
        ["1", "2"].into_iter().find_map(|seconds| {
            let arguments = ["prove", model, "--timeout", seconds];
            let limit = Duration::from_secs(seconds.parse().expect("a number"));
            let ended = run(&arguments, None);
            match judge(&arguments, limit, &ended) {
                None if ended.took < limit => Some(None),
                None => None,
                failure => Some(failure),
            }
        })?
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Models that keep one phase busy: the command with its file.
fn endless() -> Vec<Vec<String>> {
    let multiplier = write("multiplier.btor2", MULTIPLIER);
    let quantifier = write("quantifier.m", &quantifier());
    let starts = write("starts.cub", STARTS);
    let pointers = write("pointers.m", POINTERS);
    let sorting = write("sorting.m", SORTING);
    let lines: [&[&str]; 7] = [
        &["prove", &multiplier],
        &["prove", &multiplier, "--engine", "hybrid"],
        &["explore", &quantifier],
        &["explore", &starts, "--size", "proc=5"],
        &["explore", &pointers, "--no-symmetry"],
        &["explore", &pointers],
        &["prove", &sorting],
    ];
    lines.into_iter().map(|line| line.iter().map(ToString::to_string).collect()).collect()
}

/// Products of three numbers in another order: no solver finds out that they are equal.
const MULTIPLIER: &str = "\
1 sort bitvec 512
2 sort bitvec 1
3 state 1 a
4 state 1 b
5 input 1 i
6 mul 1 3 5
7 next 1 3 6
8 next 1 4 5
9 mul 1 3 4
10 mul 1 9 5
11 mul 1 4 5
12 mul 1 11 3
13 neq 2 10 12
14 bad 13
";

/// The initial condition is unsatisfiable, which is noticed after all values were tried.
const STARTS: &str = "\
type colour = Red | Green | Blue
array Paint[proc,proc] : colour
var Wet : bool
init (x y) { Wet = True && Paint[x,y] <> Red && Paint[x,y] <> Green && Paint[x,y] <> Blue }
unsafe (x) { Wet = False }
transition wait (x) requires { Wet = True } { Wet := True }
";

/// Elements that point at each other, which symmetry hardly reduces.
const POINTERS: &str = "\
type NODE : scalarset(60);
var next : array [NODE] of NODE;
startstate for n : NODE do next[n] := n; end; end;
ruleset n : NODE; m : NODE do rule \"point\" next[n] = n ==> next[n] := m; end; end;
invariant \"something\" exists n : NODE do next[n] = n end | true;
";

/// A hundred steps that each depend on all before them.
const SORTING: &str = "\
const SIZE : 14;
type PLACE : 0..SIZE - 1; VALUE : 0..4;
var list : array [PLACE] of VALUE; least : VALUE;
procedure sort(var l : array [PLACE] of VALUE);
var held : VALUE;
begin
  for i : 0..SIZE - 2 do for j := i + 1 to SIZE - 1 do
    if l[i] < l[j] then held := l[i]; l[i] := l[j]; l[j] := held; end;
  end; end;
end;
startstate for p : PLACE do list[p] := 0; end; least := 0; end;
ruleset v : VALUE; p : PLACE do rule \"put\" list[p] = 0 ==> list[p] := v; sort(list); least := list[SIZE - 1]; end; end;
invariant \"least\" least <= list[0];
";

/// An invariant over ten variables at once.
fn quantifier() -> String {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "k", "l"];
    let begin: String = names.iter().map(|name| format!("forall {name} : NODE do ")).collect();
    let sum = names.map(|name| format!("held[{name}]")).join(" | ");
    let end = "end ".repeat(names.len());
    format!(
        "type NODE : scalarset(12);\nvar held : array [NODE] of boolean;\n\
         startstate for n : NODE do held[n] := true; end; end;\n\
         ruleset n : NODE do rule \"take\" held[n] ==> held[n] := true; end; end;\n\
         invariant \"held\" {begin} {sum} {end};\n"
    )
}

#[test]
fn every_phase_keeps_its_limit() {
    let lines = endless();
    let failures = for_each(&lines, |line| {
        let mut arguments: Vec<&str> = line.iter().map(String::as_str).collect();
        arguments.extend(["--timeout", "1", "--json"]);
        let ended = run(&arguments, None);
        let object: Option<serde_json::Value> = serde_json::from_str(&ended.output).ok();
        let is_object = object.is_some_and(|object| object["verdict"].is_string());
        let failure = judge(&arguments, SECOND, &ended);
        failure.or_else(|| (!is_object).then(|| format!("{arguments:?} prints {}", ended.output)))
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_first_signal_ends_the_work() {
    // Ten moments, the same in each run: steps of a generator of Lehmer's.
    let moments = std::iter::successors(Some(20_261_118u64), |last| Some(last * 48_271 % 0x7fff_ffff));
    let moments = moments.skip(1).take(10).map(|number| Duration::from_millis(number % 1500));
    let lines = endless();
    let cases: Vec<(Duration, &Vec<String>)> = moments.zip(lines.iter().cycle()).collect();
    let failures = for_each(&cases, |(moment, line)| {
        let arguments: Vec<&str> = line.iter().map(String::as_str).collect();
        let ended = run(&arguments, Some(*moment));
        let Some(since) = ended.since_signal else { return judge(&arguments, FOREVER, &ended) };
        // Without a code the signal came before the handler was installed; with another one the answer came first.
        let is_end = matches!(ended.status.code(), None | Some(130 | 0 | 10 | 5));
        let is_in_time = since <= ended.allowed(Duration::ZERO);
        let says_so = ended.status.code() != Some(130) || ended.output.contains("interrupted");
        (!is_end || !is_in_time || !says_so).then(|| {
            format!("{arguments:?} at {moment:?}: {} {since:?} after it: {}", ended.status, ended.output)
        })
    });
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn horn_clauses_are_unknown_in_their_own_format() {
    let clauses = write("squares.smt2", SQUARES);
    let ended = run(&["prove", &clauses, "--timeout", "1", "--format", "chc"], None);
    assert!(
        ["unknown\n", "sat", "unsat"].iter().any(|answer| ended.output.starts_with(answer)),
        "{}",
        ended.output
    );
    assert!(ended.took <= ended.allowed(SECOND), "{:?}", ended.took);
}

/// Sums of cubes, about which nothing simple is inductive.
const SQUARES: &str = "\
(set-logic HORN)
(declare-fun P (Int Int Int) Bool)
(assert (forall ((x Int)) (=> (> x 1) (P x 1 0))))
(assert (forall ((x Int) (y Int) (s Int)) (=> (and (P x y s) (< y (* x x))) (P x (+ y 1) (+ s (* y y y))))))
(assert (forall ((x Int) (y Int) (s Int)) (=> (and (P x y s) (= (* 4 s) (+ 7 (* x y y)))) false)))
(check-sat)
";

/// A name with the prefix of bit-vector names is an ordinary name.
#[test]
fn names_like_those_of_solvers_are_names() {
    let model = write(
        "names.m",
        "var bvalid, bvadd, and, let, select : boolean;\n\
         startstate bvalid := true; bvadd := true; and := true; let := true; select := true; end;\n\
         rule \"next\" bvalid ==> bvadd := and & let; end;\n\
         invariant \"all\" bvalid & bvadd & and & let & select;\n",
    );
    let ended = run(&["prove", &model, "--timeout", "10", "-q"], None);
    assert_eq!(ended.status.code(), Some(0), "{}", ended.output);
}

fn output(arguments: &[&str]) -> Output {
    tenet(arguments).output().expect("tenet starts")
}

const LAMP: &str = "var lit : boolean;\nstartstate lit := true; end;\nrule \"keep\" lit ==> lit := true; end;\n\
    invariant \"lit\" lit;\n";

/// A command does not overwrite its inputs, whatever the file is called.
#[cfg(unix)]
#[test]
fn inputs_are_not_overwritten() {
    let model = write("lamp.m", LAMP);
    let (hard, soft) = (folder().join("hard.cert"), folder().join("soft.cert"));
    for link in [&hard, &soft] {
        let _ = fs::remove_file(link);
    }
    fs::hard_link(&model, &hard).expect("links can be made");
    std::os::unix::fs::symlink(&model, &soft).expect("links can be made");
    let dotted = folder().join("..").join("limits").join("lamp.m");
    for out in [&hard, &soft, &dotted, &PathBuf::from(&model)] {
        let out = out.to_str().expect("the path is text");
        for command in ["prove", "abstract"] {
            let ended = output(&[command, &model, "--certificate", out]);
            assert_eq!(ended.status.code(), Some(2), "{out}: {}", String::from_utf8_lossy(&ended.stderr));
        }
        assert_eq!(fs::read_to_string(&model).expect("the model is there"), LAMP);
    }
}

/// A file that cannot be written completely is not written, and an existing one stays.
#[cfg(target_os = "linux")]
#[test]
fn files_are_written_whole_or_not_at_all() {
    let model = write("lamp_whole.m", LAMP);
    let certificate = write("whole.cert", "what was there\n");
    let line = format!(
        "ulimit -f 1; exec {} prove {model} -q --certificate {certificate}",
        env!("CARGO_BIN_EXE_tenet")
    );
    let ended = Command::new("bash").args(["-c", &line]).output().expect("bash starts");
    assert_eq!(ended.status.code(), Some(4), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(fs::read_to_string(&certificate).expect("it is there"), "what was there\n");
    let ended = output(&["prove", &model, "-q", "--certificate", &certificate]);
    assert_eq!(ended.status.code(), Some(0));
    assert!(fs::read_to_string(&certificate).expect("it is there").ends_with("\n"));
    assert_eq!(output(&["verify", &certificate]).status.code(), Some(0));
    let parts = fs::read_dir(folder()).expect("the folder can be read");
    let is_part = |name: &str| name.starts_with(".whole.cert") && name.ends_with(".part");
    assert!(!parts.flatten().any(|entry| is_part(&entry.file_name().to_string_lossy())), "parts are left");
}

/// Where the system refuses memory, that is an error of the environment, as an object, too.
#[cfg(target_os = "linux")]
#[test]
fn out_of_memory_is_no_crash() {
    let multiplier = write("memory.btor2", MULTIPLIER);
    for engine in ["auto", "refine"] {
        let line = format!(
            "ulimit -v 450000; exec {} prove {multiplier} --engine {engine} --timeout 5 --json",
            env!("CARGO_BIN_EXE_tenet")
        );
        let ended = Command::new("bash").args(["-c", &line]).output().expect("bash starts");
        let code = ended.status.code();
        assert!(
            matches!(code, Some(4 | 5)),
            "{engine}: {code:?}: {}",
            String::from_utf8_lossy(&ended.stderr)
        );
        let object: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
        assert!(object["error"].is_string() == (code == Some(4)), "{object}");
    }
}
