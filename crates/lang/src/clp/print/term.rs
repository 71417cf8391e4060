//! Terms, with as few parentheses as precedence allows.
//!
//! Weakest first: quantifiers, `\/`, `,`, comparisons, `+ -`, `*`, a sign, and atoms. Since terms can be deep, the pieces still
//! to be written are on an explicit stack.

use super::names::Names;
use super::shape::{Function, Read, function, is_array_expression, read_of_update};
use num_bigint::BigInt;
use num_traits::{One, Signed};
use std::collections::BTreeSet;
use tenet_term::{Op, SymbolId, TermId, TermStore};

/// Longer text is truncated here.
const MAX_BYTES: usize = 1 << 20;

/// How tightly a construct binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// `forall X. c`
    Binder,
    /// `a \/ b`
    Or,
    /// `a, b`
    And,
    /// `s = t`
    Compare,
    /// `s + t`
    Add,
    /// `2*t`
    Multiply,
    /// `-t`
    Sign,
    /// Anything else.
    Alone,
}

enum Piece {
    Text(&'static str),
    Owned(String),
    Term(TermId, Level),
    /// The function that maps the bound symbols to a term.
    Function(Box<[SymbolId]>, TermId),
}

pub struct Writer<'a> {
    store: &'a TermStore,
    names: Names,
    pub text: String,
    /// Symbols written with `?`.
    pub existentials: BTreeSet<SymbolId>,
    pieces: Vec<Piece>,
}

