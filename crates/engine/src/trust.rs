//! How much a proof says: can every rule be taken, and does every property say something?
//!
//! A property holds of a system whose rules never fire because of a mistake in their guards, and `a -> b` holds where `a` is never
//! true. Both are looked for after a proof, in two steps. Small instances show that most rules are taken and most left sides
//! become true, which settles them. What is not seen there goes to a solver: if the invariant excludes it, it can never happen,
//! and that is proved; otherwise all that can be said is that it was not seen.
//!
//! This is no part of the proof and must cost little. How many states and questions there are, and how long the solver may think in
//! units of its own, is fixed; the clock decides nothing.

use tenet_system::finite::explore::{Sampling, observed};
use tenet_system::finite::program::PropertyKind as ProgramKind;
use tenet_system::instance::{Sample, Sizes, sample, window};
use tenet_system::{Circuit, Lemma, Property, PropertyKind, System, domain};
use tenet_term::{Op, Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

use crate::common::vacuity::is_excluded;
use crate::common::watch::Watch;

/// The instances that are looked at: elements of each index sort, states, and steps of random walks.
const INSTANCES: [(u32, u64, usize); 2] = [(2, 300, 600), (3, 3_000, 6_000)];
/// Work of the random walks through an instance.
const MAX_WALK_WORK: u64 = 1_000_000;
const MAX_WALK_LENGTH: usize = 100;
/// Combinations of free choices tried for each rule.
const MAX_CHOICES: u64 = 16;
/// By how much symbolic constants exceed the size of index sorts.
const CONSTANT_SLACK: i64 = 4;
const MAX_QUESTIONS: usize = 16;
/// Resource units of the solver for each question: about a tenth of a second.
const UNITS_PER_QUESTION: u32 = 200_000;

#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// Rules first, then left sides, assertions and what else there is, in the order of the system.
    pub items: Vec<Item>,
    /// The largest instance that was looked at, as sizes of index sorts and values of constants; empty if there was none.
    pub explored: Option<Vec<(String, i64)>>,
    pub questions: u64,
}

/// Something that should be possible.
#[derive(Clone, Debug)]
pub struct Item {
    pub subject: Subject,
    pub status: Status,
}

/// What should be possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// This rule is taken.
    Rule(usize),
    /// The left side of an implication in this property, as text, is true.
    Antecedent(usize, String),
    /// The assertion that is this property is reached.
    Assertion(usize),
    /// Some register of a circuit changes after the first cycles.
    Change,
    /// This relation of Horn clauses holds of something.
    Relation(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Seen,
    /// Neither observed nor excluded.
    NotSeen,
    /// The invariant excludes it.
    Never,
}

/// A condition that should become true.
struct Condition {
    subject: Subject,
    /// What the formula leaves free.
    params: Vec<SymbolId>,
    formula: TermId,
}

/// Finds out how much a proof from this invariant says about Horn clauses: whether relations hold of something, each
/// of which comes with the condition that it does. The rules of such a system are not the user's.
pub fn trust_of_relations(
    system: &mut System,
    relations: Vec<(String, TermId)>,
    invariant: &[Lemma],
    watch: &dyn Watch,
) -> Trust {
    let conditions = relations.into_iter().map(|(name, formula)| Condition {
        subject: Subject::Relation(name),
        params: Vec::new(),
        formula,
    });
    let conditions: Vec<Condition> = conditions.collect();
    let mut statuses = vec![Status::NotSeen; conditions.len()];
    let mut trust = Trust { explored: look(system, &conditions, &mut statuses, watch), ..Trust::default() };
    trust.settle(system, conditions, statuses, invariant, watch);
    trust
}

