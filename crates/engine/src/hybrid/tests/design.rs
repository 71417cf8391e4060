//! Circuits that tests build piece by piece.

use super::super::program::Reading;
use super::super::search::Search;
use super::super::{Maker, Options};
use crate::Alone;
use tenet_solve::{BitSolver, Solver};
use tenet_system::{Predicate, Property, PropertyKind, Rule, Start, StateVar, System};
use tenet_term::{Role, SortId, SymbolId, TermId};

/// A circuit under construction.
pub struct Design {
    pub system: System,
}

impl Design {
    pub fn new() -> Design {
        let mut system = System::default();
        let start = Start {
            name: "start".to_string(),
            source: Default::default(),
            params: Vec::new(),
            constraint: TermId::TRUE,
            values: Vec::new(),
        };
        let rule = Rule {
            name: "step".to_string(),
            source: Default::default(),
            params: Vec::new(),
            shown_params: 0,
            guard: TermId::TRUE,
            updates: Vec::new(),
        };
        system.starts.push(start);
        system.rules.push(rule);
        Design { system }
    }

    /// A register of this many bits (a truth value for one); without a first value it begins with anything.
    pub fn register(&mut self, name: &str, width: u32, first: Option<u32>) -> TermId {
        let store = &mut self.system.store;
        let sort = if width == 1 { SortId::BOOL } else { store.bitvec_sort(width) };
        let symbol = store.declare(name, sort, Role::State);
        let value = match first {
            Some(value) if width == 1 => TermId::bool(value == 1),
            Some(value) => store.mk_bitvec(width, value),
            None => {
                let any = store.declare(&format!("any_{name}"), sort, Role::Initial);
                self.system.starts[0].params.push(any);
                store.mk_symbol(any)
            }
        };
        self.system.starts[0].values.push(value);
        self.system.state.push(StateVar { symbol, args: Vec::new(), value: Default::default() });
        self.system.store.mk_symbol(symbol)
    }

    pub fn input(&mut self, name: &str, width: u32) -> TermId {
        let store = &mut self.system.store;
        let sort = if width == 1 { SortId::BOOL } else { store.bitvec_sort(width) };
        let symbol = store.declare(name, sort, Role::Input);
        self.system.rules[0].params.push(symbol);
        self.system.rules[0].shown_params += 1;
        self.system.store.mk_symbol(symbol)
    }

    pub fn next(&mut self, register: TermId, value: TermId) {
        let symbol = self.symbol(register);
        self.system.rules[0].updates.push((symbol, value));
    }

    pub fn symbol(&self, term: TermId) -> SymbolId {
        self.system.store.as_symbol(term).expect("a symbol")
    }

    pub fn assume(&mut self, formula: TermId) {
        let guard = self.system.rules[0].guard;
        self.system.rules[0].guard = self.system.store.mk_and([guard, formula]);
    }

    pub fn branch(&mut self, formula: TermId) {
        let name = format!("branch {}", self.system.branches.len() + 1);
        self.system.branches.push(Predicate { name, source: Default::default(), formula });
    }

    /// What holds in every cycle, whatever the inputs are that the assumptions allow.
    pub fn property(&mut self, formula: TermId) {
        let guard = self.system.rules[0].guard;
        let store = &mut self.system.store;
        let formula = if guard == TermId::TRUE { formula } else { store.mk_implies(guard, formula) };
        let inputs = store.free_symbols(formula).into_iter().filter(|&s| store.symbol(s).role == Role::Input);
        let inputs: Vec<SymbolId> = inputs.collect();
        let mut bound = Vec::new();
        let mut put = tenet_term::Substitution::new();
        for input in inputs {
            let symbol = store.symbol(input).clone();
            let variable = store.declare(&symbol.name, symbol.sort, Role::Bound);
            let term = store.mk_symbol(variable);
            put.insert(store, input, term);
            bound.push(variable);
        }
        let body = store.substitute(formula, &put);
        let formula = if bound.is_empty() { body } else { store.mk_forall(&bound, body) };
        let name = format!("property {}", self.system.properties.len() + 1);
        let kind = PropertyKind::Invariant;
        self.system.properties.push(Property { name, source: Default::default(), kind, formula });
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        self.system.store.mk_not(a)
    }

    pub fn and(&mut self, args: &[TermId]) -> TermId {
        self.system.store.mk_and(args.iter().copied())
    }

    pub fn or(&mut self, args: &[TermId]) -> TermId {
        self.system.store.mk_or(args.iter().copied())
    }

    pub fn ite(&mut self, c: TermId, a: TermId, b: TermId) -> TermId {
        self.system.store.mk_ite(c, a, b)
    }

    pub fn eq(&mut self, word: TermId, value: u32) -> TermId {
        let width = self.system.store.width(word).expect("a word");
        let value = self.system.store.mk_bitvec(width, value);
        self.system.store.mk_eq(word, value)
    }

    /// A search for its first property, with that property's predicates.
    pub fn search<T>(&mut self, options: &Options, work: impl FnOnce(&mut Search<'_>) -> T) -> T {
        let reading = Reading::of(&mut self.system).expect("a circuit");
        let mut watch = Alone;
        let mut search = Search::new(&mut self.system, &reading, 0, options, solvers(), &mut watch);
        search.begin().expect("never cancelled");
        work(&mut search)
    }
}

pub fn solvers() -> Maker<'static> {
    &|| Box::new(BitSolver::new()) as Box<dyn Solver>
}
