//! The log: one line for each event, `SECONDS LEVEL WHERE: WHAT name=value …`.
//!
//! The inputs of the command are not known at this moment: a design may include other files, a certificate names its model. So an
//! existing file is only overwritten if it is a log itself, which its first line tells.

use super::fields::Fields;
use anyhow::{Context, bail};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use tracing::Level;

/// The first line of every log.
const HEADER: &str = "# tenet log";

pub struct Lines {
    /// Events of other levels are left out.
    pub level: Level,
    path: PathBuf,
    start: Instant,
    /// `None` after a failure, which is reported once.
    file: Mutex<Option<File>>,
}

impl Lines {
    pub fn create(path: &Path, level: Level) -> anyhow::Result<Lines> {
        if !may_be_replaced(path)? {
            bail!("cannot write {}: there is a file of this name, and it is no log", path.display());
        }
        let cannot = || format!("cannot write {}", path.display());
        let mut file = File::create(path).with_context(cannot)?;
        let arguments: Vec<String> =
            std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        let header = format!("{HEADER}, version {}: {arguments:?}\n", env!("CARGO_PKG_VERSION"));
        file.write_all(header.as_bytes()).with_context(cannot)?;
        Ok(Lines { level, path: path.to_owned(), start: Instant::now(), file: Mutex::new(Some(file)) })
    }

    /// Writes a line. A failure is no reason to stop the search.
    pub fn write(&self, level: Level, place: &str, fields: &Fields) {
        let seconds = self.start.elapsed().as_secs_f64();
        // Names in models may contain any characters.
        let what = fields.of_event().replace(['\n', '\r'], " ");
        let line = format!("{seconds:12.6} {level:5} {place}: {what}\n");
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = file.as_mut() else { return };
        if let Err(error) = open.write_all(line.as_bytes()) {
            *file = None;
            eprintln!("warning: cannot write {}: {error}", self.path.display());
        }
    }
}

/// Can the file be overwritten without loss?
fn may_be_replaced(path: &Path) -> anyhow::Result<bool> {
    let is_file = std::fs::metadata(path).is_ok_and(|known| known.is_file() && known.len() > 0);
    if !is_file {
        return Ok(true);
    }
    let mut beginning = Vec::new();
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    file.take(HEADER.len() as u64).read_to_end(&mut beginning)?;
    Ok(beginning == HEADER.as_bytes())
}
