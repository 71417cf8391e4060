//! The source-to-source version of a design: each condition gets a name (Clarke et al., section 4.1).
//!
//! `if (mode != NO_CONF)` becomes `if (pred1)` with `assign pred1 = (mode != NO_CONF);` before the block, and a `case` becomes
//! one over `1'b1` whose labels are such names. Comments and layout stay. Conditions that cannot be lifted stay as well, with a
//! reason. A test shows that nothing has changed, by comparing the translations of both texts (HL-A9).

use super::lexer::{Kind, tokens};
use super::scan::{Branching, Reason, Scan, scan};
use crate::span::Span;
use std::collections::BTreeSet;

/// A lifted condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifted {
    /// The new wire.
    pub name: String,
    /// The span in the original text: of the condition of an `if`, or of the labels of an arm.
    pub span: Span,
}

/// A condition that is not lifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// The span of the condition of the `if`, or of the expression of the `case`.
    pub span: Span,
    pub reason: Reason,
}

/// A text that was rewritten.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The new text.
    pub text: String,
    /// The lifted conditions, in the order of the text.
    pub lifted: Vec<Lifted>,
    /// The others, in the order of the text.
    pub kept: Vec<Kept>,
}

/// Lifts every condition of a text that can be lifted.
pub fn rewrite(text: &str) -> Rewritten {
    let Scan { branchings, words, .. } = scan(text);
    let mut writer = Writer { text, words, number: 0, edits: Vec::new(), lifted: Vec::new() };
    let mut kept = Vec::new();
    for branching in &branchings {
        match branching.stays {
            Some(reason) => kept.push(Kept { span: branching.condition, reason }),
            None if branching.is_if() => writer.lift_if(branching),
            None => writer.lift_case(branching),
        }
    }
    Rewritten { text: writer.finish(), lifted: writer.lifted, kept }
}

/// The replacement of a range. Insertions at one place keep their order.
struct Edit {
    span: Span,
    text: String,
}

struct Writer<'t> {
    text: &'t str,
    words: BTreeSet<String>,
    number: usize,
    edits: Vec<Edit>,
    lifted: Vec<Lifted>,
}

impl Writer<'_> {
    fn lift_if(&mut self, branching: &Branching) {
        let condition = &self.text[branching.condition.range()];
        let value =
            if is_truth_value(condition) { format!("({condition})") } else { format!("!!({condition})") };
        let name = self.define(branching, branching.condition, &value);
        self.edits.push(Edit { span: branching.condition, text: name });
    }

    fn lift_case(&mut self, branching: &Branching) {
        let compared = self.text[branching.condition.range()].to_owned();
        self.edits.push(Edit { span: branching.condition, text: "1'b1".to_owned() });
        for arm in branching.arms.iter().filter(|arm| !arm.is_default) {
            let tests =
                arm.labels.iter().map(|label| format!("({compared} == {})", &self.text[label.range()]));
            let value = tests.collect::<Vec<_>>().join(" || ");
            let span = arm.labels.iter().copied().reduce(Span::to).expect("invariant: an arm has a label");
            let name = self.define(branching, span, &value);
            self.edits.push(Edit { span, text: name });
        }
    }

    /// A new wire with this value, declared before the block.
    fn define(&mut self, branching: &Branching, span: Span, value: &str) -> String {
        let name = self.fresh_name();
        let start = branching.block as usize;
        let line = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let indent = &self.text[line..start];
        // The wires of a block that begins in the middle of a line are declared there, too.
        let gap = if indent.trim().is_empty() { format!("\n{indent}") } else { " ".to_owned() };
        // A value of several lines, or with a comment in it, is written on one line.
        let value = one_line(value);
        let text = format!("wire {name};{gap}assign {name} = {value};{gap}");
        self.edits.push(Edit { span: Span::new(start, start), text });
        self.lifted.push(Lifted { name: name.clone(), span });
        name
    }

    fn fresh_name(&mut self) -> String {
        loop {
            self.number += 1;
            let name = format!("pred{}", self.number);
            if !self.words.contains(&name) {
                return name;
            }
        }
    }

    fn finish(&mut self) -> String {
        self.edits.sort_by_key(|edit| edit.span.start);
        let mut text = String::new();
        let mut at = 0;
        for edit in &self.edits {
            let range = edit.span.range();
            text.push_str(&self.text[at..range.start]);
            text.push_str(&edit.text);
            at = range.end;
        }
        text.push_str(&self.text[at..]);
        text
    }
}

/// The tokens of a value with white space and comments collapsed to single spaces.
fn one_line(value: &str) -> String {
    let mut line = String::new();
    let mut end = 0;
    for token in tokens(value) {
        let range = token.span.range();
        if range.start > end && !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&value[range.clone()]);
        // A directive may need the end of its line, but no macro that is lifted does. An escaped name needs its space.
        end = range.end;
    }
    line
}

