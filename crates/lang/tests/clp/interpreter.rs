//! Runs programs as Prolog would, over small numbers: goals are solved by unfolding atoms, equations are delayed until they can
//! be solved, and undetermined variables are enumerated. It is independent of the provers, so its findings about models can be
//! trusted.
//!
//! An array is a function on a window of places, zero outside. The order in which open variables of a goal are chosen is random,
//! so the interpreter also makes random instances of a goal.

use std::collections::BTreeMap;
use tenet_system::recursive::{Atom, Goal, Program};
use tenet_term::{Op, SymbolId, TermId, TermStore};

/// The places that arrays have.
const PLACES: std::ops::RangeInclusive<i64> = -6..=18;
/// The numbers that are tried for undetermined variables.
const NUMBERS: std::ops::RangeInclusive<i64> = -4..=14;
/// The depth of derivations.
const MAX_DEPTH: usize = 24;
/// The number of goals that are visited before the search for an instance is abandoned: it is better to start another
/// one.
const FUEL_FOR_INSTANCES: usize = 150;
/// The same where the question is whether there is a solution.
const FUEL_FOR_ANSWERS: usize = 20_000;

/// Numbers at random, always the same ones.
pub struct Dice(pub u64);

impl Dice {
    /// A number below the bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    /// The items in another order.
    pub fn shuffled<T>(&mut self, items: impl IntoIterator<Item = T>) -> Vec<T> {
        let mut items: Vec<T> = items.into_iter().collect();
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
        items
    }
}

/// An integer or an array without its zeroes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Int(i64),
    Array(BTreeMap<i64, i64>),
}

impl Value {
    fn int(&self) -> Option<i64> {
        if let Value::Int(value) = self { Some(*value) } else { None }
    }

    fn at(&self, place: i64) -> Option<i64> {
        if let Value::Array(entries) = self { Some(entries.get(&place).copied().unwrap_or(0)) } else { None }
    }

    fn changed(&self, place: i64, value: i64) -> Option<Value> {
        let Value::Array(mut entries) = self.clone() else { return None };
        match value {
            0 => drop(entries.remove(&place)),
            _ => drop(entries.insert(place, value)),
        }
        Some(Value::Array(entries))
    }
}

/// A term, with the frame of its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Closure {
    frame: usize,
    term: TermId,
}

/// One side of an equation.
#[derive(Clone, Debug)]
enum Side {
    Term(Closure),
    /// The function that maps a symbol to a term.
    Function(usize, SymbolId, TermId),
    Value(Value),
}

#[derive(Clone, Debug)]
struct Call {
    predicate: usize,
    args: Vec<Closure>,
    /// The enclosing calls, as far as their arguments were known: a derivation of minimal height has no duplicates.
    above: Vec<(usize, Vec<Value>)>,
}

/// A goal that is being solved. The variables of the goal itself are in frame 0.
#[derive(Clone, Debug, Default)]
pub struct State {
    values: BTreeMap<(usize, SymbolId), Value>,
    equations: Vec<(Side, Side)>,
    constraints: Vec<Closure>,
    calls: Vec<Call>,
    frames: usize,
}

/// How a search ended.
#[derive(Debug)]
pub enum Answer {
    Solved(Box<State>),
    /// There is no solution among the small numbers.
    None,
    /// Too much to try.
    GivenUp,
}

impl State {
    /// Nothing to solve, with values for variables.
    pub fn new(values: impl IntoIterator<Item = (SymbolId, Value)>) -> State {
        let values = values.into_iter().map(|(symbol, value)| ((0, symbol), value)).collect();
        State { values, frames: 1, ..State::default() }
    }

    /// The same with a goal to solve.
    pub fn with_goal(mut self, goal: &Goal) -> State {
        self.add(0, &goal.atoms, goal.constraint, &[]);
        self
    }

    /// The same with equations to solve.
    pub fn with_equations(mut self, terms: &[TermId], values: &[Value]) -> State {
        for (&term, value) in terms.iter().zip(values) {
            self.equations.push((Side::Term(Closure { frame: 0, term }), Side::Value(value.clone())));
        }
        self
    }

    /// The value of a variable of the goal.
    pub fn get(&self, symbol: SymbolId) -> Option<&Value> {
        self.values.get(&(0, symbol))
    }

    /// The value of a term of the goal.
    pub fn value(&self, store: &TermStore, term: TermId) -> Option<Value> {
        self.evaluate(store, 0, term, None)
    }

