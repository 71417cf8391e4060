//! An independent semantics by brute force: an evaluator of syntax trees without terms, sorts and instances.
//!
//! Values are numbers: positions of constructors, 0 and 1 for truth values, processes from 0, integers as themselves. Integers
//! have the domain `INTEGERS` where every value is needed, so only small models can be started without values for them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use tenet_lang::cubicle::ast::{
    Chosen, Comparison, Cube, Expr, ExprKind, Model, Name, NewValue, Transition, Update,
};

const INTEGERS: std::ops::RangeInclusive<i64> = 0..=2;

/// The entries of every variable and array.
pub type State = BTreeMap<String, Vec<i64>>;

/// A model for a number of processes.
pub struct Brute<'m> {
    pub model: &'m Model,
    pub processes: i64,
}

type Scope = Vec<(String, i64)>;

impl Brute<'_> {
    /// The states that are reachable within this number of steps, and the positions of the cubes that are violated.
    pub fn reach(&self, depth: usize) -> (BTreeSet<State>, BTreeSet<usize>) {
        let mut seen: BTreeSet<State> = self.starts().into_iter().collect();
        let mut queue: VecDeque<(State, usize)> = seen.iter().map(|state| (state.clone(), 0)).collect();
        while let Some((state, steps)) = queue.pop_front() {
            if steps == depth {
                continue;
            }
            for next in self.successors(&state) {
                if seen.insert(next.clone()) {
                    queue.push_back((next, steps + 1));
                }
            }
        }
        let unsafes = self.model.unsafes.iter().enumerate();
        let is_violated = |cube: &Cube| seen.iter().any(|state| self.matches(cube, state));
        let violated = unsafes.filter(|(_, cube)| is_violated(cube)).map(|(position, _)| position).collect();
        (seen, violated)
    }

    /// Whether some choice of different processes satisfies the cube.
    fn matches(&self, cube: &Cube, state: &State) -> bool {
        self.scopes(&cube.variables, true).iter().any(|scope| self.eval(&cube.formula, scope, state) != 0)
    }

    fn starts(&self) -> Vec<State> {
        let mut states = vec![State::new()];
        for symbol in &self.model.symbols {
            let entries = (self.processes as usize).pow(symbol.indices.len() as u32);
            let mut tables = vec![Vec::new()];
            for _ in 0..entries {
                let extend = |table: &Vec<i64>| {
                    let values = self.domain(&symbol.ty.text).into_iter();
                    let table = table.clone();
                    values
                        .map(move |value| table.iter().copied().chain([value]).collect())
                        .collect::<Vec<Vec<i64>>>()
                };
                tables = tables.iter().flat_map(extend).collect();
            }
            let add = |state: &State| {
                let with = |table: &Vec<i64>| {
                    let mut state = state.clone();
                    state.insert(symbol.name.text.clone(), table.clone());
                    state
                };
                tables.iter().map(with).collect::<Vec<State>>()
            };
            states = states.iter().flat_map(add).collect();
        }
        let init = &self.model.inits[0];
        let holds = |state: &State| {
            let scopes = self.scopes(&init.variables, false);
            scopes.iter().all(|scope| self.eval(&init.formula, scope, state) != 0)
        };
        states.into_iter().filter(holds).collect()
    }

    fn domain(&self, ty: &str) -> Vec<i64> {
        match ty {
            "bool" => vec![0, 1],
            "proc" => (0..self.processes).collect(),
            "int" => INTEGERS.collect(),
            _ => {
                let declared = self.model.types.iter().find(|known| known.name.text == ty).unwrap();
                (0..declared.constructors.len() as i64).collect()
            }
        }
    }

    /// Every choice of processes for the names, of different ones or of any.
    fn scopes(&self, names: &[Name], distinct: bool) -> Vec<Scope> {
        let mut scopes = vec![Scope::new()];
        for name in names {
            let extend = |scope: &Scope| {
                let free = |process: &i64| !distinct || !scope.iter().any(|(_, other)| other == process);
                let with =
                    |process: i64| scope.iter().cloned().chain([(name.text.clone(), process)]).collect();
                (0..self.processes).filter(free).map(with).collect::<Vec<Scope>>()
            };
            scopes = scopes.iter().flat_map(extend).collect();
        }
        scopes
    }

    fn successors(&self, state: &State) -> Vec<State> {
        let mut next = Vec::new();
        for transition in &self.model.transitions {
            for scope in self.scopes(&transition.params, true) {
                let guard = transition.guard.as_ref();
                if guard.is_none_or(|guard| self.eval(guard, &scope, state) != 0) {
                    next.extend(self.fire(transition, &scope, state));
                }
            }
        }
        next
    }

    /// The states after all updates, which read the old one.
    fn fire(&self, transition: &Transition, scope: &Scope, state: &State) -> Vec<State> {
        let mut states = vec![state.clone()];
        for update in &transition.updates {
            for (position, values) in self.writes(update, scope, state) {
                let write = |target: &State| {
                    let with = |&value: &i64| {
                        let mut target = target.clone();
                        target.get_mut(&update.target.text).unwrap()[position] = value;
                        target
                    };
                    values.iter().map(with).collect::<Vec<State>>()
                };
                states = states.iter().flat_map(write).collect();
            }
        }
        states
    }

    /// The entries that an update changes, and the values that each of them can get.
    fn writes(&self, update: &Update, scope: &Scope, state: &State) -> Vec<(usize, Vec<i64>)> {
        let NewValue::Case(branches) = &update.value else {
            let NewValue::One(chosen) = &update.value else { unreachable!() };
            let position = self.position(&update.indices, scope, state);
            return vec![(position, self.values(chosen, update, scope, state))];
        };
        let names: Vec<Name> = update.indices.iter().map(index_name).collect();
        let mut writes = Vec::new();
        for inner in self.scopes(&names, false) {
            let scope: Scope = scope.iter().cloned().chain(inner).collect();
            let fits = |condition: &Option<Expr>| {
                condition.as_ref().is_none_or(|condition| self.eval(condition, &scope, state) != 0)
            };
            let branch = branches.iter().find(|branch| fits(&branch.condition));
            let values = match branch {
                Some(branch) => self.values(&branch.value, update, &scope, state),
                None => self.any(update),
            };
            writes.push((self.position(&update.indices, &scope, state), values));
        }
        writes
    }

    fn values(&self, chosen: &Chosen, update: &Update, scope: &Scope, state: &State) -> Vec<i64> {
        match chosen {
            Chosen::Term(term) => vec![self.eval(term, scope, state)],
            Chosen::Any(_) => self.any(update),
        }
    }

    fn any(&self, update: &Update) -> Vec<i64> {
        let declared = self.model.symbols.iter().find(|symbol| symbol.name.text == update.target.text);
        self.domain(&declared.unwrap().ty.text)
    }

    fn position(&self, indices: &[Expr], scope: &Scope, state: &State) -> usize {
        let add = |position: i64, index: &Expr| position * self.processes + self.eval(index, scope, state);
        indices.iter().fold(0, add) as usize
    }

    fn eval(&self, expr: &Expr, scope: &Scope, state: &State) -> i64 {
        let eval = |expr: &Expr| self.eval(expr, scope, state);
        let truth = |value: bool| i64::from(value);
        match &expr.kind {
            ExprKind::Name(name) => self.name(name, scope, state),
            ExprKind::Number(value) => i64::try_from(value).unwrap(),
            ExprKind::Truth(value) => truth(*value),
            ExprKind::Access(name, indices) => state[&name.text][self.position(indices, scope, state)],
            ExprKind::Not(operand) => 1 - eval(operand),
            ExprKind::All(parts) => truth(parts.iter().all(|part| eval(part) != 0)),
            ExprKind::Any(parts) => truth(parts.iter().any(|part| eval(part) != 0)),
            ExprKind::Implies(left, right) => truth(eval(left) == 0 || eval(right) != 0),
            ExprKind::Iff(left, right) => truth(eval(left) == eval(right)),
            ExprKind::If(condition, then, other) => eval(if eval(condition) != 0 { then } else { other }),
            ExprKind::Compare(comparison, left, right) => compare(*comparison, eval(left), eval(right)),
            ExprKind::Sum(parts) => {
                parts.iter().map(|(minus, part)| if *minus { -eval(part) } else { eval(part) }).sum()
            }
            ExprKind::Product(factors) => factors.iter().map(eval).product(),
            ExprKind::Quantified(quantifier, names, body) => {
                let others: Vec<i64> = scope.iter().map(|(_, process)| *process).collect();
                let inner = self.scopes(names, true).into_iter();
                let mut inner =
                    inner.filter(|inner| inner.iter().all(|(_, process)| !others.contains(process)));
                let holds = |inner: Scope| {
                    let scope: Scope = scope.iter().cloned().chain(inner).collect();
                    self.eval(body, &scope, state) != 0
                };
                truth(if quantifier.universal { inner.all(holds) } else { inner.any(holds) })
            }
            other => panic!("not part of these models: {other:?}"),
        }
    }

    fn name(&self, name: &str, scope: &Scope, state: &State) -> i64 {
        if let Some((_, value)) = scope.iter().rev().find(|(known, _)| known == name) {
            return *value;
        }
        if let Some(entries) = state.get(name) {
            return entries[0];
        }
        let constructors = self.model.types.iter().map(|declared| &declared.constructors);
        let mut positions =
            constructors.filter_map(|all| all.iter().position(|constructor| constructor.text == name));
        match name {
            "True" => 1,
            "False" => 0,
            _ => positions.next().unwrap() as i64,
        }
    }
}

fn index_name(index: &Expr) -> Name {
    let ExprKind::Name(name) = &index.kind else { panic!("an update with `case` has new variables") };
    Name { text: name.clone(), span: index.span }
}

fn compare(comparison: Comparison, a: i64, b: i64) -> i64 {
    i64::from(match comparison {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
    })
}
