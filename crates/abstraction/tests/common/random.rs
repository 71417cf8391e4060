//! Random systems: one index sort, a few scalars and arrays of Booleans, of an enumeration and of elements; rules with
//! parameters, guards, single writes and lambdas; predicates with index variables or without; properties.

use proptest::prelude::*;
use tenet_system::{
    Axiom, Bounds, IndexVar, Predicate, Property, PropertyKind, Rule, Start, StateVar, System, within_sort,
};
use tenet_term::{Role, SortId, Substitution, SymbolId, TermId, TermStore};

use super::formulas::{Choices, Vocabulary};

/// What random systems are to look like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The greatest number of index variables.
    pub indices: usize,
    pub predicates: usize,
    /// May guards, predicates and properties have quantifiers?
    pub quantifiers: bool,
}

/// A random system, whose index sort is `node`.
#[derive(Clone, Debug)]
pub struct Random {
    pub system: System,
    pub node: SortId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nodes {
    /// An index sort, of any size.
    Index,
    /// An enumeration of two values, so that everything is finite and every question decided.
    Enum,
    /// The integers 0 and 1 of a range, a part of all integers.
    Range,
}

pub fn systems(shape: Shape) -> impl Strategy<Value = Random> {
    systems_over(Nodes::Index, shape)
}

/// The same with another sort of elements.
pub fn systems_over(nodes: Nodes, shape: Shape) -> impl Strategy<Value = Random> {
    prop::collection::vec(any::<u8>(), 300).prop_map(move |bytes| build(Choices::new(bytes), nodes, shape))
}

struct Builder {
    store: TermStore,
    choices: Choices,
    words: Vocabulary,
    state: Vec<SymbolId>,
    shape: Shape,
}

fn build(choices: Choices, nodes: Nodes, shape: Shape) -> Random {
    let mut store = TermStore::new();
    let node = match nodes {
        Nodes::Index => store.index_sort("NODE"),
        Nodes::Enum => store.enum_sort("NODE", &["Left", "Right"]),
        Nodes::Range => store.range_sort(0, 1),
    };
    let color = store.enum_sort("COLOR", &["Red", "Green", "Blue"]);
    let words = Vocabulary {
        node,
        color,
        nodes: Vec::new(),
        flags: Vec::new(),
        colors: Vec::new(),
        marks: Vec::new(),
        paints: Vec::new(),
        nexts: Vec::new(),
        quantifiers: shape.quantifiers,
    };
    let mut builder = Builder { store, choices, words, state: Vec::new(), shape };
    let consts = builder.declare();
    let axioms = builder.ranges(&consts).map(|formula| Axiom {
        name: "range".into(),
        source: Default::default(),
        formula,
    });
    let axioms = axioms.collect();
    let starts = vec![builder.start()];
    let rules = (0..1 + builder.choices.below(4)).map(|number| builder.rule(number)).collect();
    let (indices, predicates) = builder.predicates();
    let properties = vec![builder.property(&indices, &predicates)];
    let var = |&symbol: &SymbolId| {
        let arrays = [&builder.words.marks, &builder.words.paints, &builder.words.nexts];
        let args =
            if arrays.iter().any(|list| list.contains(&symbol)) { vec![Bounds::default()] } else { vec![] };
        StateVar { symbol, args, value: Bounds::default() }
    };
    let state = builder.state.iter().map(var).collect();
    let system = System {
        store: builder.store,
        consts,
        state,
        starts,
        rules,
        axioms,
        properties,
        indices,
        predicates,
        ..System::default()
    };
    Random { system, node }
}

impl Builder {
    /// Declares a constant or none, an array or two, and scalars.
    fn declare(&mut self) -> Vec<SymbolId> {
        let (node, color) = (self.words.node, self.words.color);
        let [to_bool, to_color, to_node] =
            [SortId::BOOL, color, node].map(|result| self.store.function_sort(&[node], result));
        let mut state = |store: &mut TermStore, name, sort| {
            let symbol = store.declare(name, sort, Role::State);
            self.state.push(symbol);
            symbol
        };
        self.words.marks.push(state(&mut self.store, "mark", to_bool));
        match self.choices.below(4) {
            1 => self.words.paints.push(state(&mut self.store, "paint", to_color)),
            2 => self.words.marks.push(state(&mut self.store, "busy", to_bool)),
            3 => self.words.nexts.push(state(&mut self.store, "next", to_node)),
            _ => {}
        }
        if self.choices.below(2) == 1 {
            self.words.flags.push(state(&mut self.store, "flag", SortId::BOOL));
        }
        match self.choices.below(4) {
            2 => self.words.colors.push(state(&mut self.store, "mode", color)),
            3 => self.words.nodes.push(state(&mut self.store, "here", node)),
            _ => {}
        }
        if self.choices.below(4) < 3 {
            return Vec::new();
        }
        let root = self.store.declare("root", node, Role::Const);
        self.words.nodes.push(root);
        vec![root]
    }

