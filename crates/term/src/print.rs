//! Prints terms in Tenet's source language, with as few parentheses as precedence allows.
//!
//! Operators, weakest first: quantifiers and lambdas (which reach as far right as they can), `?:`, `<->`, `->`, `|`,
//! `&`, comparisons, `+ -`, `* / %`, prefix `! -`, and what stands alone. Operands of one associative operator that
//! repeat it are put in parentheses, so that the printed text shows how a raw term was written. Symbols print by name;
//! two symbols of the same name in one term are told apart by `#2`, `#3`. Index literals count from one, as in Murphi:
//! `NODE_1` is element 0. A symbol may have another [`Spelling`] than its name. That a term is one of several values of an
//! enumeration is `x in {A, B}`. A shared subterm is printed every time it occurs; [`TermStore::print_limited`] bounds that.

use std::fmt;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::id::{SymbolId, TermId};
use crate::sort::Sort;
use crate::store::TermStore;
use crate::symbol::{Role, Spelling};
use crate::term::{BvOp, Op};

/// How tightly a construct binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Binder,
    Ite,
    Iff,
    Implies,
    Or,
    And,
    Compare,
    Add,
    Mul,
    Prefix,
    Alone,
}

impl TermStore {
    pub fn print(&self, term: TermId) -> String {
        self.print_limited(term, usize::MAX)
    }

    /// The term as text, cut off with `…` after about `limit` bytes.
    pub fn print_limited(&self, term: TermId, limit: usize) -> String {
        self.print_with(term, limit, Quantifiers::Open)
    }

    /// The formula as a model would have it: quantifiers are closed by `end`.
    pub fn print_source(&self, formula: TermId) -> String {
        self.print_with(formula, usize::MAX, Quantifiers::Blocks)
    }

    fn print_with(&self, term: TermId, limit: usize, quantifiers: Quantifiers) -> String {
        let names = distinct_names(self, term);
        let mut printer = Printer { store: self, names, quantifiers, pieces: Vec::new() };
        let mut text = String::new();
        printer.pieces.push(Piece::Term(term, Level::Binder));
        while let Some(piece) = printer.pieces.pop() {
            match piece {
                Piece::Text(part) => text.push_str(part),
                Piece::Owned(part) => text.push_str(&part),
                Piece::Term(term, level) => printer.expand(term, level),
            }
            if text.len() > limit {
                text.push('…');
                break;
            }
        }
        text
    }

    /// The term, ready for `format!`.
    pub fn display(&self, term: TermId) -> impl fmt::Display + '_ {
        Display { store: self, term }
    }
}

struct Display<'a> {
    store: &'a TermStore,
    term: TermId,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.store.print(self.term))
    }
}

/// Gives each symbol of the term a name of its own.
fn distinct_names(store: &TermStore, term: TermId) -> FxHashMap<SymbolId, String> {
    let mut symbols = Vec::new();
    for subterm in store.subterms(term) {
        symbols.extend(store.as_symbol(subterm));
        symbols.extend_from_slice(store.op(subterm).bound());
    }
    symbols.sort_unstable();
    symbols.dedup();
    let mut taken: FxHashSet<String> = FxHashSet::default();
    let mut names = FxHashMap::default();
    for symbol in symbols {
        let base = &store.symbol(symbol).name;
        let mut name = base.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}#{number}");
        }
        names.insert(symbol, name);
    }
    names
}

enum Piece {
    Text(&'static str),
    Owned(String),
    Term(TermId, Level),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantifiers {
    /// `forall i, j : NODE; k : 0..3. body`
    Open,
    /// `forall i : NODE; j : NODE; k : 0..3 do body end`
    Blocks,
}

/// A stack machine: what is still to be printed, the next piece on top.
struct Printer<'a> {
    store: &'a TermStore,
    names: FxHashMap<SymbolId, String>,
    quantifiers: Quantifiers,
    pieces: Vec<Piece>,
}

impl Printer<'_> {
    /// Replaces a term by its pieces, in parentheses if it binds more weakly than the place asks for.
    fn expand(&mut self, term: TermId, place: Level) {
        let (level, mut pieces) = self.pieces_of(term);
        if level < place {
            pieces.insert(0, Piece::Text("("));
            pieces.push(Piece::Text(")"));
        }
        self.pieces.extend(pieces.into_iter().rev());
    }

