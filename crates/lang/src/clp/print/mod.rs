//! Programs, goals and terms as text in the language of `.clp` files, for reports.
//!
//! The text of a program that was read means the same when it is read again. Terms that the language cannot express (programs are
//! also made from other languages: enumerations, truth values, functions of several arguments, quantifiers) are written in its
//! spirit. Variables begin with a capital letter whatever their name, and two of the same name are distinguished by numbers.
//!
//! A term is a graph, and its text may be exponentially longer: text that is too long ends with `…`.

mod arrays;
mod layout;
mod names;
mod shape;
mod term;

use arrays::Unit;
use layout::{Layout, Mentioned};
use names::Names;
use tenet_system::recursive::{
    Atom, Clause, Entailment, Goal, Predicate, Process, Program, Safety, State, Transition,
};
use tenet_term::{SymbolId, TermId, TermStore};

pub fn program(program: &Program) -> String {
    let printer = Printer::new(program);
    let units = units(program);
    let mut undetermined = arrays::undetermined(&program.store, &units).into_iter();
    let mut undetermined = move || undetermined.next().unwrap_or_default();
    let mut parts: Vec<String> = Vec::new();
    for predicate in &program.predicates {
        parts.push(printer.predicate(predicate, &mut undetermined));
    }
    if let Some(process) = &program.process {
        parts.push(printer.process(process, &mut undetermined));
    }
    let mut obligations = String::new();
    for known in &program.obligations {
        let text = printer.entailment_with(known, &undetermined());
        obligations.push_str(&format!("prove {}.\n", named(&known.name, &text)));
    }
    parts.push(obligations);
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// The parts of a program with variables of their own, in the order in which they are printed.
fn units(program: &Program) -> Vec<Unit> {
    let mut units = Vec::new();
    for (position, predicate) in program.predicates.iter().enumerate() {
        for rule in &predicate.rules {
            let goal = Goal { atoms: rule.atoms.clone(), constraint: rule.constraint };
            units.push(with_goal(Unit::default().call(Some(position), &rule.head), &goal));
        }
    }
    let of_state = |state: &State| with_goal(Unit::default().call(None, &state.args), &state.goal);
    if let Some(process) = &program.process {
        for transition in &process.transitions {
            let unit = Unit::default().call(None, &transition.from).call(None, &transition.to);
            units.push(with_goal(unit, &transition.goal));
        }
        units.push(of_state(&process.start));
        for known in &process.abstractions {
            units.extend([of_state(&known.at), of_state(&known.by)]);
        }
        units.extend(process.properties.iter().map(|known| with_goal(of_state(&known.state), &known.right)));
    }
    let obligations = program.obligations.iter();
    units.extend(obligations.map(|known| with_goal(with_goal(Unit::default(), &known.left), &known.right)));
    units
}

fn with_goal(unit: Unit, goal: &Goal) -> Unit {
    let mut unit = goal.atoms.iter().fold(unit, |unit, atom| unit.call(Some(atom.predicate), &atom.args));
    unit.terms.push(goal.constraint);
    unit
}

fn named(name: &str, text: &str) -> String {
    format!("\"{}\": {text}", name.replace(['"', '\n', '\r'], "'"))
}

/// Writes parts of a program.
#[derive(Clone, Copy)]
pub struct Printer<'p> {
    store: &'p TermStore,
    predicates: &'p [Predicate],
    process: Option<&'p Process>,
}

impl<'p> Printer<'p> {
    /// For a program and its own store, perhaps extended.
    pub fn new(program: &'p Program) -> Printer<'p> {
        Printer { store: &program.store, predicates: &program.predicates, process: program.process.as_ref() }
    }

    /// For terms in another store, such as a copy of the program's that an engine has extended.
    pub fn with_store(program: &'p Program, store: &'p TermStore) -> Printer<'p> {
        Printer { store, ..Printer::new(program) }
    }

    /// A term or a constraint.
    pub fn term(&self, term: TermId) -> String {
        self.text(&[], &[term], |layout| layout.goal(&[], term, &Mentioned::default()))
    }

    /// `p(X, Y)`
    pub fn atom(&self, atom: &Atom) -> String {
        self.text(&[], &atom.args, |layout| layout.atom(atom))
    }

    /// `p(X), X > 0`
    pub fn goal(&self, goal: &Goal) -> String {
        self.text(&[], &terms_of(goal), |layout| {
            layout.goal(&goal.atoms, goal.constraint, &Mentioned::default())
        })
    }

    /// `left |= right`
    pub fn entailment(&self, entailment: &Entailment) -> String {
        self.entailment_with(entailment, &[])
    }

    fn entailment_with(&self, entailment: &Entailment, arrays: &[SymbolId]) -> String {
        let Entailment { variables, left, existentials, right, .. } = entailment;
        let symbols: Vec<SymbolId> = variables.iter().chain(existentials).copied().collect();
        let terms: Vec<TermId> = [terms_of(left), terms_of(right)].concat();
        let missing = self.missing(variables, &terms_of(left), &terms_of(right));
        let (there, here) = Mentioned { values: missing, arrays: arrays.to_vec() }.split(existentials);
        self.text(&symbols, &terms, |layout| {
            layout.goal(&left.atoms, left.constraint, &here);
            layout.entails(existentials, right, &there);
        })
    }

