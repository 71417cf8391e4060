//! From terms to the vocabulary of SMT-LIB: the one place that says what our operators mean to a solver.
//!
//! Functions are no values for the solver, only declared symbols that are applied. A term of function sort is therefore
//! encoded as what it gives when applied to *placeholders*, one constant for each argument position; applying it replaces
//! them. That one rule covers applied lambdas, applied conditionals between functions, functions that return functions,
//! and, by quantifying the placeholders, equality of functions. Because a binder's symbols are plain constants until
//! the back end abstracts them, replacing cannot capture anything.
//!
//! A range is the integers: a symbol of a range sort is *not* assumed to be in it, because staying in it is something
//! that the layers above prove. Only quantifiers range over the range (QI-T5).

mod builder;
mod names;
mod operators;
mod sorts;

use rustc_hash::FxHashMap;
use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

pub(crate) use builder::{Builder, Constructor, ConstructorSpec, Prim};
use names::Names;
use sorts::SortCode;

/// Encodes the terms of one store, which may grow between calls. What was encoded stays so for good.
pub(crate) struct Encoder<B: Builder> {
    pub(crate) builder: B,
    /// By term; of a function, what it gives for the placeholders.
    terms: Vec<Option<B::Ast>>,
    symbols: FxHashMap<SymbolId, B::Function>,
    sorts: FxHashMap<SortId, SortCode<B>>,
    placeholders: FxHashMap<(SortId, usize), B::Ast>,
    /// The literals of index sorts, in order of their first use.
    index_literals: FxHashMap<SortId, Vec<(u32, B::Ast)>>,
    /// Facts that every check needs: literals of an index sort are distinct.
    axioms: Vec<B::Ast>,
    names: Names,
}

impl<B: Builder> Encoder<B> {
    pub(crate) fn new(builder: B) -> Encoder<B> {
        Encoder {
            builder,
            terms: Vec::new(),
            symbols: FxHashMap::default(),
            sorts: FxHashMap::default(),
            placeholders: FxHashMap::default(),
            index_literals: FxHashMap::default(),
            axioms: Vec::new(),
            names: Names::default(),
        }
    }

    /// What has to be asserted besides the formulas. Grows when terms are encoded.
    pub(crate) fn axioms(&self) -> &[B::Ast] {
        &self.axioms
    }

