//! Each question to a solver as a file of its own, `000001.smt2` and so on, that any solver can read.

use super::fields::Fields;
use anyhow::{Context, bail};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder of questions.
pub struct Questions {
    folder: PathBuf,
    /// The number of questions so far. Several threads ask questions, and each number is used once.
    count: AtomicU64,
    failure: Once,
}

impl Questions {
    /// Requires an empty folder: files of another run would be taken for questions of this one.
    pub fn create(folder: &Path) -> anyhow::Result<Questions> {
        let cannot = || format!("cannot write to {}", folder.display());
        fs::create_dir_all(folder).with_context(cannot)?;
        if fs::read_dir(folder).with_context(cannot)?.next().is_some() {
            bail!("cannot write to {}: the folder is not empty", folder.display());
        }
        Ok(Questions { folder: folder.to_owned(), count: AtomicU64::new(0), failure: Once::new() })
    }

    /// Writes a question, and returns the name of its file. A failure is no reason to stop the search.
    pub fn write(&self, place: &str, fields: &Fields, text: &str) -> String {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let name = format!("{number:06}.smt2");
        let path = self.folder.join(&name);
        let written = File::create_new(&path)
            .and_then(|mut file| file.write_all(whole(place, fields, text).as_bytes()));
        if let Err(error) = written {
            self.failure.call_once(|| eprintln!("warning: cannot write {}: {error}", path.display()));
        }
        name
    }
}

/// The question after a comment about it.
fn whole(place: &str, fields: &Fields, text: &str) -> String {
    let field = |name| fields.get(name).unwrap_or("unknown");
    let answer = field("answer");
    let reason = fields.get("reason").map_or(String::new(), |reason| format!(" ({reason})"));
    let effort = fields.get("effort").map_or(String::new(), |effort| format!(", effort {effort}"));
    let (solver, seconds) = (field("solver"), field("seconds"));
    // Names in models may contain any characters.
    let [place, reason] = [place, &reason].map(|text| text.replace(['\n', '\r'], " "));
    format!(
        "; asked by {place}\n; {solver} answered {answer}{reason} after {seconds} s{effort}\n\
         (set-info :status {answer})\n{text}"
    )
}
