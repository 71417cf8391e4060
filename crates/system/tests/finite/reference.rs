//! What programs mean: a tree-walking interpreter and a breadth-first search, both as plain as can be.

use std::collections::{BTreeMap, HashMap, HashSet};
use tenet_system::finite::compile::parameters;
use tenet_system::finite::layout::UNDEFINED;
use tenet_system::finite::machine::{Fault, LOOP_LIMIT};
use tenet_system::finite::program::*;
use tenet_system::finite::trace::Finding;

/// Why evaluation does not go on as written.
enum Stop {
    Fault(Fault),
    Reject,
    Leave(LabelId),
}

type Step<T> = Result<T, Stop>;

/// Memory and variables of a run.
pub struct Interpreter {
    /// State and scratch slots.
    pub memory: Vec<i64>,
    /// Which `cover` statements were true.
    pub covered: Vec<bool>,
    vars: HashMap<VarId, i64>,
}

fn fault<T>(site: SiteId, value: Option<i64>) -> Step<T> {
    Err(Stop::Fault(Fault { site, value }))
}

fn outcome(result: Step<bool>) -> Result<bool, Fault> {
    match result {
        Ok(value) => Ok(value),
        Err(Stop::Fault(fault)) => Err(fault),
        Err(Stop::Reject) => Ok(false),
        Err(Stop::Leave(_)) => panic!("a block was left from outside"),
    }
}

impl Interpreter {
    /// Everything undefined.
    pub fn new(program: &Program) -> Interpreter {
        let slots = program.layout.slots.len() + program.scratch as usize;
        Interpreter {
            memory: vec![UNDEFINED; slots],
            covered: vec![false; program.cover_statements.len()],
            vars: HashMap::new(),
        }
    }

    pub fn bind(&mut self, rule: &Rule, instance: u64) {
        for (param, value) in rule.params.iter().zip(parameters(&rule.params, instance)) {
            self.vars.insert(param.var, value);
        }
    }

    /// Runs a formula.
    pub fn condition(&mut self, expr: &Expr) -> Result<bool, Fault> {
        let value = self.value(expr);
        outcome(value.map(|value| value != 0))
    }

    /// Runs a body; false if the step is not taken.
    pub fn body(&mut self, body: &[Stmt]) -> Result<bool, Fault> {
        let result = self.statements(body);
        outcome(result.map(|()| true))
    }

    fn truth(&mut self, expr: &Expr) -> Step<bool> {
        Ok(self.value(expr)? != 0)
    }

    fn value(&mut self, expr: &Expr) -> Step<i64> {
        Ok(match expr {
            Expr::Const(value) => *value,
            Expr::Var(var) => self.vars[var],
            Expr::Load(place, site) => {
                let value = self.content(place)?;
                if value == UNDEFINED { fault(*site, None)? } else { value }
            }
            Expr::LoadDefined(place) => self.content(place)?,
            Expr::IsUndefined(place) => i64::from(self.content(place)? == UNDEFINED),
            Expr::Not(inner) => i64::from(!self.truth(inner)?),
            Expr::And(a, b) => i64::from(self.truth(a)? && self.truth(b)?),
            Expr::Or(a, b) => i64::from(self.truth(a)? || self.truth(b)?),
            Expr::Compare(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                i64::from(holds(*op, a, b))
            }
            Expr::SameContent(a, b, len) => {
                let (a, b) = (self.place(a)?, self.place(b)?);
                i64::from((0..*len as usize).all(|i| self.memory[a + i] == self.memory[b + i]))
            }
            Expr::Arith(op, a, b, site) => {
                let (a, b) = (i128::from(self.value(a)?), i128::from(self.value(b)?));
                arithmetic(*op, a, b).map_or_else(|| fault(*site, None), Ok)?
            }
            Expr::Ite(condition, then, otherwise) => {
                if self.truth(condition)? {
                    self.value(then)?
                } else {
                    self.value(otherwise)?
                }
            }
            Expr::Quantifier { universal, var, range, body } => {
                let rounds = self.rounds(range)?;
                let deciding = rounds.into_iter().map(|value| {
                    self.vars.insert(*var, value);
                    Ok(self.truth(body)? != *universal)
                });
                let decided = match range.unordered {
                    true => deciding.collect::<Step<Vec<bool>>>()?.contains(&true),
                    false => first_true(deciding)?,
                };
                i64::from(decided != *universal)
            }
            Expr::Count { var, range, body } => {
                let mut total = 0;
                for value in self.rounds(range)? {
                    self.vars.insert(*var, value);
                    total += i64::from(self.truth(body)?);
                }
                total
            }
            Expr::InRange(value, lo, hi, site) => {
                let value = self.value(value)?;
                if (*lo..=*hi).contains(&value) { value } else { fault(*site, Some(value))? }
            }
            Expr::Block(body, result) => {
                self.statements(body)?;
                self.value(result)?
            }
        })
    }

