//! Which parts of the state before a step matter: those that make the rule possible and the invariant false afterwards, followed through
//! the formulas with the evaluator. Where one of several operands is enough, only the first that is true is followed.

use tenet_term::{Model, Op, Role, TermId, TermStore, Value};

/// A part of the state: a scalar, or an array at a place.
pub type Cell = (tenet_term::SymbolId, Vec<Value>);

/// The parts of the state on which it rests that formulas, written out, are true in a model.
pub fn relevant(store: &TermStore, model: &Model, formulas: &[TermId]) -> Vec<Cell> {
    let mut follower = Follower { store, model, cells: Vec::new() };
    formulas.iter().for_each(|&formula| follower.formula(formula, true));
    follower.cells
}

struct Follower<'a> {
    store: &'a TermStore,
    model: &'a Model,
    cells: Vec<Cell>,
}

impl Follower<'_> {
    fn holds(&self, formula: TermId) -> bool {
        self.model.holds(self.store, formula).unwrap_or(false)
    }

    fn formula(&mut self, formula: TermId, is_true: bool) {
        let args = self.store.args(formula).to_vec();
        match self.store.op(formula) {
            Op::Not => self.formula(args[0], !is_true),
            Op::And if is_true => args.iter().for_each(|&arg| self.formula(arg, true)),
            Op::Or if !is_true => args.iter().for_each(|&arg| self.formula(arg, false)),
            Op::And | Op::Or => {
                let first = args.iter().copied().find(|&arg| self.holds(arg) == is_true);
                first.into_iter().for_each(|arg| self.formula(arg, is_true));
            }
            Op::Implies if !is_true => {
                self.formula(args[0], true);
                self.formula(args[1], false);
            }
            Op::Implies if self.holds(args[0]) => self.formula(args[1], true),
            Op::Implies => self.formula(args[0], false),
            Op::Iff => {
                for &arg in &args {
                    let holds = self.holds(arg);
                    self.formula(arg, holds);
                }
            }
            Op::Ite => self.chosen(&args, Some(is_true)),
            _ => self.term(formula),
        }
    }

    /// The condition, and the branch that it chooses.
    fn chosen(&mut self, args: &[TermId], is_true: Option<bool>) {
        let holds = self.holds(args[0]);
        self.formula(args[0], holds);
        let branch = if holds { args[1] } else { args[2] };
        match is_true {
            Some(is_true) => self.formula(branch, is_true),
            None => self.term(branch),
        }
    }

    fn term(&mut self, term: TermId) {
        let args = self.store.args(term).to_vec();
        match self.store.op(term) {
            Op::Symbol(symbol) => self.cell(*symbol, Vec::new()),
            Op::Ite => self.chosen(&args, None),
            Op::Apply => {
                let places: Result<Vec<Value>, _> =
                    args[1..].iter().map(|&arg| self.model.evaluate(self.store, arg)).collect();
                if let (Some(symbol), Ok(places)) = (self.store.as_symbol(args[0]), places) {
                    self.cell(symbol, places);
                }
                args[1..].iter().for_each(|&arg| self.term(arg));
            }
            _ if self.store.is_bool(term) && self.is_connective(term) => {
                let holds = self.holds(term);
                self.formula(term, holds);
            }
            _ => args.iter().for_each(|&arg| self.term(arg)),
        }
    }

    fn is_connective(&self, term: TermId) -> bool {
        matches!(self.store.op(term), Op::Not | Op::And | Op::Or | Op::Implies | Op::Iff)
    }

    fn cell(&mut self, symbol: tenet_term::SymbolId, places: Vec<Value>) {
        let cell = (symbol, places);
        if self.store.symbol(symbol).role == Role::State && !self.cells.contains(&cell) {
            self.cells.push(cell);
        }
    }
}
