//! Lets the `tenet` binary find libz3 when it is started without cargo, wherever the target folder is.
//!
//! The second entry is for a binary that is distributed with its library: `bin/tenet` and `lib/libz3.so`. Whatever else set-up
//! has put beside libz3 is found from there, too (`TENET_DEPS`).

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let Ok(library_folder) = env::var("Z3_LIBRARY_PATH_OVERRIDE") else { return };
    let origin =
        if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("macos") { "@loader_path" } else { "$ORIGIN" };
    println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{library_folder}");
    println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{origin}/../lib");
    // `.deps/z3/lib`
    if let Some(folder) = Path::new(&library_folder).ancestors().nth(2) {
        println!("cargo::rustc-env=TENET_DEPS={}", folder.display());
    }
}
