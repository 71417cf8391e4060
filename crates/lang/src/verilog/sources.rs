//! The files of a design: the one that is named, and included ones.
//!
//! They are copied under generated names, and the texts changed accordingly, so that the names of the user's files
//! never appear in Yosys scripts; messages are translated back. A file that is not found is left to Yosys, which knows
//! whether the line that includes it is compiled at all.

use super::folder::Folder;
use super::lexer::{Kind, tokens};
use std::io;
use std::path::Path;

/// The number of files that are read.
const MAX_FILES: usize = 1000;

/// A file of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The user's name of the file.
    pub name: String,
    /// Its content.
    pub text: String,
    /// Is it Verilog? Otherwise it is the content of a memory.
    pub is_verilog: bool,
}

/// All files of a design; the first is the one that was named.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub files: Vec<SourceFile>,
    /// The texts for Yosys.
    copies: Vec<String>,
}

/// A place in a file. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Index of the file.
    pub file: usize,
    pub line: usize,
    /// Column, in characters as Yosys counts them.
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

impl Sources {
    /// Finds all files, reading them by name.
    pub fn gather(name: &str, text: &str, read: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Sources {
        let main = SourceFile { name: name.to_owned(), text: text.to_owned(), is_verilog: true };
        let mut sources = Sources { files: vec![main], copies: Vec::new() };
        let mut at = 0;
        while at < sources.files.len() {
            let copy = sources.copy(at, read);
            sources.copies.push(copy);
            at += 1;
        }
        sources
    }

    /// The text of a file with generated names for the files that it includes.
    fn copy(&mut self, file: usize, read: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> String {
        let SourceFile { text, is_verilog, .. } = self.files[file].clone();
        if !is_verilog {
            return text;
        }
        let (mut copy, mut end) = (String::new(), 0);
        let tokens = tokens(&text);
        for (position, token) in tokens.iter().enumerate() {
            let before = |back: usize| position.checked_sub(back).map_or("", |p| tokens[p].text(&text));
            let is_memory = before(1) == "(" && matches!(before(2), "$readmemh" | "$readmemb");
            if token.kind != Kind::String || (before(1) != "`include" && !is_memory) {
                continue;
            }
            let wanted = token.text(&text).trim_matches('"').to_owned();
            if let Some(found) = self.find(file, &wanted, !is_memory, read) {
                copy.push_str(&text[end..token.span.start as usize]);
                copy.push_str(&format!("\"{}\"", self.own_name(found)));
                end = token.span.end as usize;
            }
        }
        copy.push_str(&text[end..]);
        copy
    }

    /// Searches beside the including file, beside the main file, and in the current folder.
    fn find(
        &mut self,
        asking: usize,
        wanted: &str,
        is_verilog: bool,
        read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Option<usize> {
        let beside = |file: usize| {
            let folder = Path::new(&self.files[file].name).parent().unwrap_or(Path::new(""));
            folder.join(wanted).to_string_lossy().into_owned()
        };
        let candidates = [beside(asking), beside(0), wanted.to_owned()];
        for candidate in &candidates {
            let known =
                self.files.iter().position(|file| file.name == *candidate && file.is_verilog == is_verilog);
            if known.is_some() {
                return known;
            }
            let Some(bytes) = read(candidate) else { continue };
            if self.files.len() >= MAX_FILES {
                return None;
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            self.files.push(SourceFile { name: candidate.clone(), text, is_verilog });
            return Some(self.files.len() - 1);
        }
        None
    }

    fn own_name(&self, file: usize) -> String {
        format!("source{file}.{}", if self.files[file].is_verilog { "v" } else { "mem" })
    }

    /// The name of the main file's copy.
    pub fn main(&self) -> String {
        self.own_name(0)
    }

    /// Writes the copies to a folder.
    pub fn write(&self, folder: &Folder) -> io::Result<()> {
        self.copies.iter().enumerate().try_for_each(|(file, copy)| folder.write(&self.own_name(file), copy))
    }

    /// The file with this generated name.
    pub fn file_of(&self, name: &str) -> Option<usize> {
        (0..self.files.len()).find(|&file| self.own_name(file) == name)
    }

    /// The place that Yosys writes as `source0.v:12.5-13.7`, the first of several.
    pub fn place(&self, written: &str) -> Option<Place> {
        let mut places = written.split('|').filter_map(|part| self.one_place(part));
        places.find(|place| place.line > 0)
    }

    /// All places that Yosys writes, the outermost instance first.
    pub fn places(&self, written: &str) -> Vec<Place> {
        written.split('|').filter_map(|part| self.one_place(part)).filter(|place| place.line > 0).collect()
    }

    fn one_place(&self, written: &str) -> Option<Place> {
        let (name, range) = written.rsplit_once(':')?;
        let file = self.file_of(name)?;
        let (start, end) = range.split_once('-').unwrap_or((range, range));
        let point = |text: &str| {
            let (line, column) = text.split_once('.').unwrap_or((text, "1"));
            Some((line.parse::<usize>().ok()?, column.parse::<usize>().ok()?))
        };
        let ((line, column), (end_line, end_column)) = (point(start)?, point(end)?);
        Some(Place { file, line, column, end_line, end_column })
    }

    /// `file.v:12`, with the user's name of the file.
    pub fn address(&self, file: usize, line: usize) -> String {
        format!("{}:{line}", self.files[file].name)
    }

    /// A message with the user's names of files.
    pub fn translated(&self, message: &str) -> String {
        let files = (0..self.files.len()).rev();
        files
            .fold(message.to_owned(), |text, file| text.replace(&self.own_name(file), &self.files[file].name))
    }

    /// The offset of a line and column in a file. A column beyond the end of the line is its end.
    pub fn offset(&self, file: usize, line: usize, column: usize) -> usize {
        let text = &self.files[file].text;
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(newline, _)| newline + 1));
        let start = starts.into_iter().nth(line.saturating_sub(1)).unwrap_or(text.len());
        let content = text[start..].lines().next().unwrap_or("");
        let within = content.char_indices().nth(column.saturating_sub(1)).map_or(content.len(), |(at, _)| at);
        start + within
    }

    pub fn line_of(&self, file: usize, offset: usize) -> usize {
        1 + self.files[file].text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gather(text: &str) -> Sources {
        let known = |name: &str| match name {
            "rtl/defs.vh" => Some(b"`include \"more \\\" .vh\"".to_vec()),
            "rtl/rom.hex" => Some(b"ff".to_vec()),
            _ => None,
        };
        Sources::gather("rtl/a'b.v", text, &mut |name| known(name))
    }

    #[test]
    fn files_get_names_of_our_own() {
        let text = "`include \"defs.vh\"\n// `include \"no.vh\"\n`include \"gone.vh\"\n initial $readmemh(\"rom.hex\", m);";
        let sources = gather(text);
        let names: Vec<&str> = sources.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["rtl/a'b.v", "rtl/defs.vh", "rtl/rom.hex"]);
        let expected = "`include \"source1.v\"\n// `include \"no.vh\"\n`include \"gone.vh\"\n initial $readmemh(\"source2.mem\", m);";
        assert_eq!(sources.copies[0], expected);
        assert_eq!(sources.translated("source1.v:3: ERROR"), "rtl/defs.vh:3: ERROR");
    }

    #[test]
    fn places_are_read() {
        let sources = gather("ab\nc é f\n");
        let place = sources.place("other:1.1-1.2|source0.v:2.3-2.5").expect("a place");
        assert_eq!((place.line, place.column, place.end_line, place.end_column), (2, 3, 2, 5));
        assert_eq!(sources.place("source0.v:0.0-0.0"), None);
        assert_eq!(&sources.files[0].text[sources.offset(0, 2, 3)..], "é f\n");
        assert_eq!(sources.offset(0, 1, 99), 2);
        assert_eq!(sources.line_of(0, sources.offset(0, 2, 3)), 2);
    }
}
