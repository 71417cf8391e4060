//! The statements of a Verilog text that branch: where they are, and whether their conditions could stand elsewhere.
//!
//! Yosys tells which conditions a design has and what they mean. What it does not tell is their text and whether they can
//! be lifted out of their block (SPEC 4.1.2), so procedural statements are followed here, as far as that is possible
//! without reading the whole language: what is not understood makes a block opaque, and nothing in it is lifted.

use super::lexer::{Kind, Token, tokens};
use crate::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Why a condition has to stay where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It stands in a function or a task.
    Function,
    /// It stands in a loop, which is unrolled.
    Loop,
    /// It stands in a generate block.
    Generate,
    /// It speaks of a variable that the same block assigns with `=`, or declares.
    Temporary,
    /// It decides about an asynchronous reset.
    Reset,
    /// It calls a function or a system function.
    Call,
    /// It contains a macro that is no plain number.
    Macro,
    /// Comparing the label with `==` could mean something else.
    Comparison,
    /// The block runs at certain changes only, or once.
    Sensitivity,
    /// The block could not be followed.
    Opaque,
}

impl Reason {
    /// In words.
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
    /// Is it the default?
    pub is_default: bool,
}

/// A statement that branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branching {
    /// The word `if` or `case`.
    pub keyword: Span,
    /// The condition of an `if`, or what a `case` compares.
    pub condition: Span,
    /// The arms; empty for an `if`.
    pub arms: Vec<Arm>,
    /// Where the block begins that it belongs to.
    pub block: u32,
    /// Can it be lifted?
    pub stays: Option<Reason>,
}

impl Branching {
    /// Is it an `if`?
    pub fn is_if(&self) -> bool {
        self.arms.is_empty()
    }
}

/// A text that was scanned.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// Everything that branches, in the order of the text.
    pub branchings: Vec<Branching>,
    /// The words `assert`, `assume`, `cover` and `restrict` that begin a statement.
    pub formal: Vec<Span>,
    /// Every identifier.
    pub words: BTreeSet<String>,
}

/// Scans a text.
pub fn scan(text: &str) -> Scan {
    let tokens = without_definitions(text);
    let words = tokens.iter().filter(|token| token.kind == Kind::Word);
    let words: BTreeSet<String> = words.map(|token| token.text(text).to_owned()).collect();
    let is_formal = |token: &&Token| matches!(token.text(text), "assert" | "assume" | "cover" | "restrict");
    let formal = tokens.iter().filter(is_formal).map(|token| token.span).collect();
    let numbers = number_macros(text);
    let unsigned = unsigned_names(text, &tokens);
    let (block, found) = (Block::default(), Vec::new());
    let mut scanner = Scanner { text, tokens: &tokens, at: 0, numbers, unsigned, block, found };
    scanner.file();
    let mut branchings = scanner.found;
    branchings.sort_by_key(|branching| branching.keyword.start);
    Scan { branchings, formal, words }
}

/// The tokens without macro definitions, which are no part of the text that is read.
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

/// The end of the line, which a backslash continues.
fn end_of_definition(text: &str, from: usize) -> usize {
    let mut end = from;
    for line in text[from..].split_inclusive('\n') {
        end += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    end
}

/// The macros that stand for a number and nothing else.
fn number_macros(text: &str) -> BTreeSet<String> {
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let Some(definition) = line.trim_start().strip_prefix("`define") else { continue };
        let parts = tokens(definition);
        let Some(name) = parts.first() else { continue };
        let is_number = matches!(parts.as_slice(), [_, number] if number.kind == Kind::Number);
        // Defined twice, it may be anything.
        found.entry(name.text(definition).to_owned()).and_modify(|known| *known = false).or_insert(is_number);
    }
    found.into_iter().filter(|(_, is_number)| *is_number).map(|(name, _)| format!("`{name}")).collect()
}

