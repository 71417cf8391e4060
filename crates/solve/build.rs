//! Makes libz3 loadable for whatever cargo runs: tests, doctests, benches, examples and `cargo run` of every crate.
//!
//! Cargo puts a native library folder on the dynamic linker's path of the programs it starts, provided the folder lies
//! in the target folder. So the library is linked by symlinks into `OUT_DIR`, and that folder is announced. This is
//! transitive, holds for any target folder, and survives a `RUSTFLAGS` in the environment; an rpath in the cargo
//! configuration does neither, and an rpath from a build script would be needed once per crate above this one.
//! The `tenet` binary, which is also started without cargo, gets an rpath from the build script of its own crate.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    // Not set means that this is built as a dependency of another project, whose linker settings then apply.
    let Some(library_folder) = env::var_os("Z3_LIBRARY_PATH_OVERRIDE").map(PathBuf::from) else { return };
    println!("cargo::rerun-if-changed={}", library_folder.display());
    let out_dir = PathBuf::from(env::var_os("OUT_DIR").expect("invariant: cargo sets OUT_DIR"));
    match link_libraries(&library_folder, &out_dir.join("libz3")) {
        Ok(folder) => println!("cargo::rustc-link-search=native={}", folder.display()),
        Err(error) => {
            println!("cargo::error=no libz3 in {} ({error}): run `make setup`", library_folder.display());
        }
    }
}

/// Fills `folder` with links to the libz3 files of `source` and returns it.
fn link_libraries(source: &Path, folder: &Path) -> io::Result<PathBuf> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let mut count = 0;
    for entry in fs::read_dir(source)? {
        let path = entry?.path();
        let Some(name) = path.file_name().filter(|name| name.to_string_lossy().starts_with("libz3.")) else {
            continue;
        };
        std::os::unix::fs::symlink(&path, folder.join(name))?;
        count += 1;
    }
    if count == 0 {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the folder holds no such file"));
    }
    Ok(folder.to_path_buf())
}
