//! Computation trees: is every reachable state in an expanded node?
//!
//! The entailments are determined by `tenet_system::recursive::obligations`; here is checked that none is missing.

use tenet_system::recursive::obligations::{
    cases, decrease, emptiness, inclusion, restricted, safety, successor,
};
use tenet_system::recursive::tree::{Case, Child, Fate, Outcome, Safe, Termination, Tree};
use tenet_system::recursive::{Process, State, Step};
use tenet_term::{Role, SortId, SymbolId, TermId};

use super::check::Checker;
use super::question::Rejection;
use super::scope::{Scope, check_symbols};

type Checked = Result<(), Rejection>;

impl<'a> Checker<'a> {
    /// Checks a closed computation tree of the program's process.
    pub(super) fn check_tree(&mut self, tree: &Tree) -> Checked {
        let at = Rejection::at("the tree");
        let process = self.process.ok_or_else(|| at("the program has no process".to_owned()))?;
        let root = tree.nodes.first().ok_or_else(|| at("it has no nodes".to_owned()))?;
        if !is_same(&root.state, &process.start) {
            return Err(at("its root is not the start of the process".to_owned()));
        }
        for (position, node) in tree.nodes.iter().enumerate() {
            let path = path_of(position);
            self.check_state(process, &node.state).map_err(Rejection::at(&path))?;
            check_fate(process, tree, position).map_err(Rejection::at(&path))?;
        }
        let mut seen = Scope::new();
        for position in 0..tree.nodes.len() {
            self.check_node(process, tree, position, &mut seen)?;
        }
        match &tree.termination {
            None => Ok(()),
            Some(termination) => self.check_termination(process, tree, termination),
        }
    }

    fn check_node(
        &mut self,
        process: &'a Process,
        tree: &Tree,
        position: usize,
        seen: &mut Scope,
    ) -> Checked {
        let (path, node) = (path_of(position), &tree.nodes[position]);
        seen.extend(&node.state.variables);
        let (children, properties) = match &node.fate {
            Fate::Abstracted { to: other, proof, .. } | Fate::Subsumed { by: other, proof } => {
                let entailment = inclusion(self.store, &node.state, &tree.nodes[*other].state);
                return self.check_derivation(&path, &entailment, proof);
            }
            Fate::Split { cases, proof } => return self.check_cases(&path, tree, &node.state, cases, proof),
            Fate::Open => return Err(Rejection::at(&path)(OPEN.to_owned())),
            Fate::Expanded { children, properties } => (children, properties),
        };
        for (number, child) in children.iter().enumerate() {
            let path = path_of_child(position, number);
            let variables = &process.transitions[number].variables;
            self.check_fresh(variables, &child.fresh, seen).map_err(Rejection::at(&path))?;
            let state = successor(self.store, process, &node.state, number, &child.fresh);
            self.check_child(&path, tree, &state, child)?;
        }
        for (number, safe) in properties.iter().enumerate() {
            if let Some(safe) = safe {
                let path = format!("{path}, property {}", number + 1);
                self.check_safe(&path, process, &node.state, number, safe)?;
            }
        }
        Ok(())
    }

    /// Is each state of the node in the node of one of the cases?
    fn check_cases(
        &mut self,
        path: &str,
        tree: &Tree,
        state: &State,
        parts: &[Case],
        proof: &Step,
    ) -> Checked {
        for part in parts {
            let may_occur = |symbol| state.variables.contains(&symbol);
            self.check_formula(part.when, may_occur).map_err(Rejection::at(path))?;
        }
        let formulas: Vec<TermId> = parts.iter().map(|part| part.when).collect();
        let one_of_them = cases(self.store, state, &formulas);
        self.check_derivation(&format!("{path}, cases"), &one_of_them, proof)?;
        for (number, part) in parts.iter().enumerate() {
            let some = restricted(self.store, state, part.when);
            let entailment = inclusion(self.store, &some, &tree.nodes[part.to].state);
            self.check_derivation(&format!("{path}, case {}", number + 1), &entailment, &part.proof)?;
        }
        Ok(())
    }

    fn check_child(&mut self, path: &str, tree: &Tree, state: &State, child: &Child) -> Checked {
        let (entailment, proof) = match &child.outcome {
            Outcome::Node(other, proof) => (inclusion(self.store, state, &tree.nodes[*other].state), proof),
            // RA-T10: that there is no such step is proved.
            Outcome::Impossible(proof) => (emptiness(self.store, state), proof),
        };
        self.check_derivation(path, &entailment, proof)
    }

    fn check_safe(
        &mut self,
        path: &str,
        process: &Process,
        state: &State,
        number: usize,
        safe: &Safe,
    ) -> Checked {
        let mut seen: Scope = state.variables.iter().copied().collect();
        let variables = &process.properties[number].state.variables;
        self.check_fresh(variables, &safe.fresh, &mut seen).map_err(Rejection::at(path))?;
        let entailment = safety(self.store, process, state, number, &safe.fresh);
        self.check_derivation(path, &entailment, &safe.proof)
    }

