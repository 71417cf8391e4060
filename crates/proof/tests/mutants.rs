//! Certificates with one change: each is rejected, or is still a proof.
//!
//! A mutant may be accepted only if it differs from the original in what a certificate is free to choose: the names of
//! tool and engine, and the instances; the solver has then found that the other instances suffice as well.

mod support;

use support::*;

/// The lines that follow from the model and the lemmas.
fn skeleton(text: &str) -> Vec<&str> {
    let is_free = |line: &&str| {
        let is_instance = line.starts_with("(assert ") && !line.starts_with("(assert (not ");
        is_instance || line.starts_with("; engine \"") || line.starts_with("; tool \"")
    };
    let mut depth = 0;
    let mut kept = Vec::new();
    for line in text.lines() {
        match line {
            "(push 1)" => depth += 1,
            "(pop 1)" => depth -= 1,
            _ => {}
        }
        if line.starts_with(';') || depth == 2 {
            if !is_free(&line) {
                kept.push(line);
            }
        } else {
            kept.push(line);
        }
    }
    kept
}

/// Tries a mutant; says whether it was accepted.
fn try_mutant(case: &Case, original: &str, mutant: &str, what: &str) -> bool {
    if mutant == original {
        return false;
    }
    match case.verify(mutant) {
        Err(rejection) => {
            assert!(!rejection.reason.is_empty());
            false
        }
        Ok(_) => {
            assert_eq!(skeleton(mutant), skeleton(original), "{}: accepted after {what}", case.file);
            true
        }
    }
}

fn joined(lines: &[&str]) -> String {
    lines.join("\n") + "\n"
}

#[test]
fn dropped_doubled_and_swapped_lines() {
    for case in small_cases() {
        let original = case.certificate();
        let lines: Vec<&str> = original.lines().collect();
        for position in 0..lines.len() {
            let mut dropped = lines.clone();
            dropped.remove(position);
            try_mutant(&case, &original, &joined(&dropped), &format!("dropping `{}`", lines[position]));
            let mut doubled = lines.clone();
            doubled.insert(position, lines[position]);
            try_mutant(&case, &original, &joined(&doubled), &format!("doubling `{}`", lines[position]));
            let mut swapped = lines.clone();
            swapped.swap(position, (position + 1) % lines.len());
            try_mutant(&case, &original, &joined(&swapped), &format!("swapping `{}`", lines[position]));
        }
    }
}

/// Replacements of a token.
fn alternatives(token: &str, others: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = vec![String::new(), format!("{token}x"), format!("(not {token})")];
    if let Ok(number) = token.parse::<i64>() {
        found.extend([format!("{}", number + 1), "0".to_owned()]);
    }
    for (from, to) in [
        ("and", "or"),
        ("or", "and"),
        ("=>", "="),
        ("=", "distinct"),
        ("<=", "<"),
        ("<", "<="),
        ("true", "false"),
        ("false", "true"),
        ("unsat", "sat"),
        ("+", "-"),
    ] {
        if token == from {
            found.push(to.to_owned());
        }
    }
    found.extend(others.iter().filter(|other| **other != token).map(ToString::to_string));
    found
}

#[test]
fn changed_tokens() {
    for case in [case("mutex.m", MUTEX), case("quantified.m", QUANTIFIED)] {
        let original = case.certificate();
        let is_part = |c: char| !c.is_whitespace() && !"()".contains(c);
        let names = ["sk.i", "lemma-1", "true"];
        let mut accepted = 0;
        let mut tried = 0;
        let mut start = 0;
        let mut seen: Vec<&str> = Vec::new();
        while let Some(offset) = original[start..].find(is_part) {
            let begin = start + offset;
            let end = original[begin..].find(|c| !is_part(c)).map_or(original.len(), |length| begin + length);
            let token = &original[begin..end];
            // A line number suffices to find it again.
            let line = original[..begin].matches('\n').count() + 1;
            let whole = original.lines().nth(line - 1).expect("invariant: the line exists");
            let times = seen.iter().filter(|known| **known == whole).count();
            if original[..begin].ends_with('\n') || original[..begin].ends_with("\n(") {
                seen.push(whole);
            }
            // The tenth `(push 1)` adds nothing.
            for other in alternatives(token, &names).into_iter().filter(|_| times < 2) {
                let mutant = format!("{}{other}{}", &original[..begin], &original[end..]);
                tried += 1;
                let what = format!("`{token}` became `{other}` in line {line}");
                accepted += usize::from(try_mutant(&case, &original, &mutant, &what));
            }
            start = end;
        }
        println!("{}: {tried} tried, {accepted} accepted", case.file);
        assert!(accepted * 20 < tried, "{}: {accepted} of {tried} mutants accepted", case.file);
    }
}
