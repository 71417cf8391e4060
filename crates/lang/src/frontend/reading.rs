//! How a model is to be read: sizes, constants, what is unbounded, and how a design starts.
//!
//! A certificate records it as `size NODE=3`, `const N=5`, `unbounded NODE`, `predicates FILE`, `top`, `clock`, `reset`, `source FILE` for
//! further files of a design, `folder`, `define X=1`, and `file` for each file that the model includes, one each, in this order; `reads defined` at the end says that the proof is about reads of
//! undefined values.

use super::Source;
use num_bigint::BigInt;

/// The user's choices about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// Types with a number of elements: all others keep their size, or have any.
    pub sizes: Vec<(String, u64)>,
    /// Constants, or parameters of a design, with other values than those written.
    pub consts: Vec<(String, BigInt)>,
    /// Range types that are sets of any size, and constants that are any integer.
    pub unbounded: Vec<String>,
    /// The top module of a design.
    pub top: Option<String>,
    /// The input that must be its clock.
    pub clock: Option<String>,
    /// The input that is active in the first cycle and never again; `!` in front says that it is active when it is 0.
    pub reset: Option<String>,
    /// Further files of a design, in the order in which they are read.
    pub sources: Vec<String>,
    /// Folders in which files that it includes are looked for.
    pub folders: Vec<String>,
    /// Macros that are defined before its first file.
    pub defines: Vec<(String, String)>,
}

/// A certificate's record of how its model was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub reading: Reading,
    pub predicates: Option<String>,
    /// The files that the model includes.
    pub included: Vec<String>,
    /// Whether the proof is about reads of undefined values.
    pub is_about_reads: bool,
}

impl Reading {
    /// The options that only designs have.
    pub(crate) fn design(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let options = [("top", &self.top), ("clock", &self.clock), ("reset", &self.reset)];
        options.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }

    /// Gives the same size to all of these types and constants that have no value yet.
    pub(crate) fn complete(&mut self, types: Vec<String>, consts: Vec<String>, size: u64) {
        for name in types {
            if !self.sizes.iter().any(|(known, _)| *known == name) {
                self.sizes.push((name, size));
            }
        }
        for name in consts {
            if !self.consts.iter().any(|(known, _)| *known == name) {
                self.consts.push((name, size.into()));
            }
        }
    }

    /// The record of a proof about this source in this reading.
    pub fn record(&self, source: &Source, is_about_reads: bool) -> Vec<(String, String)> {
        let sizes = self.sizes.iter().map(|(name, size)| ("size", format!("{name}={size}")));
        let consts = self.consts.iter().map(|(name, value)| ("const", format!("{name}={value}")));
        let unbounded = self.unbounded.iter().map(|name| ("unbounded", name.clone()));
        let predicates = source.predicates.iter().map(|(file, _)| ("predicates", file.clone()));
        let design = self.design().map(|(name, value)| (name, value.clone()));
        let sources = self.sources.iter().map(|file| ("source", file.clone()));
        let folders = self.folders.iter().map(|folder| ("folder", folder.clone()));
        let defines = self.defines.iter().map(|(name, value)| ("define", format!("{name}={value}")));
        let design = design.chain(sources).chain(folders).chain(defines);
        let included = source.included.iter().map(|(file, _)| ("file", file.clone()));
        let reads = is_about_reads.then(|| ("reads", "defined".to_string()));
        let options =
            sizes.chain(consts).chain(unbounded).chain(predicates).chain(design).chain(included).chain(reads);
        options.map(|(name, value)| (name.to_string(), value)).collect()
    }
}

impl Record {
    /// Parses a record; an error is the unknown option.
    pub fn read(options: &[(String, String)]) -> Result<Record, String> {
        let mut record = Record::default();
        for (name, value) in options {
            record
                .add(name, value)
                .ok_or_else(|| format!("the header has an option that is not known: {name} {value}"))?;
        }
        Ok(record)
    }

    fn add(&mut self, name: &str, value: &str) -> Option<()> {
        let once = |place: &mut Option<String>| place.replace(value.to_owned()).is_none().then_some(());
        match name {
            "size" => {
                let (ty, size) = value.split_once('=')?;
                self.reading.sizes.push((ty.to_owned(), size.parse().ok()?));
            }
            "const" => {
                let (constant, value) = value.split_once('=')?;
                self.reading.consts.push((constant.to_owned(), value.parse().ok()?));
            }
            "unbounded" => self.reading.unbounded.push(value.to_owned()),
            "predicates" => once(&mut self.predicates)?,
            "top" => once(&mut self.reading.top)?,
            "clock" => once(&mut self.reading.clock)?,
            "reset" => once(&mut self.reading.reset)?,
            "source" => self.reading.sources.push(value.to_owned()),
            "folder" => self.reading.folders.push(value.to_owned()),
            "define" => {
                let (name, value) = value.split_once('=')?;
                self.reading.defines.push((name.to_owned(), value.to_owned()));
            }
            "file" => self.included.push(value.to_owned()),
            "reads" if value == "defined" && !self.is_about_reads => self.is_about_reads = true,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_how_the_model_was_read() {
        let reading = Reading {
            sizes: vec![("NODE".into(), 3)],
            consts: vec![("N".into(), (-5).into())],
            unbounded: vec!["M".into()],
            reset: Some("!rst".into()),
            sources: vec!["c.v".into(), "d.sv".into()],
            folders: vec!["inc".into()],
            defines: vec![("A".into(), "x=1".into()), ("B".into(), String::new())],
            ..Reading::default()
        };
        let mut source = Source::new("a.m", "").with_predicates("p.tenet", "");
        source.included.push(("b.v".into(), String::new()));
        let record = Record::read(&reading.record(&source, true)).expect("it is known");
        assert_eq!(record.reading, reading);
        assert_eq!(record.predicates.as_deref(), Some("p.tenet"));
        assert_eq!(record.included, ["b.v"]);
        assert!(record.is_about_reads);
    }

    #[test]
    fn what_is_not_known_or_said_twice_is_refused() {
        let option = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert!(Record::read(&[option("sizes", "NODE=3")]).is_err());
        assert!(Record::read(&[option("size", "NODE")]).is_err());
        assert!(Record::read(&[option("top", "a"), option("top", "b")]).is_err());
        assert!(Record::read(&[option("reads", "maybe")]).is_err());
    }
}
