//! Random programs that treat the elements of a scalarset alike by construction.
//!
//! `st[NODE]` is always defined, `owner` is a union of "nobody" and a node, `ptr[NODE]` names nodes or nothing, and
//! `bag` is a multiset of nodes. Nothing that a loop or quantifier over nodes does depends on their order.

use crate::tape::Tape;
use tenet_system::finite::layout::*;
use tenet_system::finite::program::*;

const NODE: ScalarsetId = ScalarsetId(0);

pub struct Symmetric {
    tape: Tape,
    program: Program,
    nodes: u32,
    pointers: bool,
    bag: bool,
}

fn constant(value: i64) -> Box<Expr> {
    Box::new(Expr::Const(value))
}

fn equal(a: Expr, value: Box<Expr>) -> Expr {
    Expr::Compare(Comparison::Eq, Box::new(a), value)
}

fn and(a: Expr, b: Expr) -> Expr {
    Expr::And(Box::new(a), Box::new(b))
}

impl Symmetric {
    pub fn new(mut tape: Tape) -> Symmetric {
        let nodes = 2 + tape.below(3) as u32;
        let (pointers, bag) = (nodes < 4 && tape.chance(2), tape.chance(3));
        let mut symmetric = Symmetric { tape, program: Program::default(), nodes, pointers, bag };
        symmetric.layout();
        symmetric
    }

    fn layout(&mut self) {
        let (layout, last) = (&mut self.program.layout, i64::from(self.nodes) - 1);
        layout.scalarsets.push(Scalarset { name: "NODE".to_string(), size: self.nodes, symmetric: true });
        let state = layout.add_domain(Domain::numbers(0, 2));
        let nobody = Part { lo: 0, hi: 0, kind: PartKind::Names(vec!["nobody".to_string()]) };
        let node = Part { lo: 1, hi: last + 1, kind: PartKind::Element(NODE) };
        let owner = layout.add_domain(Domain { parts: vec![nobody, node] });
        let node = layout.add_domain(Domain::single(0, last, PartKind::Element(NODE)));
        let boolean = layout.add_domain(Domain::boolean());
        let axis = |index| vec![Axis { scalarset: NODE, index, stride: 1 }];
        let slot = |name: String, domain, axes| Slot { name, domain, axes };
        layout.slots.extend((0..self.nodes).map(|i| slot(format!("st[{i}]"), state, axis(i))));
        layout.slots.push(slot("owner".to_string(), owner, Vec::new()));
        if self.pointers {
            layout.slots.extend((0..self.nodes).map(|i| slot(format!("ptr[{i}]"), node, axis(i))));
        }
        if self.bag {
            layout.multisets.push(Multiset { base: layout.slots.len() as u32, stride: 2, count: 2 });
            for place in 0..2 {
                layout.slots.push(slot(format!("bag[{place}]"), boolean, Vec::new()));
                layout.slots.push(slot(format!("bag[{place}].who"), node, Vec::new()));
            }
        }
        self.program.scratch = 1;
        self.program.cover_statements = vec!["covered".to_string()];
    }

    pub fn build(mut self) -> Program {
        self.starts();
        for number in 0..3 + self.tape.below(4) {
            let rule = self.rule(number);
            self.program.rules.push(rule);
        }
        for number in 0..self.tape.below(4) {
            let (invariant, cover) = (PropertyKind::Invariant, PropertyKind::Cover);
            let kinds = [invariant, invariant, invariant, cover, cover, PropertyKind::Assume];
            let (name, kind, formula) = (format!("p{number}"), *self.tape.pick(&kinds), self.closed());
            self.program.properties.push(Property { name, kind, source: Source::default(), formula });
        }
        for _ in 0..self.tape.below(2) {
            let formula = self.closed();
            self.program.probes.push(Probe { property: 0, source: Source::default(), formula });
        }
        self.program
    }

    fn starts(&mut self) {
        let mut body: Vec<Stmt> =
            (0..=self.nodes).map(|slot| Stmt::Store(Place::slot(slot), Expr::Const(0))).collect();
        if let Some(bag) = self.program.layout.multisets.first() {
            body.extend([0, 2].map(|place| Stmt::Store(Place::slot(bag.base + place), Expr::Const(0))));
        }
        let mut params = Vec::new();
        if self.tape.chance(3) {
            let param = self.param();
            body.push(self.store_st(param.var, 1));
            params.push(param);
        }
        let (name, source) = ("start".to_string(), Source::default());
        self.program.starts.push(Rule { name, source, params, guard: Expr::Const(1), body });
    }

