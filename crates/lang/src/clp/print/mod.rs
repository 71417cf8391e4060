//! Programs, goals and terms as text in the language of `.clp` files, for reports.
//!
//! What was read can be read again and means the same. Terms that the language cannot say (programs are also made from other
//! languages: enumerations, truth values, functions of several arguments, quantifiers) are written in its spirit. Variables begin with
//! a capital letter whatever they are called, and two that are called the same are told apart by numbers.
//!
//! A term is a graph, and its text may be exponentially longer: text ends with `…` where it gets out of hand.

mod layout;
mod names;
mod shape;
mod term;

use layout::Layout;
use names::Names;
use tenet_system::recursive::{
    Atom, Clause, Entailment, Goal, Predicate, Process, Program, Safety, State, Transition,
};
use tenet_term::{SymbolId, TermId, TermStore};

/// A whole program.
pub fn program(program: &Program) -> String {
    let printer = Printer::new(program);
    let mut parts: Vec<String> =
        program.predicates.iter().map(|predicate| printer.predicate(predicate)).collect();
    if let Some(process) = &program.process {
        parts.push(printer.process(process));
    }
    let obligations = program.obligations.iter();
    parts.push(
        obligations
            .map(|known| format!("prove {}.\n", printer.named(&known.name, printer.entailment(known))))
            .collect(),
    );
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Writes parts of a program.
#[derive(Clone, Copy)]
pub struct Printer<'p> {
    store: &'p TermStore,
    predicates: &'p [Predicate],
    process: Option<&'p Process>,
}

impl<'p> Printer<'p> {
    /// For a program, its own store and whatever was added to that.
    pub fn new(program: &'p Program) -> Printer<'p> {
        Printer { store: &program.store, predicates: &program.predicates, process: program.process.as_ref() }
    }

    /// For terms in another store, such as a copy of the program's that an engine has added to.
    pub fn with_store(program: &'p Program, store: &'p TermStore) -> Printer<'p> {
        Printer { store, ..Printer::new(program) }
    }

    /// A term or a constraint.
    pub fn term(&self, term: TermId) -> String {
        self.text(&[], &[term], |layout| layout.goal(&[], term))
    }

    /// `p(X, Y)`
    pub fn atom(&self, atom: &Atom) -> String {
        self.text(&[], &atom.args, |layout| layout.atom(atom))
    }

    /// `p(X), X > 0`
    pub fn goal(&self, goal: &Goal) -> String {
        self.text(&[], &terms_of(goal), |layout| layout.goal(&goal.atoms, goal.constraint))
    }

    /// `left |= right`
    pub fn entailment(&self, entailment: &Entailment) -> String {
        let Entailment { variables, left, existentials, right, .. } = entailment;
        let symbols: Vec<SymbolId> = variables.iter().chain(existentials).copied().collect();
        let terms: Vec<TermId> = [terms_of(left), terms_of(right)].concat();
        let missing = self.missing(variables, &terms_of(left), &terms_of(right));
        self.text(&symbols, &terms, |layout| {
            layout.goal_with(&left.atoms, left.constraint, &missing);
            layout.entails(existentials, right);
        })
    }

    /// `sys(X), X > 0`
    pub fn state(&self, state: &State) -> String {
        let terms = [state.args.clone(), terms_of(&state.goal)].concat();
        self.text(&state.variables, &terms, |layout| layout.state(state, &[]))
    }

    /// `sys(X), X > 0 |= q(X)`
    pub fn safety(&self, safety: &Safety) -> String {
        let Safety { state, existentials, right, .. } = safety;
        let symbols: Vec<SymbolId> = state.variables.iter().chain(existentials).copied().collect();
        let left = [state.args.clone(), terms_of(&state.goal)].concat();
        let missing = self.missing(&state.variables, &left, &terms_of(right));
        self.text(&symbols, &[left, terms_of(right)].concat(), |layout| {
            layout.state(state, &missing);
            layout.entails(existentials, right);
        })
    }

    /// `p(X, 0)`, the head of a rule.
    pub fn head(&self, predicate: &str, args: &[TermId]) -> String {
        self.text(&[], args, |layout| layout.call(predicate, args))
    }

    /// `p(X) :- X > 0, q(X)`
    pub fn clause(&self, predicate: &str, clause: &Clause) -> String {
        let Clause { variables, head, constraint, atoms, .. } = clause;
        let mut terms = head.clone();
        terms.push(*constraint);
        terms.extend(atoms.iter().flat_map(|atom| &atom.args));
        self.text(variables, &terms, |layout| {
            layout.call(predicate, head);
            layout.body(*constraint, atoms, None);
        })
    }

    /// `sys(X) :- X > 0, sys(X - 1)`
    pub fn transition(&self, transition: &Transition) -> String {
        let Transition { variables, from, goal, to, .. } = transition;
        let terms = [from.clone(), terms_of(goal), to.clone()].concat();
        self.text(variables, &terms, |layout| {
            layout.call(layout.process_name(), from);
            layout.body(goal.constraint, &goal.atoms, Some(to));
        })
    }

    fn text(&self, symbols: &[SymbolId], terms: &[TermId], write: impl FnOnce(&mut Layout<'_>)) -> String {
        let names = Names::of(self.store, symbols, terms);
        let mut layout = Layout::new(self.store, self.predicates, self.process, names);
        write(&mut layout);
        layout.finish()
    }

    /// The variables that only the right-hand side speaks of, without being existential: the left-hand side has to mention them.
    fn missing(&self, variables: &[SymbolId], left: &[TermId], right: &[TermId]) -> Vec<SymbolId> {
        let occurs = |terms: &[TermId], symbol: SymbolId| {
            terms.iter().any(|&term| self.store.symbols_in(term).contains(&symbol))
        };
        variables.iter().copied().filter(|&symbol| !occurs(left, symbol) && occurs(right, symbol)).collect()
    }

    fn named(&self, name: &str, text: String) -> String {
        format!("\"{}\": {text}", name.replace(['"', '\n', '\r'], "'"))
    }

    fn predicate(&self, predicate: &Predicate) -> String {
        if predicate.rules.is_empty() {
            return self.never_true(predicate);
        }
        let rules = predicate.rules.iter();
        rules.map(|clause| format!("{}.\n", self.clause(&predicate.name, clause))).collect()
    }

    /// A predicate without rules is never true.
    fn never_true(&self, predicate: &Predicate) -> String {
        let args: Vec<String> = predicate.sorts.iter().map(|_| "_".to_string()).collect();
        let name = names::predicate(&predicate.name);
        match args.is_empty() {
            true => format!("{name} :- false.\n"),
            false => format!("{name}({}) :- false.\n", args.join(", ")),
        }
    }

    fn process(&self, process: &Process) -> String {
        let mut text = String::new();
        for transition in &process.transitions {
            text.push_str(&format!("{}.\n", self.named(&transition.name, self.transition(transition))));
        }
        text.push_str(&format!("start {}.\n", self.state(&process.start)));
        for known in &process.abstractions {
            let states = format!("{} by {}", self.state(&known.at), self.state(&known.by));
            text.push_str(&format!("abstract {}.\n", self.named(&known.name, states)));
        }
        for property in &process.properties {
            text.push_str(&format!("property {}.\n", self.named(&property.name, self.safety(property))));
        }
        text
    }
}

fn terms_of(goal: &Goal) -> Vec<TermId> {
    goal.atoms.iter().flat_map(|atom| &atom.args).chain([&goal.constraint]).copied().collect()
}
