//! Terms as SMT-LIB text, for answers.
//!
//! Subterms that occur more than once and contain no bound variable are named by `let`, since as a tree a term can be
//! exponentially longer. Where SMT-LIB leaves a value open that our terms define (a division by zero), the text defines
//! it.

use super::sorts;
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use std::collections::BTreeMap;
use tenet_term::{BvOp, Op, SortId, SymbolId, TermId, TermStore, Value};

/// Shorter subterms are repeated and not named.
const MIN_SHARED_LENGTH: usize = 24;

/// A name as SMT-LIB writes it, with bars if it needs them.
pub fn name(name: &str) -> String {
    let simple = |byte: u8| byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte);
    let plain = !name.is_empty() && !name.as_bytes()[0].is_ascii_digit() && name.bytes().all(simple);
    const RESERVED: &[&str] = &["let", "forall", "exists", "match", "par", "_", "!", "as", "true", "false"];
    if plain && !RESERVED.contains(&name) {
        name.to_string()
    } else {
        format!("|{}|", name.replace(['|', '\\'], "_"))
    }
}

/// The variables of a definition or a quantifier: `((x Int) (y Bool))`.
pub fn variables(store: &TermStore, symbols: &[SymbolId]) -> String {
    let all = symbols.iter().map(|&symbol| {
        let symbol = store.symbol(symbol);
        format!("({} {})", name(&symbol.name), sorts::name(store, symbol.sort))
    });
    format!("({})", all.collect::<Vec<_>>().join(" "))
}

pub fn term(store: &TermStore, term: TermId) -> String {
    let parts = store.subterms(term);
    let mut uses: BTreeMap<TermId, usize> = BTreeMap::new();
    for &part in &parts {
        store.args(part).iter().for_each(|&arg| *uses.entry(arg).or_default() += 1);
    }
    let mut texts: BTreeMap<TermId, String> = BTreeMap::new();
    let mut lets: Vec<(String, String)> = Vec::new();
    for &part in &parts {
        let args: Vec<&str> = store.args(part).iter().map(|arg| texts[arg].as_str()).collect();
        let mut text = written(store, part, &args);
        // A relation is not a term by itself, so it is not named.
        let shared = uses.get(&part).is_some_and(|&count| count > 1) && !store.args(part).is_empty();
        if shared && text.len() > MIN_SHARED_LENGTH && store.is_closed(part) {
            let name = format!("a!{}", lets.len() + 1);
            lets.push((name.clone(), text));
            text = name;
        }
        texts.insert(part, text);
    }
    let body = texts.remove(&term).unwrap_or_default();
    let close = ")".repeat(lets.len());
    let open: String = lets.iter().map(|(name, text)| format!("(let (({name} {text})) ")).collect();
    format!("{open}{body}{close}")
}

fn written(store: &TermStore, term: TermId, args: &[&str]) -> String {
    let list = |head: &str| format!("({head} {})", args.join(" "));
    let total = |head: &str, at_zero: &str| {
        let zero = if store.sort_of(term) == SortId::REAL { "0.0" } else { "0" };
        match store.is_value(store.args(term)[1]) && args[1] != zero {
            true => list(head),
            false => format!("(ite (= {} {zero}) {at_zero} {})", args[1], list(head)),
        }
    };
    match store.op(term) {
        Op::Bool(value) => value.to_string(),
        Op::Int(value) => integer(value),
        Op::Rational(value) => rational(value),
        Op::BitVec(value) => format!("(_ bv{} {})", value.unsigned(), value.width()),
        Op::Symbol(symbol) => name(&store.symbol(*symbol).name),
        Op::Apply => format!("({})", args.join(" ")),
        Op::Not => list("not"),
        Op::And => junction("and", "true", args),
        Op::Or => junction("or", "false", args),
        Op::Implies => list("=>"),
        Op::Iff | Op::Eq => list("="),
        Op::Ite => list("ite"),
        Op::Distinct => list("distinct"),
        Op::Lt => list("<"),
        Op::Le => list("<="),
        Op::Add => junction("+", "0", args),
        Op::Neg => list("-"),
        Op::Mul => list("*"),
        Op::DivReal => total("/", "0.0"),
        Op::DivEuclid => total("div", "0"),
        Op::ModEuclid => total("mod", args[0]),
        Op::ToReal => list("to_real"),
        Op::ToInt => list("to_int"),
        Op::Bv(op) => list(&bit_operator(*op)),
        Op::Forall(bound) => format!("(forall {} {})", variables(store, bound), args[0]),
        Op::Exists(bound) => format!("(exists {} {})", variables(store, bound), args[0]),
        // None of these comes from clauses: there are neither enumerations nor unions nor lambdas.
        _ => format!("|{}|", store.print(term)),
    }
}

fn junction(head: &str, unit: &str, args: &[&str]) -> String {
    match args {
        [] => unit.to_string(),
        [only] => (*only).to_string(),
        _ => format!("({head} {})", args.join(" ")),
    }
}

fn bit_operator(op: BvOp) -> String {
    match op {
        BvOp::Extract { hi, lo } => format!("(_ extract {hi} {lo})"),
        BvOp::ZeroExtend(by) => format!("(_ zero_extend {by})"),
        BvOp::SignExtend(by) => format!("(_ sign_extend {by})"),
        BvOp::ToInt => "bv2nat".to_string(),
        BvOp::FromInt(width) => format!("(_ int2bv {width})"),
        op => op.name().to_string(),
    }
}

fn integer(value: &BigInt) -> String {
    if value.sign() == Sign::Minus { format!("(- {})", value.magnitude()) } else { value.to_string() }
}

fn rational(value: &BigRational) -> String {
    let magnitude = match value.is_integer() {
        true => format!("{}.0", value.numer().magnitude()),
        false => format!("(/ {}.0 {}.0)", value.numer().magnitude(), value.denom()),
    };
    if value.numer().sign() == Sign::Minus { format!("(- {magnitude})") } else { magnitude }
}

/// A value of a clause's variable.
pub fn value(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => integer(value),
        Value::Real(value) => rational(value),
        Value::BitVec(value) => format!("(_ bv{} {})", value.unsigned(), value.width()),
        other => format!("|{other:?}|"),
    }
}
