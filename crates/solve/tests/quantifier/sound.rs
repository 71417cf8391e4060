//! Every fact is true, and every root has the value of its formula, in every model: random formulas, random models.
//!
//! The model says what the proxies, the witnesses and the versions of definitions must be: a proxy is true if its
//! formula is, a witness is looked for among all values. So unsatisfiable results come from unsatisfiable formulas only.

use proptest::prelude::*;
use tenet_solve::quantifier::{FactKind, Grounded, Policy, ground};
use tenet_system::Definition;
use tenet_system::finite::program::Source;
use tenet_term::{FunctionTable, Model, Op, Role, SortId, SymbolId, TermId, TermStore, Value};

/// The choices a generator is driven by; zero, the simplest, when they run out.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    pub fn below(&mut self, limit: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first as usize % limit
    }
}

/// Symbols of an index sort and of a range, arrays over both, and a definition over arrays.
struct Scene {
    store: TermStore,
    node: SortId,
    range: SortId,
    symbols: Vec<SymbolId>,
    arrays: [TermId; 2],
    reach: TermId,
    definition: Definition,
}

impl Scene {
    fn new() -> Scene {
        let mut store = TermStore::new();
        let node = store.index_sort("NODE");
        let range = store.range_sort(0, 5);
        let array = store.function_sort(&[node], node);
        let sort = store.function_sort(&[array, node, node], SortId::BOOL);
        let reach = store.declare("reach", sort, Role::Const);
        let definition = definition(&mut store, reach, array, node);
        let mut scene = Scene {
            symbols: Vec::new(),
            arrays: [TermId::TRUE; 2],
            reach: store.mk_symbol(reach),
            store,
            node,
            range,
            definition,
        };
        for (name, args, result) in [
            ("a", vec![], node),
            ("b", vec![], node),
            ("t", vec![], SortId::BOOL),
            ("n", vec![], range),
            ("m", vec![], range),
            ("p", vec![node], SortId::BOOL),
            ("r", vec![node, node], SortId::BOOL),
            ("k", vec![range], range),
            ("s", vec![SortId::BOOL], node),
        ] {
            scene.declare(name, &args, result);
        }
        for (place, name) in ["next", "last"].into_iter().enumerate() {
            scene.arrays[place] = scene.declare(name, &[node], node);
        }
        scene
    }

    fn declare(&mut self, name: &str, args: &[SortId], result: SortId) -> TermId {
        let sort = if args.is_empty() { result } else { self.store.function_sort(args, result) };
        let symbol = self.store.declare(name, sort, Role::State);
        self.symbols.push(symbol);
        self.store.mk_symbol(symbol)
    }

    fn symbol(&mut self, name: &str) -> TermId {
        let symbol = self.symbols.iter().copied().find(|&symbol| self.store.symbol(symbol).name == name);
        self.store.mk_symbol(symbol.unwrap())
    }

    fn apply(&mut self, name: &str, args: &[TermId]) -> TermId {
        let function = self.symbol(name);
        self.store.mk_apply(function, args)
    }

    /// A term over the symbols and the bound symbols in scope.
    fn term(&mut self, sort: SortId, depth: usize, scope: &[SymbolId], choices: &mut Choices) -> TermId {
        let fitting: Vec<SymbolId> =
            scope.iter().copied().filter(|&symbol| self.store.symbol(symbol).sort == sort).collect();
        if !fitting.is_empty() && choices.below(3) > 0 {
            return self.store.mk_symbol(fitting[choices.below(fitting.len())]);
        }
        let kind = if depth == 0 { choices.below(2) } else { choices.below(5) };
        let names = if sort == self.node { ["a", "b"] } else { ["n", "m"] };
        match kind {
            0 | 1 => self.symbol(names[kind]),
            2 => {
                let condition = self.formula(depth - 1, scope, choices);
                let yes = self.term(sort, depth - 1, scope, choices);
                let no = self.term(sort, depth - 1, scope, choices);
                self.store.mk_ite(condition, yes, no)
            }
            3 if sort == self.node => {
                let truth = self.formula(depth - 1, scope, choices);
                self.apply("s", &[truth])
            }
            _ if sort == self.node => {
                let arg = self.term(sort, depth - 1, scope, choices);
                let array = self.array(depth - 1, scope, choices);
                self.store.mk_apply(array, &[arg])
            }
            3 => {
                let arg = self.term(sort, depth - 1, scope, choices);
                let one = self.store.mk_int(choices.below(3) as i64 - 1);
                self.store.mk_add([arg, one])
            }
            _ => {
                let arg = self.term(sort, depth - 1, scope, choices);
                self.apply("k", &[arg])
            }
        }
    }

    fn array(&mut self, depth: usize, scope: &[SymbolId], choices: &mut Choices) -> TermId {
        let base = self.arrays[choices.below(2)];
        if depth == 0 || choices.below(2) == 0 {
            return base;
        }
        let place = self.term(self.node, depth - 1, scope, choices);
        let value = self.term(self.node, depth - 1, scope, choices);
        self.store.mk_store(base, &[place], value)
    }