/// The names that are declared as vectors of bits, and nowhere as something signed.
fn unsigned_names(text: &str, tokens: &[Token]) -> BTreeSet<String> {
    let mut names: BTreeMap<String, bool> = BTreeMap::new();
    let (mut is_declaring, mut is_signed, mut depth) = (false, false, 0_usize);
    for token in tokens {
        match token.text(text) {
            "(" | "[" | "{" if is_declaring => depth += 1,
            ")" | "]" | "}" if depth > 0 => depth -= 1,
            "reg" | "wire" | "logic" | "bit" | "input" | "output" => {
                (is_declaring, is_signed, depth) = (true, false, 0);
            }
            "integer" | "int" | "byte" | "shortint" | "longint" | "time" | "genvar" => {
                (is_declaring, is_signed, depth) = (true, true, 0);
            }
            "signed" => is_signed = true,
            ")" | ";" => is_declaring = false,
            name if is_declaring && depth == 0 && token.kind == Kind::Word => {
                names.entry(name.to_owned()).and_modify(|known| *known &= !is_signed).or_insert(!is_signed);
            }
            _ => {}
        }
    }
    names.into_iter().filter(|(_, is_unsigned)| *is_unsigned).map(|(name, _)| name).collect()
}

/// What is known about the block that is being followed.
#[derive(Clone, Debug, Default)]
struct Block {
    start: u32,
    /// Why nothing in it can be lifted.
    stays: Option<Reason>,
    /// How many loops deep.
    loops: usize,
    /// Does its first `if` decide about an asynchronous reset?
    has_reset: bool,
    /// Variables that it assigns with `=` or declares.
    temporaries: BTreeSet<String>,
    /// Position of its first statement among those found.
    first: usize,
}

/// The end of the text came too early.
struct Lost;

type Followed = Result<(), Lost>;

