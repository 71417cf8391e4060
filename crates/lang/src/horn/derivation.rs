//! From a run of the system to a derivation of `false` in the relations of the file.
//!
//! A step of the run stands for several clauses, one after the other. Their heads are known as terms over the variables of the
//! step, so the facts that they derive are found by evaluation. Variables that nothing depends on are arbitrary, but must have
//! one value everywhere. An argument without a state variable gets its value from the fact that it is an argument of.

use super::resolve::{Premise, Resolvent};
use super::{Horn, print};
use tenet_system::Run;
use tenet_system::run::Taken;
use tenet_term::{EvalError, Model, Role, SymbolId, TermStore, Value};

/// A derived fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The relation and its arguments; `None` for false.
    pub atom: Option<(usize, Vec<Value>)>,
    /// The clause of the file that derives it.
    pub clause: usize,
    /// The facts that it is derived from, in the order of the clause's body.
    pub premises: Vec<usize>,
}

/// The derivation that a run stands for; its last fact is `false` if the run ends in the location `error`. Fails if a
/// constraint does not hold: then the run is invalid.
pub fn derivation(store: &TermStore, horn: &Horn, run: &Run) -> Result<Vec<Fact>, Broken> {
    let mut found = Found { store, facts: Vec::new(), current: Vec::new() };
    let first = horn.lowered.starts.get(run.start.rule).ok_or(Broken::Index)?;
    found.take(first, &run.start, Role::Initial)?;
    for taken in &run.rules {
        let resolvent = horn.lowered.rules.get(taken.rule).ok_or(Broken::Index)?;
        found.take(resolvent, taken, Role::Input)?;
    }
    Ok(found.facts)
}

/// Why a run is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// There is no such start or rule, or it does not continue the run.
    Index,
    /// A constraint does not hold.
    Constraint {
        /// The number of facts derived before.
        after: usize,
    },
    /// Something cannot be evaluated.
    Value(EvalError),
}

struct Found<'a> {
    store: &'a TermStore,
    facts: Vec<Fact>,
    /// The facts that hold at the current location, one for each part of the place.
    current: Vec<usize>,
}

impl Found<'_> {
    fn take(&mut self, resolvent: &Resolvent, taken: &Taken, role: Role) -> Result<(), Broken> {
        let model = self.model(resolvent, taken, role)?;
        let holds = model.holds(self.store, resolvent.clause.constraint).map_err(Broken::Value)?;
        if !holds {
            return Err(Broken::Constraint { after: self.facts.len() });
        }
        let first = self.facts.len();
        let before = std::mem::take(&mut self.current);
        let fact_of = |premise: &Premise| match *premise {
            Premise::Body(part) => before.get(part).copied().ok_or(Broken::Index),
            Premise::Step(step) => Ok(first + step),
        };
        for step in &resolvent.steps {
            let atom = match &step.head {
                None => None,
                Some(head) => {
                    let args = head.args.iter().map(|&arg| model.evaluate(self.store, arg));
                    let args: Result<Vec<Value>, EvalError> = args.collect();
                    Some((head.relation, args.map_err(Broken::Value)?))
                }
            };
            let premises = step.premises.iter().map(fact_of).collect::<Result<_, _>>()?;
            self.facts.push(Fact { atom, clause: step.clause, premises });
        }
        self.current = resolvent.results.iter().map(fact_of).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Values for all variables of a step: those of the place come from the facts that hold there, the others were
    /// chosen.
    fn model(&self, resolvent: &Resolvent, taken: &Taken, role: Role) -> Result<Model, Broken> {
        let mut model = Model::new();
        for symbol in self.symbols(resolvent, role) {
            model.set(symbol, model.default_value(self.store, self.store.symbol(symbol).sort));
        }
        for (symbol, value) in &taken.params {
            model.set(*symbol, value.clone());
        }
        let Some(atom) = resolvent.clause.body.first() else { return Ok(model) };
        let values = self.current.iter().filter_map(|&fact| self.facts[fact].atom.as_ref());
        let values: Vec<&Value> = values.flat_map(|(_, args)| args).collect();
        if values.len() != atom.args.len() {
            return Err(Broken::Index);
        }
        for (&arg, value) in atom.args.iter().zip(values) {
            if let Some(symbol) = self.store.as_symbol(arg) {
                model.set(symbol, value.clone());
            }
        }
        Ok(model)
    }

    fn symbols(&self, resolvent: &Resolvent, role: Role) -> Vec<SymbolId> {
        let heads = resolvent.steps.iter().filter_map(|step| step.head.as_ref());
        let args = heads.flat_map(|head| head.args.iter().copied());
        let parts = self.store.subterms_of_all(resolvent.clause.terms().chain(args));
        let symbols = parts.into_iter().filter_map(|part| self.store.as_symbol(part));
        symbols.filter(|&symbol| self.store.symbol(symbol).role == role).collect()
    }
}

/// The answer `unsat` with its derivation: each fact has a number, the line of the clause that derives it in the file's text, and
/// the numbers of its premises.
pub fn text(horn: &Horn, facts: &[Fact], file: &str) -> String {
    let line = |start: usize| file.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
    let mut text = String::from("unsat\n(derivation\n");
    for (position, fact) in facts.iter().enumerate() {
        let atom = match &fact.atom {
            None => "false".to_string(),
            Some((relation, args)) if args.is_empty() => print::name(&horn.relations[*relation].name),
            Some((relation, args)) => {
                let args: Vec<String> = args.iter().map(print::value).collect();
                format!("({} {})", print::name(&horn.relations[*relation].name), args.join(" "))
            }
        };
        let from: Vec<String> = fact.premises.iter().map(|premise| (premise + 1).to_string()).collect();
        let from = if from.is_empty() { String::new() } else { format!(" :from ({})", from.join(" ")) };
        let (number, line) = (position + 1, line(horn.clauses[fact.clause].span.start as usize));
        text.push_str(&format!("  (step {number} {atom} :line {line}{from})\n"));
    }
    text.push_str(")\n");
    text
}
