//! Kinds of numbers: two numbers are of one kind if the model compares them, copies one to where the other is, or
//! uses both as the same argument of an array.
//!
//! Places in one queue have nothing to do with places in another one, although both are integers. Which of them is
//! larger in a model of the solver is an accident, and in small instances often the same accident everywhere. So a
//! cube compares numbers of one kind only, and a variable stands for numbers of one kind. Literals and symbolic
//! constants have no kind: that two numbers have the same bound does not relate them.

use rustc_hash::FxHashMap;
use tenet_system::System;
use tenet_term::{Op, Role, Sort, SortId, SymbolId, TermId, TermStore};

/// A place where numbers occur, before it is known which ones are of the same kind (union-find).
type Node = usize;
/// The representative of a kind.
pub type Kind = usize;

/// The kinds of a system's numbers.
#[derive(Debug, Default)]
pub struct Kinds {
    parents: Vec<Node>,
    /// The numbers in a part of the state, and those that are arguments of it, by position.
    nodes: FxHashMap<(SymbolId, usize), Node>,
}

/// Kinds of bound symbols, and of the terms they occur in.
#[derive(Debug, Default)]
pub struct Scope {
    nodes: FxHashMap<(SymbolId, usize), Node>,
    bound: Vec<(SymbolId, Option<Node>)>,
    closed: Known,
    /// What is known of terms with bound symbols, for each binder around them: the symbols mean something else elsewhere.
    open: Vec<Known>,
}

/// The kinds of terms that were visited. Terms share their parts, so without this a visit takes exponential time.
#[derive(Debug, Default)]
struct Known {
    terms: FxHashMap<TermId, Option<Node>>,
    functions: FxHashMap<TermId, Vec<Option<Node>>>,
}

impl Scope {
    /// What is known of terms like this one, here.
    fn known(&mut self, store: &TermStore, term: TermId) -> &mut Known {
        match self.open.last_mut() {
            Some(innermost) if !store.is_closed(term) => innermost,
            _ => &mut self.closed,
        }
    }
}

/// The position of a function's value, beside those of its arguments.
const RESULT: usize = usize::MAX;

impl Kinds {
    pub fn new(system: &System) -> Kinds {
        let (mut kinds, store) = (Kinds::default(), &system.store);
        let state: Vec<SymbolId> = system.state.iter().map(|var| var.symbol).collect();
        for start in &system.starts {
            let mut scope = Scope::default();
            kinds.visit(store, start.constraint, &mut scope);
            for (&symbol, &value) in state.iter().zip(&start.values) {
                kinds.assign(store, symbol, value, &mut scope);
            }
        }
        for rule in &system.rules {
            let mut scope = Scope::default();
            kinds.visit(store, rule.guard, &mut scope);
            for &(symbol, value) in &rule.updates {
                kinds.assign(store, symbol, value, &mut scope);
            }
        }
        let axioms = system.axioms.iter().map(|axiom| axiom.formula);
        let properties = system.properties.iter().map(|property| property.formula);
        for formula in axioms.chain(properties) {
            kinds.visit(store, formula, &mut Scope::default());
        }
        kinds
    }

    /// What these terms, which have their free symbols in common, say about kinds.
    pub fn scope(&mut self, store: &TermStore, terms: &[TermId]) -> Scope {
        let mut scope = Scope::default();
        for &term in terms {
            self.visit(store, term, &mut scope);
        }
        scope
    }

    /// The kind of a number; `None` if it is nothing but a constant.
    pub fn of(&mut self, store: &TermStore, term: TermId, scope: &mut Scope) -> Option<Kind> {
        self.visit(store, term, scope).map(|node| self.root(node))
    }

    /// The kind of the numbers that an array of the state has at some position among its arguments.
    pub fn of_argument(&mut self, symbol: SymbolId, position: usize) -> Option<Kind> {
        self.nodes.get(&(symbol, position)).copied().map(|node| self.root(node))
    }

    fn assign(&mut self, store: &TermStore, symbol: SymbolId, value: TermId, scope: &mut Scope) {
        let old = self.signature_of(store, symbol, scope);
        let new = self.signature(store, value, scope);
        self.unify_all(&old, &new);
    }

    fn root(&mut self, mut node: Node) -> Node {
        while self.parents[node] != node {
            self.parents[node] = self.parents[self.parents[node]];
            node = self.parents[node];
        }
        node
    }

    fn unify(&mut self, a: Option<Node>, b: Option<Node>) -> Option<Node> {
        if let (Some(a), Some(b)) = (a, b) {
            let (a, b) = (self.root(a), self.root(b));
            self.parents[a.max(b)] = a.min(b);
        }
        a.or(b)
    }

    fn unify_all(&mut self, one: &[Option<Node>], other: &[Option<Node>]) {
        for (&a, &b) in one.iter().zip(other) {
            self.unify(a, b);
        }
    }

