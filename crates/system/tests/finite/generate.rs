//! Random programs over one fixed layout: two numbers, an array, a matrix, and scratch slots of the same shapes.
//!
//! Programs keep the contract of `program`: variables are used in their scope, blocks are left from inside, guards
//! and properties change scratch slots only, and steps are not zero. Everything else may go wrong, and often does.

use crate::tape::Tape;
use tenet_system::finite::layout::{Domain, DomainId, Layout, Slot};
use tenet_system::finite::program::*;

/// A variable of the model: first slot, dimensions `(least index, count, stride)`, greatest value.
#[derive(Clone, Copy)]
struct Shape {
    base: u32,
    dims: &'static [(i64, u32, u32)],
    hi: i64,
}

const STATE: [Shape; 4] = [
    Shape { base: 0, dims: &[], hi: 3 },
    Shape { base: 1, dims: &[], hi: 3 },
    Shape { base: 2, dims: &[(0, 3, 1)], hi: 2 },
    Shape { base: 5, dims: &[(1, 2, 2), (0, 2, 1)], hi: 1 },
];
pub const STATE_SLOTS: u32 = 9;
const SCRATCH: [Shape; 3] = [
    Shape { base: 9, dims: &[], hi: 3 },
    Shape { base: 10, dims: &[], hi: 3 },
    Shape { base: 11, dims: &[(-1, 3, 1)], hi: 2 },
];
/// One counter for each depth of nested `while` loops.
const COUNTERS: u32 = 14;
const MAX_WHILE: u32 = 2;
const SCRATCH_SLOTS: u32 = COUNTERS + MAX_WHILE - STATE_SLOTS;

const COMPARISONS: [Comparison; 6] =
    [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt, Comparison::Ge];
const ARITHMETIC: [Arithmetic; 5] =
    [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mod, Arithmetic::Mul, Arithmetic::Div];

/// Builds programs from a tape.
pub struct Generator {
    pub tape: Tape,
    program: Program,
    scope: Vec<VarId>,
    blocks: Vec<LabelId>,
    /// Depth of `while` loops around.
    whiles: u32,
    /// Depth of all loops around.
    loops: u32,
    /// Whether statements may change the state.
    writes: bool,
    /// Whether scratch slots may be used.
    scratch: bool,
    /// Whether `cover` statements may be used: in rules, not in properties.
    covers: bool,
}

impl Generator {
    pub fn new(tape: Tape) -> Generator {
        let mut layout = Layout::default();
        for shape in STATE {
            let domain = layout.add_domain(Domain::numbers(0, shape.hi));
            let count: u32 = shape.dims.iter().map(|dim| dim.1).product();
            let slots =
                (0..count).map(|i| Slot { name: format!("v{}_{i}", shape.base), domain, axes: Vec::new() });
            layout.slots.extend(slots);
        }
        let cover_statements = vec!["first".to_string(), "second".to_string()];
        let program = Program { layout, scratch: SCRATCH_SLOTS, cover_statements, ..Program::default() };
        let (scope, blocks) = (Vec::new(), Vec::new());
        Generator {
            tape,
            program,
            scope,
            blocks,
            whiles: 0,
            loops: 0,
            writes: false,
            scratch: true,
            covers: false,
        }
    }

    pub fn rules(mut self, count: usize) -> Program {
        for _ in 0..count {
            let rule = self.rule();
            self.program.rules.push(rule);
        }
        self.program
    }

    /// A program with startstates, rules, properties and probes, for the explorer.
    pub fn system(mut self) -> Program {
        for _ in 0..=self.tape.below(2) {
            let start = self.start();
            self.program.starts.push(start);
        }
        for _ in 0..2 + self.tape.below(3) {
            let rule = if self.tape.chance(4) { self.rule() } else { self.lively_rule() };
            self.program.rules.push(rule);
        }
        for number in 0..self.tape.below(4) {
            let (invariant, cover) = (PropertyKind::Invariant, PropertyKind::Cover);
            let kinds = [invariant, invariant, invariant, cover, cover, PropertyKind::Assume];
            let (name, kind) = (format!("p{number}"), *self.tape.pick(&kinds));
            let formula = if self.tape.chance(2) { self.slot_guard() } else { self.formula(3) };
            self.program.properties.push(Property { name, kind, source: Source::default(), formula });
        }
        for _ in 0..self.tape.below(2) {
            let formula = self.formula(2);
            self.program.probes.push(Probe { property: 0, source: Source::default(), formula });
        }
        self.program
    }