    fn rounds(&mut self, range: &Range) -> Step<Vec<i64>> {
        let (from, to) = (i128::from(self.value(&range.from)?), i128::from(self.value(&range.to)?));
        let step = i128::from(self.value(&range.step)?);
        let mut rounds = Vec::new();
        let mut value = from;
        while if step > 0 { value <= to } else { value >= to } {
            rounds.push(value as i64);
            value += step;
        }
        Ok(rounds)
    }

    fn content(&mut self, place: &Place) -> Step<i64> {
        let slot = self.place(place)?;
        Ok(self.memory[slot])
    }

    fn place(&mut self, place: &Place) -> Step<usize> {
        let mut slot = place.base as usize;
        for dim in &place.dims {
            let index = self.value(&dim.index)?;
            let position = i128::from(index) - i128::from(dim.lo);
            if !(0..i128::from(dim.count)).contains(&position) {
                return fault(dim.site, Some(index));
            }
            slot += position as usize * dim.stride as usize;
        }
        Ok(slot)
    }

    fn statements(&mut self, body: &[Stmt]) -> Step<()> {
        body.iter().try_for_each(|stmt| self.statement(stmt))
    }

    fn statement(&mut self, stmt: &Stmt) -> Step<()> {
        match stmt {
            Stmt::Let(var, value) => {
                let value = self.value(value)?;
                self.vars.insert(*var, value);
            }
            Stmt::Store(place, value) => {
                let value = self.value(value)?;
                let slot = self.place(place)?;
                self.memory[slot] = value;
            }
            Stmt::Copy { from, to, len } => {
                let (from, to, len) = (self.place(from)?, self.place(to)?, *len as usize);
                let content = self.memory[from..from + len].to_vec();
                self.memory[to..to + len].copy_from_slice(&content);
            }
            Stmt::Undefine(place, len) => {
                let slot = self.place(place)?;
                self.memory[slot..slot + *len as usize].fill(UNDEFINED);
            }
            Stmt::If(condition, then, otherwise) => {
                let body = if self.truth(condition)? { then } else { otherwise };
                self.statements(body)?;
            }
            Stmt::For(var, range, body) => {
                for value in self.rounds(range)? {
                    self.vars.insert(*var, value);
                    self.statements(body)?;
                }
            }
            Stmt::While(condition, body, site) => {
                let mut rounds = 0;
                while self.truth(condition)? {
                    rounds += 1;
                    if rounds > LOOP_LIMIT {
                        return fault(*site, None);
                    }
                    self.statements(body)?;
                }
            }
            Stmt::Block(label, body) => match self.statements(body) {
                Err(Stop::Leave(left)) if left == *label => {}
                other => other?,
            },
            Stmt::Leave(label) => return Err(Stop::Leave(*label)),
            Stmt::Evaluate(expr) => {
                self.value(expr)?;
            }
            Stmt::Fault(site) => return fault(*site, None),
            Stmt::Reject => return Err(Stop::Reject),
            Stmt::Cover(number) => self.covered[*number as usize] = true,
        }
        Ok(())
    }
}

fn first_true(mut results: impl Iterator<Item = Step<bool>>) -> Step<bool> {
    results
        .find_map(|result| if matches!(result, Ok(false)) { None } else { Some(result) })
        .unwrap_or(Ok(false))
}

fn holds(op: Comparison, a: i64, b: i64) -> bool {
    match op {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => a < b,
        Comparison::Le => a <= b,
        Comparison::Gt => a > b,
        Comparison::Ge => a >= b,
    }
}

fn arithmetic(op: Arithmetic, a: i128, b: i128) -> Option<i64> {
    let result = match op {
        Arithmetic::Add => a + b,
        Arithmetic::Sub => a - b,
        Arithmetic::Mul => a * b,
        Arithmetic::Div => a.checked_div(b)?,
        Arithmetic::Mod => a.checked_rem(b)?,
    };
    i64::try_from(result).ok().filter(|&value| value != UNDEFINED)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wrong {
    Property(usize),
    Fault(u32),
    Stuck,
    Stuttering,
}

/// The kind of a finding. Deadlocks are taken to be of the kind given.
pub fn kind(finding: &Finding, deadlock: Wrong) -> Wrong {
    match finding {
        Finding::Property(index) => Wrong::Property(*index),
        Finding::Deadlock => deadlock,
        other => Wrong::Fault(other.fault().unwrap().site.0),
    }
}

/// Everything there is to know about the reachable states.
#[derive(Debug, Default)]
pub struct Search {
    pub states: Vec<Vec<i64>>,
    pub depths: Vec<usize>,
    /// Rule instances taken, per state and rule.
    pub fired: Vec<Vec<u64>>,
    /// Steps to the nearest state of each kind; `None` if a startstate fails.
    pub wrong: BTreeMap<Wrong, Option<usize>>,
    pub probes: Vec<bool>,
    pub covered: Vec<bool>,
    pub cover_statements: Vec<bool>,
}

/// Searches all states; `None` if there are more than `limit`.
pub fn search(program: &Program, limit: usize) -> Option<Search> {
    let mut brute = Brute { program, seen: HashSet::new(), result: Search::default() };
    brute.result.probes = vec![false; program.probes.len()];
    brute.result.covered = vec![false; program.properties.len()];
    brute.result.cover_statements = vec![false; program.cover_statements.len()];
    brute.start();
    let mut next = 0;
    while next < brute.result.states.len() {
        if brute.result.states.len() > limit {
            return None;
        }
        brute.expand(next);
        next += 1;
    }
    Some(brute.result)
}

struct Brute<'p> {
    program: &'p Program,
    seen: HashSet<Vec<i64>>,
    result: Search,
}

