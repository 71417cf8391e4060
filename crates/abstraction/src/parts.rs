//! From a system and substitutions to the formulas of a query (Lahiri and Bryant, sections 7 and 8; QI-T5).

use tenet_system::{Hint, HintTarget, System, domain};
use tenet_term::{SortId, Substitution, SymbolId, TermId, TermStore};

use crate::query::Parts;
use crate::substitutions::{Generated, Sources, forced, generate};

/// What an abstraction observes of a system, and what it may take for granted of every state.
#[derive(Clone, Debug)]
pub struct Observation {
    pub predicates: Vec<TermId>,
    /// Closed formulas that hold in every state by assumption. As they hold before a step and after it, both may be
    /// used, which is stronger than restricting valuations (QI-T4).
    pub axioms: Vec<TermId>,
    /// Closed formulas that every reachable state is promised to satisfy; used before a step only, because that the step
    /// keeps them is to be shown.
    pub promises: Vec<TermId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Generated(usize),
    Forced,
}

impl Origin {
    /// How deep instances go. Where substitutions are given, quantifiers still have to find theirs.
    pub fn depth(self) -> usize {
        match self {
            Origin::Generated(depth) => depth,
            Origin::Forced => 1,
        }
    }
}

impl Observation {
    /// What the system's own predicates observe.
    pub fn of(system: &mut System) -> Observation {
        let promises = system.value_lemmas();
        let is_defined = |symbol: &SymbolId| system.definitions.iter().any(|known| known.symbol == *symbol);
        let consts: Vec<SymbolId> =
            system.consts.iter().copied().filter(|symbol| !is_defined(symbol)).collect();
        let mut axioms: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
        axioms.extend(domains(&mut system.store, &consts));
        Observation {
            predicates: system.predicates.iter().map(|predicate| predicate.formula).collect(),
            axioms,
            promises: promises.iter().map(|lemma| lemma.formula(&mut system.store)).collect(),
        }
    }

    /// The question which valuations a startstate has: formula (12). Symbols that two initial values share stay shared
    /// (QI-T9).
    pub fn start(&self, system: &mut System, start: usize) -> Parts {
        let start = system.starts[start].clone();
        let symbols = system.state.iter().map(|var| var.symbol);
        let values = Substitution::from_pairs(&system.store, symbols.zip(start.values.iter().copied()));
        let store = &mut system.store;
        let mut always = vec![start.constraint];
        always.extend(domains(store, &start.params));
        always.extend(self.axioms.iter().map(|&axiom| store.substitute(axiom, &values)));
        let posts = self.predicates.iter().map(|&predicate| store.substitute(predicate, &values)).collect();
        always.extend(index_ranges(system));
        Parts { always, instances: Vec::new(), posts }
    }

    /// The question which valuations a rule leads to: formula (13). The index variables in substitutions are those of the
    /// predicates after the step (QI-T3).
    pub fn rule(&self, system: &mut System, rule: usize, substitutions: &[Substitution]) -> Parts {
        let (guard, posts, update) = self.after(system, rule);
        let mut always = vec![guard];
        always.extend(rule_domains(system, rule));
        let store = &mut system.store;
        always.extend(&self.axioms);
        always.extend(&self.promises);
        always.extend(self.axioms.iter().map(|&axiom| store.substitute(axiom, &update)));
        always.extend(index_ranges(system));
        Parts { always, instances: self.instances(system, substitutions), posts }
    }

    /// The question whether a startstate can break one of these promises.
    pub fn broken_at_start(&self, system: &mut System, start: usize, promises: &[TermId]) -> Parts {
        let start = system.starts[start].clone();
        let symbols = system.state.iter().map(|var| var.symbol);
        let values = Substitution::from_pairs(&system.store, symbols.zip(start.values.iter().copied()));
        let mut always = vec![start.constraint, broken(&mut system.store, promises, &values)];
        always.extend(domains(&mut system.store, &start.params));
        always.extend(self.axioms.iter().map(|&axiom| system.store.substitute(axiom, &values)));
        Parts { always, instances: Vec::new(), posts: Vec::new() }
    }

    /// The question whether a rule can break one of these promises. Nothing is assumed of the index variables here: that
    /// there are values in their ranges is not known.
    pub fn broken_by_rule(
        &self,
        system: &mut System,
        rule: usize,
        substitutions: &[Substitution],
        promises: &[TermId],
    ) -> Parts {
        let update = Substitution::from_pairs(&system.store, system.rules[rule].updates.iter().copied());
        let mut always = vec![system.rules[rule].guard, broken(&mut system.store, promises, &update)];
        always.extend(rule_domains(system, rule));
        always.extend(&self.axioms);
        always.extend(&self.promises);
        always.extend(self.axioms.iter().map(|&axiom| system.store.substitute(axiom, &update)));
        Parts { always, instances: self.instances(system, substitutions), posts: Vec::new() }
    }

