//! Goes through the combinations of some lists, those made of early entries first.
//!
//! Lists have the simplest terms first. An odometer would try everything with the first entry of the first list before
//! it moves on there; if the limit is reached then, the second entry is never used.

use tenet_term::TermId;

/// The combinations of one entry from each list, ordered by the sum of their positions.
#[derive(Debug)]
pub(super) struct Tuples {
    lists: Vec<Vec<TermId>>,
    /// The positions of the next combination; `None` behind the last one.
    next: Option<Vec<usize>>,
}

impl Tuples {
    pub(super) fn new(lists: Vec<Vec<TermId>>) -> Tuples {
        let empty = lists.iter().any(Vec::is_empty);
        let next = (!empty).then(|| vec![0; lists.len()]);
        Tuples { lists, next }
    }

    /// The next combination with the same sum, or the first one with the next sum.
    fn successor(&self, positions: &[usize]) -> Option<Vec<usize>> {
        let last = |place: usize| self.lists[place].len() - 1;
        // Move one unit from behind a place to it, and give the rest as far back as possible.
        let mut behind = 0;
        for place in (0..positions.len()).rev() {
            if behind > 0 && positions[place] < last(place) {
                let mut result = positions.to_vec();
                result[place] += 1;
                self.fill(&mut result, place + 1, behind - 1);
                return Some(result);
            }
            behind += positions[place];
        }
        let most: usize = (0..positions.len()).map(last).sum();
        let mut result = vec![0; positions.len()];
        (behind < most).then(|| {
            self.fill(&mut result, 0, behind + 1);
            result
        })
    }

    /// Distributes an amount that fits over the places from `first` on, the last ones getting as much as they can hold.
    fn fill(&self, positions: &mut [usize], first: usize, mut amount: usize) {
        for place in (first..positions.len()).rev() {
            positions[place] = amount.min(self.lists[place].len() - 1);
            amount -= positions[place];
        }
    }
}

impl Iterator for Tuples {
    type Item = Vec<TermId>;

    fn next(&mut self) -> Option<Vec<TermId>> {
        let positions = self.next.take()?;
        let tuple = positions.iter().zip(&self.lists).map(|(&position, list)| list[position]).collect();
        self.next = self.successor(&positions);
        Some(tuple)
    }
}

#[cfg(test)]
mod tests {
    use tenet_term::TermStore;

    use super::Tuples;

    #[test]
    fn every_combination_comes_once_and_early_entries_first() {
        let mut store = TermStore::new();
        let terms: Vec<_> = (0..5).map(|value| store.mk_int(value)).collect();
        for sizes in [vec![], vec![3], vec![1, 4], vec![3, 2], vec![2, 5, 3], vec![4, 1, 2, 2], vec![2, 0]] {
            let lists: Vec<Vec<_>> = sizes.iter().map(|&size| terms[..size].to_vec()).collect();
            let all: Vec<Vec<usize>> = Tuples::new(lists)
                .map(|tuple| tuple.iter().map(|&term| term.index() - terms[0].index()).collect())
                .collect();
            let sums: Vec<usize> = all.iter().map(|positions| positions.iter().sum()).collect();
            assert!(sums.is_sorted(), "{sizes:?}: {all:?}");
            let mut distinct = all.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(
                (distinct.len(), all.len()),
                (sizes.iter().product(), sizes.iter().product()),
                "{sizes:?}"
            );
        }
    }
}
