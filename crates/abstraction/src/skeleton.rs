//! The Boolean structure of formulas over atoms, compiled once and evaluated often.
//!
//! A query of an image has some thousand connectives, and each solution found by the solver evaluates all of them: once
//! to truth values, once to sets over whatever may vary. Walking terms through hash maps each time would cost more than
//! the solver does.

use rustc_hash::FxHashMap;
use tenet_term::{Op, TermId, TermStore};

use crate::set::{Set, Space};

/// Quantifier-free formulas over atoms.
#[derive(Clone, Debug, Default)]
pub struct Skeleton {
    nodes: Vec<Node>,
    known: FxHashMap<TermId, usize>,
    atoms: Vec<TermId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(usize);

#[derive(Clone, Debug)]
enum Node {
    Const(bool),
    /// Position among the atoms.
    Atom(usize),
    Not(usize),
    And(Box<[usize]>),
    Or(Box<[usize]>),
    Implies(usize, usize),
    Iff(usize, usize),
    Ite(usize, usize, usize),
}

/// Nodes of a set beyond which a context is given up: the solver is faster then.
pub const MAX_NODES: usize = 1 << 13;

/// A truth value that may depend on something.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Truth {
    Const(bool),
    /// True in this set, which is neither empty nor full.
    In(Set),
}

impl Skeleton {
    /// The atoms, in order of first occurrence.
    pub fn atoms(&self) -> &[TermId] {
        &self.atoms
    }

    pub fn add(&mut self, store: &TermStore, formula: TermId) -> Formula {
        let mut stack = vec![formula];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if is_connective(store, term) {
                stack.extend(store.args(term).iter().filter(|arg| !self.known.contains_key(arg)));
            }
            if stack.len() == before {
                let node = self.node(store, term);
                self.known.insert(term, self.nodes.len());
                self.nodes.push(node);
                stack.pop();
            }
        }
        Formula(self.known[&formula])
    }

    fn node(&mut self, store: &TermStore, term: TermId) -> Node {
        if term.is_bool_literal() {
            return Node::Const(term == TermId::TRUE);
        }
        if !is_connective(store, term) {
            self.atoms.push(term);
            return Node::Atom(self.atoms.len() - 1);
        }
        let args: Vec<usize> = store.args(term).iter().map(|arg| self.known[arg]).collect();
        match (store.op(term), &args[..]) {
            (Op::Not, &[a]) => Node::Not(a),
            (Op::And, _) => Node::And(args.into()),
            (Op::Or, _) => Node::Or(args.into()),
            (Op::Implies, &[a, b]) => Node::Implies(a, b),
            (Op::Iff, &[a, b]) => Node::Iff(a, b),
            (Op::Ite, &[c, a, b]) => Node::Ite(c, a, b),
            _ => unreachable!("invariant: connectives have their number of operands"),
        }
    }

    /// The truth of every formula, given that of each atom.
    pub fn evaluate(&self, atoms: &[bool]) -> Vec<bool> {
        let mut values: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match node {
                Node::Const(value) => *value,
                Node::Atom(atom) => atoms[*atom],
                Node::Not(a) => !values[*a],
                Node::And(args) => args.iter().all(|&arg| values[arg]),
                Node::Or(args) => args.iter().any(|&arg| values[arg]),
                Node::Implies(a, b) => !values[*a] || values[*b],
                Node::Iff(a, b) => values[*a] == values[*b],
                Node::Ite(c, a, b) => values[if values[*c] { *a } else { *b }],
            };
            values.push(value);
        }
        values
    }

    /// The same where the truth of atoms may depend on something; `None` if that gets too large.
    pub fn evaluate_sets(&self, space: &Space, atoms: &[Truth]) -> Option<Vec<Truth>> {
        let mut values: Vec<Truth> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match node {
                Node::Const(value) => Truth::Const(*value),
                Node::Atom(atom) => atoms[*atom].clone(),
                Node::Not(a) => values[*a].not(),
                Node::And(args) => Truth::all(space, args.iter().map(|&arg| &values[arg]))?,
                Node::Or(args) => Truth::any(space, args.iter().map(|&arg| &values[arg]))?,
                Node::Implies(a, b) => Truth::any(space, [&values[*a].not(), &values[*b]])?,
                Node::Iff(a, b) => Truth::iff(&values[*a], &values[*b]),
                Node::Ite(c, a, b) => Truth::ite(space, &values[*c], &values[*a], &values[*b]),
            };
            values.push(value);
        }
        Some(values)
    }
}

impl Formula {
    pub fn of<T>(self, values: &[T]) -> &T {
        &values[self.0]
    }
}

fn is_connective(store: &TermStore, term: TermId) -> bool {
    store.op(term).is_connective() || (*store.op(term) == Op::Ite && store.is_bool(term))
}

/// The set, unless it is too large.
pub fn small(set: Set) -> Option<Set> {
    (set.nodes() <= MAX_NODES).then_some(set)
}

impl Truth {
    pub fn from_set(set: Set) -> Truth {
        if set.is_empty() {
            Truth::Const(false)
        } else if set.is_full() {
            Truth::Const(true)
        } else {
            Truth::In(set)
        }
    }

    pub fn to_set(&self, space: &Space) -> Set {
        match self {
            Truth::Const(true) => space.full(),
            Truth::Const(false) => space.empty(),
            Truth::In(set) => set.clone(),
        }
    }

    fn not(&self) -> Truth {
        match self {
            Truth::Const(value) => Truth::Const(!value),
            Truth::In(set) => Truth::In(set.complement()),
        }
    }

    /// Whether all are true; `None` if that gets too large.
    pub fn all<'a>(space: &Space, parts: impl IntoIterator<Item = &'a Truth>) -> Option<Truth> {
        let mut result = space.full();
        for part in parts {
            match part {
                Truth::Const(true) => {}
                Truth::Const(false) => return Some(Truth::Const(false)),
                Truth::In(set) => result = small(result.intersect(set))?,
            }
        }
        Some(Truth::from_set(result))
    }

    fn any<'a>(space: &Space, parts: impl IntoIterator<Item = &'a Truth>) -> Option<Truth> {
        let mut result = space.empty();
        for part in parts {
            match part {
                Truth::Const(false) => {}
                Truth::Const(true) => return Some(Truth::Const(true)),
                Truth::In(set) => result = small(result.union(set))?,
            }
        }
        Some(Truth::from_set(result))
    }

    fn iff(a: &Truth, b: &Truth) -> Truth {
        match (a, b) {
            (Truth::Const(true), other) | (other, Truth::Const(true)) => other.clone(),
            (Truth::Const(false), other) | (other, Truth::Const(false)) => other.not(),
            (Truth::In(a), Truth::In(b)) => Truth::from_set(a.ite(b, &b.complement())),
        }
    }

    fn ite(space: &Space, condition: &Truth, then: &Truth, otherwise: &Truth) -> Truth {
        match condition {
            Truth::Const(value) => if *value { then } else { otherwise }.clone(),
            Truth::In(set) => Truth::from_set(set.ite(&then.to_set(space), &otherwise.to_set(space))),
        }
    }
}
