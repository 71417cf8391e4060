//! Systems built from terms: definitions of arrays, axioms, unions, functions as values, parameters of ranges.

use tenet_proof::{Advice, Backend, Certificate, Gap, Obligation, Origin, certify, verify_against};
use tenet_solve::Z3Solver;
use tenet_system::finite::program::Source;
use tenet_system::{Axiom, Bounds, Definition, Lemma, Property, PropertyKind, Rule, Start, StateVar, System};
use tenet_term::{Op, Role, SortId, SymbolId, TermId, TermStore};

fn source() -> Source {
    Source { start: 0, end: 0 }
}

fn empty(store: TermStore) -> System {
    System { store, ..System::default() }
}

fn state(system: &mut System, symbol: SymbolId, args: usize) {
    system.state.push(StateVar { symbol, args: vec![Bounds::default(); args], value: Bounds::default() });
}

fn start(system: &mut System, params: &[SymbolId], constraint: TermId, values: &[TermId]) {
    let (params, values) = (params.to_vec(), values.to_vec());
    system.starts.push(Start { name: "start".to_owned(), source: source(), params, constraint, values });
}

fn rule(system: &mut System, name: &str, params: &[SymbolId], guard: TermId, updates: &[(SymbolId, TermId)]) {
    let (name, params, updates) = (name.to_owned(), params.to_vec(), updates.to_vec());
    let shown_params = params.len();
    system.rules.push(Rule { name, source: source(), params, shown_params, guard, updates });
}

fn property(system: &mut System, formula: TermId) {
    let kind = PropertyKind::Invariant;
    system.properties.push(Property { name: "safe".to_owned(), source: source(), kind, formula });
}

fn closed(body: TermId) -> Lemma {
    Lemma { vars: Vec::new(), body }
}

fn prove(system: &mut System, lemmas: &[Lemma]) -> Result<Certificate, Gap> {
    let all: Vec<usize> = (0..system.properties.len()).collect();
    let origin = Origin { file: "terms".to_owned(), ..Origin::default() };
    certify(system, lemmas, &all, &Advice::default(), &origin, &|| Box::new(Z3Solver::new()))
}

/// Proves and checks; the check happens in a store without any terms of the search.
fn accepted(system: &System, lemmas: &[Lemma]) -> (String, Vec<String>) {
    let mut first = system.clone();
    let certificate = prove(&mut first, lemmas).unwrap_or_else(|gap| panic!("{gap:?}"));
    let verified = verify_against(&certificate.text, &mut system.clone(), &Backend::Z3);
    let verified = verified.unwrap_or_else(|rejection| panic!("{rejection:?}\n{}", certificate.text));
    (certificate.text, verified.assumptions)
}

/// Nodes with one successor each; those reachable from the root are live.
struct Graph {
    system: System,
    node: SortId,
    next: TermId,
    reach: TermId,
    lemma: TermId,
}

/// `reach(next, n)` is defined as `n = root | exists p. reach(next, p) & next[p] = n`.
fn graph() -> Graph {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let links = store.function_sort(&[node], node);
    let set = store.function_sort(&[node], SortId::BOOL);
    let root = store.declare("root", node, Role::Const);
    let next = store.declare("next", links, Role::State);
    let live = store.declare("live", set, Role::State);
    let sort = store.function_sort(&[links, node], SortId::BOOL);
    let reach = store.declare("reach", sort, Role::Const);
    let [array, n, p] = [("array", links), ("n", node), ("p", node)]
        .map(|(name, sort)| store.declare(name, sort, Role::Bound));
    let [root_term, next_term, live_term, reach_term, array_term, n_term, p_term] =
        [root, next, live, reach, array, n, p].map(|symbol| store.mk_symbol(symbol));
    let is_root = store.mk_eq(n_term, root_term);
    let before = store.mk_apply(reach_term, &[array_term, p_term]);
    let step = store.mk_apply(array_term, &[p_term]);
    let arrives = store.mk_eq(step, n_term);
    let from = store.mk_and([before, arrives]);
    let from = store.mk_exists(&[p], from);
    let body = store.mk_or([is_root, from]);
    // forall n. reach(next, n) -> live[n]
    let reached = store.mk_apply(reach_term, &[next_term, n_term]);
    let alive = store.mk_apply(live_term, &[n_term]);
    let lemma = store.mk_implies(reached, alive);
    let lemma = store.mk_forall(&[n], lemma);
    let mut system = empty(store);
    system.consts = vec![root, reach];
    state(&mut system, next, 1);
    state(&mut system, live, 1);
    let definition = Definition {
        name: "reach".to_owned(),
        source: source(),
        symbol: reach,
        params: vec![array, n],
        body,
    };
    system.definitions.push(definition);
    property(&mut system, lemma);
    // Everything is live, and the links are anything.
    let any = system.store.declare("any", links, Role::Initial);
    let any_term = system.store.mk_symbol(any);
    let all = system.store.mk_lambda(&[n], TermId::TRUE);
    start(&mut system, &[any], TermId::TRUE, &[any_term, all]);
    Graph { system, node, next: next_term, reach: reach_term, lemma }
}

