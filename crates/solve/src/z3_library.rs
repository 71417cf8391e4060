//! What is known about the libz3 that this process has loaded.
//!
//! The version is asked from the library at run time. The one the build was told (`Z3_SYS_Z3_VERSION`) only says which
//! functions may be called; a newer library may have been put in its place since.

/// The full version of the loaded libz3, as it reports it itself, such as `5.4.0.0`.
#[must_use]
pub fn z3_version() -> String {
    ::z3::full_version().to_owned()
}
