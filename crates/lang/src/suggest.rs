//! "Did you mean …?"
//!
//! The distance is that of optimal string alignment: insert, delete, replace, or swap two neighbours, each at cost 1.
//! Plain Levenshtein distance charges 2 for a swap, the commonest typing error (`ruel`), and would miss it in short words.

/// The length in bytes up to which names are compared: longer ones are hardly misspelt by one letter, and the cost is
/// quadratic.
const MAX_LENGTH: usize = 64;

/// The nearest candidate within the allowed distance; the first of several.
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

/// A third of the length, at least 1; single letters resemble everything, so only the other case is suggested for them.
fn allowed_distance(name: &str) -> Option<usize> {
    match name.chars().count() {
        0 => None,
        1 => Some(0),
        length if length > MAX_LENGTH => None,
        length => Some((length / 3).max(1)),
    }
}

/// The distance, if allowed. Letters are compared regardless of case: `Sharer` is the nearest candidate for `sharer`.
fn near(name: &str, candidate: &str, allowed: usize) -> Option<usize> {
    if name.len().abs_diff(candidate.len()) > 4 * allowed {
        return None;
    }
    let left: String = name.chars().flat_map(char::to_lowercase).collect();
    let right: String = candidate.chars().flat_map(char::to_lowercase).collect();
    if left.chars().count().abs_diff(right.chars().count()) > allowed {
        return None;
    }
    Some(strsim::osa_distance(&left, &right)).filter(|distance| *distance <= allowed)
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
}
