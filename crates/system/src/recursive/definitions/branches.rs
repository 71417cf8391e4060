//! A formula about definitions as the ways in which it can be true.
//!
//! Each way is a conjunction: atoms, a constraint, and what is left of the definitions, which is no atom but the denial of one or more.
//! Existential quantifiers are opened, and a disjunction with atoms in it becomes several ways (RA-T8); what has no definition
//! in it stays as it is.

use super::Defined;
use crate::recursive::{Atom, Goal};
use tenet_term::{Op, Role, SymbolId, TermId, TermStore};

/// Branches of a formula; with more it is given up.
const MAX_BRANCHES: usize = 64;
/// Parts of a formula; with more it is given up.
const MAX_SIZE: usize = 10_000;

/// A way in which a formula can be true.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    /// What was existential.
    pub(super) variables: Vec<SymbolId>,
    /// What the definitions have to say.
    pub(super) atoms: Vec<Atom>,
    /// What has no definition in it.
    pub(super) constraint: Vec<TermId>,
    /// What has a definition in it and is no atom.
    pub(super) denied: Vec<TermId>,
    /// What was not looked at yet, the next one last.
    pending: Vec<TermId>,
}

impl Branch {
    /// The atoms and the constraint.
    pub(super) fn goal(&self, store: &mut TermStore) -> Goal {
        Goal { atoms: self.atoms.clone(), constraint: store.mk_and(self.constraint.iter().copied()) }
    }
}

/// Takes formulas apart.
pub(super) struct Splitter<'a> {
    pub(super) store: &'a mut TermStore,
    pub(super) defined: &'a [Defined],
    /// The role of what was existential.
    pub(super) role: Role,
}

impl Splitter<'_> {
    /// All the ways, unless there are too many, or a definition is used inside a term.
    pub(super) fn split(&mut self, formula: TermId) -> Option<Vec<Branch>> {
        if self.store.size(formula) > MAX_SIZE {
            return None;
        }
        let formula = self.store.nnf(formula);
        let mut done = Vec::new();
        let mut open = vec![Branch { pending: vec![formula], ..Branch::default() }];
        while let Some(mut branch) = open.pop() {
            match branch.pending.pop() {
                Some(part) => open.extend(self.step(branch, part)?),
                None => done.push(branch),
            }
            if open.len() + done.len() > MAX_BRANCHES {
                return None;
            }
        }
        Some(done)
    }

    /// Does a definition occur? Also one that cannot be read counts.
    pub(super) fn is_about_definitions(&self, formula: TermId) -> bool {
        let symbols = self.store.symbols_in(formula);
        symbols.into_iter().any(|symbol| self.store.symbol(symbol).role == Role::Const)
    }

    /// What becomes of a branch when a part is looked at; the first one comes last.
    fn step(&mut self, mut branch: Branch, part: TermId) -> Option<Vec<Branch>> {
        let is_about_definitions = self.is_about_definitions(part);
        let args = self.store.args(part).to_vec();
        match self.store.op(part).clone() {
            Op::And => branch.pending.extend(args.into_iter().rev()),
            Op::Exists(bound) => {
                let names: Vec<SymbolId> = bound.iter().map(|&symbol| self.fresh(symbol)).collect();
                let terms: Vec<TermId> = names.iter().map(|&name| self.store.mk_symbol(name)).collect();
                branch.pending.push(self.store.instantiate(part, &terms));
                branch.variables.extend(names);
            }
            _ if !is_about_definitions => branch.constraint.push(part),
            Op::Or => {
                let parts = self.alternatives(&args).into_iter().rev();
                let with = |part: TermId| {
                    let mut branch = branch.clone();
                    branch.pending.push(part);
                    branch
                };
                return Some(parts.map(with).collect());
            }
            Op::Apply if self.store.as_symbol(args[0]).is_some() => {
                let atom = self.atom(args[0], &args[1..])?;
                branch.atoms.push(atom);
            }
            _ => branch.denied.push(part),
        }
        Some(vec![branch])
    }

    /// The parts of a disjunction, where those without definitions are one.
    fn alternatives(&mut self, args: &[TermId]) -> Vec<TermId> {
        let (with, without): (Vec<TermId>, Vec<TermId>) =
            args.iter().partition(|&&arg| self.is_about_definitions(arg));
        let plain = (!without.is_empty()).then(|| self.store.mk_or(without));
        plain.into_iter().chain(with).collect()
    }

    /// A definition applied to terms in which there are none.
    fn atom(&mut self, function: TermId, args: &[TermId]) -> Option<Atom> {
        let symbol = self.store.as_symbol(function)?;
        let predicate = self.defined.iter().position(|defined| defined.symbol == symbol)?;
        if args.iter().any(|&arg| self.is_about_definitions(arg)) {
            return None;
        }
        let consts = self.defined[predicate].consts.clone();
        let consts = consts.into_iter().map(|symbol| self.store.mk_symbol(symbol));
        Some(Atom { predicate, args: consts.chain(args.iter().copied()).collect() })
    }

    fn fresh(&mut self, bound: SymbolId) -> SymbolId {
        let (name, sort) = (self.store.symbol(bound).name.clone(), self.store.symbol(bound).sort);
        self.store.fresh(&name, sort, self.role)
    }
}
