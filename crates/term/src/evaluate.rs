//! The value of a term in a finite model.
//!
//! A machine with its own stack: terms may be deep. Quantifiers and lambdas go through their domain, one *scope* for
//! each binder that is open. A subterm's value is remembered in the innermost scope that binds one of its free symbols
//! and forgotten when that scope moves on, so nothing is computed twice for the same values of what it depends on.
//!
//! This is the reference meaning of terms, written to be obviously right. Exploring state spaces needs the compiled
//! evaluator of the layer above.

use num_rational::BigRational;
use rustc_hash::FxHashMap;

use crate::bitvec::{self, BitVec, BvResult};
use crate::id::{SortId, SymbolId, TermId};
use crate::model::{EvalError, Model, Places};
use crate::semantics::{divide_int, divide_real};
use crate::sparse;
use crate::store::TermStore;
use crate::term::{BvOp, Op};
use crate::value::{FunctionTable, Value};

impl Model {
    pub fn evaluate(&self, store: &TermStore, term: TermId) -> Result<Value, EvalError> {
        let mut machine = Machine { store, model: self, tasks: Vec::new(), scopes: vec![Scope::outermost()] };
        machine.run(term)
    }

    pub fn holds(&self, store: &TermStore, term: TermId) -> Result<bool, EvalError> {
        let value = self.evaluate(store, term)?;
        Ok(value.as_bool().expect("invariant: a formula has a truth value"))
    }
}

struct Machine<'a> {
    store: &'a TermStore,
    model: &'a Model,
    tasks: Vec<Task>,
    scopes: Vec<Scope>,
}

enum Task {
    /// Find the value of a term.
    Visit(TermId),
    /// The operands have values; compute the term's.
    Finish(TermId),
    /// The terms that tell places of a lambda apart have values; go through these places.
    Sparse(TermId),
    /// The body of the innermost scope has a value; move on.
    Step,
}

/// An open binder.
struct Scope {
    bound: Vec<(SymbolId, Value)>,
    memo: FxHashMap<TermId, Value>,
    walk: Walk,
}

/// How a scope goes on when its body has a value.
enum Walk {
    Outermost,
    /// One pass: the value of the body is the value of the application.
    Application(TermId),
    /// Through the domain of a quantifier.
    Quantifier(TermId, Places),
    /// Through the domain of a lambda, collecting its table.
    Lambda(TermId, Places, Option<FunctionTable>),
    /// Through the places of a lambda that are told apart; those that are left, and the table so far.
    Sparse(TermId, Vec<Value>, Option<FunctionTable>),
}

impl Scope {
    fn outermost() -> Scope {
        Scope { bound: Vec::new(), memo: FxHashMap::default(), walk: Walk::Outermost }
    }
}

