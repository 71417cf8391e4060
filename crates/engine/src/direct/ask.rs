//! What a model asks of the numbers of an element, asked of every element that a cube mentions.
//!
//! The literals that a step depends on often do not explain why the cube is unreachable: that a client has a message
//! waiting follows from its place in a queue, which the step never reads. So where numbers index arrays, a cube also
//! gets the answers to everything that guards and updates ask about one element and its numbers.

use tenet_system::System;
use tenet_term::{Op, Role, Sort, Substitution, SymbolId, TermId};

use super::cube::Naming;

/// A formula about one element.
#[derive(Clone, Copy, Debug)]
pub struct Atom {
    element: SymbolId,
    formula: TermId,
}

pub fn atoms(system: &mut System) -> Vec<Atom> {
    let rules = system.rules.iter();
    let terms = rules.flat_map(|rule| rule.updates.iter().map(|&(_, value)| value).chain([rule.guard]));
    let terms: Vec<TermId> = terms.collect();
    let store = &mut system.store;
    let mut atoms: Vec<Atom> = Vec::new();
    for formula in store.subterms_of_all(terms) {
        if !matches!(store.op(formula), Op::Eq | Op::Lt | Op::Le) {
            continue;
        }
        let sort = store.sort(store.sort_of(store.args(formula)[0]));
        let is_comparison = sort.is_integer() || matches!(sort, Sort::Index { .. });
        let parts = store.subterms(formula);
        let has_numbers = parts.iter().any(|&part| store.sort(store.sort_of(part)).is_integer());
        let is_plain = parts.iter().all(|&part| !store.op(part).is_binder() && *store.op(part) != Op::Ite);
        if !is_comparison || !has_numbers || !is_plain {
            continue;
        }
        let free = store.free_symbols(formula);
        let mut others = free.into_iter().filter(|&symbol| store.symbol(symbol).role != Role::State);
        let (Some(element), None) = (others.next(), others.next()) else { continue };
        if !matches!(store.sort(store.symbol(element).sort), Sort::Index { .. }) {
            continue;
        }
        // One bound name for all of them, so that equal questions are the same term.
        let name = store.declare("asked", store.symbol(element).sort, Role::Index);
        let var = store.mk_symbol(name);
        let substitution = Substitution::from_pairs(store, [(element, var)]);
        let formula = store.substitute(formula, &substitution);
        if !atoms.iter().any(|atom| atom.formula == formula) {
            atoms.push(Atom { element: name, formula });
        }
    }
    atoms
}

impl Naming<'_, '_, '_> {
    /// Says what the model asks of each element.
    pub(super) fn ask_of_elements(&mut self) {
        let env = self.env();
        for atom in self.vocabulary.atoms().to_vec() {
            let sort = self.structure.store.symbol(atom.element).sort;
            let mut elements: Vec<TermId> =
                self.vars.iter().filter(|((known, ..), _)| *known == sort).map(|(_, &var)| var).collect();
            elements.sort_unstable();
            for element in elements {
                let store = &mut *self.structure.store;
                let substitution = Substitution::from_pairs(store, [(atom.element, element)]);
                let formula = store.substitute(atom.formula, &substitution);
                let literal = match self.structure.evaluate(formula, &env) {
                    Some(0) => self.structure.store.mk_not(formula),
                    Some(_) => formula,
                    None => continue,
                };
                self.add_auxiliary(literal);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_system::Rule;
    use tenet_term::SortId;

    /// Two rules ask about `position[c]`, one of them about a bound and about a scalar alone.
    #[test]
    fn what_two_rules_ask_of_an_element_is_asked_once() {
        let mut system = System::default();
        let store = &mut system.store;
        let client = store.index_sort("CLIENT");
        let array = store.function_sort(&[client], SortId::INT);
        let position = store.declare("position", array, Role::State);
        let position = store.mk_symbol(position);
        let [head, tail] = ["head", "tail"].map(|name| {
            let symbol = store.declare(name, SortId::INT, Role::State);
            store.mk_symbol(symbol)
        });
        let end = store.declare("END", SortId::INT, Role::Const);
        let end = store.mk_symbol(end);
        for name in ["c", "d"] {
            let param = store.declare(name, client, Role::Input);
            let place = store.mk_symbol(param);
            let place = store.mk_apply(position, &[place]);
            let asked = [
                store.mk_lt(place, tail),
                store.mk_le(head, place),
                store.mk_lt(place, end),
                store.mk_lt(head, tail),
            ];
            let guard = store.mk_and(asked);
            let (name, source) = (name.to_owned(), Default::default());
            system.rules.push(Rule {
                name,
                source,
                params: vec![param],
                shown_params: 1,
                guard,
                updates: vec![],
            });
        }
        let atoms = atoms(&mut system);
        let mut printed: Vec<String> = atoms.iter().map(|atom| system.store.print(atom.formula)).collect();
        printed.sort();
        assert_eq!(printed, ["head <= position[asked]", "position[asked] < tail"]);
    }
}
