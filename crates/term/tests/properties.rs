//! Nothing that transforms a term changes its value: random terms in random finite models.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod common;

use common::{Choices, How, World, choices};
use proptest::prelude::*;
use tenet_term::{Model, Op, SortId, Substitution, TermId, TermStore, Value};

const DEPTH: usize = 6;

fn value(world: &World, model: &Model, term: TermId) -> Value {
    model.evaluate(&world.store, term).unwrap()
}

/// Equal as values of the term's sort: two tables may describe the same function on a finite domain.
fn same(world: &World, model: &Model, sort: SortId, a: &Value, b: &Value) -> bool {
    model.equal(&world.store, sort, a, b).unwrap()
}

/// The model is made from the choices read backwards, so that it takes none away from the term.
fn model(world: &World, bytes: &[u8]) -> Model {
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    world.model(&mut Choices::new(&reversed))
}

/// A random term that is raw or smart, and a random model.
fn scene(bytes: &[u8], how: How) -> (World, TermId, Model) {
    let mut world = World::new();
    let mut choices = Choices::new(bytes);
    let model = model(&world, bytes);
    let sorts = world.sorts();
    let sort = sorts[choices.below(sorts.len())];
    let term = world.term(how, sort, DEPTH, &mut choices);
    (world, term, model)
}

/// A random formula and a random model.
fn formula(bytes: &[u8]) -> (World, TermId, Model) {
    let mut world = World::new();
    let model = model(&world, bytes);
    let term = world.term(How::Raw, SortId::BOOL, DEPTH, &mut Choices::new(bytes));
    (world, term, model)
}

fn check_preserved(
    bytes: &[u8],
    how: How,
    transform: impl Fn(&mut TermStore, TermId) -> TermId,
) -> Result<(), TestCaseError> {
    let (mut world, term, model) = scene(bytes, how);
    let result = transform(&mut world.store, term);
    let (before, after) = (value(&world, &model, term), value(&world, &model, result));
    prop_assert!(
        same(&world, &model, world.store.sort_of(term), &before, &after),
        "{}\nbecame\n{}\n{before:?} {after:?}",
        world.store.display(term),
        world.store.display(result)
    );
    Ok(())
}

/// `t` under a substitution has the value of `t` in the model that is changed accordingly.
fn check_substitution(bytes: &[u8], more: &[u8], raw: bool) -> Result<(), TestCaseError> {
    let (mut world, term, model) = scene(bytes, if raw { How::Raw } else { How::Smart });
    let mut choices = Choices::new(more);
    let mut substitution = Substitution::new();
    let mut changed = model.clone();
    let symbols = world.symbols.clone();
    for symbol in symbols {
        if choices.below(3) == 0 {
            let sort = world.store.symbol(symbol).sort;
            let replacement = world.term(How::Smart, sort, 3, &mut choices);
            substitution.insert(&world.store, symbol, replacement);
            changed.set(symbol, value(&world, &model, replacement));
        }
    }
    let result = match raw {
        true => world.store.substitute_raw(term, &substitution),
        false => world.store.substitute(term, &substitution),
    };
    let (left, right) = (value(&world, &model, result), value(&world, &changed, term));
    prop_assert!(
        same(&world, &model, world.store.sort_of(term), &left, &right),
        "{}\nbecame\n{}",
        world.store.display(term),
        world.store.display(result)
    );
    Ok(())
}

/// Is no `!` before anything but an atom, and no connective but `&` and `|` left?
fn is_nnf(store: &TermStore, formula: TermId) -> bool {
    let mut stack = vec![formula];
    while let Some(current) = stack.pop() {
        let args = store.args(current);
        match store.op(current) {
            Op::And | Op::Or | Op::Forall(_) | Op::Exists(_) => stack.extend_from_slice(args),
            Op::Not => match store.op(args[0]) {
                Op::Ite | Op::Forall(_) | Op::Exists(_) => return false,
                op if op.is_connective() => return false,
                _ => {}
            },
            Op::Implies | Op::Iff | Op::Ite => return false,
            _ => {}
        }
    }
    true
}

/// Does every `?:` that is not Boolean stand at the top of a chain of them, or of a lambda's body?
fn is_lifted(store: &TermStore, term: TermId) -> bool {
    store.subterms(term).into_iter().all(|subterm| {
        let op = store.op(subterm);
        let may_hold = op.is_binder() || *op == Op::Ite;
        let holds = store.args(subterm).iter().any(|&arg| *store.op(arg) == Op::Ite && !store.is_bool(arg));
        may_hold || !holds
    })
}

