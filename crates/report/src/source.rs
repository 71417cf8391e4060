//! Places in the source text, as `file:line:column` and as the line that contains them.

use crate::style::{Paint, Style};
use tenet_lang::span::Span;
use tenet_system::finite::program::Source;

/// A place in a file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file as the user named it.
    pub file: String,
    pub line: usize,
    pub column: usize,
    /// The whole line.
    pub text: String,
    /// The number of characters to mark, at least 1.
    pub width: usize,
}

/// Longer lines are not quoted: they would fill the screen.
const MAX_QUOTE: usize = 160;

/// Locates places in one file, or in a model and the predicates file after it.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// The file as the user named it.
    pub file: &'a str,
    /// Its content, followed by that of the second file.
    pub content: &'a str,
    /// The second file's name, and where its content starts.
    pub second: Option<(&'a str, usize)>,
    /// The files that the model includes, with their texts: places in them come after that, as in the source's parts.
    pub included: &'a [(String, String)],
}

impl<'a> Text<'a> {
    pub fn new(file: &'a str, content: &'a str) -> Text<'a> {
        Text { file, content, second: None, included: &[] }
    }

    /// The texts of a problem.
    pub fn of(source: &'a tenet_lang::frontend::Source) -> Text<'a> {
        let second = source.predicates.as_ref().map(|(file, start)| (file.as_str(), *start));
        Text { file: &source.name, content: &source.content, second, included: &source.included }
    }

    /// The location of a range of bytes; of its first line, if it has several.
    pub fn locate(&self, source: Source) -> Location {
        if let Some((text, source)) = self.included_place(source) {
            return text.locate_here(source);
        }
        let Some((file, start)) = self.second else { return self.locate_here(source) };
        let (first, second) = self.content.split_at(boundary(self.content, start));
        if (source.start as usize) < first.len() {
            return Text::new(self.file, first).locate_here(source);
        }
        let moved = |offset: u32| offset.saturating_sub(first.len() as u32);
        let source = Source { start: moved(source.start), end: moved(source.end) };
        Text::new(file, second).locate_here(source)
    }

    /// The included file of a place, and the place in it.
    fn included_place(&self, source: Source) -> Option<(Text<'a>, Source)> {
        let mut start = self.content.len() + 1;
        for (name, text) in self.included {
            let here = start..=start + text.len();
            if here.contains(&(source.start as usize)) {
                let moved = |offset: u32| offset.saturating_sub(start as u32);
                let place = Source { start: moved(source.start), end: moved(source.end) };
                return Some((Text::new(name, text), place));
            }
            start += text.len() + 1;
        }
        None
    }

    /// The location in the only file.
    fn locate_here(&self, source: Source) -> Location {
        let start = boundary(self.content, source.start as usize);
        let end = boundary(self.content, source.end as usize).max(start);
        let line_start =
            self.content[..start].rfind('\n').map_or(self.first().min(start), |newline| newline + 1);
        let line = self.content[line_start..].lines().next().unwrap_or("");
        let marked = self.content[start..end].lines().next().unwrap_or("").trim_end();
        Location {
            file: self.file.to_string(),
            line: self.content[..line_start].bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: self.content[line_start..start].chars().count() + 1,
            text: line.trim_end().to_string(),
            width: marked.chars().count().max(1),
        }
    }

    /// The start of the text: a byte order mark is no part of its first line.
    fn first(&self) -> usize {
        if self.content.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
    }

    /// The same for a span of a front end.
    pub fn locate_span(&self, span: Span) -> Location {
        self.locate(Source { start: span.start, end: span.end })
    }

    /// The text of a range on one line, truncated if it is long.
    pub fn quote(&self, source: Source) -> String {
        if let Some((text, source)) = self.included_place(source) {
            return text.quote(source);
        }
        let start = boundary(self.content, source.start as usize);
        let end = boundary(self.content, source.end as usize).max(start);
        let words: Vec<&str> = self.content[start..end].split_whitespace().collect();
        shorten(&words.join(" "), 70)
    }
}

/// The nearest character boundary at or before an offset: a span of another text must not panic here.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// At most `length` characters.
pub fn shorten(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_string();
    }
    let mut short: String = text.chars().take(length.saturating_sub(1)).collect();
    short.push('…');
    short
}

impl Location {
    /// `file:line:column`
    pub fn address(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }

    /// The address and the quoted line with the place marked.
    pub fn snippet(&self, style: Style) -> String {
        let margin = " ".repeat(self.line.to_string().len());
        let arrow = style.paint(Paint::Faint, "-->");
        let bar = style.paint(Paint::Faint, "|");
        let mut text = format!("{margin}{arrow} {}\n", self.address());
        if self.text.chars().count() > MAX_QUOTE {
            return text;
        }
        let number = style.paint(Paint::Faint, &self.line.to_string());
        let mark = style.paint(Paint::Bad, &"^".repeat(self.width));
        text.push_str(&format!("{margin} {bar}\n{number} {bar} {}\n", self.text.replace('\t', " ")));
        text.push_str(&format!("{margin} {bar} {}{mark}\n", " ".repeat(self.column - 1)));
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "var x : boolean;\n\n\tinvariant \"é\" x =\n  true;\n";

    fn at(start: usize, end: usize) -> Location {
        Text::new("a.m", MODEL).locate(Source { start: start as u32, end: end as u32 })
    }

    #[test]
    fn shows_the_first_line_of_the_range() {
        let start = MODEL.find("invariant").unwrap();
        let location = at(start, MODEL.len());
        assert_eq!(location.address(), "a.m:3:2");
        let expected = " --> a.m:3:2\n  |\n3 |  invariant \"é\" x =\n  |  ^^^^^^^^^^^^^^^^^\n";
        assert_eq!(location.snippet(Style::Plain), expected);
    }

    #[test]
    fn the_second_file_has_lines_of_its_own() {
        let text = Text { file: "a.m", content: "x\ny\nz\n  w", second: Some(("b.pred", 4)), included: &[] };
        let address = |start| text.locate(Source { start, end: start + 1 }).address();
        assert_eq!([address(2), address(4), address(8)], ["a.m:2:1", "b.pred:1:1", "b.pred:2:3"]);
    }

    #[test]
    fn any_range_has_a_location() {
        for start in 0..MODEL.len() + 2 {
            for end in 0..MODEL.len() + 2 {
                let location = at(start, end);
                assert!(location.line <= 5 && location.width >= 1);
                assert!(location.snippet(Style::Colour).contains("a.m"));
            }
        }
    }

    #[test]
    fn quotes_are_short() {
        let long = format!("a  &\n  {}", "b ".repeat(100));
        let text = Text::new("a.m", &long);
        let quote = text.quote(Source { start: 0, end: long.len() as u32 });
        assert!(
            quote.starts_with("a & b b") && quote.ends_with('…') && quote.chars().count() == 70,
            "{quote}"
        );
    }
}
