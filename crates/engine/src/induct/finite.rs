//! A step of a small instance that breaks an invariant although all invariants hold before it.
//!
//! For fixed sizes the question has no quantifiers and an answer of a solver is one state of the instance. It is not believed but taken
//! apart into a step and evaluated: what does not pass the evaluator is no counterexample. Whether there is one in instances of any size
//! is not asked here.

use super::ground::{Grounder, NotFinite};
use super::relevant::{Cell, relevant};
use crate::common::watch::Watch;
use rustc_hash::{FxHashMap, FxHashSet};
use tenet_solve::{Answer, Effort, Limits, Meter, Solver, Z3Solver};
use tenet_system::run::{Origin, State, Step};
use tenet_system::{System, domain};
use tenet_term::{
    FunctionTable, Model, Op, Role, Sort, SortId, Substitution, SymbolId, TermId, TermStore, Value,
};

/// The number of elements of the largest instances that are looked at.
pub const LARGEST: u32 = 4;
/// For one question.
const EFFORT_PER_QUESTION: Effort = Effort::secs(1);
/// Numbers that are preferred, since they are easy to read.
const SMALL_NUMBERS: (i64, i64) = (-1, 5);
/// Parts of the state; an instance with more is too large to be shown.
const MAX_CELLS: usize = 20_000;

/// A step from a state in which all invariants hold to one in which one of them does not, evaluated.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Position of the invariant that breaks.
    pub broken: usize,
    pub step: Step,
    pub after: State,
    /// Values of the invariant's universal variables for which it is false afterwards.
    pub witness: Vec<(SymbolId, Value)>,
    /// The parts of the state before that matter.
    pub cells: Vec<Cell>,
}

/// What came of looking for one.
#[derive(Clone, Debug)]
pub enum Found {
    Counterexample(Box<Counterexample>),
    /// There is none in instances with up to so many elements of every type; with zero, nothing has a size.
    None {
        largest: u32,
    },
    /// It is not known, for this reason.
    Unknown(String),
}

/// Looks for counterexamples to the induction of formulas, all closed, that hold together.
pub struct Finder<'a> {
    system: &'a mut System,
    /// What holds before.
    formulas: Vec<TermId>,
    watch: &'a dyn Watch,
    meter: Meter,
    effort: Effort,
}

