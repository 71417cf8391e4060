//! Quantifier elimination by naming: each quantified formula becomes a name, with facts about its meaning.
//!
//! `forall n. b(x, n)` becomes `q(x)`, and there are two facts about it: `q(x) => b(x, n)` for all `x` and `n` (*use*),
//! and `b(x, w(x)) => q(x)` for all `x` (*witness*), where `w` picks a counterexample if there is one. For `exists` the
//! implications point the other way. Both hold in every model if `q` and `w` are read as intended, so instances of them
//! may be assumed freely; an existential that holds is only ever given its own witness, one for each `x` (EX-T1,
//! EX-T2). Ranges of bound variables are part of `b` (QI-T5).
//!
//! A defined function of arrays, `acc(left, right, n)`, becomes one function for each tuple of arrays (a *version*), of
//! the variables in these arrays and of `n`. Its defining equation is a fact, which does not say "least" (EX-T5);
//! and so is that versions for equal arrays are equal. Arrays that are visibly an instance of those of a version, as
//! `left[a := b]` is of `left[p := q]`, get no version of their own.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use tenet_system::Definition;
use tenet_term::{Building, Op, Sort, SortId, Substitution, SymbolId, TermId, TermStore};

use crate::names::{Names, Purpose};
use crate::obligations::quoted;
use crate::script::{Item, Macro};
use crate::walk::{free_variables, postorder};

/// The number of tuples of arrays for one definition: a definition could call itself with ever new ones.
const MAX_VERSIONS: usize = 64;

/// Makes formulas quantifier-free, and collects definitions of and facts about the new names in `items` and `facts`.
pub(crate) struct Purifier<'s> {
    pub(crate) store: &'s mut TermStore,
    pub(crate) names: Names,
    definitions: &'s [Definition],
    /// The definitions and declarations made since the scope was entered.
    pub(crate) items: Vec<Item>,
    /// Facts that hold in the current scope, whatever the state is.
    pub(crate) facts: Vec<SymbolId>,
    /// Memoised results.
    done: IndexMap<TermId, TermId, FxBuildHasher>,
    versions: Vec<Version>,
    /// The values of names of arrays.
    arrays: Substitution,
    /// Indices of versions whose facts have not been stated yet.
    pending: Vec<usize>,
    quantifiers: usize,
    version_count: usize,
    /// Facts that depend on an assumption, with that assumption.
    pub(crate) assumptions: Vec<(SymbolId, String)>,
}

/// A defined function at one tuple of arrays.
#[derive(Clone, Debug)]
struct Version {
    definition: usize,
    arrays: Vec<TermId>,
    /// The variables in the arrays.
    variables: Vec<SymbolId>,
    symbol: SymbolId,
}

/// The state on entering a scope.
pub(crate) struct Mark {
    items: Vec<Item>,
    facts: usize,
    done: usize,
    versions: usize,
    arrays: Substitution,
}

