//! Numbers in sentences for people.

/// With a comma between groups of three digits: `28,647`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 state`, `28,647 states`, `2 properties`.
pub fn counted(number: u64, noun: &str) -> String {
    let number_and_noun = |stem: &str, end: &str| format!("{} {stem}{end}", grouped(number));
    match noun.strip_suffix("ty") {
        _ if number == 1 => number_and_noun(noun, ""),
        Some(stem) => number_and_noun(stem, "ties"),
        None => number_and_noun(noun, "s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        let shown: Vec<_> = [0, 7, 999, 1000, 28_647, 1_000_000, u64::MAX].map(grouped).into();
        assert_eq!(shown, ["0", "7", "999", "1,000", "28,647", "1,000,000", "18,446,744,073,709,551,615"]);
    }

    #[test]
    fn nouns() {
        assert_eq!(counted(1, "state"), "1 state");
        assert_eq!(counted(0, "state"), "0 states");
        assert_eq!(counted(2, "property"), "2 properties");
    }
}
