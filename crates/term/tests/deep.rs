//! Terms nested a hundred thousand deep go through everything, on a stack that no recursion would survive.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use tenet_term::{FunctionTable, Model, Op, Role, SortId, Substitution, SymbolId, TermId, TermStore, Value};

const DEPTH: usize = 100_000;

/// Runs on a stack of 128 kB.
fn on_small_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(128 * 1024).spawn(test).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

struct Fixture {
    store: TermStore,
    p: SymbolId,
    x: SymbolId,
    model: Model,
}

impl Fixture {
    fn new() -> Fixture {
        let mut store = TermStore::new();
        let p = store.declare("p", SortId::BOOL, Role::State);
        let x = store.declare("x", SortId::INT, Role::State);
        let mut model = Model::new();
        model.set(p, true);
        model.set(x, Value::int(1));
        Fixture { store, p, x, model }
    }

    /// Everything that walks over a formula, with the value checked where it must be kept.
    fn exercise(&mut self, formula: TermId) {
        let expected = self.model.holds(&self.store, formula).unwrap();
        for transform in [TermStore::simplify, TermStore::nnf, TermStore::lift_ites] {
            let result = transform(&mut self.store, formula);
            assert_eq!(self.model.holds(&self.store, result), Ok(expected));
        }
        let next = self.store.mk_symbol(self.x);
        let one = self.store.mk_int(1);
        let next = self.store.mk_add([next, one]);
        let substitution = Substitution::from_pairs(&self.store, [(self.x, next)]);
        let mut shifted = self.model.clone();
        shifted.set(self.x, Value::int(2));
        let expected = shifted.holds(&self.store, formula).unwrap();
        let smart = self.store.substitute(formula, &substitution);
        let raw = self.store.substitute_raw(formula, &substitution);
        assert_eq!(self.model.holds(&self.store, smart), Ok(expected));
        assert_eq!(self.model.holds(&self.store, raw), Ok(expected));
        assert!(self.store.print(formula).len() > DEPTH);
        assert_eq!(self.store.check(formula), Ok(SortId::BOOL));
        assert!(!self.store.atoms(formula).is_empty());
        assert!(self.store.free_symbols(formula).contains(&self.x));
    }
}

/// Wraps a formula over and over, in turn with each of the wrappers.
fn nest(wrap: fn(&mut Fixture, usize, TermId) -> TermId) {
    let mut fixture = Fixture::new();
    let x = fixture.store.mk_symbol(fixture.x);
    let two = fixture.store.mk_int(2);
    let mut formula = fixture.store.raw_lt(x, two);
    for level in 0..DEPTH {
        formula = wrap(&mut fixture, level, formula);
    }
    fixture.exercise(formula);
}

#[test]
fn deep_raw_connectives() {
    on_small_stack(|| {
        nest(|fixture, level, formula| {
            let p = fixture.store.mk_symbol(fixture.p);
            match level % 5 {
                0 => fixture.store.raw_not(formula),
                1 => fixture.store.raw_and(&[p, formula]),
                2 => fixture.store.raw_implies(p, formula),
                3 => fixture.store.raw_eq(formula, p),
                _ => fixture.store.raw_ite(p, formula, TermId::TRUE),
            }
        });
    });
}

#[test]
fn deep_quantifiers() {
    on_small_stack(|| {
        nest(|fixture, level, formula| {
            let b = fixture.store.declare("b", SortId::BOOL, Role::Bound);
            let b_term = fixture.store.mk_symbol(b);
            let body = fixture.store.raw_or(&[b_term, formula]);
            match level % 2 {
                0 => fixture.store.raw_exists(&[b], body),
                _ => fixture.store.raw_forall(&[b], body),
            }
        });
    });
}

#[test]
fn deep_arithmetic_below_an_atom() {
    on_small_stack(|| {
        let mut fixture = Fixture::new();
        let (p, x) = (fixture.store.mk_symbol(fixture.p), fixture.store.mk_symbol(fixture.x));
        let mut sum = x;
        for level in 0..DEPTH {
            sum = match level % 3 {
                0 => fixture.store.raw_add(&[sum, x]),
                1 => fixture.store.raw(Op::Neg, &[sum]),
                _ => fixture.store.raw_ite(p, sum, x),
            };
        }
        let zero = fixture.store.mk_int(0);
        let formula = fixture.store.raw_le(sum, zero);
        // Lifting is exponential in the nesting of `?:` under arithmetic, by nature, unless the branches coincide.
        let expected = fixture.model.holds(&fixture.store, formula).unwrap();
        let simple = fixture.store.simplify(formula);
        assert_eq!(fixture.model.holds(&fixture.store, simple), Ok(expected));
    });
}

