//! Guarded-command programs read as circuits: which rule is taken is one more input of a cycle (Clarke et al., section 2, where
//! a program is any transition relation, and section 6, which names software as a use of the method).
//!
//! A cycle takes the rule that the choice names, if its guard holds. The guards are branch conditions, atom by atom. Constants
//! stay what they are: symbols that never change. What is known of them and the types of variables is assumed of every
//! cycle; that variables keep their types becomes a part of the proof (`System::value_lemmas`).

use super::observe::atoms;
use crate::refine::program::require_scalars;
use tenet_system::run::{Taken, Violation};
use tenet_system::{Circuit, PropertyKind, System, domain};
use tenet_term::{Op, Role, Sort, SymbolId, TermId, TermStore, Value};

/// How a system is read.
pub struct Reading {
    pub circuit: Circuit,
    /// The branch conditions that are not among those of the system, with their places.
    pub branches: Vec<(TermId, String)>,
    /// How cycles are steps of the program; `None` for a circuit.
    program: Option<Choices>,
}

/// The inputs that choose, where there is a choice, and which of the inputs are parameters of which rule.
struct Choices {
    start: Option<SymbolId>,
    rule: Option<SymbolId>,
    starts: Vec<Vec<SymbolId>>,
    rules: Vec<Vec<SymbolId>>,
}

impl Reading {
    /// The reading of a system, or why it has none. Adds symbols and terms to the store, nothing else.
    pub fn of(system: &mut System) -> Result<Reading, &'static str> {
        match Circuit::of(system) {
            Some(circuit) => Ok(Reading { circuit, branches: Vec::new(), program: None }),
            None => of_program(system),
        }
    }

    pub fn is_program(&self) -> bool {
        self.program.is_some()
    }

    /// A run of the circuit as one of the system.
    pub fn violation(&self, violation: Violation) -> Violation {
        let Some(program) = &self.program else { return violation };
        let mut violation = violation;
        let run = &mut violation.run;
        run.start = taken(&run.start, program.start, &program.starts);
        run.rules = run.rules.iter().map(|cycle| taken(cycle, program.rule, &program.rules)).collect();
        violation
    }
}

/// What was taken in a cycle, with its own parameters.
fn taken(cycle: &Taken, choice: Option<SymbolId>, params: &[Vec<SymbolId>]) -> Taken {
    let number = |value: &Value| match value {
        Value::BitVec(value) => value.unsigned().iter_u64_digits().next().unwrap_or(0) as usize,
        _ => 0,
    };
    let chosen = cycle.params.iter().find(|(symbol, _)| Some(*symbol) == choice);
    let rule = chosen.map_or(0, |(_, value)| number(value));
    let own = cycle.params.iter().filter(|(symbol, _)| params[rule].contains(symbol));
    Taken { rule, params: own.cloned().collect() }
}

fn of_program(system: &mut System) -> Result<Reading, &'static str> {
    require_scalars(system)?;
    if system.starts.is_empty() || system.rules.is_empty() {
        return Err("it has no startstate or no rule");
    }
    let (starts, rules) = (system.starts.clone(), system.rules.clone());
    let state: Vec<SymbolId> = system.state.iter().map(|var| var.symbol).collect();
    let (facts, typed) = (facts(system), typed(system));
    if facts.iter().any(|&fact| is_about_state(&system.store, fact)) {
        return Err("it has axioms about its state");
    }
    let store = &mut system.store;
    let start_choice = choice(store, "start", Role::Initial, starts.len());
    let rule_choice = choice(store, "rule", Role::Input, rules.len());

    let cases: Vec<TermId> = (0..starts.len()).map(|number| is_chosen(store, start_choice, number)).collect();
    let allowed = starts.iter().map(|start| (start.constraint, &start.params[..]));
    let start = one_of(store, &cases, &allowed.collect::<Vec<_>>(), &facts);
    let initial = (0..state.len())
        .map(|var| chain(store, &cases, &starts.iter().map(|start| start.values[var]).collect::<Vec<_>>()));
    let initial: Vec<TermId> = initial.collect();

    let cases: Vec<TermId> = (0..rules.len()).map(|number| is_chosen(store, rule_choice, number)).collect();
    let allowed = rules.iter().map(|rule| (rule.guard, &rule.params[..]));
    let known: Vec<TermId> = facts.iter().chain(&typed).copied().collect();
    let constraint = one_of(store, &cases, &allowed.collect::<Vec<_>>(), &known);
    let next = state.iter().map(|&symbol| {
        let same = store.mk_symbol(symbol);
        let value = |updates: &Vec<(SymbolId, TermId)>| {
            updates.iter().find(|(updated, _)| *updated == symbol).map_or(same, |&(_, value)| value)
        };
        let values: Vec<TermId> = rules.iter().map(|rule| value(&rule.updates)).collect();
        chain(store, &cases, &values)
    });
    let next: Vec<TermId> = next.collect();

    let mut bad = Vec::new();
    for property in system.properties.clone() {
        if store.has_quantifier(property.formula) || matches!(property.kind, PropertyKind::Start { .. }) {
            return Err("a property has quantifiers or is about a startstate");
        }
        let violated = store.mk_not(property.formula);
        bad.push(store.mk_and(known.iter().copied().chain([violated]).collect::<Vec<_>>()));
    }
    let branches = branches(store, system.rules.iter().map(|rule| (rule.guard, rule.name.as_str())), &next);
    let params = |all: Vec<&Vec<SymbolId>>, choice: Option<SymbolId>| -> Vec<SymbolId> {
        choice.into_iter().chain(all.into_iter().flatten().copied()).collect()
    };
    let inputs = params(rules.iter().map(|rule| &rule.params).collect(), rule_choice);
    let circuit = Circuit {
        state,
        step_inputs: inputs.len(),
        inputs,
        arbitrary: params(starts.iter().map(|start| &start.params).collect(), start_choice),
        start,
        initial,
        next,
        constraint,
        bad,
    };
    let program = Choices {
        start: start_choice,
        rule: rule_choice,
        starts: starts.into_iter().map(|start| start.params).collect(),
        rules: rules.into_iter().map(|rule| rule.params).collect(),
    };
    Ok(Reading { circuit, branches, program: Some(program) })
}