impl<'a> Finder<'a> {
    pub fn new(
        system: &'a mut System,
        formulas: Vec<TermId>,
        effort: Effort,
        watch: &'a dyn Watch,
    ) -> Finder<'a> {
        Finder { system, formulas, watch, meter: Meter::default(), effort }
    }

    /// How much was done so far.
    pub fn spent(&self) -> Effort {
        self.meter.spent()
    }

    /// The smallest step that breaks one of these, by position; of several, that of the first rule.
    pub fn smallest(&mut self, targets: &[usize]) -> Found {
        let has_sizes = self.index_sorts().next().is_some();
        let mut unknown = None;
        for size in 1..=if has_sizes { LARGEST } else { 1 } {
            let sizes: Vec<(SortId, u32)> = self.index_sorts().map(|sort| (sort, size)).collect();
            match self.of_sizes(&sizes, targets, None) {
                Ok(Some(found)) => return Found::Counterexample(Box::new(self.shrunk(found))),
                Ok(None) => {}
                Err(why) => {
                    unknown = Some(why);
                    break;
                }
            }
        }
        match unknown {
            Some(why) => Found::Unknown(why),
            None => Found::None { largest: if has_sizes { LARGEST } else { 0 } },
        }
    }

    fn index_sorts(&self) -> impl Iterator<Item = SortId> {
        let sorts = self.system.store.sorts();
        sorts.filter(|(_, sort)| matches!(sort, Sort::Index { .. })).map(|(id, _)| id)
    }

    /// The same with fewer elements of single types, as far as that is possible.
    fn shrunk(&mut self, mut found: Counterexample) -> Counterexample {
        for place in 0..found.step.sizes.len() {
            for size in 1..found.step.sizes[place].1 {
                let mut sizes = found.step.sizes.clone();
                sizes[place].1 = size;
                let origin = Some(found.step.origin);
                if let Ok(Some(smaller)) = self.of_sizes(&sizes, &[found.broken], origin) {
                    found = smaller;
                    break;
                }
            }
        }
        found
    }

    /// A step in the instance of these sizes, of the only rule or startstate that is named or of any.
    fn of_sizes(
        &mut self,
        sizes: &[(SortId, u32)],
        targets: &[usize],
        only: Option<Origin>,
    ) -> Result<Option<Counterexample>, String> {
        let starts = (0..self.system.starts.len()).map(Origin::Start);
        let rules = (0..self.system.rules.len()).map(Origin::Rule);
        let mut instance = Model::new();
        sizes.iter().for_each(|&(sort, size)| instance.set_size(sort, size));
        let mut grounder = Grounder::new(instance);
        let mut unknown = None;
        for origin in starts.chain(rules).filter(|origin| only.is_none_or(|only| only == *origin)) {
            if self.watch.stop().is_some() || self.meter.spent() >= self.effort {
                return Err("looking for one took too long".to_string());
            }
            match self.of_origin(&mut grounder, sizes, targets, origin) {
                Ok(Some(found)) => return Ok(Some(found)),
                Ok(None) => {}
                // Another rule may still have one.
                Err(why) => unknown = unknown.or(Some(why)),
            }
        }
        unknown.map_or(Ok(None), Err)
    }

    fn of_origin(
        &mut self,
        grounder: &mut Grounder,
        sizes: &[(SortId, u32)],
        targets: &[usize],
        origin: Origin,
    ) -> Result<Option<Counterexample>, String> {
        grounder.begin();
        let question = Question::new(self.system, grounder, &self.formulas, targets, origin)
            .map_err(|error| error.why())?;
        let Some(mut question) = question else { return Ok(None) };
        let mut limits = Limits::until(self.watch.interrupt()).counted(&self.meter);
        limits = limits.within(EFFORT_PER_QUESTION);
        let step = match question.answer(self.system, grounder, sizes, limits)? {
            Some(step) => step,
            None => return Ok(None),
        };
        match self.evaluated(grounder, targets, step) {
            Some(found) => Ok(Some(found)),
            None => Err("a model of the solver is no step of an instance".to_string()),
        }
    }

    /// The step, if the evaluator agrees that it is a counterexample.
    fn evaluated(
        &mut self,
        grounder: &mut Grounder,
        targets: &[usize],
        step: Step,
    ) -> Option<Counterexample> {
        let after = step.after(self.system).ok()?;
        let later = step.model(self.system, &after);
        if step.before.is_some() {
            let choice = step.choice(self.system);
            let holds = |&formula: &TermId| choice.holds(&self.system.store, formula) == Ok(true);
            if !self.formulas.iter().all(holds) {
                return None;
            }
        }
        let is_false =
            |&&target: &&usize| later.holds(&self.system.store, self.formulas[target]) == Ok(false);
        let broken = *targets.iter().find(is_false)?;
        let (witness, instance) = falsified(&mut self.system.store, &later, self.formulas[broken]);
        let cells = match step.origin {
            Origin::Start(_) => Vec::new(),
            Origin::Rule(rule) => {
                let rule = self.system.rules[rule].clone();
                let store = &mut self.system.store;
                let post = Substitution::from_pairs(store, rule.updates.iter().copied());
                let broken = store.substitute(instance, &post);
                let broken = store.mk_not(broken);
                let formulas = [rule.guard, broken].map(|formula| grounder.ground(store, formula).ok());
                let formulas: Vec<TermId> = formulas.into_iter().flatten().collect();
                relevant(&self.system.store, &step.choice(self.system), &formulas)
            }
        };
        Some(Counterexample { broken, step, after, witness, cells })
    }
}

