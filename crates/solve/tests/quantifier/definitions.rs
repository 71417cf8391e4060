//! Definitions over arrays: nodes that are accessible from the root, and the axioms of EX-A8 about them.

use tenet_solve::quantifier::{FactKind, Grounded, Policy, ground_signed};
use tenet_solve::{Answer, Solver, Z3Solver};
use tenet_system::Definition;
use tenet_system::finite::program::Source;
use tenet_term::{Polarity, Role, SortId, Substitution, TermId};

use crate::show::show;
use crate::world::World;

const ASSERTED: Polarity = Polarity { positive: true, negative: false };

struct Heap {
    w: World,
    node: SortId,
    left: TermId,
    right: TermId,
    color: TermId,
    black: TermId,
    root: TermId,
    acc: TermId,
    definition: Definition,
}

impl Heap {
    fn new() -> Heap {
        let mut w = World::new();
        let node = w.store.range_sort(0, 7);
        let color_sort = w.store.enum_sort("COLOR", &["White", "Gray", "Black"]);
        let links = w.store.function_sort(&[node], node);
        let [left, right] = ["left", "right"].map(|name| w.function(name, &[node], node));
        let color = w.function("color", &[node], color_sort);
        let sort = w.store.function_sort(&[links, links, node], SortId::BOOL);
        let acc = w.symbol("acc", sort, Role::Const);
        let (l, lt) = w.bound("l", links);
        let (r, rt) = w.bound("r", links);
        let ((n, nt), (p, pt)) = (w.bound("m", node), w.bound("p", node));
        let root = w.store.mk_int(0);
        let (of_l, of_r) = (w.apply(lt, &[pt]), w.apply(rt, &[pt]));
        let (by_l, by_r) = (w.eq(of_l, nt), w.eq(of_r, nt));
        let edge = w.or(&[by_l, by_r]);
        let before = w.apply(acc, &[lt, rt, pt]);
        let step = w.and(&[before, edge]);
        let later = w.exists(&[p], step);
        let start = w.eq(nt, root);
        let body = w.or(&[start, later]);
        let definition = Definition {
            name: "acc".into(),
            source: Source::default(),
            symbol: w.store.as_symbol(acc).unwrap(),
            params: vec![l, r, n],
            body,
        };
        let black = w.store.mk_variant(color_sort, "Black").unwrap();
        Heap { w, node, left, right, color, black, root, acc, definition }
    }

    fn acc(&mut self, node: TermId) -> TermId {
        self.w.apply(self.acc, &[self.left, self.right, node])
    }

    fn is_black(&mut self, node: TermId) -> TermId {
        let color = self.w.apply(self.color, &[node]);
        self.w.eq(color, self.black)
    }

    /// A node: a constant within the range.
    fn node(&mut self, name: &str) -> TermId {
        self.w.constant(name, self.node)
    }

    fn in_range(&mut self, term: TermId) -> TermId {
        tenet_system::within_sort(&mut self.w.store, self.node, term)
    }

    /// Every successor of a black node is black.
    fn closure(&mut self) -> TermId {
        let (p, pt) = self.w.bound("p", self.node);
        let here = self.is_black(pt);
        let successors = [self.left, self.right].map(|array| self.w.apply(array, &[pt]));
        let [l, r] = successors.map(|successor| self.is_black(successor));
        let both = self.w.and(&[l, r]);
        let body = self.w.implies(here, both);
        self.w.forall(&[p], body)
    }

    fn axiom_1(&mut self) -> TermId {
        let (x, xt) = self.w.bound("x", self.node);
        let (start, closure) = (self.is_black(self.root), self.closure());
        let (reached, black) = (self.acc(xt), self.is_black(xt));
        let body = self.w.implies(reached, black);
        let all = self.w.forall(&[x], body);
        let premise = self.w.and(&[start, closure]);
        self.w.implies(premise, all)
    }

    fn axiom_2(&mut self) -> TermId {
        let ((p, pt), (q, qt), (r, rt)) =
            (self.w.bound("p", self.node), self.w.bound("q", self.node), self.w.bound("r", self.node));
        let written = self.w.store.mk_store(self.left, &[qt], pt);
        let after = self.w.apply(self.acc, &[written, self.right, rt]);
        let (target, before) = (self.acc(pt), self.acc(rt));
        let premise = self.w.and(&[target, after]);
        let body = self.w.implies(premise, before);
        self.w.forall(&[p, q, r], body)
    }