impl<'a> Machine<'a> {
    fn run(&mut self, term: TermId) -> Result<Value, EvalError> {
        self.tasks.push(Task::Visit(term));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(term) => self.visit(term)?,
                Task::Finish(term) => self.finish(term)?,
                Task::Sparse(term) => self.open_sparse(term)?,
                Task::Step => self.step()?,
            }
        }
        Ok(self.value(term).clone())
    }

    fn visit(&mut self, term: TermId) -> Result<(), EvalError> {
        if let Op::Symbol(symbol) = self.store.op(term) {
            return self.require(*symbol);
        }
        if self.scopes[self.home(term)].memo.contains_key(&term) {
            return Ok(());
        }
        if self.store.op(term).is_binder() {
            return self.open_binder(term);
        }
        self.tasks.push(Task::Finish(term));
        let skip = usize::from(self.applied_lambda(term).is_some());
        self.tasks.extend(self.store.args(term).iter().skip(skip).rev().map(|&arg| Task::Visit(arg)));
        Ok(())
    }

    fn require(&self, symbol: SymbolId) -> Result<(), EvalError> {
        match self.bound_value(symbol).or_else(|| self.model.get(symbol)) {
            Some(_) => Ok(()),
            None => Err(EvalError::NoValue { symbol: self.store.symbol(symbol).name.clone() }),
        }
    }

    fn applied_lambda(&self, term: TermId) -> Option<TermId> {
        let (Op::Apply, [function, ..]) = (self.store.op(term), self.store.args(term)) else { return None };
        matches!(self.store.op(*function), Op::Lambda(_)).then_some(*function)
    }

    /// The scope whose change could change the value of a term: the innermost that binds a symbol free in it.
    fn home(&self, term: TermId) -> usize {
        let free = self.store.free_bound(term);
        if free.is_empty() {
            return 0;
        }
        let binds = |scope: &Scope| scope.bound.iter().any(|(symbol, _)| free.contains(symbol));
        self.scopes.iter().rposition(binds).unwrap_or(0)
    }

    fn bound_value(&self, symbol: SymbolId) -> Option<&Value> {
        let mut bound = self.scopes.iter().rev().flat_map(|scope| &scope.bound);
        bound.find(|(candidate, _)| *candidate == symbol).map(|(_, value)| value)
    }

    fn value(&self, term: TermId) -> &Value {
        let found = match self.store.op(term) {
            Op::Symbol(symbol) => self.bound_value(*symbol).or_else(|| self.model.get(*symbol)),
            _ => self.scopes[self.home(term)].memo.get(&term),
        };
        found.expect("invariant: operands are visited before their users")
    }

    fn remember(&mut self, term: TermId, value: Value) {
        let home = self.home(term);
        self.scopes[home].memo.insert(term, value);
    }

    fn open_binder(&mut self, term: TermId) -> Result<(), EvalError> {
        if let Some(anchors) = sparse::anchors(self.store, term) {
            self.tasks.push(Task::Sparse(term));
            self.tasks.extend(anchors.into_iter().map(Task::Visit));
            return Ok(());
        }
        let op = self.store.op(term);
        let sorts: Vec<SortId> = op.bound().iter().map(|&symbol| self.store.symbol(symbol).sort).collect();
        let places = Places::new(self.model, self.store, &sorts)?;
        let first = places.current(self.model, self.store)?;
        let walk = match op {
            Op::Lambda(_) => Walk::Lambda(term, places, None),
            _ => Walk::Quantifier(term, places),
        };
        self.open(term, first, walk);
        Ok(())
    }

    fn open_sparse(&mut self, term: TermId) -> Result<(), EvalError> {
        let anchors = sparse::anchors(self.store, term).expect("invariant: the lambda is a sparse one");
        let values = anchors.iter().map(|&anchor| self.value(anchor));
        let place = self.store.op(term).bound()[0];
        let mut places = sparse::places(self.model, self.store, place, values)?;
        places.reverse();
        let first = places.last().cloned().expect("invariant: every sort is inhabited");
        self.open(term, vec![first], Walk::Sparse(term, places, None));
        Ok(())
    }

    fn open(&mut self, binder: TermId, values: Vec<Value>, walk: Walk) {
        let bound = self.store.op(binder).bound().iter().copied().zip(values).collect();
        self.scopes.push(Scope { bound, memo: FxHashMap::default(), walk });
        self.tasks.push(Task::Step);
        self.tasks.push(Task::Visit(self.store.args(binder)[0]));
    }

    fn finish(&mut self, term: TermId) -> Result<(), EvalError> {
        if let Some(lambda) = self.applied_lambda(term) {
            let values = self.store.args(term)[1..].iter().map(|&arg| self.value(arg).clone()).collect();
            self.open(lambda, values, Walk::Application(term));
            return Ok(());
        }
        let args: Vec<&Value> = self.store.args(term).iter().map(|&arg| self.value(arg)).collect();
        let value = self.operate(term, &args)?;
        self.remember(term, value);
        Ok(())
    }

    fn step(&mut self) -> Result<(), EvalError> {
        let scope = self.scopes.last_mut().expect("invariant: a step belongs to an open scope");
        let walk = std::mem::replace(&mut scope.walk, Walk::Outermost);
        match walk {
            Walk::Outermost => unreachable!("the outermost scope never steps"),
            Walk::Application(term) => {
                let function = self.store.args(term)[0];
                let value = self.value(self.store.args(function)[0]).clone();
                self.close(term, value);
            }
            Walk::Quantifier(term, mut places) => {
                let holds = *self.value(self.store.args(term)[0]) == Value::Bool(true);
                let decided = holds != matches!(self.store.op(term), Op::Forall(_));
                if decided || !places.advance() {
                    self.close(term, Value::Bool(holds));
                } else {
                    let values = places.current(self.model, self.store)?;
                    self.again(term, values, Walk::Quantifier(term, places));
                }
            }
            Walk::Lambda(term, places, table) => self.step_lambda(term, places, table)?,
            Walk::Sparse(term, places, table) => self.step_sparse(term, places, table),
        }
        Ok(())
    }

    fn step_lambda(
        &mut self,
        term: TermId,
        mut places: Places,
        table: Option<FunctionTable>,
    ) -> Result<(), EvalError> {
        let value = self.value(self.store.args(term)[0]).clone();
        let mut table = table.unwrap_or_else(|| FunctionTable::new(value.clone()));
        table.set(places.current(self.model, self.store)?, value);
        if !places.advance() {
            self.close(term, table.into());
            return Ok(());
        }
        let values = places.current(self.model, self.store)?;
        self.again(term, values, Walk::Lambda(term, places, Some(table)));
        Ok(())
    }

    /// The first place stands for all that are not told apart, so its value is the default.
    fn step_sparse(&mut self, term: TermId, mut places: Vec<Value>, table: Option<FunctionTable>) {
        let value = self.value(self.store.args(term)[0]).clone();
        let mut table = table.unwrap_or_else(|| FunctionTable::new(value.clone()));
        table.set(places.pop().into_iter().collect(), value);
        match places.last().cloned() {
            None => self.close(term, table.into()),
            Some(next) => self.again(term, vec![next], Walk::Sparse(term, places, Some(table))),
        }
    }

    fn again(&mut self, binder: TermId, values: Vec<Value>, walk: Walk) {
        // Reusing the scope would save little: its memo is what it is for.
        self.scopes.pop();
        self.open(binder, values, walk);
    }

    fn close(&mut self, term: TermId, value: Value) {
        self.scopes.pop();
        self.remember(term, value);
    }

    fn operate(&self, term: TermId, args: &[&Value]) -> Result<Value, EvalError> {
        Ok(match self.store.op(term) {
            Op::Apply => apply_table(args),
            Op::Eq => Value::Bool(self.equal(term, 0, 1, args)?),
            Op::Distinct => {
                for second in 1..args.len() {
                    for first in 0..second {
                        if self.equal(term, first, second, args)? {
                            return Ok(Value::Bool(false));
                        }
                    }
                }
                Value::Bool(true)
            }
            Op::Out(member) => match args[0] {
                Value::Union(actual, position) if actual == member => self.member_value(*member, *position),
                _ => self.member_value(*member, 0),
            },
            _ => match self.store.value_of(term) {
                Some(literal) => literal,
                None => operate(self.store.op(term), args),
            },
        })
    }

    fn equal(&self, term: TermId, first: usize, second: usize, args: &[&Value]) -> Result<bool, EvalError> {
        let sort = self.store.sort_of(self.store.args(term)[first]);
        self.model.equal(self.store, sort, args[first], args[second])
    }

    fn member_value(&self, member: SortId, position: u32) -> Value {
        match self.store.sort(member) {
            crate::Sort::Enum { .. } => Value::Enum(position),
            _ => Value::Index(position),
        }
    }
}