/// Values of universal variables in front for which a formula is false, and what it says of them.
fn falsified(store: &mut TermStore, model: &Model, formula: TermId) -> (Vec<(SymbolId, Value)>, TermId) {
    let (mut witness, mut formula) = (Vec::new(), formula);
    while let Op::Forall(bound) = store.op(formula).clone() {
        let sorts: Vec<SortId> = bound.iter().map(|&symbol| store.symbol(symbol).sort).collect();
        let Ok(tuples) = Grounder::new(model.clone()).tuples(store, &sorts) else { break };
        let false_one = tuples.into_iter().find_map(|tuple| {
            let instance = store.instantiate(formula, &tuple);
            (model.holds(store, instance) == Ok(false)).then_some((tuple, instance))
        });
        let Some((tuple, instance)) = false_one else { break };
        let values = tuple.iter().map(|&term| store.value_of(term));
        witness
            .extend(bound.iter().copied().zip(values).filter_map(|(symbol, value)| Some((symbol, value?))));
        formula = instance;
    }
    (witness, formula)
}

/// The question whether a rule or startstate can break one of several formulas, in one instance.
struct Question {
    origin: Origin,
    /// What has to hold.
    asserted: Vec<TermId>,
    /// What would be nice.
    preferred: Vec<TermId>,
    params: Vec<SymbolId>,
    /// All parts of everything that has a value, with the terms that stand for them.
    cells: Vec<(SymbolId, Vec<Entry>)>,
}

/// A place of an array as terms, and the array's entry there.
type Entry = (Vec<TermId>, TermId);

impl Question {
    /// Nothing if the step breaks none of them, by its form alone.
    fn new(
        system: &mut System,
        grounder: &mut Grounder,
        formulas: &[TermId],
        targets: &[usize],
        origin: Origin,
    ) -> Result<Option<Question>, NotFinite> {
        if !system.definitions.is_empty() {
            return Err(NotFinite::Infinite("there are recursive definitions".to_string()));
        }
        let (guard, params, updates) = match origin {
            Origin::Start(start) => {
                let start = &system.starts[start];
                let symbols = system.state.iter().map(|var| var.symbol);
                (start.constraint, start.params.clone(), symbols.zip(start.values.iter().copied()).collect())
            }
            Origin::Rule(rule) => {
                let rule = &system.rules[rule];
                (rule.guard, rule.params.clone(), rule.updates.clone())
            }
        };
        let axioms: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
        let (consts, state) =
            (system.consts.clone(), system.state.iter().map(|var| var.symbol).collect::<Vec<_>>());
        let ordered: Vec<(SortId, SymbolId)> =
            system.orders.iter().map(|order| (order.sort, order.rank)).collect();
        let store = &mut system.store;
        let post = Substitution::from_pairs(store, updates);
        let mut broken = Vec::new();
        for &target in targets {
            let after = store.substitute(formulas[target], &post);
            if matches!(origin, Origin::Rule(_)) && after == formulas[target] {
                continue;
            }
            let negated = store.mk_not(after);
            broken.push(grounder.ground(store, negated)?);
        }
        let broken = store.mk_or(broken);
        if broken == TermId::FALSE {
            return Ok(None);
        }
        let mut all = vec![guard];
        all.extend(consts.iter().chain(&params).map(|&symbol| domain(store, symbol)));
        if matches!(origin, Origin::Rule(_)) {
            all.extend(axioms.iter().copied().chain(formulas.iter().copied()));
        }
        all.extend(axioms.iter().map(|&axiom| store.substitute(axiom, &post)));
        let mut asserted = vec![broken];
        for formula in all {
            asserted.push(grounder.ground(store, formula)?);
        }
        let before: &[SymbolId] = if matches!(origin, Origin::Rule(_)) { &state } else { &[] };
        let mut cells = Vec::new();
        for &symbol in consts.iter().chain(&params).chain(before) {
            cells.push((symbol, cells_of(store, grounder, symbol, &asserted)?));
        }
        let count: usize = cells.iter().map(|(_, cells)| cells.len()).sum();
        if count > MAX_CELLS {
            return Err(NotFinite::TooLarge);
        }
        let mut preferred = Vec::new();
        for (_, cell) in cells.iter().flat_map(|(_, cells)| cells) {
            if store.sort(store.sort_of(*cell)).is_integer() {
                let bounds = [SMALL_NUMBERS.0, SMALL_NUMBERS.1].map(|bound| store.mk_int(bound));
                preferred.extend([store.mk_le(bounds[0], *cell), store.mk_le(*cell, bounds[1])]);
            }
        }
        preferred.extend(as_instances(store, grounder, &consts, &ordered)?);
        close(store, grounder, &cells, &mut asserted)?;
        Ok(Some(Question { origin, asserted, preferred, params, cells }))
    }

