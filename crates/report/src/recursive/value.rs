//! Values of counterexamples as people read them.

use tenet_lang::clp::print::Printer;
use tenet_system::recursive::Program;
use tenet_term::{Op, TermId, TermStore};

/// A value: a number as it is, an array as `0 everywhere but at 1: 5, at 2: 7`.
pub fn value(program: &Program, store: &TermStore, term: TermId) -> String {
    match array(store, term) {
        None => Printer::with_store(program, store).term(term),
        Some((usual, entries)) => {
            let usual = Printer::with_store(program, store).term(usual);
            let shown = |term: TermId| Printer::with_store(program, store).term(term);
            let entries: Vec<String> = entries
                .iter()
                .map(|&(place, entry)| format!("{} at {}", shown(entry), shown(place)))
                .collect();
            match entries.is_empty() {
                true => format!("{usual} everywhere"),
                false => format!("{} and {usual} everywhere else", entries.join(", ")),
            }
        }
    }
}

/// The value that an array has almost everywhere, and its entries elsewhere, if it is one that was built so.
fn array(store: &TermStore, term: TermId) -> Option<(TermId, Vec<(TermId, TermId)>)> {
    let Op::Lambda(bound) = store.op(term) else { return None };
    let &[bound] = &bound[..] else { return None };
    let is_bound = |term: TermId| store.as_symbol(term) == Some(bound);
    let mut entries: Vec<(TermId, TermId)> = Vec::new();
    let mut rest = store.args(term)[0];
    while let (Op::Ite, &[condition, yes, no]) = (store.op(rest), store.args(rest)) {
        let (Op::Eq, &[left, right]) = (store.op(condition), store.args(condition)) else { return None };
        let place = if is_bound(left) {
            right
        } else if is_bound(right) {
            left
        } else {
            return None;
        };
        if !store.is_value(place) || !store.is_value(yes) {
            return None;
        }
        // The outermost update counts.
        if !entries.iter().any(|&(known, _)| known == place) {
            entries.push((place, yes));
        }
        rest = no;
    }
    if !store.is_value(rest) {
        return None;
    }
    entries.retain(|&(_, entry)| entry != rest);
    entries.sort_by_key(|&(place, _)| store.as_int(place).cloned());
    Some((rest, entries))
}
