//! The monotone lattice and its abstraction against brute force.

mod lattice {
    use proptest::prelude::*;
    use tenet_abstraction::monotone::{Conjunction, Monotone};

    const PREDICATES: usize = 4;

    fn element() -> impl Strategy<Value = Monotone> {
        let conjunction = prop::collection::vec(0..PREDICATES, 0..=PREDICATES);
        prop::collection::vec(conjunction, 0..5)
            .prop_map(|all| Monotone::of(all.into_iter().map(|one| one.into_iter().collect::<Conjunction>())))
    }

    /// Its values at all valuations: what a monotone function is.
    fn table(element: &Monotone) -> Vec<bool> {
        let valuation = |code: usize| (0..PREDICATES).map(|p| code >> p & 1 == 1).collect::<Vec<bool>>();
        (0..1 << PREDICATES).map(|code| element.holds(&valuation(code))).collect()
    }

    proptest! {
        #![proptest_config(tenet_chance::cases(256))]

        #[test]
        fn order_and_operations_are_those_of_functions(left in element(), right in element()) {
            let (a, b) = (table(&left), table(&right));
            let pairs = || a.iter().zip(&b);
            prop_assert_eq!(left.is_below(&right), pairs().all(|(&x, &y)| !x || y));
            prop_assert_eq!(table(&left.join(&right)), pairs().map(|(&x, &y)| x || y).collect::<Vec<_>>());
            prop_assert_eq!(table(&left.meet(&right)), pairs().map(|(&x, &y)| x && y).collect::<Vec<_>>());
            prop_assert_eq!(left == right, a == b, "the form is canonical");
        }
    }

    #[test]
    fn rc_a1_the_order_looks_at_names_only() {
        let (a, b) = (Monotone::predicate(0), Monotone::predicate(1));
        let (both, either) = (a.meet(&b), a.join(&b));
        assert!(both.is_below(&a) && a.is_below(&either));
        assert!(!a.is_below(&both) && !either.is_below(&a));
        // Whatever the two predicates mean, also if they are `z = 0` and `z != 0`.
        assert_ne!(either, Monotone::top());
        assert!(!Monotone::top().is_below(&either));
        assert_ne!(both, Monotone::bottom());
        assert!(Monotone::bottom().is_below(&both));
    }
}

mod abstraction {
    use proptest::prelude::*;
    use tenet_abstraction::alpha;
    use tenet_abstraction::monotone::{Conjunction, Monotone};
    use tenet_solve::{Answer, Solver, Z3Solver};
    use tenet_term::{Role, SortId, TermId, TermStore};

    /// A comparison of `x`, of `y`, or of both, with a small number.
    fn atom(store: &mut TermStore, (kind, which, number): (u8, u8, i64)) -> TermId {
        let symbols = ["x", "y"].map(|name| store.declare(name, SortId::INT, Role::State));
        let [x, y] = symbols.map(|symbol| store.mk_symbol(symbol));
        let left = match which {
            0 => x,
            1 => y,
            _ => store.mk_sub(x, y),
        };
        let right = store.mk_int(number);
        match kind {
            0 => store.mk_eq(left, right),
            1 => store.mk_ne(left, right),
            2 => store.mk_le(left, right),
            _ => store.mk_lt(right, left),
        }
    }

    fn atoms(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(u8, u8, i64)>> {
        prop::collection::vec((0..4u8, 0..3u8, -1..3i64), count)
    }

    fn is_proved(store: &mut TermStore, facts: &[TermId], goal: TermId) -> bool {
        let mut solver = Z3Solver::ground();
        let denied = store.mk_not(goal);
        facts.iter().chain([&denied]).for_each(|&fact| solver.assert(store, fact));
        solver.check(store, &[]) == Answer::Unsat
    }

    /// The conjunction of all clauses over the predicates that the facts imply: what the least element is by definition.
    fn by_clauses(store: &mut TermStore, facts: &[TermId], predicates: &[TermId]) -> Monotone {
        let mut least = Monotone::top();
        for code in 0..1_usize << predicates.len() {
            let clause: Vec<usize> = (0..predicates.len()).filter(|p| code >> p & 1 == 1).collect();
            let goal: Vec<TermId> = clause.iter().map(|&p| predicates[p]).collect();
            let goal = store.mk_or(goal);
            if is_proved(store, facts, goal) {
                let clause =
                    Monotone::of(clause.into_iter().map(|p| [p].into_iter().collect::<Conjunction>()));
                least = least.meet(&clause);
            }
        }
        least
    }

    fn term(store: &mut TermStore, element: &Monotone, predicates: &[TermId]) -> TermId {
        let disjuncts: Vec<TermId> = element
            .minimal()
            .map(|one| {
                let all: Vec<TermId> = one.predicates().iter().map(|&p| predicates[p]).collect();
                store.mk_and(all)
            })
            .collect();
        store.mk_or(disjuncts)
    }

    proptest! {
        #![proptest_config(tenet_chance::cases(60))]
        #[test]
        fn rc_a2_alpha_is_the_least_element_above(facts in atoms(0..3), predicates in atoms(0..6)) {
            let mut store = TermStore::new();
            let facts: Vec<TermId> = facts.into_iter().map(|one| atom(&mut store, one)).collect();
            let predicates: Vec<TermId> = predicates.into_iter().map(|one| atom(&mut store, one)).collect();
            let mut solver = Z3Solver::ground();
            let least = alpha(&mut solver, &mut store, &facts, &predicates).expect("Z3 knows");
            let meaning = term(&mut store, &least, &predicates);
            prop_assert!(is_proved(&mut store, &facts, meaning), "it is above");
            prop_assert_eq!(&least, &by_clauses(&mut store, &facts, &predicates));
            // A closure: nothing is lost when it is abstracted again, disjunct by disjunct.
            let mut again = Monotone::bottom();
            for one in least.minimal() {
                let facts: Vec<TermId> = one.predicates().iter().map(|&p| predicates[p]).collect();
                again = again.join(&alpha(&mut solver, &mut store, &facts, &predicates).expect("Z3 knows"));
            }
            prop_assert!(again.is_below(&least));
        }

        #[test]
        fn rc_a2_more_predicates_are_more_precise(facts in atoms(0..3), predicates in atoms(1..6)) {
            let mut store = TermStore::new();
            let facts: Vec<TermId> = facts.into_iter().map(|one| atom(&mut store, one)).collect();
            let predicates: Vec<TermId> = predicates.into_iter().map(|one| atom(&mut store, one)).collect();
            let mut solver = Z3Solver::ground();
            let fewer = &predicates[..predicates.len() - 1];
            let coarse = alpha(&mut solver, &mut store, &facts, fewer).expect("Z3 knows");
            let fine = alpha(&mut solver, &mut store, &facts, &predicates).expect("Z3 knows");
            prop_assert!(fine.is_below(&coarse));
        }
    }

    #[test]
    fn a_predicate_that_is_never_true_is_in_no_abstraction() {
        let mut store = TermStore::new();
        let (minus, zero) = (store.mk_int(-1), store.mk_int(0));
        let never = store.raw_eq(minus, zero);
        let positive = atom(&mut store, (3, 0, 0));
        let mut solver = Z3Solver::ground();
        let least = alpha(&mut solver, &mut store, &[], &[never, positive]).expect("Z3 knows");
        assert_eq!(least, Monotone::top());
        assert_eq!(alpha(&mut solver, &mut store, &[never], &[positive]), Ok(Monotone::bottom()));
    }
}
