//! Generates the proof obligations of a system and an invariant.
//!
//! There is one obligation for each startstate and lemma, one for each rule and lemma, one for each property. A
//! startstate is treated as a rule that changes the whole state and assumes nothing about the state before. In the
//! scope of a rule, `x.next` is the new value of `x`, and `lemma-1.next` the lemma about the new values; the state
//! symbols themselves are the old values, which all right-hand sides read.
//!
//! Certificates are made and checked with this code, so it decides what a certificate proves. It does not depend on the
//! search for proofs.

use rustc_hash::FxHashSet;
use tenet_system::{PropertyKind, System};
use tenet_term::{Building, Op, Role, RoleSet, Sort, Substitution, SymbolId, TermId, TermStore};

use crate::certify::Obligation;
use crate::header::unquoted;
use crate::names::{Names, Purpose, initial_symbols};
use crate::purify::{Purifier, guarded, is_function, range_guard, within};
use crate::script::{Check, Item, Scope, Script};
use crate::walk::{free_variables, symbols};

/// How the lemmas after a step are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Steps {
    /// One check for each lemma.
    #[default]
    Apart,
    /// One check for all lemmas that mention anything the step changes; the others are preserved trivially.
    Together,
}

/// A closed formula, as a body and universally quantified variables.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// The variables (role `Bound`).
    pub(crate) vars: Vec<SymbolId>,
    /// Guarded by the ranges of the variables.
    pub(crate) body: TermId,
    /// The original formula.
    pub(crate) formula: TermId,
}

impl Statement {
    /// Removes the outer universal quantifiers, also those below the right-hand sides of implications:
    /// `forall x. a => forall y. b` is `forall x, y. a => b` if `y` is not free in `a`.
    pub(crate) fn new(store: &mut TermStore, formula: TermId) -> Statement {
        let (mut vars, mut guards, mut body) = (Vec::new(), Vec::new(), formula);
        while let Some((premises, bound, inner)) = universal_below(store, body) {
            let mut taken = free_variables(store, guards.iter().chain(&premises).copied());
            taken.extend_from_slice(&vars);
            if bound.iter().any(|symbol| taken.contains(symbol)) {
                break;
            }
            guards.extend(premises);
            guards.extend(bound.iter().filter_map(|&symbol| range_guard(store, symbol)));
            vars.extend(bound);
            body = inner;
        }
        let body = guarded(store, &guards, body, true);
        Statement { vars, body, formula }
    }
}

/// A universal quantifier at the top or below premises: the premises, the variables and the body.
fn universal_below(store: &TermStore, formula: TermId) -> Option<(Vec<TermId>, Vec<SymbolId>, TermId)> {
    let (mut premises, mut current) = (Vec::new(), formula);
    loop {
        match (store.op(current), store.args(current)) {
            (Op::Implies, &[premise, conclusion]) => {
                premises.push(premise);
                current = conclusion;
            }
            (Op::Forall(bound), &[body]) => return Some((premises, bound.to_vec(), body)),
            _ => return None,
        }
    }
}

/// Generates the script. Fails with a message if something cannot be written.
///
/// `store` is the store of the system, which is empty meanwhile.
pub(crate) fn generate(
    system: &System,
    store: &mut TermStore,
    names: Names,
    lemmas: &[Statement],
    properties: &[usize],
    steps: Steps,
) -> Result<Script, String> {
    check_roles(system, store, lemmas)?;
    let axioms = system.axioms.iter().map(|axiom| Statement::new(store, axiom.formula)).collect();
    let state = system.state.iter().map(|var| var.symbol).collect();
    let purifier = Purifier::new(store, names, &system.definitions);
    let mut generator = Generator {
        system,
        purifier,
        lemmas,
        steps,
        axioms,
        state,
        axiom_facts: Vec::new(),
        lemma_facts: Vec::new(),
    };
    generator.common()?;
    let mut scopes = Vec::new();
    for start in 0..system.starts.len() {
        scopes.push(generator.start(start)?);
    }
    for rule in 0..system.rules.len() {
        scopes.push(generator.rule(rule)?);
    }
    for &property in properties {
        scopes.push(generator.property(property)?);
    }
    let Purifier { names, items, assumptions, .. } = generator.purifier;
    let conditions = system.conditions.iter().map(|text| condition(text)).collect();
    Ok(Script { names, items, scopes, steps, assumptions, conditions })
}

