//! Instances from a refutation by Z3, which gets every fact with its quantifiers.

use tenet_solve::{Fact, z3_refutation};
use tenet_term::{Sort, SymbolId, TermId, TermStore};

use super::Search;
use super::nearby::are_alike;
use crate::parse::parse_term;
use crate::print::Printer;
use crate::script::{Instance, Scope, Script};
use crate::sexpr::Sexpr;
use crate::text::{Part, body};

/// The text of each check, without instances: what stands for the whole file, for its scope, and for itself.
pub(super) struct Questions {
    common: String,
    scopes: Vec<(String, Vec<String>)>,
}

impl Questions {
    pub(super) fn new(script: &Script, store: &TermStore) -> Result<Questions, String> {
        let mut questions = Questions { common: String::new(), scopes: Vec::new() };
        let mut depth = 0;
        for part in body(script, store)? {
            let Part::Line { text, .. } = part else { continue };
            match (text.as_str(), depth) {
                ("(push 1)", 0) => questions.scopes.push((String::new(), Vec::new())),
                ("(push 1)", _) => questions.last().1.push(String::new()),
                ("(pop 1)" | "(check-sat)", _) => {}
                (_, 0) => add(&mut questions.common, &text),
                (_, 1) => add(&mut questions.last().0, &text),
                _ => questions.last().1.last_mut().into_iter().for_each(|check| add(check, &text)),
            }
            match text.as_str() {
                "(push 1)" => depth += 1,
                "(pop 1)" => depth -= 1,
                _ => {}
            }
        }
        Ok(questions)
    }

    fn last(&mut self) -> &mut (String, Vec<String>) {
        self.scopes.last_mut().expect("invariant: a scope has been opened")
    }

    fn text(&self, scope: usize, check: usize) -> String {
        let (of_scope, of_checks) = &self.scopes[scope];
        format!("{}{of_scope}{}", self.common, of_checks[check])
    }
}

fn add(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

impl Search<'_> {
    /// The instances that Z3 refutes the negated goal of a check with; none if it does not.
    pub(super) fn refutation(&mut self, scope: usize, check: usize) -> Vec<Instance> {
        let symbols = self.script.scopes[scope].facts.clone();
        let Some(facts) = self.known(&self.script.scopes[scope]) else { return Vec::new() };
        let text = self.questions.text(scope, check);
        let Some(uses) = z3_refutation(&text, &facts, &self.limits) else { return Vec::new() };
        let without_variables = symbols.iter().zip(&facts).filter(|(_, fact)| fact.sorts.is_empty());
        let mut instances: Vec<Instance> =
            without_variables.map(|(&fact, _)| Instance { fact, terms: Vec::new() }).collect();
        let constants = self.constants(scope, check);
        for used in uses {
            let fact = symbols[used.fact];
            let params = self.facts[&fact].params.clone();
            let read = |(text, &param): (&String, &SymbolId)| self.read(text, param, &constants);
            let terms: Option<Vec<TermId>> = used.terms.iter().zip(&params).map(read).collect();
            instances.extend(terms.map(|terms| Instance { fact, terms }));
        }
        instances
    }

    fn known(&self, scope: &Scope) -> Option<Vec<Fact>> {
        let mut printer = Printer::new(&self.store, &self.script.names);
        let mut written = |fact: &SymbolId| {
            let sorts = match self.store.sort(self.store.symbol(*fact).sort) {
                Sort::Function { args, .. } => args.iter().map(|&sort| printer.sort(sort).ok()).collect(),
                _ => Some(Vec::new()),
            };
            Some(Fact { name: printer.symbol(*fact), sorts: sorts? })
        };
        scope.facts.iter().map(&mut written).collect()
    }

    /// The names of constants, as they are written.
    fn constants(&self, scope: usize, check: usize) -> Vec<String> {
        let scope = &self.script.scopes[scope];
        let mut printer = Printer::new(&self.store, &self.script.names);
        let symbols = self.near_symbols(scope, &scope.checks[check]).into_iter();
        let is_function = |symbol: &SymbolId| {
            matches!(self.store.sort(self.store.symbol(*symbol).sort), Sort::Function { .. })
        };
        symbols.filter(|symbol| !is_function(symbol)).map(|symbol| printer.symbol(symbol)).collect()
    }

    /// A term as Z3 writes it, unless it has operators of its own in it. Where it says "some element" (a name with an
    /// exclamation mark), nothing is known of the element, so any constant of the sort will do.
    fn read(&mut self, text: &str, param: SymbolId, constants: &[String]) -> Option<TermId> {
        if !text.contains('!') {
            return self.parse(text, param);
        }
        constants.iter().find_map(|constant| self.parse(&with_elements_named(text, constant), param))
    }

    fn parse(&mut self, text: &str, param: SymbolId) -> Option<TermId> {
        let text = Sexpr::read(text).ok()?;
        let term = parse_term(&mut self.store, &self.script.names, &text, text.root()).ok()?;
        let [wanted, sort] = [self.store.symbol(param).sort, self.store.sort_of(term)];
        are_alike(&self.store, wanted, sort).then_some(term)
    }
}

/// The text with a constant for every element that Z3 has made.
fn with_elements_named(text: &str, constant: &str) -> String {
    let is_end = |c: char| "() \n".contains(c);
    let pieces = text.split_inclusive(is_end).map(|piece| {
        let name = piece.trim_end_matches(is_end);
        if name.contains('!') { piece.replacen(name, constant, 1) } else { piece.to_owned() }
    });
    pieces.collect()
}
