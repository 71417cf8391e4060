//! Truth by brute force: what small derivations with small values derive, and whether an entailment holds within that window.
//!
//! An independent evaluator, so that a mistake in terms or solvers is not made twice. Arrays are uniform except at a few places.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tenet_proof::recursive::proved;
use tenet_system::recursive::{Atom, Clause, Entailment, Goal, Process, Program, Proof};
use tenet_term::{Op, SortId, SymbolId, TermId, TermStore};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(i64),
    /// The value elsewhere, and the places that are different.
    Array(i64, BTreeMap<i64, i64>),
}

type Values = BTreeMap<SymbolId, Value>;

/// A predicate and its arguments, and how high its derivation may be.
type Question = (usize, Vec<Value>, usize);

/// The places at which arrays are looked at, and one for all others.
const PLACES: std::ops::RangeInclusive<i64> = -12..=20;
const ELSEWHERE: i64 = 1_000_000;

/// Which values variables are tried with.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// In rules, from and to.
    pub rules: (i64, i64),
    /// In statements, from and to.
    pub statements: (i64, i64),
    /// Arrays have one of these many values, from zero, at the places 1 to that many.
    pub arrays: (i64, u32),
    /// The greatest height of derivations.
    pub height: usize,
}

impl Value {
    fn int(&self) -> i64 {
        match self {
            Value::Int(value) => *value,
            other => panic!("{other:?} is no number"),
        }
    }

    fn bool(&self) -> bool {
        match self {
            Value::Bool(value) => *value,
            other => panic!("{other:?} is no truth value"),
        }
    }
}

/// The value of a term. Terms of tests are small.
pub fn evaluate(store: &TermStore, term: TermId, values: &Values) -> Value {
    let args = store.args(term);
    let of = |place: usize| evaluate(store, args[place], values);
    match store.op(term) {
        Op::Bool(value) => Value::Bool(*value),
        Op::Int(value) => Value::Int(value.try_into().expect("a small number")),
        Op::Symbol(symbol) => values[symbol].clone(),
        Op::Not => Value::Bool(!of(0).bool()),
        Op::And => Value::Bool((0..args.len()).all(|place| of(place).bool())),
        Op::Or => Value::Bool((0..args.len()).any(|place| of(place).bool())),
        Op::Implies => Value::Bool(!of(0).bool() || of(1).bool()),
        Op::Iff | Op::Eq => Value::Bool(of(0) == of(1)),
        Op::Distinct => Value::Bool(of(0) != of(1)),
        Op::Ite => {
            if of(0).bool() {
                of(1)
            } else {
                of(2)
            }
        }
        Op::Lt => Value::Bool(of(0).int() < of(1).int()),
        Op::Le => Value::Bool(of(0).int() <= of(1).int()),
        Op::Add => Value::Int((0..args.len()).map(|place| of(place).int()).sum()),
        Op::Neg => Value::Int(-of(0).int()),
        Op::Mul => Value::Int(of(0).int() * of(1).int()),
        Op::Apply => match (of(0), of(1).int()) {
            (Value::Array(elsewhere, entries), place) => {
                Value::Int(entries.get(&place).copied().unwrap_or(elsewhere))
            }
            (other, _) => panic!("{other:?} is no array"),
        },
        Op::Lambda(bound) => {
            let mut values = values.clone();
            let mut at = |place: i64| {
                values.insert(bound[0], Value::Int(place));
                evaluate(store, args[0], &values).int()
            };
            let elsewhere = at(ELSEWHERE);
            let entries = PLACES.map(|place| (place, at(place))).filter(|&(_, value)| value != elsewhere);
            Value::Array(elsewhere, entries.collect())
        }
        op => panic!("{op:?} does not occur in tests"),
    }
}

/// The truth about a program, within a window.
pub struct Truth<'a> {
    program: &'a Program,
    window: Window,
    known: RefCell<BTreeMap<Question, bool>>,
}