    /// Checks that the names of variables are fresh, and of the right sorts.
    fn check_fresh(
        &self,
        variables: &[SymbolId],
        fresh: &[SymbolId],
        seen: &mut Scope,
    ) -> Result<(), String> {
        check_symbols(self.store, fresh, Role::Index)?;
        let sorts = |symbols: &[SymbolId]| -> Vec<SortId> {
            symbols.iter().map(|&symbol| self.store.symbol(symbol).sort).collect()
        };
        if sorts(variables) != sorts(fresh) {
            return Err("the names for the variables do not fit".to_owned());
        }
        match fresh.iter().find(|&&symbol| !seen.insert(symbol)) {
            None => Ok(()),
            Some(&symbol) => Err(format!("`{}` is not new", self.store.symbol(symbol).name)),
        }
    }

    fn check_termination(&mut self, process: &Process, tree: &Tree, termination: &Termination) -> Checked {
        let at = Rejection::at("termination");
        for &rank in &termination.ranking {
            let may_occur = |symbol| process.parameters.contains(&symbol);
            self.terms.check(self.store, rank, SortId::INT, may_occur).map_err(&at)?;
        }
        let mut proofs = termination.proofs.iter();
        for (position, node) in tree.nodes.iter().enumerate() {
            let Fate::Expanded { children, .. } = &node.fate else { continue };
            for (number, child) in children.iter().enumerate() {
                let Outcome::Node(..) = child.outcome else { continue };
                let path = format!("termination, {}", path_of_child(position, number));
                let missing = || Rejection::at(&path)("there is no proof".to_owned());
                let proof = proofs.next().ok_or_else(missing)?;
                let (fresh, ranking) = (&child.fresh, &termination.ranking);
                let entailment = decrease(self.store, process, &node.state, number, fresh, ranking);
                self.check_derivation(&path, &entailment, proof)?;
            }
        }
        match proofs.next() {
            None => Ok(()),
            Some(_) => Err(at("there are more proofs than transitions".to_owned())),
        }
    }
}

fn path_of(position: usize) -> String {
    format!("node {}", position + 1)
}

/// Why a tree with an open node is rejected.
const OPEN: &str = "nothing is shown of it";

fn path_of_child(position: usize, number: usize) -> String {
    format!("{}, transition {}", path_of(position), number + 1)
}

/// Does the node lead to existing nodes, and in the end to expanded ones?
fn check_fate(process: &Process, tree: &Tree, position: usize) -> Result<(), String> {
    match &tree.nodes[position].fate {
        Fate::Open => Err(OPEN.to_owned()),
        Fate::Expanded { children, properties } => {
            if children.len() != process.transitions.len() {
                return Err("it does not have one child for each transition".to_owned());
            }
            if properties.len() != process.properties.len() {
                return Err("it does not have one place for each property".to_owned());
            }
            for child in children {
                if let Outcome::Node(other, _) = child.outcome {
                    exists(tree, other)?;
                }
            }
            Ok(())
        }
        Fate::Abstracted { abstraction, to, .. } => {
            if abstraction.is_some_and(|number| number >= process.abstractions.len()) {
                return Err("there is no such abstraction".to_owned());
            }
            exists(tree, *to)?;
            goes_on(tree, position, *to)
        }
        Fate::Split { cases, .. } => {
            for case in cases {
                exists(tree, case.to)?;
                goes_on(tree, position, case.to)?;
            }
            Ok(())
        }
        Fate::Subsumed { by, .. } => {
            exists(tree, *by)?;
            // RA-T4: leaves that subsume each other would prove nothing.
            match tree.nodes[*by].fate {
                Fate::Expanded { .. } => Ok(()),
                _ => Err(format!("{} subsumes it, but is not expanded", path_of(*by))),
            }
        }
    }
}

fn exists(tree: &Tree, position: usize) -> Result<(), String> {
    if position < tree.nodes.len() { Ok(()) } else { Err(format!("there is no {}", path_of(position))) }
}

/// Is a node that takes the place of another one dealt with by itself, or behind it? Otherwise nodes could refer to each other
/// without an end.
fn goes_on(tree: &Tree, position: usize, other: usize) -> Result<(), String> {
    match tree.nodes[other].fate {
        Fate::Abstracted { .. } | Fate::Split { .. } if other <= position => Err(format!(
            "{} takes its place, but is dealt with by others and stands before it",
            path_of(other)
        )),
        _ => Ok(()),
    }
}

fn is_same(left: &State, right: &State) -> bool {
    left.variables == right.variables && left.args == right.args && left.goal == right.goal
}