/// Checks that everything mentions only symbols of permitted roles: a stray parameter would be shared by two places by
/// accident.
fn check_roles(system: &System, store: &TermStore, lemmas: &[Statement]) -> Result<(), String> {
    let state = RoleSet::of(&[Role::State, Role::Const]);
    let closed =
        lemmas.iter().map(|lemma| lemma.formula).chain(system.axioms.iter().map(|axiom| axiom.formula));
    let of_state =
        system.properties.iter().filter(|property| !matches!(property.kind, PropertyKind::Start { .. }));
    let of_start =
        system.properties.iter().filter(|property| matches!(property.kind, PropertyKind::Start { .. }));
    let initial = RoleSet::of(&[Role::Initial, Role::Const]);
    let step = RoleSet::of(&[Role::State, Role::Const, Role::Input]);
    let mut all: Vec<(TermId, RoleSet)> =
        closed.chain(of_state.map(|property| property.formula)).map(|formula| (formula, state)).collect();
    all.extend(of_start.map(|property| (property.formula, initial)));
    for start in &system.starts {
        all.extend(start.values.iter().copied().chain([start.constraint]).map(|term| (term, initial)));
    }
    for rule in &system.rules {
        all.extend(rule.updates.iter().map(|&(_, value)| value).chain([rule.guard]).map(|term| (term, step)));
    }
    all.into_iter()
        .try_for_each(|(term, roles)| store.check_roles(term, roles).map_err(|error| error.to_string()))
}

struct Generator<'s> {
    system: &'s System,
    purifier: Purifier<'s>,
    lemmas: &'s [Statement],
    steps: Steps,
    axioms: Vec<Statement>,
    state: FxHashSet<SymbolId>,
    axiom_facts: Vec<SymbolId>,
    lemma_facts: Vec<SymbolId>,
}

