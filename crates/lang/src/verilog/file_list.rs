//! File lists (`-f`): the files of a design, its macros and its folders, one after another in a text.
//!
//! A list has names of files and, as for simulators, `+incdir+FOLDER`, `+define+NAME=VALUE`, `-I`, `-D` and further lists (`-f`,
//! `-F`); comments are `//`, `/* */` and `#`. Names are those from the current folder; what is not there is looked for beside the
//! list, and with `-F` only there.

use super::sources::Others;
use std::path::Path;

/// How deeply lists may contain lists.
const MAX_DEPTH: usize = 20;

/// How file lists are read.
pub struct Lists<'a> {
    /// The content of a list by name, or why it cannot be read.
    pub read: &'a mut dyn FnMut(&str) -> Result<String, String>,
    /// Is there a file or folder with this name?
    pub exists: &'a dyn Fn(&str) -> bool,
}

impl Lists<'_> {
    /// Adds what a list has. An error says what is wrong, with the list and its line.
    pub fn add(&mut self, list: &str, found: &mut Others) -> Result<(), String> {
        self.add_at(list, false, 0, found)
    }

    fn add_at(
        &mut self,
        list: &str,
        is_beside: bool,
        depth: usize,
        found: &mut Others,
    ) -> Result<(), String> {
        if depth >= MAX_DEPTH {
            return Err(format!("{list}: file lists contain each other"));
        }
        let text = (self.read)(list).map_err(|why| format!("{list}: {why}"))?;
        let mut words = words(&text).into_iter();
        while let Some((line, word)) = words.next() {
            let wrong = |why: &str| format!("{list}:{line}: {why}");
            // An option and its value may be one word or two.
            let mut value = |option: &str| match word.strip_prefix(option) {
                Some("") => words
                    .next()
                    .map(|(_, value)| value)
                    .ok_or_else(|| wrong(&format!("`{option}` without a value"))),
                Some(value) => Ok(value.to_owned()),
                None => Ok(String::new()),
            };
            if let Some(folders) = word.strip_prefix("+incdir+") {
                let folders = folders.split('+').filter(|folder| !folder.is_empty());
                found.folders.extend(folders.map(|folder| self.resolve(list, is_beside, folder)));
            } else if let Some(macros) = word.strip_prefix("+define+") {
                found.defines.extend(macros.split('+').filter(|part| !part.is_empty()).map(define));
            } else if word.starts_with("-I") {
                let folder = value("-I")?;
                found.folders.push(self.resolve(list, is_beside, &folder));
            } else if word.starts_with("-D") {
                found.defines.push(define(&value("-D")?));
            } else if word == "-f" || word == "-F" {
                let name = self.resolve(list, is_beside, &value(&word)?);
                self.add_at(&name, word == "-F", depth + 1, found)?;
            } else if word == "-sv" || word == "-sverilog" {
                // Every file is read as SystemVerilog.
            } else if word.starts_with(['-', '+']) {
                return Err(wrong(&format!(
                    "`{word}` is not understood; a list may have files, +incdir+, +define+, -I, -D, -f and -F"
                )));
            } else {
                found.files.push(self.resolve(list, is_beside, &word));
            }
        }
        Ok(())
    }

    fn resolve(&self, list: &str, is_beside: bool, name: &str) -> String {
        let folder = Path::new(list).parent().unwrap_or(Path::new(""));
        let beside = folder.join(name).to_string_lossy().into_owned();
        if is_beside || (!(self.exists)(name) && (self.exists)(&beside)) { beside } else { name.to_owned() }
    }
}

/// A macro and its value: `NAME=VALUE`, or `NAME` for 1.
pub fn define(text: &str) -> (String, String) {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    (name.to_owned(), value.to_owned())
}

/// The words of a list without comments, each with its line.
fn words(text: &str) -> Vec<(usize, String)> {
    let (mut found, mut is_comment) = (Vec::new(), false);
    for (line, content) in text.lines().enumerate() {
        let mut rest = content;
        let mut kept = String::new();
        while !rest.is_empty() {
            if is_comment {
                match rest.split_once("*/") {
                    Some((_, after)) => (is_comment, rest) = (false, after),
                    None => break,
                }
                continue;
            }
            let starts = ["//", "/*", "#"].map(|mark| rest.find(mark).unwrap_or(rest.len()));
            let start = starts.into_iter().min().unwrap_or(rest.len());
            kept.push_str(&rest[..start]);
            kept.push(' ');
            is_comment = rest[start..].starts_with("/*");
            rest = if is_comment { &rest[start + 2..] } else { "" };
        }
        let words = kept.split_whitespace().map(|word| (line + 1, word.trim_matches('"').to_owned()));
        found.extend(words);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lists: &[(&str, &str)], files: &[&str]) -> Result<Others, String> {
        let mut found = Others::default();
        let mut read = |name: &str| {
            let list = lists.iter().find(|(known, _)| *known == name);
            list.map(|(_, text)| (*text).to_owned()).ok_or_else(|| "there is no such file".to_owned())
        };
        let exists = |name: &str| files.contains(&name) || lists.iter().any(|(known, _)| *known == name);
        Lists { read: &mut read, exists: &exists }.add(lists[0].0, &mut found)?;
        Ok(found)
    }

    #[test]
    fn a_list_has_files_macros_and_folders() {
        let main = "// all\ntop.sv /* not\nthis.v */ a.v # nor this\n+incdir+inc+more\n+define+W=8+X -D Y=1 -DZ -I two\n-f sub/b.f\n-F sub/c.f";
        let lists = [("main.f", main), ("sub/b.f", "b.v\nnear.v"), ("sub/c.f", "c.v +incdir+.")];
        let found =
            read(&lists, &["top.sv", "a.v", "b.v", "sub/b.v", "sub/near.v"]).expect("they are understood");
        assert_eq!(found.files, ["top.sv", "a.v", "b.v", "sub/near.v", "sub/c.v"]);
        assert_eq!(found.folders, ["inc", "more", "two", "sub/."]);
        let defines = [("W", "8"), ("X", "1"), ("Y", "1"), ("Z", "1")];
        assert_eq!(found.defines, defines.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = |text: &str| read(&[("a.f", text)], &[]).expect_err("it is wrong");
        assert!(error("x.v\n-y lib").starts_with("a.f:2: `-y` is not understood"));
        assert_eq!(error("-f none.f"), "none.f: there is no such file");
        assert_eq!(error("\n-D"), "a.f:2: `-D` without a value");
        assert_eq!(error("-f a.f"), "a.f: file lists contain each other");
    }
}
