//! Syntactic equality of programs: up to the order of commutative operands, and up to places in the text.

use std::collections::BTreeMap;
use tenet_system::recursive::{Atom, Clause, Entailment, Goal, Program, Safety, State, Transition};
use tenet_term::{Op, SymbolId, TermId, TermStore};

/// Everything that a program says, one line for each part.
pub fn canonical(program: &Program) -> Vec<String> {
    let form = Form { store: &program.store, program };
    let mut lines = Vec::new();
    for predicate in &program.predicates {
        lines.push(format!("predicate {} {:?}", predicate.name, form.sorts(&predicate.sorts)));
        lines.extend(predicate.rules.iter().map(|clause| form.clause(clause)));
    }
    if let Some(process) = &program.process {
        lines.push(format!("process {} {:?}", process.name, form.sorts(&process.sorts)));
        lines.extend(process.transitions.iter().map(|transition| form.transition(transition)));
        lines.push(form.state(&process.start));
        for known in &process.abstractions {
            lines.push(format!("{}: {} by {}", known.name, form.state(&known.at), form.state(&known.by)));
        }
        lines.extend(process.properties.iter().map(|property| form.safety(property)));
    }
    lines.extend(program.obligations.iter().map(|obligation| form.entailment(obligation)));
    lines
}

struct Form<'p> {
    store: &'p TermStore,
    program: &'p Program,
}

impl Form<'_> {
    fn sorts(&self, sorts: &[tenet_term::SortId]) -> Vec<String> {
        sorts.iter().map(|&sort| self.store.sort_name(sort)).collect()
    }

    fn clause(&self, clause: &Clause) -> String {
        let goal = Goal { atoms: clause.atoms.clone(), constraint: clause.constraint };
        format!("{} {} :- {}", self.symbols(&clause.variables), self.terms(&clause.head), self.goal(&goal))
    }

    fn transition(&self, transition: &Transition) -> String {
        let Transition { name, variables, from, goal, to, .. } = transition;
        let variables = self.symbols(variables);
        format!("{name}: {variables} {} :- {} sys{}", self.terms(from), self.goal(goal), self.terms(to))
    }

    fn state(&self, state: &State) -> String {
        format!(
            "{} sys{} {}",
            self.symbols(&state.variables),
            self.terms(&state.args),
            self.goal(&state.goal)
        )
    }

    fn safety(&self, safety: &Safety) -> String {
        let Safety { name, state, existentials, right, .. } = safety;
        format!("{name}: {} |= {} {}", self.state(state), self.symbols(existentials), self.goal(right))
    }

    fn entailment(&self, entailment: &Entailment) -> String {
        let Entailment { name, variables, left, existentials, right, .. } = entailment;
        let (left, right) = (self.goal(left), self.goal(right));
        format!("{name}: {} {left} |= {} {right}", self.symbols(variables), self.symbols(existentials))
    }

    /// The order in which variables are listed depends on the order of operands.
    fn symbols(&self, symbols: &[SymbolId]) -> String {
        let mut names: Vec<String> = symbols.iter().map(|&symbol| self.symbol(symbol)).collect();
        names.sort();
        format!("{names:?}")
    }

    fn symbol(&self, symbol: SymbolId) -> String {
        let symbol = self.store.symbol(symbol);
        format!("{}:{:?}:{}", symbol.name, symbol.role, self.store.sort_name(symbol.sort))
    }

    fn terms(&self, terms: &[TermId]) -> String {
        let terms: Vec<String> = terms.iter().map(|&term| self.term(term)).collect();
        format!("({})", terms.join(", "))
    }

    fn atom(&self, atom: &Atom) -> String {
        format!("{}{}", self.program.predicates[atom.predicate].name, self.terms(&atom.args))
    }

    fn goal(&self, goal: &Goal) -> String {
        let atoms: Vec<String> = goal.atoms.iter().map(|atom| self.atom(atom)).collect();
        format!("{} with {}", atoms.join(", "), self.term(goal.constraint))
    }

    fn term(&self, term: TermId) -> String {
        let mut texts: BTreeMap<TermId, String> = BTreeMap::new();
        for part in self.store.subterms(term) {
            let mut args: Vec<&str> = self.store.args(part).iter().map(|arg| texts[arg].as_str()).collect();
            let op = self.store.op(part);
            if matches!(op, Op::And | Op::Or | Op::Add | Op::Eq) {
                args.sort_unstable();
            }
            let text = match op {
                Op::Symbol(symbol) => self.symbol(*symbol),
                Op::Int(value) => value.to_string(),
                Op::Bool(value) => value.to_string(),
                op => format!("{}[{}]", op.name(), args.join(" ")),
            };
            texts.insert(part, text);
        }
        texts.remove(&term).unwrap()
    }
}