    /// A value for each state symbol: the same one everywhere, or an arbitrary one.
    fn start(&mut self) -> Start {
        let (mut params, mut values) = (Vec::new(), Vec::new());
        for symbol in self.state.clone() {
            let sort = self.store.symbol(symbol).sort;
            let first = self.first_value(sort);
            if let (Some(value), 0..=4) = (first, self.choices.below(6)) {
                values.push(value);
            } else {
                let name = format!("{}0", self.store.symbol(symbol).name);
                let param = self.store.declare(&name, sort, Role::Initial);
                params.push(param);
                values.push(self.store.mk_symbol(param));
            }
        }
        let nodes: Vec<SymbolId> = params
            .iter()
            .copied()
            .filter(|&param| self.store.symbol(param).sort == self.words.node)
            .collect();
        let constraint = match nodes.len() {
            0 => TermId::TRUE,
            _ => {
                let plain = Vocabulary { nodes, ..self.words_of_nothing() };
                plain.formula(&mut self.store, &mut self.choices, 1)
            }
        };
        let ranges: Vec<TermId> = self.ranges(&params).chain([constraint]).collect();
        let constraint = self.store.mk_and(ranges);
        Start { name: "start".into(), source: Default::default(), params, constraint, values }
    }

    /// That the values of symbols are in the range of their sort, where that says something.
    fn ranges(&mut self, symbols: &[SymbolId]) -> impl Iterator<Item = TermId> + use<> {
        let mut all = Vec::new();
        for &symbol in symbols {
            let (term, sort) = (self.store.mk_symbol(symbol), self.store.symbol(symbol).sort);
            all.push(match *self.store.sort(sort) {
                tenet_term::Sort::Function { result, .. } => {
                    let bound = self.store.bound_avoiding("u", self.words.node, &[]);
                    let place = self.store.mk_symbol(bound);
                    let value = self.store.mk_apply(term, &[place]);
                    let body = within_sort(&mut self.store, result, value);
                    self.store.mk_forall(&[bound], body)
                }
                _ => within_sort(&mut self.store, sort, term),
            });
        }
        all.into_iter().filter(|&formula| formula != TermId::TRUE)
    }

    fn words_of_nothing(&self) -> Vocabulary {
        Vocabulary {
            nodes: Vec::new(),
            flags: Vec::new(),
            colors: Vec::new(),
            marks: Vec::new(),
            paints: Vec::new(),
            nexts: Vec::new(),
            ..self.words.clone()
        }
    }

    /// A value of a sort; there is none for elements, which have no names.
    fn first_value(&mut self, sort: SortId) -> Option<TermId> {
        let words = &self.words;
        let result = match self.store.sort(sort) {
            tenet_term::Sort::Function { result, .. } => *result,
            _ => sort,
        };
        let value = match result {
            SortId::BOOL => self.store.mk_bool(self.choices.below(2) == 1),
            color if color == words.color => self.store.mk_enum(color, self.choices.below(3) as u32),
            _ => return None,
        };
        if result == sort {
            return Some(value);
        }
        let bound = self.store.bound_avoiding("u", self.words.node, &[]);
        Some(self.store.mk_lambda(&[bound], value))
    }