fn apply_table(args: &[&Value]) -> Value {
    let Value::Function(table) = args[0] else { unreachable!("{ILL_SORTED}") };
    let place: Vec<Value> = args[1..].iter().map(|&arg| arg.clone()).collect();
    table.get(&place).clone()
}

const ILL_SORTED: &str = "terms are well-sorted, and so are the values of a model";

/// The operators whose meaning depends on nothing but their operands.
fn operate(op: &Op, args: &[&Value]) -> Value {
    let truth = |index: usize| args[index].as_bool().expect(ILL_SORTED);
    match op {
        Op::Not => Value::Bool(!truth(0)),
        Op::And => Value::Bool((0..args.len()).all(truth)),
        Op::Or => Value::Bool((0..args.len()).any(truth)),
        Op::Implies => Value::Bool(!truth(0) || truth(1)),
        Op::Iff => Value::Bool(truth(0) == truth(1)),
        Op::Ite => args[if truth(0) { 1 } else { 2 }].clone(),
        Op::Lt => Value::Bool(args[0] < args[1]),
        Op::Le => Value::Bool(args[0] <= args[1]),
        Op::Bv(bv) => operate_bitvec(*bv, args),
        Op::In(_, member) => match args[0] {
            Value::Enum(position) | Value::Index(position) => Value::Union(*member, *position),
            _ => unreachable!("{ILL_SORTED}"),
        },
        Op::Is(member) => Value::Bool(matches!(args[0], Value::Union(actual, _) if actual == member)),
        Op::ToReal => match args[0] {
            Value::Int(value) => Value::Real(BigRational::from_integer(value.clone())),
            _ => unreachable!("{ILL_SORTED}"),
        },
        Op::ToInt => match args[0] {
            Value::Real(value) => Value::Int(value.floor().to_integer()),
            _ => unreachable!("{ILL_SORTED}"),
        },
        _ => args.iter().skip(1).fold(first_number(op, args[0]), |sum, arg| combine(op, &sum, arg)),
    }
}

fn first_number(op: &Op, value: &Value) -> Value {
    match (op, value) {
        (Op::Neg, Value::Int(value)) => Value::Int(-value),
        (Op::Neg, Value::Real(value)) => Value::Real(-value),
        _ => value.clone(),
    }
}

fn combine(op: &Op, a: &Value, b: &Value) -> Value {
    match (op, a, b) {
        (Op::Add, Value::Int(a), Value::Int(b)) => Value::Int(a + b),
        (Op::Add, Value::Real(a), Value::Real(b)) => Value::Real(a + b),
        (Op::Mul, Value::Int(a), Value::Int(b)) => Value::Int(a * b),
        (Op::Mul, Value::Real(a), Value::Real(b)) => Value::Real(a * b),
        (Op::DivReal, Value::Real(a), Value::Real(b)) => Value::Real(divide_real(a, b)),
        (_, Value::Int(a), Value::Int(b)) => Value::Int(divide_int(op, a, b)),
        _ => unreachable!("{ILL_SORTED}"),
    }
}

fn operate_bitvec(op: BvOp, args: &[&Value]) -> Value {
    if let (BvOp::FromInt(width), Value::Int(value)) = (op, args[0]) {
        return Value::BitVec(BitVec::from_signed(width, value));
    }
    let bits: Vec<&BitVec> = args
        .iter()
        .map(|&arg| match arg {
            Value::BitVec(bits) => bits,
            _ => unreachable!("{ILL_SORTED}"),
        })
        .collect();
    match bitvec::apply(op, &bits) {
        BvResult::Bits(value) => Value::BitVec(value),
        BvResult::Bool(value) => Value::Bool(value),
        BvResult::Int(value) => Value::Int(value),
    }
}
