//! The definitions of a system as predicates, and its axioms about them as entailments (X-A6).
//!
//! A proof about the system knows of a definition that it satisfies its equation, which does not say "least", and believes the axioms
//! about it. Here the definition is what it means, the least relation, and such an axiom is something to be proved. It
//! is to hold in every state, reachable or not: variables and constants are all universal, and nothing else is assumed of them,
//! not even the bounds of their types. A proof may then use the axiom before and after every step.
//!
//! Rules speak of their variables alone. So the constants that a definition depends on are arguments of its predicate, in front of its
//! own.
//!
//! What has no such reading is left out: definitions with a universal or negative use of a definition in them, and axioms that need one
//! of these, or say that one of several definitions is true (`branches`). They stay assumptions (EX-T5, EX-T6).

mod branches;
mod import;

use super::{Atom, Clause, Entailment, Goal, Predicate, Program};
use crate::system::{Axiom, Definition, System};
use branches::{Branch, Splitter};
use import::Import;
use std::ops::Range;
use tenet_term::{Role, Substitution, SymbolId, TermId, TermStore};

/// What the axioms of a system claim about its definitions.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// The definitions as predicates, and the obligations.
    pub program: Program,
    /// For each axiom of the system its obligations, which together say the same; none if there is no such reading.
    pub axioms: Vec<Range<usize>>,
}

/// A definition that is read as a predicate.
#[derive(Clone, Debug)]
struct Defined {
    /// The function, in the store of the program.
    symbol: SymbolId,
    /// What it depends on besides its parameters.
    consts: Vec<SymbolId>,
}

/// Reads the axioms of a system as claims. The result depends on the system alone, whatever else is in its store.
pub fn claims(system: &System) -> Claims {
    let mut reader = Reader { import: Import::new(system), defined: Vec::new(), predicates: Vec::new() };
    for definition in &system.definitions {
        reader.read_definition(definition);
    }
    let (mut obligations, mut axioms) = (Vec::new(), Vec::new());
    for axiom in &system.axioms {
        let first = obligations.len();
        obligations.extend(reader.read_axiom(axiom).unwrap_or_default());
        axioms.push(first..obligations.len());
    }
    let (store, predicates) = (reader.import.into_store(), reader.predicates);
    Claims { program: Program { store, predicates, obligations, process: None }, axioms }
}

impl Claims {
    /// The axioms that are true if those obligations are that `proved` says, by position.
    pub fn discharged(&self, proved: &[bool]) -> Vec<usize> {
        let is_proved = |obligation: usize| proved.get(obligation) == Some(&true);
        let is_discharged = |range: &Range<usize>| !range.is_empty() && range.clone().all(is_proved);
        (0..self.axioms.len()).filter(|&axiom| is_discharged(&self.axioms[axiom])).collect()
    }
}

struct Reader<'a> {
    import: Import<'a>,
    defined: Vec<Defined>,
    predicates: Vec<Predicate>,
}

