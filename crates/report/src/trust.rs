//! Vacuity of a `safe`: rules that never fire, antecedents that are never true, assertions that are never reached.

use crate::codes;
use crate::json::Pairs;
use crate::source::shorten;
use crate::text::Detail;
use serde::Serialize;
use tenet_lang::diagnostic::Explanation;

/// The number of findings that are shown without `-v`.
const SHOWN: usize = 3;

/// The checks for vacuity, and their findings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    /// The number of rules that were checked.
    pub rules: usize,
    /// The number of antecedents of implications.
    pub antecedents: usize,
    /// The number of assertions.
    pub assertions: usize,
    /// The number of relations of Horn clauses.
    pub relations: usize,
    /// The largest instance that was explored for them: sizes of types and values of constants. `None` if only the
    /// invariant was used.
    pub explored: Option<Vec<(String, i64)>>,
    /// The number of solver calls, which are not counted among those of the proof.
    pub questions: u64,
    /// Signs of vacuity.
    pub findings: Vec<Finding>,
}

/// Something that should be possible, and is not or was not found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: Kind,
    /// Its name, or its text.
    pub name: String,
    /// The property that contains it.
    pub property: Option<String>,
    /// Whether it is proved that it is impossible.
    pub is_proved: bool,
}

/// The things that should be possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A rule is taken.
    Rule,
    /// The left side of an implication is true.
    Antecedent,
    /// An assertion is reached.
    Assertion,
    /// A register changes after the first cycles.
    Change,
    /// A relation holds of something.
    Relation,
    /// Some instance has a startstate.
    Start,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Rule => "rule",
            Kind::Antecedent => "antecedent",
            Kind::Assertion => "assertion",
            Kind::Change => "change",
            Kind::Relation => "relation",
            Kind::Start => "start",
        }
    }

    /// The code for `tenet explain`.
    pub fn explanation(self) -> &'static Explanation {
        match self {
            Kind::Rule => &codes::NEVER_FIRED,
            Kind::Antecedent => &codes::NEVER_TRUE,
            Kind::Assertion => &codes::NEVER_REACHED,
            Kind::Change => &codes::NOTHING_CHANGES,
            Kind::Relation => &codes::EMPTY_RELATION,
            Kind::Start => &codes::NOTHING_STARTS,
        }
    }
}

impl Trust {
    /// One line of text.
    pub(crate) fn text(&self, detail: Detail) -> String {
        let shown = if detail == Detail::Verbose { usize::MAX } else { SHOWN };
        let mut parts: Vec<String> = self.findings.iter().take(shown).map(Finding::clause).collect();
        if self.findings.len() > shown {
            parts.push(format!("{} more (-v shows all)", self.findings.len() - shown));
        }
        if parts.is_empty() {
            return format!("  trust: {}\n", self.nothing_found());
        }
        let is_open = self.findings.iter().any(|finding| !finding.is_proved);
        let within = if is_open { self.within() } else { String::new() };
        format!("  trust: {}{within}\n", parts.join("; "))
    }

    fn nothing_found(&self) -> String {
        let counts = [
            (self.rules, "every rule fires"),
            (self.antecedents, "every antecedent becomes true"),
            (self.assertions, "every assertion is reached"),
            (self.relations, "every relation holds of something"),
        ];
        let parts: Vec<&str> = counts.iter().filter(|(count, _)| *count > 0).map(|(_, what)| *what).collect();
        match (&self.explored, parts.is_empty()) {
            (Some(_), false) => parts.join(", "),
            _ => "nothing is known to be vacuous".to_string(),
        }
    }

    /// ` (up to P = 3)`
    fn within(&self) -> String {
        let sizes = self.explored.iter().flatten().map(|(name, size)| format!("{name} = {size}"));
        let sizes: Vec<String> = sizes.collect();
        if sizes.is_empty() { String::new() } else { format!(" (up to {})", sizes.join(", ")) }
    }