    fn rule(&mut self) -> Rule {
        let params: Vec<Param> = (0..self.tape.below(3)).map(|_| self.param()).collect();
        self.covers = true;
        let guard = self.formula(3);
        let mut body = vec![Stmt::Undefine(Place::slot(STATE_SLOTS), SCRATCH_SLOTS)];
        body.extend(self.writing(|generator| generator.statements(3)));
        self.covers = false;
        self.scope.clear();
        let name = format!("r{}", self.program.rules.len());
        Rule { name, source: Source::default(), params, guard, body }
    }

    /// A rule that changes one or two slots and seldom fails, so that there are states to find.
    fn lively_rule(&mut self) -> Rule {
        let (guard, body) = (self.slot_guard(), vec![self.turn()]);
        let (name, source) = ("turn".to_string(), Source::default());
        let mut rule = Rule { name, source, params: Vec::new(), guard, body };
        if self.tape.chance(2) {
            rule.params.push(self.param());
            self.scratch = false;
            rule.guard = Expr::And(Box::new(rule.guard), Box::new(self.slot_test()));
            self.scratch = true;
        }
        match self.tape.below(4) {
            0 | 1 => rule.body.push(self.turn()),
            2 => {
                rule.body.insert(0, Stmt::Undefine(Place::slot(STATE_SLOTS), SCRATCH_SLOTS));
                rule.body.extend(self.writing(|generator| generator.statements(2)));
            }
            _ => {}
        }
        self.scope.clear();
        rule
    }

    /// Whether a slot differs from one value.
    fn slot_guard(&mut self) -> Expr {
        let (slot, value) = (self.tape.below(STATE_SLOTS as usize) as u32, self.tape.between(0, 3));
        let load = Expr::Load(Place::slot(slot), self.site(FaultKind::Undefined));
        Expr::Compare(Comparison::Ne, Box::new(load), Box::new(Expr::Const(value)))
    }

    /// `slot := (slot + 1) mod size`
    fn turn(&mut self) -> Stmt {
        let shape = *self.tape.pick(&STATE);
        let count: u32 = shape.dims.iter().map(|dim| dim.1).product();
        let slot = shape.base + self.tape.below(count as usize) as u32;
        let mut arith = |op, a, b| {
            let site = self.site(FaultKind::Overflow);
            Expr::Arith(op, Box::new(a), Box::new(Expr::Const(b)), site)
        };
        let load = Expr::LoadDefined(Place::slot(slot));
        let next = arith(Arithmetic::Add, load, 1);
        let next = arith(Arithmetic::Mod, next, shape.hi + 1);
        let [first, next] = [Expr::Const(0), next].map(|value| vec![Stmt::Store(Place::slot(slot), value)]);
        Stmt::If(Expr::IsUndefined(Place::slot(slot)), first, next)
    }

    /// Startstates define most slots before they do anything else.
    fn start(&mut self) -> Rule {
        let mut body = vec![Stmt::Undefine(Place::slot(STATE_SLOTS), SCRATCH_SLOTS)];
        for slot in 0..STATE_SLOTS {
            if !self.tape.chance(12) {
                let value = self.tape.between(0, 1);
                body.push(Stmt::Store(Place::slot(slot), Expr::Const(value)));
            }
        }
        let params: Vec<Param> = (0..self.tape.below(2)).map(|_| self.param()).collect();
        if self.tape.chance(3) {
            body.extend(self.writing(|generator| generator.statements(2)));
        }
        self.scope.clear();
        let name = "start".to_string();
        Rule { name, source: Source::default(), params, guard: Expr::Const(1), body }
    }

    fn writing<T>(&mut self, build: impl FnOnce(&mut Generator) -> T) -> T {
        self.writes = true;
        let result = build(self);
        self.writes = false;
        result
    }

    /// A guard or property: scratch slots start undefined.
    fn formula(&mut self, depth: u32) -> Expr {
        self.scratch = self.tape.chance(2);
        let formula = self.boolean(depth);
        if !std::mem::replace(&mut self.scratch, true) {
            return formula;
        }
        let clear = Stmt::Undefine(Place::slot(STATE_SLOTS), SCRATCH_SLOTS);
        Expr::Block(vec![clear], Box::new(formula))
    }

    fn param(&mut self) -> Param {
        let var = self.var();
        self.scope.push(var);
        let (lo, count, step) =
            (self.tape.between(-1, 2), self.tape.below(4) as i64, self.tape.between(1, 2));
        // Sometimes the last value is not hit exactly, and one range in four is empty.
        let hi = lo + (count - 1) * step + if step == 2 { self.tape.between(0, 1) } else { 0 };
        Param { name: format!("p{}", var.0), var, domain: DomainId(0), lo, hi, step }
    }

