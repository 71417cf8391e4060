//! Formulas as solvers print them, as terms again.
//!
//! Only what occurs in answers over numbers, truth values and bit-vectors; anything else is `None`, and an answer that
//! cannot be read is no answer. Nesting is bounded by the reader of expressions.

use super::sexpr::Sexpr;
use super::value::{bits, rational};
use rustc_hash::FxHashMap;
use tenet_term::{BitVec, BvOp, Op, Sort, SortId, TermId, TermStore};

/// Names with what they stand for.
pub(crate) type Scope = FxHashMap<String, TermId>;

/// The term that is printed.
pub(crate) fn term(store: &mut TermStore, scope: &Scope, text: &Sexpr) -> Option<TermId> {
    if let Some(&known) = text.atom().and_then(|name| scope.get(name)) {
        return Some(known);
    }
    match text {
        Sexpr::Atom(atom) => literal(store, atom),
        Sexpr::Text(_) => None,
        Sexpr::List(items) => list(store, scope, items),
    }
}

fn literal(store: &mut TermStore, atom: &str) -> Option<TermId> {
    match atom {
        "true" => return Some(TermId::TRUE),
        "false" => return Some(TermId::FALSE),
        _ => {}
    }
    let value = Sexpr::Atom(atom.to_owned());
    if atom.starts_with('#') {
        let width = if atom.starts_with("#b") { atom.len() - 2 } else { 4 * (atom.len() - 2) };
        let bits = BitVec::new(u32::try_from(width).ok()?, bits(&value)?);
        return Some(store.mk_bitvec_value(bits));
    }
    let number = rational(&value)?;
    Some(if atom.contains('.') { store.mk_rational(number) } else { store.mk_int(number.to_integer()) })
}

fn list(store: &mut TermStore, scope: &Scope, items: &[Sexpr]) -> Option<TermId> {
    let (head, rest) = items.split_first()?;
    match (head, rest) {
        (Sexpr::Atom(name), [bindings, body]) if name == "let" => {
            let mut inner = scope.clone();
            for binding in bindings.list()? {
                let [name, value] = binding.list()? else { return None };
                let value = term(store, scope, value)?;
                inner.insert(name.atom()?.to_owned(), value);
            }
            term(store, &inner, body)
        }
        (Sexpr::Atom(name), [value, width]) if name == "_" && value.atom()?.starts_with("bv") => {
            let width = width.atom()?.parse().ok()?;
            Some(store.mk_bitvec_value(BitVec::new(width, bits(&Sexpr::List(items.to_vec()))?)))
        }
        _ => {
            let args: Option<Vec<TermId>> = rest.iter().map(|arg| term(store, scope, arg)).collect();
            match head {
                Sexpr::Atom(name) => apply(store, name, args?),
                Sexpr::List(indexed) => apply_indexed(store, indexed, &args?),
                Sexpr::Text(_) => None,
            }
        }
    }
}

fn apply(store: &mut TermStore, name: &str, mut args: Vec<TermId>) -> Option<TermId> {
    let first = *args.first()?;
    if matches!(name, "=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/") {
        same_numbers(store, &mut args);
    }
    let pair = <[TermId; 2]>::try_from(args.clone());
    Some(match (name, pair) {
        ("and", _) => store.mk_and(args),
        ("or", _) => store.mk_or(args),
        ("not", _) => store.mk_not(first),
        ("=>", Ok([a, b])) => store.mk_implies(a, b),
        ("=", Ok([a, b])) if store.is_bool(a) => store.mk_iff(a, b),
        ("=", Ok([a, b])) => store.mk_eq(a, b),
        ("distinct", Ok([a, b])) => store.mk_ne(a, b),
        ("xor", Ok([a, b])) => store.mk_xor(a, b),
        ("<", Ok([a, b])) => store.mk_lt(a, b),
        ("<=", Ok([a, b])) => store.mk_le(a, b),
        (">", Ok([a, b])) => store.mk_lt(b, a),
        (">=", Ok([a, b])) => store.mk_le(b, a),
        ("+", _) => store.mk_add(args),
        ("-", Err(_)) if args.len() == 1 => store.mk_neg(args[0]),
        ("-", Ok([a, b])) => store.mk_sub(a, b),
        ("*", Ok([a, b])) => store.mk_mul(a, b),
        ("/", Ok([a, b])) => store.mk_div_real(a, b),
        ("div", Ok([a, b])) => store.mk_div_euclid(a, b),
        ("mod", Ok([a, b])) => store.mk_mod_euclid(a, b),
        ("to_real", _) => store.mk_to_real(first),
        ("to_int", _) => store.mk_to_int(first),
        ("ite", _) if args.len() == 3 => store.mk_ite(args[0], args[1], args[2]),
        (_, _) => return bitvector(store, name, args),
    })
}

fn bitvector(store: &mut TermStore, name: &str, args: Vec<TermId>) -> Option<TermId> {
    let op = match name {
        "bvnot" => BvOp::Not,
        "bvneg" => BvOp::Neg,
        "bvand" => BvOp::And,
        "bvor" => BvOp::Or,
        "bvxor" => BvOp::Xor,
        "bvadd" => BvOp::Add,
        "bvsub" => BvOp::Sub,
        "bvmul" => BvOp::Mul,
        "bvudiv" => BvOp::Udiv,
        "bvurem" => BvOp::Urem,
        "bvshl" => BvOp::Shl,
        "bvlshr" => BvOp::Lshr,
        "bvashr" => BvOp::Ashr,
        "bvult" => BvOp::Ult,
        "bvule" => BvOp::Ule,
        "bvslt" => BvOp::Slt,
        "bvsle" => BvOp::Sle,
        "concat" => BvOp::Concat,
        _ => return None,
    };
    if op.is_unary() {
        let [only] = args[..] else { return None };
        return store.checked(Op::Bv(op), &[only]).ok();
    }
    let mut args = args.into_iter();
    let first = args.next()?;
    args.try_fold(first, |sum, next| store.checked(Op::Bv(op), &[sum, next]).ok())
}

fn apply_indexed(store: &mut TermStore, name: &[Sexpr], args: &[TermId]) -> Option<TermId> {
    let number = |place: usize| name.get(place)?.atom()?.parse::<u32>().ok();
    let op = match (name.first()?.atom()?, name.get(1)?.atom()?) {
        ("_", "extract") => BvOp::Extract { hi: number(2)?, lo: number(3)? },
        ("_", "zero_extend") => BvOp::ZeroExtend(number(2)?),
        ("_", "sign_extend") => BvOp::SignExtend(number(2)?),
        _ => return None,
    };
    store.checked(Op::Bv(op), args).ok()
}

/// Integers among reals are reals.
fn same_numbers(store: &mut TermStore, args: &mut [TermId]) {
    if args.iter().any(|&arg| store.sort_of(arg) == SortId::REAL) {
        for arg in args {
            if matches!(store.sort(store.sort_of(*arg)), Sort::Int | Sort::Range { .. }) {
                *arg = store.mk_to_real(*arg);
            }
        }
    }
}
