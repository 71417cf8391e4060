//! Equalities between the data of a cube's elements, as auxiliary literals.
//!
//! A step that computes something leaves a literal such as `right[e] != f(operand[e])` in a cube, the next lemma one
//! with `f(f(operand[e]))`, and the search diverges. What helps is a lemma saying that the operand is right: other
//! data of the same elements say the same in simpler terms or under fewer conditions. So a cube also gets its
//! literals about data with equal data substituted, and the disequalities between the data of one element.

use tenet_term::{Op, Sort, SortId, TermId};

use super::code::domain_sort;
use super::cube::Naming;

impl Naming<'_, '_, '_> {
    /// Adds the literals with equal data substituted, and which data differ.
    pub(super) fn equate_data(&mut self) {
        if !self.vocabulary.has_places() {
            return;
        }
        let env = self.env();
        let about_data: Vec<TermId> =
            self.literals.iter().copied().filter(|&literal| self.is_about_data(literal)).collect();
        if about_data.is_empty() {
            return;
        }
        let reads = self.data_reads();
        for literal in about_data {
            for term in self.structure.store.subterms(literal) {
                let sort = self.structure.store.sort_of(term);
                if !self.is_data(sort) {
                    continue;
                }
                let Some(value) = self.structure.evaluate(term, &env) else { continue };
                for &read in reads.iter().filter(|&&read| read != term) {
                    if self.structure.store.sort_of(read) != sort {
                        continue;
                    }
                    let other = self.structure.evaluate(read, &env);
                    let store = &mut *self.structure.store;
                    if other == Some(value) {
                        let same = store.rewrite_bottom_up(literal, |store, part, args| match part == term {
                            true => read,
                            false if args.is_empty() => part,
                            false => store.mk(store.op(part).clone(), args),
                        });
                        self.add_auxiliary(same);
                    } else if other.is_some()
                        && *store.op(term) == Op::Apply
                        && store.args(term)[1..] == store.args(read)[1..]
                    {
                        let different = store.mk_ne(term, read);
                        self.add_auxiliary(different);
                    }
                }
            }
        }
    }

    /// Elements of a sort that nothing is indexed by.
    fn is_data(&self, sort: SortId) -> bool {
        let store = &*self.structure.store;
        matches!(store.sort(sort), Sort::Index { .. }) && !self.vocabulary.is_indexed(store, sort)
    }

    fn is_about_data(&self, literal: TermId) -> bool {
        let store = &*self.structure.store;
        let atom = if *store.op(literal) == Op::Not { store.args(literal)[0] } else { literal };
        *store.op(atom) == Op::Eq && self.is_data(store.sort_of(store.args(atom)[0]))
    }

    /// The data of the elements and places that have names.
    fn data_reads(&mut self) -> Vec<TermId> {
        let mut named: Vec<_> = self.vars.iter().map(|(&(sort, kind, _), &var)| (sort, kind, var)).collect();
        named.sort_unstable();
        let mut reads = Vec::new();
        for symbol in self.vocabulary.state().to_vec() {
            let store = &*self.structure.store;
            let Sort::Function { args, result } = store.sort(store.symbol(symbol).sort).clone() else {
                continue;
            };
            if !self.is_data(result) {
                continue;
            }
            let mut places: Vec<Vec<TermId>> = vec![Vec::new()];
            for (position, sort) in args.into_iter().enumerate() {
                let sort = domain_sort(self.structure.store, sort);
                let kind = self.vocabulary.kinds.of_argument(symbol, position);
                let fitting =
                    named.iter().filter(|&&(other, of, _)| other == sort && of == kind).map(|&(.., var)| var);
                let fitting: Vec<TermId> = fitting.collect();
                places = places
                    .iter()
                    .flat_map(|place| fitting.iter().map(|&var| [&place[..], &[var]].concat()))
                    .collect();
            }
            let store = &mut *self.structure.store;
            let array = store.mk_symbol(symbol);
            reads.extend(places.iter().map(|place| store.mk_apply(array, place)));
        }
        reads
    }
}
