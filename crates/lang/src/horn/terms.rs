//! From S-expressions to terms.
//!
//! A machine with an explicit stack, since files of thousands of nested `let`s are common. A `let` binds names to terms, which
//! are hash-consed, so nothing is copied. A macro's body is expanded for each combination of arguments. Relations applied to
//! arguments become terms as well (applications of a symbol that stands for the relation); separating clauses from them is the
//! task of [`super::clauses`].

use super::division::Divisions;
use super::operators::{self, Refusal};
use super::sexpr::{Kind, NodeId, Tree};
use super::signature::{Meaning, Signature};
use super::sorts;
use crate::codes::horn as codes;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::suggest;
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tenet_term::{Role, SortId, SymbolId, TermId, TermStore};

/// Longer numbers are refused, because converting them takes time quadratic in their length.
const MAX_DIGITS: usize = 1000;

/// The nesting depth of quantifiers inside constraints.
const MAX_QUANTIFIERS: usize = 200;

/// Reads the terms of one command.
pub struct Terms<'a, 's> {
    tree: &'a Tree<'s>,
    store: &'a mut TermStore,
    signature: &'a Signature,
    /// May variables of `declare-var` be used?
    rule_style: bool,
    divisions: Divisions,
    /// Where each atom stands first.
    places: BTreeMap<TermId, Span>,
    bindings: HashMap<&'s str, Vec<Binding>>,
    trail: Vec<&'s str>,
    /// Bindings before this position of the trail belong to the scope of a macro's use.
    frame: usize,
    expanded: HashMap<(usize, Vec<TermId>), TermId>,
    quantifiers: usize,
}

#[derive(Clone, Copy)]
struct Binding {
    term: TermId,
    depth: usize,
}

/// The operator of an application.
#[derive(Clone, Debug)]
enum Head<'s> {
    Relation(usize),
    Macro(usize),
    Operator(&'s str, Vec<u32>),
}

