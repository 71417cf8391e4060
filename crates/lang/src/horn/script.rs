//! From commands to declarations and clauses.
//!
//! Two styles are read, also mixed: assertions of closed formulas (`assert`), as in CHC-COMP, and Z3's fixedpoint style
//! (`declare-rel`, `declare-var`, `rule`, `query`). Each erroneous command gives one error, and reading continues with the next
//! one.

use super::clauses::{self, Atom, Clause, Relational};
use super::operators;
use super::sexpr::{Kind, NodeId, Tree};
use super::signature::{Macro, Meaning, Relation, Signature};
use super::sorts;
use super::terms::Terms;
use crate::codes::horn as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use std::collections::BTreeSet;
use tenet_term::{Role, SortId, SymbolId, TermId, TermStore};

/// The rest of the file is not read after this many errors.
const MAX_ERRORS: usize = 20;

/// The contents of a file, as clauses.
#[derive(Debug, Default)]
pub struct Script {
    pub store: TermStore,
    /// The relations, in the order of their declarations.
    pub relations: Vec<Relation>,
    /// The clauses, in the order of the file.
    pub clauses: Vec<Clause>,
}

/// Reads the commands of a file.
pub fn read(tree: &Tree) -> (Script, Vec<Diagnostic>) {
    let mut reader = Reader::new(tree);
    reader.read();
    reader.check_end();
    let script =
        Script { store: reader.store, relations: reader.signature.relations, clauses: reader.clauses };
    (script, reader.found)
}

struct Reader<'a, 's> {
    tree: &'a Tree<'s>,
    store: TermStore,
    signature: Signature,
    relational: Relational,
    clauses: Vec<Clause>,
    found: Vec<Diagnostic>,
    /// Where the first `check-sat` or `query` is.
    asked: Option<Span>,
    /// Where the first `rule` is.
    rule: Option<Span>,
    /// The relations of `query` commands.
    queried: Vec<(usize, Span)>,
}

type Outcome = Result<(), Diagnostic>;

impl<'a, 's> Reader<'a, 's> {
    fn new(tree: &'a Tree<'s>) -> Reader<'a, 's> {
        Reader {
            tree,
            store: TermStore::new(),
            signature: Signature::default(),
            relational: Relational::default(),
            clauses: Vec::new(),
            found: Vec::new(),
            asked: None,
            rule: None,
            queried: Vec::new(),
        }
    }

    fn read(&mut self) {
        let roots = self.tree.roots();
        for (position, &root) in roots.iter().enumerate() {
            if self.tree.list(root).and_then(|list| self.tree.symbol(*list.first()?)) == Some("exit") {
                self.exit(root, &roots[position + 1..]);
                return;
            }
            if let Err(error) = self.command(root) {
                self.found.push(error);
            }
            if self.found.iter().filter(|found| found.is_error()).count() >= MAX_ERRORS {
                return;
            }
        }
    }

    /// Nothing is read after `(exit)`. Before the query it is an error, because then there is no question.
    fn exit(&mut self, node: NodeId, rest: &[NodeId]) {
        if self.asked.is_none() {
            let message = "`(exit)` stands in front of `(check-sat)`, so that nothing is asked";
            self.found.push(Diagnostic::error(&codes::ODD_EXIT, message, self.tree.span(node)));
        } else if let Some(&next) = rest.first() {
            let message = "what stands behind `(exit)` is not read";
            let warning = Diagnostic::warning(&codes::ODD_EXIT, message, self.tree.span(next));
            self.found.push(warning.also(self.tree.span(node), "the file ends here"));
        }
    }