    fn rule(&mut self, number: usize) -> Rule {
        let params: Vec<Param> = (0..1 + self.tape.below(2)).map(|_| self.param()).collect();
        let (i, j) = (params[0].var, params[params.len() - 1].var);
        let mut guard = self.atom(i, j);
        for _ in 0..self.tape.below(2) {
            guard = and(guard, self.atom(i, j));
        }
        let body = (0..1 + self.tape.below(3)).flat_map(|_| self.statement(i, j)).collect();
        Rule { name: format!("r{number}"), source: Source::default(), params, guard, body }
    }

    fn param(&mut self) -> Param {
        let var = self.var();
        Param {
            name: "n".to_string(),
            var,
            domain: DomainId(2),
            lo: 0,
            hi: i64::from(self.nodes) - 1,
            step: 1,
        }
    }

    fn var(&mut self) -> VarId {
        self.program.vars += 1;
        VarId(self.program.vars - 1)
    }

    fn site(&mut self, kind: FaultKind) -> SiteId {
        self.program.sites.push(Site { kind, detail: String::new(), source: Source::default() });
        SiteId(self.program.sites.len() as u32 - 1)
    }

    fn place(&mut self, base: u32, index: Expr, count: u32, stride: u32) -> Place {
        let site = self.site(FaultKind::Index);
        Place { base, dims: vec![Dim { index, lo: 0, count, stride, site }] }
    }

    fn st(&mut self, node: VarId) -> Place {
        self.place(0, Expr::Var(node), self.nodes, 1)
    }

    fn load(&mut self, place: Place) -> Expr {
        Expr::Load(place, self.site(FaultKind::Undefined))
    }

    fn load_st(&mut self, node: VarId) -> Expr {
        let place = self.st(node);
        self.load(place)
    }

    fn store_st(&mut self, node: VarId, value: i64) -> Stmt {
        Stmt::Store(self.st(node), Expr::Const(value))
    }

    fn ptr(&mut self, node: VarId) -> Place {
        self.place(self.nodes + 1, Expr::Var(node), self.nodes, 1)
    }

    fn points_to(&mut self, from: VarId, to: VarId) -> Expr {
        let (place, again) = (self.ptr(from), self.ptr(from));
        let load = self.load(again);
        and(Expr::Not(Box::new(Expr::IsUndefined(place))), equal(load, Box::new(Expr::Var(to))))
    }

    fn owned_by(&mut self, node: VarId) -> Expr {
        let owner = self.load(Place::slot(self.nodes));
        equal(owner, Box::new(self.plus_one(node)))
    }

    fn plus_one(&mut self, node: VarId) -> Expr {
        Expr::Arith(Arithmetic::Add, Box::new(Expr::Var(node)), constant(1), self.site(FaultKind::Overflow))
    }

    fn in_bag(&mut self, node: VarId) -> Expr {
        let (var, base) = (self.var(), self.program.layout.multisets[0].base);
        let present = self.place(base, Expr::Var(var), 2, 2);
        let who = self.place(base + 1, Expr::Var(var), 2, 2);
        let (present, who) = (self.load(present), self.load(who));
        let body = and(equal(present, constant(1)), equal(who, Box::new(Expr::Var(node))));
        Expr::Quantifier {
            universal: false,
            var,
            range: Box::new(Range::constant(0, 1)),
            body: Box::new(body),
        }
    }

    fn over_nodes(&self) -> Range {
        Range::elements(0, i64::from(self.nodes) - 1)
    }

    /// A condition on two nodes.
    fn atom(&mut self, i: VarId, j: VarId) -> Expr {
        let value = self.tape.between(0, 2);
        match self.tape.below(10) {
            0..=2 => equal(self.load_st(i), constant(value)),
            3 => Expr::Not(Box::new(equal(self.load_st(j), constant(value)))),
            4 => Expr::Compare(Comparison::Ne, Box::new(Expr::Var(i)), Box::new(Expr::Var(j))),
            5 => self.owned_by(i),
            6 => equal(self.load(Place::slot(self.nodes)), constant(0)),
            7 => self.quantified(i, value),
            8 if self.pointers => self.points_to(i, j),
            9 if self.bag => self.in_bag(j),
            _ => self.at_most(value),
        }
    }