    fn add(&mut self, frame: usize, atoms: &[Atom], constraint: TermId, above: &[(usize, Vec<Value>)]) {
        self.constraints.push(Closure { frame, term: constraint });
        for atom in atoms {
            let args = atom.args.iter().map(|&term| Closure { frame, term }).collect();
            self.calls.push(Call { predicate: atom.predicate, args, above: above.to_vec() });
        }
    }

    // Evaluation, as far as variables have values.

    fn evaluate(
        &self,
        store: &TermStore,
        frame: usize,
        term: TermId,
        bound: Option<(SymbolId, i64)>,
    ) -> Option<Value> {
        let number = |term| self.evaluate(store, frame, term, bound)?.int();
        let args = store.args(term);
        match (store.op(term), args) {
            (Op::Symbol(symbol), _) => match bound {
                Some((known, value)) if known == *symbol => Some(Value::Int(value)),
                _ => self.values.get(&(frame, *symbol)).cloned(),
            },
            (Op::Int(value), _) => Some(Value::Int(value.try_into().ok()?)),
            (Op::Add, _) => args.iter().try_fold(0, |sum, &arg| Some(sum + number(arg)?)).map(Value::Int),
            (Op::Neg, &[arg]) => Some(Value::Int(-number(arg)?)),
            (Op::Mul, &[left, right]) => Some(Value::Int(number(left)? * number(right)?)),
            (Op::Ite, &[condition, yes, no]) => {
                let branch = if self.holds(store, frame, condition, bound)? { yes } else { no };
                self.evaluate(store, frame, branch, bound)
            }
            (Op::Apply, &[function, place]) => {
                let place = number(place)?;
                self.evaluate(store, frame, function, bound)?.at(place).map(Value::Int)
            }
            (Op::Lambda(symbols), &[body]) => {
                let mut entries = BTreeMap::new();
                for place in PLACES {
                    let value = self.evaluate(store, frame, body, Some((symbols[0], place)))?.int()?;
                    if value != 0 {
                        entries.insert(place, value);
                    }
                }
                Some(Value::Array(entries))
            }
            other => panic!("{other:?}"),
        }
    }

    fn holds(
        &self,
        store: &TermStore,
        frame: usize,
        formula: TermId,
        bound: Option<(SymbolId, i64)>,
    ) -> Option<bool> {
        let args = store.args(formula);
        let value = |term| self.evaluate(store, frame, term, bound);
        match (store.op(formula), args) {
            (Op::Bool(value), _) => Some(*value),
            (Op::Not, &[arg]) => Some(!self.holds(store, frame, arg, bound)?),
            (Op::And, _) | (Op::Or, _) => {
                let is_and = *store.op(formula) == Op::And;
                let known: Vec<Option<bool>> =
                    args.iter().map(|&arg| self.holds(store, frame, arg, bound)).collect();
                match known.contains(&Some(!is_and)) {
                    true => Some(!is_and),
                    false => known.iter().all(Option::is_some).then_some(is_and),
                }
            }
            (Op::Eq, &[left, right]) => Some(value(left)? == value(right)?),
            (Op::Lt, &[left, right]) => Some(value(left)?.int()? < value(right)?.int()?),
            (Op::Le, &[left, right]) => Some(value(left)?.int()? <= value(right)?.int()?),
            other => panic!("{other:?}"),
        }
    }

    fn side(&self, store: &TermStore, side: &Side) -> Option<Value> {
        match side {
            Side::Term(closure) => self.evaluate(store, closure.frame, closure.term, None),
            Side::Value(value) => Some(value.clone()),
            Side::Function(frame, symbol, body) => {
                let mut entries = BTreeMap::new();
                for place in PLACES {
                    let value = self.evaluate(store, *frame, *body, Some((*symbol, place)))?.int()?;
                    if value != 0 {
                        entries.insert(place, value);
                    }
                }
                Some(Value::Array(entries))
            }
        }
    }

    // Equations.

    /// Solves what can be solved. False if there is no solution.
    fn propagate(&mut self, store: &TermStore) -> bool {
        loop {
            let before = self.values.len();
            let Some(mut is_new) = self.take_constraints(store) else { return false };
            for (left, right) in std::mem::take(&mut self.equations) {
                match (self.side(store, &left), self.side(store, &right)) {
                    (Some(left), Some(right)) if left != right => return false,
                    (Some(_), Some(_)) => {}
                    (None, None) => self.equations.push((left, right)),
                    (Some(value), None) => match self.invert(store, right, value) {
                        None => return false,
                        Some(more) => is_new |= self.postpone(more),
                    },
                    (None, Some(value)) => match self.invert(store, left, value) {
                        None => return false,
                        Some(more) => is_new |= self.postpone(more),
                    },
                }
            }
            if before == self.values.len() && !is_new {
                return true;
            }
        }
    }