struct Scanner<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    numbers: BTreeSet<String>,
    /// Names that are surely not signed.
    unsigned: BTreeSet<String>,
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
                    // The conditions of generate constructs are no branches of the design.
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

    /// When a block runs: why its conditions stay, and whether there is an asynchronous reset.
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

    /// Follows the statement of a block, then decides what of it can be lifted.
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
                (false, None) => self.must_stay(&branching, &block.temporaries),
            };
            self.found[position] = branching;
        }
    }

    /// Does the text of a condition forbid to lift it?
    fn must_stay(&self, branching: &Branching, temporaries: &BTreeSet<String>) -> Option<Reason> {
        let labels = branching.arms.iter().filter(|arm| !arm.is_default).flat_map(|arm| &arm.labels);
        let spans = labels.copied().chain([branching.condition]);
        let reason = spans.into_iter().find_map(|span| self.expression_stays(span, temporaries));
        reason.or_else(|| (!branching.is_if()).then(|| self.case_stays(branching)).flatten())
    }

    fn expression_stays(&self, span: Span, temporaries: &BTreeSet<String>) -> Option<Reason> {
        let text = &self.text[span.range()];
        let parts = tokens(text);
        for (position, token) in parts.iter().enumerate() {
            let word = token.text(text);
            let next = parts.get(position + 1).map_or("", |next| next.text(text));
            match token.kind {
                Kind::System if !matches!(word, "$signed" | "$unsigned" | "$clog2") => {
                    return Some(Reason::Call);
                }
                Kind::Directive if !self.numbers.contains(word) => return Some(Reason::Macro),
                Kind::Word if temporaries.contains(word) => return Some(Reason::Temporary),
                Kind::Word if next == "(" || word == "inside" => return Some(Reason::Call),
                Kind::Symbol if matches!(word, "=" | "++" | "--" | "'{") || is_assignment(word) => {
                    return Some(Reason::Opaque);
                }
                _ => {}
            }
        }
        None
    }

    /// A `case` compares everything at the largest width, signed if all is signed, and with wildcards in some forms:
    /// `==` does the same for plain names and numbers that are not signed (SPEC HL-T8).
    fn case_stays(&self, branching: &Branching) -> Option<Reason> {
        let compared = tokens(&self.text[branching.condition.range()]);
        let compared =
            compared.first().map(|first| (first.kind, first.text(&self.text[branching.condition.range()])));
        // If what is compared is not signed, no comparison is.
        let is_unsigned = match compared {
            Some((Kind::Word, name)) => self.unsigned.contains(name),
            _ => true,
        };
        let is_plain_case = self.text[branching.keyword.range()] == *"case";
        let labels = branching.arms.iter().filter(|arm| !arm.is_default).flat_map(|arm| &arm.labels);
        let are_plain = labels.copied().chain([branching.condition]).all(|span| self.is_plain(span));
        (!is_unsigned || !is_plain_case || !are_plain).then_some(Reason::Comparison)
    }

    /// A name, perhaps with a constant select, or a number without wildcards and sign.
    fn is_plain(&self, span: Span) -> bool {
        let text = &self.text[span.range()];
        let parts = tokens(text);
        let is_number = |token: &Token| {
            token.kind == Kind::Number && !token.text(text).contains(['?', 'x', 'X', 'z', 'Z', 's'])
        };
        match parts.as_slice() {
            [only] => matches!(only.kind, Kind::Word | Kind::Directive) || is_number(only),
            [name, open, index, close] => {
                let brackets = (open.text(text), close.text(text)) == ("[", "]");
                name.kind == Kind::Word && brackets && (index.kind == Kind::Word || is_number(index))
            }
            _ => false,
        }
    }

    /// One statement. Its depth is that of the source text, so recursion is bounded by what Yosys accepts; a limit stops
    /// texts that are no Verilog.
    fn statement(&mut self) -> Followed {
        self.nested_statement(0)
    }

    fn nested_statement(&mut self, depth: usize) -> Followed {
        if depth > 500 {
            return Err(Lost);
        }
        match self.word(0) {
            "" | "endmodule" | "module" => Err(Lost),
            "(*" => {
                self.skip_attribute();
                self.nested_statement(depth + 1)
            }
            "begin" => self.begin(depth),
            "unique" | "unique0" | "priority" => {
                self.block.stays.get_or_insert(Reason::Comparison);
                self.at += 1;
                self.nested_statement(depth + 1)
            }
            "if" => self.branch_if(depth),
            "case" | "casez" | "casex" => self.branch_case(depth),
            "for" | "while" | "repeat" => {
                self.at += 1;
                let header = self.parenthesised()?;
                self.remember_words(header);
                self.looped(depth)
            }
            "forever" => {
                self.at += 1;
                self.looped(depth)
            }
            "fork" | "wait" | "disable" | "do" | "randcase" => Err(Lost),
            "@" | "#" => self.delayed(depth),
            "assert" | "assume" | "cover" | "restrict" => self.formal(depth),
            "else" => Err(Lost),
            _ if self.tokens[self.at].kind == Kind::Directive => self.directive(depth),
            _ if self.word(1) == ":" && self.tokens[self.at].kind == Kind::Word => {
                self.at += 2;
                self.nested_statement(depth + 1)
            }
            _ => self.simple(),
        }
    }

    fn begin(&mut self, depth: usize) -> Followed {
        self.at += 1;
        if self.word(0) == ":" {
            self.at += 2;
        }
        while self.word(0) != "end" {
            self.nested_statement(depth + 1)?;
        }
        self.at += 1;
        if self.word(0) == ":" {
            self.at += 2;
        }
        Ok(())
    }

    fn looped(&mut self, depth: usize) -> Followed {
        self.block.loops += 1;
        let followed = self.nested_statement(depth + 1);
        self.block.loops -= 1;
        followed
    }

    fn branch_if(&mut self, depth: usize) -> Followed {
        let keyword = self.bump()?.span;
        let condition = self.parenthesised()?;
        self.push(keyword, condition, Vec::new());
        self.nested_statement(depth + 1)?;
        if self.word(0) == "else" {
            self.at += 1;
            self.nested_statement(depth + 1)?;
        }
        Ok(())
    }

    fn branch_case(&mut self, depth: usize) -> Followed {
        let keyword = self.bump()?.span;
        let condition = self.parenthesised()?;
        let position = self.found.len();
        self.push(keyword, condition, Vec::new());
        if matches!(self.word(0), "inside" | "matches") {
            return Err(Lost);
        }
        let mut arms = Vec::new();
        while self.word(0) != "endcase" {
            arms.push(self.arm()?);
            self.nested_statement(depth + 1)?;
        }
        self.at += 1;
        self.found[position].arms = arms;
        Ok(())
    }

    fn arm(&mut self) -> Result<Arm, Lost> {
        if self.word(0) == "default" {
            let span = self.bump()?.span;
            if self.word(0) == ":" {
                self.at += 1;
            }
            return Ok(Arm { labels: vec![span], is_default: true });
        }
        let (mut labels, mut depth, mut questions) = (Vec::new(), 0_usize, 0_usize);
        let mut label: Option<Span> = None;
        loop {
            let token = self.bump()?;
            match token.text(self.text) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "?" => questions += 1,
                ":" if depth == 0 && questions > 0 => questions -= 1,
                "," | ":" if depth == 0 => {
                    labels.push(label.take().ok_or(Lost)?);
                    if token.text(self.text) == ":" {
                        return Ok(Arm { labels, is_default: false });
                    }
                    continue;
                }
                ";" | "endcase" | "endmodule" => return Err(Lost),
                _ => {}
            }
            label = Some(label.map_or(token.span, |known| known.to(token.span)));
        }
    }

    /// `@(…) statement`, `#5 statement`
    fn delayed(&mut self, depth: usize) -> Followed {
        self.block.stays = Some(Reason::Opaque);
        self.at += 1;
        match self.word(0) {
            "(" => drop(self.parenthesised()?),
            _ => self.at += 1,
        }
        self.nested_statement(depth + 1)
    }

    /// `assert (…);`, which may have an action.
    fn formal(&mut self, depth: usize) -> Followed {
        self.at += 1;
        if self.word(0) == "property" {
            self.at += 1;
        }
        self.parenthesised()?;
        match self.word(0) {
            "else" => {
                self.at += 1;
                self.nested_statement(depth + 1)
            }
            ";" => {
                self.at += 1;
                Ok(())
            }
            _ => Err(Lost),
        }
    }

    /// Conditional compilation changes the structure; any other macro in the place of a statement may do anything.
    fn directive(&mut self, depth: usize) -> Followed {
        self.block.stays = Some(Reason::Opaque);
        let name = self.word(0);
        self.at += 1;
        match name {
            "`ifdef" | "`ifndef" | "`elsif" => self.at += 1,
            "`else" | "`endif" => {}
            _ => {
                if self.word(0) == "(" {
                    self.parenthesised()?;
                }
                if self.word(0) == ";" {
                    self.at += 1;
                }
                return Ok(());
            }
        }
        // The next statement may be the other half of one that was begun before.
        match self.word(0) {
            "end" | "endcase" => Ok(()),
            _ => self.nested_statement(depth + 1),
        }
    }

    /// An assignment, a declaration or a call, up to its semicolon.
    fn simple(&mut self) -> Followed {
        let start = self.at;
        let (mut depth, mut operator) = (0_usize, None);
        loop {
            let token = self.bump()?;
            match token.text(self.text) {
                "(" | "[" | "{" | "'{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => break,
                "endmodule" | "begin" | "endcase" | "end" => return Err(Lost),
                word @ ("=" | "<=") if depth == 0 && operator.is_none() => operator = Some((word, self.at)),
                word if depth == 0 && operator.is_none() && is_assignment(word) => {
                    operator = Some(("=", self.at))
                }
                _ => {}
            }
        }
        // What stands before `=` is assigned at once. A declaration or a call may change everything that it names.
        let end = match operator {
            Some(("<=", _)) => start,
            Some((_, end)) => end,
            None => self.at,
        };
        let tokens = self.tokens;
        for token in &tokens[start..end] {
            if token.kind == Kind::Word {
                self.block.temporaries.insert(token.text(self.text).to_owned());
            }
        }
        Ok(())
    }

    fn remember_words(&mut self, span: Span) {
        let text = &self.text[span.range()];
        let words = tokens(text).into_iter().filter(|token| token.kind == Kind::Word);
        self.block.temporaries.extend(words.map(|token| token.text(text).to_owned()));
    }

    /// What stands between parentheses.
    fn parenthesised(&mut self) -> Result<Span, Lost> {
        let open = self.bump()?;
        if open.text(self.text) != "(" {
            return Err(Lost);
        }
        let mut depth = 1;
        let mut inside: Option<Span> = None;
        loop {
            let token = self.bump()?;
            match token.text(self.text) {
                "(" | "[" | "{" | "'{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                ";" if depth == 1 => {}
                "endmodule" => return Err(Lost),
                _ => {}
            }
            if depth == 0 {
                return Ok(inside.unwrap_or(Span::new(open.span.end as usize, open.span.end as usize)));
            }
            inside = Some(inside.map_or(token.span, |known| known.to(token.span)));
        }
    }

    fn push(&mut self, keyword: Span, condition: Span, arms: Vec<Arm>) {
        let stays = match self.block.stays {
            Some(Reason::Opaque) | None if self.block.loops > 0 => Some(Reason::Loop),
            Some(Reason::Opaque) => None,
            reason => reason,
        };
        self.found.push(Branching { keyword, condition, arms, block: self.block.start, stays });
    }
}

fn is_assignment(word: &str) -> bool {
    matches!(
        word,
        "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" | "<<<=" | ">>>=" | "++" | "--"
    )
}
