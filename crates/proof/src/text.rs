//! A script as the lines of a file, one command each.
//!
//! The lines have gaps in place of the instances of a check. The maker of a certificate fills the gaps; the checker
//! reads the instances from the file and compares every other line.

use tenet_term::{Op, Sort, SymbolId, TermStore};

use crate::names::Entity;
use crate::print::Printer;
use crate::script::{Check, Instance, Item, Macro, Script};

/// A line, or a gap.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// A line that is determined by the model and the lemmas.
    Line {
        text: String,
        /// Its subject, for messages.
        about: String,
    },
    /// The instances of a check: index of the scope, and of the check in it.
    Instances(usize, usize),
}

/// The lines after the header.
pub(crate) fn body(script: &Script, store: &TermStore) -> Result<Vec<Part>, String> {
    let mut writer = Writer { script, store, parts: Vec::new(), about: "the declarations".to_owned() };
    writer.items(&script.items)?;
    for (position, scope) in script.scopes.iter().enumerate() {
        writer.about.clone_from(&scope.title);
        writer.line(format!("; {}", scope.title));
        writer.line("(push 1)".to_owned());
        writer.items(&scope.items)?;
        for (number, check) in scope.checks.iter().enumerate() {
            writer.check(check, position, number)?;
        }
        writer.line("(pop 1)".to_owned());
    }
    let rest = std::mem::take(&mut writer.parts);
    writer.about = "the declarations".to_owned();
    writer.line("(set-logic ALL)".to_owned());
    writer.sorts()?;
    writer.divisions(&rest)?;
    writer.parts.extend(rest);
    Ok(writer.parts)
}

/// The line of an instance.
pub(crate) fn instance(script: &Script, store: &TermStore, instance: &Instance) -> Result<String, String> {
    let mut printer = Printer::new(store, &script.names);
    let fact = printer.symbol(instance.fact);
    if instance.terms.is_empty() {
        return Ok(format!("(assert {fact})"));
    }
    let mut text = format!("(assert ({fact}");
    for &term in &instance.terms {
        text.push(' ');
        text.push_str(&printer.term(term)?);
    }
    text.push_str("))");
    Ok(text)
}

/// The line of a negated goal.
pub(crate) fn negation(script: &Script, store: &TermStore, check: &Check) -> Result<String, String> {
    Ok(format!("(assert {})", Printer::new(store, &script.names).term(check.negation)?))
}

struct Writer<'a> {
    script: &'a Script,
    store: &'a TermStore,
    parts: Vec<Part>,
    about: String,
}

impl Writer<'_> {
    fn line(&mut self, text: String) {
        self.parts.push(Part::Line { text, about: self.about.clone() });
    }

    fn name(&self, entity: &Entity) -> String {
        self.script.names.name(entity).expect("invariant: what is declared has a name").to_owned()
    }

    fn sorts(&mut self) -> Result<(), String> {
        for &sort in self.script.names.sorts() {
            let name = self.name(&Entity::Sort(sort));
            let constructors = match self.store.sort(sort).clone() {
                Sort::Enum { variants, .. } => {
                    let literal =
                        |position: usize| self.name(&Entity::Literal(Op::Enum(sort, position as u32)));
                    (0..variants.len()).map(|position| format!("({})", literal(position))).collect::<Vec<_>>()
                }
                Sort::Union { members, .. } => {
                    let mut constructors = Vec::new();
                    for member in members {
                        let of = Printer::new(self.store, &self.script.names).sort(member)?;
                        let (put, take) = (Entity::Inject(sort, member), Entity::Project(sort, member));
                        constructors.push(format!("({} ({} {of}))", self.name(&put), self.name(&take)));
                    }
                    constructors
                }
                _ => {
                    self.line(format!("(declare-sort {name} 0)"));
                    continue;
                }
            };
            self.line(format!("(declare-datatypes (({name} 0)) (({})))", constructors.join(" ")));
        }
        Ok(())
    }

    /// The definitions of the divisions that are used: SMT-LIB leaves a division by zero open, and rounds differently
    /// from Murphi.
    fn divisions(&mut self, rest: &[Part]) -> Result<(), String> {
        for (op, sort, definition) in [
            (Op::DivReal, "Real", "(ite (= b 0.0) 0.0 (/ a b))"),
            (Op::DivEuclid, "Int", "(ite (= b 0) 0 (div a b))"),
            (Op::ModEuclid, "Int", "(ite (= b 0) a (mod a b))"),
            (Op::DivTrunc, "Int", "(ite (= b 0) 0 (ite (<= 0 a) (div a b) (- (div (- a) b))))"),
            (Op::RemTrunc, "Int", "(ite (= b 0) a (ite (<= 0 a) (mod a b) (- (mod (- a) b))))"),
        ] {
            let name = self.name(&Entity::Division(op));
            let call = format!("({name} ");
            let is_used = |part: &Part| matches!(part, Part::Line { text, .. } if text.contains(&call));
            if rest.iter().any(is_used) {
                self.line(format!("(define-fun {name} ((a {sort}) (b {sort})) {sort} {definition})"));
            }
        }
        Ok(())
    }

    fn items(&mut self, items: &[Item]) -> Result<(), String> {
        for item in items {
            let text = match item {
                Item::Comment(text) => format!("; {text}"),
                Item::Meaning(text, formula) => {
                    format!("; {text} {}", Printer::new(self.store, &self.script.names).term(*formula)?)
                }
                Item::Declare(symbol) => self.declaration(*symbol)?,
                Item::Define(definition) => self.definition(definition)?,
                Item::Assert(term) => {
                    format!("(assert {})", Printer::new(self.store, &self.script.names).term(*term)?)
                }
            };
            self.line(text);
        }
        Ok(())
    }

    fn declaration(&self, symbol: SymbolId) -> Result<String, String> {
        let mut printer = Printer::new(self.store, &self.script.names);
        let name = printer.symbol(symbol);
        let sort = self.store.symbol(symbol).sort;
        let Sort::Function { args, result } = self.store.sort(sort) else {
            return Ok(format!("(declare-const {name} {})", printer.sort(sort)?));
        };
        let args: Result<Vec<String>, String> = args.iter().map(|&arg| printer.sort(arg)).collect();
        Ok(format!("(declare-fun {name} ({}) {})", args?.join(" "), printer.sort(*result)?))
    }

    fn definition(&self, definition: &Macro) -> Result<String, String> {
        let mut printer = Printer::new(self.store, &self.script.names);
        let name = printer.symbol(definition.symbol);
        let params = printer.parameters(&definition.params)?;
        let sort = printer.sort(self.store.sort_of(definition.body))?;
        Ok(format!("(define-fun {name} {params} {sort} {})", printer.term(definition.body)?))
    }

    fn check(&mut self, check: &Check, scope: usize, number: usize) -> Result<(), String> {
        self.about.clone_from(&check.title);
        self.line(format!("; {}", check.title));
        self.line("(push 1)".to_owned());
        self.line("(set-info :status unsat)".to_owned());
        for &constant in &check.constants {
            let text = self.declaration(constant)?;
            self.line(text);
        }
        self.parts.push(Part::Instances(scope, number));
        let text = negation(self.script, self.store, check)?;
        self.line(text);
        self.line("(check-sat)".to_owned());
        self.line("(pop 1)".to_owned());
        Ok(())
    }
}