/// Finds out how much a proof of these properties from this invariant says.
pub fn trust(system: &mut System, properties: &[usize], invariant: &[Lemma], watch: &dyn Watch) -> Trust {
    let is_circuit = Circuit::of(system).is_some() && has_inputs_or_words(system);
    let mut conditions = guards(system);
    // The guard of a circuit is what is assumed of inputs: mostly nothing.
    conditions.retain(|condition| !is_circuit || condition.formula != TermId::TRUE);
    for &property in properties {
        conditions.extend(of_property(system, property, is_circuit));
    }
    let mut trust = Trust::default();
    let mut statuses = vec![Status::NotSeen; conditions.len()];
    if is_circuit {
        conditions.extend(change(system));
        statuses.resize(conditions.len(), Status::NotSeen);
    } else {
        trust.explored = look(system, &conditions, &mut statuses, watch);
    }
    trust.settle(system, conditions, statuses, invariant, watch);
    trust
}

impl Trust {
    /// Asks which of the conditions that were not seen are excluded by the invariant.
    fn settle(
        &mut self,
        system: &mut System,
        conditions: Vec<Condition>,
        mut statuses: Vec<Status>,
        invariant: &[Lemma],
        watch: &dyn Watch,
    ) {
        let facts = facts(system, invariant);
        for (condition, status) in
            conditions.iter().zip(&mut statuses).filter(|(_, status)| **status != Status::Seen)
        {
            if self.questions == MAX_QUESTIONS as u64 || watch.stop().is_some() {
                break;
            }
            self.questions += 1;
            let mut formulas = facts.clone();
            formulas.extend(condition.params.iter().map(|&symbol| domain(&mut system.store, symbol)));
            formulas.push(condition.formula);
            if is_excluded(system, formulas, UNITS_PER_QUESTION, &watch.interrupt()) {
                *status = Status::Never;
            }
        }
        let subjects = conditions.into_iter().map(|condition| condition.subject);
        self.items = subjects.zip(statuses).map(|(subject, status)| Item { subject, status }).collect();
    }
}

/// Whether a circuit is one of hardware, too large to look at its states one by one.
fn has_inputs_or_words(system: &System) -> bool {
    let is_word = |symbol: SymbolId| system.store.symbol(symbol).sort != SortId::BOOL;
    system.rules.iter().any(|rule| !rule.params.is_empty())
        || system.state.iter().any(|var| is_word(var.symbol))
}

/// That each rule can be taken.
fn guards(system: &System) -> Vec<Condition> {
    let rules = system.rules.iter().enumerate();
    let guards = rules.map(|(position, rule)| Condition {
        subject: Subject::Rule(position),
        params: rule.params.clone(),
        formula: rule.guard,
    });
    guards.collect()
}

/// The conditions under which a property is not vacuous, from its formula or from the front end.
fn of_property(system: &mut System, position: usize, is_circuit: bool) -> Vec<Condition> {
    if is_circuit {
        let (params, guard) = (system.rules[0].params.clone(), system.rules[0].guard);
        let activations = system.activations.iter().filter(|activation| activation.property == position);
        let store = &mut system.store;
        let conditions = activations.map(|activation| Condition {
            subject: Subject::Assertion(position),
            params: params.clone(),
            formula: store.mk_and([guard, activation.formula]),
        });
        return conditions.collect();
    }
    let Property { kind, formula, .. } = system.properties[position];
    let antecedents = antecedents(&system.store, formula);
    match kind {
        PropertyKind::Invariant => {
            let mut conditions: Vec<Condition> = Vec::new();
            for antecedent in antecedents {
                let text = system.store.print(antecedent.shown);
                let whole = system.store.mk_and(antecedent.premises);
                let (params, formula) = named(&mut system.store, &antecedent.bound, whole);
                let subject = Subject::Antecedent(position, text);
                if !conditions.iter().any(|known| known.subject == subject) {
                    conditions.push(Condition { subject, params, formula });
                }
            }
            conditions
        }
        // Everything in front of what is asserted says that the execution gets there.
        PropertyKind::Assertion { .. } => {
            let last = antecedents.into_iter().last();
            let condition = last.map(|antecedent| {
                let whole = system.store.mk_and(antecedent.premises);
                let (params, formula) = named(&mut system.store, &antecedent.bound, whole);
                Condition { subject: Subject::Assertion(position), params, formula }
            });
            condition.into_iter().collect()
        }
        PropertyKind::Implicit { .. } | PropertyKind::Start { .. } => Vec::new(),
    }
}