impl<'s> Purifier<'s> {
    pub(crate) fn new(store: &'s mut TermStore, names: Names, definitions: &'s [Definition]) -> Purifier<'s> {
        Purifier {
            store,
            names,
            definitions,
            items: Vec::new(),
            facts: Vec::new(),
            done: IndexMap::default(),
            versions: Vec::new(),
            arrays: Substitution::new(),
            pending: Vec::new(),
            quantifiers: 0,
            version_count: 0,
            assumptions: Vec::new(),
        }
    }

    /// Enters a scope.
    pub(crate) fn enter(&mut self) -> Mark {
        Mark {
            items: std::mem::take(&mut self.items),
            facts: self.facts.len(),
            done: self.done.len(),
            versions: self.versions.len(),
            arrays: self.arrays.clone(),
        }
    }

    /// Leaves a scope; returns its declarations and definitions.
    pub(crate) fn leave(&mut self, mark: Mark) -> Vec<Item> {
        self.facts.truncate(mark.facts);
        self.done.truncate(mark.done);
        self.versions.truncate(mark.versions);
        self.arrays = mark.arrays;
        std::mem::replace(&mut self.items, mark.items)
    }

    /// Defines the name of an array in this scope.
    pub(crate) fn name_array(&mut self, name: SymbolId, array: TermId) {
        self.arrays.insert(self.store, name, array);
    }

    /// The formula or term without quantifiers.
    pub(crate) fn pure(&mut self, term: TermId) -> Result<TermId, String> {
        let pure = self.rewrite(term)?;
        while let Some(position) = self.pending.pop() {
            self.state_equation(position)?;
            self.state_equalities(position)?;
        }
        Ok(pure)
    }

    /// Defines a name.
    pub(crate) fn define(
        &mut self,
        purpose: Purpose,
        wish: &str,
        params: &[SymbolId],
        body: TermId,
    ) -> SymbolId {
        let symbol = self.make(purpose, wish, params, self.store.sort_of(body));
        self.items.push(Item::Define(Macro { symbol, params: params.to_vec(), body }));
        symbol
    }

    /// The function applied to variables or other symbols.
    pub(crate) fn apply(&mut self, function: SymbolId, symbols: &[SymbolId]) -> TermId {
        let terms: Vec<TermId> = symbols.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        self.apply_to(function, &terms)
    }

    fn apply_to(&mut self, function: SymbolId, terms: &[TermId]) -> TermId {
        let function = self.store.mk_symbol(function);
        if terms.is_empty() { function } else { self.store.raw_apply(function, terms) }
    }

    /// A symbol with the sorts of these parameters.
    pub(crate) fn make(
        &mut self,
        purpose: Purpose,
        wish: &str,
        params: &[SymbolId],
        result: SortId,
    ) -> SymbolId {
        let args: Vec<SortId> = params.iter().map(|&param| widened(self.store, param)).collect();
        let result = if self.store.sort(result).is_integer() { SortId::INT } else { result };
        let sort = if args.is_empty() { result } else { self.store.function_sort(&args, result) };
        self.names.make(self.store, purpose, wish, sort)
    }

    fn rewrite(&mut self, term: TermId) -> Result<TermId, String> {
        let term = self.spell_out_equalities(term);
        for subterm in postorder(self.store, [term]) {
            if self.done.contains_key(&subterm) {
                continue;
            }
            let args: Vec<TermId> = self.store.args(subterm).iter().map(|arg| self.done[arg]).collect();
            let pure = match self.store.op(subterm).clone() {
                Op::Forall(bound) => self.name_quantifier(subterm, &bound, args[0], true)?,
                Op::Exists(bound) => self.name_quantifier(subterm, &bound, args[0], false)?,
                Op::Apply => self.rewrite_application(subterm, &args)?,
                _ if args[..] == *self.store.args(subterm) => subterm,
                op => self.store.raw(op, &args),
            };
            self.done.insert(subterm, pure);
        }
        Ok(self.done[&term])
    }

    /// Equal functions are equal at every argument.
    fn spell_out_equalities(&mut self, term: TermId) -> TermId {
        let is_functional = |store: &TermStore, term: TermId| {
            *store.op(term) == Op::Eq && is_function(store, store.sort_of(store.args(term)[0]))
        };
        if !self.store.subterms(term).into_iter().any(|subterm| is_functional(self.store, subterm)) {
            return term;
        }
        self.store.rewrite_bottom_up(term, |store, subterm, args| {
            if is_functional(store, subterm) {
                return equal_everywhere(store, args[0], args[1]);
            }
            if args == store.args(subterm) {
                return subterm;
            }
            let op = store.op(subterm).clone();
            Building::Raw.build(store, op, args)
        })
    }

    fn name_quantifier(
        &mut self,
        formula: TermId,
        bound: &[SymbolId],
        body: TermId,
        is_universal: bool,
    ) -> Result<TermId, String> {
        let free = free_variables(self.store, [formula]);
        let all: Vec<SymbolId> = free.iter().chain(bound).copied().collect();
        if all.iter().any(|&symbol| is_function(self.store, self.store.symbol(symbol).sort)) {
            return Err("a quantifier over functions inside a formula cannot be written down".to_owned());
        }
        self.quantifiers += 1;
        let name = format!("q.{}", self.quantifiers);
        let guards: Vec<TermId> =
            bound.iter().filter_map(|&symbol| range_guard(self.store, symbol)).collect();
        let body = guarded(self.store, &guards, body, is_universal);
        let proxy = self.make(Purpose::Once, &name, &free, SortId::BOOL);
        self.items
            .push(Item::Meaning(format!("{} stands for", self.names.symbol(proxy).unwrap_or("it")), formula));
        self.items.push(Item::Declare(proxy));
        let witnesses: Vec<SymbolId> =
            bound.iter().map(|&symbol| self.declare_witness(&name, &free, symbol)).collect();
        let body = self.define(Purpose::Once, &format!("{name}.body"), &all, body);
        let is_so = self.apply(proxy, &free);
        let here = self.apply(body, &all);
        let used = self.implication(is_so, here, is_universal);
        let used = self.define(Purpose::Once, &format!("{name}.use"), &all, used);
        let chosen: Vec<TermId> = free.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        let chosen: Vec<TermId> = chosen
            .into_iter()
            .chain(witnesses.iter().map(|&witness| self.apply(witness, &free)).collect::<Vec<_>>())
            .collect();
        let there = self.apply_to(body, &chosen);
        let witnessed = self.implication(there, is_so, is_universal);
        let witnessed = self.define(Purpose::Once, &format!("{name}.witness"), &free, witnessed);
        self.facts.extend([used, witnessed]);
        Ok(is_so)
    }

    fn declare_witness(&mut self, name: &str, free: &[SymbolId], variable: SymbolId) -> SymbolId {
        let wish = format!("{name}.{}", self.store.symbol(variable).name);
        let witness = self.make(Purpose::Once, &wish, free, self.store.symbol(variable).sort);
        self.items.push(Item::Declare(witness));
        witness
    }

    /// `a => b`, or `b => a`.
    fn implication(&mut self, a: TermId, b: TermId, forward: bool) -> TermId {
        if forward { self.store.raw_implies(a, b) } else { self.store.raw_implies(b, a) }
    }

    fn rewrite_application(&mut self, term: TermId, args: &[TermId]) -> Result<TermId, String> {
        let function = self.store.args(term)[0];
        let defined = self
            .definitions
            .iter()
            .position(|definition| self.store.as_symbol(function) == Some(definition.symbol));
        if let Some(definition) = defined {
            return self.rewrite_call(definition, term, args);
        }
        if self.store.as_symbol(function).is_none() {
            return Err("a function is applied that has no name".to_owned());
        }
        if args[1..].iter().any(|&arg| is_function(self.store, self.store.sort_of(arg))) {
            return Err("a function is passed to something that is no definition".to_owned());
        }
        Ok(if args == self.store.args(term) { term } else { self.store.raw(Op::Apply, args) })
    }

    fn rewrite_call(&mut self, definition: usize, term: TermId, pure: &[TermId]) -> Result<TermId, String> {
        let original = self.store.args(term)[1..].to_vec();
        let is_array = |store: &TermStore, arg: TermId| is_function(store, store.sort_of(arg));
        let arrays: Vec<TermId> = original.iter().copied().filter(|&arg| is_array(self.store, arg)).collect();
        let arrays: Vec<TermId> =
            arrays.into_iter().map(|array| self.store.substitute_raw(array, &self.arrays)).collect();
        let (version, values) = match self.known_version(definition, &arrays) {
            Some(known) => known,
            None => self.new_version(definition, arrays)?,
        };
        let mut terms = Vec::new();
        for value in values {
            terms.push(self.rewrite(value)?);
        }
        terms.extend(
            pure[1..]
                .iter()
                .zip(&original)
                .filter(|&(_, &arg)| !is_array(self.store, arg))
                .map(|(&arg, _)| arg),
        );
        let symbol = self.versions[version].symbol;
        Ok(self.apply_to(symbol, &terms))
    }

    /// An existing version for these arrays, and the values of its variables that make its arrays these.
    fn known_version(&mut self, definition: usize, arrays: &[TermId]) -> Option<(usize, Vec<TermId>)> {
        (0..self.versions.len()).find_map(|position| {
            let version = self.versions[position].clone();
            if version.definition != definition {
                return None;
            }
            let mut found = Substitution::new();
            let pairs = version.arrays.iter().zip(arrays);
            pairs.for_each(|(&own, &array)| self.guess(own, array, &version.variables, &mut found));
            // The match is only a guess until it has been checked.
            let mut is_it = |own: TermId, array: TermId| {
                let raw = self.store.substitute_raw(own, &found);
                // Operands of an equation may come in either order.
                raw == array || self.store.simplify(raw) == self.store.simplify(array)
            };
            let is_known = version.arrays.iter().zip(arrays).all(|(&own, &array)| is_it(own, array));
            let values = version.variables.iter().map(|&variable| found.get(variable));
            is_known.then(|| values.collect()).flatten().map(|values| (position, values))
        })
    }

    /// For variables of a pattern, the subterms of a term in their places.
    fn guess(&mut self, pattern: TermId, term: TermId, variables: &[SymbolId], found: &mut Substitution) {
        let mut pairs = vec![(pattern, term)];
        while let Some((pattern, term)) = pairs.pop() {
            match self.store.as_symbol(pattern) {
                Some(variable) if variables.contains(&variable) => {
                    if found.get(variable).is_none()
                        && widened(self.store, variable) == scalar_sort(self.store, term)
                    {
                        found.insert(self.store, variable, term);
                    }
                }
                _ => pairs.extend(
                    self.store.args(pattern).iter().copied().zip(self.store.args(term).iter().copied()),
                ),
            }
        }
    }

    fn new_version(
        &mut self,
        definition: usize,
        arrays: Vec<TermId>,
    ) -> Result<(usize, Vec<TermId>), String> {
        if self.versions.len() >= MAX_VERSIONS {
            let name = &self.definitions[definition].name;
            return Err(format!(
                "`{name}` is applied to more than {MAX_VERSIONS} different tuples of arrays"
            ));
        }
        let variables = free_variables(self.store, arrays.iter().copied());
        if variables.iter().any(|&symbol| is_function(self.store, self.store.symbol(symbol).sort)) {
            return Err("a quantifier over functions inside a formula cannot be written down".to_owned());
        }
        self.version_count += 1;
        let definition_name = self.definitions[definition].name.clone();
        let params: Vec<SymbolId> = variables.iter().copied().chain(self.scalar_params(definition)).collect();
        let symbol = self.make(
            Purpose::Once,
            &format!("{definition_name}.{}", self.version_count),
            &params,
            SortId::BOOL,
        );
        let name = self.names.symbol(symbol).unwrap_or("it").to_owned();
        for &array in &arrays {
            self.items.push(Item::Meaning(format!("{name} is `{definition_name}` of"), array));
        }
        self.items.push(Item::Declare(symbol));
        self.versions.push(Version { definition, arrays, variables: variables.clone(), symbol });
        self.pending.push(self.versions.len() - 1);
        let values = variables.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        Ok((self.versions.len() - 1, values))
    }

    fn scalar_params(&self, definition: usize) -> Vec<SymbolId> {
        let params = self.definitions[definition].params.iter().copied();
        params.filter(|&param| !is_function(self.store, self.store.symbol(param).sort)).collect()
    }

    /// Fresh copies of symbols, different from those to be avoided.
    fn renamed(&mut self, symbols: &[SymbolId], avoid: &[SymbolId]) -> Vec<SymbolId> {
        let mut avoid = avoid.to_vec();
        let mut renamed = Vec::new();
        for &symbol in symbols {
            let (name, sort) = (self.store.symbol(symbol).name.clone(), self.store.symbol(symbol).sort);
            let other = self.store.bound_avoiding(&name, sort, &avoid);
            avoid.push(other);
            renamed.push(other);
        }
        renamed
    }

    fn replacing(&mut self, from: &[SymbolId], to: &[SymbolId]) -> Substitution {
        let terms: Vec<TermId> = to.iter().map(|&symbol| self.store.mk_symbol(symbol)).collect();
        Substitution::from_pairs(self.store, from.iter().copied().zip(terms))
    }

    /// The defining equation of a version.
    fn state_equation(&mut self, position: usize) -> Result<(), String> {
        let version = self.versions[position].clone();
        let definition = self.definitions[version.definition].clone();
        let scalars = self.scalar_params(version.definition);
        let places = self.renamed(&scalars, &version.variables);
        let mut substitution = self.replacing(&scalars, &places);
        let array_params = definition.params.iter().filter(|param| !scalars.contains(param));
        for (&param, &array) in array_params.zip(&version.arrays) {
            substitution.insert(self.store, param, array);
        }
        let body = self.store.substitute_raw(definition.body, &substitution);
        let body = self.rewrite(body)?;
        let params: Vec<SymbolId> = version.variables.iter().chain(&places).copied().collect();
        let call = self.apply(version.symbol, &params);
        let equation = self.store.raw_eq(call, body);
        let guards: Vec<TermId> = places.iter().filter_map(|&place| range_guard(self.store, place)).collect();
        let equation = guarded(self.store, &guards, equation, true);
        let name = self.names.symbol(version.symbol).unwrap_or("it").to_owned();
        let fact = self.define(Purpose::Once, &format!("{name}.equation"), &params, equation);
        self.facts.push(fact);
        self.assumptions.push((fact, format!("definition {}", quoted(&definition.name))));
        Ok(())
    }

    /// Versions for equal arrays are equal.
    fn state_equalities(&mut self, position: usize) -> Result<(), String> {
        let version = self.versions[position].clone();
        for other in 0..=position {
            let earlier = self.versions[other].clone();
            let is_new = other < position || !version.variables.is_empty();
            if earlier.definition == version.definition && is_new {
                self.state_equality(&earlier, &version)?;
            }
        }
        Ok(())
    }

    fn state_equality(&mut self, earlier: &Version, version: &Version) -> Result<(), String> {
        let variables = self.renamed(&version.variables, &earlier.variables);
        let substitution = self.replacing(&version.variables, &variables);
        let mut same = Vec::new();
        for (&one, &other) in earlier.arrays.iter().zip(&version.arrays) {
            let other = self.store.substitute_raw(other, &substitution);
            if one != other {
                let equal = equal_everywhere(self.store, one, other);
                same.push(self.rewrite(equal)?);
            }
        }
        let both: Vec<SymbolId> = earlier.variables.iter().chain(&variables).copied().collect();
        let scalars = self.scalar_params(version.definition);
        let places = self.renamed(&scalars, &both);
        let left: Vec<SymbolId> = earlier.variables.iter().chain(&places).copied().collect();
        let right: Vec<SymbolId> = variables.iter().chain(&places).copied().collect();
        let (left, right) = (self.apply(earlier.symbol, &left), self.apply(version.symbol, &right));
        let equal = self.store.raw_eq(left, right);
        let fact = guarded(self.store, &same, equal, true);
        let names =
            [earlier, version].map(|version| self.names.symbol(version.symbol).unwrap_or("it").to_owned());
        let params: Vec<SymbolId> = both.iter().chain(&places).copied().collect();
        let fact = self.define(Purpose::Once, &format!("{}.is.{}", names[0], names[1]), &params, fact);
        self.facts.push(fact);
        Ok(())
    }
}

