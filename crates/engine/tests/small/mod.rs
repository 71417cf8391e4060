//! The smallest systems of the acceptance checks, built from terms, and a watcher that never stops anything.

#![allow(dead_code)] // Each test file uses its own part.

use tenet_engine::reach::{Details, Instances, Options, reach};
use tenet_engine::{Alone, Outcome};
use tenet_system::finite::program::Source;
use tenet_system::{
    Axiom, Bounds, Hint, HintTarget, IndexVar, Predicate, Property, PropertyKind, Rule, Start, StateVar,
    System,
};
use tenet_term::{Role, SortId, SymbolId, TermId, TermStore};

/// Builds a system piece by piece.
pub struct Builder {
    pub system: System,
}

pub const HERE: Source = Source { start: 0, end: 0 };

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    pub fn new() -> Builder {
        Builder { system: System::default() }
    }

    pub fn store(&mut self) -> &mut TermStore {
        &mut self.system.store
    }

    pub fn state(&mut self, name: &str, sort: SortId) -> SymbolId {
        let symbol = self.store().declare(name, sort, Role::State);
        let args = match self.system.store.sort(sort) {
            tenet_term::Sort::Function { args, .. } => vec![Bounds::default(); args.len()],
            _ => Vec::new(),
        };
        self.system.state.push(StateVar { symbol, args, value: Bounds::default() });
        symbol
    }

    pub fn constant(&mut self, name: &str, sort: SortId) -> TermId {
        let symbol = self.store().declare(name, sort, Role::Const);
        self.system.consts.push(symbol);
        self.store().mk_symbol(symbol)
    }

    pub fn index(&mut self, name: &str, sort: SortId) -> TermId {
        let symbol = self.store().declare(name, sort, Role::Index);
        self.system.indices.push(IndexVar { symbol, bounds: Bounds::default() });
        self.store().mk_symbol(symbol)
    }

    pub fn input(&mut self, name: &str, sort: SortId) -> (SymbolId, TermId) {
        let symbol = self.store().declare(name, sort, Role::Input);
        let term = self.store().mk_symbol(symbol);
        (symbol, term)
    }

    pub fn bound(&mut self, name: &str, sort: SortId) -> (SymbolId, TermId) {
        let symbol = self.store().declare(name, sort, Role::Bound);
        let term = self.store().mk_symbol(symbol);
        (symbol, term)
    }

    pub fn start(&mut self, params: Vec<SymbolId>, constraint: TermId, values: Vec<TermId>) {
        let name = "start".to_string();
        self.system.starts.push(Start { name, source: HERE, params, constraint, values });
    }

    pub fn rule(
        &mut self,
        name: &str,
        params: Vec<SymbolId>,
        guard: TermId,
        updates: Vec<(SymbolId, TermId)>,
    ) {
        let (name, shown_params) = (name.to_string(), params.len());
        self.system.rules.push(Rule { name, source: HERE, params, shown_params, guard, updates });
    }

    pub fn predicate(&mut self, formula: TermId) {
        let name = self.system.store.print(formula);
        self.system.predicates.push(Predicate { name, source: HERE, formula });
    }

    pub fn axiom(&mut self, formula: TermId) {
        self.system.axioms.push(Axiom { name: "axiom".to_string(), source: HERE, formula });
    }

    pub fn property(&mut self, formula: TermId) {
        let (name, kind) = ("property".to_string(), PropertyKind::Invariant);
        self.system.properties.push(Property { name, source: HERE, kind, formula });
    }

    pub fn force(&mut self, index: TermId, term: TermId) {
        let symbol = self.system.store.as_symbol(index).expect("an index variable");
        let target = HintTarget::Indices(vec![symbol]);
        self.system.hints.push(Hint { source: HERE, force: true, rule: None, target, terms: vec![term] });
    }
}

/// QI-A6: `F[i] := F[i + 1]`, starting from the identity; nonnegative places keep nonnegative values.
pub struct Shift {
    pub builder: Builder,
    pub x: TermId,
    pub next: TermId,
}