    fn check_end(&mut self) {
        if self.found.iter().any(Diagnostic::is_error) {
            return;
        }
        if let (Some(rule), None) = (self.rule, self.asked) {
            let message = "there are rules, but no `query`";
            self.found.push(Diagnostic::error(&codes::NO_QUERY, message, rule).label("the first rule"));
        }
        for &(relation, span) in &self.queried {
            let is_head =
                |clause: &Clause| clause.head.as_ref().is_some_and(|head| head.relation == relation);
            if !self.clauses.iter().any(is_head) {
                let name = &self.signature.relations[relation].name;
                let message = format!("the query asks for `{name}`, for which there is no rule");
                let declared = self.signature.relations[relation].span;
                let error = Diagnostic::error(&codes::NO_QUERY, message, span);
                self.found.push(error.also(declared, "declared here"));
            }
        }
        if self.found.is_empty() && self.clauses.iter().all(|clause| clause.head.is_some()) {
            let message = "no clause has `false` as its head, so there is nothing to be shown";
            self.found.push(Diagnostic {
                severity: crate::diagnostic::Severity::Warning,
                ..Diagnostic::global(&codes::NO_QUERY, message)
            });
        }
    }

    fn command(&mut self, node: NodeId) -> Outcome {
        let list = self.tree.list(node).unwrap_or_default();
        let Some((&head, args)) = list.split_first() else {
            return Err(self.syntax(node, "a command is expected here"));
        };
        match (self.tree.symbol(head).unwrap_or_default(), args) {
            ("set-logic", [logic]) => self.logic(*logic),
            ("set-info" | "set-option" | "get-model" | "get-info" | "get-proof" | "get-unsat-core", _) => {
                Ok(())
            }
            ("get-assertions" | "get-assignment" | "get-value" | "get-option" | "echo", _) => Ok(()),
            ("declare-fun", [name, sorts, result]) => self.declare(*name, Some(*sorts), Some(*result)),
            ("declare-rel", [name, sorts]) => self.declare(*name, Some(*sorts), None),
            ("declare-const", [name, result]) => self.declare(*name, None, Some(*result)),
            ("declare-var", [name, sort]) => self.declare_var(*name, *sort),
            ("define-sort", [name, params, sort]) => self.define_sort(*name, *params, *sort),
            ("define-fun", [name, params, result, body]) => self.define(*name, Some(*params), *result, *body),
            ("define-const", [name, result, body]) => self.define(*name, None, *result, *body),
            ("assert" | "rule", _) if self.asked.is_some() => self.behind(node),
            ("assert", [formula]) => self.assert(node, *formula),
            ("rule", [formula]) | ("rule", [formula, _]) => self.rule(node, *formula),
            ("query", [formula, ..]) => self.query(node, *formula),
            ("check-sat", []) => self.ask(node),
            (
                known @ ("push"
                | "pop"
                | "reset"
                | "reset-assertions"
                | "check-sat-assuming"
                | "declare-sort"
                | "declare-datatype"
                | "declare-datatypes"
                | "define-fun-rec"
                | "define-funs-rec"
                | "eval"
                | "simplify"
                | "maximize"
                | "minimize"
                | "declare-codatatype"
                | "declare-codatatypes"),
                _,
            ) => {
                let message = format!("`{known}` is not supported");
                Err(Diagnostic::error(&codes::UNSUPPORTED, message, self.tree.span(node)))
            }
            (
                known @ ("set-logic" | "declare-fun" | "declare-rel" | "declare-const" | "declare-var"
                | "define-sort" | "define-fun" | "define-const" | "assert" | "rule" | "query"
                | "check-sat"),
                _,
            ) => Err(self.syntax(node, &format!("`{known}` has too few or too many parts"))),
            (other, _) => Err(self.syntax(head, &format!("`{other}` is not a command"))),
        }
    }

    fn logic(&mut self, node: NodeId) -> Outcome {
        match self.tree.symbol(node) {
            Some("HORN") => Ok(()),
            _ => {
                let message = format!("the logic is `{}`, not `HORN`", self.tree.text(node));
                Err(Diagnostic::error(&codes::LOGIC, message, self.tree.span(node)))
            }
        }
    }

    /// A query is about the clauses before it.
    fn behind(&self, node: NodeId) -> Outcome {
        let message = "this clause stands behind the question, which is not about it";
        let error = Diagnostic::error(&codes::UNSUPPORTED, message, self.tree.span(node));
        Err(match self.asked {
            Some(question) => error.also(question, "the question"),
            None => error,
        })
    }