pub(crate) fn is_function(store: &TermStore, sort: SortId) -> bool {
    matches!(store.sort(sort), Sort::Function { .. })
}

/// The sort of a symbol for a solver: a range is a set of integers.
pub(crate) fn widened(store: &TermStore, symbol: SymbolId) -> SortId {
    let sort = store.symbol(symbol).sort;
    if store.sort(sort).is_integer() { SortId::INT } else { sort }
}

/// The same for a term.
fn scalar_sort(store: &TermStore, term: TermId) -> SortId {
    let sort = store.sort_of(term);
    if store.sort(sort).is_integer() { SortId::INT } else { sort }
}

/// That a symbol is within the range that is its sort.
pub(crate) fn range_guard(store: &mut TermStore, symbol: SymbolId) -> Option<TermId> {
    let (sort, term) = (store.symbol(symbol).sort, store.mk_symbol(symbol));
    within(store, sort, term)
}

/// That a term is within the range that is this sort. Built without simplification: the order of a simplified
/// conjunction would depend on what else is in the store.
pub(crate) fn within(store: &mut TermStore, sort: SortId, term: TermId) -> Option<TermId> {
    let Sort::Range { lo, hi, .. } = store.sort(sort).clone() else { return None };
    let lo = lo.map(|lo| store.mk_int(lo)).map(|lo| store.raw_le(lo, term));
    let hi = hi.map(|hi| store.mk_int(hi)).map(|hi| store.raw_le(term, hi));
    match (lo, hi) {
        (Some(lo), Some(hi)) => Some(store.raw_and(&[lo, hi])),
        (lo, hi) => lo.or(hi),
    }
}