/// The left side of an implication.
struct Antecedent {
    bound: Vec<SymbolId>,
    /// It, and the left sides that it is on the right of.
    premises: Vec<TermId>,
    shown: TermId,
}

/// The left sides that speak of the state, in positive positions.
fn antecedents(store: &TermStore, formula: TermId) -> Vec<Antecedent> {
    let is_state = |symbol: SymbolId| store.symbol(symbol).role == Role::State;
    let mut found = Vec::new();
    let mut open = vec![(formula, Vec::new(), Vec::new())];
    while let Some((formula, bound, premises)) = open.pop() {
        match (store.op(formula), store.args(formula)) {
            // A variable that is bound again would be another one of the same name.
            (Op::Forall(more), &[body]) if !more.iter().any(|symbol| bound.contains(symbol)) => {
                let bound = bound.into_iter().chain(more.iter().copied()).collect();
                open.push((body, bound, premises));
            }
            (Op::And, parts) => {
                open.extend(parts.iter().rev().map(|&part| (part, bound.clone(), premises.clone())));
            }
            (Op::Implies, &[left, right]) => {
                let premises: Vec<TermId> = premises.into_iter().chain([left]).collect();
                if store.symbols_in(left).into_iter().any(is_state) {
                    let (bound, premises) = (bound.clone(), premises.clone());
                    found.push(Antecedent { bound, premises, shown: left });
                }
                open.push((right, bound, premises));
            }
            _ => {}
        }
    }
    found
}

/// A formula with parameters of its own in place of bound variables.
fn named(store: &mut TermStore, bound: &[SymbolId], formula: TermId) -> (Vec<SymbolId>, TermId) {
    let mut params = Vec::new();
    let mut substitution = Substitution::new();
    for &symbol in bound {
        let (name, sort) = (store.symbol(symbol).name.clone(), store.symbol(symbol).sort);
        let param = store.fresh(&name, sort, Role::Input);
        let term = store.mk_symbol(param);
        substitution.insert(store, symbol, term);
        params.push(param);
    }
    (params, store.substitute(formula, &substitution))
}

/// That some register of a circuit changes in the cycle after the next one: whatever is there to tell the first cycle, and whatever a
/// reset does once, is over then. Asked only if something is decided about the circuit beside its lines, such as its reset.
fn change(system: &mut System) -> Option<Condition> {
    if system.conditions.is_empty() {
        return None;
    }
    let circuit = Circuit::of(system)?;
    let store = &mut system.store;
    let mut changes = Vec::new();
    for (&register, &next) in circuit.state.iter().zip(&circuit.next) {
        if matches!(store.sort(store.symbol(register).sort), Sort::Function { .. }) {
            return None; // That a memory stays as it is would be a question about all of its places.
        }
        let now = store.mk_symbol(register);
        changes.push(store.mk_ne(now, next));
    }
    let any = store.mk_or(changes);
    let step = circuit.step(store);
    let mut params = circuit.inputs.clone();
    let mut formula = store.mk_and([circuit.constraint, any]);
    for _ in 0..2 {
        // The inputs of a later cycle are others.
        let (later, inputs) = other_inputs(store, &circuit.inputs);
        params.extend(inputs);
        let then = store.substitute(formula, &later);
        let then = store.substitute(then, &step);
        formula = store.mk_and([circuit.constraint, then]);
    }
    Some(Condition { subject: Subject::Change, params, formula })
}

fn other_inputs(store: &mut TermStore, inputs: &[SymbolId]) -> (Substitution, Vec<SymbolId>) {
    let mut others = Vec::new();
    let mut substitution = Substitution::new();
    for &input in inputs {
        let (name, sort) = (store.symbol(input).name.clone(), store.symbol(input).sort);
        let other = store.fresh(&name, sort, Role::Input);
        let term = store.mk_symbol(other);
        substitution.insert(store, input, term);
        others.push(other);
    }
    (substitution, others)
}

