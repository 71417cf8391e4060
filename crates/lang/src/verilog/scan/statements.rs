//! Parsing of procedural statements.

use super::{Arm, Branching, Followed, Lost, Reason, Scanner};
use crate::span::Span;
use crate::verilog::lexer::{Kind, tokens};
use crate::verilog::lifting::is_assignment;

impl Scanner<'_> {
    /// One statement. Its depth is that of the source text, so recursion is bounded by what Yosys accepts; a limit
    /// stops texts that are not Verilog.
    pub(super) fn statement(&mut self) -> Followed {
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

    /// Conditional compilation changes the structure; any other macro in place of a statement may do anything.
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
        // The next statement may be the other half of an incomplete one.
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
        // The target of `=` is assigned at once. A declaration or a call may change everything that it names.
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

    /// The text between parentheses.
    pub(super) fn parenthesised(&mut self) -> Result<Span, Lost> {
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
