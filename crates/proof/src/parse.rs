//! From SMT-LIB text back to terms: lemmas and the terms of instances.
//!
//! Terms are built as written, every sort is checked, and only names in the table are accepted, so the result is a term
//! over the model and nothing else. The parser has no recursion.

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use rustc_hash::FxHashMap;
use tenet_term::{BitVec, BvOp, Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

use crate::names::{Entity, Names};
use crate::sexpr::{Node, Sexpr};

/// Reads a term without free variables.
pub(crate) fn parse_term(
    store: &mut TermStore,
    names: &Names,
    text: &Sexpr,
    node: Node,
) -> Result<TermId, String> {
    let mut reader = Reader {
        store,
        names,
        text,
        tasks: vec![Task::Visit(node)],
        values: Vec::new(),
        locals: FxHashMap::default(),
    };
    reader.run()
}

/// Reads the sort of a value.
pub(crate) fn parse_sort(
    store: &mut TermStore,
    names: &Names,
    text: &Sexpr,
    node: Node,
) -> Result<SortId, String> {
    let (tasks, values, locals) = (Vec::new(), Vec::new(), FxHashMap::default());
    Reader { store, names, text, tasks, values, locals }.sort(node)
}

enum Task<'t> {
    Visit(Node),
    /// Applies an operator to this number of values.
    Build(Op, usize),
    /// Binds names to this number of values.
    Let(Vec<&'t str>),
    /// Unbinds names.
    Leave(Vec<&'t str>),
}

struct Reader<'t, 's> {
    store: &'s mut TermStore,
    names: &'t Names,
    text: &'t Sexpr,
    tasks: Vec<Task<'t>>,
    values: Vec<TermId>,
    /// The bindings of local names, innermost last.
    locals: FxHashMap<&'t str, Vec<TermId>>,
}

impl<'t> Reader<'t, '_> {
    fn run(&mut self) -> Result<TermId, String> {
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(node) => self.visit(node)?,
                Task::Build(op, count) => {
                    let start = self.values.len() - count;
                    let value = self.build(op, start)?;
                    self.values.truncate(start);
                    self.values.push(value);
                }
                Task::Let(names) => {
                    let start = self.values.len() - names.len();
                    for (name, value) in names.into_iter().zip(self.values.split_off(start)) {
                        self.locals.entry(name).or_default().push(value);
                    }
                }
                Task::Leave(names) => {
                    for name in names {
                        self.locals.get_mut(name).expect("invariant: entered before").pop();
                    }
                }
            }
        }
        Ok(self.values.pop().expect("invariant: every task leaves one value"))
    }

    fn visit(&mut self, node: Node) -> Result<(), String> {
        if let Some(atom) = self.text.atom(node) {
            let value = self.atom(atom)?;
            self.values.push(value);
            return Ok(());
        }
        let parts = self.text.list(node).expect("invariant: no atom");
        let Some((&head, operands)) = parts.split_first() else { return Err("`()` is no term".to_owned()) };
        match self.text.atom(head) {
            Some("let") => self.visit_let(operands),
            Some(binder @ ("forall" | "exists" | "lambda")) => self.visit_binder(binder, operands),
            Some("_") => {
                let value = self.bitvec_literal(operands)?;
                self.values.push(value);
                Ok(())
            }
            Some("-") if operands.len() == 1 && self.numeral(operands[0]).is_some() => {
                let value = self.numeral(operands[0]).expect("invariant: just seen");
                let term = self.number(-value, self.is_decimal(operands[0]));
                self.values.push(term);
                Ok(())
            }
            Some("/") => {
                let value = self.rational(operands)?;
                self.values.push(value);
                Ok(())
            }
            Some(name) => self.visit_application(name, operands),
            None => {
                let op = self.indexed(head)?;
                self.apply(op, operands);
                Ok(())
            }
        }
    }

    fn visit_application(&mut self, name: &'t str, operands: &[Node]) -> Result<(), String> {
        if operands.is_empty() {
            return Err(format!("`{name}` is applied to nothing"));
        }
        if let Some(op) = operator(name) {
            self.apply(op, operands);
            return Ok(());
        }
        match self.names.meaning(name) {
            Some(Entity::Symbol(_)) => {
                self.tasks.push(Task::Build(Op::Apply, operands.len() + 1));
                self.tasks.extend(operands.iter().rev().map(|&operand| Task::Visit(operand)));
                let function = self.atom(name)?;
                self.values.push(function);
            }
            Some(Entity::Inject(union, member)) => self.apply(Op::In(*union, *member), operands),
            Some(Entity::Project(_, member)) => self.apply(Op::Out(*member), operands),
            Some(Entity::Division(op)) => self.apply(op.clone(), operands),
            _ => return Err(format!("`{name}` is no function here")),
        }
        Ok(())
    }

    fn apply(&mut self, op: Op, operands: &[Node]) {
        self.tasks.push(Task::Build(op, operands.len()));
        self.tasks.extend(operands.iter().rev().map(|&operand| Task::Visit(operand)));
    }

    fn visit_let(&mut self, operands: &[Node]) -> Result<(), String> {
        let bad = || "a `let` has the wrong form".to_owned();
        let &[bindings, body] = operands else { return Err(bad()) };
        let mut names = Vec::new();
        let mut values = Vec::new();
        for &binding in self.text.list(bindings).ok_or_else(bad)? {
            let Some(&[name, value]) = self.text.list(binding) else { return Err(bad()) };
            names.push(self.text.atom(name).ok_or_else(bad)?);
            values.push(value);
        }
        self.tasks.push(Task::Leave(names.clone()));
        self.tasks.push(Task::Visit(body));
        self.tasks.push(Task::Let(names));
        self.tasks.extend(values.into_iter().rev().map(Task::Visit));
        Ok(())
    }

    fn visit_binder(&mut self, binder: &str, operands: &[Node]) -> Result<(), String> {
        let bad = || format!("a `{binder}` has the wrong form");
        let &[variables, body] = operands else { return Err(bad()) };
        let mut names = Vec::new();
        let mut bound: Vec<SymbolId> = Vec::new();
        for &variable in self.text.list(variables).ok_or_else(bad)? {
            let Some(&[name, sort]) = self.text.list(variable) else { return Err(bad()) };
            let name = self.text.atom(name).ok_or_else(bad)?;
            if self.names.is_taken(name) {
                return Err(format!("`{name}` cannot be the name of a variable"));
            }
            let sort = self.sort(sort)?;
            names.push(name);
            bound.push(self.store.declare(name, sort, Role::Bound));
        }
        for (name, &symbol) in names.iter().zip(&bound) {
            let term = self.store.mk_symbol(symbol);
            self.locals.entry(name).or_default().push(term);
        }
        let op = match binder {
            "forall" => Op::Forall(bound.into()),
            "exists" => Op::Exists(bound.into()),
            _ => Op::Lambda(bound.into()),
        };
        self.tasks.push(Task::Leave(names));
        self.tasks.push(Task::Build(op, 1));
        self.tasks.push(Task::Visit(body));
        Ok(())
    }

    fn build(&mut self, op: Op, start: usize) -> Result<TermId, String> {
        let args = &self.values[start..];
        let op = match op {
            Op::Eq if self.store.is_bool(args[0]) => Op::Iff,
            op => op,
        };
        let args = args.to_vec();
        self.store.checked_raw(op, &args).map_err(|error| error.to_string())
    }

    fn atom(&mut self, atom: &str) -> Result<TermId, String> {
        if let Some(&value) = self.locals.get(atom).and_then(|values| values.last()) {
            return Ok(value);
        }
        if let Some(value) = decimal(atom) {
            return Ok(self.number(value, atom.contains('.')));
        }
        match (atom, self.names.meaning(atom)) {
            ("true", _) => Ok(TermId::TRUE),
            ("false", _) => Ok(TermId::FALSE),
            (_, Some(&Entity::Symbol(symbol))) => Ok(self.store.mk_symbol(symbol)),
            (_, Some(Entity::Literal(op))) => Ok(self.store.raw(op.clone(), &[])),
            _ => Err(format!("`{atom}` means nothing here")),
        }
    }

    fn numeral(&self, node: Node) -> Option<BigInt> {
        decimal(self.text.atom(node)?)
    }

    fn is_decimal(&self, node: Node) -> bool {
        self.text.atom(node).is_some_and(|atom| atom.contains('.'))
    }

    fn number(&mut self, value: BigInt, is_real: bool) -> TermId {
        if is_real {
            self.store.mk_rational(BigRational::from_integer(value))
        } else {
            self.store.mk_int(value)
        }
    }

    /// `(/ 1.0 3.0)`, a literal; the numerator may be negative.
    fn rational(&mut self, operands: &[Node]) -> Result<TermId, String> {
        let bad = || "a fraction is written with two integers".to_owned();
        let &[top, bottom] = operands else { return Err(bad()) };
        let top = match self.text.list(top) {
            Some(&[minus, value]) if self.text.atom(minus) == Some("-") => {
                self.numeral(value).map(|value| -value)
            }
            _ => self.numeral(top),
        };
        let (Some(top), Some(bottom)) = (top, self.numeral(bottom)) else { return Err(bad()) };
        if bottom == BigInt::ZERO {
            return Err(bad());
        }
        Ok(self.store.mk_rational(BigRational::new(top, bottom)))
    }

    /// `(_ bv5 8)`.
    fn bitvec_literal(&mut self, operands: &[Node]) -> Result<TermId, String> {
        let bad = || "a bit-vector is written `(_ bv5 8)`".to_owned();
        let &[value, width] = operands else { return Err(bad()) };
        let value = self.text.atom(value).and_then(|atom| atom.strip_prefix("bv"));
        let value: BigUint = value.and_then(|digits| digits.parse().ok()).ok_or_else(bad)?;
        let width = self.small(width).filter(|&width| width > 0).ok_or_else(bad)?;
        Ok(self.store.mk_bitvec_value(BitVec::new(width, value)))
    }

    fn small(&self, node: Node) -> Option<u32> {
        self.text.atom(node)?.parse().ok().filter(|&number| number <= 1 << 20)
    }

    /// `(_ extract 7 0)`, `(_ is NODE)` and the like.
    fn indexed(&self, head: Node) -> Result<Op, String> {
        let bad = || "a list stands where an operator is needed".to_owned();
        let Some([underscore, name, indices @ ..]) = self.text.list(head) else { return Err(bad()) };
        if self.text.atom(*underscore) != Some("_") {
            return Err(bad());
        }
        let number =
            |position: usize| indices.get(position).and_then(|&index| self.small(index)).ok_or_else(bad);
        match (self.text.atom(*name), indices.len()) {
            (Some("is"), 1) => {
                let constructor = self.text.atom(indices[0]).and_then(|name| self.names.meaning(name));
                match constructor {
                    Some(Entity::Inject(_, member)) => Ok(Op::Is(*member)),
                    _ => Err(bad()),
                }
            }
            (Some("extract"), 2) => Ok(Op::Bv(BvOp::Extract { hi: number(0)?, lo: number(1)? })),
            (Some("zero_extend"), 1) => Ok(Op::Bv(BvOp::ZeroExtend(number(0)?))),
            (Some("sign_extend"), 1) => Ok(Op::Bv(BvOp::SignExtend(number(0)?))),
            (Some("int2bv"), 1) => Ok(Op::Bv(BvOp::FromInt(number(0)?))),
            _ => Err(bad()),
        }
    }

    fn sort(&mut self, node: Node) -> Result<SortId, String> {
        let bad = || "a sort has the wrong form".to_owned();
        if let Some(atom) = self.text.atom(node) {
            return match (atom, self.names.meaning(atom)) {
                ("Bool", _) => Ok(SortId::BOOL),
                ("Int", _) => Ok(SortId::INT),
                ("Real", _) => Ok(SortId::REAL),
                (_, Some(&Entity::Sort(sort))) => Ok(sort),
                _ => Err(format!("the model has no sort `{atom}`")),
            };
        }
        let Some(&[head, first, second]) = self.text.list(node) else { return Err(bad()) };
        match (self.text.atom(head), self.text.atom(first), self.text.atom(second)) {
            (Some("_"), Some("BitVec"), Some(_)) => {
                let width = self.small(second).filter(|&width| width > 0).ok_or_else(bad)?;
                Ok(self.store.bitvec_sort(width))
            }
            (Some("range"), Some(lo), Some(hi)) => {
                let end = |text: &str| match text {
                    "*" => Ok(None),
                    _ => text.parse::<BigInt>().map(Some).map_err(|_| bad()),
                };
                let (low, high) = (end(lo)?, end(hi)?);
                let sort = Sort::Range { name: format!("{lo}..{hi}"), lo: low, hi: high };
                self.store.declare_sort(sort).map_err(|error| error.to_string())
            }
            _ => Err(bad()),
        }
    }
}

/// A numeral, or a decimal that ends in `.0`.
fn decimal(atom: &str) -> Option<BigInt> {
    let digits = atom.strip_suffix(".0").unwrap_or(atom);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

/// The operators with a fixed name.
fn operator(name: &str) -> Option<Op> {
    Some(match name {
        "not" => Op::Not,
        "and" => Op::And,
        "or" => Op::Or,
        "=>" => Op::Implies,
        "=" => Op::Eq,
        "ite" => Op::Ite,
        "distinct" => Op::Distinct,
        "<" => Op::Lt,
        "<=" => Op::Le,
        "+" => Op::Add,
        "-" => Op::Neg,
        "*" => Op::Mul,
        "to_real" => Op::ToReal,
        "to_int" => Op::ToInt,
        "bv2nat" => Op::Bv(BvOp::ToInt),
        name => Op::Bv(*BIT_OPERATORS.iter().find(|op| op.name() == name)?),
    })
}

const BIT_OPERATORS: &[BvOp] = &[
    BvOp::Not,
    BvOp::Neg,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Add,
    BvOp::Sub,
    BvOp::Mul,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::Smod,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
    BvOp::Ult,
    BvOp::Ule,
    BvOp::Slt,
    BvOp::Sle,
    BvOp::Concat,
];