/// What is known of constants: axioms and types.
fn facts(system: &mut System) -> Vec<TermId> {
    let mut facts: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
    for symbol in system.consts.clone() {
        facts.push(domain(&mut system.store, symbol));
    }
    facts.retain(|&fact| fact != TermId::TRUE);
    facts
}

/// That variables have values of their types.
fn typed(system: &mut System) -> Vec<TermId> {
    let lemmas = system.value_lemmas();
    lemmas.into_iter().map(|lemma| lemma.body).collect()
}

fn is_about_state(store: &TermStore, term: TermId) -> bool {
    store.free_symbols(term).into_iter().any(|symbol| store.symbol(symbol).role == Role::State)
}

/// An input that chooses among so many, unless there is only one.
fn choice(store: &mut TermStore, name: &str, role: Role, count: usize) -> Option<SymbolId> {
    let width = usize::BITS - count.saturating_sub(1).leading_zeros();
    if width == 0 {
        return None;
    }
    let sort = store.bitvec_sort(width);
    Some(store.fresh(name, sort, role))
}

fn is_chosen(store: &mut TermStore, choice: Option<SymbolId>, number: usize) -> TermId {
    let Some(choice) = choice else { return TermId::TRUE };
    let Sort::BitVec(width) = *store.sort(store.symbol(choice).sort) else { return TermId::TRUE };
    let (term, value) = (store.mk_symbol(choice), store.mk_bitvec(width, number));
    store.mk_eq(term, value)
}

/// One of the cases is chosen, its condition holds, and its parameters have values of their types; the facts hold, too.
fn one_of(
    store: &mut TermStore,
    cases: &[TermId],
    conditions: &[(TermId, &[SymbolId])],
    facts: &[TermId],
) -> TermId {
    let mut any = Vec::new();
    for (&case, &(condition, params)) in cases.iter().zip(conditions) {
        let mut parts = vec![case, condition];
        for &param in params {
            parts.push(domain(store, param));
        }
        any.push(store.mk_and(parts));
    }
    let any = store.mk_or(any);
    store.mk_and(facts.iter().copied().chain([any]).collect::<Vec<_>>())
}

/// The value of the case that is chosen.
fn chain(store: &mut TermStore, cases: &[TermId], values: &[TermId]) -> TermId {
    let last = *values.last().expect("invariant: there is a case");
    let others = cases.iter().zip(values).rev().skip(1);
    others.fold(last, |rest, (&case, &value)| store.mk_ite(case, value, rest))
}

/// Where a program branches: the atoms of guards, and the conditions in updates.
fn branches<'a>(
    store: &mut TermStore,
    guards: impl Iterator<Item = (TermId, &'a str)>,
    next: &[TermId],
) -> Vec<(TermId, String)> {
    let mut found = Vec::new();
    for (guard, rule) in guards {
        let parts = atoms(store, guard);
        found.extend(parts.into_iter().map(|atom| (atom, format!("guard of \"{rule}\""))));
    }
    let inner = store.subterms_of_all(next.iter().copied());
    let choices = inner.into_iter().filter(|&term| *store.op(term) == Op::Ite);
    found.extend(choices.map(|term| (store.args(term)[0], "condition of an update".to_string())));
    found
}
