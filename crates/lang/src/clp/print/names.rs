//! Valid and distinct names for symbols.

use crate::clp::lexer::Kind;
use crate::syntax::TokenKind;
use std::collections::{BTreeMap, BTreeSet};
use tenet_term::{SymbolId, TermId, TermStore};

/// The names of symbols in one piece of text.
pub struct Names {
    names: BTreeMap<SymbolId, String>,
}

impl Names {
    /// Names for these symbols and all others that occur in the terms.
    pub fn of(store: &TermStore, symbols: &[SymbolId], terms: &[TermId]) -> Names {
        let mut names = Names { names: BTreeMap::new() };
        let mut taken = BTreeSet::new();
        for &symbol in symbols {
            names.add(store, symbol, &mut taken);
        }
        for part in store.subterms_of_all(terms.iter().copied()) {
            store.as_symbol(part).into_iter().for_each(|symbol| names.add(store, symbol, &mut taken));
            store.op(part).bound().iter().for_each(|&symbol| names.add(store, symbol, &mut taken));
        }
        names
    }

    fn add(&mut self, store: &TermStore, symbol: SymbolId, taken: &mut BTreeSet<String>) {
        if self.names.contains_key(&symbol) {
            return;
        }
        let base = variable(&store.symbol(symbol).name);
        let (mut name, mut number) = (base.clone(), 1);
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        self.names.insert(symbol, name);
    }

    pub fn get(&self, symbol: SymbolId) -> &str {
        self.names.get(&symbol).map_or("_", String::as_str)
    }
}

/// Turns a name into one of a variable: only letters, digits, `_` and `'`, and a capital letter or `_` first.
pub fn variable(name: &str) -> String {
    let mut text = plain(name, |character| character == '\'');
    match text.chars().next() {
        Some(first) if first.is_ascii_lowercase() => text[..1].make_ascii_uppercase(),
        Some(first) if first.is_ascii_uppercase() => {}
        Some('_') if text.len() > 1 => {}
        _ => text.insert(0, 'X'),
    }
    text
}

/// Turns a name into one of a predicate: only letters, digits and `_`, a small letter first, and no keyword.
pub fn predicate(name: &str) -> String {
    let mut text = plain(name, |_| false);
    match text.chars().next() {
        Some(first) if first.is_ascii_uppercase() => text[..1].make_ascii_lowercase(),
        Some(first) if first.is_ascii_lowercase() => {}
        _ => text.insert(0, 'p'),
    }
    if Kind::of_keyword(&text).is_some() {
        text.push('_');
    }
    text
}

fn plain(name: &str, also: impl Fn(char) -> bool) -> String {
    let allowed = |character: char| character.is_ascii_alphanumeric() || character == '_' || also(character);
    name.chars().map(|character| if allowed(character) { character } else { '_' }).collect()
}