    fn pieces_of(&self, term: TermId) -> (Level, Vec<Piece>) {
        let args = self.store.args(term);
        match (self.store.op(term), args) {
            (Op::Symbol(symbol), _) => (Level::Alone, vec![Piece::Owned(self.symbol(*symbol))]),
            (Op::Int(value), _) => number(value.is_negative(), value.to_string()),
            (Op::Rational(value), _) => number(value.is_negative(), rational(value)),
            (Op::Not, &[arg]) => self.negation(arg),
            (Op::And, [_, _, ..]) => (Level::And, infix(args, " & ", Level::Compare, Level::Compare)),
            (Op::Or, [_, _, ..]) => self.disjunction(args),
            (Op::Implies, _) => (Level::Implies, infix(args, " -> ", Level::Or, Level::Implies)),
            (Op::Iff, _) => (Level::Iff, infix(args, " <-> ", Level::Implies, Level::Implies)),
            (Op::Eq, _) if self.is_bit(term) => (Level::Alone, bit_range(self.store, args[0])),
            (Op::Eq, _) => (Level::Compare, infix(args, " = ", Level::Add, Level::Add)),
            (Op::Bv(BvOp::Extract { .. }), _) => (Level::Alone, bit_range(self.store, term)),
            (Op::Lt, _) => (Level::Compare, infix(&self.ordered(args), " < ", Level::Add, Level::Add)),
            (Op::Le, _) => (Level::Compare, infix(&self.ordered(args), " <= ", Level::Add, Level::Add)),
            (Op::Mul, _) => (Level::Mul, infix(args, " * ", Level::Mul, Level::Prefix)),
            (Op::DivTrunc | Op::DivReal, _) => (Level::Mul, infix(args, " / ", Level::Mul, Level::Prefix)),
            (Op::RemTrunc, _) => (Level::Mul, infix(args, " % ", Level::Mul, Level::Prefix)),
            (Op::DivEuclid, _) => (Level::Mul, infix(args, " div ", Level::Mul, Level::Prefix)),
            (Op::ModEuclid, _) => (Level::Mul, infix(args, " mod ", Level::Mul, Level::Prefix)),
            (Op::Neg, &[arg]) => (Level::Prefix, vec![Piece::Text("-"), Piece::Term(arg, Level::Alone)]),
            (Op::Add, [_, _, ..]) => (Level::Add, self.sum(args)),
            (Op::Ite, &[condition, yes, no]) => (Level::Ite, conditional(condition, yes, no)),
            (op @ (Op::Forall(bound) | Op::Exists(bound)), &[body])
                if self.quantifiers == Quantifiers::Blocks =>
            {
                (Level::Alone, self.block(op.name(), bound, body))
            }
            (Op::Forall(bound) | Op::Exists(bound) | Op::Lambda(bound), &[body]) => {
                (Level::Binder, self.binder(self.store.op(term).name(), bound, body))
            }
            (Op::Apply, [function, places @ ..]) => (Level::Alone, self.application(*function, places)),
            _ => (Level::Alone, self.call(term)),
        }
    }

    fn symbol(&self, symbol: SymbolId) -> String {
        let name = &self.names[&symbol];
        match self.store.spelling(symbol) {
            // Another symbol of this name was told apart by a number.
            Some(Spelling::Parts(parts)) if *name == self.store.symbol(symbol).name => parts.concat(),
            _ => name.clone(),
        }
    }

