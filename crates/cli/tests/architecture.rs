//! The rules of ARCHITECTURE.md that a machine can check, so that they stay true without anyone remembering them.
//!
//! The crates and their dependencies are read from cargo itself (`cargo metadata`), not from the text of the manifests:
//! a renamed or a target-specific dependency cannot slip through. Development and build dependencies count as well,
//! since a test that reaches upwards ties the layers together just as a library does.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The layers, lowest first, each with the layers it may depend on. Both tests below together rule out cycles: every
/// allowed edge points to an earlier line, and every edge is allowed.
const LAYERS: &[(&str, &[&str])] = &[
    // For tests alone.
    ("chance", &[]),
    ("term", &["chance"]),
    ("system", &["chance", "term"]),
    ("lang", &["chance", "term", "system"]),
    ("solve", &["chance", "term", "system"]),
    ("abstraction", &["chance", "term", "system", "solve"]),
    // The checker of certificates must not share code with what produced them.
    ("proof", &["chance", "term", "system", "lang", "solve"]),
    ("engine", &["chance", "term", "system", "solve", "abstraction"]),
    ("report", &["chance", "term", "system", "lang", "proof"]),
    ("session", &["chance", "term", "system", "lang", "solve", "proof", "engine", "report"]),
    (
        "cli",
        &["chance", "term", "system", "lang", "solve", "abstraction", "proof", "engine", "report", "session"],
    ),
];

/// Third-party packages that only one layer may use.
const OWNED_PACKAGES: &[(&str, &str)] = &[
    ("z3", "solve"),
    ("anyhow", "cli"),
    ("clap", "cli"),
    ("clap_complete", "cli"),
    ("clap_mangen", "cli"),
    ("ctrlc", "cli"),
    // Libraries emit events; the subscriber is the program's business.
    ("tracing-subscriber", "cli"),
];

/// One crate of the workspace as cargo sees it.
struct Crate {
    /// The name of its folder, which the documents use.
    name: String,
    folder: PathBuf,
    /// Folder names of the crates and names of the third-party packages it depends on.
    dependencies: Vec<String>,
    /// The root files of its libraries and binaries.
    roots: Vec<PathBuf>,
}

#[test]
fn dependencies_point_downwards() {
    let violations: Vec<String> = workspace().iter().flat_map(violations_of).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn the_table_of_layers_has_no_upward_edge() {
    for (position, (name, below)) in LAYERS.iter().enumerate() {
        for lower in *below {
            let known = LAYERS[..position].iter().any(|(earlier, _)| earlier == lower);
            assert!(known, "`{name}` is listed before `{lower}`, which it may use");
        }
    }
}

#[test]
fn a_wrong_dependency_would_be_noticed() {
    let violations = |name: &str, dependency: &str| {
        let dependencies = vec![dependency.to_owned()];
        violations_of(&Crate { name: name.into(), folder: PathBuf::new(), dependencies, roots: Vec::new() })
            .len()
    };
    assert_eq!(violations("cli", "term"), 0);
    assert_eq!(violations("solve", "z3"), 0);
    assert_eq!(violations("term", "system"), 1);
    assert_eq!(violations("proof", "engine"), 1);
    assert_eq!(violations("engine", "z3"), 1);
    assert_eq!(violations("nowhere", "term"), 1);
}

/// Files below the binary that may read a clock, all of them for statistics and for limits of the user.
const CLOCKS: &[&str] = &[
    "lang/src/verilog/yosys.rs",
    "system/src/finite/explore.rs",
    "system/src/finite/explore/pace.rs",
    "solve/src/bits/clauses.rs",
    "solve/src/bits/solver.rs",
    "solve/src/smtlib/pipe.rs",
    "solve/src/smtlib/process.rs",
    "solve/src/z3/run.rs",
    "solve/src/z3/solver.rs",
    "solve/src/z3_refutation.rs",
    "solve/src/z3_spacer.rs",
    "solve/src/z3_text.rs",
    "solve/src/questions.rs",
    "solve/src/solver.rs",
    "engine/src/hybrid/search.rs",
    "engine/src/recursive/mod.rs",
    "engine/src/recursive/outcome.rs",
    // Budgets, and reports of their use.
    "session/src/attempt.rs",
    "session/src/budget.rs",
    "session/src/observer.rs",
    "session/src/recursive/verdict.rs",
    "session/src/watcher.rs",
];

/// Results must not depend on how busy the machine is, so slices are measured in work (`solve::effort`).
#[test]
fn no_clock_decides_what_is_found() {
    let mut found = Vec::new();
    for krate in workspace().iter().filter(|krate| krate.name != "cli") {
        let mut folders = vec![krate.folder.join("src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder of sources").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if read(&path).contains("std::time") {
                    let inside = path.strip_prefix(&krate.folder).expect("a file of the crate");
                    found.push(format!("{}/{}", krate.name, inside.display()));
                }
            }
        }
    }
    found.retain(|file| !CLOCKS.contains(&file.as_str()));
    assert!(found.is_empty(), "these look at a clock: {found:?}");
}

