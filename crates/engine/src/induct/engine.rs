//! `induct` behind the interface of all engines: it looks for no lemmas. What it claims is the largest set of invariants that are
//! inductive together (Houdini); of each of the others it says what stands in the way.

use super::explain::{Induction, Statement, explained, statements};
use super::finite::{Finder, Found};
use crate::common::Warning;
use crate::common::vacuity::{is_excluded, is_satisfiable, start_is_excluded};
use crate::common::watch::{Progress, Watch};
use crate::interface::{
    Claim, Engine, Evidence, Obstacle, Open, Outcome, PropertyClaim, Reason, Subject, Unfit,
};
use tenet_solve::{Answer, Effort, Limits, Solver, Z3Solver};
use tenet_system::run::Origin;
use tenet_system::{Advice, Bounds, IndexVar, Lemma, PropertyKind, System, domain};
use tenet_term::{Op, Role, Sort, Substitution, SymbolId, TermId};

/// Units of the solver for one question about all instances.
const UNITS: u32 = 3_000_000;
/// For a solver that finds out by itself with which terms quantifiers are instantiated.
const EFFORT_WITH_QUANTIFIERS: Effort = Effort::secs(2);
/// For all counterexamples together.
const EFFORT: Effort = Effort::secs(20);

const SO_FAR: &str = "before everything was asked";

/// Whether invariants are inductive as they stand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Induct;

impl Engine for Induct {
    fn name(&self) -> &'static str {
        "induct"
    }

    fn fits(&self, subject: &Subject<'_>) -> Result<(), Unfit> {
        subject.system(self.name()).map(|_| ())
    }

    fn run(&self, subject: Subject<'_>, properties: &[usize], watch: &mut dyn Watch) -> Outcome {
        let Subject::System(system) = subject else {
            return Outcome::unfit(properties, Unfit::for_systems(self.name()));
        };
        Asker { system, watch }.run(properties)
    }

    fn gains_from_fewer_properties(&self) -> bool {
        false
    }
}

struct Asker<'a> {
    system: &'a mut System,
    watch: &'a mut dyn Watch,
}

/// What is known of a statement.
enum Known {
    Kept,
    Broken(Box<Induction>),
    /// Nothing is known of these steps, for this reason.
    Open {
        steps: Vec<Origin>,
        why: String,
    },
    /// It is kept only with others that are not proved.
    Leaning,
}

