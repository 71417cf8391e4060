//! The header of a certificate: comment lines that say what is proved, of which model.

use tenet_system::recursive::Program;

use super::check::Proved;
use crate::header::unquoted;
use crate::model::Named;
use crate::obligations::quoted;

/// The first line of every certificate of this format.
pub(crate) const FORMAT: &str = "; tenet-recursive-certificate 1";

/// What the header says of where the proof comes from. The rest follows from the proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) model: String,
    /// SHA-256 of the model's text, in hexadecimal digits.
    pub(crate) hash: String,
    /// How the model was read.
    pub(crate) options: Vec<(String, String)>,
    pub(crate) tool: String,
    pub(crate) engine: String,
}

impl Header {
    /// What it says about the model.
    pub(crate) fn named(&self) -> Named {
        Named { model: self.model.clone(), hash: self.hash.clone(), options: self.options.clone() }
    }

    /// The lines.
    pub(super) fn lines(&self, claims: &[String], lemmas: usize, checks: usize) -> Vec<String> {
        let mut lines = vec![
            FORMAT.to_owned(),
            format!("; model {}", quoted(&self.model)),
            format!("; sha256 {}", self.hash),
        ];
        lines.extend(self.options.iter().map(|(name, value)| format!("; option {name} {}", quoted(value))));
        lines.push(format!("; tool {}", quoted(&self.tool)));
        lines.push(format!("; engine {}", quoted(&self.engine)));
        lines.extend(claims.iter().map(|claim| format!("; proves {claim}")));
        lines.push(format!("; lemmas {lemmas}"));
        lines.push(format!("; checks {checks}, each of them unsat"));
        lines
    }

    /// Reads what cannot be computed; everything is compared with what it should be later. Fails with the position of the line
    /// and the reason.
    pub(crate) fn read(lines: &[&str]) -> Result<Header, (usize, String)> {
        let mut header = Header::default();
        let mut seen: Vec<&str> = Vec::new();
        for (position, line) in lines.iter().enumerate().skip(1) {
            let Some(rest) = line.strip_prefix("; ") else { break };
            let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
            if key == "lemmas" {
                break;
            }
            if key != "option" && key != "proves" {
                if seen.contains(&key) {
                    return Err((position, format!("the header says `{key}` twice")));
                }
                seen.push(key);
            }
            header.field(key, value).ok_or_else(|| (position, format!("the header has a bad `{key}`")))?;
        }
        match ["model", "sha256", "tool", "engine"].into_iter().find(|key| !seen.contains(key)) {
            Some(key) => Err((0, format!("the header does not say `{key}`"))),
            None => Ok(header),
        }
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
            "proves" => {}
            _ => return None,
        }
        Some(())
    }
}

/// What is proved, for people.
pub(super) fn claims(program: &Program, proved: &Proved) -> Vec<String> {
    let mut claims = Vec::new();
    for (number, (obligation, _)) in
        program.obligations.iter().zip(&proved.obligations).enumerate().filter(|(_, (_, proved))| **proved)
    {
        claims.push(format!("obligation {} {}", number + 1, quoted(&obligation.name)));
    }
    let properties = program.process.iter().flat_map(|process| &process.properties);
    for (number, (property, _)) in
        properties.zip(&proved.properties).enumerate().filter(|(_, (_, proved))| **proved)
    {
        claims.push(format!("property {} {}", number + 1, quoted(&property.name)));
    }
    if proved.terminates {
        claims.push("termination".to_owned());
    }
    claims
}