/// The body under guards: implied by them, or in conjunction with them.
pub(crate) fn guarded(store: &mut TermStore, guards: &[TermId], body: TermId, implied: bool) -> TermId {
    let guard = match guards {
        [] => return body,
        [guard] => *guard,
        _ => store.raw_and(guards),
    };
    if implied { store.raw_implies(guard, body) } else { store.raw_and(&[guard, body]) }
}

/// `forall u. f(u) = g(u)`.
fn equal_everywhere(store: &mut TermStore, one: TermId, other: TermId) -> TermId {
    let Sort::Function { args, .. } = store.sort(store.sort_of(one)).clone() else {
        return store.raw_eq(one, other);
    };
    let mut avoid: Vec<SymbolId> = free_variables(store, [one, other]);
    let mut bound = Vec::new();
    for sort in args {
        let symbol = store.bound_avoiding("u", sort, &avoid);
        avoid.push(symbol);
        bound.push(symbol);
    }
    let terms: Vec<TermId> = bound.iter().map(|&symbol| store.mk_symbol(symbol)).collect();
    let [left, right] = [one, other].map(|function| {
        let operands: Vec<TermId> = [function].into_iter().chain(terms.iter().copied()).collect();
        Building::Raw.build(store, Op::Apply, &operands)
    });
    let equal = store.raw_eq(left, right);
    store.raw_forall(&bound, equal)
}
