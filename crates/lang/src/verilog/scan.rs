//! The branching statements of a Verilog text: their places, and whether their conditions can be lifted.
//!
//! Yosys lists the conditions of a design and their meaning, but neither their text nor whether they can be lifted out of their
//! block (Clarke et al., section 4.1), so procedural statements are parsed here, as far as that is possible without parsing the
//! whole language: what is not understood makes a block opaque, and nothing in it is lifted.

mod statements;

use super::lexer::{Kind, Token, tokens};
use super::lifting::Lifting;
use crate::span::Span;
use std::collections::BTreeSet;

/// Why a condition cannot be lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is in a function or a task.
    Function,
    /// It is in a loop, which is unrolled.
    Loop,
    /// It is in a generate block.
    Generate,
    /// It mentions a variable that the same block assigns with `=`, or declares.
    Temporary,
    /// It is about an asynchronous reset.
    Reset,
    /// It calls a function or a system function.
    Call,
    /// It contains a macro that is not a plain number.
    Macro,
    /// Comparing the label with `==` could have another meaning.
    Comparison,
    /// The block has a restricted sensitivity list, or runs once.
    Sensitivity,
    /// The block could not be parsed.
    Opaque,
}

impl Reason {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Reason::Function => "in a function or task",
            Reason::Loop => "in a loop",
            Reason::Generate => "in a generate block",
            Reason::Temporary => "depends on a variable that the same block assigns",
            Reason::Reset => "an asynchronous reset",
            Reason::Call => "calls a function",
            Reason::Macro => "contains a macro",
            Reason::Comparison => "wildcards, signs or widths of its labels",
            Reason::Sensitivity => "the block does not run at every change",
            Reason::Opaque => "the block was not understood",
        }
    }
}

/// An arm of a `case`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Its labels without the colon; the word `default` for the last one.
    pub labels: Vec<Span>,
    pub is_default: bool,
}

/// A branching statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branching {
    /// The keyword `if` or `case`.
    pub keyword: Span,
    /// The condition of an `if`, or the expression of a `case`.
    pub condition: Span,
    /// The arms; empty for an `if`.
    pub arms: Vec<Arm>,
    /// The start of its block.
    pub block: u32,
    /// Why it cannot be lifted, if so.
    pub stays: Option<Reason>,
}

impl Branching {
    pub fn is_if(&self) -> bool {
        self.arms.is_empty()
    }
}

/// A text that was scanned.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// All branching statements, in the order of the text.
    pub branchings: Vec<Branching>,
    /// The keywords `assert`, `assume`, `cover` and `restrict` that begin a statement.
    pub formal: Vec<Span>,
    /// All identifiers.
    pub words: BTreeSet<String>,
}

pub fn scan(text: &str) -> Scan {
    let tokens = without_definitions(text);
    let words = tokens.iter().filter(|token| token.kind == Kind::Word);
    let words: BTreeSet<String> = words.map(|token| token.text(text).to_owned()).collect();
    let is_formal = |token: &&Token| matches!(token.text(text), "assert" | "assume" | "cover" | "restrict");
    let formal = tokens.iter().filter(is_formal).map(|token| token.span).collect();
    let lifting = Lifting::of(text, &tokens);
    let (block, found) = (Block::default(), Vec::new());
    let mut scanner = Scanner { text, tokens: &tokens, at: 0, lifting, block, found };
    scanner.file();
    let mut branchings = scanner.found;
    branchings.sort_by_key(|branching| branching.keyword.start);
    Scan { branchings, formal, words }
}

/// The tokens without macro definitions, which are not part of the design.
fn without_definitions(text: &str) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut skip_to = 0;
    for token in tokens(text) {
        if (token.span.start as usize) < skip_to {
            continue;
        }
        if token.kind == Kind::Directive && matches!(token.text(text), "`define" | "`undef") {
            skip_to = end_of_definition(text, token.span.end as usize);
            continue;
        }
        kept.push(token);
    }
    kept
}

/// The end of the line, including continuation lines.
pub(super) fn end_of_definition(text: &str, from: usize) -> usize {
    let mut end = from;
    for line in text[from..].split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    end
}

/// The state of parsing a block.
#[derive(Clone, Debug, Default)]
struct Block {
    start: u32,
    /// Why nothing in it can be lifted.
    stays: Option<Reason>,
    /// The nesting depth of loops.
    loops: usize,
    /// Is its first `if` about an asynchronous reset?
    has_reset: bool,
    /// Variables that it assigns with `=` or declares.
    temporaries: BTreeSet<String>,
    /// Index of its first statement among those found.
    first: usize,
}

/// The error that the text ended too early.
struct Lost;

type Followed = Result<(), Lost>;

struct Scanner<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    lifting: Lifting<'t>,
    block: Block,
    found: Vec<Branching>,
}

