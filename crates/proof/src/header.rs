//! The header of a certificate: comment lines that say what is proved, of which model, read how, assuming what.

use crate::model::Named;
use crate::obligations::{Steps, quoted};

/// The first line of every certificate of this format.
pub(crate) const FORMAT: &str = "; tenet-certificate 1";

/// What the header says, apart from the assumptions, which follow from the instances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) model: String,
    /// SHA-256 of the model's text, and of what else was read, in hexadecimal digits.
    pub(crate) hash: String,
    /// How the model was read.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) tool: String,
    pub(crate) engine: String,
    /// Positions and names.
    pub(crate) properties: Vec<(usize, String)>,
    pub(crate) lemmas: usize,
    /// Is there one check for each step, or one for each step and lemma?
    pub(crate) steps: Steps,
    pub(crate) checks: usize,
}

impl Header {
    /// What it says about the model.
    pub(crate) fn named(&self) -> Named {
        Named { model: self.model.clone(), hash: self.hash.clone(), options: self.options.clone() }
    }

    /// The lines.
    pub(crate) fn lines(&self, assumptions: &[String]) -> Vec<String> {
        let mut lines = vec![
            FORMAT.to_owned(),
            format!("; model {}", quoted(&self.model)),
            format!("; sha256 {}", self.hash),
        ];
        lines.extend(self.options.iter().map(|(name, value)| format!("; option {name} {}", quoted(value))));
        lines.push(format!("; tool {}", quoted(&self.tool)));
        lines.push(format!("; engine {}", quoted(&self.engine)));
        let properties = self.properties.iter();
        lines.extend(
            properties.map(|(position, name)| format!("; property {} {}", position + 1, quoted(name))),
        );
        match assumptions {
            [] => lines.push("; assumes none".to_owned()),
            _ => lines.extend(assumptions.iter().map(|assumption| format!("; assumes {assumption}"))),
        }
        lines.push(format!("; lemmas {}", self.lemmas));
        if self.steps == Steps::Together {
            lines.push("; steps together".to_owned());
        }
        lines.push(format!("; checks {}", self.checks));
        lines
    }

    /// Reads the lines; what stands in the wrong order is found when they are compared with what they should be.
    /// Fails with the position of the line and the reason.
    pub(crate) fn read(lines: &[&str]) -> Result<Header, (usize, String)> {
        if lines.first() != Some(&FORMAT) {
            return Err((0, format!("this is no certificate of a format that is known: no `{FORMAT}`")));
        }
        let mut header = Header::default();
        let mut seen: Vec<&str> = Vec::new();
        for (position, line) in lines.iter().enumerate().skip(1) {
            let Some(rest) = line.strip_prefix("; ") else { break };
            let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
            if ["model", "sha256", "tool", "engine", "lemmas", "steps", "checks"].contains(&key) {
                if seen.contains(&key) {
                    return Err((position, format!("the header says `{key}` twice")));
                }
                seen.push(key);
            }
            header.field(key, value).ok_or_else(|| (position, format!("the header has a bad `{key}`")))?;
        }
        for key in ["model", "sha256", "tool", "engine", "lemmas", "checks"] {
            if !seen.contains(&key) {
                return Err((0, format!("the header does not say `{key}`")));
            }
        }
        Ok(header)
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
            "property" => {
                let (number, name) = value.split_once(' ')?;
                let number: usize = number.parse().ok().filter(|&number| number > 0)?;
                self.properties.push((number - 1, unquoted(name)?));
            }
            "assumes" => {}
            "lemmas" => self.lemmas = value.parse().ok()?,
            "steps" => {
                self.steps = (value == "together").then_some(Steps::Together)?;
            }
            "checks" => self.checks = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }
}

/// What stands between quotation marks, if it was written by [`quoted`].
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
    use super::{Header, unquoted};
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

    #[test]
    fn the_lines_say_everything() {
        let header = Header {
            model: "a \"model\".m".to_owned(),
            hash: "0".repeat(64),
            options: vec![("size".to_owned(), "NODE=3".to_owned())],
            tool: "tenet".to_owned(),
            engine: "reach".to_owned(),
            properties: vec![(0, "safe".to_owned()), (7, "also".to_owned())],
            lemmas: 3,
            steps: Steps::Together,
            checks: 12,
        };
        let lines = header.lines(&["axiom \"x\"".to_owned()]);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(Header::read(&lines), Ok(header));
    }
}
