//! Initial states.
//!
//! The formula of `init` holds for every choice of its variables, which need not differ: Cubicle instantiates them with all
//! processes, also with the same one twice. Its conjuncts are mostly equations, `A[z] = Idle`, which give values. What they leave
//! open is a parameter of the start, and other conjuncts are its constraint. An equation between two parts of the state gives a
//! value to one as soon as the other one has one. Alternatives that do not mention processes are startstates of their own; those
//! that do are part of the constraint, since each process may choose another one. A process apart has entries as well, which are
//! never read: they start like all others.

use super::super::check::Cube;
use super::source;
use std::collections::BTreeMap;
use tenet_system::{Start, System};
use tenet_term::{Op, Role, Sort, Substitution, SymbolId, TermId, TermStore};

/// More alternatives than this are not split.
const MAX_ALTERNATIVES: usize = 64;

/// The startstates of an `init`.
pub(super) fn add_starts(system: &mut System, init: &Cube, apart: Option<SymbolId>) {
    let alternatives = alternatives(&mut system.store, init);
    let count = alternatives.len();
    for (position, formula) in alternatives.into_iter().enumerate() {
        let name = if count == 1 { "init".to_string() } else { format!("init {}", position + 1) };
        let mut solver = Solver::new(system, &init.variables);
        solver.solve(formula);
        let (params, constraint, values) = solver.finish(apart);
        system.starts.push(Start { name, source: source(init), params, constraint, values });
    }
}

/// Disjunctions without process variables, multiplied out.
fn alternatives(store: &mut TermStore, init: &Cube) -> Vec<TermId> {
    let mut found = vec![Vec::new()];
    for conjunct in store.conjuncts(init.formula) {
        let disjuncts = store.disjuncts(conjunct);
        let is_closed = store.free_bound(conjunct).is_empty();
        let splits = is_closed && disjuncts.len() > 1 && found.len() * disjuncts.len() <= MAX_ALTERNATIVES;
        let parts = if splits { disjuncts } else { vec![conjunct] };
        let extend = |known: &Vec<TermId>| {
            let known = known.clone();
            parts.iter().map(move |&part| known.iter().copied().chain([part]).collect()).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(extend).collect();
    }
    found.into_iter().map(|conjuncts| store.mk_and(conjuncts)).collect()
}

/// An equation that may give a value to a symbol.
struct Equation {
    symbol: SymbolId,
    /// The variables that it is applied to.
    variables: Vec<SymbolId>,
    value: TermId,
}

/// Solves equations for the state.
struct Solver<'a> {
    system: &'a mut System,
    /// Those of `init`, and of quantifiers at its top.
    variables: Vec<SymbolId>,
    /// Over constants and parameters.
    values: BTreeMap<SymbolId, TermId>,
    params: Vec<SymbolId>,
    constraint: Vec<TermId>,
}

