//! A system as a program in the sense of the methods: guarded commands over scalars, and formulas for where it starts and
//! where it must not get (Ball, Podelski and Rajamani, section 2).
//!
//! A rule becomes one command for each disjunct of its guard, each value of its finite parameters and each case that its
//! right-hand sides distinguish, so that every right-hand side is a term without conditions and every guard a
//! conjunction. Other parameters stay in the command as inputs and are eliminated by the operators (RC-T9).
//! What cannot be brought into this form is refused with a reason; nothing is approximated. `safe` and `nonInit` are not
//! written down at all: a formula implies one of them just when it contradicts `unsafe` or `init`, of which they are
//! the exact complements by that (RC-T7).

use super::eliminate::eliminate_all;
use super::formula::{Disjunct, Formula, literals};
use super::outcome::Unsupported;
use tenet_system::{PropertyKind, System, domain};
use tenet_term::{Op, Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

/// Commands made from one rule; with more the system is refused.
const MAX_COMMANDS: usize = 4096;

#[derive(Clone, Debug)]
pub struct Command {
    /// The rule that it is a case of, by position.
    pub rule: usize,
    /// What its step chooses, apart from what was made cases: numbers only.
    pub inputs: Vec<SymbolId>,
    /// A conjunction of literals, over constants, state and inputs.
    pub guard: Vec<TermId>,
    /// New values of the variables that change.
    pub updates: Vec<(SymbolId, TermId)>,
}

impl Command {
    /// What the new state is, in terms of the old one.
    pub fn substitution(&self, store: &TermStore) -> Substitution {
        Substitution::from_pairs(store, self.updates.iter().copied())
    }
}

#[derive(Clone, Debug)]
pub struct Program {
    /// The commands, in the order of the rules.
    pub commands: Vec<Command>,
    pub init: Formula,
    /// Where it must not get.
    pub bad: Formula,
    /// Are equations between numbers two inequalities?
    pub is_split: bool,
}

impl Program {
    /// The program that a system is, with these properties (by position) as its condition.
    pub fn of(system: &mut System, properties: &[usize], is_split: bool) -> Result<Program, Unsupported> {
        scalars(system)?;
        let mut commands = Vec::new();
        for rule in 0..system.rules.len() {
            commands.extend(commands_of(system, rule)?);
        }
        let init = init(system, is_split)?;
        let bad = bad(system, properties, is_split)?;
        Ok(Program { commands, init, bad, is_split })
    }
}

/// Is the state made of scalars, and is there nothing that the methods do not know?
pub(super) fn scalars(system: &System) -> Result<(), Unsupported> {
    let store = &system.store;
    let symbols = system.state.iter().map(|var| var.symbol).chain(system.consts.iter().copied());
    for symbol in symbols {
        let info = store.symbol(symbol);
        let is_scalar = matches!(
            store.sort(info.sort),
            Sort::Bool | Sort::Int | Sort::Range { .. } | Sort::Real | Sort::Enum { .. } | Sort::BitVec(_)
        );
        if !is_scalar {
            return Err(Unsupported::Variable(info.name.clone(), store.sort_name(info.sort)));
        }
    }
    match system.axioms.first() {
        Some(axiom) => Err(Unsupported::Axiom(axiom.name.clone())),
        None => Ok(()),
    }
}

/// A rule on its way to commands: a guard, and values that may still be conditional.
#[derive(Clone, Debug)]
struct Case {
    guard: TermId,
    updates: Vec<(SymbolId, TermId)>,
}

fn commands_of(system: &mut System, position: usize) -> Result<Vec<Command>, Unsupported> {
    let rule = system.rules[position].clone();
    let store = &mut system.store;
    let mut guard = rule.guard;
    for &param in &rule.params {
        let within = domain(store, param);
        guard = store.mk_and([guard, within]);
    }
    let mut cases = vec![Case { guard, updates: rule.updates }];
    let mut inputs = Vec::new();
    for param in rule.params {
        match values(store, param)? {
            None => inputs.push(param),
            Some(values) => cases = instances(store, &cases, param, &values)?,
        }
    }
    let mut commands = Vec::new();
    for case in distinguished(store, cases)? {
        for guard in literals(store, case.guard)? {
            let (inputs, updates) = (inputs.clone(), case.updates.clone());
            commands.push(Command { rule: position, inputs, guard, updates });
        }
    }
    Ok(commands)
}

/// The values that a parameter can take, if they are to be cases; nothing for a number.
fn values(store: &mut TermStore, param: SymbolId) -> Result<Option<Vec<TermId>>, Unsupported> {
    let info = store.symbol(param).clone();
    Ok(match store.sort(info.sort).clone() {
        Sort::Bool => Some(vec![TermId::FALSE, TermId::TRUE]),
        Sort::Enum { variants, .. } => {
            Some((0..variants.len() as u32).map(|position| store.mk_enum(info.sort, position)).collect())
        }
        Sort::Int | Sort::Range { .. } | Sort::Real => None,
        _ => return Err(Unsupported::Variable(info.name, store.sort_name(info.sort))),
    })
}

/// Each case with each value of a parameter.
fn instances(
    store: &mut TermStore,
    cases: &[Case],
    param: SymbolId,
    values: &[TermId],
) -> Result<Vec<Case>, Unsupported> {
    if cases.len() * values.len() > MAX_COMMANDS {
        return Err(Unsupported::Size("cases of one rule"));
    }
    let mut all = Vec::new();
    for case in cases {
        for &value in values {
            let substitution = Substitution::from_pairs(store, [(param, value)]);
            let guard = store.substitute(case.guard, &substitution);
            let updates =
                case.updates.iter().map(|&(symbol, new)| (symbol, store.substitute(new, &substitution)));
            all.push(Case { guard, updates: updates.collect() });
        }
    }
    Ok(all)
}

/// Cases until no right-hand side has a condition in it, and every new truth value is a literal or a variable.
fn distinguished(store: &mut TermStore, mut open: Vec<Case>) -> Result<Vec<Case>, Unsupported> {
    open.reverse();
    let mut done = Vec::new();
    while let Some(case) = open.pop() {
        let Some((part, [yes, no])) = condition(store, &case) else {
            done.push(case);
            continue;
        };
        let condition = if store.is_bool(part) { part } else { store.args(part)[0] };
        let otherwise = store.mk_not(condition);
        for (holds, value) in [(otherwise, no), (condition, yes)] {
            let guard = store.mk_and([case.guard, holds]);
            let updates = case.updates.iter().map(|&(symbol, new)| {
                let is_value = |term: TermId| (term == part).then_some(value);
                let is_formula = store.is_bool(part);
                let new = if is_formula && new != part { new } else { store.replace(new, is_value) };
                (symbol, new)
            });
            open.push(Case { guard, updates: updates.collect() });
        }
        if open.len() + done.len() > MAX_COMMANDS {
            return Err(Unsupported::Size("cases of one rule"));
        }
    }
    Ok(done)
}

/// The first part of a right-hand side that asks for two cases, and what it is in each of them.
fn condition(store: &TermStore, case: &Case) -> Option<(TermId, [TermId; 2])> {
    case.updates.iter().find_map(|&(_, value)| {
        let is_open = store.is_bool(value) && !store.is_value(value) && store.as_symbol(value).is_none();
        if is_open {
            return Some((value, [TermId::TRUE, TermId::FALSE]));
        }
        let conditional = |term: &TermId| *store.op(*term) == Op::Ite;
        // Operands come first, so the condition of the first one has no conditions in it.
        let first = store.subterms(value).into_iter().find(conditional)?;
        Some((first, [store.args(first)[1], store.args(first)[2]]))
    })
}

/// The initial states, with what is arbitrary in them eliminated.
fn init(system: &mut System, is_split: bool) -> Result<Formula, Unsupported> {
    let mut formula = Formula::default();
    for start in system.starts.clone() {
        let mut constraint = start.constraint;
        for &symbol in start.params.iter().chain(&system.consts) {
            let within = domain(&mut system.store, symbol);
            constraint = system.store.mk_and([constraint, within]);
        }
        let values: Vec<(SymbolId, TermId)> =
            system.state.iter().map(|var| var.symbol).zip(start.values).collect();
        // A start is a step from anywhere: the same cases have to be distinguished.
        for case in distinguished(&mut system.store, vec![Case { guard: constraint, updates: values }])? {
            let store = &mut system.store;
            let equations: Vec<TermId> =
                case.updates.iter().map(|&(symbol, value)| equation(store, symbol, value)).collect();
            for guard in literals(store, case.guard)? {
                let atoms = [&equations[..], &guard[..]].concat();
                let atoms =
                    atoms.into_iter().flat_map(|one| super::atom::normal(store, one, false)).collect();
                for disjunct in eliminate_all(store, atoms, &start.params)? {
                    let disjunct = Disjunct::new(store, disjunct, is_split);
                    formula.add(disjunct);
                }
            }
        }
    }
    Ok(formula)
}

/// `symbol = value`, nothing folded, as a literal.
pub fn equation(store: &mut TermStore, symbol: SymbolId, value: TermId) -> TermId {
    let term = store.mk_symbol(symbol);
    match (store.is_bool(term), value) {
        (true, TermId::TRUE) => term,
        (true, TermId::FALSE) => store.raw_not(term),
        _ => store.raw_eq(term, value),
    }
}

/// The states that violate one of the properties.
fn bad(system: &mut System, properties: &[usize], is_split: bool) -> Result<Formula, Unsupported> {
    let mut formula = Formula::default();
    for &position in properties {
        let property = system.properties[position].clone();
        if matches!(property.kind, PropertyKind::Start { .. }) {
            return Err(Unsupported::Demand(property.name));
        }
        let store = &mut system.store;
        let negated = store.mk_not(property.formula);
        for disjunct in literals(store, negated)? {
            let disjunct = Disjunct::new(store, disjunct, is_split);
            formula.add(disjunct);
        }
    }
    Ok(formula)
}

/// A symbol for the old value of a variable.
pub fn old(store: &mut TermStore, symbol: SymbolId) -> SymbolId {
    let (name, sort): (String, SortId) = (store.symbol(symbol).name.clone(), store.symbol(symbol).sort);
    store.declare(&format!("old {name}"), sort, Role::Skolem)
}
