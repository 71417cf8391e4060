//! Acceptance checks QI-A6 to QI-A9 and QI-A14 to QI-A17: the exact sets, with the substitutions given.

use crate::support::{Run, paper, strict};
use tenet_engine::reach::Options;
use tenet_solve::{Answer, Solver, Z3Solver};
use tenet_term::{Substitution, TermId};

/// The strict run with the substitutions beside the model.
fn published(name: &str) -> Run {
    paper(name).with_instances().run(&strict())
}

/// German with other substitutions.
fn german_with(hints: &str) -> Run {
    paper("german").with(hints).run(&strict())
}

#[test]
fn qi_a6_f_shift() {
    let mut run = published("f_shift");
    assert_eq!(run.sizes(), [2, 3]);
    assert_eq!(run.invariant(), ["forall x : integer. 0 <= f[x] | x < 0"]);
    run.certificate();
}

#[test]
fn qi_a7_f_shift_needs_both_substitutions() {
    for hint in ["instantiate x with x;", "ruleset i : integer do instantiate x with i + 1; end;"] {
        let run = paper("f_shift").with(hint).run(&strict());
        assert_eq!(run.sizes(), [2, 4], "{hint}");
        assert!(!run.is_proved(), "{hint}");
    }
    let more = "instantiate x with 0, f[x], x - 1;";
    let run = paper("f_shift").with_instances().with(more).run(&strict());
    assert_eq!(run.sizes(), [2, 3]);
    assert!(run.is_proved());
}

#[test]
fn qi_a8_predicates_of_f_shift_before_and_after() {
    // The assertions of QI-A8 about the state before a step, and then about the start. `k` is the rule's parameter.
    let formulas = "index k : integer;
        predicate x = k & f[k + 1] >= 0 | x != k & f[x] >= 0;
        predicate 0 <= x;";
    let mut system = paper("f_shift").with(formulas).system();
    let formulas: Vec<TermId> = system.predicates.iter().map(|predicate| predicate.formula).collect();
    let [p, q, after, nonnegative] = formulas[..] else { panic!("two predicates and two formulas") };
    let (rule, f) = (system.rules[0].clone(), system.state[0].symbol);
    let store = &mut system.store;
    let step = Substitution::from_pairs(store, rule.updates);
    let k = store.mk_symbol(system.indices[1].symbol);
    let choice = Substitution::from_pairs(store, [(rule.params[0], k)]);
    let start = Substitution::from_pairs(store, [(f, system.starts[0].values[0])]);
    let mut is_equivalent = |formula: TermId, steps: &[&Substitution], expected: TermId| {
        let formula = steps.iter().fold(formula, |formula, step| store.substitute(formula, step));
        let same = store.mk_iff(formula, expected);
        let differ = store.mk_not(same);
        Z3Solver::new().check(store, &[differ]) == Answer::Unsat
    };
    assert!(is_equivalent(p, &[&step, &choice], after));
    assert!(is_equivalent(q, &[&step, &choice], nonnegative));
    // Formula (12): of the identity, both predicates say that x is nonnegative.
    assert!(is_equivalent(p, &[&start], nonnegative));
    assert!(is_equivalent(q, &[&start], nonnegative));
    assert!(!is_equivalent(p, &[&step, &choice], nonnegative), "the question can be answered with no");
}

#[test]
fn qi_a9_frontier() {
    let run = published("frontier");
    assert_eq!(run.sizes(), [2, 3, 4]);
    assert!(!run.is_proved(), "f[x] >= 2 can be reached");
}

#[test]
fn mutex_sizes() {
    let mut run = published("mutex");
    assert_eq!(run.sizes(), [2, 7]);
    run.certificate();
    let run = paper("mutex").with("instantiate (i, j) with (i, j);").run(&strict());
    assert_eq!(run.limit().1, 12);
    assert!(!run.is_proved());
}

#[test]
fn mutex_needs_the_predicate_about_the_lock() {
    let unlocked = paper("mutex").edited("predicate locked;", "");
    for run in [
        unlocked.clone().with_instances().run(&strict()),
        unlocked.with("instantiate (i, j) with (i, j);").run(&strict()),
    ] {
        assert_eq!(run.limit().1, 6);
        assert!(!run.is_proved());
    }
}

const GERMAN: [u128; 10] = [16, 48, 78, 158, 195, 242, 287, 317, 338, 340];

#[test]
fn qi_a14_german_sizes() {
    let mut run = published("german");
    assert_eq!(run.sizes(), GERMAN);
    run.certificate();
}

#[test]
fn qi_a14_german_without_the_head_of_the_queue() {
    let run = german_with(
        "instantiate (i, j) with
          (i, j), (i, head), (i, position[i]), (i, position[requester]),
          (requester, j), (requester, head), (requester, position[i]), (requester, position[requester]);
        ruleset c : CLIENT do
          instantiate (i, j) with
            (i, position[c]), (requester, position[c]),
            (c, j), (c, head), (c, position[i]), (c, position[requester]), (c, position[c]);
        end;",
    );
    assert_eq!(run.sizes(), GERMAN);
    assert!(run.is_proved());
}

