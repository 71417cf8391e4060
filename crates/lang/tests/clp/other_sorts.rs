//! Programs from other languages are printed sensibly: other sorts, other names, terms that the language cannot
//! express.

use tenet_lang::clp::print::{self, Printer};
use tenet_system::finite::program::Source;
use tenet_system::recursive::{Atom, Clause, Entailment, Goal, Predicate, Program};
use tenet_term::{Role, SortId, TermId, TermStore};

/// The text of a term in an otherwise empty program.
fn printed(make: impl FnOnce(&mut TermStore) -> TermId) -> String {
    let mut program = Program::default();
    let term = make(&mut program.store);
    Printer::new(&program).term(term)
}

fn symbol(store: &mut TermStore, name: &str, sort: SortId) -> TermId {
    let symbol = store.declare(name, sort, Role::Index);
    store.mk_symbol(symbol)
}

#[test]
fn names_become_variables_and_stay_apart() {
    let text = printed(|store| {
        let array = store.function_sort(&[SortId::INT], SortId::INT);
        let names = ["left", "Left", "state.x", "_", "ä", "1st", "K'_2"];
        let mut terms: Vec<TermId> = names.iter().map(|name| symbol(store, name, SortId::INT)).collect();
        let bound = store.declare("Left", SortId::INT, Role::Bound);
        terms.push(store.mk_symbol(bound));
        let function = symbol(store, "left", array);
        terms = terms.iter().map(|&term| store.mk_apply(function, &[term])).collect();
        store.mk_add(terms)
    });
    assert_eq!(
        text,
        "Left_4[Left] + Left_4[Left_2] + Left_4[State_x] + Left_4[X_] + Left_4[X__2] + Left_4[X1st] \
         + Left_4[K'_2] + Left_4[Left_3]"
    );
}

#[test]
fn enumerations_truth_values_and_index_sorts() {
    let text = printed(|store| {
        let colour = store.enum_sort("colour", &["White", "Black"]);
        let node = store.index_sort("NODE");
        let colours = store.function_sort(&[node], colour);
        let marks = store.function_sort(&[node], SortId::BOOL);
        let (paint, mark) = (symbol(store, "paint", colours), symbol(store, "mark", marks));
        let (here, busy) = (symbol(store, "n", node), symbol(store, "busy", SortId::BOOL));
        let black = store.mk_variant(colour, "Black").unwrap();
        let place = store.mk_index(node, 1);
        let (is_painted, is_marked) = (store.mk_apply(paint, &[here]), store.mk_apply(mark, &[place]));
        let is_black = store.mk_eq(is_painted, black);
        let not_marked = store.mk_not(is_marked);
        let implied = store.mk_implies(busy, is_black);
        let same = store.mk_iff(busy, is_marked);
        let changed = store.mk_store(mark, &[here], busy);
        let unchanged = store.mk_eq(changed, mark);
        store.mk_and([is_black, not_marked, implied, same, unchanged])
    });
    assert_eq!(
        text,
        "Paint[N] = Black, ~Mark[NODE_2], (~Busy \\/ Paint[N] = Black), Busy <-> Mark[NODE_2], Mark = <Mark,N,Busy>"
    );
}

#[test]
fn functions_of_several_arguments_and_binders() {
    let text = printed(|store| {
        let node = store.index_sort("NODE");
        let edges = store.function_sort(&[node, node], SortId::INT);
        let edge = symbol(store, "edge", edges);
        let (here, there) = (symbol(store, "a", node), symbol(store, "b", node));
        let (i, j) = (store.declare("i", node, Role::Bound), store.declare("j", node, Role::Bound));
        let [at, to] = [i, j].map(|symbol| store.mk_symbol(symbol));
        let (one, read) = (store.mk_int(1), store.mk_apply(edge, &[at, to]));
        let changed = store.mk_store(edge, &[here, there], one);
        let back = store.mk_apply(edge, &[to, at]);
        let turned = store.mk_lambda(&[i, j], back);
        let is_one = store.mk_eq(read, one);
        let some = store.mk_exists(&[j], is_one);
        let every = store.mk_forall(&[i], some);
        let first = store.mk_eq(changed, edge);
        let second = store.mk_eq(turned, edge);
        store.mk_and([every, first, second])
    });
    assert_eq!(
        text,
        "(forall I : NODE. exists J : NODE. Edge[I, J] = 1), Edge = <Edge,(A, B),1>, \
         Edge = (lambda I, J : NODE. Edge[J, I])"
    );
}

#[test]
fn other_operators() {
    let text = printed(|store| {
        let (x, y) = (symbol(store, "x", SortId::INT), symbol(store, "y", SortId::INT));
        let two = store.mk_int(2);
        let (quotient, rest) = (store.mk_div_euclid(x, two), store.mk_mod_euclid(x, y));
        let product = store.mk_mul(x, y);
        let real = store.mk_to_real(x);
        let whole = store.mk_to_int(real);
        let sum = store.mk_add([quotient, rest, product, whole]);
        let word = store.mk_bitvec(8, 5u32);
        let bits = store.bitvec_sort(8);
        let bits = symbol(store, "w", bits);
        let (left, right) = (store.mk_lt(sum, x), store.mk_eq(bits, word));
        store.mk_and([left, right])
    });
    assert_eq!(text, "X + div(X, 2) + mod(X, Y) + X*Y < X, W = 8'h05");
}

#[test]
fn whole_programs_with_odd_names() {
    let mut program = Program::default();
    let store = &mut program.store;
    let x = store.declare("x", SortId::INT, Role::Bound);
    let (variable, zero) = (store.mk_symbol(x), store.mk_int(0));
    let constraint = store.mk_gt(variable, zero);
    let source = Source::default();
    let atom = Atom { predicate: 1, args: vec![variable] };
    let clause = Clause { source, variables: vec![x], head: vec![variable], constraint, atoms: vec![atom] };
    let sorts = vec![SortId::INT];
    program.predicates.push(Predicate {
        name: "Prove".into(),
        source,
        sorts: sorts.clone(),
        rules: vec![clause],
    });
    program.predicates.push(Predicate { name: "2nd one".into(), source, sorts, rules: Vec::new() });
    // The same name on both sides, once for all values and once for some.
    let outer = program.store.declare("x", SortId::INT, Role::Index);
    let term = program.store.mk_symbol(outer);
    let equal = program.store.mk_eq(term, variable);
    let left = Goal { atoms: vec![Atom { predicate: 0, args: vec![term] }], constraint: TermId::TRUE };
    let right = Goal { atoms: vec![Atom { predicate: 1, args: vec![variable] }], constraint: equal };
    let name = "a \"name\"".to_string();
    program.obligations.push(Entailment {
        name,
        source,
        variables: vec![outer],
        left,
        existentials: vec![x],
        right,
    });
    assert_eq!(
        print::program(&program),
        "prove_(X) :- X > 0, p2nd_one(X).\n\np2nd_one(_) :- false.\n\n\
         prove \"a 'name'\": prove_(X) |= p2nd_one(?X_2), ?X_2 = X.\n"
    );
}