    /// The literals of an index sort that have occurred, in order of their first use.
    pub(crate) fn index_literals(&self, sort: SortId) -> &[(u32, B::Ast)] {
        self.index_literals.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// Encodes a formula or another term that is not a function.
    pub(crate) fn encode(&mut self, store: &TermStore, term: TermId) -> B::Ast {
        if self.terms.len() < store.len() {
            self.terms.resize(store.len(), None);
        }
        if let Some(ast) = &self.terms[term.index()] {
            return ast.clone();
        }
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.terms[top.index()].is_some() {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let skip = usize::from(is_call(store, top));
            let missing = store.args(top).iter().skip(skip).filter(|arg| self.terms[arg.index()].is_none());
            stack.extend(missing);
            if stack.len() == before {
                let ast = self.build(store, top);
                self.terms[top.index()] = Some(ast);
                stack.pop();
            }
        }
        self.operand(term)
    }

    /// A constant of sort `Bool` that occurs in no term.
    pub(crate) fn fresh_literal(&mut self) -> B::Ast {
        let name = self.names.unique("assumption");
        let sort = self.builder.bool_sort();
        let function = self.builder.function(&name, &[], &sort);
        self.builder.call(&function, &[])
    }

    fn operand(&self, term: TermId) -> B::Ast {
        self.terms[term.index()].clone().expect("invariant: operands are encoded before their users")
    }

    fn operands(&self, store: &TermStore, term: TermId) -> Vec<B::Ast> {
        store.args(term).iter().map(|&arg| self.operand(arg)).collect()
    }

    /// Encodes a term whose operands are encoded.
    fn build(&mut self, store: &TermStore, term: TermId) -> B::Ast {
        match store.op(term) {
            Op::Symbol(symbol) => self.symbol(store, *symbol),
            Op::Apply => self.application(store, term),
            Op::Lambda(bound) => self.lambda(store, term, bound),
            Op::Forall(bound) => self.quantifier(store, term, bound, true),
            Op::Exists(bound) => self.quantifier(store, term, bound, false),
            Op::Eq if self.is_function(store, store.args(term)[0]) => {
                self.equal_functions(store, store.args(term)[0], store.args(term)[1])
            }
            Op::Distinct if self.is_function(store, store.args(term)[0]) => {
                self.distinct_functions(store, store.args(term))
            }
            _ => self.operator(store, term),
        }
    }

    fn is_function(&self, store: &TermStore, term: TermId) -> bool {
        matches!(store.sort(store.sort_of(term)), Sort::Function { .. })
    }

    fn symbol(&mut self, store: &TermStore, symbol: SymbolId) -> B::Ast {
        let (args, _) = signature(store, store.symbol(symbol).sort);
        let places = self.places(store, &args, 0);
        self.call(store, symbol, &places)
    }

    /// What a symbol is to the solver, if it was ever spoken of.
    pub(crate) fn declared(&self, symbol: SymbolId) -> Option<&B::Function> {
        self.symbols.get(&symbol)
    }

    fn call(&mut self, store: &TermStore, symbol: SymbolId, operands: &[B::Ast]) -> B::Ast {
        if !self.symbols.contains_key(&symbol) {
            let function = self.declare(store, symbol);
            self.symbols.insert(symbol, function);
        }
        self.builder.call(&self.symbols[&symbol], operands)
    }

    fn declare(&mut self, store: &TermStore, symbol: SymbolId) -> B::Function {
        let declared = store.symbol(symbol);
        let (args, result) = signature(store, declared.sort);
        for &arg in &args {
            let is_function = matches!(store.sort(arg), Sort::Function { .. });
            assert!(!is_function, "invariant: functions of functions are removed before: {}", declared.name);
        }
        let args: Vec<B::Sort> = args.iter().map(|&arg| self.sort(store, arg)).collect();
        let result = self.sort(store, result);
        // Symbols that differ in sort or role only have the same name; to the solver they must not be the same.
        let name = self.names.unique(&declared.name);
        self.builder.function(&name, &args, &result)
    }

    fn application(&mut self, store: &TermStore, term: TermId) -> B::Ast {
        let (head, args) = (store.args(term)[0], &store.args(term)[1..]);
        let actual: Vec<B::Ast> = args
            .iter()
            .map(|&arg| {
                assert!(!self.is_function(store, arg), "invariant: functions are no arguments of functions");
                self.operand(arg)
            })
            .collect();
        if is_call(store, term) {
            let symbol = store.as_symbol(head).expect("invariant: the head of a call is a symbol");
            return self.call(store, symbol, &actual);
        }
        let (sorts, _) = signature(store, store.sort_of(head));
        let (taken, left) = sorts.split_at(args.len());
        let mut pairs: Vec<_> = self.places(store, taken, 0).into_iter().zip(actual).collect();
        pairs.extend(self.places(store, left, args.len()).into_iter().zip(self.places(store, left, 0)));
        self.builder.replace(&self.operand(head), &pairs)
    }

    fn lambda(&mut self, store: &TermStore, term: TermId, bound: &[SymbolId]) -> B::Ast {
        let body = store.args(term)[0];
        let sorts: Vec<SortId> = bound.iter().map(|&symbol| store.symbol(symbol).sort).collect();
        let formal = self.constants(store, bound);
        let mut pairs: Vec<_> = formal.into_iter().zip(self.places(store, &sorts, 0)).collect();
        let (left, _) = signature(store, store.sort_of(body));
        pairs.extend(self.places(store, &left, 0).into_iter().zip(self.places(store, &left, bound.len())));
        self.builder.replace(&self.operand(body), &pairs)
    }

    fn quantifier(&mut self, store: &TermStore, term: TermId, bound: &[SymbolId], universal: bool) -> B::Ast {
        let constants = self.constants(store, bound);
        let sorts: Vec<SortId> = bound.iter().map(|&symbol| store.symbol(symbol).sort).collect();
        let body = self.operand(store.args(term)[0]);
        self.quantify(store, universal, &sorts, &constants, body)
    }

    /// Quantifies constants of the given sorts, each over the values of its sort only.
    fn quantify(
        &mut self,
        store: &TermStore,
        universal: bool,
        sorts: &[SortId],
        constants: &[B::Ast],
        body: B::Ast,
    ) -> B::Ast {
        let mut guards = Vec::new();
        for (&sort, constant) in sorts.iter().zip(constants) {
            self.range_guards(store, sort, constant, &mut guards);
        }
        let body = match (guards.is_empty(), universal) {
            (true, _) => body,
            (false, true) => {
                let guard = self.conjunction(guards);
                self.builder.apply(Prim::Implies, &[guard, body])
            }
            (false, false) => {
                guards.push(body);
                self.conjunction(guards)
            }
        };
        self.builder.quantify(universal, constants, &body)
    }

    fn range_guards(&mut self, store: &TermStore, sort: SortId, value: &B::Ast, guards: &mut Vec<B::Ast>) {
        let Sort::Range { lo, hi, .. } = store.sort(sort) else { return };
        if let Some(lo) = lo {
            let lo = self.builder.int(lo);
            guards.push(self.builder.apply(Prim::Le, &[lo, value.clone()]));
        }
        if let Some(hi) = hi {
            let hi = self.builder.int(hi);
            guards.push(self.builder.apply(Prim::Le, &[value.clone(), hi]));
        }
    }

    pub(super) fn conjunction(&mut self, mut parts: Vec<B::Ast>) -> B::Ast {
        match parts.len() {
            0 => self.builder.bool(true),
            1 => parts.remove(0),
            _ => self.builder.apply(Prim::And, &parts),
        }
    }

    fn equal_functions(&mut self, store: &TermStore, left: TermId, right: TermId) -> B::Ast {
        let (sorts, _) = signature(store, store.sort_of(left));
        let places = self.places(store, &sorts, 0);
        let (left, right) = (self.operand(left), self.operand(right));
        let equal = self.builder.apply(Prim::Eq, &[left, right]);
        self.quantify(store, true, &sorts, &places, equal)
    }

    fn distinct_functions(&mut self, store: &TermStore, functions: &[TermId]) -> B::Ast {
        let mut different = Vec::new();
        for (place, &second) in functions.iter().enumerate() {
            for &first in &functions[..place] {
                let equal = self.equal_functions(store, first, second);
                different.push(self.builder.apply(Prim::Not, &[equal]));
            }
        }
        self.conjunction(different)
    }

    /// Bound symbols, which are constants until a binder abstracts them.
    fn constants(&mut self, store: &TermStore, bound: &[SymbolId]) -> Vec<B::Ast> {
        bound
            .iter()
            .map(|&symbol| {
                let is_function = matches!(store.sort(store.symbol(symbol).sort), Sort::Function { .. });
                assert!(!is_function, "invariant: no function is bound: {}", store.symbol(symbol).name);
                self.call(store, symbol, &[])
            })
            .collect()
    }

    /// The placeholders of consecutive argument positions.
    fn places(&mut self, store: &TermStore, sorts: &[SortId], first: usize) -> Vec<B::Ast> {
        sorts.iter().enumerate().map(|(offset, &sort)| self.place(store, sort, first + offset)).collect()
    }

    fn place(&mut self, store: &TermStore, sort: SortId, position: usize) -> B::Ast {
        // Ranges are interchangeable with integers, also in the arguments of functions.
        let sort = if store.sort(sort).is_integer() { SortId::INT } else { sort };
        if let Some(place) = self.placeholders.get(&(sort, position)) {
            return place.clone();
        }
        let code = self.sort(store, sort);
        let name = self.names.unique("place");
        let function = self.builder.function(&name, &[], &code);
        let place = self.builder.call(&function, &[]);
        self.placeholders.insert((sort, position), place.clone());
        place
    }
}

/// Is the term a declared function applied to all its arguments?
fn is_call(store: &TermStore, term: TermId) -> bool {
    if *store.op(term) != Op::Apply || store.as_symbol(store.args(term)[0]).is_none() {
        return false;
    }
    !matches!(store.sort(store.sort_of(term)), Sort::Function { .. })
}

/// The sorts of all arguments until the result is no function, and that result.
fn signature(store: &TermStore, sort: SortId) -> (Vec<SortId>, SortId) {
    let (mut all, mut result) = (Vec::new(), sort);
    while let Sort::Function { args, result: next } = store.sort(result) {
        all.extend_from_slice(args);
        result = *next;
    }
    (all, result)
}
