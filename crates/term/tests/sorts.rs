//! Ill-formed sorts, ill-sorted terms, roles, and values that do not exist: errors, not panics.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use tenet_term::{
    BvOp, EvalError, Model, Op, Role, RoleSet, Sort, SortError, SortId, TermId, TermStore, Value,
};

fn symbol(store: &mut TermStore, name: &str, sort: SortId) -> TermId {
    let symbol = store.declare(name, sort, Role::State);
    store.mk_symbol(symbol)
}

#[track_caller]
fn rejects(store: &mut TermStore, op: Op, args: &[TermId], expected: &str) {
    let error = store.checked(op.clone(), args).unwrap_err();
    assert_eq!(error.to_string(), expected);
    assert_eq!(store.checked_raw(op, args), Err(error));
}

#[test]
fn ill_sorted_terms_are_refused_with_a_reason() {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let color = store.enum_sort("COLOR", &["Red"]);
    let (p, x) = (symbol(&mut store, "p", SortId::BOOL), symbol(&mut store, "x", SortId::INT));
    let (n, c) = (symbol(&mut store, "n", node), symbol(&mut store, "c", color));
    let array = store.function_sort(&[node], color);
    let a = symbol(&mut store, "a", array);
    let byte = store.mk_bitvec(8, 1u32);
    let nibble = store.mk_bitvec(4, 1u32);
    rejects(&mut store, Op::And, &[p, x], "operand 2 of `&` must be boolean, found `integer`");
    rejects(&mut store, Op::Not, &[p, p], "`!` takes 1 operands, found 2");
    rejects(&mut store, Op::Eq, &[n, c], "operand 2 of `=` must be `NODE`, found `COLOR`");
    rejects(&mut store, Op::Apply, &[a, c], "operand 2 of `[]` must be `NODE`, found `COLOR`");
    rejects(&mut store, Op::Apply, &[c, c], "operand 1 of `[]` must be a function, found `COLOR`");
    rejects(&mut store, Op::Lt, &[n, n], "operand 1 of `<` must be a number, found `NODE`");
    rejects(&mut store, Op::Ite, &[p, x, c], "operand 3 of `?:` must be `integer`, found `COLOR`");
    rejects(
        &mut store,
        Op::Bv(BvOp::Add),
        &[byte, nibble],
        "operand 2 of `bvadd` must be `bits(8)`, found `bits(4)`",
    );
    let beyond = Op::Bv(BvOp::Extract { hi: 8, lo: 0 });
    rejects(
        &mut store,
        beyond,
        &[byte],
        "operand 1 of `extract` must be wide enough, high bit first, found `bits(8)`",
    );
    rejects(&mut store, Op::Enum(color, 1), &[], "type `COLOR` has no such literal: value 1");
    rejects(
        &mut store,
        Op::Is(color),
        &[n],
        "operand 1 of `ismember` must be a union with member `COLOR`, found `NODE`",
    );
    rejects(&mut store, Op::Bv(BvOp::Concat), &[byte], "`concat` takes 2 operands, found 1");
}

#[test]
fn only_bound_symbols_are_bound() {
    let mut store = TermStore::new();
    let x = store.declare("x", SortId::BOOL, Role::State);
    let b = store.declare("b", SortId::BOOL, Role::Bound);
    let body = store.mk_symbol(x);
    let expected = SortError::Role { name: "x".into(), role: Role::State };
    assert_eq!(store.checked(Op::Forall([x].into()), &[body]), Err(expected));
    let twice = store.checked(Op::Exists([b, b].into()), &[body]);
    assert_eq!(twice, Err(SortError::Binder { op: "exists".into() }));
    let none = store.checked(Op::Lambda([].into()), &[body]);
    assert_eq!(none, Err(SortError::Binder { op: "lambda".into() }));
}

