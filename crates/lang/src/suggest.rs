//! "Did you mean …?"
//!
//! The distance is that of optimal string alignment: insert, delete, replace, or swap two neighbours, each at cost 1.
//! Plain Levenshtein distance charges 2 for a swap, the commonest typing error (`ruel`), and would miss it in short words.

/// Longer names are not compared: nobody mistypes those by one letter, and the cost is quadratic.
const MAX_LENGTH: usize = 64;

/// The candidate that is nearest to the name and near enough to be meant; the first one of several.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = allowed_distance(name)?;
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let Some(distance) = near(name, candidate, allowed) else { continue };
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A third of the length, at least 1; single letters resemble everything, so they get no suggestion but case.
fn allowed_distance(name: &str) -> Option<usize> {
    match name.chars().count() {
        0 => None,
        1 => Some(0),
        length if length > MAX_LENGTH => None,
        length => Some((length / 3).max(1)),
    }
}

/// The distance, if allowed. Letters are compared without regard to case: `Sharer` for `sharer` is the nearest of all.
fn near(name: &str, candidate: &str, allowed: usize) -> Option<usize> {
    if name.len().abs_diff(candidate.len()) > 4 * allowed {
        return None;
    }
    let left: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let right: Vec<char> = candidate.chars().flat_map(char::to_lowercase).collect();
    if left.len().abs_diff(right.len()) > allowed {
        return None;
    }
    Some(distance(&left, &right)).filter(|distance| *distance <= allowed)
}

/// Optimal string alignment distance, by rows.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for i in 0..left.len() {
        let mut row = vec![i + 1];
        for j in 0..right.len() {
            let replace = last[j] + usize::from(left[i] != right[j]);
            let mut least = replace.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j] {
                least = least.min(before_last[j - 1] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_typing_errors() {
        let words = ["rule", "ruleset", "while", "elsif", "end"];
        assert_eq!(closest("ruel", words), Some("rule"));
        assert_eq!(closest("WHLIE", words), Some("while"));
        assert_eq!(closest("elseif", words), Some("elsif"));
        assert_eq!(closest("ed", words), Some("end"));
        assert_eq!(closest("rulset", words), Some("ruleset"));
    }

    #[test]
    fn leaves_strangers_alone() {
        let words = ["rule", "while", "i"];
        assert_eq!(closest("cache", words), None);
        assert_eq!(closest("x", words), None);
        assert_eq!(closest("I", words), Some("i"));
        assert_eq!(closest("", words), None);
        assert_eq!(closest(&"rule".repeat(100), words), None);
    }

    #[test]
    fn distance_of_known_pairs() {
        let of = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(of("", "abc"), 3);
        assert_eq!(of("kitten", "sitting"), 3);
        assert_eq!(of("ab", "ba"), 1);
        assert_eq!(of("state", "state"), 0);
    }
}