    /// A step that the solver's model describes.
    fn answer(
        &mut self,
        system: &mut System,
        grounder: &mut Grounder,
        sizes: &[(SortId, u32)],
        limits: Limits,
    ) -> Result<Option<Step>, String> {
        let store = &mut system.store;
        let mut solver = Z3Solver::ground();
        solver.set_limits(limits);
        self.asserted.iter().for_each(|&formula| solver.assert(store, formula));
        let preferred = store.mk_and(self.preferred.iter().copied());
        let is_nice = preferred != TermId::FALSE && solver.check(store, &[preferred]) == Answer::Sat;
        if !is_nice {
            match solver.check(store, &[]) {
                Answer::Sat => {}
                Answer::Unsat => return Ok(None),
                Answer::Unknown(why) => return Err(format!("the solver does not know: {why}")),
            }
        }
        let mut values = Values::new(store, grounder, sizes, &mut solver);
        let mut known: FxHashMap<SymbolId, Value> = FxHashMap::default();
        for (symbol, cells) in &self.cells {
            let value = values.of_symbol(store, &mut solver, *symbol, cells);
            known.insert(*symbol, value);
        }
        let pairs = |symbols: &[SymbolId]| -> Vec<(SymbolId, Value)> {
            symbols.iter().filter_map(|&symbol| Some((symbol, known.get(&symbol)?.clone()))).collect()
        };
        let before: Option<State> = match self.origin {
            Origin::Start(_) => None,
            Origin::Rule(_) => system.state.iter().map(|var| known.get(&var.symbol).cloned()).collect(),
        };
        Ok(Some(Step {
            sizes: sizes.to_vec(),
            consts: pairs(&system.consts),
            origin: self.origin,
            params: pairs(&self.params),
            before,
        }))
    }
}

/// The parts of what a symbol stands for: over an infinite domain those that formulas speak of.
fn cells_of(
    store: &mut TermStore,
    grounder: &Grounder,
    symbol: SymbolId,
    formulas: &[TermId],
) -> Result<Vec<Entry>, NotFinite> {
    let term = store.mk_symbol(symbol);
    let Sort::Function { args, .. } = store.sort(store.symbol(symbol).sort).clone() else {
        return Ok(vec![(Vec::new(), term)]);
    };
    match grounder.tuples(store, &args) {
        Ok(places) => Ok(places
            .into_iter()
            .map(|place| {
                let entry = store.mk_apply(term, &place);
                (place, entry)
            })
            .collect()),
        Err(NotFinite::TooLarge) => Err(NotFinite::TooLarge),
        Err(NotFinite::Infinite(_)) => {
            let spoken_of = store.subterms_of_all(formulas.iter().copied()).into_iter();
            let entries =
                spoken_of.filter(|&part| *store.op(part) == Op::Apply && store.args(part)[0] == term);
            Ok(entries.map(|part| (store.args(part)[1..].to_vec(), part)).collect())
        }
    }
}

/// What instances have in common with others that people look at: distinguished elements come first, and elements are in order.
fn as_instances(
    store: &mut TermStore,
    grounder: &Grounder,
    consts: &[SymbolId],
    ordered: &[(SortId, SymbolId)],
) -> Result<Vec<TermId>, NotFinite> {
    let mut preferred = Vec::new();
    let mut next: FxHashMap<SortId, u32> = FxHashMap::default();
    for &symbol in consts {
        let sort = store.symbol(symbol).sort;
        if matches!(store.sort(sort), Sort::Index { .. }) {
            let place = next.entry(sort).or_default();
            let (constant, element) = (store.mk_symbol(symbol), store.mk_index(sort, *place));
            *place += 1;
            preferred.push(store.mk_eq(constant, element));
        }
    }
    for &(sort, rank) in ordered {
        let rank = store.mk_symbol(rank);
        for (place, element) in grounder.values(store, sort)?.into_iter().enumerate() {
            let (of_element, place) = (store.mk_apply(rank, &[element]), store.mk_int(place));
            preferred.push(store.mk_eq(of_element, place));
        }
    }
    Ok(preferred)
}