    fn rule(&mut self, number: usize) -> Rule {
        let names = ["p", "q"];
        let count = self.choices.below(3);
        let params: Vec<SymbolId> = names[..count]
            .iter()
            .map(|name| self.store.declare(name, self.words.node, Role::Input))
            .collect();
        let words = self.words.with(&params);
        let guard = match self.choices.below(5) {
            0 => TermId::TRUE,
            _ => words.contingent(&mut self.store, &mut self.choices, 2),
        };
        let ranges: Vec<TermId> = self.ranges(&params).chain([guard]).collect();
        let guard = self.store.mk_and(ranges);
        let mut updates = Vec::new();
        for symbol in self.state.clone() {
            let old = self.store.mk_symbol(symbol);
            if self.choices.below(3) > 0
                && let Some(value) = self.update(&words, symbol)
                && value != old
            {
                updates.push((symbol, value));
            }
        }
        let name = format!("rule {number}");
        Rule { name, source: Default::default(), shown_params: params.len(), params, guard, updates }
    }

    /// A new value: a scalar, one entry of an array, or the entries at all elements of which something holds.
    fn update(&mut self, words: &Vocabulary, symbol: SymbolId) -> Option<TermId> {
        let (store, choices) = (&mut self.store, &mut self.choices);
        let sort = store.symbol(symbol).sort;
        let tenet_term::Sort::Function { result, .. } = *store.sort(sort) else {
            return value(words, store, choices, sort);
        };
        let old = store.mk_symbol(symbol);
        if choices.below(3) < 2
            && let Some(place) = words.node(store, choices)
        {
            let value = value(words, store, choices, result)?;
            return Some(store.mk_store(old, &[place], value));
        }
        let bound = store.bound_avoiding("u", words.node, &words.nodes);
        let here = words.with(&[bound]);
        let place = store.mk_symbol(bound);
        let (condition, new) = (here.formula(store, choices, 1), value(&here, store, choices, result)?);
        let before = store.mk_apply(old, &[place]);
        let body = store.mk_ite(condition, new, before);
        Some(store.mk_lambda(&[bound], body))
    }

    fn predicates(&mut self) -> (Vec<IndexVar>, Vec<Predicate>) {
        let count = self.choices.below(self.shape.indices + 1);
        let symbols: Vec<SymbolId> = ["i", "j"][..count]
            .iter()
            .map(|name| self.store.declare(name, self.words.node, Role::Index))
            .collect();
        let words = self.words.with(&symbols);
        let mut predicates: Vec<Predicate> = Vec::new();
        for number in 0..1 + self.choices.below(self.shape.predicates) {
            let formula = words.contingent(&mut self.store, &mut self.choices, 1);
            if predicates.iter().all(|other| other.formula != formula) {
                predicates.push(Predicate {
                    name: format!("b{number}"),
                    source: Default::default(),
                    formula,
                });
            }
        }
        let indices = symbols.iter().map(|&symbol| IndexVar { symbol, bounds: Bounds::default() }).collect();
        (indices, predicates)
    }

    /// A clause of predicates, for an abstraction to have something to prove, or any formula.
    fn property(&mut self, indices: &[IndexVar], predicates: &[Predicate]) -> Property {
        let names = ["a", "b"];
        let bound = names.map(|name| self.store.declare(name, self.words.node, Role::Bound));
        let body = if self.choices.below(3) == 0 {
            self.words.with(&bound).contingent(&mut self.store, &mut self.choices, 2)
        } else {
            let mut literal = || {
                let formula = predicates[self.choices.below(predicates.len())].formula;
                if self.choices.below(2) == 1 { formula } else { self.store.mk_not(formula) }
            };
            let literals = [literal(), literal()];
            let clause = self.store.mk_or(literals);
            let places = bound.map(|symbol| self.store.mk_symbol(symbol));
            let pairs = indices.iter().map(|index| index.symbol).zip(places);
            let substitution = Substitution::from_pairs(&self.store, pairs);
            self.store.substitute(clause, &substitution)
        };
        let formula = self.store.mk_forall(&bound, body);
        Property {
            name: "property".into(),
            source: Default::default(),
            kind: PropertyKind::Invariant,
            formula,
        }
    }
}

/// A random term of a scalar sort; `None` if there is nothing of that sort to speak of.
fn value(words: &Vocabulary, store: &mut TermStore, choices: &mut Choices, sort: SortId) -> Option<TermId> {
    match sort {
        SortId::BOOL if choices.below(2) == 0 => Some(store.mk_bool(choices.below(3) > 0)),
        SortId::BOOL => Some(words.contingent(store, choices, 1)),
        color if color == words.color => Some(words.color(store, choices)),
        _ => words.node(store, choices),
    }
}