    fn formula(&mut self, depth: usize, scope: &[SymbolId], choices: &mut Choices) -> TermId {
        let (node, range) = (self.node, self.range);
        if depth == 0 {
            return self.atom(0, scope, choices);
        }
        match choices.below(9) {
            kind @ 0..=3 => {
                let names = ["x", "y", "z"];
                let sort = if choices.below(3) == 0 { range } else { node };
                let name = names[choices.below(3)];
                let bound = self.store.declare(name, sort, Role::Bound);
                let mut inner: Vec<SymbolId> =
                    scope.iter().copied().filter(|&symbol| self.store.symbol(symbol).name != name).collect();
                inner.push(bound);
                let body = self.formula(depth - 1, &inner, choices);
                if kind < 2 {
                    self.store.mk_forall(&[bound], body)
                } else {
                    self.store.mk_exists(&[bound], body)
                }
            }
            4 => {
                let arg = self.formula(depth - 1, scope, choices);
                self.store.mk_not(arg)
            }
            kind @ 5..=7 => {
                let a = self.formula(depth - 1, scope, choices);
                let b = self.formula(depth - 1, scope, choices);
                self.store.mk([Op::And, Op::Or, Op::Iff][kind - 5].clone(), &[a, b])
            }
            _ => self.atom(depth, scope, choices),
        }
    }

    fn atom(&mut self, depth: usize, scope: &[SymbolId], choices: &mut Choices) -> TermId {
        let depth = depth.min(2);
        let (node, range) = (self.node, self.range);
        let kind = choices.below(8);
        let sort = if matches!(kind, 1 | 2) { range } else { node };
        let a = self.term(sort, depth, scope, choices);
        let b = self.term(sort, depth, scope, choices);
        match kind {
            0 => self.apply("p", &[a]),
            1 => self.store.mk_lt(a, b),
            2 | 3 => self.store.mk_eq(a, b),
            4 => self.apply("r", &[a, b]),
            5 => self.symbol("t"),
            6 => {
                let f = self.array(depth, scope, choices);
                let g = self.array(depth, scope, choices);
                self.store.mk_eq(f, g)
            }
            _ => {
                let array = self.array(depth.max(1), scope, choices);
                self.store.mk_apply(self.reach, &[array, a, b])
            }
        }
    }

    fn model(&self, choices: &mut Choices) -> Model {
        let mut model = Model::new();
        model.set_size(self.node, 1 + choices.below(3) as u32);
        for &symbol in &self.symbols {
            let value = self.value(&model, self.store.symbol(symbol).sort, choices);
            model.set(symbol, value);
        }
        let reach = self.store.as_symbol(self.reach).unwrap();
        model.set(reach, reach_table(&self.store, &model, self.node));
        model
    }

    fn value(&self, model: &Model, sort: SortId, choices: &mut Choices) -> Value {
        let tenet_term::Sort::Function { args, result } = self.store.sort(sort) else {
            let size = model.cardinality(&self.store, sort).unwrap() as usize;
            return model.element(&self.store, sort, choices.below(size) as u64).unwrap();
        };
        let values = |_: &[Value]| self.value(model, *result, choices);
        table(model, &self.store, args, values).into()
    }
}

/// The function with these values, as the evaluator would make it: the first value is the default.
fn table(
    model: &Model,
    store: &TermStore,
    args: &[SortId],
    mut value: impl FnMut(&[Value]) -> Value,
) -> FunctionTable {
    let mut places: Vec<Vec<Value>> = vec![Vec::new()];
    for &sort in args {
        let elements = model.elements(store, sort).unwrap();
        let longer = |place: &Vec<Value>| {
            let place = place.clone();
            elements
                .iter()
                .map(move |element| [&place[..], std::slice::from_ref(element)].concat())
                .collect::<Vec<_>>()
        };
        places = places.iter().flat_map(longer).collect();
    }
    let mut table = FunctionTable::new(value(&places[0]));
    for place in places.into_iter().skip(1) {
        let value = value(&place);
        table.set(place, value);
    }
    table
}

/// `reach(f, a, b)`: `b` is `a`, or the successor along `f` of a node that is reached.
fn definition(store: &mut TermStore, symbol: SymbolId, array: SortId, node: SortId) -> Definition {
    let f = store.declare("f", array, Role::Bound);
    let [from, to, via] = ["from", "to", "via"].map(|name| store.declare(name, node, Role::Bound));
    let [function, f_term, from_term, to_term, via_term] = {
        let reach = store.mk_symbol(symbol);
        let others = [f, from, to, via].map(|symbol| store.mk_symbol(symbol));
        [reach, others[0], others[1], others[2], others[3]]
    };
    let start = store.mk_eq(to_term, from_term);
    let before = store.mk_apply(function, &[f_term, from_term, via_term]);
    let next = store.mk_apply(f_term, &[via_term]);
    let step = store.mk_eq(next, to_term);
    let both = store.mk_and([before, step]);
    let later = store.mk_exists(&[via], both);
    let body = store.mk_or([start, later]);
    Definition { name: "reach".into(), source: Source::default(), symbol, params: vec![f, from, to], body }
}