#[test]
fn roles_are_checked() {
    let mut store = TermStore::new();
    let x = store.declare("x", SortId::BOOL, Role::State);
    let input = store.declare("x", SortId::BOOL, Role::Input);
    assert_ne!(x, input);
    let b = store.declare("b", SortId::BOOL, Role::Bound);
    let [x, input, b_term] = [x, input, b].map(|symbol| store.mk_symbol(symbol));
    let body = store.mk_and([x, b_term]);
    let closed = store.mk_exists(&[b], body);
    let state_only = RoleSet::of(&[Role::State, Role::Const]);
    assert_eq!(store.check_roles(closed, state_only), Ok(()));
    let open = store.check_roles(body, state_only);
    assert_eq!(open, Err(SortError::Role { name: "b".into(), role: Role::Bound }));
    let leak = store.mk_or([closed, input]);
    let expected = SortError::Role { name: "x".into(), role: Role::Input };
    assert_eq!(store.check_roles(leak, state_only), Err(expected));
    assert_eq!(store.check_roles(leak, RoleSet::ALL), Ok(()));
}

#[test]
fn ill_formed_sorts_are_refused() {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let name = || "T".to_string();
    let bad = [
        Sort::BitVec(0),
        Sort::Enum { name: name(), variants: vec![] },
        Sort::Enum { name: name(), variants: vec!["A".into(), "A".into()] },
        Sort::Range { name: name(), lo: Some(2.into()), hi: Some(1.into()) },
        Sort::Union { name: name(), members: vec![] },
        Sort::Union { name: name(), members: vec![node, node] },
        Sort::Union { name: name(), members: vec![SortId::INT] },
        Sort::Function { args: vec![], result: node },
    ];
    for sort in bad {
        assert!(store.declare_sort(sort.clone()).is_err(), "{sort:?}");
    }
    assert!(store.declare_sort(Sort::Range { name: "1..".into(), lo: Some(1.into()), hi: None }).is_ok());
}

#[test]
fn fresh_names_are_fresh() {
    let mut store = TermStore::new();
    let first = store.fresh("k", SortId::INT, Role::Skolem);
    let second = store.fresh("k", SortId::INT, Role::Skolem);
    assert_eq!((store.symbol(first).name.as_str(), store.symbol(second).name.as_str()), ("k", "k_2"));
    assert_eq!(store.declare("k", SortId::INT, Role::Skolem), first);
}

#[test]
fn evaluation_says_what_is_missing() {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let (i, z) = (store.declare("i", node, Role::Bound), store.declare("z", SortId::INT, Role::Bound));
    let (i_term, z_term) = (store.mk_symbol(i), store.mk_symbol(z));
    let n = symbol(&mut store, "n", node);
    let same = store.mk_eq(i_term, n);
    let exists = store.mk_exists(&[i], same);
    let mut model = Model::new();
    assert_eq!(model.holds(&store, exists), Err(EvalError::NoSize { sort: "NODE".into() }));
    model.set_size(node, 2);
    assert_eq!(model.holds(&store, exists), Err(EvalError::NoValue { symbol: "n".into() }));
    model.set(store.as_symbol(n).unwrap(), Value::Index(1));
    assert_eq!(model.holds(&store, exists), Ok(true));
    let zero = store.mk_int(0);
    let positive = store.mk_lt(zero, z_term);
    let unbounded = store.mk_forall(&[z], positive);
    assert_eq!(model.holds(&store, unbounded), Err(EvalError::Unbounded { sort: "integer".into() }));
    let huge = store.range_sort(0, u64::MAX);
    let h = store.declare("h", huge, Role::Bound);
    let h_term = store.mk_symbol(h);
    let negative = store.mk_lt(h_term, zero);
    let too_many = store.mk_exists(&[h], negative);
    assert!(matches!(model.holds(&store, too_many), Err(EvalError::Unbounded { .. })));
}

#[test]
fn functions_are_equal_when_they_agree_on_a_finite_domain() {
    let mut store = TermStore::new();
    let node = store.index_sort("NODE");
    let sort = store.function_sort(&[node], SortId::BOOL);
    let (a, b) = (symbol(&mut store, "a", sort), symbol(&mut store, "b", sort));
    let equal = store.mk_eq(a, b);
    let mut model = Model::new();
    model.set_size(node, 1);
    let mut table = tenet_term::FunctionTable::new(Value::Bool(false));
    table.set(vec![Value::Index(0)], Value::Bool(true));
    model.set(store.as_symbol(a).unwrap(), table);
    model.set(store.as_symbol(b).unwrap(), tenet_term::FunctionTable::new(Value::Bool(true)));
    assert_eq!(model.holds(&store, equal), Ok(true));
    model.set_size(node, 2);
    assert_eq!(model.holds(&store, equal), Ok(false));
}