impl Asker<'_> {
    fn run(&mut self, properties: &[usize]) -> Outcome {
        let statements = statements(self.system, properties);
        let mut known: Vec<Known> = statements.iter().map(|_| Known::Kept).collect();
        let reasons = self.counterexamples(&statements, &mut known);
        if let Some(stop) = self.watch.stop() {
            return Outcome::open(properties, Open::stopped(stop, SO_FAR));
        }
        let all: Vec<usize> = (0..statements.len()).collect();
        for (number, known) in known.iter_mut().enumerate().filter(|(_, known)| matches!(known, Known::Kept))
        {
            self.report(number, statements.len());
            let steps = self.not_shown(&statements, &all, number);
            if !steps.is_empty() {
                *known = Known::Open { steps, why: reasons.clone() };
            }
        }
        if let Some(stop) = self.watch.stop() {
            return Outcome::open(properties, Open::stopped(stop, SO_FAR));
        }
        self.keep_inductive(&statements, &mut known);
        if let Some(stop) = self.watch.stop() {
            return Outcome::open(properties, Open::stopped(stop, SO_FAR));
        }
        self.outcome(properties, &statements, known)
    }

    /// Marks what small instances break; tells why nothing more was found there.
    fn counterexamples(&mut self, statements: &[Statement], known: &mut [Known]) -> String {
        let formulas: Vec<TermId> = statements.iter().map(|statement| statement.formula).collect();
        let mut effort = EFFORT;
        loop {
            let left: Vec<usize> =
                (0..statements.len()).filter(|&number| matches!(known[number], Known::Kept)).collect();
            let mut finder = Finder::new(self.system, formulas.clone(), effort, &*self.watch);
            let found = finder.smallest(&left);
            effort = effort.saturating_sub(finder.spent());
            match found {
                Found::Counterexample(found) => {
                    let broken = found.broken;
                    let induction = explained(self.system, statements, *found, &*self.watch);
                    known[broken] = Known::Broken(Box::new(induction));
                }
                Found::None { largest: 0 } => return "no counterexample was found".to_string(),
                Found::None { largest } => {
                    return format!("there is no counterexample with up to {largest} elements of each type");
                }
                Found::Unknown(why) => return why,
            }
        }
    }

    /// The steps of which it is not shown that they keep a statement if these hold.
    fn not_shown(&mut self, statements: &[Statement], assumed: &[usize], number: usize) -> Vec<Origin> {
        let starts = (0..self.system.starts.len()).map(Origin::Start);
        let rules = (0..self.system.rules.len()).map(Origin::Rule);
        let steps: Vec<Origin> = starts.chain(rules).collect();
        let formula = statements[number].formula;
        let before: Vec<TermId> = assumed.iter().map(|&number| statements[number].formula).collect();
        steps.into_iter().filter(|&step| !self.is_kept(&before, formula, step)).collect()
    }

    /// Is it shown for all sizes that a step leads to a state in which the formula holds?
    fn is_kept(&mut self, before: &[TermId], formula: TermId, step: Origin) -> bool {
        if self.watch.stop().is_some() {
            return false;
        }
        let interrupt = self.watch.interrupt();
        let (guard, params, updates): (TermId, Vec<SymbolId>, Vec<(SymbolId, TermId)>) = match step {
            Origin::Start(start) => {
                let start = &self.system.starts[start];
                let symbols = self.system.state.iter().map(|var| var.symbol);
                (start.constraint, start.params.clone(), symbols.zip(start.values.iter().copied()).collect())
            }
            Origin::Rule(rule) => {
                let rule = &self.system.rules[rule];
                (rule.guard, rule.params.clone(), rule.updates.clone())
            }
        };
        let axioms: Vec<TermId> = self.system.axioms.iter().map(|axiom| axiom.formula).collect();
        let consts = self.system.consts.clone();
        let store = &mut self.system.store;
        let post = Substitution::from_pairs(store, updates);
        let after = store.substitute(formula, &post);
        if matches!(step, Origin::Rule(_)) && after == formula && before.contains(&formula) {
            return true;
        }
        let mut formulas = vec![guard, store.mk_not(after)];
        formulas.extend(consts.iter().chain(&params).map(|&symbol| domain(store, symbol)));
        formulas.extend(axioms.iter().map(|&axiom| store.substitute(axiom, &post)));
        if matches!(step, Origin::Rule(_)) {
            formulas.extend(axioms.iter().chain(before).copied());
        }
        // Quantifiers of circuits are about inputs, for which the solver needs no instances; and their words are large terms.
        let is_circuit = self.system.store.sorts().any(|(_, sort)| matches!(sort, Sort::BitVec(_)));
        if !is_circuit && is_excluded(self.system, formulas.clone(), UNITS, &interrupt) {
            return true;
        }
        let store = &self.system.store;
        if formulas.iter().any(|&formula| store.has_lambda(formula)) {
            return false;
        }
        let mut solver = Z3Solver::new();
        solver.set_limits(Limits::until(interrupt).within(EFFORT_WITH_QUANTIFIERS));
        formulas.iter().for_each(|&formula| solver.assert(store, formula));
        solver.check(store, &[]) == Answer::Unsat
    }

    /// Drops what needs something that was dropped, until the rest is inductive together.
    fn keep_inductive(&mut self, statements: &[Statement], known: &mut [Known]) {
        loop {
            let kept: Vec<usize> =
                (0..statements.len()).filter(|&number| matches!(known[number], Known::Kept)).collect();
            if kept.len() == statements.len() {
                return;
            }
            let leaning = kept.iter().copied().filter(|&number| {
                self.watch.stop().is_none() && !self.not_shown(statements, &kept, number).is_empty()
            });
            let leaning: Vec<usize> = leaning.collect();
            if leaning.is_empty() {
                return;
            }
            leaning.into_iter().for_each(|number| known[number] = Known::Leaning);
        }
    }

    fn outcome(&mut self, properties: &[usize], statements: &[Statement], known: Vec<Known>) -> Outcome {
        let mut lemmas = Vec::new();
        for (statement, known) in statements.iter().zip(&known) {
            if matches!(known, Known::Kept) {
                lemmas.push(self.lemma(statement));
            }
        }
        let dropped: Vec<String> = statements
            .iter()
            .zip(&known)
            .filter(|(_, known)| matches!(known, Known::Broken(_) | Known::Open { .. }))
            .map(|(statement, _)| statement.name.clone())
            .collect();
        let mut claims = Vec::new();
        for &property in properties {
            let place = statements.iter().position(|statement| statement.property == Some(property));
            let claim = match place.map(|place| &known[place]) {
                // What is demanded of a startstate is for the certificate to show.
                None | Some(Known::Kept) => Claim::Proof,
                Some(Known::Broken(induction)) => Claim::Open(broken(self.system, induction)),
                Some(Known::Open { steps, why }) => Claim::Open(open(self.system, steps, why)),
                Some(Known::Leaning) => Claim::Open(leaning(&dropped)),
            };
            claims.push(PropertyClaim { property, claim });
        }
        let is_kept = claims.iter().any(|claimed| matches!(claimed.claim, Claim::Proof));
        let evidence = match is_kept {
            true => Evidence::Invariant { lemmas, advice: Advice::default() },
            false => Evidence::Nothing,
        };
        let warnings = if is_kept { self.warnings() } else { Vec::new() };
        Outcome { claims, evidence, warnings, so_far: SO_FAR.to_string(), ..Outcome::default() }
    }

    /// Is a proof vacuous?
    fn warnings(&mut self) -> Vec<Warning> {
        let axioms: Vec<TermId> = self.system.axioms.iter().map(|axiom| axiom.formula).collect();
        let interrupt = self.watch.interrupt();
        if !is_satisfiable(self.system, &axioms, &interrupt) {
            return vec![Warning::AxiomsUnsatisfiable];
        }
        let count = self.system.starts.len();
        let has_none = (0..count).all(|start| start_is_excluded(self.system, start, &interrupt));
        if has_none { vec![Warning::NoStart] } else { Vec::new() }
    }

    /// A statement as a lemma: variables in front of it are those of the lemma.
    fn lemma(&mut self, statement: &Statement) -> Lemma {
        if let Some(lemma) = &statement.lemma {
            return lemma.clone();
        }
        let store = &mut self.system.store;
        let Op::Forall(bound) = store.op(statement.formula).clone() else {
            return Lemma { vars: Vec::new(), body: statement.formula };
        };
        let mut vars = Vec::new();
        let mut terms = Vec::new();
        for &symbol in bound.iter() {
            let (name, sort) = (store.symbol(symbol).name.clone(), store.symbol(symbol).sort);
            let symbol = store.declare(&name, sort, Role::Index);
            terms.push(store.mk_symbol(symbol));
            vars.push(IndexVar { symbol, bounds: Bounds::default() });
        }
        let body = store.instantiate(statement.formula, &terms);
        Lemma { vars, body }
    }

    fn report(&mut self, done: usize, all: usize) {
        self.watch.progress(&Progress {
            phase: "asking about each invariant",
            iteration: done + 1,
            predicates: all,
            ..Progress::default()
        });
    }
}