impl<'t> Scanner<'t> {
    fn word(&self, ahead: usize) -> &'t str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text(self.text))
    }

    fn bump(&mut self) -> Result<Token, Lost> {
        let token = self.tokens.get(self.at).copied().ok_or(Lost)?;
        self.at += 1;
        Ok(token)
    }

    /// Everything outside procedural blocks.
    fn file(&mut self) {
        // Begin-end blocks at this level, and `generate`, belong to generate constructs.
        let (mut depth, mut is_generated) = (0_usize, false);
        let mut attribute = None;
        while self.at < self.tokens.len() {
            let start = attribute.unwrap_or(self.tokens[self.at].span.start);
            let is_inside = depth > 0 || is_generated;
            match self.word(0) {
                "(*" => {
                    attribute.get_or_insert(self.tokens[self.at].span.start);
                    self.skip_attribute();
                    continue;
                }
                "always" | "always_ff" | "always_comb" | "always_latch" | "initial" | "final" => {
                    self.procedural(start, is_inside);
                    is_generated = false;
                }
                "function" | "task" => self.function(start),
                "module" | "macromodule" | "endmodule" => {
                    (depth, is_generated) = (0, false);
                    self.at += 1;
                }
                "generate" | "begin" => {
                    depth += 1;
                    self.at += 1;
                }
                "endgenerate" | "end" => {
                    depth = depth.saturating_sub(1);
                    is_generated = false;
                    self.at += 1;
                }
                "if" | "for" | "case" | "else" => {
                    is_generated = true;
                    self.at += 1;
                    // The conditions of generate constructs are not branches of the design.
                    if self.word(0) == "(" {
                        let _ = self.parenthesised();
                    }
                }
                word => {
                    is_generated &= word != ";";
                    self.at += 1;
                }
            }
            attribute = None;
        }
    }

    fn skip_attribute(&mut self) {
        while self.at < self.tokens.len() && self.word(0) != "*)" {
            self.at += 1;
        }
        self.at += 1;
    }

    /// `always …`
    fn procedural(&mut self, start: u32, is_generated: bool) {
        let keyword = self.word(0);
        self.at += 1;
        let (stays, has_reset) = match keyword {
            "initial" | "final" => (Some(Reason::Sensitivity), false),
            "always_comb" => (None, false),
            _ => self.sensitivity(),
        };
        let stays = if is_generated { Some(Reason::Generate) } else { stays };
        self.follow(Block { start, stays, has_reset, first: self.found.len(), ..Block::default() });
    }

    /// The sensitivity of a block: why its conditions cannot be lifted, and whether there is an asynchronous reset.
    fn sensitivity(&mut self) -> (Option<Reason>, bool) {
        if self.word(0) != "@" {
            return (Some(Reason::Sensitivity), false);
        }
        self.at += 1;
        if self.word(0) == "*" {
            self.at += 1;
            return (None, false);
        }
        let Ok(span) = self.parenthesised() else { return (Some(Reason::Opaque), false) };
        let list: Vec<&str> = tokens(&self.text[span.range()])
            .iter()
            .map(|token| &self.text[span.range()][token.span.range()])
            .collect();
        let edges = list.iter().filter(|word| matches!(**word, "posedge" | "negedge")).count();
        let signals = 1 + list.iter().filter(|word| matches!(**word, "or" | ",")).count();
        match list.as_slice() {
            ["*"] => (None, false),
            _ if edges == signals => (None, edges > 1),
            _ => (Some(Reason::Sensitivity), false),
        }
    }

    /// `function … endfunction`
    fn function(&mut self, start: u32) {
        let end = if self.word(0) == "task" { "endtask" } else { "endfunction" };
        let block =
            Block { start, stays: Some(Reason::Function), first: self.found.len(), ..Block::default() };
        self.block = block;
        // The header ends with a semicolon; declarations look like statements.
        while self.at < self.tokens.len() && self.word(0) != ";" {
            self.at += 1;
        }
        self.at += 1;
        while self.at < self.tokens.len() && self.word(0) != end {
            if self.word(0) == "endmodule" || self.statement().is_err() {
                break;
            }
        }
    }

    /// Parses the statement of a block, then decides which conditions can be lifted.
    fn follow(&mut self, block: Block) {
        self.block = block;
        let is_lost = self.statement().is_err();
        let block = std::mem::take(&mut self.block);
        for position in block.first..self.found.len() {
            let is_first = position == block.first;
            let mut branching = self.found[position].clone();
            branching.stays = match (is_lost, branching.stays) {
                (true, _) => Some(Reason::Opaque),
                (false, Some(reason)) => Some(reason),
                (false, None) if block.stays == Some(Reason::Opaque) => block.stays,
                (false, None) if block.has_reset && is_first => Some(Reason::Reset),
                (false, None) => self.lifting.reason(&branching, &block.temporaries),
            };
            self.found[position] = branching;
        }
    }
}