    /// What is compared, if it is the places of elements in an order.
    fn ordered(&self, args: &[TermId]) -> Vec<TermId> {
        let element = |&arg: &TermId| match (self.store.op(arg), self.store.args(arg)) {
            (Op::Apply, &[rank, element]) => {
                let spelling = self.store.as_symbol(rank).and_then(|rank| self.store.spelling(rank));
                (spelling == Some(&Spelling::Order)).then_some(element)
            }
            _ => None,
        };
        args.iter().map(element).collect::<Option<Vec<TermId>>>().unwrap_or_else(|| args.to_vec())
    }

    /// `a | x in {A, B} | b`: what says that one term has one of several values stands together, where the first of it stood.
    fn disjunction(&self, args: &[TermId]) -> (Level, Vec<Piece>) {
        let mut parts: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for &arg in args {
            let known = self.one_value(arg).and_then(|(term, value)| {
                let same = |(first, _): &&mut (TermId, Vec<TermId>)| {
                    self.one_value(*first).is_some_and(|(other, _)| other == term)
                };
                Some((parts.iter_mut().find(same)?, value))
            });
            match known {
                Some(((_, values), value)) => values.push(value),
                None => parts.push((arg, self.one_value(arg).map(|(_, value)| value).into_iter().collect())),
            }
        }
        if let [(_, _)] = parts.as_slice() {
            return (Level::Compare, self.one_of(&parts[0]));
        }
        let mut pieces = Vec::new();
        for part in &parts {
            if !pieces.is_empty() {
                pieces.push(Piece::Text(" | "));
            }
            match part.1.len() {
                0 | 1 => pieces.push(Piece::Term(part.0, Level::And)),
                _ => pieces.extend(self.one_of(part)),
            }
        }
        (Level::Or, pieces)
    }

    fn one_of(&self, (first, values): &(TermId, Vec<TermId>)) -> Vec<Piece> {
        let Some((term, _)) = self.one_value(*first) else { return vec![Piece::Term(*first, Level::And)] };
        let mut pieces = vec![Piece::Term(term, Level::Add), Piece::Text(" in {")];
        pieces.extend(infix(values, ", ", Level::Binder, Level::Binder));
        pieces.push(Piece::Text("}"));
        pieces
    }

    /// A term and a value of an enumeration, if the formula says that they are equal.
    fn one_value(&self, formula: TermId) -> Option<(TermId, TermId)> {
        let &[left, right] = self.store.args(formula) else { return None };
        let is_value = |term: TermId| match self.store.op(term) {
            Op::Enum(..) => true,
            Op::In(..) => matches!(self.store.op(self.store.args(term)[0]), Op::Enum(..)),
            _ => false,
        };
        match self.store.op(formula) {
            Op::Eq if is_value(right) && !is_value(left) => Some((left, right)),
            Op::Eq if is_value(left) && !is_value(right) => Some((right, left)),
            _ => None,
        }
    }

    fn negation(&self, arg: TermId) -> (Level, Vec<Piece>) {
        match (self.store.op(arg), self.store.args(arg)) {
            (Op::Eq, sides) if !self.is_bit(arg) => {
                (Level::Compare, infix(sides, " != ", Level::Add, Level::Add))
            }
            _ => (Level::Prefix, vec![Piece::Text("!"), Piece::Term(arg, Level::Prefix)]),
        }
    }

    /// Does it say that one bit of a word is set?
    fn is_bit(&self, term: TermId) -> bool {
        let &[word, value] = self.store.args(term) else { return false };
        let is_one = self.store.as_bitvec(value).is_some_and(|value| value.width() == 1 && value.is_ones());
        is_one && matches!(self.store.op(word), Op::Bv(BvOp::Extract { .. }))
    }