impl<'a> Solver<'a> {
    fn new(system: &'a mut System, variables: &[SymbolId]) -> Solver<'a> {
        Solver {
            system,
            variables: variables.to_vec(),
            values: BTreeMap::new(),
            params: Vec::new(),
            constraint: Vec::new(),
        }
    }

    fn store(&mut self) -> &mut TermStore {
        &mut self.system.store
    }

    fn solve(&mut self, formula: TermId) {
        let mut open = self.opened(formula);
        open.retain(|&conjunct| conjunct != TermId::TRUE);
        self.entries(&mut open);
        while !open.is_empty() {
            let step = (0..open.len()).find_map(|place| Some((place, self.usable(open[place])?)));
            match step {
                Some((place, equation)) => {
                    open.remove(place);
                    self.assign(equation);
                }
                // No equation can be used yet: leave one symbol open.
                None => match open.iter().find_map(|&conjunct| self.blocked_by(conjunct)) {
                    Some(symbol) => self.leave_open(symbol),
                    None => break,
                },
            }
        }
        self.constraint.extend(open);
    }

    /// The conjuncts, also those under a universal quantifier, whose variables are then like those of `init`.
    fn opened(&mut self, formula: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut stack = vec![formula];
        while let Some(formula) = stack.pop() {
            let store = &self.system.store;
            match store.op(formula) {
                Op::And => stack.extend(store.args(formula).iter().rev()),
                Op::Forall(bound) => {
                    let new = bound.iter().filter(|&symbol| !self.variables.contains(symbol));
                    self.variables.extend(new.copied().collect::<Vec<_>>());
                    stack.push(store.args(formula)[0]);
                }
                _ => found.push(formula),
            }
        }
        found
    }

    /// The ways to read a conjunct as an equation for a symbol without a value.
    fn equations(&mut self, conjunct: TermId) -> Vec<Equation> {
        let args = self.system.store.args(conjunct).to_vec();
        let sides = match self.system.store.op(conjunct) {
            Op::Eq | Op::Iff => vec![(args[0], args[1]), (args[1], args[0])],
            Op::Not => vec![(args[0], TermId::FALSE)],
            _ => vec![(conjunct, TermId::TRUE)],
        };
        sides.into_iter().filter_map(|(place, value)| self.equation(place, value)).collect()
    }

    /// `place = value`, if the place is a symbol at distinct variables, and the value depends on no others.
    fn equation(&mut self, place: TermId, value: TermId) -> Option<Equation> {
        let store = &self.system.store;
        let (head, args) = match store.op(place) {
            Op::Symbol(_) => (place, Vec::new()),
            Op::Apply => (store.args(place)[0], store.args(place)[1..].to_vec()),
            _ => return None,
        };
        let symbol = store.as_symbol(head)?;
        let is_open = store.symbol(symbol).role == Role::State && !self.values.contains_key(&symbol);
        let variables: Vec<SymbolId> = args.iter().map(|&arg| store.as_symbol(arg)).collect::<Option<_>>()?;
        let are_variables = variables.iter().all(|variable| self.variables.contains(variable));
        let differ = variables.iter().enumerate().all(|(place, symbol)| !variables[..place].contains(symbol));
        let depends = store.free_bound(value).iter().all(|symbol| variables.contains(symbol));
        let is_recursive = store.symbols_in(value).contains(&symbol);
        (is_open && are_variables && differ && depends && !is_recursive).then_some(Equation {
            symbol,
            variables,
            value,
        })
    }

    /// An equation whose value is known.
    fn usable(&mut self, conjunct: TermId) -> Option<Equation> {
        let equations = self.equations(conjunct);
        equations.into_iter().find(|equation| self.unknown_in(equation.value).is_none())
    }

    /// The symbol without a value that prevents a conjunct from giving one.
    fn blocked_by(&mut self, conjunct: TermId) -> Option<SymbolId> {
        let equations = self.equations(conjunct);
        equations.into_iter().find_map(|equation| self.unknown_in(equation.value))
    }

    /// A part of the state without a value that occurs in a term.
    fn unknown_in(&self, term: TermId) -> Option<SymbolId> {
        let store = &self.system.store;
        store
            .symbols_in(term)
            .into_iter()
            .find(|symbol| store.symbol(*symbol).role == Role::State && !self.values.contains_key(symbol))
    }

    fn assign(&mut self, equation: Equation) {
        let value = self.resolve(equation.value);
        let value = match equation.variables.is_empty() {
            true => value,
            false => self.store().mk_lambda(&equation.variables, value),
        };
        self.values.insert(equation.symbol, value);
    }

    /// A term with known values substituted.
    fn resolve(&mut self, term: TermId) -> TermId {
        let pairs: Vec<(SymbolId, TermId)> =
            self.values.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        let substitution = Substitution::from_pairs(&self.system.store, pairs);
        self.store().substitute(term, &substitution)
    }

    /// Makes a part of the state a parameter.
    fn leave_open(&mut self, symbol: SymbolId) {
        let info = self.system.store.symbol(symbol).clone();
        let param = self.store().declare(&format!("any_{}", info.name), info.sort, Role::Initial);
        self.params.push(param);
        let value = self.store().mk_symbol(param);
        self.values.insert(symbol, value);
    }

    /// Equations about single processes (`PC[#1] = L1`) give a value if they cover all processes.
    fn entries(&mut self, open: &mut Vec<TermId>) {
        for position in 0..self.system.state.len() {
            let symbol = self.system.state[position].symbol;
            let found: Vec<(TermId, Entry)> =
                open.iter().filter_map(|&conjunct| Some((conjunct, self.entry(symbol, conjunct)?))).collect();
            let Some(value) = self.covering(symbol, found.iter().map(|(_, entry)| entry)) else { continue };
            self.values.insert(symbol, value);
            open.retain(|conjunct| !found.iter().any(|(used, _)| used == conjunct));
        }
    }

    /// `symbol[#1, #2] = value` with a value that mentions neither state nor variables.
    fn entry(&self, symbol: SymbolId, conjunct: TermId) -> Option<Entry> {
        let store = &self.system.store;
        let args = store.args(conjunct);
        let sides = match store.op(conjunct) {
            Op::Eq | Op::Iff => vec![(args[0], args[1]), (args[1], args[0])],
            Op::Not => vec![(args[0], TermId::FALSE)],
            _ => vec![(conjunct, TermId::TRUE)],
        };
        sides.into_iter().find_map(|(place, value)| {
            let [head, indices @ ..] = store.args(place) else { return None };
            let is_entry = *store.op(place) == Op::Apply && store.as_symbol(*head) == Some(symbol);
            let is_fixed = indices.iter().all(|&index| matches!(store.op(index), Op::Enum(..)));
            let is_closed = store.free_bound(value).is_empty() && self.unknown_in(value).is_none();
            (is_entry && is_fixed && is_closed).then(|| (indices.to_vec(), value))
        })
    }

    /// A function with these entries, if they cover everything.
    fn covering<'e>(&mut self, symbol: SymbolId, entries: impl Iterator<Item = &'e Entry>) -> Option<TermId> {
        let mut table: BTreeMap<Vec<TermId>, TermId> = BTreeMap::new();
        for (indices, value) in entries {
            if *table.entry(indices.clone()).or_insert(*value) != *value {
                return None;
            }
        }
        let Sort::Function { args, .. } = self.system.store.sort(self.system.store.symbol(symbol).sort)
        else {
            return None;
        };
        let args = args.clone();
        let sizes = args.iter().map(|&sort| match self.system.store.sort(sort) {
            Sort::Enum { variants, .. } => Some(variants.len()),
            _ => None,
        });
        let all = sizes.collect::<Option<Vec<usize>>>()?.into_iter().try_fold(1usize, usize::checked_mul)?;
        if table.len() != all {
            return None;
        }
        let names = (1..=args.len()).map(|place| format!("p{place}"));
        let bound: Vec<SymbolId> = names
            .zip(&args)
            .map(|(name, &sort)| self.system.store.declare(&name, sort, Role::Bound))
            .collect();
        let places: Vec<TermId> = bound.iter().map(|&symbol| self.store().mk_symbol(symbol)).collect();
        let mut entries = table.into_iter();
        let (_, mut value) = entries.next()?;
        for (indices, entry) in entries {
            let here: Vec<TermId> = places
                .iter()
                .zip(&indices)
                .map(|(&place, &index)| self.store().mk_eq(place, index))
                .collect();
            let here = self.store().mk_and(here);
            value = self.store().mk_ite(here, entry, value);
        }
        Some(self.store().mk_lambda(&bound, value))
    }