impl Generator<'_> {
    /// The items for the whole file: constants, state, axioms, lemmas.
    fn common(&mut self) -> Result<(), String> {
        let is_defined =
            |symbol: &SymbolId| self.system.definitions.iter().any(|known| known.symbol == *symbol);
        let consts: Vec<SymbolId> =
            self.system.consts.iter().copied().filter(|symbol| !is_defined(symbol)).collect();
        self.heading("constants", consts.is_empty());
        for symbol in consts {
            self.declare_in_range(symbol);
        }
        self.heading("the state", self.system.state.is_empty());
        for var in &self.system.state {
            self.purifier.items.push(Item::Declare(var.symbol));
        }
        self.heading("what is assumed", self.axioms.is_empty());
        for position in 0..self.axioms.len() {
            let axiom = self.axioms[position].clone();
            let name = assumption(&self.system.axioms[position].name);
            self.purifier.items.push(Item::Comment(name.clone()));
            let fact = self.state(&format!("axiom-{}", position + 1), &axiom.vars, axiom.body)?;
            self.axiom_facts.push(fact);
            self.purifier.assumptions.push((fact, name));
        }
        self.heading("the invariant", self.lemmas.is_empty());
        for (position, lemma) in self.lemmas.iter().enumerate() {
            self.purifier.items.push(Item::Meaning(format!("lemma {}", position + 1), lemma.formula));
            let fact = self.state(&format!("lemma-{}", position + 1), &lemma.vars, lemma.body)?;
            self.lemma_facts.push(fact);
        }
        Ok(())
    }

    fn heading(&mut self, text: &str, is_empty: bool) {
        if !is_empty {
            self.purifier.items.push(Item::Comment(text.to_owned()));
        }
    }

    /// Defines a formula of variables.
    fn state(&mut self, name: &str, vars: &[SymbolId], body: TermId) -> Result<SymbolId, String> {
        if vars
            .iter()
            .any(|&symbol| is_function(self.purifier.store, self.purifier.store.symbol(symbol).sort))
        {
            return Err("a quantifier over functions cannot be written down".to_owned());
        }
        let body = self.purifier.pure(body)?;
        Ok(self.purifier.define(Purpose::Statement, name, vars, body))
    }

    /// Declares a symbol whose values are within the range of its sort. The range is asserted, or a fact if the symbol
    /// is a function.
    fn declare_in_range(&mut self, symbol: SymbolId) {
        self.purifier.items.push(Item::Declare(symbol));
        let store = &mut *self.purifier.store;
        let Sort::Function { args, result } = store.sort(store.symbol(symbol).sort).clone() else {
            if let Some(guard) = range_guard(store, symbol) {
                self.purifier.items.push(Item::Assert(guard));
            }
            return;
        };
        let mut places: Vec<SymbolId> = Vec::new();
        for sort in args {
            places.push(store.bound_avoiding("u", sort, &places));
        }
        let terms: Vec<TermId> = places.iter().map(|&place| store.mk_symbol(place)).collect();
        let function = store.mk_symbol(symbol);
        let value = store.raw_apply(function, &terms);
        let Some(within) = within(store, result, value) else { return };
        let guards: Vec<TermId> = places.iter().filter_map(|&place| range_guard(store, place)).collect();
        let body = guarded(store, &guards, within, true);
        let name = format!("{}.range", self.purifier.names.symbol(symbol).unwrap_or("it").trim_matches('|'));
        let fact = self.purifier.define(Purpose::Range, &name, &places, body);
        self.purifier.facts.push(fact);
    }

    fn start(&mut self, position: usize) -> Result<Scope, String> {
        let start = &self.system.starts[position];
        let updates: Vec<(SymbolId, TermId)> =
            self.system.state.iter().map(|var| var.symbol).zip(start.values.iter().copied()).collect();
        let obligation = |lemma| Obligation::Start { start: position, lemma };
        let title = format!("startstate {}", quoted(&start.name));
        self.step(title, &start.params, start.constraint, &updates, &obligation)
    }

    fn rule(&mut self, position: usize) -> Result<Scope, String> {
        let rule = &self.system.rules[position];
        let obligation = |lemma| Obligation::Step { rule: position, lemma };
        self.step(
            format!("rule {}", quoted(&rule.name)),
            &rule.params,
            rule.guard,
            &rule.updates,
            &obligation,
        )
    }

    /// A step after which every lemma must hold.
    fn step(
        &mut self,
        title: String,
        params: &[SymbolId],
        guard: TermId,
        updates: &[(SymbolId, TermId)],
        obligation: &dyn Fn(usize) -> Obligation,
    ) -> Result<Scope, String> {
        let mark = self.purifier.enter();
        for &param in params {
            self.declare_in_range(param);
        }
        let mut next = Substitution::new();
        for &(symbol, value) in updates {
            let new = self.define_next(symbol, value)?;
            let new = self.purifier.store.mk_symbol(new);
            next.insert(self.purifier.store, symbol, new);
        }
        let guard = self.purifier.pure(guard)?;
        self.purifier.items.push(Item::Assert(guard));
        let is_start = matches!(obligation(0), Obligation::Start { .. });
        let mut facts = self.next_axioms(&next, is_start)?;
        let mut checks = Vec::new();
        for (position, lemma) in self.lemmas.iter().enumerate() {
            let changes =
                symbols(self.purifier.store, lemma.body).iter().any(|&symbol| next.get(symbol).is_some());
            if self.steps == Steps::Together && !is_start && !changes {
                continue; // It is the same about the new state as about the old one.
            }
            let body = self.purifier.store.substitute_raw(lemma.body, &next);
            let goal = self.state(&format!("lemma-{}.next", position + 1), &lemma.vars, body)?;
            let constants = self.constants_of(&lemma.vars, &checks);
            let goal = self.purifier.apply(goal, &constants);
            let negation = self.purifier.store.raw_not(goal);
            let title = format!("{title}, lemma {}", position + 1);
            let variables = lemma.vars.clone();
            checks.push(Check { obligation: obligation(position), title, constants, variables, negation });
        }
        if self.steps == Steps::Together {
            checks = self.together(&title, checks);
        }
        if !is_start {
            facts.extend_from_slice(&self.lemma_facts);
        }
        facts.extend_from_slice(&self.purifier.facts);
        Ok(Scope { title, items: self.purifier.leave(mark), facts, checks })
    }

    /// Defines the new value of a part of the state.
    fn define_next(&mut self, symbol: SymbolId, value: TermId) -> Result<SymbolId, String> {
        let store = &mut *self.purifier.store;
        let (params, body) = match (store.op(value).clone(), store.sort(store.symbol(symbol).sort).clone()) {
            (Op::Lambda(bound), _) => (bound.to_vec(), store.args(value)[0]),
            (_, Sort::Function { args, .. }) => {
                let mut params: Vec<SymbolId> = Vec::new();
                for sort in args {
                    params.push(store.bound_avoiding("u", sort, &params));
                }
                let mut operands = vec![value];
                operands.extend(params.iter().map(|&param| store.mk_symbol(param)));
                (params, Building::Raw.build(store, Op::Apply, &operands))
            }
            _ => (Vec::new(), value),
        };
        let body = self.purifier.pure(body)?;
        let name = format!("{}.next", self.purifier.names.symbol(symbol).unwrap_or("it").trim_matches('|'));
        let next = self.purifier.define(Purpose::Next, &name, &params, body);
        if !params.is_empty() {
            self.purifier.name_array(next, value);
        }
        Ok(next)
    }

    /// The axioms that may be used: about the old state if there is one, and about the new one.
    fn next_axioms(&mut self, next: &Substitution, is_start: bool) -> Result<Vec<SymbolId>, String> {
        let mut facts = Vec::new();
        for position in 0..self.axioms.len() {
            let axiom = self.axioms[position].clone();
            let about_next =
                symbols(self.purifier.store, axiom.body).iter().any(|&symbol| next.get(symbol).is_some());
            if !is_start || !self.speaks_of_state(&axiom) {
                facts.push(self.axiom_facts[position]);
            }
            if about_next {
                let body = self.purifier.store.substitute_raw(axiom.body, next);
                let fact = self.state(&format!("axiom-{}.next", position + 1), &axiom.vars, body)?;
                let name = assumption(&self.system.axioms[position].name);
                self.purifier.assumptions.push((fact, name));
                facts.push(fact);
            }
        }
        Ok(facts)
    }

    fn speaks_of_state(&self, statement: &Statement) -> bool {
        symbols(self.purifier.store, statement.body).iter().any(|symbol| self.state.contains(symbol))
    }

    /// Constants for the variables of a goal. Checks that are made together share them: some lemma is false at some
    /// values iff, for some values, one of them is.
    fn constants_of(&mut self, vars: &[SymbolId], earlier: &[Check]) -> Vec<SymbolId> {
        if self.steps == Steps::Apart {
            return self.goal_constants(vars);
        }
        let mut constants: Vec<SymbolId> = Vec::new();
        for &var in vars {
            let known = earlier
                .iter()
                .flat_map(|check| check.variables.iter().zip(&check.constants))
                .find(|&(&other, constant)| self.is_alike(other, var) && !constants.contains(constant));
            let constant = match known {
                Some((_, &constant)) => constant,
                None => self.goal_constants(&[var])[0],
            };
            constants.push(constant);
        }
        constants
    }

    /// Do two variables have the same name and sort?
    fn is_alike(&self, one: SymbolId, other: SymbolId) -> bool {
        let (one, other) = (self.purifier.store.symbol(one), self.purifier.store.symbol(other));
        one.name == other.name && one.sort == other.sort
    }

    /// One check for all of them.
    fn together(&mut self, title: &str, checks: Vec<Check>) -> Vec<Check> {
        let Some(obligation) = checks.first().map(|check| check.obligation) else { return Vec::new() };
        let mut whole = Check {
            obligation,
            title: format!("{title}, what it has to keep"),
            constants: Vec::new(),
            variables: Vec::new(),
            negation: TermId::FALSE,
        };
        let mut negations: Vec<TermId> = Vec::new();
        for check in checks {
            negations.push(check.negation);
            for (constant, variable) in check.constants.into_iter().zip(check.variables) {
                if !whole.constants.contains(&constant) {
                    whole.constants.push(constant);
                    whole.variables.push(variable);
                }
            }
        }
        whole.negation = match negations[..] {
            [only] => only,
            _ => Building::Raw.build(self.purifier.store, Op::Or, &negations),
        };
        vec![whole]
    }

    /// A constant for each variable of a goal.
    fn goal_constants(&mut self, vars: &[SymbolId]) -> Vec<SymbolId> {
        let mut constants = Vec::new();
        for &var in vars {
            let wish = format!("sk.{}", self.purifier.store.symbol(var).name);
            let sort = self.purifier.store.symbol(var).sort;
            let constant = match is_function(self.purifier.store, sort) {
                true => self.purifier.names.make(self.purifier.store, Purpose::Constant, &wish, sort),
                false => self.purifier.make(Purpose::Constant, &wish, &[], sort),
            };
            constants.push(constant);
        }
        constants
    }

    fn property(&mut self, position: usize) -> Result<Scope, String> {
        let property = &self.system.properties[position];
        let is_start = matches!(property.kind, PropertyKind::Start { .. });
        let title = format!("property {} {}", position + 1, quoted(&property.name));
        let mark = self.purifier.enter();
        if is_start {
            for symbol in initial_symbols(self.purifier.store, property.formula) {
                self.declare_in_range(symbol);
            }
        }
        let statement = Statement::new(self.purifier.store, property.formula);
        let constants = self.goal_constants(&statement.vars);
        for &constant in &constants {
            self.declare_in_range(constant);
        }
        let terms: Vec<TermId> =
            constants.iter().map(|&constant| self.purifier.store.mk_symbol(constant)).collect();
        let pairs = statement.vars.iter().copied().zip(terms);
        let substitution = Substitution::from_pairs(self.purifier.store, pairs);
        let goal = self.purifier.store.substitute_raw(statement.body, &substitution);
        let goal = self.purifier.pure(goal)?;
        let negation = self.purifier.store.raw_not(goal);
        let mut facts = Vec::new();
        for (axiom, &fact) in self.axioms.iter().zip(&self.axiom_facts) {
            if !is_start || !self.speaks_of_state(axiom) {
                facts.push(fact);
            }
        }
        if !is_start {
            facts.extend_from_slice(&self.lemma_facts);
        }
        facts.extend_from_slice(&self.purifier.facts);
        let obligation = Obligation::Property { property: position };
        let scope_title = format!("that {title} holds");
        let check = Check { obligation, title, constants: Vec::new(), variables: Vec::new(), negation };
        Ok(Scope { title: scope_title, items: self.purifier.leave(mark), facts, checks: vec![check] })
    }
}

/// The text of an axiom among the assumptions.
pub(crate) fn assumption(axiom: &str) -> String {
    format!("axiom {}", quoted(axiom))
}

/// The same for a condition of the reading.
fn condition(text: &str) -> String {
    format!("condition {}", quoted(text))
}

/// Assumptions in messages: axioms by their names, conditions as they are. That a definition holds is no assumption but
/// a part of the model.
pub(crate) fn shown(assumptions: &[String]) -> Vec<String> {
    let name = |text: &String| {
        let text = text.strip_prefix("axiom ").or_else(|| text.strip_prefix("condition "))?;
        unquoted(text)
    };
    assumptions.iter().filter_map(name).collect()
}

/// A name between quotation marks, in one line.
pub(crate) fn quoted(name: &str) -> String {
    let mut text = String::from('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c if c.is_control() => text.extend(c.escape_unicode()),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}
