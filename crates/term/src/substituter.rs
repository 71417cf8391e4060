//! The machine behind substitution and beta reduction.
//!
//! Work is shared: the memo is keyed by term and *environment*. A binder opens a new environment only if it shadows a
//! replaced symbol or must be renamed, which is rare, so that a formula is visited once however often it is shared.
//! The alternative, de Bruijn indices, makes substitution trivial and everything else (printing, instantiation,
//! engines that hold bodies apart from binders) harder.
//! Beta reduction runs on the same stack as everything else: an applied lambda is its body in an environment of its own.
//! Calling the substitution again from inside would nest as deeply as the input nests its lambdas.

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::id::{SymbolId, TermId};
use crate::store::TermStore;
use crate::substitute::{Building, Substitution};
use crate::symbol::Role;
use crate::term::{Args, Op};

/// A substitution with its memo, for use on several terms.
#[derive(Debug)]
pub struct Substituter {
    building: Building,
    environments: Vec<Environment>,
    arguments: IndexSet<Args, FxBuildHasher>,
    memo: FxHashMap<Goal, TermId>,
    opened: FxHashMap<(TermId, u32), Opened>,
    tasks: Vec<Task>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Goal {
    Term(TermId, u32),
    /// A function, already substituted, applied to arguments.
    Applied(TermId, u32),
}

#[derive(Clone, Copy, Debug)]
enum Task {
    Start(Goal),
    /// The parts have results; put them together.
    Finish(Goal),
    /// The second goal has a result; it is also that of the first.
    Copy(Goal, Goal),
}

#[derive(Debug)]
struct Environment {
    map: IndexMap<SymbolId, TermId, FxBuildHasher>,
    /// Are only bound symbols replaced, as in beta reduction? Then most subterms are not concerned.
    only_bound: bool,
}

/// A binder whose body could not be visited in the environment of the binder itself.
#[derive(Debug)]
struct Opened {
    /// The environment of the body.
    below: u32,
    bound: Box<[SymbolId]>,
}

impl Substituter {
    pub fn new(store: &TermStore, substitution: &Substitution, building: Building) -> Substituter {
        Substituter {
            building,
            environments: vec![Environment::new(store, substitution.map.clone())],
            arguments: IndexSet::default(),
            memo: FxHashMap::default(),
            opened: FxHashMap::default(),
            tasks: Vec::new(),
        }
    }

    /// The term with the substitution applied.
    pub fn apply(&mut self, store: &mut TermStore, term: TermId) -> TermId {
        if self.environments[0].map.is_empty() {
            return term;
        }
        self.run(store, Goal::Term(term, 0))
    }

    /// `function[args]` without lambdas or `?:` in function position, as far as `function` shows them. Done in raw
    /// building too: what is written there is the outcome of a substitution, which is to be lambda-free.
    pub(crate) fn reduce(
        store: &mut TermStore,
        building: Building,
        function: TermId,
        args: &[TermId],
    ) -> TermId {
        if !is_reducible(store, function) {
            return store.raw_apply(function, args);
        }
        let mut machine = Substituter::new(store, &Substitution::new(), building);
        let goal = machine.applied(function, args);
        machine.run(store, goal)
    }