/// A pending task.
enum Task<'s> {
    Read(NodeId),
    Apply { node: NodeId, head: Head<'s>, count: usize },
    Bind { names: Vec<&'s str>, body: NodeId },
    Unbind(usize),
    Quantify { node: NodeId, universal: bool, symbols: Vec<SymbolId> },
    Return { macro_: usize, args: Vec<TermId>, frame: usize, node: NodeId },
}

type Read<T> = Result<T, Diagnostic>;

impl<'a, 's> Terms<'a, 's> {
    /// With no bindings.
    pub fn new(
        tree: &'a Tree<'s>,
        store: &'a mut TermStore,
        signature: &'a Signature,
        rule_style: bool,
    ) -> Terms<'a, 's> {
        Terms {
            tree,
            store,
            signature,
            rule_style,
            divisions: Divisions::default(),
            places: BTreeMap::new(),
            bindings: HashMap::new(),
            trail: Vec::new(),
            frame: 0,
            expanded: HashMap::new(),
            quantifiers: 0,
        }
    }

    /// The additional results: the divisions, and where atoms stand.
    pub fn finish(self) -> (&'a mut TermStore, Divisions, BTreeMap<TermId, Span>) {
        (self.store, self.divisions, self.places)
    }

    /// Binds a name in the rest of the command.
    pub fn bind(&mut self, name: &'s str, term: TermId) {
        self.bindings.entry(name).or_default().push(Binding { term, depth: self.trail.len() });
        self.trail.push(name);
    }

    /// Binds a name to a fresh symbol, to read something just for its sort.
    pub fn bind_fresh(&mut self, name: &'s str, sort: SortId) {
        let symbol = self.store.fresh(name, sort, Role::Input);
        let term = self.store.mk_symbol(symbol);
        self.bind(name, term);
    }

    /// Binds a name to a variable of the clause that is not among these.
    pub fn bind_variable(&mut self, name: &'s str, sort: SortId, used: &BTreeSet<SymbolId>) -> SymbolId {
        let mut symbol = self.store.declare(name, sort, Role::Input);
        if used.contains(&symbol) {
            symbol = self.store.fresh(name, sort, Role::Input);
        }
        let term = self.store.mk_symbol(symbol);
        self.bind(name, term);
        symbol
    }

    /// A term of this sort.
    pub fn read_as(&mut self, node: NodeId, sort: SortId) -> Read<TermId> {
        let term = self.read(node)?;
        self.fitting(term, sort, node)
    }

    /// The variables `((x Int) (y Bool))` of a quantifier, by name and sort.
    pub fn variables(&mut self, node: NodeId) -> Read<Vec<(&'s str, SortId)>> {
        let list = self.tree.list(node).ok_or_else(|| self.malformed(node, "a list of variables"))?;
        let mut variables = Vec::with_capacity(list.len());
        for &variable in list {
            let parts = self.tree.list(variable).unwrap_or_default();
            let [name, sort] = parts else { return Err(self.malformed(variable, "`(name sort)`")) };
            let name = self.tree.symbol(*name).ok_or_else(|| self.malformed(*name, "a name"))?;
            let sort = sorts::read(self.tree, self.store, &self.signature.sorts, *sort)?;
            variables.push((name, sort));
        }
        Ok(variables)
    }

    pub fn formula(&mut self, node: NodeId) -> Read<TermId> {
        let term = self.read(node)?;
        match self.store.is_bool(term) {
            true => Ok(term),
            false => {
                let sort = sorts::name(self.store, self.store.sort_of(term));
                Err(self.wrong(node, format!("a formula is expected here, found a term of sort {sort}")))
            }
        }
    }

    pub fn read(&mut self, node: NodeId) -> Read<TermId> {
        let mut tasks = vec![Task::Read(node)];
        let mut values: Vec<TermId> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Read(node) => self.start(node, &mut tasks, &mut values)?,
                Task::Apply { node, head, count } => {
                    let args = values.split_off(values.len() - count);
                    self.apply(node, head, args, &mut tasks, &mut values)?;
                }
                Task::Bind { names, body } => {
                    let terms = values.split_off(values.len() - names.len());
                    tasks.push(Task::Unbind(names.len()));
                    names.into_iter().zip(terms).for_each(|(name, term)| self.bind(name, term));
                    tasks.push(Task::Read(body));
                }
                Task::Unbind(count) => self.unbind(count),
                Task::Quantify { node, universal, symbols } => {
                    self.unbind(symbols.len());
                    self.quantifiers -= 1;
                    let body = values.pop().expect("invariant: the body has been read");
                    let formula = match universal {
                        _ if !self.store.is_bool(body) => return Err(self.malformed(node, "a formula")),
                        true => self.store.mk_forall(&symbols, body),
                        false => self.store.mk_exists(&symbols, body),
                    };
                    self.places.entry(formula).or_insert(self.tree.span(node));
                    values.push(formula);
                }
                Task::Return { macro_, args, frame, node } => {
                    self.unbind(args.len());
                    self.frame = frame;
                    let value = values.pop().expect("invariant: the body has been read");
                    let value = self.fitting(value, self.signature.macros[macro_].result, node)?;
                    self.expanded.insert((macro_, args), value);
                    values.push(value);
                }
            }
        }
        Ok(values.pop().expect("invariant: reading a term leaves one value"))
    }

    fn unbind(&mut self, count: usize) {
        for _ in 0..count {
            let name = self.trail.pop().expect("invariant: what is unbound was bound");
            self.bindings.get_mut(name).and_then(Vec::pop);
        }
    }

    fn start(&mut self, node: NodeId, tasks: &mut Vec<Task<'s>>, values: &mut Vec<TermId>) -> Read<()> {
        let Some(list) = self.tree.list(node) else {
            return self.leaf(node, tasks, values);
        };
        let [head, rest @ ..] = list else { return Err(self.malformed(node, "a term")) };
        match self.tree.symbol(*head) {
            Some("let") => self.start_let(node, rest, tasks),
            Some(word @ ("forall" | "exists")) => self.start_quantifier(node, word == "forall", rest, tasks),
            Some("!") => {
                let [term, ..] = rest else { return Err(self.malformed(node, "an annotated term")) };
                tasks.push(Task::Read(*term));
                Ok(())
            }
            Some("_") => {
                let value = self.indexed_literal(node, rest)?;
                values.push(value);
                Ok(())
            }
            Some("as" | "match" | "lambda") => Err(self.unsupported(*head, self.tree.text(*head))),
            Some(name) => {
                let head = self.head(*head, name)?;
                self.start_application(node, head, rest, tasks)
            }
            None => {
                let (name, indices) = self.indexed_head(*head)?;
                self.start_application(node, Head::Operator(name, indices), rest, tasks)
            }
        }
    }

    fn start_application(
        &mut self,
        node: NodeId,
        head: Head<'s>,
        args: &[NodeId],
        tasks: &mut Vec<Task<'s>>,
    ) -> Read<()> {
        if args.is_empty() {
            return Err(self.malformed(node, "an application to at least one operand"));
        }
        tasks.push(Task::Apply { node, head, count: args.len() });
        tasks.extend(args.iter().rev().map(|&arg| Task::Read(arg)));
        Ok(())
    }

    fn head(&self, node: NodeId, name: &'s str) -> Read<Head<'s>> {
        if self.bound(name).is_some() {
            return Err(self.wrong(node, format!("`{name}` is a variable, not a function")));
        }
        match self.signature.meaning(name) {
            Some(Meaning::Relation(position)) => Ok(Head::Relation(position)),
            Some(Meaning::Macro(position)) => Ok(Head::Macro(position)),
            Some(Meaning::Uninterpreted) => Err(self.unsupported(node, "an uninterpreted function")),
            Some(Meaning::Variable(_)) => {
                Err(self.wrong(node, format!("`{name}` is a variable, not a function")))
            }
            None => Ok(Head::Operator(name, Vec::new())),
        }
    }

    fn start_let(&mut self, node: NodeId, rest: &[NodeId], tasks: &mut Vec<Task<'s>>) -> Read<()> {
        let [bindings, body] = rest else { return Err(self.malformed(node, "`(let ((name term)) term)`")) };
        let list =
            self.tree.list(*bindings).ok_or_else(|| self.malformed(*bindings, "a list of bindings"))?;
        let (mut names, mut terms) = (Vec::with_capacity(list.len()), Vec::with_capacity(list.len()));
        for &binding in list {
            let parts = self.tree.list(binding).unwrap_or_default();
            let [name, term] = parts else { return Err(self.malformed(binding, "`(name term)`")) };
            names.push(self.tree.symbol(*name).ok_or_else(|| self.malformed(*name, "a name"))?);
            terms.push(*term);
        }
        tasks.push(Task::Bind { names, body: *body });
        tasks.extend(terms.into_iter().rev().map(Task::Read));
        Ok(())
    }

    fn start_quantifier(
        &mut self,
        node: NodeId,
        universal: bool,
        rest: &[NodeId],
        tasks: &mut Vec<Task<'s>>,
    ) -> Read<()> {
        let [variables, body] = rest else {
            return Err(self.malformed(node, "a list of variables and a formula"));
        };
        if self.quantifiers == MAX_QUANTIFIERS {
            let message = format!("quantifiers are nested more than {MAX_QUANTIFIERS} deep");
            return Err(Diagnostic::error(&codes::TOO_LARGE, message, self.tree.span(node)));
        }
        self.quantifiers += 1;
        let mut symbols = Vec::new();
        for (name, sort) in self.variables(*variables)? {
            let symbol = self.store.fresh(name, sort, Role::Bound);
            symbols.push(symbol);
            let term = self.store.mk_symbol(symbol);
            self.bind(name, term);
        }
        tasks.push(Task::Quantify { node, universal, symbols });
        tasks.push(Task::Read(*body));
        Ok(())
    }

    fn leaf(&mut self, node: NodeId, tasks: &mut Vec<Task<'s>>, values: &mut Vec<TermId>) -> Read<()> {
        let text = self.tree.text(node);
        if text.len() > MAX_DIGITS && !matches!(self.tree.kind(node), Kind::Symbol) {
            let message = format!("numbers have at most {MAX_DIGITS} digits");
            return Err(Diagnostic::error(&codes::TOO_LARGE, message, self.tree.span(node)));
        }
        let value = match self.tree.kind(node) {
            Kind::Numeral => self.store.mk_int(digits(text, 10)),
            Kind::Decimal => {
                let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
                let scale = BigInt::from(10u32).pow(fraction.len() as u32);
                let value = digits(&format!("{whole}{fraction}"), 10);
                self.store.mk_rational(BigRational::new(value, scale))
            }
            Kind::Hexadecimal => self.bits(&text[2..], 16),
            Kind::Binary => self.bits(&text[2..], 2),
            Kind::String => return Err(self.unsupported(node, "a string")),
            Kind::Keyword | Kind::List { .. } => return Err(self.malformed(node, "a term")),
            Kind::Symbol => return self.name(node, tasks, values),
        };
        values.push(value);
        Ok(())
    }

    fn bits(&mut self, digits_only: &str, radix: u32) -> TermId {
        let width = digits_only.len() as u32 * if radix == 16 { 4 } else { 1 };
        let value = digits(digits_only, radix).to_biguint().unwrap_or_default();
        self.store.mk_bitvec(width, value)
    }

    fn bound(&self, name: &str) -> Option<TermId> {
        let binding = self.bindings.get(name)?.last()?;
        (binding.depth >= self.frame).then_some(binding.term)
    }

    fn name(&mut self, node: NodeId, tasks: &mut Vec<Task<'s>>, values: &mut Vec<TermId>) -> Read<()> {
        let name = self.tree.symbol(node).expect("invariant: the node is a symbol");
        if let Some(term) = self.bound(name) {
            values.push(term);
            return Ok(());
        }
        let value = match self.signature.meaning(name) {
            Some(Meaning::Relation(position)) => {
                return self.apply(node, Head::Relation(position), Vec::new(), tasks, values);
            }
            Some(Meaning::Macro(position)) => {
                return self.apply(node, Head::Macro(position), Vec::new(), tasks, values);
            }
            Some(Meaning::Variable(symbol)) if self.rule_style => self.store.mk_symbol(symbol),
            Some(Meaning::Variable(_)) => {
                let message = format!("`{name}` is a variable for `rule` and `query`, not for `assert`");
                return Err(Diagnostic::error(&codes::UNSUPPORTED, message, self.tree.span(node))
                    .help("bind it with `forall`, or write a `rule`"));
            }
            Some(Meaning::Uninterpreted) => {
                return Err(self
                    .unsupported(node, "an uninterpreted constant")
                    .help("its value would be the same everywhere, but unknown; bind it with `forall`"));
            }
            None => match name {
                "true" => TermId::TRUE,
                "false" => TermId::FALSE,
                _ => match negative(name) {
                    Some(number) => self.store.mk_int(-digits(number, 10)),
                    None => return Err(self.undeclared(node, name)),
                },
            },
        };
        values.push(value);
        Ok(())
    }

    /// `(_ bv5 8)`.
    fn indexed_literal(&mut self, node: NodeId, rest: &[NodeId]) -> Read<TermId> {
        let [value, width] = rest else { return Err(self.malformed(node, "`(_ bvN width)`")) };
        let name = self.tree.symbol(*value).unwrap_or_default();
        let number = name.strip_prefix("bv").filter(|digits| {
            !digits.is_empty()
                && digits.len() <= MAX_DIGITS
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        let (Some(number), Some(width)) = (number, sorts::index_of(self.tree, *width)) else {
            return Err(self.unsupported(node, &format!("`{}`", shortened(self.tree.text(node)))));
        };
        let number: BigUint = digits(number, 10).to_biguint().unwrap_or_default();
        if width == 0 || width > sorts::MAX_WIDTH || number.bits() > u64::from(width) {
            return Err(self.wrong(node, format!("{number} does not fit in {width} bits")));
        }
        Ok(self.store.mk_bitvec(width, number))
    }

    /// `(_ extract 7 4)` as an operator.
    fn indexed_head(&self, node: NodeId) -> Read<(&'s str, Vec<u32>)> {
        let parts = self.tree.list(node).unwrap_or_default();
        let [underscore, name, indices @ ..] = parts else { return Err(self.malformed(node, "an operator")) };
        let (Some("_"), Some(name)) = (self.tree.symbol(*underscore), self.tree.symbol(*name)) else {
            return Err(self.unsupported(node, &format!("`{}`", shortened(self.tree.text(node)))));
        };
        let indices: Option<Vec<u32>> =
            indices.iter().map(|&index| sorts::index_of(self.tree, index)).collect();
        match indices {
            Some(indices) if !indices.is_empty() => Ok((name, indices)),
            _ => Err(self.malformed(node, "an operator with numbers as indices")),
        }
    }

    fn apply(
        &mut self,
        node: NodeId,
        head: Head<'s>,
        args: Vec<TermId>,
        tasks: &mut Vec<Task<'s>>,
        values: &mut Vec<TermId>,
    ) -> Read<()> {
        let value = match head {
            Head::Relation(position) => self.apply_relation(node, position, &args)?,
            Head::Operator(name, indices) => self.apply_operator(node, name, &indices, &args)?,
            Head::Macro(position) => match self.expanded.get(&(position, args.clone())) {
                Some(&known) => known,
                None => return self.expand(node, position, args, tasks),
            },
        };
        values.push(value);
        Ok(())
    }

    fn apply_relation(&mut self, node: NodeId, position: usize, args: &[TermId]) -> Read<TermId> {
        let relation = &self.signature.relations[position];
        self.check_count(node, &relation.name, relation.sorts.len(), args.len())?;
        let mut fitting = Vec::with_capacity(args.len());
        for (place, (&arg, &sort)) in args.iter().zip(&relation.sorts).enumerate() {
            fitting.push(self.fitting(arg, sort, self.operand(node, place))?);
        }
        let function = self.store.mk_symbol(relation.symbol);
        let term = match fitting.is_empty() {
            true => function,
            false => self.store.mk_apply(function, &fitting),
        };
        self.places.entry(term).or_insert(self.tree.span(node));
        Ok(term)
    }

    fn expand(
        &mut self,
        node: NodeId,
        position: usize,
        args: Vec<TermId>,
        tasks: &mut Vec<Task<'s>>,
    ) -> Read<()> {
        let macro_ = &self.signature.macros[position];
        self.check_count(node, &macro_.name, macro_.params.len(), args.len())?;
        let mut fitting = Vec::with_capacity(args.len());
        for (place, (&arg, sort)) in args.iter().zip(&macro_.params).enumerate() {
            fitting.push(self.fitting(arg, *sort, self.operand(node, place))?);
        }
        let frame = std::mem::replace(&mut self.frame, self.trail.len());
        tasks.push(Task::Return { macro_: position, args, frame, node: macro_.body });
        for (name, term) in self.parameter_names(position).into_iter().zip(fitting) {
            self.bind(name, term);
        }
        tasks.push(Task::Read(macro_.body));
        Ok(())
    }

    fn parameter_names(&self, position: usize) -> Vec<&'s str> {
        self.signature.macros[position]
            .names
            .iter()
            .map(|&node| self.tree.symbol(node).unwrap_or_default())
            .collect()
    }

    fn check_count(&self, node: NodeId, name: &str, expected: usize, found: usize) -> Read<()> {
        match expected == found {
            true => Ok(()),
            false => {
                let plural = if expected == 1 { "argument" } else { "arguments" };
                Err(self.wrong(node, format!("`{name}` takes {expected} {plural}, found {found}")))
            }
        }
    }

    fn apply_operator(&mut self, node: NodeId, name: &str, indices: &[u32], args: &[TermId]) -> Read<TermId> {
        let applied = match (name, indices) {
            ("div" | "mod" | "/", []) => self.divisions.apply(self.store, name, args),
            _ => operators::apply(self.store, name, indices, args),
        };
        applied.map_err(|refusal| match refusal {
            Refusal::Unknown => self.undeclared(self.head_of(node), name),
            Refusal::Unsupported(help) => {
                self.unsupported(self.head_of(node), &format!("`{name}`")).help(help)
            }
            Refusal::Sorts(message) => self.wrong(self.head_of(node), message),
            Refusal::Operand(position, message) => self.wrong(self.operand(node, position), message),
        })
    }

    fn head_of(&self, node: NodeId) -> NodeId {
        self.tree.list(node).and_then(|list| list.first().copied()).unwrap_or(node)
    }

    fn operand(&self, node: NodeId, position: usize) -> NodeId {
        self.tree.list(node).and_then(|list| list.get(position + 1).copied()).unwrap_or(node)
    }

    fn fitting(&mut self, term: TermId, sort: SortId, node: NodeId) -> Read<TermId> {
        operators::fit(self.store, term, sort).ok_or_else(|| {
            let [expected, found] =
                [sort, self.store.sort_of(term)].map(|sort| sorts::name(self.store, sort));
            self.wrong(node, format!("a term of sort {expected} is expected here, found {found}"))
        })
    }

    fn undeclared(&self, node: NodeId, name: &str) -> Diagnostic {
        let message = format!("`{}` is not declared", shortened(name));
        let error = Diagnostic::error(&codes::UNDECLARED, message, self.tree.span(node));
        match suggest::closest(name, self.signature.names()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error,
        }
    }

    fn wrong(&self, node: NodeId, message: String) -> Diagnostic {
        Diagnostic::error(&codes::WRONG_SORT, message, self.tree.span(node))
    }

    fn unsupported(&self, node: NodeId, what: &str) -> Diagnostic {
        Diagnostic::error(&codes::UNSUPPORTED, format!("{what} is not supported"), self.tree.span(node))
    }

    fn malformed(&self, node: NodeId, expected: &str) -> Diagnostic {
        Diagnostic::error(&codes::SYNTAX, format!("{expected} is expected here"), self.tree.span(node))
    }
}

fn digits(text: &str, radix: u32) -> BigInt {
    BigInt::parse_bytes(text.as_bytes(), radix).unwrap_or_default()
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The digits of `-7`. In SMT-LIB `-7` is a symbol and the number is `(- 7)`; but some tools write it, and Z3 accepts
/// it.
fn negative(name: &str) -> Option<&str> {
    let digits = name.strip_prefix('-')?;
    let is_number = !digits.is_empty() && digits.len() <= MAX_DIGITS;
    (is_number && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(digits)
}