    /// `a + b - c`: a negative summand is subtracted.
    fn sum(&self, args: &[TermId]) -> Vec<Piece> {
        let mut pieces = vec![Piece::Term(args[0], Level::Mul)];
        for &arg in &args[1..] {
            match (self.store.op(arg), self.store.args(arg)) {
                (Op::Neg, &[inner]) => pieces.extend([Piece::Text(" - "), Piece::Term(inner, Level::Mul)]),
                (Op::Int(value), _) if value.is_negative() => {
                    pieces.extend([Piece::Text(" - "), Piece::Owned(value.magnitude().to_string())]);
                }
                (Op::Rational(value), _) if value.is_negative() => {
                    pieces.extend([Piece::Text(" - "), Piece::Owned(rational(&value.abs()))]);
                }
                _ => pieces.extend([Piece::Text(" + "), Piece::Term(arg, Level::Mul)]),
            }
        }
        pieces
    }

    /// `forall i, j : NODE; k : 0..3. body`.
    fn binder(&self, keyword: &'static str, bound: &[SymbolId], body: TermId) -> Vec<Piece> {
        let mut pieces = vec![Piece::Text(keyword), Piece::Text(" ")];
        for (place, symbol) in bound.iter().enumerate() {
            pieces.push(Piece::Owned(self.names[symbol].clone()));
            let sort = self.store.symbol(*symbol).sort;
            match bound.get(place + 1).map(|&next| self.store.symbol(next).sort) {
                Some(next) if next == sort => pieces.push(Piece::Text(", ")),
                next => {
                    let separator = if next.is_some() { "; " } else { ". " };
                    pieces.push(Piece::Owned(format!(" : {}{separator}", self.store.sort_name(sort))));
                }
            }
        }
        pieces.push(Piece::Term(body, Level::Binder));
        pieces
    }

    fn block(&self, keyword: &'static str, bound: &[SymbolId], body: TermId) -> Vec<Piece> {
        let binder = |symbol: &SymbolId| {
            format!("{} : {}", self.names[symbol], self.store.sort_name(self.store.symbol(*symbol).sort))
        };
        let binders: Vec<String> = bound.iter().map(binder).collect();
        vec![
            Piece::Owned(format!("{keyword} {} do ", binders.join("; "))),
            Piece::Term(body, Level::Binder),
            Piece::Text(" end"),
        ]
    }

    /// Arrays are indexed, `a[i][j]`; fixed functions are called, `f(x, y)`.
    fn application(&self, function: TermId, places: &[TermId]) -> Vec<Piece> {
        let called = self.store.as_symbol(function).is_some_and(|symbol| {
            matches!(self.store.symbol(symbol).role, Role::Const | Role::Skolem | Role::AbstractBool)
        });
        let spelling = self.store.as_symbol(function).and_then(|symbol| self.store.spelling(symbol));
        if let Some(Spelling::Parts(parts)) = spelling
            && parts.len() == places.len() + 1
        {
            let mut pieces = vec![Piece::Owned(parts[0].clone())];
            for (&place, part) in places.iter().zip(&parts[1..]) {
                pieces.extend([
                    Piece::Text("["),
                    Piece::Term(self.index(place), Level::Binder),
                    Piece::Text("]"),
                ]);
                pieces.push(Piece::Owned(part.clone()));
            }
            return pieces;
        }
        let mut pieces = vec![Piece::Term(function, Level::Alone)];
        if called {
            pieces.extend(list(places));
            return pieces;
        }
        for &place in places {
            pieces.extend([Piece::Text("["), Piece::Term(place, Level::Binder), Piece::Text("]")]);
        }
        pieces
    }

    /// An index: which member of a union it is, is seen from the array.
    fn index(&self, place: TermId) -> TermId {
        match self.store.op(place) {
            Op::Out(_) => self.store.args(place)[0],
            _ => place,
        }
    }

