//! The files of a design: those that are named, and included ones.
//!
//! They are copied under generated names, and the texts changed accordingly, so that the names of the user's files
//! never appear in Yosys scripts; messages are translated back. A file that is not found is left to Yosys, which knows
//! whether the line that includes it is compiled at all. Several files are one compilation unit, in their order.

use super::copy::Copy;
use super::folder::Folder;
use super::lexer::{Kind, tokens};
use super::sva::{self, Lowered, Marked};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
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

/// What belongs to a design beside its first file.
#[derive(Clone, Debug, Default)]
pub struct Others {
    /// Further files, in their order.
    pub files: Vec<String>,
    /// Folders in which included files are looked for.
    pub folders: Vec<String>,
    /// Macros that are defined before the first file.
    pub defines: Vec<(String, String)>,
}

/// All files of a design; the first is the one that was named first.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub files: Vec<SourceFile>,
    /// The number of files that were named: these come first.
    named: usize,
    folders: Vec<String>,
    defines: Vec<(String, String)>,
    /// The texts for Yosys.
    copies: Vec<Copy>,
    /// What became of the statements of each file.
    lowered: Vec<Lowered>,
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
    /// Finds all files, reading them by name. The error is the name of a further file that is not there.
    pub fn gather(
        name: &str,
        text: &str,
        others: &Others,
        read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Result<Sources, String> {
        let main = SourceFile { name: name.to_owned(), text: text.to_owned(), is_verilog: true };
        let (folders, defines) = (others.folders.clone(), others.defines.clone());
        let mut sources = Sources { files: vec![main], named: 1, folders, defines, ..Sources::default() };
        for name in &others.files {
            if sources.files.iter().any(|file| file.name == *name) {
                continue;
            }
            let bytes = read(name).ok_or_else(|| name.clone())?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            sources.files.push(SourceFile { name: name.clone(), text, is_verilog: true });
            sources.named += 1;
        }
        let mut at = 0;
        while at < sources.files.len() {
            let copy = sources.copy(at, read);
            sources.copies.push(copy);
            at += 1;
        }
        Ok(sources)
    }

    /// The text of a file with generated names for the files that it includes.
    fn copy(&mut self, file: usize, read: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Copy {
        let SourceFile { text, is_verilog, .. } = self.files[file].clone();
        if !is_verilog {
            self.lowered.push(Lowered::default());
            return Copy::of(&text, Vec::new());
        }
        // A file comes behind the one that includes it.
        let has_defaults = self.lowered.iter().any(|lowered| lowered.has_defaults);
        let mut lowered = sva::lower(&text, file, has_defaults);
        let mut edits = std::mem::take(&mut lowered.edits);
        self.lowered.push(lowered);
        let tokens = tokens(&text);
        for (position, token) in tokens.iter().enumerate() {
            let before = |back: usize| position.checked_sub(back).map_or("", |p| tokens[p].text(&text));
            let is_memory = before(1) == "(" && matches!(before(2), "$readmemh" | "$readmemb");
            if token.kind != Kind::String || (before(1) != "`include" && !is_memory) {
                continue;
            }
            let wanted = token.text(&text).trim_matches('"').to_owned();
            if let Some(found) = self.find(file, &wanted, !is_memory, read) {
                edits.push((token.span, format!("\"{}\"", self.own_name(found))));
            }
        }
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        Copy::of(&text, edits)
    }

    /// A statement that has a mark, by the place of its keyword.
    pub fn marked(&self, file: usize, offset: u32) -> Option<&Marked> {
        self.lowered.get(file)?.marked.get(&offset)
    }

    /// Why the statement at a line is refused.
    pub fn refused_at(&self, file: usize, line: usize) -> Option<Diagnostic> {
        let is_there = |span: &Span| {
            (self.line_of(file, span.start as usize)..=self.line_of(file, span.end as usize)).contains(&line)
        };
        let (span, diagnostic) = self.lowered.get(file)?.refused.iter().find(|(span, _)| is_there(span))?;
        let mut diagnostic = diagnostic.clone();
        diagnostic.labels.iter_mut().for_each(|label| label.span = self.span(file, *span));
        Some(diagnostic)
    }

    /// Searches beside the including file, beside the main file, in the folders for it, and in the current folder.
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
        let in_folder = |folder: &String| Path::new(folder).join(wanted).to_string_lossy().into_owned();
        let mut candidates = vec![beside(asking), beside(0)];
        candidates.extend(self.folders.iter().map(in_folder));
        candidates.push(wanted.to_owned());
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

    /// The name of the file for Yosys: the main file's copy, or one that has all named files after each other.
    pub fn main(&self) -> String {
        if self.is_plain() { self.own_name(0) } else { "all.v".to_owned() }
    }

    /// Is it one file, without macros from outside?
    fn is_plain(&self) -> bool {
        self.named == 1 && self.defines.is_empty()
    }

    fn has_package(&self, file: usize) -> bool {
        let text = &self.files[file].text;
        tokens(text).iter().any(|token| token.kind == Kind::Word && token.text(text) == "package")
    }

    /// Writes the copies to a folder.
    pub fn write(&self, folder: &Folder) -> io::Result<()> {
        if !self.is_plain() {
            let defines = self.defines.iter().map(|(name, value)| format!("`define {name} {value}\n"));
            // A package has to be read before it is used.
            let mut order: Vec<usize> = (0..self.named).collect();
            order.sort_by_key(|&file| !self.has_package(file));
            let files = order.into_iter().map(|file| format!("`include \"{}\"\n", self.own_name(file)));
            folder.write(&self.main(), defines.chain(files).collect::<String>())?;
        }
        let mut copies = self.copies.iter().enumerate();
        copies.try_for_each(|(file, copy)| folder.write(&self.own_name(file), &copy.text))
    }

    /// All files but the first: name and text.
    pub fn included(&self) -> Vec<(String, String)> {
        self.files.iter().skip(1).map(|file| (file.name.clone(), file.text.clone())).collect()
    }

    /// A span of a file as a span of all files together (see [`crate::frontend::Source::parts`]).
    pub fn span(&self, file: usize, span: Span) -> Span {
        let before: usize = self.files[..file].iter().map(|file| file.text.len() + 1).sum();
        Span::new(before + span.start as usize, before + span.end as usize)
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
        let own = |(line, column)| self.copies[file].place_before(&self.files[file].text, line, column);
        let ((line, column), (end_line, end_column)) = (own(point(start)?), own(point(end)?));
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
        offset(&self.files[file].text, line, column)
    }

    pub fn line_of(&self, file: usize, offset: usize) -> usize {
        1 + self.files[file].text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count()
    }
}

/// The offset of a line and column in a text.
pub(super) fn offset(text: &str, line: usize, column: usize) -> usize {
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(newline, _)| newline + 1));
    let start = starts.nth(line.saturating_sub(1)).unwrap_or(text.len());
    let content = text[start..].lines().next().unwrap_or("");
    let within = content.char_indices().nth(column.saturating_sub(1)).map_or(content.len(), |(at, _)| at);
    start + within
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
        let others = Others { folders: vec!["inc".to_owned()], ..Others::default() };
        Sources::gather("rtl/a'b.v", text, &others, &mut |name| known(name)).expect("the files are there")
    }

    #[test]
    fn files_get_names_of_our_own() {
        let text = "`include \"defs.vh\"\n// `include \"no.vh\"\n`include \"gone.vh\"\n initial $readmemh(\"rom.hex\", m);";
        let sources = gather(text);
        let names: Vec<&str> = sources.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["rtl/a'b.v", "rtl/defs.vh", "rtl/rom.hex"]);
        let expected = "`include \"source1.v\"\n// `include \"no.vh\"\n`include \"gone.vh\"\n initial $readmemh(\"source2.mem\", m);";
        assert_eq!(sources.copies[0].text, expected);
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
