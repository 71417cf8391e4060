//! Concurrent assertions, which Yosys does not read: each is rewritten as registers that follow its attempts and an immediate one.
//!
//! This happens in the text, before Yosys sees it; `property` is the part of the language that is known, `monitor` what becomes of
//! it, `declarations` finds named properties and defaults. Every statement stays in its scope and on its lines. A statement that is
//! not understood is replaced by something that Yosys refuses, and the refusal is told then: it may not be compiled at all.

mod declarations;
mod monitor;
mod property;
mod words;

use super::lexer::{Kind, Token, tokens};
use crate::codes::verilog as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use declarations::{Declarations, Path, statement_end};
use monitor::Monitor;
use property::{Refusal, Spec, is_temporal, parse};
use std::collections::BTreeMap;
use words::{Word, joined, words};

/// The prefix of the blocks of statements. A `$` keeps their names apart from those of registers.
pub const PREFIX: &str = "tenet$";

/// What is changed in a file.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// Replacements, in the order of the text.
    pub edits: Vec<(Span, String)>,
    /// Statements that are refused if they are compiled.
    pub refused: Vec<(Span, Diagnostic)>,
    /// Statements with marks, by the places of their keywords.
    pub marked: BTreeMap<u32, Marked>,
    /// Whether a module has defaults.
    pub has_defaults: bool,
}

/// A statement with a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    pub label: Option<String>,
    pub span: Span,
}

/// The name of a mark: a wire that nothing drives, in a block for one statement. It is false, but the netlist has it once for each
/// time the statement is in the design, and with its path.
pub const MARK: &str = "tenet$mark";

/// Functions of values at the last edge, which need a clock.
const SAMPLED: &[&str] = &["$past", "$rose", "$fell", "$stable", "$changed"];

/// Rewrites the concurrent assertions of a file; `number` is that of the file. `has_defaults` says whether a file that may include it
/// has defaults, which would count here.
pub fn lower(text: &str, number: usize, has_defaults: bool) -> Lowered {
    let tokens = tokens(text);
    let declarations = Declarations::of(text, &tokens);
    let mut lowering = Lowering {
        text,
        tokens: &tokens,
        number,
        has_defaults,
        declarations: &declarations,
        lowered: Lowered::default(),
    };
    for at in declarations.statements.clone() {
        lowering.statement(at);
    }
    let mut lowered = lowering.lowered;
    lowered.has_defaults = declarations.has_defaults();
    for span in &declarations.stray {
        let message = "a default outside of a module, or in an included file";
        lowered.edits.push((*span, "!".to_owned()));
        lowered.refused.push((*span, Diagnostic::error(&codes::PROPERTY, message, *span)));
    }
    lowered.edits.extend(declarations.removed.iter().map(|span| (*span, lines(text, *span))));
    lowered.edits.sort_by_key(|(span, _)| span.start);
    lowered
}

/// The line breaks of a part, so that everything behind it stays on its line.
fn lines(text: &str, span: Span) -> String {
    let breaks = text[span.range()].matches('\n').count();
    format!(" {}", "\n".repeat(breaks))
}

struct Lowering<'t> {
    text: &'t str,
    tokens: &'t [Token],
    number: usize,
    has_defaults: bool,
    declarations: &'t Declarations,
    lowered: Lowered,
}

/// A statement: positions of tokens.
struct Place {
    keyword: usize,
    open: usize,
    close: usize,
    /// Behind its last token.
    end: usize,
}

