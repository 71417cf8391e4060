//! A text with some parts replaced, and how places in it are found in the original.

use super::sources::offset;
use crate::span::Span;

/// A changed text.
#[derive(Clone, Debug, Default)]
pub struct Copy {
    pub text: String,
    /// The parts that were replaced: where they were, and where what replaces them is.
    edits: Vec<(Span, Span)>,
}

impl Copy {
    /// Replaces parts, in the order of the text.
    pub fn of(original: &str, edits: Vec<(Span, String)>) -> Copy {
        let mut copy = Copy::default();
        let mut end = 0;
        for (span, replacement) in edits {
            // Something within a part that is replaced as a whole.
            if (span.start as usize) < end {
                continue;
            }
            copy.text.push_str(&original[end..span.start as usize]);
            let start = copy.text.len();
            copy.text.push_str(&replacement);
            copy.edits.push((span, Span::new(start, copy.text.len())));
            end = span.end as usize;
        }
        copy.text.push_str(&original[end..]);
        copy
    }

    /// The line and column in the original. Everything within a replacement is where the replaced part begins.
    pub fn place_before(&self, original: &str, line: usize, column: usize) -> (usize, usize) {
        if self.edits.is_empty() || line == 0 {
            return (line, column);
        }
        let at = offset(&self.text, line, column);
        let before = self.edits.iter().rev().find(|(_, new)| (new.start as usize) <= at);
        let place = match before {
            None => at,
            Some((old, new)) if at < new.end as usize => old.start as usize,
            Some((old, new)) => old.end as usize + (at - new.end as usize),
        };
        let place = place.min(original.len());
        let start = original[..place].rfind('\n').map_or(0, |newline| newline + 1);
        let line = 1 + original[..start].matches('\n').count();
        (line, 1 + original[start..place].chars().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_in_the_original() {
        let original = "ab é cd\nef gh\n";
        let span = |part: &str| {
            let start = original.find(part).expect("a part");
            Span::new(start, start + part.len())
        };
        let copy =
            Copy::of(original, vec![(span("é"), "long\nlong".to_owned()), (span("ef"), String::new())]);
        assert_eq!(copy.text, "ab long\nlong cd\n gh\n");
        assert_eq!(copy.place_before(original, 1, 2), (1, 2));
        assert_eq!(copy.place_before(original, 2, 2), (1, 4));
        assert_eq!(copy.place_before(original, 2, 6), (1, 6));
        assert_eq!(copy.place_before(original, 3, 2), (2, 4));
    }
}