    fn run(&mut self, store: &mut TermStore, goal: Goal) -> TermId {
        self.tasks.push(Task::Start(goal));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Start(goal) if self.memo.contains_key(&goal) => {}
                Task::Start(Goal::Term(term, environment)) => self.start_term(store, term, environment),
                Task::Start(goal @ Goal::Applied(function, args)) => {
                    self.start_applied(store, goal, function, args);
                }
                Task::Finish(goal @ Goal::Term(term, environment)) => {
                    self.finish_term(store, goal, term, environment);
                }
                Task::Finish(goal @ Goal::Applied(function, args)) => {
                    self.finish_choice(store, goal, function, args);
                }
                Task::Copy(to, from) => {
                    self.memo.insert(to, self.memo[&from]);
                }
            }
        }
        self.memo[&goal]
    }

    fn start_term(&mut self, store: &mut TermStore, term: TermId, environment: u32) {
        let goal = Goal::Term(term, environment);
        if let Some(result) = self.environments[environment as usize].leaf(store, term) {
            self.memo.insert(goal, result);
            return;
        }
        let below = self.environment_below(store, term, environment);
        self.tasks.push(Task::Finish(goal));
        let args = store.args(term).iter().rev();
        self.tasks.extend(args.map(|&arg| Task::Start(Goal::Term(arg, below))));
    }

    fn finish_term(&mut self, store: &mut TermStore, goal: Goal, term: TermId, environment: u32) {
        let opened = self.opened.get(&(term, environment));
        let below = opened.map_or(environment, |opened| opened.below);
        let args: Args = store.args(term).iter().map(|&arg| self.memo[&Goal::Term(arg, below)]).collect();
        let renamed = opened.is_some_and(|opened| *opened.bound != *store.op(term).bound());
        if !renamed && args[..] == *store.args(term) {
            self.memo.insert(goal, term);
            return;
        }
        let op = match (store.op(term), opened) {
            (Op::Forall(_), Some(opened)) => Op::Forall(opened.bound.clone()),
            (Op::Exists(_), Some(opened)) => Op::Exists(opened.bound.clone()),
            (Op::Lambda(_), Some(opened)) => Op::Lambda(opened.bound.clone()),
            (op, _) => op.clone(),
        };
        if op == Op::Apply && is_reducible(store, args[0]) {
            let applied = self.applied(args[0], &args[1..]);
            self.tasks.extend([Task::Copy(goal, applied), Task::Start(applied)]);
            return;
        }
        let result = self.building.build(store, op, &args);
        self.memo.insert(goal, result);
    }

    fn applied(&mut self, function: TermId, args: &[TermId]) -> Goal {
        let (index, _) = self.arguments.insert_full(Args::from_slice(args));
        Goal::Applied(function, index as u32)
    }

    fn start_applied(&mut self, store: &mut TermStore, goal: Goal, function: TermId, args: u32) {
        match (store.op(function), store.args(function)) {
            (Op::Ite, &[_, yes, no]) => {
                self.tasks.push(Task::Finish(goal));
                let branches = [no, yes].map(|branch| Task::Start(Goal::Applied(branch, args)));
                self.tasks.extend(branches);
            }
            (Op::Lambda(bound), &[body]) => {
                let values = &self.arguments[args as usize];
                assert_eq!(bound.len(), values.len(), "invariant: one argument for each bound symbol");
                let pairs: Vec<_> = bound.iter().copied().zip(values.iter().copied()).collect();
                let map = Substitution::from_pairs(store, pairs).map;
                let inside = Goal::Term(body, self.open(Environment::new(store, map)));
                self.tasks.extend([Task::Copy(goal, inside), Task::Start(inside)]);
            }
            _ => {
                let result = store.raw_apply(function, &self.arguments[args as usize]);
                self.memo.insert(goal, result);
            }
        }
    }

    /// Both branches of a function chosen by a condition have been applied.
    fn finish_choice(&mut self, store: &mut TermStore, goal: Goal, function: TermId, args: u32) {
        let [condition, yes, no] = [0, 1, 2].map(|index| store.args(function)[index]);
        let [yes, no] = [yes, no].map(|branch| self.memo[&Goal::Applied(branch, args)]);
        let result = self.building.build(store, Op::Ite, &[condition, yes, no]);
        self.memo.insert(goal, result);
    }

    fn open(&mut self, environment: Environment) -> u32 {
        self.environments.push(environment);
        self.environments.len() as u32 - 1
    }

    /// The environment in which the operands are visited: a new one if the term binds a symbol that is replaced or
    /// that a replacement mentions.
    fn environment_below(&mut self, store: &mut TermStore, term: TermId, environment: u32) -> u32 {
        if !store.op(term).is_binder() {
            return environment;
        }
        let bound: Box<[SymbolId]> = store.op(term).bound().into();
        let current = &self.environments[environment as usize];
        let shadows = bound.iter().any(|symbol| current.map.contains_key(symbol));
        let clashing = current.captured_by(store, term, &bound);
        if !shadows && clashing.is_empty() {
            return environment;
        }
        let mut map = current.map.clone();
        map.retain(|symbol, _| !bound.contains(symbol));
        let mut avoid: Vec<SymbolId> = bound.to_vec();
        avoid.extend(map.values().flat_map(|&replacement| store.free_bound(replacement)));
        avoid.extend_from_slice(store.free_bound(store.args(term)[0]));
        let mut renamed = bound;
        for symbol in renamed.iter_mut().filter(|symbol| clashing.contains(symbol)) {
            let (name, sort) = (store.symbol(*symbol).name.clone(), store.symbol(*symbol).sort);
            let other = store.bound_avoiding(&name, sort, &avoid);
            avoid.push(other);
            let replacement = store.mk_symbol(other);
            map.insert(*symbol, replacement);
            *symbol = other;
        }
        let below = self.open(Environment::new(store, map));
        self.opened.insert((term, environment), Opened { below, bound: renamed });
        below
    }
}

impl Environment {
    fn new(store: &TermStore, map: IndexMap<SymbolId, TermId, FxBuildHasher>) -> Environment {
        let only_bound = map.keys().all(|&symbol| store.symbol(symbol).role == Role::Bound);
        Environment { map, only_bound }
    }

    /// The result for a term, if it takes no look at operands.
    fn leaf(&self, store: &TermStore, term: TermId) -> Option<TermId> {
        let concerned = |symbol| self.map.contains_key(symbol);
        if self.only_bound && !store.free_bound(term).iter().any(concerned) {
            return Some(term);
        }
        match store.op(term) {
            Op::Symbol(symbol) => Some(self.map.get(symbol).copied().unwrap_or(term)),
            op if op.is_literal() => Some(term),
            _ => None,
        }
    }

    /// Which of the symbols bound by `binder` would capture one that is free in a replacement made below it?
    fn captured_by(&self, store: &TermStore, binder: TermId, bound: &[SymbolId]) -> Vec<SymbolId> {
        let captures = |term| store.free_bound(term).iter().any(|symbol| bound.contains(symbol));
        let risky: Vec<_> = self.map.iter().filter(|&(_, &term)| captures(term)).collect();
        if risky.is_empty() {
            return Vec::new();
        }
        let occurring = store.free_symbols(binder);
        let made = risky.into_iter().filter(|(symbol, _)| occurring.binary_search(symbol).is_ok());
        let exposed = made.flat_map(|(_, &term)| store.free_bound(term).iter().copied());
        exposed.filter(|symbol| bound.contains(symbol)).collect()
    }
}

fn is_reducible(store: &TermStore, function: TermId) -> bool {
    matches!(store.op(function), Op::Ite | Op::Lambda(_))
}