#[test]
fn conjunctions_built_one_by_one_take_linear_space() {
    on_small_stack(|| {
        let mut store = TermStore::new();
        let mut all = TermId::TRUE;
        let mut operands = 0;
        for number in 0..DEPTH {
            let symbol = store.declare(&format!("p{number}"), SortId::BOOL, Role::State);
            let symbol = store.mk_symbol(symbol);
            all = store.mk_and([all, symbol]);
            operands += store.args(all).len();
        }
        assert!(operands <= DEPTH * (tenet_term::FLATTEN_LIMIT + 2));
        assert_eq!(store.conjuncts(all).len(), DEPTH);
    });
}

#[test]
fn long_histories_of_writes() {
    on_small_stack(|| {
        let mut store = TermStore::new();
        let color = store.enum_sort("Color", &["Red", "Green", "Blue"]);
        let sort = store.function_sort(&[SortId::INT], color);
        let array = store.declare("a", sort, Role::State);
        let x = store.declare("x", SortId::INT, Role::State);
        let (mut written, x_term) = (store.mk_symbol(array), store.mk_symbol(x));
        for place in 0..DEPTH {
            let (place, value) = (store.mk_int(place), store.mk_enum(color, place as u32 % 3));
            written = store.mk_store(written, &[place], value);
        }
        let read = store.mk_apply(written, &[x_term]);
        assert!(!store.has_lambda(read));
        let green = store.mk_enum(color, 1);
        let is_green = store.mk_eq(read, green);
        let lifted = store.raw_eq(green, read);
        let lifted = store.lift_ites(lifted);
        let mut model = Model::new();
        model.set(array, FunctionTable::new(Value::Enum(2)));
        for (place, expected) in [(4, true), (5, false), (99_999, false), (100_000, false), (-1, false)] {
            model.set(x, Value::int(place));
            assert_eq!(model.holds(&store, is_green), Ok(expected), "{place}");
            assert_eq!(model.holds(&store, lifted), Ok(expected), "{place}");
        }
    });
}

#[test]
fn deep_lambdas_that_were_never_reduced() {
    on_small_stack(|| {
        let mut store = TermStore::new();
        let sort = store.function_sort(&[SortId::INT], SortId::INT);
        let f = store.declare("f", sort, Role::State);
        let x = store.declare("x", SortId::INT, Role::State);
        let u = store.declare("u", SortId::INT, Role::Bound);
        let (f_term, x_term, u_term) = (store.mk_symbol(f), store.mk_symbol(x), store.mk_symbol(u));
        let p = store.declare("p", SortId::BOOL, Role::State);
        let p_term = store.mk_symbol(p);
        let mut body = store.raw_apply(f_term, &[u_term]);
        for level in 0..DEPTH {
            let lambda = store.raw_lambda(&[u], body);
            let function = if level % 2 == 0 { lambda } else { store.raw_ite(p_term, lambda, f_term) };
            body = store.raw_apply(function, &[u_term]);
        }
        let substitution = Substitution::from_pairs(&store, [(u, x_term)]);
        let expected = store.mk_apply(f_term, &[x_term]);
        assert_eq!(store.substitute(body, &substitution), expected);
        let raw = store.substitute_raw(body, &substitution);
        assert!(!store.has_lambda(raw));
        let simple = store.simplify(body);
        assert_eq!(store.substitute(simple, &substitution), expected);
    });
}

#[test]
fn deep_choices_between_functions() {
    on_small_stack(|| {
        let mut store = TermStore::new();
        let sort = store.function_sort(&[SortId::INT], SortId::INT);
        let x = store.declare("x", SortId::INT, Role::State);
        let x_term = store.mk_symbol(x);
        let mut chosen = store.declare("f", sort, Role::State);
        let mut function = store.mk_symbol(chosen);
        for level in 0..DEPTH {
            let level = store.mk_int(level);
            let condition = store.mk_eq(x_term, level);
            chosen = store.fresh("f", sort, Role::State);
            let other = store.mk_symbol(chosen);
            function = store.mk_ite(condition, other, function);
        }
        let read = store.mk_apply(function, &[x_term]);
        assert_eq!(*store.op(read), Op::Ite);
        assert_eq!(store.sort_of(read), SortId::INT);
    });
}

#[test]
fn lifting_conditions_stops_at_its_limit() {
    let mut store = TermStore::new();
    let word = store.bitvec_sort(32);
    let terms: Vec<TermId> = (0..60)
        .map(|place| {
            let [yes, no] =
                ["yes", "no"].map(|name| store.declare(&format!("{name}{place}"), word, Role::State));
            let condition = store.declare(&format!("condition{place}"), SortId::BOOL, Role::State);
            let [condition, yes, no] = [condition, yes, no].map(|symbol| store.mk_symbol(symbol));
            store.mk_ite(condition, yes, no)
        })
        .collect();
    let pair = store.mk_eq(terms[0], terms[1]);
    let lifted = store.lift_ites(pair);
    assert_eq!(store.lift_ites_within(pair, 100), Some(lifted));
    assert_eq!(store.lift_ites_within(pair, 2), None);
    // Two possibilities for each of sixty words.
    let all = store.mk_distinct(&terms);
    assert_eq!(store.lift_ites_within(all, 1000), None);
}