impl Graph {
    /// A link is redirected to something reachable.
    fn redirect(&mut self) {
        let store = &mut self.system.store;
        let from = store.declare("from", self.node, Role::Input);
        let to = store.declare("to", self.node, Role::Input);
        let (from_term, to_term) = (store.mk_symbol(from), store.mk_symbol(to));
        let guard = store.mk_apply(self.reach, &[self.next, to_term]);
        let value = store.mk_store(self.next, &[from_term], to_term);
        let symbol = self.system.state[0].symbol;
        rule(&mut self.system, "redirect", &[from, to], guard, &[(symbol, value)]);
    }

    /// An unreachable node dies.
    fn kill(&mut self) {
        let store = &mut self.system.store;
        let node = store.declare("node", self.node, Role::Input);
        let term = store.mk_symbol(node);
        let reached = store.mk_apply(self.reach, &[self.next, term]);
        let guard = store.mk_not(reached);
        let live = self.system.state[1].symbol;
        let live_term = store.mk_symbol(live);
        let value = store.mk_store(live_term, &[term], TermId::FALSE);
        rule(&mut self.system, "kill", &[node], guard, &[(live, value)]);
    }

    /// `forall p, q, r. reach(next, p) & reach(next[q := p], r) -> reach(next, r)`.
    fn axiom(&mut self) {
        let store = &mut self.system.store;
        let [p, q, r] = ["p", "q", "r"].map(|name| store.declare(name, self.node, Role::Bound));
        let [p_term, q_term, r_term] = [p, q, r].map(|symbol| store.mk_symbol(symbol));
        let changed = store.mk_store(self.next, &[q_term], p_term);
        let before = store.mk_apply(self.reach, &[self.next, p_term]);
        let after = store.mk_apply(self.reach, &[changed, r_term]);
        let already = store.mk_apply(self.reach, &[self.next, r_term]);
        let both = store.mk_and([before, after]);
        let formula = store.mk_implies(both, already);
        let formula = store.mk_forall(&[p, q, r], formula);
        self.system.axioms.push(Axiom { name: "redirection".to_owned(), source: source(), formula });
    }
}

#[test]
fn ex_t6_an_axiom_that_was_needed_is_listed() {
    let mut graph = graph();
    graph.redirect();
    graph.kill();
    let gap = prove(&mut graph.system.clone(), &[closed(graph.lemma)]).expect_err("the axiom is needed");
    assert_eq!(gap.obligation, Obligation::Step { rule: 0, lemma: 0 });
    graph.axiom();
    let (_, assumptions) = accepted(&graph.system, &[closed(graph.lemma)]);
    assert!(assumptions.contains(&"redirection".to_owned()), "{assumptions:?}");
}

#[test]
fn ex_t6_an_axiom_that_was_not_needed_is_listed_all_the_same() {
    let mut graph = graph();
    graph.kill();
    graph.axiom();
    let (_, assumptions) = accepted(&graph.system, &[closed(graph.lemma)]);
    assert_eq!(assumptions, ["redirection"]);
}

#[test]
fn the_equation_of_a_definition_is_used() {
    let mut graph = graph();
    graph.kill();
    // The successor of the root is live: it is reachable by the definition.
    let store = &mut graph.system.store;
    let root = store.declare("root", graph.node, Role::Const);
    let root = store.mk_symbol(root);
    let second = store.mk_apply(graph.next, &[root]);
    let live = store.mk_symbol(graph.system.state[1].symbol);
    let formula = store.mk_apply(live, &[second]);
    property(&mut graph.system, formula);
    let (_, assumptions) = accepted(&graph.system, &[closed(graph.lemma)]);
    assert!(assumptions.is_empty(), "a definition is a part of the model: {assumptions:?}");
}

#[test]
fn ex_t5_an_equation_does_not_say_least() {
    let mut graph = graph();
    // Every node is its own successor, so only the root is reachable; the equation also has other solutions.
    let store = &mut graph.system.store;
    let u = store.declare("u", graph.node, Role::Bound);
    let u_term = store.mk_symbol(u);
    let identity = store.mk_lambda(&[u], u_term);
    graph.system.starts[0].values[0] = identity;
    graph.system.starts[0].params.clear();
    let root = store.declare("root", graph.node, Role::Const);
    let root = store.mk_symbol(root);
    let reached = store.mk_apply(graph.reach, &[graph.next, u_term]);
    let is_root = store.mk_eq(u_term, root);
    let formula = store.mk_implies(reached, is_root);
    let formula = store.mk_forall(&[u], formula);
    let gap = prove(&mut graph.system, &[closed(formula)]).expect_err("it holds of the least set only");
    assert_eq!(gap.obligation, Obligation::Start { start: 0, lemma: 0 });
}