    /// As JSON shows it.
    pub(crate) fn shown(&self) -> Shown<'_> {
        Shown {
            rules: self.rules,
            antecedents: self.antecedents,
            assertions: self.assertions,
            relations: self.relations,
            explored: self.explored.as_deref().map(Pairs),
            smt_calls: self.questions,
            findings: self.findings.iter().map(Finding::shown).collect(),
        }
    }
}

/// What was looked at, and what was found, as JSON shows it.
#[derive(Serialize)]
pub(crate) struct Shown<'a> {
    rules: usize,
    antecedents: usize,
    assertions: usize,
    relations: usize,
    explored: Option<Pairs<'a, i64>>,
    smt_calls: u64,
    findings: Vec<ShownFinding<'a>>,
}

#[derive(Serialize)]
struct ShownFinding<'a> {
    kind: &'static str,
    name: &'a str,
    property: Option<&'a str>,
    proved: bool,
    code: &'static str,
}

impl Finding {
    fn clause(&self) -> String {
        let name = shorten(&self.name, 60);
        let of = self.property.as_ref().map_or(String::new(), |property| format!(" of \"{property}\""));
        match (self.kind, self.is_proved) {
            (Kind::Rule, true) => format!("rule \"{name}\" can never fire"),
            (Kind::Rule, false) => format!("rule \"{name}\" was not seen to fire"),
            (Kind::Antecedent, true) => format!("the antecedent `{name}`{of} is never true"),
            (Kind::Antecedent, false) => format!("the antecedent `{name}`{of} was not seen to be true"),
            (Kind::Assertion, true) => format!("assertion \"{name}\" is never reached"),
            (Kind::Assertion, false) => format!("assertion \"{name}\" was not seen to be reached"),
            (Kind::Start, _) if name.is_empty() => "the model as written has no startstate".to_string(),
            (Kind::Start, _) => format!("no instance up to {name} has a startstate"),
            (Kind::Relation, true) => format!("relation `{name}` holds of nothing"),
            (Kind::Relation, false) => format!("relation `{name}` was not seen to hold of anything"),
            (Kind::Change, _) => {
                "no register ever changes after the first cycles: is the polarity of the reset right?"
                    .to_string()
            }
        }
    }

    fn shown(&self) -> ShownFinding<'_> {
        ShownFinding {
            kind: self.kind.word(),
            name: &self.name,
            property: self.property.as_deref(),
            proved: self.is_proved,
            code: self.kind.explanation().code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(kind: Kind, is_proved: bool) -> Finding {
        let property = (kind == Kind::Antecedent).then(|| "mutex".to_string());
        Finding { kind, name: "x".to_string(), property, is_proved }
    }

    #[test]
    fn one_line_says_what_was_found() {
        let mut trust = Trust { rules: 2, antecedents: 1, ..Trust::default() };
        assert_eq!(trust.text(Detail::Normal), "  trust: nothing is known to be vacuous\n");
        trust.explored = Some(vec![("P".to_string(), 3)]);
        assert_eq!(trust.text(Detail::Normal), "  trust: every rule fires, every antecedent becomes true\n");
        trust.findings = vec![finding(Kind::Rule, true), finding(Kind::Antecedent, false)];
        let line = "  trust: rule \"x\" can never fire; the antecedent `x` of \"mutex\" was not seen to be true (up to P = 3)\n";
        assert_eq!(trust.text(Detail::Normal), line);
        trust.findings = vec![finding(Kind::Assertion, true); 5];
        assert!(trust.text(Detail::Normal).ends_with("; 2 more (-v shows all)\n"));
        assert!(!trust.text(Detail::Verbose).contains("more"));
    }

    #[test]
    fn findings_have_codes() {
        let trust = Trust { findings: vec![finding(Kind::Antecedent, true)], ..Trust::default() };
        let object = crate::json::json(&trust.shown());
        assert_eq!(object["findings"][0]["code"], "W0104");
        assert_eq!(object["findings"][0]["proved"], true);
        assert_eq!(object["explored"], serde_json::Value::Null);
    }
}
