//! Well-formedness: positions, numbers of arguments, sorts, declared variables.
//!
//! The program is checked as well. Front ends can be trusted, but a checker's answer should rest on what it has checked.

use tenet_system::recursive::{Atom, Clause, Entailment, Goal, Process, Safety, State, Transition};
use tenet_term::{Role, SortId, SymbolId, TermId};

use super::check::Checker;
use super::question::Rejection;
use super::scope::{check_sort, check_symbols};

type Checked = Result<(), String>;

impl Checker<'_> {
    /// Rejects a malformed program.
    pub(super) fn check_program(&mut self) -> Result<(), Rejection> {
        for (number, predicate) in self.predicates.iter().enumerate() {
            let path = format!("predicate {} `{}`", number + 1, predicate.name);
            for &sort in &predicate.sorts {
                check_sort(self.store, sort).map_err(Rejection::at(&path))?;
            }
            for (number, rule) in predicate.rules.iter().enumerate() {
                let path = format!("{path}, rule {}", number + 1);
                self.check_rule(rule, &predicate.sorts).map_err(Rejection::at(&path))?;
            }
        }
        match self.process {
            None => Ok(()),
            Some(process) => self.check_process(process),
        }
    }

    fn check_rule(&mut self, rule: &Clause, sorts: &[SortId]) -> Checked {
        check_symbols(self.store, &rule.variables, Role::Bound)?;
        let may_occur = |symbol| rule.variables.contains(&symbol);
        self.check_terms(&rule.head, sorts, may_occur)?;
        self.check_atoms(&rule.atoms, may_occur)?;
        self.check_formula(rule.constraint, may_occur)
    }

    fn check_process(&mut self, process: &Process) -> Result<(), Rejection> {
        let at = Rejection::at("the process");
        process.sorts.iter().try_for_each(|&sort| check_sort(self.store, sort)).map_err(&at)?;
        check_symbols(self.store, &process.parameters, Role::Bound).map_err(&at)?;
        let sorts: Vec<SortId> =
            process.parameters.iter().map(|&symbol| self.store.symbol(symbol).sort).collect();
        if sorts != process.sorts {
            return Err(at("its parameters are not those of its state".to_owned()));
        }
        for (number, transition) in process.transitions.iter().enumerate() {
            let path = format!("transition {} `{}`", number + 1, transition.name);
            self.check_transition(process, transition).map_err(Rejection::at(&path))?;
        }
        self.check_state(process, &process.start).map_err(Rejection::at("the start"))?;
        for (number, property) in process.properties.iter().enumerate() {
            let path = format!("property {} `{}`", number + 1, property.name);
            self.check_property(process, property).map_err(Rejection::at(&path))?;
        }
        Ok(())
    }

    fn check_transition(&mut self, process: &Process, transition: &Transition) -> Checked {
        check_symbols(self.store, &transition.variables, Role::Bound)?;
        let may_occur = |symbol| transition.variables.contains(&symbol);
        self.check_terms(&transition.from, &process.sorts, may_occur)?;
        self.check_terms(&transition.to, &process.sorts, may_occur)?;
        self.check_goal(&transition.goal, may_occur)
    }

    fn check_property(&mut self, process: &Process, property: &Safety) -> Checked {
        self.check_state(process, &property.state)?;
        check_symbols(self.store, &property.existentials, Role::Bound)?;
        let variables = &property.state.variables;
        let may_occur = |symbol| variables.contains(&symbol) || property.existentials.contains(&symbol);
        self.check_goal(&property.right, may_occur)
    }

    /// A set of states, of the process or of a node.
    pub(super) fn check_state(&mut self, process: &Process, state: &State) -> Checked {
        check_symbols(self.store, &state.variables, Role::Index)?;
        let may_occur = |symbol| state.variables.contains(&symbol);
        self.check_terms(&state.args, &process.sorts, may_occur)?;
        self.check_goal(&state.goal, may_occur)
    }

    /// An entailment: of the program, of a lemma, of a tree.
    pub(super) fn check_entailment(&mut self, entailment: &Entailment) -> Checked {
        check_symbols(self.store, &entailment.variables, Role::Index)?;
        check_symbols(self.store, &entailment.existentials, Role::Bound)?;
        let is_variable = |symbol| entailment.variables.contains(&symbol);
        self.check_goal(&entailment.left, is_variable)?;
        let may_occur = |symbol| is_variable(symbol) || entailment.existentials.contains(&symbol);
        self.check_goal(&entailment.right, may_occur)
    }

    fn check_goal(&mut self, goal: &Goal, may_occur: impl Fn(SymbolId) -> bool + Copy) -> Checked {
        self.check_atoms(&goal.atoms, may_occur)?;
        self.check_formula(goal.constraint, may_occur)
    }

    fn check_atoms(&mut self, atoms: &[Atom], may_occur: impl Fn(SymbolId) -> bool + Copy) -> Checked {
        atoms.iter().try_for_each(|atom| self.check_atom(atom, may_occur))
    }

    pub(super) fn check_atom(&mut self, atom: &Atom, may_occur: impl Fn(SymbolId) -> bool + Copy) -> Checked {
        let Some(predicate) = self.predicates.get(atom.predicate) else {
            return Err(format!("there is no predicate {}", atom.predicate + 1));
        };
        self.check_terms(&atom.args, &predicate.sorts, may_occur)
    }

    pub(super) fn check_formula(&mut self, formula: TermId, may_occur: impl Fn(SymbolId) -> bool) -> Checked {
        self.terms.check(self.store, formula, SortId::BOOL, may_occur)
    }

    /// Terms, one for each sort.
    pub(super) fn check_terms(
        &mut self,
        terms: &[TermId],
        sorts: &[SortId],
        may_occur: impl Fn(SymbolId) -> bool + Copy,
    ) -> Checked {
        if terms.len() != sorts.len() {
            return Err(format!("there are {} terms in place of {}", terms.len(), sorts.len()));
        }
        let mut pairs = terms.iter().zip(sorts);
        pairs.try_for_each(|(&term, &sort)| self.terms.check(self.store, term, sort, may_occur))
    }
}
