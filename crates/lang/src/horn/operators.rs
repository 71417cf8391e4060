//! The operators of SMT-LIB's theories of Booleans, integers, reals and bit-vectors, applied to terms.
//!
//! Operators that our terms do not have (rotations, `bvcomp`, signed conversions, overflow tests) are desugared, as the standard
//! defines them. Integers where reals are expected are read as Z3 reads them: they are converted, and the other way round is an
//! error. Divisions are handled in [`super::division`], because those by zero have no fixed value.

use super::sorts;
use num_bigint::BigInt;
use num_rational::BigRational;
use tenet_term::{BvOp, Op, Sort, SortId, TermId, TermStore};

/// Why an operator cannot be applied.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not known.
    Unknown,
    /// It is known, but not standard, or not supported; what to write instead.
    Unsupported(&'static str),
    /// The operands do not fit together, or are too few, or too many.
    Sorts(String),
    /// The operand at this position is of the wrong sort.
    Operand(usize, String),
}

type Applied = Result<TermId, Refusal>;

/// The greatest width of the result of `repeat` and the extensions.
const MAX_WIDTH: u64 = sorts::MAX_WIDTH as u64;

/// Reserved names: keywords, and the operators of the theories, also of those that are not supported.
const KNOWN: &[&str] = &[
    "!",
    "_",
    "as",
    "exists",
    "forall",
    "lambda",
    "let",
    "match",
    "par",
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "=",
    "distinct",
    "ite",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "/",
    "div",
    "mod",
    "rem",
    "abs",
    "to_real",
    "to_int",
    "is_int",
    "divisible",
    "select",
    "store",
    "concat",
    "extract",
    "repeat",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "bvnot",
    "bvneg",
    "bvand",
    "bvnand",
    "bvor",
    "bvnor",
    "bvxor",
    "bvxnor",
    "bvadd",
    "bvsub",
    "bvmul",
    "bvudiv",
    "bvurem",
    "bvsdiv",
    "bvsrem",
    "bvsmod",
    "bvshl",
    "bvlshr",
    "bvashr",
    "bvult",
    "bvule",
    "bvugt",
    "bvuge",
    "bvslt",
    "bvsle",
    "bvsgt",
    "bvsge",
    "bvcomp",
    "bvnego",
    "bvuaddo",
    "bvsaddo",
    "bvusubo",
    "bvssubo",
    "bvumulo",
    "bvsmulo",
    "bvsdivo",
    "bv2nat",
    "bv2int",
    "nat2bv",
    "int2bv",
    "int_to_bv",
    "ubv_to_int",
    "sbv_to_int",
];

/// Is a name reserved?
pub fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

/// Applies an operator to at least one operand.
pub fn apply(store: &mut TermStore, name: &str, indices: &[u32], args: &[TermId]) -> Applied {
    if !indices.is_empty() {
        return indexed(store, name, indices, args);
    }
    match name {
        "not" | "and" | "or" | "xor" | "=>" => connective(store, name, args),
        "=" | "distinct" => equality(store, name, args),
        "ite" => if_then_else(store, args),
        "<" | "<=" | ">" | ">=" => comparison(store, name, args),
        "+" | "-" | "*" => sum_or_product(store, name, args),
        "abs" => absolute(store, args),
        "to_real" => {
            let [number] = exactly(name, args)?;
            Ok(to_real(store, number)?)
        }
        "to_int" | "is_int" => {
            let [number] = exactly(name, args)?;
            let number = to_real(store, number)?;
            let floor = store.mk_to_int(number);
            if name == "to_int" {
                return Ok(floor);
            }
            let back = store.mk_to_real(floor);
            Ok(store.mk_eq(back, number))
        }
        _ => bitvector(store, name, args),
    }
}

fn connective(store: &mut TermStore, name: &str, args: &[TermId]) -> Applied {
    for (position, &arg) in args.iter().enumerate() {
        if !store.is_bool(arg) {
            return Err(operand(store, name, position, "Bool", arg));
        }
    }
    match name {
        "not" => {
            let [arg] = exactly(name, args)?;
            Ok(store.mk_not(arg))
        }
        "and" => Ok(store.mk_and(args.iter().copied())),
        "or" => Ok(store.mk_or(args.iter().copied())),
        "xor" => {
            at_least_two(name, args)?;
            let mut result = args[0];
            for &arg in &args[1..] {
                result = store.mk_xor(result, arg);
            }
            Ok(result)
        }
        _ => {
            // Right associative: `a => b => c` is `(a & b) => c`.
            at_least_two(name, args)?;
            let mut result = args[args.len() - 1];
            for &arg in args[..args.len() - 1].iter().rev() {
                result = store.mk_implies(arg, result);
            }
            Ok(result)
        }
    }
}