    fn ground(&mut self, formulas: &[TermId], policy: &Policy) -> Grounded {
        let definitions = [self.definition.clone()];
        let policy = Policy { definitions: &definitions, ..policy.clone() };
        let signed: Vec<_> = formulas.iter().map(|&formula| (formula, ASSERTED)).collect();
        ground_signed(&mut self.w.store, &signed, &[], &policy)
    }

    /// Are the formulas unsatisfiable together, as far as instances show it?
    fn refuted(&mut self, formulas: &[TermId]) -> bool {
        let grounded = self.ground(formulas, &Policy::default());
        assert!(!grounded.cut);
        let mut solver = Z3Solver::new();
        for formula in grounded.roots.iter().copied().chain(grounded.facts.iter().map(|fact| fact.formula)) {
            assert!(!self.w.store.has_quantifier(formula) && !self.w.store.has_lambda(formula));
            solver.assert(&self.w.store, formula);
        }
        solver.check(&self.w.store, &[]) == Answer::Unsat
    }
}

#[test]
fn axiom_1_accessible_nodes_are_black() {
    let mut h = Heap::new();
    let n = h.node("n");
    let (axiom, start, closure) = (h.axiom_1(), h.is_black(h.root), h.closure());
    let (reached, black, within) = (h.acc(n), h.is_black(n), h.in_range(n));
    let white = h.w.not(black);
    assert!(h.refuted(&[axiom, start, closure, reached, white, within]));
    // Each part is needed.
    assert!(!h.refuted(&[axiom, closure, reached, white, within]));
    assert!(!h.refuted(&[axiom, start, reached, white, within]));
    assert!(!h.refuted(&[axiom, start, closure, white, within]));
    assert!(!h.refuted(&[start, closure, reached, white]));
}

#[test]
fn axiom_2_redirecting_to_an_accessible_node_makes_no_other_accessible() {
    let mut h = Heap::new();
    let axiom = h.axiom_2();
    let ranges: Vec<TermId> = ["n", "t", "j"]
        .map(|name| {
            let node = h.node(name);
            h.in_range(node)
        })
        .to_vec();
    let [n, t, j] = ["n", "t", "j"].map(|name| h.node(name));
    let (of_t, before) = (h.acc(t), h.acc(j));
    // The step of the mutator, as a substitution.
    let written = h.w.store.mk_store(h.left, &[n], t);
    let left = h.w.store.as_symbol(h.left).unwrap();
    let step = Substitution::from_pairs(&h.w.store, [(left, written)]);
    let after = h.w.store.substitute(before, &step);
    let not_before = h.w.not(before);
    let all = [&[axiom, of_t, after, not_before], &ranges[..]].concat();
    assert!(h.refuted(&all));
    assert!(!h.refuted(&all[1..]));
    // A write of the other array is no match.
    let written = h.w.store.mk_store(h.right, &[n], t);
    let other = h.w.apply(h.acc, &[h.left, written, j]);
    assert!(!h.refuted(&[&[axiom, of_t, other, not_before], &ranges[..]].concat()));
}