    /// Keeps an equation that could not be solved, or the simpler ones that it became. Tells whether it became simpler.
    fn postpone(&mut self, (is_new, more): (bool, Vec<(Side, Value)>)) -> bool {
        self.equations.extend(more.into_iter().map(|(side, value)| (side, Side::Value(value))));
        is_new
    }

    /// Looks at the constraints: what is true is dropped, equations are kept as such.
    fn take_constraints(&mut self, store: &TermStore) -> Option<bool> {
        let mut is_new = false;
        for closure in std::mem::take(&mut self.constraints) {
            let Closure { frame, term } = closure;
            match (self.holds(store, frame, term, None), store.op(term), store.args(term)) {
                (Some(false), ..) => return None,
                (Some(true), ..) => {}
                (None, Op::And, args) => {
                    is_new = true;
                    self.constraints.extend(args.iter().map(|&term| Closure { frame, term }));
                }
                (None, Op::Eq, &[left, right]) => {
                    is_new = true;
                    let side = |term| Side::Term(Closure { frame, term });
                    self.equations.push((side(left), side(right)));
                }
                (None, ..) => self.constraints.push(closure),
            }
        }
        Some(is_new)
    }

    /// What has to be true for the side to have this value, and whether that is simpler; nothing if it cannot.
    fn invert(&mut self, store: &TermStore, side: Side, value: Value) -> Option<(bool, Vec<(Side, Value)>)> {
        let Side::Term(Closure { frame, term }) = side else { return Some((false, vec![(side, value)])) };
        let there =
            |term, value| Some((true, vec![(Side::Term(Closure { frame, term }), Value::Int(value))]));
        let args = store.args(term);
        match (store.op(term), args) {
            (Op::Symbol(symbol), _) => {
                self.values.insert((frame, *symbol), value);
                Some((true, Vec::new()))
            }
            (Op::Neg, &[arg]) => there(arg, -value.int()?),
            (Op::Mul, &[left, right]) => {
                let factor = store.as_int(left).and_then(|factor| i64::try_from(factor).ok()).unwrap();
                if value.int()? % factor == 0 { there(right, value.int()? / factor) } else { None }
            }
            (Op::Add, _) => {
                let known: Vec<Option<i64>> =
                    args.iter().map(|&arg| self.evaluate(store, frame, arg, None)?.int()).collect();
                let open: Vec<usize> = (0..args.len()).filter(|&at| known[at].is_none()).collect();
                match open[..] {
                    [only] => there(args[only], value.int()? - known.iter().flatten().sum::<i64>()),
                    _ => Some((false, vec![(Side::Term(Closure { frame, term }), value)])),
                }
            }
            (Op::Lambda(symbols), &[body]) => {
                Some((true, vec![(Side::Function(frame, symbols[0], body), value)]))
            }
            _ => Some((false, vec![(Side::Term(Closure { frame, term }), value)])),
        }
    }

    /// An updated array whose place is known: the ways to go on, one for each old entry at this place.
    fn old_entries(&self, store: &TermStore, dice: &mut Dice) -> Option<Vec<State>> {
        for (at, equation) in self.equations.iter().enumerate() {
            let (Side::Function(frame, symbol, body), Side::Value(array)) = equation else { continue };
            let rest = |body: TermId| match (store.op(body), store.args(body)) {
                (Op::Apply, &[function, _]) => Side::Term(Closure { frame: *frame, term: function }),
                _ => Side::Function(*frame, *symbol, body),
            };
            let (Op::Ite, &[condition, value, otherwise]) = (store.op(*body), store.args(*body)) else {
                continue;
            };
            let sides = store.args(condition);
            let other = if store.as_symbol(sides[0]) == Some(*symbol) { sides[1] } else { sides[0] };
            let Some(place) = self.evaluate(store, *frame, other, None).and_then(|place| place.int()) else {
                continue;
            };
            let entry = array.at(place)?;
            let old = [entry].into_iter().chain(dice.shuffled((-1..=3).filter(|&old| old != entry)));
            let ways = old.map(|old| {
                let mut state = self.clone();
                state.equations.remove(at);
                let value = Side::Term(Closure { frame: *frame, term: value });
                state.equations.push((value, Side::Value(Value::Int(entry))));
                state.equations.push((rest(otherwise), Side::Value(array.changed(place, old).unwrap())));
                state
            });
            return Some(ways.collect());
        }
        None
    }

