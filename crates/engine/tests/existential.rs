//! Existential lemmas (`engine::direct`): found where lemmas about a few elements do not suffice, as strong as they
//! have to be, and never where the element need not exist.

mod small;

use small::Builder;
use tenet_engine::direct::{Direct, Options};
use tenet_engine::{Alone, Engine, Outcome, Reason, Subject};
use tenet_term::{SymbolId, TermId};

/// Guards are at home, posted, or chiefs. A chief opens the gate; a posted guard may go home at any time, a chief
/// only if there is another one or, if `alone`, at any time too. An open gate is robbed when all are at home.
struct Guards {
    builder: Builder,
    post: SymbolId,
    open: SymbolId,
    robbed: SymbolId,
    names: [TermId; 3],
}

impl Guards {
    fn new(alone: bool) -> Guards {
        let mut builder = Builder::new();
        let b = &mut builder;
        let guard = b.store().index_sort("GUARD");
        let rank = b.store().enum_sort("RANK", &["Home", "Posted", "Chief"]);
        let names = [0, 1, 2].map(|place| b.store().mk_enum(rank, place));
        let posts = b.store().function_sort(&[guard], rank);
        let post = b.state("post", posts);
        let [open, robbed] = ["open", "robbed"].map(|name| b.state(name, tenet_term::SortId::BOOL));
        let (u, _) = b.bound("u", guard);
        let home = b.store().mk_lambda(&[u], names[0]);
        b.start(Vec::new(), TermId::TRUE, vec![home, TermId::FALSE, TermId::FALSE]);
        let mut guards = Guards { builder, post, open, robbed, names };
        guards.rules(alone);
        guards
    }

    fn rules(&mut self, alone: bool) {
        let [home, posted, chief] = self.names;
        self.moves("begin", home, posted, false);
        self.moves("rise", posted, chief, false);
        self.moves("go home", posted, home, false);
        self.moves("hand over", chief, home, !alone);
        let b = &mut self.builder;
        let guard = b.store().index_sort("GUARD");
        let (g, at_g) = b.input("g", guard);
        let post = b.store().mk_symbol(self.post);
        let post_of_g = b.store().mk_apply(post, &[at_g]);
        let is_chief = b.store().mk_eq(post_of_g, chief);
        b.rule("open", vec![g], is_chief, vec![(self.open, TermId::TRUE)]);
        let (u, at_u) = b.bound("u", guard);
        let post_of_u = b.store().mk_apply(post, &[at_u]);
        let is_home = b.store().mk_eq(post_of_u, home);
        let none_on_duty = b.store().mk_forall(&[u], is_home);
        let open = b.store().mk_symbol(self.open);
        let both = b.store().mk_and([open, none_on_duty]);
        b.rule("rob", Vec::new(), both, vec![(self.robbed, TermId::TRUE)]);
        let robbed = b.store().mk_symbol(self.robbed);
        let property = b.store().mk_not(robbed);
        b.property(property);
    }

    /// A guard moves on, if need be only if there is another one of the same rank.
    fn moves(&mut self, name: &str, from: TermId, to: TermId, only_with_another: bool) {
        let b = &mut self.builder;
        let guard = b.store().index_sort("GUARD");
        let ((g, at_g), (h, at_h)) = (b.input("g", guard), b.input("h", guard));
        let post = b.store().mk_symbol(self.post);
        let mut conditions = Vec::new();
        for place in if only_with_another { vec![at_g, at_h] } else { vec![at_g] } {
            let post_of = b.store().mk_apply(post, &[place]);
            conditions.push(b.store().mk_eq(post_of, from));
        }
        if only_with_another {
            conditions.push(b.store().mk_ne(at_g, at_h));
        }
        let condition = b.store().mk_and(conditions);
        let moved = b.store().mk_store(post, &[at_g], to);
        let params = if only_with_another { vec![g, h] } else { vec![g] };
        b.rule(name, params, condition, vec![(self.post, moved)]);
    }

    fn prove(&mut self) -> Outcome {
        let subject = Subject::System(&mut self.builder.system);
        Direct::new(Options::with_seed(0)).run(subject, &[0], &mut Alone)
    }
}

#[test]
fn existential_lemmas_are_as_strong_as_needed() {
    let mut guards = Guards::new(false);
    let outcome = guards.prove();
    assert!(outcome.is_proof(), "{outcome:?}");
    let lemmas = outcome.lemmas();
    let store = &guards.builder.system.store;
    let printed: Vec<String> = lemmas.iter().map(|lemma| store.print(lemma.body)).collect();
    let exists = printed.iter().filter(|lemma| lemma.contains("exists"));
    let exists: Vec<&String> = exists.collect();
    assert!(!exists.is_empty(), "{printed:?}");
    // That some guard is not at home would not do: all of them may be posted.
    assert!(exists.iter().all(|lemma| lemma.contains("= Chief")), "{exists:?}");
}

#[test]
fn there_is_no_existential_lemma_where_all_may_go() {
    let outcome = Guards::new(true).prove();
    assert_eq!(outcome.first_open().map(|open| open.reason), Some(Reason::SeemsViolated), "{outcome:?}");
}

#[test]
fn no_existential_lemma_where_universal_ones_suffice() {
    let mut guards = Guards::new(false);
    // No guard is both posted and a chief, whatever happens: a lemma about one guard, or none at all.
    let b = &mut guards.builder;
    let guard = b.store().index_sort("GUARD");
    let (u, at_u) = b.bound("u", guard);
    let post = b.store().mk_symbol(guards.post);
    let post_of_u = b.store().mk_apply(post, &[at_u]);
    let [is_home, is_posted] = [0, 1].map(|name| b.store().mk_eq(post_of_u, guards.names[name]));
    let both = b.store().mk_and([is_home, is_posted]);
    let not_both = b.store().mk_not(both);
    let property = b.store().mk_forall(&[u], not_both);
    b.system.properties.clear();
    b.property(property);
    let outcome = guards.prove();
    assert!(outcome.is_proof(), "{outcome:?}");
    let lemmas = outcome.lemmas();
    let store = &guards.builder.system.store;
    assert!(lemmas.iter().all(|lemma| !store.has_quantifier(lemma.body)));
}