fn broken(system: &System, induction: &Induction) -> Open {
    let why = match induction.step.as_ref().map(|found| found.step.origin) {
        Some(Origin::Start(_)) => "it is false in a startstate".to_string(),
        Some(Origin::Rule(rule)) => {
            format!("it is not inductive: rule \"{}\" breaks it", system.rules[rule].name)
        }
        None => "it is not inductive".to_string(),
    };
    let hint = "add an invariant that says why the state before is not reached; `tenet prove` looks for one";
    Open::new(Reason::NotInductive, why, hint).because_of(Obstacle::Induction(Box::new(induction.clone())))
}

fn open(system: &System, steps: &[Origin], why: &str) -> Open {
    let names: Vec<String> = steps
        .iter()
        .map(|step| match step {
            Origin::Start(_) => "it holds in every startstate".to_string(),
            Origin::Rule(rule) => format!("rule \"{}\" keeps it", system.rules[*rule].name),
        })
        .collect();
    let shown = match names.as_slice() {
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
        [] => String::new(),
    };
    let hint = "`--size TYPE=N` asks about one size";
    Open::new(Reason::NotInductive, format!("it is not shown that {shown}; {why}"), hint)
}

fn leaning(dropped: &[String]) -> Open {
    let names: Vec<String> = dropped.iter().map(|name| format!("\"{name}\"")).collect();
    let why = format!("every rule keeps it, but only together with {}", names.join(", "));
    Open::new(Reason::NotInductive, why, "make those inductive")
}

/// The kinds of properties of which a step can be asked.
pub(super) fn is_of_states(kind: PropertyKind) -> bool {
    !matches!(kind, PropertyKind::Start { .. })
}