fn equality(store: &mut TermStore, name: &str, args: &[TermId]) -> Applied {
    at_least_two(name, args)?;
    let args = alike(store, name, args)?;
    if name == "distinct" {
        return Ok(store.mk_distinct(&args));
    }
    let equal: Vec<TermId> = args.windows(2).map(|pair| store.mk_eq(pair[0], pair[1])).collect();
    Ok(store.mk_and(equal))
}

fn if_then_else(store: &mut TermStore, args: &[TermId]) -> Applied {
    let [condition, yes, no] = exactly("ite", args)?;
    if !store.is_bool(condition) {
        return Err(operand(store, "ite", 0, "Bool", condition));
    }
    let branches = alike(store, "ite", &[yes, no])?;
    Ok(store.mk_ite(condition, branches[0], branches[1]))
}

fn comparison(store: &mut TermStore, name: &str, args: &[TermId]) -> Applied {
    at_least_two(name, args)?;
    let args = numbers(store, name, args)?;
    let mut all = Vec::with_capacity(args.len() - 1);
    for pair in args.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        all.push(match name {
            "<" => store.mk_lt(a, b),
            "<=" => store.mk_le(a, b),
            ">" => store.mk_gt(a, b),
            _ => store.mk_ge(a, b),
        });
    }
    Ok(store.mk_and(all))
}

fn sum_or_product(store: &mut TermStore, name: &str, args: &[TermId]) -> Applied {
    let args = numbers(store, name, args)?;
    Ok(match (name, &args[..]) {
        ("+", args) => store.mk_add(args.iter().copied()),
        ("-", [only]) => store.mk_neg(*only),
        ("-", [first, rest @ ..]) => {
            let rest = store.mk_add(rest.iter().copied());
            store.mk_sub(*first, rest)
        }
        (_, args) => {
            let mut result = args[0];
            for &arg in &args[1..] {
                result = store.mk_mul(result, arg);
            }
            result
        }
    })
}

fn absolute(store: &mut TermStore, args: &[TermId]) -> Applied {
    let args = numbers(store, "abs", args)?;
    let [number] = exactly("abs", &args)?;
    let zero = zero_of(store, number);
    let (negative, negated) = (store.mk_lt(number, zero), store.mk_neg(number));
    Ok(store.mk_ite(negative, negated, number))
}

/// Zero of the sort of a number.
pub fn zero_of(store: &mut TermStore, number: TermId) -> TermId {
    match store.sort_of(number) == SortId::REAL {
        true => store.mk_rational(BigRational::from_integer(BigInt::from(0))),
        false => store.mk_int(0),
    }
}

fn bitvector(store: &mut TermStore, name: &str, args: &[TermId]) -> Applied {
    let op = match name {
        "bvnot" => BvOp::Not,
        "bvneg" => BvOp::Neg,
        "bvand" | "bvnand" => BvOp::And,
        "bvor" | "bvnor" => BvOp::Or,
        "bvxor" | "bvxnor" => BvOp::Xor,
        "bvadd" => BvOp::Add,
        "bvsub" => BvOp::Sub,
        "bvmul" => BvOp::Mul,
        "bvudiv" => BvOp::Udiv,
        "bvurem" => BvOp::Urem,
        "bvsdiv" => BvOp::Sdiv,
        "bvsrem" => BvOp::Srem,
        "bvsmod" => BvOp::Smod,
        "bvshl" => BvOp::Shl,
        "bvlshr" => BvOp::Lshr,
        "bvashr" => BvOp::Ashr,
        "bvult" | "bvugt" => BvOp::Ult,
        "bvule" | "bvuge" => BvOp::Ule,
        "bvslt" | "bvsgt" => BvOp::Slt,
        "bvsle" | "bvsge" => BvOp::Sle,
        "concat" => BvOp::Concat,
        "bv2nat" | "ubv_to_int" => BvOp::ToInt,
        _ => return derived(store, name, args),
    };
    match (name, op) {
        ("bvugt" | "bvuge" | "bvsgt" | "bvsge", _) => {
            let [a, b] = exactly(name, args)?;
            checked_bv(store, name, op, &[b, a])
        }
        ("bvnand" | "bvnor" | "bvxnor", _) => {
            let [a, b] = exactly(name, args)?;
            let inner = checked_bv(store, name, op, &[a, b])?;
            Ok(store.mk_bv(BvOp::Not, &[inner]))
        }
        (_, BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Add | BvOp::Mul | BvOp::Concat) => {
            at_least_two(name, args)?;
            let mut result = args[0];
            for &arg in &args[1..] {
                result = checked_bv(store, name, op, &[result, arg])?;
            }
            Ok(result)
        }
        _ => checked_bv(store, name, op, args),
    }
}

