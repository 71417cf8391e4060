//! The texts that a problem is read from.

use crate::codes::syntax;
use crate::diagnostic::Diagnostic;

/// The texts of a problem: the model, perhaps a file with predicates, and included files. They are read once and carried along,
/// so that everything is found and checked about the same texts, whatever happens to the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The model's file as the user named it. Its ending tells the language.
    pub name: String,
    /// The model's text, followed by that of the predicates file.
    pub content: String,
    /// The predicates file as the user named it, and where its text begins.
    pub predicates: Option<(String, usize)>,
    /// The files that the model includes: name and text.
    pub included: Vec<(String, String)>,
}

impl Source {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), content: text.into(), ..Source::default() }
    }

    /// The same with predicates from another file.
    pub fn with_predicates(mut self, name: impl Into<String>, text: &str) -> Source {
        self.predicates = Some((name.into(), self.content.len()));
        self.content.push_str(text);
        self
    }

    /// The model's own text.
    pub fn model(&self) -> &str {
        self.split().0
    }

    /// The text of the predicates file; empty without one.
    pub fn predicates(&self) -> &str {
        self.split().1
    }

    fn split(&self) -> (&str, &str) {
        let start = self.predicates.as_ref().map_or(self.content.len(), |(_, start)| *start);
        self.content.split_at(start)
    }

    /// One of the texts, by the name of its file.
    pub fn file(&self, name: &str) -> Option<&str> {
        match &self.predicates {
            _ if name == self.name => Some(self.model()),
            Some((file, _)) if name == file => Some(self.predicates()),
            _ => self.included.iter().find(|(file, _)| file == name).map(|(_, text)| text.as_str()),
        }
    }

    /// All texts with their names, and where each of them begins for places. Between those of included files is one byte, so that the
    /// end of one is not the beginning of the next.
    pub fn parts(&self) -> Vec<(&str, &str, usize)> {
        let mut parts = vec![(self.name.as_str(), self.model(), 0)];
        if let Some((name, start)) = &self.predicates {
            parts.push((name, self.predicates(), *start));
        }
        let mut start = self.content.len() + 1;
        for (name, text) in &self.included {
            parts.push((name, text, start));
            start += text.len() + 1;
        }
        parts
    }

    /// All texts, concatenated: a certificate has their hash.
    pub fn bytes(&self) -> Vec<u8> {
        let included = self.included.iter().map(|(_, text)| text.as_str());
        std::iter::once(self.content.as_str()).chain(included).collect::<String>().into_bytes()
    }
}

/// Decodes a text: UTF-8, or else Latin-1, in which old models have names of people. A zero byte is never text.
pub fn decode(bytes: Vec<u8>) -> Result<String, Diagnostic> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error.into_bytes(),
    };
    match bytes.iter().position(|&byte| byte == 0) {
        None => Ok(bytes.into_iter().map(char::from).collect()),
        Some(zero) => {
            let line = bytes[..zero].iter().filter(|byte| **byte == b'\n').count() + 1;
            let message = format!("this is not text: there is a zero byte in line {line}");
            Err(Diagnostic::global(&syntax::NOT_TEXT, message).help("is this the right file?"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_found_by_the_name_of_its_file() {
        let mut source = Source::new("a.m", "model").with_predicates("p.tenet", "more");
        source.included.push(("b.v".to_string(), "included".to_string()));
        assert_eq!(source.file("a.m"), Some("model"));
        assert_eq!(source.file("p.tenet"), Some("more"));
        assert_eq!(source.file("b.v"), Some("included"));
        assert_eq!(source.file("c"), None);
        assert_eq!(source.bytes(), b"modelmoreincluded");
        assert_eq!(source.parts()[2], ("b.v", "included", 10));
    }

    #[test]
    fn what_is_no_utf8_is_latin1_unless_it_is_no_text() {
        assert_eq!(decode(b"text".to_vec()).as_deref(), Ok("text"));
        assert_eq!(decode("tw\u{f6}".as_bytes().to_vec()).as_deref(), Ok("tw\u{f6}"));
        assert_eq!(decode(b"one\ntw\xf6\n".to_vec()).as_deref(), Ok("one\ntw\u{f6}\n"));
        let error = decode(b"one\n\xf6\0".to_vec()).expect_err("no text");
        assert!(error.message.contains("line 2"), "{}", error.message);
    }
}
