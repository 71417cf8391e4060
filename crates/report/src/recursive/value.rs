//! Readable values of counterexamples.

use tenet_lang::clp::print::Printer;
use tenet_system::recursive::Program;
use tenet_term::{Op, TermId, TermStore};

/// A value: a number, or an array as `5 at 1, 7 at 2 and 0 everywhere else`.
pub fn value(program: &Program, term: TermId) -> String {
    let shown = |term: TermId| Printer::new(program).term(term);
    let Some((usual, entries)) = entry(&program.store, term) else { return shown(term) };
    let usual = shown(usual);
    if entries.is_empty() {
        return format!("{usual} everywhere");
    }
    let entries = entries.iter().map(|&(place, value)| format!("{} at {}", shown(value), shown(place)));
    format!("{} and {usual} everywhere else", entries.collect::<Vec<String>>().join(", "))
}

/// An array: its default value, and its other entries by index.
pub(super) type Entries = (TermId, Vec<(TermId, TermId)>);

/// The entries of an array in normal form.
pub(super) fn entry(store: &TermStore, term: TermId) -> Option<Entries> {
    let Op::Lambda(bound) = store.op(term) else { return None };
    let &[bound] = &bound[..] else { return None };
    let mut entries: Vec<(TermId, TermId)> = Vec::new();
    let mut rest = store.args(term)[0];
    while let (Op::Ite, &[condition, yes, no]) = (store.op(rest), store.args(rest)) {
        let (Op::Eq, &[left, right]) = (store.op(condition), store.args(condition)) else { return None };
        let place = match (store.as_symbol(left), store.as_symbol(right)) {
            (Some(symbol), _) if symbol == bound => right,
            (_, Some(symbol)) if symbol == bound => left,
            _ => return None,
        };
        if !store.is_value(place) || !store.is_value(yes) {
            return None;
        }
        // The outermost update wins.
        if !entries.iter().any(|&(known, _)| known == place) {
            entries.push((place, yes));
        }
        rest = no;
    }
    if !store.is_value(rest) {
        return None;
    }
    entries.retain(|&(_, value)| value != rest);
    entries.sort_by_key(|&(place, _)| store.as_int(place).cloned());
    Some((rest, entries))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_term::SortId;

    #[test]
    fn arrays_are_told_by_their_entries() {
        let mut program = Program::default();
        let store = &mut program.store;
        let [zero, one, five] = [0, 1, 5].map(|number| store.mk_int(number));
        let bound = store.bound_avoiding("u", SortId::INT, &[]);
        let zeroes = store.mk_lambda(&[bound], zero);
        let once = store.mk_store(zeroes, &[one], five);
        let twice = store.mk_store(once, &[five], one);
        let back = store.mk_store(twice, &[one], zero);
        assert_eq!(value(&program, five), "5");
        assert_eq!(value(&program, zeroes), "0 everywhere");
        assert_eq!(value(&program, twice), "5 at 1, 1 at 5 and 0 everywhere else");
        assert_eq!(value(&program, back), "1 at 5 and 0 everywhere else");
    }
}
