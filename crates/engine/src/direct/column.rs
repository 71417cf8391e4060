//! The values of a term in many states at once.
//!
//! Tables of explored states are built for every cube that is generalised, so the operators of most literals run over
//! whole columns instead of evaluating a term state by state.

use std::rc::Rc;

use smallvec::SmallVec;
use tenet_term::{Op, SortId, TermStore};

use super::code::operate;

/// Stands for a value that a state does not determine, such as an array read at a place that the instance does not
/// have.
pub const UNKNOWN: i32 = i32::MIN;

/// The values of a term in some states, in their order.
#[derive(Clone)]
pub enum Column {
    Same(i64),
    /// These values, without the given number of first ones.
    Each(Rc<Vec<i32>>, usize),
}

impl Column {
    pub fn new(values: Vec<i32>) -> Column {
        Column::Each(Rc::new(values), 0)
    }

    pub fn at(&self, row: usize) -> i64 {
        match self {
            Column::Same(value) => *value,
            Column::Each(values, skipped) => i64::from(values[skipped + row]),
        }
    }

    /// Calls `visit` with the number of each state of `rows` in which the value is not zero, or not known.
    pub fn each_true(&self, rows: usize, visit: &mut dyn FnMut(usize)) {
        match self {
            Column::Same(0) => {}
            Column::Same(_) => (0..rows).for_each(visit),
            Column::Each(values, skipped) => {
                let numbered = values[*skipped..].iter().enumerate();
                numbered.filter(|(_, value)| **value != 0).for_each(|(row, _)| visit(row));
            }
        }
    }

    /// Applies an operator to columns of this many rows; `None` if a result is not a small number. For the sort see
    /// [`operand_sort`](super::code::operand_sort).
    pub fn operate(
        store: &TermStore,
        op: &Op,
        union: SortId,
        columns: &[Column],
        rows: usize,
    ) -> Option<Column> {
        if columns.iter().all(|column| matches!(column, Column::Same(_))) {
            let args: SmallVec<[i64; 4]> = columns.iter().map(|column| column.at(0)).collect();
            return operate(store, op, union, &args).map(Column::Same);
        }
        match (op, columns) {
            (Op::Eq | Op::Iff, [left, right]) => Some(compare(left, right, |left, right| left == right)),
            (Op::Lt, [left, right]) => Some(compare(left, right, |left, right| left < right)),
            (Op::Le, [left, right]) => Some(compare(left, right, |left, right| left <= right)),
            (_, [Column::Each(values, skipped)]) => {
                let mut last: Option<(i32, i32)> = None;
                let values = values[*skipped..].iter().map(|&value| {
                    if value == UNKNOWN {
                        return Some(UNKNOWN);
                    }
                    if let Some((_, result)) = last.filter(|(known, _)| *known == value) {
                        return Some(result);
                    }
                    let result = i32::try_from(operate(store, op, union, &[i64::from(value)])?).ok()?;
                    last = Some((value, result));
                    Some(result)
                });
                values.collect::<Option<Vec<i32>>>().map(Column::new)
            }
            _ => {
                let value = |row: usize| {
                    let args: SmallVec<[i64; 4]> = columns.iter().map(|column| column.at(row)).collect();
                    if args.contains(&i64::from(UNKNOWN)) {
                        return Some(UNKNOWN);
                    }
                    i32::try_from(operate(store, op, union, &args)?).ok()
                };
                (0..rows).map(value).collect::<Option<Vec<i32>>>().map(Column::new)
            }
        }
    }
}

/// Compares two columns, at least one of which is not constant, row by row.
fn compare(left: &Column, right: &Column, holds: impl Fn(i64, i64) -> bool) -> Column {
    let holds = |left: i64, right: i64| match left.min(right) == i64::from(UNKNOWN) {
        true => UNKNOWN,
        false => i32::from(holds(left, right)),
    };
    match (left, right) {
        (Column::Each(left, skipped), &Column::Same(right)) => {
            Column::new(left[*skipped..].iter().map(|&left| holds(i64::from(left), right)).collect())
        }
        (&Column::Same(left), Column::Each(right, skipped)) => {
            Column::new(right[*skipped..].iter().map(|&right| holds(left, i64::from(right))).collect())
        }
        (Column::Each(left, skipped_left), Column::Each(right, skipped_right)) => {
            let pairs = left[*skipped_left..].iter().zip(&right[*skipped_right..]);
            Column::new(pairs.map(|(&left, &right)| holds(i64::from(left), i64::from(right))).collect())
        }
        (&Column::Same(left), &Column::Same(right)) => Column::Same(i64::from(holds(left, right))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_what_operators_give_row_by_row() {
        let store = TermStore::new();
        let numbers = Column::Each(Rc::new(vec![9, -2, 0, 3, 3, 1]), 1);
        let others = Column::new(vec![1, 0, 3, 4, -1]);
        let pairs = [(&numbers, &others), (&numbers, &Column::Same(3)), (&Column::Same(0), &others)];
        for op in [Op::Eq, Op::Lt, Op::Le, Op::Add, Op::Mul, Op::And, Op::Or] {
            for (left, right) in pairs {
                let columns = [left.clone(), right.clone()];
                let column = Column::operate(&store, &op, SortId::INT, &columns, 5).expect("small numbers");
                for row in 0..5 {
                    let expected = operate(&store, &op, SortId::INT, &[left.at(row), right.at(row)]);
                    assert_eq!(Some(column.at(row)), expected, "{op:?}, row {row}");
                }
            }
        }
        let negation = Column::operate(&store, &Op::Not, SortId::BOOL, &[numbers], 5).expect("truth values");
        let mut seen = Vec::new();
        negation.each_true(5, &mut |row| seen.push(row));
        assert_eq!(seen, [1]);
    }

    #[test]
    fn what_is_not_known_stays_so() {
        let store = TermStore::new();
        let some = Column::new(vec![1, UNKNOWN, 0, UNKNOWN]);
        for op in [Op::Eq, Op::Le, Op::Add] {
            for other in [Column::Same(1), Column::new(vec![0, 1, UNKNOWN, 3])] {
                let columns = [some.clone(), other.clone()];
                let column = Column::operate(&store, &op, SortId::INT, &columns, 4).expect("small numbers");
                for row in 0..4 {
                    let is_known = columns.iter().all(|column| column.at(row) != i64::from(UNKNOWN));
                    assert_eq!(column.at(row) != i64::from(UNKNOWN), is_known, "{op:?}, row {row}");
                }
            }
        }
        let negation = Column::operate(&store, &Op::Not, SortId::BOOL, &[some], 4).expect("truth values");
        let mut seen = Vec::new();
        negation.each_true(4, &mut |row| seen.push(row));
        assert_eq!(seen, [1, 2, 3]);
    }

    #[test]
    fn what_is_too_large_is_no_column() {
        let store = TermStore::new();
        let large = Column::new(vec![0, i32::MAX]);
        let sum = Column::operate(&store, &Op::Add, SortId::INT, &[large, Column::Same(1)], 2);
        assert!(sum.is_none());
    }
}
