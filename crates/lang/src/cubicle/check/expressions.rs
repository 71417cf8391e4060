//! Terms and formulas.

use super::Checker;
use super::declarations::Meaning;
use crate::codes::cubicle as codes;
use crate::cubicle::ast::{Comparison, Expr, ExprKind, Name, Quantifier};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::suggest::closest;
use num_bigint::BigInt;
use num_rational::BigRational;
use tenet_term::{Op, Role, SortId, SymbolId, TermId};

/// The number of uses of predicates that are expanded.
const MAX_EXPANSIONS: usize = 10_000;

impl Checker<'_> {
    /// A formula; `None` after an error.
    pub(super) fn formula(&mut self, expr: &Expr) -> Option<TermId> {
        let term = self.term(expr)?;
        if self.model.store.is_bool(term) {
            return Some(term);
        }
        let sort = self.type_of(term);
        let message = format!("a formula is needed here, not a value of type `{sort}`");
        self.fail(&codes::NOT_A_FORMULA, message, expr.span, format!("has the type `{sort}`"))
    }

    /// A term or formula; `None` after an error.
    pub(super) fn term(&mut self, expr: &Expr) -> Option<TermId> {
        match &expr.kind {
            ExprKind::Error => None,
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Process(number) => self.process(number, expr.span),
            ExprKind::Number(value) => Some(self.store().mk_int(value.clone())),
            ExprKind::Decimal(digits, places) => {
                let value = BigRational::new(digits.clone(), BigInt::from(10).pow(*places));
                Some(self.store().mk_rational(value))
            }
            ExprKind::Truth(value) => Some(self.store().mk_bool(*value)),
            ExprKind::Access(name, indices) => self.access(name, indices),
            ExprKind::Call(name, arguments) => self.call(name, arguments, expr.span),
            ExprKind::Not(operand) => {
                let operand = self.formula(operand)?;
                Some(self.store().mk_not(operand))
            }
            ExprKind::All(parts) => {
                let parts = self.formulas(parts)?;
                Some(self.store().mk_and(parts))
            }
            ExprKind::Any(parts) => {
                let parts = self.formulas(parts)?;
                Some(self.store().mk_or(parts))
            }
            ExprKind::Implies(left, right) => {
                let (left, right) = both(self.formula(left), self.formula(right))?;
                Some(self.store().mk_implies(left, right))
            }
            ExprKind::Iff(left, right) => {
                let (left, right) = both(self.formula(left), self.formula(right))?;
                Some(self.store().mk_iff(left, right))
            }
            ExprKind::If(condition, then, otherwise) => self.conditional(condition, then, otherwise),
            ExprKind::Compare(comparison, left, right) => self.compare(*comparison, left, right, expr.span),
            ExprKind::Sum(parts) => self.sum(parts),
            ExprKind::Product(factors) => self.product(factors),
            ExprKind::Quantified(quantifier, names, body) => self.quantified(*quantifier, names, body),
        }
    }

    /// Checks all of them, so that all errors are reported.
    fn formulas(&mut self, parts: &[Expr]) -> Option<Vec<TermId>> {
        let terms: Vec<Option<TermId>> = parts.iter().map(|part| self.formula(part)).collect();
        terms.into_iter().collect()
    }

    /// The type of a term, for messages.
    pub(super) fn type_of(&self, term: TermId) -> String {
        self.type_name(self.model.store.sort_of(term))
    }

    /// The type that a sort stands for, for messages.
    pub(super) fn type_name(&self, sort: SortId) -> String {
        match sort {
            SortId::BOOL => "bool".to_string(),
            SortId::INT => "int".to_string(),
            SortId::REAL => "real".to_string(),
            sort => self.model.store.sort_name(sort),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Option<TermId> {
        if let Some(&(_, term)) = self.locals.iter().rev().find(|(known, _)| known == name) {
            return Some(term);
        }
        match self.meanings.get(name).map(|(meaning, _)| *meaning) {
            Some(Meaning::Value(term)) => Some(term),
            Some(Meaning::Constant(symbol) | Meaning::Variable(symbol)) => {
                Some(self.store().mk_symbol(symbol))
            }
            Some(Meaning::Array(..)) => {
                let message = format!("`{name}` is an array and needs an index");
                self.fail(&codes::WRONG_KIND, message, span, format!("write `{name}[x]`"))
            }
            Some(Meaning::Broken) => None,
            None => self.unknown(name, span),
        }
    }

    /// Reports an undeclared name.
    pub(super) fn unknown<T>(&mut self, name: &str, span: Span) -> Option<T> {
        if self.predicates.contains_key(name) {
            let message = format!("`{name}` is a predicate and needs arguments in parentheses");
            return self.fail(&codes::WRONG_KIND, message, span, "a predicate");
        }
        let known = self.locals.iter().map(|(known, _)| known).chain(self.meanings.keys());
        let close = closest(name, known.map(String::as_str)).map(str::to_string);
        let message = format!("`{name}` is not declared");
        let diagnostic = Diagnostic::error(&codes::UNKNOWN_NAME, message, span).label("means nothing here");
        self.report(match close {
            Some(close) => diagnostic.help(format!("did you mean `{close}`?")),
            None => diagnostic,
        });
        None
    }

    fn process(&mut self, number: &BigInt, span: Span) -> Option<TermId> {
        let position = u32::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let found = position.filter(|&position| self.process_count.is_some_and(|count| position < count));
        if let Some(position) = found {
            let sort = self.process_sort();
            return Some(self.store().mk_enum(sort, position));
        }
        let message = format!("there is no process `#{number}`");
        let label = match self.process_count {
            Some(count) => format!("the processes are `#1` to `#{count}`"),
            None => "processes have numbers only in a file with `number_procs`".to_string(),
        };
        self.fail(&codes::NO_SUCH_PROCESS, message, span, label)
    }

    fn access(&mut self, name: &Name, indices: &[Expr]) -> Option<TermId> {
        let found: Vec<Option<TermId>> = indices.iter().map(|index| self.index(index)).collect();
        let symbol = self.array(name, indices.len())?;
        let indices: Vec<TermId> = found.into_iter().collect::<Option<_>>()?;
        let array = self.store().mk_symbol(symbol);
        Some(self.store().mk_apply(array, &indices))
    }

    /// An index: a process with a name or a number, not one that a state variable holds, as in Cubicle.
    pub(super) fn index(&mut self, index: &Expr) -> Option<TermId> {
        let term = self.term(index)?;
        let process = self.process_sort();
        let sort = self.model.store.sort_of(term);
        let is_fixed = match self.model.store.op(term) {
            Op::Symbol(symbol) => matches!(self.model.store.symbol(*symbol).role, Role::Bound | Role::Input),
            Op::Enum(..) => true,
            _ => false,
        };
        if sort == process && is_fixed {
            return Some(term);
        }
        let sort = self.type_of(term);
        let (message, label) = match sort.as_str() {
            "proc" => {
                ("an index has to be a process variable".to_string(), "not a process variable".to_string())
            }
            _ => (
                format!("an index is a process, not a value of type `{sort}`"),
                format!("has the type `{sort}`"),
            ),
        };
        self.fail(&codes::NOT_A_PROCESS_VARIABLE, message, index.span, label)
    }

    /// The array of that name, if it has this number of indices.
    pub(super) fn array(&mut self, name: &Name, count: usize) -> Option<SymbolId> {
        let Some((meaning, declared)) = self.meanings.get(&name.text).copied() else {
            return self.unknown(&name.text, name.span);
        };
        match meaning {
            Meaning::Array(symbol, arity) if arity == count => Some(symbol),
            Meaning::Array(_, arity) => {
                let message = format!("`{}` has {arity} indices, not {count}", name.text);
                let diagnostic = Diagnostic::error(&codes::WRONG_COUNT, message, name.span)
                    .label(format!("used with {count}"))
                    .also(declared, "declared here");
                self.report(diagnostic);
                None
            }
            Meaning::Broken => None,
            _ => {
                let message = format!("`{}` is not an array", name.text);
                self.fail(&codes::WRONG_KIND, message, name.span, "cannot be indexed")
            }
        }
    }

    /// A macro call: the predicate with its parameters replaced.
    fn call(&mut self, name: &Name, arguments: &[Expr], span: Span) -> Option<TermId> {
        let values: Vec<Option<TermId>> = arguments.iter().map(|argument| self.term(argument)).collect();
        let Some(&predicate) = self.predicates.get(name.text.as_str()) else {
            return self.unknown_predicate(name);
        };
        if predicate.params.len() != arguments.len() {
            let (takes, given) = (predicate.params.len(), arguments.len());
            let message = format!("`{}` takes {takes} arguments, not {given}", name.text);
            let diagnostic = Diagnostic::error(&codes::WRONG_COUNT, message, span)
                .label(format!("used with {given}"))
                .also(predicate.name.span, "declared here");
            self.report(diagnostic);
            return None;
        }
        let values: Vec<TermId> = values.into_iter().collect::<Option<_>>()?;
        self.expanded += 1;
        if self.expanding.contains(&predicate.name.text.as_str()) {
            let message = format!("`{}` is defined by itself", name.text);
            return self.fail(&codes::EXPANSION, message, span, "used inside its own definition");
        }
        if self.expanded > MAX_EXPANSIONS {
            let message = "the uses of predicates make the file too large";
            return self.fail(&codes::EXPANSION, message, span, "while this one was expanded");
        }
        self.expanding.push(&predicate.name.text);
        let params = predicate.params.iter().map(|param| param.text.clone());
        let outer = std::mem::replace(&mut self.locals, params.zip(values).collect());
        let body = self.formula(&predicate.body);
        self.locals = outer;
        self.expanding.pop();
        body
    }

    fn unknown_predicate<T>(&mut self, name: &Name) -> Option<T> {
        let message = format!("there is no predicate `{}`", name.text);
        let diagnostic = Diagnostic::error(&codes::UNKNOWN_NAME, message, name.span).label("not declared");
        self.report(match closest(&name.text, self.predicates.keys().copied()) {
            Some(close) => diagnostic.help(format!("did you mean `{close}`?")),
            None => diagnostic.help("declare it with `predicate`"),
        });
        None
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr) -> Option<TermId> {
        let condition = self.formula(condition);
        let (a, b) = both(self.term(then), self.term(otherwise))?;
        let (a, b) = self.unify(a, b, then.span.to(otherwise.span))?;
        let condition = condition?;
        Some(self.store().mk_ite(condition, a, b))
    }

    fn compare(&mut self, op: Comparison, left: &Expr, right: &Expr, span: Span) -> Option<TermId> {
        let (a, b) = both(self.term(left), self.term(right))?;
        let (mut a, mut b) = self.unify(a, b, span)?;
        if !matches!(op, Comparison::Equal | Comparison::NotEqual) {
            (a, b) = self.ordered(a, b, span)?;
        }
        let store = self.store();
        Some(match op {
            Comparison::Equal => store.mk_eq(a, b),
            Comparison::NotEqual => store.mk_ne(a, b),
            Comparison::Less => store.mk_lt(a, b),
            Comparison::LessEqual => store.mk_le(a, b),
            Comparison::Greater => store.mk_gt(a, b),
            Comparison::GreaterEqual => store.mk_ge(a, b),
        })
    }

    /// Two terms as numbers in the same order.
    fn ordered(&mut self, a: TermId, b: TermId, span: Span) -> Option<(TermId, TermId)> {
        let sort = self.model.store.sort_of(a);
        if self.is_numeric(sort) {
            return Some((a, b));
        }
        if self.type_of(a) == "proc" {
            return Some((self.rank(a), self.rank(b)));
        }
        let name = self.type_of(a);
        let message = format!("values of type `{name}` have no order");
        self.fail(&codes::NO_ORDER, message, span, "only `=` and `<>` can compare them")
    }

    /// An integer literal as a real number.
    pub(super) fn as_real(&mut self, term: TermId) -> Option<TermId> {
        self.model.store.as_int(term)?;
        Some(self.store().mk_to_real(term))
    }

    /// Two terms of the same sort; integers are converted to reals if necessary.
    pub(super) fn unify(&mut self, a: TermId, b: TermId, span: Span) -> Option<(TermId, TermId)> {
        let (left, right) = (self.model.store.sort_of(a), self.model.store.sort_of(b));
        if left == right {
            return Some((a, b));
        }
        let converted = match (left, right) {
            (SortId::REAL, SortId::INT) => self.as_real(b).map(|b| (a, b)),
            (SortId::INT, SortId::REAL) => self.as_real(a).map(|a| (a, b)),
            _ => None,
        };
        if converted.is_some() {
            return converted;
        }
        let (left, right) = (self.type_of(a), self.type_of(b));
        let message = format!("the types `{left}` and `{right}` do not go together");
        self.fail(&codes::MISMATCH, message, span, format!("`{left}` and `{right}`"))
    }

    fn sum(&mut self, parts: &[(bool, Expr)]) -> Option<TermId> {
        let terms: Vec<Option<TermId>> = parts.iter().map(|(_, part)| self.numeric(part)).collect();
        let terms: Vec<TermId> = terms.into_iter().collect::<Option<_>>()?;
        let span = parts[0].1.span.to(parts[parts.len() - 1].1.span);
        let mut terms = self.same_numbers(terms, span)?;
        for ((negated, _), term) in parts.iter().zip(&mut terms) {
            if *negated {
                *term = self.store().mk_neg(*term);
            }
        }
        Some(self.store().mk_add(terms))
    }

    fn product(&mut self, factors: &[Expr]) -> Option<TermId> {
        let terms: Vec<Option<TermId>> = factors.iter().map(|factor| self.numeric(factor)).collect();
        let terms: Vec<TermId> = terms.into_iter().collect::<Option<_>>()?;
        let span = factors[0].span.to(factors[factors.len() - 1].span);
        let terms = self.same_numbers(terms, span)?;
        let varies: Vec<bool> = terms.iter().map(|&term| self.depends_on_state(term)).collect();
        if varies.iter().filter(|varies| **varies).count() > 1 {
            let message = "two factors of this product depend on the state";
            return self.fail(&codes::NOT_LINEAR, message, span, "not linear");
        }
        let store = self.store();
        terms.into_iter().reduce(|product, factor| store.mk_mul(product, factor))
    }

    /// Whether a term is anything but a number or a constant.
    fn depends_on_state(&self, term: TermId) -> bool {
        let store = &self.model.store;
        store.symbols_in(term).into_iter().any(|symbol| store.symbol(symbol).role != Role::Const)
    }

    fn numeric(&mut self, expr: &Expr) -> Option<TermId> {
        let term = self.term(expr)?;
        if self.is_numeric(self.model.store.sort_of(term)) {
            return Some(term);
        }
        let sort = self.type_of(term);
        let message = format!("a number is needed here, not a value of type `{sort}`");
        self.fail(&codes::MISMATCH, message, expr.span, format!("has the type `{sort}`"))
    }

    /// Makes all of them real numbers if one is.
    fn same_numbers(&mut self, terms: Vec<TermId>, span: Span) -> Option<Vec<TermId>> {
        let real = terms.iter().copied().find(|&term| self.model.store.sort_of(term) == SortId::REAL);
        let Some(real) = real else { return Some(terms) };
        terms.into_iter().map(|term| self.unify(real, term, span).map(|(_, term)| term)).collect()
    }

    /// Quantifiers range over processes other than those already bound.
    fn quantified(&mut self, quantifier: Quantifier, names: &[Name], body: &Expr) -> Option<TermId> {
        let mut others = self.processes.clone();
        if !self.distinct && !quantifier.other {
            others.truncate(usize::from(self.model.apart.is_some()));
        }
        let variables = self.bind(names);
        let body = self.formula(body);
        self.unbind(&variables);
        let body = body?;
        let mut differ = Vec::new();
        let mut before = others;
        for &variable in &variables {
            let term = self.store().mk_symbol(variable);
            differ.extend(before.iter().map(|&other| (term, other)));
            before.push(term);
        }
        let differ: Vec<TermId> = differ.into_iter().map(|(a, b)| self.store().mk_ne(a, b)).collect();
        let differ = self.store().mk_and(differ);
        let store = self.store();
        Some(match quantifier.universal {
            true => {
                let guarded = store.mk_implies(differ, body);
                store.mk_forall(&variables, guarded)
            }
            false => {
                let guarded = store.mk_and([differ, body]);
                store.mk_exists(&variables, guarded)
            }
        })
    }
}

fn both<T>(a: Option<T>, b: Option<T>) -> Option<(T, T)> {
    Some((a?, b?))
}