/// A state of one integer, and a parameter of a range.
fn steps(lo: i64, hi: i64, bound: i64) -> (System, TermId) {
    let mut store = TermStore::new();
    let range = store.range_sort(lo, hi);
    let x = store.declare("x", SortId::INT, Role::State);
    let by = store.declare("by", range, Role::Input);
    let (x_term, by_term, zero) = (store.mk_symbol(x), store.mk_symbol(by), store.mk_int(0));
    let limit = store.mk_int(bound);
    let guard = store.mk_le(zero, x_term);
    let sum = store.mk_add([x_term, by_term]);
    let lemma = store.mk_le(limit, x_term);
    let mut system = empty(store);
    state(&mut system, x, 0);
    start(&mut system, &[], TermId::TRUE, &[zero]);
    rule(&mut system, "step", &[by], guard, &[(x, sum)]);
    property(&mut system, lemma);
    (system, lemma)
}

#[test]
fn parameters_of_ranges_stay_within_them() {
    let (system, lemma) = steps(-2, 2, -2);
    accepted(&system, &[closed(lemma)]);
    let (mut system, lemma) = steps(-3, 2, -2);
    assert!(prove(&mut system, &[closed(lemma)]).is_err(), "0 - 3 is less than -2");
}

#[test]
fn qi_t5_instances_outside_a_range_say_nothing() {
    // forall i in 1..3. a[i] = 0 does not say that a[7] = 0.
    let mut store = TermStore::new();
    let range = store.range_sort(1, 3);
    let array = store.function_sort(&[SortId::INT], SortId::INT);
    let a = store.declare("a", array, Role::State);
    let i = store.declare("i", range, Role::Bound);
    let (a_term, i_term, zero, seven) =
        (store.mk_symbol(a), store.mk_symbol(i), store.mk_int(0), store.mk_int(7));
    let read = store.mk_apply(a_term, &[i_term]);
    let is_zero = store.mk_eq(read, zero);
    let lemma = store.mk_forall(&[i], is_zero);
    let read = store.mk_apply(a_term, &[seven]);
    let goal = store.mk_eq(read, zero);
    let u = store.declare("u", SortId::INT, Role::Bound);
    let zeros = store.mk_lambda(&[u], zero);
    let mut system = empty(store);
    state(&mut system, a, 1);
    start(&mut system, &[], TermId::TRUE, &[zeros]);
    property(&mut system, goal);
    let gap = prove(&mut system, &[closed(lemma)]).expect_err("7 is not in 1..3");
    assert_eq!(gap.obligation, Obligation::Property { property: 0 });
}

#[test]
fn arrays_are_compared_everywhere() {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let array = store.function_sort(&[node], SortId::INT);
    let a = store.declare("a", array, Role::State);
    let b = store.declare("b", array, Role::State);
    let same = store.declare("same", SortId::BOOL, Role::State);
    let [a_term, b_term, same_term] = [a, b, same].map(|symbol| store.mk_symbol(symbol));
    let equal = store.raw(Op::Eq, &[a_term, b_term]);
    let lemma = store.mk_iff(same_term, equal);
    let n = store.declare("n", node, Role::Input);
    let n_term = store.mk_symbol(n);
    let one = store.mk_int(1);
    let read = store.mk_apply(a_term, &[n_term]);
    let sum = store.mk_add([read, one]);
    let changed = store.mk_store(a_term, &[n_term], sum);
    let any = store.declare("any", array, Role::Initial);
    let any_term = store.mk_symbol(any);
    let mut system = empty(store);
    state(&mut system, a, 1);
    state(&mut system, b, 1);
    state(&mut system, same, 0);
    start(&mut system, &[any], TermId::TRUE, &[any_term, any_term, TermId::TRUE]);
    rule(&mut system, "copy", &[], TermId::TRUE, &[(b, a_term), (same, TermId::TRUE)]);
    rule(&mut system, "change", &[n], same_term, &[(a, changed), (same, TermId::FALSE)]);
    property(&mut system, lemma);
    accepted(&system, &[closed(lemma)]);
    system.rules[1].guard = TermId::TRUE;
    assert!(prove(&mut system, &[closed(lemma)]).is_err(), "two different arrays can become equal");
}