    /// The variables without a value in constraints or equations.
    fn open_numbers(&self, store: &TermStore) -> Vec<(usize, SymbolId)> {
        let mut closures = self.constraints.clone();
        for side in self.equations.iter().flat_map(|(left, right)| [left, right]) {
            match side {
                Side::Term(closure) => closures.push(*closure),
                Side::Function(frame, _, body) => closures.push(Closure { frame: *frame, term: *body }),
                Side::Value(_) => {}
            }
        }
        closures.extend(self.calls.iter().flat_map(|call| &call.args));
        let symbols = closures.into_iter().flat_map(|Closure { frame, term }| {
            store.free_symbols(term).into_iter().map(move |symbol| (frame, symbol))
        });
        let is_number = |symbol: SymbolId| store.sort(store.symbol(symbol).sort).is_integer();
        let mut open: Vec<(usize, SymbolId)> = symbols
            .filter(|key| is_number(key.1) && !self.values.contains_key(key) && !self.is_bound(store, key.1))
            .collect();
        open.sort_unstable();
        open.dedup();
        open
    }

    /// The symbol of an update is no variable.
    fn is_bound(&self, store: &TermStore, symbol: SymbolId) -> bool {
        store.symbol(symbol).name.starts_with(|first: char| first.is_ascii_lowercase())
    }

    fn arguments(&self, store: &TermStore, call: &Call) -> Option<Vec<Value>> {
        call.args.iter().map(|&Closure { frame, term }| self.evaluate(store, frame, term, None)).collect()
    }
}

/// Solves goals of a program.
pub struct Interpreter<'p> {
    program: &'p Program,
    dice: Dice,
    fuel: usize,
}

impl<'p> Interpreter<'p> {
    /// With the seed of its random numbers.
    pub fn new(program: &'p Program, seed: u64) -> Interpreter<'p> {
        Interpreter { program, dice: Dice(seed), fuel: 0 }
    }

    /// The random numbers.
    pub fn dice(&mut self) -> &mut Dice {
        &mut self.dice
    }

    /// Solves a goal. Numbers are tried before atoms with unknown arguments are unfolded if the question is whether there is a
    /// solution, rather than to make an instance.
    pub fn solve(&mut self, state: State, numbers_first: bool) -> Answer {
        self.fuel = if numbers_first { FUEL_FOR_ANSWERS } else { FUEL_FOR_INSTANCES };
        match self.search(state, numbers_first) {
            Some(state) => Answer::Solved(Box::new(state)),
            None if self.fuel == 0 => Answer::GivenUp,
            None => Answer::None,
        }
    }

    fn search(&mut self, mut state: State, numbers_first: bool) -> Option<State> {
        if self.fuel == 0 {
            return None;
        }
        self.fuel -= 1;
        let store = &self.program.store;
        if !state.propagate(store) {
            return None;
        }
        if let Some(known) = state.calls.iter().position(|call| state.arguments(store, call).is_some()) {
            return self.unfold(state, known, numbers_first);
        }
        if let Some(ways) = state.old_entries(store, &mut self.dice) {
            return ways.into_iter().find_map(|way| self.search(way, numbers_first));
        }
        let open = state.open_numbers(store);
        match (open.first(), state.calls.is_empty()) {
            (Some(&key), is_last) if is_last || numbers_first => {
                let numbers = self.dice.shuffled(NUMBERS);
                numbers.into_iter().find_map(|number| {
                    let mut way = state.clone();
                    way.values.insert(key, Value::Int(number));
                    self.search(way, numbers_first)
                })
            }
            (_, false) => self.unfold(state, 0, numbers_first),
            // Undetermined arrays.
            _ => (state.equations.is_empty() && state.constraints.is_empty()).then_some(state),
        }
    }

    fn unfold(&mut self, mut state: State, at: usize, numbers_first: bool) -> Option<State> {
        let store = &self.program.store;
        let call = state.calls.remove(at);
        let mut above = call.above.clone();
        if let Some(args) = state.arguments(store, &call) {
            if above.contains(&(call.predicate, args.clone())) {
                return None;
            }
            above.push((call.predicate, args));
        } else {
            above.push((call.predicate, Vec::new()));
        }
        if above.len() > MAX_DEPTH {
            return None;
        }
        let program = self.program;
        let rules = self.dice.shuffled(&program.predicates[call.predicate].rules);
        rules.into_iter().find_map(|clause| {
            let mut way = state.clone();
            let frame = way.frames;
            way.frames += 1;
            for (&argument, &term) in call.args.iter().zip(&clause.head) {
                way.equations.push((Side::Term(argument), Side::Term(Closure { frame, term })));
            }
            way.add(frame, &clause.atoms, clause.constraint, &above);
            self.search(way, numbers_first)
        })
    }
}