/// Says of everything that is an element of a type that it is one of those there are: to a solver such a type may have more.
fn close(
    store: &mut TermStore,
    grounder: &Grounder,
    cells: &[(SymbolId, Vec<Entry>)],
    asserted: &mut Vec<TermId>,
) -> Result<(), NotFinite> {
    let spoken_of = store.subterms_of_all(asserted.iter().copied()).into_iter();
    let parts = cells.iter().flat_map(|(_, cells)| cells.iter().map(|(_, entry)| *entry));
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let all: Vec<TermId> = spoken_of.chain(parts).filter(|&term| seen.insert(term)).collect();
    for term in all {
        let sort = store.sort_of(term);
        let has_elements = matches!(store.sort(sort), Sort::Index { .. } | Sort::Union { .. });
        if !has_elements || !matches!(store.op(term), Op::Symbol(_) | Op::Apply) {
            continue;
        }
        if store.as_symbol(term).is_some_and(|symbol| store.symbol(symbol).role == Role::Bound) {
            continue;
        }
        let values = grounder.values(store, sort)?;
        let cases: Vec<TermId> = values.into_iter().map(|value| store.mk_eq(term, value)).collect();
        asserted.push(store.mk_or(cases));
    }
    Ok(())
}

/// Reads a model of the solver, which numbers elements as it likes.
struct Values {
    /// For each type, the solver's number of each element.
    numbers: FxHashMap<SortId, Vec<Option<u32>>>,
    instance: Model,
}

impl Values {
    fn new(
        store: &mut TermStore,
        grounder: &Grounder,
        sizes: &[(SortId, u32)],
        solver: &mut Z3Solver,
    ) -> Values {
        let (mut numbers, mut instance) = (FxHashMap::default(), Model::new());
        for &(sort, size) in sizes {
            instance.set_size(sort, size);
            let literals = grounder.values(store, sort).unwrap_or_default();
            let number = |value: Option<Value>| match value {
                Some(Value::Index(number)) => Some(number),
                _ => None,
            };
            let found = solver.values(store, &literals).into_iter().map(number).collect();
            numbers.insert(sort, found);
        }
        Values { numbers, instance }
    }

    fn of_symbol(
        &mut self,
        store: &mut TermStore,
        solver: &mut Z3Solver,
        symbol: SymbolId,
        cells: &[Entry],
    ) -> Value {
        let sort = store.symbol(symbol).sort;
        let default = self.instance.default_value(store, sort);
        if let [(place, cell)] = cells
            && place.is_empty()
        {
            return self.of_term(store, solver, *cell).unwrap_or(default);
        }
        let Value::Function(table) = default else { return default };
        let mut table = FunctionTable::new(table.default_value().clone());
        for (place, cell) in cells {
            let place: Option<Vec<Value>> =
                place.iter().map(|&arg| self.of_term(store, solver, arg)).collect();
            if let (Some(place), Some(value)) = (place, self.of_term(store, solver, *cell)) {
                table.set(place, value);
            }
        }
        table.into()
    }

    fn of_term(&self, store: &TermStore, solver: &mut Z3Solver, term: TermId) -> Option<Value> {
        if let Some(value) = store.value_of(term) {
            return Some(value);
        }
        let value = solver.values(store, &[term]).pop().flatten()?;
        let place = |sort: SortId, number: u32| {
            let numbers = self.numbers.get(&sort)?;
            numbers.iter().position(|known| *known == Some(number)).map(|place| place as u32)
        };
        Some(match value {
            Value::Index(number) => Value::Index(place(store.sort_of(term), number)?),
            Value::Union(member, number) if self.numbers.contains_key(&member) => {
                Value::Union(member, place(member, number)?)
            }
            value => value,
        })
    }
}