/// Is the value of a condition one bit, whatever its operands are? Otherwise it would be truncated to its last bit, or
/// its operands be extended by the comparison (HL-T8), and it needs `!!`.
fn is_truth_value(condition: &str) -> bool {
    let mut depth = 0_usize;
    let (mut has_logic, mut has_comparison, mut has_other) = (false, false, false);
    let parts = tokens(condition);
    for token in &parts {
        match token.text(condition) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "?" => return false,
            "&&" | "||" => has_logic = true,
            "==" | "!=" | "===" | "!==" | "<" | ">" | "<=" | ">=" => has_comparison = true,
            // Operators that bind weaker than comparisons.
            "&" | "|" | "^" | "~^" | "^~" | "->" => has_other = true,
            _ => {}
        }
    }
    let is_negation = parts.first().is_some_and(|first| first.text(condition) == "!") && parts.len() == 2;
    let is_negated_name = is_negation && parts[1].kind == Kind::Word;
    has_logic || (has_comparison && !has_other) || is_negated_name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_get_names_and_layout_stays() {
        let text = "\
module m(input clk, input [1:0] mode, a, b);
    // what happens
    always @(posedge clk) begin
        if (mode != `NO_CONF) q <= 1; /* here */
        else if (a == b) q <= pred1;
        else if (a + b) q <= 3;
    end
endmodule
`define NO_CONF 2'd0
";
        let expected = "\
module m(input clk, input [1:0] mode, a, b);
    // what happens
    wire pred2;
    assign pred2 = (mode != `NO_CONF);
    wire pred3;
    assign pred3 = (a == b);
    wire pred4;
    assign pred4 = !!(a + b);
    always @(posedge clk) begin
        if (pred2) q <= 1; /* here */
        else if (pred3) q <= pred1;
        else if (pred4) q <= 3;
    end
endmodule
`define NO_CONF 2'd0
";
        let rewritten = rewrite(text);
        assert_eq!(rewritten.text, expected);
        assert_eq!(rewritten.kept, []);
    }

    #[test]
    fn arms_get_names() {
        let text = "\
module m(input signed [1:0] t, input [(1):0] s);
  always @* begin
    case (s)
      2'd0, IDLE: y = a ? b : c;
      2'd1: begin y = 0; end
      default: y = 1;
    endcase
  end
endmodule
";
        let expected = "\
module m(input signed [1:0] t, input [(1):0] s);
  wire pred1;
  assign pred1 = (s == 2'd0) || (s == IDLE);
  wire pred2;
  assign pred2 = (s == 2'd1);
  always @* begin
    case (1'b1)
      pred1: y = a ? b : c;
      pred2: begin y = 0; end
      default: y = 1;
    endcase
  end
endmodule
";
        assert_eq!(rewrite(text).text, expected);
    }

    fn reasons(text: &str) -> Vec<Reason> {
        let rewritten = rewrite(text);
        assert_eq!((rewritten.text.as_str(), rewritten.lifted.len()), (text, 0));
        rewritten.kept.iter().map(|kept| kept.reason).collect()
    }

    #[test]
    fn what_cannot_be_lifted_stays() {
        let cases = [
            ("module m; function f(input a); if (a) f = 1; endfunction endmodule", Reason::Function),
            ("module m; always @* for (i = 0; i < 4; i = i + 1) if (a[i]) y = 1; endmodule", Reason::Loop),
            ("module m; generate always @* if (a) y = 1; endgenerate endmodule", Reason::Generate),
            (
                "module m; for (i = 0; i < 2; i = i + 1) always @* if (a) y[i] = 1; endmodule",
                Reason::Generate,
            ),
            ("module m; if (P) begin always @* if (a) y = 1; end endmodule", Reason::Generate),
            ("module m; always @(posedge c) begin t = a; if (t) y <= 1; end endmodule", Reason::Temporary),
            ("module m; always @* begin : b reg t; if (t == 1) y = 1; end endmodule", Reason::Temporary),
            ("module m; always @(posedge c or negedge r) if (!r) y <= 1; endmodule", Reason::Reset),
            ("module m; always @* if (f(a)) y = 1; endmodule", Reason::Call),
            ("module m; always @* if ($past(a)) y = 1; endmodule", Reason::Call),
            ("module m; always @* if (`A) y = 1; endmodule\n`define A t", Reason::Macro),
            ("module m; always @(a or b) if (a) y = b; endmodule", Reason::Sensitivity),
            ("module m; initial if (a) y = b; endmodule", Reason::Sensitivity),
            (
                "module m; reg [1:0] a; always @* casez (a) 2'b1?: y = 1; endcase endmodule",
                Reason::Comparison,
            ),
            ("module m; reg [1:0] a; always @* case (a) 2'b1x: y = 1; endcase endmodule", Reason::Comparison),
            (
                "module m; reg [1:0] a; always @* case (a + b) 2'b11: y = 1; endcase endmodule",
                Reason::Comparison,
            ),
            ("module m; always @* case (a) 1: y = 1; endcase endmodule", Reason::Comparison),
            (
                "module m; reg signed [1:0] a; always @* case (a) 1: y = 1; endcase endmodule",
                Reason::Comparison,
            ),
            (
                "module m; reg [1:0] a; always @* unique case (a) 1: y = 1; endcase endmodule",
                Reason::Comparison,
            ),
            ("module m; always @* begin `DO_IT if (a) y = 1; end endmodule", Reason::Opaque),
            ("module m; always @* begin if (a) y = 1; fork end endmodule", Reason::Opaque),
        ];
        for (text, reason) in cases {
            assert_eq!(reasons(text), [reason], "{text}");
        }
    }

    #[test]
    fn a_reset_stays_and_what_it_guards_is_lifted() {
        let text =
            "module m;\nalways @(posedge c, posedge r) if (r) q <= 0; else if (a > 1) q <= 1;\nendmodule";
        let rewritten = rewrite(text);
        assert_eq!(rewritten.kept.len(), 1);
        assert!(rewritten.text.contains("if (r) q <= 0; else if (pred1) q <= 1;"), "{}", rewritten.text);
    }

    #[test]
    fn widths_decide_about_negations() {
        for (condition, expected) in [
            ("a == b", true),
            ("a && b", true),
            ("!a", true),
            ("(a == b)", false),
            ("a & b == c", false),
            ("a + b", false),
            ("a", false),
            ("c ? a == b : d", false),
            ("a < b ^ c", false),
            ("a[1] != b", true),
        ] {
            assert_eq!(is_truth_value(condition), expected, "{condition}");
        }
    }
}