    fn differs(&mut self, variable: SymbolId, apart: Option<SymbolId>) -> TermId {
        let Some(apart) = apart else { return TermId::TRUE };
        let [variable, apart] = [variable, apart].map(|symbol| self.store().mk_symbol(symbol));
        self.store().mk_ne(variable, apart)
    }

    /// Parameters, constraint, and a value for each part of the state.
    fn finish(mut self, apart: Option<SymbolId>) -> (Vec<SymbolId>, TermId, Vec<TermId>) {
        let state: Vec<SymbolId> = self.system.state.iter().map(|var| var.symbol).collect();
        for &symbol in &state {
            if !self.values.contains_key(&symbol) {
                self.leave_open(symbol);
            }
        }
        let open = std::mem::take(&mut self.constraint);
        let variables = std::mem::take(&mut self.variables);
        let mut constraint = Vec::new();
        for conjunct in open {
            let resolved = self.resolve(conjunct);
            // A constraint without processes holds even if the process apart is the only one.
            let occurring = self.system.store.free_bound(resolved).to_vec();
            let guards: Vec<TermId> =
                occurring.into_iter().map(|variable| self.differs(variable, apart)).collect();
            let taking_part = self.store().mk_and(guards);
            let guarded = self.store().mk_implies(taking_part, resolved);
            constraint.push(self.store().mk_forall(&variables, guarded));
        }
        let constraint = self.store().mk_and(constraint);
        let values = state.iter().map(|symbol| self.values[symbol]).collect();
        (self.params, constraint, values)
    }
}

/// The indices of one entry of an array, and its value.
type Entry = (Vec<TermId>, TermId);
