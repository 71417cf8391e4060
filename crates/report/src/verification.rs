//! The result of `tenet verify` for a certificate.

use crate::json::{self, Header, header};
use crate::number::counted;
use crate::style::{Paint, Style};
use serde::Serialize;
use serde_json::Value as Json;
use tenet_proof::{Kind, Rejection, Verified};

/// A certificate and the result of checking it.
#[derive(Debug)]
pub struct Verification<'a> {
    /// Its file as the user named it.
    pub file: &'a str,
    /// The solver that made the checks.
    pub solver: &'a str,
    pub result: &'a Result<Verified, Rejection>,
    /// Wall-clock time.
    pub seconds: f64,
}

impl Verification<'_> {
    /// As text; the first line only if `is_quiet`.
    pub fn text(&self, is_quiet: bool, style: Style) -> String {
        let lines = match self.result {
            Ok(verified) => self.accepted(verified, style),
            Err(rejection) => self.rejected(rejection, style),
        };
        let shown = if is_quiet { &lines[..1] } else { &lines };
        shown.iter().map(|line| format!("{line}\n")).collect()
    }

    fn accepted(&self, verified: &Verified, style: Style) -> Vec<String> {
        let lemmas = counted(verified.lemmas.len() as u64, "lemma");
        let lemmas = match verified.kind {
            Kind::Invariant => format!("invariant: {lemmas}"),
            Kind::Recursive { .. } => lemmas,
        };
        let mut lines = vec![
            format!("{}: {}", style.paint(Paint::Good, "verified"), what(verified)),
            format!("  model: {}, unchanged since it was proved{}", verified.model, read_with(verified)),
            format!("  {lemmas}"),
            format!("  {}, all passed, with {}", counted(verified.checks as u64, "check"), self.solver),
        ];
        for (what, names) in [("axioms proved", &verified.axioms), ("assuming", &verified.assumptions)] {
            if !names.is_empty() {
                lines.push(format!("  {what}: {}", names.join("; ")));
            }
        }
        lines
    }

    fn rejected(&self, rejection: &Rejection, style: Style) -> Vec<String> {
        let place = rejection.line.map_or(self.file.to_string(), |line| format!("{}:{line}", self.file));
        vec![
            format!("{}: {}", style.paint(Paint::Bad, "rejected"), rejection.reason),
            format!("  --> {place}"),
            format!("  whatever it claims, it is not proved; tenet explain {}", crate::codes::REJECTED.code),
        ]
    }

    pub fn json(&self, version: &str) -> Json {
        let verified = self.result.as_ref().ok();
        let rejection = self.result.as_ref().err();
        json::json(&Shown {
            header: header(version, self.file),
            verdict: verified.map(|_| "safe"),
            diagnostics: [],
            model: verified.map(|verified| verified.model.as_str()),
            options: verified.map(|verified| {
                verified.options.iter().map(|(name, value)| ShownOption { name, value }).collect()
            }),
            proved: verified
                .map(|verified| verified.properties.iter().chain(&verified.entailments).collect()),
            invariant: lemmas(verified, |kind| kind == Kind::Invariant),
            lemmas: lemmas(verified, |kind| kind != Kind::Invariant),
            terminates: verified.and_then(|verified| terminates(verified.kind)),
            proved_axioms: verified.map(|verified| verified.axioms.as_slice()),
            assumptions: verified.map(|verified| verified.assumptions.as_slice()),
            checks: verified.map(|verified| verified.checks),
            solver: self.solver,
            seconds: self.seconds,
            rejection: rejection
                .map(|rejection| ShownRejection { reason: &rejection.reason, line: rejection.line }),
        })
    }
}

#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    header: Header<'a>,
    verdict: Option<&'static str>,
    diagnostics: [(); 0],
    model: Option<&'a str>,
    options: Option<Vec<ShownOption<'a>>>,
    proved: Option<Vec<&'a String>>,
    invariant: Option<&'a [String]>,
    lemmas: Option<&'a [String]>,
    terminates: Option<bool>,
    proved_axioms: Option<&'a [String]>,
    assumptions: Option<&'a [String]>,
    checks: Option<usize>,
    solver: &'a str,
    seconds: f64,
    rejection: Option<ShownRejection<'a>>,
}

#[derive(Serialize)]
struct ShownOption<'a> {
    name: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct ShownRejection<'a> {
    reason: &'a str,
    line: Option<usize>,
}

/// What is proved, in one line.
fn what(verified: &Verified) -> String {
    let holds = |names: &[String], what: &str| {
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        let verb = if names.len() == 1 { "holds" } else { "hold" };
        (!names.is_empty()).then(|| format!("{} {verb}{what}", quoted.join(", ")))
    };
    let states = holds(&verified.properties, " in every reachable state");
    let ends = (terminates(verified.kind) == Some(true)).then(|| "every run ends".to_string());
    let parts: Vec<String> = [holds(&verified.entailments, ""), states, ends].into_iter().flatten().collect();
    match parts.is_empty() {
        true => "the invariant holds in every reachable state; no property is proved from it".to_string(),
        false => parts.join("; "),
    }
}

