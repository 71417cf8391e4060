//! A transition system as text, for people and for golden tests.

use std::fmt::Write;
use tenet_system::{Bounds, Definition, Hint, HintTarget, PropertyKind, Rule, Start, StateVar, System};
use tenet_term::{Sort, SymbolId, TermId};

/// The length in characters at which a term is truncated. Terms share subterms, and written out they can be of any
/// length.
const MAX_CHARACTERS: usize = 20_000;

/// The system as text: sorts, constants, state, startstates, rules, axioms, properties, and annotations for
/// abstraction, in this order.
pub fn describe(system: &System) -> String {
    let mut text = String::new();
    let printer = Printer { system };
    for (_, sort) in system.store.sorts() {
        if let Some(line) = printer.sort(sort) {
            line_to(&mut text, &line);
        }
    }
    for &symbol in &system.consts {
        line_to(&mut text, &format!("const {}", printer.symbol(symbol)));
    }
    for variable in &system.state {
        line_to(&mut text, &printer.variable(variable));
    }
    for definition in &system.definitions {
        text.push_str(&printer.definition(definition));
    }
    for start in &system.starts {
        text.push_str(&printer.start(start));
    }
    for rule in &system.rules {
        text.push_str(&printer.rule(rule));
    }
    for axiom in &system.axioms {
        line_to(&mut text, &format!("\naxiom \"{}\"\n  {}", axiom.name, printer.term(axiom.formula)));
    }
    for property in &system.properties {
        let kind = kind_name(property.kind);
        let formula = printer.term(property.formula);
        line_to(&mut text, &format!("\n{kind} \"{}\"\n  {formula}", property.name));
    }
    printer.observations(&mut text);
    text
}

fn line_to(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn kind_name(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Invariant => "invariant",
        PropertyKind::Assertion { .. } => "assertion",
        PropertyKind::Implicit { .. } => "demand",
        PropertyKind::Start { .. } => "start demand",
    }
}

struct Printer<'a> {
    system: &'a System,
}

impl Printer<'_> {
    fn term(&self, term: TermId) -> String {
        self.system.store.print_limited(term, MAX_CHARACTERS)
    }

    /// Only sorts whose meaning the reader chose are listed.
    fn sort(&self, sort: &Sort) -> Option<String> {
        match sort {
            Sort::Index { name } => Some(format!("type {name}: any size")),
            Sort::Union { name, members } => {
                let members: Vec<String> =
                    members.iter().map(|&member| self.system.store.sort_name(member)).collect();
                Some(format!("type {name}: union {{{}}}", members.join(", ")))
            }
            _ => None,
        }
    }

    fn symbol(&self, id: SymbolId) -> String {
        let symbol = self.system.store.symbol(id);
        format!("{} : {}", symbol.name, self.system.store.sort_name(symbol.sort))
    }

    fn variable(&self, variable: &StateVar) -> String {
        let mut line = format!("state {}", self.symbol(variable.symbol));
        let args: Vec<String> = variable.args.iter().filter_map(|&arg| self.bounds(arg)).collect();
        if !args.is_empty() {
            let _ = write!(line, ", indices {}", args.join(", "));
        }
        if let Some(bounds) = self.bounds(variable.value) {
            let _ = write!(line, ", values {bounds}");
        }
        line
    }

    fn bounds(&self, bounds: Bounds) -> Option<String> {
        let end = |end: Option<TermId>| end.map_or(String::new(), |end| self.term(end));
        (bounds != Bounds::default()).then(|| format!("{}..{}", end(bounds.lo), end(bounds.hi)))
    }

    fn parameters(&self, params: &[SymbolId]) -> String {
        let params: Vec<String> = params.iter().map(|&symbol| self.symbol(symbol)).collect();
        if params.is_empty() { String::new() } else { format!(" ({})", params.join("; ")) }
    }

    fn definition(&self, definition: &Definition) -> String {
        let parameters = self.parameters(&definition.params);
        format!("\ndefine {}{parameters}, least\n  {}\n", definition.name, self.term(definition.body))
    }

    fn start(&self, start: &Start) -> String {
        let mut text = format!("\nstart \"{}\"{}\n", start.name, self.parameters(&start.params));
        if start.constraint != TermId::TRUE {
            line_to(&mut text, &format!("  when {}", self.term(start.constraint)));
        }
        for (variable, &value) in self.system.state.iter().zip(&start.values) {
            let name = &self.system.store.symbol(variable.symbol).name;
            line_to(&mut text, &format!("  {name} := {}", self.term(value)));
        }
        text
    }

    /// Index variables, predicates and hints.
    fn observations(&self, text: &mut String) {
        let separate = |text: &mut String, count: usize| text.push_str(if count > 0 { "\n" } else { "" });
        separate(text, self.system.indices.len());
        for index in &self.system.indices {
            let bounds = self.bounds(index.bounds).map_or(String::new(), |bounds| format!(", {bounds}"));
            line_to(text, &format!("index {}{bounds}", self.symbol(index.symbol)));
        }
        for predicate in &self.system.predicates {
            let formula = self.term(predicate.formula);
            line_to(text, &format!("\npredicate \"{}\"\n  {formula}", predicate.name));
        }
        separate(text, self.system.hints.len());
        self.system.hints.iter().for_each(|hint| line_to(text, &self.hint(hint)));
    }

    fn hint(&self, hint: &Hint) -> String {
        let word = if hint.force { "instantiate" } else { "never instantiate" };
        let name = |symbol: &SymbolId| self.system.store.symbol(*symbol).name.clone();
        let targets = match &hint.target {
            HintTarget::Indices(indices) => indices.iter().map(name).collect(),
            HintTarget::Sort(sort) => vec![self.system.store.sort_name(*sort)],
        };
        let terms: Vec<String> = hint.terms.iter().map(|&term| self.term(term)).collect();
        let group = |parts: &[String]| match parts {
            [part] => part.clone(),
            parts => format!("({})", parts.join(", ")),
        };
        let rule =
            hint.rule.map_or(String::new(), |rule| format!(", in rule \"{}\"", self.system.rules[rule].name));
        format!("{word} {} with {}{rule}", group(&targets), group(&terms))
    }

    fn rule(&self, rule: &Rule) -> String {
        let mut text = format!("\nrule \"{}\"{}\n", rule.name, self.parameters(&rule.params));
        line_to(&mut text, &format!("  when {}", self.term(rule.guard)));
        for &(symbol, value) in &rule.updates {
            let name = &self.system.store.symbol(symbol).name;
            line_to(&mut text, &format!("  {name} := {}", self.term(value)));
        }
        text
    }
}