pub fn f_shift() -> Shift {
    let mut b = Builder::new();
    let sort = b.store().function_sort(&[SortId::INT], SortId::INT);
    let f = b.state("F", sort);
    let f_term = b.store().mk_symbol(f);
    let (u, u_term) = b.bound("u", SortId::INT);
    let identity = b.store().mk_lambda(&[u], u_term);
    b.start(Vec::new(), TermId::TRUE, vec![identity]);
    let (i, i_term) = b.input("i", SortId::INT);
    let one = b.store().mk_int(1);
    let next = b.store().mk_add([i_term, one]);
    let read = b.store().mk_apply(f_term, &[next]);
    let written = b.store().mk_store(f_term, &[i_term], read);
    b.rule("step", vec![i], TermId::TRUE, vec![(f, written)]);
    let x = b.index("x", SortId::INT);
    let zero = b.store().mk_int(0);
    let at_x = b.store().mk_apply(f_term, &[x]);
    let p = b.store().mk_ge(at_x, zero);
    let q = b.store().mk_ge(x, zero);
    b.predicate(p);
    b.predicate(q);
    let at_u = b.store().mk_apply(f_term, &[u_term]);
    let (left, right) = (b.store().mk_ge(u_term, zero), b.store().mk_ge(at_u, zero));
    let body = b.store().mk_implies(left, right);
    let property = b.store().mk_forall(&[u], body);
    b.property(property);
    Shift { builder: b, x, next }
}

/// QI-A9: counts how often each nonnegative place was hit, up to two.
pub fn frontier() -> (Builder, TermId, TermId) {
    let mut b = Builder::new();
    let sort = b.store().function_sort(&[SortId::INT], SortId::INT);
    let f = b.state("f", sort);
    let f_term = b.store().mk_symbol(f);
    let (u, u_term) = b.bound("u", SortId::INT);
    let [zero, one, two] = [0, 1, 2].map(|number| b.store().mk_int(number));
    let start = b.store().mk_lambda(&[u], zero);
    b.start(Vec::new(), TermId::TRUE, vec![start]);
    let (i, i_term) = b.input("i", SortId::INT);
    let (here, nonnegative) = (b.store().mk_eq(u_term, i_term), b.store().mk_ge(i_term, zero));
    let condition = b.store().mk_and([here, nonnegative]);
    let old = b.store().mk_apply(f_term, &[u_term]);
    let new = b.store().mk_add([old, one]);
    let value = b.store().mk_ite(condition, new, old);
    let update = b.store().mk_lambda(&[u], value);
    b.rule("count", vec![i], TermId::TRUE, vec![(f, update)]);
    let x = b.index("x", SortId::INT);
    let at_x = b.store().mk_apply(f_term, &[x]);
    for (left, right) in [(at_x, one), (at_x, two), (x, zero)] {
        let predicate = b.store().mk_ge(left, right);
        b.predicate(predicate);
    }
    let at_u = b.store().mk_apply(f_term, &[u_term]);
    let small = b.store().mk_lt(at_u, two);
    let property = b.store().mk_forall(&[u], small);
    b.property(property);
    (b, x, i_term)
}

/// Runs the engine on all properties.
pub fn run_with(system: &mut System, options: &Options) -> Outcome {
    let all: Vec<usize> = (0..system.properties.len()).collect();
    reach(system, &all, options, &mut Alone)
}

pub fn details(outcome: &Outcome) -> &Details {
    Details::of(outcome).expect("they are those of `reach`")
}

/// Runs the engine in strict mode, without deepening.
pub fn run(system: &mut System, instances: Instances) -> Outcome {
    let options = Options { strict: true, instances, ..Options::default() };
    run_with(system, &options)
}

pub fn generated(system: &mut System) -> Outcome {
    run(system, Instances::Generated { deepenings: 0 })
}

pub fn forced(system: &mut System) -> Outcome {
    run(system, Instances::Forced)
}

pub fn sizes(outcome: &Outcome) -> Vec<u128> {
    details(outcome).iterations.iter().map(|iteration| iteration.states).collect()
}

pub fn is_proved(outcome: &Outcome) -> bool {
    details(outcome).is_complete && outcome.is_proof()
}

/// The invariant as text, one lemma each.
pub fn invariant(system: &mut System, outcome: &Outcome) -> Vec<String> {
    let formulas: Vec<TermId> =
        outcome.lemmas().iter().map(|lemma| lemma.formula(&mut system.store)).collect();
    formulas.into_iter().map(|formula| system.store.print(formula)).collect()
}
