//! Results as text. Names of proxies and witnesses hold the numbers of terms, which say nothing to a reader and change
//! with every change of the way terms are built; here they are counted in order of appearance.

use tenet_solve::quantifier::{FactKind, Grounded};
use tenet_term::TermStore;

/// The roots, then the facts, a line each.
pub fn show(store: &TermStore, grounded: &Grounded) -> String {
    let mut lines: Vec<String> = grounded.roots.iter().map(|&root| store.print(root)).collect();
    for fact in &grounded.facts {
        let kind = match &fact.kind {
            FactKind::Instance { terms } => {
                let terms: Vec<String> = terms.iter().map(|&term| store.print(term)).collect();
                format!("at {}", terms.join(", "))
            }
            FactKind::Witness { .. } => "witness".to_string(),
            FactKind::Unfolding => "unfolding".to_string(),
        };
        lines.push(format!("{kind}: {}", store.print(fact.formula)));
    }
    renumber(&lines.join("\n"))
}

fn renumber(text: &str) -> String {
    let mut numbers: Vec<String> = Vec::new();
    let mut pieces = text.split('#');
    let mut result = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let end = piece.find(|character: char| !character.is_ascii_digit()).unwrap_or(piece.len());
        let (number, rest) = piece.split_at(end);
        if number.is_empty() {
            result.push_str(&format!("#{rest}"));
            continue;
        }
        let position = numbers.iter().position(|known| known == number).unwrap_or_else(|| {
            numbers.push(number.to_string());
            numbers.len() - 1
        });
        result.push_str(&format!("#{}{rest}", position + 1));
    }
    result
}
