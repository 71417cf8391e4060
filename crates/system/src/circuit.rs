//! Circuits: systems with one startstate and one rule, over truth values, bit-vectors and memories of these.
//!
//! That is what hardware description languages give. The parameters of the rule are the inputs, its guard is what is
//! assumed of them, and it is taken once in each clock cycle. A property may speak of the inputs of the cycle, too: it is
//! then said of all inputs that satisfy the assumptions. [`Circuit`] is this view of a [`System`], for engines that need
//! a function for each register rather than rules.

use crate::system::System;
use tenet_term::{Op, Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

/// A system as a circuit. All terms live in the system's store.
#[derive(Clone, Debug)]
pub struct Circuit {
    /// The registers and memories, in the order of [`System::state`].
    pub state: Vec<SymbolId>,
    /// The inputs: parameters of the rule, and behind them those that only properties have.
    pub inputs: Vec<SymbolId>,
    /// How many of the inputs are parameters of the rule.
    pub step_inputs: usize,
    /// What is arbitrary in the initial states (parameters of the startstate).
    pub arbitrary: Vec<SymbolId>,
    /// The constraint on it.
    pub start: TermId,
    /// The first value of each register, over what is arbitrary.
    pub initial: Vec<TermId>,
    /// The next value of each register, over state and inputs.
    pub next: Vec<TermId>,
    /// The assumption on each cycle, over state and inputs.
    pub constraint: TermId,
    /// For each property of the system its negation, over state and inputs. Where the property rests on the
    /// assumptions, they are part of it.
    pub bad: Vec<TermId>,
}

impl Circuit {
    /// The view, if the system is a circuit. Adds symbols and terms to the store, nothing else.
    pub fn of(system: &mut System) -> Option<Circuit> {
        let ([start], [rule]) = (system.starts.as_slice(), system.rules.as_slice()) else { return None };
        let (start, rule) = (start.clone(), rule.clone());
        let nothing_else =
            system.consts.is_empty() && system.axioms.is_empty() && system.definitions.is_empty();
        let state: Vec<SymbolId> = system.state.iter().map(|var| var.symbol).collect();
        let symbols = state.iter().chain(&rule.params).chain(&start.params);
        let are_bits = symbols.into_iter().all(|&symbol| is_of_bits(&system.store, symbol));
        if !nothing_else || !are_bits {
            return None;
        }
        let store = &mut system.store;
        let next = state.iter().map(|&symbol| {
            let update = rule.updates.iter().find(|(updated, _)| *updated == symbol);
            update.map_or_else(|| store.mk_symbol(symbol), |&(_, value)| value)
        });
        let next = next.collect();
        let mut inputs = rule.params.clone();
        let formulas: Vec<TermId> = system.properties.iter().map(|property| property.formula).collect();
        let bad: Option<Vec<TermId>> =
            formulas.into_iter().map(|formula| violation(store, formula, &mut inputs)).collect();
        let circuit = Circuit {
            state,
            step_inputs: rule.params.len(),
            inputs,
            arbitrary: start.params,
            start: start.constraint,
            initial: start.values,
            next,
            constraint: rule.guard,
            bad: bad?,
        };
        Some(circuit.stuttering(store))
    }

    /// In a circuit what is assumed is assumed in the cycle in which something bad happens, too. A rule whose guard is false is only
    /// not taken, and the state that it is not taken in counts all the same. If a property speaks of such states, the state
    /// stays as it is there, and nothing is assumed.
    fn stuttering(mut self, store: &mut TermStore) -> Circuit {
        let assumed = store.conjuncts(self.constraint);
        let is_within = |bad: TermId| {
            let parts = premises(store, bad);
            bad == TermId::FALSE || assumed.iter().all(|part| *part == TermId::TRUE || parts.contains(part))
        };
        if self.bad.iter().copied().all(is_within) {
            return self;
        }
        for (&symbol, next) in self.state.iter().zip(&mut self.next) {
            let now = store.mk_symbol(symbol);
            *next = store.mk_ite(self.constraint, *next, now);
        }
        self.constraint = TermId::TRUE;
        self
    }

    /// The state in the next cycle in place of that in this one.
    pub fn step(&self, store: &mut TermStore) -> Substitution {
        let pairs = self.state.iter().copied().zip(self.next.iter().copied());
        Substitution::from_pairs(store, pairs)
    }
}

/// The conjuncts of the negation of an implication.
fn premises(store: &TermStore, bad: TermId) -> Vec<TermId> {
    let mut parts = store.conjuncts(bad);
    let (Op::Not, &[mut formula]) = (store.op(bad), store.args(bad)) else { return parts };
    while let (Op::Implies, &[left, right]) = (store.op(formula), store.args(formula)) {
        parts.extend(store.conjuncts(left));
        formula = right;
    }
    parts
}

/// The negation of a property, with inputs in place of what it says of everything: those of the same name if there are
/// any, so that what both speak of is the same term.
fn violation(store: &mut TermStore, formula: TermId, inputs: &mut Vec<SymbolId>) -> Option<TermId> {
    let Op::Forall(bound) = store.op(formula).clone() else { return Some(store.mk_not(formula)) };
    let mut terms = Vec::new();
    for &symbol in &bound {
        let (name, sort) = (store.symbol(symbol).name.clone(), store.symbol(symbol).sort);
        let same =
            |known: &&SymbolId| store.symbol(**known).name == name && store.symbol(**known).sort == sort;
        let input = match inputs.iter().find(same) {
            Some(&input) => input,
            None if is_of_bits(store, symbol) => {
                let input = store.declare(&name, sort, Role::Input);
                inputs.push(input);
                input
            }
            None => return None,
        };
        terms.push(store.mk_symbol(input));
    }
    let instance = store.instantiate(formula, &terms);
    Some(store.mk_not(instance))
}

/// Is it a truth value, a bit-vector, or a memory of these?
fn is_of_bits(store: &TermStore, symbol: SymbolId) -> bool {
    let is_word = |sort: SortId| matches!(store.sort(sort), Sort::Bool | Sort::BitVec(_));
    match store.sort(store.symbol(symbol).sort) {
        Sort::Function { args, result } => args.len() == 1 && is_word(args[0]) && is_word(*result),
        Sort::Bool | Sort::BitVec(_) => true,
        _ => false,
    }
}
