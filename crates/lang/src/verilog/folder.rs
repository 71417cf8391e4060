//! A temporary folder that is removed when it is dropped, whatever happens before.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Makes the folders of one process distinct.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// A private folder that other users cannot read.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes a folder where the system keeps temporary ones.
    pub fn new() -> io::Result<Folder> {
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(format!("tenet-{}-{number}", std::process::id()));
            match private(&path) {
                // Left over from another process with this id, or planted: try the next one.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(()) => return Ok(Folder { path }),
            }
        }
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file in it.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> io::Result<()> {
        fs::write(self.path.join(name), content)
    }

    /// Reads a file in it; invalid UTF-8 is replaced.
    pub fn read(&self, name: &str) -> io::Result<String> {
        fs::read(self.path.join(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The error cannot be reported here, and the system removes temporary files in the end.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn private(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_gone_after_use() {
        let path = {
            let folder = Folder::new().expect("a folder can be made");
            folder.write("a b", "text").expect("a file can be written");
            assert_eq!(folder.read("a b").expect("it can be read"), "text");
            folder.path().to_path_buf()
        };
        assert!(!path.exists());
    }
}
