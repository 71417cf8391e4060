//! A program in a store of its own.
//!
//! The normal form of a term depends on what else was built in its store before. A certificate is made in the store of an engine
//! and checked in a new one, and both must produce the same text. So both begin with this copy, whose store depends on the
//! program alone.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use tenet_system::recursive::{
    Abstraction, Atom, Clause, Entailment, Goal, Predicate, Process, Program, Safety, State, Transition,
};
use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

use crate::walk::postorder;

/// A copy, and the mapping of sorts.
#[derive(Debug)]
pub(super) struct Copy {
    /// The program, with nothing else in its store.
    pub(super) program: Program,
    /// The sorts that it mentions, in the original and in the copy.
    pub(super) sorts: Vec<(SortId, SortId)>,
}

pub(super) fn copy(program: &Program) -> Copy {
    let mut copier = Copier {
        from: &program.store,
        to: TermStore::new(),
        sorts: IndexMap::default(),
        terms: FxHashMap::default(),
    };
    let predicates = program.predicates.iter().map(|predicate| copier.predicate(predicate)).collect();
    let obligations = program.obligations.iter().map(|entailment| copier.entailment(entailment)).collect();
    let process = program.process.as_ref().map(|process| copier.process(process));
    let sorts = copier.sorts.into_iter().collect();
    Copy { program: Program { store: copier.to, predicates, obligations, process }, sorts }
}

struct Copier<'a> {
    from: &'a TermStore,
    to: TermStore,
    sorts: IndexMap<SortId, SortId, FxBuildHasher>,
    terms: FxHashMap<TermId, TermId>,
}

impl Copier<'_> {
    fn predicate(&mut self, predicate: &Predicate) -> Predicate {
        Predicate {
            name: predicate.name.clone(),
            source: predicate.source,
            sorts: self.all_sorts(&predicate.sorts),
            rules: predicate.rules.iter().map(|rule| self.rule(rule)).collect(),
        }
    }

    fn rule(&mut self, rule: &Clause) -> Clause {
        Clause {
            source: rule.source,
            variables: self.symbols(&rule.variables),
            head: self.all_terms(&rule.head),
            constraint: self.term(rule.constraint),
            atoms: self.atoms(&rule.atoms),
        }
    }

    fn entailment(&mut self, entailment: &Entailment) -> Entailment {
        Entailment {
            name: entailment.name.clone(),
            source: entailment.source,
            variables: self.symbols(&entailment.variables),
            left: self.goal(&entailment.left),
            existentials: self.symbols(&entailment.existentials),
            right: self.goal(&entailment.right),
        }
    }

    fn process(&mut self, process: &Process) -> Process {
        Process {
            name: process.name.clone(),
            sorts: self.all_sorts(&process.sorts),
            parameters: self.symbols(&process.parameters),
            transitions: process.transitions.iter().map(|transition| self.transition(transition)).collect(),
            start: self.state(&process.start),
            abstractions: process.abstractions.iter().map(|one| self.abstraction(one)).collect(),
            properties: process.properties.iter().map(|property| self.property(property)).collect(),
        }
    }

    fn transition(&mut self, transition: &Transition) -> Transition {
        Transition {
            source: transition.source,
            name: transition.name.clone(),
            variables: self.symbols(&transition.variables),
            from: self.all_terms(&transition.from),
            goal: self.goal(&transition.goal),
            to: self.all_terms(&transition.to),
        }
    }

    fn state(&mut self, state: &State) -> State {
        State {
            source: state.source,
            variables: self.symbols(&state.variables),
            args: self.all_terms(&state.args),
            goal: self.goal(&state.goal),
        }
    }

    fn abstraction(&mut self, abstraction: &Abstraction) -> Abstraction {
        Abstraction {
            source: abstraction.source,
            name: abstraction.name.clone(),
            at: self.state(&abstraction.at),
            by: self.state(&abstraction.by),
        }
    }

    fn property(&mut self, property: &Safety) -> Safety {
        Safety {
            source: property.source,
            name: property.name.clone(),
            state: self.state(&property.state),
            existentials: self.symbols(&property.existentials),
            right: self.goal(&property.right),
        }
    }

    fn goal(&mut self, goal: &Goal) -> Goal {
        Goal { atoms: self.atoms(&goal.atoms), constraint: self.term(goal.constraint) }
    }

    fn atoms(&mut self, atoms: &[Atom]) -> Vec<Atom> {
        let copied =
            atoms.iter().map(|atom| Atom { predicate: atom.predicate, args: self.all_terms(&atom.args) });
        copied.collect()
    }

    fn all_terms(&mut self, terms: &[TermId]) -> Vec<TermId> {
        terms.iter().map(|&term| self.term(term)).collect()
    }

    fn term(&mut self, term: TermId) -> TermId {
        let from = self.from;
        for part in postorder(from, [term]) {
            if !self.terms.contains_key(&part) {
                let args: Vec<TermId> = from.args(part).iter().map(|arg| self.terms[arg]).collect();
                let op = self.op(from.op(part));
                let copied = self.to.raw(op, &args);
                self.terms.insert(part, copied);
            }
        }
        self.terms[&term]
    }

    fn op(&mut self, op: &Op) -> Op {
        match op {
            Op::Symbol(symbol) => Op::Symbol(self.symbol(*symbol)),
            Op::Forall(bound) => Op::Forall(self.symbols(bound).into()),
            Op::Exists(bound) => Op::Exists(self.symbols(bound).into()),
            Op::Lambda(bound) => Op::Lambda(self.symbols(bound).into()),
            Op::Enum(sort, position) => Op::Enum(self.sort(*sort), *position),
            Op::Index(sort, position) => Op::Index(self.sort(*sort), *position),
            Op::In(union, member) => Op::In(self.sort(*union), self.sort(*member)),
            Op::Is(member) => Op::Is(self.sort(*member)),
            Op::Out(member) => Op::Out(self.sort(*member)),
            op => op.clone(),
        }
    }

    fn symbols(&mut self, symbols: &[SymbolId]) -> Vec<SymbolId> {
        symbols.iter().map(|&symbol| self.symbol(symbol)).collect()
    }

    fn symbol(&mut self, symbol: SymbolId) -> SymbolId {
        let declared = self.from.symbol(symbol);
        let sort = self.sort(declared.sort);
        self.to.declare(&declared.name, sort, declared.role)
    }

    fn all_sorts(&mut self, sorts: &[SortId]) -> Vec<SortId> {
        sorts.iter().map(|&sort| self.sort(sort)).collect()
    }

    fn sort(&mut self, sort: SortId) -> SortId {
        if let Some(&known) = self.sorts.get(&sort) {
            return known;
        }
        let copied = match self.from.sort(sort) {
            Sort::Union { name, members } => {
                Sort::Union { name: name.clone(), members: self.all_sorts(members) }
            }
            Sort::Function { args, result } => {
                Sort::Function { args: self.all_sorts(args), result: self.sort(*result) }
            }
            plain => plain.clone(),
        };
        let copied = self.to.mk_sort(copied);
        self.sorts.insert(sort, copied);
        copied
    }
}