    fn ask(&mut self, node: NodeId) -> Outcome {
        match self.asked {
            Some(first) => {
                let message = "there is a question already; one is answered for a file";
                let error = Diagnostic::error(&codes::UNSUPPORTED, message, self.tree.span(node));
                Err(error.also(first, "the first question"))
            }
            None => {
                self.asked = Some(self.tree.span(node));
                Ok(())
            }
        }
    }

    /// A relation, or a function, whose use is an error.
    fn declare(&mut self, name: NodeId, sorts: Option<NodeId>, result: Option<NodeId>) -> Outcome {
        let args = match sorts {
            None => Vec::new(),
            Some(list) => self.sorts(list)?,
        };
        let result = match result {
            None => SortId::BOOL,
            Some(result) => self.sort(result)?,
        };
        // A constant of sort Bool is a relation without arguments; one of another sort is an unknown constant.
        if result != SortId::BOOL {
            return self.name(name, Meaning::Uninterpreted);
        }
        let position = self.signature.relations.len();
        self.name(name, Meaning::Relation(position))?;
        let text = self.tree.symbol(name).unwrap_or_default().to_string();
        let sort = if args.is_empty() { SortId::BOOL } else { self.store.function_sort(&args, SortId::BOOL) };
        let symbol = self.store.fresh(&text, sort, Role::Const);
        self.relational.add(symbol, position);
        let span = self.tree.span(name);
        self.signature.relations.push(Relation { name: text, sorts: args, symbol, span });
        Ok(())
    }

    fn declare_var(&mut self, name: NodeId, sort: NodeId) -> Outcome {
        let sort = self.sort(sort)?;
        let text = self.tree.symbol(name).unwrap_or_default();
        let symbol = self.store.declare(text, sort, Role::Input);
        self.name(name, Meaning::Variable(symbol))
    }

    fn define_sort(&mut self, name: NodeId, params: NodeId, sort: NodeId) -> Outcome {
        if self.tree.list(params).is_none_or(|list| !list.is_empty()) {
            let message = "sorts with parameters are not supported";
            return Err(Diagnostic::error(&codes::UNSUPPORTED, message, self.tree.span(params)));
        }
        let sort = self.sort(sort)?;
        let Some(text) = self.tree.symbol(name) else {
            return Err(self.syntax(name, "a name is expected here"));
        };
        self.signature.sorts.insert(text.to_string(), sort);
        Ok(())
    }

    fn define(&mut self, name: NodeId, params: Option<NodeId>, result: NodeId, body: NodeId) -> Outcome {
        let (mut sorts, mut names) = (Vec::new(), Vec::new());
        let list = params.map(|params| self.tree.list(params).unwrap_or_default()).unwrap_or_default();
        for &param in list {
            let Some([name, sort]) = self.tree.list(param) else {
                return Err(self.syntax(param, "`(name sort)` is expected here"));
            };
            names.push(*name);
            sorts.push(self.sort(*sort)?);
        }
        let result = self.sort(result)?;
        let text = self.tree.symbol(name).unwrap_or_default().to_string();
        let definition = Macro { name: text, params: sorts, names, result, body };
        self.check_definition(&definition)?;
        self.name(name, Meaning::Macro(self.signature.macros.len()))?;
        self.signature.macros.push(definition);
        Ok(())
    }

    /// Reads a definition's body once where it stands, so that an error is found there and not at the uses.
    fn check_definition(&mut self, definition: &Macro) -> Outcome {
        let mut terms = Terms::new(self.tree, &mut self.store, &self.signature, true);
        for (&name, &sort) in definition.names.iter().zip(&definition.params) {
            terms.bind_fresh(self.tree.symbol(name).unwrap_or_default(), sort);
        }
        terms.read_as(definition.body, definition.result).map(|_| ())
    }

    fn assert(&mut self, node: NodeId, formula: NodeId) -> Outcome {
        let clauses = self.formula(node, formula, false, |_, _| Ok(None))?;
        self.clauses.extend(clauses);
        Ok(())
    }