impl Lowering<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text(self.text))
    }

    fn span(&self, from: usize, to: usize) -> Span {
        self.tokens[from].span.to(self.tokens[to - 1].span)
    }

    fn statement(&mut self, keyword: usize) {
        let mut open = keyword + 1;
        let is_concurrent = matches!(self.word(open), "property" | "sequence");
        if is_concurrent {
            open += 1;
        }
        // `assert #0 (…)` and `assert final (…)` are immediate ones.
        while open < keyword + 4 && self.word(open) != "(" {
            open += 1;
        }
        let Some(close) = self.closing(open) else { return };
        let end = match self.word(close + 1) {
            ";" => close + 2,
            "else" => statement_end(self.text, self.tokens, close + 2),
            _ => {
                let end = statement_end(self.text, self.tokens, close + 1);
                if self.word(end) == "else" { statement_end(self.text, self.tokens, end + 1) } else { end }
            }
        };
        let place = Place { keyword, open, close, end: end.min(self.tokens.len()) };
        let has_directive = (open..place.end).any(|at| {
            matches!(
                self.word(at),
                "`ifdef" | "`ifndef" | "`else" | "`elsif" | "`endif" | "`define" | "`include"
            )
        });
        if has_directive {
            return;
        }
        if !is_concurrent {
            self.immediate(&place);
            return;
        }
        if let Err(refusal) = self.concurrent(&place) {
            let span = self.span(place.keyword, place.end);
            let (code, message) = match refusal {
                Refusal::Liveness(what) => (
                    &codes::LIVENESS,
                    format!("liveness is not supported: only an infinite run can break `{what}`"),
                ),
                Refusal::Unsupported(what) => {
                    (&codes::PROPERTY, format!("this property is not supported: {what}"))
                }
            };
            self.lowered.edits.push((span, format!("!{}", lines(self.text, span))));
            self.lowered.refused.push((span, Diagnostic::error(code, message, span)));
        }
    }

    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" | "'{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return (self.word(at) == ")").then_some(at);
            }
        }
        None
    }

    /// An immediate assertion loses what it does when it fails. In a generate block it gets a mark.
    fn immediate(&mut self, place: &Place) {
        if self.declarations.is_generated(place.keyword) && self.is_labelled_or_plain(place.keyword) {
            let condition = joined(&words(self.text, &self.tokens[place.open + 1..place.close]));
            let statement = format!("{} (({condition}) || {MARK});", self.word(place.keyword));
            let block = self.block(place);
            return self.put(place, &format!("begin : {block} reg {MARK}; {statement} end"));
        }
        if place.open > place.keyword + 1 {
            let between = self.span(place.keyword + 1, place.open);
            self.lowered.edits.push((between, lines(self.text, between)));
        }
        self.drop_action(place);
    }

    /// A colon before a statement may be that of an arm of a `case`. A word before it may be either.
    fn is_labelled_or_plain(&self, keyword: usize) -> bool {
        let Some(before) = keyword.checked_sub(2) else { return true };
        let is_arm = self.tokens[before].kind != Kind::Word || self.word(before) == "default";
        self.word(before + 1) != ":" || is_arm || self.label(keyword).is_some()
    }

    fn drop_action(&mut self, place: &Place) {
        if place.end > place.close + 2 {
            let action = self.span(place.close + 1, place.end);
            self.lowered.edits.push((action, format!(";{}", lines(self.text, action))));
        }
    }

    fn concurrent(&mut self, place: &Place) -> Result<(), Refusal> {
        let path = &self.declarations.paths[place.keyword];
        if self.has_defaults && !path.is_in_module() {
            let why = "it is in an included file, and defaults are in another file";
            return Err(Refusal::Unsupported(why.to_owned()));
        }
        let inside = words(self.text, &self.tokens[place.open + 1..place.close]);
        let written = inside.clone();
        let inside = self.declarations.expanded(&inside, path)?;
        let is_procedural = self.declarations.is_procedural(place.keyword);
        let has_default = !is_procedural && self.declarations.has_default(path);
        let needs_clock = inside.iter().any(|word| SAMPLED.contains(&word.text.as_str()));
        let is_plain =
            inside == written && !is_temporal(&inside) && !has_default && (is_procedural || !needs_clock);
        if is_plain && is_procedural {
            self.immediate(place);
            return Ok(());
        }
        let mut spec = parse(&inside)?;
        if !is_procedural {
            self.complete(&mut spec, path)?;
        }
        let prefix = format!("{PREFIX}{}_{}", self.number, self.tokens[place.keyword].span.start);
        let kind = self.word(place.keyword).to_owned();
        let (monitor, condition) = if kind == "cover" {
            let monitor = Monitor::of_cover(&spec, &prefix)?;
            let reached = monitor.reached();
            (monitor, reached)
        } else {
            let monitor = Monitor::of(&spec, &prefix)?;
            let condition = monitor.condition();
            (monitor, condition)
        };
        let declared = monitor.declarations();
        if is_procedural {
            if !declared.is_empty() || spec.clock.is_some() {
                let why = "delays and clocks within a block; write it outside of the block";
                return Err(Refusal::Unsupported(why.to_owned()));
            }
            let between = self.span(place.open, place.close + 1);
            self.lowered.edits.push((between, format!("({condition}){}", lines(self.text, between))));
            self.drop_action(place);
            return Ok(());
        }
        let event = match (spec.clock, needs_clock || !declared.is_empty()) {
            (Some(clock), _) if is_edge(&clock) => format!("({clock})"),
            (Some(clock), _) => {
                return Err(Refusal::Unsupported(format!("the clock `{clock}`: it has to be an edge")));
            }
            (None, false) => "*".to_owned(),
            (None, true) => {
                let why = "it has no clock: write `@(posedge clk)` in it, or `default clocking`";
                return Err(Refusal::Unsupported(why.to_owned()));
            }
        };
        let kind = if kind == "restrict" { "assume" } else { &kind };
        let (block, updates) = (self.block(place), monitor.updates());
        let statement = format!("{kind} (({condition}) || {MARK});");
        let always = format!("always @{event} begin {updates}{statement} end");
        self.put(place, &format!("if (1) begin : {block} wire {MARK}; {declared}{always} end"));
        Ok(())
    }

    /// The name of the block for a statement.
    fn block(&self, place: &Place) -> String {
        format!("{PREFIX}{}_{}", self.number, self.tokens[place.keyword].span.start)
    }

    /// Replaces a statement and its label.
    fn put(&mut self, place: &Place, code: &str) {
        let span = self.span(place.keyword, place.end);
        let label = self.label(place.keyword);
        if let Some(label) = label {
            let removed = self.span(label, place.keyword);
            self.lowered.edits.push((removed, lines(self.text, removed)));
        }
        let label = label.map(|label| self.word(label).to_owned());
        self.lowered.marked.insert(span.start, Marked { label, span });
        self.lowered.edits.push((span, format!("{code}{}", lines(self.text, span))));
    }

    /// The position of the label of a statement.
    fn label(&self, keyword: usize) -> Option<usize> {
        let label = keyword.checked_sub(2)?;
        let is_label = self.tokens[label].kind == Kind::Word && self.word(label + 1) == ":";
        // It may be a label of a `case` as well, but not behind `begin`.
        let is_arm = self.word(label.wrapping_sub(1)) != "begin" && self.is_in_case(keyword);
        (is_label && !is_arm).then_some(label)
    }

    /// Is there an open `case` around a position?
    fn is_in_case(&self, keyword: usize) -> bool {
        let count = |words: &[&str]| {
            let start = self.declarations.procedural_start(keyword);
            (start..keyword).filter(|&at| words.contains(&self.word(at))).count()
        };
        count(&["case", "casez", "casex"]) > count(&["endcase"])
    }

    /// Adds the defaults of the module.
    fn complete(&self, spec: &mut Spec, path: &Path) -> Result<(), Refusal> {
        if let Some(clock) = &spec.clock
            && let Some(event) = self.declarations.clocking(clock, path)?
        {
            spec.clock = Some(event);
        }
        if spec.clock.is_none() {
            spec.clock = self.declarations.default_clock(path)?;
        }
        if spec.disable.is_none() {
            spec.disable = self.declarations.default_disable(path)?;
        }
        Ok(())
    }
}

fn is_edge(event: &str) -> bool {
    event.split_whitespace().next().is_some_and(|word| matches!(word, "posedge" | "negedge"))
}

/// The words of a part of a text, for other files of this folder.
fn words_of(text: &str, tokens: &[Token], from: usize, to: usize) -> Vec<Word> {
    words(text, &tokens[from.min(tokens.len())..to.min(tokens.len()).max(from.min(tokens.len()))])
}
