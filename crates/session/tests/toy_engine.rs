//! An engine as somebody would add it, through the interface alone: the properties are an invariant if they are inductive together, and
//! a few steps are tried for a run. It reads systems without parameters and constants.

use std::sync::Arc;
use tenet_engine::{Engine, Obstacle, Open, Outcome, Reason, Statistics, Subject, Unfit, Watch};
use tenet_report::view::{Report, Verdict};
use tenet_session::{Budget, Problem, Question, Reading, Source, Surroundings, Unobserved};
use tenet_solve::{Answer, Limits, Solver, Z3Solver};
use tenet_system::run::{Run, Taken, Violation};
use tenet_system::{Advice, Lemma, System};
use tenet_term::{Substitution, SymbolId, TermId};

/// Runs have at most so many steps.
struct Toy(usize);

impl Engine for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        let system = subject.system(self.name())?;
        let mut rules = system.rules.iter();
        match system.consts.is_empty() && rules.all(|rule| rule.params.is_empty()) {
            true => Ok(()),
            false => Err(Unfit::for_others("the engine `toy` knows no parameters")),
        }
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        let Subject::System(system) = subject else {
            return Outcome::unfit(properties, Unfit::for_systems(self.name()));
        };
        if let Err(unfit) = self.fits(&Subject::System(system)) {
            return Outcome::unfit(properties, unfit);
        }
        let mut search = Search { system, watch, solver_calls: 0 };
        let outcome = search.answer(properties, self.0);
        let statistics = Statistics { solver_calls: search.solver_calls, ..Statistics::default() };
        Outcome { statistics, ..outcome }
    }
}

struct Search<'a> {
    system: &'a mut System,
    watch: &'a dyn Watch,
    solver_calls: u64,
}

impl Search<'_> {
    fn answer(&mut self, properties: &[usize], steps: usize) -> Outcome {
        let start = self.system.starts[0].clone();
        let symbols = self.system.state.iter().map(|var| var.symbol);
        let state: Vec<(SymbolId, TermId)> = symbols.zip(start.values).collect();
        if let Some(violation) = self.violation(properties, &state, Run::default(), steps) {
            return Outcome::violation(properties, violation);
        }
        let bodies: Vec<TermId> =
            properties.iter().map(|&property| self.system.properties[property].formula).collect();
        match (0..self.system.rules.len()).find(|&rule| !self.keeps(rule, &bodies)) {
            None => {
                let lemmas = bodies.into_iter().map(|body| Lemma { vars: Vec::new(), body }).collect();
                Outcome::proof(properties, lemmas, Advice::default())
            }
            Some(rule) => {
                let why = format!("rule \"{}\" may break it", self.system.rules[rule].name);
                let open = Open::new(Reason::NoLemmas, why, "add an invariant");
                Outcome::open(properties, open.because_of(Obstacle::Rule(rule)))
            }
        }
    }

    /// Does a rule lead from states where all of these hold to such states?
    fn keeps(&mut self, rule: usize, bodies: &[TermId]) -> bool {
        let rule = self.system.rules[rule].clone();
        let after: Vec<TermId> = bodies.iter().map(|&body| self.at(&rule.updates, body)).collect();
        let after = self.system.store.mk_and(after);
        let broken = self.system.store.mk_not(after);
        self.is_impossible(bodies.iter().copied().chain([rule.guard, broken]).collect())
    }

    /// A run from a state, whose values are known, to one that violates a property.
    fn violation(
        &mut self,
        properties: &[usize],
        state: &[(SymbolId, TermId)],
        run: Run,
        steps: usize,
    ) -> Option<Violation> {
        for &property in properties {
            if self.at(state, self.system.properties[property].formula) == TermId::FALSE {
                return Some(Violation { property, run, witness: Vec::new() });
            }
        }
        (0..self.system.rules.len()).filter(|_| steps > 0).find_map(|position| {
            let rule = self.system.rules[position].clone();
            if self.watch.stop().is_some() || self.at(state, rule.guard) != TermId::TRUE {
                return None;
            }
            let mut next = state.to_vec();
            for (symbol, value) in rule.updates {
                let value = self.at(state, value);
                next.iter_mut().filter(|(known, _)| *known == symbol).for_each(|entry| entry.1 = value);
            }
            let mut run = run.clone();
            run.rules.push(Taken { rule: position, params: Vec::new() });
            self.violation(properties, &next, run, steps - 1)
        })
    }

    fn at(&mut self, state: &[(SymbolId, TermId)], term: TermId) -> TermId {
        let substitution = Substitution::from_pairs(&self.system.store, state.iter().copied());
        self.system.store.substitute(term, &substitution)
    }

    fn is_impossible(&mut self, formulas: Vec<TermId>) -> bool {
        self.solver_calls += 1;
        let mut solver = Z3Solver::new();
        solver.set_limits(Limits::until(self.watch.interrupt()));
        formulas.into_iter().for_each(|formula| solver.assert(&self.system.store, formula));
        solver.check(&self.system.store, &[]) == Answer::Unsat
    }
}

fn prove(text: &str) -> Report {
    let load =
        |around: &mut Surroundings<'_>| Problem::load(Source::new("a.m", text), Reading::default(), around);
    let problem = Surroundings::none(load).expect("the model is right");
    let budget = Budget::new(Some(60.0), None, Arc::default());
    let answer = problem.prove_with(Box::new(Toy(4)), &Question::default(), &budget, &Unobserved::shared());
    answer.expect("an answer").report
}

#[test]
fn what_it_claims_is_confirmed_and_judged() {
    let text = "var x : 0..99; startstate x := 0 end; rule \"up\" x < 8 ==> x := x + 2 end;
        invariant \"low\" x < 10; invariant \"never 6\" x != 6; invariant \"not 7\" x != 7";
    let report = prove(text);
    let of = |name: &str| report.properties.iter().find(|known| known.name == name).expect("it is listed");
    assert_eq!((of("never 6").verdict, of("low").verdict), (Verdict::Unsafe, Verdict::Safe));
    assert_eq!((of("not 7").verdict, of("not 7").engine), (Verdict::Unknown, "toy"));
    let reason = of("not 7").reason.as_ref().expect("a reason");
    assert!(reason.text.contains("rule \"up\" may break it"), "{}", reason.text);
    assert_eq!(of("never 6").trace.as_ref().expect("a run").steps.len(), 4);
}
