//! Values encoded as integers: a truth value is 0 or 1, an enumeration's value its position, an element its number, a
//! value of a union its member and position in one number. Nothing proved depends on these codes, they only guide the
//! search; a value without a code (too large, or a fraction) is `None`, and the caller does without it.

use num_traits::ToPrimitive;
use tenet_term::{Op, Sort, SortId, TermStore, Value};

/// Codes of a union have the member's position above this bit.
const MEMBER: i64 = 1 << 20;

pub fn code(store: &TermStore, sort: SortId, value: &Value) -> Option<i64> {
    match value {
        Value::Bool(value) => Some(i64::from(*value)),
        Value::Int(value) => value.to_i64(),
        Value::Real(value) => value.is_integer().then(|| value.to_integer().to_i64()).flatten(),
        Value::Enum(position) | Value::Index(position) => Some(i64::from(*position)),
        Value::Union(member, position) => Some(union_code(store, sort, *member)? + i64::from(*position)),
        Value::BitVec(_) | Value::Function(_) => None,
    }
}

/// The code of a member's first value.
pub fn union_code(store: &TermStore, union: SortId, member: SortId) -> Option<i64> {
    let Sort::Union { members, .. } = store.sort(union) else { return None };
    let place = members.iter().position(|&known| known == member)?;
    Some(place as i64 * MEMBER)
}

/// The member of a union that a code belongs to, and the code within it.
pub fn member_of(store: &TermStore, union: SortId, code: i64) -> Option<(SortId, i64)> {
    let Sort::Union { members, .. } = store.sort(union) else { return None };
    let member = members.get(usize::try_from(code / MEMBER).ok()?)?;
    Some((*member, code % MEMBER))
}

/// The value of an operator that is neither a symbol, nor a binder, nor an application.
pub fn operate(store: &TermStore, op: &Op, union: SortId, args: &[i64]) -> Option<i64> {
    let truth = |value: bool| Some(i64::from(value));
    match (op, args) {
        (Op::Bool(value), _) => truth(*value),
        (Op::Int(value), _) => value.to_i64(),
        (Op::Rational(value), _) => value.is_integer().then(|| value.to_integer().to_i64()).flatten(),
        (Op::Enum(_, position) | Op::Index(_, position), _) => Some(i64::from(*position)),
        (Op::Not, &[a]) => truth(a == 0),
        (Op::And, _) => truth(args.iter().all(|&a| a != 0)),
        (Op::Or, _) => truth(args.iter().any(|&a| a != 0)),
        (Op::Implies, &[a, b]) => truth(a == 0 || b != 0),
        (Op::Iff | Op::Eq, &[a, b]) => truth(a == b),
        (Op::Distinct, _) => truth((1..args.len()).all(|place| !args[..place].contains(&args[place]))),
        (Op::Ite, &[c, a, b]) => Some(if c != 0 { a } else { b }),
        (Op::Lt, &[a, b]) => truth(a < b),
        (Op::Le, &[a, b]) => truth(a <= b),
        (Op::Add, _) => args.iter().try_fold(0i64, |sum, &a| sum.checked_add(a)),
        (Op::Neg, &[a]) => a.checked_neg(),
        (Op::Mul, &[a, b]) => a.checked_mul(b),
        (Op::DivTrunc | Op::DivEuclid, &[_, 0]) => Some(0),
        (Op::RemTrunc | Op::ModEuclid, &[a, 0]) => Some(a),
        (Op::DivTrunc, &[a, b]) => a.checked_div(b),
        (Op::RemTrunc, &[a, b]) => a.checked_rem(b),
        (Op::DivEuclid, &[a, b]) => a.checked_div_euclid(b),
        (Op::ModEuclid, &[a, b]) => a.checked_rem_euclid(b),
        (Op::ToReal | Op::ToInt, &[a]) => Some(a),
        (Op::In(union, member), &[a]) => Some(union_code(store, *union, *member)? + a),
        (Op::Is(member), &[a]) => truth(member_of(store, union, a)?.0 == *member),
        (Op::Out(member), &[a]) => {
            let (of, position) = member_of(store, union, a)?;
            Some(if of == *member { position } else { 0 })
        }
        _ => None,
    }
}

/// The sort that a variable over this one is looked up under: ranges are integers.
pub fn domain_sort(store: &TermStore, sort: SortId) -> SortId {
    if store.sort(sort).is_integer() { SortId::INT } else { sort }
}

/// The sort of the operand of an operator on unions, which decides what codes mean; any sort for other operators.
pub fn operand_sort(store: &TermStore, term: tenet_term::TermId) -> SortId {
    store.args(term).first().map_or(SortId::BOOL, |&arg| store.sort_of(arg))
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::ToPrimitive;
    use tenet_term::{Building, Model};

    /// The meaning of operators is defined in `tenet_term`; the codes must agree with it.
    #[test]
    fn operators_on_numbers_mean_what_terms_mean() {
        let mut store = TermStore::new();
        let two = [Op::Lt, Op::Le, Op::Eq, Op::Add, Op::Mul];
        let division = [Op::DivTrunc, Op::RemTrunc, Op::DivEuclid, Op::ModEuclid];
        for op in two.into_iter().chain(division) {
            for (a, b) in (-4..=4).flat_map(|a| (-4..=4).map(move |b| (a, b))) {
                let args = [store.mk_int(a), store.mk_int(b)];
                let term = Building::Raw.build(&mut store, op.clone(), &args);
                let expected = match Model::new().evaluate(&store, term).expect("a value") {
                    Value::Bool(value) => i64::from(value),
                    Value::Int(value) => value.to_i64().expect("a small number"),
                    other => panic!("{other:?}"),
                };
                assert_eq!(operate(&store, &op, SortId::INT, &[a, b]), Some(expected), "{op:?} {a} {b}");
            }
        }
    }

    #[test]
    fn what_is_too_large_has_no_number() {
        let store = TermStore::new();
        for (op, args) in [
            (Op::Add, [i64::MAX, 1]),
            (Op::Mul, [i64::MAX, 2]),
            (Op::DivTrunc, [i64::MIN, -1]),
            (Op::RemTrunc, [i64::MIN, -1]),
            (Op::DivEuclid, [i64::MIN, -1]),
        ] {
            assert_eq!(operate(&store, &op, SortId::INT, &args), None, "{op:?}");
        }
        assert_eq!(operate(&store, &Op::Neg, SortId::INT, &[i64::MIN]), None);
    }

    #[test]
    fn members_of_unions_are_found_again() {
        let mut store = TermStore::new();
        let (node, home) = (store.index_sort("NODE"), store.enum_sort("HOME", &["Home", "Away"]));
        let union = store.mk_sort(Sort::Union { name: "ANY".to_owned(), members: vec![node, home] });
        for (member, position) in [(node, 0), (node, 7), (home, 0), (home, 1)] {
            let code = code(&store, union, &Value::Union(member, position)).expect("a small value");
            assert_eq!(member_of(&store, union, code), Some((member, i64::from(position))));
            for asked in [node, home] {
                let is_it = operate(&store, &Op::Is(asked), union, &[code]);
                assert_eq!(is_it, Some(i64::from(asked == member)));
            }
            assert_eq!(operate(&store, &Op::Out(member), union, &[code]), Some(i64::from(position)));
        }
    }
}