impl<'a> Writer<'a> {
    pub fn new(store: &'a TermStore, names: Names) -> Writer<'a> {
        Writer { store, names, text: String::new(), existentials: BTreeSet::new(), pieces: Vec::new() }
    }

    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub fn name(&self, symbol: SymbolId) -> &str {
        self.names.get(symbol)
    }

    /// Writes a term in a context that needs at least this precedence.
    pub fn term(&mut self, term: TermId, level: Level) {
        self.pieces.push(Piece::Term(term, level));
        while let Some(piece) = self.pieces.pop() {
            match piece {
                Piece::Text(part) => self.text.push_str(part),
                Piece::Owned(part) => self.text.push_str(&part),
                Piece::Term(term, level) => self.expand(term, level),
                Piece::Function(bound, body) => self.expand_function(&bound, body),
            }
            if self.text.len() > MAX_BYTES {
                self.pieces.clear();
                self.text.push('…');
            }
        }
    }

    /// Replaces a term by its pieces, in parentheses if it binds more weakly than its context.
    fn expand(&mut self, term: TermId, place: Level) {
        let (level, mut pieces) = self.pieces_of(term);
        if level < place {
            pieces.insert(0, Piece::Text("("));
            pieces.push(Piece::Text(")"));
        }
        self.pieces.extend(pieces.into_iter().rev());
    }

    fn pieces_of(&self, term: TermId) -> (Level, Vec<Piece>) {
        let store = self.store;
        let args = store.args(term);
        match (store.op(term), args) {
            (Op::Symbol(symbol), _) => (Level::Alone, vec![self.symbol(*symbol)]),
            (Op::Int(value), _) => {
                let level = if value.is_negative() { Level::Sign } else { Level::Alone };
                (level, vec![Piece::Owned(value.to_string())])
            }
            (Op::Not, &[arg]) => self.negation(arg),
            (Op::And, [_, _, ..]) => (Level::And, self.conjunction(args)),
            (Op::Or, [_, _, ..]) => (Level::Or, infix(args, " \\/ ", Level::Compare)),
            (Op::Implies, &[left, right]) => {
                let (_, mut pieces) = self.negation(left);
                pieces.extend([Piece::Text(" \\/ "), Piece::Term(right, Level::Compare)]);
                (Level::Or, pieces)
            }
            (Op::Iff, _) => (Level::Compare, infix(args, " <-> ", Level::Alone)),
            (Op::Eq, _) => (Level::Compare, infix(args, " = ", Level::Add)),
            (Op::Lt, &[left, right]) => (Level::Compare, self.comparison(left, right, [" < ", " > "])),
            (Op::Le, &[left, right]) => (Level::Compare, self.comparison(left, right, [" <= ", " >= "])),
            (Op::Add, [_, _, ..]) => (Level::Add, self.sum(args)),
            (Op::Neg, &[arg]) => (Level::Sign, vec![Piece::Text("-"), Piece::Term(arg, Level::Alone)]),
            (Op::Mul, &[left, right]) => {
                let level = if self.is_negative(left) { Level::Sign } else { Level::Multiply };
                (level, infix(&[left, right], "*", Level::Sign))
            }
            (Op::Ite, &[condition, yes, no]) => (Level::Alone, self.choice(term, condition, yes, no)),
            (Op::Apply, [function, places @ ..]) => {
                let mut pieces = vec![Piece::Term(*function, Level::Alone), Piece::Text("[")];
                pieces.extend(list(places));
                pieces.push(Piece::Text("]"));
                (Level::Alone, pieces)
            }
            (Op::Lambda(bound), &[body]) if is_array_expression(store, bound, body) => {
                (Level::Alone, vec![Piece::Function(bound.clone(), body)])
            }
            (Op::Forall(bound) | Op::Exists(bound) | Op::Lambda(bound), &[body]) => {
                (Level::Binder, self.binder(store.op(term).name(), bound, body))
            }
            _ => (Level::Alone, self.call(term)),
        }
    }

    fn symbol(&self, symbol: SymbolId) -> Piece {
        let mark = if self.existentials.contains(&symbol) { "?" } else { "" };
        Piece::Owned(format!("{mark}{}", self.name(symbol)))
    }

    fn negation(&self, arg: TermId) -> (Level, Vec<Piece>) {
        match (self.store.op(arg), self.store.args(arg)) {
            (Op::Eq, sides) => (Level::Compare, infix(sides, " != ", Level::Add)),
            _ => (Level::Compare, vec![Piece::Text("~"), Piece::Term(arg, Level::Alone)]),
        }
    }

    /// Numbers come last: `N > 0`, not `0 < N`.
    fn comparison(&self, left: TermId, right: TermId, [sign, turned]: [&'static str; 2]) -> Vec<Piece> {
        match self.store.as_int(left).is_some() {
            true => infix(&[right, left], turned, Level::Add),
            false => infix(&[left, right], sign, Level::Add),
        }
    }

    /// A lower and an upper bound of one term become a chain: `1 <= I <= N`.
    fn conjunction(&self, args: &[TermId]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut done = BTreeSet::new();
        for &arg in args {
            if done.contains(&arg) {
                continue;
            }
            if !pieces.is_empty() {
                pieces.push(Piece::Text(", "));
            }
            let upper =
                args.iter().copied().find(|&other| !done.contains(&other) && self.is_range(arg, other));
            match upper {
                None => pieces.push(Piece::Term(arg, Level::Compare)),
                Some(upper) => {
                    done.insert(upper);
                    let [low, middle, high] =
                        [self.store.args(arg)[0], self.store.args(arg)[1], self.store.args(upper)[1]];
                    pieces.extend([Piece::Term(low, Level::Add), Piece::Text(self.sign(arg))]);
                    pieces.extend([Piece::Term(middle, Level::Add), Piece::Text(self.sign(upper))]);
                    pieces.push(Piece::Term(high, Level::Add));
                }
            }
            done.insert(arg);
        }
        pieces
    }

    fn sign(&self, comparison: TermId) -> &'static str {
        if *self.store.op(comparison) == Op::Lt { " < " } else { " <= " }
    }

    /// Is the first one a numeric lower bound of a term, and the second one an upper bound of the same term?
    fn is_range(&self, lower: TermId, upper: TermId) -> bool {
        let is_order = |term: TermId| matches!(self.store.op(term), Op::Lt | Op::Le);
        is_order(lower)
            && is_order(upper)
            && self.store.as_int(self.store.args(lower)[0]).is_some()
            && self.store.args(lower)[1] == self.store.args(upper)[0]
    }

    /// Subtracted terms come after the others, and a constant last.
    fn sum(&self, args: &[TermId]) -> Vec<Piece> {
        let (minus, plus): (Vec<TermId>, Vec<TermId>) = args.iter().partition(|&&arg| self.is_negative(arg));
        let (constant, mut order): (Vec<TermId>, Vec<TermId>) =
            plus.into_iter().partition(|&arg| self.store.as_int(arg).is_some());
        match order.is_empty() {
            true => order.extend(constant.into_iter().chain(minus)),
            false => order.extend(minus.into_iter().chain(constant)),
        }
        let mut pieces = vec![Piece::Term(order[0], Level::Multiply)];
        for &arg in &order[1..] {
            match self.is_negative(arg) {
                true => {
                    pieces.push(Piece::Text(" - "));
                    pieces.extend(self.opposite(arg));
                }
                false => pieces.extend([Piece::Text(" + "), Piece::Term(arg, Level::Multiply)]),
            }
        }
        pieces
    }

    fn is_negative(&self, term: TermId) -> bool {
        match (self.store.op(term), self.store.args(term)) {
            (Op::Int(value), _) => value.is_negative(),
            (Op::Neg, _) => true,
            (Op::Mul, &[factor, _]) => self.store.as_int(factor).is_some_and(BigInt::is_negative),
            _ => false,
        }
    }

    /// A negative summand without its sign.
    fn opposite(&self, term: TermId) -> Vec<Piece> {
        match (self.store.op(term), self.store.args(term)) {
            (Op::Neg, &[inner]) => vec![Piece::Term(inner, Level::Multiply)],
            (Op::Int(value), _) => vec![Piece::Owned(value.magnitude().to_string())],
            (_, &[factor, rest]) => {
                let factor = self.store.as_int(factor).map(BigInt::abs).unwrap_or_else(BigInt::one);
                vec![Piece::Owned(format!("{factor}*")), Piece::Term(rest, Level::Sign)]
            }
            _ => vec![Piece::Term(term, Level::Multiply)],
        }
    }

    fn choice(&self, term: TermId, condition: TermId, yes: TermId, no: TermId) -> Vec<Piece> {
        if let Some(read) = read_of_update(self.store, term) {
            return read_pieces(&read);
        }
        let mut pieces = vec![Piece::Text("(if "), Piece::Term(condition, Level::Or)];
        pieces.extend([Piece::Text(" then "), Piece::Term(yes, Level::Add)]);
        pieces.extend([Piece::Text(" else "), Piece::Term(no, Level::Add), Piece::Text(")")]);
        pieces
    }

    fn expand_function(&mut self, bound: &[SymbolId], body: TermId) {
        let Some(function) = function(self.store, bound, body) else {
            unreachable!("invariant: only array expressions are written so")
        };
        let there = |body| Piece::Function(bound.into(), body);
        let pieces = match function {
            Function::Plain(function) => vec![Piece::Term(function, Level::Add)],
            Function::Update { places, value, rest } => {
                let mut pieces = vec![Piece::Text("<"), there(rest), Piece::Text(",")];
                match places[..] {
                    [place] => pieces.push(Piece::Term(place, Level::Add)),
                    _ => {
                        pieces.push(Piece::Text("("));
                        pieces.extend(list(&places));
                        pieces.push(Piece::Text(")"));
                    }
                }
                pieces.extend([Piece::Text(","), Piece::Term(value, Level::Add), Piece::Text(">")]);
                pieces
            }
            Function::Choice { condition, yes, no } => {
                let condition = Piece::Term(condition, Level::Or);
                let (yes, no) = (there(yes), there(no));
                vec![
                    Piece::Text("(if "),
                    condition,
                    Piece::Text(" then "),
                    yes,
                    Piece::Text(" else "),
                    no,
                    Piece::Text(")"),
                ]
            }
        };
        self.pieces.extend(pieces.into_iter().rev());
    }

    /// `forall I, J : node. c`
    fn binder(&self, keyword: &'static str, bound: &[SymbolId], body: TermId) -> Vec<Piece> {
        let mut pieces = vec![Piece::Text(keyword), Piece::Text(" ")];
        for (place, &symbol) in bound.iter().enumerate() {
            pieces.push(Piece::Owned(self.name(symbol).to_string()));
            let sort = self.store.symbol(symbol).sort;
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

    /// Literals of other sorts by name, everything else as `name(operands)`.
    fn call(&self, term: TermId) -> Vec<Piece> {
        let args = self.store.args(term);
        if args.is_empty() {
            return vec![Piece::Owned(self.store.print(term))];
        }
        let name = match self.store.op(term) {
            Op::In(..) => return vec![Piece::Term(args[0], Level::Alone)],
            Op::Is(member) => return self.member("is", args[0], *member),
            Op::Out(member) => return self.member("as", args[0], *member),
            Op::DivReal | Op::DivTrunc => "quotient",
            Op::RemTrunc => "remainder",
            Op::And => "and",
            Op::Or => "or",
            Op::Add => "sum",
            op => op.name(),
        };
        let mut pieces = vec![Piece::Text(name), Piece::Text("(")];
        pieces.extend(list(args));
        pieces.push(Piece::Text(")"));
        pieces
    }

    fn member(&self, name: &str, arg: TermId, member: tenet_term::SortId) -> Vec<Piece> {
        let sort = self.store.sort_name(member);
        vec![
            Piece::Owned(format!("{name}(")),
            Piece::Term(arg, Level::Add),
            Piece::Owned(format!(", {sort})")),
        ]
    }
}

/// `<<f,i,v>,j,w>[at]`
fn read_pieces(read: &Read) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = read.updates.iter().map(|_| Piece::Text("<")).collect();
    pieces.push(Piece::Term(read.function, Level::Add));
    for &(place, value) in read.updates.iter().rev() {
        pieces.extend([Piece::Text(","), Piece::Term(place, Level::Add), Piece::Text(",")]);
        pieces.extend([Piece::Term(value, Level::Add), Piece::Text(">")]);
    }
    pieces.extend([Piece::Text("["), Piece::Term(read.at, Level::Add), Piece::Text("]")]);
    pieces
}

/// Operands separated by an operator.
fn infix(args: &[TermId], operator: &'static str, level: Level) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(2 * args.len());
    for (place, &arg) in args.iter().enumerate() {
        if place > 0 {
            pieces.push(Piece::Text(operator));
        }
        pieces.push(Piece::Term(arg, level));
    }
    pieces
}

fn list(args: &[TermId]) -> Vec<Piece> {
    infix(args, ", ", Level::Add)
}