#[test]
fn qi_a14_german_with_fewer_places() {
    let run = german_with(
        "instantiate (i, j) with
          (i, j), (i, position[i]), (requester, j), (requester, position[i]),
          (queue[head], j), (queue[head], position[i]);
        ruleset c : CLIENT do instantiate (i, j) with (c, j), (c, position[i]); end;",
    );
    assert_eq!(run.limit(), (11, 424));
    assert!(run.is_proved());
}

#[test]
fn qi_a14_german_with_too_few_substitutions() {
    let identity = "instantiate (i, j) with (i, j);";
    let head = "instantiate (i, j) with (i, j), (i, head);
        ruleset c : CLIENT do instantiate (i, j) with (c, j), (c, head); end;";
    let more =
        "instantiate (i, j) with (requester, j), (requester, head), (queue[head], j), (queue[head], head);";
    let options = Options { simplify: false, ..strict() };
    for (hints, states) in
        [(identity.to_owned(), 4611), (head.to_owned(), 3891), (format!("{head}{more}"), 3891)]
    {
        let run = paper("german").with(&hints).run(&options);
        assert_eq!(run.limit().1, states, "{hints}");
        assert!(!run.is_proved(), "{hints}");
    }
}

/// A state of German, as a startstate: clients 1 to `sharers` are in the queue, in this order, and client 1 is served.
fn german_state(name: &str, sharers: usize, clients: &str, home: &str) -> String {
    format!(
        "startstate \"{name}\"
          for c : CLIENT do
            request[c] := NoRequest;
            to_invalidate[c] := false;
            position[c] := c - 1;
            cache[c] := Invalid;
            reply[c] := NoReply;
            answer[c] := NoAnswer;
          end;
          for p : PLACE do queue[p] := p + 1; end;
          head := 0;
          tail := {sharers};
          requester := 1;
          {clients}
          {home}
        end;\n"
    )
}

#[test]
fn qi_a15_german_invariant_is_not_vacuous() {
    let granted = "exclusive_granted := true; command := NoCommand;";
    let serving = "exclusive_granted := true; command := ServeShared;";
    let shared = "exclusive_granted := false; command := NoCommand;";
    // When the second one was served, the first one was a sharer; shared copies are not invalidated for that.
    let two = "cache[1] := Shared; cache[2] := Shared; to_invalidate[1] := true;";
    let states = [
        german_state("exclusive client", 1, "cache[1] := Exclusive;", granted),
        german_state("two sharers", 2, two, shared),
        german_state("pending invalidate", 1, "cache[1] := Exclusive; reply[1] := Invalidate;", serving),
        german_state("pending acknowledgement", 1, "answer[1] := InvalidateAck;", serving),
        german_state("incoherent", 2, "cache[1] := Exclusive; cache[2] := Shared;", granted),
    ];
    let ruleset = "ruleset h : PLACE do";
    let paper = paper("german").with_instances().edited(ruleset, &format!("{}{ruleset}", states.concat()));
    let mut system = paper.system();
    let start = system.starts.pop().expect("the model's own startstate is the last one");
    let states = std::mem::replace(&mut system.starts, vec![start]);
    let mut run = paper.run_system(system, &strict());
    assert_eq!(run.sizes(), GERMAN);

    let symbols: Vec<_> = run.system.state.iter().map(|var| var.symbol).collect();
    let store = &mut run.system.store;
    let lemmas: Vec<TermId> = run.outcome.lemmas().iter().map(|lemma| lemma.formula(store)).collect();
    for state in states {
        let values = Substitution::from_pairs(store, symbols.iter().copied().zip(state.values));
        let violated = lemmas.iter().find(|&&lemma| {
            let claim = store.substitute(lemma, &values);
            let denial = store.mk_not(claim);
            Z3Solver::new().check(store, &[denial]) != Answer::Unsat
        });
        let violated = violated.map(|&lemma| store.print(lemma));
        assert_eq!(violated.is_some(), state.name == "incoherent", "{}: {violated:?}", state.name);
    }
}

#[test]
fn qi_a16_german_with_unbounded_channels() {
    let mut run = published("german_fifo");
    assert_eq!(run.sizes(), [2048, 6144, 9424, 17024, 21248, 25168, 29631, 33807, 35510, 36308, 36518]);
    run.certificate();
}

#[test]
fn qi_a17_selection_sort() {
    let mut run = published("selection_sort");
    assert_eq!(run.limit(), (11, 775));
    run.certificate();
}

#[test]
fn qi_a17_bakery() {
    let mut run = published("bakery");
    assert_eq!(run.limit(), (21, 617));
    run.certificate();
}

#[test]
fn qi_a17_out_of_order() {
    let mut run = published("ooo");
    assert_eq!(run.limit(), (6, 25376));
    run.certificate();
}

/// Not published: the numbers of our own models at the time of writing.
#[test]
fn bakery_with_non_atomic_accesses() {
    let run = published("bakery_nonatomic");
    assert_eq!(run.limit(), (25, 880));
    assert!(run.is_proved());
}