impl<'a> Truth<'a> {
    pub fn of(program: &'a Program, window: Window) -> Truth<'a> {
        Truth { program, window, known: RefCell::default() }
    }

    fn all(&self, terms: &[TermId], values: &Values) -> Vec<Value> {
        terms.iter().map(|&term| evaluate(&self.program.store, term, values)).collect()
    }

    fn holds(&self, goal: &Goal, values: &Values) -> bool {
        self.holds_within(&goal.atoms, goal.constraint, values, self.window.height)
    }

    fn holds_within(&self, atoms: &[Atom], constraint: TermId, values: &Values, height: usize) -> bool {
        let is_derived = |atom: &Atom| self.is_derived(atom.predicate, self.all(&atom.args, values), height);
        evaluate(&self.program.store, constraint, values).bool() && atoms.iter().all(is_derived)
    }

    /// Is there a derivation of at most this height?
    fn is_derived(&self, predicate: usize, args: Vec<Value>, height: usize) -> bool {
        let Some(below) = height.checked_sub(1) else { return false };
        let question = (predicate, args, height);
        if let Some(&known) = self.known.borrow().get(&question) {
            return known;
        }
        let rules = &self.program.predicates[predicate].rules;
        let found = rules.iter().any(|rule| self.derives(rule, &question.1, below));
        self.known.borrow_mut().insert(question, found);
        found
    }

    fn derives(&self, rule: &Clause, args: &[Value], below: usize) -> bool {
        let mut values = Values::new();
        for (&head, arg) in rule.head.iter().zip(args) {
            if let Some(symbol) = self.program.store.as_symbol(head) {
                values.entry(symbol).or_insert_with(|| arg.clone());
            }
        }
        let open: Vec<SymbolId> =
            rule.variables.iter().copied().filter(|symbol| !values.contains_key(symbol)).collect();
        let arrays: Vec<Value> = args.iter().filter(|arg| matches!(arg, Value::Array(..))).cloned().collect();
        !self.each(&open, self.window.rules, &arrays, &mut values, &mut |values| {
            let applies = self.all(&rule.head, values) == args;
            !(applies && self.holds_within(&rule.atoms, rule.constraint, values, below))
        })
    }

    /// Tries all values of variables, these arrays among them, until a callback stops it; returns whether none did.
    fn each(
        &self,
        variables: &[SymbolId],
        range: (i64, i64),
        arrays: &[Value],
        values: &mut Values,
        visit: &mut dyn FnMut(&Values) -> bool,
    ) -> bool {
        let Some((&first, rest)) = variables.split_first() else { return visit(values) };
        let sort = self.program.store.symbol(first).sort;
        for value in self.candidates(sort, range, arrays) {
            values.insert(first, value);
            if !self.each(rest, range, arrays, values, visit) {
                return false;
            }
        }
        true
    }

    fn candidates(&self, sort: SortId, (from, to): (i64, i64), arrays: &[Value]) -> Vec<Value> {
        match sort {
            SortId::BOOL => vec![Value::Bool(false), Value::Bool(true)],
            SortId::INT => (from..=to).map(Value::Int).collect(),
            _ => {
                let (values, places) = self.window.arrays;
                let table = |number: i64| {
                    let digits =
                        (1..=places).map(|place| (i64::from(place), number / values.pow(place - 1) % values));
                    Value::Array(0, digits.filter(|&(_, value)| value != 0).collect())
                };
                (0..values.pow(places)).map(table).chain(arrays.iter().cloned()).collect()
            }
        }
    }

    /// Does every instance of the left, with small values, satisfy the right?
    pub fn entails(&self, entailment: &Entailment) -> bool {
        let range = self.window.statements;
        self.each(&entailment.variables, range, &[], &mut Values::new(), &mut |values| {
            !self.holds(&entailment.left, values)
                || self.exists(&entailment.existentials, &entailment.right, values)
        })
    }

    fn exists(&self, variables: &[SymbolId], goal: &Goal, values: &Values) -> bool {
        let arrays: Vec<Value> =
            values.values().filter(|value| matches!(value, Value::Array(..))).cloned().collect();
        let (from, to) = self.window.statements;
        let range = (from - 4, to + 4);
        !self.each(variables, range, &arrays, &mut values.clone(), &mut |values| !self.holds(goal, values))
    }

    /// The states that are reached with small values.
    fn reached(&self, process: &Process) -> BTreeSet<Vec<Value>> {
        let mut reached = BTreeSet::new();
        let range = self.window.statements;
        self.each(&process.start.variables, range, &[], &mut Values::new(), &mut |values| {
            if self.holds(&process.start.goal, values) {
                reached.insert(self.all(&process.start.args, values));
            }
            true
        });
        let mut new: Vec<Vec<Value>> = reached.iter().cloned().collect();
        while let Some(state) = new.pop() {
            for next in self.successors(process, &state) {
                if reached.insert(next.clone()) {
                    assert!(reached.len() < 100_000, "there are too many states");
                    new.push(next);
                }
            }
        }
        reached
    }

    fn successors(&self, process: &Process, state: &[Value]) -> Vec<Vec<Value>> {
        let mut found = Vec::new();
        for transition in &process.transitions {
            let arrays: Vec<Value> =
                state.iter().filter(|value| matches!(value, Value::Array(..))).cloned().collect();
            self.each(&transition.variables, self.window.rules, &arrays, &mut Values::new(), &mut |values| {
                if self.all(&transition.from, values) == state && self.holds(&transition.goal, values) {
                    found.push(self.all(&transition.to, values));
                }
                true
            });
        }
        found
    }

    fn is_safe(&self, process: &Process, property: usize, reached: &BTreeSet<Vec<Value>>) -> bool {
        let property = &process.properties[property];
        self.each(&property.state.variables, self.window.statements, &[], &mut Values::new(), &mut |values| {
            let is_meant = reached.contains(&self.all(&property.state.args, values));
            !is_meant
                || !self.holds(&property.state.goal, values)
                || self.exists(&property.existentials, &property.right, values)
        })
    }

    /// Does no run return to an earlier state?
    fn ends(&self, process: &Process, reached: &BTreeSet<Vec<Value>>) -> bool {
        let steps: Vec<(&Vec<Value>, Vec<Vec<Value>>)> =
            reached.iter().map(|state| (state, self.successors(process, state))).collect();
        let mut ended: BTreeSet<&Vec<Value>> = BTreeSet::new();
        loop {
            let before = ended.len();
            let done = steps.iter().filter(|(_, next)| next.iter().all(|next| ended.contains(next)));
            let done: Vec<&Vec<Value>> = done.map(|&(state, _)| state).collect();
            ended.extend(done);
            if ended.len() == before {
                return ended.len() == reached.len();
            }
        }
    }

    /// A false claim of a proof, if there is one.
    pub fn refutes(&self, proof: &Proof) -> Option<String> {
        let claims = proved(self.program, proof);
        for (number, lemma) in proof.lemmas.iter().enumerate() {
            if !self.entails(&lemma.entailment) {
                return Some(format!("lemma {}", number + 1));
            }
        }
        for (number, obligation) in self.program.obligations.iter().enumerate() {
            if claims.obligations[number] && !self.entails(obligation) {
                return Some(format!("obligation {}", number + 1));
            }
        }
        let process = self.program.process.as_ref().filter(|_| proof.tree.is_some())?;
        let reached = self.reached(process);
        let wrong = (0..claims.properties.len())
            .find(|&property| claims.properties[property] && !self.is_safe(process, property, &reached));
        if let Some(property) = wrong {
            return Some(format!("property {}", property + 1));
        }
        (claims.terminates && !self.ends(process, &reached)).then(|| "termination".to_owned())
    }
}