    fn fresh(&mut self, store: &TermStore, sort: SortId) -> Option<Node> {
        if !store.sort(sort).is_numeric() {
            return None;
        }
        self.parents.push(self.parents.len());
        Some(self.parents.len() - 1)
    }

    /// The numbers that a symbol stands for, or that are at a position of it.
    fn node(
        &mut self,
        store: &TermStore,
        symbol: SymbolId,
        position: usize,
        sort: SortId,
        scope: &mut Scope,
    ) -> Option<Node> {
        if let Some(&(_, node)) = scope.bound.iter().rev().find(|(bound, _)| *bound == symbol) {
            return node;
        }
        let is_shared = matches!(store.symbol(symbol).role, Role::State | Role::Const);
        let known = if is_shared { &self.nodes } else { &scope.nodes };
        if let Some(&node) = known.get(&(symbol, position)) {
            return Some(node);
        }
        let node = self.fresh(store, sort)?;
        let known = if is_shared { &mut self.nodes } else { &mut scope.nodes };
        known.insert((symbol, position), node);
        Some(node)
    }

    /// The kinds of a symbol: of its arguments if it is a function, and last of its value.
    fn signature_of(&mut self, store: &TermStore, symbol: SymbolId, scope: &mut Scope) -> Vec<Option<Node>> {
        let sort = store.symbol(symbol).sort;
        let Sort::Function { args, result } = store.sort(sort) else {
            return vec![self.node(store, symbol, RESULT, sort, scope)];
        };
        let positions = args.iter().copied().enumerate().chain([(RESULT, *result)]);
        positions.map(|(position, sort)| self.node(store, symbol, position, sort, scope)).collect()
    }

    /// The kinds of a term that may be a function.
    fn signature(&mut self, store: &TermStore, term: TermId, scope: &mut Scope) -> Vec<Option<Node>> {
        if !matches!(store.sort(store.sort_of(term)), Sort::Function { .. }) {
            return vec![self.visit(store, term, scope)];
        }
        if let Some(known) = scope.known(store, term).functions.get(&term) {
            return known.clone();
        }
        let signature = self.signature_of_function(store, term, scope);
        scope.known(store, term).functions.insert(term, signature.clone());
        signature
    }

    fn signature_of_function(
        &mut self,
        store: &TermStore,
        term: TermId,
        scope: &mut Scope,
    ) -> Vec<Option<Node>> {
        match (store.op(term), store.args(term)) {
            (Op::Symbol(symbol), _) => self.signature_of(store, *symbol, scope),
            (Op::Ite, &[condition, then, otherwise]) => {
                self.visit(store, condition, scope);
                let then = self.signature(store, then, scope);
                let otherwise = self.signature(store, otherwise, scope);
                self.unify_all(&then, &otherwise);
                then
            }
            (Op::Lambda(bound), &[body]) => self.within(store, bound, body, scope),
            _ => Vec::new(),
        }
    }

    /// The kinds of bound symbols and of the term that they are bound in.
    fn within(
        &mut self,
        store: &TermStore,
        bound: &[SymbolId],
        body: TermId,
        scope: &mut Scope,
    ) -> Vec<Option<Node>> {
        let mut kinds = Vec::new();
        for &symbol in bound {
            let node = self.fresh(store, store.symbol(symbol).sort);
            scope.bound.push((symbol, node));
            kinds.push(node);
        }
        scope.open.push(Known::default());
        let body = self.visit(store, body, scope);
        scope.open.pop();
        scope.bound.truncate(scope.bound.len() - bound.len());
        kinds.push(body);
        kinds
    }

    fn visit(&mut self, store: &TermStore, term: TermId, scope: &mut Scope) -> Option<Node> {
        if let Some(&known) = scope.known(store, term).terms.get(&term) {
            return known;
        }
        let node = self.look_at(store, term, scope);
        scope.known(store, term).terms.insert(term, node);
        node
    }

    fn look_at(&mut self, store: &TermStore, term: TermId, scope: &mut Scope) -> Option<Node> {
        let args = store.args(term);
        match store.op(term) {
            Op::Symbol(symbol) if store.symbol(*symbol).role == Role::Const => None,
            Op::Symbol(symbol) => self.node(store, *symbol, RESULT, store.sort_of(term), scope),
            Op::Forall(bound) | Op::Exists(bound) | Op::Lambda(bound) => {
                self.within(store, bound, args[0], scope);
                None
            }
            Op::Apply => {
                let function = self.signature(store, args[0], scope);
                let args: Vec<Option<Node>> =
                    args[1..].iter().map(|&arg| self.visit(store, arg, scope)).collect();
                self.unify_all(&function, &args);
                function.last().copied().flatten()
            }
            Op::Ite => {
                self.visit(store, args[0], scope);
                self.join(store, &args[1..], scope)
            }
            Op::Add | Op::Neg => self.join(store, args, scope),
            Op::Eq if matches!(store.sort(store.sort_of(args[0])), Sort::Function { .. }) => {
                let left = self.signature(store, args[0], scope);
                let right = self.signature(store, args[1], scope);
                self.unify_all(&left, &right);
                None
            }
            Op::Eq | Op::Distinct | Op::Lt | Op::Le => {
                self.join(store, args, scope);
                None
            }
            _ => {
                args.iter().for_each(|&arg| {
                    self.visit(store, arg, scope);
                });
                None
            }
        }
    }

