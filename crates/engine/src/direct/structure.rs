//! The solver's model as a finite structure: the elements that terms denote and the values of functions there, read
//! on demand.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tenet_solve::Solver;
use tenet_term::{Op, Sort, SortId, SymbolId, TermId, TermStore};

use super::code::{code, domain_sort, member_of, operand_sort, operate};

/// The values of variables.
pub type Env = SmallVec<[(SymbolId, i64); 4]>;

/// A model that is read piece by piece.
pub struct Structure<'a> {
    pub store: &'a mut TermStore,
    solver: &'a mut dyn Solver,
    cells: FxHashMap<(SymbolId, SmallVec<[i64; 2]>), Option<i64>>,
    ground: FxHashMap<TermId, Option<i64>>,
    names: FxHashMap<(SortId, i64), TermId>,
    elements: FxHashMap<SortId, Vec<i64>>,
}

impl<'a> Structure<'a> {
    /// The solver's last model. The given terms name its elements, earlier ones first.
    pub fn new(store: &'a mut TermStore, solver: &'a mut dyn Solver, terms: &[TermId]) -> Structure<'a> {
        let mut structure = Structure {
            store,
            solver,
            cells: FxHashMap::default(),
            ground: FxHashMap::default(),
            names: FxHashMap::default(),
            elements: FxHashMap::default(),
        };
        for &term in terms {
            let Some(value) = structure.value(term) else { continue };
            let sort = structure.store.sort_of(term);
            structure.enter(sort, value, term);
        }
        structure
    }

    fn enter(&mut self, sort: SortId, value: i64, term: TermId) {
        let sort = domain_sort(self.store, sort);
        self.names.entry((sort, value)).or_insert(term);
        let elements = self.elements.entry(sort).or_default();
        if !elements.contains(&value) {
            elements.push(value);
        }
    }

    /// The elements of a sort that some term denotes.
    pub fn elements(&self, sort: SortId) -> Vec<i64> {
        match self.store.sort(sort) {
            Sort::Bool => vec![0, 1],
            Sort::Enum { variants, .. } => (0..variants.len() as i64).collect(),
            _ => self.elements.get(&domain_sort(self.store, sort)).cloned().unwrap_or_default(),
        }
    }

    /// A term that denotes an element.
    pub fn name(&mut self, sort: SortId, value: i64) -> Option<TermId> {
        if let Some(&term) = self.names.get(&(domain_sort(self.store, sort), value)) {
            return Some(term);
        }
        match self.store.sort(sort).clone() {
            Sort::Bool => Some(self.store.mk_bool(value != 0)),
            Sort::Int | Sort::Range { .. } => Some(self.store.mk_int(value)),
            Sort::Enum { .. } => Some(self.store.mk_enum(sort, u32::try_from(value).ok()?)),
            Sort::Union { .. } => {
                let (member, value) = member_of(self.store, sort, value)?;
                let inner = self.name(member, value)?;
                Some(self.store.mk_in(sort, member, inner))
            }
            _ => None,
        }
    }

    /// The literal of a truth value or of an enumeration's value.
    pub fn name_value(&mut self, sort: SortId, value: i64) -> Option<TermId> {
        match self.store.sort(sort) {
            Sort::Bool => Some(self.store.mk_bool(value != 0)),
            Sort::Enum { .. } => Some(self.store.mk_enum(sort, u32::try_from(value).ok()?)),
            _ => None,
        }
    }

    /// The value of a term without variables.
    pub fn value(&mut self, term: TermId) -> Option<i64> {
        self.evaluate(term, &Env::new())
    }

    /// Whether a formula without variables is true.
    pub fn holds(&mut self, formula: TermId) -> bool {
        self.value(formula) == Some(1)
    }

    pub fn evaluate(&mut self, term: TermId, env: &Env) -> Option<i64> {
        if env.is_empty() {
            if let Some(&known) = self.ground.get(&term) {
                return known;
            }
            let value = self.compute(term, env);
            self.ground.insert(term, value);
            return value;
        }
        self.compute(term, env)
    }

    fn compute(&mut self, term: TermId, env: &Env) -> Option<i64> {
        let op = self.store.op(term).clone();
        let args: SmallVec<[TermId; 4]> = SmallVec::from_slice(self.store.args(term));
        match &op {
            Op::Symbol(symbol) => match env.iter().rev().find(|(known, _)| known == symbol) {
                Some(&(_, value)) => Some(value),
                None => self.read(*symbol, SmallVec::new()),
            },
            Op::Apply => self.application(args[0], &args[1..], env),
            Op::And => self.all(&args, env, false),
            Op::Or => self.all(&args, env, true),
            Op::Ite => match self.evaluate(args[0], env)? {
                0 => self.evaluate(args[2], env),
                _ => self.evaluate(args[1], env),
            },
            Op::Forall(bound) => self.quantifier(bound, args[0], env, true),
            Op::Exists(bound) => self.quantifier(bound, args[0], env, false),
            _ => {
                let values: Option<SmallVec<[i64; 4]>> =
                    args.iter().map(|&arg| self.evaluate(arg, env)).collect();
                let union = operand_sort(self.store, term);
                let value = values.and_then(|values| operate(self.store, &op, union, &values));
                value.or_else(|| self.ask(term, env))
            }
        }
    }

    /// Asks the solver for a value that is not computed here.
    fn ask(&mut self, term: TermId, env: &Env) -> Option<i64> {
        if !self.store.is_bool(term) {
            return None;
        }
        let mut pairs = Vec::new();
        for &(symbol, value) in env {
            let sort = self.store.symbol(symbol).sort;
            pairs.push((symbol, self.name(sort, value)?));
        }
        let substitution = tenet_term::Substitution::from_pairs(self.store, pairs);
        let ground = self.store.substitute(term, &substitution);
        let value = self.solver.values(self.store, &[ground]).pop()??;
        code(self.store, SortId::BOOL, &value)
    }

    /// Conjunction, or disjunction: the first operand that decides it.
    fn all(&mut self, args: &[TermId], env: &Env, deciding: bool) -> Option<i64> {
        let mut is_known = true;
        for &arg in args {
            match self.evaluate(arg, env) {
                Some(value) if (value != 0) == deciding => return Some(i64::from(deciding)),
                None => is_known = false,
                Some(_) => {}
            }
        }
        is_known.then_some(i64::from(!deciding))
    }

    fn quantifier(&mut self, bound: &[SymbolId], body: TermId, env: &Env, universal: bool) -> Option<i64> {
        let Some((&first, rest)) = bound.split_first() else { return self.evaluate(body, env) };
        let sort = self.store.symbol(first).sort;
        for value in self.elements(sort) {
            let mut inner = env.clone();
            inner.push((first, value));
            let truth = self.quantifier(rest, body, &inner, universal)?;
            if (truth != 0) != universal {
                return Some(i64::from(!universal));
            }
        }
        Some(i64::from(universal))
    }

    fn application(&mut self, function: TermId, args: &[TermId], env: &Env) -> Option<i64> {
        let values: Option<SmallVec<[i64; 2]>> = args.iter().map(|&arg| self.evaluate(arg, env)).collect();
        let values = values?;
        match self.store.op(function).clone() {
            Op::Symbol(symbol) => self.read(symbol, values),
            Op::Lambda(bound) => {
                let mut inner = env.clone();
                inner.extend(bound.iter().copied().zip(values));
                self.evaluate(self.store.args(function)[0], &inner)
            }
            Op::Ite => {
                let [condition, then, otherwise] = *self.store.args(function) else { return None };
                let chosen = if self.evaluate(condition, env)? != 0 { then } else { otherwise };
                self.application(chosen, args, env)
            }
            _ => None,
        }
    }

    /// The value of a symbol at a place, from the solver.
    pub fn read(&mut self, symbol: SymbolId, args: SmallVec<[i64; 2]>) -> Option<i64> {
        let key = (symbol, args);
        if let Some(&known) = self.cells.get(&key) {
            return known;
        }
        let value = self.fetch(symbol, &key.1);
        self.cells.insert(key, value);
        value
    }

    fn fetch(&mut self, symbol: SymbolId, args: &[i64]) -> Option<i64> {
        let mut term = self.store.mk_symbol(symbol);
        if !args.is_empty() {
            let Sort::Function { args: sorts, .. } = self.store.sort(self.store.symbol(symbol).sort).clone()
            else {
                return None;
            };
            let names: Option<Vec<TermId>> =
                sorts.iter().zip(args).map(|(&sort, &arg)| self.name(sort, arg)).collect();
            term = self.store.mk_apply(term, &names?);
        }
        let sort = self.store.sort_of(term);
        let value = self.solver.values(self.store, &[term]).pop()??;
        let value = code(self.store, sort, &value)?;
        if matches!(self.store.sort(sort), Sort::Index { .. }) {
            // It may be an element that no other term names. Facts are not instantiated there.
            self.names.entry((sort, value)).or_insert(term);
        }
        Some(value)
    }
}
