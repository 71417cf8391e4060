//! Restating an obligation.

use tenet_system::recursive::{Atom, Goal, Restated, Step};
use tenet_term::{Role, Substitution, SymbolId, TermId};

use super::check::{Checker, Task};
use super::obligation::{Assumed, Obligation, equal};
use super::steps::Left;

impl Checker<'_> {
    /// Replaces the left-hand side by what it implies, and the right-hand side by what implies it.
    pub(super) fn restate<'p>(
        &mut self,
        path: String,
        obligation: Obligation,
        restated: &Restated,
        next: &'p Step,
    ) -> Left<'p> {
        let left = self.restate_atoms(&path, &obligation, &restated.left)?;
        self.check_formula(restated.constraint, |symbol| obligation.scope.contains(&symbol))?;
        let shows = "the left implies its new constraint";
        self.ask_implied(&path, shows, obligation.constraint, restated.constraint);
        self.restate_right(&path, &obligation, restated)?;
        let right = Goal { atoms: restated.right.clone(), constraint: restated.right_constraint };
        let obligation = Obligation { left, constraint: restated.constraint, right, ..obligation };
        Ok(vec![Task { path, obligation, step: next }])
    }

    fn restate_atoms(
        &mut self,
        path: &str,
        obligation: &Obligation,
        kept: &[(usize, Vec<TermId>)],
    ) -> Result<Vec<Assumed>, String> {
        let mut atoms = Vec::new();
        for (number, (position, args)) in kept.iter().enumerate() {
            let Some(known) = obligation.left.get(*position) else {
                return Err(format!("the left has no atom {}", position + 1));
            };
            if kept[..number].iter().any(|(earlier, _)| earlier == position) {
                return Err(format!("atom {} of the left is kept twice", position + 1));
            }
            let atom = Atom { predicate: known.atom.predicate, args: args.clone() };
            self.check_atom(&atom, |symbol| obligation.scope.contains(&symbol))?;
            let is_same = equal(self.store, &known.atom.args, &atom.args);
            let shows = format!("atom {} of the left is the same in other words", position + 1);
            self.ask_implied(path, &shows, obligation.constraint, is_same);
            atoms.push(Assumed { atom, lineage: known.lineage.clone() });
        }
        Ok(atoms)
    }

    fn restate_right(
        &mut self,
        path: &str,
        obligation: &Obligation,
        restated: &Restated,
    ) -> Result<(), String> {
        let old = &obligation.right;
        let predicates = |atoms: &[Atom]| atoms.iter().map(|atom| atom.predicate).collect::<Vec<_>>();
        if predicates(&restated.right) != predicates(&old.atoms) {
            return Err("the atoms of the right are others".to_owned());
        }
        let may_occur =
            |symbol| obligation.scope.contains(&symbol) || obligation.existentials.contains(&symbol);
        for atom in &restated.right {
            self.check_atom(atom, may_occur)?;
        }
        self.check_formula(restated.right_constraint, may_occur)?;
        let any = self.any_values(&obligation.existentials);
        for (number, (old, new)) in old.atoms.iter().zip(&restated.right).enumerate() {
            let is_same = equal(self.store, &old.args, &new.args);
            let is_same = self.store.substitute(is_same, &any);
            let shows = format!("atom {} of the right is the same in other words", number + 1);
            self.ask_implied(path, &shows, obligation.constraint, is_same);
        }
        let old = self.store.substitute(old.constraint, &any);
        let new = self.store.substitute(restated.right_constraint, &any);
        let assumed = self.store.mk_and([obligation.constraint, new]);
        self.ask_implied(path, "the new constraint of the right implies the old one", assumed, old);
        Ok(())
    }

    /// A constant for each existential variable. No other symbol has their role.
    fn any_values(&mut self, existentials: &[SymbolId]) -> Substitution {
        let mut any = Substitution::new();
        for &existential in existentials {
            let declared = self.store.symbol(existential).clone();
            let constant = self.store.declare(&declared.name, declared.sort, Role::Skolem);
            let constant = self.store.mk_symbol(constant);
            any.insert(self.store, existential, constant);
        }
        any
    }
}