    fn quantified(&mut self, i: VarId, value: i64) -> Expr {
        let (var, universal) = (self.var(), self.tape.chance(2));
        let same = Expr::Compare(Comparison::Eq, Box::new(Expr::Var(var)), Box::new(Expr::Var(i)));
        let body = Box::new(Expr::Or(Box::new(same), Box::new(equal(self.load_st(var), constant(value)))));
        Expr::Quantifier { universal, var, range: Box::new(self.over_nodes()), body }
    }

    fn at_most(&mut self, value: i64) -> Expr {
        let var = self.var();
        let body = Box::new(equal(self.load_st(var), constant(value)));
        let count = Expr::Count { var, range: Box::new(self.over_nodes()), body };
        Expr::Compare(Comparison::Le, Box::new(count), constant(self.tape.between(1, 2)))
    }

    /// A condition without free variables.
    fn closed(&mut self) -> Expr {
        let (i, j, universal) = (self.var(), self.var(), self.tape.chance(2));
        let mut body = self.atom(i, j);
        for _ in 0..1 + self.tape.below(2) {
            let more = Box::new(self.atom(j, i));
            body = if universal { Expr::Or(Box::new(body), more) } else { Expr::And(Box::new(body), more) };
        }
        for var in [j, i] {
            body =
                Expr::Quantifier { universal, var, range: Box::new(self.over_nodes()), body: Box::new(body) };
        }
        body
    }

    fn statement(&mut self, i: VarId, j: VarId) -> Vec<Stmt> {
        let value = self.tape.between(0, 2);
        match self.tape.below(12) {
            0 | 1 => vec![self.store_st(i, value)],
            2 => self.swap(i, j),
            3 => vec![Stmt::Store(Place::slot(self.nodes), self.plus_one(i))],
            4 => vec![Stmt::Store(Place::slot(self.nodes), Expr::Const(0))],
            5 => self.each_node(|this, k| (equal(this.load_st(k), constant(1)), this.store_st(k, value))),
            6 => vec![self.when(i, j, Stmt::Cover(0))],
            7 => vec![self.when(i, j, Stmt::Reject)],
            8 if self.tape.chance(3) => {
                let fault = Stmt::Fault(self.site(FaultKind::Assertion));
                vec![self.when(i, j, fault)]
            }
            9 if self.pointers => vec![Stmt::Store(self.ptr(i), Expr::Var(j))],
            10 if self.pointers => self.each_node(|this, k| (this.points_to(k, i), this.store_st(k, value))),
            8 | 11 if self.bag => self.put_or_take(i),
            _ => vec![self.store_st(j, value)],
        }
    }

    fn when(&mut self, i: VarId, j: VarId, stmt: Stmt) -> Stmt {
        let condition = and(self.atom(i, j), self.atom(j, i));
        Stmt::If(condition, vec![stmt], Vec::new())
    }

    fn swap(&mut self, i: VarId, j: VarId) -> Vec<Stmt> {
        let scratch = Place::slot(self.program.layout.slots.len() as u32);
        let (a, b) = (self.st(i), self.st(j));
        vec![
            Stmt::Copy { from: a.clone(), to: scratch.clone(), len: 1 },
            Stmt::Copy { from: b.clone(), to: a, len: 1 },
            Stmt::Copy { from: scratch, to: b, len: 1 },
        ]
    }

    fn each_node(&mut self, body: impl FnOnce(&mut Symmetric, VarId) -> (Expr, Stmt)) -> Vec<Stmt> {
        let var = self.var();
        let (condition, stmt) = body(self, var);
        vec![Stmt::For(var, self.over_nodes(), vec![Stmt::If(condition, vec![stmt], Vec::new())])]
    }

    /// Takes a node out of the bag if one is in front, else puts the given one in.
    fn put_or_take(&mut self, node: VarId) -> Vec<Stmt> {
        let base = self.program.layout.multisets[0].base;
        let put = |place: u32| {
            vec![
                Stmt::Store(Place::slot(base + place), Expr::Const(1)),
                Stmt::Store(Place::slot(base + place + 1), Expr::Var(node)),
            ]
        };
        let full = |place: u32| Expr::LoadDefined(Place::slot(base + place));
        let take = vec![
            Stmt::Store(Place::slot(base), Expr::Const(0)),
            Stmt::Undefine(Place::slot(base + 1), 1),
            Stmt::Store(Place::slot(base + 2), Expr::Const(0)),
            Stmt::Undefine(Place::slot(base + 3), 1),
        ];
        // The second place first: the search has to put them in order.
        let second = Stmt::If(full(0), take, put(0));
        vec![Stmt::If(full(2), vec![second], put(2))]
    }
}
