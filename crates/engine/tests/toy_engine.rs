//! A new engine as one would add it, through the interface alone: the properties are an invariant if they are
//! inductive together, and sequences of a few rules are tried for a run. It reads systems without parameters,
//! constants and axioms.

mod small;

use small::Builder;
use tenet_engine::{
    Alone, Claim, Engine, Obstacle, Open, Outcome, Reason, Statistics, Subject, Unfit, Violation, Watch,
};
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_system::run::{self, Run, Taken, replay_violation};
use tenet_system::{Advice, Lemma, System};
use tenet_term::{SortId, Substitution, SymbolId, TermId};

/// The engine, with the number of steps that runs may have.
struct Toy {
    steps: usize,
}

impl Engine for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        let system = subject.system(self.name())?;
        let params =
            system.rules.iter().map(|rule| &rule.params).chain(system.starts.iter().map(|s| &s.params));
        match system.consts.is_empty() && system.axioms.is_empty() && params.into_iter().all(Vec::is_empty) {
            true => Ok(()),
            false => Err(Unfit::for_others("the engine `toy` knows no parameters")),
        }
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        if let Err(unfit) = self.fits(&subject) {
            return Outcome::unfit(properties, unfit);
        }
        let Subject::System(system) = subject else { unreachable!("it fits") };
        let mut search = Search { system, watch, calls: 0 };
        let outcome = search.answer(properties, self.steps);
        let statistics = Statistics { solver_calls: search.calls, ..Statistics::default() };
        Outcome { statistics, ..outcome }
    }
}

type State = Vec<(SymbolId, TermId)>;

struct Search<'a> {
    system: &'a mut System,
    watch: &'a mut dyn Watch,
    calls: u64,
}

impl Search<'_> {
    fn answer(&mut self, properties: &[usize], steps: usize) -> Outcome {
        for start in 0..self.system.starts.len() {
            let symbols = self.system.state.iter().map(|var| var.symbol);
            let state: State = symbols.zip(self.system.starts[start].values.iter().copied()).collect();
            let run = Run { start: Taken { rule: start, params: Vec::new() }, ..Run::default() };
            let path = self.system.starts[start].constraint;
            if let Some(violation) = self.violation(properties, &state, path, run, steps) {
                return Outcome::violation(properties, violation);
            }
        }
        if let Some(stop) = self.watch.stop() {
            return Outcome::open(properties, Open::stopped(stop, "while rules were tried"));
        }
        let formulas = properties.iter().map(|&property| self.system.properties[property].formula);
        let bodies: Vec<TermId> = formulas.collect();
        let broken = (0..self.system.rules.len()).find(|&rule| !self.keeps(rule, &bodies));
        let Some(rule) = broken else {
            let lemmas = bodies.into_iter().map(|body| Lemma { vars: Vec::new(), body }).collect();
            return Outcome::proof(properties, lemmas, Advice::default());
        };
        let why = format!(
            "rule \"{}\" breaks it in a state that may not be reachable",
            self.system.rules[rule].name
        );
        let open = Open::new(Reason::NoLemmas, why, "add an invariant").because_of(Obstacle::Rule(rule));
        Outcome::open(properties, open)
    }

    /// Does a rule lead from states where all of these hold to such states?
    fn keeps(&mut self, rule: usize, bodies: &[TermId]) -> bool {
        let rule = self.system.rules[rule].clone();
        let after: Vec<TermId> = bodies.iter().map(|&body| self.at(&rule.updates, body)).collect();
        let after = self.system.store.mk_and(after);
        let mut asked = vec![rule.guard, self.system.store.mk_not(after)];
        asked.extend(bodies);
        self.check(&asked) == Answer::Unsat
    }

    /// A run that goes on from a state, which the path condition says is possible, and violates a property.
    fn violation(
        &mut self,
        properties: &[usize],
        state: &State,
        path: TermId,
        run: Run,
        steps: usize,
    ) -> Option<run::Violation> {
        for &property in properties {
            let formula = self.at(state, self.system.properties[property].formula);
            let bad = self.system.store.mk_not(formula);
            if self.check(&[path, bad]) == Answer::Sat {
                return Some(run::Violation { property, run, witness: Vec::new() });
            }
        }
        if steps == 0 || self.watch.stop().is_some() || self.check(&[path]) != Answer::Sat {
            return None;
        }
        (0..self.system.rules.len()).find_map(|position| {
            let rule = self.system.rules[position].clone();
            let guard = self.at(state, rule.guard);
            let path = self.system.store.mk_and([path, guard]);
            let mut next = state.clone();
            for (symbol, value) in rule.updates {
                let value = self.at(state, value);
                next.iter_mut().filter(|(known, _)| *known == symbol).for_each(|entry| entry.1 = value);
            }
            let mut run = run.clone();
            run.rules.push(Taken { rule: position, params: Vec::new() });
            self.violation(properties, &next, path, run, steps - 1)
        })
    }

    fn at(&mut self, state: &[(SymbolId, TermId)], term: TermId) -> TermId {
        let substitution = Substitution::from_pairs(&self.system.store, state.iter().copied());
        self.system.store.substitute(term, &substitution)
    }

    fn check(&mut self, formulas: &[TermId]) -> Answer {
        self.calls += 1;
        let mut solver = Z3Solver::new();
        solver.set_limits(Limits::until(self.watch.interrupt()));
        formulas.iter().for_each(|&formula| solver.assert(&self.system.store, formula));
        solver.check(&self.system.store, &[])
    }
}