    fn var(&mut self) -> VarId {
        self.program.vars += 1;
        VarId(self.program.vars - 1)
    }

    fn site(&mut self, kind: FaultKind) -> SiteId {
        let site = Site { kind, detail: String::new(), source: Source::default() };
        self.program.sites.push(site);
        SiteId(self.program.sites.len() as u32 - 1)
    }

    fn boxed(&mut self, depth: u32) -> Box<Expr> {
        Box::new(self.expr(depth))
    }

    fn expr(&mut self, depth: u32) -> Expr {
        if self.tape.below(3) == 0 { self.boolean(depth) } else { self.number(depth) }
    }

    fn boolean(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.tape.is_exhausted() {
            return Expr::Const(1 - self.tape.between(0, 1));
        }
        let next = depth - 1;
        match self.tape.below(12) {
            0 => Expr::Const(1 - self.tape.between(0, 1)),
            1..=3 => {
                let op = *self.tape.pick(&COMPARISONS);
                Expr::Compare(op, Box::new(self.number(next)), Box::new(self.number(next)))
            }
            4 => Expr::Not(Box::new(self.boolean(next))),
            5 => Expr::And(Box::new(self.boolean(next)), Box::new(self.boolean(next))),
            6 => Expr::Or(Box::new(self.boolean(next)), Box::new(self.boolean(next))),
            7 => Expr::IsUndefined(self.place(next).0),
            8 => self.same_content(next),
            9 => self.quantifier(next),
            10 => self.slot_test(),
            _ => self.expr(next),
        }
    }

    /// The shape that has an instruction of its own: slot against constant.
    fn slot_test(&mut self) -> Expr {
        let place = self.place(0).0;
        let site = self.site(FaultKind::Undefined);
        let (load, value) = (Expr::Load(place, site), self.leaf());
        let op = *self.tape.pick(&COMPARISONS);
        match self.tape.below(3) {
            0 => Expr::Compare(op, Box::new(load), Box::new(value)),
            1 => Expr::Compare(op, Box::new(value), Box::new(load)),
            _ => load,
        }
    }

    fn number(&mut self, depth: u32) -> Expr {
        if depth == 0 || self.tape.is_exhausted() {
            return self.leaf();
        }
        let next = depth - 1;
        match self.tape.below(13) {
            0..=2 => self.leaf(),
            3..=5 => {
                let place = self.place(next).0;
                Expr::Load(place, self.site(FaultKind::Undefined))
            }
            6 => self.load_if_defined(),
            7 => {
                let (op, a, b) = (*self.tape.pick(&ARITHMETIC), self.boxed(next), self.boxed(next));
                Expr::Arith(op, a, b, self.site(FaultKind::Overflow))
            }
            8 => Expr::Ite(Box::new(self.boolean(next)), self.boxed(next), self.boxed(next)),
            9 => self.count(next),
            10 => {
                let (value, lo) = (self.boxed(next), self.tape.between(-1, 1));
                Expr::InRange(value, lo, 3, self.site(FaultKind::Range))
            }
            11 if self.scratch => self.block(next),
            _ => self.boolean(next),
        }
    }

    fn leaf(&mut self) -> Expr {
        match self.tape.below(8) {
            0..=4 => Expr::Const(self.tape.between(0, 3)),
            5 | 6 if !self.scope.is_empty() => Expr::Var(*self.tape.pick(&self.scope)),
            7 => Expr::Const(*self.tape.pick(&[-1, i64::MAX, i64::MIN + 1, 1 << 40])),
            _ => Expr::Const(4),
        }
    }

    fn load_if_defined(&mut self) -> Expr {
        let place = self.place(0).0;
        let test = Expr::IsUndefined(place.clone());
        Expr::Ite(Box::new(test), Box::new(Expr::Const(1)), Box::new(Expr::LoadDefined(place)))
    }