/// Bit-vector operators that our terms do not have.
fn derived(store: &mut TermStore, name: &str, args: &[TermId]) -> Applied {
    match name {
        "bvcomp" => {
            let [a, b] = exactly(name, args)?;
            checked_bv(store, name, BvOp::Xor, &[a, b])?;
            let same = store.mk_eq(a, b);
            Ok(store.mk_bool_to_bit(same))
        }
        "sbv_to_int" => {
            let [vector] = exactly(name, args)?;
            let width = width_of(store, name, vector)?;
            let top = BvOp::Extract { hi: width - 1, lo: width - 1 };
            let sign = store.mk_bv(top, &[vector]);
            let negative = store.mk_bit_to_bool(sign);
            let unsigned = store.mk_bv(BvOp::ToInt, &[vector]);
            let modulus = store.mk_int(BigInt::from(1) << width);
            let below = store.mk_sub(unsigned, modulus);
            Ok(store.mk_ite(negative, below, unsigned))
        }
        "bvnego" => {
            let [vector] = exactly(name, args)?;
            let width = width_of(store, name, vector)?;
            let least = store.mk_bitvec(width, num_bigint::BigUint::from(1u32) << (width - 1));
            Ok(store.mk_eq(vector, least))
        }
        "bvuaddo" | "bvsaddo" | "bvusubo" | "bvssubo" | "bvumulo" | "bvsmulo" | "bvsdivo" => {
            let [a, b] = exactly(name, args)?;
            checked_bv(store, name, BvOp::Xor, &[a, b])?;
            let op = match &name[3..] {
                "addo" => BvOp::Add,
                "subo" => BvOp::Sub,
                "mulo" => BvOp::Mul,
                _ => BvOp::Sdiv,
            };
            Ok(store.mk_bv_overflow(op, name.starts_with("bvs"), a, b))
        }
        "bv2int" => Err(Refusal::Unsupported("the standard has `ubv_to_int` and `sbv_to_int`")),
        "select" | "store" => Err(Refusal::Unsupported("arrays are not supported")),
        _ => Err(Refusal::Unknown),
    }
}

fn indexed(store: &mut TermStore, name: &str, indices: &[u32], args: &[TermId]) -> Applied {
    match (name, indices) {
        ("extract", &[hi, lo]) => checked_bv(store, name, BvOp::Extract { hi, lo }, args),
        ("zero_extend" | "sign_extend", &[by]) => {
            let [vector] = exactly(name, args)?;
            let width = width_of(store, name, vector)?;
            bounded(name, u64::from(width) + u64::from(by))?;
            let op = if name == "zero_extend" { BvOp::ZeroExtend(by) } else { BvOp::SignExtend(by) };
            Ok(if by == 0 { vector } else { store.mk_bv(op, &[vector]) })
        }
        ("repeat", &[times]) => {
            let [vector] = exactly(name, args)?;
            let width = width_of(store, name, vector)?;
            bounded(name, u64::from(width) * u64::from(times))?;
            let mut result = vector;
            for _ in 1..times {
                result = store.mk_bv(BvOp::Concat, &[result, vector]);
            }
            if times == 0 {
                Err(Refusal::Sorts("`repeat` needs a number above 0".to_string()))
            } else {
                Ok(result)
            }
        }
        ("rotate_left" | "rotate_right", &[by]) => {
            let [vector] = exactly(name, args)?;
            let width = width_of(store, name, vector)?;
            let left = if name == "rotate_left" { by % width } else { (width - by % width) % width };
            Ok(rotate_left(store, vector, width, left))
        }
        ("int2bv" | "int_to_bv", &[width]) => {
            bounded(name, u64::from(width))?;
            let [number] = exactly(name, args)?;
            if store.sort_of(number) != SortId::INT {
                return Err(operand(store, name, 0, "Int", number));
            }
            if width == 0 {
                return Err(Refusal::Sorts(format!("`{name}` needs a width above 0")));
            }
            Ok(store.mk_bv(BvOp::FromInt(width), &[number]))
        }
        ("divisible", &[divisor]) => {
            let [number] = exactly(name, args)?;
            if store.sort_of(number) != SortId::INT {
                return Err(operand(store, name, 0, "Int", number));
            }
            if divisor == 0 {
                return Err(Refusal::Sorts("`divisible` needs a number above 0".to_string()));
            }
            let (divisor, zero) = (store.mk_int(divisor), store.mk_int(0));
            let rest = store.mk_mod_euclid(number, divisor);
            Ok(store.mk_eq(rest, zero))
        }
        ("nat2bv", _) => Err(Refusal::Unsupported("the standard has `(_ int_to_bv n)`")),
        _ => Err(Refusal::Unknown),
    }
}