/// `x` begins with 0 and goes up by two below a limit; it is to stay below 10 and different from an odd or even number.
fn counter(limit: i64, never: i64) -> System {
    let mut b = Builder::new();
    let x = b.state("x", SortId::INT);
    let now = b.store().mk_symbol(x);
    let [zero, two, ten, limit, never] = [0, 2, 10, limit, never].map(|number| b.store().mk_int(number));
    b.start(Vec::new(), TermId::TRUE, vec![zero]);
    let (guard, more) = (b.store().mk_lt(now, limit), b.store().mk_add([now, two]));
    b.rule("count", Vec::new(), guard, vec![(x, more)]);
    let (below, differs) = (b.store().mk_lt(now, ten), b.store().mk_ne(now, never));
    b.property(below);
    b.property(differs);
    b.system
}

#[test]
fn it_proves_what_is_inductive() {
    let mut system = counter(8, 20);
    let engine: Box<dyn Engine> = Box::new(Toy { steps: 2 });
    assert_eq!(engine.fits(&Subject::System(&mut system)), Ok(()));
    let outcome = engine.run(Subject::System(&mut system), &[0, 1], &mut Alone);
    assert_eq!(outcome.proved(), [0, 1]);
    assert_eq!(outcome.lemmas().len(), 2);
    assert!(outcome.statistics.solver_calls > 0);
}

#[test]
fn it_finds_runs() {
    let mut system = counter(100, 6);
    let outcome = Toy { steps: 4 }.run(Subject::System(&mut system), &[0, 1], &mut Alone);
    let Some((1, Violation::System(violation))) = outcome.violated() else { panic!("{outcome:?}") };
    assert_eq!(violation.run.rules.len(), 3);
    replay_violation(&mut system, violation).expect("it happens");
    let Some(Claim::Open(open)) = outcome.claim(0) else { panic!("{outcome:?}") };
    assert_eq!(open.reason, Reason::AnotherViolated);
}

#[test]
fn it_says_what_stood_in_the_way() {
    let mut system = counter(100, 7);
    let outcome = Toy { steps: 2 }.run(Subject::System(&mut system), &[1], &mut Alone);
    let open = outcome.first_open().expect("that 7 is odd is not said");
    assert_eq!(open.reason, Reason::NoLemmas);
    assert!(matches!(open.obstacle, Some(Obstacle::Rule(0))));
    assert_eq!(open.hint.as_deref(), Some("add an invariant"));
}

#[test]
fn it_refuses_what_it_cannot_read() {
    let mut b = Builder::new();
    b.constant("N", SortId::INT);
    b.property(TermId::TRUE);
    let outcome = Toy { steps: 2 }.run(Subject::System(&mut b.system), &[0], &mut Alone);
    assert_eq!(outcome.first_open().map(|open| open.reason), Some(Reason::Unfit));
}
