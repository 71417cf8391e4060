//! Transitions: guards and simultaneous updates.
//!
//! An arbitrary value is a parameter of the transition: `X := .`, and a `case` without `_` where no branch applies. An entry of
//! an array is chosen for each process on its own, so there the parameter is a function.

use super::declarations::Meaning;
use super::{Checker, Transition};
use crate::codes::cubicle as codes;
use crate::cubicle::ast::{self, Branch, Chosen, Expr, ExprKind, Name, NewValue, Update};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use tenet_term::{Role, Sort, SortId, SymbolId, TermId};

impl Checker<'_> {
    pub(super) fn transition(&mut self, transition: &ast::Transition) {
        self.differ(&transition.params);
        self.choices.clear();
        self.parameter_names = transition.params.iter().map(|name| name.text.clone()).collect();
        let mut processes = Vec::new();
        for name in &transition.params {
            let sort = self.process_sort();
            let symbol = self.store().declare(&name.text, sort, Role::Input);
            let term = self.store().mk_symbol(symbol);
            self.locals.push((name.text.clone(), term));
            self.processes.push(term);
            processes.push(symbol);
        }
        let guard = transition.guard.as_ref().map_or(Some(TermId::TRUE), |guard| self.formula(guard));
        for (name, value) in &transition.lets {
            // Errors are reported here and at the uses.
            if let Some(value) = self.term(value) {
                self.locals.push((name.text.clone(), value));
            }
        }
        let updates = self.updates(&transition.updates);
        self.locals.clear();
        self.processes.truncate(self.processes.len() - processes.len());
        let (Some(guard), Some(updates)) = (guard, updates) else { return };
        let mut choices = std::mem::take(&mut self.choices);
        let used = |symbol: &SymbolId| {
            updates.iter().any(|&(_, value)| self.model.store.symbols_in(value).contains(symbol))
        };
        choices.retain(used);
        let name = transition.name.text.clone();
        let span = transition.span;
        self.model.transitions.push(Transition { name, processes, choices, guard, updates, span });
    }

    /// The new values, one for each symbol that is updated.
    fn updates(&mut self, updates: &[Update]) -> Option<Vec<(SymbolId, TermId)>> {
        let mut read: Vec<Option<(SymbolId, TermId)>> = Vec::new();
        for (position, update) in updates.iter().enumerate() {
            let first = updates[..position].iter().find(|first| first.target.text == update.target.text);
            if let Some(first) = first {
                let message = format!("`{}` is changed twice", update.target.text);
                let diagnostic = Diagnostic::error(&codes::ASSIGNED_TWICE, message, update.target.span)
                    .label("the second time")
                    .also(first.target.span, "the first time");
                self.report(diagnostic);
            }
            read.push(self.update(update));
        }
        read.into_iter().collect()
    }

    fn update(&mut self, update: &Update) -> Option<(SymbolId, TermId)> {
        if update.indices.is_empty() {
            let symbol = self.variable(&update.target)?;
            let sort = self.model.store.symbol(symbol).sort;
            let value = match &update.value {
                NewValue::One(chosen) => self.chosen(chosen, &update.target, sort, &[]),
                NewValue::Case(branches) => self.case(branches, update, sort, &[]),
            };
            return Some((symbol, value?));
        }
        match &update.value {
            NewValue::One(chosen) => self.entry(update, chosen),
            NewValue::Case(branches) => self.whole_array(update, branches),
        }
    }

    /// The updated variable.
    fn variable(&mut self, name: &Name) -> Option<SymbolId> {
        match self.meanings.get(&name.text).map(|(meaning, _)| *meaning) {
            Some(Meaning::Variable(symbol)) => Some(symbol),
            Some(Meaning::Array(..)) => {
                let message = format!("`{}` is an array and needs an index", name.text);
                self.fail(&codes::WRONG_KIND, message, name.span, format!("write `{}[x]`", name.text))
            }
            Some(Meaning::Broken) => None,
            Some(Meaning::Value(_) | Meaning::Constant(_)) => {
                let message = format!("`{}` cannot be changed", name.text);
                self.fail(&codes::NOT_ASSIGNABLE, message, name.span, "not a variable")
            }
            None => self.unknown(&name.text, name.span),
        }
    }

    /// `A[x] := t`: one entry.
    fn entry(&mut self, update: &Update, chosen: &Chosen) -> Option<(SymbolId, TermId)> {
        let indices: Vec<Option<TermId>> = update.indices.iter().map(|index| self.index(index)).collect();
        let symbol = self.array(&update.target, update.indices.len())?;
        let sort = self.values_of(symbol);
        let value = self.chosen(chosen, &update.target, sort, &[])?;
        let indices: Vec<TermId> = indices.into_iter().collect::<Option<_>>()?;
        let array = self.store().mk_symbol(symbol);
        Some((symbol, self.store().mk_store(array, &indices, value)))
    }

    /// `A[j] := case …`: every entry.
    fn whole_array(&mut self, update: &Update, branches: &[Branch]) -> Option<(SymbolId, TermId)> {
        let names: Vec<Option<Name>> = update.indices.iter().map(|index| self.fresh_name(index)).collect();
        let symbol = self.array(&update.target, update.indices.len())?;
        let names: Vec<Name> = names.into_iter().collect::<Option<_>>()?;
        let sort = self.values_of(symbol);
        let variables = self.bind_any(&names);
        let value = self.case(branches, update, sort, &variables);
        self.unbind_any(&variables);
        Some((symbol, self.model.store.mk_lambda(&variables, value?)))
    }

    /// The index in an update of a whole array: a name that is not in scope.
    fn fresh_name(&mut self, index: &Expr) -> Option<Name> {
        if let ExprKind::Name(name) = &index.kind
            && name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && !self.locals.iter().any(|(known, _)| known == name)
        {
            return Some(Name { text: name.clone(), span: index.span });
        }
        let message = "the index of an update with `case` has to be a new variable";
        let diagnostic = Diagnostic::error(&codes::NOT_A_FRESH_VARIABLE, message, index.span)
            .label("not a new variable")
            .help("write `A[j] := case | j = … : … | _ : A[j]`");
        self.report(diagnostic);
        None
    }

    /// The sort of an array's entries.
    fn values_of(&self, array: SymbolId) -> SortId {
        let sort = self.model.store.symbol(array).sort;
        match self.model.store.sort(sort) {
            Sort::Function { result, .. } => *result,
            _ => sort,
        }
    }

    /// A new value of the given sort; for whole arrays it may depend on the indices.
    fn chosen(
        &mut self,
        chosen: &Chosen,
        target: &Name,
        sort: SortId,
        indices: &[SymbolId],
    ) -> Option<TermId> {
        match chosen {
            Chosen::Any(_) => Some(self.any_value(&target.text, sort, indices)),
            Chosen::Term(expr) => {
                let term = self.term(expr)?;
                self.fit(term, sort, target, expr.span)
            }
        }
    }

    fn fit(&mut self, term: TermId, sort: SortId, target: &Name, span: Span) -> Option<TermId> {
        let given = self.model.store.sort_of(term);
        if given == sort {
            return Some(term);
        }
        if sort == SortId::REAL
            && let Some(term) = self.as_real(term)
        {
            return Some(term);
        }
        let (given, wanted) = (self.type_of(term), self.type_name(sort));
        let message = format!("`{}` takes values of type `{wanted}`, not `{given}`", target.text);
        self.fail(&codes::MISMATCH, message, span, format!("has the type `{given}`"))
    }

    /// An arbitrary value: a parameter, or one for each entry.
    fn any_value(&mut self, name: &str, sort: SortId, indices: &[SymbolId]) -> TermId {
        let mut parameter = format!("any_{name}");
        let mut number = 1;
        while !self.parameter_names.insert(parameter.clone()) {
            number += 1;
            parameter = format!("any_{name}_{number}");
        }
        let args: Vec<SortId> = indices.iter().map(|&index| self.model.store.symbol(index).sort).collect();
        let whole = if args.is_empty() { sort } else { self.store().function_sort(&args, sort) };
        let symbol = self.store().declare(&parameter, whole, Role::Input);
        self.choices.push(symbol);
        let choice = self.store().mk_symbol(symbol);
        if indices.is_empty() {
            return choice;
        }
        let indices: Vec<TermId> = indices.iter().map(|&index| self.store().mk_symbol(index)).collect();
        self.store().mk_apply(choice, &indices)
    }

    /// The value of the first branch whose condition holds.
    fn case(
        &mut self,
        branches: &[Branch],
        update: &Update,
        sort: SortId,
        indices: &[SymbolId],
    ) -> Option<TermId> {
        let mut read: Vec<(Option<TermId>, Option<TermId>)> = Vec::new();
        for branch in branches {
            let condition = match &branch.condition {
                Some(condition) => self.formula(condition),
                None => Some(TermId::TRUE),
            };
            read.push((condition, self.chosen(&branch.value, &update.target, sort, indices)));
        }
        self.remark_on_default(branches, update);
        let mut value = self.any_value(&update.target.text, sort, indices);
        for (condition, chosen) in read.into_iter().rev() {
            let (condition, chosen) = (condition?, chosen?);
            value = self.store().mk_ite(condition, chosen, value);
        }
        Some(value)
    }

    fn remark_on_default(&mut self, branches: &[Branch], update: &Update) {
        let default = branches.iter().position(|branch| branch.condition.is_none());
        if default.is_none() {
            let message = format!("`{}` gets any value if no branch fits", update.target.text);
            let diagnostic = Diagnostic::warning(&codes::NO_DEFAULT, message, update.target.span)
                .label("this `case` has no `_`")
                .help("add `| _ : …` with the value that is meant");
            self.report(diagnostic);
        } else if default != Some(branches.len() - 1) {
            let message =
                format!("the branches behind `_` are never taken in the update of `{}`", update.target.text);
            let diagnostic = Diagnostic::error(&codes::BRANCH_BEHIND_DEFAULT, message, update.target.span)
                .label("`_` is not the last branch");
            self.report(diagnostic);
        }
    }
}