    /// The question whether a state can be in the set and satisfy these formulas.
    pub fn state(&self, system: &mut System, formulas: &[TermId], substitutions: &[Substitution]) -> Parts {
        let mut always = formulas.to_vec();
        always.extend(&self.axioms);
        always.extend(&self.promises);
        Parts { always, instances: self.instances(system, substitutions), posts: Vec::new() }
    }

    /// The guard of a rule, the predicates after it, and its update.
    fn after(&self, system: &mut System, rule: usize) -> (TermId, Vec<TermId>, Substitution) {
        let rule = &system.rules[rule];
        let update = Substitution::from_pairs(&system.store, rule.updates.iter().copied());
        let guard = rule.guard;
        let posts = self.predicates.iter().map(|&predicate| system.store.substitute(predicate, &update));
        let posts = posts.collect();
        (guard, posts, update)
    }

    fn instances(&self, system: &mut System, substitutions: &[Substitution]) -> Vec<(TermId, Vec<TermId>)> {
        substitutions
            .iter()
            .map(|substitution| {
                let guards: Vec<TermId> = (0..system.indices.len())
                    .map(|place| {
                        let var = system.indices[place];
                        let term = substitution.get(var.symbol);
                        let term = term.unwrap_or_else(|| system.store.mk_symbol(var.symbol));
                        var.guard(&mut system.store, term)
                    })
                    .collect();
                let guard = system.store.mk_and(guards);
                let values =
                    self.predicates.iter().map(|&predicate| system.store.substitute(predicate, substitution));
                (guard, values.collect())
            })
            .collect()
    }

    pub fn rule_substitutions(&self, system: &mut System, rule: usize, origin: Origin) -> Generated {
        let (guard, posts, _) = self.after(system, rule);
        let looked_at: Vec<TermId> = posts.into_iter().chain([guard]).collect();
        self.substitutions(system, &looked_at, Some(rule), true, origin)
    }

    /// The substitutions with which these formulas, about a single state, are compared with the set.
    pub fn state_substitutions(&self, system: &mut System, formulas: &[TermId], depth: usize) -> Generated {
        self.substitutions(system, formulas, None, false, Origin::Generated(depth))
    }

    fn substitutions(
        &self,
        system: &mut System,
        formulas: &[TermId],
        rule: Option<usize>,
        identity: bool,
        origin: Origin,
    ) -> Generated {
        let store = &mut system.store;
        let formulas: Vec<TermId> = formulas.iter().map(|&formula| store.lift_ites(formula)).collect();
        let is_about = |hint: &&Hint| hint.rule.is_none() || (rule.is_some() && hint.rule == rule);
        let hints: Vec<&Hint> = system.hints.iter().filter(is_about).collect();
        let sources = Sources {
            vars: &system.indices,
            predicates: &self.predicates,
            formulas: &formulas,
            hints: &hints,
            identity,
            depth: if let Origin::Generated(depth) = origin { depth } else { 0 },
        };
        match origin {
            Origin::Generated(_) => generate(store, &sources),
            Origin::Forced => forced(store, &sources),
        }
    }
}

/// That one of these formulas is false after a step.
fn broken(store: &mut TermStore, formulas: &[TermId], update: &Substitution) -> TermId {
    let after: Vec<TermId> = formulas.iter().map(|&formula| store.substitute(formula, update)).collect();
    let all = store.mk_and(after);
    store.mk_not(all)
}

/// That symbols have values of their sorts.
fn domains(store: &mut TermStore, symbols: &[SymbolId]) -> Vec<TermId> {
    let domains = symbols.iter().map(|&symbol| domain(store, symbol));
    domains.filter(|&formula| formula != TermId::TRUE).collect()
}

fn rule_domains(system: &mut System, rule: usize) -> Vec<TermId> {
    domains(&mut system.store, &system.rules[rule].params)
}

fn index_ranges(system: &mut System) -> Vec<TermId> {
    let store = &mut system.store;
    let guard = |store: &mut TermStore, var: &tenet_system::IndexVar| {
        let term = store.mk_symbol(var.symbol);
        var.guard(store, term)
    };
    system.indices.iter().map(|var| guard(store, var)).filter(|&formula| formula != TermId::TRUE).collect()
}

/// The terms that hints name for quantifiers over a sort, for a rule or for everything.
pub fn sort_hints(system: &System, rule: Option<usize>, force: bool) -> Vec<(SortId, TermId)> {
    let is_about = |hint: &&Hint| hint.force == force && (hint.rule.is_none() || hint.rule == rule);
    let sorted = |hint: &Hint| match hint.target {
        HintTarget::Sort(sort) => Some((sort, hint.terms[0])),
        HintTarget::Indices(_) => None,
    };
    system.hints.iter().filter(is_about).filter_map(sorted).collect()
}
