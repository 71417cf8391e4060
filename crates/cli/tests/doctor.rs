//! `tenet doctor` reports which Yosys reads Verilog, and why that one. Each of them is a script here that prints another version.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A checkout in which set-up has provided a Yosys, and others elsewhere.
struct Machine {
    folder: TempDir,
}

impl Machine {
    fn new() -> Machine {
        // Beside the program, so that it can have another name there.
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
        let machine = Machine { folder };
        for (place, version) in [
            (".deps/yosys/bin/yosys", "0.1"),
            ("path/yosys", "0.2"),
            ("environment/yosys", "0.3"),
            ("named/yosys", "0.4"),
        ] {
            let file = machine.at(place);
            fs::create_dir_all(file.parent().expect("it is in a folder")).expect("a folder can be made");
            fs::write(&file, format!("#!/bin/sh\necho 'Yosys {version} (a script)'\n")).expect("a file");
            fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("it can be executable");
        }
        let (own, program) = (env!("CARGO_BIN_EXE_tenet"), machine.at("tenet"));
        fs::hard_link(own, &program).or_else(|_| fs::copy(own, &program).map(drop)).expect("a program");
        machine
    }

    fn at(&self, place: &str) -> PathBuf {
        self.folder.path().join(place)
    }

    /// Runs the doctor with one folder on the PATH.
    fn doctor(&self, on_path: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.at("tenet"));
        command.arg("doctor").args(arguments).env("PATH", self.at(on_path)).env_remove("TENET_YOSYS");
        command
    }

    /// Checks the report on Yosys, as text and as an object.
    fn check(&self, on_path: &str, options: &[&str], environment: Option<&Path>, expected: Expected<'_>) {
        let run = |more: &[&str]| {
            let mut command = self.doctor(on_path, &[options, more].concat());
            command.envs(environment.map(|program| ("TENET_YOSYS", program)));
            let output = command.output().expect("tenet starts");
            assert!(output.status.success(), "{output:?}");
            String::from_utf8(output.stdout).expect("text")
        };
        let Expected { place, version, why, origin } = expected;
        let path = self.at(place).display().to_string();
        let line = format!("yosys       {version}  {path} ({why})  (optional: reads Verilog)\n");
        let text = run(&[]);
        assert!(text.contains(&line), "{line}{text}");
        let object: serde_json::Value = serde_json::from_str(&run(&["--json"])).expect("JSON");
        let programs = object["programs"].as_array().expect("a list");
        let yosys = programs.iter().find(|program| program["name"] == "yosys").expect("it is there");
        let expected = serde_json::json!({
            "name": "yosys",
            "found": true,
            "version": version,
            "needed": false,
            "purpose": "reads Verilog",
            "path": path,
            "origin": origin,
        });
        assert_eq!(*yosys, expected);
    }
}

struct Expected<'a> {
    place: &'a str,
    version: &'a str,
    why: &'a str,
    origin: &'a str,
}

#[test]
fn the_option_comes_before_the_environment_the_path_and_set_up() {
    let machine = Machine::new();
    let named = machine.at("named/yosys");
    let option = ["--yosys", named.to_str().expect("a path of text")];
    let environment = machine.at("environment/yosys");
    let expected = Expected { place: "named/yosys", version: "0.4", why: "--yosys", origin: "option" };
    machine.check("path", &option, Some(&environment), expected);
    let expected =
        Expected { place: "environment/yosys", version: "0.3", why: "TENET_YOSYS", origin: "environment" };
    machine.check("path", &[], Some(&environment), expected);
    let expected = Expected { place: "path/yosys", version: "0.2", why: "on the PATH", origin: "path" };
    machine.check("path", &[], None, expected);
    let expected = Expected {
        place: ".deps/yosys/bin/yosys",
        version: "0.1",
        why: "from make setup; there is none on the PATH",
        origin: "setup",
    };
    machine.check("empty", &[], None, expected);
}

#[test]
fn a_yosys_that_is_not_there_is_said_to_be_missing() {
    let machine = Machine::new();
    let nowhere = machine.at("nowhere/yosys");
    let output = machine.doctor("path", &["--yosys"]).arg(&nowhere).output().expect("tenet starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let line = format!("yosys       not found  {} (--yosys)  (optional: reads Verilog)\n", nowhere.display());
    assert!(text.contains(&line), "{text}");
}