#[test]
fn unions_and_names_that_solvers_reserve() {
    let mut store = TermStore::new();
    let node = store.index_sort("select");
    let none = store.enum_sort("Int", &["and", "or"]);
    let union = store.union_sort("let", &[node, none]);
    let owner = store.declare("true", union, Role::State);
    let held = store.declare("a b|c\\", SortId::BOOL, Role::State);
    let [owner_term, held_term] = [owner, held].map(|symbol| store.mk_symbol(symbol));
    let n = store.declare("check-sat", node, Role::Input);
    let n_term = store.mk_symbol(n);
    let value = store.mk_in(union, node, n_term);
    let nobody = store.mk_enum(none, 1);
    let nobody = store.mk_in(union, none, nobody);
    let is_node = store.mk_is(node, owner_term);
    let lemma = store.mk_iff(held_term, is_node);
    let not_held = store.mk_not(held_term);
    let own = store.mk_out(node, owner_term);
    let mine = store.mk_eq(own, n_term);
    let guard = store.mk_and([held_term, mine]);
    let mut system = empty(store);
    state(&mut system, owner, 0);
    state(&mut system, held, 0);
    start(&mut system, &[], TermId::TRUE, &[nobody, TermId::FALSE]);
    rule(&mut system, "take", &[n], not_held, &[(owner, value), (held, TermId::TRUE)]);
    rule(&mut system, "give", &[n], guard, &[(owner, nobody), (held, TermId::FALSE)]);
    property(&mut system, lemma);
    accepted(&system, &[closed(lemma)]);
}

#[test]
fn divisions_mean_what_terms_mean() {
    // x := 7 / (x - x) is 0; x := -7 / 2 is -3; x := -7 % 2 is -1.
    let mut store = TermStore::new();
    let x = store.declare("x", SortId::INT, Role::State);
    let d = store.declare("d", SortId::INT, Role::Const);
    let [x_term, d_term] = [x, d].map(|symbol| store.mk_symbol(symbol));
    let [seven, minus_seven, two, zero] = [7, -7, 2, 0].map(|value| store.mk_int(value));
    let is_two = store.mk_eq(d_term, two);
    let is_zero = store.mk_eq(d_term, zero);
    let quotient = store.raw(Op::DivTrunc, &[minus_seven, d_term]);
    let rest = store.raw(Op::RemTrunc, &[minus_seven, d_term]);
    let by_zero = store.raw(Op::DivEuclid, &[seven, d_term]);
    let modulo = store.raw(Op::ModEuclid, &[minus_seven, d_term]);
    let expected = [-3, -1, 0, 1].map(|value| store.mk_int(value));
    let allowed: Vec<TermId> = expected.iter().map(|&value| store.mk_eq(x_term, value)).collect();
    let lemma = store.mk_or(allowed);
    let mut system = empty(store);
    system.consts.push(d);
    state(&mut system, x, 0);
    start(&mut system, &[], TermId::TRUE, &[zero]);
    rule(&mut system, "quotient", &[], is_two, &[(x, quotient)]);
    rule(&mut system, "rest", &[], is_two, &[(x, rest)]);
    rule(&mut system, "modulo", &[], is_two, &[(x, modulo)]);
    rule(&mut system, "by zero", &[], is_zero, &[(x, by_zero)]);
    property(&mut system, lemma);
    accepted(&system, &[closed(lemma)]);
}

#[test]
fn names_of_the_model_that_look_like_names_of_the_certificate() {
    // Symbols called like proxies, lemmas, new values and constants of goals mean what the model means by them.
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let set = store.function_sort(&[node], SortId::BOOL);
    let names = ["q.1", "lemma-1", "lemma-1.next", "sk.n", "q.1.body"];
    let flags: Vec<SymbolId> =
        names.iter().map(|name| store.declare(name, SortId::BOOL, Role::State)).collect();
    let on = store.declare("q", set, Role::State);
    let n = store.declare("n", node, Role::Bound);
    let (on_term, n_term) = (store.mk_symbol(on), store.mk_symbol(n));
    let read = store.mk_apply(on_term, &[n_term]);
    let all = store.mk_forall(&[n], read);
    let first = store.mk_symbol(flags[0]);
    let lemma = store.mk_iff(first, all);
    let empty_set = store.mk_lambda(&[n], TermId::FALSE);
    let full = store.mk_lambda(&[n], TermId::TRUE);
    let mut system = empty(store);
    flags.iter().for_each(|&flag| state(&mut system, flag, 0));
    state(&mut system, on, 1);
    let values = [TermId::FALSE, TermId::TRUE, TermId::FALSE, TermId::TRUE, TermId::FALSE, empty_set];
    start(&mut system, &[], TermId::TRUE, &values);
    rule(&mut system, "fill", &[], TermId::TRUE, &[(on, full), (flags[0], TermId::TRUE)]);
    property(&mut system, lemma);
    accepted(&system, &[closed(lemma)]);
    rule(&mut system, "lie", &[], TermId::TRUE, &[(flags[1], TermId::FALSE), (flags[0], TermId::TRUE)]);
    assert!(prove(&mut system, &[closed(lemma)]).is_err());
}