/// What holds in every reachable state.
fn facts(system: &mut System, invariant: &[Lemma]) -> Vec<TermId> {
    let mut facts: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
    let is_defined = |symbol: &SymbolId| system.definitions.iter().any(|known| known.symbol == *symbol);
    let consts: Vec<SymbolId> = system.consts.iter().copied().filter(|symbol| !is_defined(symbol)).collect();
    facts.extend(consts.into_iter().map(|symbol| domain(&mut system.store, symbol)));
    facts.extend(invariant.iter().map(|lemma| lemma.formula(&mut system.store)));
    facts
}

/// Looks at small instances until everything is seen; gives the largest of them.
fn look(
    system: &mut System,
    conditions: &[Condition],
    statuses: &mut [Status],
    watch: &dyn Watch,
) -> Option<Vec<(String, i64)>> {
    // Constants and sizes would be chosen independently of each other, which gives no instances of the model.
    if system.parameters.iter().any(|parameter| parameter.is_number || parameter.sizes.len() > 1) {
        return None;
    }
    let probes = probes(system, conditions);
    let mut explored = None;
    for (size, states, steps) in INSTANCES {
        let sizes = sizes(system, size);
        let sampled = sample(&probes, &sizes, MAX_CHOICES)
            .or_else(|_| window(&probes, &sizes, MAX_CHOICES, i64::from(size) + CONSTANT_SLACK));
        let Ok(Sample { mut program, .. }) = sampled else { return explored };
        let count = probes.properties.len();
        program.properties[..count].iter_mut().for_each(|property| property.kind = ProgramKind::Cover);
        let seed = u64::from(size);
        let sampling = Sampling { states, steps, work: MAX_WALK_WORK, longest: MAX_WALK_LENGTH, seed };
        let seen = observed(&program, &sampling, &mut || watch.stop().is_none());
        // Constants have values that the model does not allow.
        if !seen.has_states {
            continue;
        }
        let mut covered = seen.covered.iter();
        for (condition, status) in conditions.iter().zip(statuses.iter_mut()) {
            let is_seen = match condition.subject {
                Subject::Rule(rule) => seen.fired[rule] > 0,
                _ => covered.next() == Some(&true),
            };
            if is_seen {
                *status = Status::Seen;
            }
        }
        let numbers = sizes.sorts.into_iter().map(|(name, size)| (name, i64::from(size)));
        explored = Some(numbers.chain(sizes.consts).collect());
        if statuses.iter().all(|status| *status == Status::Seen) {
            break;
        }
    }
    explored
}

/// The system with the conditions that are no guards for properties: instances evaluate these.
fn probes(system: &mut System, conditions: &[Condition]) -> System {
    let mut properties = Vec::new();
    for condition in conditions.iter().filter(|condition| !matches!(condition.subject, Subject::Rule(_))) {
        let store = &mut system.store;
        let mut bound = Vec::new();
        let mut substitution = Substitution::new();
        for &param in &condition.params {
            let (name, sort) = (store.symbol(param).name.clone(), store.symbol(param).sort);
            let symbol = store.bound_avoiding(&name, sort, &bound);
            let term = store.mk_symbol(symbol);
            substitution.insert(store, param, term);
            bound.push(symbol);
        }
        let formula = store.substitute(condition.formula, &substitution);
        let formula = store.mk_exists(&bound, formula);
        let (name, source, kind) = (String::new(), Default::default(), PropertyKind::Invariant);
        properties.push(Property { name, source, kind, formula });
    }
    System { properties, ..system.clone() }
}

/// An instance with `size` elements of each index sort besides the named ones.
fn sizes(system: &System, size: u32) -> Sizes {
    let store = &system.store;
    let named = |sort| system.consts.iter().filter(|&&symbol| store.symbol(symbol).sort == sort).count();
    let sorts = store.sorts().filter_map(|(sort, kind)| match kind {
        Sort::Index { name } => Some((name.clone(), size + named(sort) as u32)),
        _ => None,
    });
    let infos = system.consts.iter().map(|&symbol| store.symbol(symbol));
    let numbers = infos.filter(|info| store.sort(info.sort).is_numeric());
    let consts = numbers.map(|info| (info.name.clone(), i64::from(size) + CONSTANT_SLACK)).collect();
    Sizes { sorts: sorts.collect(), consts }
}
