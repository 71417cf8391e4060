//! Files of a folder of tests, and the expected output in the `.txt` beside each. With `UPDATE_EXPECT=1` in the
//! environment these are written instead; read the difference before you keep it.

use std::fs;
use std::path::{Path, PathBuf};

/// The files with this ending in a folder below `tests`, in order.
pub fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|known| known == ending)).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// Compares with what is expected of a file.
pub fn compare(path: &Path, actual: &str) {
    let golden = path.with_extension("txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&golden, actual).unwrap();
    }
    let expected = fs::read_to_string(&golden).unwrap_or_default();
    assert!(expected == actual, "{} differs; got:\n{actual}", golden.display());
}
