//! The header of a certificate of any kind: comment lines with what is proved, of which model, in which reading.
//!
//! The first line names the kind. Then come the lines common to all certificates, and then those of the kind.

use crate::obligations::{Steps, quoted};

/// The first line of a certificate of an invariant.
const INVARIANT: &str = "; tenet-certificate 1";

/// The first line of a certificate of derivations from recursive definitions.
const RECURSIVE: &str = "; tenet-recursive-certificate 1";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) model: String,
    /// SHA-256 of the model's text and other files, in hexadecimal digits.
    pub(crate) hash: String,
    /// How the model was read.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) tool: String,
    pub(crate) engine: String,
    pub(crate) content: Content,
}

/// The part of the header that depends on the kind of proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Invariant(Invariant),
    Recursive(Recursive),
}

/// The part about an inductive invariant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Invariant {
    /// Positions and names.
    pub(crate) properties: Vec<(usize, String)>,
    /// The assumptions; they are determined by the instances.
    pub(crate) assumptions: Vec<String>,
    pub(crate) lemmas: usize,
    /// Is there one check for each step, or one for each step and lemma?
    pub(crate) steps: Steps,
    pub(crate) checks: usize,
}

/// The part about a recursive proof. All of this follows from the proof, so it is written but not read: the whole text is
/// compared with what it should be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Recursive {
    /// The claims in words.
    pub(crate) claims: Vec<String>,
    pub(crate) lemmas: usize,
    pub(crate) checks: usize,
}

impl Header {
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            self.content.format().to_owned(),
            format!("; model {}", quoted(&self.model)),
            format!("; sha256 {}", self.hash),
        ];
        lines.extend(self.options.iter().map(|(name, value)| format!("; option {name} {}", quoted(value))));
        lines.push(format!("; tool {}", quoted(&self.tool)));
        lines.push(format!("; engine {}", quoted(&self.engine)));
        match &self.content {
            Content::Invariant(invariant) => invariant.write(&mut lines),
            Content::Recursive(recursive) => recursive.write(&mut lines),
        }
        lines
    }

    /// Parses the lines; a wrong order is found when they are compared with what they should be. Fails with the
    /// position of the line and the reason.
    pub(crate) fn read(lines: &[&str]) -> Result<Header, (usize, String)> {
        let content = match lines.first() {
            Some(&INVARIANT) => Content::Invariant(Invariant::default()),
            Some(&RECURSIVE) => Content::Recursive(Recursive::default()),
            _ => {
                let reason = format!("this is no certificate of a format that is known: no `{INVARIANT}`");
                return Err((0, reason));
            }
        };
        let mut header = Header {
            model: String::new(),
            hash: String::new(),
            options: Vec::new(),
            tool: String::new(),
            engine: String::new(),
            content,
        };
        let mut seen: Vec<&str> = Vec::new();
        for (position, line) in lines.iter().enumerate().skip(1) {
            let Some(rest) = line.strip_prefix("; ") else { break };
            let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
            if header.content.follows_from_proof(key) {
                break;
            }
            if !["option", "property", "assumes", "proves"].contains(&key) {
                if seen.contains(&key) {
                    return Err((position, format!("the header says `{key}` twice")));
                }
                seen.push(key);
            }
            header.field(key, value).ok_or_else(|| (position, format!("the header has a bad `{key}`")))?;
        }
        let required = ["model", "sha256", "tool", "engine"].iter().chain(header.content.required());
        match required.into_iter().find(|key| !seen.contains(key)) {
            Some(key) => Err((0, format!("the header does not say `{key}`"))),
            None => Ok(header),
        }
    }

    /// The part about an invariant, if the certificate is one of an invariant.
    pub(crate) fn invariant(&self) -> Result<&Invariant, String> {
        match &self.content {
            Content::Invariant(invariant) => Ok(invariant),
            Content::Recursive(_) => Err(format!("this is no certificate of an invariant: no `{INVARIANT}`")),
        }
    }

    /// Is this about the same model, read in the same way?
    pub(crate) fn is_about_the_same_as(&self, other: &Header) -> bool {
        (&self.model, &self.hash, &self.options) == (&other.model, &other.hash, &other.options)
    }

    fn field(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "model" => self.model = unquoted(value)?,
            "sha256" => {
                let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
                self.hash =
                    Some(value).filter(|value| value.len() == 64 && value.bytes().all(is_digit))?.to_owned();
            }
            "option" => {
                let (name, value) = value.split_once(' ')?;
                self.options.push((name.to_owned(), unquoted(value)?));
            }
            "tool" => self.tool = unquoted(value)?,
            "engine" => self.engine = unquoted(value)?,
            _ => match &mut self.content {
                Content::Invariant(invariant) => invariant.field(key, value)?,
                Content::Recursive(_) if key == "proves" => {}
                Content::Recursive(_) => return None,
            },
        }
        Some(())
    }
}

impl Content {
    /// The first line of the certificate.
    fn format(&self) -> &'static str {
        match self {
            Content::Invariant(_) => INVARIANT,
            Content::Recursive(_) => RECURSIVE,
        }
    }

    /// The required keys of the kind.
    fn required(&self) -> &'static [&'static str] {
        match self {
            Content::Invariant(_) => &["lemmas", "checks"],
            Content::Recursive(_) => &[],
        }
    }

    /// Need nothing be read from this line on?
    fn follows_from_proof(&self, key: &str) -> bool {
        matches!(self, Content::Recursive(_)) && key == "lemmas"
    }
}

