//! A few dozen random models of a fixed seed: `prove` must not contradict `explore`. `make campaign` looks at new ones.

use std::process::Command;

#[test]
fn proofs_do_not_contradict_explored_instances() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/campaign");
    let findings = concat!(env!("CARGO_TARGET_TMPDIR"), "/findings");
    let output = Command::new("python3")
        .args(["-B", script, "--seed", "1", "--count", "20", "--timeout", "30"])
        .args(["--tenet", env!("CARGO_BIN_EXE_tenet"), "--findings", findings])
        .output()
        .expect("python3 starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}