    fn same_content(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.pair(depth), self.pair(depth));
        Expr::SameContent(a, b, 2)
    }

    fn block(&mut self, depth: u32) -> Expr {
        let (scope, blocks) = (self.scope.len(), std::mem::take(&mut self.blocks));
        let label = self.label();
        let first = self.tape.below(2);
        let mut body = if first == 1 { vec![self.binding(depth)] } else { Vec::new() };
        self.blocks.push(label);
        let inner = self.statements(depth);
        self.blocks = blocks;
        body.push(Stmt::Block(label, inner));
        let result = self.boxed(depth);
        self.scope.truncate(scope);
        Expr::Block(body, result)
    }

    fn label(&mut self) -> LabelId {
        self.program.labels += 1;
        LabelId(self.program.labels - 1)
    }

    fn quantifier(&mut self, depth: u32) -> Expr {
        let universal = self.tape.chance(2);
        let (var, range, body) = self.looping(depth, |generator| generator.boolean(depth));
        Expr::Quantifier { universal, var, range: Box::new(range), body: Box::new(body) }
    }

    fn count(&mut self, depth: u32) -> Expr {
        let (var, range, body) = self.looping(depth, |generator| generator.boolean(depth));
        Expr::Count { var, range: Box::new(range), body: Box::new(body) }
    }

    fn looping<T>(&mut self, depth: u32, body: impl FnOnce(&mut Generator) -> T) -> (VarId, Range, T) {
        let range = self.range(depth);
        let var = self.var();
        self.scope.push(var);
        self.loops += 1;
        let body = body(self);
        self.loops -= 1;
        self.scope.pop();
        (var, range, body)
    }

    fn range(&mut self, depth: u32) -> Range {
        let unordered = self.tape.chance(3);
        let range = |from, to, step| Range { from, to, step, unordered };
        let constant = |from, to, step| range(Expr::Const(from), Expr::Const(to), Expr::Const(step));
        match self.tape.below(10) {
            0..=3 => constant(self.tape.between(-1, 2), self.tape.between(-1, 3), 1),
            4 => constant(self.tape.between(0, 3), self.tape.between(-1, 3), -1),
            5 => constant(self.tape.between(-1, 2), 4, self.tape.between(2, 3)),
            6 if self.loops == 0 => constant(0, 69, 1),
            7 if self.tape.chance(2) => constant(i64::MIN + 2, i64::MIN + 1, -1),
            7 => constant(i64::MAX - 1, i64::MAX, 1),
            8 => range(self.small(depth), self.small(depth), self.step()),
            _ => range(self.leaf_small(), self.small(depth), Expr::Const(1)),
        }
    }

    fn leaf_small(&mut self) -> Expr {
        if self.scope.is_empty() { Expr::Const(1) } else { self.modulo(Expr::Var(self.scope[0])) }
    }

    /// An expression in `-3..=3`, unless it fails.
    fn small(&mut self, depth: u32) -> Expr {
        let value = self.expr(depth);
        self.modulo(value)
    }

    fn modulo(&mut self, value: Expr) -> Expr {
        let site = self.site(FaultKind::DivisionByZero);
        Expr::Arith(Arithmetic::Mod, Box::new(value), Box::new(Expr::Const(4)), site)
    }

    fn step(&mut self) -> Expr {
        let condition = self.boolean(1);
        let (up, down) = (self.tape.between(1, 2), -self.tape.between(1, 2));
        Expr::Ite(Box::new(condition), Box::new(Expr::Const(up)), Box::new(Expr::Const(down)))
    }

    /// A place of one slot, and the greatest value it may hold.
    fn place(&mut self, depth: u32) -> (Place, i64) {
        let shape = self.shape(false);
        (self.indexed(shape, shape.dims.len(), depth), shape.hi)
    }

    fn shape(&mut self, written: bool) -> Shape {
        let scratch = self.scratch && (written && !self.writes || self.tape.chance(3));
        if scratch { *self.tape.pick(&SCRATCH) } else { *self.tape.pick(&STATE) }
    }

    fn indexed(&mut self, shape: Shape, dims: usize, depth: u32) -> Place {
        let dims = shape.dims[..dims].iter().map(|&(lo, count, stride)| {
            let index = self.index(lo, count, depth);
            Dim { index, lo, count, stride, site: self.site(FaultKind::Index) }
        });
        Place { base: shape.base, dims: dims.collect() }
    }

    fn index(&mut self, lo: i64, count: u32, depth: u32) -> Expr {
        match self.tape.below(8) {
            0..=3 => Expr::Const(self.tape.between(lo, lo + i64::from(count) - 1)),
            4 | 5 if !self.scope.is_empty() => Expr::Var(*self.tape.pick(&self.scope)),
            6 if depth > 0 => self.expr(depth - 1),
            7 => Expr::Const(*self.tape.pick(&[lo - 1, lo + i64::from(count), i64::MAX, i64::MIN + 1])),
            _ => Expr::Const(lo),
        }
    }

    /// A place of two slots of the state.
    fn pair(&mut self, depth: u32) -> Place {
        match self.tape.below(4) {
            0 => Place::slot(2),
            1 => Place::slot(3),
            2 => Place::slot(7),
            _ => self.indexed(STATE[3], 1, depth),
        }
    }

    fn statements(&mut self, depth: u32) -> Vec<Stmt> {
        let scope = self.scope.len();
        let count = if depth == 0 { 1 } else { 1 + self.tape.below(3) };
        let body = (0..count).map(|_| self.statement(depth)).collect();
        self.scope.truncate(scope);
        body
    }

    fn statement(&mut self, depth: u32) -> Stmt {
        if depth == 0 || self.tape.is_exhausted() {
            return self.store(0);
        }
        let next = depth - 1;
        match self.tape.below(20) {
            0..=5 => self.store(next),
            6 | 7 => self.binding(next),
            8..=10 => {
                let (condition, then) = (self.boolean(next), self.statements(next));
                let otherwise = if self.tape.chance(2) { self.statements(next) } else { Vec::new() };
                Stmt::If(condition, then, otherwise)
            }
            11 | 12 => {
                let (var, range, body) = self.looping(next, |generator| generator.statements(next));
                Stmt::For(var, range, body)
            }
            13 => self.while_loop(next),
            14 => {
                let label = self.label();
                self.blocks.push(label);
                let body = self.statements(next);
                self.blocks.pop();
                Stmt::Block(label, body)
            }
            15 if !self.blocks.is_empty() => Stmt::Leave(*self.tape.pick(&self.blocks)),
            16 => self.copy(next),
            17 => {
                let shape = self.shape(true);
                Stmt::Undefine(self.indexed(shape, shape.dims.len(), next), 1)
            }
            18 => Stmt::Evaluate(self.expr(next)),
            19 => self.exit(),
            _ => self.exit(),
        }
    }

    fn exit(&mut self) -> Stmt {
        match self.tape.below(4) {
            0 | 1 => Stmt::Reject,
            2 if self.covers => Stmt::Cover(self.tape.below(2) as u32),
            2 => Stmt::Reject,
            _ => Stmt::Fault(self.site(FaultKind::Error)),
        }
    }

    fn binding(&mut self, depth: u32) -> Stmt {
        let value = self.expr(depth);
        let var = self.var();
        self.scope.push(var);
        Stmt::Let(var, value)
    }

    fn store(&mut self, depth: u32) -> Stmt {
        let shape = self.shape(true);
        let place = self.indexed(shape, shape.dims.len(), depth);
        let value = self.boxed(depth);
        Stmt::Store(place, Expr::InRange(value, 0, shape.hi, self.site(FaultKind::Range)))
    }

    fn copy(&mut self, depth: u32) -> Stmt {
        if !self.writes {
            let (from, to) = (self.pair(depth), Place::slot(11 + self.tape.below(2) as u32));
            return Stmt::Copy { from, to, len: 2 };
        }
        match self.tape.below(3) {
            0 => Stmt::Copy {
                from: self.indexed(STATE[3], 1, depth),
                to: self.indexed(STATE[3], 1, depth),
                len: 2,
            },
            1 => Stmt::Copy { from: Place::slot(2), to: Place::slot(3), len: 2 },
            _ => Stmt::Copy {
                from: self.indexed(STATE[2], 1, depth),
                to: self.indexed(STATE[0], 0, depth),
                len: 1,
            },
        }
    }

    /// A loop with a counter that nothing else touches, so that it ends.
    fn while_loop(&mut self, depth: u32) -> Stmt {
        if self.whiles == MAX_WHILE {
            return self.store(depth);
        }
        let counter = Place::slot(COUNTERS + self.whiles);
        let site = self.site(FaultKind::Undefined);
        let load = || Box::new(Expr::Load(counter.clone(), site));
        let limit = Expr::Compare(Comparison::Lt, load(), Box::new(Expr::Const(self.tape.between(0, 3))));
        (self.whiles, self.loops) = (self.whiles + 1, self.loops + 1);
        let condition = Expr::And(Box::new(limit), Box::new(self.boolean(depth)));
        let more =
            Expr::Arith(Arithmetic::Add, load(), Box::new(Expr::Const(1)), self.site(FaultKind::Overflow));
        let mut body = vec![Stmt::Store(counter.clone(), more)];
        body.extend(self.statements(depth));
        (self.whiles, self.loops) = (self.whiles - 1, self.loops - 1);
        let looping = Stmt::While(condition, body, self.site(FaultKind::Endless));
        Stmt::If(Expr::Const(1), vec![Stmt::Store(counter, Expr::Const(0)), looping], Vec::new())
    }
}