    fn join(&mut self, store: &TermStore, terms: &[TermId], scope: &mut Scope) -> Option<Node> {
        let nodes: Vec<Option<Node>> = terms.iter().map(|&term| self.visit(store, term, scope)).collect();
        nodes.into_iter().fold(None, |all, node| self.unify(all, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenet_system::Rule;

    /// A model with two queues that end before the same constant: `head_1 < tail_1` and so on are asked, `queue_1[tail_1]`
    /// and `queue_2[tail_2]` are written.
    fn two_queues() -> (System, [TermId; 5]) {
        let mut system = System::default();
        let store = &mut system.store;
        let array = store.function_sort(&[SortId::INT], SortId::INT);
        let end = store.declare("END", SortId::INT, Role::Const);
        let end = store.mk_symbol(end);
        let mut updates = Vec::new();
        let mut guard = Vec::new();
        let mut terms = Vec::new();
        for number in ["1", "2"] {
            let [head, tail] = ["head_", "tail_"].map(|name| {
                let symbol = store.declare(&format!("{name}{number}"), SortId::INT, Role::State);
                store.mk_symbol(symbol)
            });
            let queue = store.declare(&format!("queue_{number}"), array, Role::State);
            let read = store.mk_symbol(queue);
            guard.extend([store.mk_lt(head, tail), store.mk_lt(tail, end)]);
            // The same name for the places of both.
            let place = store.declare("place", SortId::INT, Role::Bound);
            let at = store.mk_symbol(place);
            let (here, old, seven) = (store.mk_eq(at, tail), store.mk_apply(read, &[at]), store.mk_int(7));
            let body = store.mk_ite(here, seven, old);
            updates.push((queue, store.mk_lambda(&[place], body)));
            terms.extend([head, tail]);
        }
        terms.push(end);
        let guard = store.mk_and(guard);
        let source = Default::default();
        system.rules.push(Rule {
            name: "put".into(),
            source,
            params: vec![],
            shown_params: 0,
            guard,
            updates,
        });
        (system, terms.try_into().expect("five terms"))
    }

    #[test]
    fn what_is_compared_is_of_one_kind_and_what_has_the_same_bound_is_not() {
        let (mut system, [head_1, tail_1, head_2, tail_2, end]) = two_queues();
        let mut kinds = Kinds::new(&system);
        let store = &mut system.store;
        let one = store.mk_int(1);
        let next = store.mk_add([tail_1, one]);
        let scope = &mut Scope::default();
        let mut of = |term| kinds.of(store, term, scope);
        assert!(of(head_1).is_some() && of(head_1) == of(tail_1) && of(head_1) == of(next));
        assert!(of(head_2).is_some() && of(head_2) == of(tail_2));
        assert_ne!(of(head_1), of(head_2), "places of different queues");
        assert_eq!((of(end), of(one)), (None, None), "constants are of no kind");
    }

    #[test]
    fn a_variable_is_of_the_kind_that_its_literals_say() {
        let (mut system, [head_1, _, head_2, ..]) = two_queues();
        let mut kinds = Kinds::new(&system);
        let store = &mut system.store;
        let place = store.declare("p", SortId::INT, Role::Index);
        let place = store.mk_symbol(place);
        for (queue, head) in [("queue_1", head_1), ("queue_2", head_2)] {
            let sort = store.function_sort(&[SortId::INT], SortId::INT);
            let queue = store.declare(queue, sort, Role::State);
            let queue = store.mk_symbol(queue);
            let entry = store.mk_apply(queue, &[place]);
            let seven = store.mk_int(7);
            let literal = store.mk_eq(entry, seven);
            let mut scope = kinds.scope(store, &[literal]);
            assert_eq!(kinds.of(store, place, &mut scope), kinds.of(store, head, &mut scope));
        }
        assert_ne!(
            kinds.of(store, head_1, &mut Scope::default()),
            kinds.of(store, head_2, &mut Scope::default())
        );
    }

    #[test]
    fn what_is_copied_keeps_its_kind() {
        let (mut system, [head_1, _, head_2, ..]) = two_queues();
        let symbol = system.store.as_symbol(head_1).expect("a symbol");
        system.rules[0].updates.push((symbol, head_2));
        let mut kinds = Kinds::new(&system);
        let scope = &mut Scope::default();
        assert_eq!(kinds.of(&system.store, head_1, scope), kinds.of(&system.store, head_2, scope));
    }
}