/// The least function of that definition, for every array.
fn reach_table(store: &TermStore, model: &Model, node: SortId) -> FunctionTable {
    let nodes = model.elements(store, node).unwrap();
    let mut reach = FunctionTable::new(Value::Bool(false));
    for number in 0..nodes.len().pow(nodes.len() as u32) {
        let successor = |place: usize| number / nodes.len().pow(place as u32) % nodes.len();
        let mut place = 0..;
        let array: Value =
            table(model, store, &[node], |_| nodes[successor(place.next().unwrap())].clone()).into();
        for from in 0..nodes.len() {
            let mut to = from;
            for _ in 0..=nodes.len() {
                let args = vec![array.clone(), nodes[from].clone(), nodes[to].clone()];
                reach.set(args, Value::Bool(true));
                to = successor(to);
            }
        }
    }
    reach
}

/// Gives the new symbols the values that the model calls for.
fn complete(store: &mut TermStore, model: &mut Model, grounded: &Grounded) {
    for &skolem in &grounded.skolems {
        let value = model.default_value(store, store.symbol(skolem).sort);
        model.set(skolem, value);
    }
    // In the order of their making, because a formula may speak of the witnesses of an outer one.
    for fact in &grounded.facts {
        let FactKind::Witness { symbols } = &fact.kind else { continue };
        let terms: Vec<TermId> = symbols.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
        let body = store.instantiate(fact.quantifier, &terms);
        let wanted = matches!(store.op(fact.quantifier), Op::Exists(_));
        let sorts: Vec<SortId> = symbols.iter().map(|&symbol| store.symbol(symbol).sort).collect();
        let mut found = None;
        table(model, store, &sorts, |place| {
            let mut trial = model.clone();
            for (&symbol, value) in symbols.iter().zip(place) {
                trial.set(symbol, value.clone());
            }
            if trial.holds(store, body).unwrap() == wanted {
                found.get_or_insert(place.to_vec());
            }
            Value::Bool(false)
        });
        for (&symbol, value) in symbols.iter().zip(found.unwrap_or_default()) {
            model.set(symbol, value);
        }
    }
    for &(proxy, quantifier) in &grounded.proxies {
        let value = model.evaluate(store, quantifier).unwrap();
        model.set(proxy, value);
    }
    for version in &grounded.versions {
        let value = model.evaluate(store, version.meaning).unwrap();
        model.set(version.symbol, value);
    }
}

fn check(bytes: &[u8], more: &[u8]) -> Result<(), TestCaseError> {
    let mut scene = Scene::new();
    let mut choices = Choices(bytes);
    let formulas: Vec<TermId> =
        (0..1 + choices.below(3)).map(|_| scene.formula(4, &[], &mut choices)).collect();
    let mut choices = Choices(more);
    let forced = scene.term(scene.node, 2, &[], &mut choices);
    let definitions = [scene.definition.clone()];
    let policy = Policy {
        rounds: choices.below(4),
        limit: 40,
        forced: vec![(scene.node, forced)],
        forbidden: Vec::new(),
        definitions: &definitions,
    };
    let grounded = ground(&mut scene.store, &formulas, &[], &policy);
    for _ in 0..3 {
        let mut model = scene.model(&mut choices);
        let store = &mut scene.store;
        complete(store, &mut model, &grounded);
        for (&formula, &root) in formulas.iter().zip(&grounded.roots) {
            prop_assert!(!store.has_quantifier(root) && !store.has_lambda(root), "{}", store.print(root));
            let values = (model.holds(store, formula).unwrap(), model.holds(store, root).unwrap());
            prop_assert_eq!(values.0, values.1, "{}\nbecame\n{}", store.print(formula), store.print(root));
        }
        for fact in &grounded.facts {
            let plain = !store.has_quantifier(fact.formula) && !store.has_lambda(fact.formula);
            prop_assert!(plain, "{}", store.print(fact.formula));
            let formulas: Vec<String> = formulas.iter().map(|&formula| store.print(formula)).collect();
            prop_assert!(
                model.holds(store, fact.formula).unwrap(),
                "{:?} {} of {} in {}",
                fact.kind,
                store.print(fact.formula),
                store.print(fact.quantifier),
                formulas.join("\n")
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(tenet_chance::cases(300))]

    #[test]
    fn facts_are_true_and_roots_mean_the_same(
        bytes in proptest::collection::vec(any::<u8>(), 0..120),
        more in proptest::collection::vec(any::<u8>(), 200),
    ) {
        check(&bytes, &more)?;
    }
}