    /// Everything that prints as a literal or as `name(operands)`.
    fn call(&self, term: TermId) -> Vec<Piece> {
        let store = self.store;
        let args = store.args(term);
        let text = match store.op(term) {
            Op::Bool(value) => return vec![Piece::Text(if *value { "true" } else { "false" })],
            Op::BitVec(value) => return vec![Piece::Owned(bits(value))],
            Op::Enum(sort, position) => return vec![Piece::Owned(variant(store.sort(*sort), *position))],
            Op::Index(sort, position) => {
                return vec![Piece::Owned(format!(
                    "{}_{}",
                    store.sort_name(*sort),
                    u64::from(*position) + 1
                ))];
            }
            Op::In(..) => return vec![Piece::Term(args[0], Level::Alone)],
            Op::Is(member) | Op::Out(member) => {
                let tail = format!(", {})", store.sort_name(*member));
                let head = Piece::Owned(format!("{}(", store.op(term).name()));
                return vec![head, Piece::Term(args[0], Level::Binder), Piece::Owned(tail)];
            }
            Op::And => "and".to_string(),
            Op::Or => "or".to_string(),
            Op::Add => "sum".to_string(),
            Op::Bv(op @ (BvOp::ZeroExtend(by) | BvOp::SignExtend(by) | BvOp::FromInt(by))) => {
                format!("{}<{by}>", op.name())
            }
            op => op.name().to_string(),
        };
        let mut pieces = vec![Piece::Owned(text)];
        pieces.extend(list(args));
        pieces
    }
}

/// Operands with an operator between them; the last place may ask for less than the others.
fn infix(args: &[TermId], operator: &'static str, others: Level, last: Level) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(2 * args.len());
    for (place, &arg) in args.iter().enumerate() {
        if place > 0 {
            pieces.push(Piece::Text(operator));
        }
        pieces.push(Piece::Term(arg, if place + 1 == args.len() { last } else { others }));
    }
    pieces
}

fn list(args: &[TermId]) -> Vec<Piece> {
    let mut pieces = vec![Piece::Text("(")];
    pieces.extend(infix(args, ", ", Level::Binder, Level::Binder));
    pieces.push(Piece::Text(")"));
    pieces
}

fn conditional(condition: TermId, yes: TermId, no: TermId) -> Vec<Piece> {
    vec![
        Piece::Term(condition, Level::Iff),
        Piece::Text(" ? "),
        Piece::Term(yes, Level::Iff),
        Piece::Text(" : "),
        Piece::Term(no, Level::Ite),
    ]
}

fn number(negative: bool, text: String) -> (Level, Vec<Piece>) {
    (if negative { Level::Prefix } else { Level::Alone }, vec![Piece::Owned(text)])
}

/// `2.0` for a whole number, so that it differs from the integer; `(1/3)` otherwise.
fn rational(value: &BigRational) -> String {
    if value.is_integer() {
        return format!("{}.0", value.numer());
    }
    let sign = if value.is_negative() { "-" } else { "" };
    format!("{sign}({}/{})", BigInt::abs(value.numer()), value.denom())
}

/// As in Verilog: `8'h0f`.
fn bits(value: &crate::BitVec) -> String {
    let digits = value.width().div_ceil(4) as usize;
    format!("{}'h{:0>digits$}", value.width(), value.unsigned().to_str_radix(16))
}

fn variant(sort: &Sort, position: u32) -> String {
    match sort {
        Sort::Enum { variants, .. } => variants[position as usize].clone(),
        _ => unreachable!("enumeration literals are checked when built"),
    }
}

/// `word[7:4]`, or `word[4]` for one bit.
fn bit_range(store: &TermStore, term: TermId) -> Vec<Piece> {
    let (Op::Bv(BvOp::Extract { hi, lo }), &[word]) = (store.op(term), store.args(term)) else {
        unreachable!("invariant: only parts of words are printed so")
    };
    let range = if hi == lo { format!("[{hi}]") } else { format!("[{hi}:{lo}]") };
    vec![Piece::Term(word, Level::Alone), Piece::Owned(range)]
}