    fn rule(&mut self, node: NodeId, formula: NodeId) -> Outcome {
        self.rule.get_or_insert(self.tree.span(node));
        let clauses = self.formula(node, formula, true, |_, _| Ok(None))?;
        self.clauses.extend(clauses);
        Ok(())
    }

    /// A relation, of any arguments, or a formula: can it be derived?
    fn query(&mut self, node: NodeId, formula: NodeId) -> Outcome {
        let name = self.tree.symbol(formula).and_then(|name| self.signature.meaning(name));
        let clauses = match name {
            Some(Meaning::Relation(position)) => vec![self.query_relation(node, position)],
            _ => self.formula(node, formula, true, |store, term| Ok(Some(store.mk_not(term))))?,
        };
        for clause in &clauses {
            let relations = clause.body.iter().map(|atom| (atom.relation, self.tree.span(formula)));
            self.queried.extend(relations);
        }
        self.clauses.extend(clauses);
        self.ask(node)
    }

    fn query_relation(&mut self, node: NodeId, position: usize) -> Clause {
        let mut args = Vec::new();
        for (place, sort) in self.signature.relations[position].sorts.clone().into_iter().enumerate() {
            let variable = self.store.declare(&format!("x{place}"), sort, Role::Input);
            args.push(self.store.mk_symbol(variable));
        }
        let body = vec![Atom { relation: position, args }];
        Clause { body, constraint: TermId::TRUE, head: None, open: false, span: self.tree.span(node) }
    }

    /// The clauses of a formula. Quantifiers at its top bind variables of the clauses directly.
    fn formula(
        &mut self,
        node: NodeId,
        formula: NodeId,
        rule_style: bool,
        change: impl Fn(&mut TermStore, TermId) -> Result<Option<TermId>, Diagnostic>,
    ) -> Result<Vec<Clause>, Diagnostic> {
        let mut terms = Terms::new(self.tree, &mut self.store, &self.signature, rule_style);
        let mut formula = formula;
        let mut used: BTreeSet<SymbolId> = BTreeSet::new();
        while let Some([head, variables, body]) = self.tree.list(formula) {
            if self.tree.symbol(*head) != Some("forall") {
                break;
            }
            for (name, sort) in terms.variables(*variables)? {
                used.insert(terms.bind_variable(name, sort, &used));
            }
            formula = *body;
        }
        let term = terms.formula(formula)?;
        let (store, divisions, places) = terms.finish();
        let term = change(store, term)?.unwrap_or(term);
        let parts = clauses::Reading { divisions, places, span: self.tree.span(node) };
        clauses::clauses(store, &mut self.relational, term, parts)
    }

    fn name(&mut self, node: NodeId, meaning: Meaning) -> Outcome {
        let Some(name) = self.tree.symbol(node) else {
            return Err(self.syntax(node, "a name is expected here"));
        };
        if operators::is_known(name) {
            let message = format!("`{name}` has a meaning in SMT-LIB and cannot be declared");
            return Err(Diagnostic::error(&codes::RESERVED, message, self.tree.span(node)));
        }
        self.signature.name(name, meaning, self.tree.span(node)).map_err(|first| {
            let message = format!("`{name}` is declared twice");
            Diagnostic::error(&codes::DECLARED_TWICE, message, self.tree.span(node))
                .also(first, "the first one")
        })
    }

    fn sort(&mut self, node: NodeId) -> Result<SortId, Diagnostic> {
        sorts::read(self.tree, &mut self.store, &self.signature.sorts, node)
    }

    fn sorts(&mut self, node: NodeId) -> Result<Vec<SortId>, Diagnostic> {
        let list = match self.tree.kind(node) {
            Kind::List { .. } => self.tree.list(node).unwrap_or_default(),
            _ => return Err(self.syntax(node, "a list of sorts is expected here")),
        };
        list.iter().map(|&sort| self.sort(sort)).collect()
    }

    fn syntax(&self, node: NodeId, message: &str) -> Diagnostic {
        Diagnostic::error(&codes::SYNTAX, message, self.tree.span(node))
    }
}
