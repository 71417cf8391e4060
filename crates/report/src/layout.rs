//! Formulas on lines of a limited width: they break before an operator or behind a quantifier, never inside a name, a place of an array
//! or a text in quotes.

/// The width to which lines are filled.
const WIDTH: usize = 100;
/// How much further in the lines after the first are.
const CONTINUED: usize = 2;
/// A line may begin with these.
const OPERATORS: [&str; 4] = ["&", "|", "->", "<->"];

/// A formula on lines that begin with so many spaces.
pub fn formula(text: &str, indent: usize) -> String {
    within(text, indent, WIDTH)
}

/// The same for lines of some width. Pieces that are longer have a line of their own.
pub fn within(text: &str, indent: usize, width: usize) -> String {
    let (mut lines, mut line) = (String::new(), " ".repeat(indent));
    let mut is_first = true;
    for piece in pieces(text) {
        let length = line.chars().count() + 1 + piece.chars().count();
        if !is_first && length > width {
            lines.push_str(line.trim_end());
            lines.push('\n');
            line = " ".repeat(indent + CONTINUED);
            is_first = true;
        }
        if !is_first {
            line.push(' ');
        }
        line.push_str(&piece);
        is_first = false;
    }
    format!("{lines}{}\n", line.trim_end())
}

/// The parts between which a line may break, each with the operator in front of it.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut is_quoted = false;
    let mut ends = true;
    for word in text.split(' ') {
        let is_operator = !is_quoted && OPERATORS.contains(&word);
        if ends || is_operator {
            pieces.push(word.to_string());
        } else if let Some(last) = pieces.last_mut() {
            last.push(' ');
            last.push_str(word);
        }
        if word.matches('"').count() % 2 == 1 {
            is_quoted = !is_quoted;
        }
        // Behind a quantifier, and behind the name of a declaration.
        ends = !is_quoted && (word.ends_with('.') || word.ends_with('"'));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_before_operators_at_any_width() {
        let text =
            "forall i, j : NODE. i != j & cache[i] = Exclusive -> cache[j] in {Invalid, Shared} | home";
        assert_eq!(within(text, 2, 100), format!("  {text}\n"));
        let narrow = within(text, 2, 30);
        let lines: Vec<&str> = narrow.lines().map(str::trim).collect();
        let expected = [
            "forall i, j : NODE. i != j",
            "& cache[i] = Exclusive",
            "-> cache[j] in {Invalid, Shared}",
            "| home",
        ];
        assert_eq!(lines, expected);
        for width in 1..120 {
            let joined: Vec<String> =
                within(text, 0, width).lines().map(|line| line.trim().to_string()).collect();
            assert_eq!(joined.join(" "), text, "nothing is lost at width {width}");
        }
    }

    #[test]
    fn texts_in_quotes_are_left_whole() {
        let text = "invariant \"a | b & c\" forall i : NODE. busy;";
        let shown = within(text, 0, 1);
        assert!(shown.contains("\"a | b & c\""), "{shown}");
    }
}