#[test]
fn axiom_2_is_instantiated_where_a_write_occurs_and_nowhere_else() {
    let mut h = Heap::new();
    let axiom = h.axiom_2();
    let [n, t, j] = ["n", "t", "j"].map(|name| h.node(name));
    let reached = h.acc(j);
    let of_axiom = |grounded: &Grounded| -> Vec<Vec<TermId>> {
        let facts = grounded.facts.iter().filter(|fact| fact.quantifier == axiom);
        facts
            .filter_map(|fact| match &fact.kind {
                FactKind::Instance { terms } => Some(terms.clone()),
                _ => None,
            })
            .collect()
    };
    let policy = Policy { rounds: 1, ..Policy::default() };
    let grounded = h.ground(&[axiom, reached], &policy);
    assert_eq!((grounded.versions.len(), of_axiom(&grounded)), (1, vec![]));
    for (place, value) in [(n, t), (t, n), (n, h.root)] {
        let written = h.w.store.mk_store(h.left, &[place], value);
        let after = h.w.apply(h.acc, &[written, h.right, j]);
        let grounded = h.ground(&[axiom, after], &policy);
        assert_eq!(grounded.versions.len(), 2);
        let instances = of_axiom(&grounded);
        assert!(!instances.is_empty() && instances.iter().all(|terms| terms[..2] == [value, place]));
    }
    // What the user forces is used there too; forbidding a place stops the match.
    let forced = Policy { forced: vec![(h.node, n)], ..policy.clone() };
    let grounded = h.ground(&[axiom, reached], &forced);
    assert!(of_axiom(&grounded).contains(&vec![n, n, j]));
    let written = h.w.store.mk_store(h.left, &[n], t);
    let after = h.w.apply(h.acc, &[written, h.right, j]);
    let forbidden = Policy { forbidden: vec![(h.node, n)], ..policy };
    assert_eq!(of_axiom(&h.ground(&[axiom, after], &forbidden)), Vec::<Vec<TermId>>::new());
}

#[test]
fn equations_unfold_in_both_directions() {
    let mut h = Heap::new();
    let t = h.node("t");
    let of_root = h.acc(h.root);
    let no_root = h.w.not(of_root);
    assert!(h.refuted(&[no_root]));
    // One step forward.
    let next = h.w.apply(h.left, &[t]);
    let (of_t, of_next) = (h.acc(t), h.acc(next));
    let (t_within, next_within) = (h.in_range(t), h.in_range(next));
    let not_next = h.w.not(of_next);
    assert!(h.refuted(&[of_t, not_next, t_within, next_within]));
    assert!(!h.refuted(&[not_next, t_within, next_within]));
    // One step back: an accessible node that no link leads to is the root.
    let (x, xt) = h.w.bound("x", h.node);
    let links = [h.left, h.right].map(|array| {
        let link = h.w.apply(array, &[xt]);
        h.w.store.mk_ne(link, t)
    });
    let none = h.w.and(&links);
    let none = h.w.forall(&[x], none);
    let is_root = h.w.eq(t, h.root);
    let not_root = h.w.not(is_root);
    assert!(h.refuted(&[of_t, none, not_root, t_within]));
    assert!(!h.refuted(&[of_t, none, t_within]));
}

#[test]
fn ex_t5_equations_do_not_say_least() {
    let mut h = Heap::new();
    let one = h.w.store.mk_int(1);
    let mut formulas = vec![h.acc(one)];
    for array in [h.left, h.right] {
        for node in [h.root, one] {
            let link = h.w.apply(array, &[node]);
            formulas.push(h.w.eq(link, node));
        }
    }
    // Node 1 is not accessible, but a set that holds it satisfies the equation, through its link to itself.
    assert!(!h.refuted(&formulas));
}

#[test]
fn versions_say_what_they_stand_for() {
    let mut h = Heap::new();
    let [n, t, j] = ["n", "t", "j"].map(|name| h.node(name));
    let written = h.w.store.mk_store(h.left, &[n], t);
    let (before, after) = (h.acc(j), h.w.apply(h.acc, &[written, h.right, j]));
    let grounded = h.ground(&[before, after], &Policy { rounds: 1, ..Policy::default() });
    assert!(
        show(&h.w.store, &grounded).starts_with("acc#1(j)\nacc#2(j)\n"),
        "{}",
        show(&h.w.store, &grounded)
    );
    let meanings: Vec<String> =
        grounded.versions.iter().map(|version| h.w.store.print(version.meaning)).collect();
    assert_eq!(
        meanings,
        [
            "lambda a : 0..7. acc(left, right, a)",
            "lambda a : 0..7. acc(lambda u : 0..7. u = n ? t : left[u], right, a)"
        ]
    );
    // The equation of the second one speaks of the written array.
    let unfoldings = grounded.facts.iter().filter(|fact| fact.kind == FactKind::Unfolding);
    let equations: Vec<String> = unfoldings.map(|fact| h.w.store.print(fact.quantifier)).collect();
    assert_eq!(equations.len(), 2);
    assert!(equations[1].contains("p = n ? t : left[p]"), "{}", equations[1]);
}