/// The lemmas, if they are of the wanted kind.
fn lemmas(verified: Option<&Verified>, is_wanted: fn(Kind) -> bool) -> Option<&[String]> {
    verified.filter(|verified| is_wanted(verified.kind)).map(|verified| verified.lemmas.as_slice())
}

/// Is termination proved? `None` if the proof is of a kind without termination.
fn terminates(kind: Kind) -> Option<bool> {
    match kind {
        Kind::Invariant => None,
        Kind::Recursive { terminates } => Some(terminates),
    }
}

/// `, read with --size NODE=3`: what is proved is proved of that reading.
fn read_with(verified: &Verified) -> String {
    // As one would type it: included files are found from there.
    let typed = verified.options.iter().filter(|(name, _)| name != "file");
    let typed = typed.map(|(name, value)| match name.as_str() {
        "source" => value.clone(),
        "folder" => format!("-I {value}"),
        "define" => format!("-D {value}"),
        _ => format!("--{name} {value}"),
    });
    let options: Vec<String> = typed.collect();
    if options.is_empty() { String::new() } else { format!(", read with {}", options.join(" ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn verified() -> Verified {
        Verified {
            model: "german.tenet".into(),
            options: Vec::new(),
            kind: Kind::Invariant,
            properties: vec!["coherence".into()],
            entailments: Vec::new(),
            lemmas: vec!["forall i : NODE. cache[i] != Exclusive".into(); 3],
            axioms: vec!["closed".into()],
            assumptions: vec!["commutative".into()],
            checks: 61,
        }
    }

    fn text(result: &Result<Verified, Rejection>, is_quiet: bool) -> String {
        let verification = Verification { file: "german.cert", solver: "Z3 5.4.0", result, seconds: 0.5 };
        verification.text(is_quiet, Style::Plain)
    }

    #[test]
    fn what_is_proved_and_on_what_it_rests() {
        let expected = "\
verified: \"coherence\" holds in every reachable state
  model: german.tenet, unchanged since it was proved
  invariant: 3 lemmas
  61 checks, all passed, with Z3 5.4.0
  axioms proved: closed
  assuming: commutative
";
        assert_eq!(text(&Ok(verified()), false), expected);
        assert_eq!(text(&Ok(verified()), true), "verified: \"coherence\" holds in every reachable state\n");
    }

    #[test]
    fn how_the_model_was_read_is_said() {
        let options = vec![("size".to_owned(), "NODE=3".to_owned()), ("const".to_owned(), "N=2".to_owned())];
        let text = text(&Ok(Verified { options, ..verified() }), false);
        let line =
            "  model: german.tenet, unchanged since it was proved, read with --size NODE=3 --const N=2\n";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn a_certificate_of_nothing_claims_nothing() {
        let nothing = Verified { properties: Vec::new(), ..verified() };
        assert!(text(&Ok(nothing), true).contains("no property is proved"));
    }

    #[test]
    fn a_recursive_proof_says_what_it_proves() {
        let recursive = Verified {
            model: "ones.clp".into(),
            kind: Kind::Recursive { terminates: true },
            entailments: vec!["zeroes".into(), "frame".into()],
            axioms: Vec::new(),
            assumptions: Vec::new(),
            ..verified()
        };
        let expected = "\
verified: \"zeroes\", \"frame\" hold; \"coherence\" holds in every reachable state; every run ends
  model: ones.clp, unchanged since it was proved
  3 lemmas
  61 checks, all passed, with Z3 5.4.0
";
        let result = Ok(recursive);
        assert_eq!(text(&result, false), expected);
        let verification = Verification { file: "ones.cert", solver: "Z3", result: &result, seconds: 0.5 };
        let object = verification.json("1.2.3");
        assert_eq!(object["proved"], json!(["coherence", "zeroes", "frame"]));
        assert_eq!((&object["invariant"], &object["terminates"]), (&Json::Null, &json!(true)));
        assert_eq!(object["lemmas"].as_array().map(Vec::len), Some(3));
    }

    #[test]
    fn a_rejection_names_its_line() {
        let rejection = Rejection { reason: "a check is missing".into(), line: Some(17) };
        let result = Err(rejection);
        let printed = text(&result, false);
        assert!(printed.starts_with("rejected: a check is missing\n  --> german.cert:17\n"), "{printed}");
        let verification = Verification { file: "german.cert", solver: "Z3", result: &result, seconds: 0.5 };
        let object = verification.json("1.2.3");
        assert_eq!(object["verdict"], Json::Null);
        assert_eq!(object["rejection"], json!({ "reason": "a check is missing", "line": 17 }));
        assert_eq!(object["proved"], Json::Null);
    }
}