impl Brute<'_> {
    fn start(&mut self) {
        let nothing = vec![UNDEFINED; self.program.layout.slots.len()];
        for rule in &self.program.starts {
            for instance in 0..instances(rule) {
                match self.take(rule, instance, &nothing) {
                    Ok(Some(state)) => self.reach(state, 0),
                    Ok(None) => {}
                    Err(fault) => self.wrong(Wrong::Fault(fault.site.0), None),
                }
            }
        }
    }

    fn expand(&mut self, number: usize) {
        let (state, depth) = (self.result.states[number].clone(), self.result.depths[number]);
        let mut fired = vec![0; self.program.rules.len()];
        let (mut taken, mut moved) = (false, false);
        for (index, rule) in self.program.rules.iter().enumerate() {
            for instance in 0..instances(rule) {
                match self.take(rule, instance, &state) {
                    Ok(None) => {}
                    Ok(Some(next)) => {
                        taken = true;
                        moved |= next != state;
                        fired[index] += 1;
                        self.reach(next, depth + 1);
                    }
                    Err(fault) => {
                        (taken, moved) = (true, true);
                        self.wrong(Wrong::Fault(fault.site.0), Some(depth));
                    }
                }
            }
        }
        self.result.fired.push(fired);
        if !taken {
            self.wrong(Wrong::Stuck, Some(depth));
        }
        if !moved {
            self.wrong(Wrong::Stuttering, Some(depth));
        }
    }

    fn take(&mut self, rule: &Rule, instance: u64, state: &[i64]) -> Result<Option<Vec<i64>>, Fault> {
        let (result, covered) = attempt(self.program, rule, instance, state);
        self.result.cover_statements.iter_mut().zip(covered).for_each(|(all, one)| *all |= one);
        result
    }

    fn reach(&mut self, state: Vec<i64>, depth: usize) {
        let program = self.program;
        let assumptions = program.properties.iter().filter(|p| p.kind == PropertyKind::Assume);
        let excluded =
            assumptions.map(|p| property(program, &p.formula, &state)).any(|result| result == Ok(false));
        if excluded || !self.seen.insert(state.clone()) {
            return;
        }
        for (index, probe) in program.probes.iter().enumerate() {
            self.result.probes[index] |= property(program, &probe.formula, &state) == Ok(true);
        }
        for (index, checked) in program.properties.iter().enumerate() {
            match (checked.kind, property(program, &checked.formula, &state)) {
                (PropertyKind::Cover, Ok(true)) => self.result.covered[index] = true,
                (PropertyKind::Invariant, Ok(false)) => self.wrong(Wrong::Property(index), Some(depth)),
                (_, Err(fault)) => {
                    self.wrong(Wrong::Fault(fault.site.0), Some(depth));
                }
                _ => {}
            }
        }
        self.result.states.push(state);
        self.result.depths.push(depth);
    }

    fn wrong(&mut self, kind: Wrong, depth: Option<usize>) {
        let known = self.result.wrong.entry(kind).or_insert(depth);
        *known = (*known).min(depth);
    }
}

/// How many combinations of parameters a rule has.
pub fn instances(rule: &Rule) -> u64 {
    rule.params.iter().map(Param::count).product()
}

/// The state after a rule; `None` if it is not taken.
pub fn step(program: &Program, rule: &Rule, instance: u64, state: &[i64]) -> Result<Option<Vec<i64>>, Fault> {
    attempt(program, rule, instance, state).0
}

pub fn property(program: &Program, formula: &Expr, state: &[i64]) -> Result<bool, Fault> {
    let mut run = Interpreter::new(program);
    run.memory[..state.len()].copy_from_slice(state);
    run.condition(formula)
}

type Attempt = (Result<Option<Vec<i64>>, Fault>, Vec<bool>);

/// The state after a rule, and the `cover` statements it met.
fn attempt(program: &Program, rule: &Rule, instance: u64, state: &[i64]) -> Attempt {
    let mut run = Interpreter::new(program);
    run.memory[..state.len()].copy_from_slice(state);
    run.bind(rule, instance);
    let taken = run.condition(&rule.guard).and_then(|open| Ok(open && run.body(&rule.body)?));
    let next = taken.map(|taken| {
        let mut next = run.memory[..state.len()].to_vec();
        crate::orbits::sort_multisets(&program.layout, &mut next);
        taken.then_some(next)
    });
    (next, run.covered)
}
