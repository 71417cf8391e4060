//! Numbers as people read them.

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

/// A duration with as many digits as matter.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.2} s"),
        s if s < 100.0 => format!("{s:.1} s"),
        s => format!("{} s", grouped(s as u64)),
    }
}

/// A memory size in megabytes, rounded up so that nothing looks free.
pub fn megabytes(bytes: usize) -> String {
    format!("{} MB", grouped(bytes.div_ceil(1 << 20) as u64))
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
    fn nouns_and_units() {
        assert_eq!(counted(1, "state"), "1 state");
        assert_eq!(counted(0, "state"), "0 states");
        assert_eq!(
            (seconds(0.014), seconds(12.34), seconds(4321.9)),
            ("0.01 s".into(), "12.3 s".into(), "4,321 s".into())
        );
        assert_eq!((megabytes(1), megabytes(3 << 30)), ("1 MB".into(), "3,072 MB".into()));
    }
}