#[test]
fn every_crate_forbids_unsafe_code() {
    for krate in workspace() {
        assert!(!krate.roots.is_empty(), "`{}` has neither a library nor a binary", krate.name);
        for root in &krate.roots {
            assert!(
                read(root).contains("#![forbid(unsafe_code)]"),
                "{} does not forbid unsafe code",
                root.display()
            );
        }
    }
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace() {
    for krate in workspace() {
        let manifest = read(&krate.folder.join("Cargo.toml"));
        assert!(manifest.contains("[lints]\nworkspace = true"), "`{}` has lints of its own", krate.name);
    }
}

#[test]
fn every_source_file_says_what_it_is() {
    let files = source_files(&root().join("crates"));
    assert!(files.len() >= workspace().len(), "only {} source files found", files.len());
    let silent: Vec<_> = files.iter().filter(|file| !read(file).starts_with("//!")).collect();
    assert!(silent.is_empty(), "these files do not start with `//!`: {silent:#?}");
}

#[test]
fn the_architecture_document_mentions_every_crate() {
    let document = read(&root().join("ARCHITECTURE.md"));
    for Crate { name, .. } in workspace() {
        let mentioned =
            document.contains(&format!("`{name}`")) || document.contains(&format!("crates/{name}"));
        assert!(mentioned, "ARCHITECTURE.md does not mention `{name}`");
    }
}

/// The dependencies of a crate that are not allowed, one line each.
fn violations_of(krate: &Crate) -> Vec<String> {
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == krate.name) else {
        return vec![format!(
            "`{}` is no layer: add it to the table in this file and to ARCHITECTURE.md",
            krate.name
        )];
    };
    let is_violation = |dependency: &&String| {
        let is_layer = LAYERS.iter().any(|(name, _)| name == dependency);
        let owner = OWNED_PACKAGES.iter().find(|(package, _)| package == dependency).map(|(_, owner)| *owner);
        (is_layer && !allowed.contains(&dependency.as_str()))
            || owner.is_some_and(|owner| owner != krate.name)
    };
    let wrong = krate.dependencies.iter().filter(is_violation);
    wrong.map(|dependency| format!("`{}` must not depend on `{dependency}`", krate.name)).collect()
}

/// The crates of the workspace.
fn workspace() -> Vec<Crate> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(root());
    let output = command.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    list(&metadata["packages"]).iter().map(read_crate).collect()
}

fn read_crate(package: &Value) -> Crate {
    let folder = parent(Path::new(text(&package["manifest_path"])));
    let targets = list(&package["targets"]).iter();
    let roots =
        targets.filter(|target| list(&target["kind"]).iter().any(|kind| kind == "lib" || kind == "bin"));
    Crate {
        name: base_name(&folder),
        dependencies: list(&package["dependencies"]).iter().map(dependency_name).collect(),
        roots: roots.map(|target| PathBuf::from(text(&target["src_path"]))).collect(),
        folder,
    }
}

/// Our own crates go by their folder, others by their package name.
fn dependency_name(dependency: &Value) -> String {
    match dependency["path"].as_str() {
        Some(folder) => base_name(Path::new(folder)),
        None => text(&dependency["name"]).to_owned(),
    }
}

/// Every Rust file below a folder, in a fixed order.
fn source_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be listed") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn root() -> PathBuf {
    parent(&parent(Path::new(env!("CARGO_MANIFEST_DIR"))))
}

fn parent(path: &Path) -> PathBuf {
    path.parent().expect("a file of the workspace has a folder").to_path_buf()
}

fn base_name(path: &Path) -> String {
    path.file_name().expect("a crate's folder has a name").to_string_lossy().into_owned()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("cargo writes a string here")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("cargo writes a list here")
}