impl Reader<'_> {
    /// Makes a predicate of a definition, if it can be read as one.
    fn read_definition(&mut self, definition: &Definition) {
        let Some(symbol) = self.import.define(definition.symbol) else { return };
        let Some(params) = self.import.symbols(&definition.params) else { return };
        let Some(body) = self.import.term(definition.body) else { return };
        let consts = self.consts(body);
        self.defined.push(Defined { symbol, consts: consts.clone() });
        let Some(rules) = self.rules(definition, &consts, &params, body) else {
            self.defined.pop();
            return;
        };
        let store = self.import.store();
        let sorts = consts.iter().chain(&params).map(|&symbol| store.symbol(symbol).sort).collect();
        let (name, source) = (definition.name.clone(), definition.source);
        self.predicates.push(Predicate { name, source, sorts, rules });
    }

    /// The constants that a body depends on, itself or by way of other definitions.
    fn consts(&mut self, body: TermId) -> Vec<SymbolId> {
        let store = self.import.store();
        let occurring = store.free_symbols(body);
        let used = self.defined.iter().filter(|defined| occurring.contains(&defined.symbol));
        let mut consts: Vec<SymbolId> = used.flat_map(|defined| defined.consts.clone()).collect();
        consts.extend(occurring.iter().filter(|&&symbol| store.symbol(symbol).role == Role::Index));
        consts.sort_unstable();
        consts.dedup();
        consts
    }

    fn rules(
        &mut self,
        definition: &Definition,
        consts: &[SymbolId],
        params: &[SymbolId],
        body: TermId,
    ) -> Option<Vec<Clause>> {
        let store = self.import.store();
        let branches = Splitter { store, defined: &self.defined, role: Role::Bound }.split(body)?;
        let bound: Vec<SymbolId> = consts.iter().map(|&symbol| same_bound(store, symbol)).collect();
        let terms: Vec<TermId> = bound.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let renaming = Substitution::from_pairs(store, consts.iter().copied().zip(terms));
        let head: Vec<SymbolId> = bound.into_iter().chain(params.iter().copied()).collect();
        let mut rules = Vec::new();
        for branch in branches {
            if !branch.denied.is_empty() {
                return None;
            }
            let goal = branch.goal(store).substitute(store, &renaming);
            rules.push(Clause {
                source: definition.source,
                variables: head.iter().copied().chain(branch.variables).collect(),
                head: head.iter().map(|&symbol| store.mk_symbol(symbol)).collect(),
                constraint: goal.constraint,
                atoms: goal.atoms,
            });
        }
        Some(rules)
    }

    /// The entailments that an axiom says, if it is about definitions and has this form.
    fn read_axiom(&mut self, axiom: &Axiom) -> Option<Vec<Entailment>> {
        let formula = self.import.term(axiom.formula)?;
        let store = self.import.store();
        let mut splitter = Splitter { store, defined: &self.defined, role: Role::Index };
        if !splitter.is_about_definitions(formula) {
            return None;
        }
        let denied = splitter.store.mk_not(formula);
        let branches = splitter.split(denied)?;
        branches.into_iter().map(|branch| self.entailment(axiom, branch)).collect()
    }

    /// That a way in which the axiom would be false is impossible.
    fn entailment(&mut self, axiom: &Axiom, branch: Branch) -> Option<Entailment> {
        let store = self.import.store();
        let (existentials, right) = match branch.denied[..] {
            [] => (Vec::new(), Goal { atoms: Vec::new(), constraint: TermId::FALSE }),
            [denied] => right(store, &self.defined, denied)?,
            _ => return None,
        };
        let left = branch.goal(store);
        let variables = variables(store, [&left, &right]);
        let (name, source) = (axiom.name.clone(), axiom.source);
        Some(Entailment { name, source, variables, left, existentials, right })
    }
}

/// What is denied on the left, as the goal of the right.
fn right(store: &mut TermStore, defined: &[Defined], denied: TermId) -> Option<(Vec<SymbolId>, Goal)> {
    let wanted = store.mk_not(denied);
    let mut branches = Splitter { store, defined, role: Role::Bound }.split(wanted)?;
    let branch = branches.pop().filter(|branch| branches.is_empty() && branch.denied.is_empty())?;
    let goal = branch.goal(store);
    Some((branch.variables, goal))
}

fn variables(store: &TermStore, goals: [&Goal; 2]) -> Vec<SymbolId> {
    let atoms = goals.iter().flat_map(|goal| &goal.atoms).flat_map(|atom: &Atom| atom.args.iter().copied());
    let terms = atoms.chain(goals.iter().map(|goal| goal.constraint));
    let mut found: Vec<SymbolId> = terms.flat_map(|term| store.free_symbols(term)).collect();
    found.retain(|&symbol| store.symbol(symbol).role == Role::Index);
    found.sort_unstable();
    found.dedup();
    found
}

/// A variable of rules that is like another symbol.
fn same_bound(store: &mut TermStore, symbol: SymbolId) -> SymbolId {
    let (name, sort) = (store.symbol(symbol).name.clone(), store.symbol(symbol).sort);
    store.fresh(&name, sort, Role::Bound)
}