impl Invariant {
    fn write(&self, lines: &mut Vec<String>) {
        let properties = self.properties.iter();
        lines.extend(
            properties.map(|(position, name)| format!("; property {} {}", position + 1, quoted(name))),
        );
        match &self.assumptions[..] {
            [] => lines.push("; assumes none".to_owned()),
            assumptions => {
                lines.extend(assumptions.iter().map(|assumption| format!("; assumes {assumption}")))
            }
        }
        lines.push(format!("; lemmas {}", self.lemmas));
        if self.steps == Steps::Together {
            lines.push("; steps together".to_owned());
        }
        lines.push(format!("; checks {}", self.checks));
    }

    fn field(&mut self, key: &str, value: &str) -> Option<()> {
        match key {
            "property" => {
                let (number, name) = value.split_once(' ')?;
                let number: usize = number.parse().ok().filter(|&number| number > 0)?;
                self.properties.push((number - 1, unquoted(name)?));
            }
            "assumes" => self.assumptions.extend(Some(value.to_owned()).filter(|value| value != "none")),
            "lemmas" => self.lemmas = value.parse().ok()?,
            "steps" => self.steps = (value == "together").then_some(Steps::Together)?,
            "checks" => self.checks = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }
}

impl Recursive {
    fn write(&self, lines: &mut Vec<String>) {
        lines.extend(self.claims.iter().map(|claim| format!("; proves {claim}")));
        lines.push(format!("; lemmas {}", self.lemmas));
        lines.push(format!("; checks {}, each of them unsat", self.checks));
    }
}

/// The text between quotation marks, if it was written by [`quoted`].
pub(crate) fn unquoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut value = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                'u' => {
                    let digits: String = chars.by_ref().skip(1).take_while(|&c| c != '}').collect();
                    value.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)?);
                }
                c => value.push(c),
            },
            c => value.push(c),
        }
    }
    (quoted(&value) == text).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{Content, Header, Invariant, Recursive, unquoted};
    use crate::obligations::{Steps, quoted};

    #[test]
    fn quoting_can_be_undone() {
        for text in ["", "a b", "a\"b\\c", "line\nline\r", "tab\tbell\u{7}", "ü"] {
            assert_eq!(unquoted(&quoted(text)).as_deref(), Some(text));
        }
        for text in ["a", "\"a", "\"a\"b\"", "\"\\x\"", "\"\\u{zz}\"", "\"\\\""] {
            assert_eq!(unquoted(text), None, "{text}");
        }
    }

    fn header(content: Content) -> Header {
        Header {
            model: "a \"model\".m".to_owned(),
            hash: "0".repeat(64),
            options: vec![("size".to_owned(), "NODE=3".to_owned())],
            tool: "tenet".to_owned(),
            engine: "reach".to_owned(),
            content,
        }
    }

    fn read(lines: &[String]) -> Result<Header, (usize, String)> {
        Header::read(&lines.iter().map(String::as_str).collect::<Vec<&str>>())
    }

    fn invariant() -> Invariant {
        Invariant {
            properties: vec![(0, "safe".to_owned()), (7, "also".to_owned())],
            assumptions: vec!["axiom \"x\"".to_owned()],
            lemmas: 3,
            steps: Steps::Together,
            checks: 12,
        }
    }

    #[test]
    fn the_lines_say_everything() {
        for content in [invariant(), Invariant { assumptions: Vec::new(), ..invariant() }] {
            let header = header(Content::Invariant(content));
            assert_eq!(read(&header.lines()), Ok(header));
        }
    }

    #[test]
    fn the_lines_of_a_recursive_proof_are_these() {
        let recursive = Recursive { claims: vec!["termination".to_owned()], lemmas: 1, checks: 2 };
        let written = header(Content::Recursive(recursive));
        let lines = written.lines();
        let expected = [
            "; tenet-recursive-certificate 1",
            "; model \"a \\\"model\\\".m\"",
            &format!("; sha256 {}", "0".repeat(64)),
            "; option size \"NODE=3\"",
            "; tool \"tenet\"",
            "; engine \"reach\"",
            "; proves termination",
            "; lemmas 1",
            "; checks 2, each of them unsat",
        ];
        assert_eq!(lines, expected);
        // The claims are computed again instead.
        assert_eq!(read(&lines), Ok(header(Content::Recursive(Recursive::default()))));
    }

    #[test]
    fn no_kind_may_say_what_another_kind_says() {
        let mut lines = header(Content::Recursive(Recursive::default())).lines();
        lines.insert(1, "; assumes none".to_owned());
        assert_eq!(read(&lines), Err((1, "the header has a bad `assumes`".to_owned())));
        let mut lines = header(Content::Invariant(invariant())).lines();
        lines.insert(1, "; proves termination".to_owned());
        assert_eq!(read(&lines), Err((1, "the header has a bad `proves`".to_owned())));
        lines[0] = "; tenet-certificate 2".to_owned();
        let reason = "this is no certificate of a format that is known: no `; tenet-certificate 1`";
        assert_eq!(read(&lines), Err((0, reason.to_owned())));
    }
}
