//! The steps of a derivation: each checks its own side conditions, and returns the remaining obligations.

use std::rc::Rc;

use tenet_system::recursive::{Atom, Clause, Goal, Step};
use tenet_term::{Role, SortId, Substitution, SymbolId, TermId};

use super::check::{Checker, Task};
use super::obligation::{Assumed, Obligation, equal, renaming, substituted};
use super::scope::Scope;

/// The remaining obligations of a step, in order; or why it is rejected.
pub(super) type Left<'p> = Result<Vec<Task<'p>>, String>;

impl Checker<'_> {
    pub(super) fn check_step<'p>(&mut self, task: Task<'p>) -> Left<'p> {
        let Task { path, obligation, step } = task;
        match step {
            Step::Close => self.close(&path, &obligation),
            Step::Each(steps) => self.each(&path, &obligation, steps),
            Step::Choose(terms, next) => self.choose(path, obligation, terms, next),
            Step::Unfold { atom, cases } => self.unfold(&path, obligation, *atom, cases),
            Step::Right { atom, rule, terms, next } => {
                self.unfold_right(path, obligation, (*atom, *rule), terms, next)
            }
            Step::Recall(recall, next) => self.recall(path, obligation, recall, next),
            Step::Split(cases) => self.split(&path, &obligation, cases),
            Step::Restate(restated, next) => self.restate(path, obligation, restated, next),
        }
    }

    fn close<'p>(&mut self, path: &str, obligation: &Obligation) -> Left<'p> {
        obligation.without_existentials()?;
        for (number, atom) in obligation.right.atoms.iter().enumerate() {
            let mut same = Vec::new();
            for known in &obligation.left {
                if known.atom.predicate == atom.predicate {
                    same.push(equal(self.store, &known.atom.args, &atom.args));
                }
            }
            let is_known = self.store.mk_or(same);
            let shows = format!("atom {} of the right is one of the left", number + 1);
            self.ask_implied(path, &shows, obligation.constraint, is_known);
        }
        let shows = "the constraint of the right holds";
        self.ask_implied(path, shows, obligation.constraint, obligation.right.constraint);
        Ok(Vec::new())
    }

    fn each<'p>(&mut self, path: &str, obligation: &Obligation, steps: &'p [Step]) -> Left<'p> {
        obligation.without_existentials()?;
        let atoms = &obligation.right.atoms;
        if steps.len() != atoms.len() + 1 {
            return Err(format!("{} proofs are given for {} parts", steps.len(), atoms.len() + 1));
        }
        let alone = |atom: &Atom| Goal { atoms: vec![atom.clone()], constraint: TermId::TRUE };
        let constraint = Goal { atoms: Vec::new(), constraint: obligation.right.constraint };
        let parts = atoms.iter().map(alone).chain([constraint]);
        let tasks = parts.zip(steps).enumerate().map(|(number, (right, step))| Task {
            path: format!("{path}, part {}", number + 1),
            obligation: Obligation { right, ..obligation.clone() },
            step,
        });
        Ok(tasks.collect())
    }

    fn choose<'p>(
        &mut self,
        path: String,
        mut obligation: Obligation,
        terms: &[(SymbolId, TermId)],
        next: &'p Step,
    ) -> Left<'p> {
        let chosen = self.substitution(terms, &obligation.scope)?;
        let wanted: Scope = obligation.existentials.iter().copied().collect();
        if terms.iter().map(|&(symbol, _)| symbol).collect::<Scope>() != wanted {
            return Err("the terms are not for the existential variables, each of them".to_owned());
        }
        obligation.right = obligation.right.substitute(self.store, &chosen);
        obligation.existentials.clear();
        Ok(vec![Task { path, obligation, step: next }])
    }

    fn unfold<'p>(
        &mut self,
        path: &str,
        mut obligation: Obligation,
        position: usize,
        cases: &'p [(Vec<SymbolId>, Option<Step>)],
    ) -> Left<'p> {
        let Some(unfolded) = obligation.left.get(position) else {
            return Err(format!("the left has no atom {}", position + 1));
        };
        let predicates = self.predicates;
        let rules = &predicates[unfolded.atom.predicate].rules;
        if cases.len() != rules.len() {
            // RA-T2, RA-A10: all cases must be given.
            return Err(format!("{} cases are given for {} rules", cases.len(), rules.len()));
        }
        obligation.hypotheses.push(Rc::new(obligation.statement(self.store)));
        obligation.left.iter_mut().enumerate().for_each(|(place, known)| known.lineage.enter(place));
        let mut tasks = Vec::new();
        for (number, (rule, (fresh, proof))) in rules.iter().zip(cases).enumerate() {
            let path = format!("{path}, case {}", number + 1);
            let obligation = self.reduct(&obligation, position, rule, fresh)?;
            match proof {
                Some(step) => tasks.push(Task { path, obligation, step }),
                None => {
                    let shows = "the rule does not apply";
                    self.ask_implied(&path, shows, obligation.constraint, TermId::FALSE);
                }
            }
        }
        Ok(tasks)
    }

    /// The obligation with an atom on the left replaced by the body of a rule, whose variables are renamed to `fresh`.
    fn reduct(
        &mut self,
        obligation: &Obligation,
        position: usize,
        rule: &Clause,
        fresh: &[SymbolId],
    ) -> Result<Obligation, String> {
        let mut reduct = obligation.clone();
        self.introduce(&mut reduct, &rule.variables, fresh)?;
        let renaming = renaming(self.store, &rule.variables, fresh);
        let unfolded = &obligation.left[position];
        let head = substituted(self.store, &rule.head, &renaming);
        let applies = equal(self.store, &unfolded.atom.args, &head);
        let body = self.store.substitute(rule.constraint, &renaming);
        reduct.constraint = self.store.mk_and([obligation.constraint, applies, body]);
        let mut children = Vec::new();
        for atom in &rule.atoms {
            let atom = atom.substitute(self.store, &renaming);
            children.push(Assumed { atom, lineage: unfolded.lineage.child() });
        }
        reduct.left.splice(position..=position, children);
        Ok(reduct)
    }

    /// Introduces fresh variables for these. They must not occur anywhere in the derivation so far (RA-T3).
    pub(super) fn introduce(
        &mut self,
        obligation: &mut Obligation,
        variables: &[SymbolId],
        fresh: &[SymbolId],
    ) -> Result<(), String> {
        if variables.len() != fresh.len() {
            return Err(format!("{} names are given for {} variables", fresh.len(), variables.len()));
        }
        for (&variable, &symbol) in variables.iter().zip(fresh) {
            let declared = self.store.symbol(symbol);
            if declared.role != Role::Index || declared.sort != self.store.symbol(variable).sort {
                return Err(format!("`{}` has the wrong role or sort", declared.name));
            }
            if !self.seen.insert(symbol) {
                return Err(format!("`{}` is not new", declared.name));
            }
            obligation.scope.insert(symbol);
        }
        Ok(())
    }

    fn unfold_right<'p>(
        &mut self,
        path: String,
        mut obligation: Obligation,
        (position, rule): (usize, usize),
        terms: &[TermId],
        next: &'p Step,
    ) -> Left<'p> {
        obligation.without_existentials()?;
        let Some(atom) = obligation.right.atoms.get(position).cloned() else {
            return Err(format!("the right has no atom {}", position + 1));
        };
        let predicates = self.predicates;
        let Some(rule) = predicates[atom.predicate].rules.get(rule) else {
            return Err(format!("the predicate has no rule {}", rule + 1));
        };
        let sorts: Vec<SortId> =
            rule.variables.iter().map(|&symbol| self.store.symbol(symbol).sort).collect();
        self.check_terms(terms, &sorts, |symbol| obligation.scope.contains(&symbol))?;
        let chosen =
            Substitution::from_pairs(self.store, rule.variables.iter().copied().zip(terms.iter().copied()));
        let head = substituted(self.store, &rule.head, &chosen);
        let applies = equal(self.store, &atom.args, &head);
        let body = self.store.substitute(rule.constraint, &chosen);
        let right = &mut obligation.right;
        right.constraint = self.store.mk_and([right.constraint, applies, body]);
        let atoms: Vec<Atom> = rule.atoms.iter().map(|atom| atom.substitute(self.store, &chosen)).collect();
        right.atoms.splice(position..=position, atoms);
        Ok(vec![Task { path, obligation, step: next }])
    }

    fn split<'p>(&mut self, path: &str, obligation: &Obligation, cases: &'p [(TermId, Step)]) -> Left<'p> {
        for &(formula, _) in cases {
            self.check_formula(formula, |symbol| obligation.scope.contains(&symbol))?;
        }
        let some_case = self.store.mk_or(cases.iter().map(|&(formula, _)| formula));
        self.ask_implied(path, "the cases are all there are", obligation.constraint, some_case);
        let mut tasks = Vec::new();
        for (number, (formula, step)) in cases.iter().enumerate() {
            let constraint = self.store.mk_and([obligation.constraint, *formula]);
            tasks.push(Task {
                path: format!("{path}, split {}", number + 1),
                obligation: Obligation { constraint, ..obligation.clone() },
                step,
            });
        }
        Ok(tasks)
    }

    /// A substitution of terms over the scope for symbols, each once.
    pub(super) fn substitution(
        &mut self,
        pairs: &[(SymbolId, TermId)],
        scope: &Scope,
    ) -> Result<Substitution, String> {
        let mut bound = Scope::new();
        for &(symbol, term) in pairs {
            let sort = self.store.symbol(symbol).sort;
            self.terms.check(self.store, term, sort, |symbol| scope.contains(&symbol))?;
            if !bound.insert(symbol) {
                return Err(format!("`{}` gets two terms", self.store.symbol(symbol).name));
            }
        }
        Ok(Substitution::from_pairs(self.store, pairs.iter().copied()))
    }
}
