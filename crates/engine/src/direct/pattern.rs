//! Lemmas compiled so that their violations in a model are found fast: each literal of the negation is evaluated as
//! soon as its variables have values.

use std::rc::Rc;

use smallvec::SmallVec;
use tenet_term::{Op, SymbolId, TermId, TermStore};

use super::code::{operand_sort, operate};
use super::structure::{Env, Structure};
use tenet_term::SortId;

/// A term that is evaluated again and again.
#[derive(Debug)]
pub enum Node {
    Value(i64),
    /// A variable, by position.
    Var(usize),
    Cell(SymbolId, Vec<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    Eq(Box<[Node; 2]>),
    Not(Box<Node>),
    /// Any other operator; the sort is that of its first operand.
    Operator(Op, SortId, Vec<Node>),
    /// A term that is evaluated as it is: quantifiers, applied lambdas, and what may need the solver.
    Term(TermId),
}

/// Literals that hold together where a universal formula is violated.
#[derive(Clone, Debug)]
pub struct Pattern {
    pub vars: Rc<[SymbolId]>,
    /// For each number of variables with values, what can be looked at then.
    stages: Rc<Vec<Vec<Node>>>,
}

impl Pattern {
    /// The pattern of the violations of a formula over these variables.
    pub fn new(store: &mut TermStore, vars: &[SymbolId], formula: TermId) -> Pattern {
        let negation = store.mk_not(formula);
        let negation = store.nnf(negation);
        let mut stages: Vec<Vec<Node>> = (0..=vars.len()).map(|_| Vec::new()).collect();
        for literal in store.conjuncts(negation) {
            let symbols = store.free_symbols(literal);
            let last = vars.iter().rposition(|var| symbols.contains(var)).map_or(0, |place| place + 1);
            stages[last].push(compile(store, vars, literal));
        }
        Pattern { vars: vars.into(), stages: Rc::new(stages) }
    }

    /// Calls `found` with the values of the variables at each violation in a model.
    pub fn each(&self, structure: &mut Structure<'_>, found: &mut dyn FnMut(&Env)) {
        let domains: Vec<Vec<i64>> =
            self.vars.iter().map(|&var| structure.elements(structure.store.symbol(var).sort)).collect();
        self.extend(structure, &domains, &mut Env::new(), found);
    }

    fn extend(
        &self,
        structure: &mut Structure<'_>,
        domains: &[Vec<i64>],
        env: &mut Env,
        found: &mut dyn FnMut(&Env),
    ) {
        let is_possible = self.stages[env.len()].iter().all(|node| node.evaluate(structure, env) == Some(1));
        if !is_possible {
            return;
        }
        if env.len() == self.vars.len() {
            found(env);
            return;
        }
        for &value in &domains[env.len()] {
            env.push((self.vars[env.len()], value));
            self.extend(structure, domains, env, found);
            env.pop();
        }
    }
}

fn compile(store: &TermStore, vars: &[SymbolId], term: TermId) -> Node {
    let args = store.args(term);
    let all = |terms: &[TermId]| terms.iter().map(|&arg| compile(store, vars, arg)).collect::<Vec<Node>>();
    match store.op(term) {
        Op::Symbol(symbol) => match vars.iter().position(|var| var == symbol) {
            Some(place) => Node::Var(place),
            None => Node::Cell(*symbol, Vec::new()),
        },
        Op::Apply => match store.as_symbol(args[0]) {
            Some(symbol) => Node::Cell(symbol, all(&args[1..])),
            None => Node::Term(term),
        },
        Op::And => Node::And(all(args)),
        Op::Or => Node::Or(all(args)),
        Op::Not => Node::Not(Box::new(compile(store, vars, args[0]))),
        Op::Eq | Op::Iff if store.sort_of(args[0]) != SortId::REAL => {
            Node::Eq(Box::new([compile(store, vars, args[0]), compile(store, vars, args[1])]))
        }
        op if args.is_empty() => match operate(store, op, SortId::BOOL, &[]) {
            Some(value) => Node::Value(value),
            None => Node::Term(term),
        },
        // What has no number, a fraction or a large one, is asked of the solver as a whole.
        Op::Lt | Op::Le | Op::Eq => Node::Term(term),
        op if op.is_binder() || store.has_quantifier(term) => Node::Term(term),
        op => Node::Operator(op.clone(), operand_sort(store, term), all(args)),
    }
}

impl Node {
    fn evaluate(&self, structure: &mut Structure<'_>, env: &Env) -> Option<i64> {
        match self {
            Node::Value(value) => Some(*value),
            Node::Var(place) => Some(env[*place].1),
            Node::Cell(symbol, args) => {
                let args: Option<SmallVec<[i64; 2]>> =
                    args.iter().map(|arg| arg.evaluate(structure, env)).collect();
                structure.read(*symbol, args?)
            }
            Node::And(parts) => junction(parts, structure, env, false),
            Node::Or(parts) => junction(parts, structure, env, true),
            Node::Eq(sides) => {
                let left = sides[0].evaluate(structure, env)?;
                Some(i64::from(left == sides[1].evaluate(structure, env)?))
            }
            Node::Not(part) => part.evaluate(structure, env).map(|value| 1 - value),
            Node::Operator(op, union, args) => {
                let args: Option<SmallVec<[i64; 4]>> =
                    args.iter().map(|arg| arg.evaluate(structure, env)).collect();
                operate(structure.store, op, *union, &args?)
            }
            Node::Term(term) => structure.evaluate(*term, env),
        }
    }
}

/// Conjunction, or disjunction: the first part that decides it.
fn junction(parts: &[Node], structure: &mut Structure<'_>, env: &Env, deciding: bool) -> Option<i64> {
    let mut is_known = true;
    for part in parts {
        match part.evaluate(structure, env) {
            Some(value) if (value != 0) == deciding => return Some(i64::from(deciding)),
            None => is_known = false,
            Some(_) => {}
        }
    }
    is_known.then_some(i64::from(!deciding))
}