    /// `sys(X), X > 0`
    pub fn state(&self, state: &State) -> String {
        self.state_with(state, &[])
    }

    fn state_with(&self, state: &State, arrays: &[SymbolId]) -> String {
        let terms = [state.args.clone(), terms_of(&state.goal)].concat();
        self.text(&state.variables, &terms, |layout| layout.state(state, &Mentioned::arrays(arrays)))
    }

    /// `sys(X), X > 0 |= q(X)`
    pub fn safety(&self, safety: &Safety) -> String {
        self.safety_with(safety, &[])
    }

    fn safety_with(&self, safety: &Safety, arrays: &[SymbolId]) -> String {
        let Safety { state, existentials, right, .. } = safety;
        let symbols: Vec<SymbolId> = state.variables.iter().chain(existentials).copied().collect();
        let left = [state.args.clone(), terms_of(&state.goal)].concat();
        let missing = self.missing(&state.variables, &left, &terms_of(right));
        let (there, here) = Mentioned { values: missing, arrays: arrays.to_vec() }.split(existentials);
        self.text(&symbols, &[left, terms_of(right)].concat(), |layout| {
            layout.state(state, &here);
            layout.entails(existentials, right, &there);
        })
    }

    /// `p(X, 0)`, the head of a rule.
    pub fn head(&self, predicate: &str, args: &[TermId]) -> String {
        self.text(&[], args, |layout| layout.call(predicate, args))
    }

    /// `p(X) :- X > 0, q(X)`
    pub fn clause(&self, predicate: &str, clause: &Clause) -> String {
        self.clause_with(predicate, clause, &[])
    }

    fn clause_with(&self, predicate: &str, clause: &Clause, arrays: &[SymbolId]) -> String {
        let Clause { variables, head, constraint, atoms, .. } = clause;
        let mut terms = head.clone();
        terms.push(*constraint);
        terms.extend(atoms.iter().flat_map(|atom| &atom.args));
        self.text(variables, &terms, |layout| {
            layout.call(predicate, head);
            layout.body(*constraint, &Mentioned::arrays(arrays), atoms, None);
        })
    }

    /// `sys(X) :- X > 0, sys(X - 1)`
    pub fn transition(&self, transition: &Transition) -> String {
        self.transition_with(transition, &[])
    }

    fn transition_with(&self, transition: &Transition, arrays: &[SymbolId]) -> String {
        let Transition { variables, from, goal, to, .. } = transition;
        let terms = [from.clone(), terms_of(goal), to.clone()].concat();
        self.text(variables, &terms, |layout| {
            layout.call(layout.process_name(), from);
            layout.body(goal.constraint, &Mentioned::arrays(arrays), &goal.atoms, Some(to));
        })
    }

    fn text(&self, symbols: &[SymbolId], terms: &[TermId], write: impl FnOnce(&mut Layout<'_>)) -> String {
        let names = Names::of(self.store, symbols, terms);
        let mut layout = Layout::new(self.store, self.predicates, self.process, names);
        write(&mut layout);
        layout.finish()
    }

    /// The variables that occur only on the right-hand side without being existential: the left-hand side has to mention them.
    fn missing(&self, variables: &[SymbolId], left: &[TermId], right: &[TermId]) -> Vec<SymbolId> {
        let occurs = |terms: &[TermId], symbol: SymbolId| {
            terms.iter().any(|&term| self.store.symbols_in(term).contains(&symbol))
        };
        variables.iter().copied().filter(|&symbol| !occurs(left, symbol) && occurs(right, symbol)).collect()
    }

    fn predicate(&self, predicate: &Predicate, undetermined: &mut impl FnMut() -> Vec<SymbolId>) -> String {
        if predicate.rules.is_empty() {
            return self.never_true(predicate);
        }
        let rules = predicate.rules.iter();
        rules
            .map(|clause| format!("{}.\n", self.clause_with(&predicate.name, clause, &undetermined())))
            .collect()
    }

    /// A predicate without rules is false.
    fn never_true(&self, predicate: &Predicate) -> String {
        let args: Vec<String> = predicate.sorts.iter().map(|_| "_".to_string()).collect();
        let name = names::predicate(&predicate.name);
        match args.is_empty() {
            true => format!("{name} :- false.\n"),
            false => format!("{name}({}) :- false.\n", args.join(", ")),
        }
    }

    fn process(&self, process: &Process, undetermined: &mut impl FnMut() -> Vec<SymbolId>) -> String {
        let mut text = String::new();
        for transition in &process.transitions {
            let rule = self.transition_with(transition, &undetermined());
            text.push_str(&format!("{}.\n", named(&transition.name, &rule)));
        }
        text.push_str(&format!("start {}.\n", self.state_with(&process.start, &undetermined())));
        for known in &process.abstractions {
            let (at, by) =
                (self.state_with(&known.at, &undetermined()), self.state_with(&known.by, &undetermined()));
            text.push_str(&format!("abstract {}.\n", named(&known.name, &format!("{at} by {by}"))));
        }
        for property in &process.properties {
            let safety = self.safety_with(property, &undetermined());
            text.push_str(&format!("property {}.\n", named(&property.name, &safety)));
        }
        text
    }
}

fn terms_of(goal: &Goal) -> Vec<TermId> {
    goal.atoms.iter().flat_map(|atom| &atom.args).chain([&goal.constraint]).copied().collect()
}