fn rotate_left(store: &mut TermStore, vector: TermId, width: u32, by: u32) -> TermId {
    if by == 0 {
        return vector;
    }
    let low = store.mk_bv(BvOp::Extract { hi: width - by - 1, lo: 0 }, &[vector]);
    let high = store.mk_bv(BvOp::Extract { hi: width - 1, lo: width - by }, &[vector]);
    store.mk_bv(BvOp::Concat, &[low, high])
}

fn bounded(name: &str, width: u64) -> Result<(), Refusal> {
    match width <= MAX_WIDTH {
        true => Ok(()),
        false => Err(Refusal::Sorts(format!("`{name}` gives more than {MAX_WIDTH} bits"))),
    }
}

/// A bit-vector operator of terms, after a check of the sorts.
fn checked_bv(store: &mut TermStore, name: &str, op: BvOp, args: &[TermId]) -> Applied {
    for (position, &arg) in args.iter().enumerate() {
        if store.width(arg).is_none() {
            return Err(operand(store, name, position, "a bit-vector", arg));
        }
    }
    if op == BvOp::Concat {
        bounded(name, args.iter().filter_map(|&arg| store.width(arg)).map(u64::from).sum())?;
    }
    store.checked(Op::Bv(op), args).map_err(|error| match error {
        tenet_term::SortError::Arity { .. } => {
            Refusal::Sorts(format!("`{name}` has too few or too many operands"))
        }
        _ if args.len() == 2 => {
            let [left, right] = [args[0], args[1]].map(|arg| sorts::name(store, store.sort_of(arg)));
            Refusal::Sorts(format!("the operands of `{name}` are of different sorts, {left} and {right}"))
        }
        _ => Refusal::Sorts(format!("`{name}` asks for bits that its operand does not have")),
    })
}

fn width_of(store: &TermStore, name: &str, vector: TermId) -> Result<u32, Refusal> {
    store.width(vector).ok_or_else(|| operand(store, name, 0, "a bit-vector", vector))
}

pub fn to_real(store: &mut TermStore, number: TermId) -> Result<TermId, Refusal> {
    match store.sort(store.sort_of(number)) {
        Sort::Real => Ok(number),
        Sort::Int => Ok(store.mk_to_real(number)),
        _ => Err(operand(store, "to_real", 0, "a number", number)),
    }
}

/// The operands, as numbers of one sort.
pub fn numbers(store: &mut TermStore, name: &str, args: &[TermId]) -> Result<Vec<TermId>, Refusal> {
    for (position, &arg) in args.iter().enumerate() {
        if !store.sort(store.sort_of(arg)).is_numeric() {
            return Err(operand(store, name, position, "a number", arg));
        }
    }
    alike(store, name, args)
}

/// The operands, all of one sort: integers are converted if there are reals among them.
fn alike(store: &mut TermStore, name: &str, args: &[TermId]) -> Result<Vec<TermId>, Refusal> {
    let any_real = args.iter().any(|&arg| store.sort_of(arg) == SortId::REAL);
    let wanted = if any_real { SortId::REAL } else { store.sort_of(args[0]) };
    let mut result = Vec::with_capacity(args.len());
    for (position, &arg) in args.iter().enumerate() {
        match fit(store, arg, wanted) {
            Some(arg) => result.push(arg),
            None => return Err(operand(store, name, position, &sorts::name(store, wanted), arg)),
        }
    }
    Ok(result)
}

/// The term converted to this sort; `None` if it does not fit.
pub fn fit(store: &mut TermStore, term: TermId, wanted: SortId) -> Option<TermId> {
    let sort = store.sort_of(term);
    if sort == wanted {
        return Some(term);
    }
    (wanted == SortId::REAL && sort == SortId::INT).then(|| store.mk_to_real(term))
}

/// Checks the number of operands.
pub fn exactly<const N: usize>(name: &str, args: &[TermId]) -> Result<[TermId; N], Refusal> {
    args.try_into().map_err(|_| {
        let plural = if N == 1 { "operand" } else { "operands" };
        Refusal::Sorts(format!("`{name}` takes {N} {plural}, found {}", args.len()))
    })
}

fn at_least_two(name: &str, args: &[TermId]) -> Result<(), Refusal> {
    match args.len() >= 2 {
        true => Ok(()),
        false => Err(Refusal::Sorts(format!("`{name}` takes at least 2 operands, found {}", args.len()))),
    }
}

/// The error for an operand of the wrong sort.
pub fn operand(store: &TermStore, name: &str, position: usize, expected: &str, found: TermId) -> Refusal {
    let found = sorts::name(store, store.sort_of(found));
    let message = format!("operand {} of `{name}` must be {expected}, found {found}", position + 1);
    Refusal::Operand(position, message)
}