proptest! {
    #![proptest_config(tenet_chance::cases(1500))]

    #[test]
    fn substitution_lemma(bytes in choices(), more in choices()) {
        check_substitution(&bytes, &more, false)?;
    }

    #[test]
    fn substitution_lemma_for_raw_terms(bytes in choices(), more in choices()) {
        check_substitution(&bytes, &more, true)?;
    }

    #[test]
    fn simplification_keeps_the_value(bytes in choices()) {
        check_preserved(&bytes, How::Raw, |store, term| store.simplify(term))?;
        check_preserved(&bytes, How::Smart, |store, term| store.simplify(term))?;
    }

    #[test]
    fn ite_lifting_keeps_the_value(bytes in choices()) {
        check_preserved(&bytes, How::Smart, |store, term| store.lift_ites(term))?;
    }

    #[test]
    fn ite_lifting_lifts(bytes in choices()) {
        let (mut world, term, _) = scene(&bytes, How::Smart);
        let lifted = world.store.lift_ites(term);
        prop_assert!(is_lifted(&world.store, lifted), "{}", world.store.display(lifted));
    }

    #[test]
    fn nnf_keeps_the_value_and_is_one(bytes in choices()) {
        let (mut world, term, model) = formula(&bytes);
        let result = world.store.nnf(term);
        prop_assert_eq!(value(&world, &model, term), value(&world, &model, result));
        prop_assert!(is_nnf(&world.store, result), "{}", world.store.display(result));
    }

    #[test]
    fn smart_and_raw_constructors_agree(bytes in choices()) {
        // One store, so that a smart term can also be compared with a raw one that exists already.
        let mut world = World::new();
        let model = model(&world, &bytes);
        let sorts = world.sorts();
        let sort = sorts[bytes.len() % sorts.len()];
        let smart = world.term(How::Smart, sort, DEPTH, &mut Choices::new(&bytes));
        let raw = world.term(How::Raw, sort, DEPTH, &mut Choices::new(&bytes));
        let (left, right) = (value(&world, &model, smart), value(&world, &model, raw));
        prop_assert!(
            same(&world, &model, sort, &left, &right),
            "{}\nraw\n{}\n{left:?} {right:?}", world.store.display(smart), world.store.display(raw)
        );
    }

    #[test]
    fn every_term_passes_the_sort_check(bytes in choices()) {
        for how in [How::Raw, How::Smart] {
            let (mut world, term, _) = scene(&bytes, how);
            prop_assert_eq!(world.store.check(term), Ok(world.store.sort_of(term)));
        }
    }

    #[test]
    fn simplified_terms_are_in_normal_form(bytes in choices()) {
        let (mut world, term, _) = scene(&bytes, How::Smart);
        let rebuilt = world.store.rewrite_bottom_up(term, |store, subterm, args| {
            let op = store.op(subterm).clone();
            store.mk(op, args)
        });
        prop_assert_eq!(rebuilt, term, "{} / {}", world.store.display(rebuilt), world.store.display(term));
    }

    #[test]
    fn printing_tells_terms_apart_and_is_deterministic(bytes in choices(), more in choices()) {
        let mut world = World::new();
        let first = world.term(How::Smart, SortId::BOOL, 4, &mut Choices::new(&bytes));
        let second = world.term(How::Smart, SortId::BOOL, 4, &mut Choices::new(&more));
        let mut again = World::new();
        let repeated = again.term(How::Smart, SortId::BOOL, 4, &mut Choices::new(&bytes));
        prop_assert_eq!(world.store.print(first), again.store.print(repeated));
        if first != second {
            prop_assert_ne!(world.store.print(first), world.store.print(second));
        }
    }

    #[test]
    fn values_survive_the_way_through_literals(bytes in choices()) {
        let (mut world, term, model) = scene(&bytes, How::Raw);
        let before = value(&world, &model, term);
        let sort = world.store.sort_of(term);
        let literal = world.store.mk_value(sort, &before).unwrap();
        let after = value(&world, &model, literal);
        prop_assert!(same(&world, &model, sort, &before, &after));
    }

    #[test]
    fn replaced_atoms_of_a_literal_keep_its_value(bytes in choices()) {
        let (mut world, term, model) = formula(&bytes);
        let literal = world.store.literal(term);
        let back = world.store.mk_literal(literal);
        prop_assert_eq!(value(&world, &model, term), value(&world, &model, back));
    }

    #[test]
    fn free_symbols_are_all_that_matters(bytes in choices(), more in choices()) {
        let (world, term, model) = scene(&bytes, How::Raw);
        let mut choices = Choices::new(&more);
        let mut other = model.clone();
        let free = world.store.free_symbols(term);
        for &symbol in world.symbols.iter().filter(|symbol| !free.contains(symbol)) {
            other.set(symbol, world.value(&model, world.store.symbol(symbol).sort, &mut choices));
        }
        prop_assert_eq!(value(&world, &model, term), value(&world, &other, term));
    }
}
